//! Tests of the autosave thread.

use super::*;
use crate::model::Cause;
use crate::model::draft_tests::draft;
use crate::scene::Scene;
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};

/// A folder for one test, and the events of its autosave.
struct TestFolder {
    root: PathBuf,
    report: Report,
    news: Receiver<DraftNews>,
}

impl TestFolder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name =
            format!("shadestep-autosave-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let root = std::env::temp_dir().join(name);
        let _none = fs::remove_dir_all(&root);
        let (sender, news) = channel();
        let report: Report = Arc::new(move |news| sender.send(news).unwrap());
        Self { root, report, news }
    }

    /// Returns an autosave that has searched for leftovers, with the files found.
    fn autosave(&self) -> (Autosave, Found) {
        let autosave = Autosave::start(Some(self.root.clone()), Arc::clone(&self.report));
        let mut found = None;
        until(&autosave, "leftovers are known", || {
            while let Ok(news) = self.news.try_recv() {
                if let DraftNews::Found(now) = news {
                    found = Some(*now);
                }
            }
            found.is_some()
        });
        (autosave, found.unwrap())
    }

    /// Returns the texts of the drafts in every folder.
    fn texts(&self) -> Vec<String> {
        let folders = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
        let drafts = files.filter(|file| file.path().extension().is_some_and(|e| e == "draft"));
        let read = |file: fs::DirEntry| super::super::format::read(&fs::read(file.path()).ok()?).ok();
        drafts.filter_map(read).map(|draft| draft.programs[0].text.clone()).collect()
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// Waits until `done`, as long as `autosave` has work.
#[track_caller]
fn until(autosave: &Autosave, what: &str, mut done: impl FnMut() -> bool) {
    loop {
        // Read before the check: an idle thread has done its work before the check.
        let idle = autosave.is_idle();
        if done() {
            return;
        }
        assert!(!idle, "nothing is under way, and waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn document(text: &str) -> Document {
    Document::new(DocumentId(1), Scene::for_program("a.fp", None, text.as_bytes()))
}

fn edit(document: &mut Document, text: &str) {
    let part = document.active_part();
    document.replace(part, text, Cause::Other);
}

#[test]
fn changes_are_on_disk_soon_and_gone_once_saved() {
    let place = TestFolder::new();
    let (mut autosave, _) = place.autosave();
    let mut d = document("a");
    autosave.note(std::slice::from_ref(&d), None, Vec::new());
    edit(&mut d, "b");
    autosave.note(std::slice::from_ref(&d), None, Vec::new());
    // The next test checks the delay.
    until(&autosave, "the change is on disk", || place.texts() == ["b"]);
    let save = d.save_program(d.active_slot(), PathBuf::from("/no/such/a.fp"));
    d.saved(&save);
    autosave.note(std::slice::from_ref(&d), None, Vec::new());
    until(&autosave, "the draft is gone", || place.texts().is_empty());
}

#[test]
fn typing_without_a_pause_does_not_put_writing_off() {
    let mut notes = Notes::default();
    let start = Instant::now();
    let mut at = start;
    while at < start + Duration::from_secs(10) {
        notes.typed(at);
        let due = notes.due.unwrap();
        assert!(due > start && due <= start + AT_MOST && due <= at + QUIET);
        if due <= at {
            return;
        }
        at += Duration::from_millis(100);
    }
    panic!("never due");
}

#[test]
fn closing_removes_drafts_or_leaves_them() {
    let place = TestFolder::new();
    let mut d = document("a");
    edit(&mut d, "b");
    let (mut autosave, _) = place.autosave();
    autosave.note(std::slice::from_ref(&d), None, Vec::new());
    drop(autosave);
    assert_eq!(place.texts(), ["b"], "written at once, though typing had not paused");
    let (mut autosave, found) = place.autosave();
    assert_eq!(found.offers.len(), 1);
    autosave.note(std::slice::from_ref(&d), None, Vec::new());
    until(&autosave, "it has a draft of its own", || place.texts().len() == 2);
    autosave.close(Leave::Nothing);
    assert_eq!(place.texts().len(), 1, "what nobody has decided about stays");
}

#[test]
fn a_draft_goes_only_once_its_successor_is_on_disk() {
    let place = TestFolder::new();
    let mut d = document("a");
    edit(&mut d, "b");
    let (mut autosave, _) = place.autosave();
    autosave.note(std::slice::from_ref(&d), None, Vec::new());
    drop(autosave);
    let (mut autosave, found) = place.autosave();
    edit(&mut d, "c");
    autosave.note(std::slice::from_ref(&d), None, vec![found.offers[0].file.clone()]);
    until(&autosave, "one has replaced the other", || {
        let texts = place.texts();
        // The new draft may be in a folder listed before, and the old draft already removed. Then the new
        // draft exists by now.
        assert!(!texts.is_empty() || !place.texts().is_empty(), "there was none");
        texts == ["c"]
    });
    until(&autosave, "the empty folder is gone", || !found.offers[0].file.parent().unwrap().exists());
}

#[test]
fn a_rescue_writes_what_was_typed_last_and_only_for_its_own_thread() {
    let place = TestFolder::new();
    let (mut autosave, _) = place.autosave();
    let mut d = document("a");
    edit(&mut d, "b");
    autosave.note(std::slice::from_ref(&d), None, Vec::new());
    let rescuer = autosave.rescuer();
    let (rescuer, other) = std::thread::spawn(move || {
        let none = rescuer.rescue();
        (rescuer, none)
    })
    .join()
    .unwrap();
    assert_eq!(other, None);
    let (count, folder) = rescuer.rescue().unwrap();
    assert_eq!(count, 1);
    assert_eq!(place.texts(), ["b"]);
    assert!(folder.starts_with(&place.root));
    // After closing, the drafts belong to no process, though the hook still holds the rescuer.
    autosave.close(Leave::Drafts);
    assert_eq!(rescuer.rescue(), None);
    let (_next, found) = place.autosave();
    assert_eq!(found.offers.len(), 1);
}

#[test]
fn a_folder_that_somebody_removes_is_made_again() {
    let place = TestFolder::new();
    let (mut autosave, _) = place.autosave();
    fs::remove_dir_all(&place.root).unwrap();
    let mut d = document("a");
    edit(&mut d, "b");
    autosave.note(std::slice::from_ref(&d), None, Vec::new());
    until(&autosave, "the change is on disk", || place.texts() == ["b"]);
}

#[test]
fn a_process_whose_lock_is_removed_goes_on_in_a_folder_of_its_own() {
    let place = TestFolder::new();
    let (mut autosave, _) = place.autosave();
    let mut d = document("a");
    edit(&mut d, "b");
    autosave.note(std::slice::from_ref(&d), None, Vec::new());
    until(&autosave, "the change is on disk", || place.texts() == ["b"]);
    let first = lock(&autosave.shared.folder).clone().unwrap();
    fs::remove_file(first.join("lock")).unwrap();
    let (_other, found) = place.autosave();
    assert_eq!(found.offers.len(), 1, "nobody's, as far as others can see");
    edit(&mut d, "c");
    autosave.note(std::slice::from_ref(&d), None, Vec::new());
    until(&autosave, "both are there", || place.texts().len() == 2);
    assert_ne!(lock(&autosave.shared.folder).clone().unwrap(), first);
}

#[test]
fn a_place_that_cannot_be_written_is_told_and_nothing_else_happens() {
    let place = TestFolder::new();
    fs::write(&place.root, "a file where the folder should be").unwrap();
    let mut autosave = Autosave::start(Some(place.root.clone()), Arc::clone(&place.report));
    let (mut failed, mut found) = (false, false);
    until(&autosave, "both are said", || {
        while let Ok(news) = place.news.try_recv() {
            match news {
                DraftNews::Failed(words) => {
                    assert!(words.contains("cannot be kept"), "{words}");
                    failed = true;
                }
                DraftNews::Found(_) => found = true,
            }
        }
        failed && found
    });
    let mut d = document("a");
    edit(&mut d, "b");
    autosave.note(std::slice::from_ref(&d), None, Vec::new());
    drop(autosave);
    fs::remove_file(&place.root).unwrap();
}

#[test]
fn a_program_that_takes_long_is_noted_until_it_is_done() {
    let place = TestFolder::new();
    let (mut autosave, _) = place.autosave();
    let d = document("a");
    autosave.note(std::slice::from_ref(&d), Some(d.id), Vec::new());
    let note = || lock(&autosave.shared.folder).clone().unwrap().join("slow.run");
    until(&autosave, "it is noted", || note().is_file());
    autosave.note(std::slice::from_ref(&d), None, Vec::new());
    let note = lock(&autosave.shared.folder).clone().unwrap().join("slow.run");
    until(&autosave, "it is done", || !note.exists());
    autosave.note(std::slice::from_ref(&d), Some(d.id), Vec::new());
    until(&autosave, "it is noted", || note.is_file());
    drop(autosave);
    let (autosave, found) = place.autosave();
    let fingerprint = found.interrupted[0].draft.fingerprint();
    assert_eq!(found.held, [fingerprint].into());
    assert_eq!(fingerprint, draft(None, "", "a").fingerprint());
    autosave.release(fingerprint);
    until(&autosave, "it is released", || folder::held(&place.root).is_empty());
}

#[test]
fn the_same_value_is_given_until_something_changes() {
    let place = TestFolder::new();
    let (mut autosave, _) = place.autosave();
    let mut d = document("a");
    let first = autosave.take(&d);
    assert!(Arc::ptr_eq(&first, &autosave.take(&d)));
    let fingerprint = autosave.fingerprint(d.id);
    edit(&mut d, "b");
    let second = autosave.take(&d);
    assert!(!Arc::ptr_eq(&first, &second));
    assert_ne!(autosave.fingerprint(d.id), fingerprint);
    let slot = d.active_slot();
    let save = d.save_program(slot, PathBuf::from("/x/other.fp"));
    d.saved(&save);
    let third = autosave.take(&d);
    assert_eq!(third.programs[0].path(), Some(PathBuf::from("/x/other.fp")));
    autosave.note(&[], None, Vec::new());
    assert_eq!(autosave.fingerprint(d.id), None, "closed documents are forgotten");
}
