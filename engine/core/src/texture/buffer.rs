//! Buffer textures: textures over the data store of a buffer object (TexBuffer, EXT_texture_buffer_object
//! 3.8.4).

use super::format::Format;
use super::of_image::pixels;
use super::{Image, MAX_BUFFER_TEXELS, Sampler, Texture, TextureError};
use shadestep_language::ir::TextureTarget;

impl Texture {
    /// `TexBuffer`: a buffer texture of the complete texels in `store`, the bytes of a buffer object. Texels
    /// beyond [`MAX_BUFFER_TEXELS`] are ignored. The texture is a copy, so later changes of the buffer do not
    /// affect it.
    ///
    /// # Errors
    /// A format that buffer textures cannot have (Table X.1, the GL's `INVALID_ENUM`), or more bytes than a
    /// texture may take.
    pub fn of_buffer(format: Format, store: &[u8]) -> Result<Self, TextureError> {
        let target = TextureTarget::Buffer;
        let bytes = format.bytes_in_buffer().ok_or(TextureError::FormatTarget { format, target })?;
        let count = (store.len() / bytes).min(MAX_BUFFER_TEXELS);
        let size = [count, 1, 1];
        let sampler = Sampler::for_target(target);
        if count == 0 {
            return Self::new(target, format, vec![Image::empty().into()], sampler);
        }
        Self::check(target, format, &[vec![size]], &sampler)?;
        let image = pixels(format, size, 1, &store[..count * bytes])?;
        Self::new(target, format, vec![image.into()], sampler)
    }
}
