//! Tests of the parts of an error other than its code and place: the clause, the message, the fix.

use super::{ALL, FRAGMENT, NvFp4, NvFp5, NvVp4, NvVp5, VERTEX, load};
use crate::diag::{Diagnostic, first_error};
use crate::isa::Language;

/// The first error of `body`.
#[track_caller]
fn first(language: Language, body: &str) -> Diagnostic {
    load(language, body).diagnostics.into_iter().next().unwrap_or_else(|| panic!("{language:?} {body} loads"))
}

/// The first error of `body` has `code` and cites `clause`.
#[track_caller]
fn cites(languages: &[Language], body: &str, code: &str, clause: &str) {
    for &language in languages {
        let fault = first(language, body);
        assert_eq!((fault.code.name(), fault.clause()), (code, clause), "{language:?} {body}");
    }
}

/// The result of applying the first error's fix to `body`.
#[track_caller]
fn mended(language: Language, body: &str) -> String {
    let fault = first(language, body);
    let fix = fault.fix.unwrap_or_else(|| panic!("{body}: {}", fault.message));
    let mut text = format!("{} {body} END", language.header());
    text.replace_range(fix.span.start..fix.span.end, &fix.replacement);
    text[language.header().len() + 1..text.len() - " END".len()].to_owned()
}

#[test]
fn clauses_are_those_of_the_languages_with_types() {
    const OPERANDS: &str = "NV_gpu_program4 2.X.4.2";
    cites(&ALL, "TEMP t; MOV t, t.xgzw;", "gpu-mixed-components", OPERANDS);
    cites(&ALL, "TEMP t, a[2]; MOV t, a[t.xg];", "gpu-mixed-components", OPERANDS);
    cites(&ALL, "TEMP t; IF EQ.xg; ENDIF;", "gpu-mixed-components", OPERANDS);
    cites(&ALL, "TEMP t; MOV t.xg, t;", "gpu-mixed-components", "NV_gpu_program4 2.X.4.3");
    let both = "TEMP t; ADD t, vertex.attrib[0], vertex.position;";
    cites(VERTEX, both, "arb-attribute-conflict", "NV_vertex_program4 2.X.3.2");
    let two = "OPTION ARB_fog_exp; OPTION ARB_fog_linear;";
    cites(FRAGMENT, two, "arb-conflicting-options", "NV_fragment_program4 2.X.6.Y");
    let hints = "OPTION ARB_precision_hint_fastest; OPTION ARB_precision_hint_nicest;";
    cites(FRAGMENT, hints, "arb-conflicting-options", "NV_fragment_program4 2.X.6.Y");
    let position = "OPTION ARB_position_invariant; MOV result.position, vertex.position;";
    cites(VERTEX, position, "arb-invariant-position", "NV_vertex_program4 2.X.6.Y");
    for (list, clause) in [
        ("ATTRIB a[] = { vertex.attrib[1], vertex.attrib[3] };", "NV_gpu_program4 2.X.3.2"),
        ("OUTPUT a[] = { result.attrib[1], result.attrib[3] };", "NV_gpu_program4 2.X.3.5"),
    ] {
        cites(VERTEX, list, "gpu-not-consecutive", clause);
    }
    let units = "TEXTURE a[] = { texture[1], texture[3] };";
    cites(&[NvVp5, NvFp5], units, "gpu-not-consecutive", "NV_gpu_program5 2.X.3.8");
    cites(VERTEX, "ATTRIB a[] = { vertex.normal };", "gpu-not-in-array", "NV_gpu_program4 2.X.3.2");
    cites(VERTEX, "OUTPUT a[] = { result.color };", "gpu-not-in-array", "NV_gpu_program4 2.X.3.5");
    let clamped = "TEMP t; CVT.S32.F32.SSAT t, t;";
    cites(&[NvVp5, NvFp5], clamped, "gpu-clamped-integer", "NV_gpu_program5 2.X.8.Z CVT");
    cites(&ALL, "TEMP t; ADD.S.SAT t, t, t;", "gpu-clamped-integer", "NV_gpu_program4 2.X.4.1");
}

#[test]
fn brackets_are_put_behind_the_name() {
    for (language, missing, there) in [
        (NvVp4, "ATTRIB a = { vertex.attrib[1..2] };", "ATTRIB a[] = { vertex.attrib[1..2] };"),
        (NvVp5, "OUTPUT out = { result.clip[1] };", "OUTPUT out[] = { result.clip[1] };"),
        (NvFp5, "TEXTURE a={ texture[0] };", "TEXTURE a[]={ texture[0] };"),
    ] {
        assert_eq!(mended(language, missing), there);
        assert_eq!(load(language, missing).diagnostics.len(), 1, "{missing}");
        assert_eq!(first_error(&load(language, there).diagnostics), None, "{there}");
    }
    let subroutines = |brackets: &str| {
        format!(
            "SUBROUTINETYPE T {{ a }}; SUBROUTINE T v{brackets} = {{ program.subroutine[3..4] }}; a SUBROUTINENUM(0): RET;"
        )
    };
    assert_eq!(mended(NvFp5, &subroutines("")), subroutines("[]"));
    // Result arrays of fragment programs have no fix.
    assert_eq!(first(NvFp4, "OUTPUT a = { result.color };").code, "gpu-result-array");
}

#[test]
fn offsets_are_within_the_array() {
    for index in ["i.x-1", "i.x+3", "i.x+1.0"] {
        let message = first(NvFp4, &format!("TEMP i, a[3]; MOV i, a[{index}];")).message;
        assert_eq!(message, "an offset into an array of 3 elements must be from 0 to 2");
    }
    let message = first(NvFp4, "TEMP i; PARAM a[] = { 1 }; MOV i, a[i.x-1];").message;
    assert_eq!(message, "the offset into an array of one element must be 0");
}

#[test]
fn constants_of_another_kind_are_told_so() {
    let message = |body| first(NvVp4, body).message;
    assert_eq!(
        message("INT PARAM a = 1.5;"),
        "this is read as a signed integer, so it cannot have a decimal point or an exponent"
    );
    assert_eq!(
        message("UINT PARAM a = {1, -2};"),
        "this is read as an unsigned integer, so it cannot be negative"
    );
}

#[test]
fn words_of_other_programs_are_known() {
    let note = |language, body: &str| {
        let fault = first(language, body);
        assert!(fault.fix.is_none(), "{body}: {:?}", fault.fix);
        fault.notes.join(" ")
    };
    for language in VERTEX {
        for word in ["FLAT", "CENTROID", "NOPERSPECTIVE", "SAMPLE"] {
            let told = format!("{word} is available only in fragment programs.");
            assert_eq!(note(*language, &format!("{word} ATTRIB a = vertex.attrib[0];")), told);
            assert_eq!(note(*language, &format!("INT {word} ATTRIB a = vertex.attrib[0];")), told);
        }
    }
    for language in ALL {
        for (statement, programs) in [
            ("EMIT", "geometry"),
            ("ENDPRIM", "geometry"),
            ("EMITS 0", "geometry"),
            ("PRIMITIVE_IN POINTS", "geometry"),
            ("PRIMITIVE_OUT POINTS", "geometry"),
            ("INVOCATIONS 2", "geometry"),
            ("VERTICES_OUT 3", "geometry and tessellation control"),
            ("TESS_MODE QUADS", "tessellation evaluation"),
            ("TESS_SPACING EQUAL", "tessellation evaluation"),
            ("TESS_VERTEX_ORDER CW", "tessellation evaluation"),
            ("TESS_POINT_MODE", "tessellation evaluation"),
        ] {
            let word = statement.split(' ').next().unwrap_or_default();
            let told = format!("{word} is available only in {programs} programs.");
            assert_eq!(note(language, &format!("{statement};")), told);
        }
        assert_eq!(mended(language, "TEMP t; LOG t, t.x;"), "TEMP t; LG2 t, t.x;");
        assert_eq!(mended(language, "TEMP t; EXP.CC t, t.x;"), "TEMP t; EX2.CC t, t.x;");
    }
}
