//! The memory that all invocations of a draw work on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::concurrent::Concurrent;
use super::faults::Faults;
use super::races::{Program, Races, Running};
use super::{Before, Fault, Kind, Memory, Report, Request, Transfer, Writers};
use crate::subject::Subject;

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
    /// Whether this draw looks for races. Read instead of locking [`Self::races`].
    tracks: AtomicBool,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Use {
    /// Nothing.
    #[default]
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

    /// Replaces the memory at the beginning of a draw, and forgets faults. `usage` is the most that its programs do.
    pub fn begin(&self, memory: Memory, usage: Use) {
        *self.0.concurrent.write().unwrap_or_else(PoisonError::into_inner) = None;
        self.replace(memory);
        *self.0.faults.lock().unwrap_or_else(PoisonError::into_inner) = Faults::default();
        // A draw that is repeated for one invocation has reported its races before.
        let tracks = self.finds_races() && usage == Use::Writes && !self.is_watched();
        self.0.tracks.store(tracks, Ordering::Relaxed);
        let races = tracks.then(Races::default);
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

    /// Sets whether draws look for races ([`super::Reason::Race`]), from the next one on. Draws whose programs write memory
    /// take longer then. They keep 36 bytes for each word that they access, and 16 for each invocation that does.
    pub fn find_races(&self, whether: bool) {
        self.0.finds_races.store(whether, Ordering::Relaxed);
    }

    /// Whether they do.
    pub fn finds_races(&self) -> bool {
        self.0.finds_races.load(Ordering::Relaxed)
    }

    /// Whether this draw looks for races.
    pub fn tracks(&self) -> bool {
        self.0.tracks.load(Ordering::Relaxed)
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
        self.0.tracks.store(false, Ordering::Relaxed);
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
            let (held, tracking) = (Held::Concurrent(concurrent), Tracking::Off);
            return Session { shared: self, held, tracking, running: Vec::new() };
        }
        let held = match usage {
            Use::None => Held::Nothing,
            Use::Reads => Held::Read(memory.read().unwrap_or_else(PoisonError::into_inner)),
            Use::Writes => Held::Write(memory.write().unwrap_or_else(PoisonError::into_inner)),
        };
        let tracking = match usage {
            _ if !self.tracks() => Tracking::Off,
            Use::Writes => Tracking::Alone(self.0.races.lock().unwrap_or_else(PoisonError::into_inner)),
            Use::Reads | Use::None => Tracking::Beside(&self.0.races),
        };
        Session { shared: self, held, tracking, running: Vec::new() }
    }
}

/// Memory while an executor works on it.
#[derive(Debug)]
pub struct Session<'a> {
    shared: &'a Shared,
    held: Held<'a>,
    tracking: Tracking<'a>,
    /// The invocations, if races are looked for.
    running: Vec<Running>,
}

/// How a session looks for races.
#[derive(Debug)]
enum Tracking<'a> {
    Off,
    /// The program writes memory, so there is no other session.
    Alone(MutexGuard<'a, Option<Races>>),
    Beside(&'a Mutex<Option<Races>>),
}

impl Tracking<'_> {
    /// Calls `f` with the detector, if races are looked for.
    fn with<T>(&mut self, f: impl FnOnce(&mut Races, Program) -> T) -> Option<T> {
        match self {
            Self::Off => None,
            Self::Alone(races) => races.as_mut().map(|races| f(races, Program::Writes)),
            Self::Beside(races) => {
                let mut races = races.lock().unwrap_or_else(PoisonError::into_inner);
                races.as_mut().map(|races| f(races, Program::Reads))
            }
        }
    }
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

    /// Whether races are looked for.
    pub const fn tracks(&self) -> bool {
        !matches!(self.tracking, Tracking::Off)
    }

    /// Begins `count` invocations. `before` returns the clocks that earlier stages handed on to each.
    pub fn enter<'b>(&mut self, count: usize, before: impl Fn(usize) -> &'b [Before]) {
        let running = &mut self.running;
        self.tracking.with(|races, program| {
            if program == Program::Writes {
                races.begin_alone();
            }
            running.clear();
            for number in 0..count {
                let like = number.checked_sub(1).filter(|last| before(*last) == before(number));
                let next = races.begin(before(number), like.and_then(|last| running.get(last)));
                running.push(next);
            }
        });
    }

    /// Executes MEMBAR in invocation `number`, from 0.
    pub fn synchronise(&mut self, number: usize) {
        if let Some(running) = self.running.get_mut(number) {
            self.tracking.with(|races, _| races.synchronise(running));
        }
    }

    /// Returns the clock that invocation `number` hands on to the next stage.
    pub fn hand_on(&mut self, number: usize) -> Before {
        let Some(running) = self.running.get_mut(number) else { return Before::NOTHING };
        self.tracking.with(|races, _| races.hand_on(running)).unwrap_or_default()
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
        if let Some(running) = self.running.get_mut((who.invocation as usize).wrapping_sub(1))
            && !who.helper
        {
            let raced =
                self.tracking.with(|races, program| races.note((running, program), request, &transfer));
            if let Some(other) = raced.flatten() {
                self.shared.report(Fault::race(who, kind, &transfer, other));
            }
        }
        transfer
    }
}
