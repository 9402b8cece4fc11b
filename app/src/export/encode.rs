//! Encoders: PNG, animated PNG and GIF.

use super::{AnimationKind, ExportError, Rate, Sequence};
use crate::files::{self, Durability, Written};
use image::ImageEncoder as _;
use std::io::{self, Write};
use std::path::Path;

/// Speed of the search for the 256 colours of a GIF's frame: 1 is best, 30 is fastest.
const GIF_SPEED: i32 = 10;

/// An animation that is being written.
pub struct Animation<'w> {
    size: [u32; 2],
    rate: Rate,
    /// Frames written.
    written: u32,
    encoder: Encoder<'w>,
}

enum Encoder<'w> {
    Apng(png::Writer<&'w mut dyn Write>),
    Gif(gif::Encoder<&'w mut dyn Write>),
}

impl<'w> Animation<'w> {
    /// Begins an animation of `sequence` that repeats for ever, and writes its header to `out`.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn begin(
        kind: AnimationKind,
        out: &'w mut dyn Write,
        size: [u32; 2],
        sequence: &Sequence,
    ) -> io::Result<Self> {
        let encoder = match kind {
            AnimationKind::Apng => Encoder::Apng(apng(out, size, sequence).map_err(png_error)?),
            AnimationKind::Gif => Encoder::Gif(gif_encoder(out, size).map_err(gif_error)?),
        };
        Ok(Self { size, rate: sequence.rate, written: 0, encoder })
    }

    /// Writes a frame of RGBA, 8 bits per channel, top row first.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn put(&mut self, mut rgba: Vec<u8>) -> io::Result<()> {
        match &mut self.encoder {
            Encoder::Apng(writer) => writer.write_image_data(&rgba).map_err(png_error)?,
            Encoder::Gif(encoder) => {
                // A GIF has no partial alpha. Like the window, it ignores alpha.
                rgba.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = u8::MAX);
                let [width, height] = self.size.map(|side| u16::try_from(side).unwrap_or(u16::MAX));
                let mut frame = gif::Frame::from_rgba_speed(width, height, &mut rgba, GIF_SPEED);
                frame.delay = gif_delay(self.rate, self.written);
                encoder.write_frame(&frame).map_err(gif_error)?;
            }
        }
        self.written += 1;
        Ok(())
    }

    /// Writes the trailer.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn finish(self) -> io::Result<()> {
        match self.encoder {
            Encoder::Apng(writer) => writer.finish().map_err(png_error),
            Encoder::Gif(encoder) => encoder.into_inner().map_err(gif_error)?.flush(),
        }
    }
}

fn apng<'w>(
    out: &'w mut dyn Write,
    [width, height]: [u32; 2],
    sequence: &Sequence,
) -> Result<png::Writer<&'w mut dyn Write>, png::EncodingError> {
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_animated(sequence.count(), 0)?;
    let [numerator, denominator] = sequence.rate.delay();
    encoder.set_frame_delay(numerator, denominator)?;
    // Each frame replaces the previous frame, including alpha.
    encoder.set_blend_op(png::BlendOp::Source)?;
    encoder.validate_sequence(true);
    encoder.write_header()
}

fn gif_encoder(
    out: &mut dyn Write,
    size: [u32; 2],
) -> Result<gif::Encoder<&mut dyn Write>, gif::EncodingError> {
    let [width, height] = size.map(|side| u16::try_from(side).unwrap_or(u16::MAX));
    let mut encoder = gif::Encoder::new(out, width, height, &[])?;
    encoder.set_repeat(gif::Repeat::Infinite)?;
    Ok(encoder)
}

/// Returns the duration of frame `number`, in hundredths of a second. Later frames make up for the rounding
/// of earlier ones.
fn gif_delay(rate: Rate, number: u32) -> u16 {
    let start = |number: u32| (f64::from(number) * 100.0 / rate.per_second()).round() as u64;
    u16::try_from(start(number + 1) - start(number)).unwrap_or(u16::MAX)
}

fn png_error(error: png::EncodingError) -> io::Error {
    match error {
        png::EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

fn gif_error(error: gif::EncodingError) -> io::Error {
    match error {
        gif::EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// Writes `rgba` (8 bits per channel, top row first) as a PNG file.
///
/// # Errors
/// Errors of the system. The old file is unchanged after an error.
pub fn write_png(
    path: &Path,
    durability: Durability,
    [width, height]: [u32; 2],
    rgba: &[u8],
) -> io::Result<Written> {
    files::replace(path, durability, |file| {
        let encoder = image::codecs::png::PngEncoder::new(file);
        encoder.write_image(rgba, width, height, image::ExtendedColorType::Rgba8).map_err(|error| match error
        {
            image::ImageError::IoError(error) => error,
            other => io::Error::other(other),
        })
    })
}

/// As [`files::replace`], for a `write` that also draws the frames it writes.
///
/// # Errors
/// Errors of `write` and of the system. The old file is unchanged after an error.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), ExportError>,
) -> Result<Written, ExportError> {
    let mut not_drawn = None;
    let written = files::replace(path, Durability::Synced, |out| {
        write(out).map_err(|error| match error {
            ExportError::Io(error) => error,
            ExportError::Render(error) => {
                let words = error.to_string();
                not_drawn = Some(error);
                io::Error::other(words)
            }
        })
    });
    match not_drawn {
        Some(error) => Err(error.into()),
        None => Ok(written?),
    }
}
