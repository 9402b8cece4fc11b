//! [`Draft`]: a snapshot of a document's texts, with the saved texts and the document's origin. Plain data,
//! which `drafts` stores on disk so that a crash loses nothing.

use super::breakpoint::DraftBreakpoint;
use super::{Document, TextFile};
use crate::scene::{Folder, Slot};
use fnv::FnvHasher;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::Hasher as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A snapshot of the texts of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The document's number in the process that had it open.
    pub document: u64,
    /// The title of its tab.
    pub title: String,
    /// Milliseconds since 1970, UTC.
    written_ms: u64,
    /// The scene to open around the texts.
    pub origin: Origin,
    /// The program in front.
    #[serde(with = "slot_name")]
    pub front: Slot,
    /// The text of `scene.toml`, if it differs from the text of the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<DraftScene>,
    /// Watched expressions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub watches: Vec<String>,
    /// All programs, in order.
    pub programs: Vec<DraftProgram>,
}

/// A changed `scene.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftScene {
    /// Byte offset of the caret.
    pub caret: usize,
    /// The text before the changes.
    pub saved: String,
    pub text: String,
    /// Files from other folders, by their names in the scene.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub chosen: BTreeMap<String, StoredPath>,
}

/// The source that the document was opened from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A single program in the default scene.
    Program,
    /// A bundled sample, by the name of its folder.
    Sample(String),
    /// A `scene.toml` on disk.
    Scene(StoredPath),
}

/// One program of a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftProgram {
    #[serde(with = "slot_name")]
    pub slot: Slot,
    /// The name of its file, or a suggested name.
    pub name: String,
    /// Its file, if it has one.
    path: Option<StoredPath>,
    /// Byte offset of the caret.
    pub caret: usize,
    /// The file's text before the changes, if it differs from `text`.
    saved: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breakpoints: Vec<DraftBreakpoint>,
    pub text: String,
}

/// A path in a text file: text if it is UTF-8, else raw bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StoredPath {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Raw(std::ffi::OsString),
}

impl StoredPath {
    /// Stores `path` as an absolute path, because the next process may have another working directory.
    pub fn new(path: &Path) -> Self {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        path.into_os_string().into_string().map_or_else(Self::Raw, Self::Text)
    }

    pub fn to_path(&self) -> PathBuf {
        match self {
            Self::Text(text) => PathBuf::from(text),
            Self::Raw(raw) => PathBuf::from(raw),
        }
    }
}

impl Draft {
    /// Takes a snapshot of `document`.
    pub fn of(document: &Document) -> Self {
        let program = |(slot, program): (Slot, &TextFile)| DraftProgram {
            slot,
            name: program.file_name(slot),
            path: program.path().map(StoredPath::new),
            caret: program.caret,
            saved: program.is_modified().then(|| program.saved().to_owned()),
            breakpoints: draft_breakpoints(program),
            text: program.text.clone(),
        };
        let scene = document.scene_text();
        let scene = scene.is_modified().then(|| DraftScene {
            caret: scene.caret,
            saved: scene.saved().to_owned(),
            text: scene.text.clone(),
            chosen: document
                .chosen_files()
                .map(|(name, path)| (name.to_owned(), StoredPath::new(path)))
                .collect(),
        });
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            document: document.id.0,
            title: document.name(),
            written_ms: u64::try_from(since.as_millis()).unwrap_or(0),
            origin: Origin::of(document),
            front: document.active_slot(),
            scene,
            watches: document.watches.clone(),
            programs: document.programs().iter().map(program).collect(),
        }
    }

    /// Returns true if breakpoints and watches equal those of `document`, which has the same programs.
    pub fn marks_as(&self, document: &Document) -> bool {
        let mut programs = document.programs().iter();
        let same = |kept: &DraftProgram| {
            programs.next().is_some_and(|(_, program)| kept.breakpoints == draft_breakpoints(program))
        };
        self.watches == document.watches && self.programs.iter().all(same)
    }

    /// Returns the time of the snapshot.
    pub fn written(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.written_ms)
    }

    /// Returns the programs with unsaved changes.
    pub fn modified(&self) -> impl Iterator<Item = &DraftProgram> {
        self.programs.iter().filter(|program| program.is_modified())
    }

    /// Returns a hash of the programs and their origin, which is the same in every version of Shadestep.
    /// Parameters and the picture size are not part of the hash, because a program that never ends with one
    /// value probably never ends with another.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Sum::default();
        match &self.origin {
            Origin::Program => {}
            Origin::Sample(name) => hash.add(name.as_bytes()),
            Origin::Scene(path) => hash.add(path.to_path().as_os_str().as_encoded_bytes()),
        }
        for program in &self.programs {
            hash.add(slot_name::of(program.slot).as_bytes());
            hash.add(program.text.as_bytes());
        }
        hash.value()
    }
}

fn draft_breakpoints(program: &TextFile) -> Vec<DraftBreakpoint> {
    program.breakpoints.iter().map(|(line, breakpoint)| DraftBreakpoint::new(*line, breakpoint)).collect()
}

impl DraftProgram {
    pub fn path(&self) -> Option<PathBuf> {
        self.path.as_ref().map(StoredPath::to_path)
    }

    /// Returns true if the text differs from its file's text.
    pub fn is_modified(&self) -> bool {
        self.saved.is_some()
    }

    /// Returns the file's text before the changes.
    pub fn saved(&self) -> &str {
        self.saved.as_deref().unwrap_or(&self.text)
    }
}

impl Origin {
    /// Returns the path of the `scene.toml`, if the origin is one.
    pub fn scene_file(&self) -> Option<PathBuf> {
        match self {
            Self::Scene(path) => Some(path.to_path()),
            Self::Program | Self::Sample(_) => None,
        }
    }

    fn of(document: &Document) -> Self {
        match (document.scene_text().path(), document.own_folder()) {
            (Some(file), _) => Self::Scene(StoredPath::new(file)),
            (None, Folder::Bundled(name)) => Self::Sample((*name).to_owned()),
            (None, _) => Self::Program,
        }
    }
}

/// A 64-bit FNV-1a hash of a sequence of parts, each followed by its length so that parts cannot run
/// together. It detects accidents, not tampering. `std::hash::Hash` is not used, because its bytes may change
/// between versions.
#[derive(Default)]
pub(crate) struct Sum(FnvHasher);

impl Sum {
    pub fn add(&mut self, part: &[u8]) {
        self.0.write(part);
        self.0.write(&(part.len() as u64).to_le_bytes());
    }

    pub fn value(&self) -> u64 {
        self.0.finish()
    }
}

/// The names of slots in files: as in scenes, and `state-0` and so on for state programs.
mod slot_name {
    use crate::scene::Slot;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn of(slot: Slot) -> String {
        match slot {
            Slot::State(n) => format!("state-{n}"),
            other => other.key().to_owned(),
        }
    }

    pub fn serialize<S: Serializer>(slot: &Slot, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&of(*slot))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Slot, D::Error> {
        let name = String::deserialize(deserializer)?;
        let state = || name.strip_prefix("state-")?.parse().ok();
        if let Some(slot) = Slot::SINGLE.into_iter().find(|slot| slot.key() == name) {
            return Ok(slot);
        }
        match state() {
            Some(n) if usize::from(n) < Slot::MAX_STATE_PROGRAMS => Ok(Slot::State(n)),
            _ => Err(D::Error::custom(format!("{name} is not a program stage"))),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::DocumentId;
    use super::*;
    use crate::scene::Scene;

    /// Returns a draft of a single fragment program.
    pub fn draft(path: Option<&Path>, saved: &str, text: &str) -> Draft {
        let scene = Scene::for_program("test.fp", path, saved.as_bytes());
        let mut document = Document::new(DocumentId(7), scene);
        document.active_mut().text = text.to_owned();
        document.active_mut().caret = 3;
        Draft::of(&document)
    }

    #[test]
    fn a_draft_says_what_changed_and_where_it_came_from() {
        let kept = draft(Some(Path::new("/x/a.fp")), "before", "after");
        assert_eq!((kept.document, kept.title.as_str(), &kept.origin), (7, "a.fp", &Origin::Program));
        let program = &kept.programs[0];
        assert_eq!((program.saved(), program.text.as_str(), program.caret), ("before", "after", 3));
        assert_eq!(program.path().as_deref(), Some(Path::new("/x/a.fp")));
        assert_eq!(draft(None, "same", "same").modified().count(), 0);
        let sample = crate::scene::bundled()[0];
        let document = Document::new(DocumentId(1), sample.load().unwrap());
        assert_eq!(Draft::of(&document).origin, Origin::Sample(sample.name.to_owned()));
    }

    #[test]
    fn paths_become_absolute() {
        let kept = draft(Some(Path::new("a.fp")), "", "x");
        let expected = std::env::current_dir().unwrap().join("a.fp");
        assert_eq!(kept.programs[0].path(), Some(expected));
    }

    #[test]
    fn fingerprints_are_of_texts_and_scene_alone() {
        let one = draft(Some(Path::new("/x/a.fp")), "before", "after");
        assert_eq!(one.fingerprint(), draft(None, "other", "after").fingerprint());
        assert_ne!(one.fingerprint(), draft(None, "before", "after ").fingerprint());
        let mut scene = one.clone();
        scene.origin = Origin::Sample("01".to_owned());
        assert_ne!(scene.fingerprint(), one.fingerprint());
        // The hash of the empty text: FNV-1a over "fragment" and "" with their lengths.
        let mut hash = Sum::default();
        hash.add(b"fragment");
        hash.add(b"");
        assert_eq!(draft(None, "", "").fingerprint(), hash.value());
    }

    #[test]
    fn fnv_is_as_published() {
        // FNV-1a (64 bit) of the one byte "a".
        let byte = (0xcbf2_9ce4_8422_2325_u64 ^ 0x61).wrapping_mul(0x0000_0100_0000_01b3);
        assert_eq!(byte, 0xaf63_dc4c_8601_ec8c);
        let mut hash = Sum::default();
        hash.add(b"a");
        let with_length = [1_u8, 0, 0, 0, 0, 0, 0, 0]
            .iter()
            .fold(byte, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
        assert_eq!(hash.value(), with_length);
    }
}
