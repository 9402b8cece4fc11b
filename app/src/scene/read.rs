//! Reads TOML tables. Every error has the place of its key.

use super::SceneError;
use crate::format;
use crate::suggest;
use shadestep_engine::source::{LineColumn, LineIndex, Span};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The file that is read, for errors.
pub(crate) struct TomlFile {
    /// The name of the file, as messages show it.
    name: String,
    index: LineIndex,
}

impl TomlFile {
    pub fn new(name: String, text: &str) -> Self {
        Self { name, index: LineIndex::new(text.as_bytes()) }
    }

    /// Parses `text`, the text of this file.
    pub fn parse<'t>(&self, text: &'t str) -> Result<Spanned<DeTable<'t>>, SceneError> {
        DeTable::parse(text).map_err(|error| {
            let message = error.message().trim().trim_end_matches('.').replace('\n', "; ");
            self.error(&error.span().unwrap_or_default(), format!("invalid TOML: {message}"))
        })
    }

    pub fn error(&self, span: &Range<usize>, message: impl Into<String>) -> SceneError {
        let (span, place) = self.place(span);
        SceneError::new(self.name.clone(), message).at(span, place)
    }

    /// The place of `span`, for an error that is made later.
    pub fn place(&self, span: &Range<usize>) -> (Span, LineColumn) {
        (Span::new(span.start, span.end), self.index.line_column(span.start))
    }
}

#[derive(Clone)]
pub(crate) struct Table<'a> {
    pub file: &'a TomlFile,
    /// The place of the key or header that begins the table.
    pub span: Range<usize>,
    table: &'a DeTable<'a>,
    what: &'a str,
}

impl<'a> Table<'a> {
    /// Makes a table that messages call `what`.
    pub fn new(file: &'a TomlFile, table: &'a DeTable<'a>, span: Range<usize>, what: &'a str) -> Self {
        Self { file, span, table, what }
    }

    /// Refuses keys that are not in `known`. The error is at the first unknown key in the file.
    pub fn only(&self, known: &[&str]) -> Result<(), SceneError> {
        let unknown = self.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        let Some(key) = unknown.min_by_key(|key| key.span().start) else { return Ok(()) };
        let name = key.get_ref();
        let hint = suggest::known(name, known.iter().copied(), "keys");
        Err(self.file.error(&key.span(), format!("unknown key \"{name}\" {}{hint}", self.what)))
    }

    pub fn get(&self, key: &str) -> Option<Entry<'a>> {
        let (key, value) = self.table.get_key_value(key)?;
        Some(self.entry(key.get_ref(), key.span(), value))
    }

    /// Reads a key with `value`. Returns `None` if the table does not have the key.
    pub fn read<T>(
        &self,
        key: &str,
        value: impl FnOnce(&Entry<'a>) -> Result<T, SceneError>,
    ) -> Result<Option<T>, SceneError> {
        self.get(key).map(|entry| value(&entry)).transpose()
    }

    /// Reads a key with `value`. `words` is the error if the table does not have the key.
    pub fn needed<T>(
        &self,
        key: &str,
        words: &str,
        value: impl FnOnce(&Entry<'a>) -> Result<T, SceneError>,
    ) -> Result<T, SceneError> {
        self.read(key, value)?.ok_or_else(|| self.error(words))
    }

    /// All entries in the order of the file.
    pub fn entries(&self) -> Vec<Entry<'a>> {
        let entry = |(key, value): (&'a Spanned<_>, &'a Spanned<DeValue<'a>>)| {
            let name: &std::borrow::Cow<'a, str> = key.get_ref();
            self.entry(name, key.span(), value)
        };
        let mut entries: Vec<_> = self.table.iter().map(entry).collect();
        entries.sort_by_key(|entry| entry.span.start);
        entries
    }

    fn entry(&self, name: &'a str, span: Range<usize>, value: &'a Spanned<DeValue<'a>>) -> Entry<'a> {
        Entry { file: self.file, name, span, value: value.get_ref(), value_span: value.span() }
    }

    /// An error about the table as a whole.
    pub fn error(&self, message: impl Into<String>) -> SceneError {
        self.file.error(&self.span, message)
    }

    /// An error at `key`, or at the table if the key is missing.
    pub fn error_at(&self, key: &str, message: impl Into<String>) -> SceneError {
        match self.get(key) {
            Some(entry) => entry.error(message),
            None => self.error(message),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Entry<'a> {
    pub file: &'a TomlFile,
    pub name: &'a str,
    pub span: Range<usize>,
    pub value: &'a DeValue<'a>,
    pub value_span: Range<usize>,
}

impl<'a> Entry<'a> {
    pub fn error(&self, message: impl Into<String>) -> SceneError {
        self.file.error(&self.span, message)
    }

    pub fn wrong(&self, wanted: &str, found: &DeValue<'_>) -> SceneError {
        self.error(format!("\"{}\" must be {wanted}, not {}", self.name, describe(found)))
    }

    pub fn string(&self) -> Result<&'a str, SceneError> {
        self.value.as_str().ok_or_else(|| self.wrong("text in quotes", self.value))
    }

    pub fn boolean(&self) -> Result<bool, SceneError> {
        self.value.as_bool().ok_or_else(|| self.wrong("true or false", self.value))
    }

    /// Reads a finite number.
    pub fn finite(&self) -> Result<f32, SceneError> {
        self.finite_of(self.value, "a number")
    }

    pub fn integer(&self, range: std::ops::RangeInclusive<u32>) -> Result<u32, SceneError> {
        self.integer_of(self.value, &range)
    }

    /// Reads a whole number in `range`.
    pub fn integer_of<N: Copy + PartialOrd + TryFrom<i64> + std::fmt::Display>(
        &self,
        value: &DeValue<'_>,
        range: &std::ops::RangeInclusive<N>,
    ) -> Result<N, SceneError> {
        let wanted = format!("a whole number from {} to {}", range.start(), range.end());
        let number = whole(value).and_then(|number| N::try_from(number).ok());
        number.filter(|number| range.contains(number)).ok_or_else(|| self.wrong(&wanted, value))
    }

    /// Reads an integer of the format `name`, which holds integers from `least` to `most`.
    pub fn integer_for(
        &self,
        name: &str,
        (least, most): (i64, i64),
        wanted: &str,
    ) -> Result<i64, SceneError> {
        self.value.as_integer().ok_or_else(|| self.wrong(wanted, self.value))?;
        let number = whole(self.value).filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| self.error(format!("this number is out of range for {name}: {least} to {most}")))
    }

    /// Reads a number, rounded to fp64. `wanted` describes the expected value in errors.
    pub fn double_of(&self, value: &DeValue<'_>, wanted: &str) -> Result<f64, SceneError> {
        let number = match value {
            DeValue::Integer(_) => whole(value).map(|n| n as f64),
            DeValue::Float(n) => n.as_str().parse::<f64>().ok(),
            _ => None,
        };
        number.ok_or_else(|| self.wrong(wanted, value))
    }

    /// Reads a finite number.
    pub fn finite_of(&self, value: &DeValue<'_>, wanted: &str) -> Result<f32, SceneError> {
        let number = self.float_of(value, wanted)?;
        if number.is_finite() {
            Ok(number)
        } else {
            Err(self.error(format!("\"{}\" must be finite", self.name)))
        }
    }

    /// Reads a number, correctly rounded to fp32. `wanted` describes the expected value in errors.
    pub fn float_of(&self, value: &DeValue<'_>, wanted: &str) -> Result<f32, SceneError> {
        let number = match value {
            DeValue::Integer(n) if n.radix() == 10 => n.as_str().parse::<f32>().ok(),
            DeValue::Integer(_) => whole(value).map(|n| n as f32),
            DeValue::Float(n) => n.as_str().parse::<f32>().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.wrong(wanted, value))?;
        let said_infinite = matches!(value, DeValue::Float(n) if n.as_str().contains("inf"));
        if number.is_infinite() && !said_infinite {
            return Err(self.error(format!("\"{}\" has a number larger than the largest fp32", self.name)));
        }
        Ok(number)
    }

    /// Reads an array with a length in `lengths`. `wanted` describes the expected value in errors.
    pub fn array(
        &self,
        lengths: std::ops::RangeInclusive<usize>,
        wanted: &str,
    ) -> Result<Vec<&'a DeValue<'a>>, SceneError> {
        let array = self.value.as_array().ok_or_else(|| self.wrong(wanted, self.value))?;
        if !lengths.contains(&array.len()) {
            let found = format::counted(array.len(), "element");
            return Err(self.error(format!("\"{}\" must be {wanted}; it has {found}", self.name)));
        }
        Ok(array.iter().map(|value| value.get_ref()).collect())
    }

    /// As [`Self::array`], with the place of each element.
    pub fn elements(
        &self,
        lengths: std::ops::RangeInclusive<usize>,
        wanted: &str,
    ) -> Result<impl Iterator<Item = Self> + use<'a>, SceneError> {
        self.array(lengths, wanted)?;
        let (file, name) = (self.file, self.name);
        let elements = self.value.as_array().into_iter().flat_map(|array| array.iter());
        let of = move |element: &'a Spanned<_>| {
            let (span, value) = (element.span(), element.get_ref());
            Self { file, name, value_span: span.clone(), span, value }
        };
        Ok(elements.map(of))
    }

    /// Reads `N` finite numbers in brackets.
    pub fn vector<const N: usize>(&self) -> Result<[f32; N], SceneError> {
        let wanted = format!("{N} numbers in brackets");
        let values = self.array(N..=N, &wanted)?;
        let mut vector = [0.0; N];
        for (out, value) in vector.iter_mut().zip(values) {
            *out = self.finite_of(value, &wanted)?;
        }
        Ok(vector)
    }

    /// Reads `N` whole numbers in brackets.
    pub fn wholes<const N: usize>(
        &self,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<[u32; N], SceneError> {
        let mut numbers = [0; N];
        let values = self.array(N..=N, &format!("{N} whole numbers in brackets"))?;
        for (out, value) in numbers.iter_mut().zip(values) {
            *out = self.integer_of(value, &range)?;
        }
        Ok(numbers)
    }

    /// Reads texts in brackets.
    pub fn strings(
        &self,
        lengths: std::ops::RangeInclusive<usize>,
        wanted: &str,
    ) -> Result<Vec<&'a str>, SceneError> {
        let values = self.array(lengths, wanted)?;
        values.into_iter().map(|v| v.as_str().ok_or_else(|| self.wrong(wanted, v))).collect()
    }

    /// Reads one of `choices` by name.
    pub fn choice<T: Copy>(&self, choices: &[(T, &str)]) -> Result<T, SceneError> {
        self.choice_of(self.string()?, choices)
    }

    /// Looks `word` up in `choices`.
    pub fn choice_of<T: Copy>(&self, word: &str, choices: &[(T, &str)]) -> Result<T, SceneError> {
        let found = choices.iter().find(|(_, name)| *name == word);
        found.map(|(choice, _)| *choice).ok_or_else(|| self.unknown_word(word, choices.iter().map(|c| c.1)))
    }

    /// The error for a `word` that is none of `names`.
    pub fn unknown_word<'n>(&self, word: &str, names: impl Iterator<Item = &'n str> + Clone) -> SceneError {
        let hint = suggest::hint(word, names, "use one of");
        self.error(format!("\"{}\" cannot be \"{word}\"{hint}", self.name))
    }

    /// Reads the table in this entry. `what` names it in messages, such as `in [camera]`.
    pub fn table(&self, what: &'a str) -> Result<Table<'a>, SceneError> {
        let table = self.value.as_table().ok_or_else(|| self.wrong("a table", self.value))?;
        Ok(Table::new(self.file, table, self.span.clone(), what))
    }

    /// Reads the tables of `[[name]]`. Each has the place of its own header.
    pub fn tables(&self, what: &'a str) -> Result<Vec<Table<'a>>, SceneError> {
        self.tables_as(what, &format!("tables, each starting with [[{}]]", self.name))
    }

    /// Reads the tables in an array. `wanted` describes the expected value in errors.
    pub fn tables_as(&self, what: &'a str, wanted: &str) -> Result<Vec<Table<'a>>, SceneError> {
        let array = self.value.as_array().ok_or_else(|| self.wrong(wanted, self.value))?;
        let table = |value: &'a Spanned<DeValue<'a>>| {
            let table = value.get_ref().as_table().ok_or_else(|| self.wrong(wanted, value.get_ref()))?;
            Ok(Table::new(self.file, table, value.span(), what))
        };
        array.iter().map(table).collect()
    }
}

/// Returns the whole number in `value`. `None` for a value of another type, or outside 64 bits.
pub fn whole(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text \"{}\"", text.chars().take(40).collect::<String>()),
        DeValue::Integer(number) => format!("the number {number}"),
        DeValue::Float(number) => format!("the number {number}"),
        DeValue::Boolean(value) => format!("{value}"),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "an array".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
