//! Work that waits on disks and people: opening, saving, dialogs, exports. Each task runs on its own thread
//! and reports with an [`Event`], so the UI thread never waits.

pub(crate) mod path_prompt;

pub use path_prompt::{PathEntry, PathPrompt, PromptProgress, list_folder};

use crate::drafts::{Autosave, DraftNews, Offer, RunGuard};
use crate::export::{self, ExportError, Progress, Snapshot, Spec, write_png};
use crate::files::{self, Durability, Written};
use crate::lesson::{Course, Lesson};
use crate::mailbox::Wake;
use crate::model::{
    self, Content, DocumentId, Draft, OpenTab, Reading, Restored, Save, SaveFile, TabSource, text_of,
};
use crate::scene::{self, MeshSource, Scene, SceneError, SceneMesh, SceneTexture, TextureSpec};
use crate::theme::FontFile;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The result of a task.
pub enum Event {
    /// A scene or program was opened.
    Opened {
        /// The path or name given.
        target: OsString,
        outcome: Result<Box<Scene>, SceneError>,
    },
    /// A course was opened.
    CourseOpened(Result<Arc<Course>, SceneError>),
    /// The start of a lesson was opened.
    LessonOpened(Arc<Lesson>, Result<Begun, SceneError>),
    /// The tabs of the last session were opened.
    TabsRestored(Vec<RestoredTab>),
    /// The scene of a text of `scene.toml` was read, with its files.
    SceneRead {
        /// The document of the text.
        document: DocumentId,
        /// The text of `scene.toml`.
        text: String,
        outcome: Result<Box<Scene>, SceneError>,
    },
    /// The user chose a path.
    Chosen(Purpose, PathBuf),
    /// The user closed a dialog without a choice.
    DialogCancelled,
    /// The system has no file dialog: the dialog closed sooner than a person can react.
    NoDialog(Question),
    /// The entries of a folder.
    Listed(PathBuf, Vec<PathEntry>),
    /// Files were written: all of them or, after an error, the ones before the faulty file.
    Saved {
        save: Save,
        /// The first file with a warning, or the file that could not be written with the reason.
        outcome: Result<Option<(PathBuf, String)>, (PathBuf, String)>,
    },
    /// A watched file changed.
    DiskChanged {
        path: PathBuf,
        /// The file's text, if it is an open program.
        text: Option<String>,
    },
    /// A mesh was loaded.
    MeshLoaded {
        /// The document that requested the mesh.
        document: DocumentId,
        outcome: Result<SceneMesh, SceneError>,
    },
    /// A texture was loaded.
    TextureLoaded {
        /// The document that requested the texture.
        document: DocumentId,
        outcome: Result<Box<SceneTexture>, SceneError>,
    },
    /// The font file at a path was read.
    FontRead(PathBuf, Result<FontFile, String>),
    /// A map or a text was written.
    Exported(Result<(PathBuf, Written), String>),
    /// A picture or a sequence was written, or the export failed.
    PictureExported(PathBuf, Result<Written, ExportError>),
    /// An event of the thread that keeps drafts.
    Drafts(DraftNews),
    /// A draft was opened.
    Restored {
        /// The draft's file.
        file: PathBuf,
        /// The parts of the document.
        restored: Restored,
        /// The reason for opening it.
        why: Restoring,
    },
    /// The named task failed because of an internal error.
    Failed(String),
}

/// The name of the task that opens the tabs of the last session.
pub const RESTORE_TABS: &str = "restore tabs";

/// The name of the task that exports a picture or a sequence.
pub const EXPORT_PICTURE: &str = "export picture";

/// The source of a new document.
pub enum Begun {
    /// A scene with the texts of its files.
    Scene(Box<Scene>),
    /// The learner's saved answer to a lesson.
    Answer(Box<Restored>),
}

/// A tab with the document that was opened for it.
pub type RestoredTab = (OpenTab, Result<Begun, SceneError>);

/// The purpose of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Purpose {
    /// A program or scene to open.
    Open,
    /// The folder of a course to open.
    Course,
    /// Where to save the lone program of a document.
    SaveProgram(DocumentId),
    /// The folder to save a scene in.
    SaveScene(DocumentId),
    /// Where to write a copy of the text in front.
    SaveCopy(DocumentId),
    /// An OBJ file to draw.
    Mesh(DocumentId),
    /// An image for a texture.
    Texture(DocumentId, Box<TextureSpec>),
    /// A font file for program text.
    Font,
    /// Where to write the picture or the sequence.
    Export(DocumentId, Box<Spec>),
    /// Where to write the shown map as a picture.
    ExportMap(DocumentId),
    /// Where to write the values of the shown map.
    ExportValues(DocumentId),
}

impl Purpose {
    /// Returns the document that the path is for, if there is one.
    pub const fn document(&self) -> Option<DocumentId> {
        match self {
            Self::Open | Self::Course | Self::Font => None,
            Self::SaveProgram(id)
            | Self::SaveScene(id)
            | Self::SaveCopy(id)
            | Self::Mesh(id)
            | Self::Texture(id, _)
            | Self::Export(id, _)
            | Self::ExportMap(id)
            | Self::ExportValues(id) => Some(*id),
        }
    }

    /// Returns the title of the dialog.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Open => "Open a program or a scene",
            Self::Course => "Open a course folder",
            Self::Font => "Choose a font for program text",
            Self::SaveProgram(_) => "Save the program",
            Self::SaveScene(_) => "Save the scene in a new folder",
            Self::SaveCopy(_) => "Save a copy",
            Self::Mesh(_) => "Open a mesh",
            Self::Texture(..) => "Open an image",
            Self::Export(_, spec) => match spec.content {
                export::Content::Picture => "Export the picture",
                export::Content::Files(_) => "Export the frames to a new folder",
                export::Content::Animation(..) => "Export the animation",
            },
            Self::ExportMap(_) => "Export the map",
            Self::ExportValues(_) => "Export the map's values",
        }
    }

    /// Returns true if the path is for a new file or folder.
    pub const fn is_saving(&self) -> bool {
        matches!(
            self,
            Self::SaveProgram(_)
                | Self::SaveScene(_)
                | Self::SaveCopy(_)
                | Self::Export(..)
                | Self::ExportMap(_)
                | Self::ExportValues(_)
        )
    }

    /// Returns the name and the extensions of the accepted files. No extensions accept all files.
    pub fn filter(&self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Open => ("Programs and scenes", OPENED),
            Self::Font => ("Fonts", &["ttf", "otf", "ttc"]),
            Self::Mesh(_) => ("Wavefront OBJ", &["obj"]),
            Self::Texture(..) => ("Images", &["png", "jpg", "jpeg"]),
            Self::Export(_, spec) => match spec.content {
                export::Content::Picture => ("PNG", spec.extensions()),
                export::Content::Files(_) => ("All files", spec.extensions()),
                export::Content::Animation(export::AnimationKind::Apng, _) => {
                    ("Animated PNG", spec.extensions())
                }
                export::Content::Animation(export::AnimationKind::Gif, _) => ("GIF", spec.extensions()),
            },
            Self::ExportMap(_) => ("PNG", &["png"]),
            Self::ExportValues(_) => ("CSV", &["csv"]),
            Self::Course | Self::SaveProgram(_) | Self::SaveScene(_) | Self::SaveCopy(_) => {
                ("All files", &[])
            }
        }
    }
}

/// Extensions of programs and scenes: the app's own extensions ([`scene::Slot::extension`]) and common
/// others.
const OPENED: &[&str] =
    &["toml", "fp", "vp", "vsp", "gp", "tcp", "tep", "fp1", "arbfp", "arbvp", "nvfp5", "txt"];

/// A request for a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub purpose: Purpose,
    /// The folder to begin in.
    pub folder: Option<PathBuf>,
    /// The suggested name.
    pub name: String,
}

/// The reason for opening a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restoring {
    /// The user asked for it.
    Asked,
    /// Its programs were running when their process died.
    Interrupted,
}

/// Starts tasks and collects their events.
pub struct Tasks {
    sender: Sender<Event>,
    events: Receiver<Event>,
    wake: Wake,
    own_writes: OwnWrites,
    under_way: Arc<AtomicUsize>,
}

/// Locked while a file is written and [`Event::Saved`] sent, and while a file is read for
/// [`Event::DiskChanged`]. So the app knows that a write is its own before the watcher reports the change.
pub type OwnWrites = Arc<Mutex<()>>;

impl Tasks {
    /// Creates a collection without tasks. `wake` is called when an event arrives.
    pub fn new(wake: Wake) -> Self {
        let (sender, events) = channel();
        Self { sender, events, wake, own_writes: OwnWrites::default(), under_way: Arc::default() }
    }

    /// Returns true if a task is running. When it returns false, the events of all tasks are available.
    pub fn is_busy(&self) -> bool {
        self.under_way.load(Ordering::SeqCst) > 0
    }

    /// Returns the lock that orders the app's own writes and reports of other programs' writes.
    pub fn own_writes(&self) -> OwnWrites {
        Arc::clone(&self.own_writes)
    }

    /// Returns the next event, if there is one.
    pub fn poll(&self) -> Option<Event> {
        self.events.try_recv().ok()
    }

    /// Returns a sender for a long-lived source of events, and a function to call after sending.
    pub fn source(&self) -> (Sender<Event>, Wake) {
        (self.sender.clone(), Wake::clone(&self.wake))
    }

    /// Starts to keep drafts in `folder`. The thread reports with [`Event::Drafts`].
    pub fn keep_drafts(&self, folder: Option<PathBuf>) -> Autosave {
        let (sender, wake) = self.source();
        let report = move |news| {
            // The receiver is gone only when the app is closing.
            let _closing = sender.send(Event::Drafts(news));
            wake();
        };
        Autosave::start(folder, Arc::new(report))
    }

    /// Runs `work` on a thread. `work` returns its event, or `None` if it has sent it.
    fn spawn(&self, name: &str, work: impl FnOnce() -> Option<Event> + Send + 'static) {
        let (sender, wake) = self.source();
        let failed = name.to_owned();
        let under_way = Arc::clone(&self.under_way);
        under_way.fetch_add(1, Ordering::SeqCst);
        let started = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let work = std::panic::AssertUnwindSafe(work);
            let outcome = std::panic::catch_unwind(work).unwrap_or(Some(Event::Failed(failed)));
            if let Some(event) = outcome {
                // The receiver is gone only when the app is closing.
                let _closing = sender.send(event);
            }
            under_way.fetch_sub(1, Ordering::SeqCst);
            wake();
        });
        if started.is_err() {
            // The system refuses another thread.
            self.under_way.fetch_sub(1, Ordering::SeqCst);
            let _closing = self.sender.send(Event::Failed(name.to_owned()));
        }
    }

    /// Opens a program file, a scene folder or a `scene.toml`.
    pub fn open(&self, path: PathBuf) {
        self.open_named(path.into_os_string());
    }

    /// Opens the target given on the command line, or a sample by name.
    pub fn open_named(&self, name: OsString) {
        self.spawn("open", move || {
            let outcome = open_editable(&name);
            Some(Event::Opened { target: name, outcome })
        });
    }

    /// Opens the course in the folder `path`.
    pub fn open_course(&self, path: PathBuf) {
        self.spawn("open course", move || Some(Event::CourseOpened(Course::open(&path).map(Arc::new))));
    }

    /// Opens the start of `lesson`, or the `answer` if there is one.
    pub fn open_lesson(&self, lesson: Arc<Lesson>, answer: Option<Arc<Draft>>) {
        self.spawn("open lesson", move || {
            let start = || {
                let mut scene = lesson.start()?;
                as_text(&mut scene).map(|()| Begun::Scene(Box::new(scene)))
            };
            let opened = answer.map_or_else(start, |answer| Ok(answered(&answer)));
            Some(Event::LessonOpened(lesson, opened))
        });
    }

    /// Opens the documents of `tabs`, with answers for the tabs that are lessons.
    pub fn restore_tabs(&self, tabs: Vec<(OpenTab, Option<Arc<Draft>>)>) {
        self.spawn(RESTORE_TABS, move || {
            let open = |tab: &OpenTab| match &tab.source {
                TabSource::File(path) => open_editable(path.as_os_str()).map(Begun::Scene),
                TabSource::Bundled(name) => match scene::bundled_folder(name) {
                    Some(name) => scene::load_bundled(name).map(|scene| Begun::Scene(Box::new(scene))),
                    None => Err(SceneError::new(name, "there is no longer a sample of that name")),
                },
            };
            let restored = tabs.into_iter().map(|(tab, answer)| {
                let begun = answer.map_or_else(|| open(&tab), |answer| Ok(answered(&answer)));
                (tab, begun)
            });
            Some(Event::TabsRestored(restored.collect()))
        });
    }

    /// Reads the scene of `document`, with its files.
    pub fn read_scene(&self, document: DocumentId, reading: Reading) {
        self.spawn("read scene", move || {
            let mut outcome = reading.read().map(Box::new);
            if let Ok(scene) = &mut outcome
                && let Err(error) = as_text(scene)
            {
                outcome = Err(error);
            }
            Some(Event::SceneRead { document, text: reading.text, outcome })
        });
    }

    /// Opens a draft.
    pub fn restore(&self, offer: &Offer, why: Restoring) {
        let (file, draft) = (offer.file.clone(), Arc::clone(&offer.draft));
        self.spawn("restore", move || Some(Event::Restored { file, restored: model::restore(&draft), why }));
    }

    /// Asks for a path with the system's dialog.
    pub fn ask(&self, question: Question) {
        self.spawn("dialog", move || {
            let (title, extensions) = question.purpose.filter();
            let mut dialog = rfd::FileDialog::new().set_title(question.purpose.title());
            if !extensions.is_empty() {
                dialog = dialog.add_filter(title, extensions);
            }
            if question.purpose == Purpose::Open {
                dialog = dialog.add_filter("All files", &["*"]);
            }
            if let Some(folder) = &question.folder {
                dialog = dialog.set_directory(folder);
            }
            let choose = || match &question.purpose {
                Purpose::Course => dialog.pick_folder(),
                purpose if purpose.is_saving() => dialog.set_file_name(&question.name).save_file(),
                _ => dialog.pick_file(),
            };
            if !may_have_dialog() {
                return Some(Event::NoDialog(question));
            }
            Some(match ask(choose) {
                Ok(path) => Event::Chosen(question.purpose, path),
                Err(Declined::Cancelled) => Event::DialogCancelled,
                Err(Declined::NotShown) => Event::NoDialog(question),
            })
        });
    }

    /// Reads the font file at `path`.
    pub fn read_font(&self, path: PathBuf) {
        self.spawn("read font", move || {
            let font = FontFile::read(&path);
            Some(Event::FontRead(path, font))
        });
    }

    /// Lists the entries of `folder`.
    pub fn list(&self, folder: PathBuf) {
        self.spawn("list", move || {
            let entries = list_folder(&folder);
            Some(Event::Listed(folder, entries))
        });
    }

    /// Writes the files of `save`.
    pub fn save(&self, save: Save) {
        let (own_writes, (sender, _)) = (self.own_writes(), self.source());
        self.spawn("save", move || {
            let _ours = own_writes.lock().unwrap_or_else(PoisonError::into_inner);
            let outcome = write_all(&save);
            // The receiver is gone only when the app is closing.
            let _closing = sender.send(Event::Saved { save, outcome });
            None
        });
    }

    /// Writes the output of `text` to `path`, without opening it as a document. A name without an extension
    /// gets `extension`, if that is not empty.
    pub fn export_text(
        &self,
        path: PathBuf,
        extension: &'static str,
        text: impl FnOnce() -> String + Send + 'static,
    ) {
        self.spawn("export", move || {
            let (path, text) = (named(path, extension), text());
            let outcome = files::replace(&path, Durability::Synced, |file| file.write_all(text.as_bytes()));
            Some(Event::Exported(outcome.map(|written| (path, written)).map_err(|error| error.to_string())))
        });
    }

    /// Builds or loads a mesh.
    pub fn load_mesh(&self, document: DocumentId, folder: scene::Folder, source: MeshSource) {
        self.spawn("mesh", move || {
            Some(Event::MeshLoaded { document, outcome: SceneMesh::load(&folder, source) })
        });
    }

    /// Builds the texture of `spec`. Shares the images of one of `others` if possible.
    pub fn load_texture(
        &self,
        document: DocumentId,
        others: Vec<SceneTexture>,
        folder: scene::Folder,
        spec: TextureSpec,
    ) {
        self.spawn("texture", move || {
            let outcome = SceneTexture::load_beside(&others, &folder, spec).map(Box::new);
            Some(Event::TextureLoaded { document, outcome })
        });
    }

    /// Draws and writes the picture or the sequence of `spec`. `path` comes from [`export_path`]. `guard`
    /// notes the programs that run.
    pub fn export_picture(
        &self,
        path: PathBuf,
        (spec, snapshot): (Spec, Snapshot),
        (mut guard, progress): (RunGuard, Arc<Progress>),
    ) {
        self.spawn(EXPORT_PICTURE, move || {
            let work = || export::run(&snapshot, &spec, &path, &mut guard, &progress);
            // An internal error ends the export, so that another one can begin.
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|_| {
                Err(io::Error::other("internal error in Shadestep; please report it with the program").into())
            });
            Some(Event::PictureExported(path, outcome))
        });
    }

    /// Writes `rgba` (8 bits per channel, top row first) as a PNG file.
    pub fn export_png(&self, path: PathBuf, size: [u32; 2], rgba: impl FnOnce() -> Vec<u8> + Send + 'static) {
        self.spawn("export", move || {
            let path = named(path, "png");
            let written =
                write_png(&path, Durability::Synced, size, &rgba()).map_err(|error| error.to_string());
            Some(Event::Exported(written.map(|written| (path, written))))
        });
    }
}

/// Writes every file of `save`. Returns the first warning with its file. Fails if the new folder exists and
/// is not empty.
///
/// # Errors
/// The first file that cannot be written, and the reason.
fn write_all(save: &Save) -> Result<Option<(PathBuf, String)>, (PathBuf, String)> {
    if let Some(folder) = &save.new_folder {
        let fault = |error: io::Error| (folder.clone(), error.to_string());
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries.count(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(fault(error)),
        };
        if entries > 0 {
            let words = "this folder is not empty: choose a new name";
            return Err((folder.clone(), words.to_owned()));
        }
        std::fs::create_dir_all(folder).map_err(fault)?;
    }
    let mut warned = None;
    for file in &save.files {
        let written = write_one(file).map_err(|error| (file.path.clone(), error))?;
        warned = warned.or_else(|| Some((file.path.clone(), written.warning()?)));
    }
    Ok(warned)
}

fn write_one(file: &SaveFile) -> Result<Written, String> {
    let bytes = match &file.content {
        Content::Text(_, text) | Content::Plain(text) => std::borrow::Cow::Borrowed(text.as_bytes()),
        Content::Copy(folder, name) => folder.read(name).map_err(|error| error.to_string())?,
    };
    if let (Content::Copy(..), Some(folder)) = (&file.content, file.path.parent()) {
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    }
    files::replace(&file.path, Durability::Synced, |out| out.write_all(&bytes))
        .map_err(|error| error.to_string())
}

/// Returns a lesson with the texts of its `answer`.
fn answered(answer: &Draft) -> Begun {
    Begun::Answer(Box::new(model::restore(answer)))
}

/// As [`scene::open`], for a text that can be edited and saved.
///
/// # Errors
/// As [`scene::open`], and if a program is not text at all: saving would destroy the file.
fn open_editable(target: &OsStr) -> Result<Box<Scene>, SceneError> {
    let mut scene = Box::new(scene::open(target)?);
    if let scene::Folder::Disk(folder) = &scene.folder {
        files::remove_unfinished(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    }
    as_text(&mut scene)?;
    Ok(scene)
}

/// Converts every program of `scene` to UTF-8 text.
///
/// # Errors
/// A program is not text at all.
fn as_text(scene: &mut Scene) -> Result<(), SceneError> {
    for (_, program) in scene.programs.iter_mut() {
        let text = text_of(&program.text).ok_or_else(|| {
            let what = "this file is neither a program nor a scene";
            let path = program.path.as_ref().map(|path| path.display().to_string());
            SceneError::new(path.unwrap_or_else(|| program.name.clone()), what)
        })?;
        if text.as_bytes() != &*program.text {
            program.text = text.into_bytes().into();
        }
    }
    Ok(())
}

/// Returns `path` with the extension of `spec` if the name has none.
pub fn export_path(path: PathBuf, spec: &Spec) -> PathBuf {
    match spec.extensions().first() {
        Some(extension) => named(path, extension),
        None => path,
    }
}

/// Appends `extension` to `path` if the name has none and `extension` is not empty. Leaves `path` unchanged
/// if the result would overwrite a file that the user was not asked about.
fn named(path: PathBuf, extension: &str) -> PathBuf {
    let named = path.with_extension(extension);
    if path.extension().is_some() || path.exists() || named.exists() { path } else { named }
}

/// Shortest time in which a person can close a dialog.
const SOONEST: Duration = Duration::from_millis(400);

/// Returns true if the system may have a file dialog. On Linux and similar systems this needs a desktop
/// portal on the session's bus, or zenity.
fn may_have_dialog() -> bool {
    if !cfg!(unix) || cfg!(target_os = "macos") {
        return true;
    }
    let bus = std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some_and(|address| !address.is_empty());
    let runtime = std::env::var_os("XDG_RUNTIME_DIR");
    let bus = bus || runtime.is_some_and(|folder| Path::new(&folder).join("bus").exists());
    let path = std::env::var_os("PATH").unwrap_or_default();
    bus || std::env::split_paths(&path).any(|folder| folder.join("zenity").is_file())
}

/// The reason why a dialog returned no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declined {
    /// The user closed it.
    Cancelled,
    /// The system has no dialog.
    NotShown,
}

/// Returns the choice. The dialog library reports a dialog that could not open like one that was closed, so
/// the elapsed time distinguishes them.
fn ask(choose: impl FnOnce() -> Option<PathBuf>) -> Result<PathBuf, Declined> {
    let asked = Instant::now();
    choose().ok_or_else(|| if asked.elapsed() < SOONEST { Declined::NotShown } else { Declined::Cancelled })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Part;

    #[test]
    fn a_dialog_that_cannot_be_shown_is_told_from_one_that_was_closed() {
        assert!(matches!(ask(|| None), Err(Declined::NotShown)));
        let closed = ask(|| {
            std::thread::sleep(SOONEST * 2);
            None
        });
        assert!(matches!(closed, Err(Declined::Cancelled)));
        assert!(ask(|| Some(PathBuf::from("a.fp"))).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_full_disk_is_told_and_nothing_is_cut() {
        let folder = std::env::temp_dir().join(format!("shadestep-full-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.fp");
        std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        let tasks = Tasks::new(Arc::new(|| {}));
        let content = Content::Text(Part::Program(scene::Slot::Fragment), "text".to_owned());
        let files = vec![SaveFile { path: path.clone(), content }];
        tasks.save(Save { document: DocumentId(1), new_folder: None, files });
        let Ok(Event::Saved { outcome, .. }) = tasks.events.recv() else { panic!("not saved") };
        let (fault, words) = outcome.unwrap_err();
        assert!(fault == path && words.contains("space"), "of the disk");
        assert!(
            write_png(&path, Durability::Synced, [1, 1], &[0; 4]).unwrap_err().to_string().contains("space"),
            "of the disk"
        );
        assert!(path.is_symlink());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn exported_pictures_are_whole_or_not_there() {
        let folder = std::env::temp_dir().join(format!("shadestep-export-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.png");
        let written = write_png(&path, Durability::Synced, [2, 1], &[255, 0, 0, 255, 0, 0, 255, 128]);
        assert_eq!(written.unwrap(), Written::Durable);
        let read = image::open(&path).unwrap().to_rgba8();
        assert_eq!((read.dimensions(), &*read), ((2, 1), [255, 0, 0, 255, 0, 0, 255, 128].as_slice()));
        // Data of the wrong size fails, and the old file stays.
        let before = std::fs::read(&path).unwrap();
        let wrong = std::panic::catch_unwind(|| write_png(&path, Durability::Synced, [2, 2], &[0; 4]));
        assert!(!matches!(wrong, Ok(Ok(_))));
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn pictures_get_their_extension_where_that_overwrites_nothing() {
        let folder = std::env::temp_dir().join(format!("shadestep-png-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name);
        assert_eq!(named(path("a"), "png"), path("a.png"));
        assert_eq!(named(path("a.PNG"), "png"), path("a.PNG"));
        std::fs::write(path("a.png"), "").unwrap();
        assert_eq!(named(path("a"), "png"), path("a"));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn everything_that_is_written_can_be_opened() {
        let (_, listed) = Purpose::Open.filter();
        let has = |name: &str| {
            let extension = Path::new(name).extension().unwrap_or_default().to_string_lossy().into_owned();
            assert!(listed.contains(&&*extension), "{name}");
        };
        for slot in scene::Slot::SINGLE.into_iter().chain([scene::Slot::State(0)]) {
            has(&format!("x.{}", slot.extension()));
        }
        has(scene::SCENE_FILE);
        for sample in scene::bundled() {
            sample.load().unwrap().programs.iter().for_each(|(_, program)| has(&program.name));
        }
        for template in model::NEW_PROGRAMS.iter().chain(&model::NEW_SCENES) {
            template.scene(1).unwrap().programs.iter().for_each(|(_, program)| has(&program.name));
        }
    }

    #[test]
    fn what_is_no_text_is_not_opened() {
        let path = std::env::temp_dir().join(format!("shadestep-data-{}.fp", std::process::id()));
        std::fs::write(&path, b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR").unwrap();
        let opened = open_editable(path.as_os_str());
        std::fs::remove_file(&path).unwrap();
        let error = opened.unwrap_err();
        assert!(error.to_string().contains("neither a program nor a scene"), "{error}");
    }
}
