//! Finds the fragments of one pixel, with the attributes that the renderer gives them. The debugger and the probe
//! run the program on them again.

use super::bins::Chunk;
use super::interface::{Slot, slots};
use super::interpolate::{self, Quads, TriangleSetup, ViewportQuad};
use super::quad_batcher;
use super::setup::{Bounds, Limits};
use super::shaded::ShadedDraw;
use super::tile::QuadTile;
use super::{Draw, Facing, FragmentReads, Geometry, Threads, VertexInput};
use crate::exec::{AttributeLanes, Cancelled, Interpolants, QuadInputs, VertexShader};
use crate::ir::Attribute;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Attributes of the four lanes of a quad: by attribute (in the order of `Attribute::FRAGMENT`), lane,
/// component. Components that were not asked for are 0.
pub type QuadAttributes = [[[f32; 4]; 4]; Attribute::SLOTS];

/// The bit of `f[WPOS]`.z in the components used of it.
const WPOS_Z: u8 = 1 << 2;

/// A fragment that covers the pixel.
#[derive(Clone, Debug)]
pub struct PixelFragment {
    /// Attributes of its quad, as the renderer gives them to the shader.
    pub quad: QuadAttributes,
    /// How they vary about the quad, if the shader evaluates them.
    pub interpolants: Option<Arc<dyn Interpolants>>,
    /// The pixel's place in the quad: `x % 2 + 2 * (y % 2)`.
    pub lane: usize,
    /// Number of the instance; 0 for the viewport quad.
    pub instance: u32,
    /// Number of the primitive in the drawing order of its instance; 0 for the viewport quad. Incomplete primitives
    /// have no number.
    pub primitive: u32,
    /// Numbers of the elements that the fragment's attributes come from, one to three: of a polygon with
    /// more corners, those of the triangle of it that covers the pixel. None for the viewport quad.
    pub elements: Vec<u32>,
    /// Rasterised depth, before any clamp.
    pub window_z: f32,
    /// The side of the polygon that is seen; points and lines show their front.
    pub facing: Facing,
    /// The quad's lanes that the same clipped part of the primitive covers; the others are helpers.
    pub covered: [bool; 4],
}

impl PixelFragment {
    /// The attributes of its quad in the first four lanes of a block.
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

    /// Its quad as the traced executor takes it.
    pub fn inputs(&self) -> QuadInputs {
        let covered = (0..4).fold(0, |mask, lane| mask | u8::from(self.covered[lane]) << lane);
        QuadInputs { attributes: self.quad, covered, interpolants: self.interpolants.clone() }
    }
}

/// Calls `visit` with every fragment of `draw`, in drawing order, that covers `pixel` (x, y from the lower left) of a
/// window of `size` pixels, with bit for bit the attributes that [`super::render`] computes.
/// A program that replaces depth turns off clipping to near and far. Depth
/// test and discards play no part: fragments that were not written are here too. A pixel outside the
/// window or the scissor rectangle has no fragments. Runs `vertex` for every element, on all threads
/// where there are many. However many fragments there are, few are in memory at a time.
///
/// # Errors
/// If `cancel` became true before the end, and when `visit` says so.
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
    let Some(bounds) = limits.bounds(at, at) else { return Ok(()) };
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
        Geometry::ViewportQuad => {
            let mut visit = visit;
            visit(viewport_fragment(draw, &reads, size, bounds.low, &limits))
        }
        Geometry::Vertices(input) => {
            fragments((input, vertex), draw, &reads, (size, bounds.low), cancel, visit)
        }
    }
}

/// The lower left pixel of the quad that holds `pixel`, and the lane.
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

fn viewport_fragment(
    draw: &Draw,
    reads: &FragmentReads,
    size: [u32; 2],
    pixel: [u32; 2],
    limits: &Limits,
) -> PixelFragment {
    let quad = ViewportQuad::new(draw, &reads.attributes, size);
    let ([x, y], lane) = quad_of(pixel);
    let mut inputs = AttributeLanes::default();
    interpolate::fill_constants(&mut inputs, &quad.constants);
    quad.fill_columns(&mut inputs, x);
    quad.fill_rows(&mut inputs, y);
    let covered = std::array::from_fn(|lane| {
        let at = [x + lane as u32 % 2, y + lane as u32 / 2].map(|x| x as i32);
        limits.bounds(at, at).is_some()
    });
    PixelFragment {
        quad: first_quad(&inputs, slots(&reads.attributes)),
        interpolants: reads.evaluates.then(|| quad.interpolants([x, y])),
        lane,
        instance: 0,
        primitive: 0,
        elements: Vec::new(),
        window_z: 0.0,
        facing: Facing::Front,
        covered,
    }
}

/// Primitives whose clipped primitives are in memory at a time.
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
    for instance in 0..input.instances {
        let vertices = (input, instance, vertex);
        let stage = ShadedDraw::new(vertices, &draw.state, reads, size, &threads, cancel);
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
    let mut inputs = AttributeLanes::default();
    interpolate::fill_constants(&mut inputs, &stage.interface.constants);
    let count = stage.assembler.assembly.count();
    for start in (0..count).step_by(PRIMITIVES) {
        if cancel.load(Ordering::Relaxed) {
            return Err(Cancelled);
        }
        let chunk = Chunk::around(stage, start..count.min(start + PRIMITIVES), pixel, threads);
        for entry in chunk.bin(0) {
            let Some((triangle, cover)) = chunk.triangle_setup(stage, entry) else { continue };
            let mut found = None;
            // The area is one quad, so it is covered once or not at all.
            quad_batcher::cover_quads(&triangle, cover, area, |_, _, covered: u8| {
                if covered >> lane & 1 == 0 {
                    return;
                }
                let mut setup = TriangleSetup::new(triangle);
                setup.keep(|varyings| chunk.varyings(stage, entry, varyings));
                let places = [QuadTile::place(0, 0)];
                let quads = Quads { setups: &[setup], numbers: &[0], places: &places, origin: at };
                interpolate::fill_batch(&mut inputs, &stage.interface, quads);
                found = Some(PixelFragment {
                    quad: first_quad(&inputs, slots(&reads.attributes)),
                    interpolants: inputs.interpolants().cloned(),
                    lane,
                    instance: 0,
                    primitive: entry.source.primitive,
                    elements: stage.assembler.elements(entry.source.slots),
                    window_z: 0.0,
                    facing: entry.source.facing,
                    covered: std::array::from_fn(|lane| covered >> lane & 1 != 0),
                });
            });
            found.map_or(Ok(()), &mut *visit)?;
        }
    }
    // Where shading was cut short, the vertices are not what they should be.
    if cancel.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
}
