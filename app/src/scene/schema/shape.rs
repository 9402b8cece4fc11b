//! Types of values as data, for completion, hover, the JSON Schema and the book.

use crate::scene::AutoSource;

/// The keys of a table.
#[derive(Clone, Debug)]
pub struct TableShape {
    /// The table as messages name it.
    pub place: &'static str,
    /// Its keys, in the order of the book.
    pub keys: Vec<Key>,
}

/// A key of a table.
#[derive(Clone, Debug)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// The default, in Markdown.
    pub default: &'static str,
    /// The documentation, in Markdown.
    pub doc: &'static str,
    /// Whether the table needs the key.
    pub is_required: bool,
    /// The values.
    pub shape: Shape,
}

/// The values that a key takes.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Any text. The word names the kind of text: `text` or `file`.
    Text(&'static str),
    /// One of these texts.
    Words(Vec<&'static str>),
    /// One of these texts, or another spelling of one.
    Spelled(Vec<&'static str>),
    /// True or false.
    Flag,
    /// A number from the first to the second, where there are bounds.
    Number(Option<f32>, Option<f32>),
    /// A number above 0.
    Positive,
    /// A whole number in a range.
    Whole(i64, i64),
    /// A number, or a source that each frame fills in.
    Source,
    /// As many values in brackets as the range says.
    Array(Box<Self>, usize, usize),
    /// One of several kinds of values.
    Either(Vec<Self>),
    /// Values that people know by this word.
    Called(&'static str, Box<Self>),
    /// A table with fixed keys.
    Table(TableShape),
    /// Tables, each with these keys: `[[name]]`, or inline tables in brackets.
    Tables(TableShape),
    /// A table whose keys are names.
    Names(Box<Self>),
}

/// The most words that the type of a key lists. More are in the documentation.
const FEW_WORDS: usize = 3;
/// The most words that the documentation lists. More are described elsewhere.
const MANY_WORDS: usize = 17;

impl Shape {
    /// Returns an array of `least` to `most` of these values.
    pub fn array(self, least: usize, most: usize) -> Self {
        Self::Array(Box::new(self), least, most)
    }

    /// Returns one of these values alone, or an array of `least` to `most`.
    pub fn or_array(self, least: usize, most: usize) -> Self {
        Self::Either(vec![self.clone(), self.array(least, most)])
    }

    /// Returns these values, which the book calls `words`.
    pub fn called(self, words: &'static str) -> Self {
        Self::Called(words, Box::new(self))
    }

    /// Returns the type in Markdown.
    pub fn words(&self) -> String {
        match self {
            Self::Text(word) => (*word).to_owned(),
            Self::Words(names) if names.len() <= FEW_WORDS => quoted(names),
            Self::Words(_) | Self::Spelled(_) => "text".to_owned(),
            Self::Flag => "boolean".to_owned(),
            Self::Number(..) | Self::Whole(..) => format!("{}{}", self.kind(), self.range()),
            Self::Positive => "number above 0".to_owned(),
            Self::Source => "number or source".to_owned(),
            Self::Array(of, least, most) => {
                let count = count(*least, *most);
                let (plural, range) = (of.plural(), of.range());
                format!("{count}{}{plural}{range}", if count.is_empty() { "" } else { " " })
            }
            Self::Either(shapes) => shapes.iter().map(Self::words).collect::<Vec<_>>().join(", or "),
            Self::Called(words, _) => (*words).to_owned(),
            Self::Table(_) | Self::Names(_) => "table".to_owned(),
            Self::Tables(_) => "tables".to_owned(),
        }
    }

    /// Returns the texts that the documentation lists, because the type does not.
    pub fn listed(&self) -> Option<String> {
        match self {
            Self::Words(names) | Self::Spelled(names)
                if (FEW_WORDS + 1..=MANY_WORDS).contains(&names.len()) =>
            {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                Some(crate::suggest::joined(&names, "or"))
            }
            Self::Called(..) => None,
            shape => shape.parts().iter().find_map(Self::listed),
        }
    }

    /// Returns the values that can be completed: texts with quotes, `true` and `false`.
    pub fn values(&self) -> Vec<String> {
        match self {
            Self::Words(names) | Self::Spelled(names) => {
                names.iter().map(|name| format!("\"{name}\"")).collect()
            }
            Self::Flag => ["true", "false"].map(str::to_owned).into(),
            Self::Source => AutoSource::ALL.iter().map(|source| format!("\"{}\"", source.name())).collect(),
            shape => shape.parts().iter().flat_map(Self::values).collect(),
        }
    }

    /// Returns the table that a value is, or that an element of an array is.
    pub fn table(&self) -> Option<&TableShape> {
        match self {
            Self::Table(table) | Self::Tables(table) => Some(table),
            shape => shape.parts().iter().find_map(Self::table),
        }
    }

    /// Returns the values that these consist of, without those of tables.
    fn parts(&self) -> &[Self] {
        match self {
            Self::Called(_, of) | Self::Array(of, ..) => std::slice::from_ref(of),
            Self::Either(shapes) => shapes,
            Self::Text(_)
            | Self::Words(_)
            | Self::Spelled(_)
            | Self::Flag
            | Self::Number(..)
            | Self::Positive
            | Self::Whole(..)
            | Self::Source
            | Self::Table(_)
            | Self::Tables(_)
            | Self::Names(_) => &[],
        }
    }

    const fn kind(&self) -> &'static str {
        match self {
            Self::Whole(..) => "integer",
            _ => "number",
        }
    }

    fn plural(&self) -> String {
        match self {
            Self::Whole(..) => "integers".to_owned(),
            Self::Number(..) | Self::Positive => "numbers".to_owned(),
            Self::Source => "numbers or sources".to_owned(),
            Self::Flag => "booleans".to_owned(),
            Self::Text(word) => format!("{word}s"),
            Self::Words(_) | Self::Spelled(_) => "texts".to_owned(),
            _ => format!("{}s", self.words()),
        }
    }

    /// Returns the bounds, after a comma.
    fn range(&self) -> String {
        match *self {
            Self::Whole(least, most) if least == 0 && most >= u32::MAX.into() => String::new(),
            Self::Whole(least, most) if least == -most => String::new(),
            Self::Whole(least, most) => format!(", {least} to {}", power(most)),
            Self::Number(Some(least), Some(most)) => format!(", {least} to {most}"),
            _ => String::new(),
        }
    }
}

impl TableShape {
    /// Returns the key with this name.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

impl Key {
    /// Returns the documentation with the texts that the type does not list.
    pub fn meaning(&self) -> String {
        match self.shape.listed() {
            Some(listed) => format!("{} One of {listed}.", self.doc),
            None => self.doc.to_owned(),
        }
    }
}

/// Replaces links in Markdown by their words.
pub fn plain(markdown: &str) -> String {
    let mut plain = String::new();
    let mut rest = markdown;
    while let Some((before, (target, after))) =
        rest.split_once("](").and_then(|(before, rest)| Some((before, rest.split_once(')')?)))
    {
        match opening(before) {
            Some(at) => plain.extend([&before[..at], &before[at + 1..]]),
            None => plain.extend([before, "](", target, ")"]),
        }
        rest = after;
    }
    plain + rest
}

/// Returns the place of the last bracket in `text` that is not closed.
fn opening(text: &str) -> Option<usize> {
    let mut closed = 0;
    let is_open = |&(_, c): &(usize, char)| match c {
        '[' if closed == 0 => true,
        '[' => {
            closed -= 1;
            false
        }
        c => {
            closed += usize::from(c == ']');
            false
        }
    };
    text.char_indices().rev().find(is_open).map(|(at, _)| at)
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`\"{name}\"`")).collect::<Vec<_>>().join(", ")
}

/// Large powers of two as people write them.
fn power(number: i64) -> String {
    match u64::try_from(number) {
        Ok(size) if size.is_power_of_two() && size > 1 << 16 => format!("2^{}", size.ilog2()),
        _ => number.to_string(),
    }
}

/// How many values, in words; nothing for lists of any length.
fn count(least: usize, most: usize) -> String {
    let words = ["no", "one", "two", "three", "four"];
    match (least, most) {
        _ if most > 1 << 10 => String::new(),
        (least, most) if least == most => {
            words.get(least).map_or(least.to_string(), |word| (*word).to_owned())
        }
        (0, _) => String::new(),
        (least, most) if least + 1 == most => format!("{least} or {most}"),
        (least, most) => format!("{least} to {most}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_their_words() {
        for (markdown, expected) in [
            ("See [`[[feedback]]`](#feedback).", "See `[[feedback]]`."),
            ("x[0] and [a](#a), [b](#b)", "x[0] and a, b"),
            ("`[0, 1]` [a", "`[0, 1]` [a"),
        ] {
            assert_eq!(plain(markdown), expected);
        }
    }
}
