//! The alpha test (4.1.4).

use super::{ColorFormat, CompareFunc, clamp, each};
use crate::movemask::Portable;

/// Lets fragments pass by their alpha. Reference and alpha are clamped to `[0,1]`, NaN being 0. The clause
/// rounds both to the bits of the colour buffer's alpha; those of an fp32 number are compared as they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct AlphaTest {
    pub func: CompareFunc,
    pub reference: f32,
    /// Of the colour buffer.
    format: ColorFormat,
}

impl AlphaTest {
    pub fn new((func, reference): (CompareFunc, f32), format: ColorFormat) -> Self {
        Self { func, reference: format.stored(clamp(reference)), format }
    }

    /// What is compared of an alpha.
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
        self.func.passing(Portable, &alpha, &[self.reference; 4]) as u8
    }
}
