//! Courses: folders of lessons, in the order of the folders' names.

use super::{LESSON_FILE, Lesson};
use crate::markdown;
use crate::printable;
use crate::scene::{Folder, SceneError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The path of the bundled course among the samples.
const BUNDLED: &str = "lessons";

/// Lessons in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The heading of the course's README.md, or else the folder's name.
    pub title: String,
    pub folder: Folder,
    /// The lessons, at least one.
    pub lessons: Vec<Arc<Lesson>>,
}

impl Course {
    /// Reads the course at `path`: a folder of lessons, or a single lesson.
    ///
    /// # Errors
    /// No lesson exists there, or a lesson has an error.
    pub fn open(path: &Path) -> Result<Self, SceneError> {
        Self::read(Folder::Disk(absolute(path)))
    }

    /// Reads the course in `folder`.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn read(folder: Folder) -> Result<Self, SceneError> {
        let (title, lessons) = Self::read_each(&folder)?;
        let lessons = lessons.into_iter().map(|lesson| lesson.map(Arc::new)).collect::<Result<_, _>>()?;
        Ok(Self { title, folder, lessons })
    }

    /// Reads the title and the lessons of the course in `folder`, each lesson or its error.
    ///
    /// # Errors
    /// No lesson exists there.
    pub fn read_each(folder: &Folder) -> Result<(String, Vec<Result<Lesson, SceneError>>), SceneError> {
        let own = match folder {
            Folder::Disk(path) => absolute(path)
                .file_name()
                .map_or_else(|| "course".to_owned(), |name| name.to_string_lossy().into_owned()),
            Folder::Bundled(name) => (*name).to_owned(),
            Folder::Memory(_) | Folder::With(..) => "course".to_owned(),
        };
        let names = folder.names_in("");
        if names.iter().any(|name| name == LESSON_FILE) {
            let lesson = Lesson::read(&own, folder.clone());
            let title = lesson.as_ref().map_or_else(|_| own.clone(), |lesson| lesson.title.clone());
            return Ok((title, vec![lesson]));
        }
        let is_lesson = |name: &String| folder.names_in(name).iter().any(|inner| inner == LESSON_FILE);
        let lessons = names.into_iter().filter(is_lesson);
        let lessons: Vec<_> =
            lessons.filter_map(|name| Some(Lesson::read(&name, folder.inner(&name)?))).collect();
        if lessons.is_empty() {
            let words = format!("there is no lesson in this folder: none of its folders has a {LESSON_FILE}");
            return Err(SceneError::new(folder.display(""), words));
        }
        let readme = folder.read_up_to("README.md", markdown::MAX_BYTES).ok();
        let readme = readme.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        let title =
            readme.lines().find_map(|line| line.strip_prefix("# ")).map_or(own, |t| t.trim().to_owned());
        Ok((printable::line(&title).into_owned(), lessons))
    }

    /// The index of the lesson in `folder`.
    pub fn position(&self, folder: &Folder) -> Option<usize> {
        let whole = match folder {
            Folder::Disk(path) if path.is_relative() => Some(Folder::Disk(absolute(path))),
            _ => None,
        };
        self.lessons.iter().position(|lesson| lesson.is_in(whole.as_ref().unwrap_or(folder)))
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The bundled course. Empty only in a build without it.
pub fn bundled_course() -> Arc<Course> {
    static COURSE: OnceLock<Arc<Course>> = OnceLock::new();
    let read = || {
        let folder = Folder::Bundled(BUNDLED);
        let none = Course { title: "Lessons".to_owned(), folder: folder.clone(), lessons: Vec::new() };
        // A test reads the course, so a released course has no error.
        Arc::new(Course::read(folder).unwrap_or(none))
    };
    Arc::clone(COURSE.get_or_init(read))
}
