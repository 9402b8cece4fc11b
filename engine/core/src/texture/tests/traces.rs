//! Tests of lookup traces. The texels of a trace, summed with their weights in the documented order, give the
//! lookup's result bit for bit. Each texel is the texture's texel at the traced position.

use super::instances::{Random, noise, texture};
use super::plain::lerp;
use super::*;
use crate::compare::CompareFunc;
use shadestep_language::num::fp32;

/// The texels of a level, blended along x, then y, then z.
fn blended(level: &LevelTrace, c: usize) -> f32 {
    let mut values: Vec<f32> = level.texels.iter().map(|texel| texel.value[c]).collect();
    for weight in level.weights {
        if values.len() > 1 {
            values = values.chunks_exact(2).map(|pair| lerp(pair[0], pair[1], weight)).collect();
        }
    }
    values[0]
}

/// The levels of a probe, blended.
fn probed(probe: &Probe, c: usize) -> f32 {
    match &probe.levels[..] {
        [near] => blended(near, c),
        [near, far] => lerp(blended(near, c), blended(far, c), far.weight),
        _ => panic!("one level or two"),
    }
}

/// Table X.5 for components in store units.
fn result(trace: &LookupTrace, source: ResultComponent, components: [f32; 4], integers: bool) -> f32 {
    let unit = trace.unit;
    match source {
        ResultComponent::Component(c) if integers => components[c],
        ResultComponent::Component(c) => fp32::canonical(fp32::flush(components[c] / unit)),
        ResultComponent::Zero => 0.0,
        ResultComponent::One if integers => f32::from_bits(1),
        ResultComponent::One => 1.0,
        ResultComponent::Hemi => {
            let (hi, lo) = (components[0] / unit, components[1] / unit);
            let rest = 1.0 - (hi * hi + lo * lo);
            (if rest > 0.0 { rest } else { 0.0 }).sqrt()
        }
    }
}

/// The result computed from a trace.
fn added_up(trace: &LookupTrace, integers: bool) -> [f32; 4] {
    match &trace.found {
        Found::Filtered { probes, .. } => {
            let components = std::array::from_fn(|c| match &probes[..] {
                [only] => probed(only, c),
                all => all.iter().fold(-0.0, |sum, probe| sum + probed(probe, c)) / all.len() as f32,
            });
            trace.sources.map(|source| result(trace, source, components, integers))
        }
        Found::Gathered { component, level } => {
            std::array::from_fn(|n| result(trace, *component, level.texels[n].value, integers))
        }
        Found::Levels(detail) => [f32::NAN, detail.base + detail.bias, 0.0, 0.0],
    }
}

/// Checks that each texel is the texture's texel at its position, compared as the trace says.
fn check_texels(texture: &Texture, trace: &LookupTrace, words: &str) {
    let border = texture.plan.as_ref().unwrap().border;
    for (_, level) in trace.found.levels() {
        let info = &texture.store.levels[level.level as usize];
        for texel in &level.texels {
            let face = texel.image as usize;
            let [w, h, d] = info.size[face];
            assert_eq!(level.size.map(|n| n as usize), [w, h, d], "{words}");
            let inside = texel.place.iter().zip([w, h, d]).all(|(&at, n)| at >= 0 && (at as usize) < n);
            let components = texture.store.components;
            match texel.source {
                TexelSource::Image => {
                    assert!(inside, "{words}: {texel:?}");
                    let [i, j, k] = texel.place.map(|at| at as usize);
                    let stored = texture.store.texel(info.offset[face] + (k * h + j) * w + i);
                    assert_eq!(stored.map(f32::to_bits), texel.stored.map(f32::to_bits), "{words}");
                }
                TexelSource::Border => {
                    assert!(!inside, "{words}: {texel:?}");
                    let told = &texel.stored[..components];
                    assert!(told.iter().zip(border).all(|(a, b)| a.to_bits() == b.to_bits()), "{words}");
                }
                TexelSource::Corner => assert!(!inside, "{words}: {texel:?}"),
            }
            let value = match trace.comparison {
                Some((func, r)) => [f32::from(u8::from(func.passes(r, texel.stored[0]))), 0.0, 0.0, 0.0],
                None => texel.stored,
            };
            assert_eq!(texel.value.map(f32::to_bits)[0], value.map(f32::to_bits)[0], "{words}: {texel:?}");
        }
        let sum: f32 = level.texels.iter().map(|texel| texel.weight).sum();
        let expected = if matches!(trace.found, Found::Gathered { .. }) { 4.0 } else { 1.0 };
        assert!((sum - expected).abs() < 1e-5, "{words}: weights add up to {sum}");
    }
}

/// The registers that lookups read.
struct Registers {
    at: [[f32; 4]; 3],
    dx: [[f32; 4]; 3],
    dy: [[f32; 4]; 3],
    own: [[f32; 4]; 4],
    offsets: [[[f32; 4]; 4]; 2],
}

impl Registers {
    fn new(random: &mut Random, scale: f32) -> Self {
        let step = scale * [0.001, 0.02, 0.3, 4.0][random.below(4)];
        let mut any = |scale: f32| -> [[f32; 4]; 3] {
            std::array::from_fn(|_| std::array::from_fn(|_| random.coordinate(scale)))
        };
        let (mut at, dx, dy) = (any(scale), any(step), any(step));
        if random.below(2) == 0 {
            // A smooth quad.
            for (at, (dx, dy)) in at.iter_mut().zip(dx.iter().zip(&dy)) {
                *at = [at[0], at[0] + dx[0], at[0] + dy[0], at[0] + dx[0] + dy[0]];
            }
        }
        let own = std::array::from_fn(|_| std::array::from_fn(|_| random.coordinate(4.0)));
        let mut offset = || f32::from_bits((random.below(16) as i32 - 8) as u32);
        let offsets = std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| offset())));
        Self { at, dx, dy, own, offsets }
    }
}

/// Checks every kind of lookup of a texture.
fn check(random: &mut Random, texture: &Texture, words: &str) {
    let scale = if texture.target() == TextureTarget::Rect { 64.0 } else { 1.0 };
    let registers = Registers::new(random, scale);
    let Registers { at, dx, dy, own, offsets } = &registers;
    let gradients = match random.below(4) {
        0 => Gradients::Level(&own[0]),
        1 => Gradients::Explicit { dx: dx.each_ref(), dy: dy.each_ref() },
        _ => Gradients::Quad,
    };
    let layer = own[2].map(f32::abs);
    let references = own[3].map(|value| [value, 0.5, 0.0, 1.0][random.below(4)]);
    let reference = (texture.compares() && random.below(3) != 0).then_some(&references);
    let apart = offsets.each_ref().map(|axis| axis.each_ref());
    let axes = texture.target().axes();
    let gathers = axes == 2;
    let wanted = match random.below(8) {
        0 | 1 if gathers => Wanted::Gathered(random.below(4) as u8),
        2 if gathers && texture.target() != TextureTarget::Cube => {
            Wanted::GatheredApart(random.below(4) as u8, &apart)
        }
        3 => Wanted::Levels,
        _ => Wanted::Filtered,
    };
    let offsets = match random.below(4) {
        0 if texture.target() != TextureTarget::Cube => Offsets::Same([3, -2, 1]),
        _ => Offsets::None,
    };
    let bias = (random.below(3) == 0).then_some(&own[1]);
    let lookup =
        Lookup { reference, bias, layer: &layer, offsets, wanted, ..Lookup::new(at.each_ref(), gradients) };
    let (mut out, mut lambda) = ([[0.0; 4]; 4], [0.0; 4]);
    texture.sample(&lookup, &mut out, Some(&mut lambda));
    let integers = texture.numbers() != Numbers::Floats;
    for lane in 0..4 {
        let words = format!("{words}, lane {lane}, {:?}", texture.sampler());
        let trace = texture.trace(&lookup, lane).unwrap();
        let expected = out.map(|register| register[lane].to_bits());
        assert_eq!(trace.result.map(f32::to_bits), expected, "{words}");
        let sum = added_up(&trace, integers);
        match &trace.found {
            Found::Levels(_) => assert_eq!(fp32::flush(sum[1]).to_bits(), expected[1], "{words}"),
            _ => assert_eq!(sum.map(f32::to_bits), expected, "{words}: {trace:?}"),
        }
        if let Found::Filtered { detail, .. } = &trace.found {
            assert_eq!(detail.lambda.to_bits(), lambda[lane].to_bits(), "{words}");
            let [low, high] = detail.clamps;
            let unclamped = detail.base + detail.bias;
            let raised = if unclamped > low { unclamped } else { low };
            let clamped = if raised < high { raised } else { high };
            assert_eq!(detail.lambda.to_bits(), clamped.to_bits(), "{words}");
        }
        check_texels(texture, &trace, &words);
    }
}

#[test]
fn accounts_add_up_to_the_lookups_result() {
    let mut random = Random(0x005E_ED0F_ACC0_0175);
    for round in 0..3000 {
        let texture = texture(&mut random);
        let words = format!("round {round}: {} {}", texture.target().name(), texture.format().name());
        check(&mut random, &texture, &words);
    }
}

#[test]
fn accounts_of_arrays_add_up_too() {
    let mut random = Random(0x0A44_A715);
    for round in 0..600 {
        let target =
            [TextureTarget::Array1D, TextureTarget::Array2D, TextureTarget::ArrayCube][random.below(3)];
        let format = [Format::Rgba8, Format::DepthComponent24, Format::Rgba32F][random.below(3)];
        let layers = 1 + random.below(4);
        let size = if target == TextureTarget::Array1D { [8, 1, 1] } else { [8, 8, 1] };
        let count = layers * target.faces();
        let faces: Vec<Image> = (0..count).map(|_| noise(&mut random, size, Numbers::Floats)).collect();
        let sampler = Sampler {
            cube_edges: CubeEdges::ALL[random.below(2)],
            min_filter: MinFilter::ALL[random.below(6)],
            mag_filter: MagFilter::ALL[random.below(2)],
            wrap: [Wrap::ALL[random.below(5)], Wrap::ALL[random.below(5)], Wrap::Repeat],
            max_anisotropy: [1.0, 4.0][random.below(2)],
            compare: CompareFunc::ALL.get(random.below(10)).copied(),
            border: BorderColor::Floats([0.25, 0.5, 0.75, 1.0]),
            ..Sampler::for_target(target)
        };
        let levels = vec![Level { faces }];
        let mut texture = Texture::new(target, format, levels, sampler).unwrap();
        texture.generate_mipmaps().unwrap();
        check(&mut random, &texture, &format!("round {round}: {} {}", target.name(), format.name()));
    }
}

/// The trace of lane 0 for a quad with these coordinates.
fn trace_of(texture: &Texture, s: [f32; 4], t: [f32; 4]) -> LookupTrace {
    let lookup = Lookup::new([&s, &t, &[0.0; 4]], Gradients::Quad);
    texture.trace(&lookup, 0).unwrap()
}

/// u = 1.25 of four texels: a quarter of texel 0, three quarters of texel 1. The quad is 1/8 wide, half a
/// texel. So rho is 1/2 and lambda -1, and the image is magnified.
#[test]
fn an_account_tells_what_hand_arithmetic_gives() {
    let texture = line(&FIFTHS, MagFilter::Linear, Wrap::Repeat, 0.0);
    let trace = trace_of(&texture, [0.3125, 0.4375, 0.3125, 0.4375], [0.0; 4]);
    let Found::Filtered { detail, probes, .. } = &trace.found else { panic!("{trace:?}") };
    assert_eq!(detail.derivatives, Some([[0.125, 0.0, 0.0], [0.0; 3]]));
    assert_eq!(detail.squared_sides, [0.25, 0.0]);
    assert_eq!((detail.base, detail.bias, detail.lambda), (-1.0, 0.0, -1.0));
    assert_eq!((detail.magnified, detail.filter), (true, MagFilter::Linear));
    let [level] = &probes[0].levels[..] else { panic!("{trace:?}") };
    assert_eq!((level.level, level.size, level.weight, level.at[0]), (0, [4, 1, 1], 1.0, 1.25));
    let told: Vec<_> = level.texels.iter().map(|t| (t.place, t.weight, t.stored[0])).collect();
    assert_eq!(told, [([0, 0, 0], 0.25, 0.0), ([1, 0, 0], 0.75, 51.0)]);
    assert_eq!(trace.unit, 255.0);
    // At the left edge REPEAT reads the last texel.
    let trace = trace_of(&texture, [0.0; 4], [0.0; 4]);
    let places: Vec<_> = trace.found.levels().next().unwrap().1.texels.iter().map(|t| t.place[0]).collect();
    assert_eq!(places, [3, 0]);
    // CLAMP reads the border there.
    let trace = trace_of(&line(&FIFTHS, MagFilter::Linear, Wrap::Clamp, 0.6), [0.0; 4], [0.0; 4]);
    let texels = &trace.found.levels().next().unwrap().1.texels;
    assert_eq!(texels[0].source, TexelSource::Border);
    assert_eq!((texels[0].place, texels[0].stored[0], texels[0].weight), ([-1, 0, 0], 153.0, 0.5));
}

#[test]
fn fetches_tell_their_texel_or_why_there_is_none() {
    let texture = line(&FIFTHS, MagFilter::Nearest, Wrap::Repeat, 0.0);
    let fetched = texture.fetched([1, 0, 0, 0], [1, 0, 0]).unwrap();
    assert_eq!((fetched.place, fetched.level, fetched.stored[0]), ([2, 0, 0], 0, 102.0));
    assert_eq!(f32::from_bits(fetched.result[0]), 0.4);
    assert_eq!(texture.fetched([4, 0, 0, 0], [0; 3]), Err(NoTexel::Outside));
    assert_eq!(texture.fetched([0, 0, 0, 1], [0; 3]), Err(NoTexel::Level));
    assert_eq!(shapes::any(TextureTarget::Cube).fetched([0; 4], [0; 3]), Err(NoTexel::Cube));
}
