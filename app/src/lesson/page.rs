//! A lesson's page: Markdown, split at blocks of program text.

use super::PAGE_FILE;
use crate::markdown::Markdown;
use crate::scene::SceneError;

/// The page of a lesson, within the limits of [`Markdown`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The parts, from top to bottom.
    pub parts: Vec<PagePart>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PagePart {
    /// Text without blocks of code.
    Words(Markdown),
    /// A block of code, fenced or indented.
    Code(String),
}

impl Page {
    /// Splits `text` into parts.
    ///
    /// # Errors
    /// A page without text, or [`Markdown`] over its limits, at its line.
    pub(super) fn new(text: &str) -> Result<Self, SceneError> {
        if text.trim().is_empty() {
            return Err(SceneError::new(PAGE_FILE, "the page is empty"));
        }
        let part = |block: Block| {
            if block.is_code {
                return Ok(PagePart::Code(block.text));
            }
            let words = Markdown::new(block.text).map_err(|error| {
                SceneError::new(PAGE_FILE, error.message).at_line(block.line + error.line - 1)
            });
            words.map(PagePart::Words)
        };
        let parts = blocks(text).into_iter().map(part).collect::<Result<_, _>>()?;
        Ok(Self { parts })
    }
}

/// Consecutive lines of a page.
#[derive(Debug)]
struct Block {
    is_code: bool,
    /// Number of the first line, from 1.
    line: usize,
    text: String,
}

/// Splits `page` at blocks of code. A block of code is fenced, or indented by four spaces after an empty
/// line.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut fenced, mut before_is_blank, mut before_is_fence) = (false, true, false);
    for (line, number) in page.lines().zip(1..) {
        let fence = line.trim_start().starts_with("```");
        let in_code = !before_is_fence && blocks.last().is_some_and(|block| block.is_code);
        let indented = line.starts_with("    ") && (before_is_blank || in_code);
        let goes_on = in_code && line.trim().is_empty();
        let is_code = fenced || (!fence && (indented || goes_on));
        if !fence {
            let text =
                if is_code && !fenced { line.strip_prefix("    ").unwrap_or(line.trim()) } else { line };
            match blocks.last_mut() {
                Some(block) if block.is_code == is_code && !before_is_fence => {
                    block.text.push('\n');
                    block.text.push_str(text);
                }
                _ => blocks.push(Block { is_code, line: number, text: text.to_owned() }),
            }
        }
        fenced ^= fence;
        (before_is_blank, before_is_fence) = (line.trim().is_empty(), fence);
    }
    for block in &mut blocks {
        block.text.truncate(block.text.trim_end().len());
    }
    blocks.retain(|block| !block.text.is_empty());
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_cut_at_blocks_of_code() {
        let page = "Words\nand more.\n\n    MAD d, a;\n\n    MUL d, a;\n\nBehind.\n\n* one\n    goes on\n\n```\nfenced\n  more\n```\n```\nsecond\n```\nEnd\n";
        let expected = [
            (false, 1, "Words\nand more."),
            (true, 4, "MAD d, a;\n\nMUL d, a;"),
            (false, 8, "Behind.\n\n* one\n    goes on"),
            (true, 14, "fenced\n  more"),
            (true, 18, "second"),
            (false, 20, "End"),
        ];
        let found = blocks(page);
        let found: Vec<(bool, usize, &str)> =
            found.iter().map(|block| (block.is_code, block.line, block.text.as_str())).collect();
        assert_eq!(found, expected);
        assert!(blocks("").is_empty());
    }

    #[test]
    fn what_is_nested_too_deep_is_found_at_its_line() {
        // Without the split, Markdown would read the last line as code, because the fence is not closed.
        let hidden = format!("~~~\n```\n```\n\nWords.\n\n{}x\n", "> ".repeat(33));
        for (page, line) in
            [(format!("Words.\n\n    MUL a, b, c;\n\nMore.\n\n{}x\n", "- ".repeat(33)), 7), (hidden, 7)]
        {
            let error = Page::new(&page).unwrap_err();
            assert_eq!(
                (&*error.file, error.place.map(|place| place.line)),
                (PAGE_FILE, Some(line)),
                "{page}"
            );
            assert!(error.message.contains("more than 32 deep"), "{error}");
        }
        let code = format!("Words.\n\n```\n{}x\n```\n", "> ".repeat(99));
        assert!(Page::new(&code).is_ok(), "code has no levels");
    }
}
