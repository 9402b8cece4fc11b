//! Where vertices come from: attribute arrays, indices and the primitive they form (glspec15 2.8,
//! NV_vertex_program 2.14.3).

use std::sync::Arc;

/// What vertices are assembled to (2.6.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// `POINTS`
    Points,
    /// `LINES`
    Lines,
    /// `LINE_STRIP`
    LineStrip,
    /// `LINE_LOOP`
    LineLoop,
    /// `TRIANGLES`
    Triangles,
    /// `TRIANGLE_STRIP`
    TriangleStrip,
    /// `TRIANGLE_FAN`
    TriangleFan,
    /// `QUADS`
    Quads,
    /// `QUAD_STRIP`
    QuadStrip,
    /// `POLYGON`
    Polygon,
}

impl Primitive {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Points,
        Self::Lines,
        Self::LineStrip,
        Self::LineLoop,
        Self::Triangles,
        Self::TriangleStrip,
        Self::TriangleFan,
        Self::Quads,
        Self::QuadStrip,
        Self::Polygon,
    ];

    /// Whether edge flags say which of its edges are boundary edges.
    pub const fn has_edge_flags(self) -> bool {
        matches!(self, Self::Triangles | Self::Quads | Self::Polygon)
    }

    /// The GL's name without `GL_`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Points => "POINTS",
            Self::Lines => "LINES",
            Self::LineStrip => "LINE_STRIP",
            Self::LineLoop => "LINE_LOOP",
            Self::Triangles => "TRIANGLES",
            Self::TriangleStrip => "TRIANGLE_STRIP",
            Self::TriangleFan => "TRIANGLE_FAN",
            Self::Quads => "QUADS",
            Self::QuadStrip => "QUAD_STRIP",
            Self::Polygon => "POLYGON",
        }
    }
}

/// The numbers of an attribute array (ARB_vertex_program table 2.4).
#[derive(Clone, Debug, PartialEq)]
pub enum ArrayData {
    /// `BYTE`: not converted, -3 is -3.0.
    Byte(Arc<[i8]>),
    /// `UNSIGNED_BYTE`: divided by 255 (table 2.6 of glspec15), as `VertexAttribPointerNV` has it.
    UnsignedByte(Arc<[u8]>),
    /// `SHORT`: not converted.
    Short(Arc<[i16]>),
    /// `UNSIGNED_SHORT`: not converted.
    UnsignedShort(Arc<[u16]>),
    /// `INT`: rounded to fp32.
    Int(Arc<[i32]>),
    /// `UNSIGNED_INT`: rounded to fp32.
    UnsignedInt(Arc<[u32]>),
    /// `FLOAT`
    Float(Arc<[f32]>),
    /// `DOUBLE`: rounded to fp32.
    Double(Arc<[f64]>),
}

impl ArrayData {
    /// How many numbers there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Byte(values) => values.len(),
            Self::UnsignedByte(values) => values.len(),
            Self::Short(values) => values.len(),
            Self::UnsignedShort(values) => values.len(),
            Self::Int(values) => values.len(),
            Self::UnsignedInt(values) => values.len(),
            Self::Float(values) => values.len(),
            Self::Double(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One attribute array. Element i has `size` values from `offset + i * stride`, counted in values.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeArray {
    /// The numbers.
    pub data: ArrayData,
    /// Values a vertex: 1 to 4. Missing y and z are 0, a missing w is 1.
    pub size: u8,
    /// Values from one vertex to the next.
    pub stride: usize,
    /// Index of the first value.
    pub offset: usize,
}

/// Where a vertex attribute's values come from.
#[derive(Clone, Debug, PartialEq)]
pub enum AttributeSource {
    /// The current value, for every vertex.
    Current([f32; 4]),
    /// An enabled array.
    Array(AttributeArray),
}

/// Which edges of TRIANGLES, QUADS and POLYGON are boundary edges (2.6.2): the flag of the vertex that an edge
/// begins at. All edges of other primitives are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeFlags {
    /// The current flag, for every vertex.
    Current(EdgeFlag),
    /// An enabled array: the flag of element i is at `offset + i * stride`, 0 being FALSE. Elements beyond its end
    /// begin boundary edges.
    Array {
        /// The flags.
        flags: Arc<[u8]>,
        /// From one vertex to the next.
        stride: usize,
        /// Index of the first flag.
        offset: usize,
    },
}

impl EdgeFlags {
    /// That of an element.
    pub fn of(&self, element: u32) -> EdgeFlag {
        match self {
            Self::Current(flag) => *flag,
            Self::Array { flags, stride, offset } => {
                let place = (element as usize).checked_mul(*stride).and_then(|at| at.checked_add(*offset));
                let flag = place.and_then(|place| flags.get(place));
                flag.map_or(EdgeFlag::Boundary, |&flag| flag.into())
            }
        }
    }
}

/// Whether the edge that begins at a vertex is a boundary edge (2.6.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EdgeFlag {
    /// TRUE
    #[default]
    Boundary,
    /// FALSE
    NonBoundary,
}

/// C's `boolean`: zero is FALSE, all else TRUE.
impl From<u8> for EdgeFlag {
    fn from(flag: u8) -> Self {
        if flag == 0 { Self::NonBoundary } else { Self::Boundary }
    }
}

/// The vertices of one draw.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexInput {
    /// The 16 vertex attributes.
    pub attributes: [AttributeSource; 16],
    /// Which edges polygon modes draw.
    pub edge_flags: EdgeFlags,
    /// What the vertices are assembled to.
    pub primitive: Primitive,
    /// Elements drawn.
    pub elements: Elements,
    /// How often they are drawn (EXT_draw_instanced).
    pub instances: u32,
}

/// Which elements of the arrays are drawn, in which order.
#[derive(Clone, Debug, PartialEq)]
pub enum Elements {
    /// `DrawArrays`: `count` elements from `first`.
    Range {
        /// First element.
        first: u32,
        /// How many.
        count: u32,
    },
    /// `DrawElements`: the elements with these numbers.
    Indices {
        /// Element numbers.
        indices: Arc<[u32]>,
        /// Number that starts the primitive anew instead of naming an element (NV_primitive_restart).
        restart: Option<u32>,
    },
}

impl Elements {
    /// None.
    pub const NONE: Self = Self::Range { first: 0, count: 0 };

    /// Whether `element` is among them.
    pub fn contains(&self, element: u32) -> bool {
        match self {
            Self::Range { first, count } => element.checked_sub(*first).is_some_and(|n| n < *count),
            Self::Indices { indices, restart } => Some(element) != *restart && indices.contains(&element),
        }
    }
}
