//! The framebuffer: colour buffers, depth, stencil and the outcome at each pixel, with the multisample buffer
//! and layers. Draws access it tile by tile (see `tile`); readers see the resolved window.

use crate::simd::{self, Simd};
use std::borrow::Cow;
use std::slice::ChunksMut;

use super::color_buffer::{Bands, ColorBuffer, ColorFormat, ColorRows, Storage, Word, converted, unorm8};
use super::plane::Plane;
use super::tile::{SampleRows, StencilPlane, TILE, Tile};
use super::{Rect, Samples, Threads};

/// The outcome at a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum PixelStatus {
    /// No fragment covers it.
    #[default]
    Empty,
    /// A fragment passed all tests. Its colour is a program's output, or the result of blending, a logical
    /// operation and the colour mask.
    Written,
    /// Nothing was written. The program discarded the last shaded fragment.
    Killed,
    /// Nothing was written. The last shaded fragment failed the alpha test (4.1.4).
    AlphaFailed,
    /// Nothing but stencil was written. The last shaded fragment failed the stencil test (4.1.5).
    StencilFailed,
    /// Nothing but stencil was written. The last shaded fragment failed the depth test, or no fragment was
    /// shaded because all were bound to fail the depth test.
    DepthFailed,
    /// Nothing was written. The program replaced the depth of the last shaded fragment by a depth outside the
    /// depth range (NV_fragment_program 3.11.6).
    DepthDiscarded,
    /// Nothing was written. The last shaded fragment lost all its samples to its alpha, the program's sample
    /// mask, SAMPLE_COVERAGE or SAMPLE_MASK (glspec40 4.1.3).
    Uncovered,
}

impl PixelStatus {
    /// All statuses, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Empty,
        Self::Written,
        Self::Killed,
        Self::AlphaFailed,
        Self::StencilFailed,
        Self::DepthFailed,
        Self::DepthDiscarded,
        Self::Uncovered,
    ];
}

/// The reason why a framebuffer cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramebufferError {
    /// A side is 0 or more than [`Framebuffer::MAX_SIDE`].
    Side {
        /// The requested width.
        width: u32,
        /// The requested height.
        height: u32,
    },
    /// More pixels than [`Framebuffer::MAX_PIXELS`].
    Pixels {
        /// The requested width.
        width: u32,
        /// The requested height.
        height: u32,
    },
    /// More samples than [`Framebuffer::MAX_PIXELS`]. The pixels of the window count too.
    Samples {
        /// The requested width.
        width: u32,
        /// The requested height.
        height: u32,
        /// The requested samples per pixel.
        samples: Samples,
    },
    /// More than [`Framebuffer::MAX_PIXELS`] in all layers together, or no layer.
    Layers {
        /// The requested number of layers.
        layers: usize,
        /// The maximum number of layers at this size.
        most: usize,
    },
    /// Memory allocation failed.
    Memory,
}

impl std::fmt::Display for FramebufferError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Side { width, height } => {
                write!(f, "{width} x {height}: each side must be 1 to {} pixels", Framebuffer::MAX_SIDE)
            }
            Self::Pixels { width, height } => {
                write!(f, "{width} x {height}: more than {} pixels in total", Framebuffer::MAX_PIXELS)
            }
            Self::Samples { width, height, samples } => {
                let most = Framebuffer::MAX_PIXELS as usize / (samples.count() + 1);
                write!(
                    f,
                    "{width} x {height}: more than {most} pixels of {} samples in total",
                    samples.count()
                )
            }
            Self::Layers { layers, most } => {
                write!(f, "{layers} layers: there can be 1 to {most} of this size")
            }
            Self::Memory => f.write_str("not enough memory for the picture"),
        }
    }
}

impl std::error::Error for FramebufferError {}

/// One sample of every pixel.
#[derive(Clone, Debug, PartialEq)]
struct SamplePlane {
    colors: Vec<ColorBuffer>,
    depth: Plane<f32>,
    /// Empty until a draw uses it.
    stencil: Plane<u8>,
}

/// The pixels of one window. Row 0 is the bottom; pixel (x, y) is at `y * width + x`.
///
/// With more than one sample per pixel, draws go to a separate multisample buffer (glspec40 3.3.1). `color`
/// and [`Self::color_buffer`] are then the mean of the samples, or sample 0 for integers. Depth and stencil
/// are sample 0's, because no sample is nearer to the centre. A window shows these resolved values and
/// ReadPixels reads them (4.1.12, 4.3.2).
#[derive(Clone, Debug)]
pub struct Framebuffer {
    width: u32,
    height: u32,
    samples: Samples,
    /// The multisample buffer, sample by sample. Empty with one sample per pixel. A framebuffer that does not
    /// keep samples fills the buffer only while a draw needs it.
    planes: Vec<SamplePlane>,
    keeps_samples: bool,
    /// The resolved colours of colour buffer 0; see [`Self::color_buffer`]. Holds colour output registers as
    /// the program left them (not clamped in fp32 formats), results of blending and logical operations, or
    /// the clear colour.
    pub color: ColorBuffer,
    /// Colour buffers 1 and up.
    others: Vec<ColorBuffer>,
    /// Window depth.
    pub depth: Plane<f32>,
    pub status: Plane<PixelStatus>,
    /// Empty until a draw uses it.
    stencil: Plane<u8>,
    /// The value of all stencil values, if they are known to be equal. The plane then needs no memory, and
    /// clearing it to this value costs nothing.
    stencil_uniform: Option<u8>,
    /// Layers 1 and up of a layered framebuffer (NV_geometry_program4 4.4.7). Layers have no layers
    /// themselves. All other fields belong to layer 0, the layer that readers see.
    more: Vec<Self>,
}

/// Equal if all planes are equal.
impl PartialEq for Framebuffer {
    fn eq(&self, other: &Self) -> bool {
        self.size() == other.size()
            && self.more == other.more
            && self.status == other.status
            && self.stencil() == other.stencil()
            && self.depth == other.depth
            && self.color == other.color
            && self.others == other.others
            && self.samples == other.samples
            && (0..self.samples.count()).all(|sample| {
                let of = |buffer: &Self| {
                    buffer.planes.get(sample).map(|plane| (plane.colors.clone(), plane.depth.clone()))
                };
                of(self) == of(other) && self.sample_stencil(sample) == other.sample_stencil(sample)
            })
    }
}

fn filled<T: Copy>(count: usize, value: T) -> Result<Plane<T>, FramebufferError> {
    Plane::filled(count, value).ok_or(FramebufferError::Memory)
}

impl Framebuffer {
    /// Longest side in pixels.
    pub const MAX_SIDE: u32 = 16384;
    /// Maximum number of pixels. A draw then takes less than 1.5 GB for one colour buffer, and about twice as
    /// much if programs write memory in drawing order.
    pub const MAX_PIXELS: u32 = 1 << 26;

    /// Checks the size of a framebuffer before memory is allocated for it.
    ///
    /// # Errors
    /// If a side, the pixels, the samples or the layers are too many, or if there are none.
    ///
    /// ```
    /// use shadestep_core::pipeline::{Framebuffer, FramebufferError, Samples};
    ///
    /// assert!(Framebuffer::check([640, 480], Samples::Four, 40).is_ok());
    /// let refused = Framebuffer::check([640, 480], Samples::Four, 2048);
    /// assert_eq!(refused, Err(FramebufferError::Layers { layers: 2048, most: 43 }));
    /// ```
    pub fn check([width, height]: [u32; 2], samples: Samples, layers: usize) -> Result<(), FramebufferError> {
        let side = 1..=Self::MAX_SIDE;
        if !side.contains(&width) || !side.contains(&height) {
            return Err(FramebufferError::Side { width, height });
        }
        if width * height > Self::MAX_PIXELS {
            return Err(FramebufferError::Pixels { width, height });
        }
        let planes = if samples == Samples::One { 1 } else { samples.count() + 1 };
        let most = Self::MAX_PIXELS as usize / (planes * (width * height) as usize);
        if most == 0 {
            return Err(FramebufferError::Samples { width, height, samples });
        }
        if !(1..=most).contains(&layers) {
            return Err(FramebufferError::Layers { layers, most });
        }
        Ok(())
    }

    /// A black framebuffer of `width` x `height` pixels.
    ///
    /// # Errors
    /// If a side is 0 or too long, or the framebuffer is too large for memory.
    pub fn new(width: u32, height: u32) -> Result<Self, FramebufferError> {
        Self::with_color_buffers(width, height, 1)
    }

    /// The same with `buffers` colour buffers (ARB_draw_buffers), at least one.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_color_buffers(width: u32, height: u32, buffers: usize) -> Result<Self, FramebufferError> {
        Self::with_formats(
            width,
            height,
            ColorFormat::Rgba32F,
            &vec![ColorFormat::Rgba32F; buffers.max(1) - 1],
        )
    }

    /// The same with format `first` for colour buffer 0, and one further colour buffer for each of the other
    /// formats.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_formats(
        width: u32,
        height: u32,
        first: ColorFormat,
        others: &[ColorFormat],
    ) -> Result<Self, FramebufferError> {
        Self::with_samples(width, height, Samples::One, first, others)
    }

    /// The same with `samples` samples per pixel.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_samples(
        width: u32,
        height: u32,
        samples: Samples,
        first: ColorFormat,
        others: &[ColorFormat],
    ) -> Result<Self, FramebufferError> {
        let mut made = Self::for_window(width, height, samples, first, others)?;
        made.keeps_samples = true;
        if samples != Samples::One {
            let count = made.status.len();
            let buffer =
                |format: &ColorFormat| ColorBuffer::new(*format, count).ok_or(FramebufferError::Memory);
            let plane = |_| {
                let colors = [first].iter().chain(others).map(buffer).collect::<Result<_, _>>()?;
                Ok(SamplePlane { colors, depth: filled(count, 1.0)?, stencil: filled(0, 0)? })
            };
            made.planes = (0..samples.count()).map(plane).collect::<Result<_, _>>()?;
        }
        Ok(made)
    }

    /// A framebuffer for readers of the window alone. Samples are dropped after each draw, so they take no
    /// memory between draws. A draw without a clear finds the window's colour in all samples.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn for_window(
        width: u32,
        height: u32,
        samples: Samples,
        first: ColorFormat,
        others: &[ColorFormat],
    ) -> Result<Self, FramebufferError> {
        Self::check([width, height], samples, 1)?;
        let count = (width * height) as usize;
        let buffer = |format: &ColorFormat| ColorBuffer::new(*format, count).ok_or(FramebufferError::Memory);
        Ok(Self {
            width,
            height,
            samples,
            planes: Vec::new(),
            keeps_samples: false,
            color: buffer(&first)?,
            others: others.iter().map(buffer).collect::<Result<_, _>>()?,
            depth: filled(count, 1.0)?,
            status: filled(count, PixelStatus::Empty)?,
            stencil: filled(0, 0)?,
            stencil_uniform: Some(0),
            more: Vec::new(),
        })
    }

    /// The same with `layers` layers. All layers but the first are new.
    ///
    /// # Errors
    /// If `layers` is 0, or the layers are too large for memory.
    pub fn with_layers(mut self, layers: usize) -> Result<Self, FramebufferError> {
        self.more.clear();
        Self::check([self.width, self.height], self.samples, layers)?;
        let formats: Vec<ColorFormat> = self.others.iter().map(ColorBuffer::format).collect();
        let make = if self.keeps_samples { Self::with_samples } else { Self::for_window };
        let layer = |_| make(self.width, self.height, self.samples, self.color.format(), &formats);
        self.more = (1..layers).map(layer).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// Number of layers.
    pub const fn layers(&self) -> usize {
        1 + self.more.len()
    }

    /// Layer `number`; `None` if it does not exist.
    pub fn layer(&self, number: usize) -> Option<&Self> {
        match number.checked_sub(1) {
            None => Some(self),
            Some(other) => self.more.get(other),
        }
    }

    /// Exchanges layer `number` with layer 0, so that readers see it. Does nothing if the layer does not
    /// exist.
    pub fn swap_layer(&mut self, number: usize) {
        let Some(place) = number.checked_sub(1).filter(|place| *place < self.more.len()) else { return };
        let mut more = std::mem::take(&mut self.more);
        std::mem::swap(self, &mut more[place]);
        self.more = more;
    }

    /// Samples per pixel.
    pub const fn samples(&self) -> Samples {
        self.samples
    }

    /// Allocates the multisample buffer, if there is none. The samples of a new buffer have the window's
    /// values.
    pub(super) fn have_samples(&mut self) {
        if self.samples == Samples::One || !self.planes.is_empty() {
            return;
        }
        let plane = |_| SamplePlane {
            colors: [&self.color].into_iter().chain(&self.others).cloned().collect(),
            depth: self.depth.clone(),
            stencil: self.stencil.clone(),
        };
        self.planes = (0..self.samples.count()).map(plane).collect();
        self.more.iter_mut().for_each(Self::have_samples);
    }

    /// Drops the multisample buffer, if the framebuffer does not keep samples. The next draw must overwrite
    /// all samples. Returns whether the buffer was dropped.
    pub(super) fn drop_samples(&mut self) -> bool {
        if !self.keeps_samples {
            self.planes.clear();
        }
        self.more.iter_mut().for_each(|layer| {
            layer.drop_samples();
        });
        self.planes.is_empty()
    }

    /// A sample of pixel `index` in colour buffer `number`, as registers hold it. `None` if the sample,
    /// buffer or pixel does not exist, or if samples are not kept.
    pub fn sample_color(&self, number: usize, sample: usize, index: usize) -> Option<[f32; 4]> {
        let buffer = match self.planes.get(sample) {
            Some(plane) => plane.colors.get(number)?,
            None if sample == 0 && self.samples == Samples::One => self.color_buffer(number)?,
            None => return None,
        };
        (index < self.status.len()).then(|| buffer.at(index))
    }

    /// The depths of one sample of all pixels. Empty if the sample does not exist or samples are not kept.
    pub fn sample_depth(&self, sample: usize) -> &[f32] {
        match self.planes.get(sample) {
            Some(plane) => &plane.depth,
            None if sample == 0 && self.samples == Samples::One => &self.depth,
            None => &[],
        }
    }

    /// The stencil values of one sample of all pixels. Empty if the sample does not exist or samples are not
    /// kept.
    pub fn sample_stencil(&self, sample: usize) -> Cow<'_, [u8]> {
        match (self.stencil_uniform, self.planes.get(sample)) {
            _ if sample >= self.samples.count() => Cow::Borrowed(&[]),
            (Some(value), _) => Cow::Owned(vec![value; self.status.len()]),
            (None, Some(plane)) => Cow::Borrowed(&plane.stencil),
            (None, None) if self.samples == Samples::One => Cow::Borrowed(&self.stencil),
            (None, None) => Cow::Borrowed(&[]),
        }
    }

    /// Width in pixels.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Width and height in pixels.
    pub const fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// Colour buffer `number`, if it exists.
    pub fn color_buffer(&self, number: usize) -> Option<&ColorBuffer> {
        match number.checked_sub(1) {
            None => Some(&self.color),
            Some(other) => self.others.get(other),
        }
    }

    /// Index of pixel (x, y) in the planes, y upwards; `None` outside the framebuffer.
    pub fn index(&self, x: u32, y: u32) -> Option<usize> {
        (x < self.width && y < self.height).then(|| (y * self.width + x) as usize)
    }

    /// The stencil values, 8 bits per pixel, in the order of the other planes. Initially 0.
    pub fn stencil(&self) -> Cow<'_, [u8]> {
        match self.stencil_uniform {
            Some(value) => Cow::Owned(vec![value; self.status.len()]),
            None => Cow::Borrowed(&self.stencil),
        }
    }

    /// Clears the whole stencil plane (4.2.3).
    pub(super) fn clear_stencil(&mut self, value: u8) {
        if self.stencil_uniform != Some(value) {
            self.stencil.fill(value);
            self.planes.iter_mut().for_each(|plane| plane.stencil.fill(value));
            self.stencil_uniform = Some(value);
        }
        self.more.iter_mut().for_each(|layer| layer.clear_stencil(value));
    }

    /// Colour buffer `number` as bytes, converted as in [`Self::to_rgba8`]; `None` if the buffer does not
    /// exist.
    pub fn color_buffer_to_rgba8(&self, number: usize) -> Option<Vec<u8>> {
        self.color_buffer(number).map(|buffer| bytes(buffer, self.size()))
    }

    /// Clears colour buffer `number` within `area`, if the buffer exists. Only the components in `mask`
    /// change.
    pub fn clear_color_buffer(
        &mut self,
        number: usize,
        color: [f32; 4],
        mask: [bool; 4],
        area: Option<Rect>,
    ) {
        let indices = self.indices(area);
        let window = match number.checked_sub(1) {
            None => Some(&mut self.color),
            Some(other) => self.others.get_mut(other),
        };
        let samples = self.planes.iter_mut().filter_map(|plane| plane.colors.get_mut(number));
        for buffer in window.into_iter().chain(samples) {
            for index in indices.clone() {
                let old = buffer.at(index);
                buffer.set(index, std::array::from_fn(|c| if mask[c] { color[c] } else { old[c] }));
            }
        }
        self.more.iter_mut().for_each(|layer| layer.clear_color_buffer(number, color, mask, area));
    }

    /// Sets the depth of the pixels in `area`.
    pub fn clear_depth(&mut self, depth: f32, area: Option<Rect>) {
        for index in self.indices(area) {
            self.depth[index] = depth;
            self.planes.iter_mut().for_each(|plane| plane.depth[index] = depth);
        }
        self.more.iter_mut().for_each(|layer| layer.clear_depth(depth, area));
    }

    /// Sets the stencil values of the pixels in `area`. Only the bits in `mask` change.
    pub fn clear_stencil_within(&mut self, value: u8, mask: u8, area: Option<Rect>) {
        let indices = self.indices(area);
        self.have_stencil();
        for plane in
            [&mut self.stencil].into_iter().chain(self.planes.iter_mut().map(|plane| &mut plane.stencil))
        {
            for index in indices.clone() {
                let stored = &mut plane[index];
                *stored = value & mask | *stored & !mask;
            }
        }
        self.more.iter_mut().for_each(|layer| layer.clear_stencil_within(value, mask, area));
    }

    /// Indices of the pixels in `area`, or of all pixels without an area.
    fn indices(&self, area: Option<Rect>) -> impl Iterator<Item = usize> + Clone + use<> {
        let [width, height] = self.size();
        let [x, y, across, up] = area.map_or([0, 0, width.into(), height.into()], |area| area.map(i64::from));
        let within = |start: i64, length: i64, side: u32| {
            let clamped = |at: i64| at.clamp(0, side.into()) as usize;
            clamped(start)..clamped(start + length)
        };
        let (columns, rows) = (within(x, across, width), within(y, up, height));
        rows.flat_map(move |row| columns.clone().map(move |column| row * width as usize + column))
    }

    /// Gives each pixel a stencil value of its own, if the plane was stored as one uniform value.
    fn have_stencil(&mut self) {
        let value = self.stencil_uniform.take().unwrap_or(0);
        let count = self.status.len();
        for plane in
            [&mut self.stencil].into_iter().chain(self.planes.iter_mut().map(|plane| &mut plane.stencil))
        {
            if plane.is_empty() {
                *plane = Plane::of(count, value);
            }
        }
    }

    /// [`Self::to_rgba8`] that consumes the framebuffer, and frees its other planes before allocating the
    /// bytes.
    pub fn into_rgba8(self) -> Vec<u8> {
        let Self { width, height, planes, color, others, depth, status, stencil, more, .. } = self;
        drop((planes, others, depth, status, stencil, more));
        bytes(&color, [width, height])
    }

    /// The picture as bytes r, g, b, a, top row first. Each component is clamped to `[0,1]` (NaN gives 0) and
    /// rounded to the nearest of 256 levels, ties to even.
    /// For integers of 8 and 16 bits the whole range is shown from black to white. For integers of 32 bits
    /// the low eight bits are shown.
    pub fn to_rgba8(&self) -> Vec<u8> {
        bytes(&self.color, self.size())
    }

    /// Writes the picture to `bytes`, as [`Self::to_rgba8`] but with alpha 255. `bytes` must have `4 * width
    /// * height` bytes.
    pub fn write_opaque_rgba8(&self, bytes: &mut [u8], threads: &Threads) {
        /// Rows per task.
        const BAND: usize = 64;
        let width = self.width as usize;
        let mut rows: Vec<_> = bytes.chunks_exact_mut(width * 4).rev().zip(0..).collect();
        threads.each(rows.chunks_mut(BAND).collect(), |rows| {
            for (bytes, y) in rows {
                row_bytes(&self.color, *y * width..(*y + 1) * width, bytes, Alpha::Opaque);
            }
        });
    }

    /// Calls `f` with every tile, layer by layer, on all threads. Tiles have the stencil plane if `stencil`
    /// says that it is used.
    ///
    /// The row slices of a tile take memory, so not all tiles exist at once.
    pub(super) fn each_tile(
        &mut self,
        stencil: StencilPlane,
        threads: &Threads,
        f: impl Fn(Tile<'_>) + Sync,
    ) {
        let mut more = std::mem::take(&mut self.more);
        for (number, layer) in [&mut *self].into_iter().chain(&mut more).enumerate() {
            layer.each_tile_of_layer(stencil, threads, |tile| f(Tile { layer: number, ..tile }));
        }
        self.more = more;
    }

    fn each_tile_of_layer(&mut self, stencil: StencilPlane, threads: &Threads, f: impl Fn(Tile<'_>) + Sync) {
        /// Maximum number of tiles that exist at once, but always at least one row of tiles. A tile takes
        /// four kilobytes, and as much for each sample.
        const MOST: usize = 2048;
        let most = MOST / (self.samples.count() + 1);
        let bands = (most / self.width.div_ceil(TILE) as usize).max(1);
        for tiles in self.parts(stencil, bands) {
            threads.each(tiles, &f);
        }
    }

    /// All tiles, in rows from the lower left.
    #[cfg(test)]
    pub(super) fn tiles(&mut self, stencil: StencilPlane) -> Vec<Tile<'_>> {
        self.parts(stencil, usize::MAX).flatten().collect()
    }

    /// All tiles, `bands` rows of tiles at a time.
    fn parts(&mut self, stencil: StencilPlane, bands: usize) -> impl Iterator<Item = Vec<Tile<'_>>> {
        let (width, height) = (self.width as usize, self.height as usize);
        let rows = bands.saturating_mul(TILE as usize).min(height);
        let pixels = rows * width;
        if stencil == StencilPlane::Used {
            self.have_stencil();
        }
        let buffers = [&mut self.color].into_iter().chain(&mut self.others);
        let mut window = PlaneBands::new(buffers, &mut self.depth, (stencil, &mut self.stencil), pixels);
        let mut samples: Vec<PlaneBands<'_>> = self
            .planes
            .iter_mut()
            .map(|plane| {
                PlaneBands::new(&mut plane.colors, &mut plane.depth, (stencil, &mut plane.stencil), pixels)
            })
            .collect();
        let count = self.samples.count();
        self.status.chunks_mut(pixels).enumerate().map(move |(number, status)| {
            let mut tiles = new_tiles((number * rows) as u32, [width, status.len() / width]);
            let rows = pieces(Some(status), width, &tiles);
            tiles.iter_mut().zip(rows).for_each(|(tile, rows)| tile.status = rows);
            window.give(width, &mut tiles);
            if count > 1 {
                tiles.iter_mut().for_each(|tile| tile.window = tile.samples.pop());
            }
            if samples.is_empty() && count > 1 {
                for tile in &mut tiles {
                    tile.samples.resize_with(count, SampleRows::default);
                }
            }
            samples.iter_mut().for_each(|plane| plane.give(width, &mut tiles));
            tiles
        })
    }
}

/// The planes of one sample or of the window, split into bands of rows.
struct PlaneBands<'a> {
    colors: Vec<Bands<'a>>,
    depth: ChunksMut<'a, f32>,
    /// No bands if the stencil plane is not used.
    stencil: ChunksMut<'a, u8>,
}

impl<'a> PlaneBands<'a> {
    fn new(
        colors: impl IntoIterator<Item = &'a mut ColorBuffer>,
        depth: &'a mut [f32],
        (used, stencil): (StencilPlane, &'a mut [u8]),
        pixels: usize,
    ) -> Self {
        let stencil = if used == StencilPlane::Used { stencil } else { &mut [] };
        Self {
            colors: colors.into_iter().map(|buffer| buffer.bands(pixels)).collect(),
            depth: depth.chunks_mut(pixels),
            stencil: stencil.chunks_mut(pixels),
        }
    }

    /// Gives each tile its part of the next band, as its last sample.
    fn give(&mut self, width: usize, tiles: &mut [Tile<'a>]) {
        let mut samples: Vec<SampleRows<'a>> = tiles.iter().map(|_| SampleRows::default()).collect();
        for bands in &mut self.colors {
            let colors = color_rows(bands, width, tiles);
            samples.iter_mut().zip(colors).for_each(|(sample, rows)| sample.colors.push(rows));
        }
        let planes = pieces(self.depth.next(), width, tiles).zip(pieces(self.stencil.next(), width, tiles));
        for ((tile, mut sample), (depth, stencil)) in tiles.iter_mut().zip(samples).zip(planes) {
            (sample.depth, sample.stencil) = (depth, stencil);
            tile.samples.push(sample);
        }
    }
}

/// Rows of colours as bytes, top row first.
fn bytes(color: &ColorBuffer, [width, height]: [u32; 2]) -> Vec<u8> {
    let [width, height] = [width, height].map(|side| side as usize);
    let mut bytes = vec![0; width * height * 4];
    for (y, bytes) in bytes.chunks_exact_mut(width * 4).rev().enumerate() {
        row_bytes(color, y * width..(y + 1) * width, bytes, Alpha::Kept);
    }
    bytes
}

/// Converts the pixels of `row` to bytes.
fn row_bytes(color: &ColorBuffer, row: std::ops::Range<usize>, bytes: &mut [u8], alpha: Alpha) {
    if let Some(words) = color.words() {
        simd::widest(ToBytes { bytes, values: words[row].as_flattened(), alpha });
    } else if let Some(levels) = color.levels() {
        bytes.copy_from_slice(levels[row].as_flattened());
        alpha.apply(bytes);
    } else {
        let format = color.format();
        for (bytes, pixel) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(row) {
            *bytes = color.at(pixel).map(|value| format.level(value));
        }
        alpha.apply(bytes);
    }
}

/// Tiles without planes for an area of this size, in rows from the lower left. The area begins in row
/// `bottom`.
fn new_tiles<'a>(bottom: u32, [width, height]: [usize; 2]) -> Vec<Tile<'a>> {
    let starts = |side: usize| (0..side as u32).step_by(TILE as usize);
    let side = |start: u32, side: usize| TILE.min(side as u32 - start);
    let row =
        |y: u32| starts(width).map(move |x| Tile::new([x, bottom + y], [side(x, width), side(y, height)]));
    starts(height).flat_map(row).collect()
}

/// Each tile's part of the next band of a colour buffer.
fn color_rows<'a>(bands: &mut Bands<'a>, width: usize, tiles: &[Tile<'a>]) -> Vec<ColorRows<'a>> {
    let format = bands.format;
    let mut rows = converted!(&mut bands.parts, |_codec, parts| pieces(parts.next(), width, tiles));
    let next = |_: &Tile<'_>| {
        let rows = converted!(&mut rows, |_codec, rows| rows.next().unwrap_or_default());
        ColorRows { format, rows }
    };
    tiles.iter().map(next).collect()
}

/// Each tile's part of every row of a plane, from the bottom row up. Without a plane, no rows.
fn pieces<'a, T>(
    plane: Option<&'a mut [T]>,
    width: usize,
    tiles: &[Tile<'_>],
) -> std::vec::IntoIter<Vec<&'a mut [T]>> {
    let rows = |tile: &Tile<'_>| if plane.is_some() { tile.size[1] as usize } else { 0 };
    let mut all: Vec<Vec<&'a mut [T]>> = tiles.iter().map(|tile| Vec::with_capacity(rows(tile))).collect();
    let size = TILE as usize;
    for (y, row) in plane.unwrap_or_default().chunks_mut(width).enumerate() {
        let first = y / size * width.div_ceil(size);
        for (pieces, piece) in all[first..].iter_mut().zip(row.chunks_mut(size)) {
            pieces.push(piece);
        }
    }
    all.into_iter()
}

/// The alpha of converted pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alpha {
    Kept,
    Opaque,
}

impl Alpha {
    /// Applies the choice to the alpha bytes of pixels.
    #[inline(always)]
    fn apply(self, bytes: &mut [u8]) {
        if self == Self::Opaque {
            bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel[3] = u8::MAX);
        }
    }
}

/// Converts components to bytes, one byte each.
struct ToBytes<'a> {
    bytes: &'a mut [u8],
    values: &'a [f32],
    alpha: Alpha,
}

impl simd::Task for ToBytes<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        for (byte, value) in self.bytes.iter_mut().zip(self.values) {
            *byte = unorm8(*value);
        }
        self.alpha.apply(self.bytes);
    }
}
