//! Tables of the words that follow `fragment.`, `vertex.`, `primitive.` and `result.`. `bindings` parses
//! them.

use super::bindings::{Naming, VERTEX_ATTRIBUTES};
use crate::ir::{Attribute, PatchResult, limits};

/// Results of vertex programs for a vertex, and vertex attributes of programs that read primitives. First the
/// words that all languages have, then those of options or NV_gpu_program4.
pub(super) const VERTEX_RESULTS: [&str; 8] =
    ["position", "color", "fogcoord", "pointsize", "texcoord", "clip", "attrib", "id"];

/// Results of geometry programs.
pub(super) const GEOMETRY_RESULTS: [&str; 9] =
    ["position", "color", "fogcoord", "pointsize", "texcoord", "clip", "attrib", "primid", "layer"];

/// Results of tessellation control programs.
pub(super) const CONTROL_RESULTS: [&str; 9] =
    ["position", "color", "fogcoord", "pointsize", "texcoord", "clip", "attrib", "id", "patch"];

/// Attributes with a number.
pub(super) struct AttributeArray {
    pub word: &'static str,
    pub element: fn(u8) -> Attribute,
    pub count: u8,
    /// Whether the word without a number is number 0.
    pub has_default: bool,
    pub naming: Naming,
}

/// `fragment.*` of NV_fragment_program4 and NV_gpu_program5, except colours.
pub(super) const FRAGMENT_SCALARS: &[(&str, Attribute)] = &[
    ("fogcoord", Attribute::FogCoord),
    ("position", Attribute::Wpos),
    ("facing", Attribute::Facing),
    ("pointcoord", Attribute::PointCoord),
    ("sampleid", Attribute::SampleId),
    ("samplemask", Attribute::SampleMask),
];
pub(super) const FRAGMENT_ARRAYS: &[AttributeArray] = &[
    AttributeArray {
        word: "texcoord",
        element: Attribute::Tex,
        count: limits::TEXTURE_COORDS,
        has_default: true,
        naming: Naming::Conventional,
    },
    AttributeArray {
        word: "clip",
        element: Attribute::ClipDistance,
        count: limits::CLIP_DISTANCES,
        has_default: false,
        naming: Naming::Conventional,
    },
    AttributeArray {
        word: "attrib",
        element: Attribute::Generic,
        count: limits::GENERIC_INTERPOLANTS,
        has_default: false,
        naming: Naming::Conventional,
    },
];

/// `vertex.*` of NV_vertex_program4, except colours.
pub(super) const VERTEX_SCALARS: &[(&str, Attribute)] = &[
    ("position", Attribute::Vertex(0)),
    ("normal", Attribute::Vertex(2)),
    ("fogcoord", Attribute::Vertex(5)),
    ("id", Attribute::VertexId),
    ("instance", Attribute::Instance),
];
pub(super) const VERTEX_ARRAYS: &[AttributeArray] = &[
    AttributeArray {
        word: "texcoord",
        element: |set| Attribute::Vertex(8 + set),
        count: limits::TEXTURE_COORDS,
        has_default: true,
        naming: Naming::Conventional,
    },
    AttributeArray {
        word: "attrib",
        element: Attribute::Vertex,
        count: VERTEX_ATTRIBUTES as u8,
        has_default: false,
        naming: Naming::Generic,
    },
];

/// `primitive.*` of programs that read primitives.
pub(super) const PRIMITIVE_ATTRIBUTES: &[(&str, Attribute)] = &[
    ("id", Attribute::PrimitiveId),
    ("invocation", Attribute::Invocation),
    ("vertexcount", Attribute::VertexCount),
];

/// Results and attributes of patches with a number.
#[derive(Clone, Copy)]
pub(super) struct PatchArray {
    pub word: &'static str,
    pub element: fn(u8) -> PatchResult,
    pub count: u8,
    /// Whether the array belongs to the output patch of a control program.
    pub is_out: bool,
}

impl PatchArray {
    pub fn attribute(&self, number: u8) -> Attribute {
        let result = (self.element)(number);
        if self.is_out { Attribute::OutPatch(result) } else { Attribute::OfPatch(result) }
    }
}

pub(super) const PATCH_ARRAYS: [PatchArray; 3] = [
    PatchArray { word: "tessouter", element: PatchResult::Outer, count: PatchResult::OUTER, is_out: false },
    PatchArray { word: "tessinner", element: PatchResult::Inner, count: PatchResult::INNER, is_out: false },
    PatchArray {
        word: "patch",
        element: PatchResult::Generic,
        count: limits::PATCH_ATTRIBUTES,
        is_out: false,
    },
];
