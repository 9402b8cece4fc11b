//! The back ends. To add one, write its folder and name it here.

use super::back_end::BackEnd;
use super::interpreter;
use super::x86::{self, Encoding};
use crate::processor::Cpu;

/// The back end for `cpu`, if it can be used.
pub fn of(cpu: Cpu) -> Option<&'static dyn BackEnd> {
    let back_end = match cpu {
        Cpu::Portable => Some(fallback()),
        Cpu::Avx2 => x86::compiler(Encoding::Vex256),
        Cpu::Avx512 => x86::compiler(Encoding::Evex512),
    };
    back_end.filter(|_| cpu <= Cpu::in_use())
}

/// The back ends that can be used, the fastest last.
pub fn all() -> impl Iterator<Item = &'static dyn BackEnd> {
    Cpu::ALL.into_iter().filter_map(of)
}

/// The fastest back end that can be used.
pub fn best() -> &'static dyn BackEnd {
    all().last().unwrap_or_else(fallback)
}

/// The back end that works on every system.
pub fn fallback() -> &'static dyn BackEnd {
    interpreter::portable()
}
