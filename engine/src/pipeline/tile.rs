//! A tile: the rows of a square of the framebuffer, owned by one thread while it draws there.

use super::PixelStatus;

/// Side of a tile in pixels; a multiple of two, so that no quad lies in two tiles.
pub(super) const TILE: u32 = 64;

/// A rectangle of pixels, at most [`TILE`] on a side.
pub(super) struct Tile<'a> {
    /// Lower left pixel.
    pub origin: [u32; 2],
    /// Width and height in pixels.
    pub size: [u32; 2],
    pub color: Vec<&'a mut [[f32; 4]]>,
    pub depth: Vec<&'a mut [f32]>,
    pub status: Vec<&'a mut [PixelStatus]>,
}

impl<'a> Tile<'a> {
    pub fn new(origin: [u32; 2], size: [u32; 2]) -> Self {
        let rows = size[1] as usize;
        let (color, depth, status) =
            (Vec::with_capacity(rows), Vec::with_capacity(rows), Vec::with_capacity(rows));
        Self { origin, size, color, depth, status }
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

    pub fn clear_depth(&mut self, depth: f32) {
        self.depth.iter_mut().for_each(|row| row.fill(depth));
    }

    pub fn fill_status(&mut self, status: PixelStatus) {
        self.status.iter_mut().for_each(|row| row.fill(status));
    }
}
