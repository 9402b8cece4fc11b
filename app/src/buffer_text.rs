//! Prints the numbers of a buffer as text.

use crate::format;
use crate::scene::{ElementType, Scene};
use shadestep_engine::memory::Store;
use shadestep_engine::texture::ImageFormat;
use std::io::{self, Write};

/// Bytes read at a time: a multiple of the size of every element and texel.
const PART: usize = 64 << 10;

/// The content of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Numbers of one type.
    Elements(ElementType),
    /// Texels of an image, each printed as its components.
    Texels(ImageFormat),
}

impl Content {
    /// Returns the content of buffer `number` of `scene`: texels for the buffer of an `[[image]]`, else
    /// elements.
    pub fn of(scene: &Scene, number: usize) -> Self {
        let buffer = &scene.buffers[number];
        let image = scene.images.iter().find(|image| image.buffer == number && !buffer.resident);
        match image {
            Some(image) => Self::Texels(image.shape.format()),
            None => Self::Elements(buffer.element),
        }
    }

    /// Bytes of an element or a texel.
    fn bytes(self) -> usize {
        match self {
            Self::Elements(element) => element.bytes(),
            Self::Texels(format) => format.bytes(),
        }
    }
}

/// Writes every number in `store` with a space before it. Takes constant memory.
///
/// # Errors
/// Fails if `out` does.
pub fn write_numbers(out: &mut dyn Write, content: Content, store: &Store) -> io::Result<()> {
    let mut part = vec![0; PART.min(store.len() as usize)];
    let mut offset = 0;
    while offset < store.len() {
        let length = part.len().min((store.len() - offset) as usize);
        let bytes = &mut part[..length];
        store.read(offset, bytes);
        for bytes in bytes.chunks_exact(content.bytes()) {
            match content {
                Content::Elements(element) => {
                    write!(out, " {}", format::decimal(element.bits(bytes), element.ty()))?;
                }
                Content::Texels(format) => {
                    for bits in &format.decode(bytes)[..format.count()] {
                        write!(out, " {}", format::decimal(*bits, format.ty()))?;
                    }
                }
            }
        }
        offset += length as u64;
    }
    Ok(())
}
