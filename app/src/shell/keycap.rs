//! Paints keys in lists, each in its own frame.

use crate::theme;
use egui::{Align2, Painter, Rect, Stroke, StrokeKind, Ui, pos2, vec2};
use std::sync::Arc;

/// Height of a key, in points.
pub const HEIGHT: f32 = 19.0;
/// Space between two keys, in points.
pub const GAP: f32 = 5.0;
/// Space on each side of a key's text, in points.
const PADDING: f32 = 7.0;

/// The text of a key, laid out.
fn galley(ui: &Ui, words: &str) -> Arc<egui::Galley> {
    let color = theme::palette(ui).text_strong;
    ui.painter().layout_no_wrap(words.to_owned(), theme::caption_font(), color)
}

/// Width of a key with this text, in points.
pub fn width(ui: &Ui, words: &str) -> f32 {
    galley(ui, words).size().x + 2.0 * PADDING
}

/// Paints a key in `rect`, highlighted if `chosen`.
pub fn paint(ui: &Ui, painter: &Painter, rect: Rect, words: &str, chosen: bool) {
    let palette = theme::palette(ui);
    let (fill, line) = match chosen {
        true => (palette.accent_wash, palette.accent),
        false => (palette.raised, palette.line_strong),
    };
    painter.rect(rect, 4.0, fill, Stroke::new(1.0, line), StrokeKind::Inside);
    let galley = galley(ui, words);
    let place = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
    painter.galley(place.min, galley, palette.text_strong);
}

/// The rectangles of keys with these texts, in one row that ends at `right`.
pub fn places(ui: &Ui, words: &[String], right: f32, y: f32) -> Vec<Rect> {
    let widths: Vec<f32> = words.iter().map(|words| width(ui, words)).collect();
    let total = widths.iter().sum::<f32>() + GAP * widths.len().saturating_sub(1) as f32;
    let mut left = right - total;
    let mut places = Vec::new();
    for width in widths {
        places.push(Rect::from_min_size(pos2(left, y - HEIGHT / 2.0), vec2(width, HEIGHT)));
        left += width + GAP;
    }
    places
}
