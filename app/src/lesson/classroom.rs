//! The course that is open, and what its checks say of the documents that are lessons.

use super::{Course, Lesson, Report, bundled_course};
use crate::model::{Document, DocumentId, Draft, PerDocument};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the checks said of a text.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Revision of the document's texts.
    pub revision: u64,
    /// What they said, or why they could not be run.
    pub report: Result<Report, String>,
}

/// The course that is open and what goes on in it.
#[derive(Debug)]
pub struct Classroom {
    course: Arc<Course>,
    /// The lessons that documents were opened as. Saving one elsewhere makes it no other.
    lessons: BTreeMap<DocumentId, Arc<Lesson>>,
    checked: BTreeMap<DocumentId, Checked>,
    /// Answers to lessons that were left, by [`Lesson::number`].
    answers: BTreeMap<u64, Arc<Draft>>,
    /// What was asked for last.
    asked: Option<(DocumentId, u64)>,
}

impl Default for Classroom {
    fn default() -> Self {
        let (lessons, checked, answers) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { course: bundled_course(), lessons, checked, answers, asked: None }
    }
}

impl Classroom {
    /// The course that is open.
    pub fn course(&self) -> &Arc<Course> {
        &self.course
    }

    /// Opens `course`.
    pub fn open(&mut self, course: Arc<Course>) {
        self.course = course;
    }

    /// The lesson that `document` is, if it is one.
    pub fn lesson_of(&self, document: &Document) -> Option<&Arc<Lesson>> {
        let index = || self.course.position(document.own_folder());
        self.lessons.get(&document.id).or_else(|| self.course.lessons.get(index()?))
    }

    /// The answer to `lesson` that was left last.
    pub fn answer(&self, lesson: &Lesson) -> Option<&Arc<Draft>> {
        self.answers.get(&lesson.number())
    }

    /// The answer to the lesson in the folder `name` of the binary.
    pub fn answer_in(&self, name: &str) -> Option<&Arc<Draft>> {
        let course = bundled_course();
        let lesson = course.lessons.iter().find(|lesson| lesson.key() == name)?;
        self.answer(lesson)
    }

    /// Keeps the answer to `lesson`, or has it begin anew.
    pub fn keep_answer(&mut self, lesson: &Lesson, answer: Option<Arc<Draft>>) {
        match answer {
            Some(answer) => self.answers.insert(lesson.number(), answer),
            None => self.answers.remove(&lesson.number()),
        };
    }

    /// Takes the answers that earlier sessions have kept.
    pub fn take_answers(&mut self, answers: BTreeMap<u64, Arc<Draft>>) {
        self.answers = answers;
    }

    /// What the checks said of `document` last.
    pub fn checked(&self, document: DocumentId) -> Option<&Checked> {
        self.checked.get(&document)
    }

    /// Takes what the checks say of `revision` of a document's texts; gives the lesson where that solves it.
    pub fn take(&mut self, document: DocumentId, checked: Checked) -> Option<Arc<Lesson>> {
        let solved = checked.report.as_ref().is_ok_and(Report::is_solved);
        self.checked.insert(document, checked);
        self.lessons.get(&document).filter(|_| solved).cloned()
    }

    /// Notes which lesson `document` is, and gives that where its texts, which are loaded, are to be checked.
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
