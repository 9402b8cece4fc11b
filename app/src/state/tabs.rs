//! Tabs: the choice of a tab for a document, and the tabs of the last session, which are stored when the app
//! closes and opened when it starts.
//!
//! Tabs hold no unsaved texts. Before a normal end the user has saved or discarded changes, and after a crash
//! [`crate::drafts`] has them. The list of tabs is removed from the settings once it is read, so tabs return
//! only after a normal end. A restored draft replaces the tab of the same file.

use super::{NoticeKind, State};
use crate::model::{Document, DocumentId, OpenTab, OpenTabs, Part, TabSource};
use crate::scene::{Folder, Scene};
use crate::tasks::Begun;
use std::path::{Path, PathBuf};

/// The tab for a new document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Replace the tab in front if it is an untouched sample.
    Untouched,
    /// Add a tab.
    Own,
}

impl State {
    /// Returns the current tabs, for the next session.
    pub fn tabs(&self) -> Option<OpenTabs> {
        let mut open = OpenTabs::default();
        for (index, document) in self.documents.iter().enumerate() {
            // Lessons of a course on disk are opened with their course.
            let is_bundled = matches!(document.own_folder(), Folder::Bundled(_));
            let Some(tab) = OpenTab::of(document) else { continue };
            if self.answered(document).is_some() && !is_bundled {
                continue;
            }
            if index == self.active {
                open.active = open.tabs.len();
            }
            open.tabs.push(tab);
        }
        (!open.tabs.is_empty() && !self.settings.forgets_tabs).then_some(open)
    }

    /// Opens the first documents. Earlier drafts and answers are known by now.
    pub fn begin(&self) {
        if let Some(open) = &self.pending.tabs {
            let answer = |tab: &OpenTab| match &tab.source {
                TabSource::Bundled(name) => self.classroom.answer_in(name).cloned(),
                TabSource::File(_) => None,
            };
            let tabs = open.tabs.iter().map(|tab| (tab.clone(), answer(tab))).collect();
            self.services.tasks.restore_tabs(tabs);
        }
        if let Some(named) = &self.pending.named {
            self.services.tasks.open_named(named.clone());
        }
    }

    /// Opens `scene` in the tab for `room`, or goes to the tab that already has its files.
    pub fn open_scene(&mut self, scene: Scene, room: Room) {
        let paths: Vec<PathBuf> = scene.programs.iter().filter_map(|(_, file)| file.path.clone()).collect();
        let has_all = |d: &Document| !paths.is_empty() && paths.iter().all(|path| d.has_file(path));
        let is_untouched = |d: &Document| *d.own_folder() == scene.folder && !d.is_modified();
        let is_sample = matches!(scene.folder, Folder::Bundled(_)) && room == Room::Own;
        let open = self.documents.iter().position(|d| has_all(d) || is_sample && is_untouched(d));
        // The file that represents the scene: `scene.toml`, or the program itself.
        if let Some(path) = scene.watched.first() {
            self.remember(path);
        }
        match open {
            Some(index) => {
                self.active = index;
                let document = &mut self.documents[index];
                let wanted =
                    document.programs().iter().find(|(_, p)| p.path() == paths.first().map(|p| &**p));
                if let ([_], Some((slot, _))) = (paths.as_slice(), wanted) {
                    document.activate(Part::Program(slot));
                }
            }
            None => {
                let id = DocumentId(self.fresh_id());
                self.place_in_front(Document::new(id, scene), room);
            }
        }
        self.document_switched();
    }

    /// Opens `document` in the tab for `room`.
    pub fn place_in_front(&mut self, document: Document, room: Room) {
        let untouched = |d: &Document| matches!(d.own_folder(), Folder::Bundled(_)) && !d.is_modified();
        let gives_way = self.document().is_some_and(|d| untouched(d) && self.held_why(d).is_none());
        if gives_way && room == Room::Untouched {
            self.replace_document(self.active, document);
        } else {
            self.documents.push(document);
            self.active = self.documents.len() - 1;
        }
    }

    /// Returns the open tab that has the same files as `document`, or the same sample.
    pub fn same_as(&self, document: &Document) -> Option<usize> {
        self.documents.iter().position(|open| is_same(open, document))
    }

    /// Makes a document from `begun`.
    pub fn made_of(&mut self, begun: Begun) -> Document {
        let id = DocumentId(self.fresh_id());
        match begun {
            Begun::Scene(scene) => Document::new(id, *scene),
            Begun::Answer(restored) => {
                for note in &restored.notes {
                    self.notify(NoticeKind::Error, note.clone());
                }
                Document::restored(id, *restored)
            }
        }
    }
}

/// Returns true if both documents have the same files, or are the same sample.
pub fn is_same(a: &Document, b: &Document) -> bool {
    let mut paths = b.texts().filter_map(|(_, text)| text.path()).peekable();
    let has_files = paths.peek().is_some() && paths.all(|path: &Path| a.has_file(path));
    let is_sample = matches!(b.own_folder(), Folder::Bundled(_)) && a.own_folder() == b.own_folder();
    has_files || is_sample
}
