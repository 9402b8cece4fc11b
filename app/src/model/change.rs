//! [`Change`]: one replacement of bytes in a text, with the operations that undo, merge and follow changes.

use shadestep_engine::source::Span;

/// Replaces one range of bytes of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Byte offset of the range.
    pub start: usize,
    /// The bytes before the change.
    pub removed: String,
    /// The bytes after the change.
    pub inserted: String,
}

impl Change {
    /// Returns the change from `old` to `new`: everything between their common prefix and common suffix.
    pub fn between(old: &str, new: &str) -> Self {
        let (a, b) = (old.as_bytes(), new.as_bytes());
        let mut start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        while !old.is_char_boundary(start) || !new.is_char_boundary(start) {
            start -= 1;
        }
        let rest = a.len().min(b.len()) - start;
        let mut tail = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
        while !old.is_char_boundary(old.len() - tail) || !new.is_char_boundary(new.len() - tail) {
            tail -= 1;
        }
        Self {
            start,
            removed: old[start..old.len() - tail].to_owned(),
            inserted: new[start..new.len() - tail].to_owned(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.inserted.is_empty()
    }

    /// Makes the change in `text`. Returns false, and leaves `text` unchanged, if the removed bytes are not
    /// in their place.
    pub fn make(&self, text: &mut String) -> bool {
        put(text, self.start, &self.removed, &self.inserted)
    }

    /// Undoes the change in `text`. Returns false, and leaves `text` unchanged, if the inserted bytes are not
    /// in their place.
    pub fn take_back(&self, text: &mut String) -> bool {
        put(text, self.start, &self.inserted, &self.removed)
    }

    /// Returns the inverse change.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self { start: self.start, removed: self.inserted.clone(), inserted: self.removed.clone() }
    }

    /// Returns the offset in the new text where the inserted bytes end.
    pub fn end(&self) -> usize {
        self.start + self.inserted.len()
    }

    /// Returns the same change without the bytes at both ends that do not change.
    #[must_use]
    pub(super) fn trimmed(&self) -> Self {
        let change = Self::between(&self.removed, &self.inserted);
        Self { start: self.start + change.start, ..change }
    }

    /// Returns true if `next`, a change of the new text, can be merged with this change. This holds where
    /// typing or a deletion continues, and where `next` undoes typed text or this change. Other text in place
    /// of deleted text is not merged with the deletion.
    pub(super) fn joins(&self, next: &Self) -> bool {
        let next_end = next.start + next.removed.len();
        if next.start > self.end() || next_end < self.start {
            return false;
        }
        match (self.inserted.as_str(), next.removed.as_str(), next.inserted.as_str()) {
            ("", "", again) => {
                let is_part = self.removed.starts_with(again) || self.removed.ends_with(again);
                again == self.removed || again.contains('\n') && is_part
            }
            ("", _, "") | (_, "", _) => true,
            _ => self.start <= next.start && next_end <= self.end(),
        }
    }

    /// Merges this change and `next`, which [joins](Self::joins) it, into one change.
    #[must_use]
    pub(super) fn then(&self, next: &Self) -> Self {
        let before = self.start.saturating_sub(next.start);
        let kept = next.start.saturating_sub(self.start);
        // The number of bytes that `next` removes after the bytes of this change.
        let after = (next.start + next.removed.len()).saturating_sub(self.end());
        let behind = next.removed.len() - after;
        let removed = [&next.removed[..before], &self.removed, &next.removed[behind..]].concat();
        let rest = (next.start + next.removed.len()).saturating_sub(self.start).min(self.inserted.len());
        let inserted = [&self.inserted[..kept], &next.inserted, &self.inserted[rest..]].concat();
        Self { start: self.start.min(next.start), removed, inserted }.trimmed()
    }

    /// Returns the place in the new text of the piece of the old text at `span`. `None` if all of the piece
    /// was deleted. A piece that is replaced as a whole moves to its replacement. Text that is inserted at
    /// either end does not become part of the piece.
    pub fn carried(&self, span: Span) -> Option<Span> {
        let old_end = self.start + self.removed.len();
        let shift = |offset: usize| offset - old_end + self.end();
        let start = match span.start {
            start if start >= old_end => shift(start),
            start if start <= self.start => start,
            _ => self.end(),
        };
        let end = match span.end {
            end if end <= self.start => end,
            end if end >= old_end => shift(end),
            _ => self.start,
        };
        (start < end).then(|| Span::new(start, end))
    }

    /// Returns the place in the new text of a mark at `span`. `None` if all of its text was deleted. An empty
    /// mark stays.
    pub(super) fn mark(&self, span: Span) -> Option<Span> {
        if span.is_empty() { Some(self.moved(span)) } else { self.carried(span) }
    }

    /// Returns the place in the new text of `span` of the old text.
    pub fn moved(&self, span: Span) -> Span {
        let old_end = self.start + self.removed.len();
        let at = |offset: usize| {
            if offset <= self.start {
                offset
            } else if offset >= old_end {
                offset - old_end + self.end()
            } else {
                self.start
            }
        };
        let start = at(span.start);
        Span::new(start, at(span.end).max(start))
    }
}

/// Replaces `old` at `start` with `new`. Returns false, and changes nothing, if `text` does not hold `old`
/// there.
fn put(text: &mut String, start: usize, old: &str, new: &str) -> bool {
    let range = start..start + old.len();
    let there = text.get(range.clone()) == Some(old);
    if there {
        text.replace_range(range, new);
    }
    there
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_move_with_the_text() {
        let moved = |old: &str, new: &str, span| Change::between(old, new).moved(span);
        let word = Span::new(4, 7);
        assert_eq!(moved("MOV FOO;", "# MOV FOO;", word), Span::new(6, 9));
        assert_eq!(moved("MOV FOO;", "MOV FOO; # x", word), word);
        assert_eq!(moved("MOV FOO;", "MOV FOXO;", word), Span::new(4, 8));
        assert_eq!(moved("MOV FOO;", "MOV ;", word), Span::new(4, 4));
        assert_eq!(moved("MOV FOO;", "", word), Span::at(0));
    }

    #[test]
    fn changes_are_made_and_taken_back_also_within_letters_of_many_bytes() {
        // é and è have the same first byte. é and Щ have the same last bits.
        for (old, new) in [
            ("", "a"),
            ("é", "è"),
            ("aéb", "aèb"),
            ("xéé", "xé"),
            ("\u{1F600}", "\u{1F601}"),
            ("same", "same"),
        ] {
            let change = Change::between(old, new);
            let mut text = old.to_owned();
            assert!(change.make(&mut text));
            assert_eq!(text, new);
            assert!(change.take_back(&mut text));
            assert_eq!(text, old);
            assert!(change.reversed().take_back(&mut text));
            assert_eq!(text, new);
        }
        assert!(Change::between("same", "same").is_empty());
    }

    #[test]
    fn a_change_of_another_text_is_not_made() {
        let change = Change { start: 1, removed: "é".to_owned(), inserted: "e".to_owned() };
        for other in ["", "a", "ab", "éé", "abé"] {
            let mut text = other.to_owned();
            assert!(!change.make(&mut text) && !change.take_back(&mut text), "{other}");
            assert_eq!(text, other);
        }
    }
}
