//! Scale factor, level of detail, anisotropic probes and choice of mipmap levels (glspec15 3.8.8, eq. 3.16,
//! 3.17 and 3.23 to 3.25, EXT_texture_lod_bias, EXT_texture_filter_anisotropic).

use super::super::plan::{MipMode, Plan};
use super::super::sampler::{MAX_LOD_BIAS, MagFilter};
use super::super::{Gradients, Lookup};
use super::taps::clamp;
use super::{cube, half};
use crate::simd::Simd;

/// The polynomial that interpolates log2(1 + f) / f at nine Chebyshev nodes, for 1 + f from sqrt(1/2) to
/// sqrt(2). Coefficients of f^8 down to f^0.
pub(in super::super) const LOG2_FACTORS: [f32; 9] = [
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
pub(in super::super) const LOG2_LOWEST: i32 = 0x3F35_04F3;

/// The lanes of a lookup, starting with lane `at`.
#[derive(Clone, Copy)]
pub(super) struct Lanes<'a, const N: usize> {
    pub plan: &'a Plan,
    pub lookup: &'a Lookup<'a, N>,
    pub at: usize,
}

impl<const N: usize> Lanes<'_, N> {
    /// The values of each coordinate. Coordinates that the target does not have are zeros, because their
    /// registers may hold anything.
    #[inline(always)]
    pub(super) fn coordinates<V: Simd>(self, registers: [&[f32; N]; 3]) -> [V::F; 3] {
        let zero = V::floats(0.0);
        let [s, t, r] = registers;
        [
            V::load(s, self.at),
            if self.plan.axes == 1 { zero } else { V::load(t, self.at) },
            if self.plan.axes == 3 || self.plan.cube { V::load(r, self.at) } else { zero },
        ]
    }
}

/// Differences within quads: lower and upper row, then left and right column.
#[inline(always)]
fn differences<V: Simd>(registers: [V::F; 3]) -> [V::F; 3] {
    let mut d = registers;
    for (d, register) in d.iter_mut().zip(registers) {
        *d = V::quads::<0b11_10_11_01>(register) - V::quads::<0b01_00_10_00>(register);
    }
    d
}

/// The rows' values for both lanes of each row, from the result of [`differences`].
#[inline(always)]
fn along_x<V: Simd>(differences: V::F) -> V::F {
    V::quads::<0b01_01_00_00>(differences)
}

/// The columns' values for both lanes of each column.
#[inline(always)]
fn along_y<V: Simd>(differences: V::F) -> V::F {
    V::quads::<0b11_10_11_10>(differences)
}

/// Squared length of a pixel's side in texels of the base level, from coordinate derivatives. NaN counts as
/// zero.
#[inline(always)]
fn squared_length<V: Simd>(plan: &Plan, d: [V::F; 3]) -> V::F {
    let (du, dv) = (d[0] * V::floats(plan.texels[0]), d[1] * V::floats(plan.texels[1]));
    let mut sum = du * du + dv * dv;
    if plan.axes == 3 {
        let dw = d[2] * V::floats(plan.texels[2]);
        sum = sum + dw * dw;
    }
    V::maximum(sum, V::floats(0.0))
}

/// Derivatives of the coordinates along x and y.
#[inline(always)]
pub(super) fn sides<V: Simd, const N: usize>(lanes: Lanes<'_, N>, coordinates: [V::F; 3]) -> [[V::F; 3]; 2] {
    match &lanes.lookup.gradients {
        Gradients::Quad => {
            let [s, t, r] = differences::<V>(coordinates);
            [
                [along_x::<V>(s), along_x::<V>(t), along_x::<V>(r)],
                [along_y::<V>(s), along_y::<V>(t), along_y::<V>(r)],
            ]
        }
        Gradients::Explicit { dx, dy } => [lanes.coordinates::<V>(*dx), lanes.coordinates::<V>(*dy)],
        // Lookups with an explicit level do not use derivatives.
        Gradients::Level(_) => [[V::floats(0.0); 3]; 2],
    }
}

/// Derivatives of the position in the image. For cube maps, on the lane's own face.
#[inline(always)]
pub(super) fn sides_in_image<V: Simd>(
    plan: &Plan,
    coordinates: [V::F; 3],
    [dx, dy]: [[V::F; 3]; 2],
) -> [[V::F; 3]; 2] {
    if plan.cube {
        let face = cube::Face::<V>::of(coordinates);
        let on_face = face.quotients(coordinates);
        [face.derivatives(on_face, dx), face.derivatives(on_face, dy)]
    } else {
        [dx, dy]
    }
}

/// Squared lengths of a pixel's sides.
#[inline(always)]
pub(super) fn squared_lengths<V: Simd>(
    plan: &Plan,
    coordinates: [V::F; 3],
    sides: [[V::F; 3]; 2],
) -> [V::F; 2] {
    let [dx, dy] = sides_in_image::<V>(plan, coordinates, sides);
    [squared_length::<V>(plan, dx), squared_length::<V>(plan, dy)]
}

/// rho^2.
#[inline(always)]
fn rho_squared<V: Simd, const N: usize>(lanes: Lanes<'_, N>) -> V::F {
    let coordinates = lanes.coordinates::<V>(lanes.lookup.coords);
    let plan = lanes.plan;
    if let (Gradients::Quad, false) = (&lanes.lookup.gradients, plan.cube) {
        // Both lanes of a side share its length.
        let lengths = squared_length::<V>(plan, differences::<V>(coordinates));
        return V::maximum(along_x::<V>(lengths), along_y::<V>(lengths));
    }
    let [px2, py2] = squared_lengths::<V>(plan, coordinates, sides::<V, N>(lanes, coordinates));
    V::maximum(px2, py2)
}

/// log2 of a positive number, within 3e-8 absolute error plus rounding. Exact for powers of two. Zero and
/// denorms give -INF, INF gives INF, NaN gives -INF.
#[inline(always)]
fn log2<V: Simd>(x: V::F) -> V::F {
    // x = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)).
    let bits = V::bits(x);
    let e = V::shift_right::<23>(bits - V::ints(LOG2_LOWEST));
    let f = V::from_bits(bits - V::shift_left::<23>(e)) - V::floats(1.0);
    let [first, rest @ ..] = LOG2_FACTORS;
    let mut p = V::floats(first);
    for factor in rest {
        p = p * f + V::floats(factor);
    }
    let y = V::number(e) + f * p;
    let y = V::select(V::lt(V::floats(f32::MAX), x), V::floats(f32::INFINITY), y);
    V::select(V::le(V::floats(f32::MIN_POSITIVE), x), y, V::floats(f32::NEG_INFINITY))
}

/// A number from a program, with NaN as zero.
#[inline(always)]
fn number<V: Simd>(given: V::F) -> V::F {
    V::select(V::eq(given, given), given, V::floats(0.0))
}

/// The bias that is added to log2(rho). The sum of the lookup's and the sampler's bias is clamped
/// (ARB_fragment_program 3.11.6.3).
#[inline(always)]
pub(super) fn bias<V: Simd, const N: usize>(lanes: Lanes<'_, N>) -> V::F {
    let plan = lanes.plan;
    match lanes.lookup.bias {
        None => V::floats(plan.bias),
        Some(bias) => {
            let bias = V::floats(plan.sampler_bias) + number::<V>(V::load(bias, lanes.at));
            clamp::<V>(bias, V::floats(-MAX_LOD_BIAS), V::floats(MAX_LOD_BIAS))
        }
    }
}

/// lambda' from log2(rho): eq. 3.16.
#[inline(always)]
fn biased<V: Simd, const N: usize>(lanes: Lanes<'_, N>, base: V::F) -> V::F {
    base + bias::<V, N>(lanes)
}

/// Lambda from lambda'. If min > max, max wins.
#[inline(always)]
fn clamped<V: Simd>(plan: &Plan, lambda: V::F) -> V::F {
    clamp::<V>(lambda, V::floats(plan.min_lod), V::floats(plan.max_lod))
}

/// log2(rho) for lookups with one probe, or the explicit level.
#[inline(always)]
pub(super) fn base<V: Simd, const N: usize>(lanes: Lanes<'_, N>) -> V::F {
    match &lanes.lookup.gradients {
        Gradients::Level(level) => number::<V>(V::load(level, lanes.at)),
        Gradients::Quad | Gradients::Explicit { .. } => {
            V::floats(0.5) * log2::<V>(rho_squared::<V, N>(lanes))
        }
    }
}

/// Lambda' for lookups with one probe.
#[inline(always)]
fn unclamped<V: Simd, const N: usize>(lanes: Lanes<'_, N>) -> V::F {
    biased::<V, N>(lanes, base::<V, N>(lanes))
}

/// Lambda for lookups with one probe.
#[inline(always)]
pub(super) fn lambda<V: Simd, const N: usize>(lanes: Lanes<'_, N>) -> V::F {
    clamped::<V>(lanes.plan, unclamped::<V, N>(lanes))
}

/// The level that the filter uses, and lambda' (ARB_texture_query_lod).
#[inline(always)]
pub(super) fn query<V: Simd, const N: usize>(lanes: Lanes<'_, N>) -> [V::F; 2] {
    let plan = lanes.plan;
    let explicit = matches!(lanes.lookup.gradients, Gradients::Level(_));
    let computed = if plan.max_anisotropy > 1.0 && !explicit {
        probes::<V, N>(lanes).unclamped
    } else {
        unclamped::<V, N>(lanes)
    };
    let (zero, one) = (V::floats(0.0), V::floats(1.0));
    let lambda = clamp::<V>(clamped::<V>(plan, computed), zero, V::floats(plan.q));
    let filtered = match plan.mip {
        MipMode::None => zero,
        MipMode::Nearest => V::ceil(lambda + V::floats(0.5)) - one,
        MipMode::Linear => lambda,
    };
    [filtered, computed]
}

/// Anisotropic probes.
pub(super) struct Probes<V: Simd> {
    /// Number of probes, an integer of at least 1.
    pub count: V::F,
    /// The longer side of the pixel. If both are equal, the side along y.
    pub side: [V::F; 3],
    /// log2(Pmax / N).
    pub base: V::F,
    pub lambda: V::F,
    /// Lambda before clamping.
    pub unclamped: V::F,
}

/// The probes for a pixel (EXT_texture_filter_anisotropic). A pixel whose sides have no length, or an
/// infinite length, takes one probe.
#[inline(always)]
pub(super) fn probes<V: Simd, const N: usize>(lanes: Lanes<'_, N>) -> Probes<V> {
    let coordinates = lanes.coordinates::<V>(lanes.lookup.coords);
    let plan = lanes.plan;
    let [dx, dy] = sides::<V, N>(lanes, coordinates);
    let [px2, py2] = squared_lengths::<V>(plan, coordinates, [dx, dy]);
    let along_x = V::lt(py2, px2);
    let (px, py) = (V::sqrt(px2), V::sqrt(py2));
    let (longer, shorter) = (V::select(along_x, px, py), V::select(along_x, py, px));
    let one = V::floats(1.0);
    let ratio = V::ceil(longer / shorter);
    let count = V::minimum(ratio, V::floats(plan.max_anisotropy));
    let count = V::select(V::le(one, ratio), count, one);
    let base = log2::<V>(longer / count);
    let unclamped = biased::<V, N>(lanes, base);
    let lambda = clamped::<V>(plan, unclamped);
    let mut side = dy;
    for (side, dx) in side.iter_mut().zip(dx) {
        *side = V::select(along_x, dx, *side);
    }
    Probes { count, side, base, lambda, unclamped }
}

/// The levels of a lookup, their blend weight and the filter.
#[derive(Clone, Copy)]
pub(super) struct Levels<V: Simd> {
    /// The larger level, counted from level 0.
    pub level: V::I,
    /// Weight of the next smaller level.
    pub fraction: V::F,
    /// 1/2 in LINEAR lanes, 0 in NEAREST lanes: the filter subtracts this from u.
    pub half: V::F,
}

impl<V: Simd> Levels<V> {
    /// The base level with the magnification filter.
    #[inline(always)]
    pub(super) fn of_base(plan: &Plan) -> Self {
        Self { level: V::ints(plan.levels[0]), fraction: V::floats(0.0), half: V::floats(half(plan.mag)) }
    }

    /// The levels for a lambda. The magnification filter applies up to the constant c of 3.8.9.
    #[inline(always)]
    pub(super) fn choose(plan: &Plan, lambda: V::F) -> Self {
        let base = V::ints(plan.levels[0]);
        let magnified = V::le(lambda, V::floats(plan.switch_over));
        let (min, mag) = (V::floats(half(plan.min)), V::floats(half(plan.mag)));
        let half = if plan.min == plan.mag { min } else { V::select(magnified, mag, min) };
        let (q, zero, one_half) = (V::floats(plan.q), V::floats(0.0), V::floats(0.5));
        match plan.mip {
            MipMode::None => Self { level: base, fraction: zero, half },
            MipMode::Nearest => {
                // Eq. 3.23, with lambda clamped to the range of levels. Magnified lanes have a lambda of at
                // most 1/2, which selects level 0.
                let lambda = clamp::<V>(lambda, one_half, q + one_half);
                let d = V::whole(V::ceil(lambda + one_half)) - V::ints(1);
                Self { level: base + d, fraction: zero, half }
            }
            MipMode::Linear => {
                // Eq. 3.24 and 3.25. If both levels are q, the weight is 0.
                let lambda = V::select(magnified, zero, V::minimum(lambda, q));
                let d = V::whole(lambda);
                Self { level: base + d, fraction: lambda - V::number(d), half }
            }
        }
    }
}

/// Whether the result depends on the level of detail.
pub(super) fn wants_lambda(plan: &Plan) -> bool {
    plan.mip != MipMode::None || plan.min != plan.mag
}

/// Whether a filter blends texels.
pub(super) fn blends(plan: &Plan) -> bool {
    plan.min == MagFilter::Linear || plan.mag == MagFilter::Linear
}

/// The position of probe `i` of `n` along the side, from -1/2 to 1/2.
#[inline(always)]
pub(super) fn probe_step<V: Simd>(i: f32, n: V::F) -> V::F {
    V::floats(i) / (n + V::floats(1.0)) - V::floats(0.5)
}
