//! Diagnostics: their colours, their fading, and a card with all details.

use super::{colored_prose, prose_label};
use crate::format::sentence;
use crate::model::Document;
use crate::theme::{self, Palette};
use egui::Color32;
use shadestep_engine::diag::{Diagnostic, Severity};

/// Colour of a severity.
pub fn severity_color(palette: &Palette, severity: Severity) -> Color32 {
    match severity {
        Severity::Error => palette.error,
        Severity::Warning => palette.warning,
    }
}

/// Returns how far diagnostics of an older text have faded, from 0 to 1. They fade while the check of the
/// current text takes long.
pub fn staleness(ctx: &egui::Context, document: &Document) -> f32 {
    /// Duration of the fading, in seconds. Most texts are checked within one or two frames.
    const FADING: f32 = 0.5;
    let is_stale = !document.is_analysed();
    let fading = if is_stale { FADING } else { 0.0 };
    ctx.animate_bool_with_time(egui::Id::unique("stale findings"), is_stale, fading)
}

/// Shows a diagnostic in full.
pub fn card(ui: &mut egui::Ui, diagnostic: &Diagnostic) {
    let palette = theme::palette(ui);
    let color = severity_color(palette, diagnostic.severity);
    colored_prose(ui, &sentence(&diagnostic.message), color);
    for label in diagnostic.labels.iter().filter(|label| !label.text.is_empty()) {
        prose_label(ui, &sentence(&label.text));
    }
    for note in &diagnostic.notes {
        prose_label(ui, &sentence(note));
    }
    if let Some(fix) = &diagnostic.fix {
        colored_prose(ui, &format!("Quick fix: {}", fix.title), palette.accent);
    }
    ui.label(theme::caption(ui, format!("{} · {}", diagnostic.clause(), diagnostic.code.name())));
}
