//! Small textures for random programs.

use shadestep_engine::ir::TextureTarget;
use shadestep_engine::num::CompareFunc;
use shadestep_engine::texture::{DepthMode, Format, Image, Level, MagFilter, MinFilter, Sampler, Texture};

use super::random::Random;

/// A texture of `target` with random texels; float formats hold special values too. For targets that compare,
/// mostly a depth texture that does.
pub fn small(random: &mut Random, target: TextureTarget) -> Texture {
    let compares = target.is_shadow() && !random.chance(8);
    let target = target.image();
    let size = match target {
        TextureTarget::D1 | TextureTarget::Array1D | TextureTarget::Buffer => [16, 1, 1],
        TextureTarget::D3 => [4, 4, 4],
        TextureTarget::Rect => [7, 5, 1],
        _ => [8, 8, 1],
    };
    let texels = size.iter().product::<usize>();
    let float = !compares && target == TextureTarget::Rect && random.chance(2);
    let layers = if target.layer().is_some() { 3 } else { 1 };
    let faces = layers * target.faces();
    let faces = (0..faces)
        .map(|_| {
            if float {
                let data = (0..texels * 4).map(|_| random.value()).collect();
                Image::from_f32(size, data).expect("sizes agree")
            } else {
                let data = (0..texels * 4).map(|_| random.next() as u8).collect();
                Image::from_rgba8(size, data).expect("sizes agree")
            }
        })
        .collect();
    let format = match (compares, float) {
        (true, _) => *random.pick(&[Format::DepthComponent16, Format::DepthComponent24]),
        (false, true) => Format::FloatRgba32,
        (false, false) => Format::Rgba8,
    };
    let mut sampler = Sampler::for_target(target);
    if compares {
        sampler.compare = Some(*random.pick(&CompareFunc::ALL));
        sampler.depth_mode = *random.pick(&[DepthMode::Luminance, DepthMode::Intensity, DepthMode::Alpha]);
    }
    if !float {
        sampler.mag_filter = *random.pick(&[MagFilter::Nearest, MagFilter::Linear]);
        sampler.min_filter = match target {
            TextureTarget::Rect | TextureTarget::Buffer => MinFilter::Linear,
            _ => *random.pick(&MinFilter::ALL),
        };
    }
    let mut texture = Texture::new(target, format, vec![Level { faces }], sampler).expect("a legal texture");
    if !matches!(target, TextureTarget::Rect | TextureTarget::Buffer) {
        texture.generate_mipmaps().expect("mipmaps");
    }
    texture
}
