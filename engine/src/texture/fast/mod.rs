//! Lookups many lanes at once: every target, format, filter and wrap mode, but anisotropy for 1D, 2D and
//! RECT only and no irregular sets of levels. The same bits as `filter`, which does everything else: each lane
//! goes through the same IEEE operations, those that only select between exact values aside.
//!
//! The code is written once over vectors (see [`vector`]), with an instance for AVX-512, AVX2 and the
//! target's baseline, of which the best that the processor has is chosen when a sampler is set. A vector of
//! lanes goes all the way from coordinates to results in registers. What is the same for all lookups of a
//! sampler and changes which instructions there are, is a type or a constant of the instance; what is left,
//! like the wrap mode, is a branch a vector.
//!
//! Where the magnification and minification filter differ, a NEAREST lane goes through the linear
//! filter's arithmetic with a second weight of 0, which leaves its texel as it is. (Infinite texels would
//! not bear that; but the float formats, which alone have them, are NEAREST in both.) No stored texel but
//! a float one and no border is -0, so adding a product that is zero changes no bit either. 1D is 2D with
//! t where there is but one texel.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "calls of the vector instances"))]

mod cube;
mod fetch;
mod rho;
mod taps;
mod vector;

use std::hint::black_box;

use super::format::Source;
use super::plan::Plan;
use super::sampler::{MagFilter, Sampler, Wrap};
use super::store::{Store, Texels as Stored};
use super::{Gradients, Lookup};
use crate::ir::TextureTarget;
#[cfg(target_arch = "x86_64")]
use crate::processor;
use fetch::{Image, Numbers, Packed, Place, Texels, sample_levels};
use rho::{Lanes, Levels};
#[cfg(target_arch = "x86_64")]
use vector::{Avx2, Avx512, Pair};
use vector::{Elements, Portable, Vector};

/// The fast path takes whole multiples of this many lanes.
pub(super) const LANES: usize = 16;

/// Instruction sets there is an instance for. Only [`Isa::available`] makes the others than the
/// baseline, so holding one means that the processor has it.
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
    /// What this processor has, best first.
    pub(super) fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let vector =
            [processor::has_avx512().then_some(Level::Avx512), processor::has_avx2().then_some(Level::Avx2)];
        #[cfg(not(target_arch = "x86_64"))]
        let vector = [None, None];
        vector.into_iter().flatten().chain([Level::Baseline]).map(Self)
    }
}

/// What the fast path needs beside the [`Plan`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Fast {
    isa: Isa,
    /// Wrap modes of s, t and r.
    wrap: [AxisMode; 3],
    /// Width, height and depth of level 0.
    size: [i32; 3],
    /// Texels of the closed-form layout: level l begins at `slots - (slots >> l)`.
    slots: i32,
    /// Texels from one face to the next.
    face_stride: i32,
    /// Base level and q.
    levels: [i32; 2],
    /// Components of a texel.
    components: i32,
    /// Whether a filter can meet the border.
    border: Border,
}

/// Whether a filter can meet the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Border {
    Never,
    Possible,
}

/// A wrap mode, and whether coordinates run from 0 to 1 where that makes a difference.
#[derive(Clone, Copy, Debug)]
enum AxisMode {
    Repeat,
    Mirrored,
    Edge(Range),
    Clamp(Range),
    Border(Range),
}

/// What coordinates count.
#[derive(Clone, Copy, Debug)]
enum Range {
    /// The image's sides: all targets but RECT.
    Sides,
    /// Texels.
    Texels,
}

impl Fast {
    /// `None` where the general way has to do it. The texture is complete.
    pub(super) fn new(target: TextureTarget, store: &Store, sampler: &Sampler, q: usize) -> Option<Self> {
        let range = match target {
            TextureTarget::Rect | TextureTarget::ShadowRect => Range::Texels,
            TextureTarget::D1
            | TextureTarget::D2
            | TextureTarget::D3
            | TextureTarget::Cube
            | TextureTarget::Shadow1D
            | TextureTarget::Shadow2D => Range::Sides,
        };
        let regular = store.regular?;
        let slots = i32::try_from(regular.slots).ok()?;
        let face_stride = i32::try_from(regular.face_stride).ok()?;
        if sampler.max_anisotropy >= 2.0 && matches!(target, TextureTarget::Cube | TextureTarget::D3) {
            return None;
        }
        let mode = |wrap| match wrap {
            Wrap::Repeat => AxisMode::Repeat,
            Wrap::MirroredRepeat => AxisMode::Mirrored,
            Wrap::ClampToEdge => AxisMode::Edge(range),
            Wrap::Clamp => AxisMode::Clamp(range),
            Wrap::ClampToBorder => AxisMode::Border(range),
        };
        let mut wrap = sampler.wrap;
        // Axes without texels to choose from must not meet the border.
        match target {
            TextureTarget::D1 | TextureTarget::Shadow1D => wrap[1..].fill(Wrap::ClampToEdge),
            TextureTarget::D2
            | TextureTarget::Cube
            | TextureTarget::Rect
            | TextureTarget::Shadow2D
            | TextureTarget::ShadowRect => wrap[2] = Wrap::ClampToEdge,
            TextureTarget::D3 => {}
        }
        let bordered = wrap.iter().any(|wrap| matches!(wrap, Wrap::Clamp | Wrap::ClampToBorder));
        Some(Self {
            isa: Isa::available().next()?,
            wrap: wrap.map(mode),
            size: store.levels[0].size[0].map(|n| n as i32),
            slots,
            face_stride,
            levels: [sampler.base_level as i32, q as i32],
            components: store.components as i32,
            border: if bordered { Border::Possible } else { Border::Never },
        })
    }

    /// The same compiled for another instruction set.
    #[cfg(test)]
    pub(super) fn with_isa(self, isa: Isa) -> Self {
        Self { isa, ..self }
    }

    /// [`super::Texture::sample`] for a texture with these texels. Vectors that have no lane in `lanes` may be left
    /// as they are.
    pub(super) fn sample<const N: usize>(
        &self,
        texels: &Stored,
        plan: &Plan,
        lookup: &Lookup<'_, N>,
        (out, lanes): (Rows<'_, N>, u64),
        lambda: Option<&mut [f32; N]>,
    ) {
        let request = Request { fast: self, plan, lookup, out, lanes, lambda };
        match self.isa.0 {
            Level::Baseline => request.by_format::<Portable>(texels),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => request.by_format::<Pair<Avx2>>(texels),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => request.by_format::<Avx512>(texels),
        }
    }
}

/// Where results go that are wanted.
type Rows<'a, const N: usize> = [Option<&'a mut [f32; N]>; 4];

/// A lookup of a texture.
struct Request<'a, const N: usize> {
    fast: &'a Fast,
    plan: &'a Plan,
    lookup: &'a Lookup<'a, N>,
    out: Rows<'a, N>,
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
        request: Request<'_, N>,
        texels: S,
    );
}

impl Compiled for Portable {
    const BORDERLESS: bool = false;

    fn run<S: Texels<Self>, const C: usize, const BORDER: bool, const N: usize>(
        request: Request<'_, N>,
        texels: S,
    ) {
        request.run::<Self, S, C, BORDER>(texels);
    }
}

/// The instance for a set of features.
macro_rules! compiled {
    ($vector:ty, $features:literal) => {
        #[cfg(target_arch = "x86_64")]
        impl Compiled for $vector {
            const BORDERLESS: bool = true;

            fn run<S: Texels<Self>, const C: usize, const BORDER: bool, const N: usize>(
                request: Request<'_, N>,
                texels: S,
            ) {
                #[target_feature(enable = $features)]
                fn run<S: Texels<$vector>, const C: usize, const BORDER: bool, const N: usize>(
                    request: Request<'_, N>,
                    texels: S,
                ) {
                    request.run::<$vector, S, C, BORDER>(texels);
                }
                // SAFETY: only `Fast::sample` leads here, with an `Isa` of this level.
                unsafe { run::<S, C, BORDER, N>(request, texels) }
            }
        }
    };
}

compiled! { Pair<Avx2>, "avx2" }
compiled! { Avx512, "avx512f,avx512vl,avx512dq,avx512bw" }

impl<const N: usize> Request<'_, N> {
    fn by_format<V: Compiled>(self, texels: &Stored) {
        let components = self.fast.components;
        let mut wanted = [false; 4];
        for (source, _) in self.plan.result.iter().zip(&self.out).filter(|(_, row)| row.is_some()) {
            match source {
                Source::Component(c) => wanted[*c] = true,
                Source::Hemi => wanted[..2].fill(true),
                Source::Zero | Source::One => {}
            }
        }
        match texels {
            Stored::Packed(words) => {
                let Some(words) = Elements::new(words) else { return };
                self.by_filter::<V, _>(Packed { words, wanted });
            }
            Stored::Float(values) => {
                let Some(values) = Elements::new(values) else { return };
                let compare = self.plan.compare.filter(|_| self.lookup.reference.is_some());
                self.by_filter::<V, _>(Numbers { values, components, wanted, compare });
            }
        }
    }

    fn by_filter<V: Compiled, S: Texels<V>>(self, texels: S) {
        let borderless = V::BORDERLESS && self.fast.border == Border::Never;
        match (rho::blends(self.plan), self.plan.axes == 3) {
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
        let Self { fast, plan, lookup, mut out, lanes, lambda } = self;
        let image = Image { fast, plan, texels };
        // Where the compiler knows how many vectors there are, it makes a copy of all this for each. That is
        // faster by a tenth, but takes it several times as long: so only the commonest kinds have it.
        let end = if V::LANES == LANES && C <= 4 && !BORDER { N } else { black_box(N) };
        let explicit = matches!(lookup.gradients, Gradients::Level(_));
        if C != 8 && plan.max_anisotropy > 1.0 && !explicit {
            return run_probes::<V, S, C, BORDER, N>(image, lookup, &mut out, lambda);
        }
        // Of all vectors first, since the steps to lambda wait for one another: so they overlap.
        let mut own = [0.0; N];
        let lambda = if lambda.is_some() || rho::wants_lambda(plan) {
            let lambda = lambda.unwrap_or(&mut own);
            for at in (0..end).step_by(V::LANES) {
                V::store(rho::lambda::<V, N>(Lanes { plan, lookup, at }), lambda, at);
            }
            Some(lambda)
        } else {
            None
        };
        for at in (0..end).step_by(V::LANES) {
            if !is_wanted::<V>(lanes, at) {
                continue;
            }
            let levels = match &lambda {
                Some(lambda) => Levels::choose(fast, plan, V::load(lambda, at)),
                None => Levels::base(fast, plan),
            };
            let place = place::<V, N>(fast, Lanes { plan, lookup, at });
            let components = sample_levels::<V, S, C, BORDER>(image, place, &levels);
            result_rows::<V, S, N>(plan, components, &mut out, at);
        }
    }
}

/// Whether `lanes` has one of the vector at `at`.
#[inline(always)]
fn is_wanted<V: Vector>(lanes: u64, at: usize) -> bool {
    let vector = u64::MAX >> (u64::BITS as usize - V::LANES);
    lanes.checked_shr(at as u32).is_none_or(|lanes| lanes & vector != 0)
}

/// Where to look.
#[inline(always)]
fn place<V: Vector, const N: usize>(fast: &Fast, lanes: Lanes<'_, N>) -> Place<V> {
    let zero = V::floats(0.0);
    let reference = match lanes.lookup.reference {
        Some(reference) => taps::clamp::<V>(V::load(reference, lanes.at), zero, V::floats(1.0)),
        None => zero,
    };
    let coordinates = lanes.coordinates::<V>(lanes.lookup.coords);
    if !lanes.plan.cube {
        return Place { coordinates, face: V::ints(0), reference };
    }
    let face = cube::Face::<V>::of(coordinates);
    let coordinates = cube::coordinates::<V>(face.quotients(coordinates));
    Place { coordinates, face: face.index() * V::ints(fast.face_stride), reference }
}

/// EXT_texture_filter_anisotropic: lanes with fewer probes than others ignore the rest.
#[inline(always)]
fn run_probes<V: Vector, S: Texels<V>, const C: usize, const BORDER: bool, const N: usize>(
    image: Image<'_, S>,
    lookup: &Lookup<'_, N>,
    out: &mut [Option<&mut [f32; N]>; 4],
    mut lambda: Option<&mut [f32; N]>,
) {
    let Image { fast, plan, .. } = image;
    // One copy, see `Request::run`.
    for at in (0..black_box(N)).step_by(V::LANES) {
        let lanes = Lanes { plan, lookup, at };
        let place = place::<V, N>(fast, lanes);
        let probes = rho::probes::<V, N>(lanes);
        if let Some(lambda) = &mut lambda {
            V::store(probes.lambda, lambda, at);
        }
        let levels = Levels::choose(fast, plan, probes.lambda);
        let several = V::lt(V::floats(1.0), probes.count);
        let mut sums = [V::floats(0.0); 4];
        for i in 1..=V::most(probes.count) as u32 {
            let i = i as f32;
            let step = rho::probe_step::<V>(i, probes.count);
            let mut here = place;
            for (s, side) in here.coordinates.iter_mut().zip(probes.side) {
                *s = V::select(several, *s + side * step, *s);
            }
            let sample = sample_levels::<V, S, C, BORDER>(image, here, &levels);
            let counts = V::le(V::floats(i), probes.count);
            for (sum, sample) in sums.iter_mut().zip(sample) {
                *sum = V::select(counts, *sum + sample, *sum);
            }
        }
        for sum in &mut sums {
            *sum = *sum / probes.count;
        }
        result_rows::<V, S, N>(plan, sums, out, at);
    }
}

/// The result vectors for filtered components in store units: Table X.5.
#[inline(always)]
fn result_rows<V: Vector, S: Texels<V>, const N: usize>(
    plan: &Plan,
    filtered: [V::F; 4],
    out: &mut [Option<&mut [f32; N]>; 4],
    at: usize,
) {
    let [x, y, z, w] = out;
    // One by one, so that which component it is does not become an address.
    if let Some(row) = x {
        V::store(result::<V, S>(plan.result[0], filtered), row, at);
    }
    if let Some(row) = y {
        V::store(result::<V, S>(plan.result[1], filtered), row, at);
    }
    if let Some(row) = z {
        V::store(result::<V, S>(plan.result[2], filtered), row, at);
    }
    if let Some(row) = w {
        V::store(result::<V, S>(plan.result[3], filtered), row, at);
    }
}

/// One component of it.
#[inline(always)]
fn result<V: Vector, S: Texels<V>>(source: Source, filtered: [V::F; 4]) -> V::F {
    match source {
        Source::Component(0) => S::finished(filtered[0]),
        Source::Component(1) => S::finished(filtered[1]),
        Source::Component(2) => S::finished(filtered[2]),
        Source::Component(_) => S::finished(filtered[3]),
        Source::Zero => V::floats(0.0),
        Source::One => V::floats(1.0),
        Source::Hemi => S::hemi(filtered),
    }
}

/// What a filter takes from u before it rounds down.
fn half(filter: MagFilter) -> f32 {
    match filter {
        MagFilter::Nearest => 0.0,
        MagFilter::Linear => 0.5,
    }
}
