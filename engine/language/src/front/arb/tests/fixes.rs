//! Tests of fixes: each fix makes the program load, or removes its error.

use super::{ALL, FRAGMENT, NvFp5, NvVp5, VERTEX};
use crate::diag::first_error;
use crate::front;
use crate::isa::Language;
use Language::{ArbFp1, ArbVp1, NvGp4, NvGp5, NvTcp5, NvTep5};

/// The text with the fix of its first error, which has `code`.
#[track_caller]
fn mended(code: &str, text: &str) -> String {
    let loaded = front::load(text.as_bytes());
    let fault = first_error(&loaded.diagnostics).unwrap_or_else(|| panic!("{text} loads"));
    assert_eq!(fault.code.name(), code, "{text}: {}", fault.message);
    let fix = fault.fix.as_ref().unwrap_or_else(|| panic!("{text}: {} has no fix", fault.message));
    let mut text = text.to_owned();
    text.replace_range(fix.span.start..fix.span.end, &fix.replacement);
    text
}

/// Applying the fixes of `text` one after the other, until there are no errors, gives `expected`, which
/// loads.
#[track_caller]
fn becomes(code: &str, text: &str, expected: &str) {
    let mut text = text.to_owned();
    for _ in 0..10 {
        if front::load(text.as_bytes()).program.is_some() {
            break;
        }
        text = mended(code, &text);
    }
    assert_eq!(text, expected);
    assert!(front::load(text.as_bytes()).program.is_some(), "{text}");
}

#[track_caller]
fn bodies_become(languages: &[Language], code: &str, body: &str, expected: &str) {
    for language in languages {
        let whole = |body: &str| format!("{}\n{body}\nEND\n", language.header());
        becomes(code, &whole(body), &whole(expected));
    }
}

#[test]
fn aliases_of_bindings_become_variables() {
    let code = "gpu-unexpected";
    bodies_become(&ALL, code, "ALIAS a = result.color; MOV a, 1;", "OUTPUT a = result.color; MOV a, 1;");
    bodies_become(
        VERTEX,
        code,
        "ALIAS a=vertex.color; TEMP t; MOV t,a;",
        "ATTRIB a=vertex.color; TEMP t; MOV t,a;",
    );
    let fragment = "a = fragment.color; MOV result.color, a;";
    bodies_become(FRAGMENT, code, &format!("ALIAS {fragment}"), &format!("ATTRIB {fragment}"));
    bodies_become(&[ArbFp1], "arb-unexpected", &format!("ALIAS {fragment}"), &format!("ATTRIB {fragment}"));
    bodies_become(FRAGMENT, code, "ALIAS a = primitive.id;", "ATTRIB a = primitive.id;");
    for binding in ["program.env[3]", "program.local[1]", "state.fog.color", "state.matrix.mvp.row[0]"] {
        let (alias, param) = (format!("ALIAS a = {binding};"), format!("PARAM a = {binding};"));
        bodies_become(&ALL, code, &alias, &param);
        bodies_become(&[ArbFp1, ArbVp1], "arb-unexpected", &alias, &param);
    }
    bodies_become(&ALL, code, "ALIAS a = program.buffer[0][2];", "BUFFER a = program.buffer[0][2];");
    bodies_become(&[NvVp5, NvFp5], code, "ALIAS a = texture[3];", "TEXTURE a = texture[3];");
    bodies_become(&[NvVp5, NvFp5], code, "ALIAS a = image[3];", "IMAGE a = image[3];");
    bodies_become(&[ArbFp1], "arb-unexpected", "ALIAS a = result.depth;", "OUTPUT a = result.depth;");
    // A variable may be called like a word that begins bindings in another language.
    let text = "TEMP vertex; ALIAS a = vertex; MOV a, 1;";
    assert!(front::load(format!("!!NVfp4.0 {text} END").as_bytes()).program.is_some());
    // In this language, no variable can be declared for a unit.
    let text = "!!NVfp4.0 ALIAS a = texture[3]; END";
    let loaded = front::load(text.as_bytes());
    assert_eq!(first_error(&loaded.diagnostics).and_then(|fault| fault.fix.clone()), None);
}

#[test]
fn the_least_integer_is_put_in_braces() {
    let code = "gpu-large-constant";
    let names = "TEMP t; LONG TEMP l;";
    for (operand, least) in [
        ("-2147483648", "{-2147483648}.x"),
        ("- 0x80000000", "{-2147483648}.x"),
        ("-{0x80000000, 2147483648, 2147483648, 2147483648}.y", "{-2147483648}.x"),
    ] {
        let body = |operand: &str| format!("TEMP t; MOV.S t, {operand}; AND t, {operand}, t;");
        bodies_become(&ALL, code, &body(operand), &body(least));
    }
    let body = |operand: &str| format!("{names} MOV.S64 l, {operand};");
    bodies_become(&[NvVp5, NvFp5], code, &body("-9223372036854775808"), &body("{-9223372036854775808}.x"));
    for body in
        ["MOV.S t, 2147483648;", "MOV.S t, |-2147483648|;", "MOV.S t, -2147483649;", "MOV.U t, 4294967296;"]
    {
        let loaded = front::load(format!("!!NVfp5.0 {names} {body} END").as_bytes());
        let fault = first_error(&loaded.diagnostics).expect("an error");
        assert_eq!((fault.code.name(), &fault.fix), (code, &None), "{body}");
    }
}

#[test]
fn what_comes_before_the_header_is_removed_or_goes_behind_it() {
    for language in front::LANGUAGES {
        let header = language.header();
        let rest = match language {
            Language::Fp1 => " MOV o[COLR], 1; END\n",
            Language::Vp1 | Language::Vp1_1 | Language::Vp2 => " MOV o[HPOS], v[OPOS]; END\n",
            Language::Vsp1 => " MOV c[0], v[0]; END\n",
            NvGp4 | NvGp5 => "\nPRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 1; END\n",
            NvTcp5 => "\nVERTICES_OUT 1; END\n",
            NvTep5 => "\nTESS_MODE QUADS; END\n",
            _ => " END\n",
        };
        for (before, kept) in [
            ("\u{feff}", ""),
            ("\n", ""),
            ("\r\n\t \r\n", ""),
            ("\u{feff}\n\n", ""),
            ("\n\u{feff} \u{feff}", ""),
            ("# a\n", "# a\n"),
            ("\u{feff}# a\n", "# a\n"),
            ("\n# a\r\n\u{feff}\n# b \u{feff}\n", "\n# a\r\n\n# b \u{feff}\n"),
        ] {
            becomes("header-not-first", &format!("{before}{header}{rest}"), &format!("{header}{kept}{rest}"));
        }
    }
}

#[test]
fn late_declarations_are_moved_to_the_start() {
    let code = "gpu-late-declaration";
    bodies_become(
        &[NvGp4, NvGp5],
        code,
        "PRIMITIVE_IN POINTS;\nTEMP t; # a\nPRIMITIVE_OUT POINTS;\nMOV t, 1;\nVERTICES_OUT 4 ; EMIT;",
        "PRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 4 ;\nTEMP t; # a\n\nMOV t, 1;\n EMIT;",
    );
    bodies_become(
        &[NvTep5],
        code,
        "main: MOV result.color, 1; TESS_MODE QUADS;",
        "TESS_MODE QUADS;\nmain: MOV result.color, 1; ",
    );
}

#[test]
fn only_one_fix_moves_a_declaration() {
    // Each fix would contain all the text before the declaration.
    let late = "TESS_MODE QUADS; TESS_POINT_MODE;";
    let loaded = front::load(format!("!!NVtep5.0 TEMP t; {late} END").as_bytes());
    let fixes = loaded.diagnostics.iter().filter(|fault| fault.fix.is_some()).count();
    assert_eq!((loaded.diagnostics.len(), fixes), (2, 1));
}
