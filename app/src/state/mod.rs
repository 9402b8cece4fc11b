//! All shared state, by topic. Panels read it and send actions; [`crate::apply`] carries these out, and takes in what
//! tasks and worker threads send. What one panel alone reads is not here but in [`crate::shell::Panels`].

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

/// How many recent files are kept.
const RECENT: usize = 12;
/// A delay that asks egui for one frame. Without any it shows two, which a picture that moves has no use for:
/// the next picture is the next frame.
pub const AT_ONCE: Duration = Duration::from_nanos(1);
/// What takes longer than this can be stopped.
pub const LONG: Duration = Duration::from_secs(2);

/// What panels have to drop before they are shown next.
#[derive(Debug, Default)]
pub struct Stale {
    /// The laid-out text of the editor.
    pub text: bool,
    /// Previews of textures.
    pub previews: bool,
    /// What is typed into the Watches panel.
    pub watches: bool,
    /// Everything kept for these documents, which were closed.
    pub closed: Vec<DocumentId>,
}

/// Everything the app shows.
pub struct State {
    /// Kept between runs.
    pub settings: Settings,
    /// Open scenes.
    pub documents: Vec<Document>,
    /// The one shown, as an index.
    pub active: usize,
    /// The search bar.
    pub find: Find,
    /// The editor is to have the keyboard.
    pub focus_editor: Option<()>,
    /// Time.
    pub clock: Clock,
    /// What the viewport shows, and how.
    pub view: ViewState,
    /// The running export.
    pub exporting: Option<Exporting>,
    /// The font of program text.
    pub font: CodeFont,
    /// What is stepped through.
    pub stepping: SteppingState,
    /// The map that is shown in place of the picture.
    pub maps: Maps,
    /// Whether the command palette is open.
    pub palette: Option<()>,
    /// The window in front, if any.
    pub dialog: Option<Dialog>,
    /// Messages.
    pub notices: Vec<Notice>,
    /// What earlier processes have left.
    pub recovery: Recovery,
    /// The course that is open, and how its lessons go.
    pub classroom: Classroom,
    /// Speed.
    pub readouts: Readouts,
    /// Whether pictures take long.
    pub slow: Slow,
    /// What panels have to drop.
    pub stale: Stale,
    /// Beside the UI thread.
    pub services: Services,
    /// Asked and not back.
    pub pending: Pending,
    next_id: u64,
}

impl State {
    /// The state that an app with `settings` begins with.
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

    /// The program shown.
    pub fn document(&self) -> Option<&Document> {
        self.documents.get(self.active)
    }

    /// The same, to change.
    pub fn document_mut(&mut self) -> Option<&mut Document> {
        self.documents.get_mut(self.active)
    }

    /// The open program of that name.
    pub fn find_document(&mut self, id: DocumentId) -> Option<&mut Document> {
        self.documents.iter_mut().find(|document| document.id == id)
    }

    /// The text of that name.
    pub fn find_text(&mut self, id: TextId) -> Option<&mut TextFile> {
        self.find_document(id.document)?.text_mut(id.part)
    }

    /// Whether a window is in front of the panels, which has the keyboard then.
    pub fn is_covered(&self) -> bool {
        self.palette.is_some() || self.dialog.is_some()
    }

    /// A number no other thing has.
    pub fn fresh_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// Why the programs of `document` are not run, if so.
    pub fn held_why(&self, document: &Document) -> Option<HeldWhy> {
        self.recovery.held.get(&self.services.drafts.fingerprint(document.id)?).copied()
    }

    /// Whether a picture has been rendered for so long that a person may want to stop it.
    pub fn renders_long(&self) -> bool {
        self.services.renderer.busy_for().is_some_and(|busy| busy >= LONG)
    }

    /// The same for recording.
    pub fn records_long(&self) -> bool {
        self.pending.record.is_some() && self.services.recorder.busy_for().is_some_and(|busy| busy >= LONG)
    }

    /// Puts `path` first among the recent files.
    pub fn remember(&mut self, path: &Path) {
        // The next process may start elsewhere, and settings hold text alone.
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

    /// To be called when the scene shown has other programs than before.
    pub fn programs_changed(&mut self) {
        self.stale.text = true;
        self.watch_files();
        self.want_picture(Urgency::Now);
    }

    /// To be called when another program is shown.
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

    /// The title of the window: the document in front, and where it is.
    pub fn window_title(&self) -> String {
        /// Most characters of a folder.
        const FOLDER: usize = 60;
        let Some(document) = self.document() else { return "Shadestep".to_owned() };
        let name = document.name();
        match document.main_file() {
            Some(file) => format!("{name} ({}) – Shadestep", places::folder(file, FOLDER)),
            None => format!("{name} – Shadestep"),
        }
    }
}
