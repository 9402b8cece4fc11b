//! The invocations of a race, in a compact form: one record for each invocation that accesses memory.

use super::{Program, Who};
use crate::subject::Subject;
use shadestep_language::isa::Stage;

/// Distinguishes invocations with the same subject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The instance.
    pub instance: u32,
    /// For a fragment, the primitive of the draw that it comes from, if there are primitives.
    pub primitive: Option<u32>,
    /// For a fragment, its sample, if the program runs for each sample.
    pub sample: Option<u8>,
}

/// The other party of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Party {
    pub subject: Subject,
    pub origin: Origin,
    /// Index of the instruction.
    pub pc: usize,
    /// Whether the access wrote the bytes.
    pub wrote: bool,
}

/// The stages of invocations that access memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MarkedStage {
    #[default]
    Vertex,
    TessControl,
    TessEvaluation,
    Geometry,
    Fragment,
}

/// How accesses of an invocation can be ordered before other accesses after it has finished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Link {
    /// The invocation has not synchronised.
    #[default]
    None,
    /// The invocation cannot synchronise, because its program only reads.
    Never,
    /// The invocation has executed MEMBAR.
    Synchronised,
}

/// Values that stand for absent numbers.
const NO_PRIMITIVE: u32 = u32::MAX;
const NO_SAMPLE: u8 = u8::MAX;

/// An invocation that has accessed memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Identity {
    instance: u32,
    primitive: u32,
    /// The subject: x and y of a pixel; the low and high half of a vertex number; the low and high half of a
    /// primitive or patch number, with the invocation; or the low and high half of a patch number, with its
    /// vertex.
    subject: [u16; 3],
    sample: u8,
    tag: Tag,
}

/// A stage and a link in one byte.
#[derive(Clone, Copy, Debug, Default)]
struct Tag(u8);

impl Tag {
    const STAGES: [MarkedStage; 5] = [
        MarkedStage::Vertex,
        MarkedStage::TessControl,
        MarkedStage::TessEvaluation,
        MarkedStage::Geometry,
        MarkedStage::Fragment,
    ];

    const fn new(stage: MarkedStage, link: Link) -> Self {
        Self(stage as u8 | (link as u8) << 4)
    }

    fn stage(self) -> MarkedStage {
        Self::STAGES[usize::from(self.0 & 15).min(4)]
    }

    const fn has(self, link: Link) -> bool {
        self.0 >> 4 == link as u8
    }
}

impl Identity {
    pub fn new(who: &Who, program: Program) -> Self {
        let halves = |number: u32, other: u16| [number as u16, (number >> 16) as u16, other];
        let subject = match who.subject {
            Some(Subject::Pixel([x, y])) => [x as u16, y as u16, 0],
            Some(Subject::Vertex(number)) => halves(number, 0),
            Some(Subject::Primitive { number, invocation } | Subject::Patch { number, invocation }) => {
                halves(number, invocation.into())
            }
            Some(Subject::PatchVertex { patch, vertex }) => halves(patch, vertex as u16),
            Some(Subject::StateProgram(_)) | None => [0; 3],
        };
        let stage = match who.stage {
            Stage::Vertex | Stage::VertexState => MarkedStage::Vertex,
            Stage::TessControl => MarkedStage::TessControl,
            Stage::TessEvaluation => MarkedStage::TessEvaluation,
            Stage::Geometry => MarkedStage::Geometry,
            Stage::Fragment => MarkedStage::Fragment,
        };
        let link = if program == Program::Reads { Link::Never } else { Link::None };
        let Origin { instance, primitive, sample } = who.origin;
        let (primitive, sample) = (primitive.unwrap_or(NO_PRIMITIVE), sample.unwrap_or(NO_SAMPLE));
        Self { instance, primitive, subject, sample, tag: Tag::new(stage, link) }
    }

    /// Records that the invocation has executed MEMBAR.
    pub fn synchronise(&mut self) {
        self.tag = Tag::new(self.tag.stage(), Link::Synchronised);
    }

    /// Whether no later access can be ordered after the accesses of this invocation. `over` says whether the
    /// invocation has finished.
    pub fn is_final(&self, over: bool) -> bool {
        let alone = self.tag.has(Link::Never) || over && self.tag.has(Link::None);
        alone && self.tag.stage() == MarkedStage::Fragment
    }

    pub fn party(&self, pc: usize, wrote: bool) -> Party {
        let [x, y, other] = self.subject.map(u32::from);
        let number = y << 16 | x;
        let subject = match self.tag.stage() {
            MarkedStage::Vertex => Subject::Vertex(number),
            MarkedStage::TessControl => Subject::Patch { number, invocation: other as u8 },
            MarkedStage::TessEvaluation => Subject::PatchVertex { patch: number, vertex: other },
            MarkedStage::Geometry => Subject::Primitive { number, invocation: other as u8 },
            MarkedStage::Fragment => Subject::Pixel([x, y]),
        };
        let primitive = Some(self.primitive).filter(|primitive| *primitive != NO_PRIMITIVE);
        let sample = Some(self.sample).filter(|sample| *sample != NO_SAMPLE);
        let origin = Origin { instance: self.instance, primitive, sample };
        Party { subject, origin, pc, wrote }
    }
}
