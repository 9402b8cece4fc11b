//! Compares texel fetches with lookups of the nearest texel, which use other code.

use super::*;

const NONE: [i32; 3] = [0; 3];

/// The bits of a NEAREST lookup at the centre of a texel.
fn nearest(texture: &Texture, coordinates: [f32; 3]) -> [u32; 4] {
    let registers = coordinates.map(|s| [s; 4]);
    let mut out = [[0.0; 4]; 4];
    texture.sample(&Lookup::new(registers.each_ref(), Gradients::Quad), &mut out, None);
    out.map(|register| register[0].to_bits())
}

#[test]
fn a_fetched_texel_is_the_nearest_one_in_every_format() {
    let size = [4, 2, 1];
    let values = [0.0, 1.0, -1.0, 0.3, 1e-40, f32::NAN, 70_000.0, -0.25, 0.5, 0.999];
    let data = (0..4 * 2 * 4).map(|i| values[i * 7 % values.len()]).collect();
    let image = Image::from_f32(size, data).unwrap();
    for &format in Format::FLOATS {
        for target in [TextureTarget::D2, TextureTarget::Rect] {
            if check_format(target, format).is_err() {
                continue;
            }
            let sampler = Sampler {
                min_filter: MinFilter::Nearest,
                mag_filter: MagFilter::Nearest,
                ..Sampler::for_target(target)
            };
            let texture = Texture::new(target, format, vec![image.clone().into()], sampler).unwrap();
            let unit = if target == TextureTarget::Rect { [1.0, 1.0] } else { [4.0, 2.0] };
            for (i, j) in (0..4).flat_map(|i| [(i, 0), (i, 1)]) {
                let centre = [(i as f32 + 0.5) / unit[0], (j as f32 + 0.5) / unit[1], 0.0];
                let fetched = texture.fetch([i, j, 5, 0], NONE).unwrap();
                assert_eq!(fetched, nearest(&texture, centre), "{} {target:?} {i} {j}", format.name());
            }
            assert_eq!(texture.fetch([4, 0, 0, 0], NONE), None);
            assert_eq!(texture.fetch([0, -1, 0, 0], NONE), None);
            assert_eq!(texture.fetch([0, 0, 0, 1], NONE), None);
        }
    }
}

#[test]
fn texels_of_volumes_and_lines_have_their_own_axes() {
    let numbers = |n: usize| (0..n).flat_map(|i| [i as u8, 0, 0, 0]).collect();
    let sampler = |target| Sampler { min_filter: MinFilter::Nearest, ..Sampler::for_target(target) };
    let make = |target, size: [usize; 3]| {
        let image = Image::from_rgba8(size, numbers(size.iter().product())).unwrap();
        Texture::new(target, Format::Rgba8, vec![image.into()], sampler(target)).unwrap()
    };
    let volume = make(TextureTarget::D3, [2, 3, 4]);
    assert_eq!(volume.fetch([1, 2, 3, 0], NONE), Some([23.0_f32 / 255.0, 0.0, 0.0, 0.0].map(f32::to_bits)));
    assert_eq!(volume.fetch([1, 2, 4, 0], NONE), None);
    assert_eq!(volume.size_above_base(0), Some(([2, 3, 4], 3)));
    let line = make(TextureTarget::D1, [5, 1, 1]);
    assert_eq!(line.fetch([4, 9, -9, 0], NONE), Some([4.0_f32 / 255.0, 0.0, 0.0, 0.0].map(f32::to_bits)));
    assert_eq!(line.size_above_base(0), Some(([5, 1, 1], 1)));
    assert_eq!(line.size_above_base(1), None);
    let image = || Image::from_rgba8([2, 2, 1], numbers(4)).unwrap();
    let faces = std::array::from_fn::<Image, 6, _>(|_| image());
    let target = TextureTarget::Cube;
    let cube = Texture::new(target, Format::Rgba8, vec![faces.into()], sampler(target)).unwrap();
    assert_eq!(cube.fetch([0, 0, 0, 0], NONE), None);
    assert_eq!(cube.size_above_base(0), Some(([2, 2, 1], 2)));
}
