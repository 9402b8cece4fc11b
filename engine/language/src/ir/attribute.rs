//! Attributes: the inputs of a program for one fragment, vertex or primitive, and their names in each
//! language. Outputs are in `output`.

use super::{OutputRole, PatchResult, Type, VertexResult};
use crate::isa::{Language, Languages, Stage};

/// An attribute register: an input of a fragment program (Table X.1 of NV_fragment_program and of
/// ARB_fragment_program), a vertex program, or a program that reads primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Attribute {
    /// Window position: x, y of the fragment centre from the lower left, z from 0 to 1, and 1/w.
    Wpos,
    /// Primary colour.
    Col0,
    /// Secondary colour.
    Col1,
    /// Fog coordinate in x; y, z, w are 0 (`!!FP1.0`).
    Fogc,
    /// Texture coordinate set 0 to 7.
    Tex(u8),
    /// +1 in x for front-facing primitives, else -1; y, z, w are 0, 0, 1 (NV_fragment_program2).
    Facing,
    /// Fog coordinate in x; y, z, w are 0, 0, 1 (`!!ARBfp1.0`).
    FogCoord,
    /// Clip distance 0 to 7 in x; y, z, w are undefined, 0 (NV_fragment_program4).
    ClipDistance(u8),
    /// Generic interpolant 0 to 31 (NV_fragment_program4).
    Generic(u8),
    /// Primitive number in x, an integer; y, z, w are undefined, 0 (NV_fragment_program4).
    PrimitiveId,
    /// Point sprite coordinates s and t in x and y; z and w are undefined, 0. For other primitives all
    /// components are undefined, 0 (NV_gpu_program5).
    PointCoord,
    /// Sample number in x, an integer; 0 without multisampling (NV_gpu_program5); y, z, w are 0.
    SampleId,
    /// Coverage mask of the fragment in x, one bit per sample (NV_gpu_program5); y, z, w are 0.
    SampleMask,
    /// Vertex attribute register 0 to 15 (`v[n]`).
    Vertex(u8),
    /// Vertex attribute register 0 to 15, read through a LONG variable with 64-bit components
    /// (NV_gpu_program5 2.X.3.1).
    LongVertex(u8),
    /// Vertex number in x, an integer; y, z, w are undefined, 0 (NV_vertex_program4).
    VertexId,
    /// Instance number in x, an integer; y, z, w are undefined, 0 (NV_vertex_program4).
    Instance,
    /// A result of one vertex of the input primitive (NV_geometry_program4 2.X.3.2).
    OfVertex {
        /// The vertex, counted from 0.
        vertex: u8,
        /// The result of the previous stage.
        result: VertexResult,
    },
    /// A result of one vertex of a control program's output patch (NV_tessellation_program5 2.X.3.2).
    OutVertex {
        /// The vertex, counted from 0.
        vertex: u8,
        /// The result that an invocation of this program wrote.
        result: VertexResult,
    },
    /// A per-patch value of the input patch (NV_tessellation_program5 2.X.3.2, NV_gpu_program5 2.X.3.2).
    OfPatch(PatchResult),
    /// A per-patch value of a control program's output patch.
    OutPatch(PatchResult),
    /// The position of a vertex in the tessellated triangle or square: (u, v, w), or (u, v) and 0; w is
    /// undefined, 0 (NV_tessellation_program5).
    TessCoord,
    /// Invocation number in x, an integer; y, z, w are undefined, 0. In geometry programs it counts the
    /// invocations for one primitive; in control programs it is the number of the output vertex
    /// (NV_gpu_program5, NV_tessellation_program5).
    Invocation,
    /// The number of vertices of the primitive in x, an integer; y, z, w are undefined, 0 (NV_gpu_program5).
    VertexCount,
}

/// How a fragment attribute varies over a primitive (NV_fragment_program4 2.X.3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variation {
    /// With perspective correction, unless the GL state selects flat shading.
    #[default]
    Smooth,
    /// The value of the provoking vertex, bit for bit.
    Flat,
    /// Linearly in window space.
    NoPerspective,
}

/// The place in the pixel at which a fragment attribute is evaluated, with multisampling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Place {
    /// At the centre of the pixel.
    #[default]
    Centre,
    /// At a covered place of the primitive (NV_fragment_program4 2.X.3.1).
    Centroid,
    /// At the sample that the invocation shades (NV_gpu_program5 2.X.2).
    Sample,
}

/// How a fragment attribute is interpolated from the values of the vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Interpolation {
    pub variation: Variation,
    pub place: Place,
}

impl Interpolation {
    /// The interpolation without modifiers.
    pub const DEFAULT: Self = Self { variation: Variation::Smooth, place: Place::Centre };
    /// `FLAT`
    pub const FLAT: Self = Self { variation: Variation::Flat, ..Self::DEFAULT };
    /// `NOPERSPECTIVE`
    pub const NO_PERSPECTIVE: Self = Self { variation: Variation::NoPerspective, ..Self::DEFAULT };
}

/// The interpolation of each fragment attribute, by [`Attribute::index`].
pub type Interpolations = [Interpolation; Attribute::SLOTS];

impl Attribute {
    /// The length of a table indexed by [`Self::index`], for the attributes of vertices and fragments.
    pub const SLOTS: usize = Self::FRAGMENT.len();

    /// The fragment attributes of all languages, the attributes of `!!FP1.0` first, in the order of its Table
    /// X.1. [`Self::of_language`] returns the attributes of one language.
    pub const FRAGMENT: [Self; 58] = {
        let mut all = [Self::Wpos; 58];
        let mut i = 1;
        while i < all.len() {
            all[i] = match i as u8 {
                0..2 => Self::Col0,
                2 => Self::Col1,
                3 => Self::Fogc,
                set @ 4..12 => Self::Tex(set - 4),
                12 => Self::Facing,
                13 => Self::FogCoord,
                number @ 14..22 => Self::ClipDistance(number - 14),
                number @ 22..54 => Self::Generic(number - 22),
                54 => Self::PrimitiveId,
                55 => Self::PointCoord,
                56 => Self::SampleId,
                _ => Self::SampleMask,
            };
            i += 1;
        }
        all
    };

    /// The vertex attributes. The first 16 are the ones that vertex arrays can supply.
    pub const VERTEX: [Self; 18] = {
        let mut all = [Self::VertexId; 18];
        let mut number = 0;
        while number < 16 {
            all[number] = Self::Vertex(number as u8);
            number += 1;
        }
        all[17] = Self::Instance;
        all
    };

    /// The attributes of programs that read primitives: all results of vertex 0, and the attributes of the
    /// whole primitive.
    pub const PRIMITIVE: [Self; 2 * (VertexResult::READ + PatchResult::COUNT) + 4] = {
        let mut all = [Self::PrimitiveId; 2 * (VertexResult::READ + PatchResult::COUNT) + 4];
        let mut i = 0;
        while i < VertexResult::READ {
            all[i] = Self::OfVertex { vertex: 0, result: VertexResult::ALL[i] };
            all[VertexResult::READ + i] = Self::OutVertex { vertex: 0, result: VertexResult::ALL[i] };
            i += 1;
        }
        let patch = 2 * VertexResult::READ;
        i = 0;
        while i < PatchResult::COUNT {
            all[patch + i] = Self::OfPatch(PatchResult::ALL[i]);
            all[patch + PatchResult::COUNT + i] = Self::OutPatch(PatchResult::ALL[i]);
            i += 1;
        }
        let rest = patch + 2 * PatchResult::COUNT;
        all[rest + 1] = Self::Invocation;
        all[rest + 2] = Self::VertexCount;
        all[rest + 3] = Self::TessCoord;
        all
    };

    /// The attributes of programs that read primitives and that no earlier stage writes.
    pub const NUMBERS: [Self; 4] = [Self::PrimitiveId, Self::Invocation, Self::VertexCount, Self::TessCoord];

    /// The attributes that programs of `stage` can read in some language. Vertex and fragment attributes are
    /// in the order of their index. For the vertices of a primitive, only vertex 0 is listed.
    pub const fn of(stage: Stage) -> &'static [Self] {
        match stage {
            Stage::Fragment => &Self::FRAGMENT,
            Stage::Vertex | Stage::VertexState => &Self::VERTEX,
            Stage::TessControl | Stage::TessEvaluation | Stage::Geometry => &Self::PRIMITIVE,
        }
    }

    /// The attributes that programs in `language` can read, in the order of [`Self::of`].
    pub fn of_language(language: Language) -> impl Iterator<Item = Self> {
        Self::of(language.stage()).iter().copied().filter(move |attribute| attribute.is_in(language))
    }

    /// The languages whose programs can read the attribute.
    const fn languages(self) -> Languages {
        match self {
            Self::Wpos | Self::Col0 | Self::Col1 | Self::Tex(_) => Languages::FRAGMENT,
            Self::Fogc => Languages::FP1,
            Self::FogCoord => Languages::ARB_FP.or(Languages::GPU_FP),
            Self::Facing => Languages::ARB_FP_NV2.or(Languages::GPU_FP),
            Self::ClipDistance(_) | Self::Generic(_) => Languages::GPU_FP,
            Self::PrimitiveId => Languages::GPU_FP.or(Languages::GPU_GP).or(Languages::GPU_TP),
            Self::PointCoord | Self::SampleId | Self::SampleMask => Languages::GPU_FP.and(Languages::GPU_5),
            Self::VertexId | Self::Instance => Languages::GPU_VP,
            Self::LongVertex(_) => Languages::GPU_VP.and(Languages::GPU_5),
            Self::OfVertex { result: VertexResult::PrimitiveId | VertexResult::Layer, .. }
            | Self::OutVertex { result: VertexResult::PrimitiveId | VertexResult::Layer, .. } => {
                Languages::of(&[])
            }
            Self::OfVertex { .. } => Languages::GPU_GP.or(Languages::GPU_TP),
            Self::OutVertex { .. } | Self::OutPatch(_) => Languages::GPU_TCP,
            Self::OfPatch(_) => Languages::GPU_5.and(Languages::GPU_GP).or(Languages::GPU_TEP),
            Self::TessCoord => Languages::GPU_TEP,
            Self::Invocation => Languages::GPU_5.and(Languages::GPU_GP).or(Languages::GPU_TCP),
            Self::VertexCount => Languages::GPU_5.and(Languages::GPU_GP).or(Languages::GPU_TP),
            Self::Vertex(0) => Languages::VERTEX.or(Languages::STATE),
            Self::Vertex(_) => Languages::VERTEX,
        }
    }

    pub const fn is_in(self, language: Language) -> bool {
        self.languages().contains(language)
    }

    /// The number of the register among the attributes of its stage. Attributes of primitives have numbers
    /// from [`Self::SLOTS`] on; programs that read them number the ones they use.
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::Wpos => 0,
            Self::Col0 => 1,
            Self::Col1 => 2,
            Self::Fogc => 3,
            Self::Tex(set) => 4 + set as usize,
            Self::Facing => 12,
            Self::FogCoord => 13,
            Self::ClipDistance(number) => 14 + number as usize,
            Self::Generic(number) => 22 + number as usize,
            Self::PrimitiveId => 54,
            Self::PointCoord => 55,
            Self::SampleId => 56,
            Self::SampleMask => 57,
            Self::Vertex(number) | Self::LongVertex(number) => number as usize,
            Self::VertexId => 16,
            Self::Instance => 17,
            Self::Invocation => Self::SLOTS,
            Self::VertexCount => Self::SLOTS + 1,
            Self::TessCoord => Self::SLOTS + 2,
            Self::OfPatch(result) => Self::OF_PATCHES + result.index(),
            Self::OutPatch(result) => Self::OF_PATCHES + PatchResult::COUNT + result.index(),
            Self::OfVertex { vertex, result } => {
                Self::OF_VERTICES + 2 * vertex as usize * VertexResult::COUNT + result.index()
            }
            Self::OutVertex { vertex, result } => {
                Self::OF_VERTICES + (2 * vertex as usize + 1) * VertexResult::COUNT + result.index()
            }
        }
    }

    /// [`Self::index`] of the first per-patch value.
    const OF_PATCHES: usize = Self::SLOTS + 3;

    /// [`Self::index`] of the first result of a vertex of a primitive.
    const OF_VERTICES: usize = Self::OF_PATCHES + 2 * PatchResult::COUNT;

    /// The vertex and the result, if the attribute is a result of a vertex of a primitive.
    pub const fn of_vertex(self) -> Option<(u8, VertexResult)> {
        match self {
            Self::OfVertex { vertex, result } | Self::OutVertex { vertex, result } => Some((vertex, result)),
            _ => None,
        }
    }

    /// The attribute of vertex `vertex` instead. Other attributes than those of a vertex of a primitive are
    /// returned unchanged.
    #[must_use]
    pub const fn at_vertex(self, vertex: u8) -> Self {
        match self {
            Self::OfVertex { result, .. } => Self::OfVertex { vertex, result },
            Self::OutVertex { result, .. } => Self::OutVertex { vertex, result },
            other => other,
        }
    }

    /// The output that the attribute reads back, if the attribute belongs to a control program's output
    /// patch.
    pub const fn output(self) -> Option<OutputRole> {
        match self {
            Self::OutVertex { result, .. } => Some(OutputRole::Vertex(result)),
            Self::OutPatch(result) => Some(OutputRole::Patch(result)),
            _ => None,
        }
    }

    /// The name in `f[...]` or `v[...]`. For vertex attributes, the mnemonic of Table X.3 of
    /// NV_vertex_program2, or the number if the attribute has none. Attributes of other languages have
    /// similar names. [`Self::register_in`] returns the spelling in a program.
    pub const fn name(self) -> &'static str {
        const VERTEX: [&str; 18] = [
            "OPOS", "WGHT", "NRML", "COL0", "COL1", "FOGC", "6", "7", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4",
            "TEX5", "TEX6", "TEX7", "ID", "INSTANCE",
        ];
        match self {
            Self::Vertex(_) | Self::LongVertex(_) | Self::VertexId | Self::Instance => VERTEX[self.index()],
            Self::OfVertex { result, .. } | Self::OutVertex { result, .. } => result.name(),
            Self::OfPatch(result) | Self::OutPatch(result) => result.name(),
            Self::TessCoord => "TESSCOORD",
            Self::Invocation => "INVOCATION",
            Self::VertexCount => "VERTEXCOUNT",
            Self::Wpos => "WPOS",
            Self::Col0 => "COL0",
            Self::Col1 => "COL1",
            Self::Fogc => "FOGC",
            Self::Tex(set) => VertexResult::Tex(set).name(),
            Self::Facing => "FACE",
            Self::FogCoord => "FOGCOORD",
            Self::ClipDistance(number) => VertexResult::Clp(number).name(),
            Self::Generic(number) => VertexResult::Generic(number).name(),
            Self::PrimitiveId => "PRIMID",
            Self::PointCoord => "POINTCOORD",
            Self::SampleId => "SAMPLEID",
            Self::SampleMask => "SAMPLEMASK",
        }
    }

    /// The register as programs in `language` write it, e.g. `f[TEX0]`, `v[OPOS]`, `v[0]` in state programs,
    /// `fragment.texcoord[0]`, `vertex.normal`.
    pub fn register_in(self, language: Language) -> String {
        match self {
            _ if language.profile().declares_variables() => self.binding(),
            Self::Vertex(number) if language.stage() == Stage::VertexState => format!("v[{number}]"),
            Self::Vertex(_) | Self::LongVertex(_) | Self::VertexId | Self::Instance => {
                format!("v[{}]", self.name())
            }
            _ => format!("f[{}]", self.name()),
        }
    }

    /// The other spelling of a vertex attribute in languages with declared variables: `vertex.attrib[3]` for
    /// `vertex.color`.
    pub fn generic_in(self, language: Language) -> Option<String> {
        match self {
            Self::Vertex(number) | Self::LongVertex(number) if language.profile().declares_variables() => {
                Some(format!("vertex.attrib[{number}]"))
            }
            _ => None,
        }
    }

    fn binding(self) -> String {
        let binding = match self {
            Self::Wpos => "fragment.position",
            Self::Col0 => "fragment.color",
            Self::Col1 => "fragment.color.secondary",
            Self::Fogc | Self::FogCoord => "fragment.fogcoord",
            Self::Facing => "fragment.facing",
            Self::Tex(set) => return format!("fragment.texcoord[{set}]"),
            Self::ClipDistance(number) => return format!("fragment.clip[{number}]"),
            Self::Generic(number) => return format!("fragment.attrib[{number}]"),
            Self::PrimitiveId => "primitive.id",
            Self::PointCoord => "fragment.pointcoord",
            Self::SampleId => "fragment.sampleid",
            Self::SampleMask => "fragment.samplemask",
            Self::VertexId => "vertex.id",
            Self::Instance => "vertex.instance",
            Self::Vertex(0) => "vertex.position",
            Self::Vertex(2) => "vertex.normal",
            Self::Vertex(3) => "vertex.color",
            Self::Vertex(4) => "vertex.color.secondary",
            Self::Vertex(5) => "vertex.fogcoord",
            Self::Vertex(number @ 8..) => return format!("vertex.texcoord[{}]", number - 8),
            // Weights need ARB_vertex_blend. The remaining registers have only a generic name.
            Self::Vertex(number) => return format!("vertex.attrib[{number}]"),
            Self::LongVertex(number) => return Self::Vertex(number).binding(),
            Self::OfVertex { vertex, result } => return result.binding_of(&format!("vertex[{vertex}]")),
            Self::OutVertex { vertex, result } => return result.binding_of(&format!("vertex.out[{vertex}]")),
            Self::OfPatch(result) => return format!("primitive.{}", result.word()),
            Self::OutPatch(result) => return format!("primitive.out.{}", result.word()),
            Self::TessCoord => "vertex.tesscoord",
            Self::Invocation => "primitive.invocation",
            Self::VertexCount => "primitive.vertexcount",
        };
        binding.to_owned()
    }

    /// The type of the components: integer for numbers, counts and masks, else floating-point. An instruction
    /// with a data type of its own can read the bits as another type.
    pub const fn ty(self) -> Type {
        match self {
            Self::PrimitiveId
            | Self::SampleId
            | Self::SampleMask
            | Self::VertexId
            | Self::Instance
            | Self::Invocation
            | Self::VertexCount
            | Self::OfVertex { result: VertexResult::Id, .. }
            | Self::OutVertex { result: VertexResult::Id, .. } => Type::S32,
            Self::LongVertex(_) => Type::F64,
            _ => Type::F32,
        }
    }

    /// Whether IPAC, IPAO and IPAS accept the attribute (NV_gpu_program5 2.X.8.Z).
    pub const fn is_evaluable(self) -> bool {
        !matches!(self, Self::Facing | Self::PrimitiveId)
    }

    pub const fn is_long(self) -> bool {
        matches!(self, Self::LongVertex(_))
    }

    /// The same register as a LONG variable reads it, if LONG variables can bind the register.
    pub const fn long(self) -> Self {
        match self {
            Self::Vertex(number) => Self::LongVertex(number),
            other => other,
        }
    }

    /// The same register with 32-bit components.
    pub const fn register(self) -> Self {
        match self {
            Self::LongVertex(number) => Self::Vertex(number),
            other => other,
        }
    }

    /// The type of the stored components: F64 for any 64 bits, else F32.
    pub const fn storage(self) -> Type {
        if self.is_long() { Type::F64 } else { Type::F32 }
    }

    /// The attribute `steps` places later in its array: texture coordinate sets, clip distances, generic
    /// interpolants, vertex attributes.
    pub const fn after(self, steps: u8) -> Option<Self> {
        match self {
            Self::Tex(set) if set + steps < 8 => Some(Self::Tex(set + steps)),
            Self::ClipDistance(number) if number + steps < 8 => Some(Self::ClipDistance(number + steps)),
            Self::Generic(number) if number + steps < 32 => Some(Self::Generic(number + steps)),
            Self::Vertex(number) if number + steps < 16 => Some(Self::Vertex(number + steps)),
            Self::LongVertex(number) if number + steps < 16 => Some(Self::LongVertex(number + steps)),
            Self::OfVertex { vertex, result } => match result.after(steps) {
                Some(result) => Some(Self::OfVertex { vertex, result }),
                None => None,
            },
            Self::OutVertex { vertex, result } => match result.after(steps) {
                Some(result) => Some(Self::OutVertex { vertex, result }),
                None => None,
            },
            Self::OfPatch(result) => match result.after(steps) {
                Some(result) => Some(Self::OfPatch(result)),
                None => None,
            },
            Self::OutPatch(result) => match result.after(steps) {
                Some(result) => Some(Self::OutPatch(result)),
                None => None,
            },
            _ if steps == 0 => Some(self),
            _ => None,
        }
    }
}
