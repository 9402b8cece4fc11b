//! Runs a scene and its programs on the engine: compile, render, record.
//!
//! Scene data becomes engine state only here. The command line and the app's worker both use this module, so
//! they give the same pictures.

use crate::scene::{AutoSource, Component, MAX_SIZE, Programs, Scene, SceneError, Slot};
use shadestep_engine::diag::Diagnostic;
use shadestep_engine::exec::Cancelled;
use shadestep_engine::gl::{self, DrawCall};
use shadestep_engine::ir::Program;
use shadestep_engine::lint::{self, Interface};
use shadestep_engine::memory::Store;
use shadestep_engine::pipeline;
use shadestep_engine::query::FrameQueryError;
use shadestep_engine::source::LineIndex;
use shadestep_engine::texture::Texture;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub use frame::{Frame, Pixel, SetUp};
pub use inputs::{FrameInputs, REGISTERS};
pub use links::link_warnings;
pub use matrices::{Matrices, matrices};
pub use memory::{FrameMemory, MemoryFault, MemoryMap, PersistentBuffers};
pub use recording::{
    Agreement, Fragments, MAX_FRAGMENTS_KEPT, PixelRecording, PixelSamples, PrimitiveRecording,
    VertexRecording, count_fragments, each_fragment, pixel_after, record, record_primitive,
    record_state_program, record_vertex, verify_pixel,
};
pub use shadestep_engine::pipeline::{PixelState, PixelStatus, ShadedVertex, Stats};
pub use vertices::{VertexList, VertexValues, vertex_values};
pub use window::{DeepLine, Line, Window};

mod context;
mod frame;
mod inputs;
mod lighting;
mod links;
mod matrices;
mod memory;
mod recording;
mod vertices;
mod window;

#[cfg(test)]
mod tests;

/// The vertex program that draws the mesh of a scene without a vertex program.
pub const BUILT_IN_VERTEX_PROGRAM: &str = context::BUILT_IN;

/// State of the mouse button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Button {
    #[default]
    Up,
    Down,
}

/// The mouse over the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mouse {
    /// 0 to 1 from the lower left.
    pub position: [f32; 2],
    pub button: Button,
}

/// One frame to render: a scene snapshot and the values that change between frames.
#[derive(Clone, Debug)]
pub struct Job {
    /// The scene. Its program texts are ignored: [`Loaded`] has the programs that run.
    pub scene: Arc<Scene>,
    /// Width and height in pixels, 1 to [`MAX_SIZE`].
    pub size: [u32; 2],
    /// Seconds since the start.
    pub time_secs: f32,
    /// Number of the frame, from 0.
    pub frame: u32,
    pub mouse: Mouse,
    /// The output colour that the picture shows, `result.color[n]`. 0 unless the program uses
    /// ARB_draw_buffers.
    pub output_color: u8,
    /// The layer that the picture shows.
    pub layer: u32,
    /// The instance whose vertices are listed and stepped.
    pub instance: u32,
    /// Contents of the scene's buffers at the start of the frame. Empty to use the scene's initial contents.
    pub kept: Vec<Arc<Store>>,
    /// Number of vertices that [`Scene::drawn_again`] recorded in the previous frame. `None` without a
    /// previous frame.
    pub captured: Option<u32>,
    /// The picture of the previous frame for each of [`Scene::frame_textures`]. Empty without a previous
    /// frame.
    pub drawn: Vec<Arc<Texture>>,
    /// True to detect memory races, which is slower.
    pub finds_races: bool,
}

impl Job {
    /// The first frame of `scene` at its own size, at time 0.
    pub fn new(scene: Arc<Scene>) -> Self {
        let (size, layer) = (scene.size, scene.layers.shown);
        Self {
            scene,
            size,
            time_secs: 0.0,
            frame: 0,
            mouse: Mouse::default(),
            output_color: 0,
            layer,
            instance: 0,
            kept: Vec::new(),
            captured: None,
            drawn: Vec::new(),
            finds_races: true,
        }
    }
}

/// A program text with the results of loading it.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub text: Arc<[u8]>,
    /// Errors and warnings, by position.
    pub diagnostics: Vec<Diagnostic>,
    /// The program, if it loads.
    pub program: Option<Arc<Program>>,
    /// The program's interface with other stages.
    pub interface: Option<Arc<Interface>>,
    /// Line, from 0, of every instruction.
    pub lines: Vec<usize>,
    pub load_time: Duration,
}

/// The loaded programs of a scene: the results for each, and the context that holds the programs.
#[derive(Clone, Debug)]
pub struct Loaded {
    programs: Programs<Arc<Compiled>>,
    context: gl::Context,
}

impl Default for Loaded {
    fn default() -> Self {
        Self { programs: Programs::default(), context: context::initial() }
    }
}

impl Loaded {
    /// Returns the results of loading the program at `slot`.
    pub fn get(&self, slot: Slot) -> Option<&Arc<Compiled>> {
        self.programs.get(slot)
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Slot, &Arc<Compiled>)> {
        self.programs.iter()
    }

    /// Returns the programs with another text at `slot`.
    pub fn with_text(&self, slot: Slot, text: Arc<[u8]>) -> Self {
        let text_of =
            |other, compiled: &Arc<Compiled>| Arc::clone(if other == slot { &text } else { &compiled.text });
        compile_all(&self.programs.map(text_of), self)
    }

    /// Returns the slots that have a program.
    pub fn slots(&self) -> impl DoubleEndedIterator<Item = Slot> {
        self.programs.slots()
    }

    /// Returns the slot to show first (see [`Programs::main`]).
    pub fn main(&self) -> Option<Slot> {
        self.programs.main()
    }

    /// Returns the slots with a program if every program loaded.
    fn loaded(&self) -> Result<Programs<()>, RenderError> {
        let failed = self.iter().any(|(_, compiled)| compiled.program.is_none());
        if failed { Err(RenderError::NoProgram) } else { Ok(self.programs.map(|_, _| ())) }
    }
}

fn load(context: &mut gl::Context, slot: Slot, text: &Arc<[u8]>) -> Compiled {
    let start = Instant::now();
    let id = context::program_id(slot);
    let outcome = context.load_program(slot.stage(), id, &text[..]);
    let object = outcome.and_then(|()| context.get_program(id)).ok();
    let program = object.and_then(|object| object.program().cloned());
    let diagnostics = lint::with_warnings(context.program_diagnostics().to_vec(), program.as_deref(), text);
    let load_time = start.elapsed();
    let index = LineIndex::new(text);
    let instructions = program.iter().flat_map(|program| &program.instructions);
    let lines = instructions.map(|instruction| index.line_of(instruction.span.start)).collect();
    let interface = program.as_deref().map(|program| Arc::new(Interface::of(program)));
    Compiled { text: text.clone(), diagnostics, program, interface, lines, load_time }
}

/// Loads a program text alone. The text's header determines the language.
pub fn compile(text: impl Into<Arc<[u8]>>) -> Compiled {
    let text = text.into();
    load(&mut gl::Context::new(), Slot::of_text(&text), &text)
}

/// Loads a program text for a slot of a scene. A program of another stage is an error.
pub fn compile_for(slot: Slot, text: Arc<[u8]>) -> Compiled {
    load(&mut gl::Context::new(), slot, &text)
}

/// Loads every program of a scene from its texts. Reuses the results in `earlier` for the same text. The
/// result has the `Arc`s of `texts`, which identify the versions of texts.
pub fn compile_all(texts: &Programs<Arc<[u8]>>, earlier: &Loaded) -> Loaded {
    let mut context = earlier.context.clone();
    let programs = texts.map(|slot, text| match earlier.get(slot) {
        Some(compiled) if Arc::ptr_eq(&compiled.text, text) => Arc::clone(compiled),
        Some(compiled) if compiled.text == *text => {
            Arc::new(Compiled { text: Arc::clone(text), ..Compiled::clone(compiled) })
        }
        _ => Arc::new(load(&mut context, slot, text)),
    });
    Loaded { programs, context }
}

/// Loads the programs of `scene` as they are on disk.
pub fn compile_scene(scene: &Scene) -> Loaded {
    compile_all(&scene.programs.map(|_, file| Arc::clone(&file.text)), &Loaded::default())
}

/// The threads that render.
#[derive(Debug)]
pub struct Threads {
    pool: pipeline::Threads,
}

impl Threads {
    /// Largest thread count.
    pub const MAX: usize = pipeline::Threads::MAX;

    /// One thread per core.
    ///
    /// # Errors
    /// The system refuses to start the threads.
    pub fn all_cores() -> Result<Self, RenderError> {
        Self::new(std::thread::available_parallelism().map_or(1, usize::from).min(Self::MAX))
    }

    /// `count` threads, 1 to [`Self::MAX`]. If the system refuses to start them, the caller's thread draws.
    ///
    /// # Errors
    /// A count that is 0 or too large.
    pub fn new(count: usize) -> Result<Self, RenderError> {
        if (1..=Self::MAX).contains(&count) {
            Ok(Self { pool: pipeline::Threads::new(Some(count)) })
        } else {
            Err(RenderError::Failed(format!("cannot use {count} threads: choose 1 to {}", Self::MAX)))
        }
    }
}

/// The reason why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenderError {
    /// A program has errors.
    NoProgram,
    /// The scene refers to something that its programs do not have.
    BadScene(SceneError),
    /// The size is zero or above [`MAX_SIZE`].
    BadSize([u32; 2]),
    /// Another request cancelled the render.
    Cancelled,
    /// Another error, as a message for the user.
    Failed(String),
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoProgram => f.write_str("the program has errors"),
            Self::BadScene(error) => error.fmt(f),
            Self::BadSize([width, height]) => {
                write!(f, "cannot render a picture of {width}x{height}: choose 1x1 to {MAX_SIZE}x{MAX_SIZE}")
            }
            Self::Cancelled => f.write_str("cancelled"),
            Self::Failed(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for RenderError {}

impl From<gl::Error> for RenderError {
    fn from(error: gl::Error) -> Self {
        Self::Failed(format!("{} ({})", error.reason, error.clause))
    }
}

impl From<FrameQueryError> for RenderError {
    fn from(error: FrameQueryError) -> Self {
        match error {
            FrameQueryError::Cancelled => Self::Cancelled,
            error => Self::Failed(error.to_string()),
        }
    }
}

impl From<Cancelled> for RenderError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Returns the draw of one frame, with everything it reads.
///
/// # Errors
/// See [`RenderError`].
pub fn draw_call(programs: &Loaded, job: &Job) -> Result<DrawCall, RenderError> {
    SetUp::new(programs, job).map(|set_up| set_up.call)
}

/// Renders one frame. Stops soon after `cancel` becomes true.
///
/// # Errors
/// See [`RenderError`].
pub fn render(
    programs: &Loaded,
    job: &Job,
    threads: &Threads,
    cancel: &AtomicBool,
) -> Result<Frame, RenderError> {
    SetUp::new(programs, job)?.render(threads, cancel, None)
}

fn evaluate(value: [Component; 4], job: &Job) -> [f32; 4] {
    value.map(|component| number(component, job))
}

/// Returns a component as a number.
fn number(component: Component, job: &Job) -> f32 {
    match component {
        Component::Constant(number) => number,
        Component::Auto(source) => auto_value(source, job),
        Component::Int(integer) => integer as f32,
        Component::Uint(integer) => integer as f32,
        // Addresses are integers and never shown as numbers.
        Component::Address(..) => 0.0,
    }
}

/// Returns the value of an auto source for `job`.
pub fn auto_value(source: AutoSource, job: &Job) -> f32 {
    let [width, height] = job.size.map(|side| side as f32);
    let eye = job.scene.camera.eye;
    match source {
        AutoSource::Time => job.time_secs,
        AutoSource::Frame => job.frame as f32,
        AutoSource::Width => width,
        AutoSource::Height => height,
        AutoSource::Aspect => width / height,
        AutoSource::MouseX => job.mouse.position[0],
        AutoSource::MouseY => job.mouse.position[1],
        AutoSource::MouseDown => f32::from(u8::from(job.mouse.button == Button::Down)),
        AutoSource::EyeX => eye[0],
        AutoSource::EyeY => eye[1],
        AutoSource::EyeZ => eye[2],
    }
}
