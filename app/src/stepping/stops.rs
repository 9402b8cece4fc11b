//! Breakpoints prepared for runs of one program: the instructions that they belong to, their parsed
//! conditions, and their hit counts.

use super::Direction;
use crate::model::{Breakpoint, Breakpoints, Times};
use shadestep_engine::debug::expression::{Expression, ExpressionError, Values as _};
use shadestep_engine::debug::{Cursor, Here, Recording};
use shadestep_engine::ir::Program;
use std::sync::Arc;

/// A breakpoint prepared for a program.
#[derive(Clone, Debug)]
struct Stop {
    line: usize,
    condition: Condition,
    times: Times,
    enabled: bool,
}

#[derive(Clone, Debug)]
enum Condition {
    Always,
    When(Arc<Expression>),
    /// The condition does not fit the program, so it is never true.
    Faulty,
}

/// Parses the condition of `breakpoint` for `program`; `None` if there is no condition.
///
/// # Errors
/// If the condition does not fit the program.
pub fn condition(breakpoint: &Breakpoint, program: &Program) -> Result<Option<Expression>, ExpressionError> {
    if breakpoint.condition.trim().is_empty() {
        return Ok(None);
    }
    Expression::parse(&breakpoint.condition, program).map(Some)
}

/// The breakpoints of a program.
#[derive(Clone, Debug, Default)]
pub struct Stops {
    stops: Vec<Stop>,
    /// For each instruction, the index of its breakpoint.
    at: Vec<Option<usize>>,
}

impl Stops {
    /// Prepares `breakpoints` for `program`. `lines` are the lines of the program's instructions; `None` for
    /// a deleted one.
    pub fn new(breakpoints: &Breakpoints, program: &Program, lines: &[Option<usize>]) -> Self {
        let stop = |(&line, breakpoint): (&usize, &Breakpoint)| Stop {
            line,
            condition: match condition(breakpoint, program) {
                Ok(None) => Condition::Always,
                Ok(Some(expression)) => Condition::When(Arc::new(expression)),
                Err(_) => Condition::Faulty,
            },
            times: breakpoint.times,
            enabled: breakpoint.enabled,
        };
        let stops: Vec<Stop> = breakpoints.iter().map(stop).collect();
        let at = lines.iter().map(|line| stops.iter().position(|stop| Some(stop.line) == *line)).collect();
        Self { stops, at }
    }

    /// The instructions with an enabled breakpoint that fits the program, and its condition. The required
    /// number of hits is ignored.
    pub fn in_force(&self) -> Vec<(usize, Option<Arc<Expression>>)> {
        let stop = |(pc, index): (usize, &Option<usize>)| {
            let stop = index.map(|index| &self.stops[index]).filter(|stop| stop.enabled)?;
            match &stop.condition {
                Condition::Always => Some((pc, None)),
                Condition::When(expression) => Some((pc, Some(Arc::clone(expression)))),
                Condition::Faulty => None,
            }
        };
        self.at.iter().enumerate().filter_map(stop).collect()
    }

    /// Number of breakpoints, including faulty and disabled ones.
    pub fn len(&self) -> usize {
        self.stops.len()
    }

    pub fn is_empty(&self) -> bool {
        self.stops.is_empty()
    }

    /// The line of each breakpoint.
    pub fn lines(&self) -> impl Iterator<Item = usize> {
        self.stops.iter().map(|stop| stop.line)
    }

    /// Whether stops depend on earlier hits, so that a search has to start at the first step.
    fn counts(&self) -> bool {
        self.stops.iter().any(|stop| stop.enabled && stop.times != Times::Every)
    }

    /// The nearest position after or before `here`, by `direction`, at which `recording` stops.
    pub fn find(
        &self,
        (recording, cursor): (&Recording, &mut Cursor),
        here: usize,
        direction: Direction,
    ) -> Option<usize> {
        if !self.stops.iter().any(|stop| stop.enabled) {
            return None;
        }
        let mut counting = Counting::new(self);
        let mut stops = |moment: &Here<'_>| counting.met(moment).is_some_and(|met| met.stops);
        let mut found = None;
        match direction {
            Direction::Forward => {
                let start = if self.counts() { 0 } else { here + 1 };
                cursor.each_moment(recording, (start, recording.len()), |moment| {
                    let position = moment.position();
                    found = (stops(moment) && position > here).then_some(position);
                    found.is_none()
                });
                found
            }
            Direction::Back if here == 0 => None,
            Direction::Back if self.counts() => {
                cursor.each_moment(recording, (0, here - 1), |moment| {
                    found = if stops(moment) { Some(moment.position()) } else { found };
                    true
                });
                found
            }
            Direction::Back => cursor.moment_before(recording, here, stops),
        }
    }
}

/// A breakpoint that a run has reached with its condition true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// Index of the breakpoint.
    pub stop: usize,
    /// Whether the breakpoint stops the run.
    pub stops: bool,
}

/// Counts the hits of breakpoints in a pass from the start of a run.
#[derive(Debug)]
pub struct Counting<'a> {
    stops: &'a Stops,
    held: Vec<usize>,
}

impl<'a> Counting<'a> {
    /// Starts with no hits.
    pub fn new(stops: &'a Stops) -> Self {
        Self { stops, held: vec![0; stops.stops.len()] }
    }

    /// The breakpoint of the instruction at `moment`, if its condition is true. Call once per position, in
    /// order.
    pub fn met(&mut self, moment: &Here<'_>) -> Option<Met> {
        let index = (*self.stops.at.get(moment.pc()?)?)?;
        let stop = &self.stops.stops[index];
        let holds = match &stop.condition {
            Condition::Always => true,
            Condition::When(expression) => expression.holds(moment),
            Condition::Faulty => false,
        };
        if !holds {
            return None;
        }
        self.held[index] += 1;
        Some(Met { stop: index, stops: stop.enabled && stop.times.stops_at(self.held[index]) })
    }
}
