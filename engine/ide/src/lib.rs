//! Editor services for a program text: warnings, highlighting, hover, completion, outline, uses of a name,
//! renaming and formatting. The answers are plain data without colours or widgets.
//!
//! [`lint`] adds warnings to the errors of the front ends. `words` classifies the words of a language,
//! `meaning` describes registers and bindings, and `help` has hover texts for instructions, keywords and
//! options. All of them use the instruction table and the front ends, so an editor reads a text exactly as
//! the loader does. Nothing here runs a program or links the renderer.

mod complete;
mod format;
pub mod help;
mod highlight;
mod hover;
mod lexicon;
pub mod lint;
pub mod meaning;
mod outline;
pub mod reference;
mod rename;
#[cfg(test)]
mod samples;
mod uses;
pub mod words;

pub use complete::{Completion, completions};
pub use format::{Edit, format};
pub use highlight::{Token, TokenKind, highlight, highlight_line};
pub use hover::{Hover, Hoverable, hover};
pub use lexicon::Lexicon;
pub use outline::{OutlineItem, OutlineKind, outline};
pub use rename::{Refusal, rename, renamed};
pub use uses::{Access, Symbol, Use, symbol};
