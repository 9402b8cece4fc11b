//! One frame: what is set up for it, and the picture that comes of it.

use super::{FrameInputs, FrameMemory, Job, Loaded, PixelStatus, RenderError, Stats, Threads, context};
use crate::format;
use crate::scene::{MAX_SIZE, Slot};
use shadestep_engine::gl::{Context, DrawCall};
use shadestep_engine::ir::{OutputRole, TextureTarget, Type};
use shadestep_engine::pipeline::{Cancelled, ColorFormat, CompareFunc, Framebuffer};
use shadestep_engine::semantics::plan::ResultTypes;
use shadestep_engine::survey::{self, Question, Survey, SurveyError};
use shadestep_engine::texture::Texture;
use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How far memory is from what was kept of it, in drawing time, when somebody asks for what a fragment found.
const CHECKPOINTS: Duration = Duration::from_millis(8);

/// A frame ready to be drawn: whatever is drawn, shown or asked of it comes from this one set-up.
#[derive(Clone, Debug)]
pub struct SetUp {
    context: Context,
    pub(super) call: DrawCall,
    job: Job,
    programs: Loaded,
    started: Instant,
}

impl SetUp {
    /// Sets up the frame that `job` asks for.
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

    /// The draw.
    pub fn call(&self) -> &DrawCall {
        &self.call
    }

    /// What its vertex programs find.
    pub fn inputs(&self) -> FrameInputs {
        FrameInputs::new(&self.context, &self.programs)
    }

    /// Renders it, in the memory of a frame that is no longer wanted where there is one: for large pictures,
    /// getting fresh memory takes as long as a simple program. Stops soon after `cancel` becomes true.
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

    /// Asks `question` of every fragment of the frame.
    ///
    /// # Errors
    /// See [`SurveyError`].
    pub fn survey<'a>(
        &self,
        question: &Question,
        threads: &Threads,
        run: impl Into<survey::Run<'a>>,
    ) -> Result<Survey, SurveyError> {
        let target = survey::Target {
            size: self.job.size,
            format: self.job.scene.attachment(self.job.output_color).format,
            samples: self.job.scene.raster.multisample.samples,
            layers: self.job.scene.layers.count as usize,
            layer: self.job.layer as usize,
        };
        self.call.survey(question, target, &threads.pool, run.into())
    }

    /// What was drawn, for each of the scene's frame textures.
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

    /// What the components of the output colour that is shown are written as.
    pub fn color_types(&self) -> [Type; 4] {
        let fragment = self.programs.get(Slot::Fragment).and_then(|compiled| compiled.program.as_deref());
        let role = OutputRole::Color(self.job.output_color);
        fragment.map_or([Type::F32; 4], |program| ResultTypes::of_role(program, role))
    }

    /// That the attachment of the output colour holds other numbers than the program writes, if it does: what it holds is
    /// undefined then (EXT_texture_integer 3.11.2).
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

/// A pixel of a frame, exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pixel {
    /// What the picture holds, unclamped: the colour output register where nothing stands between it and the picture,
    /// what blending, logical operation and colour mask made of it elsewhere; the clear colour where nothing was
    /// written.
    pub color: [f32; 4],
    /// How the picture holds it.
    pub format: ColorFormat,
    /// Stored depth.
    pub depth: f32,
    /// What became of it.
    pub status: PixelStatus,
}

/// A rendered picture.
#[derive(Clone, Debug)]
pub struct Frame {
    pub(super) framebuffer: Framebuffer,
    /// Whether the depth test lets near things hide far ones.
    nearest_wins: bool,
    /// What the components of its colour are written as.
    color_types: [Type; 4],
    /// That this is not what the picture holds, in words.
    undefined: Option<String>,
    /// What it did to memory.
    pub memory: FrameMemory,
    /// Counts.
    pub stats: Stats,
    /// Time from the start of its set-up to its last pixel.
    pub render_time: Duration,
}

impl Frame {
    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.framebuffer.size()
    }

    /// What the components of the output colour that it shows are written as.
    pub fn color_types(&self) -> [Type; 4] {
        self.color_types
    }

    /// How the picture holds its colours.
    pub fn color_format(&self) -> ColorFormat {
        self.framebuffer.color.format()
    }

    /// What the components of its pixels are: numbers or integers of the format. Where that has 32 bits as they are written,
    /// they are what the program writes them as.
    pub fn types(&self) -> [Type; 4] {
        match self.color_format() {
            ColorFormat::Rgba32F => self.color_types,
            format => [format.ty(); 4],
        }
    }

    /// The pixel at `pixel`, from the lower left; `None` outside the picture.
    pub fn pixel(&self, [x, y]: [u32; 2]) -> Option<Pixel> {
        let index = self.framebuffer.index(x, y)?;
        Some(Pixel {
            color: self.framebuffer.color.at(index),
            format: self.color_format(),
            depth: self.framebuffer.depth[index],
            status: self.framebuffer.status[index],
        })
    }

    /// Whether something drawn lies before a place in the window (pixels from the lower left, and window z).
    /// A place on a surface is not hidden by it: some pixel beside it is as far away.
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

    /// What the draw could not draw, in words; `None` where there is nothing to say.
    pub fn note(&self) -> Option<String> {
        let notes: Vec<String> = note(&self.stats).into_iter().chain(self.undefined.clone()).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// The picture as RGBA, 8 bits each, clamped, top row first: `4 * width * height` bytes. Of integers of 8 and 16 bits
    /// the whole range goes from black to white, of those of 32 bits the low eight bits are shown.
    pub fn to_rgba8(&self) -> Vec<u8> {
        self.framebuffer.to_rgba8()
    }

    /// The picture as the screen shows it, as [`Self::to_rgba8`]: alpha is data to read, not a hole in the window.
    /// `bytes` has room for it.
    pub fn write_opaque_rgba8(&self, bytes: &mut [u8], threads: &Threads) {
        self.framebuffer.write_opaque_rgba8(bytes, &threads.pool);
    }

    /// The picture as a PNG file, and no longer as a frame: both of the largest would take too much memory.
    ///
    /// # Errors
    /// Where the encoder fails.
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

/// What `stats` say went wrong with primitives, in words.
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
