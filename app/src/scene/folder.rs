//! The folder of a scene's files: on disk or compiled into the binary. Every loader reads through
//! [`OpenFolder`], so no scene reaches outside its folder.
//!
//! A load opens the folder once ([`Folder::open`]) and every file relative to that handle. Another process
//! can therefore not redirect the load by swapping links in the folder or in its path.

use super::SceneError;
use crate::embedded;
use cap_std::fs::Dir;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Limit on the size of images, meshes and attribute values, in bytes.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// Limit on the size of a program or README.md, in bytes.
pub const MAX_TEXT_BYTES: u64 = 16 << 20;

/// Limit on the size of `scene.toml`, in bytes. Parsing needs about fifty times the length of each number.
pub const MAX_SCENE_BYTES: u64 = 4 << 20;

/// The folder that scene files are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Folder {
    /// On disk.
    Disk(PathBuf),
    /// A sample compiled into the binary, by folder name.
    Bundled(&'static str),
    /// Files in memory, by name.
    Memory(Arc<BTreeMap<String, Vec<u8>>>),
    /// Another folder, with files from elsewhere that the user chose for the scene, by name.
    With(Box<Folder>, Arc<BTreeMap<String, PathBuf>>),
}

impl Folder {
    /// Opens the folder for one load. If the folder cannot be opened, reading any file in it fails.
    pub(super) fn open(&self) -> OpenFolder<'_> {
        let opened = match self {
            Self::Disk(folder) => {
                let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                Opened::Disk(Dir::open_ambient_dir(folder, cap_std::ambient_authority()))
            }
            Self::Bundled(sample) => Opened::Bundled(sample),
            Self::Memory(files) => Opened::Memory(files),
            Self::With(folder, chosen) => Opened::With(Box::new(folder.open()), chosen),
        };
        OpenFolder { folder: self, opened }
    }

    /// Reads one file, as `OpenFolder::read` does.
    ///
    /// # Errors
    /// As `OpenFolder::read`.
    pub fn read(&self, name: &str) -> Result<Cow<'static, [u8]>, SceneError> {
        self.open().read(name)
    }

    /// Reads a file of at most `limit` bytes.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_up_to(&self, name: &str, limit: u64) -> Result<Cow<'static, [u8]>, SceneError> {
        self.open().read_up_to(name, limit)
    }

    /// Names of the entries directly in the subfolder `inner`, sorted. An empty `inner` is the folder itself.
    /// The list is empty if the subfolder does not exist.
    pub fn names_in(&self, inner: &str) -> Vec<String> {
        let prefix = if inner.is_empty() { String::new() } else { format!("{inner}/") };
        let first = |path: &str| path.split('/').next().map(str::to_owned);
        let mut names: Vec<String> = match self {
            Self::Disk(folder) => {
                let entries =
                    std::fs::read_dir(folder.join(inner)).into_iter().flatten().flatten().take(10_000);
                entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
            }
            Self::Bundled(sample) => {
                let files = embedded::files_in("samples/");
                let within = |path: &'static str| {
                    path.strip_prefix(sample)?.strip_prefix('/')?.strip_prefix(prefix.as_str())
                };
                files.filter_map(|(path, _)| first(within(path)?)).collect()
            }
            Self::Memory(files) => {
                files.keys().filter_map(|path| first(path.strip_prefix(prefix.as_str())?)).collect()
            }
            Self::With(folder, _) => return folder.names_in(inner),
        };
        names.sort();
        names.dedup();
        names
    }

    /// Returns the subfolder `inner`. Returns `None` if a bundled folder has no such subfolder, and for
    /// folders in memory and folders with chosen files.
    pub fn inner(&self, inner: &str) -> Option<Self> {
        match self {
            Self::Disk(folder) => Some(Self::Disk(folder.join(inner))),
            Self::Bundled(outer) => {
                let mut paths = embedded::files_in("samples/").map(|(path, _)| path);
                let end = outer.len() + 1 + inner.len();
                let folder = |path: &'static str| {
                    let rest = path.strip_prefix(outer)?.strip_prefix('/')?.strip_prefix(inner)?;
                    rest.starts_with('/').then(|| &path[..end])
                };
                paths.find_map(folder).map(Self::Bundled)
            }
            Self::Memory(_) | Self::With(..) => None,
        }
    }

    /// The path of `name` on disk, for watching. `None` for folders that are not on disk.
    pub fn path_of(&self, name: &str) -> Option<PathBuf> {
        match self {
            Self::Disk(folder) => Some(folder.join(name)),
            Self::Bundled(_) | Self::Memory(_) => None,
            Self::With(folder, chosen) => chosen.get(name).cloned().or_else(|| folder.path_of(name)),
        }
    }

    /// `name` as messages show it: with the folder before it.
    pub fn display(&self, name: &str) -> String {
        match self {
            Self::Disk(folder) => folder.join(name).display().to_string(),
            Self::Bundled(sample) => format!("{sample}/{name}"),
            Self::Memory(_) => name.to_owned(),
            Self::With(folder, _) => folder.display(name),
        }
    }
}

/// A folder that is held open while a scene, or a part of a scene, is loaded from it.
#[derive(Debug)]
pub(super) struct OpenFolder<'a> {
    folder: &'a Folder,
    opened: Opened<'a>,
}

#[derive(Debug)]
enum Opened<'a> {
    Disk(io::Result<Dir>),
    Bundled(&'static str),
    Memory(&'a BTreeMap<String, Vec<u8>>),
    With(Box<OpenFolder<'a>>, &'a BTreeMap<String, PathBuf>),
}

impl OpenFolder<'_> {
    pub fn folder(&self) -> &Folder {
        self.folder
    }

    /// Reads `name`, a path relative to this folder.
    ///
    /// # Errors
    /// A path that leaves the folder (also by a symbolic link), or a file that is missing, unreadable, not a
    /// regular file or larger than [`MAX_FILE_BYTES`]. The error's file is `name`; it has no place.
    pub fn read(&self, name: &str) -> Result<Cow<'static, [u8]>, SceneError> {
        self.read_up_to(name, MAX_FILE_BYTES)
    }

    /// As [`Self::read`], with at most [`MAX_TEXT_BYTES`].
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_text(&self, name: &str) -> Result<Cow<'static, [u8]>, SceneError> {
        self.read_up_to(name, MAX_TEXT_BYTES)
    }

    /// As [`Self::read`], with at most [`MAX_SCENE_BYTES`].
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_scene(&self, name: &str) -> Result<Cow<'static, [u8]>, SceneError> {
        self.read_up_to(name, MAX_SCENE_BYTES)
    }

    /// As [`Self::read`], with at most `limit` bytes.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_up_to(&self, name: &str, limit: u64) -> Result<Cow<'static, [u8]>, SceneError> {
        let parts = inner_path(name)?;
        match &self.opened {
            Opened::With(folder, chosen) => match chosen.get(name) {
                Some(path) => read_limited(path, name, limit).map(Cow::Owned),
                None => folder.read_up_to(name, limit),
            },
            Opened::Disk(Ok(folder)) => read_within(folder, &parts, name, limit).map(Cow::Owned),
            Opened::Disk(Err(error)) => Err(io_error(name, error)),
            Opened::Bundled(sample) => {
                let path = parts.to_string_lossy().replace('\\', "/");
                embedded::file(&format!("samples/{sample}/{path}"))
                    .map(Cow::Borrowed)
                    .ok_or_else(|| SceneError::new(name, "there is no such file in the scene's folder"))
            }
            Opened::Memory(files) => {
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
}

/// Refuses paths that are absolute or contain `..`. The rules are the same on all systems, so that a scene is
/// portable. Returns the path without `.` parts.
fn inner_path(name: &str) -> Result<PathBuf, SceneError> {
    const LEAVES: &str = "the path leaves the scene's folder; files must be inside it";
    let mut path = PathBuf::new();
    // Refuses Windows drives (`C:a`), shares (`\\server`) and `..\` on every system.
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
        return Err(SceneError::new(format!("{name:?}"), "this is not a file name"));
    }
    Ok(path)
}

fn read_within(folder: &Dir, parts: &Path, name: &str, limit: u64) -> Result<Vec<u8>, SceneError> {
    let mut options = cap_std::fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::custom_flags(&mut options, without_waiting());
    let file = folder.open_with(parts, &options).map_err(|error| {
        // Errors of the operating system have a number. An error without one means that the path left the
        // folder.
        if error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none() {
            SceneError::new(
                name,
                "the file is a link to an absolute path or to a place outside the scene's folder",
            )
        } else {
            io_error(name, &error)
        }
    })?;
    read_plain(file.into_std(), name, limit)
}

fn too_large(name: &str, limit: u64) -> SceneError {
    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;
    let words = match limit {
        MIB.. => format!("the file is larger than {} MiB", limit / MIB),
        _ if limit.is_multiple_of(KIB) => format!("the file is larger than {} KiB", limit / KIB),
        _ => format!("the file is larger than {limit} bytes"),
    };
    SceneError::new(name, words)
}

/// Reads a regular file of at most `limit` bytes. Errors call it `name`.
///
/// # Errors
/// The file is missing, unreadable, not regular or too large.
pub(crate) fn read_limited(path: &Path, name: &str, limit: u64) -> Result<Vec<u8>, SceneError> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, without_waiting());
    let file = options.open(path).map_err(|error| io_error(name, &error))?;
    read_plain(file, name, limit)
}

/// Flags for opening a file. A pipe without a writer does not block, and a terminal does not become the
/// process's controlling one. The type of the file is checked after opening, so that the file checked is the
/// file read.
#[cfg(unix)]
fn without_waiting() -> i32 {
    (rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY).bits() as i32
}

fn read_plain(file: File, name: &str, limit: u64) -> Result<Vec<u8>, SceneError> {
    let metadata = file.metadata().map_err(|error| io_error(name, &error))?;
    if metadata.is_dir() {
        return Err(SceneError::new(name, "this is a folder, not a file"));
    }
    if !metadata.is_file() {
        return Err(SceneError::new(name, "this is not a regular file"));
    }
    if metadata.len() > limit {
        return Err(too_large(name, limit));
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| io_error(name, &error))?;
    if bytes.len() as u64 > limit { Err(too_large(name, limit)) } else { Ok(bytes) }
}

fn io_error(name: &str, error: &io::Error) -> SceneError {
    let words = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission to read the file was denied".to_owned(),
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
    mod unix {
        use super::*;
        use std::fs;
        use std::os::unix::fs::symlink;
        use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

        /// A folder `scene` and, beside it, one with a secret.
        struct TestFolder(PathBuf);

        impl TestFolder {
            fn new() -> Self {
                static NEXT: AtomicU32 = AtomicU32::new(0);
                let number = NEXT.fetch_add(1, Ordering::Relaxed);
                let root =
                    std::env::temp_dir().join(format!("shadestep-folder-{}-{number}", std::process::id()));
                for folder in ["scene/sub", "outside"] {
                    fs::create_dir_all(root.join(folder)).unwrap();
                }
                fs::write(root.join("outside/file"), "secret").unwrap();
                fs::write(root.join("scene/sub/file"), "inside").unwrap();
                Self(root)
            }

            fn scene(&self) -> Folder {
                Folder::Disk(self.0.join("scene"))
            }
        }

        impl Drop for TestFolder {
            fn drop(&mut self) {
                let _ = fs::remove_dir_all(&self.0);
            }
        }

        #[test]
        fn links_that_leave_the_folder_are_refused() {
            let place = TestFolder::new();
            symlink(place.0.join("outside/file"), place.0.join("scene/link")).unwrap();
            symlink("../outside", place.0.join("scene/way")).unwrap();
            symlink("sub/../sub/file", place.0.join("scene/within")).unwrap();
            for name in ["link", "way/file"] {
                let error = place.scene().read(name).unwrap_err();
                assert!(error.message.contains("outside the scene's folder"), "{error}");
            }
            assert_eq!(&*place.scene().read("within").unwrap(), b"inside");
        }

        /// While `swap` runs, loads `name` from `folder` 5,000 times. Each load gives the file inside or an
        /// error, and both occur at least once.
        #[track_caller]
        fn never_the_secret(folder: &Folder, name: &str, swap: impl Fn() + Sync) {
            let done = AtomicBool::new(false);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        swap();
                    }
                });
                let (mut inside, mut refused) = (0, 0);
                while inside + refused < 5_000 || inside == 0 || refused == 0 {
                    match folder.read(name) {
                        Ok(bytes) => {
                            assert_eq!(&*bytes, b"inside");
                            inside += 1;
                        }
                        Err(_) => refused += 1,
                    }
                }
                done.store(true, Ordering::Relaxed);
            });
        }

        #[test]
        fn links_that_are_swapped_while_a_file_is_opened_lead_nowhere_else() {
            let place = TestFolder::new();
            let at = |name: &str| place.0.join(name);
            symlink("sub", at("scene/way")).unwrap();
            never_the_secret(&place.scene(), "way/file", || {
                for target in ["../outside", "sub"] {
                    symlink(target, at("scene/next")).unwrap();
                    fs::rename(at("scene/next"), at("scene/way")).unwrap();
                }
            });
        }

        #[test]
        fn a_folder_is_what_it_was_when_it_was_opened() {
            let place = TestFolder::new();
            fs::rename(place.0.join("scene/sub"), place.0.join("first")).unwrap();
            symlink("first", place.0.join("current")).unwrap();
            let folder = Folder::Disk(place.0.join("current"));
            let open = folder.open();
            assert_eq!(&*open.read("file").unwrap(), b"inside");
            fs::remove_file(place.0.join("current")).unwrap();
            symlink("outside", place.0.join("current")).unwrap();
            assert_eq!(&*open.read("file").unwrap(), b"inside", "still the first");
            assert_eq!(&*folder.read("file").unwrap(), b"secret", "opened again it is another");
        }

        #[test]
        fn what_was_a_file_and_is_a_pipe_when_opened_is_refused_at_once() {
            let place = TestFolder::new();
            let at = |name: &str| place.0.join("scene").join(name);
            let pipe = at("pipe");
            assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            symlink("sub/file", at("file")).unwrap();
            // A blocking open of the pipe would wait for ever.
            never_the_secret(&place.scene(), "file", || {
                for target in ["pipe", "sub/file"] {
                    symlink(target, at("next")).unwrap();
                    fs::rename(at("next"), at("file")).unwrap();
                }
            });
            let error = read_limited(&pipe, "pipe", 10).unwrap_err();
            assert!(error.message.contains("not a regular file"), "{error}");
            let error = read_limited(Path::new("/dev/zero"), "zero", 10).unwrap_err();
            assert!(error.message.contains("not a regular file"), "{error}");
        }
    }
}
