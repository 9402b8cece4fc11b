//! Runs the checks of a lesson on a learner's answer and reports the faults. `pictures` and `runs` have the
//! checks of pictures and of single invocations.

use super::pictures::Pictures;
use super::program_text::{count_of, line_of};
use super::runs::Wanted;
use super::wording::{counted, pair, vector};
use super::{Check, Lesson, Task, Usage};
use crate::printable;
use crate::scene::{Component, ParameterKey, Programs, Scene, SceneError, Slot};
use crate::session::{self, Compiled, Frame, Job, Loaded, RenderError, Threads};
use shadestep_engine::debug::Subject;
use shadestep_engine::diag::{Code, Severity};
use shadestep_engine::ir::{Program, Type, Value};
use shadestep_engine::source::LineIndex;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A learner's answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The texts of the programs.
    pub texts: Programs<Arc<[u8]>>,
    /// The answer's scene. Checks use it only if the lesson is about `scene.toml`.
    pub scene: Arc<Scene>,
}

/// The start and the solution of a lesson, which answers are compared with.
#[derive(Debug)]
pub struct Reference {
    start: Arc<Scene>,
    solution: Arc<Scene>,
    edits_scene: bool,
    main: Slot,
    /// The pictures of the solution that the checks need.
    pub(super) pictures: Pictures,
}

impl Reference {
    /// Prepares the reference of `lesson`.
    ///
    /// # Errors
    /// The start cannot be read, or the solution cannot be read or drawn.
    pub fn of(lesson: &Lesson, threads: &Threads, cancel: &AtomicBool) -> Result<Self, RenderError> {
        let scene = |read: Result<Scene, SceneError>| read.map(Arc::new).map_err(RenderError::BadScene);
        let (start, solution) = (scene(lesson.start())?, scene(lesson.solved())?);
        let job = Job { time_secs: lesson.time_secs, ..Job::new(Arc::clone(&solution)) };
        let programs = session::compile_scene(&solution);
        let pictures = Pictures::draw(lesson, (&programs, &job), threads, cancel)?;
        let main = lesson.main_program(&solution);
        Ok(Self { start, solution, edits_scene: lesson.edits_scene(), main, pictures })
    }

    pub fn start(&self) -> &Arc<Scene> {
        &self.start
    }

    /// The scene of the solution.
    pub fn solution(&self) -> &Arc<Scene> {
        &self.solution
    }
}

/// The results of all checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The reason that programs do not run, which takes precedence over the checks. `None` if the programs
    /// run, or if the lesson wants one to fail.
    pub fault: Option<Fault>,
    /// The checks, in the lesson's order.
    pub outcomes: Vec<Outcome>,
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The requirement in one line, with program text between backquotes.
    pub task: String,
    /// Whether the answer meets the requirement.
    pub status: Status,
}

/// The state of a check.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// The answer meets the requirement.
    Passed,
    /// The answer does not meet the requirement.
    Failed(Fault),
    /// Unknown until the programs run.
    Waits,
}

/// A fault of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The author's words; may be empty.
    pub says: String,
    /// The checker's finding, in words.
    pub facts: String,
    /// The invocation to step through to see the fault.
    pub subject: Option<Subject>,
    /// The actual colour and the expected one: red, green, blue and alpha from 0 to 1. Both alphas are 1 if
    /// the check ignores alpha.
    pub colors: Option<[[f32; 4]; 2]>,
}

impl Fault {
    pub(super) fn new(facts: impl Into<String>) -> Self {
        Self { says: String::new(), facts: facts.into(), subject: None, colors: None }
    }

    pub(super) fn at(self, subject: Subject) -> Self {
        Self { subject: Some(subject), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.says.is_empty() {
            true => f.write_str(&self.facts),
            false => write!(f, "{} {}", self.says, self.facts),
        }
    }
}

impl Report {
    /// Whether the lesson is solved.
    pub fn is_solved(&self) -> bool {
        self.fault.is_none() && self.outcomes.iter().all(|outcome| outcome.status == Status::Passed)
    }

    /// All faults in the order of display, each with its requirement.
    pub fn faults(&self) -> impl Iterator<Item = (Option<&str>, &Fault)> {
        let failed = self.outcomes.iter().filter_map(|outcome| match &outcome.status {
            Status::Failed(fault) => Some((Some(outcome.task.as_str()), fault)),
            Status::Passed | Status::Waits => None,
        });
        self.fault.iter().map(|fault| (None, fault)).chain(failed)
    }

    /// Number of checks passed.
    pub fn passed(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.status == Status::Passed).count()
    }
}

/// Runs the checks of `lesson` on `answer`.
///
/// # Errors
/// [`RenderError::Cancelled`], soon after `cancel` becomes true. All other faults are in the report.
pub fn check(
    lesson: &Lesson,
    (reference, answer): (&Reference, &Answer),
    threads: &Threads,
    cancel: &AtomicBool,
) -> Result<Report, RenderError> {
    let scene = if reference.edits_scene { &answer.scene } else { &reference.start };
    let text = |slot: Slot, file: &crate::scene::ProgramFile| {
        Arc::clone(answer.texts.get(slot).unwrap_or(&file.text))
    };
    let programs = session::compile_all(&scene.programs.map(text), &Loaded::default());
    let job = Job {
        size: reference.solution.size,
        time_secs: lesson.time_secs,
        finds_races: false,
        ..Job::new(Arc::clone(scene))
    };
    let fails = lesson.checks.iter().any(|check| matches!(check.task, Task::Error { .. }));
    let (mut fault, mut drawn) = (load_fault(&programs).filter(|_| !fails), None);
    if fault.is_none() && lesson.checks.iter().any(|check| check.task.needs_programs()) {
        let draw = || {
            let frame = session::render(&programs, &job, threads, cancel)?;
            Ok((frame, Pictures::draw_varied(lesson, (&programs, &job), threads, cancel)?))
        };
        match draw() {
            Ok(pictures) => drawn = Some(pictures),
            Err(RenderError::Cancelled) => return Err(RenderError::Cancelled),
            Err(error) => fault = Some(Fault::new(format!("The picture cannot be drawn: {error}."))),
        }
    }
    let (frame, varied) = drawn.map_or_else(Default::default, |(frame, varied)| (Some(frame), varied));
    let trial = Trial { programs, job, frame, varied, reference, cancel };
    let outcomes = lesson.checks.iter().map(|check| trial.outcome(check)).collect::<Result<_, _>>()?;
    Ok(Report { fault, outcomes })
}

/// The first error of the first program that does not load.
fn load_fault(programs: &Loaded) -> Option<Fault> {
    let (slot, compiled) = programs.iter().find(|(_, compiled)| compiled.program.is_none())?;
    Some(Fault::new(match first_error(compiled, |_| true) {
        Some((line, message)) => format!("The {} does not load. Line {line}: {message}.", called(slot)),
        None => format!("The {} does not load.", called(slot)),
    }))
}

/// The kind of a program, without its article.
fn called(slot: Slot) -> &'static str {
    slot.kind().trim_start_matches("a ")
}

/// The line and message of the first error whose code passes `filter`.
fn first_error(compiled: &Compiled, filter: impl Fn(Code) -> bool) -> Option<(usize, &str)> {
    let errors = compiled.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let error = errors.filter(|found| filter(found.code)).min_by_key(|found| found.position)?;
    Some((LineIndex::new(&compiled.text).line_column(error.position).line, &error.message))
}

/// An answer during its check.
pub(super) struct Trial<'a> {
    pub(super) programs: Loaded,
    pub(super) job: Job,
    /// The picture of the answer. `None` if the programs do not run.
    pub(super) frame: Option<Frame>,
    /// The pictures of the answer with other parameters.
    pub(super) varied: Pictures,
    pub(super) reference: &'a Reference,
    pub(super) cancel: &'a AtomicBool,
}

impl Trial<'_> {
    fn outcome(&self, check: &Check) -> Result<Outcome, RenderError> {
        let status = match &check.task {
            Task::Loads => passed_or(load_fault(&self.programs)),
            Task::Error { code, program } => passed_or(self.error(code, *program)),
            _ if self.frame.is_none() => Status::Waits,
            task => passed_or(self.run(task)?),
        };
        let status = match status {
            Status::Failed(fault) => Status::Failed(Fault { says: check.says.clone(), ..fault }),
            status => status,
        };
        Ok(Outcome { task: check.task.to_string(), status })
    }

    /// Runs one check. The programs must run.
    fn run(&self, task: &Task) -> Result<Option<Fault>, RenderError> {
        Ok(match task {
            Task::Loads | Task::Error { .. } => None,
            Task::Picture { tolerance, rect, alpha, parameters } => {
                self.picture(parameters, *rect, (*alpha, *tolerance))
            }
            Task::Pixel { at, color, tolerance } => self.pixel(*at, color, *tolerance),
            Task::Discarded { at } => self.discarded(*at),
            Task::Parameter { key, value, tolerance } => self.parameter(key, value, *tolerance),
            Task::Branches { of } => self.branches(*of)?,
            Task::Register { name, components, of, value, line, tolerance } => {
                let (components, tolerance) = (*components, *tolerance);
                let wanted = Wanted { name, components, value, line: line.as_deref(), tolerance };
                self.register(*of, &wanted)?
            }
            Task::Buffer { name, first, value, tolerance } => {
                self.buffer(name, (*first as usize, value), *tolerance)
            }
            Task::Instructions { most, least, named, of: Some(of), .. } => {
                self.executed(*of, named.as_deref(), (*most, *least))?
            }
            Task::Instructions { most, least, named, of: None, program } => {
                self.with(*program, |slot, program| {
                    let count = count_of(named.as_deref(), program);
                    let words = format!("The {} has {}", called(slot), counted(count, named.as_deref()));
                    count_fault(count, (*most, *least), &words)
                })
            }
            Task::Text { usage, word, program } => self.with(*program, |slot, program| {
                let text = self.programs.get(slot).map(|compiled| &compiled.text[..]).unwrap_or_default();
                let found = line_of(word, program, text);
                match (usage, found) {
                    (Usage::Uses, None) => {
                        Some(Fault::new(format!("The {} does not use {word} yet.", called(slot))))
                    }
                    (Usage::Avoids, Some(line)) => {
                        Some(Fault::new(format!("The {} uses {word} on line {line}.", called(slot))))
                    }
                    (Usage::Uses, Some(_)) | (Usage::Avoids, None) => None,
                }
            }),
        })
    }

    /// Calls `look` with a program and returns its result. The default is the lesson's main program.
    fn with(&self, slot: Option<Slot>, look: impl FnOnce(Slot, &Program) -> Option<Fault>) -> Option<Fault> {
        let slot = slot.unwrap_or(self.reference.main);
        match self.programs.get(slot).and_then(|compiled| compiled.program.as_deref()) {
            Some(program) => look(slot, program),
            None => Some(Fault::new(format!("The scene has no {}.", called(slot)))),
        }
    }

    fn error(&self, code: &str, program: Option<Slot>) -> Option<Fault> {
        let asked = |slot: Slot| program.is_none_or(|program| program == slot);
        let all = || self.programs.iter().filter(|(slot, _)| asked(*slot));
        let has = |compiled: &Compiled| {
            compiled.diagnostics.iter().any(|found| found.code == code && found.severity == Severity::Error)
        };
        let other = all().find_map(|(_, compiled)| first_error(compiled, |found| found != code));
        match (all().any(|(_, compiled)| has(compiled)), other) {
            (true, None) => None,
            (true, Some((line, message))) => {
                Some(Fault::new(format!("There is also another error. Line {line}: {message}.")))
            }
            (false, Some((line, message))) => {
                Some(Fault::new(format!("Loading fails with a different error. Line {line}: {message}.")))
            }
            (false, None) => Some(Fault::new("All programs load without errors.")),
        }
    }

    /// Compares the value that the scene gives to a parameter.
    fn parameter(&self, key: &ParameterKey, value: &[f64], tolerance: f64) -> Option<Fault> {
        let settings = &self.job.scene.parameters;
        let Some(setting) = settings.iter().find(|setting| setting.key == *key) else {
            return Some(Fault::new(format!("The scene sets no value for `{key}`.")));
        };
        let number = |component: &Component| match *component {
            Component::Constant(value) => Some(f64::from(value)),
            Component::Int(value) => Some(f64::from(value)),
            Component::Uint(value) => Some(f64::from(value)),
            Component::Auto(_) | Component::Address(..) => None,
        };
        let is: Option<Vec<f64>> = setting.value.iter().take(value.len()).map(number).collect();
        let Some(is) = is else {
            let words = format!("The scene sets `{key}` to a computed value.");
            return Some(Fault::new(format!("{words} It should be {}.", vector(value))));
        };
        if distance(&is, value) <= tolerance {
            return None;
        }
        let (is, should) = pair(&is, value);
        Some(Fault::new(format!("The scene sets `{key}` to {is}. It should be {should}.")))
    }

    fn buffer(&self, name: &str, (first, value): (usize, &[f64]), tolerance: f64) -> Option<Fault> {
        let number = self.job.scene.buffers.iter().position(|buffer| buffer.name == name);
        let Some(number) = number else {
            return Some(Fault::new(format!("The scene has no buffer `{}`.", printable::line(name))));
        };
        let (buffer, held) =
            (&self.job.scene.buffers[number], self.frame.as_ref()?.memory.after.get(number)?);
        let name = printable::line(name);
        let (element, bytes) = (buffer.element, held.bytes());
        let mut elements = bytes.chunks_exact(element.bytes()).skip(first);
        for (index, &should) in value.iter().enumerate() {
            let Some(bytes) = elements.next() else {
                return Some(Fault::new(format!("`{name}` has no element {}.", first + index)));
            };
            let is = number_of(element.ty(), element.bits(bytes));
            if distance(&[is], &[should]) > tolerance {
                let (is, should) = pair(&[is], &[should]);
                let words = format!("`{name}[{}]` is {is} and should be {should}.", first + index);
                return Some(Fault::new(words));
            }
        }
        None
    }
}

fn passed_or(fault: Option<Fault>) -> Status {
    fault.map_or(Status::Passed, Status::Failed)
}

/// The fault of a `count` out of bounds. `words` begin the sentence.
pub(super) fn count_fault(
    count: usize,
    (most, least): (Option<usize>, Option<usize>),
    words: &str,
) -> Option<Fault> {
    if let Some(most) = most.filter(|most| count > *most) {
        let verb = if most == 1 { "is" } else { "are" };
        return Some(Fault::new(format!("{words}. At most {most} {verb} allowed.")));
    }
    let least = least.filter(|least| count < *least)?;
    let verb = if least == 1 { "is" } else { "are" };
    Some(Fault::new(format!("{words}. At least {least} {verb} needed.")))
}

/// The distance of two vectors: the greatest difference of a component. Two NaNs are equal; a NaN is
/// infinitely far from any other value.
pub(super) fn distance(is: &[f64], should: &[f64]) -> f64 {
    let apart = |(a, b): (&f64, &f64)| {
        if a == b || (a.is_nan() && b.is_nan()) {
            0.0
        } else {
            let apart = (a - b).abs();
            if apart.is_nan() { f64::INFINITY } else { apart }
        }
    };
    is.iter().zip(should).map(apart).fold(0.0, f64::max)
}

pub(super) fn number_of(ty: Type, bits: u64) -> f64 {
    match ty.value(bits) {
        Value::Single(value) => value.into(),
        Value::Double(value) => value,
        Value::Signed(value) => value as f64,
        Value::Unsigned(value) => value as f64,
    }
}
