//! Keys and gestures that are not commands. Text fields, lists and the picture handle them while they have
//! the keyboard focus or the pointer. The user cannot change these keys, and no command can have them. The
//! shortcut sheet lists them.

use egui::{Key, KeyboardShortcut, Modifiers};

shadestep_engine::named_enum! {
    /// Where a fixed key works, in the order of the shortcut sheet. The name is its heading there.
    pub enum Place {
        /// The text of a program or of `scene.toml`.
        Text = "In the program text",
        /// The list of completions.
        Completions = "In the completion list",
        /// Search bar, rename field and similar fields.
        Fields = "In text fields",
        /// Windows, menus and lists.
        Windows = "In dialogs and menus",
        Picture = "On the picture",
        Debugger = "In the debugger",
    }
}

/// An input that is not a command.
#[derive(Clone, Copy, Debug)]
pub enum Gesture {
    /// Pressing one of these keys.
    Keys(&'static [KeyboardShortcut]),
    /// A mouse gesture, in words.
    Mouse(&'static str),
}

/// A key or gesture that is not a command.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    /// Where it works.
    pub place: Place,
    pub gesture: Gesture,
    /// The effect, in the imperative.
    pub what: &'static str,
}

impl Fixed {
    /// Returns its keys. Empty for a mouse gesture.
    pub const fn keys(&self) -> &'static [KeyboardShortcut] {
        match self.gesture {
            Gesture::Keys(keys) => keys,
            Gesture::Mouse(_) => &[],
        }
    }
}

const fn plain(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT, key)
}

const fn row(place: Place, keys: &'static [KeyboardShortcut], what: &'static str) -> Fixed {
    Fixed { place, gesture: Gesture::Keys(keys), what }
}

const fn mouse(place: Place, words: &'static str, what: &'static str) -> Fixed {
    Fixed { place, gesture: Gesture::Mouse(words), what }
}

/// First letters of the menus. On macOS, Alt types further letters.
const MENU_LETTERS: &[KeyboardShortcut] = if cfg!(target_os = "macos") {
    &[]
} else {
    &[alt(Key::F), alt(Key::E), alt(Key::V), alt(Key::M), alt(Key::R), alt(Key::D), alt(Key::H)]
};

/// All fixed keys, in the order of [`Place::ALL`].
pub const FIXED: &[Fixed] = &[
    row(Place::Text, &[plain(Key::ArrowUp), plain(Key::ArrowDown)], "Move the text cursor by a line"),
    row(Place::Text, &[plain(Key::ArrowLeft), plain(Key::ArrowRight)], "Move the text cursor by a character"),
    row(Place::Text, &[ctrl(Key::ArrowLeft), ctrl(Key::ArrowRight)], "Move the text cursor by a word"),
    row(Place::Text, &[plain(Key::PageUp), plain(Key::PageDown)], "Move the text cursor by a page"),
    row(
        Place::Text,
        &[plain(Key::Home)],
        "Go to the first character after the indentation, then to the start of the line",
    ),
    row(Place::Text, &[plain(Key::End)], "Go to the end of the line"),
    row(Place::Text, &[ctrl(Key::Home), ctrl(Key::End)], "Go to the start or the end of the text"),
    mouse(Place::Text, "Shift with any of these", "Extend the selection"),
    row(Place::Text, &[plain(Key::Enter)], "Start a new line with the same indentation"),
    row(Place::Text, &[plain(Key::Tab)], "Indent the selected lines, or move to the next tab stop"),
    row(Place::Text, &[shift(Key::Tab)], "Unindent the selected lines"),
    row(Place::Text, &[plain(Key::Backspace), plain(Key::Delete)], "Delete a character"),
    row(Place::Text, &[ctrl(Key::Backspace), ctrl(Key::Delete)], "Delete a word"),
    row(
        Place::Text,
        &[plain(Key::Escape)],
        "Keep only one text cursor, or close the search bar or the list of uses",
    ),
    mouse(Place::Text, "Alt+click", "Add a text cursor"),
    mouse(Place::Text, "Ctrl+click", "Go to the definition of a name"),
    mouse(Place::Text, "Ctrl+wheel", "Change the size of the text"),
    mouse(Place::Text, "Click a line number", "Set or remove a breakpoint"),
    mouse(Place::Text, "Right-click or Alt+click a line number", "Edit the breakpoint"),
    row(Place::Completions, &[plain(Key::ArrowUp), plain(Key::ArrowDown)], "Select an entry"),
    row(Place::Completions, &[plain(Key::Tab), plain(Key::Enter)], "Insert the entry"),
    row(Place::Completions, &[plain(Key::Escape)], "Close the list"),
    row(Place::Fields, &[plain(Key::Enter)], "Apply the field, or find the next match"),
    row(Place::Fields, &[shift(Key::Enter)], "Find the previous match, or run back to the condition"),
    row(Place::Fields, &[plain(Key::Tab)], "Complete an expression or a path"),
    row(Place::Fields, &[plain(Key::Escape)], "Leave the field"),
    row(Place::Windows, &[plain(Key::ArrowUp), plain(Key::ArrowDown)], "Select an entry"),
    row(Place::Windows, &[plain(Key::Enter)], "Activate the entry or the button"),
    row(Place::Windows, &[plain(Key::Escape)], "Close the dialog or the menu"),
    row(Place::Windows, &[plain(Key::Tab), shift(Key::Tab)], "Go to the next or the previous control"),
    row(Place::Windows, MENU_LETTERS, "Open a menu by its first letter"),
    mouse(Place::Picture, "Click", "Debug this pixel or the nearest vertex"),
    mouse(Place::Picture, "Drag", "Turn the camera or move the picture"),
    mouse(Place::Picture, "Drag with the right or middle button", "Move the picture"),
    mouse(Place::Picture, "Wheel", "Zoom the picture"),
    mouse(Place::Picture, "Shift+wheel", "Move the camera closer or farther away"),
    row(Place::Debugger, &[plain(Key::Escape)], "Close the trace, or return to the recorded run"),
    row(Place::Debugger, &[plain(Key::Enter)], "Try the value or the instruction that you typed"),
    mouse(Place::Debugger, "Double-click a value", "Change the value and re-run from this step"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Menu;
    use std::path::Path;

    #[test]
    fn menus_open_by_their_letters() {
        let letters = Menu::ALL.map(|menu| Key::from_name(&menu.name()[..1]).map(alt));
        let listed: Vec<_> = MENU_LETTERS.iter().copied().map(Some).collect();
        assert!(cfg!(target_os = "macos") || listed == letters, "{letters:?}");
    }

    #[test]
    fn places_are_in_their_order() {
        let mut places: Vec<Place> = FIXED.iter().map(|fixed| fixed.place).collect();
        places.dedup();
        assert_eq!(places, Place::ALL);
    }

    /// Returns the names of keys that the source files below `folder` listen for, except in tests.
    fn keys_below(folder: &Path, found: &mut Vec<(String, Key)>) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
            if path.is_dir() && name != "keys" {
                keys_below(&path, found);
            } else if name.ends_with(".rs") && name != "command.rs" {
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap();
                for (at, _) in code.match_indices("Key::") {
                    let is_other = code[..at].ends_with(|c: char| c.is_alphanumeric());
                    let word: String =
                        code[at + 5..].chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
                    if let Some(key) = Key::from_name(&word).filter(|_| !is_other) {
                        found.push((name.clone(), key));
                    }
                }
            }
        }
    }

    #[test]
    fn every_key_that_a_panel_listens_for_is_listed() {
        let mut found = Vec::new();
        keys_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
        assert!(found.len() > 20, "{found:?}");
        for (file, key) in found {
            let is_it = |fixed: &Fixed| fixed.keys().iter().any(|listed| listed.logical_key == key);
            assert!(FIXED.iter().any(is_it), "{file} listens for {key:?}");
        }
    }
}
