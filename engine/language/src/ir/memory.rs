//! Memory accesses (NV_gpu_program5 2.X.4.5, Table X.Y), references to parameter buffers, and emits of
//! geometry programs.

use super::{ImageAccess, TempId, Write, limits};
use crate::isa::{AccessKind, AccessPlace, Atomic, Caching, Count, Format, Storage, Type};

/// A LOAD, STORE, ATOM, LOADIM, STOREIM or ATOMIM. The last operand is the location: a 64-bit scalar address,
/// or texel coordinates in a vector of signed integers. LDC instead has a [`BufferRef`] operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    pub access: Access,
    /// The image that is accessed. `None` for memory addresses.
    pub image: Option<ImageAccess>,
    /// The format in memory. For a formatted store, the format of the data before conversion.
    pub storage: Storage,
    /// `COH`, `VOL`.
    pub caching: Caching,
}

/// The kind of memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// LOAD, LOADIM: operand 0 is the location.
    Load(Write),
    /// STORE, STOREIM: stores operand 0 at the location in operand 1.
    Store,
    /// ATOM, ATOMIM: combines operand 0 with the value at the location in operand 1, and returns the old
    /// value.
    Atomic(Write, Atomic),
}

impl Access {
    pub const fn kind(&self) -> AccessKind {
        match self {
            Self::Load(_) => AccessKind::Load,
            Self::Store => AccessKind::Store,
            Self::Atomic(..) => AccessKind::Atomic,
        }
    }

    /// The destination of the result, if the access has one.
    pub const fn write(&self) -> Option<&Write> {
        match self {
            Self::Load(write) | Self::Atomic(write, _) => Some(write),
            Self::Store => None,
        }
    }

    pub const fn write_mut(&mut self) -> Option<&mut Write> {
        match self {
            Self::Load(write) | Self::Atomic(write, _) => Some(write),
            Self::Store => None,
        }
    }
}

impl Memory {
    pub const fn place(&self) -> AccessPlace {
        if self.image.is_some() { AccessPlace::Image } else { AccessPlace::Address }
    }

    /// The components that the access reads of operand `index`, bit 0 = x.
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

    /// Whether the access can change memory.
    pub const fn writes(&self) -> bool {
        matches!(self.access, Access::Store | Access::Atomic(..))
    }
}

/// An index: a register component that holds a signed integer, plus a constant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Index {
    /// The register and its component, 0 = x. `None` for a constant index.
    pub register: Option<(TempId, u8)>,
    /// The constant that is added.
    pub offset: i64,
}

impl Index {
    /// A register component plus `offset`.
    pub const fn computed(register: TempId, component: u8, offset: i64) -> Self {
        Self { register: Some((register, component)), offset }
    }

    pub const fn constant(offset: i64) -> Self {
        Self { register: None, offset }
    }
}

named_enum! {
    /// The unit of the elements of a parameter buffer variable. The name is the keyword of the declaration.
    pub enum BufferUnit(
        /// Distance between elements in bytes.
        pub stride: u32,
    ) {
        /// Words, each replicated to all components.
        Word = "BUFFER" => (4),
        /// Vectors of four words.
        Vector = "BUFFER4" => (16),
        /// Bytes. Only LDC reads them.
        Byte = "CBUFFER" => (1),
    }
}

impl BufferUnit {
    /// The number of elements of the largest buffer.
    pub const fn most_elements(self) -> u32 {
        limits::PARAMETER_BUFFER_BYTES / self.stride()
    }

    /// The format in which an operand reads one element. LDC has a format of its own.
    pub const fn storage(self) -> Storage {
        match self {
            Self::Word | Self::Byte => Storage::F32,
            Self::Vector => Storage::new(Format::F32, Some(Count::Four)),
        }
    }
}

/// A program parameter buffer variable (NV_gpu_program4 2.X.3.6, NV_parameter_buffer_object2 2.X.3.6,
/// NV_gpu_program5 2.X.3.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferVariable {
    pub name: String,
    pub unit: BufferUnit,
    /// The declared type of the values; fp32 by default.
    pub ty: Type,
    /// The first binding point.
    pub first: u8,
    /// The number of binding points.
    pub count: u8,
    /// Whether references have an index that selects the binding point.
    pub spans: bool,
    /// The first element within a buffer.
    pub element: u32,
    /// The number of elements.
    pub elements: u32,
    /// Whether references have an index that selects the element.
    pub is_array: bool,
}

/// An element of a program parameter buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferRef {
    /// Index into [`super::Program::buffers`].
    pub variable: u16,
    /// The binding point, relative to the variable's first.
    pub point: Index,
    /// The element, relative to the variable's first.
    pub element: Index,
    /// The format that is read.
    pub storage: Storage,
}

impl BufferRef {
    /// The registers that the indices read.
    pub fn registers(&self) -> impl Iterator<Item = (TempId, u8)> + use<> {
        [self.point.register, self.element.register].into_iter().flatten()
    }
}
