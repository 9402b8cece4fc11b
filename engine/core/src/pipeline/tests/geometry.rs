//! Tests of the geometry stage, with geometry programs written in Rust.

use super::*;
use crate::exec::{Emissions, GeometryShader, GeometryWorker, LaneRegister};
use crate::pipeline::assemble::Assembly;
use shadestep_language::ir::{GeometryLayout, InputPrimitive, OutputPrimitive};

/// The inputs of an invocation.
struct Invocation {
    /// `vertex[m].position`
    positions: Vec<[f32; 4]>,
    /// `vertex[m].attrib[0]`
    values: Vec<[f32; 4]>,
    id: u32,
    number: u32,
    count: u32,
}

/// An emitted vertex or end of primitive.
enum Emission {
    /// Position, attrib[0], the primitive's number, and the stream.
    Vertex([f32; 4], [f32; 4], u32, u8),
    End,
}

use Emission::{End, Vertex};

/// A vertex program that passes its vertices on, with a geometry program given by a function.
struct Emitter<F> {
    pass: Pass,
    layout: GeometryLayout,
    inputs: Vec<(Attribute, u8)>,
    results: [VertexResult; 3],
    run: F,
}

fn emitter<F: Fn(&Invocation) -> Vec<Emission> + Sync>(
    input: InputPrimitive,
    output: OutputPrimitive,
    run: F,
) -> Emitter<F> {
    let of_vertex = |vertex| [VertexResult::Hpos, VertexResult::Generic(0)].map(|result| (vertex, result));
    let inputs = (0..input.vertices()).flat_map(of_vertex);
    let mut inputs: Vec<(Attribute, u8)> =
        inputs.map(|(vertex, result)| (Attribute::OfVertex { vertex, result }, 0xF)).collect();
    inputs.extend([Attribute::PrimitiveId, Attribute::Invocation, Attribute::VertexCount].map(|a| (a, 1)));
    Emitter {
        pass: Pass(vec![VertexResult::Generic(0)]),
        layout: GeometryLayout { input, output, vertices_out: 1024, invocations: 1 },
        inputs,
        results: [VertexResult::Generic(0), VertexResult::Hpos, VertexResult::PrimitiveId],
        run,
    }
}

impl<F: Fn(&Invocation) -> Vec<Emission> + Sync> VertexShader for Emitter<F> {
    type Worker = ();

    fn worker(&self) {}

    fn geometry(&self) -> Option<&dyn GeometryShader> {
        Some(self)
    }

    fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        self.pass.attributes_used()
    }

    fn results_written(&self) -> u64 {
        self.pass.results_written()
    }

    fn run(&self, worker: &mut (), inputs: &AttributeLanes, active: u64, output: &mut ResultLanes) {
        self.pass.run(worker, inputs, active, output);
    }
}

impl<F: Fn(&Invocation) -> Vec<Emission> + Sync> GeometryShader for Emitter<F> {
    fn layout(&self) -> GeometryLayout {
        self.layout
    }

    fn inputs(&self) -> &[(Attribute, u8)] {
        &self.inputs
    }

    fn results(&self) -> &[VertexResult] {
        &self.results
    }

    fn worker(&self) -> Box<dyn GeometryWorker + '_> {
        Box::new(Running { emitter: self, emissions: Emissions::default() })
    }
}

struct Running<'a, F> {
    emitter: &'a Emitter<F>,
    emissions: Emissions,
}

impl<F: Fn(&Invocation) -> Vec<Emission>> GeometryWorker for Running<'_, F> {
    fn run(&mut self, inputs: &AttributeLanes, active: u64) {
        let Self { emitter, emissions } = self;
        for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
            let read = |place: usize| [0, 1, 2, 3].map(|c| inputs.all()[4 * place + c].0[lane]);
            let vertices = usize::from(emitter.layout.input.vertices());
            let [id, number, count] = [0, 1, 2].map(|n| read(2 * vertices + n)[0].to_bits());
            let invocation = Invocation {
                positions: (0..vertices).map(|vertex| read(2 * vertex)).collect(),
                values: (0..vertices).map(|vertex| read(2 * vertex + 1)).collect(),
                id,
                number,
                count,
            };
            for emission in (emitter.run)(&invocation) {
                match emission {
                    Vertex(position, value, id, to) => {
                        let results = [value, position, [f32::from_bits(id), 0.0, 0.0, 0.0]];
                        let rows = results.map(|result| result.map(|value| LaneRegister([value; LANES])));
                        let rows = rows.iter().map(|rows| &rows[..]);
                        emissions.vertex(rows, (1 << lane, to), emitter.layout.vertices_out);
                    }
                    End => emissions.end_primitive(1 << lane),
                }
            }
        }
    }

    fn take_emissions(&mut self) -> Emissions {
        std::mem::take(&mut self.emissions)
    }
}

/// The vertices of the simple primitives of `count` elements.
fn simple(primitive: Primitive, count: u32) -> Vec<(u32, Vec<usize>)> {
    let input = VertexInput { elements: Elements::Range { first: 7, count }, ..input(primitive, &[]) };
    let assembly = Assembly::new((input.primitive, input.patches.vertices), &input.elements);
    let all = (0..assembly.simple_count()).map(|number| assembly.simple(number));
    all.map(|simple| (simple.id, simple.vertices().collect())).collect()
}

/// From NV_geometry_program4 2.14.6.1, its issue 17, and 2.6.1 with Table X.1. Vertices are counted from 0
/// here.
#[test]
fn geometry_programs_see_points_lines_and_triangles() {
    let of = |primitive, count| simple(primitive, count).into_iter().map(|(_, v)| v).collect::<Vec<_>>();
    assert_eq!(of(Primitive::Points, 2), [[0], [1]]);
    assert_eq!(of(Primitive::LineLoop, 3), [[0, 1], [1, 2], [2, 0]]);
    assert_eq!(of(Primitive::TriangleStrip, 4), [[0, 1, 2], [2, 1, 3]]);
    assert_eq!(of(Primitive::LinesAdjacency, 9), [[0, 1, 2, 3], [4, 5, 6, 7]]);
    assert_eq!(of(Primitive::LineStripAdjacency, 5), [[0, 1, 2, 3], [1, 2, 3, 4]]);
    assert_eq!(of(Primitive::TrianglesAdjacency, 13), [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]);
    assert_eq!(of(Primitive::TriangleStripAdjacency, 7), [[0, 1, 2, 5, 4, 3]]);
    assert_eq!(of(Primitive::TriangleStripAdjacency, 8), [[0, 1, 2, 6, 4, 3], [4, 0, 2, 5, 6, 7]]);
    let strip = of(Primitive::TriangleStripAdjacency, 12);
    assert_eq!(strip[1], [4, 0, 2, 5, 6, 8]);
    assert_eq!(strip[2], [4, 2, 6, 10, 8, 7]);
    assert_eq!(strip[3], [8, 4, 6, 9, 10, 11]);
    let numbered = |primitive, count| simple(primitive, count);
    let of_quads = [(0, vec![0, 1, 2]), (0, vec![0, 2, 3]), (1, vec![4, 5, 6]), (1, vec![4, 6, 7])];
    assert_eq!(numbered(Primitive::Quads, 9), of_quads);
    let of_strip = [(0, vec![0, 1, 3]), (0, vec![2, 0, 3]), (1, vec![2, 3, 5]), (1, vec![4, 2, 5])];
    assert_eq!(numbered(Primitive::QuadStrip, 6), of_strip);
    assert_eq!(numbered(Primitive::Polygon, 4), [(0, vec![1, 2, 0]), (0, vec![2, 3, 0])]);
}

const SIZE: [u32; 2] = [8, 8];

/// Draws `primitive` with these window positions and `emitter`. Returns the first component of attrib[0] for
/// each pixel, flat.
fn drawn<F: Fn(&Invocation) -> Vec<Emission> + Sync>(
    (primitive, corners): (Primitive, &[[f32; 2]]),
    emitter: &Emitter<F>,
) -> (Vec<f32>, Stats) {
    let positions: Vec<_> = corners.iter().map(|corner| at(SIZE, *corner)).collect();
    let mut input = input(primitive, &positions);
    let values: Vec<_> = (1..=corners.len()).map(|n| [n as f32; 4]).collect();
    input.attributes[8] = array(&values);
    let mut interpolation = FragmentReads::NOTHING.interpolation;
    interpolation[Attribute::Generic(0).index()] = shadestep_language::ir::Interpolation::FLAT;
    let first = Attribute::Generic(0).index();
    let color = shader(move |inputs| Shaded { color: inputs[first], ..Shaded::default() });
    let color = LaneShader { interpolation, ..color };
    // All primitives of the tests face the front.
    let state = RasterState { depth: DepthState::OFF, cull: Some(CullFace::Back), ..RasterState::DEFAULT };
    let draw = Draw { state, ..Draw::vertices(input) };
    let (framebuffer, stats) = draw_vertices(&draw, emitter, &color, SIZE, 1);
    (framebuffer.color.floats().iter().map(|color| color[0]).collect(), stats)
}

/// A square around a point, two pixels wide.
fn square(position: [f32; 4], value: f32) -> Vec<Emission> {
    let corner = |x: f32, y: f32| {
        let [cx, cy, z, w] = position;
        Vertex([cx + x / 4.0, cy + y / 4.0, z, w], [value; 4], 0, 0)
    };
    vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), End]
}

#[test]
fn points_become_squares() {
    let squares = emitter(InputPrimitive::Points, OutputPrimitive::TriangleStrip, |invocation| {
        assert_eq!(invocation.count, 1);
        square(invocation.positions[0], 10.0 + invocation.values[0][0])
    });
    let (pixels, stats) = drawn((Primitive::Points, &[[2.0, 2.0], [6.0, 5.0]]), &squares);
    let mut expected = [0.0; 64];
    for (value, [x, y]) in [(11.0, [1, 1]), (12.0, [5, 4])] {
        [0, 1, 8, 9].iter().for_each(|offset| expected[8 * y + x + offset] = value);
    }
    assert_eq!(pixels, expected);
    assert_eq!((stats.vertices, stats.invocations, stats.emitted, stats.primitives), (2, 2, 8, 4));
}

/// The third vertex of each strip triangle is provoking, and all triangles face one way (2.14.6.3, glspec15
/// 2.6.1).
#[test]
fn strips_are_assembled_like_those_of_draws() {
    let columns = |invocation: &Invocation| {
        (0..5)
            .flat_map(|column| [[2.0 * column as f32, 8.0], [2.0 * column as f32, 0.0]])
            .enumerate()
            .map(|(number, corner)| Vertex(at(SIZE, corner), [number as f32; 4], invocation.id, 0))
            .collect()
    };
    let strip = emitter(InputPrimitive::Points, OutputPrimitive::TriangleStrip, columns);
    let (pixels, stats) = drawn((Primitive::Points, &[[1.0, 1.0]]), &strip);
    assert_eq!((stats.primitives, stats.primitives_culled), (8, 0));
    // The upper left half of each column is the triangle that starts with its first two vertices; the lower
    // right half is the next triangle.
    let (upper, lower) = (&pixels[56..], &pixels[..8]);
    assert_eq!([upper[0], upper[2], upper[4], upper[6]], [2.0, 4.0, 6.0, 8.0]);
    assert_eq!([lower[1], lower[3], lower[5], lower[7]], [3.0, 5.0, 7.0, 9.0]);
}

#[test]
fn lines_end_where_the_program_says() {
    let lines = emitter(InputPrimitive::Triangles, OutputPrimitive::LineStrip, |invocation| {
        let y = 0.5 + invocation.id as f32;
        let vertex = |x: f32| Vertex(at(SIZE, [x, y]), [x; 4], 0, 0);
        // One vertex alone is not a line.
        vec![vertex(0.5), vertex(3.5), End, vertex(9.5), End, End, vertex(5.5), vertex(6.5), vertex(7.5)]
    });
    let corners = [[0.0, 0.0]; 6];
    let (pixels, stats) = drawn((Primitive::Triangles, &corners), &lines);
    for row in [&pixels[..8], &pixels[8..16]] {
        assert_eq!(row, [3.5, 3.5, 3.5, 0.0, 0.0, 6.5, 7.5, 0.0]);
    }
    assert_eq!((stats.primitives, stats.written), (6, 10));
}

#[test]
fn other_streams_are_not_drawn_and_no_more_than_declared_is_emitted() {
    let points = |invocation: &Invocation| {
        let vertex = |x: usize, stream| {
            Vertex(at(SIZE, [x as f32 + 0.5, 0.5]), invocation.values[0].map(|v| v + x as f32), 0, stream)
        };
        vec![vertex(0, 1), vertex(1, 0), vertex(2, 3), vertex(3, 0), vertex(4, 0), vertex(5, 0)]
    };
    let points = emitter(InputPrimitive::Points, OutputPrimitive::Points, points);
    let points = Emitter { layout: GeometryLayout { vertices_out: 5, ..points.layout }, ..points };
    let (pixels, stats) = drawn((Primitive::Points, &[[0.0, 0.0]]), &points);
    assert_eq!(pixels[..8], [0.0, 2.0, 0.0, 4.0, 5.0, 0.0, 0.0, 0.0]);
    assert_eq!(stats.emitted, 3);
}

/// All invocations of a primitive come before those of the next primitive, and draw over earlier output.
#[test]
fn invocations_are_in_the_order_of_primitives() {
    let stripes = emitter(InputPrimitive::Points, OutputPrimitive::Points, |invocation| {
        let value = (10 * invocation.id + invocation.number) as f32;
        let point = |x: u32| Vertex(at(SIZE, [x as f32 + 0.5, 0.5]), [value; 4], 0, 0);
        // The first invocations draw all pixels, later ones fewer.
        (invocation.id + invocation.number..8).map(point).collect()
    });
    let stripes = Emitter { layout: GeometryLayout { invocations: 3, ..stripes.layout }, ..stripes };
    let (pixels, stats) = drawn((Primitive::Points, &[[0.0, 0.0]; 3]), &stripes);
    assert_eq!(pixels[..8], [0.0, 10.0, 20.0, 21.0, 22.0, 22.0, 22.0, 22.0]);
    assert_eq!(stats.invocations, 9);
}

#[test]
fn fragments_read_the_number_that_the_program_gave_its_primitive() {
    let numbered = emitter(InputPrimitive::Points, OutputPrimitive::Points, |invocation| {
        vec![Vertex(invocation.positions[0], [0.0; 4], 40 + invocation.id, 0)]
    });
    let input = input(Primitive::Points, &[at(SIZE, [2.5, 0.5]), at(SIZE, [5.5, 0.5])]);
    let draw = Draw::vertices(input);
    let found = |pixel| fragments_at(&draw, &numbered, &ALL, DepthSource::Window, SIZE, pixel);
    for (number, pixel) in [[2, 0], [5, 0]].into_iter().enumerate() {
        let [fragment] = &found(pixel)[..] else { panic!("one fragment") };
        let id = fragment.quad[Attribute::PrimitiveId.index()][fragment.lane][0].to_bits();
        assert_eq!(id, 40 + number as u32);
        assert_eq!((fragment.primitive, &fragment.elements[..]), (number as u32, &[number as u32][..]));
    }
    assert!(found([3, 0]).is_empty());
}

/// Primitives with elements beyond the arrays are dropped; the others are drawn.
#[test]
fn missing_elements_leave_their_primitive_out() {
    let squares = emitter(InputPrimitive::Points, OutputPrimitive::TriangleStrip, |invocation| {
        square(invocation.positions[0], 1.0)
    });
    let mut input = input(Primitive::Points, &[at(SIZE, [2.0, 2.0]), at(SIZE, [6.0, 6.0])]);
    input.elements = Elements::Indices { indices: [9, 0, 5, 1].into(), restart: None };
    let color = shader(|_| Shaded { color: [1.0; 4], ..Shaded::default() });
    let (_, stats) = draw_vertices(&Draw::vertices(input), &squares, &color, SIZE, 1);
    assert_eq!((stats.primitives_out_of_range, stats.invocations, stats.written), (2, 2, 8));
}

/// Many primitives, in several parts. The picture does not depend on the number of threads, and the probe
/// finds what is drawn.
#[test]
fn parts_and_threads_do_not_show() {
    let mut random = Random(7);
    let size = [96, 70];
    let positions: Vec<_> =
        (0..900).map(|_| at(size, [random.between(0.0, 96.0), random.between(0.0, 70.0)])).collect();
    let mut input = input(Primitive::Points, &positions);
    input.attributes[8] = array(&(0..900).map(|n| [n as f32; 4]).collect::<Vec<_>>());
    input.instances = 2;
    let triangles = emitter(InputPrimitive::Points, OutputPrimitive::TriangleStrip, |invocation| {
        let [x, y, z, w] = invocation.positions[0];
        let reach = 0.02 + 0.01 * invocation.number as f32;
        let vertex = |dx: f32, dy: f32| {
            let value = [invocation.values[0][0], dx, dy, invocation.number as f32];
            Vertex([x + dx * reach, y + dy * reach, z, w], value, invocation.id, 0)
        };
        vec![vertex(-1.0, -1.0), vertex(1.0, -1.0), vertex(0.0, 1.5)]
    });
    // The maximum number of vertices, so that a part has eight primitives.
    let triangles = Emitter { layout: GeometryLayout { invocations: 32, ..triangles.layout }, ..triangles };
    let draw = Draw::vertices(input);
    let first = Attribute::Generic(0).index();
    let color = shader(move |inputs| Shaded { color: inputs[first], ..Shaded::default() });
    let drawn = draw_vertices(&draw, &triangles, &color, size, 1);
    assert_eq!((drawn.1.invocations, drawn.1.vertices), (2 * 900 * 32, 2 * 900));
    assert!(drawn.1.written > 1000);
    assert!(draw_vertices(&draw, &triangles, &color, size, 3) == drawn);
    let recorder = Recorder::default();
    draw_vertices(&draw, &triangles, &recorder, size, 1);
    let seen = recorder.seen.into_inner().unwrap();
    for pixel in [[48, 35], [10, 60]] {
        let bits = |quad: &QuadAttributes| quad.map(|a| a.map(|lane| lane.map(f32::to_bits)));
        let fed: Vec<_> = seen.iter().filter(|(p, _)| *p == pixel).map(|(_, quad)| bits(quad)).collect();
        let found = fragments_at(&draw, &triangles, &ALL, DepthSource::Window, size, pixel);
        assert!(!found.is_empty() && found.iter().any(|fragment| fragment.instance == 1));
        // Only fragments that pass the depth test are shaded.
        let all: Vec<_> = found.iter().map(|fragment| bits(&fragment.quad)).collect();
        assert!(!fed.is_empty() && fed.iter().all(|quad| all.contains(quad)));
    }
}
