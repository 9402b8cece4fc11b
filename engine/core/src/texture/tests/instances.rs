//! Compares the compiled versions of lookups with a plain implementation, bit for bit, for every instruction
//! set and lane count.

use super::super::lookup;
use super::plain;
use super::*;
use crate::compare::CompareFunc;
use crate::processor::{InstructionSet, on_each};
use crate::simd;
use shadestep_language::ir::Swizzle;

/// A small deterministic generator (xorshift).
pub(super) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }

    /// Mostly coordinates near the image, sometimes arbitrary bits.
    pub fn coordinate(&mut self, scale: f32) -> f32 {
        match self.below(16) {
            0 => f32::from_bits(self.next()),
            1 => [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1.0, -1e-10, 1e20][self.below(7)],
            2 | 3 => (self.below(65) as f32 / 32.0 - 0.5) * scale,
            _ => (self.next() as f32 / 2.0_f32.powi(30) - 1.5) * scale,
        }
    }
}

/// (1-f)c + fc = c in exact arithmetic, and also here. No filter may change a texture of one colour, in
/// particular the alpha of an opaque one.
#[test]
fn one_colour_stays_that_colour() {
    let mut random = Random(0xC01);
    let color = [200, 7, 113, 255];
    for target in [TextureTarget::D1, TextureTarget::D2, TextureTarget::D3, TextureTarget::Cube] {
        let size = match target {
            TextureTarget::D1 => [32, 1, 1],
            TextureTarget::D3 => [8, 8, 8],
            _ => [32, 32, 1],
        };
        let image = || Image::from_rgba8(size, color.repeat(size.iter().product())).unwrap();
        let faces = if target == TextureTarget::Cube { 6 } else { 1 };
        let sampler = Sampler {
            min_filter: MinFilter::LinearMipmapLinear,
            mag_filter: MagFilter::Linear,
            ..Sampler::for_target(target)
        };
        let level = Level { faces: (0..faces).map(|_| image()).collect() };
        let mut texture = Texture::new(target, Format::Rgba8, vec![level], sampler).unwrap();
        texture.generate_mipmaps().unwrap();
        for _ in 0..50 {
            let registers: [[f32; 64]; 3] = std::array::from_fn(|_| {
                std::array::from_fn(|_| (random.next() as f32 / 2.0_f32.powi(30) - 1.5) * 4.0)
            });
            let lookup = Lookup::new(registers.each_ref(), Gradients::Quad);
            let mut out = [[0.0; 64]; 4];
            block(&texture, &lookup, &mut out);
            for (register, byte) in out.iter().zip(color) {
                assert!(register.iter().all(|&v| v == f32::from(byte) / 255.0), "{target:?}: {register:?}");
            }
        }
    }
}

pub(super) fn noise(random: &mut Random, size: [usize; 3], numbers: Numbers) -> Image {
    let n = size.iter().product::<usize>() * 4;
    if numbers != Numbers::Floats {
        // Integers of all magnitudes.
        let data = (0..n).map(|_| random.next().cast_signed() >> random.below(32)).collect::<Vec<i32>>();
        return match random.below(2) {
            0 => Image::from_u32(size, data.into_iter().map(i32::cast_unsigned).collect()).unwrap(),
            _ => Image::from_i32(size, data).unwrap(),
        };
    }
    match random.below(2) {
        0 => Image::from_rgba8(size, (0..n).map(|_| random.next() as u8).collect()).unwrap(),
        _ => Image::from_f32(size, (0..n).map(|_| random.coordinate(1.0)).collect()).unwrap(),
    }
}

/// A border colour, mostly of the texture's data type.
fn border(random: &mut Random, numbers: Numbers) -> BorderColor {
    let numbers = if random.below(8) == 0 { Numbers::Floats } else { numbers };
    match numbers {
        Numbers::Floats => {
            let any = random.coordinate(1.0);
            BorderColor::Floats([if any.is_nan() { 0.0 } else { any }, 0.25, -0.5, 0.75])
        }
        Numbers::Signed => BorderColor::Signed([(); 4].map(|()| random.next().cast_signed())),
        Numbers::Unsigned => BorderColor::Unsigned([(); 4].map(|()| random.next())),
    }
}

/// A random complete texture.
pub(super) fn texture(random: &mut Random) -> Texture {
    let target = TextureTarget::BASIC[random.below(5)];
    let format = loop {
        let format = match random.below(4) {
            0 => Format::DepthComponent16,
            _ => Format::ALL[random.below(Format::ALL.len())],
        };
        if check_format(target, format).is_ok() {
            break format;
        }
    };
    let mut side = || [1, 2, 3, 4, 7, 8, 16, 31, 64][random.below(9)];
    let (width, height) = (side(), side());
    let (height, faces) = match target {
        TextureTarget::D1 => (1, 1),
        TextureTarget::Cube => (width, 6),
        _ => (height, 1),
    };
    let depth = if target == TextureTarget::D3 { 1 + random.below(9) } else { 1 };
    let numbers = format.numbers();
    let mut level = |size| Level { faces: (0..faces).map(|_| noise(random, size, numbers)).collect() };
    let levels: Vec<Level> = if numbers == Numbers::Floats || target == TextureTarget::Rect {
        vec![level([width, height, depth])]
    } else {
        chain([width, height, depth]).map(level).collect()
    };
    let swizzle = match random.below(3) {
        0 => Swizzle([(); 4].map(|()| random.below(6) as u8)),
        _ => Swizzle::IDENTITY,
    };
    let mut sampler = Sampler {
        cube_edges: CubeEdges::ALL[random.below(2)],
        min_filter: MinFilter::ALL[random.below(6)],
        mag_filter: MagFilter::ALL[random.below(2)],
        lod_bias: [0.0, 0.0, 0.5, -1.25, 1e-30][random.below(5)],
        min_lod: [-1000.0, 0.0, 1.5][random.below(3)],
        max_lod: [1000.0, 2.25, 0.0][random.below(3)],
        max_anisotropy: [1.0, 1.5, 2.0, 6.0][random.below(4)],
        compare: CompareFunc::ALL.get(random.below(10)).copied(),
        border: border(random, numbers),
        swizzle,
        ..Sampler::for_target(target)
    };
    if target == TextureTarget::Rect {
        sampler.min_filter = [MinFilter::Nearest, MinFilter::Linear][random.below(2)];
        let wraps = [Wrap::Clamp, Wrap::ClampToEdge, Wrap::ClampToBorder];
        sampler.wrap = [wraps[random.below(3)], wraps[random.below(3)], Wrap::Clamp];
    } else {
        sampler.wrap = [Wrap::ALL[random.below(5)], Wrap::ALL[random.below(5)], Wrap::ALL[random.below(5)]];
    }
    if numbers != Numbers::Floats {
        sampler.min_filter = [MinFilter::Nearest, MinFilter::NearestMipmapNearest][random.below(2)];
        sampler.mag_filter = MagFilter::Nearest;
        if target == TextureTarget::Rect {
            sampler.min_filter = MinFilter::Nearest;
        }
    }
    if target != TextureTarget::Rect && random.below(4) == 0 {
        // Levels that halve regularly, after a level of another size.
        let shape = |side: usize| match target {
            TextureTarget::D1 => [side, 1, 1],
            TextureTarget::D3 => [side, side, side],
            _ => [side, side, 1],
        };
        let mut levels =
            vec![Level { faces: (0..faces).map(|_| noise(random, shape(5), numbers)).collect() }];
        for size in chain([width, height, depth]) {
            levels.push(Level { faces: (0..faces).map(|_| noise(random, size, numbers)).collect() });
        }
        let max_level = levels.len() as u32 - 1;
        let base_level = 1 + random.next() % max_level;
        let sampler = Sampler { base_level, max_level, ..sampler };
        return Texture::new(target, format, levels, sampler).unwrap();
    }
    let mut texture = Texture::new(target, format, levels, sampler).unwrap();
    if target != TextureTarget::Rect {
        if numbers == Numbers::Floats {
            texture.generate_mipmaps().unwrap();
        }
        let levels = texture.level_count() as u32;
        sampler.base_level = random.next() % levels;
        sampler.max_level = sampler.base_level + random.next() % 4;
        texture.set_sampler(sampler).unwrap();
    }
    texture
}

fn bits<const N: usize>(registers: &[[f32; N]; 4]) -> [[u32; N]; 4] {
    registers.map(|register| register.map(f32::to_bits))
}

#[test]
fn instances_do_what_is_said_plainly() {
    on_each(check_instance);
}

fn check_instance(set: InstructionSet) {
    let level = simd::Level::of(set).unwrap_or_else(|| panic!("{set:?} cannot be used here"));
    const N: usize = 64;
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let (mut compared, mut irregular) = (0, 0);
    for round in 0..4000 {
        let texture = texture(&mut random);
        let plan = texture.plan.as_ref().unwrap();
        irregular += u32::from(texture.store.regular.is_none());
        let texture_name = format!("{} {}", texture.target().name(), texture.format().name());
        let scale = if texture.target() == TextureTarget::Rect { 64.0 } else { 1.0 };
        let step = [0.001, 0.02, 0.3, 4.0][random.below(4)];
        let smooth = random.below(2) == 0;
        let mut registers = [[[0.0_f32; N]; 3]; 3];
        for lane in 0..N {
            let [at, dx, dy] = &mut registers;
            for ((at, dx), dy) in at.iter_mut().zip(dx).zip(dy) {
                at[lane] = random.coordinate(scale);
                dx[lane] = random.coordinate(scale * step);
                dy[lane] = random.coordinate(scale * step);
                if smooth && lane % 4 != 0 {
                    at[lane] = at[lane & !3] + dx[lane];
                }
            }
        }
        let [at, dx, dy] = &registers;
        let own: [[f32; N]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| random.coordinate(4.0)));
        let gradients = match random.below(5) {
            0 => Gradients::Level(&own[0]),
            1 | 2 => Gradients::Quad,
            _ => Gradients::Explicit { dx: dx.each_ref(), dy: dy.each_ref() },
        };
        let bias = (random.below(3) == 0).then_some(&own[1]);
        let references: [f32; N] =
            std::array::from_fn(|_| [random.coordinate(1.0), 0.5, 0.0, 1.0][random.below(4)]);
        let compares = texture.compares() && random.below(3) != 0;
        compared += u32::from(compares);
        let reference = compares.then_some(&references);
        let lookup = Lookup { reference, bias, ..Lookup::new(at.each_ref(), gradients) };
        let mut expected = [[9.0; N]; 4];
        let mut expected_lambda = [9.0; N];
        plain::sample(&texture, &lookup, &mut expected, &mut expected_lambda);
        let plan = &plan.with_simd(level);
        let mut out = [[7.0; N]; 4];
        let mut lambda = [7.0; N];
        lookup::block(plan, &lookup, &mut out.each_mut().map(Some), u64::MAX, Some(&mut lambda));
        assert_eq!(
            bits(&out),
            bits(&expected),
            "round {round}, {level:?}, {texture_name} {:?}",
            texture.sampler()
        );
        assert_eq!(lambda.map(f32::to_bits), expected_lambda.map(f32::to_bits), "round {round}, {level:?}");
        // Leaving out lambda, components or lanes does not change the others.
        lookup::block(plan, &lookup, &mut out.each_mut().map(Some), u64::MAX, None);
        assert_eq!(bits(&out), bits(&expected), "round {round}, {level:?}");
        let wanted: [bool; 4] = std::array::from_fn(|_| random.below(2) == 0);
        let mut some = [[7.0; N]; 4];
        let [x, y, z, w] = some.each_mut();
        let registers = [x, y, z, w].map(Some);
        let mut at = wanted.iter();
        let mut registers = registers.map(|register| register.filter(|_| at.next() == Some(&true)));
        let lanes = (0..N / 4).fold(0, |lanes, quad| lanes | (random.below(16) as u64 & 1) << (4 * quad));
        lookup::block(plan, &lookup, &mut registers, lanes, None);
        for (c, register) in some.iter().enumerate() {
            for (lane, (got, expected)) in register.iter().zip(expected[c]).enumerate() {
                if !wanted[c] {
                    assert_eq!(*got, 7.0, "round {round}, {level:?}");
                } else if lanes >> (lane & !3) & 1 != 0 {
                    assert_eq!(got.to_bits(), expected.to_bits(), "round {round}, {level:?}, lane {lane}");
                }
            }
        }
    }
    assert!(compared > 200, "{compared}");
    assert!(irregular > 100, "{irregular}");
}

#[test]
fn a_quad_depends_on_itself_alone() {
    let mut random = Random(0xFEED_FACE_CAFE_BEEF);
    for round in 0..300 {
        let texture = if round % 3 == 0 {
            shapes::any(TextureTarget::BASIC[random.below(5)])
        } else {
            texture(&mut random)
        };
        let mut registers = [[0.0_f32; 64]; 3];
        for value in registers.iter_mut().flatten() {
            *value = random.coordinate(1.0);
        }
        let mut wide = [[0.0; 64]; 4];
        block(&texture, &Lookup::new(registers.each_ref(), Gradients::Quad), &mut wide);
        for quad in 0..16 {
            let small = registers.map(|register| register.as_chunks::<4>().0[quad]);
            let mut out = [[0.0; 4]; 4];
            texture.sample(&Lookup::new(small.each_ref(), Gradients::Quad), &mut out, None);
            let wide = wide.map(|register| register.as_chunks::<4>().0[quad]);
            assert_eq!(bits(&out), bits(&wide), "round {round}, quad {quad}");
        }
    }
}
