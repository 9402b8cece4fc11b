//! The fixed-function fragment stage, for draws without a fragment program. Texture 0 modulates colour 0
//! (glspec15 3.8.13, MODULATE; depth comparisons follow 3.8.14). The stage then adds colour 1 (3.9) and
//! applies fog (3.10).
//!
//! Further texture units and other texture functions are not supported.

#[cfg(test)]
mod tests;

use super::merge::clamp;
use super::{Fog, FogCoordinate, FogStage, PixelFragment};
use crate::exec::{AttributeLanes, BlockOutput, BlockShader, FragmentFacts, LANES, LaneRegister};
use crate::simd::{self, Simd};
use crate::texture::{BaseFormat, DepthMode, Gradients, Lookup, Texture};
use shadestep_language::ir::{Attribute, TextureTarget};
use std::sync::Arc;

/// The fixed-function fragment stage. Colours and texels are clamped to `[0,1]`, with NaN as 0.
///
/// Texture coordinates are divided by q, as TXP does. An incomplete texture counts as disabled (3.8.10).
#[derive(Clone, Debug)]
pub struct FixedFragment {
    texture: Option<Arc<Texture>>,
    sum: ColorSum,
    fog: Option<FogStage>,
}

/// Whether the secondary colour is added to the primary one after texturing (3.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorSum {
    /// No sum.
    Disabled,
    /// Red, green and blue are added; alpha stays the primary colour's.
    Enabled,
}

/// Scratch memory of one thread.
#[derive(Clone, Debug)]
pub struct FixedWorker {
    /// s, t, r divided by q.
    coordinates: [LaneRegister; 3],
    texels: [[f32; LANES]; 4],
}

impl FixedFragment {
    /// The stage with `texture` at `f[TEX0]`, the colour sum `sum` and the fog `fog`.
    pub fn new(
        texture: Option<Arc<Texture>>,
        sum: ColorSum,
        fog: Option<Fog>,
        coordinate: FogCoordinate,
    ) -> Self {
        let texture = texture.filter(|texture| texture.is_complete());
        let fog = fog.filter(|_| coordinate == FogCoordinate::Interpolated);
        Self { texture, sum, fog: fog.map(|fog| FogStage::new(fog, coordinate)) }
    }
}

impl FixedFragment {
    /// The colour of a fragment.
    pub fn color(&self, fragment: &PixelFragment) -> [f32; 4] {
        let (mut worker, mut output) = (self.worker(), BlockOutput::default());
        self.run(&mut worker, &fragment.lanes(), 0b1111, &mut output);
        std::array::from_fn(|component| output.color[component].0[fragment.lane])
    }
}

/// Whether coordinates are divided by q.
fn is_projected(target: TextureTarget) -> bool {
    target != TextureTarget::Cube
}

/// The coordinates that a lookup reads, bit 0 = s. A comparison also reads r.
fn coordinates_read(texture: &Texture) -> u8 {
    texture.target().coordinates() | if texture.compares() { 0b100 } else { 0 }
}

/// The components that the texture modulates: ALPHA textures leave r, g, b alone (table 3.22).
fn modulated(texture: &Texture) -> std::ops::Range<usize> {
    let alpha_only = match texture.format().base() {
        BaseFormat::Alpha => true,
        BaseFormat::Depth | BaseFormat::DepthStencil => texture.sampler().depth_mode == DepthMode::Alpha,
        _ => false,
    };
    if alpha_only { 3..4 } else { 0..4 }
}

impl BlockShader for FixedFragment {
    type Worker = FixedWorker;

    fn worker(&self) -> FixedWorker {
        FixedWorker { coordinates: [LaneRegister::ZERO; 3], texels: [[0.0; LANES]; 4] }
    }

    fn facts(&self) -> FragmentFacts {
        let mut attributes_used = [0; Attribute::SLOTS];
        attributes_used[Attribute::Col0.index()] = 0b1111;
        if let Some(texture) = &self.texture {
            let coordinates = coordinates_read(texture);
            let q = if is_projected(texture.target()) { 0b1000 } else { 0 };
            attributes_used[Attribute::Tex(0).index()] = coordinates | q;
        }
        if self.sum == ColorSum::Enabled {
            attributes_used[Attribute::Col1.index()] = 0b0111;
        }
        if self.fog.is_some() {
            attributes_used[Attribute::Fogc.index()] = 0b0001;
        }
        FragmentFacts { attributes_used, can_kill: false, ..FragmentFacts::default() }
    }

    fn run(&self, worker: &mut FixedWorker, inputs: &AttributeLanes, _: u64, output: &mut BlockOutput) {
        let FixedWorker { coordinates, texels } = worker;
        let texture = self.texture.as_deref();
        if let Some(texture) = texture {
            simd::widest(Project { texture, inputs, coordinates });
            let coords = coordinates.each_ref().map(|register| &register.0);
            let reference = texture.compares().then_some(coords[2]);
            let lookup = Lookup { reference, ..Lookup::new(coords, Gradients::Quad) };
            texture.sample_lanes(&lookup, &mut texels.each_mut().map(Some), u64::MAX);
        }
        let modulated = texture.map_or(0..0, modulated);
        simd::widest(Shade { modulated, texels, sum: self.sum, inputs, output });
        if let Some(fog) = &self.fog {
            fog.apply(inputs.register(Attribute::Fogc, 0), &mut output.color);
        }
        output.killed = 0;
    }
}

/// Divides the texture coordinates that a lookup reads by q.
struct Project<'a> {
    texture: &'a Texture,
    inputs: &'a AttributeLanes,
    coordinates: &'a mut [LaneRegister; 3],
}

impl simd::Task for Project<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let coordinate_set = |component| self.inputs.register(Attribute::Tex(0), component);
        let q = coordinate_set(3);
        let read = coordinates_read(self.texture);
        let projected = is_projected(self.texture.target());
        let coordinates = self.coordinates.iter_mut().enumerate();
        for (component, coordinate) in coordinates.filter(|(component, _)| read >> component & 1 != 0) {
            *coordinate = *coordinate_set(component);
            if projected {
                for (value, q) in coordinate.0.iter_mut().zip(&q.0) {
                    *value /= q;
                }
            }
        }
    }
}

/// Computes the colours of a block.
struct Shade<'a> {
    modulated: std::ops::Range<usize>,
    texels: &'a [[f32; LANES]; 4],
    sum: ColorSum,
    inputs: &'a AttributeLanes,
    output: &'a mut BlockOutput,
}

impl simd::Task for Shade<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { modulated, texels, sum, inputs, output } = self;
        let summed = if sum == ColorSum::Enabled { 0..3 } else { 0..0 };
        for (component, register) in output.color.iter_mut().enumerate() {
            for (value, &color) in register.0.iter_mut().zip(&inputs.register(Attribute::Col0, component).0) {
                *value = clamp(color);
            }
            if modulated.contains(&component) {
                for (value, &texel) in register.0.iter_mut().zip(&texels[component]) {
                    *value *= clamp(texel);
                }
            }
            if summed.contains(&component) {
                for (value, &color) in
                    register.0.iter_mut().zip(&inputs.register(Attribute::Col1, component).0)
                {
                    *value = clamp(*value + clamp(color));
                }
            }
        }
    }
}
