//! Patch parameters (ARB_tessellation_shader 2.6.1 and 2.X.2).

use super::counted::Counted;
use super::enums::EnumArgument;
use super::error::{Error, Result, named};
use super::{Context, enums};
use shadestep_language::ir::limits;

const VERTICES: &str = "ARB_tessellation_shader 2.6.1";
const LEVELS: &str = "ARB_tessellation_shader 2.X.2";

enums::gl_enums! {
    /// An integer parameter of patches: `pname` of `PatchParameteri`.
    pub enum PatchNumber {
        Vertices = PATCH_VERTICES,
    }

    /// Default tessellation levels, for draws without a control program: `pname` of `PatchParameterfv`.
    pub enum PatchLevels {
        /// Two values.
        DefaultInner = PATCH_DEFAULT_INNER_LEVEL,
        /// Four values.
        DefaultOuter = PATCH_DEFAULT_OUTER_LEVEL,
    }
}

impl Context {
    /// `PatchParameteri`: number of vertices of a patch.
    ///
    /// # Errors
    /// `INVALID_ENUM` for a parameter other than PATCH_VERTICES, `INVALID_VALUE` if the value is not from 1
    /// to MAX_PATCH_VERTICES.
    pub fn patch_parameter_i(&mut self, pname: impl EnumArgument<PatchNumber>, value: i32) -> Result<()> {
        self.command("PatchParameteri", |context| {
            let PatchNumber::Vertices = named(pname, VERTICES, "parameter")?;
            let most = limits::PATCH_VERTICES;
            let count = u8::try_from(value).ok().filter(|count| (1..=most).contains(count));
            let refused = || Error::invalid_value(VERTICES, format!("{value} is not between 1 and {most}"));
            context.patches.vertices = count.ok_or_else(refused)?;
            Ok(())
        })
    }

    /// `PatchParameterfv`: the default levels, for draws without a control program.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown parameter, `INVALID_VALUE` if the number of values is wrong for the
    /// parameter.
    pub fn patch_parameter_fv<'a>(
        &mut self,
        pname: impl EnumArgument<PatchLevels>,
        values: impl Into<Counted<'a, f32>>,
    ) -> Result<()> {
        self.command("PatchParameterfv", |context| {
            let pname = named(pname, LEVELS, "parameter")?;
            let values = values.into().values(LEVELS)?;
            let levels = match pname {
                PatchLevels::DefaultInner => &mut context.patches.levels.inner[..],
                PatchLevels::DefaultOuter => &mut context.patches.levels.outer[..],
            };
            if values.len() != levels.len() {
                let reason =
                    format!("{} values are given, but there are {} levels", values.len(), levels.len());
                return Err(Error::invalid_value(LEVELS, reason));
            }
            levels.copy_from_slice(values);
            Ok(())
        })
    }

    /// `GetIntegerv` of an integer parameter of patches.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown parameter.
    pub fn get_patch_number(&self, pname: impl EnumArgument<PatchNumber>) -> Result<i32> {
        self.query("GetIntegerv", || {
            let PatchNumber::Vertices = named(pname, VERTICES, "parameter")?;
            Ok(self.patches.vertices.into())
        })
    }

    /// `GetFloatv` of default tessellation levels.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown parameter.
    pub fn get_patch_levels(&self, pname: impl EnumArgument<PatchLevels>) -> Result<&[f32]> {
        self.query("GetFloatv", || {
            Ok(match named(pname, LEVELS, "parameter")? {
                PatchLevels::DefaultInner => &self.patches.levels.inner[..],
                PatchLevels::DefaultOuter => &self.patches.levels.outer[..],
            })
        })
    }
}
