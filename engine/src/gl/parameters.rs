//! Parameters: the register file `c[n]` that all vertex programs share (NV_vertex_program2 2.14.1.2), and
//! the local parameters of fragment programs (NV_fragment_program 5.7).

use super::Context;
use super::counted::Counted;
use super::enums::ProgramTarget;
use super::error::{Error, Result, named};
use super::programs::{ProgramObject, nonexistent};
use crate::ir::{ParameterSource, limits};

const REGISTERS: &str = "NV_vertex_program2 2.14.1.2";
const TRACKING: &str = "NV_vertex_program2 2.14.7";
const LOCALS: &str = "NV_fragment_program 5.7";
const QUERY: &str = "NV_vertex_program 6.1.13";

/// The register file.
pub(super) type Registers = [[f32; 4]; limits::VP2_PARAMETERS];

/// Four numbers, as commands with `4f` or `4d` in their name take them; doubles are rounded to fp32.
pub trait Vector4: Copy {
    /// The numbers as registers hold them.
    fn to_f32(self) -> [f32; 4];
}

impl Vector4 for [f32; 4] {
    fn to_f32(self) -> [f32; 4] {
        self
    }
}

impl Vector4 for [f64; 4] {
    fn to_f32(self) -> [f32; 4] {
        self.map(|x| x as f32)
    }
}

/// Looks at the target of a command about the register file.
fn vertex_target(target: impl TryInto<ProgramTarget>) -> Result<()> {
    match named(target, REGISTERS, "target")? {
        ProgramTarget::Vertex => Ok(()),
        other => Err(Error::invalid_enum(REGISTERS, format!("{} has no parameter registers", other.name()))),
    }
}

/// The registers that a command names: `count` from `index`.
fn register_range(index: u32, count: usize, clause: &'static str) -> Result<std::ops::Range<usize>> {
    let first = usize::try_from(index).unwrap_or(usize::MAX);
    let end = first.saturating_add(count.max(1));
    if end > limits::VP2_PARAMETERS {
        let reason = format!("register {} does not exist: the last one is 255", end - 1);
        return Err(Error::invalid_value(clause, reason));
    }
    Ok(first..first + count)
}

/// The numbered parameter that a command names.
fn local_index(index: u32) -> Result<usize> {
    let place = usize::try_from(index).ok().filter(|&place| place < limits::NUMBERED_PARAMETERS);
    place.ok_or_else(|| {
        let last = limits::NUMBERED_PARAMETERS - 1;
        Error::invalid_value(LOCALS, format!("p[{index}] does not exist: the last one is p[{last}]"))
    })
}

/// Index of the local parameter `name` among the parameters of `object`.
fn named_index(object: &ProgramObject, name: &[u8]) -> Result<usize> {
    if object.target() != ProgramTarget::Fragment {
        let reason = format!("a {} has no named parameters", object.target().name());
        return Err(Error::invalid_operation(LOCALS, reason));
    }
    if name.is_empty() {
        return Err(Error::invalid_value(LOCALS, "the name is empty"));
    }
    let place = object.program().parameters.iter().position(|parameter| {
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
        target: impl TryInto<ProgramTarget>,
        index: u32,
        value: impl Vector4,
    ) -> Result<()> {
        self.command("ProgramParameter4NV", |context| {
            vertex_target(target)?;
            context.set_registers(index, &[value])
        })
    }

    /// `ProgramParameters4{f,d}vNV`: sets as many registers as there are values, from `c[index]` on: all of
    /// them or, after an error, none.
    ///
    /// # Errors
    /// As for [`Self::program_parameter4`], for any of them; `INVALID_VALUE` for a negative count.
    pub fn program_parameters4<'a, V: Vector4 + 'a>(
        &mut self,
        target: impl TryInto<ProgramTarget>,
        index: u32,
        values: impl Into<Counted<'a, V>>,
    ) -> Result<()> {
        self.command("ProgramParameters4vNV", |context| {
            vertex_target(target)?;
            context.set_registers(index, values.into().values(REGISTERS)?)
        })
    }

    fn set_registers(&mut self, index: u32, values: &[impl Vector4]) -> Result<()> {
        let range = register_range(index, values.len(), REGISTERS)?;
        if let Some(tracked) = range.clone().find(|&register| self.is_tracked(register)) {
            let reason = format!("c[{tracked}] tracks a matrix and cannot be set");
            return Err(Error::invalid_operation(TRACKING, reason));
        }
        for (register, value) in self.registers[range].iter_mut().zip(values) {
            *register = value.to_f32();
        }
        Ok(())
    }

    /// `GetProgramParameter{f,d}vNV`: the value of `c[index]`, tracked or not.
    ///
    /// # Errors
    /// `INVALID_ENUM` unless the target is VERTEX_PROGRAM_NV, `INVALID_VALUE` if the index is greater than
    /// 255.
    pub fn get_program_parameter(&self, target: impl TryInto<ProgramTarget>, index: u32) -> Result<[f32; 4]> {
        self.query("GetProgramParameterNV", || {
            vertex_target(target)?;
            Ok(self.registers[register_range(index, 1, QUERY)?.start])
        })
    }

    /// The whole register file `c[0]` to `c[255]`, for display.
    pub const fn program_parameters(&self) -> &[[f32; 4]; limits::VP2_PARAMETERS] {
        &self.registers
    }
}

/// Local parameters of fragment programs.
impl Context {
    /// `ProgramNamedParameter4{f,d}[v]NV`: sets the parameter `name` that the program `id` declares
    /// (`DECLARE`; a `DEFINE`d name is a constant).
    ///
    /// # Errors
    /// `INVALID_OPERATION` if the program does not exist or is no fragment program, `INVALID_VALUE` if the
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
            object.values[place] = value.to_f32();
            Ok(())
        })
    }

    /// `GetProgramNamedParameter{f,d}vNV`.
    ///
    /// # Errors
    /// As for [`Self::program_named_parameter4`].
    pub fn get_program_named_parameter<'a>(
        &self,
        id: u32,
        name: impl Into<Counted<'a, u8>>,
    ) -> Result<[f32; 4]> {
        self.query("GetProgramNamedParameterNV", || {
            let object = self.programs.get(id).ok_or_else(|| nonexistent(id, LOCALS))?;
            Ok(object.values[named_index(object, name.into().values(LOCALS)?)?])
        })
    }

    /// `ProgramLocalParameter4{f,d}[v]ARB`: sets `p[index]` of the program bound to the target.
    ///
    /// # Errors
    /// `INVALID_ENUM` unless the target is FRAGMENT_PROGRAM_NV, `INVALID_VALUE` if the index is greater than
    /// 63, `INVALID_OPERATION` if the program bound does not exist: it has no parameters to set (here the
    /// texts are silent).
    pub fn program_local_parameter4(
        &mut self,
        target: impl TryInto<ProgramTarget>,
        index: u32,
        value: impl Vector4,
    ) -> Result<()> {
        self.command("ProgramLocalParameter4ARB", |context| {
            let (id, place) = context.local_place(target, index)?;
            let object = context.programs.get_mut(id).ok_or_else(|| nonexistent(id, LOCALS))?;
            object.locals[place] = value.to_f32();
            Ok(())
        })
    }

    /// `GetProgramLocalParameter{f,d}vARB`.
    ///
    /// # Errors
    /// As for [`Self::program_local_parameter4`].
    pub fn get_program_local_parameter(
        &self,
        target: impl TryInto<ProgramTarget>,
        index: u32,
    ) -> Result<[f32; 4]> {
        self.query("GetProgramLocalParameterARB", || {
            let (id, place) = self.local_place(target, index)?;
            Ok(self.programs.get(id).ok_or_else(|| nonexistent(id, LOCALS))?.locals[place])
        })
    }

    fn local_place(&self, target: impl TryInto<ProgramTarget>, index: u32) -> Result<(u32, usize)> {
        match named(target, LOCALS, "target")? {
            ProgramTarget::Fragment => {
                Ok((self.programs.bound(ProgramTarget::Fragment), local_index(index)?))
            }
            other => {
                let reason = format!("{} has no numbered local parameters", other.name());
                Err(Error::invalid_enum(LOCALS, reason))
            }
        }
    }
}
