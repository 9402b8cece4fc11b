//! Fragment depth before it is stored: depth range, clamping, depths from programs, and the comparison
//! (4.1.6, NV_depth_clamp, NV_fragment_program 3.11.6).

use super::{CompareFunc, DepthSource};
use crate::pipeline::RasterState;

#[derive(Clone, Copy, Debug)]
pub(super) struct DepthTest {
    /// The comparison. `None` turns the test off, and then depth is not written either.
    pub test: Option<CompareFunc>,
    pub write: bool,
    pub source: DepthSource,
    clamp: bool,
    pub low: f32,
    pub high: f32,
}

impl DepthTest {
    pub fn new(state: &RasterState, source: DepthSource) -> Self {
        let [near, far] = state.depth.clamped_range();
        let (test, write, clamp) = (state.depth.test, state.depth.write, state.depth.clamp);
        // A polygon offset may move depths out of the depth range, but only within 0 to 1 (3.5.5). Other
        // depths are within the range, because near and far clip.
        let offset = source == DepthSource::Window && !clamp && state.offset.is_enabled();
        let [low, high] = if offset { [0.0, 1.0] } else { [near.min(far), near.max(far)] };
        Self { test, write, source, clamp, low, high }
    }

    /// The depth test's value of a rasterised depth. If near and far clip and there is no offset, the clamp
    /// only removes rounding errors.
    #[inline(always)]
    pub fn window(&self, z: f32) -> f32 {
        // Comparisons are faster than `max` and `min`. NaN, from points with extreme coordinates, becomes the
        // low end.
        let z = if z > self.low { z } else { self.low };
        if z < self.high { z } else { self.high }
    }

    /// [`Self::window`] of `z`, rounded to fp32 with denorms flushed. Denorms, negative numbers and NaN
    /// become the low end.
    #[inline(always)]
    pub fn rasterised(&self, z: f64) -> f32 {
        let z = z as f32;
        self.window(if z >= f32::MIN_POSITIVE { z } else { 0.0 })
    }

    /// The depth test's value of a program's depth, and whether it is within the range.
    #[inline(always)]
    pub fn program(&self, depth: f32) -> (f32, bool) {
        let clamps = self.clamp && !depth.is_nan();
        let depth = if clamps { depth.max(self.low).min(self.high) } else { depth };
        (depth, depth >= self.low && depth <= self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shadestep_language::num::fp32::{canonical, flush};

    #[test]
    fn rasterised_depths_are_fp32_without_denorms_within_the_range() {
        let tiny = f64::from(f32::MIN_POSITIVE);
        let depths =
            [0.0, -0.0, 1.0, 0.5, 0.3, -0.3, 2.0, 1e300, -1e300, f64::NAN, f64::INFINITY, 1.0 - 1e-9];
        for range in [[0.0, 1.0], [-0.0, 1.0], [0.25, 0.75], [1.0, 0.0], [0.5, 0.5]] {
            let mut state = RasterState::DEFAULT;
            state.depth.range = range;
            let test = DepthTest::new(&state, DepthSource::Window);
            for z in depths.into_iter().chain([tiny, tiny / 2.0, -tiny, tiny * (1.0 - 1e-9), 1e-320]) {
                let expected = test.window(flush(canonical(z as f32)));
                assert_eq!(test.rasterised(z).to_bits(), expected.to_bits(), "{z} in {range:?}");
            }
        }
    }
}
