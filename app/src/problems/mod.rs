//! The problems panel: a list of diagnostics for the scene's texts. A click goes to the place, and a button
//! applies a fix.

use crate::codes;
use crate::command::{Action, Command};
use crate::format::{self, sentence};
use crate::icons::Icon;
use crate::model::Part;
use crate::state::State;
use crate::theme;
use crate::widgets::diagnostics::{self, severity_color};
use crate::widgets::{self, OnClick as _};
use egui::{Align2, Rect, Sense, vec2};
use shadestep_engine::debug::Subject;
use shadestep_engine::diag::{Diagnostic, Severity};
use shadestep_engine::source::{LineColumn, LineIndex};
use std::collections::BTreeMap;

/// Height of a list item, in points.
const ROW_HEIGHT: f32 = 28.0;

/// Height of the line that replaces an empty panel, in points.
pub const BAR_HEIGHT: f32 = 26.0;

/// True if the panel has anything to list.
pub fn any(state: &State) -> bool {
    state.document().is_some_and(|document| {
        document.findings().next().is_some()
            || document.render_error.is_some()
            || state.held_why(document).is_some()
            || document.shown.as_ref().is_some_and(|shown| shown.frame.note().is_some())
    })
}

/// Shows the line that replaces an empty panel.
pub fn bar(ui: &egui::Ui, rect: Rect) {
    let palette = theme::palette(ui);
    let response = ui.interact(rect, ui.scope_id().with("no problems"), Sense::hover());
    let words = "No problems";
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, words));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 0.0, palette.panel);
    painter.hline(rect.x_range(), rect.top() + 0.5, egui::Stroke::new(1.0, palette.line));
    let mark = Rect::from_center_size(rect.left_center() + vec2(20.0, 0.0), vec2(13.0, 13.0));
    Icon::Check.paint(&painter, mark, 13.0, palette.success);
    let place = rect.left_center() + vec2(34.0, 0.0);
    painter.text(place, Align2::LEFT_CENTER, words, theme::caption_font(), palette.text_weak);
    response.on_hover_text("Errors and warnings appear here as you type");
}

pub fn show(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    let Some(document) = state.document() else { return };
    let held = state.held_why(document);
    if let Some(why) = held {
        widgets::band(ui, widgets::Tone::Warning, why.words(), |ui| {
            widgets::button(ui, "Run again").on_click(Command::RunHeld, actions);
        });
    }
    if let Some(error) = &document.render_error {
        widgets::band(ui, widgets::Tone::Error, &format!("No picture: {error}"), |_| {});
    }
    if let Some(note) = document.shown.as_ref().and_then(|shown| shown.frame.note()) {
        widgets::band(ui, widgets::Tone::Warning, &sentence(&note), |_| {});
    }
    let is_stale = diagnostics::staleness(ui.ctx(), document) == 1.0;
    if is_stale && document.is_loaded() && document.findings().next().is_some() {
        let words = "Checking the text. These problems are from before your last changes.";
        widgets::band(ui, widgets::Tone::Warning, words, |_| {});
    }
    let subjects: Vec<(&Diagnostic, Subject)> = document.memory_faults().collect();
    let mut findings: Vec<(Part, &Diagnostic)> = document.findings().collect();
    findings.sort_by_key(|(part, d)| (std::cmp::Reverse(d.severity), *part, d.position));
    let lines: BTreeMap<Part, LineIndex> =
        document.texts().map(|(part, text)| (part, text.lines())).collect();
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_space(4.0);
        for (part, diagnostic) in findings {
            let Some(lines) = lines.get(&part) else { continue };
            let place = lines.line_column(diagnostic.span().start);
            let named = (document.programs().count() > 1 || part == Part::Scene).then_some(part);
            let subject = subjects.iter().find(|(of, _)| std::ptr::eq(*of, diagnostic));
            let subject = subject.map(|(_, subject)| *subject);
            row(ui, &Finding { part, diagnostic, place, named, subject }, actions);
        }
        ui.add_space(4.0);
    });
}

/// A list item.
struct Finding<'a> {
    part: Part,
    diagnostic: &'a Diagnostic,
    place: LineColumn,
    /// The text with the diagnostic, if the scene has several texts.
    named: Option<Part>,
    /// The first invocation with this error.
    subject: Option<Subject>,
}

fn row(ui: &mut egui::Ui, finding: &Finding<'_>, actions: &mut Vec<Action>) {
    let Finding { part, diagnostic, place, named, subject } = *finding;
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    let message = sentence(&diagnostic.message);
    let of = match named {
        Some(Part::Program(slot)) => format!(" in the {} program", slot.to_string().to_lowercase()),
        Some(Part::Scene) => " in scene.toml".to_owned(),
        None => String::new(),
    };
    let name = format!("Problem at line {}, column {}{of}: {message}", place.line, place.column);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name.as_str()));
    if response.hovered() {
        ui.painter().rect_filled(rect, 0.0, palette.raised);
    }
    let icon = match diagnostic.severity {
        Severity::Error => Icon::Error,
        Severity::Warning => Icon::Warning,
    };
    let mark = Rect::from_center_size(rect.left_center() + vec2(20.0, 0.0), vec2(16.0, 16.0));
    icon.paint(ui.painter(), mark, 14.0, severity_color(palette, diagnostic.severity));
    let named = named.map_or_else(String::new, |part| format!("{part} "));
    let where_text = format!("{named}{}:{}", place.line, place.column);
    let place_rect = ui.painter().text(
        rect.right_center() - vec2(14.0, 0.0),
        Align2::RIGHT_CENTER,
        where_text,
        theme::value_font(),
        palette.text_weak,
    );
    let mut right = place_rect.left() - 14.0;
    if let Some(fix) = &diagnostic.fix {
        let (title, name) = (format::capitalized(&fix.title), format!("Fix: {}", fix.title));
        right = row_button(ui, rect, right, (&title, &name), || {
            actions.push(Action::ShowText(part));
            actions.push(Action::ReplaceText(vec![(fix.span, fix.replacement.clone())]));
        });
    }
    if let Some((step, subject)) = subject.and_then(Action::step_to).zip(subject) {
        let title = format!("Debug {}", subject.to_string().to_lowercase());
        right = row_button(ui, rect, right, (&title, &title), || {
            actions.extend(step);
        });
    }
    let body = egui::TextStyle::Body.resolve(ui.style());
    let mut job = widgets::prose(ui, &message, &body, palette.text);
    job.wrap = egui::text::TextWrapping::truncate_at_width((right - rect.left() - 50.0).max(20.0));
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let pos = egui::pos2(rect.left() + 38.0, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(pos, galley, palette.text);
    if response.clicked() {
        actions.push(Action::ShowText(part));
        actions.push(Action::Jump(diagnostic.span()));
    }
    response.context_menu(|ui| {
        ui.menu_button("Explain problem", |ui| {
            ui.set_max_width(420.0);
            ui.monospace(codes::explanation(diagnostic.code));
        });
    });
    response.on_hover_ui(|ui| {
        ui.set_max_width(420.0);
        diagnostics::card(ui, diagnostic);
    });
}

/// A small button in a row, with its title and accessible name. Returns its left edge.
fn row_button(
    ui: &egui::Ui,
    row: Rect,
    right: f32,
    (title, name): (&str, &str),
    apply: impl FnOnce(),
) -> f32 {
    let palette = theme::palette(ui);
    let font = theme::caption_font();
    let galley = ui.painter().layout_no_wrap(title.to_owned(), font, palette.accent);
    let size = vec2(galley.size().x.min(220.0) + 16.0, 20.0);
    let rect = Rect::from_center_size(egui::pos2(right - size.x / 2.0, row.center().y), size);
    let response = ui.interact(rect, ui.scope_id().with(("fix", title, row.top() as i32)), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    let fill = if response.hovered() { palette.raised_hover } else { palette.accent_wash };
    ui.painter().rect_filled(rect, 4.0, fill);
    ui.painter().with_clip_rect(rect).galley(
        rect.min + vec2(8.0, 10.0 - galley.size().y / 2.0),
        galley,
        palette.accent,
    );
    if response.clicked() {
        apply();
    }
    rect.left() - 10.0
}
