//! JSON values for `shadestep trace --format json`: writing only.

use std::fmt::{self, Write};
use std::io;

/// A JSON value.
#[derive(Clone, Debug)]
pub(super) enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it is written.
    Number(String),
    /// A text.
    Text(String),
    /// An array.
    Array(Vec<Json>),
    /// An object, in this order.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A whole number.
    pub fn count(number: impl TryInto<u64>) -> Self {
        number.try_into().map_or(Self::Null, |number| Self::Number(number.to_string()))
    }

    /// An array of what `items` become.
    pub fn array<T>(items: impl IntoIterator<Item = T>, make: impl FnMut(T) -> Self) -> Self {
        Self::Array(items.into_iter().map(make).collect())
    }

    /// An object.
    pub fn object<const N: usize>(fields: [(&str, Self); N]) -> Self {
        Self::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// What `make` makes of a value, or `null`.
    pub fn option<T>(value: Option<T>, make: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Null, make)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(number) => f.write_str(number),
            Self::Text(text) => quote(f, text),
            Self::Array(items) => {
                f.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma}{item}")?;
                }
                f.write_char(']')
            }
            Self::Object(fields) => {
                f.write_char('{')?;
                for (index, (name, value)) in fields.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { "," })?;
                    quote(f, name)?;
                    write!(f, ":{value}")?;
                }
                f.write_char('}')
            }
        }
    }
}

/// What stands between an opening and a closing bracket, written piece by piece, so that only the piece at hand is in
/// memory.
pub(super) struct Pieces<'a, W> {
    out: &'a mut W,
    /// What goes before the next piece.
    before: &'static str,
}

impl<'a, W: io::Write> Pieces<'a, W> {
    /// An object, whose `fields` are each a [`Self::name`] and a value.
    pub fn write_object<T, E: From<io::Error>>(
        out: &'a mut W,
        fields: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        Self { out, before: "" }.object(fields)
    }

    fn between<T, E: From<io::Error>>(
        &mut self,
        [open, close]: [&str; 2],
        pieces: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        write!(self.out, "{}{open}", self.before)?;
        self.before = "";
        let result = pieces(self)?;
        self.out.write_all(close.as_bytes())?;
        self.before = ",";
        Ok(result)
    }

    /// The name of the field whose value comes next.
    pub fn name(&mut self, name: &str) -> io::Result<&mut Self> {
        write!(self.out, "{}{}:", self.before, Json::text(name))?;
        self.before = "";
        Ok(self)
    }

    /// A whole value.
    pub fn value(&mut self, value: &Json) -> io::Result<()> {
        write!(self.out, "{}{value}", self.before)?;
        self.before = ",";
        Ok(())
    }

    /// Fields of an object that are there whole.
    pub fn fields<const N: usize>(&mut self, fields: [(&str, Json); N]) -> io::Result<()> {
        fields.into_iter().try_for_each(|(name, value)| self.name(name)?.value(&value))
    }

    /// An array. Gives what `items` gives.
    pub fn array<T, E: From<io::Error>>(
        &mut self,
        items: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        self.between(["[", "]"], items)
    }

    /// An object. Gives what `fields` gives.
    pub fn object<T, E: From<io::Error>>(
        &mut self,
        fields: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        self.between(["{", "}"], fields)
    }
}

fn quote(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            c if c < ' ' || c == '\u{7f}' => write!(f, "\\u{:04x}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_print_as_json() {
        let value = Json::object([
            ("a", Json::Array(vec![Json::Null, Json::Bool(true), Json::count(7_usize)])),
            ("b\"\\", Json::text("line\nend\u{1}é")),
            ("c", Json::Object(Vec::new())),
        ]);
        assert_eq!(value.to_string(), EXPECTED);
        let mut out = Vec::new();
        Pieces::write_object(&mut out, |out| {
            out.name("a")?.array(|out| {
                out.value(&Json::Null)?;
                out.value(&Json::Bool(true))?;
                out.value(&Json::count(7_usize))
            })?;
            out.fields([("b\"\\", Json::text("line\nend\u{1}é"))])?;
            out.name("c")?.object(|_| Ok::<(), io::Error>(()))
        })
        .unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), EXPECTED, "in pieces");
    }

    const EXPECTED: &str = "{\"a\":[null,true,7],\"b\\\"\\\\\":\"line\\nend\\u0001é\",\"c\":{}}";
}
