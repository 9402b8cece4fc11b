//! Streams a JSON object to a writer.
//!
//! Traces can have millions of steps. [`Stream`] writes each value as soon as it is computed, so that only
//! one is in memory. The values themselves are [`serde_json::Value`]s.

use serde_json::Value;
use std::io;

/// An object or an array that is being written.
pub(super) struct Stream<'a, W> {
    out: &'a mut W,
    /// The separator before the next value or field.
    before: &'static str,
}

impl<'a, W: io::Write> Stream<'a, W> {
    /// Writes an object and a line end. `fields` writes the fields.
    pub fn write_object<T, E: From<io::Error>>(
        out: &'a mut W,
        fields: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut stream = Self { out, before: "" };
        let result = stream.object(fields)?;
        writeln!(stream.out)?;
        Ok(result)
    }

    fn between<T, E: From<io::Error>>(
        &mut self,
        [open, close]: [&str; 2],
        content: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        write!(self.out, "{}{open}", self.before)?;
        self.before = "";
        let result = content(self)?;
        self.out.write_all(close.as_bytes())?;
        self.before = ",";
        Ok(result)
    }

    /// Writes the name of a field. The next call writes its value.
    pub fn name(&mut self, name: &str) -> io::Result<&mut Self> {
        write!(self.out, "{}{}:", self.before, Value::from(name))?;
        self.before = "";
        Ok(self)
    }

    pub fn value(&mut self, value: &Value) -> io::Result<()> {
        write!(self.out, "{}{value}", self.before)?;
        self.before = ",";
        Ok(())
    }

    /// Writes the fields of `object` into the object that is being written.
    pub fn fields(&mut self, object: &Value) -> io::Result<()> {
        let mut fields = object.as_object().into_iter().flatten();
        fields.try_for_each(|(name, value)| self.name(name)?.value(value))
    }

    /// Writes an array. Returns the result of `items`, which writes its items.
    pub fn array<T, E: From<io::Error>>(
        &mut self,
        items: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        self.between(["[", "]"], items)
    }

    /// Writes an object. Returns the result of `fields`, which writes its fields.
    pub fn object<T, E: From<io::Error>>(
        &mut self,
        fields: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        self.between(["{", "}"], fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn streams_are_the_text_of_the_whole_value() {
        let whole = json!({ "a": [null, true, 7], "b\"\\": "line\nend\u{1}é", "c": {} });
        let mut out = Vec::new();
        Stream::write_object(&mut out, |out| {
            out.name("a")?.array(|out| {
                out.value(&Value::Null)?;
                out.value(&json!(true))?;
                out.value(&json!(7))
            })?;
            out.fields(&json!({ "b\"\\": "line\nend\u{1}é" }))?;
            out.name("c")?.object(|_| Ok::<(), io::Error>(()))
        })
        .unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), format!("{whole}\n"));
    }
}
