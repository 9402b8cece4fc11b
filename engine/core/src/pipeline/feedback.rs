//! Transform feedback: records the vertices of a draw's primitives before clipping (NV_transform_feedback
//! 2.Y, ARB_transform_feedback3).
//!
//! Primitives are recorded in drawing order, each whole or not at all. This module returns words; the object
//! model writes them to buffer objects.

use super::Stats;
use super::assemble::AssembledPrimitive;
use super::interface::{StageInterface, clamped};
use super::shaded::{Primitives, ShadedDraw};
use crate::subject::Subject;
use shadestep_language::ir::{OutputRole, VertexResult, limits};
use std::ops::Range;

/// Vertex streams.
pub const STREAMS: usize = limits::VERTEX_STREAMS as usize;

/// A part of a vertex's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// The first components of a result, 1 to 4. A result that no program writes is undefined: here
    /// (0,0,0,1).
    Result(VertexResult, u8),
    /// This many words of the buffer stay unchanged.
    Skipped(u8),
}

impl Recorded {
    /// Length in words.
    pub const fn words(self) -> u8 {
        match self {
            Self::Result(_, components) => components,
            Self::Skipped(words) => words,
        }
    }
}

/// The recording for one binding point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedbackBuffer {
    /// The vertex stream that is recorded.
    pub stream: u8,
    /// The parts of a vertex's record, in order.
    pub record: Vec<Recorded>,
    /// Capacity in words.
    pub room: u64,
}

impl FeedbackBuffer {
    /// Words per vertex.
    pub fn stride(&self) -> usize {
        self.record.iter().map(|part| usize::from(part.words())).sum()
    }

    /// The words of a vertex: a component of a result, or `None` for a skipped word.
    pub(super) fn words(&self) -> impl Iterator<Item = Option<(VertexResult, usize)>> {
        self.record.iter().flat_map(|part| {
            let (result, count) = match *part {
                Recorded::Result(result, components) => (Some(result), components),
                Recorded::Skipped(words) => (None, words),
            };
            (0..usize::from(count)).map(move |component| Some((result?, component)))
        })
    }

    /// The recorded words of a vertex, as maximal contiguous ranges.
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

/// The recording of a draw: one entry for each binding point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback(pub Vec<FeedbackBuffer>);

/// The recorded data of a draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// For each binding point, the words of its vertices. Skipped words are 0.
    pub words: Vec<Vec<u32>>,
    /// Number of recorded vertices of each stream; 0 for a stream without a binding point.
    pub vertices: [u64; STREAMS],
    /// For each vertex of each stream, the invocation that wrote it. `None` if the caller does not need it.
    pub by: Option<[Vec<Subject>; STREAMS]>,
}

/// The source of a word of a vertex of stream 0.
#[derive(Clone, Copy, Debug)]
enum Word {
    Column(u16),
    Constant(u32),
}

/// Transform feedback of a draw in progress.
pub(super) struct Capture<'a> {
    feedback: &'a Feedback,
    /// For each binding point of stream 0, the sources of a vertex's words.
    words: Vec<Vec<Word>>,
    captured: &'a mut Captured,
}

impl<'a> Capture<'a> {
    /// Starts recording into `captured`, replacing its contents. Adds the columns that the recording needs to
    /// `interface`. `written` has a bit for each result that the programs write.
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

    /// How many of `count` primitives still fit, for a stream with `vertices` vertices per primitive.
    fn room(&self, stream: usize, vertices: usize, count: u64) -> u64 {
        let buffers = self.feedback.0.iter().zip(&self.captured.words);
        let rooms =
            buffers.filter(|(buffer, _)| usize::from(buffer.stream) == stream).map(|(buffer, words)| {
                let left = buffer.room.saturating_sub(words.len() as u64);
                left.checked_div((vertices * buffer.stride()) as u64).unwrap_or(count)
            });
        rooms.fold(count, u64::min)
    }

    /// Whether any binding point records the stream.
    fn records(&self, stream: usize) -> bool {
        self.feedback.0.iter().any(|buffer| usize::from(buffer.stream) == stream && buffer.stride() > 0)
    }

    /// Records the primitives of a stage as far as they fit, and counts them.
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
        if let Primitives::Generated(_, made) = &stage.primitives {
            self.take_streams(&made.streams, stats);
        }
    }

    /// Records the points of streams 1 and up.
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

/// The invocation that wrote the vertex in a slot of primitive `number`.
fn maker(primitives: &Primitives<'_>, number: u32, slot: u32) -> Option<Subject> {
    match primitives {
        Primitives::Drawn(assembler) => {
            assembler.elements(&[slot]).first().map(|element| Subject::Vertex(*element))
        }
        Primitives::Generated(_, made) => {
            made.patch_vertex(slot).or_else(|| made.invocation(number as usize))
        }
    }
}

/// Vertices that geometry programs emitted to streams other than 0. They are points, which are recorded and
/// not drawn (ARB_transform_feedback3 3.1).
#[derive(Clone, Debug, Default)]
pub(super) struct StreamVertices {
    /// Number of vertices of each stream.
    pub counts: [u64; STREAMS],
    /// For each binding point, the words of its stream's vertices.
    words: Vec<Vec<u32>>,
    /// For each stream, the invocations that emitted the vertices.
    by: [Vec<Subject>; STREAMS],
}

impl StreamVertices {
    /// Adds a vertex of a stream. `value` returns the components of its results.
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

    /// Appends the vertices of `others`.
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
