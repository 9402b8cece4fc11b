//! Finds items that exist for tests only, in the tokens of a Rust file.

use proc_macro2::{Delimiter, TokenTree};

/// Returns the item after `#[cfg(test)]` if `tokens` begin with this attribute. The item ends with a
/// semicolon or with braces.
pub fn test_item(tokens: &[TokenTree]) -> Option<&[TokenTree]> {
    let [TokenTree::Punct(sign), TokenTree::Group(attribute), rest @ ..] = tokens else { return None };
    if sign.as_char() != '#' || attribute.stream().to_string().replace(' ', "") != "cfg(test)" {
        return None;
    }
    let is_end = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(sign) => sign.as_char() == ';',
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    };
    let end = rest.iter().position(is_end).map_or(rest.len(), |end| end + 1);
    Some(&rest[..end])
}
