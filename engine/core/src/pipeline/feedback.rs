//! Transform feedback: what is recorded of the vertices of a draw's primitives before these are clipped (NV_transform_feedback 2.Y,
//! ARB_transform_feedback3).
//!
//! Primitives are recorded in the order of the draw, each whole or not at all. What this module gives are words; the object model
//! puts them into buffer objects.

use super::Stats;
use super::assemble::AssembledPrimitive;
use super::interface::{StageInterface, clamped};
use super::shaded::{Primitives, ShadedDraw};
use crate::subject::Subject;
use shadestep_language::ir::{OutputRole, VertexResult, limits};
use std::ops::Range;

/// Vertex streams.
pub const STREAMS: usize = limits::VERTEX_STREAMS as usize;

/// A part of what is recorded of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// The first components of a result, 1 to 4. What no program writes is undefined: (0,0,0,1).
    Result(VertexResult, u8),
    /// So many words of the buffer that stay what they are.
    Skipped(u8),
}

impl Recorded {
    /// Words that it takes.
    pub const fn words(self) -> u8 {
        match self {
            Self::Result(_, components) => components,
            Self::Skipped(words) => words,
        }
    }
}

/// What goes to a binding point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedbackBuffer {
    /// The vertex stream whose primitives it records.
    pub stream: u8,
    /// What of a vertex, in this order.
    pub record: Vec<Recorded>,
    /// Words that there is room for.
    pub room: u64,
}

impl FeedbackBuffer {
    /// Words of a vertex.
    pub fn stride(&self) -> usize {
        self.record.iter().map(|part| usize::from(part.words())).sum()
    }

    /// The words of a vertex: a component of a result, or nothing where it is skipped.
    pub(super) fn words(&self) -> impl Iterator<Item = Option<(VertexResult, usize)>> {
        self.record.iter().flat_map(|part| {
            let (result, count) = match *part {
                Recorded::Result(result, components) => (Some(result), components),
                Recorded::Skipped(words) => (None, words),
            };
            (0..usize::from(count)).map(move |component| Some((result?, component)))
        })
    }

    /// The words of a vertex that are recorded, as ranges without gaps.
    pub fn runs(&self) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (place, word) in self.words().enumerate() {
            match runs.last_mut() {
                _ if word.is_none() => {}
                Some(run) if run.end == place => run.end += 1,
                _ => runs.push(place..place + 1),
            }
        }
        runs
    }
}

/// What is recorded of a draw: one for each binding point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback(pub Vec<FeedbackBuffer>);

/// What was recorded of a draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// For each binding point the words of its vertices; those that are skipped are 0.
    pub words: Vec<Vec<u32>>,
    /// How many vertices of each stream were recorded: none of one that goes nowhere.
    pub vertices: [u64; STREAMS],
    /// Which invocation gave each vertex of each stream, if somebody wants to know.
    pub by: Option<[Vec<Subject>; STREAMS]>,
}

/// Where a word of a vertex of stream 0 is.
#[derive(Clone, Copy, Debug)]
enum Word {
    Column(u16),
    Constant(u32),
}

/// What a draw gives while it is drawn.
pub(super) struct Capture<'a> {
    feedback: &'a Feedback,
    /// For each binding point of stream 0 the words of a vertex.
    words: Vec<Vec<Word>>,
    captured: &'a mut Captured,
}

impl<'a> Capture<'a> {
    /// Records into `captured`, from the beginning. `interface` gets the columns that it wants of vertices whose programs write
    /// `written`.
    pub fn new(
        (feedback, captured): (&'a Feedback, &'a mut Captured),
        interface: &mut StageInterface,
        written: u64,
    ) -> Self {
        let words = feedback.0.iter().map(|buffer| {
            if buffer.stream != 0 {
                return Vec::new();
            }
            let word = |word: Option<(VertexResult, usize)>| match word {
                Some((result, component)) => {
                    let unwritten = OutputRole::Vertex(result).initial()[component];
                    interface
                        .recorded((result, component), written)
                        .map_or(Word::Constant(unwritten.to_bits()), Word::Column)
                }
                None => Word::Constant(0),
            };
            buffer.words().map(word).collect()
        });
        let words = words.collect();
        captured.words.clear();
        captured.words.resize(feedback.0.len(), Vec::new());
        captured.vertices = [0; STREAMS];
        if let Some(by) = &mut captured.by {
            by.iter_mut().for_each(Vec::clear);
        }
        Self { feedback, words, captured }
    }

    /// How many of `count` primitives of a stream, of so many vertices each, still have room.
    fn room(&self, stream: usize, vertices: usize, count: u64) -> u64 {
        let buffers = self.feedback.0.iter().zip(&self.captured.words);
        let rooms =
            buffers.filter(|(buffer, _)| usize::from(buffer.stream) == stream).map(|(buffer, words)| {
                let left = buffer.room.saturating_sub(words.len() as u64);
                left.checked_div((vertices * buffer.stride()) as u64).unwrap_or(count)
            });
        rooms.fold(count, u64::min)
    }

    /// Whether anything of a stream goes anywhere.
    fn records(&self, stream: usize) -> bool {
        self.feedback.0.iter().any(|buffer| usize::from(buffer.stream) == stream && buffer.stride() > 0)
    }

    /// Records what there is room for of a stage's primitives, and counts them.
    pub fn take(&mut self, stage: &ShadedDraw<'_>, stats: &mut Stats) {
        let mut slots: Vec<([u32; 3], u32)> = Vec::new();
        let mut vertices = 1;
        for number in 0..stage.primitives.count() {
            let mut add = |corners: [u32; 3]| slots.push((corners, number as u32));
            match stage.primitives.primitive(number) {
                Some(AssembledPrimitive::Point(slot)) => add([slot; 3]),
                Some(AssembledPrimitive::Line([a, b])) => {
                    vertices = 2;
                    add([a, b, b]);
                }
                Some(AssembledPrimitive::Triangle(fan)) => {
                    vertices = 3;
                    fan.iter().for_each(|triangle| add(triangle.slots));
                }
                Some(AssembledPrimitive::Quad(fan)) => {
                    vertices = 3;
                    fan.iter().for_each(|triangle| add(triangle.slots));
                }
                Some(AssembledPrimitive::Polygon(fan)) => {
                    vertices = 3;
                    fan.iter().for_each(|triangle| add(triangle.slots));
                }
                None => {}
            }
        }
        stats.generated[0] += slots.len() as u64;
        if self.records(0) {
            let count = self.room(0, vertices, slots.len() as u64);
            stats.recorded[0] += count;
            self.captured.vertices[0] += count * vertices as u64;
            slots.truncate(count as usize);
            let Captured { words: all, by, .. } = &mut *self.captured;
            for ((buffer, words), out) in self.feedback.0.iter().zip(&self.words).zip(all) {
                if buffer.stream != 0 {
                    continue;
                }
                out.reserve(slots.len() * vertices * words.len());
                for slot in slots.iter().flat_map(|(corners, _)| &corners[..vertices]) {
                    let data = stage.vertices.data(*slot);
                    out.extend(words.iter().map(|word| match word {
                        Word::Column(column) => data[usize::from(*column)].to_bits(),
                        Word::Constant(bits) => *bits,
                    }));
                }
            }
            if let Some(by) = by {
                for (corners, number) in &slots {
                    by[0].extend(
                        corners[..vertices]
                            .iter()
                            .filter_map(|slot| maker(&stage.primitives, *number, *slot)),
                    );
                }
            }
        }
        if let Primitives::Made(_, made) = &stage.primitives {
            self.take_streams(&made.streams, stats);
        }
    }

    /// Records points of the other streams.
    fn take_streams(&mut self, streams: &StreamVertices, stats: &mut Stats) {
        for stream in 1..STREAMS {
            stats.generated[stream] += streams.counts[stream];
            if !self.records(stream) {
                continue;
            }
            let count = self.room(stream, 1, streams.counts[stream]);
            stats.recorded[stream] += count;
            self.captured.vertices[stream] += count;
            let Captured { words: all, by, .. } = &mut *self.captured;
            for ((buffer, words), out) in self.feedback.0.iter().zip(&streams.words).zip(all) {
                if usize::from(buffer.stream) == stream {
                    out.extend(&words[..count as usize * buffer.stride()]);
                }
            }
            if let Some(by) = by {
                by[stream].extend(streams.by[stream].iter().take(count as usize).copied());
            }
        }
    }
}

/// What gave the vertex in a slot of primitive `number`.
fn maker(primitives: &Primitives<'_>, number: u32, slot: u32) -> Option<Subject> {
    match primitives {
        Primitives::Drawn(assembler) => {
            assembler.elements(&[slot]).first().map(|element| Subject::Vertex(*element))
        }
        Primitives::Made(_, made) => made.patch_vertex(slot).or_else(|| made.invocation(number as usize)),
    }
}

/// Vertices that geometry programs emitted to streams other than 0: points, which are recorded and not drawn (ARB_transform_feedback3
/// 3.1).
#[derive(Clone, Debug, Default)]
pub(super) struct StreamVertices {
    /// How many there are of each stream.
    pub counts: [u64; STREAMS],
    /// For each binding point the words of those of its stream.
    words: Vec<Vec<u32>>,
    /// Which invocations emitted them.
    by: [Vec<Subject>; STREAMS],
}

impl StreamVertices {
    /// Adds a vertex of a stream: `value` are its results.
    pub fn push(
        &mut self,
        feedback: &Feedback,
        (stream, by): (u8, Subject),
        value: impl Fn(VertexResult, usize) -> Option<f32>,
    ) {
        self.words.resize(feedback.0.len(), Vec::new());
        self.counts[usize::from(stream)] += 1;
        let mut is_recorded = false;
        for (buffer, words) in feedback.0.iter().zip(&mut self.words) {
            if buffer.stream != stream || buffer.stride() == 0 {
                continue;
            }
            is_recorded = true;
            words.extend(buffer.words().map(|word| {
                let Some((result, component)) = word else { return 0 };
                let unwritten = OutputRole::Vertex(result).initial()[component];
                clamped(result, value(result, component).unwrap_or(unwritten)).to_bits()
            }));
        }
        if is_recorded {
            self.by[usize::from(stream)].push(by);
        }
    }

    /// Adds those of `others` behind these.
    pub fn append(&mut self, others: Self) {
        self.words.resize(self.words.len().max(others.words.len()), Vec::new());
        for (all, other) in self.words.iter_mut().zip(others.words) {
            all.extend(other);
        }
        for stream in 0..STREAMS {
            self.counts[stream] += others.counts[stream];
        }
        for (all, other) in self.by.iter_mut().zip(others.by) {
            all.extend(other);
        }
    }
}
