//! The vertices of a frame as a searchable list: positions for picking, values for a table.

use super::{Frame, Job, Loaded, RenderError, draw_call};
use shadestep_engine::debug::Ended;
use shadestep_engine::exec;
use shadestep_engine::gl::DrawCall;
use shadestep_engine::ir::{Attribute, Components, Program};
use shadestep_engine::pipeline::ShadedVertex;
use std::sync::Arc;

/// Side of a cell of the picking grid, in pixels.
const CELL: f32 = 16.0;

/// Every element that an instance of a frame draws, by number, with its position after the vertex program.
#[derive(Clone, Debug)]
pub struct VertexList {
    pub vertices: Vec<ShadedVertex>,
    /// Indices in `vertices` of the vertices inside the clip volume.
    pub in_view: Vec<u32>,
    /// The program that ran on the vertices. `None` for the viewport quad, which has no vertices.
    pub program: Option<Arc<Program>>,
    /// The attributes that the program reads.
    pub attributes: Vec<Attribute>,
    grid: Grid,
}

/// Inputs and outputs of a vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexValues {
    /// Attribute registers.
    pub attributes: exec::VertexInputs,
    /// Bits of the results, in the order of [`Program::outputs`].
    pub outputs: Vec<Components>,
    /// Components of each result that were written (bit 0 = x).
    pub defined: Vec<u8>,
    /// How the program ended.
    pub ended: Ended,
}

impl VertexList {
    /// Returns the vertices of the job's instance of a frame, and the draw that computes their values.
    ///
    /// # Errors
    /// See [`RenderError`].
    pub fn new(programs: &Loaded, job: &Job) -> Result<(Self, DrawCall), RenderError> {
        let call = draw_call(programs, job)?;
        let vertices = call.shaded_vertices(job.size, job.instance);
        let seen = vertices.iter().enumerate().filter(|(_, vertex)| vertex.window.is_some());
        let in_view = seen.map(|(index, _)| index as u32).collect();
        let program = call.vertex_stage().map(|stage| Arc::clone(stage.program()));
        let attributes = program.as_deref().map_or_else(Vec::new, Program::attributes);
        let grid = Grid::new(&vertices, job.size);
        Ok((Self { vertices, in_view, program, attributes, grid }, call))
    }

    /// Returns the index in [`Self::vertices`] of element `element`.
    pub fn position(&self, element: u32) -> Option<usize> {
        self.vertices.binary_search_by_key(&element, |vertex| vertex.element).ok()
    }

    /// Returns element `element`, if it is drawn.
    pub fn get(&self, element: u32) -> Option<&ShadedVertex> {
        self.vertices.get(self.position(element)?)
    }

    /// Returns the vertex nearest to a place in the window (pixels, from the lower left) among the vertices
    /// inside the clip volume. Of several at the same place, the frontmost wins, then the lowest number. A
    /// vertex that `frame` hides is returned only if no visible vertex is about as near.
    pub fn nearest(&self, place: [f32; 2], frame: &Frame) -> Option<&ShadedVertex> {
        /// A visible vertex may be this many pixels farther away and still win.
        const REACH: f32 = 24.0;
        let seen = |v: &ShadedVertex| v.window.is_some_and(|window| !frame.hides(window));
        let nearest = self.grid.nearest(&self.vertices, place, f32::INFINITY, |_| true)?;
        if seen(nearest) {
            return Some(nearest);
        }
        let distance =
            |v: &ShadedVertex| v.window.map_or(f32::INFINITY, |[x, y, _]| (x - place[0]).hypot(y - place[1]));
        let reach = distance(nearest) + REACH;
        let visible = self.grid.nearest(&self.vertices, place, reach, seen);
        Some(visible.unwrap_or(nearest))
    }
}

/// Returns the inputs and outputs of element `element` of an instance of `call`. `None` for the viewport
/// quad.
pub fn vertex_values(call: &DrawCall, element: u32, instance: u32) -> Option<VertexValues> {
    let stage = call.vertex_stage()?;
    let attributes = call.vertex_attributes(element, instance)?;
    let exec::Finished { registers, ended, .. } =
        exec::run_vertex(stage.program(), stage.bindings(), &attributes);
    Some(VertexValues { attributes, outputs: registers.outputs, defined: registers.outputs_defined, ended })
}

/// The vertices in view by cells of the window, so the nearest of a million is found at once.
#[derive(Clone, Debug, Default)]
struct Grid {
    columns: usize,
    rows: usize,
    /// Index in `members` of each cell's first member, then the end.
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Grid {
    fn new(vertices: &[ShadedVertex], size: [u32; 2]) -> Self {
        let [columns, rows] = size.map(|side| (side as f32 / CELL) as usize + 1);
        let mut grid = Self { columns, rows, starts: vec![0; columns * rows + 1], members: Vec::new() };
        let cells: Vec<Option<usize>> =
            vertices.iter().map(|v| v.window.map(|[x, y, _]| grid.cell([x, y]))).collect();
        for &cell in cells.iter().flatten() {
            grid.starts[cell + 1] += 1;
        }
        for cell in 0..columns * rows {
            grid.starts[cell + 1] += grid.starts[cell];
        }
        let mut next = grid.starts.clone();
        grid.members = vec![0; grid.starts.last().map_or(0, |&end| end as usize)];
        for (index, cell) in cells.iter().enumerate() {
            if let Some(cell) = *cell {
                grid.members[next[cell] as usize] = index as u32;
                next[cell] += 1;
            }
        }
        grid
    }

    fn place(&self, [x, y]: [f32; 2]) -> [usize; 2] {
        // `as` clamps below and turns NaN into 0.
        let [x, y] = [(x / CELL) as usize, (y / CELL) as usize];
        [x.min(self.columns - 1), y.min(self.rows - 1)]
    }

    fn cell(&self, place: [f32; 2]) -> usize {
        let [column, row] = self.place(place);
        row * self.columns + column
    }

    /// Searches rings of cells around `place`, up to `reach`, for the nearest vertex that `may` allows. Stops
    /// when no farther ring can hold a nearer vertex.
    fn nearest<'a>(
        &self,
        vertices: &'a [ShadedVertex],
        place: [f32; 2],
        reach: f32,
        may: impl Fn(&ShadedVertex) -> bool,
    ) -> Option<&'a ShadedVertex> {
        if self.members.is_empty() {
            return None;
        }
        let mut best: Option<((f32, f32, u32), &ShadedVertex)> = None;
        let [column, row] = self.place(place);
        for ring in 0..self.columns.max(self.rows) {
            // Every vertex of this ring is at least this far away.
            let away = ring.saturating_sub(1) as f32 * CELL;
            if away > reach || best.is_some_and(|((distance, ..), _)| away * away > distance) {
                break;
            }
            let rows = row.saturating_sub(ring)..=(row + ring).min(self.rows - 1);
            for r in rows {
                let edge = r.abs_diff(row) == ring;
                let columns = column.saturating_sub(ring)..=(column + ring).min(self.columns - 1);
                for c in columns.filter(|c| edge || c.abs_diff(column) == ring) {
                    let cell = r * self.columns + c;
                    let members = self.starts[cell] as usize..self.starts[cell + 1] as usize;
                    for &index in &self.members[members] {
                        let vertex = &vertices[index as usize];
                        let Some([x, y, z]) = vertex.window else { continue };
                        let distance = (x - place[0]).powi(2) + (y - place[1]).powi(2);
                        let key = (distance, z, vertex.element);
                        if best.is_none_or(|(other, _)| key < other) && may(vertex) {
                            best = Some((key, vertex));
                        }
                    }
                }
            }
        }
        best.map(|(_, vertex)| vertex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertices(places: &[[f32; 3]]) -> Vec<ShadedVertex> {
        let vertex = |(element, &window): (usize, &[f32; 3])| ShadedVertex {
            element: element as u32,
            clip: [0.0, 0.0, 0.0, 1.0],
            window: Some(window),
        };
        places.iter().enumerate().map(vertex).collect()
    }

    /// Compares the grid with a search of all vertices, at places inside and outside the picture.
    #[test]
    fn the_grid_finds_the_nearest_of_all() {
        let mut seed = 1u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / 16_777_216.0
        };
        for count in [1, 2, 40, 900] {
            let places: Vec<[f32; 3]> =
                (0..count).map(|_| [random() * 200.0, random() * 120.0, random()]).collect();
            let list = vertices(&places);
            let grid = Grid::new(&list, [200, 120]);
            for _ in 0..200 {
                let at = [random() * 260.0 - 30.0, random() * 180.0 - 30.0];
                let distance = |v: &ShadedVertex| {
                    v.window.map_or(f32::INFINITY, |[x, y, _]| (x - at[0]).powi(2) + (y - at[1]).powi(2))
                };
                let least = list.iter().map(distance).fold(f32::INFINITY, f32::min);
                assert_eq!(
                    grid.nearest(&list, at, f32::INFINITY, |_| true).map(distance),
                    Some(least),
                    "{count} at {at:?}"
                );
            }
        }
    }

    #[test]
    fn of_vertices_at_one_place_the_foremost_is_picked() {
        let list = vertices(&[[5.0, 5.0, 0.5], [5.0, 5.0, 0.25], [5.0, 5.0, 0.25]]);
        let grid = Grid::new(&list, [16, 16]);
        assert_eq!(grid.nearest(&list, [6.0, 5.0], f32::INFINITY, |_| true).map(|v| v.element), Some(1));
    }

    #[test]
    fn nothing_is_picked_where_nothing_is_in_view() {
        let mut list = vertices(&[[5.0, 5.0, 0.5]]);
        list[0].window = None;
        assert_eq!(Grid::new(&list, [16, 16]).nearest(&list, [5.0, 5.0], f32::INFINITY, |_| true), None);
        assert_eq!(Grid::new(&[], [16, 16]).nearest(&[], [5.0, 5.0], f32::INFINITY, |_| true), None);
    }
}
