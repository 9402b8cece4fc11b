//! The parameter file `c[0..255]`: the values that the vertex program reads, after the state programs ran,
//! and the origin of each value.

use super::tracks::{refuse_parameter, short};
use super::{AtFirst, folding, parameters};
use crate::command::Action;
use crate::format;
use crate::model::Document;
use crate::scene::{ParameterKey, Slot};
use crate::session::{FrameInputs, REGISTERS};
use crate::theme;
use crate::widgets;
use egui::{Align2, Rect, Sense, Ui, pos2, vec2};

/// Height of a row, in points.
const ROW: f32 = 20.0;
/// Width of a register's name, in points.
const NAME: f32 = 46.0;
/// Largest width of a value, in points.
const VALUE: f32 = 78.0;
/// Width of a value's origin, in full and in one word, in points.
const ORIGIN: [f32; 2] = [200.0, 62.0];

/// Registers to list.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Filter {
    /// Registers that programs read or write, and registers that the scene sets.
    #[default]
    Used,
    All,
}

/// The origin of a register's value. Earlier variants override later ones.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    State(u8),
    Tracked(String),
    Scene,
    BuiltIn,
    Default,
}

impl Origin {
    fn of(document: &Document, inputs: &FrameInputs, n: u16) -> Self {
        let key = ParameterKey::Register(n);
        if let Some(state) = inputs.written_by[usize::from(n)] {
            return Self::State(state);
        }
        if let Some(track) = document.scene.tracks.iter().find(|track| track.covers(n)) {
            return Self::Tracked(format!("{} row {}", track.matrix, n - track.register));
        }
        if document.scene.parameters.iter().any(|setting| setting.key == key) {
            return Self::Scene;
        }
        if document.programs().get(Slot::Vertex).is_none() && inputs.registers[usize::from(n)] != [0.0; 4] {
            return Self::BuiltIn;
        }
        Self::Default
    }

    fn words(&self) -> String {
        match self {
            Self::State(n) => format!("state program {}", n + 1),
            Self::Tracked(row) => row.clone(),
            Self::Scene => "set by the scene".to_owned(),
            Self::BuiltIn => "built-in transform".to_owned(),
            Self::Default => "default".to_owned(),
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Self::State(_) => "state",
            Self::Tracked(_) => "tracked",
            Self::Scene => "scene",
            Self::BuiltIn => "built-in",
            Self::Default => "default",
        }
    }
}

/// Shows the parameter file if a program reads it.
pub fn show(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    if !document.has_parameter_file() {
        return;
    }
    let Some(shown) = &document.shown else { return };
    let inputs = &shown.inputs;
    let read = inputs.read.iter().filter(|read| **read).count();
    let summary = match (read, inputs.relative) {
        (0, true) => "read by relative address".to_owned(),
        (_, true) => format!("{read} read, more by relative address"),
        _ => format!("{read} of {REGISTERS} read"),
    };
    folding(ui, "Parameter registers", &summary, AtFirst::Closed, |ui| {
        let id = ui.scope_id().with("register filter");
        let mut filter: Filter = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        let both = [
            (
                Filter::Used,
                "In use",
                "Registers that programs name or write, that the scene sets, or that track a matrix",
            ),
            (Filter::All, "All", "c[0] to c[255]"),
        ];
        if let Some(chosen) = widgets::segmented(ui, filter, &both) {
            filter = chosen;
            ui.data_mut(|data| data.insert_temp(id, filter));
        }
        let rows: Vec<(u16, Origin)> = (0..REGISTERS as u16)
            .map(|n| (n, Origin::of(document, inputs, n)))
            .filter(|(n, origin)| {
                filter == Filter::All || inputs.read[usize::from(*n)] || *origin != Origin::Default
            })
            .collect();
        if rows.is_empty() {
            ui.label(theme::caption(ui, "No program names a register, and the scene sets none."));
        }
        table(ui, document, inputs, &rows, actions);
    });
}

/// Shows the visible rows.
fn table(
    ui: &mut Ui,
    document: &Document,
    inputs: &FrameInputs,
    rows: &[(u16, Origin)],
    actions: &mut Vec<Action>,
) {
    let size = vec2(ui.available_width(), ROW * rows.len() as f32);
    let (all, _) = ui.allocate_exact_size(size, Sense::hover());
    let clip = ui.clip_rect();
    let row_at = |y: f32| ((y - all.top()) / ROW).floor().max(0.0) as usize;
    let (first, end) = (row_at(clip.top()), (row_at(clip.bottom()) + 1).min(rows.len()));
    for (index, (n, origin)) in rows.iter().enumerate().take(end).skip(first) {
        let min = pos2(all.left(), all.top() + ROW * index as f32);
        row(ui, document, inputs, Rect::from_min_size(min, vec2(all.width(), ROW)), (*n, origin), actions);
    }
}

fn row(
    ui: &mut Ui,
    document: &Document,
    inputs: &FrameInputs,
    rect: Rect,
    (n, origin): (u16, &Origin),
    actions: &mut Vec<Action>,
) {
    let palette = theme::palette(ui);
    let key = ParameterKey::Register(n);
    let refusal = refuse_parameter(document, &key).or_else(|| match origin {
        Origin::State(state) => {
            Some(format!("State program {} writes this register in every frame.", state + 1))
        }
        Origin::BuiltIn => Some(
            "The built-in transform uses this register because the scene has no vertex program.".to_owned(),
        ),
        Origin::Tracked(_) | Origin::Scene | Origin::Default => None,
    });
    let sense = if refusal.is_none() { Sense::click() } else { Sense::hover() };
    let response = ui.interact(rect, ui.scope_id().with(("register", n)), sense);
    let name = format!("Register {key}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, refusal.is_none(), name.as_str()));
    if response.hovered() {
        ui.painter().rect_filled(rect.expand2(vec2(4.0, 0.0)), theme::RADIUS, palette.raised);
    }
    let read = inputs.read[usize::from(n)];
    let value = inputs.registers[usize::from(n)];
    paint(ui, rect, (&key, value, read), origin);
    let exact = value.map(format::float).join(", ");
    let used = if read { "A program reads it by name." } else { "No program reads it by name." };
    let edit = refusal.as_deref().unwrap_or("Click to change it.");
    let response = response.on_hover_text(format!("{key} = ({exact})\n{}. {used} {edit}", origin.words()));
    if refusal.is_none() {
        egui::Popup::menu(&response)
            .id(ui.scope_id().with(("register popup", n)))
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .show(|ui| {
                ui.set_width(340.0);
                ui.spacing_mut().interact_size.y = super::FIELD_HEIGHT;
                parameters::parameter(ui, document, &key, [0.0; 4], actions);
            });
    }
}

/// Paints name, values and origin. The origin is shortened if there is little space.
fn paint(ui: &Ui, rect: Rect, (key, value, read): (&ParameterKey, [f32; 4], bool), origin: &Origin) {
    let palette = theme::palette(ui);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let middle = rect.center().y;
    let name = if read { palette.text_strong } else { palette.text_faint };
    let left = Align2::LEFT_CENTER;
    painter.text(pos2(rect.left(), middle), left, key.to_string(), theme::table_font(), name);
    let values = rect.width() - NAME;
    // The full origin if it fits, else one word. The hover text always has it.
    let (words, width) = match values {
        values if values >= 4.0 * 66.0 + ORIGIN[0] => (origin.words(), ORIGIN[0]),
        values if values >= 4.0 * 54.0 + ORIGIN[1] => (origin.word().to_owned(), ORIGIN[1]),
        _ => (String::new(), 0.0),
    };
    let column = ((values - width) / 4.0).min(VALUE);
    for (index, component) in value.into_iter().enumerate() {
        let right = rect.left() + NAME + column * (index + 1) as f32 - 6.0;
        let color = match origin {
            Origin::Default => palette.text_faint,
            Origin::State(_) | Origin::Tracked(_) | Origin::Scene | Origin::BuiltIn => match component {
                0.0 => palette.text_weak,
                _ => palette.text,
            },
        };
        painter.text(pos2(right, middle), Align2::RIGHT_CENTER, short(component), theme::table_font(), color);
    }
    let color = match origin {
        Origin::State(_) => palette.write,
        Origin::Tracked(_) => palette.read,
        Origin::Default => palette.text_faint,
        Origin::Scene | Origin::BuiltIn => palette.text_weak,
    };
    let place = pos2(rect.left() + NAME + column * 4.0 + 8.0, middle);
    painter.text(place, left, words, theme::caption_font(), color);
}
