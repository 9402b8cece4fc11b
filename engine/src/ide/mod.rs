//! What an editor asks about a program text: highlighting, hover, completion, outline, where a name is declared and used,
//! renaming, formatting, reference pages. The answers are plain data without colours or widgets.
//!
//! `words` says what a word is in a language, `meaning` what a register or binding stands for, `help` what is said
//! of instructions, keywords and options. They ask `isa` and the front ends, so an editor cannot see a text in
//! another way than the loader. Not here: diagnostics, which [`crate::front`] gives.

mod complete;
pub mod example;
mod explain;
mod format;
mod help;
mod highlight;
mod hover;
mod lexicon;
mod meaning;
mod outline;
mod page;
mod reference;
mod rename;
mod uses;
mod words;

pub use crate::diag::render::render_all;
pub use complete::{Completion, completions};
pub use explain::{Computed, Explanation, explain, explain_instruction, instruction_at};
pub use format::{Edit, format};
pub use highlight::{Token, TokenKind, highlight, highlight_line};
pub use hover::{Hover, hover};
pub use lexicon::Lexicon;
pub use outline::{OutlineItem, OutlineKind, outline};
pub use page::{Block, markdown, page, reference};
pub use rename::{Refusal, rename, renamed};
pub use uses::{Access, Symbol, Use, symbol};
