//! The app in a headless window: what a person does, and what must follow.

mod support;

use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shadestep::app::{Closing, Dialog, State};
use shadestep::command::{Action, Command, UnsavedAnswer};
use shadestep::debugger::DebugSession;
use shadestep::scene::{Component, MatrixName, MatrixTransform, ParameterKey, Slot, Track};
use shadestep::session::Agreement;
use shadestep::shell::Pane;
use shadestep::theme::ThemeChoice;
use shadestep::worker::Subject;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::Window;

const SIZE: [f32; 2] = [1280.0, 800.0];

const STEPS: &str = "!!FP1.0\nDECLARE tint = {0.25, 0.5, 0.75, 1};\nMOVR R0, f[TEX0];\nMULR R1, R0, tint;\nADDR R1.x, R1.x, R0.y;\nMOVR o[COLR], R1;\nEND\n";

fn window() -> Window {
    Window::open(SIZE, ThemeChoice::Dark)
}

fn with_program(text: &str) -> Window {
    let mut window = window();
    window.run(Command::New);
    window.settle();
    window.set_text(text);
    window
}

fn problems(window: &Window) -> Vec<String> {
    let nodes = window
        .harness
        .query_all_by(|node| node.label().is_some_and(|label| label.starts_with("Problem at ")));
    nodes.filter_map(|node| node.accesskit_node().label()).collect()
}

/// The exact colour of a pixel of the picture shown.
fn pixel(window: &mut Window, at: [u32; 2]) -> [f32; 4] {
    let document = window.state().document().expect("a program");
    document.shown.as_ref().expect("a picture").frame.pixel(at).expect("within the picture").color
}

#[test]
fn it_starts_with_a_lively_sample() {
    let mut window = window();
    let state = window.state();
    assert!(state.is_animated(), "the first sample moves");
    let document = state.document().expect("a program is open");
    assert_eq!(document.error_count(), 0);
    let shown = document.shown.as_ref().expect("its picture is there");
    let rgba = shown.frame.to_rgba8();
    let first = &rgba[..4];
    assert!(rgba.chunks_exact(4).any(|pixel| pixel != first), "the picture is not blank");
}

#[test]
fn time_moves_the_picture() {
    let mut window = window();
    let before = pixel(&mut window, [100, 100]);
    window.state().clock.time_secs = 1.0;
    window.run(Command::StepTime);
    window.settle();
    assert_ne!(pixel(&mut window, [100, 100]), before);
    window.run(Command::ResetTime);
    window.settle();
    assert_eq!(pixel(&mut window, [100, 100]), before, "time 0 looks as it did");
}

#[test]
fn typing_an_error_marks_it_and_mending_it_clears_the_mark() {
    let mut window = with_program(STEPS);
    assert!(problems(&window).is_empty());
    let shown = window.state().document().expect("a program").shown.as_ref().expect("a picture").revision;
    // Typed with the keyboard, at the start of the third line.
    let offset = STEPS.find("MOVR").expect("there is one");
    window.act(Action::Jump(shadestep_engine::source::Span::at(offset)));
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Text("Q".to_owned()));
    window.harness.step();
    window.settle();
    let found = problems(&window);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("line 3, column 1") && found[0].contains("QMOVR"), "{found:?}");
    let document = window.state().document().expect("a program");
    let span = document.active().diagnostics()[0].span();
    assert_eq!(&document.active().text[span.start..span.end], "QMOVR");
    let kept = document.shown.as_ref().expect("the last good picture stays").revision;
    assert_eq!(kept, shown);
    assert!(window.harness.query_by_label("Go to it").is_some(), "the picture says that it is an old one");
    window.harness.key_press(Key::Backspace);
    window.harness.step();
    window.settle();
    assert!(problems(&window).is_empty());
    assert_eq!(window.state().document().expect("a program").active().text, STEPS);
    assert!(window.harness.query_by_label("Go to it").is_none());
}

#[test]
fn a_problem_jumps_to_its_place() {
    let mut window = with_program("!!FP1.0\nMOV o[COLR], f[TEX0];\nADD R0, nothing, nothing;\nEND\n");
    let label = problems(&window).into_iter().next().expect("a problem");
    window.harness.get_by_label(&label).click();
    window.harness.run_steps(3);
    let document = window.state().document().expect("a program");
    assert_eq!(document.lines().line_column(document.active().caret).line, 3);
}

#[test]
fn undo_and_redo_work_from_keys_and_menus() {
    let mut window = with_program(STEPS);
    window.act(Action::Jump(shadestep_engine::source::Span::at(STEPS.len())));
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Text("# note".to_owned()));
    // The history takes a moment of stillness as the end of a change.
    window.harness.run_steps(90);
    assert!(window.state().document().expect("a program").active().text.ends_with("# note"));
    window.run(Command::Undo);
    window.settle();
    assert!(!window.state().document().expect("a program").active().text.ends_with("# note"));
    window.run(Command::Redo);
    window.settle();
    assert!(window.state().document().expect("a program").active().text.ends_with("# note"));
}

#[test]
fn a_clicked_pixel_can_be_stepped_both_ways() {
    let mut window = with_program(STEPS);
    let picture = window.harness.get_by_label("Rendered picture").rect();
    window.harness.get_by_label("Rendered picture").click();
    window.until("the pixel is recorded", |state| state.debug.is_some());
    let state = window.state();
    assert!(state.settings.layout.is_shown(Pane::Debugger));
    let session = state.debug.as_ref().expect("recorded");
    assert!(picture.width() > 50.0);
    let pixel = session.pixel().expect("a pixel");
    assert!(pixel.iter().all(|c| (254..=257).contains(c)), "{pixel:?} is not the middle of the picture");
    assert_eq!((session.position(), session.len()), (0, 4));
    assert_eq!(session.agreement(), Some(Agreement::Same));
    assert_eq!(session.current_line(), Some(2));
    let initial = session.state().expect("a state").clone();
    for key in [Key::F11, Key::F11, Key::F10] {
        window.harness.key_press(key);
        window.harness.step();
    }
    let session = window.state().debug.as_ref().expect("still there");
    assert_eq!((session.position(), session.current_line()), (3, Some(5)));
    // Worked by hand from s = (x + 0.5) / 512, t alike: R1.x = s * 0.25 + t.
    let r1 = session.state().expect("a state").temporaries[1].map(f32::from_bits);
    let [s, t] = pixel.map(|c| (c as f32 + 0.5) / 512.0);
    assert_eq!(r1, [s * 0.25 + t, t * 0.5, 0.0, 1.0]);
    for _ in 0..3 {
        window.harness.key_press_modifiers(Modifiers::SHIFT, Key::F11);
        window.harness.step();
    }
    let session = window.state().debug.as_ref().expect("still there");
    assert_eq!(session.position(), 0);
    assert_eq!(session.state(), Some(&initial), "back at the start, everything is as it was");
}

#[test]
fn the_stepped_result_is_the_stored_pixel() {
    let mut window = with_program(STEPS);
    window.act(Action::PickPixel([17, 401]));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    window.run(Command::ToEnd);
    let stored = pixel(&mut window, [17, 401]).map(f32::to_bits);
    let session = window.state().debug.as_ref().expect("recorded");
    assert_eq!(session.position(), session.len());
    assert_eq!(session.recording().expect("a fragment").color, stored);
    assert!(window.state().debug.as_ref().is_some_and(|s| s.current_step().is_none()));
}

#[test]
fn runs_stop_at_breakpoints_in_both_directions() {
    let mut window = with_program(STEPS);
    window.act(Action::PickPixel([3, 3]));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    // F9 at the caret, and a click into the gutter beside line 5.
    let offset = STEPS.find("MULR").expect("there is one");
    window.act(Action::Jump(shadestep_engine::source::Span::at(offset)));
    window.harness.run_steps(2);
    window.harness.key_press(Key::F9);
    window.harness.run_steps(2);
    let id = window.state().document().expect("a program").text_id();
    window.act(Action::ToggleBreakpoint(id, 5));
    assert_eq!(window.state().document().expect("a program").active().breakpoints, [3, 5].into());
    let mut lines = Vec::new();
    for command in [
        Command::NextBreakpoint,
        Command::NextBreakpoint,
        Command::NextBreakpoint,
        Command::PreviousBreakpoint,
        Command::PreviousBreakpoint,
        Command::PreviousBreakpoint,
    ] {
        window.run(command);
        lines.push(window.state().debug.as_ref().expect("recorded").current_line());
    }
    assert_eq!(lines, [Some(3), Some(5), None, Some(5), Some(3), Some(2)]);
    window.run(Command::ToggleBreakpoint);
    assert_eq!(window.state().document().expect("a program").active().breakpoints, [5].into());
    window.run(Command::ToCursor);
    assert_eq!(window.state().debug.as_ref().expect("recorded").current_line(), Some(3));
}

#[test]
fn the_gutter_sets_breakpoints() {
    let mut window = with_program(STEPS);
    let gutter = window.harness.get_by_label("Breakpoint gutter").rect();
    let line = egui::pos2(gutter.left() + 12.0, gutter.top() + 6.0 + 20.0 * 3.5);
    for expected in [vec![3], vec![]] {
        window.harness.hover_at(line);
        window.harness.step();
        window.harness.drag_at(line);
        window.harness.drop_at(line);
        window.harness.run_steps(2);
        let breakpoints = &window.state().document().expect("a program").active().breakpoints;
        assert_eq!(breakpoints.iter().copied().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn every_sample_opens_without_problems() {
    let mut window = window();
    for sample in shadestep::scene::bundled() {
        window.act(Action::OpenSample(sample.name));
        window.until("the sample is open", |state| {
            state.document().is_some_and(|document| document.scene.name == sample.name)
        });
        window.settle();
        let document = window.state().document().expect("a program");
        assert_eq!(document.error_count(), 0, "{}", sample.name);
        assert_eq!(document.render_error, None, "{}", sample.name);
        assert!(window.state().notices.is_empty(), "{}", sample.name);
    }
    assert_eq!(window.state().documents.len(), 1, "an untouched sample gives way to the next");
}

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
    assert!(window.state().document().expect("a program").overrides.contains_key(&key), "the slider moved");
    window.act(Action::SetParameter(key.clone(), [0.0, 0.5, 0.75, 0.5].map(Component::Constant)));
    window.settle();
    let after = pixel(&mut window, at);
    assert_eq!(after[3], 0.5);
    assert_ne!(after, before);
    window.act(Action::ResetParameter(key));
    window.settle();
    assert_eq!(pixel(&mut window, at), before);
}

#[test]
fn the_pixel_is_recorded_anew_when_the_program_changes() {
    let mut window = with_program(STEPS);
    window.act(Action::PickPixel([3, 3]));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    window.run(Command::StepForward);
    window.set_text(&STEPS.replace("MULR R1, R0, tint;", "MULR R1, R0, tint;\nMOVR R2, R1;"));
    window.until("there is a step more", |state| state.debug.as_ref().is_some_and(|s| s.len() == 5));
    assert_eq!(window.state().debug.as_ref().expect("recorded").position(), 1);
}

#[test]
fn unsaved_changes_are_asked_about() {
    let mut window = with_program(STEPS);
    let id = window.state().document().expect("a program").id;
    window.run(Command::CloseTab);
    window.harness.run_steps(2);
    assert_eq!(window.state().dialog, Some(Dialog::Unsaved(Closing::Tab(id))));
    window.harness.get_by_label("Cancel").click();
    window.harness.run_steps(2);
    assert_eq!(window.state().dialog, None);
    assert!(window.state().documents.iter().any(|document| document.id == id));
    window.run(Command::CloseTab);
    window.act(Action::Unsaved(UnsavedAnswer::Discard));
    window.harness.run_steps(2);
    assert!(!window.state().documents.iter().any(|document| document.id == id));
}

#[test]
fn files_are_saved_and_read_again_when_another_program_writes_them() {
    let folder = std::env::temp_dir().join(format!("shadestep-ui-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("watched.fp");
    std::fs::write(&path, STEPS).expect("a file");
    let mut window = window();
    window.act(Action::Open(path.clone()));
    window.until("it is open", |state| state.document().is_some_and(|d| d.has_file(&path)));
    window.settle();
    window.set_text(&STEPS.replace("0.25", "0.125"));
    assert!(window.state().document().expect("a program").is_modified());
    window.run(Command::Save);
    window.until("it is saved", |state| !state.document().expect("a program").is_modified());
    assert!(std::fs::read_to_string(&path).expect("the file").contains("0.125"));
    std::fs::write(&path, STEPS.replace("0.25", "0.5")).expect("another program writes");
    window.until("the new text is here", |state| {
        state.document().expect("a program").active().text.contains("{0.5, 0.5")
    });
    window.settle();
    assert_eq!(window.state().settings.recent.first(), Some(&path));
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn a_missing_file_is_an_error_message_and_the_session_goes_on() {
    let mut window = window();
    window.act(Action::Open("no/such/folder/scene.toml".into()));
    window.until("there is a notice", |state| !state.notices.is_empty());
    assert!(window.state().document().is_some());
    window.harness.run_steps(2);
    window.harness.get_by_label("Put this notice away").click();
    window.harness.run_steps(2);
    assert!(window.state().notices.is_empty());
}

/// A file that is let go of over the window.
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
        textures.iter().map(|t| (t.spec().unit, t.spec().min_filter.clone())).collect::<Vec<_>>()
    };
    window.until("it is a texture", |state| !images(state).is_empty());
    assert_eq!(images(window.state())[0].0, 3);
    assert_eq!(window.state().documents.len(), documents);
    // The image is not in the scene's folder; changing how it is sampled has to find it all the same.
    let mut spec = window.state().document().expect("a program").scene.textures[0].spec().clone();
    assert_ne!(spec.min_filter, "NEAREST");
    spec.min_filter = "NEAREST".to_owned();
    window.act(Action::SetTexture(spec));
    window.until("it is sampled otherwise", |state| images(state)[0].1 == "NEAREST");
    assert!(window.state().notices.is_empty());
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn find_and_replace() {
    let mut window = with_program(STEPS);
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::H);
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Replace by").is_some());
    window.act(Action::SetQuery("tint".to_owned()));
    window.act(Action::SetReplacement("shade".to_owned()));
    window.harness.run_steps(2);
    window.harness.get_by_label("Replace all").click();
    window.harness.step();
    window.settle();
    let document = window.state().document().expect("a program");
    assert_eq!(document.active().text, STEPS.replace("tint", "shade"));
    assert_eq!(document.error_count(), 0);
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Replace by").is_none());
}

#[test]
fn the_palette_runs_commands() {
    let mut window = window();
    window.harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::P);
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Text("light and dark".to_owned()));
    window.harness.run_steps(2);
    window.harness.key_press(Key::Enter);
    window.harness.run_steps(3);
    assert_eq!(window.state().settings.theme, ThemeChoice::Light);
    assert!(window.state().palette.is_none());
}

#[test]
fn every_panel_draws_at_any_size() {
    for size in [[320.0, 200.0], [720.0, 480.0], [3840.0, 2160.0]] {
        let mut window = Window::open(size, ThemeChoice::Light);
        window.act(Action::PickPixel([100, 100]));
        window.until("the pixel is recorded", |state| state.debug.is_some());
        for pane in Pane::ALL {
            window.act(Action::Show(pane));
            window.harness.run_steps(2);
        }
        window.run(Command::Replace);
        window.run(Command::About);
        window.harness.run_steps(2);
        window.act(Action::CloseAbout);
        window.run(Command::CommandPalette);
        window.harness.run_steps(2);
        window.set_text("!!FP1.0\nBAD\n");
        window.act(Action::Show(Pane::Problems));
        window.harness.run_steps(2);
    }
}

#[test]
fn odd_programs_do_not_upset_the_editor() {
    let mut window = window();
    window.harness.ctx.set_missing_glyph_policy(egui::MissingGlyphPolicy::Tofu);
    for text in [
        "",
        "\n",
        "!!FP1.0",
        "\u{1F600} é ü",
        "a\0b",
        "!!FP1.0\r\nMOV o[COLR], f[TEX0];\r\nEND",
        "\t\t\n\tEND",
    ] {
        window.set_text(text);
        window.act(Action::Show(Pane::Problems));
        window.harness.run_steps(2);
    }
    let large = format!("!!FP1.0\n{}END\n", "# a line of a large program\n".repeat(30_000));
    window.set_text(&large);
    assert!(window.harness.query_by_label("Program text").is_none(), "too large to edit, and said so");
}

/// A folder with a scene of a vertex and a fragment program.
fn scene_folder(name: &str, vertex: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("shadestep-ui-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let scene = "title = \"Both\"\n[program]\nvertex = \"main.vp\"\nfragment = \"main.fp\"\n";
    for (file, text) in [("scene.toml", scene), ("main.vp", vertex), ("main.fp", STEPS)] {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    folder
}

fn open_scene(window: &mut Window, folder: &Path) {
    window.act(Action::Open(folder.join("scene.toml")));
    window.until("it is open", |state| state.document().is_some_and(|d| d.scene.title == "Both"));
    window.settle();
}

/// Draws one triangle with a subroutine, a branch and a relative reference, over a matrix of its own.
const CALLS: &str = "!!VP2.0\nMOV o[HPOS], v[OPOS];\nCAL shade;\nARLC A0.x, v[OPOS].x;\nBRA done (LT.x);\nMOV o[COL0].xy, c[A0.x + 4];\ndone:\nMOV o[COL0].z, c[5].x;\nRET;\nshade:\nMOV R0, v[OPOS];\nMOV o[TEX0], R0;\nRET;\nEND\n";

/// A scene with a mesh that [`CALLS`] puts on the screen as it is, opened.
fn open_calls(name: &str) -> (Window, PathBuf) {
    let folder = scene_folder(name, CALLS);
    let scene = "title = \"Both\"\nsize = [256, 256]\n[program]\nvertex = \"main.vp\"\nfragment = \"main.fp\"\n[geometry]\nmesh = \"corner.obj\"\n";
    std::fs::write(folder.join("scene.toml"), scene).expect("a file");
    let mesh = "v -0.5 -0.5 0\nv 0.5 -0.5 0\nv 0 0.5 0\nf 1 2 3\n";
    std::fs::write(folder.join("corner.obj"), mesh).expect("a file");
    let mut window = window();
    open_scene(&mut window, &folder);
    (window, folder)
}

fn stepped(window: &mut Window) -> &DebugSession {
    window.state().debug.as_ref().expect("something is stepped through")
}

fn pick_vertex(window: &mut Window, element: u32) {
    window.act(Action::PickVertex(element));
    window.until("the vertex is recorded", |state| {
        state.debug.as_ref().is_some_and(|s| s.subject() == Subject::Vertex(element))
    });
    window.harness.run_steps(2);
}

fn shows(window: &Window, words: &str) -> bool {
    window
        .harness
        .query_all_by(|node| {
            let has = |text: Option<String>| text.is_some_and(|text| text.contains(words));
            has(node.label()) || has(node.value())
        })
        .next()
        .is_some()
}

#[test]
fn a_vertex_is_stepped_both_ways_with_its_calls_and_branches() {
    let (mut window, folder) = open_calls("calls");
    // The second vertex, (0.5, -0.5): ARL gives 0, which is not less than 0.
    pick_vertex(&mut window, 1);
    assert_eq!(front(&mut window), Slot::Vertex, "the tab of its program comes to the front");
    assert_eq!(stepped(&mut window).len(), 10);
    let start = stepped(&mut window).state().expect("a state").clone();
    let mut lines = Vec::new();
    for _ in 0..10 {
        let session = stepped(&mut window);
        lines.push((session.current_line().expect("a line") + 1, session.call_depth()));
        window.harness.key_press(Key::F11);
        window.harness.step();
    }
    // By the text: MOV, CAL, into shade and back, ARLC, BRA falls through, MOV, MOV, RET.
    let expected = [(2, 0), (3, 0), (11, 1), (12, 1), (13, 1), (4, 0), (5, 0), (6, 0), (8, 0), (9, 0)];
    assert_eq!(lines, expected);
    window.run(Command::ToStart);
    assert_eq!(stepped(&mut window).state(), Some(&start));
    // Over the call, into it, and out of it again.
    window.run(Command::StepForward);
    window.run(Command::StepOver);
    assert_eq!(stepped(&mut window).current_line(), Some(3));
    window.run(Command::StepOverBack);
    window.run(Command::StepForward);
    window.harness.run_steps(2);
    assert!(shows(&window, "1  shade, returns to line 4"), "the call stack names the subroutine");
    window.run(Command::StepOut);
    assert_eq!((stepped(&mut window).current_line(), stepped(&mut window).call_depth()), (Some(3), 0));
    window.run(Command::StepForward);
    window.harness.run_steps(2);
    assert!(shows(&window, "Not taken"), "0 is not less than 0");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_branch_that_is_taken_and_results_that_stay_unwritten_are_said() {
    let (mut window, folder) = open_calls("taken");
    // The first vertex, (-0.5, -0.5): ARL gives -1.
    pick_vertex(&mut window, 0);
    while stepped(&mut window).current_line() != Some(4) {
        window.run(Command::StepForward);
    }
    window.harness.run_steps(2);
    assert!(shows(&window, "Taken: to done, line 8"));
    window.run(Command::ToEnd);
    window.harness.run_steps(2);
    assert!(shows(&window, "Unwritten: o[COL0].xyw"), "only z was written on that way");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn from_a_fragment_to_its_vertices_and_back() {
    let (mut window, folder) = open_calls("corners");
    window.act(Action::PickPixel([128, 100]));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    window.run(Command::StepForward);
    window.run(Command::StepForward);
    window.harness.run_steps(2);
    assert_eq!(stepped(&mut window).fragment().expect("the triangle").elements, [0, 1, 2]);
    window.harness.get_by_label("Vertex 2").click();
    window.until("the vertex is recorded", |s| s.debug.as_ref().is_some_and(|d| d.vertex().is_some()));
    window.harness.run_steps(2);
    assert_eq!(stepped(&mut window).subject(), Subject::Vertex(2));
    window.harness.get_by_label("Back to the fragment").click();
    window.until("the fragment is there", |s| s.debug.as_ref().is_some_and(|d| d.pixel().is_some()));
    let session = stepped(&mut window);
    assert_eq!((session.subject(), session.position()), (Subject::Pixel([128, 100]), 2));
    assert_eq!(front(&mut window), Slot::Fragment);
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_vertex_is_picked_from_the_picture_and_from_the_table() {
    let (mut window, folder) = open_calls("picking");
    window.run(Command::PickVertices);
    window.act(Action::Show(Pane::Vertices));
    let id = window.state().document().expect("a scene").id;
    window.until("the vertices are there", |state| {
        state.vertices.list(id).is_some() && state.vertices.values(2).is_some()
    });
    window.harness.run_steps(2);
    // (0.5, -0.5) of 256 pixels is at 192, 64.
    let list = Arc::clone(window.state().vertices.list(id).expect("the list"));
    assert_eq!(list.get(1).and_then(|v| v.window).map(|[x, y, _]| [x, y]), Some([192.0, 64.0]));
    let values = window.state().vertices.values(2).expect("values").clone();
    assert_eq!(values.attributes[0], [0.0, 0.5, 0.0, 1.0]);
    window.harness.get_by_label("Row of vertex 2").click();
    window.until("it is recorded", |s| s.debug.as_ref().is_some_and(|d| d.subject() == Subject::Vertex(2)));
    let picture = window.harness.get_by_label("Rendered picture").rect();
    let side = picture.width().min(picture.height());
    // A little off the lower right corner of the triangle.
    let place = picture.center() + egui::vec2(0.2, 0.2) * side;
    window.harness.hover_at(place);
    window.harness.step();
    window.harness.drag_at(place);
    window.harness.drop_at(place);
    window.until("it is recorded", |s| s.debug.as_ref().is_some_and(|d| d.subject() == Subject::Vertex(1)));
    let _ = std::fs::remove_dir_all(folder);
}

/// The program in front.
fn front(window: &mut Window) -> Slot {
    window.state().document().expect("a program").active_slot()
}

#[test]
fn every_program_of_a_scene_has_a_tab_a_text_and_a_history() {
    let mut window = with_program(STEPS);
    assert!(window.harness.query_by_label("Vertex program").is_none());
    window.run(Command::AddVertexProgram);
    window.settle();
    assert_eq!(front(&mut window), Slot::Vertex);
    let added = window.state().document().expect("a program").active().text.clone();
    assert!(added.starts_with("!!VP"), "{added}");
    assert!(!Command::AddVertexProgram.enabled(window.state()), "there is one already");
    window.act(Action::Jump(shadestep_engine::source::Span::at(0)));
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Text("# ".to_owned()));
    window.harness.run_steps(90);
    let id = window.state().document().expect("a program").text_id();
    window.act(Action::ToggleBreakpoint(id, 3));
    window.harness.get_by_label("Fragment program").click();
    window.harness.run_steps(3);
    let document = window.state().document().expect("a program");
    assert_eq!((document.active_slot(), document.active().text.as_str()), (Slot::Fragment, STEPS));
    assert!(document.active().breakpoints.is_empty());
    assert_eq!(document.program_text(Slot::Vertex).expect("added").text, format!("# {added}"));
    window.run(Command::Undo);
    window.harness.run_steps(2);
    assert_eq!(front(&mut window), Slot::Fragment);
    let typed =
        &window.state().document().expect("a program").program_text(Slot::Vertex).expect("added").text;
    assert!(typed.starts_with("# "), "the history of the fragment program has nothing to do with it");
    window.run(Command::NextProgram);
    assert_eq!(front(&mut window), Slot::Vertex, "after the last comes the first");
    window.harness.run_steps(2);
    window.run(Command::Undo);
    window.settle();
    assert_eq!(window.state().document().expect("a program").active().text, added);
}

#[test]
fn problems_of_every_program_are_listed_and_jumped_to() {
    let folder = scene_folder("problems", "!!FP1.0\nMOV o[COLR], f[TEX0];\nEND\n");
    let mut window = window();
    open_scene(&mut window, &folder);
    assert_eq!(front(&mut window), Slot::Fragment);
    window.set_text("!!FP1.0\nMOV o[COLR], nothing;\nEND\n");
    let found = problems(&window);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("line 1, column 1 of the vertex program"), "{found:?}");
    assert!(found[1].contains("line 2, column 14 of the fragment program"), "{found:?}");
    window.harness.get_by_label(&found[0]).click();
    window.harness.run_steps(3);
    assert_eq!(front(&mut window), Slot::Vertex);
    window.run(Command::NextProblem);
    window.harness.run_steps(3);
    assert_eq!(front(&mut window), Slot::Fragment);
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn a_program_added_to_a_scene_draws_at_once_or_says_why_not() {
    let mut window = with_program(STEPS);
    window.run(Command::AddFragmentProgram);
    assert_eq!(window.state().document().expect("a program").programs().len(), 1, "there is one already");
    window.run(Command::AddVertexProgram);
    window.settle();
    let document = window.state().document().expect("a program");
    assert_eq!((document.error_count(), &document.render_error), (0, &None));
    let shown = document.shown.as_ref().expect("a picture");
    assert_eq!(shown.frame.stats.vertices, 4, "the corners of the viewport go through the vertex program");
    window.run(Command::AddStateProgram);
    window.settle();
    // The modelview-projection matrix is tracked there (NV_vertex_program2 2.14.7).
    window.set_text("!!VSP1.0\nMOV R0, v[0];\nMOV c[0], R0;\nEND\n");
    let document = window.state().document().expect("a program");
    let error = document.render_error.as_ref().expect("the person is told why").to_string();
    assert!(error.contains("c[0]") && error.contains("tracks a matrix"), "{error}");
    assert!(document.shown.is_some(), "the last picture stays");
}

#[test]
fn each_program_is_saved_to_its_own_file() {
    let folder = scene_folder("save", STEPS);
    let mut window = window();
    open_scene(&mut window, &folder);
    window.set_text(&STEPS.replace("0.25", "0.125"));
    window.act(Action::ShowProgram(Slot::Vertex));
    window.set_text(&STEPS.replace("0.25", "0.375"));
    window.run(Command::Save);
    window.until("the one in front is saved", |state| {
        !state.document().expect("a program").active().is_modified()
    });
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("the file");
    assert!(read("main.vp").contains("0.375"));
    assert_eq!(read("main.fp"), STEPS, "the other one is not");
    assert!(window.state().document().expect("a program").is_modified());
    let id = window.state().document().expect("a program").id;
    window.run(Command::CloseTab);
    window.harness.run_steps(2);
    assert_eq!(window.state().dialog, Some(Dialog::Unsaved(Closing::Tab(id))));
    assert!(window.harness.query_by_label_contains("Both (main.fp)").is_some(), "it names the file");
    window.act(Action::Unsaved(UnsavedAnswer::Save));
    window.until("it is closed", |state| !state.documents.iter().any(|document| document.id == id));
    assert!(read("main.fp").contains("0.125"));
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn programs_are_read_again_when_their_files_or_the_scene_change() {
    let folder = scene_folder("watch", STEPS);
    let mut window = window();
    open_scene(&mut window, &folder);
    std::fs::write(folder.join("main.vp"), STEPS.replace("0.25", "0.5")).expect("another program writes");
    window.until("the new text is here", |state| {
        let text = state.document().expect("a program").program_text(Slot::Vertex);
        text.is_some_and(|text| text.text.contains("{0.5, 0.5"))
    });
    std::fs::write(folder.join("scene.toml"), "title = \"Both\"\n[program]\nfragment = \"main.fp\"\n")
        .expect("another program writes");
    window.until("the vertex program is gone", |state| {
        state.document().expect("a program").programs().len() == 1
    });
    window.settle();
    assert_eq!(window.state().document().expect("a program").error_count(), 0);
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn taking_a_program_out_asks_first_where_changes_would_be_lost() {
    let mut window = with_program(STEPS);
    window.run(Command::AddStateProgram);
    window.settle();
    let id = window.state().document().expect("a program").text_id();
    assert_eq!(id.slot, Slot::State(0));
    window.run(Command::RemoveProgram);
    assert_eq!(window.state().dialog, Some(Dialog::Unsaved(Closing::Program(id))));
    window.act(Action::Unsaved(UnsavedAnswer::Cancel));
    assert_eq!(window.state().document().expect("a program").programs().len(), 2);
    window.run(Command::RemoveProgram);
    window.act(Action::Unsaved(UnsavedAnswer::Discard));
    window.settle();
    let document = window.state().document().expect("a program");
    assert_eq!((document.programs().len(), document.active_slot()), (1, Slot::Fragment));
    assert_eq!(document.error_count(), 0);
    assert!(!Command::RemoveProgram.enabled(window.state()), "the last one stays");
}

/// Where eframe keeps settings, without the disk.
#[derive(Default)]
struct Memory(std::collections::HashMap<String, String>);

impl eframe::Storage for Memory {
    fn get_string(&self, key: &str) -> Option<String> {
        self.0.get(key).cloned()
    }

    fn set_string(&mut self, key: &str, value: String) {
        self.0.insert(key.to_owned(), value);
    }

    fn remove_string(&mut self, key: &str) {
        self.0.remove(key);
    }

    fn flush(&mut self) {}
}

#[test]
fn settings_outlive_the_app() {
    let mut window = window();
    window.run(Command::ToggleTheme);
    window.act(Action::Show(Pane::Learn));
    window.state().settings.recent.push("somewhere/main.fp".into());
    window.harness.run_steps(2);
    let mut storage = Memory::default();
    let app = window.harness.state_mut().as_mut().expect("the app");
    eframe::App::save(app, &mut storage);
    let settings = shadestep::app::App::settings(Some(&storage));
    assert_eq!(settings.theme, ThemeChoice::Light);
    assert!(settings.layout.is_shown(Pane::Learn) && !settings.layout.is_shown(Pane::Inputs));
    assert_eq!(settings.recent, ["somewhere/main.fp"].map(PathBuf::from));
}

/// A vertex program that shows c[20], and cuts away what is left of the middle where CLIP_PLANE0 is enabled.
const CLIPPED: &str = "!!VP2.0\nDP4 o[HPOS].x, c[0], v[OPOS];\nDP4 o[HPOS].y, c[1], v[OPOS];\nDP4 o[HPOS].z, c[2], v[OPOS];\nDP4 o[HPOS].w, c[3], v[OPOS];\nMOV o[CLP0].x, v[OPOS].x;\nMOV o[COL0], c[20];\nEND\n";

fn with_vertex_program(text: &str) -> Window {
    let mut window = window();
    window.run(Command::NewVertex);
    window.settle();
    window.set_text(text);
    window.act(Action::Show(Pane::Inputs));
    window.harness.run_steps(3);
    window
}

#[test]
fn a_register_set_by_hand_is_drawn_with_and_reset() {
    let mut window = with_vertex_program(CLIPPED);
    let (middle, key) = ([256, 256], ParameterKey::Register(20));
    assert_eq!(pixel(&mut window, middle), [0.0; 4], "c[20] is 0 until it is set");
    window.act(Action::SetParameter(key.clone(), [0.25, 0.5, 0.75, 1.0].map(Component::Constant)));
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
    window.act(Action::SetParameter(ParameterKey::Register(20), [1.0; 4].map(Component::Constant)));
    window.settle();
    let (middle, track) = ([256, 256], |register| Track {
        register,
        matrix: MatrixName::Projection,
        transform: MatrixTransform::Transpose,
    });
    assert_eq!(pixel(&mut window, middle), [1.0; 4]);
    // Set by hand and tracked: one refuses the other, in words.
    window.act(Action::SetTrack(track(20)));
    window.act(Action::SetParameter(ParameterKey::Register(0), [1.0; 4].map(Component::Constant)));
    let notices: Vec<String> = window.state().notices.iter().map(|notice| notice.text.clone()).collect();
    assert!(notices[0].contains("c[20] is set by hand") && notices[1].contains("c[0] tracks"), "{notices:?}");
    window.act(Action::ResetParameter(ParameterKey::Register(20)));
    window.act(Action::SetTrack(track(20)));
    window.settle();
    let shown = window.state().document().and_then(|d| d.shown.as_ref()).expect("a picture");
    let projection = shown.inputs.matrices.iter().find(|(name, _)| *name == MatrixName::Projection);
    let (_, rows) = projection.expect("it is always there");
    let columns: [[f32; 4]; 4] = std::array::from_fn(|c| std::array::from_fn(|r| rows.rows[r][c]));
    assert_eq!(shown.inputs.registers[20..24], columns);
    // The colour is the first of them, as it leaves the vertex stage: clamped.
    assert_eq!(pixel(&mut window, middle), columns[0].map(|x| x.clamp(0.0, 1.0)));
    // Without the modelview-projection matrix no vertex is anywhere.
    window.harness.get_by_label("Remove the track of c[0]").scroll_to_me();
    window.harness.run_steps(20);
    window.harness.get_by_label("Remove the track of c[0]").click();
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
    assert!(window.state().document().expect("a program").scene_overrides.is_empty());
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
fn overlays_leave_the_pixels_alone() {
    let mut window = with_vertex_program(CLIPPED);
    let rgba = |window: &mut Window| {
        let document = window.state().document().expect("a program");
        document.shown.as_ref().expect("a picture").frame.to_rgba8()
    };
    let before = rgba(&mut window);
    let plain = window.harness.render().expect("the CPU renderer renders");
    for command in [Command::ToggleWireframe, Command::ToggleNormals] {
        assert!(command.enabled(window.state()));
        window.run(command);
    }
    window.settle();
    let overlay = &window.state().document().and_then(|d| d.shown.as_ref()).expect("a picture").overlay;
    assert!(!overlay.edges.is_empty() && !overlay.normals.is_empty());
    assert!(rgba(&mut window) == before, "the picture itself is as it was");
    let drawn = window.harness.render().expect("the CPU renderer renders");
    let picture = window.harness.get_by_label("Rendered picture").rect();
    let changed = |(x, y, pixel): (u32, u32, &image::Rgba<u8>)| {
        picture.contains(egui::pos2(x as f32, y as f32)) && plain.get_pixel(x, y) != pixel
    };
    assert!(drawn.enumerate_pixels().filter(|&at| changed(at)).count() > 1000, "lines are over it");
    window.run(Command::ToggleWireframe);
    window.run(Command::ToggleNormals);
    window.settle();
    let overlay = &window.state().document().and_then(|d| d.shown.as_ref()).expect("a picture").overlay;
    assert!(overlay.edges.is_empty() && overlay.normals.is_empty());
    window.run(Command::New);
    window.settle();
    assert!(!Command::ToggleWireframe.enabled(window.state()), "a viewport quad has no vertices");
}
