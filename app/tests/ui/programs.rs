//! Scenes with several programs: tabs, problems and files.

use super::{STEPS, front, open_scene, problems, scene_folder, window, with_program};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command, UnsavedAnswer};
use shadestep::model::Part;
use shadestep::scene::Slot;
use shadestep::state::{Closing, Dialog};

#[test]
fn every_program_of_a_scene_has_a_tab_a_text_and_a_history() {
    let mut window = with_program(STEPS);
    assert!(window.harness.query_by_label("Vertex program").is_none());
    window.run(Command::AddVertexProgram);
    window.settle();
    assert_eq!(front(&mut window), Slot::Vertex);
    let added = window.state().document().expect("a program").active().text().to_owned();
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
    assert_eq!((document.active_slot(), document.active().text()), (Slot::Fragment, STEPS));
    assert!(document.active().breakpoints.is_empty());
    assert_eq!(document.program_text(Slot::Vertex).expect("added").text(), format!("# {added}"));
    // Undo reverts the changes of all texts in order, and shows each changed text.
    window.run(Command::Undo);
    window.settle();
    assert_eq!(front(&mut window), Slot::Vertex);
    assert_eq!(window.state().document().expect("a program").active().text(), added);
    window.run(Command::Undo);
    window.settle();
    let document = window.state().document().expect("a program");
    assert_eq!(document.programs().slots().collect::<Vec<_>>(), [Slot::Fragment], "it was not added yet");
    window.run(Command::Redo);
    window.run(Command::Redo);
    window.settle();
    let document = window.state().document().expect("a program");
    assert_eq!(document.program_text(Slot::Vertex).expect("added again").text(), format!("# {added}"));
    window.run(Command::NextProgram);
    window.run(Command::NextProgram);
    assert_eq!(window.state().document().expect("a program").active_part(), Part::Scene, "the last tab");
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
    assert!(found[0].contains("line 1, column 1 in the vertex program"), "{found:?}");
    assert!(found[1].contains("line 2, column 14 in the fragment program"), "{found:?}");
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
    assert_eq!(window.state().document().expect("a program").programs().count(), 1, "there is one already");
    window.run(Command::AddVertexProgram);
    window.settle();
    let document = window.state().document().expect("a program");
    assert_eq!((document.error_count(), &document.render_error), (0, &None));
    let shown = document.shown.as_ref().expect("a picture");
    assert_eq!(shown.frame.stats.vertices, 4, "the corners of the viewport go through the vertex program");
    window.run(Command::AddStateProgram);
    window.settle();
    // c[0] tracks the modelview-projection matrix (NV_vertex_program2 2.14.7), so the program may not write
    // it.
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
    window.act(Action::ShowText(Part::Program(Slot::Vertex)));
    window.set_text(&STEPS.replace("0.25", "0.375"));
    window.run(Command::Save);
    window.until("it is saved", |state| !state.document().expect("a program").is_modified());
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("the file");
    assert!(read("main.vp").contains("0.375") && read("main.fp").contains("0.125"));
    window.act(Action::ShowText(Part::Program(Slot::Fragment)));
    window.set_text(&STEPS.replace("0.25", "0.0625"));
    let id = window.state().document().expect("a program").id;
    window.run(Command::CloseTab);
    window.harness.run_steps(2);
    assert_eq!(window.state().dialog, Some(Dialog::Unsaved(Closing::Tab(id))));
    assert!(window.harness.query_by_label_contains("Both (main.fp)").is_some(), "it names the file");
    window.act(Action::Unsaved(UnsavedAnswer::Save));
    window.until("it is closed", |state| !state.documents.iter().any(|document| document.id == id));
    assert!(read("main.fp").contains("0.0625"));
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
        text.is_some_and(|text| text.text().contains("{0.5, 0.5"))
    });
    std::fs::write(folder.join("scene.toml"), "title = \"Both\"\n[program]\nfragment = \"main.fp\"\n")
        .expect("another program writes");
    window.until("the vertex program is gone", |state| {
        state.document().expect("a program").programs().count() == 1
    });
    window.settle();
    assert_eq!(window.state().document().expect("a program").error_count(), 0);
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn a_program_taken_out_comes_back_with_its_changes() {
    let mut window = with_program(STEPS);
    window.run(Command::AddStateProgram);
    window.settle();
    window.set_text("!!VSP1.0\n# mine\nMOV R0, v[0];\nMOV c[14], R0;\nEND\n");
    window.run(Command::RemoveProgram);
    window.settle();
    let document = window.state().document().expect("a program");
    assert_eq!((document.programs().count(), document.active_slot()), (1, Slot::Fragment));
    assert_eq!(document.error_count(), 0);
    assert!(!Command::RemoveProgram.enabled(window.state()), "the last one stays");
    window.run(Command::Undo);
    window.settle();
    let text = window.state().document().expect("a program").program_text(Slot::State(0));
    assert!(text.expect("it is there again").text().contains("# mine"));
}
