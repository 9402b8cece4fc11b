//! Commands and actions as plain data. Menus, palette and toolbar read the rows of [`Command`]. Panels send
//! [`Action`]s. [`crate::apply`] carries out both, and [`crate::keys`] has the keys in effect.
//!
//! A panel reads [`crate::state::State`] and cannot change it. An action changes data that a command, saving
//! or another panel reads. Data that one panel alone reads, such as its filter, the selected row or cached
//! layout, is in [`crate::shell::Panels`] and needs no action.
//!
//! A request to a panel, such as to take the keyboard focus, waits in the state. The panel confirms the
//! request with an action. This action comes before all other actions of the frame, so it does not undo a new
//! request that they make.

mod action;
mod map;
mod table;
mod when;

pub use action::{Action, DroppedText, UnsavedAnswer};
pub use table::Command;
pub use when::When;

use crate::icons::Icon;
use egui::KeyboardShortcut;
use shadestep_engine::isa::Stage;

shadestep_engine::named_enum! {
    /// The menu of a command, in the order of the menu bar. The name is its title there.
    pub enum Menu {
        /// Files.
        File = "File",
        /// Text.
        Edit = "Edit",
        /// Panels and appearance.
        View = "View",
        /// Value maps.
        Map = "Map",
        /// Time and pictures.
        Run = "Run",
        /// Stepping.
        Debug = "Debug",
        /// Documentation.
        Help = "Help",
    }
}

/// The listener for the keys of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listener {
    /// The app, wherever the keyboard focus is.
    App,
    /// The document, unless another text field has the keyboard focus.
    Document,
}

/// The row of a command.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    pub menu: Menu,
    /// Label, in the imperative.
    pub label: &'static str,
    /// Description, one sentence.
    pub hint: &'static str,
    /// Default key. [`crate::keys`] has the keys in effect.
    pub default_keys: Option<KeyboardShortcut>,
    /// Listener for its keys.
    pub listener: Listener,
    /// The condition under which the command is enabled.
    pub when: When,
    /// Icon on toolbars.
    pub icon: Option<Icon>,
    /// The group that begins at this command in its menu, if any.
    pub group: Option<Group>,
}

/// How a menu separates a group of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// A line above.
    Line,
    /// A submenu with this title.
    Submenu(&'static str),
}

impl Command {
    /// Returns the stage of the program that this command adds to the scene.
    pub const fn adds(self) -> Option<Stage> {
        match self {
            Self::AddVertexProgram => Some(Stage::Vertex),
            Self::AddStateProgram => Some(Stage::VertexState),
            Self::AddTessControlProgram => Some(Stage::TessControl),
            Self::AddTessEvaluationProgram => Some(Stage::TessEvaluation),
            Self::AddGeometryProgram => Some(Stage::Geometry),
            Self::AddFragmentProgram => Some(Stage::Fragment),
            _ => None,
        }
    }

    /// Returns the commands of `menu`.
    pub fn of(menu: Menu) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |command| command.info().menu == menu)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn labels_are_unique_and_every_command_has_a_hint() {
        let mut labels = HashSet::new();
        for &command in Command::ALL {
            let info = command.info();
            assert!(labels.insert(info.label), "{} twice", info.label);
            let says_more = !info.hint.trim().is_empty() && info.hint != info.label;
            assert!(says_more, "{command:?}");
            // A single sentence has no full stop.
            assert_eq!(info.hint.ends_with('.'), info.hint.contains(". "), "{command:?}");
        }
    }
}
