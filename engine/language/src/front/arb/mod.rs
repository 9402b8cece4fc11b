//! The front end of `!!ARBfp1.0` and `!!ARBvp1.0` with their options (ARB_fragment_program 3.11.2 to 3.11.6,
//! ARB_vertex_program 2.14.2 to 2.14.5, and the texts of the options), and of the languages of
//! NV_gpu_program4 and NV_gpu_program5, such as `!!NVvp4.0` and `!!NVfp5.0`, whose grammar extends theirs
//! (2.X.2 to 2.X.7).
//!
//! `parser` reads statements and calls the other modules:
//!
//! - Declarations: `options`, `declare`, `arrays`, `buffers`, `primitives`, `subroutines`, `interpolation`.
//! - Bindings: `bindings` for attributes and results, `parameters` and `state` for parameters.
//! - Instructions: `operand`, `indices`, `texture`, `units`, `memory`, `flow` for blocks.
//! - Words: `words`, `binding_words`, and `elsewhere` for words of other languages.
//! - Names and limits: `names` holds the variables, `limits` counts resources.
//! - Output: `rules` and `types` check statements, `check` makes IR instructions, `build` makes the program.
//! - Editors: `symbols` answers their questions about a text.
//!
//! The parser also accepts features of options that the program does not enable, where possible. The error
//! can then name the missing option.
//!
//! `engine/tests/conformance/READINGS.md` records how the parser reads clauses that leave a choice.

mod arrays;
mod binding_words;
mod bindings;
mod buffers;
mod build;
mod check;
mod declare;
mod elsewhere;
mod flow;
mod indices;
mod interpolation;
mod limits;
mod memory;
mod names;
mod operand;
mod options;
mod parameters;
mod parser;
mod primitives;
mod rules;
mod state;
mod subroutines;
pub mod symbols;
#[cfg(test)]
mod tests;
mod texture;
mod types;
mod units;
pub mod words;

pub use bindings::BindingContext;

use super::Loaded;
use crate::isa::Language;
pub(super) use parser::dialect;
use parser::{Arb, Parser};

/// Loads `text`, which begins with the header of `language`.
pub(super) fn load(text: &[u8], language: Language) -> Loaded {
    Parser::new(text, Arb::new(language)).run()
}
