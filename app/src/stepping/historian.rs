//! What expressions were worth over a whole run, and where breakpoints stop it: one pass over the run, on a thread of its
//! own, summed up in so many parts that a small graph can show them.

use super::stops::{Counting, Stops};
use crate::mailbox::Worker;
use shadestep_engine::debug::expression::{Expression, Value, Values as _};
use shadestep_engine::debug::{Cursor, Recording};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The thread that goes through runs for watches and breakpoints.
pub type Historian = Worker<HistoryRequest, HistoryReply>;

/// Parts of a run that are told apart. In runs with fewer moments each is a part.
pub const PARTS: usize = 1024;

/// Wanted of a run.
#[derive(Clone, Debug)]
pub struct HistoryRequest {
    /// Number of the request; grows.
    pub generation: u64,
    /// The run.
    pub recording: Arc<Recording>,
    /// Watched expressions. `None` for one that does not fit the program.
    pub watches: Vec<Option<Arc<Expression>>>,
    /// Where it stops.
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
    /// For each expression its values.
    pub watches: Vec<Option<History>>,
    /// For each breakpoint how often it was met.
    pub stops: Vec<StopHistory>,
}

/// How often a run came to a breakpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StopHistory {
    /// Times that its condition held.
    pub held: usize,
    /// Hits that stop the run.
    pub stopped: usize,
    /// Where on the run, from 0 to 1, it stops; of places in one part the first.
    pub places: Vec<f32>,
}

/// Values of an expression over a run.
#[derive(Clone, Debug, PartialEq)]
pub enum History {
    /// Of numbers.
    Numbers {
        /// For each component the least and the greatest finite value of each part; none where there is none.
        components: Vec<Vec<Option<[f64; 2]>>>,
        /// The least and the greatest of all.
        range: Option<[f64; 2]>,
    },
    /// Of a condition.
    Condition {
        /// For each part at how many of its moments it holds, and how many it has.
        parts: Vec<[u32; 2]>,
        /// At how many moments it holds.
        holds: usize,
    },
}

/// The part of a run with so many moments that the one at `position` is in.
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

/// Goes once through the run of `request`. Values that are not finite or undefined have no place in a graph.
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
