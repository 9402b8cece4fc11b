//! The tabs of the open documents, above the text.

use crate::command::{Action, Command};
use crate::icons::Icon;
use crate::model::Document;
use crate::state::{Closing, State};
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::{Align2, Rect, Sense, Stroke, pos2, vec2};

/// Largest width of a tab, in points.
const MAX_WIDTH: f32 = 220.0;

pub fn show(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let (strip, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), theme::TAB_BAR_HEIGHT), Sense::hover());
    ui.painter().hline(strip.x_range(), strip.bottom() - 0.5, Stroke::new(1.0, palette.line));
    let mut area = ui.new_child(
        egui::UiBuilder::new().max_rect(strip).layout(egui::Layout::left_to_right(egui::Align::Center)),
    );
    area.spacing_mut().item_spacing.x = 0.0;
    widgets::jumping(egui::ScrollArea::horizontal())
        .id_salt("document tabs")
        .scroll_bar_visibility(egui::scroll_area::ScrollBarVisibility::AlwaysHidden)
        .max_width(strip.width() - theme::ICON_BUTTON - 12.0)
        .show(&mut area, |ui| {
            ui.horizontal(|ui| {
                let shown = (state.document().map(|document| document.id), strip.width().to_bits());
                let last = ui.scope_id().with("shown");
                let brought_up = ui.data_mut(|data| data.get_temp(last)) != Some(shown);
                for index in 0..state.documents.len() {
                    let rect = tab(ui, state, index, actions);
                    if brought_up && index == state.active {
                        ui.scroll_to_rect(rect, None);
                    }
                }
                ui.data_mut(|data| data.insert_temp(last, shown));
            });
        });
    area.add_space(6.0);
    widgets::icon_button(&mut area, Icon::Plus, &Command::New.tooltip(ui.ctx()), true)
        .on_click(Command::New, actions);
}

/// The name of `document`, followed by its folder if another document has the same name.
fn title(state: &State, document: &Document) -> String {
    let name = document.name();
    let is_twice = state.documents.iter().filter(|other| other.name() == name).count() > 1;
    let folder = document.main_file().and_then(|file| file.parent()?.file_name());
    match folder.filter(|_| is_twice) {
        Some(folder) => format!("{name} – {}", folder.to_string_lossy()),
        None => name,
    }
}

/// Shows a tab and returns its rectangle.
fn tab(ui: &mut egui::Ui, state: &State, index: usize, actions: &mut Vec<Action>) -> Rect {
    let palette = theme::palette(ui);
    let document = &state.documents[index];
    let active = index == state.active;
    let color = if active { palette.text_strong } else { palette.text_weak };
    let font = egui::TextStyle::Body.resolve(ui.style());
    let title = title(state, document);
    let mut job = egui::text::LayoutJob::simple_singleline(title.clone(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(MAX_WIDTH - 56.0);
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let width = galley.size().x + 56.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, theme::TAB_BAR_HEIGHT), Sense::click());
    response
        .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, active, format!("Tab {title}")));
    let painter = ui.painter();
    if active {
        painter.rect_filled(rect, 0.0, palette.well);
        painter.rect_filled(Rect::from_min_size(rect.min, vec2(width, 2.0)), 0.0, palette.accent);
    } else if response.hovered() {
        painter.rect_filled(rect.shrink2(vec2(0.0, 1.0)), 0.0, palette.panel);
    }
    painter.vline(rect.right() - 0.5, rect.y_range(), Stroke::new(1.0, palette.line));
    let dot = if document.error_count() > 0 { palette.error } else { palette.accent };
    painter.circle_filled(
        pos2(rect.left() + 14.0, rect.center().y),
        3.0,
        if active { dot } else { palette.text_faint },
    );
    let text_pos =
        Align2::LEFT_CENTER.align_size_within_rect(galley.size(), rect.shrink2(vec2(26.0, 0.0))).min;
    painter.galley(text_pos, galley, color);
    close_button(ui, state, index, rect, response.hovered() || active, actions);
    response.on_click(Action::ActivateTab(index), actions);
    if response.middle_clicked() {
        actions.push(Action::CloseTab(document.id));
    }
    let files: Vec<String> = document
        .programs()
        .iter()
        .map(|(slot, program)| match program.path() {
            Some(path) => path.display().to_string(),
            None => format!("{} (not saved to a file)", program.file_name(slot)),
        })
        .collect();
    response.on_hover_text(files.join("\n"));
    rect
}

/// The close button. While the pointer is elsewhere, a document with unsaved changes shows a dot in its
/// place.
fn close_button(
    ui: &egui::Ui,
    state: &State,
    index: usize,
    tab: Rect,
    visible: bool,
    actions: &mut Vec<Action>,
) {
    let palette = theme::palette(ui);
    let document = &state.documents[index];
    let rect = Rect::from_center_size(pos2(tab.right() - 15.0, tab.center().y), vec2(18.0, 18.0));
    let response = ui.interact(rect, ui.scope_id().with(("close tab", document.id.0)), Sense::click());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Close {}", document.name()))
    });
    if response.hovered() {
        ui.painter().rect_filled(rect, 4.0, palette.raised_hover);
    }
    if state.waits_for(Closing::Tab(document.id), document) && !response.hovered() {
        ui.painter().circle_filled(rect.center(), 4.0, palette.warning);
    } else if visible || response.hovered() {
        Icon::Close.paint(ui.painter(), rect, 10.0, palette.text_weak);
    }
    response.on_click(Action::CloseTab(document.id), actions);
}
