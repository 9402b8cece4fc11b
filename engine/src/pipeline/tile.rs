//! A tile: a 64x64 part of the framebuffer. One thread copies it to buffers by 8x8 blocks, draws there, and stores
//! it.

use super::PixelStatus;
use super::block::{self, SIDE};
use super::color_buffer::{Byte, ColorFormat, ColorRows, Rows, of_rgba8, rgba8};
use super::vector::{self, Plain};
use crate::exec::{LANES, LaneRegister};

/// Side of a tile in pixels; a multiple of [`SIDE`], so that no block lies in two tiles.
pub(super) const TILE: u32 = 64;

/// Blocks in a row of a [`QuadTile`].
const BLOCK_COLUMNS: usize = (TILE / SIDE) as usize;

/// Blocks of a [`QuadTile`].
const BLOCKS: usize = BLOCK_COLUMNS * BLOCK_COLUMNS;

/// Quads of a [`QuadTile`].
pub(super) const QUADS: usize = BLOCKS * block::QUADS;

/// Whether a draw looks at the stencil buffer. If not, tiles do not have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StencilPlane {
    /// It is neither read nor written.
    Unused,
    /// There is a stencil test.
    Used,
}

/// The colours of a block by components, lanes in the order of [`block`]: as batches have them.
pub(super) type ColorBlock = [LaneRegister; 4];

/// The pixels of a tile in an order that suits drawing blocks: blocks row by row, the quads of a block side
/// by side, the four pixels of a quad side by side. What is beyond the tile proper is never looked at.
#[derive(Debug)]
pub(super) struct QuadTile {
    /// Colour buffers, as many as the tile loaded last has.
    pub colors: Vec<QuadColors>,
    /// Room for pixels of 8 bits a component on their way to and from rows.
    packed: Vec<[[u8; 4]; 4]>,
    /// The same of 16 bits.
    halves: Vec<[[u16; 4]; 4]>,
    /// By quads, as what follows.
    pub depth: Vec<[f32; 4]>,
    pub status: Vec<[PixelStatus; 4]>,
    /// Empty until a tile with a stencil plane is loaded.
    pub stencil: Vec<[u8; 4]>,
}

/// A colour buffer of a [`QuadTile`]. Colours of pixels that are drawn to without regard to what is there are
/// rounded to the format when they are stored; of others, when they are drawn.
#[derive(Debug)]
pub(super) struct QuadColors {
    pub format: ColorFormat,
    pub blocks: Vec<ColorBlock>,
}

impl Default for QuadTile {
    fn default() -> Self {
        Self {
            colors: Vec::new(),
            packed: Vec::new(),
            halves: Vec::new(),
            depth: vec![[0.0; 4]; QUADS],
            status: vec![[PixelStatus::Empty; 4]; QUADS],
            stencil: Vec::new(),
        }
    }
}

/// Quads in a row of a block.
const ACROSS: usize = SIDE as usize / 2;

/// Pixels in a row of a block.
const WIDTH: usize = SIDE as usize;

/// Where the first quad is that has pixels of row `y`, in the block in `column`.
#[inline(always)]
const fn first_quad(y: usize, column: usize) -> usize {
    (y / WIDTH * BLOCK_COLUMNS + column) * block::QUADS + y % WIDTH / 2 * ACROSS
}

/// The lower (0) or upper (1) row of the pixels of quads side by side.
#[inline(always)]
fn row_of<T: Copy, const UPPER: usize>([p, q, r, s]: &[[T; 4]; ACROSS]) -> [T; WIDTH] {
    let (a, b) = (2 * UPPER, 2 * UPPER + 1);
    [p[a], p[b], q[a], q[b], r[a], r[b], s[a], s[b]]
}

/// A plane of a [`QuadTile`].
trait QuadPlane {
    type Pixel: Plain;

    /// The pixels of the lower (0) or upper (1) row of four quads side by side, of which `first` is the first.
    fn row<const UPPER: usize>(&self, first: usize) -> [Self::Pixel; WIDTH];

    /// Makes `pixels` the first of that row.
    fn set_row(&mut self, first: usize, upper: usize, pixels: &[Self::Pixel]);
}

/// What planes hold by quads.
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
            vector::transposed([&r[quad], &g[quad], &b[quad], &a[quad]])
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
        vector::stream(row, &pixels[..length]);
    }
}

impl<P: QuadPlane + ?Sized> vector::Task for Scatter<'_, '_, P> {
    #[inline(always)]
    fn run(self) {
        // Once, not for each row.
        let mut pixels = [P::Pixel::ZERO; TILE as usize];
        for (y, row) in self.rows.iter_mut().enumerate() {
            if y % 2 == 0 {
                Self::row::<0>(self.plane, y, &mut pixels, row);
            } else {
                Self::row::<1>(self.plane, y, &mut pixels, row);
            }
        }
        vector::settle();
    }
}

fn scatter<P: QuadPlane + ?Sized>(plane: &P, rows: &mut [&mut [P::Pixel]]) {
    vector::widest(Scatter { plane, rows });
}

impl QuadTile {
    /// Where the quad is whose lower left pixel is (x, y) within the tile.
    #[inline(always)]
    pub const fn place(x: u32, y: u32) -> u16 {
        let block = y / SIDE * BLOCK_COLUMNS as u32 + x / SIDE;
        (block as usize * block::QUADS + block::quad([x % SIDE, y % SIDE])) as u16
    }

    /// The lower left pixel within the tile of the quad at `place`.
    #[inline(always)]
    pub const fn pixel(place: u16) -> [u32; 2] {
        let place = place as usize;
        let (block, [x, y]) = (place / block::QUADS, block::corner(place % block::QUADS));
        let (row, column) = ((block / BLOCK_COLUMNS) as u32, (block % BLOCK_COLUMNS) as u32);
        [SIDE * column + x, SIDE * row + y]
    }

    /// Everything but the stencil plane, which is cleared for the whole framebuffer: see
    /// [`Self::load_stencil`]. Colour buffers are those of `tile`.
    pub fn clear(&mut self, color: [f32; 4], depth: f32, tile: &Tile<'_>) {
        self.take_formats(tile);
        vector::widest(Clear { tile: self, color, depth });
    }

    /// Has the colour buffers that `tile` has.
    fn take_formats(&mut self, tile: &Tile<'_>) {
        let new =
            || QuadColors { format: ColorFormat::Rgba32F, blocks: vec![[LaneRegister::ZERO; 4]; BLOCKS] };
        self.colors.resize_with(tile.colors.len(), new);
        for (colors, rows) in self.colors.iter_mut().zip(&tile.colors) {
            colors.format = rows.format;
        }
    }

    pub fn load(&mut self, tile: &Tile<'_>) {
        self.take_formats(tile);
        for (colors, rows) in self.colors.iter_mut().zip(&tile.colors) {
            let blocks = &mut colors.blocks;
            match &rows.rows {
                Rows::Words(rows) => gather(blocks.as_mut_slice(), rows),
                Rows::Halves(half, rows) => {
                    self.halves.resize(QUADS, [[0; 4]; 4]);
                    gather(self.halves.as_mut_slice(), rows);
                    vector::widest(Unpack { packed: &self.halves, blocks, decode: |bits| half.decode(bits) });
                }
                Rows::Bytes(byte, rows) => {
                    self.packed.resize(QUADS, [[0; 4]; 4]);
                    gather(self.packed.as_mut_slice(), rows);
                    match byte {
                        Byte::Normalized => vector::widest(UnpackLevels { packed: &self.packed, blocks }),
                        Byte::Signed | Byte::Unsigned => {
                            let decode = |bits| byte.decode(bits);
                            vector::widest(Unpack { packed: &self.packed, blocks, decode });
                        }
                    }
                }
            }
        }
        gather(self.depth.as_mut_slice(), &tile.depth);
        gather(self.status.as_mut_slice(), &tile.status);
        self.load_stencil(tile);
    }

    /// The stencil plane alone, if the tile has one.
    pub fn load_stencil(&mut self, tile: &Tile<'_>) {
        if !tile.stencil.is_empty() {
            self.stencil.resize(QUADS, [0; 4]);
            gather(self.stencil.as_mut_slice(), &tile.stencil);
        }
    }

    pub fn store(&mut self, tile: &mut Tile<'_>) {
        for (colors, rows) in self.colors.iter().zip(&mut tile.colors) {
            let blocks = &colors.blocks;
            match &mut rows.rows {
                Rows::Words(rows) => scatter(blocks.as_slice(), rows),
                Rows::Halves(half, rows) => {
                    self.halves.resize(QUADS, [[0; 4]; 4]);
                    let encode = |value| half.encode(value);
                    vector::widest(Pack { blocks, packed: &mut self.halves, encode });
                    scatter(self.halves.as_slice(), rows);
                }
                Rows::Bytes(byte, rows) => {
                    self.packed.resize(QUADS, [[0; 4]; 4]);
                    let packed = &mut self.packed;
                    match byte {
                        Byte::Normalized => vector::widest(PackLevels { blocks, packed }),
                        Byte::Signed | Byte::Unsigned => {
                            vector::widest(Pack { blocks, packed, encode: |value| byte.encode(value) });
                        }
                    }
                    scatter(self.packed.as_slice(), rows);
                }
            }
        }
        scatter(self.depth.as_slice(), &mut tile.depth);
        scatter(self.status.as_slice(), &mut tile.status);
        scatter(self.stencil.as_slice(), &mut tile.stencil);
    }
}

/// Makes pixels of [`ColorFormat::Rgba8`] of colours.
struct PackLevels<'a> {
    blocks: &'a [ColorBlock],
    packed: &'a mut [[[u8; 4]; 4]],
}

impl vector::Task for PackLevels<'_> {
    #[inline(always)]
    fn run(self) {
        let packed = self.packed.as_flattened_mut().as_chunks_mut().0;
        for (pixels, colors) in packed.iter_mut().zip(self.blocks) {
            *pixels = rgba8(colors);
        }
    }
}

/// Makes colours of pixels of [`ColorFormat::Rgba8`].
struct UnpackLevels<'a> {
    packed: &'a [[[u8; 4]; 4]],
    blocks: &'a mut [ColorBlock],
}

impl vector::Task for UnpackLevels<'_> {
    #[inline(always)]
    fn run(self) {
        let packed = self.packed.as_flattened().as_chunks().0;
        for (pixels, colors) in packed.iter().zip(self.blocks) {
            of_rgba8(pixels, colors);
        }
    }
}

/// Makes pixels of any other format of colours.
struct Pack<'a, T, E> {
    blocks: &'a [ColorBlock],
    packed: &'a mut [[[T; 4]; 4]],
    encode: E,
}

impl<T, E: Fn(f32) -> T> vector::Task for Pack<'_, T, E> {
    #[inline(always)]
    fn run(self) {
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

/// Makes colours of pixels of any other format.
struct Unpack<'a, T, D> {
    packed: &'a [[[T; 4]; 4]],
    blocks: &'a mut [ColorBlock],
    decode: D,
}

impl<T: Copy, D: Fn(T) -> f32> vector::Task for Unpack<'_, T, D> {
    #[inline(always)]
    fn run(self) {
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

/// [`QuadTile::clear`].
struct Clear<'a> {
    tile: &'a mut QuadTile,
    color: [f32; 4],
    depth: f32,
}

impl vector::Task for Clear<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { tile, color, depth } = self;
        for colors in &mut tile.colors {
            let color = color.map(|value| colors.format.stored(value));
            for block in &mut colors.blocks {
                for (row, value) in block.iter_mut().zip(color) {
                    row.0.fill(value);
                }
            }
        }
        tile.depth.fill([depth; 4]);
        tile.status.fill([PixelStatus::Empty; 4]);
    }
}

/// A rectangle of pixels, at most [`TILE`] on a side.
pub(super) struct Tile<'a> {
    /// Lower left pixel.
    pub origin: [u32; 2],
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Colour buffers.
    pub colors: Vec<ColorRows<'a>>,
    pub depth: Vec<&'a mut [f32]>,
    pub status: Vec<&'a mut [PixelStatus]>,
    /// Empty where the draw has no use for it.
    pub stencil: Vec<&'a mut [u8]>,
}

impl<'a> Tile<'a> {
    pub fn new(origin: [u32; 2], size: [u32; 2]) -> Self {
        let rows = size[1] as usize;
        let (depth, status) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
        Self { origin, size, colors: Vec::new(), depth, status, stencil: Vec::new() }
    }

    pub fn clear_colors(&mut self, color: [f32; 4]) {
        self.colors.iter_mut().for_each(|rows| rows.fill(color));
    }

    /// The colour buffers besides the first.
    pub fn clear_others(&mut self, color: [f32; 4]) {
        self.colors.iter_mut().skip(1).for_each(|rows| rows.fill(color));
    }

    pub fn clear_depth(&mut self, depth: f32) {
        self.depth.iter_mut().for_each(|row| row.fill(depth));
    }

    pub fn fill_status(&mut self, status: PixelStatus) {
        self.status.iter_mut().for_each(|row| row.fill(status));
    }
}
