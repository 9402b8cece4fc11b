//! Finds the string literals of a Rust file that a user may read. `rules.rs` checks the literals.

use crate::common::tokens::test_item;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Macros and methods whose messages are for programmers.
const INTERNAL: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "expect",
    "expect_err",
    "panic",
    "unreachable",
];

/// Returns the literals with their lines. Skips tests, attributes and messages for programmers.
pub fn literals(source: &str) -> Vec<(usize, String)> {
    let tokens: TokenStream = source.parse().expect("Rust source");
    let mut found = Vec::new();
    collect(tokens, &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<(usize, String)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut before: [String; 2] = Default::default();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some(item) = test_item(&tokens[at..]) {
            at += 2 + item.len();
            before = Default::default();
            continue;
        }
        at += 1;
        let mut word = String::new();
        match token {
            TokenTree::Group(group) => {
                let is_attribute = group.delimiter() == Delimiter::Bracket
                    && matches!(before.each_ref().map(String::as_str), [_, "#"] | ["#", "!"]);
                let is_internal = before.iter().any(|word| INTERNAL.contains(&word.as_str()));
                if !is_attribute && !is_internal {
                    collect(group.stream(), found);
                }
            }
            TokenTree::Literal(literal) => {
                let line = literal.span().start().line;
                found.extend(text(&literal.to_string()).map(|text| (line, without_arguments(&text))));
            }
            TokenTree::Punct(punct) => word = punct.as_char().to_string(),
            TokenTree::Ident(ident) => word = ident.to_string(),
        }
        before = [std::mem::take(&mut before[1]), word];
    }
}

/// Returns the text of a string literal, or `None` for other literals.
fn text(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        return Some(raw.trim_matches('#').trim_matches('"').to_owned());
    }
    let quoted = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut rest = quoted.chars().peekable();
    while let Some(sign) = rest.next() {
        if sign != '\\' {
            text.push(sign);
            continue;
        }
        match rest.next() {
            // The string continues on the next line, without the leading spaces.
            Some('\n') => while rest.next_if(|sign| sign.is_whitespace()).is_some() {},
            Some('n' | 't') => text.push(' '),
            Some(other) => text.push(other),
            None => {}
        }
    }
    Some(text)
}

/// Returns `text` with `{}` for each formatting argument, so that names of arguments are not checked.
fn without_arguments(text: &str) -> String {
    let mut parts = text.split('{');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.split_once('}').map_or(part, |(_, rest)| rest);
        plain.push_str("{}");
        plain.push_str(rest);
    }
    plain
}
