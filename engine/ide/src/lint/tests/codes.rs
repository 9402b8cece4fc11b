//! The examples of the table of codes: each breaks its own rule, and its correction loads without a warning.

use crate::lint::load;
use shadestep_language::diag::codes::all;
use shadestep_language::diag::{Severity, first_error};

#[test]
fn every_example_breaks_its_own_rule() {
    for code in all() {
        let Some(wrong) = code.wrong() else { continue };
        let loaded = load(wrong.as_bytes());
        let error = first_error(&loaded.diagnostics);
        let first = match code.row().severity {
            Severity::Error => error,
            Severity::Warning if error.is_none() => loaded.diagnostics.first(),
            Severity::Warning => error,
        };
        assert_eq!(first.map(|found| found.code), Some(code), "{wrong}\n{:#?}", loaded.diagnostics);
        assert!(code.row().clauses.contains(&first.unwrap().clause()), "{wrong}\n{first:#?}");
    }
}

#[test]
fn every_correction_loads_without_a_warning() {
    for code in all() {
        if let Some((part, _)) = code.row().correction {
            assert!(code.row().wrong.contains(part), "{} lacks {part}", code.name());
        }
        let Some(right) = code.right() else {
            assert!(code.wrong().is_none(), "{} has no correction", code.name());
            continue;
        };
        assert_eq!(load(right.as_bytes()).diagnostics, [], "{right}");
    }
}
