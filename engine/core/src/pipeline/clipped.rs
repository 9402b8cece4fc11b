//! Clips primitives, determines the visible face, culls, and applies polygon modes. The results are clipped
//! primitives, which may cover pixels.
//!
//! Polygons with more than three corners are drawn as a fan of triangles, but count as one polygon. The whole
//! polygon faces one way, by its area after clipping (2.14.1). The inner diagonals are not edges, and flat
//! colours come from the polygon's provoking vertex.

use super::assemble::{AssembledPrimitive, FanTriangle};
use super::clip::{self, ClipClass, ClipVertex, Codes, Polygon, PolygonEdge};
use super::interface::StageInterface;
use super::line::Segment;
use super::point::{At, PointSprite};
use super::setup::{Bounds, Corner, Order, Origin, Setup, Shape, Triangle, fan_order, orient2d};
use super::vertices::Vertices;
use super::{CullFace, FrontFace, PolygonMode, RasterState, Stats};

/// The visible side of a polygon. Points and lines show their front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Facing {
    #[default]
    Front,
    Back,
}

/// The smallest resolvable depth difference, the unit of polygon offset (3.5.5).
const DEPTH_UNIT: f64 = 1.0 / 16_777_216.0;

/// The origin of a clipped primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PrimitiveSource {
    /// Number of the original primitive.
    pub primitive: u32,
    /// Slots of the vertices that attributes are interpolated from. For a line the last two slots are the
    /// same; for a point all three are.
    pub slots: [u32; 3],
    /// Index of the provoking vertex in `slots`.
    pub provoking: u8,
    pub facing: Facing,
}

impl PrimitiveSource {
    /// The slot of the provoking vertex.
    pub fn provoking_slot(&self) -> u32 {
        self.slots[usize::from(self.provoking)]
    }
}

/// The part of a primitive that may cover pixels.
#[derive(Clone, Copy, Debug)]
pub(super) enum ClippedPrimitive {
    /// A triangle with its vertices as corners, in the counter-clockwise order that `Order` gives.
    Whole(Order, [Corner; 3], Bounds),
    /// A part of a triangle.
    Cut(Shape),
    Line(Segment),
    Point(PointSprite),
}

/// The clipped outline of a [`FanTriangle`].
struct Outline {
    part: FanTriangle,
    polygon: Polygon,
    corners: Vec<Corner>,
    /// The corners in an order whose fan has all triangles turn one way.
    fan: Vec<usize>,
}

impl Outline {
    fn new(part: FanTriangle, polygon: Polygon, corners: Vec<Corner>) -> Self {
        let points: Vec<[i32; 2]> = corners.iter().map(|corner| corner.point).collect();
        Self { part, polygon, corners, fan: fan_order(&points) }
    }

    /// The corners of each triangle of the fan.
    fn triangles(&self) -> impl Iterator<Item = [usize; 3]> {
        (2..self.fan.len()).map(|i| [self.fan[0], self.fan[i - 1], self.fan[i]])
    }

    fn twice_area(&self, triangle: [usize; 3]) -> i64 {
        orient2d(triangle.map(|i| self.corners[i].point))
    }
}

/// Clips primitives to the view volume, determines the visible face, culls, and applies polygon modes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clipper<'a> {
    pub state: &'a RasterState,
    pub interface: &'a StageInterface,
    pub vertices: &'a Vertices,
    pub setup: &'a Setup,
}

impl Clipper<'_> {
    /// Calls `f` with each part of a primitive that may cover pixels.
    pub fn primitive(
        &self,
        number: u32,
        primitive: &AssembledPrimitive,
        stats: &mut Stats,
        f: &mut impl FnMut(PrimitiveSource, &ClippedPrimitive),
    ) {
        let invalid = stats.primitives_invalid;
        let mut drawn = false;
        let mut f = |source: PrimitiveSource, primitive: &ClippedPrimitive| {
            drawn = true;
            f(source, primitive);
        };
        match primitive {
            AssembledPrimitive::Point(slot) => self.point(number, *slot, stats, &mut f),
            AssembledPrimitive::Line(slots) => self.line(number, *slots, stats, &mut f),
            AssembledPrimitive::Triangle(fan) => self.polygon(number, fan, stats, &mut f),
            AssembledPrimitive::Quad(fan) => self.polygon(number, fan, stats, &mut f),
            AssembledPrimitive::Polygon(fan) => self.polygon(number, fan, stats, &mut f),
        }
        if !drawn && stats.primitives_invalid == invalid {
            stats.primitives_culled += 1;
        }
    }

    fn clip_vertex(&self, number: usize, slot: u32, edge: PolygonEdge) -> ClipVertex {
        let data = self.vertices.data(slot);
        let distances = self.interface.distances.map(|column| column.map_or(0.0, |c| data[usize::from(c)]));
        let position = clip::position(self.vertices.positions[slot as usize]);
        ClipVertex::new(number, position, &distances, edge)
    }

    fn point(
        &self,
        primitive: u32,
        slot: u32,
        stats: &mut Stats,
        f: &mut impl FnMut(PrimitiveSource, &ClippedPrimitive),
    ) {
        let codes = self.vertices.vertices[slot as usize].codes;
        match ClipClass::of_line([codes; 2]) {
            ClipClass::Invalid => stats.primitives_invalid += 1,
            ClipClass::Outside | ClipClass::Cut => {}
            ClipClass::Whole => {
                let source =
                    PrimitiveSource { primitive, slots: [slot; 3], provoking: 0, facing: Facing::Front };
                self.sprite(source, &self.clip_vertex(0, slot, PolygonEdge::Boundary), None, f);
            }
        }
    }

    fn sprite(
        &self,
        source: PrimitiveSource,
        vertex: &ClipVertex,
        offset: Option<f64>,
        f: &mut impl FnMut(PrimitiveSource, &ClippedPrimitive),
    ) {
        let position = vertex.position;
        let [x, y] = [0, 1].map(|axis| self.setup.window(position, axis));
        let window = [x, y, self.setup.window_z(position)];
        let size = match self.interface.point_size {
            None => self.state.point.size,
            Some(column) => {
                let size = |i: usize| f64::from(self.vertices.data(source.slots[i])[usize::from(column)]);
                match vertex.weights {
                    [1.0, 0.0, 0.0] => size(0) as f32,
                    [0.0, 1.0, 0.0] => size(1) as f32,
                    [0.0, 0.0, 1.0] => size(2) as f32,
                    [a, b, c] => (a * size(0) + b * size(1) + c * size(2)) as f32,
                }
            }
        };
        let at = At { window, offset, reciprocal_w: 1.0 / position.w, weights: vertex.weights };
        let within = (self.setup.samples, &self.setup.others);
        if let Some(sprite) = PointSprite::new(at, size, &self.state.point, within) {
            f(source, &ClippedPrimitive::Point(sprite));
        }
    }

    fn line(
        &self,
        primitive: u32,
        [a, b]: [u32; 2],
        stats: &mut Stats,
        f: &mut impl FnMut(PrimitiveSource, &ClippedPrimitive),
    ) {
        let place = ClipClass::of_line([a, b].map(|slot| self.vertices.vertices[slot as usize].codes));
        match place {
            ClipClass::Invalid => return stats.primitives_invalid += 1,
            ClipClass::Outside => return,
            ClipClass::Whole => {}
            ClipClass::Cut => stats.primitives_clipped += 1,
        }
        let source = PrimitiveSource { primitive, slots: [a, b, b], provoking: 1, facing: Facing::Front };
        let boundary = PolygonEdge::Boundary;
        let ends = [self.clip_vertex(0, a, boundary), self.clip_vertex(1, b, boundary)];
        if let Some(ends) = self.setup.volume.cut_line(ends) {
            self.segment(source, ends, None, f);
        }
    }

    /// Draws a line that is within the view volume.
    fn segment(
        &self,
        source: PrimitiveSource,
        ends: [ClipVertex; 2],
        offset: Option<f64>,
        f: &mut impl FnMut(PrimitiveSource, &ClippedPrimitive),
    ) {
        let corners = ends.map(|end| self.setup.corner(end.position));
        let (width, weights) = (self.state.line_width, ends.map(|end| end.weights));
        let within = (self.setup.samples, &self.setup.others);
        if let Some(segment) = Segment::new(corners, weights, offset, width, within) {
            f(source, &ClippedPrimitive::Line(segment));
        }
    }

    /// The visible face of a polygon with this signed area (3.5.1).
    fn facing(&self, twice_area: i128) -> Facing {
        let front = match self.state.front_face {
            FrontFace::Ccw => twice_area > 0,
            FrontFace::Cw => twice_area < 0,
        };
        if front { Facing::Front } else { Facing::Back }
    }

    fn mode(&self, facing: Facing) -> Option<PolygonMode> {
        let culled = match self.state.cull {
            None => false,
            Some(CullFace::Front) => facing == Facing::Front,
            Some(CullFace::Back) => facing == Facing::Back,
            Some(CullFace::FrontAndBack) => true,
        };
        let [front, back] = self.state.polygon_mode;
        (!culled).then_some(if facing == Facing::Front { front } else { back })
    }

    /// A polygon, given as its triangles.
    fn polygon(
        &self,
        primitive: u32,
        parts: &[FanTriangle],
        stats: &mut Stats,
        f: &mut impl FnMut(PrimitiveSource, &ClippedPrimitive),
    ) {
        let vertices = |part: &FanTriangle| part.slots.map(|slot| &self.vertices.vertices[slot as usize]);
        let (mut whole, mut cut) = (true, false);
        let mut twice_area = 0;
        for part in parts {
            let vertices = vertices(part);
            match ClipClass::of(vertices.map(|vertex| vertex.codes)) {
                ClipClass::Invalid => return stats.primitives_invalid += 1,
                ClipClass::Outside => whole = false,
                ClipClass::Cut => (whole, cut) = (false, true),
                ClipClass::Whole => {
                    twice_area += i128::from(orient2d(vertices.map(|vertex| vertex.corner.point)))
                }
            }
        }
        stats.primitives_clipped += u64::from(cut);
        if whole {
            let facing = self.facing(twice_area);
            match self.mode(facing) {
                None => return,
                Some(PolygonMode::Fill) => {
                    for part in parts {
                        let corners = vertices(part).map(|vertex| &vertex.corner);
                        let area = orient2d(corners.map(|corner| corner.point));
                        let Some((order, bounds)) = self.setup.order(corners, area) else { continue };
                        let source = PrimitiveSource {
                            primitive,
                            slots: part.slots,
                            provoking: part.provoking,
                            facing,
                        };
                        f(source, &ClippedPrimitive::Whole(order, corners.map(|corner| *corner), bounds));
                    }
                    return;
                }
                Some(PolygonMode::Line | PolygonMode::Point) => {}
            }
        }
        self.outlines(primitive, parts, f);
    }

    /// A polygon with a triangle that is cut, or a polygon that is drawn as lines or points.
    fn outlines(
        &self,
        primitive: u32,
        parts: &[FanTriangle],
        f: &mut impl FnMut(PrimitiveSource, &ClippedPrimitive),
    ) {
        let mut outlines = Vec::with_capacity(parts.len());
        for part in parts {
            let polygon = match ClipClass::of(self.codes(part)) {
                ClipClass::Invalid | ClipClass::Outside => None,
                ClipClass::Whole => Some(Polygon::triangle(self.triangle(part))),
                ClipClass::Cut => self.setup.volume.cut(self.triangle(part)),
            };
            let Some(polygon) = polygon else { continue };
            let Some(corners) = self.setup.corners(polygon.vertices()) else { continue };
            outlines.push(Outline::new(*part, polygon, corners));
        }
        let areas = outlines.iter().flat_map(|outline| outline.triangles().map(|t| outline.twice_area(t)));
        let facing = self.facing(areas.map(i128::from).sum());
        let Some(mode) = self.mode(facing) else { return };
        for outline in &outlines {
            let FanTriangle { slots, provoking, .. } = outline.part;
            let source = PrimitiveSource { primitive, slots, provoking, facing };
            match mode {
                PolygonMode::Fill => self.fill(source, outline, f),
                PolygonMode::Line => self.edges(source, outline, f),
                PolygonMode::Point => self.corners(source, outline, f),
            }
        }
    }

    fn codes(&self, part: &FanTriangle) -> [Codes; 3] {
        part.slots.map(|slot| self.vertices.vertices[slot as usize].codes)
    }

    fn triangle(&self, part: &FanTriangle) -> [ClipVertex; 3] {
        [0, 1, 2].map(|i| self.clip_vertex(i, part.slots[i], part.edges[i]))
    }

    /// The part of an outline within the clip volume itself, without the guard band. Polygon modes draw the
    /// edges and corners of this part.
    fn within_volume(&self, outline: &Outline) -> Option<Polygon> {
        match ClipClass::exact(self.codes(&outline.part)) {
            ClipClass::Whole => Some(outline.polygon),
            ClipClass::Cut => self.setup.volume.exact().cut(self.triangle(&outline.part)),
            ClipClass::Invalid | ClipClass::Outside => None,
        }
    }

    fn fill(
        &self,
        source: PrimitiveSource,
        outline: &Outline,
        f: &mut impl FnMut(PrimitiveSource, &ClippedPrimitive),
    ) {
        for part in outline.triangles() {
            let corners = part.map(|i| outline.corners[i]);
            let Some((order, bounds)) = self.setup.order(corners.each_ref(), outline.twice_area(part)) else {
                continue;
            };
            let weights = part.map(|i| outline.polygon.vertices()[i].weights);
            let origin = Origin::Cut(order.of(weights));
            f(source, &ClippedPrimitive::Cut(Shape { corners: order.of(corners), bounds, origin }));
        }
    }

    fn edges(
        &self,
        source: PrimitiveSource,
        outline: &Outline,
        f: &mut impl FnMut(PrimitiveSource, &ClippedPrimitive),
    ) {
        let offset = self.state.offset.line.then(|| self.outline_offset(outline));
        let Some(polygon) = self.within_volume(outline) else { return };
        let vertices = polygon.vertices();
        for (vertex, next) in vertices.iter().zip(vertices.iter().cycle().skip(1)) {
            if vertex.edge == PolygonEdge::Boundary {
                self.segment(source, [*vertex, *next], offset, f);
            }
        }
    }

    fn corners(
        &self,
        source: PrimitiveSource,
        outline: &Outline,
        f: &mut impl FnMut(PrimitiveSource, &ClippedPrimitive),
    ) {
        let offset = self.state.offset.point.then(|| self.outline_offset(outline));
        let Some(polygon) = self.within_volume(outline) else { return };
        for vertex in polygon.vertices().iter().filter(|vertex| vertex.begins_boundary()) {
            self.sprite(source, vertex, offset, f);
        }
    }

    /// The depth offset o of a polygon that is drawn as lines or points.
    fn outline_offset(&self, outline: &Outline) -> f64 {
        let bounds = Bounds { low: [0; 2], high: [0; 2] };
        let slope = |t: [usize; 3]| Triangle::new(t.map(|i| outline.corners[i]), bounds).depth_slope();
        self.offset(outline.triangles().map(slope).fold(0.0, f64::max))
    }

    /// The depth offset o for a maximum depth slope m (eq. 3.9).
    fn offset(&self, slope: f64) -> f64 {
        slope * f64::from(self.state.offset.factor) + DEPTH_UNIT * f64::from(self.state.offset.units)
    }

    /// Adds the depth offset of filled polygons, if it is enabled.
    pub fn offset_fill(&self, triangle: &mut Triangle) {
        if self.state.offset.fill {
            triangle.z[0] += self.offset(triangle.depth_slope());
            triangle.has_offset = true;
        }
    }
}
