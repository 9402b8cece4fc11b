//! What a geometry program declares of its primitives (NV_geometry_program4 2.X.7, NV_gpu_program5 2.X.7).

use super::limits;
use crate::isa::Language;

/// The primitives that it reads (`PRIMITIVE_IN`).
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
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Points,
        Self::Lines,
        Self::LinesAdjacency,
        Self::Triangles,
        Self::TrianglesAdjacency,
        Self::Patches,
    ];

    /// How many vertices any of them has at most.
    pub const MOST_VERTICES: u8 = limits::PATCH_VERTICES;

    /// As written.
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

    /// Whether geometry programs in `language` can read it.
    pub const fn is_in(self, language: Language) -> bool {
        !matches!(self, Self::Patches) || language.profile().texture_variables
    }

    /// How many vertices each has, at most.
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

/// What its vertices are assembled to (`PRIMITIVE_OUT`).
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
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Points, Self::LineStrip, Self::TriangleStrip];

    /// As written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Points => "POINTS",
            Self::LineStrip => "LINE_STRIP",
            Self::TriangleStrip => "TRIANGLE_STRIP",
        }
    }

    /// How many vertices a point, line or triangle of it has.
    pub const fn vertices(self) -> usize {
        self as usize + 1
    }
}

/// What it declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GeometryLayout {
    /// What it reads.
    pub input: InputPrimitive,
    /// What it gives.
    pub output: OutputPrimitive,
    /// How many vertices an invocation emits at most (`VERTICES_OUT`).
    pub vertices_out: u32,
    /// How often it runs for each primitive (`INVOCATIONS`).
    pub invocations: u32,
}

impl GeometryLayout {
    /// Of what gives no vertex.
    pub const NOTHING: Self = Self {
        input: InputPrimitive::Points,
        output: OutputPrimitive::Points,
        vertices_out: 0,
        invocations: 1,
    };
}
