//! Escapes text for a terminal. Names, paths and titles may hold control characters, which a terminal would
//! obey.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

/// Returns true if a terminal hides `c` or lets it change other output: control characters, line and
/// paragraph separators, and marks that change the writing direction.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}' | '\u{61C}')
}

/// Escapes `text` for one line: control characters become `\u001b` and the like.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    escape(text, is_obeyed)
}

/// Escapes `path` for one line.
pub(crate) fn path(path: &Path) -> String {
    line(&path.to_string_lossy()).into_owned()
}

/// Escapes `text`, but keeps line breaks and tabs.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    escape(text, |c| is_obeyed(c) && !matches!(c, '\n' | '\t'))
}

/// Escapes in JSON's form, so escaped JSON output stays valid.
fn escape(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            // Writing to a string does not fail. All of these characters are below 0x10000.
            let _infallible = write!(escaped, "\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// A writer that escapes control characters as [`text`] does. Every write must end at a character boundary,
/// as `write!` guarantees. Bytes that are not UTF-8 pass unchanged.
#[derive(Debug)]
pub(crate) struct Printable<W>(pub W);

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match std::str::from_utf8(bytes) {
            Ok(written) => self.0.write_all(text(written).as_bytes()),
            Err(_) => self.0.write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        // ESC, BEL, CSI as one character (C1), DEL, carriage return, and a change of the writing direction.
        let hostile = "a\u{1b}[2J\u{7}\u{9b}1m\u{7f}\r\u{202e}b ä→🙂";
        assert_eq!(line(hostile), "a\\u001b[2J\\u0007\\u009b1m\\u007f\\u000d\\u202eb ä→🙂");
        assert_eq!(line("a\nb: ok\tc"), "a\\u000ab: ok\\u0009c");
        assert_eq!(text("a\nb\tc\r"), "a\nb\tc\\u000d");
        assert!(matches!(line("plain ä"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_printable_writer_leaves_lines() {
        let mut out = Printable(Vec::new());
        let name = "x\u{1b}[31m";
        writeln!(out, "{name}: ä\tok").unwrap();
        assert_eq!(out.0, "x\\u001b[31m: ä\tok\n".as_bytes());
    }
}
