//! The declarations of a tessellation evaluation program, which control the primitive generator
//! (NV_tessellation_program5 2.X.7.Y). `geometry` has those of geometry programs.

/// The shape that the primitive generator subdivides (`TESS_MODE`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TessellationMode {
    /// `TRIANGLES`
    Triangles,
    /// `QUADS`
    Quads,
    /// `ISOLINES`
    Isolines,
}

impl TessellationMode {
    pub const ALL: [Self; 3] = [Self::Triangles, Self::Quads, Self::Isolines];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Triangles => "TRIANGLES",
            Self::Quads => "QUADS",
            Self::Isolines => "ISOLINES",
        }
    }

    /// The number of outer levels that the mode uses.
    pub const fn outer_levels(self) -> usize {
        match self {
            Self::Triangles => 3,
            Self::Quads => 4,
            Self::Isolines => 2,
        }
    }

    /// The number of inner levels that the mode uses.
    pub const fn inner_levels(self) -> usize {
        match self {
            Self::Triangles => 1,
            Self::Quads => 2,
            Self::Isolines => 0,
        }
    }
}

/// The subdivision of edges (`TESS_SPACING`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TessellationSpacing {
    /// `EQUAL`
    #[default]
    Equal,
    /// `FRACTIONAL_ODD`
    FractionalOdd,
    /// `FRACTIONAL_EVEN`
    FractionalEven,
}

impl TessellationSpacing {
    pub const ALL: [Self; 3] = [Self::Equal, Self::FractionalOdd, Self::FractionalEven];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Equal => "EQUAL",
            Self::FractionalOdd => "FRACTIONAL_ODD",
            Self::FractionalEven => "FRACTIONAL_EVEN",
        }
    }
}

/// The orientation of triangles in (u, v) (`TESS_VERTEX_ORDER`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TessellationOrder {
    /// `CCW`
    #[default]
    CounterClockwise,
    /// `CW`
    Clockwise,
}

impl TessellationOrder {
    pub const ALL: [Self; 2] = [Self::CounterClockwise, Self::Clockwise];

    pub const fn name(self) -> &'static str {
        match self {
            Self::CounterClockwise => "CCW",
            Self::Clockwise => "CW",
        }
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
