//! The small notation for textures in conformance files:
//!
//! ```text
//! 2D RGBA8 2x2 min=NEAREST mag=NEAREST wrap=REPEAT { 1 0 0 1, 0 1 0 1, 0 0 1 1, 1 1 1 1 }
//! ```
//!
//! Each `{ }` is one image, texels from s = 0 up, then t, then r; a texel is an R G B A pixel of real
//! values, missing ones 0, from which the format takes its components. More images are mipmap levels; a CUBE has six faces a level, +X -X
//! +Y -Y +Z -Z. `none` leaves the unit without a texture. This module parses; it builds no texture.

use crate::values::parse_number;

/// A parsed texture.
#[derive(Debug, Clone)]
pub struct TextureNotation {
    /// `1D`, `2D`, `3D`, `CUBE` or `RECT`.
    pub target: String,
    /// Name of the internal format.
    pub format: String,
    /// Width, height and depth of level 0.
    pub size: [u32; 3],
    /// Sampler settings, name and value: `min`, `mag`, `wrap`, `depth_mode`, `compare`, ...
    pub settings: Vec<(String, String)>,
    /// Images in order; each a list of texels padded with zeros to four components.
    pub images: Vec<Vec<[f32; 4]>>,
}

impl TextureNotation {
    /// Parses the text after `texture[n] =`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (head, mut rest) = text.split_at(text.find('{').unwrap_or(text.len()));
        let mut words = head.split_whitespace();
        let target = words.next().ok_or("texture target expected")?.to_owned();
        let format = words.next().ok_or("texture format expected")?.to_owned();
        let mut size = [1; 3];
        let sizes: Vec<&str> = words.next().ok_or("texture size expected")?.split('x').collect();
        if sizes.len() > 3 {
            return Err("at most three sizes".into());
        }
        for (slot, word) in size.iter_mut().zip(sizes) {
            *slot = word.parse().map_err(|_| format!("bad size `{word}`"))?;
        }
        let settings = words
            .map(|w| w.split_once('=').map(|(k, v)| (k.to_owned(), v.to_owned())))
            .collect::<Option<Vec<_>>>()
            .ok_or("sampler settings are `name=value`")?;
        let mut images = Vec::new();
        while let Some(open) = rest.strip_prefix('{') {
            let (inner, after) = open.split_once('}').ok_or("`}` missing")?;
            images.push(inner.split(',').map(texel).collect::<Result<Vec<_>, _>>()?);
            rest = after.trim_start();
        }
        if !rest.trim().is_empty() {
            return Err(format!("`{rest}` after the last image"));
        }
        Ok(Self { target, format, size, settings, images })
    }
}

fn texel(text: &str) -> Result<[f32; 4], String> {
    let mut texel = [0.0; 4];
    let values: Vec<f32> =
        text.split_whitespace().map(|w| parse_number(w).map(|n| n.value)).collect::<Result<_, _>>()?;
    if values.is_empty() || values.len() > 4 {
        return Err(format!("a texel has one to four components, `{text}` does not"));
    }
    texel[..values.len()].copy_from_slice(&values);
    Ok(texel)
}

/// Tests of this module, run as trials of their own.
pub mod tests {
    use super::*;

    /// Target, format, size, settings and images come out as written.
    pub fn a_texture_is_read() -> Result<(), String> {
        let texture = TextureNotation::parse("2D LUMINANCE8 2x1 min=NEAREST { 1/255, 1 } { 0.5 }")?;
        let good = texture.target == "2D"
            && texture.format == "LUMINANCE8"
            && texture.size == [2, 1, 1]
            && texture.settings == [("min".to_owned(), "NEAREST".to_owned())]
            && texture.images.len() == 2
            && texture.images[0] == [[1.0 / 255.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]];
        if good { Ok(()) } else { Err(format!("{texture:?}")) }
    }

    /// What is not a texture is refused.
    pub fn mistakes_are_refused() -> Result<(), String> {
        for text in [
            "",
            "2D",
            "2D RGBA8",
            "2D RGBA8 1x1x1x1 {1}",
            "2D RGBA8 1 x {1}",
            "2D RGBA8 1 {1",
            "2D RGBA8 1 {1} 2",
        ] {
            if TextureNotation::parse(text).is_ok() {
                return Err(format!("accepted `{text}`"));
            }
        }
        Ok(())
    }
}
