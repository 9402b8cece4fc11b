//! The GL's constants and the Rust enums for them.
//!
//! A parameter that C declares as `enum` takes `impl EnumArgument<E>`: a value of the Rust enum `E`, or one
//! of the constants here. So callers can pass a wrong constant and get the GL's INVALID_ENUM.

mod constants;

use shadestep_core::memory::Mode;
use shadestep_core::pipeline::{
    BlendEquation, BlendFactor, CompareFunc, CullFace, FrontFace, LogicOp, PolygonMode, Primitive,
    ShadeModel, StencilOp,
};
use shadestep_language::ir::{InputPrimitive, OutputPrimitive};
use shadestep_language::isa::Stage;

pub use constants::*;

/// C's `GLenum`.
pub type GLenum = u32;

/// A Rust enum whose values have GL constants.
pub trait Named: Sized {
    /// The value of a constant; `None` for a constant that is INVALID_ENUM.
    fn of_constant(value: GLenum) -> Option<Self>;
}

/// A Rust enum with one constant per value.
pub trait Constant {
    /// The GL's constant.
    fn constant(self) -> GLenum;
}

/// An argument that C declares as `enum`: a value of the Rust enum `E`, or one of the GL's constants.
pub trait EnumArgument<E> {
    /// The value; `None` for a constant that is INVALID_ENUM.
    fn value(self) -> Option<E>;
}

impl<E: Named> EnumArgument<E> for E {
    fn value(self) -> Option<E> {
        Some(self)
    }
}

impl<E: Named> EnumArgument<E> for GLenum {
    fn value(self) -> Option<E> {
        E::of_constant(self)
    }
}

/// Implements the conversions of enums with one constant per value.
macro_rules! conversions {
    ($($type:ident { $($variant:ident = $constant:ident,)* })*) => {
        $(
            impl $crate::enums::Named for $type {
                fn of_constant(value: $crate::GLenum) -> Option<Self> {
                    match value {
                        $($crate::enums::$constant => Some(Self::$variant),)*
                        _ => None,
                    }
                }
            }

            impl $crate::enums::Constant for $type {
                fn constant(self) -> $crate::GLenum {
                    match self {
                        $(Self::$variant => $crate::enums::$constant,)*
                    }
                }
            }
        )*
    };
}

pub(super) use conversions;

/// A program target. `VERTEX_PROGRAM_ARB` is the same number as the NV name. `FRAGMENT_PROGRAM_ARB` is
/// another number for the same target: mode, objects and parameters are shared (ARB_fragment_program's
/// interactions with NV_fragment_program). Every command accepts both.
impl Named for Stage {
    fn of_constant(value: GLenum) -> Option<Self> {
        match value {
            VERTEX_PROGRAM_NV => Some(Self::Vertex),
            VERTEX_STATE_PROGRAM_NV => Some(Self::VertexState),
            TESS_CONTROL_PROGRAM_NV => Some(Self::TessControl),
            TESS_EVALUATION_PROGRAM_NV => Some(Self::TessEvaluation),
            GEOMETRY_PROGRAM_NV => Some(Self::Geometry),
            FRAGMENT_PROGRAM_NV | FRAGMENT_PROGRAM_ARB => Some(Self::Fragment),
            _ => None,
        }
    }
}

/// Number of targets that programs can be bound to.
pub(super) const TARGETS: usize = 5;

/// Index of a target in per-target arrays. Vertex state programs share the entry of vertex programs.
pub(super) const fn target_place(target: Stage) -> usize {
    match target {
        Stage::Vertex | Stage::VertexState => 0,
        Stage::TessControl => 1,
        Stage::TessEvaluation => 2,
        Stage::Geometry => 3,
        Stage::Fragment => 4,
    }
}

/// The format of a program text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProgramFormat {
    /// `PROGRAM_FORMAT_ASCII_ARB`
    Ascii,
}

/// The transform of a tracked matrix (NV_vertex_program2 2.14.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transform {
    /// The matrix itself.
    Identity,
    /// The inverse. The inverse of a singular matrix is all zeros.
    Inverse,
    Transpose,
    /// The transpose of the inverse.
    InverseTranspose,
}

impl Transform {
    /// Every transform.
    pub const ALL: [Self; 4] = [Self::Identity, Self::Inverse, Self::Transpose, Self::InverseTranspose];

    /// The GL's name without `GL_`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "IDENTITY_NV",
            Self::Inverse => "INVERSE_NV",
            Self::Transpose => "TRANSPOSE_NV",
            Self::InverseTranspose => "INVERSE_TRANSPOSE_NV",
        }
    }
}

/// The equation of fog factors (glspec15 3.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FogEquation {
    /// `LINEAR`
    Linear,
    /// `EXP`
    Exp,
    /// `EXP2`
    Exp2,
}

/// The type of an array's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayType {
    /// `BYTE`
    Byte,
    /// `UNSIGNED_BYTE`
    UnsignedByte,
    /// `SHORT`
    Short,
    /// `UNSIGNED_SHORT`
    UnsignedShort,
    /// `INT`
    Int,
    /// `UNSIGNED_INT`
    UnsignedInt,
    /// `INT64_NV`
    Int64,
    /// `UNSIGNED_INT64_NV`
    UnsignedInt64,
    /// `FLOAT`
    Float,
    /// `DOUBLE`
    Double,
}

/// A target of buffer objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferTarget {
    /// `TEXTURE_BUFFER_EXT`
    Texture,
    /// `VERTEX_PROGRAM_PARAMETER_BUFFER_NV`
    VertexProgramParameter,
    /// `TESS_CONTROL_PROGRAM_PARAMETER_BUFFER_NV`
    TessControlProgramParameter,
    /// `TESS_EVALUATION_PROGRAM_PARAMETER_BUFFER_NV`
    TessEvaluationProgramParameter,
    /// `GEOMETRY_PROGRAM_PARAMETER_BUFFER_NV`
    GeometryProgramParameter,
    /// `FRAGMENT_PROGRAM_PARAMETER_BUFFER_NV`
    FragmentProgramParameter,
    /// `TRANSFORM_FEEDBACK_BUFFER`
    TransformFeedback,
    /// `ARRAY_BUFFER`
    Array,
}

impl BufferTarget {
    /// Every target, in declaration order.
    pub const ALL: [Self; 8] = [
        Self::Texture,
        Self::VertexProgramParameter,
        Self::TessControlProgramParameter,
        Self::TessEvaluationProgramParameter,
        Self::GeometryProgramParameter,
        Self::FragmentProgramParameter,
        Self::TransformFeedback,
        Self::Array,
    ];

    /// The GL's name without `GL_`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Texture => "TEXTURE_BUFFER_EXT",
            Self::VertexProgramParameter => "VERTEX_PROGRAM_PARAMETER_BUFFER_NV",
            Self::TessControlProgramParameter => "TESS_CONTROL_PROGRAM_PARAMETER_BUFFER_NV",
            Self::TessEvaluationProgramParameter => "TESS_EVALUATION_PROGRAM_PARAMETER_BUFFER_NV",
            Self::GeometryProgramParameter => "GEOMETRY_PROGRAM_PARAMETER_BUFFER_NV",
            Self::FragmentProgramParameter => "FRAGMENT_PROGRAM_PARAMETER_BUFFER_NV",
            Self::TransformFeedback => "TRANSFORM_FEEDBACK_BUFFER",
            Self::Array => "ARRAY_BUFFER",
        }
    }
}

/// Expected use of a buffer object's data store (glspec15 2.9). Usage is stored, but has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferUsage {
    /// `STREAM_DRAW`
    StreamDraw,
    /// `STREAM_READ`
    StreamRead,
    /// `STREAM_COPY`
    StreamCopy,
    /// `STATIC_DRAW`
    StaticDraw,
    /// `STATIC_READ`
    StaticRead,
    /// `STATIC_COPY`
    StaticCopy,
    /// `DYNAMIC_DRAW`
    DynamicDraw,
    /// `DYNAMIC_READ`
    DynamicRead,
    /// `DYNAMIC_COPY`
    DynamicCopy,
}

conversions! {
    ProgramFormat {
        Ascii = PROGRAM_FORMAT_ASCII_ARB,
    }
    Transform {
        Identity = IDENTITY_NV,
        Inverse = INVERSE_NV,
        Transpose = TRANSPOSE_NV,
        InverseTranspose = INVERSE_TRANSPOSE_NV,
    }
    FogEquation {
        Linear = LINEAR,
        Exp = EXP,
        Exp2 = EXP2,
    }
    ArrayType {
        Byte = BYTE,
        UnsignedByte = UNSIGNED_BYTE,
        Short = SHORT,
        UnsignedShort = UNSIGNED_SHORT,
        Int = INT,
        UnsignedInt = UNSIGNED_INT,
        Int64 = INT64_NV,
        UnsignedInt64 = UNSIGNED_INT64_NV,
        Float = FLOAT,
        Double = DOUBLE,
    }
    BufferTarget {
        Texture = TEXTURE_BUFFER_EXT,
        VertexProgramParameter = VERTEX_PROGRAM_PARAMETER_BUFFER_NV,
        TessControlProgramParameter = TESS_CONTROL_PROGRAM_PARAMETER_BUFFER_NV,
        TessEvaluationProgramParameter = TESS_EVALUATION_PROGRAM_PARAMETER_BUFFER_NV,
        GeometryProgramParameter = GEOMETRY_PROGRAM_PARAMETER_BUFFER_NV,
        FragmentProgramParameter = FRAGMENT_PROGRAM_PARAMETER_BUFFER_NV,
        TransformFeedback = TRANSFORM_FEEDBACK_BUFFER,
        Array = ARRAY_BUFFER,
    }
    Mode {
        ReadOnly = READ_ONLY,
        WriteOnly = WRITE_ONLY,
        ReadWrite = READ_WRITE,
    }
    BufferUsage {
        StreamDraw = STREAM_DRAW,
        StreamRead = STREAM_READ,
        StreamCopy = STREAM_COPY,
        StaticDraw = STATIC_DRAW,
        StaticRead = STATIC_READ,
        StaticCopy = STATIC_COPY,
        DynamicDraw = DYNAMIC_DRAW,
        DynamicRead = DYNAMIC_READ,
        DynamicCopy = DYNAMIC_COPY,
    }
    Primitive {
        Points = POINTS,
        Lines = LINES,
        LineStrip = LINE_STRIP,
        LineLoop = LINE_LOOP,
        Triangles = TRIANGLES,
        TriangleStrip = TRIANGLE_STRIP,
        TriangleFan = TRIANGLE_FAN,
        Quads = QUADS,
        QuadStrip = QUAD_STRIP,
        Polygon = POLYGON,
        LinesAdjacency = LINES_ADJACENCY_EXT,
        LineStripAdjacency = LINE_STRIP_ADJACENCY_EXT,
        TrianglesAdjacency = TRIANGLES_ADJACENCY_EXT,
        TriangleStripAdjacency = TRIANGLE_STRIP_ADJACENCY_EXT,
        Patches = PATCHES,
    }
    InputPrimitive {
        Points = POINTS,
        Lines = LINES,
        LinesAdjacency = LINES_ADJACENCY_EXT,
        Triangles = TRIANGLES,
        TrianglesAdjacency = TRIANGLES_ADJACENCY_EXT,
        Patches = PATCHES,
    }
    OutputPrimitive {
        Points = POINTS,
        LineStrip = LINE_STRIP,
        TriangleStrip = TRIANGLE_STRIP,
    }
    CompareFunc {
        Never = NEVER,
        Less = LESS,
        Equal = EQUAL,
        Lequal = LEQUAL,
        Greater = GREATER,
        Notequal = NOTEQUAL,
        Gequal = GEQUAL,
        Always = ALWAYS,
    }
    StencilOp {
        Keep = KEEP,
        Zero = ZERO,
        Replace = REPLACE,
        Incr = INCR,
        Decr = DECR,
        Invert = INVERT,
        IncrWrap = INCR_WRAP,
        DecrWrap = DECR_WRAP,
    }
    BlendFactor {
        Zero = ZERO,
        One = ONE,
        SrcColor = SRC_COLOR,
        OneMinusSrcColor = ONE_MINUS_SRC_COLOR,
        DstColor = DST_COLOR,
        OneMinusDstColor = ONE_MINUS_DST_COLOR,
        SrcAlpha = SRC_ALPHA,
        OneMinusSrcAlpha = ONE_MINUS_SRC_ALPHA,
        DstAlpha = DST_ALPHA,
        OneMinusDstAlpha = ONE_MINUS_DST_ALPHA,
        ConstantColor = CONSTANT_COLOR,
        OneMinusConstantColor = ONE_MINUS_CONSTANT_COLOR,
        ConstantAlpha = CONSTANT_ALPHA,
        OneMinusConstantAlpha = ONE_MINUS_CONSTANT_ALPHA,
        SrcAlphaSaturate = SRC_ALPHA_SATURATE,
        Src1Color = SRC1_COLOR,
        OneMinusSrc1Color = ONE_MINUS_SRC1_COLOR,
        Src1Alpha = SRC1_ALPHA,
        OneMinusSrc1Alpha = ONE_MINUS_SRC1_ALPHA,
    }
    BlendEquation {
        Add = FUNC_ADD,
        Subtract = FUNC_SUBTRACT,
        ReverseSubtract = FUNC_REVERSE_SUBTRACT,
        Min = MIN,
        Max = MAX,
    }
    LogicOp {
        Clear = CLEAR,
        And = AND,
        AndReverse = AND_REVERSE,
        Copy = COPY,
        AndInverted = AND_INVERTED,
        Noop = NOOP,
        Xor = XOR,
        Or = OR,
        Nor = NOR,
        Equiv = EQUIV,
        Invert = INVERT,
        OrReverse = OR_REVERSE,
        CopyInverted = COPY_INVERTED,
        OrInverted = OR_INVERTED,
        Nand = NAND,
        Set = SET,
    }
    CullFace {
        Front = FRONT,
        Back = BACK,
        FrontAndBack = FRONT_AND_BACK,
    }
    FrontFace {
        Cw = CW,
        Ccw = CCW,
    }
    ShadeModel {
        Flat = FLAT,
        Smooth = SMOOTH,
    }
    PolygonMode {
        Point = POINT,
        Line = LINE,
        Fill = FILL,
    }
}

/// The i of constant `base + i`, if it is less than `count`.
fn numbered(value: GLenum, base: GLenum, count: u8) -> Option<u8> {
    let number = u8::try_from(value.checked_sub(base)?).ok()?;
    (number < count).then_some(number)
}

/// Number of tracking matrices: `MAX_TRACK_MATRICES_NV`.
pub const TRACK_MATRICES: u8 = 8;
/// Number of texture coordinate sets and of texture matrices: `MAX_TEXTURE_COORDS_NV`.
pub const TEXTURE_COORDS: u8 = 8;
pub use shadestep_language::ir::limits::CLIP_PLANES;
/// Number of vertex attributes.
pub const VERTEX_ATTRIBS: u8 = 16;

/// The matrix stack that matrix commands change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixMode {
    /// `MODELVIEW`
    Modelview,
    /// `PROJECTION`
    Projection,
    /// `TEXTURE`: the texture matrix of the active texture unit.
    Texture,
    /// `COLOR`: only programs read it.
    Color,
    /// `MATRIXi_NV`, `MATRIXi_ARB`, 0 to 7: tracking matrices and program matrices are the same.
    Matrix(u8),
}

impl Named for MatrixMode {
    fn of_constant(value: GLenum) -> Option<Self> {
        match value {
            MODELVIEW => Some(Self::Modelview),
            PROJECTION => Some(Self::Projection),
            TEXTURE => Some(Self::Texture),
            COLOR => Some(Self::Color),
            _ => numbered(value, MATRIX0_NV, TRACK_MATRICES)
                .or_else(|| numbered(value, MATRIX0_ARB, TRACK_MATRICES))
                .map(Self::Matrix),
        }
    }
}

/// A matrix that parameters can track (NV_vertex_program2 2.14.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TrackedMatrix {
    /// `NONE`: nothing is tracked.
    #[default]
    None,
    /// `MODELVIEW`
    Modelview,
    /// `PROJECTION`
    Projection,
    /// `TEXTURE`: the texture matrix of the unit that is active when `TrackMatrixNV` is called.
    Texture,
    /// `TEXTUREi`, 0 to 7.
    TextureUnit(u8),
    /// `COLOR`
    Color,
    /// `MODELVIEW_PROJECTION_NV`: projection times model-view.
    ModelviewProjection,
    /// `MATRIXi_NV`, 0 to 7.
    Matrix(u8),
}

impl TrackedMatrix {
    /// The GL's name without `GL_`.
    pub fn name(self) -> String {
        match self {
            Self::None => "NONE".to_owned(),
            Self::Modelview => "MODELVIEW".to_owned(),
            Self::Projection => "PROJECTION".to_owned(),
            Self::Texture => "TEXTURE".to_owned(),
            Self::TextureUnit(unit) => format!("TEXTURE{unit}"),
            Self::Color => "COLOR".to_owned(),
            Self::ModelviewProjection => "MODELVIEW_PROJECTION_NV".to_owned(),
            Self::Matrix(number) => format!("MATRIX{number}_NV"),
        }
    }
}

impl Named for TrackedMatrix {
    fn of_constant(value: GLenum) -> Option<Self> {
        match value {
            NONE => Some(Self::None),
            MODELVIEW => Some(Self::Modelview),
            PROJECTION => Some(Self::Projection),
            TEXTURE => Some(Self::Texture),
            COLOR => Some(Self::Color),
            MODELVIEW_PROJECTION_NV => Some(Self::ModelviewProjection),
            _ => numbered(value, TEXTURE0, TEXTURE_COORDS)
                .map(Self::TextureUnit)
                .or_else(|| numbered(value, MATRIX0_NV, TRACK_MATRICES).map(Self::Matrix)),
        }
    }
}

/// A capability for `Enable` and `Disable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cap {
    /// `VERTEX_PROGRAM_NV`, `VERTEX_PROGRAM_ARB`
    VertexProgram,
    /// `VERTEX_PROGRAM_POINT_SIZE_NV`
    VertexProgramPointSize,
    /// `VERTEX_PROGRAM_TWO_SIDE_NV`
    VertexProgramTwoSide,
    /// `TESS_CONTROL_PROGRAM_NV`
    TessControlProgram,
    /// `TESS_EVALUATION_PROGRAM_NV`
    TessEvaluationProgram,
    /// `GEOMETRY_PROGRAM_NV`
    GeometryProgram,
    /// `FRAGMENT_PROGRAM_NV`, `FRAGMENT_PROGRAM_ARB`: the numbers differ, the effect is the same
    /// (ARB_fragment_program's interactions with NV_fragment_program).
    FragmentProgram,
    /// `CLIP_PLANEi`, 0 to 7: clip distances of vertex programs.
    ClipPlane(u8),
    /// `DEPTH_TEST`
    DepthTest,
    /// `DEPTH_CLAMP_NV`
    DepthClamp,
    /// `STENCIL_TEST`
    StencilTest,
    /// `ALPHA_TEST`
    AlphaTest,
    /// `BLEND`
    Blend,
    /// `COLOR_LOGIC_OP`
    ColorLogicOp,
    /// `CULL_FACE`
    CullFace,
    /// `SCISSOR_TEST`
    ScissorTest,
    /// `POLYGON_OFFSET_FILL`
    PolygonOffsetFill,
    /// `POLYGON_OFFSET_LINE`
    PolygonOffsetLine,
    /// `POLYGON_OFFSET_POINT`
    PolygonOffsetPoint,
    /// `POINT_SMOOTH`
    PointSmooth,
    /// `POINT_SPRITE`
    PointSprite,
    /// `FOG`
    Fog,
    /// `COLOR_SUM`: adds the secondary colour, unless a fragment program or a program of NV_vertex_program's
    /// own languages decides the sum.
    ColorSum,
    /// `COLOR_MATERIAL`: materials follow the current colour.
    ColorMaterial,
    /// `TEXTURE_CUBE_MAP_SEAMLESS`: filters of cube maps cross the edges of faces (glspec40 3.9.10).
    TextureCubeMapSeamless,
    /// `MULTISAMPLE`: initially enabled.
    Multisample,
    /// `SAMPLE_ALPHA_TO_COVERAGE`
    SampleAlphaToCoverage,
    /// `SAMPLE_ALPHA_TO_ONE`
    SampleAlphaToOne,
    /// `SAMPLE_COVERAGE`
    SampleCoverage,
    /// `SAMPLE_MASK`
    SampleMask,
    /// `SAMPLE_SHADING`
    SampleShading,
    /// `RASTERIZER_DISCARD`: primitives and clears are dropped (NV_transform_feedback 3.X).
    RasterizerDiscard,
}

impl Cap {
    /// Every capability.
    pub const ALL: [Self; 39] = [
        Self::ClipPlane(0),
        Self::ClipPlane(1),
        Self::ClipPlane(2),
        Self::ClipPlane(3),
        Self::ClipPlane(4),
        Self::ClipPlane(5),
        Self::ClipPlane(6),
        Self::ClipPlane(7),
        Self::VertexProgram,
        Self::VertexProgramPointSize,
        Self::VertexProgramTwoSide,
        Self::FragmentProgram,
        Self::DepthTest,
        Self::DepthClamp,
        Self::StencilTest,
        Self::AlphaTest,
        Self::Blend,
        Self::ColorLogicOp,
        Self::CullFace,
        Self::ScissorTest,
        Self::PolygonOffsetFill,
        Self::PolygonOffsetLine,
        Self::PolygonOffsetPoint,
        Self::PointSmooth,
        Self::PointSprite,
        Self::Fog,
        Self::ColorSum,
        Self::ColorMaterial,
        Self::TextureCubeMapSeamless,
        Self::Multisample,
        Self::SampleAlphaToCoverage,
        Self::SampleAlphaToOne,
        Self::SampleCoverage,
        Self::SampleMask,
        Self::SampleShading,
        Self::GeometryProgram,
        Self::TessControlProgram,
        Self::TessEvaluationProgram,
        Self::RasterizerDiscard,
    ];

    /// The mode that enables the programs of a target; `None` for programs that a command executes.
    pub const fn of_programs(target: Stage) -> Option<Self> {
        match target {
            Stage::Vertex => Some(Self::VertexProgram),
            Stage::VertexState => None,
            Stage::TessControl => Some(Self::TessControlProgram),
            Stage::TessEvaluation => Some(Self::TessEvaluationProgram),
            Stage::Geometry => Some(Self::GeometryProgram),
            Stage::Fragment => Some(Self::FragmentProgram),
        }
    }

    /// A distinct bit for each capability.
    pub(super) fn bit(self) -> u64 {
        1 << match self {
            Self::ClipPlane(plane) => u32::from(plane.min(CLIP_PLANES - 1)),
            Self::VertexProgram => 8,
            Self::VertexProgramPointSize => 9,
            Self::VertexProgramTwoSide => 10,
            Self::FragmentProgram => 11,
            Self::DepthTest => 12,
            Self::DepthClamp => 13,
            Self::StencilTest => 14,
            Self::AlphaTest => 15,
            Self::Blend => 16,
            Self::ColorLogicOp => 17,
            Self::CullFace => 18,
            Self::ScissorTest => 19,
            Self::PolygonOffsetFill => 20,
            Self::PolygonOffsetLine => 21,
            Self::PolygonOffsetPoint => 22,
            Self::PointSmooth => 23,
            Self::PointSprite => 24,
            Self::Fog => 25,
            Self::ColorSum => 26,
            Self::ColorMaterial => 27,
            Self::TextureCubeMapSeamless => 28,
            Self::Multisample => 29,
            Self::SampleAlphaToCoverage => 30,
            Self::SampleAlphaToOne => 31,
            Self::SampleCoverage => 32,
            Self::SampleMask => 33,
            Self::SampleShading => 34,
            Self::GeometryProgram => 35,
            Self::TessControlProgram => 36,
            Self::TessEvaluationProgram => 37,
            Self::RasterizerDiscard => 38,
        }
    }
}

impl Named for Cap {
    fn of_constant(value: GLenum) -> Option<Self> {
        Some(match value {
            VERTEX_PROGRAM_NV => Self::VertexProgram,
            VERTEX_PROGRAM_POINT_SIZE_NV => Self::VertexProgramPointSize,
            VERTEX_PROGRAM_TWO_SIDE_NV => Self::VertexProgramTwoSide,
            TESS_CONTROL_PROGRAM_NV => Self::TessControlProgram,
            TESS_EVALUATION_PROGRAM_NV => Self::TessEvaluationProgram,
            GEOMETRY_PROGRAM_NV => Self::GeometryProgram,
            FRAGMENT_PROGRAM_NV | FRAGMENT_PROGRAM_ARB => Self::FragmentProgram,
            DEPTH_TEST => Self::DepthTest,
            DEPTH_CLAMP_NV => Self::DepthClamp,
            STENCIL_TEST => Self::StencilTest,
            ALPHA_TEST => Self::AlphaTest,
            BLEND => Self::Blend,
            COLOR_LOGIC_OP => Self::ColorLogicOp,
            CULL_FACE => Self::CullFace,
            SCISSOR_TEST => Self::ScissorTest,
            POLYGON_OFFSET_FILL => Self::PolygonOffsetFill,
            POLYGON_OFFSET_LINE => Self::PolygonOffsetLine,
            POLYGON_OFFSET_POINT => Self::PolygonOffsetPoint,
            POINT_SMOOTH => Self::PointSmooth,
            POINT_SPRITE => Self::PointSprite,
            FOG => Self::Fog,
            COLOR_SUM => Self::ColorSum,
            COLOR_MATERIAL => Self::ColorMaterial,
            TEXTURE_CUBE_MAP_SEAMLESS => Self::TextureCubeMapSeamless,
            MULTISAMPLE => Self::Multisample,
            SAMPLE_ALPHA_TO_COVERAGE => Self::SampleAlphaToCoverage,
            SAMPLE_ALPHA_TO_ONE => Self::SampleAlphaToOne,
            SAMPLE_COVERAGE => Self::SampleCoverage,
            SAMPLE_MASK => Self::SampleMask,
            SAMPLE_SHADING => Self::SampleShading,
            RASTERIZER_DISCARD => Self::RasterizerDiscard,
            _ => {
                return numbered(value, CLIP_PLANE0, CLIP_PLANES).map(Self::ClipPlane);
            }
        })
    }
}

/// A client state for `EnableClientState` and `DisableClientState`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClientState {
    /// `VERTEX_ATTRIB_ARRAYi_NV`, 0 to 15.
    VertexAttribArray(u8),
    /// `VERTEX_ARRAY`
    VertexArray,
    /// `NORMAL_ARRAY`
    NormalArray,
    /// `COLOR_ARRAY`
    ColorArray,
    /// `SECONDARY_COLOR_ARRAY`
    SecondaryColorArray,
    /// `FOG_COORD_ARRAY`
    FogCoordArray,
    /// `TEXTURE_COORD_ARRAY` of the client's active texture unit.
    TextureCoordArray,
    /// `EDGE_FLAG_ARRAY`
    EdgeFlagArray,
    /// `PRIMITIVE_RESTART_NV`
    PrimitiveRestart,
}

impl Named for ClientState {
    fn of_constant(value: GLenum) -> Option<Self> {
        match value {
            VERTEX_ARRAY => Some(Self::VertexArray),
            NORMAL_ARRAY => Some(Self::NormalArray),
            COLOR_ARRAY => Some(Self::ColorArray),
            SECONDARY_COLOR_ARRAY => Some(Self::SecondaryColorArray),
            FOG_COORD_ARRAY => Some(Self::FogCoordArray),
            TEXTURE_COORD_ARRAY => Some(Self::TextureCoordArray),
            EDGE_FLAG_ARRAY => Some(Self::EdgeFlagArray),
            PRIMITIVE_RESTART_NV => Some(Self::PrimitiveRestart),
            _ => numbered(value, VERTEX_ATTRIB_ARRAY0_NV, VERTEX_ATTRIBS).map(Self::VertexAttribArray),
        }
    }
}

/// An argument of `IsEnabled`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Switch {
    /// A capability of `Enable`.
    Server(Cap),
    /// A client state of `EnableClientState`.
    Client(ClientState),
}

impl EnumArgument<Switch> for Cap {
    fn value(self) -> Option<Switch> {
        Some(Switch::Server(self))
    }
}

impl EnumArgument<Switch> for ClientState {
    fn value(self) -> Option<Switch> {
        Some(Switch::Client(self))
    }
}

impl Named for Switch {
    fn of_constant(value: GLenum) -> Option<Self> {
        let server = Cap::of_constant(value).map(Self::Server);
        server.or_else(|| ClientState::of_constant(value).map(Self::Client))
    }
}
