//! The front end of `!!VP1.0`, `!!VP1.1`, `!!VP2.0` and `!!VSP1.0`. NV_vertex_program2 2.14.1 to 2.14.6
//! defines all four: it restates NV_vertex_program and NV_vertex_program1_1.
//!
//! `parser` reads statements, and `operand` their registers. `check` turns a statement into IR and applies
//! the load rules that need more than one token. `words` classifies the words of the grammar. The parser also
//! reads features that the language lacks, so that the diagnostic can name the version that has the feature.
//!
//! `engine/tests/conformance/READINGS.md` lists how Shadestep reads the specification where it leaves a
//! choice.

mod check;
mod operand;
mod parser;
pub mod words;

use super::Loaded;
use crate::isa::Language;
use parser::{Parser, Vp};

/// Loads `text`, which begins with the header of `language`.
pub(super) fn load(text: &[u8], language: Language) -> Loaded {
    Parser::new(text, Vp::new(language)).run()
}
