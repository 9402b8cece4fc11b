//! The contents of `lesson.toml` as plain data, and the two scenes of a lesson: its start and its solution.

use super::{PAGE_FILE, Page, SOLUTION_FOLDER};
use crate::markdown;
use crate::model::Sum;
use crate::scene::{
    self, Folder, Known, ParameterKey, ProgramFile, Reach, ReadError, SCENE_FILE, Scene, SceneError, Slot,
};
use std::borrow::Cow;
use std::sync::Arc;

/// A lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// The folder's name, such as `01-four-components`.
    pub name: String,
    /// Title, for display.
    pub title: String,
    /// The lesson's subject in one line.
    pub about: String,
    /// The name of the chapter that begins with this lesson. Empty if the lesson continues a chapter.
    pub chapter: String,
    /// Time of the picture that is checked, in seconds.
    pub time_secs: f32,
    /// Hints, from the vaguest to the most explicit.
    pub hints: Vec<String>,
    /// The checks, in the order of display.
    pub checks: Vec<Check>,
    /// The page, or the error in it.
    pub page: Result<Page, SceneError>,
    /// The files that the solution changes: name and text.
    pub solution: Vec<(String, String)>,
    pub folder: Folder,
}

/// A requirement on the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The author's words for an answer that fails; may be empty.
    pub says: String,
    /// The requirement.
    pub task: Task,
}

/// A requirement.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Every program loads.
    Loads,
    /// A program fails to load with this code.
    Error {
        /// The code of the error, as `check -v` prints it.
        code: String,
        /// The program; any program if `None`.
        program: Option<Slot>,
    },
    /// The picture equals the solution's. Red, green and blue are clamped to 0 to 1, as on the screen.
    Picture {
        /// Compares alpha as well, from 0 to 1.
        alpha: bool,
        /// Values that replace the scene's parameters for both pictures.
        parameters: Variation,
        /// Greatest allowed difference of a component.
        tolerance: f64,
        /// The part that is compared, as (left, bottom, width, height) in pixels; the whole picture if
        /// `None`.
        rect: Option<[u32; 4]>,
    },
    /// A pixel has a colour.
    Pixel {
        /// The pixel, from the lower left.
        at: [u32; 2],
        /// The first components of the expected colour.
        color: Vec<f64>,
        /// Greatest allowed difference of a component.
        tolerance: f64,
    },
    /// The fragment program discards the last fragment at a pixel.
    Discarded {
        /// The pixel, from the lower left.
        at: [u32; 2],
    },
    /// The scene gives a parameter this value.
    Parameter {
        key: ParameterKey,
        /// The first components of the expected value.
        value: Vec<f64>,
        /// Greatest allowed difference of a component.
        tolerance: f64,
    },
    /// Two invocations execute different instructions.
    Branches {
        /// Both invocations.
        of: [Invocation; 2],
    },
    /// A register has a value.
    Register {
        /// The name in the program text.
        name: String,
        /// The components, bit 0 for x.
        components: u8,
        /// The invocation.
        of: Invocation,
        /// The expected value, a number for each component.
        value: Vec<f64>,
        /// A part of a line of the program. The value is compared when the run first reaches that line, or at
        /// the end if `None`.
        line: Option<String>,
        /// Greatest allowed difference of a component.
        tolerance: f64,
    },
    /// Elements of a buffer have values after the picture.
    Buffer {
        /// The name of the buffer.
        name: String,
        /// Index of the first element.
        first: u32,
        /// The expected values.
        value: Vec<f64>,
        /// Greatest allowed difference of an element.
        tolerance: f64,
    },
    /// The number of instructions is within bounds.
    Instructions {
        /// Upper bound.
        most: Option<usize>,
        /// Lower bound.
        least: Option<usize>,
        /// Counts only instructions with this mnemonic.
        named: Option<String>,
        /// Counts the instructions that this invocation executes. `None` counts the instructions in the
        /// program.
        of: Option<Invocation>,
        /// The program, if `of` is `None`. `None` is the lesson's main program.
        program: Option<Slot>,
    },
    /// A program uses a word, or avoids it.
    Text {
        usage: Usage,
        word: Word,
        /// The program. `None` is the lesson's main program.
        program: Option<Slot>,
    },
}

/// Values of parameters that replace the scene's.
pub type Variation = Vec<(ParameterKey, Vec<f64>)>;

/// One run of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invocation {
    /// The fragment program for the visible fragment at a pixel, from the lower left.
    Pixel([u32; 2]),
    /// The vertex program for the element with this number.
    Vertex(u32),
}

/// Whether a program must use a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// The program must use the word.
    Uses,
    /// The program must not use the word.
    Avoids,
}

/// A word of a program's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// An instruction, by its mnemonic without suffixes.
    Instruction(String),
    /// A suffix of an instruction, such as `SAT`.
    Suffix(String),
    /// A temporary, an output or an attribute, by its name.
    Register(String),
}

impl Task {
    /// Whether the check needs programs that load.
    pub const fn needs_programs(&self) -> bool {
        !matches!(self, Self::Loads | Self::Error { .. })
    }
}

impl Lesson {
    /// A key that is unique among the lessons of all courses.
    pub fn key(&self) -> Cow<'_, str> {
        match &self.folder {
            Folder::Disk(path) => path.to_string_lossy(),
            Folder::Bundled(name) => (*name).into(),
            Folder::Memory(_) | Folder::With(..) => self.name.as_str().into(),
        }
    }

    /// A hash of [`Self::key`]. The hash is the same in all versions of Shadestep.
    pub fn number(&self) -> u64 {
        let mut sum = Sum::default();
        sum.add(self.key().as_bytes());
        sum.value()
    }

    /// Reads the scene at the start.
    ///
    /// # Errors
    /// An error in the scene.
    pub fn start(&self) -> Result<Scene, SceneError> {
        match &self.folder {
            Folder::Disk(path) => scene::load(path),
            Folder::Bundled(name) => scene::load_bundled(name),
            folder @ (Folder::Memory(_) | Folder::With(..)) => scene::load_in(folder.clone()),
        }
    }

    /// Whether the task includes `scene.toml`, because the solution has one. Otherwise the learner's programs
    /// run in the lesson's own scene, whatever camera or sliders the learner has changed.
    pub fn edits_scene(&self) -> bool {
        self.solution.iter().any(|(name, _)| name == SCENE_FILE)
    }

    /// The program of `scene` that the lesson is about: the first program that the solution changes, or else
    /// the scene's main program.
    pub fn main_program(&self, scene: &Scene) -> Slot {
        let is_changed = |name: &str| self.solution.iter().any(|(changed, _)| changed == name);
        let mut changed = scene.programs.iter().filter(|(_, file)| is_changed(&file.name));
        changed.next().map(|(slot, _)| slot).or_else(|| scene.programs.main()).unwrap_or(Slot::Fragment)
    }

    /// Reads the scene of the solution.
    ///
    /// # Errors
    /// An error in the scene.
    pub fn solved(&self) -> Result<Scene, SceneError> {
        let (scenes, programs): (Vec<_>, Vec<_>) =
            self.solution.iter().partition(|(name, _)| name == SCENE_FILE);
        let program = |(name, text): &(String, String)| ProgramFile {
            name: name.clone(),
            path: None,
            text: text.as_bytes().into(),
        };
        let programs: Vec<ProgramFile> = programs.into_iter().map(program).collect();
        let toml = match scenes.first() {
            Some((_, toml)) => toml.clone(),
            None => scene::utf8(SCENE_FILE, &self.folder.read(SCENE_FILE)?)?.to_owned(),
        };
        let known = Known { programs: &programs, ..Known::default() };
        let read = scene::read(&toml, (&self.name, None), &self.folder, known, Reach::Files);
        let scene = read.map_err(|error| match error {
            ReadError::Fault(error) => error,
            ReadError::Unread => SceneError::new(SCENE_FILE, "its files cannot be read"),
        })?;
        let is_used = |name: &str| scene.programs.iter().any(|(_, file)| file.name == name);
        match programs.iter().find(|program| !is_used(&program.name)) {
            Some(program) => {
                let name = format!("{SOLUTION_FOLDER}/{}", program.name);
                Err(SceneError::new(name, "the scene has no program with this name"))
            }
            None => Ok(scene),
        }
    }

    /// Reads the page and the files of the solution.
    ///
    /// # Errors
    /// An error in the solution. An error in the page is in [`Lesson::page`].
    pub(super) fn read_texts(&mut self, folder: &Folder) -> Result<(), SceneError> {
        let read = |name: &str| {
            let bytes = folder.read_up_to(name, markdown::MAX_BYTES)?;
            scene::utf8(name, &bytes).map(str::to_owned)
        };
        self.page = read(PAGE_FILE).and_then(|text| Page::new(&text));
        let names = folder.names_in(SOLUTION_FOLDER).into_iter().filter(|name| !name.starts_with('.'));
        let solution = names.map(|name| Ok((read(&format!("{SOLUTION_FOLDER}/{name}"))?, name)));
        let solution = solution.map(|read| read.map(|(text, name)| (name, text)));
        self.solution = solution.collect::<Result<_, SceneError>>()?;
        if self.solution.is_empty() {
            let words = "the folder is empty: add the files that differ when the lesson is solved";
            return Err(SceneError::new(SOLUTION_FOLDER, words));
        }
        Ok(())
    }

    /// Whether `folder` is the folder of this lesson.
    pub fn is_in(&self, folder: &Folder) -> bool {
        self.folder == *folder
    }
}

/// Turns a scene into the answer of a learner who wrote it.
impl From<Arc<Scene>> for super::Answer {
    fn from(scene: Arc<Scene>) -> Self {
        let texts = scene.programs.map(|_, file| Arc::clone(&file.text));
        Self { texts, scene }
    }
}
