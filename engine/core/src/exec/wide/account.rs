//! What a worker knows of a run besides its results, for surveys of whole pictures.

use super::{Shader, Worker};
use crate::exec::block::LaneRegister;
use crate::exec::invocation::InstructionLimit;
#[cfg(test)]
use shadestep_language::ir::Program;
use shadestep_language::ir::{Instruction, OutputId};

impl Worker {
    /// The lanes that came to the limit in the last run, with the index of the instruction that was their last.
    pub(crate) fn limited(&self) -> &[(usize, u64)] {
        &self.limited
    }
}

impl Shader {
    /// A worker that runs a block to the end of all its lanes, also of those that are discarded.
    pub(crate) fn patient_worker(&self) -> Worker {
        Worker { patient: true, ..Worker::new(self) }
    }

    /// The program that runs.
    #[cfg(test)]
    pub(crate) fn program(&self) -> &Program {
        &self.executable.program
    }

    /// The most instructions that a lane executes.
    pub(crate) const fn limit(&self) -> InstructionLimit {
        self.limit
    }

    /// Counted instructions that `lane` executed in the last run.
    pub(crate) fn executed(&self, worker: &Worker, lane: usize) -> u32 {
        let program = &self.executable.program;
        match self.executable.code.flow {
            None => program.instructions[program.entry..].iter().map(Instruction::cost).sum(),
            Some(_) => worker.lanes.executed(lane),
        }
    }

    /// The lane registers of a result after the last run; of output colour 0 what the run gave has them.
    pub(crate) fn result<'w>(&self, worker: &'w Worker, id: OutputId) -> &'w [LaneRegister] {
        let base = usize::from(self.executable.code.layout.outputs[usize::from(id.0)]);
        worker.registers.get(base..base + 4).unwrap_or_default()
    }
}
