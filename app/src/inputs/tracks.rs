//! Matrices of the frame, and the registers that track them (NV_vertex_program 2.14.5). A register that
//! tracks a matrix cannot be set, and a register that is set cannot track; this module checks both.

use super::{AtFirst, caption_cell, choices, folding, reset};
use crate::command::Action;
use crate::format;
use crate::icons::Icon;
use crate::model::{Document, ResetSubject};
use crate::scene::{
    MatrixName, MatrixSource, MatrixTransform, ParameterKey, SceneEdit, Slot, TRANSFORMS, Track,
};
use crate::session::REGISTERS;
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::{Sense, Ui, vec2};
use shadestep_engine::gl::Matrix;
use shadestep_engine::ir::{ParameterSource, Target};
use std::collections::BTreeSet;

/// Height of a row of a matrix, in points.
const ROW: f32 = 16.0;
/// Width of a menu of matrices or transforms, in points.
const CHOICE: f32 = 190.0;
/// Width from which a track takes one line, in points.
const BESIDE: f32 = 560.0;

/// The reason why the four registers from `register` cannot track a matrix, or `None` if they can.
pub(crate) fn refuse_track(document: &Document, register: u16) -> Option<String> {
    if !register.is_multiple_of(4) || usize::from(register) + 4 > REGISTERS {
        return Some(format!("A tracked matrix must start at c[0], c[4] … or c[252], not at c[{register}]."));
    }
    let covered = register..register + 4;
    let by_scene = |n: &u16| document.scene.parameters.iter().any(|p| p.key == ParameterKey::Register(*n));
    if let Some(n) = covered.clone().find(by_scene) {
        return Some(format!("The scene sets c[{n}], so c[{n}] cannot track a matrix."));
    }
    let mut states = document.programs().slots().filter_map(|slot| match slot {
        Slot::State(n) => Some((n, document.program(slot)?)),
        _ => None,
    });
    states.find_map(|(state, program)| {
        let written = program.instructions.iter().filter_map(|i| match i.target()? {
            Target::Param(id) => Some(&program.parameters.get(usize::from(id.0))?.source),
            _ => None,
        });
        let register = written.into_iter().find_map(|source| match source {
            ParameterSource::Env(n) if covered.contains(n) => Some(*n),
            _ => None,
        })?;
        Some(format!(
            "State program {} writes c[{register}], so c[{register}] cannot track a matrix.",
            state + 1
        ))
    })
}

/// The reason why a parameter cannot be set, or `None` if it can.
pub(crate) fn refuse_parameter(document: &Document, key: &ParameterKey) -> Option<String> {
    let ParameterKey::Register(n) = key else { return None };
    let track = document.scene.tracks.iter().find(|track| track.covers(*n))?;
    Some(format!("{key} tracks {}. Remove the track before you set {key}.", track.matrix))
}

/// Shows tracks if a program reads the parameter file, and matrices if a program reads the file or binds
/// matrices.
pub fn show(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    let (tracking, bound) = (document.has_parameter_file(), document.matrices_bound());
    if !tracking && bound.is_empty() {
        return;
    }
    let count = document.scene.tracks.len();
    let summary = match count {
        _ if !tracking => format!("{} bound", bound.len()),
        0 => "no tracks".to_owned(),
        _ => format::counted(count, "track"),
    };
    folding(ui, "Matrices", &summary, AtFirst::Open, |ui| {
        if tracking {
            tracks(ui, document, actions);
            ui.add_space(6.0);
        }
        matrices(ui, document, &bound, actions);
    });
}

fn tracks(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    for track in &document.scene.tracks {
        let mut edited = *track;
        ui.push_id(("track", track.register), |ui| {
            let registers = format!("c[{}]–c[{}]", track.register, track.register + 3);
            let of_matrix = format!("Matrix of c[{}]", track.register);
            let of_transform = format!("Transform of c[{}]", track.register);
            let beside = ui.available_width() >= BESIDE;
            ui.horizontal(|ui| {
                caption_cell(ui, &registers);
                choices(ui, &of_matrix, &mut edited.matrix, &MatrixName::ALL, CHOICE);
                if beside {
                    choices(ui, &of_transform, &mut edited.transform, &TRANSFORMS, CHOICE);
                }
                let hint = format!("Remove track of c[{}]", track.register);
                widgets::icon_button(ui, Icon::Close, &hint, true)
                    .on_click(Action::EditScene(SceneEdit::RemoveTrack(track.register)), actions);
            });
            if !beside {
                ui.horizontal(|ui| {
                    caption_cell(ui, "");
                    choices(ui, &of_transform, &mut edited.transform, &TRANSFORMS, CHOICE);
                });
            }
        });
        if edited != *track {
            actions.push(Action::EditScene(SceneEdit::Track(edited)));
        }
    }
    ui.horizontal(|ui| {
        add_menu(ui, document, actions);
        reset(ui, document, ResetSubject::Tracks, ("tracks", "tracks"), actions);
    });
}

/// A menu of the registers that can track a matrix. Disabled entries give the reason.
fn add_menu(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    let response = ui.menu_button("Add track", |ui| {
        egui::ScrollArea::vertical().max_height(260.0).show(ui, |ui| {
            ui.set_min_width(130.0);
            for register in (0..REGISTERS as u16).step_by(4) {
                let taken = document.scene.tracks.iter().find(|track| track.register == register);
                let reason = match taken {
                    Some(track) => Some(format!("These registers already track {}.", track.matrix)),
                    None => refuse_track(document, register),
                };
                let button = egui::Button::new(format!("c[{register}]–c[{}]", register + 3));
                let response = ui.add_enabled(reason.is_none(), button);
                if response.clicked() {
                    let (matrix, transform) = (MatrixName::ModelviewProjection, MatrixTransform::Identity);
                    actions.push(Action::EditScene(SceneEdit::Track(Track { register, matrix, transform })));
                    ui.close();
                }
                if let Some(reason) = reason {
                    response.on_disabled_hover_text(reason);
                }
            }
        });
    });
    response.response.on_hover_text("Track a matrix in four registers");
}

/// Matrices with the values of the picture shown: the standard ones, and others that are set, tracked or
/// bound. The user can set texture and tracking matrices. The others follow model and camera.
fn matrices(ui: &mut Ui, document: &Document, bound: &BTreeSet<MatrixName>, actions: &mut Vec<Action>) {
    let Some(shown) = &document.shown else { return };
    for (name, matrix) in &shown.inputs.matrices {
        let trackers: Vec<&Track> =
            document.scene.tracks.iter().filter(|track| track.matrix == *name).collect();
        let own = matches!(name, MatrixName::Texture(_) | MatrixName::Tracking(_));
        let set =
            document.scene.matrices.iter().any(|(other, _)| other == name) || *matrix != Matrix::IDENTITY;
        let constant = document.scene.matrices.iter().find_map(|(other, source)| match source {
            MatrixSource::Constant(matrix) if other == name => Some(*matrix),
            _ => None,
        });
        let is_bound = bound.contains(name);
        if own && !set && trackers.is_empty() && !is_bound {
            continue;
        }
        ui.horizontal(|ui| {
            ui.label(theme::value(ui, name.to_string()));
            ui.label(theme::caption(ui, followers(&trackers, is_bound)));
            reset(ui, document, ResetSubject::Matrix(*name), (&name.to_string(), "matrix"), actions);
        });
        if own {
            // A value set a moment ago is not in the picture yet.
            let before = constant.unwrap_or(*matrix);
            let mut edited = before;
            editor(ui, *name, &mut edited);
            let bits = |matrix: &Matrix| matrix.rows.map(|row| row.map(f32::to_bits));
            if bits(&edited) != bits(&before) {
                actions.push(Action::EditScene(SceneEdit::Matrix(*name, MatrixSource::Constant(edited))));
            }
        } else {
            values(ui, matrix);
        }
        ui.add_space(6.0);
    }
}

/// Lists where a matrix is read.
fn followers(trackers: &[&Track], bound: bool) -> String {
    let one = |track: &&Track| match track.transform {
        MatrixTransform::Identity => format!("c[{}]", track.register),
        transform => format!("c[{}] {}", track.register, transform_name(transform)),
    };
    match trackers {
        [] if bound => "bound by a program".to_owned(),
        [] => "not read".to_owned(),
        some => format!("tracked from {}", some.iter().map(one).collect::<Vec<_>>().join(", ")),
    }
}

/// The name of a transform in `scene.toml`.
fn transform_name(transform: MatrixTransform) -> &'static str {
    TRANSFORMS.iter().find(|(other, _)| *other == transform).map_or("", |(_, name)| name)
}

fn column(ui: &Ui) -> f32 {
    ((ui.available_width() - 8.0) / 4.0).min(88.0)
}

/// Shows the 16 numbers, rounded. The tooltip has all digits.
fn values(ui: &mut Ui, matrix: &Matrix) {
    let palette = theme::palette(ui);
    let column = column(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(column * 4.0, ROW * 4.0), Sense::hover());
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    for (r, row) in matrix.rows.iter().enumerate() {
        for (c, value) in row.iter().enumerate() {
            let place = rect.min + vec2(column * (c + 1) as f32, ROW * r as f32);
            let color = if *value == 0.0 { palette.text_faint } else { palette.text };
            painter.text(place, egui::Align2::RIGHT_TOP, short(*value), theme::table_font(), color);
        }
    }
    let exact = matrix.rows.map(|row| row.map(format::float).join("  "));
    response.on_hover_text(exact.join("\n"));
}

/// Fields for the 16 numbers.
fn editor(ui: &mut Ui, name: MatrixName, matrix: &mut Matrix) {
    let field = vec2(column(ui) - 4.0, ui.spacing().interact_size.y);
    egui::Grid::new(("matrix", name)).spacing(vec2(4.0, 3.0)).min_col_width(field.x).show(ui, |ui| {
        for (r, row) in matrix.rows.iter_mut().enumerate() {
            for (c, value) in row.iter_mut().enumerate() {
                let cell = widgets::float_field(value, Some(|value| short(value as f32)))
                    .speed(0.01)
                    .update_while_editing(false);
                let response = ui.add_sized(field, cell);
                widgets::named(response, &format!("{name} row {r} column {c}"));
            }
            ui.end_row();
        }
    });
}

/// Formats a value for a narrow column: four decimals, or an exponent if four decimals lose too much.
pub(super) fn short(value: f32) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() {
        format::float(value)
    } else if (1e-3..1e5).contains(&size) {
        let text = format!("{value:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::DocumentId;
    use crate::scene::{Component, Scene};

    fn document(text: &str) -> Document {
        Document::new(DocumentId(1), Scene::for_program("t.vp", None, text.as_bytes()))
    }

    #[test]
    fn registers_are_either_set_or_track() {
        let mut d = document("!!VP1.1\nEND\n");
        assert!(refuse_parameter(&d, &ParameterKey::Register(5)).is_some_and(|w| w.contains("MODELVIEW")));
        assert_eq!(refuse_parameter(&d, &ParameterKey::Register(20)), None);
        assert!(refuse_track(&d, 12).is_some_and(|words| words.contains("c[12]")), "the scene sets it");
        assert_eq!(refuse_track(&d, 20), None);
        assert!(refuse_track(&d, 21).is_some() && refuse_track(&d, 256).is_some());
        let set = |n: u16| SceneEdit::Parameter(ParameterKey::Register(n), [Component::Constant(1.0); 4]);
        d.edit_scene(&set(22)).unwrap();
        assert!(refuse_track(&d, 20).is_some_and(|words| words.contains("c[22]")));
        d.edit_scene(&SceneEdit::RemoveTrack(4)).unwrap();
        assert_eq!(refuse_parameter(&d, &ParameterKey::Register(5)), None);
        d.edit_scene(&set(5)).unwrap();
        assert!(d.reset(&ResetSubject::Tracks).is_err(), "c[5] is set");
        assert_eq!(d.scene.tracks.len(), 2, "nothing has changed");
    }

    #[test]
    fn narrow_values_keep_what_tells_them_apart() {
        for (value, text) in
            [(0.0, "0"), (1.0, "1"), (-0.25, "-0.25"), (1e-5, "1.00e-5"), (123456.0, "1.23e5")]
        {
            assert_eq!(short(value), text);
        }
        assert_eq!(short(1.0 / 3.0), "0.3333");
    }
}
