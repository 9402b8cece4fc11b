//! The alpha test (4.1.4).

use super::{ColorFormat, CompareFunc, clamp, each};
use crate::simd::Portable;

/// The alpha test. Reference and alpha are clamped to `[0,1]`, with NaN as 0. The clause rounds both to the
/// precision of the colour buffer's alpha; fp32 formats compare them unrounded.
#[derive(Clone, Copy, Debug)]
pub(super) struct AlphaTest {
    pub func: CompareFunc,
    pub reference: f32,
    /// The colour buffer's format.
    format: ColorFormat,
}

impl AlphaTest {
    pub fn new((func, reference): (CompareFunc, f32), format: ColorFormat) -> Self {
        Self { func, reference: format.stored(clamp(reference)), format }
    }

    /// The value of an alpha that the test compares.
    pub fn compared(&self, alpha: f32) -> f32 {
        self.format.stored(clamp(alpha))
    }

    pub fn passes(&self, alpha: f32) -> bool {
        self.func.passes(self.compared(alpha), self.reference)
    }

    /// The lanes of a quad that pass.
    #[inline(always)]
    pub fn passing(&self, alpha: &[f32; 4]) -> u8 {
        let alpha = match self.format {
            ColorFormat::Rgba32F => each(|lane| clamp(alpha[lane])),
            // Clamped on the way.
            ColorFormat::Rgba8 => each(|lane| ColorFormat::Rgba8.stored(alpha[lane])),
            format => each(|lane| format.stored(clamp(alpha[lane]))),
        };
        self.func.passing::<Portable, _>(&alpha, &[self.reference; 4]) as u8
    }
}
