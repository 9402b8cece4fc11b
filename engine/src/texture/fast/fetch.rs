//! Texels, and the filters within a level.

use super::super::compare::Compare;
use super::super::plan::Plan;
use super::Fast;
use super::rho::Levels;
use super::taps::{Size, Taps, folded, taps};
use super::vector::{BIAS, Elements, Vector};
use crate::num::fp32;

/// `filter::lerp`.
#[inline(always)]
pub(super) fn lerp<V: Vector>(a: V::F, b: V::F, f: V::F) -> V::F {
    a + f * (b - a)
}

/// What filters read.
#[derive(Clone, Copy)]
pub(super) struct Image<'a, S> {
    pub fast: &'a Fast,
    pub plan: &'a Plan,
    pub texels: S,
}

/// The texels that a filter blends: one, or two along each axis, x fastest.
pub(super) struct Corners<V: Vector, const C: usize> {
    index: [V::I; C],
    /// Whether it is in the image.
    inside: [V::M; C],
    /// The second ones' weights.
    weights: [V::F; 3],
    /// Where the second one along x is not the next in memory.
    seam: V::M,
    /// What depths are compared with.
    reference: V::F,
}

/// The corners blended; `first` blends along x.
#[inline(always)]
fn blend<V: Vector, const C: usize>(
    corners: [V::F; C],
    [a, b, c]: [V::F; 3],
    first: impl Fn(V::F, V::F, V::F) -> V::F,
) -> V::F {
    let square = |[t00, t10, t01, t11]: [V::F; 4]| lerp::<V>(first(t00, t10, a), first(t01, t11, a), b);
    match *corners.as_slice() {
        [t] => t,
        [p, q, r, s] => square([p, q, r, s]),
        [p, q, r, s, t, u, v, w] => lerp::<V>(square([p, q, r, s]), square([t, u, v, w]), c),
        _ => V::floats(0.0),
    }
}

/// Texels as they are stored.
pub(super) trait Texels<V: Vector>: Copy {
    /// The corners blended, in store units; what the format has not is 0.
    fn blended<const C: usize, const BORDER: bool>(self, plan: &Plan, corners: &Corners<V, C>) -> [V::F; 4];

    /// A component as a result: divided by the unit, flushed, with the canonical NaN.
    fn finished(component: V::F) -> V::F;
}

/// Four bytes a word.
#[derive(Clone, Copy)]
pub(super) struct Packed<'a> {
    pub words: Elements<'a, u32>,
    pub components: i32,
}

impl<V: Vector> Texels<V> for Packed<'_> {
    #[inline(always)]
    fn blended<const C: usize, const BORDER: bool>(self, plan: &Plan, corners: &Corners<V, C>) -> [V::F; 4] {
        let mut words = [V::ints(0); C];
        if BORDER || C == 1 {
            for corner in 0..C {
                words[corner] = V::words(self.words, corners.index[corner]);
            }
        } else {
            let seam = V::any(corners.seam);
            for corner in (0..C).step_by(2) {
                let [first, second] = V::pairs(self.words, corners.index[corner]);
                words[corner] = first;
                words[corner + 1] =
                    if seam { V::words(self.words, corners.index[corner + 1]) } else { second };
            }
        }
        let zero = V::floats(0.0);
        let component = |c| component::<V, C, BORDER>(plan, corners, words, c);
        [
            component(0),
            if self.components > 1 { component(1) } else { zero },
            if self.components > 2 { component(2) } else { zero },
            if self.components > 3 { component(3) } else { zero },
        ]
    }

    /// No NaN comes of bytes and weights.
    #[inline(always)]
    fn finished(component: V::F) -> V::F {
        V::flush(V::over_255(component))
    }
}

/// One component of packed texels.
#[inline(always)]
fn component<V: Vector, const C: usize, const BORDER: bool>(
    plan: &Plan,
    corners: &Corners<V, C>,
    words: [V::I; C],
    c: usize,
) -> V::F {
    let bias = V::floats(BIAS);
    let biased = words.map(|words| match c {
        0 => V::byte::<0>(words),
        1 => V::byte::<1>(words),
        2 => V::byte::<2>(words),
        _ => V::byte::<3>(words),
    });
    if BORDER {
        let border = V::floats(plan.border[c]);
        let values =
            std::array::from_fn(|corner| V::select(corners.inside[corner], biased[corner] - bias, border));
        return blend::<V, C>(values, corners.weights, lerp::<V>);
    }
    if C == 1 {
        return biased[0] - bias;
    }
    // Differences of biased bytes are those of the bytes.
    blend::<V, C>(biased, corners.weights, |a, b, f| (a - bias) + f * (b - a))
}

/// Numbers next to one another.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    pub values: Elements<'a, f32>,
    pub components: i32,
    pub compare: Option<Compare>,
}

impl<V: Vector> Texels<V> for Numbers<'_> {
    #[inline(always)]
    fn blended<const C: usize, const BORDER: bool>(self, plan: &Plan, corners: &Corners<V, C>) -> [V::F; 4] {
        let mut result = [V::floats(0.0); 4];
        let begin = corners.index.map(|index| index * V::ints(self.components));
        for (c, result) in (0..self.components).zip(&mut result) {
            let values = std::array::from_fn(|corner| {
                let value = V::values(self.values, begin[corner] + V::ints(c));
                let border = V::floats(plan.border[c as usize]);
                let value = if BORDER { V::select(corners.inside[corner], value, border) } else { value };
                match self.compare {
                    Some(compare) => compared::<V>(compare, corners.reference, value),
                    None => value,
                }
            });
            *result = blend::<V, C>(values, corners.weights, lerp::<V>);
        }
        result
    }

    /// Their unit is 1.
    #[inline(always)]
    fn finished(component: V::F) -> V::F {
        let nan = V::from_bits(V::ints(fp32::NAN_BITS as i32));
        V::select(V::eq(component, component), V::flush(component), nan)
    }
}

/// `Compare::result`.
#[inline(always)]
fn compared<V: Vector>(compare: Compare, r: V::F, depth: V::F) -> V::F {
    let [less, equal, greater] = compare.results().map(|result| V::floats(result));
    V::select(V::eq(r, depth), equal, V::select(V::lt(r, depth), less, greater))
}

/// Where in a texture to look, beside the levels.
#[derive(Clone, Copy)]
pub(super) struct Place<V: Vector> {
    pub coordinates: [V::F; 3],
    /// Where the face begins.
    pub face: V::I,
    /// What depths are compared with.
    pub reference: V::F,
}

/// Filters one level: components in store units. `folded` are the place's coordinates.
#[inline(always)]
fn sample_level<V: Vector, S: Texels<V>, const C: usize, const BORDER: bool>(
    image: Image<'_, S>,
    place: &Place<V>,
    levels: &Levels<V>,
) -> [V::F; 4] {
    let Image { fast, plan, texels } = image;
    let deep = C == 8 || (C == 1 && plan.axes == 3);
    let size = |axis: usize| Size::<V>::of_level(fast.size[axis], levels.level);
    let along = |axis: usize, size| {
        let s = place.coordinates[axis];
        if C == 1 {
            taps::<V, false>(fast.wrap[axis], s, levels.half, size)
        } else {
            taps::<V, true>(fast.wrap[axis], s, levels.half, size)
        }
    };
    let slots = V::ints(fast.slots);
    let origin = slots - V::shift_right_by(slots, levels.level) + place.face;
    let (width, height) = (size(0), size(1));
    let (x, y) = (along(0, width), along(1, height));
    let inside = |i, size: Size<V>| V::below(i, size.texels);
    let first = origin + y.index[0] * width.texels;
    let mut corners = Corners {
        index: [first; C],
        inside: [V::never(); C],
        weights: [x.alpha, y.alpha, V::floats(0.0)],
        seam: x.seam,
        reference: place.reference,
    };
    let (depth, z): (Size<V>, Taps<V>) = if deep {
        let depth = size(2);
        (depth, along(2, depth))
    } else {
        (width, x)
    };
    corners.weights[2] = z.alpha;
    for corner in 0..C {
        let (a, b, c) = (corner & 1, corner >> 1 & 1, corner >> 2);
        let row = if deep { z.index[c] * height.texels + y.index[b] } else { y.index[b] };
        corners.index[corner] = origin + row * width.texels + x.index[a];
        if BORDER {
            let here = inside(x.index[a], width) & inside(y.index[b], height);
            corners.inside[corner] = if deep { here & inside(z.index[c], depth) } else { here };
        }
    }
    texels.blended::<C, BORDER>(plan, &corners)
}

/// Both levels of every lane, blended: components in store units.
#[inline(always)]
pub(super) fn sample_levels<V: Vector, S: Texels<V>, const C: usize, const BORDER: bool>(
    image: Image<'_, S>,
    place: Place<V>,
    levels: &Levels<V>,
) -> [V::F; 4] {
    let wrap = image.fast.wrap;
    let axes = if image.plan.axes == 3 { 3 } else { 2 };
    let mut place = place;
    for axis in 0..axes {
        place.coordinates[axis] = folded::<V>(wrap[axis], place.coordinates[axis]);
    }
    let near = sample_level::<V, S, C, BORDER>(image, &place, levels);
    if !V::any(V::lt(V::floats(0.0), levels.fraction)) {
        return near;
    }
    let level = V::least(levels.level + V::ints(1), V::ints(image.fast.levels[1]));
    let far = sample_level::<V, S, C, BORDER>(image, &place, &Levels { level, ..*levels });
    let mut blended = near;
    for c in 0..4 {
        blended[c] = lerp::<V>(near[c], far[c], levels.fraction);
    }
    blended
}
