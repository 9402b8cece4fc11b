//! The thread that keeps drafts on disk.
//!
//! The UI thread notes what is to be kept ([`Autosave::note`]); writing follows when typing pauses, and now and then while
//! it does not. [`Rescuer`] writes at once, from the same notes, when the UI thread is about to die.

use super::folder::{self, Adopted, Leftover, RUN, Session};
use super::guard::{self, RunGuard, SessionFolder};
use super::offer::{Offer, offer};
use crate::model::{Document, DocumentId, Draft};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// How long typing has to pause before a draft is written.
const QUIET: Duration = Duration::from_millis(400);
/// How long a change waits at most while typing goes on.
const AT_MOST: Duration = Duration::from_secs(2);
/// When to try again what the disk refused.
const AGAIN: Duration = Duration::from_secs(10);
/// How long [`Rescuer`] waits for the thread to finish what it is at.
const PATIENCE: Duration = Duration::from_secs(2);

/// What earlier processes have left.
#[derive(Debug, Default)]
pub struct Found {
    /// Drafts.
    pub offers: Vec<Offer>,
    /// Drafts of what was running when its process died.
    pub interrupted: Vec<Offer>,
    /// Fingerprints of programs that are not run unasked.
    pub held: BTreeSet<u64>,
    /// Answers to lessons, by the numbers of these.
    pub answers: BTreeMap<u64, Arc<Draft>>,
    /// Files that could not be read, where they are now.
    pub damaged: Vec<PathBuf>,
    /// Files of later versions of Shadestep.
    pub newer: Vec<PathBuf>,
}

/// News of the thread that keeps drafts.
pub enum DraftNews {
    /// What earlier processes have left.
    Found(Box<Found>),
    /// Why drafts cannot be kept.
    Failed(String),
}

/// Takes the news. The thread calls it.
pub type Report = Arc<dyn Fn(DraftNews) + Send + Sync>;

/// What is to become of the drafts when the app closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// Nothing is unsaved, or the person has let go of it: they go.
    Nothing,
    /// They are offered the next time.
    Drafts,
}

/// Keeps drafts of what is not saved.
pub struct Autosave {
    shared: Arc<Shared>,
    thread: Option<std::thread::JoinHandle<()>>,
    taken: BTreeMap<DocumentId, Taken>,
}

/// A document as it was last looked at.
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

/// What the UI thread wants on disk.
#[derive(Default)]
struct Notes {
    drafts: BTreeMap<DocumentId, Arc<Draft>>,
    /// The programs that take long just now.
    slow: Option<Arc<Draft>>,
    resolved: Vec<PathBuf>,
    released: Vec<u64>,
    answers: BTreeMap<u64, Option<Arc<Draft>>>,
    /// When the first change was noted that is not on disk.
    since: Option<Instant>,
    /// When to write.
    due: Option<Instant>,
    leave: Option<Leave>,
    thread: Busy,
}

/// What the thread does.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Busy {
    /// It looks for what there is, or writes.
    #[default]
    Working,
    /// It waits until something is due.
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
        // What is due at once stays so.
        self.due = Some(self.due.filter(|&due| due <= now).unwrap_or(due));
    }
}

/// What is on disk.
#[derive(Default)]
struct Disk {
    root: PathBuf,
    session: Option<Session>,
    kept: BTreeMap<DocumentId, Arc<Draft>>,
    slow: Option<Arc<Draft>>,
    adopted: Vec<Adopted>,
}

impl Disk {
    /// The process's folder, made anew where somebody has removed it or its lock.
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

    /// Has exactly `drafts` on disk.
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

    /// Has on disk that `slow` takes long, for the next process to know if this one is ended for it.
    fn note_slow(&mut self, slow: Option<Arc<Draft>>) {
        let Some(session) = &self.session else { return };
        let note = session.folder().join("slow").with_extension(RUN);
        match (&slow, &self.slow) {
            (Some(slow), before) if !before.as_ref().is_some_and(|before| Arc::ptr_eq(before, slow)) => {
                guard::write(&note, slow);
            }
            (None, Some(_)) => {
                // What stays says that the process died of it: wrong, but harmless.
                let _left = folder::remove(&note);
            }
            _ => {}
        }
        self.slow = slow;
    }

    /// Removes drafts of dead processes that a decision has been made about.
    fn resolve(&mut self, files: &[PathBuf]) {
        for file in files {
            // What cannot be removed is offered the next time.
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
    /// What to write, once it is due.
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

    /// The thread.
    fn run(&self, root: &Path, report: &Report) {
        self.serve(root, report);
        // From here on this process has nothing to do with any draft, whoever still holds this value.
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
            // Before the drafts of the same texts may go.
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
                // What stays is asked about once more.
                let _left = folder::release(root, fingerprint);
            }
            match outcome {
                // Only now that its successor is on disk may a draft go.
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
    /// Starts the thread, which keeps drafts in the folder `root` and looks for what dead processes have left there: that
    /// is reported as [`DraftNews::Found`]. Without a folder nothing is kept and nothing found.
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

    /// Whether nothing is to be done that has been noted.
    pub fn is_idle(&self) -> bool {
        let ended = self.thread.as_ref().is_none_or(std::thread::JoinHandle::is_finished);
        let notes = lock(&self.shared.notes);
        ended || (notes.thread == Busy::Waiting && notes.due.is_none() && notes.leave.is_none())
    }

    /// Notes for the work called `name` of one thread.
    pub fn guard(&self, name: &'static str) -> RunGuard {
        RunGuard::new(Arc::clone(&self.shared.folder), name)
    }

    /// Writes the drafts when the thread that calls this is about to die.
    pub fn rescuer(&self) -> Rescuer {
        Rescuer { shared: Arc::clone(&self.shared), thread: std::thread::current().id() }
    }

    /// The texts of `document` as they stand: the same value for as long as nothing about them changes.
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

    /// Forgets the texts of a document that was closed. Its draft leaves the disk with the next
    /// [`Self::note`].
    pub fn forget(&mut self, closed: DocumentId) {
        self.taken.remove(&closed);
    }

    /// The documents whose texts were taken.
    pub fn taken(&self) -> impl Iterator<Item = DocumentId> {
        self.taken.keys().copied()
    }

    /// The fingerprint of a document's programs as they were last taken.
    pub fn fingerprint(&self, document: DocumentId) -> Option<u64> {
        self.taken.get(&document).map(|taken| taken.fingerprint)
    }

    /// Notes what is to be on disk: drafts of every document with changes, that `slow` takes long, and no more the drafts
    /// of dead processes that are `resolved`. Costs next to nothing where nothing has changed.
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

    /// Whether anything is kept on disk.
    pub fn keeps(&self) -> bool {
        self.thread.is_some()
    }

    /// Keeps the answer to the lesson with this number, or removes it.
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

    /// Forgets that the program with this fingerprint was running when a process died.
    pub fn release(&self, fingerprint: u64) {
        let mut notes = lock(&self.shared.notes);
        notes.released.push(fingerprint);
        notes.due = Some(Instant::now());
        drop(notes);
        self.shared.changed.notify_one();
    }

    /// Ends the thread, once everything is on disk as `leave` has it.
    pub fn close(&mut self, leave: Leave) {
        lock(&self.shared.notes).leave = Some(leave);
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so on its own.
            let _panicked = thread.join();
        }
    }
}

impl Drop for Autosave {
    /// Whoever has not been asked about changes has not let go of them.
    fn drop(&mut self) {
        self.close(Leave::Drafts);
    }
}

/// Whether `draft`, taken at the same revision of `document`, also has its files as they are: saving changes no revision.
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

/// Writes drafts from a thread that is about to die.
pub struct Rescuer {
    shared: Arc<Shared>,
    thread: std::thread::ThreadId,
}

impl Rescuer {
    /// Writes what is noted, in the thread that asked for the rescuer: of any other the app goes on without. Says how many
    /// drafts there are, and where.
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

/// The lock, unless it is not to be had: the thread that dies may itself hold it.
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
