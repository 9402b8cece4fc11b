//! Courses and their lessons.

use super::files::activate;
use crate::app::State;
use crate::lesson::{Course, bundled_course};
use crate::model::DocumentId;
use crate::settings::Pane;
use crate::tasks::{Purpose, Question};
use std::sync::Arc;

/// Opens lesson `index` of the course in a tab, or goes to the tab that it has.
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

/// Puts the texts of a lesson back to what it begins with.
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

/// Goes back to the course that is compiled in.
pub(super) fn open_bundled(state: &mut State) {
    show_course(state, bundled_course());
}

/// Opens `course` and shows its lessons.
pub(crate) fn show_course(state: &mut State, course: Arc<Course>) {
    state.classroom.open(course);
    show(state);
}

/// Shows the lessons.
pub(super) fn show(state: &mut State) {
    state.panels.learn.show_lessons();
    state.settings.layout.show(Pane::Learn);
}
