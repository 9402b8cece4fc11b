//! The `!!FP1.0` front end (NV_fragment_program 3.11.1 to 3.11.4).
//!
//! `parser` reads statements and recovers after faults. `operand` and `define` read the parts of statements.
//! `check` turns a statement into IR and applies the load rules that need more than one token. `words`
//! classifies the words of the grammar.
//!
//! `engine/tests/conformance/READINGS.md` lists how Shadestep reads the specification where it leaves a
//! choice.

mod check;
mod define;
mod operand;
mod parser;
pub mod words;

use super::Loaded;
use crate::source::Span;
use parser::{Fp1, Parser};

/// The names that `text` defines or declares, each with the place of its definition. `text` may have errors.
pub(super) fn names(text: &[u8]) -> Vec<(&str, Span)> {
    Parser::new(text, Fp1::default()).read().names.all().collect()
}

/// Loads `text`, which begins with `!!FP1.0`.
pub(super) fn load(text: &[u8]) -> Loaded {
    Parser::new(text, Fp1::default()).run()
}
