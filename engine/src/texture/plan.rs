//! What a lookup needs to know, worked out once when a sampler is set: completeness (glspec15 3.8.10)
//! and the numbers derived from parameters and sizes.

use super::compare::Compare;
use super::error::Incomplete;
use super::fast::Fast;
use super::format::{BaseFormat, Format, Source};
use super::sampler::{MAX_ANISOTROPY, MAX_LOD_BIAS, MagFilter, MinFilter, Sampler, Wrap};
use super::store::{Store, half};
use crate::ir::TextureTarget;

/// How levels are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MipMode {
    /// Base level only.
    None,
    /// The nearest level.
    Nearest,
    /// Two levels, blended.
    Linear,
}

/// A complete texture's sampling plan.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Axes of an image: 1, 2 or 3.
    pub axes: usize,
    /// Whether coordinates are a direction that selects a face.
    pub cube: bool,
    /// Whether coordinates run from 0 to 1 (all but RECT).
    pub normalised: bool,
    /// Wrap modes.
    pub wrap: [Wrap; 3],
    /// Texels of the base level per unit of each coordinate.
    pub texels: [f32; 3],
    /// Base level.
    pub base: usize,
    /// q of 3.8.8 less the base level.
    pub q: f32,
    /// Filter within a level when minifying.
    pub min: MagFilter,
    /// Filter when magnifying.
    pub mag: MagFilter,
    /// Combination of levels when minifying.
    pub mip: MipMode,
    /// The constant c of 3.8.9.
    pub switch_over: f32,
    /// Clamped TEXTURE_LOD_BIAS.
    pub bias: f32,
    /// TEXTURE_LOD_BIAS as it is.
    pub sampler_bias: f32,
    /// TEXTURE_MIN_LOD.
    pub min_lod: f32,
    /// TEXTURE_MAX_LOD.
    pub max_lod: f32,
    /// Whole number of probes allowed, as a float.
    pub max_anisotropy: f32,
    /// Border texel in store units.
    pub border: [f32; 4],
    /// Table X.5's row.
    pub result: [Source; 4],
    /// What filtered components are divided by.
    pub unit: f32,
    /// How depths are compared; colours never are.
    pub compare: Option<Compare>,
    /// For textures that the fast path can do.
    pub fast: Option<Fast>,
}

impl Plan {
    /// The plan, or why the texture is not complete.
    pub(super) fn new(
        target: TextureTarget,
        format: Format,
        store: &Store,
        sampler: &Sampler,
    ) -> Result<Self, Incomplete> {
        let q = check_complete(store, sampler)?;
        let base = sampler.base_level as usize;
        let normalised = target != TextureTarget::Rect;
        let size = store.levels[base].size[0];
        let float = format.base().is_float();
        let nearest_if_float = |filter| if float { MagFilter::Nearest } else { filter };
        let mut border = [0.0; 4];
        for ((out, &source), kind) in
            border.iter_mut().zip(format.base().pixel_components()).zip(format.kinds())
        {
            *out = kind.clamp_border(sampler.border[source]) * store.unit();
        }
        let mip = match sampler.min_filter {
            MinFilter::Nearest | MinFilter::Linear => MipMode::None,
            MinFilter::NearestMipmapNearest | MinFilter::LinearMipmapNearest => MipMode::Nearest,
            MinFilter::NearestMipmapLinear | MinFilter::LinearMipmapLinear => MipMode::Linear,
        };
        let sharp =
            matches!(sampler.min_filter, MinFilter::NearestMipmapNearest | MinFilter::NearestMipmapLinear);
        Ok(Self {
            axes: match target {
                TextureTarget::D1 | TextureTarget::Shadow1D => 1,
                TextureTarget::D2
                | TextureTarget::Cube
                | TextureTarget::Rect
                | TextureTarget::Shadow2D
                | TextureTarget::ShadowRect => 2,
                TextureTarget::D3 => 3,
            },
            cube: target == TextureTarget::Cube,
            normalised,
            wrap: sampler.wrap,
            texels: size.map(|n| if normalised { n as f32 } else { 1.0 }),
            base,
            q: (q - base) as f32,
            min: nearest_if_float(sampler.min_filter.within_level()),
            mag: nearest_if_float(sampler.mag_filter),
            mip,
            switch_over: if sampler.mag_filter == MagFilter::Linear && sharp { 0.5 } else { 0.0 },
            sampler_bias: sampler.lod_bias,
            bias: sampler.lod_bias.clamp(-MAX_LOD_BIAS, MAX_LOD_BIAS),
            min_lod: sampler.min_lod,
            max_lod: sampler.max_lod,
            max_anisotropy: if float { 1.0 } else { sampler.max_anisotropy.min(MAX_ANISOTROPY).floor() },
            border,
            result: format.base().result(sampler.depth_mode),
            unit: store.unit(),
            compare: sampler.compare.filter(|_| format.base() == BaseFormat::Depth).map(Compare::new),
            fast: Fast::new(target, store, sampler, q),
        })
    }
}

/// q of 3.8.8 if the texture is complete. For filters without mipmaps only the base level matters, and
/// q is the base level.
fn check_complete(store: &Store, sampler: &Sampler) -> Result<usize, Incomplete> {
    let Sampler { base_level, max_level, .. } = *sampler;
    let null = |size: [usize; 3]| size.contains(&0);
    let base = base_level as usize;
    let info = store
        .levels
        .get(base)
        .filter(|level| !level.size[..store.faces].iter().any(|&size| null(size)))
        .ok_or(Incomplete::NoBaseLevel { base_level })?;
    let first = info.size[0];
    if let Some(face) = (1..store.faces).find(|&face| info.size[face] != first) {
        return Err(Incomplete::FaceSize { face, expected: first, actual: info.size[face] });
    }
    if !sampler.min_filter.is_mipmapped() {
        return Ok(base);
    }
    if base_level > max_level {
        return Err(Incomplete::BaseAboveMax { base_level, max_level });
    }
    let p = base + first.iter().max().map_or(0, |&n| n.ilog2() as usize);
    let q = p.min(max_level as usize);
    let mut expected = first;
    for level in base + 1..=q {
        expected = half(expected);
        let Some(info) = store.levels.get(level) else {
            return Err(Incomplete::MissingLevel { level, expected });
        };
        for (face, &actual) in info.size[..store.faces].iter().enumerate() {
            if null(actual) {
                return Err(Incomplete::MissingLevel { level, expected });
            }
            if actual != expected {
                return Err(Incomplete::LevelSize { level, face, expected, actual });
            }
        }
    }
    Ok(q)
}
