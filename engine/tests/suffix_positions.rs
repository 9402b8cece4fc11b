//! Positions of faults in masks, swizzles, components and bindings, in every language (the rule of
//! `front::operand`). Adjacent letters are one token. The fault is at the first letter that no program allows
//! there.

use shadestep_engine::diag::first_error;
use shadestep_engine::front;

/// The start and the end of a language's programs, and its names for the operands in the cases.
struct Dialect {
    header: &'static str,
    end: &'static str,
    /// Names of a destination (`$t` in the cases), an operand (`$u`) and an attribute (`$a`).
    names: [&'static str; 3],
}

const NV: [Dialect; 5] = [
    Dialect { header: "!!FP1.0", end: "MOV o[COLR], R0; END", names: ["R2", "R3", "f[COL0]"] },
    Dialect { header: "!!VP1.0", end: "MOV o[HPOS], R0; END", names: ["R2", "R3", "v[OPOS]"] },
    Dialect { header: "!!VP1.1", end: "MOV o[HPOS], R0; END", names: ["R2", "R3", "v[OPOS]"] },
    Dialect { header: "!!VP2.0", end: "MOV o[HPOS], R0; END", names: ["R2", "R3", "v[OPOS]"] },
    Dialect { header: "!!VSP1.0", end: "MOV c[0], R0; END", names: ["R2", "R3", "v[0]"] },
];

const FRAGMENT_NAMES: [&str; 3] = ["t", "u", "fragment.color"];
const VERTEX_NAMES: [&str; 3] = ["t", "u", "vertex.position"];
const FRAGMENT_END: &str = "MOV result.color, u; END";
const VERTEX_END: &str = "MOV result.position, u; END";

const ARB: [Dialect; 6] = [
    Dialect { header: "!!ARBfp1.0 TEMP t, u;", end: FRAGMENT_END, names: FRAGMENT_NAMES },
    Dialect {
        header: "!!ARBfp1.0 OPTION NV_fragment_program; TEMP t, u;",
        end: FRAGMENT_END,
        names: FRAGMENT_NAMES,
    },
    Dialect {
        header: "!!ARBfp1.0 OPTION NV_fragment_program2; TEMP t, u;",
        end: FRAGMENT_END,
        names: FRAGMENT_NAMES,
    },
    Dialect { header: "!!ARBvp1.0 TEMP t, u; ADDRESS a;", end: VERTEX_END, names: VERTEX_NAMES },
    Dialect {
        header: "!!ARBvp1.0 OPTION NV_vertex_program2; TEMP t, u; ADDRESS a;",
        end: VERTEX_END,
        names: VERTEX_NAMES,
    },
    Dialect {
        header: "!!ARBvp1.0 OPTION NV_vertex_program3; TEMP t, u; ADDRESS a;",
        end: VERTEX_END,
        names: VERTEX_NAMES,
    },
];

/// Checks that the first fault of `marked` is at `@`. Without `@` the text is in the dialect.
#[track_caller]
fn is_at_mark(dialect: &Dialect, marked: &str) {
    let [target, operand, attribute] = dialect.names;
    let statement = marked.replace("$t", target).replace("$u", operand).replace("$a", attribute);
    let at = dialect.header.len() + 1 + statement.find('@').expect("a mark");
    let text = format!("{} {} {}", dialect.header, statement.replacen('@', "", 1), dialect.end);
    let loaded = front::load(text.as_bytes());
    let fault = first_error(&loaded.diagnostics);
    assert_eq!(fault.map(|fault| fault.position), Some(at), "{text}: {fault:?}");
}

#[track_caller]
fn all_at_marks(dialects: &[Dialect], statements: &[&str]) {
    for dialect in dialects {
        for statement in statements {
            is_at_mark(dialect, statement);
        }
    }
}

/// Swizzles in all languages. Their letters may be separate tokens.
const SWIZZLES: [&str; 17] = [
    "MOV $t, $u.@xy;",
    "MOV $t, $a.@xy;",
    "MOV $t, $u.@xyz;",
    "MOV $t, $u.@xyzwx;",
    "MOV $t, $u.x @y;",
    "MOV $t, $a . x @y;",
    "MOV $t, $u.x y @z;",
    "MOV $t, $u.xy @z;",
    "MOV $t, $u.x y z w @x;",
    "MOV $t, $u.xy zw @xy;",
    "MOV $t, $u.xy @zwx;",
    "MOV $t, $u.@q;",
    "MOV $t, $u.@xq;",
    "MOV $t, $u.x@.y;",
    "MOV $t, $u.@;",
    "MAD $t, $u, $a.x @y, $u;",
    "MAX $t, $u.xyzw, -$a.@xyz;",
];

/// Scalar operands.
const COMPONENTS: [&str; 6] = [
    "RCP $t, $u@;",
    "RCP $t, $u.@xy;",
    "RCP $t, $u.x @y;",
    "RCP $t, $u.@xyzw;",
    "RCP $t, $u.x @yzw;",
    "RCP $t, -$a.@q;",
];

#[test]
fn swizzles_and_components() {
    all_at_marks(&NV, &SWIZZLES);
    all_at_marks(&ARB, &SWIZZLES);
    for dialects in [&NV[..], &ARB[..]] {
        all_at_marks(dialects, &COMPONENTS);
    }
}

#[test]
fn masks() {
    let cases = [
        "MOV $t.@yx, $u;",
        "MOV $t.@xx, $u;",
        "MOV $t.@xyzwx, $u;",
        "MOV $t.x @x, $u;",
        "MOV $t.@q, $u;",
        "MOV $t.@, $u;",
        "MOV $t.x@.y, $u;",
    ];
    all_at_marks(&NV, &cases);
    all_at_marks(&ARB, &cases);
    // Letters of masks may be separate tokens if the grammar has a token for each letter.
    all_at_marks(&NV, &["MOV $t.y @x, $u;", "MOV $t.x y @y, $u;", "MOV $t.xy @xw, $u;", "MOV $t.@yx z, $u;"]);
    all_at_marks(&ARB, &["MOV $t.x @y, $u;", "MOV $t.xy @zw, $u;"]);
}

#[test]
fn letters_of_two_sets() {
    let fragment = [
        "MOV $t, $u.@xg;",
        "MOV $t, $u.x @g;",
        "MOV $t, $u.xy z @a;",
        "MOV $t, $u.r g @z w;",
        "MOV $t.@xg, $u;",
    ];
    all_at_marks(&ARB[..3], &fragment);
    // The other languages have only one set of letters.
    all_at_marks(&NV, &["MOV $t, $u.@xg;", "MOV $t, $u.x @g;", "MOV $t.@r, $u;"]);
    all_at_marks(&ARB[3..], &["MOV $t, $u.@xg;", "MOV $t, $u.x @g;", "MOV $t.@r, $u;"]);
}

#[test]
fn conditions() {
    let cases = [
        "MOV $t (EQ.@xy), $u;",
        "MOV $t (EQ.x @y), $u;",
        "MOV $t (EQ.x y z w @x), $u;",
        "MOV $t (@EX.x), $u;",
    ];
    all_at_marks(&NV[..1], &cases);
    all_at_marks(&NV[3..4], &cases);
    all_at_marks(&ARB[1..3], &cases);
    all_at_marks(&ARB[4..], &cases);
    all_at_marks(&NV[..1], &["KIL EQ.x @y;", "KIL EQ.@xyz;"]);
}

#[test]
fn what_an_instruction_demands_of_its_mask() {
    all_at_marks(&NV[..1], &["RFL $t.@xyzw, $u, $u;", "RFL $t.x @w, $u, $u;", "RFL $t.x y @zw, $u, $u;"]);
    all_at_marks(&ARB[1..3], &["RFL $t.@xyzw, $u, $u;", "RFL $t.@w, $u, $u;"]);
    all_at_marks(&NV[1..3], &["ARL A0.@y, $u.x;", "ARL A0.x @y, $u.x;", "ARL A0.@xy, $u.x;"]);
    all_at_marks(&ARB[3..4], &["ARL a.@y, $u.x;", "ARL a.@xy, $u.x;", "ARL a.x @y, $u.x;"]);
}

#[test]
fn indices() {
    let relative = [
        "MOV $t, c[A0@];",
        "MOV $t, c[A0.@xy];",
        "MOV $t, c[A0.x @y];",
        "MOV $t, c[A0.@q];",
        "MOV $t, c[A0.x@.x];",
    ];
    all_at_marks(&NV[1..], &relative);
    for index in ["a@", "a.@xy", "a.x @y", "a.@q", "a.x@.x"] {
        all_at_marks(&ARB[3..], &[&format!("PARAM p[] = {{1,2}}; MOV t, p[{index}];")]);
    }
}

#[test]
fn bindings() {
    all_at_marks(
        &NV[..1],
        &["MOV R1, f[@COL2];", "MOV R1, f[COL0@.x];", "MOV R1, p[@64];", "MOV o[@COL0], R1;"],
    );
    all_at_marks(&NV[1..4], &["MOV R1, v[@16];", "MOV R1, c[@256];", "MOV o[@COL2], R1;"]);
    let fragment = [
        "MOV t, fragment.@colour;",
        "MOV t, fragment.texcoord[@8];",
        "MOV t, fragment.texcoord[@0.x];",
        "MOV t, fragment.color.primary.x @y;",
        "MOV t, fragment.color . secondary . @xy;",
        "MOV t, fragment.position.@xy;",
        "MOV result.color.@yx, u;",
        "MOV result.@colour, u;",
    ];
    all_at_marks(&ARB[..3], &fragment);
    let vertex = [
        "MOV t, vertex.@colour;",
        "MOV t, vertex.attrib[@16];",
        "MOV t, vertex.color.primary.x @y;",
        "MOV t, vertex.normal.@xy;",
        "MOV result.texcoord[@8], u;",
        "MOV result.color.back.@yx, u;",
        "MOV result.color.front.secondary.@xx, u;",
    ];
    all_at_marks(&ARB[3..], &vertex);
    let state = [
        "MOV t, state.@foo;",
        "MOV t, state.light[@9].diffuse;",
        "MOV t, state.light[0].@colour;",
        "MOV t, state.light[0].diffuse.@xy;",
        "MOV t, state.light[0].diffuse.x @y;",
        "MOV t, state.material.@x;",
        "MOV t, state.matrix.mvp.row[@4];",
        "MOV t, state.matrix.mvp.row[0].@xy;",
        "MOV t, program.env[@256];",
        "MOV t, program.local[0].x @y;",
        "MOV t, program.@foo[0];",
        "RCP t, program.env[0].@xy;",
    ];
    all_at_marks(&ARB, &state);
}
