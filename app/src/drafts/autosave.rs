//! [`Autosave`]: the thread that writes drafts to disk.
//!
//! The UI thread notes the drafts to keep ([`Autosave::note`]). The thread writes them when typing pauses,
//! and at intervals while typing continues. [`Rescuer`] writes the same drafts at once when the UI thread
//! panics.

use super::folder::{self, Adopted, Leftover, RUN, Session};
use super::guard::{self, RunGuard, SessionFolder};
use super::offer::{Offer, offer};
use crate::model::{Document, DocumentId, Draft};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// Pause in typing before a draft is written.
const QUIET: Duration = Duration::from_millis(400);
/// Longest time before a change is written while typing continues.
const AT_MOST: Duration = Duration::from_secs(2);
/// Time before another attempt after a write has failed.
const AGAIN: Duration = Duration::from_secs(10);
/// Longest time that [`Rescuer`] waits for the thread's current work.
const PATIENCE: Duration = Duration::from_secs(2);

/// Files that earlier processes left.
#[derive(Debug, Default)]
pub struct Found {
    /// Drafts to offer.
    pub offers: Vec<Offer>,
    /// Drafts of the programs that were running when their process died.
    pub interrupted: Vec<Offer>,
    /// Fingerprints of programs that run only if the user asks.
    pub held: BTreeSet<u64>,
    /// Answers to lessons, by lesson number.
    pub answers: BTreeMap<u64, Arc<Draft>>,
    /// New paths of unreadable files.
    pub damaged: Vec<PathBuf>,
    /// Files of later versions of Shadestep.
    pub newer: Vec<PathBuf>,
}

/// Events of the autosave thread.
pub enum DraftNews {
    /// Files that earlier processes left.
    Found(Box<Found>),
    /// The reason why drafts cannot be kept.
    Failed(String),
}

/// Receives the events, on the autosave thread.
pub type Report = Arc<dyn Fn(DraftNews) + Send + Sync>;

/// Whether drafts stay on disk when the app closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// Nothing is unsaved, or the user discarded the changes: remove the drafts.
    Nothing,
    /// Keep the drafts and offer them at the next start.
    Drafts,
}

/// Keeps drafts of unsaved changes.
pub struct Autosave {
    shared: Arc<Shared>,
    thread: Option<std::thread::JoinHandle<()>>,
    taken: BTreeMap<DocumentId, Taken>,
}

/// The last snapshot of a document.
struct Taken {
    revision: u64,
    draft: Arc<Draft>,
    fingerprint: u64,
}

#[derive(Default)]
struct Shared {
    notes: Mutex<Notes>,
    changed: Condvar,
    disk: Mutex<Disk>,
    folder: SessionFolder,
}

/// The files that the UI thread wants on disk.
#[derive(Default)]
struct Notes {
    drafts: BTreeMap<DocumentId, Arc<Draft>>,
    /// The programs that are slow now.
    slow: Option<Arc<Draft>>,
    resolved: Vec<PathBuf>,
    released: Vec<u64>,
    answers: BTreeMap<u64, Option<Arc<Draft>>>,
    /// Time of the first change that is not on disk.
    since: Option<Instant>,
    /// Time of the next write.
    due: Option<Instant>,
    leave: Option<Leave>,
    thread: Busy,
}

/// The state of the thread.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Busy {
    /// The thread searches for leftovers, or writes.
    #[default]
    Working,
    /// The thread waits for the next due time.
    Waiting,
}

/// A copy of [`Notes`] to write.
struct Work {
    drafts: BTreeMap<DocumentId, Arc<Draft>>,
    slow: Option<Arc<Draft>>,
    resolved: Vec<PathBuf>,
    released: Vec<u64>,
    answers: BTreeMap<u64, Option<Arc<Draft>>>,
    leave: Option<Leave>,
}

impl Notes {
    fn work(&mut self) -> Work {
        self.due = None;
        self.since = None;
        self.thread = Busy::Working;
        Work {
            drafts: self.drafts.clone(),
            slow: self.slow.clone(),
            resolved: std::mem::take(&mut self.resolved),
            released: std::mem::take(&mut self.released),
            answers: std::mem::take(&mut self.answers),
            leave: self.leave,
        }
    }

    fn typed(&mut self, now: Instant) {
        let since = *self.since.get_or_insert(now);
        let due = (since + AT_MOST).min(now + QUIET);
        // A write that is already due stays due.
        self.due = Some(self.due.filter(|&due| due <= now).unwrap_or(due));
    }
}

/// The files on disk.
#[derive(Default)]
struct Disk {
    root: PathBuf,
    session: Option<Session>,
    kept: BTreeMap<DocumentId, Arc<Draft>>,
    slow: Option<Arc<Draft>>,
    adopted: Vec<Adopted>,
}

impl Disk {
    /// Returns the process's folder. Creates a new one if the folder or its lock was removed.
    fn session(&mut self, shown: &SessionFolder) -> io::Result<&Session> {
        if !self.session.as_ref().is_some_and(Session::is_whole) {
            self.session = None;
            self.kept.clear();
        }
        let session = match self.session.take() {
            Some(session) => session,
            None => {
                let session = Session::begin(&self.root)?;
                *lock(shown) = Some(session.folder().to_path_buf());
                session
            }
        };
        Ok(self.session.insert(session))
    }

    /// Makes the drafts on disk exactly `drafts`.
    fn keep(&mut self, drafts: &BTreeMap<DocumentId, Arc<Draft>>, shown: &SessionFolder) -> io::Result<()> {
        self.session(shown)?;
        let Self { session: Some(session), kept, .. } = self else { return Ok(()) };
        for (id, draft) in drafts {
            if !kept.get(id).is_some_and(|kept| Arc::ptr_eq(kept, draft)) {
                session.keep(draft)?;
                kept.insert(*id, Arc::clone(draft));
            }
        }
        let gone: Vec<DocumentId> = kept.keys().filter(|id| !drafts.contains_key(id)).copied().collect();
        for id in gone {
            session.forget(id.0)?;
            kept.remove(&id);
        }
        Ok(())
    }

    /// Records on disk that `slow` is slow. If the user kills this process for that, the next process knows.
    fn note_slow(&mut self, slow: Option<Arc<Draft>>) {
        let Some(session) = &self.session else { return };
        let note = session.folder().join("slow").with_extension(RUN);
        match (&slow, &self.slow) {
            (Some(slow), before) if !before.as_ref().is_some_and(|before| Arc::ptr_eq(before, slow)) => {
                guard::write(&note, slow);
            }
            (None, Some(_)) => {
                // A note that cannot be removed blames the program for a crash: wrong, but harmless.
                let _left = folder::remove(&note);
            }
            _ => {}
        }
        self.slow = slow;
    }

    /// Removes drafts of dead processes that the user has decided about.
    fn resolve(&mut self, files: &[PathBuf]) {
        for file in files {
            // A draft that cannot be removed is offered again at the next start.
            let _left = folder::remove(file);
        }
        if !files.is_empty() {
            let adopted = std::mem::take(&mut self.adopted);
            self.adopted = adopted.into_iter().filter_map(Adopted::unless_empty).collect();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Waits until something is due, and returns the files to write.
    fn next(&self) -> Work {
        let mut notes = lock(&self.notes);
        notes.thread = Busy::Waiting;
        loop {
            let now = Instant::now();
            match notes.due {
                _ if notes.leave.is_some() => return notes.work(),
                Some(due) if due <= now => return notes.work(),
                Some(due) => {
                    let waited = self.changed.wait_timeout(notes, due - now);
                    notes = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                None => notes = self.changed.wait(notes).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn search(&self, root: &Path) -> Found {
        let leftovers = folder::collect(root);
        let mut found = Found { damaged: leftovers.damaged, newer: leftovers.newer, ..Found::default() };
        let mut of_no_use = Vec::new();
        for leftover in leftovers.drafts {
            let Leftover { file, activity, .. } = &leftover;
            match (offer(&leftover), activity) {
                (Some(offer), folder::Activity::Running) => found.interrupted.push(offer),
                (Some(offer), folder::Activity::Idle) => found.offers.push(offer),
                (None, _) => of_no_use.push(file.clone()),
            }
        }
        found.offers.sort_by_key(|offer| std::cmp::Reverse(offer.draft.written()));
        found.held = folder::held(root);
        found.answers = folder::answers(root);
        let mut disk = lock(&self.disk);
        disk.adopted = leftovers.adopted;
        disk.resolve(&of_no_use);
        found
    }

    fn run(&self, root: &Path, report: &Report) {
        self.serve(root, report);
        // From here on this process writes no draft, even if another handle still exists.
        *lock(&self.folder) = None;
        let Disk { session, adopted, .. } = std::mem::take(&mut *lock(&self.disk));
        drop(adopted);
        if let Some(session) = session {
            session.end_if_empty();
        }
    }

    fn serve(&self, root: &Path, report: &Report) {
        let begun = {
            let mut disk = lock(&self.disk);
            disk.root = root.to_path_buf();
            disk.session(&self.folder).map(drop)
        };
        let mut told = begun.is_err();
        let words =
            |error: &io::Error| format!("Unsaved changes cannot be kept in {}: {error}", root.display());
        if let Err(error) = begun {
            report(DraftNews::Failed(words(&error)));
        }
        report(DraftNews::Found(Box::new(self.search(root))));
        loop {
            let work = self.next();
            // Write the answers first, because drafts of the same texts may be removed next.
            let answered = folder::keep_answers(root, &work.answers);
            if work.leave == Some(Leave::Nothing) && answered.is_ok() {
                if let Some(session) = lock(&self.disk).session.take() {
                    session.end();
                }
                return;
            }
            let mut disk = lock(&self.disk);
            let outcome = disk.keep(&work.drafts, &self.folder).and(answered);
            disk.note_slow(work.slow);
            for fingerprint in work.released {
                // The user is asked once more about a hold that cannot be removed.
                let _left = folder::release(root, fingerprint);
            }
            match outcome {
                // A resolved draft is removed only after its successor is on disk.
                Ok(()) => {
                    disk.resolve(&work.resolved);
                    told = false;
                }
                Err(error) => {
                    drop(disk);
                    if !told {
                        report(DraftNews::Failed(words(&error)));
                    }
                    told = true;
                    let mut notes = lock(&self.notes);
                    notes.resolved.extend(work.resolved);
                    for (lesson, answer) in work.answers {
                        notes.answers.entry(lesson).or_insert(answer);
                    }
                    notes.due.get_or_insert(Instant::now() + AGAIN);
                }
            }
            if work.leave.is_some() {
                return;
            }
        }
    }
}

impl Autosave {
    /// Starts the thread. It keeps drafts in the folder `root` and searches there for files of dead
    /// processes, which it reports as [`DraftNews::Found`]. Without a folder, nothing is kept or found.
    pub fn start(root: Option<PathBuf>, report: Report) -> Self {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let thread = root.and_then(|root| {
            let report = Arc::clone(&report);
            let run = move || theirs.run(&root, &report);
            std::thread::Builder::new().name("drafts".to_owned()).spawn(run).ok()
        });
        if thread.is_none() {
            report(DraftNews::Found(Box::default()));
        }
        Self { shared, thread, taken: BTreeMap::new() }
    }

    /// Returns true if all notes have been handled.
    pub fn is_idle(&self) -> bool {
        let ended = self.thread.as_ref().is_none_or(std::thread::JoinHandle::is_finished);
        let notes = lock(&self.shared.notes);
        ended || (notes.thread == Busy::Waiting && notes.due.is_none() && notes.leave.is_none())
    }

    /// Returns a guard for the work called `name` of one thread.
    pub fn guard(&self, name: &'static str) -> RunGuard {
        RunGuard::new(Arc::clone(&self.shared.folder), name)
    }

    /// Returns a value that writes the drafts when the calling thread panics.
    pub fn rescuer(&self) -> Rescuer {
        Rescuer { shared: Arc::clone(&self.shared), thread: std::thread::current().id() }
    }

    /// Returns a snapshot of the texts of `document`: the same `Arc` until the texts change.
    pub fn take(&mut self, document: &Document) -> Arc<Draft> {
        if let Some(taken) = self.taken.get(&document.id)
            && taken.revision == document.revision
            && is_of(&taken.draft, document)
            && taken.draft.marks_as(document)
        {
            return Arc::clone(&taken.draft);
        }
        let draft = Arc::new(Draft::of(document));
        let taken = Taken {
            revision: document.revision,
            fingerprint: draft.fingerprint(),
            draft: Arc::clone(&draft),
        };
        self.taken.insert(document.id, taken);
        draft
    }

    /// Drops the snapshot of a closed document. The next [`Self::note`] removes its draft from disk.
    pub fn forget(&mut self, closed: DocumentId) {
        self.taken.remove(&closed);
    }

    /// Returns the documents that have a snapshot.
    pub fn taken(&self) -> impl Iterator<Item = DocumentId> {
        self.taken.keys().copied()
    }

    /// Returns the fingerprint of the programs in a document's last snapshot.
    pub fn fingerprint(&self, document: DocumentId) -> Option<u64> {
        self.taken.get(&document).map(|taken| taken.fingerprint)
    }

    /// Notes the files to keep on disk: drafts of all changed documents, and a record if `slow` is slow.
    /// Removes `resolved` drafts of dead processes. Cheap if nothing has changed.
    pub fn note(&mut self, documents: &[Document], slow: Option<DocumentId>, resolved: Vec<PathBuf>) {
        self.taken.retain(|id, _| documents.iter().any(|document| document.id == *id));
        let mut drafts = BTreeMap::new();
        let mut slow_draft = None;
        for document in documents {
            let draft = self.take(document);
            if slow == Some(document.id) {
                slow_draft = Some(Arc::clone(&draft));
            }
            if document.is_modified() {
                drafts.insert(document.id, draft);
            }
        }
        let mut notes = lock(&self.shared.notes);
        let same = |a: &Arc<Draft>, b: &Arc<Draft>| Arc::ptr_eq(a, b);
        let as_before = notes.drafts.len() == drafts.len()
            && notes.drafts.iter().zip(&drafts).all(|(a, b)| a.0 == b.0 && same(a.1, b.1));
        let as_slow = match (&notes.slow, &slow_draft) {
            (Some(a), Some(b)) => same(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        if as_before && as_slow && resolved.is_empty() {
            return;
        }
        let now = Instant::now();
        if !as_before {
            notes.drafts = drafts;
            notes.typed(now);
        }
        if !as_slow || !resolved.is_empty() {
            notes.slow = slow_draft;
            notes.resolved.extend(resolved);
            notes.due = Some(now);
        }
        drop(notes);
        self.shared.changed.notify_one();
    }

    /// Returns true if drafts are kept on disk.
    pub fn keeps(&self) -> bool {
        self.thread.is_some()
    }

    /// Keeps the answer to the lesson with this number, or removes the answer.
    pub fn keep_answer(&self, lesson: u64, answer: Option<Arc<Draft>>) {
        if !self.keeps() {
            return;
        }
        let mut notes = lock(&self.shared.notes);
        notes.answers.insert(lesson, answer);
        notes.due = Some(Instant::now());
        drop(notes);
        self.shared.changed.notify_one();
    }

    /// Lets the program with this fingerprint run again, after it was held because its process died.
    pub fn release(&self, fingerprint: u64) {
        let mut notes = lock(&self.shared.notes);
        notes.released.push(fingerprint);
        notes.due = Some(Instant::now());
        drop(notes);
        self.shared.changed.notify_one();
    }

    /// Ends the thread after the last write. `leave` decides whether drafts stay.
    pub fn close(&mut self, leave: Leave) {
        lock(&self.shared.notes).leave = Some(leave);
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic in the thread has already been reported.
            let _panicked = thread.join();
        }
    }
}

impl Drop for Autosave {
    /// Keeps the drafts, because the user was not asked about the changes.
    fn drop(&mut self) {
        self.close(Leave::Drafts);
    }
}

/// Returns true if `draft`, taken at the same revision of `document`, also has the same files. Saving does
/// not change the revision.
fn is_of(draft: &Draft, document: &Document) -> bool {
    let mut programs = document.programs().iter();
    draft.programs.len() == document.programs().count()
        && draft.programs.iter().all(|kept| {
            programs.next().is_some_and(|(slot, program)| {
                slot == kept.slot
                    && program.is_modified() == kept.is_modified()
                    && program.file_name(slot) == kept.name
                    && program.path().is_some() == kept.path().is_some()
            })
        })
}

/// Writes drafts from a thread that is panicking.
pub struct Rescuer {
    shared: Arc<Shared>,
    thread: std::thread::ThreadId,
}

impl Rescuer {
    /// Writes the noted drafts. Returns the number of drafts and their folder. Does nothing on a thread other
    /// than the one that created the rescuer, because the app survives a panic there.
    pub fn rescue(&self) -> Option<(usize, PathBuf)> {
        if std::thread::current().id() != self.thread {
            return None;
        }
        let notes = patiently(&self.shared.notes)?;
        if notes.leave.is_some() {
            return None;
        }
        let drafts = notes.drafts.clone();
        drop(notes);
        let mut disk = patiently(&self.shared.disk)?;
        if drafts.is_empty() || disk.root.as_os_str().is_empty() {
            return None;
        }
        disk.keep(&drafts, &self.shared.folder).ok()?;
        let folder = disk.session.as_ref()?.folder().to_path_buf();
        Some((drafts.len(), folder))
    }
}

/// Locks `mutex`, or returns `None` after a timeout. The panicking thread itself may hold the lock.
fn patiently<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    let start = Instant::now();
    loop {
        match mutex.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => return None,
        }
    }
}

#[cfg(test)]
#[path = "autosave_tests.rs"]
mod tests;
