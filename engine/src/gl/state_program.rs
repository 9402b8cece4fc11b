//! Which programs write the register file, and what tracking makes of them (NV_vertex_program2 2.14.5,
//! 2.14.7).

use super::Context;
use super::enums::ProgramTarget;
use super::error::{Error, Result, named};
use super::programs::{ProgramObject, nonexistent};
use crate::ir::{ParameterSource, Program, Target};

const EXECUTE: &str = "NV_vertex_program2 2.14.5";
const TRACKING: &str = "NV_vertex_program2 2.14.7";

/// The registers that `program` writes, in order of the instructions.
fn registers_written(program: &Program) -> impl Iterator<Item = usize> {
    let targets = program.instructions.iter().filter_map(|instruction| instruction.dest);
    targets.filter_map(|dest| {
        let Target::Param(id) = dest.target else { return None };
        match program.parameters.get(usize::from(id.0))?.source {
            ParameterSource::Register(number) => Some(usize::from(number)),
            _ => None,
        }
    })
}

impl Context {
    /// Finds a program invalid that writes registers which track a matrix.
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

    /// The vertex state program that a command executes.
    fn executed(&self, target: impl TryInto<ProgramTarget>, id: u32) -> Result<&ProgramObject> {
        let target = named(target, EXECUTE, "target")?;
        if target == ProgramTarget::Fragment {
            return Err(Error::invalid_enum(EXECUTE, "fragment programs are not executed"));
        }
        let object = self.programs.get(id).ok_or_else(|| nonexistent(id, EXECUTE))?;
        for found in [object.target(), target] {
            if found != ProgramTarget::VertexState {
                let reason = format!("a {} is not executed", found.name());
                return Err(Error::invalid_operation(EXECUTE, reason));
            }
        }
        self.refuse_tracked_writes(object.program())?;
        Ok(object)
    }
}
