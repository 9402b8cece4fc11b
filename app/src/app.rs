//! [`App`]: the frame loop. Each frame takes replies of threads and pressed keys, shows the panels and
//! carries out their actions.

mod window;

pub(crate) use window::{FIRST_SIZE, LEAST_SIZE};

use crate::apply::{apply, dropped, events, lessons};
use crate::command::{Action, Command, Listener};
use crate::drafts::{Leave, Placing, Recovery};
use crate::editor;
use crate::keys;
use crate::mailbox::{Urgency, Wake};
use crate::model::{Document, DocumentId, PerDocument as _, PlaybackStep};
use crate::settings::{Settings, SettingsFile};
use crate::shell::{self, Panels};
use crate::state::{AT_ONCE, Closing, Dialog, Follows, LONG, NoticeKind, Pending, Running, Services, State};
use crate::theme;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest time that a frame waits for the picture of the user's action. Together with layout and painting,
/// the picture should appear within 50 ms of the key press.
const SAME_FRAME: Duration = Duration::from_millis(30);
/// Number of pictures that frames do not wait for after one came too late.
const IN_VAIN: u8 = 3;

pub struct App {
    pub state: State,
    /// Private state of the panels.
    pub panels: Panels,
    settings_file: SettingsFile,
    last_tick: Option<f64>,
    title: String,
    /// Set while the window needs its first size, which depends on the size of the monitor.
    first_size: Option<()>,
    /// Number of coming pictures that frames do not wait for.
    impatience: u8,
}

impl App {
    /// Creates the app with `settings`, showing `target` (see [`crate::scene::open`]) or the first sample. Drafts
    /// are kept in the folder `drafts`; `None` keeps no drafts.
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
        let services = Services::start(drafts, wake, wake_once);
        // The user wants to see the named target.
        let interrupted = if target.is_some() { Placing::Behind } else { Placing::InFront };
        let tabs = settings.tabs.take().filter(|_| !settings.forgets_tabs);
        let pending = Pending { named: target.map(OsStr::to_owned), tabs, ..Pending::default() };
        let recovery = Recovery { interrupted, ..Recovery::default() };
        let mut state = State::new(settings, services, pending, recovery);
        if let Some(path) = &state.settings.font {
            state.services.tasks.read_font(path.clone());
        }
        // Without a target, a scene opens after the search for files of earlier sessions.
        events::open_something(&mut state);
        Self {
            state,
            panels: Panels::default(),
            settings_file: SettingsFile::default(),
            last_tick: None,
            title: String::new(),
            first_size: None,
            impatience: 0,
        }
    }

    /// Keeps the settings in `file`.
    #[must_use]
    pub fn keeping(self, mut file: SettingsFile) -> Self {
        // If the process dies, the next one must not reopen the tabs of the session before.
        if self.state.pending.tabs.is_some() {
            file.keep(&self.state.settings);
        }
        Self { settings_file: file, ..self }
    }

    /// Makes the window as large as the monitor allows.
    #[must_use]
    pub fn fitting_monitor(self) -> Self {
        Self { first_size: Some(()), ..self }
    }

    /// Ends the app: writes settings, tabs, answers, and drafts of unsaved changes.
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

    /// Sets the size and the title of the window.
    fn dress_window(&mut self, ctx: &egui::Context) {
        let monitor = ctx.input(|input| input.viewport().monitor_size);
        if let Some(monitor) = monitor.filter(|_| self.first_size.take().is_some()) {
            ctx.send_viewport_cmd(egui::ViewportCommand::InnerSize(window::first_size(monitor)));
        }
        let title = self.state.window_title();
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    /// Does the work before a frame: takes replies and keys, and advances time.
    pub fn tick(&mut self, ctx: &egui::Context) {
        let Self { state, panels, .. } = self;
        editor::forget_fields(ctx, state.pending.closed_texts.drain(..));
        while let Some(event) = state.services.tasks.poll() {
            events::take_event(state, &mut panels.learn, ctx, event);
        }
        events::take_all_loaded(state);
        while let Some(reply) = state.services.renderer.poll() {
            events::take_picture(state, ctx, reply);
        }
        while let Some(reply) = state.services.recorder.poll() {
            events::take_recording(state, reply);
        }
        while let Some(reply) = state.services.background_queries.poll() {
            events::take_answer(state, reply);
        }
        while let Some(reply) = state.services.vertices.poll() {
            // Replies for a closed document are dropped.
            if state.find_document(reply.document).is_some() {
                state.stepping.vertices.take(reply);
            }
        }
        while let Some(answer) = state.services.query.poll() {
            events::take_map(state, ctx, answer);
        }
        while let Some(reply) = state.services.lessons.poll() {
            lessons::take_report(state, reply);
        }
        while let Some(reply) = state.services.history_worker.poll() {
            state.stepping.watched.take(reply);
        }
        while let Some(reply) = state.services.run_diff_worker.poll() {
            if let Some(comparison) = &mut state.stepping.comparison {
                comparison.take(reply);
            }
        }
        for command in pressed(ctx, state) {
            if command.enabled(state) {
                apply(state, panels, ctx, command.into());
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
        if state.expire_notices() {
            ctx.request_repaint_after(Duration::from_millis(500));
        }
        wake_when_long(state, ctx);
    }

    /// Advances time, and requests the next picture while the last one is being drawn. So drawing never waits
    /// for the window, and time never waits for pictures.
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

    pub fn act(&mut self, ctx: &egui::Context, action: Action) {
        apply(&mut self.state, &mut self.panels, ctx, action);
    }

    /// Returns the documents for which each part of the app keeps data. A test checks that all are open.
    pub fn kept_for_documents(&mut self) -> BTreeMap<&'static str, Vec<DocumentId>> {
        self.panels.drop_stale(&mut self.state.stale);
        let mut kept = self.state.kept_for_documents();
        kept.insert("panels", self.panels.kept());
        kept
    }

    pub fn frame(&mut self, ui: &mut egui::Ui) {
        let was_covered = self.state.is_covered();
        self.tick(ui.ctx());
        let mut actions = Vec::new();
        self.panels.drop_stale(&mut self.state.stale);
        shell::show(ui, &self.state, &mut self.panels, &mut actions);
        let ctx = ui.ctx().clone();
        for action in actions {
            self.act(&ctx, action);
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

    /// Notes the drafts to keep if the process dies now.
    fn note_drafts(&mut self) {
        let state = &mut self.state;
        let slow = state.pending.rendered.filter(|_| state.renders_long());
        let resolved = std::mem::take(&mut state.recovery.resolved);
        state.services.drafts.note(&state.documents, slow, resolved);
    }

    /// Waits a moment for the picture of the user's last action and lays out the frame again, so that the
    /// result is visible in this frame and not two frames later. If the picture comes too late, the next few
    /// frames do not wait.
    fn await_picture(&mut self, ctx: &egui::Context) {
        // egui lays out a frame at most twice.
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

    /// Called every half minute and at the end.
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

/// Handles a request to close the window, from its button, Quit or the system. A running export and unsaved
/// changes ask first.
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
    // During a save, closing continues after the save.
    if state.pending.closing != Some(Closing::App) {
        state.dialog = Some(Dialog::Unsaved(Closing::App));
    }
}

/// Returns the commands whose keys were pressed. A dialog in front gets all keys.
fn pressed(ctx: &egui::Context, state: &State) -> Vec<Command> {
    if state.dialog.is_some() {
        return Vec::new();
    }
    if editor::other_text_focused(ctx, state) {
        keys::pressed(ctx, &[Listener::App])
    } else {
        keys::pressed(ctx, &[Listener::App, Listener::Document])
    }
}

/// Cancels a running export, and waits briefly until its files are removed.
fn stop_exporting(state: &State) {
    if let Some(exporting) = &state.exporting {
        exporting.progress.cancel();
        let start = Instant::now();
        while state.services.tasks.is_busy() && start.elapsed() < LONG {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Schedules a frame for the moment when slow work can be stopped.
fn wake_when_long(state: &State, ctx: &egui::Context) {
    let busy = [state.services.renderer.busy_for(), state.services.recorder.busy_for()];
    for left in busy.into_iter().flatten().filter_map(|busy| LONG.checked_sub(busy)) {
        ctx.request_repaint_after(left + Duration::from_millis(20));
    }
}
