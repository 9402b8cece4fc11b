//! Tests of the per-fragment operations, through both the fast loops and the plain definition.

mod colors;
mod differential;
mod passing;

use super::{DepthSource, EarlyTests, Facing, Fragment, Merge, OTHERS, Shaded};
use crate::exec::{BlockOutput, FragmentTests};
use crate::memory::Use;
use crate::pipeline::samples::Rate;
use crate::pipeline::tile::{self, QuadTile, StencilPlane, Tile};
use crate::pipeline::{
    Blend, BlendEquation, BlendFactor, ColorFormat, CompareFunc, DepthState, Framebuffer, LogicOp, Merging,
    MultisampleState, PixelStatus, RasterState, Samples, Stats, Stencil, StencilFace, StencilOp,
};

/// The values of the buffers at a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pixel {
    color: [f32; 4],
    depth: f32,
    stencil: u8,
    status: PixelStatus,
}

/// A cleared pixel.
const CLEAR: Pixel = Pixel { color: [0.0; 4], depth: 1.0, stencil: 0, status: PixelStatus::Empty };

const WHITE: Fragment<'static> = Fragment {
    color: [1.0; 4],
    other_colors: [[1.0; 4]; OTHERS],
    second_color: [1.0; 4],
    depth: 0.5,
    depths: None,
    coverage: u16::MAX,
    sample_mask: u32::MAX,
    killed: false,
    facing: Facing::Front,
};

const ALWAYS: DepthState = DepthState { test: Some(CompareFunc::Always), ..DepthState::OFF };

/// The outputs of a program without side effects that also writes a second colour.
fn merging(depth: DepthSource, colors_written: u8) -> Merging {
    let (tests, memory_use) = (FragmentTests::Late, Use::None);
    Merging {
        depth,
        colors_written,
        writes_secondary: true,
        tests,
        can_kill: true,
        memory_use,
        shades_samples: false,
        writes_sample_mask: false,
    }
}

/// A quad of a block: its position, the covered lanes, and fragments for all lanes.
#[derive(Clone, Copy)]
struct ShadedQuad {
    /// Pixel of lane 0.
    at: [u32; 2],
    covered: u8,
    fragments: [Fragment<'static>; 4],
}

fn merge_one_by_one(merge: &Merge, buffer: &mut Framebuffer, quads: &[ShadedQuad]) -> Stats {
    let mut stats = Stats::default();
    let mut tiles = buffer.tiles(merge.stencil_plane());
    for quad in quads {
        for lane in (0..4).filter(|lane| quad.covered >> lane & 1 != 0) {
            let [x, y] = [quad.at[0] as usize + lane % 2, quad.at[1] as usize + lane / 2];
            merge.fragment(&mut tiles[0], x, y, &quad.fragments[lane], &mut stats);
        }
    }
    tiles.iter_mut().for_each(Tile::resolve);
    stats
}

fn merge_block(merge: &Merge, buffer: &mut Framebuffer, quads: &[ShadedQuad]) -> Stats {
    let mut stats = Stats::default();
    let mut output = BlockOutput::default();
    let (mut places, mut facings, mut z) = (Vec::new(), Vec::new(), Vec::new());
    let is_of_pixel = merge.sampling.rate == Rate::Pixel;
    let samples = if is_of_pixel { merge.sampling.stored.count() } else { 1 };
    let mut active = vec![0; samples];
    for (number, quad) in quads.iter().enumerate() {
        for (lane, fragment) in quad.fragments.iter().enumerate() {
            let at = 4 * number + lane;
            for (row, component) in output.color.iter_mut().zip(fragment.color) {
                row.0[at] = component;
            }
            for (rows, color) in output.other_colors.iter_mut().zip(fragment.other_colors) {
                for (row, component) in rows.iter_mut().zip(color) {
                    row.0[at] = component;
                }
            }
            for (row, component) in output.secondary.iter_mut().zip(fragment.second_color) {
                row.0[at] = component;
            }
            output.depth.0[at] = fragment.depth;
            output.sample_mask.0[at] = f32::from_bits(fragment.sample_mask);
            output.killed |= u64::from(fragment.killed) << at;
        }
        // With one invocation per sample, a quad belongs to the sample that its fragments cover.
        let own = if is_of_pixel { 0 } else { quad.fragments[0].coverage.trailing_zeros() as usize };
        places.push(QuadTile::place(quad.at[0], quad.at[1]) + (own * tile::QUADS) as u16);
        facings.push(quad.fragments[0].facing);
        for (sample, active) in active.iter_mut().enumerate() {
            let sample = own + sample;
            let depth =
                |fragment: &Fragment<'_>| fragment.depths.map_or(fragment.depth, |depths| depths[sample]);
            z.push(merge.window_depths(quad.fragments.each_ref().map(depth)));
            for lane in (0..4).filter(|lane| quad.covered >> lane & 1 != 0) {
                let covered = quad.fragments[lane].coverage >> sample & 1;
                *active |= u64::from(covered) << (4 * number + lane);
            }
        }
    }
    let mut tiles = buffer.tiles(merge.stencil_plane());
    let mut pixels = QuadTile::default();
    pixels.load(&tiles[0]);
    let shaded = Shaded { output: &output, active: &active, places: &places, facings: &facings, z: &z };
    merge.quads(&mut pixels, &shaded, &mut stats);
    pixels.store(&mut tiles[0]);
    stats
}

/// Whether all planes are equal, bit for bit.
fn same(a: &Framebuffer, b: &Framebuffer) -> bool {
    let bits = |buffer: &Framebuffer| {
        let buffers = (0..).map_while(|number| buffer.color_buffer(number));
        let colors = buffers.flat_map(|color| color.floats().as_flattened().to_vec());
        let numbers = colors.chain(buffer.depth.iter().copied());
        let samples = 0..buffer.samples().count();
        let of_samples = samples.clone().flat_map(|sample| {
            let color = move |index| {
                let color = move |number| buffer.sample_color(number, sample, index);
                (0..).map_while(color).flatten()
            };
            (0..buffer.status.len()).flat_map(color).chain(buffer.sample_depth(sample).iter().copied())
        });
        let stencils = samples.flat_map(|sample| buffer.sample_stencil(sample).to_vec()).map(f32::from);
        numbers.chain(of_samples).chain(stencils).map(f32::to_bits).collect::<Vec<_>>()
    };
    bits(a) == bits(b) && a.status == b.status && a.stencil() == b.stencil()
}

/// Merges quads both ways, and checks that the results agree.
fn merge_quads(merge: &Merge, buffer: &mut Framebuffer, quads: &[ShadedQuad]) -> Stats {
    let mut other = buffer.clone();
    let stats = merge_one_by_one(merge, buffer, quads);
    let other_stats = merge_block(merge, &mut other, quads);
    assert_eq!(stats, other_stats, "{merge:?}");
    assert!(same(buffer, &other), "{merge:?}");
    stats
}

/// Merges fragments with one pixel of a small fp32 buffer, one after the other. Checks that the neighbouring
/// pixels stay unchanged.
fn merged_by(merge: &Merge, before: Pixel, fragments: &[Fragment<'static>]) -> (Pixel, Stats) {
    merged_in(ColorFormat::Rgba32F, merge, before, fragments)
}

/// [`merged_by`] with a buffer of any format.
fn merged_in(
    format: ColorFormat,
    merge: &Merge,
    before: Pixel,
    fragments: &[Fragment<'static>],
) -> (Pixel, Stats) {
    let mut buffer = Framebuffer::with_formats(5, 3, format, &[]).unwrap();
    buffer.clear_stencil(before.stencil);
    buffer.color.fill_with(|_| before.color);
    buffer.depth.fill(before.depth);
    buffer.status.fill(before.status);
    let untouched = buffer.clone();
    // Lane 2 of the quad at (2, 0) is pixel (2, 1).
    let quads: Vec<_> = fragments
        .iter()
        .map(|&fragment| ShadedQuad { at: [2, 0], covered: 0b0100, fragments: [fragment; 4] })
        .collect();
    let stats = merge_quads(merge, &mut buffer, &quads);
    let pixel = |buffer: &Framebuffer, i: usize| Pixel {
        color: buffer.color.at(i),
        depth: buffer.depth[i],
        stencil: buffer.stencil()[i],
        status: buffer.status[i],
    };
    let index = buffer.index(2, 1).unwrap();
    for i in (0..15).filter(|&i| i != index) {
        let bits = |buffer| (pixel(buffer, i).color.map(f32::to_bits), pixel(buffer, i).stencil);
        assert_eq!(bits(&buffer), bits(&untouched));
        assert_eq!(pixel(&buffer, i).status, before.status);
    }
    (pixel(&buffer, index), stats)
}

fn merged(state: &RasterState, before: Pixel, fragments: &[Fragment<'static>]) -> (Pixel, Stats) {
    merged_by(&Merge::new(state, merging(DepthSource::Window, 1), ColorFormat::Rgba32F), before, fragments)
}

/// The colour after one fragment.
fn color_after(state: &RasterState, stored: [f32; 4], source: [f32; 4]) -> [f32; 4] {
    let before = Pixel { color: stored, ..CLEAR };
    let (pixel, stats) = merged(state, before, &[Fragment { color: source, ..WHITE }]);
    assert_eq!((pixel.status, stats.written), (PixelStatus::Written, 1));
    pixel.color
}
