//! Loading of `!!ARBfp1.0` programs, without option, with NV_fragment_program and with NV_fragment_program2:
//! programs that load, and programs that are refused with the code and the place.
//!
//! Cases follow the texts of ARB_fragment_program (3.11.2 to 3.11.6), NV_fragment_program_option,
//! NV_fragment_program2, ARB_fragment_program_shadow, ARB_draw_buffers and ARB_fragment_coord_conventions,
//! clause by clause. In a refused text `@` marks the first offending token. The language has no such
//! character. The error of a text without `@` concerns the whole program, and its position is the program's
//! length (ruling 13).

mod attributes;
mod blocks;
mod counts;
mod grammar;
mod names;
mod operands;
mod options;
mod parameters;
mod results;
mod states;
mod textures;

use std::fmt::Write as _;

use crate::roundtrip::checks::{assert_prints_and_reloads, assert_sane};
use shadestep_engine::diag::{Severity, error_position};
use shadestep_engine::front::load;
use shadestep_engine::ir::Program;

/// The languages of a case, by their option lines.
pub type Languages = &'static [&'static str];

pub const BASE: Languages = &[""];
pub const NV1: Languages = &["OPTION NV_fragment_program;"];
pub const NV2: Languages = &["OPTION NV_fragment_program2;"];
pub const BEFORE_NV2: Languages = &["", "OPTION NV_fragment_program;"];
pub const NV: Languages = &["OPTION NV_fragment_program;", "OPTION NV_fragment_program2;"];
pub const ALL: Languages = &["", "OPTION NV_fragment_program;", "OPTION NV_fragment_program2;"];

/// Returns a program with `options`, temporaries `t`, `u` and `v`, and `body`.
pub fn around(options: &str, body: &str) -> String {
    format!("!!ARBfp1.0\n{options}\nTEMP t, u, v;\n{body}\nEND\n")
}

/// Loads a text that must load, and checks that the program prints and loads again.
#[track_caller]
pub fn program(text: &str) -> Program {
    let loaded = load(text.as_bytes());
    assert_eq!(error_position(&loaded.diagnostics), -1, "{text}\n{:#?}", loaded.diagnostics);
    let program = loaded.program.unwrap_or_else(|| panic!("no program: {text}"));
    assert_prints_and_reloads(program.clone());
    program
}

/// Loads `marked`, which must be refused with the one error `code` at `@`. Returns a description of the
/// difference, if there is one.
fn difference(code: &str, marked: &str) -> Option<String> {
    let text = marked.replacen('@', "", 1);
    assert!(!text.contains('@'), "one mark: {marked}");
    assert_sane(text.as_bytes(), text.len() / 2);
    let loaded = load(text.as_bytes());
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let found: Vec<_> = errors.iter().map(|d| (d.code.name(), d.position)).collect();
    let expected = (code, marked.find('@').unwrap_or(text.len()));
    if found != [expected] {
        return Some(format!("expected {expected:?}, found {found:?}"));
    }
    let error = errors.first()?;
    if error.message.is_empty() || !(error.clause().starts_with("ARB_") || error.clause().starts_with("NV_"))
    {
        return Some(format!("a poor finding: {error:?}"));
    }
    // The error's fix, if there is one, must remove the error.
    let fix = error.fix.as_ref()?;
    let fixed = format!("{}{}{}", &text[..fix.span.start], fix.replacement, &text[fix.span.end..]);
    let left = load(fixed.as_bytes()).diagnostics;
    let again = left.iter().any(|d| d.code == code && d.position == expected.1);
    again.then(|| format!("the fix changes nothing: {fix:?}"))
}

/// Checks that all `bodies` load in all `languages`.
#[track_caller]
pub fn accepts(languages: Languages, bodies: &[&str]) {
    for body in bodies {
        for options in languages {
            program(&around(options, body));
        }
    }
}

/// Checks that all `cases` (code, text) are refused. A text with a header is a whole program; other texts are
/// bodies, tried in all `languages`.
#[track_caller]
pub fn refuses<T: AsRef<str>>(languages: Languages, cases: &[(&str, T)]) {
    let mut differences = String::new();
    for (code, body) in cases {
        let body = body.as_ref();
        let whole = body.contains("!!");
        let languages = if whole { BASE } else { languages };
        for options in languages {
            let marked = if whole { body.to_owned() } else { around(options, body) };
            if let Some(difference) = difference(code, &marked) {
                let _ = writeln!(differences, "{marked}{difference}\n");
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
}
