//! Opening, saving and closing, and files that others change.

use crate::{STEPS, window, with_program};
use egui_kittest::kittest::Queryable as _;
use shadestep::app::{Closing, Dialog};
use shadestep::command::{Action, Command, UnsavedAnswer};

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
