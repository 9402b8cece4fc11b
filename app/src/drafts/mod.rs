//! Drafts: unsaved changes on disk, which survive a crash, and notes of the programs that were running at a
//! crash. The work is done on other threads than the UI's; there, [`Autosave`] only takes notes of the drafts
//! to keep.

mod autosave;
mod difference;
mod folder;
mod format;
mod guard;
mod offer;

pub use autosave::{Autosave, DraftNews, Found, Leave, Report, Rescuer};
pub use difference::Difference;
pub use folder::Leftover;
pub use guard::RunGuard;
pub use offer::{FileFate, Offer, OfferedProgram};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Returns the folder of drafts, in the app's `storage` folder.
pub fn place(storage: &Path) -> PathBuf {
    storage.join("drafts")
}

/// The reason why a program is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldWhy {
    /// The program was running when a process died.
    ClosedUnexpectedly,
    /// The user stopped it.
    Stopped,
}

impl HeldWhy {
    /// Describes the reason for the user.
    pub const fn words(self) -> &'static str {
        match self {
            Self::ClosedUnexpectedly => {
                "This program was running when Shadestep last closed unexpectedly. Run it again when you are ready."
            }
            Self::Stopped => "Rendering was stopped. Run the program again when you are ready.",
        }
    }
}

/// Drafts and held programs of earlier processes, and the decisions that the user has yet to make.
#[derive(Debug, Default)]
pub struct Recovery {
    /// Whether the search for drafts has finished. Until then no program runs.
    pub search: Search,
    /// Drafts that are offered.
    pub offers: Vec<Offer>,
    /// Whether the card with the offers is shown.
    pub card: Card,
    /// The draft whose difference is shown.
    pub compared: Option<PathBuf>,
    /// The held programs, by fingerprint.
    pub held: BTreeMap<u64, HeldWhy>,
    /// Drafts that the user has decided about.
    pub resolved: Vec<PathBuf>,
    /// Where to open the programs that were running at a crash.
    pub interrupted: Placing,
}

/// Where a tab is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placing {
    /// The new tab is shown.
    #[default]
    InFront,
    /// The shown tab stays in front.
    Behind,
}

/// Whether the files of dead processes have been searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    #[default]
    UnderWay,
    Done,
}

/// Whether the card with the offered drafts is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Card {
    /// Shown if there are offers.
    #[default]
    Shown,
    /// The user has closed it.
    PutAway,
}
