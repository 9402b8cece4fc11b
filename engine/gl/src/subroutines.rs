//! Program subroutine parameters: they select the subroutines that CALI calls (ARB_shader_subroutine,
//! "Dependencies on NV_gpu_program5"). The values belong to the context, not to programs. Binding a program
//! or loading a new text resets them to their defaults.

use super::Context;
use super::counted::Counted;
use super::enums::EnumArgument;
use super::error::{Error, Result, named};
use shadestep_language::ir::{Subroutines, limits};
use shadestep_language::isa::Stage;

const PARAMETERS: &str = "ARB_shader_subroutine 2.14.1";

impl Context {
    /// `ProgramSubroutineParametersuivNV`: sets the SUBROUTINENUM of each parameter of the program bound to
    /// the target, starting at parameter 0.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target. `INVALID_VALUE` unless there is one value for each parameter
    /// number up to the highest that a variable of the program is bound to. `INVALID_OPERATION` if a variable
    /// is bound to a parameter and no subroutine of its type has the given number.
    pub fn program_subroutine_parameters<'a>(
        &mut self,
        target: impl EnumArgument<Stage>,
        params: impl Into<Counted<'a, u32>>,
    ) -> Result<()> {
        self.command("ProgramSubroutineParametersuivNV", |context| {
            let target = bindable(target)?;
            let params = params.into().values(PARAMETERS)?;
            let subroutines = context.subroutines(target);
            let wanted = subroutines.map_or(0, Subroutines::parameters);
            if params.len() != wanted {
                let reason = format!("the program has {wanted} subroutine parameters, not {}", params.len());
                return Err(Error::invalid_value(PARAMETERS, reason));
            }
            let fits = |&(index, &number): &(usize, &u32)| subroutines.is_none_or(|s| s.fits(index, number));
            if let Some((index, number)) = params.iter().enumerate().find(|param| !fits(param)) {
                let ty = subroutines.and_then(|s| s.type_of(index)).map_or("", |ty| &ty.name);
                let reason =
                    format!("no subroutine of type {ty} has the number {number} (parameter {index})");
                return Err(Error::invalid_operation(PARAMETERS, reason));
            }
            context.programs.set_subroutines(target, params.to_vec());
            Ok(())
        })
    }

    /// `GetProgramSubroutineParameteruivNV`: the value of one parameter of the target. A parameter that was
    /// not set since the program was bound has the number of the first subroutine of its type, or 0 if no
    /// variable is bound to it.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target, `INVALID_VALUE` if parameter `index` does not exist.
    pub fn get_program_subroutine_parameter(
        &self,
        target: impl EnumArgument<Stage>,
        index: u32,
    ) -> Result<u32> {
        self.query("GetProgramSubroutineParameteruivNV", || {
            let target = bindable(target)?;
            let place = usize::try_from(index).ok().filter(|&place| place < limits::SUBROUTINE_PARAMETERS);
            let place = place.ok_or_else(|| {
                Error::invalid_value(PARAMETERS, format!("there is no subroutine parameter {index}"))
            })?;
            let set = self.programs.subroutines(target).get(place).copied();
            let default = || self.subroutines(target).map_or(0, |subroutines| subroutines.default_of(place));
            Ok(set.unwrap_or_else(default))
        })
    }

    /// The subroutines of the program bound to `target`.
    fn subroutines(&self, target: Stage) -> Option<&Subroutines> {
        self.programs.current(target)?.program().map(|program| &program.subroutines)
    }
}

/// Checks that programs can be bound to a target.
fn bindable(target: impl EnumArgument<Stage>) -> Result<Stage> {
    match named(target, PARAMETERS, "target")? {
        Stage::VertexState => Err(Error::invalid_enum(PARAMETERS, "no program is bound to this target")),
        target => Ok(target),
    }
}
