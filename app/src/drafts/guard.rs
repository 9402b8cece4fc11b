//! [`RunGuard`] writes the programs that are about to run to disk and removes the note when they come back. If the
//! process dies meanwhile, the next one finds the note and does not run them unasked.

use super::folder::{RUN, remove};
use super::format;
use crate::files::{self, Durability};
use crate::model::Draft;
use crate::session::RenderError;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Where the process's drafts are, once that is known.
pub(super) type SessionFolder = Arc<Mutex<Option<PathBuf>>>;

/// Notes which programs a thread runs for the first time.
#[derive(Debug)]
pub struct RunGuard {
    folder: SessionFolder,
    name: &'static str,
    /// What came back the last time.
    ran: Option<Arc<Draft>>,
}

impl RunGuard {
    /// For the work called `name`, which names the file.
    pub(super) fn new(folder: SessionFolder, name: &'static str) -> Self {
        Self { folder, name, ran: None }
    }

    /// A guard that notes nothing.
    #[cfg(test)]
    pub(crate) fn nowhere() -> Self {
        Self::new(SessionFolder::default(), "test")
    }

    /// Does `work` on `programs`. Until they have come back from it once, it stands on disk that they are at it. A frame
    /// that was called off has not come back.
    ///
    /// # Errors
    /// Those of `work`.
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
            // What stays here says that the process died with this program: wrong, but harmless.
            let _left = remove(note);
        }
        if !matches!(outcome, Err(RenderError::Cancelled)) {
            self.ran = Some(Arc::clone(programs));
        }
        outcome
    }
}

/// Writes a note for the next process. It need not outlast the system's end, only this process's, so nothing is synced.
pub(super) fn write(note: &Path, programs: &Draft) {
    // Without the note the program would be run again: that is how it was before there were notes.
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
