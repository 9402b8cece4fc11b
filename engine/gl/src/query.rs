//! Program queries (6.1.12 of ARB_vertex_program and ARB_fragment_program, with the additions of the NV
//! options), and related implementation limits.

use super::draw_commands::MOST_ELEMENTS;
use super::enums::{
    self, Constant, EnumArgument, GLenum, Named, TEXTURE_COORDS, TRACK_MATRICES, VERTEX_ATTRIBS,
};
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

/// `pname` of `GetProgramivARB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProgramQuery {
    /// `PROGRAM_LENGTH_ARB`: bytes of the text.
    Length,
    /// `PROGRAM_FORMAT_ARB`
    Format,
    /// `PROGRAM_BINDING_ARB`: the name.
    Binding,
    /// `PROGRAM_UNDER_NATIVE_LIMITS_ARB`: 1 for every loaded program, 0 without a program.
    UnderNativeLimits,
    /// `MAX_PROGRAM_LOCAL_PARAMETERS_ARB`
    MaxLocalParameters,
    /// `MAX_PROGRAM_ENV_PARAMETERS_ARB`
    MaxEnvParameters,
    /// `PROGRAM_*_ARB`: the program's use of a resource.
    Used(Resource),
    /// `MAX_PROGRAM_*_ARB`: the target's limit of a resource.
    Max(Resource),
    /// `PROGRAM_NATIVE_*_ARB`: as [`Self::Used`], because every program is native.
    NativeUsed(Resource),
    /// `MAX_PROGRAM_NATIVE_*_ARB`: as [`Self::Max`].
    NativeMax(Resource),
    /// `MAX_PROGRAM_EXEC_INSTRUCTIONS_NV`: most instructions that one invocation executes.
    MaxExecInstructions,
    /// `MAX_PROGRAM_CALL_DEPTH_NV`
    MaxCallDepth,
    /// `MAX_PROGRAM_IF_DEPTH_NV`
    MaxIfDepth,
    /// `MAX_PROGRAM_LOOP_DEPTH_NV`
    MaxLoopDepth,
    /// `MAX_PROGRAM_LOOP_COUNT_NV`, for the fragment target.
    MaxLoopCount,
    /// `MAX_PROGRAM_SUBROUTINE_PARAMETERS_NV`
    MaxSubroutineParameters,
    /// `MAX_PROGRAM_SUBROUTINE_NUM_NV`: every SUBROUTINENUM is below this number.
    MaxSubroutineNum,
    /// `MAX_PROGRAM_PARAMETER_BUFFER_BINDINGS_NV`
    MaxParameterBufferBindings,
    /// `MAX_PROGRAM_PARAMETER_BUFFER_SIZE_NV`, in words.
    MaxParameterBufferSize,
    /// `MAX_PROGRAM_PATCH_ATTRIBS_NV`: generic attributes of a patch.
    MaxPatchAttribs,
    /// `MAX_PROGRAM_OUTPUT_VERTICES_NV`; only for the geometry target, like the queries below.
    MaxOutputVertices,
    /// `MAX_PROGRAM_TOTAL_OUTPUT_COMPONENTS_NV`
    MaxTotalOutputComponents,
    /// `GEOMETRY_VERTICES_OUT_EXT`: the vertex limit of the program.
    GeometryVerticesOut,
    /// `GEOMETRY_INPUT_TYPE_EXT`: POINTS, LINES, TRIANGLES, and lines or triangles with adjacency.
    GeometryInputType,
    /// `GEOMETRY_OUTPUT_TYPE_EXT`: POINTS, LINE_STRIP or TRIANGLE_STRIP.
    GeometryOutputType,
}

/// A resource with its constants for: use, limit, native use, native limit.
const RESOURCES: [(Resource, [GLenum; 4]); 8] = [
    (
        Resource::Instructions,
        [
            enums::PROGRAM_INSTRUCTIONS_ARB,
            enums::MAX_PROGRAM_INSTRUCTIONS_ARB,
            enums::PROGRAM_NATIVE_INSTRUCTIONS_ARB,
            enums::MAX_PROGRAM_NATIVE_INSTRUCTIONS_ARB,
        ],
    ),
    (
        Resource::AluInstructions,
        [
            enums::PROGRAM_ALU_INSTRUCTIONS_ARB,
            enums::MAX_PROGRAM_ALU_INSTRUCTIONS_ARB,
            enums::PROGRAM_NATIVE_ALU_INSTRUCTIONS_ARB,
            enums::MAX_PROGRAM_NATIVE_ALU_INSTRUCTIONS_ARB,
        ],
    ),
    (
        Resource::TexInstructions,
        [
            enums::PROGRAM_TEX_INSTRUCTIONS_ARB,
            enums::MAX_PROGRAM_TEX_INSTRUCTIONS_ARB,
            enums::PROGRAM_NATIVE_TEX_INSTRUCTIONS_ARB,
            enums::MAX_PROGRAM_NATIVE_TEX_INSTRUCTIONS_ARB,
        ],
    ),
    (
        Resource::TexIndirections,
        [
            enums::PROGRAM_TEX_INDIRECTIONS_ARB,
            enums::MAX_PROGRAM_TEX_INDIRECTIONS_ARB,
            enums::PROGRAM_NATIVE_TEX_INDIRECTIONS_ARB,
            enums::MAX_PROGRAM_NATIVE_TEX_INDIRECTIONS_ARB,
        ],
    ),
    (
        Resource::Temporaries,
        [
            enums::PROGRAM_TEMPORARIES_ARB,
            enums::MAX_PROGRAM_TEMPORARIES_ARB,
            enums::PROGRAM_NATIVE_TEMPORARIES_ARB,
            enums::MAX_PROGRAM_NATIVE_TEMPORARIES_ARB,
        ],
    ),
    (
        Resource::Parameters,
        [
            enums::PROGRAM_PARAMETERS_ARB,
            enums::MAX_PROGRAM_PARAMETERS_ARB,
            enums::PROGRAM_NATIVE_PARAMETERS_ARB,
            enums::MAX_PROGRAM_NATIVE_PARAMETERS_ARB,
        ],
    ),
    (
        Resource::Attributes,
        [
            enums::PROGRAM_ATTRIBS_ARB,
            enums::MAX_PROGRAM_ATTRIBS_ARB,
            enums::PROGRAM_NATIVE_ATTRIBS_ARB,
            enums::MAX_PROGRAM_NATIVE_ATTRIBS_ARB,
        ],
    ),
    (
        Resource::AddressRegisters,
        [
            enums::PROGRAM_ADDRESS_REGISTERS_ARB,
            enums::MAX_PROGRAM_ADDRESS_REGISTERS_ARB,
            enums::PROGRAM_NATIVE_ADDRESS_REGISTERS_ARB,
            enums::MAX_PROGRAM_NATIVE_ADDRESS_REGISTERS_ARB,
        ],
    ),
];

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

impl Named for ProgramQuery {
    fn of_constant(value: GLenum) -> Option<Self> {
        Some(match value {
            enums::PROGRAM_LENGTH_ARB => Self::Length,
            enums::PROGRAM_FORMAT_ARB => Self::Format,
            enums::PROGRAM_BINDING_ARB => Self::Binding,
            enums::PROGRAM_UNDER_NATIVE_LIMITS_ARB => Self::UnderNativeLimits,
            enums::MAX_PROGRAM_LOCAL_PARAMETERS_ARB => Self::MaxLocalParameters,
            enums::MAX_PROGRAM_ENV_PARAMETERS_ARB => Self::MaxEnvParameters,
            enums::MAX_PROGRAM_EXEC_INSTRUCTIONS_NV => Self::MaxExecInstructions,
            enums::MAX_PROGRAM_CALL_DEPTH_NV => Self::MaxCallDepth,
            enums::MAX_PROGRAM_IF_DEPTH_NV => Self::MaxIfDepth,
            enums::MAX_PROGRAM_LOOP_DEPTH_NV => Self::MaxLoopDepth,
            enums::MAX_PROGRAM_LOOP_COUNT_NV => Self::MaxLoopCount,
            enums::MAX_PROGRAM_SUBROUTINE_PARAMETERS_NV => Self::MaxSubroutineParameters,
            enums::MAX_PROGRAM_SUBROUTINE_NUM_NV => Self::MaxSubroutineNum,
            enums::MAX_PROGRAM_PARAMETER_BUFFER_BINDINGS_NV => Self::MaxParameterBufferBindings,
            enums::MAX_PROGRAM_PARAMETER_BUFFER_SIZE_NV => Self::MaxParameterBufferSize,
            enums::MAX_PROGRAM_PATCH_ATTRIBS_NV => Self::MaxPatchAttribs,
            enums::MAX_PROGRAM_OUTPUT_VERTICES_NV => Self::MaxOutputVertices,
            enums::MAX_PROGRAM_TOTAL_OUTPUT_COMPONENTS_NV => Self::MaxTotalOutputComponents,
            enums::GEOMETRY_VERTICES_OUT_EXT => Self::GeometryVerticesOut,
            enums::GEOMETRY_INPUT_TYPE_EXT => Self::GeometryInputType,
            enums::GEOMETRY_OUTPUT_TYPE_EXT => Self::GeometryOutputType,
            _ => {
                let kinds = [Self::Used, Self::Max, Self::NativeUsed, Self::NativeMax];
                let mut all = RESOURCES.iter().flat_map(|(resource, constants)| {
                    constants.iter().zip(kinds).map(move |(constant, kind)| (*constant, kind(*resource)))
                });
                let found = all.find_map(|(constant, query)| (constant == value).then_some(query));
                return found;
            }
        })
    }
}

/// `pname` of `GetProgramStringARB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProgramText {
    /// `PROGRAM_STRING_ARB`
    String,
}

/// An implementation limit: `pname` of `GetIntegerv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// `MAX_VERTEX_ATTRIBS_ARB`
    VertexAttribs,
    /// `MAX_PROGRAM_MATRICES_ARB`, the same as `MAX_TRACK_MATRICES_NV`.
    ProgramMatrices,
    /// `MAX_PROGRAM_MATRIX_STACK_DEPTH_ARB`, the same as `MAX_TRACK_MATRIX_STACK_DEPTH_NV`.
    ProgramMatrixStackDepth,
    /// `MAX_TEXTURE_COORDS_ARB`
    TextureCoords,
    /// `MAX_TEXTURE_IMAGE_UNITS_ARB`
    TextureImageUnits,
    /// `MAX_TEXTURE_UNITS`
    TextureUnits,
    /// `MAX_LIGHTS`
    Lights,
    /// `MAX_CLIP_PLANES`
    ClipPlanes,
    /// `MAX_DRAW_BUFFERS_ARB`
    DrawBuffers,
    /// `MAX_DUAL_SOURCE_DRAW_BUFFERS`
    DualSourceDrawBuffers,
    /// `MAX_FRAGMENT_PROGRAM_LOCAL_PARAMETERS_NV`: numbered parameters of `!!FP1.0`.
    FragmentProgramLocalParameters,
    /// `MAX_VERTEX_TEXTURE_IMAGE_UNITS_ARB`: units that one vertex program can look up.
    VertexTextureImageUnits,
    /// `MAX_GEOMETRY_TEXTURE_IMAGE_UNITS_EXT`: units that one geometry program can look up.
    GeometryTextureImageUnits,
    /// `MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS`: units that one tessellation control program can look up.
    TessControlTextureImageUnits,
    /// `MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS`: units that one tessellation evaluation program can look up.
    TessEvaluationTextureImageUnits,
    /// `MAX_PATCH_VERTICES`
    PatchVertices,
    /// `MAX_TESS_GEN_LEVEL`
    TessGenLevel,
    /// `MAX_GEOMETRY_PROGRAM_INVOCATIONS_NV`
    GeometryProgramInvocations,
    /// `MAX_VERTEX_STREAMS`
    VertexStreams,
    /// `MAX_TRANSFORM_FEEDBACK_BUFFERS`
    TransformFeedbackBuffers,
    /// `MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS`: per buffer.
    TransformFeedbackInterleavedComponents,
    /// `MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS`
    TransformFeedbackSeparateAttribs,
    /// `MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS`
    TransformFeedbackSeparateComponents,
    /// `MAX_ATTRIB_STACK_DEPTH`
    AttribStackDepth,
    /// `MAX_CLIENT_ATTRIB_STACK_DEPTH`
    ClientAttribStackDepth,
    /// `MAX_MODELVIEW_STACK_DEPTH`
    ModelviewStackDepth,
    /// `MAX_PROJECTION_STACK_DEPTH`
    ProjectionStackDepth,
    /// `MAX_TEXTURE_STACK_DEPTH`
    TextureStackDepth,
    /// `MAX_COLOR_MATRIX_STACK_DEPTH`
    ColorMatrixStackDepth,
    /// `MAX_TEXTURE_SIZE`
    TextureSize,
    /// `MAX_3D_TEXTURE_SIZE`
    TextureSize3D,
    /// `MAX_CUBE_MAP_TEXTURE_SIZE`
    CubeMapTextureSize,
    /// `MAX_RECTANGLE_TEXTURE_SIZE_NV`
    RectangleTextureSize,
    /// `MAX_ELEMENTS_VERTICES`: recommended limit for `DrawRangeElements`.
    ElementsVertices,
    /// `MAX_ELEMENTS_INDICES`: recommended limit for `DrawRangeElements`.
    ElementsIndices,
    /// `SUBPIXEL_BITS` of window coordinates.
    SubpixelBits,
    /// `MIN_PROGRAM_TEXEL_OFFSET_EXT`: of lookups, in texels.
    MinTexelOffset,
    /// `MAX_PROGRAM_TEXEL_OFFSET_EXT`
    MaxTexelOffset,
    /// `MIN_PROGRAM_TEXTURE_GATHER_OFFSET_NV`: of TXGO.
    MinGatherOffset,
    /// `MAX_PROGRAM_TEXTURE_GATHER_OFFSET_NV`
    MaxGatherOffset,
    /// `FRAGMENT_PROGRAM_INTERPOLATION_OFFSET_BITS_NV`: fraction bits of [`FloatLimit`]'s offsets.
    InterpolationOffsetBits,
    /// `MAX_ARRAY_TEXTURE_LAYERS_EXT`
    ArrayTextureLayers,
    /// `MAX_TEXTURE_BUFFER_SIZE_EXT`: texels of a buffer texture.
    TextureBufferSize,
    /// `MAX_IMAGE_UNITS_EXT`
    ImageUnits,
    /// `MAX_COMBINED_IMAGE_UNITS_AND_FRAGMENT_OUTPUTS_EXT`: limit for the sum of both.
    CombinedImageUnitsAndFragmentOutputs,
    /// `MAX_IMAGE_SAMPLES_EXT`: samples per texel of an image.
    ImageSamples,
    /// `MAX_SAMPLES`: samples of a framebuffer.
    Samples,
    /// `MAX_COLOR_TEXTURE_SAMPLES`
    ColorTextureSamples,
    /// `MAX_DEPTH_TEXTURE_SAMPLES`
    DepthTextureSamples,
    /// `MAX_INTEGER_SAMPLES`: samples of an integer texture.
    IntegerSamples,
    /// `MAX_SAMPLE_MASK_WORDS`
    SampleMaskWords,
}

/// An implementation limit that is not an integer: `pname` of `GetFloatv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatLimit {
    /// `MIN_FRAGMENT_INTERPOLATION_OFFSET_NV`: of IPAO, in pixels.
    MinInterpolationOffset,
    /// `MAX_FRAGMENT_INTERPOLATION_OFFSET_NV`
    MaxInterpolationOffset,
}

enums::conversions! {
    ProgramText {
        String = PROGRAM_STRING_ARB,
    }
    Limit {
        VertexAttribs = MAX_VERTEX_ATTRIBS_ARB,
        ProgramMatrices = MAX_PROGRAM_MATRICES_ARB,
        ProgramMatrixStackDepth = MAX_PROGRAM_MATRIX_STACK_DEPTH_ARB,
        TextureCoords = MAX_TEXTURE_COORDS_ARB,
        TextureImageUnits = MAX_TEXTURE_IMAGE_UNITS_ARB,
        TextureUnits = MAX_TEXTURE_UNITS,
        Lights = MAX_LIGHTS,
        ClipPlanes = MAX_CLIP_PLANES,
        DrawBuffers = MAX_DRAW_BUFFERS_ARB,
        DualSourceDrawBuffers = MAX_DUAL_SOURCE_DRAW_BUFFERS,
        FragmentProgramLocalParameters = MAX_FRAGMENT_PROGRAM_LOCAL_PARAMETERS_NV,
        VertexTextureImageUnits = MAX_VERTEX_TEXTURE_IMAGE_UNITS_ARB,
        GeometryTextureImageUnits = MAX_GEOMETRY_TEXTURE_IMAGE_UNITS_EXT,
        TessControlTextureImageUnits = MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS,
        TessEvaluationTextureImageUnits = MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS,
        PatchVertices = MAX_PATCH_VERTICES,
        TessGenLevel = MAX_TESS_GEN_LEVEL,
        GeometryProgramInvocations = MAX_GEOMETRY_PROGRAM_INVOCATIONS_NV,
        VertexStreams = MAX_VERTEX_STREAMS,
        TransformFeedbackBuffers = MAX_TRANSFORM_FEEDBACK_BUFFERS,
        TransformFeedbackInterleavedComponents = MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS,
        TransformFeedbackSeparateAttribs = MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS,
        TransformFeedbackSeparateComponents = MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS,
        AttribStackDepth = MAX_ATTRIB_STACK_DEPTH,
        ClientAttribStackDepth = MAX_CLIENT_ATTRIB_STACK_DEPTH,
        ModelviewStackDepth = MAX_MODELVIEW_STACK_DEPTH,
        ProjectionStackDepth = MAX_PROJECTION_STACK_DEPTH,
        TextureStackDepth = MAX_TEXTURE_STACK_DEPTH,
        ColorMatrixStackDepth = MAX_COLOR_MATRIX_STACK_DEPTH,
        TextureSize = MAX_TEXTURE_SIZE,
        TextureSize3D = MAX_3D_TEXTURE_SIZE,
        CubeMapTextureSize = MAX_CUBE_MAP_TEXTURE_SIZE,
        RectangleTextureSize = MAX_RECTANGLE_TEXTURE_SIZE_NV,
        ElementsVertices = MAX_ELEMENTS_VERTICES,
        ElementsIndices = MAX_ELEMENTS_INDICES,
        SubpixelBits = SUBPIXEL_BITS,
        MinTexelOffset = MIN_PROGRAM_TEXEL_OFFSET_EXT,
        MaxTexelOffset = MAX_PROGRAM_TEXEL_OFFSET_EXT,
        MinGatherOffset = MIN_PROGRAM_TEXTURE_GATHER_OFFSET_NV,
        MaxGatherOffset = MAX_PROGRAM_TEXTURE_GATHER_OFFSET_NV,
        InterpolationOffsetBits = FRAGMENT_PROGRAM_INTERPOLATION_OFFSET_BITS_NV,
        ArrayTextureLayers = MAX_ARRAY_TEXTURE_LAYERS_EXT,
        TextureBufferSize = MAX_TEXTURE_BUFFER_SIZE_EXT,
        ImageUnits = MAX_IMAGE_UNITS_EXT,
        CombinedImageUnitsAndFragmentOutputs = MAX_COMBINED_IMAGE_UNITS_AND_FRAGMENT_OUTPUTS_EXT,
        ImageSamples = MAX_IMAGE_SAMPLES_EXT,
        Samples = MAX_SAMPLES,
        ColorTextureSamples = MAX_COLOR_TEXTURE_SAMPLES,
        DepthTextureSamples = MAX_DEPTH_TEXTURE_SAMPLES,
        IntegerSamples = MAX_INTEGER_SAMPLES,
        SampleMaskWords = MAX_SAMPLE_MASK_WORDS,
    }
    FloatLimit {
        MinInterpolationOffset = MIN_FRAGMENT_INTERPOLATION_OFFSET_NV,
        MaxInterpolationOffset = MAX_FRAGMENT_INTERPOLATION_OFFSET_NV,
    }
}

impl FloatLimit {
    /// The value of the limit.
    pub const fn value(self) -> f32 {
        match self {
            Self::MinInterpolationOffset => -limits::INTERPOLATION_OFFSET,
            Self::MaxInterpolationOffset => limits::INTERPOLATION_OFFSET,
        }
    }
}

impl Limit {
    /// The value of the limit.
    pub const fn value(self) -> i64 {
        let count = match self {
            Self::MinTexelOffset => return TexelOffset::RANGE.0 as i64,
            Self::MaxTexelOffset => return TexelOffset::RANGE.1 as i64,
            Self::MinGatherOffset => return TexelOffset::GATHER_RANGE.0 as i64,
            Self::MaxGatherOffset => return TexelOffset::GATHER_RANGE.1 as i64,
            Self::VertexAttribs => VERTEX_ATTRIBS as usize,
            Self::ProgramMatrices => TRACK_MATRICES as usize,
            Self::ProgramMatrixStackDepth
            | Self::ModelviewStackDepth
            | Self::ProjectionStackDepth
            | Self::TextureStackDepth
            | Self::ColorMatrixStackDepth => STACK_DEPTH,
            Self::TextureCoords => TEXTURE_COORDS as usize,
            Self::TextureImageUnits
            | Self::TessControlTextureImageUnits
            | Self::TessEvaluationTextureImageUnits
            | Self::GeometryTextureImageUnits => IMAGE_UNITS,
            Self::PatchVertices => limits::PATCH_VERTICES as usize,
            Self::TessGenLevel => limits::TESSELLATION_LEVEL as usize,
            Self::GeometryProgramInvocations => limits::GEOMETRY_INVOCATIONS as usize,
            Self::VertexStreams => limits::VERTEX_STREAMS as usize,
            Self::TransformFeedbackBuffers => feedback_attribs::BUFFERS,
            Self::TransformFeedbackInterleavedComponents => feedback_attribs::INTERLEAVED_COMPONENTS,
            Self::TransformFeedbackSeparateAttribs => feedback_attribs::SEPARATE_ATTRIBS,
            Self::TransformFeedbackSeparateComponents => feedback_attribs::SEPARATE_COMPONENTS,
            Self::TextureUnits => limits::TEXTURE_UNITS as usize,
            Self::ImageUnits => limits::IMAGE_UNITS,
            Self::CombinedImageUnitsAndFragmentOutputs => limits::IMAGE_UNITS + limits::DRAW_BUFFERS as usize,
            Self::ImageSamples => limits::IMAGE_SAMPLES as usize,
            Self::Lights => limits::LIGHTS as usize,
            Self::ClipPlanes => limits::CLIP_PLANES as usize,
            Self::DrawBuffers => limits::DRAW_BUFFERS as usize,
            Self::DualSourceDrawBuffers => limits::DUAL_SOURCE_DRAW_BUFFERS as usize,
            Self::FragmentProgramLocalParameters => limits::NUMBERED_PARAMETERS,
            Self::VertexTextureImageUnits => limits::VERTEX_IMAGE_UNITS,
            Self::AttribStackDepth | Self::ClientAttribStackDepth => attrib_stack::DEPTH,
            Self::TextureSize
            | Self::TextureSize3D
            | Self::CubeMapTextureSize
            | Self::RectangleTextureSize => texture::MAX_SIZE,
            Self::ElementsVertices | Self::ElementsIndices => MOST_ELEMENTS as usize,
            Self::SubpixelBits => SUBPIXEL_BITS,
            Self::InterpolationOffsetBits => limits::INTERPOLATION_OFFSET_BITS,
            Self::ArrayTextureLayers => texture::MAX_LAYERS,
            Self::TextureBufferSize => texture::MAX_BUFFER_TEXELS,
            Self::Samples => Samples::MAX,
            Self::ColorTextureSamples | Self::DepthTextureSamples | Self::IntegerSamples => {
                texture::MAX_SAMPLES
            }
            Self::SampleMaskWords => multisample::MASK_WORDS as usize,
        };
        count as i64
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
