//! What is done by hand: lookups, what each lane reads or writes at an address of its own, memory, emitted vertices.

use super::layout::registers_of;
use crate::exec::AddressForm;
use crate::exec::lookup::Question;
use shadestep_language::ir::{
    Atomic, Attribute, BufferRef, Condition, Emit, ImageAccess, Storage, TextureAccess, Type,
};
use shadestep_language::semantics::ops;
use shadestep_language::semantics::plan::Texel;

/// What reads or writes more than lane registers of its own lane.
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
    /// Read of what other invocations of the patch have written.
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

/// What a relative reference adds up.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// Lane register of the component.
    pub register: u16,
    /// How that holds its number.
    pub form: AddressForm,
    /// Added to it.
    pub offset: i64,
}

impl Address {
    /// The element that `value`, of one lane, selects.
    pub fn index(&self, value: f32) -> i64 {
        self.form.index(value, self.offset)
    }
}

/// A number that a reference adds up, or a constant.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// The same for all.
    Fixed(i64),
    /// Each lane its own.
    Register(Address),
}

impl Number {
    /// The lane register of one that each lane has its own of.
    pub const fn register(&self) -> Option<u16> {
        match self {
            Self::Fixed(_) => None,
            Self::Register(address) => Some(address.register),
        }
    }

    /// What it comes to in a lane, of which `value` has the lane registers.
    pub fn value(&self, value: impl Fn(u16) -> f32) -> i64 {
        match self {
            Self::Fixed(number) => *number,
            Self::Register(address) => address.index(value(address.register)),
        }
    }
}

/// Which element of an array a relative reference leads to.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Of which vertex, and which of its elements.
    pub numbers: [Number; 2],
    /// How many there are of each.
    pub counts: [u16; 2],
}

impl Choice {
    /// The lane registers that choose.
    pub fn registers(self) -> impl Iterator<Item = u16> {
        self.numbers.into_iter().filter_map(|number| number.register())
    }

    /// The element's place in the array in a lane, of which `value` has the lane registers; nothing outside of the array.
    pub fn place(&self, value: impl Fn(u16) -> f32) -> Option<usize> {
        let within = |which: usize| {
            let number = usize::try_from(self.numbers[which].value(&value)).ok()?;
            Some(number).filter(|number| *number < usize::from(self.counts[which]))
        };
        Some(within(0)? * usize::from(self.counts[1]) + within(1)?)
    }
}

impl Effect {
    /// The lane registers that it writes in every lane.
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
            // Some lanes keep what they had.
            Self::Scatter(_) | Self::Emit(_) | Self::Synchronise => Vec::new(),
        }
    }

    /// The lane registers that it reads.
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

    /// Leaves out results in lane registers that are not wanted; whether anything is left to do. Memory is accessed
    /// in any case: what is written stays, and what is wrong with a read is told.
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
    /// The first of each element.
    pub first: Vec<u16>,
    /// How many each has.
    pub each: u16,
}

impl Elements {
    fn registers(&self) -> impl Iterator<Item = u16> {
        self.first.iter().flat_map(|&first| first..first + self.each)
    }
}

/// A relative parameter read over lane registers. Values are the parameters' own; signs are the reader's affair.
#[derive(Clone, Debug)]
pub struct Gather {
    /// Which parameter of the array.
    pub choice: Choice,
    /// First parameter of the array.
    pub first: u16,
    /// Components read and their lane registers.
    pub results: Vec<(u8, u16)>,
}

/// A relative read of attributes or temporaries over lane registers.
#[derive(Clone, Debug)]
pub struct GatherRegisters {
    /// Which element.
    pub choice: Choice,
    /// The array.
    pub elements: Elements,
    /// Which of an element's lane registers are read, and those that receive them.
    pub results: Vec<(u8, u16)>,
}

/// A read of results of the invocations of a patch, which are lanes side by side.
#[derive(Clone, Debug)]
pub struct GatherAcross {
    /// Of which invocation behind `first`, and which result.
    pub choice: Choice,
    /// The first invocation that `choice` may be of.
    pub first: u8,
    /// The results.
    pub elements: Elements,
    /// How many invocations a patch has.
    pub group: u8,
    /// Components read and the lane registers that receive them.
    pub results: Vec<(u8, u16)>,
}

/// The lane registers that say where in its pixel an attribute is evaluated.
#[derive(Clone, Copy, Debug)]
pub enum SpotRegisters {
    /// x and y of an offset.
    Offset([u16; 2]),
    Centroid,
    /// The number of a sample.
    Sample(u16),
}

/// A read of an attribute at a spot of the pixel over lane registers.
#[derive(Clone, Debug)]
pub struct Evaluate {
    /// Which attribute, where that is chosen at run time.
    pub choice: Option<Choice>,
    /// The first lane register of each that may be read, and which it is, if its place matters.
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

/// TGALL, TGANY or TGEQ over the invocations of each patch, which are lanes side by side.
#[derive(Clone, Debug)]
pub struct Vote {
    pub question: ops::Vote,
    /// Type of the operand and the result.
    pub ty: Type,
    /// How many invocations a patch has.
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
    /// Which element.
    pub choice: Choice,
    /// The array.
    pub elements: Elements,
    /// Which of an element's lane registers are written, and the lane registers of their values.
    pub values: Vec<(u8, u16)>,
    /// The condition under which each component is written and the first of the lane registers that it tests;
    /// swizzled.
    pub test: Option<(Condition, [u16; 4])>,
    /// The mask lane register, where only its lanes are written.
    pub mask: Option<u16>,
    /// How many lanes side by side share what is written, of results that patches have, and the index of the instruction.
    pub group: Option<(u8, usize)>,
}

/// An access to memory over lane registers. A value of 64 bits has two lane registers, the low words first; of 32
/// bits the second is one of zeros.
#[derive(Clone, Debug)]
pub struct MemoryRegisters {
    /// Index of the instruction.
    pub pc: usize,
    /// What is accessed.
    pub storage: Storage,
    /// What is done.
    pub action: ActionRegisters,
    /// Where.
    pub place: PlaceRegisters,
    /// What was read.
    pub results: Vec<ResultRegister>,
}

/// [`crate::memory::Action`] over lane registers.
#[derive(Clone, Copy, Debug)]
pub enum ActionRegisters {
    /// Reads.
    Load,
    /// Writes the components of this vector.
    Store([[u16; 2]; 4]),
    /// Combines this vector with what is there.
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
        /// Which unit of the variable.
        unit: Number,
        /// The coordinates.
        coordinates: [u16; 4],
    },
    /// In a parameter buffer.
    Buffer {
        /// The buffer.
        buffer: BufferRef,
        /// Which of its binding points.
        point: Number,
        /// Which element.
        element: Number,
    },
}

/// The lane register of a word of a component that was read.
#[derive(Clone, Copy, Debug)]
pub struct ResultRegister {
    /// 0 = x.
    pub component: u8,
    /// 0 for the low word.
    pub word: u8,
    /// The lane register.
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

    /// Whether it may change memory.
    pub const fn writes(&self) -> bool {
        !matches!(self.action, ActionRegisters::Load)
    }
}

/// What geometry programs do to their output, over lane registers.
#[derive(Clone, Debug)]
pub struct EmitRegisters {
    /// What is done.
    pub emit: Emit,
    /// Lane register of the stream's number; without, it is 0.
    pub stream: Option<u16>,
    /// Of each output the first lane register, its type and what it holds while it is undefined.
    pub results: Vec<(u16, Type, [f32; 4])>,
}

impl EmitRegisters {
    fn registers(&self) -> impl Iterator<Item = u16> {
        self.results.iter().flat_map(|&(first, ty, _)| first..first + registers_of(ty))
    }
}

/// Where a lookup takes its level of detail from.
#[derive(Clone, Copy, Debug)]
pub enum Detail {
    /// Differences within the quad.
    Quad,
    /// Lane registers of the derivatives along x and y.
    Sides([[u16; 3]; 2]),
    /// A lane register with the level.
    Level(u16),
}

/// What a lookup adds to texel coordinates, over lane registers of integers.
#[derive(Clone, Copy, Debug)]
pub enum OffsetRegisters {
    /// The same in all lanes.
    Same([i8; 3]),
    /// Lane registers along s, t, r.
    Lanes([u16; 3]),
    /// Those of TXGO: along s and along t of each result component.
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
    /// Which of the units.
    pub unit: Number,
    /// What is asked of it.
    pub question: Question,
    /// Lane registers of x, y, z, w after projection.
    pub coordinates: [u16; 4],
    /// Level of detail.
    pub detail: Detail,
    /// Lane register of the bias, for TXB.
    pub bias: Option<u16>,
    /// Offset in texels.
    pub offset: OffsetRegisters,
    /// Lane register that receives each texel component, if needed.
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
    /// Which of the units.
    pub unit: Number,
    /// Which of them.
    pub asked: Texel,
    /// The instruction's type.
    pub ty: Type,
    /// Lane registers of the operand, integers.
    pub operand: [u16; 4],
    /// Offset in texels.
    pub offset: OffsetRegisters,
    /// Lane register that receives each component, if needed.
    pub results: [Option<u16>; 4],
}

impl Texels {
    fn read(&self) -> Vec<u16> {
        self.operand.into_iter().chain(self.offset.registers()).chain(self.unit.register()).collect()
    }
}
