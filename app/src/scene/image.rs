//! Reads image files (PNG and JPEG) within limits, and converts their pixels to the texture's format.

use super::SceneError;
use image::{ColorType, DynamicImage, ImageDecoder, ImageReader, Limits};
use shadestep_engine::texture::{BaseFormat, Format, Image, MAX_SIZE, Numbers, TextureError};
use std::io::Cursor;
use std::ops::Range;

/// Limit on the memory for decoding one image, in bytes.
const MAX_DECODE_BYTES: u64 = 512 << 20;

/// Limit on the pixels of one image. A decoded pixel takes four or eight bytes, whatever the file's depth.
const MAX_PIXELS: u64 = 1 << 26;

/// A decoded image, or the texels in a scene's text: RGBA, x fastest.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pixels {
    /// Width, height, depth.
    pub size: [usize; 3],
    pub data: Data,
    pub first_row: FirstRow,
}

/// Components of an image.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    /// 8 bits each.
    U8(Vec<u8>),
    /// 16 bits each.
    U16(Vec<u16>),
    /// fp32, from a scene's text.
    Floats(Vec<f32>),
    /// Signed integers, from a scene's text.
    Signed(Vec<i32>),
    /// Unsigned integers, from a scene's text.
    Unsigned(Vec<u32>),
}

/// Evaluates `$body`, which has the vector in `$data` and a constructor `$kind` for another vector of the
/// type.
macro_rules! with_components {
    ($data:expr, ($vector:ident, $kind:ident) => $body:expr) => {
        match $data {
            Data::U8($vector) => {
                let $kind = Data::U8;
                $body
            }
            Data::U16($vector) => {
                let $kind = Data::U16;
                $body
            }
            Data::Floats($vector) => {
                let $kind = Data::Floats;
                $body
            }
            Data::Signed($vector) => {
                let $kind = Data::Signed;
                $body
            }
            Data::Unsigned($vector) => {
                let $kind = Data::Unsigned;
                $body
            }
        }
    };
}

impl Data {
    /// Returns the size in memory, in bytes.
    fn bytes(&self) -> u64 {
        with_components!(self, (all, _kind) => size_of_val(all.as_slice()) as u64)
    }

    /// Returns the components in `range`, which must be in bounds.
    pub fn part(&self, range: Range<usize>) -> Self {
        with_components!(self, (all, kind) => kind(all[range].to_vec()))
    }

    /// Appends `more`. Returns `None` if the two have different types.
    pub fn append(&mut self, more: &Self) -> Option<()> {
        match (self, more) {
            (Self::U8(all), Self::U8(more)) => all.extend(more),
            (Self::U16(all), Self::U16(more)) => all.extend(more),
            (Self::Floats(all), Self::Floats(more)) => all.extend(more),
            (Self::Signed(all), Self::Signed(more)) => all.extend(more),
            (Self::Unsigned(all), Self::Unsigned(more)) => all.extend(more),
            _ => return None,
        }
        Some(())
    }

    /// Returns the numbers from a scene's text; `None` for the components of an image file.
    fn numbers(&self) -> Option<Vec<f64>> {
        match self {
            Self::U8(_) | Self::U16(_) => None,
            Self::Floats(all) => Some(all.iter().map(|&n| n.into()).collect()),
            Self::Signed(all) => Some(all.iter().map(|&n| n.into()).collect()),
            Self::Unsigned(all) => Some(all.iter().map(|&n| n.into()).collect()),
        }
    }
}

/// The row of [`Pixels`] that comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstRow {
    /// The top row, as in image files.
    Top,
    /// The row of t = 0, as in builtin textures.
    Bottom,
}

/// Decodes an image file. 16-bit PNGs keep their 16 bits. `check` receives the bytes that the pixels will
/// take, before they are decoded. Errors call the file `name`.
///
/// # Errors
/// The file is not a supported image, is too large, or is refused by `check`.
pub(crate) fn decode(
    name: &str,
    bytes: &[u8],
    check: impl FnOnce(u64) -> Result<(), String>,
) -> Result<Pixels, SceneError> {
    let error = |words: String| SceneError::new(name, words);
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let mut reader = reader.map_err(|e| error(format!("cannot read the image: {e}")))?;
    if reader.format().is_none() {
        return Err(error("this is not a supported image; use PNG or JPEG".to_owned()));
    }
    let mut limits = Limits::default();
    limits.max_image_width = u32::try_from(MAX_SIZE).ok();
    limits.max_image_height = u32::try_from(MAX_SIZE).ok();
    limits.max_alloc = Some(MAX_DECODE_BYTES);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder().map_err(|e| error(describe(&e)))?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(error(too_large()));
    }
    let component = if is_deep(decoder.color_type()) { 2 } else { 1 };
    check(4 * component * u64::from(width) * u64::from(height)).map_err(error)?;
    decoder.set_limits(limits).map_err(|e| error(describe(&e)))?;
    let image = DynamicImage::from_decoder(decoder).map_err(|e| error(describe(&e)))?;
    if !ends(bytes) {
        return Err(error("the file ends in the middle of the image".to_owned()));
    }
    let size = [image.width() as usize, image.height() as usize, 1];
    Ok(Pixels { size, data: components(&image), first_row: FirstRow::Top })
}

/// Decodes an image file to its size and its pixels with 8 bits a component, top row first.
///
/// # Errors
/// See [`decode`].
pub(crate) fn decode_rgba8(name: &str, bytes: &[u8]) -> Result<([usize; 2], Vec<u8>), SceneError> {
    let pixels = decode(name, bytes, |_| Ok(()))?;
    let [width, height, _] = pixels.size;
    Ok(([width, height], pixels.to_rgba8()))
}

/// Whether a decoded file is complete. The decoders fill in what a truncated JPEG file lacks, and ignore a
/// missing end of a PNG file.
fn ends(bytes: &[u8]) -> bool {
    match bytes {
        [0xFF, 0xD8, rest @ ..] => jpeg_ends(rest),
        [0x89, b'P', b'N', b'G', _, _, _, _, rest @ ..] => png_ends(rest),
        _ => true,
    }
}

/// Whether the segments after the start of a JPEG file end with EOI (ITU-T T.81, B.1 and B.2).
fn jpeg_ends(mut rest: &[u8]) -> bool {
    loop {
        // Finds the next marker: one or more bytes 0xFF, then a byte other than 0 and 0xFF. In the data of a
        // scan, 0xFF 0 is not a marker, and RST0 to RST7 separate intervals.
        let Some(at) = rest.windows(2).position(|pair| pair[0] == 0xFF && !matches!(pair[1], 0 | 0xFF))
        else {
            return false;
        };
        let marker = rest[at + 1];
        rest = &rest[at + 2..];
        match marker {
            0xD9 => return true,
            // TEM, RST0 to RST7 and SOI have no length.
            0x01 | 0xD0..=0xD8 => {}
            _ => {
                let [high, low, ..] = rest else { return false };
                let length = usize::from(u16::from_be_bytes([*high, *low]));
                let Some(behind) = rest.get(length..) else { return false };
                rest = behind;
            }
        }
    }
}

/// Whether the chunks after a PNG file's signature end with a complete IEND.
fn png_ends(mut rest: &[u8]) -> bool {
    loop {
        let [a, b, c, d, kind @ .., _, _, _, _] = rest else { return false };
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        if length.checked_add(4).is_none_or(|with_kind| kind.len() < with_kind) {
            return false;
        }
        if kind.starts_with(b"IEND") {
            return true;
        }
        rest = &rest[length + 12..];
    }
}

/// Whether components have 16 bits.
const fn is_deep(color: ColorType) -> bool {
    matches!(color, ColorType::L16 | ColorType::La16 | ColorType::Rgb16 | ColorType::Rgba16)
}

fn components(image: &DynamicImage) -> Data {
    if is_deep(image.color()) {
        Data::U16(image.to_rgba16().into_raw())
    } else {
        Data::U8(image.to_rgba8().into_raw())
    }
}

fn too_large() -> String {
    let (pixels, bytes) = (MAX_PIXELS >> 20, MAX_DECODE_BYTES >> 20);
    format!(
        "the image is too large: the limits are {MAX_SIZE} pixels per side, {pixels} megapixels and {bytes} MiB"
    )
}

fn describe(error: &image::ImageError) -> String {
    match error {
        image::ImageError::Limits(_) => too_large(),
        image::ImageError::Unsupported(_) => "this is not a supported image; use PNG or JPEG".to_owned(),
        other => format!("cannot read the image: {other}"),
    }
}

/// The conversion from a number in an image file to a component of a format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// n / 255.
    Unsigned,
    /// (n - 128) / 128.
    Biased,
}

/// The conversions of R, G, B and A for `format`. For signed components 128 is 0, as in normal and offset
/// maps.
fn readings(format: Format) -> [Reading; 4] {
    use Reading::{Biased, Unsigned};
    match format.base() {
        BaseFormat::SignedHilo | BaseFormat::Dsdt => [Biased; 4],
        BaseFormat::DsdtMag | BaseFormat::DsdtMagIntensity => [Biased, Biased, Unsigned, Unsigned],
        _ if format == Format::SignedRgb8UnsignedAlpha8 => [Biased, Biased, Biased, Unsigned],
        _ if format.name().starts_with("SIGNED_") => [Biased; 4],
        _ => [Unsigned; 4],
    }
}

impl Pixels {
    /// Returns the size in memory, in bytes.
    pub fn bytes(&self) -> u64 {
        self.data.bytes()
    }

    /// Converts the pixels to the engine's image for a texture of `format`. `t_zero` is the row with t = 0:
    /// the top row on cube faces, the bottom row on all other targets.
    ///
    /// # Errors
    /// The image is too large for the engine.
    pub fn to_image(&self, format: Format, t_zero: FirstRow) -> Result<Image, TextureError> {
        let (size, unsigned) = (self.size, format.numbers() == Numbers::Unsigned);
        let image = match &self.data {
            Data::Floats(numbers) => Image::from_f32(size, numbers.clone())?,
            Data::Signed(numbers) => Image::from_i32(size, numbers.clone())?,
            Data::Unsigned(numbers) => Image::from_u32(size, numbers.clone())?,
            Data::U8(bytes) if unsigned => Image::from_u32(size, bytes.iter().map(|&n| n.into()).collect())?,
            Data::U16(words) if unsigned => Image::from_u32(size, words.iter().map(|&n| n.into()).collect())?,
            Data::U8(bytes) if format.numbers() == Numbers::Signed => {
                Image::from_i32(size, bytes.iter().map(|&n| i32::from(n) - 0x80).collect())?
            }
            Data::U16(words) if format.numbers() == Numbers::Signed => {
                Image::from_i32(size, words.iter().map(|&n| i32::from(n) - 0x8000).collect())?
            }
            Data::U8(bytes) => match readings(format) {
                [Reading::Unsigned, Reading::Unsigned, Reading::Unsigned, Reading::Unsigned] => {
                    Image::from_rgba8(size, bytes.clone())?
                }
                [Reading::Biased, Reading::Biased, Reading::Biased, Reading::Biased] => {
                    Image::from_rgba8_biased(size, bytes.clone())?
                }
                mixed => floats(size, bytes.iter().map(|&n| f32::from(n)), mixed, 255.0, 128.0)?,
            },
            Data::U16(words) => {
                let numbers = words.iter().map(|&n| f32::from(n));
                floats(size, numbers, readings(format), 65_535.0, 32_768.0)?
            }
        };
        Ok(if self.first_row == t_zero { image } else { image.flip_rows() })
    }

    /// Converts the pixels to 8 bits a component, top row first. Numbers from a scene's text are scaled: the
    /// least becomes black and the greatest white.
    pub fn to_rgba8(&self) -> Vec<u8> {
        let bytes: Vec<u8> = match &self.data {
            Data::U8(bytes) => bytes.clone(),
            Data::U16(words) => words.iter().map(|n| (n >> 8) as u8).collect(),
            other => stretched(&other.numbers().unwrap_or_default()),
        };
        let row = self.size[0] * 4;
        match self.first_row {
            FirstRow::Bottom if row > 0 => bytes.chunks_exact(row).rev().flatten().copied().collect(),
            FirstRow::Bottom | FirstRow::Top => bytes,
        }
    }
}

/// Scales numbers to 0 to 255. The least number, or 0 if that is smaller, becomes 0; the greatest becomes
/// 255.
/// NaN becomes 0.
fn stretched(numbers: &[f64]) -> Vec<u8> {
    let finite = || numbers.iter().copied().filter(|n| n.is_finite());
    let (least, most) =
        finite().fold((0.0, f64::MIN_POSITIVE), |(low, high): (f64, f64), n| (low.min(n), high.max(n)));
    numbers.iter().map(|n| ((n - least) / (most - least) * 255.0).round() as u8).collect()
}

fn floats(
    size: [usize; 3],
    numbers: impl Iterator<Item = f32>,
    readings: [Reading; 4],
    max: f32,
    zero: f32,
) -> Result<Image, TextureError> {
    let component = |(index, n): (usize, f32)| match readings[index % 4] {
        Reading::Unsigned => n / max,
        Reading::Biased => (n - zero) / zero,
    };
    Image::from_f32(size, numbers.enumerate().map(component).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(image: &DynamicImage) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn eight_and_sixteen_bit_pngs_decode() {
        let small = image::RgbImage::from_fn(2, 1, |x, _| image::Rgb([x as u8, 7, 9]));
        let pixels = decode("a.png", &png(&small.into()), |_| Ok(())).unwrap();
        assert_eq!(pixels.size, [2, 1, 1]);
        assert_eq!(pixels.data, Data::U8(vec![0, 7, 9, 255, 1, 7, 9, 255]));
        let deep = image::ImageBuffer::<image::Luma<u16>, _>::from_pixel(1, 1, image::Luma([513_u16]));
        let pixels = decode("a.png", &png(&deep.into()), |_| Ok(())).unwrap();
        assert_eq!(pixels.data, Data::U16(vec![513, 513, 513, 65_535]));
    }

    #[test]
    fn broken_images_are_errors() {
        let whole = png(&image::RgbImage::new(40, 40).into());
        for bytes in [b"".as_slice(), b"not an image at all", &whole[..whole.len() / 2], &whole[..20]] {
            let error = decode("a.png", bytes, |_| Ok(())).unwrap_err();
            assert_eq!(error.file, "a.png");
            assert!(error.message.contains("image"), "{error}");
        }
        // A header that claims 60000 x 60000 pixels.
        let mut huge = whole;
        huge[16..24].copy_from_slice(&[0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60]);
        assert!(decode("a.png", &huge, |_| Ok(())).is_err());
    }

    #[test]
    fn images_that_are_cut_off_anywhere_are_errors() {
        let noise = |x: u32, y: u32| ((x * 7919 + y * 104_729) >> 3) as u8;
        let image = image::RgbImage::from_fn(17, 13, |x, y| image::Rgb([noise(x, y), noise(y, x), 77]));
        let mut jpeg = Cursor::new(Vec::new());
        DynamicImage::from(image.clone()).write_to(&mut jpeg, image::ImageFormat::Jpeg).unwrap();
        for whole in [png(&image.into()), jpeg.into_inner()] {
            assert!(decode("a", &whole, |_| Ok(())).is_ok());
            for length in 0..whole.len() {
                let error = decode("a", &whole[..length], |_| Ok(())).expect_err("a beginning is no image");
                assert!(error.message.contains("image"), "{length} of {}: {error}", whole.len());
            }
            // Bytes after the end are ignored.
            assert!(decode("a", &[&whole[..], b"behind"].concat(), |_| Ok(())).is_ok());
        }
    }

    #[test]
    fn signed_formats_read_128_as_zero() {
        let pixels =
            Pixels { size: [1, 1, 1], data: Data::U8(vec![128, 0, 255, 64]), first_row: FirstRow::Bottom };
        let image = |format| pixels.to_image(format, FirstRow::Bottom).unwrap();
        let mixed = Image::from_f32([1; 3], vec![0.0, -1.0, 1.0, 64.0 / 255.0]).unwrap();
        assert_eq!(image(Format::Dsdt8Mag8Intensity8), mixed);
        let biased = Image::from_rgba8_biased([1; 3], vec![128, 0, 255, 64]).unwrap();
        assert_eq!(image(Format::SignedHilo16), biased);
        let unsigned = Image::from_rgba8([1; 3], vec![128, 0, 255, 64]).unwrap();
        assert_eq!(image(Format::Hilo16), unsigned);
    }

    #[test]
    fn rows_turn_over_between_files_and_textures() {
        let pixels = Pixels {
            size: [1, 2, 1],
            data: Data::U8(vec![1, 1, 1, 1, 2, 2, 2, 2]),
            first_row: FirstRow::Top,
        };
        let turned = Image::from_rgba8([1, 2, 1], vec![2, 2, 2, 2, 1, 1, 1, 1]).unwrap();
        assert_eq!(pixels.to_image(Format::Rgba8, FirstRow::Bottom).unwrap(), turned);
        let kept = Image::from_rgba8([1, 2, 1], vec![1, 1, 1, 1, 2, 2, 2, 2]).unwrap();
        assert_eq!(pixels.to_image(Format::Rgba8, FirstRow::Top).unwrap(), kept);
    }
}
