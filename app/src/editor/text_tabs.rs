//! A row with the programs of the scene and its `scene.toml`. A click shows the text; a menu adds and removes
//! programs.

use crate::command::{Action, Command};
use crate::icons::Icon;
use crate::model::{Document, Part};
use crate::scene::{SCENE_FILE, Slot};
use crate::state::State;
use crate::theme;
use crate::widgets::OnClick as _;
use egui::{Rect, Sense, Stroke, pos2, vec2};
use shadestep_engine::debug::Subject;
use shadestep_engine::diag::Severity;

/// Height of the row, in points.
const HEIGHT: f32 = 26.0;
/// Space on each side of a title, in points.
const MARGIN: f32 = 10.0;

pub fn show(ui: &mut egui::Ui, state: &State, document: &Document, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    ui.painter().rect_filled(row, 0.0, palette.panel);
    ui.painter().hline(row.x_range(), row.bottom() - 0.5, Stroke::new(1.0, palette.line));
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let mut area = ui.new_child(egui::UiBuilder::new().max_rect(row).layout(layout));
    area.shrink_clip_rect(row);
    area.spacing_mut().item_spacing.x = 0.0;
    area.add_space(6.0);
    for slot in document.programs().slots() {
        text_tab(&mut area, document, Part::Program(slot), actions);
    }
    area.add_space(4.0);
    add_menu(&mut area, state, actions);
    area.add_space(4.0);
    text_tab(&mut area, document, Part::Scene, actions);
    if let Part::Program(Slot::State(n)) = document.active_part()
        && document.shown.as_ref().is_some_and(|shown| shown.programs.get(Slot::State(n)).is_some())
    {
        area.add_space(6.0);
        let response = area.add(egui::Button::new(theme::caption(&area, "Step through")).small());
        response
            .on_hover_text(Command::StepStateProgram.tooltip(area.ctx()))
            .on_click(Action::Pick(Subject::StateProgram(n)), actions);
    }
}

fn text_tab(ui: &mut egui::Ui, document: &Document, part: Part, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let Some(text) = document.text(part) else { return };
    let active = part == document.active_part();
    let font = egui::FontId::proportional(12.0);
    let color = if active { palette.text_strong } else { palette.text_weak };
    let galley = ui.painter().layout_no_wrap(part.to_string(), font, color);
    let faulty = text.diagnostics().iter().any(|d| d.severity == Severity::Error);
    let mark = match (faulty, text.is_modified()) {
        (true, _) => Some(palette.error),
        (false, true) => Some(palette.warning),
        (false, false) => None,
    };
    let dot = if mark.is_some() { 12.0 } else { 0.0 };
    let (rect, response) =
        ui.allocate_exact_size(vec2(galley.size().x + 2.0 * MARGIN + dot, HEIGHT), Sense::click());
    let name = match part {
        Part::Program(slot) => format!("{slot} program"),
        Part::Scene => "Scene text".to_owned(),
    };
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, active, name.as_str()));
    let underline =
        Rect::from_min_max(pos2(rect.left() + 4.0, rect.bottom() - 2.0), rect.max - vec2(4.0, 0.0));
    if active {
        ui.painter().rect_filled(underline, 0.0, palette.accent);
    } else if response.hovered() {
        ui.painter().rect_filled(rect.shrink2(vec2(2.0, 3.0)), 4.0, palette.raised);
    }
    let at = pos2(rect.left() + MARGIN, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, color);
    if let Some(color) = mark {
        ui.painter().circle_filled(pos2(rect.right() - MARGIN, rect.center().y), 3.0, color);
    }
    response.on_click(Action::ShowText(part), actions);
    let state = match (faulty, text.is_modified()) {
        (true, true) => ", with errors and unsaved changes",
        (true, false) => ", with errors",
        (false, true) => ", with unsaved changes",
        (false, false) => "",
    };
    let file = match (text.path(), part) {
        (Some(path), _) => format!("{}{state}", path.display()),
        (None, Part::Program(slot)) => format!("{}, not saved to a file{state}", text.file_name(slot)),
        (None, Part::Scene) => format!("{SCENE_FILE}, not saved to a file{state}"),
    };
    response.on_hover_text(match part {
        Part::Program(_) => file,
        Part::Scene => format!("{file}\nInputs, the camera and the colour pickers write their changes here."),
    });
}

/// A menu that adds programs and removes the one shown.
fn add_menu(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let commands = [
        Command::AddVertexProgram,
        Command::AddStateProgram,
        Command::AddTessControlProgram,
        Command::AddTessEvaluationProgram,
        Command::AddGeometryProgram,
        Command::AddFragmentProgram,
    ];
    let button = egui::Button::new("").min_size(vec2(22.0, 20.0)).frame_when_inactive(false);
    let (response, _) = egui::containers::menu::MenuButton::from_button(button).ui(ui, |ui| {
        ui.set_min_width(230.0);
        for command in commands.into_iter().chain([Command::RemoveProgram]) {
            if command == Command::RemoveProgram {
                ui.separator();
            }
            let item = egui::Button::new(command.info().label);
            let response = ui.add_enabled(command.enabled(state), item);
            if response.on_hover_text(command.info().hint).clicked() {
                actions.push(command.into());
                ui.close();
            }
        }
    });
    Icon::Plus.paint(ui.painter(), response.rect, 11.0, palette.text_weak);
    crate::widgets::named(response, "Add a program").on_hover_text("Add a program to this scene");
}
