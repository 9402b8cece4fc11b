//! Colour buffers: pixels in the format of their attachment, and the rows that a tile has of them.
//!
//! Drawn colours have 32 bits per component in all formats: fp32 numbers, or the bits of integers
//! (EXT_texture_integer 3.11.2: no conversion). A buffer stores the nearest value of its format.
//! Fixed-point formats clamp a colour to `[0,1]`, with NaN as 0, and round ties to the even level (glspec15
//! 2.14.9). fp16 formats round to the nearest fp16 number; integer formats clamp to their range.

use super::plane::Plane;
use crate::exec::{LANES, LaneRegister};
use crate::texture::subset;
use shadestep_language::ir::{Components, Value, single_bits};
use shadestep_language::num::fp16;
use std::borrow::Cow;
use std::slice::ChunksMut;

subset! {
    /// Formats of colour buffers. [`Self::Rgba32F`] stores colours as programs output them.
    #[derive(Default)]
    ColorFormat, ["_EXT", "_ARB"];
    #[default] Rgba32F Rgba8 Rgba16F Rgba8I Rgba8Ui Rgba16I Rgba16Ui Rgba32I Rgba32Ui
}

/// The representation of a component in memory, with what is kept in it: a plane, rows or a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage<W = (), H = (), B = ()> {
    /// 32 bits, unchanged.
    Words(W),
    /// 16 bits.
    Halves(Half, H),
    /// 8 bits.
    Bytes(Byte, B),
}

/// The codec of components of 32 bits.
pub(super) struct Word;

/// The meaning of a 16-bit component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Float,
    Signed,
    Unsigned,
}

/// The meaning of an 8-bit component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Byte {
    Normalized,
    Signed,
    Unsigned,
}

/// Evaluates `$body` for the content of a [`Storage`] reference, with the codec of its components.
macro_rules! with_codec {
    ($storage:expr, |$codec:ident, $content:pat_param| $body:expr) => {
        match $storage {
            Storage::Words($content) => {
                let $codec = Word;
                $body
            }
            Storage::Halves($codec, $content) => $body,
            Storage::Bytes($codec, $content) => $body,
        }
    };
}

/// The content of a [`Storage`] reference, converted to another content of the same representation.
macro_rules! converted {
    ($storage:expr, |$codec:ident, $content:pat_param| $body:expr) => {
        match $storage {
            Storage::Words($content) => {
                let $codec = Word;
                Storage::Words($body)
            }
            Storage::Halves($codec, $content) => Storage::Halves(*$codec, $body),
            Storage::Bytes($codec, $content) => Storage::Bytes(*$codec, $body),
        }
    };
}

pub(super) use converted;

/// `value` holds the bits of a signed integer; the result is the nearest integer from `low` to `high`.
#[inline(always)]
fn clamp_signed(value: f32, low: i32, high: i32) -> i32 {
    value.to_bits().cast_signed().clamp(low, high)
}

/// The bits of an integer, as a register holds them.
#[inline(always)]
fn signed(value: i32) -> f32 {
    f32::from_bits(value.cast_unsigned())
}

impl Word {
    #[inline(always)]
    fn encode(&self, value: f32) -> f32 {
        value
    }

    #[inline(always)]
    fn decode(&self, value: f32) -> f32 {
        value
    }
}

impl Half {
    /// The stored bits of a register's component.
    #[inline(always)]
    pub fn encode(self, value: f32) -> u16 {
        match self {
            Self::Float => fp16::to_bits(value) as u16,
            Self::Signed => clamp_signed(value, i16::MIN.into(), i16::MAX.into()) as u16,
            Self::Unsigned => value.to_bits().min(u16::MAX.into()) as u16,
        }
    }

    /// The register's component for stored bits.
    #[inline(always)]
    pub fn decode(self, bits: u16) -> f32 {
        match self {
            Self::Float => fp16::from_bits(u32::from(bits)),
            Self::Signed => signed(bits.cast_signed().into()),
            Self::Unsigned => f32::from_bits(bits.into()),
        }
    }
}

impl Byte {
    /// The stored bits of a register's component.
    #[inline(always)]
    pub fn encode(self, value: f32) -> u8 {
        match self {
            Self::Normalized => unorm8(value),
            Self::Signed => clamp_signed(value, i8::MIN.into(), i8::MAX.into()) as u8,
            Self::Unsigned => value.to_bits().min(u8::MAX.into()) as u8,
        }
    }

    /// The register's component for stored bits.
    #[inline(always)]
    pub fn decode(self, bits: u8) -> f32 {
        match self {
            Self::Normalized => of_level(bits),
            Self::Signed => signed(bits.cast_signed().into()),
            Self::Unsigned => f32::from_bits(bits.into()),
        }
    }
}

impl ColorFormat {
    /// The least and the greatest integer of a component; `None` for formats of numbers.
    pub const fn integer_range(self) -> Option<(i64, i64)> {
        self.format().integer_range()
    }

    /// Whether components are integers. Integers skip the alpha test and blending (EXT_texture_integer 4.1).
    pub const fn is_integer(self) -> bool {
        self.ty().is_integer()
    }

    pub(super) const fn storage(self) -> Storage {
        match self {
            Self::Rgba32F | Self::Rgba32I | Self::Rgba32Ui => Storage::Words(()),
            Self::Rgba16F => Storage::Halves(Half::Float, ()),
            Self::Rgba16I => Storage::Halves(Half::Signed, ()),
            Self::Rgba16Ui => Storage::Halves(Half::Unsigned, ()),
            Self::Rgba8 => Storage::Bytes(Byte::Normalized, ()),
            Self::Rgba8I => Storage::Bytes(Byte::Signed, ()),
            Self::Rgba8Ui => Storage::Bytes(Byte::Unsigned, ()),
        }
    }

    /// The value that a register reads back after `value` was stored.
    #[inline(always)]
    pub fn stored(self, value: f32) -> f32 {
        with_codec!(&self.storage(), |codec, ()| codec.decode(codec.encode(value)))
    }

    /// The integer in the low bits of `bits`, wrapped to this integer format.
    #[inline(always)]
    pub(super) fn wrapped(self, bits: u32) -> f32 {
        match self.storage() {
            Storage::Words(()) => f32::from_bits(bits),
            Storage::Halves(half, ()) => half.decode(bits as u16),
            Storage::Bytes(byte, ()) => byte.decode(bits as u8),
        }
    }

    /// The colour on a screen, one of 256 levels per component, after storing (see
    /// [`super::Framebuffer::to_rgba8`]).
    pub fn shown(self, color: [f32; 4]) -> [u8; 4] {
        color.map(|value| self.level(self.stored(value)))
    }

    /// The level (0 to 255) of a component on a screen. Integers of 8 and 16 bits show their whole range from
    /// black to white, so a signed 0 is in the middle. Integers of 32 bits show their low eight bits, because
    /// pictures use little of their range.
    #[inline]
    pub(super) fn level(self, value: f32) -> u8 {
        let bits = value.to_bits();
        match self {
            Self::Rgba32F | Self::Rgba8 | Self::Rgba16F => unorm8(value),
            Self::Rgba8Ui | Self::Rgba32Ui | Self::Rgba32I => bits as u8,
            Self::Rgba8I => (bits as u8) ^ 0x80,
            // 65535 is 257 times 255.
            Self::Rgba16Ui => ((bits + 128) / 257) as u8,
            Self::Rgba16I => (((bits as u16 ^ 0x8000) as u32 + 128) / 257) as u8,
        }
    }
}

/// The pixels of a colour buffer.
#[derive(Clone, Debug)]
pub struct ColorBuffer {
    format: ColorFormat,
    pixels: Pixels,
}

type Pixels = Storage<Plane<[f32; 4]>, Plane<[u16; 4]>, Plane<[u8; 4]>>;

/// Equal if all bits are equal.
impl PartialEq for ColorBuffer {
    fn eq(&self, other: &Self) -> bool {
        let bits = |plane: &Plane<[f32; 4]>, other: &Plane<[f32; 4]>| {
            let pairs = plane.as_flattened().iter().zip(other.as_flattened());
            plane.len() == other.len() && pairs.into_iter().all(|(a, b)| a.to_bits() == b.to_bits())
        };
        self.format == other.format
            && match (&self.pixels, &other.pixels) {
                (Pixels::Words(a), Pixels::Words(b)) if self.format.is_integer() => bits(a, b),
                (Pixels::Words(a), Pixels::Words(b)) => a == b,
                (Pixels::Halves(Half::Float, a), Pixels::Halves(_, b)) => {
                    let number = |half: &u16| Half::Float.decode(*half);
                    a.as_flattened().iter().map(number).eq(b.as_flattened().iter().map(number))
                }
                (Pixels::Halves(_, a), Pixels::Halves(_, b)) => a == b,
                (Pixels::Bytes(_, a), Pixels::Bytes(_, b)) => a == b,
                (Pixels::Words(_) | Pixels::Halves(..) | Pixels::Bytes(..), _) => false,
            }
    }
}

impl ColorBuffer {
    /// `count` black pixels; `None` if memory allocation fails.
    pub(super) fn new(format: ColorFormat, count: usize) -> Option<Self> {
        let pixels = converted!(&format.storage(), |_codec, ()| Plane::filled(count, Default::default())?);
        Some(Self { format, pixels })
    }

    /// The format of the pixels.
    pub const fn format(&self) -> ColorFormat {
        self.format
    }

    /// Pixel `index`, as registers hold it: numbers, or the bits of integers. Panics if there is no such
    /// pixel.
    pub fn at(&self, index: usize) -> [f32; 4] {
        with_codec!(&self.pixels, |codec, plane| plane[index].map(|bits| codec.decode(bits)))
    }

    /// Stores a colour in pixel `index`. Panics if there is no such pixel.
    pub(super) fn set(&mut self, index: usize, color: [f32; 4]) {
        with_codec!(&mut self.pixels, |codec, plane| plane[index] = color.map(|value| codec.encode(value)));
    }

    /// The bits of pixel `index`, in a register of type [`ColorFormat::ty`]. Panics if there is no such
    /// pixel.
    pub fn bits(&self, index: usize) -> Components {
        single_bits(self.at(index))
    }

    /// The components of pixel `index`. Panics if there is no such pixel.
    pub fn values(&self, index: usize) -> [Value; 4] {
        self.bits(index).map(|bits| self.format.ty().value(bits))
    }

    /// All pixels, each as [`Self::at`] returns it.
    pub fn floats(&self) -> Cow<'_, [[f32; 4]]> {
        match &self.pixels {
            Pixels::Words(plane) => Cow::Borrowed(plane),
            pixels => with_codec!(pixels, |codec, plane| {
                plane.iter().map(|pixel| pixel.map(|bits| codec.decode(bits))).collect()
            }),
        }
    }

    /// The pixels, if the format is [`ColorFormat::Rgba32F`].
    pub(super) fn words(&self) -> Option<&[[f32; 4]]> {
        match (&self.pixels, self.format) {
            (Pixels::Words(plane), ColorFormat::Rgba32F) => Some(plane),
            (Pixels::Words(_) | Pixels::Halves(..) | Pixels::Bytes(..), _) => None,
        }
    }

    /// The pixels, if the format is [`ColorFormat::Rgba8`].
    pub(super) fn levels(&self) -> Option<&[[u8; 4]]> {
        match &self.pixels {
            Pixels::Bytes(Byte::Normalized, plane) => Some(plane),
            Pixels::Words(_) | Pixels::Halves(..) | Pixels::Bytes(..) => None,
        }
    }

    /// Sets every pixel to the colour that `color` returns for its index: numbers, or the bits of integers.
    pub fn fill_with(&mut self, mut color: impl FnMut(usize) -> [f32; 4]) {
        with_codec!(&mut self.pixels, |codec, plane| {
            for (index, pixel) in plane.iter_mut().enumerate() {
                *pixel = color(index).map(|value| codec.encode(value));
            }
        });
    }

    /// Splits the buffer into parts of `pixels` pixels.
    pub(super) fn bands(&mut self, pixels: usize) -> Bands<'_> {
        let parts = converted!(&mut self.pixels, |_codec, plane| plane.chunks_mut(pixels));
        Bands { format: self.format, parts }
    }
}

/// Consecutive parts of a colour buffer.
pub(super) struct Bands<'a> {
    pub format: ColorFormat,
    pub parts: Parts<'a>,
}

pub(super) type Parts<'a> = Storage<ChunksMut<'a, [f32; 4]>, ChunksMut<'a, [u16; 4]>, ChunksMut<'a, [u8; 4]>>;

/// The rows that a tile has of a colour buffer.
#[derive(Debug)]
pub(super) struct ColorRows<'a> {
    pub format: ColorFormat,
    pub rows: Rows<'a>,
}

pub(super) type Rows<'a> = Storage<Vec<&'a mut [[f32; 4]]>, Vec<&'a mut [[u16; 4]]>, Vec<&'a mut [[u8; 4]]>>;

impl ColorRows<'_> {
    /// The pixel in column `x` of row `y`, as registers hold it.
    #[inline]
    pub fn at(&self, [x, y]: [usize; 2]) -> [f32; 4] {
        with_codec!(&self.rows, |codec, rows| rows[y][x].map(|bits| codec.decode(bits)))
    }

    /// Stores a colour in column `x` of row `y`.
    #[inline]
    pub fn set(&mut self, [x, y]: [usize; 2], color: [f32; 4]) {
        with_codec!(&mut self.rows, |codec, rows| rows[y][x] = color.map(|value| codec.encode(value)));
    }

    /// Stores a colour in all pixels.
    pub fn fill(&mut self, color: [f32; 4]) {
        with_codec!(&mut self.rows, |codec, rows| {
            let pixel = color.map(|value| codec.encode(value));
            rows.iter_mut().for_each(|row| row.fill(pixel));
        });
    }
}

/// A single pixel in a buffer's representation.
pub(super) type PixelColor = Storage<[f32; 4], [u16; 4], [u8; 4]>;

impl PixelColor {
    /// `color`, stored in `format`.
    pub fn new(format: ColorFormat, color: [f32; 4]) -> Self {
        converted!(&format.storage(), |codec, ()| color.map(|value| codec.encode(value)))
    }

    /// The pixel as the rows of a 1x1 tile.
    pub fn rows(&mut self, format: ColorFormat) -> ColorRows<'_> {
        let rows = converted!(self, |_codec, pixel| vec![std::slice::from_mut(pixel)]);
        ColorRows { format, rows }
    }

    /// The stored colour.
    pub fn color(&self) -> [f32; 4] {
        with_codec!(self, |codec, pixel| pixel.map(|bits| codec.decode(bits)))
    }
}

/// The number that one of 256 levels represents.
#[inline(always)]
pub(super) const fn of_level(level: u8) -> f32 {
    level as f32 / 255.0
}

/// The nearest of 256 levels. The product is exact in f64. Adding 2^52 + 2^51 leaves the nearest integer in
/// the low bits.
#[inline(always)]
pub(super) fn unorm8(x: f32) -> u8 {
    const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
    // NaN fails the comparison, so it becomes 0.
    let positive = if x > 0.0 { x } else { 0.0 };
    (f64::from(positive.min(1.0)) * 255.0 + TO_INTEGER).to_bits() as u8
}

/// The colours of a block's lanes as pixels of [`ColorFormat::Rgba8`].
#[inline(always)]
pub(super) fn rgba8(colors: &[LaneRegister; 4]) -> [[u8; 4]; LANES] {
    let [r, g, b, a] = colors;
    let mut words = [0u32; LANES];
    for (lane, word) in words.iter_mut().enumerate() {
        let level = |register: &LaneRegister| u32::from(unorm8(register.0[lane]));
        *word = level(r) | level(g) << 8 | level(b) << 16 | level(a) << 24;
    }
    words.map(u32::to_le_bytes)
}

/// Converts pixels of [`ColorFormat::Rgba8`] to colours in lanes.
#[inline(always)]
pub(super) fn of_rgba8(pixels: &[[u8; 4]; LANES], colors: &mut [LaneRegister; 4]) {
    for (shift, register) in [0, 8, 16, 24].into_iter().zip(colors) {
        for (value, pixel) in register.0.iter_mut().zip(pixels) {
            *value = (u32::from_le_bytes(*pixel) >> shift & 0xFF) as f32 / 255.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::merge::lane_color;
    use super::*;

    #[test]
    fn levels_are_the_nearest_and_stay_what_they_are() {
        for level in 0..=u8::MAX {
            assert_eq!(unorm8(of_level(level)), level);
            // Halfway to the next level is (2n + 1)/510. Of these, fp32 represents only 1/2 exactly, which
            // rounds to the even level.
            let half = (f64::from(level) + 0.5) / 255.0;
            let (below, above) = ((half - 1e-6) as f32, (half + 1e-6) as f32);
            assert_eq!([unorm8(below), unorm8(above)], [level, level.saturating_add(1)]);
        }
        assert_eq!(unorm8(0.5), 128);
        let odd = [f32::NAN, -1.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, 1.5, 1e-40];
        assert_eq!(odd.map(unorm8), [0, 0, 0, 255, 0, 255, 0]);
    }

    #[test]
    fn blocks_are_packed_lane_by_lane() {
        let register = |component: usize| {
            LaneRegister(std::array::from_fn(|lane| {
                (lane as f32 * 0.037 + component as f32 * 0.31) % 1.3 - 0.1
            }))
        };
        let colors = [0, 1, 2, 3].map(register);
        let packed = rgba8(&colors);
        let mut back = [LaneRegister::ZERO; 4];
        of_rgba8(&packed, &mut back);
        for (lane, pixel) in packed.into_iter().enumerate() {
            assert_eq!(pixel, lane_color(&colors, lane).map(unorm8));
            assert_eq!(lane_color(&back, lane), pixel.map(of_level));
        }
    }
}
