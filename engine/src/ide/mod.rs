//! What an editor asks about a program text: highlighting, hover, completion, outline, reference pages. The answers
//! are plain data without colours or widgets.
//!
//! `words` says what a word is in a language, `meaning` what a register or binding stands for, `help` what is said
//! of instructions, keywords and options. They ask `isa` and the front ends, so an editor cannot see a text in
//! another way than the loader. Not here: diagnostics, which [`crate::front`] gives.

mod complete;
pub mod example;
mod explain;
mod help;
mod highlight;
mod hover;
mod lexicon;
mod meaning;
mod outline;
mod page;
mod reference;
mod words;

pub use crate::diag::render::render_all;
pub use complete::{Completion, completions};
pub use explain::{Computed, Explanation, explain, explain_instruction, instruction_at};
pub use highlight::{Token, TokenKind, highlight, highlight_line};
pub use hover::{Hover, hover};
pub use lexicon::Lexicon;
pub use outline::{OutlineItem, OutlineKind, outline};
pub use page::{Block, markdown, page, reference};
