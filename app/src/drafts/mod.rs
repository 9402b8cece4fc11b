//! Drafts: unsaved changes on disk, which survive a process that dies, and notes of the programs that were running
//! when one died. All of it runs on other threads than the UI's, except that [`Autosave`] takes notes of what to
//! keep.

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
use std::path::PathBuf;

/// Where the app keeps its drafts: beside its settings. `None` where the system has no place for them.
pub fn place() -> Option<PathBuf> {
    eframe::storage_dir(crate::places::APP_ID).map(|folder| folder.join("drafts"))
}

/// Why a program is not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldWhy {
    /// It was running when a process died.
    ClosedUnexpectedly,
    /// The person has stopped it.
    Stopped,
}

impl HeldWhy {
    /// Why a program is not run, for the person.
    pub const fn words(self) -> &'static str {
        match self {
            Self::ClosedUnexpectedly => {
                "This program was running when Shadestep last closed unexpectedly. Run it again when you are ready."
            }
            Self::Stopped => "Rendering was stopped. Run the program again when you are ready.",
        }
    }
}

/// What is known of earlier processes, and what a person has yet to decide about it.
#[derive(Debug, Default)]
pub struct Recovery {
    /// Whether it is known at all yet. Until then nothing is run.
    pub search: Search,
    /// Drafts that are offered.
    pub offers: Vec<Offer>,
    /// Whether the card with them is shown.
    pub card: Card,
    /// The draft whose difference is shown.
    pub compared: Option<PathBuf>,
    /// The programs that are not run, by their fingerprints.
    pub held: BTreeMap<u64, HeldWhy>,
    /// Drafts that a decision has been made about.
    pub resolved: Vec<PathBuf>,
    /// Where what was being run is opened.
    pub interrupted: Placing,
}

/// Where a tab is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placing {
    /// It is the one shown.
    #[default]
    InFront,
    /// The one shown stays so.
    Behind,
}

/// Whether what dead processes left has been looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// It is being looked for.
    #[default]
    UnderWay,
    /// It has been found.
    Done,
}

/// Whether the card with the drafts that are offered is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Card {
    /// It is, where there are any.
    #[default]
    Shown,
    /// The person has put it away.
    PutAway,
}
