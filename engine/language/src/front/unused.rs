//! Unused names. Compares the declared names of a text with its tokens, so that an editor can ask even while
//! the text has errors.

use super::Sink;
use super::dialect::Dialect;
use super::word_roles::with_points;
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::syntax::{Lexer, Token, TokenKind};
use std::collections::HashMap;

/// Warns about the names of `declared` that `text` does not use.
pub fn warn_of_unused_names(
    text: &[u8],
    declared: &[(&str, Span)],
    dialect: &'static Dialect,
    sink: &mut Sink,
) {
    for (name, span) in unused_names(text, declared) {
        let message = format!("`{name}` is never used");
        sink.push(Diagnostic::new(dialect.codes.unused_name, span, message));
    }
}

/// The names of `declared` that occur only once in `text`, each with the place of its declaration. In the
/// order of the text.
pub fn unused_names<'t>(text: &[u8], declared: &[(&'t str, Span)]) -> Vec<(&'t str, Span)> {
    let mut left: HashMap<&str, Span> = declared.iter().copied().collect();
    let is_name = |(token, behind_point): &(Token, bool)| token.kind == TokenKind::Word && !behind_point;
    for (token, _) in with_points(Lexer::new(text)).filter(is_name) {
        let word = std::str::from_utf8(token.span.slice(text)).unwrap_or_default();
        if left.get(word).is_some_and(|place| *place != token.span) {
            left.remove(word);
        }
    }
    let mut unused: Vec<_> = declared.iter().copied().filter(|(name, _)| left.contains_key(name)).collect();
    unused.sort_unstable_by_key(|(_, span)| *span);
    unused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_texts_with_errors_and_not_in_comments() {
        let declared = [("a", Span::new(17, 18)), ("b", Span::new(20, 21))];
        let text = b"!!ARBfp1.0  TEMP a, b; MOV b ,, # a";
        assert_eq!(unused_names(text, &declared), [declared[0]]);
    }
}
