//! The GL's constants, and the Rust enums that stand for them.
//!
//! A parameter that C declares as `enum` takes `impl TryInto<E>` of its Rust enum `E`: either the enum
//! or one of the constants here, so that a wrong constant is answered with the GL's INVALID_ENUM.

use crate::isa::Stage;
use crate::pipeline::{
    BlendEquation, BlendFactor, CompareFunc, CullFace, FrontFace, LogicOp, PolygonMode, Primitive,
    ShadeModel, StencilOp,
};

/// C's `GLenum`.
pub type GLenum = u32;

/// A constant that an enum has no value for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEnum(pub GLenum);

macro_rules! constants {
    ($($name:ident = $value:literal;)*) => {
        $(
            #[doc = concat!("`GL_", stringify!($name), "`")]
            pub const $name: GLenum = $value;
        )*
    };
}

constants! {
    NO_ERROR = 0;
    INVALID_ENUM = 0x0500;
    INVALID_VALUE = 0x0501;
    INVALID_OPERATION = 0x0502;
    STACK_OVERFLOW = 0x0503;
    STACK_UNDERFLOW = 0x0504;
    OUT_OF_MEMORY = 0x0505;
    // Colour buffers.
    FRONT_LEFT = 0x0400;
    FRONT_RIGHT = 0x0401;
    BACK_LEFT = 0x0402;
    BACK_RIGHT = 0x0403;
    LEFT = 0x0406;
    RIGHT = 0x0407;
    AUX0 = 0x0409;
    AUX1 = 0x040A;
    AUX2 = 0x040B;
    AUX3 = 0x040C;
    DRAW_BUFFER = 0x0C01;
    MAX_DRAW_BUFFERS_ARB = 0x8824;
    DRAW_BUFFER0_ARB = 0x8825;
    DRAW_BUFFER1_ARB = 0x8826;
    DRAW_BUFFER2_ARB = 0x8827;
    DRAW_BUFFER3_ARB = 0x8828;
    // Program targets and modes.
    VERTEX_PROGRAM_NV = 0x8620;
    VERTEX_STATE_PROGRAM_NV = 0x8621;
    VERTEX_PROGRAM_POINT_SIZE_NV = 0x8642;
    VERTEX_PROGRAM_TWO_SIDE_NV = 0x8643;
    FRAGMENT_PROGRAM_NV = 0x8870;
    VERTEX_PROGRAM_ARB = 0x8620;
    VERTEX_PROGRAM_POINT_SIZE_ARB = 0x8642;
    VERTEX_PROGRAM_TWO_SIDE_ARB = 0x8643;
    FRAGMENT_PROGRAM_ARB = 0x8804;
    PROGRAM_FORMAT_ASCII_ARB = 0x8875;
    PROGRAM_STRING_ARB = 0x8628;
    // Program queries.
    PROGRAM_LENGTH_ARB = 0x8627;
    PROGRAM_FORMAT_ARB = 0x8876;
    PROGRAM_BINDING_ARB = 0x8677;
    PROGRAM_INSTRUCTIONS_ARB = 0x88A0;
    MAX_PROGRAM_INSTRUCTIONS_ARB = 0x88A1;
    PROGRAM_NATIVE_INSTRUCTIONS_ARB = 0x88A2;
    MAX_PROGRAM_NATIVE_INSTRUCTIONS_ARB = 0x88A3;
    PROGRAM_TEMPORARIES_ARB = 0x88A4;
    MAX_PROGRAM_TEMPORARIES_ARB = 0x88A5;
    PROGRAM_NATIVE_TEMPORARIES_ARB = 0x88A6;
    MAX_PROGRAM_NATIVE_TEMPORARIES_ARB = 0x88A7;
    PROGRAM_PARAMETERS_ARB = 0x88A8;
    MAX_PROGRAM_PARAMETERS_ARB = 0x88A9;
    PROGRAM_NATIVE_PARAMETERS_ARB = 0x88AA;
    MAX_PROGRAM_NATIVE_PARAMETERS_ARB = 0x88AB;
    PROGRAM_ATTRIBS_ARB = 0x88AC;
    MAX_PROGRAM_ATTRIBS_ARB = 0x88AD;
    PROGRAM_NATIVE_ATTRIBS_ARB = 0x88AE;
    MAX_PROGRAM_NATIVE_ATTRIBS_ARB = 0x88AF;
    PROGRAM_ADDRESS_REGISTERS_ARB = 0x88B0;
    MAX_PROGRAM_ADDRESS_REGISTERS_ARB = 0x88B1;
    PROGRAM_NATIVE_ADDRESS_REGISTERS_ARB = 0x88B2;
    MAX_PROGRAM_NATIVE_ADDRESS_REGISTERS_ARB = 0x88B3;
    MAX_PROGRAM_LOCAL_PARAMETERS_ARB = 0x88B4;
    MAX_PROGRAM_ENV_PARAMETERS_ARB = 0x88B5;
    PROGRAM_UNDER_NATIVE_LIMITS_ARB = 0x88B6;
    PROGRAM_ALU_INSTRUCTIONS_ARB = 0x8805;
    PROGRAM_TEX_INSTRUCTIONS_ARB = 0x8806;
    PROGRAM_TEX_INDIRECTIONS_ARB = 0x8807;
    PROGRAM_NATIVE_ALU_INSTRUCTIONS_ARB = 0x8808;
    PROGRAM_NATIVE_TEX_INSTRUCTIONS_ARB = 0x8809;
    PROGRAM_NATIVE_TEX_INDIRECTIONS_ARB = 0x880A;
    MAX_PROGRAM_ALU_INSTRUCTIONS_ARB = 0x880B;
    MAX_PROGRAM_TEX_INSTRUCTIONS_ARB = 0x880C;
    MAX_PROGRAM_TEX_INDIRECTIONS_ARB = 0x880D;
    MAX_PROGRAM_NATIVE_ALU_INSTRUCTIONS_ARB = 0x880E;
    MAX_PROGRAM_NATIVE_TEX_INSTRUCTIONS_ARB = 0x880F;
    MAX_PROGRAM_NATIVE_TEX_INDIRECTIONS_ARB = 0x8810;
    MAX_PROGRAM_EXEC_INSTRUCTIONS_NV = 0x88F4;
    MAX_PROGRAM_CALL_DEPTH_NV = 0x88F5;
    MAX_PROGRAM_IF_DEPTH_NV = 0x88F6;
    MAX_PROGRAM_LOOP_DEPTH_NV = 0x88F7;
    MAX_PROGRAM_LOOP_COUNT_NV = 0x88F8;
    // Constants of the implementation.
    MAX_LIGHTS = 0x0D31;
    MAX_CLIP_PLANES = 0x0D32;
    MAX_TEXTURE_UNITS = 0x84E2;
    MAX_PROGRAM_MATRIX_STACK_DEPTH_ARB = 0x862E;
    MAX_PROGRAM_MATRICES_ARB = 0x862F;
    MAX_VERTEX_ATTRIBS_ARB = 0x8869;
    MAX_TEXTURE_COORDS_ARB = 0x8871;
    MAX_TEXTURE_IMAGE_UNITS_ARB = 0x8872;
    // Matrices and their transforms.
    NONE = 0;
    MODELVIEW = 0x1700;
    PROJECTION = 0x1701;
    TEXTURE = 0x1702;
    COLOR = 0x1800;
    MODELVIEW_PROJECTION_NV = 0x8629;
    IDENTITY_NV = 0x862A;
    INVERSE_NV = 0x862B;
    TRANSPOSE_NV = 0x862C;
    INVERSE_TRANSPOSE_NV = 0x862D;
    MATRIX0_NV = 0x8630;
    MATRIX0_ARB = 0x88C0;
    TEXTURE0 = 0x84C0;
    // Lighting.
    AMBIENT = 0x1200;
    DIFFUSE = 0x1201;
    SPECULAR = 0x1202;
    POSITION = 0x1203;
    SPOT_DIRECTION = 0x1204;
    SPOT_EXPONENT = 0x1205;
    SPOT_CUTOFF = 0x1206;
    CONSTANT_ATTENUATION = 0x1207;
    LINEAR_ATTENUATION = 0x1208;
    QUADRATIC_ATTENUATION = 0x1209;
    EMISSION = 0x1600;
    SHININESS = 0x1601;
    AMBIENT_AND_DIFFUSE = 0x1602;
    // Texture coordinate generation.
    S = 0x2000;
    T = 0x2001;
    R = 0x2002;
    Q = 0x2003;
    OBJECT_PLANE = 0x2501;
    EYE_PLANE = 0x2502;
    // Point parameters.
    POINT_SIZE_MIN = 0x8126;
    POINT_SIZE_MAX = 0x8127;
    POINT_FADE_THRESHOLD_SIZE = 0x8128;
    // Primitives.
    POINTS = 0;
    LINES = 1;
    LINE_LOOP = 2;
    LINE_STRIP = 3;
    TRIANGLES = 4;
    TRIANGLE_STRIP = 5;
    TRIANGLE_FAN = 6;
    QUADS = 7;
    QUAD_STRIP = 8;
    POLYGON = 9;
    // Client state.
    VERTEX_ARRAY = 0x8074;
    NORMAL_ARRAY = 0x8075;
    COLOR_ARRAY = 0x8076;
    TEXTURE_COORD_ARRAY = 0x8078;
    FOG_COORD_ARRAY = 0x8457;
    SECONDARY_COLOR_ARRAY = 0x845E;
    VERTEX_ATTRIB_ARRAY0_NV = 0x8650;
    PRIMITIVE_RESTART_NV = 0x8558;
    BYTE = 0x1400;
    UNSIGNED_BYTE = 0x1401;
    SHORT = 0x1402;
    UNSIGNED_SHORT = 0x1403;
    INT = 0x1404;
    UNSIGNED_INT = 0x1405;
    FLOAT = 0x1406;
    DOUBLE = 0x140A;
    // Comparisons.
    NEVER = 0x0200;
    LESS = 0x0201;
    EQUAL = 0x0202;
    LEQUAL = 0x0203;
    GREATER = 0x0204;
    NOTEQUAL = 0x0205;
    GEQUAL = 0x0206;
    ALWAYS = 0x0207;
    // Stencil operations; ZERO and INVERT are shared with others.
    KEEP = 0x1E00;
    REPLACE = 0x1E01;
    INCR = 0x1E02;
    DECR = 0x1E03;
    INCR_WRAP = 0x8507;
    DECR_WRAP = 0x8508;
    // Blending.
    ZERO = 0;
    ONE = 1;
    SRC_COLOR = 0x0300;
    ONE_MINUS_SRC_COLOR = 0x0301;
    SRC_ALPHA = 0x0302;
    ONE_MINUS_SRC_ALPHA = 0x0303;
    DST_ALPHA = 0x0304;
    ONE_MINUS_DST_ALPHA = 0x0305;
    DST_COLOR = 0x0306;
    ONE_MINUS_DST_COLOR = 0x0307;
    SRC_ALPHA_SATURATE = 0x0308;
    CONSTANT_COLOR = 0x8001;
    ONE_MINUS_CONSTANT_COLOR = 0x8002;
    CONSTANT_ALPHA = 0x8003;
    ONE_MINUS_CONSTANT_ALPHA = 0x8004;
    FUNC_ADD = 0x8006;
    MIN = 0x8007;
    MAX = 0x8008;
    FUNC_SUBTRACT = 0x800A;
    FUNC_REVERSE_SUBTRACT = 0x800B;
    // Logical operations.
    CLEAR = 0x1500;
    AND = 0x1501;
    AND_REVERSE = 0x1502;
    COPY = 0x1503;
    AND_INVERTED = 0x1504;
    NOOP = 0x1505;
    XOR = 0x1506;
    OR = 0x1507;
    NOR = 0x1508;
    EQUIV = 0x1509;
    INVERT = 0x150A;
    OR_REVERSE = 0x150B;
    COPY_INVERTED = 0x150C;
    OR_INVERTED = 0x150D;
    NAND = 0x150E;
    SET = 0x150F;
    // Rasterisation.
    FRONT = 0x0404;
    BACK = 0x0405;
    FRONT_AND_BACK = 0x0408;
    CW = 0x0900;
    CCW = 0x0901;
    FLAT = 0x1D00;
    SMOOTH = 0x1D01;
    POINT = 0x1B00;
    LINE = 0x1B01;
    FILL = 0x1B02;
    EXP = 0x0800;
    EXP2 = 0x0801;
    LINEAR = 0x2601;
    // Capabilities.
    POINT_SMOOTH = 0x0B10;
    CULL_FACE = 0x0B44;
    FOG = 0x0B60;
    DEPTH_TEST = 0x0B71;
    STENCIL_TEST = 0x0B90;
    ALPHA_TEST = 0x0BC0;
    BLEND = 0x0BE2;
    COLOR_LOGIC_OP = 0x0BF2;
    SCISSOR_TEST = 0x0C11;
    POLYGON_OFFSET_POINT = 0x2A01;
    POLYGON_OFFSET_LINE = 0x2A02;
    POLYGON_OFFSET_FILL = 0x8037;
    CLIP_PLANE0 = 0x3000;
    DEPTH_CLAMP_NV = 0x864F;
    POINT_SPRITE = 0x8861;
    COLOR_SUM = 0x8458;
}

/// The conversions of an enum whose values are one constant each.
macro_rules! conversions {
    ($($type:ident { $($variant:ident = $constant:ident,)* })*) => {
        $(
            impl TryFrom<$crate::gl::GLenum> for $type {
                type Error = $crate::gl::enums::UnknownEnum;

                fn try_from(value: $crate::gl::GLenum) -> std::result::Result<Self, Self::Error> {
                    match value {
                        $($crate::gl::enums::$constant => Ok(Self::$variant),)*
                        _ => Err($crate::gl::enums::UnknownEnum(value)),
                    }
                }
            }

            impl From<$type> for $crate::gl::GLenum {
                fn from(value: $type) -> Self {
                    match value {
                        $($type::$variant => $crate::gl::enums::$constant,)*
                    }
                }
            }
        )*
    };
}

pub(super) use conversions;

/// A program target. `VERTEX_PROGRAM_ARB` is the same number as the NV name, and `FRAGMENT_PROGRAM_ARB` another one
/// for the same target: mode, objects and parameters are shared (ARB_fragment_program's interactions with
/// NV_fragment_program). Every command takes both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProgramTarget {
    /// `VERTEX_PROGRAM_NV`, `VERTEX_PROGRAM_ARB`
    Vertex,
    /// `VERTEX_STATE_PROGRAM_NV`
    VertexState,
    /// `FRAGMENT_PROGRAM_NV`, `FRAGMENT_PROGRAM_ARB`
    Fragment,
}

impl ProgramTarget {
    /// What programs of this target run on.
    pub const fn stage(self) -> Stage {
        match self {
            Self::Vertex => Stage::Vertex,
            Self::VertexState => Stage::VertexState,
            Self::Fragment => Stage::Fragment,
        }
    }

    /// The GL's name without `GL_`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vertex => "VERTEX_PROGRAM_NV",
            Self::VertexState => "VERTEX_STATE_PROGRAM_NV",
            Self::Fragment => "FRAGMENT_PROGRAM_NV",
        }
    }
}

impl TryFrom<GLenum> for ProgramTarget {
    type Error = UnknownEnum;

    fn try_from(value: GLenum) -> Result<Self, UnknownEnum> {
        match value {
            VERTEX_PROGRAM_NV => Ok(Self::Vertex),
            VERTEX_STATE_PROGRAM_NV => Ok(Self::VertexState),
            FRAGMENT_PROGRAM_NV | FRAGMENT_PROGRAM_ARB => Ok(Self::Fragment),
            _ => Err(UnknownEnum(value)),
        }
    }
}

impl From<Stage> for ProgramTarget {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::Vertex => Self::Vertex,
            Stage::VertexState => Self::VertexState,
            Stage::Fragment => Self::Fragment,
        }
    }
}

/// The format of a program text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProgramFormat {
    /// `PROGRAM_FORMAT_ASCII_ARB`
    Ascii,
}

/// How a matrix is turned before it is tracked (NV_vertex_program2 2.14.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transform {
    /// As it is.
    Identity,
    /// Its inverse; a singular matrix has no inverse and gives all zeros.
    Inverse,
    /// Its transpose.
    Transpose,
    /// The transpose of its inverse.
    InverseTranspose,
}

impl Transform {
    /// All of them.
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

/// How fog factors are computed (glspec15 3.10).
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
    /// `FLOAT`
    Float,
    /// `DOUBLE`
    Double,
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
        Float = FLOAT,
        Double = DOUBLE,
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

/// `base + i` of a row of `count` constants.
fn numbered(value: GLenum, base: GLenum, count: u8) -> Option<u8> {
    let number = u8::try_from(value.checked_sub(base)?).ok()?;
    (number < count).then_some(number)
}

/// Tracking matrices, `MAX_TRACK_MATRICES_NV`.
pub const TRACK_MATRICES: u8 = 8;
/// Texture coordinate sets and texture matrices, `MAX_TEXTURE_COORDS_NV`.
pub const TEXTURE_COORDS: u8 = 8;
/// User clip planes, `MAX_CLIP_PLANES`.
pub const CLIP_PLANES: u8 = 6;
/// Vertex attributes.
pub const VERTEX_ATTRIBS: u8 = 16;

/// Which matrix stack the matrix commands work on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixMode {
    /// `MODELVIEW`
    Modelview,
    /// `PROJECTION`
    Projection,
    /// `TEXTURE`: the texture matrix of the active texture unit.
    Texture,
    /// `COLOR`: nothing but programs reads it.
    Color,
    /// `MATRIXi_NV`, `MATRIXi_ARB`, 0 to 7: tracking and program matrices are the same.
    Matrix(u8),
}

impl TryFrom<GLenum> for MatrixMode {
    type Error = UnknownEnum;

    fn try_from(value: GLenum) -> Result<Self, UnknownEnum> {
        match value {
            MODELVIEW => Ok(Self::Modelview),
            PROJECTION => Ok(Self::Projection),
            TEXTURE => Ok(Self::Texture),
            COLOR => Ok(Self::Color),
            _ => numbered(value, MATRIX0_NV, TRACK_MATRICES)
                .or_else(|| numbered(value, MATRIX0_ARB, TRACK_MATRICES))
                .map(Self::Matrix)
                .ok_or(UnknownEnum(value)),
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

impl TryFrom<GLenum> for TrackedMatrix {
    type Error = UnknownEnum;

    fn try_from(value: GLenum) -> Result<Self, UnknownEnum> {
        match value {
            NONE => Ok(Self::None),
            MODELVIEW => Ok(Self::Modelview),
            PROJECTION => Ok(Self::Projection),
            TEXTURE => Ok(Self::Texture),
            COLOR => Ok(Self::Color),
            MODELVIEW_PROJECTION_NV => Ok(Self::ModelviewProjection),
            _ => numbered(value, TEXTURE0, TEXTURE_COORDS)
                .map(Self::TextureUnit)
                .or_else(|| numbered(value, MATRIX0_NV, TRACK_MATRICES).map(Self::Matrix))
                .ok_or(UnknownEnum(value)),
        }
    }
}

/// Something that is enabled or disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cap {
    /// `VERTEX_PROGRAM_NV`, `VERTEX_PROGRAM_ARB`
    VertexProgram,
    /// `VERTEX_PROGRAM_POINT_SIZE_NV`
    VertexProgramPointSize,
    /// `VERTEX_PROGRAM_TWO_SIDE_NV`
    VertexProgramTwoSide,
    /// `FRAGMENT_PROGRAM_NV`, `FRAGMENT_PROGRAM_ARB`: the numbers differ, the effect is the same
    /// (ARB_fragment_program's interactions with NV_fragment_program).
    FragmentProgram,
    /// `CLIP_PLANEi`, 0 to 5: clip distances of vertex programs.
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
    /// `COLOR_SUM`: the secondary colour is added where neither a fragment program nor one of NV_vertex_program's
    /// own languages decides that.
    ColorSum,
}

impl Cap {
    /// A bit for each capability.
    pub(super) fn bit(self) -> u32 {
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
        }
    }
}

impl TryFrom<GLenum> for Cap {
    type Error = UnknownEnum;

    fn try_from(value: GLenum) -> Result<Self, UnknownEnum> {
        Ok(match value {
            VERTEX_PROGRAM_NV => Self::VertexProgram,
            VERTEX_PROGRAM_POINT_SIZE_NV => Self::VertexProgramPointSize,
            VERTEX_PROGRAM_TWO_SIDE_NV => Self::VertexProgramTwoSide,
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
            _ => {
                return numbered(value, CLIP_PLANE0, CLIP_PLANES)
                    .map(Self::ClipPlane)
                    .ok_or(UnknownEnum(value));
            }
        })
    }
}

/// Something on the client's side that is enabled or disabled.
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
    /// `PRIMITIVE_RESTART_NV`
    PrimitiveRestart,
}

impl TryFrom<GLenum> for ClientState {
    type Error = UnknownEnum;

    fn try_from(value: GLenum) -> Result<Self, UnknownEnum> {
        match value {
            VERTEX_ARRAY => Ok(Self::VertexArray),
            NORMAL_ARRAY => Ok(Self::NormalArray),
            COLOR_ARRAY => Ok(Self::ColorArray),
            SECONDARY_COLOR_ARRAY => Ok(Self::SecondaryColorArray),
            FOG_COORD_ARRAY => Ok(Self::FogCoordArray),
            TEXTURE_COORD_ARRAY => Ok(Self::TextureCoordArray),
            PRIMITIVE_RESTART_NV => Ok(Self::PrimitiveRestart),
            _ => numbered(value, VERTEX_ATTRIB_ARRAY0_NV, VERTEX_ATTRIBS)
                .map(Self::VertexAttribArray)
                .ok_or(UnknownEnum(value)),
        }
    }
}
