//! Pictures of the main window. `UPDATE_SNAPSHOTS=true` writes them to `screenshots/`; otherwise what is
//! drawn is compared with them.

mod support;

use shadestep::app::Readouts;
use shadestep::command::{Action, Command};
use shadestep::shell::Pane;
use shadestep::theme::ThemeChoice;
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
    let text = window.state().document().expect("a program").active().text.clone();
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
    window.act(Action::PickPixel([118, 310]));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    for _ in 0..12 {
        window.run(Command::StepForward);
    }
    let document = window.state().document_mut().expect("a program");
    let last = document.active().text.lines().position(|line| line.contains("o[COLR]")).unwrap_or(5);
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
    let text = window.state().document().expect("a program").active().text.clone();
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
