//! Open documents: recent files, restored tabs, prompts for paths, lessons, and panels that follow the active
//! document.

use super::{SIZE, STEPS, window};
use crate::support::Window;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::lesson::bundled_course;
use shadestep::model::DocumentId;
use shadestep::settings::{Settings, SettingsFile};
use shadestep::state::{Closing, Dialog};
use shadestep::tasks::{PathPrompt, PromptProgress, Purpose, Question};
use shadestep::theme::ThemeChoice;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[test]
fn the_reference_follows_the_language_of_the_program_in_front() {
    let mut window = Window::open([1440.0, 1400.0], ThemeChoice::Dark);
    window.run(Command::New);
    window.settle();
    window.run(Command::LayoutLearn);
    window.act(Action::ShowReference(shadestep_engine::isa::Opcode::Mul));
    window.harness.run_steps(4);
    // Only geometry programs have EMIT, and only fragment programs have KIL.
    let lists = |window: &Window, row: &str| window.harness.query_by_label(row).is_some();
    let [emit, kill] = [Row::of("EMIT"), Row::of("KIL")];
    assert!(!lists(&window, &emit) && lists(&window, &kill));
    window.harness.get_by_label("Reference language").click();
    window.harness.run_steps(3);
    window.harness.get_by_label("All languages").click();
    window.harness.run_steps(3);
    assert!(lists(&window, &emit) && lists(&window, &kill), "the person chose them all");
    // The text changes but the language does not, so the list keeps the user's choice.
    window.set_text(STEPS);
    window.run(Command::EditScene);
    window.harness.run_steps(2);
    window.run(Command::NextProgram);
    window.harness.run_steps(2);
    assert!(lists(&window, &emit));
    // The next document has the same language.
    window.run(Command::New);
    window.settle();
    assert!(!lists(&window, &emit) && lists(&window, &kill));
    // The language of the program changes.
    window.set_text("!!NVgp4.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nEMIT;\nEND\n");
    assert!(!lists(&window, &kill));
    assert!(lists(&window, &emit));
    window.run(Command::PreviousTab);
    window.settle();
    assert!(!lists(&window, &emit) && lists(&window, &kill));
}

/// A line of the list of instructions.
struct Row;

impl Row {
    /// Returns the label of the line of a mnemonic.
    fn of(mnemonic: &str) -> String {
        let info =
            shadestep_engine::isa::all().find(|info| info.mnemonic == mnemonic).expect("an instruction");
        format!("{}  {}", info.mnemonic, info.title)
    }
}

/// Creates an empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("shadestep-documents-{name}-{}", std::process::id()));
    let _none = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn open(window: &mut Window, path: &Path) {
    window.act(Action::Open(path.to_path_buf()));
    window.until("it is open", |state| state.document().is_some_and(|d| d.has_file(path)));
    window.settle();
}

fn names(window: &mut Window) -> Vec<String> {
    window.state().documents.iter().map(|document| document.name()).collect()
}

/// Closes the app as a normal quit does, and returns the settings that it leaves.
fn close(mut window: Window) -> Settings {
    let app = window.harness.state_mut().as_mut().expect("made in the first frame");
    app.close();
    std::mem::take(&mut app.state.settings)
}

/// Opens the app again as a new process after a normal quit.
fn reopen(settings: Settings, target: Option<OsString>, drafts: &Path) -> Window {
    let mut window = Window::build(target, SIZE, settings, Some(drafts.to_path_buf()), |_| {});
    window.settle();
    window
}

#[test]
fn recent_files_of_one_name_are_told_apart_and_forgotten() {
    let folder = folder("recent");
    let mut window = window();
    let paths = ["one", "two"].map(|name| folder.join(name).join("main.fp"));
    for path in &paths {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, STEPS).expect("a file");
        open(&mut window, path);
    }
    while !window.state().documents.is_empty() {
        window.run(Command::CloseTab);
        window.harness.run_steps(2);
    }
    // The empty view lists recent files, like the menu.
    let rows = |window: &Window| {
        let found = window.harness.query_all_by_label_contains("main.fp, ");
        found.map(|node| node.rect()).collect::<Vec<_>>()
    };
    assert_eq!(rows(&window).len(), 2);
    let in_one = format!("{}one", std::path::MAIN_SEPARATOR);
    assert!(window.harness.query_all_by_label_contains(&in_one).next().is_some());
    window.harness.get_by_label_contains(&format!("{}two", std::path::MAIN_SEPARATOR)).click();
    window.until("it is open", |state| state.document().is_some_and(|d| d.has_file(&paths[1])));
    window.settle();
    // The notice about a missing file has a button that removes it from the list.
    std::fs::remove_file(&paths[0]).expect("removed");
    window.act(Action::Open(paths[0].clone()));
    window
        .until("it is told", |state| state.notices.iter().any(|notice| notice.text.contains("no such file")));
    window.harness.run_steps(2);
    window.harness.get_by_label("Remove from recent files").click();
    window.harness.run_steps(2);
    assert_eq!(window.state().settings.recent, [paths[1].clone()]);
    assert!(window.state().notices.is_empty());
    window.harness.get_by_label("File").click();
    window.harness.run_steps(3);
    window.harness.get_by_label_contains("Open recent").click();
    window.harness.run_steps(3);
    assert_eq!(rows(&window).len(), 1);
    window.harness.get_by_label("Clear list").click();
    window.harness.run_steps(3);
    assert!(window.state().settings.recent.is_empty());
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn tabs_come_back_after_a_normal_quit() {
    let folder = folder("tabs");
    let drafts = folder.join("drafts");
    let (one, two) = (folder.join("one.fp"), folder.join("two.fp"));
    let long = format!("!!FP1.0\n{}MOVR o[COLR], 1;\nEND\n", "# A line.\n".repeat(300));
    for path in [&one, &two] {
        std::fs::write(path, &long).expect("a file");
    }
    let mut window = reopen(Settings::default(), None, &drafts);
    open(&mut window, &one);
    open(&mut window, &two);
    window.act(Action::OpenSample("02-plasma"));
    window.until("it is open", |state| state.document().is_some_and(|d| d.scene.name == "02-plasma"));
    window.settle();
    window.run(Command::EditScene);
    window.run(Command::New);
    window.settle();
    window.act(Action::ActivateTab(1));
    window.act(Action::GoToLine(250));
    window.settle();
    window.harness.run_steps(5);
    let before = window.state().document().expect("a program").active();
    let place = (before.caret, before.top);
    assert!(place.0 > 2000 && place.1 > 200.0, "{place:?}");
    let settings = close(window);
    // Writes the settings to a file and reads them again, as the next start does.
    let file = folder.join("settings.ron");
    let (mut kept, ..) = SettingsFile::open(Some(file.clone()));
    assert_eq!(kept.keep(&settings), None);
    kept.finish().expect("written");
    let (_, settings, unread) = SettingsFile::open(Some(file));
    assert_eq!(unread, None);
    let mut window = reopen(settings, None, &drafts);
    let sample = shadestep::scene::bundled().iter().find(|s| s.name == "02-plasma").expect("a sample");
    assert_eq!(names(&mut window), ["one.fp", "two.fp", sample.title], "what no file has is not among them");
    window.harness.run_steps(5);
    let after = window.state().document().expect("a program");
    assert!(after.has_file(&two));
    assert_eq!(after.active().caret, place.0);
    assert!((after.active().top - place.1).abs() < 0.5, "{} {}", after.active().top, place.1);
    assert_eq!(window.state().documents[2].active_part(), shadestep::model::Part::Scene);
    assert!(window.state().settings.tabs.is_none(), "another end than a normal one leaves none");
    // The file from the command line is active, and no tab opens twice.
    let settings = close(window);
    let mut window = reopen(settings, Some(one.clone().into_os_string()), &drafts);
    assert_eq!(names(&mut window), ["one.fp", "two.fp", sample.title]);
    assert!(window.state().document().expect("a program").has_file(&one));
    let settings = close(window);
    let mut window = reopen(settings, Some("03-condition-codes".into()), &drafts);
    assert_eq!(names(&mut window).len(), 4);
    assert_eq!(window.state().document().expect("a sample").scene.name, "03-condition-codes");
    // A missing file causes a notice. A setting turns off restored tabs.
    std::fs::remove_file(&two).expect("removed");
    let settings = close(window);
    let mut window = reopen(settings, None, &drafts);
    assert_eq!(names(&mut window).len(), 3);
    assert!(window.state().notices.iter().any(|notice| notice.text.contains("two.fp")));
    window.run(Command::ToggleRestoreTabs);
    let settings = close(window);
    let mut window = reopen(settings, None, &drafts);
    assert_eq!(names(&mut window), [shadestep::scene::bundled()[0].title]);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_prompt_selects_the_name_takes_other_paths_and_keeps_them_after_an_error() {
    let folder = folder("prompt");
    let mut window = window();
    window.run(Command::New);
    window.settle();
    let id: DocumentId = window.state().document().expect("a program").id;
    let ask = |window: &mut Window, purpose: Purpose, name: &str| {
        let question = Question { purpose, folder: Some(folder.clone()), name: name.to_owned() };
        window.state().dialog = Some(Dialog::Path(Box::new(PathPrompt::new(question))));
        window.harness.run_steps(4);
    };
    let prompt = |window: &mut Window| match &window.state().dialog {
        Some(Dialog::Path(prompt)) => (**prompt).clone(),
        other => panic!("{other:?}"),
    };
    let type_in = |window: &mut Window, text: &str| {
        window.harness.event(egui::Event::Text(text.to_owned()));
        window.harness.run_steps(3);
    };
    ask(&mut window, Purpose::SaveProgram(id), "untitled.fp");
    type_in(&mut window, "mine");
    assert_eq!(
        prompt(&mut window).path(),
        folder.join("mine.fp"),
        "the name is replaced, its extension stays"
    );
    // The folder does not exist. The prompt shows the error and keeps the typed path.
    window.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    let elsewhere = folder.join("none/mine.fp").display().to_string();
    type_in(&mut window, &elsewhere);
    window.harness.key_press(egui::Key::Enter);
    window.until("it is refused", |state| match &state.dialog {
        Some(Dialog::Path(prompt)) => matches!(&prompt.progress, PromptProgress::Failed(_)),
        _ => false,
    });
    window.harness.run_steps(3);
    assert_eq!(prompt(&mut window).text, elsewhere);
    assert!(window.harness.query_by_label_contains("could not be saved").is_some());
    assert!(window.state().notices.is_empty());
    // An absolute path typed after the present text replaces that text.
    let other = folder.join("other.fp");
    type_in(&mut window, &format!("/{}", other.display()));
    assert_eq!(prompt(&mut window).text, other.display().to_string());
    let untitled = window.state().window_title();
    window.harness.key_press(egui::Key::Enter);
    window.until("it is saved", |state| state.dialog.is_none());
    assert!(other.is_file());
    // The tab and the window show the new name at once.
    assert_eq!(window.state().document().expect("a program").name(), "other.fp");
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Tab other.fp").is_some());
    let title = window.state().window_title();
    assert!(title.starts_with("other.fp (") && untitled.starts_with("untitled.fp"), "{untitled}, {title}");
    // The file does not exist.
    ask(&mut window, Purpose::Open, "");
    type_in(&mut window, "nothing.fp");
    window.harness.key_press(egui::Key::Enter);
    window.until("it is told", |state| match &state.dialog {
        Some(Dialog::Path(prompt)) => matches!(&prompt.progress, PromptProgress::Failed(_)),
        _ => false,
    });
    assert!(prompt(&mut window).text.ends_with("nothing.fp"));
    assert!(window.state().notices.is_empty());
    type_in(&mut window, "/~/x");
    assert_eq!(prompt(&mut window).text, "~/x");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_scene_from_a_template_is_called_after_its_folder() {
    let folder = folder("scene");
    let mut window = window();
    window.run(Command::NewScene);
    window.harness.run_steps(2);
    window.harness.get_by_label("Lit mesh").click();
    window.harness.run_steps(2);
    window.settle();
    let id = window.state().document().expect("a scene").id;
    let ctx = window.harness.ctx.clone();
    shadestep::apply::path_chosen(window.state(), &ctx, Purpose::SaveScene(id), folder.join("torus"));
    window.until("it is saved", |state| state.document().is_some_and(|d| !d.is_modified()));
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Tab torus").is_some());
    assert!(window.state().window_title().starts_with("torus ("));
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn lessons_have_one_tab_and_keep_their_answers_without_being_asked_about() {
    let folder = folder("lessons");
    let drafts = folder.join("drafts");
    let mut window = reopen(Settings::default(), None, &drafts);
    let start = |window: &mut Window, index: usize| {
        window.act(Action::StartLesson(index));
        let name = bundled_course().lessons[index].title.clone();
        window.until("the lesson is open", |state| state.document().is_some_and(|d| d.scene.title == name));
        window.settle();
    };
    let text = |window: &mut Window| window.state().document().expect("a lesson").active().text().to_owned();
    let mine = "!!FP1.0\nMOV o[COLR], {0.125, 0, 0, 1};\nEND\n";
    start(&mut window, 0);
    let tabs = window.state().documents.len();
    let begun = text(&mut window);
    window.set_text(mine);
    start(&mut window, 1);
    window.set_text("!!FP1.0\n# Half an answer\n");
    assert_eq!(window.state().documents.len(), tabs, "one tab");
    start(&mut window, 0);
    assert_eq!(text(&mut window), mine);
    // Neither closing the tab nor quitting asks a question, and no work is lost.
    let document = window.state().document().expect("a lesson");
    let id = document.id;
    assert!(document.is_modified());
    let state = window.state();
    assert!(!state.waits_for(Closing::App, state.document().expect("a lesson")));
    window.act(Action::CloseTab(id));
    assert_eq!(window.state().dialog, None);
    start(&mut window, 1);
    let settings = close(window);
    let mut window = reopen(settings, None, &drafts);
    assert_eq!(text(&mut window), "!!FP1.0\n# Half an answer\n", "its tab came back with the answer");
    assert!(window.state().recovery.offers.is_empty(), "and is not offered a second time");
    start(&mut window, 0);
    assert_eq!(text(&mut window), mine);
    // Starting over is an undo step.
    let id = window.state().document().expect("a lesson").id;
    window.act(Action::StartOver(id));
    window.settle();
    assert_eq!(text(&mut window), begun);
    window.run(Command::Undo);
    window.settle();
    assert_eq!(text(&mut window), mine);
    window.run(Command::Redo);
    window.settle();
    start(&mut window, 1);
    start(&mut window, 0);
    assert_eq!(text(&mut window), begun, "an answer that was taken back is not kept");
    std::fs::remove_dir_all(folder).expect("removed");
}
