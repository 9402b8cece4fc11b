//! The key table: changes the keys of commands. After a click on a command or a key, the next key press
//! becomes the command's key.

use super::keycap;
use crate::command::{Action, Command};
use crate::icons::Icon;
use crate::keys::{self, Keymap};
use crate::state::State;
use crate::theme;
use crate::widgets;
use egui::{Align, Align2, Key, KeyboardShortcut, Layout, Modifiers, Rect, Response, Sense, Ui, vec2};

/// Height of a row, in points.
const ROW: f32 = 30.0;
/// Height of the area below the table that asks for keys, in points.
const FOOT: f32 = 92.0;

/// State of the table while it is open.
#[derive(Default)]
pub struct KeyTable {
    query: String,
    change: Option<KeyChange>,
}

/// A change in progress.
#[derive(Clone, Debug, PartialEq)]
struct KeyChange {
    command: Command,
    /// The key to replace; `None` adds a key.
    replaced: Option<KeyboardShortcut>,
    stage: Stage,
}

/// Progress of a change.
#[derive(Clone, Debug, PartialEq)]
enum Stage {
    /// Waits for a key press.
    Waiting,
    /// The command cannot have the pressed key, for this reason.
    Refused(String),
    /// Other commands already have some of these keys.
    Taken(Vec<KeyboardShortcut>),
}

/// Shows the table.
pub fn show(ui: &mut Ui, state: &State, own: &mut KeyTable, actions: &mut Vec<Action>) {
    let keymap = keys::of(ui.ctx());
    if own.change.as_ref().is_some_and(|change| !matches!(change.stage, Stage::Taken(_))) {
        listen(ui, &keymap, own, actions);
    }
    ui.horizontal(|ui| {
        let field = egui::TextEdit::singleline(&mut own.query)
            .hint_text("Search commands and keys")
            .desired_width(300.0);
        let response = widgets::named(ui.add(field), "Search commands and keys");
        if response.gained_focus() {
            own.change = None;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let any = !state.settings.keys.is_empty();
            let reset = ui.add_enabled(any, egui::Button::new("Reset all keys"));
            if reset.on_hover_text("Reset every command to its default keys").clicked() {
                own.change = None;
                actions.push(Action::ResetKeys);
            }
        });
    });
    ui.add_space(4.0);
    let found = found(ui, &keymap, &own.query);
    let height = (ui.available_height() - FOOT).max(ROW);
    widgets::jumping(egui::ScrollArea::vertical())
        .id_salt("commands and keys")
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink(false)
        .show_rows(ui, ROW, found.len(), |ui, range| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for &command in &found[range] {
                row(ui, &keymap, command, own, actions);
            }
            if found.is_empty() {
                ui.label(theme::caption(ui, "No match"));
            }
        });
    foot(ui, &keymap, own, actions);
}

/// The commands whose label, menu or keys contain `query`.
fn found(ui: &Ui, keymap: &Keymap, query: &str) -> Vec<Command> {
    let query = query.trim().to_lowercase();
    let is_found = |command: &&Command| {
        let info = command.info();
        let keys = keymap.of(**command).iter().map(|key| keys::label(ui.ctx(), *key));
        let words = [info.label.to_owned(), info.menu.name().to_owned()];
        words.into_iter().chain(keys).any(|words| words.to_lowercase().contains(&query))
    };
    Command::ALL.iter().filter(is_found).copied().collect()
}

/// Takes the next key press as the new key of the change in progress.
fn listen(ui: &Ui, keymap: &Keymap, own: &mut KeyTable, actions: &mut Vec<Action>) {
    // Text fields must not receive the key press.
    if let Some(focused) = ui.memory(egui::Memory::focused) {
        ui.memory_mut(|memory| memory.surrender_focus(focused));
    }
    let Some(key) = ui.input_mut(|input| keys::take_pressed(&mut input.events)) else { return };
    let Some(change) = &mut own.change else { return };
    if key == KeyboardShortcut::new(Modifiers::NONE, Key::Escape) {
        own.change = None;
        return;
    }
    if let Some(why) = keys::refusal(change.command, key) {
        change.stage = Stage::Refused(why);
        return;
    }
    let before = keymap.of(change.command);
    let mut given: Vec<KeyboardShortcut> = Vec::new();
    for old in before {
        let kept = if change.replaced == Some(*old) { key } else { *old };
        if !given.contains(&kept) {
            given.push(kept);
        }
    }
    if !given.contains(&key) {
        given.push(key);
    }
    propose(keymap, own, given, actions);
}

/// Gives these keys to the command of the change, or asks first if other commands have some of them.
fn propose(keymap: &Keymap, own: &mut KeyTable, given: Vec<KeyboardShortcut>, actions: &mut Vec<Action>) {
    let Some(change) = &mut own.change else { return };
    let command = change.command;
    let is_taken = |key: &KeyboardShortcut| keymap.holder(*key).is_some_and(|holder| holder != command);
    if given.iter().any(is_taken) {
        change.stage = Stage::Taken(given);
    } else {
        own.change = None;
        actions.push(Action::SetKeys(command, given));
    }
}

fn row(ui: &mut Ui, keymap: &Keymap, command: Command, own: &mut KeyTable, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let info = command.info();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width() - 12.0, ROW), Sense::click());
    let words: Vec<String> = keymap.of(command).iter().map(|key| keys::label(ui.ctx(), *key)).collect();
    let label = info.label.trim_end_matches('…');
    let name = match words.is_empty() {
        true => format!("{label}: no key"),
        false => format!("{label}: {}", words.join(", ")),
    };
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name.as_str()));
    let is_changing = own.change.as_ref().is_some_and(|change| change.command == command);
    let pointed = response.hovered() || response.has_focus();
    widgets::row_ground(ui, rect, theme::RADIUS, (is_changing, pointed));
    let font = egui::TextStyle::Body.resolve(ui.style());
    let left = rect.left_center() + vec2(10.0, 0.0);
    let shown = ui.painter().text(left, Align2::LEFT_CENTER, label, font, palette.text_strong);
    let menu = shown.right_center() + vec2(10.0, 0.0);
    ui.painter().text(menu, Align2::LEFT_CENTER, info.menu.name(), theme::caption_font(), palette.text_weak);

    let right = buttons(ui, keymap, command, rect, own, actions);
    let places = keycap::places(ui, &words, right - 8.0, rect.center().y);
    for ((key, words), place) in keymap.of(command).iter().zip(&words).zip(places) {
        let id = response.id.with(words);
        let cap = ui.interact(place, id, Sense::click());
        let name = format!("Change {words} for {label}");
        cap.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name.as_str()));
        let is_replaced =
            is_changing && own.change.as_ref().is_some_and(|change| change.replaced == Some(*key));
        keycap::paint(ui, ui.painter(), place, words, is_replaced || cap.hovered() || cap.has_focus());
        if cap.on_hover_text("Replace or remove this key").clicked() {
            own.change = Some(KeyChange { command, replaced: Some(*key), stage: Stage::Waiting });
        }
    }
    if response.clicked() {
        let replaced = keymap.of(command).first().copied();
        own.change = Some(KeyChange { command, replaced, stage: Stage::Waiting });
    }
}

/// Shows the buttons at the end of a row. Returns their left edge.
fn buttons(
    ui: &mut Ui,
    keymap: &Keymap,
    command: Command,
    row: Rect,
    own: &mut KeyTable,
    actions: &mut Vec<Action>,
) -> f32 {
    let label = command.info().label.trim_end_matches('…');
    let usual = keys::defaults(command);
    let mut right = row.right() - 4.0;
    let mut place = |ui: &mut Ui, icon: Icon, hint: &str| -> Response {
        let size = vec2(theme::ICON_BUTTON, theme::ICON_BUTTON);
        let min = egui::pos2(right - size.x, row.center().y - size.y / 2.0);
        right = min.x;
        let builder = egui::UiBuilder::new().max_rect(Rect::from_min_size(min, size)).id_salt((hint, label));
        widgets::icon_button(&mut ui.new_child(builder), icon, hint, true)
    };
    if place(ui, Icon::Plus, &format!("Add a key for {label}")).clicked() {
        own.change = Some(KeyChange { command, replaced: None, stage: Stage::Waiting });
    }
    if keymap.of(command) != usual {
        if place(ui, Icon::Restart, &format!("Reset the keys for {label}")).clicked() {
            own.change = Some(KeyChange { command, replaced: None, stage: Stage::Waiting });
            propose(keymap, own, usual, actions);
        }
    } else {
        // Leaves the space of the Reset button, so that the keys of all rows line up.
        right -= theme::ICON_BUTTON;
    }
    right
}

/// Shows the next step below the table.
fn foot(ui: &mut Ui, keymap: &Keymap, own: &mut KeyTable, actions: &mut Vec<Action>) {
    ui.add_space(8.0);
    widgets::hairline(ui);
    ui.add_space(4.0);
    let Some(change) = own.change.clone() else {
        ui.label(theme::caption(ui, "Click a command or one of its keys, then press a new key."));
        return;
    };
    let label = change.command.info().label.trim_end_matches('…');
    let palette = theme::palette(ui);
    let name = |key: &KeyboardShortcut| keys::label(ui.ctx(), *key);
    let asks = match &change.replaced {
        Some(old) => format!("Press a key to replace {} for “{label}”.", name(old)),
        None => format!("Press a key for “{label}”."),
    };
    let (words, color) = match &change.stage {
        Stage::Waiting => (asks, palette.text_strong),
        Stage::Refused(why) => (format!("{why} Press another key."), palette.warning),
        Stage::Taken(given) => {
            let held = given.iter().filter_map(|key| Some((key, keymap.holder(*key)?)));
            let others = held.filter(|(_, holder)| *holder != change.command);
            let each = others.map(|(key, holder)| {
                format!("{} already runs “{}”.", name(key), holder.info().label.trim_end_matches('…'))
            });
            (each.collect::<Vec<_>>().join(" "), palette.warning)
        }
    };
    ui.add(egui::Label::new(egui::RichText::new(words).color(color)).wrap());
    ui.horizontal(|ui| {
        if let Stage::Taken(given) = &change.stage {
            if widgets::primary_button(ui, &format!("Reassign to {label}")).clicked() {
                own.change = None;
                actions.push(Action::SetKeys(change.command, given.clone()));
            }
            if widgets::button(ui, "Press another key").clicked() {
                own.change = Some(KeyChange { stage: Stage::Waiting, ..change.clone() });
            }
        } else if let Some(old) = change.replaced {
            let words = format!("Remove {}", keys::label(ui.ctx(), old));
            let is_fixed = keys::is_fixed(change.command, old);
            let remove = ui.add_enabled(!is_fixed, egui::Button::new(words));
            if remove.on_disabled_hover_text("Text fields always use this key").clicked() {
                let left = keymap.of(change.command).iter().copied().filter(|key| *key != old).collect();
                own.change = None;
                actions.push(Action::SetKeys(change.command, left));
            }
        }
        if widgets::button(ui, "Cancel").clicked() {
            own.change = None;
        }
    });
}
