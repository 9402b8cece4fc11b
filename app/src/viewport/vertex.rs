//! Vertices over the picture: the nearest vertex to the pointer, and the debugged vertex.

use super::view;
use crate::format;
use crate::model::Document;
use crate::session::ShadedVertex;
use crate::state::{State, Tool};
use crate::theme::{self, Palette};
use egui::{Align2, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, vec2};
use shadestep_engine::debug::Subject;

/// The vertex nearest to `pos` on the screen. A visible vertex is preferred (see [`VertexList::nearest`]).
///
/// [`VertexList::nearest`]: crate::session::VertexList::nearest
pub fn nearest<'a>(
    state: &'a State,
    document: &Document,
    picture: Rect,
    size: [u32; 2],
    pos: Pos2,
) -> Option<&'a ShadedVertex> {
    if state.view.tool != Tool::Vertex || !picture.contains(pos) {
        return None;
    }
    let (list, shown) = (state.stepping.vertices.list(document.id)?, document.shown.as_ref()?);
    list.nearest(view::window_at(picture, size, pos), &shown.frame)
}

/// The debugged vertex, at its current place.
pub fn stepped<'a>(state: &'a State, document: &Document) -> Option<&'a ShadedVertex> {
    let session = state.stepping.session.as_ref().filter(|session| session.document() == document.id)?;
    match session.subject() {
        Subject::Vertex(element) => state
            .stepping
            .vertices
            .list(document.id)
            .and_then(|list| list.get(element))
            .or_else(|| session.vertex().map(|recorded| &recorded.vertex)),
        _ => None,
    }
}

/// Marks `vertex` with a ring and its number.
pub fn mark(painter: &Painter, picture: Rect, size: [u32; 2], vertex: &ShadedVertex, palette: &Palette) {
    let Some([x, y, _]) = vertex.window else { return };
    let center = view::window_pos(picture, size, [x, y]);
    for (radius, width, color) in [(6.0, 4.0, palette.on_accent), (6.0, 2.0, palette.accent)] {
        painter.circle_stroke(center, radius, Stroke::new(width, color));
    }
    painter.circle_filled(center, 1.5, palette.accent);
    let text = painter.layout_no_wrap(vertex.element.to_string(), theme::caption_font(), palette.text_strong);
    // The number goes to the left if there is no space on the right.
    let left = center.x + 12.0 + text.size().x + 10.0 > painter.clip_rect().right();
    let align = if left { Align2::RIGHT_CENTER } else { Align2::LEFT_CENTER };
    let anchor = center + vec2(if left { -15.0 } else { 15.0 }, 0.0);
    let plate = align.anchor_size(anchor, text.size()).expand2(vec2(5.0, 2.0));
    painter.rect_filled(plate, theme::RADIUS, palette.panel);
    painter.rect_stroke(plate, theme::RADIUS, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    painter.galley(plate.min + vec2(5.0, 2.0), text, palette.text_strong);
}

/// Shows number and coordinates of `vertex` in the read-out.
pub fn readout(ui: &mut Ui, vertex: &ShadedVertex) {
    let weak = theme::palette(ui).text_weak;
    ui.label(theme::value(ui, format!("vertex {}", vertex.element)));
    match vertex.window {
        Some(window) => {
            ui.label(theme::value(ui, "window").color(weak));
            numbers(ui, &window);
        }
        None => {
            ui.label(theme::value(ui, "outside the clip volume").color(weak));
        }
    }
    ui.label(theme::value(ui, "clip").color(weak));
    numbers(ui, &vertex.clip);
}

fn numbers(ui: &mut Ui, values: &[f32]) {
    let palette = theme::palette(ui);
    for &value in values {
        let color = palette.of_value(value, palette.text_strong);
        ui.label(theme::value(ui, format::float_within(value, 8)).color(color));
    }
}

/// Explains why there is no vertex to pick, or how to pick one.
pub fn words(state: &State, document: &Document) -> &'static str {
    match state.stepping.vertices.list(document.id) {
        None => "Computing the vertices…",
        Some(list) if list.vertices.is_empty() => "This scene has no vertices to pick",
        Some(_) => "Hover over the picture to find the nearest vertex; click to step through it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn places_in_the_window_and_on_the_screen_agree() {
        let picture = Rect::from_min_size(pos2(10.0, 20.0), vec2(200.0, 100.0));
        assert_eq!(view::window_pos(picture, [400, 200], [200.0, 100.0]), picture.center());
        assert_eq!(view::window_pos(picture, [400, 200], [0.0, 0.0]), picture.left_bottom());
        assert_eq!(view::window_at(picture, [400, 200], picture.right_top()), [400.0, 200.0]);
    }
}
