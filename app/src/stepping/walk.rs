//! A position in one recorded run, and a summary of the whole run: executions of each instruction and
//! outcomes of each branch. A [`super::DebugSession`] steps through one walk at a time.

use super::Direction;
use super::stops::Stops;
use crate::session::RenderError;
use shadestep_engine::debug::expression::{Expression, Values as _};
use shadestep_engine::debug::{Cursor, Here, LookupStep, QuadStep, Recording, State, Step};
use shadestep_engine::exec::Registers;
use shadestep_engine::ir::ParamId;
use shadestep_engine::memory::Memory;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Executions of an instruction in a run.
#[derive(Clone, Debug)]
struct Met {
    /// Number of executions.
    times: usize,
    /// The first step that executes the instruction.
    first: usize,
    /// Number of executions with a passed test.
    taken: usize,
    /// Number of executions with a failed test.
    passed_by: usize,
}

impl Met {
    const NEVER: Self = Self { times: 0, first: 0, taken: 0, passed_by: 0 };
}

/// How often a run took a branch, and how often it did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// Number of passed tests: the branch was taken, the block entered or the fragment discarded.
    pub taken: usize,
    /// Number of failed tests.
    pub passed_by: usize,
}

/// A step identified by its instruction, to find the corresponding step of another run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// An execution of an instruction.
    Instruction {
        /// Index of the instruction.
        pc: usize,
        /// Number of earlier executions.
        times: usize,
    },
    /// The end of the run.
    End,
}

/// A recorded run and a position in it.
pub struct Walk {
    recording: Arc<Recording>,
    cursor: Cursor,
    memory: Memory,
    met: Vec<Met>,
    /// Parameters that relative references selected.
    led_to: BTreeSet<ParamId>,
}

impl Walk {
    /// Starts at the first step of `recording` and makes one pass over it.
    ///
    /// # Errors
    /// If `cancel` became true during the pass.
    pub fn new(recording: Arc<Recording>, cancel: &AtomicBool) -> Result<Self, RenderError> {
        let mut cursor = Cursor::new(&recording);
        let memory = cursor.state().memory.clone();
        let mut met = vec![Met::NEVER; recording.program().instructions.len()];
        let (mut led_to, mut position) = (BTreeSet::new(), 0);
        let cancelled = cursor.find_from(&recording, 0, |step| {
            let met = &mut met[step.pc];
            if met.times == 0 {
                met.first = position;
            }
            met.times += 1;
            match step.taken {
                Some(true) => met.taken += 1,
                Some(false) => met.passed_by += 1,
                None => {}
            }
            led_to.extend(step.operands.iter().filter_map(|operand| operand.relative?.parameter()));
            position += 1;
            cancel.load(Ordering::Relaxed)
        });
        match cancelled {
            Some(_) => Err(RenderError::Cancelled),
            None => Ok(Self { recording, cursor, memory, met, led_to }),
        }
    }

    pub fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    /// Registers at the current position.
    pub fn state(&self) -> &State {
        self.cursor.state()
    }

    /// Memory before the first step.
    pub fn memory_at_start(&self) -> &Memory {
        &self.memory
    }

    pub fn position(&self) -> usize {
        self.cursor.position()
    }

    /// The current step; `None` at the end.
    pub fn current(&self) -> Option<&Step> {
        self.cursor.current()
    }

    /// The texture lookup of the current step, if there is one.
    pub fn lookup(&self) -> Option<&LookupStep> {
        self.cursor.lookup()
    }

    /// The values that the current step reads in other pixels of the quad.
    pub fn quad(&self) -> Option<&QuadStep> {
        self.cursor.quad()
    }

    /// Registers of all lanes or invocations after the current step.
    pub fn lanes_after(&self) -> &[Registers] {
        self.cursor.lanes_after()
    }

    /// The step before the current position; `None` at the start.
    pub fn previous(&self) -> Option<&Step> {
        self.cursor.previous()
    }

    /// The registers at the current position, for expressions.
    pub fn here(&self) -> Here<'_> {
        self.cursor.here(&self.recording)
    }

    /// The result of `look` at `position`. The current position does not change.
    pub fn look_at<T>(&mut self, position: usize, mut look: impl FnMut(&Here<'_>) -> T) -> Option<T> {
        let mut seen = None;
        self.cursor.each_moment(&self.recording, (position, position), |moment| {
            seen = Some(look(moment));
            false
        });
        seen
    }

    /// The steps of `range` in order. The current position does not change.
    pub fn steps(&mut self, range: Range<usize>) -> Vec<Step> {
        steps_of((&self.recording, &mut self.cursor), range)
    }

    /// The nearest other position in `direction` at which the run stops.
    pub fn find_stop(&mut self, direction: Direction, stops: &Stops) -> Option<usize> {
        let here = self.position();
        stops.find((&self.recording, &mut self.cursor), here, direction)
    }

    /// The nearest other position in `direction` at which `condition` becomes true. At the start of the run,
    /// a true condition is enough.
    pub fn find_beginning(&mut self, direction: Direction, condition: &Expression) -> Option<usize> {
        let here = self.position();
        let (mut held, mut found) = (false, None);
        let (start, end) = match direction {
            Direction::Forward => (here, self.recording.len()),
            Direction::Back if here == 0 => return None,
            Direction::Back => (0, here - 1),
        };
        self.cursor.each_moment(&self.recording, (start, end), |moment| {
            let position = moment.position();
            let holds = condition.holds(moment);
            let begins = holds && !held;
            held = holds;
            match direction {
                Direction::Forward if begins && position > here => {
                    found = Some(position);
                    false
                }
                Direction::Forward => true,
                Direction::Back => {
                    found = if begins { Some(position) } else { found };
                    true
                }
            }
        });
        found
    }

    /// Goes to `position`, clamped to the recording.
    pub fn seek(&mut self, position: usize) {
        self.cursor.seek(&self.recording, position);
    }

    /// The nearest step after or before the current one, by `direction`, for which `wanted` is true.
    pub fn find(&mut self, direction: Direction, wanted: impl FnMut(&Step) -> bool) -> Option<usize> {
        let here = self.position();
        match direction {
            Direction::Forward => self.cursor.find_from(&self.recording, here + 1, wanted),
            Direction::Back => self.cursor.find_before(&self.recording, here, wanted),
        }
    }

    /// The nearest other position in `direction` with at most `depth` active calls and blocks. If there is
    /// none, the end or the start.
    pub fn find_nesting(&mut self, direction: Direction, depth: usize) -> usize {
        let here = self.position();
        let within = |nesting: u16| usize::from(nesting) <= depth;
        match direction {
            Direction::Forward => {
                let step = self.cursor.find_from(&self.recording, here, |step| within(step.nesting_after));
                step.map_or(self.recording.len(), |step| step + 1)
            }
            Direction::Back => {
                let step = self.cursor.find_before(&self.recording, here, |step| within(step.nesting_before));
                step.unwrap_or(0)
            }
        }
    }

    /// The current step as an anchor.
    pub fn anchor(&mut self) -> Anchor {
        let Some(pc) = self.current().map(|step| step.pc) else { return Anchor::End };
        let here = self.position();
        let (mut position, mut times) = (0, 0);
        // An instruction that is executed once needs no counting.
        if self.met[pc].times > 1 {
            self.cursor.find_from(&self.recording, 0, |step| {
                let is_before = position < here;
                times += usize::from(is_before && step.pc == pc);
                position += 1;
                !is_before
            });
        }
        Anchor::Instruction { pc, times }
    }

    /// Goes to the step that corresponds to `anchor`: the same execution of the same instruction, or the last
    /// execution if there are fewer. If this run never executes the instruction, the nearest executed
    /// instruction before it is used.
    pub fn go_to(&mut self, anchor: Anchor) {
        let Anchor::Instruction { pc, times } = anchor else { return self.seek(self.recording.len()) };
        let executed = |pc: &usize| self.met.get(*pc).is_some_and(|met| met.times > 0);
        let Some(found) = (0..=pc.min(self.met.len())).rev().find(executed) else { return self.seek(0) };
        let mut left = times.min(self.met[found].times - 1);
        let position = self.cursor.find_from(&self.recording, 0, |step| {
            let is_it = step.pc == found && left == 0;
            left -= usize::from(step.pc == found && left > 0);
            is_it
        });
        self.seek(position.unwrap_or(0));
    }

    /// The first step that executes instruction `pc`.
    pub fn first(&self, pc: usize) -> Option<usize> {
        self.met.get(pc).filter(|met| met.times > 0).map(|met| met.first)
    }

    /// The outcomes of instruction `pc`'s tests.
    pub fn branch(&self, pc: usize) -> Branch {
        let Met { taken, passed_by, .. } = self.met[pc];
        Branch { taken, passed_by }
    }

    /// Parameters that relative references selected.
    pub fn led_to(&self) -> impl Iterator<Item = ParamId> + '_ {
        self.led_to.iter().copied()
    }
}

/// The steps of `range` in order. The cursor keeps its position.
pub fn steps_of((recording, cursor): (&Recording, &mut Cursor), range: Range<usize>) -> Vec<Step> {
    let mut steps = Vec::new();
    if !range.is_empty() {
        cursor.find_from(recording, range.start, |step| {
            steps.push(step.clone());
            range.start + steps.len() >= range.end
        });
    }
    steps
}
