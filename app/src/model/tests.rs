//! Tests of whole documents: edit, undo, save and reopen.

use super::*;
use crate::scene::{
    self, Component, Folder, ImageSource, MeshSource, ParameterKey, Scene, SceneEdit, Slot, SubroutineKey,
    SubroutineLabels,
};
use crate::session::{self, Job, Threads};
use shadestep_engine::diag::Severity;
use shadestep_engine::isa::Stage;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const FRAGMENT: &str = "!!FP1.0\nDECLARE tint = {1, 0.5, 0.25, 1};\nMULR o[COLR], f[TEX0], tint;\nEND\n";

fn document(text: &str) -> Document {
    Document::new(DocumentId(1), Scene::for_program("test.fp", None, text.as_bytes()))
}

fn tint(value: f32) -> SceneEdit {
    SceneEdit::Parameter(ParameterKey::Named("tint".to_owned()), [Component::Constant(value); 4])
}

fn type_text(d: &mut Document, part: Part, text: &str) {
    d.replace(part, text, Cause::Other);
}

/// A folder that is removed on drop.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("shadestep-model-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs the readings that the document wants, as the app does.
fn read_files(d: &mut Document) {
    while let Some(reading) = d.take_reading() {
        let outcome = reading.read();
        d.take_read(&reading.text, outcome);
    }
}

/// Writes `save`, as the app does.
fn write(d: &mut Document, save: &Save) {
    for file in &save.files {
        let bytes = match &file.content {
            Content::Text(_, text) | Content::Plain(text) => text.clone().into_bytes(),
            Content::Copy(folder, name) => folder.read(name).unwrap().into_owned(),
        };
        std::fs::create_dir_all(file.path.parent().unwrap()).unwrap();
        std::fs::write(&file.path, bytes).unwrap();
    }
    d.saved(save);
    read_files(d);
}

/// Returns the exact picture of a scene, with the texts of `d` or those on disk.
fn picture(scene: &Scene, d: Option<&Document>) -> Vec<[u32; 4]> {
    let texts =
        d.map_or_else(|| scene.programs.map(|_, file| Arc::clone(&file.text)), Document::program_texts);
    let loaded = session::compile_all(&texts, &session::Loaded::default());
    let job = Job { size: [24, 16], time_secs: 0.7, ..Job::new(Arc::new(scene.clone())) };
    let threads = Threads::new(1).unwrap();
    let frame = session::render(&loaded, &job, &threads, &AtomicBool::new(false)).unwrap();
    let pixels = (0..16).flat_map(|y| (0..24).map(move |x| [x, y]));
    pixels.map(|at| frame.pixel(at).unwrap().color.map(f32::to_bits)).collect()
}

/// Loads the current text of every program of `d`.
fn load(d: &mut Document) {
    let loaded = session::compile_all(&d.program_texts(), &session::Loaded::default());
    d.loaded(d.revision, &loaded);
}

/// Returns the marked pieces of text, with their parts.
fn marks(d: &Document) -> Vec<(Part, String)> {
    let text = |part| d.text(part).unwrap().text();
    d.findings().map(|(part, f)| (part, text(part)[f.span().start..f.span().end].to_owned())).collect()
}

#[test]
fn the_scene_is_its_text_whoever_changes_it() {
    let mut d = document(FRAGMENT);
    assert!(!d.is_modified() && d.scene.parameters.is_empty());
    d.edit_scene(&tint(0.5)).unwrap();
    assert!(d.is_modified() && d.differs(&ResetSubject::Parameter(ParameterKey::Named("tint".to_owned()))));
    assert!(d.scene_text().text.contains("tint = [0.5, 0.5, 0.5, 0.5]"), "{}", d.scene_text().text);
    let typed = d.scene_text().text.replace("0.5, 0.5, 0.5, 0.5", "0.25");
    type_text(&mut d, Part::Scene, &typed);
    assert_eq!(d.scene.parameters[0].value[0], Component::Constant(0.25));
    // An error in the text keeps the previous scene, reports the place, and refuses changes from panels.
    type_text(&mut d, Part::Scene, &typed.replace("tint = ", "tint = \"x\" # "));
    assert_eq!(d.scene.parameters[0].value[0], Component::Constant(0.25));
    let found: Vec<_> = d.findings().collect();
    assert_eq!((found.len(), found[0].0), (1, Part::Scene));
    assert_eq!(found[0].1.span().slice(d.scene_text().text.as_bytes()), b"tint");
    assert!(d.edit_scene(&tint(1.0)).unwrap_err().contains("scene.toml has an error"));
    type_text(&mut d, Part::Scene, &typed);
    assert_eq!(d.findings().count(), 0);
    d.reset(&ResetSubject::Scene).unwrap();
    assert!(!d.is_modified() && d.scene.parameters.is_empty());
}

#[test]
fn everything_is_undone_and_made_again_in_its_order() {
    let mut d = document(FRAGMENT);
    type_text(&mut d, Part::Program(Slot::Fragment), "!!FP1.0\nEND\n");
    d.edit_scene(&tint(0.5)).unwrap();
    d.edit_scene(&tint(0.75)).unwrap();
    d.edit_scene(&SceneEdit::Size([64, 32])).unwrap();
    d.add_program(Stage::Vertex).unwrap();
    type_text(&mut d, Part::Program(Slot::Vertex), "# mine\n");
    let state = |d: &Document| {
        let value = d.scene.parameters.first().map(|setting| setting.value[0]);
        (d.active().text.len(), d.scene.size, value, d.programs().count())
    };
    let mut seen = vec![state(&d)];
    while d.undo() {
        seen.push(state(&d));
    }
    let sizes: Vec<_> = seen.iter().map(|(_, size, _, programs)| (size[0], *programs)).collect();
    assert_eq!(sizes, [(64, 2), (64, 2), (64, 1), (512, 1), (512, 1), (512, 1)], "{seen:?}");
    assert_eq!(seen[3].2, Some(Component::Constant(0.75)), "a slider that is drawn is one step");
    assert_eq!(seen[4].2, None);
    assert!(!d.is_modified() && !d.can_undo() && d.can_redo());
    let mut again = vec![state(&d)];
    while d.redo() {
        again.push(state(&d));
    }
    again.reverse();
    assert_eq!(again.iter().map(|s| s.3).collect::<Vec<_>>(), seen.iter().map(|s| s.3).collect::<Vec<_>>());
    assert_eq!(d.program_text(Slot::Vertex).unwrap().text, "# mine\n");
}

#[test]
fn a_change_that_cannot_be_changes_nothing() {
    let mut d = Document::new(DocumentId(1), Scene::for_program("t.vp", None, *b"!!VP1.1\nEND\n"));
    let before = d.scene_text().text.clone();
    // c[0] tracks a matrix (NV_vertex_program 2.14.5).
    let key = ParameterKey::Register(0);
    let words = d.edit_scene(&SceneEdit::Parameter(key, [Component::Constant(1.0); 4])).unwrap_err();
    assert!(words.contains("c[0] tracks"), "{words}");
    assert_eq!(
        (d.scene_text().text.as_str(), d.can_undo(), d.is_modified()),
        (before.as_str(), false, false)
    );
}

#[test]
fn what_a_scene_asks_of_its_programs_is_marked_until_they_have_it() {
    let program = |label: &str| {
        format!(
            "!!NVfp5.0\nSUBROUTINETYPE Shade {{ {label} }};\nSUBROUTINE Shade shade = program.subroutine[0];\n\
             main: CALI shade; RET;\n{label} SUBROUTINENUM(0): MOV result.color, 1; RET;\nEND\n"
        )
    };
    let mut d = document(&program("dull"));
    load(&mut d);
    let chosen = format!("{}[subroutines]\n\"fragment.shade\" = \"glossy\"\n", d.scene_text().text());
    type_text(&mut d, Part::Scene, &chosen);
    assert_eq!(marks(&d), [(Part::Scene, "\"glossy\"".to_owned())]);
    // The mark moves with the text.
    type_text(&mut d, Part::Scene, &format!("# new\n{chosen}"));
    assert_eq!(marks(&d), [(Part::Scene, "\"glossy\"".to_owned())]);
    // A program that declares the label removes the mark. A program without it restores the mark.
    for (label, count) in [("glossy", 0), ("dull", 1)] {
        type_text(&mut d, Part::Program(Slot::Fragment), &program(label));
        load(&mut d);
        assert_eq!(marks(&d).len(), count, "{label}");
    }
    // A syntax error of the scene comes first, whatever is loaded meanwhile.
    type_text(&mut d, Part::Scene, "size = 3\n");
    load(&mut d);
    assert_eq!(marks(&d), [(Part::Scene, "size".to_owned())]);
    // A choice is written, undone and reset like any other setting.
    type_text(&mut d, Part::Scene, &chosen);
    let key = SubroutineKey::parse("fragment.shade").unwrap();
    d.edit_scene(&SceneEdit::Subroutine(key.clone(), SubroutineLabels::One("dull".to_owned()))).unwrap();
    assert_eq!(marks(&d), []);
    assert!(d.is_modified() && d.differs(&ResetSubject::Subroutine(key.clone())));
    assert!(d.undo() && marks(&d).len() == 1);
    d.reset(&ResetSubject::Subroutine(key)).unwrap();
    assert!(d.scene.subroutines.is_empty(), "{}", d.scene_text().text());
}

/// Unknown names in `[parameters]` are marked until a program declares them, and the fix corrects them.
#[test]
fn what_a_scene_sets_and_no_program_has_is_marked() {
    let program = "!!FP1.0\nDECLARE tint;\nMOV o[COLR], tint;\nEND\n";
    let mut d = document(program);
    load(&mut d);
    let set = format!("{}[parameters]\ntnit = [1]\n", d.scene_text().text());
    type_text(&mut d, Part::Scene, &set);
    assert_eq!(marks(&d), [(Part::Scene, "tnit".to_owned())]);
    let found = d.findings().next().map(|(_, found)| found.clone()).unwrap();
    assert_eq!((found.severity, found.code.name()), (Severity::Warning, "scene-unknown-parameter"));
    let fix = found.fix.unwrap();
    assert_eq!((fix.title.as_str(), fix.replacement.as_str()), ("replace with tint", "tint"));
    // A program that declares the name removes the mark. A program with errors leaves its names unknown.
    for (text, count) in
        [(program.replace("tint", "tnit"), 0), (program.to_owned(), 1), (program.replace("MOV", "MOVE"), 0)]
    {
        type_text(&mut d, Part::Program(Slot::Fragment), &text);
        load(&mut d);
        let marked = marks(&d).into_iter().filter(|(part, _)| *part == Part::Scene).count();
        assert_eq!(marked, count, "{text}");
    }
}

/// Warnings about two programs together appear and disappear with edits, and move with the text.
#[test]
fn what_programs_have_to_do_with_each_other_is_marked() {
    let toml = "[program]\nvertex = \"a.vp\"\nfragment = \"a.fp\"\n[geometry]\nmesh = \"sphere\"\n";
    let vertex = "!!VP1.1\nMOV o[HPOS], v[OPOS];\nEND\n";
    let folder = TestFolder::new("links");
    let fragment_text = "!!FP1.0\nMOV o[COLR], f[TEX3];\nEND\n";
    for (name, text) in [("scene.toml", toml), ("a.vp", vertex), ("a.fp", fragment_text)] {
        std::fs::write(folder.at(name), text).unwrap();
    }
    let mut d = Document::new(DocumentId(1), scene::load(&folder.0).unwrap());
    assert_eq!(marks(&d), []);
    load(&mut d);
    let fragment = Part::Program(Slot::Fragment);
    assert_eq!(marks(&d), [(fragment, "f[TEX3]".to_owned())]);
    type_text(&mut d, fragment, "!!FP1.0\n# More.\nMOV o[COLR], f[TEX3];\nEND\n");
    assert_eq!(marks(&d), [(fragment, "f[TEX3]".to_owned())]);
    load(&mut d);
    assert_eq!(marks(&d), [(fragment, "f[TEX3]".to_owned())]);
    // Edit the other program.
    let part = Part::Program(Slot::Vertex);
    type_text(&mut d, part, &vertex.replace("END", "MOV o[TEX3], v[TEX0];\nEND"));
    load(&mut d);
    assert_eq!(marks(&d), []);
    type_text(&mut d, part, &vertex.replace("END", "MOV o[TEX2], v[TEX0];\nEND"));
    load(&mut d);
    assert_eq!(marks(&d).len(), 1);
    // Edit the scene: nothing reads discarded outputs.
    type_text(&mut d, Part::Scene, &format!("{toml}[state]\nrasterizer_discard = true\n"));
    load(&mut d);
    assert_eq!(marks(&d), []);
    assert!(d.undo());
    load(&mut d);
    assert_eq!(marks(&d).len(), 1);
    // A program with errors is checked alone.
    type_text(&mut d, part, &vertex.replace("END", "MOV o[TEX9], v[TEX0];\nEND"));
    load(&mut d);
    assert_eq!(marks(&d), [(part, "TEX9".to_owned())]);
}

#[test]
fn variables_of_one_parameter_are_chosen_together() {
    let mut d = document(
        "!!NVfp5.0\nSUBROUTINETYPE T { a, b, c };\nSUBROUTINE T all[2] = { program.subroutine[1..2] };\n\
         SUBROUTINE T second = program.subroutine[2];\nSUBROUTINE T third = program.subroutine[2];\n\
         main: CALI all[1]; CALI second; CALI third; RET;\na SUBROUTINENUM(9): RET;\nb SUBROUTINENUM(2): RET;\nc SUBROUTINENUM(4): RET;\nEND\n",
    );
    let loaded = session::compile_all(&d.program_texts(), &session::Loaded::default());
    d.loaded(d.revision, &loaded);
    assert_eq!(d.findings().count(), 0, "{:?}", d.findings().next());
    let chosen = |d: &Document| -> Vec<(String, Vec<String>)> {
        d.callables().iter().map(|c| (c.key.name.clone(), c.chosen.all().to_vec())).collect()
    };
    let expected = |all: [&str; 2], single: &str| {
        [("all", all.to_vec()), ("second", vec![single]), ("third", vec![single])].map(|(name, labels)| {
            (name.to_owned(), labels.into_iter().map(str::to_owned).collect::<Vec<_>>())
        })
    };
    assert_eq!(chosen(&d), expected(["a", "a"], "a"));
    let key = |name: &str| SubroutineKey { slot: Slot::Fragment, name: name.to_owned() };
    d.choose_subroutine(&key("second"), 0, "c").unwrap();
    assert_eq!(chosen(&d), expected(["a", "c"], "c"));
    d.choose_subroutine(&key("all"), 1, "b").unwrap();
    d.choose_subroutine(&key("all"), 0, "c").unwrap();
    assert_eq!(chosen(&d), expected(["c", "b"], "b"));
    assert_eq!(d.findings().count(), 0);
    // A variable that the scene does not mention has no choice.
    assert_eq!(d.scene.subroutine_choice(&key("third")), None);
}

#[test]
fn samples_saved_elsewhere_are_the_same_pictures() {
    let place = TestFolder::new("samples");
    for sample in scene::bundled().iter().step_by(5) {
        let mut d = Document::new(DocumentId(1), sample.load().unwrap());
        assert!(matches!(d.save_way(), SaveWay::ChooseFolder(name) if name == sample.name));
        d.edit_scene(&SceneEdit::Size([48, 32])).unwrap();
        let (before, toml) = (picture(&d.scene, Some(&d)), d.scene_text().text.clone());
        let folder = place.at(sample.name);
        let save = d.save_in_folder(&folder);
        write(&mut d, &save);
        assert!(!d.is_modified() && !d.differs(&ResetSubject::Scene), "{}", sample.name);
        let opened = scene::load(&folder).unwrap();
        assert_eq!((opened.size, opened.toml.as_str()), ([48, 32], toml.as_str()));
        assert!(picture(&opened, None) == before, "{}", sample.name);
        assert!(picture(&d.scene, Some(&d)) == before, "{}", sample.name);
        assert_eq!(opened.readme.is_some(), d.scene.readme.is_some());
        // From here on the scene is on disk.
        d.edit_scene(&SceneEdit::Size([16, 16])).unwrap();
        let SaveWay::Write(save) = d.save_way() else { panic!("{} has its place", sample.name) };
        assert_eq!(
            save.files.iter().map(|file| &*file.path).collect::<Vec<_>>(),
            [folder.join("scene.toml")]
        );
        write(&mut d, &save);
        assert_eq!(scene::load(&folder).unwrap().size, [16, 16]);
    }
}

#[test]
fn files_chosen_elsewhere_are_copied_when_the_scene_is_saved() {
    let place = TestFolder::new("chosen");
    for (name, red) in [("one/picture.png", 255), ("two/picture.png", 0)] {
        std::fs::create_dir_all(place.at(name).parent().unwrap()).unwrap();
        image::RgbaImage::from_pixel(2, 2, image::Rgba([red, 9, 9, 255])).save(place.at(name)).unwrap();
    }
    std::fs::write(place.at("one/shape.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let text = "!!FP1.0\nTEX R0, f[TEX0], TEX0, 2D;\nTEX R1, f[TEX0], TEX1, 2D;\nMULR R0, R0, {0.5};\n\
        MADR o[COLR], R1, {0.25}, R0;\nEND\n";
    let mut d = document(text);
    for (unit, path) in [(0, "one/picture.png"), (1, "two/picture.png")] {
        let mut spec = d.texture_spec(unit, shadestep_engine::ir::TextureTarget::D2);
        spec.images = vec![ImageSource::File(d.choose_file(&place.at(path)))];
        let texture = scene::SceneTexture::load(&d.folder(), spec).unwrap();
        d.bind_texture(texture).unwrap();
    }
    let mesh = MeshSource::File(d.choose_file(&place.at("one/shape.obj")));
    d.draw_mesh(scene::SceneMesh::load(&d.folder(), mesh).unwrap()).unwrap();
    let names: Vec<_> = d.scene.textures.iter().map(|t| t.spec().images[0].to_string()).collect();
    assert_eq!(names, ["picture.png", "picture-2.png"], "two files of one name");
    assert_eq!(d.choose_file(&place.at("two/picture.png")), "picture-2.png", "one file has one name");
    let before = picture(&d.scene, Some(&d));
    let folder = place.at("saved");
    assert!(
        matches!(d.save_way(), SaveWay::ChooseFolder(name) if name == "test"),
        "no lone program any more"
    );
    let save = d.save_in_folder(&folder);
    write(&mut d, &save);
    let opened = scene::load(&folder).unwrap();
    assert!(picture(&opened, None) == before && picture(&d.scene, Some(&d)) == before);
    assert!(d.files().all(|file| file.starts_with(&folder)), "{:?}", d.files().collect::<Vec<_>>());
    // A file inside the folder keeps its name.
    assert_eq!(d.choose_file(&folder.join("picture.png")), "picture.png");
    let mut spec = d.texture_spec(0, shadestep_engine::ir::TextureTarget::D2);
    std::fs::copy(place.at("two/picture.png"), place.at("two/third.png")).unwrap();
    spec.images = vec![ImageSource::File(d.choose_file(&place.at("two/third.png")))];
    d.bind_texture(scene::SceneTexture::load(&d.folder(), spec).unwrap()).unwrap();
    let SaveWay::Write(save) = d.save_way() else { panic!("it has its place") };
    write(&mut d, &save);
    assert!(folder.join("third.png").exists());
    assert!(picture(&scene::load(&folder).unwrap(), None) == picture(&d.scene, Some(&d)));
}

#[cfg(unix)]
#[test]
fn a_link_that_a_person_chooses_is_followed() {
    let place = TestFolder::new("link");
    std::fs::create_dir_all(place.at("here")).unwrap();
    std::fs::write(place.at("a.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    std::os::unix::fs::symlink(place.at("a.obj"), place.at("here/link.obj")).unwrap();
    std::fs::write(place.at("here/p.fp"), FRAGMENT).unwrap();
    let path = place.at("here/p.fp");
    let mut d = Document::new(DocumentId(1), Scene::for_program("p.fp", Some(&path), FRAGMENT.as_bytes()));
    // The scene's text may not name this path, because it leads out of the folder.
    let name = d.choose_file(&place.at("here/link.obj"));
    assert!(scene::SceneMesh::load(&d.folder(), MeshSource::File(name)).is_ok());
}

#[test]
fn a_lone_program_is_one_file_until_its_scene_is_changed() {
    let place = TestFolder::new("alone");
    let mut d = Document::begun(DocumentId(1), NEW_PROGRAMS[0].scene(1).unwrap());
    assert!(d.is_modified(), "no file has it");
    assert!(matches!(d.save_way(), SaveWay::ChooseFile(name) if name == "untitled.fp"));
    let save = d.save_program(Slot::Fragment, place.at("mine.fp"));
    write(&mut d, &save);
    assert_eq!((d.name(), d.is_modified()), ("mine.fp".to_owned(), false));
    assert!(d.scene_text().text.contains("mine.fp"));
    assert!(matches!(d.save_way(), SaveWay::Write(_)));
    d.edit_scene(&SceneEdit::Size([40, 30])).unwrap();
    assert!(matches!(d.save_way(), SaveWay::ChooseFolder(_)));
    let save = d.save_in_folder(&place.at("scene"));
    write(&mut d, &save);
    assert_eq!(scene::load(&place.at("scene")).unwrap().size, [40, 30]);
    assert!(place.at("mine.fp").exists() && !d.has_file(&place.at("mine.fp")));
    d.undo();
    assert!(d.is_modified() && d.scene.size == [512, 512], "undoing goes on behind saving");
}

#[test]
fn scenes_begun_from_templates_are_unsaved_and_saved_whole() {
    let place = TestFolder::new("templates");
    for (n, template) in NEW_SCENES.iter().enumerate() {
        let mut d = Document::begun(DocumentId(1), template.scene(1).unwrap());
        assert!(d.is_modified() && d.texts().all(|(_, text)| text.is_modified()));
        let before = picture(&d.scene, Some(&d));
        let folder = place.at(&n.to_string());
        let save = d.save_in_folder(&folder);
        write(&mut d, &save);
        assert!(picture(&scene::load(&folder).unwrap(), None) == before, "{}", template.title);
    }
}

#[test]
fn programs_that_the_text_comes_to_name_are_opened_and_others_put_aside() {
    let place = TestFolder::new("programs");
    std::fs::write(place.at("scene.toml"), "[program]\nfragment = \"a.fp\"\n").unwrap();
    for name in ["a.fp", "b.fp"] {
        std::fs::write(place.at(name), format!("{FRAGMENT}# {name}\n")).unwrap();
    }
    let mut d = Document::new(DocumentId(1), scene::load(&place.0).unwrap());
    type_text(&mut d, Part::Program(Slot::Fragment), "mine");
    type_text(&mut d, Part::Scene, "[program]\nfragment = \"b.fp\"\n");
    assert!(d.is_reading() && d.programs().front().text == "mine", "the old scene stays until it is read");
    read_files(&mut d);
    assert!(d.programs().front().text.ends_with("# b.fp\n"));
    type_text(&mut d, Part::Scene, "[program]\nfragment = \"none.fp\"\n");
    read_files(&mut d);
    let found: Vec<String> = d.findings().map(|(_, finding)| finding.message.clone()).collect();
    assert!(found.len() == 1 && found[0].contains("none.fp: there is no such file"), "{found:?}");
    type_text(&mut d, Part::Scene, "[program]\nfragment = \"a.fp\"\n");
    assert!(!d.is_reading() && d.programs().front().text == "mine" && d.findings().count() == 0);
}

#[test]
fn what_others_write_is_taken_asked_about_and_undone() {
    let place = TestFolder::new("disk");
    std::fs::write(place.at("scene.toml"), "size = [8, 8]\n[program]\nfragment = \"a.fp\"\n").unwrap();
    std::fs::write(place.at("a.fp"), FRAGMENT).unwrap();
    let mut d = Document::new(DocumentId(1), scene::load(&place.0).unwrap());
    let toml = place.at("scene.toml");
    d.disk_changed(&toml, "size = [9, 9]\n[program]\nfragment = \"a.fp\"\n");
    assert!(d.scene.size == [9, 9] && !d.is_modified());
    d.undo();
    assert!(d.scene.size == [8, 8] && d.is_modified());
    d.disk_changed(&toml, "size = [10, 10]\n[program]\nfragment = \"a.fp\"\n");
    assert_eq!(d.scene.size, [8, 8], "changes here are not thrown away");
    let SaveWay::Write(save) = d.save_way() else { panic!("it has its place") };
    assert_eq!(d.overwritten_by(&save), [Part::Scene]);
    d.keep_texts();
    assert_eq!(d.overwritten_by(&save), []);
    assert!(matches!(d.own_folder(), Folder::Disk(folder) if Path::new(folder) == place.0));
}

#[test]
fn findings_of_an_earlier_text_are_moved_into_the_text_as_it_stands() {
    let text = "!!FP1.0\nMOVR R0, f[TEX0];\nFOO R1, R0;\nBAR R1, R0;\nMOVR o[COLR], R0;\nEND\n";
    let scene = Scene::for_program("test.fp", None, text.as_bytes());
    let mut d = Document::new(DocumentId(1), scene);
    let part = Part::Program(Slot::Fragment);
    let (revision, texts) = (d.revision, d.program_texts());
    let edit = |d: &mut Document, old: &str, new: &str| {
        let start = d.active().text().find(old).unwrap();
        let change = Change { start, removed: old.to_owned(), inserted: new.to_owned() };
        d.edit(part, change, Cause::Typed);
    };
    edit(&mut d, "MOVR R0", "# a comment\nMOVR R0");
    edit(&mut d, "BAR R1, R0;\n", "");
    let loaded = session::compile_all(&texts, &session::Loaded::default());
    d.loaded(revision, &loaded);
    assert!(!d.is_analysed());
    let marked = |d: &Document| {
        let spans = d.active().diagnostics().iter().map(|found| found.span());
        spans.map(|span| d.active().text()[span.start..span.end].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(marked(&d), ["FOO"], "what was deleted has no mark");
    edit(&mut d, "FOO", "MUL");
    let (newer, texts) = (d.revision, d.program_texts());
    let newer_loaded = session::compile_all(&texts, &loaded);
    d.loaded(newer, &newer_loaded);
    let known = marked(&d);
    // The result of an earlier request arrives late.
    d.loaded(revision, &loaded);
    assert!(d.is_analysed());
    assert_eq!(marked(&d), known);
}
