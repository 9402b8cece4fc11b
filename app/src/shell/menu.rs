//! Commands in menus: those of the top bar, and those of a right click.

use crate::app::State;
use crate::command::{Action, Command};
use crate::keys;
use egui::{Response, Ui};

/// One command, greyed where it cannot be done now.
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

/// The menu of a right click on `response`: groups of commands, with lines between them, after what `first` adds.
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
