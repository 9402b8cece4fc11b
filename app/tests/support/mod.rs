//! What the UI tests share: the app in a headless window, and waiting for its threads.

pub mod cpu_renderer;

use cpu_renderer::CpuRenderer;
use egui_kittest::Harness;
use shadestep::app::App;
use shadestep::command::{Action, Command};
use shadestep::drafts::Search;
use shadestep::model::Change;
use shadestep::settings::Settings;
use shadestep::state::{Running, State};
use shadestep::theme::{self, ThemeChoice};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Frames in which nothing happens before a wait is given up. What comes from outside, a file that another program has
/// changed, is noticed long before.
const IDLE_FRAMES: u32 = 1000;

/// The app in a headless window.
pub struct Window {
    /// The window.
    pub harness: Harness<'static, Option<App>>,
}

impl Window {
    /// The app on its first sample, time standing still at 0.
    pub fn open(size: [f32; 2], choice: ThemeChoice) -> Self {
        let mut window = Self::open_with_drafts(size, choice, None);
        window.settle();
        window
    }

    /// The same with drafts in the folder `drafts`, as it is before anything has settled.
    pub fn open_with_drafts(size: [f32; 2], choice: ThemeChoice, drafts: Option<PathBuf>) -> Self {
        Self::open_on(None, size, choice, drafts)
    }

    /// The same on what a person has named on the command line.
    pub fn open_on(
        target: Option<&'static str>,
        size: [f32; 2],
        choice: ThemeChoice,
        drafts: Option<PathBuf>,
    ) -> Self {
        let settings = Settings { theme: choice, ..Settings::default() };
        Self::build(target.map(OsString::from), size, settings, drafts, |_| {})
    }

    /// The same with `settings`, and with what `set_up` does to its context before the first frame.
    pub fn build(
        target: Option<OsString>,
        size: [f32; 2],
        settings: Settings,
        drafts: Option<PathBuf>,
        set_up: impl FnOnce(&egui::Context) + 'static,
    ) -> Self {
        let choice = settings.theme;
        let mut settings = Some(settings);
        let theme = match choice {
            ThemeChoice::Dark | ThemeChoice::System => egui::Theme::Dark,
            ThemeChoice::Light => egui::Theme::Light,
        };
        let harness = Harness::builder()
            .with_size(size)
            .with_theme(theme)
            .with_step_dt(1.0 / 60.0)
            .with_render_cursor(false)
            .with_context_setup(move |ctx| {
                theme::install(ctx, choice);
                set_up(ctx);
            })
            .renderer(CpuRenderer::default())
            .build_ui_state(
                move |ui, app: &mut Option<App>| {
                    let app = app.get_or_insert_with(|| {
                        let settings = settings.take().unwrap_or_default();
                        let mut app = App::new(ui.ctx(), settings, target.as_deref(), drafts.clone());
                        app.state.clock.running = Running::No;
                        app
                    });
                    // The harness leaves a margin around the root; a window has none.
                    let rect = ui.ctx().content_rect();
                    let mut root = ui.new_child(egui::UiBuilder::new().max_rect(rect));
                    root.set_clip_rect(rect);
                    // As a window is cleared (`App::clear_color`).
                    let ground = theme::palette(&root).ground;
                    root.painter().rect_filled(rect, 0.0, ground);
                    app.frame(&mut root);
                },
                None,
            );
        Self { harness }
    }

    /// The app.
    pub fn app(&mut self) -> &mut App {
        self.harness.state_mut().as_mut().expect("made in the first frame")
    }

    /// The app's state.
    pub fn state(&mut self) -> &mut State {
        &mut self.app().state
    }

    /// Sends an action, as a panel would.
    pub fn act(&mut self, action: Action) {
        let ctx = self.harness.ctx.clone();
        self.app().act(&ctx, action);
    }

    /// Runs a command, as its key would.
    pub fn run(&mut self, command: Command) {
        self.act(Action::Command(command));
    }

    /// Whether a thread of the app has something to do.
    fn is_busy(&mut self) -> bool {
        let state = self.state();
        let services = &state.services;
        state.recovery.search == Search::UnderWay
            || services.tasks.is_busy()
            || services.loader.is_busy()
            || services.renderer.is_busy()
            || services.recorder.is_busy()
            || services.vertices.is_busy()
            || services.lessons.is_busy()
            || services.inquirer.is_busy()
            || services.query.is_busy()
            || services.historian.is_busy()
            || services.comparer.is_busy()
            || !services.drafts.is_idle()
    }

    /// Shows frames until `done`. Fails for want of progress: where nothing is under way in [`IDLE_FRAMES`] of them.
    pub fn until(&mut self, what: &str, mut done: impl FnMut(&mut State) -> bool) {
        self.until_app(what, |app| done(&mut app.state));
    }

    /// The same for what the app knows.
    pub fn until_app(&mut self, what: &str, mut done: impl FnMut(&mut App) -> bool) {
        let mut idle = 0;
        loop {
            self.harness.step();
            if done(self.app()) {
                return;
            }
            idle = if self.is_busy() { 0 } else { idle + 1 };
            assert!(idle < IDLE_FRAMES, "nothing is under way, and waited in vain until {what}");
            std::thread::sleep(Duration::from_millis(3));
        }
    }

    /// Shows frames until the program is loaded, the picture is of it, and nothing is under way.
    pub fn settle(&mut self) {
        // A frame after a thread is seen to be idle its answer has been taken in.
        let mut idle_before = false;
        self.until("everything has settled", |state| {
            let services = &state.services;
            let idle = !services.tasks.is_busy()
                && !services.loader.is_busy()
                && !services.renderer.is_busy()
                && !services.recorder.is_busy()
                && !services.lessons.is_busy()
                && state.recovery.search == Search::Done;
            let (idle, now) = (idle_before && idle, idle);
            idle_before = now;
            let ready = state.document().is_none_or(|document| {
                let fresh = document.shown.as_ref().is_some_and(|shown| shown.revision == document.revision);
                document.is_analysed()
                    && !document.is_reading()
                    && (document.error_count() > 0 || fresh || document.render_error.is_some())
            });
            idle && ready && state.pending.record.is_none() && state.pending.render.is_none()
        });
        // Replies that came in since the last look, and layouts that settle in a second frame.
        self.harness.run_steps(3);
    }

    /// Replaces the text of the program in front, as typing would.
    pub fn set_text(&mut self, text: &str) {
        let document = self.state().document_mut().expect("a program is open");
        let id = document.text_id();
        let change = Change::between(document.active().text(), text);
        self.act(Action::EditText(id, change));
        self.settle();
    }
}
