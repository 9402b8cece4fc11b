//! Explanations for learners: recorded steps in words and numbers, examples of each instruction that are
//! computed by running them, and reference pages made from both.
//!
//! This is a separate crate because it needs both the editor's words (`shadestep-ide`) and the execution of
//! programs (`shadestep-core`), and neither of these may depend on the other.

pub mod example;
mod explain;
mod page;

pub use explain::{Computed, Explanation, explain, explain_instruction, instruction_at};
pub use page::{Block, markdown, page, reference};
