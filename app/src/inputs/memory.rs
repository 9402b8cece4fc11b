//! Rows for buffers and images that programs read and write: name, size, initial contents and bindings.

use super::{AtFirst, choices, make_room, row, section};
use crate::command::Action;
use crate::icons::Icon;
use crate::model::Document;
use crate::scene::{
    ACCESSES, Contents, EachFrame, ElementType, ImageKeys, MOST_BUFFERS, SceneBuffer, SceneEdit, SceneImage,
    Slot, bound_name, is_buffer_name,
};
use crate::settings::Pane;
use crate::theme;
use crate::widgets;
use egui::{Ui, vec2};
use shadestep_engine::gl::MOST_BUFFER_BYTES;
use shadestep_engine::ir::limits::{self, PARAMETER_BUFFERS};
use shadestep_engine::ir::{IMAGE_UNITS, ImageAccess, TextureTarget};
use shadestep_engine::isa::Stage;
use shadestep_engine::texture::{ImageFormat, MAX_SIZE, MagFilter};

/// Shows the buffers and images of the scene, and buttons that add more.
pub fn show(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    let scene = &document.scene;
    section(ui, "Buffers and images");
    for (number, buffer) in scene.buffers.iter().enumerate().filter(|(_, buffer)| buffer.resident) {
        ui.push_id(("buffer", number), |ui| one_buffer(ui, document, number, buffer, actions));
    }
    for (number, image) in scene.images.iter().enumerate() {
        ui.push_id(("image", number), |ui| one_image(ui, document, number, image, actions));
    }
    ui.horizontal_wrapped(|ui| {
        let has_room = scene.buffers.len() < MOST_BUFFERS;
        let full = format!("A scene can have at most {MOST_BUFFERS} buffers and images");
        let buffer = ui.add_enabled(has_room, button("Add buffer"));
        let hint = "Add memory that programs read and write, at an address or as a parameter buffer";
        if buffer.on_hover_text(hint).on_disabled_hover_text(&full).clicked() {
            let bound = free_binding(document).into_iter().collect();
            actions.push(Action::EditScene(SceneEdit::AddBuffer(free_name(document, "buffer"), bound)));
        }
        let (unit, texture) = free_unit(document);
        let has_unit = unit.is_some() || texture.is_some();
        let image = ui.add_enabled(has_room && has_unit, button("Add image"));
        let why = if has_room { "All image units and texture image units are in use" } else { &full };
        let hint = "Add an image with texels that programs read and write";
        if image.on_hover_text(hint).on_disabled_hover_text(why).clicked() {
            let name = free_name(document, "image");
            actions.push(Action::EditScene(SceneEdit::AddImage(name, unit, texture)));
        }
        if !scene.buffers.is_empty() && ui.add(button("Show in Memory")).clicked() {
            actions.push(Action::Show(Pane::Memory));
        }
    });
    ui.add_space(8.0);
}

fn button(words: &str) -> egui::Button<'_> {
    egui::Button::new(egui::RichText::new(words).font(theme::caption_font()))
}

/// Returns `stem`, with a number appended if a buffer or an image already has the name.
fn free_name(document: &Document, stem: &str) -> String {
    let taken = |name: &String| document.scene.buffers.iter().any(|buffer| buffer.name == *name);
    let numbered = (2..).map(|n| format!("{stem}-{n}"));
    std::iter::once(stem.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

/// The lowest free parameter buffer of the last program whose language has parameter buffers.
fn free_binding(document: &Document) -> Option<(Stage, u8)> {
    let has_them =
        |slot: &Slot| document.program(*slot).is_some_and(|program| program.language.profile().typed);
    let stage = document.programs().slots().rev().find(has_them)?.stage();
    let taken = |point: &u8| is_taken(document, (stage, *point)).is_some();
    (0..PARAMETER_BUFFERS as u8).find(|point| !taken(point)).map(|point| (stage, point))
}

/// The buffer that is bound to this parameter buffer.
fn is_taken(document: &Document, bound: (Stage, u8)) -> Option<&SceneBuffer> {
    document.scene.buffers.iter().find(|buffer| buffer.bound.contains(&bound))
}

/// The lowest free image unit. If none is free, the lowest texture image unit without a 2D texture.
fn free_unit(document: &Document) -> (Option<u8>, Option<u8>) {
    let scene = &document.scene;
    let has_image =
        |unit: &u8| scene.images.iter().any(|image| image.unit.is_some_and(|own| own.unit == *unit));
    let unit = (0..limits::IMAGE_UNITS as u8).find(|unit| !has_image(unit));
    let target = TextureTarget::D2;
    let is_looked_up = |unit: &u8| {
        document.texture(*unit, target).is_some()
            || scene.frame_textures.iter().any(|frame| (frame.unit, frame.target) == (*unit, target))
            || scene.images.iter().any(|image| image.is_looked_up(*unit, target))
    };
    let texture = || (0..IMAGE_UNITS as u8).find(|unit| !is_looked_up(unit));
    (unit, if unit.is_none() { texture() } else { None })
}

/// A section that folds. It starts open if the buffer was added after the scene was last saved.
fn folding(ui: &mut Ui, document: &Document, (name, summary): (&str, &str), add: impl FnOnce(&mut Ui)) {
    let at_first = if document.had_buffer(name) { AtFirst::Closed } else { AtFirst::Open };
    // The id is the buffer's number, so that a new name does not fold the section.
    widgets::folding_as(ui, "item", (name, summary), (at_first, theme::value_font()), add);
}

fn one_buffer(
    ui: &mut Ui,
    document: &Document,
    number: usize,
    buffer: &SceneBuffer,
    actions: &mut Vec<Action>,
) {
    let summary = format!("buffer · {} {} · {}", elements(buffer), buffer.element.name(), places(buffer));
    folding(ui, document, (&buffer.name, &summary), |ui| {
        let before = buffer.keys();
        let mut keys = before.clone();
        let mut gone = false;
        row(ui, "Name", |ui| {
            name_field(ui, document, &mut keys.name);
            let hint = format!("Remove buffer {}", buffer.name);
            gone = widgets::icon_button(ui, Icon::Close, &hint, true).clicked();
        });
        row(ui, "Type", |ui| choices(ui, &of(buffer, "Type"), &mut keys.element, &ElementType::NAMED, 90.0));
        contents(ui, buffer, buffer.numbers().is_some(), &mut keys.contents);
        row(ui, "Size", |ui| {
            let Some(bytes) = &mut keys.size else { return };
            let field = whole_number(bytes, 1..=MOST_BUFFER_BYTES as u32).suffix(" bytes");
            let why = "The listed values or the file set the size";
            sized(ui, is_free(buffer), field, 96.0, &of(buffer, "Size")).on_disabled_hover_text(why);
        });
        row(ui, "Bound to", |ui| bindings(ui, document, buffer, &mut keys.bound));
        row(ui, "Access", |ui| choices(ui, &of(buffer, "Access"), &mut keys.access, &ACCESSES, 110.0));
        each_frame(ui, buffer, &mut keys.each_frame);
        let change = keys.since(&before).map(|setting| SceneEdit::Buffer(number, setting));
        let removal = gone.then_some(SceneEdit::RemoveBuffer(number));
        actions.extend(change.into_iter().chain(removal).map(Action::EditScene));
    });
}

fn one_image(ui: &mut Ui, document: &Document, number: usize, image: &SceneImage, actions: &mut Vec<Action>) {
    let Some(buffer) = document.scene.buffers.get(image.buffer) else { return };
    let (target, format) = (image.shape.target(), image.shape.format());
    let size = image.shape.levels().first().copied().unwrap_or([1; 3]);
    let size: Vec<String> = size[..target.axes()].iter().map(u32::to_string).collect();
    let what = if image.is_own { "image" } else { "view" };
    let summary = format!("{what} · {} {} · {}", size.join(" × "), format.name(), units(image));
    folding(ui, document, (&buffer.name, &summary), |ui| {
        let before = image.keys(buffer);
        let mut keys = before.clone();
        let mut gone = false;
        row(ui, "Name", |ui| {
            match &mut keys.name {
                Some(name) if image.is_own => name_field(ui, document, name),
                _ => {
                    ui.label(theme::caption(ui, format!("{} view of {}", target.name(), buffer.name)));
                }
            }
            let hint = format!("Remove image {}", buffer.name);
            gone = widgets::icon_button(ui, Icon::Close, &hint, true).clicked();
        });
        if image.is_own {
            texels(ui, buffer, &mut keys);
        }
        row(ui, "Image unit", |ui| {
            unit_choice(ui, &of(buffer, "Image unit"), &mut keys.unit, limits::IMAGE_UNITS);
            if image.unit.is_some() {
                choices(ui, &of(buffer, "Access"), &mut keys.access, &ACCESSES, 110.0);
            }
        });
        row(ui, "Texture unit", |ui| {
            unit_choice(ui, &of(buffer, "Texture unit"), &mut keys.texture, IMAGE_UNITS);
            if image.lookup.is_some() {
                choices(ui, &of(buffer, "Filter"), &mut keys.filter, &MagFilter::NAMED, 84.0);
            }
        });
        if image.is_own {
            each_frame(ui, buffer, &mut keys.each_frame);
        }
        let change = keys.since(&before).map(|setting| SceneEdit::Image(number, setting));
        let removal = gone.then_some(SceneEdit::RemoveImage(number));
        actions.extend(change.into_iter().chain(removal).map(Action::EditScene));
    });
}

/// Whether neither values nor a file determine the size.
const fn is_free(buffer: &SceneBuffer) -> bool {
    matches!(buffer.contents, Contents::Unwritten | Contents::Fill(_))
}

/// Rows for target, format, size and contents of an image that has its own memory.
fn texels(ui: &mut Ui, buffer: &SceneBuffer, keys: &mut ImageKeys) {
    let (target, is_free) = (keys.target, is_free(buffer));
    let why = "The listed values or the file set the target, format and size";
    row(ui, "Target", |ui| {
        let all = ImageAccess::TARGETS.map(|target| (target, target.name()));
        ui.add_enabled_ui(is_free, |ui| choices(ui, &of(buffer, "Target"), &mut keys.target, &all, 90.0))
            .response
            .on_disabled_hover_text(why);
    });
    row(ui, "Format", |ui| {
        let all = ImageFormat::ALL.map(|f| (f, f.name()));
        ui.add_enabled_ui(is_free, |ui| choices(ui, &of(buffer, "Format"), &mut keys.format, &all, 110.0))
            .response
            .on_disabled_hover_text(why);
    });
    row(ui, "Size", |ui| {
        let before = keys.size;
        for (axis, name) in (0..target.axes()).zip(["Width", "Height", "Depth"]) {
            let field = whole_number(&mut keys.size[axis], 1..=MAX_SIZE as u32);
            sized(ui, is_free, field, 58.0, &of(buffer, name)).on_disabled_hover_text(why);
        }
        if keys.size != before && target.is_cube() {
            // Cube faces are square, so both sides take the value of the changed one.
            let [width, height, _] = keys.size;
            let side = if width == before[0] { height } else { width };
            keys.size = [side, side, 1];
        }
        if target.layer().is_some()
            && let Some(layers) = &mut keys.layers
        {
            let field = whole_number(layers, 1..=2048).suffix(" layers");
            sized(ui, is_free, field, 84.0, &of(buffer, "Layers")).on_disabled_hover_text(why);
        }
    });
    contents(ui, buffer, false, &mut keys.contents);
}

/// Name of a control, for a property of this buffer or image.
fn of(buffer: &SceneBuffer, property: &str) -> String {
    format!("{property} of {}", buffer.name)
}

fn elements(buffer: &SceneBuffer) -> u64 {
    buffer.store.len() / buffer.element.bytes() as u64
}

/// The buffer's bindings in a few words.
fn places(buffer: &SceneBuffer) -> String {
    let mut names = buffer.bound.iter().map(|(stage, point)| bound_name(*stage, *point));
    match (names.next(), buffer.bound.len()) {
        (None, _) => "address only".to_owned(),
        (Some(name), 1) => name,
        (Some(name), count) => format!("{name} and {} more", count - 1),
    }
}

/// The image's units in a few words.
fn units(image: &SceneImage) -> String {
    let unit = image.unit.map(|unit| format!("image unit {}", unit.unit));
    let lookup = image.lookup.map(|lookup| format!("texture image unit {}", lookup.unit));
    [unit, lookup].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A number field whose value changes only when the number is complete.
fn whole_number(value: &mut u32, range: std::ops::RangeInclusive<u32>) -> egui::DragValue<'_> {
    egui::DragValue::new(value).range(range).speed(1.0).update_while_editing(false)
}

fn sized(ui: &mut Ui, enabled: bool, field: egui::DragValue<'_>, width: f32, name: &str) -> egui::Response {
    make_room(ui, width);
    ui.add_enabled_ui(enabled, |ui| widgets::named(ui.add_sized(vec2(width, 22.0), field), name)).inner
}

/// A name field. Changes the name when it is complete. An invalid name stays in the field until the user
/// corrects it.
fn name_field(ui: &mut Ui, document: &Document, name: &mut String) {
    let id = ui.scope_id().with("name");
    let mut text: String = ui.data(|data| data.get_temp(id)).unwrap_or_else(|| name.clone());
    let is_taken = text != *name && document.scene.buffers.iter().any(|buffer| buffer.name == text);
    let fault = match (is_buffer_name(&text), is_taken) {
        (false, _) => Some("A name consists of 1 to 64 letters, digits, \"_\", \"-\" and \".\""),
        (true, true) => Some("Another buffer or image has this name"),
        (true, false) => None,
    };
    let edit = egui::TextEdit::singleline(&mut text).id(id).align(egui::Align2::LEFT_CENTER);
    let edit = if fault.is_some() { edit.text_color(theme::palette(ui).error) } else { edit };
    let response = widgets::named(ui.add_sized(vec2(130.0, 22.0), edit), &format!("Name of {name}"));
    let response = match fault {
        Some(words) => response.on_hover_text(words),
        None => response.on_hover_text("The name in scene.toml and in the Memory panel"),
    };
    let is_left = response.lost_focus();
    if is_left && ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        ui.data_mut(|data| data.remove::<String>(id));
        return;
    }
    if response.changed() {
        ui.data_mut(|data| data.insert_temp(id, text.clone()));
    }
    if is_left && fault.is_none() {
        ui.data_mut(|data| data.remove::<String>(id));
        *name = text;
    }
}

/// A kind of [`Contents`], without its details.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unwritten,
    Fill,
    Values,
    File,
}

/// The row for the initial contents. A list of values is possible only if `is_short`.
fn contents(ui: &mut Ui, buffer: &SceneBuffer, is_short: bool, changed: &mut Contents) {
    let now = match buffer.contents {
        Contents::Unwritten => Kind::Unwritten,
        Contents::Fill(_) => Kind::Fill,
        Contents::Values => Kind::Values,
        Contents::File(_) => Kind::File,
    };
    let mut kinds = vec![(Kind::Unwritten, "Undefined"), (Kind::Fill, "One number")];
    if is_short || now == Kind::Values {
        kinds.push((Kind::Values, "Listed values"));
    }
    if now == Kind::File {
        kinds.push((Kind::File, "A file"));
    }
    row(ui, "Starts with", |ui| {
        let mut kind = now;
        choices(ui, &of(buffer, "Contents"), &mut kind, &kinds, 110.0);
        if kind != now {
            *changed = match kind {
                Kind::Unwritten => Contents::Unwritten,
                Kind::Fill => Contents::Fill(0.0),
                Kind::Values => Contents::Values,
                Kind::File => changed.clone(),
            };
        }
        match &buffer.contents {
            Contents::Fill(value) => {
                let mut edited = *value;
                let field = widgets::float_field(&mut edited, None).speed(0.1).update_while_editing(false);
                widgets::named(ui.add_sized(vec2(72.0, 22.0), field), &of(buffer, "Number"));
                if edited.to_bits() != value.to_bits() {
                    *changed = Contents::Fill(whole_or_not(edited, buffer));
                }
            }
            Contents::Values => {
                ui.label(theme::caption(ui, "in scene.toml"));
            }
            Contents::File(name) => {
                ui.label(theme::caption(ui, name.as_str()));
            }
            Contents::Unwritten => {}
        }
    });
}

/// Rounds the number if the element type is an integer.
fn whole_or_not(value: f64, buffer: &SceneBuffer) -> f64 {
    match buffer.element {
        ElementType::Float | ElementType::Double => value,
        ElementType::UnsignedByte | ElementType::UnsignedInt | ElementType::UnsignedInt64 => {
            value.round().max(0.0)
        }
        ElementType::Short | ElementType::Int | ElementType::Int64 => value.round(),
    }
}

fn each_frame(ui: &mut Ui, buffer: &SceneBuffer, each: &mut EachFrame) {
    row(ui, "Each frame", |ui| {
        let all = [(EachFrame::Reset, "Reset"), (EachFrame::Keep, "Keep changes")];
        choices(ui, &of(buffer, "Each frame"), each, &all, 150.0);
    });
}

/// A menu that selects a unit or none.
fn unit_choice(ui: &mut Ui, name: &str, unit: &mut Option<u8>, count: usize) {
    let names: Vec<String> = (0..count).map(|unit| unit.to_string()).collect();
    let numbers = (0..).map(Some).zip(names.iter().map(String::as_str));
    let all: Vec<(Option<u8>, &str)> = std::iter::once((None, "None")).chain(numbers).collect();
    choices(ui, name, unit, &all, 56.0);
}

/// A menu that selects the parameter buffers of a buffer: a list for every stage with a program in the scene.
fn bindings(ui: &mut Ui, document: &Document, buffer: &SceneBuffer, bound: &mut Vec<(Stage, u8)>) {
    let text = egui::RichText::new(places(buffer)).font(theme::caption_font());
    let menu = ui.menu_button(text, |ui| {
        for slot in Slot::SINGLE {
            let stage = slot.stage();
            let is_bound = buffer.bound.iter().any(|(of, _)| *of == stage);
            if document.programs().get(slot).is_none() && !is_bound {
                continue;
            }
            ui.menu_button(format!("{slot} program"), |ui| {
                for point in 0..PARAMETER_BUFFERS as u8 {
                    let place = (stage, point);
                    let other = is_taken(document, place).filter(|other| other.name != buffer.name);
                    let name = bound_name(stage, point);
                    let words = other.map_or_else(|| name.clone(), |other| format!("{name}: {}", other.name));
                    let mut on = bound.contains(&place);
                    if ui.add_enabled(other.is_none(), egui::Checkbox::new(&mut on, words)).changed() {
                        match on {
                            true => bound.push(place),
                            false => bound.retain(|other| *other != place),
                        }
                    }
                }
            });
        }
    });
    widgets::named(menu.response, &of(buffer, "Bindings"))
        .on_hover_text("Choose the parameter buffers to bind this buffer to");
}
