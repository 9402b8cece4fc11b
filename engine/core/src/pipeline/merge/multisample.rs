//! Multisample fragment operations (glspec40 4.1.3): alpha, the program and the state reduce a fragment's
//! coverage.

use super::clamp;
use crate::pipeline::samples::Sampling;
use crate::pipeline::{ColorFormat, MultisampleState, Samples};

/// The operations of one draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Multisample {
    samples: Samples,
    alpha_to_coverage: bool,
    /// Whether the operations replace alpha by 1.
    pub alpha_to_one: bool,
    /// Whether the program outputs a sample mask.
    takes_mask: bool,
    /// The samples that SAMPLE_COVERAGE and SAMPLE_MASK leave.
    pub fixed: u16,
}

/// The first n samples, with n the nearest integer to `value` times the number of samples. The specification
/// asks for a proportional number and leaves the choice of samples open. Here the choice is the same in every
/// pixel.
fn share(value: f32, samples: Samples) -> u16 {
    let count = samples.count();
    let covered = (clamp(value) * count as f32 + 0.5) as usize;
    samples.all().checked_shr((count - covered.min(count)) as u32).unwrap_or(0)
}

/// The samples that SAMPLE_COVERAGE and SAMPLE_MASK leave of every fragment.
pub(in crate::pipeline) fn fixed_coverage(state: &MultisampleState) -> u16 {
    let mut fixed = state.samples.all();
    if let Some(coverage) = state.coverage {
        let share = share(coverage.value, state.samples);
        fixed &= if coverage.invert { !share } else { share };
    }
    fixed & state.mask.map_or(u16::MAX, |mask| mask as u16)
}

impl Multisample {
    /// `None` if the step is skipped: MULTISAMPLE is disabled, or there is no multisample buffer. `format` is
    /// the format of colour buffer 0; the alpha of integers is ignored.
    pub fn new(
        state: &MultisampleState,
        sampling: Sampling,
        format: ColorFormat,
        writes_mask: bool,
    ) -> Option<Self> {
        if !sampling.is_multisample() {
            return None;
        }
        let (samples, fixed) = (sampling.stored, fixed_coverage(state));
        let takes_alpha = !format.is_integer();
        Some(Self {
            samples,
            alpha_to_coverage: state.alpha_to_coverage && takes_alpha,
            alpha_to_one: state.alpha_to_one && takes_alpha,
            takes_mask: writes_mask,
            fixed,
        })
    }

    /// The samples that remain of a fragment with this alpha and the program's sample mask `mask`.
    pub fn coverage(&self, alpha: f32, mask: u32) -> u16 {
        let mut coverage = self.fixed;
        if self.alpha_to_coverage {
            coverage &= share(alpha, self.samples);
        }
        if self.takes_mask {
            coverage &= mask as u16;
        }
        coverage
    }

    /// Whether samples may be removed.
    pub fn may_uncover(&self) -> bool {
        self.alpha_to_coverage || self.takes_mask || self.fixed != self.samples.all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_proportional() {
        for samples in Samples::ALL {
            let count = samples.count();
            let shares = |value| share(value, samples).count_ones() as usize;
            assert_eq!([0.0, -1.0, f32::NAN].map(shares), [0; 3]);
            assert_eq!([1.0, 2.0, f32::INFINITY].map(shares), [count; 3]);
            for covered in 0..=count {
                assert_eq!(shares(covered as f32 / count as f32), covered);
            }
            // More alpha never covers less.
            let values: Vec<u16> = (0..=100).map(|n| share(n as f32 / 100.0, samples)).collect();
            assert!(values.windows(2).all(|pair| pair[0] & !pair[1] == 0));
        }
    }
}
