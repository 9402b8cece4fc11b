//! [`Cursor`]: moves to any step of a recording, forwards and backwards.
//!
//! The cursor moves forward by executing the program. The cursor moves backward by restarting from an earlier
//! checkpoint. Checkpoints cover the part of the run that the cursor has passed, one every so many
//! instructions. Together they take at most [`MAX_CHECKPOINT_BYTES`].

use super::expression::Values;
use super::{Here, LookupStep, QuadStep, Recording, State, Step};
use crate::exec::{Evaluation, ExecState, Registers};

/// The most memory in bytes that the checkpoints of one cursor take.
pub const MAX_CHECKPOINT_BYTES: usize = 8 << 20;

/// Instructions of a quad between two checkpoints. The distance doubles each time the checkpoints exceed
/// their memory.
const STRIDE: u64 = 512;

/// A recorded run that is executed again.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    pub at: ExecState,
    /// Instructions executed so far, by any lanes of the quad.
    pub turns: u64,
    /// Number of the recording's edits that have taken effect.
    edited: usize,
}

impl Replay {
    /// Before the first instruction.
    pub fn new(recording: &Recording) -> Self {
        let mut replay = Self { at: recording.start(), turns: 0, edited: 0 };
        replay.edit(recording);
        replay
    }

    /// Applies the edits whose position has been reached. The count of applied edits is part of the replay,
    /// so a copy of the replay never applies an edit twice.
    fn edit(&mut self, recording: &Recording) {
        let position = self.position(recording);
        while let Some(edit) = recording.edits().get(self.edited).filter(|edit| edit.position <= position) {
            edit.put(recording.program(), recording.lane(), &mut self.at);
            self.edited += 1;
        }
    }

    /// Executes the next instruction, at `pc`, on `lanes`. Returns the values that the instruction read and
    /// computed in each lane.
    pub fn evaluate(&mut self, recording: &Recording, (pc, lanes): (usize, u32)) -> Evaluation {
        let evaluation = recording.machine(&mut self.at).evaluate_turn(pc, lanes);
        self.turns += 1;
        self.edit(recording);
        evaluation
    }

    /// Steps that the recorded lane has taken.
    pub fn position(&self, recording: &Recording) -> usize {
        self.at.executed(recording.lane())
    }

    /// Runs until the recorded lane is about to take step `position`, or has ended. `go_on` is called before
    /// each instruction and stops the run by returning false.
    pub fn run(&mut self, recording: &Recording, position: usize, mut go_on: impl FnMut(&Self) -> bool) {
        let lane = recording.lane();
        while self.at.ended(lane).is_none()
            && let Some((pc, lanes)) = self.at.next()
        {
            let is_there = self.position(recording) >= position && lanes >> lane & 1 != 0;
            if is_there || !go_on(self) {
                return;
            }
            recording.machine(&mut self.at).execute(pc, lanes);
            self.turns += 1;
            self.edit(recording);
        }
    }

    /// Runs to the recorded lane's next step. Returns its instruction and the lanes that execute it, or
    /// `None` at the lane's end.
    fn upcoming(&mut self, recording: &Recording) -> Option<(usize, u32)> {
        self.run(recording, self.position(recording), |_| true);
        self.at.next().filter(|_| self.at.ended(recording.lane()).is_none())
    }

    /// Takes the recorded lane's next step; `None` at its end. An edit after the step is applied, but the
    /// returned step does not list it among its changes.
    pub fn step(&mut self, recording: &Recording) -> Option<Step> {
        let (pc, lanes) = self.upcoming(recording)?;
        let step = recording.machine(&mut self.at).trace(pc, lanes, recording.lane());
        self.turns += 1;
        self.edit(recording);
        Some(step)
    }

    /// The lookup of the recorded lane's next step; `None` if the step makes no lookup.
    pub fn lookup(&mut self, recording: &Recording) -> Option<LookupStep> {
        let (pc, lanes) = self.upcoming(recording)?;
        recording.machine(&mut self.at).lookup(pc, lanes, recording.lane())
    }

    /// The values of other lanes of the quad that the recorded lane's next step reads. `lookup` is the step's
    /// lookup.
    fn neighbours(&mut self, recording: &Recording, lookup: Option<&LookupStep>) -> Option<QuadStep> {
        let next = self.upcoming(recording)?;
        recording.machine(&mut self.at).neighbours(next, recording.lane(), lookup)
    }
}

/// A state from which a run can continue.
#[derive(Clone, Debug)]
struct Checkpoint {
    position: usize,
    replay: Replay,
}

/// Checkpoints of a run, from early to late.
#[derive(Clone, Debug)]
struct Checkpoints {
    kept: Vec<Checkpoint>,
    stride: u64,
    bytes: usize,
}

impl Checkpoints {
    const fn new() -> Self {
        Self { kept: Vec::new(), stride: STRIDE, bytes: 0 }
    }

    /// The latest checkpoint from which step `position` is still to come.
    fn before(&self, position: usize) -> Option<&Checkpoint> {
        let count = self.kept.partition_point(|checkpoint| checkpoint.position <= position);
        self.kept[..count].last()
    }

    /// Stores the state of `replay` as a checkpoint if the last checkpoint is at least one stride behind.
    fn pass(&mut self, recording: &Recording, replay: &Replay) {
        let last = self.kept.last().map_or(0, |checkpoint| checkpoint.replay.turns);
        if replay.turns < last + self.stride {
            return;
        }
        self.kept.push(Checkpoint { position: replay.position(recording), replay: replay.clone() });
        self.bytes += Self::bytes_of(replay);
        if self.bytes > MAX_CHECKPOINT_BYTES {
            self.thin();
        }
    }

    /// Drops every second checkpoint and doubles the stride.
    fn thin(&mut self) {
        let mut number = 0;
        self.kept.retain(|_| {
            number += 1;
            number % 2 == 0
        });
        self.stride *= 2;
        self.bytes = self.kept.iter().map(|checkpoint| Self::bytes_of(&checkpoint.replay)).sum();
    }

    /// Memory in bytes that a checkpoint takes. The list's capacity can be twice its length, so an entry
    /// counts double.
    fn bytes_of(replay: &Replay) -> usize {
        2 * size_of::<Checkpoint>() + replay.at.bytes()
    }
}

/// A position in a recording, with the registers there. Position n is before step n; position
/// [`Recording::len`] is the end. Every call must pass the recording that the cursor was made for.
#[derive(Clone, Debug)]
pub struct Cursor {
    replay: Replay,
    checkpoints: Checkpoints,
    position: usize,
    state: State,
    current: Option<Step>,
    previous: Option<Step>,
    lanes_after: Vec<Registers>,
    lookup: Option<LookupStep>,
    quad: Option<QuadStep>,
}

impl Cursor {
    /// A cursor before the first step.
    pub fn new(recording: &Recording) -> Self {
        let mut replay = Replay::new(recording);
        let state = recording.machine(&mut replay.at).state(recording.lane());
        let mut cursor = Self {
            replay,
            checkpoints: Checkpoints::new(),
            position: 0,
            state,
            current: None,
            previous: None,
            lanes_after: Vec::new(),
            lookup: None,
            quad: None,
        };
        cursor.look_ahead(recording);
        cursor
    }

    /// Computes the step about to be taken.
    fn look_ahead(&mut self, recording: &Recording) {
        let mut ahead = self.replay.clone();
        self.lookup = ahead.lookup(recording);
        self.quad = ahead.neighbours(recording, self.lookup.as_ref());
        self.current = ahead.step(recording);
        self.lanes_after = ahead.at.lanes;
    }

    /// Number of steps already taken.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The registers at this position.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The step about to be taken; `None` at the end.
    pub fn current(&self) -> Option<&Step> {
        self.current.as_ref()
    }

    /// The step taken last; `None` at the start.
    pub fn previous(&self) -> Option<&Step> {
        self.previous.as_ref()
    }

    /// Registers of all lanes of the quad, or of all invocations of the patch, after the step about to be
    /// taken. At the end, the registers as they are.
    pub fn lanes_after(&self) -> &[Registers] {
        &self.lanes_after
    }

    /// The details of the lookup that the step about to be taken makes; `None` if the step makes no lookup.
    pub fn lookup(&self) -> Option<&LookupStep> {
        self.lookup.as_ref()
    }

    /// The values of other pixels of the quad that the step about to be taken reads; `None` if the step reads
    /// only its own lane.
    pub fn quad(&self) -> Option<&QuadStep> {
        self.quad.as_ref()
    }

    /// Moves to `position` (clamped to the recording), forwards or backwards.
    pub fn seek(&mut self, recording: &Recording, position: usize) {
        let position = position.min(recording.len());
        self.previous = position.checked_sub(1).and_then(|before| {
            self.go(recording, before);
            self.replay.step(recording)
        });
        self.go(recording, position);
        self.position = position;
        recording.machine(&mut self.replay.at).update_state(recording.lane(), &mut self.state);
        self.look_ahead(recording);
    }

    /// The first step at or after `from` for which `wanted` returns true. Computes one step after the other.
    /// The cursor does not move.
    pub fn find_from(
        &mut self,
        recording: &Recording,
        from: usize,
        mut wanted: impl FnMut(&Step) -> bool,
    ) -> Option<usize> {
        let mut found = None;
        self.scan(recording, from, recording.len(), |position, step| {
            found = wanted(step).then_some(position);
            found.is_none()
        });
        found
    }

    /// The last step before `to` for which `wanted` returns true.
    pub fn find_before(
        &mut self,
        recording: &Recording,
        to: usize,
        mut wanted: impl FnMut(&Step) -> bool,
    ) -> Option<usize> {
        let mut end = to.min(recording.len());
        while end > 0 {
            // Search the interval after each checkpoint, the last interval first.
            let start = self.checkpoints.before(end - 1).map_or(0, |checkpoint| checkpoint.position);
            let mut found = None;
            self.scan(recording, start, end, |position, step| {
                found = if wanted(step) { Some(position) } else { found };
                true
            });
            if found.is_some() {
                return found;
            }
            end = start;
        }
        None
    }

    /// The registers at this position, for expressions.
    pub fn here<'a>(&'a self, recording: &'a Recording) -> Here<'a> {
        recording.here(&self.replay.at)
    }

    /// Calls `visit` with the state at each position from `start` to `end`, in order, until `visit` returns
    /// false. The end of the run has a state too. The cursor does not move.
    pub fn each_moment(
        &mut self,
        recording: &Recording,
        (start, end): (usize, usize),
        mut visit: impl FnMut(&Here<'_>) -> bool,
    ) {
        let here = self.replay.clone();
        for position in start..=end.min(recording.len()) {
            self.go(recording, position);
            if !visit(&recording.here(&self.replay.at)) {
                break;
            }
        }
        self.replay = here;
    }

    /// The last state before position `to` for which `wanted` returns true.
    pub fn moment_before(
        &mut self,
        recording: &Recording,
        to: usize,
        mut wanted: impl FnMut(&Here<'_>) -> bool,
    ) -> Option<usize> {
        let mut end = to.min(recording.len() + 1);
        while end > 0 {
            // Search the interval after each checkpoint, the last interval first.
            let start = self.checkpoints.before(end - 1).map_or(0, |checkpoint| checkpoint.position);
            let mut found = None;
            self.each_moment(recording, (start, end - 1), |here| {
                found = if wanted(here) { Some(here.position()) } else { found };
                true
            });
            if found.is_some() {
                return found;
            }
            end = start;
        }
        None
    }

    /// Calls `visit` with the steps from `start` to before `end` until `visit` returns false.
    fn scan(
        &mut self,
        recording: &Recording,
        start: usize,
        end: usize,
        mut visit: impl FnMut(usize, &Step) -> bool,
    ) {
        let here = self.replay.clone();
        self.go(recording, start);
        for position in start..end {
            self.go(recording, position);
            let Some(step) = self.replay.step(recording) else { break };
            if !visit(position, &step) {
                break;
            }
        }
        self.replay = here;
    }

    /// Runs to the state before step `position`.
    fn go(&mut self, recording: &Recording, position: usize) {
        let passed = self.replay.position(recording) > position;
        match self.checkpoints.before(position) {
            Some(checkpoint) if passed || checkpoint.replay.turns > self.replay.turns => {
                self.replay.clone_from(&checkpoint.replay);
            }
            None if passed => self.replay = Replay::new(recording),
            _ => {}
        }
        let checkpoints = &mut self.checkpoints;
        self.replay.run(recording, position, |replay| {
            checkpoints.pass(recording, replay);
            true
        });
    }
}
