//! Questions about a run whose answers take a while: what a value comes from, what it reaches, and what the run would do if a
//! component held something else. A thread of its own answers them (`worker`).

use super::walk::{Anchor, Walk};
use crate::session::RenderError;
use shadestep_engine::debug::ancestry::{Ancestry, AncestryError, Goal, ValueAt};
use shadestep_engine::debug::expression::Place;
use shadestep_engine::debug::{Edit, Recording, Register, State, Step};
use shadestep_engine::ir::Type;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Most steps of an answer that are listed.
pub const MOST_LISTED: usize = 2000;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// What it comes from.
    Origin(Goal),
    /// What it reaches.
    Reach(ValueAt),
    /// What the run does if that is changed.
    Try(Edit),
}

/// A question about a run.
pub struct InquiryRequest {
    /// Number of the request; grows.
    pub generation: u64,
    /// The run stepped through.
    pub run: Arc<Recording>,
    /// The run as it was recorded: the same, or the one that it is a changed one of.
    pub recorded: Arc<Recording>,
    /// The question.
    pub question: Question,
}

/// The answer to an [`InquiryRequest`].
pub struct InquiryReply {
    /// Number of the request.
    pub generation: u64,
    /// The run that it was about.
    pub run: Arc<Recording>,
    /// What came of it.
    pub outcome: Result<Answer, RenderError>,
}

/// What came of a question.
pub enum Answer {
    /// What a value comes from or reaches.
    Traced(Box<Traced>),
    /// What a changed run does.
    Changed(Box<ChangedRun>),
}

/// What a value comes from or reaches, with what is shown of it.
pub struct Traced {
    /// The question.
    pub question: Question,
    /// The answer.
    pub ancestry: Ancestry,
    /// The steps that are listed, in order: [`MOST_LISTED`] at most.
    pub listed: Vec<Listed>,
}

/// A component with the bits that a step wrote to it, and how they are read.
pub type Written = (Place, u8, Option<(u64, Type)>);

/// A step of an answer.
pub struct Listed {
    /// Number of the step.
    pub position: usize,
    /// Index of the instruction.
    pub pc: usize,
    /// The components that it wrote and that belong to the answer, with the values that it wrote. Condition codes have none.
    pub values: Vec<Written>,
}

/// A run with something changed, beside the one that was recorded.
pub struct ChangedRun {
    /// What was changed last.
    pub edit: Edit,
    /// The changed run; the session has it while it is stepped through.
    pub(super) walk: Option<Walk>,
    /// The recorded run; the session has it until the changed one is stepped through.
    pub(super) recorded: Option<Walk>,
    /// Steps that did something else than those recorded.
    pub differing: usize,
    /// The first of them.
    pub first: Option<usize>,
    /// Index of the instruction that it executes; `None` where the recorded run alone has such a step.
    pub first_pc: Option<usize>,
    /// The first step that is another instruction than the one recorded, where there is one.
    pub parts: Option<usize>,
}

impl ChangedRun {
    /// The recorded run.
    pub fn recording(&self) -> Option<&Recording> {
        self.recorded.as_ref().map(|walk| &**walk.recording())
    }

    /// Registers of the recorded run at the place that the changed one stands at.
    pub fn recorded_state(&self) -> Option<&State> {
        self.recorded.as_ref().map(Walk::state)
    }

    /// Has the recorded run stand where the changed one does: at the same step, or, once they have parted, at the like of it.
    pub(super) fn follow(&mut self, position: usize, anchor: impl FnOnce() -> Anchor) {
        let Some(recorded) = &mut self.recorded else { return };
        if self.parts.is_none_or(|parts| position <= parts) {
            recorded.seek(position);
        } else {
            recorded.go_to(anchor());
        }
    }
}

/// Answers a question.
///
/// # Errors
/// If `cancel` became true, or the run is too long.
pub fn answer(request: &InquiryRequest, cancel: &AtomicBool) -> Result<Answer, RenderError> {
    let run = &request.run;
    let failed = |error: AncestryError| match error {
        AncestryError::Cancelled => RenderError::Cancelled,
        AncestryError::TooLong => RenderError::Failed(error.to_string()),
    };
    let ancestry = match request.question {
        Question::Origin(goal) => Ancestry::backward(run, goal, cancel).map_err(failed)?,
        Question::Reach(value) => Ancestry::forward(run, value, cancel).map_err(failed)?,
        Question::Try(edit) => {
            let changed = try_out(run, &request.recorded, edit, cancel)?;
            return Ok(Answer::Changed(Box::new(changed)));
        }
    };
    let listed = listed(run, &ancestry, cancel)?;
    Ok(Answer::Traced(Box::new(Traced { question: request.question, ancestry, listed })))
}

/// The first steps of an answer, with what they wrote.
fn listed(run: &Recording, ancestry: &Ancestry, cancel: &AtomicBool) -> Result<Vec<Listed>, RenderError> {
    let mut listed = Vec::new();
    let mut steps = run.all_steps().enumerate();
    for part in ancestry.parts.iter().take(MOST_LISTED) {
        let found = steps.find(|(position, _)| *position == part.position || cancel.load(Ordering::Relaxed));
        if cancel.load(Ordering::Relaxed) {
            return Err(RenderError::Cancelled);
        }
        let Some((position, step)) = found else { break };
        let mut values = Vec::new();
        for &(place, mask) in &part.written {
            let components = (0..4).filter(|c| mask >> c & 1 != 0);
            values.extend(components.map(|c| (place, c, written(&step, place, c))));
        }
        listed.push(Listed { position, pc: part.pc, values });
    }
    Ok(listed)
}

/// The value that a step wrote.
fn written(step: &Step, place: Place, component: u8) -> Option<(u64, Type)> {
    let change = step
        .changes
        .iter()
        .find(|change| (place_of(change.place), change.component) == (place, component))?;
    Some((change.after, change.type_after))
}

/// A register that steps write, as what can be asked about.
pub const fn place_of(register: Register) -> Place {
    match register {
        Register::Temp(id) => Place::Temp(id),
        Register::Output(id) => Place::Output(id),
        Register::Param(id) => Place::Param(id),
    }
}

/// `run` with `edit`, compared with what was recorded.
fn try_out(
    run: &Recording,
    recorded: &Arc<Recording>,
    edit: Edit,
    cancel: &AtomicBool,
) -> Result<ChangedRun, RenderError> {
    let changed = Arc::new(run.with_edits(&[edit], cancel)?);
    let (mut differing, mut first, mut parts) = (0, None, None);
    for (position, (old, new)) in recorded.all_steps().zip(changed.all_steps()).enumerate() {
        if cancel.load(Ordering::Relaxed) {
            return Err(RenderError::Cancelled);
        }
        if old.pc != new.pc {
            first = first.or(Some(position));
            parts = Some(position);
            differing += changed.len() - position;
            break;
        }
        if differs(&old, &new) {
            first = first.or(Some(position));
            differing += 1;
        }
    }
    let shorter = recorded.len().min(changed.len());
    if parts.is_none() && recorded.len() != changed.len() {
        (first, parts) = (first.or(Some(shorter)), Some(shorter));
        differing += changed.len() - shorter;
    }
    let first_pc = first.and_then(|first| changed.steps(first..first + 1).next()).map(|step| step.pc);
    let walk = Some(Walk::new(changed, cancel)?);
    let recorded = Some(Walk::new(Arc::clone(recorded), cancel)?);
    Ok(ChangedRun { edit, walk, recorded, differing, first, first_pc, parts })
}

/// Whether the same instruction did something else.
fn differs(old: &Step, new: &Step) -> bool {
    let written = |step: &Step| {
        let changes = step.changes.iter().map(|change| (change.place, change.component, change.after));
        changes.collect::<Vec<_>>()
    };
    let stored = |step: &Step| step.memory.and_then(|transfer| transfer.after);
    // Where an edit stands the codes behind the step before differ, which that step has not done.
    let codes = |step: &Step| (step.cc_after != step.cc_before).then_some(step.cc_after);
    let decided = |step: &Step| (step.taken, step.kills, step.enabled, step.emitted);
    written(old) != written(new)
        || codes(old) != codes(new)
        || stored(old) != stored(new)
        || decided(old) != decided(new)
}
