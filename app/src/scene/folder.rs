//! Where a scene's files are: a folder on disk or one compiled into the binary.

use std::path::PathBuf;

/// A folder that scene files are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Folder {
    /// On disk.
    Disk(PathBuf),
    /// A sample compiled into the binary, by folder name.
    Bundled(&'static str),
}
