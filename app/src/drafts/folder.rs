//! The folder that drafts are kept in.
//!
//! Every process has a folder of its own there, with a file that it holds locked. The system lets go of the lock however
//! the process ends, so a folder whose lock can be had is a dead process's. Whoever takes that lock offers the drafts,
//! and nobody else does for as long.
//!
//! ```text
//! drafts/1790000000000-4711/lock         locked while process 4711 lives
//!                           7.draft      the texts of document 7
//!                           render.run   the texts that were first being rendered
//! drafts/held/0123456789abcdef           a program that is not run unasked
//! drafts/answers/0123456789abcdef.draft  the answer to a lesson
//! drafts/damaged/                        files that could not be read
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

/// The file that a process holds locked.
const LOCK: &str = "lock";
/// Where the fingerprints of programs are that are not run unasked.
const HELD: &str = "held";
/// Where the answers to lessons are, each named by its lesson's number.
const ANSWERS: &str = "answers";
/// Where files go that could not be read.
const DAMAGED: &str = "damaged";
/// Extension of drafts.
const DRAFT: &str = "draft";
/// Extension of the files that say what is being run.
pub(super) const RUN: &str = "run";
/// Largest file taken for a draft, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// A process's folder.
#[derive(Debug)]
pub struct Session {
    folder: PathBuf,
    /// Held for as long as the value lives.
    lock: Option<File>,
}

impl Session {
    /// A new folder within `root`, which is made where it is missing.
    ///
    /// # Errors
    /// Where the disk refuses.
    pub fn begin(root: &Path) -> io::Result<Self> {
        files::ensure_private_folder(root)?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut name = format!("{}-{}", since.as_millis(), std::process::id());
        // Locked before it has its name, so that nobody finds it unlocked.
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
        // Where there are no locks, others offer these drafts too: better than nobody doing so.
        let locked = lock.try_lock().is_ok();
        let folder = root.join(name);
        fs::rename(&unnamed, &folder)?;
        Ok(Self { folder, lock: locked.then_some(lock) })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the folder is there, with the lock that this process holds. Else its drafts may be another's by now.
    pub fn is_whole(&self) -> bool {
        match &self.lock {
            Some(lock) => files::is_at(lock, &self.folder.join(LOCK)),
            None => self.folder.is_dir(),
        }
    }

    /// Keeps `draft`. However this ends, the file holds the whole of it or the whole of what it held before.
    ///
    /// # Errors
    /// Where the disk refuses.
    pub fn keep(&self, draft: &Draft) -> io::Result<()> {
        let bytes = format::write(draft).ok_or(io::ErrorKind::InvalidData)?;
        let path = draft_path(&self.folder, draft.document);
        // The next draft of the document comes within seconds, so a folder that is not synced is no reason to warn.
        files::replace_private(&path, Durability::Synced, |file| file.write_all(&bytes)).map(drop)
    }

    /// Removes the draft of `document`.
    ///
    /// # Errors
    /// Where the disk refuses.
    pub fn forget(&self, document: u64) -> io::Result<()> {
        remove(&draft_path(&self.folder, document))
    }

    /// Lets go of the folder, and removes it if nothing is kept in it.
    pub fn end_if_empty(self) {
        drop(Adopted { folder: self.folder, _lock: self.lock }.unless_empty());
    }

    /// Removes the folder with all that is in it.
    pub fn end(self) {
        // What cannot be removed is offered the next time.
        let _left = fs::remove_dir_all(&self.folder);
    }
}

/// The drafts of a process that is gone, held so that no other process offers them.
#[derive(Debug)]
pub struct Adopted {
    folder: PathBuf,
    _lock: Option<File>,
}

impl Adopted {
    /// Removes the folder if nothing is kept in it any more; else gives it back.
    pub fn unless_empty(self) -> Option<Self> {
        let kept = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        if kept.into_iter().any(|entry| entry.file_name() != LOCK) {
            return Some(self);
        }
        let _left = fs::remove_dir_all(&self.folder);
        None
    }
}

/// A draft of a process that is gone.
#[derive(Clone, Debug)]
pub struct Leftover {
    /// The file it is in.
    pub file: PathBuf,
    /// What is in it.
    pub draft: Arc<Draft>,
    /// What its programs were doing when the process died.
    pub activity: Activity,
}

/// What a draft's programs were doing when the process died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// They were, for the first time or for long.
    Running,
    /// Not so.
    Idle,
}

/// What dead processes have left behind.
#[derive(Debug, Default)]
pub struct Leftovers {
    /// Their drafts.
    pub drafts: Vec<Leftover>,
    /// Their folders.
    pub adopted: Vec<Adopted>,
    /// Files that could not be read, where they are now.
    pub damaged: Vec<PathBuf>,
    /// Files that a later version of Shadestep has written.
    pub newer: Vec<PathBuf>,
}

/// Makes `root` and everything in it private: earlier versions of Shadestep have let other users read drafts.
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

/// Collects what dead processes have left in `root`. What they were running is held from now on; see [`held`].
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

/// Takes the folder of a dead process; `None` where the process lives or somebody else has taken it. A folder whose lock
/// somebody has removed is nobody's: its process, should it live, makes itself another (see [`Session::is_whole`]).
fn adopt(folder: &Path) -> Option<Adopted> {
    if !folder.is_dir() {
        return None;
    }
    let options = || File::options().read(true).write(true).to_owned();
    let lock = options().open(folder.join(LOCK)).or_else(|error| match error.kind() {
        // Whoever makes the file and locks it first has the folder, even where two find it missing.
        io::ErrorKind::NotFound => {
            files::private(options().create(true).truncate(false)).open(folder.join(LOCK))
        }
        _ => Err(error),
    });
    let lock = lock.ok()?;
    match lock.try_lock() {
        // Its owner may have removed it just now.
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
    // What was being run last, as it is a newer state of a draft.
    files.sort_by_key(|file| (file.extension().is_some_and(|extension| extension == RUN), file.clone()));
    for file in files {
        let extension = file.extension().unwrap_or_default();
        if extension != DRAFT && extension != RUN {
            if extension == files::UNFINISHED {
                // Was being written when the process died; what it was to replace is still there.
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

/// Holds the programs that the file `run` names, and makes it a draft like others: it is the newest state of its document.
fn hold_and_rename(root: &Path, folder: &Path, run: &Path, draft: &Draft) -> PathBuf {
    // Without the note it would be run at the next start but one: that is the worst of it.
    let _not_held = hold(root, draft.fingerprint());
    let file = draft_path(folder, draft.document);
    if fs::rename(run, &file).is_ok() { file } else { run.to_path_buf() }
}

/// Moves a file that cannot be read out of the way, so that it is spoken of once; says where it is.
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

/// The answers to lessons, by the numbers of these.
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

/// Keeps the answers to lessons; `None` removes one.
///
/// # Errors
/// Where the disk refuses.
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

/// The programs that are not run unasked, by their fingerprints.
pub fn held(root: &Path) -> BTreeSet<u64> {
    let names = fs::read_dir(root.join(HELD)).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter_map(|name| u64::from_str_radix(name.to_str()?, 16).ok()).collect()
}

/// Has the program with this fingerprint not run unasked, in this process or a later one.
///
/// # Errors
/// Where the disk refuses.
pub fn hold(root: &Path, fingerprint: u64) -> io::Result<()> {
    files::ensure_private_folder(&root.join(HELD))?;
    private_file(&held_path(root, fingerprint)).map(drop)
}

/// Has it run again.
///
/// # Errors
/// Where the disk refuses.
pub fn release(root: &Path, fingerprint: u64) -> io::Result<()> {
    remove(&held_path(root, fingerprint))
}

fn held_path(root: &Path, fingerprint: u64) -> PathBuf {
    root.join(HELD).join(format!("{fingerprint:016x}"))
}

fn draft_path(folder: &Path, document: u64) -> PathBuf {
    folder.join(document.to_string()).with_extension(DRAFT)
}

/// Removes a file that may be gone already.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;
