//! The stencil test and its updates of the buffer (4.1.5), for both faces of polygons.
//!
//! The buffer has 8 bits. Comparisons are of the masked reference with the masked stored value, in this
//! order: LESS passes if the reference is smaller.

use crate::pipeline::{CompareFunc, Facing, Stencil, StencilFace, StencilOp};
use crate::simd::Portable;

impl Stencil {
    /// The state for fragments of this facing.
    #[inline(always)]
    pub(super) const fn face(&self, facing: Facing) -> &StencilFace {
        match facing {
            Facing::Front => &self.front,
            Facing::Back => &self.back,
        }
    }

    /// Whether fragments that fail the depth test always leave the buffer unchanged, with either result of
    /// the stencil test.
    pub(super) fn keeps_where_depth_fails(&self) -> bool {
        [self.front, self.back].iter().all(|face| {
            let keeps = |op| op == StencilOp::Keep || face.write_mask == 0;
            let fails = face.func != CompareFunc::Always;
            let passes = face.func != CompareFunc::Never;
            (keeps(face.fail) || !fails) && (keeps(face.depth_fail) || !passes)
        })
    }
}

impl StencilFace {
    /// Whether a fragment passes against the stored value.
    pub(super) fn passes(&self, stored: u8) -> bool {
        self.func.passes(self.masked(self.reference), self.masked(stored))
    }

    /// The lanes of a quad that pass.
    #[inline(always)]
    pub(super) fn passing(&self, stored: &[u8; 4]) -> u8 {
        let reference = [self.masked(self.reference); 4];
        self.func.passing::<Portable, _>(&reference, &stored.map(|value| self.masked(value))) as u8
    }

    /// The compared bits as fp32, which represents all 256 values exactly.
    #[inline(always)]
    fn masked(&self, value: u8) -> f32 {
        f32::from(value & self.read_mask)
    }

    /// The values after `op`.
    #[inline(always)]
    pub(super) fn updated<const N: usize>(&self, op: StencilOp, stored: [u8; N]) -> [u8; N] {
        let new = match op {
            StencilOp::Keep => stored,
            StencilOp::Zero => [0; N],
            StencilOp::Replace => [self.reference; N],
            StencilOp::Incr => stored.map(|value| value.saturating_add(1)),
            StencilOp::Decr => stored.map(|value| value.saturating_sub(1)),
            StencilOp::Invert => stored.map(|value| !value),
            StencilOp::IncrWrap => stored.map(|value| value.wrapping_add(1)),
            StencilOp::DecrWrap => stored.map(|value| value.wrapping_sub(1)),
        };
        std::array::from_fn(|i| stored[i] & !self.write_mask | new[i] & self.write_mask)
    }

    /// Applies `op` to the lanes of a quad that `lanes` names.
    #[inline(always)]
    pub(super) fn update(&self, op: StencilOp, stored: &mut [u8; 4], lanes: u8) {
        if lanes == 0 || op == StencilOp::Keep {
            return;
        }
        let new = self.updated(op, *stored);
        for (lane, stored) in stored.iter_mut().enumerate() {
            *stored = if lanes >> lane & 1 != 0 { new[lane] } else { *stored };
        }
    }
}
