//! Loading of programs in the four vertex languages: programs that load, and programs that are refused with
//! the code and the place.
//!
//! Cases follow the grammar of NV_vertex_program2 2.14.1.8, the load rules there and in 2.14.2.3, 2.14.5 and
//! 2.14.6, and Tables X.1, X.3, X.4 and X.5.

mod accepted;
mod flow;
mod refused;

use shadestep_engine::ir;
use shadestep_engine::isa::Language::{self, Vp1, Vp1_1, Vp2, Vsp1};

pub use crate::common::loading::{accepts_whole, load_checked, refuses_whole};

pub const ALL: [Language; 4] = [Vp1, Vp1_1, Vp2, Vsp1];

/// The vertex languages except `!!VP2.0`, which adds flow and conditions.
pub const OLDER: [Language; 3] = [Vp1, Vp1_1, Vsp1];

/// Returns a write that every program needs to load.
pub fn duty(language: Language) -> &'static str {
    if language == Vsp1 { "MOV c[95], R0;" } else { "MOV o[HPOS], R0;" }
}

/// Returns a whole program: `body`, then the write of [`duty`].
pub fn around(language: Language, body: &str) -> String {
    format!("{}\n{body}\n{}\nEND\n", language.header(), duty(language))
}

#[track_caller]
pub fn accepts(language: Language, body: &str) -> ir::Program {
    accepts_whole(&around(language, body))
}

/// Checks that `body` is refused with exactly one error, `code` at `@`.
#[track_caller]
pub fn refuses(language: Language, code: &str, body: &str) {
    refuses_whole(code, &around(language, body));
}
