//! Attributes at a spot of the pixel that the program chooses, over lane registers. `interpolants` has the
//! evaluation.

use super::effect::{Evaluate, SpotRegisters};
use super::{LANES, Worker};
use crate::exec::block::AttributeLanes;
use crate::exec::interpolants::{self, QuadValues, Spot};
use crate::exec::reference::QUAD;

impl Worker {
    /// Reads the first operand of IPAC, IPAO and IPAS.
    pub(super) fn evaluate(&mut self, evaluate: &Evaluate, inputs: &AttributeLanes) {
        for quad in 0..LANES / QUAD {
            let element = |lane: usize| {
                let value = |register: u16| self.registers[usize::from(register)].0[QUAD * quad + lane];
                evaluate.choice.map_or(Some(0), |choice| choice.place(value))
            };
            let elements: [Option<usize>; QUAD] = std::array::from_fn(element);
            let mut read = [[0.0; QUAD]; 4];
            let mut values = read;
            for lane in 0..QUAD {
                if lane == 0 || elements[lane] != elements[lane - 1] {
                    values = self.element(evaluate, elements[lane], quad, inputs);
                }
                for (register, values) in read.iter_mut().zip(values) {
                    register[lane] = values[lane];
                }
            }
            for &(component, register) in &evaluate.results {
                let register = &mut self.registers[usize::from(register)].0;
                register[QUAD * quad..][..QUAD].copy_from_slice(&read[usize::from(component)]);
            }
        }
    }

    /// One of the attributes in a quad; 0 outside the array.
    fn element(
        &self,
        evaluate: &Evaluate,
        element: Option<usize>,
        quad: usize,
        inputs: &AttributeLanes,
    ) -> QuadValues {
        let mut values = [[0.0; QUAD]; 4];
        let found = element.and_then(|element| evaluate.attributes.get(element));
        let Some(&(first, attribute)) = found else { return values };
        let lanes = |register: u16| {
            let register = &self.registers[usize::from(register)].0;
            [0, 1, 2, 3].map(|lane| register[QUAD * quad + lane])
        };
        for &(component, _) in &evaluate.results {
            values[usize::from(component)] = lanes(first + u16::from(component));
        }
        if let Some(attribute) = attribute {
            let spots = match evaluate.spot {
                SpotRegisters::Offset(offset) => {
                    let [x, y] = offset.map(lanes);
                    [0, 1, 2, 3].map(|lane| Spot::Offset([x[lane], y[lane]]))
                }
                SpotRegisters::Centroid => [Spot::Centroid; QUAD],
                SpotRegisters::Sample(sample) => lanes(sample).map(|number| Spot::Sample(number.to_bits())),
            };
            let interpolants = inputs.interpolants().map(AsRef::as_ref);
            interpolants::evaluate(interpolants, (attribute, quad), spots, &mut values);
        }
        values
    }
}
