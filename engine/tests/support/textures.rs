//! Small textures for random programs.

use shadestep_engine::ir::TextureTarget;
use shadestep_engine::pipeline::CompareFunc;
use shadestep_engine::texture::{
    DepthMode, Format, Image, Level, MagFilter, MinFilter, Numbers, Sampler, Texture,
};

use super::random::Random;

/// A texture with random integers for a `target` without comparison. Integer textures have no linear filter.
pub fn of_integers(random: &mut Random, target: TextureTarget) -> Texture {
    let format = *random.pick(&[Format::Rgba8I, Format::Rgba16Ui, Format::Rgba32I, Format::Rgba32Ui]);
    let size = size_of(target);
    let images = if target.layer().is_some() { 3 * target.faces() } else { target.faces() };
    let faces = (0..images).map(|_| {
        let texels = (0..4 * size.iter().product::<usize>()).map(|_| random.next() as u32);
        match format.numbers() {
            Numbers::Signed => Image::from_i32(size, texels.map(u32::cast_signed).collect()),
            _ => Image::from_u32(size, texels.collect()),
        }
        .expect("sizes agree")
    });
    let faces = faces.collect();
    let (mag_filter, min_filter) = (MagFilter::Nearest, MinFilter::Nearest);
    let sampler = Sampler { mag_filter, min_filter, ..Sampler::for_target(target) };
    Texture::new(target, format, vec![Level { faces }], sampler).expect("a legal texture")
}

/// Width, height and depth (or the number of samples) of the images.
const fn size_of(target: TextureTarget) -> [usize; 3] {
    match target {
        TextureTarget::D1 | TextureTarget::Array1D | TextureTarget::Buffer => [16, 1, 1],
        TextureTarget::D3 => [4, 4, 4],
        TextureTarget::Rect => [7, 5, 1],
        TextureTarget::Multisample2D | TextureTarget::MultisampleArray2D | TextureTarget::Renderbuffer => {
            [8, 4, 4]
        }
        _ => [8, 8, 1],
    }
}

/// A texture with random texels. Float formats hold special values too. Targets with comparison mostly get a
/// depth texture that compares.
pub fn small(random: &mut Random, target: TextureTarget) -> Texture {
    let compares = target.is_shadow() && !random.chance(8);
    let target = target.image();
    let size = size_of(target);
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
            _ if !target.has_mipmaps() => MinFilter::Linear,
            _ => *random.pick(&MinFilter::ALL),
        };
    }
    let mut texture = Texture::new(target, format, vec![Level { faces }], sampler).expect("a legal texture");
    if target.has_mipmaps() {
        texture.generate_mipmaps().expect("mipmaps");
    }
    texture
}
