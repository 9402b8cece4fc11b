//! Headers of the folding sections in the debugger panel.

use super::values;
use crate::command::Action;
use crate::icons::Icon;
use crate::settings::{Folded, Section};
use crate::theme;
use crate::widgets::OnClick as _;
use egui::{Align2, Rect, Sense, Ui, Vec2, pos2, vec2};

/// Width of the chevron in a header, in points.
const CHEVRON: f32 = 15.0;

/// Shows the header of a section. A click folds or opens the section. Returns whether the section is open. An
/// open section with `columns_at` shows the letters of the columns over values that begin there.
pub fn header(
    ui: &mut Ui,
    (section, title): (Section, &str),
    columns_at: Option<f32>,
    folded: &Folded,
    actions: &mut Vec<Action>,
) -> bool {
    let palette = theme::palette(ui);
    let is_open = !folded.contains(&section);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_open, title));
    if let Some(at) = columns_at.filter(|_| is_open) {
        values::letters(ui, rect, at);
    }
    let color = if response.hovered() { palette.accent } else { palette.text_strong };
    let chevron = Rect::from_center_size(rect.left_center() + vec2(5.0, 0.0), Vec2::splat(12.0));
    let icon = if is_open { Icon::ChevronDown } else { Icon::ChevronRight };
    icon.paint(ui.painter(), chevron, 10.0, color);
    let place = pos2(rect.left() + CHEVRON, rect.center().y);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.text(place, Align2::LEFT_CENTER, title, theme::strong_font(12.0), color);
    let hint = if is_open { "Click to collapse this section" } else { "Click to expand this section" };
    response.on_hover_text(hint).on_click(Action::FoldSection(section, is_open), actions);
    is_open
}
