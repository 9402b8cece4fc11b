//! Finds the fragments of one pixel, with the attributes that the renderer computes. The debugger and the
//! probe run the program on these fragments again.

use super::bins::{Chunk, Cover};
use super::interface::{Slot, slots};
use super::interpolate::{self, Quads, TriangleSetup, ViewportQuad};
use super::samples::{Rate, Sampling};
use super::setup::{Bounds, Limits, Triangle};
use super::shaded::{ShadedDraw, UnshadedDraw};
use super::tile::{self, QuadTile};
use super::{Draw, Facing, FragmentReads, Geometry, Samples, Threads, VertexInput, quad_batcher};
use crate::exec::{AttributeLanes, Cancelled, Interpolants, QuadInputs, VertexShader};
use crate::simd::Portable;
use crate::subject::Subject;
use shadestep_language::ir::Attribute;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Attributes of the four lanes of a quad: by attribute (in the order of `Attribute::FRAGMENT`), lane,
/// component. Components that were not requested are 0.
pub type QuadAttributes = [[[f32; 4]; 4]; Attribute::SLOTS];

/// The bit of `f[WPOS]`.z in a mask of components.
const WPOS_Z: u8 = 1 << 2;

/// A fragment that covers the pixel.
#[derive(Clone, Debug)]
pub struct PixelFragment {
    /// Attributes of the fragment's quad, as the renderer passes them to the shader.
    pub quad: QuadAttributes,
    /// The attributes' variation around the quad, if the shader evaluates attributes itself.
    pub interpolants: Option<Arc<dyn Interpolants>>,
    /// The pixel's lane in the quad: `x % 2 + 2 * (y % 2)`.
    pub lane: usize,
    /// Number of the instance; 0 for the viewport quad.
    pub instance: u32,
    /// Number of the primitive in the drawing order of its instance; 0 for the viewport quad. Incomplete
    /// primitives are not counted.
    pub primitive: u32,
    /// Numbers of the elements that the fragment's attributes come from, one to three. For a polygon with
    /// more corners, the elements of the fan triangle that covers the pixel. Empty for the viewport quad.
    pub elements: Vec<u32>,
    /// The invocation of the geometry program that emitted the primitive, or of the evaluation program that
    /// computed its provoking vertex. `None` without such a program.
    pub made_by: Option<Subject>,
    /// Rasterised depth, before clamping.
    pub window_z: f32,
    /// The visible side of the polygon; points and lines show their front.
    pub facing: Facing,
    /// The lanes of the quad that the same clipped part of the primitive covers. The other lanes are helpers.
    pub covered: [bool; 4],
    /// The samples of the pixel that the fragment covers.
    pub samples: FragmentSamples,
}

/// The samples of a pixel that a fragment covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FragmentSamples {
    /// A bit for each covered sample, before any operation removes samples.
    pub coverage: u16,
    /// The rasterised depth at each sample, before clamping. Equal for all samples if pixels have one sample.
    pub depths: [f32; Samples::MAX],
    /// The invocation's sample, with one invocation per sample.
    pub sample: Option<u8>,
}

impl FragmentSamples {
    /// The whole pixel at this depth, for any number of samples.
    pub const fn whole(depth: f32) -> Self {
        Self { coverage: u16::MAX, depths: [depth; Samples::MAX], sample: None }
    }
}

impl PixelFragment {
    /// The attributes of the quad, in the first four lanes of a block.
    pub fn lanes(&self) -> AttributeLanes {
        let mut inputs = AttributeLanes::default();
        for attribute in Attribute::FRAGMENT {
            for component in 0..4 {
                for (lane, values) in self.quad[attribute.index()].iter().enumerate() {
                    inputs.register_mut(attribute, component).0[lane] = values[component];
                }
            }
        }
        if let Some(interpolants) = &self.interpolants {
            inputs.set_interpolants(Arc::clone(interpolants));
        }
        inputs
    }

    /// The quad as the reference interpreter takes it.
    pub fn inputs(&self) -> QuadInputs {
        let covered = (0..4).fold(0, |mask, lane| mask | u8::from(self.covered[lane]) << lane);
        QuadInputs { attributes: self.quad, covered, interpolants: self.interpolants.clone() }
    }
}

/// Calls `visit` with every fragment of `draw` that covers `pixel`, in drawing order. `pixel` is x, y from
/// the lower left, in a window of `size` pixels. Attributes are bit-identical to the ones that
/// [`super::render`] computes.
///
/// A program that replaces depth turns off clipping to near and far. Depth test and discards are ignored, so
/// fragments that were not written are included. A pixel outside of the window or the scissor rectangle has
/// no fragments.
///
/// Runs `vertex` for every element, on all threads if there are many elements. Only a bounded number of
/// fragments is in memory at a time.
///
/// # Errors
/// If `cancel` became true before the end, or if `visit` returned an error.
pub fn each_fragment_at<V: VertexShader>(
    draw: &Draw,
    vertex: &V,
    reads: &FragmentReads,
    (size, pixel): ([u32; 2], [u32; 2]),
    cancel: &AtomicBool,
    mut visit: impl FnMut(PixelFragment) -> Result<(), Cancelled>,
) -> Result<(), Cancelled> {
    let limits = Limits::new(size, draw.state.scissor);
    let at = pixel.map(|x| x.min(i32::MAX as u32) as i32);
    let Some(bounds) = limits.bounds(at, at).filter(|_| !draw.state.discard) else { return Ok(()) };
    let mut reads = *reads;
    let wpos = &mut reads.attributes[Attribute::Wpos.index()];
    let asked = *wpos & WPOS_Z != 0;
    *wpos |= WPOS_Z;
    let visit = |mut fragment: PixelFragment| {
        let wpos = &mut fragment.quad[Attribute::Wpos.index()];
        fragment.window_z = wpos[fragment.lane][2];
        if !asked {
            wpos.iter_mut().for_each(|lane| lane[2] = 0.0);
        }
        visit(fragment)
    };
    match &draw.geometry {
        // The viewport quad is in layer 0.
        Geometry::ViewportQuad if draw.state.layers.is_some_and(|layers| layers.seen > 0) => Ok(()),
        Geometry::ViewportQuad => viewport_fragments(draw, &reads, (size, bounds.low), &limits, visit),
        Geometry::Vertices(input) => {
            fragments((input, vertex), draw, &reads, (size, bounds.low), cancel, visit)
        }
    }
}

/// The lower left pixel of the quad that contains `pixel`, and the pixel's lane.
fn quad_of(pixel: [u32; 2]) -> ([u32; 2], usize) {
    (pixel.map(|x| x & !1), (pixel[0] % 2 + pixel[1] % 2 * 2) as usize)
}

/// Reads quad 0 of the block.
fn first_quad(inputs: &AttributeLanes, used: impl Iterator<Item = Slot>) -> QuadAttributes {
    let mut quad: QuadAttributes = [[[0.0; 4]; 4]; Attribute::SLOTS];
    for (attribute, component) in used {
        let register = inputs.register(attribute, component);
        for (lane, value) in quad[attribute.index()].iter_mut().zip(register.0) {
            lane[component] = value;
        }
    }
    quad
}

fn viewport_fragments(
    draw: &Draw,
    reads: &FragmentReads,
    (size, pixel): ([u32; 2], [u32; 2]),
    limits: &Limits,
    mut visit: impl FnMut(PixelFragment) -> Result<(), Cancelled>,
) -> Result<(), Cancelled> {
    let quad = ViewportQuad::new(&draw.state, reads, size);
    let ([x, y], lane) = quad_of(pixel);
    let mut inputs = AttributeLanes::default();
    interpolate::fill_constants(&mut inputs, &quad.constants);
    let covered = std::array::from_fn(|lane| {
        let at = [x + lane as u32 % 2, y + lane as u32 / 2].map(|x| x as i32);
        limits.bounds(at, at).is_some()
    });
    let sampling = Sampling::new(&draw.state.multisample, reads.shades_samples);
    let invocations = if sampling.rate == Rate::Pixel { 1 } else { sampling.covered.count() };
    for sample in 0..invocations {
        quad.fill_columns(&mut inputs, x, sample);
        quad.fill_rows(&mut inputs, y, sample);
        let own = (invocations > 1).then_some(sample as u8);
        let coverage = own.map_or(u16::MAX, |sample| 1 << sample);
        visit(PixelFragment {
            quad: first_quad(&inputs, slots(&reads.attributes)),
            interpolants: reads.evaluates.then(|| quad.interpolants([x, y])),
            lane,
            instance: 0,
            primitive: 0,
            elements: Vec::new(),
            made_by: None,
            window_z: 0.0,
            facing: Facing::Front,
            covered,
            samples: FragmentSamples { coverage, sample: own, ..FragmentSamples::whole(quad.z) },
        })?;
    }
    Ok(())
}

/// Primitives that are clipped at a time, which bounds memory.
const PRIMITIVES: usize = 1 << 16;

fn fragments<V: VertexShader>(
    (input, vertex): (&VertexInput, &V),
    draw: &Draw,
    reads: &FragmentReads,
    (size, pixel): ([u32; 2], [u32; 2]),
    cancel: &AtomicBool,
    mut visit: impl FnMut(PixelFragment) -> Result<(), Cancelled>,
) -> Result<(), Cancelled> {
    let threads = Threads::for_elements(&input.elements);
    let unshaded = UnshadedDraw::new((input, vertex), &draw.state, reads, size);
    let mut stages = unshaded.stages(&threads, cancel);
    while let Some(stage) = stages.next() {
        let instance = stages.instance();
        let visit = &mut |fragment| visit(PixelFragment { instance, ..fragment });
        stage_fragments(&stage, reads, pixel, &threads, cancel, visit)?;
    }
    Ok(())
}

/// The fragments of one instance.
fn stage_fragments(
    stage: &ShadedDraw<'_>,
    reads: &FragmentReads,
    pixel: [u32; 2],
    threads: &Threads,
    cancel: &AtomicBool,
    visit: &mut impl FnMut(PixelFragment) -> Result<(), Cancelled>,
) -> Result<(), Cancelled> {
    let (at, lane) = quad_of(pixel);
    let area = Bounds { low: at, high: [at[0] + 1, at[1] + 1] };
    let sampling = Sampling::new(&stage.state.multisample, reads.shades_samples);
    let mut inputs = AttributeLanes::default();
    interpolate::fill_constants(&mut inputs, &stage.interface.constants);
    let count = stage.primitives.count();
    for start in (0..count).step_by(PRIMITIVES) {
        if cancel.load(Ordering::Relaxed) {
            return Err(Cancelled);
        }
        let chunk = Chunk::around(stage, start..count.min(start + PRIMITIVES), pixel, threads);
        for entry in chunk.ids(0, &Chunk::ALL).iter().map(|&id| chunk.entry(id)) {
            let mut setup = TriangleSetup::default();
            let cover = chunk.triangle_setup(stage, entry, &mut setup.triangle);
            let covered = cover.map_or([0; 4], |cover| coverage((&setup.triangle, cover), area, sampling));
            if covered[lane] == 0 {
                continue;
            }
            setup.keep(|varyings| chunk.varyings(stage, entry, varyings));
            let invocations = if sampling.rate == Rate::Pixel { 1 } else { sampling.covered.count() };
            let depths = depths(&setup.triangle, at, lane, sampling);
            for sample in 0..invocations {
                let own = if invocations > 1 { 1 << sample } else { u16::MAX };
                if covered[lane] & own == 0 {
                    continue;
                }
                let places = [QuadTile::place(0, 0) + (sample * tile::QUADS) as u16];
                let setups = std::slice::from_ref(&setup);
                let quads =
                    Quads { setups, numbers: &[0], places: &places, coverage: &[covered], origin: at };
                interpolate::fill_batch(&mut inputs, &stage.interface, quads);
                visit(PixelFragment {
                    quad: first_quad(&inputs, slots(&reads.attributes)),
                    interpolants: inputs.interpolants().cloned(),
                    lane,
                    instance: 0,
                    primitive: stage.primitives.number(entry.source.primitive),
                    elements: stage.primitives.elements(entry.source.primitive, entry.source.slots),
                    made_by: stage.primitives.made_by(entry.source.primitive),
                    window_z: 0.0,
                    facing: entry.source.facing,
                    covered: covered.map(|covered| covered & own != 0),
                    samples: FragmentSamples {
                        coverage: covered[lane] & own,
                        depths,
                        sample: (invocations > 1).then_some(sample as u8),
                    },
                })?;
            }
        }
    }
    // If shading was cancelled, the vertices are incomplete.
    if cancel.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
}

/// The samples that a clipped primitive covers in each pixel of a quad. `area` is the quad.
fn coverage((triangle, cover): (&Triangle, Cover<'_>), area: Bounds, sampling: Sampling) -> [u16; 4] {
    match sampling.covered {
        // All samples, if the centre is covered.
        Samples::One => {
            coverage_at::<1>(triangle, cover, area).map(|covered| covered * sampling.stored.all())
        }
        Samples::Two => coverage_at::<2>(triangle, cover, area),
        Samples::Four => coverage_at::<4>(triangle, cover, area),
        Samples::Eight => coverage_at::<8>(triangle, cover, area),
        Samples::Sixteen => coverage_at::<16>(triangle, cover, area),
    }
}

/// [`coverage`] with `N` samples.
fn coverage_at<const N: usize>(triangle: &Triangle, cover: Cover<'_>, area: Bounds) -> [u16; 4] {
    let mut found = [0; 4];
    // The area is one quad, so the sink is called at most once.
    quad_batcher::cover_quads::<Portable, _>(triangle, cover, area, |_, _, covered: [u8; N]| {
        for (sample, lanes) in covered.into_iter().enumerate() {
            for (lane, found) in found.iter_mut().enumerate() {
                *found |= u16::from(lanes >> lane & 1) << sample;
            }
        }
    });
    found
}

/// The depths of a clipped primitive at the samples of a lane. `at` is the lower left pixel of the quad.
fn depths(triangle: &Triangle, at: [u32; 2], lane: usize, sampling: Sampling) -> [f32; Samples::MAX] {
    let [x, y] = [at[0] + lane as u32 % 2, at[1] + lane as u32 / 2];
    let [_, b, c] = &triangle.edges;
    std::array::from_fn(|sample| {
        let offset = sampling.covered.snapped(sample % sampling.covered.count());
        let edges = [b, c].map(|edge| edge.at(x, y) + edge.offset(offset));
        interpolate::window_z_at(triangle, edges)
    })
}
