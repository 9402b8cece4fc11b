//! Runs the checks of a lesson on what a learner has written, and tells what is wrong.

use super::words::{absence, instructions, masked, pair, seen};
use super::{Check, Invocation, Lesson, Task, Usage, Word};
use crate::format;
use crate::printable;
use crate::scene::{Programs, Scene, SceneError, Slot};
use crate::session::{self, Compiled, Frame, Job, Loaded, Pixel, RenderError, Threads};
use shadestep_engine::debug::{Recording, State, Subject};
use shadestep_engine::diag::{self, Severity};
use shadestep_engine::ir::{Components, Program, Type, Value};
use shadestep_engine::source::LineIndex;
use shadestep_engine::syntax::{Lexer, TokenKind, is_word_byte};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a learner has written.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The programs' texts.
    pub texts: Programs<Arc<[u8]>>,
    /// The scene in force, which counts where the lesson is about `scene.toml`.
    pub scene: Arc<Scene>,
}

/// What an answer is compared with.
#[derive(Debug)]
pub struct Reference {
    start: Arc<Scene>,
    solution: Arc<Scene>,
    edits_scene: bool,
    /// The program that the lesson is about.
    main: Slot,
    /// What the solution draws, where a check asks for that.
    picture: Option<Frame>,
}

impl Reference {
    /// That of `lesson`.
    ///
    /// # Errors
    /// A lesson whose start cannot be read, or whose solution cannot be read or drawn.
    pub fn of(lesson: &Lesson, threads: &Threads, cancel: &AtomicBool) -> Result<Self, RenderError> {
        let scene = |read: Result<Scene, SceneError>| read.map(Arc::new).map_err(RenderError::BadScene);
        let (start, solution) = (scene(lesson.start())?, scene(lesson.solved())?);
        let compares = lesson.checks.iter().any(|check| matches!(check.task, Task::Picture { .. }));
        let job = Job { time_secs: lesson.time_secs, ..Job::new(Arc::clone(&solution)) };
        let draw = || session::render(&session::compile_scene(&solution), &job, threads, cancel);
        let picture = if compares { Some(draw()?) } else { None };
        let main = lesson.main_program(&solution);
        Ok(Self { start, solution, edits_scene: lesson.edits_scene(), main, picture })
    }

    /// The scene that the learner begins with.
    pub fn start(&self) -> &Arc<Scene> {
        &self.start
    }

    /// The scene as it is when the lesson is solved.
    pub fn solution(&self) -> &Arc<Scene> {
        &self.solution
    }
}

/// What came of the checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Why programs do not run, which comes before all else; `None` where they do, or where one is to fail.
    pub fault: Option<Fault>,
    /// The checks, in the lesson's order.
    pub outcomes: Vec<Outcome>,
}

/// What came of one check.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What has to be so, one line with program text between backquotes.
    pub task: String,
    /// Whether it is.
    pub status: Status,
}

/// Whether something is as it has to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// It is.
    Passed,
    /// It is not.
    Failed(Fault),
    /// That cannot be told before the programs run.
    Waits,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The author's words; may be empty.
    pub says: String,
    /// What the checker has found, in words.
    pub facts: String,
    /// What to step through to see it.
    pub subject: Option<Subject>,
    /// The colour that is there and the one that should be, from 0 to 1.
    pub colors: Option<[[f32; 3]; 2]>,
}

impl Fault {
    fn new(facts: impl Into<String>) -> Self {
        Self { says: String::new(), facts: facts.into(), subject: None, colors: None }
    }

    fn at(self, subject: Subject) -> Self {
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

    /// Everything that is wrong, in the order in which it is told; with each what has to be so.
    pub fn faults(&self) -> impl Iterator<Item = (Option<&str>, &Fault)> {
        let failed = self.outcomes.iter().filter_map(|outcome| match &outcome.status {
            Status::Failed(fault) => Some((Some(outcome.task.as_str()), fault)),
            Status::Passed | Status::Waits => None,
        });
        self.fault.iter().map(|fault| (None, fault)).chain(failed)
    }

    /// How many checks have passed.
    pub fn passed(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.status == Status::Passed).count()
    }
}

/// Runs the checks of `lesson` on `answer`.
///
/// # Errors
/// [`RenderError::Cancelled`], soon after `cancel` became true. All else that goes wrong is in the report.
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
    let (mut fault, mut frame) = (load_fault(&programs).filter(|_| !fails), None);
    if fault.is_none() && lesson.checks.iter().any(|check| check.task.needs_programs()) {
        match session::render(&programs, &job, threads, cancel) {
            Ok(drawn) => frame = Some(drawn),
            Err(RenderError::Cancelled) => return Err(RenderError::Cancelled),
            Err(error) => fault = Some(Fault::new(format!("There is no picture: {error}."))),
        }
    }
    let trial = Trial { programs, job, frame, reference, cancel };
    let outcomes = lesson.checks.iter().map(|check| trial.outcome(check)).collect::<Result<_, _>>()?;
    Ok(Report { fault, outcomes })
}

/// The first error of the first program that does not load.
fn load_fault(programs: &Loaded) -> Option<Fault> {
    let (slot, compiled) = programs.iter().find(|(_, compiled)| compiled.program.is_none())?;
    Some(Fault::new(match first_error(compiled) {
        Some((line, message)) => format!("The {} does not load. Line {line}: {message}.", called(slot)),
        None => format!("The {} does not load.", called(slot)),
    }))
}

/// What a program is called behind "the".
fn called(slot: Slot) -> &'static str {
    slot.kind().trim_start_matches("a ")
}

/// Line and words of the first error.
fn first_error(compiled: &Compiled) -> Option<(usize, &str)> {
    let error = diag::first_error(&compiled.diagnostics)?;
    Some((LineIndex::new(&compiled.text).line_column(error.position).line, &error.message))
}

/// An answer that is checked.
struct Trial<'a> {
    programs: Loaded,
    job: Job,
    /// What it draws; `None` where programs do not run.
    frame: Option<Frame>,
    reference: &'a Reference,
    cancel: &'a AtomicBool,
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

    /// What is wrong with programs that run.
    fn run(&self, task: &Task) -> Result<Option<Fault>, RenderError> {
        Ok(match task {
            Task::Loads | Task::Error { .. } => None,
            Task::Picture { tolerance, rect } => self.picture(*tolerance, *rect),
            Task::Pixel { at, color, tolerance } => self.pixel(*at, color, *tolerance),
            Task::Register { name, components, of, value, line, tolerance } => {
                let (components, tolerance) = (*components, *tolerance);
                let wanted = Wanted { name, components, value, line: line.as_deref(), tolerance };
                self.register(*of, &wanted)?
            }
            Task::Buffer { name, first, value, tolerance } => {
                self.buffer(name, (*first as usize, value), *tolerance)
            }
            Task::Instructions { most, least, of: Some(of), .. } => {
                let recording = match self.recording(*of)? {
                    Ok(recording) => recording,
                    Err(fault) => return Ok(Some(fault)),
                };
                let count = recording.len();
                let words = format!("At {of} the program executes {}", instructions(count));
                count_fault(count, (*most, *least), &words).map(|fault| fault.at(subject(*of)))
            }
            Task::Instructions { most, least, of: None, program } => self.with(*program, |slot, program| {
                let count = program.instructions.len();
                count_fault(
                    count,
                    (*most, *least),
                    &format!("The {} has {}", called(slot), instructions(count)),
                )
            }),
            Task::Text { usage, word, program } => self.with(*program, |slot, program| {
                let text = self.programs.get(slot).map(|compiled| &compiled.text[..]).unwrap_or_default();
                let found = line_of(word, program, text);
                match (usage, found) {
                    (Usage::Uses, None) => {
                        Some(Fault::new(format!("The {} does not use {word} yet.", called(slot))))
                    }
                    (Usage::Avoids, Some(line)) => {
                        Some(Fault::new(format!("The {} uses {word} in line {line}.", called(slot))))
                    }
                    (Usage::Uses, Some(_)) | (Usage::Avoids, None) => None,
                }
            }),
        })
    }

    /// What `look` finds in a program, the main one if none is named.
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
        if all().any(|(_, compiled)| has(compiled)) {
            return None;
        }
        let failed = all().find_map(|(_, compiled)| first_error(compiled));
        Some(Fault::new(match failed {
            Some((line, message)) => {
                format!("Loading fails, but for another reason. Line {line}: {message}.")
            }
            None => "Everything loads.".to_owned(),
        }))
    }

    fn picture(&self, tolerance: f64, rect: Option<[u32; 4]>) -> Option<Fault> {
        let (frame, solution) = (self.frame.as_ref()?, self.reference.picture.as_ref()?);
        let [width, height] = frame.size();
        let [left, bottom, across, up] = rect.unwrap_or([0, 0, width, height]);
        let (right, top) = (left.saturating_add(across).min(width), bottom.saturating_add(up).min(height));
        let (mut count, mut total, mut worst) = (0_u64, 0_u64, (0.0, [0, 0]));
        for at in (bottom..top).flat_map(|y| (left..right).map(move |x| [x, y])) {
            let (Some(is), Some(should)) = (frame.pixel(at), solution.pixel(at)) else { continue };
            let distance = distance(&seen(&is), &seen(&should));
            total += 1;
            count += u64::from(distance > tolerance);
            if distance > worst.0 {
                worst = (distance, at);
            }
        }
        if count == 0 {
            return None;
        }
        let at @ [x, y] = worst.1;
        let (is, should) = (frame.pixel(at)?, solution.pixel(at)?);
        let [is_words, should_words] = told(&is, &should);
        let facts = if count == 1 {
            format!("One pixel differs, ({x}, {y}): it is {is_words} and should be {should_words}.")
        } else {
            let (count, total) = (format::count(count), format::count(total));
            format!(
                "{count} of {total} pixels differ, most of all ({x}, {y}): it is {is_words} and should be {should_words}."
            )
        };
        let colors = [&is, &should].map(|pixel| seen(pixel).map(|component| component as f32));
        Some(Fault { colors: Some(colors), ..Fault::new(facts).at(Subject::Pixel(at)) })
    }

    fn pixel(&self, at: [u32; 2], color: &[f64], tolerance: f64) -> Option<Fault> {
        let [x, y] = at;
        let frame = self.frame.as_ref()?;
        let Some(pixel) = frame.pixel(at) else {
            return Some(Fault::new(format!("The picture has no pixel ({x}, {y}).")));
        };
        let is: Vec<f64> =
            pixel.color.iter().map(|component| f64::from(*component)).take(color.len()).collect();
        if distance(&is, color) <= tolerance {
            return None;
        }
        let (is_words, should_words) = pair(&is, color);
        let state = absence(pixel.status).map_or_else(String::new, |why| format!(" ({why})"));
        let facts = format!("Pixel ({x}, {y}) is {is_words}{state} and should be {should_words}.");
        let mut shown = [pixel.color, [0.0; 4]].map(|[red, green, blue, _]| [red, green, blue]);
        shown[1].iter_mut().zip(color).for_each(|(out, component)| *out = *component as f32);
        let colors = (color.len() >= 3).then_some(shown);
        Some(Fault { colors, ..Fault::new(facts).at(Subject::Pixel(at)) })
    }

    /// The run of an invocation, or why there is none.
    fn recording(&self, of: Invocation) -> Result<Result<Arc<Recording>, Fault>, RenderError> {
        let none = |words: &str| Ok(Err(Fault::new(format!("At {of} {words}.")).at(subject(of))));
        match of {
            Invocation::Pixel(at) => {
                let fragments = match session::record(
                    &self.programs,
                    (&self.job, self.frame.as_ref()),
                    at,
                    None,
                    self.cancel,
                ) {
                    Ok(fragments) => fragments,
                    Err(RenderError::Cancelled) => return Err(RenderError::Cancelled),
                    Err(error) => return none(&format!("nothing can be stepped through: {error}")),
                };
                let chosen = fragments.chosen(None).and_then(|index| fragments.get(index));
                match chosen.and_then(|fragment| fragment.recording.clone()) {
                    Some(recording) => Ok(Ok(recording)),
                    None => none("no fragment program runs"),
                }
            }
            Invocation::Vertex(element) => {
                match session::record_vertex(&self.programs, &self.job, element, self.cancel) {
                    Ok(vertex) => Ok(Ok(vertex.recording)),
                    Err(RenderError::Cancelled) => Err(RenderError::Cancelled),
                    Err(error) => none(&format!("nothing can be stepped through: {error}")),
                }
            }
        }
    }

    fn register(&self, of: Invocation, wanted: &Wanted<'_>) -> Result<Option<Fault>, RenderError> {
        let recording = match self.recording(of)? {
            Ok(recording) => recording,
            Err(fault) => return Ok(Some(fault)),
        };
        let slot = match of {
            Invocation::Pixel(_) => Slot::Fragment,
            Invocation::Vertex(_) => Slot::Vertex,
        };
        let text = self.programs.get(slot).map(|compiled| &compiled.text[..]).unwrap_or_default();
        Ok(wanted.fault(&recording, text).map(|facts| Fault::new(format!("At {of} {facts}")).at(subject(of))))
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

/// A register that is to have a value.
struct Wanted<'a> {
    name: &'a str,
    components: u8,
    value: &'a [f64],
    line: Option<&'a str>,
    tolerance: f64,
}

impl Wanted<'_> {
    /// What is wrong in a run of the program whose text is `text`; a sentence without its beginning.
    fn fault(&self, recording: &Recording, text: &[u8]) -> Option<String> {
        let program = recording.program();
        let position = match self.line.map(|line| position_of(line, recording, text)) {
            Some(Ok(position)) => position,
            Some(Err(words)) => return Some(words),
            None => recording.len(),
        };
        let state = recording.state_at(position);
        let Some((bits, types, defined)) = find_register(self.name, program, &state) else {
            let name = printable::line(self.name);
            return Some(format!("there is no register `{name}`: the program never uses it."));
        };
        let components = (0..4).filter(|c| self.components >> c & 1 != 0);
        let is: Vec<f64> = components.map(|c| number_of(types[c], bits[c])).collect();
        if distance(&is, self.value) <= self.tolerance {
            return None;
        }
        let name = masked(self.name, self.components);
        let place = self.line.map_or_else(String::new, |line| {
            format!(", where the run comes to `{}`,", printable::line(line))
        });
        let unwritten = match self.components & !defined {
            0 => String::new(),
            unwritten => format!(" Nothing has been written into its {}.", format::letters(unwritten)),
        };
        let (is, should) = pair(&is, self.value);
        Some(format!("`{name}`{place} is {is} and should be {should}.{unwritten}"))
    }
}

/// Where a run first comes to the line that has `piece`, or why it does not; a sentence without its beginning.
fn position_of(piece: &str, recording: &Recording, text: &[u8]) -> Result<usize, String> {
    let text = String::from_utf8_lossy(text);
    let Some(at) = text.find(piece) else {
        let piece = printable::line(piece);
        return Err(format!("one cannot look: the line with `{piece}` is gone. Put it back."));
    };
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let instructions = &recording.program().instructions;
    let Some(index) = instructions.iter().position(|instruction| instruction.span.start >= start) else {
        return Ok(recording.len());
    };
    let found = recording.all_steps().position(|step| step.pc == index);
    found.ok_or_else(|| format!("the run never comes to the line with `{}`.", printable::line(piece)))
}

/// Bits, types and defined components of the temporary or output called `name`.
fn find_register(name: &str, program: &Program, state: &State) -> Option<(Components, [Type; 4], u8)> {
    let temporary = program.temporaries.iter().position(|temporary| temporary.name == name);
    if let Some(index) = temporary {
        let (bits, types) = (state.temporaries[index], state.temporaries_types[index]);
        return Some((bits, types, state.temporaries_defined[index]));
    }
    let index = program.outputs.iter().position(|output| output.name == name)?;
    Some((state.outputs[index], state.outputs_types[index], state.outputs_defined[index]))
}

/// The line, from 1, of the first place where `program` has `word`.
fn line_of(word: &Word, program: &Program, text: &[u8]) -> Option<usize> {
    let line = |at: usize| LineIndex::new(text).line_column(at).line;
    let instructions = &program.instructions;
    match word {
        Word::Instruction(name) => {
            let found = instructions.iter().find(|instruction| instruction.op.info().mnemonic == name)?;
            Some(line(found.span.start))
        }
        Word::Suffix(suffix) => {
            let found = instructions.iter().find(|instruction| {
                let written = String::from_utf8_lossy(instruction.mnemonic_span.slice(text));
                has_suffix(&written, instruction.op.info().mnemonic, suffix)
            })?;
            Some(line(found.span.start))
        }
        Word::Register(name) => {
            let temporary = program.temporaries.iter().any(|temporary| temporary.name == *name);
            let there = temporary || program.outputs.iter().any(|output| output.name == *name);
            there.then(|| line(place_of(name, text).unwrap_or(0)))
        }
    }
}

/// Where `name` first stands in `text` by itself, outside of comments.
fn place_of(name: &str, text: &[u8]) -> Option<usize> {
    let tokens = Lexer::new(text).filter(|token| token.kind != TokenKind::Comment);
    tokens.map(|token| token.span.start).find(|&at| {
        text[at..].starts_with(name.as_bytes())
            && !text.get(at + name.len()).is_some_and(|byte| is_word_byte(*byte))
    })
}

/// Whether `written`, an instruction's name with its suffixes, has `suffix`. Letters of precision and `C` of NVIDIA's own
/// languages stand together behind the name.
fn has_suffix(written: &str, mnemonic: &str, suffix: &str) -> bool {
    let Some(rest) = written.strip_prefix(mnemonic) else { return false };
    let mut pieces = rest.split(['_', '.']);
    let letters = pieces.next().unwrap_or_default();
    pieces.any(|piece| piece == suffix)
        || letters.chars().any(|letter| *suffix == *letter.encode_utf8(&mut [0; 4]))
}

const fn subject(of: Invocation) -> Subject {
    match of {
        Invocation::Pixel(at) => Subject::Pixel(at),
        Invocation::Vertex(element) => Subject::Vertex(element),
    }
}

fn passed_or(fault: Option<Fault>) -> Status {
    fault.map_or(Status::Passed, Status::Failed)
}

/// That `count` is out of bounds, if so; `words` tell it without their end.
fn count_fault(count: usize, (most, least): (Option<usize>, Option<usize>), words: &str) -> Option<Fault> {
    if let Some(most) = most.filter(|most| count > *most) {
        return Some(Fault::new(format!("{words}; at most {most} are allowed.")));
    }
    let least = least.filter(|least| count < *least)?;
    Some(Fault::new(format!("{words}; there have to be at least {least}.")))
}

/// How far two vectors are apart: the most that a component is. A NaN is a NaN, and infinitely far from all else.
fn distance(is: &[f64], should: &[f64]) -> f64 {
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

fn number_of(ty: Type, bits: u64) -> f64 {
    match ty.value(bits) {
        Value::Single(value) => value.into(),
        Value::Double(value) => value,
        Value::Signed(value) => value as f64,
        Value::Unsigned(value) => value as f64,
    }
}

/// Two pixels in words: colours, or why there is none.
fn told(is: &Pixel, should: &Pixel) -> [String; 2] {
    let (is_color, should_color) = pair(&seen(is), &seen(should));
    let words = |pixel: &Pixel, color: String| match absence(pixel.status) {
        None => color,
        Some(why) => format!("{why}, so {color}"),
    };
    [words(is, is_color), words(should, should_color)]
}
