//! Small controls shared by all panels.

pub mod breakpoint_form;
pub mod diagnostics;
pub mod expression_field;
pub mod menu;
pub mod text_fields;

use crate::command::Action;
use crate::format;
use crate::icons::Icon;
use crate::places::{self, Listed};
use crate::theme;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Color32, CornerRadius, FontId, Layout, Margin, Rect, Response, Sense, Stroke, Ui, Vec2, vec2,
};
use shadestep_engine::diag;
use shadestep_engine::ir::{Components, Type};
use std::path::PathBuf;

/// Font size of [`segmented`], in points.
const SEGMENT_FONT: f32 = 12.0;
/// Horizontal padding of a choice in [`segmented`], both sides together, in points.
const SEGMENT_PADDING: f32 = 16.0;

/// Height of the header of [`folding`], in points.
const FOLDING_HEIGHT: f32 = 22.0;

/// Tooltip of time controls if the program does not read the time.
pub const TIME_NOT_SEEN: &str = "This program does not use the time";
/// Vertical padding of a band, in points.
const BAND_MARGIN: i8 = 5;
/// Height of [`band`], in points.
pub const BAND_HEIGHT: f32 = theme::ICON_BUTTON + 2.0 * BAND_MARGIN as f32;

/// Severity of a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Info,
    Warning,
    Error,
    Success,
}

impl Tone {
    fn colors(self, palette: &theme::Palette) -> (Color32, Color32, Icon) {
        match self {
            Self::Info => (palette.accent, palette.accent_wash, Icon::Book),
            Self::Warning => (palette.warning, palette.warning_wash, Icon::Warning),
            Self::Error => (palette.error, palette.error_wash, Icon::Error),
            Self::Success => (palette.success, palette.accent_wash, Icon::Check),
        }
    }
}

/// Shows component `c` of `register` in every format. The format of the written type is highlighted.
pub fn views(ui: &mut Ui, register: Components, types: [Type; 4], c: usize) {
    let grid = egui::Grid::new("views of a value").num_columns(2).spacing(vec2(14.0, 3.0));
    grid.min_row_height(0.0).show(ui, |ui| {
        for (index, (name, text)) in format::views(register, types, c).into_iter().enumerate() {
            let weak = theme::palette(ui).text_weak;
            ui.label(theme::caption(ui, name));
            let text = theme::value(ui, text);
            ui.add(egui::Label::new(if index == 0 { text } else { text.color(weak) }).extend());
            ui.end_row();
        }
    });
}

/// Lays out a message. Text between backquotes is program text: fixed-width font, without the backquotes.
pub fn prose(ui: &Ui, words: &str, font: &FontId, color: Color32) -> LayoutJob {
    let mut job = LayoutJob::default();
    let code = FontId::new(font.size * 0.94, egui::FontFamily::Monospace);
    let code_color = if color == theme::palette(ui).text { theme::palette(ui).text_strong } else { color };
    for (is_code, part) in diag::code_spans(words) {
        let (font, color) = if is_code { (&code, code_color) } else { (font, color) };
        job.append(
            part,
            0.0,
            TextFormat { valign: Align::Center, ..TextFormat::simple(font.clone(), color) },
        );
    }
    job
}

/// A label with [`prose`] in the usual text colour.
pub fn prose_label(ui: &mut Ui, words: &str) -> Response {
    colored_prose(ui, words, theme::palette(ui).text)
}

/// A scroll area without animation. In egui 0.37 an animated scroll measures its distance in one frame and
/// applies it to the content of the next frame, so two scrolls in a row go too far.
pub fn jumping(area: egui::ScrollArea) -> egui::ScrollArea {
    area.animated(false)
}

/// A label with [`prose`] in `color`.
pub fn colored_prose(ui: &mut Ui, words: &str, color: Color32) -> Response {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let job = prose(ui, words, &font, color);
    ui.add(egui::Label::new(job).wrap())
}

/// Controls that request a change when the user clicks them.
pub trait OnClick {
    /// Adds `action` to `actions` if the user clicked the control.
    fn on_click(&self, action: impl Into<Action>, actions: &mut Vec<Action>);
}

impl OnClick for Response {
    fn on_click(&self, action: impl Into<Action>, actions: &mut Vec<Action>) {
        if self.clicked() {
            actions.push(action.into());
        }
    }
}

/// Sets a control's name for screen readers and tests, and returns its response.
pub fn named(response: Response, name: &str) -> Response {
    let id = response.id;
    response.ctx.accesskit_node_builder(id, |node| node.set_label(name));
    response
}

/// A field for a number, formatted by `words` or else by egui. A NaN stays until the user changes it, whereas
/// a plain field turns it into infinity.
pub fn float_field<N: egui::emath::Numeric>(
    value: &mut N,
    words: Option<fn(f64) -> String>,
) -> egui::DragValue<'_> {
    let words =
        if value.to_f64().is_nan() { Some((|_| "NaN".to_owned()) as fn(f64) -> String) } else { words };
    let field = egui::DragValue::from_get_set(move |changed| {
        if let Some(changed) = changed {
            *value = N::from_f64(changed);
        }
        let shown = value.to_f64();
        if shown.is_nan() { 0.0 } else { shown }
    });
    let field = field.custom_parser(|text| text.trim().parse::<f64>().ok().filter(|number| !number.is_nan()));
    match words {
        Some(words) => field.custom_formatter(move |number, _| words(number)),
        None => field,
    }
}

/// Paints the ground of a list row that is chosen or under the pointer.
pub fn row_ground(ui: &Ui, rect: Rect, radius: impl Into<CornerRadius>, (chosen, pointed): (bool, bool)) {
    let palette = theme::palette(ui);
    if chosen {
        ui.painter().rect_filled(rect, radius, palette.accent_wash);
    } else if pointed {
        ui.painter().rect_filled(rect, radius, palette.raised);
    }
}

/// A square button with an icon.
pub fn icon_button(ui: &mut Ui, icon: Icon, tooltip: &str, enabled: bool) -> Response {
    toggle_icon_button(ui, icon, tooltip, enabled, Pressed::No)
}

/// The appearance of a toggle button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pressed {
    Yes,
    No,
}

/// A square button with an icon that can look pressed.
pub fn toggle_icon_button(
    ui: &mut Ui,
    icon: Icon,
    tooltip: &str,
    enabled: bool,
    pressed: Pressed,
) -> Response {
    let palette = theme::palette(ui);
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(theme::ICON_BUTTON), sense);
    let name = tooltip.split(" (").next().unwrap_or(tooltip).to_owned();
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, enabled, name.as_str()));
    let color = match (enabled, pressed) {
        (false, _) => palette.text_faint.gamma_multiply(0.6),
        (true, Pressed::Yes) => palette.accent,
        (true, Pressed::No) if response.hovered() => palette.text_strong,
        (true, Pressed::No) => palette.text,
    };
    if enabled && response.is_pointer_button_down_on() {
        ui.painter().rect_filled(rect, theme::RADIUS, palette.line_strong);
    } else if enabled && (response.hovered() || response.has_focus()) {
        ui.painter().rect_filled(rect, theme::RADIUS, palette.raised_hover);
    } else if pressed == Pressed::Yes {
        ui.painter().rect_filled(rect, theme::RADIUS, palette.accent_wash);
    }
    icon.paint(ui.painter(), rect, 15.0, color);
    response.on_hover_text(tooltip)
}

pub fn button(ui: &mut Ui, label: &str) -> Response {
    ui.add(egui::Button::new(label))
}

/// Buttons for the files in `recent`, each with its folder. Returns the clicked file.
pub fn recent_files(ui: &mut Ui, recent: &[PathBuf]) -> Option<PathBuf> {
    let mut clicked = None;
    for (path, Listed { name, folder }) in recent.iter().zip(places::listed(recent)) {
        let spoken = format!("{name}, {folder}");
        let response = ui.add(egui::Button::new(name).shortcut_text(folder).min_size(vec2(260.0, 0.0)));
        if named(response, &spoken).on_hover_text(path.display().to_string()).clicked() {
            clicked = Some(path.clone());
        }
    }
    clicked
}

/// A button that can look pressed, with the tooltip `hint`.
pub fn toggle_button(ui: &mut Ui, label: &str, hint: &str, pressed: Pressed) -> Response {
    let palette = theme::palette(ui);
    let on = pressed == Pressed::Yes;
    let text = egui::RichText::new(label).color(if on { palette.accent } else { palette.text_weak });
    let fill = if on { palette.accent_wash } else { Color32::TRANSPARENT };
    ui.add(egui::Button::new(text).fill(fill).selected(on)).on_hover_text(hint)
}

/// The button for a window's main action.
pub fn primary_button(ui: &mut Ui, label: &str) -> Response {
    let palette = theme::palette(ui);
    ui.add(egui::Button::new(egui::RichText::new(label).color(palette.on_accent)).fill(palette.accent))
}

pub fn hairline(ui: &mut Ui) {
    let palette = theme::palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(1.0, palette.line));
}

/// A short vertical line between groups of buttons.
pub fn divider(ui: &mut Ui) {
    let palette = theme::palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(9.0, 18.0), Sense::hover());
    ui.painter().vline(rect.center().x, rect.y_range(), Stroke::new(1.0, palette.line_strong));
}

/// A coloured band with a message, and the content of `add` at the right.
pub fn band(ui: &mut Ui, tone: Tone, words: &str, add: impl FnOnce(&mut Ui)) {
    let palette = theme::palette(ui);
    let (color, wash, icon) = tone.colors(palette);
    egui::Frame::new().fill(wash).inner_margin(Margin::symmetric(12, BAND_MARGIN)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.set_min_height(theme::ICON_BUTTON);
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(16.0), Sense::hover());
            icon.paint(ui.painter(), rect, 15.0, color);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                add(ui);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let font = egui::TextStyle::Body.resolve(ui.style());
                    ui.add(egui::Label::new(prose(ui, words, &font, palette.text_strong)).truncate());
                });
            });
        });
    });
}

/// The initial state of a folding section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtFirst {
    Open,
    Closed,
}

/// A folding section with its title in `font` and a summary.
pub fn folding(
    ui: &mut Ui,
    (title, summary): (&str, &str),
    (at_first, font): (AtFirst, FontId),
    add: impl FnOnce(&mut Ui),
) {
    folding_as(ui, title, (title, summary), (at_first, font), add);
}

/// A folding section with a separate id, for titles that can change.
pub fn folding_as(
    ui: &mut Ui,
    salt: &str,
    (title, summary): (&str, &str),
    (at_first, font): (AtFirst, FontId),
    add: impl FnOnce(&mut Ui),
) {
    let id = ui.scope_id().with(("folding", salt));
    let mut open = ui.data(|data| data.get_temp(id)).unwrap_or(at_first == AtFirst::Open);
    let palette = theme::palette(ui);
    let size = vec2(ui.available_width(), FOLDING_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, open, title));
    if response.clicked() {
        open = !open;
        ui.data_mut(|data| data.insert_temp(id, open));
    }
    let strong = if response.hovered() { palette.accent } else { palette.text_strong };
    let chevron = Rect::from_center_size(rect.left_center() + vec2(6.0, 0.0), Vec2::splat(12.0));
    let icon = if open { Icon::ChevronDown } else { Icon::ChevronRight };
    icon.paint(ui.painter(), chevron, 11.0, strong);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let left = egui::Align2::LEFT_CENTER;
    let name = painter.text(rect.left_center() + vec2(17.0, 0.0), left, title, font, strong);
    let place = egui::pos2(name.right() + 10.0, rect.center().y + 0.5);
    let mut words =
        LayoutJob::simple_singleline(summary.to_owned(), theme::caption_font(), palette.text_weak);
    words.wrap = egui::text::TextWrapping::truncate_at_width((rect.right() - place.x).max(0.0));
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(words));
    let is_cut = galley.elided;
    painter.galley(place - vec2(0.0, galley.size().y / 2.0), galley, palette.text_weak);
    if is_cut {
        response.on_hover_text(summary);
    }
    if open {
        add(ui);
        ui.add_space(4.0);
    }
    ui.add_space(4.0);
}

/// The content of an empty panel.
pub fn empty_state(ui: &mut Ui, icon: Icon, title: &str, words: &str) {
    let palette = theme::palette(ui);
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.5 - 56.0).max(8.0));
        let (rect, _) = ui.allocate_exact_size(Vec2::splat(34.0), Sense::hover());
        icon.paint(ui.painter(), rect, 30.0, palette.text_faint);
        ui.add_space(6.0);
        ui.label(theme::heading(ui, title));
        ui.add_space(2.0);
        ui.scope(|ui| {
            ui.set_max_width(ui.available_width().min(380.0));
            ui.label(egui::RichText::new(words).color(palette.text_weak));
        });
    });
}

/// The content of an empty panel, with a button below.
pub fn empty_state_with(ui: &mut Ui, icon: Icon, title: &str, words: &str, label: &str) -> Response {
    empty_state(ui, icon, title, words);
    ui.vertical_centered(|ui| {
        ui.add_space(12.0);
        primary_button(ui, label)
    })
    .inner
}

/// A segmented control: one of several choices in a row. Returns the clicked choice.
pub fn segmented<T: Copy + PartialEq>(ui: &mut Ui, current: T, choices: &[(T, &str, &str)]) -> Option<T> {
    let palette = theme::palette(ui);
    let mut chosen = None;
    egui::Frame::new()
        .fill(palette.well)
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(CornerRadius::same(theme::RADIUS))
        .inner_margin(Margin::same(2))
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            // In a right-to-left row, the choices still read from left to right.
            let mut ordered = choices.to_vec();
            if ui.layout().prefer_right_to_left() {
                ordered.reverse();
            }
            ui.horizontal(|ui| {
                for (value, label, hint) in ordered {
                    if segment(ui, value == current, label, hint).clicked() {
                        chosen = Some(value);
                    }
                }
            });
        });
    chosen
}

/// The width of [`segmented`] with `choices`.
pub fn segmented_width<T>(ui: &Ui, choices: &[(T, &str, &str)]) -> f32 {
    let font = FontId::proportional(SEGMENT_FONT);
    let width = |label: &str| {
        ui.painter().layout_no_wrap(label.to_owned(), font.clone(), Color32::PLACEHOLDER).size().x
    };
    // 2 points between choices; a margin and a line around them.
    choices.iter().map(|(_, label, _)| width(label) + SEGMENT_PADDING + 2.0).sum::<f32>() + 4.0
}

fn segment(ui: &mut Ui, selected: bool, label: &str, hint: &str) -> Response {
    let palette = theme::palette(ui);
    let color = if selected { palette.text_strong } else { palette.text_weak };
    let galley = ui.painter().layout_no_wrap(label.to_owned(), FontId::proportional(SEGMENT_FONT), color);
    let size = vec2(galley.size().x + SEGMENT_PADDING, 21.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, selected, label));
    if selected {
        ui.painter().rect_filled(rect, 3.0, palette.raised_hover);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let pos = rect.center() - galley.size() / 2.0;
    ui.painter().galley(pos, galley, color);
    if hint.is_empty() { response } else { response.on_hover_text(hint) }
}

/// A square of colour, with a light edge that makes dark colours visible.
pub fn swatch(ui: &mut Ui, color: Color32, size: Vec2) -> Response {
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    paint_swatch(ui.painter(), rect, color, theme::palette(ui));
    response
}

/// Paints a swatch into `rect`.
pub fn paint_swatch(painter: &egui::Painter, rect: Rect, color: Color32, palette: &theme::Palette) {
    painter.rect_filled(rect, 3.0, color);
    painter.rect_stroke(rect, 3.0, Stroke::new(1.0, palette.line_strong), egui::StrokeKind::Inside);
}

/// A swatch of `color` with `alpha` over a checkerboard. The right half is opaque unless `alpha` is 0.
pub fn alpha_swatch(ui: &mut Ui, color: Color32, alpha: f32, size: Vec2) -> Response {
    let [red, green, blue, _] = color.to_array();
    let alpha = if alpha.is_nan() { 0.0 } else { alpha.clamp(0.0, 1.0) };
    let color = Color32::from_rgba_unmultiplied(red, green, blue, (alpha * 255.0).round() as u8);
    egui::color_picker::show_color(ui, color, size)
}

/// Converts to an opaque 8-bit colour. Values are clamped to 0..1, and NaN becomes 0.
pub fn color_of(rgb: [f32; 3]) -> Color32 {
    let [r, g, b] = rgb.map(|c| if c.is_nan() { 0 } else { (c.clamp(0.0, 1.0) * 255.0).round() as u8 });
    Color32::from_rgb(r, g, b)
}
