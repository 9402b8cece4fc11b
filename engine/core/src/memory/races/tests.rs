//! Compares the detector with the definition of a race, for random schedules whose order is computed event by
//! event.

use super::*;
use crate::memory::{Memory, Mode, Place};
use crate::subject::Subject;
use shadestep_language::ir::{Atomic, Storage};
use shadestep_language::isa::Stage;

const BASE: u64 = 1 << 32;
const BYTES: usize = 16;

struct Random(u64);

impl Random {
    /// A number below `count`.
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

/// An action of an invocation.
#[derive(Clone, Copy, Debug)]
enum Act {
    Access(Touch),
    Barrier,
    /// Hands the invocation's clock on to later stages.
    HandOn,
}

/// The bytes that an access touches.
#[derive(Clone, Copy, Debug)]
struct Touch {
    offset: usize,
    size: usize,
    atomic: bool,
    loads: bool,
    /// For each word of the buffer, whether the access changes bytes in it.
    changes: [bool; BYTES / 4],
    /// Whether the access writes, which lets others synchronise with it.
    writes: bool,
}

/// An event of a schedule.
#[derive(Clone, Copy, Debug)]
struct Event {
    invocation: usize,
    pc: usize,
    act: Act,
    /// A bit for each event that is ordered before this one.
    before: u64,
}

/// Whether two accesses of different invocations race, if they are unordered. `second` is the later one.
fn conflict(first: &Touch, second: &Touch) -> bool {
    let bytes = |touch: &Touch| touch.offset..touch.offset + touch.size;
    (0..BYTES).any(|byte| {
        let (one, other) = (first.changes[byte / 4], second.changes[byte / 4]);
        let is_silent = !second.loads && !other;
        bytes(first).contains(&byte) && bytes(second).contains(&byte) && (one || other) && !is_silent
    }) && !(first.atomic || second.atomic)
}

/// A schedule under construction: the detector's state, and the true order.
struct Schedule {
    memory: Memory,
    races: Races,
    events: Vec<Event>,
    /// The running state of each invocation, its last event, and its atomics since the last MEMBAR.
    running: Vec<Running>,
    last: Vec<Option<usize>>,
    atomics: Vec<Vec<usize>>,
    /// The clocks that were handed on, each with its event.
    handed: Vec<(Before, usize)>,
    vertices: usize,
}

impl Schedule {
    fn new(vertices: usize, fragments: usize) -> Self {
        let mut memory = Memory::default();
        let buffer = memory.add(&[0; BYTES]);
        memory.make_resident(buffer, BASE, Mode::ReadWrite).unwrap();
        let count = vertices + fragments;
        Self {
            memory,
            races: Races::default(),
            events: Vec::new(),
            running: vec![Running::default(); count],
            last: vec![None; count],
            atomics: vec![Vec::new(); count],
            handed: Vec::new(),
            vertices,
        }
    }

    /// Starts an invocation with the clocks of these hand-ons.
    fn begin(&mut self, invocation: usize, handed: &[usize]) {
        let before: Vec<Before> = handed.iter().map(|place| self.handed[*place].0).collect();
        self.running[invocation] = self.races.begin(&before, None);
        let bits = handed.iter().fold(0, |bits, place| bits | self.past(self.handed[*place].1));
        if bits != 0 {
            // A separate event that cannot race with any other.
            let event = Event { invocation, pc: 0, act: Act::HandOn, before: bits };
            self.last[invocation] = Some(self.events.len());
            self.events.push(event);
        }
    }

    /// A mask of an event and all events ordered before it.
    fn past(&self, event: usize) -> u64 {
        self.events[event].before | 1 << event
    }

    fn subject(&self, invocation: usize) -> (Stage, Subject) {
        if invocation < self.vertices {
            (Stage::Vertex, Subject::Vertex(invocation as u32))
        } else {
            (Stage::Fragment, Subject::Pixel([invocation as u32, 0]))
        }
    }

    fn add(&mut self, invocation: usize, pc: usize, act: Act) -> usize {
        let before = self.last[invocation].map_or(0, |last| self.past(last));
        self.events.push(Event { invocation, pc, act, before });
        self.last[invocation] = Some(self.events.len() - 1);
        self.events.len() - 1
    }

    fn barrier(&mut self, invocation: usize) {
        let own = self.add(invocation, 0, Act::Barrier);
        for atomic in std::mem::take(&mut self.atomics[invocation]) {
            // The clocks that were released earlier to the words of the atomic.
            let Act::Access(found) = self.events[atomic].act else { continue };
            for earlier in 0..atomic {
                let Event { invocation: other, act: Act::Access(touch), .. } = self.events[earlier] else {
                    continue;
                };
                let words = |touch: &Touch| touch.offset / 4..(touch.offset + touch.size).div_ceil(4);
                let meet = words(&touch).any(|word| words(&found).contains(&word));
                let released = self.events[..earlier]
                    .iter()
                    .rposition(|event| event.invocation == other && matches!(event.act, Act::Barrier));
                if let Some(released) = released.filter(|_| touch.atomic && touch.writes && meet) {
                    self.events[own].before |= self.past(released);
                }
            }
        }
        self.races.synchronise(&mut self.running[invocation]);
    }

    fn hand_on(&mut self, invocation: usize) {
        let event = self.add(invocation, 0, Act::HandOn);
        let handed = self.races.hand_on(&mut self.running[invocation]);
        self.handed.push((handed, event));
    }

    /// Makes an access. Returns the detector's finding, and whether the access is a race. With
    /// `Habit::Apart`, atomics and other accesses use different words.
    fn access(&mut self, random: &mut Random, invocation: usize, habit: Habit) -> (Option<Party>, bool) {
        const STORAGES: [(&str, usize); 6] =
            [("U8", 1), ("U16", 2), ("U32", 4), ("U32X2", 8), ("U32X4", 16), ("U64", 8)];
        let value = random.below(3) as u64 * 0x0101_0101;
        let values = [value, random.below(2) as u64, value, 0];
        let (action, kinds) = match random.below(10) {
            0..4 => (Action::Load, &STORAGES[..]),
            4..7 => (Action::Store(values), &STORAGES[..]),
            7 => (Action::Atomic(Atomic::Add, [value, 0, 0, 0]), &STORAGES[2..3]),
            8 => (Action::Atomic(Atomic::CompareSwap, [0, 1, 0, 0]), &STORAGES[2..3]),
            _ => (Action::Atomic(Atomic::Exchange, [value, 0, 0, 0]), &STORAGES[5..]),
        };
        let kinds = if matches!(habit, Habit::Apart) { &kinds[..kinds.len().min(4)] } else { kinds };
        let (name, size) = kinds[random.below(kinds.len())];
        let half = BYTES / 2;
        let offset = match (habit, action) {
            (Habit::Any, _) => random.below(BYTES / size) * size,
            (Habit::Apart, Action::Atomic(..)) => half + random.below(half / size) * size,
            (Habit::Apart, _) => random.below((half / size).max(1)) * size,
        };
        let (stage, subject) = self.subject(invocation);
        let pc = random.below(3);
        let who = Who {
            stage,
            pc,
            subject: Some(subject),
            origin: Origin::default(),
            invocation: 1,
            helper: false,
        };
        let place = Place::Address(BASE + offset as u64);
        let request = Request { who, place, storage: Storage::named(name).unwrap(), action };
        let transfer = self.memory.access(&request);
        let running = &mut self.running[invocation];
        let found = self.races.note((running, Program::Writes), &request, &transfer);
        let atomic = matches!(action, Action::Atomic(..));
        let mut changes = [false; BYTES / 4];
        for at in 0..size {
            changes[(offset + at) / 4] |=
                transfer.after.is_some_and(|after| after[at] != transfer.before[at]);
        }
        if atomic {
            let any = changes.contains(&true);
            changes[offset / 4..(offset + size) / 4].fill(any);
        }
        let loads = action == Action::Load;
        let touch = Touch { offset, size, atomic, loads, changes, writes: transfer.after.is_some() };
        let event = self.add(invocation, pc, Act::Access(touch));
        if atomic {
            self.atomics[invocation].push(event);
        }
        let is_race = self.rivals(event).next().is_some();
        (found, is_race)
    }

    /// The events that an access races with.
    fn rivals(&self, event: usize) -> impl Iterator<Item = &Event> {
        let second = self.events[event];
        let earlier = self.events[..event].iter().enumerate();
        earlier
            .filter(move |(place, first)| match (first.act, second.act) {
                (Act::Access(one), Act::Access(other)) => {
                    first.invocation != second.invocation
                        && second.before >> place & 1 == 0
                        && conflict(&one, &other)
                }
                _ => false,
            })
            .map(|(_, event)| event)
    }
}

/// The words that a schedule accesses.
#[derive(Clone, Copy, Debug)]
enum Habit {
    Any,
    Apart,
}

/// Runs a random schedule. Returns whether it has a race.
fn run(random: &mut Random) -> bool {
    let (vertices, fragments) = (random.below(3), 2 + random.below(5));
    let mut schedule = Schedule::new(vertices, fragments);
    let barriers = random.below(4);
    let (habit, most) = [(Habit::Any, 4), (Habit::Apart, 2), (Habit::Apart, 4)][random.below(3)];
    // Blocks run one after the other, and the invocations of a block run interleaved. The vertices are the
    // first block.
    let mut blocks: Vec<_> = std::iter::once(0..vertices).collect();
    let mut first = vertices;
    while first < vertices + fragments {
        let end = (first + 1 + random.below(3)).min(vertices + fragments);
        blocks.push(first..end);
        first = end;
    }
    let (mut races, mut is_exact) = (false, true);
    for block in blocks {
        schedule.races.begin_alone();
        for invocation in block.clone() {
            let handed = match invocation < vertices {
                true => Vec::new(),
                false => (0..schedule.handed.len()).filter(|_| random.below(2) == 0).collect::<Vec<_>>(),
            };
            schedule.begin(invocation, &handed);
        }
        for _ in 0..block.len() * (1 + random.below(most)) {
            let invocation = block.start + random.below(block.len());
            match random.below(8) {
                0..3 if random.below(3) < barriers => schedule.barrier(invocation),
                3 if invocation < vertices => schedule.hand_on(invocation),
                _ => {
                    let (found, is_race) = schedule.access(random, invocation, habit);
                    let event = schedule.events.len() - 1;
                    if let Some(party) = found {
                        let named = |other: &Event| {
                            (schedule.subject(other.invocation).1, other.pc) == (party.subject, party.pc)
                        };
                        let mut rivals = schedule.rivals(event);
                        assert!(rivals.any(named), "false: {party:?} of {:#?}", schedule.events);
                    }
                    // After the first race on a word, the detector knows less about the word.
                    assert!(!is_exact || found.is_some() == is_race, "missed: {:#?}", schedule.events);
                    is_exact &= !is_race;
                    races |= is_race;
                }
            }
        }
    }
    races
}

#[test]
fn random_schedules_are_judged_as_the_definition_says() {
    let mut random = Random(7);
    let count = 20_000;
    let races = (0..count).filter(|_| run(&mut random)).count();
    assert!((count / 8..count * 7 / 8).contains(&races), "{races} of {count} have one");
}

/// Returns the findings for these accesses by fragments, one block after the other.
fn found(blocks: &[&[(u32, u64, &str, Action)]]) -> Vec<Option<Party>> {
    let (mut memory, mut races) = (Memory::default(), Races::default());
    let buffer = memory.add(&[0; 4096]);
    memory.make_resident(buffer, BASE, Mode::ReadWrite).unwrap();
    let mut found = Vec::new();
    for block in blocks {
        races.begin_alone();
        let mut running: FnvHashMap<u32, Running> = FnvHashMap::default();
        for (pc, &(invocation, offset, name, action)) in block.iter().enumerate() {
            let subject = Some(Subject::Pixel([invocation, 0]));
            let (stage, origin) = (Stage::Fragment, Origin::default());
            let who = Who { stage, pc, subject, origin, invocation: 1, helper: false };
            let place = Place::Address(BASE + offset);
            let request = Request { who, place, storage: Storage::named(name).unwrap(), action };
            let transfer = memory.access(&request);
            let running = running.entry(invocation).or_default();
            found.push(races.note((running, Program::Writes), &request, &transfer));
        }
    }
    found
}

#[test]
fn a_second_reader_does_not_hide_the_first() {
    let (load, store) = (Action::Load, Action::Store([5; 4]));
    let found = found(&[&[(0, 0, "U32", load), (1, 0, "U32", load), (1, 0, "U32", store)]]);
    assert_eq!(found[..2], [None; 2]);
    assert_eq!(found[2].map(|party| (party.subject, party.wrote)), Some((Subject::Pixel([0, 0]), false)));
}

#[test]
fn a_byte_does_not_hide_its_neighbour() {
    let (load, store) = (Action::Load, Action::Store([5; 4]));
    let found = found(&[&[(0, 0, "U8", store), (1, 1, "U8", store), (2, 0, "U8", load)]]);
    assert_eq!(found[..2], [None; 2]);
    assert_eq!(found[2].map(|party| (party.subject, party.pc)), Some((Subject::Pixel([0, 0]), 0)));
}

#[test]
fn an_unchanged_word_races_with_a_later_change() {
    let [zero, five] = [0, 5].map(|value| Action::Store([value; 4]));
    let found = found(&[&[(0, 0, "U32", zero), (1, 0, "U32", five), (2, 0, "U32", five)]]);
    assert_eq!(found.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false]);
}

#[test]
fn what_many_invocations_do_to_a_word_takes_little_memory() {
    let (load, add) = (Action::Load, Action::Atomic(Atomic::Add, [1, 0, 0, 0]));
    let mut races = Races::default();
    let mut memory = Memory::default();
    let buffer = memory.add(&[0; 4096]);
    memory.make_resident(buffer, BASE, Mode::ReadWrite).unwrap();
    let mut random = Random(3);
    for block in 0..2000 {
        races.begin_alone();
        for lane in 0..4 {
            let mut running = races.begin(&[], None);
            // Every second invocation synchronises, so its accesses may be ordered before others.
            for (action, offset) in [(add, 0), (load, 4 * (1 + random.below(7) as u64))] {
                let subject = Some(Subject::Pixel([block, lane]));
                let (stage, origin) = (Stage::Fragment, Origin::default());
                let who = Who { stage, pc: 0, subject, origin, invocation: 1, helper: false };
                let place = Place::Address(BASE + offset);
                let request = Request { who, place, storage: Storage::named("U32").unwrap(), action };
                let transfer = memory.access(&request);
                assert_eq!(races.note((&mut running, Program::Writes), &request, &transfer), None);
                if lane % 2 == 0 {
                    races.synchronise(&mut running);
                }
            }
        }
    }
    assert!(races.spilled_count < 8 * MOST_ACCESSES, "{}", races.spilled_count);
    assert!(races.word_runs < 8000, "{}", races.word_runs);
    assert_eq!((size_of::<Cell>(), size_of::<Identity>()), (36, 16));
}
