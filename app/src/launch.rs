//! Where the command line opens the app.

use crate::app::App;
use std::fmt;
use std::sync::Arc;

/// Why the app's window could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchError {
    /// There is no display to open a window on; the system's own words.
    NoDisplay(String),
    /// Something else.
    Failed(String),
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDisplay(words) => write!(
                f,
                "there is no display to open the app on ({words}); `shadestep check`, `render`, `trace`, `isa` and `bench` need none"
            ),
            Self::Failed(words) => write!(f, "the app could not start: {words}"),
        }
    }
}

impl std::error::Error for LaunchError {}

/// Opens the app on `target` (see [`crate::scene::open`]), or on the first sample, and returns when its
/// window closes.
///
/// The window is drawn through wgpu, or through OpenGL where wgpu finds no adapter.
///
/// # Errors
/// See [`LaunchError`].
pub fn run(target: Option<&str>) -> Result<(), LaunchError> {
    check_display()?;
    match open(target, eframe::Renderer::Wgpu) {
        Err(eframe::Error::Wgpu(_) | eframe::Error::AppCreation(_)) => {
            open(target, eframe::Renderer::Glow).map_err(explain)
        }
        outcome => outcome.map_err(explain),
    }
}

/// On systems whose displays are named by the environment, its absence says it all.
fn check_display() -> Result<(), LaunchError> {
    let named = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let by_environment = cfg!(all(unix, not(target_os = "macos")));
    if by_environment && !["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(named) {
        return Err(LaunchError::NoDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned()));
    }
    Ok(())
}

fn open(target: Option<&str>, renderer: eframe::Renderer) -> eframe::Result {
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Shadestep")
            .with_app_id("shadestep")
            .with_icon(icon())
            .with_inner_size([1440.0, 900.0])
            .with_min_inner_size([720.0, 480.0])
            .with_drag_and_drop(true),
        renderer,
        // Pixels of the picture are shown as they are.
        dithering: false,
        ..eframe::NativeOptions::default()
    };
    let target = target.map(str::to_owned);
    eframe::run_native(
        "shadestep",
        options,
        Box::new(move |context| {
            let settings = App::settings(context.storage);
            Ok(Box::new(App::new(&context.egui_ctx, settings, target.as_deref())))
        }),
    )
}

/// The app's mark: a pixel grid with one pixel picked.
fn icon() -> Arc<egui::IconData> {
    const SIDE: usize = 64;
    const CELL: usize = 18;
    const GAP: usize = 5;
    let mut rgba = vec![0; SIDE * SIDE * 4];
    for (index, pixel) in rgba.chunks_exact_mut(4).enumerate() {
        let (x, y) = (index % SIDE, index / SIDE);
        let (column, row) = (x / (CELL + GAP), y / (CELL + GAP));
        if x % (CELL + GAP) < CELL && y % (CELL + GAP) < CELL && column < 3 && row < 3 {
            let shade = 96 + 40 * (column + 2 - row) as u8 / 2;
            let color =
                if (column, row) == (1, 1) { [255, 255, 255] } else { [63, 65 + shade / 2 + 32, 165] };
            pixel[..3].copy_from_slice(&color);
            pixel[3] = 255;
        }
    }
    Arc::new(egui::IconData { rgba, width: SIDE as u32, height: SIDE as u32 })
}

fn explain(error: eframe::Error) -> LaunchError {
    match error {
        eframe::Error::WinitEventLoop(error) => {
            // The system's words come last, after places in the window library that tell a person nothing.
            let words = error.to_string();
            let last = words.rsplit(": ").next().unwrap_or(&words);
            LaunchError::NoDisplay(last.trim_end().to_owned())
        }
        error => LaunchError::Failed(error.to_string()),
    }
}
