//! What one quad, or one vertex, gives the traced executor.

use super::scalar::QUAD;
use crate::ir::{Attribute, Components, Program, single_bits};

/// Fragment attributes of a quad.
#[derive(Clone, Debug, PartialEq)]
pub struct QuadInputs {
    /// By attribute (the order of [`Attribute::FRAGMENT`]), lane and component.
    pub attributes: [[[f32; 4]; QUAD]; Attribute::SLOTS],
    /// A bit for each lane that is a fragment. The others are helpers, which run and have no side effects.
    pub covered: u8,
}

impl Default for QuadInputs {
    /// Zeros, and four fragments.
    fn default() -> Self {
        Self { attributes: [[[0.0; 4]; QUAD]; Attribute::SLOTS], covered: 0xF }
    }
}

/// The attributes of a quad that a program may read, with their values in each lane; those of others are 0.
#[derive(Clone, Debug)]
pub(crate) struct AttributesRead(Box<[(Attribute, [[f32; 4]; QUAD])]>);

impl AttributesRead {
    /// Those of `program` among `inputs`.
    pub fn of(program: &Program, inputs: &QuadInputs) -> Self {
        let operands = program.instructions.iter().flat_map(|instruction| &instruction.operands);
        let mut named: Vec<Attribute> = operands.flat_map(|operand| operand.source.attributes()).collect();
        named.sort_unstable();
        named.dedup();
        let values = named.into_iter().map(|attribute| (attribute, inputs.attributes[attribute.index()]));
        Self(values.collect())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (Attribute, &[[f32; 4]; QUAD])> {
        self.0.iter().map(|(attribute, values)| (*attribute, values))
    }

    pub(super) fn get(&self, attribute: Attribute, lane: usize) -> Components {
        let values = self.iter().find(|(read, _)| *read == attribute);
        values.map_or([0; 4], |(_, values)| single_bits(values[lane]))
    }
}

/// Values of the vertex attribute registers of one vertex.
pub type VertexInputs = [[f32; 4]; Attribute::VERTEX.len()];

pub(crate) fn state_program_inputs(v0: [f32; 4]) -> VertexInputs {
    let mut inputs = VertexInputs::default();
    inputs[0] = v0;
    inputs
}

/// Lane 0 of a quad whose other lanes do not take part.
pub(crate) fn lone_inputs(inputs: &VertexInputs) -> QuadInputs {
    let mut quad = QuadInputs::default();
    for (attribute, value) in quad.attributes.iter_mut().zip(inputs) {
        attribute[0] = *value;
    }
    quad
}
