//! Race detection. In a race, two invocations of a draw access the same bytes, at least one access changes
//! them, neither is an atomic, and nothing orders the two. The executors order such accesses, so a draw has
//! one result here. On other implementations it may have another.
//!
//! An access is ordered before another one (EXT_shader_image_load_store 2.14.X) if
//!
//! * the same invocation makes both, one after the other,
//! * the second is made for a vertex, patch, primitive or fragment with inputs from the invocation that made
//!   the first, before it passed the inputs on, or
//! * the first is followed by MEMBAR and then an atomic, the second follows an atomic and then MEMBAR, and
//!   the second atomic comes after the first and accesses the same word.
//!
//! The detector keeps vector clocks ([`Clock`]) of running invocations, of words that atomics access after a
//! MEMBAR, and of the vertices and patches between stages. Each word has a short list of the accesses that
//! may race with later ones.
//! An access is dropped from the list when a newer one of the same kind is ordered after it. It is also
//! dropped when the list has a newer access of a finished invocation that can no longer synchronise with
//! others.

mod clock;
mod party;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::store::PAGE;
use super::{Action, BufferId, Request, Transfer, Who};
use clock::{Clock, Run};
use fnv::FnvHashMap;
use party::Identity;
pub use party::{Origin, Party};

/// Bytes that share a cell.
const WORD: usize = 4;
const WORDS: usize = PAGE / WORD;

/// Accesses that a cell holds itself.
const HELD: usize = 2;

/// Maximum number of accesses kept for a word. The oldest are dropped.
const MOST_ACCESSES: usize = 256;

/// Maximum number of accesses that all cells together keep in `spilled`, 16 bytes each.
const MOST_SPILLED: usize = 1 << 20;

/// Maximum number of invocations with a record. Accesses of further invocations are ignored.
const MOST_INVOCATIONS: usize = 1 << 23;

/// Maximum number of runs in the clocks of words, and in the clocks that stages hand on, 12 bytes each.
const MOST_RUNS: usize = 1 << 22;

/// How an access may race with others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Read,
    /// A store that leaves the word unchanged.
    Silent,
    Write,
    /// An atomic that leaves its word unchanged.
    AtomicRead,
    AtomicWrite,
}

impl Kind {
    /// A bit for each kind of a later access that it races with. Atomic accesses never race.
    const fn rivals(self) -> u8 {
        let [read, write] = [1 << Self::Read as u8, 1 << Self::Write as u8];
        match self {
            Self::Read | Self::Silent => write,
            Self::Write => read | write,
            Self::AtomicRead | Self::AtomicWrite => 0,
        }
    }

    /// Whether a later access of kind `other` races with it.
    const fn races(self, other: Self) -> bool {
        self.rivals() >> other as u8 & 1 != 0
    }

    const fn writes(self) -> bool {
        matches!(self, Self::Silent | Self::Write | Self::AtomicWrite)
    }

    /// Whether an access of this kind races with every access that one of kind `other` races with. A read
    /// cannot replace a write, because the last writer must stay known.
    const fn stands_for(self, other: Self) -> bool {
        other.rivals() & !self.rivals() == 0 && (self.writes() || !other.writes())
    }
}

/// Accesses to bytes of a word by consecutive invocations, with one instruction.
#[derive(Clone, Copy, Debug, Default)]
struct Access {
    /// Numbers of invocations; none is 0.
    first: u32,
    last: u32,
    /// The epoch of each.
    epoch: u32,
    pc: u16,
    /// The accessed bytes, bit 0 for the first; 0 if there is no access.
    bytes: u8,
    kind: Kind,
}

impl Access {
    /// Adds `next` if it is the same access of the next invocation. Returns true if it is.
    fn extend(&mut self, next: &Self) -> bool {
        let key = |access: &Self| (access.epoch, access.pc, access.bytes, access.kind);
        let extends = self.last.checked_add(1) == Some(next.first) && key(self) == key(next);
        if extends {
            self.last = next.last;
        }
        extends
    }
}

/// The accesses of a word that later ones may race with, oldest first.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    held: [Access; HELD],
    /// Number of the list with further accesses in [`Races::spilled`], from 1; 0 if there is none.
    spilled: u32,
}

/// Accesses that come before each reader of a vertex or patch: a clock that stages pass along the pipeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Before(u32);

impl Before {
    /// No access.
    pub const NOTHING: Self = Self(0);
    /// All accesses so far.
    pub const EVERYTHING: Self = Self(u32::MAX);
}

/// An invocation that runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Running {
    /// Number of the invocation, from 1; 0 before its first access.
    number: u32,
    epoch: u32,
    /// Clock of the accesses by others that come before the next one.
    known: Option<Arc<Clock>>,
    /// Clock of the accesses before the last MEMBAR, its own included.
    released: Option<Arc<Clock>>,
    /// Clock of the accesses that were released to its atomics since then.
    found: Clock,
    /// The clock it has handed on since its last access.
    handed: Option<Before>,
}

/// Whether the invocations of a program may run concurrently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    /// Alone: the program writes memory.
    Writes,
    /// Side by side: the program only reads.
    Reads,
}

/// The accesses of a draw, for finding races.
#[derive(Debug, Default)]
pub(super) struct Races {
    /// The pages of each buffer that have been accessed.
    buffers: Vec<Vec<Option<Box<[Cell; WORDS]>>>>,
    spilled: Vec<Vec<Access>>,
    /// Unused lists in `spilled`.
    unused: Vec<u32>,
    spilled_count: usize,
    invocations: Vec<Identity>,
    /// The invocations up to this number have finished.
    over: u32,
    /// Clocks that atomics have released, by buffer and word.
    words: FnvHashMap<(u32, usize), Clock>,
    word_runs: usize,
    /// Runs of the clocks that stages have handed on, and the end of each clock.
    handed: Vec<Run>,
    handed_ends: Vec<usize>,
    scratch: Vec<Access>,
}

/// The last writer of each byte in a draw.
#[derive(Debug)]
pub struct Writers(Races);

impl From<Races> for Writers {
    fn from(races: Races) -> Self {
        Self(races)
    }
}

impl Writers {
    /// The invocation that wrote the byte at `offset` of a buffer last, with the index of its instruction.
    pub fn of(&self, buffer: BufferId, offset: u64) -> Option<Party> {
        let (page, at) = ((offset / PAGE as u64) as usize, (offset % PAGE as u64) as usize);
        let cells = self.0.buffers.get(buffer.0 as usize)?.get(page)?.as_ref()?;
        let cell = &cells[at / WORD];
        let spilled = (cell.spilled as usize).checked_sub(1).and_then(|place| self.0.spilled.get(place));
        let accesses = cell.held.iter().chain(spilled.into_iter().flatten());
        let of_byte = |access: &&Access| access.kind.writes() && access.bytes >> (at % WORD) & 1 != 0;
        accesses.rev().find(of_byte).map(|access| self.0.party(access, access.last))
    }
}

impl Races {
    /// Starts an invocation that reads vertices or patches with these clocks. `like` is an invocation that
    /// started with the same clocks, if there is one.
    pub fn begin(&self, before: &[Before], like: Option<&Running>) -> Running {
        let known = match like {
            Some(like) => like.known.clone(),
            None => self.joined(before).map(Arc::new),
        };
        let only = before.first().filter(|first| before.iter().all(|other| other == *first));
        Running { known, handed: only.copied(), ..Running::default() }
    }

    /// Records that all invocations so far have finished.
    pub fn begin_alone(&mut self) {
        self.over = self.invocations.len() as u32;
    }

    fn joined(&self, before: &[Before]) -> Option<Clock> {
        let mut all = Clock::default();
        let mut last = Before::NOTHING;
        for &handed in before {
            if handed == last || handed == Before::NOTHING {
                continue;
            }
            last = handed;
            match handed {
                Before::EVERYTHING => return Some(Clock::everything()),
                Before(number) => all.join(&Clock::of_runs(self.handed(number))),
            }
        }
        (all != Clock::default()).then_some(all)
    }

    fn handed(&self, number: u32) -> &[Run] {
        let place = number as usize - 1;
        let first = place.checked_sub(1).map_or(0, |before| self.handed_ends[before]);
        &self.handed[first..self.handed_ends[place]]
    }

    /// Returns the clock that an invocation hands on now. It does not cover the invocation's later accesses.
    pub fn hand_on(&mut self, running: &mut Running) -> Before {
        if let Some(handed) = running.handed {
            return handed;
        }
        let known = running.known.as_deref();
        let mut all = known.cloned().unwrap_or_default();
        if running.number != 0 {
            all.join(&Clock::of(running.number, running.epoch));
            running.epoch += 1;
        }
        let handed = if all.runs().is_empty() {
            Before::NOTHING
        } else if self.handed.len() + all.runs().len() > MOST_RUNS {
            Before::EVERYTHING
        } else {
            self.handed.extend_from_slice(all.runs());
            self.handed_ends.push(self.handed.len());
            Before(self.handed_ends.len() as u32)
        };
        running.handed = Some(handed);
        handed
    }

    /// Executes MEMBAR in an invocation.
    pub fn synchronise(&mut self, running: &mut Running) {
        if running.found != Clock::default() {
            let found = std::mem::take(&mut running.found);
            Arc::make_mut(running.known.get_or_insert_default()).join(&found);
            running.handed = None;
        }
        running.released.clone_from(&running.known);
        if running.number != 0 {
            let own = Clock::of(running.number, running.epoch);
            Arc::make_mut(running.released.get_or_insert_default()).join(&own);
            running.epoch += 1;
            if let Some(identity) = self.invocations.get_mut(running.number as usize - 1) {
                identity.synchronise();
            }
        }
    }

    /// Returns the number of an invocation that makes an access, or `None` beyond [`MOST_INVOCATIONS`].
    fn number(&mut self, running: &mut Running, (who, program): (&Who, Program)) -> Option<u32> {
        if running.number == 0 {
            if self.invocations.len() >= MOST_INVOCATIONS {
                return None;
            }
            self.invocations.push(Identity::new(who, program));
            running.number = self.invocations.len() as u32;
        }
        running.handed = None;
        Some(running.number)
    }

    /// Records an access. Returns the other party if the access is a race.
    pub fn note(
        &mut self,
        (running, program): (&mut Running, Program),
        request: &Request,
        transfer: &Transfer,
    ) -> Option<Party> {
        let (buffer, offset) = transfer.at?;
        let number = self.number(running, (&request.who, program));
        let (mut at, end) = (offset, offset + transfer.size() as u64);
        let atomic_kind = match transfer.after {
            Some(after) if after != transfer.before => Kind::AtomicWrite,
            _ => Kind::AtomicRead,
        };
        let mut found = None;
        while at < end {
            let word = at / WORD as u64;
            let last = end.min((word + 1) * WORD as u64);
            let bytes = ((1u16 << (last - word * WORD as u64)) - (1 << (at - word * WORD as u64))) as u8;
            let part = (at - offset) as usize..(last - offset) as usize;
            let kind = match (request.action, &transfer.after) {
                (Action::Load, _) => Kind::Read,
                (Action::Atomic(..), _) => atomic_kind,
                (Action::Store(_), Some(after)) if after[part.clone()] != transfer.before[part] => {
                    Kind::Write
                }
                (Action::Store(_), _) => Kind::Silent,
            };
            let (first, pc) = (number.unwrap_or_default(), request.who.pc as u16);
            let access = Access { first, last: first, epoch: running.epoch, pc, bytes, kind };
            let place = (buffer, word as usize);
            match number {
                Some(_) => {
                    let other = self.access(place, access, running);
                    found = found.or_else(|| other.map(|(other, number)| self.party(&other, number)));
                }
                None => self.forget(place, access),
            }
            if matches!(request.action, Action::Atomic(..)) {
                self.pass(place, running, transfer.after.is_some());
            }
            at = last;
        }
        found
    }

    /// Acquires the clock that atomics have released to a word. If the atomic `releases`, adds the accesses
    /// before its last MEMBAR.
    fn pass(&mut self, (buffer, word): (BufferId, usize), running: &mut Running, releases: bool) {
        let released = running.released.as_deref().filter(|_| releases);
        let key = (buffer.0, word);
        if let Some(clock) = self.words.get(&key) {
            running.found.join(clock);
        }
        let Some(released) = released else { return };
        let clock = self.words.entry(key).or_default();
        let before = clock.runs().len();
        clock.join(released);
        if self.word_runs - before + clock.runs().len() > MOST_RUNS {
            clock.widen();
        }
        self.word_runs = self.word_runs - before + clock.runs().len();
    }

    /// Adds an access to a word. Returns an access that it races with, and the invocation that made it.
    fn access(&mut self, place: (BufferId, usize), new: Access, running: &Running) -> Option<(Access, u32)> {
        let cell = cell(&mut self.buffers, place);
        if cell.held[0].bytes == 0 {
            cell.held[0] = new;
            return None;
        }
        let held = *cell;
        let mut list = std::mem::take(&mut self.scratch);
        let mut found = None;
        for mut old in self.listed(&held) {
            if old.bytes & new.bytes == 0 {
                list.push(old);
                continue;
            }
            let (races, stands) = (old.kind.races(new.kind), new.kind.stands_for(old.kind));
            let unordered = if races || stands { unordered(&old, running) } else { None };
            if let Some(number) = unordered.filter(|_| races && found.is_none()) {
                found = Some((old, number));
            }
            if new.kind == Kind::Write || stands && unordered.is_none() {
                old.bytes &= !new.bytes;
            }
            if old.bytes != 0 {
                list.push(old);
            }
        }
        match list.iter_mut().position(|old| old.extend(&new)) {
            // The latest access comes last.
            Some(place) => list[place..].rotate_left(1),
            None => list.push(new),
        }
        if list.len() > HELD {
            self.condense(&mut list);
        }
        self.keep(place, held.spilled, &list);
        list.clear();
        self.scratch = list;
        found
    }

    /// Removes the bytes that an invocation without a number writes.
    fn forget(&mut self, place: (BufferId, usize), new: Access) {
        if !new.kind.writes() {
            return;
        }
        let held = *cell(&mut self.buffers, place);
        let mut list: Vec<Access> = self.listed(&held).collect();
        list.iter_mut().for_each(|old| old.bytes &= !new.bytes);
        list.retain(|old| old.bytes != 0);
        self.keep(place, held.spilled, &list);
    }

    fn listed<'a>(&'a self, cell: &'a Cell) -> impl Iterator<Item = Access> + 'a {
        let spilled = (cell.spilled as usize).checked_sub(1).and_then(|place| self.spilled.get(place));
        let held = cell.held.iter().take_while(|access| access.bytes != 0);
        held.chain(spilled.into_iter().flatten()).copied()
    }

    /// Stores `list` as the accesses of a word. `spilled` is the number of its list so far.
    fn keep(&mut self, place: (BufferId, usize), spilled: u32, list: &[Access]) {
        let (own, others) = list.split_at(list.len().min(HELD));
        let mut kept = Cell::default();
        kept.held[..own.len()].copy_from_slice(own);
        kept.spilled = spilled;
        if !others.is_empty() && spilled == 0 {
            kept.spilled = self.unused.pop().unwrap_or_else(|| {
                self.spilled.push(Vec::new());
                self.spilled.len() as u32
            });
        }
        if let Some(number) = (kept.spilled as usize).checked_sub(1) {
            let room = &mut self.spilled[number];
            self.spilled_count = self.spilled_count - room.len() + others.len();
            if others.is_empty() {
                self.unused.push(kept.spilled);
                kept.spilled = 0;
                *room = Vec::new();
            } else {
                room.clear();
                room.extend_from_slice(others);
            }
        }
        *cell(&mut self.buffers, place) = kept;
    }

    /// Drops accesses that a later access of a finished invocation makes redundant, and the oldest ones
    /// beyond the maximum.
    fn condense(&self, list: &mut Vec<Access>) {
        let mut place = 0;
        while place < list.len() {
            let old = list[place];
            let adds_nothing = list[place + 1..].iter().any(|later| {
                later.kind.stands_for(old.kind) && old.bytes & !later.bytes == 0 && self.is_final(later.last)
            });
            if adds_nothing {
                list.remove(place);
            } else {
                place += 1;
            }
        }
        let most = if self.spilled_count < MOST_SPILLED { MOST_ACCESSES } else { HELD };
        list.drain(..list.len().saturating_sub(most));
    }

    /// Whether no later access can be ordered after the accesses of an invocation.
    fn is_final(&self, number: u32) -> bool {
        let identity = self.invocations.get((number as usize).wrapping_sub(1));
        identity.is_some_and(|identity| identity.is_final(number <= self.over))
    }

    fn party(&self, access: &Access, number: u32) -> Party {
        let identity = self.invocations.get((number as usize).wrapping_sub(1)).copied().unwrap_or_default();
        identity.party(access.pc.into(), access.kind.writes())
    }
}

/// Returns an invocation of `access` whose access is not ordered before the next access of `running`.
fn unordered(access: &Access, running: &Running) -> Option<u32> {
    let own = running.number;
    if access.first == access.last && access.first == own {
        return None;
    }
    match &running.known {
        Some(known) => known.uncovered((access.first, access.last), access.epoch, own),
        None if access.last != own => Some(access.last),
        None => Some(access.last - 1),
    }
}

fn cell(buffers: &mut Vec<Vec<Option<Box<[Cell; WORDS]>>>>, (buffer, word): (BufferId, usize)) -> &mut Cell {
    let place = buffer.0 as usize;
    if buffers.len() <= place {
        buffers.resize_with(place + 1, Vec::new);
    }
    let pages = &mut buffers[place];
    let (page, word) = (word / WORDS, word % WORDS);
    if pages.len() <= page {
        pages.resize_with(page + 1, || None);
    }
    let page = pages[page].get_or_insert_with(|| Box::new([Cell::default(); WORDS]));
    &mut page[word]
}
