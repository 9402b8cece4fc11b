//! The book's page of errors and warnings equals the output of `explain --markdown`.

use super::common::shadestep;
use super::tree::root;
use std::fs;

const PAGE: &str = "docs/errors.md";

/// `UPDATE_SNAPSHOTS=true` writes the page.
#[test]
fn the_book_lists_every_code() {
    let (path, wanted) = (root().join(PAGE), shadestep(&["explain", "--markdown"]).out);
    if std::env::var("UPDATE_SNAPSHOTS").is_ok_and(|value| value == "true") {
        fs::write(&path, wanted).expect("the page is written");
        return;
    }
    let found = fs::read_to_string(&path).expect("the page of errors");
    assert!(found.replace("\r\n", "\n") == wanted, "{PAGE} is old; UPDATE_SNAPSHOTS=true writes it");
}
