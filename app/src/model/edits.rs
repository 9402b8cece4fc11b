//! [`TextVersions`] carries places of an earlier version of a text into the current text.
//!
//! Programs are loaded, drawn and recorded on other threads, from a version of the text that can be out of
//! date by the time the result arrives. Each such version is one `Arc<[u8]>`, which
//! [`Compiled`](crate::session::Compiled) keeps. While anything holds that `Arc`, the text collects the edits
//! made since. A version without holders is dropped.

use super::change::Change;
use shadestep_engine::source::Span;
use std::sync::{Arc, OnceLock, Weak};

/// Edits of a text in the order in which they were made. Edits that touch each other are merged, so an edit
/// and its undo leave nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edits(Vec<Change>);

impl Edits {
    pub const NONE: &'static Self = &Self(Vec::new());

    /// Adds an edit of the text that the previous edits made.
    fn push(&mut self, change: &Change) {
        let mut change = change.trimmed();
        while let Some(last) = self.0.pop_if(|last| last.joins(&change)) {
            change = last.then(&change);
        }
        if !change.is_empty() {
            self.0.push(change);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Change> {
        self.0.iter()
    }

    /// Returns true if the text is unchanged.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the place in the current text of `span` of the earlier version. `None` if all of it was
    /// deleted.
    pub fn carried(&self, span: Span) -> Option<Span> {
        self.0.iter().try_fold(span, |span, change| change.carried(span))
    }
}

/// The current text and its earlier versions that are still held.
#[derive(Debug, Default)]
pub struct TextVersions {
    /// The current text, created at its first use.
    current: OnceLock<Arc<[u8]>>,
    earlier: Vec<(Weak<[u8]>, Edits)>,
}

impl TextVersions {
    /// Returns the version of `text`, the current text: the same `Arc` until the next edit. If `text` equals
    /// a held version, returns that version.
    pub fn current(&self, text: &str) -> Arc<[u8]> {
        let held = || self.earlier.iter().filter_map(|(version, _)| version.upgrade());
        let equal = || held().find(|version| **version == *text.as_bytes());
        Arc::clone(self.current.get_or_init(|| equal().unwrap_or_else(|| text.as_bytes().into())))
    }

    /// Records `change`, which has been made in the text.
    pub fn edited(&mut self, change: &Change) {
        let before = self.current.take();
        let before = before.map(|before| Arc::downgrade(&before));
        let is_before = |version: &Weak<[u8]>| before.as_ref().is_some_and(|before| before.ptr_eq(version));
        self.earlier.retain(|(version, _)| version.strong_count() > 0 && !is_before(version));
        self.earlier.extend(
            before.filter(|before| before.strong_count() > 0).map(|before| (before, Edits::default())),
        );
        for (_, edits) in &mut self.earlier {
            edits.push(change);
        }
    }

    /// Returns the edits made since `version`. `None` if `version` is not a version of this text.
    pub fn edits_since(&self, version: &Arc<[u8]>) -> Option<&Edits> {
        if self.current.get().is_some_and(|current| Arc::ptr_eq(current, version)) {
            return Some(Edits::NONE);
        }
        let is_it = |earlier: &Weak<[u8]>| std::ptr::addr_eq(earlier.as_ptr(), Arc::as_ptr(version));
        self.earlier.iter().find(|(earlier, _)| is_it(earlier)).map(|(_, edits)| edits)
    }

    /// Returns the number of earlier versions that are held.
    pub fn held(&self) -> usize {
        self.earlier.iter().filter(|(version, _)| version.strong_count() > 0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text to edit and a version of it.
    struct Edited {
        text: String,
        versions: TextVersions,
        version: Arc<[u8]>,
    }

    impl Edited {
        fn new(text: &str) -> Self {
            let versions = TextVersions::default();
            let version = versions.current(text);
            Self { text: text.to_owned(), versions, version }
        }

        fn put(&mut self, old: &str, new: &str) -> &mut Self {
            let start = self.text.find(old).unwrap();
            self.make(Change { start, removed: old.to_owned(), inserted: new.to_owned() })
        }

        fn make(&mut self, change: Change) -> &mut Self {
            assert!(change.make(&mut self.text));
            self.versions.edited(&change);
            self
        }

        /// Returns the current text at the place of `word` of the version.
        fn carried(&self, word: &str) -> Option<&str> {
            let start = std::str::from_utf8(&self.version).unwrap().find(word).unwrap();
            let span = Span::new(start, start + word.len());
            let now = self.versions.edits_since(&self.version).unwrap().carried(span)?;
            Some(&self.text[now.start..now.end])
        }
    }

    const TEXT: &str = "!!FP1.0\nMOV R0, 1;\nADD R1, R0, 2;\nMUL R2, R1, 3;\nEND\n";
    const WORDS: [&str; 3] = ["MOV R0, 1;", "ADD R1, R0, 2;", "MUL R2, R1, 3;"];

    #[test]
    fn instructions_are_carried_through_edits_around_them() {
        for word in WORDS {
            for (old, new) in [
                ("!!FP1.0\n", "!!FP1.0\n# a comment\n\n"),
                ("END", "MOV R9, 1;\nEND"),
                (word, &format!("\n\n  {word}")),
                (word, &format!("{word}\n# behind\n")),
            ] {
                let mut edited = Edited::new(TEXT);
                let change = Change::between(TEXT, &TEXT.replacen(old, new, 1));
                edited.make(change);
                assert_eq!(edited.carried(word), Some(word), "{old:?} to {new:?}");
            }
        }
    }

    #[test]
    fn an_instruction_that_was_edited_is_where_it_was_and_a_deleted_one_is_nowhere() {
        let mut edited = Edited::new(TEXT);
        edited.put("R1, R0", "Q1, R0").put("ADD ", "");
        assert_eq!(
            WORDS.map(|word| edited.carried(word)),
            [Some(WORDS[0]), Some("Q1, R0, 2;"), Some(WORDS[2])]
        );
        edited.put("Q1, R0, 2;\n", "");
        assert_eq!(WORDS.map(|word| edited.carried(word)), [Some(WORDS[0]), None, Some(WORDS[2])]);
        // An instruction typed in its place later is a different instruction.
        edited.put("MUL", "MAD R1, R0, 2, 2;\nMUL").put("MAD", "SUB");
        assert_eq!(edited.carried(WORDS[1]), None);
        let mut edited = Edited::new(TEXT);
        edited.put("MOV R0, 1;\nADD R1, R0, 2;\nMUL", "X");
        assert_eq!(WORDS.map(|word| edited.carried(word)), [None, None, Some(" R2, R1, 3;")]);
    }

    #[test]
    fn what_is_undone_has_never_been() {
        let mut edited = Edited::new(TEXT);
        let steps = [("ADD R1, R0, 2;\n", ""), ("MOV", "M"), ("M R0", "MX R0"), ("END", "\nEND"), ("MX", "")];
        let mut made = Vec::new();
        for (old, new) in steps {
            let start = edited.text.find(old).unwrap();
            let change = Change { start, removed: old.to_owned(), inserted: new.to_owned() };
            edited.make(change.clone());
            made.push(change);
        }
        assert_eq!(edited.carried(WORDS[1]), None);
        for change in made.iter().rev() {
            edited.make(change.reversed());
        }
        assert_eq!(edited.text, TEXT);
        assert!(edited.versions.edits_since(&edited.version).unwrap().is_empty());
        // Lines that were deleted one by one come back one by one.
        edited.put("MOV R0, 1;\n", "").put("ADD R1, R0, 2;\n", "");
        assert_eq!(WORDS.map(|word| edited.carried(word)), [None, None, Some(WORDS[2])]);
        edited.put("MUL R2", "ADD R1, R0, 2;\nMUL R2");
        assert_eq!(WORDS.map(|word| edited.carried(word)), [None, Some(WORDS[1]), Some(WORDS[2])]);
        edited.put("ADD R1", "MOV R0, 1;\nADD R1");
        assert!(edited.versions.edits_since(&edited.version).unwrap().is_empty());
        // The same text reached by other edits is the same version.
        edited.put("MOV R0, 1;\n", "").put("ADD", "MOV R0, 1;\nADD");
        assert!(Arc::ptr_eq(&edited.versions.current(TEXT), &edited.version));
        assert_eq!(WORDS.map(|word| edited.carried(word)), WORDS.map(Some));
    }

    #[test]
    fn only_versions_that_are_held_are_kept() {
        let mut edited = Edited::new(TEXT);
        for number in 0..20 {
            edited.put("END", &format!("MOV R3, {number};\nEND"));
            let now = edited.text.clone();
            let version = edited.versions.current(&now);
            assert!(Arc::ptr_eq(&version, &edited.versions.current(&now)), "the same until the next edit");
        }
        assert_eq!((edited.versions.held(), edited.versions.earlier.len()), (1, 1));
        let other: Arc<[u8]> = TEXT.as_bytes().into();
        assert_eq!(edited.versions.edits_since(&other), None, "equal, but not of this text");
    }

    /// A letter that stays in the text is carried to itself after any edits, merged or not.
    #[test]
    fn letters_that_stay_are_carried_to_themselves() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below.max(1)
        };
        for _ in 0..300 {
            let letters: String = ('a'..='z').collect();
            let mut edited = Edited::new(&letters);
            for _ in 0..6 {
                let start = random(edited.text.len() + 1);
                let end = start + random((edited.text.len() - start).min(4) + 1);
                let removed = edited.text[start..end].to_owned();
                // Digits mark inserted text: no version contains them.
                let inserted = "0123"[..random(4)].to_owned();
                edited.make(Change { start, removed, inserted });
            }
            for letter in letters.chars().map(String::from) {
                let carried = edited.carried(&letter);
                if edited.text.contains(&letter) {
                    assert_eq!(carried, Some(letter.as_str()), "{:?}", edited.text);
                } else {
                    // Overwritten or deleted.
                    assert!(
                        carried.is_none_or(|now| now.bytes().all(|byte| byte.is_ascii_digit())),
                        "{carried:?}"
                    );
                }
            }
        }
    }
}
