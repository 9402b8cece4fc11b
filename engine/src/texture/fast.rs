//! The common lookups, many lanes at once: every target but 3D, every format and filter, with REPEAT,
//! CLAMP_TO_EDGE or MIRRORED_REPEAT and without anisotropy. The same bits as `filter`, which does
//! everything else: each lane goes through the same IEEE operations, those that only select between
//! exact values aside.
//!
//! Each step is a loop over lanes that the compiler turns into vector code; the loops are compiled for
//! AVX-512, AVX2 and the target's baseline, and the best that the processor has is chosen when a
//! sampler is set.
//!
//! Where the magnification and minification filter differ, a NEAREST lane goes through the linear
//! filter's arithmetic with weights 1 and 0, which leaves its texel as it is: float formats, whose
//! infinities that would not suit, are NEAREST in both. 1D is 2D with t where there is but one texel.
#![expect(unsafe_code, reason = "calls of the vector instances, float-to-int conversions and texel fetches")]
#![expect(clippy::needless_range_loop, reason = "lane loops index several rows alike")]

use super::cube::{self, Face};
use super::plan::{MipMode, Plan};
use super::sampler::{MagFilter, Sampler, Wrap};
use super::store::{Store, Texels};
use super::{Gradients, Lookup, filter, lod, result_rows};
use crate::ir::TextureTarget;

/// Fewer lanes than this go the general way: the loops would not fill a vector.
pub(super) const MIN_LANES: usize = 16;

/// Instruction sets there is an instance for. Only [`Isa::available`] makes the others than the
/// baseline, so holding one means that the processor has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Isa(Level);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// What this processor has, best first.
    pub(super) fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let vector = {
            let avx2 = is_x86_feature_detected!("avx2");
            let avx512 = avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw");
            [avx512.then_some(Level::Avx512), avx2.then_some(Level::Avx2)]
        };
        #[cfg(not(target_arch = "x86_64"))]
        let vector = [None, None];
        vector.into_iter().flatten().chain([Level::Baseline]).map(Self)
    }
}

/// What the fast path needs beside the [`Plan`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Fast {
    isa: Isa,
    /// Wrap modes of s and t.
    wrap: [AxisMode; 2],
    /// Width and height of level 0.
    size: [i32; 2],
    /// Texels of the closed-form layout: level l begins at `slots - (slots >> l)`.
    slots: i32,
    /// Base level and q.
    levels: [i32; 2],
    /// Components of a texel.
    components: i32,
}

#[derive(Clone, Copy, Debug)]
enum AxisMode {
    Repeat,
    Edge,
    EdgeUnnormalised,
    Mirrored,
}

impl Fast {
    /// `None` where the general way has to do it. The texture is complete.
    pub(super) fn new(target: TextureTarget, store: &Store, sampler: &Sampler, q: usize) -> Option<Self> {
        let normalised = match target {
            TextureTarget::D1 | TextureTarget::D2 | TextureTarget::Cube => true,
            TextureTarget::Rect => false,
            TextureTarget::D3 => return None,
        };
        let slots = i32::try_from(store.regular_face?).ok()?;
        if sampler.max_anisotropy >= 2.0 {
            return None;
        }
        let mode = |wrap| match wrap {
            Wrap::Repeat => Some(AxisMode::Repeat),
            Wrap::MirroredRepeat => Some(AxisMode::Mirrored),
            Wrap::ClampToEdge if normalised => Some(AxisMode::Edge),
            Wrap::ClampToEdge => Some(AxisMode::EdgeUnnormalised),
            Wrap::Clamp | Wrap::ClampToBorder => None,
        };
        let [w, h, _] = store.levels[0].size[0];
        Some(Self {
            isa: Isa::available().next()?,
            wrap: match target {
                TextureTarget::D1 => [mode(sampler.wrap[0])?, AxisMode::Edge],
                _ => [mode(sampler.wrap[0])?, mode(sampler.wrap[1])?],
            },
            size: [w as i32, h as i32],
            slots,
            levels: [sampler.base_level as i32, q as i32],
            components: store.components as i32,
        })
    }

    /// The same compiled for another instruction set.
    #[cfg(test)]
    pub(super) fn with_isa(self, isa: Isa) -> Self {
        Self { isa, ..self }
    }

    /// [`super::Texture::sample`] for a texture with these texels.
    pub(super) fn sample<const N: usize>(
        &self,
        texels: &Texels,
        plan: &Plan,
        lookup: &Lookup<'_, N>,
        out: &mut [[f32; N]; 4],
        lambda: Option<&mut [f32; N]>,
    ) {
        match self.isa.0 {
            Level::Baseline => run(self, texels, plan, lookup, out, lambda),
            // SAFETY: an `Isa` of this level exists only where the processor has the features.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { run_avx2(self, texels, plan, lookup, out, lambda) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { run_avx512(self, texels, plan, lookup, out, lambda) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<const N: usize>(
    fast: &Fast,
    texels: &Texels,
    plan: &Plan,
    lookup: &Lookup<'_, N>,
    out: &mut [[f32; N]; 4],
    lambda: Option<&mut [f32; N]>,
) {
    run(fast, texels, plan, lookup, out, lambda);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
fn run_avx512<const N: usize>(
    fast: &Fast,
    texels: &Texels,
    plan: &Plan,
    lookup: &Lookup<'_, N>,
    out: &mut [[f32; N]; 4],
    lambda: Option<&mut [f32; N]>,
) {
    run(fast, texels, plan, lookup, out, lambda);
}

/// Per lane: which levels, how blended, how filtered.
struct Levels<const N: usize> {
    /// Nearer level, counted from level 0.
    level: [i32; N],
    /// Weight of the level after it.
    fraction: [f32; N],
    /// 1/2 for LINEAR lanes, 0 for NEAREST ones: what the filter takes from u.
    half: [f32; N],
    /// Where the lane's face begins.
    face: [i32; N],
}

/// Per lane: the texels along one axis.
struct Taps<const N: usize> {
    index: [[i32; N]; 2],
    alpha: [f32; N],
}

#[inline(always)]
fn run<const N: usize>(
    fast: &Fast,
    texels: &Texels,
    plan: &Plan,
    lookup: &Lookup<'_, N>,
    out: &mut [[f32; N]; 4],
    lambda: Option<&mut [f32; N]>,
) {
    let zeros = [0.0; N];
    let wants_rho = lambda.is_some() || plan.mip != MipMode::None || plan.min != plan.mag;
    let mut levels =
        Levels { level: [fast.levels[0]; N], fraction: [0.0; N], half: [half(plan.mag); N], face: [0; N] };
    let mut rho_squared = [0.0; N];
    let mut on_face = [[0.0; N]; 2];
    let coordinates = if plan.cube {
        let [s, t] = &mut on_face;
        for lane in 0..N {
            let r = lookup.coords.map(|row| row[lane]);
            let face = Face::of(r);
            let st = cube::coordinates(face.project(r));
            levels.face[lane] = face.index() * fast.slots;
            (s[lane], t[lane]) = (st[0], st[1]);
        }
        if wants_rho {
            cube_squared_rho(plan, lookup, &mut rho_squared);
        }
        on_face.each_ref()
    } else {
        let coordinates = flat(plan, lookup.coords, &zeros);
        if wants_rho {
            match &lookup.gradients {
                Gradients::Quad => quad_squared_rho(plan, coordinates, &mut rho_squared),
                Gradients::Explicit { dx, dy } => {
                    squared_rho(plan, flat(plan, *dx, &zeros), flat(plan, *dy, &zeros), &mut rho_squared)
                }
            }
        }
        coordinates
    };
    if wants_rho {
        select_levels(fast, plan, &rho_squared, &mut levels, lambda);
    }
    let linear = plan.min == MagFilter::Linear || plan.mag == MagFilter::Linear;
    let mut sums = [[0.0; N]; 4];
    sample_level(fast, texels, coordinates, &levels, linear, &mut sums);
    let blended = levels.fraction.iter().fold(0, |bits, f| bits | f.to_bits()) != 0;
    if blended {
        for level in &mut levels.level {
            *level = (*level + 1).min(fast.levels[1]);
        }
        let mut far = [[0.0; N]; 4];
        sample_level(fast, texels, coordinates, &levels, linear, &mut far);
        for (sums, far) in sums.iter_mut().zip(&far) {
            for lane in 0..N {
                let f = levels.fraction[lane];
                sums[lane] = (1.0 - f) * sums[lane] + f * far[lane];
            }
        }
    }
    result_rows(plan, &sums, out);
}

/// The rows for s and t: zeros for 1D's t, which is not read and must not count.
#[inline(always)]
fn flat<'a, const N: usize>(
    plan: &Plan,
    [s, t, _]: [&'a [f32; N]; 3],
    zeros: &'a [f32; N],
) -> [&'a [f32; N]; 2] {
    [s, if plan.axes == 1 { zeros } else { t }]
}

/// What a filter takes from u before it rounds down.
fn half(filter: MagFilter) -> f32 {
    match filter {
        MagFilter::Nearest => 0.0,
        MagFilter::Linear => 0.5,
    }
}

/// Squared length of a pixel's side, as `lod::squared_lengths` gives it for two axes.
#[inline(always)]
fn squared_length(plan: &Plan, ds: f32, dt: f32) -> f32 {
    let (du, dv) = (ds * plan.texels[0], dt * plan.texels[1]);
    lod::or_zero(du * du + dv * dv)
}

/// rho^2 of every lane from derivatives of s and t.
#[inline(always)]
fn squared_rho<const N: usize>(
    plan: &Plan,
    dx: [&[f32; N]; 2],
    dy: [&[f32; N]; 2],
    rho_squared: &mut [f32; N],
) {
    for lane in 0..N {
        rho_squared[lane] = lod::longer(
            squared_length(plan, dx[0][lane], dx[1][lane]),
            squared_length(plan, dy[0][lane], dy[1][lane]),
        );
    }
}

/// rho^2 of every lane from differences within quads; a side's length serves both its lanes.
#[inline(always)]
fn quad_squared_rho<const N: usize>(plan: &Plan, [s, t]: [&[f32; N]; 2], rho_squared: &mut [f32; N]) {
    let quads = s.as_chunks::<4>().0.iter().zip(t.as_chunks::<4>().0);
    for (rho, (s, t)) in rho_squared.as_chunks_mut::<4>().0.iter_mut().zip(quads) {
        let side = |to: usize, from: usize| squared_length(plan, s[to] - s[from], t[to] - t[from]);
        let (lower, upper) = (side(1, 0), side(3, 2));
        let (left, right) = (side(2, 0), side(3, 1));
        *rho = [
            lod::longer(lower, left),
            lod::longer(lower, right),
            lod::longer(upper, left),
            lod::longer(upper, right),
        ];
    }
}

/// rho^2 of every lane of a cube map, on the lane's own face.
#[inline(always)]
fn cube_squared_rho<const N: usize>(plan: &Plan, lookup: &Lookup<'_, N>, rho_squared: &mut [f32; N]) {
    let mut differences = [[[0.0; N]; 3]; 2];
    let [dx, dy] = match &lookup.gradients {
        Gradients::Explicit { dx, dy } => [*dx, *dy],
        Gradients::Quad => {
            let [dx, dy] = &mut differences;
            for (c, row) in lookup.coords.iter().enumerate() {
                let quads = row.as_chunks::<4>().0.iter();
                let dx = dx[c].as_chunks_mut::<4>().0.iter_mut();
                let dy = dy[c].as_chunks_mut::<4>().0.iter_mut();
                for ((r, dx), dy) in quads.zip(dx).zip(dy) {
                    let (lower, upper) = (r[1] - r[0], r[3] - r[2]);
                    let (left, right) = (r[2] - r[0], r[3] - r[1]);
                    *dx = [lower, lower, upper, upper];
                    *dy = [left, right, left, right];
                }
            }
            [dx.each_ref(), dy.each_ref()]
        }
    };
    for lane in 0..N {
        let r = lookup.coords.map(|row| row[lane]);
        let face = Face::of(r);
        let r = face.project(r);
        let length = |d: [&[f32; N]; 3]| {
            let [ds, dt] = cube::derivatives(r, face.project(d.map(|row| row[lane])));
            squared_length(plan, ds, dt)
        };
        rho_squared[lane] = lod::longer(length(dx), length(dy));
    }
}

/// `lod::choose` for every lane.
#[inline(always)]
fn select_levels<const N: usize>(
    fast: &Fast,
    plan: &Plan,
    rho_squared: &[f32; N],
    levels: &mut Levels<N>,
    lambda: Option<&mut [f32; N]>,
) {
    let mut own = [0.0; N];
    let lambda = lambda.unwrap_or(&mut own);
    for lane in 0..N {
        let base = lod::lambda_base(rho_squared[lane]);
        lambda[lane] = lod::lambda_clamped(base, plan.bias, plan.min_lod, plan.max_lod);
    }
    let (min, mag) = (half(plan.min), half(plan.mag));
    for lane in 0..N {
        levels.half[lane] = if lambda[lane] <= plan.switch_over { mag } else { min };
    }
    match plan.mip {
        MipMode::None => {}
        MipMode::Nearest => {
            for lane in 0..N {
                let lambda = lambda[lane];
                let d = lod::nearest_level(lambda, plan.q);
                levels.level[lane] = fast.levels[0] + whole(if lambda <= plan.switch_over { 0.0 } else { d });
            }
        }
        MipMode::Linear => {
            for lane in 0..N {
                let lambda = lambda[lane];
                let (d, f) = lod::linear_levels(lambda, plan.q);
                let magnified = lambda <= plan.switch_over;
                levels.level[lane] = fast.levels[0] + whole(if magnified { 0.0 } else { d });
                levels.fraction[lane] = if magnified { 0.0 } else { f };
            }
        }
    }
}

/// A whole number as an integer.
#[inline(always)]
fn whole(x: f32) -> i32 {
    // SAFETY: callers pass levels of detail, which are clamped to [0, q], and texel numbers made from
    // coordinates clamped to the image: never NaN, and at most 16384 in magnitude.
    unsafe { x.to_int_unchecked() }
}

/// Filters one level for every lane: components in store units.
#[inline(always)]
fn sample_level<const N: usize>(
    fast: &Fast,
    texels: &Texels,
    [s, t]: [&[f32; N]; 2],
    levels: &Levels<N>,
    linear: bool,
    out: &mut [[f32; N]; 4],
) {
    let mut across = Taps { index: [[0; N]; 2], alpha: [0.0; N] };
    let mut up = Taps { index: [[0; N]; 2], alpha: [0.0; N] };
    axis(fast.wrap[0], fast.size[0], s, levels, &mut across);
    axis(fast.wrap[1], fast.size[1], t, levels, &mut up);
    match (texels, linear) {
        (Texels::Packed(texels), true) => fetch_linear(fast, texels, levels, &across, &up, out),
        (Texels::Packed(texels), false) => fetch_nearest(fast, texels, levels, &across, &up, out),
        (Texels::Float(values), true) => fetch_float_linear(fast, values, levels, &across, &up, out),
        (Texels::Float(values), false) => fetch_float_nearest(fast, values, levels, &across, &up, out),
    }
}

/// A wrap mode along an axis: how u is made, and which texel comes after one.
#[inline(always)]
fn axis<const N: usize>(mode: AxisMode, size: i32, s: &[f32; N], levels: &Levels<N>, taps: &mut Taps<N>) {
    match mode {
        AxisMode::Repeat => {
            axis_with(size, s, levels, taps, filter::repeat, |next, size| if next < size { next } else { 0 });
        }
        AxisMode::Edge => {
            axis_with(size, s, levels, taps, |s, n| filter::clamp_to_edge(s * n, n), |i, n| i.min(n - 1));
        }
        AxisMode::EdgeUnnormalised => {
            axis_with(size, s, levels, taps, filter::clamp_to_edge, |i, n| i.min(n - 1));
        }
        AxisMode::Mirrored => {
            axis_with(size, s, levels, taps, filter::mirrored_repeat, |i, n| i.min(n - 1));
        }
    }
}

#[inline(always)]
fn axis_with<const N: usize>(
    size: i32,
    s: &[f32; N],
    levels: &Levels<N>,
    taps: &mut Taps<N>,
    wrapped: impl Fn(f32, f32) -> f32,
    after: impl Fn(i32, i32) -> i32,
) {
    let [first, second] = &mut taps.index;
    for lane in 0..N {
        let size = level_size(size, levels.level[lane]);
        let x = wrapped(s[lane], size as f32) - levels.half[lane];
        let floor = x.floor();
        taps.alpha[lane] = if levels.half[lane] > 0.0 { x - floor } else { 0.0 };
        // -1 only with REPEAT and LINEAR; `size` only with REPEAT and NEAREST (eq. 3.19).
        let i = whole(floor);
        let i_in = i.min(size - 1);
        first[lane] = if i < 0 { size - 1 } else { i_in };
        second[lane] = after(i + 1, size);
    }
}

/// Width or height of a level.
#[inline(always)]
fn level_size(size: i32, level: i32) -> i32 {
    (size >> (level & 31)).max(1)
}

/// First texel of a lane's row.
#[inline(always)]
fn row_start<const N: usize>(fast: &Fast, levels: &Levels<N>, up: &Taps<N>, tap: usize, lane: usize) -> i32 {
    let level = levels.level[lane];
    let width = level_size(fast.size[0], level);
    let origin = fast.slots - (fast.slots >> (level & 31));
    levels.face[lane] + origin + up.index[tap][lane] * width
}

/// Weights of the four texels (0,0), (1,0), (0,1), (1,1), eq. 3.22.
#[inline(always)]
fn weights(a: f32, b: f32) -> [f32; 4] {
    [(1.0 - a) * (1.0 - b), a * (1.0 - b), (1.0 - a) * b, a * b]
}

/// The last index of a slice that [`read`] may read, or `None` for one that it may not.
fn last_index<T>(all: &[T]) -> Option<u32> {
    i32::try_from(all.len()).ok()?.checked_sub(1).and_then(|last| u32::try_from(last).ok())
}

/// Reads an element. `index` is in range unless there is a mistake somewhere, and then it is the last
/// one that is read. `last` comes from [`last_index`] of the same slice.
#[inline(always)]
fn read<T: Copy>(all: &[T], last: u32, index: i32) -> T {
    let index = (index as u32).min(last) as i32;
    // SAFETY: `last` is the last index and below 2^31, so `index` is from 0 to it.
    unsafe { *all.as_ptr().offset(index as isize) }
}

#[inline(always)]
fn component(texel: u32, shift: u32) -> f32 {
    ((texel >> shift) & 255) as i32 as f32
}

#[inline(always)]
fn fetch_nearest<const N: usize>(
    fast: &Fast,
    texels: &[u32],
    levels: &Levels<N>,
    across: &Taps<N>,
    up: &Taps<N>,
    out: &mut [[f32; N]; 4],
) {
    let Some(last) = last_index(texels) else { return };
    let [x, y, z, w] = out;
    for lane in 0..N {
        let t = read(texels, last, row_start(fast, levels, up, 0, lane) + across.index[0][lane]);
        x[lane] = component(t, 0);
        y[lane] = component(t, 8);
        z[lane] = component(t, 16);
        w[lane] = component(t, 24);
    }
}

#[inline(always)]
fn fetch_linear<const N: usize>(
    fast: &Fast,
    texels: &[u32],
    levels: &Levels<N>,
    across: &Taps<N>,
    up: &Taps<N>,
    out: &mut [[f32; N]; 4],
) {
    let Some(last) = last_index(texels) else { return };
    let [x, y, z, w] = out;
    for lane in 0..N {
        let lower = row_start(fast, levels, up, 0, lane);
        let upper = row_start(fast, levels, up, 1, lane);
        let (i0, i1) = (across.index[0][lane], across.index[1][lane]);
        let t00 = read(texels, last, lower + i0);
        let t10 = read(texels, last, lower + i1);
        let t01 = read(texels, last, upper + i0);
        let t11 = read(texels, last, upper + i1);
        let [w00, w10, w01, w11] = weights(across.alpha[lane], up.alpha[lane]);
        let blend = |shift| {
            w00 * component(t00, shift)
                + w10 * component(t10, shift)
                + w01 * component(t01, shift)
                + w11 * component(t11, shift)
        };
        x[lane] = blend(0);
        y[lane] = blend(8);
        z[lane] = blend(16);
        w[lane] = blend(24);
    }
}

#[inline(always)]
fn fetch_float_nearest<const N: usize>(
    fast: &Fast,
    values: &[f32],
    levels: &Levels<N>,
    across: &Taps<N>,
    up: &Taps<N>,
    out: &mut [[f32; N]; 4],
) {
    let Some(last) = last_index(values) else { return };
    for (c, row) in (0..fast.components).zip(out) {
        for lane in 0..N {
            let texel = row_start(fast, levels, up, 0, lane) + across.index[0][lane];
            row[lane] = read(values, last, texel * fast.components + c);
        }
    }
}

#[inline(always)]
fn fetch_float_linear<const N: usize>(
    fast: &Fast,
    values: &[f32],
    levels: &Levels<N>,
    across: &Taps<N>,
    up: &Taps<N>,
    out: &mut [[f32; N]; 4],
) {
    let Some(last) = last_index(values) else { return };
    for (c, row) in (0..fast.components).zip(out) {
        for lane in 0..N {
            let lower = row_start(fast, levels, up, 0, lane);
            let upper = row_start(fast, levels, up, 1, lane);
            let value = |texel: i32| read(values, last, texel * fast.components + c);
            let (i0, i1) = (across.index[0][lane], across.index[1][lane]);
            let [w00, w10, w01, w11] = weights(across.alpha[lane], up.alpha[lane]);
            row[lane] = w00 * value(lower + i0)
                + w10 * value(lower + i1)
                + w01 * value(upper + i0)
                + w11 * value(upper + i1);
        }
    }
}
