//! Attributes away from pixel centres: the equations of `interpolate`, with the quad moved by an offset.
//! Offsets are multiples of the snapped window coordinates' unit, so edge functions are exact here too.

use super::super::interface::{EvaluatedSlots, WindowDatum};
use super::super::setup::{SUBPIXEL_BITS, SUBPIXELS, centre};
use super::{
    Attribute, AttributeLanes, QUADS, QuadRange, Quads, Samples, TriangleSetup, Varying, ViewportQuad,
    Weights, canonical, flush, reciprocal_w,
};
use crate::exec::{Interpolants, QuadValues};
use shadestep_language::ir::limits;
use std::slice::from_mut;
use std::sync::Arc;

const _: () = assert!(SUBPIXEL_BITS == limits::INTERPOLATION_OFFSET_BITS);

/// The quads of a block and their clipped primitives.
#[derive(Debug)]
struct OfPrimitives {
    slots: Arc<EvaluatedSlots>,
    /// The setups of the block's clipped primitives, without duplicates.
    setups: Vec<TriangleSetup>,
    /// For each quad, its lower left pixel and the index of its setup.
    quads: Vec<([u32; 2], usize)>,
    /// Samples per pixel.
    samples: Samples,
    /// The samples that the primitive covers of each lane's pixel. Empty with one sample per pixel.
    coverage: Vec<[u16; 4]>,
}

/// The centroid of a pixel of which a primitive covers these samples, as an offset from the centre. This is
/// the centre if all samples are covered, else the first covered sample.
fn centroid(samples: Samples, covered: u16) -> [f64; 2] {
    let is_whole = covered == 0 || covered == samples.all();
    let first = samples.offset(covered.trailing_zeros() as usize).filter(|_| !is_whole);
    first.unwrap_or_default()
}

/// Overwrites attributes with their values at the centroids of pixels. The quads must have the values at the
/// centres already. Points keep these.
pub(super) fn fill_centroids(
    inputs: &mut AttributeLanes,
    (attributes, slots): (&[Attribute], &EvaluatedSlots),
    quads: Quads<'_>,
    samples: Samples,
) {
    for (quad, coverage) in quads.coverage.iter().enumerate() {
        let setup = &quads.setups[usize::from(quads.numbers[quad])];
        if setup.triangle.is_point {
            continue;
        }
        for (lane, covered) in coverage.iter().enumerate() {
            let offset = centroid(samples, *covered);
            if offset == [0.0; 2] {
                continue;
            }
            for attribute in attributes {
                let mut values = [[0.0; 4]; 4];
                evaluate(setup, slots, (*attribute, quads.at(quads.places[quad])), offset, &mut values);
                let own = slots.varyings.iter().filter(|slot| slot.0 == *attribute);
                for (_, component) in own {
                    inputs.register_mut(*attribute, *component).0[4 * quad + lane] = values[*component][lane];
                }
            }
        }
    }
}

/// The interpolants of a block's quads.
pub(super) fn of_primitives(
    slots: &Arc<EvaluatedSlots>,
    quads: Quads<'_>,
    samples: Samples,
) -> Arc<dyn Interpolants> {
    let mut setups: Vec<TriangleSetup> = Vec::new();
    let mut last = None;
    let places = quads.numbers.iter().zip(quads.places).map(|(number, place)| {
        // Quads of a clipped primitive are adjacent.
        if last != Some(*number) {
            setups.push(quads.setups[usize::from(*number)].clone());
            last = Some(*number);
        }
        (quads.at(*place), setups.len() - 1)
    });
    let places = places.collect();
    let coverage = quads.coverage.to_vec();
    Arc::new(OfPrimitives { slots: Arc::clone(slots), setups, quads: places, samples, coverage })
}

/// Evaluates an attribute of a clipped primitive in the lanes of a quad, all at this offset from their
/// centres. `pixel` is the lower left pixel of the quad.
fn evaluate(
    setup: &TriangleSetup,
    slots: &EvaluatedSlots,
    (attribute, pixel): (Attribute, [u32; 2]),
    offset: [f64; 2],
    values: &mut QuadValues,
) {
    let run = QuadRange { setup, start: 0, end: 1, affine: setup.triangle.is_affine() };
    let [x, y] = [0, 1].map(|axis| centre(pixel[axis]) + offset[axis] * SUBPIXELS);
    let mut weights = Weights::ZERO;
    weights.add(run, [&[x; QUADS], &[y; QUADS]]);
    let own = |slot: &(Attribute, usize)| slot.0 == attribute;
    for (varying, slot) in setup.varyings.iter().zip(&slots.varyings).filter(|(_, slot)| own(slot)) {
        let register = &mut values[slot.1];
        let (varying, affine) = match *varying {
            Varying::Constant(value) => {
                *register = [value; 4];
                continue;
            }
            Varying::Linear(varying) => (varying, run.affine),
            Varying::NoPerspective(varying) => (varying, true),
        };
        weights.interpolate(QuadRange { affine, ..run }, varying, from_mut(register));
        *register = register.map(|value| flush(canonical(value)));
    }
    let (columns, rows) = ([0, 1, 0, 1], [0, 0, 1, 1]);
    for ((_, component), datum) in slots.window.iter().filter(|(slot, _)| own(slot)) {
        let register = &mut values[*component];
        match datum {
            WindowDatum::X => {
                *register = columns.map(|right| slots.places.x_beside(pixel[0] + right, offset[0]) as f32);
            }
            WindowDatum::Y => {
                *register = rows.map(|above| slots.places.y_beside(pixel[1] + above, offset[1]) as f32);
            }
            WindowDatum::Z => weights.window_z(run, from_mut(register)),
            WindowDatum::ReciprocalW => *register = reciprocal_w(&run, [x, y]),
        }
    }
}

impl Interpolants for OfPrimitives {
    fn at(&self, attribute: Attribute, quad: usize, offset: [f64; 2], values: &mut QuadValues) {
        let Some(&(pixel, number)) = self.quads.get(quad) else { return };
        evaluate(&self.setups[number], &self.slots, (attribute, pixel), offset, values);
    }

    fn centroid(&self, quad: usize, lane: usize) -> [f64; 2] {
        let is_point = self.quads.get(quad).is_some_and(|(_, number)| self.setups[*number].triangle.is_point);
        let covered = self.coverage.get(quad).filter(|_| !is_point).map_or(0, |quad| quad[lane]);
        centroid(self.samples, covered)
    }

    fn sample(&self, number: u32) -> Option<[f64; 2]> {
        offset_of_sample(self.samples, number)
    }
}

/// The offset of a sample. With one sample per pixel, every number is at the centre.
fn offset_of_sample(samples: Samples, number: u32) -> Option<[f64; 2]> {
    if samples == Samples::One { Some([0.0; 2]) } else { samples.offset(number as usize) }
}

/// A block of the viewport quad, with its lower left pixel.
#[derive(Debug)]
struct OfViewport {
    quad: ViewportQuad,
    corner: [u32; 2],
}

impl ViewportQuad {
    /// The interpolants of the block whose lower left pixel is `corner`.
    pub fn interpolants(&self, corner: [u32; 2]) -> Arc<dyn Interpolants> {
        Arc::new(OfViewport { quad: self.clone(), corner })
    }
}

impl Interpolants for OfViewport {
    fn at(&self, attribute: Attribute, quad: usize, offset: [f64; 2], values: &mut QuadValues) {
        let [x, y] = [self.corner[0] + 2 * quad as u32, self.corner[1]];
        for ((_, component), affine, _) in self.quad.columns.iter().filter(|(slot, ..)| slot.0 == attribute) {
            values[*component] = [x, x + 1, x, x + 1].map(|x| self.quad.value(*affine, x, offset[0]));
        }
        for ((_, component), affine, _) in self.quad.rows.iter().filter(|(slot, ..)| slot.0 == attribute) {
            values[*component] = [y, y, y + 1, y + 1].map(|y| self.quad.value(*affine, y, offset[1]));
        }
    }

    fn sample(&self, number: u32) -> Option<[f64; 2]> {
        let samples = self.quad.samples.map_or(Samples::One, |samples| samples.sampling.covered);
        offset_of_sample(samples, number)
    }
}
