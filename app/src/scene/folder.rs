//! Where a scene's files are: a folder on disk or one compiled into the binary. Every loader reads
//! through here, so that no scene reaches outside its folder.

use super::SceneError;
use crate::embedded;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Largest file that is read, in bytes: images, meshes and attribute values.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// Largest program or README.md that is read, in bytes.
pub const MAX_TEXT_BYTES: u64 = 16 << 20;

/// Largest `scene.toml` that is read, in bytes: each number in it takes some fifty times its length while it is read.
pub const MAX_SCENE_BYTES: u64 = 4 << 20;

/// A folder that scene files are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Folder {
    /// On disk.
    Disk(PathBuf),
    /// A sample compiled into the binary, by folder name.
    Bundled(&'static str),
    /// Files in memory, by name.
    Memory(Arc<BTreeMap<String, Vec<u8>>>),
}

impl Folder {
    /// The content of `name`, a path relative to this folder.
    ///
    /// # Errors
    /// A path that leaves the folder (also by a symbolic link), a file that is missing, unreadable, no
    /// plain file or larger than [`MAX_FILE_BYTES`]. The error's file is `name`; it has no place.
    pub fn read(&self, name: &str) -> Result<Cow<'static, [u8]>, SceneError> {
        self.read_up_to(name, MAX_FILE_BYTES)
    }

    /// As [`Self::read`], of at most [`MAX_TEXT_BYTES`].
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_text(&self, name: &str) -> Result<Cow<'static, [u8]>, SceneError> {
        self.read_up_to(name, MAX_TEXT_BYTES)
    }

    /// As [`Self::read`], of at most [`MAX_SCENE_BYTES`].
    pub(super) fn read_scene(&self, name: &str) -> Result<Cow<'static, [u8]>, SceneError> {
        self.read_up_to(name, MAX_SCENE_BYTES)
    }

    fn read_up_to(&self, name: &str, limit: u64) -> Result<Cow<'static, [u8]>, SceneError> {
        let parts = inner_path(name)?;
        match self {
            Self::Disk(folder) => read_within(folder, &parts, name, limit).map(Cow::Owned),
            Self::Bundled(sample) => {
                let path = parts.to_string_lossy().replace('\\', "/");
                embedded::file(&format!("samples/{sample}/{path}"))
                    .map(Cow::Borrowed)
                    .ok_or_else(|| SceneError::new(name, "there is no such file in the scene's folder"))
            }
            Self::Memory(files) => {
                let file = parts.to_str().and_then(|path| files.get(path));
                let bytes =
                    file.ok_or_else(|| SceneError::new(name, "there is no such file in the scene's folder"))?;
                if bytes.len() as u64 > limit {
                    Err(too_large(name, limit))
                } else {
                    Ok(Cow::Owned(bytes.clone()))
                }
            }
        }
    }

    /// Where `name` is on disk, for watching; `None` for folders that are not on disk.
    pub fn path_of(&self, name: &str) -> Option<PathBuf> {
        match self {
            Self::Disk(folder) => Some(folder.join(name)),
            Self::Bundled(_) | Self::Memory(_) => None,
        }
    }

    /// `name` as a person knows it: with the folder before it.
    pub fn display(&self, name: &str) -> String {
        match self {
            Self::Disk(folder) => folder.join(name).display().to_string(),
            Self::Bundled(sample) => format!("{sample}/{name}"),
            Self::Memory(_) => name.to_owned(),
        }
    }
}

/// Refuses paths that are absolute or go up, on any system: a scene that is good on one is good on all. Gives the path
/// without `.` parts.
fn inner_path(name: &str) -> Result<PathBuf, SceneError> {
    const LEAVES: &str = "the path leaves the scene's folder; files must be inside it";
    let mut path = PathBuf::new();
    // Windows' drives (`C:a`), shares (`\\server`) and `..\`, wherever this runs.
    let drive = matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if drive || name.starts_with('\\') || name.split(['/', '\\']).any(|part| part == "..") {
        return Err(SceneError::new(name, LEAVES));
    }
    for part in Path::new(name).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(SceneError::new(name, LEAVES));
            }
        }
    }
    if path.as_os_str().is_empty() || name.contains('\0') {
        return Err(SceneError::new(format!("{name:?}"), "this is not the name of a file"));
    }
    Ok(path)
}

fn read_within(folder: &Path, parts: &Path, name: &str, limit: u64) -> Result<Vec<u8>, SceneError> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(parts);
    let real = path.canonicalize().map_err(|error| io_error(name, &error))?;
    let root = folder.canonicalize().map_err(|error| io_error(name, &error))?;
    if !real.starts_with(&root) {
        return Err(SceneError::new(name, "the file is a link that leaves the scene's folder"));
    }
    read_limited(&path, name, limit)
}

fn too_large(name: &str, limit: u64) -> SceneError {
    SceneError::new(name, format!("the file is larger than {} MiB", limit >> 20))
}

/// Reads a plain file of at most `limit` bytes. `name` is what errors call it.
///
/// # Errors
/// Missing, unreadable, no plain file, too large.
pub(crate) fn read_limited(path: &Path, name: &str, limit: u64) -> Result<Vec<u8>, SceneError> {
    let metadata = fs::metadata(path).map_err(|error| io_error(name, &error))?;
    if metadata.is_dir() {
        return Err(SceneError::new(name, "this is a folder, not a file"));
    }
    if !metadata.is_file() {
        return Err(SceneError::new(name, "this is not a plain file"));
    }
    if metadata.len() > limit {
        return Err(too_large(name, limit));
    }
    let file = fs::File::open(path).map_err(|error| io_error(name, &error))?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| io_error(name, &error))?;
    if bytes.len() as u64 > limit { Err(too_large(name, limit)) } else { Ok(bytes) }
}

fn io_error(name: &str, error: &std::io::Error) -> SceneError {
    let words = match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "the file may not be read".to_owned(),
        _ => format!("the file cannot be read: {error}"),
    };
    SceneError::new(name, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_folder_are_refused() {
        let folder = Folder::Disk(PathBuf::from("."));
        for name in [
            "../Cargo.toml",
            "/etc/passwd",
            "/dev/zero",
            "a/../../b",
            "src/../Cargo.toml",
            "..",
            "",
            ".",
            "a\0b",
            "C:\\x",
            "c:x",
            "C:/x",
            "\\\\server\\share\\x",
            "\\x",
            "..\\Cargo.toml",
            "a\\..\\..\\b",
            "\\\\?\\C:\\x",
        ] {
            assert!(folder.read(name).is_err(), "{name:?}");
        }
        assert!(folder.read("./Cargo.toml").is_ok());
        assert!(folder.read("src").unwrap_err().message.contains("folder"));
        assert!(folder.read("nothing-here").unwrap_err().message.contains("no such file"));
    }

    #[cfg(unix)]
    #[test]
    fn links_that_leave_the_folder_are_refused() {
        let root = std::env::temp_dir().join(format!("shadestep-folder-{}", std::process::id()));
        fs::create_dir_all(root.join("scene")).unwrap();
        fs::write(root.join("outside"), "secret").unwrap();
        std::os::unix::fs::symlink(root.join("outside"), root.join("scene/link")).unwrap();
        let error = Folder::Disk(root.join("scene")).read("link").unwrap_err();
        fs::remove_dir_all(&root).unwrap();
        assert!(error.message.contains("link"), "{error}");
    }
}
