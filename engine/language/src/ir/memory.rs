//! Memory: how it is accessed (NV_gpu_program5 2.X.4.5, Table X.Y), and what geometry programs emit.

use super::{ImageAccess, TempId, Write, limits};
use crate::isa::{Atomic, Caching, Count, Format, Storage, Type};

/// LOAD, STORE, ATOM, or LOADIM, STOREIM, ATOMIM. The last operand is the place: an address, a scalar of 64 bits, or the
/// coordinates of a texel, a vector of signed integers (LDC reads an operand that is a buffer: see [`BufferRef`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Which of them.
    pub access: Access,
    /// The image that it accesses; none for addresses.
    pub image: Option<ImageAccess>,
    /// What is there; of a formatted store the data, before they are converted.
    pub storage: Storage,
    /// `COH`, `VOL`.
    pub caching: Caching,
}

/// What is done with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// LOAD, LOADIM: operand 0 is the place.
    Load(Write),
    /// STORE, STOREIM: operand 0 goes to the place in operand 1.
    Store,
    /// ATOM, ATOMIM: combines operand 0 with what is at the place in operand 1, and gives what was there.
    Atomic(Write, Atomic),
}

impl Access {
    /// What becomes of its result, if it has one.
    pub const fn write(&self) -> Option<&Write> {
        match self {
            Self::Load(write) | Self::Atomic(write, _) => Some(write),
            Self::Store => None,
        }
    }

    /// The same, to change it.
    pub const fn write_mut(&mut self) -> Option<&mut Write> {
        match self {
            Self::Load(write) | Self::Atomic(write, _) => Some(write),
            Self::Store => None,
        }
    }
}

impl Memory {
    /// The components of operand `index` that it reads, bit 0 = x.
    pub const fn operand_used(&self, index: usize) -> u8 {
        match (self.access, index) {
            (Access::Store, 0) => ((1u16 << self.storage.count()) - 1) as u8,
            (Access::Atomic(_, atomic), 0) => atomic.operand_used(),
            _ => match &self.image {
                Some(image) => image.coordinates(),
                None => 0b1,
            },
        }
    }

    /// Whether it may change memory.
    pub const fn writes(&self) -> bool {
        matches!(self.access, Access::Store | Access::Atomic(..))
    }
}

/// A number that a program works out: a component of a register that holds signed integers, and a constant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Index {
    /// The register and its component, 0 = x; none for a constant.
    pub register: Option<(TempId, u8)>,
    /// Added to it.
    pub offset: i64,
}

impl Index {
    /// A component of a register, with `offset` added to it.
    pub const fn computed(register: TempId, component: u8, offset: i64) -> Self {
        Self { register: Some((register, component)), offset }
    }

    /// A constant.
    pub const fn constant(offset: i64) -> Self {
        Self { register: None, offset }
    }
}

/// What the elements of a parameter buffer variable are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferUnit {
    /// `BUFFER`: words, which are the same in all components.
    Word,
    /// `BUFFER4`: vectors of four words.
    Vector,
    /// `CBUFFER`: bytes, for LDC.
    Byte,
}

impl BufferUnit {
    /// What declares it.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Word => "BUFFER",
            Self::Vector => "BUFFER4",
            Self::Byte => "CBUFFER",
        }
    }

    /// Bytes from one element to the next.
    pub const fn stride(self) -> u32 {
        match self {
            Self::Word => 4,
            Self::Vector => 16,
            Self::Byte => 1,
        }
    }

    /// Elements of the largest buffer.
    pub const fn most_elements(self) -> u32 {
        limits::PARAMETER_BUFFER_BYTES / self.stride()
    }

    /// What an operand reads of one element; LDC says itself what it reads.
    pub const fn storage(self) -> Storage {
        match self {
            Self::Word | Self::Byte => Storage::F32,
            Self::Vector => Storage::new(Format::F32, Some(Count::Four)),
        }
    }
}

/// A program parameter buffer variable (NV_gpu_program4 2.X.3.6, NV_parameter_buffer_object2 2.X.3.6, NV_gpu_program5
/// 2.X.3.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferVariable {
    /// Its name in the program.
    pub name: String,
    /// What its elements are.
    pub unit: BufferUnit,
    /// The type that its values are declared to have; fp32 if none is.
    pub ty: Type,
    /// The first binding point.
    pub first: u8,
    /// How many there are.
    pub count: u8,
    /// Whether an index says which.
    pub spans: bool,
    /// The first element.
    pub element: u32,
    /// How many there are.
    pub elements: u32,
    /// Whether an index says which.
    pub is_array: bool,
}

/// An element of a program parameter buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferRef {
    /// Index into [`super::Program::buffers`].
    pub variable: u16,
    /// Which of the variable's binding points.
    pub point: Index,
    /// Which of its elements.
    pub element: Index,
    /// What is read there.
    pub storage: Storage,
}

impl BufferRef {
    /// The registers that it reads.
    pub fn registers(&self) -> impl Iterator<Item = (TempId, u8)> + use<> {
        [self.point.register, self.element.register].into_iter().flatten()
    }
}

/// What geometry programs do to their output (NV_geometry_program4 2.X.8, NV_gpu_program5 2.X.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Emit {
    /// EMIT: a vertex of what the results hold, to stream 0. The results are undefined then.
    Vertex,
    /// EMITS: the same to the stream that operand 0 says.
    ToStream,
    /// ENDPRIM: ends the primitive. The results stay.
    EndPrimitive,
}
