//! The wording of values, places and tasks in reports.

use super::{Invocation, Task, Usage, Variation, Word};
use crate::format;
use crate::printable::line as one_line;
use crate::session::{Pixel, PixelStatus};

/// `value` with at most four decimals, without trailing zeros.
fn short(value: f64) -> String {
    if !value.is_finite() || (value != 0.0 && value.abs() < 0.00005) || value.abs() >= 1e6 {
        return format::float(value as f32);
    }
    let shown = format!("{value:.4}");
    let shown = shown.trim_end_matches('0').trim_end_matches('.');
    if shown == "-0" { "0".to_owned() } else { shown.to_owned() }
}

/// Values in round brackets; a single value without brackets.
pub(super) fn vector(values: &[f64]) -> String {
    let shown: Vec<String> = values.iter().map(|value| short(*value)).collect();
    if let [one] = shown.as_slice() { one.clone() } else { format!("({})", shown.join(", ")) }
}

/// Two values in decimals: short ones, or full ones if the short ones are equal.
pub(super) fn pair(is: &[f64], should: &[f64]) -> (String, String) {
    let (a, b) = (vector(is), vector(should));
    if a != b {
        return (a, b);
    }
    let full = |values: &[f64]| {
        let shown: Vec<String> = values.iter().map(|value| format::float(*value)).collect();
        if let [one] = shown.as_slice() { one.clone() } else { format!("({})", shown.join(", ")) }
    };
    (full(is), full(should))
}

/// A colour with alpha as displayed: each component from 0 to 1, NaN as 0. Integers are not clamped.
pub(super) fn seen(pixel: &Pixel) -> [f64; 4] {
    let integer = pixel.format.ty().is_integer();
    pixel.color.map(|component| match integer {
        true => f64::from(component.to_bits()),
        false if component.is_nan() => 0.0,
        false => f64::from(component.clamp(0.0, 1.0)),
    })
}

/// The reason that a pixel has no colour from a program, if it has none.
pub(super) const fn absence(status: PixelStatus) -> Option<&'static str> {
    match status {
        PixelStatus::Written => None,
        PixelStatus::Killed => Some("discarded"),
        PixelStatus::Empty => Some("not drawn"),
        PixelStatus::AlphaFailed
        | PixelStatus::StencilFailed
        | PixelStatus::DepthFailed
        | PixelStatus::DepthDiscarded
        | PixelStatus::Uncovered => Some("rejected by a test"),
    }
}

impl std::fmt::Display for Invocation {
    /// Formats `pixel (3, 4)` or `vertex 7`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pixel([x, y]) => write!(f, "pixel ({x}, {y})"),
            Self::Vertex(element) => write!(f, "vertex {element}"),
        }
    }
}

/// Formats `R0.xy`, or the name alone for all four components.
pub(super) fn masked(name: &str, components: u8) -> String {
    let name = one_line(name);
    if components == 0b1111 { name.into_owned() } else { format!("{name}.{}", format::letters(components)) }
}

/// Formats ``2 `MAD` instructions`` for instructions of one name, and `2 instructions` otherwise.
pub(super) fn counted(count: usize, named: Option<&str>) -> String {
    match named {
        Some(name) => {
            let instructions = format::plural(count as u64, "instruction");
            format!("{} `{name}` {instructions}", format::count(count as u64))
        }
        None => format::grouped(count, "instruction"),
    }
}

/// Formats `` `tint` set to (1, 0.5, 0, 1) ``. Several parameters are joined by "and".
pub(super) fn settings(parameters: &Variation) -> String {
    let each = parameters.iter().map(|(key, value)| format!("`{key}` set to {}", vector(value)));
    each.collect::<Vec<_>>().join(" and ")
}

impl std::fmt::Display for Task {
    /// Formats the requirement in one line, with program text between backquotes.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Loads => f.write_str("All programs load"),
            Self::Error { program: None, .. } => f.write_str("Loading fails with the required error"),
            Self::Error { program: Some(slot), .. } => {
                write!(f, "Loading {} fails with the required error", slot.kind())
            }
            Self::Picture { rect, parameters, .. } => {
                f.write_str("The picture matches the solution")?;
                if let Some([x, y, width, height]) = rect {
                    write!(f, " in the {width}x{height} area at ({x}, {y})")?;
                }
                if parameters.is_empty() { Ok(()) } else { write!(f, " with {}", settings(parameters)) }
            }
            Self::Pixel { at: [x, y], color, .. } => write!(f, "Pixel ({x}, {y}) is {}", vector(color)),
            Self::Discarded { at: [x, y] } => write!(f, "Pixel ({x}, {y}) is discarded"),
            Self::Parameter { key, value, .. } => write!(f, "The scene sets `{key}` to {}", vector(value)),
            Self::Branches { of: [first, second] } => {
                write!(f, "The program takes different paths at {first} and {second}")
            }
            Self::Register { name, components, of, value, line, .. } => {
                write!(f, "`{}` is {} at {of}", masked(name, *components), vector(value))?;
                match line {
                    Some(line) => write!(f, ", at the line `{}`", one_line(line)),
                    None => Ok(()),
                }
            }
            Self::Buffer { name, first, value, .. } if value.len() <= 4 => {
                write!(f, "Buffer `{}` holds {}", one_line(name), vector(value))?;
                if *first > 0 { write!(f, " from element {first}") } else { Ok(()) }
            }
            Self::Buffer { name, .. } => write!(f, "Buffer `{}` holds the expected values", one_line(name)),
            Self::Instructions { most, least, named, of, .. } => {
                let counted = |count: usize| counted(count, named.as_deref());
                match (most, least) {
                    (Some(most), Some(least)) if most == least => write!(f, "Exactly {}", counted(*most))?,
                    (Some(most), Some(least)) => write!(f, "{least} to {}", counted(*most))?,
                    (Some(most), None) => write!(f, "At most {}", counted(*most))?,
                    (None, least) => write!(f, "At least {}", counted(least.unwrap_or(0)))?,
                }
                match of {
                    Some(of) => write!(f, " executed at {of}"),
                    None => Ok(()),
                }
            }
            Self::Text { usage: Usage::Uses, word, .. } => write!(f, "The program uses {word}"),
            Self::Text { usage: Usage::Avoids, word, .. } => write!(f, "The program avoids {word}"),
        }
    }
}

impl std::fmt::Display for Word {
    /// Formats `` `MAD` ``, `` the suffix `SAT` `` or `` the register `R0` ``.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Instruction(name) => write!(f, "`{name}`"),
            Self::Suffix(name) => write!(f, "the suffix `{}`", one_line(name)),
            Self::Register(name) => write!(f, "the register `{}`", one_line(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_in_as_many_digits_as_it_takes() {
        assert_eq!(vector(&[0.5, 1.0, -0.0]), "(0.5, 1, 0)");
        assert_eq!(vector(&[1.0 / 3.0]), "0.3333");
        assert_eq!(vector(&[f64::NAN, f64::INFINITY]), "(NaN, inf)");
        assert_eq!(pair(&[0.5], &[0.25]), ("0.5".to_owned(), "0.25".to_owned()));
        assert_eq!(pair(&[0.50001], &[0.5]), ("0.50001".to_owned(), "0.5".to_owned()));
    }

    #[test]
    fn tasks_read_as_sentences() {
        let register = Task::Register {
            name: "R1".to_owned(),
            components: 0b0101,
            of: Invocation::Pixel([3, 4]),
            value: vec![0.5, 0.0],
            line: None,
            tolerance: 0.0,
        };
        assert_eq!(register.to_string(), "`R1.xz` is (0.5, 0) at pixel (3, 4)");
        let count = |most, least| {
            Task::Instructions { most, least, named: None, of: None, program: None }.to_string()
        };
        assert_eq!(count(Some(5), None), "At most 5 instructions");
        assert_eq!(count(None, Some(1)), "At least 1 instruction");
        assert_eq!(count(Some(3), Some(3)), "Exactly 3 instructions");
        let word = Word::Suffix("SAT".to_owned());
        let text = Task::Text { usage: Usage::Avoids, word, program: None };
        assert_eq!(text.to_string(), "The program avoids the suffix `SAT`");
    }
}
