//! Exports of the app. A thread draws and writes a snapshot of the scene while the user continues to edit.

use super::{Animation, AnimationKind, ExportError, Frames, Sequence, replace, write_png};
use crate::drafts::RunGuard;
use crate::files::{Durability, Written};
use crate::model::Draft;
use crate::session::{Frame, Job, Loaded, RenderError, SetUp, Threads};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The content of an export.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content {
    /// The picture shown, as a PNG file.
    Picture,
    /// A sequence as numbered PNG files in a new folder.
    Files(Sequence),
    /// A sequence in one file.
    Animation(AnimationKind, Sequence),
}

/// Content and size of an export.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spec {
    /// Width and height in pixels.
    pub size: [u32; 2],
    pub content: Content,
}

impl Spec {
    pub fn count(&self) -> u32 {
        match &self.content {
            Content::Picture => 1,
            Content::Files(sequence) | Content::Animation(_, sequence) => sequence.count(),
        }
    }

    /// Returns the extensions that the file can have, the default first. Empty for a folder.
    pub const fn extensions(&self) -> &'static [&'static str] {
        match self.content {
            Content::Picture => &["png"],
            Content::Files(_) => &[],
            Content::Animation(AnimationKind::Apng, _) => &["png", "apng"],
            Content::Animation(AnimationKind::Gif, _) => &["gif"],
        }
    }
}

/// Programs and scene at the start of an export.
#[derive(Clone)]
pub struct Snapshot {
    pub programs: Loaded,
    /// The frame shown.
    pub job: Job,
    /// The picture of `job`.
    pub frame: Arc<Frame>,
    /// The texts for the crash note that the next process reads.
    pub kept: Arc<Draft>,
}

/// Progress of an export, shared with its thread.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU32,
    cancel: AtomicBool,
}

impl Progress {
    /// Returns the number of written frames.
    pub fn done(&self) -> u32 {
        self.done.load(Ordering::Relaxed)
    }

    /// Stops the export, which then removes its files.
    pub fn cancel(&self) {
        self.cancel.store(true, Ordering::SeqCst);
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::SeqCst)
    }
}

/// A running export.
#[derive(Clone, Debug)]
pub struct Exporting {
    /// The file or folder.
    pub path: PathBuf,
    /// Number of frames.
    pub count: u32,
    pub progress: Arc<Progress>,
    started: Instant,
}

impl Exporting {
    /// Starts the clock of an export of `count` frames.
    pub fn begun(path: PathBuf, count: u32) -> Self {
        Self { path, count, progress: Arc::default(), started: Instant::now() }
    }

    /// Returns an estimate of the time left. `None` before the first frame is written.
    pub fn left(&self) -> Option<Duration> {
        let done = self.progress.done();
        let share = f64::from(self.count.saturating_sub(done)) / f64::from(done);
        (done > 0).then(|| self.started.elapsed().mul_f64(share))
    }
}

/// Draws the export `spec` and writes it to `path`. `guard` notes the programs that run.
///
/// # Errors
/// See [`ExportError`]. After an error, the old file at `path` is unchanged and no new file is left.
pub fn run(
    snapshot: &Snapshot,
    spec: &Spec,
    path: &Path,
    guard: &mut RunGuard,
    progress: &Progress,
) -> Result<Written, ExportError> {
    let job = Job { size: spec.size, ..snapshot.job.clone() };
    match &spec.content {
        Content::Picture if spec.size == snapshot.frame.size() => {
            Ok(write_png(path, Durability::Synced, spec.size, &snapshot.frame.to_rgba8())?)
        }
        Content::Picture => {
            let threads = Threads::all_cores()?;
            let draw = || SetUp::new(&snapshot.programs, &job)?.render(&threads, &progress.cancel, None);
            let rgba = guard.run(&snapshot.kept, draw)?.to_rgba8();
            Ok(write_png(path, Durability::Synced, spec.size, &rgba)?)
        }
        Content::Files(sequence) => {
            let threads = Threads::all_cores()?;
            let mut frames = Frames::new(&snapshot.programs, job, *sequence, &threads);
            write_files(path, spec, (guard, &snapshot.kept), &mut frames, progress)
        }
        Content::Animation(kind, sequence) => {
            let threads = Threads::all_cores()?;
            let mut frames = Frames::new(&snapshot.programs, job, *sequence, &threads);
            replace(path, |out| {
                let mut animation = Animation::begin(*kind, out, spec.size, sequence)?;
                while let Some(rgba) = next(&mut frames, (&mut *guard, &snapshot.kept), progress)? {
                    animation.put(rgba)?;
                    progress.done.fetch_add(1, Ordering::Relaxed);
                }
                // A cancelled export replaces no file.
                not_cancelled(progress)?;
                Ok(animation.finish()?)
            })
        }
    }
}

/// Draws the next frame.
fn next(
    frames: &mut Frames<'_>,
    (guard, kept): (&mut RunGuard, &Arc<Draft>),
    progress: &Progress,
) -> Result<Option<Vec<u8>>, RenderError> {
    not_cancelled(progress)?;
    guard.run(kept, || Ok(frames.draw(&progress.cancel)?.map(Frame::to_rgba8)))
}

fn not_cancelled(progress: &Progress) -> Result<(), RenderError> {
    if progress.is_cancelled() { Err(RenderError::Cancelled) } else { Ok(()) }
}

/// Writes a PNG file of each frame to the folder `folder`, which is new or empty.
fn write_files(
    folder: &Path,
    spec: &Spec,
    (guard, kept): (&mut RunGuard, &Arc<Draft>),
    frames: &mut Frames<'_>,
    progress: &Progress,
) -> Result<Written, ExportError> {
    let mut written = NewFiles::begin(folder)?;
    loop {
        let number = frames.number();
        let Some(rgba) = next(frames, (&mut *guard, kept), progress)? else { break };
        let path = folder.join(file_name(number, spec.count()));
        written.files.push(path.clone());
        // Waiting for the disk at each frame would take longer than drawing.
        let _unsynced = write_png(&path, Durability::Unsynced, spec.size, &rgba)?;
        progress.done.fetch_add(1, Ordering::Relaxed);
    }
    not_cancelled(progress)?;
    written.keep();
    Ok(Written::Durable)
}

/// Returns the file name of frame `number` of `count`. All names have the same length, so they sort in frame
/// order.
fn file_name(number: u32, count: u32) -> String {
    let digits = (count.saturating_sub(1)).to_string().len().max(4);
    format!("frame-{number:0digits$}.png")
}

/// Files of an export that can still fail. Removed on drop, unless [`Self::keep`] was called.
struct NewFiles {
    folder: PathBuf,
    files: Vec<PathBuf>,
    /// True if the export created the folder.
    made: bool,
}

impl NewFiles {
    fn begin(folder: &Path) -> io::Result<Self> {
        let existing = match fs::read_dir(folder) {
            Ok(entries) => Some(entries.count()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if existing.is_some_and(|entries| entries > 0) {
            let words = "this folder is not empty: choose a new name";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, words));
        }
        fs::create_dir_all(folder)?;
        let made = existing.is_none();
        Ok(Self { folder: folder.to_path_buf(), files: Vec::new(), made })
    }

    fn keep(mut self) {
        self.files.clear();
        self.made = false;
    }
}

impl Drop for NewFiles {
    fn drop(&mut self) {
        // Files that cannot be removed stay. Each is a complete picture.
        for file in &self.files {
            let _left = fs::remove_file(file);
        }
        if self.made {
            let _left = fs::remove_dir(&self.folder);
        }
    }
}
