//! Syntax colouring of `scene.toml`, one line at a time.

use shadestep_engine::ide::TokenKind;
use std::ops::Range;

/// The tokens of `line`, without gaps. Each line of a multi-line string is coloured as if it stood alone.
pub fn tokens(line: &str) -> Vec<(Range<usize>, TokenKind)> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let header = line.trim_start().starts_with('[') && !line.contains('=');
    while at < line.len() {
        let (length, kind) = token(&line[at..], header, &tokens, line);
        tokens.push((at..at + length, kind));
        at += length;
    }
    tokens
}

fn token(rest: &str, header: bool, before: &[(Range<usize>, TokenKind)], line: &str) -> (usize, TokenKind) {
    let Some(first) = rest.chars().next() else { return (rest.len(), TokenKind::Whitespace) };
    let run = |of: fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.' | ':');
    match first {
        '#' => (rest.len(), TokenKind::Comment),
        '"' | '\'' => {
            let length = text_length(rest, first);
            let kind = if is_key(&rest[length..]) { TokenKind::Parameter } else { TokenKind::TextureTarget };
            (length, kind)
        }
        c if c.is_whitespace() => (run(char::is_whitespace), TokenKind::Whitespace),
        c if word(c) => {
            let length = run(word);
            let kind = match &rest[..length] {
                // A section header. An array of tables has double brackets; both kinds have a line of their
                // own.
                _ if header && is_section(before, line) => TokenKind::Keyword,
                _ if is_key(&rest[length..]) => TokenKind::Parameter,
                "true" | "false" => TokenKind::Mnemonic,
                _ => TokenKind::Number,
            };
            (length, kind)
        }
        c => (c.len_utf8(), TokenKind::Punctuation),
    }
}

/// True if a word of a line such as `[state]` is a section's name. The lines of a multi-line array also begin
/// with brackets.
fn is_section(before: &[(Range<usize>, TokenKind)], line: &str) -> bool {
    let only_brackets = before.iter().all(|(range, _)| {
        let text = line[range.clone()].trim();
        text.is_empty() || text == "[" || text == "."
    });
    only_brackets && line.trim_end().trim_end_matches(|c| c != ']').ends_with(']')
}

/// Length of the string that begins with `quote`.
fn text_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// True if the text after a word makes the word a key.
fn is_key(rest: &str) -> bool {
    rest.trim_start().starts_with('=')
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
        assert_eq!(kinds("[[texture]] # one\n"), [is("texture", Keyword), is("# one\n", Comment)]);
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
    }
}
