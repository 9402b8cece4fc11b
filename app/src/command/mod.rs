//! What a person can ask for, as data. [`Command`] has a row for each command, which menus, palette and toolbar read.
//! [`Action`] is what panels send. [`crate::apply`] carries both out, and [`crate::keys`] has the keys in effect.
//!
//! A panel reads [`crate::state::State`] and cannot change it. Whatever a command, saving, or another panel reads is
//! changed by an action. What one panel alone reads is its own and no action: what is typed into its filter, which row
//! is chosen, what it has laid out or painted before. That is in [`crate::shell::Panels`].
//!
//! Where a request waits in the state until a panel has carried it out, such as to take the keyboard, the panel answers
//! with an action of its own, put before all others of the frame: what they ask for anew is not lost.

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
    /// What is shown of every pixel.
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

/// Who listens for a shortcut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listener {
    /// The app, wherever the keyboard is.
    App,
    /// The document, unless a text field beside the editor has the keyboard, which has changes of its own.
    Document,
}

/// What the app knows of a command.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Which menu.
    pub menu: Menu,
    /// Label, in the imperative.
    pub label: &'static str,
    /// What it does, one sentence.
    pub hint: &'static str,
    /// Its key unless a person changes it; [`crate::keys`] has the ones in effect.
    pub default_keys: Option<KeyboardShortcut>,
    /// Who listens for its keys.
    pub listener: Listener,
    /// Icon on toolbars.
    pub icon: Option<Icon>,
    /// The group that it begins in its menu, if it begins one.
    pub group: Option<Group>,
}

/// How the commands of a menu that belong together are set apart.
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
