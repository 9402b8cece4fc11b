//! The `!!FP1.0` front end (NV_fragment_program 3.11.1 to 3.11.4).
//!
//! `parser` reads statements and recovers, `operand` and `define` the parts of statements, `check` turns
//! a statement into IR and applies the load rules that need more than one token, `words` knows which
//! words the grammar takes.
//!
//! `engine/tests/conformance/READINGS.md` tells how the text is read where it leaves a choice.

mod check;
mod define;
mod operand;
mod parser;
pub mod words;

use super::Loaded;
use crate::source::Span;
pub use parser::DIALECT;
use parser::{Fp1, Parser};

/// The names that `text`, faulty or not, makes, with where it does.
pub fn names(text: &[u8]) -> Vec<(&str, Span)> {
    Parser::new(text, Fp1::default()).read().names.all().collect()
}

/// Loads `text`, which begins with `!!FP1.0`.
pub(super) fn load(text: &[u8]) -> Loaded {
    Parser::new(text, Fp1::default()).run()
}
