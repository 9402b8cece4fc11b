//! The comparisons as the per-fragment tests use them.

use super::draw::lane_mask;
use crate::movemask::Masks;
use crate::num::CompareFunc;

impl CompareFunc {
    /// [`Self::passes`] of 4 or 16 lanes, bit i for lane i.
    #[inline(always)]
    pub(super) fn passing<const N: usize>(
        self,
        masks: impl Masks,
        incoming: &[f32; N],
        other: &[f32; N],
    ) -> u16 {
        // One loop for each function, so that the choice is made once.
        macro_rules! lanes {
            ($($func:ident)*) => {
                match self {
                    $(Self::$func => {
                        let mut passes = [false; N];
                        for ((passes, incoming), other) in passes.iter_mut().zip(incoming).zip(other) {
                            *passes = Self::$func.passes(*incoming, *other);
                        }
                        lane_mask(masks, passes)
                    })*
                }
            };
        }
        lanes!(Never Less Equal Lequal Greater Notequal Gequal Always)
    }

    /// Whether a depth that fails now also fails against anything that passing fragments may have stored
    /// by the time its turn comes, so that its fragment may be dropped before it is shaded.
    pub(super) const fn failure_is_final(self) -> bool {
        !matches!(self, Self::Notequal)
    }
}
