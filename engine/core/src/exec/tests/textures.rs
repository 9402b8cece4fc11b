//! Texture instructions of NV_gpu_program4 and NV_gpu_program5: targets, layers, offsets, computed units,
//! gathers and queries.

use super::*;
use crate::compare::CompareFunc;
use crate::exec::report::Refusal;
use crate::texture::{BorderColor, DepthMode, Format, Image, Level, MagFilter, MinFilter, Sampler, Wrap};
use shadestep_language::ir::{Swizzle, TextureTarget};

use Language::{NvFp4, NvFp5};

const UNDEFINED: Seen = ([0; 4], 0);

fn floats(values: [f32; 4]) -> [u32; 4] {
    values.map(f32::to_bits)
}

fn integers(values: [i32; 4]) -> [u32; 4] {
    values.map(i32::cast_unsigned)
}

/// A lookup's result for a texel of bytes.
fn texel(bytes: [u8; 4]) -> Seen {
    (bytes.map(|byte| (f32::from(byte) / 255.0).to_bits()), 0xF)
}

/// The same value in every lane.
fn all<T: Copy>(value: T) -> [T; QUAD] {
    [value; QUAD]
}

fn sampler(target: TextureTarget, min_filter: MinFilter, mag_filter: MagFilter) -> Sampler {
    Sampler { min_filter, mag_filter, ..Sampler::for_target(target) }
}

fn nearest(target: TextureTarget) -> Sampler {
    sampler(target, MinFilter::Nearest, MagFilter::Nearest)
}

/// A texture with one level, whose texel (i, j, k) of face or layer l is (i, j, 16 k + l, 255).
fn numbered(target: TextureTarget, size: [usize; 3], images: usize, sampler: Sampler) -> Texture {
    let faces = (0..images)
        .map(|l| {
            let texels = (0..size.iter().product::<usize>()).flat_map(|at| {
                let (i, j, k) = (at % size[0], at / size[0] % size[1], at / size[0] / size[1]);
                [i as u8, j as u8, (16 * k + l) as u8, 255]
            });
            Image::from_rgba8(size, texels.collect()).unwrap()
        })
        .collect();
    Texture::new(target, Format::Rgba8, vec![Level { faces }], sampler).unwrap()
}

/// A depth texture with comparison: 1 where the reference is at most the depth. `depths` has x fastest, then
/// images.
fn depths(target: TextureTarget, size: [usize; 3], depths: &[f32]) -> Texture {
    let texels: usize = size.iter().product();
    let image = |depths: &[f32]| {
        Image::from_f32(size, depths.iter().flat_map(|&depth| [depth, 0.0, 0.0, 0.0]).collect()).unwrap()
    };
    let faces = depths.chunks_exact(texels).map(image).collect();
    let sampler = Sampler { compare: Some(CompareFunc::Lequal), ..nearest(target) };
    Texture::new(target, Format::DepthComponent24, vec![Level { faces }], sampler).unwrap()
}

/// Runs one instruction. Texture coordinate set 0 is `at`, set 1 is `with`.
#[track_caller]
fn one(instruction: &str, at: [[f32; 4]; QUAD], with: [[i32; 4]; QUAD], texture: &Texture) -> [Seen; QUAD] {
    let kind = if instruction.contains(".S") || instruction.contains("TXQ") { "INT " } else { "" };
    let kind = if instruction.contains(".U") { "UINT " } else { kind };
    let body = format!("{kind}TEMP r;\nINT TEMP i;\nMOV.S i, fragment.texcoord[1];\n{instruction};");
    run(load(NvFp5, &body), &[at.map(floats), with.map(integers)], &[(0, texture.clone())])
}

/// Runs one instruction with integer operands only.
#[track_caller]
fn asked(instruction: &str, operand: [[i32; 4]; QUAD], texture: &Texture) -> [Seen; QUAD] {
    one(instruction, all([0.0; 4]), operand, texture)
}

#[test]
fn an_element_of_an_array_of_units_is_its_own_unit() {
    let one_colour = |n: u8| {
        let image = Image::from_rgba8([1, 1, 1], vec![n, 0, 0, 255]).unwrap();
        Texture::new(TextureTarget::D2, Format::Rgba8, vec![image.into()], nearest(TextureTarget::D2))
            .unwrap()
    };
    let textures: Vec<_> = (0..5).map(|n| (n, one_colour(10 * n as u8))).collect();
    let units = "TEXTURE s[] = { texture[2..4] };";
    let fixed = load(NvFp5, &format!("TEMP r; {units} TEX r, fragment.texcoord[0], s[1], 2D;"));
    assert_eq!(run(fixed, &[all([0; 4])], &textures), all(texel([30, 0, 0, 255])));
    // The lane number plus one: outside the array from lane 2 on (NV_gpu_program5 2.X.4.4).
    let chosen = format!(
        "TEMP r; {units} INT TEMP i; MOV.S i, fragment.texcoord[1]; TEX r, fragment.texcoord[0], s[i.y+1], 2D;"
    );
    let numbers = [0, 1, 2, -2].map(|n| integers([7, n, 7, 7]));
    let found = run(load(NvFp5, &chosen), &[all([0; 4]), numbers], &textures);
    assert_eq!(found, [texel([30, 0, 0, 255]), texel([40, 0, 0, 255]), UNDEFINED, UNDEFINED]);
}

#[test]
fn derivatives_are_those_of_the_quad_whichever_unit_a_lane_looks_up() {
    // A pixel is one texel of the 4 x 4 image on unit 0 and two texels of the 8 x 8 image on unit 1: levels 0
    // and 1.
    let levels = |side: usize| {
        let levels = (0..=side.ilog2()).map(|l| {
            let texels = (side >> l) * (side >> l);
            Image::from_rgba8([side >> l, side >> l, 1], [l as u8 * 50, 0, 0, 255].repeat(texels))
                .unwrap()
                .into()
        });
        let target = TextureTarget::D2;
        let sampler = sampler(target, MinFilter::NearestMipmapNearest, MagFilter::Nearest);
        Texture::new(target, Format::Rgba8, levels.collect(), sampler).unwrap()
    };
    let body = "TEMP r; TEXTURE s[] = { texture[0..1] }; INT TEMP i; MOV.S i, fragment.texcoord[1];
        TEX r, fragment.texcoord[0], s[i.x], 2D;";
    let at = [[0.25, 0.25], [0.5, 0.25], [0.25, 0.5], [0.5, 0.5]].map(|[s, t]| floats([s, t, 0.0, 0.0]));
    let found = run(
        load(NvFp5, body),
        &[at, [0, 1, 1, 0].map(|n| integers([n, 0, 0, 0]))],
        &[(0, levels(4)), (1, levels(8))],
    );
    let level = |l: u8| texel([l * 50, 0, 0, 255]);
    assert_eq!(found, [level(0), level(1), level(1), level(0)]);
}

/// Table X.19 of NV_gpu_program4; `None` for the border.
fn wrapped(wrap: Wrap, coord: i32, size: i32) -> Option<i32> {
    let modulo = |a: i32, b: i32| a.rem_euclid(b);
    let mirror = |a: i32| if a >= 0 { a } else { -(1 + a) };
    let at = match wrap {
        Wrap::ClampToEdge | Wrap::Clamp => coord.clamp(0, size - 1),
        Wrap::ClampToBorder => coord.clamp(-1, size),
        Wrap::Repeat => modulo(coord, size),
        Wrap::MirroredRepeat => (size - 1) - mirror(modulo(coord, 2 * size) - size),
    };
    (0..size).contains(&at).then_some(at)
}

#[test]
fn offsets_are_added_before_texels_are_wrapped() {
    let (width, height) = (4, 3);
    for wrap in Wrap::ALL {
        let sampler = Sampler { wrap: [wrap; 3], ..nearest(TextureTarget::D2) };
        let texture = numbered(TextureTarget::D2, [4, 3, 1], 1, sampler);
        for [x, y] in [[0, 0], [1, 0], [-1, 2], [7, -8], [-8, 7], [3, 3], [-3, -4]] {
            // Texels (u, v) in the centre of the image, one image to the left and two images up.
            let texels = [[0, 0], [3, 2], [-2, 1], [1, 7]];
            let at = texels
                .map(|[u, v]| [(u as f32 + 0.5) / width as f32, (v as f32 + 0.5) / height as f32, 0.0, 0.0]);
            let expected =
                texels.map(|[u, v]| match (wrapped(wrap, u + x, width), wrapped(wrap, v + y, height)) {
                    (Some(i), Some(j)) => texel([i as u8, j as u8, 0, 255]),
                    _ => ([0; 4], 0xF),
                });
            let fixed = format!("TEX r, fragment.texcoord[0], texture[0], 2D, ({x}, {y})");
            assert_eq!(one(&fixed, at, all([0; 4]), &texture), expected, "{wrap:?} {x} {y}");
            // The third and fourth components are ignored (NV_gpu_program5 2.X.4.4).
            let computed = "TEX r, fragment.texcoord[0], texture[0], 2D, offset(i)";
            let found = one(computed, at, all([x, y, 99, -99]), &texture);
            assert_eq!(found, expected, "{wrap:?} {x} {y}");
        }
    }
}

#[test]
fn computed_offsets_beyond_the_limits_are_undefined() {
    let texture = numbered(TextureTarget::D2, [4, 4, 1], 1, nearest(TextureTarget::D2));
    let offsets = [[7, -8, 0, 0], [8, 0, 0, 0], [0, -9, 0, 0], [i32::MIN, 0, 0, 0]];
    let found =
        one("TEX r, fragment.texcoord[0], texture[0], 2D, offset(i)", all([0.0; 4]), offsets, &texture);
    assert_eq!(found, [texel([3, 0, 0, 255]), UNDEFINED, UNDEFINED, UNDEFINED]);
}

#[test]
fn offsets_keep_the_weights_of_a_filter() {
    // Red is 0, 40, 80, 120 along s. A quarter of the way between texels 0 and 1 it is 10; one texel further,
    // 50.
    let image = Image::from_rgba8([4, 1, 1], (0..4).flat_map(|i| [40 * i, 0, 0, 255]).collect()).unwrap();
    let target = TextureTarget::D1;
    let linear = sampler(target, MinFilter::Linear, MagFilter::Linear);
    let texture = Texture::new(target, Format::Rgba8, vec![image.into()], linear).unwrap();
    let at = all([0.75 / 4.0, 0.0, 0.0, 0.0]);
    let found = |offset: &str| {
        one(&format!("TEX r, fragment.texcoord[0], texture[0], 1D{offset}"), at, all([0; 4]), &texture)[0]
    };
    assert_eq!(found(""), texel([10, 0, 0, 255]));
    assert_eq!(found(", (1)"), texel([50, 0, 0, 255]));
    assert_eq!(found(", (-7)"), found(", (1)"));
    // From 120 back to 0: three quarters of 120.
    assert_eq!(found(", (3)"), texel([90, 0, 0, 255]));
}

#[test]
fn rect_and_volumes_take_offsets_too() {
    let rect = numbered(TextureTarget::Rect, [5, 5, 1], 1, nearest(TextureTarget::Rect));
    let found = one(
        "TEX r, fragment.texcoord[0], texture[0], RECT, (-1, 2)",
        all([3.5, 1.5, 0.0, 0.0]),
        all([0; 4]),
        &rect,
    );
    assert_eq!(found, all(texel([2, 3, 0, 255])));
    let volume = numbered(TextureTarget::D3, [2, 2, 4], 1, nearest(TextureTarget::D3));
    let at = all([0.25, 0.25, 0.125, 0.0]);
    let found = one("TXL r, fragment.texcoord[0], texture[0], 3D, (1, 0, 2)", at, all([0; 4]), &volume);
    assert_eq!(found, all(texel([1, 0, 32, 255])));
}

#[test]
fn fetches_take_offsets_and_layers() {
    let layers = numbered(TextureTarget::Array2D, [4, 4, 1], 3, nearest(TextureTarget::Array2D));
    let places = [[1, 2, 0, 0], [3, 0, 2, 0], [0, 0, 3, 0], [0, 0, -1, 0]];
    let found = asked("TXF r, i, texture[0], ARRAY2D", places, &layers);
    assert_eq!(found, [texel([1, 2, 0, 255]), texel([3, 0, 2, 255]), UNDEFINED, UNDEFINED]);
    let found = asked("TXF r, i, texture[0], ARRAY2D, (1, -1)", places, &layers);
    assert_eq!(found, [texel([2, 1, 0, 255]), UNDEFINED, UNDEFINED, UNDEFINED]);
    let lines = numbered(TextureTarget::Array1D, [4, 1, 1], 3, nearest(TextureTarget::Array1D));
    let found = asked("TXF r, i, texture[0], ARRAY1D, offset(i.zzzz)", places, &lines);
    assert_eq!(found, [texel([1, 0, 2, 255]), UNDEFINED, texel([3, 0, 0, 255]), UNDEFINED]);
    let found = asked("TXF r, i.yxzw, texture[0], ARRAY1D", places, &lines);
    assert_eq!(found, [texel([2, 0, 1, 255]), UNDEFINED, texel([0, 0, 0, 255]), texel([0, 0, 0, 255])]);
}

/// The rule for the range of offsets (2.X.4.4) applies at every coordinate.
#[test]
fn an_offset_out_of_range_is_told_before_a_place_outside() {
    let text = "TEMP r;\nINT TEMP o;\nMOV.S o, { 8 };\nTXF r, { 2 }.x, texture[0], 1D, offset(o.x);";
    let program = Arc::new(load(NvFp5, text));
    let mut bindings = Bindings::initial(&program);
    let texture = numbered(TextureTarget::D1, [4, 1, 1], 1, nearest(TextureTarget::D1));
    bindings.textures[0] = Some(Arc::new(texture));
    let (bindings, quad, never) = (Arc::new(bindings), QuadInputs::default(), AtomicBool::new(false));
    let recording = Recording::of_fragment(&program, &bindings, quad, (0, [0; 2]), &never).unwrap();
    let mut steps = recording.all_steps();
    steps.next();
    let looked = steps.lookup().map(|lookup| lookup.looked);
    assert!(matches!(looked, Some(Looked::Refused(Refusal::Offset((-8, 7))))), "{looked:?}");
}

#[test]
fn buffers_are_read_by_number() {
    // More texels than the largest side of an image.
    let count = 20_000;
    let data = (0..count).flat_map(|i: usize| [i as u8, (i >> 8) as u8, 0, 1]).collect();
    let image = Image::from_rgba8([count, 1, 1], data).unwrap();
    let target = TextureTarget::Buffer;
    let texture =
        Texture::new(target, Format::Rgba8, vec![image.into()], Sampler::for_target(target)).unwrap();
    // The level is ignored (Table X.18).
    let places = [[0, 9, 9, 5], [19_999, -1, 0, -1], [20_000, 0, 0, 0], [-1, 0, 0, 0]];
    let found = asked("TXF r, i, texture[0], BUFFER", places, &texture);
    assert_eq!(found, [texel([0, 0, 0, 1]), texel([0x1F, 0x4E, 0, 1]), UNDEFINED, UNDEFINED]);
    let found = asked("TXQ r, i, texture[0], BUFFER", all([0; 4]), &texture);
    assert_eq!(found, all(([20_000, 0, 0, 0], 0b0001)));
}

#[test]
fn sizes_have_the_layers_behind_them() {
    let size = |target, size: [usize; 3], images, name: &str| {
        let texture = numbered(target, size, images, nearest(target));
        asked(&format!("TXQ r, i, texture[0], {name}"), all([0; 4]), &texture)[0]
    };
    assert_eq!(size(TextureTarget::Array1D, [4, 1, 1], 3, "ARRAY1D"), ([4, 3, 0, 0], 0b0011));
    assert_eq!(size(TextureTarget::Array2D, [4, 2, 1], 5, "ARRAY2D"), ([4, 2, 5, 0], 0b0111));
    assert_eq!(size(TextureTarget::ArrayCube, [2, 2, 1], 12, "ARRAYCUBE"), ([2, 2, 2, 0], 0b0111));
    assert_eq!(size(TextureTarget::Cube, [2, 2, 1], 6, "CUBE"), ([2, 2, 0, 0], 0b0011));
}

#[test]
fn layers_are_rounded_and_clamped() {
    let layers = numbered(TextureTarget::Array2D, [2, 2, 1], 4, nearest(TextureTarget::Array2D));
    // EXT_texture_array 3.8.8: floor(r + 0.5) from 0 to the last.
    for (r, layer) in [
        (0.0, 0),
        (0.499_999_97, 0),
        (0.5, 1),
        (1.49, 1),
        (2.5, 3),
        (3.49, 3),
        (3.5, 3),
        (1e30, 3),
        (-0.5, 0),
        (-7.0, 0),
        (f32::NAN, 0),
    ] {
        let found = one(
            "TEX r, fragment.texcoord[0], texture[0], ARRAY2D",
            all([0.75, 0.25, r, 9.0]),
            all([0; 4]),
            &layers,
        );
        assert_eq!(found, all(texel([1, 0, layer, 255])), "{r}");
    }
    let lines = numbered(TextureTarget::Array1D, [2, 1, 1], 3, nearest(TextureTarget::Array1D));
    let at = [[0.25, 0.0], [0.75, 1.0], [0.25, 2.0], [0.75, 0.4]].map(|[s, t]| [s, t, 9.0, 9.0]);
    let found = one("TEX r, fragment.texcoord[0], texture[0], ARRAY1D", at, all([0; 4]), &lines);
    let at = |i, l| texel([i, 0, l, 255]);
    assert_eq!(found, [at(0, 0), at(1, 1), at(0, 2), at(1, 0)]);
}

#[test]
fn layers_have_mipmaps_of_their_own() {
    let target = TextureTarget::Array2D;
    let image =
        |n: u8, side: usize| Image::from_rgba8([side, side, 1], [n, n, n, 255].repeat(side * side)).unwrap();
    let level = |l: u8, side| Level { faces: vec![image(l, side), image(100 + l, side)] };
    let levels = vec![level(0, 4), level(1, 2), level(2, 1)];
    let sampler = sampler(target, MinFilter::NearestMipmapNearest, MagFilter::Nearest);
    let texture = Texture::new(target, Format::Rgba8, levels, sampler).unwrap();
    let at = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [1.0, 1.0]].map(|[r, level]| [0.5, 0.5, r, level]);
    let found = one("TXL r, fragment.texcoord[0], texture[0], ARRAY2D", at, all([0; 4]), &texture);
    assert_eq!(found, [0, 100, 2, 101].map(|n| texel([n, n, n, 255])));
}

#[test]
fn arrays_of_cube_maps_choose_layer_and_face() {
    let cubes = numbered(TextureTarget::ArrayCube, [2, 2, 1], 18, nearest(TextureTarget::ArrayCube));
    // +x of cube 0, -x of cube 1, +y of cube 2, -z of cube 1 (table 3.20).
    let at = [[1.0, 0.1, 0.1, 0.0], [-1.0, 0.1, 0.1, 1.2], [0.1, 1.0, 0.1, 7.0], [0.1, 0.1, -1.0, 0.6]];
    let found = one("TEX r, fragment.texcoord[0], texture[0], ARRAYCUBE", at, all([0; 4]), &cubes);
    let faces = [0, 7, 14, 11];
    for ((bits, _), face) in found.into_iter().zip(faces) {
        assert_eq!(bits[2], (face as f32 / 255.0).to_bits());
    }
}

#[test]
fn shadow_targets_have_their_reference_in_the_component_of_the_table() {
    let passes = |ok: bool| {
        let one = if ok { 1.0 } else { 0.0 };
        (floats([one, one, one, 1.0]), 0xF)
    };
    // Layers of depth 1/4 and 3/4, compared with 1/2.
    let lines = depths(TextureTarget::Array1D, [1, 1, 1], &[0.25, 0.75]);
    let at = [[0.5, 0.0, 0.5, 9.0], [0.5, 1.0, 0.5, 9.0], [0.5, 0.0, 0.125, 9.0], [0.5, 1.0, 2.0, 9.0]];
    let found = one("TEX r, fragment.texcoord[0], texture[0], SHADOWARRAY1D", at, all([0; 4]), &lines);
    assert_eq!(found, [false, true, true, false].map(passes));
    let layers = depths(TextureTarget::Array2D, [1, 1, 1], &[0.25, 0.75]);
    let at = at.map(|[s, layer, reference, _]| [s, 0.5, layer, reference]);
    let found = one("TEX r, fragment.texcoord[0], texture[0], SHADOWARRAY2D", at, all([0; 4]), &layers);
    assert_eq!(found, [false, true, true, false].map(passes));
    let cube = depths(TextureTarget::Cube, [1, 1, 1], &[0.0, 0.25, 0.5, 0.75, 1.0, 0.125]);
    let at = [[-1.0, 0.0, 0.0, 0.25], [-1.0, 0.0, 0.0, 0.5], [0.0, 0.0, 1.0, 1.0], [0.0, -1.0, 0.0, 0.8]];
    let found = one("TEX r, fragment.texcoord[0], texture[0], SHADOWCUBE", at, all([0; 4]), &cube);
    assert_eq!(found, [true, false, true, false].map(passes));
}

#[test]
fn comparison_and_target_have_to_fit() {
    let depth = depths(TextureTarget::D2, [1, 1, 1], &[0.5]);
    let at = all([0.5, 0.5, 0.5, 0.5]);
    let found = one("TEX r, fragment.texcoord[0], texture[0], 2D", at, all([0; 4]), &depth);
    assert_eq!(found, all(UNDEFINED));
    let colour = numbered(TextureTarget::D2, [1, 1, 1], 1, nearest(TextureTarget::D2));
    let found = one("TEX r, fragment.texcoord[0], texture[0], SHADOW2D", at, all([0; 4]), &colour);
    assert_eq!(found, all(UNDEFINED));
    // The instruction's type differs from the texture's number type; the target differs from the bound
    // texture's.
    let found = one("TEX.S r, fragment.texcoord[0], texture[0], 2D", at, all([0; 4]), &colour);
    assert_eq!(found, all(UNDEFINED));
    let found = one("TEX r, fragment.texcoord[0], texture[0], ARRAY2D", at, all([0; 4]), &colour);
    assert_eq!(found, all(UNDEFINED));
    let body = "TEMP r; TEX r, fragment.texcoord[0], texture[0], 2D;";
    assert_eq!(run(load(NvFp4, body), &[all([0; 4])], &[]), all(UNDEFINED));
}

#[test]
fn gathers_have_the_four_texels_of_a_linear_filter() {
    // NV_gpu_program5 2.X.8, TXG: (i0,j1), (i1,j1), (i1,j0), (i0,j0), whatever the filters are.
    let texture = numbered(TextureTarget::D2, [4, 4, 1], 1, nearest(TextureTarget::D2));
    let number = |n: [u8; 4]| texel(n);
    // Between texels 1 and 2 along s, 2 and 3 along t.
    let at = all([1.75 / 4.0, 3.25 / 4.0, 0.0, 0.0]);
    let gather = |name: &str| one(&format!("TXG r, fragment.texcoord[0], {name}"), at, all([0; 4]), &texture);
    assert_eq!(gather("texture[0], 2D"), all(number([1, 2, 2, 1])));
    assert_eq!(gather("texture[0].x, 2D"), all(number([1, 2, 2, 1])));
    assert_eq!(gather("texture[0].y, 2D"), all(number([3, 3, 2, 2])));
    assert_eq!(gather("texture[0].w, 2D"), all(number([255; 4])));
    // One texel to the right: the neighbours of 2 and 3 are then 3 and, repeated, 0.
    assert_eq!(gather("texture[0], 2D, (2, 0)"), all(number([3, 0, 0, 3])));
    assert_eq!(gather("texture[0].y, 2D, (0, 1)"), all(number([0, 0, 3, 3])));
    // At the corner: repeated, and clamped to the edge. The clamped texels along an axis are equal.
    let corner = all([0.0; 4]);
    let found = one("TXG r, fragment.texcoord[0], texture[0], 2D", corner, all([0; 4]), &texture);
    assert_eq!(found, all(number([3, 0, 0, 3])));
    let edge = Sampler { wrap: [Wrap::ClampToEdge; 3], ..nearest(TextureTarget::D2) };
    let clamped = numbered(TextureTarget::D2, [4, 4, 1], 1, edge);
    let found = one("TXG r, fragment.texcoord[0], texture[0], 2D", corner, all([0; 4]), &clamped);
    assert_eq!(found, all(number([0; 4])));
    let rect = numbered(TextureTarget::Rect, [4, 4, 1], 1, nearest(TextureTarget::Rect));
    let found =
        one("TXG r, fragment.texcoord[0], texture[0].y, RECT", all([2.0, 2.0, 0.0, 0.0]), all([0; 4]), &rect);
    assert_eq!(found, all(number([2, 2, 1, 1])));
}

#[test]
fn gathers_choose_layers_and_faces() {
    let layers = numbered(TextureTarget::Array2D, [2, 2, 1], 3, nearest(TextureTarget::Array2D));
    let at = all([0.5, 0.5, 1.6, 0.0]);
    let found = one("TXG r, fragment.texcoord[0], texture[0].z, ARRAY2D", at, all([0; 4]), &layers);
    assert_eq!(found, all(texel([2; 4])));
    let cubes = numbered(TextureTarget::ArrayCube, [2, 2, 1], 12, nearest(TextureTarget::ArrayCube));
    let at = all([0.0, -1.0, 0.0, 1.0]);
    let found = one("TXG r, fragment.texcoord[0], texture[0].z, ARRAYCUBE", at, all([0; 4]), &cubes);
    assert_eq!(found, all(texel([9; 4])));
    let found = one("TXG r, fragment.texcoord[0], texture[0].x, ARRAYCUBE", at, all([0; 4]), &cubes);
    assert_eq!(found, all(texel([0, 1, 1, 0])));
}

#[test]
fn gathers_compare_each_texel() {
    let depth = depths(TextureTarget::D2, [2, 2, 1], &[0.125, 0.375, 0.625, 0.875]);
    let at = [0.25, 0.5, 0.75, 1.0].map(|reference| [0.5, 0.5, reference, 0.0]);
    // The component is ignored.
    let found = one("TXG r, fragment.texcoord[0], texture[0].w, SHADOW2D", at, all([0; 4]), &depth);
    let passes = |ok: [u8; 4]| (ok.map(|ok| f32::from(ok).to_bits()), 0xF);
    assert_eq!(found, [[1, 1, 1, 0], [1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]].map(passes));
}

#[test]
fn gathers_with_offsets_of_their_own_take_the_lower_left_texel() {
    let texture = numbered(TextureTarget::D2, [8, 8, 1], 1, nearest(TextureTarget::D2));
    let body = "TEMP r; INT TEMP x, y; MOV.S x, fragment.texcoord[1]; MOV.S y, fragment.texcoord[2];
        TXGO r, fragment.texcoord[0], x, y, texture[0]SUFFIX, 2D;";
    // Between texels 2 and 3, 4 and 5.
    let at = all(floats([3.0 / 8.0, 5.0 / 8.0, 0.0, 0.0]));
    let run_with = |suffix: &str, xs: [i32; 4], ys: [i32; 4]| {
        let sets = [at, all(integers(xs)), all(integers(ys))];
        run(load(NvFp5, &body.replace("SUFFIX", suffix)), &sets, &[(0, texture.clone())])
    };
    // An offset of 32 images of 8 texels gives the original texel.
    assert_eq!(run_with("", [0, 1, -2, 31], [0; 4]), all(texel([2, 3, 0, 1])));
    assert_eq!(run_with(".y", [0; 4], [0, 3, -4, -32]), all(texel([4, 7, 0, 4])));
    assert_eq!(run_with("", [0, 0, 0, 32], [0; 4]), all(UNDEFINED));
    assert_eq!(run_with("", [0; 4], [-33, 0, 0, 0]), all(UNDEFINED));
    let clamp = Sampler { wrap: [Wrap::Clamp; 3], ..nearest(TextureTarget::D2) };
    let clamped = numbered(TextureTarget::D2, [8, 8, 1], 1, clamp);
    let sets = [at, all([0; 4]), all([0; 4])];
    let found = run(load(NvFp5, &body.replace("SUFFIX", "")), &sets, &[(0, clamped)]);
    assert_eq!(found, all(UNDEFINED));
}

#[test]
fn the_level_of_detail_is_told() {
    let target = TextureTarget::D2;
    let chain = |sampler: Sampler| {
        let mut texture = numbered(target, [16, 16, 1], 1, sampler);
        texture.generate_mipmaps().unwrap();
        texture
    };
    // `texels` of the 16 texels per pixel along both axes: the level is log2 of this number.
    let query = |texels: f32, sampler: Sampler| {
        let step = texels / 16.0;
        let at = [[0.0, 0.0], [step, 0.0], [0.0, step], [step, step]].map(|[s, t]| [s, t, 0.0, 0.0]);
        let found = one("LOD r, fragment.texcoord[0], texture[0], 2D", at, all([0; 4]), &chain(sampler));
        assert_eq!(found, all(found[0]));
        let ([filtered, computed, z, w], defined) = found[0];
        assert_eq!((z, w, defined), (0, 0, 0b0011));
        [f32::from_bits(filtered), f32::from_bits(computed)]
    };
    let trilinear = sampler(target, MinFilter::LinearMipmapLinear, MagFilter::Linear);
    assert_eq!(query(4.0, trilinear), [2.0, 2.0]);
    assert_eq!(query(0.5, trilinear), [0.0, -1.0]);
    assert_eq!(query(1024.0, trilinear), [4.0, 10.0]);
    // x has bias and clamps, y only the bias.
    assert_eq!(query(4.0, Sampler { lod_bias: 0.5, ..trilinear }), [2.5, 2.5]);
    assert_eq!(query(4.0, Sampler { max_lod: 1.25, ..trilinear }), [1.25, 2.0]);
    assert_eq!(query(0.5, Sampler { min_lod: 0.75, ..trilinear }), [0.75, -1.0]);
    let bilinear = sampler(target, MinFilter::LinearMipmapNearest, MagFilter::Linear);
    // ceil(lambda + 1/2) - 1.
    assert_eq!(query(4.0, Sampler { lod_bias: 0.5, ..bilinear }), [2.0, 2.5]);
    assert_eq!(query(4.0, Sampler { lod_bias: 0.625, ..bilinear }), [3.0, 2.625]);
    assert_eq!(query(4.0, sampler(target, MinFilter::Linear, MagFilter::Linear)), [0.0, 2.0]);
}

#[test]
fn projections_divide_whatever_the_target_reads() {
    let layers = numbered(TextureTarget::Array1D, [4, 1, 1], 3, nearest(TextureTarget::Array1D));
    let at = all([1.0, 4.0, 9.0, 2.0]);
    let found = one("TXP r, fragment.texcoord[0], texture[0], ARRAY1D", at, all([0; 4]), &layers);
    assert_eq!(found, all(texel([2, 0, 2, 255])));
    // For cube maps TXP also divides the direction; a negative w reverses it.
    let cube = numbered(TextureTarget::Cube, [1, 1, 1], 6, nearest(TextureTarget::Cube));
    let at = all([1.0, 0.0, 0.0, -2.0]);
    let found = one("TXP r, fragment.texcoord[0], texture[0], CUBE", at, all([0; 4]), &cube);
    assert_eq!(found, all(texel([0, 0, 1, 255])));
}

/// An integer texture of 2 x 1 texels.
fn of_integers(format: Format, data: [i32; 8], sampler: Sampler) -> Texture {
    let image = Image::from_i32([2, 1, 1], data.to_vec()).unwrap();
    Texture::new(TextureTarget::D2, format, vec![image.into()], sampler).unwrap()
}

#[test]
fn textures_of_integers_give_integers() {
    let plain = nearest(TextureTarget::D2);
    // Clamped to 8 bits, then sign-extended (EXT_texture_integer 3.8.1).
    let texture = of_integers(Format::Rgba8I, [-1, 127, -128, 5, 300, -300, 0, 1], plain);
    let at = [0.25, 0.75, 0.25, 0.75].map(|s| [s, 0.5, 0.0, 0.0]);
    let (first, second) = (integers([-1, 127, -128, 5]), integers([127, -128, 0, 1]));
    let found = one("TEX.S r, fragment.texcoord[0], texture[0], 2D", at, all([0; 4]), &texture);
    assert_eq!(found, [first, second, first, second].map(|bits| (bits, 0xF)));
    for ty in ["", ".F", ".U"] {
        let instruction = format!("TEX{ty} r, fragment.texcoord[0], texture[0], 2D");
        assert_eq!(one(&instruction, at, all([0; 4]), &texture), all(UNDEFINED), "{ty}");
    }
    let found = asked("TXF.S r, i, texture[0], 2D", all([1, 0, 0, 0]), &texture);
    assert_eq!(found, all((second, 0xF)));
    assert_eq!(asked("TXF.U r, i, texture[0], 2D", all([1, 0, 0, 0]), &texture), all(UNDEFINED));
    let centre = all([0.5, 0.5, 0.0, 0.0]);
    let found = one("TXG.S r, fragment.texcoord[0], texture[0].y, 2D", centre, all([0; 4]), &texture);
    assert_eq!(found, all((integers([127, -128, -128, 127]), 0xF)));
}

#[test]
fn integers_keep_all_bits_and_have_an_integer_one() {
    // Bits that are a denorm and a NaN as floats.
    let bits = [1, 0, 0, 0, 0x7F80_0001, 0, 0, 0];
    let texture = of_integers(Format::Luminance32I, bits, nearest(TextureTarget::D2));
    let at = [0.25, 0.75, 0.25, 0.75].map(|s| [s, 0.5, 0.0, 0.0]);
    let found = one("TEX.S r, fragment.texcoord[0], texture[0], 2D", at, all([0; 4]), &texture);
    let grey = |n: i32| (integers([n, n, n, 1]), 0xF);
    assert_eq!(found, [grey(1), grey(0x7F80_0001), grey(1), grey(0x7F80_0001)]);
    let image = Image::from_u32([1, 1, 1], vec![u32::MAX, 70_000, 3, 4]).unwrap();
    let plain = nearest(TextureTarget::D2);
    let texture = Texture::new(TextureTarget::D2, Format::Rgb16Ui, vec![image.into()], plain).unwrap();
    let found = one("TEX.U r, fragment.texcoord[0], texture[0], 2D", at, all([0; 4]), &texture);
    assert_eq!(found, all(([0xFFFF, 0xFFFF, 3, 1], 0xF)));
}

#[test]
fn integers_have_borders_and_layers_and_are_not_filtered() {
    let border = Sampler {
        wrap: [Wrap::ClampToBorder; 3],
        border: BorderColor::Signed([7, -3, 0x7F80_0001, 200]),
        ..nearest(TextureTarget::D2)
    };
    let texture = of_integers(Format::Rgba32I, [0; 8], border);
    let found = one(
        "TEX.S r, fragment.texcoord[0], texture[0], 2D",
        all([-2.0, 0.5, 0.0, 0.0]),
        all([0; 4]),
        &texture,
    );
    assert_eq!(found, all((integers([7, -3, 0x7F80_0001, 200]), 0xF)));
    let linear = sampler(TextureTarget::D2, MinFilter::Linear, MagFilter::Nearest);
    let texture = of_integers(Format::Rgba8I, [0; 8], linear);
    let centre = all([0.5, 0.5, 0.0, 0.0]);
    let found = one("TEX.S r, fragment.texcoord[0], texture[0], 2D", centre, all([0; 4]), &texture);
    assert_eq!(found, all(UNDEFINED));
    let image = |n: u32| Image::from_u32([1, 1, 1], vec![n; 4]).unwrap();
    let target = TextureTarget::Array2D;
    let level = Level { faces: vec![image(5), image(6), image(7)] };
    let layers = Texture::new(target, Format::Rgba32Ui, vec![level], nearest(target)).unwrap();
    let at = [0.0, 1.0, 2.0, 9.0].map(|r| [0.5, 0.5, r, 0.0]);
    let found = one("TEX.U r, fragment.texcoord[0], texture[0], ARRAY2D", at, all([0; 4]), &layers);
    assert_eq!(found, [5, 6, 7, 7].map(|n| ([n; 4], 0xF)));
}

#[test]
fn swizzles_choose_components_of_the_result() {
    let swizzle = Swizzle([2, 0, Swizzle::ZERO, Swizzle::ONE]);
    let plain = Sampler { swizzle, ..nearest(TextureTarget::D2) };
    let image = Image::from_rgba8([1, 1, 1], vec![10, 20, 30, 40]).unwrap();
    let texture = Texture::new(TextureTarget::D2, Format::Rgba8, vec![image.into()], plain).unwrap();
    let at = all([0.5, 0.5, 0.0, 0.0]);
    let found = |instruction: &str| one(instruction, at, all([0; 4]), &texture);
    assert_eq!(found("TEX r, fragment.texcoord[0], texture[0], 2D"), all(texel([30, 10, 0, 255])));
    assert_eq!(found("TXF r, i, texture[0], 2D"), all(texel([30, 10, 0, 255])));
    // TXG's component is the one after the swizzle.
    assert_eq!(found("TXG r, fragment.texcoord[0], texture[0], 2D"), all(texel([30; 4])));
    assert_eq!(found("TXG r, fragment.texcoord[0], texture[0].w, 2D"), all(texel([255; 4])));
    let texture = of_integers(Format::Rgba8I, [1, 2, 3, 4, 1, 2, 3, 4], plain);
    let found = one("TEX.S r, fragment.texcoord[0], texture[0], 2D", at, all([0; 4]), &texture);
    assert_eq!(found, all((integers([3, 1, 0, 1]), 0xF)));
    // TXGO returns the texels of TXG, in the same order (NV_gpu_program5 2.X.8, TXGO).
    let texture = of_integers(Format::Rgba8I, [1, 2, 3, 4, 5, 6, 7, 8], plain);
    let apart = |component: &str| {
        let body = format!(
            "INT TEMP r; INT TEMP x; INT TEMP y; MOV.S x, {{0, 1, 1, 0}}; MOV.S y, {{0, 0, -1, -1}};
            TXGO.S r, fragment.texcoord[0], x, y, texture[0]{component}, 2D;"
        );
        run(load(NvFp5, &body), &[at.map(floats)], &[(0, texture.clone())])
    };
    for (component, [first, second]) in [("", [3, 7]), (".y", [1, 5]), (".z", [0, 0]), (".w", [1, 1])] {
        let instruction = format!("TXG.S r, fragment.texcoord[0], texture[0]{component}, 2D");
        let expected = all((integers([first, second, second, first]), 0xF));
        assert_eq!(one(&instruction, at, all([0; 4]), &texture), expected, "{component}");
        assert_eq!(apart(component), expected, "{component}");
    }
}

/// The swizzle applies after DEPTH_TEXTURE_MODE (EXT_texture_swizzle, issue 4), so after the comparison. A
/// gathered comparison returns the result whatever component is selected (NV_gpu_program5 2.X.8, TXG).
#[test]
fn swizzles_choose_components_of_depths_and_comparisons() {
    let swizzle = Swizzle([Swizzle::ONE, 3, Swizzle::ZERO, 0]);
    let compared = {
        let mut texture = depths(TextureTarget::D2, [1, 1, 1], &[0.75]);
        let sampler = Sampler { swizzle, depth_mode: DepthMode::Alpha, ..*texture.sampler() };
        texture.set_sampler(sampler).unwrap();
        texture
    };
    // With ALPHA as the depth mode: (0, 0, 0, result).
    let row = |result: f32| (floats([1.0, result, 0.0, 0.0]), 0xF);
    let at = [0.5, 0.9, 0.5, 0.9].map(|r| [0.5, 0.5, r, 0.0]);
    let found = |instruction: &str| one(instruction, at, all([0; 4]), &compared);
    let found_row = found("TEX r, fragment.texcoord[0], texture[0], SHADOW2D");
    assert_eq!(found_row, [row(1.0), row(0.0), row(1.0), row(0.0)]);
    let whole = |result: f32| (floats([result; 4]), 0xF);
    let gathered = found("TXG r, fragment.texcoord[0], texture[0].z, SHADOW2D");
    assert_eq!(gathered, [whole(1.0), whole(0.0), whole(1.0), whole(0.0)]);
    let mut plain = compared.clone();
    plain.set_sampler(Sampler { compare: None, ..*compared.sampler() }).unwrap();
    let depth = plain.texel(0, 0, [0; 3]).unwrap()[0];
    assert!((depth - 0.75).abs() < 1e-6);
    let found = one("TEX r, fragment.texcoord[0], texture[0], 2D", at, all([0; 4]), &plain);
    assert_eq!(found, all(row(depth)));
    assert_eq!(asked("TXF r, i, texture[0], 2D", all([0; 4]), &plain), all(row(depth)));
}

/// The swizzle applies after filtering and does not change the weights.
#[test]
fn swizzles_are_behind_filters() {
    let linear = sampler(TextureTarget::D1, MinFilter::Linear, MagFilter::Linear);
    let sampler =
        Sampler { swizzle: Swizzle([3, Swizzle::ONE, 0, 1]), wrap: [Wrap::ClampToEdge; 3], ..linear };
    let image = Image::from_f32([2, 1, 1], vec![0.0, 0.5, 1.0, 0.0, 1.0, 1.0, 0.0, 0.5]).unwrap();
    let texture = Texture::new(TextureTarget::D1, Format::Rgba16, vec![image.into()], sampler).unwrap();
    // Half of each: r 0.5, g 0.75, a 0.25, with fractions of 65535.
    let found = one("TEX r, fragment.texcoord[0], texture[0], 1D", all([0.5; 4]), all([0; 4]), &texture);
    for (bits, defined) in found {
        assert_eq!(defined, 0xF);
        let found = bits.map(f32::from_bits);
        let near = found.iter().zip([0.25, 1.0, 0.5, 0.75]).all(|(v, expected)| (v - expected).abs() < 1e-4);
        assert!(near, "{found:?}");
    }
}
