//! Tessellation programs: pictures, and the errors of NV_tessellation_program5 and ARB_tessellation_shader.

use std::sync::atomic::AtomicBool;

use super::super::{Canvas, Cap, Context, ErrorCode, PatchLevels, PatchNumber, enums};
use super::raises;
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::pipeline::{
    Apart, Framebuffer, Hazard, PatchConflict, Primitive, Stats, TessellationLevels, Threads,
};
use shadestep_language::ir::{Attribute, PatchResult, singles};
use shadestep_language::isa::Stage;

const SIDE: u32 = 16;

/// Vertex numbers are divided by this value for the red channel, because colours are at most 1.
const NUMBERS: f32 = 1024.0;

/// Loads `text` as the program of `stage` and enables the stage.
fn load(context: &mut Context, stage: Stage, cap: Cap, text: &str) {
    let loaded = context.program_string(stage, enums::PROGRAM_FORMAT_ASCII_ARB, text.as_bytes());
    loaded.unwrap_or_else(|error| panic!("{error}: {:?}\n{text}", context.program_diagnostics()));
    context.enable(cap).expect("enabled");
}

fn evaluate(context: &mut Context, text: &str) {
    load(context, Stage::TessEvaluation, Cap::TessEvaluationProgram, &format!("!!NVtep5.0\n{text}\nEND"));
}

fn control(context: &mut Context, text: &str) {
    load(context, Stage::TessControl, Cap::TessControlProgram, &format!("!!NVtcp5.0\n{text}\nEND"));
}

/// Draws patches of `size` vertices. Red is the vertex number. Fragments show texture coordinates 0.
fn drawn(context: &mut Context, size: i32, vertices: &[[f32; 2]]) -> (Framebuffer, Stats) {
    let mut target = Framebuffer::new(SIDE, SIDE).expect("small");
    let (threads, cancel) = (Threads::new(Some(2)), AtomicBool::new(false));
    let show = "!!ARBfp1.0 MOV result.color, fragment.texcoord[0]; END";
    load(context, Stage::Fragment, Cap::FragmentProgram, show);
    context.patch_parameter_i(PatchNumber::Vertices, size).expect("set");
    context.begin(Primitive::Patches).expect("begun");
    for (number, vertex) in vertices.iter().enumerate() {
        context.color([number as f32 / NUMBERS, 0.0, 0.0, 1.0]).expect("a colour");
        context.vertex(*vertex).expect("a vertex");
    }
    let call = context.end().expect("ended");
    let mut canvas = Canvas { target: &mut target, threads: &threads, cancel: &cancel };
    let stats = canvas.render(&call).expect("allowed").expect("not cancelled");
    (target, stats)
}

/// Sets the default levels, for draws without a control program.
fn levels(context: &mut Context, outer: [f32; 4], inner: [f32; 2]) {
    context.patch_parameter_fv(PatchLevels::DefaultOuter, &outer[..]).expect("set");
    context.patch_parameter_fv(PatchLevels::DefaultInner, &inner[..]).expect("set");
}

const SQUARE: [[f32; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];

/// The square from corner 0 to corner 3; for triangles, the three corners.
const QUADS: &str =
    "ATTRIB at = vertex.tesscoord; TEMP a, b; LRP a, at.x, vertex[1].position, vertex[0].position;
LRP b, at.x, vertex[3].position, vertex[2].position; LRP result.position, at.y, b, a; MOV result.texcoord[0], at;";
const TRIANGLES: &str = "ATTRIB at = vertex.tesscoord; TEMP a; MUL a, vertex[0].position, at.x;
MAD a, vertex[1].position, at.y, a; MAD result.position, vertex[2].position, at.z, a; MOV result.texcoord[0], at;";

#[test]
fn a_divided_square_covers_every_pixel_once() {
    for spacing in ["EQUAL", "FRACTIONAL_ODD", "FRACTIONAL_EVEN"] {
        for order in ["CCW", "CW"] {
            let mut context = Context::new();
            let head = format!("TESS_MODE QUADS; TESS_SPACING {spacing}; TESS_VERTEX_ORDER {order};");
            evaluate(&mut context, &format!("{head}{QUADS}"));
            context.enable(Cap::CullFace).expect("enabled");
            context.cull_face(if order == "CW" { enums::FRONT } else { enums::BACK }).expect("set");
            for (outer, inner) in [
                ([1.0; 4], [1.0; 2]),
                ([1.0, 2.0, 3.0, 4.0], [5.0, 2.0]),
                ([7.5, 2.25, 1.0, 9.0], [1.0, 3.5]),
                ([64.0, 1.0, 80.0, 2.0], [64.0, 64.0]),
            ] {
                levels(&mut context, outer, inner);
                let (target, stats) = drawn(&mut context, 4, &SQUARE);
                let all = u64::from(SIDE * SIDE);
                let told = format!("{spacing} {order} {outer:?} {inner:?}");
                assert_eq!((stats.patches, stats.fragments, stats.written), (1, all, all), "{told}");
                // Interpolated values equal the patch's values, except that vertices are up to 1/512 of a
                // pixel off their places.
                for (pixel, [x, y]) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| [x, y])).enumerate() {
                    let [u, v] = [x, y].map(|n| (n as f32 + 0.5) / SIDE as f32);
                    let [r, g, b, _] = target.color.at(pixel);
                    assert!((r - u).abs() < 2e-4 && (g - v).abs() < 2e-4 && b == 0.0, "{told} {x} {y}");
                }
            }
        }
    }
}

#[test]
fn a_divided_triangle_is_that_triangle() {
    let corners = [[-0.9, -0.8], [0.95, -0.3], [-0.2, 0.9]];
    let mut plain = Context::new();
    plain.begin(Primitive::Triangles).expect("begun");
    corners.iter().for_each(|corner| plain.vertex(*corner).expect("a vertex"));
    let call = plain.end().expect("ended");
    let mut target = Framebuffer::new(SIDE, SIDE).expect("small");
    let (threads, cancel) = (Threads::new(Some(1)), AtomicBool::new(false));
    let mut canvas = Canvas { target: &mut target, threads: &threads, cancel: &cancel };
    let wanted = canvas.render(&call).expect("allowed").expect("not cancelled").written;
    let mut context = Context::new();
    evaluate(&mut context, &format!("TESS_MODE TRIANGLES;{TRIANGLES}"));
    let (_, stats) = drawn(&mut context, 3, &corners);
    assert_eq!((stats.written, stats.evaluated, stats.primitives), (wanted, 3, 1));
    // Vertices have the same orientation as the corners, so both have the same front face.
    context.enable(Cap::CullFace).expect("enabled");
    let (_, stats) = drawn(&mut context, 3, &corners);
    assert_eq!(stats.written, wanted);
    levels(&mut context, [2.0; 4], [2.0; 2]);
    let (_, stats) = drawn(&mut context, 3, &corners);
    // Six vertices at the edges, one in the middle.
    assert_eq!((stats.evaluated, stats.primitives), (7, 6));
}

#[test]
fn isolines_and_points_are_counted_as_they_are_divided() {
    let mut context = Context::new();
    evaluate(&mut context, &format!("TESS_MODE ISOLINES;{QUADS}"));
    levels(&mut context, [3.0, 5.0, 1.0, 1.0], [1.0; 2]);
    let (_, stats) = drawn(&mut context, 4, &SQUARE);
    assert_eq!((stats.evaluated, stats.primitives), (18, 15));
    evaluate(&mut context, &format!("TESS_MODE QUADS; TESS_POINT_MODE;{QUADS}"));
    levels(&mut context, [4.0; 4], [4.0; 2]);
    let (_, stats) = drawn(&mut context, 4, &SQUARE);
    assert_eq!((stats.evaluated, stats.primitives), (25, 25));
}

/// Patches of five vertices: 12 of them fill a block, with lanes left over. Each patch makes one point. Its
/// colour comes from values that the first invocation reads from the others.
#[test]
fn patches_are_each_their_own_across_blocks() {
    let mut context = Context::new();
    control(
        &mut context,
        "VERTICES_OUT 5; ATTRIB own = vertex.color; ATTRIB place = vertex.position; ATTRIB seen = vertex.out.attrib[0];
         INT TEMP me; TEMP t; MOV.S me.x, primitive.invocation; MOV result.attrib[0], own[me.x]; MOV result.position, place[me.x];
         ADD t, seen[0], seen[1]; ADD t, t, seen[2]; ADD t, t, seen[3]; ADD t, t, seen[4]; MOV result.attrib[1], t;
         I2F t.y, primitive.id.x; MOV result.patch.attrib[2], t; MOV result.patch.tessouter[0].x, 1;
         MOV result.patch.tessouter[1].x, 1; MOV result.patch.tessouter[2].x, 1; MOV result.patch.tessinner[0].x, 1;",
    );
    // All three points are at the same place.
    evaluate(
        &mut context,
        "TESS_MODE TRIANGLES; TESS_POINT_MODE; MOV result.position, vertex[4].position;
         MOV result.texcoord[0], primitive.patch.attrib[2]; MOV result.texcoord[0].z, vertex[3].attrib[1].x; I2F result.texcoord[0].w, primitive.vertexcount.x;",
    );
    let center = |n: usize| (n as f32 + 0.5) / 8.0 - 1.0;
    let vertices: Vec<[f32; 2]> = (0..200 * 5)
        .map(|n| [center(n / 5 % 16), if n % 5 == 4 { center(n / 5 / 16) } else { 9.0 }])
        .collect();
    let (target, stats) = drawn(&mut context, 5, &vertices);
    assert_eq!((stats.controlled, stats.patches, stats.evaluated), (1000, 200, 600));
    for patch in 0..200 {
        let sum = (0..5).map(|n| (5 * patch + n) as f32).sum::<f32>();
        assert_eq!(target.color.at(patch), [sum / NUMBERS, patch as f32, sum / NUMBERS, 5.0], "{patch}");
    }
}

/// A geometry program reads the levels of its patch: the default levels or the control program's (2.X.3.2).
/// The draw and a single invocation read the same levels.
#[test]
fn geometry_programs_read_the_levels_of_patches() {
    let level = |levels: &TessellationLevels, number: usize| match number {
        0..4 => levels.outer[number],
        _ => levels.inner[number - 4],
    };
    let names =
        ["tessouter[0]", "tessouter[1]", "tessouter[2]", "tessouter[3]", "tessinner[0]", "tessinner[1]"];
    let initial = TessellationLevels::DEFAULT;
    let given = TessellationLevels { outer: [2.5, 0.0, -3.25, 64.0], inner: [7.0, 0.5] };
    let controlled = TessellationLevels { outer: [0.25; 4], inner: [0.25; 2] };
    for (number, name) in names.into_iter().enumerate() {
        for (set, control_program, expected) in
            [(false, false, initial), (true, false, given), (true, true, controlled)]
        {
            let mut context = Context::new();
            if set {
                levels(&mut context, given.outer, given.inner);
            }
            if control_program {
                let writes: String = names.map(|name| format!("MOV result.patch.{name}.x, 0.25;")).concat();
                let text = format!("VERTICES_OUT 1; MOV result.position, vertex[0].position; {writes}");
                control(&mut context, &text);
            }
            let geometry = format!(
                "!!NVgp5.0 PRIMITIVE_IN PATCHES; PRIMITIVE_OUT POINTS; VERTICES_OUT 1; ATTRIB all[2] = {{ primitive.tessouter[0..1] }};
                 MOV result.position, vertex[0].position; MOV result.texcoord[0].x, primitive.{name}.x;
                 MOV result.texcoord[0].y, all[1].x; MOV result.texcoord[0].z, primitive.patch.attrib[3].w; EMIT; END"
            );
            load(&mut context, Stage::Geometry, Cap::GeometryProgram, &geometry);
            let (target, stats) = drawn(&mut context, 1, &[[0.03, 0.03], [0.53, 0.53]]);
            let what = format!("{name} {set} {control_program}");
            assert_eq!((stats.invocations, stats.written), (2, 2), "{what}");
            let undefined = if control_program { 1.0 } else { 0.0 };
            for pixel in [[8, 8], [12, 12]] {
                let found = target.color.at(target.index(pixel[0], pixel[1]).expect("inside"));
                assert_eq!(found[..3], [level(&expected, number), expected.outer[1], undefined], "{what}");
            }
            context.begin(Primitive::Patches).expect("begun");
            context.vertex([0.0f32, 0.0]).expect("a vertex");
            context.vertex([0.0f32, 0.0]).expect("a vertex");
            let call = context.end().expect("ended");
            for patch in 0..2 {
                let (read, _) = call.primitive_inputs([SIDE; 2], (patch, 0, 0)).expect("a patch");
                let result = if number < 4 {
                    PatchResult::Outer(number as u8)
                } else {
                    PatchResult::Inner(number as u8 - 4)
                };
                let mut values =
                    read.0.iter().filter(|(attribute, _)| *attribute == Attribute::OfPatch(result));
                let value = values.next().map(|(_, value)| singles(*value)[0]);
                assert_eq!(value, Some(level(&expected, number)), "{what}");
            }
        }
    }
}

#[test]
fn a_patch_with_an_outer_level_of_zero_is_not_drawn() {
    let mut context = Context::new();
    control(
        &mut context,
        "VERTICES_OUT 4; ATTRIB p = vertex.position; INT TEMP me; MOV.S me.x, primitive.invocation; MOV result.position, p[me.x];
         PARAM on = program.local[0]; MOV result.patch.tessouter[0].x, on.x; MOV result.patch.tessouter[1].x, on.y;
         MOV result.patch.tessouter[2].x, on.z; MOV result.patch.tessouter[3].x, on.w; MOV result.patch.tessinner[0].x, 1;
         MOV result.patch.tessinner[1].x, 1;",
    );
    evaluate(&mut context, &format!("TESS_MODE QUADS;{QUADS}"));
    for (levels, patches) in [
        ([1.0, 1.0, 1.0, 1.0], 1),
        ([1.0, 0.0, 1.0, 1.0], 0),
        ([1.0, 1.0, -2.0, 1.0], 0),
        ([1.0, 1.0, 1.0, f32::NAN], 0),
    ] {
        context.program_local_parameter4(Stage::TessControl, 0, levels).expect("set");
        let (_, stats) = drawn(&mut context, 4, &SQUARE);
        assert_eq!((stats.patches, stats.patches_discarded), (1, 1 - patches), "{levels:?}");
        assert_eq!(stats.written, patches * u64::from(SIDE * SIDE), "{levels:?}");
    }
    // Isolines have two outer levels.
    evaluate(&mut context, &format!("TESS_MODE ISOLINES;{QUADS}"));
    context.program_local_parameter4(Stage::TessControl, 0, [1.0, 1.0, 0.0, -1.0]).expect("set");
    let (_, stats) = drawn(&mut context, 4, &SQUARE);
    assert_eq!((stats.patches, stats.patches_discarded), (1, 0));
}

#[test]
fn a_geometry_program_gets_what_patches_are_divided_into() {
    let mut context = Context::new();
    evaluate(&mut context, &format!("TESS_MODE QUADS;{QUADS}"));
    levels(&mut context, [2.0; 4], [2.0; 2]);
    load(
        &mut context,
        Stage::Geometry,
        Cap::GeometryProgram,
        "!!NVgp5.0 PRIMITIVE_IN TRIANGLES; PRIMITIVE_OUT TRIANGLE_STRIP; VERTICES_OUT 3; ATTRIB p = vertex.position; TEMP c;
         I2F c, primitive.id.x; MOV result.texcoord[0], c; MOV result.position, p[0]; EMIT; MOV result.texcoord[0], c; MOV result.position, p[1]; EMIT;
         MOV result.texcoord[0], c; MOV result.position, p[2]; EMIT; END",
    );
    // Two squares side by side: the id is the patch's.
    let mut vertices = SQUARE.map(|[x, y]| [0.5 * x - 0.5, y]).to_vec();
    vertices.extend(SQUARE.map(|[x, y]| [0.5 * x + 0.5, y]));
    let (target, stats) = drawn(&mut context, 4, &vertices);
    assert_eq!((stats.invocations, stats.emitted, stats.written), (16, 48, u64::from(SIDE * SIDE)));
    assert_eq!(target.color.at(0)[0], 0.0);
    assert_eq!(target.color.at(SIDE as usize - 1)[0], 1.0);
}

#[test]
fn a_geometry_program_reads_patches_that_nothing_divides() {
    let mut context = Context::new();
    load(
        &mut context,
        Stage::Geometry,
        Cap::GeometryProgram,
        "!!NVgp5.0 PRIMITIVE_IN PATCHES; PRIMITIVE_OUT POINTS; VERTICES_OUT 1; TEMP c; I2F c, primitive.vertexcount.x;
         MOV result.texcoord[0], c; MOV result.position, vertex[4].position; EMIT; END",
    );
    let (target, stats) = drawn(&mut context, 5, &[[-0.9375, -0.9375]; 11]);
    assert_eq!((stats.invocations, stats.written), (2, 2));
    assert_eq!(target.color.at(0), [5.0; 4]);
    raises(&mut context, InvalidOperation, |context| context.begin(Primitive::Triangles));
}

#[test]
fn modes_and_programs_have_to_fit() {
    let mut context = Context::new();
    raises(&mut context, InvalidOperation, |context| context.begin(Primitive::Patches));
    context.enable(Cap::TessEvaluationProgram).expect("enabled");
    // The stage is enabled without a program.
    raises(&mut context, InvalidOperation, |context| context.begin(Primitive::Patches));
    evaluate(&mut context, &format!("TESS_MODE QUADS;{QUADS}"));
    for mode in Primitive::ALL.into_iter().filter(|mode| *mode != Primitive::Patches) {
        raises(&mut context, InvalidOperation, |context| context.begin(mode));
    }
    context.begin(Primitive::Patches).expect("begun");
    context.end().expect("ended");
    // A control program alone does not tessellate.
    let mut context = Context::new();
    control(&mut context, "VERTICES_OUT 1; MOV result.position, vertex[0].position;");
    raises(&mut context, InvalidOperation, |context| context.begin(Primitive::Patches));
    // The tessellator's primitives must fit the geometry program.
    let mut context = Context::new();
    evaluate(&mut context, &format!("TESS_MODE ISOLINES;{QUADS}"));
    let geometry = "!!NVgp5.0 PRIMITIVE_IN TRIANGLES; PRIMITIVE_OUT POINTS; VERTICES_OUT 1; EMIT; END";
    load(&mut context, Stage::Geometry, Cap::GeometryProgram, geometry);
    raises(&mut context, InvalidOperation, |context| context.begin(Primitive::Patches));
}

#[test]
fn patch_parameters_are_state() {
    let mut context = Context::new();
    for vertices in [0, -1, 33] {
        raises(&mut context, InvalidValue, |context| {
            context.patch_parameter_i(PatchNumber::Vertices, vertices)
        });
    }
    raises(&mut context, InvalidEnum, |context| context.patch_parameter_i(enums::TRIANGLES, 3));
    raises(&mut context, InvalidEnum, |context| {
        context.patch_parameter_fv(enums::PATCH_VERTICES, &[1.0, 2.0][..])
    });
    assert_eq!(context.get_patch_number(PatchNumber::Vertices), Ok(3));
    context.patch_parameter_i(enums::PATCH_VERTICES, 32).expect("set");
    assert_eq!(context.get_patch_number(enums::PATCH_VERTICES), Ok(32));
    let asked = |context: &Context| {
        let outer = context.get_patch_levels(PatchLevels::DefaultOuter).expect("levels").to_vec();
        let inner = context.get_patch_levels(enums::PATCH_DEFAULT_INNER_LEVEL).expect("levels").to_vec();
        (outer, inner)
    };
    assert_eq!(asked(&context), (vec![1.0; 4], vec![1.0; 2]));
    levels(&mut context, [2.0, 3.0, 4.5, 5.0], [6.0, 7.0]);
    assert_eq!(asked(&context), (vec![2.0, 3.0, 4.5, 5.0], vec![6.0, 7.0]));
    let short = [1.0; 3];
    raises(&mut context, InvalidValue, |context| {
        context.patch_parameter_fv(PatchLevels::DefaultOuter, &short[..])
    });
    assert_eq!(asked(&context).0, [2.0, 3.0, 4.5, 5.0]);
    assert_eq!(context.get_limit(enums::MAX_PATCH_VERTICES), Ok(32));
    assert_eq!(context.get_limit(enums::MAX_TESS_GEN_LEVEL), Ok(64));
    // Too few vertices make no patch.
    evaluate(&mut context, &format!("TESS_MODE QUADS;{QUADS}"));
    let (_, stats) = drawn(&mut context, 5, &SQUARE);
    assert_eq!((stats.patches, stats.written), (0, 0));
}

#[test]
fn different_values_for_what_a_patch_has_are_told() {
    let written = [
        // All invocations write the same value, different values, only the first writes, and all write in
        // sequence.
        ("MOV result.patch.attrib[0], 1;", None),
        ("MOV result.patch.attrib[0], n.x;", Some(([0, 1], 3 * 3))),
        ("MOV.S.CC j.x, i.x; MOV result.patch.attrib[0] (EQ.x), n.x;", None),
        (
            "SEQ.S.CC j.x, i.x, 1; IF NE.x; MOV result.patch.attrib[0], n.x; ELSE; MOV result.patch.attrib[1], 5; ENDIF;",
            None,
        ),
        // Two of four invocations write. Unwritten components are ignored.
        ("SGE.S.CC j.x, i.x, 2; MOV result.patch.attrib[0].y (NE.x), n.x;", Some(([2, 3], 3))),
        ("MOV n.y, 0; MOV result.patch.attrib[0].y, n.y;", None),
        // Only in the second iteration.
        (
            "MOV n.y, 0; REP.S {3}; SEQ n.z, n.y, 1; MUL n.w, n.z, n.x; MOV result.patch.attrib[2].x, n.w; ADD n.y, n.y, 1; ENDREP;",
            Some(([0, 1], 3 * 3)),
        ),
    ];
    for (text, expected) in written {
        let told =
            expected.map(|(invocations, count)| (Hazard::Writes, Apart::Instruction, invocations, count));
        assert_eq!(conflicts([text, ""]), told.into_iter().collect::<Vec<_>>(), "{text}");
    }
}

/// A conflict without its patch and instructions.
type Told = (Hazard, Apart, [u8; 2], u64);

#[test]
fn what_has_no_order_is_told() {
    const WRITES: Hazard = Hazard::Writes;
    const READ: Hazard = Hazard::ReadAndWrite;
    const ONE: Apart = Apart::Instruction;
    const SIDES: Apart = Apart::Sides;
    const HALVES: &str = "SGE.S.CC j.x, i.x, 2;";
    let cases: [(&str, &str, &[Told]); 20] = [
        // In one instruction: four invocations write a value that three others read.
        (
            "ADD result.patch.attrib[0].xy, primitive.out.patch.attrib[0], 1;",
            "",
            &[(READ, ONE, [0, 1], 4 * 3 * 3)],
        ),
        (
            "ADD result.patch.attrib[0].x, primitive.out.patch.attrib[0].x, n.x;",
            "",
            &[(WRITES, ONE, [0, 1], 3 * 3), (READ, ONE, [0, 1], 4 * 3 * 3)],
        ),
        (
            "OUTPUT p[] = { result.patch.attrib[0..3] }; ATTRIB q[] = { primitive.out.patch.attrib[0..3] }; ADD p[i.x].x, q[i.x].x, 1;",
            "",
            &[],
        ),
        ("ADD result.patch.attrib[0].x, primitive.out.patch.attrib[0].y, 1;", "", &[]),
        (
            "MOV.S.CC j.x, i.x; ADD result.patch.attrib[0].x (EQ.x), primitive.out.patch.attrib[0].x, 1;",
            "",
            &[(READ, ONE, [0, 1], 3 * 3)],
        ),
        (
            "MOV.S.CC j.x, i.x; IF EQ.x; ADD result.patch.attrib[0].x, primitive.out.patch.attrib[0].x, 1; ENDIF;",
            "",
            &[],
        ),
        // Vertex outputs: of another vertex, and each of its own.
        ("ADD result.attrib[0].x, vertex.out[1].attrib[0].x, 1;", "", &[(READ, ONE, [1, 0], 3 * 3)]),
        ("ATTRIB v = vertex.out.attrib[0]; ADD result.attrib[0].x, v[i.x].x, 1;", "", &[]),
        // On both sides of a branch: different values, equal values, and after both.
        (
            "HALVES IF NE.x; MOV result.patch.attrib[0].x, 1; ELSE; MOV result.patch.attrib[0].x, 2; ENDIF;",
            "",
            &[(WRITES, SIDES, [2, 0], 2 * 2 * 3)],
        ),
        (
            "HALVES IF NE.x; MOV result.patch.attrib[0].x, 1; ELSE; MOV result.patch.attrib[0].x, 1; ENDIF;",
            "",
            &[],
        ),
        (
            "HALVES IF NE.x; MOV result.patch.attrib[0].x, 1; ELSE; MOV result.patch.attrib[0].y, 2; ENDIF; MOV result.patch.attrib[0].x, 2;",
            "",
            &[],
        ),
        // One side reads the value that the other side writes, in either order, and in a loop.
        (
            "HALVES IF NE.x; MOV result.patch.attrib[0].x, 1; ELSE; MOV n.y, primitive.out.patch.attrib[0].x; ENDIF; MOV result.attrib[0], n.y;",
            "",
            &[(READ, SIDES, [2, 0], 2 * 2 * 3)],
        ),
        (
            "HALVES IF NE.x; MOV n.y, vertex.out[0].attrib[1].x; ELSE; MOV result.attrib[1].x, 1; ENDIF; MOV result.attrib[0], n.y;",
            "",
            &[(READ, SIDES, [0, 2], 2 * 3)],
        ),
        (
            "HALVES IF NE.x; REP.S {2}; MOV result.patch.attrib[0].x, 1; ENDREP; ELSE; MOV n.y, primitive.out.patch.attrib[0].x; ENDIF;
             MOV result.attrib[0], n.y;",
            "",
            &[(READ, SIDES, [2, 0], 2 * 2 * 3)],
        ),
        // In a subroutine later in the text, and in one that both sides call.
        (
            "HALVES IF NE.x; CAL part; ELSE; MOV result.patch.attrib[0].x, 2; ENDIF;",
            "part: MOV result.patch.attrib[0].x, 1; RET;",
            &[(WRITES, SIDES, [0, 2], 2 * 2 * 3)],
        ),
        (
            "HALVES IF NE.x; CAL part; ELSE; CAL part; ENDIF;",
            "part: MOV result.patch.attrib[0].x, n.x; RET;",
            &[(WRITES, ONE, [0, 1], 2 * 3), (WRITES, SIDES, [2, 0], 2 * 2 * 3)],
        ),
        // In nested blocks.
        (
            "HALVES IF NE.x; SEQ.S.CC j.x, i.x, 3; IF NE.x; MOV result.patch.attrib[0].x, 1; ENDIF; ELSE; MOV result.patch.attrib[0].x, 2; ENDIF;",
            "",
            &[(WRITES, SIDES, [3, 0], 2 * 3)],
        ),
        (
            "HALVES IF NE.x; SEQ.S.CC j.x, i.x, 3; IF NE.x; MOV result.patch.attrib[0].x, 1; ELSE; MOV result.patch.attrib[0].x, 2; ENDIF; ENDIF;",
            "",
            &[(WRITES, SIDES, [3, 2], 3)],
        ),
        // The second iteration comes after the first. Code after a loop comes after the iterations of lanes
        // that left early.
        (
            "MOV n.y, 0; REP.S {2}; SEQ n.z, n.y, 0; SGE n.w, n.x, 2; MUL.CC n.z, n.z, n.w; IF NE.z; MOV result.patch.attrib[0].x, 1; ELSE;
             MOV.CC n.w, n.y; IF NE.w; MOV n.z, primitive.out.patch.attrib[0].x; ENDIF; ENDIF; ADD n.y, n.y, 1; ENDREP; MOV result.attrib[0], n.z;",
            "",
            &[],
        ),
        (
            "HALVES REP.S {2}; IF NE.x; BRK; MOV result.patch.attrib[0].x, 3; ELSE; MOV n.y, primitive.out.patch.attrib[0].x; ENDIF; ENDREP;
             MOV result.patch.attrib[0].x, 1; MOV result.attrib[0], n.y;",
            "",
            &[],
        ),
    ];
    for (text, subroutine, expected) in cases {
        let text = text.replace("HALVES", HALVES);
        assert_eq!(conflicts([&text, subroutine]), expected, "{text}");
    }
}

/// The conflicts of a control program with four invocations, for three patches. `i.x` and `n.x` are the
/// invocation number. All conflicts come from the first patch. The function also checks a variant that writes
/// memory. That variant runs patch by patch and is not run again, so it finds only write conflicts within one
/// instruction.
fn conflicts([text, subroutine]: [&str; 2]) -> Vec<Told> {
    let [plain, storing] = ["", "LONG TEMP a; MOV.U64 a.x, 0; STORE.S32 i, a.x;"].map(|store| {
        let option = if store.is_empty() { "" } else { "OPTION NV_shader_buffer_load;" };
        let mut context = Context::new();
        control(
            &mut context,
            &format!(
                "{option}VERTICES_OUT 4; TEMP n; INT TEMP i, j; MOV.S i.x, primitive.invocation.x; I2F n.x, i.x;
                {text}\n{store}MOV result.position, 0; RET;\n{subroutine}"
            ),
        );
        evaluate(&mut context, &format!("TESS_MODE QUADS;{QUADS}"));
        context.patch_parameter_i(PatchNumber::Vertices, 1).expect("set");
        context.begin(Primitive::Patches).expect("begun");
        for _ in 0..3 {
            context.vertex([0.0, 0.0]).expect("a vertex");
        }
        let call = context.end().expect("ended");
        let (threads, cancel) = (Threads::new(Some(2)), AtomicBool::new(false));
        let mut target = Framebuffer::new(SIDE, SIDE).expect("small");
        call.render(&mut target, &threads, &cancel).expect("not cancelled");
        assert_eq!(call.patch_conflicts(), [], "nobody wants to know");
        call.find_races(true);
        call.render(&mut target, &threads, &cancel).expect("not cancelled");
        let found = call.patch_conflicts();
        assert!(found.iter().all(|conflict| conflict.patch == 0), "{text}: {found:?}");
        let told =
            |found: &PatchConflict| -> Told { (found.hazard, found.apart, found.invocations, found.count) };
        found.iter().map(told).collect::<Vec<_>>()
    });
    let seen = plain.iter().filter(|told| (told.0, told.1) == (Hazard::Writes, Apart::Instruction));
    assert_eq!(storing, seen.copied().collect::<Vec<_>>(), "{text}");
    plain
}
