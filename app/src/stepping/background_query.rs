//! Background queries about a run: the origin of a value, its uses, and the run with another value or another
//! instruction. A worker thread ([`crate::worker`]) answers them.

use super::alignment::{Alignment, Ran, compare};
use super::code::Code;
use super::record::{self, RecordRequest};
use super::session::DebugSession;
use super::walk::Walk;
use crate::model::Document;
use crate::session::{self, Fragments, Loaded, PixelState, RenderError};
use shadestep_engine::debug::ancestry::{Ancestry, AncestryError, Goal, ValueAt};
use shadestep_engine::debug::expression::Place;
use shadestep_engine::debug::{Edit, Recording, Register, State, Step, Subject};
use shadestep_engine::diag::Severity;
use shadestep_engine::ir::{Components, OutputId, ParamId, Program, TempId, Type};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Largest number of steps that an answer lists.
pub const MOST_LISTED: usize = 2000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Origin of a value.
    Origin(Goal),
    /// Uses of a value.
    Reach(ValueAt),
    /// The run with a changed value.
    Try(Edit),
    /// The run with another instruction `pc`, or without it if `text` is empty.
    Rewrite {
        /// Index of the instruction.
        pc: usize,
        /// The instruction in its place, with or without a semicolon.
        text: Arc<str>,
    },
}

/// A request to answer a question about a run.
pub struct BackgroundQueryRequest {
    /// Number of the request; increases.
    pub generation: u64,
    /// The run stepped through.
    pub run: Ran,
    /// The recorded run. Differs from `run` if the session steps through a changed run.
    pub recorded: Ran,
    /// The request that records the run again, with its fragment.
    pub record: Box<RecordRequest>,
    /// The recorded pixel, if the run is a fragment's.
    pub pixel: Option<PixelState>,
    pub question: Question,
}

/// The answer to a [`BackgroundQueryRequest`].
pub struct BackgroundQueryReply {
    pub generation: u64,
    /// The run of the question.
    pub run: Arc<Recording>,
    pub question: Question,
    /// The answer, or why there is none.
    pub outcome: Result<Answer, RenderError>,
}

/// The answer to a background query.
pub enum Answer {
    /// Origin or uses of a value.
    Traced(Box<Traced>),
    /// A changed run.
    Changed(Box<ChangedRun>),
}

/// Origin or uses of a value, with the listed steps.
pub struct Traced {
    pub question: Question,
    /// All steps and inputs that take part.
    pub ancestry: Ancestry,
    /// The listed steps in order, at most [`MOST_LISTED`].
    pub listed: Vec<Listed>,
}

/// A component with the bits and the type that a step wrote. Condition codes have no bits.
pub type Written = (Place, u8, Option<(u64, Type)>);

/// A step of an answer.
pub struct Listed {
    /// Number of the step.
    pub position: usize,
    /// Index of the instruction.
    pub pc: usize,
    /// The written components that belong to the answer, with their values.
    pub values: Vec<Written>,
}

/// A changed run and its comparison with the recorded one.
pub struct ChangedRun {
    /// The last change.
    pub question: Question,
    /// Index of the changed instruction in [`Self::recorded_code`], if the change is an instruction.
    changed_at: Option<usize>,
    /// The changed run; the session takes it while stepping through it.
    pub(super) walk: Option<Walk>,
    /// The programs of the changed run. `code` is the one that ran.
    pub(super) programs: Loaded,
    pub(super) code: Arc<Code>,
    /// The recorded run, which `follow` keeps at the corresponding position.
    pub(super) recorded: Option<Walk>,
    /// The recorded program.
    pub(super) recorded_code: Arc<Code>,
    /// The alignment of the recorded run with the changed one.
    pub alignment: Alignment,
    /// The step of the changed run at which the runs first differ.
    pub first: Option<usize>,
    /// The instruction of that step; `None` at the end of the run.
    pub first_pc: Option<usize>,
    /// The pixel of the recorded run and of the changed run, if the run is a fragment's.
    pub pixels: Option<[PixelState; 2]>,
    registers: Option<SameNames>,
}

impl ChangedRun {
    /// Aligns the changed run with the recorded one.
    fn new(
        (question, line): (Question, Option<usize>),
        [recorded, changed]: [&Ran; 2],
        (programs, pixels): (Loaded, Option<[PixelState; 2]>),
        cancel: &AtomicBool,
    ) -> Result<Self, RenderError> {
        let runs = [recorded.clone(), changed.clone()];
        let alignment = compare(&runs, cancel).ok_or(RenderError::Cancelled)?;
        let row = alignment.differences.first();
        let first = row.map(|row| alignment.b_at(*row).unwrap_or(changed.run.len()));
        let step = first.and_then(|first| changed.run.steps(first..first + 1).next());
        let same = Arc::ptr_eq(&recorded.code, &changed.code);
        Ok(Self {
            question,
            changed_at: line.and_then(|line| recorded.code.lines.iter().position(|&other| other == line)),
            walk: Some(Walk::new(Arc::clone(&changed.run), cancel)?),
            programs,
            code: Arc::clone(&changed.code),
            recorded: Some(Walk::new(Arc::clone(&recorded.run), cancel)?),
            recorded_code: Arc::clone(&recorded.code),
            alignment,
            first,
            first_pc: step.map(|step| step.pc),
            pixels,
            registers: (!same).then(|| SameNames::of([&changed.code.program, &recorded.code.program])),
        })
    }

    /// Line, from 0, of the changed instruction in the text of `document`.
    pub fn line_in(&self, document: &Document) -> Option<usize> {
        self.recorded_code.places_in(document).line(self.changed_at?)
    }

    pub fn recording(&self) -> Option<&Recording> {
        self.recorded.as_ref().map(|walk| &**walk.recording())
    }

    /// Registers of the recorded run at the position of the changed run.
    pub fn recorded_state(&self) -> Option<&State> {
        self.recorded.as_ref().map(Walk::state)
    }

    /// The recorded run's value of a register that the changed program names `place`. `None` for condition
    /// codes, and if the recorded program does not have the register.
    pub fn recorded_value(&self, place: Place) -> Option<Components> {
        let state = self.recorded_state()?;
        let place = match &self.registers {
            Some(names) => names.in_the_other(place)?,
            None => place,
        };
        match place {
            Place::Temp(id) => state.temporaries.get(usize::from(id.0)).copied(),
            Place::Output(id) => state.outputs.get(usize::from(id.0)).copied(),
            Place::Param(id) => state.parameters.get(usize::from(id.0)).copied(),
            Place::Attribute(attribute) => {
                let mut read = state.attributes.iter();
                read.find(|(read, _)| *read == attribute).map(|(_, value)| *value)
            }
            Place::Flags(_) => None,
        }
    }

    /// Moves the recorded run to the step that corresponds to `position` of the changed run, or to the next
    /// step if there is none.
    pub(super) fn follow(&mut self, position: usize) {
        let Some(recorded) = &mut self.recorded else { return };
        let there = self.alignment.a_at(self.alignment.row_of_b(position));
        recorded.seek(there.unwrap_or(recorded.recording().len()));
    }
}

/// For each register of one program, the register with the same name in another program.
struct SameNames {
    temporaries: Vec<Option<TempId>>,
    outputs: Vec<Option<OutputId>>,
    parameters: Vec<Option<ParamId>>,
}

impl SameNames {
    fn of([program, other]: [&Program; 2]) -> Self {
        let number = |index: usize| index as u16;
        let temporary = |name: &str| other.temporaries.iter().position(|temporary| temporary.name == name);
        let output = |name: &str| other.outputs.iter().position(|output| output.name == name);
        let temporaries = program.temporaries.iter().map(|temporary| temporary.name.as_str());
        let outputs = program.outputs.iter().map(|output| output.name.as_str());
        let parameters = program.parameters.iter();
        let parameter = |source| other.parameters.iter().position(|parameter| parameter.source == source);
        Self {
            temporaries: temporaries.map(|name| temporary(name).map(number).map(TempId)).collect(),
            outputs: outputs.map(|name| output(name).map(number).map(OutputId)).collect(),
            parameters: parameters
                .map(|own| parameter(own.source.clone()).map(number).map(ParamId))
                .collect(),
        }
    }

    fn in_the_other(&self, place: Place) -> Option<Place> {
        match place {
            Place::Temp(id) => (*self.temporaries.get(usize::from(id.0))?).map(Place::Temp),
            Place::Output(id) => (*self.outputs.get(usize::from(id.0))?).map(Place::Output),
            Place::Param(id) => (*self.parameters.get(usize::from(id.0))?).map(Place::Param),
            Place::Attribute(_) | Place::Flags(_) => Some(place),
        }
    }
}

/// Answers a question.
///
/// # Errors
/// If `cancel` became true or the run is too long. For [`Question::Rewrite`], also if the program does not
/// load with the new instruction.
pub fn answer(request: &BackgroundQueryRequest, cancel: &AtomicBool) -> Result<Answer, RenderError> {
    let Ran { run, code } = &request.run;
    let failed = |error: AncestryError| match error {
        AncestryError::Cancelled => RenderError::Cancelled,
        AncestryError::TooLong => RenderError::Failed(error.to_string()),
    };
    let record = &*request.record;
    let changed = |changed: Ran, programs, pixel: Option<PixelState>| {
        let pixels = request.pixel.zip(pixel).map(|(recorded, changed)| [recorded, changed]);
        let runs = [&request.recorded, &changed];
        // The program in question may lack instructions of the recorded one after earlier changes, so the
        // change is found by line.
        let line = match request.question {
            Question::Rewrite { pc, .. } => code.lines.get(pc).copied(),
            _ => None,
        };
        let question = (request.question.clone(), line);
        let changed = ChangedRun::new(question, runs, (programs, pixels), cancel)?;
        Ok(Answer::Changed(Box::new(changed)))
    };
    let ancestry = match &request.question {
        Question::Origin(goal) => Ancestry::backward(run, *goal, cancel).map_err(failed)?,
        Question::Reach(value) => Ancestry::forward(run, *value, cancel).map_err(failed)?,
        Question::Try(edit) => {
            let run = Arc::new(run.with_edits(&[*edit], cancel)?);
            let pixel = match (record.subject, record.place.fragment) {
                (Subject::Pixel(pixel), Some(fragment)) => {
                    let (run, picture) = ((fragment, &run), (&record.job, Some(&*record.frame)));
                    session::pixel_after(&record.programs, picture, pixel, run, cancel)?
                }
                _ => None,
            };
            return changed(Ran { run, code: Arc::clone(code) }, record.programs.clone(), pixel);
        }
        Question::Rewrite { pc, text } => {
            let (programs, session) = rewritten(request, *pc, text, cancel)?;
            let ran = session
                .ran()
                .ok_or_else(|| RenderError::Failed("no program runs here after this change".to_owned()))?;
            let recorded = Some(Arc::clone(&request.recorded.code));
            let ran = Ran { code: Arc::new(Code { recorded, ..Code::clone(&ran.code) }), ..ran };
            return changed(ran, programs, session.fragments().and_then(Fragments::end));
        }
    };
    let listed = listed(run, &ancestry, cancel)?;
    Ok(Answer::Traced(Box::new(Traced { question: request.question.clone(), ancestry, listed })))
}

/// Loads the programs with the new instruction and records the subject again. For a pixel, all fragments run
/// again.
fn rewritten(
    request: &BackgroundQueryRequest,
    pc: usize,
    text: &str,
    cancel: &AtomicBool,
) -> Result<(Loaded, DebugSession), RenderError> {
    let (code, record) = (&request.run.code, &*request.record);
    let fault = |words: &str| Err(RenderError::Failed(words.to_owned()));
    let Some(slot) = code.slot else { return fault("the built-in program cannot be edited") };
    let Some(whole) = code.with_instruction(pc, text) else { return fault("there is no such instruction") };
    let programs = record.programs.with_text(slot, whole.into());
    let compiled = programs.get(slot).ok_or(RenderError::NoProgram)?;
    let Some(program) = &compiled.program else {
        let error = compiled.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
        return fault(
            error.map_or("the program does not load with this instruction", |error| &error.message),
        );
    };
    let count = code.program.instructions.len() - usize::from(text.trim().is_empty());
    if program.instructions.len() != count {
        return fault("type exactly one instruction");
    }
    let session = record::record(RecordRequest { programs: programs.clone(), ..record.clone() }, cancel)?;
    Ok((programs, session))
}

/// The first steps of an answer with the values that they wrote.
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

/// The value that a step wrote to a component.
fn written(step: &Step, place: Place, component: u8) -> Option<(u64, Type)> {
    let change = step
        .changes
        .iter()
        .find(|change| (place_of(change.place), change.component) == (place, component))?;
    Some((change.after, change.type_after))
}

/// The place of a register, for questions about its value.
pub const fn place_of(register: Register) -> Place {
    match register {
        Register::Temp(id) => Place::Temp(id),
        Register::Output(id) => Place::Output(id),
        Register::Param(id) => Place::Param(id),
    }
}
