//! Generated files of the book.

use crate::common::tree::root;
use std::fs;

/// Asserts that the file contains `wanted`. `UPDATE_SNAPSHOTS=true` writes `wanted` to the file instead.
pub fn compare(path: &str, wanted: &str) {
    let file = root().join(path);
    if std::env::var("UPDATE_SNAPSHOTS").is_ok_and(|value| value == "true") {
        fs::write(&file, wanted).expect("the file is written");
    } else {
        let found = fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
        assert!(found == wanted, "{path} is old; UPDATE_SNAPSHOTS=true writes it");
    }
}
