//! Effects: instructions that functions cannot express, because they need more than the lane registers of one
//! lane. They are texture lookups, memory accesses, relative references, votes, and emitted vertices. The
//! batch executor executes them.

use std::ops::Range;

use super::text::fields::{Field, choices, fields, records};
use super::text::{Line, ParseError, Reader};
use crate::exec::AddressForm;
use crate::exec::lookup::Question;
use shadestep_language::ir::{
    Atomic, Attribute, Condition, Emit, ImageAccess, Storage, TexelOffset, TextureAccess, Type,
};
use shadestep_language::semantics::ops::Vote;
use shadestep_language::semantics::plan::{Location, Lookup, Texel};

/// An instruction on more than the lane registers of one lane. `V` names a value: a [`super::NodeId`] in a
/// block, a lane register in a [`super::Segment`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect<V> {
    pub action: Action,
    /// The values that the action reads, in the order that [`Action`] states.
    pub operands: Vec<V>,
    /// The results that something reads: the number and the value of each.
    pub results: Vec<(u8, V)>,
}

choices! {
    /// The action of an effect. The results are the components of a vector, if nothing else is stated.
    pub enum Action {
        /// Texture lookup. Operands: coordinates s, t, r, q; as [`Detail`] states; the offsets, if they are
        /// operands; the unit, if it is computed.
        Texture(sample: Sample) = "texture",
        /// Texel fetch or size query. Operands: coordinates x, y, z, w; the offset, if it is an operand; the
        /// unit, if it is computed.
        Texels(texels: Texels) = "texels",
        /// Relative parameter read. Operands: the computed indices. The results have no modifiers.
        Gather(gather: Gather) = "gather",
        /// Relative read of attributes or temporaries, or a read of results of other invocations of the patch.
        /// Operands: the computed indices. A result is an offset in the lane registers of an element.
        GatherRegisters(gather: GatherRegisters) = "gather_registers",
        /// Read of an attribute away from the centre of the pixel. Operands: the computed indices; offset x
        /// and y in pixels, or the number of the sample.
        Evaluate(evaluate: Evaluate) = "evaluate",
        /// TGALL, TGANY or TGEQ among the invocations of each patch, which are adjacent lanes. Operands: a
        /// value without a high word (NV_gpu_program5 table X.13).
        Vote(vote: PatchVote) = "vote",
        /// Relative write of results or temporaries. Operands: the values; the computed indices.
        Scatter(scatter: Scatter) = "scatter",
        /// Access to memory. Operands: both words of x, y, z, w for a store or an atomic operation; as
        /// [`Place`] states. A result is a component, plus 4 for the high word.
        Memory(memory: Memory) = "memory",
        /// A vertex, or the end of a primitive. Operands: the number of the stream for EMITS.
        Emit(emit: Emitted) = "emit",
        /// MEMBAR, of a program that writes memory.
        Synchronise = "synchronise",
    }

    /// The place of a memory access.
    pub enum Place {
        /// Operands: both words of an address.
        Address = "address",
        /// Operands: coordinates x, y, z, w; the unit, if it is computed.
        Image(image: ImagePlace) = "image",
        /// Operands: the computed indices.
        Buffer(buffer: BufferPlace) = "buffer",
    }

    /// The source of a lookup's level of detail.
    pub enum Detail {
        /// Differences between lanes of the quad. No operands.
        Quad = "quad",
        /// Operands: derivatives along x for s, t, r, then along y.
        Sides = "sides",
        /// Operands: the level.
        Level = "level",
    }

    /// The kind of a memory access.
    pub enum Access {
        Load = "load",
        Store = "store",
        Atomic(operation: Atomic) = "atomic",
    }
}

records! {
    /// An index: a constant, or the sum of a constant and an operand.
    pub struct Number {
        /// How the operand holds its integer; `None` for a constant.
        pub form: Option<AddressForm>,
        pub offset: i64,
    }

    /// The array element that a relative reference selects.
    pub struct Choice {
        /// Indices of the vertex and of the element within the vertex.
        pub numbers: [Number; 2],
        /// Numbers of vertices and of elements per vertex.
        pub counts: [u16; 2],
    }

    /// A texture lookup.
    pub struct Sample {
        /// The index is 0. With TXGO, each component has an offset along s, then along t.
        pub access: TextureAccess,
        /// The index of the unit.
        pub unit: Number,
        pub question: Question,
        pub detail: Detail,
    }

    /// A texel fetch or a size query.
    pub struct Texels {
        /// The index is 0.
        pub access: TextureAccess,
        /// The index of the unit.
        pub unit: Number,
        /// Fetch or size query.
        pub asked: Texel,
        /// The instruction's type.
        pub ty: Type,
    }

    /// A relative parameter read.
    pub struct Gather {
        /// The parameter of the array.
        pub choice: Choice,
        /// First parameter of the array.
        pub first: u16,
    }

    /// A relative read of attributes, temporaries or results of other invocations.
    pub struct GatherRegisters {
        pub choice: Choice,
        /// The lane registers of each element.
        pub elements: Vec<Range<u16>>,
        pub across: Option<Across>,
    }

    /// A read of other invocations of the patch, which are adjacent lanes. The choice selects the invocation,
    /// and an element of its results.
    pub struct Across {
        /// The first invocation that the choice can select.
        pub first: u8,
        /// Number of invocations of a patch.
        pub group: u8,
    }

    /// A read of an attribute at a spot of the pixel.
    pub struct Evaluate {
        /// The attribute, if it is selected at run time.
        pub choice: Option<Choice>,
        pub attributes: Vec<Evaluated>,
        pub location: Location,
    }

    /// An attribute that [`Evaluate`] may read.
    pub struct Evaluated {
        /// The first lane register.
        pub first: u16,
        /// The attribute, if it depends on the spot.
        pub attribute: Option<Attribute>,
    }

    /// A vote of the invocations of a patch.
    pub struct PatchVote {
        pub question: Vote,
        /// Type of the operand and the result.
        pub ty: Type,
        /// Number of invocations of a patch.
        pub group: u8,
    }

    /// A relative write of results or temporaries, or a write of a per-patch result.
    pub struct Scatter {
        pub choice: Choice,
        /// The lane registers of each element.
        pub elements: Vec<Range<u16>>,
        /// For each value, the offset in the lane registers of an element.
        pub offsets: Vec<u8>,
        pub test: Option<Test>,
        /// The mask lane register, if only its lanes are written.
        pub mask: Option<u16>,
        pub shared: Option<Shared>,
    }

    /// The condition of each component of a write.
    pub struct Test {
        pub condition: Condition,
        /// The lane register that each component tests.
        pub registers: [u16; 4],
    }

    /// A per-patch result, which adjacent lanes share.
    pub struct Shared {
        /// Number of lanes.
        pub group: u8,
        /// Index of the instruction.
        pub pc: usize,
    }

    /// An access to memory.
    pub struct Memory {
        /// Index of the instruction.
        pub pc: usize,
        pub storage: Storage,
        pub access: Access,
        pub place: Place,
    }

    /// A texel of an image.
    pub struct ImagePlace {
        /// The index is 0.
        pub image: ImageAccess,
        /// The index of the unit.
        pub unit: Number,
    }

    /// A place in a parameter buffer.
    pub struct BufferPlace {
        /// Index of the program's buffer variable.
        pub variable: u16,
        /// The binding point of an array of buffers.
        pub point: Number,
        pub element: Number,
    }

    /// EMIT, EMITS or ENDPRIM.
    pub struct Emitted {
        pub emit: Emit,
        /// The lane registers of each result.
        pub outputs: Vec<Range<u16>>,
    }
}

impl Number {
    fn operands(&self) -> usize {
        self.form.iter().count()
    }
}

impl Choice {
    fn operands(&self) -> usize {
        self.numbers.iter().map(Number::operands).sum()
    }
}

/// Number of operands of the texel offset.
fn offset_operands(access: &TextureAccess) -> usize {
    if access.offset == TexelOffset::Operand { 3 } else { 0 }
}

impl Action {
    /// Number of operands.
    pub fn operands(&self) -> usize {
        match self {
            Self::Texture(sample) => {
                let detail = match sample.detail {
                    Detail::Quad => 0,
                    Detail::Sides => 6,
                    Detail::Level => 1,
                };
                let offset = match sample.question.lookup {
                    Lookup::GatherApart => 8,
                    _ => offset_operands(&sample.access),
                };
                4 + detail + offset + sample.unit.operands()
            }
            Self::Texels(texels) => 4 + offset_operands(&texels.access) + texels.unit.operands(),
            Self::Gather(gather) => gather.choice.operands(),
            Self::GatherRegisters(gather) => gather.choice.operands(),
            Self::Evaluate(evaluate) => {
                let spot = match evaluate.location {
                    Location::Centroid => 0,
                    Location::Offset => 2,
                    Location::Sample => 1,
                };
                evaluate.choice.as_ref().map_or(0, Choice::operands) + spot
            }
            Self::Vote(_) => 1,
            Self::Scatter(scatter) => scatter.offsets.len() + scatter.choice.operands(),
            Self::Memory(memory) => {
                let values = if memory.access == Access::Load { 0 } else { 8 };
                values
                    + match &memory.place {
                        Place::Address => 2,
                        Place::Image(image) => 4 + image.unit.operands(),
                        Place::Buffer(buffer) => buffer.point.operands() + buffer.element.operands(),
                    }
            }
            Self::Emit(emitted) => usize::from(emitted.emit == Emit::ToStream),
            Self::Synchronise => 0,
        }
    }
}

impl<V: Copy> Effect<V> {
    /// The lane registers that the action itself reads.
    pub fn registers_read(&self) -> Vec<u16> {
        match &self.action {
            Action::GatherRegisters(GatherRegisters { elements, .. })
            | Action::Emit(Emitted { outputs: elements, .. }) => elements.iter().cloned().flatten().collect(),
            Action::Evaluate(evaluate) => {
                let components = |evaluated: &Evaluated| {
                    let first = evaluated.first;
                    self.results.iter().map(move |&(component, _)| first + u16::from(component))
                };
                evaluate.attributes.iter().flat_map(components).collect()
            }
            Action::Scatter(scatter) => {
                let tested = scatter.test.iter().flat_map(|test| test.registers);
                // Some lanes keep their old values.
                scatter.elements.iter().cloned().flatten().chain(tested).chain(scatter.mask).collect()
            }
            Action::Texture(_)
            | Action::Texels(_)
            | Action::Gather(_)
            | Action::Vote(_)
            | Action::Memory(_)
            | Action::Synchronise => Vec::new(),
        }
    }

    /// The lane registers that the action writes in some lanes.
    pub fn registers_written(&self) -> impl Iterator<Item = u16> {
        let elements = match &self.action {
            Action::Scatter(scatter) => scatter.elements.as_slice(),
            _ => &[],
        };
        elements.iter().cloned().flatten()
    }

    /// Drops results and written values that are not wanted. Returns whether the effect is still needed.
    /// Memory accesses always are, because writes persist and reads can report faults.
    pub fn keep(&mut self, result: impl Fn(V) -> bool, register: impl Fn(u16) -> bool) -> bool {
        self.results.retain(|&(_, value)| result(value));
        match &mut self.action {
            Action::Memory(_) | Action::Emit(_) | Action::Synchronise => true,
            Action::Scatter(Scatter { offsets, elements, .. }) => {
                let is_wanted: Vec<bool> = (offsets.iter())
                    .map(|&offset| elements.iter().any(|element| register(element.start + u16::from(offset))))
                    .collect();
                let mut wanted = is_wanted.iter();
                offsets.retain(|_| wanted.next() == Some(&true));
                let mut wanted = is_wanted.iter();
                self.operands.retain(|_| wanted.next() != Some(&false));
                !offsets.is_empty()
            }
            _ => !self.results.is_empty(),
        }
    }
}
