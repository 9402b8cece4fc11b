//! The gutter left of the text: line numbers, breakpoints, execution counts, diagnostic marks and the arrow
//! of the current step.

use super::code::Surroundings;
use super::rows::Rows;
use super::uses::{self, times};
use crate::command::Action;
use crate::format::{self, short_count};
use crate::maps::LineCounts;
use crate::model::{Breakpoint, Document};
use crate::settings::TextLook;
use crate::stepping::{Branch, DebugSession};
use crate::theme::{self, Palette};
use crate::widgets::breakpoint_form;
use crate::widgets::diagnostics::severity_color;
use egui::{Align2, Painter, Pos2, Rect, Sense, Shape, Stroke, pos2};

/// Width of breakpoints and marks, in points.
const MARKS: f32 = 24.0;
/// Width of execution counts, in points.
const COUNTS: f32 = 62.0;
/// Space between numbers and text, in points.
const RIGHT: f32 = 14.0;

/// Returns the width of the gutter of `document`, in points.
pub fn width(ui: &egui::Ui, document: &Document, look: TextLook) -> f32 {
    let lines = document.active().text().bytes().filter(|&b| b == b'\n').count() + 1;
    let digits = lines.to_string().len().max(3);
    let digit = ui.fonts_mut(|fonts| fonts.glyph_width(&look.number_font(), '0'));
    let counts = if document.map.line_counts { COUNTS } else { 0.0 };
    (MARKS + counts + digit * digits as f32 + RIGHT).round()
}

/// Shows the gutter in `rect`. `rows` says where the lines are on the screen.
pub fn show(
    ui: &egui::Ui,
    rect: Rect,
    document: &Document,
    rows: &Rows<'_>,
    around: &Surroundings<'_>,
    actions: &mut Vec<Action>,
) {
    let palette = theme::palette(ui);
    let session = around.session;
    let painter = ui.painter_at(rect);
    let response = ui.interact(rect, ui.scope_id().with("gutter"), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Breakpoint gutter"));
    let hovered = response.hover_pos().and_then(|pos| rows.line_at(pos.y));
    // The line where a click would set a breakpoint.
    let target = hovered.and_then(|line| document.active().breakpoint_line(line));
    let step_line = session.and_then(DebugSession::current_line);
    let branches = session.map(DebugSession::branches);
    let caret_line = rows.line_of(document.active().caret);
    for line in 0..rows.count() {
        let y = rows.first_row(line);
        if !rect.y_range().intersects(y) {
            continue;
        }
        let number = if line == caret_line { palette.text } else { palette.text_faint };
        painter.text(
            pos2(rect.right() - RIGHT, y.center()),
            Align2::RIGHT_CENTER,
            line + 1,
            around.look.number_font(),
            number,
        );
        let center = pos2(rect.left() + MARKS / 2.0 + 1.0, y.center());
        if let Some(breakpoint) = document.active().breakpoints.get(&line) {
            let faulty = around.watched.fault(document.active_part(), line).is_some();
            disc(&painter, center, (breakpoint, faulty), palette);
        } else if target == Some(line) {
            painter.circle_filled(center, 5.5, palette.error.gamma_multiply(0.3));
        }
        if let Some(counts) = around.counts.filter(|_| document.map.line_counts)
            && let Some(of_line) = counts.lines.get(&line)
        {
            let cell = Rect::from_x_y_ranges(rect.left() + MARKS..=rect.left() + MARKS + COUNTS, y);
            count(&painter, cell.shrink2(egui::vec2(2.0, 2.0)), (counts, *of_line), palette);
        }
        if let Some(branch) = branches.and_then(|branches| branches.get(&line)) {
            branch_mark(&painter, pos2(rect.right() - RIGHT / 2.0 + 0.5, y.center()), *branch, palette);
        }
        if step_line == Some(line) {
            let points =
                [(-6.5, -3.0), (0.0, -3.0), (0.0, -6.0), (7.0, 0.0), (0.0, 6.0), (0.0, 3.0), (-6.5, 3.0)];
            let points: Vec<_> = points.iter().map(|&(x, dy)| center + egui::vec2(x, dy)).collect();
            painter.add(Shape::convex_polygon(points[2..5].to_vec(), palette.accent, Stroke::NONE));
            let shaft = Rect::from_two_pos(points[0], center + egui::vec2(0.5, 3.0));
            painter.rect_filled(shaft, 0.0, palette.accent);
        }
    }
    for (line, color) in around.marked.into_iter().flat_map(|marked| uses::lines(ui, marked, rows)) {
        if line < rows.count() {
            let y = rows.first_row(line);
            let mark = Rect::from_x_y_ranges(rect.left() + 1.5..=rect.left() + 4.0, y.shrink(3.0));
            painter.rect_filled(mark, 1.0, color);
        }
    }
    for diagnostic in document.active().diagnostics() {
        let line = rows.line_of(diagnostic.span().start);
        if line < rows.count() {
            let y = rows.y_range(line);
            let bar = Rect::from_x_y_ranges(rect.right() - 4.0..=rect.right() - 1.5, y.shrink(2.0));
            painter.rect_filled(bar, 1.0, severity_color(palette, diagnostic.severity));
        }
    }
    let asks = response.secondary_clicked() || ui.input(|input| input.modifiers.alt);
    if (response.clicked() || response.secondary_clicked())
        && let Some(line) = hovered
    {
        let id = document.text_id();
        actions.push(match asks {
            true => Action::EditBreakpoint(Some((id, line))),
            false => Action::ToggleBreakpoint(id, line),
        });
    }
    form(ui, rect, document, rows, around, actions);
    let branch = hovered.and_then(|line| branches?.get(&line)).map(branch_words);
    let counts = hovered.and_then(|line| {
        let counts = around.counts.filter(|_| document.map.line_counts)?;
        Some(count_words(counts, *counts.lines.get(&line)?))
    });
    let words: String = [branch, counts].into_iter().flatten().map(|words| format!("{words}.\n")).collect();
    if around.breakpoint_form.is_none() {
        let hint = "Click to set or remove a breakpoint.\nRight-click or Alt+click to set its condition or hit count.";
        response.on_hover_text_at_pointer(format!("{words}{hint}"));
    }
}

/// Paints a breakpoint: a disc if enabled, a ring if disabled. Two bars mean a condition or a hit count.
/// `faulty` changes the colour.
fn disc(painter: &Painter, center: Pos2, (breakpoint, faulty): (&Breakpoint, bool), palette: &Palette) {
    let color = if faulty { palette.warning } else { palette.error };
    let mark = if breakpoint.enabled {
        painter.circle_filled(center, 5.5, color);
        palette.well
    } else {
        painter.circle_stroke(center, 4.8, Stroke::new(1.4, color));
        color
    };
    if breakpoint.is_conditional() {
        for y in [-1.5, 1.5] {
            let at = center + egui::vec2(0.0, y);
            painter.hline(at.x - 2.5..=at.x + 2.5, at.y, Stroke::new(1.4, mark));
        }
    }
}

/// Shows the form of the breakpoint that the user is editing, beside its line.
fn form(
    ui: &egui::Ui,
    rect: Rect,
    document: &Document,
    rows: &Rows<'_>,
    around: &Surroundings<'_>,
    actions: &mut Vec<Action>,
) {
    let Some((text, line)) = around.breakpoint_form.filter(|(text, _)| *text == document.text_id()) else {
        return;
    };
    let breakpoint = document.active().breakpoints.get(&line).filter(|_| line < rows.count());
    let Some(breakpoint) = breakpoint else { return actions.push(Action::EditBreakpoint(None)) };
    let y = rows.first_row(line);
    let y = y.min.clamp(rect.top(), rect.bottom())..=y.max.clamp(rect.top(), rect.bottom());
    let anchor = Rect::from_x_y_ranges(rect.x_range(), y);
    let id = egui::Id::unique(("breakpoint form", text, line));
    let stepped = around.session.and_then(DebugSession::program);
    let form = breakpoint_form::Form {
        text,
        line,
        breakpoint,
        program: stepped.or_else(|| document.active().program().map(|program| &**program)),
        hits: around.watched.hits(line).filter(|_| stepped.is_some()),
    };
    let popup = egui::Popup::new(id, ui.ctx().clone(), anchor, ui.layer_id())
        .align(egui::RectAlign::BOTTOM_START)
        .gap(3.0)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    let shown = popup.show(|ui| breakpoint_form::show(ui, &form, actions));
    if shown.is_some_and(|shown| shown.response.should_close()) {
        actions.push(Action::EditBreakpoint(None));
    }
}

/// Paints how many fragments executed a line, over a bar with the line's share of all executed instructions.
fn count(
    painter: &Painter,
    cell: Rect,
    (counts, [executed, reached]): (&LineCounts, [u64; 2]),
    palette: &Palette,
) {
    let width = cell.width() * executed as f32 / counts.most.max(1) as f32;
    let bar = Rect::from_min_size(cell.min, egui::vec2(width, cell.height()));
    painter.rect_filled(bar, 2.0, palette.accent_wash);
    let never = reached == 0;
    let color = if never { palette.text_faint } else { palette.text_weak };
    let font = theme::caption_font();
    painter.text(
        pos2(cell.left() + 3.0, cell.center().y),
        Align2::LEFT_CENTER,
        short_count(reached),
        font.clone(),
        color,
    );
    let percent = format!("{:.0}%", counts.share(executed) * 100.0);
    painter.text(pos2(cell.right() - 2.0, cell.center().y), Align2::RIGHT_CENTER, percent, font, color);
}

fn count_words(counts: &LineCounts, [executed, reached]: [u64; 2]) -> String {
    let share = counts.share(executed) * 100.0;
    format!(
        "Executed by {} of {} shaded fragments, {} times: {share:.1}% of all executed instructions",
        format::count(reached),
        format::count(counts.fragments),
        format::count(executed)
    )
}

/// A dot if the run took the branch, a ring if not, both if it did either at different times.
fn branch_mark(painter: &Painter, center: Pos2, branch: Branch, palette: &Palette) {
    if branch.passed_by > 0 {
        painter.circle_stroke(center, 3.0, Stroke::new(1.2, palette.warning));
    }
    if branch.taken > 0 {
        painter.circle_filled(center, if branch.passed_by > 0 { 1.6 } else { 2.6 }, palette.success);
    }
}

fn branch_words(branch: &Branch) -> String {
    match (branch.taken, branch.passed_by) {
        (taken, 0) => format!("Taken {}", times(taken)),
        (0, passed_by) => format!("Not taken, {}", times(passed_by)),
        (taken, passed_by) => format!("Taken {}, not taken {}", times(taken), times(passed_by)),
    }
}
