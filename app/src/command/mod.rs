//! Commands and actions as plain data. Menus, palette and toolbar read the rows of [`Command`].
//! Panels send [`Action`]s. [`crate::apply`] carries out both, and [`crate::keys`] has the keys in effect.
//!
//! A panel reads [`crate::state::State`] and cannot change it. An action changes data that a command, saving or another
//! panel reads. Data that one panel alone reads, such as its filter, the selected row or cached layout, is in
//! [`crate::shell::Panels`] and needs no action.
//!
//! A request to a panel, such as to take the keyboard, waits in the state. The panel confirms it with an action before
//! all other actions of the frame, so that it does not undo a new request of theirs.

mod action;
mod enabled;
mod map;
mod table;

pub use action::{Action, DroppedText, UnsavedAnswer};
pub use table::Command;

use crate::icons::Icon;
use egui::KeyboardShortcut;
use shadestep_engine::isa::Stage;

/// Which menu holds a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    /// Files.
    File,
    /// Text.
    Edit,
    /// Panels and looks.
    View,
    /// Maps.
    Map,
    /// Time and pictures.
    Run,
    /// Stepping.
    Debug,
    /// Reading.
    Help,
}

impl Menu {
    /// In the order of the bar.
    pub const ALL: [Self; 7] =
        [Self::File, Self::Edit, Self::View, Self::Map, Self::Run, Self::Debug, Self::Help];

    /// Title in the bar.
    pub const fn title(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Map => "Map",
            Self::Run => "Run",
            Self::Debug => "Debug",
            Self::Help => "Help",
        }
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
    /// Which menu.
    pub menu: Menu,
    /// Label, in the imperative.
    pub label: &'static str,
    /// Description, one sentence.
    pub hint: &'static str,
    /// Default key. [`crate::keys`] has the keys in effect.
    pub default_keys: Option<KeyboardShortcut>,
    /// Listener for its keys.
    pub listener: Listener,
    /// Icon on toolbars.
    pub icon: Option<Icon>,
    /// The group that begins at this command in its menu, if one does.
    pub group: Option<Group>,
}

/// How a group of commands is set apart in its menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// By a line above.
    Line,
    /// In a menu of their own with this title.
    Submenu(&'static str),
}

impl Command {
    /// The stage for which it adds a program to the scene.
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

    /// The commands of `menu`.
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
            // One sentence has no full stop.
            assert_eq!(info.hint.ends_with('.'), info.hint.contains(". "), "{command:?}");
        }
    }
}
