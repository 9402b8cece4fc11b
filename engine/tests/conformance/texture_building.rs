//! Textures from their notation. What the notation leaves out is as `README.md` says.

use shadestep_engine::ir;
use shadestep_engine::num::CompareFunc;
use shadestep_engine::texture::{
    DepthMode, Format, Image, Level, MagFilter, MinFilter, Sampler, Texture, Wrap,
};

use crate::texture_notation::TextureNotation;

/// The texture that `notation` describes.
pub fn texture(notation: &TextureNotation) -> Result<Texture, String> {
    let target = ir::TextureTarget::BASIC
        .into_iter()
        .find(|t| t.name() == notation.target)
        .ok_or_else(|| format!("  unknown target `{}`\n", notation.target))?;
    let format = Format::from_name(&notation.format)
        .ok_or_else(|| format!("  unknown format `{}`\n", notation.format))?;
    let mut sampler = Sampler::for_target(target);
    sampler.wrap = [Wrap::ClampToEdge; 3];
    sampler.min_filter = MinFilter::Nearest;
    sampler.mag_filter = MagFilter::Nearest;
    for (key, value) in &notation.settings {
        set(&mut sampler, key, value).ok_or_else(|| format!("  bad sampler setting `{key}={value}`\n"))?;
    }
    let faces = if target == ir::TextureTarget::Cube { 6 } else { 1 };
    let mut levels = Vec::new();
    for (level, images) in notation.images.chunks(faces).enumerate() {
        let size = notation.size.map(|n| (n as usize >> level).max(1));
        let faces = images
            .iter()
            .map(|texels| Image::from_f32(size, texels.concat()).map_err(|e| format!("  {e}\n")))
            .collect::<Result<_, _>>()?;
        levels.push(Level { faces });
    }
    Texture::new(target, format, levels, sampler).map_err(|e| format!("  {e}\n"))
}

fn set(sampler: &mut Sampler, key: &str, value: &str) -> Option<()> {
    match key {
        "min" => sampler.min_filter = MinFilter::ALL.into_iter().find(|f| f.name() == value)?,
        "mag" => sampler.mag_filter = MagFilter::ALL.into_iter().find(|f| f.name() == value)?,
        "wrap" => sampler.wrap = [Wrap::ALL.into_iter().find(|w| w.name() == value)?; 3],
        "depth_mode" => {
            sampler.depth_mode = match value {
                "LUMINANCE" => DepthMode::Luminance,
                "INTENSITY" => DepthMode::Intensity,
                "ALPHA" => DepthMode::Alpha,
                _ => return None,
            }
        }
        "compare" => {
            sampler.compare = Some(CompareFunc::ALL.into_iter().find(|func| func.name() == value)?);
        }
        "base" => sampler.base_level = value.parse().ok()?,
        "max" => sampler.max_level = value.parse().ok()?,
        _ => return None,
    }
    Some(())
}
