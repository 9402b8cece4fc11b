//! Running the vertex program: every element that a draw uses once, in blocks, on all threads.
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
use crate::ir::{Attribute, VertexResult};
use crate::memory::Use;
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

/// Scratch memory of one thread.
struct Worker<W> {
    shader: W,
    inputs: AttributeLanes,
    output: ResultLanes,
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
        interface: &StageInterface,
        setup: &Setup,
        threads: &Threads,
        cancel: &AtomicBool,
    ) -> Self {
        let (count, columns) = (cache.count(), interface.columns());
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
        let used = shader.attributes_used();
        let alone = Threads::new(Some(1));
        let threads = if shader.takes_turns() { &alone } else { threads };
        let idle: Mutex<Vec<Worker<V::Worker>>> = Mutex::default();
        threads.each(tasks, |task| {
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
            let worker = lock().pop();
            let mut worker = worker.unwrap_or_else(|| Worker {
                shader: shader.worker(),
                inputs: AttributeLanes::default(),
                output: ResultLanes::default(),
            });
            run(shader, &mut worker, ((input, instance), &used, cache), interface, setup, task);
            lock().push(worker);
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

fn run<V: VertexShader>(
    shader: &V,
    worker: &mut Worker<V::Worker>,
    (input, used, cache): ((&VertexInput, u32), &[u8; Attribute::SLOTS], &Cache),
    interface: &StageInterface,
    setup: &Setup,
    task: Task<'_>,
) {
    let written = shader.results_written();
    let columns = interface.columns();
    let Worker { shader: scratch, inputs, output } = worker;
    let blocks = task.positions.chunks_mut(LANES).zip(task.vertices.chunks_mut(LANES));
    for (block, (positions, vertices)) in blocks.enumerate() {
        let first = task.first + block * LANES;
        let count = positions.len();
        let mut elements = [0; LANES];
        let elements = &mut elements[..count];
        cache.copy_elements(first, elements);
        fetch::fill(inputs, input, used, elements);
        if shader.memory_use() != Use::None {
            inputs.set_subjects(elements.iter().map(|&element| Subject::Vertex(element)));
        }
        let active = if count >= LANES { u64::MAX } else { (1 << count) - 1 };
        shader.run(scratch, inputs, active, output);
        let data = &mut task.data[block * LANES * columns..][..count * columns];
        interface.keep(output, written, data);
        let is_written = written >> VertexResult::Hpos.index() & 1 != 0;
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

/// A vertex of these clip coordinates and columns, ready to be clipped.
fn prepared(position: [f32; 4], data: &[f32], interface: &StageInterface, setup: &Setup) -> Vertex {
    let distance = |column: &Option<u16>| column.map_or(0.0, |column| data[usize::from(column)]);
    let distances = std::array::from_fn(|n| distance(&interface.distances[n]));
    setup.vertex(super::clip::position(position), &distances)
}
