//! Effects: operations that functions of the low-level IR cannot express. They are texture lookups, accesses
//! at computed addresses, memory accesses and emitted vertices. [`super::Worker`] executes them.

use super::layout::registers_of;
use crate::exec::AddressForm;
use crate::exec::lookup::Question;
use shadestep_language::ir::{
    Atomic, Attribute, BufferRef, Condition, Emit, ImageAccess, Storage, TextureAccess, Type,
};
use shadestep_language::semantics::ops;
use shadestep_language::semantics::plan::Texel;

/// An operation on more than the lane registers of one lane.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Texture lookup.
    Texture(Sample),
    /// Texel fetch or size query.
    Texels(Texels),
    /// Relative parameter read.
    Gather(Gather),
    /// Relative read of attributes or temporaries.
    GatherRegisters(GatherRegisters),
    /// Read of results of other invocations of the patch.
    GatherAcross(GatherAcross),
    /// Read of an attribute away from the centre of the pixel.
    Evaluate(Evaluate),
    /// A vote of the invocations of a patch.
    Vote(Vote),
    /// Relative write of results or temporaries.
    Scatter(Scatter),
    /// Access to memory.
    Memory(MemoryRegisters),
    /// A vertex, or the end of a primitive.
    Emit(EmitRegisters),
    /// MEMBAR, of a program that writes memory.
    Synchronise,
}

/// The sum of a relative reference.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// Lane register of the address component.
    pub register: u16,
    /// How the component holds its integer.
    pub form: AddressForm,
    /// Constant part of the sum.
    pub offset: i64,
}

impl Address {
    /// The element that a lane with component `value` selects.
    pub fn index(&self, value: f32) -> i64 {
        self.form.index(value, self.offset)
    }
}

/// An index: a constant, or computed for each lane.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// Equal in all lanes.
    Fixed(i64),
    /// Computed for each lane.
    Register(Address),
}

impl Number {
    /// The lane register of a computed index.
    pub const fn register(&self) -> Option<u16> {
        match self {
            Self::Fixed(_) => None,
            Self::Register(address) => Some(address.register),
        }
    }

    /// The index of one lane. `value` returns the lane's value of a lane register.
    pub fn value(&self, value: impl Fn(u16) -> f32) -> i64 {
        match self {
            Self::Fixed(number) => *number,
            Self::Register(address) => address.index(value(address.register)),
        }
    }
}

/// The array element that a relative reference selects.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Indices of the vertex and of the element within the vertex.
    pub numbers: [Number; 2],
    /// Numbers of vertices and of elements per vertex.
    pub counts: [u16; 2],
}

impl Choice {
    /// The lane registers that the indices depend on.
    pub fn registers(self) -> impl Iterator<Item = u16> {
        self.numbers.into_iter().filter_map(|number| number.register())
    }

    /// Position of the element in the array for one lane; `None` outside the array. `value` returns the
    /// lane's value of a lane register.
    pub fn place(&self, value: impl Fn(u16) -> f32) -> Option<usize> {
        let within = |which: usize| {
            let number = usize::try_from(self.numbers[which].value(&value)).ok()?;
            Some(number).filter(|number| *number < usize::from(self.counts[which]))
        };
        Some(within(0)? * usize::from(self.counts[1]) + within(1)?)
    }
}

impl Effect {
    /// The lane registers that the effect writes in every lane.
    pub fn written(&self) -> Vec<u16> {
        match self {
            Self::Texture(Sample { results, .. }) | Self::Texels(Texels { results, .. }) => {
                results.iter().flatten().copied().collect()
            }
            Self::Gather(Gather { results, .. })
            | Self::GatherRegisters(GatherRegisters { results, .. })
            | Self::GatherAcross(GatherAcross { results, .. })
            | Self::Evaluate(Evaluate { results, .. }) => {
                results.iter().map(|&(_, register)| register).collect()
            }
            Self::Vote(vote) => vote.components.iter().map(|component| component.result).collect(),
            Self::Memory(memory) => memory.results.iter().map(|result| result.register).collect(),
            // Some lanes keep their old values.
            Self::Scatter(_) | Self::Emit(_) | Self::Synchronise => Vec::new(),
        }
    }

    /// The lane registers that the effect reads.
    pub fn read(&self) -> Vec<u16> {
        match self {
            Self::Texture(sample) => sample.read(),
            Self::Texels(texels) => texels.read(),
            Self::Gather(gather) => gather.choice.registers().collect(),
            Self::GatherRegisters(gather) => {
                gather.elements.registers().chain(gather.choice.registers()).collect()
            }
            Self::GatherAcross(gather) => {
                gather.elements.registers().chain(gather.choice.registers()).collect()
            }
            Self::Evaluate(evaluate) => evaluate.read(),
            Self::Vote(vote) => vote.components.iter().map(|component| component.operand).collect(),
            Self::Scatter(scatter) => {
                let values = scatter.values.iter().map(|&(_, register)| register);
                let tested = scatter.test.iter().flat_map(|(_, tested)| *tested);
                let rest = values.chain(tested).chain(scatter.mask).chain(scatter.choice.registers());
                scatter.elements.registers().chain(rest).collect()
            }
            Self::Memory(memory) => memory.read(),
            Self::Emit(emit) => emit.registers().chain(emit.stream).collect(),
            Self::Synchronise => Vec::new(),
        }
    }

    /// Drops results in lane registers that are not wanted. Returns whether the effect is still needed.
    /// Memory accesses always are, because writes persist and reads can report faults.
    pub fn keep(&mut self, wanted: impl Fn(u16) -> bool) -> bool {
        match self {
            Self::Texture(Sample { results, .. }) | Self::Texels(Texels { results, .. }) => {
                for result in results.iter_mut() {
                    *result = result.filter(|&register| wanted(register));
                }
                results.iter().any(Option::is_some)
            }
            Self::Gather(Gather { results, .. })
            | Self::GatherRegisters(GatherRegisters { results, .. })
            | Self::GatherAcross(GatherAcross { results, .. })
            | Self::Evaluate(Evaluate { results, .. }) => {
                results.retain(|&(_, register)| wanted(register));
                !results.is_empty()
            }
            Self::Vote(vote) => {
                vote.components.retain(|component| wanted(component.result));
                !vote.components.is_empty()
            }
            Self::Scatter(scatter) => {
                let elements = &scatter.elements;
                scatter
                    .values
                    .retain(|&(c, _)| elements.first.iter().any(|&first| wanted(first + u16::from(c))));
                !scatter.values.is_empty()
            }
            Self::Memory(memory) => {
                memory.results.retain(|result| wanted(result.register));
                true
            }
            Self::Emit(_) | Self::Synchronise => true,
        }
    }
}

/// The lane registers of an array.
#[derive(Clone, Debug)]
pub struct Elements {
    /// The first lane register of each element.
    pub first: Vec<u16>,
    /// Number of lane registers of an element.
    pub each: u16,
}

impl Elements {
    fn registers(&self) -> impl Iterator<Item = u16> {
        self.first.iter().flat_map(|&first| first..first + self.each)
    }
}

/// A relative parameter read over lane registers. The values have no modifiers; the operand applies them
/// later.
#[derive(Clone, Debug)]
pub struct Gather {
    /// The parameter of the array.
    pub choice: Choice,
    /// First parameter of the array.
    pub first: u16,
    /// Components read and their lane registers.
    pub results: Vec<(u8, u16)>,
}

/// A relative read of attributes or temporaries over lane registers.
#[derive(Clone, Debug)]
pub struct GatherRegisters {
    pub choice: Choice,
    pub elements: Elements,
    /// Offset in an element's lane registers, and the lane register of the result.
    pub results: Vec<(u8, u16)>,
}

/// A read of results of other invocations of the patch, which are adjacent lanes.
#[derive(Clone, Debug)]
pub struct GatherAcross {
    /// The invocation, counted from `first`, and the result.
    pub choice: Choice,
    /// The first invocation that `choice` can select.
    pub first: u8,
    /// The array of results.
    pub elements: Elements,
    /// Number of invocations of a patch.
    pub group: u8,
    /// Components read and the lane registers that receive them.
    pub results: Vec<(u8, u16)>,
}

/// Lane registers that select the spot in the pixel.
#[derive(Clone, Copy, Debug)]
pub enum SpotRegisters {
    /// Offset x and y, in pixels.
    Offset([u16; 2]),
    Centroid,
    /// Sample number.
    Sample(u16),
}

/// A read of an attribute at a spot of the pixel over lane registers.
#[derive(Clone, Debug)]
pub struct Evaluate {
    /// The attribute, if it is selected at run time.
    pub choice: Option<Choice>,
    /// The first lane register of each possible attribute, and the attribute if it depends on the spot.
    pub attributes: Vec<(u16, Option<Attribute>)>,
    pub spot: SpotRegisters,
    /// Components read and their lane registers.
    pub results: Vec<(u8, u16)>,
}

impl Evaluate {
    fn read(&self) -> Vec<u16> {
        let attributes = self.attributes.iter();
        let values =
            attributes.flat_map(|(first, _)| self.results.iter().map(move |&(c, _)| first + u16::from(c)));
        let chosen = self.choice.into_iter().flat_map(Choice::registers);
        let mut read: Vec<u16> = values.chain(chosen).collect();
        match self.spot {
            SpotRegisters::Offset(offset) => read.extend(offset),
            SpotRegisters::Centroid => {}
            SpotRegisters::Sample(sample) => read.push(sample),
        }
        read
    }
}

/// TGALL, TGANY or TGEQ among the invocations of each patch, which are adjacent lanes.
#[derive(Clone, Debug)]
pub struct Vote {
    pub question: ops::Vote,
    /// Type of the operand and the result.
    pub ty: Type,
    /// Number of invocations of a patch.
    pub group: u8,
    pub components: Vec<VoteComponent>,
}

/// The lane registers of one component of a vote. Votes have no 64-bit types (NV_gpu_program5 table X.13).
#[derive(Clone, Copy, Debug)]
pub struct VoteComponent {
    pub operand: u16,
    pub result: u16,
}

/// A relative write of results or temporaries over lane registers.
#[derive(Clone, Debug)]
pub struct Scatter {
    pub choice: Choice,
    pub elements: Elements,
    /// Offset in an element's lane registers, and the lane register of the value.
    pub values: Vec<(u8, u16)>,
    /// The condition of each component, and the lane register that it tests, swizzled.
    pub test: Option<(Condition, [u16; 4])>,
    /// The mask lane register, if only its lanes are written.
    pub mask: Option<u16>,
    /// For per-patch results, the number of adjacent lanes that share them, and the index of the instruction.
    pub group: Option<(u8, usize)>,
}

/// An access to memory over lane registers. A 64-bit value has two lane registers, low words first. A 32-bit
/// value has a lane register of zeros as the second.
#[derive(Clone, Debug)]
pub struct MemoryRegisters {
    /// Index of the instruction.
    pub pc: usize,
    /// Storage type of the access.
    pub storage: Storage,
    pub action: ActionRegisters,
    pub place: PlaceRegisters,
    /// Lane registers of loaded values.
    pub results: Vec<ResultRegister>,
}

/// [`crate::memory::Action`] over lane registers.
#[derive(Clone, Copy, Debug)]
pub enum ActionRegisters {
    Load,
    /// Stores the components of this vector.
    Store([[u16; 2]; 4]),
    /// Combines this vector with the value in memory.
    Atomic(Atomic, [[u16; 2]; 4]),
}

/// [`crate::memory::Place`] over lane registers.
#[derive(Clone, Copy, Debug)]
pub enum PlaceRegisters {
    /// At an address.
    Address([u16; 2]),
    /// A texel of an image.
    Image {
        /// The image.
        image: ImageAccess,
        /// The unit of an array of images.
        unit: Number,
        /// The coordinates.
        coordinates: [u16; 4],
    },
    /// In a parameter buffer.
    Buffer {
        /// The buffer.
        buffer: BufferRef,
        /// The binding point of an array of buffers.
        point: Number,
        element: Number,
    },
}

/// The lane register of one word of a loaded component.
#[derive(Clone, Copy, Debug)]
pub struct ResultRegister {
    /// 0 = x.
    pub component: u8,
    /// 0 for the low word.
    pub word: u8,
    pub register: u16,
}

impl MemoryRegisters {
    fn read(&self) -> Vec<u16> {
        let values: &[[u16; 2]] = match &self.action {
            ActionRegisters::Load => &[],
            ActionRegisters::Store(values) | ActionRegisters::Atomic(_, values) => values,
        };
        let mut registers = values.as_flattened().to_vec();
        match self.place {
            PlaceRegisters::Address(address) => registers.extend(address),
            PlaceRegisters::Image { unit, coordinates, .. } => {
                registers.extend(coordinates);
                registers.extend(unit.register());
            }
            PlaceRegisters::Buffer { point, element, .. } => {
                registers.extend([point, element].iter().filter_map(Number::register));
            }
        }
        registers
    }

    /// Whether the access may change memory.
    pub const fn writes(&self) -> bool {
        !matches!(self.action, ActionRegisters::Load)
    }
}

/// EMIT, EMITS or ENDPRIM over lane registers.
#[derive(Clone, Debug)]
pub struct EmitRegisters {
    pub emit: Emit,
    /// Lane register of the stream number; without one, the number is 0.
    pub stream: Option<u16>,
    /// For each output, the first lane register, the type, and the initial value that it has while undefined.
    pub results: Vec<(u16, Type, [f32; 4])>,
}

impl EmitRegisters {
    fn registers(&self) -> impl Iterator<Item = u16> {
        self.results.iter().flat_map(|&(first, ty, _)| first..first + registers_of(ty))
    }
}

/// The source of a lookup's level of detail.
#[derive(Clone, Copy, Debug)]
pub enum Detail {
    /// Differences between lanes of the quad.
    Quad,
    /// Lane registers of the derivatives along x and y.
    Sides([[u16; 3]; 2]),
    /// A lane register with the level.
    Level(u16),
}

/// Texel offset of a lookup, over lane registers of integers.
#[derive(Clone, Copy, Debug)]
pub enum OffsetRegisters {
    /// Equal in all lanes.
    Same([i8; 3]),
    /// Lane registers along s, t, r.
    Lanes([u16; 3]),
    /// For TXGO: along s and along t for each result component.
    Apart([[u16; 4]; 2]),
}

impl OffsetRegisters {
    /// All lane registers.
    pub fn registers(&self) -> impl Iterator<Item = u16> {
        let all: &[u16] = match self {
            Self::Same(_) => &[],
            Self::Lanes(registers) => registers,
            Self::Apart(registers) => registers.as_flattened(),
        };
        all.iter().copied()
    }
}

/// A texture lookup over lane registers.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Units, target and component.
    pub access: TextureAccess,
    /// Index of the unit.
    pub unit: Number,
    pub question: Question,
    /// Lane registers of x, y, z, w after projection.
    pub coordinates: [u16; 4],
    pub detail: Detail,
    /// Lane register of the bias, for TXB.
    pub bias: Option<u16>,
    pub offset: OffsetRegisters,
    /// Lane register of each result component, if needed.
    pub results: [Option<u16>; 4],
}

impl Sample {
    fn read(&self) -> Vec<u16> {
        let mut registers = self.coordinates.to_vec();
        match self.detail {
            Detail::Quad => {}
            Detail::Sides(sides) => registers.extend(sides.as_flattened()),
            Detail::Level(register) => registers.push(register),
        }
        registers.extend(self.bias);
        registers.extend(self.offset.registers());
        registers.extend(self.unit.register());
        registers
    }
}

/// A texel fetch or a size query over lane registers.
#[derive(Clone, Debug)]
pub struct Texels {
    /// Units and target.
    pub access: TextureAccess,
    /// Index of the unit.
    pub unit: Number,
    /// Fetch or size query.
    pub asked: Texel,
    /// The instruction's type.
    pub ty: Type,
    /// Lane registers of the operand, integers.
    pub operand: [u16; 4],
    pub offset: OffsetRegisters,
    /// Lane register of each result component, if needed.
    pub results: [Option<u16>; 4],
}

impl Texels {
    fn read(&self) -> Vec<u16> {
        self.operand.into_iter().chain(self.offset.registers()).chain(self.unit.register()).collect()
    }
}
