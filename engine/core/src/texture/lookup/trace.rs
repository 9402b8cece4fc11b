//! The trace of a lookup for one lane: coordinates, level of detail, and each texel with its weight. Computed
//! on request with the functions of the lookup itself, in its four-lane version. Lookups themselves record
//! nothing.
//!
//! The filter blends in this order. Within a level the texels are blended along x, then y, then z, each time
//! from the first to the second texel by the axis' weight. Then the two levels are blended by the weight of
//! the smaller level. Then the probes are added in order and divided by their number. Last, components are
//! divided by the unit and reordered for the result.

use super::super::Texture;
use super::super::format::ResultComponent;
use super::super::plan::{Border, MipMode, Plan};
use super::super::sampler::MagFilter;
use super::super::store::Texels as Stored;
use super::super::{Gradients, Lookup, Wanted};
use super::cube::Face;
use super::fetch::{
    Coordinates, Corners, Integers, Numbers, Packed, Texels, corners, folded_place, gathered_corners,
    next_level,
};
use super::lod::{self, Lanes, Levels};
use super::{four_offsets, on_face, place, quads};
use crate::compare::CompareFunc;
use crate::simd::{Elements, Portable, Simd};

/// Lanes of a quad.
const QUAD: usize = 4;

type Floats = <Portable as Simd>::F;
type Ints = <Portable as Simd>::I;
type Mask = <Portable as Simd>::M;

/// The trace of a lookup for one lane.
#[derive(Clone, Debug, PartialEq)]
pub struct LookupTrace {
    /// s, t, r after projection. 0 for coordinates that the target does not have.
    pub coordinates: [f32; 3],
    /// The position in the image, for all lanes of the quad.
    pub quad: [ImagePoint; QUAD],
    /// The traced lane of the quad.
    pub lane: usize,
    /// The layer of an array.
    pub layer: Option<u32>,
    /// The depth comparison and its reference, clamped to `[0,1]`.
    pub comparison: Option<(CompareFunc, f32)>,
    /// The offset that is added to texel coordinates.
    pub offset: Option<[i32; 3]>,
    /// The divisor of stored components: 255 for bytes, else 1.
    pub unit: f32,
    /// The source of each component of the result (Table X.5, and the texture's swizzle).
    pub sources: [ResultComponent; 4],
    /// The texels that were read.
    pub found: Found,
    /// The result. Integers are given as their bits.
    pub result: [f32; 4],
}

/// A position in an image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImagePoint {
    /// s, t, r. For cube maps, s and t on the face.
    pub coordinates: [f32; 3],
    /// The face of a cube map, 0 to 5 for +x, -x, +y, -y, +z, -z. 0 for other targets.
    pub face: u8,
}

/// The result of a lookup before it becomes a vector.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// A filtered lookup, such as TEX.
    Filtered {
        /// The level of detail.
        detail: DetailTrace,
        /// Samples along the pixel's longer side. One without anisotropic filtering.
        probes: Vec<Probe>,
        /// The mean of the probes, in store units.
        components: [f32; 4],
    },
    /// TXG, TXGO: one component of four texels, which became x, y, z and w.
    Gathered {
        /// The requested component of the result.
        component: ResultComponent,
        /// The base level with the four texels.
        level: LevelTrace,
    },
    /// LOD: the level of detail alone.
    Levels(DetailTrace),
}

impl Found {
    /// The level of detail, if the lookup computes one.
    pub const fn detail(&self) -> Option<&DetailTrace> {
        match self {
            Self::Filtered { detail, .. } | Self::Levels(detail) => Some(detail),
            Self::Gathered { .. } => None,
        }
    }

    /// Every level that was read, with the number of its probe.
    pub fn levels(&self) -> impl Iterator<Item = (usize, &LevelTrace)> {
        let (probes, gathered) = match self {
            Self::Filtered { probes, .. } => (&probes[..], None),
            Self::Gathered { level, .. } => (&[][..], Some((0, level))),
            Self::Levels(_) => (&[][..], None),
        };
        let filtered = probes.iter().enumerate();
        filtered
            .flat_map(|(number, probe)| probe.levels.iter().map(move |level| (number, level)))
            .chain(gathered)
    }
}

/// The computation of the level of detail (glspec15 3.8.8).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DetailTrace {
    /// d/dx and d/dy of the coordinates, from the quad or explicit. `None` if the program gives the level.
    pub derivatives: Option<[[f32; 3]; 2]>,
    /// The derivatives in the image. For cube maps, on the face.
    pub in_image: [[f32; 3]; 2],
    /// Squared lengths of the pixel's sides along x and y, in texels of the base level.
    pub squared_sides: [f32; 2],
    /// The number of probes by EXT_texture_filter_anisotropic, and its maximum. `None` if the maximum is 1.
    pub anisotropy: Option<[f32; 2]>,
    /// log2(rho), or the explicit level.
    pub base: f32,
    /// The sum of the sampler's and the lookup's bias, clamped.
    pub bias: f32,
    /// TEXTURE_MIN_LOD and TEXTURE_MAX_LOD.
    pub clamps: [f32; 2],
    /// The level of detail after bias and clamps.
    pub lambda: f32,
    /// The greatest lambda with the magnification filter (the constant c of 3.8.9).
    pub switch_over: f32,
    /// Whether the magnification filter applies.
    pub magnified: bool,
    /// The filter within a level.
    pub filter: MagFilter,
}

/// One probe: a sample of the pixel's area.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// The position in the image.
    pub at: ImagePoint,
    /// One level, or two levels that are blended.
    pub levels: Vec<LevelTrace>,
    /// The value in store units.
    pub value: [f32; 4],
}

/// One level that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelTrace {
    /// Number of the level; 0 is the texture's level 0.
    pub level: u32,
    /// Width, height and depth.
    pub size: [u32; 3],
    /// The level's share of the probe. The shares of two levels add up to 1.
    pub weight: f32,
    /// u, v, w: the position in the level after the wrap modes, in texels.
    pub at: [f32; 3],
    /// The weights of the second texels along x, y and z.
    pub weights: [f32; 3],
    /// The blended texels, x fastest: one, or two along each axis.
    pub texels: Vec<TexelTrace>,
    /// The blended value, in store units.
    pub value: [f32; 4],
}

/// A texel that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TexelTrace {
    /// Column, row and slice after the wrap mode. Outside of the image, the position in the border.
    pub place: [i32; 3],
    /// The image within the level, counting the faces of each layer consecutively.
    pub image: u32,
    /// The source of the value.
    pub source: TexelSource,
    /// The texel's share of the level; 1 for a gather.
    pub weight: f32,
    /// The stored components, in store units.
    pub stored: [f32; 4],
    /// The value that is blended: the stored components, or the result of the comparison.
    pub value: [f32; 4],
}

/// The source of a texel's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexelSource {
    /// The image.
    Image,
    /// The border colour.
    Border,
    /// A corner of the cube, which belongs to no face: the mean of the other three texels.
    Corner,
}

/// The trace of lane `lane` of a lookup; `None` if the texture returns zeros without reading texels.
pub(in super::super) fn trace(
    texture: &Texture,
    lookup: &Lookup<'_, QUAD>,
    lane: usize,
) -> Option<LookupTrace> {
    let plan = texture.sampled(lookup)?;
    let store = &plan.store;
    let (wanted, components) = (((1_u32 << store.components) - 1) as u8, store.components as i32);
    let compare = plan.compare.filter(|_| lookup.reference.is_some());
    let telling =
        Telling { plan, lookup, lane, first_level: texture.sampler.base_level as i32 - plan.levels[0] };
    let found = match &store.texels {
        Stored::Packed(words) => {
            let texels = Packed { words: Elements::new(words)?, wanted };
            telling.found([texels; 2])
        }
        Stored::Float(values) => {
            let values = Elements::new(values)?;
            let (infinite, exact) = (plan.infinite, store.exact);
            let numbers = |compare| Numbers { values, components, wanted, compare, infinite, exact };
            telling.found([numbers(compare), numbers(None)])
        }
        Stored::Integers(words) => {
            let texels = Integers { words: Elements::new(words)?, components, wanted };
            telling.found([texels; 2])
        }
    };
    let mut result = [[0.0; QUAD]; 4];
    quads(plan, lookup, &mut result.each_mut().map(Some), u64::MAX, None);
    let place = telling.place();
    let comparison = texture.sampler.compare.filter(|_| compare.is_some());
    Some(LookupTrace {
        coordinates: telling.numbers(place.coordinates),
        quad: telling.quad(),
        lane,
        layer: plan.layers.map(|_| (telling.integer(place.face) / plan.layer_stride) as u32),
        comparison: comparison.map(|func| (func, telling.number(place.reference))),
        offset: place.offset.map(|offset| telling.integers(offset)),
        unit: store.unit(),
        sources: plan.result,
        found,
        result: result.map(|register| register[lane]),
    })
}

/// The inputs of a trace.
#[derive(Clone, Copy)]
struct Telling<'a> {
    plan: &'a Plan,
    lookup: &'a Lookup<'a, QUAD>,
    lane: usize,
    /// The texture's number of the store's level 0.
    first_level: i32,
}

/// All lanes of a vector.
fn lanes(values: Floats) -> [f32; QUAD] {
    let mut all = [0.0; QUAD];
    Portable::store(values, &mut all, 0);
    all
}

impl Telling<'_> {
    fn number(&self, values: Floats) -> f32 {
        lanes(values)[self.lane]
    }

    fn numbers<const N: usize>(&self, values: [Floats; N]) -> [f32; N] {
        values.map(|values| self.number(values))
    }

    fn integer(&self, values: Ints) -> i32 {
        self.number(Portable::from_bits(values)).to_bits().cast_signed()
    }

    fn integers<const N: usize>(&self, values: [Ints; N]) -> [i32; N] {
        values.map(|values| self.integer(values))
    }

    fn holds(&self, mask: Mask) -> bool {
        self.integer(Portable::select_ints(mask, Portable::ints(1), Portable::ints(0))) != 0
    }

    fn all_lanes(&self) -> Lanes<'_, QUAD> {
        Lanes { plan: self.plan, lookup: self.lookup, at: 0 }
    }

    fn place(&self) -> Coordinates<Portable> {
        place::<Portable, true, QUAD>(self.all_lanes())
    }

    /// The position of each lane in its image.
    fn quad(&self) -> [ImagePoint; QUAD] {
        let place = self.place();
        std::array::from_fn(|lane| Self { lane, ..*self }.point(place))
    }

    fn point(&self, place: Coordinates<Portable>) -> ImagePoint {
        let face = match self.plan.cube {
            true => self.integer(Face::<Portable>::of(place.coordinates).index()) as u8,
            false => 0,
        };
        ImagePoint { coordinates: self.numbers(on_face(self.plan, place).coordinates), face }
    }

    /// `texels` are the texels that are blended, and the same texels without the comparison.
    fn found<S: Texels>(&self, texels: [S; 2]) -> Found {
        let deep = self.plan.axes == 3;
        match self.lookup.wanted {
            Wanted::Filtered => match (lod::blends(self.plan), deep) {
                (false, _) => self.filtered::<S, 1>(texels),
                (true, false) => self.filtered::<S, 4>(texels),
                (true, true) => self.filtered::<S, 8>(texels),
            },
            Wanted::Gathered(component) => self.gathered(texels, component, None),
            Wanted::GatheredApart(component, &[xs, ys]) => {
                let apart = [four_offsets::<Portable, QUAD>(&xs, 0), four_offsets::<Portable, QUAD>(&ys, 0)];
                self.gathered(texels, component, Some(apart))
            }
            Wanted::Levels => Found::Levels(self.detail().0),
        }
    }

    /// The level of detail, and the probes: their number, and the side of the pixel that they are along.
    fn detail(&self) -> (DetailTrace, Option<lod::Probes<Portable>>) {
        let (plan, all) = (self.plan, self.all_lanes());
        let coordinates = all.coordinates::<Portable>(self.lookup.coords);
        let sides = lod::sides::<Portable, QUAD>(all, coordinates);
        let explicit = matches!(self.lookup.gradients, Gradients::Level(_));
        let probes = (plan.max_anisotropy > 1.0 && !explicit).then(|| lod::probes::<Portable, QUAD>(all));
        let (base, lambda) = match &probes {
            Some(probes) => (probes.base, probes.lambda),
            None => (lod::base::<Portable, QUAD>(all), lod::lambda::<Portable, QUAD>(all)),
        };
        let lambda = self.number(lambda);
        let magnified = lambda <= plan.switch_over;
        let in_image = lod::sides_in_image::<Portable>(plan, coordinates, sides);
        let squared_sides = lod::squared_lengths::<Portable>(plan, coordinates, sides);
        let detail = DetailTrace {
            derivatives: (!explicit).then(|| sides.map(|side| self.numbers(side))),
            in_image: in_image.map(|side| self.numbers(side)),
            squared_sides: self.numbers(squared_sides),
            anisotropy: probes.as_ref().map(|probes| [self.number(probes.count), plan.max_anisotropy]),
            base: self.number(base),
            bias: self.number(lod::bias::<Portable, QUAD>(all)),
            clamps: [plan.min_lod, plan.max_lod],
            lambda,
            switch_over: plan.switch_over,
            magnified,
            filter: if magnified { plan.mag } else { plan.min },
        };
        (detail, probes)
    }

    fn filtered<S: Texels, const C: usize>(&self, texels: [S; 2]) -> Found {
        let (detail, along) = self.detail();
        let place = self.place();
        let lambda = Portable::floats(detail.lambda);
        let levels = Levels::<Portable>::choose(self.plan, lambda);
        let count = along.as_ref().map_or(1.0, |probes| self.number(probes.count));
        let several = along.filter(|_| count > 1.0);
        let probes: Vec<Probe> = (1..=count as u32)
            .map(|i| {
                let mut here = place;
                if let Some(probes) = &several {
                    let step = lod::probe_step::<Portable>(i as f32, probes.count);
                    for (s, side) in here.coordinates.iter_mut().zip(probes.side) {
                        *s = *s + side * step;
                    }
                }
                self.probe::<S, C>(texels, here, &levels)
            })
            .collect();
        // As `run_probes` adds them; a single probe counts as its own sum.
        let components = match &probes[..] {
            [only] => only.value,
            all => std::array::from_fn(|c| all.iter().fold(-0.0, |sum, probe| sum + probe.value[c]) / count),
        };
        Found::Filtered { detail, probes, components }
    }

    fn probe<S: Texels, const C: usize>(
        &self,
        texels: [S; 2],
        place: Coordinates<Portable>,
        levels: &Levels<Portable>,
    ) -> Probe {
        let at = self.point(place);
        let folded = folded_place::<Portable, true>(self.plan, on_face(self.plan, place));
        let fraction = self.number(levels.fraction);
        let mut read = vec![self.level::<S, C>(texels, &folded, levels, 1.0 - fraction)];
        let mut value = read[0].value;
        if self.plan.mip == MipMode::Linear && fraction > 0.0 {
            let far = self.level::<S, C>(texels, &folded, &next_level(self.plan, levels), fraction);
            let each = |value: f32| Portable::floats(value);
            value = std::array::from_fn(|c| {
                self.number(texels[0].between::<Portable>(
                    each(value[c]),
                    each(far.value[c]),
                    levels.fraction,
                ))
            });
            read.push(far);
        }
        Probe { at, levels: read, value }
    }

    /// The texels that the filter reads of a level.
    fn level<S: Texels, const C: usize>(
        &self,
        [texels, stored]: [S; 2],
        place: &Coordinates<Portable>,
        levels: &Levels<Portable>,
        weight: f32,
    ) -> LevelTrace {
        let plan = self.plan;
        let (mut corners, taps) = corners::<Portable, C, true>(plan, place, levels);
        let value = self.numbers(texels.blended::<Portable, C, true>(plan, &corners));
        // The texels are read one by one.
        corners.seam = !Portable::never();
        let weights = self.numbers(corners.weights);
        let linear = C > 1 && self.number(levels.half) > 0.0;
        let axes = if linear { plan.axes } else { 0 };
        let level = self.integer(levels.level);
        let share = |corner: usize| {
            (0..axes).fold(1.0, |all, axis| {
                all * if corner >> axis & 1 != 0 { weights[axis] } else { 1.0 - weights[axis] }
            })
        };
        // NEAREST reads one texel, even if the other filter reads several. A one-dimensional image has one
        // row.
        let read = (0..C).filter(|corner| corner >> axes == 0);
        let image = self.integer(place.face) / plan.face_stride;
        let places = taps.map(|taps| self.integers(taps.index));
        let texels_read = read.map(|corner| {
            let place = std::array::from_fn(|axis| places[axis][corner >> axis & 1]);
            self.texel([texels, stored], &corners, corner, (level, image, place, share(corner)))
        });
        LevelTrace {
            level: (level + self.first_level) as u32,
            size: self.size(level),
            weight,
            at: taps.map(|taps| self.number(taps.u)),
            texels: texels_read.collect(),
            weights: std::array::from_fn(|axis| if axis < axes { weights[axis] } else { 0.0 }),
            value,
        }
    }

    /// Width, height and depth of a level of the store.
    fn size(&self, level: i32) -> [u32; 3] {
        self.plan.size.map(|size| (size >> level).max(1) as u32)
    }

    /// A texel that is blended. `image` and `place` are its position from the taps.
    fn texel<S: Texels, const C: usize>(
        &self,
        [texels, stored]: [S; 2],
        corners: &Corners<Portable, C>,
        corner: usize,
        (level, image, place, weight): (i32, i32, [i32; 3], f32),
    ) -> TexelTrace {
        let plan = self.plan;
        let inside = plan.border_use == Border::Never || self.holds(corners.inside[corner]);
        let source = match inside {
            true => TexelSource::Image,
            false if C == 4 && plan.seamless => TexelSource::Corner,
            false => TexelSource::Border,
        };
        let index = self.integer(corners.index[corner]);
        let (image, place) = if inside {
            let [width, height, _] = self.size(level).map(|size| size as i32);
            let rest = index % plan.face_stride - (plan.slots - (plan.slots >> level));
            (index / plan.face_stride, [rest % width, rest / width % height, rest / width / height])
        } else {
            (image, place)
        };
        let components = |texels: S| {
            let count = plan.store.components;
            let each = |c| self.number(texels.apart::<Portable, C, true>(plan, corners, c)[corner]);
            std::array::from_fn(|c| if c < count { each(c) } else { 0.0 })
        };
        let (stored, value) = (components(stored), components(texels));
        TexelTrace { place, image: image as u32, source, weight, stored, value }
    }

    fn gathered<S: Texels>(&self, texels: [S; 2], component: u8, apart: Option<[[Ints; 4]; 2]>) -> Found {
        let plan = self.plan;
        let place = on_face(plan, self.place());
        let (corners, [xs, ys]) = gathered_corners::<Portable, true>(plan, &place, apart);
        let level = plan.levels[0];
        let image = self.integer(place.face) / plan.face_stride;
        // The order of TXG: above left and right, below right and left.
        let order = if apart.is_some() { [0, 1, 2, 3] } else { [2, 3, 1, 0] };
        let read = order.map(|corner| {
            let place = [self.integer(xs[corner]), self.integer(ys[corner]), 0];
            self.texel(texels, &corners, corner, (level, image, place, 1.0))
        });
        let size = self.size(level);
        let folded = folded_place::<Portable, true>(plan, place);
        let at = self.numbers(folded.coordinates);
        let level = LevelTrace {
            level: (level + self.first_level) as u32,
            size,
            weight: 1.0,
            at: std::array::from_fn(|axis| at[axis] * plan.texels[axis]),
            weights: [0.0; 3],
            texels: read.to_vec(),
            value: [0.0; 4],
        };
        let component = match self.lookup.reference {
            Some(_) => ResultComponent::Component(0),
            None => plan.result[usize::from(component) % 4],
        };
        Found::Gathered { component, level }
    }
}
