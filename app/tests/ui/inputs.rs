//! Inputs that the user sets: parameters, registers, tracked matrices, clip distances, and textures.

use super::{CLIPPED, STEPS, Window, pixel, problems, window, with_program, with_vertex_program};
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::model::{Part, ResetSubject};
use shadestep::scene::{
    Component, ImageSource, LightingState, MatrixName, MatrixSource, MatrixTransform, ParameterKey,
    SceneEdit, TextureSpec, Track,
};
use shadestep::settings::Pane;
use shadestep::state::State;
use shadestep_engine::gl::{LightColor, Matrix};
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::texture::MinFilter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[test]
fn a_parameter_changes_the_picture() {
    let mut window = with_program(STEPS);
    let at = [200, 100];
    let before = pixel(&mut window, at);
    let key = ParameterKey::Named("tint".to_owned());
    let field = window.harness.get_by_label("tint.z slider");
    field.focus();
    window.harness.step();
    for _ in 0..8 {
        window.harness.key_press(Key::ArrowLeft);
        window.harness.step();
    }
    window.settle();
    assert!(
        window.state().document().expect("a program").differs(&ResetSubject::Parameter(key.clone())),
        "the slider moved"
    );
    window.act(Action::EditScene(SceneEdit::Parameter(
        key.clone(),
        [0.0, 0.5, 0.75, 0.5].map(Component::Constant),
    )));
    window.settle();
    let after = pixel(&mut window, at);
    assert_eq!(after[3], 0.5);
    assert_ne!(after, before);
    window.act(Action::Reset(ResetSubject::Parameter(key)));
    window.settle();
    assert_eq!(pixel(&mut window, at), before);
}

#[test]
fn a_parameter_that_no_program_has_is_a_problem_with_a_fix() {
    let mut window = with_program(STEPS);
    let text = window.state().document().expect("a program").scene_text().text().to_owned();
    window.act(Action::ShowText(Part::Scene));
    window.set_text(&format!("{text}[parameters]\ntnit = [0, 0, 0, 1]\n"));
    let found = problems(&window);
    assert!(found.len() == 1 && found[0].contains("no parameter \"tnit\""), "{found:?}");
    assert_ne!(pixel(&mut window, [200, 100])[1], 0.0);
    window.harness.get_by_label("Fix: replace with tint").click();
    window.harness.run_steps(3);
    window.settle();
    assert!(problems(&window).is_empty(), "{:?}", problems(&window));
    let text = window.state().document().expect("a program").scene_text().text().to_owned();
    assert!(text.ends_with("[parameters]\ntint = [0, 0, 0, 1]\n"), "{text}");
    assert_eq!(pixel(&mut window, [200, 100])[1], 0.0);
}

/// Returns the units and targets of the scene's textures.
fn bound(window: &mut Window) -> Vec<(u8, TextureTarget)> {
    let textures = &window.state().document().expect("a program").scene.textures;
    textures.iter().map(|texture| (texture.spec().unit, texture.spec().target)).collect()
}

#[test]
fn textures_can_be_added_and_removed() {
    let mut window = with_program("!!FP1.0\nTEX o[COLR], f[TEX0], TEX3, 2D;\nEND\n");
    window.act(Action::Show(Pane::Inputs));
    window.harness.run_steps(3);
    assert!(bound(&mut window).is_empty());
    assert!(window.harness.query_by_label_contains("Remove the").is_none(), "nothing is bound");
    window.harness.get_by_label("Add texture").click();
    window.harness.run_steps(3);
    window.harness.get_by_label_contains("TEX5").click();
    window.harness.run_steps(3);
    window.harness.get_by_label("CUBE").click();
    window.until("it is bound", |state| {
        state.document().is_some_and(|document| !document.scene.textures.is_empty())
    });
    window.settle();
    // The panel also lists a texture that no program reads.
    assert_eq!(bound(&mut window), [(5, TextureTarget::Cube)]);
    assert!(window.state().document().is_some_and(shadestep::model::Document::is_modified));
    window.harness.get_by_label("unused");
    for (unit, target) in [(3, TextureTarget::D2), (5, TextureTarget::D1), (0, TextureTarget::D3)] {
        let image = ImageSource::Builtin("checker".to_owned());
        window.act(Action::SetTexture(TextureSpec::new(unit, target, image)));
        window.until("it is bound", |state| {
            let textures = &state.document().expect("a program").scene.textures;
            textures.iter().any(|texture| (texture.spec().unit, texture.spec().target) == (unit, target))
        });
    }
    window.settle();
    let removed = "Remove CUBE texture of unit 5";
    window.harness.get_by_label(removed).scroll_to_me();
    window.harness.run_steps(3);
    window.harness.get_by_label(removed).click();
    window.settle();
    assert!(window.harness.query_by_label(removed).is_none());
    let mut left = bound(&mut window);
    left.sort_by_key(|(unit, _)| *unit);
    assert_eq!(left, [(0, TextureTarget::D3), (3, TextureTarget::D2), (5, TextureTarget::D1)]);
    window.run(Command::Undo);
    window.settle();
    assert_eq!(bound(&mut window).len(), 4, "it is a change like any other");
}

/// A file that the user drops on the window.
#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn an_image_let_go_of_over_the_window_becomes_a_texture_that_can_be_adjusted() {
    let folder = std::env::temp_dir().join(format!("shadestep-drop-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("blue.png");
    image::RgbaImage::from_pixel(2, 2, image::Rgba([0, 0, 255, 255])).save(&path).expect("an image");
    let mut window = with_program("!!FP1.0\nTEX o[COLR], f[TEX0], TEX3, 2D;\nEND\n");
    window.settle();
    let documents = window.state().documents.len();
    window.harness.input_mut().dropped_files.push(Arc::new(Dropped(path)));
    let images = |state: &State| {
        let textures = &state.document().expect("a program").scene.textures;
        textures.iter().map(|t| (t.spec().unit, t.spec().sampler.min_filter)).collect::<Vec<_>>()
    };
    window.until("it is a texture", |state| !images(state).is_empty());
    assert_eq!(images(window.state())[0].0, 3);
    assert_eq!(window.state().documents.len(), documents);
    // The image is outside the scene's folder. A change of the sampler must still find the image.
    let mut spec = window.state().document().expect("a program").scene.textures[0].spec().clone();
    assert_ne!(spec.sampler.min_filter, MinFilter::Nearest);
    spec.sampler.min_filter = MinFilter::Nearest;
    window.act(Action::SetTexture(spec));
    window.until("it is sampled otherwise", |state| images(state)[0].1 == MinFilter::Nearest);
    assert!(window.state().notices.is_empty());
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn a_register_set_by_hand_is_drawn_with_and_reset() {
    let mut window = with_vertex_program(CLIPPED);
    let (middle, key) = ([256, 256], ParameterKey::Register(20));
    assert_eq!(pixel(&mut window, middle), [0.0; 4], "c[20] is 0 until it is set");
    window.act(Action::EditScene(SceneEdit::Parameter(
        key.clone(),
        [0.25, 0.5, 0.75, 1.0].map(Component::Constant),
    )));
    window.settle();
    assert_eq!(pixel(&mut window, middle), [0.25, 0.5, 0.75, 1.0]);
    let shown = window.state().document().and_then(|d| d.shown.as_ref()).expect("a picture");
    assert_eq!(shown.inputs.registers[20], [0.25, 0.5, 0.75, 1.0]);
    assert!(shown.inputs.read[20] && !shown.inputs.read[21]);
    window.run(Command::ResetInputs);
    window.settle();
    assert_eq!(pixel(&mut window, middle), [0.0; 4]);
}

#[test]
fn tracks_are_changed_refused_and_reset() {
    let mut window = with_vertex_program(CLIPPED);
    window.act(Action::EditScene(SceneEdit::Parameter(
        ParameterKey::Register(20),
        [1.0; 4].map(Component::Constant),
    )));
    window.settle();
    let (middle, track) = ([256, 256], |register| Track {
        register,
        matrix: MatrixName::Projection,
        transform: MatrixTransform::Transpose,
    });
    assert_eq!(pixel(&mut window, middle), [1.0; 4]);
    // A register cannot be both set and tracked. A message says so.
    window.act(Action::EditScene(SceneEdit::Track(track(20))));
    window.act(Action::EditScene(SceneEdit::Parameter(
        ParameterKey::Register(0),
        [1.0; 4].map(Component::Constant),
    )));
    let notices: Vec<String> = window.state().notices.iter().map(|notice| notice.text.clone()).collect();
    assert!(notices[0].contains("sets c[20]") && notices[1].contains("c[0] tracks"), "{notices:?}");
    window.act(Action::Reset(ResetSubject::Parameter(ParameterKey::Register(20))));
    window.act(Action::EditScene(SceneEdit::Track(track(20))));
    window.settle();
    let shown = window.state().document().and_then(|d| d.shown.as_ref()).expect("a picture");
    let projection = shown.inputs.matrices.iter().find(|(name, _)| *name == MatrixName::Projection);
    let (_, rows) = projection.expect("it is always there");
    let columns: [[f32; 4]; 4] = std::array::from_fn(|c| std::array::from_fn(|r| rows.rows[r][c]));
    assert_eq!(shown.inputs.registers[20..24], columns);
    // The colour is the first column, clamped by the vertex stage.
    assert_eq!(pixel(&mut window, middle), columns[0].map(|x| x.clamp(0.0, 1.0)));
    // Without the modelview-projection matrix, all vertices have the same position.
    window.harness.get_by_label("Remove track of c[0]").scroll_to_me();
    window.harness.run_steps(20);
    window.harness.get_by_label("Remove track of c[0]").click();
    window.harness.run_steps(2);
    window.settle();
    let clear = window.state().document().expect("a program").scene.clear.color;
    assert_eq!(pixel(&mut window, middle), clear);
    window.harness.get_by_label("Reset tracks").scroll_to_me();
    window.harness.run_steps(20);
    window.harness.get_by_label("Reset tracks").click();
    window.harness.run_steps(2);
    window.settle();
    assert_eq!(pixel(&mut window, middle), [0.0; 4], "the model is there again, in c[20] as it was");
    assert!(!window.state().document().expect("a program").differs(&ResetSubject::Scene));
}

#[test]
fn a_tracking_matrix_is_set_and_reset() {
    let mut window = with_vertex_program(CLIPPED);
    let name = MatrixName::Tracking(3);
    window.act(Action::EditScene(SceneEdit::Track(Track {
        register: 20,
        matrix: name,
        transform: MatrixTransform::Identity,
    })));
    window.settle();
    let registers = |window: &mut Window| -> [[f32; 4]; 4] {
        let shown = window.state().document().and_then(|d| d.shown.as_ref()).expect("a picture");
        std::array::from_fn(|row| shown.inputs.registers[20 + row])
    };
    assert_eq!(registers(&mut window), Matrix::IDENTITY.rows);
    // The panel shows a tracked matrix with editable numbers.
    window.harness.get_by_label("MATRIX3 row 1 column 2").scroll_to_me();
    window.harness.run_steps(20);
    let matrix = Matrix::translation([0.25, 0.5, 0.75]);
    window.act(Action::EditScene(SceneEdit::Matrix(name, MatrixSource::Constant(matrix))));
    window.settle();
    assert_eq!(registers(&mut window), matrix.rows);
    window.harness.get_by_label("Reset MATRIX3").click();
    window.harness.run_steps(2);
    window.settle();
    assert_eq!(registers(&mut window), Matrix::IDENTITY.rows);
}

#[test]
fn what_subroutine_variables_call_is_chosen_from_lists() {
    let mut window = with_program(
        "!!NVfp5.0\nSUBROUTINETYPE Tone { dull, bright, loud };\nSUBROUTINE Tone tone = program.subroutine[3];\n\
         SUBROUTINE Tone half[2] = { program.subroutine[0..1] };\nTEMP t; INT TEMP n;\n\
         main: MUL t.x, fragment.texcoord[0].x, 2;\nTRUNC.S n.x, t.x;\nCALI half[n.x];\nMOV t.y, t.w;\nCALI tone;\n\
         MOV result.color, t.ywww;\nRET;\ndull SUBROUTINENUM(0): MOV t.w, 0.25; RET;\n\
         bright SUBROUTINENUM(1): MOV t.w, 0.5; RET;\nloud SUBROUTINENUM(2): MOV t.w, 1; RET;\nEND\n",
    );
    window.act(Action::Show(Pane::Inputs));
    window.harness.run_steps(3);
    let (left, right) = ([10, 10], [500, 10]);
    let both = |window: &mut Window| [left, right].map(|at| pixel(window, at)[..2].to_vec());
    assert_eq!(both(&mut window), [[0.25, 0.25], [0.25, 0.25]]);
    let choose = |window: &mut Window, list: &str, label: &str| {
        window.harness.get_by_label(list).click();
        window.harness.run_steps(3);
        window.harness.get_by_label(label).click();
        window.harness.run_steps(3);
        window.settle();
    };
    choose(&mut window, "fragment.half[1]", "bright");
    assert_eq!(both(&mut window), [[0.25, 0.25], [0.5, 0.25]]);
    choose(&mut window, "fragment.tone", "loud");
    assert_eq!(both(&mut window), [[0.25, 1.0], [0.5, 1.0]]);
    let document = window.state().document().expect("a program");
    let text = document.scene_text().text().to_owned();
    assert!(document.is_modified());
    assert!(
        text.contains("\"fragment.half\" = [\"dull\", \"bright\"]\n\"fragment.tone\" = \"loud\"\n"),
        "{text}"
    );
    window.run(Command::Undo);
    window.settle();
    assert_eq!(both(&mut window), [[0.25, 0.25], [0.5, 0.25]]);
    window.harness.get_by_label("Reset fragment.half").click();
    window.harness.run_steps(3);
    window.settle();
    assert_eq!(both(&mut window), [[0.25, 0.25], [0.25, 0.25]]);
    assert!(window.state().document().is_some_and(|d| d.scene.subroutines.is_empty()));
}

#[test]
fn parameters_of_typed_programs_can_be_made_integers() {
    let mut window = with_program(
        "!!NVfp4.0\nPARAM p = program.local[3];\nINT TEMP a;\nSEQ.S a, p, 5;\nAND.S a, a, 1;\nI2F result.color, a;\nEND\n",
    );
    window.act(Action::Show(Pane::Inputs));
    window.harness.run_steps(3);
    let key = ParameterKey::Numbered(3);
    let set = |window: &mut Window, value| {
        window.act(Action::EditScene(SceneEdit::Parameter(key.clone(), value)));
        window.settle();
    };
    set(&mut window, [5.0, 4.0, 0.0, 1.0].map(Component::Constant));
    assert_eq!(pixel(&mut window, [9, 9]), [0.0; 4], "the bits of 5.0 are not 5");
    window.harness.get_by_label("p[3] type").click();
    window.harness.run_steps(3);
    window.harness.get_by_label("Signed integers (int)").click();
    window.harness.run_steps(3);
    window.settle();
    assert_eq!(pixel(&mut window, [9, 9]), [1.0, 0.0, 0.0, 0.0]);
    window.harness.get_by_label("p[3].y").focus();
    window.harness.step();
    window.harness.key_press(Key::ArrowUp);
    window.harness.run_steps(3);
    window.settle();
    assert_eq!(pixel(&mut window, [9, 9]), [1.0, 1.0, 0.0, 0.0]);
    let document = window.state().document().expect("a program");
    let text = document.scene_text().text();
    assert!(text.contains("\"p[3]\" = { value = [5, 5, 0, 1], type = \"int\" }"), "{text}");
    window.run(Command::Undo);
    window.settle();
    assert_eq!(pixel(&mut window, [9, 9]), [1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn what_a_program_with_errors_reads_is_not_guessed() {
    let file = std::env::temp_dir().join(format!("shadestep-ui-errors-{}.fp", std::process::id()));
    std::fs::write(&file, "!!NVfp5.0\nMOV result.color, program.local[3], 1;\nEND\n").expect("a file");
    let mut window = window();
    window.act(Action::Open(file.clone()));
    window.until("it is open", |state| {
        state.document().is_some_and(|d| d.is_loaded() && d.active().text().starts_with("!!NVfp5.0"))
    });
    window.act(Action::Show(Pane::Inputs));
    window.harness.run_steps(3);
    assert_eq!(window.harness.query_all_by_label_contains("A program has errors").count(), 2);
    std::fs::remove_file(file).expect("it is there");
}

#[test]
fn clip_distances_cut_where_they_are_ticked() {
    let mut window = with_vertex_program(CLIPPED);
    let clear = window.state().document().expect("a program").scene.clear.color;
    let (left, right) = ([200, 256], [312, 256]);
    assert_eq!([pixel(&mut window, left), pixel(&mut window, right)], [[0.0; 4]; 2]);
    window.harness.get_by_label("CLP0").scroll_to_me();
    window.harness.run_steps(8);
    window.harness.get_by_label("CLP0").click();
    window.harness.run_steps(2);
    window.settle();
    assert_eq!([pixel(&mut window, left), pixel(&mut window, right)], [clear, [0.0; 4]]);
    window.harness.get_by_label("Reset clip distances").click();
    window.harness.run_steps(2);
    window.settle();
    assert_eq!(pixel(&mut window, left), [0.0; 4]);
}

#[test]
fn what_an_arb_program_binds_of_the_gl_can_be_set() {
    let text = "!!ARBfp1.0\nTEMP t;\nMOV t, state.material.diffuse;\nADD t.y, t, state.fog.params.x;\n\
                MUL result.color, t, state.light[2].diffuse;\nEND\n";
    let mut window = with_program(text);
    window.act(Action::Show(Pane::Inputs));
    window.harness.run_steps(3);
    // (0.8, 0.8 + 1, 0.8, 1). Every light except the first is black by default.
    assert_eq!(pixel(&mut window, [7, 7]), [0.0, 0.0, 0.0, 1.0]);
    for label in ["Front material", "Light 2", "Fog"] {
        window.harness.get_by_label(label);
    }
    let number = Component::Constant;
    let light = LightingState::Light(2, LightColor::Diffuse).with([0.5, 0.25, 1.0, 1.0].map(number));
    window.act(Action::EditScene(SceneEdit::Lighting(light)));
    window.settle();
    assert_eq!(pixel(&mut window, [7, 7]), [0.8 * 0.5, 1.8 * 0.25, 0.8, 1.0]);
    window.act(Action::EditScene(SceneEdit::Lighting(LightingState::FogDensity.with([number(3.0); 4]))));
    window.settle();
    assert_eq!(pixel(&mut window, [7, 7]), [0.8 * 0.5, 3.8 * 0.25, 0.8, 1.0]);
    window.harness.get_by_label("Reset fog density").scroll_to_me();
    window.harness.run_steps(20);
    window.harness.get_by_label("Reset fog density").click();
    window.settle();
    assert_eq!(pixel(&mut window, [7, 7]), [0.8 * 0.5, 1.8 * 0.25, 0.8, 1.0]);
}
