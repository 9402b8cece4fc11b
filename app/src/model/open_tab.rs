//! [`OpenTab`]: the document of a tab and the user's place in each text, kept for the next session. Texts are
//! not stored here: files, samples and drafts hold them.

use super::text::{Focus, Reveal};
use super::{Document, Part};
use crate::scene::Folder;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A tab of an earlier session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenTab {
    /// The source of its document.
    pub source: TabSource,
    /// The text shown, by the title of its tab.
    front: String,
    /// The caret (byte offset) and the top line for each text, by title.
    places: BTreeMap<String, (usize, f32)>,
}

/// The source that a document is opened from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TabSource {
    /// A program or a `scene.toml`.
    File(PathBuf),
    /// A bundled folder, by name.
    Bundled(String),
}

/// The tabs of an earlier session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpenTabs {
    /// In tab order.
    pub tabs: Vec<OpenTab>,
    /// Index of the tab shown.
    pub active: usize,
}

impl OpenTab {
    /// Returns the tab of `document`. `None` if no file holds it.
    pub fn of(document: &Document) -> Option<Self> {
        let source = match (document.main_file(), document.own_folder()) {
            (Some(path), _) => TabSource::File(absolute(path)?),
            (None, Folder::Bundled(name)) => TabSource::Bundled((*name).to_owned()),
            (None, _) => return None,
        };
        let places = document.texts().map(|(part, text)| (part.to_string(), (text.caret, text.top)));
        Some(Self { source, front: document.active_part().to_string(), places: places.collect() })
    }

    /// Moves to the stored places in `document`, whose texts may have changed since.
    pub fn go_to(&self, document: &mut Document) {
        let parts: Vec<Part> = document.texts().map(|(part, _)| part).collect();
        for part in parts {
            if let Some(&(caret, top)) = self.places.get(&part.to_string())
                && let Some(file) = document.text_mut(part)
            {
                file.caret = file.text.floor_char_boundary(caret);
                file.reveal = Some(Reveal { ends: [file.caret; 2], focus: Focus::Keep, top: Some(top) });
            }
            if part.to_string() == self.front {
                document.activate(part);
            }
        }
    }
}

/// Returns the absolute path, for a process that starts in another folder. `None` if it is not UTF-8:
/// settings hold only text.
fn absolute(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.to_str().is_some().then_some(path)
}
