//! The book's page of errors and warnings equals the output of `explain --markdown`.

use super::snapshot::compare;
use crate::common::shadestep;

/// `UPDATE_SNAPSHOTS=true` writes the page.
#[test]
fn the_book_lists_every_code() {
    compare("docs/errors.md", &shadestep(&["explain", "--markdown"]).out);
}
