//! Unfinished files: the new files that processes are writing, and the removal of the files of dead
//! processes.
//!
//! A process locks its unfinished file. The system releases the lock when the process ends. A network folder
//! may keep locks on the machine that took them, so the name contains the system's boot: only the lock of a
//! file of the same boot is trusted at once. All other files must also be a day old before they are removed.

use super::is_at;
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Extension of unfinished files.
pub const UNFINISHED: &str = "new";

const PREFIX: &str = ".shadestep-";

/// A file whose lock proves nothing is kept for this long after its last write.
const GRACE: Duration = Duration::from_secs(24 * 60 * 60);

/// Whether a new file is safe from removal by other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// Safe: locked or, on file systems without locks, new.
    Held,
    /// Another process considers it left by a dead process.
    Lost,
}

/// Returns a name that no other file has had, on any machine.
pub(super) fn new_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{PREFIX}{}-{}-{nanos:x}-{next}.{UNFINISHED}", boot(), std::process::id())
}

/// Identifies this boot of the system. All containers of a machine have the same.
fn boot() -> &'static str {
    static BOOT: OnceLock<String> = OnceLock::new();
    BOOT.get_or_init(|| {
        let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let id: String = id.chars().filter(char::is_ascii_hexdigit).collect();
        if id.is_empty() { "unknown".to_owned() } else { id }
    })
}

/// Locks a new file.
pub(super) fn hold(file: &File, path: &Path) -> Hold {
    // On other systems the lock would prevent other programs from reading the file, even after its rename.
    if !cfg!(unix) {
        return Hold::Held;
    }
    match file.try_lock() {
        Ok(()) if is_at(file, path) => Hold::Held,
        Ok(()) | Err(TryLockError::WouldBlock) => Hold::Lost,
        Err(TryLockError::Error(_)) => Hold::Held,
    }
}

/// Removes unfinished files of dead processes from `folder`. Files that cannot be removed stay.
pub fn remove_unfinished(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_unfinished(&entry.file_name()) {
            let _left = remove_if_dead(&entry.path(), &entry.file_name());
        }
    }
}

fn is_unfinished(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(UNFINISHED)?.strip_suffix('.')).is_some()
}

fn remove_if_dead(path: &Path, name: &OsStr) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() {
        return Ok(());
    }
    let file = File::options().read(true).write(true).open(path)?;
    let locked = match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => return Ok(()),
        // This file system has no locks.
        Err(TryLockError::Error(_)) => false,
    };
    let of_this_boot =
        boot() != "unknown" && name.to_string_lossy().starts_with(&format!("{PREFIX}{}-", boot()));
    let age = SystemTime::now().duration_since(metadata.modified()?).unwrap_or_default();
    if (locked && of_this_boot || age >= GRACE) && is_at(&file, path) {
        fs::remove_file(path)?;
    }
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("shadestep-unfinished-{name}-{}", std::process::id()));
        let _none = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    /// Creates a file that was last written at `time`.
    fn file(path: &Path, time: SystemTime) -> File {
        let file = File::create(path).expect("a file");
        file.set_modified(time).expect("its time");
        file
    }

    #[test]
    fn files_of_dead_processes_go_and_all_others_stay() {
        let folder = folder("kinds");
        let now = SystemTime::now();
        let (young, old) = (now - Duration::from_secs(60), now - GRACE - Duration::from_secs(60));
        let elsewhere = ".shadestep-0123456789abcdef-1-2-3.new";
        // Has the test's own process number, because numbers are used again.
        let earlier = format!(".shadestep-{}-0.new", std::process::id());
        let dead = new_name();
        for (name, time, stays) in [
            (dead.as_str(), young, false),
            (elsewhere, young, true),
            (elsewhere, old, false),
            (elsewhere, now + GRACE, true),
            (&earlier, young, true),
            (&earlier, old, false),
            ("a.new", old, true),
            (".shadestep-a.old", old, true),
        ] {
            drop(file(&folder.join(name), time));
            remove_unfinished(&folder);
            assert_eq!(folder.join(name).exists(), stays, "{name}");
        }
        for (name, time) in [(new_name(), young), (new_name(), old), (elsewhere.to_owned(), old)] {
            let path = folder.join(name);
            let living = file(&path, time);
            assert_eq!(hold(&living, &path), Hold::Held);
            remove_unfinished(&folder);
            assert!(path.exists(), "{} is being written", path.display());
            drop(living);
            remove_unfinished(&folder);
            assert!(!path.exists(), "{} is left", path.display());
        }
        let (link, inner) = (folder.join(new_name()), folder.join(new_name()));
        let target = folder.join("target");
        drop(file(&target, old));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        fs::create_dir(&inner).unwrap();
        remove_unfinished(&folder);
        assert!(link.is_symlink() && target.exists() && inner.exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_new_file_that_another_process_took_is_lost() {
        let folder = folder("lost");
        let path = folder.join(new_name());
        let new = file(&path, SystemTime::now());
        remove_unfinished(&folder);
        assert_eq!(hold(&new, &path), Hold::Lost, "removed before it was locked");
        let new = file(&path, SystemTime::now());
        let cleaner = File::options().read(true).write(true).open(&path).unwrap();
        cleaner.try_lock().unwrap();
        assert_eq!(hold(&new, &path), Hold::Lost, "about to be removed");
        fs::remove_dir_all(&folder).unwrap();
    }
}
