//! What `!!FP1.0` programs load and what they are refused for, with the place.
//!
//! In refused texts `@` marks where the error must be; it is no character of the language. Cases follow
//! the grammar of NV_fragment_program 3.11.3 and the load rules of 3.11.1, 3.11.2 and 3.11.5.

use shadestep_engine::diag::{Severity, error_position, first_error};
use shadestep_engine::front::{Loaded, load};
use shadestep_engine::ir;

/// Everything loaded passes the verifier; everything refused has an error.
fn load_checked(text: &str) -> Loaded {
    let loaded = load(text.as_bytes());
    match &loaded.program {
        Some(program) => {
            assert_eq!(ir::verify(program), Ok(()), "{text}");
            assert_eq!(error_position(&loaded.diagnostics), -1);
        }
        None => assert!(first_error(&loaded.diagnostics).is_some(), "refused without an error: {text}"),
    }
    loaded
}

fn around(body: &str) -> String {
    format!("!!FP1.0\n{body}\nMOV o[COLR], R0;\nEND\n")
}

#[track_caller]
fn accepts(body: &str) -> ir::Program {
    accepts_whole(&around(body))
}

#[track_caller]
fn accepts_whole(text: &str) -> ir::Program {
    let loaded = load_checked(text);
    loaded.program.unwrap_or_else(|| panic!("{text}\nrefused: {:#?}", loaded.diagnostics))
}

/// `body` must be refused with exactly one error, `code` at `@`.
#[track_caller]
fn refuses(code: &str, body: &str) {
    refuses_whole(code, &around(body));
}

#[track_caller]
fn refuses_whole(code: &str, marked: &str) {
    let position = marked.find('@').expect("the place is marked");
    let text = marked.replacen('@', "", 1);
    let loaded = load_checked(&text);
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let found: Vec<_> = errors.iter().map(|d| (d.code, d.position)).collect();
    assert_eq!(found, [(code, position)], "{text}\n{errors:#?}");
    assert!(!errors[0].message.is_empty() && errors[0].spec.starts_with("NV_"));
}

#[test]
fn every_kind_of_operand_loads() {
    for operand in [
        "R0",
        "H63",
        "R31.x",
        "R1.yzwx",
        "-R1",
        "+R1",
        "|R1|",
        "-|R1|",
        "+|R1|",
        "|-R1|",
        "-|-R1.x|",
        "f[WPOS]",
        "f[COL0].w",
        "-|f[FOGC]|",
        "f[TEX7].xyxy",
        "p[0]",
        "p[63].x",
        "-p[12].wzyx",
        "2",
        "-2",
        "+2.5",
        "|-4|",
        "-|4|",
        ".5",
        "1.",
        "1e3",
        "1.5E-3",
        "1E+06",
        "{1}",
        "{1,2}.x",
        "{1,2,3}.zyxw",
        "-{1,2,3,4}",
        "|-{-1,-2}|",
        "a",
        "-a",
        "+a",
        "|a|",
        "v",
        "v.x",
        "-v.wzyx",
        "|v|",
        "d",
        "d.w",
        "-|d|",
        "{a}",
        "{a, -1, a, +2}",
        "R0.x y z w",
        "R0 . xyzw",
        "f [ TEX0 ]",
        "p[ 3 ] .x",
    ] {
        let names = "DEFINE a = 1; DEFINE v = {1,2}; DECLARE d;";
        accepts(&format!("{names} MOV R0, {operand};"));
    }
}

#[test]
fn rules_of_3_11_2_hold() {
    refuses("fp1-too-many-scalars", "ADD R0, {1,2,3,4}, @-4;");
    refuses("fp1-too-many-scalars", "ADD R0, {1,2,3,4}, |@-4|;");
    refuses("fp1-too-many-scalars", "ADD R0, {1,2,3,4}, -@{-1,-2,-3,-4};");
    refuses("fp1-too-many-scalars", "ADD R0, {1,2,3,4}, @{4,5,6,7}.x;");
}
