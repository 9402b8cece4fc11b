//! The Preferences window, with a page for the appearance and a page for the keys.

use super::{dialogs, key_table};
use crate::command::Action;
use crate::icons::Icon;
use crate::settings::TAB_WIDTHS;
use crate::state::State;
use crate::theme::{self, ThemeChoice};
use crate::widgets::{self, OnClick as _};
use egui::{Align, Layout, Ui, vec2};

/// Width of the names of preferences, in points.
const NAMES: f32 = 110.0;

/// A page of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Page {
    #[default]
    Look,
    Keys,
}

/// State of the window while it is open.
#[derive(Default)]
pub struct Preferences {
    page: Page,
    keys: key_table::KeyTable,
}

impl Preferences {
    /// Opens the window on the page with the keys.
    pub fn on_keys() -> Self {
        Self { page: Page::Keys, ..Self::default() }
    }
}

/// Shows the window.
pub fn show(ui: &Ui, state: &State, own: &mut Preferences, actions: &mut Vec<Action>) {
    let screen = ui.ctx().content_rect().size();
    let size = vec2(680.0, 540.0).min(screen - vec2(80.0, 100.0)).max(vec2(240.0, 80.0));
    dialogs::modal(ui, "preferences", actions, |ui, actions| {
        ui.set_width(size.x);
        ui.set_height(size.y);
        ui.horizontal(|ui| {
            ui.set_min_height(32.0);
            dialogs::title(ui, "Preferences");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                widgets::primary_button(ui, "Close").on_click(Action::CloseDialog, actions);
                ui.add_space(8.0);
                let pages = [
                    (Page::Look, "Appearance", "Theme, font and tab width"),
                    (Page::Keys, "Keys", "Keys for every command"),
                ];
                if let Some(page) = widgets::segmented(ui, own.page, &pages) {
                    own.page = page;
                    own.keys = key_table::KeyTable::default();
                }
            });
        });
        ui.add_space(6.0);
        widgets::hairline(ui);
        ui.add_space(6.0);
        match own.page {
            Page::Look => look(ui, state, actions),
            Page::Keys => key_table::show(ui, state, &mut own.keys, actions),
        }
    });
}

/// A preference: its name on the left, the content of `add` on the right.
fn row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.set_min_height(32.0);
        let place = ui.allocate_exact_size(vec2(NAMES, 20.0), egui::Sense::hover()).0;
        let font = egui::TextStyle::Body.resolve(ui.style());
        let color = theme::palette(ui).text_weak;
        ui.painter().text(place.left_center(), egui::Align2::LEFT_CENTER, name, font, color);
        add(ui);
    });
}

fn look(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    row(ui, "Theme", |ui| {
        let themes = [
            (ThemeChoice::Dark, "Dark", "Light text on a dark background"),
            (ThemeChoice::Light, "Light", "Dark text on a light background"),
            (ThemeChoice::System, "System", "Follow the desktop's theme, or use dark if it has none"),
        ];
        actions.extend(widgets::segmented(ui, state.settings.theme, &themes).map(Action::SetTheme));
    });
    row(ui, "Font", |ui| font(ui, state, actions));
    if let Some(fault) = &state.font.fault {
        widgets::band(ui, widgets::Tone::Error, fault, |_| {});
        ui.add_space(4.0);
    }
    row(ui, "Size", |ui| size(ui, state, actions));
    row(ui, "Tab width", |ui| {
        let look = state.settings.text;
        let names: Vec<String> = TAB_WIDTHS.map(|width| width.to_string()).collect();
        let widths: Vec<(usize, &str, &str)> =
            TAB_WIDTHS.zip(&names).map(|(width, name)| (width, name.as_str(), "")).collect();
        let chosen = widgets::segmented(ui, look.tab_width(), &widths);
        actions.extend(chosen.map(|width| Action::SetTextLook(look.with_tab_width(width))));
        ui.label(theme::caption(ui, "columns per tab stop"));
    });
    ui.add_space(8.0);
    sample(ui, state);
}

fn font(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let file = state.font.file.as_ref().map(|file| &file.path);
    let name =
        file.map_or(theme::BUNDLED.into(), |path| path.file_name().unwrap_or_default().to_string_lossy());
    let source = file.map_or_else(|| "bundled with Shadestep".to_owned(), |path| path.display().to_string());
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let usual = ui.add_enabled(state.settings.font.is_some(), egui::Button::new("Use bundled font"));
        usual.on_click(Action::UseBundledFont, actions);
        widgets::button(ui, "Choose font…").on_click(Action::ChooseFont, actions);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let words = egui::RichText::new(&*name).color(theme::palette(ui).text_strong);
            ui.add(egui::Label::new(words).truncate()).on_hover_text(source);
        });
    });
}

fn size(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let look = state.settings.text;
    for (icon, hint, points) in
        [(Icon::Minus, "Decrease font size", -1), (Icon::Plus, "Increase font size", 1)]
    {
        widgets::icon_button(ui, icon, hint, look.can_grow(points))
            .on_click(Action::SetTextLook(look.enlarged(points)), actions);
        if points < 0 {
            let (rect, _) = ui.allocate_exact_size(vec2(56.0, 20.0), egui::Sense::hover());
            let words = format!("{} points", look.font().size);
            let color = theme::palette(ui).text_strong;
            let font = egui::FontId::proportional(12.5);
            ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, words, font, color);
        }
    }
    let usual = look.of_usual_size();
    ui.add_space(6.0);
    ui.add_enabled(usual != look, egui::Button::new("Default size"))
        .on_click(Action::SetTextLook(usual), actions);
}

/// Sample text as the editor shows it. One line is indented by a tab character.
fn sample(ui: &mut Ui, state: &State) {
    const TEXT: &str =
        "!!FP1.0\n# 0O 1lI |- {} [] <= >=\nLOOP i0;\n\tMADR R0.xyz, R1, {0.25, 0.5}.x, R2;\nENDLOOP;";
    let palette = theme::palette(ui);
    let look = state.settings.text;
    egui::Frame::new()
        .fill(palette.well)
        .stroke(egui::Stroke::new(1.0, palette.line))
        .corner_radius(theme::RADIUS)
        .inner_margin(12)
        .show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            egui::ScrollArea::both().id_salt("sample of the font").auto_shrink(false).show(ui, |ui| {
                let format = egui::TextFormat {
                    line_height: Some(look.line_height()),
                    ..egui::TextFormat::simple(look.font(), palette.text_strong)
                };
                let mut job = egui::text::LayoutJob::single_section(TEXT.to_owned(), format);
                job.wrap.max_width = f32::INFINITY;
                ui.add(egui::Label::new(job).extend());
            });
        });
}
