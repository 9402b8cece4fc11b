//! Program parameters: the register file `c[n]` of all vertex programs (NV_vertex_program2 2.14.1.2), which
//! ARB programs call the environment parameters of the vertex target; the environment parameters of other
//! targets; and local parameters, named (NV_fragment_program 5.7) and numbered (ARB_vertex_program 2.14.1).

use super::Context;
use super::counted::Counted;
use super::enums::{EnumArgument, target_place};
use super::error::{Error, Result, named};
use super::generic::{Integer, Integers};
use super::programs::{ProgramObject, nonexistent};
use shadestep_language::ir::{Components, ParameterSource, limits, single_bits, singles};
use shadestep_language::isa::Stage;

const REGISTERS: &str = "NV_vertex_program2 2.14.1.2";
const TRACKING: &str = "NV_vertex_program2 2.14.7";
const LOCALS: &str = "NV_fragment_program 5.7";
const ARB: &str = "ARB_vertex_program 2.14.1";
const QUERY: &str = "NV_vertex_program 6.1.13";
const SEVERAL: &str = "EXT_gpu_program_parameters 2.14.1";

/// The register file.
pub(super) type Registers = [Components; limits::VP2_PARAMETERS];

/// Environment parameters of a target other than the vertex target.
pub(super) type Environment = [Components; limits::ENV_PARAMETERS];

/// The value of a numbered parameter: four numbers ([`Vector4`]), or [`Integers`] for commands with `I4i` or
/// `I4ui` in their name (NV_gpu_program4 2.14.1).
pub trait ParameterValue: Copy {
    /// The bits that programs read, without conversion.
    fn to_parameter(self) -> Components;
}

/// Four numbers for commands with `4f` or `4d` in their name. Doubles are rounded to fp32.
pub trait Vector4: ParameterValue {}

impl ParameterValue for [f32; 4] {
    fn to_parameter(self) -> Components {
        single_bits(self)
    }
}

impl Vector4 for [f32; 4] {}

impl ParameterValue for [f64; 4] {
    fn to_parameter(self) -> Components {
        single_bits(self.map(|x| x as f32))
    }
}

impl Vector4 for [f64; 4] {}

impl<T: Integer> ParameterValue for Integers<T, 4> {
    fn to_parameter(self) -> Components {
        self.0.map(|x| x.bits().into())
    }
}

/// The low word of each component.
fn integers(value: Components) -> [u32; 4] {
    value.map(|bits| bits as u32)
}

/// Checks the target of a command about the register file.
fn vertex_target(target: impl EnumArgument<Stage>) -> Result<()> {
    match named(target, REGISTERS, "target")? {
        Stage::Vertex => Ok(()),
        other => Err(Error::invalid_enum(REGISTERS, format!("{} has no parameter registers", other.name()))),
    }
}

/// The `count` registers from `index` on.
fn register_range(index: u32, count: usize, clause: &'static str) -> Result<std::ops::Range<usize>> {
    let first = usize::try_from(index).unwrap_or(usize::MAX);
    let end = first.saturating_add(count.max(1));
    if end > limits::VP2_PARAMETERS {
        let reason = format!("register {} does not exist: the last one is 255", end - 1);
        return Err(Error::invalid_value(clause, reason));
    }
    Ok(first..first + count)
}

/// Checks a parameter index against `limit`.
fn numbered(index: u32, limit: usize, what: &str) -> Result<usize> {
    Ok(numbered_range((index, 1), limit, (what, ARB))?.start)
}

/// Checks the `count` parameters from `index` on against `limit`.
fn numbered_range(
    (index, count): (u32, usize),
    limit: usize,
    (what, clause): (&str, &'static str),
) -> Result<std::ops::Range<usize>> {
    let first = usize::try_from(index).unwrap_or(usize::MAX);
    let end = first.saturating_add(count);
    if end > limit {
        let last = end.saturating_sub(1);
        let reason = format!("{what} parameter {last} does not exist: there are {limit}");
        return Err(Error::invalid_value(clause, reason));
    }
    Ok(first..end)
}

/// Checks that a target has environment and local parameters.
fn local_target(target: impl EnumArgument<Stage>) -> Result<Stage> {
    match named(target, ARB, "target")? {
        Stage::VertexState => {
            Err(Error::invalid_enum(ARB, "VERTEX_STATE_PROGRAM_NV has no numbered parameters"))
        }
        target => Ok(target),
    }
}

/// Index of the named local parameter `name` in `object`.
fn named_index(object: &ProgramObject, name: &[u8]) -> Result<usize> {
    if object.target() != Stage::Fragment {
        let reason = format!("a {} program has no named parameters", object.target().name());
        return Err(Error::invalid_operation(LOCALS, reason));
    }
    if name.is_empty() {
        return Err(Error::invalid_value(LOCALS, "the name is empty"));
    }
    let parameters = object.program().map_or(&[][..], |program| &program.parameters);
    let place = parameters.iter().position(|parameter| {
        matches!(&parameter.source, ParameterSource::Named { name: own, .. } if own.as_bytes() == name)
    });
    place.ok_or_else(|| {
        let name = String::from_utf8_lossy(name);
        Error::invalid_value(LOCALS, format!("the program declares no parameter `{name}`"))
    })
}

/// Program parameter registers.
impl Context {
    /// `ProgramParameter4{f,d}[v]NV`: sets `c[index]`.
    ///
    /// # Errors
    /// `INVALID_ENUM` unless the target is VERTEX_PROGRAM_NV, `INVALID_VALUE` if the index is greater than
    /// 255, `INVALID_OPERATION` if the register tracks a matrix.
    pub fn program_parameter4(
        &mut self,
        target: impl EnumArgument<Stage>,
        index: u32,
        value: impl Vector4,
    ) -> Result<()> {
        self.command("ProgramParameter4NV", |context| {
            vertex_target(target)?;
            context.set_registers(index, &[value])
        })
    }

    /// `ProgramParameters4{f,d}vNV`: sets one register per value, from `c[index]` on. After an error, no
    /// register changes.
    ///
    /// # Errors
    /// As [`Self::program_parameter4`], for any of the registers; `INVALID_VALUE` for a negative count.
    pub fn program_parameters4<'a, V: Vector4 + 'a>(
        &mut self,
        target: impl EnumArgument<Stage>,
        index: u32,
        values: impl Into<Counted<'a, V>>,
    ) -> Result<()> {
        self.command("ProgramParameters4vNV", |context| {
            vertex_target(target)?;
            context.set_registers(index, values.into().values(REGISTERS)?)
        })
    }

    fn set_registers(&mut self, index: u32, values: &[impl Vector4]) -> Result<()> {
        self.assign_registers(register_range(index, values.len(), REGISTERS)?, values)
    }

    /// Sets the registers in `range`, unless one of them tracks a matrix.
    fn assign_registers(
        &mut self,
        range: std::ops::Range<usize>,
        values: &[impl ParameterValue],
    ) -> Result<()> {
        if let Some(tracked) = range.clone().find(|&register| self.is_tracked(register)) {
            let reason = format!("c[{tracked}] tracks a matrix and cannot be set");
            return Err(Error::invalid_operation(TRACKING, reason));
        }
        for (register, value) in self.registers[range].iter_mut().zip(values) {
            *register = value.to_parameter();
        }
        Ok(())
    }

    /// `GetProgramParameter{f,d}vNV`: the value of `c[index]`, tracked or not.
    ///
    /// # Errors
    /// `INVALID_ENUM` unless the target is VERTEX_PROGRAM_NV, `INVALID_VALUE` if the index is greater than
    /// 255.
    pub fn get_program_parameter(&self, target: impl EnumArgument<Stage>, index: u32) -> Result<[f32; 4]> {
        self.query("GetProgramParameterNV", || {
            vertex_target(target)?;
            Ok(singles(self.registers[register_range(index, 1, QUERY)?.start]))
        })
    }

    /// The whole register file `c[0]` to `c[255]`, for display.
    pub fn program_parameters(&self) -> [[f32; 4]; limits::VP2_PARAMETERS] {
        self.registers.map(singles)
    }
}

/// Environment parameters.
impl Context {
    /// `ProgramEnvParameter4{f,d}[v]ARB`, `ProgramEnvParameterI4{i,ui}[v]NV`: sets `program.env[index]` of
    /// all programs of the target. For the vertex target, this is `c[index]`.
    ///
    /// # Errors
    /// `INVALID_ENUM` for a target without environment parameters, `INVALID_VALUE` if the index is greater
    /// than 255, `INVALID_OPERATION` if it is a register that tracks a matrix.
    pub fn program_env_parameter4(
        &mut self,
        target: impl EnumArgument<Stage>,
        index: u32,
        value: impl ParameterValue,
    ) -> Result<()> {
        self.command("ProgramEnvParameter4ARB", |context| {
            let target = local_target(target)?;
            let place = numbered(index, limits::ENV_PARAMETERS, "environment")?;
            context.set_environment(target, place..place + 1, &[value])
        })
    }

    /// `ProgramEnvParameters4fvEXT`, `ProgramEnvParametersI4{i,ui}vNV`: sets one parameter per value, from
    /// `program.env[index]` on. After an error, no parameter changes.
    ///
    /// # Errors
    /// As [`Self::program_env_parameter4`], for any of the parameters; `INVALID_VALUE` for a negative count.
    pub fn program_env_parameters4<'a, V: ParameterValue + 'a>(
        &mut self,
        target: impl EnumArgument<Stage>,
        index: u32,
        values: impl Into<Counted<'a, V>>,
    ) -> Result<()> {
        self.command("ProgramEnvParameters4EXT", |context| {
            let target = local_target(target)?;
            let values = values.into().values(SEVERAL)?;
            let what = ("environment", SEVERAL);
            let range = numbered_range((index, values.len()), limits::ENV_PARAMETERS, what)?;
            context.set_environment(target, range, values)
        })
    }

    fn set_environment(
        &mut self,
        target: Stage,
        range: std::ops::Range<usize>,
        values: &[impl ParameterValue],
    ) -> Result<()> {
        match target {
            Stage::Vertex | Stage::VertexState => self.assign_registers(range, values),
            target => {
                let environment = &mut self.environments[target_place(target) - 1];
                for (place, value) in environment[range].iter_mut().zip(values) {
                    *place = value.to_parameter();
                }
                Ok(())
            }
        }
    }

    /// `GetProgramEnvParameter{f,d}vARB`.
    ///
    /// # Errors
    /// `INVALID_ENUM` for a target without environment parameters, `INVALID_VALUE` if the index is greater
    /// than 255.
    pub fn get_program_env_parameter(
        &self,
        target: impl EnumArgument<Stage>,
        index: u32,
    ) -> Result<[f32; 4]> {
        self.environment_parameter(target, index).map(singles)
    }

    /// `GetProgramEnvParameterI{i,ui}vNV`: the bits. The result is undefined for a parameter that was not set
    /// to integers; here it is the bits of its numbers.
    ///
    /// # Errors
    /// As [`Self::get_program_env_parameter`].
    pub fn get_program_env_parameter_i(
        &self,
        target: impl EnumArgument<Stage>,
        index: u32,
    ) -> Result<[u32; 4]> {
        self.environment_parameter(target, index).map(integers)
    }

    fn environment_parameter(&self, target: impl EnumArgument<Stage>, index: u32) -> Result<Components> {
        self.query("GetProgramEnvParameterARB", || {
            let target = local_target(target)?;
            let place = numbered(index, limits::ENV_PARAMETERS, "environment")?;
            Ok(self.environment(target)[place])
        })
    }

    /// The environment parameters of a target. State programs share the vertex target's.
    pub(super) fn environment(&self, target: Stage) -> &Environment {
        match target {
            Stage::Vertex | Stage::VertexState => &self.registers,
            target => &self.environments[target_place(target) - 1],
        }
    }
}

/// Local parameters.
impl Context {
    /// `ProgramNamedParameter4{f,d}[v]NV`: sets the parameter `name` that program `id` declares with
    /// `DECLARE`. A name from `DEFINE` is a constant.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if the program does not exist or is not a fragment program, `INVALID_VALUE` if the
    /// name is empty or not one of its parameters.
    pub fn program_named_parameter4<'a>(
        &mut self,
        id: u32,
        name: impl Into<Counted<'a, u8>>,
        value: impl Vector4,
    ) -> Result<()> {
        self.command("ProgramNamedParameter4NV", |context| {
            let object = context.programs.get_mut(id).ok_or_else(|| nonexistent(id, LOCALS))?;
            let place = named_index(object, name.into().values(LOCALS)?)?;
            object.values_mut()[place] = value.to_parameter();
            Ok(())
        })
    }

    /// `GetProgramNamedParameter{f,d}vNV`.
    ///
    /// # Errors
    /// As [`Self::program_named_parameter4`].
    pub fn get_program_named_parameter<'a>(
        &self,
        id: u32,
        name: impl Into<Counted<'a, u8>>,
    ) -> Result<[f32; 4]> {
        self.query("GetProgramNamedParameterNV", || {
            let object = self.programs.get(id).ok_or_else(|| nonexistent(id, LOCALS))?;
            Ok(singles(object.values()[named_index(object, name.into().values(LOCALS)?)?]))
        })
    }

    /// `ProgramLocalParameter4{f,d}[v]ARB`, `ProgramLocalParameterI4{i,ui}[v]NV`: sets `p[index]` or
    /// `program.local[index]` of the program object bound to the target. The object need not contain a
    /// program.
    ///
    /// # Errors
    /// `INVALID_ENUM` for a target without local parameters. `INVALID_VALUE` if the index is greater than
    /// 255, or greater than 63 for an `!!FP1.0` program, which has fewer (ruling 11). `INVALID_OPERATION` if
    /// `BindProgramNV` bound a name without an object (the specifications do not say).
    pub fn program_local_parameter4(
        &mut self,
        target: impl EnumArgument<Stage>,
        index: u32,
        value: impl ParameterValue,
    ) -> Result<()> {
        self.command("ProgramLocalParameter4ARB", |context| {
            context.set_locals(local_target(target)?, index, (&[value], ARB))
        })
    }

    /// `ProgramLocalParameters4fvEXT`, `ProgramLocalParametersI4{i,ui}vNV`: sets one parameter per value,
    /// from `program.local[index]` on. After an error, no parameter changes.
    ///
    /// # Errors
    /// As [`Self::program_local_parameter4`], for any of the parameters; `INVALID_VALUE` for a negative
    /// count.
    pub fn program_local_parameters4<'a, V: ParameterValue + 'a>(
        &mut self,
        target: impl EnumArgument<Stage>,
        index: u32,
        values: impl Into<Counted<'a, V>>,
    ) -> Result<()> {
        self.command("ProgramLocalParameters4EXT", |context| {
            let target = local_target(target)?;
            context.set_locals(target, index, (values.into().values(SEVERAL)?, SEVERAL))
        })
    }

    fn set_locals(
        &mut self,
        target: Stage,
        index: u32,
        (values, clause): (&[impl ParameterValue], &'static str),
    ) -> Result<()> {
        let id = self.programs.bound(target);
        let object = self.programs.current_mut(target).ok_or_else(|| nonexistent(id, LOCALS))?;
        let range = numbered_range((index, values.len()), object.local_parameters(), ("local", clause))?;
        for (place, value) in object.locals[range].iter_mut().zip(values) {
            *place = value.to_parameter();
        }
        Ok(())
    }

    /// `GetProgramLocalParameter{f,d}vARB`.
    ///
    /// # Errors
    /// As [`Self::program_local_parameter4`].
    pub fn get_program_local_parameter(
        &self,
        target: impl EnumArgument<Stage>,
        index: u32,
    ) -> Result<[f32; 4]> {
        self.local_parameter(target, index).map(singles)
    }

    /// `GetProgramLocalParameterI{i,ui}vNV`: the bits. The result is undefined for a parameter that was not
    /// set to integers; here it is the bits of its numbers.
    ///
    /// # Errors
    /// As [`Self::program_local_parameter4`].
    pub fn get_program_local_parameter_i(
        &self,
        target: impl EnumArgument<Stage>,
        index: u32,
    ) -> Result<[u32; 4]> {
        self.local_parameter(target, index).map(integers)
    }

    fn local_parameter(&self, target: impl EnumArgument<Stage>, index: u32) -> Result<Components> {
        self.query("GetProgramLocalParameterARB", || {
            let target = local_target(target)?;
            let id = self.programs.bound(target);
            let object = self.programs.current(target).ok_or_else(|| nonexistent(id, LOCALS))?;
            Ok(object.locals[numbered(index, object.local_parameters(), "local")?])
        })
    }
}
