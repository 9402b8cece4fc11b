//! Runs vertex programs on four vertices, on the reference interpreter and the batch executor. Vertex state
//! programs run on the reference interpreter alone.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shadestep_core::exec::{
    AttributeLanes, Bindings, Finished, ResultLanes, Shader, VertexInputs, VertexShader, Worker,
    run_state_program, run_vertex,
};
use shadestep_engine::debug::Recording;
use shadestep_engine::ir::{OutputRole, singles};

use crate::common::compiled::Compiled;

use super::blocks::{self, Block};
use super::ends::{End, RegisterIndex, compare_end, compare_register, register_index};
use super::format::{Fact, Run};
use super::memory;

/// The attributes of one vertex of `run`.
fn vertex(run: &Run, lane: usize) -> VertexInputs {
    std::array::from_fn(|attribute| run.attribute(attribute)[lane])
}

/// Compares four vertices: run and recorded one by one, and in blocks.
pub fn check(compiled: &Compiled, run: &Run, bindings: &Bindings, faults: &mut String) -> Result<(), String> {
    let program = &compiled.program;
    let (shared, never) = (Arc::new(bindings.clone()), AtomicBool::new(false));
    // Vertices run one after the other on the same memory. A recording does not change it.
    for lane in 0..4 {
        let inputs = vertex(run, lane);
        let recording = Recording::of_vertex(program, &shared, &inputs, 0, &never);
        let end = End::from(&recording.map_err(|error| error.to_string())?);
        compare_end(program, run, lane, &format!("recorded, vertex {lane}"), &end, faults)?;
        let Finished { registers, ended, executed, .. } = run_vertex(program, bindings, &inputs);
        let end = End { executed: Some(executed), ended: Some(ended), ..End::from(&registers) };
        compare_end(program, run, lane, &format!("scalar, vertex {lane}"), &end, faults)?;
    }
    memory::compare(run, bindings, "scalar", faults);
    blocks::check::<ResultLanes>(compiled, run, bindings, faults)
}

impl Block for ResultLanes {
    type Worker<'a> = Worker;

    fn worker(shader: &Shader) -> Worker {
        VertexShader::worker(shader)
    }

    fn run(&mut self, shader: &Shader, worker: &mut Worker, inputs: &AttributeLanes, active: u64) {
        VertexShader::run(shader, worker, inputs, active, self);
    }

    fn is_written(shader: &Shader, role: OutputRole) -> bool {
        matches!(role, OutputRole::Vertex(result) if shader.results_written() >> result.index() & 1 != 0)
    }

    fn is_killed(&self, _at: usize) -> bool {
        false
    }

    fn output(&self, role: OutputRole, at: usize) -> Option<[Option<u64>; 4]> {
        let OutputRole::Vertex(result) = role else { return None };
        Some(std::array::from_fn(|c| Some(self.register(result, c).0[at].to_bits().into())))
    }
}

/// Compares a vertex state program with the first lane's `v[0]`.
pub fn check_state_program(
    compiled: &Compiled,
    run: &Run,
    bindings: &Bindings,
    faults: &mut String,
) -> Result<(), String> {
    let program = &compiled.program;
    if run.expectations.iter().any(|e| e.lane.is_some()) {
        return Err("  a state program runs once: no lanes\n".into());
    }
    let v0 = singles(run.attribute(0)[0]);
    let (shared, never) = (Arc::new(bindings.clone()), AtomicBool::new(false));
    let recording = Recording::of_state_program(program, &shared, (0, v0), &never);
    let end = End::from(&recording.map_err(|error| error.to_string())?);
    compare_end(program, run, 0, "recorded", &end, faults)?;
    let parameters = run_state_program(program, bindings, v0);
    for expectation in &run.expectations {
        let Fact::Register(held) = &expectation.fact else { continue };
        if let RegisterIndex::Parameter(index) = register_index(program, &held.name)? {
            compare_register((expectation.line, held), "run", parameters[index].map(Some), faults);
        }
    }
    Ok(())
}
