//! The primitive declarations of a geometry program (NV_geometry_program4 2.X.7, NV_gpu_program5 2.X.7).
//! `tessellation` has those of tessellation evaluation programs.

use super::limits;
use crate::isa::Language;

named_enum! {
    /// The input primitive (`PRIMITIVE_IN`).
    pub enum InputPrimitive(
        /// The number of vertices of one primitive; for patches, the maximum.
        pub vertices: u8,
    ) {
        Points = "POINTS" => (1),
        Lines = "LINES" => (2),
        LinesAdjacency = "LINES_ADJACENCY" => (4),
        Triangles = "TRIANGLES" => (3),
        TrianglesAdjacency = "TRIANGLES_ADJACENCY" => (6),
        /// Added by NV_gpu_program5.
        Patches = "PATCHES" => (limits::PATCH_VERTICES),
    }
}

impl InputPrimitive {
    /// The greatest number of vertices of any input primitive.
    pub const MOST_VERTICES: u8 = limits::PATCH_VERTICES;

    /// Whether geometry programs in `language` can declare this input.
    pub const fn is_in(self, language: Language) -> bool {
        !matches!(self, Self::Patches) || language.profile().texture_variables
    }
}

named_enum! {
    /// The output primitive, into which emitted vertices are assembled (`PRIMITIVE_OUT`).
    pub enum OutputPrimitive {
        Points = "POINTS",
        LineStrip = "LINE_STRIP",
        TriangleStrip = "TRIANGLE_STRIP",
    }
}

impl OutputPrimitive {
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
