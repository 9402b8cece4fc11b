//! Edits of whole lines: move, copy, delete and indent. Also the text that Enter inserts and the place where
//! Home goes.

use super::carets::Selection;
use super::text::{Edits, indentation, line_start, outdent, with_edits};
use shadestep_engine::source::Span;

/// Edits of a text, and the selection after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineEdit {
    pub edits: Edits,
    /// The selection in the new text.
    pub selection: Selection,
}

/// The lines that `selection` touches, without the last newline. If the selection ends at the start of a
/// line, that line is not included.
fn block(text: &str, selection: Selection) -> Span {
    let span = selection.span();
    let last =
        if !span.is_empty() && line_start(text, span.end) == span.end { span.end - 1 } else { span.end };
    Span::new(line_start(text, span.start), line_end(text, last))
}

/// The end of the line that contains byte `at`, before its newline.
pub fn line_end(text: &str, at: usize) -> usize {
    text[at.min(text.len())..].find('\n').map_or(text.len(), |length| at + length)
}

/// Moves `selection` by `by` bytes.
fn shifted(selection: Selection, by: isize) -> Selection {
    let moved = |at: usize| at.saturating_add_signed(by);
    Selection { anchor: moved(selection.anchor), head: moved(selection.head) }
}

/// Swaps the lines of `selection` with the line above. Returns `None` for the first line.
pub fn move_up(text: &str, selection: Selection) -> Option<LineEdit> {
    let block = block(text, selection);
    let above = Span::new(line_start(text, block.start.checked_sub(1)?), block.start);
    let line = &text[above.start..above.end - 1];
    let edits = vec![(above, String::new()), (Span::at(block.end), format!("\n{line}"))];
    Some(LineEdit { edits, selection: shifted(selection, -(above.len() as isize)) })
}

/// Swaps the lines of `selection` with the line below. Returns `None` for the last line.
pub fn move_down(text: &str, selection: Selection) -> Option<LineEdit> {
    let block = block(text, selection);
    let start = Some(block.end + 1).filter(|start| *start <= text.len())?;
    let end = line_end(text, start);
    let line = &text[start..end];
    // The empty line after the last newline does not count as a line.
    if line.is_empty() && end == text.len() {
        return None;
    }
    let edits =
        vec![(Span::at(block.start), format!("{line}\n")), (Span::new(block.end, end), String::new())];
    Some(LineEdit { edits, selection: shifted(selection, line.len() as isize + 1) })
}

/// Duplicates the lines of `selection`. Selects the copy below, or the upper one unless `below`.
pub fn copy(text: &str, selection: Selection, below: bool) -> LineEdit {
    let block = block(text, selection);
    let lines = &text[block.start..block.end];
    let edits = vec![(Span::at(block.end), format!("\n{lines}"))];
    LineEdit { edits, selection: shifted(selection, if below { lines.len() as isize + 1 } else { 0 }) }
}

/// The lines of `selection` with their newline. The last line has the newline before it instead.
pub fn whole(text: &str, selection: Selection) -> Span {
    let block = block(text, selection);
    match block.end < text.len() {
        true => Span::new(block.start, block.end + 1),
        false => Span::new(block.start.saturating_sub(1), block.end),
    }
}

/// Deletes the lines of `selection`. The caret keeps its column.
pub fn delete(text: &str, selection: Selection) -> LineEdit {
    let gone = whole(text, selection);
    let column = text[line_start(text, selection.head)..selection.head].chars().count();
    let edits = vec![(gone, String::new())];
    let now = with_edits(text, &edits);
    let line = line_start(&now, gone.start);
    let head = at_column(&now, line, column);
    LineEdit { edits, selection: Selection::new([head; 2]) }
}

/// Deletes the selected text, or the line if nothing is selected.
pub fn cut(text: &str, selection: Selection) -> LineEdit {
    let span = selection.span();
    if span.is_empty() {
        return delete(text, selection);
    }
    LineEdit { edits: vec![(span, String::new())], selection: Selection::new([span.start; 2]) }
}

/// Selects the lines of `selection`. If they are selected already, the next line is added.
pub fn select(text: &str, selection: Selection) -> Selection {
    let span = selection.span();
    let start = line_start(text, span.start);
    let end = (line_end(text, span.end) + 1).min(text.len());
    Selection { anchor: start, head: end }
}

/// Moves the bytes `from` to `to`, or copies them, and selects them there. Returns `None` for a move into the
/// bytes themselves.
pub fn dropped(text: &str, from: Span, to: usize, copies: bool) -> Option<LineEdit> {
    let words = text.get(from.start..from.end)?.to_owned();
    if !copies && from.start <= to && to <= from.end {
        return None;
    }
    let put = (Span::at(to), words);
    let (edits, start) = match (copies, to <= from.start) {
        (true, _) => (vec![put], to),
        (false, true) => (vec![put, (from, String::new())], to),
        (false, false) => (vec![(from, String::new()), put], to - from.len()),
    };
    Some(LineEdit { edits, selection: Selection::new([start, start + from.len()]) })
}

/// The byte at `column`, in characters, of the line that begins at byte `line`. A short line gives its end.
pub fn at_column(text: &str, line: usize, column: usize) -> usize {
    let end = line_end(text, line);
    text[line..end].char_indices().nth(column).map_or(end, |(byte, _)| line + byte)
}

/// Indents the lines of `selection` by `tab` columns, except blank lines.
pub fn indent(text: &str, selection: Selection, tab: usize) -> Edits {
    let block = block(text, selection);
    let mut at = block.start;
    let mut edits = Edits::new();
    for line in text[block.start..block.end].split('\n') {
        if !line.trim().is_empty() {
            edits.push((Span::at(at), " ".repeat(tab)));
        }
        at += line.len() + 1;
    }
    edits
}

/// Unindents the lines of `selection` by `tab` columns.
pub fn unindent(text: &str, selection: Selection, tab: usize) -> Edits {
    outdent(text, selection.span(), tab)
}

/// The text that Enter inserts at `at`: a newline and the line's indentation. After an instruction that
/// begins a block the indentation grows by `tab` columns.
pub fn newline(text: &str, at: usize, tab: usize) -> String {
    /// Instructions that begin a block.
    const BLOCKS: [&str; 4] = ["IF", "ELSE", "LOOP", "REP"];
    let before = &text[line_start(text, at)..at];
    let blanks = indentation(before);
    let code = before[blanks..].split('#').next().unwrap_or_default().trim_end();
    let word = code.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let opens = BLOCKS.contains(&word) && (code.ends_with(';') || code.ends_with(':'));
    let stop = if opens { tab } else { 0 };
    format!("\n{}{}", &before[..blanks], " ".repeat(stop))
}

/// The place where Home goes from `at`: the first letter of the line, or the start of the line if `at` is
/// there already.
pub fn home(text: &str, at: usize) -> usize {
    let start = line_start(text, at);
    let first = start + indentation(&text[start..line_end(text, at)]);
    if at == first { start } else { first }
}

/// The place `lines` lines down from `at`, or up if negative, in the same column.
pub fn vertically(text: &str, at: usize, lines: isize) -> usize {
    let mut line = line_start(text, at);
    let column = text[line..at].chars().count();
    for _ in 0..lines.unsigned_abs() {
        let next = match lines > 0 {
            true => Some(line_end(text, line) + 1).filter(|start| *start <= text.len()),
            false => line.checked_sub(1).map(|end| line_start(text, end)),
        };
        let Some(next) = next else { return if lines > 0 { text.len() } else { 0 } };
        line = next;
    }
    at_column(text, line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `marked`: the selection goes from `[` to `|`, and a caret is a `|` alone. Returns the text
    /// without marks.
    fn read(marked: &str) -> (String, Selection) {
        let text = marked.replace(['[', '|'], "");
        let place = |mark: char| marked.find(mark);
        let before = |at: usize| marked[..at].matches(['[', '|']).map(str::len).sum::<usize>();
        let head = place('|').map(|at| at - before(at)).unwrap();
        let anchor = place('[').map_or(head, |at| at - before(at));
        (text, Selection { anchor, head })
    }

    fn shown(text: &str, selection: Selection) -> String {
        let mut marks = vec![(selection.head, '|')];
        if selection.anchor != selection.head {
            marks.push((selection.anchor, '['));
        }
        marks.sort_unstable();
        let mut text = text.to_owned();
        for (at, mark) in marks.into_iter().rev() {
            text.insert(at, mark);
        }
        text
    }

    fn after(marked: &str, edit: impl FnOnce(&str, Selection) -> LineEdit) -> String {
        let (text, selection) = read(marked);
        let edit = edit(&text, selection);
        shown(&with_edits(&text, &edit.edits), edit.selection)
    }

    #[test]
    fn lines_move_with_what_is_selected_in_them() {
        let up = |marked: &str| after(marked, |text, selection| move_up(text, selection).unwrap());
        assert_eq!(up("a\nb|c\nd\n"), "b|c\na\nd\n");
        assert_eq!(up("a\n[bc\nd|e\nf"), "[bc\nd|e\na\nf");
        assert_eq!(up("a\n[bc\n|d"), "[bc\n|a\nd", "not the line that it ends at the start of");
        assert_eq!(up("a\nb|"), "b|\na");
        let down = |marked: &str| after(marked, |text, selection| move_down(text, selection).unwrap());
        assert_eq!(down("a|\nbé\nc\n"), "bé\na|\nc\n");
        assert_eq!(down("[a\nb|\nc"), "c\n[a\nb|");
        for (marked, edit) in
            [("a|\nb", true), ("a\nb|", false), ("a\nb|\n", false), ("|", true), ("|", false)]
        {
            let (text, selection) = read(marked);
            let moved = if edit { move_up(&text, selection) } else { move_down(&text, selection) };
            assert_eq!(moved, None, "{marked}");
        }
    }

    #[test]
    fn lines_are_copied_deleted_and_selected() {
        assert_eq!(after("a|b\nc", |text, at| copy(text, at, true)), "ab\na|b\nc");
        assert_eq!(after("a|b\nc", |text, at| copy(text, at, false)), "a|b\nab\nc");
        assert_eq!(after("[ab\nc|", |text, at| copy(text, at, true)), "ab\nc\n[ab\nc|");
        assert_eq!(after("ab\nc|d\nef\n", delete), "ab\ne|f\n");
        assert_eq!(after("ab\ncd|", delete), "ab|");
        assert_eq!(after("a[b\nc|d\nef", delete), "e|f");
        assert_eq!(after("x|", delete), "|");
        assert_eq!(after("|", delete), "|");
        let (text, caret) = read("ab\nc|d\nef\ng");
        let line = select(&text, caret);
        assert_eq!(shown(&text, line), "ab\n[cd\n|ef\ng");
        assert_eq!(shown(&text, select(&text, line)), "ab\n[cd\nef\n|g");
        let indented = |marked: &str| {
            let (text, selection) = read(marked);
            with_edits(&text, &indent(&text, selection, 4))
        };
        assert_eq!(indented("a|\nb"), "    a\nb");
        assert_eq!(indented("[a\n\nb|\nc"), "    a\n\n    b\nc");
    }

    #[test]
    fn dropped_text_is_selected_where_it_went() {
        let to = |marked: &str, at: usize, copies: bool| {
            let (text, selection) = read(marked);
            let edit = dropped(&text, selection.span(), at, copies)?;
            Some(shown(&with_edits(&text, &edit.edits), edit.selection))
        };
        assert_eq!(to("ab[cd|ef", 0, false).as_deref(), Some("[cd|abef"));
        assert_eq!(to("ab[cd|ef", 6, false).as_deref(), Some("abef[cd|"));
        assert_eq!(to("ab[cd|ef", 5, true).as_deref(), Some("abcde[cd|f"));
        assert_eq!(to("ab[cd|ef", 3, true).as_deref(), Some("abc[cd|def"));
        for at in 2..=4 {
            assert_eq!(to("ab[cd|ef", at, false), None);
        }
    }

    #[test]
    fn enter_keeps_the_indentation_and_begins_blocks() {
        let put = |text: &str| newline(text, text.len(), 4);
        assert_eq!(put("  ADD R0, R0, R0;"), "\n  ");
        assert_eq!(put("IF EQ.x;"), "\n    ");
        assert_eq!(put("    REP 4; # four times"), "\n        ");
        assert_eq!(put("\tLOOP i0;"), "\n\t    ");
        assert_eq!(put("ELSE;"), "\n    ");
        assert_eq!(put("ENDIF;"), "\n");
        assert_eq!(put("IFX a;"), "\n");
        assert_eq!(put("IF EQ"), "\n", "it is not over");
        assert_eq!(put("# IF EQ.x;"), "\n");
        assert_eq!(newline("    ADD", 2, 4), "\n  ", "of the blanks before the caret");
    }

    #[test]
    fn home_goes_to_the_first_letter_and_then_to_the_start() {
        let text = "x\n  MOV a;\n";
        assert_eq!(home(text, 7), 4);
        assert_eq!(home(text, 4), 2);
        assert_eq!(home(text, 2), 4);
        assert_eq!(home(text, 1), 0);
        assert_eq!(home(text, text.len()), text.len());
    }

    #[test]
    fn pages_keep_the_column() {
        let text = "abc\nd\n\nefgé\nh";
        assert_eq!(vertically(text, 2, 3), 9);
        assert_eq!(vertically(text, 2, 1), 5);
        assert_eq!(vertically(text, 2, 9), text.len());
        assert_eq!(vertically(text, 9, -3), 2);
        assert_eq!(vertically(text, 9, -9), 0);
    }
}
