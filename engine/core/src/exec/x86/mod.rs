//! The back end for x86-64: compiles the low-level IR to EVEX instructions of 512 bits (AVX-512) or VEX
//! instructions of 256 bits (AVX2).
//!
//! [`allocate`] assigns processor registers, [`emit`] selects instructions, [`encode`] writes their bytes.
//!
//! Functions with only 32-bit arithmetic run with the flag DAZ of the register MXCSR set: the processor then
//! reads denorm operands as zeros, as the languages require, and most flushes are not needed. Neither
//! instruction set has an instruction for the remaining flushes, or for canonical NaNs. AVX2 also keeps masks
//! in vectors, compares and converts only signed integers, and has no tests for zeros.

mod allocate;
mod emit;
mod encode;

use std::io;

use super::back_end::{BackEnd, Compiled, Constants, Function};
use super::lir::{Denorms, Masks, Module, Needs, OptionalOperation, prepared};
use super::machine_code::{MachineCode, Reach};
use crate::processor::Cpu;
use encode::Code;

/// Compiles to one encoding. Only [`compiler`] returns values, so a value proves that this processor has the
/// instructions.
#[derive(Debug)]
struct Compiler(Encoding);

/// The compiler to `encoding`, if this processor has the instructions.
pub fn compiler(encoding: Encoding) -> Option<&'static dyn BackEnd> {
    static VEX: Compiler = Compiler(Encoding::Vex256);
    static EVEX: Compiler = Compiler(Encoding::Evex512);
    let (compiler, required) = match encoding {
        Encoding::Vex256 => (&VEX, Cpu::Avx2),
        Encoding::Evex512 => (&EVEX, Cpu::Avx512),
    };
    (required <= Cpu::of_machine()).then_some(compiler)
}

impl BackEnd for Compiler {
    fn name(&self) -> &'static str {
        match self.0 {
            Encoding::Vex256 => "compiled for AVX2",
            Encoding::Evex512 => "compiled for AVX-512",
        }
    }

    fn mask_lanes(&self) -> u8 {
        self.0.lanes() as u8
    }

    fn compile(&self, module: &Module) -> io::Result<Compiled> {
        let Self(encoding) = *self;
        let (mut code, mut constants, mut own_registers) = (Code::default(), Constants::default(), 0);
        let entries = prepared(module, &encoding.needs()).into_iter().map(|scheduled| {
            let emitted = emit::emit(&mut code, encoding, &mut constants, &scheduled, module.first_own);
            own_registers = own_registers.max(emitted.spill_registers);
            emitted.entry
        });
        let entries: Vec<usize> = entries.collect();
        let constants = constants.repeated(encoding.constant_copies());
        let reach = Reach::of(module, own_registers, constants.len());
        // SAFETY: entries are functions that `emit` wrote in an encoding that this processor has, because
        // this value exists. They access only lane registers of the module, their own lane registers and
        // `constants`.
        #[expect(unsafe_code, reason = "promises what the machine code does")]
        let machine = unsafe { MachineCode::new(code.bytes(), reach, encoding.constants_bias()) }?;
        let functions = entries.into_iter().map(|entry| Function::Machine(machine.function(entry)));
        Ok(Compiled { functions: functions.collect(), own_registers, constants })
    }
}

/// The instruction set of the machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// AVX-512 F, BW, DQ and VL: 16 lanes, 32 registers, and mask registers.
    Evex512,
    /// AVX2: eight lanes and 16 registers, masks among them.
    Vex256,
}

impl Encoding {
    /// The form of functions that [`emit`] can compile.
    const fn needs(self) -> Needs {
        match self {
            Self::Evex512 => Needs {
                denorms: Some(Denorms::AreZeros),
                masks: Masks::Own,
                legal: &[
                    OptionalOperation::ExtremesOrNan,
                    OptionalOperation::ToFloatUnsigned,
                    OptionalOperation::LtUnsigned,
                    OptionalOperation::Disjoint,
                ],
            },
            Self::Vex256 => Needs { denorms: Some(Denorms::AreZeros), masks: Masks::Vectors, legal: &[] },
        }
    }

    /// Lanes of a vector register.
    const fn lanes(self) -> usize {
        match self {
            Self::Evex512 => 16,
            Self::Vex256 => 8,
        }
    }

    /// Bytes of a vector register.
    const fn bytes(self) -> usize {
        4 * self.lanes()
    }

    /// Number of vector registers.
    const fn registers(self) -> usize {
        match self {
            Self::Evex512 => 32,
            Self::Vex256 => 16,
        }
    }

    /// Number of mask registers, including k0.
    const fn mask_registers(self) -> usize {
        match self {
            Self::Evex512 => 8,
            Self::Vex256 => 0,
        }
    }

    /// Copies of each constant in memory. EVEX instructions broadcast one copy to all lanes, VEX instructions
    /// do not.
    const fn constant_copies(self) -> usize {
        match self {
            Self::Evex512 => 1,
            Self::Vex256 => 8,
        }
    }

    /// Bytes from the first constant to the base address of constants. Negative offsets double the number of
    /// constants with a short address.
    const fn constants_bias(self) -> usize {
        match self {
            Self::Evex512 => 128 * 4,
            Self::Vex256 => 128,
        }
    }

    /// With at least this number of free registers, a value that is read again is loaded into a register.
    const fn plenty(self) -> usize {
        match self {
            Self::Evex512 => 6,
            Self::Vex256 => 4,
        }
    }
}
