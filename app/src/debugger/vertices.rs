//! The table of the vertices in a draw: their attributes and their results.
//!
//! A worker thread lists the vertices once per picture. Values are requested only for the visible rows, so
//! that a million vertices scroll as fast as a hundred.

use crate::command::Action;
use crate::format::ValueFormat;
use crate::icons::Icon;
use crate::session::{ShadedVertex, VertexList, VertexValues};
use crate::state::{State, Vertices};
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::{Align, Align2, Layout, Sense, pos2, vec2};
use egui_extras::{Column, TableBuilder, TableRow};
use shadestep_engine::debug::Subject;
use shadestep_engine::ir::{Components, OutputId, Type};
use shadestep_engine::isa::Language;
use shadestep_engine::semantics::plan::ResultTypes;
use std::sync::Arc;

/// Rows above and below the visible ones whose values are requested too.
const AHEAD: usize = 40;
const ROW_HEIGHT: f32 = 20.0;
/// Width of the element number, in points.
const NUMBER_WIDTH: f32 = 64.0;
/// Width of one component, in points.
const COMPONENT_WIDTH: f32 = 68.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// All vertices of the draw.
    #[default]
    All,
    /// Vertices inside the clip volume.
    InView,
}

/// The state of the table that the rest of the app does not use.
#[derive(Default)]
pub struct VertexTable {
    /// The vertices that are listed.
    filter: Filter,
    /// The text of the field that jumps to an element.
    jump: String,
    scroll_to: Option<u32>,
}

impl VertexTable {
    /// Scrolls to `element`, whichever vertices are listed.
    pub fn scroll_to(&mut self, element: u32) {
        self.scroll_to = Some(element);
    }
}

pub fn show(ui: &mut egui::Ui, state: &State, own: &mut VertexTable, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let Some(document) = state.document().map(|d| d.id) else { return };
    let list = match &state.stepping.vertices.list {
        Some((of, Ok(list))) if *of == document => Arc::clone(list),
        Some((of, Err(error))) if *of == document => {
            let words = error.to_string();
            widgets::empty_state(ui, Icon::Vertex, "Could not list the vertices", &words);
            return;
        }
        _ => {
            widgets::empty_state(
                ui,
                Icon::Vertex,
                "No vertices yet",
                "Vertices appear with the first picture.",
            );
            return;
        }
    };
    if list.vertices.is_empty() {
        let words = "This scene only runs a fragment program over the whole picture. Add a mesh or vertex arrays \
                     to see vertices here.";
        widgets::empty_state(ui, Icon::Vertex, "No vertices", words);
        return;
    }
    let stepped = match state.stepping.session.as_ref().map(|session| session.subject()) {
        Some(Subject::Vertex(element)) => Some(element),
        _ => None,
    };
    instance(ui, state, actions);
    header(ui, own, &list, actions);
    widgets::hairline(ui);
    let results = list.program.iter().flat_map(|program| {
        let ids = (0..program.outputs.len() as u16).map(OutputId);
        ids.map(|id| ResultTypes::of_output(program, id))
    });
    let (format, results) = (state.settings.format, results.collect());
    let look = Look { vertices: &state.stepping.vertices, stepped, format, results };
    table(ui, own, &list, &look, actions);
}

struct Look<'a> {
    vertices: &'a Vertices,
    stepped: Option<u32>,
    format: ValueFormat,
    /// The types of the program's results.
    results: Vec<[Type; 4]>,
}

/// A field for the instance of the listed vertices, if there are several.
fn instance(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    let Some(document) = state.document().filter(|document| document.scene.instances > 1) else { return };
    let (last, shown) = (document.scene.instances - 1, document.instance());
    egui::Frame::new().inner_margin(egui::Margin { left: 10, right: 10, top: 5, bottom: 0 }).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            ui.label(theme::caption(ui, "Instance"));
            let mut chosen = shown;
            let field = egui::DragValue::new(&mut chosen).range(0..=last).speed(0.1);
            widgets::named(ui.add(field), "Instance")
                .on_hover_text("The vertex.instance of the listed vertices");
            ui.label(theme::caption(ui, format!("of {}, from 0", last + 1)));
            if chosen != shown {
                actions.push(Action::ShowInstance(chosen));
            }
        });
    });
}

fn header(ui: &mut egui::Ui, own: &mut VertexTable, list: &VertexList, actions: &mut Vec<Action>) {
    egui::Frame::new().inner_margin(egui::Margin::symmetric(10, 5)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let choices = [
                (Filter::All, "All", "Show every drawn vertex"),
                (Filter::InView, "In view", "Show only vertices inside the clip volume"),
            ];
            if let Some(filter) = widgets::segmented(ui, own.filter, &choices) {
                own.filter = filter;
            }
            let field = egui::TextEdit::singleline(&mut own.jump).hint_text("Number").desired_width(72.0);
            let response = widgets::named(ui.add(field), "Go to vertex");
            if response.changed()
                && let Ok(element) = own.jump.trim().parse()
            {
                own.scroll_to = Some(element);
            }
            if response.lost_focus()
                && ui.input(|input| input.key_pressed(egui::Key::Enter))
                && let Ok(element) = own.jump.trim().parse()
                && list.get(element).is_some()
            {
                actions.push(Action::Pick(Subject::Vertex(element)));
            }
            let typed = own.jump.trim();
            let missing = !typed.is_empty() && typed.parse().ok().and_then(|e| list.get(e)).is_none();
            if missing {
                let color = theme::palette(ui).warning;
                ui.label(theme::caption(ui, "No such vertex").color(color));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let (all, seen) = (list.vertices.len(), list.in_view.len());
                ui.add(
                    egui::Label::new(theme::caption(ui, format!("{all} drawn, {seen} in view"))).truncate(),
                );
            });
        });
    });
}

/// The vertex in row `row` of the table.
fn row_vertex(list: &VertexList, filter: Filter, row: usize) -> Option<&ShadedVertex> {
    match filter {
        Filter::All => list.vertices.get(row),
        Filter::InView => list.vertices.get(*list.in_view.get(row)? as usize),
    }
}

fn row_of(list: &VertexList, filter: Filter, element: u32) -> Option<usize> {
    let position = list.position(element)?;
    match filter {
        Filter::All => Some(position),
        Filter::InView => list.in_view.binary_search(&(position as u32)).ok(),
    }
}

fn table(
    ui: &mut egui::Ui,
    own: &mut VertexTable,
    list: &VertexList,
    look: &Look<'_>,
    actions: &mut Vec<Action>,
) {
    let (filter, vertices) = (own.filter, look.vertices);
    let count = match filter {
        Filter::All => list.vertices.len(),
        Filter::InView => list.in_view.len(),
    };
    let attributes: Vec<String> = {
        let language = list.program.as_ref().map_or(Language::Vp2, |program| program.language);
        list.attributes.iter().map(|a| a.register_in(language)).collect()
    };
    let results: Vec<String> =
        list.program.iter().flat_map(|p| p.outputs.iter().map(|o| o.name.clone())).collect();
    let scroll = own.scroll_to.take().and_then(|element| row_of(list, filter, element));
    let mut sight: Option<(usize, usize)> = None;
    egui::ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
        let height = ui.available_height();
        let mut builder = TableBuilder::new(ui)
            .animate_scrolling(false)
            .striped(false)
            .auto_shrink(false)
            .min_scrolled_height(0.0)
            .max_scroll_height(height)
            .sense(Sense::click())
            .cell_layout(Layout::left_to_right(Align::Center))
            .column(Column::exact(NUMBER_WIDTH))
            .column(Column::exact(2.0 * COMPONENT_WIDTH));
        for _ in attributes.iter().chain(&results) {
            builder = builder.column(Column::exact(4.0 * COMPONENT_WIDTH + 10.0));
        }
        if let Some(row) = scroll {
            builder = builder.scroll_to_row(row, Some(Align::Center));
        }
        let table = builder.header(24.0, |mut header| {
            for title in ["Vertex", "Window x, y"]
                .into_iter()
                .map(str::to_owned)
                .chain(attributes.iter().chain(&results).cloned())
            {
                header.col(|ui| {
                    let font = theme::strong_font(12.0);
                    let color = theme::palette(ui).text_strong;
                    let rect = ui.max_rect();
                    ui.painter().text(
                        pos2(rect.left() + 10.0, rect.center().y),
                        Align2::LEFT_CENTER,
                        title,
                        font,
                        color,
                    );
                });
            }
        });
        table.body(|body| {
            body.rows(ROW_HEIGHT, count, |mut row| {
                let index = row.index();
                sight =
                    Some(sight.map_or((index, index), |(first, last)| (first.min(index), last.max(index))));
                let Some(vertex) = row_vertex(list, filter, index) else { return };
                row.set_selected(look.stepped == Some(vertex.element));
                let values = vertices.values(vertex.element);
                table_row(&mut row, list, vertex, values, look);
                let response = row.response();
                let name = format!("Row of vertex {}", vertex.element);
                response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name.as_str()));
                response.on_click(Action::Pick(Subject::Vertex(vertex.element)), actions);
            });
        });
    });
    let Some((first, last)) = sight else { return };
    let seen = first..=last;
    let lacking = seen
        .filter_map(|row| row_vertex(list, filter, row))
        .any(|vertex| vertices.values(vertex.element).is_none());
    let wanted: Vec<u32> = (first.saturating_sub(AHEAD)..=last + AHEAD)
        .filter_map(|row| row_vertex(list, filter, row).map(|vertex| vertex.element))
        .collect();
    if wanted != vertices.wanted() && (lacking || vertices.wanted().is_empty()) {
        actions.push(Action::WantVertices(wanted));
        ui.ctx().request_repaint();
    }
}

fn table_row(
    row: &mut TableRow<'_, '_>,
    list: &VertexList,
    vertex: &ShadedVertex,
    values: Option<&VertexValues>,
    look: &Look<'_>,
) {
    let format = look.format;
    row.col(|ui| {
        let right = pos2(ui.max_rect().left() + NUMBER_WIDTH - 14.0, ui.max_rect().center().y);
        let color = theme::palette(ui).text;
        ui.painter().text(right, Align2::RIGHT_CENTER, vertex.element, theme::table_font(), color);
    });
    row.col(|ui| match vertex.window {
        Some([x, y, _]) => {
            cell(ui, 0, &format!("{x:.1}"), theme::palette(ui).text);
            cell(ui, 1, &format!("{y:.1}"), theme::palette(ui).text);
        }
        None => {
            let left = pos2(ui.max_rect().left() + 10.0, ui.max_rect().center().y);
            let color = theme::palette(ui).text_faint;
            ui.painter().text(left, Align2::LEFT_CENTER, "clipped", theme::caption_font(), color);
        }
    });
    for attribute in &list.attributes {
        let bits = values.map(|v| (v.attributes[attribute.index()], [attribute.ty(); 4]));
        row.col(|ui| components(ui, bits, 0xF, format));
    }
    for (index, types) in look.results.iter().enumerate() {
        let value = values.and_then(|v| Some(((*v.outputs.get(index)?, *types), *v.defined.get(index)?)));
        row.col(|ui| components(ui, value.map(|v| v.0), value.map_or(0, |v| v.1), format));
    }
}

/// Four components side by side. Components that were not written are marked. A tooltip shows the component
/// under the pointer in every format.
fn components(ui: &mut egui::Ui, bits: Option<(Components, [Type; 4])>, defined: u8, format: ValueFormat) {
    let palette = theme::palette(ui);
    let Some((register, types)) = bits else {
        cell(ui, 0, "…", palette.text_faint);
        return;
    };
    for (index, value) in format.read(register, types).into_iter().enumerate() {
        let Some((bits, ty)) = value else { continue };
        if defined >> index & 1 == 0 {
            cell(ui, index, "unwritten", palette.text_faint);
            continue;
        }
        let color = palette.of_value(ty.value(bits), palette.text_strong);
        cell(ui, index, &format.show_within(bits, ty, 9), color);
    }
    let pointed =
        ui.rect_contains_pointer(ui.max_rect()).then(|| ui.input(|input| input.pointer.hover_pos()));
    if let Some(pos) = pointed.flatten() {
        let index = ((pos.x - ui.max_rect().left()) / COMPONENT_WIDTH) as usize;
        if index < 4 && defined >> index & 1 != 0 {
            let id = ui.scope_id().with("value");
            let response = ui.interact(ui.max_rect(), id, Sense::hover());
            response.on_hover_ui_at_pointer(|ui| widgets::views(ui, register, types, index));
        }
    }
}

fn cell(ui: &egui::Ui, index: usize, text: &str, color: egui::Color32) {
    let rect = ui.max_rect();
    let right = pos2(rect.left() + COMPONENT_WIDTH * (index + 1) as f32 - 4.0, rect.center().y);
    let clip = egui::Rect::from_min_max(
        right - vec2(COMPONENT_WIDTH - 4.0, ROW_HEIGHT),
        right + vec2(1.0, ROW_HEIGHT),
    );
    let painter = ui.painter().with_clip_rect(clip.intersect(ui.clip_rect()));
    painter.text(right, Align2::RIGHT_CENTER, text, theme::table_font(), color);
}
