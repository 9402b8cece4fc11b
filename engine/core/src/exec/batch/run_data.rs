//! Data of a run in addition to its results, for frame queries: executed instructions, the limit, and all
//! results.

use super::{Shader, Worker};
use crate::exec::block::LaneRegister;
use crate::exec::invocation::InstructionLimit;
#[cfg(test)]
use shadestep_language::ir::Program;
use shadestep_language::ir::{Instruction, OutputId};

impl Worker {
    /// Lanes that reached the limit in the last run, with the index of each lane's last instruction.
    pub(crate) fn limited(&self) -> &[(usize, u64)] {
        &self.limited
    }
}

impl Shader {
    /// A worker that runs a block to the end of all its lanes, including discarded ones.
    pub(crate) fn patient_worker(&self) -> Worker {
        Worker { patient: true, ..Worker::new(self) }
    }

    #[cfg(test)]
    pub(crate) fn program(&self) -> &Program {
        &self.executable.program
    }

    /// The most instructions that a lane executes.
    pub(crate) const fn limit(&self) -> InstructionLimit {
        self.limit
    }

    /// Number of counted instructions that `lane` executed in the last run.
    pub(crate) fn executed(&self, worker: &Worker, lane: usize) -> u32 {
        let program = &self.executable.program;
        match self.executable.code.flow {
            None => program.instructions[program.entry..].iter().map(Instruction::cost).sum(),
            Some(_) => worker.lanes.executed(lane),
        }
    }

    /// The lane registers of a result after the last run. Output colour 0 is in the run's output instead.
    pub(crate) fn result<'w>(&self, worker: &'w Worker, id: OutputId) -> &'w [LaneRegister] {
        let base = usize::from(self.executable.code.layout.outputs[usize::from(id.0)]);
        worker.registers.get(base..base + 4).unwrap_or_default()
    }
}
