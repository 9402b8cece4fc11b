//! Tests of the folder of drafts.

use super::*;
use crate::model::draft_tests::draft;

/// A folder that is removed on drop.
struct Root(PathBuf);

impl Root {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("shadestep-drafts-{name}-{}", std::process::id()));
        let _none = fs::remove_dir_all(&path);
        Self(path)
    }

    fn files(&self) -> Vec<String> {
        fn walk(folder: &Path, root: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    walk(&path, root, found);
                } else {
                    found.push(path.strip_prefix(root).unwrap().display().to_string());
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.0, &self.0, &mut found);
        found.sort();
        found
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn drafts_of_a_live_process_are_nobody_elses() {
    let root = Root::new("live");
    let session = Session::begin(&root.0).unwrap();
    let kept = draft(None, "before", "after");
    session.keep(&kept).unwrap();
    assert!(collect(&root.0).drafts.is_empty(), "its owner lives");
    // As after a crash: the lock is released, the files stay.
    drop(session);
    let leftovers = collect(&root.0);
    assert_eq!(leftovers.drafts.len(), 1);
    assert_eq!((&*leftovers.drafts[0].draft, leftovers.drafts[0].activity), (&kept, Activity::Idle));
    assert!(collect(&root.0).drafts.is_empty(), "somebody else offers it");
    drop(leftovers);
    assert_eq!(collect(&root.0).drafts.len(), 1, "nothing was done about it");
}

#[test]
fn two_sessions_of_one_moment_have_a_folder_each() {
    let root = Root::new("two");
    let sessions: Vec<Session> = (0..8).map(|_| Session::begin(&root.0).unwrap()).collect();
    let folders: BTreeSet<&Path> = sessions.iter().map(Session::folder).collect();
    assert_eq!(folders.len(), 8);
    assert!(collect(&root.0).adopted.is_empty());
    sessions.into_iter().for_each(Session::end);
    assert!(root.files().is_empty());
}

#[test]
fn a_draft_is_replaced_whole_or_not_at_all() {
    let root = Root::new("atomic");
    let session = Session::begin(&root.0).unwrap();
    session.keep(&draft(None, "", "first")).unwrap();
    session.keep(&draft(None, "", "second")).unwrap();
    // The process dies halfway through writing the third draft.
    let folder = session.folder().to_path_buf();
    let unfinished = folder.join(".shadestep-1-1.new");
    fs::write(&unfinished, b"# Shadestep draft 2, check").unwrap();
    drop(session);
    let leftovers = collect(&root.0);
    let texts: Vec<&str> = leftovers.drafts.iter().map(|d| d.draft.programs[0].text.as_str()).collect();
    assert_eq!(texts, ["second"]);
    assert!(leftovers.damaged.is_empty());
    assert!(!unfinished.exists());
}

#[test]
fn where_a_draft_cannot_be_written_the_one_before_stays() {
    let root = Root::new("refused");
    let session = Session::begin(&root.0).unwrap();
    session.keep(&draft(None, "", "first")).unwrap();
    // A folder is in the place of another document's draft.
    fs::create_dir(session.folder().join("8.draft")).unwrap();
    let mut other = draft(None, "", "second");
    other.document = 8;
    assert!(session.keep(&other).is_err());
    fs::remove_dir(session.folder().join("8.draft")).unwrap();
    drop(session);
    assert_eq!(root.files().len(), 2, "the lock and the first draft: {:?}", root.files());
    assert_eq!(collect(&root.0).drafts[0].draft.programs[0].text, "first");
}

#[test]
fn files_that_cannot_be_read_are_set_aside_and_spoken_of_once() {
    let root = Root::new("damaged");
    let session = Session::begin(&root.0).unwrap();
    session.keep(&draft(None, "", "good")).unwrap();
    let folder = session.folder().to_path_buf();
    let good = fs::read(folder.join("7.draft")).unwrap();
    fs::write(folder.join("8.draft"), &good[..good.len() / 2]).unwrap();
    fs::write(folder.join("9.draft"), b"\xff\x00").unwrap();
    fs::write(folder.join("render.run"), b"").unwrap();
    let newer = String::from_utf8(good).unwrap().replace("draft 2,", "draft 9,");
    fs::write(folder.join("10.draft"), newer).unwrap();
    drop(session);
    let leftovers = collect(&root.0);
    assert_eq!(leftovers.drafts.len(), 1);
    assert_eq!(leftovers.damaged.len(), 3);
    assert!(leftovers.damaged.iter().all(|file| file.is_file()), "not deleted");
    assert_eq!(leftovers.newer, [folder.join("10.draft")]);
    drop(leftovers);
    let again = collect(&root.0);
    assert_eq!((again.drafts.len(), again.damaged.len(), again.newer.len()), (1, 0, 1));
}

#[test]
fn what_was_running_is_held_and_is_its_documents_newest_draft() {
    let root = Root::new("running");
    let session = Session::begin(&root.0).unwrap();
    session.keep(&draft(None, "", "older")).unwrap();
    let newer = draft(None, "", "newer");
    fs::write(session.folder().join("render.run"), format::write(&newer).unwrap()).unwrap();
    drop(session);
    assert!(held(&root.0).is_empty());
    let leftovers = collect(&root.0);
    assert_eq!(leftovers.drafts.len(), 1);
    assert_eq!((&*leftovers.drafts[0].draft, leftovers.drafts[0].activity), (&newer, Activity::Running));
    assert_eq!(held(&root.0), [newer.fingerprint()].into());
    drop(leftovers);
    let again = collect(&root.0);
    assert_eq!((&*again.drafts[0].draft, again.drafts[0].activity), (&newer, Activity::Idle));
    release(&root.0, newer.fingerprint()).unwrap();
    release(&root.0, newer.fingerprint()).unwrap();
    assert!(held(&root.0).is_empty());
}

#[test]
fn folders_with_nothing_in_them_go() {
    let root = Root::new("empty");
    let session = Session::begin(&root.0).unwrap();
    session.keep(&draft(None, "", "a")).unwrap();
    session.forget(7).unwrap();
    session.forget(7).unwrap();
    let folder = session.folder().to_path_buf();
    drop(session);
    assert!(collect(&root.0).adopted.is_empty());
    assert!(!folder.exists());
}

#[test]
fn no_folder_is_no_leftovers() {
    let root = Root::new("none");
    let leftovers = collect(&root.0);
    assert!(leftovers.drafts.is_empty() && leftovers.adopted.is_empty() && held(&root.0).is_empty());
}

#[test]
fn drafts_without_their_lock_are_offered_once() {
    let root = Root::new("unlocked");
    let session = Session::begin(&root.0).unwrap();
    session.keep(&draft(None, "", "typed")).unwrap();
    assert!(session.is_whole());
    fs::remove_file(session.folder().join("lock")).unwrap();
    // The lock file was removed. Its process, if alive, notices that.
    assert!(!session.is_whole());
    let leftovers = collect(&root.0);
    assert_eq!(leftovers.drafts[0].draft.programs[0].text, "typed");
    assert!(!session.is_whole(), "it is another's now");
    assert!(collect(&root.0).drafts.is_empty(), "somebody else offers it");
    drop(leftovers);
    // As copied from another machine: no lock, and no process that ever had one.
    let copy = root.0.join("copied");
    fs::create_dir(&copy).unwrap();
    fs::copy(session.folder().join("7.draft"), copy.join("7.draft")).unwrap();
    fs::write(root.0.join("stray"), "no folder").unwrap();
    assert_eq!(collect(&root.0).drafts.len(), 2);
}

#[cfg(unix)]
#[test]
fn drafts_are_private_also_those_of_earlier_versions() {
    use std::os::unix::fs::PermissionsExt as _;
    fn modes(path: &Path, found: &mut Vec<(PathBuf, u32)>) {
        let mode = fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777;
        found.push((path.to_path_buf(), mode));
        if path.is_dir() {
            fs::read_dir(path).unwrap().flatten().for_each(|entry| modes(&entry.path(), found));
        }
    }
    let wrong = |root: &Path| {
        let mut found = Vec::new();
        modes(root, &mut found);
        assert!(found.len() >= 7, "{found:?}");
        found.retain(|(path, mode)| *mode != if path.is_dir() { 0o700 } else { 0o600 });
        found
    };
    let root = Root::new("private");
    let session = Session::begin(&root.0).unwrap();
    session.keep(&draft(None, "before", "after")).unwrap();
    super::super::guard::write(&session.folder().join("render.run"), &draft(None, "", "running"));
    hold(&root.0, 7).unwrap();
    assert_eq!(wrong(&root.0), []);
    fs::create_dir(root.0.join(DAMAGED)).unwrap();
    fs::write(root.0.join(DAMAGED).join("old.draft"), "x").unwrap();
    let mut all = Vec::new();
    modes(&root.0, &mut all);
    for (path, _) in &all {
        let mode = if path.is_dir() { 0o755 } else { 0o644 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    let leftovers = collect(&root.0);
    assert_eq!(wrong(&root.0), []);
    // A folder without a lock file gets a new one. A damaged draft moves to the folder for unreadable files.
    drop(session);
    let folder = root.0.join("1-1");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("1.draft"), "damaged").unwrap();
    drop((leftovers, collect(&root.0)));
    assert_eq!(wrong(&root.0), []);
}
