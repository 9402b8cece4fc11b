//! What both back ends of the low-level IR share: the type of a finished function, the arguments that it is called
//! with, and where it leaves the bits of a mask.

use std::sync::Arc;

use super::block::LaneRegister;
use super::{interpreter, x86};

/// A number that is the same for all lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// These bits.
    Bits(u32),
    /// What every lane of a lane register holds that nothing writes.
    Uniform(u16),
}

/// What a function is called with.
#[derive(Debug)]
pub struct Arguments<'a> {
    /// Lane registers.
    pub registers: &'a mut [LaneRegister],
    /// Constants, each as often as the back end wants it.
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
    /// The low-level IR itself.
    Interpreted(Arc<interpreter::Code>),
}

impl Function {
    /// Runs it.
    pub fn call(&self, mut arguments: Arguments<'_>) {
        match self {
            Self::Compiled(function) => function.call(arguments),
            Self::Interpreted(code) => code.run(&mut arguments),
        }
    }
}

/// A lane register in which a function leaves a bit for each lane: those of a vector's lanes at the beginning of
/// its part.
#[derive(Clone, Copy, Debug)]
pub struct MaskRegister {
    /// The lane register.
    pub register: u16,
    /// Lanes of a vector.
    pub lanes: u8,
}

impl MaskRegister {
    /// The bits, that of lane 0 lowest.
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
