//! [`OpenTab`]: which document a tab has and where a person is in it, for the next session. Texts are not in it: files,
//! samples and drafts have those.

use super::text::{Focus, Reveal};
use super::{Document, Part};
use crate::scene::Folder;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A tab of an earlier session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenTab {
    /// Where its document is opened from.
    pub source: TabSource,
    /// The text that was shown, by the title of its tab.
    front: String,
    /// The caret in bytes and the line at the upper edge, for each text by its title.
    places: BTreeMap<String, (usize, f32)>,
}

/// Where a document is opened from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TabSource {
    /// A program or a `scene.toml`.
    File(PathBuf),
    /// A folder in the binary.
    Bundled(String),
}

/// The tabs of an earlier session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpenTabs {
    /// In their order.
    pub tabs: Vec<OpenTab>,
    /// The one that was shown, as an index.
    pub active: usize,
}

impl OpenTab {
    /// The tab of `document`; `None` where no file has it.
    pub fn of(document: &Document) -> Option<Self> {
        let source = match (document.main_file(), document.own_folder()) {
            (Some(path), _) => TabSource::File(absolute(path)?),
            (None, Folder::Bundled(name)) => TabSource::Bundled((*name).to_owned()),
            (None, _) => return None,
        };
        let places = document.texts().map(|(part, text)| (part.to_string(), (text.caret, text.top)));
        Some(Self { source, front: document.active_part().to_string(), places: places.collect() })
    }

    /// Goes where the person was in `document`, which may have other texts by now.
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

/// Returns the absolute path, for a process that starts in another folder. `None` if it is not UTF-8: settings hold only text.
fn absolute(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.to_str().is_some().then_some(path)
}
