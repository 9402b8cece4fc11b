//! The back end for x86-64: makes machine code of the low-level IR, in EVEX instructions of 512 bits (AVX-512) or
//! VEX instructions of 256 bits (AVX2).
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

/// The instructions that code is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// AVX-512 F, BW, DQ and VL: 16 lanes, 32 registers, and mask registers.
    Evex512,
    /// AVX2: eight lanes and 16 registers, masks among them.
    Vex256,
}

impl Encoding {
    /// What the low-level IR has to be put in terms of.
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

    /// Bytes of one.
    pub const fn bytes(self) -> usize {
        4 * self.lanes()
    }

    /// Vector registers.
    pub const fn registers(self) -> usize {
        match self {
            Self::Evex512 => 32,
            Self::Vex256 => 16,
        }
    }

    /// Mask registers, k0 among them.
    pub const fn mask_registers(self) -> usize {
        match self {
            Self::Evex512 => 8,
            Self::Vex256 => 0,
        }
    }

    /// How often each constant stands in memory: EVEX instructions spread one over all lanes, VEX ones do not.
    pub const fn constant_copies(self) -> usize {
        match self {
            Self::Evex512 => 1,
            Self::Vex256 => 8,
        }
    }

    /// The code counts constants from so many bytes behind the first, so that twice as many have a short address.
    pub const fn constants_bias(self) -> usize {
        match self {
            Self::Evex512 => 128 * 4,
            Self::Vex256 => 128,
        }
    }

    /// Free registers above which a value that is read again gets one.
    pub const fn plenty(self) -> usize {
        match self {
            Self::Evex512 => 6,
            Self::Vex256 => 4,
        }
    }
}
