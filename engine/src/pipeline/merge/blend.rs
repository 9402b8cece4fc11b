//! Blending (4.1.8; 4.1.7 of older texts): equations and factors.
//!
//! The clause is written for a fixed-point buffer. Source, destination and constant are therefore clamped
//! to `[0,1]` before and the result after, NaN being 0; but nothing is rounded to fewer bits than fp32
//! has. Each factor, product and sum is rounded once, never fused.

use super::{Color, clamp};
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

/// Blends a fragment's colour with the stored one.
#[inline(always)]
pub(super) fn blend(blend: &Blend, source: &Color, stored: &Color) -> Color {
    let operands =
        Operands { source: source.map(clamp), stored: stored.map(clamp), constant: blend.color.map(clamp) };
    let Operands { source, stored, .. } = &operands;
    let factors = |i: usize| operands.factors(blend.rgb[i], blend.alpha[i]);
    let weighted = |combine: fn(f32, f32) -> f32| {
        let (source_factors, stored_factors) = (factors(0), factors(1));
        each(|c| combine(source[c] * source_factors[c], stored[c] * stored_factors[c]))
    };
    match blend.equation {
        BlendEquation::Add => weighted(|source, stored| clamp(source + stored)),
        BlendEquation::Subtract => weighted(|source, stored| clamp(source - stored)),
        BlendEquation::ReverseSubtract => weighted(|source, stored| clamp(stored - source)),
        BlendEquation::Min => each(|c| smaller(source[c], stored[c])),
        BlendEquation::Max => each(|c| if source[c] > stored[c] { source[c] } else { stored[c] }),
    }
}

/// What blending works on, clamped.
struct Operands {
    source: Color,
    stored: Color,
    constant: Color,
}

impl Operands {
    /// The factors of r, g and b, and that of a.
    #[inline(always)]
    fn factors(&self, rgb: BlendFactor, alpha: BlendFactor) -> Color {
        let [r, g, b, a] = self.factor(rgb);
        if alpha == rgb { [r, g, b, a] } else { [r, g, b, self.factor(alpha)[3]] }
    }

    /// Table 4.1: a row's values for r, g, b and a.
    #[inline(always)]
    fn factor(&self, factor: BlendFactor) -> Color {
        let Self { source, stored, constant } = self;
        match factor {
            BlendFactor::Zero => [0.0; 4],
            BlendFactor::One => [1.0; 4],
            BlendFactor::SrcColor => *source,
            BlendFactor::OneMinusSrcColor => source.map(rest),
            BlendFactor::DstColor => *stored,
            BlendFactor::OneMinusDstColor => stored.map(rest),
            BlendFactor::SrcAlpha => [source[3]; 4],
            BlendFactor::OneMinusSrcAlpha => [rest(source[3]); 4],
            BlendFactor::DstAlpha => [stored[3]; 4],
            BlendFactor::OneMinusDstAlpha => [rest(stored[3]); 4],
            BlendFactor::ConstantColor => *constant,
            BlendFactor::OneMinusConstantColor => constant.map(rest),
            BlendFactor::ConstantAlpha => [constant[3]; 4],
            BlendFactor::OneMinusConstantAlpha => [rest(constant[3]); 4],
            BlendFactor::SrcAlphaSaturate => {
                let f = smaller(source[3], rest(stored[3]));
                [f, f, f, 1.0]
            }
        }
    }
}

#[inline(always)]
fn each(value: impl Fn(usize) -> f32) -> Color {
    std::array::from_fn(value)
}

#[inline(always)]
fn rest(x: f32) -> f32 {
    1.0 - x
}

/// Not `min`, which costs more.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
