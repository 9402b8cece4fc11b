//! Values and tables of TOML, changed in place: comments, order and spacing stay as their author wrote them.

use crate::scene::Component;
use toml_edit::{Array, ArrayOfTables, DocumentMut, Formatted, InlineTable, Item, Table, TableLike, Value};

/// Writes a number as the shortest decimal that reads back to the same fp32.
pub(in crate::scene) fn number(value: f32) -> Value {
    let size = value.abs();
    let text = if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "inf" } else { "-inf" }.to_owned()
    } else if value == 0.0 {
        if value.is_sign_negative() { "-0.0" } else { "0" }.to_owned()
    } else if (1e-5..1e9).contains(&size) {
        format!("{value}")
    } else {
        // TOML's floats need a point or an exponent, and its integers have at most 64 bits.
        format!("{value:e}")
    };
    text.parse().unwrap_or_else(|_| Value::Float(Formatted::new(f64::from(value))))
}

/// Writes a whole number or an fp32, so that it reads back unchanged.
pub(in crate::scene) fn exact(value: f64) -> Value {
    const WHOLE: f64 = (1_i64 << 53) as f64;
    let is_whole = value.fract() == 0.0 && value.abs() < WHOLE && !(value == 0.0 && value.is_sign_negative());
    if is_whole { (value as i64).into() } else { number(value as f32) }
}

pub(in crate::scene) fn whole(value: u32) -> Value {
    i64::from(value).into()
}

pub(in crate::scene) fn component(component: Component) -> Value {
    match component {
        Component::Constant(value) => number(value),
        Component::Auto(source) => source.name().into(),
        Component::Int(value) => i64::from(value).into(),
        Component::Uint(value) => i64::from(value).into(),
        // An address is written as a whole, by the buffer's name.
        Component::Address(..) => 0.into(),
    }
}

pub(in crate::scene) fn components(components: &[Component]) -> Value {
    list(components.iter().map(|c| component(*c)))
}

pub(in crate::scene) fn numbers(numbers: &[f32]) -> Value {
    list(numbers.iter().map(|n| number(*n)))
}

/// Makes `[a, b, c]`.
pub(in crate::scene) fn list(values: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(values.into_iter().collect::<Array>())
}

/// Makes `{ a = 1, b = 2 }`.
pub(in crate::scene) fn inline(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::InlineTable(entries.into_iter().collect::<InlineTable>())
}

/// Replaces `old` by `new`. Comments and spaces around it stay.
fn replace(old: &mut Value, new: Value) {
    if let (Value::Array(old), Value::Array(new)) = (&mut *old, &new)
        && old.len() == new.len()
    {
        for (old, new) in old.iter_mut().zip(new.iter()) {
            replace(old, new.clone());
        }
        return;
    }
    // A value that reads the same keeps its spelling, such as 0.50, 0x10 or 'text'.
    if same(old, &new) {
        return;
    }
    let decor = old.decor().clone();
    *old = new;
    *old.decor_mut() = decor;
}

fn same(old: &Value, new: &Value) -> bool {
    let float = |value: &Value| match value {
        Value::Integer(n) => Some(*n.value() as f32),
        Value::Float(n) => Some(*n.value() as f32),
        _ => None,
    };
    if let (Value::Integer(old), Value::Integer(new)) = (old, new) {
        return old.value() == new.value();
    }
    match (float(old), float(new)) {
        (Some(old), Some(new)) => old.to_bits() == new.to_bits(),
        (None, None) => old.as_str().is_some() && old.as_str() == new.as_str(),
        _ => false,
    }
}

pub(in crate::scene) fn set(table: &mut dyn TableLike, key: &str, value: Value) {
    match table.get_mut(key) {
        Some(Item::Value(old)) => replace(old, value),
        _ => {
            table.insert(key, Item::Value(value));
        }
    }
}

/// Sets `key`, or removes it if there is no value.
pub(in crate::scene) fn set_or_remove(table: &mut dyn TableLike, key: &str, value: Option<Value>) {
    match value {
        Some(value) => set(table, key, value),
        None => {
            table.remove(key);
        }
    }
}

/// Returns the table `key` of `root`, which is added if it is missing.
pub(in crate::scene) fn table<'t>(root: &'t mut dyn TableLike, key: &str) -> Option<&'t mut dyn TableLike> {
    if root.get(key).is_none() {
        root.insert(key, Item::Table(Table::new()));
    }
    root.get_mut(key)?.as_table_like_mut()
}

/// Returns the inline table `key` of `table`, which is added if it is missing.
pub(in crate::scene) fn inline_table<'t>(
    table: &'t mut dyn TableLike,
    key: &str,
) -> Option<&'t mut dyn TableLike> {
    if table.get(key).is_none() {
        table.insert(key, Item::Value(Value::InlineTable(InlineTable::new())));
    }
    table.get_mut(key)?.as_table_like_mut()
}

/// Removes the table `key` if it is empty.
pub(in crate::scene) fn drop_empty(root: &mut dyn TableLike, key: &str) {
    let empty = match root.get(key) {
        Some(Item::ArrayOfTables(tables)) => tables.is_empty(),
        Some(item) => item.as_table_like().is_some_and(TableLike::is_empty),
        None => false,
    };
    if empty {
        root.remove(key);
    }
}

/// Returns the tables `[[key]]`, which are added if they are missing.
pub(in crate::scene) fn tables<'t>(
    document: &'t mut DocumentMut,
    key: &str,
) -> Option<&'t mut ArrayOfTables> {
    let root = document.as_table_mut();
    match root.get_mut(key) {
        None => {
            root.insert(key, Item::ArrayOfTables(ArrayOfTables::new()));
        }
        // key = [{ ... }, { ... }]
        Some(item @ Item::Value(_)) => {
            let written = std::mem::take(item);
            match written.into_array_of_tables() {
                Ok(tables) => *item = Item::ArrayOfTables(tables),
                Err(written) => *item = written,
            }
        }
        Some(_) => {}
    }
    root.get_mut(key)?.as_array_of_tables_mut()
}

/// Returns the integer in `key`, if it has one.
pub(in crate::scene) fn integer(table: &dyn TableLike, key: &str) -> Option<i64> {
    table.get(key)?.as_integer()
}

/// Returns the table of `tables` that matches `is_it`, or appends a new one that `make` fills.
pub(in crate::scene) fn find_or_add(
    tables: &mut ArrayOfTables,
    is_it: impl Fn(usize, &Table) -> bool,
    make: impl FnOnce(&mut Table),
) -> Option<&mut Table> {
    let index = tables.iter().enumerate().position(|(index, table)| is_it(index, table));
    let index = index.unwrap_or_else(|| {
        let mut table = Table::new();
        make(&mut table);
        tables.push(table);
        tables.len() - 1
    });
    tables.get_mut(index)
}
