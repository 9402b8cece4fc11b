//! What a geometry program declares of its primitives (NV_geometry_program4 2.X.7, NV_gpu_program5 2.X.7).

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
}

impl InputPrimitive {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Points, Self::Lines, Self::LinesAdjacency, Self::Triangles, Self::TrianglesAdjacency];

    /// As written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Points => "POINTS",
            Self::Lines => "LINES",
            Self::LinesAdjacency => "LINES_ADJACENCY",
            Self::Triangles => "TRIANGLES",
            Self::TrianglesAdjacency => "TRIANGLES_ADJACENCY",
        }
    }

    /// How many vertices each has.
    pub const fn vertices(self) -> u8 {
        match self {
            Self::Points => 1,
            Self::Lines => 2,
            Self::Triangles => 3,
            Self::LinesAdjacency => 4,
            Self::TrianglesAdjacency => 6,
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
