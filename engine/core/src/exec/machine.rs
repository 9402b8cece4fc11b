//! Shared parts of both back ends of the low-level IR: the type of a finished function, its arguments, and
//! the position of mask bits. The back ends are `interpreter` and `x86`.

use std::sync::Arc;

use super::block::LaneRegister;
use super::{interpreter, x86};

/// A number that is equal in all lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// These bits.
    Bits(u32),
    /// The value of every lane of a lane register that the program never writes.
    Uniform(u16),
}

/// Arguments of a function.
#[derive(Debug)]
pub struct Arguments<'a> {
    /// Lane registers.
    pub registers: &'a mut [LaneRegister],
    /// Constants, each repeated as the back end requires.
    pub constants: &'a [f32],
    /// Lane registers of inputs.
    pub inputs: &'a [LaneRegister],
    /// Lane registers of outputs.
    pub outputs: &'a mut [LaneRegister],
}

/// A function over lane registers.
#[derive(Clone, Debug)]
pub enum Function {
    /// Machine code.
    Compiled(x86::Function),
    /// The low-level IR, run by the interpreter.
    Interpreted(Arc<interpreter::Code>),
}

impl Function {
    pub fn call(&self, mut arguments: Arguments<'_>) {
        match self {
            Self::Compiled(function) => function.call(arguments),
            Self::Interpreted(code) => code.run(&mut arguments),
        }
    }
}

/// A lane register in which a function leaves one mask bit for each lane. The first lane of each vector holds
/// the bits of this vector's lanes.
#[derive(Clone, Copy, Debug)]
pub struct MaskRegister {
    pub register: u16,
    /// Number of lanes in a vector.
    pub lanes: u8,
}

impl MaskRegister {
    /// The mask, with lane 0 in bit 0.
    pub fn read(self, registers: &[LaneRegister]) -> u64 {
        let lanes = &registers[usize::from(self.register)].0;
        if usize::from(self.lanes) == lanes.len() {
            return u64::from(lanes[0].to_bits()) | u64::from(lanes[1].to_bits()) << 32;
        }
        let parts = lanes.iter().step_by(self.lanes.into()).rev();
        let mask = (1 << self.lanes) - 1;
        parts.fold(0, |all, part| all << self.lanes | u64::from(part.to_bits() & mask))
    }
}
