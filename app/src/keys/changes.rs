//! Reads and writes the user's changes of the table of keys, which the settings hold.

use super::{defaults, name};
use crate::command::Command;
use crate::settings::KeyChanges;
use egui::KeyboardShortcut;

impl KeyChanges {
    /// Returns the keys that replace the defaults of `command`, if the user has changed them.
    pub fn of(&self, command: Command) -> Option<Vec<KeyboardShortcut>> {
        let words = self.keys.get(command.name())?;
        Some(words.iter().filter_map(|words| name::parse(words)).collect())
    }

    /// Gives `command` these keys. The default keys remove the change.
    pub fn set(&mut self, command: Command, keys: &[KeyboardShortcut]) {
        if keys == defaults(command) {
            self.keys.remove(command.name());
        } else {
            self.keys.insert(command.name().to_owned(), keys.iter().copied().map(name::write).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_stays_and_what_is_broken_goes() {
        let text = r#"{"Save": ["Ctrl+J", "Ctrl+Nothing"], "Later": ["F5"], "Open": 5, "Find": [1, 2]}"#;
        let changes: KeyChanges = ron::from_str(text).unwrap();
        assert_eq!(changes.of(Command::Save), Some(vec![name::parse("Ctrl+J").unwrap()]));
        assert_eq!((changes.of(Command::Open), changes.of(Command::Find)), (None, None));
        let written = ron::to_string(&changes).unwrap();
        assert!(written.contains("Later") && written.contains("Ctrl+Nothing"), "{written}");
    }

    #[test]
    fn default_keys_are_no_change() {
        let mut changes = KeyChanges::default();
        changes.set(Command::Redo, &[]);
        assert_eq!(changes.of(Command::Redo), Some(Vec::new()));
        changes.set(Command::Redo, &defaults(Command::Redo));
        assert!(changes.is_empty());
    }
}
