//! Pictures of tessellated patches with GLSL references: 16x16 pixels with four samples each, all compared.
//! The pictures show the places of vertices, the inputs of evaluation programs, and values that invocations
//! of a control program exchange. Where the split into triangles is free, the picture does not depend on the
//! split.

use super::{Reads, Reference};
use crate::peer::compare::Nearness::Approximate;
use crate::peer::question::{Between, Inputs, Question, SAMPLES};
use shadestep_engine::isa::Stage;
use shadestep_engine::pipeline::Primitive;

/// A patch with its programs. Pairs hold the text of the program and of its GLSL reference.
struct Patch {
    /// The primitive generator's mode.
    mode: (&'static str, &'static str),
    outer: [f32; 4],
    inner: [f32; 2],
    /// Further statements of the control program. Before them, the program passes on the position and `set`
    /// of its vertex, one of four. `result.patch.attrib[3]` is a vector of the whole patch, which starts as
    /// 0.
    control: (&'static str, &'static str),
    /// The statements of the evaluation program that set the shown value.
    shows: (&'static str, &'static str),
}

/// Shows the tessellation coordinate.
const PLACE: (&str, &str) = ("MOV result.texcoord[1], at;", "shown = vec4(gl_TessCoord, 0);");

const fn divided(mode: (&'static str, &'static str), outer: [f32; 4], inner: [f32; 2]) -> Patch {
    Patch { mode, outer, inner, control: ("", ""), shows: PLACE }
}

const QUADS: (&str, &str) = ("TESS_MODE QUADS;", "quads, equal_spacing, ccw");
const QUAD_POINTS: (&str, &str) =
    ("TESS_MODE QUADS; TESS_POINT_MODE;", "quads, equal_spacing, ccw, point_mode");
const TRIANGLES: (&str, &str) = ("TESS_MODE TRIANGLES;", "triangles, equal_spacing, ccw");
const TRIANGLE_POINTS: (&str, &str) =
    ("TESS_MODE TRIANGLES; TESS_POINT_MODE;", "triangles, equal_spacing, ccw, point_mode");
const ODD_POINTS: (&str, &str) = (
    "TESS_MODE TRIANGLES; TESS_SPACING FRACTIONAL_ODD; TESS_POINT_MODE;",
    "triangles, fractional_odd_spacing, ccw, point_mode",
);
const EVEN_POINTS: (&str, &str) = (
    "TESS_MODE QUADS; TESS_SPACING FRACTIONAL_EVEN; TESS_POINT_MODE;",
    "quads, fractional_even_spacing, ccw, point_mode",
);
const ISOLINES: (&str, &str) =
    ("TESS_MODE ISOLINES; TESS_POINT_MODE;", "isolines, equal_spacing, point_mode");

/// Shows the levels that the evaluation program reads.
const LEVELS: (&str, &str) = (
    "MOV r.x, primitive.tessouter[0].x; MOV r.y, primitive.tessouter[2].x; MOV r.z, primitive.tessinner[1].x; MOV r.w, 1; MOV result.texcoord[1], r;",
    "shown = vec4(gl_TessLevelOuter[0], gl_TessLevelOuter[2], gl_TessLevelInner[1], 1);",
);

const TOLD: (&str, &str) = ("MOV result.texcoord[1], primitive.patch.attrib[3];", "shown = told;");

const PATCHES: &[Patch] = &[
    divided(QUADS, [1.0; 4], [1.0; 2]),
    divided(QUADS, [3.0, 5.0, 2.0, 7.0], [4.0, 6.0]),
    divided(QUADS, [1.0, 9.0, 1.0, 2.0], [1.0, 5.0]),
    divided(TRIANGLES, [1.0; 4], [1.0; 2]),
    divided(TRIANGLES, [2.0, 5.0, 3.0, 1.0], [4.0, 1.0]),
    divided(TRIANGLES, [7.0, 1.0, 1.0, 1.0], [5.0, 1.0]),
    divided(QUAD_POINTS, [3.0, 5.0, 2.0, 7.0], [4.0, 6.0]),
    divided(QUAD_POINTS, [2.5, 1.0, 6.2, 1.0], [1.0, 1.0]),
    divided(TRIANGLE_POINTS, [2.0, 5.0, 3.0, 1.0], [4.0, 1.0]),
    divided(TRIANGLE_POINTS, [6.0; 4], [7.0, 1.0]),
    divided(ODD_POINTS, [3.0, 5.0, 1.0, 1.0], [5.0, 1.0]),
    divided(ODD_POINTS, [2.5, 1.5, 3.0, 1.0], [2.2, 1.0]),
    divided(EVEN_POINTS, [4.0, 2.0, 6.0, 1.0], [4.0, 2.0]),
    divided(ISOLINES, [4.0, 6.0, 1.0, 1.0], [1.0; 2]),
    divided(ISOLINES, [1.0, 9.0, 1.0, 1.0], [1.0; 2]),
    // Discarded patches.
    divided(QUADS, [1.0, 0.0, 1.0, 1.0], [4.0; 2]),
    divided(ISOLINES, [2.0, 2.0, 0.0, -1.0], [1.0; 2]),
    // The values that the evaluation program reads for the levels.
    Patch { shows: LEVELS, ..divided(QUADS, [3.0, 1.0, 80.0, 2.0], [0.5, 2.5]) },
    // The number of the patch, and the number of its vertices.
    Patch {
        shows: (
            "I2F r.x, primitive.id.x; I2F r.y, primitive.vertexcount.x; MOV r.zw, 1; MOV result.texcoord[1], r;",
            "shown = vec4(gl_PrimitiveID, gl_PatchVerticesIn, 1, 1);",
        ),
        ..divided(QUADS, [2.0; 4], [2.0; 2])
    },
    // Outputs of the control program's vertices, interpolated.
    Patch {
        shows: (
            "LRP r, at.x, told[1], told[0]; LRP t, at.x, told[3], told[2]; LRP result.texcoord[1], at.y, t, r;",
            "shown = mix(mix(told_[0], told_[1], gl_TessCoord.x), mix(told_[2], told_[3], gl_TessCoord.x), gl_TessCoord.y);",
        ),
        ..divided(QUADS, [3.0; 4], [3.0; 2])
    },
    // Invocations read the outputs of other invocations: a sum, the neighbour's value, and a maximum in two
    // steps.
    Patch {
        control: (
            "ADD r, seen[0], seen[1]; ADD r, r, seen[2]; ADD r, r, seen[3]; MOV result.patch.attrib[3], r;",
            "barrier(); if (me == 0) told = told_[0] + told_[1] + told_[2] + told_[3];",
        ),
        shows: TOLD,
        ..divided(QUADS, [2.0; 4], [2.0; 2])
    },
    Patch {
        control: (
            "ADD.S i.x, me.x, 1; AND.S i.x, i.x, 3; MOV r, seen[i.x]; MOV result.attrib[1], r; MOV r, seen[i.x]; SUB r, r, seen[me.x];
             SEQ.S.CC i.y, me.x, 2; IF NE.y; MOV result.patch.attrib[3], r; ENDIF;",
            "barrier(); vec4 r = told_[(me + 1) & 3]; barrier(); told_[me] = r; barrier(); if (me == 2) told = told_[(me + 1) & 3] - told_[me];",
        ),
        shows: TOLD,
        ..divided(QUADS, [1.0; 4], [1.0; 2])
    },
    Patch {
        control: (
            "MOV.S i.y, 1; REP.S {2}; XOR.S i.x, me.x, i.y; MAX r, seen[i.x], seen[me.x]; MOV result.attrib[1], r; ADD.S i.y, i.y, i.y; ENDREP;
             MOV result.patch.attrib[3], seen[0];",
            "barrier(); vec4 r = max(told_[me ^ 1], told_[me]); barrier(); told_[me] = r; barrier();
             r = max(told_[me ^ 2], told_[me]); barrier(); told_[me] = r; barrier(); if (me == 0) told = told_[0];",
        ),
        shows: TOLD,
        ..divided(TRIANGLES, [2.0; 4], [2.0; 2])
    },
];

pub fn all() -> Vec<Question> {
    PATCHES.iter().map(question).collect()
}

/// Patches of four vertices: two side by side, or one as wide as the picture. The corners are between pixel
/// centres.
fn vertices(patches: u8) -> Vec<([f32; 4], [f32; 4])> {
    let mut all = Vec::new();
    for patch in 0..patches {
        for corner in 0..4 {
            let [x, y] = [corner & 1, corner >> 1].map(f32::from);
            let width = if patches == 1 { 1.87 } else { 0.79 };
            let place = [-0.93 + f32::from(patch) + width * x, -0.86 + 1.63 * y, 0.0, 1.0];
            let number = f32::from(4 * patch + corner);
            all.push((place, [number, 0.125 * number, 8.0 - number, 1.0]));
        }
    }
    all
}

/// Moves points to the centres of pixels, where all implementations rasterise them alike.
const MIDDLE: (&str, &str) = (
    "LRP r, at.y, t, r; MUL t.xy, r, 8; FLR t.xy, t; ADD t.xy, t, 0.5; MUL r.xy, t, 0.125; MOV result.position, r;",
    "gl_Position.xy = (floor(gl_Position.xy * 8) + 0.5) / 8;",
);

fn question(patch: &Patch) -> Question {
    let Patch { mode, outer, inner, control, shows } = patch;
    let told = [mode.0, control.0, shows.0].join(" ");
    let line = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = format!("twins/tessellation/{outer:?} {inner:?}: {line}");
    let points = mode.0.contains("POINT");
    let middle = if points { MIDDLE } else { ("", "") };
    let levels = |word: &str, values: &[f32]| -> String {
        let one = |(n, value): (usize, &f32)| format!("MOV result.patch.{word}[{n}].x, {value:?};\n");
        values.iter().enumerate().map(one).collect()
    };
    let ours_control = format!(
        "!!NVtcp5.0\nVERTICES_OUT 4;\nATTRIB place = vertex.position;\nATTRIB set = vertex.texcoord[0];\nATTRIB seen = vertex.out.attrib[1];\n\
         TEMP r, t;\nINT TEMP me, i;\nMOV.S me.x, primitive.invocation;\nMOV result.position, place[me.x];\nMOV result.attrib[1], set[me.x];\n\
         {}{}MOV result.patch.attrib[3], 0;\n{}\nEND\n",
        levels("tessouter", outer),
        levels("tessinner", inner),
        control.0
    );
    let ours_evaluation = format!(
        "!!NVtep5.0\n{}\nATTRIB at = vertex.tesscoord;\nATTRIB place = vertex.position;\nATTRIB told = vertex.attrib[1];\nTEMP r, t;\n\
         LRP r, at.x, place[1], place[0];\nLRP t, at.x, place[3], place[2];\nLRP result.position, at.y, t, r;\n{}\n{}\nEND\n",
        mode.0, middle.0, shows.0
    );
    let head = "#version 450 compatibility\n";
    let set = |word: &str, values: &[f32]| -> String {
        let one = |(n, value): (usize, &f32)| format!("gl_TessLevel{word}[{n}] = {value:?};\n");
        values.iter().enumerate().map(one).collect()
    };
    let theirs_control = format!(
        "{head}layout(vertices = 4) out;\nin vec4 set[];\nout vec4 told_[];\npatch out vec4 told;\nvoid main() {{\n#define me gl_InvocationID\n\
         gl_out[me].gl_Position = gl_in[me].gl_Position;\ntold_[me] = set[me];\n{}{}if (me == 0) told = vec4(0);\n{}\n}}\n",
        set("Outer", outer),
        set("Inner", inner),
        control.1
    );
    let theirs_evaluation = format!(
        "{head}layout({}) in;\nin vec4 told_[];\npatch in vec4 told;\nout vec4 shown;\nvoid main() {{\n\
         vec4 a = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x);\n\
         vec4 b = mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x);\ngl_Position = mix(a, b, gl_TessCoord.y);\n{}\n{}\n}}\n",
        mode.1, middle.1, shows.1
    );
    let shaders = [
        format!(
            "{head}layout(location = 0) in vec4 place;\nlayout(location = 8) in vec4 set0;\nout vec4 set;\n\
             void main() {{ gl_Position = place; set = set0; }}\n"
        ),
        format!("{head}in vec4 shown;\nout vec4 result;\nvoid main() {{ result = shown; }}\n"),
    ];
    let programs = vec![(Stage::TessControl, ours_control), (Stage::TessEvaluation, ours_evaluation)];
    Question {
        runs: vec![Inputs::default()],
        triangles: vertices(if points { 1 } else { 2 }),
        between: Some(Between { programs, primitive: Primitive::Patches, patch_vertices: 4 }),
        reference: Some(Reference {
            shaders,
            between: vec![(Stage::TessControl, theirs_control), (Stage::TessEvaluation, theirs_evaluation)],
            needs: &["GL_ARB_tessellation_shader", "GL_ARB_texture_multisample"],
            reads: Reads::Floats(Approximate),
        }),
        samples: SAMPLES,
        ..Question::loading(
            name,
            b"!!NVfp5.0\nATTRIB shown = fragment.texcoord[1];\nMOV result.color, shown;\nEND\n",
        )
    }
}
