//! Checks slices against changed runs. A change outside of a value's backward slice must leave the value as
//! it is. Every effect of a change must be in its forward slice.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use shadestep_core::exec::{
    AttributeLanes, Bindings, Finished, InstructionLimit, QUAD, QuadInputs, run_patch, run_quad_within,
    run_vertex_within,
};
use shadestep_engine::debug::ancestry::{Ancestry, Goal, ValueAt};
use shadestep_engine::debug::expression::Place;
use shadestep_engine::debug::{Edit, Ended, Recording, Register, Step};
use shadestep_engine::ir::{Attribute, Components, OutputRole, Program, disassemble};
use shadestep_engine::isa::{Language, Stage};

use super::random::Random;
use super::{arb, effects, patches, replay, trials, typed, vertex};

/// Number of program kinds.
pub const KINDS: usize = 8;

/// Number of changes to try for each goal.
const CHANGES: usize = 6;

/// The longest run that a trial uses, in instructions.
const LONGEST: InstructionLimit = InstructionLimit(1500);

/// The time limit for a changed run.
const PATIENCE: Duration = Duration::from_millis(500);

/// Counts of the cases that the trials covered.
#[derive(Debug, Default)]
pub struct Counts {
    /// Runs of each kind of program.
    runs: [usize; KINDS],
    /// Changed components outside of a backward slice, by kind of program.
    changed: [usize; KINDS],
    /// Changes after which the program executed other instructions.
    diverged: usize,
    /// Changed attributes outside of a backward slice.
    attributes: usize,
    /// Values outside of the result's backward slice.
    unreached: usize,
}

/// All counts in one list.
impl From<&Counts> for Vec<usize> {
    fn from(counts: &Counts) -> Self {
        let others = [counts.diverged, counts.attributes, counts.unreached];
        counts.runs.iter().chain(&counts.changed).chain(&others).copied().collect()
    }
}

/// The recording of a random program of a kind. Returns `None` if the program reaches its limit of
/// [`LONGEST`] instructions.
fn recording(random: &mut Random, kind: usize) -> Option<Recording> {
    let length = 2 + random.below(20);
    let value = if random.chance(2) { Random::value } else { Random::tame_value };
    let (program, bindings, attributes) = match kind {
        0 | 1 => replay::made(random),
        2 => {
            let program = Arc::new(vertex::branching(random, length));
            let bindings = vertex::bindings(random, &program, value);
            let attributes = vertex::attributes(random, value);
            (program, bindings, attributes)
        }
        3 => {
            let mut program = arb::flowing(random, Language::ArbFp1Nv2, length);
            typed::make_typed(random, &mut program);
            typed::make_free(random, &mut program);
            typed::make_evaluating(random, &mut program);
            typed::make_textured(random, &mut program);
            let program = Arc::new(program);
            let mut bindings = arb::bindings(random, &program, value);
            typed::bind_integers(random, &program, &mut bindings);
            let mut attributes = arb::attributes(random, value);
            typed::vary(random, &mut attributes);
            (program, bindings, attributes)
        }
        4 => {
            let language = *random.pick(&[Language::ArbFp1Nv2, Language::ArbVp1Nv2]);
            let mut program = arb::flowing(random, language, length);
            trials::make_indirect(random, &mut program);
            let program = Arc::new(program);
            let bindings = arb::bindings(random, &program, value);
            (program, bindings, arb::attributes(random, value))
        }
        5 => effects::of_vertices(random),
        6 => effects::of_fragments(random),
        _ => return patch(random),
    };
    let lane = random.below(QUAD);
    if !ends(&program, &bindings, &attributes, lane) {
        return None;
    }
    Some(replay::record(&program, bindings, &attributes, lane).0)
}

/// Returns true if a lane ends before [`LONGEST`] instructions.
fn ends(program: &Arc<Program>, bindings: &Bindings, attributes: &AttributeLanes, lane: usize) -> bool {
    let memory = bindings.memory.snapshot();
    let bindings = Bindings { memory: memory.into(), ..bindings.clone() };
    let end = if program.stage() == Stage::Fragment {
        let mut inputs = QuadInputs::default();
        for attribute in Attribute::VERTEX {
            let value = |lane: usize| std::array::from_fn(|c| attributes.register(attribute, c).0[lane]);
            inputs.attributes[attribute.index()] = std::array::from_fn(value);
        }
        let all = run_quad_within(program, &bindings, &inputs, LONGEST);
        all.into_iter().nth(lane)
    } else {
        Some(run_vertex_within(program, &bindings, &attributes.vertex(lane), LONGEST))
    };
    end.is_some_and(|end| has_ended(&end))
}

fn has_ended(end: &Finished) -> bool {
    end.ended == Ended::Normal && end.executed > 0
}

fn patch(random: &mut Random) -> Option<Recording> {
    let vertices = *random.pick(&[1, 2, 3, 4, 5]);
    let text = patches::program(random, vertices);
    let program = Arc::new(shadestep_engine::front::load(text.as_bytes()).program?);
    let bindings = Bindings::initial(&program);
    let inputs = patches::inputs(random, &program, 1).pop()?;
    let invocation = random.below(vertices.into()) as u8;
    let ends = run_patch(&program, &bindings, &inputs, LONGEST);
    if !ends.iter().all(has_ended) {
        return None;
    }
    let never = AtomicBool::new(false);
    Recording::of_patch(&program, &Arc::new(bindings), &inputs, (0, invocation), &never).ok()
}

/// The value of a goal at the end of a run: its bits, and for the result also the discard and the number of
/// marks.
fn result(recording: &Recording, goal: Goal) -> (Vec<u64>, bool, usize) {
    match goal {
        Goal::Value(value) => {
            let state = recording.state_at(value.position.min(recording.len()));
            let c = usize::from(value.component);
            let bits = match value.place {
                Place::Temp(id) => state.temporaries[usize::from(id.0)][c],
                Place::Output(id) => state.outputs[usize::from(id.0)][c],
                Place::Param(id) => state.parameters[usize::from(id.0)][c],
                Place::Flags(register) => state.cc[register.index()][c].0.into(),
                Place::Attribute(attribute) => state.attribute(attribute)[c],
            };
            (vec![bits], false, 0)
        }
        Goal::Result => {
            let mut bits = Vec::new();
            for (output, value) in recording.program().outputs.iter().zip(&recording.outputs) {
                let depth = output.role == OutputRole::Depth;
                bits.extend(
                    value.iter().enumerate().filter(|(c, _)| !depth || *c == 2).map(|(_, bits)| *bits),
                );
            }
            for vertex in 0..recording.emitted.len() {
                bits.extend(recording.emitted.results(vertex).iter().flat_map(|value: &Components| value));
            }
            let marks = recording.emitted.marks();
            bits.extend(
                marks.iter().map(|mark| u64::from(matches!(mark, shadestep_core::exec::Mark::EndPrimitive))),
            );
            (bits, recording.killed, marks.len())
        }
    }
}

/// Random bits for a register. Integers are small, because loops of the newer languages count up to 2^24.
fn bits(random: &mut Random, program: &Program, place: Place) -> u64 {
    let ty = match place {
        Place::Attribute(attribute) => Some(attribute.ty()),
        _ => place.source().map(|source| program.source_type(source)),
    };
    if ty.is_some_and(|ty| ty.is_integer()) {
        return random.below(6) as u64;
    }
    match random.below(4) {
        0 => random.next(),
        1 => random.below(6) as u64,
        2 => random.tame_value().to_bits().into(),
        _ => random.value().to_bits().into(),
    }
}

const fn place_of(register: Register) -> Place {
    match register {
        Register::Temp(id) => Place::Temp(id),
        Register::Output(id) => Place::Output(id),
        Register::Param(id) => Place::Param(id),
    }
}

/// The components and condition codes that a step changed.
fn changes(step: &Step) -> Vec<(Place, u8, u64)> {
    let registers =
        step.changes.iter().map(|change| (place_of(change.place), change.component, change.after));
    let mut changes: Vec<_> = registers.collect();
    for register in shadestep_engine::ir::CcRegister::ALL {
        for c in 0..4 {
            let after = step.cc_after[register.index()][c];
            if after != step.cc_before[register.index()][c] {
                changes.push((Place::Flags(register), c as u8, after.0.into()));
            }
        }
    }
    changes
}

/// Repeats the run with a change. Returns `None` if the changed run does not end within [`PATIENCE`]: if the
/// change hits a loop counter, the loop can run for 2^24 instructions or for ever.
fn changed(recording: &Recording, edit: Edit) -> Option<Recording> {
    let cancel = AtomicBool::new(false);
    let (done, ended) = mpsc::channel::<()>();
    let changed = thread::scope(|scope| {
        let cancel = &cancel;
        scope.spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                cancel.store(true, Ordering::Relaxed);
            }
        });
        let changed = recording.with_edits(&[edit], cancel);
        drop(done);
        changed
    });
    changed.ok().filter(|changed| changed.ended == Ended::Normal)
}

/// Runs one trial with a program of a kind.
pub fn trial(seed: u64, kind: usize, random: &mut Random, counts: &mut Counts) {
    let Some(recording) = recording(random, kind) else { return };
    if recording.ended != Ended::Normal {
        return;
    }
    counts.runs[kind] += 1;
    let steps: Vec<Step> = recording.all_steps().collect();
    let all: Vec<(usize, Place, u8)> = steps
        .iter()
        .enumerate()
        .flat_map(|(position, step)| {
            changes(step).into_iter().map(move |(place, component, _)| (position, place, component))
        })
        .collect();
    let mut goals = vec![Goal::Result];
    if !all.is_empty() {
        for position in [recording.len(), random.below(recording.len() + 1)] {
            let &(_, place, component) = random.pick(&all);
            goals.push(Goal::Value(ValueAt { position, place, component }));
        }
    }
    let trial = Trial { seed, kind, recording: &recording, steps: &steps, all: &all };
    for goal in goals {
        trial.backward(random, goal, counts);
    }
    trial.forward(random, counts);
}

struct Trial<'a> {
    seed: u64,
    kind: usize,
    recording: &'a Recording,
    steps: &'a [Step],
    /// Every write of the run: step, place and component.
    all: &'a [(usize, Place, u8)],
}

impl Trial<'_> {
    /// Returns true if the first `count` steps of another run execute the same instructions.
    fn goes_along(&self, other: &Recording, count: usize) -> bool {
        other.len() >= count && other.steps(0..count).zip(self.steps).all(|(other, step)| other.pc == step.pc)
    }

    fn backward(&self, random: &mut Random, goal: Goal, counts: &mut Counts) {
        let recording = self.recording;
        let ancestry = Ancestry::backward(recording, goal, &AtomicBool::new(false)).expect("runs are short");
        let before = match goal {
            Goal::Value(value) if value.position < recording.len() => Some(value.position),
            Goal::Value(_) | Goal::Result => None,
        };
        let expected = result(recording, goal);
        let is_outside = |&(position, place, component): &(usize, Place, u8)| {
            let part = ancestry.part(position);
            let written = part.and_then(|part| part.written.iter().find(|(other, _)| *other == place));
            written.is_none_or(|(_, mask)| mask >> component & 1 == 0)
                && before.is_none_or(|before| position < before)
        };
        let outside: Vec<_> = self.all.iter().copied().filter(is_outside).collect();
        let mut edits = Vec::new();
        for _ in 0..CHANGES.min(outside.len()) {
            let &(position, place, component) = random.pick(&outside);
            edits.push(Edit {
                position: position + 1,
                place,
                component,
                bits: bits(random, recording.program(), place),
            });
            counts.changed[self.kind] += 1;
        }
        let attributes = recording.program().attributes();
        let mut components: Vec<(Attribute, u8)> =
            attributes.iter().flat_map(|&attribute| (0..4).map(move |c| (attribute, c))).collect();
        components.retain(|(attribute, c)| {
            let inside = ancestry.attributes.iter().find(|(other, _)| other == attribute);
            attribute.output().is_none() && inside.is_none_or(|(_, mask)| mask >> c & 1 == 0)
        });
        for _ in 0..2.min(components.len()) {
            let &(attribute, component) = random.pick(&components);
            let place = Place::Attribute(attribute);
            edits.push(Edit {
                position: 0,
                place,
                component,
                bits: bits(random, recording.program(), place),
            });
            counts.attributes += 1;
        }
        for edit in edits {
            let Some(other) = changed(recording, edit) else { continue };
            counts.diverged += usize::from(!self.goes_along(&other, recording.len()));
            let goal = match (goal, before) {
                // A position means the same in both runs only after the same instructions.
                (_, Some(before)) if !self.goes_along(&other, before) => continue,
                (Goal::Value(value), None) => Goal::Value(ValueAt { position: usize::MAX, ..value }),
                (goal, _) => goal,
            };
            let found = result(&other, goal);
            assert!(found == expected, "{}", self.told(&format!(
                "{edit:?} changes {goal:?} from {expected:x?} to {found:x?}, which came from {ancestry:#?}"
            )));
        }
    }

    fn forward(&self, random: &mut Random, counts: &mut Counts) {
        let recording = self.recording;
        for _ in 0..3 {
            let Some(&(written, place, component)) = (!self.all.is_empty()).then(|| random.pick(self.all))
            else {
                return;
            };
            let position = match random.below(3) {
                0 => random.below(recording.len() + 1),
                _ => written + 1,
            };
            let value = ValueAt { position, place, component };
            let never = AtomicBool::new(false);
            let reached = Ancestry::forward(recording, value, &never).expect("runs are short");
            counts.unreached += usize::from(!reached.reaches_result);
            let edit = Edit { position, place, component, bits: bits(random, recording.program(), place) };
            let Some(other) = changed(recording, edit) else { continue };
            if !reached.reaches_result {
                let [expected, found] = [recording, &other].map(|run| result(run, Goal::Result));
                assert!(found == expected, "{}", self.told(&format!(
                    "{edit:?} changes the result from {expected:x?} to {found:x?} and reaches {reached:#?}"
                )));
            }
            if reached.parts.iter().any(|part| part.decides) {
                continue;
            }
            assert!(
                self.goes_along(&other, recording.len()),
                "{}",
                self.told(&format!("{edit:?} leads elsewhere and reaches {reached:#?}"))
            );
            for (position, (step, other)) in self.steps.iter().zip(other.all_steps()).enumerate() {
                let part = reached.part(position);
                let inside = |place: Place, c: u8| {
                    let written = part.and_then(|part| part.written.iter().find(|(p, _)| *p == place));
                    written.is_some_and(|(_, mask)| mask >> c & 1 != 0)
                };
                for change in &step.changes {
                    let place = place_of(change.place);
                    let same = |other: &&shadestep_engine::debug::Change| {
                        (other.place, other.component) == (change.place, change.component)
                    };
                    let found = other.changes.iter().find(same).map(|other| other.after);
                    assert!(
                        inside(place, change.component) || found == Some(change.after),
                        "{}",
                        self.told(&format!("{edit:?} changes step {position} and reaches {reached:#?}"))
                    );
                }
            }
        }
    }

    fn told(&self, what: &str) -> String {
        let Self { seed, kind, recording, .. } = self;
        let pcs: Vec<usize> = self.steps.iter().map(|step| step.pc).collect();
        format!("seed {seed}, kind {kind}: {what}\nsteps {pcs:?}\n{}", disassemble(recording.program()))
    }
}
