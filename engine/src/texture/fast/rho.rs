//! Scale factor, probes and levels of detail, by lanes: the counterpart of `lod`'s choices.

use super::super::cube::{self, Face};
use super::super::lod;
use super::super::plan::{MipMode, Plan};
use super::super::{Gradients, Lookup};
use super::fetch::whole;
use super::{Fast, Levels, flat, half};

/// Squared length of a pixel's side, as `lod::squared_lengths` gives it for two axes.
#[inline(always)]
fn squared_length(plan: &Plan, ds: f32, dt: f32) -> f32 {
    let (du, dv) = (ds * plan.texels[0], dt * plan.texels[1]);
    lod::or_zero(du * du + dv * dv)
}

/// rho^2 of every lane of another target than CUBE.
#[inline(always)]
pub(super) fn flat_squared_rho<const N: usize>(
    plan: &Plan,
    coordinates: [&[f32; N]; 2],
    lookup: &Lookup<'_, N>,
    zeros: &[f32; N],
    rho_squared: &mut [f32; N],
) {
    match &lookup.gradients {
        Gradients::Quad => quad_squared_rho(plan, coordinates, rho_squared),
        Gradients::Explicit { dx, dy } => {
            let (dx, dy) = (flat(plan, *dx, zeros), flat(plan, *dy, zeros));
            for lane in 0..N {
                rho_squared[lane] = lod::longer(
                    squared_length(plan, dx[0][lane], dx[1][lane]),
                    squared_length(plan, dy[0][lane], dy[1][lane]),
                );
            }
        }
        // Lookups that give the level have no use for it.
        Gradients::Level(_) => {}
    }
}

/// Turns log2(rho) of every lane into lambda.
#[inline(always)]
pub(super) fn bias_and_clamp<const N: usize>(plan: &Plan, lookup: &Lookup<'_, N>, lambda: &mut [f32; N]) {
    match lookup.bias {
        None => {
            for lane in 0..N {
                lambda[lane] = lod::lambda_clamped(lambda[lane], plan.bias, plan.min_lod, plan.max_lod);
            }
        }
        Some(bias) => {
            for lane in 0..N {
                let bias = lod::biased(plan, bias[lane]);
                lambda[lane] = lod::lambda_clamped(lambda[lane], bias, plan.min_lod, plan.max_lod);
            }
        }
    }
}

/// Differences within quads of one row: d/dx and d/dy of every lane.
#[inline(always)]
fn differences<const N: usize>(row: &[f32; N], dx: &mut [f32; N], dy: &mut [f32; N]) {
    let quads = row.as_chunks::<4>().0.iter();
    let dx = dx.as_chunks_mut::<4>().0.iter_mut();
    let dy = dy.as_chunks_mut::<4>().0.iter_mut();
    for ((r, dx), dy) in quads.zip(dx).zip(dy) {
        let (lower, upper) = (r[1] - r[0], r[3] - r[2]);
        let (left, right) = (r[2] - r[0], r[3] - r[1]);
        *dx = [lower, lower, upper, upper];
        *dy = [left, right, left, right];
    }
}

/// Per lane: anisotropic samples.
pub(super) struct Probes<const N: usize> {
    /// How many, a whole number from 1.
    pub count: [f32; N],
    /// The longer side of the pixel.
    pub side: [[f32; N]; 2],
}

/// `lod::probes` and lambda for every lane.
#[inline(always)]
pub(super) fn probes<const N: usize>(
    plan: &Plan,
    coordinates: [&[f32; N]; 2],
    lookup: &Lookup<'_, N>,
    zeros: &[f32; N],
    probes: &mut Probes<N>,
    lambda: &mut [f32; N],
) {
    let mut own = [[[0.0; N]; 2]; 2];
    let [dx, dy] = match &lookup.gradients {
        Gradients::Explicit { dx, dy } => [flat(plan, *dx, zeros), flat(plan, *dy, zeros)],
        Gradients::Level(_) => own.each_ref().map(|d| d.each_ref()),
        Gradients::Quad => {
            let [dx, dy] = &mut own;
            for ((row, dx), dy) in coordinates.iter().zip(dx).zip(dy) {
                differences(row, dx, dy);
            }
            own.each_ref().map(|d| d.each_ref())
        }
    };
    let [side_s, side_t] = &mut probes.side;
    for lane in 0..N {
        let px2 = squared_length(plan, dx[0][lane], dx[1][lane]);
        let py2 = squared_length(plan, dy[0][lane], dy[1][lane]);
        let along_x = px2 > py2;
        let (px, py) = (px2.sqrt(), py2.sqrt());
        let longer = if along_x { px } else { py };
        let shorter = if along_x { py } else { px };
        let count = lod::probe_count(longer, shorter, plan.max_anisotropy);
        lambda[lane] = lod::log2(longer / count);
        probes.count[lane] = count;
        side_s[lane] = if along_x { dx[0][lane] } else { dy[0][lane] };
        side_t[lane] = if along_x { dx[1][lane] } else { dy[1][lane] };
    }
    bias_and_clamp(plan, lookup, lambda);
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

/// rho^2 of every lane of a 3D texture, or of a cube map on the lane's own face.
#[inline(always)]
pub(super) fn deep_squared_rho<const N: usize>(
    plan: &Plan,
    lookup: &Lookup<'_, N>,
    rho_squared: &mut [f32; N],
) {
    let mut own = [[[0.0; N]; 3]; 2];
    let [dx, dy] = match &lookup.gradients {
        Gradients::Explicit { dx, dy } => [*dx, *dy],
        Gradients::Level(_) => own.each_ref().map(|d| d.each_ref()),
        Gradients::Quad => {
            let [dx, dy] = &mut own;
            for ((row, dx), dy) in lookup.coords.iter().zip(dx).zip(dy) {
                differences(row, dx, dy);
            }
            own.each_ref().map(|d| d.each_ref())
        }
    };
    if !plan.cube {
        for lane in 0..N {
            let length = |d: [&[f32; N]; 3]| {
                let [du, dv, dw] = [0, 1, 2].map(|c| d[c][lane] * plan.texels[c]);
                lod::or_zero(du * du + dv * dv + dw * dw)
            };
            rho_squared[lane] = lod::longer(length(dx), length(dy));
        }
        return;
    }
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
pub(super) fn select_levels<const N: usize>(
    fast: &Fast,
    plan: &Plan,
    lambda: &[f32; N],
    levels: &mut Levels<N>,
) {
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
