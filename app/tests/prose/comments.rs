//! Doc comments of Rust sources as paragraphs.

/// The paragraphs of `//!` and `///` comments in `source`, each with the line that it begins at. Examples in
/// code blocks are left out. List items, headings and table rows are paragraphs of their own.
pub fn paragraphs(source: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut is_open, mut in_code) = (false, false);
    for (number, line) in source.lines().enumerate() {
        let line = line.trim_start();
        let words = line.strip_prefix("//!").or_else(|| line.strip_prefix("///")).map(str::trim);
        let Some(words) = words else {
            (is_open, in_code) = (false, false);
            continue;
        };
        if words.starts_with("```") {
            (is_open, in_code) = (false, !in_code);
        } else if words.is_empty() {
            is_open = false;
        } else if !in_code {
            let begins = !is_open || words.starts_with(['*', '-', '#', '|']);
            match found.last_mut().filter(|_| !begins) {
                Some((_, text)) => *text = format!("{text} {words}"),
                None => found.push((number + 1, words.to_owned())),
            }
            is_open = true;
        }
    }
    found
}

#[test]
fn paragraphs_are_joined_and_code_is_left_out() {
    let source = "//! One\n//! two.\n//!\n//! * three\n//! * four\n\n/// ```\n/// code();\n/// ```\n/// five\nfn f() {}\n";
    let expected = [(1, "One two."), (4, "* three"), (5, "* four"), (10, "five")];
    assert_eq!(paragraphs(source), expected.map(|(line, text)| (line, text.to_owned())));
}
