//! Resolves the samples of a pixel to the window's value (glspec40 4.1.12): the mean for numbers, sample 0
//! for integers.

use super::ColorFormat;
use super::tile::{ColorBlock, QuadColors};
use crate::simd::{self, Simd};
use shadestep_language::num::fp32::canonical;

/// The means of a component of `L` pixels, summed in f64 and rounded once. If all samples have the same bits,
/// the result has these bits.
#[inline(always)]
fn means<const N: usize, const L: usize>(samples: [[f32; L]; N]) -> [f32; L] {
    let (mut sums, mut differ) = ([0.0; L], [0; L]);
    for values in &samples {
        for (lane, value) in values.iter().enumerate() {
            sums[lane] += f64::from(*value);
            differ[lane] |= value.to_bits() ^ samples[0][lane].to_bits();
        }
    }
    let mut means = samples[0];
    for (lane, mean) in means.iter_mut().enumerate() {
        let of_all = canonical((sums[lane] / N as f64) as f32);
        *mean = if differ[lane] == 0 { *mean } else { of_all };
    }
    means
}

/// The resolved colour of a pixel with `N` samples.
#[inline(always)]
fn pixel_of<const N: usize>(format: ColorFormat, samples: &[[f32; 4]]) -> [f32; 4] {
    let (false, Some(samples)) = (format.is_integer(), samples.first_chunk::<N>()) else {
        return samples.first().copied().unwrap_or_default();
    };
    std::array::from_fn(|c| {
        let [mean] = means(samples.map(|color| [color[c]]));
        format.stored(mean)
    })
}

/// The resolved colour of a pixel with these samples, in a window of this format.
pub(super) fn pixel(format: ColorFormat, samples: &[[f32; 4]]) -> [f32; 4] {
    match samples.len() {
        2 => pixel_of::<2>(format, samples),
        4 => pixel_of::<4>(format, samples),
        8 => pixel_of::<8>(format, samples),
        16 => pixel_of::<16>(format, samples),
        _ => pixel_of::<1>(format, samples),
    }
}

/// Resolves the blocks of a colour buffer to `resolved`.
pub(super) fn blocks(colors: &QuadColors, resolved: &mut [ColorBlock]) {
    if colors.format.is_integer() {
        resolved.copy_from_slice(&colors.blocks[..resolved.len()]);
        return;
    }
    match colors.blocks.len() / resolved.len().max(1) {
        2 => simd::widest(Blocks::<2> { colors, resolved }),
        4 => simd::widest(Blocks::<4> { colors, resolved }),
        8 => simd::widest(Blocks::<8> { colors, resolved }),
        16 => simd::widest(Blocks::<16> { colors, resolved }),
        _ => simd::widest(Blocks::<1> { colors, resolved }),
    }
}

/// The task that [`blocks`] runs.
struct Blocks<'a, const N: usize> {
    colors: &'a QuadColors,
    resolved: &'a mut [ColorBlock],
}

impl<const N: usize> Blocks<'_, N> {
    /// Stores the mean of the samples, each first rounded by `stored`.
    #[inline(always)]
    fn resolve(self, stored: impl Fn(f32) -> f32) {
        let Self { colors: QuadColors { blocks, alike, .. }, resolved } = self;
        let count = resolved.len();
        for (number, block) in resolved.iter_mut().enumerate() {
            let alike = alike.get(number).copied().unwrap_or_default();
            for (c, register) in block.iter_mut().enumerate() {
                let first = &blocks[number][c].0;
                if alike == u16::MAX {
                    register.0.iter_mut().zip(first).for_each(|(value, sample)| *value = stored(*sample));
                    continue;
                }
                let mut samples = [first.as_chunks::<4>().0; N];
                for (sample, quads) in samples.iter_mut().enumerate() {
                    *quads = blocks[sample * count + number][c].0.as_chunks().0;
                }
                for (quad, lanes) in register.0.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                    // Alike samples are stored as sample 0 alone.
                    *lanes = if alike >> quad & 1 != 0 {
                        samples[0][quad].map(&stored)
                    } else {
                        means(samples.map(|quads| quads[quad].map(&stored)))
                    };
                }
            }
        }
    }
}

impl<const N: usize> simd::Task for Blocks<'_, N> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        // Colours drawn without regard to the stored ones are not rounded yet.
        match self.colors.format {
            ColorFormat::Rgba32F => self.resolve(|value| value),
            ColorFormat::Rgba8 => self.resolve(|value| ColorFormat::Rgba8.stored(value)),
            format => self.resolve(|value| format.stored(value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_their_mean_and_integers_sample_0() {
        let samples =
            [[0.0, 1.0, -0.0, 0.25], [1.0, 1.0, -0.0, 0.5], [0.0, 1.0, -0.0, 1.0], [0.0, 1.0, -0.0, 0.25]];
        assert_eq!(
            pixel(ColorFormat::Rgba32F, &samples).map(f32::to_bits),
            [0.25, 1.0, -0.0, 0.5].map(f32::to_bits)
        );
        // A quarter of 255 is 63.75, which rounds to level 64. The mean of levels 64, 128, 255 and 64 is
        // 127.75.
        let levels = samples.map(|color| color.map(|value| ColorFormat::Rgba8.stored(value)));
        assert_eq!(pixel(ColorFormat::Rgba8, &levels), [64.0 / 255.0, 1.0, 0.0, 128.0 / 255.0]);
        let bits = [[7, 0, 0, 0], [1, 2, 3, 4]].map(|pixel: [u32; 4]| pixel.map(f32::from_bits));
        assert_eq!(pixel(ColorFormat::Rgba32Ui, &bits).map(f32::to_bits), [7, 0, 0, 0]);
        // The sum does not overflow, and a pixel with equal samples keeps its bits.
        let odd = [f32::MAX, f32::from_bits(0x7FC1_2345), f32::from_bits(1), f32::NEG_INFINITY];
        assert_eq!(pixel(ColorFormat::Rgba32F, &[odd; 16]).map(f32::to_bits), odd.map(f32::to_bits));
        assert_eq!(pixel(ColorFormat::Rgba32F, &[[f32::MAX; 4], [f32::MAX / 2.0; 4]]), [f32::MAX * 0.75; 4]);
    }
}
