//! Textures of what programs have written to images.

use super::{Image, Level, Numbers, Sampler, Texture, TextureError};
use crate::memory::{ImageFormat, ImageShape};

/// The pixels of one image whose texels are in `bytes`, the samples of each together; a texture has them a slice each.
fn pixels(
    format: ImageFormat,
    [width, height, depth]: [usize; 3],
    samples: usize,
    bytes: &[u8],
) -> Result<Image, TextureError> {
    let size = [width, height, depth * samples];
    let texels = bytes.chunks_exact(format.bytes());
    let slices = (0..samples).flat_map(|sample| texels.clone().skip(sample).step_by(samples));
    let words = slices.flat_map(|texel| format.decode(texel)).map(|w| w as u32);
    match format.numbers() {
        Numbers::Floats => Image::from_f32(size, words.map(f32::from_bits).collect()),
        Numbers::Signed => Image::from_i32(size, words.map(u32::cast_signed).collect()),
        Numbers::Unsigned => Image::from_u32(size, words.collect()),
    }
}

impl Texture {
    /// The texture that an image is, to be looked up: `bytes` are those of its buffer. What programs write later does not
    /// change it.
    ///
    /// # Errors
    /// A format that no lookup takes (signed fractions), and fewer bytes than the shape has, as [`TextureError`] says.
    pub fn of_image(shape: &ImageShape, bytes: &[u8], sampler: Sampler) -> Result<Self, TextureError> {
        let (target, format) = (shape.target(), shape.format());
        let sampled = format.sampled().ok_or(TextureError::NotSampled { format })?;
        if target == crate::ir::TextureTarget::Buffer {
            return Self::of_buffer(sampled, bytes);
        }
        let mut rest = bytes;
        let mut levels = Vec::new();
        for size in shape.levels() {
            let size = size.map(|side| side as usize);
            let samples = shape.samples() as usize;
            let length = size.iter().product::<usize>() * samples * format.bytes();
            let mut faces = Vec::new();
            for _ in 0..shape.layers() {
                let fault = TextureError::DataLength { expected: length, actual: rest.len() };
                let (own, behind) = rest.split_at_checked(length).ok_or(fault)?;
                faces.push(pixels(format, size, samples, own)?);
                rest = behind;
            }
            levels.push(Level { faces });
        }
        Self::new(target, sampled, levels, sampler)
    }
}
