//! The program text. The text field copies the text when the user types, and sends the change as an action.
//! On top of the field this module paints at exact bytes: line backgrounds, search matches, wavy underlines
//! with their messages, and hover help.

use super::beside::Beside;
use super::highlight::{Coloring, Setting};
use super::rows::Rows;
use super::text::TypedText;
use super::{
    Analysis, Carets, Marked, Selection, carets, completion, drag, gutter, rename, text, uses, values,
};
use crate::command::{Action, Command};
use crate::maps::LineCounts;
use crate::model::{Document, Focus, Part, TextId};
use crate::scene::schema;
use crate::settings::TextLook;
use crate::state::{Find, FindMode, State};
use crate::stepping::{DebugSession, Watched};
use crate::theme;
use crate::widgets;
use crate::widgets::diagnostics::{self, severity_color, staleness};
use crate::widgets::menu;
use crate::widgets::text_fields::{byte_of_char, text_edit_id};
use egui::text_edit::TextEditOutput;
use egui::{Color32, Galley, Rangef, Rect, Shape, Stroke, SurrenderFocusOn, Vec2, pos2, vec2};
use shadestep_engine::diag::{Diagnostic, Severity};
use shadestep_engine::ide;
use shadestep_engine::source::Span;
use std::borrow::Cow;
use std::sync::Arc;

/// Space left of the text, in points.
const TEXT_LEFT: f32 = 6.0;
/// Space right of the text, in points.
const TEXT_RIGHT: f32 = 8.0;
/// Space for the scroll bar, in points.
const SCROLL_BAR: f32 = 12.0;
/// Space between a line and its message, in points.
const MESSAGE_GAP: f32 = 28.0;

/// Everything that the text view shows besides the document.
pub struct Surroundings<'a> {
    /// State of the app. It decides which commands are enabled.
    pub state: &'a State,
    /// The debugged run, if it is a run of this program.
    pub session: Option<&'a DebugSession>,
    pub find: &'a Find,
    /// Matches of the search bar's query.
    pub found: &'a [Span],
    /// The marked uses of a name.
    pub marked: Option<&'a Marked>,
    /// Whether the text takes the keyboard focus in this frame.
    pub focus: Focus,
    /// Font, size and wrapping of the text.
    pub look: TextLook,
    /// Execution counts per line, if the gutter shows them.
    pub counts: Option<&'a LineCounts>,
    /// Evaluated breakpoints: hits and errors.
    pub watched: &'a Watched,
    /// The breakpoint that the user is editing: its text and its line.
    pub breakpoint_form: Option<(TextId, usize)>,
}

/// Shows the text with its gutter.
pub fn show(
    ui: &mut egui::Ui,
    document: &Document,
    around: &Surroundings<'_>,
    analysis: &mut Analysis,
    actions: &mut Vec<Action>,
) {
    let palette = theme::palette(ui);
    let area = ui.available_rect_before_wrap();
    ui.painter().rect_filled(area, 0.0, palette.well);
    let gutter_width = gutter::width(ui, document, around.look);
    let (gutter_rect, code_rect) = area.split_left_right_at_x(area.left() + gutter_width);
    take_zoom(ui, area, around.look, actions);
    let mut code_ui = ui.new_child(egui::UiBuilder::new().max_rect(code_rect));
    let mut scroll = widgets::jumping(egui::ScrollArea::both())
        .id_salt(("program scroll", document.text_id()))
        .auto_shrink(false);
    let line_height = around.look.line_height();
    if let Some(top) = document.active().reveal.and_then(|reveal| reveal.top) {
        scroll = scroll.vertical_scroll_offset(top * line_height);
    }
    let scroll = scroll.show(&mut code_ui, |ui| text_field(ui, document, around, analysis, actions));
    let top = scroll.state.clamped_offset().y / line_height;
    if (top - document.active().top).abs() > 0.01 {
        actions.push(Action::Scrolled(document.text_id(), top));
    }
    let (output, text) = scroll.inner;
    let rows = Rows::new(&text, &output.galley, output.galley_pos);
    gutter::show(ui, gutter_rect, document, &rows, around, actions);
    if let Some(marked) = around.marked {
        uses::overview(ui, marked, &rows, code_rect);
    }
    ui.advance_cursor_after_rect(area);
}

/// Changes the text size when the user turns the wheel with Ctrl held over the text.
fn take_zoom(ui: &egui::Ui, area: Rect, look: TextLook, actions: &mut Vec<Action>) {
    /// Distance on a touch pad that changes the size by one, in points.
    const STEP: f32 = 40.0;
    if !ui.rect_contains_pointer(area) {
        return;
    }
    let turned = ui.input(|input| {
        let wheel = |event: &egui::Event| match event {
            egui::Event::MouseWheel { unit, delta, modifiers, .. } if modifiers.command => Some(match unit {
                egui::MouseWheelUnit::Point => delta.y / STEP,
                egui::MouseWheelUnit::Line | egui::MouseWheelUnit::Page => delta.y,
            }),
            _ => None,
        };
        input.events.iter().filter_map(wheel).sum::<f32>()
    });
    if turned == 0.0 {
        return;
    }
    let id = ui.scope_id().with("turned");
    let turned = turned + ui.data(|data| data.get_temp::<f32>(id)).unwrap_or_default();
    ui.data_mut(|data| data.insert_temp(id, turned.fract()));
    if turned.trunc() != 0.0 {
        actions.push(Action::SetTextLook(look.enlarged(turned.trunc().clamp(-9.0, 9.0) as i8)));
    }
}

/// Shows the text field. Returns the field, and the text with this frame's typing.
fn text_field<'a>(
    ui: &mut egui::Ui,
    document: &'a Document,
    around: &Surroundings<'_>,
    analysis: &mut Analysis,
    actions: &mut Vec<Action>,
) -> (TextEditOutput, Cow<'a, str>) {
    let Analysis {
        highlighter, completions, wants_completions, hover, carets, renaming, selected, drag, ..
    } = analysis;
    let id = text_edit_id(document);
    let coloring = match document.active_part() {
        Part::Program(_) => Coloring::Program,
        Part::Scene => Coloring::Toml,
    };
    let width = ui.available_width() - TEXT_LEFT - TEXT_RIGHT - SCROLL_BAR;
    let setting = Setting { coloring, look: around.look, width };
    let reveal = document.active().reveal;
    if let Some(reveal) = reveal {
        text::select(ui.ctx(), document, reveal.ends);
        actions.insert(0, Action::Revealed(document.text_id()));
    }
    if [Some(around.focus), reveal.map(|reveal| reveal.focus)].contains(&Some(Focus::Take)) {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    let mut typed = TypedText::of(document);
    typed.take_outdent(ui, around.look.tab_width());
    let suggestion = completion::before_text_field(ui, id, wants_completions);
    let page = (ui.clip_rect().height() / around.look.line_height()) as usize;
    let size = carets::Size { page: page.saturating_sub(1).max(1), tab: around.look.tab_width() };
    let taken = carets.take_keys(ui, &mut typed, document, size);
    let before = typed.selected(ui.ctx());
    typed.take_indent(ui, around.look.tab_width());
    let ground = ui.painter().add(Shape::Noop);
    let laid_out = highlighter.galley(ui, &typed.text, setting).size();
    // Text that fits gets no extra width, so that the view does not scroll sideways.
    let beside = if laid_out.x <= width { 0.0 } else { 80.0 };
    let natural = laid_out + Vec2::new(beside, around.look.line_height() * 3.0);
    let mut layouter = |ui: &egui::Ui, buffer: &dyn egui::TextBuffer, _wrap: f32| -> Arc<Galley> {
        highlighter.galley(ui, buffer.as_str(), setting)
    };
    // A file that was too large when it was opened is read-only.
    let large = document.active().is_large();
    let mut text_read = document.active().text();
    let buffer: &mut dyn egui::TextBuffer = if large { &mut text_read } else { &mut typed.text };
    let surrender = ui.ctx().options(|options| options.input_options.surrender_focus_on);
    if drag.keeps_focus() {
        ui.ctx().options_mut(|options| options.input_options.surrender_focus_on = SurrenderFocusOn::Never);
    }
    let mut output = egui::TextEdit::multiline(buffer)
        .id(id)
        .code_editor()
        .cursor_at_end(false)
        .frame(egui::Frame::new().inner_margin(egui::Margin {
            left: TEXT_LEFT as i8,
            right: TEXT_RIGHT as i8,
            top: 6,
            bottom: 8,
        }))
        .desired_width(f32::INFINITY)
        .min_size(natural.max(ui.available_size()))
        .layouter(&mut layouter)
        .show(ui);
    ui.ctx().options_mut(|options| options.input_options.surrender_focus_on = surrender);
    output
        .response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::MultilineTextInput, true, "Program text"));
    // The document has its own undo history, so the undo steps of egui's field are dropped.
    let mut state = output.state.clone();
    state.clear_undoer();
    state.store(ui.ctx(), id);
    let change = typed.change();
    let changed = change.is_some();
    actions.extend(change.map(|change| match &taken.edits {
        Some(edits) => {
            let changes = text::changes_of(document.active().text(), edits);
            Action::EditTextAtAll(document.text_id(), changes)
        }
        None => Action::EditText(document.text_id(), change),
    }));
    let text = typed.text;
    let mut caret = document.active().caret;
    if let Some(range) = output.cursor_range {
        caret = byte_of_char(&text, range.primary.index.0);
        if caret != document.active().caret {
            actions.push(Action::CaretMoved(document.text_id(), caret));
        }
    }
    // Escape closes lists, extra carets and the search bar. The text keeps the keyboard focus.
    let filter =
        egui::EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    // Only a field with the keyboard focus has a selection.
    if ui.memory(|memory| memory.owns_ime_events(id)) && !changed {
        let [from, to] = text::ends_of_selection(ui.ctx(), document);
        *selected = Some((document.text_id(), document.revision, Span::new(from.min(to), from.max(to))));
    }
    let rows = Rows::new(&text, &output.galley, output.galley_pos);
    let dragging = if changed {
        drag::Dragging::default()
    } else {
        drag.show(
            ui,
            &drag::Field { document, output: &output, rows: &rows, look: around.look },
            carets,
            actions,
        )
    };
    // The widgets above the field belong to the field, for hover help, menus and clicks.
    if let Some(above) = &dragging.response {
        output.response.response |= above.clone();
    }
    take_click(ui, &output, document, Selection::new(before), carets, actions);
    context_menu(ui, around.state, &output, document, &text, actions);
    if !large && carets.all().is_empty() {
        let shown = completion::Field { document, text: &text, output: &output, caret };
        completion::show(ui, &shown, suggestion, completions, actions);
    }
    let focused = output.response.has_focus();
    let mut washes = paint_ground(ui, document, around, &rows, focused);
    washes.extend(carets.shapes(ui, &rows));
    washes.extend(dragging.shape);
    if let Some(marked) = around.marked {
        washes.extend(uses::shapes(ui, marked, &rows));
    }
    ui.painter().set(ground, Shape::Vec(washes));
    // The places of a run refer to the text that the document has, so they are unknown in a frame with a
    // change.
    let session = around.session.filter(|_| !changed);
    let values = values::at_line(ui, (around.state, document), session, &rows);
    paint_marks(ui, document, &rows, values);
    dim_untraced(ui, around, &rows);
    if !changed {
        rename::show(ui, renaming, document, &rows, actions);
    }
    if let Some(reveal) = reveal.filter(|reveal| reveal.top.is_none()) {
        let start = reveal.ends[0].min(reveal.ends[1]);
        scroll_to(ui, &rows, Span::at(start), 3.0 * around.look.line_height());
    } else if taken.any {
        scroll_to(ui, &rows, Span::at(caret), 0.0);
    } else if let Some(pointer) = dragging.pointer.filter(|pointer| !ui.clip_rect().contains(*pointer)) {
        ui.scroll_to_rect(Rect::from_pos(pointer), None);
    }
    // The same holds for hover help.
    if !changed {
        hover_help(&output, document, around, &rows, hover);
    }
    (output, text)
}

/// The context menu. A right click outside the selection moves the caret there first.
fn context_menu(
    ui: &egui::Ui,
    state: &State,
    output: &TextEditOutput,
    document: &Document,
    text: &str,
    actions: &mut Vec<Action>,
) {
    use Command::{
        Copy, Cut, EditBreakpoint, FindUses, FormatProgram, GoToDefinition, Paste, QuickFix, Rename,
        SelectAll, ShowWord, ToCursor, ToggleBreakpoint, ToggleComment,
    };
    let response = &output.response.response;
    if response.secondary_clicked()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        let cursor = output.galley.cursor_from_pos(pointer - output.galley_pos);
        let at = byte_of_char(text, cursor.index.0);
        let selected = text::selection(ui.ctx(), document);
        if !(selected.start <= at && at <= selected.end) {
            text::select(ui.ctx(), document, [at; 2]);
            actions.push(Action::CaretMoved(document.text_id(), at));
        }
        response.request_focus();
    }
    let groups: [&[Command]; 4] = [
        &[Cut, Copy, Paste, SelectAll],
        &[GoToDefinition, FindUses, Rename, QuickFix, ShowWord],
        &[ToggleBreakpoint, EditBreakpoint, ToCursor],
        &[ToggleComment, FormatProgram],
    ];
    menu::context(response, state, &groups, actions, |_, _| {});
}

/// Handles a press on the text. Alt adds a caret, and Ctrl goes to the definition. A press without Alt
/// removes the additional carets.
fn take_click(
    ui: &egui::Ui,
    output: &TextEditOutput,
    document: &Document,
    before: Selection,
    carets: &mut Carets,
    actions: &mut Vec<Action>,
) {
    let (pressed, modifiers) = ui.input(|input| (input.pointer.primary_pressed(), input.modifiers));
    let response = &output.response.response;
    if pressed && response.contains_pointer() {
        if modifiers.alt && !modifiers.shift && !document.active().is_large() {
            carets.add(document, before);
        } else {
            carets.clear();
        }
    }
    if response.clicked() && modifiers.command && !modifiers.alt && document.active_part() != Part::Scene {
        actions.push(Command::GoToDefinition.into());
    }
}

/// Greys the lines that do not contribute to the traced value.
fn dim_untraced(ui: &egui::Ui, around: &Surroundings<'_>, rows: &Rows<'_>) {
    let Some(lines) = around.session.and_then(DebugSession::lines_traced) else { return };
    let (clip, veil) = (ui.clip_rect(), theme::palette(ui).well.gamma_multiply(0.62));
    let first = rows.line_at(clip.top()).unwrap_or(0);
    let seen = (first..rows.count()).map(|line| (line, rows.y_range(line)));
    for (line, y) in seen.take_while(|(_, y)| y.min < clip.bottom()) {
        if !lines.contains(&line) {
            ui.painter().rect_filled(Rect::from_x_y_ranges(clip.x_range(), y), 0.0, veil);
        }
    }
}

fn scroll_to(ui: &egui::Ui, rows: &Rows<'_>, span: Span, margin: f32) {
    let line = rows.line_of(span.start).min(rows.count() - 1);
    let (y, clip) = (rows.y_range(line).expand(margin), ui.clip_rect().y_range());
    // Scrolls by whole points. Letters stay sharp, and the result does not depend on the previous scroll
    // offset.
    let y = Rangef::new(clip.min + (y.min - clip.min).floor(), clip.max + (y.max - clip.max).ceil());
    let x = rows.x_of(line, span.start);
    // Also show the left edge, unless the place is far to the right.
    let left = if x - rows.left() < 300.0 { rows.left() } else { x - 100.0 };
    ui.scroll_to_rect(Rect::from_x_y_ranges(left..=x + 60.0, y), None);
}

fn paint_ground(
    ui: &egui::Ui,
    document: &Document,
    around: &Surroundings<'_>,
    rows: &Rows<'_>,
    focused: bool,
) -> Vec<Shape> {
    let palette = theme::palette(ui);
    let clip = ui.clip_rect();
    let mut shapes = Vec::new();
    let mut wash = |line: usize, color: Color32| {
        let rect = Rect::from_x_y_ranges(clip.x_range(), rows.y_range(line));
        shapes.push(Shape::rect_filled(rect, 0.0, color));
    };
    let caret_line = rows.line_of(document.active().caret);
    if focused && caret_line < rows.count() {
        wash(caret_line, palette.caret_line);
    }
    if let Some(line) = around.session.and_then(DebugSession::current_line)
        && line < rows.count()
    {
        wash(line, palette.step_line);
    }
    if around.find.mode != FindMode::Closed {
        let within = around.find.options.within.filter(|within| within.end <= rows.text().len());
        for rect in within.into_iter().flat_map(|within| rows.rects(within)) {
            shapes.push(Shape::rect_filled(rect, 0.0, palette.caret_line));
        }
        let end = rows.text().len();
        for &span in around.found.iter().filter(|span| span.end <= end) {
            let line = rows.line_of(span.start);
            if line >= rows.count() || !clip.y_range().intersects(rows.y_range(line)) {
                continue;
            }
            for rect in rows.rects(span).into_iter().filter(|rect| clip.intersects(*rect)) {
                let rect = rect.shrink2(vec2(0.0, 2.0));
                shapes.push(Shape::rect_filled(rect, 2.0, palette.found));
                if span.end == document.active().caret {
                    let edge = Stroke::new(1.0, palette.accent);
                    shapes.push(Shape::rect_stroke(rect, 2.0, edge, egui::StrokeKind::Inside));
                }
            }
        }
    }
    shapes
}

/// `values` is the line that shows values at its end, and the right edge of these values.
fn paint_marks(ui: &egui::Ui, document: &Document, rows: &Rows<'_>, values: Option<(usize, f32)>) {
    /// Opacity that a diagnostic of an older text loses.
    const FADED: f32 = 0.65;
    let palette = theme::palette(ui);
    let mut painter = ui.painter().clone();
    painter.multiply_opacity(1.0 - FADED * staleness(ui.ctx(), document));
    let clip = ui.clip_rect();
    let mut line_messages: Vec<(usize, &Diagnostic)> = Vec::new();
    for diagnostic in document.active().diagnostics() {
        let color = severity_color(palette, diagnostic.severity);
        for rect in rows.rects(diagnostic.span()).into_iter().filter(|rect| clip.intersects(*rect)) {
            painter.add(wave(rect, color));
        }
        for label in diagnostic.labels.iter().skip(1) {
            for rect in rows.rects(label.span).into_iter().filter(|rect| clip.intersects(*rect)) {
                let y = rect.bottom() - 3.0;
                painter.add(Shape::dashed_line(
                    &[pos2(rect.left(), y), pos2(rect.right(), y)],
                    Stroke::new(1.0, palette.text_weak),
                    3.0,
                    2.0,
                ));
            }
        }
        let line = rows.line_of(diagnostic.span().start);
        match line_messages.iter_mut().find(|(other, _)| *other == line) {
            Some((_, shown)) if shown.severity < diagnostic.severity => *shown = diagnostic,
            Some(_) => {}
            None => line_messages.push((line, diagnostic)),
        }
    }
    for (line, diagnostic) in line_messages {
        let end = values.filter(|(with_values, _)| *with_values == line).map(|(_, end)| end);
        paint_message(ui, &painter, rows, (line, diagnostic), end);
    }
}

/// A wavy line at the bottom of `rect`.
fn wave(rect: Rect, color: Color32) -> Shape {
    let y = rect.bottom() - 2.5;
    let count = (rect.width() / 2.0).ceil().max(2.0) as usize;
    let points = (0..=count)
        .map(|i| {
            let x = (rect.left() + i as f32 * 2.0).min(rect.right());
            pos2(x, if i % 2 == 0 { y + 1.2 } else { y - 1.2 })
        })
        .collect();
    Shape::line(points, Stroke::new(1.2, color))
}

/// Paints the message after the line or after the values there, truncated to the available space.
fn paint_message(
    ui: &egui::Ui,
    painter: &egui::Painter,
    rows: &Rows<'_>,
    (line, diagnostic): (usize, &Diagnostic),
    end_of_values: Option<f32>,
) {
    if line >= rows.count() {
        return;
    }
    let palette = theme::palette(ui);
    let (y, right) = rows.last_row(line);
    let left = end_of_values.unwrap_or(right) + MESSAGE_GAP;
    let room = ui.clip_rect().right() - 12.0 - left;
    if room < 60.0 || !ui.clip_rect().y_range().intersects(y) {
        return;
    }
    let color = severity_color(palette, diagnostic.severity);
    let font = egui::FontId::proportional(12.0);
    let mut job = widgets::prose(ui, &diagnostic.message, &font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(room - 16.0);
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let wash = match diagnostic.severity {
        Severity::Error => palette.error_wash,
        Severity::Warning => palette.warning_wash,
    };
    let rect = Rect::from_min_size(pos2(left, y.min + 1.5), vec2(galley.size().x + 16.0, y.span() - 3.0));
    painter.rect_filled(rect, 4.0, wash);
    let text_pos = pos2(left + 8.0, rect.center().y - galley.size().y / 2.0);
    painter.galley(text_pos, galley, color);
}

/// Help for the word at a byte. The key is the text, its revision, the address of the loaded program, and the
/// byte.
pub type HoverHelp = Beside<(TextId, u64, Option<usize>, usize), Option<ide::Hover>>;

fn hover_help(
    output: &TextEditOutput,
    document: &Document,
    around: &Surroundings<'_>,
    rows: &Rows<'_>,
    helps: &mut HoverHelp,
) {
    let response = &output.response.response;
    let Some(pos) = response.hover_pos() else { return };
    let Some(offset) = rows.byte_at(pos) else { return };
    let findings: Vec<&Diagnostic> =
        document.active().diagnostics().iter().filter(|d| touches(d.span(), offset)).collect();
    let mut help = None;
    if findings.is_empty() {
        let text = document.active().text();
        let program = document.active().program().cloned();
        let loaded = program.as_ref().map(|program| Arc::as_ptr(program).addr());
        let question = (document.text_id(), document.revision, loaded, offset);
        let (bytes, text) = (text.len(), text.to_owned());
        let part = document.active_part();
        let find = move || match part {
            Part::Program(_) => ide::hover(text.as_bytes(), offset, program.as_deref()),
            Part::Scene => schema::hover(&text, offset),
        };
        help = helps.get(&response.ctx, question, bytes, find).cloned().flatten();
    }
    let session = around.session;
    let value = session.and_then(|session| Some((session, session.value_at(document, offset)?)));
    if findings.is_empty() && help.is_none() && value.is_none() {
        return;
    }
    response.clone().on_hover_ui_at_pointer(|ui| {
        ui.set_max_width(420.0);
        if let Some((session, value)) = &value {
            values::card(ui, around.state, session, value);
            if !findings.is_empty() || help.is_some() {
                ui.separator();
            }
        }
        for diagnostic in findings {
            diagnostics::card(ui, diagnostic);
        }
        if let Some(help) = help {
            help_card(ui, &help);
        }
    });
}

/// Shows help from the instruction table: name, form and formula, prose, and the clause last.
fn help_card(ui: &mut egui::Ui, help: &ide::Hover) {
    let palette = theme::palette(ui);
    ui.spacing_mut().item_spacing.y = 5.0;
    ui.label(theme::value(ui, help.title.as_str()));
    for line in &help.code {
        ui.label(theme::value(ui, line.as_str()).color(palette.syntax.mnemonic));
    }
    for paragraph in help.body.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        if is_clause(paragraph) {
            ui.label(theme::caption(ui, paragraph));
        } else {
            widgets::prose_label(ui, paragraph);
        }
    }
}

/// True if a paragraph consists of an extension's name and an optional section.
fn is_clause(paragraph: &str) -> bool {
    (paragraph.starts_with("NV_") || paragraph.starts_with("ARB_")) && paragraph.split(' ').count() <= 2
}

fn touches(span: Span, offset: usize) -> bool {
    span.contains(offset) || (span.is_empty() && span.start == offset)
}
