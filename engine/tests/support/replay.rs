//! Checks recordings against runs. A recording must return the same steps as the run, in whatever order a
//! test reads them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shadestep_core::debug::{
    Change, Cursor, LoopEffect, Recording, Register, StackEffect, StackEntry, State, Step,
};
use shadestep_core::exec::{
    AttributeLanes, Bindings, Finished, InstructionLimit, QUAD, QuadInputs, Registers, run_quad_within,
    run_vertex_within,
};
use shadestep_engine::ir::{Attribute, Program};
use shadestep_engine::isa::{Language, Stage};

use super::random::{self, Random};
use super::{arb, typed, vertex};

/// The number of positions that a test looks at in longer runs.
const POSITIONS: usize = 48;

/// A random program and its inputs.
pub fn made(random: &mut Random) -> (Arc<Program>, Bindings, AttributeLanes) {
    let length = 2 + random.below(24);
    let structured = [Language::ArbFp1Nv2, Language::ArbVp1Nv2, Language::ArbVp1Nv3];
    match random.below(4) {
        0 => {
            let program = Arc::new(random::program(random, length));
            let bindings = random::bindings(random, &program);
            (program, bindings, random::attributes(random, Random::value))
        }
        1 => {
            let program = Arc::new(vertex::branching(random, length));
            let bindings = vertex::bindings(random, &program, Random::value);
            (program, bindings, vertex::attributes(random, Random::value))
        }
        _ => {
            let language = *random.pick(&structured);
            let mut program = arb::flowing(random, language, length);
            if random.chance(2) {
                typed::make_typed(random, &mut program);
                typed::make_free(random, &mut program);
            }
            let program = Arc::new(program);
            let bindings = arb::bindings(random, &program, Random::value);
            (program, bindings, arb::attributes(random, Random::value))
        }
    }
}

/// Runs one trial.
pub fn trial(seed: u64, random: &mut Random) {
    let (program, bindings, attributes) = made(random);
    let lane = random.below(QUAD);
    let (recording, end) = record(&program, bindings, &attributes, lane);
    assert_eq!((recording.len(), recording.ended), (end.executed as usize, end.ended), "seed {seed}");
    assert_eq!(recording.outputs, end.registers.outputs, "seed {seed}");
    assert_eq!(recording.killed, end.registers.killed, "seed {seed}");
    let stride = recording.len() / POSITIONS + 1;
    let (mut walk, last) = sequence(&recording, stride);
    check_end(seed, &last, &end.registers);
    // Positions in random order, each several times, so that the cursor's cache sometimes helps and sometimes
    // does not.
    for _ in 0..2 * walk.len() {
        let (a, b) = (random.below(walk.len()), random.below(walk.len()));
        walk.swap(a, b);
    }
    let mut cursor = Cursor::new(&recording);
    for (position, state, step) in &walk {
        cursor.seek(&recording, *position);
        assert_eq!(cursor.state(), state, "seed {seed}, position {position}");
        assert_eq!(told(cursor.current()), told(step.as_ref()), "seed {seed}, step {position}");
        if let Some(after) = cursor.current().cloned() {
            cursor.seek(&recording, position + 1);
            assert_eq!(told(cursor.previous()), told(Some(&after)), "seed {seed}, behind step {position}");
        }
    }
    if let Some((position, state, step)) = walk.first() {
        assert_eq!(recording.state_at(*position), *state, "seed {seed}");
        let alone = recording.steps(*position..position + 1).next();
        assert_eq!(told(alone.as_ref()), told(step.as_ref()), "seed {seed}");
    }
    check_searches(seed, random, &recording, &mut cursor);
}

/// The recording of a lane, and the end of the same lane in a run without a recording.
pub fn record(
    program: &Arc<Program>,
    bindings: Bindings,
    attributes: &AttributeLanes,
    lane: usize,
) -> (Recording, Finished) {
    let (never, limit) = (AtomicBool::new(false), InstructionLimit::of(program));
    let value = |attribute: Attribute, lane: usize| {
        std::array::from_fn(|c| attributes.register(attribute, c).0[lane])
    };
    let shared = Arc::new(bindings);
    if program.stage() == Stage::Fragment {
        let mut inputs = QuadInputs::default();
        for attribute in Attribute::VERTEX {
            inputs.attributes[attribute.index()] = std::array::from_fn(|lane| value(attribute, lane));
        }
        let [a, b, c, d] = run_quad_within(program, &shared, &inputs, limit);
        let end = [a, b, c, d].into_iter().nth(lane).expect("four lanes");
        let recording = Recording::of_fragment(program, &shared, inputs, (lane, [0, 0]), &never);
        return (recording.expect("nobody cancels"), end);
    }
    let inputs = attributes.vertex(lane);
    let end = run_vertex_within(program, &shared, &inputs, limit);
    let recording = Recording::of_vertex(program, &shared, &inputs, 0, &never);
    (recording.expect("nobody cancels"), end)
}

type Position = (usize, State, Option<Step>);

/// Applies the steps one by one. Returns the state and the step at every `stride`th position and at the end,
/// and the final state.
fn sequence(recording: &Recording, stride: usize) -> (Vec<Position>, State) {
    let mut state = recording.state_at(0);
    let mut walk = Vec::new();
    let mut count = 0;
    for (position, step) in recording.all_steps().enumerate() {
        count += 1;
        assert_eq!(usize::from(step.nesting_before), state.nesting());
        let kept = position % stride == 0;
        let before = kept.then(|| state.clone());
        take(&step, &mut state);
        assert_eq!(usize::from(step.nesting_after), state.nesting());
        walk.extend(before.map(|before| (position, before, Some(step))));
    }
    assert_eq!(count, recording.len());
    walk.push((count, state.clone(), None));
    (walk, state)
}

/// Applies `step` to `state`.
fn take(step: &Step, state: &mut State) {
    for change in &step.changes {
        put(change, state);
    }
    assert_eq!(step.cc_before, state.cc);
    state.cc = step.cc_after;
    match step.stack {
        StackEffect::Push(back) => state.call_stack.push(StackEntry::Return(back)),
        StackEffect::PushAddress(bits) => state.call_stack.push(StackEntry::Address(bits)),
        StackEffect::Pop(back) => assert_eq!(state.call_stack.pop(), Some(StackEntry::Return(back))),
        StackEffect::PopAddress(bits) => assert_eq!(state.call_stack.pop(), Some(StackEntry::Address(bits))),
        StackEffect::None | StackEffect::Overflow | StackEffect::Underflow | StackEffect::Mismatch => {}
    }
    match &step.loops {
        LoopEffect::None => {}
        LoopEffect::Enter(frame) => state.loops.push(*frame),
        LoopEffect::Round { before, after } => {
            assert_eq!(state.loops.pop(), Some(*before));
            state.loops.push(*after);
        }
        LoopEffect::Leave(left) => {
            let remaining = state.loops.len() - left.len();
            assert_eq!(&state.loops.split_off(remaining), left);
        }
    }
    state.if_depth = step.if_depth;
    assert!(!(step.kills && state.killed), "a step kills only what was alive");
    state.killed |= step.kills;
}

fn put(change: &Change, state: &mut State) {
    let component = usize::from(change.component);
    let (register, rest) = match change.place {
        Register::Temp(id) => {
            let id = usize::from(id.0);
            let rest = (&mut state.temporaries_defined[id], &mut state.temporaries_types[id]);
            (&mut state.temporaries[id], Some(rest))
        }
        Register::Output(id) => {
            let id = usize::from(id.0);
            let rest = (&mut state.outputs_defined[id], &mut state.outputs_types[id]);
            (&mut state.outputs[id], Some(rest))
        }
        Register::Param(id) => (&mut state.parameters[usize::from(id.0)], None),
    };
    assert_eq!(register[component], change.before);
    register[component] = change.after;
    if let Some((defined, types)) = rest {
        assert_eq!(types[component], change.type_before);
        types[component] = change.type_after;
        assert_eq!(*defined >> component & 1 == 0, change.was_undefined);
        *defined = *defined & !(1 << component) | u8::from(!change.is_undefined) << component;
    }
}

/// A step in a form that compares bit for bit, because the numbers of a lookup may be NaN.
fn told(step: Option<&Step>) -> Option<(Step, [u32; 4])> {
    let mut step = step?.clone();
    let mut numbers = [0; 4];
    if let Some(texture) = &mut step.texture {
        let [s, t, r, _] = texture.coordinates;
        numbers = [s, t, r, texture.lambda].map(f32::to_bits);
        (texture.coordinates, texture.lambda) = ([0.0; 4], 0.0);
    }
    Some((step, numbers))
}

fn check_end(seed: u64, last: &State, registers: &Registers) {
    assert_eq!(last.temporaries, registers.temporaries, "seed {seed}");
    assert_eq!(last.outputs, registers.outputs, "seed {seed}");
    assert_eq!(last.temporaries_defined, registers.temporaries_defined, "seed {seed}");
    assert_eq!(last.outputs_defined, registers.outputs_defined, "seed {seed}");
    assert_eq!(last.killed, registers.killed, "seed {seed}");
}

/// Checks that searches in both directions find the same step as a linear search.
fn check_searches(seed: u64, random: &mut Random, recording: &Recording, cursor: &mut Cursor) {
    if recording.is_empty() {
        return;
    }
    let pcs: Vec<usize> = recording.all_steps().map(|step| step.pc).collect();
    let position = cursor.position();
    let (from, wanted) = (random.below(pcs.len()), *random.pick(&pcs));
    let ahead = (from..pcs.len()).find(|&at| pcs[at] == wanted);
    assert_eq!(cursor.find_from(recording, from, |step| step.pc == wanted), ahead, "seed {seed}");
    let behind = (0..from).rev().find(|&at| pcs[at] == wanted);
    assert_eq!(cursor.find_before(recording, from, |step| step.pc == wanted), behind, "seed {seed}");
    assert_eq!(cursor.position(), position, "looking moves nothing");
}
