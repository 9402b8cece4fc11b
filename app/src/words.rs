//! Words of program text at a byte of it.

use shadestep_engine::source::Span;
use shadestep_engine::syntax::is_word_byte;

/// Whether `c` may stand inside a word of a program.
pub fn is_in_word(c: char) -> bool {
    u8::try_from(c).is_ok_and(is_word_byte)
}

/// The word at byte `offset`: what may stand inside a word on both sides of it.
pub fn word_at(text: &str, offset: usize) -> &str {
    let span = word_span(text, offset);
    &text[span.start..span.end]
}

/// Its bytes.
pub fn word_span(text: &str, offset: usize) -> Span {
    let offset = text.floor_char_boundary(offset);
    let other = |c: char| !is_in_word(c);
    let start = text[..offset].char_indices().rev().find(|(_, c)| other(*c));
    let start = start.map_or(0, |(at, c)| at + c.len_utf8());
    let end = text[offset..].find(other).map_or(text.len(), |length| offset + length);
    Span::new(start, end)
}
