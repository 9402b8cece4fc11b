//! [`Difference`]: the lines that differ between a draft and its file.

use crate::format;

/// A replaced range of lines, from the first line that differs to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the first line that differs, from 1.
    pub line: usize,
    /// The file's lines in the range.
    pub file: Vec<String>,
    /// The draft's lines in the range.
    pub draft: Vec<String>,
}

impl Difference {
    /// Compares the text of a file with a draft of it. `None` if they are equal.
    pub fn between(file: &str, draft: &str) -> Option<Self> {
        if file == draft {
            return None;
        }
        let (old, new) = (lines(file), lines(draft));
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - same;
        let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
        let stretch =
            |lines: &[&str]| lines[same..lines.len() - tail].iter().map(|&l| l.to_owned()).collect();
        Some(Self { line: same + 1, file: stretch(&old), draft: stretch(&new) })
    }

    /// Describes the size of the difference, as the end of a sentence about the draft.
    pub fn summary(&self) -> String {
        let of = |count: usize| format::counted(count, "line");
        match (self.file.len(), self.draft.len()) {
            (0, 0) => format!("different line endings from line {}", self.line),
            (0, added) => format!("{} added at line {}", of(added), self.line),
            (removed, 0) => format!("{} removed at line {}", of(removed), self.line),
            (1, 1) => format!("line {} changed", self.line),
            (old, new) => format!("{} replaced by {new} from line {}", of(old), self.line),
        }
    }
}

/// Splits into lines without their line breaks. Text after the last line break is a line; an empty rest is
/// not.
fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stretch_that_differs_is_found() {
        let between = |file, draft| Difference::between(file, draft).map(|d| (d.line, d.file, d.draft));
        let owned = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
        assert_eq!(between("a\nb\n", "a\nb\n"), None);
        assert_eq!(between("a\nb\nc\n", "a\nx\nc\n"), Some((2, owned(&["b"]), owned(&["x"]))));
        assert_eq!(between("a\nc\n", "a\nb\nc\n"), Some((2, owned(&[]), owned(&["b"]))));
        assert_eq!(between("a\nb\nc\n", "a\nc\n"), Some((2, owned(&["b"]), owned(&[]))));
        assert_eq!(between("", "a\n"), Some((1, owned(&[]), owned(&["a"]))));
        assert_eq!(between("a\na\n", "a\na\na\n"), Some((3, owned(&[]), owned(&["a"]))));
    }

    #[test]
    fn summaries_read_as_words() {
        let summary = |file, draft| Difference::between(file, draft).map(|d| d.summary()).unwrap_or_default();
        assert_eq!(summary("a\nb\n", "a\nc\n"), "line 2 changed");
        assert_eq!(summary("a\n", "a\nb\nc\n"), "2 lines added at line 2");
        assert_eq!(summary("a\nb\n", "a\n"), "1 line removed at line 2");
        assert_eq!(summary("a\nb\nc\n", "x\n"), "3 lines replaced by 1 from line 1");
        assert_eq!(summary("a\n", "a"), "different line endings from line 2");
    }
}
