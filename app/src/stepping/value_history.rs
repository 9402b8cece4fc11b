//! Values of watched expressions and hits of breakpoints over a whole run. A worker thread makes one pass
//! over the run and summarises it in at most [`PARTS`] parts, for a sparkline.

use super::stops::{Counting, Stops};
use crate::mailbox::Worker;
use shadestep_engine::debug::expression::{Expression, Value, Values as _};
use shadestep_engine::debug::{Cursor, Recording};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The worker thread that makes passes over runs for watches and breakpoints.
pub type HistoryWorker = Worker<HistoryRequest, HistoryReply>;

/// Largest number of parts that a run is summarised in. In a shorter run, each position is a part.
pub const PARTS: usize = 1024;

/// A request for a pass over a run.
#[derive(Clone, Debug)]
pub struct HistoryRequest {
    /// Number of the request; increases.
    pub generation: u64,
    pub recording: Arc<Recording>,
    /// Watched expressions. `None` for one that does not fit the program.
    pub watches: Vec<Option<Arc<Expression>>>,
    /// The run's breakpoints.
    pub stops: Arc<Stops>,
}

/// The answer to a [`HistoryRequest`].
pub struct HistoryReply {
    /// Number of the request.
    pub generation: u64,
    /// The result, or `None` if the request was cancelled.
    pub histories: Option<Histories>,
}

/// Results of a pass over a run.
#[derive(Clone, Debug, Default)]
pub struct Histories {
    /// The values of each expression; `None` for one that does not fit the program.
    pub watches: Vec<Option<History>>,
    /// The hits of each breakpoint.
    pub stops: Vec<StopHistory>,
}

/// Hits of a breakpoint in a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StopHistory {
    /// Times that the run reached the breakpoint with its condition true.
    pub held: usize,
    /// Hits that stop the run.
    pub stopped: usize,
    /// Where the breakpoint stops the run, as a fraction from 0 to 1; only the first stop in each part.
    pub places: Vec<f32>,
}

/// Values of an expression over a run.
#[derive(Clone, Debug, PartialEq)]
pub enum History {
    /// The expression is numeric.
    Numbers {
        /// For each component, the smallest and largest finite value in each part; `None` if the part has
        /// none.
        components: Vec<Vec<Option<[f64; 2]>>>,
        /// The smallest and largest value of all.
        range: Option<[f64; 2]>,
    },
    /// The expression is a condition.
    Condition {
        /// For each part, the positions at which the condition is true, and all positions.
        parts: Vec<[u32; 2]>,
        /// Number of positions at which the condition is true.
        holds: usize,
    },
}

/// The part of `position` in a run with `moments` positions.
const fn part_of(position: usize, moments: usize) -> usize {
    if moments <= PARTS { position } else { position * PARTS / moments }
}

fn widen(range: &mut Option<[f64; 2]>, value: f64) {
    *range = match *range {
        _ if !value.is_finite() => *range,
        None => Some([value; 2]),
        Some([least, greatest]) => Some([least.min(value), greatest.max(value)]),
    };
}

impl History {
    fn new(expression: &Expression, parts: usize) -> Self {
        match expression.is_condition() {
            true => Self::Condition { parts: vec![[0; 2]; parts], holds: 0 },
            false => Self::Numbers { components: Vec::new(), range: None },
        }
    }

    fn note(&mut self, value: &Value, (part, parts): (usize, usize)) {
        match self {
            Self::Condition { parts, holds } => {
                let now = usize::from(value.holds());
                *holds += now;
                parts[part][0] += now as u32;
                parts[part][1] += 1;
            }
            Self::Numbers { components, range } => {
                let numbers = value.numbers();
                components.resize_with(numbers.len(), || vec![None; parts]);
                for (component, number) in components.iter_mut().zip(numbers) {
                    widen(&mut component[part], number.as_float());
                    widen(range, number.as_float());
                }
            }
        }
    }
}

/// Makes one pass over the run of `request`; `None` once `cancel` is true. Graphs leave out undefined and
/// non-finite values.
pub fn histories(request: &HistoryRequest, cancel: &AtomicBool) -> Option<Histories> {
    let HistoryRequest { recording, watches, stops, .. } = request;
    let moments = recording.len() + 1;
    let parts = moments.min(PARTS);
    let history = |watch: &Option<Arc<Expression>>| Some(History::new(watch.as_ref()?, parts));
    let mut found: Vec<Option<History>> = watches.iter().map(history).collect();
    let mut met = vec![StopHistory::default(); stops.len()];
    let mut last_parts = vec![None; stops.len()];
    let mut counting = Counting::new(stops);
    let mut wanted = true;
    let mut cursor = Cursor::new(recording);
    cursor.each_moment(recording, (0, recording.len()), |moment| {
        let part = part_of(moment.position(), moments);
        for (watch, history) in watches.iter().zip(&mut found) {
            let (Some(watch), Some(history)) = (watch, history) else { continue };
            let outcome = watch.evaluate(moment);
            if !outcome.undefined || watch.is_condition() {
                history.note(&outcome.value, (part, parts));
            }
        }
        if let Some(hit) = counting.met(moment) {
            let stop = &mut met[hit.stop];
            stop.held += 1;
            stop.stopped += usize::from(hit.stops);
            if hit.stops && last_parts[hit.stop].replace(part) != Some(part) {
                stop.places.push(moment.position() as f32 / recording.len().max(1) as f32);
            }
        }
        wanted = !cancel.load(Ordering::Relaxed);
        wanted
    });
    wanted.then_some(Histories { watches: found, stops: met })
}
