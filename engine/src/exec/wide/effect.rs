//! What is done by hand: lookups, what each lane reads or writes at an address of its own, memory, emitted vertices.

use super::layout::rows_of;
use crate::exec::AddressForm;
use crate::exec::plan::Texel;
use crate::ir::{Atomic, BufferRef, Condition, Emit, Storage, TextureRef, Type};

/// What reads or writes more than rows of its own lane.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Texture lookup.
    Texture(Sample),
    /// Texel fetch or size query.
    Texels(Texels),
    /// Relative parameter read.
    Gather(Gather),
    /// Relative read of attributes or temporaries.
    GatherRows(GatherRows),
    /// Relative write of results or temporaries.
    Scatter(Scatter),
    /// Access to memory.
    Memory(MemoryRows),
    /// A vertex, or the end of a primitive.
    Emit(EmitRows),
}

/// What a relative reference adds up.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// Row of the component.
    pub row: u16,
    /// How that holds its number.
    pub form: AddressForm,
    /// Added to it.
    pub offset: i64,
}

impl Address {
    /// The element that `value`, one of the row, leads to.
    pub fn index(&self, value: f32) -> i64 {
        self.form.index(value, self.offset)
    }
}

impl Effect {
    /// The rows that it writes in every lane.
    pub fn written(&self) -> Vec<u16> {
        match self {
            Self::Texture(Sample { results, .. }) | Self::Texels(Texels { results, .. }) => {
                results.iter().flatten().copied().collect()
            }
            Self::Gather(Gather { results, .. }) | Self::GatherRows(GatherRows { results, .. }) => {
                results.iter().map(|&(_, row)| row).collect()
            }
            Self::Memory(memory) => memory.results.iter().map(|result| result.row).collect(),
            // Some lanes keep what they had.
            Self::Scatter(_) | Self::Emit(_) => Vec::new(),
        }
    }

    /// The rows that it reads.
    pub fn read(&self) -> Vec<u16> {
        match self {
            Self::Texture(sample) => sample.operands().into_iter().flatten().collect(),
            Self::Texels(texels) => texels.operand.to_vec(),
            Self::Gather(gather) => vec![gather.address.row],
            Self::GatherRows(gather) => gather.elements.rows().chain([gather.address.row]).collect(),
            Self::Scatter(scatter) => {
                let values = scatter.values.iter().map(|&(_, row)| row);
                let tested = scatter.test.iter().flat_map(|(_, tested)| *tested);
                let rest = values.chain(tested).chain(scatter.mask).chain([scatter.address.row]);
                scatter.elements.rows().chain(rest).collect()
            }
            Self::Memory(memory) => memory.read(),
            Self::Emit(emit) => emit.rows().chain(emit.stream).collect(),
        }
    }

    /// Leaves out results in rows that are not wanted; whether anything is left to do. Memory is accessed in any case: what is
    /// written stays, and what is wrong with a read is told.
    pub fn keep(&mut self, wanted: impl Fn(u16) -> bool) -> bool {
        match self {
            Self::Texture(Sample { results, .. }) | Self::Texels(Texels { results, .. }) => {
                for result in results.iter_mut() {
                    *result = result.filter(|&row| wanted(row));
                }
                results.iter().any(Option::is_some)
            }
            Self::Gather(Gather { results, .. }) | Self::GatherRows(GatherRows { results, .. }) => {
                results.retain(|&(_, row)| wanted(row));
                !results.is_empty()
            }
            Self::Scatter(scatter) => {
                let elements = &scatter.elements;
                scatter
                    .values
                    .retain(|&(c, _)| elements.first.iter().any(|&first| wanted(first + u16::from(c))));
                !scatter.values.is_empty()
            }
            Self::Memory(memory) => {
                memory.results.retain(|result| wanted(result.row));
                true
            }
            Self::Emit(_) => true,
        }
    }
}

/// The rows of an array.
#[derive(Clone, Debug)]
pub struct Elements {
    /// The first of each element.
    pub first: Vec<u16>,
    /// How many each has.
    pub each: u16,
}

impl Elements {
    fn rows(&self) -> impl Iterator<Item = u16> {
        self.first.iter().flat_map(|&first| first..first + self.each)
    }
}

/// A relative parameter read over rows. Values are the parameters' own; signs are the reader's affair.
#[derive(Clone, Debug)]
pub struct Gather {
    /// What leads to the parameter.
    pub address: Address,
    /// First parameter of the array.
    pub first: u16,
    /// Number of parameters in the array.
    pub count: u16,
    /// Components read and their rows.
    pub results: Vec<(u8, u16)>,
}

/// A relative read of attributes or temporaries over rows.
#[derive(Clone, Debug)]
pub struct GatherRows {
    /// What leads to the element.
    pub address: Address,
    /// The array.
    pub elements: Elements,
    /// Which of an element's rows are read, and their rows.
    pub results: Vec<(u8, u16)>,
}

/// A relative write of results or temporaries over rows.
#[derive(Clone, Debug)]
pub struct Scatter {
    /// What leads to the element.
    pub address: Address,
    /// The array.
    pub elements: Elements,
    /// Which of an element's rows are written, and the rows of their values.
    pub values: Vec<(u8, u16)>,
    /// The condition under which each component is written and the first of the rows that it tests; swizzled.
    pub test: Option<(Condition, [u16; 4])>,
    /// The mask row, where only its lanes are written.
    pub mask: Option<u16>,
}

/// An access to memory over rows. A value of 64 bits has two rows, the low words first; of 32 bits the second is one of zeros.
#[derive(Clone, Debug)]
pub struct MemoryRows {
    /// Index of the instruction.
    pub pc: usize,
    /// What is accessed.
    pub storage: Storage,
    /// What is done.
    pub action: RowsAction,
    /// Where.
    pub place: RowsPlace,
    /// What was read.
    pub results: Vec<RowsResult>,
}

/// [`crate::memory::Action`] over rows.
#[derive(Clone, Copy, Debug)]
pub enum RowsAction {
    /// Reads.
    Load,
    /// Writes the components of this vector.
    Store([[u16; 2]; 4]),
    /// Combines this vector with what is there.
    Atomic(Atomic, [[u16; 2]; 4]),
}

/// [`crate::memory::Place`] over rows.
#[derive(Clone, Copy, Debug)]
pub enum RowsPlace {
    /// At an address.
    Address([u16; 2]),
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

/// A number that a reference adds up, or a constant.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// The same for all.
    Fixed(i64),
    /// Each lane its own.
    Row(Address),
}

/// The row of a word of a component that was read.
#[derive(Clone, Copy, Debug)]
pub struct RowsResult {
    /// 0 = x.
    pub component: u8,
    /// 0 for the low word.
    pub word: u8,
    /// The row.
    pub row: u16,
}

impl MemoryRows {
    fn read(&self) -> Vec<u16> {
        let values: &[[u16; 2]] = match &self.action {
            RowsAction::Load => &[],
            RowsAction::Store(values) | RowsAction::Atomic(_, values) => values,
        };
        let mut rows = values.as_flattened().to_vec();
        match self.place {
            RowsPlace::Address(address) => rows.extend(address),
            RowsPlace::Buffer { point, element, .. } => {
                rows.extend([point, element].iter().filter_map(|n| match n {
                    Number::Fixed(_) => None,
                    Number::Row(address) => Some(address.row),
                }))
            }
        }
        rows
    }

    /// Whether it may change memory.
    pub const fn writes(&self) -> bool {
        !matches!(self.action, RowsAction::Load)
    }
}

/// What geometry programs do to their output, over rows.
#[derive(Clone, Debug)]
pub struct EmitRows {
    /// What is done.
    pub emit: Emit,
    /// Row of the stream's number; without, it is 0.
    pub stream: Option<u16>,
    /// Of each output the first row, its type and what it holds while it is undefined.
    pub results: Vec<(u16, Type, [f32; 4])>,
}

impl EmitRows {
    fn rows(&self) -> impl Iterator<Item = u16> {
        self.results.iter().flat_map(|&(first, ty, _)| first..first + rows_of(ty))
    }
}

/// Where a lookup takes its level of detail from.
#[derive(Clone, Copy, Debug)]
pub enum Detail {
    /// Differences within the quad.
    Quad,
    /// Rows of the derivatives along x and y.
    Sides([[u16; 3]; 2]),
    /// A row with the level.
    Level(u16),
}

/// A texture lookup over rows.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Unit and target.
    pub texture: TextureRef,
    /// Rows of s, t, r.
    pub coordinates: [u16; 3],
    /// Level of detail.
    pub detail: Detail,
    /// Row of the bias, for TXB.
    pub bias: Option<u16>,
    /// What a texture that is not complete gives.
    pub incomplete: [f32; 4],
    /// Row that receives each texel component, if needed.
    pub results: [Option<u16>; 4],
}

impl Sample {
    /// Operands that a lookup can have.
    pub const OPERANDS: usize = 11;

    /// Their rows: s, t, r, d/dx and d/dy of each, level of detail, bias.
    pub fn operands(&self) -> [Option<u16>; Self::OPERANDS] {
        let [s, t, r] = self.coordinates.map(Some);
        let ([dx, dy], level) = match self.detail {
            Detail::Quad => ([[None; 3]; 2], None),
            Detail::Sides(sides) => (sides.map(|side| side.map(Some)), None),
            Detail::Level(row) => ([[None; 3]; 2], Some(row)),
        };
        [s, t, r, dx[0], dx[1], dx[2], dy[0], dy[1], dy[2], level, self.bias]
    }
}

/// A texel fetch or a size query over rows.
#[derive(Clone, Debug)]
pub struct Texels {
    /// Unit and target.
    pub texture: TextureRef,
    /// Which of them.
    pub asked: Texel,
    /// The instruction's type.
    pub ty: Type,
    /// Rows of the operand, integers.
    pub operand: [u16; 4],
    /// Row that receives each component, if needed.
    pub results: [Option<u16>; 4],
}
