//! The open documents: their texts, the scene that the texts define, the results of loading and drawing, and
//! the undo history. This layer is below every panel and uses no egui. Panels read documents and send
//! commands.
//!
//! A document is its texts, and `scene.toml` is one of them even if no file holds it yet. A control in a
//! panel edits that text ([`crate::scene::SceneEdit`]). So undo, saving and drafts handle every change in the
//! same way.

mod breakpoint;
mod change;
mod document;
mod draft;
mod edits;
mod example;
mod export_form;
mod history;
mod open_programs;
mod open_tab;
mod parameters;
mod per_document;
mod playback;
mod restore;
mod saving;
mod scene_text;
mod subroutines;
mod template;
mod text;

pub use breakpoint::{Breakpoint, Breakpoints, Times};
pub use change::Change;
pub use document::{Compare, Document, DocumentId, Overlays, Part, Shown, TextId};
pub(crate) use draft::Sum;
pub use draft::{Draft, DraftProgram, DraftScene, Origin, StoredPath};
pub use edits::{Edits, TextVersions};
pub use example::{example_scene, example_subject};
pub use export_form::{ExportForm, ExportKind};
pub use history::Cause;
pub use open_programs::OpenPrograms;
pub use open_tab::{OpenTab, OpenTabs, TabSource};
pub use per_document::{OfDocument, PerDocument};
pub use playback::{Loops, Playback, PlaybackStep, TimeRange};
pub(crate) use restore::read_text;
pub use restore::{Restored, RestoredText, restore};
pub use saving::{Content, Save, SaveFile, SaveWay};
pub use scene_text::{Reading, ResetSubject, Unread};
pub use subroutines::Callable;
pub use template::{NEW_PROGRAMS, NEW_SCENES, Template, program_template};
pub(crate) use text::text_of;
pub use text::{Focus, Placed, Reveal, TextFile};

#[cfg(test)]
pub(crate) use draft::tests as draft_tests;

#[cfg(test)]
mod tests;
