//! Diagnostics as plain text with an excerpt of the source, for the command line and for copying.

use std::fmt::Write as _;

use super::{Diagnostic, plain};
use crate::source::{LineIndex, Span};

/// Longest piece of a source line that an excerpt shows, in characters.
const WIDTH: usize = 120;

/// Renders `diagnostics` as text in order, with a blank line between two. Each has a headline,
/// `file:line:column`, the marked lines, notes, fix and clause. Each ends with a line feed. Indexes `text`
/// only once.
///
/// Columns are bytes, from 1, as editors and [`LineIndex`] count them. Bytes that are not UTF-8 show as
/// replacement characters.
pub fn render_all(diagnostics: &[Diagnostic], text: &[u8], file_name: &str) -> String {
    let index = LineIndex::new(text);
    let parts: Vec<String> = diagnostics.iter().map(|d| render_one(d, text, &index, file_name)).collect();
    parts.join("\n")
}

fn render_one(diagnostic: &Diagnostic, text: &[u8], index: &LineIndex, file_name: &str) -> String {
    let severity = diagnostic.severity.name();
    let mut out = format!("{severity}[{}]: {}\n", diagnostic.code.name(), plain(&diagnostic.message));
    let place = index.line_column(diagnostic.span().start);
    let _ = writeln!(out, "  --> {file_name}:{}:{}", place.line, place.column);

    // The primary label keeps its marker; related ones follow in the order of their lines.
    let mut marks: Vec<(usize, Span, &str, char)> = Vec::new();
    for (number, label) in diagnostic.labels.iter().enumerate() {
        let marker = if number == 0 { '^' } else { '-' };
        marks.push((index.line_of(label.span.start.min(text.len())), label.span, &label.text, marker));
    }
    marks.sort_by_key(|&(line, ..)| line);
    let margin = marks.last().map_or(1, |(line, ..)| (line + 1).to_string().len());
    let _ = writeln!(out, "{:margin$} |", "");
    let mut shown = None;
    for (line, span, words, marker) in marks {
        let excerpt = Excerpt::new(text, index.line_span(line), span);
        // A second mark on the same piece of a line goes below the first. Clipping may show another piece of
        // the line.
        let piece = Some((line, excerpt.start));
        if shown != piece {
            let _ = writeln!(out, "{:>margin$} | {}", line + 1, excerpt.line);
            shown = piece;
        }
        let carets: String = std::iter::repeat_n(marker, excerpt.width).collect();
        let _ = writeln!(
            out,
            "{:margin$} | {:before$}{carets} {}",
            "",
            "",
            plain(words),
            before = excerpt.before
        );
        // No trailing space where the label has no words.
        while out.ends_with(" \n") {
            out.truncate(out.len() - 2);
            out.push('\n');
        }
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, "{:margin$} = note: {}", "", plain(note));
    }
    if let Some(fix) = &diagnostic.fix {
        let _ = writeln!(out, "{:margin$} = fix: {}", "", plain(&fix.title));
    }
    let _ = writeln!(out, "{:margin$} = spec: {}", "", diagnostic.clause());
    out
}

/// A source line, clipped around a mark.
struct Excerpt {
    line: String,
    /// Byte offset of the piece shown.
    start: usize,
    /// Characters before the mark.
    before: usize,
    /// Characters of the mark, at least one.
    width: usize,
}

impl Excerpt {
    fn new(text: &[u8], line: Span, mark: Span) -> Self {
        let bytes = line.slice(text);
        let length = bytes.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(bytes.len());
        let end = line.start + length;
        let mark_start = mark.start.clamp(line.start, end);
        let mark_end = mark.end.clamp(mark_start, end);
        let (mut from, mut to) = (line.start, end);
        if length > WIDTH {
            from = line.start.max(mark_start.saturating_sub(WIDTH / 3));
            to = end.min(from + WIDTH);
        }
        let mark_end = mark_end.min(to);
        let (ahead, behind) = (if from > line.start { "..." } else { "" }, if to < end { "..." } else { "" });
        let piece = |a: usize, b: usize| printable(&text[a..b]);
        let before = piece(from, mark_start);
        let marked = piece(mark_start, mark_end);
        Self {
            before: ahead.len() + before.chars().count(),
            width: marked.chars().count().max(1),
            line: format!("{ahead}{before}{marked}{}{behind}", piece(mark_end, to)),
            start: from,
        }
    }
}

/// `bytes` with one printable character for each character.
fn printable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .chars()
        .map(|c| match c {
            '\t' => ' ',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::codes;

    fn fault() -> Diagnostic {
        Diagnostic::new(codes::FP1_REDEFINED_NAME.citing("NV_x 1.2"), Span::new(11, 14), "two of them")
            .with_label(Span::new(6, 9), "first")
            .with_note("why")
            .with_fix("write one", Span::new(11, 14), "c")
    }

    #[test]
    fn marks_stand_below_their_bytes() {
        let text = b"line1\nabc, def;\n";
        assert_eq!(
            render_all(&[fault()], text, "a.fp"),
            "error[fp1-redefined-name]: two of them\n  --> a.fp:2:6\n  |\n2 | abc, def;\n  |      ^^^\n  | --- first\n  = note: why\n  = fix: write one\n  = spec: NV_x 1.2\n"
        );
    }

    #[test]
    fn tabs_wide_characters_and_ends_do_not_break_it() {
        let text = "\t\u{e9}\u{e9}x".as_bytes();
        let at_end = Diagnostic::new(codes::FP1_NO_OUTPUT, Span::at(text.len()), "m");
        assert!(render_all(&[at_end], text, "f").contains("1 |  \u{e9}\u{e9}x\n  |     ^\n"));
        let beyond = [Diagnostic::new(codes::FP1_NO_OUTPUT, Span::new(500, 600), "m")];
        assert!(render_all(&beyond, b"\xff\x00", "f").contains("f:1:3"));
        assert!(render_all(&beyond, b"", "f").contains("^"));
    }

    #[test]
    fn long_lines_are_clipped_around_the_mark() {
        let mut text = vec![b'a'; 1_000_000];
        text[500_000] = b'Z';
        let fault = Diagnostic::new(codes::FP1_NO_OUTPUT, Span::new(500_000, 500_001), "m");
        let shown = render_all(&[fault], &text, "f");
        assert!(shown.contains("Za") && shown.len() < text.len() / 1000, "a part of the line");
        let (line, mark) = (shown.lines().nth(3).unwrap(), shown.lines().nth(4).unwrap());
        let column = |s: &str, c: char| s.split_once(" | ").unwrap().1.find(c);
        assert_eq!(column(line, 'Z'), column(mark, '^'));
    }
}
