//! Checks for any program text: loading, printing, the features of an editor, and expressions. `targets`
//! calls them.

use shadestep_engine::diag::error_position;
use shadestep_engine::front::{Loaded, load};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shadestep_engine::debug::expression::{Expression, Value};
use shadestep_engine::debug::{Cursor, Recording};
use shadestep_engine::exec::{Bindings, QuadInputs};
use shadestep_engine::ide;
use shadestep_engine::source::Span;

use crate::texts;

/// Starts of `!!ARBfp1.0` programs. The first byte of an input chooses one.
pub const ARBFP_STARTS: [&str; 8] = [
    "!!ARBfp1.0",
    "!!ARBfp1.0 OPTION NV_fragment_program;",
    "!!ARBfp1.0 OPTION NV_fragment_program2;",
    "!!ARBfp1.0 OPTION ARB_draw_buffers;",
    "!!ARBfp1.0 OPTION ARB_fog_exp2; OPTION ARB_precision_hint_fastest;",
    "!!ARBfp1.0 OPTION ARB_fragment_program_shadow;",
    "!!ARBfp1.0 OPTION ARB_fragment_coord_origin_upper_left; OPTION NV_fragment_program2;",
    "!!ARBfp1.0 OPTION ARB_draw_buffers; OPTION ARB_fragment_program_shadow; OPTION NV_fragment_program2;",
];

/// Starts of `!!ARBvp1.0` programs.
pub const ARBVP_STARTS: [&str; 5] = [
    "!!ARBvp1.0",
    "!!ARBvp1.0 OPTION ARB_position_invariant;",
    "!!ARBvp1.0 OPTION NV_vertex_program2;",
    "!!ARBvp1.0 OPTION NV_vertex_program3;",
    "!!ARBvp1.0 OPTION ARB_position_invariant; OPTION NV_vertex_program3;",
];

/// Starts of programs of NV_gpu_program4 and NV_gpu_program5.
pub const GPU_STARTS: [&str; 9] = [
    "!!NVfp5.0",
    "!!NVvp5.0",
    "!!NVfp4.0",
    "!!NVvp4.0",
    "!!NVfp4.0 OPTION ARB_draw_buffers;",
    "!!NVvp4.0 OPTION ARB_position_invariant;",
    "!!NVgp4.0",
    "!!NVgp4.0 PRIMITIVE_IN TRIANGLES; PRIMITIVE_OUT TRIANGLE_STRIP; VERTICES_OUT 4;",
    "!!NVgp5.0 PRIMITIVE_IN LINES; PRIMITIVE_OUT POINTS; VERTICES_OUT 4;",
];

/// The start that the first byte chooses, a line feed, and the remaining bytes.
pub fn with_start(starts: &[&str], data: &[u8]) -> Vec<u8> {
    let (&which, rest) = data.split_first().unwrap_or((&0, &[]));
    [starts[usize::from(which) % starts.len()].as_bytes(), b"\n", rest].concat()
}

/// Checks that loading is deterministic, that diagnostics lie in the text, and that a printed program loads
/// again.
pub fn check(text: &[u8]) {
    let loaded = load(text);
    assert_eq!(loaded, load(text), "loading twice gives two answers");
    check_diagnostics(text, &loaded);
    texts::assert_sane(text, text.len() / 2);
}

/// Runs an editor's features on `text`: on the whole text, and at some places that `seed` chooses.
pub fn check_ide(text: &[u8], seed: usize) {
    /// The number of places.
    const PLACES: usize = 4;
    let tokens = ide::highlight(text);
    let mut end = 0;
    for token in &tokens {
        assert_eq!(token.span.start, end, "tokens cover every byte in order");
        assert!(!token.span.is_empty());
        end = token.span.end;
    }
    assert_eq!(end, text.len());
    for item in ide::outline(text) {
        check_span(text, item.span);
    }
    let loaded = load(text);
    // Both ends, one byte past the end, and the places from the seed.
    let places = [0, text.len(), text.len() + 1].into_iter();
    for offset in places.chain((1..=PLACES).map(|n| (seed * n) % (text.len() + 1))) {
        if let Some(hover) = ide::hover(text, offset, loaded.program.as_ref()) {
            check_span(text, hover.span);
            assert!(!hover.title.is_empty());
        }
        for completion in ide::completions(text, offset) {
            check_span(text, completion.replace);
            assert!(!completion.label.is_empty());
        }
        if let Some(symbol) = ide::symbol(text, offset) {
            symbol.uses.iter().for_each(|place| check_span(text, place.span));
        }
        for span in ide::rename(text, offset, "another").unwrap_or_default() {
            check_span(text, span);
        }
        if let Some(told) = ide::explain(text, offset, loaded.program.as_ref(), None) {
            check_span(text, told.span);
        }
    }
    check_format(text);
}

/// Checks that formatting changes only the text between tokens, and that formatting twice equals formatting
/// once.
fn check_format(text: &[u8]) {
    let mut formatted = text.to_vec();
    let edits = ide::format(text);
    assert!(edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "edits follow each other");
    for edit in edits.iter().rev() {
        check_span(text, edit.span);
        formatted.splice(edit.span.start..edit.span.end, edit.text.bytes());
    }
    assert!(ide::format(&formatted).is_empty(), "formatting twice gives two texts");
}

/// Parses `text` as an expression over the registers of a program, and evaluates the expression if it is
/// valid.
pub fn check_expression(text: &str) {
    const PROGRAM: &[u8] = b"!!NVfp5.0\nINT TEMP i;\nLONG TEMP l;\nTEMP r;\nPARAM p[2] = { program.local[0..1] };\n\
        MOV r, fragment.texcoord[0];\nSUB.CC0 r.x, r, p[1];\nMOV.S i, -7;\nMOV.F64 l.xy, r;\nRCP r.w, p[0].x;\n\
        MOV result.color, r;\nEND\n";
    let program = load(PROGRAM).program.expect("the program is right");
    match Expression::parse(text, &program) {
        Err(fault) => {
            let span = fault.span;
            assert!(span.start <= span.end && span.end <= text.len(), "{span:?} in {text:?}");
            assert!(
                text.is_char_boundary(span.start)
                    && text.is_char_boundary(span.end)
                    && !fault.message.is_empty()
            );
        }
        Ok(expression) => {
            let program = Arc::new(program);
            let bindings = Arc::new(Bindings::initial(&program));
            let run = (0, [0, 0]);
            let recording = Recording::of_fragment(
                &program,
                &bindings,
                QuadInputs::default(),
                run,
                &AtomicBool::new(false),
            );
            let recording = recording.expect("nobody cancels it");
            let mut cursor = Cursor::new(&recording);
            cursor.seek(&recording, recording.len());
            let value = expression.evaluate(&cursor.here(&recording)).value;
            assert_eq!(matches!(value, Value::Truth(_)), expression.is_condition());
            assert!((1..=4).contains(&value.numbers().len()));
            let again = Expression::parse(expression.text(), &program);
            assert_eq!(again.as_ref().map(Expression::reads), Ok(expression.reads()));
        }
    }
}

fn check_diagnostics(text: &[u8], loaded: &Loaded) {
    let position = error_position(&loaded.diagnostics);
    let valid = -1..=i64::try_from(text.len()).unwrap_or(i64::MAX);
    assert!(valid.contains(&position), "error position {position} in {} bytes", text.len());
    for diagnostic in &loaded.diagnostics {
        assert!(
            !diagnostic.message.is_empty()
                && !diagnostic.clause().is_empty()
                && !diagnostic.labels.is_empty()
        );
    }
}

#[track_caller]
fn check_span(text: &[u8], span: Span) {
    assert!(span.start <= span.end && span.end <= text.len(), "{span:?} in {} bytes", text.len());
}
