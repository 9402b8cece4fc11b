//! The thread that loads programs. It never draws, so errors of a new text need not wait for a picture of the
//! previous text.

use super::guarded;
use crate::drafts::RunGuard;
use crate::mailbox::{Wake, Work, Worker};
use crate::model::{DocumentId, Draft};
use crate::scene::Programs;
use crate::session::{self, Loaded, RenderError};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A request to load programs.
#[derive(Clone, Debug)]
pub struct LoadRequest {
    pub document: DocumentId,
    /// Revision of its texts.
    pub revision: u64,
    pub texts: Programs<Arc<[u8]>>,
    /// The texts for the crash note that the next process reads.
    pub kept: Arc<Draft>,
}

/// The result of loading.
pub struct LoadReply {
    pub document: DocumentId,
    /// Revision of its texts.
    pub revision: u64,
    /// The programs. Empty after an internal error of Shadestep.
    pub programs: Loaded,
}

/// The thread that loads programs.
pub type Loader = Worker<LoadRequest, LoadReply>;

/// The programs that were loaded last. Threads that need the same texts share them, so each text is loaded
/// once.
#[derive(Clone, Default)]
pub struct LoadedLast(Arc<Mutex<(Option<DocumentId>, Loaded)>>);

impl LoadedLast {
    /// Loads the programs of `texts`, which belong to `document`. Waits while another thread loads.
    pub(super) fn load(
        &self,
        document: DocumentId,
        texts: &Programs<Arc<[u8]>>,
    ) -> Result<Loaded, RenderError> {
        self.replace(document, |before| session::compile_all(texts, before))
    }

    /// Replaces the programs with the result of `compile`: no programs after an internal error of Shadestep.
    fn replace(
        &self,
        document: DocumentId,
        compile: impl FnOnce(&Loaded) -> Loaded,
    ) -> Result<Loaded, RenderError> {
        let mut last = self.lock();
        let outcome = guarded(|| Ok(compile(&last.1)));
        *last = (Some(document), outcome.clone().unwrap_or_default());
        outcome
    }

    /// Drops the programs if they belong to `closed`.
    pub(super) fn forget(&self, closed: DocumentId) {
        let mut last = self.lock();
        if last.0 == Some(closed) {
            *last = (None, Loaded::default());
        }
    }

    fn lock(&self) -> MutexGuard<'_, (Option<DocumentId>, Loaded)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts the thread that loads programs. `guard` notes the programs that it loads.
pub fn start_loader(wake: Wake, guard: RunGuard, last: LoadedLast) -> Loader {
    Worker::start_keeping("load", wake, Loading { guard, last })
}

struct Loading {
    guard: RunGuard,
    last: LoadedLast,
}

impl Work<LoadRequest, LoadReply> for Loading {
    fn answer(&mut self, request: LoadRequest, _: &AtomicBool) -> LoadReply {
        let Self { guard, last } = self;
        let programs = guard.run(&request.kept, || last.load(request.document, &request.texts));
        LoadReply {
            document: request.document,
            revision: request.revision,
            programs: programs.unwrap_or_default(),
        }
    }

    fn forget(&mut self, closed: DocumentId) {
        self.last.forget(closed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Slot;

    #[test]
    fn a_fault_in_loading_costs_that_program() {
        let text: Arc<[u8]> = Arc::from(*b"!!FP1.0\nMOV o[COLR], 1;\nEND\n");
        let texts: Programs<Arc<[u8]>> = [(Slot::Fragment, text)].into_iter().collect();
        let last = LoadedLast::default();
        let count = |outcome: Result<Loaded, RenderError>| outcome.map(|loaded| loaded.slots().count());
        assert_eq!(count(last.load(DocumentId(1), &texts)), Ok(1));
        let outcome = count(last.replace(DocumentId(1), |_| panic!("a fault")));
        assert!(matches!(outcome, Err(RenderError::Failed(_))), "{outcome:?}");
        assert_eq!(last.lock().1.slots().count(), 0, "what was loaded before says nothing about this text");
        assert_eq!(count(last.load(DocumentId(1), &texts)), Ok(1));
    }

    #[test]
    fn threads_share_what_is_loaded() {
        let text: Arc<[u8]> = Arc::from(*b"!!FP1.0\nMOV o[COLR], 1;\nEND\n");
        let texts: Programs<Arc<[u8]>> = [(Slot::Fragment, text)].into_iter().collect();
        let last = LoadedLast::default();
        let [one, other] = [last.clone(), last].map(|last| last.load(DocumentId(1), &texts).unwrap());
        assert!(Arc::ptr_eq(one.get(Slot::Fragment).unwrap(), other.get(Slot::Fragment).unwrap()));
    }
}
