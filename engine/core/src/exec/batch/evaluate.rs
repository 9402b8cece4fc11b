//! Attributes at a spot of the pixel that the program chooses, over lane registers. `interpolants` has the
//! evaluation.

use super::operands::Operands;
use super::{LANES, Worker};
use crate::exec::block::AttributeLanes;
use crate::exec::interpolants::{self, QuadValues, Spot};
use crate::exec::lir::effect::Evaluate;
use crate::exec::reference::QUAD;
use shadestep_language::semantics::plan::Location;

impl Worker {
    /// Reads the first operand of IPAC, IPAO and IPAS.
    pub(super) fn evaluate(
        &mut self,
        (evaluate, mut operands, results): (&Evaluate, Operands<'_>, &[(u8, u16)]),
        inputs: &AttributeLanes,
    ) {
        let choice = evaluate.choice.as_ref().map(|choice| operands.choice(choice));
        for quad in 0..LANES / QUAD {
            let element = |lane: usize| {
                let value = |register: u16| self.registers[usize::from(register)].0[QUAD * quad + lane];
                choice.map_or(Some(0), |choice| choice.place(value))
            };
            let elements: [Option<usize>; QUAD] = std::array::from_fn(element);
            let mut read = [[0.0; QUAD]; 4];
            let mut values = read;
            for lane in 0..QUAD {
                if lane == 0 || elements[lane] != elements[lane - 1] {
                    let components = results.iter().map(|&(component, _)| component);
                    values = self.element(
                        (evaluate, operands.clone()),
                        components,
                        (elements[lane], quad),
                        inputs,
                    );
                }
                for (register, values) in read.iter_mut().zip(values) {
                    register[lane] = values[lane];
                }
            }
            for &(component, register) in results {
                let register = &mut self.registers[usize::from(register)].0;
                register[QUAD * quad..][..QUAD].copy_from_slice(&read[usize::from(component)]);
            }
        }
    }

    /// Components of one of the attributes in a quad; 0 outside the array. `operands` has those of the spot.
    fn element(
        &self,
        (evaluate, mut operands): (&Evaluate, Operands<'_>),
        components: impl Iterator<Item = u8>,
        (element, quad): (Option<usize>, usize),
        inputs: &AttributeLanes,
    ) -> QuadValues {
        let mut values = [[0.0; QUAD]; 4];
        let found = element.and_then(|element| evaluate.attributes.get(element));
        let Some(evaluated) = found else { return values };
        let lanes = |register: u16| {
            let register = &self.registers[usize::from(register)].0;
            [0, 1, 2, 3].map(|lane| register[QUAD * quad + lane])
        };
        for component in components {
            values[usize::from(component)] = lanes(evaluated.first + u16::from(component));
        }
        if let Some(attribute) = evaluated.attribute {
            let spots = match evaluate.location {
                Location::Offset => {
                    let [x, y] = operands.take().map(lanes);
                    [0, 1, 2, 3].map(|lane| Spot::Offset([x[lane], y[lane]]))
                }
                Location::Centroid => [Spot::Centroid; QUAD],
                Location::Sample => {
                    let [sample] = operands.take().map(lanes);
                    sample.map(|number| Spot::Sample(number.to_bits()))
                }
            };
            let interpolants = inputs.interpolants().map(AsRef::as_ref);
            interpolants::evaluate(interpolants, (attribute, quad), spots, &mut values);
        }
        values
    }
}
