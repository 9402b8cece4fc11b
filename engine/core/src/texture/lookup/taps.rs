//! Wrap modes, and the texels that a filter reads along an axis (glspec15 3.8.7 to 3.8.9, eq. 3.19 to 3.22;
//! RECT's coordinate ranges from NV_texture_rectangle 3.8.4).
//!
//! Wrapping works on u = s * size in all modes. This is equivalent to clamping s to ranges divided by the
//! size. For RECT, u = s.

use super::super::plan::{AxisMode, Range};
use crate::simd::Simd;

/// The texels along one axis.
#[derive(Clone, Copy)]
pub(super) struct Taps<V: Simd> {
    /// The first and the second texel.
    pub index: [V::I; 2],
    /// The weight of the second texel.
    pub alpha: V::F,
    /// Lanes where the second texel has a weight and is not the next in memory.
    pub seam: V::M,
    /// u of the wrapped coordinate: the position in the level, in texels.
    pub u: V::F,
}

impl<V: Simd> Taps<V> {
    /// The taps of axes that an image does not have.
    #[inline(always)]
    pub(super) fn first() -> Self {
        let (index, zero) = ([V::ints(0); 2], V::floats(0.0));
        Self { index, alpha: zero, seam: V::never(), u: zero }
    }
}

/// Folds a coordinate before it is scaled to a level: the fraction for REPEAT and MIRRORED_REPEAT.
#[inline(always)]
pub(super) fn folded<V: Simd>(mode: AxisMode, s: V::F) -> V::F {
    match mode {
        AxisMode::Repeat => V::maximum(s - V::floor(s), V::floats(0.0)),
        AxisMode::Mirrored => {
            let whole = V::floor(s);
            let f = s - whole;
            let halved = whole * V::floats(0.5);
            V::select(V::eq(halved, V::floor(halved)), f, V::floats(1.0) - f)
        }
        AxisMode::Edge(_) | AxisMode::Clamp(_) | AxisMode::Border(_) => s,
    }
}

/// [`folded`] for a lookup with an offset. MIRRORED_REPEAT folds to two images; the second is mirrored.
#[inline(always)]
pub(super) fn folded_for_offset<V: Simd>(mode: AxisMode, s: V::F) -> V::F {
    match mode {
        AxisMode::Mirrored => {
            let (zero, two) = (V::floats(0.0), V::floats(2.0));
            clamp::<V>(s - two * V::floor(s * V::floats(0.5)), zero, two)
        }
        AxisMode::Repeat | AxisMode::Edge(_) | AxisMode::Clamp(_) | AxisMode::Border(_) => {
            folded::<V>(mode, s)
        }
    }
}

/// Size of a level along an axis.
#[derive(Clone, Copy)]
pub(super) struct Size<V: Simd> {
    pub texels: V::I,
    number: V::F,
}

impl<V: Simd> Size<V> {
    /// The size of each lane's level, if level 0 has `base` texels.
    #[inline(always)]
    pub(super) fn of_level(base: i32, level: V::I) -> Self {
        let texels = V::largest(V::shift_right_by(V::ints(base), level), V::ints(1));
        Self { texels, number: V::number(texels) }
    }

    /// The same size in all lanes.
    #[inline(always)]
    pub(super) fn same(texels: i32) -> Self {
        Self { texels: V::ints(texels), number: V::floats(texels as f32) }
    }
}

/// Clamps `x`; NaN gives `low`.
#[inline(always)]
pub(super) fn clamp<V: Simd>(x: V::F, low: V::F, high: V::F) -> V::F {
    V::minimum(V::maximum(x, low), high)
}

/// u before clamping.
#[inline(always)]
fn scaled<V: Simd>(range: Range, s: V::F, size: V::F) -> V::F {
    match range {
        Range::Sides => s * size,
        Range::Texels => s,
    }
}

/// u of the wrapped coordinate.
#[inline(always)]
fn wrapped<V: Simd>(mode: AxisMode, s: V::F, size: V::F) -> V::F {
    let half = V::floats(0.5);
    match mode {
        AxisMode::Repeat => s * size,
        AxisMode::Mirrored => clamp::<V>(s * size, half, size - half),
        AxisMode::Edge(range) => clamp::<V>(scaled::<V>(range, s, size), half, size - half),
        AxisMode::Clamp(range) => clamp::<V>(scaled::<V>(range, s, size), V::floats(0.0), size),
        AxisMode::Border(range) => clamp::<V>(scaled::<V>(range, s, size), V::floats(-0.5), size + half),
    }
}

/// The taps for a folded coordinate. `half` is 1/2 for LINEAR and 0 for NEAREST. If `LINEAR` is false, `half`
/// is 0 in every lane, and there is one tap.
#[inline(always)]
pub(super) fn taps<V: Simd, const LINEAR: bool>(
    mode: AxisMode,
    s: V::F,
    half: V::F,
    size: Size<V>,
) -> Taps<V> {
    let (zero, one) = (V::floats(0.0), V::ints(1));
    let u = wrapped::<V>(mode, s, size.number);
    let x = if LINEAR { u - half } else { u };
    let i = V::whole(x);
    let alpha = if LINEAR { V::select(V::lt(zero, half), x - V::number(i), zero) } else { zero };
    let (last, next) = (size.texels - one, i + one);
    let never = V::never();
    match mode {
        AxisMode::Repeat => {
            // -1 stands for the last texel and occurs with LINEAR only. The size occurs with NEAREST only
            // (eq. 3.19).
            let inside = V::below(i, last);
            let second = V::select_ints(inside, next, V::ints(0));
            Taps { index: [V::lowest(i, last), second], alpha, seam: !inside, u }
        }
        // The second texel is outside of the image only if its weight is 0, because u is at most the size
        // minus 1/2.
        AxisMode::Mirrored | AxisMode::Edge(_) => {
            Taps { index: [V::lowest(i, last), V::lowest(next, last)], alpha, seam: never, u }
        }
        AxisMode::Clamp(_) => Taps { index: [V::min_int(i, last), next], alpha, seam: never, u },
        AxisMode::Border(_) => {
            // With NEAREST, s = 1 belongs to the last texel (eq. 3.19).
            let end = V::eq(x, size.number);
            let end = if LINEAR { end & V::eq(half, zero) } else { end };
            Taps { index: [V::select_ints(end, last, i), next], alpha, seam: never, u }
        }
    }
}

/// The taps for a coordinate from [`folded_for_offset`], plus `offset`, wrapped as in Table X.19 of
/// NV_gpu_program4. The offset is from -64 to 63. The other parameters are as in [`taps`].
#[inline(always)]
pub(super) fn offset_taps<V: Simd, const LINEAR: bool>(
    mode: AxisMode,
    s: V::F,
    half: V::F,
    size: Size<V>,
    offset: V::I,
) -> Taps<V> {
    let (zero, one) = (V::floats(0.0), V::ints(1));
    let last = size.texels - one;
    let u = match mode {
        AxisMode::Repeat | AxisMode::Mirrored => s * size.number,
        AxisMode::Edge(range) | AxisMode::Border(range) => near::<V>(scaled::<V>(range, s, size.number)),
        // Clamped after adding the offset.
        AxisMode::Clamp(range) => {
            let u = near::<V>(scaled::<V>(range, s, size.number)) + V::number(offset);
            clamp::<V>(u, zero, size.number)
        }
    };
    let x = if LINEAR { u - half } else { u };
    let i = V::whole(x);
    let alpha = if LINEAR { V::select(V::lt(zero, half), x - V::number(i), zero) } else { zero };
    // Coordinates just below the end of the range may be rounded to it.
    let first = match mode {
        AxisMode::Repeat => V::min_int(i, last) + offset,
        AxisMode::Mirrored => V::min_int(i, size.texels + last) + offset,
        AxisMode::Edge(_) | AxisMode::Border(_) => i + offset,
        AxisMode::Clamp(_) => V::min_int(i, last),
    };
    let wrapped = wrapped_texel::<V>(mode, first, size);
    let next = match mode {
        AxisMode::Repeat => {
            let next = wrapped + one;
            V::select_ints(V::below(next, size.texels), next, V::ints(0))
        }
        _ => wrapped_texel::<V>(mode, first + one, size),
    };
    Taps { index: [wrapped, next], alpha, seam: V::never(), u }
}

/// Clamps u to a range that is outside of every image even with an offset.
#[inline(always)]
fn near<V: Simd>(u: V::F) -> V::F {
    let far = V::floats(1_048_576.0);
    clamp::<V>(u, V::floats(0.0) - far, far)
}

/// A texel's coordinate with its offset, wrapped as in Table X.19 of NV_gpu_program4.
#[inline(always)]
fn wrapped_texel<V: Simd>(mode: AxisMode, i: V::I, size: Size<V>) -> V::I {
    let (one, last) = (V::ints(1), size.texels - V::ints(1));
    match mode {
        AxisMode::Repeat => modulo::<V>(i, size.texels),
        AxisMode::Mirrored => {
            let twice = size.texels + size.texels;
            let i = modulo::<V>(i, twice);
            V::min_int(i, twice - one - i)
        }
        AxisMode::Edge(_) => V::largest(V::min_int(i, last), V::ints(0)),
        AxisMode::Border(_) => V::largest(V::min_int(i, size.texels), V::ints(-1)),
        AxisMode::Clamp(_) => i,
    }
}

/// `i` modulo `n`, from 0 to n - 1. Both are below 2^20, so the quotient is never rounded up to an integer.
#[inline(always)]
fn modulo<V: Simd>(i: V::I, n: V::I) -> V::I {
    if !V::any(!V::below(i, n)) {
        return i;
    }
    // Small offsets reach at most the neighbouring image.
    let (next, previous) = (i - n, i + n);
    let beside = V::select_ints(V::below(previous, n), previous, next);
    let found = V::select_ints(V::below(i, n), i, beside);
    if !V::any(!V::below(found, n)) {
        return found;
    }
    i - V::whole(V::number(i) / V::number(n)) * n
}
