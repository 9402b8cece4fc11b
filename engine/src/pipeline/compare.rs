//! The comparisons as the per-fragment tests use them.

use super::draw::lane_mask;
use crate::num::CompareFunc;

impl CompareFunc {
    /// [`Self::passes`] of the four lanes of a quad, bit i for lane i.
    #[inline(always)]
    pub(super) fn passing(self, incoming: &[f32; 4], other: &[f32; 4]) -> u8 {
        // One loop for each function, so that the choice is made once.
        macro_rules! lanes {
            ($($func:ident)*) => {
                match self {
                    $(Self::$func => {
                        let passes: [bool; 4] =
                            std::array::from_fn(|lane| Self::$func.passes(incoming[lane], other[lane]));
                        lane_mask(passes)
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
