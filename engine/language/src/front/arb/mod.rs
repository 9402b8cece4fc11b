//! The front end of `!!ARBfp1.0` and `!!ARBvp1.0` with their options (ARB_fragment_program 3.11.2 to 3.11.6,
//! ARB_vertex_program 2.14.2 to 2.14.5, and the texts of the options), and of `!!NVvp4.0`, `!!NVfp4.0`, `!!NVvp5.0`
//! and `!!NVfp5.0`, whose grammar has grown out of theirs (NV_gpu_program4 and NV_gpu_program5 2.X.2 to 2.X.7).
//!
//! `parser` reads statements, `options` and `declare` those that are no instructions, `arrays` what makes a variable an array, `indices` what chooses an element; `bindings`, `parameters` and
//! `state` what names are bound to; `operand` what instructions read and write; `names` holds the variables,
//! `limits` the counts, `flow` the blocks; `check` makes instructions, which `rules` looks at, and `build` the program of them. `types` has
//! what operations and variables have types for, `interpolation` what fragment attributes are declared to be,
//! `units` the units of textures and images, `texture` what lookups name, `memory` what else accesses memory, `subroutines` what CALI calls. `words` knows the words, `elsewhere` those of other languages; `symbols` answers what editors ask. What an option brings
//! is read without it, too, where that is possible, so that the finding can name the option.
//!
//! `engine/tests/conformance/READINGS.md` tells how the texts are read where they leave a choice.

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
pub mod units;
pub mod words;

pub use bindings::BindingContext;

use super::Loaded;
use crate::isa::Language;
pub use parser::dialect;
use parser::{Arb, Parser};

/// Loads `text`, which begins with the header of `language`.
pub(super) fn load(text: &[u8], language: Language) -> Loaded {
    Parser::new(text, Arb::new(language)).run()
}
