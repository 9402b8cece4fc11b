//! Loads program texts and compares the diagnostics with the test's expectation.
//!
//! In refused texts `@` marks the place of the error. No language contains this character.

use shadestep_engine::diag::{Severity, error_position, first_error};
use shadestep_engine::front::{Loaded, load};
use shadestep_language::ir;

/// Loads `text`. Asserts that a loaded program passes the verifier, and that a refused text has an error.
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

#[track_caller]
pub fn accepts_whole(text: &str) -> ir::Program {
    let loaded = load_checked(text);
    loaded.program.unwrap_or_else(|| panic!("{text}\nrefused: {:#?}", loaded.diagnostics))
}

/// Asserts that `marked` has exactly one error: `code`, at `@`.
#[track_caller]
pub fn refuses_whole(code: &str, marked: &str) {
    let position = marked.find('@').expect("the place is marked");
    let text = marked.replacen('@', "", 1);
    let loaded = load_checked(&text);
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let found: Vec<_> = errors.iter().map(|d| (d.code.name(), d.position)).collect();
    assert_eq!(found, [(code, position)], "{text}\n{errors:#?}");
    assert!(!errors[0].message.is_empty() && errors[0].clause().starts_with("NV_"));
    // A suggested fix must remove the error.
    if let Some(fix) = &errors[0].fix {
        let fixed = format!("{}{}{}", &text[..fix.span.start], fix.replacement, &text[fix.span.end..]);
        let left = load_checked(&fixed).diagnostics;
        assert!(left.iter().all(|d| d.code != code), "{fixed}\n{left:#?}");
    }
}
