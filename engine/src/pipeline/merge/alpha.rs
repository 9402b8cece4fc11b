//! The alpha test (4.1.4).

use super::{CompareFunc, clamp, each};

/// Lets fragments pass by their alpha. Reference and alpha are clamped to `[0,1]`, NaN being 0. The clause
/// rounds both to the bits of the colour buffer's alpha; ours are those of an fp32 number, so they are
/// compared as they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct AlphaTest {
    func: CompareFunc,
    reference: f32,
}

impl AlphaTest {
    pub fn new((func, reference): (CompareFunc, f32)) -> Self {
        Self { func, reference: clamp(reference) }
    }

    pub fn passes(&self, alpha: f32) -> bool {
        self.func.passes(clamp(alpha), self.reference)
    }

    /// The lanes of a quad that pass.
    #[inline(always)]
    pub fn passing(&self, alpha: &[f32; 4]) -> u8 {
        self.func.passing(&each(|lane| clamp(alpha[lane])), &[self.reference; 4]) as u8
    }
}
