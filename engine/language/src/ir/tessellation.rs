//! The declarations of a tessellation evaluation program, which control the primitive generator
//! (NV_tessellation_program5 2.X.7.Y). `geometry` has those of geometry programs.

named_enum! {
    /// The shape that the primitive generator subdivides (`TESS_MODE`).
    pub enum TessellationMode(
        /// The number of outer levels that the mode uses.
        pub outer_levels: usize,
        /// The number of inner levels that the mode uses.
        pub inner_levels: usize,
    ) {
        Triangles = "TRIANGLES" => (3, 1),
        Quads = "QUADS" => (4, 2),
        Isolines = "ISOLINES" => (2, 0),
    }

    /// The subdivision of edges (`TESS_SPACING`).
    #[derive(Default)]
    pub enum TessellationSpacing {
        #[default]
        Equal = "EQUAL",
        FractionalOdd = "FRACTIONAL_ODD",
        FractionalEven = "FRACTIONAL_EVEN",
    }

    /// The orientation of triangles in (u, v) (`TESS_VERTEX_ORDER`).
    #[derive(Default)]
    pub enum TessellationOrder {
        #[default]
        CounterClockwise = "CCW",
        Clockwise = "CW",
    }
}

/// Whether the primitive generator makes a point of each vertex (`TESS_POINT_MODE`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TessellationPoints {
    /// Lines or triangles.
    #[default]
    Off,
    /// Points.
    On,
}

/// The declarations of a tessellation evaluation program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TessellationLayout {
    pub mode: TessellationMode,
    pub spacing: TessellationSpacing,
    pub order: TessellationOrder,
    pub points: TessellationPoints,
}
