//! Support for the UI tests: the app in a headless window, and waiting for the app's threads.

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

/// The number of idle frames after which a wait fails. The app notices outside events, such as a file that
/// another program changed, in far fewer frames.
const IDLE_FRAMES: u32 = 1000;

pub struct Window {
    pub harness: Harness<'static, Option<App>>,
}

impl Window {
    /// Opens the app with its first sample, with the clock stopped at 0.
    pub fn open(size: [f32; 2], choice: ThemeChoice) -> Self {
        let mut window = Self::open_with_drafts(size, choice, None);
        window.settle();
        window
    }

    /// Opens the app with drafts in the folder `drafts`, and does not wait until the app settles.
    pub fn open_with_drafts(size: [f32; 2], choice: ThemeChoice, drafts: Option<PathBuf>) -> Self {
        Self::open_on(None, size, choice, drafts)
    }

    /// Opens the app with `target`, as named on the command line, and does not wait until the app settles.
    pub fn open_on(
        target: Option<&'static str>,
        size: [f32; 2],
        choice: ThemeChoice,
        drafts: Option<PathBuf>,
    ) -> Self {
        let settings = Settings { theme: choice, ..Settings::default() };
        Self::build(target.map(OsString::from), size, settings, drafts, |_| {})
    }

    /// Opens the app with `settings`, and calls `set_up` with the context before the first frame.
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
                    // The harness leaves a margin around the root. A real window has none.
                    let rect = ui.ctx().content_rect();
                    let mut root = ui.new_child(egui::UiBuilder::new().max_rect(rect));
                    root.set_clip_rect(rect);
                    // A real window is cleared to this colour (`App::clear_color`).
                    let ground = theme::palette(&root).ground;
                    root.painter().rect_filled(rect, 0.0, ground);
                    app.frame(&mut root);
                },
                None,
            );
        Self { harness }
    }

    pub fn app(&mut self) -> &mut App {
        self.harness.state_mut().as_mut().expect("made in the first frame")
    }

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

    /// Returns true if a thread of the app has work.
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
            || services.background_queries.is_busy()
            || services.query.is_busy()
            || services.history_worker.is_busy()
            || services.run_diff_worker.is_busy()
            || !services.drafts.is_idle()
    }

    /// Shows frames until `done` returns true. Panics after [`IDLE_FRAMES`] frames in which no thread has
    /// work.
    pub fn until(&mut self, what: &str, mut done: impl FnMut(&mut State) -> bool) {
        self.until_app(what, |app| done(&mut app.state));
    }

    /// Like [`Window::until`], with access to the whole app.
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

    /// Shows frames until the program is loaded, the picture shows that program, and no thread has work.
    pub fn settle(&mut self) {
        // The app takes a thread's answer in the frame after the thread becomes idle.
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
        // Takes the replies that have arrived since, and settles layouts that need a second frame.
        self.harness.run_steps(3);
    }

    /// Replaces the text of the active program, as typing would.
    pub fn set_text(&mut self, text: &str) {
        let document = self.state().document_mut().expect("a program is open");
        let id = document.text_id();
        let change = Change::between(document.active().text(), text);
        self.act(Action::EditText(id, change));
        self.settle();
    }
}
