//! Exports: the dialog, the progress, and the written files.

use super::{window, with_program};
use crate::support::Window;
use egui::{Event, Key};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::export::{AnimationKind, Content, Spec};
use shadestep::model::{ExportForm, ExportKind};
use shadestep::state::{Dialog, NoticeKind};
use shadestep::tasks::{PathPrompt, Purpose, Question};
use std::path::{Path, PathBuf};

/// A program whose red component is the time in seconds.
const MOVING: &str = "!!FP1.0\nMOVR o[COLR], p[0].x;\nEND\n";

/// A temporary folder. Dropping the value deletes the folder.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("shadestep-ui-export-{name}-{}", std::process::id()));
        let _none = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn count(&self) -> usize {
        std::fs::read_dir(&self.0).expect("the folder").count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _left = std::fs::remove_dir_all(&self.0);
    }
}

/// Returns the content of the dialog.
fn form(window: &mut Window) -> ExportForm {
    match &window.state().dialog {
        Some(Dialog::Export(form)) => ExportForm::clone(form),
        other => panic!("not the export dialog: {other:?}"),
    }
}

fn spec(window: &mut Window) -> Spec {
    form(window).spec().expect("a sound form")
}

fn click(window: &mut Window, label: &str) {
    window.harness.get_by_label(label).click();
    window.harness.run_steps(3);
}

fn type_into(window: &mut Window, name: &str, text: &str) {
    click(window, name);
    window.harness.event(Event::Text(text.to_owned()));
    window.harness.run_steps(2);
    window.harness.key_press(Key::Enter);
    window.harness.run_steps(2);
}

/// Exports to `path` through the app's own prompt, which replaces the system's file dialog.
fn export_to(window: &mut Window, path: &Path) {
    let spec = spec(window);
    let id = window.state().document().expect("a program").id;
    let folder = path.parent().map(Path::to_path_buf);
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let question = Question { purpose: Purpose::Export(id, Box::new(spec)), folder, name };
    window.state().dialog = Some(Dialog::Path(Box::new(PathPrompt::new(question))));
    window.harness.run_steps(3);
    window.harness.key_press(Key::Enter);
    window.harness.run_steps(2);
}

fn until_exported(window: &mut Window) {
    window.until("the export has ended", |state| state.exporting.is_none());
    window.settle();
}

#[test]
fn a_picture_is_exported_at_a_chosen_size() {
    let folder = Folder::new("picture");
    let mut window = with_program(MOVING);
    window.act(Action::SetTime(0.5));
    window.settle();
    window.run(Command::ExportPicture);
    window.harness.run_steps(3);
    assert_eq!(spec(&mut window), Spec { size: [512, 512], content: Content::Picture });
    assert!(window.harness.query_by_label("Start time").is_none(), "a picture has no times");
    type_into(&mut window, "Export width", "64");
    assert_eq!(form(&mut window).size, [64, 64], "the aspect is kept");
    click(&mut window, "Keep aspect ratio");
    type_into(&mut window, "Export height", "20");
    assert_eq!(form(&mut window).size, [64, 20]);
    let path = folder.0.join("a.png");
    export_to(&mut window, &path);
    until_exported(&mut window);
    let read = image::open(&path).expect("a picture").to_rgba8();
    assert_eq!((read.dimensions(), read.as_raw()[0]), ((64, 20), 128));
    let said = window.state().notices.iter().any(|n| n.kind == NoticeKind::Info && n.text.contains("a.png"));
    assert!(said, "{:?}", window.state().notices);
    let document = window.state().document().expect("a program");
    assert_eq!((document.scene.size, document.is_modified()), ([512, 512], true), "as it was");
}

#[test]
fn sequences_are_set_up_in_the_dialog() {
    let mut window = with_program(MOVING);
    window.run(Command::ExportPicture);
    window.harness.run_steps(3);
    click(&mut window, "GIF");
    type_into(&mut window, "Start time", "0.5");
    type_into(&mut window, "End time", "1.5");
    type_into(&mut window, "Frames per second", "20");
    let spec_now = spec(&mut window);
    let Content::Animation(AnimationKind::Gif, sequence) = spec_now.content else { panic!("{spec_now:?}") };
    assert_eq!((sequence.count(), sequence.time(1)), (20, 0.55));
    assert!(window.harness.query_by_label_contains("20 frames of 512 × 512").is_some());
    // The dialog shows the error and does not export.
    type_into(&mut window, "Frames per second", "60");
    assert!(window.harness.query_by_label_contains("at most 50 frames").is_some());
    window.act(Action::Export);
    assert!(matches!(window.state().dialog, Some(Dialog::Export(_))));
    click(&mut window, "Animated PNG");
    assert!(form(&mut window).spec().is_ok());
    window.harness.get_by_label("Export size preset").click();
    window.harness.run_steps(3);
    click(&mut window, "640 × 360");
    assert_eq!(form(&mut window).size, [640, 360]);
    // Escape closes the dialog and exports nothing.
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(2);
    assert!(window.state().dialog.is_none() && window.state().exporting.is_none());
}

#[test]
fn the_dialog_remembers_what_was_in_it() {
    let mut window = with_program(MOVING);
    window.run(Command::ExportPicture);
    let changed = ExportForm { kind: ExportKind::Files, to: 2.0, rate: 12.0, ..form(&mut window) };
    window.act(Action::SetExport(Box::new(changed.clone())));
    window.act(Action::CloseDialog);
    window.run(Command::ExportPicture);
    assert_eq!(form(&mut window), changed);
}

#[test]
fn an_animation_is_exported_while_editing_goes_on() {
    let folder = Folder::new("animation");
    let mut window = with_program(MOVING);
    window.run(Command::ExportPicture);
    let small = ExportForm { kind: ExportKind::Apng, size: [8, 6], to: 1.0, rate: 10.0, ..form(&mut window) };
    window.act(Action::SetExport(Box::new(small)));
    let path = folder.0.join("a.png");
    export_to(&mut window, &path);
    // The text changes during the export. The file has the earlier text's picture.
    window.set_text("!!FP1.0\nMOVR o[COLR], 1;\nEND\n");
    until_exported(&mut window);
    let file = std::io::BufReader::new(std::fs::File::open(&path).expect("the file"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    assert_eq!(reader.info().animation_control().expect("animated").num_frames, 10);
    for frame in 0..10 {
        let mut rgba = vec![0; reader.output_buffer_size().expect("small")];
        reader.next_frame(&mut rgba).expect("a frame");
        let red = (frame as f32 * 25.5).round();
        assert!((f32::from(rgba[0]) - red).abs() <= 1.0, "frame {frame}: {}", rgba[0]);
    }
}

#[test]
fn an_export_shows_how_far_it_is_and_can_be_cancelled() {
    let folder = Folder::new("cancelled");
    let mut window = with_program(MOVING);
    window.run(Command::ExportPicture);
    let long = ExportForm { kind: ExportKind::Gif, to: 1000.0, size: [64, 64], ..form(&mut window) };
    window.act(Action::SetExport(Box::new(long)));
    let path = folder.0.join("a.gif");
    std::fs::write(&path, "older").expect("a file");
    export_to(&mut window, &path);
    window.until("some frames are written", |state| {
        state.exporting.as_ref().is_some_and(|exporting| exporting.progress.done() > 2)
    });
    window.harness.step();
    assert!(window.harness.query_by_label_contains("of 30000 frames, about").is_some());
    assert!(!Command::ExportPicture.enabled(window.state()), "one at a time");
    // Quitting asks first.
    let close = |window: &mut Window| {
        let viewport = window.harness.input_mut().viewports.entry(egui::ViewportId::ROOT).or_default();
        viewport.events.push(egui::ViewportEvent::Close);
        window.harness.run_steps(2);
    };
    close(&mut window);
    assert_eq!(window.state().dialog, Some(Dialog::StillExporting));
    click(&mut window, "Keep exporting");
    assert!(window.state().dialog.is_none() && window.state().exporting.is_some());
    window.harness.get_by_label("Cancel export").click();
    until_exported(&mut window);
    assert!(window.state().notices.iter().any(|notice| notice.text.contains("was cancelled")));
    assert_eq!((std::fs::read(&path).expect("the older file"), folder.count()), (b"older".to_vec(), 1));
    assert!(Command::ExportPicture.enabled(window.state()));
}

#[test]
fn what_cannot_be_written_is_said() {
    let folder = Folder::new("fault");
    let mut window = window();
    window.run(Command::ExportPicture);
    let files = ExportForm { kind: ExportKind::Files, to: 1.0, size: [8, 8], ..form(&mut window) };
    window.act(Action::SetExport(Box::new(files)));
    std::fs::write(folder.0.join("full"), "a file where a folder is to be").expect("a file");
    // The prompt shows the error and keeps the typed path.
    export_to(&mut window, &folder.0.join("full/frames"));
    let Some(Dialog::Path(prompt)) = &window.state().dialog else { panic!("the prompt has closed") };
    assert!(prompt.text.ends_with("frames"), "{}", prompt.text);
    assert!(window.harness.query_by_label_contains("does not exist").is_some());
    // A later error is a notice.
    window.act(Action::CloseDialog);
    std::fs::create_dir(folder.0.join("frames")).expect("a folder");
    std::fs::write(folder.0.join("frames/other"), "not a frame").expect("a file");
    window.run(Command::ExportPicture);
    export_to(&mut window, &folder.0.join("frames"));
    until_exported(&mut window);
    let said = window.state().notices.iter().find(|notice| notice.kind == NoticeKind::Error);
    assert!(said.is_some_and(|notice| notice.text.contains("could not be exported")), "{said:?}");
}
