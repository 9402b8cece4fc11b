//! Blending (4.1.8; 4.1.7 of older texts): equations and factors.
//!
//! The clause is written for a fixed-point buffer. Source, destination and constant are therefore clamped
//! to `[0,1]` before and the result after, NaN being 0; but nothing is rounded to fewer bits than fp32
//! has. Each factor, product and sum is rounded once, never fused.

use super::{Color, clamp, each};
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
    let operands = Operands {
        source: each(|c| clamp(source[c])),
        stored: each(|c| clamp(stored[c])),
        constant: each(|c| clamp(blend.color[c])),
    };
    let Operands { source, stored, .. } = &operands;
    match blend.equation {
        BlendEquation::Add => operands.weighted(blend, |source, stored| source + stored),
        BlendEquation::Subtract => operands.weighted(blend, |source, stored| source - stored),
        BlendEquation::ReverseSubtract => operands.weighted(blend, |source, stored| stored - source),
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
    /// Source and stored colour, each times its factors, combined and clamped.
    #[inline(always)]
    fn weighted(&self, blend: &Blend, combine: impl Fn(f32, f32) -> f32) -> Color {
        let source = self.factors(blend.rgb[0], blend.alpha[0]);
        let stored = self.factors(blend.rgb[1], blend.alpha[1]);
        each(|c| clamp(combine(self.source[c] * source[c], self.stored[c] * stored[c])))
    }

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
            BlendFactor::OneMinusSrcColor => each(|c| rest(source[c])),
            BlendFactor::DstColor => *stored,
            BlendFactor::OneMinusDstColor => each(|c| rest(stored[c])),
            BlendFactor::SrcAlpha => [source[3]; 4],
            BlendFactor::OneMinusSrcAlpha => [rest(source[3]); 4],
            BlendFactor::DstAlpha => [stored[3]; 4],
            BlendFactor::OneMinusDstAlpha => [rest(stored[3]); 4],
            BlendFactor::ConstantColor => *constant,
            BlendFactor::OneMinusConstantColor => each(|c| rest(constant[c])),
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
fn rest(x: f32) -> f32 {
    1.0 - x
}

/// Not `min`, which costs more.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
