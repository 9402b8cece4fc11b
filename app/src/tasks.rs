//! Work that waits on disks and people: opening, saving, dialogs, exports. Each runs on a thread of its
//! own and reports by an [`Event`]; nothing here is on the UI thread.

use crate::drafts::{self, Found, Offer, Restored};
use crate::editor::{DocumentId, TextId};
use crate::files::{self, Durability};
use crate::scene::{self, MeshSource, Scene, SceneError, SceneMesh, SceneTexture, TextureSpec};
use crate::worker::Wake;
use image::ImageEncoder as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a task came to.
pub enum Event {
    /// A scene or program was opened.
    Opened(Result<Box<Scene>, SceneError>),
    /// A scene's files changed and it was loaded again.
    Reloaded {
        /// Whose scene.
        document: DocumentId,
        /// The scene.
        outcome: Result<Box<Scene>, SceneError>,
    },
    /// The person chose a file to open.
    OpenChosen(PathBuf),
    /// The person chose where to save.
    SaveChosen {
        /// What to save.
        text: TextId,
        /// Where.
        path: PathBuf,
    },
    /// A dialog was closed without a choice.
    DialogCancelled,
    /// A dialog was gone sooner than a person can close one: the system has none to show.
    NoDialog,
    /// A file was written.
    Saved {
        /// What was saved.
        id: TextId,
        /// Where.
        path: PathBuf,
        /// What was written.
        text: String,
        /// Whether it worked.
        outcome: Result<(), String>,
    },
    /// A watched file changed.
    DiskChanged {
        /// Which.
        path: PathBuf,
        /// Its text, where it is a program that is open.
        text: Option<String>,
    },
    /// A mesh was loaded.
    MeshLoaded {
        /// For which document.
        document: DocumentId,
        /// The mesh.
        outcome: Result<SceneMesh, SceneError>,
    },
    /// A texture was loaded.
    TextureLoaded {
        /// For which document.
        document: DocumentId,
        /// The texture.
        outcome: Result<Box<SceneTexture>, SceneError>,
    },
    /// A picture was written.
    Exported(Result<PathBuf, String>),
    /// What earlier processes have left is known.
    DraftsFound(Box<Found>),
    /// Drafts cannot be kept, and why.
    DraftsFailed(String),
    /// A draft was opened again.
    Restored {
        /// The file that it was in.
        file: PathBuf,
        /// What the document is made of.
        restored: Restored,
        /// Why it was opened.
        why: Restoring,
    },
    /// A task came to nothing by a fault of our own; which.
    Failed(String),
}

/// Why a draft is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restoring {
    /// The person wants it.
    Asked,
    /// It was being run when its process died.
    Interrupted,
}

/// Starts tasks and collects their events.
pub struct Tasks {
    sender: Sender<Event>,
    events: Receiver<Event>,
    wake: Wake,
    own_writes: OwnWrites,
}

/// Held while a file is written and [`Event::Saved`] sent, and while one is read for [`Event::DiskChanged`]. So what we
/// write is known to be ours before anybody finds it on the disk.
pub type OwnWrites = Arc<Mutex<()>>;

impl Tasks {
    /// No tasks yet; `wake` is called when an event comes in.
    pub fn new(wake: Wake) -> Self {
        let (sender, events) = channel();
        Self { sender, events, wake, own_writes: OwnWrites::default() }
    }

    /// What orders our own writes and reports of others'.
    pub fn own_writes(&self) -> OwnWrites {
        Arc::clone(&self.own_writes)
    }

    /// An event that has come in.
    pub fn poll(&self) -> Option<Event> {
        self.events.try_recv().ok()
    }

    /// A sender for a long-lived source of events, with what to call after sending.
    pub fn source(&self) -> (Sender<Event>, Wake) {
        (self.sender.clone(), Wake::clone(&self.wake))
    }

    /// Runs `work` on a thread; it may have sent its event itself.
    fn spawn(&self, name: &str, work: impl FnOnce() -> Option<Event> + Send + 'static) {
        let (sender, wake) = self.source();
        let failed = name.to_owned();
        let started = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let work = std::panic::AssertUnwindSafe(work);
            let outcome = std::panic::catch_unwind(work).unwrap_or(Some(Event::Failed(failed)));
            if let Some(event) = outcome {
                // The receiver is gone only when the app is closing.
                let _closing = sender.send(event);
            }
            wake();
        });
        // Out of threads: the task is lost, as the system's own dialogs would be.
        drop(started);
    }

    /// Opens a program file, a scene folder or a `scene.toml`.
    pub fn open(&self, path: PathBuf) {
        self.spawn("open", move || Some(Event::Opened(open_editable(&path.to_string_lossy()))));
    }

    /// Opens what a person names on the command line, or a sample by its name.
    pub fn open_named(&self, name: String) {
        self.spawn("open", move || Some(Event::Opened(open_editable(&name))));
    }

    /// Loads the scene of `document` again from `path`.
    pub fn reload(&self, document: DocumentId, path: PathBuf) {
        self.spawn("reload", move || {
            let outcome = open_editable(&path.to_string_lossy());
            Some(Event::Reloaded { document, outcome })
        });
    }

    /// Opens a draft again.
    pub fn restore(&self, offer: &Offer, why: Restoring) {
        let (file, draft) = (offer.file.clone(), Arc::clone(&offer.draft));
        self.spawn("restore", move || Some(Event::Restored { file, restored: drafts::restore(&draft), why }));
    }

    /// Asks which file to open.
    pub fn choose_open(&self, start: Option<PathBuf>) {
        self.spawn("open dialog", move || {
            let dialog = rfd::FileDialog::new()
                .set_title("Open a program or a scene")
                .add_filter("Programs and scenes", &["fp", "fp1", "vp", "vsp", "txt", "toml"])
                .add_filter("All files", &["*"]);
            Some(match ask(|| in_folder(dialog, start.as_deref()).pick_file()) {
                Ok(path) => Event::OpenChosen(path),
                Err(declined) => declined,
            })
        });
    }

    /// Asks where to save the program `text`.
    pub fn choose_save(&self, text: TextId, name: String, start: Option<PathBuf>) {
        self.spawn("save dialog", move || {
            let dialog = rfd::FileDialog::new().set_title("Save the program").set_file_name(name);
            Some(match ask(|| in_folder(dialog, start.as_deref()).save_file()) {
                Ok(path) => Event::SaveChosen { text, path },
                Err(declined) => declined,
            })
        });
    }

    /// Writes `text` to `path`.
    pub fn save(&self, id: TextId, path: PathBuf, text: String) {
        let (own_writes, (sender, _)) = (self.own_writes(), self.source());
        self.spawn("save", move || {
            let _ours = own_writes.lock().unwrap_or_else(PoisonError::into_inner);
            let outcome = files::replace(&path, Durability::Synced, |file| file.write_all(text.as_bytes()));
            let outcome = outcome.map_err(|error| error.to_string());
            // The receiver is gone only when the app is closing.
            let _closing = sender.send(Event::Saved { id, path, text, outcome });
            None
        });
    }

    /// Makes or loads a mesh.
    pub fn load_mesh(&self, document: DocumentId, folder: scene::Folder, source: MeshSource) {
        self.spawn("mesh", move || {
            Some(Event::MeshLoaded { document, outcome: SceneMesh::load(&folder, source) })
        });
    }

    /// Asks for an OBJ file and loads it.
    pub fn choose_mesh(&self, document: DocumentId) {
        self.spawn("mesh dialog", move || {
            let dialog =
                rfd::FileDialog::new().set_title("Open a mesh").add_filter("Wavefront OBJ", &["obj"]);
            let path = match ask(|| dialog.pick_file()) {
                Ok(path) => path,
                Err(declined) => return Some(declined),
            };
            mesh_from(document, &path)
        });
    }

    /// Loads the OBJ file at `path`.
    pub fn load_mesh_file(&self, document: DocumentId, path: PathBuf) {
        self.spawn("mesh", move || mesh_from(document, &path));
    }

    /// Makes the texture that `spec` describes.
    pub fn load_texture(&self, document: DocumentId, folder: scene::Folder, spec: TextureSpec) {
        self.spawn("texture", move || {
            let outcome = SceneTexture::load(&folder, spec).map(Box::new);
            Some(Event::TextureLoaded { document, outcome })
        });
    }

    /// Asks for an image and makes the texture that `spec` describes of it.
    pub fn choose_texture(&self, document: DocumentId, spec: TextureSpec) {
        self.spawn("texture dialog", move || {
            let dialog = rfd::FileDialog::new()
                .set_title("Open an image")
                .add_filter("Images", &["png", "jpg", "jpeg"]);
            let path = match ask(|| dialog.pick_file()) {
                Ok(path) => path,
                Err(declined) => return Some(declined),
            };
            texture_from(document, spec, &path)
        });
    }

    /// Makes the texture that `spec` describes of the image at `path`.
    pub fn load_texture_file(&self, document: DocumentId, spec: TextureSpec, path: PathBuf) {
        self.spawn("texture", move || texture_from(document, spec, &path));
    }

    /// Asks where to, and writes `rgba` (8 bits a channel, top row first) as a PNG file.
    pub fn export_png(&self, name: String, size: [u32; 2], rgba: impl FnOnce() -> Vec<u8> + Send + 'static) {
        self.spawn("export", move || {
            let dialog = rfd::FileDialog::new()
                .set_title("Export the picture")
                .set_file_name(name)
                .add_filter("PNG", &["png"]);
            let path = match ask(|| dialog.save_file()) {
                Ok(path) => png_name(path),
                Err(declined) => return Some(declined),
            };
            Some(Event::Exported(write_png(&path, size, &rgba()).map(|()| path)))
        });
    }
}

/// Writes `rgba` (8 bits a channel, top row first) as a PNG file.
fn write_png(path: &Path, [width, height]: [u32; 2], rgba: &[u8]) -> Result<(), String> {
    let written = files::replace(path, Durability::Synced, |file| {
        let encoder = image::codecs::png::PngEncoder::new(file);
        encoder.write_image(rgba, width, height, image::ExtendedColorType::Rgba8).map_err(|error| match error
        {
            image::ImageError::IoError(error) => error,
            other => io::Error::other(other),
        })
    });
    written.map_err(|error| error.to_string())
}

/// As [`scene::open`], for a text that can be edited and saved.
///
/// # Errors
/// As there, and where a program is no text at all: saving would destroy the file.
fn open_editable(target: &str) -> Result<Box<Scene>, SceneError> {
    let mut scene = scene::open(target)?;
    for (_, program) in scene.programs.iter_mut() {
        let text = text_of(&program.text).ok_or_else(|| {
            let what = "this is neither a program nor a scene, but data of another kind";
            let file =
                program.path.as_ref().map_or_else(|| target.to_owned(), |path| path.display().to_string());
            SceneError::new(file, what)
        })?;
        if text.as_bytes() != &*program.text {
            program.text = text.into_bytes().into();
        }
    }
    Ok(Box::new(scene))
}

/// The text in a file: UTF-8, else Latin-1, in which older programs have their comments. `None` if it is
/// no text.
pub(crate) fn text_of(bytes: &[u8]) -> Option<String> {
    if bytes.contains(&0) {
        return None;
    }
    let text = std::str::from_utf8(bytes).map(str::to_owned);
    Some(text.unwrap_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect()))
}

fn texture_from(document: DocumentId, mut spec: TextureSpec, path: &Path) -> Option<Event> {
    let (folder, name) = split(path)?;
    spec.images = vec![scene::ImageSource::File(name)];
    let outcome = SceneTexture::load(&folder, spec).map(Box::new);
    Some(Event::TextureLoaded { document, outcome })
}

fn mesh_from(document: DocumentId, path: &Path) -> Option<Event> {
    let (folder, name) = split(path)?;
    Some(Event::MeshLoaded { document, outcome: SceneMesh::load(&folder, MeshSource::File(name)) })
}

/// `path` with `.png` at its end, if it has no extension. Not where that would overwrite a file that
/// nobody was asked about.
fn png_name(path: PathBuf) -> PathBuf {
    let named = path.with_extension("png");
    if path.extension().is_some() || path.exists() || named.exists() { path } else { named }
}

/// No person closes a dialog sooner than this after it was asked for.
const SOONEST: Duration = Duration::from_millis(150);

/// The choice, or the event that says why there is none. The dialog library does not tell a dialog that
/// could not be shown from one that was closed; the time it took does.
fn ask(choose: impl FnOnce() -> Option<PathBuf>) -> Result<PathBuf, Event> {
    let asked = Instant::now();
    choose().ok_or_else(|| if asked.elapsed() < SOONEST { Event::NoDialog } else { Event::DialogCancelled })
}

fn in_folder(dialog: rfd::FileDialog, folder: Option<&Path>) -> rfd::FileDialog {
    match folder {
        Some(folder) => dialog.set_directory(folder),
        None => dialog,
    }
}

/// A file chosen anywhere, as a folder and a name within it. The person may have chosen a link to it.
fn split(path: &Path) -> Option<(scene::Folder, String)> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let name = path.file_name()?.to_string_lossy().into_owned();
    let folder = path.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf);
    Some((scene::Folder::Disk(folder), name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialog_that_cannot_be_shown_is_told_from_one_that_was_closed() {
        assert!(matches!(ask(|| None), Err(Event::NoDialog)));
        let closed = ask(|| {
            std::thread::sleep(SOONEST * 2);
            None
        });
        assert!(matches!(closed, Err(Event::DialogCancelled)));
        assert!(ask(|| Some(PathBuf::from("a.fp"))).is_ok());
    }

    #[test]
    fn texts_are_read_whole_and_other_data_is_refused() {
        assert_eq!(text_of("# ä\n".as_bytes()).as_deref(), Some("# ä\n"));
        assert_eq!(text_of(b"# \xA9 2002, \xE4\n").as_deref(), Some("# © 2002, ä\n"));
        assert_eq!(text_of(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"), None);
        let path = std::env::temp_dir().join(format!("shadestep-data-{}.fp", std::process::id()));
        std::fs::write(&path, b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR").unwrap();
        let opened = open_editable(&path.to_string_lossy());
        std::fs::remove_file(&path).unwrap();
        let error = opened.unwrap_err();
        assert!(error.to_string().contains("neither a program nor a scene"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_full_disk_is_told_and_nothing_is_cut() {
        let folder = std::env::temp_dir().join(format!("shadestep-full-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.fp");
        std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        let tasks = Tasks::new(Arc::new(|| {}));
        let id = TextId { document: DocumentId(1), slot: scene::Slot::Fragment };
        tasks.save(id, path.clone(), "text".to_owned());
        let Ok(Event::Saved { outcome, .. }) = tasks.events.recv() else { panic!("not saved") };
        assert!(outcome.unwrap_err().contains("space"), "of the disk");
        assert!(write_png(&path, [1, 1], &[0; 4]).unwrap_err().contains("space"), "of the disk");
        assert!(path.is_symlink());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn exported_pictures_are_whole_or_not_there() {
        let folder = std::env::temp_dir().join(format!("shadestep-export-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.png");
        write_png(&path, [2, 1], &[255, 0, 0, 255, 0, 0, 255, 128]).unwrap();
        let read = image::open(&path).unwrap().to_rgba8();
        assert_eq!((read.dimensions(), &*read), ((2, 1), [255, 0, 0, 255, 0, 0, 255, 128].as_slice()));
        // A size that is not the data's makes no picture; the one before stays.
        let before = std::fs::read(&path).unwrap();
        let wrong = std::panic::catch_unwind(|| write_png(&path, [2, 2], &[0; 4]));
        assert!(!matches!(wrong, Ok(Ok(()))));
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn pictures_get_their_extension_where_that_overwrites_nothing() {
        let folder = std::env::temp_dir().join(format!("shadestep-png-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name);
        assert_eq!(png_name(path("a")), path("a.png"));
        assert_eq!(png_name(path("a.PNG")), path("a.PNG"));
        std::fs::write(path("a.png"), "").unwrap();
        assert_eq!(png_name(path("a")), path("a"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
