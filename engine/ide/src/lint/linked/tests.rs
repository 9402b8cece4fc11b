//! Programs of several stages with known warnings, and similar programs without any.

use super::{DrawState, RecordedResult, SharedImage, Stages, linked};
use crate::lint::Interface;
use shadestep_language::front::load;
use shadestep_language::ir::{TextureTarget, VertexResult};
use shadestep_language::isa::{Language, Stage};

const STATE: DrawState = DrawState {
    discards_primitives: false,
    two_side: false,
    flat_colors: false,
    writes_color: true,
    replaced_coordinates: 0,
};

/// A result that the default stream records.
const fn recorded(result: VertexResult, components: u8) -> RecordedResult {
    RecordedResult { stream: 0, result, components }
}

/// The warnings about `texts` together: the stage, the code's end, and the marked text.
fn found<'t>(
    texts: &[&'t str],
    change: impl for<'s> FnOnce(&'s mut Stages<'_>),
) -> Vec<(Stage, &'static str, &'t str)> {
    warnings(texts, change).into_iter().map(|(stage, code, marked, _)| (stage, code, marked)).collect()
}

fn warnings<'t>(
    texts: &[&'t str],
    change: impl for<'s> FnOnce(&'s mut Stages<'_>),
) -> Vec<(Stage, &'static str, &'t str, String)> {
    let interface = |text: &&str| {
        let loaded = load(text.as_bytes());
        let program = loaded.program.unwrap_or_else(|| panic!("{text}\n{:#?}", loaded.diagnostics));
        (program.stage(), Interface::of(&program))
    };
    let all: Vec<(Stage, Interface)> = texts.iter().map(interface).collect();
    let of = |stage| all.iter().find(|(own, _)| *own == stage).map(|(_, interface)| interface);
    let mut stages = Stages {
        vertex: of(Stage::Vertex),
        control: of(Stage::TessControl),
        evaluation: of(Stage::TessEvaluation),
        geometry: of(Stage::Geometry),
        fragment: of(Stage::Fragment),
        covers_window: false,
        state: STATE,
        fixed_texture: None,
        recorded: &[],
        shared: &[],
    };
    change(&mut stages);
    let marked = |(stage, warning): (Stage, shadestep_language::diag::Diagnostic)| {
        let is_own = |text: &&&str| Language::of_header(text.as_bytes()).map(Language::stage) == Some(stage);
        let text = texts.iter().find(is_own).unwrap();
        let code = warning.code.name().strip_prefix("link-").unwrap();
        assert!(!warning.notes.is_empty(), "{warning:?}");
        assert!(warning.code.row().clauses.contains(&warning.clause()), "{warning:?}");
        (stage, code, &text[warning.span().start..warning.span().end], warning.message)
    };
    linked(&stages).into_iter().map(marked).collect()
}

fn same(_: &mut Stages<'_>) {}

const UNWRITTEN: &str = "unwritten-result";
const NUMBERS: &str = "other-numbers";
const VP4: &str = "!!NVvp4.0 MOV result.position, vertex.position; MOV result.attrib[0].xy, vertex.position; \
    MOV result.color, vertex.color; END";

#[test]
fn results_that_no_stage_writes_are_told_of() {
    let fragment = "!!NVfp4.0 MOV result.color, fragment.attrib[1]; END";
    let all = warnings(&[VP4, fragment], same);
    assert_eq!(
        all[0].3,
        "fragment.attrib[1] is read, but the vertex program does not write result.attrib[1]"
    );
    assert_eq!(found(&[VP4, fragment], same), [(Stage::Fragment, UNWRITTEN, "fragment.attrib[1]")]);
    // Single components count.
    let fragment = "!!NVfp4.0 MOV result.color, fragment.attrib[0]; END";
    assert_eq!(
        warnings(&[VP4, fragment], same)[0].3,
        "fragment.attrib[0].zw is read, but the vertex program does not write result.attrib[0].zw"
    );
    let fragment = "!!NVfp4.0 MOV result.color, fragment.attrib[0].x; END";
    assert_eq!(found(&[VP4, fragment], same), []);
    // The program does not use the value that it reads.
    let fragment = "!!NVfp4.0 TEMP a; MOV a, fragment.attrib[0]; MOV result.color, a.y; END";
    assert_eq!(found(&[VP4, fragment], same), []);
    let fragment = "!!NVfp4.0 TEX result.color, fragment.attrib[0], texture[0], 2D; END";
    assert_eq!(found(&[VP4, fragment], same), []);
    let fragment = "!!NVfp4.0 TXP result.color, fragment.attrib[0], texture[0], 2D; END";
    assert_eq!(found(&[VP4, fragment], same), [(Stage::Fragment, UNWRITTEN, "fragment.attrib[0]")]);
    // No program writes the attributes of the window.
    let fragment = "!!NVfp4.0 TEMP a; MAD a, fragment.position, fragment.facing.x, primitive.id.x; \
        MOV result.color, a; END";
    assert_eq!(found(&[VP4, fragment], same), []);
    // One path with a write is enough, and so is an index chosen at run time.
    let vertex = "!!NVvp4.0 TEMP a; INT TEMP i; OUTPUT o[3] = { result.attrib[0..2] }; MOV.CC a, vertex.position; \
        MOV result.position, a; IF GT.x; MOV result.texcoord[0], a; ENDIF; MOV.S i.x, vertex.id.x; MOV o[i.x], a; END";
    let fragment = "!!NVfp4.0 ADD result.color, fragment.attrib[1], fragment.texcoord[0]; END";
    assert_eq!(found(&[vertex, fragment], same), []);
    // An index chooses one of several reads.
    let fragment = |first: u32| {
        format!(
            "!!NVfp4.0 INT TEMP i; ATTRIB a[2] = {{ fragment.attrib[{first}..{}] }}; FLR.S i.x, fragment.position.x; \
             MOV result.color, a[i.x]; END",
            first + 1
        )
    };
    assert_eq!(found(&[vertex, &fragment(2)], same), []);
    assert_eq!(found(&[vertex, &fragment(3)], same).len(), 1);
}

/// A copy of a whole attribute reads only the components that a later stage needs.
#[test]
fn components_that_stages_pass_on_are_told_of_where_one_needs_them() {
    const PASS: &str = "!!NVgp4.0 PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 1; \
        MOV result.position, vertex[0].position; MOV result.attrib[0], vertex[0].attrib[0]; EMIT; END";
    let pass = PASS;
    let fragment = |read: &str| format!("!!NVfp4.0 MOV result.color, fragment.attrib[0].{read}; END");
    assert_eq!(found(&[VP4, pass, &fragment("xyxy")], same), []);
    let texts = [VP4, pass, &fragment("xzxz")];
    assert_eq!(found(&texts, same), [(Stage::Geometry, UNWRITTEN, "vertex[0].attrib[0]")]);
    assert_eq!(
        warnings(&texts, same)[0].3,
        "vertex[0].attrib[0].z is read, but the vertex program does not write result.attrib[0].z"
    );
    // Transform feedback needs the components that it records.
    let texts = [VP4, pass, &fragment("x")];
    let record = |stages: &mut Stages<'_>| {
        stages.recorded = const { &[recorded(VertexResult::Generic(0), 3)] };
    };
    assert_eq!(found(&texts, record).len(), 1);
    // The fixed-function fragment stage samples texture 0 at texcoord[0], if there is a texture.
    let pass = pass.replace("attrib[0]", "texcoord[0]");
    let vertex = "!!NVvp4.0 MOV result.position, vertex.position; MOV result.color, 1; END";
    let pass = pass.replace("EMIT", "MOV result.color, vertex[0].color; EMIT");
    assert_eq!(found(&[vertex, &pass], same), []);
    let textured = |stages: &mut Stages<'_>| stages.fixed_texture = Some(TextureTarget::D2);
    assert_eq!(found(&[vertex, &pass], textured), [(Stage::Geometry, UNWRITTEN, "vertex[0].texcoord[0]")]);
    let pass = PASS;
    // Other uses are reads: another place, a condition code, arithmetic.
    for write in [
        "MOV result.attrib[0], vertex[0].attrib[0].yxzw",
        "MOV.CC result.attrib[0], vertex[0].attrib[0]",
        "ADD result.attrib[0], vertex[0].attrib[0], 1",
    ] {
        let used = pass.replace("MOV result.attrib[0], vertex[0].attrib[0]", write);
        assert_eq!(found(&[VP4, &used, &fragment("x")], same).len(), 1, "{write}");
    }
    // Through two stages.
    let control = "!!NVtcp5.0 VERTICES_OUT 3; ATTRIB p = vertex.position; ATTRIB a = vertex.attrib[0]; \
        INT TEMP i; MOV.S i.x, primitive.invocation; MOV result.position, p[i.x]; MOV result.attrib[0], a[i.x]; \
        MOV result.patch.tessouter[0].x, 1; MOV result.patch.tessouter[1].x, 1; \
        MOV result.patch.tessouter[2].x, 1; MOV result.patch.tessinner[0].x, 1; END";
    let evaluation = "!!NVtep5.0 TESS_MODE TRIANGLES; MOV result.position, vertex[0].position; \
        MOV result.attrib[0], vertex[0].attrib[0]; END";
    assert_eq!(found(&[VP4, control, evaluation, &fragment("xyxy")], same), []);
    let texts = [VP4, control, evaluation, &fragment("w")];
    assert_eq!(found(&texts, same), [(Stage::TessControl, UNWRITTEN, "a[i.x]")]);
}

/// Results of NV_vertex_program start as (0,0,0,1) (2.14.1.5), so programs leave components out on purpose.
/// Results of ARB_vertex_program are undefined (issue 16).
#[test]
fn results_that_begin_defined_are_told_of_as_a_whole() {
    let fragment = "!!FP1.0 TXP R0, f[TEX0], TEX0, 2D; ADD o[COLR], R0, f[TEX1]; END";
    let nv = "!!VP1.1 MOV o[HPOS], v[OPOS]; MOV o[TEX0].xy, v[TEX0]; END";
    assert_eq!(found(&[nv, fragment], same), [(Stage::Fragment, UNWRITTEN, "f[TEX1]")]);
    let arb =
        "!!ARBvp1.0 MOV result.position, vertex.position; MOV result.texcoord[0].xy, vertex.texcoord; END";
    let of_arb = [(Stage::Fragment, UNWRITTEN, "f[TEX0]"), (Stage::Fragment, UNWRITTEN, "f[TEX1]")];
    assert_eq!(found(&[arb, fragment], same), of_arb);
    let invariant = "!!ARBvp1.0 OPTION ARB_position_invariant; MOV result.color, vertex.color; END";
    assert_eq!(found(&[invariant], same), []);
}

/// Fixed-function vertices have no generic interpolants (NV_fragment_program4 2.X.3.2). The rectangle has all
/// attributes.
#[test]
fn stages_without_programs_give_what_they_have() {
    let fragment = "!!NVfp4.0 TEMP a; ADD a, fragment.color, fragment.texcoord[3]; ADD a, a, fragment.fogcoord.x; \
        ADD a, a, fragment.color.secondary; ADD result.color, a, fragment.attrib[0]; END";
    assert_eq!(found(&[fragment], same), [(Stage::Fragment, UNWRITTEN, "fragment.attrib[0]")]);
    assert_eq!(found(&[fragment], |stages| stages.covers_window = true), []);
    let geometry = "!!NVgp4.0 PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 1; \
        ADD result.position, vertex[0].position, vertex[0].pointsize.x; EMIT; END";
    assert_eq!(
        found(&[geometry, "!!FP1.0 MOV o[COLR], f[WPOS]; END"], same),
        [(Stage::Geometry, UNWRITTEN, "vertex[0].pointsize.x")]
    );
    // Without a fragment program, the colour and the texture's coordinates are read. Coordinates are divided
    // by q.
    let vertex =
        "!!ARBvp1.0 MOV result.position, vertex.position; MOV result.texcoord[0].xy, vertex.texcoord; END";
    assert_eq!(found(&[vertex], same), [(Stage::Vertex, UNWRITTEN, "!!ARBvp1.0")]);
    let textured = |stages: &mut Stages<'_>| stages.fixed_texture = Some(TextureTarget::D2);
    let messages: Vec<String> =
        warnings(&[vertex], textured).into_iter().map(|(.., message)| message).collect();
    assert_eq!(
        messages,
        [
            "without a fragment program, fragments take their colour from result.color, but this program does not write it",
            "without a fragment program, texture 0 is sampled at result.texcoord[0].w, but this program does not write it"
        ]
    );
    let hidden = DrawState { writes_color: false, ..STATE };
    assert_eq!(found(&[vertex], |stages| stages.state = hidden), []);
    let discarded = DrawState { discards_primitives: true, ..STATE };
    assert_eq!(found(&[vertex], |stages| stages.state = discarded), []);
    let fragment = "!!FP1.0 MOV o[COLR], f[TEX5]; END";
    assert_eq!(found(&[vertex, fragment], |stages| stages.state = discarded), []);
    let no_position = "!!ARBvp1.0 MOV result.color, vertex.color; END";
    assert_eq!(found(&[no_position], same), [(Stage::Vertex, UNWRITTEN, "!!ARBvp1.0")]);
}

#[test]
fn state_chooses_what_fragments_read() {
    let back = "!!ARBvp1.0 MOV result.position, vertex.position; MOV result.color.back, vertex.color; END";
    let fragment = "!!ARBfp1.0 MOV result.color, fragment.color; END";
    assert_eq!(found(&[back, fragment], same).len(), 1);
    let both = DrawState { two_side: true, ..STATE };
    assert_eq!(found(&[back, fragment], |stages| stages.state = both), []);
    let sprites = DrawState { replaced_coordinates: 0b10, ..STATE };
    let fragment = "!!ARBfp1.0 MOV result.color, fragment.texcoord[1]; END";
    assert_eq!(found(&[VP4, fragment], same).len(), 1);
    assert_eq!(found(&[VP4, fragment], |stages| stages.state = sprites), []);
}

#[test]
fn the_stage_before_is_the_nearest_that_there_is() {
    let control = "!!NVtcp5.0 VERTICES_OUT 3; MOV result.position, vertex[0].position; MOV result.attrib[5], vertex[0].attrib[0].x; \
        MOV result.patch.tessouter[0].x, 1; MOV result.patch.tessouter[1].x, 1; MOV result.patch.tessouter[2].x, 1; \
        MOV result.patch.tessinner[0].x, 1; MOV result.patch.attrib[2], 1; END";
    let evaluation = "!!NVtep5.0 TESS_MODE TRIANGLES; ADD result.position, vertex[0].position, vertex[1].attrib[5]; \
        ADD result.color, primitive.patch.attrib[2], primitive.tessouter[0].x; END";
    let fragment = "!!NVfp4.0 MOV result.color, fragment.color; END";
    assert_eq!(found(&[VP4, control, evaluation, fragment], same), []);
    let without = found(&[VP4, evaluation, fragment], same);
    let expected = [
        (Stage::TessEvaluation, UNWRITTEN, "vertex[1].attrib[5]"),
        (Stage::TessEvaluation, UNWRITTEN, "primitive.patch.attrib[2]"),
    ];
    assert_eq!(without, expected);
    // Fragments get only the results of the evaluation program.
    let fragment = "!!NVfp4.0 MOV result.color, fragment.attrib[0].x; END";
    assert_eq!(
        found(&[VP4, control, evaluation, fragment], same),
        [(Stage::Fragment, UNWRITTEN, "fragment.attrib[0].x")]
    );
    // With a geometry program, only that program writes the number of the primitive.
    let geometry = "!!NVgp4.0 PRIMITIVE_IN TRIANGLES; PRIMITIVE_OUT POINTS; VERTICES_OUT 1; \
        MOV result.position, vertex[2].position; EMIT; END";
    let fragment = "!!NVfp4.0 I2F result.color, primitive.id.x; END";
    assert_eq!(found(&[VP4, geometry, fragment], same), [(Stage::Fragment, UNWRITTEN, "primitive.id.x")]);
    assert_eq!(found(&[VP4, fragment], same), []);
}

#[test]
fn levels_that_patches_need_are_told_of() {
    let control = "!!NVtcp5.0 VERTICES_OUT 3; MOV result.position, vertex[0].position; \
        MOV result.patch.tessouter[0].x, 1; MOV result.patch.tessouter[1].x, 1; END";
    let evaluation = |mode: &str| {
        format!(
            "!!NVtep5.0 TESS_MODE {mode}; MOV result.position, vertex[0].position; MOV result.color, 1; END"
        )
    };
    let of = |mode: &str| {
        let evaluation = evaluation(mode);
        let found = warnings(&[VP4, control, &evaluation], same);
        found.into_iter().map(|(stage, code, _, message)| (stage, code, message)).collect::<Vec<_>>()
    };
    assert_eq!(of("ISOLINES"), []);
    let message = "TRIANGLES patches need result.patch.tessouter[2], result.patch.tessinner[0], but this control program \
        does not write them";
    assert_eq!(of("TRIANGLES"), [(Stage::TessControl, "unwritten-level", message.to_owned())]);
    // A control program without any levels has its own warning.
    let control = "!!NVtcp5.0 VERTICES_OUT 3; MOV result.position, vertex[0].position; END";
    assert_eq!(found(&[VP4, control, &evaluation("QUADS")], same), []);
}

/// NV_fragment_program4 2.X.3.2: bits are read as they were written.
#[test]
fn numbers_of_another_kind_are_told_of() {
    let vertex = "!!NVvp4.0 INT TEMP i; MOV result.position, vertex.position; ADD.S i, vertex.id.x, 1; \
        MOV.S result.attrib[0], i; ADD result.attrib[1], vertex.position, 1; MOV result.attrib[2], vertex.attrib[2]; END";
    let of = |fragment: &'static str| found(&[vertex, fragment], same);
    assert_eq!(
        of("!!NVfp4.0 MUL result.color, fragment.attrib[0], 0.5; END"),
        [(Stage::Fragment, NUMBERS, "fragment.attrib[0]")]
    );
    // A colour has the type of the instruction that writes it.
    assert_eq!(
        of("!!NVfp4.0 MOV result.color, fragment.attrib[0].x; END"),
        [(Stage::Fragment, NUMBERS, "fragment.attrib[0].x")]
    );
    assert_eq!(
        of("!!NVfp4.0 TEMP a; I2F a, fragment.attrib[1]; MOV result.color, a; END"),
        [(Stage::Fragment, NUMBERS, "fragment.attrib[1]")]
    );
    // Converted, or already of the type of the read.
    assert_eq!(of("!!NVfp4.0 TEMP a; I2F a, fragment.attrib[0]; MOV result.color, a; END"), []);
    assert_eq!(of("!!NVfp4.0 MUL result.color, fragment.attrib[1], 0.5; END"), []);
    // Copies fit every type.
    assert_eq!(of("!!NVfp4.0 TEMP a; MOV a, fragment.attrib[0]; I2F a, a; MOV result.color, a; END"), []);
    assert_eq!(of("!!NVfp4.0 TEMP a; I2F a, fragment.attrib[2]; MOV result.color, a; END"), []);
    assert_eq!(of("!!NVfp4.0 MUL result.color, fragment.attrib[2], 0.5; END"), []);
    let fragment = "!!NVfp4.0 TEMP a; I2F a, fragment.texcoord[0]; MOV result.color, a; END";
    assert_eq!(found(&[fragment], same), [(Stage::Fragment, NUMBERS, "fragment.texcoord[0]")]);
}

#[test]
fn vertices_without_what_is_read_of_them_are_told_of() {
    const AT_EMIT: &str = "unwritten-at-emit";
    let geometry = "!!NVgp5.0 PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 2; \
        MOV result.position, vertex[0].position; MOV result.attrib[0], 1; EMIT; \
        MOV result.position, vertex[0].position; EMITS 0; END";
    let read = "!!NVfp4.0 MOV result.color, fragment.attrib[0]; END";
    assert_eq!(found(&[geometry, read], same), [(Stage::Geometry, AT_EMIT, "EMITS 0")]);
    assert!(warnings(&[geometry, read], same)[0].3.contains("result.attrib[0]"));
    // Results that nothing reads, and results that only the provoking vertex provides.
    let flat = "!!NVfp4.0 FLAT ATTRIB a = fragment.attrib[0]; MOV result.color, a; END";
    assert_eq!(found(&[geometry, flat], same), []);
    assert_eq!(found(&[geometry, "!!NVfp4.0 MOV result.color, fragment.position; END"], same), []);
    let colors = geometry.replace("attrib[0]", "color");
    let read = "!!NVfp4.0 MOV result.color, fragment.color; END";
    assert_eq!(found(&[&colors, read], same).len(), 1);
    let flat = DrawState { flat_colors: true, ..STATE };
    assert_eq!(found(&[&colors, read], |stages| stages.state = flat), []);
    // Vertices of other streams are only recorded.
    let streams = geometry.replace("EMITS 0", "EMITS 1");
    let read = "!!NVfp4.0 MOV result.color, fragment.attrib[0]; END";
    assert_eq!(found(&[&streams, read], same), []);
    let recorded = [RecordedResult { stream: 1, ..recorded(VertexResult::Generic(0), 2) }];
    assert_eq!(
        found(&[&streams, read], |stages| stages.recorded = Box::leak(Box::new(recorded))),
        [(Stage::Geometry, AT_EMIT, "EMITS 1")]
    );
}

/// NV_transform_feedback 2.Y: a result that no program writes is undefined.
#[test]
fn recorded_results_are_read() {
    let record = |result| {
        let recorded: &'static [RecordedResult] = Box::leak(Box::new([recorded(result, 3)]));
        let fragment = "!!NVfp4.0 MOV result.color, fragment.color; END";
        found(&[VP4, fragment], |stages| stages.recorded = recorded)
    };
    assert_eq!(record(VertexResult::Generic(1)), [(Stage::Vertex, UNWRITTEN, "!!NVvp4.0")]);
    assert_eq!(record(VertexResult::Generic(0)), [(Stage::Vertex, UNWRITTEN, "!!NVvp4.0")]);
    assert_eq!(record(VertexResult::Hpos), []);
    assert_eq!(record(VertexResult::Col0), []);
    assert_eq!(record(VertexResult::PrimitiveId), []);
}

#[test]
fn lookups_of_what_the_draw_stores_are_told_of() {
    const LOOP: &str = "image-loop";
    let fragment = "!!NVfp5.0 TEMP a; INT TEMP p; FLR.S p, fragment.position; \
        TEX a, fragment.texcoord[0], texture[3], 2D; STOREIM.F32X4 image[1], a, p, 2D; MOV result.color, a; END";
    let shared = |texture_unit, image_unit| {
        let image = SharedImage { texture_unit, target: TextureTarget::D2, image_unit };
        move |stages: &mut Stages<'_>| stages.shared = Box::leak(Box::new([image]))
    };
    assert_eq!(
        found(&[fragment], shared(3, 1)),
        [(Stage::Fragment, LOOP, "TEX a, fragment.texcoord[0], texture[3], 2D")]
    );
    assert_eq!(found(&[fragment], shared(3, 2)), []);
    assert_eq!(found(&[fragment], shared(2, 1)), []);
    // A size query is not a lookup, and a load is not a store.
    let size = fragment.replace("TEX a, fragment.texcoord[0],", "TXQ p, p.x,");
    assert_eq!(found(&[&size], shared(3, 1)), []);
    // The lookup and the store may be in different stages.
    let vertex = "!!NVvp5.0 MOV result.position, vertex.position; MOV result.texcoord[0], vertex.texcoord[0]; \
        TXF result.color, vertex.id.x, texture[3], 2D; END";
    assert_eq!(
        found(&[vertex, fragment], shared(3, 1)),
        [
            (Stage::Vertex, LOOP, "TXF result.color, vertex.id.x, texture[3], 2D"),
            (Stage::Fragment, LOOP, "TEX a, fragment.texcoord[0], texture[3], 2D")
        ]
    );
}
