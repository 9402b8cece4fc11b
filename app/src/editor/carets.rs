//! Multiple carets, and keys that egui's text field lacks. Both take their keys from a frame's input before
//! the field sees them. Each key then acts at every caret: the field's own and the additional ones.

use super::lines;
use super::rows::Rows;
use super::text::{self, Edits, TypedText};
use crate::model::{Document, DocumentId, PerDocument, TextId};
use crate::word_at;
use egui::{Event, ImeEvent, Key, Modifiers, Shape, Stroke, vec2};
use shadestep_engine::source::Span;

/// A caret and its selection, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The fixed end of the selection.
    pub anchor: usize,
    /// The end that moves: the place of the caret.
    pub head: usize,
}

impl Selection {
    pub const fn new([anchor, head]: [usize; 2]) -> Self {
        Self { anchor, head }
    }

    pub fn span(self) -> Span {
        Span::new(self.anchor.min(self.head), self.anchor.max(self.head))
    }
}

/// Distances that keys move or insert.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Lines in a page.
    pub page: usize,
    /// Columns from one tab stop to the next.
    pub tab: usize,
}

/// Result of the keys of a frame.
#[derive(Default)]
pub struct Taken {
    /// True if the carets acted on any key.
    pub any: bool,
    /// The edits at several carets, if a single key made them all.
    pub edits: Option<Edits>,
}

/// All carets except the text field's own.
#[derive(Default)]
pub struct Carets {
    others: Vec<Selection>,
    /// The text that contains the carets, as it was when they were placed.
    of: Option<(TextId, String)>,
}

impl PerDocument for Carets {
    fn forget(&mut self, closed: DocumentId) {
        if self.kept().contains(&closed) {
            self.clear();
        }
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        self.of.kept()
    }
}

impl Carets {
    /// The additional carets in the active text.
    pub fn all(&self) -> &[Selection] {
        &self.others
    }

    /// Removes all additional carets.
    pub fn clear(&mut self) {
        self.others.clear();
        self.of = None;
    }

    /// Adds a caret to the active text, unless the same caret is there already.
    pub fn add(&mut self, document: &Document, selection: Selection) {
        self.refresh(document);
        if !self.others.contains(&selection) {
            self.others.push(selection);
        }
        self.of = Some((document.text_id(), document.active().text().to_owned()));
    }

    /// Replaces the additional carets in the active text.
    pub fn set(&mut self, document: &Document, others: Vec<Selection>) {
        self.of =
            Some((document.text_id(), document.active().text().to_owned())).filter(|_| !others.is_empty());
        self.others = others;
    }

    /// Removes the additional carets if the active text has changed or another text is active.
    pub fn refresh(&mut self, document: &Document) {
        let now = (document.text_id(), document.active().text());
        if self.of.as_ref().is_some_and(|(id, text)| (*id, text.as_str()) != now) {
            self.clear();
        }
    }

    /// Takes the keys of this frame if there are several carets, or if the text field does not handle one of
    /// the keys.
    pub fn take_keys(
        &mut self,
        ui: &egui::Ui,
        typed: &mut TypedText<'_>,
        document: &Document,
        size: Size,
    ) -> Taken {
        self.refresh(document);
        if document.active().is_large() || !typed.has_focus(ui) {
            return Taken::default();
        }
        let own = Selection::new(typed.selected(ui.ctx()));
        let is_single = self.others.is_empty();
        let events = ui.input_mut(|input| {
            if is_single && !input.events.iter().any(|event| is_no_key_of_the_field(event, own)) {
                return Vec::new();
            }
            let (ours, rest) = std::mem::take(&mut input.events).into_iter().partition(is_of_carets);
            input.events = rest;
            let ours: Vec<Event> = ours;
            ours
        });
        if events.is_empty() {
            return Taken::default();
        }
        let mut carets = vec![own];
        carets.append(&mut self.others);
        let mut made: Vec<Edits> = Vec::new();
        for event in events {
            if let Event::Key { key: Key::Escape, .. } = event {
                carets.truncate(1);
                continue;
            }
            if matches!(event, Event::Copy | Event::Cut) {
                ui.ctx().copy_text(copied(&typed.text, &carets));
            }
            let edits = act(&typed.text, &event, &mut carets, size);
            if !edits.is_empty() {
                typed.text = text::with_edits(&typed.text, &edits).into();
                made.push(edits);
            }
            merge(&mut carets);
        }
        typed.select(ui.ctx(), [carets[0].anchor, carets[0].head]);
        self.others = carets.split_off(1);
        self.of = Some((document.text_id(), typed.text.clone().into_owned()));
        Taken { any: true, edits: made.pop().filter(|_| made.is_empty() && !is_single) }
    }

    /// Shapes of the additional carets and their selections.
    pub fn shapes(&self, ui: &egui::Ui, rows: &Rows<'_>) -> Vec<Shape> {
        let visuals = ui.visuals();
        let mut shapes = Vec::new();
        let end = rows.text().len();
        for selection in self.others.iter().filter(|selection| selection.span().end <= end) {
            if selection.anchor != selection.head {
                let rects = rows.rects(selection.span());
                shapes.extend(
                    rects.into_iter().map(|rect| Shape::rect_filled(rect, 0.0, visuals.selection.bg_fill)),
                );
            }
            let line = rows.line_of(selection.head).min(rows.count() - 1);
            let at = rows.caret_rect(line, selection.head);
            let Stroke { width, color } = visuals.text_cursor.stroke;
            shapes.push(Shape::line_segment(
                [at.center_top() + vec2(0.0, 1.0), at.center_bottom() - vec2(0.0, 1.0)],
                Stroke::new(width, color),
            ));
        }
        shapes
    }
}

/// True if the text field does not handle this key, or handles it differently. Here Enter indents, Home goes
/// to the first letter, and Copy and Cut take whole lines when nothing is selected.
fn is_no_key_of_the_field(event: &Event, selection: Selection) -> bool {
    match event {
        Event::Copy | Event::Cut => selection.span().is_empty(),
        Event::Key { key: Key::Enter, pressed: true, modifiers, .. } => modifiers.is_none(),
        Event::Key { key: Key::Home | Key::PageUp | Key::PageDown, pressed: true, modifiers, .. } => {
            !modifiers.alt && !modifiers.command && !modifiers.ctrl
        }
        _ => false,
    }
}

/// True if `event` acts at all carets.
fn is_of_carets(event: &Event) -> bool {
    match event {
        Event::Text(text) | Event::Paste(text) | Event::Ime(ImeEvent::Commit(text)) => !text.is_empty(),
        Event::Copy | Event::Cut => true,
        Event::Key { key, pressed: true, modifiers, .. } => {
            let plain = !modifiers.alt && !modifiers.command && !modifiers.ctrl;
            match key {
                Key::Enter | Key::Tab | Key::Escape => plain && !modifiers.shift,
                Key::ArrowUp | Key::ArrowDown | Key::PageUp | Key::PageDown => plain,
                Key::Backspace | Key::Delete | Key::ArrowLeft | Key::ArrowRight | Key::Home | Key::End => {
                    !modifiers.alt
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// Returns the text that `selection` copies to the clipboard: the selected text, or the whole lines if
/// nothing is selected.
pub fn copied_at(text: &str, selection: Selection) -> String {
    copied(text, &[selection])
}

/// Returns the selected text of each caret, one per line. A caret without a selection contributes its line.
fn copied(text: &str, carets: &[Selection]) -> String {
    if let [caret] = carets
        && caret.span().is_empty()
    {
        let line = lines::whole(text, *caret);
        return format!("{}\n", text[line.start..line.end].trim_matches('\n'));
    }
    let line = |caret: &Selection| {
        let start = text::line_start(text, caret.head);
        Span::new(start, lines::line_end(text, caret.head))
    };
    let of = |caret: &Selection| if caret.span().is_empty() { line(caret) } else { caret.span() };
    let mut spans: Vec<Span> = carets.iter().map(of).collect();
    spans.sort_unstable();
    spans.dedup();
    let words: Vec<&str> = spans.iter().filter_map(|span| text.get(span.start..span.end)).collect();
    words.join("\n")
}

/// Applies `event` at every caret. Returns the edits; the carets are already at their new places.
fn act(text: &str, event: &Event, carets: &mut [Selection], size: Size) -> Edits {
    let moves = |carets: &mut [Selection], modifiers: Modifiers, to: &dyn Fn(&Selection) -> usize| {
        for caret in carets {
            let head = to(caret);
            *caret = Selection { anchor: if modifiers.shift { caret.anchor } else { head }, head };
        }
        Edits::new()
    };
    match event {
        // If the clipboard has as many lines as there are carets, each caret gets one line.
        Event::Paste(new) if new.lines().count() == carets.len() => {
            let mut lines = new.lines();
            put(carets, |caret| (caret.span(), lines.next().unwrap_or_default().to_owned()))
        }
        Event::Text(new) | Event::Paste(new) | Event::Ime(ImeEvent::Commit(new)) => {
            put(carets, |caret| (caret.span(), new.clone()))
        }
        Event::Cut => put(carets, |caret| {
            let selected = caret.span();
            (if selected.is_empty() { lines::whole(text, *caret) } else { selected }, String::new())
        }),
        Event::Key { key, modifiers, .. } => {
            let word = modifiers.command || modifiers.ctrl;
            let (before, behind) = (|at| step(text, at, false, word), |at| step(text, at, true, word));
            match key {
                Key::Enter => {
                    put(carets, |caret| (caret.span(), lines::newline(text, caret.span().start, size.tab)))
                }
                Key::Tab => {
                    put(carets, |caret| (caret.span(), text::to_stop(text, caret.span().start, size.tab)))
                }
                Key::Backspace | Key::Delete => put(carets, |caret| {
                    let whole = caret.span();
                    let span = match key {
                        _ if !whole.is_empty() => whole,
                        Key::Backspace => Span::new(before(caret.head), caret.head),
                        _ => Span::new(caret.head, behind(caret.head)),
                    };
                    (span, String::new())
                }),
                Key::ArrowLeft => moves(carets, *modifiers, &|caret| {
                    let whole = caret.span();
                    if modifiers.shift || whole.is_empty() { before(caret.head) } else { whole.start }
                }),
                Key::ArrowRight => moves(carets, *modifiers, &|caret| {
                    let whole = caret.span();
                    if modifiers.shift || whole.is_empty() { behind(caret.head) } else { whole.end }
                }),
                Key::ArrowUp => moves(carets, *modifiers, &|caret| lines::vertically(text, caret.head, -1)),
                Key::ArrowDown => moves(carets, *modifiers, &|caret| lines::vertically(text, caret.head, 1)),
                Key::PageUp => moves(carets, *modifiers, &|caret| {
                    lines::vertically(text, caret.head, -(size.page as isize))
                }),
                Key::PageDown => moves(carets, *modifiers, &|caret| {
                    lines::vertically(text, caret.head, size.page as isize)
                }),
                Key::Home if word => moves(carets, *modifiers, &|_| 0),
                Key::End if word => moves(carets, *modifiers, &|_| text.len()),
                Key::Home => moves(carets, *modifiers, &|caret| lines::home(text, caret.head)),
                Key::End => moves(carets, *modifiers, &|caret| lines::line_end(text, caret.head)),
                _ => Edits::new(),
            }
        }
        _ => Edits::new(),
    }
}

/// Replaces the span that `of` returns for each caret, in text order. Each caret ends up after its
/// replacement.
fn put(carets: &mut [Selection], mut of: impl FnMut(&Selection) -> (Span, String)) -> Edits {
    let mut order: Vec<usize> = (0..carets.len()).collect();
    order.sort_by_key(|&index| carets[index].span());
    let (mut edits, mut grown, mut gone) = (Edits::new(), 0, 0);
    for index in order {
        let (span, new) = of(&carets[index]);
        // Spans of two carets can overlap. The earlier caret replaces the overlap.
        let start = span.start.max(edits.last().map_or(0, |(before, _): &(Span, String)| before.end));
        let span = Span::new(start, span.end.max(start));
        let head = start + grown - gone + new.len();
        carets[index] = Selection { anchor: head, head };
        grown += new.len();
        gone += span.len();
        edits.push((span, new));
    }
    edits.retain(|(span, new)| !span.is_empty() || !new.is_empty());
    edits
}

/// Merges carets whose selections are equal or overlap.
fn merge(carets: &mut Vec<Selection>) {
    let mut kept: Vec<Selection> = Vec::with_capacity(carets.len());
    for caret in carets.drain(..) {
        let meets = |other: &Selection| {
            let (one, other) = (caret.span(), other.span());
            one == other || one.start < other.end && other.start < one.end
        };
        if !kept.iter().any(meets) {
            kept.push(caret);
        }
    }
    *carets = kept;
}

/// The place one character after `at`, or before it unless `on`. With `word`, one word.
fn step(text: &str, at: usize, on: bool, word: bool) -> usize {
    let next = |at: usize| {
        if on { text[at..].chars().next() } else { text[..at].chars().next_back() }
    };
    let go = |at: usize, c: char| if on { at + c.len_utf8() } else { at - c.len_utf8() };
    let mut at = at.min(text.len());
    if !word {
        return next(at).map_or(at, |c| go(at, c));
    }
    while let Some(c) = next(at).filter(|c| !word_at::is_in_word(*c)) {
        at = go(at, c);
    }
    while let Some(c) = next(at).filter(|c| word_at::is_in_word(*c)) {
        at = go(at, c);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: Key, modifiers: Modifiers) -> Event {
        Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
    }

    /// Applies `events` to `marked`, which shows carets as `|`. Returns the result in the same form.
    fn after(marked: &str, events: &[Event]) -> String {
        let mut text = String::new();
        let mut carets = Vec::new();
        for part in marked.split_inclusive('|') {
            text.push_str(part.trim_end_matches('|'));
            if part.ends_with('|') {
                carets.push(Selection::new([text.len(); 2]));
            }
        }
        for event in events {
            let edits = act(&text, event, &mut carets, Size { page: 2, tab: 4 });
            text = text::with_edits(&text, &edits);
            merge(&mut carets);
        }
        carets.sort_by_key(|caret| caret.head);
        for caret in carets.iter().rev() {
            text.insert(caret.head, '|');
        }
        text
    }

    #[test]
    fn keys_act_at_every_caret() {
        let none = Modifiers::NONE;
        let text = |text: &str| Event::Text(text.to_owned());
        assert_eq!(after("a|b\nc|d", &[text("é"), text("x")]), "aéx|b\ncéx|d");
        assert_eq!(after("ab|\nab|", &[key(Key::Backspace, none)]), "a|\na|");
        assert_eq!(after("|ab\n|ab", &[key(Key::Delete, none)]), "|b\n|b");
        assert_eq!(after("a|b|c", &[key(Key::Backspace, none)]), "|c");
        assert_eq!(after("a|b\nc|d", &[key(Key::Enter, none)]), "a\n|b\nc\n|d");
        assert_eq!(after("a|\nbcd|", &[key(Key::Tab, none)]), "a   |\nbcd |");
        assert_eq!(after("a|b\n  c|d", &[key(Key::Home, none)]), "|ab\n  |cd");
        assert_eq!(after("a|b\nc\n  d|\ne", &[key(Key::PageDown, none)]), "ab\nc\n | d\ne|");
        assert_eq!(after("  IF EQ.x;|", &[key(Key::Enter, none)]), "  IF EQ.x;\n      |");
        assert_eq!(after("ab\nc|d\nef", &[Event::Cut]), "ab\n|ef");
        assert_eq!(after("a|b\nc|d", &[key(Key::End, none)]), "ab|\ncd|");
        assert_eq!(after("a|b\ncd\n", &[key(Key::ArrowDown, none)]), "ab\nc|d\n");
        assert_eq!(after("ab\ncé|d", &[key(Key::ArrowUp, none)]), "ab|\ncéd");
        assert_eq!(after("MOV a|, b$c|", &[key(Key::ArrowLeft, Modifiers::COMMAND)]), "MOV |a, |b$c");
    }

    #[test]
    fn lines_are_pasted_one_at_each_caret_where_there_are_as_many() {
        let paste = |text: &str| [Event::Paste(text.to_owned())];
        assert_eq!(after("a|\nb|\nc|", &paste("1\r\n2\n3\n")), "a1|\nb2|\nc3|");
        assert_eq!(after("a|\nb|\nc|", &paste("1\n2")), "a1\n2|\nb1\n2|\nc1\n2|");
        assert_eq!(after("a|\nb|", &paste("x")), "ax|\nbx|");
    }

    #[test]
    fn carets_that_meet_are_one() {
        assert_eq!(after("|a|b", &[key(Key::Home, Modifiers::NONE)]), "|ab");
        let selected = [key(Key::ArrowRight, Modifiers::SHIFT), Event::Text("x".to_owned())];
        assert_eq!(after("|ab |cd", &selected), "x|b x|d");
    }
}
