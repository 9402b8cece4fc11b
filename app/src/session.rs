//! A scene and a program run on the engine: compiling, rendering, recording a pixel.
//!
//! The one place where scene data becomes engine state; the command line and the app's worker both go
//! through it, so that they cannot differ.

use crate::scene::{AutoSource, Camera, Component, DEFAULT_P0, ParameterKey, Scene, default_texture};
use shadestep_engine::debug::Recording;
use shadestep_engine::diag::Diagnostic;
use shadestep_engine::exec::{Bindings, Executable, QuadInputs, Shader};
use shadestep_engine::ir::{Attribute, ParameterSource, Program, Source};
use shadestep_engine::pipeline::{self, Clear, DepthSource, Draw, Framebuffer, RasterState, StandIn};
use shadestep_engine::{exec, front};
use std::collections::BTreeMap;
use std::fmt;
use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub use shadestep_engine::pipeline::{PixelStatus, Stats};

#[cfg(test)]
mod tests;

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
    executable: Option<Arc<Executable>>,
}

/// Loads a program text.
pub fn compile(text: impl Into<Arc<[u8]>>) -> Compiled {
    let text = text.into();
    let start = Instant::now();
    let loaded = front::load(&text);
    let program = loaded.program.map(Arc::new);
    let executable = program.clone().map(|program| Arc::new(Executable::new(program)));
    let load_time = start.elapsed();
    Compiled { text, diagnostics: loaded.diagnostics, program, load_time, executable }
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

/// A program with everything bound, ready to draw.
struct Prepared {
    executable: Arc<Executable>,
    bindings: Bindings,
    vertex: StandIn,
    draw: Draw,
}

fn prepare(compiled: &Compiled, job: &Job) -> Result<Prepared, RenderError> {
    let executable = compiled.executable.clone().ok_or(RenderError::NoProgram)?;
    if job.size.iter().any(|side| !(1..=MAX_SIZE).contains(side)) {
        return Err(RenderError::BadSize(job.size));
    }
    let program = executable.program();
    let mut bindings = Bindings::initial(program);
    bindings.parameters = parameter_values(program, job);
    for (unit, target) in program.textures().into_iter().enumerate() {
        let Some(target) = target else { continue };
        let given = job
            .scene
            .textures
            .iter()
            .find(|texture| usize::from(texture.spec().unit) == unit && texture.spec().target == target);
        let given = given.map(|texture| Arc::clone(texture.texture()));
        bindings.textures[unit] = given.or_else(|| default_texture(target));
    }
    let scene = &job.scene;
    let draw = Draw {
        geometry: scene.mesh.geometry().clone(),
        state: RasterState { depth: scene.depth, ..RasterState::DEFAULT },
        clear: Some(Clear { color: scene.clear.color, depth: scene.clear.depth, stencil: 0 }),
    };
    let vertex = StandIn::new(&job.camera.unwrap_or(scene.camera), job.size);
    Ok(Prepared { executable, bindings, vertex, draw })
}

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
    render_reusing(compiled, job, threads, cancel, None)
}

/// As [`render`], in the memory of a frame that is no longer wanted: for large pictures, getting fresh
/// memory takes as long as a simple program.
///
/// # Errors
/// See [`RenderError`].
pub fn render_reusing(
    compiled: &Compiled,
    job: &Job,
    threads: &Threads,
    cancel: &AtomicBool,
    old: Option<Frame>,
) -> Result<Frame, RenderError> {
    let start = Instant::now();
    let Prepared { executable, bindings, vertex, draw } = prepare(compiled, job)?;
    let mut framebuffer = match old {
        Some(old) if old.size() == job.size => old.framebuffer,
        _ => {
            let [width, height] = job.size;
            Framebuffer::new(width, height).map_err(|error| RenderError::Failed(error.to_string()))?
        }
    };
    let shader = Shader::new(executable, bindings);
    let stats = pipeline::render(&draw, &vertex, &shader, &mut framebuffer, &threads.pool, cancel)
        .map_err(|pipeline::Cancelled| RenderError::Cancelled)?;
    Ok(Frame { framebuffer, stats, render_time: start.elapsed() })
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

/// The bit of `attributes_used[0]` for f[WPOS].z.
const WPOS_Z: u8 = 1 << 2;

/// Every fragment of `pixel` (from the lower left) in drawing order, run step by step.
///
/// # Errors
/// See [`RenderError`]; a pixel outside the picture is [`RenderError::Failed`].
pub fn record(compiled: &Compiled, job: &Job, pixel: [u32; 2]) -> Result<Vec<PixelRecording>, RenderError> {
    let Prepared { executable, bindings, vertex, draw } = prepare(compiled, job)?;
    let ([x, y], [width, height]) = (pixel, job.size);
    if x >= width || y >= height {
        let message = format!("pixel {x},{y} is outside the picture of {width}x{height}");
        return Err(RenderError::Failed(message));
    }
    let program = executable.program();
    let source = if program.writes_depth() { DepthSource::Program } else { DepthSource::Window };
    let used = attributes_read(program);
    // Window depth is wanted for the depth test whether the program reads it or not.
    let mut wanted = used;
    wanted[Attribute::Wpos.index()] |= WPOS_Z;
    let fragments = pipeline::fragments_at(&draw, &vertex, &wanted, source, job.size, pixel);
    let mut merge = Merge::new(&draw.state.depth, job.scene.clear.depth);
    let record = |mut fragment: pipeline::PixelFragment| {
        let wpos = &mut fragment.quad[Attribute::Wpos.index()];
        let window_z = wpos[fragment.lane][2];
        if used[Attribute::Wpos.index()] & WPOS_Z == 0 {
            wpos.iter_mut().for_each(|lane| lane[2] = 0.0);
        }
        let inputs = QuadInputs { attributes: fragment.quad };
        let recording = exec::record(program, &bindings, &inputs, fragment.lane, pixel);
        let depth_before = merge.stored;
        let (outcome, depth) = merge.fragment(&recording, window_z);
        PixelRecording { recording, triangle: fragment.primitive, depth, depth_before, outcome }
    };
    Ok(fragments.into_iter().map(record).collect())
}

/// All components of the attributes that instructions name, also where the result depends on fewer: who
/// steps through the program sees every operand whole.
fn attributes_read(program: &Program) -> [u8; Attribute::SLOTS] {
    let mut read = [0; Attribute::SLOTS];
    for operand in program.instructions.iter().flat_map(|instruction| &instruction.operands) {
        if let Source::Attribute(attribute) = operand.source {
            read[attribute.index()] = 0xF;
        }
    }
    read
}

/// What the pipeline does with the fragments of one pixel: the same rules as its own merging, told
/// fragment by fragment (glspec15 4.1.6, NV_fragment_program 3.11.6).
struct Merge {
    depth: pipeline::DepthState,
    low: f32,
    high: f32,
    stored: f32,
}

impl Merge {
    fn new(depth: &pipeline::DepthState, clear: f32) -> Self {
        let [near, far] = depth.range.map(|value| value.clamp(0.0, 1.0));
        let (low, high) = (near.min(far), near.max(far));
        Self { depth: *depth, low, high, stored: clear.clamp(0.0, 1.0) }
    }

    /// What becomes of the fragment, and its depth.
    fn fragment(&mut self, recording: &Recording, window_z: f32) -> (Outcome, f32) {
        let replaced = recording.depth.map(f32::from_bits);
        let clamp = |z: f32| z.max(self.low).min(self.high);
        let depth = match replaced {
            None => clamp(window_z),
            Some(z) if self.depth.clamp && !z.is_nan() => clamp(z),
            Some(z) => z,
        };
        if recording.killed {
            return (Outcome::Killed, depth);
        }
        if replaced.is_some() && !(self.low..=self.high).contains(&depth) {
            return (Outcome::DepthOutside, depth);
        }
        if let Some(func) = self.depth.test {
            if !func.passes(depth, self.stored) {
                return (Outcome::DepthFailed, depth);
            }
            if self.depth.write {
                self.stored = depth;
            }
        }
        (Outcome::Written, depth)
    }
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
    let last = recordings.iter().rev().find(|r| r.outcome == Outcome::Written);
    let stepped = last.map(|r| r.recording.color);
    let rendered = stored.color.map(f32::to_bits);
    let expected = stepped.unwrap_or(job.scene.clear.color.map(f32::to_bits));
    let status_agrees = (stored.status == PixelStatus::Written) == last.is_some();
    if rendered == expected && status_agrees {
        Agreement::Same
    } else {
        Agreement::Different { stepped, rendered }
    }
}

/// The value of every parameter of `program` for `job`, in the order of `program.parameters`.
pub fn parameter_values(program: &Program, job: &Job) -> Vec<[f32; 4]> {
    let set = |key: &ParameterKey| {
        let setting = job.scene.parameters.iter().find(|setting| setting.key == *key);
        job.overrides.get(key).copied().or(setting.map(|setting| setting.value))
    };
    let value = |source: &ParameterSource| match source {
        ParameterSource::Constant(value) => *value,
        ParameterSource::Named { name, initial } => {
            set(&ParameterKey::Named(name.clone())).map_or(*initial, |value| evaluate(value, job))
        }
        ParameterSource::Register(index) => {
            let default = [Component::Constant(0.0); 4];
            evaluate(set(&ParameterKey::Register(*index)).unwrap_or(default), job)
        }
        ParameterSource::Numbered(index) => {
            let default = if *index == 0 { DEFAULT_P0 } else { [Component::Constant(0.0); 4] };
            evaluate(set(&ParameterKey::Numbered(*index)).unwrap_or(default), job)
        }
    };
    program.parameters.iter().map(|parameter| value(&parameter.source)).collect()
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
