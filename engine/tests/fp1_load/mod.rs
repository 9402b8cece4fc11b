//! Loading of `!!FP1.0` programs: programs that load, and programs that are refused with the code and the
//! place.
//!
//! Cases follow the grammar of NV_fragment_program 3.11.3 and the load rules of 3.11.1, 3.11.2 and 3.11.5.

mod accepted;
mod refused;

use shadestep_engine::ir;

pub use crate::common::loading::{accepts_whole, load_checked, refuses_whole};

pub fn around(body: &str) -> String {
    format!("!!FP1.0\n{body}\nMOV o[COLR], R0;\nEND\n")
}

#[track_caller]
pub fn accepts(body: &str) -> ir::Program {
    accepts_whole(&around(body))
}

/// Checks that `body` is refused with exactly one error, `code` at `@`.
#[track_caller]
pub fn refuses(code: &str, body: &str) {
    refuses_whole(code, &around(body));
}
