//! Memory and images in a driver, for the GLSL references of `references/memory.rs` and
//! `references/images.rs`.

use shadestep_engine::gl::enums::Named;
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::texture::{ImageFormat, Numbers};

use super::gl::{Pixels, token};
use super::question::GivenImage;
use super::theirs::{Driver, target};

impl Driver {
    /// Writes words into storage block 0, if there are any.
    pub fn memory(&self, words: &[u32]) {
        if let (Some(buffer), false) = (self.storage, words.is_empty()) {
            self.gl.bind_buffer_base(token::SHADER_STORAGE_BUFFER, 0, buffer);
            self.gl.storage_data(words);
        }
    }

    /// Binds an image to image unit 0, and to unit 1 in the format of its view. Returns the name of its
    /// texture, or `None` if the GL lacks the target or format.
    pub fn image(&self, image: &GivenImage) -> Option<u32> {
        let gl = &self.gl;
        let (shape, format) = (&image.shape, image.shape.format());
        let [[width, height, depth]] = shape.levels() else { return None };
        let size = [width, height, depth].map(|side| *side as usize);
        let target = target(shape.target())?;
        let layers = shape.layers() as usize;
        let texel = |word: &u32| [*word, 0, 0, 0];
        let words: Vec<u32> = image.words.iter().flat_map(texel).collect();
        let faces: Vec<(u32, [usize; 3])> = match shape.target() {
            TextureTarget::Cube => {
                (token::TEXTURE_CUBE_MAP_POSITIVE_X..).take(6).map(|face| (face, size)).collect()
            }
            TextureTarget::Array1D => vec![(target, [size[0], layers, 1])],
            _ => vec![(target, [size[0], size[1], size[2] * layers])],
        };
        let name = gl.gen_texture();
        gl.active_texture(token::TEXTURE0);
        gl.bind_texture(target, name);
        for filter in [token::TEXTURE_MIN_FILTER, token::TEXTURE_MAG_FILTER] {
            gl.tex_parameter(target, filter, token::NEAREST as i32);
        }
        let number = number(format)?;
        for (face, (target, size)) in faces.into_iter().enumerate() {
            let length = 4 * size.iter().product::<usize>();
            let given: Vec<u32> = words.iter().skip(face * length).take(length).copied().collect();
            let give = |pixels: Pixels<'_>| gl.tex_image(target, 0, number, size, pixels);
            match format.numbers() {
                Numbers::Floats => give(Pixels::Floats(&vec![0.0; length])),
                Numbers::Signed => give(Pixels::Signed(&vec![0; length])),
                Numbers::Unsigned if given.is_empty() => give(Pixels::Unsigned(&vec![0; length])),
                Numbers::Unsigned => give(Pixels::Unsigned(&given)),
            }
        }
        for (unit, format) in [Some(format), image.view].into_iter().enumerate() {
            if let Some(format) = format {
                gl.bind_image_texture(unit as u32, name, self::number(format)?);
            }
        }
        Some(name)
    }
}

/// The GL's number of a format.
fn number(format: ImageFormat) -> Option<u32> {
    (0x8000..0x9000).find(|number| ImageFormat::of_constant(*number) == Some(format))
}
