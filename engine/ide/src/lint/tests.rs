//! Programs with known warnings, and similar programs without any.

mod codes;

use super::load;
use crate::samples::{self, Sample};

/// The warnings about `text`, which loads: the end of each code, and the marked text.
fn warnings(text: &str) -> Vec<(String, &str)> {
    let loaded = load(text.as_bytes());
    assert!(loaded.program.is_some(), "{text}\n{:#?}", loaded.diagnostics);
    let of = |found: &shadestep_language::diag::Diagnostic| {
        let (_, code) = found.code.name().split_once('-').unwrap_or_default();
        (code.to_owned(), &text[found.span().start..found.span().end])
    };
    loaded.diagnostics.iter().map(of).collect()
}

fn messages(text: &str) -> Vec<String> {
    load(text.as_bytes()).diagnostics.into_iter().map(|found| found.message).collect()
}

#[track_caller]
fn expect(text: &str, expected: &[(&str, &str)]) {
    let found = warnings(text);
    let found: Vec<(&str, &str)> = found.iter().map(|(code, marked)| (code.as_str(), *marked)).collect();
    assert_eq!(found, expected, "{text}");
}

const DEAD: &str = "dead-write";
const UNREACHABLE: &str = "unreachable";
const UNWRITTEN: &str = "unwritten-temporary";
const UNSET: &str = "unset-condition";
const UNUSED: &str = "unused-name";

#[test]
fn a_value_is_dead_if_it_is_written_anew_or_never_read() {
    expect("!!FP1.0 MOV R0, f[COL0]; MOV R0, f[COL1]; MOV o[COLR], R0; END", &[(DEAD, "R0")]);
    expect("!!FP1.0 MOV R1.xy, f[COL0]; MOV o[COLR], f[COL0]; END", &[(DEAD, "R1.xy")]);
    expect("!!VP1.1 MOV o[HPOS], v[0]; MOV R3, v[1]; END", &[(DEAD, "R3")]);
    expect("!!ARBfp1.0 TEMP a; MOV a.x, 1; MOV a.x, 2; MOV result.color, a.x; END", &[(DEAD, "a.x")]);
    // The first of two writes of an output.
    expect("!!FP1.0 MOV o[COLR], f[COL0]; MOV o[COLR], f[COL1]; END", &[(DEAD, "o[COLR]")]);
    expect("!!VSP1.0 MOV R0, v[0]; MOV R1, R0; MOV c[3], R0; END", &[(DEAD, "R1")]);
    assert_eq!(
        messages("!!FP1.0 MOV R1.xy, f[COL0]; MOV o[COLR], f[COL0]; END"),
        ["the value written to R1.xy is never used"]
    );
    // The message names the destination as the program writes it.
    assert_eq!(
        messages("!!FP1.0 MOVC RC.x, f[COL1]; MOV o[COLR], f[COL0]; END"),
        ["the value written to RC.x is never used"]
    );
}

#[test]
fn what_is_read_in_part_is_not_dead() {
    expect("!!FP1.0 MOV R0, f[COL0]; MOV R0.xyz, f[COL1]; MOV o[COLR], R0; END", &[]);
    expect("!!FP1.0 MOV R0, f[COL0]; MOV o[COLR].x, R0.w; END", &[]);
    expect("!!FP1.0 MOV o[COLR].xyz, f[COL0]; MOV o[COLR].w, 1; END", &[]);
    // RCP reads one component.
    expect("!!FP1.0 MOV R0.y, f[COL0].y; RCP R0.x, R0.y; MOV o[COLR], R0.x; END", &[]);
}

#[test]
fn writes_under_a_condition_leave_what_was_there() {
    let text = "!!FP1.0 MOV R0, f[COL0]; MOVC RC, f[COL1]; MOV R0 (GT.x), f[COL1]; MOV o[COLR], R0; END";
    expect(text, &[]);
    expect("!!FP1.0 MOVC RC, f[COL1]; MOV o[COLR], f[COL0]; MOV o[COLR] (LT), 1; END", &[]);
    // TR always passes.
    let text = "!!FP1.0 MOV R0, f[COL0]; MOV R0 (TR), f[COL1]; MOV o[COLR], R0; END";
    expect(text, &[(DEAD, "R0")]);
}

#[test]
fn condition_codes_are_results_too() {
    expect("!!FP1.0 MOVC RC, f[COL1]; MOV o[COLR], f[COL0]; END", &[(DEAD, "RC")]);
    expect("!!FP1.0 MOVC R0.x, f[COL1].x; MOV o[COLR], f[COL0]; KIL LT.x; END", &[]);
    expect("!!FP1.0 MOV o[COLR], f[COL0]; KIL LT.x; END", &[(UNSET, "KIL LT.x")]);
    expect("!!VP2.0 MOV o[HPOS], v[0]; MOV o[COL0] (GT), v[3]; END", &[(UNSET, "o[COL0] (GT)")]);
    // Each of the two condition codes is tracked by itself.
    let text = "!!ARBvp1.0 OPTION NV_vertex_program3; TEMP a; MOVC0 a.x, vertex.position; \
        MOV result.position, a.x; MOV result.color (GT1.x), 1; END";
    expect(text, &[(UNSET, "result.color (GT1.x)")]);
    // The test holds until an instruction sets the code.
    expect(
        "!!FP1.0 SUBC RC.x (GE.x), 1, f[COL0]; MOV R0, f[COL0]; MOV R0 (LT.x), 1; MOV o[COLR], R0; END",
        &[],
    );
    // Components that nothing sets are EQ, so this is a test of x.
    expect("!!FP1.0 MOVC RC.x, f[COL1]; MOV o[COLR], f[COL0]; KIL LT; END", &[]);
}

#[test]
fn components_that_nothing_has_written_are_named() {
    let text = "!!FP1.0 MOV R0.xy, f[COL0]; MOV o[COLR], R0; END";
    expect(text, &[(UNWRITTEN, "R0")]);
    assert_eq!(messages(text), ["R0.zw is read before it is written"]);
    expect("!!FP1.0 MOV R0.xyz, f[COL0]; DP3 o[COLR], R0, R0; END", &[]);
    expect("!!FP1.0 MOV R0.xyz, f[COL0]; DP4 o[COLR], R0, f[COL0]; END", &[(UNWRITTEN, "R0")]);
    // TEX reads two coordinates of a 2D texture, three of a cube.
    expect("!!FP1.0 MOV R0.xy, f[TEX0]; TEX o[COLR], R0, TEX0, 2D; END", &[]);
    expect("!!FP1.0 MOV R0.xy, f[TEX0]; TEX o[COLR], R0, TEX0, CUBE; END", &[(UNWRITTEN, "R0")]);
    // The result uses no component that depends on the unwritten ones.
    expect("!!FP1.0 MOV R0.x, f[COL0]; MUL R1, R0, R0; MOV o[COLR], R1.x; END", &[]);
    expect("!!VP1.0 MOV o[HPOS], c[A0.x]; END", &[(UNWRITTEN, "c[A0.x]")]);
}

#[test]
fn any_way_that_writes_is_enough() {
    let text = "!!ARBfp1.0 OPTION NV_fragment_program2; TEMP a; MOVC a.y, fragment.color; IF GT.y; \
        MOV a.x, 1; ENDIF; MOV result.color, a.x; END";
    expect(text, &[]);
    // The previous iteration has written the register.
    let text = "!!NVfp4.0 TEMP a, b; MOV b, fragment.color; REP; MOV.CC b.x, -b; BRK (GT.x); ADD b.x, a.x, b; \
        MOV a.x, b; ENDREP; MOV result.color, b; END";
    expect(text, &[]);
    // The subroutine writes R4, and its caller writes R3.
    let text = "!!VP2.0 use: MOV o[HPOS], R3; MOV R4, R3; RET; main: MOV R3, v[0]; CAL use; \
        MOV o[COL0], R4; END";
    expect(text, &[]);
}

#[test]
fn loops_carry_values_round() {
    let text = "!!ARBfp1.0 OPTION NV_fragment_program2; TEMP a; PARAM k = 4; MOV a, 0; REP k.x; \
        ADD a, a, fragment.color; ENDREP; MOV result.color, a; END";
    expect(text, &[]);
    // Written at the end of the iteration, and written again at its beginning.
    let text = "!!ARBfp1.0 OPTION NV_fragment_program2; TEMP a, b; PARAM k = 4; MOV b, 0; REP k.x; \
        MOV a, fragment.color; ADD b, b, a; MOV a, 1; ENDREP; MOV result.color, b; END";
    expect(text, &[(DEAD, "a")]);
}

#[test]
fn arrays_are_read_and_written_as_a_whole() {
    let text = "!!NVfp4.0 TEMP a[3]; INT TEMP i; MOV a[0], 1; MOV a[1], 2; MOV.S i.x, 1; \
        MOV result.color, a[i.x]; END";
    expect(text, &[]);
    let text = "!!NVfp4.0 TEMP a[2]; INT TEMP i; MOV.S i.x, 1; MOV a[i.x], 1; MOV result.color, a[0]; END";
    expect(text, &[]);
}

#[test]
fn what_no_way_leads_to_is_never_run() {
    let text = "!!VP2.0 MOV o[HPOS], v[0]; BRA end; MOV R0, v[1]; MOV o[COL0], R0; end: END";
    expect(text, &[(UNREACHABLE, "MOV R0, v[1]")]);
    let text = "!!VP2.0 MOV o[HPOS], v[0]; RET; unused: MOV o[COL0], v[1]; RET; END";
    expect(text, &[(UNREACHABLE, "MOV o[COL0], v[1]")]);
    // RET under a condition, and the end of an IF whose branches both return.
    expect("!!VP2.0 MOVC CC.x, v[1]; RET (GT.x); MOV o[HPOS], v[0]; END", &[]);
    let text = "!!ARBfp1.0 OPTION NV_fragment_program2; TEMP a; MOVC a.x, fragment.color; \
        MOV result.color, a.x; IF GT.x; RET; ELSE; RET; ENDIF; END";
    expect(text, &[]);
    // A loop that only BRK leaves.
    let text = "!!NVfp4.0 TEMP a; REP; MOV.CC a.x, fragment.color; BRK; MOV a.x, 2; ENDREP; \
        MOV result.color, a.x; END";
    expect(text, &[(UNREACHABLE, "MOV a.x, 2")]);
}

/// The program keeps the results so far if it runs too long or nests too deeply.
#[test]
fn limits_end_programs_with_what_they_have_written() {
    // The limit of executed instructions, in an endless loop and with a backward branch.
    let text = "!!NVfp4.0 TEMP a; MOV result.color, 1; MOV.CC a.x, fragment.color; REP; BRK (GT.x); \
        ADD.CC a.x, a.x, -1; ENDREP; MOV result.color, 2; END";
    expect(text, &[]);
    let text = "!!VP2.0 MOV o[HPOS], v[0]; MOVC R0.x, v[1]; again: ADDC R0.x, R0.x, c[0]; BRA again (GT.x); \
        MOV o[HPOS], v[2]; END";
    expect(text, &[]);
    // Too many IF blocks, including the callers' blocks.
    let text = "!!ARBfp1.0 OPTION NV_fragment_program2; TEMP a; CAL sub; RET; \
        sub: MOVC a.x, fragment.color; MOV result.color, 1; IF GT.x; ADD a.x, a.x, 1; ENDIF; \
        MOV result.color, a.x; RET; END";
    expect(text, &[]);
    // Without calls, nesting is only as deep as in the text.
    let text = "!!ARBfp1.0 OPTION NV_fragment_program2; TEMP a; MOVC a.x, fragment.color; MOV result.color, 1; \
        IF GT.x; ADD a.x, a.x, 1; ENDIF; MOV result.color, a.x; END";
    expect(text, &[(DEAD, "result.color")]);
}

#[test]
fn pushed_addresses_need_not_be_whole() {
    let text = "!!ARBvp1.0 OPTION NV_vertex_program3; ADDRESS a; PARAM m[4] = { program.env[0..3] }; \
        ARL a.x, vertex.position.x; PUSHA a; ARL a.x, vertex.position.y; MOV result.color, m[a.x]; POPA a; \
        MOV result.position, m[a.x]; END";
    expect(text, &[]);
}

/// The front end adds a RET to a subroutine without one. The added RET gets no warning.
#[test]
fn what_nobody_wrote_is_not_told_of() {
    let text = "!!NVfp4.0 TEMP a; MOV.CC a.x, fragment.color; CAL b; CAL c; RET; \
        b: IF GT.x; RET; ELSE; RET; ENDIF; c: MOV result.color, a.x; END";
    expect(text, &[]);
    let text = "!!NVfp4.0 CAL b; RET; a: MOV result.color, 1; b: MOV result.color, 2; END";
    expect(text, &[(UNREACHABLE, "MOV result.color, 1")]);
    assert_eq!(load(text.as_bytes()).diagnostics[0].notes, ["No path through the program reaches it."]);
}

#[test]
fn emitted_vertices_take_results_along() {
    let head = "!!NVgp4.0 PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 2;";
    let text =
        format!("{head} MOV result.position, vertex[0].position; EMIT; MOV result.position, 1; EMIT; END");
    expect(&text, &[]);
    let text = format!("{head} MOV result.position, vertex[0].position; EMIT; MOV result.position, 1; END");
    expect(&text, &[(DEAD, "result.position")]);
}

#[test]
fn memory_and_neighbours_are_left_alone() {
    let text = "!!NVfp5.0 LONG TEMP p; PARAM at = program.local[0]; UINT TEMP t; PK64.U p.x, at; \
        ATOM.ADD.U32 t.x, 1, p.x; MOV result.color, 1; END";
    let found = warnings(text);
    assert!(found.iter().all(|(code, _)| code != DEAD), "{found:?}");
    // A neighbour in the other branch may read this invocation's register.
    let text = "!!ARBfp1.0 OPTION NV_fragment_program2; TEMP a, b; MOVC b, fragment.color; MOV a, 0; IF GT.x; \
        DDX b, a; ELSE; MOV a, 1; ENDIF; MOV result.color, b; END";
    expect(text, &[]);
}

#[test]
fn names_are_used_wherever_they_stand_again() {
    expect("!!FP1.0 DEFINE a = 1; DECLARE b; MOV o[COLR], a; END", &[(UNUSED, "b")]);
    let text = "!!ARBfp1.0 TEMP x, y; PARAM k = 1; ALIAS q = k; MOV y, fragment.color; \
        MOV result.color, y.x; END";
    expect(text, &[(UNUSED, "x"), (UNUSED, "q")]);
}

/// The codes of the warnings about `text` that have a fix, each with the fixed text.
fn fixed(text: &str) -> Vec<(String, String)> {
    let of = |found: &shadestep_language::diag::Diagnostic| {
        let fix = found.fix.as_ref()?;
        let fixed = format!("{}{}{}", &text[..fix.span.start], fix.replacement, &text[fix.span.end..]);
        Some((found.code.name().to_owned(), fixed))
    };
    load(text.as_bytes()).diagnostics.iter().filter_map(of).collect()
}

const IDLE: &str = "idle-components";

/// Depth is z (NV_fragment_program 3.11.1.3, ARB_fragment_program 3.11.3.4, NV_fragment_program4 2.X.3.5).
#[test]
fn depth_without_z_is_told_of_in_every_language() {
    for (head, depth, color) in [
        ("!!FP1.0 MOV o[COLR], f[COL0];", "o[DEPR]", "f[COL0]"),
        ("!!ARBfp1.0 MOV result.color, fragment.color;", "result.depth", "fragment.color"),
        (
            "!!ARBfp1.0 OPTION NV_fragment_program; MOV result.color, fragment.color;",
            "result.depth",
            "fragment.color",
        ),
        (
            "!!ARBfp1.0 OPTION NV_fragment_program2; MOV result.color, fragment.color;",
            "result.depth",
            "fragment.color",
        ),
        ("!!NVfp4.0 MOV result.color, fragment.color;", "result.depth", "fragment.color"),
        ("!!NVfp5.0 MOV result.color, fragment.color;", "result.depth", "fragment.color"),
    ] {
        let of = |mask: &str, read: &str| format!("{head} MOV {depth}{mask}, {color}{read}; END");
        expect(&of(".x", ".x"), &[(IDLE, &format!("{depth}.x"))]);
        expect(&of(".xyw", ""), &[(IDLE, &format!("{depth}.xyw"))]);
        expect(&of("", ""), &[]);
        expect(&of(".z", ""), &[]);
        expect(&of(".xz", ""), &[]);
        // Another letter gives the same value only if the operand is a scalar.
        let [(code, fixed_text)] = &fixed(&of(".x", ".x"))[..] else { panic!("{head}") };
        assert!(code.ends_with(IDLE), "{code}");
        assert_eq!(*fixed_text, of(".z", ".x"));
        assert_eq!(fixed(&of(".x", "")), []);
        // If z is written too, the other components have no effect.
        let both = format!("{head} MOV {depth}.z, {color}.x; MOV {depth}.x, {color}.x; END");
        expect(&both, &[(IDLE, &format!("{depth}.x"))]);
        assert_eq!(fixed(&both), []);
    }
    let text = "!!ARBfp1.0 OUTPUT d = result.depth; MOV d.x, fragment.color.x; MOV result.color, 1; END";
    expect(text, &[(IDLE, "d.x")]);
    let text = "!!NVfp4.0 TEMP a; MOV.CC a, fragment.color; MOV result.color, a; \
        MOV result.depth.y (GT.x), a.x; END";
    expect(text, &[(IDLE, "result.depth.y (GT.x)")]);
    assert_eq!(fixed(text)[0].1, text.replace("depth.y", "depth.z"));
}

/// The unused components in the tables of results.
#[test]
fn other_components_without_effect_are_told_of() {
    expect("!!VP2.0 MOV o[HPOS], v[0]; MOV o[FOGC].y, v[1].x; END", &[(IDLE, "o[FOGC].y")]);
    expect("!!VP1.1 MOV o[HPOS], v[0]; MOV o[PSIZ].w, v[1].x; END", &[(IDLE, "o[PSIZ].w")]);
    expect("!!VP1.1 MOV o[HPOS], v[0]; MOV o[PSIZ], v[1].x; MOV o[FOGC].x, v[1]; END", &[]);
    let text = "!!NVvp4.0 MOV result.position, vertex.position; MOV result.clip[2].z, 1; \
        MOV result.id.y, vertex.id.x; END";
    expect(text, &[(IDLE, "result.clip[2].z"), (IDLE, "result.id.y")]);
    let text = "!!NVtcp5.0 VERTICES_OUT 3; MOV result.patch.tessouter[0].y, 4; \
        MOV result.patch.tessouter[1].x, 4; MOV result.patch.attrib[3].y, 4; END";
    expect(text, &[(IDLE, "result.patch.tessouter[0].y")]);
}

#[test]
fn control_programs_without_levels_are_told_of() {
    let text = "!!NVtcp5.0 VERTICES_OUT 3; MOV result.position, vertex[0].position; END";
    expect(text, &[("no-levels", "!!NVtcp5.0")]);
    let text = "!!NVtcp5.0 VERTICES_OUT 3; MOV result.patch.tessinner[0].x, 1; END";
    expect(text, &[]);
    let text = "!!NVtcp5.0 VERTICES_OUT 3; INT TEMP i; OUTPUT o[4] = { result.patch.tessouter[0..3] }; MOV.S i.x, 1; \
        MOV o[i.x].x, 1; END";
    expect(text, &[]);
    // An instruction that is never run writes nothing.
    let text = "!!NVtcp5.0 VERTICES_OUT 3; MOV result.position, vertex[0].position; RET; \
        MOV result.patch.tessouter[0].x, 1; END";
    expect(text, &[("no-levels", "!!NVtcp5.0"), (UNREACHABLE, "MOV result.patch.tessouter[0].x, 1")]);
    let text = "!!NVtep5.0 TESS_MODE TRIANGLES; MOV result.position, vertex[0].position; END";
    expect(text, &[]);
}

#[test]
fn streams_that_do_not_exist_are_told_of() {
    let of = |stream: &str| {
        format!(
            "!!NVgp5.0 PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 3; INT TEMP i; \
             MOV.S i, primitive.invocation; I2F result.position, i; EMITS {stream}; END"
        )
    };
    expect(&of("4"), &[("no-stream", "EMITS 4")]);
    expect(&of("-1"), &[("no-stream", "EMITS -1")]);
    expect(&of("3"), &[]);
    expect(&of("i.x"), &[]);
}

const MANY: &str = "too-many-vertices";

/// A geometry program that declares `limit` vertices. `E` in `body` stands for a vertex.
fn emitting(limit: u32, body: &str) -> String {
    let words = body.split_whitespace().map(|word| match word {
        "E" => "MOV result.position, vertex[0].position; EMIT;",
        word => word,
    });
    let body: Vec<&str> = words.collect();
    format!(
        "!!NVgp4.0 PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT {limit}; TEMP a; \
         MOV.CC a.x, vertex[0].position; {} END",
        body.join(" ")
    )
}

#[test]
fn more_vertices_than_declared_are_told_of() {
    let found = |limit: u32, body: &str| {
        let text = emitting(limit, body);
        let found = warnings(&text).into_iter().filter(|(code, _)| code == MANY);
        let found: Vec<usize> =
            found.map(|(_, marked)| marked.as_ptr() as usize - text.as_ptr() as usize).collect();
        // Which EMIT, from 0.
        found.iter().map(|at| text[..*at].matches("EMIT;").count()).collect::<Vec<usize>>()
    };
    assert_eq!(found(2, "E E E"), [2]);
    assert_eq!(found(3, "E E E"), []);
    // The shorter path decides.
    assert_eq!(found(2, "E IF GT.x; E E ENDIF;"), []);
    assert_eq!(found(2, "E IF GT.x; E E ELSE; E E ENDIF;"), [4]);
    assert_eq!(found(2, "E IF GT.x; E E ELSE; E ENDIF;"), []);
    assert_eq!(found(2, "E RET (GT.x); E E"), []);
    assert_eq!(found(2, "E E IF GT.x; E RET; ELSE; E RET; ENDIF;").len(), 1);
    // Loops with a known number of iterations.
    assert_eq!(found(8, "REP 3; E E ENDREP;"), []);
    assert_eq!(found(5, "REP 3; E E ENDREP;"), [1]);
    assert_eq!(found(5, "REP 3; REP 2; E ENDREP; ENDREP;"), [0]);
    assert_eq!(found(5, "REP 3; E BRK (GT.x); E ENDREP;"), []);
    assert_eq!(found(5, "REP 3; E CONT (GT.x); E ENDREP;"), []);
    assert_eq!(found(2, "REP 3; E CONT (GT.x); E ENDREP;"), [1]);
    assert_eq!(found(5, "REP a.x; E ENDREP;"), []);
    assert_eq!(found(1, "REP; E E BRK; ENDREP;"), [1]);
    assert_eq!(found(1, "REP; E BRK (GT.x); E ENDREP;"), []);
    assert_eq!(found(0xFF, "REP 2000000000; E ENDREP;"), [0]);
    assert_eq!(found(1, "REP 0; E E ENDREP;"), []);
    // Subroutines.
    assert_eq!(found(3, "CAL b; CAL b; RET; b: E E RET;").len(), 1);
    assert_eq!(found(4, "CAL b; CAL b; RET; b: E E RET;"), []);
    assert_eq!(found(3, "CAL b; CAL b (GT.x); RET; b: E E RET;"), []);
    assert_eq!(found(1, "CAL b; RET; b: E CAL b (GT.x); RET;"), []);
}

#[test]
fn the_number_of_vertices_can_be_declared() {
    let text = emitting(2, "E E E");
    let (_, fix) = fixed(&text).remove(0);
    assert_eq!(fix, text.replace("VERTICES_OUT 2", "VERTICES_OUT 3"));
    assert!(messages(&text).contains(&"3 vertices are emitted, but VERTICES_OUT declares 2".to_owned()));
    let text = emitting(2, "E E E IF GT.x; E ENDIF;");
    let (_, fix) = fixed(&text).remove(0);
    assert_eq!(fix, text.replace("VERTICES_OUT 2", "VERTICES_OUT 4"));
    // More vertices than a program can declare.
    assert_eq!(fixed(&emitting(2, "REP 2000; E ENDREP;")), []);
    assert_eq!(fixed(&emitting(2, "E E E REP a.x; E ENDREP;")), []);
}

/// A megabyte of nested calls needs neither much time nor a deep stack.
#[test]
fn counting_vertices_ends() {
    let calls: String = (0..2000).map(|n| format!("s{n}: CAL s{}; CAL s{}; RET; ", n + 1, n + 1)).collect();
    let text = emitting(2, &format!("CAL s0; RET; {calls} s2000: E"));
    assert!(warnings(&text).iter().all(|(code, _)| code != MANY));
    let nested = format!("{}E {}", "IF GT.x; ".repeat(60), "ENDIF; ".repeat(60));
    assert!(warnings(&emitting(2, &nested)).iter().all(|(code, _)| code != MANY));
}

#[test]
fn emitted_vertices_lose_their_results() {
    const UNWRITTEN_POSITION: &str = "unwritten-position";
    let head = "!!NVgp4.0 PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 4; TEMP a; \
        MOV.CC a, vertex[0].position;";
    let of = |body: &str| format!("{head} {body} END");
    expect(&of("MOV result.position, a; EMIT; EMIT;"), &[(UNWRITTEN_POSITION, "EMIT")]);
    let text = of("MOV result.position.xy, a; EMIT;");
    assert_eq!(messages(&text), ["this vertex is emitted before result.position.zw is written"]);
    // One path with a write is enough.
    expect(&of("IF GT.x; MOV result.position, a; ENDIF; EMIT;"), &[]);
    expect(&of("REP 3; MOV result.position, a; EMIT; ENDREP;"), &[]);
    // ENDPRIM does not change results (NV_geometry_program4 2.X.8.Z).
    expect(&of("MOV result.position, a; ENDPRIM; EMIT;"), &[]);
    // A program that writes no position may be for transform feedback.
    expect(&of("MOV result.attrib[0], a; EMIT; EMIT;"), &[]);
    // Other streams are not drawn.
    let head = head.replace("gp4", "gp5");
    let text = format!("{head} MOV result.position, a; EMITS 0; MOV result.attrib[1], a; EMITS 1; END");
    expect(&text, &[]);
}

/// Every bundled sample, except those of the bench, which exist only for their arithmetic.
#[test]
fn no_sample_has_a_warning() {
    let mut faults = String::new();
    for Sample { path, text, .. } in samples::programs() {
        if !path.parent().is_some_and(|folder| folder.ends_with("bench")) {
            let found = load(&text).diagnostics;
            faults.push_str(&shadestep_language::diag::render::render_all(
                &found,
                &text,
                &path.display().to_string(),
            ));
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
