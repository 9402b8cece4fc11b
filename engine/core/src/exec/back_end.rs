//! The boundary between the batch executor and the back ends, which execute functions of the low-level IR.
//!
//! A back end implements [`BackEnd`]: it turns a [`Module`] into [`Function`]s. [`super::back_ends`] lists
//! the back ends. The batch executor names none of them.

use std::fmt::Debug;
use std::io;
use std::sync::Arc;

use super::block::LaneRegister;
use super::lir::Module;
use super::machine_code;

/// Executes functions of the low-level IR.
pub trait BackEnd: Debug + Sync {
    /// Name, for reports.
    fn name(&self) -> &'static str;

    /// Number of lanes whose mask bits a function stores together, see [`MaskRegister`].
    fn mask_lanes(&self) -> u8;

    /// Compiles the functions of a module.
    ///
    /// # Errors
    /// The system has no memory for the code, or does not permit executable memory.
    fn compile(&self, module: &Module) -> io::Result<Compiled>;
}

/// The functions of a module.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// In the order of [`Module::functions`].
    pub functions: Vec<Function>,
    /// Number of lane registers that functions need from [`Module::first_own`] on.
    pub own_registers: u16,
    /// Constants that functions take as arguments, each repeated as the back end requires.
    pub constants: Vec<Constant>,
}

/// A function over lane registers.
#[derive(Clone, Debug)]
pub enum Function {
    /// Machine code, which is called directly.
    Machine(machine_code::Function),
    /// Any other form.
    Other(Arc<dyn Callable>),
}

/// A function that is not machine code.
pub trait Callable: Debug + Send + Sync {
    fn call(&self, arguments: Arguments<'_>);
}

impl Function {
    #[inline]
    pub fn call(&self, arguments: Arguments<'_>) {
        match self {
            Self::Machine(function) => function.call(arguments),
            Self::Other(function) => function.call(arguments),
        }
    }
}

/// Arguments of a function.
#[derive(Debug)]
pub struct Arguments<'a> {
    /// Lane registers.
    pub registers: &'a mut [LaneRegister],
    /// The values of [`Compiled::constants`].
    pub constants: &'a [f32],
    /// Lane registers of inputs.
    pub inputs: &'a [LaneRegister],
    /// Lane registers of outputs.
    pub outputs: &'a mut [LaneRegister],
}

/// A number that is equal in all lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// These bits.
    Bits(u32),
    /// The value of every lane of a lane register that the program never writes.
    Uniform(u16),
}

/// The distinct constants of a module.
#[derive(Clone, Debug, Default)]
pub struct Constants(Vec<Constant>);

impl Constants {
    /// The index of a constant, which is added if it is new.
    pub fn index_of(&mut self, constant: Constant) -> usize {
        self.0.iter().position(|&other| other == constant).unwrap_or_else(|| {
            self.0.push(constant);
            self.0.len() - 1
        })
    }

    /// The constants in order, each `copies` times.
    pub fn repeated(self, copies: usize) -> Vec<Constant> {
        self.0.into_iter().flat_map(|constant| std::iter::repeat_n(constant, copies)).collect()
    }
}

/// A lane register in which a function leaves one mask bit for each lane. The first lane of each vector holds
/// the bits of this vector's lanes.
#[derive(Clone, Copy, Debug)]
pub struct MaskRegister {
    pub register: u16,
    /// Number of lanes in a vector, see [`BackEnd::mask_lanes`].
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
