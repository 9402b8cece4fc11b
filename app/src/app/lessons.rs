//! Lessons as documents: what is checked, and what comes of it.

use super::{NoticeKind, State};
use crate::command;
use crate::lesson::{Answer, Checked, Course, Lesson};
use crate::model::Part;
use crate::scene::{Scene, SceneError};
use crate::session::RenderError;
use crate::tasks::Purpose;
use crate::worker::{LessonReply, LessonRequest, Urgency};
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

/// Shows the start of `lesson` that was opened, with the program in front that the lesson is about.
pub(super) fn take_lesson(state: &mut State, lesson: &Lesson, opened: Result<Box<Scene>, SceneError>) {
    match opened {
        Ok(scene) => {
            let main = lesson.main_program(&scene);
            state.open_scene(*scene);
            if let Some(document) = state.document_mut() {
                document.activate(Part::Program(main));
            }
        }
        Err(error) => state.notify(NoticeKind::Error, error.to_string()),
    }
}
