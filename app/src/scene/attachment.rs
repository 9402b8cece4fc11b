//! `[[attachment]]` of `scene.toml`: the colour buffers that output colours go to.

use super::read::{Entry, Table};
use super::{Clear, RasterState, Scene, SceneError};
use shadestep_engine::ir::limits;
use shadestep_engine::pipeline::ColorFormat;
use toml::de::DeValue;

/// Number of output colours.
pub const OUTPUT_COLORS: usize = limits::DRAW_BUFFERS as usize;

/// The colour buffer that an output colour goes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// The output colour, `result.color[number]`.
    pub number: u8,
    /// How its pixels are held.
    pub format: ColorFormat,
    /// What it holds before drawing: numbers, or integers as their bits.
    pub clear: [f32; 4],
}

impl Attachment {
    /// The integers that it holds before drawing, where its format has those.
    pub fn clear_integers(&self) -> Option<[i64; 4]> {
        let (least, _) = self.format.integer_range()?;
        Some(
            self.clear.map(f32::to_bits).map(
                |bits| {
                    if least < 0 { bits.cast_signed().into() } else { bits.into() }
                },
            ),
        )
    }
}

impl Scene {
    /// The colour buffer that output colour `number` goes to.
    pub fn attachment(&self, number: u8) -> Attachment {
        let given = self.attachments.iter().find(|attachment| attachment.number == number);
        given.copied().unwrap_or(Attachment {
            number,
            format: ColorFormat::default(),
            clear: self.clear.color,
        })
    }

    /// What buffers hold before drawing where output colour `number` is drawn.
    pub fn clear_for(&self, number: u8) -> Clear {
        Clear { color: self.attachment(number).clear, ..self.clear }
    }
}

/// Reads every `[[attachment]]`; those of numbers are cleared as `clear` says unless they say it.
pub(super) fn attachments(tables: &[Table<'_>], clear: &Clear) -> Result<Vec<Attachment>, SceneError> {
    let mut attachments: Vec<Attachment> = Vec::with_capacity(tables.len());
    for (index, table) in tables.iter().enumerate() {
        table.only(&["number", "format", "clear"])?;
        let last = OUTPUT_COLORS as u32 - 1;
        let number = match table.get("number") {
            Some(entry) => entry.integer(0..=last)? as u8,
            None => {
                u8::try_from(index).ok().filter(|&number| u32::from(number) <= last).ok_or_else(|| {
                    table.error(format!("output colours are 0 to {last}, with at most one attachment each"))
                })?
            }
        };
        if attachments.iter().any(|other| other.number == number) {
            return Err(table.error_at("number", format!("output colour {number} already has an attachment")));
        }
        let format = match table.get("format") {
            Some(entry) => format(&entry)?,
            None => ColorFormat::default(),
        };
        let clear = match (table.get("clear"), format.integer_range()) {
            (Some(entry), None) => entry.vector()?,
            (Some(entry), Some(range)) => integers(&entry, format, range)?,
            (None, None) => clear.color,
            (None, Some(_)) => [0.0; 4],
        };
        attachments.push(Attachment { number, format, clear });
    }
    Ok(attachments)
}

fn format(entry: &Entry<'_>) -> Result<ColorFormat, SceneError> {
    let name = entry.string()?;
    let names = ColorFormat::ALL.iter().map(|format| format.name());
    ColorFormat::from_name(name).ok_or_else(|| entry.unknown_word(name, names))
}

/// Four integers that `format` has, as their bits.
fn integers(
    entry: &Entry<'_>,
    format: ColorFormat,
    (least, most): (i64, i64),
) -> Result<[f32; 4], SceneError> {
    let wanted = format!("4 whole numbers in brackets, because {} holds integers", format.name());
    let mut clear = [0.0; 4];
    for (out, element) in clear.iter_mut().zip(entry.elements(4..=4, &wanted)?) {
        let DeValue::Integer(number) = element.value else {
            return Err(element.wrong(&wanted, element.value));
        };
        let number = i64::from_str_radix(number.as_str(), number.radix()).ok();
        let number = number.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
            element.error(format!("this number is out of range for {}: {least} to {most}", format.name()))
        })?;
        *out = f32::from_bits(number as u32);
    }
    Ok(clear)
}

/// What of `state` plays no part for an attachment of integers (EXT_texture_integer 4.1), at its format.
pub(super) fn warnings(
    tables: &[Table<'_>],
    attachments: &[Attachment],
    state: &RasterState,
) -> Vec<SceneError> {
    let ignored = match (state.blend.is_some(), state.alpha_test.is_some()) {
        (false, false) => return Vec::new(),
        (true, false) => "blending has",
        (false, true) => "the alpha test has",
        (true, true) => "blending and the alpha test have",
    };
    let integers = tables.iter().zip(attachments).filter(|(_, attachment)| attachment.format.is_integer());
    let warning = |(table, attachment): (&Table<'_>, &Attachment)| {
        let (number, format) = (attachment.number, attachment.format.name());
        let words =
            format!("{ignored} no effect on output colour {number}: its attachment {format} holds integers");
        table.error_at("format", words)
    };
    integers.map(warning).collect()
}
