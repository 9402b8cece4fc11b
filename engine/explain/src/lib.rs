//! Explanations for learners: a recorded step in words and numbers, examples of each instruction that are computed
//! by running them, and the reference pages made of both.
//!
//! This is a crate of its own because it needs the editor's words (`shadestep-ide`) and the execution of programs
//! (`shadestep-core`), and neither of these should need the other.

pub mod example;
mod explain;
mod page;

pub use explain::{Computed, Explanation, explain, explain_instruction, instruction_at};
pub use page::{Block, markdown, page, reference};
