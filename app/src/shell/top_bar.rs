//! The top bar: menus on the left, the command palette in the middle, time and theme on the right.

use crate::command::{Action, Command, Group, Menu};
use crate::icons::Icon;
use crate::keys;
use crate::model::Playback;
use crate::state::{Running, State};
use crate::theme;
use crate::widgets::menu;
use crate::widgets::{self, OnClick as _};
use egui::{Align, Layout, Sense, Stroke, vec2};

/// Tooltip of the time field.
const TIME_SEEN: &str = "The time that the program sees. Drag it, or click to type.";

/// Shows the bar.
pub fn show(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    let bar = ui.max_rect();
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_height(theme::TOP_BAR_HEIGHT);
        logo(ui);
        let mut menus_end = 0.0;
        egui::MenuBar::new().ui(ui, |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.spacing_mut().button_padding = vec2(9.0, 4.0);
            let asked = take_letter(ui, state);
            for menu in Menu::ALL {
                let button = ui.menu_button(menu.name(), |ui| menu_contents(ui, menu, state, actions));
                if asked == Some(menu) {
                    egui::Popup::toggle_id(ui.ctx(), egui::Popup::default_response_id(&button.response));
                }
                menus_end = button.response.rect.right();
            }
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            theme_button(ui, actions);
            widgets::divider(ui);
            transport(ui, state, actions);
            let right = ui.min_rect().left() - 16.0;
            let left = menus_end + 16.0;
            let width = 320.0_f32.min(right - left);
            if width > 150.0 {
                let center = bar.center().x.clamp(left + width / 2.0, right - width / 2.0);
                let rect =
                    egui::Rect::from_center_size(egui::pos2(center, bar.center().y), vec2(width, 28.0));
                palette_field(ui, rect, actions);
            }
        });
    });
}

/// Paints the app's logo: a pixel grid with one picked pixel.
fn logo(ui: &mut egui::Ui) {
    let palette = theme::palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(30.0, 22.0), Sense::hover());
    let size = 6.0;
    let origin = egui::pos2(rect.left() + 4.0, rect.center().y - 1.5 * size - 1.0);
    for row in 0..3 {
        for column in 0..3 {
            let min = origin + vec2(column as f32 * (size + 1.0), row as f32 * (size + 1.0));
            let strength = 0.25 + 0.16 * (column + 2 - row) as f32;
            let color = if (row, column) == (1, 1) {
                palette.text_strong
            } else {
                palette.accent.gamma_multiply(strength.min(1.0))
            };
            ui.painter().rect_filled(egui::Rect::from_min_size(min, vec2(size, size)), 1.0, color);
        }
    }
}

/// Takes Alt with the first letter of a menu, which opens the menu. Text fields receive no text typed with
/// Alt. Where Alt types further letters (as AltGr with Ctrl, and on macOS), Alt opens no menu and text is
/// kept.
fn take_letter(ui: &egui::Ui, state: &State) -> Option<Menu> {
    if cfg!(target_os = "macos") || state.is_covered() {
        return None;
    }
    let mut asked = None;
    let typing = |modifiers: egui::Modifiers| !modifiers.alt || modifiers.ctrl || modifiers.command;
    // The user may release both keys within one frame. Each key event has its modifiers, and its text event
    // follows.
    let mut types = typing(ui.input(|input| input.modifiers));
    let mut keeps = |event: &egui::Event| match event {
        egui::Event::Key { key, pressed: true, modifiers, .. } => {
            types = typing(*modifiers);
            let letter = |menu: &Menu| egui::Key::from_name(&menu.name()[..1]) == Some(*key);
            let opened = Menu::ALL.into_iter().find(|menu| !types && !modifiers.shift && letter(menu));
            asked = opened.or(asked);
            opened.is_none()
        }
        egui::Event::Text(_) => types,
        _ => true,
    };
    ui.input_mut(|input| input.events.retain(|event| keeps(event)));
    asked
}

fn menu_contents(ui: &mut egui::Ui, of: Menu, state: &State, actions: &mut Vec<Action>) {
    /// Space below a menu, in points.
    const BELOW: f32 = 24.0;
    ui.set_min_width(240.0);
    let height = (ui.ctx().content_rect().bottom() - ui.min_rect().top() - BELOW).max(120.0);
    // Without a maximum, egui would choose the menu's height.
    ui.set_max_height(height);
    widgets::jumping(egui::ScrollArea::vertical()).max_height(height).show(ui, |ui| {
        let commands: Vec<Command> = Command::of(of).collect();
        for group in commands.chunk_by(|_, next| next.info().group.is_none()) {
            let mut items = |ui: &mut egui::Ui| {
                for &command in group {
                    menu::item(ui, command, state, actions);
                    if command == Command::Open {
                        recent_menu(ui, state, actions);
                    }
                }
            };
            match group[0].info().group {
                Some(Group::Submenu(title)) => {
                    ui.menu_button(title, |ui| {
                        ui.set_min_width(240.0);
                        items(ui);
                    });
                }
                Some(Group::Line) => {
                    ui.separator();
                    items(ui);
                }
                None => items(ui),
            }
        }
    });
}

fn recent_menu(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    let recent = &state.settings.recent;
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        ui.menu_button("Open recent", |ui| {
            if let Some(path) = widgets::recent_files(ui, recent) {
                actions.push(Action::Open(path));
                ui.close();
            }
            ui.separator();
            if ui.button("Clear list").clicked() {
                actions.push(Action::ClearRecent);
                ui.close();
            }
        });
    });
}

fn palette_field(ui: &mut egui::Ui, rect: egui::Rect, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let response = ui.interact(rect, ui.scope_id().with("palette field"), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Command palette"));
    let (fill, line) = if response.hovered() {
        (palette.raised, palette.line_strong)
    } else {
        (palette.panel, palette.line)
    };
    ui.painter().rect(rect, 6.0, fill, Stroke::new(1.0, line), egui::StrokeKind::Inside);
    let icon = egui::Rect::from_center_size(rect.left_center() + vec2(16.0, 0.0), vec2(14.0, 14.0));
    Icon::Search.paint(ui.painter(), icon, 13.0, palette.text_weak);
    let middle = egui::Align2::LEFT_CENTER;
    let font = egui::FontId::proportional(12.5);
    let words = ui.painter().text(
        rect.left_center() + vec2(30.0, 0.0),
        middle,
        "Search commands",
        font,
        palette.text_weak,
    );
    if let Some(keys) = keys::shown(ui.ctx(), Command::CommandPalette) {
        let keys = ui.painter().layout_no_wrap(keys, theme::caption_font(), palette.text_weak);
        let place =
            egui::Align2::RIGHT_CENTER.anchor_size(rect.right_center() - vec2(10.0, 0.0), keys.size());
        if place.left() >= words.right() + 10.0 {
            ui.painter().galley(place.min, keys, palette.text_weak);
        }
    }
    response.on_click(Command::CommandPalette, actions);
}

fn theme_button(ui: &mut egui::Ui, actions: &mut Vec<Action>) {
    let icon = if ui.visuals().dark_mode { Icon::Sun } else { Icon::Moon };
    let command = Command::ToggleTheme;
    widgets::icon_button(ui, icon, &command.tooltip(ui.ctx()), true).on_click(command, actions);
}

/// The time controls, from right to left as the layout runs.
fn transport(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    let play_or_pause = match state.clock.running {
        Running::Yes => Icon::Pause,
        Running::No | Running::Held => Icon::Play,
    };
    let buttons = [
        (Command::ResetTime, Icon::Restart),
        (Command::StepTime, Icon::NextFrame),
        (Command::PlayPause, play_or_pause),
    ];
    for (command, icon) in buttons {
        widgets::icon_button(ui, icon, &command.tooltip(ui.ctx()), command.enabled(state))
            .on_click(command, actions);
    }
    time_field(ui, state, actions);
}

/// A field for the time, to drag or type.
fn time_field(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    let now = state.clock.time_secs;
    let id = ui.scope_id().with("time held");
    // A running clock would overwrite the typed text, so the field keeps its own value.
    let held: Option<f32> = ui.data(|data| data.get_temp(id));
    let before = held.unwrap_or(now);
    let mut time = before;
    let field = egui::DragValue::new(&mut time)
        .range(0.0..=Playback::LATEST)
        .clamp_existing_to_range(false)
        .speed(0.02)
        .fixed_decimals(2)
        .update_while_editing(false)
        .suffix(" s");
    let (rect, _) = ui.allocate_exact_size(vec2(78.0, 22.0), Sense::hover());
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt("time"));
    inner.style_mut().override_font_id = Some(theme::value_font());
    inner.spacing_mut().interact_size.y = rect.height();
    inner.spacing_mut().button_padding.y = 1.0;
    if !state.is_animated() {
        inner.disable();
    }
    let response = widgets::named(inner.add_sized(rect.size(), field), "Time");
    let is_set = time != before || response.dragged() && time != now;
    if is_set {
        actions.push(Action::SetTime(time));
    }
    let is_held = response.has_focus() || response.dragged();
    ui.data_mut(|data| {
        data.remove::<f32>(id);
        if is_held {
            data.insert_temp(id, time);
        }
    });
    response.on_hover_text(TIME_SEEN).on_disabled_hover_text(widgets::TIME_NOT_SEEN);
}
