//! Targets: 3D, CUBE, RECT, and refused shapes.

use super::*;

/// A small complete RGBA8 texture of the target with a pattern.
pub(super) fn any(target: TextureTarget) -> Texture {
    let size = match target {
        TextureTarget::D1 => [8, 1, 1],
        TextureTarget::D3 => [8, 4, 2],
        _ => [8, 8, 1],
    };
    let n = size.iter().product::<usize>() * 4;
    let image = |seed: usize| {
        Image::from_rgba8(size, (0..n).map(|i| (((i + seed) * 2_654_435_761) >> 13) as u8).collect()).unwrap()
    };
    let faces = if target == TextureTarget::Cube { 6 } else { 1 };
    let level = Level { faces: (0..faces).map(image).collect() };
    let mut sampler = Sampler::for_target(target);
    if target != TextureTarget::Rect {
        sampler.min_filter = MinFilter::LinearMipmapLinear;
    }
    let mut texture = Texture::new(target, Format::Rgba8, vec![level], sampler).unwrap();
    if target != TextureTarget::Rect {
        texture.generate_mipmaps().unwrap();
    }
    assert!(texture.is_complete());
    texture
}

fn plain() -> Sampler {
    Sampler { min_filter: MinFilter::Linear, wrap: [Wrap::ClampToEdge; 3], ..Sampler::default() }
}

#[test]
fn two_dimensions_are_bilinear() {
    let bytes = [0, 100, 200, 40].map(|b| [b, 0, 0, 255]).concat();
    let image = Image::from_rgba8([2, 2, 1], bytes).unwrap();
    let texture = Texture::new(TextureTarget::D2, Format::Rgb8, vec![image.into()], plain()).unwrap();
    // a = 1/4, b = 1/2: (3/8) 0 + (1/8) 100 + (3/8) 200 + (1/8) 40.
    assert_eq!(value(&texture, [0.375, 0.5, 0.0]), [92.5 / 255.0, 0.0, 0.0, 1.0]);
    // The first row is at t = 0.
    assert_eq!(value(&texture, [1.0, 0.0, 0.0])[0], 100.0 / 255.0);
    let bytes = [0, 100, 200, 40].map(|b| [b, 0, 0, 255]).concat();
    let flipped = Image::from_rgba8([2, 2, 1], bytes).unwrap().flip_rows();
    let texture = Texture::new(TextureTarget::D2, Format::Rgb8, vec![flipped.into()], plain()).unwrap();
    assert_eq!(value(&texture, [1.0, 0.0, 0.0])[0], 40.0 / 255.0);
}

#[test]
fn three_dimensions_are_trilinear_and_count_r() {
    let bytes: Vec<u8> = (0..8).flat_map(|i| [1 << i, 0, 0, 255]).collect();
    let image = Image::from_rgba8([2, 2, 2], bytes).unwrap();
    let texture = Texture::new(TextureTarget::D3, Format::Rgb8, vec![image.into()], plain()).unwrap();
    // The mean of 1, 2, 4 ... 128.
    assert_eq!(value(&texture, [0.5; 3])[0], 31.875 / 255.0);
    // Texel (1, 0, 1) is number 5; halfway from it to (1, 0, 0), number 1.
    assert_eq!(value(&texture, [1.0, 0.0, 1.0])[0], 32.0 / 255.0);
    assert_eq!(value(&texture, [1.0, 0.0, 0.5])[0], 17.0 / 255.0);
    // a, b, c = 1/4, 1/2, 0: (3/8) 1 + (1/8) 2 + (3/8) 4 + (1/8) 8.
    assert_eq!(value(&texture, [0.375, 0.5, 0.0])[0], 3.125 / 255.0);
    let (_, lambda) = look(&texture, [0.5; 3], [0.0, 0.0, 4.0], [0.0; 3]);
    assert_eq!(lambda, 3.0);
}

/// A cube map of 2 x 2 faces. The texel (i, j) of face f is 40 f + 10 (2 j + i).
fn cube() -> Texture {
    let faces = std::array::from_fn(|f| {
        let data = (0..4).flat_map(|t| [(40 * f + 10 * t) as u8, 0, 0, 255]).collect();
        Image::from_rgba8([2, 2, 1], data).unwrap()
    });
    Texture::new(TextureTarget::Cube, Format::Luminance8, vec![Level::from(faces)], plain()).unwrap()
}

#[test]
fn cube_faces_are_those_of_table_3_20() {
    let texture = cube();
    // For each face, a direction with sc > 0 and tc < 0, computed from the table, and a direction with sc < 0
    // and tc > 0.
    let directions = [
        ([1.0, 0.5, -0.5], [1.0, -0.5, 0.5]),
        ([-1.0, 0.5, 0.5], [-1.0, -0.5, -0.5]),
        ([0.5, 1.0, -0.5], [-0.5, 1.0, 0.5]),
        ([0.5, -1.0, 0.5], [-0.5, -1.0, -0.5]),
        ([0.5, 0.5, 1.0], [-0.5, -0.5, 1.0]),
        ([-0.5, 0.5, -1.0], [0.5, -0.5, -1.0]),
    ];
    for (face, (right_low, left_high)) in directions.into_iter().enumerate() {
        for scale in [1.0, 8.0, 0.125] {
            let at = |r: [f32; 3]| (value(&texture, r.map(|c| c * scale))[0] * 255.0).round();
            // (s, t) = (3/4, 1/4) is texel (1, 0), number 1; (1/4, 3/4) is number 2.
            assert_eq!(at(right_low), (40 * face + 10) as f32, "face {face}");
            assert_eq!(at(left_high), (40 * face + 20) as f32, "face {face}");
        }
    }
}

#[test]
fn cube_ties_and_edges() {
    let texture = cube();
    let at = |r: [f32; 3]| value(&texture, r)[0] * 255.0;
    // x wins over y, and y over z. (1,1,1) selects +x: sc = tc = -1, texel 0. (0,1,1) selects +y: sc = 0, tc
    // = 1, between texels 2 and 3 of face 2, without crossing the face's edge.
    assert_eq!(at([1.0, 1.0, 1.0]), 0.0);
    assert!((at([0.0, 1.0, 1.0]) - 105.0).abs() < 1e-4);
    // The middle of -z: the mean of 200, 210, 220, 230.
    assert!((at([0.0, 0.0, -3.0]) - 215.0).abs() < 1e-4);
}

#[test]
fn cube_scale_is_that_of_the_face() {
    let texture = any(TextureTarget::Cube);
    // On +x, s = (1 - rz/rx) / 2: ds/dx = 1/4 for drz/dx = -1/2. With eight texels per side, rho = 2.
    for scale in [1.0, 2.0] {
        let (_, lambda) = look(&texture, [scale, 0.0, 0.0], [0.0, 0.0, -0.5 * scale], [0.0; 3]);
        assert_eq!(lambda, 1.0);
    }
    // Moving along the direction itself changes nothing.
    let (_, lambda) = look(&texture, [1.0, 0.5, 0.25], [2.0, 1.0, 0.5], [0.0; 3]);
    assert_eq!(lambda, -1000.0);
}

#[test]
fn cube_faces_must_agree() {
    let face = |n: usize| Image::from_rgba8([n, n, 1], vec![255; n * n * 4]).unwrap();
    let level = Level { faces: [2, 2, 2, 4, 2, 2].map(face).to_vec() };
    let texture = Texture::new(TextureTarget::Cube, Format::Rgba8, vec![level], plain()).unwrap();
    let why = Incomplete::FaceSize { face: 3, expected: [2, 2, 1], actual: [4, 4, 1] };
    assert_eq!(texture.why(), Some(why));
    assert_eq!(value(&texture, [1.0; 3]), [0.0; 4]);
    // Mipmap cube complete: level 1 of one face is missing.
    let top = Level { faces: vec![face(2); 6] };
    let mut second = Level { faces: vec![face(1); 6] };
    second.faces[4] = Image::empty();
    let texture =
        Texture::new(TextureTarget::Cube, Format::Rgba8, vec![top, second], Sampler::default()).unwrap();
    assert_eq!(texture.why(), Some(Incomplete::MissingLevel { level: 1, expected: [1, 1, 1] }));
}

#[test]
fn rectangles_count_texels() {
    let data = [0_u8, 51, 102, 153, 204, 255].map(|b| [b, 0, 0, 255]).concat();
    let make = |filter: MagFilter, wrap| {
        let image = Image::from_rgba8([3, 2, 1], data.clone()).unwrap();
        let min_filter = if filter == MagFilter::Linear { MinFilter::Linear } else { MinFilter::Nearest };
        let sampler = Sampler {
            wrap: [wrap; 3],
            mag_filter: filter,
            min_filter,
            border: [1.0; 4].into(),
            ..Sampler::default()
        };
        Texture::new(TextureTarget::Rect, Format::Luminance8, vec![image.into()], sampler).unwrap()
    };
    let at = |texture: &Texture, s, t| value(texture, [s, t, 0.0])[0];
    let near = make(MagFilter::Nearest, Wrap::ClampToEdge);
    assert_eq!([at(&near, 0.5, 0.5), at(&near, 2.9, 1.1), at(&near, 99.0, -1.0)], [0.0, 1.0, 0.4]);
    let linear = make(MagFilter::Linear, Wrap::ClampToEdge);
    assert_eq!([at(&linear, 1.0, 0.5), at(&linear, 0.0, 1.0), at(&linear, 5.0, 1.5)], [0.1, 0.3, 1.0]);
    // CLAMP to [0, w] blends half with the border; CLAMP_TO_BORDER reaches the border.
    assert_eq!(at(&make(MagFilter::Linear, Wrap::Clamp), -4.0, 0.5), 0.5);
    assert_eq!(at(&make(MagFilter::Linear, Wrap::ClampToBorder), -4.0, 0.5), 1.0);
    // One texel per pixel: lambda = 0.
    let (_, lambda) = look(&linear, [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    assert_eq!(lambda, 0.0);
}

#[test]
fn rectangles_refuse_mipmaps_and_repeats() {
    let target = TextureTarget::Rect;
    let good = Sampler::for_target(target);
    assert_eq!(good.check(target), Ok(()));
    for (sampler, error) in [
        (Sampler { wrap: [Wrap::Repeat; 3], ..good }, TextureError::RectWrap { wrap: Wrap::Repeat }),
        (
            Sampler { wrap: [Wrap::Clamp, Wrap::MirroredRepeat, Wrap::Clamp], ..good },
            TextureError::RectWrap { wrap: Wrap::MirroredRepeat },
        ),
        (
            Sampler { min_filter: MinFilter::LinearMipmapNearest, ..good },
            TextureError::RectFilter { filter: MinFilter::LinearMipmapNearest },
        ),
        (Sampler { base_level: 1, ..good }, TextureError::NoMipmaps { target }),
    ] {
        assert_eq!(sampler.check(target), Err(error.clone()));
        let mut texture = any(target);
        assert_eq!(texture.set_sampler(sampler), Err(error));
        assert_eq!(texture.sampler(), &good);
    }
    assert_eq!(any(target).generate_mipmaps(), Err(TextureError::NoMipmaps { target }));
}

#[test]
fn unfit_images_are_refused_in_plain_words() {
    let image =
        |size: [usize; 3]| Image::from_rgba8(size, vec![0; size.iter().product::<usize>() * 4]).unwrap();
    let make =
        |target, levels| Texture::new(target, Format::Rgba8, levels, Sampler::for_target(target)).map(|_| ());
    for (target, size) in [
        (TextureTarget::D1, [2, 2, 1]),
        (TextureTarget::D2, [2, 2, 2]),
        (TextureTarget::Rect, [2, 2, 2]),
        (TextureTarget::Cube, [2, 1, 1]),
    ] {
        let faces = if target == TextureTarget::Cube { 6 } else { 1 };
        let level = Level { faces: vec![image(size); faces] };
        assert_eq!(make(target, vec![level]), Err(TextureError::Shape { target, size }));
    }
    let (d2, cube) = (TextureTarget::D2, TextureTarget::Cube);
    assert_eq!(
        make(cube, vec![image([1, 1, 1]).into()]),
        Err(TextureError::Faces { target: cube, level: 0, faces: 1 })
    );
    assert_eq!(make(d2, vec![]), Err(TextureError::LevelCount { levels: 0 }));
    assert_eq!(make(d2, vec![Image::empty().into(); 16]), Err(TextureError::LevelCount { levels: 16 }));
    assert_eq!(
        Image::from_rgba8([2, 2, 1], vec![0; 15]),
        Err(TextureError::DataLength { expected: 16, actual: 15 })
    );
    assert_eq!(Image::from_f32([1, 16_385, 1], vec![]), Err(TextureError::TooLarge { size: [1, 16_385, 1] }));
    for (sampler, error) in [
        (Sampler { lod_bias: f32::NAN, ..Sampler::default() }, TextureError::NotANumber { what: "LOD bias" }),
        (Sampler { max_anisotropy: 0.5, ..Sampler::default() }, TextureError::Anisotropy { value: 0.5 }),
    ] {
        assert_eq!(sampler.check(d2), Err(error.clone()));
        assert!(!error.to_string().is_empty());
    }
}

/// The sizes of a full chain.
fn chain(mut size: [usize; 3], faces: usize) -> Vec<Vec<[usize; 3]>> {
    let mut sizes = vec![vec![size; faces]];
    while size != [1; 3] {
        size = store::half(size);
        sizes.push(vec![size; faces]);
    }
    sizes
}

#[test]
fn textures_beyond_the_limit_are_refused_before_they_are_made() {
    let layout = |sizes: &[Vec<[usize; 3]>], format| Layout::new(sizes).within_limit(format);
    // 2^28 texels of 4 bytes are exactly the limit. A chain takes nearly twice as much.
    let whole = chain([MAX_SIZE, MAX_SIZE, 1], 1);
    assert!(layout(&whole[..1], Format::Rgba8).is_ok());
    let error = layout(&whole, Format::Rgba8).unwrap_err();
    assert!(
        matches!(error, TextureError::TooManyBytes { bytes } if bytes > MAX_BYTES && bytes < 2 * MAX_BYTES)
    );
    assert_eq!(
        layout(&whole[..1], Format::SignedHilo16),
        Err(TextureError::TooManyBytes { bytes: 2 * MAX_BYTES })
    );
}

#[test]
fn levels_do_not_overlap() {
    for size in [
        [1, 1, 1],
        [5, 1, 1],
        [1, 9, 1],
        [7, 3, 1],
        [64, 64, 1],
        [100, 7, 1],
        [3, 64, 1],
        [4, 4, 4],
        [9, 2, 33],
        [1, 5, 70],
    ] {
        for faces in [1, 6] {
            let sizes = chain(size, faces);
            let planes: Vec<Vec<Plane>> = sizes
                .iter()
                .enumerate()
                .map(|(l, sizes)| {
                    let plane = |(f, &size): (usize, &[usize; 3])| {
                        let texels = vec![(10 * l + f) as u32; size.iter().product()];
                        Plane { size, texels: store::Texels::Packed(texels) }
                    };
                    sizes.iter().enumerate().map(plane).collect()
                })
                .collect();
            let store = Store::new(&planes, Format::Rgba8).unwrap();
            assert!(store.regular.is_some());
            for (l, sizes) in sizes.iter().enumerate() {
                for f in 0..sizes.len() {
                    let store::Texels::Packed(texels) = store.plane(l, f).texels else { panic!("packed") };
                    assert!(texels.iter().all(|&t| t == (10 * l + f) as u32), "{size:?} level {l} face {f}");
                }
            }
        }
    }
}
