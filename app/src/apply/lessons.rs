//! Opens courses and lessons, and checks the answers.

use super::files::{activate, succeeded};
use crate::learn::Learn;
use crate::lesson::{Answer, Checked, Course, Lesson, bundled_course};
use crate::mailbox::Urgency;
use crate::model::{Document, DocumentId, Part};
use crate::scene::SceneError;
use crate::session::RenderError;
use crate::settings::Pane;
use crate::state::{NoticeKind, Room, State};
use crate::tasks::{Begun, Purpose, Question};
use crate::worker::{LessonReply, LessonRequest};
use std::sync::Arc;

/// Opens lesson `index` of the course in a tab, or goes to its open tab.
pub(super) fn start(state: &mut State, index: usize) {
    let Some(lesson) = state.classroom.course().lessons.get(index).cloned() else { return };
    let is_it =
        |document| state.classroom.lesson_of(document).is_some_and(|other| other.is_in(&lesson.folder));
    match state.documents.iter().position(is_it) {
        Some(open) => {
            activate(state, open);
            state.focus_editor = Some(());
        }
        None => {
            let answer = state.classroom.answer(&lesson).cloned();
            state.services.tasks.open_lesson(lesson, answer);
        }
    }
}

/// Resets the texts of a lesson to its start.
pub(super) fn start_over(state: &mut State, id: DocumentId) {
    if let Some(document) = state.find_document(id) {
        document.start_over();
        state.programs_changed();
    }
}

/// Asks for the folder of a course.
pub(super) fn ask_for_course(state: &State) {
    state.services.tasks.ask(Question { purpose: Purpose::Course, folder: None, name: String::new() });
}

/// Goes back to the bundled course.
pub(super) fn open_bundled(state: &mut State, learn: &mut Learn) {
    show_course(state, learn, bundled_course());
}

/// Opens `course` and shows its lessons.
fn show_course(state: &mut State, learn: &mut Learn, course: Arc<Course>) {
    state.classroom.open(course);
    show(state, learn);
}

/// Shows the lessons.
pub(super) fn show(state: &mut State, learn: &mut Learn) {
    learn.show_lessons();
    state.settings.layout.show(Pane::Learn);
}

/// Requests a check of the document shown, if it is a lesson and its loaded texts have not been checked.
pub fn want_report(state: &mut State) {
    let Some(document) = state.documents.get(state.active) else { return };
    if state.held_why(document).is_some() {
        return;
    }
    let Some(lesson) = state.classroom.to_check(document) else { return };
    let request = LessonRequest {
        document: document.id,
        revision: document.revision,
        lesson,
        answer: Answer { texts: document.program_texts(), scene: Arc::clone(&document.scene) },
        kept: state.services.drafts.take(document),
    };
    state.services.lessons.request(request, Urgency::Now);
}

/// Stores the report of the checks.
pub fn take_report(state: &mut State, reply: LessonReply) {
    let report = match reply.outcome {
        Ok(report) => Ok(report),
        Err(RenderError::Cancelled) => return,
        Err(error) => Err(format!("This lesson cannot be checked: {error}")),
    };
    if !state.documents.iter().any(|document| document.id == reply.document) {
        return;
    }
    let checked = Checked { revision: reply.revision, report };
    if let Some(lesson) = state.classroom.take(reply.document, checked)
        && state.settings.lessons.solve(&lesson)
    {
        state.notify(NoticeKind::Info, format!("Solved: {}", lesson.title));
    }
}

/// Shows an opened course, or a notice with the error.
pub(super) fn take_course(state: &mut State, learn: &mut Learn, opened: Result<Arc<Course>, SceneError>) {
    if let Some(course) = succeeded(state, |purpose| *purpose == Purpose::Course, opened) {
        show_course(state, learn, course);
    }
}

/// Shows the opened start of `lesson`, or the saved answer, in the tab of the previous lesson.
pub(super) fn take_lesson(state: &mut State, lesson: &Lesson, opened: Result<Begun, SceneError>) {
    let begun = match opened {
        Ok(begun) => begun,
        Err(error) => return state.notify(NoticeKind::Error, error.to_string()),
    };
    let main = match &begun {
        Begun::Scene(scene) => Some(lesson.main_program(scene)),
        Begun::Answer(_) => None,
    };
    let mut document = state.made_of(begun);
    main.into_iter().for_each(|main| _ = document.activate(Part::Program(main)));
    let is_lesson = |document: &Document| state.answered(document).is_some();
    let shown = state.document().is_some_and(is_lesson).then_some(state.active);
    match shown.or_else(|| state.documents.iter().position(is_lesson)) {
        Some(before) => state.replace_document(before, document),
        None => state.place_in_front(document, Room::Untouched),
    }
    state.document_switched();
}
