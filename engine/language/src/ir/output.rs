//! Outputs of programs: vertex results, per-patch results and fragment outputs, with their names in each
//! language. Inputs are in `attribute`.

use super::{Type, limits};
use crate::isa::{Family, Language, Languages, Stage};

/// A vertex result register (Table X.1 of NV_vertex_program2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VertexResult {
    /// Homogeneous clip space position.
    Hpos,
    /// Primary colour, front-facing.
    Col0,
    /// Secondary colour, front-facing.
    Col1,
    /// Primary colour, back-facing.
    Bfc0,
    /// Secondary colour, back-facing.
    Bfc1,
    /// Fog coordinate in x.
    Fogc,
    /// Point size in x.
    Psiz,
    /// Texture coordinate set 0 to 7.
    Tex(u8),
    /// Clip distance 0 to 7 in x; 0 to 5 in `!!VP2.0` and in `!!ARBvp1.0` with OPTION NV_vertex_program2.
    Clp(u8),
    /// Generic interpolant 0 to 31 (NV_vertex_program4).
    Generic(u8),
    /// Vertex number in x, an integer, for the stages between vertex and fragment programs
    /// (NV_vertex_program4).
    Id,
    /// Primitive number in x, an integer, for fragment programs (NV_geometry_program4).
    PrimitiveId,
    /// The layer to draw to in x, an integer (NV_geometry_program4).
    Layer,
}

impl VertexResult {
    pub const COUNT: usize = 58;

    /// The number of results that later stages can read: the first ones of [`Self::ALL`].
    pub const READ: usize = 56;

    /// All results. The results of NV_vertex_program2 are in the order of its Table X.1.
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self::Hpos; Self::COUNT];
        let named = [Self::Hpos, Self::Col0, Self::Col1, Self::Bfc0, Self::Bfc1, Self::Fogc, Self::Psiz];
        let mut i = 0;
        while i < Self::COUNT {
            all[i] = match i {
                0..7 => named[i],
                7..15 => Self::Tex(i as u8 - 7),
                15..23 => Self::Clp(i as u8 - 15),
                23..55 => Self::Generic(i as u8 - 23),
                55 => Self::Id,
                56 => Self::PrimitiveId,
                _ => Self::Layer,
            };
            i += 1;
        }
        all
    };

    /// The index in [`Self::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::Hpos => 0,
            Self::Col0 => 1,
            Self::Col1 => 2,
            Self::Bfc0 => 3,
            Self::Bfc1 => 4,
            Self::Fogc => 5,
            Self::Psiz => 6,
            Self::Tex(set) => 7 + set as usize,
            Self::Clp(plane) => 15 + plane as usize,
            Self::Generic(number) => 23 + number as usize,
            Self::Id => 55,
            Self::PrimitiveId => 56,
            Self::Layer => 57,
        }
    }

    /// The components that later stages read, bit 0 = x (Table X.4 of NV_vertex_program4).
    pub const fn components(self) -> u8 {
        match self {
            Self::Fogc | Self::Psiz | Self::Clp(_) | Self::Id | Self::PrimitiveId | Self::Layer => 0b0001,
            Self::Hpos
            | Self::Col0
            | Self::Col1
            | Self::Bfc0
            | Self::Bfc1
            | Self::Tex(_)
            | Self::Generic(_) => 0b1111,
        }
    }

    /// The name in `o[...]`.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; VertexResult::COUNT] = [
            "HPOS", "COL0", "COL1", "BFC0", "BFC1", "FOGC", "PSIZ", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4",
            "TEX5", "TEX6", "TEX7", "CLP0", "CLP1", "CLP2", "CLP3", "CLP4", "CLP5", "CLP6", "CLP7", "ATTR0",
            "ATTR1", "ATTR2", "ATTR3", "ATTR4", "ATTR5", "ATTR6", "ATTR7", "ATTR8", "ATTR9", "ATTR10",
            "ATTR11", "ATTR12", "ATTR13", "ATTR14", "ATTR15", "ATTR16", "ATTR17", "ATTR18", "ATTR19",
            "ATTR20", "ATTR21", "ATTR22", "ATTR23", "ATTR24", "ATTR25", "ATTR26", "ATTR27", "ATTR28",
            "ATTR29", "ATTR30", "ATTR31", "ID", "PRIMID", "LAYER",
        ];
        NAMES[self.index()]
    }

    pub const fn is_in(self, language: Language) -> bool {
        let profile = language.profile();
        let is_vertex = !matches!(profile.stage, Stage::VertexState | Stage::Fragment);
        match self {
            // `!!VP2.0` has o[CLP0] to o[CLP5]. Other languages have one result.clip[n] per clip plane.
            Self::Clp(plane) => {
                is_vertex && profile.clip_distances && (plane < 6 || !matches!(profile.family, Family::Vp))
            }
            Self::Generic(_) => is_vertex && profile.typed,
            Self::Id => Languages::GPU_VP.or(Languages::GPU_TP).contains(language),
            Self::PrimitiveId | Self::Layer => Languages::GPU_GP.contains(language),
            _ => is_vertex,
        }
    }

    /// The register as programs in `language` write it, e.g. `o[TEX0]`, `result.texcoord[0]`.
    pub fn register_in(self, language: Language) -> String {
        if !language.profile().declares_variables() {
            return format!("o[{}]", self.name());
        }
        self.binding()
    }

    fn binding(self) -> String {
        self.binding_of("result")
    }

    /// The binding with the prefix `of`, e.g. `vertex.texcoord[0]`.
    pub(super) fn binding_of(self, of: &str) -> String {
        let name = match self {
            Self::Hpos => "position",
            Self::Col0 => "color",
            Self::Col1 => "color.secondary",
            Self::Bfc0 => "color.back",
            Self::Bfc1 => "color.back.secondary",
            Self::Fogc => "fogcoord",
            Self::Psiz => "pointsize",
            Self::Tex(set) => return format!("{of}.texcoord[{set}]"),
            Self::Clp(plane) => return format!("{of}.clip[{plane}]"),
            Self::Generic(number) => return format!("{of}.attrib[{number}]"),
            Self::Id => "id",
            Self::PrimitiveId => "primid",
            Self::Layer => "layer",
        };
        format!("{of}.{name}")
    }

    /// The result `steps` places later in its array: texture coordinate sets, clip distances, generic
    /// interpolants.
    pub const fn after(self, steps: u8) -> Option<Self> {
        match self {
            Self::Tex(set) if set + steps < 8 => Some(Self::Tex(set + steps)),
            Self::Clp(plane) if plane + steps < 8 => Some(Self::Clp(plane + steps)),
            Self::Generic(number) if number + steps < 32 => Some(Self::Generic(number + steps)),
            _ if steps == 0 => Some(self),
            _ => None,
        }
    }
}

/// A per-patch result, in contrast to the results of a patch's vertices (NV_tessellation_program5 Tables X.4
/// and X.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PatchResult {
    /// Outer tessellation level 0 to 3 in x.
    Outer(u8),
    /// Inner tessellation level 0 or 1 in x.
    Inner(u8),
    /// Generic attribute 0 to 29.
    Generic(u8),
}

impl PatchResult {
    pub const OUTER: u8 = 4;

    pub const INNER: u8 = 2;

    /// The number of per-patch results.
    pub const COUNT: usize = (Self::OUTER + Self::INNER + limits::PATCH_ATTRIBUTES) as usize;

    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self::Outer(0); Self::COUNT];
        let mut i = 0;
        while i < Self::COUNT {
            let number = i as u8;
            all[i] = match number {
                0..Self::OUTER => Self::Outer(number),
                4..6 => Self::Inner(number - Self::OUTER),
                _ => Self::Generic(number - Self::OUTER - Self::INNER),
            };
            i += 1;
        }
        all
    };

    /// The index in [`Self::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::Outer(number) => number as usize,
            Self::Inner(number) => (Self::OUTER + number) as usize,
            Self::Generic(number) => (Self::OUTER + Self::INNER + number) as usize,
        }
    }

    /// A short name, e.g. `OUTER0`.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; PatchResult::COUNT] = [
            "OUTER0", "OUTER1", "OUTER2", "OUTER3", "INNER0", "INNER1", "PATCH0", "PATCH1", "PATCH2",
            "PATCH3", "PATCH4", "PATCH5", "PATCH6", "PATCH7", "PATCH8", "PATCH9", "PATCH10", "PATCH11",
            "PATCH12", "PATCH13", "PATCH14", "PATCH15", "PATCH16", "PATCH17", "PATCH18", "PATCH19",
            "PATCH20", "PATCH21", "PATCH22", "PATCH23", "PATCH24", "PATCH25", "PATCH26", "PATCH27",
            "PATCH28", "PATCH29",
        ];
        NAMES[self.index()]
    }

    /// The binding after `primitive.` for reads.
    pub(super) fn word(self) -> String {
        match self {
            Self::Outer(number) => format!("tessouter[{number}]"),
            Self::Inner(number) => format!("tessinner[{number}]"),
            Self::Generic(number) => format!("patch.attrib[{number}]"),
        }
    }

    /// The binding for writes.
    fn binding(self) -> String {
        match self {
            Self::Outer(_) | Self::Inner(_) => format!("result.patch.{}", self.word()),
            Self::Generic(_) => format!("result.{}", self.word()),
        }
    }

    /// The result `steps` places later in its array.
    pub const fn after(self, steps: u8) -> Option<Self> {
        match self {
            Self::Outer(number) if number + steps < Self::OUTER => Some(Self::Outer(number + steps)),
            Self::Inner(number) if number + steps < Self::INNER => Some(Self::Inner(number + steps)),
            Self::Generic(number) if number + steps < limits::PATCH_ATTRIBUTES => {
                Some(Self::Generic(number + steps))
            }
            _ => None,
        }
    }
}

/// The use of an output register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OutputRole {
    /// RGBA of draw buffer n (ARB_draw_buffers). Without that option, only 0 exists.
    Color(u8),
    /// The second source colour of draw buffer n (ARB_blend_func_extended, NV_gpu_program5). Only buffer 0
    /// has one, since a framebuffer with more buffers cannot use dual-source blending.
    SecondaryColor(u8),
    /// z replaces the fragment's depth.
    Depth,
    /// The coverage mask to write, bits of the integer in x (NV_gpu_program5). Without multisampling the mask
    /// has no effect (glspec40 4.1.3).
    SampleMask,
    /// A vertex result.
    Vertex(VertexResult),
    /// A per-patch result of a control program.
    Patch(PatchResult),
}

impl OutputRole {
    /// The value before the first write: (0,0,0,1) for vertex results (ruling 8 of the vertex languages) and
    /// per-patch results, else (0,0,0,0) (ruling 10).
    pub const fn initial(self) -> [f32; 4] {
        match self {
            Self::Color(_) | Self::SecondaryColor(_) | Self::Depth | Self::SampleMask => [0.0; 4],
            Self::Vertex(_) | Self::Patch(_) => [0.0, 0.0, 0.0, 1.0],
        }
    }

    /// The components that later stages read, bit 0 = x. Writes to other components have no effect.
    pub const fn components(self) -> u8 {
        match self {
            Self::Depth => 0b0100,
            Self::SampleMask | Self::Patch(PatchResult::Outer(_) | PatchResult::Inner(_)) => 0b0001,
            Self::Vertex(result) => result.components(),
            Self::Color(_) | Self::SecondaryColor(_) | Self::Patch(PatchResult::Generic(_)) => 0b1111,
        }
    }

    /// The binding in languages that declare variables, e.g. `result.depth`.
    pub fn binding(self) -> String {
        match self {
            Self::Color(0) => "result.color".to_owned(),
            Self::Color(buffer) => format!("result.color[{buffer}]"),
            Self::SecondaryColor(0) => "result.color.secondary".to_owned(),
            Self::SecondaryColor(buffer) => format!("result.color[{buffer}].secondary"),
            Self::Depth => "result.depth".to_owned(),
            Self::SampleMask => "result.samplemask".to_owned(),
            Self::Vertex(result) => result.binding(),
            Self::Patch(result) => result.binding(),
        }
    }

    pub const fn vertex(self) -> Option<VertexResult> {
        match self {
            Self::Vertex(result) => Some(result),
            _ => None,
        }
    }

    /// The role `steps` places later in its array.
    pub const fn after(self, steps: u8) -> Option<Self> {
        match self {
            Self::Vertex(result) => match result.after(steps) {
                Some(result) => Some(Self::Vertex(result)),
                None => None,
            },
            Self::Patch(result) => match result.after(steps) {
                Some(result) => Some(Self::Patch(result)),
                None => None,
            },
            Self::Color(_) | Self::SecondaryColor(_) | Self::Depth | Self::SampleMask => {
                if steps == 0 {
                    Some(self)
                } else {
                    None
                }
            }
        }
    }
}

/// An output register that the program writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The name in the program text, e.g. `o[COLR]`, `result.color`.
    pub name: String,
    pub role: OutputRole,
    /// Component type.
    pub ty: Type,
}
