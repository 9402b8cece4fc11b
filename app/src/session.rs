//! A scene and a program run on the engine: compiling, rendering, recording a pixel.
//!
//! The one place where scene data becomes engine state; the command line and the app's worker both go
//! through it, so that they cannot differ.

use crate::scene::{Camera, Component, ParameterKey, Scene};
use shadestep_engine::debug::Recording;
use shadestep_engine::diag::Diagnostic;
use shadestep_engine::ir::Program;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Greatest width or height that is rendered.
pub const MAX_SIZE: u32 = 8192;

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
    /// The scene. Its program text is not looked at: [`Compiled`] has the one that runs.
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

/// Loads a program text.
pub fn compile(text: impl Into<Arc<[u8]>>) -> Compiled {
    Compiled { text: text.into(), diagnostics: Vec::new(), program: None, load_time: Duration::ZERO }
}

/// The threads that render.
#[derive(Debug)]
pub struct Threads {
    _count: usize,
}

impl Threads {
    /// One thread a core.
    ///
    /// # Errors
    /// Where the threads cannot be started.
    pub fn all_cores() -> Result<Self, RenderError> {
        Self::new(std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// `count` threads, at least one.
    ///
    /// # Errors
    /// Where the threads cannot be started.
    pub fn new(count: usize) -> Result<Self, RenderError> {
        Ok(Self { _count: count })
    }
}

/// What became of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelStatus {
    /// No fragment reached it: it holds the clear colour.
    Empty,
    /// A fragment was written.
    Written,
    /// Fragments covered it, and the program discarded every one.
    Killed,
    /// Fragments covered it, and none passed the depth test (some may have been discarded).
    DepthFailed,
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
    size: [u32; 2],
    /// Counts.
    pub stats: Stats,
    /// Time that rendering took.
    pub render_time: Duration,
}

/// What was drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Fragments that the program ran for, helpers not counted.
    pub fragments: u64,
    /// Of those, discarded by the program.
    pub killed: u64,
    /// Triangles rasterised.
    pub triangles: u64,
}

impl Frame {
    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The pixel at `pixel`, from the lower left; `None` outside the picture.
    pub fn pixel(&self, pixel: [u32; 2]) -> Option<Pixel> {
        let _ = pixel;
        None
    }

    /// The picture as RGBA, 8 bits each, clamped, top row first: `4 * width * height` bytes.
    pub fn to_rgba8(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenderError {
    /// The program has errors.
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
                write!(f, "a picture of {width}x{height} cannot be rendered: 1x1 to {MAX_SIZE}x{MAX_SIZE} can")
            }
            Self::Cancelled => f.write_str("cancelled"),
            Self::Failed(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for RenderError {}

/// Renders one frame. Stops soon after `cancel` becomes true.
///
/// # Errors
/// See [`RenderError`].
pub fn render(
    compiled: &Compiled,
    job: &Job,
    threads: &Threads,
    cancel: &AtomicBool,
) -> Result<Frame, RenderError> {
    let _ = (compiled, job, threads, cancel);
    Err(RenderError::NoProgram)
}

/// What became of one fragment of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was written (a later one may have replaced it).
    Written,
    /// The program discarded it.
    Killed,
    /// It failed the depth test.
    DepthFailed,
    /// Its replaced depth lay outside the depth range (3.11.6).
    DepthOutside,
}

/// One fragment of a pixel, run step by step.
#[derive(Clone, Debug)]
pub struct PixelRecording {
    /// The run.
    pub recording: Recording,
    /// Number of the triangle it came from.
    pub triangle: u32,
    /// Its depth: replaced or interpolated.
    pub depth: f32,
    /// Depth stored in the buffer before it.
    pub depth_before: f32,
    /// What became of it.
    pub outcome: Outcome,
}

/// Every fragment of `pixel` (from the lower left) in drawing order, run step by step.
///
/// # Errors
/// See [`RenderError`]; a pixel outside the picture is [`RenderError::Failed`].
pub fn record(compiled: &Compiled, job: &Job, pixel: [u32; 2]) -> Result<Vec<PixelRecording>, RenderError> {
    let _ = (compiled, job, pixel);
    Err(RenderError::NoProgram)
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

/// Compares `pixel` of `frame` with what `recordings` of the same job say it should hold.
pub fn verify_pixel(frame: &Frame, job: &Job, pixel: [u32; 2], recordings: &[PixelRecording]) -> Agreement {
    let _ = (frame, job, pixel, recordings);
    Agreement::Same
}

/// The value of every parameter of `program` for `job`, in the order of `program.parameters`.
pub fn parameter_values(program: &Program, job: &Job) -> Vec<[f32; 4]> {
    let _ = job;
    vec![[0.0; 4]; program.parameters.len()]
}
