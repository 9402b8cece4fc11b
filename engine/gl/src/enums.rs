//! The GL's constants and the Rust enums for them.
//!
//! A parameter that C declares as `enum` takes `impl EnumArgument<E>`: a value of the Rust enum `E`, or one
//! of the constants here. So callers can pass a wrong constant and get the GL's INVALID_ENUM.
//! `Format::constant` has the constants of formats.

mod constants;

use shadestep_core::memory::Mode;
use shadestep_core::pipeline::{
    BlendEquation, BlendFactor, CompareFunc, CullFace, FrontFace, LogicOp, PolygonMode, Primitive,
    ShadeModel, StencilOp,
};
use shadestep_language::ir::{InputPrimitive, OutputPrimitive};
use shadestep_language::isa::Stage;

pub(super) use constants::of_name;
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

/// Implements the conversions of enums whose names are those of constants.
macro_rules! named_constants {
    ($($type:ident)*) => {$(
        impl $crate::enums::Constant for $type {
            fn constant(self) -> $crate::GLenum {
                const CONSTANTS: [$crate::GLenum; $type::ALL.len()] = {
                    let mut constants = [0; $type::ALL.len()];
                    let mut place = 0;
                    while place < constants.len() {
                        constants[place] = $crate::enums::of_name($type::ALL[place].name());
                        place += 1;
                    }
                    constants
                };
                CONSTANTS[self as usize]
            }
        }

        impl $crate::enums::Named for $type {
            fn of_constant(value: $crate::GLenum) -> Option<Self> {
                Self::ALL.into_iter().find(|one| $crate::enums::Constant::constant(*one) == value)
            }
        }
    )*};
}

/// Declares enums whose values have GL constants, one row for each value.
///
/// After a `;` follow variants with a field. Such a row has a function that computes the field from a
/// constant. An enum with these variants, which is alone in its invocation, can also have rows with several
/// constants. It has no [`Constant`]s.
macro_rules! gl_enums {
    ($(
        $(#[$attribute:meta])*
        $vis:vis enum $type:ident {
            $($(#[$doc:meta])* $variant:ident = $constant:ident,)*
        }
    )*) => {
        shadestep_language::named_enum! {$(
            $(#[$attribute])*
            $vis enum $type {
                $($(#[$doc])* $variant = stringify!($constant),)*
            }
        )*}

        $crate::enums::named_constants! { $($type)* }
    };
    (
        $(#[$attribute:meta])*
        $vis:vis enum $type:ident {
            $($(#[$doc:meta])* $variant:ident = $constant:ident $(| $alias:ident)*,)*
            ; $($(#[$field_doc:meta])* $with_field:ident($field:ty) = $decode:expr,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $vis enum $type {
            $(
                #[doc = concat!("`", stringify!($constant), "`" $(, ", `", stringify!($alias), "`")*)]
                #[doc = ""]
                $(#[$doc])*
                $variant,
            )*
            $($(#[$field_doc])* $with_field($field),)*
        }

        impl $type {
            /// All values without a field.
            $vis const PLAIN: &[Self] = &[$(Self::$variant),*];
        }

        impl $crate::enums::Named for $type {
            fn of_constant(value: $crate::GLenum) -> Option<Self> {
                match value {
                    $($crate::enums::$constant $(| $crate::enums::$alias)* => Some(Self::$variant),)*
                    _ => None$(.or_else(|| $decode(value).map(Self::$with_field)))*,
                }
            }
        }
    };
}

pub(super) use {gl_enums, named_constants};

named_constants! {
    Mode Primitive InputPrimitive OutputPrimitive CompareFunc StencilOp BlendFactor BlendEquation LogicOp
    CullFace FrontFace ShadeModel PolygonMode
}

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

gl_enums! {
    /// The format of a program text.
    pub enum ProgramFormat {
        Ascii = PROGRAM_FORMAT_ASCII_ARB,
    }

    /// The transform of a tracked matrix (NV_vertex_program2 2.14.7).
    pub enum Transform {
        /// The matrix itself.
        Identity = IDENTITY_NV,
        /// The inverse. The inverse of a singular matrix is all zeros.
        Inverse = INVERSE_NV,
        Transpose = TRANSPOSE_NV,
        /// The transpose of the inverse.
        InverseTranspose = INVERSE_TRANSPOSE_NV,
    }

    /// The equation of fog factors (glspec15 3.10).
    pub enum FogEquation {
        Linear = LINEAR,
        Exp = EXP,
        Exp2 = EXP2,
    }

    /// The type of an array's numbers: integers of up to 32 bits, floats, then 64-bit integers.
    pub enum ArrayType {
        Byte = BYTE,
        UnsignedByte = UNSIGNED_BYTE,
        Short = SHORT,
        UnsignedShort = UNSIGNED_SHORT,
        Int = INT,
        UnsignedInt = UNSIGNED_INT,
        Float = FLOAT,
        Double = DOUBLE,
        Int64 = INT64_NV,
        UnsignedInt64 = UNSIGNED_INT64_NV,
    }

    /// A target of buffer objects.
    pub enum BufferTarget {
        Texture = TEXTURE_BUFFER_EXT,
        VertexProgramParameter = VERTEX_PROGRAM_PARAMETER_BUFFER_NV,
        TessControlProgramParameter = TESS_CONTROL_PROGRAM_PARAMETER_BUFFER_NV,
        TessEvaluationProgramParameter = TESS_EVALUATION_PROGRAM_PARAMETER_BUFFER_NV,
        GeometryProgramParameter = GEOMETRY_PROGRAM_PARAMETER_BUFFER_NV,
        FragmentProgramParameter = FRAGMENT_PROGRAM_PARAMETER_BUFFER_NV,
        TransformFeedback = TRANSFORM_FEEDBACK_BUFFER,
        Array = ARRAY_BUFFER,
    }

    /// Expected use of a buffer object's data store (glspec15 2.9). Usage is stored, but has no effect.
    pub enum BufferUsage {
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
}

/// The function from constant `base + i` to i, for i less than `count`.
pub(super) fn numbered(base: GLenum, count: u8) -> impl Fn(GLenum) -> Option<u8> {
    move |value| {
        let number = u8::try_from(value.checked_sub(base)?).ok()?;
        (number < count).then_some(number)
    }
}

/// Number of tracking matrices: `MAX_TRACK_MATRICES_NV`.
pub const TRACK_MATRICES: u8 = 8;
/// Number of texture coordinate sets and of texture matrices: `MAX_TEXTURE_COORDS_NV`.
pub const TEXTURE_COORDS: u8 = 8;
pub use shadestep_language::ir::limits::CLIP_PLANES;
/// Number of vertex attributes.
pub const VERTEX_ATTRIBS: u8 = 16;

gl_enums! {
    /// The matrix stack that matrix commands change.
    pub enum MatrixMode {
        Modelview = MODELVIEW,
        Projection = PROJECTION,
        /// The texture matrix of the active texture unit.
        Texture = TEXTURE,
        /// Only programs read this matrix.
        Color = COLOR,
        ;
        /// `MATRIXi_NV`, `MATRIXi_ARB`, 0 to 7: tracking matrices and program matrices are the same.
        Matrix(u8) = |value| {
            let matrix = |first| numbered(first, TRACK_MATRICES)(value);
            matrix(MATRIX0_NV).or_else(|| matrix(MATRIX0_ARB))
        },
    }
}

gl_enums! {
    /// A matrix that parameters can track (NV_vertex_program2 2.14.7).
    #[derive(Default)]
    pub enum TrackedMatrix {
        /// Nothing is tracked.
        #[default]
        None = NONE,
        Modelview = MODELVIEW,
        Projection = PROJECTION,
        /// The texture matrix of the unit that is active when `TrackMatrixNV` is called.
        Texture = TEXTURE,
        Color = COLOR,
        /// Projection times model-view.
        ModelviewProjection = MODELVIEW_PROJECTION_NV,
        ;
        /// `TEXTUREi`, 0 to 7.
        TextureUnit(u8) = numbered(TEXTURE0, TEXTURE_COORDS),
        /// `MATRIXi_NV`, 0 to 7.
        Matrix(u8) = numbered(MATRIX0_NV, TRACK_MATRICES),
    }
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

gl_enums! {
    /// A capability for `Enable` and `Disable`.
    pub enum Cap {
        /// `VERTEX_PROGRAM_ARB` is the same number.
        VertexProgram = VERTEX_PROGRAM_NV,
        VertexProgramPointSize = VERTEX_PROGRAM_POINT_SIZE_NV,
        VertexProgramTwoSide = VERTEX_PROGRAM_TWO_SIDE_NV,
        /// The numbers differ, the effect is the same (ARB_fragment_program's interactions with
        /// NV_fragment_program).
        FragmentProgram = FRAGMENT_PROGRAM_NV | FRAGMENT_PROGRAM_ARB,
        DepthTest = DEPTH_TEST,
        DepthClamp = DEPTH_CLAMP_NV,
        StencilTest = STENCIL_TEST,
        AlphaTest = ALPHA_TEST,
        Blend = BLEND,
        ColorLogicOp = COLOR_LOGIC_OP,
        CullFace = CULL_FACE,
        ScissorTest = SCISSOR_TEST,
        PolygonOffsetFill = POLYGON_OFFSET_FILL,
        PolygonOffsetLine = POLYGON_OFFSET_LINE,
        PolygonOffsetPoint = POLYGON_OFFSET_POINT,
        PointSmooth = POINT_SMOOTH,
        PointSprite = POINT_SPRITE,
        Fog = FOG,
        /// Adds the secondary colour, unless a fragment program or a program of NV_vertex_program's own
        /// languages decides the sum.
        ColorSum = COLOR_SUM,
        /// Materials follow the current colour.
        ColorMaterial = COLOR_MATERIAL,
        /// Filters of cube maps cross the edges of faces (glspec40 3.9.10).
        TextureCubeMapSeamless = TEXTURE_CUBE_MAP_SEAMLESS,
        /// Initially enabled.
        Multisample = MULTISAMPLE,
        SampleAlphaToCoverage = SAMPLE_ALPHA_TO_COVERAGE,
        SampleAlphaToOne = SAMPLE_ALPHA_TO_ONE,
        SampleCoverage = SAMPLE_COVERAGE,
        SampleMask = SAMPLE_MASK,
        SampleShading = SAMPLE_SHADING,
        GeometryProgram = GEOMETRY_PROGRAM_NV,
        TessControlProgram = TESS_CONTROL_PROGRAM_NV,
        TessEvaluationProgram = TESS_EVALUATION_PROGRAM_NV,
        /// Primitives and clears are dropped (NV_transform_feedback 3.X).
        RasterizerDiscard = RASTERIZER_DISCARD,
        ;
        /// `CLIP_PLANEi`, 0 to 7: clip distances of vertex programs.
        ClipPlane(u8) = numbered(CLIP_PLANE0, CLIP_PLANES),
    }
}

impl Cap {
    /// Every capability.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..CLIP_PLANES).map(Self::ClipPlane).chain(Self::PLAIN.iter().copied())
    }

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
        let place = Self::all().position(|cap| cap == self);
        place.map_or(0, |place| 1 << place)
    }
}

gl_enums! {
    /// A client state for `EnableClientState` and `DisableClientState`.
    pub enum ClientState {
        VertexArray = VERTEX_ARRAY,
        NormalArray = NORMAL_ARRAY,
        ColorArray = COLOR_ARRAY,
        SecondaryColorArray = SECONDARY_COLOR_ARRAY,
        FogCoordArray = FOG_COORD_ARRAY,
        /// The array of the client's active texture unit.
        TextureCoordArray = TEXTURE_COORD_ARRAY,
        EdgeFlagArray = EDGE_FLAG_ARRAY,
        PrimitiveRestart = PRIMITIVE_RESTART_NV,
        ;
        /// `VERTEX_ATTRIB_ARRAYi_NV`, 0 to 15.
        VertexAttribArray(u8) = numbered(VERTEX_ATTRIB_ARRAY0_NV, VERTEX_ATTRIBS),
    }
}

gl_enums! {
    /// An argument of `IsEnabled`.
    pub enum Switch {
        ;
        /// A capability of `Enable`.
        Server(Cap) = Cap::of_constant,
        /// A client state of `EnableClientState`.
        Client(ClientState) = ClientState::of_constant,
    }
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
