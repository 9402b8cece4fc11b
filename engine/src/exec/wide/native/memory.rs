//! Machine code where the processor may run it: mapped to be written, then to be executed, never both.
#![expect(unsafe_code, reason = "calls machine code")]

use std::io;
use std::sync::Arc;

use memmap2::{Mmap, MmapMut};

use super::emit::CONSTANTS_BIAS;
use crate::exec::block::Row;

/// The first row, and where constants are counted from.
#[cfg(target_arch = "x86_64")]
type Entry = extern "sysv64" fn(*mut Row, *const f32);
/// Nothing is compiled for other processors.
#[cfg(not(target_arch = "x86_64"))]
type Entry = extern "C" fn(*mut Row, *const f32);

/// Functions over rows.
#[derive(Debug)]
pub struct Machine {
    code: Mmap,
    /// Constants that the functions read.
    constants: usize,
    /// Rows that the functions reach.
    rows: usize,
}

/// One of them.
#[derive(Clone, Debug)]
pub struct Function {
    machine: Arc<Machine>,
    entry: usize,
}

impl Machine {
    /// Maps `code`, whose functions reach the first `rows` rows and so many constants, and nothing else.
    ///
    /// # Errors
    /// The system has no memory for it, or lets nobody make some executable.
    ///
    /// # Safety
    /// Every entry asked of it is a function for this processor that follows the System V calling convention,
    /// takes a pointer to the first row and one that lies [`CONSTANTS_BIAS`] bytes behind the first constant, and
    /// keeps to what was said above.
    pub unsafe fn new(code: &[u8], constants: usize, rows: usize) -> io::Result<Arc<Self>> {
        let mut writable = MmapMut::map_anon(code.len().max(1))?;
        writable[..code.len()].copy_from_slice(code);
        Ok(Arc::new(Self { code: writable.make_exec()?, constants, rows }))
    }

    /// The function that begins at `entry`.
    pub fn function(self: &Arc<Self>, entry: usize) -> Function {
        assert!(entry < self.code.len(), "an entry of this code");
        Function { machine: self.clone(), entry }
    }
}

impl Function {
    /// Runs it.
    pub fn call(&self, rows: &mut [Row], constants: &[f32]) {
        let machine = &*self.machine;
        assert!(rows.len() >= machine.rows, "all rows that the layout has");
        assert!(constants.len() >= machine.constants, "all constants that the code reads");
        let constants = constants.as_ptr().wrapping_byte_offset(CONSTANTS_BIAS as isize);
        let entry = machine.code[self.entry..].as_ptr();
        // SAFETY: whoever made the machine promised that a function begins there that can be called like this.
        unsafe {
            let function: Entry = std::mem::transmute(entry);
            function(rows.as_mut_ptr(), constants);
        }
    }
}
