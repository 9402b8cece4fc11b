//! The table that describes `scene.toml`. A `Schema` has a `Row` for each key of one TOML table. The
//! reader, hints for unknown keys, completion, hover, the JSON Schema and the book's page all use these rows.
//! The writer uses the rows of the camera, textures, buffers, images, state, depth and lighting.
//!
//! `kinds` reads and writes values, `shape` describes them. The rows are beside the data that they fill, in
//! the modules of `scene`. `root` lists the tables.

mod caret;
mod ide;
mod kinds;
mod root;
mod shape;

pub(crate) use caret::{is_text as is_toml_text, tokens as toml_tokens};
pub(crate) use ide::{completions, hover};
pub(super) use kinds::{
    At, Bits, Flag, Floats, Kind, Listed, Named, Number, OneOf, Raw, Source, Sources, Sub, Text, Whole,
    Wholes,
};
pub use root::root;
pub(super) use root::{ROOT, Root};
pub use shape::{Key, Shape, TableShape, plain};

use super::SceneError;
use super::read::{Entry, Table};
use super::write::values::{inline, set_or_remove};
use toml_edit::{TableLike, Value};

/// One TOML table of a scene, which fills a `T`.
pub(super) struct Schema<T: 'static> {
    /// The table as messages name it, such as `in [camera]`.
    pub place: &'static str,
    /// The keys, in the order of reading and of the book.
    pub rows: &'static [Row<T>],
}

/// One key.
pub(super) struct Row<T: 'static> {
    /// The key.
    pub name: &'static str,
    /// The default as the book shows it, in Markdown; empty for a key that the table needs.
    pub default: &'static str,
    /// One or two sentences in Markdown.
    pub doc: &'static str,
    /// The error if the key is missing.
    pub needs: Option<&'static str>,
    /// The key works only with this key, which the words name.
    pub with: Option<(&'static str, &'static str)>,
    /// The type of the value and its place in `T`.
    pub cell: &'static dyn Cell<T>,
}

/// A value of a `T` that a key sets.
pub(super) trait Cell<T>: Sync {
    /// Reads the value into `into`.
    fn read(&self, into: &mut T, entry: &Entry<'_>) -> Result<(), SceneError>;
    /// Returns the value as TOML, or nothing if the text needs no such key.
    fn write(&self, from: &T) -> Option<Value>;
    /// Returns whether both have the same value.
    fn same(&self, a: &T, b: &T) -> bool;
    /// Describes the values.
    fn shape(&self) -> Shape;
}

impl<T> Schema<T> {
    /// Reads `table` into `into`.
    ///
    /// # Errors
    /// An unknown key, a missing one, or a value of the wrong type, at its place.
    pub fn read(&self, table: &Table<'_>, into: &mut T) -> Result<(), SceneError> {
        self.only(table)?;
        for row in self.rows {
            let Some(entry) = table.get(row.name) else {
                match row.needs {
                    Some(words) => return Err(table.error(words)),
                    None => continue,
                }
            };
            if let Some((key, words)) = row.with
                && table.get(key).is_none()
            {
                return Err(entry.error(format!("\"{}\" works only with {words}", row.name)));
            }
            row.cell.read(into, &entry)?;
        }
        Ok(())
    }

    /// Checks that `table` has no other keys.
    ///
    /// # Errors
    /// An unknown key, at its place.
    pub fn only(&self, table: &Table<'_>) -> Result<(), SceneError> {
        let names: Vec<&str> = self.rows.iter().map(|row| row.name).collect();
        table.only(&names)
    }

    /// Reads the table `key` of `parent` into `value`, if the text has it.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_in(&self, parent: &Table<'_>, key: &str, mut value: T) -> Result<T, SceneError> {
        if let Some(entry) = parent.get(key) {
            self.read(&entry.table(self.place)?, &mut value)?;
        }
        Ok(value)
    }

    /// Returns the tables of `[[key]]`; none if the text has no such key.
    pub fn tables<'a>(&self, parent: &Table<'a>, key: &str) -> Result<Vec<Table<'a>>, SceneError> {
        parent.get(key).map_or(Ok(Vec::new()), |entry| entry.tables(self.place))
    }

    /// Returns the row of a key. Panics if there is none, so constants use it.
    pub const fn row(&'static self, name: &str) -> &'static Row<T> {
        let mut index = 0;
        while index < self.rows.len() {
            if is_same(self.rows[index].name, name) {
                return &self.rows[index];
            }
            index += 1;
        }
        panic!("the schema has no such key")
    }

    /// Returns `from` as an inline table.
    pub fn inline(&self, from: &T) -> Value {
        inline(self.rows.iter().filter_map(|row| Some((row.name, row.cell.write(from)?))))
    }

    /// Writes the keys whose values differ between `old` and `new`.
    pub fn write_changes(&self, table: &mut dyn TableLike, old: &T, new: &T) {
        for row in self.rows.iter().filter(|row| !row.cell.same(old, new)) {
            set_or_remove(table, row.name, row.cell.write(new));
        }
    }

    /// Writes one key. If the text needs no such key, the keys that work only with it are removed too.
    pub fn write_key(&self, table: &mut dyn TableLike, key: &str, new: &T) {
        for row in self.rows {
            if row.name == key {
                set_or_remove(table, key, row.cell.write(new));
            } else if row.with.is_some_and(|(with, _)| with == key) && table.get(key).is_none() {
                table.remove(row.name);
            }
        }
    }

    /// Returns the first key whose value differs between `old` and `new`.
    pub fn changed(&self, old: &T, new: &T) -> Option<&'static str> {
        self.rows.iter().find(|row| !row.cell.same(old, new)).map(|row| row.name)
    }

    /// Describes the table.
    pub fn shape(&self) -> TableShape {
        let key = |row: &Row<T>| Key {
            name: row.name,
            default: if row.needs.is_some() { "required" } else { row.default },
            doc: row.doc,
            is_required: row.needs.is_some(),
            shape: row.cell.shape(),
        };
        TableShape { place: self.place, keys: self.rows.iter().map(key).collect() }
    }
}

/// `a == b` in constants.
const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    a.len() == b.len() && index == a.len()
}

/// Makes the rows of a [`Schema`]. A row is `"key": KIND, [ACCESS], "default", "documentation";`. A key that
/// the table needs has `needs` and the error instead of the default. `ACCESS` is
/// the path of a field, `some` and the path of an `Option`, `at table => key` for a value that `T::get` and
/// `T::insert` know by a key, a getter and a setter, or `-` for a key that the caller reads.
macro_rules! schema {
    (
        $t:ty, $place:literal;
        $(
            $name:literal : $kind:expr, [$($access:tt)*], $($default:literal)? $(needs $needs:expr)?, $doc:literal
            $(, with $with:expr)? ;
        )*
    ) => {
        $crate::scene::schema::Schema::<$t> {
            place: $place,
            rows: &[$(
                $crate::scene::schema::Row {
                    name: $name,
                    default: concat!($($default)?),
                    doc: $doc,
                    needs: $crate::scene::schema::optional!($($needs)?),
                    with: $crate::scene::schema::optional!($($with)?),
                    cell: &$crate::scene::schema::cell!($t, $kind; $($access)*),
                },
            )*],
        }
    };
}

macro_rules! optional {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

macro_rules! cell {
    ($t:ty, $kind:expr; -) => {
        $crate::scene::schema::At::<$t, _> {
            kind: $crate::scene::schema::Raw(|| $crate::scene::schema::Kind::shape(&$kind)),
            get: |_| None,
            set: |_, ()| {},
        }
    };
    ($t:ty, $kind:expr; some $($path:ident).+) => {
        $crate::scene::schema::At::<$t, _> {
            kind: $kind,
            get: |t| Clone::clone(&t.$($path).+),
            set: |t, value| t.$($path).+ = Some(value),
        }
    };
    ($t:ty, $kind:expr; $($path:ident).+) => {
        $crate::scene::schema::At::<$t, _> {
            kind: $kind,
            get: |t| Some(Clone::clone(&t.$($path).+)),
            set: |t, value| t.$($path).+ = value,
        }
    };
    ($t:ty, $kind:expr; at $table:ident => $state:expr) => {
        $crate::scene::schema::At::<$t, _> {
            kind: $kind,
            get: |$table| $table.get($state),
            set: |$table, value| {
                let state = $state;
                $table.insert(state, value);
            },
        }
    };
    ($t:ty, $kind:expr; $get:expr, $set:expr) => {
        $crate::scene::schema::At::<$t, _> { kind: $kind, get: $get, set: $set }
    };
}

pub(super) use {cell, optional, schema};
