//! Shaded vertices. The vertex program runs once for each element of a draw, in blocks, on all threads.
//! Evaluation and geometry programs store their vertices here too.
//!
//! Memory: 48 bytes per element, and 4 bytes for each result component that the fragment program reads. Back
//! colours, clip distances and the point size add components where they are used.
//! A mesh of a million triangles with half a million vertices and eight read components takes 40 MB.

use super::elements::Cache;
use super::interface::StageInterface;
use super::setup::{Setup, Vertex};
use super::{Threads, VertexInput, fetch};
use crate::exec::{AttributeLanes, LANES, ResultLanes, VertexShader};
use crate::memory::{Before, Origin, Use};
use crate::simd;
use crate::subject::Subject;
use shadestep_language::ir::VertexResult;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Elements that one task shades.
const TASK: usize = 16 * LANES;

/// The shaded elements of a draw, by slot.
#[derive(Debug, Default)]
pub(super) struct Vertices {
    /// Clip coordinates.
    pub positions: Vec<[f32; 4]>,
    pub vertices: Vec<Vertex>,
    /// The interface's columns of each vertex.
    data: Vec<f32>,
    columns: usize,
    /// The instance of all vertices.
    pub instance: u32,
    /// For each vertex, the clock that it hands on to later stages. Empty unless the draw looks for races.
    before: Vec<Before>,
}

/// Mutable slices of consecutive [`Vertices`], for one task.
pub(super) struct Room<'a> {
    positions: &'a mut [[f32; 4]],
    vertices: &'a mut [Vertex],
    data: &'a mut [f32],
    before: &'a mut [Before],
}

/// The instance of vertices, and whether clocks are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeping {
    /// Results only.
    Results(u32),
    /// Results, and clocks for later stages.
    Races(u32),
}

impl Vertices {
    /// Shades all elements; one after the other if the program writes memory. Stops early when `cancel`
    /// becomes true.
    pub fn shade<V: VertexShader>(
        shader: &V,
        (input, instance): (&VertexInput, u32),
        cache: &Cache,
        (interface, setup): (&StageInterface, &Setup),
        threads: &Threads,
        cancel: &AtomicBool,
    ) -> Self {
        let used = shader.attributes_used();
        let alone = Threads::new(Some(1));
        let threads = if shader.is_serialised() { &alone } else { threads };
        let worker = || (shader.worker(), AttributeLanes::default());
        let run = |(scratch, inputs): &mut (V::Worker, AttributeLanes),
                   block: Range<usize>,
                   output: &mut _| {
            let mut elements = [0; LANES];
            let elements = &mut elements[..block.len()];
            cache.copy_elements(block.start, elements);
            fetch::fill(inputs, (input, instance), &used, elements);
            if shader.memory_use() != Use::None {
                let origin = Origin { instance, ..Origin::default() };
                inputs.set_invocations(elements.iter().map(|&element| (Subject::Vertex(element), origin)));
            }
            shader.run(scratch, inputs, u64::MAX >> (LANES - block.len()), output);
        };
        let kept = (interface, setup, shader.results_written());
        let keeping = if shader.tracks() { Keeping::Races(instance) } else { Keeping::Results(instance) };
        Self::of_blocks((cache.count(), keeping), kept, (threads, cancel), worker, run)
    }

    /// Makes `count` vertices in blocks. `worker` makes the scratch memory of a thread. `run` computes the
    /// results of one block, and `written` says which results are written. Stops early when `cancel` becomes
    /// true.
    pub fn of_blocks<W: Send>(
        (count, keeping): (usize, Keeping),
        (interface, setup, written): (&StageInterface, &Setup, u64),
        (threads, cancel): (&Threads, &AtomicBool),
        worker: impl Fn() -> W + Sync,
        run: impl Fn(&mut W, Range<usize>, &mut ResultLanes) + Sync,
    ) -> Self {
        let mut all = Self::with_room((count, keeping), interface.columns(), threads);
        let firsts = (0..count).step_by(TASK);
        let rooms = all.rooms(firsts.clone().map(|first| TASK.min(count - first)));
        let idle: Mutex<Vec<(W, ResultLanes)>> = Mutex::default();
        threads.each(firsts.zip(rooms).collect(), |(first, mut room)| {
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
            let free = lock().pop();
            let mut taken = free.unwrap_or_else(|| (worker(), ResultLanes::default()));
            let (own, output) = &mut taken;
            for start in (0..room.vertices.len()).step_by(LANES) {
                let end = room.vertices.len().min(start + LANES);
                run(own, first + start..first + end, output);
                room.hand_on(start..end, &output.before);
                let row = |result: VertexResult, component| {
                    let is_written = written >> result.index() & 1 != 0;
                    is_written.then(|| &output.register(result, component).0[..end - start])
                };
                room.fill((interface, setup), row, start..end);
            }
            lock().push(taken);
        });
        all
    }

    /// Room for `count` vertices with unspecified contents.
    pub fn with_room((count, keeping): (usize, Keeping), columns: usize, threads: &Threads) -> Self {
        let (instance, before) = match keeping {
            Keeping::Results(instance) => (instance, Vec::new()),
            Keeping::Races(instance) => (instance, vec![Before::NOTHING; count]),
        };
        Self {
            positions: threads.vector(count),
            vertices: threads.vector(count),
            data: threads.vector(count * columns),
            columns,
            instance,
            before,
        }
    }

    /// How to keep vertices that a later stage derives from these vertices.
    pub const fn keeping(&self) -> Keeping {
        if self.before.is_empty() { Keeping::Results(self.instance) } else { Keeping::Races(self.instance) }
    }

    /// The clock that the vertex in a slot hands on to later stages.
    pub fn before(&self, slot: u32) -> Before {
        self.before.get(slot as usize).copied().unwrap_or_default()
    }

    /// Returns the memory to the pool, for later draws.
    pub fn recycle(self, threads: &Threads) {
        threads.recycle(self.positions);
        threads.recycle(self.vertices);
        threads.recycle(self.data);
    }

    /// Splits the vertices into consecutive parts with these counts.
    pub fn rooms(&mut self, counts: impl Iterator<Item = usize>) -> Vec<Room<'_>> {
        let Self { positions, vertices, data, columns, before, .. } = self;
        let (mut positions, mut vertices, mut data) = (&mut positions[..], &mut vertices[..], &mut data[..]);
        let mut before = &mut before[..];
        counts
            .map(|count| Room {
                positions: positions.split_off_mut(..count).unwrap_or_default(),
                vertices: vertices.split_off_mut(..count).unwrap_or_default(),
                data: data.split_off_mut(..count * *columns).unwrap_or_default(),
                before: before.split_off_mut(..count).unwrap_or_default(),
            })
            .collect()
    }

    /// Prefetches the element in a slot, without its clip coordinates.
    #[inline(always)]
    pub fn fetch(&self, slot: u32) {
        simd::prefetch(&self.vertices, slot as usize);
        simd::prefetch(&self.data, slot as usize * self.columns);
    }

    /// The interface's columns of the element in a slot.
    #[inline]
    pub fn data(&self, slot: u32) -> &[f32] {
        &self.data[slot as usize * self.columns..][..self.columns]
    }
}

impl Room<'_> {
    /// Stores the clocks of the vertices at `places`, if clocks are kept.
    pub fn hand_on(&mut self, places: impl Iterator<Item = usize>, before: &[Before]) {
        if !self.before.is_empty() {
            places.zip(before).for_each(|(place, before)| self.before[place] = *before);
        }
    }

    /// Fills in at most [`LANES`] vertices. `row` returns the values of a result's component, or `None` if
    /// the program does not write the component. `places` says where each vertex goes.
    pub fn fill<'r>(
        &mut self,
        (interface, setup): (&StageInterface, &Setup),
        row: impl Fn(VertexResult, usize) -> Option<&'r [f32]>,
        places: impl ExactSizeIterator<Item = usize> + Clone,
    ) {
        interface.keep(&row, places.clone(), self.data);
        let mut rows = [0.0, 0.0, 0.0, 1.0].map(|unwritten| [unwritten; LANES]);
        for (component, values) in rows.iter_mut().enumerate() {
            if let Some(row) = row(VertexResult::Hpos, component) {
                values[..row.len()].copy_from_slice(row);
            }
        }
        let vertices = setup.vertices(&rows);
        let has_distances = interface.distances.iter().any(Option::is_some);
        for (n, place) in places.enumerate() {
            self.positions[place] = [0, 1, 2, 3].map(|component| rows[component][n]);
            self.vertices[place] = vertices.vertex(n);
            if has_distances {
                let data = &self.data[place * interface.columns()..];
                let distance = |column: Option<u16>| column.map_or(0.0, |column| data[usize::from(column)]);
                let codes = &mut self.vertices[place].codes;
                *codes = setup.volume.codes_with(*codes, &interface.distances.map(distance));
            }
        }
    }
}
