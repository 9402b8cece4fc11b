//! Lights, materials and planes that ARB programs bind, or that the scene sets.

use super::{AtFirst, folding, parameters, reset_button};
use crate::command::Action;
use crate::editor::Document;
use crate::scene::{Component, LightingSetting};
use crate::theme;
use egui::Ui;
use shadestep_engine::ir::ParameterSource;

/// One row for each thing; nothing where no program binds any and the scene sets none.
pub fn show(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    let settings = settings(document);
    if settings.is_empty() {
        return;
    }
    let summary =
        if settings.len() == 1 { "1 value".to_owned() } else { format!("{} values", settings.len()) };
    folding(ui, "Lights and materials", &summary, AtFirst::Open, |ui| {
        for setting in &settings {
            row(ui, document, setting, actions);
        }
    });
}

/// What is in force, and what programs bind beside it, as the GL has that at first.
fn settings(document: &Document) -> Vec<LightingSetting> {
    let mut settings = document.scene_overrides.lighting(&document.scene);
    let programs = document.programs().slots().filter_map(|slot| document.program(slot));
    for parameter in programs.flat_map(|program| program.parameters.clone()) {
        if let ParameterSource::State(state) = parameter.source {
            for bound in LightingSetting::bound_by(state) {
                if !settings.iter().any(|setting| setting.is_about(&bound)) {
                    settings.push(bound);
                }
            }
        }
    }
    settings
}

fn row(ui: &mut Ui, document: &Document, setting: &LightingSetting, actions: &mut Vec<Action>) {
    let name = setting.name();
    let components = setting.components();
    let mut value = [Component::Constant(0.0); 4];
    value[..components.len()].copy_from_slice(&components);
    let before = value;
    ui.push_id(("lighting", &name), |ui| {
        ui.horizontal(|ui| {
            ui.label(theme::caption(ui, &name));
            parameters::sources_menu(ui, &name, &mut value);
            if document.scene_overrides.has_lighting(setting)
                && reset_button(ui, &format!("Reset {name}"), "Give it the scene's value again")
            {
                actions.push(Action::ResetLighting(*setting));
            }
        });
        parameters::numbers(ui, &name, &mut value, components.len());
    });
    if value != before {
        actions.push(Action::SetLighting(setting.with(&value)));
    }
    ui.add_space(4.0);
}
