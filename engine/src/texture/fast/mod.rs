//! Lookups many lanes at once: every target, format, filter and wrap mode, but anisotropy for 1D, 2D and
//! RECT only and no irregular sets of levels. The same bits as `filter`, which does everything else: each lane
//! goes through the same IEEE operations, those that only select between exact values aside.
//!
//! Each step is a loop over lanes that the compiler turns into vector code; the loops are compiled for
//! AVX-512, AVX2 and the target's baseline, and the best that the processor has is chosen when a
//! sampler is set.
//!
//! Where the magnification and minification filter differ, a NEAREST lane goes through the linear
//! filter's arithmetic with a second weight of 0, which leaves its texel as it is. (Infinite texels would
//! not bear that; but the float formats, which alone have them, are NEAREST in both.) No stored texel but
//! a float one and no border is -0, so adding a product that is zero changes no bit either. 1D is 2D with
//! t where there is but one texel.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "calls of the vector instances"))]
#![expect(clippy::needless_range_loop, reason = "lane loops index several rows alike")]

mod fetch;
mod rho;

use super::compare::References;
use super::cube::{self, Face};
use super::filter::lerp;
use super::plan::{MipMode, Plan};
use super::sampler::{MagFilter, Sampler, Wrap};
use super::store::{Store, Texels};
use super::{Gradients, Lookup, lod, result_rows};
use crate::ir::TextureTarget;
#[cfg(target_arch = "x86_64")]
use crate::processor;

/// Fewer lanes than this go the general way: the loops would not fill a vector.
pub(super) const MIN_LANES: usize = 16;

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

    /// [`super::Texture::sample`] for a texture with these texels.
    pub(super) fn sample<const N: usize>(
        &self,
        texels: &Texels,
        plan: &Plan,
        lookup: &Lookup<'_, N>,
        out: &mut [[f32; N]; 4],
        lambda: Option<&mut [f32; N]>,
    ) {
        match self.isa.0 {
            Level::Baseline => run(self, texels, plan, lookup, out, lambda),
            // SAFETY: an `Isa` of this level exists only where the processor has the features.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { run_avx2(self, texels, plan, lookup, out, lambda) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { run_avx512(self, texels, plan, lookup, out, lambda) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<const N: usize>(
    fast: &Fast,
    texels: &Texels,
    plan: &Plan,
    lookup: &Lookup<'_, N>,
    out: &mut [[f32; N]; 4],
    lambda: Option<&mut [f32; N]>,
) {
    run(fast, texels, plan, lookup, out, lambda);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
fn run_avx512<const N: usize>(
    fast: &Fast,
    texels: &Texels,
    plan: &Plan,
    lookup: &Lookup<'_, N>,
    out: &mut [[f32; N]; 4],
    lambda: Option<&mut [f32; N]>,
) {
    run(fast, texels, plan, lookup, out, lambda);
}

/// Per lane: which levels, how blended, how filtered.
struct Levels<const N: usize> {
    /// Nearer level, counted from level 0.
    level: [i32; N],
    /// Weight of the level after it.
    fraction: [f32; N],
    /// 1/2 for LINEAR lanes, 0 for NEAREST ones: what the filter takes from u.
    half: [f32; N],
    /// Where the lane's face begins.
    face: [i32; N],
}

#[inline(always)]
fn run<const N: usize>(
    fast: &Fast,
    texels: &Texels,
    plan: &Plan,
    lookup: &Lookup<'_, N>,
    out: &mut [[f32; N]; 4],
    lambda: Option<&mut [f32; N]>,
) {
    let mut levels =
        Levels { level: [fast.levels[0]; N], fraction: [0.0; N], half: [half(plan.mag); N], face: [0; N] };
    let mut sums = [[0.0; N]; 4];
    let zeros = [0.0; N];
    let references = References::of(plan, lookup);
    let image = Image { fast, texels, plan, references: references.as_ref() };
    let level = match &lookup.gradients {
        Gradients::Level(level) => Some(level),
        Gradients::Quad | Gradients::Explicit { .. } => None,
    };
    if plan.max_anisotropy > 1.0 && level.is_none() {
        run_anisotropic(&image, lookup, &mut levels, &mut sums, lambda);
        result_rows(plan, &sums, out);
        return;
    }
    let wants_lambda = lambda.is_some() || plan.mip != MipMode::None || plan.min != plan.mag;
    let wants_rho = wants_lambda && level.is_none();
    let mut rho_squared = [0.0; N];
    let mut on_face = [[0.0; N]; 2];
    let coordinates = if plan.cube {
        let [s, t] = &mut on_face;
        for lane in 0..N {
            let r = lookup.coords.map(|row| row[lane]);
            let face = Face::of(r);
            let st = cube::coordinates(face.project(r));
            levels.face[lane] = face.index() * fast.face_stride;
            (s[lane], t[lane]) = (st[0], st[1]);
        }
        if wants_rho {
            rho::deep_squared_rho(plan, lookup, &mut rho_squared);
        }
        let [s, t] = &on_face;
        [s, t, &zeros]
    } else if plan.axes == 3 {
        if wants_rho {
            rho::deep_squared_rho(plan, lookup, &mut rho_squared);
        }
        lookup.coords
    } else {
        let coordinates = flat(plan, lookup.coords, &zeros);
        if wants_rho {
            rho::flat_squared_rho(plan, coordinates, lookup, &zeros, &mut rho_squared);
        }
        let [s, t] = coordinates;
        [s, t, &zeros]
    };
    if wants_lambda {
        let mut own = [0.0; N];
        let lambda = lambda.unwrap_or(&mut own);
        match level {
            Some(level) => {
                for lane in 0..N {
                    lambda[lane] = lod::number(level[lane]);
                }
            }
            None => {
                for lane in 0..N {
                    lambda[lane] = lod::lambda_base(rho_squared[lane]);
                }
            }
        }
        rho::bias_and_clamp(plan, lookup, lambda);
        rho::select_levels(fast, plan, lambda, &mut levels);
    }
    sample_levels(&image, coordinates, &levels, &mut sums);
    result_rows(plan, &sums, out);
}

/// What filters read.
#[derive(Clone, Copy)]
struct Image<'a, const N: usize> {
    fast: &'a Fast,
    texels: &'a Texels,
    plan: &'a Plan,
    /// What depths are compared with before they are filtered, if they are.
    references: Option<&'a References<N>>,
}

/// Both levels of every lane, blended: components in store units.
#[inline(always)]
fn sample_levels<const N: usize>(
    image: &Image<'_, N>,
    coordinates: [&[f32; N]; 3],
    levels: &Levels<N>,
    sums: &mut [[f32; N]; 4],
) {
    fetch::sample_level(image, coordinates, levels, sums);
    let blended = levels.fraction.iter().fold(0, |bits, f| bits | f.to_bits()) != 0;
    if !blended {
        return;
    }
    let mut next = Levels { ..*levels };
    for level in &mut next.level {
        *level = (*level + 1).min(image.fast.levels[1]);
    }
    let mut far = [[0.0; N]; 4];
    fetch::sample_level(image, coordinates, &next, &mut far);
    for (sums, far) in sums.iter_mut().zip(&far) {
        for lane in 0..N {
            let f = levels.fraction[lane];
            sums[lane] = lerp(sums[lane], far[lane], f);
        }
    }
}

/// EXT_texture_filter_anisotropic: lanes with fewer probes than others ignore the rest.
#[inline(always)]
fn run_anisotropic<const N: usize>(
    image: &Image<'_, N>,
    lookup: &Lookup<'_, N>,
    levels: &mut Levels<N>,
    sums: &mut [[f32; N]; 4],
    lambda: Option<&mut [f32; N]>,
) {
    let &Image { fast, plan, .. } = image;
    let zeros = [0.0; N];
    let coordinates = flat(plan, lookup.coords, &zeros);
    let mut probes = rho::Probes { count: [1.0; N], side: [[0.0; N]; 2] };
    let mut own = [0.0; N];
    let lambda = lambda.unwrap_or(&mut own);
    rho::probes(plan, coordinates, lookup, &zeros, &mut probes, lambda);
    rho::select_levels(fast, plan, lambda, levels);
    let most = probes.count.iter().fold(1.0, |a, &b| lod::longer(a, b));
    for i in 1..=most as u32 {
        let i = i as f32;
        let mut at = [[0.0; N]; 2];
        for ((at, side), s) in at.iter_mut().zip(&probes.side).zip(coordinates) {
            for lane in 0..N {
                let n = probes.count[lane];
                let moved = s[lane] + side[lane] * lod::probe_step(i, n);
                at[lane] = if n > 1.0 { moved } else { s[lane] };
            }
        }
        let mut sample = [[0.0; N]; 4];
        let [s, t] = &at;
        sample_levels(image, [s, t, &zeros], levels, &mut sample);
        for (sums, sample) in sums.iter_mut().zip(&sample) {
            for lane in 0..N {
                let sum = sums[lane] + sample[lane];
                sums[lane] = if i <= probes.count[lane] { sum } else { sums[lane] };
            }
        }
    }
    for row in sums {
        for lane in 0..N {
            row[lane] /= probes.count[lane];
        }
    }
}

/// The rows for s and t: zeros for 1D's t, which is not read and must not count.
#[inline(always)]
fn flat<'a, const N: usize>(
    plan: &Plan,
    [s, t, _]: [&'a [f32; N]; 3],
    zeros: &'a [f32; N],
) -> [&'a [f32; N]; 2] {
    [s, if plan.axes == 1 { zeros } else { t }]
}

/// What a filter takes from u before it rounds down.
fn half(filter: MagFilter) -> f32 {
    match filter {
        MagFilter::Nearest => 0.0,
        MagFilter::Linear => 0.5,
    }
}
