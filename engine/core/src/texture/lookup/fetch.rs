//! Reads texels and filters within one level: addresses, borders, conversion to fp32, linear blending, depth
//! comparison.
#![expect(clippy::needless_range_loop, reason = "corners index several arrays alike")]

use super::super::compare::Compare;
use super::super::format::ResultComponent;
use super::super::plan::{BaseLevel, Border, MipMode, Plan};
use super::cube::Face;
use super::lod::Levels;
use super::taps::{Size, Taps, folded, folded_for_offset, offset_taps, taps};
use crate::simd::{Elements, Lanewise, Simd};
use shadestep_language::num::fp32;

/// Linear blend from `a` to `b` by `f`: (1-f)a + fb, axis by axis as in eq. 3.22 to 3.24. This form returns
/// exactly `a` if both are the same, so a texture of one colour has that colour with every filter.
#[inline(always)]
pub(super) fn lerp<V: Simd>(a: V::F, b: V::F, f: V::F) -> V::F {
    a + f * (b - a)
}

/// The texels and the plan that filters read.
#[derive(Clone, Copy)]
pub(super) struct Image<'a, S> {
    pub plan: &'a Plan,
    pub texels: S,
}

/// The texels that a filter blends: one, or two along each axis, x fastest.
pub(super) struct Corners<V: Simd, const C: usize> {
    pub index: [V::I; C],
    /// Whether each texel is inside the image.
    pub inside: [V::M; C],
    /// The weights of the second texels along x, y and z.
    pub weights: [V::F; 3],
    /// Lanes where the second texel along x is not the next in memory.
    pub seam: V::M,
    /// The reference of depth comparisons.
    reference: V::F,
}

/// [`lerp`] for values that may be infinite, also with infinite differences, and for `a` = -0, which must be
/// kept.
#[inline(always)]
fn lerp_of_any<V: Simd>(a: V::F, b: V::F, f: V::F) -> V::F {
    let (zero, infinity) = (V::floats(0.0), V::floats(f32::INFINITY));
    let difference = b - a;
    let is_finite = V::lt(difference, infinity) & V::lt(zero - infinity, difference);
    let sum = V::select(is_finite, a + f * difference, (V::floats(1.0) - f) * a + f * b);
    V::select(V::eq(f, zero), a, sum)
}

/// Fills in the corners outside of the image: with the border, or on seamless cube maps with the mean of the
/// other three. If the three have the same value, the mean has exactly this value (glspec40 3.9.10).
#[inline(always)]
fn with_border<V: Simd, const C: usize>(
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
fn mean<V: Simd>(a: V::F, b: V::F, c: V::F) -> V::F {
    let (three, infinity) = (V::floats(3.0), V::floats(f32::INFINITY));
    let differences = (b - a) + (c - a);
    let is_finite = V::lt(differences, infinity) & V::lt(V::floats(-f32::INFINITY), differences);
    V::select(is_finite, a + differences / three, (a + b + c) / three)
}

/// The corners blended by `lerp` along x, then y, then z.
#[inline(always)]
fn blend<V: Simd, const C: usize>(
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

/// A type of stored texels.
pub(super) trait Texels: Copy {
    /// The blended corners, in store units. Components that are not wanted are 0.
    fn blended<V: Simd, const C: usize, const BORDER: bool>(
        self,
        plan: &Plan,
        corners: &Corners<V, C>,
    ) -> [V::F; 4];

    /// One component of each corner, not blended. Depths are compared if the lookup compares.
    fn apart<V: Simd, const C: usize, const BORDER: bool>(
        self,
        plan: &Plan,
        corners: &Corners<V, C>,
        component: usize,
    ) -> [V::F; C];

    /// Linear blend from `a` to `b` by `f`.
    #[inline(always)]
    fn between<V: Simd>(self, a: V::F, b: V::F, f: V::F) -> V::F {
        lerp::<V>(a, b, f)
    }

    /// The value 1 of result vectors.
    #[inline(always)]
    fn one<V: Simd>() -> V::F {
        V::floats(1.0)
    }

    /// `ResultComponent::Hemi` of the components.
    fn hemi<V: Simd>(components: [V::F; 4]) -> V::F;

    /// A component of the result: divided by the unit, flushed, with the canonical NaN. Some formats yield
    /// denorms only if `can_be_denorms` (see [`Filtered`]).
    fn finished<V: Simd>(component: V::F, can_be_denorms: bool) -> V::F;

    /// [`Self::finished`] for a component of a single texel, or for a result of a comparison.
    #[inline(always)]
    fn texel<V: Simd>(self, component: V::F, can_be_denorms: bool) -> V::F {
        Self::finished::<V>(component, can_be_denorms)
    }
}

/// Texels of four bytes in a word.
#[derive(Clone, Copy)]
pub(super) struct Packed<'a> {
    pub words: Elements<'a, u32>,
    /// The components that results need: bit 0 is the first.
    pub wanted: u8,
}

impl Texels for Packed<'_> {
    #[inline(always)]
    fn blended<V: Simd, const C: usize, const BORDER: bool>(
        self,
        plan: &Plan,
        corners: &Corners<V, C>,
    ) -> [V::F; 4] {
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
        let unpack = Unpack::<BORDER> { plan, wanted: self.wanted };
        V::lanewise(unpack, words, corners.inside, corners.weights)
    }

    #[inline(always)]
    fn apart<V: Simd, const C: usize, const BORDER: bool>(
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

    /// Not used: no packed format has this result.
    #[inline(always)]
    fn hemi<V: Simd>(_: [V::F; 4]) -> V::F {
        V::floats(0.0)
    }

    /// Bytes and weights cannot yield NaN.
    #[inline(always)]
    fn finished<V: Simd>(component: V::F, can_be_denorms: bool) -> V::F {
        if can_be_denorms { V::flush(V::div_255(component)) } else { V::bytes_div_255(component) }
    }
}

/// Unpacks the words of a filter's texels, and blends the wanted components; with the border's components if
/// `BORDER`. The masks say whether each texel is inside the image. The floats are the weights.
struct Unpack<'a, const BORDER: bool> {
    plan: &'a Plan,
    wanted: u8,
}

impl<const BORDER: bool, const C: usize> Lanewise<C> for Unpack<'_, BORDER> {
    #[inline(always)]
    fn compute<V: Simd>(&self, words: [V::I; C], inside: [V::M; C], weights: [V::F; 3]) -> [V::F; 4] {
        let Self { plan, wanted } = *self;
        let texels = Words { words, inside, weights };
        // Most lookups want all components. Without branches between the components, their computations
        // overlap.
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
}

/// Packed texels of a filter.
#[derive(Clone, Copy)]
struct Words<V: Simd, const C: usize> {
    words: [V::I; C],
    /// Whether each texel is inside the image.
    inside: [V::M; C],
    weights: [V::F; 3],
}

/// One component of packed texels, blended.
#[inline(always)]
fn component<V: Simd, const C: usize, const BORDER: bool, const BYTE: u32>(
    plan: &Plan,
    Words { words, inside, weights }: Words<V, C>,
) -> V::F {
    blend::<V, C>(bytes::<V, C, BORDER, BYTE>(plan, words, inside), weights, lerp::<V>)
}

/// The words of all corners. Adjacent texels are read together if both are in the image.
#[inline(always)]
fn words_apart<V: Simd, const C: usize>(
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
fn bytes<V: Simd, const C: usize, const BORDER: bool, const BYTE: u32>(
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

/// Texels of fp32 numbers, stored consecutively.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    pub values: Elements<'a, f32>,
    pub components: i32,
    /// The components that results need: bit 0 is the first.
    pub wanted: u8,
    pub compare: Option<Compare>,
    /// Whether texels can be infinite or -0.
    pub infinite: bool,
    /// Whether each component is a valid result unchanged.
    pub exact: bool,
}

impl Texels for Numbers<'_> {
    #[inline(always)]
    fn between<V: Simd>(self, a: V::F, b: V::F, f: V::F) -> V::F {
        if self.infinite { lerp_of_any::<V>(a, b, f) } else { lerp::<V>(a, b, f) }
    }

    #[inline(always)]
    fn blended<V: Simd, const C: usize, const BORDER: bool>(
        self,
        plan: &Plan,
        corners: &Corners<V, C>,
    ) -> [V::F; 4] {
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
    fn apart<V: Simd, const C: usize, const BORDER: bool>(
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
    fn hemi<V: Simd>([hi, lo, ..]: [V::F; 4]) -> V::F {
        V::sqrt(V::maximum(V::floats(1.0) - (hi * hi + lo * lo), V::floats(0.0)))
    }

    /// Border values can be arbitrary.
    #[inline(always)]
    fn texel<V: Simd>(self, component: V::F, can_be_denorms: bool) -> V::F {
        if self.exact && !can_be_denorms { component } else { Self::finished::<V>(component, true) }
    }

    /// The unit of these texels is 1.
    #[inline(always)]
    fn finished<V: Simd>(component: V::F, _: bool) -> V::F {
        let nan = V::from_bits(V::ints(fp32::NAN_BITS as i32));
        V::select(V::eq(component, component), V::flush(component), nan)
    }
}

impl Numbers<'_> {
    #[inline(always)]
    fn component<V: Simd, const C: usize, const BORDER: bool>(
        self,
        plan: &Plan,
        corners: &Corners<V, C>,
        c: i32,
    ) -> V::F {
        let values = self.values::<V, C, BORDER>(plan, corners, c);
        blend::<V, C>(values, corners.weights, |a, b, f| self.between::<V>(a, b, f))
    }

    /// One component of each corner.
    #[inline(always)]
    fn values<V: Simd, const C: usize, const BORDER: bool>(
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

    /// The same after the depth comparison, with the border's value outside of the image.
    #[inline(always)]
    fn compared<V: Simd, const C: usize, const BORDER: bool>(
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

/// Texels of integer bits, stored consecutively. Filters read one texel.
#[derive(Clone, Copy)]
pub(super) struct Integers<'a> {
    pub words: Elements<'a, u32>,
    pub components: i32,
    /// The components that results need: bit 0 is the first.
    pub wanted: u8,
}

impl Texels for Integers<'_> {
    #[inline(always)]
    fn blended<V: Simd, const C: usize, const BORDER: bool>(
        self,
        plan: &Plan,
        corners: &Corners<V, C>,
    ) -> [V::F; 4] {
        let mut result = [V::floats(0.0); 4];
        for c in 0..4 {
            if self.wanted >> c & 1 != 0 {
                result[c] = self.apart::<V, C, BORDER>(plan, corners, c)[0];
            }
        }
        result
    }

    #[inline(always)]
    fn apart<V: Simd, const C: usize, const BORDER: bool>(
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
    fn one<V: Simd>() -> V::F {
        V::from_bits(V::ints(1))
    }

    /// Not used: no integer format has this result.
    #[inline(always)]
    fn hemi<V: Simd>(_: [V::F; 4]) -> V::F {
        V::floats(0.0)
    }

    #[inline(always)]
    fn finished<V: Simd>(component: V::F, _: bool) -> V::F {
        component
    }
}

/// 1 if the comparison passes, else 0. Neither value may be NaN.
#[inline(always)]
fn compared<V: Simd>(compare: Compare, r: V::F, depth: V::F) -> V::F {
    let [less, equal, greater] = compare.results();
    let unequal = V::select(V::lt(r, depth), V::floats(less), V::floats(greater));
    V::select(V::eq(r, depth), V::floats(equal), unequal)
}

/// The coordinates of a lookup, without the level.
#[derive(Clone, Copy)]
pub(super) struct Coordinates<V: Simd> {
    pub coordinates: [V::F; 3],
    /// Index of the face's first texel.
    pub face: V::I,
    /// The face, for seamless cube maps.
    pub seamless: Option<Face<V>>,
    /// The reference of depth comparisons.
    pub reference: V::F,
    /// The offset that is added to texel coordinates. Lookups with an offset use the code that handles the
    /// border.
    pub offset: Option<[V::I; 3]>,
}

/// The taps along an axis of a level of this size.
#[inline(always)]
fn along<V: Simd, const C: usize, const BORDER: bool>(
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

/// The first texel of a level, and its size.
struct Extent<V: Simd> {
    origin: V::I,
    size: [Size<V>; 3],
}

impl<V: Simd> Extent<V> {
    /// The extent of each lane's level. Without mipmaps all lanes have the base level.
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

    /// The extent of the base level.
    #[inline(always)]
    fn base(plan: &Plan) -> Self {
        let BaseLevel { origin, size: [width, height, depth] } = plan.base;
        Self { origin: V::ints(origin), size: [Size::same(width), Size::same(height), Size::same(depth)] }
    }
}

/// Filters one level, and returns components in store units. The coordinates must be folded.
#[inline(always)]
fn sample_level<V: Simd, S: Texels, const C: usize, const BORDER: bool>(
    image: Image<'_, S>,
    place: &Coordinates<V>,
    levels: &Levels<V>,
) -> [V::F; 4] {
    let (corners, _) = corners::<V, C, BORDER>(image.plan, place, levels);
    image.texels.blended::<V, C, BORDER>(image.plan, &corners)
}

/// The texels that the filter of one level blends, and the taps along x, y and z. The coordinates must be
/// folded.
#[inline(always)]
pub(super) fn corners<V: Simd, const C: usize, const BORDER: bool>(
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

/// Moves the corners of a seamless cube map's filter that are beyond an edge of `face` to the adjacent face.
/// Corners at a corner of the cube stay outside.
#[inline(always)]
fn across_edges<V: Simd, const C: usize>(
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

/// The result of a filter.
#[derive(Clone, Copy)]
pub(super) struct Filtered<V: Simd> {
    /// Components in store units.
    pub components: [V::F; 4],
    /// Whether byte components can be denorms. This is impossible within a level, because a coordinate's
    /// fraction is 0 or at least 2^-25. Weights of levels and border values can be any number.
    pub can_be_denorms: bool,
}

/// Folds the coordinates of `place`.
#[inline(always)]
pub(super) fn folded_place<V: Simd, const BORDER: bool>(
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

/// The next smaller level, if there is one.
#[inline(always)]
pub(super) fn next_level<V: Simd>(plan: &Plan, levels: &Levels<V>) -> Levels<V> {
    Levels { level: V::min_int(levels.level + V::ints(1), V::ints(plan.levels[1])), ..*levels }
}

/// Filters both levels of every lane and blends them.
#[inline(always)]
pub(super) fn sample_levels<V: Simd, S: Texels, const C: usize, const BORDER: bool>(
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
        blended[c] = image.texels.between::<V>(near[c], far[c], levels.fraction);
    }
    Filtered { components: blended, can_be_denorms: true }
}

/// The first and the second texel along an axis of the base level that LINEAR would blend.
#[inline(always)]
fn gathered_along<V: Simd>(
    plan: &Plan,
    axis: usize,
    place: &Coordinates<V>,
    size: Size<V>,
    offset: V::I,
) -> [V::I; 2] {
    let s = folded_for_offset::<V>(plan.wrap[axis], place.coordinates[axis]);
    offset_taps::<V, true>(plan.wrap[axis], s, V::floats(0.5), size, offset).index
}

/// The texels of the base level that a gather reads, with their columns and rows. These are the texels that
/// LINEAR would blend, x fastest. With `apart`, they are the first texels for each offset along x and along
/// y. `GENERAL` may be false only for textures that are [`is_plain`].
#[inline(always)]
pub(super) fn gathered_corners<V: Simd, const GENERAL: bool>(
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
        // The texels are not adjacent.
        corners.seam = !V::never();
    } else if let Some(face) = place.seamless {
        across_edges::<V, 4>(plan, &mut corners, face, [[x[0], x[1]], [y[0], y[2]]], width.texels);
    }
    (corners, [x, y])
}

/// Whether gathers have no faces, no layers, no border and no comparison. Such gathers have specialised code.
pub(super) fn is_plain(plan: &Plan) -> bool {
    !plan.cube && plan.layers.is_none() && plan.border_use == Border::Never && plan.compare.is_none()
}

/// The results of a gather of four texels, see [`gathered_corners`].
#[inline(always)]
pub(super) fn gathered<V: Simd, S: Texels, const GENERAL: bool>(
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
            let values = texels.apart::<V, 4, GENERAL>(plan, &corners, component);
            // Only border values of byte components can be arbitrary.
            let can_be_denorms = GENERAL && plan.border_use != Border::Never;
            for corner in 0..4 {
                results[corner] = texels.texel::<V>(values[corner], can_be_denorms);
            }
        }
        ResultComponent::Zero => {}
        ResultComponent::One => results = [S::one::<V>(); 4],
        ResultComponent::Hemi => {
            let hi = texels.apart::<V, 4, GENERAL>(plan, &corners, 0);
            let lo = texels.apart::<V, 4, GENERAL>(plan, &corners, 1);
            for corner in 0..4 {
                results[corner] = S::hemi::<V>([hi[corner], lo[corner], zero, zero]);
            }
        }
    }
    results
}
