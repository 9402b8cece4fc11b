//! Rows for buffers and images that programs read and write: name, size, initial contents and bindings.

use super::{AtFirst, choices, make_room, row, section};
use crate::command::Action;
use crate::icons::Icon;
use crate::model::Document;
use crate::scene::{
    ACCESSES, BufferSetting, Contents, EachFrame, ElementType, ImageSetting, MOST_BUFFERS, SceneBuffer,
    SceneEdit, SceneImage, Slot, bound_name, is_buffer_name,
};
use crate::settings::Pane;
use crate::theme;
use crate::widgets;
use egui::{Ui, vec2};
use shadestep_engine::gl::MOST_BUFFER_BYTES;
use shadestep_engine::ir::limits::{self, PARAMETER_BUFFERS};
use shadestep_engine::ir::{IMAGE_UNITS, ImageAccess, TextureTarget};
use shadestep_engine::isa::Stage;
use shadestep_engine::texture::ImageFormat;
use shadestep_engine::texture::MAX_SIZE;

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
    let mut set = |setting| actions.push(Action::EditScene(SceneEdit::Buffer(number, setting)));
    let mut gone = false;
    let summary = format!("buffer · {} {} · {}", elements(buffer), buffer.element.name(), places(buffer));
    folding(ui, document, (&buffer.name, &summary), |ui| {
        row(ui, "Name", |ui| {
            if let Some(name) = name_field(ui, document, &buffer.name) {
                set(BufferSetting::Name(name));
            }
            let hint = format!("Remove buffer {}", buffer.name);
            gone = widgets::icon_button(ui, Icon::Close, &hint, true).clicked();
        });
        row(ui, "Type", |ui| {
            let mut element = buffer.element;
            choices(ui, &of(buffer, "Type"), &mut element, &ElementType::ALL, 90.0);
            if element != buffer.element {
                set(BufferSetting::Element(element));
            }
        });
        if let Some(contents) = contents(ui, buffer, buffer.numbers().is_some()) {
            set(BufferSetting::Contents(contents));
        }
        row(ui, "Size", |ui| {
            let is_free = matches!(buffer.contents, Contents::Unwritten | Contents::Fill(_));
            let mut bytes = buffer.store.len() as u32;
            let field = whole_number(&mut bytes, 1..=MOST_BUFFER_BYTES as u32).suffix(" bytes");
            let why = "The listed values or the file set the size";
            sized(ui, is_free, field, 96.0, &of(buffer, "Size")).on_disabled_hover_text(why);
            if u64::from(bytes) != buffer.store.len() {
                set(BufferSetting::Size(bytes));
            }
        });
        row(ui, "Bound to", |ui| {
            if let Some(bound) = bindings(ui, document, buffer) {
                set(BufferSetting::Bound(bound));
            }
        });
        row(ui, "Access", |ui| {
            let mut access = buffer.access;
            choices(ui, &of(buffer, "Access"), &mut access, &ACCESSES, 110.0);
            if access != buffer.access {
                set(BufferSetting::Access(access));
            }
        });
        if let Some(each) = each_frame(ui, buffer) {
            set(BufferSetting::EachFrame(each));
        }
    });
    if gone {
        actions.push(Action::EditScene(SceneEdit::RemoveBuffer(number)));
    }
}

fn one_image(ui: &mut Ui, document: &Document, number: usize, image: &SceneImage, actions: &mut Vec<Action>) {
    let Some(buffer) = document.scene.buffers.get(image.buffer) else { return };
    let mut set = |setting| actions.push(Action::EditScene(SceneEdit::Image(number, setting)));
    let mut gone = false;
    let (target, format) = (image.shape.target(), image.shape.format());
    let size: Vec<String> = sides(image).iter().map(u32::to_string).collect();
    let what = if image.is_own { "image" } else { "view" };
    let summary = format!("{what} · {} {} · {}", size.join(" × "), format.name(), units(image));
    folding(ui, document, (&buffer.name, &summary), |ui| {
        row(ui, "Name", |ui| {
            if !image.is_own {
                ui.label(theme::caption(ui, format!("{} view of {}", target.name(), buffer.name)));
            } else if let Some(name) = name_field(ui, document, &buffer.name) {
                set(ImageSetting::Name(name));
            }
            let hint = format!("Remove image {}", buffer.name);
            gone = widgets::icon_button(ui, Icon::Close, &hint, true).clicked();
        });
        if image.is_own {
            texels(ui, (image, buffer), &mut set);
        }
        row(ui, "Image unit", |ui| {
            let now = image.unit.map(|unit| unit.unit);
            if let Some(unit) = unit_choice(ui, &of(buffer, "Image unit"), now, limits::IMAGE_UNITS) {
                set(ImageSetting::Unit(unit));
            }
            if let Some(unit) = image.unit {
                let mut access = unit.access;
                choices(ui, &of(buffer, "Access"), &mut access, &ACCESSES, 110.0);
                if access != unit.access {
                    set(ImageSetting::Access(access));
                }
            }
        });
        row(ui, "Texture unit", |ui| {
            let now = image.lookup.map(|lookup| lookup.unit);
            if let Some(unit) = unit_choice(ui, &of(buffer, "Texture unit"), now, IMAGE_UNITS) {
                set(ImageSetting::Texture(unit));
            }
            if let Some(lookup) = image.lookup {
                use shadestep_engine::texture::MagFilter;
                let now = lookup.sampler.mag_filter == MagFilter::Linear;
                let mut linear = now;
                choices(
                    ui,
                    &of(buffer, "Filter"),
                    &mut linear,
                    &[(false, "NEAREST"), (true, "LINEAR")],
                    84.0,
                );
                if linear != now {
                    set(ImageSetting::Linear(linear));
                }
            }
        });
        if image.is_own
            && let Some(each) = each_frame(ui, buffer)
        {
            set(ImageSetting::EachFrame(each));
        }
    });
    if gone {
        actions.push(Action::EditScene(SceneEdit::RemoveImage(number)));
    }
}

/// Rows for target, format, size and contents of an image that has its own memory.
fn texels(ui: &mut Ui, (image, buffer): (&SceneImage, &SceneBuffer), set: &mut impl FnMut(ImageSetting)) {
    let (target, format) = (image.shape.target(), image.shape.format());
    let is_free = matches!(buffer.contents, Contents::Unwritten | Contents::Fill(_));
    let why = "The listed values or the file set the target, format and size";
    row(ui, "Target", |ui| {
        ui.add_enabled_ui(is_free, |ui| {
            let mut chosen = target;
            let all = ImageAccess::TARGETS.map(|target| (target, target.name()));
            choices(ui, &of(buffer, "Target"), &mut chosen, &all, 90.0);
            if chosen != target {
                set(ImageSetting::Target(chosen));
            }
        })
        .response
        .on_disabled_hover_text(why);
    });
    row(ui, "Format", |ui| {
        ui.add_enabled_ui(is_free, |ui| {
            let mut chosen = format;
            choices(ui, &of(buffer, "Format"), &mut chosen, &ImageFormat::ALL.map(|f| (f, f.name())), 110.0);
            if chosen != format {
                set(ImageSetting::Format(chosen));
            }
        })
        .response
        .on_disabled_hover_text(why);
    });
    row(ui, "Size", |ui| {
        let now = image.shape.levels().first().copied().unwrap_or([1; 3]);
        let mut size = now;
        for (axis, name) in (0..target.axes()).zip(["Width", "Height", "Depth"]) {
            let field = whole_number(&mut size[axis], 1..=MAX_SIZE as u32);
            sized(ui, is_free, field, 58.0, &of(buffer, name)).on_disabled_hover_text(why);
        }
        if size != now {
            if target.is_cube() {
                // Cube faces are square, so both sides take the value of the changed one.
                let side = if size[0] == now[0] { size[1] } else { size[0] };
                size = [side, side, 1];
            }
            set(ImageSetting::Size(size));
        }
        if target.layer().is_some() {
            let now = image.shape.layers() / target.faces() as u32;
            let mut layers = now;
            let field = whole_number(&mut layers, 1..=2048).suffix(" layers");
            sized(ui, is_free, field, 84.0, &of(buffer, "Layers")).on_disabled_hover_text(why);
            if layers != now {
                set(ImageSetting::Layers(layers));
            }
        }
    });
    if let Some(contents) = contents(ui, buffer, false) {
        set(ImageSetting::Contents(contents));
    }
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

/// The image's size, with one number per axis of the target.
fn sides(image: &SceneImage) -> Vec<u32> {
    let size = image.shape.levels().first().copied().unwrap_or([1; 3]);
    size[..image.shape.target().axes()].to_vec()
}

/// A number field whose value changes only when the number is complete.
fn whole_number(value: &mut u32, range: std::ops::RangeInclusive<u32>) -> egui::DragValue<'_> {
    egui::DragValue::new(value).range(range).speed(1.0).update_while_editing(false)
}

fn sized(ui: &mut Ui, enabled: bool, field: egui::DragValue<'_>, width: f32, name: &str) -> egui::Response {
    make_room(ui, width);
    ui.add_enabled_ui(enabled, |ui| widgets::named(ui.add_sized(vec2(width, 22.0), field), name)).inner
}

/// A name field. Returns the new name when it is complete. An invalid name stays in the field until the user
/// corrects it.
fn name_field(ui: &mut Ui, document: &Document, name: &str) -> Option<String> {
    let id = ui.scope_id().with("name");
    let mut text: String = ui.data(|data| data.get_temp(id)).unwrap_or_else(|| name.to_owned());
    let is_taken = text != name && document.scene.buffers.iter().any(|buffer| buffer.name == text);
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
        return None;
    }
    if response.changed() {
        ui.data_mut(|data| data.insert_temp(id, text.clone()));
    }
    if is_left && fault.is_none() {
        ui.data_mut(|data| data.remove::<String>(id));
        return (text != name).then_some(text);
    }
    None
}

/// A kind of [`Contents`], without its details.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unwritten,
    Fill,
    Values,
    File,
}

/// The row for the initial contents. Returns the new contents if the user changes them. A list of values is
/// possible only if `is_short`.
fn contents(ui: &mut Ui, buffer: &SceneBuffer, is_short: bool) -> Option<Contents> {
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
    let mut changed = None;
    row(ui, "Starts with", |ui| {
        let mut kind = now;
        choices(ui, &of(buffer, "Contents"), &mut kind, &kinds, 110.0);
        if kind != now {
            changed = match kind {
                Kind::Unwritten => Some(Contents::Unwritten),
                Kind::Fill => Some(Contents::Fill(0.0)),
                Kind::Values => Some(Contents::Values),
                Kind::File => None,
            };
        }
        match &buffer.contents {
            Contents::Fill(value) => {
                let mut edited = *value;
                let field = egui::DragValue::new(&mut edited).speed(0.1).update_while_editing(false);
                widgets::named(ui.add_sized(vec2(72.0, 22.0), field), &of(buffer, "Number"));
                if edited.to_bits() != value.to_bits() {
                    changed = Some(Contents::Fill(whole_or_not(edited, buffer)));
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
    changed
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

fn each_frame(ui: &mut Ui, buffer: &SceneBuffer) -> Option<EachFrame> {
    let mut each = buffer.each_frame;
    row(ui, "Each frame", |ui| {
        let all = [(EachFrame::Reset, "Reset"), (EachFrame::Keep, "Keep changes")];
        choices(ui, &of(buffer, "Each frame"), &mut each, &all, 150.0);
    });
    (each != buffer.each_frame).then_some(each)
}

/// A menu that selects a unit or none.
fn unit_choice(ui: &mut Ui, name: &str, now: Option<u8>, count: usize) -> Option<Option<u8>> {
    let names: Vec<String> = (0..count).map(|unit| unit.to_string()).collect();
    let numbers = (0..).map(Some).zip(names.iter().map(String::as_str));
    let all: Vec<(Option<u8>, &str)> = std::iter::once((None, "None")).chain(numbers).collect();
    let mut unit = now;
    choices(ui, name, &mut unit, &all, 56.0);
    (unit != now).then_some(unit)
}

/// A menu that selects the parameter buffers of a buffer: a list for every stage with a program in the scene.
fn bindings(ui: &mut Ui, document: &Document, buffer: &SceneBuffer) -> Option<Vec<(Stage, u8)>> {
    let mut bound = buffer.bound.clone();
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
    (bound != buffer.bound).then_some(bound)
}
