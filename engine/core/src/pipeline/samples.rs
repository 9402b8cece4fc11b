//! Samples: their number per pixel, their positions, and the multisample state of a draw (glspec40 3.3.1,
//! 4.1.3).

use super::setup::PIXEL;

/// The number of samples per pixel of a framebuffer. With one sample there is no multisample buffer:
/// `SAMPLE_BUFFERS` is 0, and the sample is at the centre.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Samples {
    /// 1
    #[default]
    One,
    /// 2
    Two,
    /// 4
    Four,
    /// 8
    Eight,
    /// 16
    Sixteen,
}

/// Offsets from the pixel centre, to the right and up, in sixteenths of a pixel.
type Offsets<const N: usize> = [[i8; 2]; N];

// The standard patterns of Direct3D 11, which NVIDIA's drivers use too. Direct3D counts y downwards from the
// upper edge, the GL upwards from the lower edge. The GL's coordinates are the same numbers, so on the screen
// the patterns are Direct3D's upside down.
const ONE: Offsets<1> = [[0, 0]];
const TWO: Offsets<2> = [[4, 4], [-4, -4]];
const FOUR: Offsets<4> = [[-2, -6], [6, -2], [-6, 2], [2, 6]];
const EIGHT: Offsets<8> = [[1, -3], [-1, 3], [5, 1], [-3, -5], [-5, 5], [-7, -1], [3, 7], [7, -7]];
const SIXTEEN: Offsets<16> = [
    [1, 1],
    [-1, -3],
    [-3, 2],
    [4, -1],
    [-5, -2],
    [2, 5],
    [5, 3],
    [3, -5],
    [-2, 6],
    [0, -7],
    [-4, -6],
    [-6, 4],
    [-8, 0],
    [7, -4],
    [6, 7],
    [-7, -8],
];

impl Samples {
    /// All counts.
    pub const ALL: [Self; 5] = [Self::One, Self::Two, Self::Four, Self::Eight, Self::Sixteen];

    /// The maximum number of samples (`MAX_SAMPLES`).
    pub const MAX: usize = 16;

    /// The number as an integer.
    pub const fn count(self) -> usize {
        1 << self as usize
    }

    /// The variant with `count` samples, if there is one.
    pub fn from_count(count: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|samples| samples.count() == count as usize)
    }

    /// A mask with a bit for each sample.
    pub const fn all(self) -> u16 {
        u16::MAX >> (Self::MAX - self.count())
    }

    /// Offsets from the centre, to the right and up, in sixteenths of a pixel.
    const fn sixteenths(self) -> &'static [[i8; 2]] {
        match self {
            Self::One => &ONE,
            Self::Two => &TWO,
            Self::Four => &FOUR,
            Self::Eight => &EIGHT,
            Self::Sixteen => &SIXTEEN,
        }
    }

    /// Offset of a sample from the centre of its pixel, to the right and up, in pixels. `None` if there is no
    /// such sample.
    pub fn offset(self, sample: usize) -> Option<[f64; 2]> {
        self.sixteenths().get(sample).map(|offset| offset.map(|part| f64::from(part) / 16.0))
    }

    /// Position of a sample in its pixel, from the lower left corner, as GetMultisamplefv returns it
    /// (glspec40 3.3.1). `None` if there is no such sample.
    pub fn position(self, sample: usize) -> Option<[f32; 2]> {
        self.offset(sample).map(|offset| offset.map(|part| (part + 0.5) as f32))
    }

    /// Offset of a sample from the centre, in snapped units. Exact.
    pub(super) const fn snapped(self, sample: usize) -> [i32; 2] {
        let [x, y] = self.sixteenths()[sample];
        [x as i32 * (PIXEL / 16), y as i32 * (PIXEL / 16)]
    }

    /// [`Self::snapped`] for all samples of the variant with `N` samples.
    pub(super) const fn all_snapped<const N: usize>() -> [[i32; 2]; N] {
        let samples = match N {
            1 => Self::One,
            2 => Self::Two,
            4 => Self::Four,
            8 => Self::Eight,
            _ => Self::Sixteen,
        };
        let mut all = [[0; 2]; N];
        let mut sample = 0;
        while sample < N {
            all[sample] = samples.snapped(sample);
            sample += 1;
        }
        all
    }

    /// The lowest and the highest offset of any sample from the centre, in either direction, in snapped
    /// units.
    pub(super) const fn reach(self) -> [i32; 2] {
        match self {
            Self::One => [0, 0],
            Self::Two | Self::Four | Self::Eight | Self::Sixteen => [-PIXEL / 2, PIXEL / 2 - 1],
        }
    }
}

/// `SAMPLE_COVERAGE` (glspec40 4.1.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleCoverage {
    /// `SAMPLE_COVERAGE_VALUE`: the fraction of samples, clamped to `[0,1]`.
    pub value: f32,
    /// `SAMPLE_COVERAGE_INVERT`
    pub invert: bool,
}

/// Multisample state. Has an effect only in windows with more than one sample per pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultisampleState {
    /// Samples per pixel of the window. Draws use the framebuffer's number instead. Queries for the fragments
    /// of a pixel have no framebuffer and use this one.
    pub samples: Samples,
    /// `MULTISAMPLE`
    pub enabled: bool,
    /// `SAMPLE_ALPHA_TO_COVERAGE`
    pub alpha_to_coverage: bool,
    /// `SAMPLE_ALPHA_TO_ONE`
    pub alpha_to_one: bool,
    /// `SAMPLE_COVERAGE`, if it is enabled.
    pub coverage: Option<SampleCoverage>,
    /// `SAMPLE_MASK_VALUE`, if SAMPLE_MASK is enabled.
    pub mask: Option<u32>,
    /// `MIN_SAMPLE_SHADING_VALUE`, if SAMPLE_SHADING is enabled.
    pub shading: Option<f32>,
}

impl MultisampleState {
    /// The GL's initial state, in a window with one sample per pixel.
    pub const DEFAULT: Self = Self {
        samples: Samples::One,
        enabled: true,
        alpha_to_coverage: false,
        alpha_to_one: false,
        coverage: None,
        mask: None,
        shading: None,
    };
}

/// The samples that one invocation of a fragment program shades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rate {
    /// All samples of the pixel.
    Pixel,
    /// One sample. Attributes declared SAMPLE are evaluated at the sample, others are not (glspec40 3.12.2).
    Sample,
    /// One sample, because the state asks for it. All attributes are evaluated at the sample (glspec40
    /// 3.3.1).
    WholeSample,
}

/// The sampling of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sampling {
    /// Samples per pixel in the framebuffer.
    pub stored: Samples,
    /// Samples that primitives cover. One, at the centre, unless multisample rasterisation is enabled.
    pub covered: Samples,
    pub rate: Rate,
}

impl Sampling {
    /// One sample per pixel.
    pub const SINGLE: Self = Self { stored: Samples::One, covered: Samples::One, rate: Rate::Pixel };

    /// The sampling of a draw. `shades_samples` says whether the program itself needs an invocation per
    /// sample.
    pub fn new(state: &MultisampleState, shades_samples: bool) -> Self {
        let stored = state.samples;
        if !state.enabled || stored == Samples::One {
            return Self { stored, ..Self::SINGLE };
        }
        let rate = if Self::invocations(state) > 1 {
            Rate::WholeSample
        } else if shades_samples {
            Rate::Sample
        } else {
            Rate::Pixel
        };
        Self { stored, covered: stored, rate }
    }

    /// The minimum number of invocations per pixel that the state asks for: max(ceil(value * samples), 1).
    fn invocations(state: &MultisampleState) -> usize {
        let count = state.samples.count() as f64;
        let least = |value: f32| (f64::from(value.clamp(0.0, 1.0)) * count).ceil() as usize;
        state.shading.map_or(1, least).max(1)
    }

    /// Whether primitives cover several samples of a pixel separately.
    pub fn is_multisample(&self) -> bool {
        self.covered != Samples::One
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_where_the_standard_patterns_have_them() {
        // From Direct3D's documentation, in sixteenths of a pixel from the corner.
        let positions = |samples: Samples| -> Vec<[f32; 2]> {
            (0..samples.count()).map(|sample| samples.position(sample).unwrap().map(|x| x * 16.0)).collect()
        };
        assert_eq!(positions(Samples::One), [[8.0, 8.0]]);
        assert_eq!(positions(Samples::Two), [[12.0, 12.0], [4.0, 4.0]]);
        assert_eq!(positions(Samples::Four), [[6.0, 2.0], [14.0, 6.0], [2.0, 10.0], [10.0, 14.0]]);
        for samples in Samples::ALL {
            assert_eq!(samples.position(samples.count()), None);
            assert_eq!(samples.all().count_ones() as usize, samples.count());
            assert_eq!(Samples::from_count(samples.count() as u32), Some(samples));
            // No two samples share a row or column, so that axis-aligned edges have as many levels as there
            // are samples.
            for axis in 0..2 {
                let mut places: Vec<i8> = samples.sixteenths().iter().map(|offset| offset[axis]).collect();
                places.sort_unstable();
                places.dedup();
                assert_eq!(places.len(), samples.count());
                assert!(places.iter().all(|place| (-8..8).contains(place)));
            }
        }
        assert_eq!(Samples::from_count(0), None);
        assert_eq!(Samples::from_count(3), None);
    }

    #[test]
    fn the_state_asks_for_invocations() {
        let of = |shading: Option<f32>, enabled, program| {
            let state =
                MultisampleState { samples: Samples::Four, shading, enabled, ..MultisampleState::DEFAULT };
            Sampling::new(&state, program)
        };
        // max(ceil(value * 4), 1) is 1 for values up to a quarter.
        for (shading, rate) in [
            (None, Rate::Pixel),
            (Some(0.0), Rate::Pixel),
            (Some(0.25), Rate::Pixel),
            (Some(0.26), Rate::WholeSample),
            (Some(1.0), Rate::WholeSample),
        ] {
            assert_eq!(of(shading, true, false).rate, rate);
            assert_eq!(of(shading, false, false).rate, Rate::Pixel);
        }
        assert_eq!(of(None, true, true).rate, Rate::Sample);
        assert_eq!(of(Some(1.0), true, true).rate, Rate::WholeSample);
        assert_eq!(of(Some(1.0), false, true), Sampling { stored: Samples::Four, ..Sampling::SINGLE });
    }
}
