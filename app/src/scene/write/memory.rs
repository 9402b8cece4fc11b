//! Writes buffers and images into the text of `scene.toml`.

use super::values::{exact, list, number, set, set_or_remove, tables, whole};
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

/// The keys of a table, one of which has changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting<T> {
    /// The key that has changed.
    pub key: &'static str,
    pub keys: Box<T>,
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
    new: &BufferKeys,
) -> Option<()> {
    let buffer = scene.buffers.get(number)?;
    let old = buffer.keys();
    if new.name != old.name {
        rename(document, &old.name, &new.name);
    }
    let table = tables(document, "buffer")?.get_mut(number)?;
    if new.contents != old.contents {
        set_contents(table, &new.contents, buffer)?;
        match new.contents {
            Contents::Values => {
                table.remove("size");
            }
            Contents::Unwritten | Contents::Fill(_) => set(table, "size", whole(old.size?)),
            Contents::File(_) => {}
        }
    }
    BUFFER.write_changes(table, &old, new);
    Some(())
}

pub(super) fn set_image(
    document: &mut DocumentMut,
    scene: &Scene,
    number: usize,
    new: &ImageKeys,
) -> Option<()> {
    let image = scene.images.get(number)?;
    let buffer = scene.buffers.get(image.buffer)?;
    let old = image.keys(buffer);
    if let (Some(old), Some(new)) = (&old.name, &new.name)
        && old != new
    {
        rename(document, old, new);
    }
    let table = tables(document, "image")?.get_mut(number)?;
    if new.contents != old.contents {
        set_contents(table, &new.contents, buffer)?;
    }
    IMAGE.write_changes(table, &old, new);
    let target = new.target;
    if target != old.target {
        for (key, has_it) in [
            ("layers", target.layer().is_some()),
            ("samples", target.has_samples()),
            ("levels", target.has_mipmaps()),
        ] {
            if !has_it {
                table.remove(key);
            }
        }
    }
    // A view has texels of the same size as the image, so a format of another size removes it.
    if new.format.bytes() != old.format.bytes() {
        table.remove("view");
    }
    if (target, new.size) != (old.target, old.size) {
        let [width, height, depth] = new.size;
        let size = if target.is_cube() { [width, width, 1] } else { [width, height, depth] };
        set(table, "size", list(size[..target.axes()].iter().map(|side| whole(*side))));
    }
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
