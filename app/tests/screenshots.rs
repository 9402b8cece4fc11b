//! Pictures of the main window. `UPDATE_SNAPSHOTS=true` writes the pictures to `screenshots/`. Otherwise the
//! tests compare the window with the pictures there.

use crate::support::Window;
use shadestep::command::{Action, Command};
use shadestep::drafts::{FileFate, Search};
use shadestep::model::Breakpoint;
use shadestep::settings::Pane;
use shadestep::state::Readouts;
use shadestep::stepping::Question;
use shadestep::theme::ThemeChoice;
use shadestep_engine::debug::expression::Place;
use shadestep_engine::debug::{Edit, Register, Subject};
use shadestep_engine::source::Span;
use std::path::PathBuf;
use std::time::Duration;

const SIZE: [f32; 2] = [1440.0, 900.0];
/// The allowed difference of a channel. Glyphs are rasterised in floating point, so platforms differ.
const TOLERANCE: u8 = 6;
/// The share of pixels that may exceed [`TOLERANCE`].
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
    if share > OUTLIERS {
        let found = std::env::temp_dir().join(format!("shadestep-{name}.png"));
        picture.save(&found).expect("the picture can be written");
        let found = found.display();
        panic!("{name}: {count} pixels differ, as {found} shows; UPDATE_SNAPSHOTS=true rewrites the picture");
    }
}

/// Drafts of a session that ended as if the process died. Dropping the value deletes the drafts.
struct Left(PathBuf);

impl Left {
    /// Runs `work` in a session, and leaves the drafts of that session.
    fn by(name: &str, work: impl FnOnce(&mut Window)) -> Self {
        let drafts = std::env::temp_dir().join(format!("shadestep-screenshot-{name}-{}", std::process::id()));
        let _none = std::fs::remove_dir_all(&drafts);
        let left = Self(drafts);
        let mut window = left.open();
        window.settle();
        work(&mut window);
        left
    }

    /// Opens the next session, and waits until its search for drafts has ended.
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
    // The picture needs a path that is the same on every machine.
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
    // Renames the draft as the render thread does, so that the app finds the state after a crash.
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
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    for _ in 0..12 {
        window.run(Command::StepForward);
    }
    let document = window.state().document_mut().expect("a program");
    let last = document.active().text().lines().position(|line| line.contains("o[COLR]")).unwrap_or(5);
    document.active_mut().breakpoints.insert(last, Breakpoint::default());
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

/// The details of a minified texture lookup, which blends two levels.
fn looking_up(choice: ThemeChoice) -> Window {
    let mut window = sample("15-txd", choice);
    window.act(Action::Pick(Subject::Pixel([250, 250])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.run(Command::NextLookup);
    window
}

#[test]
fn lookup() {
    check(looking_up(ThemeChoice::Dark), "lookup");
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
    window.act(Action::Jump(Span::at(blank)));
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

/// A map of executed instructions, with the execution counts of lines.
fn maps(choice: ThemeChoice) -> Window {
    let mut window = sample("66-deep-zoom", choice);
    let text = window.state().document().expect("the sample").active().text().to_owned();
    let at = text.find("REP").expect("it has a loop");
    window.act(Action::Jump(Span::at(at)));
    window.run(Command::ToggleLineCounts);
    window.run(Command::MapInstructions);
    let id = window.state().document().expect("the sample").id;
    window
        .until("the map is there", |state| state.maps.shown(id).is_some() && state.maps.counts(id).is_some());
    window.settle();
    window.state().maps.freeze(Duration::from_micros(12_300));
    window
}

#[test]
fn a_map_of_instructions() {
    check(maps(ThemeChoice::Dark), "map");
}

#[test]
fn a_map_of_instructions_in_light() {
    check(maps(ThemeChoice::Light), "map-light");
}

/// The current picture beside the pinned one, the strip of versions, and the histogram.
fn versions(choice: ThemeChoice) -> Window {
    let mut window = sample("12-fog", choice);
    window.run(Command::ToggleVersions);
    window.run(Command::PinVersion);
    for (from, to) in [("{12, 5}", "{24, 10}"), ("{24, 10}", "{6, 10}")] {
        std::thread::sleep(Duration::from_millis(1600));
        let text = window.state().document().expect("the sample").active().text().replace(from, to);
        window.set_text(&text);
        window.settle();
    }
    window.act(Action::SetCompare(shadestep::model::Compare::Slider(0.5)));
    window.run(Command::ShowHistogram);
    window.settle();
    window
}

#[test]
fn versions_beside_each_other() {
    check(versions(ThemeChoice::Dark), "versions");
}

/// A lesson with a wrong answer, beside the editor.
fn lessons(choice: ThemeChoice) -> Window {
    let mut window = window(choice);
    window.run(Command::LayoutLearn);
    window.run(Command::ShowLessons);
    let lessons = &shadestep::lesson::bundled_course().lessons;
    for lesson in lessons.iter().take(5) {
        window.state().settings.lessons.solve(lesson);
    }
    window.act(Action::StartLesson(5));
    let title = lessons[5].title.clone();
    window.until("the lesson is open", |state| state.document().is_some_and(|d| d.scene.title == title));
    window.settle();
    replace(&mut window, "MAD R0", "MAD_SAT R0");
    window.settle();
    window
}

#[test]
fn lessons_dark() {
    check(lessons(ThemeChoice::Dark), "lessons");
}

#[test]
fn lessons_light() {
    check(lessons(ThemeChoice::Light), "lessons-light");
}

/// A fragment in the debugger, with watches and all kinds of breakpoints.
fn watching(choice: ThemeChoice) -> Window {
    let mut window = sample("07-lighting", choice);
    window.act(Action::Pick(Subject::Pixel([118, 310])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    let document = window.state().document_mut().expect("a program");
    let id = document.text_id();
    let lines: Vec<String> = document.active().text().lines().map(str::to_owned).collect();
    let line_of = |part: &str| lines.iter().rposition(|line| line.contains(part)).expect("such a line");
    let (last, normal) = (line_of("o[COLR].xyz"), line_of("DP3R R4.y"));
    let when = |condition: &str| Breakpoint { condition: condition.to_owned(), ..Breakpoint::default() };
    window.act(Action::SetBreakpoint(id, last, Breakpoint { enabled: false, ..when("R0.x > 0.5") }));
    window.act(Action::SetBreakpoint(id, normal, when("")));
    window.act(Action::SetBreakpoint(id, normal - 1, when("R9.q > 1")));
    let watches = ["R0", "R1.xyz", "R1.z > 0.5", "length(R2.xyz)", "R0.x +"];
    window.act(Action::SetWatches(watches.map(str::to_owned).to_vec()));
    window.act(Action::Show(Pane::Watches));
    for _ in 0..12 {
        window.run(Command::StepForward);
    }
    window.until("the run was gone through", |state| state.stepping.watched.history(0).is_some());
    window
}

#[test]
fn watches() {
    check(watching(ThemeChoice::Dark), "watches");
}

#[test]
fn comparing() {
    let mut window = watching(ThemeChoice::Light);
    window.run(Command::LayoutDebug);
    window.run(Command::CompareRuns);
    window.act(Action::Pick(Subject::Pixel([330, 200])));
    window.until("the runs are side by side", |state| {
        state.stepping.comparison.as_ref().is_some_and(|comparison| !comparison.lines().is_empty())
    });
    window.run(Command::PreviousDifference);
    check(window, "comparing");
}

/// The debugged sample, with the origins of the result.
#[test]
fn trace() {
    let mut window = debugging(ThemeChoice::Dark);
    window.run(Command::TraceResult);
    window.until("it is answered", |state| state.pending.background_query.is_none());
    check(window, "trace");
}

/// The debugged sample in the light theme, with a changed value.
#[test]
fn what_if() {
    let mut window = debugging(ThemeChoice::Light);
    let session = window.state().stepping.session.as_ref().expect("recorded");
    let change =
        session.previous_step().and_then(|step| step.changes.first().copied()).expect("a step behind");
    let Register::Temp(id) = change.place else { panic!("a temporary") };
    let (position, place) = (session.position(), Place::Temp(id));
    let edit = Edit { position, place, component: change.component, bits: 0.75_f32.to_bits().into() };
    window.act(Action::Query(Question::Try(edit)));
    window.until("it is tried", |state| state.pending.background_query.is_none());
    window.act(Action::EditValue(Some(edit)));
    window.run(Command::RewriteCurrent);
    check(window, "what-if");
}

/// A vertex program in the debugger, opened from the table of vertices.
#[test]
fn vertices() {
    let mut window = sample("29-skinning", ThemeChoice::Light);
    window.act(Action::Pick(Subject::Vertex(40)));
    window.until("the vertex is recorded", |state| state.stepping.session.is_some());
    window.run(Command::ShowVertices);
    window.harness.run_steps(3);
    window.until("the vertices are there", |state| !state.services.vertices.is_busy());
    check(window, "vertices");
}

/// The contents of a scene's buffers, beside the program that writes them.
#[test]
fn memory() {
    let mut window = sample("88-histogram", ThemeChoice::Dark);
    window.run(Command::ShowMemory);
    check(window, "memory");
}

/// The explanation of a line with a pixel's numbers, and the histogram of the picture.
#[test]
fn explanation_and_histogram() {
    let mut window = debugging(ThemeChoice::Light);
    window.run(Command::ToggleExplain);
    window.run(Command::ShowHistogram);
    // The histogram fades in.
    window.harness.run_steps(30);
    check(window, "histogram");
}
