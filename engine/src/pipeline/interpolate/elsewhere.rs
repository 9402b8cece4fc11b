//! Attributes away from the centres of pixels: the same equations, with the quad moved by the offset. Offsets are on the grid of
//! snapped window coordinates, so edge functions are exact there too.

use super::super::interface::{EvaluatedSlots, WindowDatum};
use super::super::setup::{SUBPIXEL_BITS, SUBPIXELS, centre};
use super::{
    Attribute, QUADS, QuadRange, Quads, TriangleSetup, Varying, ViewportQuad, Weights, canonical, flush,
    reciprocal_w,
};
use crate::exec::{Interpolants, QuadValues};
use crate::ir::limits;
use std::slice::from_mut;
use std::sync::Arc;

const _: () = assert!(SUBPIXEL_BITS == limits::INTERPOLATION_OFFSET_BITS);

/// The quads of a block and their clipped primitives.
#[derive(Debug)]
struct OfPrimitives {
    slots: Arc<EvaluatedSlots>,
    /// Those of the block, each once.
    setups: Vec<TriangleSetup>,
    /// Of each quad its lower left pixel, and which of the clipped primitives it is of.
    quads: Vec<([u32; 2], usize)>,
}

/// Attributes about the quads of a block.
pub(super) fn of_primitives(slots: &Arc<EvaluatedSlots>, quads: Quads<'_>) -> Arc<dyn Interpolants> {
    let mut setups: Vec<TriangleSetup> = Vec::new();
    let mut last = None;
    let places = quads.numbers.iter().zip(quads.places).map(|(number, place)| {
        // Quads of a clipped primitive are side by side.
        if last != Some(*number) {
            setups.push(quads.setups[usize::from(*number)].clone());
            last = Some(*number);
        }
        (quads.at(*place), setups.len() - 1)
    });
    let places = places.collect();
    Arc::new(OfPrimitives { slots: Arc::clone(slots), setups, quads: places })
}

impl Interpolants for OfPrimitives {
    fn at(&self, attribute: Attribute, quad: usize, offset: [f64; 2], values: &mut QuadValues) {
        let Some(&(pixel, number)) = self.quads.get(quad) else { return };
        let setup = &self.setups[number];
        let run = QuadRange { setup, start: 0, end: 1, affine: setup.triangle.is_affine() };
        let [x, y] = [0, 1].map(|axis| centre(pixel[axis]) + offset[axis] * SUBPIXELS);
        let mut weights = Weights::ZERO;
        weights.add(run, [&[x; QUADS], &[y; QUADS]]);
        let own = |slot: &(Attribute, usize)| slot.0 == attribute;
        for (varying, slot) in setup.varyings.iter().zip(&self.slots.varyings).filter(|(_, slot)| own(slot)) {
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
        for ((_, component), datum) in self.slots.window.iter().filter(|(slot, _)| own(slot)) {
            let places = &self.slots.places;
            let register = &mut values[*component];
            match datum {
                WindowDatum::X => {
                    *register = columns.map(|right| places.x_beside(pixel[0] + right, offset[0]) as f32);
                }
                WindowDatum::Y => {
                    *register = rows.map(|above| places.y_beside(pixel[1] + above, offset[1]) as f32);
                }
                WindowDatum::Z => weights.window_z(run, from_mut(register)),
                WindowDatum::ReciprocalW => *register = reciprocal_w(&run, [x, y]),
            }
        }
    }
}

/// A block of the viewport quad, and its lower left pixel.
#[derive(Debug)]
struct OfViewport {
    quad: ViewportQuad,
    corner: [u32; 2],
}

impl ViewportQuad {
    /// Attributes about the block whose lower left pixel is `corner`.
    pub fn interpolants(&self, corner: [u32; 2]) -> Arc<dyn Interpolants> {
        Arc::new(OfViewport { quad: self.clone(), corner })
    }
}

impl Interpolants for OfViewport {
    fn at(&self, attribute: Attribute, quad: usize, offset: [f64; 2], values: &mut QuadValues) {
        let [x, y] = [self.corner[0] + 2 * quad as u32, self.corner[1]];
        for ((_, component), affine) in self.quad.columns.iter().filter(|(slot, _)| slot.0 == attribute) {
            values[*component] = [x, x + 1, x, x + 1].map(|x| self.quad.value(*affine, x, offset[0]));
        }
        for ((_, component), affine) in self.quad.rows.iter().filter(|(slot, _)| slot.0 == attribute) {
            values[*component] = [y, y, y + 1, y + 1].map(|y| self.quad.value(*affine, y, offset[1]));
        }
    }
}
