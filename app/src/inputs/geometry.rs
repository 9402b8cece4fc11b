//! Rows for the mesh, the picture's size and the camera.

use super::{cells, make_room, reset_button, row, section};
use crate::command::{Action, Command};
use crate::model::{Document, ResetSubject};
use crate::scene::{MAX_INSTANCES, MAX_SIZE, MeshSource, SceneEdit};
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::{Ui, vec2};

/// Sizes in the menu.
const SIZES: [[u32; 2]; 6] = [[128, 128], [256, 256], [512, 512], [640, 360], [1024, 1024], [1280, 720]];

/// Shows the rows.
pub fn show(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    section(ui, "Geometry");
    row(ui, "Mesh", |ui| {
        mesh_menu(ui, document, actions);
    });
    if document.has_vertices() {
        row(ui, "Instances", |ui| {
            let mut count = document.scene.instances;
            let field = egui::DragValue::new(&mut count).range(1..=MAX_INSTANCES).speed(0.1);
            let response = widgets::named(ui.add_sized(vec2(58.0, 22.0), field), "Instances");
            response.on_hover_text("How many times to draw the mesh, each with its own vertex.instance");
            if count != document.scene.instances {
                actions.push(Action::EditScene(SceneEdit::Instances(count)));
            }
        });
    }
    row(ui, "Size", |ui| {
        size(ui, document, actions);
    });
    if document.has_mesh() {
        ui.add_space(8.0);
        section(ui, "Camera");
        camera(ui, document, actions);
    }
    ui.add_space(8.0);
}

fn mesh_menu(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    let current = document.scene.mesh.source();
    let built_in = MeshSource::BUILT_IN.iter().find(|(source, _)| source == current);
    let name = match (built_in, current) {
        (Some((_, name)), _) => (*name).to_owned(),
        (None, MeshSource::File(name)) => name.clone(),
        (None, MeshSource::Arrays) => "vertex arrays".to_owned(),
        (None, _) => "mesh".to_owned(),
    };
    let response = egui::ComboBox::from_id_salt("mesh").selected_text(name).width(150.0).show_ui(ui, |ui| {
        for (source, name) in &MeshSource::BUILT_IN {
            if ui.selectable_label(source == current, *name).clicked() {
                actions.push(Action::SetMesh(source.clone()));
            }
        }
        ui.separator();
        ui.selectable_label(false, "Choose OBJ file…").on_click(Action::ChooseMesh, actions);
    });
    widgets::named(response.response, "Mesh");
}

fn size(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    let mut size = document.scene.size;
    for (index, name) in ["Width", "Height"].into_iter().enumerate() {
        if index == 1 {
            ui.label("×");
        }
        // The size changes only when the number is complete. Otherwise typing 512 would first make a picture
        // 5 pixels wide.
        let field =
            egui::DragValue::new(&mut size[index]).range(1..=MAX_SIZE).speed(2.0).update_while_editing(false);
        widgets::named(ui.add_sized(vec2(58.0, 22.0), field), name);
    }
    const PRESET: f32 = 72.0;
    make_room(ui, PRESET);
    let response =
        egui::ComboBox::from_id_salt("size").selected_text("Preset").width(PRESET).show_ui(ui, |ui| {
            for preset in SIZES {
                if ui
                    .selectable_label(preset == document.scene.size, format!("{} × {}", preset[0], preset[1]))
                    .clicked()
                {
                    size = preset;
                }
            }
        });
    widgets::named(response.response, "Size preset");
    if size != document.scene.size {
        actions.push(Action::EditScene(SceneEdit::Size(size)));
    }
}

fn camera(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    let before = document.scene.camera;
    let mut camera = before;
    let points = [("Eye", &mut camera.eye), ("Target", &mut camera.target), ("Up", &mut camera.up)];
    for (caption, point) in points {
        row(ui, caption, |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let width = cells(ui, 3, 72.0);
            for (name, value) in ["x", "y", "z"].into_iter().zip(point.iter_mut()) {
                let field = egui::DragValue::new(value).speed(0.02).max_decimals(3);
                widgets::named(ui.add_sized(vec2(width, 22.0), field), &format!("{caption} {name}"));
            }
        });
    }
    row(ui, "Field of view", |ui| {
        let field = egui::DragValue::new(&mut camera.fov_y_degrees).range(5.0..=150.0).speed(0.3).suffix("°");
        widgets::named(ui.add_sized(vec2(62.0, 22.0), field), "Field of view");
        if document.differs(&ResetSubject::Camera)
            && reset_button(ui, "Reset camera", Command::ResetCamera.info().hint)
        {
            actions.push(Command::ResetCamera.into());
        }
    });
    row(ui, "Near, far", |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let (near, far) = (camera.near, camera.far);
        for (name, value, range) in [
            ("Near plane", &mut camera.near, 1e-4..=far * 0.999),
            ("Far plane", &mut camera.far, near * 1.001..=1e6),
        ] {
            let speed = f64::from(value.abs()) * 0.01;
            let field = egui::DragValue::new(value)
                .range(range)
                .clamp_existing_to_range(false)
                .speed(speed)
                .max_decimals(4);
            widgets::named(ui.add_sized(vec2(62.0, 22.0), field), name);
        }
    });
    if camera.check().is_err() {
        let words = "This camera has no view, so the picture uses the default camera. Move the eye away from the \
                     target, and make \"up\" point across the view direction.";
        ui.label(theme::caption(ui, words));
    }
    if camera != before {
        actions.push(Action::EditScene(SceneEdit::Camera(camera)));
    }
}
