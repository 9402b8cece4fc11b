//! What an editor asks of a program text: highlighting, hover, completion, outline, reference pages.
//! Plain data without colours or widgets; nothing here reports faults, that is [`crate::front`].

mod complete;
mod help;
mod highlight;
mod hover;
mod lexicon;
mod meaning;
mod outline;
mod reference;
mod words;

pub use crate::diag::render::{render_all, render_text};
pub use complete::{Completion, completions};
pub use highlight::{Token, TokenKind, highlight, highlight_line};
pub use hover::{Hover, hover};
pub use lexicon::Lexicon;
pub use outline::{OutlineItem, OutlineKind, outline};
pub use reference::reference;
