//! Small pictures of textures, for lists.

use super::image::{Data, FirstRow, Pixels};
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::texture::{Format, Texture};

/// A small picture of a texture for lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// RGBA, 8 bits each, top row first.
    pub rgba: Vec<u8>,
}

/// Longest side of a [`Preview`].
const SIDE: usize = 128;

impl Preview {
    /// A picture of an image's first slice. The row of a buffer texture is broken into rows that make a
    /// square.
    pub(super) fn of_image(pixels: &Pixels, target: TextureTarget, format: Format) -> Self {
        let [width, height, _] = pixels.size;
        let data = pixels.data.part(0..width * height * 4);
        let slice = Pixels { size: [width, height, 1], data, first_row: pixels.first_row };
        let mut rgba = slice.to_rgba8();
        if !matches!(slice.data, Data::U8(_) | Data::U16(_)) {
            show_components(&mut rgba, format.pixel_places());
        }
        if target != TextureTarget::Buffer {
            return Self::shrunk(&rgba, [width, height]);
        }
        let side = (1..SIDE).find(|side| side * side >= width).unwrap_or(SIDE);
        let rows = width.div_ceil(side).min(SIDE);
        rgba.resize(rows * side * 4, 0);
        Self::shrunk(&rgba, [side, rows])
    }

    /// A picture of the beginning of a buffer object.
    pub(super) fn of_store(store: &[u8], format: Format) -> Self {
        let bytes = format.bytes_in_buffer().unwrap_or(1) * SIDE * SIDE;
        let Ok(texture) = Texture::of_buffer(format, &store[..store.len().min(bytes)]) else {
            return Self::default();
        };
        let places = format.pixel_places();
        let texels = (0..).map_while(|x| texture.texel(0, 0, [x, 0, 0]));
        let pixel = |texel: [f32; 4]| {
            let mut pixel = [0.0; 4];
            places.iter().zip(texel).for_each(|(&place, value)| pixel[place] = value);
            pixel
        };
        let numbers: Vec<f32> = texels.flat_map(pixel).collect();
        let size = [numbers.len() / 4, 1, 1];
        let pixels = Pixels { size, data: Data::Floats(numbers), first_row: FirstRow::Top };
        Self::of_image(&pixels, TextureTarget::Buffer, format)
    }

    /// Takes every n-th pixel, so that no side is longer than [`SIDE`].
    fn shrunk(rgba: &[u8], [width, height]: [usize; 2]) -> Self {
        let shrink = width.max(height).div_ceil(SIDE).max(1);
        let (small_width, small_height) = (width.div_ceil(shrink), height.div_ceil(shrink));
        let mut small = Vec::with_capacity(small_width * small_height * 4);
        for y in 0..small_height {
            for x in 0..small_width {
                let at = (y * shrink * width + x * shrink) * 4;
                small.extend_from_slice(&rgba[at..at + 4]);
            }
        }
        Self { width: small_width as u32, height: small_height as u32, rgba: small }
    }
}

/// Shows a single component as grey, and two components as red and green. Texels without alpha become opaque.
fn show_components(rgba: &mut [u8], places: &[usize]) {
    for pixel in rgba.as_chunks_mut::<4>().0 {
        *pixel = match *places {
            [only] => [pixel[only], pixel[only], pixel[only], u8::MAX],
            [first, second] => [pixel[first], pixel[second], 0, u8::MAX],
            [_, _, _] => [pixel[0], pixel[1], pixel[2], u8::MAX],
            _ => *pixel,
        };
    }
}
