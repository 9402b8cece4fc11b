//! Every key of the app, in one place.
//!
//! [`Keymap`] holds the keys in effect of every command: the defaults of the table in [`crate::command`],
//! with a second key for some, and the user's [`KeyChanges`]. Menus, tooltips, the palette and the frame loop
//! all call [`of`]. [`FIXED`] lists the keys that are not commands: those of text fields, lists and the
//! picture.

mod changes;
mod fixed;
mod name;

pub use fixed::{FIXED, Fixed, Gesture, Place};
pub use name::{parse, write};

use crate::command::{Command, Listener};
use crate::settings::KeyChanges;
use egui::{Event, Key, KeyboardShortcut, Modifiers};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Second default keys, for commands with two common keys.
const SECOND: [(Command, Modifiers, Key); 5] = [
    (Command::NextTab, Modifiers::COMMAND, Key::Tab),
    (Command::PreviousTab, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Tab),
    (Command::Redo, Modifiers::COMMAND, Key::Y),
    // The same key on keyboards where the plus needs Shift.
    (Command::LargerText, Modifiers::COMMAND, Key::Equals),
    (Command::ZoomIn, Modifiers::ALT, Key::Equals),
];

/// Keys that every text field handles, with the command that does the same.
const OF_TEXT_FIELDS: [(Command, Key); 4] =
    [(Command::Cut, Key::X), (Command::Copy, Key::C), (Command::Paste, Key::V), (Command::SelectAll, Key::A)];

/// The keys in effect of every command.
#[derive(Debug, PartialEq, Eq)]
pub struct Keymap {
    keys: HashMap<Command, Vec<KeyboardShortcut>>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::new(&KeyChanges::default())
    }
}

impl Keymap {
    /// Applies `changes` to the default keys. No key belongs to two commands: a changed command takes its
    /// keys from commands with default keys.
    pub fn new(changes: &KeyChanges) -> Self {
        let mut keys = HashMap::new();
        let mut taken = HashSet::new();
        let mut give = |command: Command, wanted: Vec<KeyboardShortcut>| {
            let free = wanted.into_iter().filter(|key| taken.insert(*key)).collect();
            keys.insert(command, free);
        };
        let (changed, usual): (Vec<Command>, Vec<Command>) =
            Command::ALL.iter().partition(|command| changes.of(**command).is_some());
        for command in changed {
            let wanted = changes.of(command).unwrap_or_default().into_iter();
            let own = defaults(command).into_iter().filter(|key| is_fixed(command, *key));
            give(command, own.chain(wanted.filter(|key| refusal(command, *key).is_none())).collect());
        }
        for command in usual {
            give(command, defaults(command));
        }
        Self { keys }
    }

    /// Returns the keys of `command`. Menus show the first one.
    pub fn of(&self, command: Command) -> &[KeyboardShortcut] {
        self.keys.get(&command).map_or(&[], Vec::as_slice)
    }

    /// Returns the command that has `key`.
    pub fn holder(&self, key: KeyboardShortcut) -> Option<Command> {
        Command::ALL.iter().copied().find(|command| self.of(*command).contains(&key))
    }
}

/// Returns the default keys of `command`.
pub fn defaults(command: Command) -> Vec<KeyboardShortcut> {
    let second = SECOND.iter().filter(|(of, ..)| *of == command);
    let second = second.map(|(_, modifiers, key)| KeyboardShortcut::new(*modifiers, *key));
    command.info().default_keys.into_iter().chain(second).collect()
}

/// Returns true if `key` does the same as `command` in every text field, whatever the table says.
pub fn is_fixed(command: Command, key: KeyboardShortcut) -> bool {
    OF_TEXT_FIELDS.iter().any(|(of, letter)| *of == command && key == ctrl(*letter))
}

/// Returns the reason why `command` cannot have `key`, as a sentence.
pub fn refusal(command: Command, key: KeyboardShortcut) -> Option<String> {
    let name = write(key);
    let (modifiers, logical) = (key.modifiers, key.logical_key);
    let is_held = modifiers.command || modifiers.ctrl || modifiers.alt;
    let is_function_key = (Key::F1..=Key::F35).contains(&logical);
    if let Some((owner, _)) = OF_TEXT_FIELDS.iter().find(|(_, letter)| key == ctrl(*letter))
        && *owner != command
    {
        return Some(format!("{name} always runs “{}” in text fields.", owner.info().label));
    }
    if let Some(fixed) = FIXED.iter().find(|fixed| fixed.keys().contains(&key)) {
        return Some(format!("{name} is a fixed key. {}: {}.", fixed.place.name(), fixed.what));
    }
    if !is_held && !is_function_key {
        return Some(match types(logical) {
            true => format!("{name} types text. Add Ctrl or Alt."),
            false => format!("Text fields and lists need {name}. Add Ctrl or Alt."),
        });
    }
    let undoes = [ctrl(Key::Z), ctrl(Key::Y), shift_ctrl(Key::Z)].contains(&key);
    if undoes && command.info().listener == Listener::App {
        return Some(format!("{name} always undoes or redoes in text fields."));
    }
    None
}

/// Returns true if a key without modifiers types a character.
fn types(key: Key) -> bool {
    is_symbol(key) || key == Key::Space || key.name().len() == 1
}

/// Returns true if keyboards need different modifiers to type `key`: Shift for a plus, Alt Gr for a bracket.
fn is_symbol(key: Key) -> bool {
    (Key::Colon..=Key::Num9).contains(&key)
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn shift_ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}

fn place() -> egui::Id {
    egui::Id::unique("keys in effect")
}

/// Puts `changes` into effect.
pub fn install(ctx: &egui::Context, changes: &KeyChanges) {
    let keymap = Arc::new(Keymap::new(changes));
    ctx.data_mut(|data| data.insert_temp(place(), keymap));
}

/// Returns the keys in effect.
pub fn of(ctx: &egui::Context) -> Arc<Keymap> {
    ctx.data(|data| data.get_temp(place())).unwrap_or_default()
}

/// Returns the first key of `command`, as menus and tooltips show it.
pub fn shown(ctx: &egui::Context, command: Command) -> Option<String> {
    of(ctx).of(command).first().map(|key| label(ctx, *key))
}

impl Command {
    /// Returns the hint and the key, for a tooltip.
    pub fn tooltip(self, ctx: &egui::Context) -> String {
        let hint = self.info().hint;
        match shown(ctx, self) {
            Some(keys) => format!("{hint} ({keys})"),
            None => hint.to_owned(),
        }
    }
}

/// Returns `key` as menus, tooltips and lists show it, such as `Ctrl+]`.
pub fn label(ctx: &egui::Context, key: KeyboardShortcut) -> String {
    let (words, logical) = (ctx.format_shortcut(&key), key.logical_key);
    let has_sign = is_symbol(logical) && !matches!(logical, Key::Plus | Key::Minus);
    match words.strip_suffix(logical.name()) {
        Some(held) if has_sign => format!("{held}{}", logical.symbol_or_name()),
        _ => words,
    }
}

/// Removes the keys of commands from this frame's input. Returns the commands in the order in which the keys
/// were pressed. Only commands with one of `listeners` are considered.
pub fn pressed(ctx: &egui::Context, listeners: &[Listener]) -> Vec<Command> {
    let listens = |command: &Command| listeners.contains(&command.info().listener);
    let keymap = of(ctx);
    let all = Command::ALL.iter().copied().filter(listens);
    let listened: Vec<(Command, KeyboardShortcut)> =
        all.flat_map(|command| keymap.of(command).iter().map(move |key| (command, *key))).collect();
    let mut commands = Vec::new();
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let found = find(&listened, event);
            commands.extend(found);
            found.is_none()
        });
    });
    commands
}

/// Returns the command that listens for the key of `event`. For a symbol, more modifiers may be held than the
/// command's key has.
fn find(listened: &[(Command, KeyboardShortcut)], event: &Event) -> Option<Command> {
    let Event::Key { key, pressed: true, modifiers, .. } = event else { return None };
    let of_key = || listened.iter().filter(|(_, shortcut)| shortcut.logical_key == *key);
    let exact = of_key().find(|(_, shortcut)| modifiers.matches_exact(shortcut.modifiers));
    let loose = || {
        let fits = |(_, shortcut): &&(Command, KeyboardShortcut)| {
            is_symbol(*key) && modifiers.matches_logically(shortcut.modifiers)
        };
        of_key().filter(fits).max_by_key(|(_, shortcut)| modifier_count(shortcut.modifiers))
    };
    exact.or_else(loose).map(|(command, _)| *command)
}

fn modifier_count(modifiers: Modifiers) -> u32 {
    [modifiers.alt, modifiers.shift, modifiers.command || modifiers.ctrl].into_iter().map(u32::from).sum()
}

/// Removes all keyboard events from `events`. Returns the first pressed key other than a modifier.
pub fn take_pressed(events: &mut Vec<Event>) -> Option<KeyboardShortcut> {
    let mut found = None;
    events.retain(|event| {
        let key = match event {
            Event::Key { key, pressed: true, modifiers, .. } if !is_modifier(*key) => {
                Some(KeyboardShortcut::new(held(*modifiers), *key))
            }
            // The window library has already translated these keys to text operations.
            Event::Copy => Some(ctrl(Key::C)),
            Event::Cut => Some(ctrl(Key::X)),
            Event::Paste(_) => Some(ctrl(Key::V)),
            Event::Key { .. } | Event::Text(_) => None,
            _ => return true,
        };
        found = found.or(key);
        false
    });
    found
}

/// Converts `modifiers` to the form of the table: Ctrl, which is ⌘ on macOS, is the command modifier.
fn held(modifiers: Modifiers) -> Modifiers {
    let ctrl = modifiers.ctrl && !modifiers.command;
    Modifiers { alt: modifiers.alt, ctrl, shift: modifiers.shift, mac_cmd: false, command: modifiers.command }
}

fn is_modifier(key: Key) -> bool {
    (Key::ShiftLeft..=Key::SuperRight).contains(&key)
        || matches!(key, Key::CapsLock | Key::NumLock | Key::ScrollLock | Key::Fn)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(modifiers: Modifiers, key: Key) -> Event {
        Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
    }

    fn found(keymap: &Keymap, modifiers: Modifiers, key: Key) -> Option<Command> {
        let all = Command::ALL.iter();
        let listened: Vec<_> =
            all.flat_map(|command| keymap.of(*command).iter().map(|key| (*command, *key))).collect();
        find(&listened, &event(modifiers, key))
    }

    #[test]
    fn no_two_commands_share_default_keys() {
        let mut taken: HashMap<KeyboardShortcut, Command> = HashMap::new();
        for &command in Command::ALL {
            for key in defaults(command) {
                if let Some(other) = taken.insert(key, command) {
                    panic!("{command:?} and {other:?} both have {}", write(key));
                }
            }
        }
    }

    #[test]
    fn default_keys_are_ones_that_a_person_may_choose() {
        for &command in Command::ALL {
            for key in defaults(command) {
                assert_eq!(refusal(command, key), None, "{command:?}");
            }
        }
    }

    #[test]
    fn keys_that_text_and_lists_need_are_refused_with_a_reason() {
        let refused = |command, keys: &str| refusal(command, parse(keys).unwrap()).unwrap_or_default();
        for keys in ["K", "Shift+K", "7", "Space", "Comma", "Shift+Plus"] {
            assert!(refused(Command::Save, keys).contains("types text"), "{keys}");
        }
        for keys in ["Insert", "Shift+Insert"] {
            assert!(refused(Command::Save, keys).contains("Text fields and lists need"), "{keys}");
        }
        for keys in ["Enter", "Tab", "Escape", "Left", "Ctrl+Left", "Ctrl+Home", "Ctrl+Backspace", "Alt+F"] {
            assert!(refused(Command::Save, keys).contains("is a fixed key"), "{keys}");
        }
        assert!(refused(Command::Save, "Ctrl+C").contains("always runs “Copy”"));
        assert!(refused(Command::Save, "Ctrl+Y").contains("undoes"));
        for keys in ["F5", "Shift+F5", "Ctrl+K", "Alt+K", "Ctrl+Shift+Enter", "Alt+Space"] {
            assert_eq!(refused(Command::Save, keys), "", "{keys}");
        }
        assert_eq!(refused(Command::DeleteLine, "Ctrl+Y"), "");
        assert_eq!(refused(Command::Copy, "Ctrl+C"), "");
    }

    #[test]
    fn letters_take_their_very_modifiers_and_symbols_what_the_keyboard_needs() {
        let keymap = Keymap::default();
        let (both, alt) =
            (Modifiers::COMMAND.plus(Modifiers::SHIFT), Modifiers::COMMAND.plus(Modifiers::ALT));
        assert_eq!(found(&keymap, Modifiers::COMMAND, Key::S), Some(Command::Save));
        assert_eq!(found(&keymap, both, Key::S), Some(Command::SaveAs));
        assert_eq!(found(&keymap, alt, Key::S), None);
        // Shift+= on many keyboards, Alt Gr+8 on some.
        assert_eq!(found(&keymap, both, Key::Plus), Some(Command::LargerText));
        assert_eq!(found(&keymap, alt, Key::OpenBracket), Some(Command::UnindentLines));
        assert_eq!(found(&keymap, both, Key::Num0), Some(Command::MapNone));
        assert_eq!(found(&keymap, Modifiers::NONE, Key::Plus), None);
        // If Save as has no key, its former key must not save.
        let mut changes = KeyChanges::default();
        changes.set(Command::SaveAs, &[]);
        assert_eq!(found(&Keymap::new(&changes), both, Key::S), None);
    }

    #[test]
    fn a_changed_command_takes_keys_from_one_that_is_not() {
        let key = |keys: &str| parse(keys).unwrap();
        let mut changes = KeyChanges::default();
        changes.set(Command::Save, &[key("Ctrl+O"), key("Ctrl+S")]);
        let keymap = Keymap::new(&changes);
        assert_eq!(keymap.of(Command::Save), [key("Ctrl+O"), key("Ctrl+S")]);
        assert_eq!(keymap.of(Command::Open), []);
        assert_eq!(keymap.holder(key("Ctrl+O")), Some(Command::Save));
        // Two changed commands with one key, and a refused key, as in a hand-written file.
        changes.set(Command::Find, &[key("Ctrl+O"), key("Q"), key("Ctrl+F")]);
        let keymap = Keymap::new(&changes);
        assert_eq!(keymap.of(Command::Find), [key("Ctrl+F")]);
        // Text fields always copy with this key.
        changes.set(Command::Copy, &[]);
        assert_eq!(Keymap::new(&changes).of(Command::Copy), [key("Ctrl+C")]);
    }

    #[test]
    fn a_pressed_key_is_told_from_what_is_held_with_it() {
        let both = Modifiers { ctrl: true, command: true, shift: true, ..Modifiers::NONE };
        let mut events = vec![
            event(Modifiers::SHIFT, Key::ShiftLeft),
            Event::PointerGone,
            event(both, Key::K),
            Event::Text("k".to_owned()),
        ];
        assert_eq!(take_pressed(&mut events), parse("Ctrl+Shift+K"));
        assert_eq!(events, [Event::PointerGone]);
        assert_eq!(take_pressed(&mut vec![event(both, Key::ControlLeft)]), None);
        assert_eq!(take_pressed(&mut vec![Event::Copy]), parse("Ctrl+C"));
    }
}
