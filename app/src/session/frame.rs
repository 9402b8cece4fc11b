//! One frame: its set-up ([`SetUp`]) and the resulting picture ([`Frame`]).

use super::{FrameInputs, FrameMemory, Job, Loaded, PixelStatus, RenderError, Stats, Threads, context};
use crate::format;
use crate::scene::{MAX_SIZE, Slot};
use shadestep_engine::gl::{Context, DrawCall};
use shadestep_engine::ir::{OutputRole, TextureTarget, Type};
use shadestep_engine::pipeline::{Cancelled, ColorFormat, CompareFunc, Framebuffer};
use shadestep_engine::query::{self, FrameAnswer, FrameQueryError, Question};
use shadestep_engine::semantics::plan::ResultTypes;
use shadestep_engine::texture::Texture;
use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Drawing time between two checkpoints of memory. A query of the memory that a fragment read restarts from
/// the checkpoint before the fragment.
const CHECKPOINTS: Duration = Duration::from_millis(8);

/// A frame ready to draw. Rendering, display and queries all use the same set-up.
#[derive(Clone, Debug)]
pub struct SetUp {
    context: Context,
    pub(super) call: DrawCall,
    job: Job,
    programs: Loaded,
    started: Instant,
}

impl SetUp {
    /// Sets up the frame of `job`.
    ///
    /// # Errors
    /// See [`RenderError`].
    pub fn new(programs: &Loaded, job: &Job) -> Result<Self, RenderError> {
        let started = Instant::now();
        let places = programs.loaded()?;
        if job.size.iter().any(|side| !(1..=MAX_SIZE).contains(side)) {
            return Err(RenderError::BadSize(job.size));
        }
        job.scene.check_size(job.size).map_err(RenderError::Failed)?;
        let (context, mut call) = context::set_up(&programs.context, &places, job)?;
        call.keep_checkpoints(CHECKPOINTS);
        call.find_races(job.finds_races);
        call.in_any_order(job.scene.any_order);
        Ok(Self { context, call, job: job.clone(), programs: programs.clone(), started })
    }

    pub fn call(&self) -> &DrawCall {
        &self.call
    }

    /// Returns the matrices and parameter registers that its vertex programs read.
    pub fn inputs(&self) -> FrameInputs {
        FrameInputs::new(&self.context, &self.programs)
    }

    /// Renders the frame, into the memory of a frame that is no longer needed if there is one: for large
    /// pictures, allocating memory takes as long as a simple program. Stops soon after `cancel` becomes true.
    ///
    /// # Errors
    /// See [`RenderError`].
    pub fn render(
        &self,
        threads: &Threads,
        cancel: &AtomicBool,
        old: Option<Frame>,
    ) -> Result<Frame, RenderError> {
        let format = self.job.scene.attachment(self.job.output_color).format;
        let samples = self.job.scene.raster.multisample.samples;
        let layers = self.job.scene.layers.count as usize;
        let mut framebuffer = match old {
            Some(old)
                if (old.size(), old.color_format(), old.framebuffer.samples(), old.framebuffer.layers())
                    == (self.job.size, format, samples, layers) =>
            {
                old.framebuffer
            }
            _ => {
                let [width, height] = self.job.size;
                let new = Framebuffer::for_window(width, height, samples, format, &[]);
                let new = new.and_then(|new| if layers > 1 { new.with_layers(layers) } else { Ok(new) });
                new.map_err(|error| RenderError::Failed(error.to_string()))?
            }
        };
        self.call.refuse_target(&framebuffer).map_err(|error| RenderError::Failed(error.to_string()))?;
        let stats = self
            .call
            .render(&mut framebuffer, &threads.pool, cancel)
            .map_err(|Cancelled| RenderError::Cancelled)?;
        let depth = &self.call.draw().state.depth;
        let nearest_wins = matches!(depth.test, Some(CompareFunc::Less | CompareFunc::Lequal)) && depth.write;
        let color_types = self.color_types();
        let render_time = self.started.elapsed();
        let drawn = self.drawn(&framebuffer)?;
        framebuffer.swap_layer(self.job.layer as usize);
        let memory = FrameMemory::of(&self.call, &self.context, (&self.job, drawn), &self.programs);
        Ok(Frame {
            memory,
            framebuffer,
            nearest_wins,
            color_types,
            undefined: self.undefined(),
            stats,
            render_time,
        })
    }

    /// Runs the query `question` on every fragment of the frame.
    ///
    /// # Errors
    /// See [`FrameQueryError`].
    pub fn query_frame<'a>(
        &self,
        question: &Question,
        threads: &Threads,
        run: impl Into<query::Run<'a>>,
    ) -> Result<FrameAnswer, FrameQueryError> {
        let target = query::Target {
            size: self.job.size,
            format: self.job.scene.attachment(self.job.output_color).format,
            samples: self.job.scene.raster.multisample.samples,
            layers: self.job.scene.layers.count as usize,
            layer: self.job.layer as usize,
        };
        self.call.query_frame(question, target, &threads.pool, run.into())
    }

    /// Returns the drawn picture for each of the scene's frame textures.
    fn drawn(&self, framebuffer: &Framebuffer) -> Result<Vec<Arc<Texture>>, RenderError> {
        let [width, height] = framebuffer.size().map(|side| side as usize);
        let made = self.job.scene.frame_textures.iter().map(|texture| {
            // Faces of cubes are square.
            let side = width.min(height);
            let size = if texture.target == TextureTarget::Cube { [side; 2] } else { [width, height] };
            let layer = |number: u32| {
                let color = &framebuffer.layer(number as usize)?.color;
                let mut colors = Vec::with_capacity(4 * size[0] * size[1]);
                for row in 0..size[1] {
                    let places = row * width..row * width + size[0];
                    places.for_each(|place| colors.extend_from_slice(&color.at(place)));
                }
                Some((colors, size))
            };
            let layers = 0..texture.layers(self.job.scene.layers.count);
            context::frame_texture(texture, layers.filter_map(layer)).map(Arc::new)
        });
        made.collect::<Result<_, _>>().map_err(|error| RenderError::Failed(error.to_string()))
    }

    /// Returns the types that the program writes the components of the shown output colour as.
    pub fn color_types(&self) -> [Type; 4] {
        let fragment = self.programs.get(Slot::Fragment).and_then(|compiled| compiled.program.as_deref());
        let role = OutputRole::Color(self.job.output_color);
        fragment.map_or([Type::F32; 4], |program| ResultTypes::of_role(program, role))
    }

    /// Returns a message if the program writes another number type than the colour attachment holds. The
    /// attachment's contents are undefined then (EXT_texture_integer 3.11.2).
    fn undefined(&self) -> Option<String> {
        let number = self.job.output_color;
        let given = self.job.scene.attachments.iter().find(|attachment| attachment.number == number)?;
        let (wanted, written) = (given.format.ty(), self.color_types());
        let other = written.into_iter().find(|ty| ty.is_integer() != wanted.is_integer())?;
        let (name, other, wanted) =
            (given.format.name(), format::type_name(other), format::type_name(wanted));
        Some(format!(
            "the program writes output colour {number} as {other}, but its attachment {name} needs {wanted}, so the result is undefined"
        ))
    }
}

/// The exact values of a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pixel {
    /// The colour in the picture, unclamped: the colour output register, after blending, logical operation
    /// and colour mask if they are on. The clear colour if nothing was written.
    pub color: [f32; 4],
    /// The colour's format in the picture.
    pub format: ColorFormat,
    /// Stored depth.
    pub depth: f32,
    /// The outcome of the pixel.
    pub status: PixelStatus,
}

/// A rendered picture.
#[derive(Clone, Debug)]
pub struct Frame {
    pub(super) framebuffer: Framebuffer,
    /// True if the depth test lets near surfaces hide far ones.
    nearest_wins: bool,
    /// The types that the program writes the components of the shown colour as.
    color_types: [Type; 4],
    /// A message if the colours are undefined.
    undefined: Option<String>,
    /// The effects of the frame on memory.
    pub memory: FrameMemory,
    pub stats: Stats,
    /// Time from the start of the set-up to the last pixel.
    pub render_time: Duration,
}

impl Frame {
    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.framebuffer.size()
    }

    /// Returns the types that the program writes the components of the shown colour as.
    pub fn color_types(&self) -> [Type; 4] {
        self.color_types
    }

    /// Returns the format of the colours in the picture.
    pub fn color_format(&self) -> ColorFormat {
        self.framebuffer.color.format()
    }

    /// Returns the types of the components of its pixels: numbers or integers, according to the format. An
    /// integer format of 32 bits keeps the types that the program writes.
    pub fn types(&self) -> [Type; 4] {
        match self.color_format() {
            ColorFormat::Rgba32F => self.color_types,
            format => [format.ty(); 4],
        }
    }

    /// Returns the pixel at `pixel`, from the lower left. `None` outside the picture.
    pub fn pixel(&self, [x, y]: [u32; 2]) -> Option<Pixel> {
        let index = self.framebuffer.index(x, y)?;
        Some(Pixel {
            color: self.framebuffer.color.at(index),
            format: self.color_format(),
            depth: self.framebuffer.depth[index],
            status: self.framebuffer.status[index],
        })
    }

    /// Returns true if a drawn surface is in front of a place in the window (pixels from the lower left, and
    /// window z). A surface does not hide the places on itself: a neighbouring pixel is as far away.
    pub fn hides(&self, [x, y, z]: [f32; 3]) -> bool {
        /// For surfaces seen head on, whose pixels differ from the place by rounding alone.
        const ROUNDING: f32 = 1e-6;
        let nearer = |column: i64, row: i64| {
            let pixel = [u32::try_from(column).ok(), u32::try_from(row).ok()];
            let [Some(x), Some(y)] = pixel else { return true };
            self.framebuffer.index(x, y).is_none_or(|index| self.framebuffer.depth[index] < z - ROUNDING)
        };
        let (column, row) = (x.floor() as i64, y.floor() as i64);
        self.nearest_wins && (-1..=1).all(|dy| (-1..=1).all(|dx| nearer(column + dx, row + dy)))
    }

    /// Describes why primitives were not drawn. `None` if all were.
    pub fn note(&self) -> Option<String> {
        let notes: Vec<String> = note(&self.stats).into_iter().chain(self.undefined.clone()).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// Returns the picture as clamped RGBA with 8 bits per component, top row first: `4 * width * height`
    /// bytes. Integers of 8 and 16 bits map their whole range from black to white. Integers of 32 bits show
    /// their low eight bits.
    pub fn to_rgba8(&self) -> Vec<u8> {
        self.framebuffer.to_rgba8()
    }

    /// Writes the picture as [`Self::to_rgba8`] does, but opaque: alpha is data to read, not a hole in the
    /// window. `bytes` has room for the picture.
    pub fn write_opaque_rgba8(&self, bytes: &mut [u8], threads: &Threads) {
        self.framebuffer.write_opaque_rgba8(bytes, &threads.pool);
    }

    /// Encodes the picture as a PNG file. Consumes the frame, because a large frame and its file together
    /// would take too much memory.
    ///
    /// # Errors
    /// The encoder fails.
    pub fn into_png(self) -> Result<Vec<u8>, RenderError> {
        let [width, height] = self.size();
        let rgba = self.framebuffer.into_rgba8();
        let mut bytes = Cursor::new(Vec::new());
        let (format, color) = (image::ImageFormat::Png, image::ExtendedColorType::Rgba8);
        image::write_buffer_with_format(&mut bytes, &rgba, width, height, color, format)
            .map_err(|error| RenderError::Failed(format!("the picture cannot be encoded as PNG: {error}")))?;
        Ok(bytes.into_inner())
    }
}

/// Describes why primitives in `stats` were not drawn. `None` without such primitives.
fn note(stats: &Stats) -> Option<String> {
    let of = |count: u64, fault: &str, faults: &str| match count {
        0 => None,
        1 => Some(format!("1 of {} primitives {fault}", stats.primitives)),
        _ => Some(format!("{count} of {} primitives {faults}", stats.primitives)),
    };
    let invalid = of(
        stats.primitives_invalid,
        "is not drawn: a vertex position is not finite",
        "are not drawn: a vertex position is not finite",
    );
    let out_of_range = of(
        stats.primitives_out_of_range,
        "is not drawn: a vertex is outside the arrays",
        "are not drawn: a vertex is outside the arrays",
    );
    let nothing = (stats.primitives > 0 && stats.primitives_culled == stats.primitives).then(|| {
        "nothing is drawn: every primitive is outside the view, faces away, has no area or covers no pixel".to_owned()
    });
    let notes: Vec<String> = [invalid, out_of_range, nothing].into_iter().flatten().collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}
