//! What `lesson.toml` says, as plain data, and the scenes of a lesson: its start and its solution.

use super::{PAGE_FILE, Page, SOLUTION_FOLDER};
use crate::markdown;
use crate::model::Sum;
use crate::scene::{
    self, Folder, Known, ParameterKey, ProgramFile, Reach, ReadError, SCENE_FILE, Scene, SceneError, Slot,
};
use std::borrow::Cow;
use std::sync::Arc;

/// One lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Its folder's name, such as `01-four-components`.
    pub name: String,
    /// Title for people.
    pub title: String,
    /// What it teaches, one line.
    pub about: String,
    /// What the lessons from here on have in common; empty where nothing is said of this one.
    pub chapter: String,
    /// Time of the picture that is checked, in seconds.
    pub time_secs: f32,
    /// Hints, the least telling first.
    pub hints: Vec<String>,
    /// What has to be so, in the order in which it is told.
    pub checks: Vec<Check>,
    /// The page, or why it cannot be shown.
    pub page: Result<Page, SceneError>,
    /// The files that differ when it is solved: name and text.
    pub solution: Vec<(String, String)>,
    /// Where it is.
    pub folder: Folder,
}

/// Something that has to be so.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What the author tells of it where it is not; may be empty.
    pub says: String,
    /// What it is.
    pub task: Task,
}

/// What has to be so.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Every program loads.
    Loads,
    /// A program fails to load with this code.
    Error {
        /// Name of the kind of fault, as `check -v` prints it.
        code: String,
        /// Which program; any of them without one.
        program: Option<Slot>,
    },
    /// The picture is that of the solution: red, green and blue as the screen shows them, which is from 0 to 1.
    Picture {
        /// Compares alpha as well, from 0 to 1.
        alpha: bool,
        /// Parameters that both pictures are drawn with, in place of the scene's.
        parameters: Variation,
        /// How far a component may be off.
        tolerance: f64,
        /// The part that counts, as (left, bottom, width, height) in pixels; all of it without one.
        rect: Option<[u32; 4]>,
    },
    /// A pixel has a colour.
    Pixel {
        /// Which, from the lower left.
        at: [u32; 2],
        /// The first components of its colour.
        color: Vec<f64>,
        /// How far a component may be off.
        tolerance: f64,
    },
    /// The fragment program discards the last fragment at a pixel.
    Discarded {
        /// The pixel, from the lower left.
        at: [u32; 2],
    },
    /// The scene gives a parameter this value.
    Parameter {
        /// The parameter.
        key: ParameterKey,
        /// Its first components.
        value: Vec<f64>,
        /// How far a component may be off.
        tolerance: f64,
    },
    /// Two invocations execute different instructions.
    Branches {
        /// The two.
        of: [Invocation; 2],
    },
    /// A register has a value.
    Register {
        /// Its name in the program text.
        name: String,
        /// Which components, bit 0 for x.
        components: u8,
        /// Whose register.
        of: Invocation,
        /// What it is to have there, a number a component.
        value: Vec<f64>,
        /// A piece of a line of the program: the value counts where the run first comes to that line. At the end without one.
        line: Option<String>,
        /// How far a component may be off.
        tolerance: f64,
    },
    /// Elements of a buffer have values after the picture.
    Buffer {
        /// The buffer's name.
        name: String,
        /// Number of the first of the elements.
        first: u32,
        /// What they are to be.
        value: Vec<f64>,
        /// How far each may be off.
        tolerance: f64,
    },
    /// A number of instructions.
    Instructions {
        /// Not more than these.
        most: Option<usize>,
        /// Not fewer than these.
        least: Option<usize>,
        /// Counts only instructions with this mnemonic.
        named: Option<String>,
        /// Whose executed ones; those that stand in the program without one.
        of: Option<Invocation>,
        /// Which program, where they are those that stand in it; the lesson's own without one.
        program: Option<Slot>,
    },
    /// A program uses something, or does without it.
    Text {
        /// Whether it has to be there.
        usage: Usage,
        /// What.
        word: Word,
        /// Which program; the lesson's own without one.
        program: Option<Slot>,
    },
}

/// Values of parameters that take the place of the scene's.
pub type Variation = Vec<(ParameterKey, Vec<f64>)>;

/// What runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invocation {
    /// The fragment program for the fragment that can be seen at a pixel, from the lower left.
    Pixel([u32; 2]),
    /// The vertex program for this element.
    Vertex(u32),
}

/// Whether something has to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// It has.
    Uses,
    /// It must not be there.
    Avoids,
}

/// Something that a program's text can have.
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
    /// Whether it is looked at in programs that load.
    pub const fn needs_programs(&self) -> bool {
        !matches!(self, Self::Loads | Self::Error { .. })
    }
}

impl Lesson {
    /// What tells it from all other lessons, of any course.
    pub fn key(&self) -> Cow<'_, str> {
        match &self.folder {
            Folder::Disk(path) => path.to_string_lossy(),
            Folder::Bundled(name) => (*name).into(),
            Folder::Memory(_) | Folder::With(..) => self.name.as_str().into(),
        }
    }

    /// A number of [`Self::key`], which stays the same from one version of Shadestep to the next.
    pub fn number(&self) -> u64 {
        let mut sum = Sum::default();
        sum.add(self.key().as_bytes());
        sum.value()
    }

    /// The scene that the learner begins with.
    ///
    /// # Errors
    /// Anything wrong with it.
    pub fn start(&self) -> Result<Scene, SceneError> {
        match &self.folder {
            Folder::Disk(path) => scene::load(path),
            Folder::Bundled(name) => scene::load_bundled(name),
            folder @ (Folder::Memory(_) | Folder::With(..)) => scene::load_in(folder.clone()),
        }
    }

    /// Whether `scene.toml` is a part of the task: the solution has one. Else a learner's programs are run in the scene that the
    /// lesson begins with, whatever the learner has done to the camera or a slider.
    pub fn edits_scene(&self) -> bool {
        self.solution.iter().any(|(name, _)| name == SCENE_FILE)
    }

    /// The program of `scene` that the lesson is about: the first one that the solution changes, else the one that matters most.
    pub fn main_program(&self, scene: &Scene) -> Slot {
        let is_changed = |name: &str| self.solution.iter().any(|(changed, _)| changed == name);
        let mut changed = scene.programs.iter().filter(|(_, file)| is_changed(&file.name));
        changed.next().map(|(slot, _)| slot).or_else(|| scene.programs.main()).unwrap_or(Slot::Fragment)
    }

    /// The scene as it is when the lesson is solved.
    ///
    /// # Errors
    /// Anything wrong with it.
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
    /// Anything wrong with the solution. [`Lesson::page`] holds what is wrong with the page.
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

    /// Whether `folder` is this lesson's.
    pub fn is_in(&self, folder: &Folder) -> bool {
        self.folder == *folder
    }
}

/// A scene as a learner would have written it.
impl From<Arc<Scene>> for super::Answer {
    fn from(scene: Arc<Scene>) -> Self {
        let texts = scene.programs.map(|_, file| Arc::clone(&file.text));
        Self { texts, scene }
    }
}
