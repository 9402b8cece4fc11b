//! The files compiled into the binary: samples, textures, meshes, bench programs. `build.rs` makes the table.

/// Every file: path from the workspace's root with forward slashes, and content. Sorted by path.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

pub(crate) fn file(path: &str) -> Option<&'static [u8]> {
    let index = FILES.binary_search_by(|(name, _)| (*name).cmp(path)).ok()?;
    Some(FILES[index].1)
}

/// Returns the files under `folder` (which ends in a slash): path within the folder, and content.
pub(crate) fn files_in(folder: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> {
    FILES.iter().filter_map(move |(name, bytes)| name.strip_prefix(folder).map(|rest| (rest, *bytes)))
}

/// Returns the bench programs: name and text. The end of the name is the language (`.fp1`, `.arbfp`,
/// `.nvfp5`).
pub(crate) fn bench_programs() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    files_in("samples/bench/")
}
