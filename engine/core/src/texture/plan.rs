//! The plan of a texture's lookups, made when a sampler is set: completeness (glspec15 3.8.10), and all
//! numbers derived from parameters and sizes. `lookup` reads the plan only, not the sampler.

use super::compare::Compare;
use super::component::Numbers;
use super::error::Incomplete;
use super::format::{Format, ResultComponent};
use super::sampler::{
    BorderColor, CubeEdges, MAX_ANISOTROPY, MAX_LOD_BIAS, MagFilter, MinFilter, Sampler, Wrap,
};
use super::store::{Regular, Store, half};
use crate::simd;
use shadestep_language::ir::{Swizzle, TextureTarget};
use std::sync::Arc;

/// The combination of mipmap levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MipMode {
    /// Base level only.
    None,
    /// The nearest level.
    Nearest,
    /// Two levels, blended.
    Linear,
}

/// A wrap mode, with the coordinate range if it matters.
#[derive(Clone, Copy, Debug)]
pub(super) enum AxisMode {
    Repeat,
    Mirrored,
    Edge(Range),
    Clamp(Range),
    Border(Range),
}

/// The unit of coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) enum Range {
    /// Fractions of the image's sides: all targets but RECT.
    Sides,
    /// Texels: RECT.
    Texels,
}

/// Whether a filter can read the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Border {
    Never,
    Possible,
}

/// The base level, for lookups without mipmaps.
#[derive(Clone, Copy, Debug)]
pub(super) struct BaseLevel {
    /// Index of the first texel.
    pub origin: i32,
    /// Width, height and depth.
    pub size: [i32; 3],
}

/// The plan of a complete texture's lookups.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Number of axes of an image: 1, 2 or 3.
    pub axes: usize,
    /// Whether coordinates are a direction that selects a face.
    pub cube: bool,
    /// The instruction set for lookups of blocks.
    pub simd: simd::Level,
    /// The texels, in the closed-form layout.
    pub store: Arc<Store>,
    /// Width, height and depth of the store's level 0.
    pub size: [i32; 3],
    /// Parameter of the closed-form layout: level l begins at texel `slots - (slots >> l)`.
    pub slots: i32,
    /// Distance between faces in texels.
    pub face_stride: i32,
    pub base: BaseLevel,
    /// Number of layers of an array.
    pub layers: Option<i32>,
    /// Distance between layers in texels: one face, or six for a cube map.
    pub layer_stride: i32,
    /// Base level and q, as levels of the store.
    pub levels: [i32; 2],
    /// Wrap modes of s, t and r.
    pub wrap: [AxisMode; 3],
    /// Whether a filter can read the border.
    pub border_use: Border,
    /// Whether filters of a cube map read neighbouring faces beyond an edge.
    pub seamless: bool,
    /// Texels of the base level per unit of each coordinate.
    pub texels: [f32; 3],
    /// q of 3.8.8 minus the base level.
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
    /// TEXTURE_LOD_BIAS, not clamped.
    pub sampler_bias: f32,
    /// TEXTURE_MIN_LOD.
    pub min_lod: f32,
    /// TEXTURE_MAX_LOD.
    pub max_lod: f32,
    /// Maximum number of probes: an integer, stored as a float.
    pub max_anisotropy: f32,
    /// Border texel in store units. Integers are stored as their bits.
    pub border: [f32; 4],
    /// The row of Table X.5, after the texture's swizzle.
    pub result: [ResultComponent; 4],
    /// The stored components that each result component needs.
    pub reads: [u8; 4],
    /// Whether blended texels can be infinite or -0.
    pub infinite: bool,
    /// The comparison of depths; `None` for colours.
    pub compare: Option<Compare>,
}

impl Plan {
    /// The plan, or the reason why the texture is not complete.
    pub(super) fn new(
        target: TextureTarget,
        format: Format,
        store: &Arc<Store>,
        sampler: &Sampler,
    ) -> Result<Self, Incomplete> {
        let integers = format.numbers() != Numbers::Floats;
        let sizes: Vec<&[[usize; 3]]> = store.levels.iter().map(|level| &level.size[..]).collect();
        let q = complete((target, format), &sizes, sampler)?;
        let base = sampler.base_level as usize;
        let (store, regular, first) = match store.regular {
            Some(regular) => (Arc::clone(store), regular, base),
            // The levels from the base level to q halve regularly.
            None => {
                let (part, regular) = store.part(base..=q);
                (Arc::new(part), regular, 0)
            }
        };
        let Regular { slots, face_stride } = regular;
        let normalised = target != TextureTarget::Rect;
        let range = if normalised { Range::Sides } else { Range::Texels };
        let axes = target.axes();
        // Axes that images do not have must not read the border.
        let mut wrap = sampler.wrap;
        wrap[axes..].fill(Wrap::ClampToEdge);
        let seamless = target.is_cube() && sampler.cube_edges == CubeEdges::Seamless;
        if seamless {
            // glspec40 3.9.10. Coordinates are on the face, so NEAREST never reads a texel beyond an edge.
            wrap[..axes].fill(Wrap::Clamp);
        }
        let meets_border = wrap.iter().any(|wrap| matches!(wrap, Wrap::Clamp | Wrap::ClampToBorder));
        let size = store.levels[first].size[0];
        let result = swizzled(format.base().result(sampler.depth_mode), sampler.swizzle);
        let float_buffer = format.base().is_float_buffer();
        let nearest_if_buffer = |filter| if float_buffer { MagFilter::Nearest } else { filter };
        let mip = match sampler.min_filter {
            MinFilter::Nearest | MinFilter::Linear => MipMode::None,
            MinFilter::NearestMipmapNearest | MinFilter::LinearMipmapNearest => MipMode::Nearest,
            MinFilter::NearestMipmapLinear | MinFilter::LinearMipmapLinear => MipMode::Linear,
        };
        let sharp =
            matches!(sampler.min_filter, MinFilter::NearestMipmapNearest | MinFilter::NearestMipmapLinear);
        Ok(Self {
            axes,
            cube: target.is_cube(),
            layer_stride: face_stride as i32 * target.faces() as i32,
            layers: target.layer().map(|_| (store.faces / target.faces()) as i32),
            simd: simd::Level::best(),
            size: store.levels[0].size[0].map(|n| n as i32),
            slots: slots as i32,
            face_stride: face_stride as i32,
            base: BaseLevel { origin: (slots - (slots >> first)) as i32, size: size.map(|n| n as i32) },
            levels: [first as i32, (first + q - base) as i32],
            wrap: wrap.map(|wrap| axis_mode(wrap, range)),
            seamless,
            border_use: if meets_border { Border::Possible } else { Border::Never },
            texels: size.map(|n| if normalised { n as f32 } else { 1.0 }),
            q: (q - base) as f32,
            min: nearest_if_buffer(sampler.min_filter.within_level()),
            mag: nearest_if_buffer(sampler.mag_filter),
            mip,
            switch_over: if sampler.mag_filter == MagFilter::Linear && sharp { 0.5 } else { 0.0 },
            sampler_bias: sampler.lod_bias,
            bias: clamped_bias(sampler.lod_bias),
            min_lod: sampler.min_lod,
            max_lod: sampler.max_lod,
            max_anisotropy: if float_buffer || integers {
                1.0
            } else {
                sampler.max_anisotropy.min(MAX_ANISOTROPY).floor()
            },
            border: border_texel(format, sampler.border, store.unit()),
            result,
            reads: result.map(ResultComponent::reads),
            infinite: format.can_be_infinite(),
            compare: sampler.compare.filter(|_| format.base().is_depth()).map(Compare::new),
            store,
        })
    }
}

impl Plan {
    /// The same plan with another TEXTURE_LOD_BIAS.
    pub(super) fn with_lod_bias(&self, lod_bias: f32) -> Self {
        Self { sampler_bias: lod_bias, bias: clamped_bias(lod_bias), ..self.clone() }
    }

    /// The same plan for another instruction set.
    #[cfg(test)]
    pub(super) fn with_simd(&self, simd: simd::Level) -> Self {
        Self { simd, ..self.clone() }
    }
}

/// The border's texel in store units.
fn border_texel(format: Format, color: BorderColor, unit: f32) -> [f32; 4] {
    match (format.numbers(), color) {
        (Numbers::Floats, BorderColor::Floats(rgba)) => format.border(rgba).map(|value| value * unit),
        (Numbers::Signed, BorderColor::Signed(rgba)) => format.integers(|source| rgba[source].into()),
        (Numbers::Unsigned, BorderColor::Unsigned(rgba)) => format.integers(|source| rgba[source].into()),
        (Numbers::Floats | Numbers::Signed | Numbers::Unsigned, _) => [0.0; 4],
    }
}

/// The result vector after the texture's swizzle (EXT_texture_swizzle 3.8.13).
fn swizzled(result: [ResultComponent; 4], swizzle: Swizzle) -> [ResultComponent; 4] {
    swizzle.0.map(|selector| match selector {
        Swizzle::ZERO => ResultComponent::Zero,
        Swizzle::ONE => ResultComponent::One,
        component => result[usize::from(component) % 4],
    })
}

fn clamped_bias(lod_bias: f32) -> f32 {
    lod_bias.clamp(-MAX_LOD_BIAS, MAX_LOD_BIAS)
}

const fn axis_mode(wrap: Wrap, range: Range) -> AxisMode {
    match wrap {
        Wrap::Repeat => AxisMode::Repeat,
        Wrap::MirroredRepeat => AxisMode::Mirrored,
        Wrap::ClampToEdge => AxisMode::Edge(range),
        Wrap::Clamp => AxisMode::Clamp(range),
        Wrap::ClampToBorder => AxisMode::Border(range),
    }
}

/// q of 3.8.8, if a texture with this sampler is complete. `sizes` has the sizes of the faces of each level.
pub(super) fn complete(
    (target, format): (TextureTarget, Format),
    sizes: &[&[[usize; 3]]],
    sampler: &Sampler,
) -> Result<usize, Incomplete> {
    if !target.is_filtered() {
        // The target ignores filters.
        return check_levels(sizes, &Sampler { min_filter: MinFilter::Nearest, ..*sampler });
    }
    if format.numbers() != Numbers::Floats {
        check_integer_filters(sampler)?;
    }
    check_levels(sizes, sampler)
}

/// Whether the filters are allowed for a complete integer texture (EXT_texture_integer 3.8.10).
fn check_integer_filters(&Sampler { min_filter, mag_filter, .. }: &Sampler) -> Result<(), Incomplete> {
    let one_texel = matches!(min_filter, MinFilter::Nearest | MinFilter::NearestMipmapNearest);
    if one_texel && mag_filter == MagFilter::Nearest {
        Ok(())
    } else {
        Err(Incomplete::IntegerFilter { min_filter, mag_filter })
    }
}

/// q of 3.8.8, if the levels are those of a complete texture. For filters without mipmaps only the base level
/// matters, and q is the base level.
fn check_levels(sizes: &[&[[usize; 3]]], sampler: &Sampler) -> Result<usize, Incomplete> {
    let Sampler { base_level, max_level, .. } = *sampler;
    let null = |size: [usize; 3]| size.contains(&0);
    let base = base_level as usize;
    let faces = sizes
        .get(base)
        .filter(|faces| !faces.iter().any(|&size| null(size)))
        .ok_or(Incomplete::NoBaseLevel { base_level })?;
    let Some(&first) = faces.first() else { return Err(Incomplete::NoBaseLevel { base_level }) };
    if let Some((face, &actual)) = faces.iter().enumerate().find(|(_, size)| **size != first) {
        return Err(Incomplete::FaceSize { face, expected: first, actual });
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
        let Some(faces) = sizes.get(level) else {
            return Err(Incomplete::MissingLevel { level, expected });
        };
        for (face, &actual) in faces.iter().enumerate() {
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
