//! Tests of primitive assembly, restarts and provoking vertices.

use super::*;
use crate::pipeline::assemble::{Assembly, Corners};

fn assembled(primitive: Primitive, elements: Elements) -> Vec<Corners> {
    let input = VertexInput { elements, ..input(primitive, &[]) };
    let assembly = Assembly::new((input.primitive, input.patches.vertices), &input.elements);
    (0..assembly.count()).map(|number| assembly.corners(number)).collect()
}

fn of(primitive: Primitive, count: u32) -> Vec<Corners> {
    assembled(primitive, Elements::Range { first: 7, count })
}

#[test]
fn vertices_are_assembled_as_2_6_1_says() {
    use Corners::{Line, Point, Polygon, Quad, Triangle};
    assert_eq!(of(Primitive::Points, 2), [Point(0), Point(1)]);
    assert_eq!(of(Primitive::Lines, 5), [Line([0, 1]), Line([2, 3])]);
    assert_eq!(of(Primitive::LineStrip, 3), [Line([0, 1]), Line([1, 2])]);
    assert_eq!(of(Primitive::LineLoop, 3), [Line([0, 1]), Line([1, 2]), Line([2, 0])]);
    assert_eq!(of(Primitive::LineLoop, 2), [Line([0, 1]), Line([1, 0])]);
    assert_eq!(of(Primitive::Triangles, 8), [Triangle([0, 1, 2]), Triangle([3, 4, 5])]);
    // A, B and the current vertex: the first, third, ... vertices are stored as A.
    let strip = [Triangle([0, 1, 2]), Triangle([2, 1, 3]), Triangle([2, 3, 4]), Triangle([4, 3, 5])];
    assert_eq!(of(Primitive::TriangleStrip, 6), strip);
    assert_eq!(of(Primitive::TriangleFan, 5), [[0, 1, 2], [0, 2, 3], [0, 3, 4]].map(Triangle));
    // Rotated so that the provoking vertex is the first: the fourth vertex of a quad ...
    assert_eq!(of(Primitive::Quads, 9), [Quad([3, 0, 1, 2]), Quad([7, 4, 5, 6])]);
    // ... and vertex 2i + 2 of the quad 2i-1, 2i, 2i+2, 2i+1 of a strip, counted from 1.
    assert_eq!(of(Primitive::QuadStrip, 7), [Quad([3, 2, 0, 1]), Quad([5, 4, 2, 3])]);
    assert_eq!(of(Primitive::Polygon, 5), [Polygon(0..5)]);
}

/// From NV_geometry_program4. Vertices are counted from 0 here, from 1 in the specification.
#[test]
fn adjacent_vertices_are_left_out_as_its_2_6_1_says() {
    use Corners::{Line, Triangle};
    assert_eq!(of(Primitive::LinesAdjacency, 11), [Line([1, 2]), Line([5, 6])]);
    assert_eq!(of(Primitive::LineStripAdjacency, 6), [Line([1, 2]), Line([2, 3]), Line([3, 4])]);
    assert_eq!(of(Primitive::TrianglesAdjacency, 17), [Triangle([0, 2, 4]), Triangle([6, 8, 10])]);
    // Table X.1: 1 3 5, then 2i+3 2i+1 2i+5 for odd i and 2i+1 2i+3 2i+5 for even i.
    let strip = [[0, 2, 4], [4, 2, 6], [4, 6, 8], [8, 6, 10]].map(Triangle);
    assert_eq!(of(Primitive::TriangleStripAdjacency, 13), strip);
    assert_eq!(of(Primitive::TriangleStripAdjacency, 7), strip[..1]);
}

#[test]
fn incomplete_primitives_are_none() {
    let least = [1, 2, 2, 2, 3, 3, 3, 4, 4, 3, 4, 4, 6, 6];
    for (primitive, least) in Primitive::ALL.into_iter().zip(least) {
        assert!(of(primitive, least - 1).is_empty(), "{}", primitive.name());
        assert!(!of(primitive, least).is_empty(), "{}", primitive.name());
    }
}

#[test]
fn a_restart_ends_a_primitive_and_begins_the_same_anew() {
    let elements =
        |restart| Elements::Indices { indices: Arc::from([9, 0, 1, 2, 3, 9, 9, 4, 5, 9, 6, 7, 8]), restart };
    use Corners::{Line, Triangle};
    let strip = [Triangle([1, 2, 3]), Triangle([3, 2, 4]), Triangle([10, 11, 12])];
    assert_eq!(assembled(Primitive::TriangleStrip, elements(Some(9))), strip);
    let line = [[1, 2], [2, 3], [3, 4], [4, 1], [7, 8], [8, 7], [10, 11], [11, 12], [12, 10]].map(Line);
    assert_eq!(assembled(Primitive::LineLoop, elements(Some(9))), line);
    assert_eq!(assembled(Primitive::TriangleStrip, elements(None)).len(), 11);
}

/// The flat colours of a draw of `primitive` with these window positions. Each vertex has its own colour.
fn flat(primitive: Primitive, size: [u32; 2], corners: &[[f32; 2]]) -> Vec<f32> {
    let positions: Vec<_> = corners.iter().map(|p| at(size, *p)).collect();
    let mut input = input(primitive, &positions);
    let colors: Vec<_> = (0..corners.len()).map(|i| [(i + 1) as f32 / 16.0; 4]).collect();
    input.attributes[3] = array(&colors);
    let state = RasterState { shade_model: ShadeModel::Flat, ..RasterState::DEFAULT };
    let draw = Draw { state, ..Draw::vertices(input) };
    let color = shader(|inputs| Shaded { color: inputs[1], ..Shaded::default() });
    let (framebuffer, _) = draw_vertices(&draw, &Pass(vec![VertexResult::Col0]), &color, size, 1);
    framebuffer.color.floats().iter().map(|color| color[0] * 16.0).collect()
}

#[test]
fn flat_colours_are_those_of_table_2_12() {
    // Adjacent unit squares in a row of 4 x 1 pixels, two vertices per column.
    let strip = [[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0], [4.0, 0.0], [4.0, 1.0]];
    // Quad i: vertex 2i + 2.
    assert_eq!(flat(Primitive::QuadStrip, [4, 1], &strip), [4.0, 4.0, 6.0, 6.0]);
    // Triangle i: vertex i + 2. The pixel centres are in triangles 1 (x < 1), 2, 3 and 4.
    assert_eq!(flat(Primitive::TriangleStrip, [4, 1], &strip), [3.0, 4.0, 5.0, 6.0]);
    let quads =
        [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0], [2.0, 0.0], [4.0, 0.0], [4.0, 1.0], [2.0, 1.0]];
    // Quad i: vertex 4i.
    assert_eq!(flat(Primitive::Quads, [4, 1], &quads), [4.0, 4.0, 8.0, 8.0]);
    // A polygon: the first vertex.
    let polygon = [[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 1.0], [0.0, 1.0]];
    assert_eq!(flat(Primitive::Polygon, [4, 1], &polygon), [1.0; 4]);
    // Fan triangle i: vertex i + 2. Independent triangle i: vertex 3i.
    let fan = [[0.0, 0.0], [9.0, 0.0], [2.0, 2.0], [0.0, 9.0]];
    assert_eq!(flat(Primitive::TriangleFan, [2, 2], &fan)[1..3], [3.0, 4.0]);
    let triangles = [[0.0, 0.0], [9.0, 0.0], [2.0, 2.0], [0.0, 0.0], [2.0, 2.0], [0.0, 9.0]];
    assert_eq!(flat(Primitive::Triangles, [2, 2], &triangles)[1..3], [3.0, 6.0]);
    // Lines: the second vertex. The last line of a loop ends at the first vertex.
    let line = [[0.0, 0.5], [2.0, 0.5], [4.0, 0.5]];
    // (2 - e, 0.5 - e^2) is in the diamond of pixel 1, (4 - e, ...) in the diamond of pixel 3.
    assert_eq!(flat(Primitive::LineStrip, [4, 1], &line), [2.0, 3.0, 3.0, 0.0]);
    let around = [[0.5, 0.5], [2.5, 0.5], [2.5, 2.5], [0.5, 2.5]];
    let loop_colors = flat(Primitive::LineLoop, [3, 3], &around);
    assert_eq!(loop_colors, [2.0, 2.0, 3.0, 1.0, 0.0, 3.0, 1.0, 4.0, 4.0]);
    assert_eq!(flat(Primitive::Points, [4, 1], &[[1.5, 0.5], [3.5, 0.5]]), [0.0, 1.0, 0.0, 2.0]);
}

#[test]
fn flat_colours_survive_clipping() {
    // A triangle that the far plane cuts, with the provoking vertex beyond it.
    let corners = [[-1.0, -1.0, 0.0, 1.0], [3.0, -1.0, 0.0, 1.0], [-1.0, 3.0, 2.0, 1.0]];
    let mut input = input(Primitive::Triangles, &corners);
    input.attributes[3] = array(&[[0.25; 4], [0.5; 4], [0.75; 4]]);
    let state = RasterState { shade_model: ShadeModel::Flat, ..RasterState::DEFAULT };
    let draw = Draw { state, ..Draw::vertices(input) };
    let color = shader(|inputs| Shaded { color: inputs[1], ..Shaded::default() });
    let (framebuffer, stats) = draw_vertices(&draw, &Pass(vec![VertexResult::Col0]), &color, [8, 8], 1);
    assert_eq!(stats.primitives_clipped, 1);
    // z reaches 1 where y reaches 1, so the whole window stays covered.
    assert!(framebuffer.color.floats().iter().all(|color| *color == [0.75; 4]));
}

#[test]
fn strips_fans_quads_and_polygons_cover_every_pixel_once() {
    let size = [37, 29];
    let [w, h] = size.map(|side| side as f32);
    let count = shader(|_| Shaded::default());
    // A zigzag of columns, neither straight nor on pixel borders.
    let strip: Vec<_> = (0..24)
        .map(|i| [(i / 2) as f32 / 11.0 * (w + 2.0) - 1.0, if i % 2 == 0 { -1.0 } else { h + 1.0 }])
        .enumerate()
        .map(|(i, [x, y])| [if i > 1 && i < 22 { x + (i * i % 7) as f32 / 9.0 } else { x }, y])
        .collect();
    let around =
        [[-3.0, -3.0], [w * 0.7, -9.0], [w + 9.0, 0.3], [w + 4.0, h + 4.0], [2.5, h + 9.0], [-9.0, h * 0.4]];
    let centre = [w * 0.4, h * 0.6];
    let fan: Vec<_> = [centre].into_iter().chain(around).chain([around[0]]).collect();
    // Two quads with a common edge.
    let quads = [[-9.0, -9.0], [w * 0.4, -9.0], [w * 0.6, h + 9.0], [-9.0, h + 9.0]];
    let others = [quads[2], quads[1], [w + 9.0, -9.0], [w + 9.0, h + 9.0]];
    let quads: Vec<_> = quads.into_iter().chain(others).collect();
    let cases = [
        (Primitive::TriangleStrip, &strip[..]),
        (Primitive::QuadStrip, &strip),
        (Primitive::TriangleFan, &fan),
        (Primitive::Polygon, &around),
        (Primitive::Quads, &quads),
    ];
    for (primitive, corners) in cases {
        let positions: Vec<_> = corners.iter().map(|p| at(size, *p)).collect();
        let draw = Draw { state: RasterState::DEFAULT, ..Draw::vertices(input(primitive, &positions)) };
        let (framebuffer, stats) = draw_vertices(&draw, &Pass(Vec::new()), &count, size, 1);
        let all = framebuffer.status.iter().all(|&status| status == PixelStatus::Written);
        assert!(all, "{}", primitive.name());
        assert_eq!(stats.written, u64::from(size[0] * size[1]), "{}", primitive.name());
    }
}
