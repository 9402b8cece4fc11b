//! All shared state, by topic. Panels read it and send actions. [`crate::apply`] carries out the actions, and
//! stores the results of tasks and worker threads. State that one panel alone reads is in
//! [`crate::shell::Panels`].

mod clock;
mod closing;
mod dialog;
mod find;
mod maps;
mod notices;
mod pending;
mod pictures;
mod readouts;
mod requests;
mod services;
mod slow;
mod stepping;
mod tabs;
mod vertices;
mod view;
mod zoom;

pub use clock::{Clock, Running};
pub use dialog::{Closing, Dialog};
pub use find::{Edits, Find, FindMode, Options};
pub use maps::{Maps, ShownMap};
pub use notices::{Notice, NoticeKind};
pub use pending::Pending;
pub use pictures::Pictures;
pub use readouts::Readouts;
pub use services::Services;
pub use slow::{Follows, Slow};
pub use stepping::SteppingState;
pub use tabs::Room;
pub use vertices::Vertices;
pub use view::{FullScreen, Tool, ViewState};
pub use zoom::{ZOOM_RANGE, Zoom};

use crate::drafts::{HeldWhy, Recovery};
use crate::export::Exporting;
use crate::lesson::Classroom;
use crate::mailbox::Urgency;
use crate::model::{Document, DocumentId, TextFile, TextId};
use crate::places;
use crate::settings::Settings;
use crate::theme::CodeFont;
use std::path::Path;
use std::time::Duration;

/// Number of recent files kept.
const RECENT: usize = 12;
/// A delay for which egui shows one frame. Without a delay, egui shows two frames. A moving picture needs
/// one, because the next picture is the next frame.
pub const AT_ONCE: Duration = Duration::from_nanos(1);
/// Work that takes longer than this can be stopped.
pub const LONG: Duration = Duration::from_secs(2);

/// Caches and entries that panels must drop before they are shown next.
#[derive(Debug, Default)]
pub struct Stale {
    /// The laid-out text of the editor.
    pub text: bool,
    /// Previews of textures.
    pub previews: bool,
    /// Text typed into the Watches panel.
    pub watches: bool,
    /// Everything kept for these closed documents.
    pub closed: Vec<DocumentId>,
}

/// Everything the app shows.
pub struct State {
    /// Kept between runs.
    pub settings: Settings,
    pub documents: Vec<Document>,
    /// Index of the document shown.
    pub active: usize,
    pub find: Find,
    /// Request to give the editor the keyboard focus.
    pub focus_editor: Option<()>,
    pub clock: Clock,
    /// Picture, zoom and tool of the viewport.
    pub view: ViewState,
    /// The running export.
    pub exporting: Option<Exporting>,
    /// The font of program text.
    pub font: CodeFont,
    /// The run that is stepped.
    pub stepping: SteppingState,
    /// Map in place of the picture.
    pub maps: Maps,
    /// Set while the command palette is open.
    pub palette: Option<()>,
    /// The window in front, if any.
    pub dialog: Option<Dialog>,
    /// Messages to the user.
    pub notices: Vec<Notice>,
    /// Drafts and held programs of earlier processes.
    pub recovery: Recovery,
    /// The open course, with the answers to its lessons.
    pub classroom: Classroom,
    /// Times and frame rate for the status bar.
    pub readouts: Readouts,
    /// Whether the viewport shows "Still rendering".
    pub slow: Slow,
    /// Caches and entries that panels must drop.
    pub stale: Stale,
    /// Threads and tasks.
    pub services: Services,
    /// Requests without a reply so far.
    pub pending: Pending,
    next_id: u64,
}

impl State {
    /// Returns the initial state of an app with `settings`.
    pub fn new(settings: Settings, services: Services, pending: Pending, recovery: Recovery) -> Self {
        Self {
            settings,
            documents: Vec::new(),
            active: 0,
            find: Find::default(),
            focus_editor: Some(()),
            clock: Clock::default(),
            view: ViewState::default(),
            exporting: None,
            font: CodeFont::default(),
            stepping: SteppingState::default(),
            maps: Maps::default(),
            palette: None,
            dialog: None,
            notices: Vec::new(),
            recovery,
            classroom: Classroom::default(),
            readouts: Readouts::default(),
            slow: Slow::default(),
            stale: Stale::default(),
            services,
            pending,
            next_id: 0,
        }
    }

    /// Returns the document shown.
    pub fn document(&self) -> Option<&Document> {
        self.documents.get(self.active)
    }

    pub fn document_mut(&mut self) -> Option<&mut Document> {
        self.documents.get_mut(self.active)
    }

    /// Changes the document in front, if there is one.
    pub fn with_document(&mut self, change: impl FnOnce(&mut Document)) {
        if let Some(document) = self.document_mut() {
            change(document);
        }
    }

    /// Returns the open document with this id.
    pub fn document_of(&self, id: DocumentId) -> Option<&Document> {
        self.documents.iter().find(|document| document.id == id)
    }

    /// Returns the open document with this id.
    pub fn find_document(&mut self, id: DocumentId) -> Option<&mut Document> {
        self.documents.iter_mut().find(|document| document.id == id)
    }

    /// Returns the text with this id.
    pub fn find_text(&mut self, id: TextId) -> Option<&mut TextFile> {
        self.find_document(id.document)?.text_mut(id.part)
    }

    /// Returns true if a window is in front of the panels. The window then has the keyboard focus.
    pub fn is_covered(&self) -> bool {
        self.palette.is_some() || self.dialog.is_some()
    }

    /// Returns a unique number.
    pub fn fresh_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// Returns the reason why the programs of `document` are held, if they are.
    pub fn held_why(&self, document: &Document) -> Option<HeldWhy> {
        self.recovery.held.get(&self.services.drafts.fingerprint(document.id)?).copied()
    }

    /// Returns true if the picture in progress has taken longer than [`LONG`].
    pub fn renders_long(&self) -> bool {
        self.services.renderer.busy_for().is_some_and(|busy| busy >= LONG)
    }

    /// Returns true if the recording in progress has taken longer than [`LONG`].
    pub fn records_long(&self) -> bool {
        self.pending.record.is_some() && self.services.recorder.busy_for().is_some_and(|busy| busy >= LONG)
    }

    /// Puts `path` first among the recent files.
    pub fn remember(&mut self, path: &Path) {
        // The next process may have another working directory. Settings hold only UTF-8 text.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        if path.to_str().is_none() {
            return;
        }
        let recent = &mut self.settings.recent;
        recent.retain(|other| *other != path);
        recent.insert(0, path);
        recent.truncate(RECENT);
    }

    /// Watches the files of every open program.
    pub fn watch_files(&mut self) {
        let files = self.documents.iter().flat_map(Document::files).collect();
        self.services.watch.set(files);
    }

    /// Updates the state after a change of the programs of the scene shown.
    pub fn programs_changed(&mut self) {
        self.stale.text = true;
        self.watch_files();
        self.want_picture(Urgency::Now);
    }

    /// Updates the state after a switch to another document.
    pub fn document_switched(&mut self) {
        if self.stepping.session.as_ref().is_some_and(|s| Some(s.document()) != self.document().map(|d| d.id))
        {
            self.stepping.session = None;
        }
        let shown = self.document().map(|document| document.id);
        self.stepping.comparison.take_if(|comparison| Some(comparison.document()) != shown);
        self.stepping.breakpoint_form = None;
        self.stale.watches = true;
        self.stop_recording();
        if self.stepping.session.is_none() {
            self.resume_time();
        }
        self.view.zoom = Zoom::default();
        self.focus_editor = Some(());
        self.stale.text = true;
        self.watch_files();
        self.want_picture(Urgency::Now);
    }

    /// Returns the title of the window: the name of the document in front, and its folder.
    pub fn window_title(&self) -> String {
        /// Largest number of characters of a folder.
        const FOLDER: usize = 60;
        let Some(document) = self.document() else { return "Shadestep".to_owned() };
        let name = document.name();
        match document.main_file() {
            Some(file) => format!("{name} ({}) – Shadestep", places::folder(file, FOLDER)),
            None => format!("{name} – Shadestep"),
        }
    }
}
