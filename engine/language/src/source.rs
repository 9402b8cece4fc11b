//! Positions in program text: byte spans and the line index. Diagnostics, IR and editor features use them.
//!
//! Program text is bytes, as in `LoadProgramNV`, and need not be UTF-8.

/// A half-open range of bytes, `start..end`, in one program text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset one past the last byte.
    pub end: usize,
}

impl Span {
    /// The span `start..end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The empty span at `offset`.
    pub const fn at(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// The smallest span that covers both spans.
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    pub const fn len(self) -> usize {
        self.end - self.start
    }

    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `offset` is in the span; `end` is not.
    pub const fn contains(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// The bytes of `text` that this span covers, clipped to the text.
    pub fn slice(self, text: &[u8]) -> &[u8] {
        let end = self.end.min(text.len());
        &text[self.start.min(end)..end]
    }
}

/// A position for display: line and column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    pub line: usize,
    /// The column in bytes.
    pub column: usize,
}

/// The start of each line of a text. A line ends at LF, CR LF or CR without LF, as comments do in the
/// specifications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<usize>,
    len: usize,
}

impl LineIndex {
    pub fn new(text: &[u8]) -> Self {
        let mut starts = vec![0];
        let mut bytes = text.iter().enumerate().peekable();
        while let Some((offset, &byte)) = bytes.next() {
            match byte {
                b'\n' => starts.push(offset + 1),
                b'\r' if bytes.peek().is_none_or(|&(_, &next)| next != b'\n') => {
                    starts.push(offset + 1);
                }
                _ => {}
            }
        }
        Self { starts, len: text.len() }
    }

    /// Number of lines, at least 1.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// The zero-based line of byte `offset`; the last line for offsets past the end.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// Line and column, from 1, of byte `offset`.
    pub fn line_column(&self, offset: usize) -> LineColumn {
        let offset = offset.min(self.len);
        let line = self.line_of(offset);
        LineColumn { line: line + 1, column: offset - self.starts[line] + 1 }
    }

    /// The bytes of zero-based `line` with its line ending. Lines past the end are empty.
    pub fn line_span(&self, line: usize) -> Span {
        let Some(&start) = self.starts.get(line) else { return Span::at(self.len) };
        Span::new(start, self.starts.get(line + 1).copied().unwrap_or(self.len))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_lf_crlf_and_cr() {
        let index = LineIndex::new(b"a\nbb\r\nc\rd");
        assert_eq!(index.line_count(), 4);
        assert_eq!(index.line_column(0), LineColumn { line: 1, column: 1 });
        assert_eq!(index.line_column(3), LineColumn { line: 2, column: 2 });
        assert_eq!(index.line_column(6), LineColumn { line: 3, column: 1 });
        assert_eq!(index.line_column(8), LineColumn { line: 4, column: 1 });
        assert_eq!(index.line_column(99), LineColumn { line: 4, column: 2 });
        assert_eq!(index.line_span(1), Span::new(2, 6));
    }
}
