//! Lessons: pages with a scene to edit, a task, and checks that say what is still wrong. No egui here, and no panel.
//!
//! A course is a folder of lesson folders, in the order of their names. A lesson's folder is a scene, what the learner begins
//! with, and has beside it `lesson.toml` ([`Lesson`], [`Check`]), the page `lesson.md`, and in `solution/` the files that
//! differ when it is solved. `samples/lessons/README.md` documents the format.
//!
//! [`check()`] draws and steps what the learner has written and compares; [`Lesson::faults`] checks the lesson itself.

mod check;
mod classroom;
mod course;
mod fault;
mod page;
mod pictures;
mod program_text;
mod progress;
mod read;
mod runs;
mod spec;
mod words;

#[cfg(test)]
mod tests;

pub use check::{Answer, Fault, Outcome, Reference, Report, Status, check};
pub use classroom::{Checked, Classroom};
pub use course::{Course, bundled_course};
pub use page::{Page, PagePart};
pub use progress::Progress;
pub use spec::{Check, Invocation, Lesson, Task, Usage, Variation, Word};

/// Name of the file that makes a scene's folder a lesson.
pub const LESSON_FILE: &str = "lesson.toml";

/// Name of a lesson's page.
pub const PAGE_FILE: &str = "lesson.md";

/// Folder, within a lesson's, of the files that differ when it is solved.
pub const SOLUTION_FOLDER: &str = "solution";
