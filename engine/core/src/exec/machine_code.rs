//! Machine code of any back end in executable memory: maps pages, writes the code to them, then makes them
//! read-only and executable. Pages are never writable and executable at once.
#![expect(unsafe_code, reason = "calls machine code")]

use std::io;
use std::sync::Arc;

use memmap2::{Mmap, MmapMut};

use super::back_end::Arguments;
use super::block::LaneRegister;
use super::lir::{Module, Node, Target};

/// Arguments: the first lane register, the base address of constants, the first lane registers of inputs and
/// outputs. On x86-64 the calling convention is System V on every operating system.
#[cfg(target_arch = "x86_64")]
type Entry = extern "sysv64" fn(*mut LaneRegister, *const f32, *const LaneRegister, *mut LaneRegister);
#[cfg(not(target_arch = "x86_64"))]
type Entry = extern "C" fn(*mut LaneRegister, *const f32, *const LaneRegister, *mut LaneRegister);

/// Machine code of functions over lane registers.
#[derive(Debug)]
pub struct MachineCode {
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

impl Reach {
    /// The reach of functions that compute `module` with `own_registers` lane registers of their own.
    pub fn of(module: &Module, own_registers: u16, constants: usize) -> Self {
        let mut reach = Self {
            registers: usize::from(module.first_own) + usize::from(own_registers),
            constants,
            inputs: 0,
            outputs: 0,
        };
        let include = |length: &mut usize, register: u16| *length = (*length).max(usize::from(register) + 1);
        for node in module.functions.iter().flat_map(|function| &function.nodes) {
            match *node {
                Node::Register(register) => include(&mut reach.registers, register),
                Node::Input(register) => include(&mut reach.inputs, register),
                _ => {}
            }
        }
        for &(target, _) in module.functions.iter().flat_map(|function| &function.stores) {
            match target {
                Target::Register(register) | Target::Bits(register) => {
                    include(&mut reach.registers, register);
                }
                Target::Output(register) => include(&mut reach.outputs, register),
                Target::Again => {}
            }
        }
        reach
    }
}

/// One function of a [`MachineCode`].
#[derive(Clone, Debug)]
pub struct Function {
    code: Arc<MachineCode>,
    entry: usize,
}

impl MachineCode {
    /// Maps `code`. Its functions access at most the part of the arguments in `reach`, and nothing else.
    ///
    /// # Errors
    /// The system has no memory, or does not permit executable memory.
    ///
    /// # Safety
    /// Every entry passed to [`Self::function`] is a function for this processor with the calling convention
    /// of [`Entry`]. It takes pointers to the first lane register, to `constants_bias` bytes after the first
    /// constant, and to the first lane registers of inputs and outputs. It stays within `reach`.
    pub unsafe fn new(code: &[u8], reach: Reach, constants_bias: usize) -> io::Result<Arc<Self>> {
        let mut writable = MmapMut::map_anon(code.len().max(1))?;
        writable[..code.len()].copy_from_slice(code);
        Ok(Arc::new(Self { code: writable.make_exec()?, reach, constants_bias }))
    }

    /// The bytes of all functions.
    pub fn bytes(&self) -> &[u8] {
        &self.code
    }

    /// The function that begins at `entry`.
    pub fn function(self: &Arc<Self>, entry: usize) -> Function {
        assert!(entry < self.bytes().len(), "an entry of this code");
        Function { code: self.clone(), entry }
    }
}

impl Function {
    pub fn call(&self, Arguments { registers, constants, inputs, outputs }: Arguments<'_>) {
        let MachineCode { reach, constants_bias, .. } = &*self.code;
        assert!(registers.len() >= reach.registers, "all registers that the layout has");
        assert!(constants.len() >= reach.constants, "all constants that the code reads");
        assert!(inputs.len() >= reach.inputs && outputs.len() >= reach.outputs, "all inputs and outputs");
        let constants = constants.as_ptr().wrapping_byte_add(*constants_bias);
        let entry = self.code.bytes()[self.entry..].as_ptr();
        // SAFETY: the creator of the code guaranteed that a function with this signature begins here.
        unsafe {
            let function: Entry = std::mem::transmute(entry);
            function(registers.as_mut_ptr(), constants, inputs.as_ptr(), outputs.as_mut_ptr());
        }
    }
}
