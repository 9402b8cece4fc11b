//! Single texels and the sizes of levels: TXF and TXQ of NV_gpu_program4 (2.X.4.4, 2.X.8).

use super::Texture;
use super::format::ResultComponent;
use super::plan::{Plan, axes};
use crate::num::fp32;

impl Texture {
    /// TXF: the texel (i, j, k) of the level that is the fourth number above the base level, without filter, wrap
    /// modes, bias and comparison. Of i, j, k only those count that the target has. `None` where the text leaves
    /// the result undefined: outside the image, beyond the levels that the minification filter reads, of a texture
    /// that is not complete; and of a cube map, which TXF does not take.
    pub fn fetch(&self, [i, j, k, level]: [i32; 4]) -> Option<[f32; 4]> {
        let plan = self.plan.as_ref().ok().filter(|plan| !plan.cube)?;
        let [base, last] = plan.levels;
        let level = base.checked_add(level).filter(|level| (base..=last).contains(level))?;
        let size = plan.size.map(|n| (n >> level).max(1));
        let at = [i, if plan.axes > 1 { j } else { 0 }, if plan.axes > 2 { k } else { 0 }];
        let inside = at.iter().zip(size).all(|(&at, size)| (0..size).contains(&at));
        let [width, height, _] = size;
        let index = plan.slots - (plan.slots >> level);
        inside.then(|| plan.converted(index + (at[2] * height + at[1]) * width + at[0]))
    }

    /// TXQ: width, height and depth of the level that is `level` above the base level, as many as the target has
    /// axes. `None` below the base level, above TEXTURE_MAX_LEVEL and where there is no image.
    pub fn size_above_base(&self, level: i32) -> Option<&[usize]> {
        let base = self.sampler.base_level;
        let level = base.checked_add(u32::try_from(level).ok()?)?;
        let info = self.store.levels.get(usize::try_from(level).ok()?)?;
        let exists = level <= self.sampler.max_level && !info.size[0].contains(&0);
        exists.then(|| &info.size[0][..axes(self.target)])
    }
}

impl Plan {
    /// A texel as a result vector: Table X.5.
    fn converted(&self, index: i32) -> [f32; 4] {
        let [x, y, ..] = self.store.texel(index as usize);
        let components = self.store.texel(index as usize).map(|stored| stored / self.store.unit());
        let result = self.result.map(|source| match source {
            ResultComponent::Component(c) => components[c],
            ResultComponent::Zero => 0.0,
            ResultComponent::One => 1.0,
            ResultComponent::Hemi => (1.0 - (x * x + y * y)).max(0.0).sqrt(),
        });
        result.map(|component| fp32::canonical(fp32::flush(component)))
    }
}
