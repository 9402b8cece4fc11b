//! Paints wireframe overlays and the outline of an invocation's primitives over the picture.

use super::view;
use crate::overlay::Overlay;
use crate::session::Line;
use crate::theme::Palette;
use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, pos2};

/// Paints `overlay` over a picture of `size` pixels in `picture`. Notes go into the corner of `area`.
pub fn paint(
    painter: &Painter,
    area: Rect,
    picture: Rect,
    size: [u32; 2],
    overlay: &Overlay,
    look: &Palette,
) {
    let scale = [picture.width() / size[0] as f32, picture.height() / size[1] as f32];
    let at = |[x, y]: [f32; 2]| pos2(picture.left() + x * scale[0], picture.bottom() - y * scale[1]);
    let mut mesh = Mesh::default();
    // The picture does not follow the theme, so the lines always have the dark theme's colours.
    let bright = Palette::of_theme(egui::Theme::Dark);
    for (all, color) in [
        (&overlay.back_edges, bright.accent.gamma_multiply(0.22)),
        (&overlay.back_normals, bright.write.gamma_multiply(0.22)),
        (&overlay.edges, bright.accent.gamma_multiply(0.9)),
        (&overlay.normals, bright.write),
    ] {
        for [a, b] in all {
            add_line(&mut mesh, at(*a), at(*b), color);
        }
    }
    if !mesh.is_empty() {
        painter.with_clip_rect(painter.clip_rect().intersect(picture)).add(Shape::mesh(mesh));
    }
    let mut bottom = area.bottom() - 8.0;
    for note in overlay.notes.iter().rev() {
        let font = crate::theme::caption_font();
        let galley = painter.layout(note.clone(), font, look.text_strong, (area.width() - 32.0).max(40.0));
        let rect = Rect::from_min_size(
            pos2(area.left() + 8.0, bottom - galley.size().y - 6.0),
            galley.size() + egui::vec2(16.0, 6.0),
        );
        painter.rect_filled(rect, crate::theme::RADIUS, look.panel.gamma_multiply(0.9));
        painter.galley(rect.min + egui::vec2(8.0, 3.0), galley, look.text_strong);
        bottom = rect.top() - 4.0;
    }
}

/// Paints the primitives that an invocation made: edges as lines, points as rings.
pub fn paint_outline(painter: &Painter, picture: Rect, size: [u32; 2], outline: &[Line], look: &Palette) {
    for (width, color) in [(4.0, look.on_accent), (2.0, look.accent)] {
        let stroke = egui::Stroke::new(width, color);
        for [a, b] in outline {
            let ends = [a, b].map(|at| view::window_pos(picture, size, *at));
            if a == b {
                painter.circle_stroke(ends[0], 4.0, stroke);
            } else {
                painter.line_segment(ends, stroke);
            }
        }
    }
}

/// Adds an anti-aliased line: opaque in the middle, transparent 1.1 points to each side.
fn add_line(mesh: &mut Mesh, a: Pos2, b: Pos2, color: Color32) {
    let along = (b - a).normalized();
    let across = egui::vec2(-along.y, along.x) * 1.1;
    let first = mesh.vertices.len() as u32;
    for end in [a, b] {
        mesh.colored_vertex(end - across, Color32::TRANSPARENT);
        mesh.colored_vertex(end, color);
        mesh.colored_vertex(end + across, Color32::TRANSPARENT);
    }
    for strip in [0, 1] {
        let [p, q, r, s] = [0, 1, 3, 4].map(|corner| first + corner + strip);
        mesh.add_triangle(p, q, r);
        mesh.add_triangle(q, s, r);
    }
}
