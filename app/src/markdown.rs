//! [`Markdown`]: a text with limits on size and nesting, so that the UI thread can lay it out in time.

use pulldown_cmark::{Event, Options, Parser, Tag};
use std::fmt;

/// Largest text, in bytes.
pub const MAX_BYTES: u64 = 256 << 10;

/// Deepest nesting of lists, quotes, emphases and links.
pub const MAX_NESTING: usize = 32;

/// A text within [`MAX_BYTES`] and [`MAX_NESTING`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Markdown(String);

/// The reason why a text is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkdownError {
    /// Line of the text, from 1.
    pub line: usize,
    /// One sentence without a full stop.
    pub message: String,
}

impl fmt::Display for MarkdownError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line {}: {}.", self.line, self.message)
    }
}

impl Markdown {
    /// Checks the limits.
    ///
    /// # Errors
    /// The text exceeds a limit.
    pub fn new(text: String) -> Result<Self, MarkdownError> {
        if text.len() as u64 > MAX_BYTES {
            let message = format!("the text is larger than {} KiB; split it", MAX_BYTES >> 10);
            return Err(MarkdownError { line: 1, message });
        }
        // The nesting depth of the content of each open element.
        let mut depths = Vec::new();
        for (event, span) in Parser::new_ext(&text, options()).into_offset_iter() {
            match event {
                Event::Start(tag) => {
                    let depth = depths.last().copied().unwrap_or(0) + usize::from(nests(&tag));
                    if depth > MAX_NESTING {
                        let message = format!(
                            "lists, quotes, emphasis and links are nested more than {MAX_NESTING} deep"
                        );
                        let line = 1 + text[..span.start].matches('\n').count();
                        return Err(MarkdownError { line, message });
                    }
                    depths.push(depth);
                }
                Event::End(_) => {
                    depths.pop();
                }
                _ => {}
            }
        }
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns true if an element counts as a level. Items, paragraphs and cells belong to the level around them.
const fn nests(tag: &Tag<'_>) -> bool {
    !matches!(
        tag,
        Tag::Paragraph
            | Tag::Item
            | Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
    )
}

/// The extensions that `egui_commonmark` reads.
fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_DEFINITION_LIST
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of each kind with `depth` levels, in their third lines.
    fn nested(depth: usize) -> Vec<(&'static str, String)> {
        let pairs = depth / 2;
        let odd = if depth % 2 == 1 { "~~" } else { "" };
        let emphasis = format!("{0}{odd}x{odd}{1}", "*a **b ".repeat(pairs), " c** d*".repeat(pairs));
        let mixed = format!("{}{}x", "> ".repeat(pairs), "- ".repeat(depth - pairs));
        let link = format!("{}[x](y)", "> ".repeat(depth - 1));
        [
            ("quotes", format!("{}x", "> ".repeat(depth))),
            ("lists", format!("{}x", "- ".repeat(depth))),
            ("numbered lists", format!("{}x", "1. ".repeat(depth))),
            ("emphases", emphasis),
            ("quotes and lists", mixed),
            ("a link in quotes", link),
        ]
        .map(|(name, line)| (name, format!("Words.\n\n{line}\n")))
        .into()
    }

    #[test]
    fn nesting_has_a_limit_for_every_element() {
        for (name, text) in nested(MAX_NESTING) {
            assert!(Markdown::new(text.clone()).is_ok_and(|found| found.as_str() == text), "{name}");
        }
        for (name, text) in nested(MAX_NESTING + 1) {
            let error = Markdown::new(text).expect_err(name);
            assert_eq!(error.line, 3, "{name}");
            assert!(error.message.contains("more than 32 deep"), "{name}: {error}");
        }
    }

    #[test]
    fn size_has_a_limit() {
        let most = usize::try_from(MAX_BYTES).unwrap();
        assert!(Markdown::new("a".repeat(most)).is_ok());
        let error = Markdown::new("a".repeat(most + 1)).unwrap_err();
        assert_eq!(error.to_string(), "Line 1: the text is larger than 256 KiB; split it.");
    }

    #[test]
    fn many_elements_side_by_side_are_no_nesting() {
        for piece in ["> x\n\n", "* a\n  * b\n\nx\n\n", "*a* **b** [c](d) `e`\n", "| a |\n|---|\n| b |\n\n"] {
            assert!(Markdown::new(piece.repeat(200)).is_ok(), "{piece}");
        }
    }
}
