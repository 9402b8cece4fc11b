//! Lessons: a page, a scene to edit, and checks that report the faults of an answer. Nothing here uses egui.
//!
//! A course is a folder of lesson folders, in the order of their names. A lesson's folder is a scene, the
//! learner's start. It also has `lesson.toml` ([`Lesson`], [`Check`]), the page `lesson.md`, and in
//! `solution/` the files that the solution changes. `samples/lessons/README.md` documents the format.
//!
//! [`check()`] draws and steps a learner's answer and compares it with the solution. [`Lesson::faults`]
//! checks the lesson itself.

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
mod wording;

#[cfg(test)]
mod tests;

pub use check::{Answer, Fault, Outcome, Reference, Report, Status, check};
pub use classroom::{Checked, Classroom};
pub use course::{Course, bundled_course};
pub use page::{Page, PagePart};
pub use progress::Progress;
pub use spec::{Check, Invocation, Lesson, Task, Usage, Variation, Word};

/// Name of the file that describes a lesson.
pub const LESSON_FILE: &str = "lesson.toml";

/// Name of a lesson's page.
pub const PAGE_FILE: &str = "lesson.md";

/// Folder in a lesson's folder for the files that the solution changes.
pub const SOLUTION_FOLDER: &str = "solution";
