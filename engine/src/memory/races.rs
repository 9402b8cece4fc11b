//! Races: two invocations of a draw that touch the same bytes, one of them writing, neither with an atomic, and nothing orders
//! them (EXT_shader_image_load_store 2.14.X: the order of invocations of a stage is undefined; those of an earlier stage are
//! taken to be over). The executors do order them, so that a draw has one result; elsewhere it may have another.

use super::store::PAGE;
use super::{Action, BufferId, Request, Transfer, Who};
use crate::debug::Subject;
use crate::isa::Stage;

/// Bytes that share a cell.
const WORD: usize = 4;
const WORDS: usize = PAGE / WORD;

/// Who touched bytes of a word last, in few bytes: there is one for each word that a draw touches.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// Its number; 0 for nobody.
    invocation: u32,
    /// The subject: x and y of a pixel; the low and the high half of the number of a vertex, or of a primitive or patch with its
    /// invocation; or those of a patch and a vertex of it.
    subject: [u16; 3],
    pc: u16,
    stage: MarkedStage,
    /// The bytes, bit 0 for the first.
    bytes: u8,
}

/// A word: who changed it last without an atomic, who read it so, and who wrote it in whatever way.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    written: Mark,
    read: Mark,
    last: Mark,
}

/// The other party of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Party {
    /// The invocation.
    pub subject: Subject,
    /// Index of its instruction.
    pub pc: usize,
    /// Whether it wrote the bytes.
    pub wrote: bool,
}

/// The stage of an invocation that can be told apart from those of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MarkedStage {
    #[default]
    Vertex,
    TessControl,
    TessEvaluation,
    Geometry,
    Fragment,
}

impl Mark {
    fn of(who: &Who, bytes: u8) -> Self {
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
        Self { invocation: who.invocation, subject, pc: who.pc as u16, stage, bytes }
    }

    /// Whether nothing orders it and `other`, and they touched the same bytes.
    fn meets(&self, other: &Self) -> bool {
        self.invocation != 0
            && self.invocation != other.invocation
            && self.stage == other.stage
            && self.bytes & other.bytes != 0
    }

    const fn party(&self, wrote: bool) -> Party {
        let [x, y, other] = [self.subject[0] as u32, self.subject[1] as u32, self.subject[2] as u32];
        let number = y << 16 | x;
        let subject = match self.stage {
            MarkedStage::Vertex => Subject::Vertex(number),
            MarkedStage::TessControl => Subject::Patch { number, invocation: other as u8 },
            MarkedStage::TessEvaluation => Subject::PatchVertex { patch: number, vertex: other },
            MarkedStage::Geometry => Subject::Primitive { number, invocation: other as u8 },
            MarkedStage::Fragment => Subject::Pixel([x, y]),
        };
        Party { subject, pc: self.pc as usize, wrote }
    }

    /// The same with the bytes of `before`, if that is of the same invocation.
    const fn with(self, before: &Self) -> Self {
        let bytes = if self.invocation == before.invocation { self.bytes | before.bytes } else { self.bytes };
        Self { bytes, ..self }
    }
}

/// Who wrote which bytes last in a draw.
#[derive(Debug)]
pub struct Writers(Races);

impl From<Races> for Writers {
    fn from(races: Races) -> Self {
        Self(races)
    }
}

impl Writers {
    /// The invocation that wrote the byte at `offset` of a buffer last, and the index of its instruction.
    pub fn of(&self, buffer: BufferId, offset: u64) -> Option<Party> {
        let (page, at) = ((offset / PAGE as u64) as usize, (offset % PAGE as u64) as usize);
        let cells = self.0.buffers.get(buffer.0 as usize)?.get(page)?.as_ref()?;
        let mark = cells[at / WORD].last;
        (mark.invocation != 0 && mark.bytes >> (at % WORD) & 1 != 0).then(|| mark.party(true))
    }
}

/// Who has touched which bytes in a draw.
#[derive(Debug, Default)]
pub(super) struct Races {
    /// Of each buffer the pages that have been touched.
    buffers: Vec<Vec<Option<Box<[Cell; WORDS]>>>>,
    /// How many invocations have begun.
    invocations: u32,
}

impl Races {
    /// Numbers for `count` invocations that begin: the first.
    pub fn begin(&mut self, count: u32) -> u32 {
        let first = self.invocations.wrapping_add(1);
        self.invocations = self.invocations.wrapping_add(count);
        first
    }

    /// Notes an access, and gives the other party if it is a race. An atomic is none, nor is a store of what is there.
    pub fn note(&mut self, request: &Request, transfer: &Transfer) -> Option<Party> {
        let (buffer, offset) = transfer.at?;
        let reads = matches!(request.action, Action::Load);
        let changes = transfer.after.is_some_and(|after| after != transfer.before);
        let writes = changes && matches!(request.action, Action::Store(_));
        let (mut at, end) = (offset, offset + transfer.size() as u64);
        let mut found = None;
        while at < end {
            let word = at / WORD as u64;
            let last = end.min((word + 1) * WORD as u64);
            let bytes = ((1u16 << (last - word * WORD as u64)) - (1 << (at - word * WORD as u64))) as u8;
            let mark = Mark::of(&request.who, bytes);
            let cell = self.cell(buffer, word as usize);
            if transfer.after.is_some() {
                cell.last = mark.with(&cell.last);
            }
            at = last;
            if !reads && !writes {
                continue;
            }
            let written = cell.written.meets(&mark).then(|| cell.written.party(true));
            let read = (writes && cell.read.meets(&mark)).then(|| cell.read.party(false));
            found = found.or(written).or(read);
            let own = if writes { &mut cell.written } else { &mut cell.read };
            *own = mark.with(own);
        }
        found
    }

    fn cell(&mut self, buffer: BufferId, word: usize) -> &mut Cell {
        let place = buffer.0 as usize;
        if self.buffers.len() <= place {
            self.buffers.resize_with(place + 1, Vec::new);
        }
        let pages = &mut self.buffers[place];
        let (page, word) = (word / WORDS, word % WORDS);
        if pages.len() <= page {
            pages.resize_with(page + 1, || None);
        }
        let page = pages[page].get_or_insert_with(|| Box::new([Cell::default(); WORDS]));
        &mut page[word]
    }
}
