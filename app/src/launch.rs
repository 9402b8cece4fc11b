//! Opens the app's window for the command line.

mod missing;
mod painter;

use crate::app::{App, FIRST_SIZE, LEAST_SIZE};
use crate::drafts::{self, Rescuer};
use crate::places::APP_ID;
use crate::printable;
use crate::scene;
use crate::settings::{self, SettingsFile};
use crate::state::NoticeKind;
use std::ffi::OsStr;
use std::fmt;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use painter::Painter;

/// The reason why the window could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchError {
    /// No display. Holds the system's message.
    NoDisplay(String),
    /// The system lacks a package. Holds a sentence that names it.
    Missing(String),
    /// Another error.
    Failed(String),
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDisplay(words) => write!(
                f,
                "the app has no display to open its window on ({words}); the commands, such as check and render, work without a display"
            ),
            Self::Missing(sentence) => f.write_str(sentence),
            Self::Failed(words) => write!(f, "the app could not start: {words}"),
        }
    }
}

impl std::error::Error for LaunchError {}

/// Opens the app on `target` (see [`crate::scene::open`]), or on the first sample, and returns when its
/// window closes.
///
/// # Errors
/// See [`LaunchError`].
pub fn run(target: Option<&OsStr>) -> Result<(), LaunchError> {
    check_display()?;
    if let Some(sentence) = missing::missing_keyboard_data(|name| std::env::var_os(name)) {
        return Err(LaunchError::Missing(sentence));
    }
    let window = window_file();
    without_known_panics(|| {
        let mut outcome = Ok(());
        for painter in painter::ALL {
            outcome = open(target, painter, window.clone());
            if !matches!(outcome, Err(ref error) if is_about_graphics(error)) {
                break;
            }
        }
        outcome.map_err(explain)
    })
}

/// Runs `work`. The window library panics if some packages are missing. Such a panic becomes an error, and
/// its message and backtrace are not printed.
fn without_known_panics(work: impl FnOnce() -> Result<(), LaunchError>) -> Result<(), LaunchError> {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload_as_str().and_then(missing::sentence).is_none() {
            before(panic);
        }
    }));
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let words = payload.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| payload.downcast_ref::<&str>().copied());
        match words.and_then(missing::sentence) {
            Some(sentence) => Err(LaunchError::Missing(sentence)),
            None => resume_unwind(payload),
        }
    })
}

/// Returns another path for the window library's file if the usual path is unusable. The library reads the
/// file to its end, and a pipe has none.
fn window_file() -> Option<PathBuf> {
    // The library's name for the file.
    let file = eframe::storage_dir(APP_ID)?.join("app.ron");
    // No file can be inside a file, so the library neither reads nor overwrites anything.
    unreadable(&file).then(|| file.join("none"))
}

/// Returns true if `file` exists but is not a readable file of limited size.
fn unreadable(file: &Path) -> bool {
    match file.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
        _ => scene::read_limited(file, &file.to_string_lossy(), MAX_WINDOW_BYTES).is_err(),
    }
}

/// The window library's key for the window's place.
const WINDOW: &str = "window";
/// Largest file read for the window's place, in bytes.
const MAX_WINDOW_BYTES: u64 = 4 << 20;

/// Returns true if another painter may succeed.
fn is_about_graphics(error: &eframe::Error) -> bool {
    !matches!(
        error,
        eframe::Error::AppCreation(_) | eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_)
    )
}

/// Checks the environment variable that names the display, on systems that use one.
fn check_display() -> Result<(), LaunchError> {
    let named = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let by_environment = cfg!(all(unix, not(target_os = "macos")));
    if by_environment && !["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(named) {
        return Err(LaunchError::NoDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned()));
    }
    Ok(())
}

fn open(target: Option<&OsStr>, painter: &'static Painter, window: Option<PathBuf>) -> eframe::Result {
    let mut options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Shadestep")
            .with_app_id(APP_ID)
            .with_icon(icon())
            .with_inner_size(FIRST_SIZE)
            .with_min_inner_size(LEAST_SIZE)
            .with_drag_and_drop(true),
        persistence_path: window,
        // The picture's pixels are shown without changes.
        dithering: false,
        ..eframe::NativeOptions::default()
    };
    (painter.choose)(&mut options);
    let target = target.map(OsStr::to_owned);
    eframe::run_native(
        APP_ID,
        options,
        Box::new(move |context| {
            (painter.prepare)(&context.egui_ctx);
            // `None` if the system has no folder for settings. Settings and drafts are not kept then.
            let storage = eframe::storage_dir(APP_ID);
            let (file, settings, unread) = SettingsFile::open(storage.as_deref().map(settings::place));
            let drafts = storage.as_deref().map(drafts::place);
            let app = App::new(&context.egui_ctx, settings, target.as_deref(), drafts);
            let mut app = app.keeping(file);
            // The window library restores the place of the previous window.
            if context.storage.is_none_or(|storage| storage.get_string(WINDOW).is_none()) {
                app = app.fitting_monitor();
            }
            if let Some(words) = unread {
                app.state.notify(NoticeKind::Error, words);
            }
            rescue_on_panic(app.state.services.drafts.rescuer());
            Ok(Box::new(app))
        }),
    )
}

/// On a panic on this thread, writes drafts and prints their place before the process ends.
pub fn rescue_on_panic(rescuer: Rescuer) {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        before(panic);
        if let Some((count, folder)) = rescuer.rescue() {
            let what = if count == 1 {
                "unsaved changes of 1 scene are".to_owned()
            } else {
                format!("unsaved changes of {count} scenes are")
            };
            // If printing fails too, nothing more can be done.
            let _unsaid = writeln!(
                std::io::stderr().lock(),
                "shadestep: {what} in {}; Shadestep offers to restore them at the next start",
                printable::path(&folder)
            );
        }
    }));
}

/// Returns the app's icon. If it cannot be decoded, the window library uses its own.
fn icon() -> Arc<egui::IconData> {
    let icon = eframe::icon_data::from_png_bytes(include_bytes!("../../assets/icon.png"));
    Arc::new(icon.unwrap_or_default())
}

fn explain(error: eframe::Error) -> LaunchError {
    if let Some(sentence) = missing::sentence(&format!("{error:?}")) {
        return LaunchError::Missing(sentence);
    }
    match error {
        error if is_about_graphics(&error) => LaunchError::Missing(missing::graphics(&error.to_string())),
        eframe::Error::WinitEventLoop(error) => {
            // The system's message comes last, after places in the window library that mean nothing to users.
            let words = error.to_string();
            let last = words.rsplit(": ").next().unwrap_or(&words);
            LaunchError::NoDisplay(last.trim_end().to_owned())
        }
        error => LaunchError::Failed(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_the_window_library_reads_is_a_plain_file_of_a_bounded_size() {
        let folder = std::env::temp_dir().join(format!("shadestep-window-{}", std::process::id()));
        fs::create_dir_all(folder.join("folder")).unwrap();
        let at = |name: &str| folder.join(name);
        fs::write(at("good"), "{}").unwrap();
        assert!(!unreadable(&at("none yet")) && !unreadable(&at("good")));
        fs::File::create(at("huge")).unwrap().set_len(MAX_WINDOW_BYTES + 1).unwrap();
        assert!(unreadable(&at("folder")) && unreadable(&at("huge")));
        #[cfg(unix)]
        {
            assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
            assert!(unreadable(&at("pipe")));
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
