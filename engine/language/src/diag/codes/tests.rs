//! Tests of the table itself. `shadestep-ide` tests the examples, because warnings come from there.

use super::{all, topics};
use std::collections::HashSet;

#[test]
fn every_code_has_one_row() {
    let mut names = HashSet::new();
    for code in all() {
        assert!(names.insert(code.name()), "{} twice", code.name());
        let row = code.row();
        let is_plain = |clause: &&str| !clause.is_empty() && !clause.contains("  ");
        assert!(row.rule.ends_with('.') && row.clauses.iter().all(is_plain), "{row:?}");
    }
    assert!(topics().iter().all(|topic| !topic.codes.is_empty()));
}
