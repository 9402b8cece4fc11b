//! The patch of a tessellation run: the invocations of its control program, and the division into primitives.

use super::sections;
use crate::command::Action;
use crate::format;
use crate::settings::{Folded, Section};
use crate::stepping::DebugSession;
use crate::theme;
use crate::widgets::OnClick as _;
use egui::{Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};
use shadestep_engine::debug::Subject;
use shadestep_engine::ir::TessellationMode;
use shadestep_engine::pipeline::{PatchDivision, TessellatedPrimitive};
use std::collections::HashSet;

/// Largest width of the picture of a divided patch, in points.
const SIDE: f32 = 220.0;
/// Largest number of vertices drawn as dots.
const DOTS: usize = 1200;
/// Largest distance between a click and its vertex, in points.
const NEAR: f32 = 14.0;

/// Buttons for the invocations of the patch, with a mark on the invocations that run the current step
/// together. A click steps through another invocation.
pub fn invocations(ui: &mut Ui, session: &DebugSession, actions: &mut Vec<Action>) {
    let Subject::Patch { number, invocation } = session.subject() else { return };
    let count = session.program().and_then(|program| program.patch_vertices).unwrap_or(1);
    let step = session.current_step();
    let palette = theme::palette(ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(3.0, 2.0);
        ui.add_space(4.0);
        let hint = "Bright numbers also run this step. The others are at another instruction or have ended.";
        ui.label(theme::caption(ui, "Invocations")).on_hover_text(hint);
        for other in 0..count {
            let along = step.is_none_or(|step| step.lanes >> other & 1 != 0);
            let words = theme::caption(ui, other.to_string());
            let words = if along { words.color(palette.text) } else { words.color(palette.text_faint) };
            let button = egui::Button::new(words).small().selected(other == invocation);
            let hint = match (step, along) {
                (None, _) => "Step through this invocation",
                (_, true) => "Also runs this step. Click to step through it.",
                (_, false) => "At another instruction, or has ended. Click to step through it.",
            };
            ui.add(button)
                .on_hover_text(hint)
                .on_click(Action::Pick(Subject::Patch { number, invocation: other }), actions);
        }
    });
    ui.add_space(4.0);
}

/// The levels of the patch and a picture of its vertices. A click on a vertex steps through its run.
pub fn division(ui: &mut Ui, session: &DebugSession, folded: &Folded, actions: &mut Vec<Action>) {
    let Some(division) = session.primitive().and_then(|primitive| primitive.division.as_ref()) else {
        return;
    };
    let (patch, here) = match session.subject() {
        Subject::Patch { number, .. } => (number, None),
        Subject::PatchVertex { patch, vertex } => (patch, Some(vertex)),
        _ => return,
    };
    ui.add_space(8.0);
    let title = (Section::Division, "Tessellation of the patch");
    if !sections::header(ui, title, None, folded, actions) {
        return;
    }
    ui.label(theme::caption(ui, levels(division)));
    let Some(divided) = &division.divided else {
        ui.label(theme::caption(ui, "An outer level is not above 0, so the patch is discarded."));
        return;
    };
    let (vertices, each) = (divided.coordinates.len(), divided.primitive.vertices());
    let what = match divided.primitive {
        TessellatedPrimitive::Point => "point",
        TessellatedPrimitive::Line => "line",
        TessellatedPrimitive::Triangle => "triangle",
    };
    let primitives = divided.indices.len() / each;
    let words = format!("{}, {}", format::grouped(vertices, "vertex"), format::grouped(primitives, what));
    ui.label(theme::caption(ui, words));
    ui.add_space(4.0);
    let triangular = division.layout.mode == TessellationMode::Triangles;
    let side = ui.available_width().min(SIDE);
    let height = if triangular { side * 0.866 } else { side };
    let (rect, response) = ui.allocate_exact_size(vec2(side, height), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Tessellated patch"));
    let area = rect.shrink(8.0);
    let at = |vertex: u32| place(area, triangular, divided.coordinates[vertex as usize]);
    let palette = theme::palette(ui);
    let painter = ui.painter_at(rect);
    let mut drawn = HashSet::new();
    for primitive in divided.indices.chunks_exact(each) {
        let edges = if each == 3 { 3 } else { each - 1 };
        for edge in 0..edges {
            let (a, b) = (primitive[edge], primitive[(edge + 1) % each]);
            if drawn.insert((a.min(b), a.max(b))) {
                painter.line_segment([at(a), at(b)], Stroke::new(1.0, palette.text_faint));
            }
        }
    }
    if vertices <= DOTS {
        for vertex in 0..vertices as u32 {
            painter.circle_filled(at(vertex), 1.8, palette.text_weak);
        }
    }
    if let Some(vertex) = here.filter(|vertex| (*vertex as usize) < vertices) {
        painter.circle(at(vertex), 4.5, palette.accent, Stroke::new(2.0, palette.panel));
    }
    let Some(pointer) = response.hover_pos() else { return };
    let distance = |vertex: &u32| at(*vertex).distance(pointer);
    let nearest = (0..vertices as u32).min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let Some(vertex) = nearest.filter(|vertex| distance(vertex) < NEAR) else { return };
    painter.circle_stroke(at(vertex), 5.0, Stroke::new(1.5, palette.text_strong));
    let [u, v, w] = divided.coordinates[vertex as usize].map(format::float);
    let coordinates = if triangular { format!("({u}, {v}, {w})") } else { format!("({u}, {v})") };
    let clicked = response.clicked();
    response.on_hover_text_at_pointer(format!("Vertex {vertex} at {coordinates}; click to step through it"));
    if clicked {
        actions.push(Action::Pick(Subject::PatchVertex { patch, vertex }));
    }
}

/// The position of a vertex in `area`. In a triangle, u = 1 is at the left, v = 1 at the right and w = 1 at
/// the top. Otherwise u goes to the right and v upwards.
fn place(area: Rect, triangular: bool, [u, v, w]: [f32; 3]) -> Pos2 {
    let (x, y) = if triangular { (v + 0.5 * w, w) } else { (u, v) };
    debug_assert!(!triangular || (u + v + w - 1.0).abs() < 1e-3, "{u} {v} {w}");
    pos2(area.left() + x * area.width(), area.bottom() - y * area.height())
}

/// The mode, the spacing and the levels that the mode uses, in words.
fn levels(division: &PatchDivision) -> String {
    let list =
        |levels: &[f32]| levels.iter().map(|level| format::float(*level)).collect::<Vec<_>>().join(", ");
    let mode = division.layout.mode;
    let mut words = format!(
        "{}, {}. Outer {}",
        mode.name(),
        division.layout.spacing.name(),
        list(&division.levels.outer[..mode.outer_levels()])
    );
    if mode.inner_levels() > 0 {
        words += &format!("; inner {}", list(&division.levels.inner[..mode.inner_levels()]));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_of_a_patch_are_those_of_its_picture() {
        let area = Rect::from_min_size(pos2(10.0, 20.0), vec2(100.0, 50.0));
        let triangle = |coordinates| place(area, true, coordinates);
        assert_eq!(triangle([1.0, 0.0, 0.0]), area.left_bottom());
        assert_eq!(triangle([0.0, 1.0, 0.0]), area.right_bottom());
        assert_eq!(triangle([0.0, 0.0, 1.0]), area.center_top());
        assert_eq!(place(area, false, [0.0, 0.0, 0.0]), area.left_bottom());
        assert_eq!(place(area, false, [1.0, 1.0, 0.0]), area.right_top());
    }
}
