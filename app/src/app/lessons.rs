//! Lessons as documents: what is checked, and what comes of it.

use super::{Closing, NoticeKind, Room, State};
use crate::command;
use crate::lesson::{Answer, Checked, Course, Lesson};
use crate::mailbox::Urgency;
use crate::model::{Document, Draft, Part};
use crate::scene::SceneError;
use crate::session::RenderError;
use crate::tasks::{Begun, Purpose};
use crate::worker::{LessonReply, LessonRequest};
use std::sync::Arc;

/// Has the document shown checked, if it is a lesson whose texts have been loaded since the checks looked at them last.
pub(super) fn want_report(state: &mut State) {
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

/// Takes what the checks say.
pub(super) fn take_report(state: &mut State, reply: LessonReply) {
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

/// Shows the course that was opened.
pub(super) fn take_course(state: &mut State, opened: Result<Arc<Course>, SceneError>) {
    let words = opened.as_ref().map(|_| ()).map_err(ToString::to_string);
    if command::answer_prompt(state, |purpose| *purpose == Purpose::Course, words) {
        return;
    }
    match opened {
        Ok(course) => command::show_course(state, course),
        Err(error) => state.notify(NoticeKind::Error, error.to_string()),
    }
}

/// Shows the start of `lesson` that was opened, or the answer to it, in the tab of the lesson before.
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

impl State {
    /// The lesson that `document` is the answer to. One that was saved elsewhere is a file like others.
    pub fn answered(&self, document: &Document) -> Option<&Arc<Lesson>> {
        self.classroom.lesson_of(document).filter(|lesson| lesson.is_in(document.own_folder()))
    }

    /// Whether closing would lose changes of `document`. Answers to lessons are kept, by `keep_answer`.
    pub fn waits_for(&self, closing: Closing, document: &Document) -> bool {
        let is_kept = self.answered(document).is_some();
        document.is_modified()
            && match closing {
                Closing::Tab(id) => id == document.id && !is_kept,
                Closing::App => !is_kept || !self.services.drafts.keeps(),
            }
    }

    /// Keeps what is typed in the document at `index`, if it is a lesson, for when that is opened again. Where the learner
    /// has gone back to the start of the lesson there is nothing to keep.
    pub(super) fn keep_answer(&mut self, index: usize) {
        let Some(document) = self.documents.get(index) else { return };
        let Some(lesson) = self.answered(document).cloned() else { return };
        let answer = match (document.is_modified(), document.can_undo()) {
            (true, _) => Some(Arc::new(Draft::of(document))),
            (false, true) => None,
            // It was looked at.
            (false, false) => return,
        };
        self.classroom.keep_answer(&lesson, answer.clone());
        self.services.drafts.keep_answer(lesson.number(), answer);
    }
}
