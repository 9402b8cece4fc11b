//! The shader traits of stages after the vertex program: geometry, tessellation control and tessellation
//! evaluation.

use super::{Shader, Worker};
use crate::exec::block::{
    AttributeLanes, Conflict, ControlShader, ControlWorker, EvaluationShader, EvaluationWorker,
    GeometryShader, GeometryWorker, LaneRegister, ResultLanes,
};
use crate::exec::{Emissions, PrimitiveInputs, unordered};
use crate::memory::{Before, Use};
use shadestep_language::ir::{Attribute, GeometryLayout, OutputRole, TessellationLayout, VertexResult};
use std::sync::atomic::AtomicBool;

impl Shader {
    fn uses(&self) -> Use {
        self.executable.usage
    }

    /// Whether invocations run one after the other.
    pub(super) fn runs_in_order(&self) -> bool {
        self.uses() == Use::Writes && !self.bindings.memory.is_concurrent()
    }
}

impl GeometryShader for Shader {
    fn layout(&self) -> GeometryLayout {
        // A program of another stage declares nothing.
        let declared = self.executable.program.geometry.unwrap_or(GeometryLayout::NOTHING);
        GeometryLayout { vertices_out: self.bindings.vertex_limit, ..declared }
    }

    fn inputs(&self) -> &[(Attribute, u8)] {
        &self.executable.inputs
    }

    fn results(&self) -> &[VertexResult] {
        &self.executable.emitted
    }

    fn memory_use(&self) -> Use {
        self.uses()
    }

    fn is_serialised(&self) -> bool {
        self.runs_in_order()
    }

    fn worker(&self) -> Box<dyn GeometryWorker + '_> {
        Box::new(Running { shader: self, worker: Worker::new(self) })
    }
}

impl GeometryWorker for Running<'_> {
    fn run(&mut self, inputs: &AttributeLanes, active: u64) {
        self.shader.complete(&mut self.worker, inputs, (active, active), &mut []);
    }

    fn take_emissions(&mut self) -> Emissions {
        let next = self.worker.emissions.another();
        std::mem::replace(&mut self.worker.emissions, next)
    }
}

impl ControlShader for Shader {
    fn patch_vertices(&self) -> usize {
        // A program of another stage runs one invocation, which has no results.
        self.executable.program.patch_vertices.unwrap_or(1).into()
    }

    fn inputs(&self) -> &[(Attribute, u8)] {
        &self.executable.inputs
    }

    fn results(&self) -> &[OutputRole] {
        &self.executable.roles
    }

    fn memory_use(&self) -> Use {
        self.uses()
    }

    fn is_serialised(&self) -> bool {
        self.runs_in_order()
    }

    fn may_meet(&self) -> bool {
        unordered::may_meet(&self.executable.program)
    }

    fn conflicts(&self, inputs: &PrimitiveInputs, cancel: &AtomicBool) -> Vec<Conflict> {
        unordered::conflicts(&self.executable.program, &self.bindings, inputs, cancel)
    }

    fn worker(&self) -> Box<dyn ControlWorker + '_> {
        Box::new(Running { shader: self, worker: Worker::new(self) })
    }
}

/// A running program of one of these stages.
struct Running<'a> {
    shader: &'a Shader,
    worker: Worker,
}

impl ControlWorker for Running<'_> {
    fn run(&mut self, inputs: &AttributeLanes, active: u64, finds_conflicts: bool) {
        self.worker.counted = if finds_conflicts { active } else { 0 };
        self.shader.complete(&mut self.worker, inputs, (active, active), &mut []);
    }

    fn take_conflicts(&mut self) -> Vec<Conflict> {
        std::mem::take(&mut self.worker.conflicts)
    }

    fn before(&self) -> &[Before] {
        &self.worker.before
    }

    fn result(&self, number: usize) -> &[LaneRegister] {
        let base = self.shader.executable.code.layout.outputs.get(number).copied().map(usize::from);
        base.and_then(|base| self.worker.registers.get(base..base + 4)).unwrap_or_default()
    }
}

impl EvaluationShader for Shader {
    fn layout(&self) -> Option<TessellationLayout> {
        self.executable.program.tessellation
    }

    fn inputs(&self) -> &[(Attribute, u8)] {
        &self.executable.inputs
    }

    fn results_written(&self) -> u64 {
        self.executable.results
    }

    fn memory_use(&self) -> Use {
        self.uses()
    }

    fn is_serialised(&self) -> bool {
        self.runs_in_order()
    }

    fn worker(&self) -> Box<dyn EvaluationWorker + '_> {
        Box::new(Running { shader: self, worker: Worker::new(self) })
    }
}

impl EvaluationWorker for Running<'_> {
    fn run(&mut self, inputs: &AttributeLanes, active: u64, output: &mut ResultLanes) {
        self.shader.complete(&mut self.worker, inputs, (active, active), output.all_mut());
        output.before.clone_from(&self.worker.before);
    }
}
