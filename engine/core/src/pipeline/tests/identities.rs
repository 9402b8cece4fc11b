//! Numbers of vertices, instances, primitives and samples (NV_vertex_program4 2.X.3.2, NV_fragment_program4
//! 2.X.3.2, NV_gpu_program5 2.X.3.2), and coordinates of point sprites.

use super::*;

/// Moves a vertex to column `vertex.id` and row `vertex.instance` of a window of 8 x 8 pixels.
struct Numbered;

impl VertexShader for Numbered {
    type Worker = ();

    fn worker(&self) {}

    fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        let mut used = [0; Attribute::SLOTS];
        used[Attribute::VertexId.index()] = 1;
        used[Attribute::Instance.index()] = 1;
        used
    }

    fn results_written(&self) -> u64 {
        1 << VertexResult::Hpos.index()
    }

    fn run(&self, (): &mut (), inputs: &AttributeLanes, _: u64, output: &mut ResultLanes) {
        let number = |attribute: Attribute, lane: usize| inputs.register(attribute, 0).0[lane].to_bits();
        for lane in 0..LANES {
            let place = [Attribute::VertexId, Attribute::Instance].map(|a| number(a, lane) as f32 + 0.5);
            for (c, value) in at([8, 8], place).into_iter().enumerate() {
                output.register_mut(VertexResult::Hpos, c).0[lane] = value;
            }
        }
    }
}

/// Points for these elements, without arrays, in `instances` instances.
fn points(elements: Elements, instances: u32) -> Draw {
    let mut input = VertexInput { elements, instances, ..input(Primitive::Points, &[]) };
    input.attributes[0] = AttributeSource::Current(single_bits([0.0; 4]));
    let clear = Some(Clear { color: [9.0; 4], depth: 1.0, stencil: 0 });
    Draw { clear, ..Draw::vertices(input) }
}

/// The bits of x of `attribute` at each pixel; `None` if the pixel is not drawn.
fn drawn<V: VertexShader>(
    draw: &Draw,
    vertex: &V,
    attribute: Attribute,
    component: usize,
) -> Vec<Option<u32>> {
    let shader = shader(move |inputs| {
        let [x, ..] = inputs[attribute.index()][component..] else { panic!("a component") };
        Shaded { color: [x; 4], ..Shaded::default() }
    });
    let (framebuffer, _) = draw_vertices(draw, vertex, &shader, [8, 8], 2);
    let pixels = framebuffer.color.floats().into_owned().into_iter().zip(framebuffer.status.iter());
    pixels.map(|(color, status)| (*status == PixelStatus::Written).then(|| color[0].to_bits())).collect()
}

fn places(drawn: &[Option<u32>]) -> Vec<[usize; 2]> {
    let written = drawn.iter().enumerate().filter(|(_, value)| value.is_some());
    written.map(|(place, _)| [place % 8, place / 8]).collect()
}

#[test]
fn vertices_without_arrays_are_told_apart_by_their_numbers() {
    let range = points(Elements::Range { first: 2, count: 3 }, 2);
    let found = drawn(&range, &Numbered, Attribute::PrimitiveId, 0);
    assert_eq!(places(&found), [[2, 0], [3, 0], [4, 0], [2, 1], [3, 1], [4, 1]]);
    // Each instance counts its primitives from 0.
    assert_eq!(found.iter().flatten().copied().collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2]);
    // Elements beyond the limit have no vertices.
    let indices = Elements::Indices { indices: [7, u32::MAX, 1, 7].into(), restart: None };
    assert_eq!(places(&drawn(&points(indices, 1), &Numbered, Attribute::PrimitiveId, 0)), [[1, 0], [7, 0]]);
}

#[test]
fn no_instance_draws_nothing_but_clears() {
    let draw = points(Elements::Range { first: 0, count: 8 }, 0);
    let shader = shader(|_| Shaded::default());
    let (framebuffer, stats) = draw_vertices(&draw, &Numbered, &shader, [8, 8], 1);
    assert_eq!(stats.written, 0);
    assert!(framebuffer.color.floats().iter().all(|color| *color == [9.0; 4]));
}

/// The numbers of the primitives at the eight pixels of the middle row.
fn primitive_ids(primitive: Primitive, corners: &[[f32; 2]], elements: Option<Elements>) -> Vec<Option<u32>> {
    let positions: Vec<_> = corners.iter().map(|corner| at([8, 8], *corner)).collect();
    let mut input = input(primitive, &positions);
    if let Some(elements) = elements {
        input.elements = elements;
    }
    let found = drawn(&Draw::vertices(input), &Pass(Vec::new()), Attribute::PrimitiveId, 0);
    found[8 * 3..8 * 4].to_vec()
}

#[test]
fn primitives_are_numbered_from_0_and_restarts_do_not_count() {
    // Two adjacent quads of two triangles each.
    let row =
        [[0.0, 0.0], [4.0, 0.0], [4.0, 8.0], [0.0, 8.0], [4.0, 0.0], [8.0, 0.0], [8.0, 8.0], [4.0, 8.0]];
    let halves = |first, second| [[Some(first); 4], [Some(second); 4]].concat();
    assert_eq!(primitive_ids(Primitive::Quads, &row, None), halves(0, 1));
    let strip = [[0.0, 0.0], [0.0, 8.0], [4.0, 0.0], [4.0, 8.0], [8.0, 0.0], [8.0, 8.0]];
    assert_eq!(primitive_ids(Primitive::QuadStrip, &strip, None), halves(0, 1));
    let restarted = Elements::Indices { indices: [0, 1, 2, 3, 9, 2, 3, 4, 5].into(), restart: Some(9) };
    let ids = primitive_ids(Primitive::TriangleStrip, &strip, Some(restarted));
    // Triangles 0 and 1 on the left, 2 and 3 on the right.
    assert!(ids[..4].iter().all(|id| matches!(id, Some(0 | 1))), "{ids:?}");
    assert!(ids[4..].iter().all(|id| matches!(id, Some(2 | 3))), "{ids:?}");
    // All polygons have number 0.
    let polygons = Elements::Indices { indices: [0, 1, 2, 3, 9, 4, 5, 6, 7].into(), restart: Some(9) };
    assert_eq!(primitive_ids(Primitive::Polygon, &row, Some(polygons)), halves(0, 0));
}

#[test]
fn polygon_modes_do_not_count() {
    let row = [[0.5, 0.5], [3.5, 0.5], [3.5, 3.5], [4.5, 0.5], [7.5, 0.5], [7.5, 3.5]];
    let positions: Vec<_> = row.iter().map(|corner| at([8, 8], *corner)).collect();
    let mut draw = Draw::vertices(input(Primitive::Triangles, &positions));
    draw.state.polygon_mode = [PolygonMode::Point; 2];
    let found = drawn(&draw, &Pass(Vec::new()), Attribute::PrimitiveId, 0);
    let points = [(0, 0, 0), (3, 0, 0), (3, 3, 0), (4, 0, 1), (7, 0, 1), (7, 3, 1)];
    for (x, y, number) in points {
        assert_eq!(found[y * 8 + x], Some(number), "{x}, {y}");
    }
}

#[test]
fn point_coordinates_go_over_sprites_alone() {
    let point = PointState { size: 4.0, sprite: true, ..RasterState::DEFAULT.point };
    let state = RasterState { point, ..RasterState::DEFAULT };
    let positions = [at([8, 8], [4.0, 4.0])];
    let mut draw = Draw { state, ..Draw::vertices(input(Primitive::Points, &positions)) };
    let of = |draw: &Draw, component| drawn(draw, &Pass(Vec::new()), Attribute::PointCoord, component);
    let (s, t) = (of(&draw, 0), of(&draw, 1));
    for (x, y) in (2..6).flat_map(|y| (2..6).map(move |x| (x, y))) {
        // s = 1/2 + (x + 1/2 - 4)/4, t = 1/2 - (y + 1/2 - 4)/4 (glspec40 3.4.1): eighths.
        let eighths = |n: usize| Some((n as f32 / 8.0).to_bits());
        assert_eq!(s[y * 8 + x], eighths(2 * (x - 2) + 1), "{x}, {y}");
        assert_eq!(t[y * 8 + x], eighths(7 - 2 * (y - 2)), "{x}, {y}");
    }
    draw.state.point.sprite = false;
    assert!(of(&draw, 0).iter().flatten().all(|bits| *bits == 0));
}

#[test]
fn a_fragment_covers_the_one_sample() {
    let draw = points(Elements::Range { first: 0, count: 4 }, 1);
    let masks = drawn(&draw, &Numbered, Attribute::SampleMask, 0);
    assert_eq!(masks.into_iter().flatten().collect::<Vec<_>>(), [1; 4]);
    let numbers = drawn(&draw, &Numbered, Attribute::SampleId, 0);
    assert_eq!(numbers.into_iter().flatten().collect::<Vec<_>>(), [0; 4]);
}
