//! The role of a word in every grammar: an instruction, a keyword, a condition rule, another word of the
//! grammar, or a name.

use crate::ir::{CcRegister, Condition};
use crate::isa::{Info, Suffixes};
use crate::syntax::{Token, TokenKind};

/// The role of a word for the shared parser. `K` is the type of the language's own keywords.
#[derive(Clone, Copy, Debug)]
pub enum Role<K> {
    /// An instruction name of the language with the suffixes it takes.
    Instruction(&'static Info, Suffixes),
    /// The first word of a statement that is not an instruction.
    Keyword(K),
    /// `END`
    End,
    /// A condition rule and the condition code register that it tests.
    Condition(Condition, CcRegister),
    /// Any other word of the grammar, described for "... is ...".
    Other(&'static str),
    /// A word that is not in the grammar.
    Name,
}

impl<K> Role<K> {
    /// The description of the word for "... is ...".
    pub const fn describe(&self) -> &'static str {
        match self {
            Self::Instruction(..) => "an instruction name",
            Self::Keyword(_) | Self::End => "a keyword",
            Self::Condition(..) => "a condition",
            Self::Other(what) => what,
            Self::Name => "a name",
        }
    }

    /// Whether the word can only begin a statement. Such a word cannot be a label.
    pub const fn begins_statement(&self) -> bool {
        matches!(self, Self::Instruction(..) | Self::Keyword(_) | Self::End)
    }
}

/// The number after `prefix` in `word`. `None` if it has leading zeros.
pub fn numbered(word: &str, prefix: &str) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    let plain = !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    // A number too long for u32 is outside every range of the languages.
    plain.then(|| digits.parse().unwrap_or(u32::MAX))
}

/// The number after `prefix` in `word`, if it is below `limit`.
pub fn numbered_below(word: &str, prefix: &str, limit: usize) -> Option<u8> {
    numbered(word, prefix).and_then(|n| u8::try_from(n).ok()).filter(|&n| usize::from(n) < limit)
}

/// Each of `tokens` with whether it comes after a point. Components, modifiers and parts of bindings come
/// after points, and names never do. Whitespace and comments in between make no difference.
pub fn with_points(tokens: impl Iterator<Item = Token>) -> impl Iterator<Item = (Token, bool)> {
    let mut behind_point = false;
    tokens.map(move |token| {
        let was_behind = behind_point;
        if !matches!(token.kind, TokenKind::Whitespace | TokenKind::Comment) {
            behind_point = token.kind == TokenKind::Dot;
        }
        (token, was_behind)
    })
}
