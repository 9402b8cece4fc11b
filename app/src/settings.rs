//! The settings and the file that keeps them between runs. The window's place is not part of the settings:
//! the window library has its own file for that.

mod folded;
mod key_changes;
mod layout;
mod look;

pub use folded::{Folded, Section};
pub use key_changes::KeyChanges;
pub use layout::{Layout, LayoutPurpose, Pane};
pub use look::{Comments, TAB_WIDTHS, TextLook};

use crate::files::{self, Durability};
use crate::format::ValueFormat;
use crate::lesson::Progress;
use crate::model::OpenTabs;
use crate::scene;
use crate::theme::ThemeChoice;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

/// Largest file read as settings, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// Settings kept between runs.
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
pub struct Settings {
    pub theme: ThemeChoice,
    /// Recently opened programs and scenes, newest first.
    pub recent: Vec<PathBuf>,
    /// The debugger's value format.
    pub format: ValueFormat,
    /// The editor's text size and layout.
    pub text: TextLook,
    /// The font file for program text. `None` for the bundled font.
    #[serde(deserialize_with = "tolerant")]
    pub font: Option<PathBuf>,
    /// Key bindings that differ from the defaults.
    #[serde(deserialize_with = "tolerant")]
    pub keys: KeyChanges,
    /// True to draw pictures without detecting memory races.
    pub ignores_races: bool,
    /// True to show the strip of versions under the picture.
    pub shows_versions: bool,
    /// True to hide the time bar under the picture.
    pub hides_time_bar: bool,
    /// True to explain the current line under the text.
    pub explains: bool,
    /// True to hide the values of the current step's operands in the code.
    pub hides_values: bool,
    /// The folded sections of the debugger.
    pub folded: Folded,
    /// The layout of the panels.
    pub layout: Layout,
    /// The progress in lessons.
    pub lessons: Progress,
    /// True to start without the tabs of the last session.
    pub forgets_tabs: bool,
    /// The tabs when the app closed. `None` while it runs.
    pub tabs: Option<OpenTabs>,
}

/// Deserialises a value, or the default if the entry is invalid, so that one broken entry does not discard
/// the other settings.
pub(crate) fn tolerant<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Entry<T> {
        Sound(T),
        Broken(IgnoredAny),
    }
    Ok(match Entry::deserialize(deserializer)? {
        Entry::Sound(value) => value,
        Entry::Broken(_) => T::default(),
    })
}

/// Returns the path of the settings, in the app's `storage` folder.
pub fn place(storage: &Path) -> PathBuf {
    storage.join("settings.ron")
}

/// The file of the settings.
#[derive(Default)]
pub struct SettingsFile {
    /// `None` if settings are not kept.
    path: Option<PathBuf>,
    /// The content of the file.
    content: String,
    writing: Option<JoinHandle<io::Result<()>>>,
    /// Set while writing fails, after the user was informed.
    said: Option<()>,
}

impl SettingsFile {
    /// Opens the settings at `path`. A missing file gives the defaults. An unreadable file gives a message,
    /// stays unchanged, and settings are not kept.
    pub fn open(path: Option<PathBuf>) -> (Self, Settings, Option<String>) {
        let Some(path) = path else { return Default::default() };
        match read(&path) {
            Ok((content, settings)) => {
                (Self { path: Some(path), content, ..Self::default() }, settings, None)
            }
            Err(words) => (Self::default(), Settings::default(), Some(words)),
        }
    }

    /// Writes `settings` on another thread. Returns a message if the previous write failed and the one before
    /// it did not.
    pub fn keep(&mut self, settings: &Settings) -> Option<String> {
        let path = self.path.clone()?;
        let failed = self.finish().err();
        let content = match ron::ser::to_string_pretty(settings, ron::ser::PrettyConfig::default()) {
            Ok(content) => content,
            Err(error) => return Some(format!("Settings cannot be saved: {error}.")),
        };
        if content != self.content {
            self.content.clone_from(&content);
            self.writing = Some(std::thread::spawn(move || write(&path, &content)));
        }
        let known = std::mem::replace(&mut self.said, failed.as_ref().map(|_| ()));
        failed.filter(|_| known.is_none()).map(|error| format!("Settings cannot be saved: {error}."))
    }

    /// Waits until the file has the last settings.
    ///
    /// # Errors
    /// Errors of the write.
    pub fn finish(&mut self) -> io::Result<()> {
        let Some(writing) = self.writing.take() else { return Ok(()) };
        let written = writing.join().unwrap_or_else(|_| Err(io::Error::other("the writing thread ended")));
        if written.is_err() {
            // Forces the next write.
            self.content.clear();
        }
        written
    }
}

fn read(path: &Path) -> Result<(String, Settings), String> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Default::default()),
        _ => {}
    }
    let unread = |words: &dyn std::fmt::Display| {
        format!("Settings cannot be read, so changes are not saved: {words}.")
    };
    let name = path.to_string_lossy();
    let bytes = scene::read_limited(path, &name, MAX_BYTES).map_err(|error| unread(&error))?;
    let content = String::from_utf8(bytes).map_err(|_| unread(&format!("{name} is not a text file")))?;
    let settings = ron::from_str(&content).map_err(|error| unread(&format!("{name}, {error}")))?;
    Ok((content, settings))
}

fn write(path: &Path, content: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    // Settings lost by a power cut are harmless, so there is no warning.
    files::replace(path, Durability::Synced, |file| file.write_all(content.as_bytes())).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Section;
    use std::fs;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("shadestep-settings-{}-{name}", std::process::id()));
        drop(fs::remove_dir_all(&folder));
        folder
    }

    #[test]
    fn settings_outlive_the_process() {
        let folder = folder("kept");
        let path = folder.join("deep/settings.ron");
        let (mut file, mut settings, words) = SettingsFile::open(Some(path.clone()));
        assert_eq!((words, settings.recent.len()), (None, 0));
        settings.recent.push("somewhere/main.fp".into());
        settings.text = settings.text.enlarged(3);
        settings.hides_values = true;
        settings.folded.insert(Section::Outputs);
        assert_eq!(file.keep(&settings), None);
        file.finish().unwrap();
        let (_, again, words) = SettingsFile::open(Some(path.clone()));
        assert_eq!((words, &again.recent, again.text), (None, &settings.recent, settings.text));
        assert_eq!((again.hides_values, again.folded), (true, [Section::Outputs].into()));
        // Unchanged settings are not written again.
        fs::remove_file(&path).unwrap();
        file.keep(&settings);
        file.finish().unwrap();
        assert!(!path.exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_cannot_be_read_is_left_alone_and_said() {
        let folder = folder("unread");
        fs::create_dir_all(&folder).unwrap();
        let why = |name: &str| {
            let (mut file, settings, words) = SettingsFile::open(Some(folder.join(name)));
            assert_eq!(file.keep(&Settings { recent: vec!["x".into()], ..settings }), None);
            file.finish().unwrap();
            words.unwrap_or_default()
        };
        fs::write(folder.join("odd"), "(theme: Purple)").unwrap();
        assert!(why("odd").contains("odd"));
        assert_eq!(fs::read(folder.join("odd")).unwrap(), b"(theme: Purple)");
        fs::write(folder.join("bytes"), [0xFF, 0xFE]).unwrap();
        assert!(why("bytes").contains("not a text file"));
        fs::create_dir(folder.join("folder")).unwrap();
        assert!(why("folder").contains("folder"));
        fs::File::create(folder.join("huge")).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert!(why("huge").contains("larger than"));
        #[cfg(unix)]
        {
            assert!(
                std::process::Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success()
            );
            std::os::unix::fs::symlink("/dev/zero", folder.join("endless")).unwrap();
            std::os::unix::fs::symlink("nothing", folder.join("dangling")).unwrap();
            assert!(why("pipe").contains("not a regular file"));
            assert!(why("endless").contains("not a regular file"));
            assert!(why("dangling").contains("no such file"));
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_failure_to_write_is_said_and_tried_again() {
        let folder = folder("unwritten");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("below/settings.ron");
        let (mut file, settings, _) = SettingsFile::open(Some(path.clone()));
        fs::write(folder.join("below"), "a file where a folder is needed").unwrap();
        assert_eq!(file.keep(&settings), None);
        assert!(file.keep(&settings).is_some_and(|words| words.contains("cannot be saved")));
        assert_eq!(file.keep(&settings), None, "once");
        fs::remove_file(folder.join("below")).unwrap();
        drop(file.finish());
        file.keep(&settings);
        file.finish().unwrap();
        assert!(path.exists());
        fs::remove_dir_all(&folder).unwrap();
    }
}
