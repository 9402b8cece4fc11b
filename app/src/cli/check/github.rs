//! `--format github`: workflow commands, which GitHub Actions shows next to the lines of a change.

use super::Checked;
use std::io::{self, Write};

/// Writes a command for each finding.
pub(super) fn write(checked: &Checked, out: &mut impl Write) -> io::Result<()> {
    checked.findings.iter().try_for_each(|finding| {
        let (level, start) = (finding.severity.name(), finding.region.start);
        let file = property(&finding.file.to_string_lossy());
        let message = data(&finding.message);
        writeln!(out, "::{level} file={file},line={},col={}::{message}", start.line, start.character)
    })
}

/// Escapes the message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_command_or_a_property_is_escaped() {
        assert_eq!(data("100%: a,\r\nb::c"), "100%25: a,%0D%0Ab::c");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}
