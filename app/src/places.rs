//! Short names of files for lists and titles. Different files get different names.

use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// The name of the app on the system, used for its windows and for the folder of settings and drafts.
pub const APP_ID: &str = "shadestep";

/// Largest number of characters of a folder in a list.
const FOLDER: usize = 44;

/// A file in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub name: String,
    /// Its folder, shortened.
    pub folder: String,
}

/// Returns list entries for the files, in order. No two entries look the same.
pub fn listed(paths: &[PathBuf]) -> Vec<Listed> {
    let shown = |path: &PathBuf, room: usize| Listed { name: name(path), folder: folder(path, room) };
    let short: Vec<Listed> = paths.iter().map(|path| shown(path, FOLDER)).collect();
    let is_twice = |listed: &Listed| short.iter().filter(|other| *other == listed).count() > 1;
    let of = |(path, short): (&PathBuf, &Listed)| {
        if is_twice(short) { shown(path, usize::MAX) } else { short.clone() }
    };
    paths.iter().zip(&short).map(of).collect()
}

pub fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Returns the folder of the file at `path`, with the user's home as `~`. If the result is longer than `room`
/// characters, `…` replaces folders from the front. The last folder stays.
pub fn folder(path: &Path, room: usize) -> String {
    let folder = path.parent().unwrap_or(Path::new(""));
    let home = std::env::home_dir().filter(|home| home.components().count() > 1);
    let whole = match home.as_deref().and_then(|home| folder.strip_prefix(home).ok()) {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~{MAIN_SEPARATOR}{}", rest.display()),
        None => folder.display().to_string(),
    };
    let mut short = whole.as_str();
    let mut cut = String::new();
    while cut.chars().count().max(if cut.is_empty() { whole.chars().count() } else { 0 }) > room {
        let Some((_, rest)) = short.trim_start_matches(MAIN_SEPARATOR).split_once(MAIN_SEPARATOR) else {
            break;
        };
        short = rest;
        cut = format!("…{MAIN_SEPARATOR}{rest}");
    }
    if cut.is_empty() { whole } else { cut }
}

/// Returns `text` as a path, with `~` at its start replaced by the user's home.
pub fn expanded(text: &str) -> PathBuf {
    let rest =
        text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(['/', MAIN_SEPARATOR]));
    match (rest, std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches(['/', MAIN_SEPARATOR])),
        _ => PathBuf::from(text),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_name_are_told_apart() {
        let deep = "a-folder-with-a-long-name/another-one-with-a-long-name/main.fp";
        let paths: Vec<PathBuf> = ["/a/main.fp", "/b/main.fp", "/main.fp"]
            .map(PathBuf::from)
            .into_iter()
            .chain([PathBuf::from(format!("/one/{deep}")), PathBuf::from(format!("/two/{deep}"))])
            .collect();
        let listed = listed(&paths);
        assert!(listed.iter().all(|listed| listed.name == "main.fp"));
        let folders: Vec<&str> = listed.iter().map(|listed| listed.folder.as_str()).collect();
        assert_eq!(folders[..3], ["/a", "/b", "/"]);
        assert!(folders[3].starts_with("/one/") && folders[4].starts_with("/two/"), "{folders:?}");
        let short = folder(&paths[3], FOLDER);
        assert_eq!(short, "…/another-one-with-a-long-name");
        assert_eq!(folder(Path::new(&format!("/{}/x.fp", "x".repeat(90))), FOLDER).len(), 91);
    }

    #[test]
    fn the_persons_own_folder_is_a_tilde() {
        let Some(home) = std::env::home_dir().filter(|home| home.components().count() > 1) else { return };
        assert_eq!(folder(&home.join("x.fp"), FOLDER), "~");
        assert_eq!(folder(&home.join("shaders/x.fp"), FOLDER), "~/shaders");
        assert_eq!(expanded("~/shaders/x.fp"), home.join("shaders/x.fp"));
        assert_eq!(expanded("~"), home);
        assert_eq!(expanded("~other/x.fp"), PathBuf::from("~other/x.fp"));
        assert_eq!(expanded("/x/~"), PathBuf::from("/x/~"));
    }
}
