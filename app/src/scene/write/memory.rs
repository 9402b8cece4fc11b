//! Writes buffers and images into the text of `scene.toml`.

use super::values::{exact, list, number, set, tables, whole};
use crate::scene::buffers::{BUFFER, Bound};
use crate::scene::images::IMAGE;
use crate::scene::schema::Kind;
use crate::scene::{BufferKeys, Contents, ImageKeys, ListedNumber, Scene, SceneBuffer};
use shadestep_engine::isa::Stage;
use toml_edit::{DocumentMut, Formatted, Item, Table, TableLike, Value};

/// Size of a new buffer, in bytes.
const NEW_BYTES: u32 = 1024;

/// Width and height of a new image, in pixels.
const NEW_SIDES: [u32; 2] = [256, 256];

/// A change of the contents, which several keys make.
pub(in crate::scene) const CONTENTS: &str = "values";

/// A key of a table with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting<T> {
    pub key: &'static str,
    /// The keys of the table, which hold the value.
    pub keys: Box<T>,
}

pub(super) fn add_buffer(document: &mut DocumentMut, name: &str, bound: &Vec<(Stage, u8)>) -> Option<()> {
    let bound = Bound.write(bound).map(|bound| ("bind", bound));
    let entries = [("name", name.into()), ("size", whole(NEW_BYTES)), ("fill", whole(0))];
    tables(document, "buffer")?.push(entries.into_iter().chain(bound).collect());
    Some(())
}

pub(super) fn add_image(
    document: &mut DocumentMut,
    name: &str,
    unit: Option<u8>,
    texture: Option<u8>,
) -> Option<()> {
    let entries = [("name", name.into()), ("size", list(NEW_SIDES.map(whole))), ("fill", whole(0))];
    let units = [("unit", unit), ("texture", texture)];
    let units = units.into_iter().filter_map(|(key, number)| Some((key, whole(number?.into()))));
    tables(document, "image")?.push(entries.into_iter().chain(units).collect());
    Some(())
}

pub(super) fn set_buffer(
    document: &mut DocumentMut,
    scene: &Scene,
    number: usize,
    Setting { key, keys: new }: &Setting<BufferKeys>,
) -> Option<()> {
    let buffer = scene.buffers.get(number)?;
    if *key == "name" {
        rename(document, &buffer.name, &new.name);
    }
    let table = tables(document, "buffer")?.get_mut(number)?;
    if *key != CONTENTS {
        BUFFER.write_key(table, key, new);
        return Some(());
    }
    set_contents(table, &new.contents, buffer)?;
    match new.contents {
        Contents::Values => {
            table.remove("size");
        }
        Contents::Unwritten | Contents::Fill(_) => {
            set(table, "size", whole(u32::try_from(buffer.store.len()).ok()?));
        }
        Contents::File(_) => {}
    }
    Some(())
}

pub(super) fn set_image(
    document: &mut DocumentMut,
    scene: &Scene,
    number: usize,
    Setting { key, keys: new }: &Setting<ImageKeys>,
) -> Option<()> {
    let image = scene.images.get(number)?;
    let buffer = scene.buffers.get(image.buffer)?;
    if let ("name", Some(name)) = (*key, &new.name) {
        rename(document, &buffer.name, name);
    }
    let table = tables(document, "image")?.get_mut(number)?;
    match *key {
        CONTENTS => set_contents(table, &new.contents, buffer)?,
        "size" => set_size(table, new),
        key => IMAGE.write_key(table, key, new),
    }
    // A view has texels of the same size as the image, so a format of another size removes it.
    if new.format.bytes() != image.shape.format().bytes() {
        table.remove("view");
    }
    if *key == "target" {
        for (key, has_it) in [
            ("layers", new.target.layer().is_some()),
            ("samples", new.target.has_samples()),
            ("levels", new.target.has_mipmaps()),
        ] {
            if !has_it {
                table.remove(key);
            }
        }
        set_size(table, new);
    }
    Some(())
}

/// Writes a size for each axis of the target.
fn set_size(table: &mut Table, keys: &ImageKeys) {
    let [width, height, depth] = keys.size;
    let size = if keys.target.is_cube() { [width, width, 1] } else { [width, height, depth] };
    set(table, "size", list(size[..keys.target.axes()].iter().map(|side| whole(*side))));
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
