//! Inputs of the reference interpreter: attributes of one quad, vertex, primitive or patch. The batch
//! executor gets its inputs in `block`.

use super::interpolants::Interpolants;
use super::reference::QUAD;
use shadestep_language::ir::{Attribute, Components, Program, single_bits};
use std::sync::Arc;

/// Fragment attributes of a quad.
#[derive(Clone, Debug)]
pub struct QuadInputs {
    /// By attribute (the order of [`Attribute::FRAGMENT`]), lane and component.
    pub attributes: [[[f32; 4]; QUAD]; Attribute::SLOTS],
    /// A bit for each lane that is a fragment. The others are helpers, which run and have no side effects.
    pub covered: u8,
    /// How attributes vary over the quad, which is quad 0 of this object. `None` if attributes are constant
    /// over a pixel.
    pub interpolants: Option<Arc<dyn Interpolants>>,
}

impl Default for QuadInputs {
    /// All attributes zero, and four fragments.
    fn default() -> Self {
        Self { attributes: [[[0.0; 4]; QUAD]; Attribute::SLOTS], covered: 0xF, interpolants: None }
    }
}

/// The attributes that a program may read of its quad, vertex, primitive or patch, with their values in each
/// lane.
///
/// Other attributes read as 0, except for the attributes that a debugger shows for one lane.
#[derive(Clone, Debug)]
pub(crate) struct AttributesRead {
    values: Box<[(Attribute, Vec<Components>)]>,
    /// Attributes of the recorded lane that the program does not read ([`Program::attributes_recorded`]).
    others: Box<[(Attribute, [u32; 4])]>,
    lanes: usize,
    interpolants: Option<Arc<dyn Interpolants>>,
}

impl AttributesRead {
    /// Selects the attributes that a fragment program reads.
    pub fn of_quad(program: &Program, inputs: &QuadInputs) -> Self {
        let read = Self::new(program, QUAD, |attribute| of_quad(inputs, attribute));
        Self { interpolants: inputs.interpolants.clone(), ..read }
    }

    /// Selects the attributes that a vertex program reads.
    pub fn of_vertex(program: &Program, inputs: &VertexInputs) -> Self {
        Self::new(program, 1, |attribute| {
            let bits = if attribute.is_long() { u64::MAX } else { u32::MAX.into() };
            vec![inputs[attribute.index()].map(|value| value & bits)]
        })
    }

    /// Selects the attributes that a geometry or tessellation evaluation program reads.
    pub fn of_primitive(program: &Program, inputs: &PrimitiveInputs) -> Self {
        Self::new(program, 1, |attribute| vec![inputs.get(attribute)])
    }

    /// Attributes of all invocations of a tessellation control program for a patch. Only the invocation
    /// numbers differ.
    pub fn of_patch(program: &Program, inputs: &PrimitiveInputs) -> Self {
        let count = program.patch_vertices.unwrap_or(1);
        Self::new(program, count.into(), |attribute| match attribute {
            Attribute::Invocation => (0..count).map(|number| [number.into(), 0, 0, 0]).collect(),
            other => vec![inputs.get(other); count.into()],
        })
    }

    fn new(program: &Program, lanes: usize, values: impl Fn(Attribute) -> Vec<Components>) -> Self {
        // Excludes attributes that stand for the program's own results.
        let read = program.attributes().into_iter().filter(|attribute| attribute.output().is_none());
        let values = read.map(|attribute| (attribute, values(attribute))).collect();
        Self { values, others: Box::default(), lanes, interpolants: None }
    }

    /// Adds the attributes that only a recording needs. `value` returns the attribute of the recorded lane.
    pub fn recorded(self, program: &Program, value: impl Fn(Attribute) -> [u32; 4]) -> Self {
        let is_read = |attribute: &Attribute| self.iter().any(|(read, _)| read == *attribute);
        let others = program.attributes_recorded().into_iter().filter(|attribute| !is_read(attribute));
        let others = others.map(|attribute| (attribute, value(attribute))).collect();
        Self { others, ..self }
    }

    /// Adds attributes of a quad that only an expression reads.
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

    pub const fn lanes(&self) -> usize {
        self.lanes
    }

    /// All attributes that the program may read.
    pub fn iter(&self) -> impl Iterator<Item = (Attribute, &[Components])> {
        self.values.iter().map(|(attribute, values)| (*attribute, values.as_slice()))
    }

    pub(super) fn interpolants(&self) -> Option<&dyn Interpolants> {
        self.interpolants.as_deref()
    }

    /// The value of an attribute in `lane`, mutable, if the program reads the attribute.
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

/// Bits of the vertex attribute registers of one vertex, in the order of [`Attribute::VERTEX`]. Variables
/// that are not LONG read the low 32 bits.
pub type VertexInputs = [Components; Attribute::VERTEX.len()];

/// Bits of the attributes that a program reads of its primitive or patch. Other attributes are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrimitiveInputs(pub Vec<(Attribute, Components)>);

impl PrimitiveInputs {
    /// Bits of one attribute.
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
