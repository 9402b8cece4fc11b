//! Finds the word at a position of a program's text.

use shadestep_engine::source::Span;
use shadestep_engine::syntax::is_word_byte;

/// Returns true if `c` can be part of a word.
pub fn is_in_word(c: char) -> bool {
    u8::try_from(c).is_ok_and(is_word_byte)
}

/// Returns the word around byte `offset`.
pub fn word_at(text: &str, offset: usize) -> &str {
    let span = word_span(text, offset);
    &text[span.start..span.end]
}

/// Returns the span of the word around byte `offset`.
pub fn word_span(text: &str, offset: usize) -> Span {
    let offset = text.floor_char_boundary(offset);
    let other = |c: char| !is_in_word(c);
    let start = text[..offset].char_indices().rev().find(|(_, c)| other(*c));
    let start = start.map_or(0, |(at, c)| at + c.len_utf8());
    let end = text[offset..].find(other).map_or(text.len(), |length| offset + length);
    Span::new(start, end)
}
