//! `--format text`: a line for each finding, as compilers print them.

use super::{Checked, Finding};
use crate::printable::{self, Printable};
use shadestep_engine::diag::Severity;
use std::io::{self, Write};

/// Escape sequences before each part of a line, and after any part.
pub(super) struct Style {
    place: &'static str,
    error: &'static str,
    warning: &'static str,
    fine: &'static str,
    reset: &'static str,
}

impl Style {
    pub const PLAIN: Self = Self { place: "", error: "", warning: "", fine: "", reset: "" };

    /// Bold places, red errors, yellow warnings and green successes.
    pub const COLORED: Self = Self {
        place: "\u{1b}[1m",
        error: "\u{1b}[1;31m",
        warning: "\u{1b}[1;33m",
        fine: "\u{1b}[32m",
        reset: "\u{1b}[0m",
    };
}

/// Writes the findings of a file and their source, or `FILE: ok` unless `is_quiet`.
pub(super) fn write(
    checked: &Checked,
    (is_quiet, style): (bool, &Style),
    out: &mut Printable<impl Write>,
) -> io::Result<()> {
    if checked.findings.is_empty() {
        if is_quiet {
            return Ok(());
        }
        write!(out, "{}: ", printable::path(&checked.file))?;
        write_styled(out, (style.fine, "ok"), style)?;
        return writeln!(out);
    }
    checked.findings.iter().try_for_each(|finding| write_finding(finding, style, out))?;
    write!(out, "{}", checked.excerpts)
}

fn write_finding(finding: &Finding, style: &Style, out: &mut Printable<impl Write>) -> io::Result<()> {
    let (file, start) = (printable::path(&finding.file), finding.region.start);
    write_styled(out, (style.place, &format!("{file}:{}:{}:", start.line, start.column)), style)?;
    write!(out, " ")?;
    let severity = match finding.severity {
        Severity::Error => style.error,
        Severity::Warning => style.warning,
    };
    write_styled(out, (severity, &format!("{}:", finding.severity.name())), style)?;
    writeln!(out, " {}", printable::line(&finding.message))
}

/// Writes `text` between two escape sequences. The sequences bypass the writer, which would escape them.
fn write_styled(
    out: &mut Printable<impl Write>,
    (start, text): (&str, &str),
    style: &Style,
) -> io::Result<()> {
    out.0.write_all(start.as_bytes())?;
    write!(out, "{text}")?;
    out.0.write_all(style.reset.as_bytes())
}
