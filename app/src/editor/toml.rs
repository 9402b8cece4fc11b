//! Syntax colouring of `scene.toml`, one line at a time.

use crate::scene::schema::{is_toml_text, toml_tokens};
use shadestep_engine::ide::TokenKind;
use shadestep_engine::source::Span;
use std::ops::Range;
use toml_parser::lexer::TokenKind as Toml;

/// The tokens of `line`, without gaps. Each line of a multi-line string is coloured as if it stood alone.
pub fn tokens(line: &str) -> Vec<(Range<usize>, TokenKind)> {
    // The lines of a multi-line array also begin with brackets, and can have words after them.
    let mut is_after_brackets =
        line.trim_start().starts_with('[') && !line.contains('=') && line.contains(']');
    let kind_of = |(kind, span): (Toml, Span)| {
        let (text, is_key) = (&line[span.start..span.end], line[span.end..].trim_start().starts_with('='));
        let is_section = is_after_brackets;
        is_after_brackets &= matches!(kind, Toml::Whitespace | Toml::LeftSquareBracket);
        let kind = match kind {
            Toml::Comment => TokenKind::Comment,
            Toml::Whitespace | Toml::Newline => TokenKind::Whitespace,
            Toml::Atom if is_section => TokenKind::Keyword,
            Toml::Atom if is_key => TokenKind::Parameter,
            Toml::Atom if matches!(text, "true" | "false") => TokenKind::Mnemonic,
            Toml::Atom if text.is_ascii() => TokenKind::Number,
            kind if is_toml_text(kind) && is_key => TokenKind::Parameter,
            kind if is_toml_text(kind) => TokenKind::TextureTarget,
            _ => TokenKind::Punctuation,
        };
        (span.start..span.end, kind)
    };
    toml_tokens(line).map(kind_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_values_and_sections_are_told_apart() {
        let kinds = |line: &str| {
            let tokens = tokens(line);
            assert_eq!(tokens.iter().map(|(range, _)| &line[range.clone()]).collect::<String>(), line);
            let kept = tokens
                .into_iter()
                .filter(|(_, kind)| !matches!(kind, TokenKind::Whitespace | TokenKind::Punctuation));
            kept.map(|(range, kind)| (line[range].to_owned(), kind)).collect::<Vec<_>>()
        };
        let is = |text: &str, kind| (text.to_owned(), kind);
        use TokenKind::{Comment, Keyword, Mnemonic, Number, Parameter, TextureTarget};
        assert_eq!(kinds("[[texture]] # one\n"), [is("texture", Keyword), is("# one", Comment)]);
        assert_eq!(
            kinds("size = [512, 0x10]"),
            [is("size", Parameter), is("512", Number), is("0x10", Number)]
        );
        assert_eq!(
            kinds("\"p[0]\" = [\"time\", -1.5e3]"),
            [is("\"p[0]\"", Parameter), is("\"time\"", TextureTarget), is("-1.5e3", Number)]
        );
        assert_eq!(
            kinds("tint = { value = 'a\\', on = true }"),
            [
                is("tint", Parameter),
                is("value", Parameter),
                is("'a\\'", TextureTarget),
                is("on", Parameter),
                is("true", Mnemonic)
            ]
        );
        assert_eq!(kinds("  1, 2, 3,"), [is("1", Number), is("2", Number), is("3", Number)]);
        assert_eq!(kinds("é \"open"), [is("\"open", TextureTarget)]);
        assert_eq!(kinds("\u{feff}a = 1"), [is("\u{feff}a", Parameter), is("1", Number)]);
    }
}
