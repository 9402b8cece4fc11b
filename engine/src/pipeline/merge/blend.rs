//! Blending (4.1.8; 4.1.7 of older texts): equations and factors.
//!
//! The clause is written for a fixed-point buffer. Source, destination and constant are therefore clamped
//! to `[0,1]` before and the result after, NaN being 0; but nothing is rounded to fewer bits than fp32
//! has. Each factor, product and sum is rounded once, never fused.

use super::{Pixels, clamp};
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

/// Blends the colours of N fragments with the stored ones.
#[inline(always)]
pub(super) fn blend<const N: usize>(blend: &Blend, source: &Pixels<N>, stored: &Pixels<N>) -> Pixels<N> {
    let operands = Operands {
        source: source.map(|pixel| pixel.map(clamp)),
        stored: stored.map(|pixel| pixel.map(clamp)),
        constant: blend.color.map(clamp),
    };
    let Operands { source, stored, .. } = &operands;
    let factors = |i: usize| operands.factors(blend.rgb[i], blend.alpha[i]);
    let weighted = |combine: fn(f32, f32) -> f32| {
        let (source_factors, stored_factors) = (factors(0), factors(1));
        let source = zip(source, &source_factors, |value, factor| value * factor);
        let stored = zip(stored, &stored_factors, |value, factor| value * factor);
        zip(&source, &stored, combine)
    };
    match blend.equation {
        BlendEquation::Add => weighted(|source, stored| clamp(source + stored)),
        BlendEquation::Subtract => weighted(|source, stored| clamp(source - stored)),
        BlendEquation::ReverseSubtract => weighted(|source, stored| clamp(stored - source)),
        BlendEquation::Min => zip(source, stored, smaller),
        BlendEquation::Max => zip(source, stored, |s, d| if s > d { s } else { d }),
    }
}

/// What blending works on, clamped.
struct Operands<const N: usize> {
    source: Pixels<N>,
    stored: Pixels<N>,
    constant: [f32; 4],
}

impl<const N: usize> Operands<N> {
    /// The factors of r, g and b, and that of a.
    #[inline(always)]
    fn factors(&self, rgb: BlendFactor, alpha: BlendFactor) -> Pixels<N> {
        let factors = self.factor(rgb);
        if alpha == rgb {
            return factors;
        }
        let alphas = self.factor(alpha);
        std::array::from_fn(|i| [factors[i][0], factors[i][1], factors[i][2], alphas[i][3]])
    }

    /// Table 4.1: a row's values for r, g, b and a.
    #[inline(always)]
    fn factor(&self, factor: BlendFactor) -> Pixels<N> {
        let Self { source, stored, constant } = self;
        match factor {
            BlendFactor::Zero => [[0.0; 4]; N],
            BlendFactor::One => [[1.0; 4]; N],
            BlendFactor::SrcColor => *source,
            BlendFactor::OneMinusSrcColor => source.map(|pixel| pixel.map(rest)),
            BlendFactor::DstColor => *stored,
            BlendFactor::OneMinusDstColor => stored.map(|pixel| pixel.map(rest)),
            BlendFactor::SrcAlpha => source.map(|pixel| [pixel[3]; 4]),
            BlendFactor::OneMinusSrcAlpha => source.map(|pixel| [rest(pixel[3]); 4]),
            BlendFactor::DstAlpha => stored.map(|pixel| [pixel[3]; 4]),
            BlendFactor::OneMinusDstAlpha => stored.map(|pixel| [rest(pixel[3]); 4]),
            BlendFactor::ConstantColor => [*constant; N],
            BlendFactor::OneMinusConstantColor => [constant.map(rest); N],
            BlendFactor::ConstantAlpha => [[constant[3]; 4]; N],
            BlendFactor::OneMinusConstantAlpha => [[rest(constant[3]); 4]; N],
            BlendFactor::SrcAlphaSaturate => std::array::from_fn(|i| {
                let f = smaller(source[i][3], rest(stored[i][3]));
                [f, f, f, 1.0]
            }),
        }
    }
}

#[inline(always)]
fn zip<const N: usize>(a: &Pixels<N>, b: &Pixels<N>, f: impl Fn(f32, f32) -> f32) -> Pixels<N> {
    std::array::from_fn(|i| std::array::from_fn(|component| f(a[i][component], b[i][component])))
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
