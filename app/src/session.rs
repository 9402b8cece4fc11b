//! A scene and its programs run on the engine: compiling, rendering, recording a pixel.
//!
//! The one place where scene data becomes engine state; the command line and the app's worker both go
//! through it, so that they cannot differ.

use crate::scene::{AutoSource, Component, Programs, Scene, Slot};
use shadestep_engine::debug::{Recording, Subject};
use shadestep_engine::diag::Diagnostic;
use shadestep_engine::exec::{self, QuadInputs};
use shadestep_engine::gl::{self, DrawCall, FragmentStage};
use shadestep_engine::ir::{OutputRole, Program, limits};
use shadestep_engine::pipeline::{self, Facing, HistoryFragment, PixelHistory, PixelState};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub use frame::{Frame, Pixel, SetUp};
pub use inputs::{FrameInputs, REGISTERS};
pub use matrices::{Matrices, matrices};
pub use shadestep_engine::pipeline::{PixelStatus, ShadedVertex, Stats};
pub use vertices::{VertexList, VertexValues, attributes_read, vertex_values};

mod context;
mod frame;
mod inputs;
mod lighting;
mod matrices;
mod vertices;

#[cfg(test)]
mod tests;

/// Greatest width or height that is rendered.
pub const MAX_SIZE: u32 = 8192;

/// The text of the vertex program that draws meshes of scenes without one.
pub const BUILT_IN_VERTEX_PROGRAM: &str = context::BUILT_IN;

/// State of the mouse button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Button {
    /// Not pressed.
    #[default]
    Up,
    /// Pressed.
    Down,
}

/// The mouse over the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mouse {
    /// 0 to 1 from the lower left.
    pub position: [f32; 2],
    /// Whether the button is down.
    pub button: Button,
}

/// One frame to render: a scene snapshot and what changes from frame to frame.
#[derive(Clone, Debug)]
pub struct Job {
    /// The scene. Its program texts are not looked at: [`Loaded`] has those that run.
    pub scene: Arc<Scene>,
    /// Width and height in pixels, 1 to [`MAX_SIZE`].
    pub size: [u32; 2],
    /// Seconds since the start.
    pub time_secs: f32,
    /// Number of the frame, from 0.
    pub frame: u32,
    /// Mouse.
    pub mouse: Mouse,
    /// The output colour that the picture shows, `result.color[n]`: 0 but for programs with ARB_draw_buffers.
    pub output_color: u8,
}

impl Job {
    /// The first frame of `scene` at its own size, at time 0.
    pub fn new(scene: Arc<Scene>) -> Self {
        let size = scene.size;
        Self { scene, size, time_secs: 0.0, frame: 0, mouse: Mouse::default(), output_color: 0 }
    }
}

/// A program text with what loading it gave.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The text.
    pub text: Arc<[u8]>,
    /// Errors and warnings, by position.
    pub diagnostics: Vec<Diagnostic>,
    /// The program, if it loads.
    pub program: Option<Arc<Program>>,
    /// Time that loading took.
    pub load_time: Duration,
}

/// The programs of a scene, loaded: what each gave, and the context that they are in.
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
    /// What loading the program at `slot` gave.
    pub fn get(&self, slot: Slot) -> Option<&Arc<Compiled>> {
        self.programs.get(slot)
    }

    /// All of them.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Slot, &Arc<Compiled>)> {
        self.programs.iter()
    }

    /// Which places have a program.
    pub fn slots(&self) -> impl DoubleEndedIterator<Item = Slot> {
        self.programs.slots()
    }

    /// The place shown first (see [`Programs::main`]).
    pub fn main(&self) -> Option<Slot> {
        self.programs.main()
    }

    /// Where programs stand, if every one of them loaded.
    fn loaded(&self) -> Result<Programs<()>, RenderError> {
        let failed = self.iter().any(|(_, compiled)| compiled.program.is_none());
        if failed { Err(RenderError::NoProgram) } else { Ok(self.programs.map(|_, _| ())) }
    }
}

fn load(context: &mut gl::Context, slot: Slot, text: &Arc<[u8]>) -> Compiled {
    let start = Instant::now();
    let id = context::program_id(slot);
    let outcome = context.load_program(context::target(slot), id, &text[..]);
    let object = outcome.and_then(|()| context.get_program(id)).ok();
    let program = object.and_then(|object| object.program().cloned());
    let load_time = start.elapsed();
    Compiled { text: text.clone(), diagnostics: context.program_diagnostics().to_vec(), program, load_time }
}

/// Loads a program text by itself, in whatever language it is.
pub fn compile(text: impl Into<Arc<[u8]>>) -> Compiled {
    let text = text.into();
    load(&mut gl::Context::new(), Slot::of_text(&text), &text)
}

/// Loads a program text for a place in a scene: a program of another kind is at fault.
pub fn compile_for(slot: Slot, text: Arc<[u8]>) -> Compiled {
    load(&mut gl::Context::new(), slot, &text)
}

/// Loads every program of a scene from its texts. Those in `earlier` with the same text are taken from
/// there.
pub fn compile_all(texts: &Programs<Arc<[u8]>>, earlier: &Loaded) -> Loaded {
    let mut context = earlier.context.clone();
    let programs = texts.map(|slot, text| match earlier.get(slot) {
        Some(compiled) if compiled.text == *text => Arc::clone(compiled),
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
    /// Most threads that can be asked for.
    pub const MAX: usize = pipeline::Threads::MAX;

    /// One thread a core.
    ///
    /// # Errors
    /// Where the threads cannot be started.
    pub fn all_cores() -> Result<Self, RenderError> {
        Self::new(std::thread::available_parallelism().map_or(1, usize::from).min(Self::MAX))
    }

    /// `count` threads, 1 to [`Self::MAX`]. Where the system refuses to start them, the caller's draws.
    ///
    /// # Errors
    /// A count that is 0 or too large.
    pub fn new(count: usize) -> Result<Self, RenderError> {
        if (1..=Self::MAX).contains(&count) {
            Ok(Self { pool: pipeline::Threads::new(Some(count)) })
        } else {
            Err(RenderError::Failed(format!("{count} threads: 1 to {} can be had", Self::MAX)))
        }
    }
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenderError {
    /// A program has errors.
    NoProgram,
    /// The size is zero or above [`MAX_SIZE`].
    BadSize([u32; 2]),
    /// Another request asked it to stop.
    Cancelled,
    /// Something else, in plain words.
    Failed(String),
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoProgram => f.write_str("the program has errors"),
            Self::BadSize([width, height]) => {
                write!(
                    f,
                    "a picture of {width}x{height} cannot be rendered: 1x1 to {MAX_SIZE}x{MAX_SIZE} can"
                )
            }
            Self::Cancelled => f.write_str("cancelled"),
            Self::Failed(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for RenderError {}

/// The draw of one frame, with everything it reads.
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

/// One fragment of a pixel.
#[derive(Clone, Debug)]
pub struct PixelRecording {
    /// The fragment program's run, step by step; `None` where the scene has no fragment program.
    pub recording: Option<Recording>,
    /// Number of the primitive it came from, in drawing order.
    pub primitive: u32,
    /// Numbers of the elements whose vertices it lies between; none for the viewport quad.
    pub elements: Vec<u32>,
    /// Which side is seen.
    pub facing: Facing,
    /// The colour shown: what the program left in its output, fogged where it asks for that.
    pub color: [f32; 4],
    /// Its depth: replaced or interpolated.
    pub depth: f32,
    /// The pixel before it.
    pub before: PixelState,
    /// The pixel after it.
    pub after: PixelState,
    /// What became of it.
    pub outcome: PixelStatus,
}

/// Output colours that there are.
pub const OUTPUT_COLORS: usize = limits::DRAW_BUFFERS as usize;

/// What a run of `program` left in its output colours; 0 in those that it does not have.
fn output_colors(program: &Program, recording: &Recording) -> [[f32; 4]; OUTPUT_COLORS] {
    let mut colors = [[0.0; 4]; OUTPUT_COLORS];
    for (output, bits) in program.outputs.iter().zip(&recording.outputs) {
        if let OutputRole::Color(number) = output.role {
            colors[usize::from(number)] = bits.map(f32::from_bits);
        }
    }
    colors
}

/// Every fragment of `pixel` (from the lower left) in drawing order, run step by step.
///
/// # Errors
/// See [`RenderError`]; a pixel outside the picture is [`RenderError::Failed`].
pub fn record(programs: &Loaded, job: &Job, pixel: [u32; 2]) -> Result<Vec<PixelRecording>, RenderError> {
    let call = draw_call(programs, job)?;
    let ([x, y], [width, height]) = (pixel, job.size);
    if x >= width || y >= height {
        let message = format!("pixel {x},{y} is outside the picture of {width}x{height}");
        return Err(RenderError::Failed(message));
    }
    let mut history = PixelHistory::new(&call.draw().state, call.merging(), job.scene.clear);
    let record = |fragment: pipeline::PixelFragment| {
        let (recording, [color, other_colors @ ..], replaced) = match call.fragment_stage() {
            FragmentStage::Program(stage) => {
                let inputs = QuadInputs { attributes: fragment.quad };
                let recording =
                    exec::record(stage.program(), stage.bindings(), &inputs, fragment.lane, pixel);
                let mut colors = output_colors(stage.program(), &recording);
                colors[0] = stage.final_color(&fragment, colors[0]);
                let depth = recording.depth.map(f32::from_bits);
                (Some(recording), colors, depth)
            }
            FragmentStage::Fixed(stage) => {
                let mut colors = [[0.0; 4]; OUTPUT_COLORS];
                colors[0] = stage.color(&fragment);
                (None, colors, None)
            }
        };
        let depth = replaced.unwrap_or(fragment.window_z);
        let killed = recording.as_ref().is_some_and(|recording| recording.killed);
        let before = history.state();
        let facing = fragment.facing;
        let outcome = history.push(HistoryFragment { color, other_colors, depth, killed, facing });
        let shown = usize::from(call.draw().state.draw_buffers[0].unwrap_or(0));
        PixelRecording {
            recording,
            primitive: fragment.primitive,
            elements: fragment.elements,
            facing,
            color: shown.checked_sub(1).map_or(color, |other| other_colors[other]),
            depth: history.depth_seen(depth),
            before,
            after: history.state(),
            outcome,
        }
    };
    Ok(call.fragments_at(job.size, pixel).into_iter().map(record).collect())
}

/// A vertex, run step by step.
#[derive(Clone, Debug)]
pub struct VertexRecording {
    /// The vertex program's run.
    pub recording: Recording,
    /// Its program: the scene's, or the built-in transform where the scene has none.
    pub program: Arc<Program>,
    /// Where the vertex is.
    pub vertex: ShadedVertex,
}

/// The run of the vertex program on `element`.
///
/// # Errors
/// See [`RenderError`]; an element that is not drawn is [`RenderError::Failed`].
pub fn record_vertex(programs: &Loaded, job: &Job, element: u32) -> Result<VertexRecording, RenderError> {
    let call = draw_call(programs, job)?;
    let missing = || RenderError::Failed(format!("the scene draws no vertex {element}"));
    let vertex = call.shaded_vertex(job.size, element);
    let (Some(vertex), Some(stage)) = (vertex, call.vertex_stage()) else { return Err(missing()) };
    let attributes = call.vertex_attributes(element).ok_or_else(missing)?;
    let recording =
        exec::record_vertex(stage.program(), stage.bindings(), &attributes, Subject::Vertex { element });
    Ok(VertexRecording { recording, program: stage.program().clone(), vertex })
}

/// The run of state program `n` of the scene, before the frame is drawn.
///
/// # Errors
/// See [`RenderError`].
pub fn record_state_program(programs: &Loaded, job: &Job, n: u8) -> Result<Recording, RenderError> {
    let context = context::before_state_program(&programs.context, &programs.loaded()?, n, job)?;
    let id = context::program_id(Slot::State(n));
    let (program, bindings) = context
        .prepare_state_program(id)
        .map_err(|error| RenderError::Failed(format!("{} ({})", error.reason, error.clause)))?;
    Ok(exec::record_state_program(&program, &bindings, context::state_input(n, job)))
}

/// How the stepped result compares with the rendered pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The same bits.
    Same,
    /// Different bits: a fault of this program's, never of the person's.
    Different {
        /// Bits that stepping gave; `None` where it wrote nothing.
        stepped: Option<[u32; 4]>,
        /// Bits that the picture holds.
        rendered: [u32; 4],
    },
}

/// Compares `pixel` of `frame` with what `recordings` of the same job say it should hold. A pixel
/// outside the picture is the same as nothing.
pub fn verify_pixel(frame: &Frame, job: &Job, pixel: [u32; 2], recordings: &[PixelRecording]) -> Agreement {
    let Some(stored) = frame.pixel(pixel) else { return Agreement::Same };
    let last = recordings.last();
    let expected = last.map_or(job.scene.clear.color, |last| last.after.color).map(f32::to_bits);
    let written = last.is_some_and(|last| last.after.status == PixelStatus::Written);
    let rendered = stored.color.map(f32::to_bits);
    if rendered == expected && (stored.status == PixelStatus::Written) == written {
        Agreement::Same
    } else {
        Agreement::Different { stepped: written.then_some(expected), rendered }
    }
}

fn evaluate(value: [Component; 4], job: &Job) -> [f32; 4] {
    value.map(|component| match component {
        Component::Constant(number) => number,
        Component::Auto(source) => auto_value(source, job),
    })
}

/// What an auto source is for `job`.
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
