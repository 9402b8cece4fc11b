//! Scale factor, level of detail and choice of mipmap levels: glspec15 3.8.8, eq. 3.16, 3.17 and 3.23
//! to 3.25, EXT_texture_lod_bias, EXT_texture_filter_anisotropic.
//!
//! `fast::rho` does the same operations to vectors.

use super::plan::{MipMode, Plan};
use super::sampler::{MAX_LOD_BIAS, MagFilter};

/// log2(1 + f) / f interpolated at the nine Chebyshev nodes of the range of 1 + f, from sqrt(1/2) to sqrt(2):
/// factors of f^8 down to f^0.
pub(super) const LOG2_FACTORS: [f32; 9] = [
    0.123_109_68,
    -0.205_861_88,
    0.216_078_22,
    -0.239_169_88,
    0.287_903_25,
    -0.360_693_28,
    0.480_910_75,
    -0.721_347_45,
    std::f32::consts::LOG2_E,
];

/// The bits of sqrt(1/2).
pub(super) const LOG2_LOWEST: i32 = 0x3F35_04F3;

/// log2 of a positive number, within 3e-8 of a unit plus rounding; exact for powers of two.
/// Zero and denorms give -INF, INF gives INF, NaN gives -INF.
pub(super) fn log2(x: f32) -> f32 {
    // x = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)).
    let bits = x.to_bits();
    let e = (bits as i32).wrapping_sub(LOG2_LOWEST) >> 23;
    let f = f32::from_bits(bits.wrapping_sub((e as u32) << 23)) - 1.0;
    let p = LOG2_FACTORS[1..].iter().fold(LOG2_FACTORS[0], |p, factor| p * f + factor);
    let y = e as f32 + f * p;
    let y = if x > f32::MAX { f32::INFINITY } else { y };
    if x >= f32::MIN_POSITIVE { y } else { f32::NEG_INFINITY }
}

/// A squared length, where one that is not a number counts as zero.
pub(super) fn or_zero(length_squared: f32) -> f32 {
    if length_squared > 0.0 { length_squared } else { 0.0 }
}

/// The larger of two squared lengths that are numbers.
pub(super) fn longer(px2: f32, py2: f32) -> f32 {
    if px2 > py2 { px2 } else { py2 }
}

/// A number that a program gives, where one that is none counts as zero.
pub(super) fn number(given: f32) -> f32 {
    if given.is_nan() { 0.0 } else { given }
}

/// The bias of a lookup that adds `own` to the sampler's: clamped together (ARB_fragment_program 3.11.6.3).
pub(super) fn biased(plan: &Plan, own: f32) -> f32 {
    let bias = plan.sampler_bias + number(own);
    let bias = if bias > -MAX_LOD_BIAS { bias } else { -MAX_LOD_BIAS };
    if bias < MAX_LOD_BIAS { bias } else { MAX_LOD_BIAS }
}

/// log2(rho) from rho^2, before bias and clamps.
pub(super) fn lambda_base(rho_squared: f32) -> f32 {
    0.5 * log2(rho_squared)
}

/// lambda: eq. 3.16. `bias` is clamped already. Where min > max, max wins.
pub(super) fn lambda_clamped(base: f32, bias: f32, min: f32, max: f32) -> f32 {
    let biased = base + bias;
    let biased = if biased > min { biased } else { min };
    if biased < max { biased } else { max }
}

/// Level above the base level for the `_MIPMAP_NEAREST` filters, eq. 3.23; `q` counts from the base
/// level too.
pub(super) fn nearest_level(lambda: f32, q: f32) -> f32 {
    let d = if lambda > q + 0.5 { q } else { (lambda + 0.5).ceil() - 1.0 };
    if lambda <= 0.5 { 0.0 } else { d }
}

/// First level above the base level and the weight of the next one for the `_MIPMAP_LINEAR` filters,
/// eq. 3.24 and 3.25. Where both levels are q the weight is 0 and the second is not read.
pub(super) fn linear_levels(lambda: f32, q: f32) -> (f32, f32) {
    let d = lambda.floor();
    if lambda >= q { (q, 0.0) } else { (d, lambda - d) }
}

/// Squared lengths of the pixel's sides in texels of the base level, from coordinate derivatives.
pub(super) fn squared_lengths(plan: &Plan, dx: [f32; 3], dy: [f32; 3]) -> [f32; 2] {
    [dx, dy].map(|d| {
        let mut sum = 0.0;
        for (axis, &d) in d.iter().enumerate().take(plan.axes) {
            let texels = d * plan.texels[axis];
            sum = if axis == 0 { texels * texels } else { sum + texels * texels };
        }
        or_zero(sum)
    })
}

/// Which levels to filter and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    /// Filter within a level.
    pub filter: MagFilter,
    /// First level, counted from the base level.
    pub level: usize,
    /// Weight of the level after it; 0 where only the first is read.
    pub fraction: f32,
}

/// The choice for a lambda.
pub(super) fn choose(plan: &Plan, lambda: f32) -> Choice {
    if lambda <= plan.switch_over {
        return Choice { filter: plan.mag, level: 0, fraction: 0.0 };
    }
    let (level, fraction) = match plan.mip {
        MipMode::None => (0.0, 0.0),
        MipMode::Nearest => (nearest_level(lambda, plan.q), 0.0),
        MipMode::Linear => linear_levels(lambda, plan.q),
    };
    Choice { filter: plan.min, level: level as usize, fraction }
}

/// How many samples along which side of the pixel, and lambda' for each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Probes {
    /// Samples, a whole number from 1.
    pub count: f32,
    /// Whether the pixel's x side is strictly the longer one.
    pub along_x: bool,
    /// log2(Pmax / N).
    pub lambda_base: f32,
}

/// EXT_texture_filter_anisotropic's N, a whole number as a float, from the longer and the shorter side.
/// A pixel with no length either way, or with infinite ones, takes one sample.
pub(super) fn probe_count(longer: f32, shorter: f32, max_anisotropy: f32) -> f32 {
    let ratio = (longer / shorter).ceil();
    let n = if ratio < max_anisotropy { ratio } else { max_anisotropy };
    if ratio >= 1.0 { n } else { 1.0 }
}

/// Where probe `i` of `n` lies along the side, from -1/2 to 1/2.
pub(super) fn probe_step(i: f32, n: f32) -> f32 {
    i / (n + 1.0) - 0.5
}

/// The probes for a pixel with these squared lengths of its sides.
pub(super) fn probes(plan: &Plan, [px2, py2]: [f32; 2]) -> Probes {
    let along_x = px2 > py2;
    if plan.max_anisotropy <= 1.0 {
        return Probes { count: 1.0, along_x, lambda_base: lambda_base(longer(px2, py2)) };
    }
    let (px, py) = (px2.sqrt(), py2.sqrt());
    let (longer, shorter) = if along_x { (px, py) } else { (py, px) };
    let count = probe_count(longer, shorter, plan.max_anisotropy);
    Probes { count, along_x, lambda_base: log2(longer / count) }
}
