//! Storage modifiers, atomic operations and caching modifiers (NV_gpu_program5 2.X.4.5, Table X.Y).

use super::{Count, DataType, Format, Type};

/// A storage modifier: what is read or written at an address, `F32X4`, `U8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Storage {
    format: Format,
    /// Components; one if there is no count.
    count: Option<Count>,
}

/// Bytes of the largest access.
pub const MAX_ACCESS: usize = 32;

impl Storage {
    /// A modifier; one component if there is no `count`.
    pub const fn new(format: Format, count: Option<Count>) -> Self {
        Self { format, count }
    }

    /// The modifiers of NV_gpu_program5 and NV_gpu_program5_mem_extended, by format.
    pub const ALL: [Self; 3 * Format::ALL.len()] = {
        let mut all = [Self::F32; 3 * Format::ALL.len()];
        let mut place = 0;
        while place < Format::ALL.len() {
            all[3 * place] = Self::new(Format::ALL[place], None);
            all[3 * place + 1] = Self::new(Format::ALL[place], Some(Count::Two));
            all[3 * place + 2] = Self::new(Format::ALL[place], Some(Count::Four));
            place += 1;
        }
        all
    };

    /// Four components of 32 bits that formatted stores take, by their type.
    pub const fn vector(ty: Type) -> Self {
        let format = match ty {
            Type::S32 => Format::S32,
            Type::U32 => Format::U32,
            _ => Format::F32,
        };
        Self::new(format, Some(Count::Four))
    }

    /// One fp32 value.
    pub const F32: Self = Self::new(Format::F32, None);
    /// One unsigned integer of 32 bits.
    pub const U32: Self = Self::new(Format::U32, None);
    /// One signed integer of 32 bits.
    pub const S32: Self = Self::new(Format::S32, None);
    /// One unsigned integer of 64 bits.
    pub const U64: Self = Self::new(Format::U64, None);

    /// What a data type behind a point says of memory, if it says how large values are.
    pub const fn of(data: DataType) -> Option<Self> {
        match data {
            DataType::Sized(format) => Some(Self::new(format, None)),
            DataType::Several(format, count) => Some(Self::new(format, Some(count))),
            DataType::F | DataType::U | DataType::S | DataType::S24 | DataType::U24 => None,
        }
    }

    /// The data type that says so.
    pub const fn data_type(self) -> DataType {
        match self.count {
            None => DataType::Sized(self.format),
            Some(count) => DataType::Several(self.format, count),
        }
    }

    /// The modifier that is written so.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|storage| storage.name() == name)
    }

    /// As written.
    pub const fn name(self) -> &'static str {
        self.data_type().name()
    }

    /// What each component is.
    pub const fn format(self) -> Format {
        self.format
    }

    /// Bytes of a component: 1, 2, 4 or 8.
    pub const fn component_bytes(self) -> usize {
        self.format.bits() as usize / 8
    }

    /// How many components it has: 1, 2 or 4.
    pub const fn count(self) -> usize {
        match self.count {
            None => 1,
            Some(count) => count.number(),
        }
    }

    /// Bytes in all, which is also what an address must be a multiple of.
    pub const fn size(self) -> usize {
        self.component_bytes() * self.count()
    }

    /// The type that components have in registers.
    pub const fn ty(self) -> Type {
        match (self.format.is_integer(), self.format.is_signed(), self.format.bits() == 64) {
            (false, _, false) => Type::F32,
            (false, _, true) => Type::F64,
            (true, true, false) => Type::S32,
            (true, true, true) => Type::S64,
            (true, false, false) => Type::U32,
            (true, false, true) => Type::U64,
        }
    }

    /// Whether it comes with NV_gpu_program5_mem_extended.
    pub const fn is_extended(self) -> bool {
        matches!(self.format, Format::F16) || self.count.is_some() && self.format.bits() < 32
    }
}

/// What ATOM does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

    /// What it does, in a few words.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Add => "adds the operand to the value in memory",
            Self::Min => "stores the lesser of the operand and the value in memory",
            Self::Max => "stores the greater of the operand and the value in memory",
            Self::IncrementWrap => {
                "adds one to the value in memory, or wraps to 0 once it has reached the operand"
            }
            Self::DecrementWrap => {
                "subtracts one from the value in memory, or wraps to the operand from 0 and from values above the operand"
            }
            Self::And => "ANDs the operand into the value in memory",
            Self::Or => "ORs the operand into the value in memory",
            Self::Xor => "XORs the operand into the value in memory",
            Self::Exchange => "replaces the value in memory with the operand",
            Self::CompareSwap => {
                "replaces the value in memory with y of the operand if it equals x of the operand"
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_are_those_of_the_tables() {
        // NV_gpu_program5 2.X.4.1, and NV_gpu_program5_mem_extended's.
        let own = "F32 F32X2 F32X4 F64 F64X2 F64X4 S8 S16 S32 S32X2 S32X4 S64 S64X2 S64X4 U8 U16 U32 U32X2 U32X4 \
                   U64 U64X2 U64X4";
        let extended = "F16 F16X2 F16X4 S8X2 S8X4 S16X2 S16X4 U8X2 U8X4 U16X2 U16X4";
        for (names, is_extended) in [(own, false), (extended, true)] {
            for name in names.split_whitespace() {
                let storage = Storage::named(name).unwrap();
                assert_eq!((storage.name(), storage.is_extended()), (name, is_extended));
                assert_eq!(Storage::of(storage.data_type()), Some(storage));
            }
        }
        assert_eq!(own.split_whitespace().chain(extended.split_whitespace()).count(), Storage::ALL.len());
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
            let names: Vec<&str> = atomic.storages().iter().map(|storage| storage.name()).collect();
            assert_eq!(names, storages);
        }
    }
}
