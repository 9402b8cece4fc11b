//! Notices when another program saves a file that is open here.

use crate::scene;
use crate::tasks::{Event, Tasks, text_of};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Editors write in several goes (truncate, write, rename): changes are gathered for this long.
const SETTLE: Duration = Duration::from_millis(80);

/// Watches the folders of open files.
pub struct Watch {
    watcher: Option<RecommendedWatcher>,
    folders: BTreeSet<PathBuf>,
    files: BTreeSet<PathBuf>,
    wanted: Option<Sender<Message>>,
}

enum Message {
    Files(BTreeSet<PathBuf>),
    Touched(Vec<PathBuf>),
}

impl Watch {
    /// Starts watching nothing; changes are reported as [`Event::DiskChanged`]. On a system without
    /// file notices nothing is ever reported.
    pub fn start(tasks: &Tasks) -> Self {
        let (sender, messages) = channel();
        let from_system = sender.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if let Ok(event) = event
                && (event.kind.is_create() || event.kind.is_modify())
            {
                // The receiver is gone only when the app is closing.
                let _closing = from_system.send(Message::Touched(event.paths));
            }
        });
        let (events, wake) = tasks.source();
        let gather = move || {
            let mut files = BTreeSet::new();
            let mut touched: BTreeSet<PathBuf> = BTreeSet::new();
            loop {
                let wait = if touched.is_empty() { Duration::from_secs(3600) } else { SETTLE };
                match messages.recv_timeout(wait) {
                    Ok(Message::Files(wanted)) => files = wanted,
                    Ok(Message::Touched(paths)) => {
                        touched.extend(paths.into_iter().filter(|path| files.contains(path)));
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        for path in std::mem::take(&mut touched) {
                            let read = scene::read_limited(&path, "", scene::MAX_TEXT_BYTES);
                            let text = read.ok().and_then(|bytes| text_of(&bytes));
                            if events.send(Event::DiskChanged { path, text }).is_err() {
                                return;
                            }
                            wake();
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        };
        let running = std::thread::Builder::new().name("watch".to_owned()).spawn(gather).is_ok();
        Self {
            watcher: watcher.ok(),
            folders: BTreeSet::new(),
            files: BTreeSet::new(),
            wanted: running.then_some(sender),
        }
    }

    /// Watches exactly `files`.
    pub fn set(&mut self, files: BTreeSet<PathBuf>) {
        if files == self.files {
            return;
        }
        let folders: BTreeSet<PathBuf> =
            files.iter().filter_map(|f| f.parent()).map(Path::to_path_buf).collect();
        if let Some(watcher) = &mut self.watcher {
            for gone in self.folders.difference(&folders) {
                // A folder that was removed is no longer watched anyway.
                let _removed = watcher.unwatch(gone);
            }
            for new in folders.difference(&self.folders) {
                // A folder that cannot be watched is one whose changes are not noticed.
                let _unwatchable = watcher.watch(new, RecursiveMode::NonRecursive);
            }
        }
        if let Some(wanted) = &self.wanted {
            let _closing = wanted.send(Message::Files(files.clone()));
        }
        self.folders = folders;
        self.files = files;
    }
}
