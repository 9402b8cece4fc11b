//! The memory that all invocations of a draw work on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::concurrent::Concurrent;
use super::faults::Faults;
use super::races::Races;
use super::{Fault, Kind, Memory, Report, Request, Transfer, Writers};
use crate::debug::Subject;

/// How often the memory before an invocation is kept.
const MOST_SEEN: usize = 4096;

/// Memory with whoever has a copy of this. Programs that only read run side by side, one that writes runs alone.
#[derive(Clone, Debug, Default)]
pub struct Shared(Arc<State>);

#[derive(Debug, Default)]
struct State {
    memory: RwLock<Memory>,
    faults: Mutex<Faults>,
    /// Whether anybody is waited for.
    is_watched: AtomicBool,
    watch: Mutex<Watch>,
    /// Whether [`Shared::spread`] does anything.
    any_order: AtomicBool,
    /// What a draw in any order works on, in place of [`Self::memory`].
    concurrent: RwLock<Option<Arc<Concurrent>>>,
    /// Whether races are looked for.
    finds_races: AtomicBool,
    /// Who touched what, while they are.
    races: Mutex<Option<Races>>,
}

/// Who is waited for, and memory as it was when they began.
#[derive(Debug, Default)]
struct Watch {
    subject: Option<Subject>,
    seen: Vec<Memory>,
}

impl From<Memory> for Shared {
    fn from(memory: Memory) -> Self {
        Self(Arc::new(State { memory: RwLock::new(memory), ..State::default() }))
    }
}

/// What a program does with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Nothing.
    None,
    /// It reads.
    Reads,
    /// It reads and writes.
    Writes,
}

impl Shared {
    /// A copy of it as it stands.
    pub fn snapshot(&self) -> Memory {
        self.0.memory.read().unwrap_or_else(PoisonError::into_inner).snapshot()
    }

    /// Puts another in its place, for all who share it.
    pub fn replace(&self, memory: Memory) {
        *self.0.memory.write().unwrap_or_else(PoisonError::into_inner) = memory;
    }

    /// The same at the beginning of a draw: nothing has been wrong yet.
    pub fn begin(&self, memory: Memory) {
        *self.0.concurrent.write().unwrap_or_else(PoisonError::into_inner) = None;
        self.replace(memory);
        *self.0.faults.lock().unwrap_or_else(PoisonError::into_inner) = Faults::default();
        // Who waits for an invocation wants to know no more than what that finds.
        let races = (self.finds_races() && !self.is_watched()).then(Races::default);
        *self.0.races.lock().unwrap_or_else(PoisonError::into_inner) = races;
    }

    /// Lets invocations run side by side until [`Self::end`], if that has been said ([`Self::in_any_order`]) and nobody is waited
    /// for, who wants to know what came before.
    pub fn spread(&self) {
        if self.spreads() {
            let concurrent = Arc::new(Concurrent::new(self.snapshot()));
            *self.0.concurrent.write().unwrap_or_else(PoisonError::into_inner) = Some(concurrent);
        }
    }

    /// What was written side by side is there for all.
    pub fn end(&self) {
        let concurrent = self.0.concurrent.write().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(concurrent) = concurrent.and_then(Arc::into_inner) {
            self.replace(concurrent.into_memory());
        }
    }

    /// Says whether draws run invocations in any order, side by side. Atomics are so among all of them. Nothing is known
    /// then of races, and of bytes that nothing has written.
    pub fn in_any_order(&self, whether: bool) {
        self.0.any_order.store(whether, Ordering::Relaxed);
    }

    /// Whether [`Self::spread`] would let them.
    pub fn spreads(&self) -> bool {
        self.0.any_order.load(Ordering::Relaxed) && !self.is_watched()
    }

    /// Whether they do.
    pub fn is_concurrent(&self) -> bool {
        self.0.concurrent.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Says whether draws look for races from their next beginning on: [`super::Reason::Race`] of programs that write
    /// memory. It takes them longer, and 36 bytes for each word that they touch.
    pub fn find_races(&self, whether: bool) {
        self.0.finds_races.store(whether, Ordering::Relaxed);
    }

    /// Whether they do.
    pub fn finds_races(&self) -> bool {
        self.0.finds_races.load(Ordering::Relaxed)
    }

    /// Keeps memory as it is each time before an invocation of `subject` begins, until [`Self::seen`]: of a pixel, before each
    /// of its fragments, of a vertex, in each instance.
    pub fn watch(&self, subject: Subject) {
        *self.watching() = Watch { subject: Some(subject), seen: Vec::new() };
        self.0.is_watched.store(true, Ordering::Relaxed);
    }

    /// What has been kept since then, in the order of the draw; at most 4096 times.
    pub fn seen(&self) -> Vec<Memory> {
        self.0.is_watched.store(false, Ordering::Relaxed);
        std::mem::take(&mut *self.watching()).seen
    }

    /// Whether anybody is waited for, so that [`Session::begin`] has to be told who begins.
    pub fn is_watched(&self) -> bool {
        self.0.is_watched.load(Ordering::Relaxed)
    }

    fn watching(&self) -> MutexGuard<'_, Watch> {
        self.0.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what was wrong.
    pub fn report(&self, fault: Fault) {
        self.0.faults.lock().unwrap_or_else(PoisonError::into_inner).add(fault);
    }

    /// Who wrote what since the beginning, if races are looked for; once.
    pub fn writers(&self) -> Option<Writers> {
        let mut races = self.0.races.lock().unwrap_or_else(PoisonError::into_inner);
        races.take().map(Writers::from)
    }

    /// What was wrong so far, in the order in which it came up first.
    pub fn reports(&self) -> Vec<Report> {
        self.0.faults.lock().unwrap_or_else(PoisonError::into_inner).reports()
    }

    /// Access to it for a program that does this with it, until the session ends.
    pub fn session(&self, usage: Use) -> Session<'_> {
        let memory = &self.0.memory;
        let concurrent = || self.0.concurrent.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(concurrent) = (usage != Use::None).then(concurrent).flatten() {
            return Session { shared: self, held: Held::Concurrent(concurrent), races: None };
        }
        let held = match usage {
            Use::None => Held::Nothing,
            Use::Reads => Held::Read(memory.read().unwrap_or_else(PoisonError::into_inner)),
            Use::Writes => Held::Write(memory.write().unwrap_or_else(PoisonError::into_inner)),
        };
        let races =
            (usage == Use::Writes).then(|| self.0.races.lock().unwrap_or_else(PoisonError::into_inner));
        let races = races.filter(|races| races.is_some());
        Session { shared: self, held, races }
    }
}

/// Memory while an executor works on it.
#[derive(Debug)]
pub struct Session<'a> {
    shared: &'a Shared,
    held: Held<'a>,
    /// Where races are looked for.
    races: Option<MutexGuard<'a, Option<Races>>>,
}

#[derive(Debug)]
enum Held<'a> {
    Nothing,
    Read(RwLockReadGuard<'a, Memory>),
    Write(RwLockWriteGuard<'a, Memory>),
    Concurrent(Arc<Concurrent>),
}

impl Session<'_> {
    /// Whether [`Self::begin`] has to be told who begins.
    pub fn is_watched(&self) -> bool {
        self.shared.is_watched()
    }

    /// Whether one of these is waited for.
    pub fn awaits(&self, mut subjects: impl Iterator<Item = Subject>) -> bool {
        let awaited = self.shared.watching().subject;
        awaited.is_some_and(|awaited| subjects.any(|subject| subject == awaited))
    }

    /// Notes that these invocations begin.
    pub fn begin(&self, subjects: impl Iterator<Item = Subject>) {
        let memory: &Memory = match &self.held {
            // Nobody is waited for.
            Held::Nothing | Held::Concurrent(_) => return,
            Held::Read(memory) => memory,
            Held::Write(memory) => memory,
        };
        let mut watch = self.shared.watching();
        for _ in subjects.filter(|subject| Some(*subject) == watch.subject).collect::<Vec<_>>() {
            if watch.seen.len() < MOST_SEEN {
                watch.seen.push(memory.snapshot());
            }
        }
    }

    /// Whether invocations run side by side.
    pub const fn is_concurrent(&self) -> bool {
        matches!(self.held, Held::Concurrent(_))
    }

    /// Numbers for `count` invocations that begin: the first; 0 where nobody needs to tell them apart.
    pub fn number(&mut self, count: u32) -> u32 {
        self.races.as_mut().and_then(|races| races.as_mut()).map_or(0, |races| races.begin(count))
    }

    /// Carries out an access; one that was not announced does nothing and reads 0.
    pub fn access(&mut self, request: &Request) -> Transfer {
        let transfer = match &mut self.held {
            Held::Nothing => Transfer::new(request),
            Held::Read(memory) => memory.load(request),
            Held::Write(memory) => memory.access(request),
            Held::Concurrent(concurrent) => concurrent.access(request),
        };
        let (who, kind) = (request.who, Kind::from(request.action));
        if let Some(fault) = Fault::of(who, kind, &transfer) {
            self.shared.report(fault);
        }
        if let Some(races) = self.races.as_mut().and_then(|races| races.as_mut()).filter(|_| !who.helper)
            && let Some(other) = races.note(request, &transfer)
        {
            self.shared.report(Fault::race(who, kind, &transfer, other));
        }
        transfer
    }
}
