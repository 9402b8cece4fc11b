//! Runs fragment programs on one quad, as recordings and in blocks of the batch executor.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shadestep_core::exec::{
    AttributeLanes, Bindings, BlockOutput, BlockShader, QuadInputs, Shader, Worker, run_quad,
};
use shadestep_engine::debug::Recording;
use shadestep_engine::ir::{OutputRole, singles};

use crate::common::compiled::Compiled;

use super::blocks::{self, Block};
use super::ends::{End, compare_end};
use super::format::Run;
use super::memory;

/// Compares one quad: recordings of each lane, and blocks.
pub fn check(compiled: &Compiled, run: &Run, bindings: &Bindings, faults: &mut String) -> Result<(), String> {
    let program = &compiled.program;
    let (shared, never) = (Arc::new(bindings.clone()), AtomicBool::new(false));
    let attributes = std::array::from_fn(|number| run.attribute(number).map(singles));
    let inputs = QuadInputs { attributes, ..QuadInputs::default() };
    if memory::is_used(run) {
        let mut bindings = bindings.clone();
        memory::begin(run, &mut bindings)?;
        run_quad(program, &bindings, &inputs, |_, _| {});
        memory::compare(run, &bindings, "scalar", faults);
    }
    for lane in 0..4 {
        let inputs = inputs.clone();
        let recording = Recording::of_fragment(program, &shared, inputs, (lane, [0, 0]), &never);
        let end = End::from(&recording.map_err(|error| error.to_string())?);
        compare_end(program, run, lane, &format!("recorded, lane {lane}"), &end, faults)?;
    }
    blocks::check::<BlockOutput>(compiled, run, bindings, faults)
}

impl Block for BlockOutput {
    type Worker<'a> = Worker;

    fn worker(shader: &Shader) -> Worker {
        BlockShader::worker(shader)
    }

    fn run(&mut self, shader: &Shader, worker: &mut Worker, inputs: &AttributeLanes, active: u64) {
        BlockShader::run(shader, worker, inputs, active, self);
    }

    fn is_written(shader: &Shader, role: OutputRole) -> bool {
        match role {
            OutputRole::Color(buffer) => shader.facts().colors_written >> buffer & 1 != 0,
            OutputRole::SecondaryColor(number) => number == 0 && shader.facts().writes_secondary,
            OutputRole::Depth => shader.facts().writes_depth,
            OutputRole::SampleMask | OutputRole::Vertex(_) | OutputRole::Patch(_) => false,
        }
    }

    fn is_killed(&self, at: usize) -> bool {
        self.killed >> at & 1 != 0
    }

    fn output(&self, role: OutputRole, at: usize) -> Option<[Option<u64>; 4]> {
        match role {
            OutputRole::Color(buffer) => {
                let color = match buffer.checked_sub(1) {
                    None => &self.color,
                    Some(other) => &self.other_colors[usize::from(other)],
                };
                Some(std::array::from_fn(|c| Some(color[c].0[at].to_bits().into())))
            }
            OutputRole::SecondaryColor(0) => {
                Some(std::array::from_fn(|c| Some(self.secondary[c].0[at].to_bits().into())))
            }
            // A block has only the z component of the depth result.
            OutputRole::Depth => Some([None, None, Some(self.depth.0[at].to_bits().into()), None]),
            OutputRole::SecondaryColor(_)
            | OutputRole::SampleMask
            | OutputRole::Vertex(_)
            | OutputRole::Patch(_) => None,
        }
    }
}
