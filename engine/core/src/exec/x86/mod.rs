//! The back end for x86-64: compiles the low-level IR to EVEX instructions of 512 bits (AVX-512) or VEX
//! instructions of 256 bits (AVX2).
//!
//! [`allocate`] assigns processor registers, [`emit`] selects instructions, [`encode`] writes their bytes,
//! [`memory`] makes them executable.

mod allocate;
mod emit;
mod encode;
mod memory;

use super::lir::Features;
pub use emit::emit;
pub use encode::Code;
pub use memory::{Function, Machine, Reach};

/// The instruction set of the machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// AVX-512 F, BW, DQ and VL: 16 lanes, 32 registers, and mask registers.
    Evex512,
    /// AVX2: eight lanes and 16 registers, masks among them.
    Vex256,
}

impl Encoding {
    /// The operations that the low-level IR may use.
    pub const fn features(self) -> Features {
        match self {
            Self::Evex512 => Features::Avx512,
            Self::Vex256 => Features::Avx2,
        }
    }

    /// Lanes of a vector register.
    pub const fn lanes(self) -> usize {
        match self {
            Self::Evex512 => 16,
            Self::Vex256 => 8,
        }
    }

    /// Bytes of a vector register.
    pub const fn bytes(self) -> usize {
        4 * self.lanes()
    }

    /// Number of vector registers.
    pub const fn registers(self) -> usize {
        match self {
            Self::Evex512 => 32,
            Self::Vex256 => 16,
        }
    }

    /// Number of mask registers, including k0.
    pub const fn mask_registers(self) -> usize {
        match self {
            Self::Evex512 => 8,
            Self::Vex256 => 0,
        }
    }

    /// Copies of each constant in memory. EVEX instructions broadcast one copy to all lanes, VEX instructions
    /// do not.
    pub const fn constant_copies(self) -> usize {
        match self {
            Self::Evex512 => 1,
            Self::Vex256 => 8,
        }
    }

    /// Bytes from the first constant to the base address of constants. Negative offsets double the number of
    /// constants with a short address.
    pub const fn constants_bias(self) -> usize {
        match self {
            Self::Evex512 => 128 * 4,
            Self::Vex256 => 128,
        }
    }

    /// With at least this number of free registers, a value that is read again is loaded into a register.
    pub const fn plenty(self) -> usize {
        match self {
            Self::Evex512 => 6,
            Self::Vex256 => 4,
        }
    }
}
