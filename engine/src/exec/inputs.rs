//! What one quad, vertex or primitive gives the traced executor.

use super::interpolants::Interpolants;
use super::scalar::QUAD;
use crate::ir::{Attribute, Components, Program, single_bits};
use std::sync::Arc;

/// Fragment attributes of a quad.
#[derive(Clone, Debug)]
pub struct QuadInputs {
    /// By attribute (the order of [`Attribute::FRAGMENT`]), lane and component.
    pub attributes: [[[f32; 4]; QUAD]; Attribute::SLOTS],
    /// A bit for each lane that is a fragment. The others are helpers, which run and have no side effects.
    pub covered: u8,
    /// How attributes vary about the quad, which is the first of theirs; nothing where attributes are the same all over a
    /// pixel.
    pub interpolants: Option<Arc<dyn Interpolants>>,
}

impl Default for QuadInputs {
    /// Zeros, and four fragments.
    fn default() -> Self {
        Self { attributes: [[[0.0; 4]; QUAD]; Attribute::SLOTS], covered: 0xF, interpolants: None }
    }
}

/// The attributes of a quad that a program may read, with their values in each lane; those of others are 0.
#[derive(Clone, Debug)]
pub(crate) struct AttributesRead {
    values: Box<[(Attribute, [Components; QUAD])]>,
    interpolants: Option<Arc<dyn Interpolants>>,
}

impl AttributesRead {
    /// Those of a fragment program among `inputs`.
    pub fn of_quad(program: &Program, inputs: &QuadInputs) -> Self {
        let read = Self::new(program, |attribute| inputs.attributes[attribute.index()].map(single_bits));
        Self { interpolants: inputs.interpolants.clone(), ..read }
    }

    /// Those of a vertex program among `inputs`, in lane 0 of a quad whose other lanes do not take part.
    pub fn of_vertex(program: &Program, inputs: &VertexInputs) -> Self {
        Self::new(program, |attribute| {
            let bits = if attribute.is_long() { u64::MAX } else { u32::MAX.into() };
            [inputs[attribute.index()].map(|value| value & bits), [0; 4], [0; 4], [0; 4]]
        })
    }

    /// Those of a geometry program among `inputs`, in lane 0 alone.
    pub fn of_primitive(program: &Program, inputs: &PrimitiveInputs) -> Self {
        Self::new(program, |attribute| {
            let value = inputs.0.iter().find(|(read, _)| *read == attribute).map(|(_, value)| *value);
            [value.unwrap_or_default(), [0; 4], [0; 4], [0; 4]]
        })
    }

    fn new(program: &Program, values: impl Fn(Attribute) -> [Components; QUAD]) -> Self {
        let values = program.attributes().into_iter().map(|attribute| (attribute, values(attribute)));
        Self { values: values.collect(), interpolants: None }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (Attribute, &[Components; QUAD])> {
        self.values.iter().map(|(attribute, values)| (*attribute, values))
    }

    pub(super) fn interpolants(&self) -> Option<&dyn Interpolants> {
        self.interpolants.as_deref()
    }

    pub(super) fn get(&self, attribute: Attribute, lane: usize) -> Components {
        let values = self.iter().find(|(read, _)| *read == attribute);
        values.map_or([0; 4], |(_, values)| values[lane])
    }
}

/// Bits of the vertex attribute registers of one vertex, in the order of [`Attribute::VERTEX`]. Variables that are not
/// LONG read the low 32.
pub type VertexInputs = [Components; Attribute::VERTEX.len()];

/// Bits of the attributes that a geometry program reads of its primitive; those of others are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrimitiveInputs(pub Vec<(Attribute, Components)>);

pub(crate) fn state_program_inputs(v0: [f32; 4]) -> VertexInputs {
    let mut inputs = VertexInputs::default();
    inputs[0] = single_bits(v0);
    inputs
}
