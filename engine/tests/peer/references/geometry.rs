//! Pictures from geometry programs with GLSL references: 16x16 pixels with four samples each, all compared.
//! The pictures show the input vertices of each kind of primitive, the triangles of strips, and the order
//! of primitives.

use super::samples::vertices;
use super::{Reads, Reference, seeded};
use crate::peer::compare::Nearness::Approximate;
use crate::peer::question::{Between, Inputs, Question, SAMPLES};
use shadestep_engine::isa;
use shadestep_engine::pipeline::Primitive;

/// A geometry program and its GLSL reference. Both set the position and `shown` (texture coordinates 1 in the
/// program), which the fragment program shows.
struct Stage {
    input: Input,
    output: Output,
    most: u32,
    invocations: u32,
    ours: &'static str,
    theirs: &'static str,
    shown: Shown,
}

/// The value that the fragment program shows.
#[derive(Clone, Copy)]
enum Shown {
    /// `shown` of the provoking vertex.
    Flat,
    /// `shown`, interpolated.
    Smooth,
    /// The primitive number that the geometry program has set.
    Number,
    /// 1 for front faces, -1 for back faces.
    Facing,
}

#[derive(Clone, Copy)]
enum Input {
    Points,
    Lines,
    LinesAdjacency,
    Triangles,
    TrianglesAdjacency,
}

#[derive(Clone, Copy)]
enum Output {
    Points,
    Triangles,
}

impl Input {
    /// The name in the program and in GLSL, and the primitives that a draw may have.
    const fn names(self) -> (&'static str, &'static str, &'static [Primitive]) {
        use Primitive as P;
        match self {
            Self::Points => ("POINTS", "points", &[P::Points]),
            Self::Lines => ("LINES", "lines", &[P::Lines, P::LineStrip, P::LineLoop]),
            Self::LinesAdjacency => {
                ("LINES_ADJACENCY", "lines_adjacency", &[P::LinesAdjacency, P::LineStripAdjacency])
            }
            Self::Triangles => ("TRIANGLES", "triangles", &[P::Triangles, P::TriangleStrip, P::TriangleFan]),
            Self::TrianglesAdjacency => (
                "TRIANGLES_ADJACENCY",
                "triangles_adjacency",
                &[P::TrianglesAdjacency, P::TriangleStripAdjacency],
            ),
        }
    }
}

const fn triangles(input: Input, most: u32, ours: &'static str, theirs: &'static str) -> Stage {
    Stage { input, output: Output::Triangles, most, invocations: 1, ours, theirs, shown: Shown::Flat }
}

const STAGES: &[Stage] = &[
    // The input vertices, and the number of the primitive.
    triangles(
        Input::Triangles,
        3,
        "REP.S {3}; MOV result.position, place[i.x]; I2F r.x, primitive.id.x; MOV r.y, set[0].x; MOV r.z, set[1].x;
         MOV r.w, set[2].x; MOV result.texcoord[1], r; EMIT; ADD.S i.x, i.x, 1; ENDREP;",
        "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position;
         shown = vec4(gl_PrimitiveIDIn, set[0].x, set[1].x, set[2].x); EmitVertex(); }",
    ),
    triangles(
        Input::Lines,
        3,
        "REP.S {2}; MOV result.position, place[i.x]; MOV result.texcoord[1], r; EMIT; ADD.S i.x, i.x, 1; ENDREP;
         I2F r.x, primitive.id.x; MOV r.y, set[0].x; MOV r.z, set[1].x; MOV r.w, 1; MOV result.texcoord[1], r;
         ADD result.position, place[0], {0.25, 0.5, 0, 0}; EMIT;",
        "for (int i = 0; i < 3; i++) { gl_Position = i < 2 ? gl_in[i].gl_Position : gl_in[0].gl_Position + vec4(0.25, 0.5, 0, 0);
         shown = vec4(gl_PrimitiveIDIn, set[0].x, set[1].x, 1); EmitVertex(); }",
    ),
    triangles(
        Input::Points,
        4,
        "REP.S {4}; AND.S j.x, i.x, 1; SHR.S j.y, i.x, 1; I2F r.xy, j; MUL r.xy, r, 0.25; MOV r.zw, 0;
         ADD result.position, place[0], r; I2F result.texcoord[1], primitive.id.x; EMIT; ADD.S i.x, i.x, 1; ENDREP;",
        "for (int i = 0; i < 4; i++) { gl_Position = gl_in[0].gl_Position + vec4(0.25 * (i & 1), 0.25 * (i >> 1), 0, 0);
         shown = vec4(gl_PrimitiveIDIn); EmitVertex(); }",
    ),
    // No triangle appears twice: its two depths would be the same, and rounding would decide which one is
    // visible.
    triangles(
        Input::LinesAdjacency,
        3,
        "REP.S {3}; MOV.S j.x, i.x; SEQ.S.CC j.y, i.x, 2; MOV.S j.x (NE.y), 3; MOV result.position, place[j.x]; I2F r.x, primitive.id.x; MOV r.y, set[0].x; MOV r.z, set[2].y;
         MOV r.w, set[3].x; MOV result.texcoord[1], r; EMIT; ADD.S i.x, i.x, 1; ENDREP;",
        "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i == 2 ? 3 : i].gl_Position;
         shown = vec4(gl_PrimitiveIDIn, set[0].x, set[2].y, set[3].x); EmitVertex(); }",
    ),
    triangles(
        Input::TrianglesAdjacency,
        3,
        "REP.S {3}; MOV result.position, place[i.x]; I2F r.x, primitive.id.x; MOV r.y, set[1].x; MOV r.z, set[3].x;
         MOV r.w, set[5].x; MOV result.texcoord[1], r; EMIT; ADD.S i.x, i.x, 2; ENDREP;",
        "for (int i = 0; i < 6; i += 2) { gl_Position = gl_in[i].gl_Position;
         shown = vec4(gl_PrimitiveIDIn, set[1].x, set[3].x, set[5].x); EmitVertex(); }",
    ),
    triangles(
        Input::TrianglesAdjacency,
        3,
        "REP.S {3}; MOV result.position, place[i.x+1]; MOV r.x, set[0].x; MOV r.y, set[2].x; MOV r.z, set[4].x;
         MOV r.w, 1; MOV result.texcoord[1], r; EMIT; ADD.S i.x, i.x, 2; ENDREP;",
        "for (int i = 1; i < 6; i += 2) { gl_Position = gl_in[i].gl_Position;
         shown = vec4(set[0].x, set[2].x, set[4].x, 1); EmitVertex(); }",
    ),
    // A strip of six vertices, and the provoking vertex of each of its triangles.
    triangles(
        Input::Triangles,
        6,
        "REP.S {6}; MOV r, {0, 0, 0, 0}; SGE.S.CC j.x, i.x, 3; MOV r.xy (NE.x), {0.25, -0.125, 0, 0}; MOV.S j.y, i.x;
         ADD.S j.y (NE.x), i.x, -3; ADD result.position, place[j.y], r; I2F result.texcoord[1], i.x; EMIT;
         ADD.S i.x, i.x, 1; ENDREP;",
        "for (int i = 0; i < 6; i++) { gl_Position = gl_in[i % 3].gl_Position + (i < 3 ? vec4(0) : vec4(0.25, -0.125, 0, 0));
         shown = vec4(i); EmitVertex(); }",
    ),
    // A strip of four vertices, one of two, which gives no triangle, and one of three.
    triangles(
        Input::TrianglesAdjacency,
        9,
        "REP.S {9}; MOD.S j.x, i.x, 6; MOV result.position, place[j.x]; I2F result.texcoord[1], i.x; EMIT;
         SEQ.S.CC j.x, i.x, 3; IF NE.x; ENDPRIM; ENDIF; SEQ.S.CC j.x, i.x, 5; IF NE.x; ENDPRIM; ENDIF; ADD.S i.x, i.x, 1; ENDREP;",
        "for (int i = 0; i < 9; i++) { gl_Position = gl_in[i % 6].gl_Position; shown = vec4(i); EmitVertex();
         if (i == 3 || i == 5) EndPrimitive(); }",
    ),
    // Every other primitive is dropped.
    triangles(
        Input::Triangles,
        3,
        "AND.S.CC j.x, primitive.id.x, 1; RET (NE.x); REP.S {3}; MOV result.position, place[i.x];
         MOV result.texcoord[1], set[i.x]; EMIT; ADD.S i.x, i.x, 1; ENDREP;",
        "if (gl_PrimitiveIDIn % 2 != 0) return;
         for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; shown = set[i]; EmitVertex(); }",
    ),
    // All depths are the same, so the first triangle is visible. All invocations of a primitive come before
    // the next primitive.
    Stage {
        invocations: 4,
        ..triangles(
            Input::Triangles,
            3,
            "REP.S {3}; I2F r.x, primitive.invocation.x; MUL r.x, r.x, 0.125; MOV r.yzw, 0; ADD t, place[i.x], r; MOV t.z, 0;
             MOV result.position, t; I2F r.x, primitive.invocation.x; I2F r.y, primitive.id.x; MOV result.texcoord[1], r; EMIT;
             ADD.S i.x, i.x, 1; ENDREP;",
            "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position + vec4(0.125 * gl_InvocationID, 0, 0, 0);
             gl_Position.z = 0; shown = vec4(gl_InvocationID, gl_PrimitiveIDIn, 0, 0); EmitVertex(); }",
        )
    },
    Stage {
        shown: Shown::Smooth,
        ..triangles(
            Input::Triangles,
            3,
            "REP.S {3}; MOV result.position, place[i.x]; MOV result.texcoord[1], set[i.x]; EMIT; ADD.S i.x, i.x, 1; ENDREP;",
            "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; shown = set[i]; EmitVertex(); }",
        )
    },
    Stage {
        shown: Shown::Number,
        ..triangles(
            Input::Triangles,
            3,
            "REP.S {3}; MOV result.position, place[i.x]; MOV result.texcoord[1], 0; MUL.S j.x, primitive.id.x, 10;
             ADD.S result.primid.x, j.x, i.x; EMIT; ADD.S i.x, i.x, 1; ENDREP;",
            "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; shown = vec4(0);
             gl_PrimitiveID = gl_PrimitiveIDIn * 10 + i; EmitVertex(); }",
        )
    },
    Stage {
        shown: Shown::Facing,
        ..triangles(
            Input::Triangles,
            3,
            "REP.S {3}; MOV result.position, place[i.x]; MOV result.texcoord[1], 0; EMIT; ADD.S i.x, i.x, 1; ENDREP;",
            "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; shown = vec4(0); EmitVertex(); }",
        )
    },
    // Points at the centres of pixels. Only stream 0 is drawn.
    Stage {
        output: Output::Points,
        ..triangles(
            Input::Lines,
            4,
            "REP.S {4}; AND.S j.x, i.x, 1; MUL r.xy, place[j.x], 8; FLR r.xy, r; ADD r.xy, r, 0.5; MUL r.xy, r, 0.125; MOV r.z, 0;
             MOV r.w, 1; MOV result.position, r; I2F result.texcoord[1], i.x; SHR.S j.y, i.x, 1; EMITS j.y; ADD.S i.x, i.x, 1; ENDREP;",
            "for (int i = 0; i < 4; i++) { gl_Position = vec4((floor(gl_in[i & 1].gl_Position.xy * 8) + 0.5) / 8, 0, 1);
             if (i < 2) { shown = vec4(i); EmitStreamVertex(0); } else { other = vec4(i); EmitStreamVertex(1); } }",
        )
    },
];

/// One question for each program and each primitive that it can read.
pub fn all() -> Vec<Question> {
    let kinds = |stage: &'static Stage| stage.input.names().2.iter().map(move |kind| question(stage, *kind));
    STAGES.iter().flat_map(kinds).collect()
}

fn question(stage: &Stage, primitive: Primitive) -> Question {
    let Stage { most, invocations, ours, theirs, .. } = stage;
    let line = ours.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = format!("twins/geometry/{primitive:?}: {line}");
    let (from, there_from, _) = stage.input.names();
    let (to, there_to) = match stage.output {
        Output::Points => ("POINTS", "points"),
        Output::Triangles => ("TRIANGLE_STRIP", "triangle_strip"),
    };
    let text = format!(
        "!!NVgp5.0\nPRIMITIVE_IN {from}; PRIMITIVE_OUT {to}; VERTICES_OUT {most}; INVOCATIONS {invocations};\n\
         ATTRIB place = vertex.position;\nATTRIB set = vertex.texcoord[0];\nTEMP r, t;\nINT TEMP i, j;\nMOV.S i, 0;\n{ours}\nEND\n"
    );
    let flat = if matches!(stage.shown, Shown::Smooth) { "" } else { "flat " };
    let other = match stage.output {
        Output::Points => "layout(stream = 1) out vec4 other;\n",
        Output::Triangles => "",
    };
    let head = "#version 450 compatibility\n";
    let geometry = format!(
        "{head}layout({there_from}, invocations = {invocations}) in;\nlayout({there_to}, max_vertices = {most}) out;\n\
         in vec4 set[];\nlayout(stream = 0) {flat}out vec4 shown;\n{other}void main() {{\n{theirs}\n}}\n"
    );
    let (shows, there_shows) = match stage.shown {
        Shown::Flat => ("FLAT ATTRIB shown = fragment.texcoord[1]; MOV result.color, shown;", "shown"),
        Shown::Smooth => ("ATTRIB shown = fragment.texcoord[1]; MOV result.color, shown;", "shown"),
        Shown::Number => ("I2F result.color, primitive.id.x;", "vec4(gl_PrimitiveID)"),
        Shown::Facing => ("MOV result.color, fragment.facing.x;", "vec4(gl_FrontFacing ? 1.0 : -1.0)"),
    };
    let shaders = [
        format!(
            "{head}layout(location = 0) in vec4 place;\nlayout(location = 8) in vec4 set0;\nout vec4 set;\n\
             void main() {{ gl_Position = place; set = set0; }}\n"
        ),
        format!("{head}{flat}in vec4 shown;\nout vec4 result;\nvoid main() {{ result = {there_shows}; }}\n"),
    ];
    let random = &mut seeded(&name);
    Question {
        runs: vec![Inputs::default()],
        triangles: vertices::<24>(random).to_vec(),
        between: Some(Between { programs: vec![(isa::Stage::Geometry, text)], primitive, patch_vertices: 3 }),
        reference: Some(Reference {
            shaders,
            between: vec![(isa::Stage::Geometry, geometry)],
            needs: &["GL_ARB_gpu_shader5", "GL_ARB_texture_multisample"],
            reads: Reads::Floats(Approximate),
        }),
        samples: SAMPLES,
        ..Question::loading(name, format!("!!NVfp5.0\n{shows}\nEND\n").as_bytes())
    }
}
