//! A tile: the rows of a square of the framebuffer, owned by one thread while it draws there.

use super::PixelStatus;

/// Side of a tile in pixels; a multiple of two, so that no quad lies in two tiles.
pub(super) const TILE: u32 = 64;

/// Quads in a row of a [`QuadTile`].
const QUAD_COLUMNS: usize = TILE as usize / 2;

/// Whether a draw looks at the stencil buffer. If not, tiles do not have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StencilPlane {
    /// It is neither read nor written.
    Unused,
    /// There is a stencil test.
    Used,
}

/// The pixels of a tile in an order that suits drawing quads: the four pixels of a quad side by side,
/// quads row by row. What is beyond the tile proper is never looked at.
#[derive(Debug)]
pub(super) struct QuadTile {
    pub color: Vec<[[f32; 4]; 4]>,
    /// Colour buffers 1 on, as many as the tile loaded last has.
    pub others: Vec<Vec<[[f32; 4]; 4]>>,
    pub depth: Vec<[f32; 4]>,
    pub status: Vec<[PixelStatus; 4]>,
    /// Empty until a tile with a stencil plane is loaded.
    pub stencil: Vec<[u8; 4]>,
}

impl Default for QuadTile {
    fn default() -> Self {
        let quads = QUAD_COLUMNS * QUAD_COLUMNS;
        Self {
            color: vec![[[0.0; 4]; 4]; quads],
            others: Vec::new(),
            depth: vec![[0.0; 4]; quads],
            status: vec![[PixelStatus::Empty; 4]; quads],
            stencil: Vec::new(),
        }
    }
}

/// Copies rows of pixels to rows of quads.
fn gather<T: Copy>(quads: &mut [[T; 4]], rows: &[&mut [T]]) {
    for (quads, rows) in quads.chunks_exact_mut(QUAD_COLUMNS).zip(rows.chunks(2)) {
        for (half, row) in rows.iter().enumerate() {
            for (quad, pixels) in quads.iter_mut().zip(row.chunks(2)) {
                quad[2 * half..][..pixels.len()].copy_from_slice(pixels);
            }
        }
    }
}

/// Copies rows of quads to rows of pixels.
fn scatter<T: Copy>(quads: &[[T; 4]], rows: &mut [&mut [T]]) {
    for (quads, rows) in quads.chunks_exact(QUAD_COLUMNS).zip(rows.chunks_mut(2)) {
        for (half, row) in rows.iter_mut().enumerate() {
            let (pairs, rest) = row.as_chunks_mut::<2>();
            for (quad, pixels) in quads.iter().zip(&mut *pairs) {
                *pixels = [quad[2 * half], quad[2 * half + 1]];
            }
            if let Some(last) = rest.first_mut() {
                *last = quads[pairs.len()][2 * half];
            }
        }
    }
}

impl QuadTile {
    /// Where the quad is whose lower left pixel is (x, y) within the tile.
    #[inline(always)]
    pub fn place(x: u32, y: u32) -> u16 {
        (y / 2 * QUAD_COLUMNS as u32 + x / 2) as u16
    }

    /// The lower left pixel within the tile of the quad at `place`.
    #[inline(always)]
    pub fn pixel(place: u16) -> [u32; 2] {
        let (row, column) = (place as usize / QUAD_COLUMNS, place as usize % QUAD_COLUMNS);
        [2 * column as u32, 2 * row as u32]
    }

    /// Everything but the stencil plane, which is cleared for the whole framebuffer: see
    /// [`Self::load_stencil`]. There are `others` colour buffers besides the first.
    pub fn clear(&mut self, color: [f32; 4], depth: f32, others: usize) {
        self.color.fill([color; 4]);
        self.others.resize_with(others, || vec![[color; 4]; self.status.len()]);
        self.others.iter_mut().for_each(|buffer| buffer.fill([color; 4]));
        self.depth.fill([depth; 4]);
        self.status.fill([PixelStatus::Empty; 4]);
    }

    pub fn load(&mut self, tile: &Tile<'_>) {
        gather(&mut self.color, &tile.color);
        self.others.resize_with(tile.others.len(), || vec![[[0.0; 4]; 4]; self.status.len()]);
        for (buffer, rows) in self.others.iter_mut().zip(&tile.others) {
            gather(buffer, rows);
        }
        gather(&mut self.depth, &tile.depth);
        gather(&mut self.status, &tile.status);
        self.load_stencil(tile);
    }

    /// The stencil plane alone, if the tile has one.
    pub fn load_stencil(&mut self, tile: &Tile<'_>) {
        if !tile.stencil.is_empty() {
            self.stencil.resize(self.status.len(), [0; 4]);
            gather(&mut self.stencil, &tile.stencil);
        }
    }

    pub fn store(&self, tile: &mut Tile<'_>) {
        scatter(&self.color, &mut tile.color);
        for (buffer, rows) in self.others.iter().zip(&mut tile.others) {
            scatter(buffer, rows);
        }
        scatter(&self.depth, &mut tile.depth);
        scatter(&self.status, &mut tile.status);
        scatter(&self.stencil, &mut tile.stencil);
    }
}

/// A rectangle of pixels, at most [`TILE`] on a side.
pub(super) struct Tile<'a> {
    /// Lower left pixel.
    pub origin: [u32; 2],
    /// Width and height in pixels.
    pub size: [u32; 2],
    pub color: Vec<&'a mut [[f32; 4]]>,
    /// The rows of colour buffers 1 on.
    pub others: Vec<Vec<&'a mut [[f32; 4]]>>,
    pub depth: Vec<&'a mut [f32]>,
    pub status: Vec<&'a mut [PixelStatus]>,
    /// Empty where the draw has no use for it.
    pub stencil: Vec<&'a mut [u8]>,
}

impl<'a> Tile<'a> {
    pub fn new(origin: [u32; 2], size: [u32; 2]) -> Self {
        let rows = size[1] as usize;
        let (color, depth, status) =
            (Vec::with_capacity(rows), Vec::with_capacity(rows), Vec::with_capacity(rows));
        Self { origin, size, color, others: Vec::new(), depth, status, stencil: Vec::new() }
    }

    pub fn push_row(
        &mut self,
        color: &'a mut [[f32; 4]],
        depth: &'a mut [f32],
        status: &'a mut [PixelStatus],
    ) {
        self.color.push(color);
        self.depth.push(depth);
        self.status.push(status);
    }

    pub fn clear_color(&mut self, color: [f32; 4]) {
        self.color.iter_mut().for_each(|row| row.fill(color));
    }

    /// The colour buffers besides the first.
    pub fn clear_others(&mut self, color: [f32; 4]) {
        self.others.iter_mut().flatten().for_each(|row| row.fill(color));
    }

    pub fn clear_depth(&mut self, depth: f32) {
        self.depth.iter_mut().for_each(|row| row.fill(depth));
    }

    pub fn fill_status(&mut self, status: PixelStatus) {
        self.status.iter_mut().for_each(|row| row.fill(status));
    }
}
