//! Builds textures from their notation. `README.md` gives the defaults.

use shadestep_engine::ir;
use shadestep_engine::pipeline::CompareFunc;
use shadestep_engine::texture::{
    DepthMode, Format, Image, Level, MagFilter, MinFilter, Sampler, Texture, Wrap,
};

use super::texture_notation::TextureNotation;

pub fn texture(notation: &TextureNotation) -> Result<Texture, String> {
    let target = ir::TextureTarget::ALL
        .into_iter()
        .find(|t| t.image() == *t && t.name() == notation.target)
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
    let mut sizes = notation.size.iter().map(|&n| n as usize).collect::<Vec<_>>();
    let layers = if target.layer().is_some() { sizes.pop().unwrap_or(1) } else { 1 };
    let side = |level: usize, axis: usize| sizes.get(axis).map_or(1, |n| (n >> level).max(1));
    let mut levels = Vec::new();
    for (level, images) in notation.images.chunks(layers.max(1) * target.faces()).enumerate() {
        let size = [0, 1, 2].map(|axis| side(level, axis));
        let image = |texels: &Vec<[u32; 4]>| image(notation.numbers, size, texels.concat());
        levels.push(Level { faces: images.iter().map(image).collect::<Result<_, _>>()? });
    }
    Texture::new(target, format, levels, sampler).map_err(|e| format!("  {e}\n"))
}

fn image(numbers: ir::Type, size: [usize; 3], words: Vec<u32>) -> Result<Image, String> {
    let image = match numbers {
        ir::Type::S32 => Image::from_i32(size, words.into_iter().map(u32::cast_signed).collect()),
        ir::Type::U32 => Image::from_u32(size, words),
        _ => Image::from_f32(size, words.into_iter().map(f32::from_bits).collect()),
    };
    image.map_err(|e| format!("  {e}\n"))
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
                "RED" => DepthMode::Red,
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
