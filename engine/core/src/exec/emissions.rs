//! The vertices that the invocations of a block emit, in rows of lanes (NV_geometry_program4 2.14.6,
//! NV_gpu_program5 2.X.8.Z). [`Stream`] has the same for one invocation.

use super::block::{LANES, LaneRegister};
use super::stream::{Mark, Stream};
use crate::memory::Before;
use crate::simd::ones;
use shadestep_language::ir::{Components, limits};

/// Vertices and ends of primitives. The events of each lane are in that lane's order.
#[derive(Clone, Debug)]
pub struct Emissions {
    /// For each vertex event, the rows of its results. A row has one value for each lane of the event.
    values: Vec<f32>,
    events: Vec<Event>,
    /// Clocks that vertices pass to fragments, by event and lane; empty unless races are detected.
    before: Vec<Before>,
    /// The clock that each lane passes on with its next vertex.
    handed: Vec<Before>,
    /// Number of vertices that each lane has emitted.
    counts: [u16; LANES],
    /// Lanes that have emitted a vertex since the end of their last primitive.
    open: u64,
    /// Number of results of a vertex.
    results: usize,
    /// Indices of the 64-bit results. The rows of their high words follow all rows of low words.
    long: Vec<usize>,
}

/// An action of several lanes at once.
#[derive(Clone, Copy, Debug)]
struct Event {
    lanes: u64,
    mark: Mark,
    /// Indices of the event's first value in `values` and first clock in `before`.
    first: usize,
    before: usize,
}

/// Vertices that several lanes emitted at once.
#[derive(Clone, Copy, Debug)]
pub struct EmittedVertices<'a> {
    /// The lanes, one vertex each.
    pub lanes: u64,
    /// The vertex stream of these vertices.
    pub stream: u8,
    values: &'a [f32],
    before: &'a [Before],
}

impl<'a> EmittedVertices<'a> {
    /// The low words of a component of result `number`, one for each lane in `lanes`.
    pub fn row(&self, number: usize, component: usize) -> &'a [f32] {
        let count = self.lanes.count_ones() as usize;
        self.values
            .get((4 * number + component) * count..)
            .and_then(|rows| rows.get(..count))
            .unwrap_or_default()
    }
}

impl<'a> EmittedVertices<'a> {
    /// The clock that each vertex passes to fragments; empty unless races are detected.
    pub fn before(&self) -> &'a [Before] {
        self.before.get(..self.lanes.count_ones() as usize).unwrap_or_default()
    }
}

impl Default for Emissions {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            events: Vec::new(),
            before: Vec::new(),
            handed: Vec::new(),
            counts: [0; LANES],
            open: 0,
            results: 0,
            long: Vec::new(),
        }
    }
}

impl Emissions {
    /// Empty, with room for as many values and events.
    pub(super) fn another(&self) -> Self {
        let (values, events) = (self.values.len(), self.events.len());
        Self { values: Vec::with_capacity(values), events: Vec::with_capacity(events), ..Self::default() }
    }

    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.events.clear();
        self.before.clear();
        self.handed.clear();
        self.counts = [0; LANES];
        self.open = 0;
    }

    /// Sets the clock that each lane passes on with its next vertex; empty unless races are detected.
    pub(super) fn hand_on(&mut self, before: &[Before]) {
        self.handed.clear();
        self.handed.extend_from_slice(before);
    }

    /// Emits a vertex to vertex stream `stream` for each of `lanes` that has emitted fewer than `limit`. In
    /// `results`, the first four registers of each result have the low words; four more, if present, have the
    /// high words.
    pub(crate) fn vertex<'r>(
        &mut self,
        results: impl Iterator<Item = &'r [LaneRegister]> + Clone,
        (lanes, stream): (u64, u8),
        limit: u32,
    ) {
        let most = (limit as usize).min(limits::OUTPUT_VERTICES);
        let lanes = ones(lanes)
            .filter(|&lane| usize::from(self.counts[lane]) < most)
            .fold(0, |all, lane| all | 1 << lane);
        if lanes == 0 {
            return;
        }
        ones(lanes).for_each(|lane| self.counts[lane] += 1);
        self.open |= lanes;
        let (first, before) = (self.values.len(), self.before.len());
        self.events.push(Event { lanes, mark: Mark::Vertex { stream }, first, before });
        if !self.handed.is_empty() {
            self.before.extend(ones(lanes).map(|lane| self.handed[lane]));
        }
        let long = results.clone().enumerate().filter(|(_, registers)| registers.len() > 4);
        if self.events.len() == 1 {
            self.results = results.clone().count();
            self.long = long.clone().map(|(number, _)| number).collect();
        }
        let low = results.flat_map(|registers| &registers[..4]);
        for register in low.chain(long.flat_map(|(_, registers)| &registers[4..])) {
            if lanes == u64::MAX {
                self.values.extend_from_slice(&register.0);
            } else {
                self.values.extend(ones(lanes).map(|lane| register.0[lane]));
            }
        }
    }

    /// Ends the primitive of each of `lanes`. Does nothing for an empty primitive.
    pub(crate) fn end_primitive(&mut self, lanes: u64) {
        let lanes = lanes & self.open;
        self.open &= !lanes;
        if lanes != 0 {
            let (first, before) = (self.values.len(), self.before.len());
            self.events.push(Event { lanes, mark: Mark::EndPrimitive, first, before });
        }
    }

    /// All events in order, with their lanes.
    pub fn marks(&self) -> impl Iterator<Item = (u64, Mark)> {
        self.events.iter().map(|event| (event.lanes, event.mark))
    }

    /// The vertices, in each lane's order.
    pub fn vertices(&self) -> impl Iterator<Item = EmittedVertices<'_>> {
        self.events.iter().filter_map(|event| match event.mark {
            Mark::Vertex { stream } => {
                let (values, before) = (&self.values[event.first..], &self.before[event.before..]);
                Some(EmittedVertices { lanes: event.lanes, stream, values, before })
            }
            Mark::EndPrimitive => None,
        })
    }

    /// The emissions of one lane.
    pub fn stream(&self, lane: usize) -> Stream {
        let mut stream = Stream::default();
        let bit = 1 << lane;
        for Event { lanes, mark, first, .. } in self.events.iter().filter(|event| event.lanes & bit != 0) {
            let Mark::Vertex { stream: number } = mark else {
                stream.end_primitive();
                continue;
            };
            let (count, place) = (lanes.count_ones() as usize, (lanes & (bit - 1)).count_ones() as usize);
            let word = |row: usize| u64::from(self.values[first + row * count + place].to_bits());
            let result = |number: usize| -> Components {
                let high =
                    self.long.iter().position(|long| *long == number).map(|long| 4 * (self.results + long));
                [0, 1, 2, 3].map(|c| high.map_or(0, |high| word(high + c) << 32) | word(4 * number + c))
            };
            stream.vertex((0..self.results).map(result), (*number).into(), u32::MAX);
        }
        stream
    }
}
