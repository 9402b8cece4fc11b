//! [`Services`]: the threads and tasks beside the UI thread.

use crate::drafts::Autosave;
use crate::mailbox::Wake;
use crate::model::{DocumentId, PerDocument};
use crate::stepping::{HistoryWorker, RunDiffWorker};
use crate::tasks::Tasks;
use crate::watch::Watch;
use crate::worker::{
    self, BackgroundQueries, FrameQuery, LessonChecker, LoadedLast, Loader, Recorder, Renderer, VertexLister,
};
use std::path::PathBuf;
use std::sync::Arc;

/// The threads and tasks beside the UI thread.
pub struct Services {
    /// Loads programs.
    pub loader: Loader,
    /// Renders.
    pub renderer: Renderer,
    /// Records runs for stepping.
    pub recorder: Recorder,
    /// Answers background queries about the run that is stepped.
    pub background_queries: BackgroundQueries,
    /// Lists vertices.
    pub vertices: VertexLister,
    /// Computes maps.
    pub query: FrameQuery,
    /// Checks lessons.
    pub lessons: LessonChecker,
    /// Computes values of watches and hits of breakpoints over a run.
    pub history_worker: HistoryWorker,
    /// Compares two runs.
    pub run_diff_worker: RunDiffWorker,
    /// Reads and writes files, and shows file dialogs.
    pub tasks: Tasks,
    /// Notices changed files.
    pub watch: Watch,
    /// Keeps drafts of unsaved changes.
    pub drafts: Autosave,
}

impl Services {
    /// Starts all threads. Drafts are kept in the folder `drafts`; `None` keeps no drafts. Threads call
    /// `wake` to make the window show a frame. Loader and renderer call `wake_once`, because one frame is
    /// enough for their replies.
    pub fn start(drafts: Option<PathBuf>, wake: Wake, wake_once: Wake) -> Self {
        let tasks = Tasks::new(Arc::clone(&wake));
        let watch = Watch::start(&tasks);
        let drafts = tasks.keep_drafts(drafts);
        let last = LoadedLast::default();
        Self {
            loader: worker::start_loader(Arc::clone(&wake_once), drafts.guard("load"), last.clone()),
            renderer: worker::start_renderer(wake_once, drafts.guard("render"), last),
            recorder: worker::start_recorder(Arc::clone(&wake), drafts.guard("record")),
            background_queries: worker::start_background_queries(
                Arc::clone(&wake),
                drafts.guard("background"),
            ),
            vertices: worker::start_vertex_lister(Arc::clone(&wake), drafts.guard("vertices")),
            query: worker::start_frame_queries(Arc::clone(&wake), drafts.guard("frame-query")),
            lessons: worker::start_lesson_checker(Arc::clone(&wake), drafts.guard("lesson")),
            history_worker: worker::start_history_worker(Arc::clone(&wake)),
            run_diff_worker: worker::start_run_diff_worker(wake),
            tasks,
            watch,
            drafts,
        }
    }
}

impl PerDocument for Services {
    fn forget(&mut self, closed: DocumentId) {
        let Self {
            loader,
            renderer,
            recorder,
            background_queries,
            vertices,
            query,
            lessons,
            history_worker: _,
            run_diff_worker: _,
            tasks: _,
            watch: _,
            drafts,
        } = self;
        loader.forget(closed, |request| request.document == closed);
        renderer.forget(closed, |request| request.document == closed);
        recorder.forget(closed, |request| request.document == closed);
        background_queries.forget(closed, |request| request.record.document == closed);
        vertices.forget(closed, |request| request.document == closed);
        query.forget(closed, |request| request.asked.document == closed);
        lessons.forget(closed, |request| request.document == closed);
        drafts.forget(closed);
    }

    /// Only the drafts: a thread drops its data for a closed document between two requests, and keeps data of
    /// one document.
    fn kept(&mut self) -> Vec<DocumentId> {
        self.drafts.taken().collect()
    }
}
