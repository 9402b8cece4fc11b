//! Tests of atomic file replacement.

use super::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder that is removed on drop.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("shadestep-files-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.at(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    replace(path, Durability::Synced, |file| file.write_all(text.as_bytes())).map(drop)
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn files_are_made_and_replaced() {
    let place = TestFolder::new();
    let path = place.at("a.fp");
    for content in ["first", "", "longer than the first"] {
        write(&path, content).unwrap();
        assert_eq!(text(&path), content);
    }
    let written = replace(&path, Durability::Unsynced, |file| file.write_all(b"unsynced")).unwrap();
    assert_eq!((written.warning(), written), (None, Written::Durable));
    assert_eq!(text(&path), "unsynced");
    assert_eq!(place.names(), ["a.fp"]);
}

#[test]
fn what_fails_half_way_leaves_the_old_file_and_nothing_else() {
    let place = TestFolder::new();
    let old = place.file("old.fp", "what the person has");
    for path in [&old, &place.at("new.fp")] {
        let outcome = replace(path, Durability::Synced, |file| {
            // Larger than any buffer, so the data is on disk.
            file.write_all(&[b'x'; 1 << 20])?;
            file.flush()?;
            assert_eq!(text(&old), "what the person has", "while it is written");
            assert_eq!(place.names().len(), 2, "written beside");
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(text(&old), "what the person has");
        assert_eq!(place.names(), ["old.fp"]);
    }
    let panicked = std::panic::catch_unwind(|| {
        replace(&old, Durability::Synced, |_| panic!("a fault of whoever writes"))
    });
    assert!(panicked.is_err());
    assert_eq!((text(&old).as_str(), place.names()), ("what the person has", vec!["old.fp".to_owned()]));
}

#[test]
fn whoever_reads_meanwhile_finds_a_whole_content() {
    let place = TestFolder::new();
    let path = place.file("a.fp", &"0".repeat(100_000));
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in 1..=200 {
                let digit = char::from(b'0' + n % 10).to_string();
                replace(&path, Durability::Unsynced, |file| {
                    (0..100_000).try_for_each(|_| file.write_all(digit.as_bytes()))
                })
                .map(drop)
                .unwrap();
            }
            done.store(true, Ordering::Relaxed);
        });
        while !done.load(Ordering::Relaxed) {
            let read = fs::read(&path).unwrap();
            assert_eq!(read.len(), 100_000);
            assert!(read.iter().all(|byte| *byte == read[0]), "of two contents");
        }
    });
}

/// A disk that cannot sync folders.
struct Unsyncable;

impl DiskSync for Unsyncable {
    fn file(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn folder(&self, _folder: &Path) -> io::Result<()> {
        Err(io::Error::other("no such thing here"))
    }
}

#[test]
fn a_folder_that_cannot_be_synced_is_a_warning() {
    let place = TestFolder::new();
    let path = place.file("a.fp", "old");
    let written = put(&path, Access::Kept, |file| file.write_all(b"new"), &Unsyncable).unwrap();
    assert_eq!(written, Written::Unsynced("no such thing here".to_owned()));
    let words = written.warning().unwrap();
    assert!(words.contains("the file is saved") && words.contains("power cut"), "{words}");
    assert_eq!((text(&path).as_str(), place.names()), ("new", vec!["a.fp".to_owned()]));
}

#[test]
fn a_write_removes_what_dead_processes_left() {
    let place = TestFolder::new();
    let left = place.file(&new_name(), "half");
    let living = place.at(&new_name());
    let file = File::create(&living).unwrap();
    assert_eq!(hold(&file, &living), Hold::Held);
    write(&place.at("a.fp"), "x").unwrap();
    assert_eq!((left.exists(), living.exists()), (!cfg!(target_os = "linux"), true));
}

#[test]
fn folders_and_paths_without_a_name_are_refused() {
    let place = TestFolder::new();
    fs::create_dir(place.at("folder")).unwrap();
    for path in [place.at("folder"), place.at("none/"), PathBuf::new(), PathBuf::from("/"), place.at("..")] {
        assert!(write(&path, "x").is_err(), "{}", path.display());
    }
    assert!(write(&place.at("none/a.fp"), "x").is_err(), "there is no such folder");
    assert_eq!(place.names(), ["folder"]);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o7777
    }

    #[test]
    fn mode_and_owner_stay() {
        let place = TestFolder::new();
        for bits in [0o600, 0o644, 0o755, 0o664, 0o640, 0o2755, 0o4755] {
            let path = place.file("a.fp", "old");
            fs::set_permissions(&path, fs::Permissions::from_mode(bits)).unwrap();
            let before = fs::metadata(&path).unwrap();
            write(&path, "new").unwrap();
            let after = fs::metadata(&path).unwrap();
            assert_eq!((mode(&path), after.uid(), after.gid()), (bits, before.uid(), before.gid()));
            assert_eq!(text(&path), "new");
        }
        // A new file gets the system's default mode.
        write(&place.at("new.fp"), "x").unwrap();
        assert_eq!(mode(&place.at("new.fp")), mode(&place.file("plain", "x")));
    }

    #[test]
    fn private_files_and_folders_are_their_owners() {
        let place = TestFolder::new();
        for path in [place.at("new"), place.file("old", "x")] {
            let written = replace_private(&path, Durability::Synced, |file| {
                let modes =
                    place.names().into_iter().filter(|name| name.ends_with(&format!(".{UNFINISHED}")));
                assert!(modes.map(|name| mode(&place.at(&name))).eq([0o600]), "while it is written");
                file.write_all(b"secret")
            });
            assert_eq!((written.unwrap(), mode(&path)), (Written::Durable, 0o600));
        }
        fs::create_dir(place.at("open")).unwrap();
        fs::set_permissions(place.at("open"), fs::Permissions::from_mode(0o755)).unwrap();
        for name in ["made", "open"] {
            ensure_private_folder(&place.at(name)).unwrap();
            assert_eq!(mode(&place.at(name)), 0o700, "{name}");
        }
        ensure_private_folder(&place.at("above/below")).unwrap();
        assert_eq!(mode(&place.at("above/below")), 0o700);
        // A link and its target keep their modes.
        let target = place.file("target", "x");
        let before = mode(&target);
        symlink(&target, place.at("link")).unwrap();
        make_private(&place.at("link")).unwrap();
        assert_eq!(mode(&target), before);
    }

    #[test]
    fn a_folder_that_may_not_be_read_still_takes_files() {
        let place = TestFolder::new();
        fs::set_permissions(&place.0, fs::Permissions::from_mode(0o300)).unwrap();
        let written = replace(&place.at("a.fp"), Durability::Synced, |file| file.write_all(b"x"));
        // The superuser may read any folder.
        let may = fs::read_dir(&place.0).is_ok();
        fs::set_permissions(&place.0, fs::Permissions::from_mode(0o700)).unwrap();
        assert_eq!(written.unwrap() == Written::Durable, may);
        assert_eq!(text(&place.at("a.fp")), "x");
    }

    #[test]
    fn an_owner_that_is_somebody_else_stays() {
        let place = TestFolder::new();
        let path = place.file("a.fp", "old");
        // Only the superuser can give a file to another user. For other users, the file stays theirs, and
        // must stay theirs after the change.
        let given = std::os::unix::fs::chown(&path, Some(12_345), Some(54_321)).is_ok();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o4750)).unwrap();
        let before = fs::metadata(&path).unwrap();
        assert_eq!(before.uid() == 12_345, given);
        write(&path, "new").unwrap();
        let after = fs::metadata(&path).unwrap();
        assert_eq!((after.uid(), after.gid(), mode(&path)), (before.uid(), before.gid(), 0o4750));
    }

    #[test]
    fn symbolic_links_stay_links() {
        let place = TestFolder::new();
        fs::create_dir(place.at("there")).unwrap();
        let target = place.file("there/a.fp", "old");
        symlink("there/a.fp", place.at("link")).unwrap();
        symlink("link", place.at("link-to-link")).unwrap();
        symlink(place.at("there"), place.at("folder")).unwrap();
        for (n, name) in ["link", "link-to-link", "folder/a.fp"].into_iter().enumerate() {
            write(&place.at(name), &n.to_string()).unwrap();
            assert_eq!(text(&target), n.to_string());
            assert!(!target.is_symlink());
        }
        for link in ["link", "link-to-link", "folder"] {
            assert!(place.at(link).is_symlink());
        }
        // A dangling link creates its target.
        symlink("there/b.fp", place.at("dangling")).unwrap();
        write(&place.at("dangling"), "made").unwrap();
        assert_eq!(text(&place.at("there/b.fp")), "made");
        assert!(place.at("dangling").is_symlink());
        symlink("round", place.at("round")).unwrap();
        assert!(write(&place.at("round"), "x").is_err());
        assert_eq!(place.names(), ["dangling", "folder", "link", "link-to-link", "round", "there"]);
    }

    #[test]
    fn another_name_of_the_file_keeps_what_it_held() {
        let place = TestFolder::new();
        let path = place.file("a.fp", "old");
        fs::hard_link(&path, place.at("b.fp")).unwrap();
        write(&path, "new").unwrap();
        assert_eq!((text(&path).as_str(), text(&place.at("b.fp")).as_str()), ("new", "old"));
    }

    #[test]
    fn names_as_long_as_can_be_are_written() {
        let place = TestFolder::new();
        let path = place.at(&"a".repeat(255));
        write(&path, "first").unwrap();
        write(&path, "second").unwrap();
        assert_eq!(text(&path), "second");
    }

    #[test]
    fn devices_and_pipes_are_written_to() {
        let place = TestFolder::new();
        write(Path::new("/dev/null"), "x").unwrap();
        let device = |path: &str| !fs::metadata(path).unwrap().is_file();
        assert!(device("/dev/null"));
        if Path::new("/dev/full").exists() {
            symlink("/dev/full", place.at("full")).unwrap();
            let error = write(&place.at("full"), "x").unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
            assert!(device("/dev/full") && place.at("full").is_symlink());
        }
        let pipe = place.at("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || text(&pipe)
        });
        write(&pipe, "through the pipe").unwrap();
        assert_eq!(reader.join().unwrap(), "through the pipe");
        assert!(!fs::metadata(&pipe).unwrap().is_file(), "still a pipe");
    }

    #[test]
    fn files_that_may_not_be_written_stay() {
        let place = TestFolder::new();
        let path = place.file("a.fp", "old");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        // The superuser may write to any file.
        let may = OpenOptions::new().write(true).open(&path).is_ok();
        assert_eq!(write(&path, "new").is_ok(), may);
        assert_eq!((text(&path).as_str(), mode(&path)), (if may { "new" } else { "old" }, 0o444));
        assert_eq!(place.names(), ["a.fp"]);
    }
}
