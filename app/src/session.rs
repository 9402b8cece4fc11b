//! A scene and its programs run on the engine: compiling, rendering, recording a pixel.
//!
//! The one place where scene data becomes engine state; the command line and the app's worker both go
//! through it, so that they cannot differ.

use crate::scene::{AutoSource, Camera, Component, ParameterKey, Programs, Scene, Slot};
use shadestep_engine::debug::{Recording, Subject};
use shadestep_engine::diag::Diagnostic;
use shadestep_engine::exec::{self, QuadInputs};
use shadestep_engine::gl::{self, DrawCall, FragmentStage};
use shadestep_engine::ir::Program;
use shadestep_engine::pipeline::{self, Facing, Framebuffer, HistoryFragment, PixelHistory, PixelState};
use std::collections::BTreeMap;
use std::fmt;
use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub use inputs::{FrameInputs, REGISTERS, frame_inputs};
pub use matrices::{Matrices, matrices};
pub use shadestep_engine::pipeline::{PixelStatus, ShadedVertex, Stats};
pub use vertices::{VertexList, VertexValues, attributes_read, vertex_values};

mod context;
mod inputs;
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
    /// Camera in place of the scene's.
    pub camera: Option<Camera>,
    /// Parameters set over the scene's.
    pub overrides: BTreeMap<ParameterKey, [Component; 4]>,
}

impl Job {
    /// The first frame of `scene` at its own size, at time 0.
    pub fn new(scene: Arc<Scene>) -> Self {
        let size = scene.size;
        Self {
            scene,
            size,
            time_secs: 0.0,
            frame: 0,
            mouse: Mouse::default(),
            camera: None,
            overrides: BTreeMap::new(),
        }
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
}

fn load(context: &mut gl::Context, slot: Slot, text: &Arc<[u8]>) -> Compiled {
    let start = Instant::now();
    let id = context::program_id(slot);
    let outcome = context.load_program(context::target(slot), id, &text[..]);
    let program = outcome.and_then(|()| context.get_program(id)).map(|object| object.program().clone()).ok();
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

/// A pixel of a frame, exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pixel {
    /// The colour output registers, unclamped; the clear colour where nothing was written.
    pub color: [f32; 4],
    /// Stored depth.
    pub depth: f32,
    /// What became of it.
    pub status: PixelStatus,
}

/// A rendered picture.
#[derive(Clone, Debug)]
pub struct Frame {
    framebuffer: Framebuffer,
    /// Counts.
    pub stats: Stats,
    /// Time that rendering took.
    pub render_time: Duration,
}

impl Frame {
    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.framebuffer.size()
    }

    /// The pixel at `pixel`, from the lower left; `None` outside the picture.
    pub fn pixel(&self, [x, y]: [u32; 2]) -> Option<Pixel> {
        let index = self.framebuffer.index(x, y)?;
        Some(Pixel {
            color: self.framebuffer.color[index],
            depth: self.framebuffer.depth[index],
            status: self.framebuffer.status[index],
        })
    }

    /// What the draw could not draw, in words; `None` where there is nothing to say.
    pub fn note(&self) -> Option<String> {
        note(&self.stats)
    }

    /// The picture as RGBA, 8 bits each, clamped, top row first: `4 * width * height` bytes.
    pub fn to_rgba8(&self) -> Vec<u8> {
        self.framebuffer.to_rgba8()
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    /// Where the encoder fails.
    pub fn to_png(&self) -> Result<Vec<u8>, RenderError> {
        let [width, height] = self.size();
        let mut bytes = Cursor::new(Vec::new());
        let (format, color) = (image::ImageFormat::Png, image::ExtendedColorType::Rgba8);
        image::write_buffer_with_format(&mut bytes, &self.to_rgba8(), width, height, color, format)
            .map_err(|error| RenderError::Failed(format!("the picture cannot be made a PNG: {error}")))?;
        Ok(bytes.into_inner())
    }
}

/// What `stats` say went wrong with primitives, in words.
fn note(stats: &Stats) -> Option<String> {
    let of = |count: u64, fault: &str, faults: &str| match count {
        0 => None,
        1 => Some(format!("1 of {} primitives {fault}", stats.primitives)),
        _ => Some(format!("{count} of {} primitives {faults}", stats.primitives)),
    };
    let invalid = of(
        stats.primitives_invalid,
        "has a vertex that is no finite point and is not drawn",
        "have a vertex that is no finite point and are not drawn",
    );
    let out_of_range = of(
        stats.primitives_out_of_range,
        "names a vertex that the arrays do not have and is not drawn",
        "name a vertex that the arrays do not have and are not drawn",
    );
    let nothing = (stats.primitives > 0 && stats.primitives_culled == stats.primitives).then(|| {
        "nothing is drawn: every primitive is outside the view, faces away, has no area or covers no pixel".to_owned()
    });
    let notes: Vec<String> = [invalid, out_of_range, nothing].into_iter().flatten().collect();
    (!notes.is_empty()).then(|| notes.join("; "))
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
    if programs.iter().any(|(_, compiled)| compiled.program.is_none()) {
        return Err(RenderError::NoProgram);
    }
    if job.size.iter().any(|side| !(1..=MAX_SIZE).contains(side)) {
        return Err(RenderError::BadSize(job.size));
    }
    context::draw_call(&programs.context, &programs.programs.map(|_, _| ()), job)
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
    render_reusing(programs, job, threads, cancel, None)
}

/// As [`render`], in the memory of a frame that is no longer wanted: for large pictures, getting fresh
/// memory takes as long as a simple program.
///
/// # Errors
/// See [`RenderError`].
pub fn render_reusing(
    programs: &Loaded,
    job: &Job,
    threads: &Threads,
    cancel: &AtomicBool,
    old: Option<Frame>,
) -> Result<Frame, RenderError> {
    let start = Instant::now();
    let call = draw_call(programs, job)?;
    let mut framebuffer = match old {
        Some(old) if old.size() == job.size => old.framebuffer,
        _ => {
            let [width, height] = job.size;
            Framebuffer::new(width, height).map_err(|error| RenderError::Failed(error.to_string()))?
        }
    };
    let stats = call
        .render(&mut framebuffer, &threads.pool, cancel)
        .map_err(|pipeline::Cancelled| RenderError::Cancelled)?;
    Ok(Frame { framebuffer, stats, render_time: start.elapsed() })
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
    /// Its colour: what the program left in its output.
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
        let (recording, color, replaced) = match call.fragment_stage() {
            FragmentStage::Program(stage) => {
                let inputs = QuadInputs { attributes: fragment.quad };
                let recording =
                    exec::record(stage.program(), stage.bindings(), &inputs, fragment.lane, pixel);
                let color = recording.color.map(f32::from_bits);
                let depth = recording.depth.map(f32::from_bits);
                (Some(recording), color, depth)
            }
            FragmentStage::Fixed(stage) => (None, stage.color(&fragment), None),
        };
        let depth = replaced.unwrap_or(fragment.window_z);
        let killed = recording.as_ref().is_some_and(|recording| recording.killed);
        let before = history.state();
        let outcome = history.push(HistoryFragment { color, depth, killed, facing: fragment.facing });
        PixelRecording {
            recording,
            primitive: fragment.primitive,
            elements: fragment.elements,
            facing: fragment.facing,
            color,
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

/// The vertices of a frame, each element that is drawn once; none for the viewport quad.
///
/// # Errors
/// See [`RenderError`].
pub fn vertices(programs: &Loaded, job: &Job) -> Result<Vec<ShadedVertex>, RenderError> {
    Ok(draw_call(programs, job)?.shaded_vertices(job.size))
}

/// The run of the vertex program on `element`.
///
/// # Errors
/// See [`RenderError`]; an element that is not drawn is [`RenderError::Failed`].
pub fn record_vertex(programs: &Loaded, job: &Job, element: u32) -> Result<VertexRecording, RenderError> {
    let call = draw_call(programs, job)?;
    let missing = || RenderError::Failed(format!("the scene draws no vertex {element}"));
    let vertex = call.shaded_vertices(job.size).into_iter().find(|vertex| vertex.element == element);
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
    if programs.iter().any(|(_, compiled)| compiled.program.is_none()) {
        return Err(RenderError::NoProgram);
    }
    let kept = programs.programs.map(|_, _| ());
    let context = context::before_state_program(&programs.context, &kept, n, job)?;
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
    let eye = job.camera.unwrap_or(job.scene.camera).eye;
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
