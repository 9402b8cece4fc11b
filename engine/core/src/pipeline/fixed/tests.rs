//! Tests of the fixed-function fragment stage. Expected values come from the equations.

use super::*;
use crate::pipeline::tests::StandIn;
use crate::pipeline::{Camera, Draw, FogMode, Framebuffer, PixelStatus, Threads, render};
use crate::texture::{Format, Image, Level, Sampler};
use std::sync::atomic::AtomicBool;

const COLOR: [f32; 4] = [0.5, 0.25, 1.0, 0.75];
/// In units of 1/255, all different.
const TEXEL: [u8; 4] = [51, 102, 153, 204];

/// The inputs of the stage, the same in every lane.
#[derive(Clone, Copy)]
struct Inputs {
    color: [f32; 4],
    secondary: [f32; 4],
    tex: [f32; 4],
    fog: f32,
}

const INPUTS: Inputs =
    Inputs { color: COLOR, secondary: [0.25, 0.5, 0.75, 1.0], tex: [0.5, 0.5, 0.5, 1.0], fog: 0.0 };

/// The colour that the stage computes, the same in every lane.
fn shade(stage: &FixedFragment, inputs: Inputs) -> [f32; 4] {
    // Attributes that the stage does not read are garbage.
    let mut lanes = AttributeLanes::default();
    let values = [(Attribute::Col0, inputs.color), (Attribute::Tex(0), inputs.tex)];
    let others = [(Attribute::Col1, inputs.secondary), (Attribute::Fogc, [inputs.fog, 0.0, 0.0, 0.0])];
    let values = values.into_iter().chain(others);
    for (attribute, value) in values {
        let used = stage.facts().attributes_used[attribute.index()];
        for (c, component) in value.into_iter().enumerate() {
            let value = if used >> c & 1 != 0 { component } else { f32::NAN };
            *lanes.register_mut(attribute, c) = LaneRegister([value; LANES]);
        }
    }
    let mut output = BlockOutput { killed: u64::MAX, ..BlockOutput::default() };
    stage.run(&mut stage.worker(), &lanes, u64::MAX, &mut output);
    assert_eq!(output.killed, 0);
    for register in &output.color {
        assert!(register.0.iter().all(|value| value.to_bits() == register.0[0].to_bits()));
    }
    output.color.map(|register| register.0[0])
}

fn texture(target: TextureTarget, format: Format, size: [usize; 3], texels: &[[u8; 4]]) -> Texture {
    let image = Image::from_rgba8(size, texels.as_flattened().to_vec()).unwrap();
    let faces = vec![image; if target == TextureTarget::Cube { 6 } else { 1 }];
    Texture::new(target, format, vec![Level { faces }], Sampler::for_target(target)).unwrap()
}

fn one_texel(target: TextureTarget, format: Format) -> Option<Arc<Texture>> {
    Some(Arc::new(texture(target, format, [1, 1, 1], &[TEXEL])))
}

fn stage(texture: Option<Arc<Texture>>, fog: Option<Fog>) -> FixedFragment {
    FixedFragment::new(texture, ColorSum::Disabled, fog, FogCoordinate::Interpolated)
}

#[test]
fn without_texture_and_fog_it_is_the_clamped_color() {
    let stage = stage(None, None);
    assert_eq!(shade(&stage, INPUTS), COLOR);
    let wild = Inputs { color: [2.0, -1.0, f32::NAN, 0.5], ..INPUTS };
    assert_eq!(shade(&stage, wild), [1.0, 0.0, 0.0, 0.5]);
    let used = stage.facts().attributes_used;
    assert_eq!(used.iter().map(|mask| mask.count_ones()).sum::<u32>(), 4);
    assert_eq!(stage.facts().colors_written, 1);
    assert!(!stage.facts().writes_depth && !stage.facts().can_kill);
}

#[test]
fn every_target_and_base_format_modulates_as_table_3_22_says() {
    let [r, g, b, a] = TEXEL.map(|n| f32::from(n) / 255.0);
    for (format, texel) in [
        (Format::Rgba8, [r, g, b, a]),
        (Format::Rgb8, [r, g, b, 1.0]),
        (Format::Luminance8, [r, r, r, 1.0]),
        (Format::Luminance8Alpha8, [r, r, r, a]),
        (Format::Intensity8, [r, r, r, r]),
        (Format::Alpha8, [1.0, 1.0, 1.0, a]),
    ] {
        for target in [
            TextureTarget::D1,
            TextureTarget::D2,
            TextureTarget::D3,
            TextureTarget::Cube,
            TextureTarget::Rect,
        ] {
            let stage = stage(one_texel(target, format), None);
            let expected: [f32; 4] = std::array::from_fn(|c| COLOR[c] * texel[c]);
            assert_eq!(shade(&stage, INPUTS), expected, "{target:?} {format:?}");
        }
    }
}

#[test]
fn a_depth_texture_modulates_as_its_mode_says() {
    for (depth_mode, texel) in [
        (DepthMode::Luminance, [0.5, 0.5, 0.5, 1.0]),
        (DepthMode::Intensity, [0.5; 4]),
        (DepthMode::Alpha, [1.0, 1.0, 1.0, 0.5]),
    ] {
        let image = Image::from_f32([1, 1, 1], vec![0.5, 0.0, 0.0, 0.0]).unwrap();
        let sampler = Sampler { depth_mode, ..Sampler::default() };
        let format = Format::DepthComponent16;
        let texture = Texture::new(TextureTarget::D2, format, vec![image.into()], sampler).unwrap();
        let result = shade(&stage(Some(Arc::new(texture)), None), INPUTS);
        for c in 0..4 {
            // Exact up to half a step of the stored 16 bits.
            assert!((result[c] - COLOR[c] * texel[c]).abs() < 1.0 / 65535.0, "{depth_mode:?} {result:?}");
        }
    }
}

#[test]
fn texture_coordinates_are_divided_by_q_but_for_cube_maps() {
    // Black on the left, white on the right.
    let texels = [[0, 0, 0, 255], [255; 4]];
    let mut map = texture(TextureTarget::D1, Format::Rgba8, [2, 1, 1], &texels);
    map.set_sampler(Sampler {
        min_filter: crate::texture::MinFilter::Nearest,
        mag_filter: crate::texture::MagFilter::Nearest,
        ..Sampler::default()
    })
    .unwrap();
    let line = stage(Some(Arc::new(map)), None);
    let at = |s, q| shade(&line, Inputs { tex: [s, 0.0, 0.0, q], ..INPUTS });
    assert_eq!(at(0.75, 1.0), COLOR);
    assert_eq!(at(0.75, 2.0), [0.0, 0.0, 0.0, 0.75]);
    assert_eq!(at(1.5, 2.0), COLOR);
    assert_eq!(line.facts().attributes_used[Attribute::Tex(0).index()], 0b1001);
    let cube = stage(one_texel(TextureTarget::Cube, Format::Rgba8), None);
    assert_eq!(cube.facts().attributes_used[Attribute::Tex(0).index()], 0b0111);
}

#[test]
fn an_incomplete_texture_is_as_none() {
    // The filter needs mipmaps, which are missing.
    let incomplete = texture(TextureTarget::D1, Format::Rgba8, [2, 1, 1], &[TEXEL; 2]);
    assert!(!incomplete.is_complete());
    let stage = stage(Some(Arc::new(incomplete)), None);
    assert_eq!(shade(&stage, INPUTS), COLOR);
    assert_eq!(stage.facts().attributes_used[Attribute::Tex(0).index()], 0);
}

#[test]
fn the_sum_adds_red_green_and_blue_of_the_secondary_colour_between_texture_and_fog() {
    let summed =
        |texture, fog| FixedFragment::new(texture, ColorSum::Enabled, fog, FogCoordinate::Interpolated);
    // (0.5, 0.25, 1, 0.75) plus (0.25, 0.5, 0.75, 1). Blue is clamped, and alpha is the primary colour's.
    assert_eq!(shade(&summed(None, None), INPUTS), [0.75, 0.75, 1.0, 0.75]);
    assert_eq!(summed(None, None).facts().attributes_used[Attribute::Col1.index()], 0b0111);
    assert_eq!(stage(None, None).facts().attributes_used[Attribute::Col1.index()], 0);
    let black = texture(TextureTarget::D2, Format::Rgba8, [1, 1, 1], &[[0, 0, 0, 255]]);
    let black = Some(Arc::new(black));
    assert_eq!(shade(&summed(black.clone(), None), INPUTS), [0.25, 0.5, 0.75, 0.75], "after texturing");
    // A quarter of the sum and three quarters of (1, 0.5, 0).
    let mode = FogMode::Linear { start: 0.0, end: 1.0 };
    let fog = Some(Fog { mode, color: [1.0, 0.5, 0.0, 0.125] });
    let inputs = Inputs { fog: 0.75, ..INPUTS };
    assert_eq!(shade(&summed(black, fog), inputs), [0.8125, 0.5, 0.1875, 0.75], "before fog");
    let wild = Inputs { secondary: [-1.0, f32::NAN, f32::INFINITY, 0.0], ..INPUTS };
    assert_eq!(shade(&summed(None, None), wild), [0.5, 0.25, 1.0, 0.75]);
}

/// The fog factor at `c`, measured by fogging white with black.
fn factor_at(mode: FogMode, c: f32) -> f32 {
    let fog = Some(Fog { mode, color: [0.0; 4] });
    let [r, g, b, a] = shade(&stage(None, fog), Inputs { color: [1.0, 1.0, 1.0, 0.25], fog: c, ..INPUTS });
    assert_eq!((g, b, a), (r, r, 0.25));
    r
}

#[test]
fn fog_factors_follow_their_equations_and_are_clamped() {
    let linear = FogMode::Linear { start: 1.0, end: 5.0 };
    for (c, f) in [(1.0, 1.0), (2.0, 0.75), (4.5, 0.125), (5.0, 0.0), (9.0, 0.0), (-3.0, 1.0)] {
        assert_eq!(factor_at(linear, c), f, "linear {c}");
    }
    let backwards = FogMode::Linear { start: 5.0, end: 1.0 };
    assert_eq!(factor_at(backwards, 2.0), 0.25);
    for density in [0.25, 1.0, 3.0] {
        for c in [0.0, 0.125, 0.5, 1.0, 2.5, 4.0] {
            let distance = f64::from(density) * f64::from(c);
            for (mode, exact) in [
                (FogMode::Exp { density }, (-distance).exp()),
                (FogMode::Exp2 { density }, (-distance * distance).exp()),
            ] {
                let f = f64::from(factor_at(mode, c));
                // The exponent, up to 144, is rounded a few times, each time by 2^-24 relative.
                assert!((f - exact).abs() <= exact * 1e-4 + 1e-37, "{mode:?} {c}: {f} {exact}");
            }
        }
        assert_eq!(factor_at(FogMode::Exp { density }, 0.0), 1.0);
        assert_eq!(factor_at(FogMode::Exp { density }, -1.0), 1.0);
        assert_eq!(factor_at(FogMode::Exp { density }, f32::INFINITY), 0.0);
        assert_eq!(factor_at(FogMode::Exp2 { density }, f32::INFINITY), 0.0);
    }
    let none = FogMode::Linear { start: 2.0, end: 2.0 };
    assert_eq!([1.0, 2.0, 3.0].map(|c| factor_at(none, c)), [1.0, 0.0, 0.0]);
    assert_eq!(factor_at(linear, f32::NAN), 0.0);
}

#[test]
fn fog_blends_red_green_and_blue_after_texturing() {
    let mode = FogMode::Linear { start: 0.0, end: 1.0 };
    let fog = Some(Fog { mode, color: [2.0, 0.5, -1.0, 0.125] });
    // A quarter of the colour and three quarters of (1, 0.5, 0).
    let inputs = Inputs { fog: 0.75, ..INPUTS };
    assert_eq!(shade(&stage(None, fog), inputs), [0.875, 0.4375, 0.25, 0.75]);
    let half = texture(TextureTarget::D2, Format::Intensity8, [1, 1, 1], &[[0; 4]]);
    assert_eq!(shade(&stage(Some(Arc::new(half)), fog), inputs), [0.75, 0.375, 0.0, 0.0]);
    let unwritten = FixedFragment::new(None, ColorSum::Disabled, fog, FogCoordinate::Unwritten);
    assert_eq!(shade(&unwritten, inputs), COLOR);
    assert_eq!(unwritten.facts().attributes_used[Attribute::Fogc.index()], 0);
}

#[test]
fn it_draws_and_the_picture_does_not_depend_on_threads() {
    let fog = Some(Fog { mode: FogMode::Exp2 { density: 1.5 }, color: [0.5, 0.25, 1.0, 0.0] });
    let checks = texture(TextureTarget::D2, Format::Rgba8, [1, 1, 1], &[[255; 4]]);
    let stage = stage(Some(Arc::new(checks)), fog);
    let draw = |count| {
        let mut buffer = Framebuffer::new(150, 131).unwrap();
        let threads = Threads::new(Some(count));
        let (vertex, never) = (StandIn::new(&Camera::default(), buffer.size()), AtomicBool::new(false));
        render(&Draw::viewport_quad(), &vertex, &stage, &mut buffer, &threads, &never).unwrap();
        buffer
    };
    let one = draw(1);
    assert!(one == draw(3));
    assert!(one.status.iter().all(|&status| status == PixelStatus::Written));
    // t, and so the fog, grows upwards: red goes from s towards 0.5.
    let red = |x, y| one.color.at(one.index(x, y).unwrap())[0];
    assert!(red(149, 0) > red(149, 130) && red(149, 130) > 0.5 && red(0, 0) < red(0, 130));
}
