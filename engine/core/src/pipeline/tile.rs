//! A tile: a 64x64 part of the framebuffer. One thread loads the tile into buffers of 8x8 blocks, draws
//! there, and stores the tile.

use super::block::{self, SIDE};
use super::color_buffer::{Byte, ColorFormat, ColorRows, Rows, of_rgba8, rgba8};
use super::plane::Plane;
use super::{Clear, PixelStatus, Samples, resolve};
use crate::exec::{LANES, LaneRegister};
use crate::simd::{self, Plain, Simd};

/// Side of a tile in pixels; a multiple of [`SIDE`], so that no block spans two tiles.
pub(super) const TILE: u32 = 64;

/// Blocks in a row of a [`QuadTile`].
const BLOCK_COLUMNS: usize = (TILE / SIDE) as usize;

/// Blocks of a [`QuadTile`].
pub(super) const BLOCKS: usize = BLOCK_COLUMNS * BLOCK_COLUMNS;

/// Quads of a [`QuadTile`].
pub(super) const QUADS: usize = BLOCKS * block::QUADS;

/// Whether a draw uses the stencil buffer. If it does not, tiles have no stencil plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StencilPlane {
    /// The draw neither reads nor writes stencil values.
    Unused,
    /// The draw has a stencil test.
    Used,
}

/// The colours of a block as one register per component, lanes in the order of [`block`], as in shader
/// batches.
pub(super) type ColorBlock = [LaneRegister; 4];

/// The pixels of a tile in block order: blocks row by row, the quads of a block row by row, the four pixels
/// of a quad side by side. Pixels beyond the tile's edge have unspecified values.
#[derive(Debug)]
pub(super) struct QuadTile {
    /// Colour buffers, as many as the last loaded tile has.
    pub colors: Vec<QuadColors>,
    /// The resolved colours of the samples, before they are stored in the window.
    resolved: Vec<ColorBlock>,
    /// Buffer for pixels with 8 bits per component, for conversion from and to rows.
    packed: Vec<[[u8; 4]; 4]>,
    /// Buffer for pixels with 16 bits per component.
    halves: Vec<[[u16; 4]; 4]>,
    /// By quads, sample by sample. Four adjacent quads fill a cache line.
    pub depth: Plane<[f32; 4]>,
    /// By quads.
    pub status: Vec<[PixelStatus; 4]>,
    /// By quads, sample by sample. Empty until a tile with a stencil plane is loaded.
    pub stencil: Vec<[u8; 4]>,
}

/// A colour buffer of a [`QuadTile`]. Pixels drawn without regard to the stored colours are rounded to the
/// buffer's format on storing. All other pixels are rounded on drawing.
#[derive(Debug)]
pub(super) struct QuadColors {
    pub format: ColorFormat,
    /// [`BLOCKS`] blocks per sample, sample by sample.
    pub blocks: Vec<ColorBlock>,
    /// For multisample tiles: a bit per quad of a block, set if all samples of the quad equal sample 0. Only
    /// sample 0 is stored then. Most quads of a picture are alike, so they are written and resolved once.
    pub alike: Vec<u16>,
}

impl QuadColors {
    /// Whether all samples of the quad at a place equal sample 0.
    #[inline(always)]
    pub fn is_alike(&self, place: usize) -> bool {
        self.alike[place / block::QUADS] >> (place % block::QUADS) & 1 != 0
    }

    /// Marks the quad at a place as alike. The caller then writes sample 0.
    #[inline(always)]
    pub fn join(&mut self, place: usize) {
        self.alike[place / block::QUADS] |= 1 << (place % block::QUADS);
    }

    /// Gives each sample of an alike quad its own copy of sample 0's colour.
    pub fn part(&mut self, place: usize) {
        let (number, quad) = (place / block::QUADS, place % block::QUADS);
        self.alike[number] &= !(1 << quad);
        let (first, others) = self.blocks.split_at_mut(BLOCKS);
        for others in others.chunks_exact_mut(BLOCKS) {
            for (own, register) in others[number].iter_mut().zip(&first[number]) {
                own.0.as_chunks_mut::<4>().0[quad] = register.0.as_chunks::<4>().0[quad];
            }
        }
    }

    /// Splits all alike quads.
    fn part_all(&mut self) {
        for number in 0..self.alike.len() {
            for quad in 0..block::QUADS {
                let place = number * block::QUADS + quad;
                if self.is_alike(place) {
                    self.part(place);
                }
            }
        }
    }
}

impl Default for QuadTile {
    fn default() -> Self {
        Self {
            colors: Vec::new(),
            resolved: Vec::new(),
            packed: Vec::new(),
            halves: Vec::new(),
            depth: Plane::of(QUADS, [0.0; 4]),
            status: vec![[PixelStatus::Empty; 4]; QUADS],
            stencil: Vec::new(),
        }
    }
}

/// Quads in a row of a block.
const ACROSS: usize = SIDE as usize / 2;

/// Pixels in a row of a block.
const WIDTH: usize = SIDE as usize;

/// The place of the first quad with pixels of row `y`, in the block in `column`.
#[inline(always)]
const fn first_quad(y: usize, column: usize) -> usize {
    (y / WIDTH * BLOCK_COLUMNS + column) * block::QUADS + y % WIDTH / 2 * ACROSS
}

/// The lower (0) or upper (1) pixel row of adjacent quads.
#[inline(always)]
fn row_of<T: Plain, const UPPER: usize>(quads: &[[T; 4]; ACROSS]) -> [T; WIDTH] {
    let mut row = [T::ZERO; WIDTH];
    // Copies pairs of pixels, because copying single bytes is slow.
    for (pair, quad) in row.as_chunks_mut::<2>().0.iter_mut().zip(quads) {
        *pair = quad.as_chunks().0[UPPER];
    }
    row
}

/// A plane of a [`QuadTile`].
trait QuadPlane {
    type Pixel: Plain;

    /// The pixels of the lower (0) or upper (1) row of four adjacent quads, starting with quad `first`.
    fn row<const UPPER: usize>(&self, first: usize) -> [Self::Pixel; WIDTH];

    /// Stores `pixels` at the start of the same row.
    fn set_row(&mut self, first: usize, upper: usize, pixels: &[Self::Pixel]);
}

// SAFETY: the type is a `u8` in memory.
#[expect(unsafe_code, reason = "promises that the type has no padding")]
unsafe impl Plain for PixelStatus {
    const ZERO: Self = Self::Empty;
}

/// A pixel type of the planes that are stored by quads.
trait Lane: Plain {}

impl Lane for f32 {}
impl Lane for u8 {}
impl Lane for [u8; 4] {}
impl Lane for [u16; 4] {}
impl Lane for PixelStatus {}

impl<T: Lane> QuadPlane for [[T; 4]] {
    type Pixel = T;

    #[inline(always)]
    fn row<const UPPER: usize>(&self, first: usize) -> [T; WIDTH] {
        let [p, q, r, s] = [self[first], self[first + 1], self[first + 2], self[first + 3]];
        row_of::<T, UPPER>(&[p, q, r, s])
    }

    #[inline(always)]
    fn set_row(&mut self, first: usize, upper: usize, pixels: &[T]) {
        for (quad, pixels) in self[first..].iter_mut().zip(pixels.chunks(2)) {
            quad[2 * upper..][..pixels.len()].copy_from_slice(pixels);
        }
    }
}

impl QuadPlane for [ColorBlock] {
    type Pixel = [f32; 4];

    #[inline(always)]
    fn row<const UPPER: usize>(&self, first: usize) -> [[f32; 4]; WIDTH] {
        let [r, g, b, a] = self[first / block::QUADS].each_ref().map(|row| row.0.as_chunks::<4>().0);
        let first = first % block::QUADS;
        let quad = |quad: usize| {
            let quad = first + quad;
            simd::transposed([&r[quad], &g[quad], &b[quad], &a[quad]])
        };
        row_of::<[f32; 4], UPPER>(&[quad(0), quad(1), quad(2), quad(3)])
    }

    #[inline(always)]
    fn set_row(&mut self, first: usize, upper: usize, pixels: &[[f32; 4]]) {
        let block = &mut self[first / block::QUADS];
        for (number, pixel) in pixels.iter().enumerate() {
            let lane = 4 * (first % block::QUADS + number / 2) + 2 * upper + number % 2;
            for (row, value) in block.iter_mut().zip(pixel) {
                row.0[lane] = *value;
            }
        }
    }
}

/// Copies rows of pixels to a plane.
fn gather<P: QuadPlane + ?Sized>(plane: &mut P, rows: &[&mut [P::Pixel]]) {
    for (y, row) in rows.iter().enumerate() {
        for (column, pixels) in row.chunks(WIDTH).enumerate() {
            plane.set_row(first_quad(y, column), y % 2, pixels);
        }
    }
}

/// Copies a plane to rows of pixels.
struct Scatter<'a, 'b, P: QuadPlane + ?Sized> {
    plane: &'a P,
    rows: &'a mut [&'b mut [P::Pixel]],
}

impl<P: QuadPlane + ?Sized> Scatter<'_, '_, P> {
    #[inline(always)]
    fn row<const UPPER: usize>(
        plane: &P,
        y: usize,
        pixels: &mut [P::Pixel; TILE as usize],
        row: &mut [P::Pixel],
    ) {
        for (column, pixels) in pixels.as_chunks_mut().0.iter_mut().enumerate() {
            *pixels = plane.row::<UPPER>(first_quad(y, column));
        }
        let length = row.len();
        simd::stream(row, &pixels[..length]);
    }
}

impl<P: QuadPlane + ?Sized> simd::Task for Scatter<'_, '_, P> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        // Allocated once, not for each row.
        let mut pixels = [P::Pixel::ZERO; TILE as usize];
        for (y, row) in self.rows.iter_mut().enumerate() {
            if y % 2 == 0 {
                Self::row::<0>(self.plane, y, &mut pixels, row);
            } else {
                Self::row::<1>(self.plane, y, &mut pixels, row);
            }
        }
        simd::settle();
    }
}

fn scatter<P: QuadPlane + ?Sized>(plane: &P, rows: &mut [&mut [P::Pixel]]) {
    simd::widest(Scatter { plane, rows });
}

impl QuadTile {
    /// The place of the quad whose lower left pixel is (x, y), relative to the tile.
    #[inline(always)]
    pub const fn place(x: u32, y: u32) -> u16 {
        let block = y / SIDE * BLOCK_COLUMNS as u32 + x / SIDE;
        (block as usize * block::QUADS + block::quad([x % SIDE, y % SIDE])) as u16
    }

    /// The lower left pixel of the quad at `place`, relative to the tile.
    #[inline(always)]
    pub const fn pixel(place: u16) -> [u32; 2] {
        let place = place as usize;
        let (block, [x, y]) = (place / block::QUADS, block::corner(place % block::QUADS));
        let (row, column) = ((block / BLOCK_COLUMNS) as u32, (block % BLOCK_COLUMNS) as u32);
        [SIDE * column + x, SIDE * row + y]
    }

    /// Loads `tile`, or fills the tile with the clear values.
    pub fn begin(&mut self, clear: Option<Clear>, tile: &Tile<'_>) {
        match clear {
            Some(clear) => {
                self.take_formats(tile);
                simd::widest(Fill { tile: self, color: clear.color, depth: clear.clamped_depth() });
                // Stencil is cleared for the whole framebuffer at once, not here.
                self.load_stencil(tile);
            }
            None => self.load(tile),
        }
    }

    /// Sets up the samples and colour buffers that `tile` has.
    fn take_formats(&mut self, tile: &Tile<'_>) {
        let (samples, colors) = (tile.samples.len(), tile.colors());
        self.colors.resize_with(colors.len(), || QuadColors {
            format: ColorFormat::Rgba32F,
            blocks: Vec::new(),
            alike: Vec::new(),
        });
        for (own, rows) in self.colors.iter_mut().zip(colors) {
            own.format = rows.format;
            own.blocks.resize(samples * BLOCKS, [LaneRegister::ZERO; 4]);
            own.alike.clear();
            own.alike.resize(if samples > 1 { BLOCKS } else { 0 }, 0);
        }
        if self.depth.len() != samples * QUADS {
            self.depth = Plane::of(samples * QUADS, [0.0; 4]);
        }
    }

    pub fn load(&mut self, tile: &Tile<'_>) {
        self.take_formats(tile);
        let mut room = Room { packed: &mut self.packed, halves: &mut self.halves };
        for (sample, rows) in tile.samples.iter().enumerate() {
            for (colors, rows) in self.colors.iter_mut().zip(&rows.colors) {
                room.load(&rows.rows, &mut colors.blocks[sample * BLOCKS..][..BLOCKS]);
            }
            gather(&mut self.depth[sample * QUADS..][..QUADS], &rows.depth);
        }
        gather(self.status.as_mut_slice(), &tile.status);
        self.load_stencil(tile);
    }

    /// Loads the stencil planes, if the tile has them. Samples without rows take the window's values.
    fn load_stencil(&mut self, tile: &Tile<'_>) {
        for (sample, rows) in tile.samples.iter().enumerate() {
            let window = tile.window.as_ref().filter(|_| rows.stencil.is_empty());
            let rows = &window.unwrap_or(rows).stencil;
            if !rows.is_empty() {
                self.stencil.resize(tile.samples.len() * QUADS, [0; 4]);
                gather(&mut self.stencil[sample * QUADS..][..QUADS], rows);
            }
        }
    }

    pub fn store(&mut self, tile: &mut Tile<'_>) {
        let mut room = Room { packed: &mut self.packed, halves: &mut self.halves };
        let samples = tile.samples.iter_mut().enumerate();
        // The window shows the depth and stencil of sample 0.
        for (sample, rows) in samples.chain(tile.window.iter_mut().map(|window| (0, window))) {
            scatter(&self.depth[sample * QUADS..][..QUADS], &mut rows.depth);
            if !rows.stencil.is_empty() {
                scatter(&self.stencil[sample * QUADS..][..QUADS], &mut rows.stencil);
            }
        }
        let is_kept = tile.window.is_none() || tile.samples.iter().any(|rows| !rows.colors.is_empty());
        for (number, colors) in self.colors.iter_mut().enumerate() {
            if is_kept {
                colors.part_all();
            }
            for (sample, rows) in tile.samples.iter_mut().enumerate() {
                if let Some(rows) = rows.colors.get_mut(number) {
                    room.store(&colors.blocks[sample * BLOCKS..][..BLOCKS], &mut rows.rows);
                }
            }
            if let Some(window) = &mut tile.window {
                self.resolved.resize(BLOCKS, [LaneRegister::ZERO; 4]);
                resolve::blocks(colors, &mut self.resolved);
                room.store(&self.resolved, &mut window.colors[number].rows);
            }
        }
        scatter(self.status.as_slice(), &mut tile.status);
    }
}

/// Buffers for conversion of pixels from and to rows.
struct Room<'a> {
    packed: &'a mut Vec<[[u8; 4]; 4]>,
    halves: &'a mut Vec<[[u16; 4]; 4]>,
}

impl Room<'_> {
    fn load(&mut self, rows: &Rows<'_>, blocks: &mut [ColorBlock]) {
        match rows {
            Rows::Words(rows) => gather(blocks, rows),
            Rows::Halves(half, rows) => {
                self.halves.resize(QUADS, [[0; 4]; 4]);
                gather(self.halves.as_mut_slice(), rows);
                simd::widest(Unpack { packed: self.halves, blocks, decode: |bits| half.decode(bits) });
            }
            Rows::Bytes(byte, rows) => {
                self.packed.resize(QUADS, [[0; 4]; 4]);
                gather(self.packed.as_mut_slice(), rows);
                match byte {
                    Byte::Normalized => simd::widest(UnpackLevels { packed: self.packed, blocks }),
                    Byte::Signed | Byte::Unsigned => {
                        simd::widest(Unpack {
                            packed: self.packed,
                            blocks,
                            decode: |bits| byte.decode(bits),
                        });
                    }
                }
            }
        }
    }

    fn store(&mut self, blocks: &[ColorBlock], rows: &mut Rows<'_>) {
        match rows {
            Rows::Words(rows) => scatter(blocks, rows),
            Rows::Halves(half, rows) => {
                self.halves.resize(QUADS, [[0; 4]; 4]);
                simd::widest(Pack { blocks, packed: self.halves, encode: |value| half.encode(value) });
                scatter(self.halves.as_slice(), rows);
            }
            Rows::Bytes(byte, rows) => {
                self.packed.resize(QUADS, [[0; 4]; 4]);
                match byte {
                    Byte::Normalized => simd::widest(PackLevels { blocks, packed: self.packed }),
                    Byte::Signed | Byte::Unsigned => {
                        simd::widest(Pack {
                            blocks,
                            packed: self.packed,
                            encode: |value| byte.encode(value),
                        });
                    }
                }
                scatter(self.packed.as_slice(), rows);
            }
        }
    }
}

/// Converts colours to pixels of [`ColorFormat::Rgba8`].
struct PackLevels<'a> {
    blocks: &'a [ColorBlock],
    packed: &'a mut [[[u8; 4]; 4]],
}

impl simd::Task for PackLevels<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let packed = self.packed.as_flattened_mut().as_chunks_mut().0;
        for (pixels, colors) in packed.iter_mut().zip(self.blocks) {
            *pixels = rgba8(colors);
        }
    }
}

/// Converts pixels of [`ColorFormat::Rgba8`] to colours.
struct UnpackLevels<'a> {
    packed: &'a [[[u8; 4]; 4]],
    blocks: &'a mut [ColorBlock],
}

impl simd::Task for UnpackLevels<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let packed = self.packed.as_flattened().as_chunks().0;
        for (pixels, colors) in packed.iter().zip(self.blocks) {
            of_rgba8(pixels, colors);
        }
    }
}

/// Converts colours to pixels of any other format.
struct Pack<'a, T, E> {
    blocks: &'a [ColorBlock],
    packed: &'a mut [[[T; 4]; 4]],
    encode: E,
}

impl<T, E: Fn(f32) -> T> simd::Task for Pack<'_, T, E> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let packed = self.packed.as_flattened_mut().as_chunks_mut::<LANES>().0;
        for (pixels, colors) in packed.iter_mut().zip(self.blocks) {
            for (lane, pixel) in pixels.iter_mut().enumerate() {
                for (component, register) in pixel.iter_mut().zip(colors) {
                    *component = (self.encode)(register.0[lane]);
                }
            }
        }
    }
}

/// Converts pixels of any other format to colours.
struct Unpack<'a, T, D> {
    packed: &'a [[[T; 4]; 4]],
    blocks: &'a mut [ColorBlock],
    decode: D,
}

impl<T: Copy, D: Fn(T) -> f32> simd::Task for Unpack<'_, T, D> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let packed = self.packed.as_flattened().as_chunks::<LANES>().0;
        for (pixels, colors) in packed.iter().zip(self.blocks) {
            for (lane, pixel) in pixels.iter().enumerate() {
                for (component, register) in pixel.iter().zip(&mut *colors) {
                    register.0[lane] = (self.decode)(*component);
                }
            }
        }
    }
}

/// Fills a tile with one colour and depth.
struct Fill<'a> {
    tile: &'a mut QuadTile,
    color: [f32; 4],
    depth: f32,
}

impl simd::Task for Fill<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { tile, color, depth } = self;
        for colors in &mut tile.colors {
            let color = color.map(|value| colors.format.stored(value));
            colors.alike.fill(u16::MAX);
            for block in &mut colors.blocks[..BLOCKS] {
                for (row, value) in block.iter_mut().zip(color) {
                    row.0.fill(value);
                }
            }
        }
        tile.depth.fill([depth; 4]);
        tile.status.fill([PixelStatus::Empty; 4]);
    }
}

/// The rows of a tile for one sample or for the window.
#[derive(Debug, Default)]
pub(super) struct SampleRows<'a> {
    pub colors: Vec<ColorRows<'a>>,
    pub depth: Vec<&'a mut [f32]>,
    /// Empty if the draw does not use stencil values.
    pub stencil: Vec<&'a mut [u8]>,
}

/// A rectangle of pixels, at most [`TILE`] on a side.
pub(super) struct Tile<'a> {
    pub layer: usize,
    /// Lower left pixel.
    pub origin: [u32; 2],
    /// Width and height in pixels.
    pub size: [u32; 2],
    pub status: Vec<&'a mut [PixelStatus]>,
    /// The samples that are drawn to, at least one. Samples have no rows if the framebuffer does not keep
    /// samples.
    pub samples: Vec<SampleRows<'a>>,
    /// The resolved pixels, for more than one sample.
    pub window: Option<SampleRows<'a>>,
}

impl<'a> Tile<'a> {
    /// A tile without planes.
    pub fn new(origin: [u32; 2], size: [u32; 2]) -> Self {
        Self { layer: 0, origin, size, status: Vec::new(), samples: Vec::new(), window: None }
    }

    /// The colour buffers of the window. Samples with rows have the same colour buffers.
    fn colors(&self) -> &[ColorRows<'a>] {
        self.window.as_ref().or(self.samples.first()).map_or(&[], |rows| &rows.colors)
    }

    /// All samples, then the window.
    fn planes(&mut self) -> impl Iterator<Item = &mut SampleRows<'a>> {
        self.samples.iter_mut().chain(&mut self.window)
    }

    pub fn clear_colors(&mut self, color: [f32; 4]) {
        self.planes().for_each(|plane| plane.colors.iter_mut().for_each(|rows| rows.fill(color)));
    }

    /// Clears the colour buffers except the first.
    pub fn clear_others(&mut self, color: [f32; 4]) {
        self.planes().for_each(|plane| plane.colors.iter_mut().skip(1).for_each(|rows| rows.fill(color)));
    }

    pub fn clear_depth(&mut self, depth: f32) {
        self.planes().for_each(|plane| plane.depth.iter_mut().for_each(|row| row.fill(depth)));
    }

    pub fn fill_status(&mut self, status: PixelStatus) {
        self.status.iter_mut().for_each(|row| row.fill(status));
    }

    /// Calls `f` with the rows of colour buffer 0 of all samples and of the window.
    pub fn each_first_color(&mut self, f: impl FnMut(&mut ColorRows<'a>)) {
        self.planes().filter_map(|plane| plane.colors.first_mut()).for_each(f);
    }

    /// Resolves the samples into the window, if the window is separate.
    pub fn resolve(&mut self) {
        let Some(window) = &mut self.window else { return };
        let [width, height] = self.size.map(|side| side as usize);
        let pixels = || (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
        for (number, colors) in window.colors.iter_mut().enumerate() {
            let mut samples = [[0.0; 4]; Samples::MAX];
            let samples = &mut samples[..self.samples.len()];
            for at in pixels() {
                for (color, rows) in samples.iter_mut().zip(&self.samples) {
                    *color = rows.colors[number].at(at);
                }
                colors.set(at, resolve::pixel(colors.format, samples));
            }
        }
        let Some(first) = self.samples.first() else { return };
        for (row, of_sample) in window.depth.iter_mut().zip(&first.depth) {
            row.copy_from_slice(of_sample);
        }
        for (row, of_sample) in window.stencil.iter_mut().zip(&first.stencil) {
            row.copy_from_slice(of_sample);
        }
    }
}
