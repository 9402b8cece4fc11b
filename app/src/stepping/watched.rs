//! [`Watched`]: the values of a document's watches and the hits of its breakpoints in the run stepped
//! through. `refresh` runs before each frame. Results that need a pass over the run come from the worker
//! thread in `value_history`.

use super::stops::{self, Stops};
use super::value_history::{Histories, History, HistoryReply, HistoryRequest, StopHistory};
use super::{DebugSession, Places};
use crate::mailbox::Urgency;
use crate::model::{Breakpoints, Document, DocumentId, Part, PerDocument};
use crate::stepping::HistoryWorker;
use shadestep_engine::debug::expression::{
    Component, Expression, ExpressionError, Number, Outcome, Value, Values,
};
use shadestep_engine::debug::{Here, Recording};
use shadestep_engine::ir::Program;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// Components of a register.
    Register(Vec<Component>),
    /// Computed numbers. [`Definedness`] says whether an undefined value went into them.
    Numbers(Vec<Number>, Definedness),
    /// The result of a condition, and whether an undefined value went into it.
    Truth(bool, Definedness),
}

/// Whether a value depends on a value that the specification leaves undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definedness {
    Defined,
    Undefined,
}

/// Evaluates `expression` with the registers in `values`.
pub fn read(expression: &Expression, values: &impl Values) -> Reading {
    if let Some((place, components)) = expression.register() {
        let read = |&component: &u8| values.component(place, component.into());
        return Reading::Register(components.iter().map(read).collect());
    }
    let Outcome { value, undefined } = expression.evaluate(values);
    let defined = if undefined { Definedness::Undefined } else { Definedness::Defined };
    match value {
        Value::Numbers(numbers) => Reading::Numbers(numbers.to_vec(), defined),
        Value::Truth(truth) => Reading::Truth(truth, defined),
    }
}

/// A watched expression.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The text as typed.
    pub text: String,
    /// The parsed expression, or why the text does not fit the program stepped through.
    pub expression: Result<Arc<Expression>, ExpressionError>,
    /// The value at the current position.
    pub now: Option<Reading>,
    /// The value before the last step.
    pub before: Option<Reading>,
}

/// Inputs of the results. A change of one requires new results.
#[derive(Default)]
struct Of {
    document: Option<DocumentId>,
    run: Option<Arc<Recording>>,
    watches: Vec<String>,
    breakpoints: Vec<(Part, Breakpoints, Option<Arc<Program>>)>,
    /// The lines of the run's instructions, needed only if there are breakpoints.
    lines: Vec<Option<usize>>,
}

/// The lines of the instructions in the run of `session`.
fn lines_of(session: Option<&DebugSession>) -> Vec<Option<usize>> {
    session.and_then(DebugSession::places).map_or_else(Vec::new, Places::lines)
}

impl Of {
    fn new(document: &Document, session: Option<&DebugSession>) -> Self {
        let run = session.and_then(DebugSession::run);
        let texts = document.texts().filter(|(_, text)| !text.breakpoints.is_empty());
        let breakpoints: Vec<_> =
            texts.map(|(part, text)| (part, text.breakpoints.clone(), text.program().cloned())).collect();
        Self {
            document: Some(document.id),
            run: run.cloned(),
            watches: document.watches.clone(),
            lines: if breakpoints.is_empty() { Vec::new() } else { lines_of(session) },
            breakpoints,
        }
    }

    fn is(&self, document: &Document, session: Option<&DebugSession>) -> bool {
        let run = session.and_then(DebugSession::run);
        let same_run = self.run.as_ref().map(Arc::as_ptr) == run.map(Arc::as_ptr);
        let mut kept = self.breakpoints.iter();
        let mut texts = document.texts().filter(|(_, text)| !text.breakpoints.is_empty());
        let same_texts = texts.all(|(part, text)| {
            kept.next().is_some_and(|(other, breakpoints, program)| {
                let same_program = program.as_ref().map(Arc::as_ptr) == text.program().map(Arc::as_ptr);
                *other == part && *breakpoints == text.breakpoints && same_program
            })
        });
        self.document == Some(document.id)
            && same_run
            && self.watches == document.watches
            && same_texts
            && kept.next().is_none()
            && (self.breakpoints.is_empty() || self.lines == lines_of(session))
    }
}

/// Values of watches and hits of breakpoints.
#[derive(Default)]
pub struct Watched {
    of: Of,
    generation: u64,
    watches: Vec<Watch>,
    stops: Arc<Stops>,
    histories: Option<Histories>,
    faults: BTreeMap<(Part, usize), ExpressionError>,
    position: Option<usize>,
}

impl Watched {
    /// Updates everything. `session` must be of `document`.
    pub fn refresh(
        &mut self,
        document: &Document,
        session: Option<&mut DebugSession>,
        history_worker: &HistoryWorker,
    ) {
        if !self.of.is(document, session.as_deref()) {
            self.of = Of::new(document, session.as_deref());
            self.prepare(document, session.as_deref(), history_worker);
        }
        let Some(session) = session else { return };
        let here = session.position();
        if self.position.replace(here) == Some(here) {
            return;
        }
        // All watches share one evaluation of the previous position.
        let expressions: Vec<_> = self.watches.iter().map(|watch| watch.expression.clone().ok()).collect();
        let read_all = |moment: &Here<'_>| -> Vec<Option<Reading>> {
            expressions.iter().map(|expression| Some(read(expression.as_deref()?, moment))).collect()
        };
        let now = session.here().map(|moment| read_all(&moment)).unwrap_or_default();
        let before = here.checked_sub(1).and_then(|before| session.look_at(before, read_all));
        let (mut now, mut before) = (now.into_iter(), before.unwrap_or_default().into_iter());
        for watch in &mut self.watches {
            (watch.now, watch.before) = (now.next().flatten(), before.next().flatten());
        }
    }

    /// Prepares watches and breakpoints for a run, and requests a pass over the run.
    fn prepare(
        &mut self,
        document: &Document,
        session: Option<&DebugSession>,
        history_worker: &HistoryWorker,
    ) {
        self.position = None;
        self.histories = None;
        self.faults.clear();
        for (part, breakpoints, program) in &self.of.breakpoints {
            let Some(program) = program else { continue };
            for (line, breakpoint) in breakpoints {
                if let Err(fault) = stops::condition(breakpoint, program) {
                    self.faults.insert((*part, *line), fault);
                }
            }
        }
        self.generation += 1;
        self.watches.clear();
        self.stops = Arc::default();
        history_worker.cancel();
        let Some(((session, recording), program)) =
            session.zip(self.of.run.as_ref()).zip(session.and_then(DebugSession::program))
        else {
            return;
        };
        let watch = |text: &String| Watch {
            text: text.clone(),
            expression: Expression::parse(text, program).map(Arc::new),
            now: None,
            before: None,
        };
        self.watches = self.of.watches.iter().map(watch).collect();
        let text = session.text_id().and_then(|id| document.text(id.part));
        self.stops = text.map_or_else(Arc::default, |text| session.stops(&text.breakpoints).into());
        if self.watches.is_empty() && self.stops.is_empty() {
            return;
        }
        let request = HistoryRequest {
            generation: self.generation,
            recording: Arc::clone(recording),
            watches: self.watches.iter().map(|watch| watch.expression.as_ref().ok().cloned()).collect(),
            stops: Arc::clone(&self.stops),
        };
        history_worker.request(request, Urgency::Now);
    }

    /// Accepts a reply of the worker if it belongs to the latest request.
    pub fn take(&mut self, reply: HistoryReply) {
        if reply.generation == self.generation {
            self.histories = reply.histories;
        }
    }

    /// The watches with their values; empty if there is no session.
    pub fn watches(&self) -> &[Watch] {
        &self.watches
    }

    /// The values of watch `index` over the run, once the pass is done.
    pub fn history(&self, index: usize) -> Option<&History> {
        self.histories.as_ref()?.watches.get(index)?.as_ref()
    }

    /// The hits of the breakpoint on `line` of the program stepped through, once the pass is done.
    pub fn hits(&self, line: usize) -> Option<&StopHistory> {
        let index = self.stops.lines().position(|other| other == line)?;
        self.histories.as_ref()?.stops.get(index)
    }

    /// Where breakpoints stop the run, as fractions from 0 to 1.
    pub fn stop_places(&self) -> impl Iterator<Item = f32> {
        self.histories.iter().flat_map(|histories| &histories.stops).flat_map(|stop| &stop.places).copied()
    }

    /// Why the condition of the breakpoint on `line` does not fit the program, if so.
    pub fn fault(&self, part: Part, line: usize) -> Option<&ExpressionError> {
        self.faults.get(&(part, line))
    }
}

impl PerDocument for Watched {
    fn forget(&mut self, closed: DocumentId) {
        if self.of.document == Some(closed) {
            *self = Self { generation: self.generation + 1, ..Self::default() };
        }
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        self.of.document.into_iter().collect()
    }
}
