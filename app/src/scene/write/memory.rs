//! Writes buffers and images into the text of `scene.toml`.

use super::values::{exact, list, number, set, set_or_remove, tables, whole};
use crate::scene::buffers::{ACCESSES, Bound};
use crate::scene::schema::{Kind, OneOf};
use crate::scene::{Contents, EachFrame, ElementType, ListedNumber, Scene, SceneBuffer};
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::isa::Stage;
use shadestep_engine::memory::Mode;
use shadestep_engine::texture::ImageFormat;
use std::mem::discriminant;
use toml_edit::{DocumentMut, Formatted, Item, Table, TableLike, Value};

/// Size of a new buffer, in bytes.
const NEW_BYTES: u32 = 1024;

/// Width and height of a new image, in pixels.
const NEW_SIDES: [u32; 2] = [256, 256];

/// A property of a buffer.
#[derive(Clone, Debug, PartialEq)]
pub enum BufferSetting {
    /// The name. References to the buffer change too.
    Name(String),
    /// The type of the elements.
    Element(ElementType),
    /// The size in bytes.
    Size(u32),
    /// The contents when the scene begins.
    Contents(Contents),
    /// The accesses that programs may make at the address.
    Access(Mode),
    /// The parameter buffers that the buffer is bound to.
    Bound(Vec<(Stage, u8)>),
    /// The contents when a frame begins.
    EachFrame(EachFrame),
}

impl BufferSetting {
    /// Whether both set the same property.
    pub fn is_about(&self, other: &Self) -> bool {
        discriminant(self) == discriminant(other)
    }
}

/// A property of an image.
#[derive(Clone, Debug, PartialEq)]
pub enum ImageSetting {
    /// The name. References to the image change too.
    Name(String),
    Target(TextureTarget),
    /// The format of the texels.
    Format(ImageFormat),
    /// Width, height and depth. Axes that the target does not have are ignored.
    Size([u32; 3]),
    /// The number of layers.
    Layers(u32),
    /// The contents when the scene begins.
    Contents(Contents),
    /// The contents when a frame begins.
    EachFrame(EachFrame),
    /// The image unit, if the image is bound to one.
    Unit(Option<u8>),
    /// The accesses that programs may make through the image unit.
    Access(Mode),
    /// The texture image unit, if lookups see the image.
    Texture(Option<u8>),
    /// Whether lookups filter texels linearly.
    Linear(bool),
}

impl ImageSetting {
    /// Whether both set the same property.
    pub fn is_about(&self, other: &Self) -> bool {
        discriminant(self) == discriminant(other)
    }
}

pub(super) fn add_buffer(document: &mut DocumentMut, name: &str, bound: &[(Stage, u8)]) -> Option<()> {
    let mut table = Table::new();
    set(&mut table, "name", name.into());
    set(&mut table, "size", whole(NEW_BYTES));
    set(&mut table, "fill", whole(0));
    set_or_remove(&mut table, "bind", Bound.write(&bound.to_vec()));
    tables(document, "buffer")?.push(table);
    Some(())
}

pub(super) fn add_image(
    document: &mut DocumentMut,
    name: &str,
    unit: Option<u8>,
    texture: Option<u8>,
) -> Option<()> {
    let mut table = Table::new();
    set(&mut table, "name", name.into());
    set(&mut table, "size", list(NEW_SIDES.map(whole)));
    set(&mut table, "fill", whole(0));
    for (key, number) in [("unit", unit), ("texture", texture)] {
        if let Some(number) = number {
            set(&mut table, key, whole(number.into()));
        }
    }
    tables(document, "image")?.push(table);
    Some(())
}

pub(super) fn set_buffer(
    document: &mut DocumentMut,
    scene: &Scene,
    number: usize,
    setting: &BufferSetting,
) -> Option<()> {
    let buffer = scene.buffers.get(number)?;
    if let BufferSetting::Name(name) = setting {
        rename(document, &buffer.name, name);
    }
    let table = tables(document, "buffer")?.get_mut(number)?;
    match setting {
        BufferSetting::Name(name) => set(table, "name", name.as_str().into()),
        BufferSetting::Element(element) => set(table, "type", element.name().into()),
        BufferSetting::Size(bytes) => set(table, "size", whole(*bytes)),
        BufferSetting::Contents(contents) => {
            let bytes = u32::try_from(buffer.store.len()).ok()?;
            set_contents(table, contents, buffer)?;
            match contents {
                Contents::Values => {
                    table.remove("size");
                }
                Contents::Unwritten | Contents::Fill(_) => set(table, "size", whole(bytes)),
                Contents::File(_) => {}
            }
        }
        BufferSetting::Access(mode) => set(table, "access", OneOf(&ACCESSES).write(mode)?),
        BufferSetting::Bound(bound) => {
            set_or_remove(table, "bind", Bound.write(bound));
        }
        BufferSetting::EachFrame(each) => set_each_frame(table, *each)?,
    }
    Some(())
}

pub(super) fn set_image(
    document: &mut DocumentMut,
    scene: &Scene,
    number: usize,
    setting: &ImageSetting,
) -> Option<()> {
    let image = scene.images.get(number)?;
    let buffer = scene.buffers.get(image.buffer)?;
    if let ImageSetting::Name(name) = setting {
        rename(document, &buffer.name, name);
    }
    let table = tables(document, "image")?.get_mut(number)?;
    let shape = &image.shape;
    match setting {
        ImageSetting::Name(name) => set(table, "name", name.as_str().into()),
        ImageSetting::Target(target) => {
            set(table, "target", target.name().into());
            for (key, has_it) in [
                ("layers", target.layer().is_some()),
                ("samples", target.has_samples()),
                ("levels", target.has_mipmaps()),
            ] {
                if !has_it {
                    table.remove(key);
                }
            }
            let [width, height, depth] = shape.levels().first().copied()?;
            let size = match target.is_cube() {
                true => [width, width, 1],
                false => [width, height, depth],
            };
            set_size(table, *target, size);
        }
        ImageSetting::Format(format) => {
            // A view has texels of the same size as the image, so a format of another size removes it.
            if format.bytes() != shape.format().bytes() {
                table.remove("view");
            }
            set(table, "format", format.name().into());
        }
        ImageSetting::Size(size) => set_size(table, shape.target(), *size),
        ImageSetting::Layers(count) => set(table, "layers", whole(*count)),
        ImageSetting::Contents(contents) => set_contents(table, contents, buffer)?,
        ImageSetting::EachFrame(each) => set_each_frame(table, *each)?,
        ImageSetting::Unit(unit) => optional(table, "unit", *unit, &["level", "layer", "access", "view"]),
        ImageSetting::Access(mode) => set(table, "access", OneOf(&ACCESSES).write(mode)?),
        ImageSetting::Texture(unit) => optional(table, "texture", *unit, &["filter", "texture_copy"]),
        ImageSetting::Linear(linear) => {
            set(table, "filter", if *linear { "LINEAR" } else { "NEAREST" }.into());
        }
    }
    Some(())
}

/// Sets a unit, or removes it together with the keys in `details`.
fn optional(table: &mut Table, key: &str, unit: Option<u8>, details: &[&str]) {
    set_or_remove(table, key, unit.map(|unit| whole(unit.into())));
    if unit.is_none() {
        for key in details {
            table.remove(key);
        }
    }
}

/// Writes a size for each axis of the target.
fn set_size(table: &mut Table, target: TextureTarget, size: [u32; 3]) {
    set(table, "size", list(size[..target.axes()].iter().map(|side| whole(*side))));
}

fn set_each_frame(table: &mut Table, each: EachFrame) -> Option<()> {
    set(table, "each_frame", OneOf(&EachFrame::ALL).write(&each)?);
    Some(())
}

/// Replaces the first contents in the text. Values are written as the elements of `buffer`.
fn set_contents(table: &mut Table, contents: &Contents, buffer: &SceneBuffer) -> Option<()> {
    let (key, value) = match contents {
        Contents::Unwritten => ("", None),
        Contents::Fill(number) => ("fill", Some(exact(*number))),
        Contents::Values => ("values", Some(list(buffer.numbers()?.into_iter().map(listed)))),
        Contents::File(name) => ("file", Some(name.as_str().into())),
    };
    for other in ["values", "file", "fill"] {
        if other != key {
            table.remove(other);
        }
    }
    if let Some(value) = value {
        set(table, key, value);
    }
    Some(())
}

fn listed(element: ListedNumber) -> Value {
    match element {
        ListedNumber::Whole(value) => value.into(),
        ListedNumber::Float(value) => number(value),
        ListedNumber::Double(value) => Value::Float(Formatted::new(value)),
    }
}

/// Renames a buffer or an image everywhere in the text.
fn rename(document: &mut DocumentMut, old: &str, new: &str) {
    for (section, key) in
        [("attribute", "buffer"), ("feedback", "buffer"), ("image", "buffer"), ("image", "image")]
    {
        if document.contains_key(section)
            && let Some(written) = tables(document, section)
        {
            written.iter_mut().for_each(|table| rename_in(table, key, old, new));
        }
    }
    if let Some(geometry) = document.get_mut("geometry").and_then(Item::as_table_like_mut) {
        rename_in(geometry, "draw_transform_feedback", old, new);
    }
    let parameters = document.get_mut("parameters").and_then(Item::as_table_like_mut);
    for (_, item) in parameters.into_iter().flat_map(TableLike::iter_mut) {
        match item {
            Item::Value(Value::InlineTable(table)) => {
                table.get_mut("value").into_iter().for_each(|value| rename_address(value, old, new));
            }
            Item::Table(table) => {
                let value = table.get_mut("value").and_then(Item::as_value_mut);
                value.into_iter().for_each(|value| rename_address(value, old, new));
            }
            Item::Value(value) => rename_address(value, old, new),
            _ => {}
        }
    }
}

fn rename_in(table: &mut dyn TableLike, key: &str, old: &str, new: &str) {
    if table.get(key).and_then(Item::as_str) == Some(old) {
        set(table, key, new.into());
    }
}

/// Renames a buffer in `address_of("old")`, or in a list of these.
fn rename_address(value: &mut Value, old: &str, new: &str) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| rename_address(value, old, new)),
        Value::String(word) => {
            let inner = word.value().strip_prefix("address_of(").and_then(|rest| rest.strip_suffix(')'));
            if inner.is_some_and(|inner| inner.trim().trim_matches('"') == old) {
                let decor = word.decor().clone();
                let text = format!("'address_of(\"{new}\")'");
                *value = text.parse().unwrap_or_else(|_| format!("address_of(\"{new}\")").into());
                *value.decor_mut() = decor;
            }
        }
        _ => {}
    }
}
