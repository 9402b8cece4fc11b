//! The vertex input of a draw: attribute arrays, indices and the primitive type (glspec15 2.8,
//! NV_vertex_program 2.14.3).

use std::sync::Arc;

use super::TessellationLevels;
use shadestep_language::ir::Components;

shadestep_language::named_enum! {
    /// The primitive type of a draw (2.6.1; with adjacent vertices NV_geometry_program4 2.6.1).
    pub enum Primitive {
        Points = "POINTS",
        Lines = "LINES",
        LineStrip = "LINE_STRIP",
        LineLoop = "LINE_LOOP",
        Triangles = "TRIANGLES",
        TriangleStrip = "TRIANGLE_STRIP",
        TriangleFan = "TRIANGLE_FAN",
        Quads = "QUADS",
        QuadStrip = "QUAD_STRIP",
        Polygon = "POLYGON",
        LinesAdjacency = "LINES_ADJACENCY",
        LineStripAdjacency = "LINE_STRIP_ADJACENCY",
        TrianglesAdjacency = "TRIANGLES_ADJACENCY",
        TriangleStripAdjacency = "TRIANGLE_STRIP_ADJACENCY",
        /// Added by ARB_tessellation_shader 2.6.1.
        Patches = "PATCHES",
    }
}

impl Primitive {
    /// Whether edge flags select the boundary edges of this primitive.
    pub const fn has_edge_flags(self) -> bool {
        matches!(self, Self::Triangles | Self::Quads | Self::Polygon | Self::TrianglesAdjacency)
    }
}

/// The elements of an attribute array (ARB_vertex_program table 2.4, NV_vertex_attrib_integer_64bit 2.8).
#[derive(Clone, Debug, PartialEq)]
pub enum ArrayData {
    /// `BYTE`
    Byte(Arc<[i8]>),
    /// `UNSIGNED_BYTE`
    UnsignedByte(Arc<[u8]>),
    /// `SHORT`
    Short(Arc<[i16]>),
    /// `UNSIGNED_SHORT`
    UnsignedShort(Arc<[u16]>),
    /// `INT`
    Int(Arc<[i32]>),
    /// `UNSIGNED_INT`
    UnsignedInt(Arc<[u32]>),
    /// `INT64_NV`
    Int64(Arc<[i64]>),
    /// `UNSIGNED_INT64_NV`
    UnsignedInt64(Arc<[u64]>),
    /// `FLOAT`
    Float(Arc<[f32]>),
    /// `DOUBLE`
    Double(Arc<[f64]>),
}

/// Evaluates an expression with the numbers of an [`ArrayData`] of any type.
macro_rules! with_numbers {
    ($data:expr, $numbers:ident => $result:expr) => {
        match $data {
            ArrayData::Byte($numbers) => $result,
            ArrayData::UnsignedByte($numbers) => $result,
            ArrayData::Short($numbers) => $result,
            ArrayData::UnsignedShort($numbers) => $result,
            ArrayData::Int($numbers) => $result,
            ArrayData::UnsignedInt($numbers) => $result,
            ArrayData::Int64($numbers) => $result,
            ArrayData::UnsignedInt64($numbers) => $result,
            ArrayData::Float($numbers) => $result,
            ArrayData::Double($numbers) => $result,
        }
    };
}
pub(crate) use with_numbers;

impl ArrayData {
    /// Number of values.
    pub fn len(&self) -> usize {
        with_numbers!(self, numbers => numbers.len())
    }

    /// Whether the array is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        with_numbers!(self, numbers => size_of_val(&**numbers))
    }
}

/// A number of an array, converted as each [`ArrayConversion`] needs.
pub trait ArrayNumber: Copy {
    /// The nearest fp32.
    fn single(self) -> f32;
    /// For an integer, the fraction that the integer represents (glspec15 table 2.9). For a float, the
    /// nearest fp32.
    fn fraction(self) -> f32;
    /// The bits. Signed integers are sign-extended to 64 bits.
    fn bits(self) -> u64;
}

macro_rules! integers {
    ($($number:ty: $extended:ty, $fraction:expr;)*) => {
        $(
            impl ArrayNumber for $number {
                fn single(self) -> f32 {
                    self as f32
                }

                fn fraction(self) -> f32 {
                    let fraction: fn(f64, f64) -> f64 = $fraction;
                    fraction(self as f64, <$number>::MAX as f64) as f32
                }

                fn bits(self) -> u64 {
                    <$extended>::from(self) as u64
                }
            }
        )*
    };
}

integers! {
    i8: i64, signed_fraction;
    i16: i64, signed_fraction;
    i32: i64, signed_fraction;
    i64: i64, signed_fraction;
    u8: u64, |c, most| c / most;
    u16: u64, |c, most| c / most;
    u32: u64, |c, most| c / most;
    u64: u64, |c, most| c / most;
}

/// (2c + 1) / (2^b - 1), where `most` is 2^(b-1) - 1.
fn signed_fraction(c: f64, most: f64) -> f64 {
    (2.0 * c + 1.0) / (2.0 * most + 1.0)
}

impl ArrayNumber for f32 {
    fn single(self) -> f32 {
        self
    }

    fn fraction(self) -> f32 {
        self
    }

    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl ArrayNumber for f64 {
    fn single(self) -> f32 {
        self as f32
    }

    fn fraction(self) -> f32 {
        self as f32
    }

    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// The conversion of array numbers to attribute components (EXT_gpu_shader4 and ARB_vertex_attrib_64bit 2.8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ArrayConversion {
    /// The nearest fp32, for example 3.0 for 3.
    #[default]
    Float,
    /// fp32. Unsigned integers map to 0 to 1, signed integers to -1 to 1 (glspec15 table 2.9).
    Normalized,
    /// 32-bit integers.
    Integer,
    /// 64-bit components: integers or doubles.
    Long,
}

impl ArrayConversion {
    /// The components of an attribute register that fill up an array with fewer than four values. The
    /// specification leaves 64-bit components undefined: here the missing components are 0.
    pub const fn fill(self) -> Components {
        match self {
            Self::Float | Self::Normalized => [0, 0, 0, 1.0f32.to_bits() as u64],
            Self::Integer => [0, 0, 0, 1],
            Self::Long => [0; 4],
        }
    }

    /// The bits of the component for `number`.
    #[inline(always)]
    pub fn component(self, number: impl ArrayNumber) -> u64 {
        match self {
            Self::Float => number.single().to_bits().into(),
            Self::Normalized => number.fraction().to_bits().into(),
            Self::Integer => number.bits() & u64::from(u32::MAX),
            Self::Long => number.bits(),
        }
    }
}

/// One attribute array. Element i has `size` values from index `offset + i * stride`, counted in values.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeArray {
    pub data: ArrayData,
    pub conversion: ArrayConversion,
    /// Values per vertex: 1 to 4. Missing y and z are 0. A missing w is 1, or 0 for 64-bit components.
    pub size: u8,
    /// Distance between the first values of successive elements, in values.
    pub stride: usize,
    /// Index of the first value.
    pub offset: usize,
    /// Number of instances that share an element (VertexAttribDivisor, glspec40 2.8). 0 if each vertex has
    /// its own element.
    pub divisor: u32,
}

impl AttributeArray {
    /// An array of `size` numbers per element, tightly packed, each converted to the nearest fp32.
    pub fn packed(data: ArrayData, size: u8) -> Self {
        let conversion = ArrayConversion::Float;
        Self { data, conversion, size, stride: size.into(), offset: 0, divisor: 0 }
    }

    /// The array element for vertex element `element` of an instance.
    pub(super) const fn element(&self, element: u32, instance: u32) -> u32 {
        match instance.checked_div(self.divisor) {
            Some(place) => place,
            None => element,
        }
    }
}

/// The source of a vertex attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum AttributeSource {
    /// The bits of the current value, the same for every vertex.
    Current(Components),
    /// An enabled array.
    Array(AttributeArray),
}

/// The boundary edges of TRIANGLES, QUADS and POLYGON (2.6.2). An edge takes the flag of its first vertex.
/// All edges of other primitives are boundary edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeFlags {
    /// The current flag, the same for every vertex.
    Current(EdgeFlag),
    /// An enabled array. The flag of element i is at index `offset + i * stride`; 0 is FALSE. Edges that
    /// begin at elements beyond the end are boundary edges.
    Array {
        flags: Arc<[u8]>,
        /// Distance from one flag to the next.
        stride: usize,
        /// Index of the first flag.
        offset: usize,
    },
}

impl EdgeFlags {
    /// The flag of an element.
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

/// As C's `boolean`: zero is FALSE, all other values are TRUE.
impl From<u8> for EdgeFlag {
    fn from(flag: u8) -> Self {
        if flag == 0 { Self::NonBoundary } else { Self::Boundary }
    }
}

/// Patch parameters (ARB_tessellation_shader 2.6.1, 2.X.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patches {
    /// `PATCH_VERTICES`: vertices per patch, 1 to 32.
    pub vertices: u8,
    /// `PATCH_DEFAULT_OUTER_LEVEL` and `PATCH_DEFAULT_INNER_LEVEL`: the tessellation levels without a control
    /// program.
    pub levels: TessellationLevels,
}

impl Patches {
    /// The GL's initial state.
    pub const DEFAULT: Self = Self { vertices: 3, levels: TessellationLevels::DEFAULT };
}

/// The vertices of one draw.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexInput {
    /// The 16 vertex attributes.
    pub attributes: [AttributeSource; 16],
    /// The edge flags for polygon modes.
    pub edge_flags: EdgeFlags,
    pub primitive: Primitive,
    /// Patch parameters, for PATCHES.
    pub patches: Patches,
    /// The drawn elements.
    pub elements: Elements,
    /// Number of instances (EXT_draw_instanced).
    pub instances: u32,
}

/// The elements that are drawn, in drawing order.
#[derive(Clone, Debug, PartialEq)]
pub enum Elements {
    /// `DrawArrays`: `count` elements from `first`.
    Range {
        /// First element.
        first: u32,
        /// Number of elements.
        count: u32,
    },
    /// `DrawElements`: the elements with these numbers.
    Indices {
        /// Element numbers.
        indices: Arc<[u32]>,
        /// The index that restarts the primitive instead of naming an element (NV_primitive_restart).
        restart: Option<u32>,
    },
}

impl Elements {
    /// No elements.
    pub const NONE: Self = Self::Range { first: 0, count: 0 };

    /// Whether the draw uses `element`.
    pub fn contains(&self, element: u32) -> bool {
        match self {
            Self::Range { first, count } => element.checked_sub(*first).is_some_and(|n| n < *count),
            Self::Indices { indices, restart } => Some(element) != *restart && indices.contains(&element),
        }
    }
}
