//! Complete runs of the reference interpreter, from the first instruction to the last. `reference` executes
//! the steps.

use super::Bindings;
use super::exec_state::{ExecState, Finished, QuadRegisters, Registers};
use super::inputs::{AttributesRead, PrimitiveInputs, QuadInputs, VertexInputs, state_program_inputs};
use super::invocation::InstructionLimit;
use super::reference::{Machine, QUAD};
use shadestep_language::ir::{Components, Program};

/// Runs a quad. `observe` gets the index of each instruction and the registers after it. At the end the
/// memory of `bindings` has all writes of the program, as after the other functions of this file.
pub fn run_quad(
    program: &Program,
    bindings: &Bindings,
    inputs: &QuadInputs,
    mut observe: impl FnMut(usize, &QuadRegisters),
) -> QuadRegisters {
    let mut at = ExecState::of_lanes(program, bindings, (QUAD, inputs.covered.into()));
    let inputs = AttributesRead::of_quad(program, inputs);
    let reports = Some(&bindings.memory);
    let mut machine = Machine { reports, ..Machine::new(program, bindings, &inputs, &mut at) };
    while let Some((pc, lanes)) = machine.at.next() {
        machine.step(pc, lanes);
        if let Some(lanes) = machine.at.lanes.first_chunk() {
            observe(pc, lanes);
        }
    }
    at.keep_memory(program, bindings);
    let mut lanes = at.lanes.into_iter();
    std::array::from_fn(|_| lanes.next().unwrap_or_else(|| Registers::new(program, bindings)))
}

/// Runs a quad with `limit` instead of the specification's instruction limit.
pub fn run_quad_within(
    program: &Program,
    bindings: &Bindings,
    inputs: &QuadInputs,
    limit: InstructionLimit,
) -> [Finished; QUAD] {
    let read = AttributesRead::of_quad(program, inputs);
    let mut finished = run_lanes(program, bindings, (&read, inputs.covered.into()), limit).into_iter();
    std::array::from_fn(|_| finished.next().unwrap_or_else(|| Finished::nothing(program, bindings)))
}

pub fn run_vertex(program: &Program, bindings: &Bindings, inputs: &VertexInputs) -> Finished {
    run_vertex_within(program, bindings, inputs, InstructionLimit::of(program))
}

/// Runs a vertex program on one vertex with `limit` instead of the specification's instruction limit.
pub fn run_vertex_within(
    program: &Program,
    bindings: &Bindings,
    inputs: &VertexInputs,
    limit: InstructionLimit,
) -> Finished {
    run_one(program, bindings, &AttributesRead::of_vertex(program, inputs), limit)
}

/// Runs one invocation of a geometry program on a primitive, whose attributes include the invocation number,
/// or a tessellation evaluation program on one vertex of a patch.
pub fn run_primitive(
    program: &Program,
    bindings: &Bindings,
    inputs: &PrimitiveInputs,
    limit: InstructionLimit,
) -> Finished {
    run_one(program, bindings, &AttributesRead::of_primitive(program, inputs), limit)
}

/// Runs all invocations of a tessellation control program on a patch. Each invocation has its own number;
/// `inputs` cannot change it.
pub fn run_patch(
    program: &Program,
    bindings: &Bindings,
    inputs: &PrimitiveInputs,
    limit: InstructionLimit,
) -> Vec<Finished> {
    run_lanes(program, bindings, (&AttributesRead::of_patch(program, inputs), u32::MAX), limit)
}

/// Runs a program of a single lane.
fn run_one(
    program: &Program,
    bindings: &Bindings,
    inputs: &AttributesRead,
    limit: InstructionLimit,
) -> Finished {
    let finished = run_lanes(program, bindings, (inputs, 1), limit).into_iter().next();
    finished.unwrap_or_else(|| Finished::nothing(program, bindings))
}

/// Runs all lanes of `inputs`. Lanes without a bit in `covered` are helpers.
fn run_lanes(
    program: &Program,
    bindings: &Bindings,
    (inputs, covered): (&AttributesRead, u32),
    limit: InstructionLimit,
) -> Vec<Finished> {
    let mut at = ExecState::of_lanes(program, bindings, (inputs.lanes(), covered));
    let reports = Some(&bindings.memory);
    Machine { limit, reports, ..Machine::new(program, bindings, inputs, &mut at) }.run();
    at.keep_memory(program, bindings);
    at.finished()
}

/// Executes a vertex state program with `v0` in attribute register 0 (NV_vertex_program2 2.14.5). Returns the
/// bits of the parameters at the end, parallel to [`Program::parameters`].
pub fn run_state_program(program: &Program, bindings: &Bindings, v0: [f32; 4]) -> Vec<Components> {
    run_vertex(program, bindings, &state_program_inputs(v0)).registers.parameters
}
