//! Runs a run's four lanes in blocks of the batch executor: at each position of a block, alone and among
//! other lanes. The parts that depend on the stage are in `fragments`, `vertices`, `patches` and
//! `primitives`.

use std::fmt::Write;

use shadestep_core::exec::{AttributeLanes, Bindings, Inspection, InstructionLimit, LANES, Shader};
use shadestep_engine::ir::{Attribute, Control, Instruction, OutputRole, Program};
use shadestep_engine::isa::Stage;

use crate::common::compiled::Compiled;

use super::ends::{End, RegisterIndex, compare_end, compare_register, expects_kill, register_index};
use super::format::{Expectation, Fact, Run};
use super::memory;

/// Number of positions for four lanes in a block.
const PLACES: usize = LANES / 4;
/// The first, the last and a middle position.
const FEW_PLACES: [usize; 3] = [0, 6, PLACES - 1];

/// The positions at which outputs are compared: all, or a few if a lane executes more than this number of
/// instructions.
pub fn places(run: &Run) -> Vec<usize> {
    const MANY: u32 = 10_000;
    let is_long = |e: &Expectation| matches!(e.fact, Fact::Executed(count) if count > MANY);
    if run.expectations.iter().any(is_long) { FEW_PLACES.into() } else { (0..PLACES).collect() }
}

/// The output of a block of lanes.
pub trait Block: Default {
    /// The state of one thread that runs the program.
    type Worker<'a>;

    fn worker(shader: &Shader) -> Self::Worker<'_>;

    /// Runs the lanes in `active`.
    fn run(&mut self, shader: &Shader, worker: &mut Self::Worker<'_>, inputs: &AttributeLanes, active: u64);

    /// Returns true if `shader` reports that it writes this output.
    fn is_written(shader: &Shader, role: OutputRole) -> bool;

    /// Returns true if lane `at` was discarded.
    fn is_killed(&self, at: usize) -> bool;

    /// An output of lane `at`, with the components that a block has. Returns `None` if programs of this stage
    /// have no such output.
    fn output(&self, role: OutputRole, at: usize) -> Option<[Option<u64>; 4]>;
}

/// Compares outputs at the positions of [`places`], and registers, with every instruction set, at
/// [`FEW_PLACES`].
pub fn check<B: Block>(
    compiled: &Compiled,
    run: &Run,
    bindings: &Bindings,
    faults: &mut String,
) -> Result<(), String> {
    for place in places(run) {
        check_outputs::<B>(compiled, run, bindings, place, faults)?;
    }
    check_registers_at_places(compiled, run, bindings, faults)
}

/// Compares registers alone, as [`check`] does.
pub fn check_registers_at_places(
    compiled: &Compiled,
    run: &Run,
    bindings: &Bindings,
    faults: &mut String,
) -> Result<(), String> {
    for place in FEW_PLACES {
        check_registers(compiled, run, bindings, place, faults)?;
    }
    Ok(())
}

/// Attributes with the run's four lanes at position `place`. The other lanes get values that must not affect
/// the four.
///
/// Some programs loop as often as an attribute says, and other values would make them run for minutes. The
/// other lanes then get the run's values, shifted by one lane.
pub fn attributes(run: &Run, program: &Program, place: usize) -> AttributeLanes {
    const OTHER: [f32; 7] = [f32::NAN, -1.0, f32::INFINITY, 0.375, -0.0, 1e30, 2.0];
    let endless = program.language.profile().flow.executed > 1 << 16;
    let mut controls = program.instructions.iter().filter_map(Instruction::control);
    let alike = endless && controls.any(|control| matches!(control, Control::Loop { .. }));
    let of_primitives: Vec<_> = program.attributes().into_iter().filter(|a| a.output().is_none()).collect();
    let mut inputs = AttributeLanes::with_room(of_primitives.len().max(Attribute::SLOTS));
    let mut fill = |index: usize, attribute: Attribute, component: usize, shift: u32| {
        for (lane, value) in inputs.all_mut()[index].0.iter_mut().enumerate() {
            let of_run = |lane: usize| {
                f32::from_bits((run.attribute(attribute.index())[lane % 4][component] >> shift) as u32)
            };
            *value = if attribute == Attribute::Invocation && program.patch_vertices.is_some() {
                f32::from_bits(if component == 0 { lane as u32 % 4 } else { 0 })
            } else if lane / 4 == place {
                of_run(lane)
            } else if alike {
                of_run(lane + 1)
            } else {
                OTHER[(lane * 5 + component * 3 + attribute.index()) % OTHER.len()]
            };
        }
    };
    if program.stage().reads_primitives() {
        // These programs index attributes by position in their list.
        for (number, &attribute) in of_primitives.iter().enumerate() {
            (0..4).for_each(|component| fill(4 * number + component, attribute, component, 0));
        }
        return inputs;
    }
    for &attribute in Attribute::of(program.stage()) {
        for component in 0..4 {
            fill(AttributeLanes::index(attribute, component), attribute, component, 0);
            if matches!(attribute, Attribute::Vertex(_)) {
                fill(AttributeLanes::high_index(attribute, component), attribute, component, 32);
            }
        }
    }
    inputs
}

/// Compares outputs and discards: the four lanes alone, among others, and one lane at a time.
fn check_outputs<B: Block>(
    compiled: &Compiled,
    run: &Run,
    bindings: &Bindings,
    place: usize,
    faults: &mut String,
) -> Result<(), String> {
    let program = &compiled.program;
    let mut bindings = bindings.clone();
    memory::begin(run, &mut bindings)?;
    let shader = compiled.shader(bindings.clone());
    let mut worker = B::worker(&shader);
    let mut block = B::default();
    let inputs = attributes(run, program, place);
    let four = 0xF << (place * 4);
    // The invocations of a patch depend on each other, so they never run one at a time.
    let alone = if program.stage() == Stage::TessControl { 0..0 } else { 0..4 };
    let single = alone.map(|lane| 1 << (place * 4 + lane));
    for active in [four, u64::MAX].into_iter().chain(single) {
        block.run(&shader, &mut worker, &inputs, active);
        if memory::is_used(run) && active == four {
            memory::compare(run, &bindings, &format!("wide, place {place}"), faults);
        }
        if program.writes_memory() && active != four {
            continue;
        }
        for lane in (0..4).filter(|lane| active >> (place * 4 + lane) & 1 != 0) {
            let at = place * 4 + lane;
            let who = format!("wide, place {place}, active {active:x}, lane {lane}");
            let killed = block.is_killed(at);
            if killed != expects_kill(run, lane) {
                let _ = writeln!(faults, "  {who}: killed is {killed}");
            }
            if killed {
                // The outputs of a discarded fragment are undefined.
                continue;
            }
            for expectation in run.expectations.iter().filter(|e| e.lanes().contains(&lane)) {
                let Fact::Register(held) = &expectation.fact else { continue };
                let name = &held.name;
                let RegisterIndex::Output(index) = register_index(program, name)? else { continue };
                let role = program.outputs[index].role;
                let Some(got) = block.output(role, at) else {
                    return Err(format!("  {name} is no output of this stage\n"));
                };
                if !B::is_written(&shader, role) {
                    let _ = writeln!(faults, "  {who}: {name} is not among the outputs written");
                }
                compare_register((expectation.line, held), &who, got, faults);
            }
        }
    }
    Ok(())
}

/// Compares every register at the end, with each instruction set that this processor supports.
fn check_registers(
    compiled: &Compiled,
    run: &Run,
    bindings: &Bindings,
    place: usize,
    faults: &mut String,
) -> Result<(), String> {
    let program = &compiled.program;
    // The four lanes are alone at middle positions and among others at the first and last positions.
    let lanes = if place == 0 || place == PLACES - 1 { u64::MAX } else { 0xF << (place * 4) };
    let stage = program.stage();
    let inputs = attributes(run, program, place);
    // Programs that write memory run without other lanes, which would change the memory too.
    let quad = 0xF << (place * 4);
    let groups: Vec<u64> = match (program.writes_memory(), stage) {
        (false, _) => vec![lanes],
        (true, Stage::Fragment | Stage::TessControl) => vec![quad],
        (true, _) => (0..4).map(|lane| 1 << (place * 4 + lane)).collect(),
    };
    let mut bindings = bindings.clone();
    memory::begin(run, &mut bindings)?;
    let before = bindings.memory.snapshot();
    for (set, mut inspection) in compiled.inspections(&bindings, &inputs) {
        bindings.memory.replace(before.clone());
        for &group in &groups {
            if stage == Stage::Fragment && !program.has_flow() && group != quad {
                // Single steps also run the lanes that are already discarded.
                for _ in &program.instructions {
                    inspection.step();
                }
            } else {
                inspection.finish(group, InstructionLimit::of(program));
            }
            check_lanes(program, run, (&inspection, set, place), group, faults)?;
        }
    }
    Ok(())
}

/// Compares every register of the run's lanes in `group`.
fn check_lanes(
    program: &Program,
    run: &Run,
    (inspection, set, place): (&Inspection, &str, usize),
    group: u64,
    faults: &mut String,
) -> Result<(), String> {
    for lane in (0..4).filter(|lane| group >> (place * 4 + lane) & 1 != 0) {
        let at = place * 4 + lane;
        let executed = program.has_flow().then(|| inspection.executed(at));
        let end = End { executed, ..End::from(&inspection.registers(at)) };
        compare_end(program, run, lane, &format!("{set}, place {place}, lane {lane}"), &end, faults)?;
    }
    Ok(())
}
