//! Lookups: every target, format, filter and wrap mode, written once over vectors of lanes (see [`vector`]).
//!
//! There is an instance for AVX-512, AVX2 and one of four lanes that any processor has, all with the same bits: each
//! lane goes through the same IEEE operations. Blocks of lanes are looked up by the best that the processor has,
//! single quads by the one of four lanes. A vector of lanes goes all the way from coordinates to results in
//! registers. What is the same for all lookups of a sampler and changes which instructions there are, is a type or
//! a constant of the instance; what is left, like the wrap mode, is a branch a vector.
//!
//! Where the magnification and minification filter differ, a NEAREST lane goes through the linear
//! filter's arithmetic with a second weight of 0, which leaves its texel as it is. Texels that can be infinite or -0
//! have an arithmetic of their own, which does the same ([`Plan::infinite`]). 1D is 2D with t where there is but one texel.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "calls of the vector instances"))]

pub(super) mod account;
mod cube;
mod fetch;
pub(super) mod lod;
mod taps;
#[cfg_attr(fuzzing, expect(dead_code, reason = "fuzzing has one instance"))]
mod vector;

use std::hint::black_box;

use super::format::ResultComponent;
use super::plan::{Border, Plan};
use super::sampler::MagFilter;
use super::store::Texels as Stored;
use super::{Gradients, Lookup, Offsets, Wanted};
use crate::processor::Cpu;
use fetch::{Coordinates, Filtered, Image, Integers, Numbers, Packed, Texels, gathered, sample_levels};
use lod::{Lanes, Levels};
#[cfg(target_arch = "x86_64")]
use vector::{Avx2, Avx512, Elements, Pair, Portable, Vector};

/// An instruction set that there is an instance of the lookups for. Only [`Isa::of`] makes values other than
/// the baseline, so holding one proves that the processor has it.
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
    /// That of `cpu`, where it can be used.
    pub(super) fn of(cpu: Cpu) -> Option<Self> {
        let level = match cpu {
            Cpu::Portable => Level::Baseline,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => Level::Avx2,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 => Level::Avx512,
            #[cfg(not(target_arch = "x86_64"))]
            Cpu::Avx2 | Cpu::Avx512 => return None,
        };
        (cpu <= Cpu::in_use()).then_some(Self(level))
    }

    /// The best that can be used.
    pub(super) fn best() -> Self {
        Self::of(Cpu::in_use()).unwrap_or(Self(Level::Baseline))
    }
}

/// Looks up every lane by the instance of four lanes; see [`super::Texture::sample`].
pub(super) fn quads<const N: usize>(
    plan: &Plan,
    lookup: &Lookup<'_, N>,
    out: &mut Results<'_, N>,
    lambda: Option<&mut [f32; N]>,
) {
    Request { plan, lookup, out, lanes: u64::MAX, lambda }.start::<Portable>();
}

/// Looks up a block by the plan's instance; see [`super::Texture::sample_lanes`]. Vectors that have no lane in
/// `lanes` may be left as they are.
pub(super) fn block(
    plan: &Plan,
    lookup: &Lookup<'_, 64>,
    out: &mut Results<'_, 64>,
    lanes: u64,
    lambda: Option<&mut [f32; 64]>,
) {
    let request = Request { plan, lookup, out, lanes, lambda };
    match plan.isa.0 {
        Level::Baseline => request.start::<Portable>(),
        #[cfg(all(target_arch = "x86_64", not(fuzzing)))]
        Level::Avx2 => request.start::<Pair<Avx2>>(),
        #[cfg(all(target_arch = "x86_64", not(fuzzing)))]
        Level::Avx512 => request.start::<Avx512>(),
        // One instance takes the compiler long enough.
        #[cfg(all(target_arch = "x86_64", fuzzing))]
        Level::Avx2 | Level::Avx512 => request.start::<Portable>(),
    }
}

/// Where results go that are wanted.
pub(super) type Results<'a, const N: usize> = [Option<&'a mut [f32; N]>; 4];

/// A lookup of a texture.
struct Request<'a, 'o, const N: usize> {
    plan: &'a Plan,
    lookup: &'a Lookup<'a, N>,
    out: &'a mut Results<'o, N>,
    /// Lanes that are wanted.
    lanes: u64,
    lambda: Option<&'a mut [f32; N]>,
}

/// Vectors that [`Request::run`] is compiled for.
trait Compiled: Vector {
    /// Whether lookups that cannot meet the border have code of their own, which takes the compiler its time.
    const BORDERLESS: bool;

    /// Runs it. An [`Isa`] of this level exists only where the processor has what it takes.
    fn run<S: Texels<Self>, const C: usize, const BORDER: bool, const N: usize>(
        request: Request<'_, '_, N>,
        texels: S,
    );

    /// [`Request::gather`], the same way.
    fn gather<S: Texels<Self>, const GENERAL: bool, const N: usize>(request: Request<'_, '_, N>, texels: S);

    /// [`Request::query`], the same way.
    fn query<const N: usize>(request: Request<'_, '_, N>);
}

impl Compiled for Portable {
    const BORDERLESS: bool = false;

    fn run<S: Texels<Self>, const C: usize, const BORDER: bool, const N: usize>(
        request: Request<'_, '_, N>,
        texels: S,
    ) {
        request.run::<Self, S, C, BORDER>(texels);
    }

    fn gather<S: Texels<Self>, const GENERAL: bool, const N: usize>(request: Request<'_, '_, N>, texels: S) {
        request.gather::<Self, S, GENERAL>(texels);
    }

    fn query<const N: usize>(request: Request<'_, '_, N>) {
        request.query::<Self>();
    }
}

/// The instance for a set of features.
macro_rules! compiled {
    ($vector:ty, $features:literal) => {
        #[cfg(target_arch = "x86_64")]
        impl Compiled for $vector {
            const BORDERLESS: bool = true;

            fn run<S: Texels<Self>, const C: usize, const BORDER: bool, const N: usize>(
                request: Request<'_, '_, N>,
                texels: S,
            ) {
                #[target_feature(enable = $features)]
                fn run<S: Texels<$vector>, const C: usize, const BORDER: bool, const N: usize>(
                    request: Request<'_, '_, N>,
                    texels: S,
                ) {
                    request.run::<$vector, S, C, BORDER>(texels);
                }
                // SAFETY: only `block` leads here, with an `Isa` of this level.
                unsafe { run::<S, C, BORDER, N>(request, texels) }
            }

            fn gather<S: Texels<Self>, const GENERAL: bool, const N: usize>(
                request: Request<'_, '_, N>,
                texels: S,
            ) {
                #[target_feature(enable = $features)]
                fn gather<S: Texels<$vector>, const GENERAL: bool, const N: usize>(
                    request: Request<'_, '_, N>,
                    texels: S,
                ) {
                    request.gather::<$vector, S, GENERAL>(texels);
                }
                // SAFETY: as of `run`.
                unsafe { gather::<S, GENERAL, N>(request, texels) }
            }

            fn query<const N: usize>(request: Request<'_, '_, N>) {
                #[target_feature(enable = $features)]
                fn query<const N: usize>(request: Request<'_, '_, N>) {
                    request.query::<$vector>();
                }
                // SAFETY: as of `run`.
                unsafe { query::<N>(request) }
            }
        }
    };
}

compiled! { Pair<Avx2>, "avx2,fma" }
compiled! { Avx512, "avx512f,avx512vl,avx512dq,avx512bw" }

impl<const N: usize> Request<'_, '_, N> {
    fn start<V: Compiled>(self) {
        match self.lookup.wanted {
            Wanted::Levels => V::query::<N>(self),
            Wanted::Filtered | Wanted::Gathered(_) | Wanted::GatheredApart(..) => self.by_format::<V>(),
        }
    }

    /// Where each result of a gather comes from.
    fn gathered(&self, component: u8) -> ResultComponent {
        // A comparison has one result whatever the component.
        match self.lookup.reference {
            Some(_) => ResultComponent::Component(0),
            None => self.plan.result[usize::from(component) % 4],
        }
    }

    /// The stored components that results are made of: bit 0 is the first.
    fn components(&self) -> u8 {
        match self.lookup.wanted {
            Wanted::Filtered => {
                let reads = self.plan.reads.iter().zip(&*self.out);
                reads.fold(0, |all, (reads, out)| all | if out.is_some() { *reads } else { 0 })
            }
            // They say which of them they take.
            Wanted::Gathered(_) | Wanted::GatheredApart(..) | Wanted::Levels => 0,
        }
    }

    fn by_format<V: Compiled>(self) {
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
                // A texture of integers is complete with filters alone that take one texel.
                match self.lookup.wanted {
                    Wanted::Filtered => V::run::<_, 1, true, N>(self, texels),
                    Wanted::Gathered(_) | Wanted::GatheredApart(..) | Wanted::Levels => {
                        V::gather::<_, true, N>(self, texels);
                    }
                }
            }
        }
    }

    fn by_filter<V: Compiled, S: Texels<V>>(self, texels: S) {
        match self.lookup.wanted {
            Wanted::Filtered => {}
            Wanted::Gathered(_) if V::BORDERLESS && fetch::is_plain(self.plan) => {
                return V::gather::<S, false, N>(self, texels);
            }
            Wanted::Gathered(_) | Wanted::GatheredApart(..) | Wanted::Levels => {
                return V::gather::<S, true, N>(self, texels);
            }
        }
        // So have no probes in three dimensions, which are rare.
        let deep = self.plan.axes == 3;
        let probes = deep && self.plan.max_anisotropy > 1.0;
        let plain = self.plan.border_use == Border::Never && matches!(self.lookup.offsets, Offsets::None);
        let borderless = V::BORDERLESS && !probes && plain;
        match (lod::blends(self.plan), deep) {
            (false, _) if borderless => V::run::<S, 1, false, N>(self, texels),
            (false, _) => V::run::<S, 1, true, N>(self, texels),
            (true, false) if borderless => V::run::<S, 4, false, N>(self, texels),
            (true, false) => V::run::<S, 4, true, N>(self, texels),
            (true, true) if borderless => V::run::<S, 8, false, N>(self, texels),
            (true, true) => V::run::<S, 8, true, N>(self, texels),
        }
    }

    /// Every lane, with `C` texels to a filter, which can meet the border if `BORDER`.
    #[inline(always)]
    fn run<V: Vector, S: Texels<V>, const C: usize, const BORDER: bool>(self, texels: S) {
        let Self { plan, lookup, out, lanes, lambda } = self;
        let image = Image { plan, texels };
        // Where the compiler knows how many vectors there are, it makes a copy of all this for each. That is
        // faster by a tenth, but takes it several times as long: so only the commonest kinds have it.
        let end = if V::LANES == 16 && C <= 4 && !BORDER { N } else { black_box(N) };
        let explicit = matches!(lookup.gradients, Gradients::Level(_));
        if (C != 8 || BORDER) && plan.max_anisotropy > 1.0 && !explicit {
            return run_probes::<V, S, C, BORDER, N>(image, lookup, out, lambda);
        }
        // Of all vectors first, since the steps to lambda wait for one another: so they overlap.
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
            let filtered = sample_levels::<V, S, C, BORDER>(image, on_face(plan, place), &levels);
            store_results::<V, S, N>(plan, filtered, out, at);
        }
    }
}

/// The same, said so that the compiler knows that all lanes of a vector from there on are among `N`.
#[inline(always)]
fn within<V: Vector, const N: usize>(at: usize) -> usize {
    const { assert!(N.is_power_of_two() && N.is_multiple_of(V::LANES)) };
    at & (N - V::LANES)
}

impl<const N: usize> Request<'_, '_, N> {
    /// TXG and TXGO.
    #[inline(always)]
    fn gather<V: Vector, S: Texels<V>, const GENERAL: bool>(self, texels: S) {
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
            let [a, b, c, d] = gathered::<V, S, GENERAL>(image, &place, offsets, source);
            // The order of TXG: above left and right, below right and left.
            let [a, b, c, d] = if GENERAL && apart.is_some() { [a, b, c, d] } else { [c, d, b, a] };
            let [x, y, z, w] = &mut *self.out;
            // One by one, since a loop's functions have no vector instructions.
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
    fn query<V: Vector>(self) {
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

/// The lanes of an offset; what is out of range becomes the end of the range.
#[inline(always)]
fn offset<V: Vector, const N: usize>(register: &[f32; N], at: usize) -> V::I {
    let bits = V::bits(V::load(register, at));
    V::largest(V::min_int(bits, V::ints(63)), V::ints(-64))
}

/// The same of four registers.
#[inline(always)]
fn four_offsets<V: Vector, const N: usize>([a, b, c, d]: &[&[f32; N]; 4], at: usize) -> [V::I; 4] {
    [offset::<V, N>(a, at), offset::<V, N>(b, at), offset::<V, N>(c, at), offset::<V, N>(d, at)]
}

/// Whether `lanes` has one of the vector at `at`.
#[inline(always)]
fn is_wanted<V: Vector>(lanes: u64, at: usize) -> bool {
    let vector = u64::MAX >> (u64::BITS as usize - V::LANES);
    lanes.checked_shr(at as u32).is_none_or(|lanes| lanes & vector != 0)
}

/// Where to look.
#[inline(always)]
fn place<V: Vector, const BORDER: bool, const N: usize>(lanes: Lanes<'_, N>) -> Coordinates<V> {
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
        // `by_filter` sends lookups with offsets where the border can be met.
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

/// The layer nearest to a coordinate, halves upwards; what is no number is in the first.
#[inline(always)]
fn layer<V: Vector>(coordinate: V::F, layers: i32) -> V::I {
    let x = taps::clamp::<V>(coordinate, V::floats(0.0), V::floats((layers - 1) as f32));
    let below = V::floor(x);
    let upwards = V::le(V::floats(0.5), x - below);
    V::whole(V::select(upwards, below + V::floats(1.0), below))
}

/// Where that is on the faces of a cube map; other targets have one face.
#[inline(always)]
fn on_face<V: Vector>(plan: &Plan, place: Coordinates<V>) -> Coordinates<V> {
    if !plan.cube {
        return place;
    }
    let face = cube::Face::<V>::of(place.coordinates);
    let coordinates = cube::coordinates::<V>(face.quotients(place.coordinates));
    let begin = place.face + face.index() * V::ints(plan.face_stride);
    Coordinates { coordinates, face: begin, seamless: plan.seamless.then_some(face), ..place }
}

/// EXT_texture_filter_anisotropic: lanes with fewer probes than others ignore the rest.
#[inline(always)]
fn run_probes<V: Vector, S: Texels<V>, const C: usize, const BORDER: bool, const N: usize>(
    image: Image<'_, S>,
    lookup: &Lookup<'_, N>,
    out: &mut [Option<&mut [f32; N]>; 4],
    mut lambda: Option<&mut [f32; N]>,
) {
    let plan = image.plan;
    // One copy, see `Request::run`.
    for at in (0..black_box(N)).step_by(V::LANES).map(within::<V, N>) {
        let lanes = Lanes { plan, lookup, at };
        let place = place::<V, BORDER, N>(lanes);
        let probes = lod::probes::<V, N>(lanes);
        if let Some(lambda) = &mut lambda {
            V::store(probes.lambda, lambda, at);
        }
        let levels = Levels::choose(plan, probes.lambda);
        let several = V::lt(V::floats(1.0), probes.count);
        // Not 0, which would make 0 of -0.
        let mut sums = [V::floats(-0.0); 4];
        for i in 1..=V::reduce_max(probes.count) as u32 {
            let i = i as f32;
            let step = lod::probe_step::<V>(i, probes.count);
            let mut here = place;
            for (s, side) in here.coordinates.iter_mut().zip(probes.side) {
                *s = V::select(several, *s + side * step, *s);
            }
            let sample = sample_levels::<V, S, C, BORDER>(image, on_face(plan, here), &levels);
            let counts = V::le(V::floats(i), probes.count);
            for (sum, sample) in sums.iter_mut().zip(sample.components) {
                *sum = V::select(counts, *sum + sample, *sum);
            }
        }
        for sum in &mut sums {
            *sum = *sum / probes.count;
        }
        store_results::<V, S, N>(plan, Filtered { components: sums, can_be_denorms: true }, out, at);
    }
}

/// The result vectors for filtered components in store units: Table X.5.
#[inline(always)]
fn store_results<V: Vector, S: Texels<V>, const N: usize>(
    plan: &Plan,
    filtered: Filtered<V>,
    out: &mut [Option<&mut [f32; N]>; 4],
    at: usize,
) {
    if let ([Some(x), Some(y), Some(z), Some(w)], &ResultComponent::ALL) = (&mut *out, &plan.result) {
        let Filtered { components, can_be_denorms } = filtered;
        V::store(S::finished(components[0], can_be_denorms), x, at);
        V::store(S::finished(components[1], can_be_denorms), y, at);
        V::store(S::finished(components[2], can_be_denorms), z, at);
        V::store(S::finished(components[3], can_be_denorms), w, at);
        return;
    }
    let [x, y, z, w] = out;
    // One by one, so that which component it is does not become an address.
    if let Some(register) = x {
        V::store(result::<V, S>(plan.result[0], filtered), register, at);
    }
    if let Some(register) = y {
        V::store(result::<V, S>(plan.result[1], filtered), register, at);
    }
    if let Some(register) = z {
        V::store(result::<V, S>(plan.result[2], filtered), register, at);
    }
    if let Some(register) = w {
        V::store(result::<V, S>(plan.result[3], filtered), register, at);
    }
}

/// One component of it.
#[inline(always)]
fn result<V: Vector, S: Texels<V>>(source: ResultComponent, filtered: Filtered<V>) -> V::F {
    let Filtered { components: [x, y, z, w], can_be_denorms } = filtered;
    match source {
        ResultComponent::Component(0) => S::finished(x, can_be_denorms),
        ResultComponent::Component(1) => S::finished(y, can_be_denorms),
        ResultComponent::Component(2) => S::finished(z, can_be_denorms),
        ResultComponent::Component(_) => S::finished(w, can_be_denorms),
        ResultComponent::Zero => V::floats(0.0),
        ResultComponent::One => S::one(),
        ResultComponent::Hemi => S::hemi([x, y, z, w]),
    }
}

/// What a filter takes from u before it rounds down.
fn half(filter: MagFilter) -> f32 {
    match filter {
        MagFilter::Nearest => 0.0,
        MagFilter::Linear => 0.5,
    }
}
