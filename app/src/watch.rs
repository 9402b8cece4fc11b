//! Notices when another program saves a file that is open here.

use crate::mailbox::Wake;
use crate::model::text_of;
use crate::scene;
use crate::tasks::{Event, OwnWrites, Tasks};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Editors write in several goes (truncate, write, rename): changes are gathered for this long.
const SETTLE: Duration = Duration::from_millis(80);

/// The app is closing: nobody listens any more.
struct Closing;

/// Says what changed.
struct Report {
    events: (Sender<Event>, Wake),
    own_writes: OwnWrites,
}

impl Report {
    /// Reports what `path` holds now; fails where nobody listens any more.
    fn changed(&self, path: PathBuf) -> Result<(), Closing> {
        let (events, wake) = &self.events;
        {
            let _ours_are_known = self.own_writes.lock().unwrap_or_else(PoisonError::into_inner);
            let read = scene::read_limited(&path, "", scene::MAX_TEXT_BYTES);
            let text = read.ok().and_then(|bytes| text_of(&bytes));
            events.send(Event::DiskChanged { path, text }).map_err(|_| Closing)?;
        }
        wake();
        Ok(())
    }
}

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
        let report = Report { events: tasks.source(), own_writes: tasks.own_writes() };
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
                            if report.changed(path).is_err() {
                                return;
                            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Content, DocumentId, Part, Save, SaveFile};
    use crate::scene::Slot;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn what_we_write_is_known_to_be_ours_before_it_is_found_on_the_disk() {
        let folder = std::env::temp_dir().join(format!("shadestep-watch-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.fp");
        std::fs::write(&path, "0").unwrap();
        let tasks = Tasks::new(Arc::new(|| {}));
        let report = Report { events: tasks.source(), own_writes: tasks.own_writes() };
        let save = |text: String| {
            let content = Content::Text(Part::Program(Slot::Fragment), text);
            let files = vec![SaveFile { path: path.clone(), content }];
            Save { document: DocumentId(1), new_folder: None, files }
        };
        let (mut on_disk, done) = ("0".to_owned(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            // As the watcher does, but whenever it can.
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    assert!(report.changed(path.clone()).is_ok());
                    std::thread::yield_now();
                }
            });
            let mut found = 0;
            for n in 0..=100 {
                if n > 0 {
                    tasks.save(save(n.to_string()));
                }
                // At first until it is seen to look.
                while if n == 0 { found == 0 } else { on_disk != n.to_string() } {
                    match tasks.poll() {
                        Some(Event::Saved { save, outcome }) => {
                            assert_eq!(outcome, Ok(None));
                            let Content::Text(_, text) = &save.files[0].content else { panic!("a text") };
                            on_disk.clone_from(text);
                        }
                        Some(Event::DiskChanged { text, .. }) => {
                            assert_eq!(text.as_deref(), Some(on_disk.as_str()));
                            found += 1;
                        }
                        Some(_) => panic!("nothing else was asked for"),
                        None => std::thread::yield_now(),
                    }
                }
            }
            done.store(true, Ordering::Relaxed);
        });
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
