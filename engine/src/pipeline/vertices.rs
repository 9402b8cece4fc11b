//! Vertices as a stage gave them: the vertex program, which runs for every element that a draw uses once, in blocks, on all threads,
//! or one that runs for what others made.
//!
//! Memory: 48 bytes an element, and 4 for each result component that the fragment program reads (and
//! for back colours, clip distances and the point size where they are used). A million triangles of a
//! mesh with half a million vertices of which eight components are read take 40 MB.

use super::elements::Cache;
use super::interface::StageInterface;
use super::setup::{Setup, Vertex};
use super::{Threads, VertexInput, fetch};
use crate::debug::Subject;
use crate::exec::{AttributeLanes, LANES, ResultLanes, VertexShader};
use crate::ir::VertexResult;
use crate::memory::Use;
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
    /// The interface's columns of each.
    data: Vec<f32>,
    columns: usize,
}

/// A task's part of [`Vertices`].
struct Task<'a> {
    first: usize,
    positions: &'a mut [[f32; 4]],
    vertices: &'a mut [Vertex],
    data: &'a mut [f32],
}

impl Vertices {
    /// Shades all elements, one after the other if the program writes memory. Where `cancel` becomes true, the rest is left out.
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
        let threads = if shader.takes_turns() { &alone } else { threads };
        let worker = || (shader.worker(), AttributeLanes::default());
        let run =
            |(scratch, inputs): &mut (V::Worker, AttributeLanes), block: Range<usize>, output: &mut _| {
                let mut elements = [0; LANES];
                let elements = &mut elements[..block.len()];
                cache.copy_elements(block.start, elements);
                fetch::fill(inputs, (input, instance), &used, elements);
                if shader.memory_use() != Use::None {
                    inputs.set_subjects(elements.iter().map(|&element| Subject::Vertex(element)));
                }
                shader.run(scratch, inputs, u64::MAX >> (LANES - block.len()), output);
            };
        let kept = (interface, setup, shader.results_written());
        Self::of_blocks(cache.count(), kept, (threads, cancel), worker, run)
    }

    /// As many as `count`, in blocks: `run` gives the results of one, of which `written` are written, with what `worker` made for its
    /// thread. Where `cancel` becomes true, the rest is left out.
    pub fn of_blocks<W: Send>(
        count: usize,
        (interface, setup, written): (&StageInterface, &Setup, u64),
        (threads, cancel): (&Threads, &AtomicBool),
        worker: impl Fn() -> W + Sync,
        run: impl Fn(&mut W, Range<usize>, &mut ResultLanes) + Sync,
    ) -> Self {
        let columns = interface.columns();
        let mut all = Self {
            positions: vec![[0.0; 4]; count],
            vertices: vec![Vertex::default(); count],
            data: vec![0.0; count * columns],
            columns,
        };
        let mut rest = &mut all.data[..];
        let mut tasks = Vec::with_capacity(count.div_ceil(TASK));
        let parts = all.positions.chunks_mut(TASK).zip(all.vertices.chunks_mut(TASK));
        for (number, (positions, vertices)) in parts.enumerate() {
            let (data, others) = rest.split_at_mut(vertices.len() * columns);
            rest = others;
            tasks.push(Task { first: number * TASK, positions, vertices, data });
        }
        let idle: Mutex<Vec<(W, ResultLanes)>> = Mutex::default();
        threads.each(tasks, |task| {
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
            let free = lock().pop();
            let mut taken = free.unwrap_or_else(|| (worker(), ResultLanes::default()));
            let (own, output) = &mut taken;
            task.run((interface, setup, written), output, |block, output| run(own, block, output));
            lock().push(taken);
        });
        all
    }

    /// None yet, with so many columns.
    pub fn with_columns(columns: usize) -> Self {
        Self { columns, ..Self::default() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Adds a vertex with these results; those without a value were not written.
    pub fn push(
        &mut self,
        value: impl Fn(VertexResult, usize) -> Option<f32>,
        interface: &StageInterface,
        setup: &Setup,
    ) {
        let unwritten = [0.0, 0.0, 0.0, 1.0];
        let position = [0, 1, 2, 3].map(|c| value(VertexResult::Hpos, c).unwrap_or(unwritten[c]));
        let first = self.data.len();
        interface.keep_one(value, &mut self.data);
        self.positions.push(position);
        self.vertices.push(prepared(position, &self.data[first..], interface, setup));
    }

    /// Adds those of `others`, which have as many columns.
    pub fn append(&mut self, mut others: Self) {
        self.positions.append(&mut others.positions);
        self.vertices.append(&mut others.vertices);
        self.data.append(&mut others.data);
    }

    /// The interface's columns of the element in a slot.
    #[inline]
    pub fn data(&self, slot: u32) -> &[f32] {
        &self.data[slot as usize * self.columns..][..self.columns]
    }
}

impl Task<'_> {
    /// Keeps what `run` gives of each block.
    fn run(
        self,
        (interface, setup, written): (&StageInterface, &Setup, u64),
        output: &mut ResultLanes,
        mut run: impl FnMut(Range<usize>, &mut ResultLanes),
    ) {
        let columns = interface.columns();
        let is_written = written >> VertexResult::Hpos.index() & 1 != 0;
        let blocks = self.positions.chunks_mut(LANES).zip(self.vertices.chunks_mut(LANES));
        for (block, (positions, vertices)) in blocks.enumerate() {
            let (first, count) = (self.first + block * LANES, positions.len());
            run(first..first + count, output);
            let data = &mut self.data[block * LANES * columns..][..count * columns];
            interface.keep(output, written, data);
            for (lane, (position, vertex)) in positions.iter_mut().zip(vertices).enumerate() {
                if is_written {
                    *position = [0, 1, 2, 3].map(|c| output.register(VertexResult::Hpos, c).0[lane]);
                } else {
                    *position = [0.0, 0.0, 0.0, 1.0];
                }
                let data = data.get(lane * columns..(lane + 1) * columns).unwrap_or_default();
                *vertex = prepared(*position, data, interface, setup);
            }
        }
    }
}

/// A vertex of these clip coordinates and columns, ready to be clipped.
fn prepared(position: [f32; 4], data: &[f32], interface: &StageInterface, setup: &Setup) -> Vertex {
    let distance = |column: &Option<u16>| column.map_or(0.0, |column| data[usize::from(column)]);
    let distances = std::array::from_fn(|n| distance(&interface.distances[n]));
    setup.vertex(super::clip::position(position), &distances)
}
