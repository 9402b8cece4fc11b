//! Turns drafts into documents.

use super::Part;
use super::breakpoint::{Breakpoints, DraftBreakpoint};
use super::draft::{Draft, Origin};
use super::text::text_of;
use crate::scene::{
    self, Folder, Known, MAX_TEXT_BYTES, ProgramFile, Reach, Scene, SceneEdit, SceneError, Slot, read_limited,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A restored text.
#[derive(Clone, Debug)]
pub struct RestoredText {
    pub part: Part,
    pub text: String,
    /// Byte offset of the caret.
    pub caret: usize,
    pub breakpoints: Breakpoints,
    /// The file's text now, if it differs from both the draft's text and the text before the changes.
    pub on_disk: Option<String>,
}

/// The parts of a restored document.
#[derive(Clone, Debug)]
pub struct Restored {
    /// The scene, with the programs of their files.
    pub scene: Box<Scene>,
    /// The scene before its unsaved changes, if it has any.
    pub base: Option<Box<Scene>>,
    /// Files from other folders, by their names in the scene.
    pub chosen: BTreeMap<String, PathBuf>,
    pub texts: Vec<RestoredText>,
    /// Watched expressions.
    pub watches: Vec<String>,
    pub front: Part,
    /// Messages for the user.
    pub notes: Vec<String>,
}

/// Opens the origin of `draft` with the draft's texts. This always succeeds: if the scene is gone, the texts
/// return in the default scene.
pub fn restore(draft: &Draft) -> Restored {
    let mut notes = Vec::new();
    let mut scene = scene_of(draft).unwrap_or_else(|error| {
        notes.push(format!(
            "The scene of “{}” could not be opened, so its programs are in the default scene: {error}",
            draft.title
        ));
        default_scene(draft)
    });
    let mut files = Vec::new();
    let mut texts = Vec::new();
    for program in &draft.programs {
        let path = program.path();
        let now = path.as_deref().map(read_text);
        if matches!(now, Some(None)) {
            notes.push(format!(
                "{} can no longer be read. Its text is here. Save to write the file again.",
                path.as_deref().unwrap_or(Path::new("")).display()
            ));
        }
        let now = now.flatten();
        let (text, begun_with) = match (&now, program.is_modified()) {
            (Some(now), true) if *now == program.text => (now, now.as_str()),
            (Some(now), false) => (now, now.as_str()),
            _ => (&program.text, program.saved()),
        };
        let on_disk = now.as_ref().filter(|now| **now != *text && *now != begun_with).cloned();
        let name = program.name.clone();
        files.push((program.slot, ProgramFile { name, path, text: begun_with.as_bytes().into() }));
        texts.push(RestoredText {
            part: Part::Program(program.slot),
            text: text.clone(),
            caret: program.caret,
            breakpoints: program.breakpoints.iter().map(DraftBreakpoint::get).collect(),
            on_disk,
        });
    }
    let chosen: BTreeMap<String, PathBuf> = draft
        .scene
        .iter()
        .flat_map(|scene| &scene.chosen)
        .map(|(name, path)| (name.clone(), path.to_path()))
        .collect();
    let base = draft.scene.as_ref().map(|kept| {
        let base = Box::new(scene.clone());
        let on_disk = Some(&base.toml).filter(|now| **now != kept.saved && **now != kept.text).cloned();
        texts.push(RestoredText {
            part: Part::Scene,
            text: kept.text.clone(),
            caret: kept.caret,
            breakpoints: Breakpoints::new(),
            on_disk: on_disk.filter(|_| base.file.is_some()),
        });
        if let Some(changed) = with_text(&scene, &kept.text, &chosen, &files) {
            scene = changed;
        }
        base
    });
    // Earlier versions kept added programs without the text of the scene.
    for (slot, file) in &files {
        if scene.programs.get(*slot).is_none()
            && let Ok(text) =
                scene::edited(&scene.toml, &scene, &SceneEdit::AddProgram(*slot, file.name.clone()))
            && let Some(added) = with_text(&scene, &text, &chosen, &files)
        {
            scene = added;
        }
    }
    let named = scene.programs.map(|slot, file| {
        let kept = files.iter().find(|(other, kept)| *other == slot && kept.name == file.name);
        kept.map_or_else(|| file.clone(), |(_, kept)| kept.clone())
    });
    scene.programs = named;
    let (front, watches) = (Part::Program(draft.front), draft.watches.clone());
    Restored { scene: Box::new(scene), base, chosen, texts, watches, front, notes }
}

/// Returns `scene` with `text` as its `scene.toml`. `None` if the text has errors.
fn with_text(
    scene: &Scene,
    text: &str,
    chosen: &BTreeMap<String, PathBuf>,
    files: &[(Slot, ProgramFile)],
) -> Option<Scene> {
    let own = scene.folder.clone();
    let folder = match chosen.is_empty() {
        true => own,
        false => Folder::With(Box::new(own), Arc::new(chosen.clone())),
    };
    let programs: Vec<ProgramFile> = files.iter().map(|(_, file)| file.clone()).collect();
    let scenes = [Arc::new(scene.clone())];
    let known = Known { scenes: &scenes, programs: &programs, ..Known::default() };
    scene::read(text, (&scene.name, scene.file.as_deref()), &folder, known, Reach::Files).ok()
}

fn scene_of(draft: &Draft) -> Result<Scene, SceneError> {
    match &draft.origin {
        Origin::Program => Ok(default_scene(draft)),
        Origin::Scene(path) => scene::load(&path.to_path()),
        Origin::Sample(name) => match scene::bundled_folder(name) {
            Some(name) => scene::load_bundled(name),
            None => Err(SceneError::new(name, "there is no longer a sample of that name")),
        },
    }
}

/// Returns the default scene for the program it was made for: the first with a file, or else the first.
fn default_scene(draft: &Draft) -> Scene {
    let programs = &draft.programs;
    let main = programs.iter().find(|program| program.path().is_some());
    let main = main.or_else(|| programs.iter().find(|program| matches!(program.slot, Slot::State(_))));
    match main.or(programs.first()) {
        Some(main) => {
            let path = main.path();
            let mut scene = Scene::for_program(&main.name, path.as_deref(), main.saved().as_bytes());
            scene.title.clone_from(&draft.title);
            scene
        }
        None => Scene::for_program(&draft.title, None, *b""),
    }
}

/// Returns the text of a file. `None` if the file is unreadable or not a text.
pub(crate) fn read_text(path: &Path) -> Option<String> {
    text_of(&read_limited(path, "", MAX_TEXT_BYTES).ok()?)
}

#[cfg(test)]
mod tests {
    use super::super::draft::StoredPath;
    use super::super::draft::tests::draft;
    use super::super::{Breakpoint, Document, DocumentId, Times};
    use super::*;
    use shadestep_engine::isa::Stage;

    const BEGUN: &str = "!!FP1.0\nMOV o[COLR], 1;\nEND\n";
    const TYPED: &str = "!!FP1.0\nMOV o[COLR], 0;\nEND\n";

    fn file(name: &str, text: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("shadestep-restore-{name}-{}.fp", std::process::id()));
        std::fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn texts_come_back_as_changes_and_files_stay() {
        let path = file("back", BEGUN);
        let document = |draft: &Draft| Document::restored(DocumentId(1), restore(draft));
        let d = document(&draft(Some(&path), BEGUN, TYPED));
        assert!(d.is_modified() && d.has_file(&path));
        assert_eq!((d.active().text.as_str(), d.active().saved(), d.active().caret), (TYPED, BEGUN, 3));
        assert_eq!(d.active().changed_on_disk, None);
        std::fs::write(&path, "theirs").unwrap();
        let d = document(&draft(Some(&path), BEGUN, TYPED));
        assert_eq!(d.active().changed_on_disk.as_deref(), Some("theirs"));
        assert_eq!((d.active().text.as_str(), d.active().saved()), (TYPED, BEGUN));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "theirs");
        std::fs::remove_file(&path).unwrap();
        let restored = restore(&draft(Some(&path), BEGUN, TYPED));
        assert_eq!(restored.notes.len(), 1, "{:?}", restored.notes);
        assert!(Document::restored(DocumentId(1), restored).is_modified());
    }

    #[test]
    fn programs_added_to_a_sample_come_back_in_it() {
        let sample = scene::bundled()[0];
        let mut before = Document::new(DocumentId(1), sample.load().unwrap());
        before.add_program(Stage::Vertex).unwrap();
        before.active_mut().text.push_str("# mine\n");
        before.watches = vec!["R0.xy".to_owned()];
        let breakpoint = Breakpoint { times: Times::Nth(3), ..Breakpoint::default() };
        before.active_mut().breakpoints.insert(4, breakpoint.clone());
        let restored = restore(&Draft::of(&before));
        assert!(restored.notes.is_empty());
        let after = Document::restored(DocumentId(2), restored);
        assert_eq!(after.scene.name, sample.name);
        assert_eq!(after.scene.tracks, scene::DEFAULT_TRACKS);
        assert_eq!(after.active_slot(), Slot::Vertex);
        assert_eq!(after.watches, ["R0.xy"]);
        assert_eq!(after.active().breakpoints, [(4, breakpoint)].into());
        let texts = |d: &Document| {
            d.programs().iter().map(|(slot, p)| (slot, p.text.clone(), p.is_modified())).collect::<Vec<_>>()
        };
        assert_eq!(texts(&after), texts(&before));
        assert_eq!(Draft::of(&after).fingerprint(), Draft::of(&before).fingerprint());
    }

    #[test]
    fn a_scene_that_is_gone_does_not_keep_its_programs() {
        let mut kept = draft(None, BEGUN, TYPED);
        for origin in [
            Origin::Sample("99-none".to_owned()),
            Origin::Scene(StoredPath::new(Path::new("/no/such/scene.toml"))),
        ] {
            kept.origin = origin;
            let restored = restore(&kept);
            assert_eq!(restored.notes.len(), 1);
            assert_eq!(Document::restored(DocumentId(1), restored).active().text, TYPED);
        }
    }

    #[test]
    fn carets_outside_the_text_or_within_a_letter_do_no_harm() {
        let mut kept = draft(None, "", "éa");
        for caret in [1, 99] {
            kept.programs[0].caret = caret;
            let d = Document::restored(DocumentId(1), restore(&kept));
            assert!(d.active().text.is_char_boundary(d.active().caret));
        }
    }
}
