//! Opening, saving and closing files, and files that other programs change.

use super::{STEPS, problems, window, with_program};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command, UnsavedAnswer};
use shadestep::state::{Closing, Dialog};
use shadestep::tasks::{PathPrompt, PromptProgress, Purpose, Question};

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
        state.document().expect("a program").active().text().contains("{0.5, 0.5")
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
    window.harness.get_by_label("Dismiss this notice").click();
    window.harness.run_steps(2);
    assert!(window.state().notices.is_empty());
}

#[test]
fn a_sample_is_changed_by_its_scene_text_and_saved_by_the_prompt_for_a_path() {
    let place = std::env::temp_dir().join(format!("shadestep-ui-saved-{}", std::process::id()));
    let _none = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).expect("a folder");
    let mut window = window();
    window.act(Action::OpenSample("02-plasma"));
    window.until("it is open", |state| state.document().is_some_and(|d| d.scene.name == "02-plasma"));
    window.settle();
    window.run(Command::EditScene);
    window.harness.run_steps(2);
    let text = window.state().document().expect("a scene").active().text().to_owned();
    window.set_text(&text.replacen("[program]", "size = [40, 24]\n[program]", 1));
    let document = window.state().document().expect("a scene");
    assert_eq!((document.scene.size, document.error_count()), ([40, 24], 0));
    assert_eq!(document.shown.as_ref().expect("a picture").frame.size(), [40, 24]);
    // An error in the scene is a problem with its place, and the picture stays.
    window.set_text(&text.replacen("[program]", "size = [40]\n[program]", 1));
    assert!(problems(&window)[0].contains("in scene.toml"), "{:?}", problems(&window));
    window.run(Command::Undo);
    window.settle();
    assert!(problems(&window).is_empty());
    // Uses the app's own prompt, which replaces the system's file dialog.
    let id = window.state().document().expect("a scene").id;
    let question =
        Question { purpose: Purpose::SaveScene(id), folder: Some(place.clone()), name: "mine".to_owned() };
    window.state().dialog = Some(Dialog::Path(Box::new(PathPrompt::new(question))));
    window.harness.run_steps(3);
    // The prompt selects the suggested name. End removes the selection, so the typed text is appended.
    window.harness.key_press(egui::Key::End);
    window.harness.event(egui::Event::Text("-own".to_owned()));
    window.harness.run_steps(2);
    window.harness.key_press(egui::Key::Enter);
    window.until("it is saved", |state| state.document().is_some_and(|d| !d.is_modified()));
    window.settle();
    assert_eq!(window.state().dialog, None);
    let opened = shadestep::scene::load(&place.join("mine-own")).expect("a scene");
    assert_eq!(opened.size, [40, 24]);
    assert!(window.state().document().expect("a scene").has_file(&place.join("mine-own/scene.toml")));
    // Saving to an existing folder fails.
    let question = Question {
        purpose: Purpose::SaveScene(id),
        folder: Some(place.clone()),
        name: "mine-own".to_owned(),
    };
    window.state().dialog = Some(Dialog::Path(Box::new(PathPrompt::new(question))));
    window.harness.run_steps(3);
    window.harness.key_press(egui::Key::Enter);
    window.until("it is refused", |state| match &state.dialog {
        Some(Dialog::Path(prompt)) => {
            matches!(&prompt.progress, PromptProgress::Failed(words) if words.contains("not empty"))
        }
        _ => false,
    });
    std::fs::remove_dir_all(&place).expect("the folder goes");
}

#[test]
fn new_scenes_begin_from_templates() {
    let mut window = window();
    window.run(Command::NewScene);
    window.harness.run_steps(2);
    window.harness.get_by_label("Lit mesh").click();
    window.harness.run_steps(2);
    window.settle();
    let document = window.state().document().expect("a scene");
    assert_eq!((document.name(), document.programs().count()), ("Untitled".to_owned(), 2));
    assert!(document.is_modified() && document.shown.is_some());
    // The list also has the templates of later languages, and fits in the window.
    window.run(Command::NewScene);
    window.harness.run_steps(2);
    let last = window.harness.get_by_label("Writing memory").rect();
    assert!(last.bottom() < 800.0 && last.right() < 1280.0, "{last:?}");
    window.harness.get_by_label("NV_gpu_program5 vertex program").click();
    window.harness.run_steps(2);
    window.settle();
    let document = window.state().document().expect("a program");
    assert!(document.active().text().starts_with("!!NVvp5.0") && document.shown.is_some());
    window.run(Command::New);
    window.run(Command::New);
    let names: Vec<String> = window.state().documents.iter().map(|d| d.name()).collect();
    assert_eq!(names[names.len() - 2..], ["untitled.fp", "untitled-2.fp"]);
}
