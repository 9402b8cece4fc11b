//! Commands as toolbar buttons, items of the menu bar and context menus.

use super::{OnClick as _, Pressed, icon_button, toggle_icon_button};
use crate::command::{Action, Command};
use crate::keys;
use crate::state::State;
use egui::{Response, Ui};

/// A menu item, disabled if the command is not available.
pub fn item(ui: &mut Ui, command: Command, state: &State, actions: &mut Vec<Action>) {
    let info = command.info();
    let mut button = egui::Button::new(info.label);
    if let Some(keys) = keys::shown(ui.ctx(), command) {
        button = button.shortcut_text(keys);
    }
    if ui.add_enabled(command.enabled(state), button).clicked() {
        actions.push(command.into());
        ui.close();
    }
}

/// The context menu of `response`: the content of `first`, then groups of commands with separators.
pub fn context(
    response: &Response,
    state: &State,
    groups: &[&[Command]],
    actions: &mut Vec<Action>,
    first: impl FnOnce(&mut Ui, &mut Vec<Action>),
) {
    response.context_menu(|ui| {
        ui.set_min_width(220.0);
        first(ui, actions);
        for (number, group) in groups.iter().enumerate() {
            if number > 0 {
                ui.separator();
            }
            group.iter().for_each(|command| item(ui, *command, state, actions));
        }
    });
}

/// The toolbar button of `command`.
pub fn command_button(ui: &mut Ui, command: Command, state: &State, actions: &mut Vec<Action>) {
    let Some(icon) = command.info().icon else { return };
    icon_button(ui, icon, &command.tooltip(ui.ctx()), command.enabled(state)).on_click(command, actions);
}

/// The toolbar button of a toggle command. The button is left out if the command is not available.
pub fn toggle_button(
    ui: &mut Ui,
    command: Command,
    pressed: Pressed,
    state: &State,
    actions: &mut Vec<Action>,
) {
    let Some(icon) = command.info().icon.filter(|_| command.enabled(state)) else { return };
    toggle_icon_button(ui, icon, &command.tooltip(ui.ctx()), true, pressed).on_click(command, actions);
}
