//! The comparisons of alpha, stencil and depth tests (glspec15 4.1.4 to 4.1.6) and depth textures (3.8.14).

use crate::simd::Simd;

shadestep_language::named_enum! {
    /// Compares an incoming value with another: a fragment's alpha with the reference, the reference with the
    /// stored stencil value, a fragment's depth with the stored one, a texture coordinate with a depth texel.
    pub enum CompareFunc {
        /// Never passes.
        Never = "NEVER",
        /// incoming < other.
        Less = "LESS",
        /// incoming = other.
        Equal = "EQUAL",
        /// incoming <= other.
        Lequal = "LEQUAL",
        /// incoming > other.
        Greater = "GREATER",
        /// incoming != other.
        Notequal = "NOTEQUAL",
        /// incoming >= other.
        Gequal = "GEQUAL",
        /// Always passes.
        Always = "ALWAYS",
    }
}

impl CompareFunc {
    /// Whether `incoming` passes against `other`.
    #[inline]
    pub fn passes(self, incoming: f32, other: f32) -> bool {
        match self {
            Self::Never => false,
            Self::Less => incoming < other,
            Self::Equal => incoming == other,
            Self::Lequal => incoming <= other,
            Self::Greater => incoming > other,
            Self::Notequal => incoming != other,
            Self::Gequal => incoming >= other,
            Self::Always => true,
        }
    }

    /// [`Self::passes`] of 4 or 16 lanes, bit i for lane i.
    #[inline(always)]
    pub(crate) fn passing<S: Simd, const N: usize>(self, incoming: &[f32; N], other: &[f32; N]) -> u16 {
        // One loop for each comparison, so that the match runs once.
        macro_rules! lanes {
            ($($func:ident)*) => {
                match self {
                    $(Self::$func => {
                        let mut passes = [false; N];
                        for ((passes, incoming), other) in passes.iter_mut().zip(incoming).zip(other) {
                            *passes = Self::$func.passes(*incoming, *other);
                        }
                        S::lane_mask(passes)
                    })*
                }
            };
        }
        lanes!(Never Less Equal Lequal Greater Notequal Gequal Always)
    }

    /// Whether a failed depth test stays failed after later stores to the depth buffer. If so, the fragment
    /// may be dropped before it is shaded.
    pub(crate) const fn failure_is_final(self) -> bool {
        !matches!(self, Self::Notequal)
    }
}
