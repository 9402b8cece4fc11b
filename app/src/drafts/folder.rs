//! The folder of drafts on disk.
//!
//! Every process has its own folder there, with a file that it locks. The system releases the lock however
//! the process ends, so a folder with a free lock belongs to a dead process. The process that takes this lock
//! offers the drafts, and no other process does meanwhile.
//!
//! ```text
//! drafts/1790000000000-4711/lock         locked while process 4711 lives
//!                           7.draft      the texts of document 7
//!                           render.run   the texts that were being rendered for the first time
//! drafts/held/0123456789abcdef           a program that runs only if the user asks
//! drafts/answers/0123456789abcdef.draft  the answer to a lesson
//! drafts/damaged/                        unreadable files
//! ```
//!
//! Only the owner can open the folders and read the files.

use super::format::{self, Unreadable};
use crate::files::{self, Durability};
use crate::model::Draft;
use crate::scene::read_limited;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The file that a process locks.
const LOCK: &str = "lock";
/// Folder with the fingerprints of held programs.
const HELD: &str = "held";
/// Folder with the answers to lessons, named by lesson number.
const ANSWERS: &str = "answers";
/// Folder for unreadable files.
const DAMAGED: &str = "damaged";
/// Extension of drafts.
const DRAFT: &str = "draft";
/// Extension of files that record running programs.
pub(super) const RUN: &str = "run";
/// Largest file read as a draft, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The folder of this process.
#[derive(Debug)]
pub struct Session {
    folder: PathBuf,
    /// Locked until the value is dropped.
    lock: Option<File>,
}

impl Session {
    /// Creates a folder in `root`, and `root` itself if it is missing.
    ///
    /// # Errors
    /// Errors of the disk.
    pub fn begin(root: &Path) -> io::Result<Self> {
        files::ensure_private_folder(root)?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut name = format!("{}-{}", since.as_millis(), std::process::id());
        // Locked before the folder gets its name, so no process finds it unlocked.
        let unnamed = loop {
            let unnamed = root.join(format!(".{name}"));
            match files::create_private_folder(&unnamed) {
                Ok(()) if !root.join(&name).exists() => break unnamed,
                Ok(()) => fs::remove_dir(&unnamed)?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            name.push('x');
        };
        let lock = private_file(&unnamed.join(LOCK))?;
        // Without lock support, other processes offer these drafts too. That is better than losing them.
        let locked = lock.try_lock().is_ok();
        let folder = root.join(name);
        fs::rename(&unnamed, &folder)?;
        Ok(Self { folder, lock: locked.then_some(lock) })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns true if the folder exists with the lock of this process. Otherwise another process may own its
    /// drafts by now.
    pub fn is_whole(&self) -> bool {
        match &self.lock {
            Some(lock) => files::is_at(lock, &self.folder.join(LOCK)),
            None => self.folder.is_dir(),
        }
    }

    /// Writes `draft`. If the write fails, the file keeps its old content.
    ///
    /// # Errors
    /// Errors of the disk.
    pub fn keep(&self, draft: &Draft) -> io::Result<()> {
        let bytes = format::write(draft).ok_or(io::ErrorKind::InvalidData)?;
        let path = draft_path(&self.folder, draft.document);
        // The next draft of the document follows within seconds, so an unsynced folder needs no warning.
        files::replace_private(&path, Durability::Synced, |file| file.write_all(&bytes)).map(drop)
    }

    /// Removes the draft of `document`.
    ///
    /// # Errors
    /// Errors of the disk.
    pub fn forget(&self, document: u64) -> io::Result<()> {
        remove(&draft_path(&self.folder, document))
    }

    /// Unlocks the folder, and removes it if it is empty.
    pub fn end_if_empty(self) {
        drop(Adopted { folder: self.folder, _lock: self.lock }.unless_empty());
    }

    /// Removes the folder with all its files.
    pub fn end(self) {
        // A draft that cannot be removed is offered at the next start.
        let _left = fs::remove_dir_all(&self.folder);
    }
}

/// The folder of a dead process, locked so that no other process offers its drafts.
#[derive(Debug)]
pub struct Adopted {
    folder: PathBuf,
    _lock: Option<File>,
}

impl Adopted {
    /// Removes the folder if it is empty. Otherwise returns it.
    pub fn unless_empty(self) -> Option<Self> {
        let kept = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        if kept.into_iter().any(|entry| entry.file_name() != LOCK) {
            return Some(self);
        }
        let _left = fs::remove_dir_all(&self.folder);
        None
    }
}

/// A draft of a dead process.
#[derive(Clone, Debug)]
pub struct Leftover {
    /// Its file.
    pub file: PathBuf,
    pub draft: Arc<Draft>,
    /// Whether its programs were running when the process died.
    pub activity: Activity,
}

/// Whether a draft's programs were running when the process died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Running, for the first time or for long.
    Running,
    /// Not running.
    Idle,
}

/// Files of dead processes.
#[derive(Debug, Default)]
pub struct Leftovers {
    pub drafts: Vec<Leftover>,
    /// Their folders.
    pub adopted: Vec<Adopted>,
    /// New paths of unreadable files.
    pub damaged: Vec<PathBuf>,
    /// Files that a later version of Shadestep wrote.
    pub newer: Vec<PathBuf>,
}

/// Makes `root` and everything in it private. Earlier versions of Shadestep let other users read drafts.
fn make_private(root: &Path) {
    let inside = |folder: &Path| {
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let folders = inside(root).into_iter().filter(|path| path.is_dir() && !path.is_symlink());
    let folders: Vec<PathBuf> = std::iter::once(root.to_path_buf()).chain(folders).collect();
    for path in folders.iter().flat_map(|folder| inside(folder)).chain([root.to_path_buf()]) {
        // A file of another user stays as it is.
        let _other_owner = files::make_private(&path);
    }
}

/// Creates an empty file that only its owner can read.
fn private_file(path: &Path) -> io::Result<File> {
    files::private(File::options().write(true).create(true).truncate(true)).open(path)
}

/// Collects the files of dead processes in `root`. The programs that they were running are held from now on;
/// see [`held`].
pub fn collect(root: &Path) -> Leftovers {
    let mut leftovers = Leftovers::default();
    make_private(root);
    let mut folders: Vec<PathBuf> = fs::read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            !name.starts_with('.') && ![HELD, ANSWERS, DAMAGED].contains(&&*name)
        })
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    for folder in folders {
        if let Some(adopted) = adopt(&folder) {
            collect_from(root, &folder, &mut leftovers);
            leftovers.adopted.extend(adopted.unless_empty());
        }
    }
    leftovers
}

/// Takes over the folder of a dead process. `None` if the process lives or the folder is taken.
/// A folder without a lock file is free: its process, if alive, creates another folder (see
/// [`Session::is_whole`]).
fn adopt(folder: &Path) -> Option<Adopted> {
    if !folder.is_dir() {
        return None;
    }
    let options = || File::options().read(true).write(true).to_owned();
    let lock = options().open(folder.join(LOCK)).or_else(|error| match error.kind() {
        // If two processes find no lock file, the first to create and lock one owns the folder.
        io::ErrorKind::NotFound => {
            files::private(options().create(true).truncate(false)).open(folder.join(LOCK))
        }
        _ => Err(error),
    });
    let lock = lock.ok()?;
    match lock.try_lock() {
        // Its owner may have just removed the folder.
        Ok(()) if folder.join(LOCK).exists() => {
            Some(Adopted { folder: folder.to_path_buf(), _lock: Some(lock) })
        }
        Ok(()) | Err(TryLockError::WouldBlock) => None,
        // This file system has no locks.
        Err(TryLockError::Error(_)) => Some(Adopted { folder: folder.to_path_buf(), _lock: None }),
    }
}

fn collect_from(root: &Path, folder: &Path, leftovers: &mut Leftovers) {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    // Running programs come last, because they are newer states of their drafts.
    files.sort_by_key(|file| (file.extension().is_some_and(|extension| extension == RUN), file.clone()));
    for file in files {
        let extension = file.extension().unwrap_or_default();
        if extension != DRAFT && extension != RUN {
            if extension == files::UNFINISHED {
                // An unfinished write of the dead process. The file that it would have replaced still exists.
                let _left = fs::remove_file(&file);
            }
            continue;
        }
        let activity = if extension == RUN { Activity::Running } else { Activity::Idle };
        match read(&file) {
            Ok(draft) => {
                let draft = Arc::new(draft);
                let file = match activity {
                    Activity::Running => hold_and_rename(root, folder, &file, &draft),
                    Activity::Idle => file,
                };
                leftovers.drafts.retain(|other| other.file != file);
                leftovers.drafts.push(Leftover { file, draft, activity });
            }
            Err(Unreadable::Newer) => leftovers.newer.push(file),
            Err(Unreadable::Damaged) => leftovers.damaged.push(set_aside(root, folder, &file)),
        }
    }
}

/// Holds the programs of the file `run`, and renames the file to a draft: it is the newest state of its
/// document.
fn hold_and_rename(root: &Path, folder: &Path, run: &Path, draft: &Draft) -> PathBuf {
    // Without this hold, the program runs again at the next start but one. That is the worst outcome.
    let _not_held = hold(root, draft.fingerprint());
    let file = draft_path(folder, draft.document);
    if fs::rename(run, &file).is_ok() { file } else { run.to_path_buf() }
}

/// Moves an unreadable file away, so that it is reported once. Returns its new path.
fn set_aside(root: &Path, folder: &Path, file: &Path) -> PathBuf {
    let name = [folder, file].map(|path| path.file_name().unwrap_or_default().to_string_lossy());
    let to = root.join(DAMAGED).join(name.join("-"));
    let moved = files::ensure_private_folder(&root.join(DAMAGED)).and_then(|()| fs::rename(file, &to));
    if moved.is_ok() { to } else { file.to_path_buf() }
}

fn read(file: &Path) -> Result<Draft, Unreadable> {
    let bytes = read_limited(file, "", MAX_BYTES).map_err(|_| Unreadable::Damaged)?;
    format::read(&bytes)
}

/// Returns the answers to lessons, by lesson number.
pub fn answers(root: &Path) -> BTreeMap<u64, Arc<Draft>> {
    let files = fs::read_dir(root.join(ANSWERS)).into_iter().flatten().flatten().map(|entry| entry.path());
    let answer = |path: PathBuf| {
        let lesson = u64::from_str_radix(path.file_stem()?.to_str()?, 16).ok()?;
        Some((lesson, Arc::new(read(&path).ok()?)))
    };
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == DRAFT))
        .filter_map(answer)
        .collect()
}

/// Writes the answers to lessons. `None` removes an answer.
///
/// # Errors
/// Errors of the disk.
pub fn keep_answers(root: &Path, answers: &BTreeMap<u64, Option<Arc<Draft>>>) -> io::Result<()> {
    if answers.is_empty() {
        return Ok(());
    }
    let folder = root.join(ANSWERS);
    files::ensure_private_folder(&folder)?;
    for (lesson, answer) in answers {
        let path = folder.join(format!("{lesson:016x}")).with_extension(DRAFT);
        let Some(answer) = answer else {
            remove(&path)?;
            continue;
        };
        let bytes = format::write(answer).ok_or(io::ErrorKind::InvalidData)?;
        files::replace_private(&path, Durability::Synced, |file| file.write_all(&bytes)).map(drop)?;
    }
    Ok(())
}

/// Returns the fingerprints of held programs, which run only if the user asks.
pub fn held(root: &Path) -> BTreeSet<u64> {
    let names = fs::read_dir(root.join(HELD)).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter_map(|name| u64::from_str_radix(name.to_str()?, 16).ok()).collect()
}

/// Holds the program with this fingerprint: neither this nor a later process runs it unless the user
/// asks.
///
/// # Errors
/// Errors of the disk.
pub fn hold(root: &Path, fingerprint: u64) -> io::Result<()> {
    files::ensure_private_folder(&root.join(HELD))?;
    private_file(&held_path(root, fingerprint)).map(drop)
}

/// Releases a held program.
///
/// # Errors
/// Errors of the disk.
pub fn release(root: &Path, fingerprint: u64) -> io::Result<()> {
    remove(&held_path(root, fingerprint))
}

fn held_path(root: &Path, fingerprint: u64) -> PathBuf {
    root.join(HELD).join(format!("{fingerprint:016x}"))
}

fn draft_path(folder: &Path, document: u64) -> PathBuf {
    folder.join(document.to_string()).with_extension(DRAFT)
}

/// Removes a file. A missing file is not an error.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;
