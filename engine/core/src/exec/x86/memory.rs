//! Executable memory: maps pages, writes machine code to them, then makes them read-only and executable.
//! Pages are never writable and executable at once.
#![expect(unsafe_code, reason = "calls machine code")]

use std::io;
use std::sync::Arc;

use memmap2::{Mmap, MmapMut};

use crate::exec::block::LaneRegister;
use crate::exec::machine::Arguments;

/// Arguments: the first lane register, the base address of constants, the first lane registers of inputs and
/// outputs.
#[cfg(target_arch = "x86_64")]
type Entry = extern "sysv64" fn(*mut LaneRegister, *const f32, *const LaneRegister, *mut LaneRegister);
/// A placeholder: other processors have no compiled functions.
#[cfg(not(target_arch = "x86_64"))]
type Entry = extern "C" fn(*mut LaneRegister, *const f32, *const LaneRegister, *mut LaneRegister);

/// Machine code of functions over lane registers.
#[derive(Debug)]
pub struct Machine {
    code: Mmap,
    reach: Reach,
    constants_bias: usize,
}

/// The required length of each argument.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Lane registers.
    pub registers: usize,
    /// Constants.
    pub constants: usize,
    /// Lane registers of inputs.
    pub inputs: usize,
    /// Lane registers of outputs.
    pub outputs: usize,
}

/// One function of a [`Machine`].
#[derive(Clone, Debug)]
pub struct Function {
    machine: Arc<Machine>,
    entry: usize,
}

impl Machine {
    /// Maps `code`. Its functions access at most the part of the arguments in `reach`, and nothing else.
    ///
    /// # Errors
    /// The system has no memory, or does not permit executable memory.
    ///
    /// # Safety
    /// Every entry passed to [`Self::function`] is a function for this processor with the System V calling
    /// convention. It takes pointers to the first lane register, to `constants_bias` bytes after the first
    /// constant, and to the first lane registers of inputs and outputs. It stays within `reach`.
    pub unsafe fn new(code: &[u8], reach: Reach, constants_bias: usize) -> io::Result<Arc<Self>> {
        let mut writable = MmapMut::map_anon(code.len().max(1))?;
        writable[..code.len()].copy_from_slice(code);
        Ok(Arc::new(Self { code: writable.make_exec()?, reach, constants_bias }))
    }

    /// The function that begins at `entry`.
    pub fn function(self: &Arc<Self>, entry: usize) -> Function {
        assert!(entry < self.code.len(), "an entry of this code");
        Function { machine: self.clone(), entry }
    }
}

impl Function {
    pub fn call(&self, Arguments { registers, constants, inputs, outputs }: Arguments) {
        let Machine { code, reach, constants_bias } = &*self.machine;
        assert!(registers.len() >= reach.registers, "all registers that the layout has");
        assert!(constants.len() >= reach.constants, "all constants that the code reads");
        assert!(inputs.len() >= reach.inputs && outputs.len() >= reach.outputs, "all inputs and outputs");
        let constants = constants.as_ptr().wrapping_byte_add(*constants_bias);
        let entry = code[self.entry..].as_ptr();
        // SAFETY: the creator of the machine guaranteed that a function with this signature begins here.
        unsafe {
            let function: Entry = std::mem::transmute(entry);
            function(registers.as_mut_ptr(), constants, inputs.as_ptr(), outputs.as_mut_ptr());
        }
    }
}
