//! [`Shared`]: the memory of a draw, shared by all its invocations. It also holds the draw's faults, the race
//! detector, and snapshots of the memory for a watched invocation. An executor works on the memory through a
//! [`Session`].

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::concurrent::Concurrent;
use super::faults::Faults;
use super::races::{Program, Races, Running};
use super::{Before, Fault, Kind, Memory, Report, Request, Transfer, Writers};
use crate::subject::Subject;

/// Maximum number of memory snapshots of a watched invocation.
const MOST_SEEN: usize = 4096;

/// Memory shared by all copies of this handle. Programs that only read run concurrently; a program that
/// writes runs alone.
#[derive(Clone, Debug, Default)]
pub struct Shared(Arc<State>);

#[derive(Debug, Default)]
struct State {
    memory: RwLock<Memory>,
    faults: Mutex<Faults>,
    /// Whether an invocation is watched.
    is_watched: AtomicBool,
    watch: Mutex<Watch>,
    /// Whether [`Shared::spread`] has an effect.
    any_order: AtomicBool,
    /// The memory of a concurrent draw, which replaces [`Self::memory`] meanwhile.
    concurrent: RwLock<Option<Arc<Concurrent>>>,
    /// Whether draws look for races.
    finds_races: AtomicBool,
    /// Whether this draw looks for races. Read instead of locking [`Self::races`].
    tracks: AtomicBool,
    /// The accesses of the draw, if it looks for races.
    races: Mutex<Option<Races>>,
}

/// The watched invocation, and the memory each time it began.
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

/// A program's use of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Use {
    /// No access.
    #[default]
    None,
    /// Loads only.
    Reads,
    /// Loads, stores or atomics.
    Writes,
}

impl Shared {
    /// A copy of the current memory.
    pub fn snapshot(&self) -> Memory {
        self.0.memory.read().unwrap_or_else(PoisonError::into_inner).snapshot()
    }

    /// Replaces the memory for all owners of this handle.
    pub fn replace(&self, memory: Memory) {
        *self.0.memory.write().unwrap_or_else(PoisonError::into_inner) = memory;
    }

    /// Replaces the memory at the start of a draw, and clears faults. `usage` is the strongest use by the
    /// draw's programs.
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

    /// Lets invocations run concurrently until [`Self::end`], if [`Self::in_any_order`] is set. Has no effect
    /// while an invocation is watched, because its snapshots need the draw's order.
    pub fn spread(&self) {
        if self.spreads() {
            let concurrent = Arc::new(Concurrent::new(self.snapshot()));
            *self.0.concurrent.write().unwrap_or_else(PoisonError::into_inner) = Some(concurrent);
        }
    }

    /// Ends the concurrent part: stores the results in the memory.
    pub fn end(&self) {
        let concurrent = self.0.concurrent.write().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(concurrent) = concurrent.and_then(Arc::into_inner) {
            self.replace(concurrent.into_memory());
        }
    }

    /// Sets whether draws run invocations concurrently, in any order. Atomics stay atomic. Races and
    /// never-written bytes are not tracked then.
    pub fn in_any_order(&self, whether: bool) {
        self.0.any_order.store(whether, Ordering::Relaxed);
    }

    /// Whether [`Self::spread`] would have an effect.
    pub fn spreads(&self) -> bool {
        self.0.any_order.load(Ordering::Relaxed) && !self.is_watched()
    }

    /// Whether invocations run concurrently now.
    pub fn is_concurrent(&self) -> bool {
        self.0.concurrent.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Sets whether draws look for races ([`super::Reason::Race`]), starting with the next draw. Draws whose
    /// programs write memory then take longer. They need 36 bytes for each word that they access, and 16 for
    /// each invocation that accesses memory.
    pub fn find_races(&self, whether: bool) {
        self.0.finds_races.store(whether, Ordering::Relaxed);
    }

    /// Whether draws look for races.
    pub fn finds_races(&self) -> bool {
        self.0.finds_races.load(Ordering::Relaxed)
    }

    /// Whether this draw looks for races.
    pub fn tracks(&self) -> bool {
        self.0.tracks.load(Ordering::Relaxed)
    }

    /// Takes a snapshot of the memory before each invocation of `subject`, until [`Self::seen`]: for a pixel
    /// before each of its fragments, for a vertex in each instance.
    pub fn watch(&self, subject: Subject) {
        *self.watching() = Watch { subject: Some(subject), seen: Vec::new() };
        self.0.is_watched.store(true, Ordering::Relaxed);
    }

    /// The snapshots since [`Self::watch`], in drawing order, at most 4096.
    pub fn seen(&self) -> Vec<Memory> {
        self.0.is_watched.store(false, Ordering::Relaxed);
        std::mem::take(&mut *self.watching()).seen
    }

    /// Whether an invocation is watched. Executors must then call [`Session::begin`] before invocations.
    pub fn is_watched(&self) -> bool {
        self.0.is_watched.load(Ordering::Relaxed)
    }

    fn watching(&self) -> MutexGuard<'_, Watch> {
        self.0.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a fault.
    pub fn report(&self, fault: Fault) {
        self.0.faults.lock().unwrap_or_else(PoisonError::into_inner).add(fault);
    }

    /// The last writer of each byte in this draw; `None` if the draw does not look for races. Can be called
    /// once per draw.
    pub fn writers(&self) -> Option<Writers> {
        self.0.tracks.store(false, Ordering::Relaxed);
        let mut races = self.0.races.lock().unwrap_or_else(PoisonError::into_inner);
        races.take().map(Writers::from)
    }

    /// The faults so far, in the order of their first occurrence.
    pub fn reports(&self) -> Vec<Report> {
        self.0.faults.lock().unwrap_or_else(PoisonError::into_inner).reports()
    }

    /// Opens a session for a program with this use of memory.
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

/// Access to the memory for an executor.
#[derive(Debug)]
pub struct Session<'a> {
    shared: &'a Shared,
    held: Held<'a>,
    tracking: Tracking<'a>,
    /// The invocations, if the draw looks for races.
    running: Vec<Running>,
}

/// The way a session tracks races.
#[derive(Debug)]
enum Tracking<'a> {
    Off,
    /// The program writes memory, so there is no other session.
    Alone(MutexGuard<'a, Option<Races>>),
    Beside(&'a Mutex<Option<Races>>),
}

impl Tracking<'_> {
    /// Calls `f` with the race detector, if the draw looks for races.
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
    /// Whether the executor must call [`Self::begin`].
    pub fn is_watched(&self) -> bool {
        self.shared.is_watched()
    }

    /// Whether one of these subjects is watched.
    pub fn awaits(&self, mut subjects: impl Iterator<Item = Subject>) -> bool {
        let awaited = self.shared.watching().subject;
        awaited.is_some_and(|awaited| subjects.any(|subject| subject == awaited))
    }

    /// Takes a snapshot if one of these invocations is watched.
    pub fn begin(&self, subjects: impl Iterator<Item = Subject>) {
        let memory: &Memory = match &self.held {
            // No invocation is watched.
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

    /// Whether invocations run concurrently.
    pub const fn is_concurrent(&self) -> bool {
        matches!(self.held, Held::Concurrent(_))
    }

    /// Whether the session looks for races.
    pub const fn tracks(&self) -> bool {
        !matches!(self.tracking, Tracking::Off)
    }

    /// Starts `count` invocations. `before` returns the clocks that earlier stages handed on to each.
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

    /// Performs an access. An access that the session's use does not allow does nothing and reads 0.
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
