//! The app's state and its frame loop. Panels show state and send actions; [`crate::command`] changes it.

mod closing;
mod dropped;
mod events;
mod lessons;
mod readouts;
mod requests;
mod slow;
mod tabs;

pub use readouts::Readouts;
pub use slow::{Follows, Slow};

use crate::command;
use crate::debugger::{self, Vertices};
use crate::stepping::{Comparer, Comparison, DebugSession, Direction, Historian, RegisterName, StepPosition, Watched};
use crate::drafts::{Autosave, HeldWhy, Leave, Placing, Recovery};
use crate::editor::{self, Find};
use crate::export::Exporting;
use crate::format::ValueFormat;
use crate::keys;
use crate::launch;
use crate::lesson::Classroom;
use crate::mailbox::{Urgency, Wake};
use crate::maps::Maps;
use crate::model::{Document, DocumentId, ExportForm, OpenTabs, PlaybackStep, TextFile, TextId};
use crate::places;
use crate::scene;
use crate::session::Mouse;
use crate::settings::{Settings, SettingsFile};
use crate::shell;
use crate::tasks::{PathPrompt, Tasks};
use crate::theme::{self, CodeFont};
use crate::versions::AllVersions;
use crate::viewport::{Pictures, Tool, View};
use crate::watch::Watch;
use crate::worker::{self, Inquirer, LessonChecker, LoadedLast, Loader, Recorder, Renderer, Surveyor, VertexLister};
use shadestep_engine::debug::Subject;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many recent files are kept.
const RECENT: usize = 12;
/// How long a frame waits for the picture of what was done in it. Layout and painting follow, and all of it
/// together is to be done within 50 ms of the key.
const SAME_FRAME: Duration = Duration::from_millis(30);
/// A delay that asks egui for one frame. Without any it shows two, which a picture that moves has no use for:
/// the next picture is the next frame.
const AT_ONCE: Duration = Duration::from_nanos(1);
/// How many pictures are not waited for once one did not come in that time.
const IN_VAIN: u8 = 3;
/// What takes longer than this can be stopped.
const LONG: Duration = Duration::from_secs(2);
/// How long a notice that is no error stays.
const NOTICE_LIFE: Duration = Duration::from_secs(6);

/// The time that programs see.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// Seconds since the start.
    pub time_secs: f32,
    /// Number of the frame.
    pub frame: u32,
    /// Whether time runs.
    pub running: Running,
}

impl Clock {
    /// Goes to a time. The frame number follows at 60 a second, so the same time gives the same picture.
    pub(crate) fn go_to(&mut self, time_secs: f32) {
        self.time_secs = time_secs;
        self.frame = (time_secs.max(0.0) * 60.0).round() as u32;
    }
}

/// The full-screen picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FullScreen {
    /// Start, in seconds of the window's own time.
    pub since: f64,
}

/// Whether time runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Running {
    /// It does.
    #[default]
    Yes,
    /// It stands still.
    No,
    /// It stands still for what is stepped through, and runs again when that is left.
    Held,
}

/// How serious a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Good to know.
    Info,
    /// Something did not work. Stays until put away.
    Error,
}

/// A message to the person.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Its name.
    pub id: u64,
    /// How serious.
    pub kind: NoticeKind,
    /// Words.
    pub text: String,
    /// The recent file that it is about: it can be removed from their list.
    pub recent: Option<PathBuf>,
    born: Instant,
}

/// What waits for an answer about unsaved changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// Closing one tab.
    Tab(DocumentId),
    /// Closing the app.
    App,
}

/// Which tab a document may have that is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    /// That of an untouched sample in front.
    Untouched,
    /// One of its own.
    Own,
}

/// A window in front of everything.
#[derive(Clone, Debug, PartialEq)]
pub enum Dialog {
    /// Unsaved changes.
    Unsaved(Closing),
    /// Saving would write over what another program has saved meanwhile.
    Overwrite(DocumentId),
    /// A path is asked for, where the system has no dialog for it.
    Path(Box<PathPrompt>),
    /// Templates of new scenes.
    NewScene,
    /// A condition to run to.
    RunTo,
    /// A picture or a sequence to export.
    Export(Box<ExportForm>),
    /// The app is to be closed while an export runs.
    StillExporting,
    /// Keys, font, tab width and theme.
    Preferences,
    /// Every key.
    Keys,
    /// About the app.
    About,
}

/// What runs beside the UI thread.
pub struct Services {
    /// Loads programs.
    pub loader: Loader,
    /// Renders.
    pub renderer: Renderer,
    /// Records what is stepped through.
    pub recorder: Recorder,
    /// Answers questions about what is stepped through.
    pub inquirer: Inquirer,
    /// Lists vertices.
    pub vertices: VertexLister,
    /// Works maps out.
    pub surveyor: Surveyor,
    /// Checks lessons.
    pub lessons: LessonChecker,
    /// Goes through runs for watches and breakpoints.
    pub historian: Historian,
    /// Puts runs side by side.
    pub comparer: Comparer,
    /// Reads, writes, asks.
    pub tasks: Tasks,
    /// Notices changed files.
    pub watch: Watch,
    /// Keeps what is not saved.
    pub drafts: Autosave,
}

/// What has been asked of the services and not come back yet.
#[derive(Default)]
pub struct Pending {
    /// Number of the last request.
    pub generation: u64,
    /// A picture is wanted.
    pub render: Option<Urgency>,
    /// Whose picture was asked for last.
    pub rendered: Option<DocumentId>,
    /// The document whose programs were last sent to be loaded, and the revision of its texts.
    pub load: Option<(DocumentId, u64)>,
    /// The record request that is still wanted: its number, what it is of, and where to go once it is there.
    pub record: Option<(u64, Subject, StepPosition)>,
    /// Number of the question about what is stepped through whose answer is still wanted.
    pub inquiry: Option<u64>,
    /// Closing goes on once what was changed is saved.
    pub closing: Option<Closing>,
    /// The person has agreed to closing the app as things are.
    pub close_agreed: Option<()>,
    /// What was named on the command line, until it is opened.
    pub named: Option<OsString>,
    /// The tabs of the last session, until they are opened.
    pub tabs: Option<OpenTabs>,
    /// Texts of documents that were closed, for which egui still keeps text fields.
    pub closed_texts: Vec<TextId>,
}

impl Pending {
    /// Whether the app is still opening what it begins with.
    pub fn is_opening(&self) -> bool {
        self.named.is_some() || self.tabs.is_some()
    }
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
    /// The mouse over the picture.
    pub mouse: Mouse,
    /// Zoom and place of the picture.
    pub view: View,
    /// Set while the picture fills the screen.
    pub full_screen: Option<FullScreen>,
    /// The running export.
    pub exporting: Option<Exporting>,
    /// The font of program text.
    pub font: CodeFont,
    /// What a click on the picture picks.
    pub tool: Tool,
    /// What is stepped through.
    pub debug: Option<DebugSession>,
    /// What watches and breakpoints come to in that run.
    pub watched: Watched,
    /// The breakpoint that is being changed: its text and its line, from 0.
    pub breakpoint_form: Option<(TextId, usize)>,
    /// The condition that runs last went to.
    pub condition: String,
    /// A run that is kept, and how the one stepped through compares with it.
    pub comparison: Option<Comparison>,
    /// Formats that single registers are shown in.
    pub register_formats: BTreeMap<RegisterName, ValueFormat>,
    /// The vertices of the picture shown.
    pub vertices: Vertices,
    /// Pictures as they are on the screen.
    pub pictures: Pictures,
    /// The map that is shown in place of the picture.
    pub maps: Maps,
    /// What pictures were before, as their texts were edited.
    pub versions: AllVersions,
    /// Whether the histogram is open.
    pub shows_histogram: bool,
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
    /// What panels keep for themselves. Empty while they are shown, when they have it.
    pub panels: shell::Panels,
    /// Beside the UI thread.
    pub services: Services,
    /// Asked and not back.
    pub pending: Pending,
    next_id: u64,
}

impl State {
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

    /// To be called when the scene shown has other programs than before.
    pub fn programs_changed(&mut self) {
        self.panels.editor.highlighter.clear();
        self.watch_files();
        self.want_picture(Urgency::Now);
    }

    /// The row of the nearest difference, that way, of the two runs side by side.
    pub fn difference(&self, direction: Direction) -> Option<usize> {
        let comparison = self.comparison.as_ref()?;
        let (alignment, row) = (comparison.alignment()?, comparison.row()?);
        match direction {
            Direction::Forward => alignment.next_difference(row),
            Direction::Back => alignment.previous_difference(row),
        }
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

    /// Says something to the person.
    pub fn notify(&mut self, kind: NoticeKind, text: impl Into<String>) {
        self.notify_of(kind, text, None);
    }

    /// Says something to the person, about a recent file.
    fn notify_of(&mut self, kind: NoticeKind, text: impl Into<String>, recent: Option<PathBuf>) {
        let notice = Notice { id: self.fresh_id(), kind, text: text.into(), recent, born: Instant::now() };
        self.notices.push(notice);
        if self.notices.len() > 5 {
            self.notices.remove(0);
        }
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
    fn remember(&mut self, path: &Path) {
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

    /// To be called when another program is shown.
    pub fn document_switched(&mut self) {
        if self.debug.as_ref().is_some_and(|s| Some(s.document()) != self.document().map(|d| d.id)) {
            self.debug = None;
        }
        let shown = self.document().map(|document| document.id);
        self.comparison.take_if(|comparison| Some(comparison.document()) != shown);
        self.breakpoint_form = None;
        self.panels.watches = debugger::WatchTable::default();
        self.stop_recording();
        if self.debug.is_none() {
            self.resume_time();
        }
        self.view = View::default();
        self.focus_editor = Some(());
        self.panels.editor.highlighter.clear();
        self.watch_files();
        self.want_picture(Urgency::Now);
    }

    /// Whether closing the app would lose changes.
    fn asks_before_closing(&self) -> bool {
        self.documents.iter().any(|document| self.waits_for(Closing::App, document))
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

    /// Watches the files of every open program.
    pub fn watch_files(&mut self) {
        let files = self.documents.iter().flat_map(Document::files).collect();
        self.services.watch.set(files);
    }

    /// Stops time at the picture shown.
    pub fn stop_time(&mut self) {
        self.freeze_time();
        self.clock.running = Running::No;
    }

    /// Lets time stand still until what is stepped through is left.
    pub fn hold_time(&mut self) {
        if self.clock.running == Running::Yes {
            self.freeze_time();
            self.clock.running = Running::Held;
        }
    }

    /// Lets time run again that stood still for what is stepped through.
    pub fn resume_time(&mut self) {
        if self.clock.running == Running::Held {
            self.clock.running = Running::Yes;
        }
    }

    /// Puts the clock back to the picture shown. Those of later times that have been asked for are of no use any more.
    fn freeze_time(&mut self) {
        if self.clock.running != Running::Yes {
            return;
        }
        let shown = self.document().and_then(|document| document.shown.as_ref());
        if let Some((time_secs, frame)) = shown.map(|shown| (shown.job.time_secs, shown.job.frame)) {
            self.clock.time_secs = time_secs;
            self.clock.frame = frame;
            if self.is_animated() {
                self.want_picture(Urgency::Now);
            }
        }
    }
}

/// The app.
pub struct App {
    /// What it shows.
    pub state: State,
    settings_file: SettingsFile,
    last_tick: Option<f64>,
    /// The title of the window.
    title: String,
    /// The window gets its first size once that of the monitor is known.
    first_size: Option<()>,
    /// Pictures that are not to be waited for.
    impatience: u8,
}

impl App {
    /// The app with `settings`, showing `target` (see [`scene::open`]) or the first sample. Drafts are kept in the folder
    /// `drafts`; without one none are.
    pub fn new(
        ctx: &egui::Context,
        mut settings: Settings,
        target: Option<&OsStr>,
        drafts: Option<PathBuf>,
    ) -> Self {
        theme::install(ctx, settings.theme);
        theme::set_code_font(ctx, None, settings.text.tab_width());
        keys::install(ctx, &settings.keys);
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        let repaint = ctx.clone();
        let wake: Wake = Arc::new(move || repaint.request_repaint());
        let repaint = ctx.clone();
        let wake_once: Wake = Arc::new(move || repaint.request_repaint_after(AT_ONCE));
        let tasks = Tasks::new(Arc::clone(&wake));
        let watch = Watch::start(&tasks);
        let drafts = tasks.keep_drafts(drafts);
        let last = LoadedLast::default();
        let services = Services {
            loader: worker::start_loader(Arc::clone(&wake_once), drafts.guard("load"), last.clone()),
            renderer: worker::start_renderer(wake_once, drafts.guard("render"), last),
            recorder: worker::start_recorder(Arc::clone(&wake), drafts.guard("record")),
            inquirer: worker::start_inquirer(Arc::clone(&wake), drafts.guard("inquire")),
            vertices: worker::start_vertex_lister(Arc::clone(&wake), drafts.guard("vertices")),
            surveyor: worker::start_surveyor(Arc::clone(&wake), drafts.guard("survey")),
            lessons: worker::start_lesson_checker(Arc::clone(&wake), drafts.guard("lesson")),
            historian: worker::start_historian(Arc::clone(&wake)),
            comparer: worker::start_comparer(wake),
            tasks,
            watch,
            drafts,
        };
        // What the person has named is what they want to see.
        let interrupted = if target.is_some() { Placing::Behind } else { Placing::InFront };
        let tabs = settings.tabs.take().filter(|_| !settings.forgets_tabs);
        let pending = Pending { named: target.map(OsStr::to_owned), tabs, ..Pending::default() };
        let mut state = State {
            settings,
            documents: Vec::new(),
            active: 0,
            find: Find::default(),
            focus_editor: Some(()),
            clock: Clock::default(),
            mouse: Mouse::default(),
            view: View::default(),
            full_screen: None,
            exporting: None,
            font: CodeFont::default(),
            tool: Tool::default(),
            debug: None,
            watched: Watched::default(),
            breakpoint_form: None,
            condition: String::new(),
            comparison: None,
            register_formats: BTreeMap::new(),
            vertices: Vertices::default(),
            pictures: Pictures::default(),
            maps: Maps::default(),
            versions: AllVersions::default(),
            shows_histogram: false,
            palette: None,
            dialog: None,
            notices: Vec::new(),
            classroom: Classroom::default(),
            recovery: Recovery { interrupted, ..Recovery::default() },
            readouts: Readouts::default(),
            slow: Slow::default(),
            panels: shell::Panels::default(),
            services,
            pending,
            next_id: 0,
        };
        if let Some(path) = &state.settings.font {
            state.services.tasks.read_font(path.clone());
        }
        // Otherwise that begins once it is known what earlier sessions have left.
        events::open_something(&mut state);
        Self {
            state,
            settings_file: SettingsFile::default(),
            last_tick: None,
            title: String::new(),
            first_size: None,
            impatience: 0,
        }
    }

    /// The same, with the settings kept in `file`.
    #[must_use]
    pub fn keeping(self, mut file: SettingsFile) -> Self {
        // Should the process die, its tabs are not those that it began with.
        if self.state.pending.tabs.is_some() {
            file.keep(&self.state.settings);
        }
        Self { settings_file: file, ..self }
    }

    /// The same, with a window that gets as large as it may be on the monitor.
    #[must_use]
    pub fn fitting_monitor(self) -> Self {
        Self { first_size: Some(()), ..self }
    }

    /// Ends what the app does: keeps settings, tabs, answers, and drafts of what is not saved.
    pub fn close(&mut self) {
        let state = &mut self.state;
        (0..state.documents.len()).for_each(|index| state.keep_answer(index));
        stop_exporting(state);
        state.settings.tabs = state.tabs();
        // The window is gone, so an error cannot be shown.
        let _unsaid = self.settings_file.keep(&state.settings);
        drop(self.settings_file.finish());
        let agreed = state.pending.close_agreed.is_some() || !state.asks_before_closing();
        let leave = if agreed { Leave::Nothing } else { Leave::Drafts };
        state.services.drafts.close(leave);
    }

    /// Gives the window its size and its title.
    fn dress_window(&mut self, ctx: &egui::Context) {
        let monitor = ctx.input(|input| input.viewport().monitor_size);
        if let Some(monitor) = monitor.filter(|_| self.first_size.take().is_some()) {
            ctx.send_viewport_cmd(egui::ViewportCommand::InnerSize(launch::first_size(monitor)));
        }
        let title = self.state.window_title();
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    /// What has to be done before each frame: replies, keys, time.
    pub fn tick(&mut self, ctx: &egui::Context) {
        let state = &mut self.state;
        editor::forget_fields(ctx, state.pending.closed_texts.drain(..));
        while let Some(event) = state.services.tasks.poll() {
            events::take_event(state, ctx, event);
        }
        events::take_all_loaded(state);
        while let Some(reply) = state.services.renderer.poll() {
            events::take_picture(state, ctx, reply);
        }
        while let Some(reply) = state.services.recorder.poll() {
            events::take_recording(state, reply);
        }
        while let Some(reply) = state.services.inquirer.poll() {
            events::take_answer(state, reply);
        }
        while let Some(reply) = state.services.vertices.poll() {
            // Those of a document that was closed meanwhile are dropped.
            if state.find_document(reply.document).is_some() {
                state.vertices.take(reply);
            }
        }
        while let Some(answer) = state.services.surveyor.poll() {
            events::take_map(state, ctx, answer);
        }
        while let Some(reply) = state.services.lessons.poll() {
            lessons::take_report(state, reply);
        }
        while let Some(reply) = state.services.historian.poll() {
            state.watched.take(reply);
        }
        while let Some(reply) = state.services.comparer.poll() {
            if let Some(comparison) = &mut state.comparison {
                comparison.take(reply);
            }
        }
        for command in keys::pressed(ctx, state) {
            if command.enabled(state) {
                command::apply(state, ctx, command.into());
            }
        }
        dropped::take(state, ctx);
        if ctx.input(|input| input.viewport().close_requested()) {
            close_requested(state, ctx);
        }
        self.advance_time(ctx);
        let state = &mut self.state;
        state.read_scenes();
        state.send_wanted_render();
        let faulty = state.document().is_some_and(Document::has_faulty_program);
        let runs = state.clock.running == Running::Yes && state.is_animated() && !faulty;
        let follows = if runs || state.pending.render.is_some() { Follows::Yes } else { Follows::No };
        state.slow = state.slow.next(state.services.renderer.busy_for(), follows);
        state.want_vertices();
        state.want_map();
        lessons::want_report(state);
        state.refresh_watched();
        expire_notices(state, ctx);
        wake_when_long(state, ctx);
    }

    /// Lets time run, and asks for the next picture while the last one is being drawn, so that drawing never
    /// waits for the window: pictures follow each other as fast as they come, and time never waits for them.
    fn advance_time(&mut self, ctx: &egui::Context) {
        let now = ctx.input(|input| input.time);
        let elapsed = self.last_tick.replace(now).map_or(0.0, |last| now - last);
        let state = &mut self.state;
        let held = state.document().is_some_and(|d| state.held_why(d).is_some());
        if held || state.clock.running != Running::Yes || !state.is_animated() {
            state.readouts.stopped();
            return;
        }
        let playback = state.document().map(|document| document.playback).unwrap_or_default();
        let step = playback.step(state.clock.time_secs, elapsed.clamp(0.0, 0.25) as f32);
        let failed = state.document().is_some_and(|d| d.is_analysed() && d.has_faulty_program());
        match step {
            PlaybackStep::On(time_secs) => state.clock.time_secs = time_secs,
            PlaybackStep::Back(time_secs) => state.clock.go_to(time_secs),
        }
        if !failed && !state.services.renderer.has_waiting() {
            state.clock.frame += 1;
            state.want_picture(Urgency::Next);
        }
    }

    /// One frame.
    pub fn frame(&mut self, ui: &mut egui::Ui) {
        let was_covered = self.state.is_covered();
        self.tick(ui.ctx());
        let mut actions = Vec::new();
        let mut panels = std::mem::take(&mut self.state.panels);
        shell::show(ui, &self.state, &mut panels, &mut actions);
        self.state.panels = panels;
        let ctx = ui.ctx().clone();
        for action in actions {
            command::apply(&mut self.state, &ctx, action);
        }
        if was_covered && !self.state.is_covered() {
            self.state.focus_editor = Some(());
            ctx.request_repaint();
        }
        if self.state.send_wanted_render() {
            self.await_picture(&ctx);
        }
        self.note_drafts();
        self.dress_window(&ctx);
    }

    /// Notes what is to be on disk should the process die now.
    fn note_drafts(&mut self) {
        let state = &mut self.state;
        let slow = state.pending.rendered.filter(|_| state.renders_long());
        let resolved = std::mem::take(&mut state.recovery.resolved);
        state.services.drafts.note(&state.documents, slow, resolved);
    }

    /// What a person has just done is to be seen in this very frame, not in the one after the next: the picture
    /// asked for is waited for a moment, and the frame laid out again with it. Where that was in vain, the next
    /// few pictures are not waited for.
    fn await_picture(&mut self, ctx: &egui::Context) {
        // A frame is laid out at most twice.
        if ctx.will_discard() || ctx.current_pass_index() > 0 {
            return;
        }
        if self.impatience > 0 {
            self.impatience -= 1;
            return;
        }
        let state = &mut self.state;
        let asked = state.pending.generation;
        let start = Instant::now();
        while let Some(left) = SAME_FRAME.checked_sub(start.elapsed())
            && let Some(reply) = state.services.renderer.wait(left)
        {
            let arrived = reply.generation >= asked;
            events::take_picture(state, ctx, reply);
            if arrived {
                ctx.request_discard("the picture of what was just done");
                return;
            }
        }
        if events::take_all_loaded(state) {
            ctx.request_discard("the errors of what was just typed");
        }
        self.impatience = IN_VAIN;
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.frame(ui);
    }

    /// Comes every half minute, and at the end.
    fn save(&mut self, _storage: &mut dyn eframe::Storage) {
        if let Some(words) = self.settings_file.keep(&self.state.settings) {
            self.state.notify(NoticeKind::Error, words);
        }
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.close();
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        theme::Palette::of(visuals).ground.to_normalized_gamma_f32()
    }
}

fn open_first_sample(state: &mut State) {
    match scene::bundled().first().map(scene::Bundled::load) {
        Some(Ok(scene)) => state.open_scene(scene, Room::Untouched),
        Some(Err(error)) => state.notify(NoticeKind::Error, error.to_string()),
        None => command::new_program(state),
    }
}

/// The window's close button, Quit or the system ask to close: an export and unsaved changes come first.
fn close_requested(state: &mut State, ctx: &egui::Context) {
    if state.exporting.as_ref().is_some_and(|exporting| !exporting.progress.is_cancelled()) {
        ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
        state.dialog = Some(Dialog::StillExporting);
        return;
    }
    if state.pending.close_agreed.is_some() || !state.asks_before_closing() {
        return;
    }
    ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
    // While saving is under way, closing goes on by itself once it is done.
    if state.pending.closing != Some(Closing::App) {
        state.dialog = Some(Dialog::Unsaved(Closing::App));
    }
}

/// Cancels a running export, and waits a moment until its files are removed.
fn stop_exporting(state: &State) {
    if let Some(exporting) = &state.exporting {
        exporting.progress.cancel();
        let start = Instant::now();
        while state.services.tasks.is_busy() && start.elapsed() < LONG {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// What takes long is said, and may be stopped, once it does: also where nothing else happens.
fn wake_when_long(state: &State, ctx: &egui::Context) {
    let busy = [state.services.renderer.busy_for(), state.services.recorder.busy_for()];
    for left in busy.into_iter().flatten().filter_map(|busy| LONG.checked_sub(busy)) {
        ctx.request_repaint_after(left + Duration::from_millis(20));
    }
}

fn expire_notices(state: &mut State, ctx: &egui::Context) {
    state.notices.retain(|notice| notice.kind == NoticeKind::Error || notice.born.elapsed() < NOTICE_LIFE);
    if state.notices.iter().any(|notice| notice.kind == NoticeKind::Info) {
        ctx.request_repaint_after(Duration::from_millis(500));
    }
}
