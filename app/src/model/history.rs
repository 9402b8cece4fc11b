//! The undo history of a document: one ordered list of steps across all its texts.

use super::change::Change;
use crate::scene::SceneEdit;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A pause of this length ends a step.
const PAUSE: Duration = Duration::from_millis(900);
/// Largest total size of the steps. The oldest steps are dropped first.
const MAX_BYTES: usize = 64 << 20;

/// Why a text changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// The user typed.
    Typed,
    /// The user set a value in a panel.
    Set(Box<SceneEdit>),
    /// Anything else. Such a change is always a step of its own.
    Other,
}

/// One change of one text. Steps with `joined` are undone together with the previous step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Number of the text within its document.
    pub text: u32,
    pub change: Change,
    /// Byte offset of the caret before the change.
    pub caret: usize,
    cause: Cause,
    at: Instant,
    /// True to undo and redo this step together with the previous one.
    joined: bool,
}

impl Step {
    /// Creates a step with the current time.
    pub fn new(text: u32, change: Change, caret: usize, cause: Cause) -> Self {
        Self { text, change, caret, cause, at: Instant::now(), joined: false }
    }

    /// Joins the step to the previous one.
    pub fn joined(self) -> Self {
        Self { joined: true, ..self }
    }

    /// Returns true if the user made the step in a panel.
    pub fn is_setting(&self) -> bool {
        matches!(self.cause, Cause::Set(_))
    }

    fn bytes(&self) -> usize {
        self.change.removed.len() + self.change.inserted.len()
    }

    /// Returns true if `next` continues this step: the same word, or the same slider.
    fn goes_on_with(&self, next: &Self) -> bool {
        self.text == next.text
            && next.at.saturating_duration_since(self.at) < PAUSE
            && match (&self.cause, &next.cause) {
                (Cause::Typed, Cause::Typed) => same_word(&self.change, &next.change),
                (Cause::Set(before), Cause::Set(after)) => before.is_about(after),
                (Cause::Typed | Cause::Set(_) | Cause::Other, _) => false,
            }
    }
}

/// Returns true if `next` extends the word that `last` typed or deleted.
fn same_word(last: &Change, next: &Change) -> bool {
    let blank = |text: &str| text.ends_with(char::is_whitespace);
    let one = |text: &str| text.chars().count() == 1;
    if next.removed.is_empty() && !last.inserted.is_empty() {
        let new_word = blank(&last.inserted) && !blank(&next.inserted);
        return next.start == last.end()
            && one(&next.inserted)
            && !new_word
            && !last.inserted.ends_with('\n');
    }
    let taken_before = next.start + next.removed.len() == last.start;
    let taken_behind = next.start == last.start;
    last.inserted.is_empty()
        && next.inserted.is_empty()
        && one(&next.removed)
        && (taken_before || taken_behind)
        && !last.removed.contains('\n')
        && !next.removed.contains('\n')
}

/// The steps of a document.
#[derive(Default)]
pub struct History {
    done: VecDeque<Step>,
    /// Size of `done`.
    bytes: usize,
    undone: Vec<Step>,
    /// The next change begins a new step, even if it would continue the last one.
    sealed: bool,
}

impl History {
    /// Adds a step that has been made. `text` is the text after the step.
    pub fn push(&mut self, step: Step, text: &str) {
        self.undone.clear();
        let sealed = std::mem::take(&mut self.sealed);
        match self.done.back_mut() {
            Some(last) if !sealed && !step.joined && last.goes_on_with(&step) => {
                let mut before = text.to_owned();
                let made = step.change.take_back(&mut before) && last.change.take_back(&mut before);
                debug_assert!(made, "the steps of a history follow each other");
                self.bytes -= last.bytes();
                last.change = Change::between(&before, text);
                self.bytes += last.bytes();
                last.at = step.at;
                last.cause = step.cause;
            }
            _ => {
                self.bytes += step.bytes();
                self.done.push_back(step);
            }
        }
        while self.bytes > MAX_BYTES
            && let Some(oldest) = self.done.pop_front()
        {
            self.bytes -= oldest.bytes();
            while let Some(part) = self.done.pop_front_if(|step| step.joined) {
                self.bytes -= part.bytes();
            }
        }
    }

    /// Ends the last step. The next change begins a new step.
    pub fn seal(&mut self) {
        self.sealed = true;
    }

    /// Returns the step to undo, as its parts in the order to undo them. Empty if there is none.
    pub fn undo(&mut self) -> Vec<Step> {
        let mut parts = Vec::new();
        self.sealed = true;
        while let Some(step) = self.done.pop_back() {
            self.bytes -= step.bytes();
            self.undone.push(step.clone());
            let whole = !step.joined;
            parts.push(step);
            if whole {
                break;
            }
        }
        parts
    }

    /// Returns the step to redo, as [`Self::undo`] does.
    pub fn redo(&mut self) -> Vec<Step> {
        let mut parts = Vec::new();
        self.sealed = true;
        while let Some(step) = self.undone.pop_if(|step| parts.is_empty() || step.joined) {
            self.bytes += step.bytes();
            self.done.push_back(step.clone());
            parts.push(step);
        }
        parts
    }

    pub fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Returns true if any step changes the text of this number.
    pub fn is_about(&self, text: u32) -> bool {
        self.done.iter().chain(&self.undone).any(|step| step.text == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Component, ParameterKey};

    /// Changes the text through `texts` in order, and returns the texts that undo passes through.
    fn steps(texts: &[&str], cause: &Cause) -> Vec<String> {
        let mut history = History::default();
        for pair in texts.windows(2) {
            let change = Change::between(pair[0], pair[1]);
            history.push(Step::new(1, change, 0, cause.clone()), pair[1]);
        }
        let mut text = texts[texts.len() - 1].to_owned();
        let mut undone = vec![text.clone()];
        while let [step] = &history.undo()[..] {
            assert!(step.change.take_back(&mut text));
            undone.push(text.clone());
        }
        while let [step] = &history.redo()[..] {
            assert!(step.change.make(&mut text));
        }
        assert_eq!(text, texts[texts.len() - 1]);
        undone
    }

    #[test]
    fn typing_is_undone_in_words() {
        let typed: Vec<String> = (0..="MOV R0, 1".len()).map(|end| "MOV R0, 1"[..end].to_owned()).collect();
        let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
        assert_eq!(steps(&typed, &Cause::Typed), ["MOV R0, 1", "MOV R0, ", "MOV ", ""]);
        assert_eq!(steps(&["abc", "ab", "a", ""], &Cause::Typed), ["", "abc"]);
        assert_eq!(steps(&["a", "a\n", "a\nb"], &Cause::Typed), ["a\nb", "a\n", "a"]);
        assert_eq!(steps(&["a", "ab", "ab pasted text"], &Cause::Typed), ["ab pasted text", "ab", "a"]);
        assert_eq!(steps(&["a", "ab", "abc"], &Cause::Other), ["abc", "ab", "a"]);
        // A change elsewhere in the text.
        assert_eq!(steps(&["x y", "xa y", "xa yb"], &Cause::Typed), ["xa yb", "xa y", "x y"]);
    }

    #[test]
    fn a_slider_is_one_step_and_another_one_another() {
        let set = |name: &str| {
            let value = [Component::Constant(1.0); 4];
            Cause::Set(Box::new(SceneEdit::Parameter(ParameterKey::Named(name.to_owned()), value)))
        };
        assert_eq!(steps(&["a = 1", "a = 2", "a = 35", "a = 4"], &set("a")), ["a = 4", "a = 1"]);
        let mut history = History::default();
        let change = |old: &str, new: &str| Change::between(old, new);
        history.push(Step::new(0, change("1", "2"), 0, set("a")), "2");
        history.push(Step::new(0, change("2", "3"), 0, set("b")), "3");
        history.seal();
        history.push(Step::new(0, change("3", "4"), 0, set("b")), "4");
        assert_eq!(std::iter::from_fn(|| history.undo().pop()).count(), 3);
        assert!(!history.can_undo() && history.can_redo() && history.is_about(0) && !history.is_about(1));
        history.push(Step::new(1, change("", "x"), 0, Cause::Typed), "x");
        assert!(!history.can_redo(), "what was taken back is gone once something else is done");
    }

    #[test]
    fn a_step_of_several_parts_goes_and_comes_as_one() {
        let mut history = History::default();
        history.push(Step::new(0, Change::between("a b", "a b!"), 0, Cause::Typed), "a b!");
        history.seal();
        history.push(Step::new(0, Change::between("a b!", "a xb!"), 0, Cause::Typed), "a xb!");
        history.push(Step::new(0, Change::between("a xb!", "xa xb!"), 0, Cause::Typed).joined(), "xa xb!");
        let mut text = "xa xb!".to_owned();
        let back = history.undo();
        assert!(back.len() == 2 && back.iter().all(|step| step.change.take_back(&mut text)));
        assert_eq!(text, "a b!");
        assert!(history.can_undo() && history.can_redo());
        let again = history.redo();
        assert!(again.len() == 2 && again.iter().all(|step| step.change.make(&mut text)));
        assert_eq!((text.as_str(), history.redo().len(), history.undo().len()), ("xa xb!", 0, 2));
        assert_eq!((history.undo().len(), history.undo().len()), (1, 0));
    }

    #[test]
    fn old_steps_are_forgotten_before_memory_is() {
        let mut history = History::default();
        let long = "x".repeat(MAX_BYTES / 4);
        for _ in 0..10 {
            history.push(Step::new(1, Change::between("", &long), 0, Cause::Other), &long);
        }
        assert_eq!(std::iter::from_fn(|| history.undo().pop()).count(), 4);
    }
}
