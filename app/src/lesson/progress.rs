//! Which lessons are solved. It is a part of the settings, and kept with them.

use super::Lesson;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Which lessons are solved, by [`Lesson::key`].
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

    /// Notes that `lesson` is solved; says whether it was not before.
    pub fn solve(&mut self, lesson: &Lesson) -> bool {
        self.solved.insert(lesson.key().into_owned())
    }

    /// How many of `lessons` are solved.
    pub fn count<'l>(&self, lessons: impl IntoIterator<Item = &'l Lesson>) -> usize {
        lessons.into_iter().filter(|lesson| self.is_solved(lesson)).count()
    }
}
