//! Transform feedback with GLSL references: each primitive mode, the streams of geometry programs,
//! tessellated patches, and the layout of buffers. Skipped words, and words after the last primitive that
//! fits, must keep their values.

use super::{Reads, Reference};
use crate::peer::compare::Nearness::Approximate;
use crate::peer::question::{Between, Capture, Inputs, Order, Question};
use shadestep_engine::ir::VertexResult;
use shadestep_engine::isa::Stage;
use shadestep_engine::pipeline::{Primitive, Recorded};
use shadestep_gl::FeedbackPrimitive;

const HEAD: &str = "#version 450 compatibility\n";

/// Texture coordinates 0 and 1, which GLSL shaders call `set` and `shown`.
const SET: Recorded = Recorded::Result(VertexResult::Tex(0), 4);
const SHOWN: Recorded = Recorded::Result(VertexResult::Tex(1), 4);

pub fn all() -> Vec<Question> {
    let mut questions: Vec<Question> =
        MODES.iter().map(|(mode, primitive)| of_mode(*mode, *primitive)).collect();
    questions.extend(placed());
    questions.extend(GEOMETRY.iter().map(of_geometry));
    questions.extend(PATCHES.iter().map(of_patch));
    questions
}

/// Vertices 0 to `count` - 1, whose texture coordinates contain their numbers.
fn vertices(count: u8) -> Vec<([f32; 4], [f32; 4])> {
    let vertex = |n: u8| {
        let n = f32::from(n);
        ([0.125 * n - 0.9, 0.0625 * n, 0.0, 1.0], [n, 0.5 * n, 100.0 - n, 1.0])
    };
    (0..count).map(vertex).collect()
}

/// A GLSL vertex shader that passes on the position, and texture coordinates 0 as `set`.
fn vertex_shader() -> String {
    format!(
        "{HEAD}layout(location = 0) in vec4 place;\nlayout(location = 8) in vec4 set0;\nout vec4 set;\n\
         void main() {{ gl_Position = place; set = set0; }}\n"
    )
}

fn question(
    name: String,
    (between, theirs): (Between, Vec<(Stage, String)>),
    capture: Capture,
    triangles: Vec<([f32; 4], [f32; 4])>,
) -> Question {
    let fragment = format!("{HEAD}out vec4 result;\nvoid main() {{ result = vec4(1); }}\n");
    Question {
        runs: vec![Inputs::default()],
        triangles,
        between: Some(between),
        reference: Some(Reference {
            shaders: [vertex_shader(), fragment],
            between: theirs,
            needs: &["GL_ARB_gpu_shader5", "GL_ARB_transform_feedback3", "GL_ARB_tessellation_shader"],
            reads: Reads::Floats(Approximate),
        }),
        capture: Some(capture),
        ..Question::loading(name, b"!!NVfp5.0\nMOV result.color, 1;\nEND\n")
    }
}

/// Modes whose primitives have a prescribed order of vertices.
const MODES: &[(Primitive, FeedbackPrimitive)] = &[
    (Primitive::Points, FeedbackPrimitive::Points),
    (Primitive::Lines, FeedbackPrimitive::Lines),
    (Primitive::LineStrip, FeedbackPrimitive::Lines),
    (Primitive::LineLoop, FeedbackPrimitive::Lines),
    (Primitive::Triangles, FeedbackPrimitive::Triangles),
    (Primitive::TriangleStrip, FeedbackPrimitive::Triangles),
    (Primitive::TriangleFan, FeedbackPrimitive::Triangles),
];

const fn nothing_between(primitive: Primitive) -> (Between, Vec<(Stage, String)>) {
    (Between { programs: Vec::new(), primitive, patch_vertices: 1 }, Vec::new())
}

fn of_mode(mode: Primitive, primitive: FeedbackPrimitive) -> Question {
    let capture = Capture {
        primitive,
        points: vec![(0, vec![SET])],
        varyings: vec!["set"],
        words: 96,
        order: Order::Recorded,
    };
    question(format!("twins/feedback/{mode:?}"), nothing_between(mode), capture, vertices(8))
}

/// Questions about several buffers, skipped words, and buffers that are too small.
fn placed() -> Vec<Question> {
    let position = Recorded::Result(VertexResult::Hpos, 4);
    let skip = Recorded::Skipped;
    type Points = Vec<(u8, Vec<Recorded>)>;
    let cases: [(Points, Vec<&'static str>, usize); 5] = [
        (vec![(0, vec![SET, position])], vec!["set", "gl_Position"], 128),
        (vec![(0, vec![SET]), (0, vec![position])], vec!["set", "gl_NextBuffer", "gl_Position"], 64),
        (
            vec![(0, vec![skip(1), SET, skip(3)]), (0, vec![skip(4)]), (0, vec![position, skip(2)])],
            vec![
                "gl_SkipComponents1",
                "set",
                "gl_SkipComponents3",
                "gl_NextBuffer",
                "gl_SkipComponents4",
                "gl_NextBuffer",
                "gl_Position",
                "gl_SkipComponents2",
            ],
            96,
        ),
        // Room for one triangle and a part of a second.
        (vec![(0, vec![SET])], vec!["set"], 20),
        // Room for two triangles in the first buffer, and for one in the second.
        (
            vec![(0, vec![SET]), (0, vec![position, skip(4)])],
            vec!["set", "gl_NextBuffer", "gl_Position", "gl_SkipComponents4"],
            28,
        ),
    ];
    let ask = |(number, (points, varyings, words)): (usize, (Points, Vec<&'static str>, usize))| {
        let capture = Capture {
            primitive: FeedbackPrimitive::Triangles,
            points,
            varyings,
            words,
            order: Order::Recorded,
        };
        let name = format!("twins/feedback/placed/{number}");
        question(name, nothing_between(Primitive::Triangles), capture, vertices(9))
    };
    cases.into_iter().enumerate().map(ask).collect()
}

/// A geometry program and its GLSL reference.
struct Emitting {
    /// The declarations of both.
    layout: (&'static str, &'static str),
    primitive: FeedbackPrimitive,
    ours: &'static str,
    theirs: &'static str,
    /// For each binding point: the stream, and the GLSL name of the recorded output.
    points: &'static [(u8, &'static str)],
    mode: Primitive,
}

const GEOMETRY: &[Emitting] = &[
    // A strip of five vertices, and one of three.
    Emitting {
        layout: (
            "PRIMITIVE_IN TRIANGLES; PRIMITIVE_OUT TRIANGLE_STRIP; VERTICES_OUT 8;",
            "layout(triangles) in; layout(triangle_strip, max_vertices = 8) out; out vec4 shown;",
        ),
        primitive: FeedbackPrimitive::Triangles,
        ours: "REP.S {8}; MOD.S j.x, i.x, 3; MOV result.position, place[j.x]; I2F t.x, i.x; ADD result.texcoord[1], set[j.x], t.x; EMIT;
               SEQ.S.CC j.y, i.x, 4; IF NE.y; ENDPRIM; ENDIF; ADD.S i.x, i.x, 1; ENDREP;",
        theirs: "for (int i = 0; i < 8; i++) { gl_Position = gl_in[i % 3].gl_Position; shown = set[i % 3] + vec4(i); EmitVertex();
                 if (i == 4) EndPrimitive(); }",
        points: &[(0, "shown")],
        mode: Primitive::Triangles,
    },
    // Line strips from several invocations.
    Emitting {
        layout: (
            "PRIMITIVE_IN LINES; PRIMITIVE_OUT LINE_STRIP; VERTICES_OUT 3; INVOCATIONS 3;",
            "layout(lines, invocations = 3) in; layout(line_strip, max_vertices = 3) out; out vec4 shown;",
        ),
        primitive: FeedbackPrimitive::Lines,
        ours: "REP.S {3}; AND.S j.x, i.x, 1; MOV result.position, place[j.x]; I2F t.x, i.x; I2F t.y, primitive.invocation.x; I2F t.z, primitive.id.x;
               MOV t.w, set[j.x].x; MOV result.texcoord[1], t; EMIT; ADD.S i.x, i.x, 1; ENDREP;",
        theirs: "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i & 1].gl_Position;
                 shown = vec4(i, gl_InvocationID, gl_PrimitiveIDIn, set[i & 1].x); EmitVertex(); }",
        points: &[(0, "shown")],
        mode: Primitive::LineStrip,
    },
    // Points to all streams. Primitive n emits n points, each to the next stream.
    Emitting {
        layout: (
            "PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 8;",
            "layout(points) in; layout(points, max_vertices = 8) out; layout(stream = 0) out vec4 shown;
             layout(stream = 1) out vec4 second; layout(stream = 2) out vec4 third; layout(stream = 3) out vec4 fourth;",
        ),
        primitive: FeedbackPrimitive::Points,
        ours: "MOV.S j.x, primitive.id.x; REP.S j.x; ADD.S j.y, i.x, primitive.id.x; AND.S j.y, j.y, 3; MOV result.position, place[0]; I2F t.x, i.x;
               ADD result.texcoord[1], set[0], t.x; EMITS j.y; ADD.S i.x, i.x, 1; ENDREP;",
        theirs: "for (int i = 0; i < gl_PrimitiveIDIn; i++) { vec4 v = set[0] + vec4(i); gl_Position = gl_in[0].gl_Position;
                 switch ((i + gl_PrimitiveIDIn) & 3) {
                 case 0: shown = v; EmitStreamVertex(0); break; case 1: second = v; EmitStreamVertex(1); break;
                 case 2: third = v; EmitStreamVertex(2); break; case 3: fourth = v; EmitStreamVertex(3); break; } }",
        points: &[(2, "third"), (0, "shown"), (3, "fourth"), (1, "second")],
        mode: Primitive::Points,
    },
];

fn of_geometry(stage: &Emitting) -> Question {
    let Emitting { layout, primitive, ours, theirs, points, mode } = stage;
    let line = ours.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = format!(
        "!!NVgp5.0\n{}\nATTRIB place = vertex.position;\nATTRIB set = vertex.texcoord[0];\nTEMP t;\nINT TEMP i, j;\nMOV.S i, 0;\n{ours}\nEND\n",
        layout.0
    );
    let shader = format!("{HEAD}{}\nin vec4 set[];\nvoid main() {{\n{theirs}\n}}\n", layout.1);
    let mut varyings = Vec::new();
    for (place, (_, name)) in points.iter().enumerate() {
        if place > 0 {
            varyings.push("gl_NextBuffer");
        }
        varyings.push(*name);
    }
    let between = Between { programs: vec![(Stage::Geometry, text)], primitive: *mode, patch_vertices: 1 };
    let points = points.iter().map(|(stream, _)| (*stream, vec![SHOWN])).collect();
    let capture = Capture { primitive: *primitive, points, varyings, words: 256, order: Order::Recorded };
    let name = format!("twins/feedback/geometry/{mode:?}: {line}");
    question(name, (between, vec![(Stage::Geometry, shader)]), capture, vertices(8))
}

/// A patch: the primitive generator's mode in the program and in GLSL, and the tessellation levels.
struct Divided {
    mode: (&'static str, &'static str),
    primitive: FeedbackPrimitive,
    outer: [f32; 4],
    inner: [f32; 2],
}

const fn lines(spacing: (&'static str, &'static str), outer: [f32; 4]) -> Divided {
    Divided { mode: spacing, primitive: FeedbackPrimitive::Lines, outer, inner: [1.0; 2] }
}

const fn triangles(mode: (&'static str, &'static str), outer: [f32; 4], inner: [f32; 2]) -> Divided {
    Divided { mode, primitive: FeedbackPrimitive::Triangles, outer, inner }
}

const ISOLINES: (&str, &str) = ("TESS_MODE ISOLINES;", "isolines, equal_spacing");
const ODD_ISOLINES: (&str, &str) =
    ("TESS_MODE ISOLINES; TESS_SPACING FRACTIONAL_ODD;", "isolines, fractional_odd_spacing");
const QUADS: (&str, &str) = ("TESS_MODE QUADS;", "quads, equal_spacing, ccw");
const ODD_QUADS: (&str, &str) =
    ("TESS_MODE QUADS; TESS_SPACING FRACTIONAL_ODD;", "quads, fractional_odd_spacing, ccw");
const TRIANGLES: (&str, &str) = ("TESS_MODE TRIANGLES;", "triangles, equal_spacing, ccw");
const EVEN_TRIANGLES: (&str, &str) =
    ("TESS_MODE TRIANGLES; TESS_SPACING FRACTIONAL_EVEN;", "triangles, fractional_even_spacing, ccw");

/// Isolines have prescribed places. Triangles between the same vertices do not, but their number is
/// prescribed.
const PATCHES: &[Divided] = &[
    lines(ISOLINES, [3.0, 4.0, 1.0, 1.0]),
    lines(ISOLINES, [1.0, 7.5, 1.0, 1.0]),
    lines(ODD_ISOLINES, [2.0, 3.0, 1.0, 1.0]),
    triangles(QUADS, [1.0; 4], [1.0; 2]),
    triangles(QUADS, [3.0, 5.0, 2.0, 7.0], [4.0, 6.0]),
    triangles(QUADS, [9.0, 1.0, 4.0, 1.0], [1.0, 5.0]),
    triangles(ODD_QUADS, [3.0, 5.0, 1.0, 3.0], [5.0, 3.0]),
    triangles(TRIANGLES, [1.0; 4], [1.0; 2]),
    triangles(TRIANGLES, [2.0, 5.0, 3.0, 1.0], [4.0, 1.0]),
    triangles(TRIANGLES, [6.0; 4], [7.0, 1.0]),
    triangles(EVEN_TRIANGLES, [4.0, 2.0, 6.0, 1.0], [4.0, 2.0]),
    triangles(QUADS, [1.0, 0.0, 1.0, 1.0], [4.0; 2]),
];

fn of_patch(patch: &Divided) -> Question {
    let Divided { mode, primitive, outer, inner } = patch;
    let levels = |word: &str, values: &[f32]| -> String {
        let one = |(n, value): (usize, &f32)| format!("MOV result.patch.{word}[{n}].x, {value:?};\n");
        values.iter().enumerate().map(one).collect()
    };
    let control = format!(
        "!!NVtcp5.0\nVERTICES_OUT 1;\nMOV result.position, vertex[0].position;\n{}{}END\n",
        levels("tessouter", outer),
        levels("tessinner", inner)
    );
    let evaluation = format!(
        "!!NVtep5.0\n{}\nMOV result.position, vertex.tesscoord;\nMOV result.texcoord[1].xyz, vertex.tesscoord;\nMOV result.texcoord[1].w, 1;\nEND\n",
        mode.0
    );
    let set = |word: &str, values: &[f32]| -> String {
        let one = |(n, value): (usize, &f32)| format!("gl_TessLevel{word}[{n}] = {value:?};\n");
        values.iter().enumerate().map(one).collect()
    };
    let there_control = format!(
        "{HEAD}layout(vertices = 1) out;\nvoid main() {{\ngl_out[gl_InvocationID].gl_Position = gl_in[0].gl_Position;\n{}{}}}\n",
        set("Outer", outer),
        set("Inner", inner)
    );
    let there_evaluation = format!(
        "{HEAD}layout({}) in;\nout vec4 shown;\nvoid main() {{ gl_Position = vec4(gl_TessCoord, 1); shown = vec4(gl_TessCoord, 1); }}\n",
        mode.1
    );
    let programs = vec![(Stage::TessControl, control), (Stage::TessEvaluation, evaluation)];
    let between = Between { programs, primitive: Primitive::Patches, patch_vertices: 1 };
    let theirs = vec![(Stage::TessControl, there_control), (Stage::TessEvaluation, there_evaluation)];
    let order = if *primitive == FeedbackPrimitive::Lines { Order::Lines } else { Order::Vertices };
    let capture = Capture {
        primitive: *primitive,
        points: vec![(0, vec![SHOWN])],
        varyings: vec!["shown"],
        words: 4096,
        order,
    };
    let name = format!("twins/feedback/patches/{} {outer:?} {inner:?}", mode.0);
    question(name, (between, theirs), capture, vertices(1))
}
