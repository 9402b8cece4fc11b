//! Splits a Markdown page into blocks of words, without code and markup. `rules.rs` checks the blocks.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A paragraph, a list item, a heading or a cell of a table.
pub struct Block {
    /// The line number, from 1.
    pub line: usize,
    /// The words, without code and markup. `X` replaces a code span.
    pub text: String,
    /// True in a paragraph or a list item.
    pub is_prose: bool,
}

/// Returns the blocks of `page` that have words, in order.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    let mut in_code = false;
    for (event, range) in Parser::new_ext(page, Options::ENABLE_TABLES).into_offset_iter() {
        let words: &str = match &event {
            Event::Start(Tag::CodeBlock(_)) => {
                in_code = true;
                continue;
            }
            Event::End(TagEnd::CodeBlock) => {
                in_code = false;
                continue;
            }
            Event::Start(tag @ (Tag::Paragraph | Tag::Item | Tag::Heading { .. } | Tag::TableCell)) => {
                blocks.extend(open.take());
                let line = page[..range.start].matches('\n').count() + 1;
                let is_prose = matches!(tag, Tag::Paragraph | Tag::Item);
                open = Some(Block { line, text: String::new(), is_prose });
                continue;
            }
            Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::Heading(_) | TagEnd::TableCell) => {
                blocks.extend(open.take());
                continue;
            }
            Event::Text(words) if !in_code => words,
            Event::Code(_) => "X",
            Event::SoftBreak | Event::HardBreak => " ",
            _ => continue,
        };
        if let Some(block) = &mut open {
            block.text.push_str(words);
        }
    }
    blocks.extend(open);
    blocks.retain(|block| block.text.chars().any(char::is_alphabetic));
    blocks
}
