//! Reads texels and filters within one level: addresses, borders, conversion to fp32, linear blending, depth
//! comparison.
#![expect(clippy::needless_range_loop, reason = "corners index several arrays alike")]

use super::super::compare::Compare;
use super::super::format::ResultComponent;
use super::super::plan::{BaseLevel, Border, MipMode, Plan};
use super::cube::Face;
use super::lod::Levels;
use super::taps::{Size, Taps, folded, folded_for_offset, offset_taps, taps};
use super::vector::{Elements, Vector};
use shadestep_language::num::fp32;

/// From `a` to `b` by `f`: (1-f)a + fb, as eq. 3.22 to 3.24 have it axis by axis, in the form that gives
/// `a` exactly where both are the same. A texture of one colour is then that colour at every filter.
#[inline(always)]
pub(super) fn lerp<V: Vector>(a: V::F, b: V::F, f: V::F) -> V::F {
    a + f * (b - a)
}

/// What filters read.
#[derive(Clone, Copy)]
pub(super) struct Image<'a, S> {
    pub plan: &'a Plan,
    pub texels: S,
}

/// The texels that a filter blends: one, or two along each axis, x fastest.
pub(super) struct Corners<V: Vector, const C: usize> {
    pub index: [V::I; C],
    /// Whether it is in the image.
    pub inside: [V::M; C],
    /// The second ones' weights.
    pub weights: [V::F; 3],
    /// Where the second one along x is not the next in memory.
    pub seam: V::M,
    /// What depths are compared with.
    reference: V::F,
}

/// The same where `a` and `b` can be infinite, their difference too, and where `a` must stay -0.
#[inline(always)]
fn lerp_of_any<V: Vector>(a: V::F, b: V::F, f: V::F) -> V::F {
    let (zero, infinity) = (V::floats(0.0), V::floats(f32::INFINITY));
    let difference = b - a;
    let is_finite = V::lt(difference, infinity) & V::lt(zero - infinity, difference);
    let sum = V::select(is_finite, a + f * difference, (V::floats(1.0) - f) * a + f * b);
    V::select(V::eq(f, zero), a, sum)
}

/// Values of corners with those outside of the image: the border's, or of a seamless cube map what the mean of the other three
/// is, of which exactly their value comes where they are the same (glspec40 3.9.10).
#[inline(always)]
fn with_border<V: Vector, const C: usize>(
    plan: &Plan,
    values: [V::F; C],
    inside: [V::M; C],
    border: f32,
) -> [V::F; C] {
    let mut filled = values;
    if plan.border_use == Border::Never {
        return filled;
    }
    for corner in 0..C {
        let outside = if C == 4 && plan.seamless {
            mean::<V>(values[(corner + 1) % C], values[(corner + 2) % C], values[(corner + 3) % C])
        } else {
            V::floats(border)
        };
        filled[corner] = V::select(inside[corner], values[corner], outside);
    }
    filled
}

/// (a + b + c) / 3.
#[inline(always)]
fn mean<V: Vector>(a: V::F, b: V::F, c: V::F) -> V::F {
    let (three, infinity) = (V::floats(3.0), V::floats(f32::INFINITY));
    let differences = (b - a) + (c - a);
    let is_finite = V::lt(differences, infinity) & V::lt(V::floats(-f32::INFINITY), differences);
    V::select(is_finite, a + differences / three, (a + b + c) / three)
}

/// The corners blended by `lerp` along x, then y, then z.
#[inline(always)]
fn blend<V: Vector, const C: usize>(
    corners: [V::F; C],
    [a, b, c]: [V::F; 3],
    lerp: impl Fn(V::F, V::F, V::F) -> V::F,
) -> V::F {
    match *corners.as_slice() {
        [t] => t,
        [p, q, r, s] => lerp(lerp(p, q, a), lerp(r, s, a), b),
        [p, q, r, s, t, u, v, w] => {
            let near = lerp(lerp(p, q, a), lerp(r, s, a), b);
            lerp(near, lerp(lerp(t, u, a), lerp(v, w, a), b), c)
        }
        _ => V::floats(0.0),
    }
}

/// Texels as they are stored.
pub(super) trait Texels<V: Vector>: Copy {
    /// The corners blended, in store units; what is not wanted is 0.
    fn blended<const C: usize, const BORDER: bool>(self, plan: &Plan, corners: &Corners<V, C>) -> [V::F; 4];

    /// One component of each corner before they are blended, compared where depths are.
    fn apart<const C: usize, const BORDER: bool>(
        self,
        plan: &Plan,
        corners: &Corners<V, C>,
        component: usize,
    ) -> [V::F; C];

    /// From `a` to `b` by `f`.
    #[inline(always)]
    fn between(self, a: V::F, b: V::F, f: V::F) -> V::F {
        lerp::<V>(a, b, f)
    }

    /// 1 of result vectors.
    #[inline(always)]
    fn one() -> V::F {
        V::floats(1.0)
    }

    /// `ResultComponent::Hemi` of components.
    fn hemi(components: [V::F; 4]) -> V::F;

    /// A component as a result: divided by the unit, flushed, with the canonical NaN. Some formats give denorms only
    /// where they can be (see [`Filtered`]).
    fn finished(component: V::F, can_be_denorms: bool) -> V::F;

    /// The same of a component of one texel, or what it is compared to.
    #[inline(always)]
    fn texel(self, component: V::F, can_be_denorms: bool) -> V::F {
        Self::finished(component, can_be_denorms)
    }
}

/// Four bytes a word.
#[derive(Clone, Copy)]
pub(super) struct Packed<'a> {
    pub words: Elements<'a, u32>,
    /// Components that results are made of: bit 0 is the first.
    pub wanted: u8,
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
        V::unpacked::<C, BORDER>(
            plan,
            self.wanted,
            Words { words, inside: corners.inside, weights: corners.weights },
        )
    }

    #[inline(always)]
    fn apart<const C: usize, const BORDER: bool>(
        self,
        plan: &Plan,
        corners: &Corners<V, C>,
        component: usize,
    ) -> [V::F; C] {
        let words = words_apart::<V, C>(self.words, plan, corners);
        match component {
            0 => bytes::<V, C, BORDER, 0>(plan, words, corners.inside),
            1 => bytes::<V, C, BORDER, 1>(plan, words, corners.inside),
            2 => bytes::<V, C, BORDER, 2>(plan, words, corners.inside),
            _ => bytes::<V, C, BORDER, 3>(plan, words, corners.inside),
        }
    }

    /// No such format is packed.
    #[inline(always)]
    fn hemi(_: [V::F; 4]) -> V::F {
        V::floats(0.0)
    }

    /// No NaN comes of bytes and weights.
    #[inline(always)]
    fn finished(component: V::F, can_be_denorms: bool) -> V::F {
        if can_be_denorms { V::flush(V::div_255(component)) } else { V::bytes_div_255(component) }
    }
}

/// Packed texels of a filter.
#[derive(Clone, Copy)]
pub(super) struct Words<V: Vector, const C: usize> {
    pub words: [V::I; C],
    /// Whether each is in the image.
    pub inside: [V::M; C],
    pub weights: [V::F; 3],
}

/// Their wanted components blended, if `BORDER` with the border's.
#[inline(always)]
pub(super) fn unpacked<V: Vector, const C: usize, const BORDER: bool>(
    plan: &Plan,
    wanted: u8,
    texels: Words<V, C>,
) -> [V::F; 4] {
    // Most lookups want all, which leaves no branches between what can overlap.
    if wanted == 0b1111 {
        return [
            component::<V, C, BORDER, 0>(plan, texels),
            component::<V, C, BORDER, 1>(plan, texels),
            component::<V, C, BORDER, 2>(plan, texels),
            component::<V, C, BORDER, 3>(plan, texels),
        ];
    }
    let mut result = [V::floats(0.0); 4];
    if wanted & 0b0001 != 0 {
        result[0] = component::<V, C, BORDER, 0>(plan, texels);
    }
    if wanted & 0b0010 != 0 {
        result[1] = component::<V, C, BORDER, 1>(plan, texels);
    }
    if wanted & 0b0100 != 0 {
        result[2] = component::<V, C, BORDER, 2>(plan, texels);
    }
    if wanted & 0b1000 != 0 {
        result[3] = component::<V, C, BORDER, 3>(plan, texels);
    }
    result
}

/// One component of packed texels.
#[inline(always)]
fn component<V: Vector, const C: usize, const BORDER: bool, const BYTE: u32>(
    plan: &Plan,
    Words { words, inside, weights }: Words<V, C>,
) -> V::F {
    blend::<V, C>(bytes::<V, C, BORDER, BYTE>(plan, words, inside), weights, lerp::<V>)
}

/// The words of all corners: those side by side at once, where both are in the image.
#[inline(always)]
fn words_apart<V: Vector, const C: usize>(
    from: Elements<'_, u32>,
    plan: &Plan,
    corners: &Corners<V, C>,
) -> [V::I; C] {
    let mut words = [V::ints(0); C];
    if C == 4 && plan.border_use == Border::Never && !V::any(corners.seam) {
        for corner in (0..C).step_by(2) {
            let [first, second] = V::pairs(from, corners.index[corner]);
            words[corner] = first;
            words[corner + 1] = second;
        }
    } else {
        for corner in 0..C {
            words[corner] = V::words(from, corners.index[corner]);
        }
    }
    words
}

/// One component of each corner.
#[inline(always)]
fn bytes<V: Vector, const C: usize, const BORDER: bool, const BYTE: u32>(
    plan: &Plan,
    words: [V::I; C],
    inside: [V::M; C],
) -> [V::F; C] {
    let mut bytes = [V::floats(0.0); C];
    for corner in 0..C {
        bytes[corner] = V::byte::<BYTE>(words[corner]);
    }
    if BORDER { with_border::<V, C>(plan, bytes, inside, plan.border[BYTE as usize]) } else { bytes }
}

/// Numbers next to one another.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    pub values: Elements<'a, f32>,
    pub components: i32,
    /// Components that results are made of: bit 0 is the first.
    pub wanted: u8,
    pub compare: Option<Compare>,
    /// Whether they can be infinite or -0.
    pub infinite: bool,
    /// Whether each is a result as it is.
    pub exact: bool,
}

impl<V: Vector> Texels<V> for Numbers<'_> {
    #[inline(always)]
    fn between(self, a: V::F, b: V::F, f: V::F) -> V::F {
        if self.infinite { lerp_of_any::<V>(a, b, f) } else { lerp::<V>(a, b, f) }
    }

    #[inline(always)]
    fn blended<const C: usize, const BORDER: bool>(self, plan: &Plan, corners: &Corners<V, C>) -> [V::F; 4] {
        let mut result = [V::floats(0.0); 4];
        if self.wanted & 0b0001 != 0 {
            result[0] = self.component::<V, C, BORDER>(plan, corners, 0);
        }
        if self.wanted & 0b0010 != 0 {
            result[1] = self.component::<V, C, BORDER>(plan, corners, 1);
        }
        if self.wanted & 0b0100 != 0 {
            result[2] = self.component::<V, C, BORDER>(plan, corners, 2);
        }
        if self.wanted & 0b1000 != 0 {
            result[3] = self.component::<V, C, BORDER>(plan, corners, 3);
        }
        result
    }

    #[inline(always)]
    fn apart<const C: usize, const BORDER: bool>(
        self,
        plan: &Plan,
        corners: &Corners<V, C>,
        component: usize,
    ) -> [V::F; C] {
        if self.components > 1 {
            return self.values::<V, C, BORDER>(plan, corners, component as i32);
        }
        let words = words_apart::<V, C>(self.values.bits(), plan, corners);
        let mut values = [V::floats(0.0); C];
        for corner in 0..C {
            values[corner] = V::from_bits(words[corner]);
        }
        self.compared::<V, C, BORDER>(plan, corners, 0, values)
    }

    #[inline(always)]
    fn hemi([hi, lo, ..]: [V::F; 4]) -> V::F {
        V::sqrt(V::maximum(V::floats(1.0) - (hi * hi + lo * lo), V::floats(0.0)))
    }

    /// A border's can be anything.
    #[inline(always)]
    fn texel(self, component: V::F, can_be_denorms: bool) -> V::F {
        if self.exact && !can_be_denorms { component } else { <Self as Texels<V>>::finished(component, true) }
    }

    /// Their unit is 1.
    #[inline(always)]
    fn finished(component: V::F, _: bool) -> V::F {
        let nan = V::from_bits(V::ints(fp32::NAN_BITS as i32));
        V::select(V::eq(component, component), V::flush(component), nan)
    }
}

impl Numbers<'_> {
    #[inline(always)]
    fn component<V: Vector, const C: usize, const BORDER: bool>(
        self,
        plan: &Plan,
        corners: &Corners<V, C>,
        c: i32,
    ) -> V::F {
        let values = self.values::<V, C, BORDER>(plan, corners, c);
        blend::<V, C>(values, corners.weights, |a, b, f| Texels::<V>::between(self, a, b, f))
    }

    /// One component of each corner.
    #[inline(always)]
    fn values<V: Vector, const C: usize, const BORDER: bool>(
        self,
        plan: &Plan,
        corners: &Corners<V, C>,
        c: i32,
    ) -> [V::F; C] {
        let mut values = [V::floats(0.0); C];
        for corner in 0..C {
            let index = corners.index[corner] * V::ints(self.components) + V::ints(c);
            values[corner] = V::values(self.values, index);
        }
        self.compared::<V, C, BORDER>(plan, corners, c, values)
    }

    /// The same from texels, those outside of the image the border's.
    #[inline(always)]
    fn compared<V: Vector, const C: usize, const BORDER: bool>(
        self,
        plan: &Plan,
        corners: &Corners<V, C>,
        c: i32,
        mut values: [V::F; C],
    ) -> [V::F; C] {
        if BORDER {
            values = with_border::<V, C>(plan, values, corners.inside, plan.border[c as usize]);
        }
        if let Some(compare) = self.compare {
            for value in &mut values {
                *value = compared::<V>(compare, corners.reference, *value);
            }
        }
        values
    }
}

/// Bits of integers next to one another, of which filters take one texel.
#[derive(Clone, Copy)]
pub(super) struct Integers<'a> {
    pub words: Elements<'a, u32>,
    pub components: i32,
    /// Components that results are made of: bit 0 is the first.
    pub wanted: u8,
}

impl<V: Vector> Texels<V> for Integers<'_> {
    #[inline(always)]
    fn blended<const C: usize, const BORDER: bool>(self, plan: &Plan, corners: &Corners<V, C>) -> [V::F; 4] {
        let mut result = [V::floats(0.0); 4];
        for c in 0..4 {
            if self.wanted >> c & 1 != 0 {
                result[c] = Texels::<V>::apart::<C, BORDER>(self, plan, corners, c)[0];
            }
        }
        result
    }

    #[inline(always)]
    fn apart<const C: usize, const BORDER: bool>(
        self,
        plan: &Plan,
        corners: &Corners<V, C>,
        component: usize,
    ) -> [V::F; C] {
        let mut apart = [V::floats(0.0); C];
        for corner in 0..C {
            let index = corners.index[corner] * V::ints(self.components) + V::ints(component as i32);
            let value = V::from_bits(V::words(self.words, index));
            let border = V::floats(plan.border[component % 4]);
            apart[corner] = if BORDER { V::select(corners.inside[corner], value, border) } else { value };
        }
        apart
    }

    #[inline(always)]
    fn one() -> V::F {
        V::from_bits(V::ints(1))
    }

    /// No such format has integers.
    #[inline(always)]
    fn hemi(_: [V::F; 4]) -> V::F {
        V::floats(0.0)
    }

    #[inline(always)]
    fn finished(component: V::F, _: bool) -> V::F {
        component
    }
}

/// 1 where the comparison passes, else 0. Both are numbers.
#[inline(always)]
fn compared<V: Vector>(compare: Compare, r: V::F, depth: V::F) -> V::F {
    let [less, equal, greater] = compare.results();
    let unequal = V::select(V::lt(r, depth), V::floats(less), V::floats(greater));
    V::select(V::eq(r, depth), V::floats(equal), unequal)
}

/// Where in a texture to look, beside the levels.
#[derive(Clone, Copy)]
pub(super) struct Coordinates<V: Vector> {
    pub coordinates: [V::F; 3],
    /// Where the face begins.
    pub face: V::I,
    /// Which face that is, of a seamless cube map.
    pub seamless: Option<Face<V>>,
    /// What depths are compared with.
    pub reference: V::F,
    /// What is added to texel coordinates. Lookups that have any go where the border can be met.
    pub offset: Option<[V::I; 3]>,
}

/// The taps along an axis of a level of this size.
#[inline(always)]
fn along<V: Vector, const C: usize, const BORDER: bool>(
    plan: &Plan,
    axis: usize,
    place: &Coordinates<V>,
    levels: &Levels<V>,
    size: Size<V>,
) -> Taps<V> {
    let (mode, s) = (plan.wrap[axis], place.coordinates[axis]);
    if BORDER && let Some(offset) = place.offset {
        if C == 1 {
            offset_taps::<V, false>(mode, s, levels.half, size, offset[axis])
        } else {
            offset_taps::<V, true>(mode, s, levels.half, size, offset[axis])
        }
    } else if C == 1 {
        taps::<V, false>(mode, s, levels.half, size)
    } else {
        taps::<V, true>(mode, s, levels.half, size)
    }
}

/// Where the texels of a level begin, and its sizes.
struct Extent<V: Vector> {
    origin: V::I,
    size: [Size<V>; 3],
}

impl<V: Vector> Extent<V> {
    /// Of the level of each lane. Without mipmaps all lanes have the base level.
    #[inline(always)]
    fn of(plan: &Plan, level: V::I) -> Self {
        if plan.mip == MipMode::None {
            Self::base(plan)
        } else {
            let slots = V::ints(plan.slots);
            let origin = slots - V::shift_right_by(slots, level);
            let [width, height, depth] = plan.size;
            let size =
                [Size::of_level(width, level), Size::of_level(height, level), Size::of_level(depth, level)];
            Self { origin, size }
        }
    }

    /// Of the base level.
    #[inline(always)]
    fn base(plan: &Plan) -> Self {
        let BaseLevel { origin, size: [width, height, depth] } = plan.base;
        Self { origin: V::ints(origin), size: [Size::same(width), Size::same(height), Size::same(depth)] }
    }
}

/// Filters one level: components in store units. The place's coordinates are folded.
#[inline(always)]
fn sample_level<V: Vector, S: Texels<V>, const C: usize, const BORDER: bool>(
    image: Image<'_, S>,
    place: &Coordinates<V>,
    levels: &Levels<V>,
) -> [V::F; 4] {
    let (corners, _) = corners::<V, C, BORDER>(image.plan, place, levels);
    image.texels.blended::<C, BORDER>(image.plan, &corners)
}

/// The texels that the filter of one level blends, and the taps along x, y and z that led to them. The place's coordinates are
/// folded.
#[inline(always)]
pub(super) fn corners<V: Vector, const C: usize, const BORDER: bool>(
    plan: &Plan,
    place: &Coordinates<V>,
    levels: &Levels<V>,
) -> (Corners<V, C>, [Taps<V>; 3]) {
    let Extent { origin, size: [width, height, depth] } = Extent::of(plan, levels.level);
    let origin = origin + place.face;
    let x = along::<V, C, BORDER>(plan, 0, place, levels, width);
    let y = along::<V, C, BORDER>(plan, 1, place, levels, height);
    let mut corners = Corners {
        index: [origin; C],
        inside: [V::never(); C],
        weights: [x.alpha, y.alpha, y.alpha],
        seam: x.seam,
        reference: place.reference,
    };
    for corner in 0..C {
        let (a, b) = (corner & 1, corner >> 1 & 1);
        corners.index[corner] = origin + V::small_product(y.index[b], width.texels) + x.index[a];
        if BORDER {
            corners.inside[corner] = V::below(x.index[a], width.texels) & V::below(y.index[b], height.texels);
        }
    }
    if BORDER
        && C == 4
        && let Some(face) = place.seamless
    {
        across_edges::<V, C>(plan, &mut corners, face, [x.index, y.index], width.texels);
    }
    let mut z = Taps::first();
    if C == 8 || (C == 1 && plan.axes == 3) {
        z = along::<V, C, BORDER>(plan, 2, place, levels, depth);
        corners.weights[2] = z.alpha;
        let plane = width.texels * height.texels;
        for corner in 0..C {
            let c = corner >> 2;
            corners.index[corner] = corners.index[corner] + z.index[c] * plane;
            if BORDER {
                corners.inside[corner] = corners.inside[corner] & V::below(z.index[c], depth.texels);
            }
        }
    }
    (corners, [x, y, z])
}

/// The corners of a seamless cube map's filter that are beyond an edge of `face`, on the face behind it. Those in a corner of the
/// cube stay outside.
#[inline(always)]
fn across_edges<V: Vector, const C: usize>(
    plan: &Plan,
    corners: &mut Corners<V, C>,
    face: Face<V>,
    [x, y]: [[V::I; 2]; 2],
    size: V::I,
) {
    for corner in 0..C {
        let (i, j) = (x[corner & 1], y[corner >> 1 & 1]);
        let (in_x, in_y) = (V::below(i, size), V::below(j, size));
        let texel = face.texel_across_edges([i, j], size);
        let there = (texel.face - face.index()) * V::ints(plan.face_stride)
            + (texel.at[1] - j) * size
            + (texel.at[0] - i);
        let moved = V::select_ints(in_x & in_y, V::ints(0), there);
        corners.index[corner] = corners.index[corner] + moved;
        corners.inside[corner] = in_x | in_y;
    }
}

/// What filters give.
#[derive(Clone, Copy)]
pub(super) struct Filtered<V: Vector> {
    /// Components, in store units.
    pub components: [V::F; 4],
    /// Whether components of bytes can be tiny. Not within a level: a coordinate's fraction is 0 or at least 2^-25.
    /// The weight of a level and the values of a border can be any number.
    pub can_be_denorms: bool,
}

/// With coordinates that are folded.
#[inline(always)]
pub(super) fn folded_place<V: Vector, const BORDER: bool>(
    plan: &Plan,
    mut place: Coordinates<V>,
) -> Coordinates<V> {
    let axes = if plan.axes == 3 { 3 } else { 2 };
    for axis in 0..axes {
        let s = place.coordinates[axis];
        place.coordinates[axis] = if BORDER && place.offset.is_some() {
            folded_for_offset::<V>(plan.wrap[axis], s)
        } else {
            folded::<V>(plan.wrap[axis], s)
        };
    }
    place
}

/// The level after the nearer one, as far as there is one.
#[inline(always)]
pub(super) fn next_level<V: Vector>(plan: &Plan, levels: &Levels<V>) -> Levels<V> {
    Levels { level: V::min_int(levels.level + V::ints(1), V::ints(plan.levels[1])), ..*levels }
}

/// Both levels of every lane, blended.
#[inline(always)]
pub(super) fn sample_levels<V: Vector, S: Texels<V>, const C: usize, const BORDER: bool>(
    image: Image<'_, S>,
    place: Coordinates<V>,
    levels: &Levels<V>,
) -> Filtered<V> {
    let place = folded_place::<V, BORDER>(image.plan, place);
    let near = sample_level::<V, S, C, BORDER>(image, &place, levels);
    if image.plan.mip != MipMode::Linear || !V::any(V::lt(V::floats(0.0), levels.fraction)) {
        return Filtered { components: near, can_be_denorms: BORDER };
    }
    let far = sample_level::<V, S, C, BORDER>(image, &place, &next_level(image.plan, levels));
    let mut blended = near;
    for c in 0..4 {
        blended[c] = image.texels.between(near[c], far[c], levels.fraction);
    }
    Filtered { components: blended, can_be_denorms: true }
}

/// The first and the second texel along an axis of the base level that LINEAR would blend.
#[inline(always)]
fn gathered_along<V: Vector>(
    plan: &Plan,
    axis: usize,
    place: &Coordinates<V>,
    size: Size<V>,
    offset: V::I,
) -> [V::I; 2] {
    let s = folded_for_offset::<V>(plan.wrap[axis], place.coordinates[axis]);
    offset_taps::<V, true>(plan.wrap[axis], s, V::floats(0.5), size, offset).index
}

/// The texels of the base level that a gather takes: those that LINEAR would blend, x fastest; or with `apart` the
/// first of those with each offset along x, and along y. Behind them their columns and rows. Only if `GENERAL` may it be other
/// than [`is_plain`].
#[inline(always)]
pub(super) fn gathered_corners<V: Vector, const GENERAL: bool>(
    plan: &Plan,
    place: &Coordinates<V>,
    apart: Option<[[V::I; 4]; 2]>,
) -> (Corners<V, 4>, [[V::I; 4]; 2]) {
    let Extent { origin, size: [width, height, _] } = Extent::base(plan);
    let origin = if GENERAL { origin + place.face } else { origin };
    let (mut x, mut y) = ([V::ints(0); 4], [V::ints(0); 4]);
    if GENERAL && let Some([xs, ys]) = apart {
        for corner in 0..4 {
            x[corner] = gathered_along::<V>(plan, 0, place, width, xs[corner])[0];
            y[corner] = gathered_along::<V>(plan, 1, place, height, ys[corner])[0];
        }
    } else {
        let [along_x, along_y] = match place.offset {
            Some([x, y, _]) => [x, y],
            None => [V::ints(0); 2],
        };
        let [left, right] = gathered_along::<V>(plan, 0, place, width, along_x);
        let [below, above] = gathered_along::<V>(plan, 1, place, height, along_y);
        (x, y) = ([left, right, left, right], [below, below, above, above]);
    }
    let mut corners = Corners::<V, 4> {
        index: [origin; 4],
        inside: [!V::never(); 4],
        weights: [V::floats(0.0); 3],
        seam: !V::below(x[1] - x[0] - V::ints(1), V::ints(1)),
        reference: place.reference,
    };
    for corner in 0..4 {
        corners.index[corner] = origin + V::small_product(y[corner], width.texels) + x[corner];
    }
    if !GENERAL {
        return (corners, [x, y]);
    }
    for corner in 0..4 {
        corners.inside[corner] = V::below(x[corner], width.texels) & V::below(y[corner], height.texels);
    }
    if apart.is_some() {
        // Each is somewhere else.
        corners.seam = !V::never();
    } else if let Some(face) = place.seamless {
        across_edges::<V, 4>(plan, &mut corners, face, [[x[0], x[1]], [y[0], y[2]]], width.texels);
    }
    (corners, [x, y])
}

/// Whether gathers of the texture have no face to choose, no layer, no border and nothing to compare. Such have code of
/// their own.
pub(super) fn is_plain(plan: &Plan) -> bool {
    !plan.cube && plan.layers.is_none() && plan.border_use == Border::Never && plan.compare.is_none()
}

/// What four texels give as results, see [`gathered_corners`].
#[inline(always)]
pub(super) fn gathered<V: Vector, S: Texels<V>, const GENERAL: bool>(
    image: Image<'_, S>,
    place: &Coordinates<V>,
    apart: Option<[[V::I; 4]; 2]>,
    source: ResultComponent,
) -> [V::F; 4] {
    let Image { plan, texels } = image;
    let (corners, _) = gathered_corners::<V, GENERAL>(plan, place, apart);
    let zero = V::floats(0.0);
    let mut results = [zero; 4];
    match source {
        ResultComponent::Component(component) => {
            let values = texels.apart::<4, GENERAL>(plan, &corners, component);
            // Only a border's bytes can be any number.
            let can_be_denorms = GENERAL && plan.border_use != Border::Never;
            for corner in 0..4 {
                results[corner] = texels.texel(values[corner], can_be_denorms);
            }
        }
        ResultComponent::Zero => {}
        ResultComponent::One => results = [S::one(); 4],
        ResultComponent::Hemi => {
            let hi = texels.apart::<4, GENERAL>(plan, &corners, 0);
            let lo = texels.apart::<4, GENERAL>(plan, &corners, 1);
            for corner in 0..4 {
                results[corner] = S::hemi([hi[corner], lo[corner], zero, zero]);
            }
        }
    }
    results
}
