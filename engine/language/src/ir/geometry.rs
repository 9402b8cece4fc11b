//! The primitive declarations of a geometry program (NV_geometry_program4 2.X.7, NV_gpu_program5 2.X.7).
//! `tessellation` has those of tessellation evaluation programs.

use super::limits;
use crate::isa::Language;

/// The input primitive (`PRIMITIVE_IN`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputPrimitive {
    /// `POINTS`
    Points,
    /// `LINES`
    Lines,
    /// `LINES_ADJACENCY`
    LinesAdjacency,
    /// `TRIANGLES`
    Triangles,
    /// `TRIANGLES_ADJACENCY`
    TrianglesAdjacency,
    /// `PATCHES` (NV_gpu_program5)
    Patches,
}

impl InputPrimitive {
    pub const ALL: [Self; 6] = [
        Self::Points,
        Self::Lines,
        Self::LinesAdjacency,
        Self::Triangles,
        Self::TrianglesAdjacency,
        Self::Patches,
    ];

    /// The greatest number of vertices of any input primitive.
    pub const MOST_VERTICES: u8 = limits::PATCH_VERTICES;

    pub const fn name(self) -> &'static str {
        match self {
            Self::Points => "POINTS",
            Self::Lines => "LINES",
            Self::LinesAdjacency => "LINES_ADJACENCY",
            Self::Triangles => "TRIANGLES",
            Self::TrianglesAdjacency => "TRIANGLES_ADJACENCY",
            Self::Patches => "PATCHES",
        }
    }

    /// Whether geometry programs in `language` can declare this input.
    pub const fn is_in(self, language: Language) -> bool {
        !matches!(self, Self::Patches) || language.profile().texture_variables
    }

    /// The number of vertices of one primitive; for patches, the maximum.
    pub const fn vertices(self) -> u8 {
        match self {
            Self::Points => 1,
            Self::Lines => 2,
            Self::Triangles => 3,
            Self::LinesAdjacency => 4,
            Self::TrianglesAdjacency => 6,
            Self::Patches => limits::PATCH_VERTICES,
        }
    }
}

/// The output primitive, into which emitted vertices are assembled (`PRIMITIVE_OUT`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputPrimitive {
    /// `POINTS`
    Points,
    /// `LINE_STRIP`
    LineStrip,
    /// `TRIANGLE_STRIP`
    TriangleStrip,
}

impl OutputPrimitive {
    pub const ALL: [Self; 3] = [Self::Points, Self::LineStrip, Self::TriangleStrip];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Points => "POINTS",
            Self::LineStrip => "LINE_STRIP",
            Self::TriangleStrip => "TRIANGLE_STRIP",
        }
    }

    /// The number of vertices of one point, line or triangle.
    pub const fn vertices(self) -> usize {
        self as usize + 1
    }
}

/// The declarations of a geometry program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GeometryLayout {
    pub input: InputPrimitive,
    pub output: OutputPrimitive,
    /// Maximum number of vertices that an invocation emits (`VERTICES_OUT`).
    pub vertices_out: u32,
    /// The number of invocations per primitive (`INVOCATIONS`).
    pub invocations: u32,
}

impl GeometryLayout {
    /// The layout of a program that emits nothing.
    pub const NOTHING: Self = Self {
        input: InputPrimitive::Points,
        output: OutputPrimitive::Points,
        vertices_out: 0,
        invocations: 1,
    };
}
