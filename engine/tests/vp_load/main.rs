//! What programs in the four vertex languages load and what they are refused for, with the place.
//!
//! Cases follow the grammar of NV_vertex_program2 2.14.1.8, the load rules there and in 2.14.2.3, 2.14.5
//! and 2.14.6, and Tables X.1, X.3, X.4 and X.5.

mod accepted;
mod flow;
#[path = "../support/loading.rs"]
mod loading;
mod refused;

use shadestep_engine::ir;
use shadestep_engine::isa::Language::{self, Vp1, Vp1_1, Vp2, Vsp1};

pub use loading::{accepts_whole, load_checked, refuses_whole};

/// The vertex languages.
pub const ALL: [Language; 4] = [Vp1, Vp1_1, Vp2, Vsp1];

/// Those before `!!VP2.0`.
pub const OLDER: [Language; 3] = [Vp1, Vp1_1, Vsp1];

/// What a program must write to load.
pub fn duty(language: Language) -> &'static str {
    if language == Vsp1 { "MOV c[95], R0;" } else { "MOV o[HPOS], R0;" }
}

/// A whole program with `body` before what it must write.
pub fn around(language: Language, body: &str) -> String {
    format!("{}\n{body}\n{}\nEND\n", language.header(), duty(language))
}

#[track_caller]
pub fn accepts(language: Language, body: &str) -> ir::Program {
    accepts_whole(&around(language, body))
}

/// `body` must be refused with exactly one error, `code` at `@`.
#[track_caller]
pub fn refuses(language: Language, code: &str, body: &str) {
    refuses_whole(code, &around(language, body));
}
