//! Runs tessellation control programs on a patch with four output vertices, and tessellation evaluation
//! programs on four vertices. Each program runs as recordings, one invocation at a time, and in blocks.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shadestep_core::exec::{
    AttributeLanes, Bindings, ControlShader, ControlWorker, EvaluationShader, EvaluationWorker, Finished,
    InstructionLimit, LaneRegister, ResultLanes, Shader, run_patch, run_primitive,
};
use shadestep_engine::debug::Recording;
use shadestep_engine::ir::{Attribute, OutputRole};

use crate::common::compiled::Compiled;

use super::blocks::{self, Block};
use super::ends::{End, compare_end};
use super::format::Run;
use super::memory;
use super::primitives::primitive;

/// Compares one patch. The lanes are its invocations.
pub fn check(compiled: &Compiled, run: &Run, bindings: &Bindings, faults: &mut String) -> Result<(), String> {
    let program = &compiled.program;
    if program.patch_vertices != Some(4) {
        return Err("  a run is of four lanes: VERTICES_OUT 4\n".into());
    }
    for attribute in program.attributes() {
        let [first, others @ ..] = run.attribute(attribute.index());
        if others.iter().any(|other| *other != first) || attribute == Attribute::Invocation && first != [0; 4]
        {
            return Err(format!("  {} is not a lane's own\n", attribute.register_in(program.language)));
        }
    }
    let inputs = primitive(program, run, 0);
    let (shared, never) = (Arc::new(bindings.clone()), AtomicBool::new(false));
    for lane in 0..4 {
        let recording = Recording::of_patch(program, &shared, &inputs, (0, lane), &never);
        let (end, lane) = (End::from(&recording.map_err(|error| error.to_string())?), lane.into());
        compare_end(program, run, lane, &format!("recorded, invocation {lane}"), &end, faults)?;
    }
    let finished = run_patch(program, bindings, &inputs, InstructionLimit::of(program));
    for (lane, Finished { registers, ended, executed, .. }) in finished.iter().enumerate() {
        let end = End { executed: Some(*executed), ended: Some(*ended), ..End::from(registers) };
        compare_end(program, run, lane, &format!("scalar, invocation {lane}"), &end, faults)?;
    }
    memory::compare(run, bindings, "scalar", faults);
    blocks::check::<Patches>(compiled, run, bindings, faults)
}

/// The results of control programs in a block, by role.
#[derive(Default)]
struct Patches(Vec<(OutputRole, Vec<LaneRegister>)>);

impl Block for Patches {
    type Worker<'a> = Box<dyn ControlWorker + 'a>;

    fn worker(shader: &Shader) -> Self::Worker<'_> {
        ControlShader::worker(shader)
    }

    fn run(&mut self, shader: &Shader, worker: &mut Self::Worker<'_>, inputs: &AttributeLanes, active: u64) {
        worker.run(inputs, active, false);
        let roles = ControlShader::results(shader).iter().enumerate();
        self.0 = roles.map(|(number, &role)| (role, worker.result(number).to_vec())).collect();
    }

    fn is_written(shader: &Shader, role: OutputRole) -> bool {
        ControlShader::results(shader).contains(&role)
    }

    fn is_killed(&self, _at: usize) -> bool {
        false
    }

    fn output(&self, role: OutputRole, at: usize) -> Option<[Option<u64>; 4]> {
        let (_, registers) = self.0.iter().find(|(result, _)| *result == role)?;
        let component = |c: usize| registers.get(c).map(|register| register.0[at].to_bits().into());
        Some([0, 1, 2, 3].map(component))
    }
}

/// Compares four vertices of patches.
pub fn check_evaluation(
    compiled: &Compiled,
    run: &Run,
    bindings: &Bindings,
    faults: &mut String,
) -> Result<(), String> {
    let program = &compiled.program;
    let (shared, never) = (Arc::new(bindings.clone()), AtomicBool::new(false));
    for lane in 0..4 {
        let inputs = primitive(program, run, lane);
        let recording = Recording::of_patch_vertex(program, &shared, &inputs, (0, 0), &never);
        let end = End::from(&recording.map_err(|error| error.to_string())?);
        compare_end(program, run, lane, &format!("recorded, vertex {lane}"), &end, faults)?;
        let Finished { registers, ended, executed, .. } =
            run_primitive(program, bindings, &inputs, InstructionLimit::of(program));
        let end = End { executed: Some(executed), ended: Some(ended), ..End::from(&registers) };
        compare_end(program, run, lane, &format!("scalar, vertex {lane}"), &end, faults)?;
    }
    memory::compare(run, bindings, "scalar", faults);
    blocks::check::<Evaluated>(compiled, run, bindings, faults)
}

#[derive(Default)]
struct Evaluated(ResultLanes);

impl Block for Evaluated {
    type Worker<'a> = Box<dyn EvaluationWorker + 'a>;

    fn worker(shader: &Shader) -> Self::Worker<'_> {
        EvaluationShader::worker(shader)
    }

    fn run(&mut self, _shader: &Shader, worker: &mut Self::Worker<'_>, inputs: &AttributeLanes, active: u64) {
        worker.run(inputs, active, &mut self.0);
    }

    fn is_written(shader: &Shader, role: OutputRole) -> bool {
        let written = EvaluationShader::results_written(shader);
        matches!(role, OutputRole::Vertex(result) if written >> result.index() & 1 != 0)
    }

    fn is_killed(&self, _at: usize) -> bool {
        false
    }

    fn output(&self, role: OutputRole, at: usize) -> Option<[Option<u64>; 4]> {
        self.0.output(role, at)
    }
}
