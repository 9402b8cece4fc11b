//! [`RunGuard`] writes a note of the programs that are about to run, and removes the note when they return.
//! If the process dies meanwhile, the next process finds the note and does not run the programs unless the
//! user asks.

use super::folder::{RUN, remove};
use super::format;
use crate::files::{self, Durability};
use crate::model::Draft;
use crate::session::RenderError;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The process's folder of drafts, once it exists.
pub(super) type SessionFolder = Arc<Mutex<Option<PathBuf>>>;

/// Notes which programs a thread runs for the first time.
#[derive(Debug)]
pub struct RunGuard {
    folder: SessionFolder,
    name: &'static str,
    /// The programs that returned last.
    ran: Option<Arc<Draft>>,
}

impl RunGuard {
    /// Creates a guard for the work called `name`, which names the note's file.
    pub(super) fn new(folder: SessionFolder, name: &'static str) -> Self {
        Self { folder, name, ran: None }
    }

    /// Creates a guard that writes no notes.
    #[cfg(test)]
    pub(crate) fn nowhere() -> Self {
        Self::new(SessionFolder::default(), "test")
    }

    /// Does `work` on `programs`. While they run for the first time, a note on disk says so. A cancelled
    /// frame does not count as a run.
    ///
    /// # Errors
    /// Errors of `work`.
    pub fn run<T>(
        &mut self,
        programs: &Arc<Draft>,
        work: impl FnOnce() -> Result<T, RenderError>,
    ) -> Result<T, RenderError> {
        if self.ran.as_ref().is_some_and(|ran| Arc::ptr_eq(ran, programs)) {
            return work();
        }
        let folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let note = folder.map(|folder| folder.join(self.name).with_extension(RUN));
        if let Some(note) = &note {
            write(note, programs);
        }
        let outcome = work();
        if let Some(note) = &note {
            // A note that cannot be removed blames the program for a crash: wrong, but harmless.
            let _left = remove(note);
        }
        if !matches!(outcome, Err(RenderError::Cancelled)) {
            self.ran = Some(Arc::clone(programs));
        }
        outcome
    }
}

/// Writes a note for the next process. The note must survive this process, not the system, so it is not
/// synced.
pub(super) fn write(note: &Path, programs: &Draft) {
    // Without the note, the program would run again after a crash.
    let _not_noted = format::write(programs)
        .map(|bytes| files::replace_private(note, Durability::Unsynced, |file| file.write_all(&bytes)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::draft_tests::draft;

    #[test]
    fn the_note_stands_while_programs_run_for_the_first_time() {
        let folder = std::env::temp_dir().join(format!("shadestep-guard-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let place = Arc::new(Mutex::new(Some(folder.clone())));
        let mut guard = RunGuard::new(place, "render");
        let note = folder.join("render.run");
        let noted = || std::fs::read(&note).ok().map(|bytes| format::read(&bytes).unwrap());
        let one = Arc::new(draft(None, "", "one"));
        let two = Arc::new(draft(None, "", "two"));
        let mut run = |programs: &Arc<Draft>, outcome: Result<(), RenderError>| {
            let mut seen = None;
            let given = guard.run(programs, || {
                seen = noted();
                outcome.clone()
            });
            assert_eq!(given, outcome);
            assert_eq!(noted(), None, "it has come back");
            seen
        };
        assert_eq!(run(&one, Err(RenderError::Cancelled)).as_ref(), Some(&*one));
        assert_eq!(run(&one, Ok(())).as_ref(), Some(&*one), "called off is not come back");
        assert_eq!(run(&one, Ok(())), None);
        assert_eq!(run(&two, Err(RenderError::NoProgram)).as_ref(), Some(&*two));
        assert_eq!(run(&two, Ok(())), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn without_a_place_programs_run_all_the_same() {
        let mut guard = RunGuard::new(SessionFolder::default(), "render");
        assert_eq!(guard.run(&Arc::new(draft(None, "", "one")), || Ok(5)), Ok(5));
    }
}
