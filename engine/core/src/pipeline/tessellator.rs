//! The tessellation primitive generator (ARB_tessellation_shader 2.X.2): divides a triangle, a square, or
//! lines across a square.
//!
//! Positions are multiples of 1/65536, so 1 minus a position is exact (Rule 8 of section A.X). The positions
//! on an edge depend only on its level and the spacing, and are symmetric (Rules 2 to 4). So there are no
//! cracks between patches.
//!
//! The specification leaves two choices open. The shorter segments of a fractional edge are placed so that
//! new vertices spread over the edge as levels grow. The area between two edges is divided along the shorter
//! diagonals.

use shadestep_language::ir::{
    TessellationLayout, TessellationMode, TessellationOrder, TessellationPoints, TessellationSpacing, limits,
};
use std::cmp::Ordering;

/// Tessellation levels of a patch, numbered as in Figure X.1 of ARB_tessellation_shader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TessellationLevels {
    /// `tessouter`
    pub outer: [f32; 4],
    /// `tessinner`
    pub inner: [f32; 2],
}

impl TessellationLevels {
    /// The levels before a program or the state sets them.
    pub const DEFAULT: Self = Self { outer: [1.0; 4], inner: [1.0; 2] };
}

/// The type of the generated primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TessellatedPrimitive {
    /// One index per primitive.
    Point,
    /// Two indices per primitive.
    Line,
    /// Three indices per primitive.
    Triangle,
}

impl TessellatedPrimitive {
    /// Vertices per primitive.
    pub const fn vertices(self) -> usize {
        match self {
            Self::Point => 1,
            Self::Line => 2,
            Self::Triangle => 3,
        }
    }
}

/// The vertices and primitives of a divided patch.
#[derive(Clone, Debug, PartialEq)]
pub struct Tessellated {
    /// `vertex.tesscoord` of each vertex: (u, v, w) for triangles, else (u, v, 0).
    pub coordinates: Vec<[f32; 3]>,
    pub primitive: TessellatedPrimitive,
    /// Indices of the primitives' vertices.
    pub indices: Vec<u32>,
}

impl Tessellated {
    /// Number of primitives.
    pub fn primitives(&self) -> usize {
        self.indices.len() / self.primitive.vertices()
    }
}

/// Divides a patch. `None` if the patch is discarded, because a relevant outer level is NaN or not above
/// zero.
pub fn tessellate(layout: TessellationLayout, levels: &TessellationLevels) -> Option<Tessellated> {
    let relevant = &levels.outer[..layout.mode.outer_levels()];
    // A NaN fails this comparison too.
    if !relevant.iter().all(|level| *level > 0.0) {
        return None;
    }
    let mut mesh = Mesh { points: Vec::new(), indices: Vec::new() };
    let primitive = match layout.mode {
        TessellationMode::Triangles => mesh.triangle(layout.spacing, levels),
        TessellationMode::Quads => mesh.quad(layout.spacing, levels),
        TessellationMode::Isolines => mesh.isolines(layout.spacing, levels),
    };
    Some(mesh.finish(layout, primitive))
}

/// 1.0 in units of 1/65536.
const ONE: u32 = 1 << 16;

/// The division of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Division {
    segments: u32,
    /// Fraction of the way from `segments` - 2 to `segments`; 1 if all segments are equally long.
    fraction: f64,
}

impl Division {
    /// The division for a level.
    fn new(level: f32, spacing: TessellationSpacing) -> Self {
        const MOST: f32 = limits::TESSELLATION_LEVEL as f32;
        // Not `clamp`: a NaN counts as `least`.
        let clamped = |least: f32, most: f32| f64::from(level.max(least).min(most));
        let (least, level) = match spacing {
            TessellationSpacing::Equal => {
                return Self { segments: clamped(1.0, MOST).ceil() as u32, fraction: 1.0 };
            }
            TessellationSpacing::FractionalEven => (2, clamped(2.0, MOST)),
            TessellationSpacing::FractionalOdd => (1, clamped(1.0, MOST - 1.0)),
        };
        let steps = ((level - f64::from(least)) / 2.0).ceil();
        let segments = least + 2 * steps as u32;
        let missing = (f64::from(segments) - level) / 2.0;
        Self { segments, fraction: 1.0 - missing }
    }

    /// The division of an inner edge. A single segment would leave no inside, so the division is for a level
    /// just above 1.
    fn inner(level: f32, spacing: TessellationSpacing) -> Self {
        let division = Self::new(level, spacing);
        match (division.segments, spacing) {
            (1, TessellationSpacing::FractionalOdd) => Self { segments: 3, fraction: 0.0 },
            (1, _) => Self { segments: 2, fraction: 1.0 },
            _ => division,
        }
    }

    /// Number of the vertex in the first half that the shorter segment follows.
    fn split(self) -> u32 {
        let before = self.segments - 2;
        // `half` counts the vertices of half of the edge with two segments less, without the middle. A new
        // vertex goes next to the vertex that was added last when the half had 2^k vertices fewer. 2^k is the
        // largest power of two up to `half`.
        let half = if before.is_multiple_of(2) { before / 2 } else { before.div_ceil(2) - 1 };
        if half == 0 { 0 } else { 2 * (half & !(1 << half.ilog2())) + 1 }
    }

    /// The position of vertex `number`.
    fn at(self, number: u32) -> u32 {
        if 2 * number > self.segments {
            return ONE - self.at(self.segments - number);
        }
        if 2 * number == self.segments {
            return ONE / 2;
        }
        let place = |number: u32, segments: u32| f64::from(number) / f64::from(segments);
        let now = place(number, self.segments);
        let place = if self.fraction < 1.0 {
            let before = if number > self.split() { number - 1 } else { number };
            place(before, self.segments - 2) * (1.0 - self.fraction) + now * self.fraction
        } else {
            now
        };
        (place * f64::from(ONE)).round() as u32
    }

    /// A third of the position of vertex `number` of the first half, rounded. At most a third of the half,
    /// rounded down, so that the innermost triangle keeps an area.
    fn third(self, number: u32) -> u32 {
        ((self.at(number) + 1) / 3).min(ONE / 6)
    }

    /// The position of vertex `number` on the sides of concentric triangles. Positions in the first half are
    /// multiples of three. Then a corner has exactly the same distance from both outer sides, sides are
    /// parallel, and no triangle between them is inverted.
    fn at_thirds(self, number: u32) -> u32 {
        match (2 * number).cmp(&self.segments) {
            Ordering::Less => 3 * self.third(number),
            Ordering::Equal => ONE / 2,
            Ordering::Greater => ONE - self.at_thirds(self.segments - number),
        }
    }

    /// The positions of all vertices.
    fn places(self) -> Vec<u32> {
        (0..=self.segments).map(|number| self.at(number)).collect()
    }
}

/// A row of vertices along an edge: their indices, and their positions along the edge.
struct Row {
    vertices: Vec<u32>,
    places: Vec<u32>,
}

/// Vertices, and counter-clockwise triangles or lines between them.
struct Mesh {
    /// u and v. For triangles, w is 1 - u - v.
    points: Vec<[u32; 2]>,
    indices: Vec<u32>,
}

impl Mesh {
    fn point(&mut self, point: [u32; 2]) -> u32 {
        self.points.push(point);
        self.points.len() as u32 - 1
    }

    /// Adds the vertices of a ring. `sides` has the vertices of each side without its last vertex, which is
    /// the first vertex of the next side. Returns the complete rows of the sides.
    fn ring<const N: usize>(&mut self, sides: [Vec<([u32; 2], u32)>; N]) -> [Row; N] {
        let mut rows = sides.map(|side| Row {
            vertices: side.iter().map(|(point, _)| self.point(*point)).collect(),
            places: side.iter().map(|(_, place)| *place).collect(),
        });
        let firsts = rows.each_ref().map(|row| row.vertices.first().copied());
        for (number, row) in rows.iter_mut().enumerate() {
            row.vertices.extend(firsts[(number + 1) % N]);
        }
        rows
    }

    /// Fills the area between an outer row and an inner row to its left.
    fn stitch(&mut self, outer: &Row, inner: &Row) {
        let (mut o, mut i) = (0, 0);
        while o + 1 < outer.vertices.len() || i + 1 < inner.vertices.len() {
            let next = |row: &Row, place: usize| row.places.get(place + 1).copied();
            // Take the shorter diagonal.
            let goes_outside = match (next(outer, o), next(inner, i)) {
                (Some(of_outer), Some(of_inner)) => {
                    of_outer.abs_diff(inner.places[i]) <= of_inner.abs_diff(outer.places[o])
                }
                (of_outer, _) => of_outer.is_some(),
            };
            let (at, across) = (outer.vertices[o], inner.vertices[i]);
            if goes_outside {
                o += 1;
                self.indices.extend([at, outer.vertices[o], across]);
            } else {
                i += 1;
                self.indices.extend([at, inner.vertices[i], across]);
            }
        }
    }

    /// Clause 2.X.2.1.
    fn triangle(
        &mut self,
        spacing: TessellationSpacing,
        levels: &TessellationLevels,
    ) -> TessellatedPrimitive {
        let [left, bottom, right] = [0, 1, 2].map(|edge| Division::new(levels.outer[edge], spacing));
        let whole = Division::new(levels.inner[0], spacing);
        // A point on a side of a concentric triangle. One coordinate is `inset` on the whole side, another is
        // `along` and grows from `inset`. The sides run counter-clockwise from (0,0,1): v == 0, w == 0, u ==
        // 0.
        let on = |side: usize, along: u32, inset: u32| {
            let back = ONE - inset - along;
            match side {
                0 => [along, inset],
                1 => [back, along],
                _ => [inset, back],
            }
        };
        let outer = [bottom, right, left];
        let sides = [0, 1, 2].map(|side| {
            let places = outer[side].places();
            let last = places.len() - 1;
            places[..last].iter().map(|&place| (on(side, place, 0), place)).collect()
        });
        let mut rows = self.ring(sides);
        rows.iter_mut().for_each(|row| row.places.push(ONE));
        if whole.segments == 1 && outer.iter().all(|side| side.segments == 1) {
            let [a, b, c] = rows.each_ref().map(|row| row.vertices[0]);
            self.indices.extend([a, b, c]);
            return TessellatedPrimitive::Triangle;
        }
        let inner = Division::inner(levels.inner[0], spacing);
        for ring in 1..=inner.segments / 2 {
            let (first, last) = (ring, inner.segments - ring);
            let third = inner.third(ring);
            let inner_rows = if first == last {
                let centre = self.point([ONE / 3, ONE / 3]);
                [0, 1, 2].map(|_| Row { vertices: vec![centre], places: vec![ONE / 2] })
            } else {
                // Perpendiculars to two outer sides meet at an inset of two thirds of their positions (Figure
                // X.2).
                let point = |side, n| on(side, inner.at_thirds(n) - third, 2 * third);
                let sides =
                    [0, 1, 2].map(|side| (first..last).map(|n| (point(side, n), inner.at(n))).collect());
                let mut rows = self.ring(sides);
                rows.iter_mut().for_each(|row| row.places.push(inner.at(last)));
                rows
            };
            for (outer, inner) in rows.iter().zip(&inner_rows) {
                self.stitch(outer, inner);
            }
            rows = inner_rows;
        }
        if !inner.segments.is_multiple_of(2) {
            // The innermost triangle has one segment per side.
            let [a, b, c] = rows.each_ref().map(|row| row.vertices[0]);
            self.indices.extend([a, b, c]);
        }
        TessellatedPrimitive::Triangle
    }

    /// Clause 2.X.2.2. By its text the first inner level divides the edges u == 0 and u == 1; by its figures,
    /// v == 0 and v == 1. The implementation follows the figures.
    fn quad(&mut self, spacing: TessellationSpacing, levels: &TessellationLevels) -> TessellatedPrimitive {
        let outer = levels.outer.map(|level| Division::new(level, spacing));
        let whole = levels.inner.map(|level| Division::new(level, spacing));
        let on = |side: usize, place: u32| match side {
            0 => [place, 0],
            1 => [ONE, place],
            2 => [ONE - place, ONE],
            _ => [0, ONE - place],
        };
        // Counter-clockwise from (0,0): v == 0, u == 1, v == 1, u == 0.
        let [left, bottom, right, top] = outer;
        let around = [bottom, right, top, left];
        let sides = [0, 1, 2, 3].map(|side| {
            let places = around[side].places();
            let last = places.len() - 1;
            places[..last].iter().map(|&place| (on(side, place), place)).collect()
        });
        let mut rows = self.ring(sides);
        rows.iter_mut().for_each(|row| row.places.push(ONE));
        let one = |division: &Division| division.segments == 1;
        if outer.iter().all(one) && whole.iter().all(one) {
            let [a, b, c, d] = rows.each_ref().map(|row| row.vertices[0]);
            self.indices.extend([a, b, c, a, c, d]);
            return TessellatedPrimitive::Triangle;
        }
        let [columns, lines] = levels.inner.map(|level| Division::inner(level, spacing));
        let (last_column, last_line) = (columns.segments - 1, lines.segments - 1);
        // The grid inside the outermost rectangles.
        let first = self.points.len() as u32;
        for line in 1..=last_line {
            for column in 1..=last_column {
                self.points.push([columns.at(column), lines.at(line)]);
            }
        }
        let vertex = |column: u32, line: u32| first + (line - 1) * last_column + column - 1;
        for line in 1..last_line {
            for column in 1..last_column {
                let [a, b] = [column, column + 1].map(|column| vertex(column, line));
                let [d, c] = [column, column + 1].map(|column| vertex(column, line + 1));
                self.indices.extend([a, b, c, a, c, d]);
            }
        }
        let row = |vertices: Vec<u32>, places: Vec<u32>| Row { vertices, places };
        let along = |division: Division, last: u32| (1..=last).map(|n| division.at(n)).collect::<Vec<u32>>();
        let back = |places: &[u32]| places.iter().rev().map(|place| ONE - place).collect::<Vec<u32>>();
        let (across, up) = (along(columns, last_column), along(lines, last_line));
        let inner = [
            row((1..=last_column).map(|column| vertex(column, 1)).collect(), across.clone()),
            row((1..=last_line).map(|line| vertex(last_column, line)).collect(), up.clone()),
            row((1..=last_column).rev().map(|column| vertex(column, last_line)).collect(), back(&across)),
            row((1..=last_line).rev().map(|line| vertex(1, line)).collect(), back(&up)),
        ];
        for (outer, inner) in rows.iter().zip(&inner) {
            self.stitch(outer, inner);
        }
        TessellatedPrimitive::Triangle
    }

    /// Section "Isoline Tessellation".
    fn isolines(
        &mut self,
        spacing: TessellationSpacing,
        levels: &TessellationLevels,
    ) -> TessellatedPrimitive {
        let lines = Division::new(levels.outer[0], TessellationSpacing::Equal);
        let places = Division::new(levels.outer[1], spacing).places();
        // No line is drawn between (0,1) and (1,1).
        for line in 0..lines.segments {
            let v = lines.at(line);
            let first = self.points.len() as u32;
            self.points.extend(places.iter().map(|&u| [u, v]));
            let segments = first..first + places.len() as u32 - 1;
            self.indices.extend(segments.flat_map(|vertex| [vertex, vertex + 1]));
        }
        TessellatedPrimitive::Line
    }

    fn finish(mut self, layout: TessellationLayout, primitive: TessellatedPrimitive) -> Tessellated {
        let number = |value: u32| (f64::from(value) / f64::from(ONE)) as f32;
        let coordinates = self.points.iter().map(|&[u, v]| {
            let w = if layout.mode == TessellationMode::Triangles { ONE - u - v } else { 0 };
            [u, v, w].map(number)
        });
        let coordinates: Vec<[f32; 3]> = coordinates.collect();
        if layout.points == TessellationPoints::On {
            let indices = (0..coordinates.len() as u32).collect();
            return Tessellated { coordinates, primitive: TessellatedPrimitive::Point, indices };
        }
        if primitive == TessellatedPrimitive::Triangle && layout.order == TessellationOrder::Clockwise {
            self.indices.as_chunks_mut::<3>().0.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
        }
        Tessellated { coordinates, primitive, indices: self.indices }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    fn layout(mode: TessellationMode, spacing: TessellationSpacing) -> TessellationLayout {
        let (order, points) = (TessellationOrder::CounterClockwise, TessellationPoints::Off);
        TessellationLayout { mode, spacing, order, points }
    }

    fn levels(outer: [f32; 4], inner: [f32; 2]) -> TessellationLevels {
        TessellationLevels { outer, inner }
    }

    /// Random levels, with many equal values and all special cases.
    fn random_level(state: &mut u64) -> f32 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (*state >> 33) as u32;
        match number % 4 {
            0 => (number / 4 % 8) as f32 + 1.0,
            1 => (number / 4 % 1000) as f32 / 100.0 + 0.01,
            2 => (number / 4 % 70_000) as f32 / 1000.0 + 0.5,
            _ => [1.0, 2.0, 3.0, 64.0, 63.0, 62.5, 0.25, 1.000_01][(number / 4 % 8) as usize],
        }
    }

    /// Every integer level, its fp32 neighbours, and levels slightly above, in ascending order.
    fn levels_at_whole_numbers() -> Vec<f32> {
        let around = |whole: f32| {
            let above = [1e-6, 1e-5, 3e-5, 1e-4, 1e-3].map(|by| whole + by);
            let mut levels = vec![whole.next_down(), whole, whole.next_up()];
            levels.extend(above.into_iter().filter(|level| *level > whole.next_up()));
            levels
        };
        (1..=limits::TESSELLATION_LEVEL).flat_map(|whole| around(whole as f32)).collect()
    }

    fn random_levels(state: &mut u64) -> TessellationLevels {
        let [a, b, c, d, e, f] = [0; 6].map(|_| random_level(state));
        levels([a, b, c, d], [e, f])
    }

    /// A coordinate in units of 1/65536.
    fn exact(value: f32) -> i64 {
        let scaled = f64::from(value) * 65536.0;
        assert_eq!(scaled, scaled.round());
        scaled as i64
    }

    fn places(division: Division) -> Vec<f64> {
        division.places().into_iter().map(|place| f64::from(place) / 65536.0).collect()
    }

    /// Clause 2.X.2: clamping, rounding and the lengths of segments.
    #[test]
    fn edges_are_divided_by_level_and_spacing() {
        use TessellationSpacing::{Equal, FractionalEven, FractionalOdd};
        let segments = |level, spacing| Division::new(level, spacing).segments;
        for (level, [equal, odd, even]) in [
            (-3.0, [1, 1, 2]),
            (0.5, [1, 1, 2]),
            (1.0, [1, 1, 2]),
            (1.01, [2, 3, 2]),
            (2.0, [2, 3, 2]),
            (2.5, [3, 3, 4]),
            (3.0, [3, 3, 4]),
            (4.0, [4, 5, 4]),
            (62.5, [63, 63, 64]),
            (63.0, [63, 63, 64]),
            (64.0, [64, 63, 64]),
            (1e30, [64, 63, 64]),
            (f32::INFINITY, [64, 63, 64]),
            (f32::NAN, [1, 1, 2]),
        ] {
            let found = [Equal, FractionalOdd, FractionalEven].map(|spacing| segments(level, spacing));
            assert_eq!(found, [equal, odd, even], "{level}");
        }
        assert_eq!(places(Division::new(4.0, Equal)), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(places(Division::new(3.5, Equal)), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(places(Division::new(4.0, FractionalEven)), [0.0, 0.25, 0.5, 0.75, 1.0]);
        // Halfway from two segments to four: lengths of 3/8 and 1/8.
        assert_eq!(places(Division::new(3.0, FractionalEven)), [0.0, 0.375, 0.5, 0.625, 1.0]);
        // From one segment to three.
        assert_eq!(places(Division::new(1.75, FractionalOdd)), [0.0, 0.125, 0.875, 1.0]);
    }

    /// All segments but two have the same length. The two others are not longer, are symmetric, and shrink
    /// with n - f from this length to zero.
    #[test]
    fn fractional_edges_have_two_shorter_segments() {
        // Each position is rounded.
        const STEP: f64 = 1.0 / 65536.0;
        let mut levels = levels_at_whole_numbers();
        levels.extend((0..6400).map(|step| 1.0 + step as f32 / 100.0));
        levels.sort_by(f32::total_cmp);
        for spacing in [TessellationSpacing::FractionalOdd, TessellationSpacing::FractionalEven] {
            let mut before = (0, 0.0);
            for level in &levels {
                let division = Division::new(*level, spacing);
                let lengths: Vec<f64> = places(division).windows(2).map(|pair| pair[1] - pair[0]).collect();
                assert_eq!(lengths.len(), division.segments as usize, "{level}");
                let mirrored: Vec<f64> = lengths.iter().rev().copied().collect();
                assert_eq!(lengths, mirrored, "{level}");
                if lengths.len() < 3 {
                    continue;
                }
                let shorter = division.split() as usize;
                let is_shorter = |number: usize| number == shorter || number == lengths.len() - 1 - shorter;
                let others = || (0..lengths.len()).filter(|number| !is_shorter(*number)).map(|n| lengths[n]);
                let (least, most) = (others().fold(1.0, f64::min), others().fold(0.0, f64::max));
                let short = lengths[shorter];
                assert!(most - least <= 2.0 * STEP && short <= least + 2.0 * STEP, "{level} {division:?}");
                if before.0 == division.segments {
                    assert!(short >= before.1 - STEP, "{level} {division:?}");
                } else {
                    assert!(short <= STEP, "{level} {division:?}");
                    assert!(before.1 == 0.0 || before.1 >= 1.0 / f64::from(before.0) - 2.0 * STEP, "{level}");
                }
                before = (division.segments, short);
            }
        }
    }

    fn twice_area(of: &Tessellated, triangle: [u32; 3]) -> i64 {
        let [a, b, c] = triangle.map(|vertex| of.coordinates[vertex as usize].map(exact));
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    }

    /// Checks that triangles cover the domain once: all have the same orientation, their areas add up to the
    /// domain's area, and each side either belongs to two triangles or is part of the outline. All vertices
    /// must be corners.
    fn check_triangles(layout: TessellationLayout, levels: &TessellationLevels) {
        let of = tessellate(layout, levels).unwrap();
        let what = format!("{layout:?} {levels:?}");
        let triangles = of.indices.as_chunks::<3>().0;
        assert_eq!(of.primitive, TessellatedPrimitive::Triangle);
        let areas = triangles.iter().map(|triangle| twice_area(&of, *triangle));
        assert!(areas.clone().all(|area| area >= 0), "{what}");
        let domain = if layout.mode == TessellationMode::Quads { 2 << 32 } else { 1 << 32 };
        assert_eq!(areas.sum::<i64>(), domain, "{what}");
        let mut sides: HashMap<[u32; 2], i32> = HashMap::new();
        for [a, b, c] in triangles {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                *sides.entry([*from, *to]).or_default() += 1;
            }
        }
        assert!(sides.values().all(|&count| count == 1), "{what}");
        let on_outline = |vertex: u32| {
            let [u, v, w] = of.coordinates[vertex as usize];
            match layout.mode {
                TessellationMode::Quads => u == 0.0 || u == 1.0 || v == 0.0 || v == 1.0,
                _ => u == 0.0 || v == 0.0 || w == 0.0,
            }
        };
        let alone = sides.keys().filter(|[from, to]| !sides.contains_key(&[*to, *from]));
        assert!(alone.clone().flatten().all(|vertex| on_outline(*vertex)), "{what}");
        let outer = levels.outer[..layout.mode.outer_levels()].iter();
        let segments: u32 = outer.map(|level| Division::new(*level, layout.spacing).segments).sum();
        assert_eq!(alone.count(), segments as usize, "{what}");
        let used: HashSet<u32> = of.indices.iter().copied().collect();
        assert_eq!(used.len(), of.coordinates.len(), "{what}");
    }

    #[test]
    fn triangles_cover_the_domain_once() {
        let mut state = 1;
        for number in 0..600 {
            for spacing in TessellationSpacing::ALL {
                for mode in [TessellationMode::Triangles, TessellationMode::Quads] {
                    let mut levels = random_levels(&mut state);
                    if number % 3 == 0 {
                        levels.inner = [1.0, 1.0];
                    }
                    check_triangles(layout(mode, spacing), &levels);
                }
            }
        }
    }

    /// The same for levels next to integers, where segments are shorter than the grid of coordinates. Inner
    /// and outer levels each take every such value.
    #[test]
    fn triangles_keep_their_orientation_next_to_whole_levels() {
        let all = levels_at_whole_numbers();
        let few: Vec<f32> = all.iter().copied().filter(|level| *level < 6.1).collect();
        let mut state = 3_u64;
        let mut any = |levels: &[f32]| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            levels[(state >> 33) as usize % levels.len()]
        };
        for mode in [TessellationMode::Triangles, TessellationMode::Quads] {
            for spacing in TessellationSpacing::ALL {
                let layout = layout(mode, spacing);
                for level in &all {
                    let outer = [0; 4].map(|_| any(&all));
                    check_triangles(layout, &levels(outer, [*level, any(&few)]));
                    let inner = [0; 2].map(|_| any(&few));
                    check_triangles(layout, &levels([*level, any(&all), any(&all), any(&all)], inner));
                }
                for (outer, inner) in few.iter().flat_map(|outer| few.iter().map(move |inner| (outer, inner)))
                {
                    check_triangles(layout, &levels([*outer; 4], [*inner; 2]));
                }
            }
        }
    }

    /// Clause 2.X.2.1: vertices of concentric triangles are at the perpendiculars through the vertices of the
    /// divided outer edge, up to rounding of both coordinates.
    #[test]
    fn concentric_triangles_are_divided_as_their_outer_edge_is() {
        for spacing in TessellationSpacing::ALL {
            for level in levels_at_whole_numbers() {
                let of =
                    tessellate(layout(TessellationMode::Triangles, spacing), &levels([1.1; 4], [level; 2]))
                        .unwrap();
                let (inner, outer) = (Division::inner(level, spacing), Division::new(1.1, spacing));
                let mut vertices = of.coordinates.iter().skip(3 * outer.segments as usize);
                for ring in 1..inner.segments.div_ceil(2) {
                    for side in 0..3 {
                        for number in ring..inner.segments - ring {
                            let [u, v, w] = vertices.next().expect("a vertex").map(exact);
                            let (along, inset) = [(u, v), (v, w), (w, u)][side];
                            let place = i64::from(inner.at(number));
                            assert!((2 * along + inset - 2 * place).abs() <= 4, "{spacing:?} {level} {ring}");
                            let height = 2 * i64::from(inner.at(ring));
                            assert!((3 * inset - height).abs() <= 4, "{spacing:?} {level} {ring}");
                        }
                    }
                }
                let centre = vertices.next().is_some();
                assert_eq!((centre, vertices.next()), (inner.segments.is_multiple_of(2), None));
            }
        }
    }

    /// Figures X.1 to X.4.
    #[test]
    fn domains_are_those_of_the_figures() {
        use TessellationMode::{Isolines, Quads, Triangles};
        let equal = |mode| layout(mode, TessellationSpacing::Equal);
        let one = tessellate(equal(Triangles), &TessellationLevels::DEFAULT).unwrap();
        assert_eq!(one.coordinates, [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        assert_eq!(one.indices, [0, 1, 2]);
        let one = tessellate(equal(Quads), &TessellationLevels::DEFAULT).unwrap();
        assert_eq!((one.coordinates.len(), one.indices.len()), (4, 6));
        // Four and five segments. The bottom edges of the concentric triangles have 5, 3 and 1 vertices, or
        // 6, 4 and 2.
        for (level, rows) in [(4.0, [5, 3, 1]), (5.0, [6, 4, 2])] {
            let of = tessellate(equal(Triangles), &levels([level; 4], [level; 2])).unwrap();
            for (ring, count) in rows.into_iter().enumerate() {
                let height = 2.0 / 3.0 * ring as f32 / level;
                let on_row = of.coordinates.iter().filter(|[_, v, _]| (v - height).abs() < 2.0 / 65536.0);
                assert_eq!(on_row.count(), count, "{level} {ring}");
            }
        }
        // Levels (7,4): ten rectangles inside the outermost ones, five by two.
        let of = tessellate(equal(Quads), &levels([1.0; 4], [7.0, 4.0])).unwrap();
        let inside = |u: f32, v: f32| u > 0.0 && u < 1.0 && v > 0.0 && v < 1.0;
        let inner: Vec<_> = of.coordinates.iter().filter(|[u, v, _]| inside(*u, *v)).collect();
        assert_eq!(inner.len(), 6 * 3);
        let columns: HashSet<i64> = inner.iter().map(|[u, ..]| exact(*u)).collect();
        assert_eq!(columns.len(), 6);
        // Levels (4,6): four lines of six segments, none at v == 1.
        let of = tessellate(equal(Isolines), &levels([4.0, 6.0, 0.0, 0.0], [0.0; 2])).unwrap();
        assert_eq!(
            (of.primitive, of.coordinates.len(), of.indices.len()),
            (TessellatedPrimitive::Line, 28, 48)
        );
        let lines: HashSet<i64> = of.coordinates.iter().map(|[_, v, _]| exact(*v)).collect();
        assert_eq!(lines, HashSet::from([0, 1 << 14, 2 << 14, 3 << 14]));
        // The first level ignores the spacing.
        let odd = layout(Isolines, TessellationSpacing::FractionalOdd);
        let of = tessellate(odd, &levels([2.0, 1.0, 1.0, 1.0], [1.0; 2])).unwrap();
        assert_eq!(of.coordinates, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.5, 0.0], [1.0, 0.5, 0.0]]);
    }

    #[test]
    fn patches_are_discarded_by_relevant_outer_levels() {
        for (mode, relevant) in
            [(TessellationMode::Triangles, 3), (TessellationMode::Quads, 4), (TessellationMode::Isolines, 2)]
        {
            for (edge, bad) in (0..4).flat_map(|edge| [0.0, -1.0, -0.0, f32::NAN].map(|bad| (edge, bad))) {
                let mut outer = [3.0; 4];
                outer[edge] = bad;
                let found =
                    tessellate(layout(mode, TessellationSpacing::Equal), &levels(outer, [f32::NAN, -2.0]));
                assert_eq!(found.is_none(), edge < relevant, "{mode:?} {edge} {bad}");
            }
        }
    }

    /// The vertices on an edge, as positions along the edge.
    fn on_edge(of: &Tessellated, mode: TessellationMode, edge: usize) -> Vec<i64> {
        let place = |[u, v, w]: [f32; 3]| match (mode, edge) {
            (TessellationMode::Triangles, 0) => (u == 0.0).then_some(v),
            (TessellationMode::Triangles, 1) => (v == 0.0).then_some(w),
            (TessellationMode::Triangles, _) => (w == 0.0).then_some(u),
            (_, 0) => (u == 0.0).then_some(v),
            (_, 1) => (v == 0.0).then_some(u),
            (_, 2) => (u == 1.0).then_some(v),
            _ => (v == 1.0).then_some(u),
        };
        let mut places: Vec<i64> = of.coordinates.iter().filter_map(|c| place(*c)).map(exact).collect();
        places.sort_unstable();
        // A vertex of another edge may also lie at the corner.
        places.dedup();
        places
    }

    /// Rules 2, 3 and 4, which prevent cracks. The vertices of an edge depend only on its level and the
    /// spacing, not on the patch or on which edge it is, and are symmetric.
    #[test]
    fn shared_edges_have_the_same_vertices() {
        let mut state = 5;
        for spacing in TessellationSpacing::ALL {
            for _ in 0..300 {
                let shared = random_level(&mut state);
                let mut expected: Option<Vec<i64>> = None;
                for (mode, edges) in [(TessellationMode::Triangles, 3), (TessellationMode::Quads, 4)] {
                    for edge in 0..edges {
                        let mut levels = random_levels(&mut state);
                        // A level of 1 may leave inner vertices on the edge that are not corners of its
                        // outline.
                        levels.inner = levels.inner.map(|level| level.max(1.5));
                        levels.outer[edge] = shared;
                        let of = tessellate(layout(mode, spacing), &levels).unwrap();
                        let places = on_edge(&of, mode, edge);
                        let mirrored: Vec<i64> = places.iter().rev().map(|place| (1 << 16) - place).collect();
                        assert_eq!(places, mirrored);
                        assert_eq!(*expected.get_or_insert_with(|| places.clone()), places, "{levels:?}");
                    }
                }
            }
        }
    }

    /// The same for all edges of a patch, for levels next to integers.
    #[test]
    fn edges_next_to_whole_levels_are_symmetric() {
        for spacing in TessellationSpacing::ALL {
            for level in levels_at_whole_numbers() {
                let expected = Division::new(level, spacing).places().into_iter().map(i64::from);
                let mut expected: Vec<i64> = expected.collect();
                let mirrored: Vec<i64> = expected.iter().rev().map(|place| (1 << 16) - place).collect();
                assert_eq!(expected, mirrored, "{spacing:?} {level}");
                expected.dedup();
                for (mode, edges) in [(TessellationMode::Triangles, 3), (TessellationMode::Quads, 4)] {
                    let of = tessellate(layout(mode, spacing), &levels([level; 4], [3.5; 2])).unwrap();
                    for edge in 0..edges {
                        assert_eq!(on_edge(&of, mode, edge), expected, "{spacing:?} {level} {mode:?} {edge}");
                    }
                }
            }
        }
    }

    /// Rules 5 and 6: the inside has the same triangles for both orientations, and for all outer levels.
    #[test]
    fn the_inside_depends_on_inner_levels_alone() {
        let mut state = 9;
        for mode in [TessellationMode::Triangles, TessellationMode::Quads] {
            for spacing in TessellationSpacing::ALL {
                for _ in 0..50 {
                    let (first, second) = (random_levels(&mut state), random_levels(&mut state));
                    let counter = layout(mode, spacing);
                    let clockwise = TessellationLayout { order: TessellationOrder::Clockwise, ..counter };
                    let triangles =
                        |layout: TessellationLayout, levels: &TessellationLevels, inside: bool| {
                            let of = tessellate(layout, levels).unwrap();
                            let corner = |vertex: &u32| of.coordinates[*vertex as usize].map(exact);
                            let outside = |[u, v, w]: [i64; 3]| {
                                let far = mode == TessellationMode::Quads && (u == 1 << 16 || v == 1 << 16);
                                far || u == 0 || v == 0 || mode == TessellationMode::Triangles && w == 0
                            };
                            let mut all: Vec<Vec<[i64; 3]>> = Vec::new();
                            for triangle in of.indices.as_chunks::<3>().0 {
                                let mut corners: Vec<[i64; 3]> = triangle.iter().map(corner).collect();
                                corners.sort_unstable();
                                if !inside || !corners.iter().any(|c| outside(*c)) {
                                    all.push(corners);
                                }
                            }
                            all.sort_unstable();
                            all
                        };
                    assert_eq!(triangles(counter, &first, false), triangles(clockwise, &first, false));
                    let other = TessellationLevels { inner: first.inner, ..second };
                    // If all levels are 1, there is no inside.
                    let is_whole = |levels: &TessellationLevels| {
                        levels.outer.iter().chain(&levels.inner).all(|level| *level <= 1.0)
                    };
                    if !is_whole(&first) && !is_whole(&other) {
                        assert_eq!(triangles(counter, &first, true), triangles(clockwise, &other, true));
                    }
                }
            }
        }
    }

    #[test]
    fn point_mode_gives_each_vertex_once() {
        for mode in TessellationMode::ALL {
            let lines = layout(mode, TessellationSpacing::FractionalOdd);
            let points = TessellationLayout { points: TessellationPoints::On, ..lines };
            let of = levels([3.0, 4.5, 2.0, 7.0], [1.0, 5.0]);
            let (lines, points) = (tessellate(lines, &of).unwrap(), tessellate(points, &of).unwrap());
            assert_eq!(points.primitive, TessellatedPrimitive::Point);
            assert_eq!(points.coordinates, lines.coordinates);
            assert_eq!(points.indices, (0..points.coordinates.len() as u32).collect::<Vec<_>>());
        }
    }
}
