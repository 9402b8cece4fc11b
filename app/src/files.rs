//! Writing files: each is whole or as it was. Everything that Shadestep writes goes through [`replace`].

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What a new file outlasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The system's end: content and name are on the disk before [`replace`] comes back.
    Synced,
    /// This process's end only. Costs no wait for the disk.
    Unsynced,
}

/// Extension of files that are being written. Where a process is killed while it writes, one of these stays.
pub const UNFINISHED: &str = "new";

/// Most symbolic links from a name to its file, as Linux has it.
const MAX_LINKS: usize = 40;

/// Has the file at `path` hold what `write` writes. It is written beside and renamed over the old one, so whoever reads
/// `path` finds the whole of the new content or the whole of the old, whatever happens on the way.
///
/// Mode, owner and group stay as they are. Where the system does not allow a process to give a file to that owner or
/// group, it gets no rights by the change: see `keep_owner_and_mode`. Access control lists are not kept. A symbolic link
/// stays one: the file that it leads to is replaced. Another name of the same file (a hard link) keeps the old content,
/// since it cannot be had in one step with this one.
///
/// What is no plain file (a device, a pipe, an open descriptor such as `/dev/stdout`) cannot be replaced: it is written to.
///
/// # Errors
/// Those of `write`, and where the system refuses. The old file then is as it was, and nothing is left beside it.
pub fn replace(
    path: &Path,
    durability: Durability,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let path = follow_links(path)?;
    let existing = match fs::metadata(&path) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    match &existing {
        Some(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Some(metadata) if !metadata.is_file() || is_descriptor(&path) => {
            let file = OpenOptions::new().append(metadata.is_file()).write(true).open(&path)?;
            let mut file = BufWriter::new(file);
            write(&mut file)?;
            return file.flush();
        }
        // Whether this file may be written is the system's to say; a rename asks for rights on the folder only.
        Some(_) => drop(OpenOptions::new().write(true).open(&path)?),
        None => {}
    }
    let mut beside = Beside::create(&path, existing.as_ref())?;
    let mut file = BufWriter::new(&mut beside.file);
    write(&mut file)?;
    file.flush()?;
    drop(file);
    if let Some(existing) = &existing {
        keep_owner_and_mode(&beside.file, existing)?;
    }
    if durability == Durability::Synced {
        beside.file.sync_all()?;
    }
    beside.rename_to(&path)?;
    if durability == Durability::Synced { sync_folder(folder_of(&path)) } else { Ok(()) }
}

/// Whether [`replace`] makes a new file for `path`. Devices, pipes and open descriptors are written as they
/// are.
pub fn is_replaced(path: &Path) -> bool {
    let Ok(path) = follow_links(path) else { return true };
    let is_special = |metadata: Metadata| !metadata.is_file() && !metadata.is_dir();
    !is_descriptor(&path) && !fs::metadata(&path).is_ok_and(is_special)
}

/// A file beside the one that it is to replace. It goes with the value unless it got that one's name.
struct Beside {
    path: PathBuf,
    file: File,
    progress: Progress,
}

#[derive(PartialEq, Eq)]
enum Progress {
    Unfinished,
    Renamed,
}

impl Beside {
    fn create(path: &Path, existing: Option<&Metadata>) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let folder = folder_of(path);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if existing.is_some() {
            // Nobody else reads it before it has the old file's mode.
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        #[cfg(not(unix))]
        let _same_everywhere = existing;
        loop {
            // Not made of the file's own name, which may be as long as a name can be.
            let name = format!(".shadestep-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
            let path = folder.join(name).with_extension(UNFINISHED);
            match options.open(&path) {
                Ok(file) => return Ok(Self { path, file, progress: Progress::Unfinished }),
                // Of another process of this number, which is gone or in another container.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    let words =
                        "no new file can be made in its folder, and only by one is it replaced as a whole";
                    return Err(io::Error::new(error.kind(), format!("{words}: {error}")));
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn rename_to(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.progress = Progress::Renamed;
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if self.progress == Progress::Unfinished {
            // What cannot be removed stays, under a name that says what it is.
            let _left = fs::remove_file(&self.path);
        }
    }
}

/// Gives `file` the owner, group and mode of `existing`. Where the owner cannot be kept, bits that would let others act as
/// the new one go; where the group cannot, its rights are those of everybody.
#[cfg(unix)]
fn keep_owner_and_mode(file: &File, existing: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let new = file.metadata()?;
    let group_kept = new.gid() == existing.gid() || fchown(file, None, Some(existing.gid())).is_ok();
    let owner_kept = new.uid() == existing.uid() || fchown(file, Some(existing.uid()), None).is_ok();
    let mut mode = existing.mode() & 0o7777;
    if !owner_kept || !group_kept {
        mode &= 0o777;
    }
    if !group_kept {
        mode = mode & 0o707 | (mode & 0o007) << 3;
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_owner_and_mode(file: &File, existing: &Metadata) -> io::Result<()> {
    file.set_permissions(existing.permissions())
}

/// Where the links at the end of `path` lead. Those of an open descriptor are followed by the system alone.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    if path.as_os_str().as_encoded_bytes().last().is_some_and(|&end| std::path::is_separator(end.into())) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        if is_descriptor(&path) {
            return Ok(path);
        }
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Whether `path` names what some process has open, such as `/proc/self/fd/1`.
fn is_descriptor(path: &Path) -> bool {
    cfg!(unix)
        && folder_of(path)
            .canonicalize()
            .is_ok_and(|folder| folder.starts_with("/proc") || folder.starts_with("/dev/fd"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a rename outlast a power cut. Other systems than Unix have no such thing as syncing a folder, and some file
/// systems neither.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder)?.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        other => other,
    }
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
