//! What `!!FP1.0` programs load and what they are refused for, with the place.
//!
//! In refused texts `@` marks where the error must be; it is no character of the language. Cases follow
//! the grammar of NV_fragment_program 3.11.3 and the load rules of 3.11.1, 3.11.2 and 3.11.5.

mod accepted;
mod refused;

use shadestep_engine::diag::{Severity, error_position, first_error};
use shadestep_engine::front::{Loaded, load};
use shadestep_engine::ir;

/// Everything loaded passes the verifier; everything refused has an error.
pub fn load_checked(text: &str) -> Loaded {
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

pub fn around(body: &str) -> String {
    format!("!!FP1.0\n{body}\nMOV o[COLR], R0;\nEND\n")
}

#[track_caller]
pub fn accepts(body: &str) -> ir::Program {
    accepts_whole(&around(body))
}

#[track_caller]
pub fn accepts_whole(text: &str) -> ir::Program {
    let loaded = load_checked(text);
    loaded.program.unwrap_or_else(|| panic!("{text}\nrefused: {:#?}", loaded.diagnostics))
}

/// `body` must be refused with exactly one error, `code` at `@`.
#[track_caller]
pub fn refuses(code: &str, body: &str) {
    refuses_whole(code, &around(body));
}

#[track_caller]
pub fn refuses_whole(code: &str, marked: &str) {
    let position = marked.find('@').expect("the place is marked");
    let text = marked.replacen('@', "", 1);
    let loaded = load_checked(&text);
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let found: Vec<_> = errors.iter().map(|d| (d.code, d.position)).collect();
    assert_eq!(found, [(code, position)], "{text}\n{errors:#?}");
    assert!(!errors[0].message.is_empty() && errors[0].spec.starts_with("NV_"));
    // A fix, where there is one, mends the fault it belongs to.
    if let Some(fix) = &errors[0].fix {
        let mended = format!("{}{}{}", &text[..fix.span.start], fix.replacement, &text[fix.span.end..]);
        let left = load_checked(&mended).diagnostics;
        assert!(left.iter().all(|d| d.code != code), "{mended}\n{left:#?}");
    }
}
