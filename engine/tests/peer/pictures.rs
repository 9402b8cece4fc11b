//! Questions about whole pictures: coverage, interpolated values, depth, texture filters and wrap modes.

use std::sync::Arc;

use shadestep_engine::ir::TextureTarget;
use shadestep_engine::texture::{Format, Image, Level, MagFilter, MinFilter, Sampler, Texture, Wrap};

use super::question::{Inputs, Question};
use crate::support::random::Random;

/// The number of pictures with random triangles.
const MESHES: u64 = 6;

pub fn all() -> Vec<Question> {
    let mut questions: Vec<Question> = (0..MESHES).map(triangles).collect();
    for filter in MinFilter::ALL {
        for (name, scale) in [("1 texel", 2.0), ("2 texels", 4.0), ("3.4 texels", 6.8)] {
            let sampler = Sampler { min_filter: filter, ..Sampler::default() };
            let name = format!("{}, {name} a pixel", filter.name());
            questions.push(lookup(&name, TextureTarget::D2, sampler, scale));
        }
    }
    // Between 1 and sqrt(2) texels a pixel the texture is still magnified (c = 0.5, glspec15 3.8.9).
    questions.push(lookup("switch-over", TextureTarget::D2, Sampler::default(), 2.7));
    for filter in MagFilter::ALL {
        for target in [
            TextureTarget::D1,
            TextureTarget::D2,
            TextureTarget::D3,
            TextureTarget::Cube,
            TextureTarget::Rect,
        ] {
            // Drivers may filter across the edges of a cube's faces, so cubes do not repeat.
            let wrap = match target {
                TextureTarget::Cube | TextureTarget::Rect => Wrap::ClampToEdge,
                _ => Wrap::Repeat,
            };
            let sampler = Sampler { wrap: [wrap; 3], mag_filter: filter, ..Sampler::for_target(target) };
            let name = format!("{} {}", target.name(), filter.name());
            let scale = if target == TextureTarget::Rect { 7.0 } else { 0.9 };
            questions.push(lookup(&name, target, sampler, scale));
        }
        for wrap in Wrap::ALL {
            let border = [0.25, 0.5, 0.75, 1.0];
            let sampler =
                Sampler { wrap: [wrap; 3], mag_filter: filter, border: border.into(), ..Sampler::default() };
            questions.push(lookup(
                &format!("{} {}", wrap.name(), filter.name()),
                TextureTarget::D2,
                sampler,
                1.8,
            ));
        }
    }
    questions
}

/// Ten random triangles in perspective. The edge of the window cuts some of them.
fn triangles(seed: u64) -> Question {
    let mut random = Random::new(seed ^ 0x3A9E);
    let mut part = |from: f32, to: f32| from + (to - from) * random.below(1 << 16) as f32 / 65536.0;
    let mut corner = || {
        let w = part(0.7, 1.4);
        let position = [part(-1.3, 1.3) * w, part(-1.3, 1.3) * w, part(-0.9, 0.9) * w, w];
        (position, [part(0.0, 1.0), part(0.0, 1.0), part(0.0, 1.0), 1.0])
    };
    let text = b"!!ARBfp1.0\nMOV result.color, fragment.texcoord[0];\nMOV result.color.w, fragment.position.z;\nEND\n";
    Question {
        runs: vec![Inputs::default()],
        triangles: (0..30).map(|_| corner()).collect(),
        ..Question::loading(format!("pictures/triangles {seed}"), text)
    }
}

/// A rectangle over the whole window, with texture coordinates from 0.037 to `scale` more.
fn lookup(name: &str, target: TextureTarget, sampler: Sampler, scale: f32) -> Question {
    let corner = |x: f32, y: f32| {
        let at = |t: f32| 0.037 + t * scale;
        let coordinates = match target {
            TextureTarget::Cube => [1.1 * x - 0.4, 1.1 * y - 0.5, 0.9 - x * y, 1.0],
            _ => [at(x), at(y), at((x + y) * 0.5), 1.0],
        };
        ([2.0 * x - 1.0, 2.0 * y - 1.0, 0.0, 1.0], coordinates)
    };
    let [a, b, c, d] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|[x, y]| corner(x, y));
    let target_name = target.name();
    let text =
        format!("!!ARBfp1.0\nTEX result.color, fragment.texcoord[0], texture[0], {target_name};\nEND\n");
    let textures = vec![(0, Arc::new(texture(target, sampler)))];
    Question {
        runs: vec![Inputs { textures, ..Inputs::default() }],
        triangles: vec![a, b, c, c, b, d],
        ..Question::loading(format!("pictures/{name}"), text.as_bytes())
    }
}

/// A mipmapped texture of 8 texels along each axis, whose colours differ much from texel to texel.
fn texture(target: TextureTarget, sampler: Sampler) -> Texture {
    let size = match target {
        TextureTarget::D1 => [8, 1, 1],
        TextureTarget::D3 => [8, 8, 8],
        _ => [8, 8, 1],
    };
    let faces = if target == TextureTarget::Cube { 6 } else { 1 };
    let image = |face: usize| {
        let texels = size.iter().product::<usize>();
        let bytes = (0..texels).flat_map(|n| {
            let [x, y, z] = [n % 8, n / 8 % 8, n / 64];
            [x * 36, y * 36, (x + y + z + face) % 2 * 200, 255 - face * 30].map(|value| value as u8)
        });
        Image::from_rgba8(size, bytes.collect()).expect("sizes agree")
    };
    let level = Level { faces: (0..faces).map(image).collect() };
    let mut texture = Texture::new(target, Format::Rgba8, vec![level], sampler).expect("a legal texture");
    if target != TextureTarget::Rect {
        texture.generate_mipmaps().expect("mipmaps");
    }
    texture
}
