//! Rows for lights, materials, fog and clip planes that ARB programs bind or the scene sets.

use super::{AtFirst, caption_cell, folding, parameters, reset};
use crate::command::Action;
use crate::format;
use crate::model::{Document, ResetSubject};
use crate::scene::{Component, LightingSetting, SceneEdit};
use crate::theme;
use egui::{Align, Layout, Ui};
use shadestep_engine::ir::{ParameterSource, StateVector};

/// Width from which fields are beside their caption, in points.
const BESIDE: f32 = 380.0;

/// Shows a caption for each object and a row for each property. Shows nothing if no program binds any object
/// and the scene sets none.
pub fn show(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    let mut settings: Vec<_> =
        settings(document).into_iter().map(|setting| (setting.state.title(), setting)).collect();
    if settings.is_empty() {
        return;
    }
    settings.sort_by(|((one, _), _), ((other, _), _)| one.cmp(other));
    let summary = format::counted(settings.len(), "value");
    folding(ui, "Lights, materials, fog", &summary, AtFirst::Open, |ui| {
        let mut before = None;
        for ((group, property), setting) in &settings {
            if before != Some(group) {
                ui.add_space(2.0);
                ui.label(theme::value(ui, format::capitalized(group)));
                before = Some(group);
            }
            row(ui, document, property, setting, actions);
        }
    });
}

/// The scene's settings, and the GL's initial values of other state that programs bind.
fn settings(document: &Document) -> Vec<LightingSetting> {
    let mut settings = document.scene.lighting.clone();
    for program in document.programs().slots().filter_map(|slot| document.program(slot)) {
        let bound = program.parameters.iter().filter_map(|parameter| match parameter.source {
            ParameterSource::State(state) => Some(state),
            _ => None,
        });
        // The fog options read the same state as a binding of state.fog.
        let fog = program.options.fog.map(|_| [StateVector::FogColor, StateVector::FogParams]);
        for state in bound.chain(fog.into_iter().flatten()) {
            for setting in LightingSetting::bound_by(state) {
                if !settings.iter().any(|other| other.state.covers(setting.state)) {
                    settings.push(setting);
                }
            }
        }
    }
    settings
}

fn row(
    ui: &mut Ui,
    document: &Document,
    property: &str,
    setting: &LightingSetting,
    actions: &mut Vec<Action>,
) {
    let name = setting.state.name();
    let (mut value, count) = (setting.value, setting.state.count());
    let fields = |ui: &mut Ui, value: &mut [Component; 4]| match setting.state.is_color() {
        true => parameters::color(ui, &name, value, count),
        false => parameters::numbers(ui, &name, value, count),
    };
    ui.push_id(("lighting", &name), |ui| {
        let beside = ui.available_width() >= BESIDE;
        ui.horizontal(|ui| {
            caption_cell(ui, property);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                parameters::sources_menu(ui, &name, &mut value);
                reset(ui, document, ResetSubject::Lighting(setting.state), (&name, "value"), actions);
                ui.add_space(4.0);
                if beside {
                    let layout = Layout::left_to_right(Align::Center);
                    ui.with_layout(layout, |ui| fields(ui, &mut value));
                }
            });
        });
        if !beside {
            fields(ui, &mut value);
        }
    });
    if value != setting.value {
        actions.push(Action::EditScene(SceneEdit::Lighting(setting.state.with(value))));
    }
}
