//! What a word can be in every grammar: an instruction, a keyword, a condition rule, another word of the grammar,
//! or a name.

use crate::ir::{CcRegister, Condition};
use crate::isa::{Info, Suffixes};
use crate::syntax::{Token, TokenKind};

/// What a word is to the parts that all parsers share. `K` are the language's own keywords.
#[derive(Clone, Copy, Debug)]
pub enum Role<K> {
    /// An instruction name of the language with the suffixes it takes.
    Instruction(&'static Info, Suffixes),
    /// What begins a statement that is no instruction.
    Keyword(K),
    /// `END`
    End,
    /// A condition rule, and the register it tests.
    Condition(Condition, CcRegister),
    /// Anything else that the grammar has; what, in words, for "... is ...".
    Other(&'static str),
    /// None of the grammar's words.
    Name,
}

impl<K> Role<K> {
    /// What the word is, in words, for "... is ...".
    pub const fn describe(&self) -> &'static str {
        match self {
            Self::Instruction(..) => "an instruction name",
            Self::Keyword(_) | Self::End => "a keyword",
            Self::Condition(..) => "a condition",
            Self::Other(what) => what,
            Self::Name => "a name",
        }
    }

    /// Whether it can only begin a statement; no label can have it.
    pub const fn begins_statement(&self) -> bool {
        matches!(self, Self::Instruction(..) | Self::Keyword(_) | Self::End)
    }
}

/// The number in `word` after `prefix`, written without leading zeros.
pub fn numbered(word: &str, prefix: &str) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    let plain = !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    // A number too long for u32 is out of every range there is.
    plain.then(|| digits.parse().unwrap_or(u32::MAX))
}

/// The same, if it is below `limit`.
pub fn numbered_below(word: &str, prefix: &str, limit: usize) -> Option<u8> {
    numbered(word, prefix).and_then(|n| u8::try_from(n).ok()).filter(|&n| usize::from(n) < limit)
}

/// Each of `tokens` with whether it stands behind a point, where there are components, modifiers and parts of bindings but
/// no names. Blanks and comments between do not count.
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
