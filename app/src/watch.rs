//! Notices when another program saves a file that is open here.

use crate::mailbox::Wake;
use crate::model::text_of;
use crate::scene;
use crate::tasks::{Event, OwnWrites, Tasks};
use notify_debouncer_full::notify::{Config, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, NoCache, new_debouncer_opt};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Editors save a file in several steps (truncate, write, rename). The debouncer's thread wakes after each
/// such time and reports the events that are at least this old, so an event is reported 80 to 160 ms after it
/// happens. Steps that are further apart are reported separately.
const SETTLE: Duration = Duration::from_millis(80);

/// The app is closing, so there is no receiver for events.
struct Closing;

/// Reports changes to the app.
struct Report {
    events: (Sender<Event>, Wake),
    own_writes: OwnWrites,
}

impl Report {
    /// Reports the content of `path`.
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
    /// `None` on a system without file notifications.
    debouncer: Option<Debouncer<RecommendedWatcher, NoCache>>,
    folders: BTreeSet<PathBuf>,
    files: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl Watch {
    /// Starts without any files. Changes are reported as [`Event::DiskChanged`].
    pub fn start(tasks: &Tasks) -> Self {
        let report = Report { events: tasks.source(), own_writes: tasks.own_writes() };
        let files = Arc::new(Mutex::new(BTreeSet::new()));
        let watched = Arc::clone(&files);
        let take = move |events: DebounceEventResult| {
            let saves = events.into_iter().flatten();
            let saves = saves.filter(|event| event.kind.is_create() || event.kind.is_modify());
            let mut paths: BTreeSet<PathBuf> = saves.flat_map(|event| event.event.paths).collect();
            {
                let watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
                paths.retain(|path| watched.contains(path));
            }
            // The only error is that the app is closing.
            let _closing = paths.into_iter().try_for_each(|path| report.changed(path));
        };
        // The default cache of file identifiers scans folders, and only serves to match the halves of
        // renames.
        let debouncer = new_debouncer_opt(SETTLE, Some(SETTLE), take, NoCache, Config::default());
        Self { debouncer: debouncer.ok(), folders: BTreeSet::new(), files }
    }

    /// Watches exactly `files`.
    pub fn set(&mut self, files: BTreeSet<PathBuf>) {
        let mut watched = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if files == *watched {
            return;
        }
        let folders: BTreeSet<PathBuf> =
            files.iter().filter_map(|f| f.parent()).map(Path::to_path_buf).collect();
        *watched = files;
        drop(watched);
        if let Some(debouncer) = &mut self.debouncer {
            for gone in self.folders.difference(&folders) {
                // The system already forgets a folder that was removed.
                let _removed = debouncer.unwatch(gone);
            }
            for new in folders.difference(&self.folders) {
                // Changes in a folder that cannot be watched go unnoticed.
                let _unwatchable = debouncer.watch(new, RecursiveMode::NonRecursive);
            }
        }
        self.folders = folders;
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
            // Reports as the watcher does, but all the time.
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
                // The first iteration waits until the reports begin.
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
