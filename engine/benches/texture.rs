//! Speed of texture lookups in blocks of 64 lanes, for each filter, target and degree of anisotropy.

mod support;

use std::hint::black_box;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use shadestep_core::exec::LANES;
use shadestep_core::texture::{
    Format, Gradients, Image, Level, Lookup, MagFilter, MinFilter, Sampler, Texture,
};
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::pipeline::CompareFunc;

/// Texels along an edge. The texture has 256 KiB of RGBA8, more than the first-level cache.
const EDGE: usize = 256;

/// Coordinates of lookups. A block is 16 quads side by side, with `texels` texels from pixel to pixel along x
/// and `texels / ratio` along y. Each block is at another place.
struct Coordinates {
    blocks: Vec<[[f32; LANES]; 3]>,
}

/// Blocks to look up in turn, so that each one needs texels that the last one did not fetch.
const BLOCKS: usize = 64;

impl Coordinates {
    fn new(texels: f32, ratio: f32, scale: f32) -> Self {
        let block = |number: usize| {
            let origin: [f32; 3] = std::array::from_fn(|axis| support::noise(number * 3 + axis));
            let mut registers = [[0.0; LANES]; 3];
            for lane in 0..LANES {
                let (quad, within) = (lane / 4, lane % 4);
                let x = (quad % 4 * 2 + within % 2) as f32 * texels / EDGE as f32;
                let y = (quad / 4 * 2 + within / 2) as f32 * texels / ratio / EDGE as f32;
                let at = [origin[0] + x, origin[1] + y, origin[2] + 0.5 * (x + y)];
                registers.iter_mut().zip(at).for_each(|(register, value)| register[lane] = value * scale);
            }
            registers
        };
        Self { blocks: (0..BLOCKS).map(block).collect() }
    }
}

fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    texture: &Texture,
    coordinates: &Coordinates,
) {
    let mut block = 0;
    let mut out = [[0.0; LANES]; 4];
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            block = (block + 1) % BLOCKS;
            let [s, t, r] = &coordinates.blocks[block];
            let mut lookup = Lookup::new([s, t, r], Gradients::Quad);
            lookup.reference = texture.compares().then_some(r);
            texture.sample_lanes(black_box(&lookup), &mut out.each_mut().map(Some), u64::MAX);
            black_box(&out);
        });
    });
}

fn filters(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("texture filter");
    group.throughput(Throughput::Elements(LANES as u64));
    let (larger, smaller) = (Coordinates::new(0.4, 1.0, 1.0), Coordinates::new(2.7, 1.0, 1.0));
    for filter in MagFilter::ALL {
        let texture = support::texture(TextureTarget::D2, EDGE, MinFilter::Nearest, filter, 1.0);
        measure(&mut group, &format!("{} magnified", filter.name()), &texture, &larger);
    }
    for filter in MinFilter::ALL {
        let texture = support::texture(TextureTarget::D2, EDGE, filter, MagFilter::Linear, 1.0);
        measure(&mut group, filter.name(), &texture, &smaller);
    }
    // The ratio of x to y equals the number of probes.
    for degree in [2.0, 8.0, 16.0] {
        let filters = (MinFilter::LinearMipmapLinear, MagFilter::Linear);
        let texture = support::texture(TextureTarget::D2, EDGE, filters.0, filters.1, degree);
        let slanted = Coordinates::new(1.4 * degree, degree, 1.0);
        measure(&mut group, &format!("anisotropic {degree}"), &texture, &slanted);
    }
    group.finish();
}

/// A texture of depths with a comparison.
fn shadow_map(filter: MagFilter) -> Texture {
    let depths = (0..EDGE * EDGE).flat_map(|i| [support::noise(i), 0.0, 0.0, 0.0]).collect();
    let image = Image::from_f32([EDGE, EDGE, 1], depths).expect("a size of a texture");
    let mut sampler = Sampler::for_target(TextureTarget::D2);
    sampler.min_filter = if filter == MagFilter::Linear { MinFilter::Linear } else { MinFilter::Nearest };
    sampler.mag_filter = filter;
    sampler.compare = Some(CompareFunc::Lequal);
    let levels = vec![Level { faces: vec![image] }];
    Texture::new(TextureTarget::D2, Format::DepthComponent24, levels, sampler).expect("a texture")
}

fn targets(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("texture target");
    group.throughput(Throughput::Elements(LANES as u64));
    let smaller = Coordinates::new(2.7, 1.0, 1.0);
    let trilinear = (MinFilter::LinearMipmapLinear, MagFilter::Linear);
    for (target, edge) in [
        (TextureTarget::D1, EDGE),
        (TextureTarget::D2, EDGE),
        (TextureTarget::D3, 64),
        (TextureTarget::Cube, EDGE),
    ] {
        let texture = support::texture(target, edge, trilinear.0, trilinear.1, 1.0);
        measure(&mut group, &format!("{}, LINEAR_MIPMAP_LINEAR", target.name()), &texture, &smaller);
    }
    // Rectangle textures have unnormalised coordinates.
    let texture = support::texture(TextureTarget::Rect, EDGE, MinFilter::Linear, MagFilter::Linear, 1.0);
    measure(&mut group, "RECT, LINEAR", &texture, &Coordinates::new(2.7, 1.0, EDGE as f32));
    for filter in MagFilter::ALL {
        measure(&mut group, &format!("SHADOW2D, {}", filter.name()), &shadow_map(filter), &smaller);
    }
    group.finish();
}

criterion_group! { name = benches; config = support::criterion(); targets = filters, targets }
criterion_main!(benches);
