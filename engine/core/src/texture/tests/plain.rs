//! A plain implementation of lookups, one lane at a time with branches, as a reference for the vector
//! versions.

use super::super::format::ResultComponent;
use super::super::lookup::lod::{LOG2_FACTORS, LOG2_LOWEST};
use super::super::plan::{MipMode, Plan};
use super::super::sampler::{MAX_LOD_BIAS, MagFilter, Wrap};
use super::super::{Gradients, Lookup, Texture};
use super::*;
use shadestep_language::num::fp32;

/// [`Texture::sample`] of a complete texture.
pub fn sample<const N: usize>(
    texture: &Texture,
    lookup: &Lookup<'_, N>,
    out: &mut [[f32; N]; 4],
    lambda: &mut [f32; N],
) {
    let plan = texture.plan.as_ref().unwrap();
    // Coordinates that are not read may hold anything, so they must not affect a result.
    let axes = if plan.cube { 3 } else { plan.axes };
    let at = |registers: &[&[f32; N]; 3], lane: usize| {
        std::array::from_fn(|c| if c < axes { registers[c][lane] } else { 0.0 })
    };
    for lane in 0..N {
        let reference = lookup.reference.map(|reference| clamp(reference[lane], 0.0, 1.0));
        let coordinates: [f32; 3] = at(&lookup.coords, lane);
        let bias = lookup.bias.map_or(plan.bias, |bias| biased(plan, bias[lane]));
        let detail = match &lookup.gradients {
            Gradients::Quad => {
                let (row, column) = (lane & !1, lane & !2);
                let difference = |to: usize, from: usize| {
                    let (to, from): ([f32; 3], [f32; 3]) = (at(&lookup.coords, to), at(&lookup.coords, from));
                    std::array::from_fn(|c| to[c] - from[c])
                };
                Detail::Sides([difference(row + 1, row), difference(column + 2, column)])
            }
            Gradients::Explicit { dx, dy } => Detail::Sides([at(dx, lane), at(dy, lane)]),
            Gradients::Level(level) => Detail::Level(number(level[lane])),
        };
        let reading = Reading { texture, plan, reference };
        let (components, level_of_detail) = sample_lane(&reading, coordinates, detail, bias);
        lambda[lane] = level_of_detail;
        let unit = texture.store.unit();
        let of_integers = texture.format.numbers() != Numbers::Floats;
        for (register, source) in out.iter_mut().zip(plan.result) {
            register[lane] = match source {
                ResultComponent::Component(c) if of_integers => components[c],
                ResultComponent::One if of_integers => f32::from_bits(1),
                ResultComponent::Component(c) => fp32::canonical(fp32::flush(components[c] / unit)),
                ResultComponent::Zero => 0.0,
                ResultComponent::One => 1.0,
                ResultComponent::Hemi => {
                    let (hi, lo) = (components[0] / unit, components[1] / unit);
                    let rest = 1.0 - (hi * hi + lo * lo);
                    (if rest > 0.0 { rest } else { 0.0 }).sqrt()
                }
            };
        }
    }
}

/// Whether a depth passes the texture's comparison.
fn passes(texture: &Texture, r: f32, depth: f32) -> bool {
    texture.sampler.compare.is_some_and(|func| func.passes(r, depth))
}

/// Clamps; NaN gives `low`.
fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x > low { x } else { low };
    if x < high { x } else { high }
}

/// u after REPEAT, in [0, size]. Rounding can turn the fraction of a small negative s into 1.
fn repeat(s: f32, size: f32) -> f32 {
    let f = s - s.floor();
    (if f > 0.0 { f } else { 0.0 }) * size
}

/// u after CLAMP_TO_EDGE, in [1/2, size - 1/2].
fn clamp_to_edge(u: f32, size: f32) -> f32 {
    clamp(u, 0.5, size - 0.5)
}

/// u after MIRRORED_REPEAT, in [1/2, size - 1/2].
fn mirrored_repeat(s: f32, size: f32) -> f32 {
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

/// Linear blend from `a` to `b` by `f`: (1-f)a + fb, axis by axis as in eq. 3.22 to 3.24. This form returns
/// exactly `a` if both are the same, so a texture of one colour has that colour with every filter.
pub fn lerp(a: f32, b: f32, f: f32) -> f32 {
    if f == 0.0 {
        a
    } else if (b - a).is_finite() {
        a + f * (b - a)
    } else {
        (1.0 - f) * a + f * b
    }
}

/// The texels that a filter reads along one axis, and the weight of the second. An index outside of the image
/// stands for the border.
#[derive(Clone, Copy, Debug)]
struct Taps {
    index: [i32; 2],
    alpha: f32,
    /// 1 for NEAREST, 2 for LINEAR.
    count: usize,
}

impl Taps {
    /// The taps of axes that the image does not have.
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

/// The inputs of a lookup.
#[derive(Clone, Copy)]
struct Reading<'a> {
    texture: &'a Texture,
    plan: &'a Plan,
    /// The reference that each depth is compared with before filtering, if the lookup compares.
    reference: Option<f32>,
}

/// Filtered components of one level in store units, at (s, t, r) of `face`.
fn sample_level(
    source: &Reading<'_>,
    level: usize,
    face: usize,
    coordinates: [f32; 3],
    filter: MagFilter,
) -> [f32; 4] {
    let Reading { texture, plan, reference } = *source;
    let store = &texture.store;
    let seamless = texture.target.is_cube() && texture.sampler.cube_edges == CubeEdges::Seamless;
    // Filters then read texels beyond an edge from another face.
    let wrap = if seamless { [Wrap::Clamp; 3] } else { texture.sampler.wrap };
    let info = &store.levels[texture.sampler.base_level as usize + level];
    let size = info.size[face];
    let mut taps = [Taps::FIRST; 3];
    for axis in 0..plan.axes {
        let s = coordinates[axis];
        let texels = size[axis] as f32;
        let unnormalised = if texture.target == TextureTarget::Rect { s } else { s * texels };
        let u = wrapped(wrap[axis], s, unnormalised, texels);
        taps[axis] = Taps::new(wrap[axis], filter, u, size[axis]);
    }
    let fetch = |index: [i32; 3]| {
        let inside = index.iter().zip(size).all(|(&i, n)| i >= 0 && (i as usize) < n);
        let texel = if inside {
            let [i, j, k] = index.map(|i| i as usize);
            store.texel(info.offset[face] + (k * size[1] + j) * size[0] + i)
        } else if seamless {
            let texel = |[i, j]: [i32; 2]| {
                let (face, [i, j]) = beyond_edge(face, [i, j], size[0]);
                store.texel(info.offset[face] + j * size[0] + i)
            };
            match missing_corner([index[0], index[1]], size[0] as i32) {
                Some(others) => mean(others.map(texel)),
                None => texel([index[0], index[1]]),
            }
        } else {
            plan.border
        };
        match reference {
            Some(r) => [f32::from(u8::from(passes(texture, r, texel[0]))), 0.0, 0.0, 0.0],
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

/// The direction for sc and tc, each from -1 to 1, on a face: the inverse of table 3.20.
pub fn direction(face: usize, [s, t]: [f64; 2]) -> [f64; 3] {
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

/// The face and the texel that a direction selects. The direction goes through the texel `[i, j]` of the
/// plane of `face`. Texels of other faces appear smaller from the centre of the cube, but the selected texel
/// is next to the edge.
fn beyond_edge(face: usize, [i, j]: [i32; 2], n: usize) -> (usize, [usize; 2]) {
    let size = n as f64;
    let on_plane = |c: i32| (2.0 * f64::from(c) + 1.0) / size - 1.0;
    let (s, t) = (on_plane(i), on_plane(j));
    let [x, y, z] = direction(face, [s, t]);
    let (face, [s, t, m]) = if x.abs() > y.abs().max(z.abs()) {
        if x > 0.0 { (0, [-z, -y, x]) } else { (1, [z, -y, -x]) }
    } else if y.abs() > z.abs() {
        if y > 0.0 { (2, [x, z, y]) } else { (3, [x, -z, -y]) }
    } else if z > 0.0 {
        (4, [x, -y, z])
    } else {
        (5, [-x, -y, -z])
    };
    (face, [s, t].map(|c| ((c / m + 1.0) / 2.0 * size).floor() as usize))
}

/// The other three texels of a filter with `[i, j]` at a corner that belongs to no face. The order is
/// (i0,j0), (i1,j0), (i0,j1), (i1,j1), starting after the corner.
fn missing_corner([i, j]: [i32; 2], n: i32) -> Option<[[i32; 2]; 3]> {
    let is_outside = |c: i32| c < 0 || c >= n;
    (is_outside(i) && is_outside(j)).then(|| {
        let (low_i, low_j) = (i.min(n - 1), j.min(n - 1));
        let corner = (i - low_i) + 2 * (j - low_j);
        [1, 2, 3].map(|step| {
            let other = (corner + step) % 4;
            [low_i + other % 2, low_j + other / 2]
        })
    })
}

/// The mean, in a form that gives exactly the common value if all three are equal.
fn mean([a, b, c]: [[f32; 4]; 3]) -> [f32; 4] {
    std::array::from_fn(|k| {
        let differences = (b[k] - a[k]) + (c[k] - a[k]);
        if differences.is_finite() { a[k] + differences / 3.0 } else { (a[k] + b[k] + c[k]) / 3.0 }
    })
}

/// Filtered components in store units for one sample position.
fn sample_once(source: &Reading<'_>, coordinates: [f32; 3], choice: Choice) -> [f32; 4] {
    let (face, coordinates) = if source.plan.cube {
        let face = Face::of(coordinates);
        let [s, t] = face_coordinates(face.project(coordinates));
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

/// The source of a lookup's level of detail.
#[derive(Clone, Copy, Debug)]
enum Detail {
    /// The coordinates' derivatives along x and y.
    Sides([[f32; 3]; 2]),
    /// log2(rho) itself.
    Level(f32),
}

/// One lookup: filtered components in store units, and lambda. `bias` is already clamped.
fn sample_lane(source: &Reading<'_>, coordinates: [f32; 3], detail: Detail, bias: f32) -> ([f32; 4], f32) {
    let plan = source.plan;
    let (dx, dy) = match detail {
        Detail::Sides([dx, dy]) => (dx, dy),
        Detail::Level(level) => {
            let lambda = lambda_clamped(level, bias, plan.min_lod, plan.max_lod);
            return (sample_once(source, coordinates, choose(plan, lambda)), lambda);
        }
    };
    let lengths = if plan.cube {
        let face = Face::of(coordinates);
        let r = face.project(coordinates);
        let on_face = |d| {
            let [ds, dt] = derivatives(r, face.project(d));
            [ds, dt, 0.0]
        };
        squared_lengths(plan, on_face(dx), on_face(dy))
    } else {
        squared_lengths(plan, dx, dy)
    };
    let probes = probes(plan, lengths);
    let lambda = lambda_clamped(probes.lambda_base, bias, plan.min_lod, plan.max_lod);
    let choice = choose(plan, lambda);
    if probes.count <= 1.0 {
        return (sample_once(source, coordinates, choice), lambda);
    }
    let side = if probes.along_x { dx } else { dy };
    let mut sum = [-0.0; 4];
    for i in 1..=probes.count as u32 {
        let step = probe_step(i as f32, probes.count);
        let at = std::array::from_fn(|axis| coordinates[axis] + side[axis] * step);
        let sample = sample_once(source, at, choice);
        for (sum, sample) in sum.iter_mut().zip(sample) {
            *sum += sample;
        }
    }
    (sum.map(|v| v / probes.count), lambda)
}

/// log2 of a positive number, within 3e-8 absolute error plus rounding. Exact for powers of two. Zero and
/// denorms give -INF, INF gives INF, NaN gives -INF.
pub fn log2(x: f32) -> f32 {
    // x = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)).
    let bits = x.to_bits();
    let e = (bits as i32).wrapping_sub(LOG2_LOWEST) >> 23;
    let f = f32::from_bits(bits.wrapping_sub((e as u32) << 23)) - 1.0;
    let p = LOG2_FACTORS[1..].iter().fold(LOG2_FACTORS[0], |p, factor| p * f + factor);
    let y = e as f32 + f * p;
    let y = if x > f32::MAX { f32::INFINITY } else { y };
    if x >= f32::MIN_POSITIVE { y } else { f32::NEG_INFINITY }
}

/// A squared length, with NaN as zero.
fn or_zero(length_squared: f32) -> f32 {
    if length_squared > 0.0 { length_squared } else { 0.0 }
}

/// The larger of two squared lengths that are not NaN.
fn longer(px2: f32, py2: f32) -> f32 {
    if px2 > py2 { px2 } else { py2 }
}

/// A number from a program, with NaN as zero.
fn number(given: f32) -> f32 {
    if given.is_nan() { 0.0 } else { given }
}

/// The sum of the lookup's bias `own` and the sampler's, clamped (ARB_fragment_program 3.11.6.3).
fn biased(plan: &Plan, own: f32) -> f32 {
    let bias = plan.sampler_bias + number(own);
    let bias = if bias > -MAX_LOD_BIAS { bias } else { -MAX_LOD_BIAS };
    if bias < MAX_LOD_BIAS { bias } else { MAX_LOD_BIAS }
}

/// log2(rho) from rho^2, before bias and clamps.
fn lambda_base(rho_squared: f32) -> f32 {
    0.5 * log2(rho_squared)
}

/// lambda: eq. 3.16. `bias` is already clamped. If min > max, max wins.
fn lambda_clamped(base: f32, bias: f32, min: f32, max: f32) -> f32 {
    let biased = base + bias;
    let biased = if biased > min { biased } else { min };
    if biased < max { biased } else { max }
}

/// Level above the base level for the `_MIPMAP_NEAREST` filters, eq. 3.23. `q` is relative to the base level
/// too.
fn nearest_level(lambda: f32, q: f32) -> f32 {
    let d = if lambda > q + 0.5 { q } else { (lambda + 0.5).ceil() - 1.0 };
    if lambda <= 0.5 { 0.0 } else { d }
}

/// Larger level, relative to the base level, and the weight of the next smaller level for the
/// `_MIPMAP_LINEAR` filters, eq. 3.24 and 3.25. If both levels are q, the weight is 0 and the second level is
/// not read.
fn linear_levels(lambda: f32, q: f32) -> (f32, f32) {
    let d = lambda.floor();
    if lambda >= q { (q, 0.0) } else { (d, lambda - d) }
}

/// Squared lengths of the pixel's sides in texels of the base level, from coordinate derivatives.
fn squared_lengths(plan: &Plan, dx: [f32; 3], dy: [f32; 3]) -> [f32; 2] {
    [dx, dy].map(|d| {
        let mut sum = 0.0;
        for (axis, &d) in d.iter().enumerate().take(plan.axes) {
            let texels = d * plan.texels[axis];
            sum = if axis == 0 { texels * texels } else { sum + texels * texels };
        }
        or_zero(sum)
    })
}

/// The levels to filter, and the filter.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Choice {
    /// Filter within a level.
    pub filter: MagFilter,
    /// The larger level, relative to the base level.
    pub level: usize,
    /// Weight of the next smaller level; 0 if only the larger level is read.
    pub fraction: f32,
}

/// The choice for a lambda.
fn choose(plan: &Plan, lambda: f32) -> Choice {
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

/// The probes of a pixel: their number, their side of the pixel, and lambda' of each.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Probes {
    /// Number of probes, an integer of at least 1.
    pub count: f32,
    /// Whether the pixel's x side is strictly longer than its y side.
    pub along_x: bool,
    /// log2(Pmax / N).
    pub lambda_base: f32,
}

/// N of EXT_texture_filter_anisotropic, an integer stored as a float, from the longer and the shorter side. A
/// pixel whose sides have no length, or an infinite length, takes one probe.
fn probe_count(longer: f32, shorter: f32, max_anisotropy: f32) -> f32 {
    let ratio = (longer / shorter).ceil();
    let n = if ratio < max_anisotropy { ratio } else { max_anisotropy };
    if ratio >= 1.0 { n } else { 1.0 }
}

/// The position of probe `i` of `n` along the side, from -1/2 to 1/2.
fn probe_step(i: f32, n: f32) -> f32 {
    i / (n + 1.0) - 0.5
}

/// The probes for a pixel with these squared lengths of its sides.
fn probes(plan: &Plan, [px2, py2]: [f32; 2]) -> Probes {
    let along_x = px2 > py2;
    if plan.max_anisotropy <= 1.0 {
        return Probes { count: 1.0, along_x, lambda_base: lambda_base(longer(px2, py2)) };
    }
    let (px, py) = (px2.sqrt(), py2.sqrt());
    let (longer, shorter) = if along_x { (px, py) } else { (py, px) };
    let count = probe_count(longer, shorter, plan.max_anisotropy);
    Probes { count, along_x, lambda_base: log2(longer / count) }
}

/// A face, as the choices that select it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Face {
    x_major: bool,
    y_major: bool,
    negative: bool,
}

impl Face {
    /// The face that a direction points to.
    fn of([x, y, z]: [f32; 3]) -> Self {
        let x_major = (x.abs() >= y.abs()) & (x.abs() >= z.abs());
        let y_major = !x_major & (y.abs() >= z.abs());
        let major = if x_major { x } else { z };
        let major = if y_major { y } else { major };
        Self { x_major, y_major, negative: major < 0.0 }
    }

    /// The face's index: 0 to 5 for +x, -x, +y, -y, +z, -z.
    fn index(self) -> i32 {
        let axis = if self.x_major { 0 } else { 4 };
        let axis = if self.y_major { 2 } else { axis };
        axis + i32::from(self.negative)
    }

    /// sc, tc and |ma| of table 3.20. The function is linear in the vector, so it also applies to
    /// derivatives.
    fn project(self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        // Negates on negative faces.
        let signed = |v: f32| if self.negative { -v } else { v };
        let sc = if self.x_major { signed(-z) } else { signed(x) };
        let sc = if self.y_major { x } else { sc };
        let tc = if self.y_major { signed(z) } else { -y };
        let ma = if self.x_major { x } else { z };
        let ma = if self.y_major { y } else { ma };
        [sc, tc, signed(ma)]
    }
}

/// (s, t) on the face from sc, tc, |ma|.
fn face_coordinates([sc, tc, ma]: [f32; 3]) -> [f32; 2] {
    [0.5 * (sc / ma + 1.0), 0.5 * (tc / ma + 1.0)]
}

/// Derivatives of (s, t) by the quotient rule. `d` are the direction's derivatives, projected on the same
/// face.
fn derivatives([sc, tc, ma]: [f32; 3], d: [f32; 3]) -> [f32; 2] {
    [0.5 * ((d[0] - sc / ma * d[2]) / ma), 0.5 * ((d[1] - tc / ma * d[2]) / ma)]
}
