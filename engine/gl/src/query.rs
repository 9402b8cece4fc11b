//! Program queries (6.1.12 of ARB_vertex_program and ARB_fragment_program, with the additions of the NV
//! options), and related implementation limits.

use super::draw_commands::MOST_ELEMENTS;
use super::enums::{self, Constant, EnumArgument, GLenum, TEXTURE_COORDS, TRACK_MATRICES, VERTEX_ATTRIBS};
use super::error::{Error, Result, named};
use super::matrices::STACK_DEPTH;
use super::programs::{ProgramObject, nonexistent};
use super::resources::Resource;
use super::{Context, attrib_stack, feedback_attribs, multisample};
use shadestep_core::pipeline::{SUBPIXEL_BITS, Samples};
use shadestep_core::texture;
use shadestep_language::ir::{GeometryLayout, IMAGE_UNITS, TexelOffset, limits};
use shadestep_language::isa::{FlowLimits, Stage};

const QUERY: &str = "ARB_vertex_program 6.1.12";
const GEOMETRY: &str = "NV_geometry_program4 Errors";
const FRAGMENT_FLOW: &str = "NV_fragment_program2 New Implementation Dependent State";

enums::gl_enums! {
    /// `pname` of `GetProgramivARB`.
    pub enum ProgramQuery {
        /// Bytes of the text.
        Length = PROGRAM_LENGTH_ARB,
        Format = PROGRAM_FORMAT_ARB,
        /// The name.
        Binding = PROGRAM_BINDING_ARB,
        /// 1 for every loaded program, 0 without a program.
        UnderNativeLimits = PROGRAM_UNDER_NATIVE_LIMITS_ARB,
        MaxLocalParameters = MAX_PROGRAM_LOCAL_PARAMETERS_ARB,
        MaxEnvParameters = MAX_PROGRAM_ENV_PARAMETERS_ARB,
        /// Most instructions that one invocation executes.
        MaxExecInstructions = MAX_PROGRAM_EXEC_INSTRUCTIONS_NV,
        MaxCallDepth = MAX_PROGRAM_CALL_DEPTH_NV,
        MaxIfDepth = MAX_PROGRAM_IF_DEPTH_NV,
        MaxLoopDepth = MAX_PROGRAM_LOOP_DEPTH_NV,
        /// For the fragment target.
        MaxLoopCount = MAX_PROGRAM_LOOP_COUNT_NV,
        MaxSubroutineParameters = MAX_PROGRAM_SUBROUTINE_PARAMETERS_NV,
        /// Every SUBROUTINENUM is below this number.
        MaxSubroutineNum = MAX_PROGRAM_SUBROUTINE_NUM_NV,
        MaxParameterBufferBindings = MAX_PROGRAM_PARAMETER_BUFFER_BINDINGS_NV,
        /// In words.
        MaxParameterBufferSize = MAX_PROGRAM_PARAMETER_BUFFER_SIZE_NV,
        /// Generic attributes of a patch.
        MaxPatchAttribs = MAX_PROGRAM_PATCH_ATTRIBS_NV,
        /// Only for the geometry target, like the queries below.
        MaxOutputVertices = MAX_PROGRAM_OUTPUT_VERTICES_NV,
        MaxTotalOutputComponents = MAX_PROGRAM_TOTAL_OUTPUT_COMPONENTS_NV,
        /// The vertex limit of the program.
        GeometryVerticesOut = GEOMETRY_VERTICES_OUT_EXT,
        /// POINTS, LINES, TRIANGLES, and lines or triangles with adjacency.
        GeometryInputType = GEOMETRY_INPUT_TYPE_EXT,
        /// POINTS, LINE_STRIP or TRIANGLE_STRIP.
        GeometryOutputType = GEOMETRY_OUTPUT_TYPE_EXT,
        ;
        /// `PROGRAM_*_ARB`: the program's use of a resource.
        Used(Resource) = |value| resource(value, 0),
        /// `MAX_PROGRAM_*_ARB`: the target's limit of a resource.
        Max(Resource) = |value| resource(value, 1),
        /// `PROGRAM_NATIVE_*_ARB`: as [`Self::Used`], because every program is native.
        NativeUsed(Resource) = |value| resource(value, 2),
        /// `MAX_PROGRAM_NATIVE_*_ARB`: as [`Self::Max`].
        NativeMax(Resource) = |value| resource(value, 3),
    }
}

/// The resource whose [`Resource::constants`] have `value` at `place`.
fn resource(value: GLenum, place: usize) -> Option<Resource> {
    Resource::ALL.into_iter().find(|resource| resource.constants()[place] == value)
}

impl ProgramQuery {
    /// Whether the query is only valid for the geometry target.
    const fn is_of_geometry(self) -> bool {
        matches!(
            self,
            Self::MaxOutputVertices
                | Self::MaxTotalOutputComponents
                | Self::GeometryVerticesOut
                | Self::GeometryInputType
                | Self::GeometryOutputType
        )
    }
}

enums::gl_enums! {
    /// `pname` of `GetProgramStringARB`.
    pub enum ProgramText {
        String = PROGRAM_STRING_ARB,
    }
}

/// Declares limits, one row for each limit: the constant and the value.
macro_rules! limits {
    ($(
        $(#[$attribute:meta])*
        pub enum $type:ident: $number:ty {
            $($(#[$doc:meta])* $variant:ident = $constant:ident => $value:expr,)*
        }
    )*) => {$(
        enums::gl_enums! {
            $(#[$attribute])*
            pub enum $type {
                $($(#[$doc])* $variant = $constant,)*
            }
        }

        impl $type {
            /// The value of the limit.
            pub const fn value(self) -> $number {
                match self {
                    $(Self::$variant => $value as $number,)*
                }
            }
        }
    )*};
}

limits! {
    /// An implementation limit: `pname` of `GetIntegerv`.
    pub enum Limit: i64 {
        VertexAttribs = MAX_VERTEX_ATTRIBS_ARB => VERTEX_ATTRIBS,
        /// The same as `MAX_TRACK_MATRICES_NV`.
        ProgramMatrices = MAX_PROGRAM_MATRICES_ARB => TRACK_MATRICES,
        /// The same as `MAX_TRACK_MATRIX_STACK_DEPTH_NV`.
        ProgramMatrixStackDepth = MAX_PROGRAM_MATRIX_STACK_DEPTH_ARB => STACK_DEPTH,
        TextureCoords = MAX_TEXTURE_COORDS_ARB => TEXTURE_COORDS,
        TextureImageUnits = MAX_TEXTURE_IMAGE_UNITS_ARB => IMAGE_UNITS,
        TextureUnits = MAX_TEXTURE_UNITS => limits::TEXTURE_UNITS,
        Lights = MAX_LIGHTS => limits::LIGHTS,
        ClipPlanes = MAX_CLIP_PLANES => limits::CLIP_PLANES,
        DrawBuffers = MAX_DRAW_BUFFERS_ARB => limits::DRAW_BUFFERS,
        DualSourceDrawBuffers = MAX_DUAL_SOURCE_DRAW_BUFFERS => limits::DUAL_SOURCE_DRAW_BUFFERS,
        /// Numbered parameters of `!!FP1.0`.
        FragmentProgramLocalParameters = MAX_FRAGMENT_PROGRAM_LOCAL_PARAMETERS_NV =>
            limits::NUMBERED_PARAMETERS,
        /// Units that one vertex program can look up.
        VertexTextureImageUnits = MAX_VERTEX_TEXTURE_IMAGE_UNITS_ARB => limits::VERTEX_IMAGE_UNITS,
        /// Units that one geometry program can look up.
        GeometryTextureImageUnits = MAX_GEOMETRY_TEXTURE_IMAGE_UNITS_EXT => IMAGE_UNITS,
        /// Units that one tessellation control program can look up.
        TessControlTextureImageUnits = MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS => IMAGE_UNITS,
        /// Units that one tessellation evaluation program can look up.
        TessEvaluationTextureImageUnits = MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS => IMAGE_UNITS,
        PatchVertices = MAX_PATCH_VERTICES => limits::PATCH_VERTICES,
        TessGenLevel = MAX_TESS_GEN_LEVEL => limits::TESSELLATION_LEVEL,
        GeometryProgramInvocations = MAX_GEOMETRY_PROGRAM_INVOCATIONS_NV => limits::GEOMETRY_INVOCATIONS,
        VertexStreams = MAX_VERTEX_STREAMS => limits::VERTEX_STREAMS,
        TransformFeedbackBuffers = MAX_TRANSFORM_FEEDBACK_BUFFERS => feedback_attribs::BUFFERS,
        /// Per buffer.
        TransformFeedbackInterleavedComponents = MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS =>
            feedback_attribs::INTERLEAVED_COMPONENTS,
        TransformFeedbackSeparateAttribs = MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS =>
            feedback_attribs::SEPARATE_ATTRIBS,
        TransformFeedbackSeparateComponents = MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS =>
            feedback_attribs::SEPARATE_COMPONENTS,
        AttribStackDepth = MAX_ATTRIB_STACK_DEPTH => attrib_stack::DEPTH,
        ClientAttribStackDepth = MAX_CLIENT_ATTRIB_STACK_DEPTH => attrib_stack::DEPTH,
        ModelviewStackDepth = MAX_MODELVIEW_STACK_DEPTH => STACK_DEPTH,
        ProjectionStackDepth = MAX_PROJECTION_STACK_DEPTH => STACK_DEPTH,
        TextureStackDepth = MAX_TEXTURE_STACK_DEPTH => STACK_DEPTH,
        ColorMatrixStackDepth = MAX_COLOR_MATRIX_STACK_DEPTH => STACK_DEPTH,
        TextureSize = MAX_TEXTURE_SIZE => texture::MAX_SIZE,
        TextureSize3D = MAX_3D_TEXTURE_SIZE => texture::MAX_SIZE,
        CubeMapTextureSize = MAX_CUBE_MAP_TEXTURE_SIZE => texture::MAX_SIZE,
        RectangleTextureSize = MAX_RECTANGLE_TEXTURE_SIZE_NV => texture::MAX_SIZE,
        /// Recommended limit for `DrawRangeElements`.
        ElementsVertices = MAX_ELEMENTS_VERTICES => MOST_ELEMENTS,
        /// Recommended limit for `DrawRangeElements`.
        ElementsIndices = MAX_ELEMENTS_INDICES => MOST_ELEMENTS,
        /// Of window coordinates.
        SubpixelBits = SUBPIXEL_BITS => SUBPIXEL_BITS,
        /// Of lookups, in texels.
        MinTexelOffset = MIN_PROGRAM_TEXEL_OFFSET_EXT => TexelOffset::RANGE.0,
        MaxTexelOffset = MAX_PROGRAM_TEXEL_OFFSET_EXT => TexelOffset::RANGE.1,
        /// Of TXGO.
        MinGatherOffset = MIN_PROGRAM_TEXTURE_GATHER_OFFSET_NV => TexelOffset::GATHER_RANGE.0,
        MaxGatherOffset = MAX_PROGRAM_TEXTURE_GATHER_OFFSET_NV => TexelOffset::GATHER_RANGE.1,
        /// Fraction bits of [`FloatLimit`]'s offsets.
        InterpolationOffsetBits = FRAGMENT_PROGRAM_INTERPOLATION_OFFSET_BITS_NV =>
            limits::INTERPOLATION_OFFSET_BITS,
        ArrayTextureLayers = MAX_ARRAY_TEXTURE_LAYERS_EXT => texture::MAX_LAYERS,
        /// Texels of a buffer texture.
        TextureBufferSize = MAX_TEXTURE_BUFFER_SIZE_EXT => texture::MAX_BUFFER_TEXELS,
        ImageUnits = MAX_IMAGE_UNITS_EXT => limits::IMAGE_UNITS,
        /// Limit for the sum of both.
        CombinedImageUnitsAndFragmentOutputs = MAX_COMBINED_IMAGE_UNITS_AND_FRAGMENT_OUTPUTS_EXT =>
            limits::IMAGE_UNITS + limits::DRAW_BUFFERS as usize,
        /// Samples per texel of an image.
        ImageSamples = MAX_IMAGE_SAMPLES_EXT => limits::IMAGE_SAMPLES,
        /// Samples of a framebuffer.
        Samples = MAX_SAMPLES => Samples::MAX,
        ColorTextureSamples = MAX_COLOR_TEXTURE_SAMPLES => texture::MAX_SAMPLES,
        DepthTextureSamples = MAX_DEPTH_TEXTURE_SAMPLES => texture::MAX_SAMPLES,
        /// Samples of an integer texture.
        IntegerSamples = MAX_INTEGER_SAMPLES => texture::MAX_SAMPLES,
        SampleMaskWords = MAX_SAMPLE_MASK_WORDS => multisample::MASK_WORDS,
    }

    /// An implementation limit that is not an integer: `pname` of `GetFloatv`.
    pub enum FloatLimit: f32 {
        /// Of IPAO, in pixels.
        MinInterpolationOffset = MIN_FRAGMENT_INTERPOLATION_OFFSET_NV => -limits::INTERPOLATION_OFFSET,
        MaxInterpolationOffset = MAX_FRAGMENT_INTERPOLATION_OFFSET_NV => limits::INTERPOLATION_OFFSET,
    }
}

/// Checks that programs can be bound to a target.
fn bindable(target: impl EnumArgument<Stage>) -> Result<Stage> {
    match named(target, QUERY, "target")? {
        Stage::VertexState => Err(Error::invalid_enum(QUERY, "no program is bound to this target")),
        target => Ok(target),
    }
}

/// Program queries.
impl Context {
    /// `GetProgramivARB`: a property of the object bound to the target, or of the target. Counts and the
    /// length are 0 while the object contains no program.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target or query, and for the loop count of the vertex target, which has
    /// none. `INVALID_OPERATION` for a property of the object if `BindProgramNV` bound a name without an
    /// object.
    pub fn get_program_iv(
        &self,
        target: impl EnumArgument<Stage>,
        query: impl EnumArgument<ProgramQuery>,
    ) -> Result<i64> {
        self.query("GetProgramivARB", || {
            let target = bindable(target)?;
            let query = named(query, QUERY, "query")?;
            self.answer(target, query).map(|answer| answer as i64)
        })
    }

    fn bound_object(&self, target: Stage) -> Result<&ProgramObject> {
        let missing = || nonexistent(self.programs.bound(target), QUERY);
        self.programs.current(target).ok_or_else(missing)
    }

    /// The limits of control flow of the program bound to `target`. They depend on its language. Without a
    /// program, the limits hold for every language (NV_gpu_program4 table X.21 has higher limits for its own
    /// programs).
    fn flow_limits(&self, target: Stage) -> FlowLimits {
        let program = self.programs.current(target).and_then(ProgramObject::program);
        let own = program.map(|program| program.language.profile().flow);
        own.filter(|flow| *flow == FlowLimits::NV_GPU4).unwrap_or(FlowLimits::NV2)
    }

    fn answer(&self, target: Stage, query: ProgramQuery) -> Result<usize> {
        if target != Stage::Fragment && query == ProgramQuery::MaxLoopCount {
            return Err(Error::invalid_enum(FRAGMENT_FLOW, "vertex programs have no LOOP"));
        }
        if target != Stage::Geometry && query.is_of_geometry() {
            return Err(Error::invalid_enum(GEOMETRY, "only geometry programs have this value"));
        }
        let layout = |of: fn(GeometryLayout) -> GLenum| {
            let layout = self.bound_object(target)?.program().and_then(|program| program.geometry);
            Ok(layout.map_or(0, |layout| of(layout) as usize))
        };
        let flow = self.flow_limits(target);
        // Among vertex programs, only NV_gpu_program4's have IF and REP.
        let blocks = if target == Stage::Fragment { flow } else { FlowLimits::NV_GPU4 };
        Ok(match query {
            ProgramQuery::Length => self.bound_object(target)?.text().len(),
            ProgramQuery::Format => enums::PROGRAM_FORMAT_ASCII_ARB as usize,
            ProgramQuery::Binding => self.programs.bound(target) as usize,
            ProgramQuery::UnderNativeLimits => usize::from(self.bound_object(target)?.program().is_some()),
            ProgramQuery::MaxLocalParameters => limits::LOCAL_PARAMETERS,
            ProgramQuery::MaxEnvParameters => limits::ENV_PARAMETERS,
            ProgramQuery::Used(resource) | ProgramQuery::NativeUsed(resource) => {
                self.bound_object(target)?.program().map_or(0, |program| resource.used(program))
            }
            ProgramQuery::Max(resource) | ProgramQuery::NativeMax(resource) => resource.limit(target),
            ProgramQuery::MaxExecInstructions => flow.executed as usize,
            ProgramQuery::MaxCallDepth => flow.calls,
            ProgramQuery::MaxIfDepth => blocks.nested_ifs,
            ProgramQuery::MaxLoopDepth => blocks.nested_loops,
            ProgramQuery::MaxLoopCount => flow.loop_count as usize,
            ProgramQuery::MaxSubroutineParameters => limits::SUBROUTINE_PARAMETERS,
            ProgramQuery::MaxSubroutineNum => limits::SUBROUTINE_NUMBERS,
            ProgramQuery::MaxParameterBufferBindings => limits::PARAMETER_BUFFERS,
            ProgramQuery::MaxParameterBufferSize => limits::PARAMETER_BUFFER_BYTES as usize / 4,
            ProgramQuery::MaxPatchAttribs => limits::PATCH_ATTRIBUTES.into(),
            ProgramQuery::MaxOutputVertices => limits::OUTPUT_VERTICES,
            ProgramQuery::MaxTotalOutputComponents => limits::OUTPUT_COMPONENTS,
            ProgramQuery::GeometryVerticesOut => {
                self.bound_object(target)?.vertex_limit().unwrap_or(0) as usize
            }
            ProgramQuery::GeometryInputType => layout(|layout| layout.input.constant())?,
            ProgramQuery::GeometryOutputType => layout(|layout| layout.output.constant())?,
        })
    }

    /// `GetProgramStringARB`: the text last loaded into the object bound to the target; empty if there was
    /// none.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target and for a query other than PROGRAM_STRING_ARB;
    /// `INVALID_OPERATION` if `BindProgramNV` bound a name without an object.
    pub fn get_program_string_arb(
        &self,
        target: impl EnumArgument<Stage>,
        query: impl EnumArgument<ProgramText>,
    ) -> Result<&[u8]> {
        self.query("GetProgramStringARB", || {
            let target = bindable(target)?;
            let ProgramText::String = named(query, QUERY, "query")?;
            self.bound_object(target).map(ProgramObject::text)
        })
    }

    /// `GetIntegerv` of an implementation limit.
    ///
    /// # Errors
    /// `INVALID_ENUM` if `limit` is not a [`Limit`].
    pub fn get_limit(&self, limit: impl EnumArgument<Limit>) -> Result<i64> {
        self.query("GetIntegerv", || named(limit, "glspec15 6.1.1", "value").map(Limit::value))
    }

    /// `GetFloatv` of an implementation limit that is not an integer.
    ///
    /// # Errors
    /// `INVALID_ENUM` if `limit` is not a [`FloatLimit`].
    pub fn get_float_limit(&self, limit: impl EnumArgument<FloatLimit>) -> Result<f32> {
        self.query("GetFloatv", || named(limit, "glspec15 6.1.1", "value").map(FloatLimit::value))
    }
}
