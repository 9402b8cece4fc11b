//! Writes files atomically: after a failure or a crash, a file has its old content or its new content, never
//! a mixture. Everything that Shadestep writes goes through [`replace`].

mod unfinished;

pub use unfinished::{UNFINISHED, remove_unfinished};

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use unfinished::{Hold, hold, new_name};

/// The events that a new file must survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// A system crash: content and name are on disk when [`replace`] returns.
    Synced,
    /// The end of this process only. Does not wait for the disk.
    Unsynced,
}

/// The outcome of a successful write.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Written {
    /// The file is as durable as requested.
    Durable,
    /// The folder could not be synced. Holds the system's message.
    Unsynced(String),
}

impl Written {
    /// Returns a warning for the user, without a full stop. `None` for [`Written::Durable`].
    pub fn warning(&self) -> Option<String> {
        match self {
            Self::Durable => None,
            Self::Unsynced(words) => Some(format!(
                "the file is saved, but its folder could not be synced ({words}), so a power cut may undo the change"
            )),
        }
    }
}

/// The users who may read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// Readers of the old file. The system decides for new files.
    Kept,
    /// The owner only.
    Owner,
}

/// Largest number of symbolic links from a name to its file, as on Linux.
const MAX_LINKS: usize = 40;

/// Replaces the content of the file at `path` with the output of `write`. The new file is written beside the
/// old one and renamed over it, so a reader of `path` always finds the whole new content or the whole old
/// content.
///
/// Mode, owner and group stay the same. If the system does not let the process give the file to that owner or
/// group, no one gains rights by the change: see `keep_owner_and_mode`. Access control lists are lost. A
/// symbolic link stays a link, and its target is replaced. Another name of the same file (a hard link) keeps
/// the old content, because both names cannot change in one step.
///
/// A special file (a device, a pipe, an open descriptor such as `/dev/stdout`) cannot be replaced and is
/// written directly.
///
/// Removes unfinished files of dead processes in the folder.
///
/// # Errors
/// Errors of `write` and of the system. The old file is then unchanged, and no new file is left beside it.
pub fn replace(
    path: &Path,
    durability: Durability,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<Written> {
    put(path, Access::Kept, write, &Disk(durability))
}

/// As [`replace`], but only the owner may read the file.
///
/// # Errors
/// As [`replace`].
pub fn replace_private(
    path: &Path,
    durability: Durability,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<Written> {
    put(path, Access::Owner, write, &Disk(durability))
}

/// Syncs files and folders.
trait DiskSync {
    fn file(&self, file: &File) -> io::Result<()>;
    fn folder(&self, folder: &Path) -> io::Result<()>;
}

struct Disk(Durability);

impl DiskSync for Disk {
    fn file(&self, file: &File) -> io::Result<()> {
        if self.0 == Durability::Synced { file.sync_all() } else { Ok(()) }
    }

    fn folder(&self, folder: &Path) -> io::Result<()> {
        if self.0 == Durability::Synced { sync_folder(folder) } else { Ok(()) }
    }
}

fn put(
    path: &Path,
    access: Access,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    disk: &impl DiskSync,
) -> io::Result<Written> {
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
            return file.flush().map(|()| Written::Durable);
        }
        // A rename needs rights on the folder only, so opening the file checks that it may be written.
        Some(_) => drop(OpenOptions::new().write(true).open(&path)?),
        None => {}
    }
    let folder = folder_of(&path);
    remove_unfinished(folder);
    let is_private = access == Access::Owner || existing.is_some();
    let mut beside = Beside::create(folder, if is_private { Access::Owner } else { Access::Kept })?;
    let mut file = BufWriter::new(&mut beside.file);
    write(&mut file)?;
    file.flush()?;
    drop(file);
    if let Some(existing) = existing.as_ref().filter(|_| access == Access::Kept) {
        keep_owner_and_mode(&beside.file, existing)?;
    }
    disk.file(&beside.file)?;
    beside.rename_to(&path)?;
    // The file has its new content now, so no later failure is an error.
    Ok(match disk.folder(folder) {
        Ok(()) => Written::Durable,
        Err(error) => Written::Unsynced(error.to_string()),
    })
}

/// Creates the folder `path` and its parents, or makes an existing folder private. Only its owner can open
/// it.
///
/// # Errors
/// Errors of the system.
pub fn ensure_private_folder(path: &Path) -> io::Result<()> {
    if let Some(above) = path.parent() {
        fs::create_dir_all(above)?;
    }
    match create_private_folder(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => make_private(path),
        other => other,
    }
}

/// Creates a folder that only its owner can open.
///
/// # Errors
/// Errors of the system.
#[cfg(unix)]
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Creates a folder.
///
/// # Errors
/// Errors of the system.
#[cfg(not(unix))]
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Makes a file or a folder private. Does nothing for anything else, such as a symbolic link.
///
/// # Errors
/// Errors of the system.
#[cfg(unix)]
pub fn make_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let metadata = fs::symlink_metadata(path)?;
    let mode = match metadata.is_dir() {
        true => 0o700,
        false if metadata.is_file() => 0o600,
        false => return Ok(()),
    };
    if metadata.mode() & 0o7777 == mode {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Does nothing: other systems keep a user's folders private.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn make_private(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes new files readable by their owner only.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Returns true if [`replace`] makes a new file for `path`. Devices, pipes and open descriptors are written
/// directly.
pub fn is_replaced(path: &Path) -> bool {
    let Ok(path) = follow_links(path) else { return true };
    let is_special = |metadata: Metadata| !metadata.is_file() && !metadata.is_dir();
    !is_descriptor(&path) && !fs::metadata(&path).is_ok_and(is_special)
}

/// A new file beside the file that it will replace. Removed on drop unless it was renamed.
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
    fn create(folder: &Path, access: Access) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        if access == Access::Owner {
            private(&mut options);
        }
        loop {
            // The name does not contain the file's name, which may already have the greatest possible length.
            let path = folder.join(new_name());
            match options.open(&path) {
                Ok(file) if hold(&file, &path) == Hold::Lost => {}
                Ok(file) => return Ok(Self { path, file, progress: Progress::Unfinished }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    let words = "no file can be created in this folder, and saving safely needs one";
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
            // A file that cannot be removed stays, under a name that says that it is unfinished.
            let _left = fs::remove_file(&self.path);
        }
    }
}

/// Gives `file` the owner, group and mode of `existing`. If the owner or group cannot be kept, the
/// set-user-ID and set-group-ID bits are cleared. If the group cannot be kept, the new group gets only the
/// rights of other users.
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

/// Follows the symbolic links at the end of `path`. Only the system can follow the links of an open
/// descriptor.
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

/// Returns true if `path` names an open descriptor, such as `/proc/self/fd/1`.
fn is_descriptor(path: &Path) -> bool {
    cfg!(unix)
        && folder_of(path)
            .canonicalize()
            .is_ok_and(|folder| folder.starts_with("/proc") || folder.starts_with("/dev/fd"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns true if `file` is the file at `path`.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |data: Metadata| (data.dev(), data.ino());
    let (held, found) = (file.metadata().map(identity), fs::symlink_metadata(path).map(identity));
    matches!((held, found), (Ok(held), Ok(found)) if held == found)
}

/// Returns true if `file` is the file at `path`. On this system, an open file cannot be removed.
#[cfg(not(unix))]
pub fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

/// Syncs a folder, so that a rename survives a power cut. Systems other than Unix, and some file systems,
/// cannot sync folders.
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
