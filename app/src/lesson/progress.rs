//! The solved lessons. The settings include this and save it.

use super::Lesson;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The solved lessons, by [`Lesson::key`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    solved: BTreeSet<String>,
}

impl Progress {
    /// Whether `lesson` has been solved.
    pub fn is_solved(&self, lesson: &Lesson) -> bool {
        self.solved.contains(&*lesson.key())
    }

    /// Records that `lesson` is solved. Returns true if it was not solved before.
    pub fn solve(&mut self, lesson: &Lesson) -> bool {
        self.solved.insert(lesson.key().into_owned())
    }

    /// Number of `lessons` that are solved.
    pub fn count<'l>(&self, lessons: impl IntoIterator<Item = &'l Lesson>) -> usize {
        lessons.into_iter().filter(|lesson| self.is_solved(lesson)).count()
    }
}
