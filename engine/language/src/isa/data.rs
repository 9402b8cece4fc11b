//! Data types that modifiers of instruction names select (NV_gpu_program4 2.X.4.1, NV_gpu_program5 Table
//! X.14).
//!
//! Registers and operations have a [`super::Type`], in the module `types`; this module has the names in the
//! text.

use super::Type;

named_enum! {
    /// A component format with a fixed size. CVT converts between formats; memory accesses use them.
    pub enum Format(
        pub bits: u32,
        /// The type of the format in registers: integers keep their sign, and F16 is the integer of its bits.
        pub ty: Type,
        /// A description in a few words.
        pub title: &'static str,
        /// The names of [`DataType::Several`] with this format, indexed by [`Count`].
        several: [&'static str; 2],
    ) {
        /// Half precision, in the low 16 bits of the component.
        F16 = "F16" => (16, Type::U32, "16-bit floats", ["F16X2", "F16X4"]),
        /// Single precision.
        F32 = "F32" => (32, Type::F32, "32-bit floats", ["F32X2", "F32X4"]),
        /// Double precision.
        F64 = "F64" => (64, Type::F64, "64-bit floats", ["F64X2", "F64X4"]),
        S8 = "S8" => (8, Type::S32, "8-bit signed integers", ["S8X2", "S8X4"]),
        S16 = "S16" => (16, Type::S32, "16-bit signed integers", ["S16X2", "S16X4"]),
        S32 = "S32" => (32, Type::S32, "32-bit signed integers", ["S32X2", "S32X4"]),
        S64 = "S64" => (64, Type::S64, "64-bit signed integers", ["S64X2", "S64X4"]),
        U8 = "U8" => (8, Type::U32, "8-bit unsigned integers", ["U8X2", "U8X4"]),
        U16 = "U16" => (16, Type::U32, "16-bit unsigned integers", ["U16X2", "U16X4"]),
        U32 = "U32" => (32, Type::U32, "32-bit unsigned integers", ["U32X2", "U32X4"]),
        U64 = "U64" => (64, Type::U64, "64-bit unsigned integers", ["U64X2", "U64X4"]),
    }
}

impl Format {
    /// Whether the format has a sign. Floats have one.
    pub const fn is_signed(self) -> bool {
        !matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64)
    }

    pub const fn is_integer(self) -> bool {
        !matches!(self, Self::F16 | Self::F32 | Self::F64)
    }
}

/// The number of values in a memory access that transfers more than one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Count {
    /// `X2`
    Two,
    /// `X4`
    Four,
}

impl Count {
    pub const fn number(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Four => 4,
        }
    }
}

/// A data type that an instruction's dotted modifier selects, e.g. `F` in `ADD.F`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DataType {
    /// Floats.
    F,
    /// Unsigned integers.
    U,
    /// Signed integers.
    S,
    /// Values of a given size.
    Sized(Format),
    /// Signed integers; only the low 24 bits take part in the multiplication.
    S24,
    /// Unsigned integers; only the low 24 bits take part in the multiplication.
    U24,
    /// Two or four values of a given size, accessed in memory together.
    Several(Format, Count),
}

/// The index of the first [`DataType::Several`] in [`DataType::ALL`].
const FIRST_SEVERAL: usize = 5 + Format::ALL.len();

impl DataType {
    /// All data types. `F`, `U` and `S` precede their sized variants.
    pub const ALL: [Self; FIRST_SEVERAL + 2 * Format::ALL.len()] = {
        let mut all = [Self::F; FIRST_SEVERAL + 2 * Format::ALL.len()];
        let mut place = 0;
        while place < Format::ALL.len() {
            all[3 + place] = Self::Sized(Format::ALL[place]);
            all[FIRST_SEVERAL + 2 * place] = Self::Several(Format::ALL[place], Count::Two);
            all[FIRST_SEVERAL + 2 * place + 1] = Self::Several(Format::ALL[place], Count::Four);
            place += 1;
        }
        [all[1], all[2], all[3 + place], all[4 + place]] = [Self::U, Self::S, Self::S24, Self::U24];
        all
    };

    /// The index in [`Self::ALL`].
    pub const fn index(self) -> usize {
        match self {
            Self::F => 0,
            Self::U => 1,
            Self::S => 2,
            Self::Sized(format) => 3 + format as usize,
            Self::S24 => 3 + Format::ALL.len(),
            Self::U24 => 4 + Format::ALL.len(),
            Self::Several(format, count) => FIRST_SEVERAL + 2 * format as usize + count as usize,
        }
    }

    /// The format, if the data type has a fixed size.
    pub const fn format(self) -> Option<Format> {
        match self {
            Self::Sized(format) | Self::Several(format, _) => Some(format),
            Self::F | Self::U | Self::S | Self::S24 | Self::U24 => None,
        }
    }

    pub const fn is_float(self) -> bool {
        match self {
            Self::F => true,
            Self::Sized(format) | Self::Several(format, _) => !format.is_integer(),
            Self::U | Self::S | Self::S24 | Self::U24 => false,
        }
    }

    pub const fn is_signed(self) -> bool {
        match self {
            Self::S | Self::S24 => true,
            Self::Sized(format) | Self::Several(format, _) => format.is_integer() && format.is_signed(),
            Self::F | Self::U | Self::U24 => false,
        }
    }

    pub const fn is_wide(self) -> bool {
        match self {
            Self::Sized(format) | Self::Several(format, _) => format.bits() == 64,
            Self::F | Self::U | Self::S | Self::S24 | Self::U24 => false,
        }
    }

    /// A description in a few words.
    pub const fn title(self) -> &'static str {
        match self {
            Self::F => "floats",
            Self::U => "unsigned integers",
            Self::S => "signed integers",
            Self::Sized(format) => format.title(),
            Self::Several(_, Count::Two) => "two values of this format in memory",
            Self::Several(_, Count::Four) => "four values of this format in memory",
            Self::S24 => "signed integers, low 24 bits only",
            Self::U24 => "unsigned integers, low 24 bits only",
        }
    }

    /// The modifier without its point.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F => "F",
            Self::U => "U",
            Self::S => "S",
            Self::Sized(format) => format.name(),
            Self::Several(format, count) => format.several()[count as usize],
            Self::S24 => "S24",
            Self::U24 => "U24",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_stand_where_their_indices_say_under_names_of_their_own() {
        for (place, data) in DataType::ALL.into_iter().enumerate() {
            assert_eq!(data.index(), place);
            assert_eq!(DataType::ALL.into_iter().filter(|other| other.name() == data.name()).count(), 1);
        }
        let shown = |format: Format, count: Count| format!("{}X{}", format.name(), count.number());
        for format in Format::ALL {
            for count in [Count::Two, Count::Four] {
                assert_eq!(DataType::Several(format, count).name(), shown(format, count));
            }
        }
        for (place, format) in Format::ALL.into_iter().enumerate() {
            assert_eq!(format as usize, place);
        }
    }
}
