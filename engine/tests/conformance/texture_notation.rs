//! The small notation for textures in conformance files:
//!
//! ```text
//! 2D RGBA8 2x2 min=NEAREST mag=NEAREST wrap=REPEAT { 1 0 0 1, 0 1 0 1, 0 0 1 1, 1 1 1 1 }
//! ```
//!
//! Each `{ }` is one image. Its texels are in order of s, then t, then r, from 0 up. A texel is an R G B A
//! pixel of real values, and missing values are 0. The format takes its components from the pixel. `S:` or
//! `U:` before the first value makes the values integers.
//!
//! More images are mipmap levels. A CUBE has six faces a level: +X -X +Y -Y +Z -Z. An array has one image a
//! layer. The samples of multisample textures are slices of an image. This module parses, and
//! `texture_building` builds textures.

use shadestep_engine::ir::Type;

use super::values::parse_numbers_from;

/// A parsed texture.
#[derive(Debug, Clone)]
pub struct TextureNotation {
    /// The target of a texture, such as `2D`.
    pub target: String,
    /// Name of the internal format.
    pub format: String,
    /// Width, height and depth (or samples) of level 0, and at the end the layers of arrays.
    pub size: Vec<u32>,
    /// Sampler settings, as name and value: `min`, `mag`, `wrap`, `depth_mode`, `compare`, ...
    pub settings: Vec<(String, String)>,
    /// Type of the texels' numbers: F32, S32 or U32.
    pub numbers: Type,
    /// Images in order. Each is a list of texels, as bits, padded with zeros to four components.
    pub images: Vec<Vec<[u32; 4]>>,
}

impl TextureNotation {
    /// Parses the text after `texture[n] =`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (head, mut rest) = text.split_at(text.find('{').unwrap_or(text.len()));
        let mut words = head.split_whitespace();
        let target = words.next().ok_or("texture target expected")?.to_owned();
        let format = words.next().ok_or("texture format expected")?.to_owned();
        let sizes = words.next().ok_or("texture size expected")?.split('x');
        let number = |word: &str| word.parse().map_err(|_| format!("bad size `{word}`"));
        let size: Vec<u32> = sizes.map(number).collect::<Result<_, _>>()?;
        if size.len() > 4 {
            return Err("at most four sizes".into());
        }
        let settings = words
            .map(|w| w.split_once('=').map(|(k, v)| (k.to_owned(), v.to_owned())))
            .collect::<Option<Vec<_>>>()
            .ok_or("sampler settings are `name=value`")?;
        let (mut numbers, mut images) = (Type::F32, Vec::new());
        while let Some(open) = rest.strip_prefix('{') {
            let (inner, after) = open.split_once('}').ok_or("`}` missing")?;
            images
                .push(inner.split(',').map(|text| texel(&mut numbers, text)).collect::<Result<Vec<_>, _>>()?);
            rest = after.trim_start();
        }
        if !rest.trim().is_empty() {
            return Err(format!("`{rest}` after the last image"));
        }
        Ok(Self { target, format, size, settings, numbers, images })
    }
}

fn texel(numbers: &mut Type, text: &str) -> Result<[u32; 4], String> {
    let mut texel = [0; 4];
    let values = parse_numbers_from(numbers, text)?;
    let values: Option<Vec<u32>> =
        values.iter().map(|n| n.and_then(|n| u32::try_from(n.bits).ok())).collect();
    let values = values.ok_or_else(|| format!("`{text}` is not made of numbers of 32 bits"))?;
    if values.is_empty() || values.len() > 4 {
        return Err(format!("a texel has one to four components, `{text}` does not"));
    }
    texel[..values.len()].copy_from_slice(&values);
    Ok(texel)
}

mod tests {
    use super::*;

    /// The parser returns the target, format, size, settings and images as written.
    #[test]
    fn a_texture_is_read() -> Result<(), String> {
        let texture = TextureNotation::parse("2D LUMINANCE8 2x1 min=NEAREST { 1/255, 1 } { 0.5 }")?;
        let good = texture.target == "2D"
            && texture.format == "LUMINANCE8"
            && texture.size == [2, 1]
            && texture.settings == [("min".to_owned(), "NEAREST".to_owned())]
            && texture.images.len() == 2
            && texture.numbers == Type::F32
            && texture.images[0] == [[0x3B80_8081, 0, 0, 0], [0x3F80_0000, 0, 0, 0]];
        let layers = TextureNotation::parse("ARRAY1D RG32I 2x2 { S: -1 2, 3 } { 4, 5 6 }")?;
        let good = good
            && layers.size == [2, 2]
            && layers.numbers == Type::S32
            && layers.images == [[[u32::MAX, 2, 0, 0], [3, 0, 0, 0]], [[4, 0, 0, 0], [5, 6, 0, 0]]];
        if good { Ok(()) } else { Err(format!("{texture:?}, {layers:?}")) }
    }

    /// The parser refuses everything else.
    #[test]
    fn mistakes_are_refused() -> Result<(), String> {
        for text in [
            "",
            "2D",
            "2D RGBA8",
            "2D RGBA8 1x1x1x1x1 {1}",
            "2D RGBA8 1 x {1}",
            "2D RGBA8 1 {1",
            "2D RGBA8 1 {1} 2",
            "2D RGBA32UI 1 {U: 1 _ 3 4}",
            "2D RGBA8 1 {F64: 1}",
        ] {
            if TextureNotation::parse(text).is_ok() {
                return Err(format!("accepted `{text}`"));
            }
        }
        Ok(())
    }
}
