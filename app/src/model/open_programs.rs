//! [`OpenPrograms`]: the programs of a document. At least one exists and one is in front, so the type holds
//! the front program separately.

use super::text::TextFile;
use crate::scene::{Programs, Slot};
use shadestep_engine::isa::Stage;
use std::iter::once;

/// The programs by slot, one of them in front.
pub struct OpenPrograms {
    front: (Slot, TextFile),
    /// All programs except the one in front.
    others: Programs<TextFile>,
}

impl OpenPrograms {
    /// Puts the most important of `programs` in front. Uses `instead` as a fragment program if there are
    /// none.
    pub fn new(mut programs: Programs<TextFile>, instead: impl FnOnce() -> TextFile) -> Self {
        let main = programs.main().and_then(|slot| Some((slot, programs.take(slot)?)));
        Self { front: main.unwrap_or_else(|| (Slot::Fragment, instead())), others: programs }
    }

    pub fn front_slot(&self) -> Slot {
        self.front.0
    }

    pub fn front(&self) -> &TextFile {
        &self.front.1
    }

    pub fn front_mut(&mut self) -> &mut TextFile {
        &mut self.front.1
    }

    /// Brings the program at `slot` to the front. Returns false if there is none.
    pub fn bring_to_front(&mut self, slot: Slot) -> bool {
        if let Some(program) = self.others.take(slot) {
            let (before, program) = std::mem::replace(&mut self.front, (slot, program));
            self.others.insert(before, program);
        }
        self.front.0 == slot
    }

    /// Returns the program at `slot`.
    pub fn get(&self, slot: Slot) -> Option<&TextFile> {
        if slot == self.front.0 { Some(&self.front.1) } else { self.others.get(slot) }
    }

    pub fn get_mut(&mut self, slot: Slot) -> Option<&mut TextFile> {
        if slot == self.front.0 { Some(&mut self.front.1) } else { self.others.get_mut(slot) }
    }

    /// Removes and returns every text, in order. The caller must call [`Self::place`] next.
    pub(super) fn take_all(&mut self) -> Vec<TextFile> {
        let nothing = TextFile::unsaved(String::new(), "");
        let (slot, front) = std::mem::replace(&mut self.front, (Slot::Fragment, nothing));
        let mut all = std::mem::take(&mut self.others);
        all.insert(slot, front);
        all.into_iter().map(|(_, text)| text).collect()
    }

    /// Replaces all programs with `programs`, the most important one in front. Does nothing if `programs` is
    /// empty.
    pub(super) fn place(&mut self, mut programs: Programs<TextFile>) {
        if let Some((slot, front)) = programs.main().and_then(|slot| Some((slot, programs.take(slot)?))) {
            self.front = (slot, front);
            self.others = programs;
        }
    }

    /// Iterates over the programs in slot order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Slot, &TextFile)> {
        let (front, program) = &self.front;
        let before = self.others.iter().filter(move |(slot, _)| slot < front);
        let behind = self.others.iter().filter(move |(slot, _)| slot > front);
        before.chain(once((*front, program))).chain(behind)
    }

    /// Iterates over the programs, the front one first.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut TextFile> {
        once(&mut self.front.1).chain(self.others.iter_mut().map(|(_, program)| program))
    }

    /// Iterates over the used slots in order.
    pub fn slots(&self) -> impl DoubleEndedIterator<Item = Slot> {
        self.iter().map(|(slot, _)| slot)
    }

    /// Returns the slot for another program of `stage`. `None` if the stage is full.
    pub fn free(&self, stage: Stage) -> Option<Slot> {
        Slot::free(stage, self.slots())
    }

    /// Returns the number of programs, at least 1.
    pub fn count(&self) -> usize {
        1 + self.others.len()
    }

    pub fn map<U>(&self, make: impl Fn(&TextFile) -> U) -> Programs<U> {
        self.iter().map(|(slot, program)| (slot, make(program))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(slots: &[Slot]) -> OpenPrograms {
        let text = |slot: &Slot| (*slot, TextFile::unsaved(String::new(), &slot.to_string()));
        OpenPrograms::new(slots.iter().map(text).collect(), || TextFile::unsaved(String::new(), "new"))
    }

    fn texts(programs: &OpenPrograms) -> Vec<&str> {
        programs.iter().map(|(_, program)| program.text.as_str()).collect()
    }

    #[test]
    fn order_and_places_do_not_depend_on_what_is_in_front() {
        let slots = [Slot::Vertex, Slot::State(0), Slot::State(1), Slot::Fragment];
        let mut programs = open(&slots);
        assert_eq!(programs.front_slot(), Slot::Fragment);
        for slot in slots {
            assert!(programs.bring_to_front(slot));
            assert_eq!((programs.front_slot(), programs.front().text.as_str()), (slot, &*slot.to_string()));
            assert_eq!(programs.slots().collect::<Vec<_>>(), slots);
            assert_eq!(texts(&programs), ["Vertex", "State", "State 2", "Fragment"]);
            assert_eq!(programs.free(Stage::VertexState), Some(Slot::State(2)));
        }
        assert!(!programs.bring_to_front(Slot::State(2)));
        assert_eq!(programs.front_slot(), Slot::Fragment, "nothing has changed");
    }

    #[test]
    fn something_is_always_in_front() {
        let mut programs = open(&[]);
        assert_eq!((programs.front_slot(), texts(&programs)), (Slot::Fragment, vec!["new"]));
        programs.place(Programs::default());
        assert_eq!(texts(&programs), ["new"]);
        programs = open(&[Slot::Vertex, Slot::State(0), Slot::State(1)]);
        programs.bring_to_front(Slot::State(0));
        let all = programs.take_all();
        let slots = [Slot::State(0), Slot::State(1), Slot::Vertex];
        programs.place(slots.into_iter().zip(all).collect());
        assert_eq!(
            (programs.front_slot(), texts(&programs)),
            (Slot::Vertex, vec!["State 2", "Vertex", "State"])
        );
    }
}
