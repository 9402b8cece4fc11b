//! Buffer textures: textures over the data store of a buffer object (TexBuffer, EXT_texture_buffer_object
//! 3.8.4).

use super::format::{Element, Format};
use super::{Image, MAX_BUFFER_TEXELS, Sampler, Texture, TextureError};
use shadestep_language::ir::TextureTarget;
use shadestep_language::num::fp16;

/// The bytes of one element (1, 2 or 4), least significant first, as a word.
fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
}

impl Element {
    /// The fp32 value of an element, for elements that are floats or fractions.
    fn number(self, bytes: &[u8]) -> f32 {
        let word = word(bytes);
        match self {
            Self::Fraction8 => word as f32 / 255.0,
            Self::Fraction16 => word as f32 / 65535.0,
            Self::Half => fp16::from_bits(word),
            Self::Float => f32::from_bits(word),
            // Integer elements have no fp32 value.
            Self::Byte | Self::Short | Self::Int | Self::Ubyte | Self::Ushort | Self::Uint => 0.0,
        }
    }

    /// The element as a signed integer, sign-extended to 32 bits.
    fn signed(self, bytes: &[u8]) -> i32 {
        let unused = 32 - 8 * self.bytes() as u32;
        (word(bytes) << unused).cast_signed() >> unused
    }
}

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
        let elements = format.elements().ok_or(TextureError::FormatTarget { format, target })?;
        let size_of_texel = format.bytes_in_buffer().unwrap_or(1);
        let count = (store.len() / size_of_texel).min(MAX_BUFFER_TEXELS);
        let size = [count, 1, 1];
        let sampler = Sampler::for_target(target);
        if count == 0 {
            return Self::new(target, format, vec![Image::empty().into()], sampler);
        }
        Self::check(target, format, &[vec![size]], &sampler)?;
        let texels = store.chunks_exact(size_of_texel).take(count);
        let places = format.pixel_places();
        let image = match format.elements().and_then(|mut elements| elements.next()) {
            Some(Element::Byte | Element::Short | Element::Int) => {
                Image::from_i32(size, pixels(texels, elements, places, Element::signed))
            }
            Some(Element::Ubyte | Element::Ushort | Element::Uint) => {
                Image::from_u32(size, pixels(texels, elements, places, |_, bytes| word(bytes)))
            }
            Some(Element::Fraction8 | Element::Fraction16 | Element::Half | Element::Float) | None => {
                Image::from_f32(size, pixels(texels, elements, places, Element::number))
            }
        };
        Self::new(target, format, vec![image?.into()], sampler)
    }
}

/// Red, green, blue and alpha of each texel. The format has the components at `places`; the others are
/// unspecified.
fn pixels<'a, T: Copy + Default>(
    texels: impl Iterator<Item = &'a [u8]>,
    elements: impl Iterator<Item = Element> + Clone,
    places: &[usize],
    value: impl Fn(Element, &[u8]) -> T,
) -> Vec<T> {
    let mut all = Vec::new();
    for texel in texels {
        let (mut pixel, mut rest) = ([T::default(); 4], texel);
        for (element, place) in elements.clone().zip(places) {
            let (bytes, behind) = rest.split_at(element.bytes());
            pixel[*place] = value(element, bytes);
            rest = behind;
        }
        all.extend(pixel);
    }
    all
}
