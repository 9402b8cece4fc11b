//! Programs that write the register file: vertex state programs, and the conflict of such writes with tracked
//! matrices (NV_vertex_program2 2.14.5, 2.14.7).

use super::enums::EnumArgument;
use std::sync::Arc;

use super::Context;
use super::error::{Error, Result, named};
use super::programs::nonexistent;
use super::transform::register_bindings;
use shadestep_core::exec::{Bindings, run_state_program};
use shadestep_language::ir::{Instruction, ParameterSource, Program, Target};
use shadestep_language::isa::Stage;

const EXECUTE: &str = "NV_vertex_program2 2.14.5";
const TRACKING: &str = "NV_vertex_program2 2.14.7";

/// The registers that `program` writes, in instruction order.
fn registers_written(program: &Program) -> impl Iterator<Item = usize> {
    let targets = program.instructions.iter().filter_map(Instruction::dest);
    targets.filter_map(|dest| {
        let Target::Param(id) = dest.target else { return None };
        match program.parameters.get(usize::from(id.0))?.source {
            ParameterSource::Env(number) => Some(usize::from(number)),
            _ => None,
        }
    })
}

/// Vertex state programs.
impl Context {
    /// `ExecuteProgramNV`: runs the vertex state program `id` with `v0` in attribute register 0. Its writes
    /// change the register file.
    ///
    /// # Errors
    /// `INVALID_ENUM` unless the target is VERTEX_STATE_PROGRAM_NV or VERTEX_PROGRAM_NV; `INVALID_OPERATION`
    /// for VERTEX_PROGRAM_NV, if the program does not exist or is not a vertex state program, and if it
    /// writes a register that tracks a matrix.
    pub fn execute_program(&mut self, target: impl EnumArgument<Stage>, id: u32, v0: [f32; 4]) -> Result<()> {
        self.command("ExecuteProgramNV", |context| {
            let (program, bindings) = context.state_program(target, id)?;
            let values = run_state_program(&program, &bindings, v0);
            for register in registers_written(&program) {
                let source = ParameterSource::Env(register as u16);
                let place = program.parameters.iter().position(|parameter| parameter.source == source);
                if let Some(value) = place.and_then(|place| values.get(place)) {
                    context.registers[register] = *value;
                }
            }
            Ok(())
        })
    }

    /// The vertex state program `id` with the current values of its parameters, as [`Self::execute_program`]
    /// would run it. Used for recording.
    ///
    /// # Errors
    /// As [`Self::execute_program`].
    pub fn prepare_state_program(&self, id: u32) -> Result<(Arc<Program>, Bindings)> {
        self.query("ExecuteProgramNV", || self.state_program(Stage::VertexState, id))
    }

    fn state_program(&self, target: impl EnumArgument<Stage>, id: u32) -> Result<(Arc<Program>, Bindings)> {
        let program = self.executed(target, id)?;
        let bindings = register_bindings(&program, &self.registers[..]);
        Ok((program, bindings))
    }

    /// Checks that a program writes no register that tracks a matrix.
    ///
    /// # Errors
    /// `INVALID_OPERATION`
    pub(super) fn refuse_tracked_writes(&self, program: &Program) -> Result<()> {
        match registers_written(program).find(|&register| self.is_tracked(register)) {
            None => Ok(()),
            Some(register) => {
                let reason = format!("the program writes c[{register}], which tracks a matrix");
                Err(Error::invalid_operation(TRACKING, reason))
            }
        }
    }

    /// The vertex state program for an execute command.
    fn executed(&self, target: impl EnumArgument<Stage>, id: u32) -> Result<Arc<Program>> {
        let target = named(target, EXECUTE, "target")?;
        if target == Stage::Fragment {
            return Err(Error::invalid_enum(EXECUTE, "fragment programs cannot be executed"));
        }
        let object = self.programs.get(id).ok_or_else(|| nonexistent(id, EXECUTE))?;
        for found in [object.target(), target] {
            if found != Stage::VertexState {
                let reason = format!("a {} program cannot be executed", found.name());
                return Err(Error::invalid_operation(EXECUTE, reason));
            }
        }
        let program = object.program().ok_or_else(|| nonexistent(id, EXECUTE))?;
        self.refuse_tracked_writes(program)?;
        Ok(program.clone())
    }
}
