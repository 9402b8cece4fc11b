//! Pictures of the main window. `UPDATE_SNAPSHOTS=true` writes them to `screenshots/`; otherwise what is
//! drawn is compared with them.

mod support;

use shadestep::app::Readouts;
use shadestep::command::{Action, Command};
use shadestep::debugger::Question;
use shadestep::drafts::{FileFate, Search};
use shadestep::shell::Pane;
use shadestep::theme::ThemeChoice;
use shadestep_engine::debug::expression::Place;
use shadestep_engine::debug::{Edit, Register, Subject};
use std::path::PathBuf;
use std::time::Duration;
use support::Window;

const SIZE: [f32; 2] = [1440.0, 900.0];
/// A channel may differ by this much: glyphs are rasterised with floating point.
const TOLERANCE: u8 = 6;
/// Share of pixels that may differ by more.
const OUTLIERS: f64 = 0.002;

fn window(choice: ThemeChoice) -> Window {
    let mut window = Window::open(SIZE, choice);
    window.state().readouts =
        Readouts::frozen(Duration::from_micros(140), Duration::from_micros(3_400), None);
    window.state().clock.time_secs = 2.5;
    window.run(Command::StepTime);
    window.settle();
    window
}

fn sample(name: &'static str, choice: ThemeChoice) -> Window {
    let mut window = window(choice);
    window.act(Action::OpenSample(name));
    window.until("the sample is open", |state| {
        state.document().is_some_and(|document| document.scene.name == name)
    });
    window.settle();
    window
}

fn check(mut window: Window, name: &str) {
    window.harness.run_steps(4);
    let picture = window.harness.render().expect("the CPU renderer renders");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../screenshots").join(format!("{name}.png"));
    if std::env::var("UPDATE_SNAPSHOTS").is_ok_and(|value| value == "true") {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        picture.save(&path).expect("the picture can be written");
        return;
    }
    let stored = image::open(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; UPDATE_SNAPSHOTS=true writes it", path.display()))
        .to_rgba8();
    assert_eq!(stored.dimensions(), picture.dimensions(), "{name}: another size");
    let differs = |(a, b): (&image::Rgba<u8>, &image::Rgba<u8>)| {
        a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > TOLERANCE)
    };
    let count = stored.pixels().zip(picture.pixels()).filter(|&pair| differs(pair)).count();
    let share = count as f64 / f64::from(picture.width() * picture.height());
    assert!(share <= OUTLIERS, "{name}: {count} pixels differ; UPDATE_SNAPSHOTS=true rewrites the picture");
}

/// Drafts of a session that has ended as if its process died; they go away with the value.
struct Left(PathBuf);

impl Left {
    /// By a session that did `work`.
    fn by(name: &str, work: impl FnOnce(&mut Window)) -> Self {
        let drafts = std::env::temp_dir().join(format!("shadestep-screenshot-{name}-{}", std::process::id()));
        let _none = std::fs::remove_dir_all(&drafts);
        let left = Self(drafts);
        let mut window = left.open();
        window.settle();
        work(&mut window);
        left
    }

    /// The next session, as soon as it has looked for drafts.
    fn open(&self) -> Window {
        let mut window = Window::open_with_drafts(SIZE, ThemeChoice::Dark, Some(self.0.clone()));
        window.until("earlier sessions are looked into", |state| state.recovery.search == Search::Done);
        window.state().readouts =
            Readouts::frozen(Duration::from_micros(140), Duration::from_micros(3_400), None);
        window
    }
}

impl Drop for Left {
    fn drop(&mut self) {
        let _left = std::fs::remove_dir_all(&self.0);
    }
}

fn replace(window: &mut Window, from: &str, to: &str) {
    let text = window.state().document().expect("a program").active().text().to_owned();
    assert!(text.contains(from), "{from}");
    window.set_text(&text.replace(from, to));
}

#[test]
fn recovery() {
    let left = Left::by("recovery", |window| {
        replace(window, "END", "# a note\nEND");
        window.run(Command::New);
        window.settle();
        replace(window, "MOV o[COLR], f[TEX0];", "MOV R0, f[TEX0];\nMUL o[COLR], R0.yxxw, 0.5;");
    });
    let mut window = left.open();
    window.settle();
    let offers = &mut window.state().recovery.offers;
    assert_eq!(offers.len(), 2);
    // A place that is the same on every machine.
    let program = &mut offers[1].programs[0];
    program.path = Some(PathBuf::from("/home/ada/shaders/first-move.fp"));
    program.fate = FileFate::Changed;
    let compared = offers[0].file.clone();
    window.act(Action::CompareDraft(compared));
    window.settle();
    check(window, "recovery");
}

#[test]
fn held() {
    let left = Left::by("held", |window| replace(window, "END", "# a note\nEND"));
    // As the render thread leaves it when it dies with the program.
    let folders = std::fs::read_dir(&left.0).expect("a folder").flatten();
    let mut files = folders.flat_map(|folder| std::fs::read_dir(folder.path()).expect("a folder").flatten());
    let draft =
        files.find(|file| file.path().extension().is_some_and(|e| e == "draft")).expect("a draft").path();
    std::fs::rename(&draft, draft.with_file_name("render.run")).expect("a note");
    let mut window = left.open();
    window.until("it is open", |state| state.document().is_some_and(|d| state.held_why(d).is_some()));
    check(window, "held");
}

#[test]
fn main_window() {
    check(window(ThemeChoice::Dark), "main");
}

#[test]
fn editing() {
    let mut window = sample("07-lighting", ThemeChoice::Dark);
    window.act(Action::SetQuery("DP3".to_owned()));
    window.run(Command::Find);
    window.run(Command::FindNext);
    check(window, "editing");
}

#[test]
fn error() {
    let mut window = window(ThemeChoice::Dark);
    let text = window.state().document().expect("a program").active().text().to_owned();
    let line = text.lines().position(|line| line.contains("MUL")).unwrap_or(3);
    let broken: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(n, words)| if n == line { words.replace("MUL", "MULT") } else { words.to_owned() })
        .chain(["MOV o[COLR], q0;".to_owned()])
        .collect();
    window.set_text(&(broken.join("\n").replace("\nEND\n", "\n") + "\nEND\n"));
    check(window, "error");
}

fn debugging(choice: ThemeChoice) -> Window {
    let mut window = sample("07-lighting", choice);
    window.act(Action::Pick(Subject::Pixel([118, 310])));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    for _ in 0..12 {
        window.run(Command::StepForward);
    }
    let document = window.state().document_mut().expect("a program");
    let last = document.active().text().lines().position(|line| line.contains("o[COLR]")).unwrap_or(5);
    document.active_mut().breakpoints.insert(last);
    window
}

#[test]
fn debugger() {
    check(debugging(ThemeChoice::Dark), "debugging");
}

#[test]
fn light_theme() {
    check(debugging(ThemeChoice::Light), "light");
}

#[test]
fn learn() {
    let mut window = window(ThemeChoice::Dark);
    window.act(Action::Show(Pane::Learn));
    check(window, "learn");
}

#[test]
fn inputs() {
    check(sample("08-normal-map", ThemeChoice::Light), "inputs");
}

#[test]
fn command_palette() {
    let mut window = window(ThemeChoice::Dark);
    window.run(Command::CommandPalette);
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Text("step".to_owned()));
    check(window, "palette");
}

#[test]
fn completion() {
    let mut window = window(ThemeChoice::Dark);
    let text = window.state().document().expect("a program").active().text().to_owned();
    let blank = text.match_indices("\n\n").nth(2).expect("a blank line").0 + 1;
    window.act(Action::Jump(shadestep_engine::source::Span::at(blank)));
    window.harness.run_steps(2);
    for letter in ["D", "P"] {
        window.harness.event(egui::Event::Text(letter.to_owned()));
        window.harness.step();
    }
    window.settle();
    check(window, "completion");
}

#[test]
fn reference() {
    let mut window = window(ThemeChoice::Dark);
    window.act(Action::ShowReference(shadestep_engine::isa::Opcode::Rfl));
    check(window, "reference");
}

/// The sample that is debugged, with where its result comes from.
#[test]
fn trace() {
    let mut window = debugging(ThemeChoice::Dark);
    window.run(Command::TraceResult);
    window.until("it is answered", |state| state.pending.inquiry.is_none());
    check(window, "trace");
}

/// The same in light, with a value changed.
#[test]
fn what_if() {
    let mut window = debugging(ThemeChoice::Light);
    let session = window.state().debug.as_ref().expect("recorded");
    let change =
        session.previous_step().and_then(|step| step.changes.first().copied()).expect("a step behind");
    let Register::Temp(id) = change.place else { panic!("a temporary") };
    let (position, place) = (session.position(), Place::Temp(id));
    let edit = Edit { position, place, component: change.component, bits: 0.75_f32.to_bits().into() };
    window.act(Action::Inquire(Question::Try(edit)));
    window.until("it is tried", |state| state.pending.inquiry.is_none());
    window.act(Action::EditValue(Some(edit)));
    check(window, "what-if");
}
