//! Taps, texel fetches and the filters within a level, by lanes.
#![expect(unsafe_code, reason = "texel fetches without range checks")]

use super::super::filter::{self, lerp};
use super::super::plan::Plan;
use super::super::store::Texels;
use super::{AxisMode, Border, Fast, Image, Levels, Range};
use crate::texture::sampler::MagFilter;

/// Per lane: the texels along one axis.
struct Taps<const N: usize> {
    index: [[i32; N]; 2],
    alpha: [f32; N],
}

/// A whole number of magnitude up to 2^22 as an integer: levels of detail and texel numbers are. Adding
/// 1.5 * 2^23 puts it in the low bits; unlike a conversion that needs no check for what is no integer.
#[inline(always)]
pub(super) fn whole(x: f32) -> i32 {
    const SHIFT: f32 = 12_582_912.0;
    (x + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits()) as i32
}

/// Filters one level for every lane: components in store units.
#[inline(always)]
pub(super) fn sample_level<const N: usize>(
    image: &Image<'_, N>,
    [s, t, r]: [&[f32; N]; 3],
    levels: &Levels<N>,
    out: &mut [[f32; N]; 4],
) {
    let &Image { fast, texels, plan, references } = image;
    let mut across = Taps { index: [[0; N]; 2], alpha: [0.0; N] };
    let mut up = Taps { index: [[0; N]; 2], alpha: [0.0; N] };
    axis(fast.wrap[0], fast.size[0], s, levels, &mut across);
    axis(fast.wrap[1], fast.size[1], t, levels, &mut up);
    let linear = plan.min == MagFilter::Linear || plan.mag == MagFilter::Linear;
    if plan.axes == 3 {
        let mut deep = Taps { index: [[0; N]; 2], alpha: [0.0; N] };
        axis(fast.wrap[2], fast.size[2], r, levels, &mut deep);
        let taps = [&across, &up, &deep];
        match texels {
            Texels::Packed(texels) => {
                let Some(texels) = Reader::new(texels) else { return };
                match fast.border {
                    Border::Never => fetch_packed_volume::<N, false>(fast, texels, plan, levels, taps, out),
                    Border::Possible => fetch_packed_volume::<N, true>(fast, texels, plan, levels, taps, out),
                }
            }
            Texels::Float(values) => {
                let Some(values) = Reader::new(values) else { return };
                let value = |texel, c| values.at(texel * fast.components + c);
                fetch_volume(fast, value, plan, levels, taps, out);
            }
        }
        return;
    }
    let taps = [&across, &up];
    let as_is = |_: usize, value: f32| value;
    match texels {
        Texels::Packed(texels) => {
            let Some(texels) = Reader::new(texels) else { return };
            let value = |texel, c: i32| component(texels.at(texel), 8 * c as u32);
            match (fast.border, linear) {
                (Border::Never, true) => fetch_linear(fast, texels, levels, &across, &up, out),
                (Border::Never, false) => fetch_nearest(fast, texels, levels, &across, &up, out),
                (Border::Possible, true) => {
                    fetch_any::<N, true, true>(image, value, as_is, levels, taps, out);
                }
                (Border::Possible, false) => {
                    fetch_any::<N, true, false>(image, value, as_is, levels, taps, out);
                }
            }
        }
        Texels::Float(values) => {
            let Some(values) = Reader::new(values) else { return };
            let value = |texel, c| values.at(texel * fast.components + c);
            if let Some(references) = references {
                let compared = |lane: usize, depth| references.compare.result(references.r[lane], depth);
                if linear {
                    fetch_any::<N, true, true>(image, value, compared, levels, taps, out);
                } else {
                    fetch_any::<N, true, false>(image, value, compared, levels, taps, out);
                }
                return;
            }
            match (fast.border, linear) {
                (Border::Never, true) => {
                    fetch_any::<N, false, true>(image, value, as_is, levels, taps, out);
                }
                (Border::Never, false) => {
                    fetch_any::<N, false, false>(image, value, as_is, levels, taps, out);
                }
                (Border::Possible, true) => {
                    fetch_any::<N, true, true>(image, value, as_is, levels, taps, out);
                }
                (Border::Possible, false) => {
                    fetch_any::<N, true, false>(image, value, as_is, levels, taps, out);
                }
            }
        }
    }
}

/// Taps along an axis: u by the wrap mode, then the first texel and the one after it. `x` is u for
/// NEAREST, `i` its whole part.
#[inline(always)]
fn axis<const N: usize>(mode: AxisMode, size: i32, s: &[f32; N], levels: &Levels<N>, taps: &mut Taps<N>) {
    let last = |_x: f32, i: i32, n: i32| i.min(n - 1);
    // s = 1 belongs to the last texel (eq. 3.19).
    let bordered = |x: f32, i: i32, n: i32| if x == n as f32 { n - 1 } else { i };
    let stay = |next: i32, n: i32| next.min(n - 1);
    match mode {
        AxisMode::Repeat => {
            // -1 comes with LINEAR only; n with NEAREST only (eq. 3.19).
            let first = |_x: f32, i: i32, n: i32| if i < 0 { n - 1 } else { i.min(n - 1) };
            let second = |next, n| if next < n { next } else { 0 };
            axis_with(size, s, levels, taps, filter::repeat, first, second);
        }
        AxisMode::Mirrored => axis_with(size, s, levels, taps, filter::mirrored_repeat, last, stay),
        AxisMode::Edge(Range::Sides) => {
            axis_with(size, s, levels, taps, |s, n| filter::clamp_to_edge(s * n, n), last, stay);
        }
        AxisMode::Edge(Range::Texels) => axis_with(size, s, levels, taps, filter::clamp_to_edge, last, stay),
        AxisMode::Clamp(Range::Sides) => {
            axis_with(size, s, levels, taps, |s, n| filter::clamp(s * n, 0.0, n), last, |next, _| next);
        }
        AxisMode::Clamp(Range::Texels) => {
            axis_with(size, s, levels, taps, |s, n| filter::clamp(s, 0.0, n), last, |next, _| next);
        }
        AxisMode::Border(Range::Sides) => {
            let u = |s: f32, n: f32| filter::clamp(s * n, -0.5, n + 0.5);
            axis_with(size, s, levels, taps, u, bordered, |next, _| next);
        }
        AxisMode::Border(Range::Texels) => {
            let u = |s: f32, n: f32| filter::clamp(s, -0.5, n + 0.5);
            axis_with(size, s, levels, taps, u, bordered, |next, _| next);
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
    first: impl Fn(f32, i32, i32) -> i32,
    second: impl Fn(i32, i32) -> i32,
) {
    let [index0, index1] = &mut taps.index;
    for lane in 0..N {
        let size = level_size(size, levels.level[lane]);
        let half = levels.half[lane];
        let x = wrapped(s[lane], size as f32) - half;
        let floor = x.floor();
        taps.alpha[lane] = if half > 0.0 { x - floor } else { 0.0 };
        let i = whole(floor);
        // LINEAR never belongs to the last texel by eq. 3.19: NaN is equal to no size.
        let edge = if half > 0.0 { f32::NAN } else { x };
        index0[lane] = first(edge, i, size);
        index1[lane] = second(i + 1, size);
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

/// The texels (0,0), (1,0), (0,1), (1,1) blended along s, then t.
#[inline(always)]
fn blend_square(texels: [f32; 4], a: f32, b: f32) -> f32 {
    let [t00, t10, t01, t11] = texels;
    lerp(lerp(t00, t10, a), lerp(t01, t11, a), b)
}

/// A slice that can be read without checks that would keep lane loops from becoming gathers.
#[derive(Clone, Copy)]
struct Reader<'a, T> {
    all: &'a [T],
    /// The last index.
    last: u32,
}

impl<'a, T: Copy> Reader<'a, T> {
    /// `None` for an empty slice and one of 2^31 elements or more.
    #[inline(always)]
    fn new(all: &'a [T]) -> Option<Self> {
        let last = i32::try_from(all.len()).ok()?.checked_sub(1)?;
        Some(Self { all, last: u32::try_from(last).ok()? })
    }

    /// The element. `index` is in range unless there is a mistake somewhere, and then it is the last one
    /// that is read.
    #[inline(always)]
    fn at(self, index: i32) -> T {
        let index = (index as u32).min(self.last) as i32;
        // SAFETY: `last` is the slice's last index and below 2^31 - 1, so `index` is from 0 to it.
        unsafe { *self.all.as_ptr().offset(index as isize) }
    }
}

#[inline(always)]
fn component(texel: u32, shift: u32) -> f32 {
    ((texel >> shift) & 255) as i32 as f32
}

#[inline(always)]
fn fetch_nearest<const N: usize>(
    fast: &Fast,
    texels: Reader<'_, u32>,
    levels: &Levels<N>,
    across: &Taps<N>,
    up: &Taps<N>,
    out: &mut [[f32; N]; 4],
) {
    let [x, y, z, w] = out;
    for lane in 0..N {
        let t = texels.at(row_start(fast, levels, up, 0, lane) + across.index[0][lane]);
        x[lane] = component(t, 0);
        y[lane] = component(t, 8);
        z[lane] = component(t, 16);
        w[lane] = component(t, 24);
    }
}

#[inline(always)]
fn fetch_linear<const N: usize>(
    fast: &Fast,
    texels: Reader<'_, u32>,
    levels: &Levels<N>,
    across: &Taps<N>,
    up: &Taps<N>,
    out: &mut [[f32; N]; 4],
) {
    let [x, y, z, w] = out;
    for lane in 0..N {
        let lower = row_start(fast, levels, up, 0, lane);
        let upper = row_start(fast, levels, up, 1, lane);
        let (i0, i1) = (across.index[0][lane], across.index[1][lane]);
        let t00 = texels.at(lower + i0);
        let t10 = texels.at(lower + i1);
        let t01 = texels.at(upper + i0);
        let t11 = texels.at(upper + i1);
        let (a, b) = (across.alpha[lane], up.alpha[lane]);
        let blend = |shift| blend_square([t00, t10, t01, t11].map(|t| component(t, shift)), a, b);
        x[lane] = blend(0);
        y[lane] = blend(8);
        z[lane] = blend(16);
        w[lane] = blend(24);
    }
}

/// The four texels blended or, without LINEAR, the first of them, a component at a time, with
/// border texels if there may be some. `value` reads a component of a texel, of which `taken` makes what is
/// blended in a lane.
#[inline(always)]
fn fetch_any<const N: usize, const BORDER: bool, const LINEAR: bool>(
    image: &Image<'_, N>,
    value: impl Fn(i32, i32) -> f32,
    taken: impl Fn(usize, f32) -> f32,
    levels: &Levels<N>,
    [across, up]: [&Taps<N>; 2],
    out: &mut [[f32; N]; 4],
) {
    let &Image { fast, plan, .. } = image;
    let corners = if LINEAR { 4 } else { 1 };
    let mut index = [[0; N]; 4];
    // All ones where the texel is inside the image.
    let mut mask = [[0; N]; 4];
    for corner in 0..corners {
        let (x, y) = (corner & 1, corner >> 1);
        for lane in 0..N {
            let (i, j) = (across.index[x][lane], up.index[y][lane]);
            index[corner][lane] = row_start(fast, levels, up, y, lane) + i;
            if BORDER {
                let level = levels.level[lane];
                let (width, height) = (level_size(fast.size[0], level), level_size(fast.size[1], level));
                let inside = ((i as u32) < width as u32) & ((j as u32) < height as u32);
                mask[corner][lane] = u32::from(inside).wrapping_neg();
            }
        }
    }
    for (c, row) in (0..fast.components).zip(out) {
        let border = plan.border[c as usize].to_bits();
        for lane in 0..N {
            let texel = |corner: usize| {
                let value = value(index[corner][lane], c);
                let mask = mask[corner][lane];
                // By bits, so that the read stays where it is and no branch comes of it.
                let inner = |value: f32| f32::from_bits((value.to_bits() & mask) | (border & !mask));
                taken(lane, if BORDER { inner(value) } else { value })
            };
            row[lane] = if LINEAR {
                blend_square(std::array::from_fn(texel), across.alpha[lane], up.alpha[lane])
            } else {
                texel(0)
            };
        }
    }
}

/// The eight texels of a 3D texture blended, all four components at once, with border texels if there may be
/// some.
#[inline(always)]
fn fetch_packed_volume<const N: usize, const BORDER: bool>(
    fast: &Fast,
    texels: Reader<'_, u32>,
    plan: &Plan,
    levels: &Levels<N>,
    [across, up, deep]: [&Taps<N>; 3],
    out: &mut [[f32; N]; 4],
) {
    let [x, y, z, w] = out;
    // Components that the format has not are 0.
    let border: [u32; 4] =
        std::array::from_fn(|c| if c < fast.components as usize { plan.border[c].to_bits() } else { 0 });
    for lane in 0..N {
        let level = levels.level[lane];
        let [width, height, depth] = fast.size.map(|size| level_size(size, level));
        let origin = fast.slots - (fast.slots >> (level & 31));
        let (i, j, k) = (
            [across.index[0][lane], across.index[1][lane]],
            [up.index[0][lane], up.index[1][lane]],
            [deep.index[0][lane], deep.index[1][lane]],
        );
        let mut texel = [0; 8];
        let mut mask = [u32::MAX; 8];
        for corner in 0..8 {
            let (i, j, k) = (i[corner & 1], j[corner >> 1 & 1], k[corner >> 2]);
            texel[corner] = texels.at(origin + (k * height + j) * width + i);
            if BORDER {
                let inside =
                    ((i as u32) < width as u32) & ((j as u32) < height as u32) & ((k as u32) < depth as u32);
                mask[corner] = u32::from(inside).wrapping_neg();
            }
        }
        let (a, b, c) = (across.alpha[lane], up.alpha[lane], deep.alpha[lane]);
        let blend = |shift: u32| {
            let border = border[shift as usize / 8];
            let value = |corner: usize| {
                let value = component(texel[corner], shift);
                // By bits, so that no branch comes of it.
                let inner = f32::from_bits((value.to_bits() & mask[corner]) | (border & !mask[corner]));
                if BORDER { inner } else { value }
            };
            let near = blend_square([value(0), value(1), value(2), value(3)], a, b);
            let far = blend_square([value(4), value(5), value(6), value(7)], a, b);
            lerp(near, far, c)
        };
        x[lane] = blend(0);
        y[lane] = blend(8);
        z[lane] = blend(16);
        w[lane] = blend(24);
    }
}

/// The eight texels blended in a 3D texture, as `fetch_any`. Lanes that are NEAREST have second weights
/// of 0; no 3D format has infinite texels.
#[inline(always)]
fn fetch_volume<const N: usize>(
    fast: &Fast,
    value: impl Fn(i32, i32) -> f32,
    plan: &Plan,
    levels: &Levels<N>,
    [across, up, deep]: [&Taps<N>; 3],
    out: &mut [[f32; N]; 4],
) {
    let mut index = [[0; N]; 8];
    let mut mask = [[0; N]; 8];
    for corner in 0..8 {
        let (x, y, z) = (corner & 1, corner >> 1 & 1, corner >> 2);
        for lane in 0..N {
            let level = levels.level[lane];
            let [width, height, depth] = fast.size.map(|size| level_size(size, level));
            let (i, j, k) = (across.index[x][lane], up.index[y][lane], deep.index[z][lane]);
            let origin = fast.slots - (fast.slots >> (level & 31));
            index[corner][lane] = origin + (k * height + j) * width + i;
            let inside =
                ((i as u32) < width as u32) & ((j as u32) < height as u32) & ((k as u32) < depth as u32);
            mask[corner][lane] = u32::from(inside).wrapping_neg();
        }
    }
    for (c, row) in (0..fast.components).zip(out) {
        let border = plan.border[c as usize].to_bits();
        for lane in 0..N {
            let texel = |corner: usize| {
                let texel = value(index[corner][lane], c).to_bits();
                let mask = mask[corner][lane];
                f32::from_bits((texel & mask) | (border & !mask))
            };
            let (a, b) = (across.alpha[lane], up.alpha[lane]);
            let near = blend_square(std::array::from_fn(texel), a, b);
            let far = blend_square(std::array::from_fn(|corner| texel(4 + corner)), a, b);
            row[lane] = lerp(near, far, deep.alpha[lane]);
        }
    }
}
