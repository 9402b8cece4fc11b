//! Changes that a person has made in the table of keys. The settings hold them.

use super::{defaults, name};
use crate::command::Command;
use crate::settings::tolerant;
use egui::KeyboardShortcut;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// The keys of changed commands, by [`Command::name`]. Commands and keys that this version does not know stay as they
/// are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct KeyChanges {
    keys: BTreeMap<String, Vec<String>>,
}

impl KeyChanges {
    /// The keys that `command` has in place of its default ones, if they are changed.
    pub fn of(&self, command: Command) -> Option<Vec<KeyboardShortcut>> {
        let words = self.keys.get(command.name())?;
        Some(words.iter().filter_map(|words| name::parse(words)).collect())
    }

    /// Gives `command` these keys. The default ones are no change.
    pub fn set(&mut self, command: Command, keys: &[KeyboardShortcut]) {
        if keys == defaults(command) {
            self.keys.remove(command.name());
        } else {
            self.keys.insert(command.name().to_owned(), keys.iter().copied().map(name::write).collect());
        }
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// Entries that are no list of words are left out.
impl<'de> Deserialize<'de> for KeyChanges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(transparent)]
        struct Words(#[serde(deserialize_with = "tolerant")] Option<Vec<String>>);
        let keys = BTreeMap::<String, Words>::deserialize(deserializer)?.into_iter();
        Ok(Self { keys: keys.filter_map(|(command, Words(keys))| Some((command, keys?))).collect() })
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
