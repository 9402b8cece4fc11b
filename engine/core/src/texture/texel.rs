//! Single texels, samples and level sizes: TXF and TXQ of NV_gpu_program4 (2.X.4.4, 2.X.8), TXFMS of
//! NV_texture_multisample and NV_explicit_multisample (2.X.4.4).

use super::Texture;
use super::format::ResultComponent;
use super::plan::Plan;
use super::store::Texels;
use shadestep_language::num::fp32;

/// A texel that TXF or TXFMS reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FetchedTexel {
    /// Number of the level; 0 is the texture's level 0.
    pub level: u32,
    /// Number of the image within the level: the layer of an array.
    pub image: u32,
    /// Column, row and slice, including the offset.
    pub place: [i32; 3],
    /// Width, height and depth of the level.
    pub size: [u32; 3],
    /// The sample of a multisample texture.
    pub sample: Option<u32>,
    /// The stored components, in store units.
    pub stored: [f32; 4],
    /// The divisor of stored components: 255 for bytes, else 1.
    pub unit: f32,
    /// The source of each component of the result.
    pub sources: [ResultComponent; 4],
    /// The bits of the result.
    pub result: [u32; 4],
}

/// The position of a texel: the fields of [`FetchedTexel`], with levels counted as in the plan, and the
/// texel's index in the store.
struct Located {
    level: i32,
    image: i32,
    place: [i32; 3],
    size: [u32; 3],
    sample: Option<u32>,
    index: i32,
}

/// The reason why the result of TXF or TXFMS is undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTexel {
    /// The texture is not complete.
    Incomplete,
    /// A cube map, which neither instruction supports.
    Cube,
    /// A level that the minification filter would not read.
    Level,
    /// The layer does not exist.
    Layer,
    /// Outside of the image.
    Outside,
    /// The sample does not exist.
    Sample,
}

impl Texture {
    /// TXF and TXFMS: the bits of a texel. `coordinates` are i, j, k and the layer, as far as the target has
    /// them, as in Table X.18, plus `offset`. The fourth coordinate is the level above the base level or, for
    /// multisample textures, the sample.
    /// Filters, wrap modes, bias and comparison do not apply. `None` if the specification leaves the result
    /// undefined; [`NoTexel`] lists the cases.
    pub fn fetch(&self, coordinates: [i32; 4], offset: [i32; 3]) -> Option<[u32; 4]> {
        let (plan, texel) = self.located(coordinates, offset).ok()?;
        Some(plan.converted(texel.index))
    }

    /// [`Self::fetch`], with the details of the texel.
    ///
    /// # Errors
    /// The reason why the result is undefined.
    pub fn fetched(&self, coordinates: [i32; 4], offset: [i32; 3]) -> Result<FetchedTexel, NoTexel> {
        let (plan, Located { level, image, place, size, sample, index }) =
            self.located(coordinates, offset)?;
        Ok(FetchedTexel {
            level: (level - plan.levels[0]) as u32 + self.sampler.base_level,
            image: image as u32,
            place,
            size,
            sample,
            stored: plan.store.texel(index as usize),
            unit: plan.store.unit(),
            sources: plan.result,
            result: plan.converted(index),
        })
    }

    #[inline]
    fn located(&self, coordinates: [i32; 4], offset: [i32; 3]) -> Result<(&Plan, Located), NoTexel> {
        let plan = self.plan.as_ref().map_err(|_| NoTexel::Incomplete)?;
        if plan.cube {
            return Err(NoTexel::Cube);
        }
        let [base, last] = plan.levels;
        let above = if self.target.is_filtered() { coordinates[3] } else { 0 };
        let level = base.checked_add(above).filter(|level| (base..=last).contains(level));
        let level = level.ok_or(NoTexel::Level)?;
        let mut index = plan.slots - (plan.slots >> level);
        let mut image = 0;
        if let (Some(component), Some(layers)) = (self.target.layer(), plan.layers) {
            let layer = coordinates.get(component).filter(|layer| (0..layers).contains(layer));
            image = *layer.ok_or(NoTexel::Layer)?;
            index += image * plan.layer_stride;
        }
        let (mut place, mut size) = ([0; 3], [1; 3]);
        let mut stride = 1;
        for axis in 0..plan.axes {
            let side = (plan.size[axis] >> level).max(1);
            let at = coordinates[axis].checked_add(offset[axis]).filter(|at| (0..side).contains(at));
            place[axis] = at.ok_or(NoTexel::Outside)?;
            size[axis] = side as u32;
            index += place[axis] * stride;
            stride *= side;
        }
        let mut sample = None;
        if self.target.has_samples() {
            let number = Some(coordinates[3]).filter(|sample| (0..plan.size[2]).contains(sample));
            let number = number.ok_or(NoTexel::Sample)?;
            sample = Some(number as u32);
            index += number * stride;
        }
        Ok((plan, Located { level, image, place, size, sample, index }))
    }

    /// TXQ: the size of the level that is `level` above the base level, then the number of layers of an
    /// array. Also returns how many numbers are valid. `None` below the base level, above TEXTURE_MAX_LEVEL,
    /// and for levels without an image.
    pub fn size_above_base(&self, level: i32) -> Option<([usize; 3], usize)> {
        let base = self.sampler.base_level;
        let level = base.checked_add(u32::try_from(level).ok()?)?;
        let info = self.store.levels.get(usize::try_from(level).ok()?)?;
        let exists = level <= self.sampler.max_level && !info.size[0].contains(&0);
        let (mut sides, mut count) = (info.size[0], self.target.axes());
        if self.target.layer().is_some() {
            sides[count] = self.store.faces / self.target.faces();
            count += 1;
        }
        exists.then_some((sides, count))
    }
}

impl Plan {
    /// The bits of a texel as a result vector: Table X.5, then the swizzle.
    fn converted(&self, index: i32) -> [u32; 4] {
        let stored = self.store.texel(index as usize);
        if matches!(self.store.texels, Texels::Integers(_)) {
            return self.result.map(|source| match source {
                ResultComponent::Component(c) => stored[c].to_bits(),
                ResultComponent::Zero | ResultComponent::Hemi => 0,
                ResultComponent::One => 1,
            });
        }
        let [x, y, ..] = stored;
        let components = stored.map(|stored| stored / self.store.unit());
        let result = self.result.map(|source| match source {
            ResultComponent::Component(c) => components[c],
            ResultComponent::Zero => 0.0,
            ResultComponent::One => 1.0,
            ResultComponent::Hemi => (1.0 - (x * x + y * y)).max(0.0).sqrt(),
        });
        result.map(|component| fp32::canonical(fp32::flush(component)).to_bits())
    }
}
