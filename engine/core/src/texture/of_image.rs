//! Textures made from images that programs have written.

use super::{Format, Image, Incomplete, Level, Numbers, Sampler, Texture, TextureError, check_format};
use crate::texture::ImageShape;
use shadestep_language::ir::TextureTarget;

/// The pixels of one image with the texels `bytes`. An image stores the samples of a texel together; a
/// texture has one slice per sample. Components that the format does not have are unspecified.
pub(super) fn pixels(
    format: Format,
    [width, height, depth]: [usize; 3],
    samples: usize,
    bytes: &[u8],
) -> Result<Image, TextureError> {
    let size = [width, height, depth * samples];
    let texels = bytes.chunks_exact(format.bytes());
    let slices = (0..samples).flat_map(|sample| texels.clone().skip(sample).step_by(samples));
    let places = format.pixel_places();
    let words = slices.flat_map(|texel| {
        let mut pixel = [0; 4];
        places.iter().zip(format.decode(texel)).for_each(|(&place, word)| pixel[place] = word);
        pixel
    });
    match format.numbers() {
        Numbers::Floats => Image::from_f32(size, words.map(f32::from_bits).collect()),
        Numbers::Signed => Image::from_i32(size, words.map(u32::cast_signed).collect()),
        Numbers::Unsigned => Image::from_u32(size, words.collect()),
    }
}

impl Texture {
    /// Checks the texture for an image before memory is allocated. Returns the reason why the texture would
    /// be incomplete, or `None` if it would be complete.
    ///
    /// # Errors
    /// A format that lookups do not support, a sampler that the target does not allow, or too many bytes.
    pub fn check_image(shape: &ImageShape, sampler: &Sampler) -> Result<Option<Incomplete>, TextureError> {
        let (target, format) = (shape.target(), shape.format().format());
        if target == TextureTarget::Buffer {
            let size =
                shape.levels().iter().map(|size| vec![size.map(|side| side as usize)]).collect::<Vec<_>>();
            return Self::check(target, format, &size, &Sampler::for_target(target)).map(|_| None);
        }
        let samples = shape.samples() as usize;
        let size = |size: &[u32; 3]| {
            let [width, height, depth] = size.map(|side| side as usize);
            vec![[width, height, depth * samples]; shape.layers() as usize]
        };
        let sizes: Vec<Vec<[usize; 3]>> = shape.levels().iter().map(size).collect();
        Self::check(target, format, &sizes, sampler)?;
        Ok(Self::why_not(target, format, &sizes, sampler))
    }

    /// A texture with the texels of an image. `bytes` is the content of the image's buffer. The texture is a
    /// copy, so later writes by programs do not affect it.
    ///
    /// # Errors
    /// A format that lookups do not support, and fewer bytes than the shape has.
    pub fn of_image(shape: &ImageShape, bytes: &[u8], sampler: Sampler) -> Result<Self, TextureError> {
        let (target, format) = (shape.target(), shape.format().format());
        check_format(target, format)?;
        if target == TextureTarget::Buffer {
            return Self::of_buffer(format, bytes);
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
        Self::new(target, format, levels, sampler)
    }
}
