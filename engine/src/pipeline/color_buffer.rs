//! Colour buffers: pixels in the format of their attachment, and the rows of them that a tile has.
//!
//! What is drawn is computed in fp32 whatever the format. A buffer of fixed-point numbers takes the nearest number
//! that it has (glspec15 2.14.9): a colour is clamped to `[0,1]`, NaN being 0, and of two equally near levels the
//! even one is taken.

use super::plane::Plane;
use crate::exec::{LANES, LaneRegister};
use std::borrow::Cow;

/// How a colour buffer holds its pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorFormat {
    /// Four fp32 numbers, 16 bytes a pixel: colours as programs give them.
    #[default]
    Rgba32F,
    /// Four unsigned normalised numbers of 8 bits.
    Rgba8,
}

impl ColorFormat {
    /// What a buffer of this format has of a component that is stored in it.
    #[inline(always)]
    pub(super) fn stored(self, value: f32) -> f32 {
        match self {
            Self::Rgba32F => value,
            Self::Rgba8 => of_level(unorm8(value)),
        }
    }
}

/// The pixels of a colour buffer.
#[derive(Clone, Debug, PartialEq)]
pub enum ColorBuffer {
    /// See [`ColorFormat::Rgba32F`].
    Rgba32F(Plane<[f32; 4]>),
    /// See [`ColorFormat::Rgba8`].
    Rgba8(Plane<[u8; 4]>),
}

impl ColorBuffer {
    /// `count` black pixels; `None` if the memory cannot be had.
    pub(super) fn new(format: ColorFormat, count: usize) -> Option<Self> {
        Some(match format {
            ColorFormat::Rgba32F => Self::Rgba32F(Plane::filled(count, [0.0; 4])?),
            ColorFormat::Rgba8 => Self::Rgba8(Plane::filled(count, [0; 4])?),
        })
    }

    /// How pixels are held.
    pub const fn format(&self) -> ColorFormat {
        match self {
            Self::Rgba32F(_) => ColorFormat::Rgba32F,
            Self::Rgba8(_) => ColorFormat::Rgba8,
        }
    }

    /// Pixel `index`, which there must be.
    pub fn at(&self, index: usize) -> [f32; 4] {
        match self {
            Self::Rgba32F(plane) => plane[index],
            Self::Rgba8(plane) => plane[index].map(of_level),
        }
    }

    /// All pixels as numbers.
    pub fn floats(&self) -> Cow<'_, [[f32; 4]]> {
        match self {
            Self::Rgba32F(plane) => Cow::Borrowed(plane),
            Self::Rgba8(plane) => plane.iter().map(|pixel| pixel.map(of_level)).collect(),
        }
    }

    /// Gives every pixel the colour that `color` has for its index.
    pub fn fill_with(&mut self, mut color: impl FnMut(usize) -> [f32; 4]) {
        match self {
            Self::Rgba32F(plane) => plane.iter_mut().enumerate().for_each(|(n, pixel)| *pixel = color(n)),
            Self::Rgba8(plane) => {
                plane.iter_mut().enumerate().for_each(|(n, pixel)| *pixel = color(n).map(unorm8));
            }
        }
    }

    /// Parts of so many pixels.
    pub(super) fn bands(&mut self, pixels: usize) -> Bands<'_> {
        match self {
            Self::Rgba32F(plane) => Bands::Rgba32F(plane.chunks_mut(pixels)),
            Self::Rgba8(plane) => Bands::Rgba8(plane.chunks_mut(pixels)),
        }
    }
}

/// Parts of a colour buffer, one after the other.
pub(super) enum Bands<'a> {
    Rgba32F(std::slice::ChunksMut<'a, [f32; 4]>),
    Rgba8(std::slice::ChunksMut<'a, [u8; 4]>),
}

/// The rows of a colour buffer that a tile has.
#[derive(Debug)]
pub(super) enum ColorRows<'a> {
    Rgba32F(Vec<&'a mut [[f32; 4]]>),
    Rgba8(Vec<&'a mut [[u8; 4]]>),
}

impl ColorRows<'_> {
    pub const fn format(&self) -> ColorFormat {
        match self {
            Self::Rgba32F(_) => ColorFormat::Rgba32F,
            Self::Rgba8(_) => ColorFormat::Rgba8,
        }
    }

    /// The pixel in column `x` of row `y`.
    #[inline]
    pub fn at(&self, [x, y]: [usize; 2]) -> [f32; 4] {
        match self {
            Self::Rgba32F(rows) => rows[y][x],
            Self::Rgba8(rows) => rows[y][x].map(of_level),
        }
    }

    /// Stores a colour there.
    #[inline]
    pub fn set(&mut self, [x, y]: [usize; 2], color: [f32; 4]) {
        match self {
            Self::Rgba32F(rows) => rows[y][x] = color,
            Self::Rgba8(rows) => rows[y][x] = color.map(unorm8),
        }
    }

    /// Stores it everywhere.
    pub fn fill(&mut self, color: [f32; 4]) {
        match self {
            Self::Rgba32F(rows) => rows.iter_mut().for_each(|row| row.fill(color)),
            Self::Rgba8(rows) => rows.iter_mut().for_each(|row| row.fill(color.map(unorm8))),
        }
    }
}

/// The number that one of 256 levels stands for.
#[inline(always)]
pub(super) const fn of_level(level: u8) -> f32 {
    level as f32 / 255.0
}

/// The nearest of 256 levels. In f64 the product is exact, and adding 2^52 + 2^51 leaves the nearest
/// integer in the low bits.
#[inline(always)]
pub(super) fn unorm8(x: f32) -> u8 {
    const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
    // NaN is not greater than 0.
    let positive = if x > 0.0 { x } else { 0.0 };
    (f64::from(positive.min(1.0)) * 255.0 + TO_INTEGER).to_bits() as u8
}

/// The colours of the lanes of a block as [`ColorFormat::Rgba8`] holds them.
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

/// The numbers that pixels of [`ColorFormat::Rgba8`] stand for, by lanes.
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
            // Halfway to the next: (2n + 1)/510, which fp32 has of 1/2 alone. That goes to the even level.
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
