//! Memory: how it is accessed (NV_gpu_program5 2.X.4.5, Table X.Y), and what geometry programs emit.

use super::{TempId, Type, Write};

/// What the components of an access are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// `F`
    Float,
    /// `S`
    Signed,
    /// `U`
    Unsigned,
}

/// A storage modifier: what is read or written at an address, `F32X4`, `U8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Storage {
    base: Base,
    /// Bytes of a component: 1, 2, 4 or 8.
    bytes: u8,
    /// Components: 1, 2 or 4.
    count: u8,
}

/// Bytes of the largest access.
pub const MAX_ACCESS: usize = 32;

impl Storage {
    const fn new(base: Base, bits: u8, count: u8) -> Self {
        Self { base, bytes: bits / 8, count }
    }

    /// The modifiers of NV_gpu_program5, in the order of its table, then those of NV_gpu_program5_mem_extended.
    pub const ALL: [Self; 33] = {
        use Base::{Float, Signed, Unsigned};
        [
            Self::new(Float, 32, 1),
            Self::new(Float, 32, 2),
            Self::new(Float, 32, 4),
            Self::new(Float, 64, 1),
            Self::new(Float, 64, 2),
            Self::new(Float, 64, 4),
            Self::new(Signed, 8, 1),
            Self::new(Signed, 16, 1),
            Self::new(Signed, 32, 1),
            Self::new(Signed, 32, 2),
            Self::new(Signed, 32, 4),
            Self::new(Signed, 64, 1),
            Self::new(Signed, 64, 2),
            Self::new(Signed, 64, 4),
            Self::new(Unsigned, 8, 1),
            Self::new(Unsigned, 16, 1),
            Self::new(Unsigned, 32, 1),
            Self::new(Unsigned, 32, 2),
            Self::new(Unsigned, 32, 4),
            Self::new(Unsigned, 64, 1),
            Self::new(Unsigned, 64, 2),
            Self::new(Unsigned, 64, 4),
            Self::new(Float, 16, 1),
            Self::new(Float, 16, 2),
            Self::new(Float, 16, 4),
            Self::new(Signed, 8, 2),
            Self::new(Signed, 8, 4),
            Self::new(Signed, 16, 2),
            Self::new(Signed, 16, 4),
            Self::new(Unsigned, 8, 2),
            Self::new(Unsigned, 8, 4),
            Self::new(Unsigned, 16, 2),
            Self::new(Unsigned, 16, 4),
        ]
    };

    /// One fp32 value.
    pub const F32: Self = Self::new(Base::Float, 32, 1);
    /// One unsigned integer of 32 bits.
    pub const U32: Self = Self::new(Base::Unsigned, 32, 1);
    /// One signed integer of 32 bits.
    pub const S32: Self = Self::new(Base::Signed, 32, 1);
    /// One unsigned integer of 64 bits.
    pub const U64: Self = Self::new(Base::Unsigned, 64, 1);

    /// The modifier that is written so.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|storage| storage.name() == name)
    }

    /// As written.
    pub fn name(self) -> String {
        let base = match self.base {
            Base::Float => 'F',
            Base::Signed => 'S',
            Base::Unsigned => 'U',
        };
        let count = if self.count == 1 { String::new() } else { format!("X{}", self.count) };
        format!("{base}{}{count}", 8 * self.bytes)
    }

    /// What its components are.
    pub const fn base(self) -> Base {
        self.base
    }

    /// Bytes of a component.
    pub const fn component_bytes(self) -> usize {
        self.bytes as usize
    }

    /// How many components it has.
    pub const fn count(self) -> usize {
        self.count as usize
    }

    /// Bytes in all, which is also what an address must be a multiple of.
    pub const fn size(self) -> usize {
        self.component_bytes() * self.count()
    }

    /// The type that components have in registers.
    pub const fn ty(self) -> Type {
        match (self.base, self.bytes == 8) {
            (Base::Float, false) => Type::F32,
            (Base::Float, true) => Type::F64,
            (Base::Signed, false) => Type::S32,
            (Base::Signed, true) => Type::S64,
            (Base::Unsigned, false) => Type::U32,
            (Base::Unsigned, true) => Type::U64,
        }
    }
}

/// What ATOM does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atomic {
    /// `ADD`
    Add,
    /// `MIN`
    Min,
    /// `MAX`
    Max,
    /// `IWRAP`: adds one, from the operand on back to 0.
    IncrementWrap,
    /// `DWRAP`: takes one away, from 0 and from beyond the operand to the operand.
    DecrementWrap,
    /// `AND`
    And,
    /// `OR`
    Or,
    /// `XOR`
    Xor,
    /// `EXCH`
    Exchange,
    /// `CSWAP`: stores the operand's y where memory holds its x.
    CompareSwap,
}

impl Atomic {
    /// All of them, in the order of Table X.Y.
    pub const ALL: [Self; 10] = [
        Self::Add,
        Self::Min,
        Self::Max,
        Self::IncrementWrap,
        Self::DecrementWrap,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Exchange,
        Self::CompareSwap,
    ];

    /// As written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "ADD",
            Self::Min => "MIN",
            Self::Max => "MAX",
            Self::IncrementWrap => "IWRAP",
            Self::DecrementWrap => "DWRAP",
            Self::And => "AND",
            Self::Or => "OR",
            Self::Xor => "XOR",
            Self::Exchange => "EXCH",
            Self::CompareSwap => "CSWAP",
        }
    }

    /// The storage modifiers that Table X.Y has for it.
    pub const fn storages(self) -> &'static [Storage] {
        match self {
            Self::Add | Self::Exchange | Self::CompareSwap => &[Storage::U32, Storage::S32, Storage::U64],
            Self::Min | Self::Max | Self::And | Self::Or | Self::Xor => &[Storage::U32, Storage::S32],
            Self::IncrementWrap | Self::DecrementWrap => &[Storage::U32],
        }
    }

    /// The components of operand 0 that it reads, bit 0 = x.
    pub const fn operand_used(self) -> u8 {
        if matches!(self, Self::CompareSwap) { 0b11 } else { 0b1 }
    }
}

/// `COH` and `VOL`. They say how accesses of invocations that run at the same time are seen. Here each takes effect as it is
/// carried out and everybody sees it, so they are kept for display.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Caching {
    /// `COH`: through a coherent level of the caches.
    pub coherent: bool,
    /// `VOL`: as if somebody else could change it at any time.
    pub volatile: bool,
}

/// LOAD, STORE or ATOM. The last operand is the address, a scalar of 64 bits (LDC reads an operand that is a buffer: see
/// [`BufferRef`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Which of them.
    pub access: Access,
    /// What is at the address.
    pub storage: Storage,
    /// `COH`, `VOL`.
    pub caching: Caching,
}

/// What is done with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// LOAD: operand 0 is the address.
    Load(Write),
    /// STORE: operand 0 goes to the address in operand 1.
    Store,
    /// ATOM: combines operand 0 with what is at the address in operand 1, and gives what was there.
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
            (Access::Store, 0) => ((1u16 << self.storage.count) - 1) as u8,
            (Access::Atomic(_, atomic), 0) => atomic.operand_used(),
            // The address.
            _ => 0b1,
        }
    }

    /// Whether operand `index` is the address.
    pub const fn is_address(&self, index: usize) -> bool {
        match self.access {
            Access::Load(_) => index == 0,
            Access::Store | Access::Atomic(..) => index == 1,
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
    /// A constant.
    pub const fn constant(offset: i64) -> Self {
        Self { register: None, offset }
    }
}

/// An element of a program parameter buffer (NV_parameter_buffer_object, NV_parameter_buffer_object2 and NV_gpu_program5
/// 2.X.3.6): components of `storage` at byte `stride * element` of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferRef {
    /// The first binding point of the variable.
    pub first: u8,
    /// How many binding points it spans.
    pub count: u8,
    /// Which of them.
    pub point: Index,
    /// Which element.
    pub element: Index,
    /// Bytes from one element to the next: 1 for `CBUFFER`, 4 for `BUFFER`, 16 for `BUFFER4`.
    pub stride: u8,
    /// What is read of it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_are_those_of_the_tables() {
        // NV_gpu_program5 2.X.4.1, and NV_gpu_program5_mem_extended's.
        let names = "F32 F32X2 F32X4 F64 F64X2 F64X4 S8 S16 S32 S32X2 S32X4 S64 S64X2 S64X4 U8 U16 U32 U32X2 U32X4 \
                     U64 U64X2 U64X4 F16 F16X2 F16X4 S8X2 S8X4 S16X2 S16X4 U8X2 U8X4 U16X2 U16X4";
        let names: Vec<&str> = names.split_whitespace().collect();
        assert_eq!(Storage::ALL.map(Storage::name).to_vec(), names);
        for (storage, name) in Storage::ALL.into_iter().zip(names) {
            assert_eq!(Storage::named(name), Some(storage));
        }
        let size = |name: &str| Storage::named(name).map(Storage::size);
        let sizes = ["U8", "S16", "F16X2", "F32", "S16X4", "F64", "U32X4", "F64X4"].map(size);
        assert_eq!(sizes, [1, 2, 4, 4, 8, 8, 16, 32].map(Some));
        assert_eq!(Storage::ALL.iter().map(|storage| storage.size()).max(), Some(MAX_ACCESS));
        let ty = |name: &str| Storage::named(name).map(Storage::ty);
        assert_eq!(
            ["S8", "U16X2", "F16", "S64X4"].map(ty),
            [Type::S32, Type::U32, Type::F32, Type::S64].map(Some)
        );
    }

    #[test]
    fn atomics_take_the_modifiers_of_their_table() {
        let table: [(&str, &[&str]); 10] = [
            ("ADD", &["U32", "S32", "U64"]),
            ("MIN", &["U32", "S32"]),
            ("MAX", &["U32", "S32"]),
            ("IWRAP", &["U32"]),
            ("DWRAP", &["U32"]),
            ("AND", &["U32", "S32"]),
            ("OR", &["U32", "S32"]),
            ("XOR", &["U32", "S32"]),
            ("EXCH", &["U32", "S32", "U64"]),
            ("CSWAP", &["U32", "S32", "U64"]),
        ];
        for (atomic, (name, storages)) in Atomic::ALL.into_iter().zip(table) {
            assert_eq!(atomic.name(), name);
            let names: Vec<String> = atomic.storages().iter().map(|storage| storage.name()).collect();
            assert_eq!(names, storages);
        }
    }
}
