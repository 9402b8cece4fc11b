//! `[[attachment]]` of `scene.toml`: the colour buffers that output colours are written to.

use super::read::{Entry, Table};
use super::schema::{Floats, Listed, Number, Schema, Whole, schema};
use super::{Clear, RasterState, Scene, SceneError};
use shadestep_engine::ir::limits;
use shadestep_engine::pipeline::ColorFormat;

/// Number of output colours.
pub const OUTPUT_COLORS: usize = limits::DRAW_BUFFERS as usize;

/// The colour buffer of an output colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// The output colour, `result.color[number]`.
    pub number: u8,
    /// The format of the pixels.
    pub format: ColorFormat,
    /// The contents before drawing: numbers, or integers as their bits.
    pub clear: [f32; 4],
}

impl Attachment {
    /// Returns the contents before drawing as integers, if the format has integers.
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
    /// Returns the colour buffer of output colour `number`.
    pub fn attachment(&self, number: u8) -> Attachment {
        let given = self.attachments.iter().find(|attachment| attachment.number == number);
        given.copied().unwrap_or(Attachment {
            number,
            format: ColorFormat::default(),
            clear: self.clear.color,
        })
    }

    /// Returns the first contents of all buffers, with the colour of output colour `number`.
    pub fn clear_for(&self, number: u8) -> Clear {
        Clear { color: self.attachment(number).clear, ..self.clear }
    }
}

/// `[[attachment]]`.
pub(super) static ATTACHMENT: Schema<Attachment> = schema! { Attachment, "in [[attachment]]";
    "number": Whole::<u8>::new(0, LAST), [number], "position in the file", "Output colour.";
    "format": Listed {
        all: &ColorFormat::ALL,
        name: ColorFormat::name,
        find: ColorFormat::from_name,
        what: "attachment format",
    }, [format], "`\"RGBA32F\"`", "Format of the pixels.";
    "clear": Floats::<4>(Number::Any), [-], "`[clear]`'s colour; 0 for integers",
        "Contents before the frame, in numbers of the format.";
};

/// The last output colour.
const LAST: u32 = OUTPUT_COLORS as u32 - 1;

/// Reads every `[[attachment]]`. An attachment of numbers without a `clear` of its own is cleared to `clear`.
pub(super) fn attachments(tables: &[Table<'_>], clear: &Clear) -> Result<Vec<Attachment>, SceneError> {
    let mut attachments: Vec<Attachment> = Vec::with_capacity(tables.len());
    for (index, table) in tables.iter().enumerate() {
        let number = u8::try_from(index).unwrap_or(u8::MAX);
        let mut attachment = Attachment { number, format: ColorFormat::default(), clear: clear.color };
        ATTACHMENT.read(table, &mut attachment)?;
        let Attachment { number, format, .. } = attachment;
        if u32::from(number) > LAST {
            let words = format!("output colours are 0 to {LAST}, with at most one attachment each");
            return Err(table.error(words));
        }
        if attachments.iter().any(|other| other.number == number) {
            return Err(table.error_at("number", format!("output colour {number} already has an attachment")));
        }
        attachment.clear = match (table.get("clear"), format.integer_range()) {
            (Some(entry), None) => entry.vector()?,
            (Some(entry), Some(range)) => integers(&entry, format, range)?,
            (None, None) => clear.color,
            (None, Some(_)) => [0.0; 4],
        };
        attachments.push(attachment);
    }
    Ok(attachments)
}

/// Reads four integers in the range of `format`, as their bits.
fn integers(entry: &Entry<'_>, format: ColorFormat, range: (i64, i64)) -> Result<[f32; 4], SceneError> {
    let wanted = format!("4 whole numbers in brackets, because {} holds integers", format.name());
    let mut clear = [0.0; 4];
    for (out, element) in clear.iter_mut().zip(entry.elements(4..=4, &wanted)?) {
        let number = element.integer_for(format.name(), range, &wanted)?;
        *out = f32::from_bits(number as u32);
    }
    Ok(clear)
}

/// Warns at the format of each integer attachment that ignores blending and the alpha test
/// (EXT_texture_integer 4.1).
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
