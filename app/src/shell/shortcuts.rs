//! The shortcut sheet: all active keys, grouped by menu and place.

use super::{dialogs, keycap};
use crate::command::{Action, Command, Menu};
use crate::keys::{self, FIXED, Gesture, Keymap, Place};
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::{Align, Layout, Sense, Ui, vec2};

/// Height of a row, in points.
const ROW: f32 = 25.0;
/// Height of a heading, in points.
const HEADING: f32 = 34.0;
/// Space between the two columns, in points.
const GUTTER: f32 = 36.0;

/// State of the sheet while it is open.
#[derive(Default)]
pub struct Sheet {
    query: String,
}

/// An action with its keys or gestures.
struct Row {
    what: String,
    keys: Vec<String>,
}

/// Rows below one heading.
struct Group {
    title: &'static str,
    rows: Vec<Row>,
}

impl Group {
    fn height(&self) -> f32 {
        HEADING + ROW * self.rows.len() as f32
    }

    /// Keeps the rows that contain `query`. If the title contains it, all rows stay.
    fn found(mut self, query: &str) -> Option<Self> {
        let has = |words: &str| words.to_lowercase().contains(query);
        if !has(self.title) {
            self.rows.retain(|row| has(&row.what) || row.keys.iter().any(|key| has(key)));
        }
        (!self.rows.is_empty()).then_some(self)
    }
}

fn groups(ctx: &egui::Context, keymap: &Keymap) -> Vec<Group> {
    let menus = Menu::ALL.into_iter().map(|menu| {
        let with_keys = Command::of(menu).filter(|command| !keymap.of(*command).is_empty());
        let row = |command: Command| Row {
            what: command.info().label.trim_end_matches('…').to_owned(),
            keys: keymap.of(command).iter().map(|key| keys::label(ctx, *key)).collect(),
        };
        Group { title: menu.name(), rows: with_keys.map(row).collect() }
    });
    let places = Place::ALL.into_iter().map(|place| {
        let rows = FIXED.iter().filter(|fixed| fixed.place == place).map(|fixed| Row {
            what: fixed.what.to_owned(),
            keys: match fixed.gesture {
                Gesture::Keys(keys) => keys.iter().map(|key| keys::label(ctx, *key)).collect(),
                Gesture::Mouse(words) => vec![words.to_owned()],
            },
        });
        Group { title: place.name(), rows: rows.filter(|row| !row.keys.is_empty()).collect() }
    });
    menus.chain(places).collect()
}

/// Shows the sheet.
pub fn show(ui: &Ui, own: &mut Sheet, actions: &mut Vec<Action>) {
    let screen = ui.ctx().content_rect().size();
    let size = vec2(980.0, 660.0).min(screen - vec2(80.0, 100.0)).max(vec2(240.0, 80.0));
    dialogs::modal(ui, "keyboard shortcuts", actions, |ui, actions| {
        ui.set_width(size.x);
        ui.set_height(size.y);
        ui.horizontal(|ui| {
            dialogs::title(ui, "Keyboard shortcuts");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                widgets::primary_button(ui, "Close").on_click(Action::CloseDialog, actions);
                let change = widgets::button(ui, "Change keys…");
                change
                    .on_hover_text("Change keys in the preferences")
                    .on_click(Command::Preferences, actions);
                let field = egui::TextEdit::singleline(&mut own.query)
                    .hint_text("Search commands and keys")
                    .desired_width(230.0_f32.min(ui.available_width()));
                let response = widgets::named(ui.add(field), "Search commands and keys");
                if ui.memory(|memory| memory.focused().is_none()) {
                    response.request_focus();
                }
            });
        });
        ui.add_space(6.0);
        widgets::hairline(ui);
        let query = own.query.trim().to_lowercase();
        let keymap = keys::of(ui.ctx());
        let all = groups(ui.ctx(), &keymap).into_iter();
        let found: Vec<Group> = all.filter_map(|group| group.found(&query)).collect();
        widgets::jumping(egui::ScrollArea::vertical()).id_salt("keys").auto_shrink(false).show(ui, |ui| {
            if found.is_empty() {
                ui.add_space(16.0);
                ui.label(theme::caption(ui, "No match"));
            }
            columns(ui, &found);
        });
    });
}

/// Shows the groups in two columns of similar height, or in one if there is not enough space.
fn columns(ui: &mut Ui, groups: &[Group]) {
    let width = ui.available_width() - 14.0;
    let total: f32 = groups.iter().map(Group::height).sum();
    let columns = if width < 720.0 { 1 } else { 2 };
    let column_width = (width - GUTTER * (columns - 1) as f32) / columns as f32;
    let mut height = 0.0;
    let in_first = |group: &&Group| {
        let fits = columns == 1 || height + group.height() / 2.0 <= total / 2.0;
        height += group.height();
        fits
    };
    let first = groups.iter().take_while(in_first).count();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing = vec2(GUTTER, 0.0);
        for part in [&groups[..first], &groups[first..]].into_iter().take(columns) {
            ui.vertical(|ui| {
                ui.set_width(column_width);
                part.iter().for_each(|group| show_group(ui, group));
            });
        }
    });
}

fn show_group(ui: &mut Ui, group: &Group) {
    let palette = theme::palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEADING), Sense::hover());
    let place = rect.left_bottom() - vec2(0.0, 6.0);
    let font = theme::strong_font(13.5);
    ui.painter().text(place, egui::Align2::LEFT_BOTTOM, group.title, font, palette.accent);
    for row in &group.rows {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
        let words = format!("{}: {}", row.what, row.keys.join(", "));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, words.as_str()));
        if !ui.is_rect_visible(rect) {
            continue;
        }
        let places = keycap::places(ui, &row.keys, rect.right(), rect.center().y);
        for (words, place) in row.keys.iter().zip(&places) {
            keycap::paint(ui, ui.painter(), *place, words, false);
        }
        let room = places.first().map_or(rect.right(), |first| first.left()) - rect.left() - 12.0;
        let font = egui::TextStyle::Body.resolve(ui.style());
        let mut job = egui::text::LayoutJob::simple_singleline(row.what.clone(), font, palette.text);
        job.wrap = egui::text::TextWrapping::truncate_at_width(room);
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        let place = egui::Align2::LEFT_CENTER.anchor_size(rect.left_center(), galley.size());
        ui.painter().galley(place.min, galley, palette.text);
        ui.painter().hline(rect.x_range(), rect.bottom(), egui::Stroke::new(0.5, palette.line));
    }
}
