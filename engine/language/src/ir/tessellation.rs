//! What a tessellation evaluation program declares of the primitive generator (NV_tessellation_program5 2.X.7.Y).

/// What is subdivided (`TESS_MODE`).
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
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Triangles, Self::Quads, Self::Isolines];

    /// As written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Triangles => "TRIANGLES",
            Self::Quads => "QUADS",
            Self::Isolines => "ISOLINES",
        }
    }

    /// How many outer levels count.
    pub const fn outer_levels(self) -> usize {
        match self {
            Self::Triangles => 3,
            Self::Quads => 4,
            Self::Isolines => 2,
        }
    }

    /// How many inner levels count.
    pub const fn inner_levels(self) -> usize {
        match self {
            Self::Triangles => 1,
            Self::Quads => 2,
            Self::Isolines => 0,
        }
    }
}

/// How edges are divided (`TESS_SPACING`).
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
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Equal, Self::FractionalOdd, Self::FractionalEven];

    /// As written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Equal => "EQUAL",
            Self::FractionalOdd => "FRACTIONAL_ODD",
            Self::FractionalEven => "FRACTIONAL_EVEN",
        }
    }
}

/// Which way the vertices of a triangle go round in (u, v) (`TESS_VERTEX_ORDER`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TessellationOrder {
    /// `CCW`
    #[default]
    CounterClockwise,
    /// `CW`
    Clockwise,
}

impl TessellationOrder {
    /// Both.
    pub const ALL: [Self; 2] = [Self::CounterClockwise, Self::Clockwise];

    /// As written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CounterClockwise => "CCW",
            Self::Clockwise => "CW",
        }
    }
}

/// Whether a point is made of each vertex (`TESS_POINT_MODE`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TessellationPoints {
    /// Lines or triangles are made.
    #[default]
    Off,
    /// Points are.
    On,
}

/// What the program declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TessellationLayout {
    /// What is subdivided.
    pub mode: TessellationMode,
    /// How.
    pub spacing: TessellationSpacing,
    /// Which way triangles go round.
    pub order: TessellationOrder,
    /// Whether there are points instead.
    pub points: TessellationPoints,
}
