//! The back ends by name. The table of [`Cpu`] says when each is used.

use super::back_end::BackEnd;
use super::x86::{self, Encoding};
use super::{cranelift, interpreter};
use crate::processor::{BackEndName, Cpu};

/// The back end with this name, if it works on this processor.
fn named(name: BackEndName) -> Option<&'static dyn BackEnd> {
    match name {
        BackEndName::Interpreter => Some(fallback()),
        BackEndName::Cranelift => cranelift::compiler(),
        BackEndName::Avx2 => x86::compiler(Encoding::Vex256),
        BackEndName::Avx512 => x86::compiler(Encoding::Evex512),
    }
}

/// The back ends that tests compare.
pub fn compared() -> impl Iterator<Item = &'static dyn BackEnd> {
    Cpu::compared().filter_map(|cpu| named(cpu.back_end()))
}

/// The back end in use.
pub fn in_use() -> &'static dyn BackEnd {
    named(Cpu::in_use().back_end()).unwrap_or_else(fallback)
}

/// The back end that works on every system.
pub fn fallback() -> &'static dyn BackEnd {
    interpreter::portable()
}
