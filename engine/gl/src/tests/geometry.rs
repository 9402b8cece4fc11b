//! Geometry programs: pictures, and the errors of NV_geometry_program4.

use std::sync::atomic::AtomicBool;

use super::super::{Canvas, Context, ErrorCode, enums};
use super::raises;
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::pipeline::{Framebuffer, Primitive, Stats, Threads};
use shadestep_language::isa::Stage;

const GEOMETRY: u32 = enums::GEOMETRY_PROGRAM_NV;

/// Turns each point into a square of 2x2 of 8x8 pixels in the point's colour. Blue is the number of the
/// primitive.
const SQUARES: &str = "!!NVgp4.0
PRIMITIVE_IN POINTS; PRIMITIVE_OUT TRIANGLE_STRIP; VERTICES_OUT 4;
TEMP t, c;
MOV c.xy, vertex[0].color; I2F c.z, primitive.id.x; MOV c.w, 1;
ADD t, vertex[0].position, {-0.25, -0.25, 0, 0}; MOV result.position, t; MOV result.color, c; EMIT;
ADD t, vertex[0].position, {0.25, -0.25, 0, 0}; MOV result.position, t; MOV result.color, c; EMIT;
ADD t, vertex[0].position, {-0.25, 0.25, 0, 0}; MOV result.position, t; MOV result.color, c; EMIT;
ADD t, vertex[0].position, {0.25, 0.25, 0, 0}; MOV result.position, t; MOV result.color, c; EMIT;
END";

fn with(text: &str) -> Context {
    let mut context = Context::new();
    let loaded = context.program_string(GEOMETRY, enums::PROGRAM_FORMAT_ASCII_ARB, text.as_bytes());
    loaded.unwrap_or_else(|error| panic!("{error}: {:?}", context.program_diagnostics()));
    context.enable(GEOMETRY).expect("enabled");
    context
}

fn drawn(context: &mut Context, mode: Primitive, vertices: &[[f32; 2]]) -> (Framebuffer, Stats) {
    let mut target = Framebuffer::new(8, 8).expect("small");
    let (threads, cancel) = (Threads::new(Some(2)), AtomicBool::new(false));
    context.begin(mode).expect("begun");
    for (number, vertex) in vertices.iter().enumerate() {
        context.color([1.0, number as f32, 0.0, 1.0]).expect("a colour");
        context.vertex(*vertex).expect("a vertex");
    }
    let call = context.end().expect("ended");
    let mut canvas = Canvas { target: &mut target, threads: &threads, cancel: &cancel };
    let stats = canvas.render(&call).expect("allowed").expect("not cancelled");
    (target, stats)
}

#[test]
fn a_geometry_program_makes_squares_of_points() {
    // After fixed-function vertex processing, and after a vertex program.
    let mut context = with(SQUARES);
    for programmed in [false, true] {
        if programmed {
            let text =
                b"!!ARBvp1.0 MOV result.position, vertex.position; MOV result.color, vertex.color; END";
            context.program_string(Stage::Vertex, enums::PROGRAM_FORMAT_ASCII_ARB, text).expect("a program");
            context.enable(enums::VERTEX_PROGRAM_ARB).expect("enabled");
        }
        let (target, stats) = drawn(&mut context, Primitive::Points, &[[-0.75, -0.75], [0.25, 0.75]]);
        assert_eq!((stats.invocations, stats.emitted, stats.written), (2, 8, 8));
        for y in 0..8 {
            for x in 0..8 {
                let expected = match (x, y) {
                    (0..2, 0..2) => [1.0, 0.0, 0.0, 1.0],
                    (4..6, 6..8) => [1.0, 1.0, 1.0, 1.0],
                    _ => [0.0; 4],
                };
                assert_eq!(target.color.at(8 * y + x), expected, "{x} {y}");
            }
        }
    }
}

/// Clip distances that no program writes (2.X.3.2): geometry programs read the GL's.
#[test]
fn distances_that_the_gl_computes_are_read() {
    let text = "!!NVgp4.0 PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 1; MOV result.position, vertex[0].position;
        MOV result.color, 1; MOV result.color.x, vertex[0].clip[2].x; MOV result.color.y, vertex[0].clip[3].x; EMIT; END";
    let mut context = with(text);
    context.enable(enums::CLIP_PLANE0 + 2).expect("enabled");
    context.clip_plane(2, [0.25, 0.0, 0.0, 0.5]).expect("set");
    context.clip_plane(3, [0.0, 0.0, 0.0, 1.0]).expect("set");
    for programmed in [false, true] {
        if programmed {
            let text = b"!!ARBvp1.0 OPTION ARB_position_invariant; MOV result.color, 1; END";
            context.program_string(Stage::Vertex, enums::PROGRAM_FORMAT_ASCII_ARB, text).expect("a program");
            context.enable(enums::VERTEX_PROGRAM_ARB).expect("enabled");
        }
        let (target, _) = drawn(&mut context, Primitive::Points, &[[-0.5, -0.875], [0.5, -0.875]]);
        // Plane 3 is disabled, so its distance is undefined: 0.
        assert_eq!([2, 6].map(|x| target.color.at(x)), [[0.375, 0.0, 1.0, 1.0], [0.625, 0.0, 1.0, 1.0]]);
    }
}

#[test]
fn begin_needs_a_program_and_primitives_that_it_takes() {
    let mut context = Context::new();
    context.enable(GEOMETRY).expect("enabled");
    raises(&mut context, InvalidOperation, |context| context.begin(Primitive::Points));
    let modes = [
        ("POINTS", &[Primitive::Points][..]),
        ("LINES", &[Primitive::Lines, Primitive::LineStrip, Primitive::LineLoop]),
        (
            "TRIANGLES",
            &[
                Primitive::Triangles,
                Primitive::TriangleStrip,
                Primitive::TriangleFan,
                Primitive::Quads,
                Primitive::QuadStrip,
                Primitive::Polygon,
            ],
        ),
        ("LINES_ADJACENCY", &[Primitive::LinesAdjacency, Primitive::LineStripAdjacency]),
        ("TRIANGLES_ADJACENCY", &[Primitive::TrianglesAdjacency, Primitive::TriangleStripAdjacency]),
    ];
    let all: Vec<Primitive> = modes.iter().flat_map(|(_, modes)| modes.iter().copied()).collect();
    for (input, taken) in modes {
        let mut context =
            with(&format!("!!NVgp4.0 PRIMITIVE_IN {input}; PRIMITIVE_OUT POINTS; VERTICES_OUT 1; EMIT; END"));
        for mode in &all {
            if taken.contains(mode) {
                context.begin(*mode).expect("begun");
                context.end().expect("ended");
            } else {
                raises(&mut context, InvalidOperation, |context| context.begin(*mode));
            }
        }
    }
}

#[test]
fn the_vertex_limit_is_changed_and_asked_for() {
    let mut context = with(SQUARES);
    let ask = |context: &Context, query| context.get_program_iv(GEOMETRY, query);
    assert_eq!(ask(&context, enums::GEOMETRY_VERTICES_OUT_EXT), Ok(4));
    assert_eq!(ask(&context, enums::GEOMETRY_INPUT_TYPE_EXT), Ok(enums::POINTS.into()));
    assert_eq!(ask(&context, enums::GEOMETRY_OUTPUT_TYPE_EXT), Ok(enums::TRIANGLE_STRIP.into()));
    assert_eq!(ask(&context, enums::MAX_PROGRAM_OUTPUT_VERTICES_NV), Ok(1024));
    assert_eq!(ask(&context, enums::MAX_PROGRAM_TOTAL_OUTPUT_COMPONENTS_NV), Ok(1024));
    assert_eq!(context.get_limit(enums::MAX_GEOMETRY_PROGRAM_INVOCATIONS_NV), Ok(32));
    context.program_vertex_limit(GEOMETRY, 3).expect("set");
    assert_eq!(ask(&context, enums::GEOMETRY_VERTICES_OUT_EXT), Ok(3));
    let (_, stats) = drawn(&mut context, Primitive::Points, &[[0.0, 0.0]]);
    assert_eq!(stats.emitted, 3);
    // Position and colour have eight components in total.
    context.program_vertex_limit(GEOMETRY, 128).expect("set");
    for limit in [0, -1, 129] {
        raises(&mut context, InvalidValue, |context| context.program_vertex_limit(GEOMETRY, limit));
    }
    raises(&mut context, InvalidEnum, |context| context.program_vertex_limit(Stage::Vertex, 1));
    raises(&mut Context::new(), InvalidOperation, |context| context.program_vertex_limit(GEOMETRY, 1));
    for query in [enums::GEOMETRY_VERTICES_OUT_EXT, enums::MAX_PROGRAM_OUTPUT_VERTICES_NV] {
        raises(&mut context, InvalidEnum, |context| context.get_program_iv(Stage::Fragment, query));
    }
    assert_eq!(Context::new().get_program_iv(GEOMETRY, enums::GEOMETRY_VERTICES_OUT_EXT), Ok(0));
}

#[test]
fn a_geometry_program_is_an_object_as_others_are() {
    let mut context = Context::new();
    context.load_program(GEOMETRY, 5, SQUARES.as_bytes()).expect("loads");
    context.bind_program(GEOMETRY, 5).expect("bound");
    assert_eq!(context.program_binding(Stage::Geometry), 5);
    raises(&mut context, InvalidOperation, |context| context.bind_program(Stage::Vertex, 5));
    raises(&mut context, InvalidOperation, |context| {
        context.load_program(Stage::Vertex, 6, SQUARES.as_bytes())
    });
    context.delete_programs(&[5][..]).expect("deleted");
    assert_eq!(context.program_binding(Stage::Geometry), 0);
    context.program_env_parameter4(GEOMETRY, 3, [1.0, 2.0, 3.0, 4.0]).expect("set");
    let text = b"!!NVgp4.0 PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 1; MOV result.color, program.env[3]; MOV result.position, vertex[0].position; EMIT; END";
    context.program_string(GEOMETRY, enums::PROGRAM_FORMAT_ASCII_ARB, &text[..]).expect("loads");
    context.enable(GEOMETRY).expect("enabled");
    let (target, _) = drawn(&mut context, Primitive::Points, &[[0.0, 0.0]]);
    assert_eq!(target.color.at(8 * 4 + 4), [1.0, 2.0, 3.0, 4.0].map(|value: f32| value.min(1.0)));
}
