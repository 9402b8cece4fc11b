//! Textures for TEX, TXP, TXD, TXF and TXFMS: formats, mip chains, level of detail, filtering, targets.
//!
//! A [`Texture`] is a target, a format, levels and a [`Sampler`]. [`Texture::sample`] looks up N lanes at
//! once, by quads; [`Texture::sample_lanes`] looks up a block of lanes. The executors divide by q for TXP and
//! ignore lanes that are not active.
//!
//! Depths are compared if the lookup asks for it (see `compare`). All other lookups return a depth texture's
//! values unchanged. Every result is a fixed sequence of IEEE operations: the same for any N and on any
//! machine.
//!
//! Not supported: pixel transfer, compressed or paletted formats, and texture borders stored with the image.

mod buffer;
mod compare;
mod component;
mod error;
mod format;
mod image;
mod image_format;
mod image_shape;
mod lookup;
mod mip;
mod of_image;
mod plan;
mod sampler;
mod small_floats;
mod store;
mod texel;

#[cfg(test)]
mod tests;

pub use component::{Component, Numbers};
pub use error::{Incomplete, TextureError};
pub use format::{BaseFormat, Format, ResultComponent};
pub(crate) use format::{bare_name, subset};
pub use image::{Image, Level};
pub use image_format::ImageFormat;
pub use image_shape::{ImageShape, ImageSpec, ShapeError};
pub use lookup::trace::{
    DetailTrace, Found, ImagePoint, LevelTrace, LookupTrace, Probe, TexelSource, TexelTrace,
};
pub use sampler::{
    BorderColor, CubeEdges, DepthMode, MAX_ANISOTROPY, MAX_LOD_BIAS, MagFilter, MinFilter, Sampler, Wrap,
};
pub use texel::{FetchedTexel, NoTexel};

use plan::Plan;
use shadestep_language::ir::{TextureTarget, limits};
use shadestep_language::num::fp32;
use std::sync::Arc;
use store::{Layout, Plane, Store};

/// Maximum side of an image.
pub const MAX_SIZE: usize = 16_384;

/// Maximum number of texels of a buffer texture (MAX_TEXTURE_BUFFER_SIZE_EXT).
pub const MAX_BUFFER_TEXELS: usize = 1 << 27;

/// Maximum number of samples per texel (MAX_COLOR_TEXTURE_SAMPLES, MAX_DEPTH_TEXTURE_SAMPLES,
/// MAX_INTEGER_SAMPLES).
pub const MAX_SAMPLES: usize = limits::IMAGE_SAMPLES as usize;

/// Maximum number of layers of an array (MAX_ARRAY_TEXTURE_LAYERS_EXT).
pub const MAX_LAYERS: usize = 2048;

/// Maximum number of levels: sides of 16384 down to 1.
pub const MAX_LEVELS: usize = 15;

/// Maximum size of a texture in bytes: 1 GiB.
pub const MAX_BYTES: u64 = 1 << 30;

/// A texture object. Copies share texels, even with different texture parameters.
#[derive(Clone, Debug)]
pub struct Texture {
    target: TextureTarget,
    format: Format,
    /// The format's data type. A separate field, because every lookup of a program reads it.
    numbers: Numbers,
    sampler: Sampler,
    /// The texels, shared between copies.
    store: Arc<Store>,
    plan: Result<Plan, Incomplete>,
}

/// The sizes of a full mip chain that starts with a level of `size` (glspec15 3.8.8).
pub fn chain(size: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let next = |size: &[usize; 3]| size.iter().any(|&n| n > 1).then(|| store::half(*size));
    std::iter::successors(Some(size), next)
}

/// Derivatives of the coordinates, for the level of detail.
#[derive(Clone, Copy, Debug)]
pub enum Gradients<'a, const N: usize> {
    /// TEX, TXP: differences within the quad. For lanes 4q and 4q+1, d/dx is lane 4q+1 - lane 4q; for lanes
    /// 4q+2 and 4q+3, d/dx is lane 4q+3 - lane 4q+2. d/dy is lane 4q+2 - lane 4q on the left and lane 4q+3 -
    /// lane 4q+1 on the right.
    Quad,
    /// TXD: explicit derivatives, each as (s, t, r).
    Explicit {
        /// d/dx.
        dx: [&'a [f32; N]; 3],
        /// d/dy.
        dy: [&'a [f32; N]; 3],
    },
    /// TXL: the level of detail itself, log2(rho), with one probe per lookup. Zero for all other lookups in
    /// vertex programs. NaN counts as zero.
    Level(&'a [f32; N]),
}

/// A lookup of N lanes in quads. N is a multiple of 4; lanes are ordered as in [`crate::exec::block`].
#[derive(Clone, Copy, Debug)]
pub struct Lookup<'a, const N: usize> {
    /// s, t, r after projection. Coordinates that the target does not have are not read.
    pub coords: [&'a [f32; N]; 3],
    pub gradients: Gradients<'a, N>,
    /// TXB: a bias of each lane's level of detail, clamped together with the sampler's bias. NaN counts as
    /// zero.
    pub bias: Option<&'a [f32; N]>,
    /// SHADOW targets: the r that is compared with the texture's depths, clamped to `[0,1]`. `None` for other
    /// lookups, which work as if TEXTURE_COMPARE_MODE were NONE (ARB_fragment_program_shadow 3.11.6).
    pub reference: Option<&'a [f32; N]>,
    /// The layer of an array, rounded to the nearest and clamped to the existing layers (EXT_texture_array
    /// 3.8.8). Not read for other targets.
    pub layer: &'a [f32; N],
    /// Offset to the texel coordinates of each level (NV_gpu_program4 3.8.8).
    pub offsets: Offsets<'a, N>,
    /// The result that the lookup returns.
    pub wanted: Wanted<'a, N>,
}

/// Offsets to texel coordinates, each from -64 to 63.
#[derive(Clone, Copy, Debug)]
pub enum Offsets<'a, const N: usize> {
    /// No offset.
    None,
    /// The same offset in all lanes, along s, t, r.
    Same([i8; 3]),
    /// A register of signed integer bits for each of s, t, r.
    Lanes([&'a [f32; N]; 3]),
}

/// The result of a lookup.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a, const N: usize> {
    /// The filtered texel.
    Filtered,
    /// TXG of NV_gpu_program5: this component of the base level's texels (i0,j1), (i1,j1), (i1,j0), (i0,j0),
    /// which LINEAR would blend.
    Gathered(u8),
    /// TXGO: this component of the texels (i0,j0) for the first, second, third and fourth offset along s and
    /// along t. Offsets are the bits of signed integers.
    GatheredApart(u8, &'a [[&'a [f32; N]; 4]; 2]),
    /// ARB_texture_query_lod: in x the level of detail that the filter uses, in y the level of detail before
    /// clamping, both relative to the base level. z and w are 0.
    Levels,
}

impl<'a, const N: usize> Lookup<'a, N> {
    /// A filtered lookup at `coords`, without bias, comparison or offsets.
    pub const fn new(coords: [&'a [f32; N]; 3], gradients: Gradients<'a, N>) -> Self {
        let (offsets, wanted) = (Offsets::None, Wanted::Filtered);
        Self { coords, gradients, bias: None, reference: None, layer: coords[0], offsets, wanted }
    }

    /// The lookup of one quad. `apart` holds its offsets for [`Wanted::GatheredApart`].
    fn quad<'b>(&self, quad: usize, apart: &'b mut Option<[[&'a [f32; 4]; 4]; 2]>) -> Lookup<'b, 4>
    where
        'a: 'b,
    {
        let of = |register: &'a [f32; N]| &register.as_chunks().0[quad];
        Lookup {
            coords: self.coords.map(of),
            gradients: match self.gradients {
                Gradients::Quad => Gradients::Quad,
                Gradients::Explicit { dx, dy } => Gradients::Explicit { dx: dx.map(of), dy: dy.map(of) },
                Gradients::Level(level) => Gradients::Level(of(level)),
            },
            bias: self.bias.map(of),
            reference: self.reference.map(of),
            layer: of(self.layer),
            offsets: match self.offsets {
                Offsets::None => Offsets::None,
                Offsets::Same(offsets) => Offsets::Same(offsets),
                Offsets::Lanes(offsets) => Offsets::Lanes(offsets.map(of)),
            },
            wanted: match self.wanted {
                Wanted::Filtered => Wanted::Filtered,
                Wanted::Gathered(component) => Wanted::Gathered(component),
                Wanted::GatheredApart(component, offsets) => {
                    Wanted::GatheredApart(component, apart.insert(offsets.map(|axis| axis.map(of))))
                }
                Wanted::Levels => Wanted::Levels,
            },
        }
    }
}

impl Texture {
    /// A texture from its levels, level 0 first. Levels that do not fit together are accepted, but the
    /// texture is then not complete (see [`Self::why`]). For multisample textures, the depth of an image is
    /// its number of samples, and a slice holds one sample of each texel.
    ///
    /// # Errors
    /// Shapes, formats and samplers that the target does not allow, and textures beyond the limits.
    /// [`TextureError`] lists all cases.
    pub fn new(
        target: TextureTarget,
        format: Format,
        levels: Vec<Level>,
        sampler: Sampler,
    ) -> Result<Self, TextureError> {
        let target = target.image();
        let sizes: Vec<Vec<[usize; 3]>> =
            levels.iter().map(|level| level.faces.iter().map(Image::size).collect()).collect();
        Self::check(target, format, &sizes, &sampler)?;
        let of_integers = format.numbers() != Numbers::Floats;
        let fits = |image: &Image| image.size().contains(&0) || image.pixels().are_integers() == of_integers;
        if !levels.iter().flat_map(|level| &level.faces).all(fits) {
            return Err(TextureError::PixelNumbers { format });
        }
        let planes: Vec<Vec<Plane>> = levels
            .iter()
            .map(|level| level.faces.iter().map(|image| Plane::from_image(image, format)).collect())
            .collect();
        drop(levels);
        Self::from_planes(target, format, &planes, sampler)
    }

    /// Memory of a texture in bytes. `sizes` has width, height and depth of each face, for each level.
    ///
    /// # Errors
    /// As [`Self::new`], which accepts all sizes that this function accepts.
    pub fn check(
        target: TextureTarget,
        format: Format,
        sizes: &[Vec<[usize; 3]>],
        sampler: &Sampler,
    ) -> Result<u64, TextureError> {
        let target = target.image();
        sampler.check(target)?;
        check_format(target, format)?;
        if sizes.is_empty() || sizes.len() > MAX_LEVELS {
            return Err(TextureError::LevelCount { levels: sizes.len() });
        }
        if !target.has_mipmaps() && sizes.len() > 1 {
            return Err(TextureError::NoMipmaps { target });
        }
        for (level, faces) in sizes.iter().enumerate() {
            check_faces(target, level, [faces.len(), sizes[0].len()])?;
            for &size in faces {
                let most = if target == TextureTarget::Buffer { MAX_BUFFER_TEXELS } else { MAX_SIZE };
                if size.iter().any(|&n| n > most) {
                    return Err(TextureError::TooLarge { size });
                }
                check_shape(target, size)?;
            }
        }
        Layout::new(sizes).within_limit(format).map(|layout| layout.bytes(format))
    }

    fn from_planes(
        target: TextureTarget,
        format: Format,
        planes: &[Vec<Plane>],
        sampler: Sampler,
    ) -> Result<Self, TextureError> {
        let store = Arc::new(Store::new(planes, format)?);
        let plan = Plan::new(target, format, &store, &sampler);
        Ok(Self { target, format, numbers: format.numbers(), sampler, store, plan })
    }

    /// Replaces the levels after the base level by a full chain, made from the base level with a box filter
    /// (GENERATE_MIPMAP). See the module `mip` for odd sizes.
    ///
    /// # Errors
    /// If the target has no mipmaps, the format has integers, the base level does not exist, or the chain
    /// exceeds the limit on bytes.
    pub fn generate_mipmaps(&mut self) -> Result<(), TextureError> {
        if !self.target.has_mipmaps() {
            return Err(TextureError::NoMipmaps { target: self.target });
        }
        if self.numbers != Numbers::Floats {
            return Err(TextureError::IntegerMipmaps { format: self.format });
        }
        let base_level = self.sampler.base_level;
        let base = base_level as usize;
        let exists =
            self.store.levels.get(base).is_some_and(|level| !level.size.iter().flatten().any(|&n| n == 0));
        if !exists {
            return Err(TextureError::NoBaseLevel { base_level });
        }
        let plane = |level| (0..self.store.faces).map(|face| self.store.plane(level, face)).collect();
        let mut planes: Vec<Vec<Plane>> = (0..=base).map(plane).collect();
        while planes[planes.len() - 1].iter().any(|p| p.size.iter().any(|&n| n > 1)) {
            let next = planes[planes.len() - 1].iter().map(|p| mip::reduce(p, self.format)).collect();
            planes.push(next);
        }
        if planes.len() > MAX_LEVELS {
            return Err(TextureError::LevelCount { levels: planes.len() });
        }
        *self = Self::from_planes(self.target, self.format, &planes, self.sampler)?;
        Ok(())
    }

    /// Changes the texture parameters.
    ///
    /// # Errors
    /// As [`Sampler::check`]; the texture is then unchanged.
    pub fn set_sampler(&mut self, sampler: Sampler) -> Result<(), TextureError> {
        sampler.check(self.target)?;
        self.plan = Plan::new(self.target, self.format, &self.store, &sampler);
        self.sampler = sampler;
        Ok(())
    }

    /// The same texture on a unit with the TEXTURE_LOD_BIAS `bias`, which is added to the texture's own bias
    /// (3.8.8), and with this handling of cube map edges. Shares the texels.
    #[must_use]
    pub fn on_unit(&self, bias: f32, cube_edges: CubeEdges) -> Self {
        let sum = self.sampler.lod_bias + bias;
        let lod_bias = if sum.is_nan() { 0.0 } else { sum };
        let sampler = Sampler { lod_bias, cube_edges, ..self.sampler };
        let plan = if cube_edges == self.sampler.cube_edges {
            self.plan.as_ref().map(|plan| plan.with_lod_bias(lod_bias)).map_err(|why| *why)
        } else {
            Plan::new(self.target, self.format, &self.store, &sampler)
        };
        Self { sampler, plan, ..self.clone() }
    }

    pub const fn target(&self) -> TextureTarget {
        self.target
    }

    pub const fn format(&self) -> Format {
        self.format
    }

    /// The data type that lookups return.
    pub const fn numbers(&self) -> Numbers {
        self.numbers
    }

    pub const fn sampler(&self) -> &Sampler {
        &self.sampler
    }

    /// Memory of the texels in bytes.
    pub fn bytes(&self) -> u64 {
        self.store.bytes()
    }

    /// Whether both textures share their texels in memory.
    pub fn shares_texels_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.store, &other.store)
    }

    /// Number of levels, given or generated.
    pub fn level_count(&self) -> usize {
        self.store.levels.len()
    }

    /// Width, height, depth (or samples) of the first face of a level; `None` if there is no such level.
    pub fn level_size(&self, level: usize) -> Option<[usize; 3]> {
        self.store.levels.get(level).map(|info| info.size[0])
    }

    /// The stored components of one texel as numbers, in the format's order, the rest 0. `None` outside of
    /// the image. 32-bit integers are rounded to fp32. Meant for inspection, not for sampling.
    pub fn texel(&self, level: usize, face: usize, [i, j, k]: [usize; 3]) -> Option<[f32; 4]> {
        let info = self.store.levels.get(level).filter(|_| face < self.store.faces)?;
        let [w, h, d] = info.size[face];
        (i < w && j < h && k < d).then(|| {
            let stored = self.store.texel(info.offset[face] + (k * h + j) * w + i);
            match self.numbers {
                Numbers::Floats => stored.map(|v| v / self.store.unit()),
                Numbers::Signed => stored.map(|bits| bits.to_bits().cast_signed() as f32),
                Numbers::Unsigned => stored.map(|bits| bits.to_bits() as f32),
            }
        })
    }

    /// Whether the texture is complete (glspec15 3.8.10). Lookups of an incomplete texture return zeros.
    pub const fn is_complete(&self) -> bool {
        self.plan.is_ok()
    }

    /// The reason why the texture is not complete; `None` if it is complete.
    pub fn why(&self) -> Option<Incomplete> {
        self.plan.as_ref().err().copied()
    }

    /// The reason why a texture that [`Self::check`] accepts would not be complete; `None` if it would be.
    pub fn why_not(
        target: TextureTarget,
        format: Format,
        sizes: &[Vec<[usize; 3]>],
        sampler: &Sampler,
    ) -> Option<Incomplete> {
        let sizes: Vec<&[[usize; 3]]> = sizes.iter().map(Vec::as_slice).collect();
        plan::complete((target.image(), format), &sizes, sampler).err()
    }

    /// Whether lookups with a reference compare: the format is a depth format and the sampler has a
    /// comparison.
    pub fn compares(&self) -> bool {
        self.sampler.compare.is_some() && self.format.base().is_depth()
    }

    /// Looks up every lane. `out` gets the result vector's x, y, z, w, one lane register each (Table X.5).
    /// An incomplete texture gives zeros. A lookup with a reference also gives zeros if the texture does not
    /// compare; ARB_fragment_program_shadow 3.11.6 leaves this undefined.
    /// `lambda` gets the level of detail after bias and clamps (eq. 3.16), or NaN without a lookup. The
    /// result of a quad depends only on its own lanes.
    pub fn sample<const N: usize>(
        &self,
        lookup: &Lookup<'_, N>,
        out: &mut [[f32; N]; 4],
        lambda: Option<&mut [f32; N]>,
    ) {
        const { assert!(N.is_multiple_of(4), "lanes come in quads") };
        match self.sampled(lookup) {
            Some(plan) => lookup::quads(plan, lookup, &mut out.each_mut().map(Some), u64::MAX, lambda),
            None => {
                out.fill([0.0; N]);
                if let Some(lambda) = lambda {
                    *lambda = [f32::from_bits(fp32::NAN_BITS); N];
                }
            }
        }
    }

    /// [`Self::sample`] for a block, with the widest vectors of the processor, and only for the components
    /// that are wanted. Quads without a lane in `lanes` may get any value.
    pub fn sample_lanes(&self, lookup: &Lookup<'_, 64>, out: &mut [Option<&mut [f32; 64]>; 4], lanes: u64) {
        match self.sampled(lookup) {
            Some(plan) => lookup::block(plan, lookup, out, lanes, None),
            None => out.iter_mut().flatten().for_each(|register| register.fill(0.0)),
        }
    }

    /// Traces [`Self::sample`] for lane `lane` of a quad; `None` if the lookup returns zeros without reading
    /// texels.
    pub fn trace(&self, lookup: &Lookup<'_, 4>, lane: usize) -> Option<LookupTrace> {
        lookup::trace::trace(self, lookup, lane % 4)
    }

    /// The plan of the lookup; `None` if all results are zeros.
    fn sampled<const N: usize>(&self, lookup: &Lookup<'_, N>) -> Option<&Plan> {
        let plan = self.plan.as_ref().ok()?;
        let defined = lookup.reference.is_none() || plan.compare.is_some();
        defined.then_some(plan)
    }
}

/// A layer has one face, or six for a cube map. Each level must have as many layers as the first.
fn check_faces(
    target: TextureTarget,
    level: usize,
    [faces, of_first]: [usize; 2],
) -> Result<(), TextureError> {
    let each = target.faces();
    let layers = if target.layer().is_some() { 1..=MAX_LAYERS } else { 1..=1 };
    let fits = faces.is_multiple_of(each) && layers.contains(&(faces / each)) && faces == of_first;
    if fits { Ok(()) } else { Err(TextureError::Faces { target, level, faces }) }
}

fn check_format(target: TextureTarget, format: Format) -> Result<(), TextureError> {
    if !format.is_of_textures() {
        return Err(TextureError::NotSampled { format });
    }
    let wrong = match target {
        TextureTarget::Buffer => !format.is_of_buffers(),
        _ if target.has_samples() => !format.is_renderable(),
        _ if format.base().is_float_buffer() => target != TextureTarget::Rect,
        _ => format.base().is_depth() && target == TextureTarget::D3,
    };
    if wrong { Err(TextureError::FormatTarget { format, target }) } else { Ok(()) }
}

fn check_shape(target: TextureTarget, size: [usize; 3]) -> Result<(), TextureError> {
    let [w, h, samples] = size;
    let axes = target.axes() + usize::from(target.has_samples());
    let fits = size[axes..].iter().all(|&n| n == 1)
        && (!target.is_cube() || w == h)
        && (!target.has_samples() || samples.is_power_of_two() && samples <= MAX_SAMPLES);
    if size.contains(&0) || fits { Ok(()) } else { Err(TextureError::Shape { target, size }) }
}
