//! The app shows the errors of a text as soon as the text is loaded, even while the renderer is busy.

use super::{problems, window};
use crate::support::Window;
use shadestep::command::{Action, Command};
use shadestep::model::{Cause, Change, Draft, Part};
use shadestep::scene::Slot;
use shadestep::worker::LoadRequest;
use std::sync::Arc;
use std::time::Instant;

/// Returns a program whose picture takes many seconds.
fn slow() -> String {
    let sums = "MAD sum, sum, sum, fragment.texcoord[0];\n".repeat(8);
    format!(
        "!!ARBfp1.0\nOPTION NV_fragment_program2;\nPARAM many = {{ 255, 255, 255, 255 }};\nTEMP sum;\n\
         MOV sum, fragment.texcoord[0];\nREP many.x;\nREP many.x;\n{sums}ENDREP;\nENDREP;\nMOV result.color, sum;\nEND\n"
    )
}

/// Opens a window and waits until the renderer has begun the slow picture.
fn drawing_slowly() -> Window {
    let mut window = window();
    window.run(Command::New);
    window.settle();
    type_text(&mut window, &slow());
    window.until("the slow program is loaded and is being drawn", |state| {
        let services = &state.services;
        let drawn = services.renderer.busy_for().is_some() && !services.renderer.has_waiting();
        drawn && state.document().is_some_and(|document| document.is_analysed())
    });
    window
}

/// Replaces the text as typing would, and does not wait.
fn type_text(window: &mut Window, text: &str) {
    let document = window.state().document().expect("a program is open");
    let (id, change) = (document.text_id(), Change::between(document.active().text(), text));
    window.act(Action::EditText(id, change));
}

/// Loads the current text without a new picture, so the renderer continues with the previous picture.
fn load_only(window: &mut Window) {
    let state = window.state();
    let document = state.document().expect("a program is open");
    let request = LoadRequest {
        document: document.id,
        revision: document.revision,
        texts: document.program_texts(),
        kept: Arc::new(Draft::of(document)),
    };
    state.services.loader.request(request, shadestep::mailbox::Urgency::Next);
}

#[test]
fn errors_do_not_wait_for_the_picture_that_is_being_drawn() {
    let mut window = drawing_slowly();
    let since = Instant::now();
    let document = window.state().document_mut().expect("a program is open");
    let wrong = Change::between(document.active().text(), &slow().replacen("MOV sum", "MOVE sum", 1));
    document.edit(Part::Program(Slot::Fragment), wrong, Cause::Typed);
    load_only(&mut window);
    window.until("the error is there", |state| state.document().is_some_and(|d| d.error_count() > 0));
    let waited = since.elapsed();
    let busy = window.state().services.renderer.busy_for();
    assert!(busy.is_some_and(|busy| busy >= waited), "the same picture is still being drawn: {busy:?}");
    window.harness.run_steps(2);
    assert!(problems(&window)[0].starts_with("Problem at line 5, column 1:"), "{:?}", problems(&window));
    window.state().services.renderer.cancel();
}

#[test]
fn errors_show_in_the_next_frame_and_leave_with_what_was_wrong() {
    let mut window = drawing_slowly();
    for (text, faulty) in [(slow().replacen("MOV sum", "MOVE sum", 1), true), (slow(), false)] {
        type_text(&mut window, &text);
        window.harness.step();
        window.until("the text is loaded", |state| !state.services.loader.is_busy());
        window.harness.run_steps(2);
        let document = window.state().document().expect("a program is open");
        assert!(document.is_analysed());
        assert_eq!(document.has_faulty_program(), faulty);
        assert_eq!(!problems(&window).is_empty(), faulty);
    }
    window.state().services.renderer.cancel();
}

/// Edits the text again while the version with an error loads. The error moves to its place in the new text.
#[test]
fn errors_of_an_earlier_text_are_at_their_places_in_the_new_one() {
    let mut window = drawing_slowly();
    let document = window.state().document_mut().expect("a program is open");
    let part = Part::Program(Slot::Fragment);
    let wrong = Change::between(document.active().text(), &slow().replacen("MOV sum", "MOVE sum", 1));
    document.edit(part, wrong, Cause::Typed);
    load_only(&mut window);
    let document = window.state().document_mut().expect("a program is open");
    let typed =
        Change { start: 0, removed: String::new(), inserted: "!!ARBfp1.0\n# one\n# two\n".to_owned() };
    document.edit(part, typed, Cause::Typed);
    window.until("the error is there", |state| state.document().is_some_and(|d| d.error_count() > 0));
    let document = window.state().document().expect("a program is open");
    assert!(!document.is_analysed(), "it is of the text before");
    let span = document.active().diagnostics()[0].span();
    assert_eq!(&document.active().text()[span.start..span.end], "MOVE");
    window.harness.run_steps(60);
    let words = "Checking the text. These problems are from before your last changes.";
    use egui_kittest::kittest::Queryable as _;
    assert!(window.harness.query_by_label(words).is_some());
    window.state().services.renderer.cancel();
}
