//! Lookups: all targets, formats, filters and wrap modes, written once over vectors of lanes ([`Simd`]).
//!
//! The code is compiled for each instruction set. All versions are bit-identical, because each lane performs
//! the same IEEE operations. Blocks of lanes use the best version for the processor, single quads the
//! portable version. From coordinates to results, vectors stay in registers.
//!
//! Properties of the sampler that change the instructions are type or const parameters of the code. Other
//! properties, like the wrap mode, are one branch per vector.
//!
//! If the magnification and minification filters differ, a NEAREST lane uses the linear filter's arithmetic
//! with a second weight of 0, which leaves its texel unchanged. Texels that can be infinite or -0 have
//! separate arithmetic with the same result ([`Plan::infinite`]). 1D is handled as 2D with one row.

mod cube;
mod fetch;
pub(super) mod lod;
mod taps;
pub(super) mod trace;

use std::hint::black_box;

use super::format::ResultComponent;
use super::plan::{Border, Plan};
use super::sampler::MagFilter;
use super::store::Texels as Stored;
use super::{Gradients, Lookup, Offsets, Wanted};
use crate::simd::{Elements, Portable, Simd, Task};
use fetch::{Coordinates, Filtered, Image, Integers, Numbers, Packed, Texels, gathered, sample_levels};
use lod::{Lanes, Levels};

/// Looks up the quads with a lane in `lanes` with the portable version; see [`super::Texture::sample`]. Only
/// single quads have code, because each instance is large.
pub(super) fn quads<const N: usize>(
    plan: &Plan,
    lookup: &Lookup<'_, N>,
    out: &mut Results<'_, N>,
    lanes: u64,
    mut lambda: Option<&mut [f32; N]>,
) {
    for quad in (0..N / 4).filter(|quad| lanes >> (4 * quad) & 15 != 0) {
        let mut offsets = None;
        let lookup = lookup.quad(quad, &mut offsets);
        let mut out = out.each_mut().map(|register| Some(&mut register.as_mut()?.as_chunks_mut().0[quad]));
        let lambda = lambda.as_mut().map(|lambda| &mut lambda.as_chunks_mut().0[quad]);
        Request { plan, lookup: &lookup, out: &mut out, lanes: u64::MAX, lambda }.start::<Portable>();
    }
}

/// Looks up a block with the plan's version; see [`super::Texture::sample_lanes`]. Vectors without a lane in
/// `lanes` may be skipped.
pub(super) fn block(
    plan: &Plan,
    lookup: &Lookup<'_, 64>,
    out: &mut Results<'_, 64>,
    lanes: u64,
    lambda: Option<&mut [f32; 64]>,
) {
    plan.simd.choose(Start(Request { plan, lookup, out, lanes, lambda }));
}

/// The registers for results; `None` for components that are not wanted.
pub(super) type Results<'a, const N: usize> = [Option<&'a mut [f32; N]>; 4];

/// A lookup of a texture, with its outputs.
struct Request<'a, 'o, const N: usize> {
    plan: &'a Plan,
    lookup: &'a Lookup<'a, N>,
    out: &'a mut Results<'o, N>,
    /// The lanes that are wanted.
    lanes: u64,
    lambda: Option<&'a mut [f32; N]>,
}

/// Runs [`Request::start`].
struct Start<'a, 'o, const N: usize>(Request<'a, 'o, N>);

impl<const N: usize> Task for Start<'_, '_, N> {
    fn run<V: Simd>(self) {
        let Self(Request { plan, lookup, out, lanes, lambda }) = self;
        if const { V::LANES == Portable::LANES } {
            quads(plan, lookup, out, lanes, lambda);
        } else {
            Request { plan, lookup, out, lanes, lambda }.start::<V>();
        }
    }
}

/// Runs [`Request::filter`].
struct Filter<'a, 'o, T, const C: usize, const BORDER: bool, const N: usize> {
    request: Request<'a, 'o, N>,
    texels: T,
}

impl<T: Texels, const C: usize, const BORDER: bool, const N: usize> Task for Filter<'_, '_, T, C, BORDER, N> {
    #[inline(always)]
    fn run<V: Simd>(self) {
        self.request.filter::<V, T, C, BORDER>(self.texels);
    }
}

/// Runs [`Request::gather`].
struct Gather<'a, 'o, T, const GENERAL: bool, const N: usize> {
    request: Request<'a, 'o, N>,
    texels: T,
}

impl<T: Texels, const GENERAL: bool, const N: usize> Task for Gather<'_, '_, T, GENERAL, N> {
    #[inline(always)]
    fn run<V: Simd>(self) {
        self.request.gather::<V, T, GENERAL>(self.texels);
    }
}

/// Runs [`Request::query`].
struct Query<'a, 'o, const N: usize>(Request<'a, 'o, N>);

impl<const N: usize> Task for Query<'_, '_, N> {
    #[inline(always)]
    fn run<V: Simd>(self) {
        self.0.query::<V>();
    }
}

impl<const N: usize> Request<'_, '_, N> {
    fn start<V: Simd>(self) {
        match self.lookup.wanted {
            Wanted::Levels => V::compiled(Query(self)),
            Wanted::Filtered | Wanted::Gathered(_) | Wanted::GatheredApart(..) => self.by_format::<V>(),
        }
    }

    /// The source of a gather's results.
    fn gathered(&self, component: u8) -> ResultComponent {
        // A comparison has one result, for all components.
        match self.lookup.reference {
            Some(_) => ResultComponent::Component(0),
            None => self.plan.result[usize::from(component) % 4],
        }
    }

    /// The stored components that results need: bit 0 is the first.
    fn components(&self) -> u8 {
        match self.lookup.wanted {
            Wanted::Filtered => {
                let reads = self.plan.reads.iter().zip(&*self.out);
                reads.fold(0, |all, (reads, out)| all | if out.is_some() { *reads } else { 0 })
            }
            // Gathers name their component separately.
            Wanted::Gathered(_) | Wanted::GatheredApart(..) | Wanted::Levels => 0,
        }
    }

    fn by_format<V: Simd>(self) {
        let store = &self.plan.store;
        let wanted = self.components();
        match &store.texels {
            Stored::Packed(words) => {
                let Some(words) = Elements::new(words) else { return };
                self.by_filter::<V, _>(Packed { words, wanted });
            }
            Stored::Float(values) => {
                let Some(values) = Elements::new(values) else { return };
                let compare = self.plan.compare.filter(|_| self.lookup.reference.is_some());
                let components = store.components as i32;
                let infinite = self.plan.infinite;
                let exact = store.exact;
                self.by_filter::<V, _>(Numbers { values, components, wanted, compare, infinite, exact });
            }
            Stored::Integers(words) => {
                let Some(words) = Elements::new(words) else { return };
                let texels = Integers { words, components: store.components as i32, wanted };
                // A complete integer texture has only filters that read one texel.
                match self.lookup.wanted {
                    Wanted::Filtered => self.compiled_filter::<V, _, 1, true>(texels),
                    Wanted::Gathered(_) | Wanted::GatheredApart(..) | Wanted::Levels => {
                        self.compiled_gather::<V, _, true>(texels);
                    }
                }
            }
        }
    }

    fn by_filter<V: Simd, T: Texels>(self, texels: T) {
        match self.lookup.wanted {
            Wanted::Filtered => {}
            Wanted::Gathered(_) if const { is_specialised::<V>() } && fetch::is_plain(self.plan) => {
                return self.compiled_gather::<V, T, false>(texels);
            }
            Wanted::Gathered(_) | Wanted::GatheredApart(..) | Wanted::Levels => {
                return self.compiled_gather::<V, T, true>(texels);
            }
        }
        // Three-dimensional textures with probes are rare, so they have no specialised code either.
        let deep = self.plan.axes == 3;
        let probes = deep && self.plan.max_anisotropy > 1.0;
        let plain = self.plan.border_use == Border::Never && matches!(self.lookup.offsets, Offsets::None);
        let blends = lod::blends(self.plan);
        // The constant is a condition by itself. Otherwise the compiler makes code that never runs.
        if const { is_specialised::<V>() } && plain && !probes {
            return match (blends, deep) {
                (false, _) => self.compiled_filter::<V, T, 1, false>(texels),
                (true, false) => self.compiled_filter::<V, T, 4, false>(texels),
                (true, true) => self.compiled_filter::<V, T, 8, false>(texels),
            };
        }
        match (blends, deep) {
            (false, _) => self.compiled_filter::<V, T, 1, true>(texels),
            (true, false) => self.compiled_filter::<V, T, 4, true>(texels),
            (true, true) => self.compiled_filter::<V, T, 8, true>(texels),
        }
    }

    fn compiled_filter<V: Simd, T: Texels, const C: usize, const BORDER: bool>(self, texels: T) {
        V::compiled(Filter::<T, C, BORDER, N> { request: self, texels });
    }

    fn compiled_gather<V: Simd, T: Texels, const GENERAL: bool>(self, texels: T) {
        V::compiled(Gather::<T, GENERAL, N> { request: self, texels });
    }

    /// Looks up every lane with a filter of `C` texels. `BORDER` says whether the filter may read the border.
    #[inline(always)]
    fn filter<V: Simd, T: Texels, const C: usize, const BORDER: bool>(self, texels: T) {
        let Self { plan, lookup, out, lanes, lambda } = self;
        let image = Image { plan, texels };
        // If the compiler knows the number of vectors, it copies this code for each. That is a tenth faster
        // but takes several times as long to compile. So only the most common kinds get it.
        let end = if V::LANES == 16 && C <= 4 && !BORDER { N } else { black_box(N) };
        let explicit = matches!(lookup.gradients, Gradients::Level(_));
        if (C != 8 || BORDER) && plan.max_anisotropy > 1.0 && !explicit {
            return run_probes::<V, T, C, BORDER, N>(image, lookup, out, lambda);
        }
        // Computes lambda for all vectors first. The steps to lambda depend on each other, so the vectors'
        // computations overlap.
        let mut own;
        let lambda = if lambda.is_some() || lod::wants_lambda(plan) {
            let lambda = match lambda {
                Some(lambda) => lambda,
                None => {
                    own = [0.0; N];
                    &mut own
                }
            };
            for at in (0..end).step_by(V::LANES).map(within::<V, N>) {
                V::store(lod::lambda::<V, N>(Lanes { plan, lookup, at }), lambda, at);
            }
            Some(lambda)
        } else {
            None
        };
        for at in (0..end).step_by(V::LANES).map(within::<V, N>) {
            if !is_wanted::<V>(lanes, at) {
                continue;
            }
            let levels = match &lambda {
                Some(lambda) => Levels::choose(plan, V::load(lambda, at)),
                None => Levels::of_base(plan),
            };
            let place = place::<V, BORDER, N>(Lanes { plan, lookup, at });
            let filtered = sample_levels::<V, T, C, BORDER>(image, on_face(plan, place), &levels);
            store_results::<V, T, N>(plan, filtered, out, at);
        }
    }
}

/// Whether lookups that cannot read the border have code of their own. For narrow vectors, such code is not
/// worth its compile time.
const fn is_specialised<V: Simd>() -> bool {
    V::LANES > Portable::LANES
}

/// Returns `at` unchanged, in a form that proves to the compiler that all lanes of the vector are within `N`.
#[inline(always)]
fn within<V: Simd, const N: usize>(at: usize) -> usize {
    const { assert!(N.is_power_of_two() && N.is_multiple_of(V::LANES)) };
    at & (N - V::LANES)
}

impl<const N: usize> Request<'_, '_, N> {
    /// TXG and TXGO.
    #[inline(always)]
    fn gather<V: Simd, T: Texels, const GENERAL: bool>(self, texels: T) {
        let (plan, lookup) = (self.plan, self.lookup);
        let (component, apart) = match lookup.wanted {
            Wanted::Gathered(component) => (component, None),
            Wanted::GatheredApart(component, &offsets) => (component, Some(offsets)),
            Wanted::Filtered | Wanted::Levels => return,
        };
        let source = self.gathered(component);
        let image = Image { plan, texels };
        for at in (0..black_box(N)).step_by(V::LANES).map(within::<V, N>) {
            if !is_wanted::<V>(self.lanes, at) {
                continue;
            }
            let place = place::<V, true, N>(Lanes { plan, lookup, at });
            let place = if GENERAL { on_face(plan, place) } else { place };
            let offsets = match apart {
                Some([xs, ys]) if GENERAL => {
                    Some([four_offsets::<V, N>(&xs, at), four_offsets::<V, N>(&ys, at)])
                }
                _ => None,
            };
            let [a, b, c, d] = gathered::<V, T, GENERAL>(image, &place, offsets, source);
            // The order of TXG: above left and right, below right and left.
            let [a, b, c, d] = if GENERAL && apart.is_some() { [a, b, c, d] } else { [c, d, b, a] };
            let [x, y, z, w] = &mut *self.out;
            // Not a loop, because functions called in a loop would not use vector instructions.
            if let Some(register) = x {
                V::store(a, register, at);
            }
            if let Some(register) = y {
                V::store(b, register, at);
            }
            if let Some(register) = z {
                V::store(c, register, at);
            }
            if let Some(register) = w {
                V::store(d, register, at);
            }
        }
    }

    /// LOD.
    #[inline(always)]
    fn query<V: Simd>(self) {
        let (plan, lookup) = (self.plan, self.lookup);
        for at in (0..black_box(N)).step_by(V::LANES).map(within::<V, N>) {
            let [filtered, computed] = lod::query::<V, N>(Lanes { plan, lookup, at });
            let zero = V::floats(0.0);
            for (register, value) in self.out.iter_mut().zip([filtered, computed, zero, zero]) {
                if let Some(register) = register {
                    V::store(V::flush(value), register, at);
                }
            }
        }
    }
}

/// The lanes of an offset, clamped to the range of offsets.
#[inline(always)]
fn offset<V: Simd, const N: usize>(register: &[f32; N], at: usize) -> V::I {
    let bits = V::bits(V::load(register, at));
    V::largest(V::min_int(bits, V::ints(63)), V::ints(-64))
}

/// [`offset`] for four registers.
#[inline(always)]
fn four_offsets<V: Simd, const N: usize>([a, b, c, d]: &[&[f32; N]; 4], at: usize) -> [V::I; 4] {
    [offset::<V, N>(a, at), offset::<V, N>(b, at), offset::<V, N>(c, at), offset::<V, N>(d, at)]
}

/// Whether `lanes` includes a lane of the vector at `at`.
#[inline(always)]
fn is_wanted<V: Simd>(lanes: u64, at: usize) -> bool {
    let vector = u64::MAX >> (u64::BITS as usize - V::LANES);
    lanes.checked_shr(at as u32).is_none_or(|lanes| lanes & vector != 0)
}

/// The coordinates of a lookup.
#[inline(always)]
fn place<V: Simd, const BORDER: bool, const N: usize>(lanes: Lanes<'_, N>) -> Coordinates<V> {
    let zero = V::floats(0.0);
    let reference = match lanes.lookup.reference {
        Some(reference) => taps::clamp::<V>(V::load(reference, lanes.at), zero, V::floats(1.0)),
        None => zero,
    };
    let face = match lanes.plan.layers {
        Some(layers) => {
            layer::<V>(V::load(lanes.lookup.layer, lanes.at), layers) * V::ints(lanes.plan.layer_stride)
        }
        None => V::ints(0),
    };
    let offset = match lanes.lookup.offsets {
        // `by_filter` sends lookups with offsets to the code that handles the border.
        _ if !BORDER => None,
        Offsets::None => None,
        Offsets::Same([x, y, z]) => Some([V::ints(x.into()), V::ints(y.into()), V::ints(z.into())]),
        Offsets::Lanes([x, y, z]) => {
            Some([offset::<V, N>(x, lanes.at), offset::<V, N>(y, lanes.at), offset::<V, N>(z, lanes.at)])
        }
    };
    let coordinates = lanes.coordinates::<V>(lanes.lookup.coords);
    Coordinates { coordinates, face, seamless: None, reference, offset }
}

/// The layer nearest to a coordinate, halves upwards. NaN selects the first layer.
#[inline(always)]
fn layer<V: Simd>(coordinate: V::F, layers: i32) -> V::I {
    let x = taps::clamp::<V>(coordinate, V::floats(0.0), V::floats((layers - 1) as f32));
    let below = V::floor(x);
    let upwards = V::le(V::floats(0.5), x - below);
    V::whole(V::select(upwards, below + V::floats(1.0), below))
}

/// The position on the faces of a cube map. Other targets have one face.
#[inline(always)]
fn on_face<V: Simd>(plan: &Plan, place: Coordinates<V>) -> Coordinates<V> {
    if !plan.cube {
        return place;
    }
    let face = cube::Face::<V>::of(place.coordinates);
    let coordinates = cube::coordinates::<V>(face.quotients(place.coordinates));
    let begin = place.face + face.index() * V::ints(plan.face_stride);
    Coordinates { coordinates, face: begin, seamless: plan.seamless.then_some(face), ..place }
}

/// EXT_texture_filter_anisotropic. Lanes with fewer probes than others ignore the rest.
#[inline(always)]
fn run_probes<V: Simd, T: Texels, const C: usize, const BORDER: bool, const N: usize>(
    image: Image<'_, T>,
    lookup: &Lookup<'_, N>,
    out: &mut [Option<&mut [f32; N]>; 4],
    mut lambda: Option<&mut [f32; N]>,
) {
    let plan = image.plan;
    // One copy of the code, see `Request::run`.
    for at in (0..black_box(N)).step_by(V::LANES).map(within::<V, N>) {
        let lanes = Lanes { plan, lookup, at };
        let place = place::<V, BORDER, N>(lanes);
        let probes = lod::probes::<V, N>(lanes);
        if let Some(lambda) = &mut lambda {
            V::store(probes.lambda, lambda, at);
        }
        let levels = Levels::choose(plan, probes.lambda);
        let several = V::lt(V::floats(1.0), probes.count);
        // Starting from 0 would turn -0 into 0.
        let mut sums = [V::floats(-0.0); 4];
        for i in 1..=V::reduce_max(probes.count) as u32 {
            let i = i as f32;
            let step = lod::probe_step::<V>(i, probes.count);
            let mut here = place;
            for (s, side) in here.coordinates.iter_mut().zip(probes.side) {
                *s = V::select(several, *s + side * step, *s);
            }
            let sample = sample_levels::<V, T, C, BORDER>(image, on_face(plan, here), &levels);
            let counts = V::le(V::floats(i), probes.count);
            for (sum, sample) in sums.iter_mut().zip(sample.components) {
                *sum = V::select(counts, *sum + sample, *sum);
            }
        }
        for sum in &mut sums {
            *sum = *sum / probes.count;
        }
        store_results::<V, T, N>(plan, Filtered { components: sums, can_be_denorms: true }, out, at);
    }
}

/// Stores the result vectors for filtered components in store units: Table X.5.
#[inline(always)]
fn store_results<V: Simd, T: Texels, const N: usize>(
    plan: &Plan,
    filtered: Filtered<V>,
    out: &mut [Option<&mut [f32; N]>; 4],
    at: usize,
) {
    if let ([Some(x), Some(y), Some(z), Some(w)], &ResultComponent::ALL) = (&mut *out, &plan.result) {
        let Filtered { components, can_be_denorms } = filtered;
        V::store(T::finished::<V>(components[0], can_be_denorms), x, at);
        V::store(T::finished::<V>(components[1], can_be_denorms), y, at);
        V::store(T::finished::<V>(components[2], can_be_denorms), z, at);
        V::store(T::finished::<V>(components[3], can_be_denorms), w, at);
        return;
    }
    let [x, y, z, w] = out;
    // Not a loop, so that the component's number does not become an address.
    if let Some(register) = x {
        V::store(result::<V, T>(plan.result[0], filtered), register, at);
    }
    if let Some(register) = y {
        V::store(result::<V, T>(plan.result[1], filtered), register, at);
    }
    if let Some(register) = z {
        V::store(result::<V, T>(plan.result[2], filtered), register, at);
    }
    if let Some(register) = w {
        V::store(result::<V, T>(plan.result[3], filtered), register, at);
    }
}

/// One component of the result vector.
#[inline(always)]
fn result<V: Simd, T: Texels>(source: ResultComponent, filtered: Filtered<V>) -> V::F {
    let Filtered { components: [x, y, z, w], can_be_denorms } = filtered;
    match source {
        ResultComponent::Component(0) => T::finished::<V>(x, can_be_denorms),
        ResultComponent::Component(1) => T::finished::<V>(y, can_be_denorms),
        ResultComponent::Component(2) => T::finished::<V>(z, can_be_denorms),
        ResultComponent::Component(_) => T::finished::<V>(w, can_be_denorms),
        ResultComponent::Zero => V::floats(0.0),
        ResultComponent::One => T::one::<V>(),
        ResultComponent::Hemi => T::hemi::<V>([x, y, z, w]),
    }
}

/// The offset that a filter subtracts from u before rounding down.
fn half(filter: MagFilter) -> f32 {
    match filter {
        MagFilter::Nearest => 0.0,
        MagFilter::Linear => 0.5,
    }
}
