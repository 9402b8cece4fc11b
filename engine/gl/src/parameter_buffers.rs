//! Parameter buffers: buffer objects at the binding points of a program target (NV_parameter_buffer_object
//! 2.14.1).

use super::Context;
use super::buffers::{BufferId, Buffers, part};
use super::counted::Counted;
use super::enums::{BufferTarget, EnumArgument, TARGETS, target_place};
use super::error::{Error, Result, named};
use shadestep_language::ir::limits;
use shadestep_language::isa::Stage;

const CLAUSE: &str = "NV_parameter_buffer_object 2.14.1";
const QUERY: &str = "NV_parameter_buffer_object 6.1.1";
/// Number of words of a buffer object that programs can read.
const MOST_WORDS: u64 = limits::PARAMETER_BUFFER_BYTES as u64 / 4;

/// The binding of a binding point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub buffer: BufferId,
    /// Size in bytes; `None` for the whole data store.
    pub size: Option<u64>,
}

/// The binding points of each target, indexed by [`target_place`].
#[derive(Clone, Debug, Default)]
pub(super) struct Points([[Option<Point>; limits::PARAMETER_BUFFERS]; TARGETS]);

impl Points {
    /// The binding points of a stage.
    pub const fn of(&self, stage: Stage) -> &[Option<Point>; limits::PARAMETER_BUFFERS] {
        &self.0[target_place(stage)]
    }

    const fn of_mut(&mut self, stage: Stage) -> &mut [Option<Point>; limits::PARAMETER_BUFFERS] {
        &mut self.0[target_place(stage)]
    }
}

impl Buffers {
    /// Unbinds deleted buffer objects.
    pub fn forget_points(&mut self) {
        let mut points = self.points.clone();
        for point in points.0.as_flattened_mut() {
            *point = point.filter(|point| self.named(self.name(point.buffer)) == Some(point.buffer));
        }
        self.points = points;
    }
}

/// The stage of a target for parameter buffers.
fn stage_of(target: impl EnumArgument<BufferTarget>, clause: &'static str) -> Result<(BufferTarget, Stage)> {
    let target: BufferTarget = named(target, clause, "target")?;
    let stage = match target {
        BufferTarget::VertexProgramParameter => Stage::Vertex,
        BufferTarget::TessControlProgramParameter => Stage::TessControl,
        BufferTarget::TessEvaluationProgramParameter => Stage::TessEvaluation,
        BufferTarget::GeometryProgramParameter => Stage::Geometry,
        BufferTarget::FragmentProgramParameter => Stage::Fragment,
        BufferTarget::Texture | BufferTarget::TransformFeedback | BufferTarget::Array => {
            return Err(Error::invalid_enum(clause, "the target is not for parameter buffers"));
        }
    };
    Ok((target, stage))
}

/// Index of a binding point, if it exists.
fn place(index: u32, clause: &'static str) -> Result<usize> {
    let place = usize::try_from(index).ok().filter(|&place| place < limits::PARAMETER_BUFFERS);
    place.ok_or_else(|| Error::invalid_value(clause, format!("there is no binding point {index}")))
}

/// A number of bytes, converted to words. An error unless it is a multiple of 4.
fn words(bytes: i64, what: &str) -> Result<u64> {
    let bytes = u64::try_from(bytes).ok().filter(|bytes| bytes.is_multiple_of(4));
    bytes.ok_or_else(|| Error::invalid_value(CLAUSE, format!("the {what} is not a whole number of words")))
}

/// Parameter buffers.
impl Context {
    /// `BindBufferRangeNV`: binds the buffer object `buffer` to binding point `index` and to the target
    /// itself. Programs read its first `size` bytes; transform feedback writes the `size` bytes from `offset`
    /// on. A name without an object creates one; 0 unbinds.
    ///
    /// # Errors
    /// `INVALID_ENUM` for a target that is neither a parameter buffer target nor TRANSFORM_FEEDBACK_BUFFER.
    /// `INVALID_VALUE` for a binding point that does not exist, a size that is not positive, a size or offset
    /// that is not a multiple of 4, and an offset other than 0 for parameter buffers. `INVALID_OPERATION` for
    /// TRANSFORM_FEEDBACK_BUFFER while transform feedback is active.
    pub fn bind_buffer_range(
        &mut self,
        target: impl EnumArgument<BufferTarget>,
        index: u32,
        buffer: u32,
        offset: i64,
        size: i64,
    ) -> Result<()> {
        self.command("BindBufferRangeNV", |context| {
            let target = named(target, CLAUSE, "target")?;
            let size = words(size, "size")?;
            if size == 0 {
                return Err(Error::invalid_value(CLAUSE, "the size is 0"));
            }
            context.bind_point(target, index, buffer, offset, Some(size))
        })
    }

    /// `BindBufferOffsetNV`: [`Self::bind_buffer_range`] for the whole buffer object.
    ///
    /// # Errors
    /// As [`Self::bind_buffer_range`].
    pub fn bind_buffer_offset(
        &mut self,
        target: impl EnumArgument<BufferTarget>,
        index: u32,
        buffer: u32,
        offset: i64,
    ) -> Result<()> {
        self.command("BindBufferOffsetNV", |context| {
            let target = named(target, CLAUSE, "target")?;
            context.bind_point(target, index, buffer, offset, None)
        })
    }

    /// `BindBufferBaseNV`: [`Self::bind_buffer_offset`] with offset 0.
    ///
    /// # Errors
    /// As [`Self::bind_buffer_range`].
    pub fn bind_buffer_base(
        &mut self,
        target: impl EnumArgument<BufferTarget>,
        index: u32,
        buffer: u32,
    ) -> Result<()> {
        self.command("BindBufferBaseNV", |context| {
            let target = named(target, CLAUSE, "target")?;
            context.bind_point(target, index, buffer, 0, None)
        })
    }

    fn bind_point(
        &mut self,
        target: BufferTarget,
        index: u32,
        buffer: u32,
        offset: i64,
        size: Option<u64>,
    ) -> Result<()> {
        if target == BufferTarget::TransformFeedback {
            return self.bind_feedback_point(index, buffer, (words(offset, "offset")?, size));
        }
        let (target, stage) = stage_of(target, CLAUSE)?;
        let place = place(index, CLAUSE)?;
        if words(offset, "offset")? != 0 {
            return Err(Error::invalid_value(CLAUSE, "parameter buffers must start at offset 0"));
        }
        let bound = self.buffers.bind(target, buffer);
        self.buffers.points.of_mut(stage)[place] = bound.map(|buffer| Point { buffer, size });
        Ok(())
    }

    /// `GetIntegerIndexedvEXT`: the name of the buffer object at a binding point; 0 for none.
    ///
    /// # Errors
    /// `INVALID_ENUM` for a target that is not a parameter buffer target, `INVALID_VALUE` for a binding point
    /// that does not exist.
    pub fn get_parameter_buffer(&self, target: impl EnumArgument<BufferTarget>, index: u32) -> Result<u32> {
        self.query("GetIntegerIndexedvEXT", || {
            let (_, stage) = stage_of(target, QUERY)?;
            let point = self.buffers.points.of(stage)[place(index, QUERY)?];
            Ok(point.map_or(0, |point| self.buffers.name(point.buffer)))
        })
    }

    /// `ProgramBufferParametersfvNV`: writes numbers to the buffer object at binding point `binding`,
    /// starting at `word`.
    ///
    /// # Errors
    /// `INVALID_ENUM` for a target that is not a parameter buffer target; `INVALID_VALUE` for a binding point
    /// that does not exist, a negative count, and words beyond the data store or beyond
    /// `MAX_PROGRAM_PARAMETER_BUFFER_SIZE_NV`; `INVALID_OPERATION` if no buffer is bound.
    pub fn program_buffer_parameters_f<'a>(
        &mut self,
        target: impl EnumArgument<BufferTarget>,
        [binding, word]: [u32; 2],
        values: impl Into<Counted<'a, f32>>,
    ) -> Result<()> {
        self.command("ProgramBufferParametersfvNV", |context| {
            let target = named(target, CLAUSE, "target")?;
            let values = values.into().values(CLAUSE)?.iter().map(|value| value.to_bits());
            context.set_words(target, binding, word, &values.collect::<Vec<_>>())
        })
    }

    /// `ProgramBufferParametersIivNV`
    ///
    /// # Errors
    /// As [`Self::program_buffer_parameters_f`].
    pub fn program_buffer_parameters_i<'a>(
        &mut self,
        target: impl EnumArgument<BufferTarget>,
        [binding, word]: [u32; 2],
        values: impl Into<Counted<'a, i32>>,
    ) -> Result<()> {
        self.command("ProgramBufferParametersIivNV", |context| {
            let target = named(target, CLAUSE, "target")?;
            let values = values.into().values(CLAUSE)?.iter().map(|value| value.cast_unsigned());
            context.set_words(target, binding, word, &values.collect::<Vec<_>>())
        })
    }

    /// `ProgramBufferParametersIuivNV`
    ///
    /// # Errors
    /// As [`Self::program_buffer_parameters_f`].
    pub fn program_buffer_parameters_ui<'a>(
        &mut self,
        target: impl EnumArgument<BufferTarget>,
        [binding, word]: [u32; 2],
        values: impl Into<Counted<'a, u32>>,
    ) -> Result<()> {
        self.command("ProgramBufferParametersIuivNV", |context| {
            let target = named(target, CLAUSE, "target")?;
            context.set_words(target, binding, word, values.into().values(CLAUSE)?)
        })
    }

    fn set_words(&mut self, target: BufferTarget, binding: u32, word: u32, values: &[u32]) -> Result<()> {
        let (_, stage) = stage_of(target, CLAUSE)?;
        let point = self.buffers.points.of(stage)[place(binding, CLAUSE)?];
        let object = point.and_then(|point| self.buffers.object_mut(point.buffer));
        let none = || {
            Error::invalid_operation(CLAUSE, format!("no buffer object is bound to binding point {binding}"))
        };
        let object = object.ok_or_else(none)?;
        if u64::from(word) + values.len() as u64 > MOST_WORDS {
            let reason = format!("programs can read at most {MOST_WORDS} words of a parameter buffer");
            return Err(Error::invalid_value(CLAUSE, reason));
        }
        let bytes: Vec<u8> = values.iter().flat_map(|word| word.to_le_bytes()).collect();
        let range = part(object.store(), 4 * i64::from(word), bytes.len() as i64, CLAUSE)?;
        object.store_mut().write(range.start, &bytes);
        Ok(())
    }
}
