//! The open course, the latest check results of its documents, and the learner's saved answers.

use super::{Course, Lesson, Report, bundled_course};
use crate::model::{Document, DocumentId, Draft, PerDocument};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Check results for one revision of a document's texts.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Revision of the document's texts.
    pub revision: u64,
    /// The results, or the reason that the checks could not run.
    pub report: Result<Report, String>,
}

/// The open course, with results and answers.
#[derive(Debug)]
pub struct Classroom {
    course: Arc<Course>,
    /// The lesson that each document was opened as. Saving the document elsewhere does not change its lesson.
    lessons: BTreeMap<DocumentId, Arc<Lesson>>,
    checked: BTreeMap<DocumentId, Checked>,
    /// The latest answers to closed lessons, by [`Lesson::number`].
    answers: BTreeMap<u64, Arc<Draft>>,
    /// The document and the revision of the latest check request.
    asked: Option<(DocumentId, u64)>,
}

impl Default for Classroom {
    fn default() -> Self {
        let (lessons, checked, answers) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { course: bundled_course(), lessons, checked, answers, asked: None }
    }
}

impl Classroom {
    pub fn course(&self) -> &Arc<Course> {
        &self.course
    }

    pub fn open(&mut self, course: Arc<Course>) {
        self.course = course;
    }

    /// The lesson of `document`, if it has one.
    pub fn lesson_of(&self, document: &Document) -> Option<&Arc<Lesson>> {
        let index = || self.course.position(document.own_folder());
        self.lessons.get(&document.id).or_else(|| self.course.lessons.get(index()?))
    }

    /// The latest saved answer to `lesson`.
    pub fn answer(&self, lesson: &Lesson) -> Option<&Arc<Draft>> {
        self.answers.get(&lesson.number())
    }

    /// The latest saved answer to the bundled lesson in the folder `name`.
    pub fn answer_in(&self, name: &str) -> Option<&Arc<Draft>> {
        let course = bundled_course();
        let lesson = course.lessons.iter().find(|lesson| lesson.key() == name)?;
        self.answer(lesson)
    }

    /// Saves the answer to `lesson`. `None` discards the answer, so that the lesson starts over.
    pub fn keep_answer(&mut self, lesson: &Lesson, answer: Option<Arc<Draft>>) {
        match answer {
            Some(answer) => self.answers.insert(lesson.number(), answer),
            None => self.answers.remove(&lesson.number()),
        };
    }

    /// Sets the saved answers of earlier sessions.
    pub fn take_answers(&mut self, answers: BTreeMap<u64, Arc<Draft>>) {
        self.answers = answers;
    }

    /// The latest check results of `document`.
    pub fn checked(&self, document: DocumentId) -> Option<&Checked> {
        self.checked.get(&document)
    }

    /// Stores check results. Returns the lesson if they solve it.
    pub fn take(&mut self, document: DocumentId, checked: Checked) -> Option<Arc<Lesson>> {
        let solved = checked.report.as_ref().is_ok_and(Report::is_solved);
        self.checked.insert(document, checked);
        self.lessons.get(&document).filter(|_| solved).cloned()
    }

    /// Records the lesson of `document`. Returns the lesson if the texts are loaded and need a check.
    pub fn to_check(&mut self, document: &Document) -> Option<Arc<Lesson>> {
        let lesson = Arc::clone(self.lesson_of(document)?);
        self.lessons.insert(document.id, Arc::clone(&lesson));
        let asked = (document.id, document.revision);
        let ready = document.is_analysed() && !document.is_reading();
        if !ready || self.asked == Some(asked) {
            return None;
        }
        if self.checked.get(&document.id).is_some_and(|checked| checked.revision == document.revision) {
            return None;
        }
        self.asked = Some(asked);
        Some(lesson)
    }
}

impl PerDocument for Classroom {
    fn forget(&mut self, closed: DocumentId) {
        self.lessons.remove(&closed);
        self.checked.remove(&closed);
        self.asked.forget(closed);
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        let maps = self.lessons.keys().chain(self.checked.keys()).copied();
        maps.chain(self.asked.kept()).collect()
    }
}
