//! Executable memory: maps pages, writes machine code to them, then makes them read-only and executable. They are
//! never writable and executable at once.
#![expect(unsafe_code, reason = "calls machine code")]

use std::io;
use std::sync::Arc;

use memmap2::{Mmap, MmapMut};

use crate::exec::block::LaneRegister;
use crate::exec::machine::Arguments;

/// The first lane register, where constants are counted from, the first lane registers of inputs and outputs.
#[cfg(target_arch = "x86_64")]
type Entry = extern "sysv64" fn(*mut LaneRegister, *const f32, *const LaneRegister, *mut LaneRegister);
/// Nothing is compiled for other processors.
#[cfg(not(target_arch = "x86_64"))]
type Entry = extern "C" fn(*mut LaneRegister, *const f32, *const LaneRegister, *mut LaneRegister);

/// Functions over lane registers.
#[derive(Debug)]
pub struct Machine {
    code: Mmap,
    reach: Reach,
    constants_bias: usize,
}

/// How much of each of their arguments functions reach.
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

/// One of them.
#[derive(Clone, Debug)]
pub struct Function {
    machine: Arc<Machine>,
    entry: usize,
}

impl Machine {
    /// Maps `code`, whose functions reach no farther than `reach`, and nothing else.
    ///
    /// # Errors
    /// The system has no memory for it, or lets nobody make some executable.
    ///
    /// # Safety Every entry asked of it is a function for this processor that follows the System V calling
    /// convention, takes pointers to the first lane register, to `constants_bias` bytes behind the first constant,
    /// to the first lane register of inputs and to that of outputs, and keeps to what was said above.
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
    /// Runs it.
    pub fn call(&self, Arguments { registers, constants, inputs, outputs }: Arguments) {
        let Machine { code, reach, constants_bias } = &*self.machine;
        assert!(registers.len() >= reach.registers, "all registers that the layout has");
        assert!(constants.len() >= reach.constants, "all constants that the code reads");
        assert!(inputs.len() >= reach.inputs && outputs.len() >= reach.outputs, "all inputs and outputs");
        let constants = constants.as_ptr().wrapping_byte_add(*constants_bias);
        let entry = code[self.entry..].as_ptr();
        // SAFETY: whoever made the machine promised that a function begins there that can be called like this.
        unsafe {
            let function: Entry = std::mem::transmute(entry);
            function(registers.as_mut_ptr(), constants, inputs.as_ptr(), outputs.as_mut_ptr());
        }
    }
}
