//! Storage modifiers (`F32X4`), atomic operations and caching modifiers of memory instructions
//! (NV_gpu_program5 2.X.4.5, Table X.Y).

use super::{Count, DataType, Format, Type};

/// A storage modifier such as `F32X4` or `U8`: the format and number of components of a memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Storage {
    format: Format,
    /// `None` for one component.
    count: Option<Count>,
}

/// The size of the largest access, in bytes.
pub const MAX_ACCESS: usize = 32;

impl Storage {
    /// A modifier for `count` components, or for one component without `count`.
    pub const fn new(format: Format, count: Option<Count>) -> Self {
        Self { format, count }
    }

    /// The modifiers of NV_gpu_program5 and NV_gpu_program5_mem_extended, sorted by format.
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

    /// The access of formatted image stores: four 32-bit components of type `ty`.
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

    /// The storage modifier that `data` is, if `data` has a fixed size.
    pub const fn of(data: DataType) -> Option<Self> {
        match data {
            DataType::Sized(format) => Some(Self::new(format, None)),
            DataType::Several(format, count) => Some(Self::new(format, Some(count))),
            DataType::F | DataType::U | DataType::S | DataType::S24 | DataType::U24 => None,
        }
    }

    /// The data type of this storage modifier.
    pub const fn data_type(self) -> DataType {
        match self.count {
            None => DataType::Sized(self.format),
            Some(count) => DataType::Several(self.format, count),
        }
    }

    /// The storage modifier with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|storage| storage.name() == name)
    }

    pub const fn name(self) -> &'static str {
        self.data_type().name()
    }

    #[inline]
    pub const fn format(self) -> Format {
        self.format
    }

    /// The size of a component in bytes: 1, 2, 4 or 8.
    #[inline]
    pub const fn component_bytes(self) -> usize {
        self.format.bits() as usize / 8
    }

    /// The number of components: 1, 2 or 4.
    #[inline]
    pub const fn count(self) -> usize {
        match self.count {
            None => 1,
            Some(count) => count.number(),
        }
    }

    /// The size of the access in bytes. Addresses must be a multiple of this size.
    #[inline]
    pub const fn size(self) -> usize {
        self.component_bytes() * self.count()
    }

    /// The type of the components in registers.
    #[inline]
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

    /// Whether the modifier requires NV_gpu_program5_mem_extended.
    pub const fn is_extended(self) -> bool {
        matches!(self.format, Format::F16) || self.count.is_some() && self.format.bits() < 32
    }
}

named_enum! {
    /// The operation of ATOM and ATOMIM, in the order of Table X.Y.
    pub enum Atomic(
        /// A description in a few words.
        pub title: &'static str,
    ) {
        Add = "ADD" => ("adds the operand to the value in memory"),
        Min = "MIN" => ("stores the lesser of the operand and the value in memory"),
        Max = "MAX" => ("stores the greater of the operand and the value in memory"),
        /// Adds one. If the value is at least the operand, the result is 0.
        IncrementWrap = "IWRAP" => (
            "adds one to the value in memory, or wraps to 0 once it has reached the operand"
        ),
        /// Subtracts one. If the value is 0 or greater than the operand, the result is the operand.
        DecrementWrap = "DWRAP" => (
            "subtracts one from the value in memory, or wraps to the operand from 0 and from values above the operand"
        ),
        And = "AND" => ("ANDs the operand into the value in memory"),
        Or = "OR" => ("ORs the operand into the value in memory"),
        Xor = "XOR" => ("XORs the operand into the value in memory"),
        Exchange = "EXCH" => ("replaces the value in memory with the operand"),
        /// Stores y of the operand if the value in memory equals x of the operand.
        CompareSwap = "CSWAP" => (
            "replaces the value in memory with y of the operand if it equals x of the operand"
        ),
    }
}

impl Atomic {
    /// The storage modifiers that Table X.Y allows.
    pub const fn storages(self) -> &'static [Storage] {
        match self {
            Self::Add | Self::Exchange | Self::CompareSwap => &[Storage::U32, Storage::S32, Storage::U64],
            Self::Min | Self::Max | Self::And | Self::Or | Self::Xor => &[Storage::U32, Storage::S32],
            Self::IncrementWrap | Self::DecrementWrap => &[Storage::U32],
        }
    }

    /// The components of operand 0 that the operation reads, bit 0 = x.
    pub const fn operand_used(self) -> u8 {
        if matches!(self, Self::CompareSwap) { 0b11 } else { 0b1 }
    }
}

/// The caching modifiers `COH` and `VOL`, which define how concurrent invocations see each other's accesses.
/// Here each access takes effect immediately and every invocation sees it. So the modifiers change nothing
/// and are kept for display.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Caching {
    /// `COH`: through a coherent cache level.
    pub coherent: bool,
    /// `VOL`: as if the memory could change at any time.
    pub volatile: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_are_those_of_the_tables() {
        // NV_gpu_program5 2.X.4.1, and NV_gpu_program5_mem_extended.
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
