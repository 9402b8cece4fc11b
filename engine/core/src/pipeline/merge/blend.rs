//! Blending (4.1.8; 4.1.7 in older specifications): equations and factors. Each factor, product and sum is
//! rounded once; there are no fused operations.

use super::{Colors, clamp, colors, each};
use crate::pipeline::{Blend, BlendEquation, BlendFactor};

/// The usual blend of transparent fragments. A constant, so that the compiler removes the choices from the
/// loop.
pub(super) const OVER: Blend = Blend {
    equation: BlendEquation::Add,
    rgb: [BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha],
    alpha: [BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha],
    color: [0.0; 4],
};

/// Whether `blend` has the same effect as [`OVER`].
pub(super) fn is_over(blend: &Blend) -> bool {
    Blend { color: OVER.color, ..*blend } == OVER
}

/// The source colours of fragments.
pub(super) struct Sources<const N: usize> {
    /// First source colours.
    pub first: Colors<N>,
    /// Second source colours; unspecified if no factor uses them.
    pub second: Colors<N>,
}

/// Blends fragments' colours with the stored ones.
#[inline(always)]
pub(super) fn blend<const N: usize>(blend: &Blend, source: &Sources<N>, stored: &Colors<N>) -> Colors<N> {
    let Sources { first, second } = source;
    let operands = Operands {
        source: colors(|c, lane| clamp(first[c][lane])),
        second: colors(|c, lane| clamp(second[c][lane])),
        stored: colors(|c, lane| clamp(stored[c][lane])),
        constant: blend.color.map(clamp),
    };
    let Operands { source, stored, .. } = &operands;
    match blend.equation {
        BlendEquation::Add => operands.weighted(blend, |source, stored| source + stored),
        BlendEquation::Subtract => operands.weighted(blend, |source, stored| source - stored),
        BlendEquation::ReverseSubtract => operands.weighted(blend, |source, stored| stored - source),
        BlendEquation::Min => colors(|c, lane| minimum(source[c][lane], stored[c][lane])),
        BlendEquation::Max => colors(|c, lane| {
            let (source, stored) = (source[c][lane], stored[c][lane]);
            if source > stored { source } else { stored }
        }),
    }
}

/// The operands of blending for one fragment: source colour, stored colour and the factors of each. Colours
/// are clamped.
pub(super) fn operands(
    blend: &Blend,
    [first, second]: [super::Color; 2],
    stored: super::Color,
) -> ([super::Color; 2], [super::Color; 2]) {
    let one = |color: super::Color| color.map(|x| [clamp(x)]);
    let constant = blend.color.map(clamp);
    let operands = Operands { source: one(first), second: one(second), stored: one(stored), constant };
    let factors = [0, 1].map(|side| operands.factors(blend.rgb[side], blend.alpha[side]).map(|[x]| x));
    ([first, stored].map(|color| color.map(clamp)), factors)
}

/// The clamped operands of blending.
struct Operands<const N: usize> {
    source: Colors<N>,
    second: Colors<N>,
    stored: Colors<N>,
    constant: [f32; 4],
}

impl<const N: usize> Operands<N> {
    /// Source and stored colour, each multiplied by its factors, then combined and clamped.
    #[inline(always)]
    fn weighted(&self, blend: &Blend, combine: impl Fn(f32, f32) -> f32) -> Colors<N> {
        let source = self.factors(blend.rgb[0], blend.alpha[0]);
        let stored = self.factors(blend.rgb[1], blend.alpha[1]);
        colors(|c, lane| {
            let (source, stored) =
                (self.source[c][lane] * source[c][lane], self.stored[c][lane] * stored[c][lane]);
            clamp(combine(source, stored))
        })
    }

    /// The factors of r, g, b and a.
    #[inline(always)]
    fn factors(&self, rgb: BlendFactor, alpha: BlendFactor) -> Colors<N> {
        let [r, g, b, a] = self.factor(rgb);
        if alpha == rgb { [r, g, b, a] } else { [r, g, b, self.factor(alpha)[3]] }
    }

    /// Table 4.2 of ARB_blend_func_extended: the values of a factor for r, g, b and a.
    #[inline(always)]
    fn factor(&self, factor: BlendFactor) -> Colors<N> {
        let Self { source, second, stored, constant } = self;
        match factor {
            BlendFactor::Zero => [[0.0; N]; 4],
            BlendFactor::One => [[1.0; N]; 4],
            BlendFactor::SrcColor => *source,
            BlendFactor::OneMinusSrcColor => colors(|c, lane| rest(source[c][lane])),
            BlendFactor::DstColor => *stored,
            BlendFactor::OneMinusDstColor => colors(|c, lane| rest(stored[c][lane])),
            BlendFactor::SrcAlpha => [source[3]; 4],
            BlendFactor::OneMinusSrcAlpha => [each(|lane| rest(source[3][lane])); 4],
            BlendFactor::DstAlpha => [stored[3]; 4],
            BlendFactor::OneMinusDstAlpha => [each(|lane| rest(stored[3][lane])); 4],
            BlendFactor::ConstantColor => constant.map(|value| [value; N]),
            BlendFactor::OneMinusConstantColor => constant.map(|value| [rest(value); N]),
            BlendFactor::ConstantAlpha => [[constant[3]; N]; 4],
            BlendFactor::OneMinusConstantAlpha => [[rest(constant[3]); N]; 4],
            BlendFactor::SrcAlphaSaturate => {
                let f = each(|lane| minimum(source[3][lane], rest(stored[3][lane])));
                [f, f, f, [1.0; N]]
            }
            BlendFactor::Src1Color => *second,
            BlendFactor::OneMinusSrc1Color => colors(|c, lane| rest(second[c][lane])),
            BlendFactor::Src1Alpha => [second[3]; 4],
            BlendFactor::OneMinusSrc1Alpha => [each(|lane| rest(second[3][lane])); 4],
        }
    }
}

#[inline(always)]
fn rest(x: f32) -> f32 {
    1.0 - x
}

/// Faster than `min`.
#[inline(always)]
fn minimum(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
