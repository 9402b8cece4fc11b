//! Wrap modes and the filters within a level: glspec15 3.8.7 to 3.8.9, eq. 3.19 to 3.22; RECT's
//! coordinate ranges from NV_texture_rectangle 3.8.4. One lookup at a time, every target and format.
//!
//! Wrapping works on u = s * size throughout, which is the same as clamping s to ranges divided by the
//! size, and is RECT's own rule with u = s. A coordinate that is NaN, or infinite with a repeating mode,
//! counts as one at the low end of the range.

use super::compare::Compare;
use super::lod::Choice;
use super::plan::Plan;
use super::sampler::{MagFilter, Wrap};
use super::store::Store;
use super::{cube, lod};

/// Clamps; NaN gives `low`.
#[inline(always)]
pub(super) fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x > low { x } else { low };
    if x < high { x } else { high }
}

/// u after REPEAT, in [0, size]: rounding can make the fractional part of a small negative s one.
#[inline(always)]
pub(super) fn repeat(s: f32, size: f32) -> f32 {
    let f = s - s.floor();
    (if f > 0.0 { f } else { 0.0 }) * size
}

/// u after CLAMP_TO_EDGE, in [1/2, size - 1/2], from u before.
#[inline(always)]
pub(super) fn clamp_to_edge(u: f32, size: f32) -> f32 {
    clamp(u, 0.5, size - 0.5)
}

/// u after MIRRORED_REPEAT, in [1/2, size - 1/2].
#[inline(always)]
pub(super) fn mirrored_repeat(s: f32, size: f32) -> f32 {
    let whole = s.floor();
    let f = s - whole;
    let halved = whole * 0.5;
    let mirrored = if halved == halved.floor() { f } else { 1.0 - f };
    clamp_to_edge(mirrored * size, size)
}

/// The wrapped u of a coordinate.
fn wrapped(wrap: Wrap, normalised: f32, unnormalised: f32, size: f32) -> f32 {
    match wrap {
        Wrap::Repeat => repeat(normalised, size),
        Wrap::MirroredRepeat => mirrored_repeat(normalised, size),
        Wrap::Clamp => clamp(unnormalised, 0.0, size),
        Wrap::ClampToEdge => clamp_to_edge(unnormalised, size),
        Wrap::ClampToBorder => clamp(unnormalised, -0.5, size + 0.5),
    }
}

/// From `a` to `b` by `f`: (1-f)a + fb, as eq. 3.22 to 3.24 have it axis by axis, in the form that gives
/// `a` exactly where both are the same. A texture of one colour is then that colour at every filter.
#[inline(always)]
pub(super) fn lerp(a: f32, b: f32, f: f32) -> f32 {
    a + f * (b - a)
}

/// The texels a filter reads along one axis, and the second one's weight. An index outside the image means
/// the border.
#[derive(Clone, Copy, Debug)]
struct Taps {
    index: [i32; 2],
    alpha: f32,
    /// 1 for NEAREST, 2 for LINEAR.
    count: usize,
}

impl Taps {
    /// For axes the image does not have.
    const FIRST: Self = Self { index: [0; 2], alpha: 0.0, count: 1 };

    fn new(wrap: Wrap, filter: MagFilter, u: f32, size: usize) -> Self {
        let size = size as i32;
        match filter {
            MagFilter::Nearest => {
                // s = 1 belongs to the last texel (eq. 3.19), with CLAMP_TO_BORDER too.
                let i = if u == size as f32 { size - 1 } else { u.floor() as i32 };
                let i = if wrap == Wrap::ClampToBorder { i } else { i.min(size - 1) };
                Self { index: [i; 2], ..Self::FIRST }
            }
            MagFilter::Linear => {
                let x = u - 0.5;
                let floor = x.floor();
                let alpha = x - floor;
                let i0 = floor as i32;
                let index = match wrap {
                    Wrap::Repeat => {
                        [if i0 < 0 { size - 1 } else { i0 }, if i0 + 1 < size { i0 + 1 } else { 0 }]
                    }
                    Wrap::ClampToEdge | Wrap::MirroredRepeat => [i0, (i0 + 1).min(size - 1)],
                    Wrap::Clamp | Wrap::ClampToBorder => [i0, i0 + 1],
                };
                Self { index, alpha, count: 2 }
            }
        }
    }
}

/// What a lookup reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub store: &'a Store,
    pub plan: &'a Plan,
    /// What each depth is compared with before it is filtered, if it is, and how.
    pub reference: Option<(Compare, f32)>,
}

/// Filtered components of one level in store units, at (s, t, r) of `face`.
fn sample_level(
    source: &Source<'_>,
    level: usize,
    face: usize,
    coordinates: [f32; 3],
    filter: MagFilter,
) -> [f32; 4] {
    let Source { store, plan, reference } = *source;
    let info = &store.levels[plan.base + level];
    let size = info.size[face];
    let mut taps = [Taps::FIRST; 3];
    for axis in 0..plan.axes {
        let s = coordinates[axis];
        let texels = size[axis] as f32;
        let unnormalised = if plan.normalised { s * texels } else { s };
        let u = wrapped(plan.wrap[axis], s, unnormalised, texels);
        taps[axis] = Taps::new(plan.wrap[axis], filter, u, size[axis]);
    }
    let fetch = |index: [i32; 3]| {
        let inside = index.iter().zip(size).all(|(&i, n)| i >= 0 && (i as usize) < n);
        let texel = if inside {
            let [i, j, k] = index.map(|i| i as usize);
            store.texel(info.offset[face] + (k * size[1] + j) * size[0] + i)
        } else {
            plan.border
        };
        match reference {
            Some((compare, r)) => [compare.result(r, texel[0]), 0.0, 0.0, 0.0],
            None => texel,
        }
    };
    // Along s first, then t, then r.
    let [x, y, z] = &taps;
    let along = |taps: &Taps, at: &dyn Fn(i32) -> [f32; 4]| {
        let first = at(taps.index[0]);
        if taps.count == 1 {
            return first;
        }
        let second = at(taps.index[1]);
        std::array::from_fn(|c| lerp(first[c], second[c], taps.alpha))
    };
    along(z, &|k| along(y, &|j| along(x, &|i| fetch([i, j, k]))))
}

/// Filtered components in store units for one sample position.
fn sample_once(source: &Source<'_>, coordinates: [f32; 3], choice: Choice) -> [f32; 4] {
    let (face, coordinates) = if source.plan.cube {
        let face = cube::Face::of(coordinates);
        let [s, t] = cube::coordinates(face.project(coordinates));
        (face.index() as usize, [s, t, 0.0])
    } else {
        (0, coordinates)
    };
    let near = sample_level(source, choice.level, face, coordinates, choice.filter);
    if choice.fraction == 0.0 {
        return near;
    }
    let far = sample_level(source, choice.level + 1, face, coordinates, choice.filter);
    let f = choice.fraction;
    std::array::from_fn(|c| lerp(near[c], far[c], f))
}

/// Where a lookup takes its level of detail from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Detail {
    /// The coordinates' derivatives along x and y.
    Sides([[f32; 3]; 2]),
    /// log2(rho) itself.
    Level(f32),
}

/// One lookup: filtered components in store units, and lambda. `bias` is clamped already.
pub(super) fn sample(
    source: &Source<'_>,
    coordinates: [f32; 3],
    detail: Detail,
    bias: f32,
) -> ([f32; 4], f32) {
    let plan = source.plan;
    let (dx, dy) = match detail {
        Detail::Sides([dx, dy]) => (dx, dy),
        Detail::Level(level) => {
            let lambda = lod::lambda_clamped(level, bias, plan.min_lod, plan.max_lod);
            return (sample_once(source, coordinates, lod::choose(plan, lambda)), lambda);
        }
    };
    let lengths = if plan.cube {
        let face = cube::Face::of(coordinates);
        let r = face.project(coordinates);
        let on_face = |d| {
            let [ds, dt] = cube::derivatives(r, face.project(d));
            [ds, dt, 0.0]
        };
        lod::squared_lengths(plan, on_face(dx), on_face(dy))
    } else {
        lod::squared_lengths(plan, dx, dy)
    };
    let probes = lod::probes(plan, lengths);
    let lambda = lod::lambda_clamped(probes.lambda_base, bias, plan.min_lod, plan.max_lod);
    let choice = lod::choose(plan, lambda);
    if probes.count <= 1.0 {
        return (sample_once(source, coordinates, choice), lambda);
    }
    let side = if probes.along_x { dx } else { dy };
    let mut sum = [0.0; 4];
    for i in 1..=probes.count as u32 {
        let step = lod::probe_step(i as f32, probes.count);
        let at = std::array::from_fn(|axis| coordinates[axis] + side[axis] * step);
        let sample = sample_once(source, at, choice);
        for (sum, sample) in sum.iter_mut().zip(sample) {
            *sum += sample;
        }
    }
    (sum.map(|v| v / probes.count), lambda)
}
