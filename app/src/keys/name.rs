//! Keys as text, the same on every system: in the settings, and in reasons why a key is refused.

use egui::{Key, KeyboardShortcut, Modifiers};

/// Returns `key` as text, such as `Ctrl+Shift+K`.
pub fn write(key: KeyboardShortcut) -> String {
    let Modifiers { alt, ctrl, shift, command, .. } = key.modifiers;
    let held = [(command, "Ctrl"), (ctrl, "Control"), (shift, "Shift"), (alt, "Alt")];
    let held = held.into_iter().filter(|(is_held, _)| *is_held).map(|(_, name)| name);
    held.chain([key.logical_key.name()]).collect::<Vec<_>>().join("+")
}

/// Parses a key. `None` if `words` name no key. `Ctrl` is ⌘ on macOS, and `Control` is the other key there.
pub fn parse(words: &str) -> Option<KeyboardShortcut> {
    let mut modifiers = Modifiers::NONE;
    let mut parts = words.split('+').map(str::trim);
    let key = parts.next_back()?;
    for part in parts {
        match part.to_ascii_lowercase().as_str() {
            "ctrl" | "cmd" => modifiers.command = true,
            "control" => modifiers.ctrl = true,
            "shift" => modifiers.shift = true,
            "alt" => modifiers.alt = true,
            _ => return None,
        }
    }
    let by_name = || Key::ALL.iter().copied().find(|found| found.name().eq_ignore_ascii_case(key));
    let key = Key::from_name(key).or_else(by_name)?;
    Some(KeyboardShortcut::new(modifiers, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_read_as_it_is_written() {
        let held = [
            Modifiers::NONE,
            Modifiers::COMMAND,
            Modifiers::SHIFT.plus(Modifiers::ALT),
            Modifiers::COMMAND.plus(Modifiers::SHIFT).plus(Modifiers::ALT),
            Modifiers::CTRL,
        ];
        for modifiers in held {
            for &key in Key::ALL {
                let key = KeyboardShortcut::new(modifiers, key);
                assert_eq!(parse(&write(key)), Some(key), "{}", write(key));
            }
        }
    }

    #[test]
    fn words_are_read_as_people_write_them() {
        let key = KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::K);
        for words in ["Ctrl+Shift+K", "shift + ctrl + k", "Cmd+Shift+K"] {
            assert_eq!(parse(words), Some(key), "{words}");
        }
        assert_eq!(parse("ctrl+pageup").map(write).as_deref(), Some("Ctrl+PageUp"));
        for words in ["", "Ctrl+", "Ctrl", "Meta+K", "Ctrl+Nothing", "K+Ctrl", "Ctrl K"] {
            assert_eq!(parse(words), None, "{words:?}");
        }
    }
}
