//! Writing files: each is whole or as it was. Everything that Shadestep writes goes through [`replace`].

mod unfinished;

pub use unfinished::{UNFINISHED, remove_unfinished};

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use unfinished::{Hold, hold, new_name};

/// What a new file outlasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The system's end: content and name are on the disk before [`replace`] comes back.
    Synced,
    /// This process's end only. Costs no wait for the disk.
    Unsynced,
}

/// How a write ended that has put the new content in place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Written {
    /// The file is as durable as asked for.
    Durable,
    /// The folder could not be synced; the system's words.
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

/// Who may read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// Readers of the old file. The system decides for new files.
    Kept,
    /// The owner only.
    Owner,
}

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
/// Removes unfinished files that dead processes have left in the folder.
///
/// # Errors
/// Those of `write`, and where the system refuses. The old file then is as it was, and nothing is left beside it.
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
        // Whether this file may be written is the system's to say; a rename asks for rights on the folder only.
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
    // From here on the file has its new content, so nothing is an error any more.
    Ok(match disk.folder(folder) {
        Ok(()) => Written::Durable,
        Err(error) => Written::Unsynced(error.to_string()),
    })
}

/// Makes the folder `path`, and those above it, or makes an existing one private. Only its owner can open it.
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

/// Makes a folder that only its owner can open.
///
/// # Errors
/// Errors of the system.
#[cfg(unix)]
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Makes a folder.
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

/// Has new files be readable by their owner only.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
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
    fn create(folder: &Path, access: Access) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        if access == Access::Owner {
            private(&mut options);
        }
        loop {
            // Not made of the file's own name, which may be as long as a name can be.
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

/// Whether `file` is the file at `path`.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |data: Metadata| (data.dev(), data.ino());
    let (held, found) = (file.metadata().map(identity), fs::symlink_metadata(path).map(identity));
    matches!((held, found), (Ok(held), Ok(found)) if held == found)
}

/// Whether `file` is the file at `path`. An open file cannot be removed.
#[cfg(not(unix))]
pub fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
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
