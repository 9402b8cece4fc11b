//! Places in a program's text that the fixes of warnings replace.

use shadestep_language::ir::Instruction;
use shadestep_language::semantics::plan::Plan;
use shadestep_language::source::Span;
use shadestep_language::syntax::{Lexer, Token, TokenKind};

/// The tokens of `text` without whitespace and comments.
fn tokens(text: &[u8]) -> impl Iterator<Item = Token> {
    Lexer::new(text).filter(|token| !matches!(token.kind, TokenKind::Whitespace | TokenKind::Comment))
}

/// The single letter in the write mask of `instruction`, if the instruction would write the same value with
/// another letter.
pub(super) fn mask(instruction: &Instruction, text: &[u8]) -> Option<Span> {
    let dest = instruction.dest().filter(|dest| dest.mask.0.is_power_of_two())?;
    let is_same = |operand: &shadestep_language::ir::Operand| {
        operand.swizzle.0.iter().all(|c| *c == operand.swizzle.0[0])
    };
    let is_replicated = matches!(Plan::of(instruction), Plan::Replicated(_));
    if !is_replicated && !instruction.operands.iter().all(is_same) {
        return None;
    }
    let own = text.get(dest.span.start..dest.span.end)?;
    let before_test = tokens(own).take_while(|token| token.kind != TokenKind::LeftParen);
    let letter = before_test.last().filter(|token| token.kind == TokenKind::Word)?.span;
    let span = Span::new(dest.span.start + letter.start, dest.span.start + letter.end);
    (letter.end - letter.start == 1).then_some(span)
}

/// The place of the number that VERTICES_OUT declares.
pub(super) fn vertices_out(text: &[u8]) -> Option<Span> {
    let mut rest = tokens(text).skip_while(|token| token.span.slice(text) != b"VERTICES_OUT");
    rest.nth(1).filter(|token| token.kind == TokenKind::Number).map(|token| token.span)
}
