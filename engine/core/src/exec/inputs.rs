//! What one quad, vertex or primitive gives the traced executor.

use super::interpolants::Interpolants;
use super::scalar::QUAD;
use shadestep_language::ir::{Attribute, Components, Program, single_bits};
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

/// The attributes of a quad, a patch or something else that a program may read, with their values in each lane. Others are 0 but
/// for those that debuggers may look at in one lane.
#[derive(Clone, Debug)]
pub(crate) struct AttributesRead {
    values: Box<[(Attribute, Vec<Components>)]>,
    /// What the program does not read, in the lane that is recorded: [`Program::attributes_recorded`].
    others: Box<[(Attribute, [u32; 4])]>,
    lanes: usize,
    interpolants: Option<Arc<dyn Interpolants>>,
}

impl AttributesRead {
    /// Those of a fragment program among `inputs`.
    pub fn of_quad(program: &Program, inputs: &QuadInputs) -> Self {
        let read = Self::new(program, QUAD, |attribute| of_quad(inputs, attribute));
        Self { interpolants: inputs.interpolants.clone(), ..read }
    }

    /// Those of a vertex program among `inputs`.
    pub fn of_vertex(program: &Program, inputs: &VertexInputs) -> Self {
        Self::new(program, 1, |attribute| {
            let bits = if attribute.is_long() { u64::MAX } else { u32::MAX.into() };
            vec![inputs[attribute.index()].map(|value| value & bits)]
        })
    }

    /// Those of a program that reads primitives among `inputs`.
    pub fn of_primitive(program: &Program, inputs: &PrimitiveInputs) -> Self {
        Self::new(program, 1, |attribute| vec![inputs.get(attribute)])
    }

    /// Those of all invocations of a tessellation control program for a patch, which differ in their number.
    pub fn of_patch(program: &Program, inputs: &PrimitiveInputs) -> Self {
        let count = program.patch_vertices.unwrap_or(1);
        Self::new(program, count.into(), |attribute| match attribute {
            Attribute::Invocation => (0..count).map(|number| [number.into(), 0, 0, 0]).collect(),
            other => vec![inputs.get(other); count.into()],
        })
    }

    fn new(program: &Program, lanes: usize, values: impl Fn(Attribute) -> Vec<Components>) -> Self {
        // What is a result of its own is none of them.
        let read = program.attributes().into_iter().filter(|attribute| attribute.output().is_none());
        let values = read.map(|attribute| (attribute, values(attribute))).collect();
        Self { values, others: Box::default(), lanes, interpolants: None }
    }

    /// The same with the attributes that a recording has besides. `value` gives those of its lane.
    pub fn recorded(self, program: &Program, value: impl Fn(Attribute) -> [u32; 4]) -> Self {
        let is_read = |attribute: &Attribute| self.iter().any(|(read, _)| read == *attribute);
        let others = program.attributes_recorded().into_iter().filter(|attribute| !is_read(attribute));
        let others = others.map(|attribute| (attribute, value(attribute))).collect();
        Self { others, ..self }
    }

    /// The same with attributes of a quad that only an expression reads.
    pub fn with(mut self, attributes: &[Attribute], inputs: &QuadInputs) -> Self {
        let is_read = |attribute: &&Attribute| !self.iter().any(|(read, _)| read == **attribute);
        let further: Vec<_> = attributes
            .iter()
            .filter(is_read)
            .map(|&attribute| (attribute, of_quad(inputs, attribute)))
            .collect();
        self.values = std::mem::take(&mut self.values).into_iter().chain(further).collect();
        self
    }

    /// How many lanes there are.
    pub const fn lanes(&self) -> usize {
        self.lanes
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (Attribute, &[Components])> {
        self.values.iter().map(|(attribute, values)| (*attribute, values.as_slice()))
    }

    pub(super) fn interpolants(&self) -> Option<&dyn Interpolants> {
        self.interpolants.as_deref()
    }

    /// What `lane` reads of an attribute, if the program reads it.
    pub(crate) fn get_mut(&mut self, attribute: Attribute, lane: usize) -> Option<&mut Components> {
        let values = self.values.iter_mut().find(|(read, _)| *read == attribute);
        values.and_then(|(_, values)| values.get_mut(lane))
    }

    pub(crate) fn get(&self, attribute: Attribute, lane: usize) -> Components {
        let values = self.iter().find(|(read, _)| *read == attribute);
        let value = values.and_then(|(_, values)| values.get(lane)).copied();
        let other = || self.others.iter().find(|(other, _)| *other == attribute).map(|(_, bits)| *bits);
        value.or_else(|| other().map(|bits| bits.map(u64::from))).unwrap_or_default()
    }
}

fn of_quad(inputs: &QuadInputs, attribute: Attribute) -> Vec<Components> {
    inputs.attributes[attribute.index()].map(single_bits).into()
}

/// Bits of the vertex attribute registers of one vertex, in the order of [`Attribute::VERTEX`]. Variables that are not
/// LONG read the low 32.
pub type VertexInputs = [Components; Attribute::VERTEX.len()];

/// Bits of the attributes that a program reads of its primitive or patch; those of others are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrimitiveInputs(pub Vec<(Attribute, Components)>);

impl PrimitiveInputs {
    /// Those of one.
    pub(crate) fn get(&self, attribute: Attribute) -> Components {
        let value = self.0.iter().find(|(read, _)| *read == attribute).map(|(_, value)| *value);
        value.unwrap_or_default()
    }
}

pub(crate) fn state_program_inputs(v0: [f32; 4]) -> VertexInputs {
    let mut inputs = VertexInputs::default();
    inputs[0] = single_bits(v0);
    inputs
}
