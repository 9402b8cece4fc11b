//! Blending (4.1.8; 4.1.7 of older texts): equations and factors.
//!
//! The clause is written for a fixed-point buffer. Source, destination and constant are therefore clamped
//! to `[0,1]` before and the result after, NaN being 0; but nothing is rounded to fewer bits than fp32
//! has. Each factor, product and sum is rounded once, never fused.

use super::clamp;
use crate::pipeline::{Blend, BlendEquation, BlendFactor};

/// What transparency is mostly drawn with; known to the compiler, so that nothing is chosen in the loop.
pub(super) const OVER: Blend = Blend {
    equation: BlendEquation::Add,
    rgb: [BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha],
    alpha: [BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha],
    color: [0.0; 4],
};

/// Whether `blend` does what [`OVER`] does.
pub(super) fn is_over(blend: &Blend) -> bool {
    Blend { color: OVER.color, ..*blend } == OVER
}

/// Blends the colours of N fragments, given as rows of r, g, b and a, with the stored ones.
#[inline(always)]
pub(super) fn blend<const N: usize>(
    blend: &Blend,
    source: &[[f32; N]; 4],
    stored: &[[f32; N]; 4],
) -> [[f32; N]; 4] {
    let operands = Operands {
        source: source.map(|row| row.map(clamp)),
        stored: stored.map(|row| row.map(clamp)),
        constant: blend.color.map(clamp),
    };
    std::array::from_fn(|component| {
        let (source, stored) = (&operands.source[component], &operands.stored[component]);
        let factors = if component == 3 { blend.alpha } else { blend.rgb };
        let [source_factor, stored_factor] = factors.map(|factor| operands.factor(factor, component));
        let weighted = |i: usize| (source[i] * source_factor[i], stored[i] * stored_factor[i]);
        match blend.equation {
            BlendEquation::Add => each(|i| clamp(weighted(i).0 + weighted(i).1)),
            BlendEquation::Subtract => each(|i| clamp(weighted(i).0 - weighted(i).1)),
            BlendEquation::ReverseSubtract => each(|i| clamp(weighted(i).1 - weighted(i).0)),
            BlendEquation::Min => each(|i| smaller(source[i], stored[i])),
            BlendEquation::Max => each(|i| if source[i] > stored[i] { source[i] } else { stored[i] }),
        }
    })
}

/// What blending works on, clamped.
struct Operands<const N: usize> {
    source: [[f32; N]; 4],
    stored: [[f32; N]; 4],
    constant: [f32; 4],
}

impl<const N: usize> Operands<N> {
    /// Table 4.1, for r, g, b or a.
    #[inline(always)]
    fn factor(&self, factor: BlendFactor, component: usize) -> [f32; N] {
        let Self { source, stored, constant } = self;
        match factor {
            BlendFactor::Zero => [0.0; N],
            BlendFactor::One => [1.0; N],
            BlendFactor::SrcColor => source[component],
            BlendFactor::OneMinusSrcColor => each(|i| 1.0 - source[component][i]),
            BlendFactor::DstColor => stored[component],
            BlendFactor::OneMinusDstColor => each(|i| 1.0 - stored[component][i]),
            BlendFactor::SrcAlpha => source[3],
            BlendFactor::OneMinusSrcAlpha => each(|i| 1.0 - source[3][i]),
            BlendFactor::DstAlpha => stored[3],
            BlendFactor::OneMinusDstAlpha => each(|i| 1.0 - stored[3][i]),
            BlendFactor::ConstantColor => [constant[component]; N],
            BlendFactor::OneMinusConstantColor => [1.0 - constant[component]; N],
            BlendFactor::ConstantAlpha => [constant[3]; N],
            BlendFactor::OneMinusConstantAlpha => [1.0 - constant[3]; N],
            BlendFactor::SrcAlphaSaturate if component == 3 => [1.0; N],
            BlendFactor::SrcAlphaSaturate => each(|i| smaller(source[3][i], 1.0 - stored[3][i])),
        }
    }
}

#[inline(always)]
fn each<const N: usize>(value: impl Fn(usize) -> f32) -> [f32; N] {
    std::array::from_fn(value)
}

/// Not `min`, which costs more.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
