//! Attributes at a spot of the pixel that the program chooses, as IPAC, IPAO and IPAS read them
//! (NV_gpu_program5 2.X.8.Z).
//!
//! The pipeline knows how attributes vary over a primitive and implements [`Interpolants`]. Both executors
//! call [`evaluate`], so they read the same bits.

use std::fmt::Debug;

use super::reference::{Denorms, Evaluation, Loading, Machine, QUAD, lanes_of, masked, number};
use shadestep_language::ir::{Attribute, Components, Element, Instruction, Source, limits, single_bits};
use shadestep_language::semantics::plan::{Location, Plan};

/// An attribute in the lanes of a quad: by component, then by lane.
pub type QuadValues = [[f32; QUAD]; 4];

/// How attributes vary over the pixels of a block.
pub trait Interpolants: Debug + Send + Sync {
    /// Evaluates `attribute` in the lanes of quad `quad` and writes the interpolated components to `values`.
    /// `offset` is in pixels, right of and above each pixel's centre. At offset zero the result is
    /// bit-identical to the lanes' registers.
    fn at(&self, attribute: Attribute, quad: usize, offset: [f64; 2], values: &mut QuadValues);

    /// The centroid of a lane's pixel, in pixels right of and above the centre. With one sample a pixel it is
    /// the centre.
    fn centroid(&self, _quad: usize, _lane: usize) -> [f64; 2] {
        [0.0; 2]
    }

    /// The position of a sample in every pixel, in pixels right of and above the centre; `None` if there is
    /// no such sample. With one sample a pixel, every sample is at the centre.
    fn sample(&self, _number: u32) -> Option<[f64; 2]> {
        Some([0.0; 2])
    }
}

/// Rounds an offset to the grid of offsets; `None` outside the limits or for a NaN.
fn snapped(offset: [f32; 2]) -> Option<[f64; 2]> {
    const STEPS: f64 = (1_u32 << limits::INTERPOLATION_OFFSET_BITS) as f64;
    let range = -limits::INTERPOLATION_OFFSET..=limits::INTERPOLATION_OFFSET;
    let is_defined = offset.iter().all(|part| range.contains(part));
    // The addition turns -0 into +0.
    is_defined.then(|| offset.map(|part| (f64::from(part) * STEPS).round_ties_even() / STEPS + 0.0))
}

/// The spot of the pixel at which a lane evaluates an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spot {
    /// In pixels right of and above the centre.
    Offset([f32; 2]),
    Centroid,
    /// The sample with this number.
    Sample(u32),
}

impl Spot {
    /// The offset for a lane, in pixels right of and above the centre; `None` if it is undefined.
    fn offset(self, interpolants: Option<&dyn Interpolants>, quad: usize, lane: usize) -> Option<[f64; 2]> {
        match (self, interpolants) {
            (Self::Offset(offset), _) => snapped(offset),
            (Self::Centroid | Self::Sample(_), None) => Some([0.0; 2]),
            (Self::Centroid, Some(interpolants)) => Some(interpolants.centroid(quad, lane)),
            (Self::Sample(number), Some(interpolants)) => interpolants.sample(number),
        }
    }
}

/// Evaluates `attribute` at a separate spot for each lane, in quad `quad` of a block. `values` has the
/// registers' values and keeps them if `interpolants` is `None`. Lanes with an undefined spot get 0.
pub(super) fn evaluate(
    interpolants: Option<&dyn Interpolants>,
    (attribute, quad): (Attribute, usize),
    spots: [Spot; QUAD],
    values: &mut QuadValues,
) {
    let at = |offset: Option<[f64; 2]>, values: &mut QuadValues| match (offset, interpolants) {
        (Some(offset), Some(interpolants)) => interpolants.at(attribute, quad, offset, values),
        (Some(_), None) => {}
        (None, _) => *values = [[0.0; QUAD]; 4],
    };
    let offsets: [_; QUAD] = std::array::from_fn(|lane| spots[lane].offset(interpolants, quad, lane));
    if offsets.iter().all(|offset| *offset == offsets[0]) {
        return at(offsets[0], values);
    }
    let centres = *values;
    for (lane, offset) in offsets.into_iter().enumerate() {
        let mut all = centres;
        at(offset, &mut all);
        for (register, all) in values.iter_mut().zip(all) {
            register[lane] = all[lane];
        }
    }
}

impl Machine<'_> {
    /// The spot at which `lane` evaluates operand 0, for interpolation instructions.
    pub(super) fn spot(&self, pc: usize, plan: &Plan, lane: usize) -> Option<Spot> {
        let Plan::Interpolate(location) = plan else { return None };
        let instruction = &self.program.instructions[pc];
        let load = |used: u8| {
            let to = plan.operand_type(instruction.ty, 1);
            let loading = Loading { to, denorms: Denorms::Flushed, used, pc, spot: None };
            Some(self.load(instruction.operands.get(1)?, loading, lane).converted)
        };
        match location {
            Location::Centroid => Some(Spot::Centroid),
            Location::Offset => {
                let [x, y, ..] = load(0b0011)?;
                Some(Spot::Offset([number(x), number(y)]))
            }
            Location::Sample => {
                let [sample, ..] = load(0b0001)?;
                Some(Spot::Sample(sample as u32))
            }
        }
    }

    /// An attribute as `lane` reads it: from its register or at a spot of the pixel.
    pub(super) fn attribute(&self, attribute: Attribute, spot: Option<Spot>, lane: usize) -> Components {
        if attribute.output().is_some() {
            let written = self.at.written(self.program, attribute, lane);
            return written.map_or([0; 4], |(registers, id)| registers.outputs[usize::from(id.0)]);
        }
        let Some(spot) = spot.filter(|_| self.program.depends_on_place(attribute)) else {
            return self.inputs.get(attribute, lane);
        };
        let centres = [0, 1, 2, 3].map(|lane| self.inputs.get(attribute, lane));
        let mut values = [0, 1, 2, 3].map(|c| centres.map(|register| number(register[c])));
        evaluate(self.inputs.interpolants(), (attribute, 0), [spot; QUAD], &mut values);
        single_bits(values.map(|register| register[lane]))
    }

    /// IPAC, IPAO, IPAS: operand 0 is already evaluated at its spot. The result is undefined for offsets
    /// beyond the limits and for missing samples.
    pub(super) fn interpolate(
        &self,
        instruction: &Instruction,
        location: Location,
        (lanes, mask): (u32, u8),
        evaluation: &mut Evaluation,
    ) {
        for lane in lanes_of(lanes) {
            let operands = evaluation.lanes[lane].operands;
            let [read, others @ ..] = &operands[..] else { continue };
            evaluation.lanes[lane].result = masked(read.converted, mask);
            let attribute = match (instruction.operands[0].source, read.relative.and_then(|led| led.element))
            {
                (Source::Attribute(attribute), _) | (_, Some(Element::Attribute(attribute))) => attribute,
                _ => continue,
            };
            let spot = match (location, others.first().map(|other| other.converted)) {
                (Location::Offset, Some([x, y, ..])) => Spot::Offset([number(x), number(y)]),
                (Location::Sample, Some([sample, ..])) => Spot::Sample(sample as u32),
                _ => continue,
            };
            let is_defined = spot.offset(self.inputs.interpolants(), 0, lane).is_some();
            if !is_defined && self.program.depends_on_place(attribute) {
                evaluation.lanes[lane].undefined = 0xF;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_on_a_grid_within_limits() {
        assert_eq!(snapped([0.5, -0.5]), Some([0.5, -0.5]));
        // A third of 1024 steps is 341.33. A quarter of a step rounds to zero.
        assert_eq!(snapped([1.0 / 3.0, 0.25 / 1024.0]), Some([341.0 / 1024.0, 0.0]));
        // Ties round to even.
        assert_eq!(snapped([0.5 / 1024.0, -1.5 / 1024.0]), Some([0.0, -2.0 / 1024.0]));
        assert_eq!(snapped([-0.0, 0.0]).map(|offset| offset.map(f64::to_bits)), Some([0, 0]));
        let beyond = 0.5_f32.next_up();
        for undefined in [beyond, -beyond, f32::NAN, f32::INFINITY] {
            assert_eq!(snapped([undefined, 0.0]), None);
            assert_eq!(snapped([0.0, undefined]), None);
        }
    }
}
