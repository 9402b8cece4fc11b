//! The fragment stage of draws without a fragment program: colour 0 modulated by texture 0 (glspec15
//! 3.8.13, MODULATE), then fog (3.10).
//!
//! Not here: more texture units, other texture functions, the sum with colour 1.

#[cfg(test)]
mod tests;

use super::merge::clamp;
use super::{Fog, FogMode, PixelFragment, vector};
use crate::exec::{AttributeRows, BlockOutput, BlockShader, LANES, Row};
use crate::ir::{Attribute, TextureTarget};
use crate::num::approx::ex2;
use crate::texture::{BaseFormat, DepthMode, Gradients, Lookup, Texture};
use std::f32::consts::LOG2_E;
use std::sync::Arc;

/// Where the fog coordinate of a draw comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FogCoordinate {
    /// From `f[FOGC]`.
    Interpolated,
    /// The vertex program does not write it: the fog factor is 1 (NV_vertex_program2, ruling 8), as if
    /// there were no fog.
    Unwritten,
}

/// The built-in fragment stage. Colours and texels are clamped to `[0,1]`, NaN being 0.
///
/// Texture coordinates are divided by q as TXP does. A texture that is not complete counts as none
/// (3.8.10). A fog factor that is not a number, which takes infinite coordinates or a linear fog whose
/// start is its end, is 0.
#[derive(Clone, Debug)]
pub struct FixedFragment {
    texture: Option<Arc<Texture>>,
    fog: Option<Fog>,
}

/// Scratch memory of one thread.
#[derive(Clone, Debug)]
pub struct FixedWorker {
    /// s, t, r divided by q.
    coordinates: [Row; 3],
    texels: [[f32; LANES]; 4],
}

impl FixedFragment {
    /// The stage for `texture` at `f[TEX0]` and for `fog`.
    pub fn new(texture: Option<Arc<Texture>>, fog: Option<Fog>, coordinate: FogCoordinate) -> Self {
        let texture = texture.filter(|texture| texture.is_complete());
        let fog = fog.filter(|_| coordinate == FogCoordinate::Interpolated);
        Self { texture, fog: fog.map(|fog| Fog { color: fog.color.map(clamp), ..fog }) }
    }
}

impl FixedFragment {
    /// The colour of a fragment.
    pub fn color(&self, fragment: &PixelFragment) -> [f32; 4] {
        let (mut worker, mut output) = (self.worker(), BlockOutput::default());
        let mut rows = AttributeRows::default();
        for attribute in Attribute::FRAGMENT {
            for component in 0..4 {
                for (lane, values) in fragment.quad[attribute.index()].iter().enumerate() {
                    rows.row_mut(attribute, component).0[lane] = values[component];
                }
            }
        }
        self.run(&mut worker, &rows, 0b1111, &mut output);
        std::array::from_fn(|component| output.color[component].0[fragment.lane])
    }
}

/// Whether coordinates are divided by q.
fn is_projected(target: TextureTarget) -> bool {
    target != TextureTarget::Cube
}

/// The components that the texture takes part in: ALPHA textures leave r, g, b alone (table 3.22).
fn modulated(texture: &Texture) -> std::ops::Range<usize> {
    let alpha_only = match texture.format().base() {
        BaseFormat::Alpha => true,
        BaseFormat::Depth => texture.sampler().depth_mode == DepthMode::Alpha,
        _ => false,
    };
    if alpha_only { 3..4 } else { 0..4 }
}

/// The fog factor (3.26 to 3.28), clamped.
#[inline(always)]
fn factor(mode: FogMode, c: f32) -> f32 {
    clamp(match mode {
        FogMode::Linear { start, end } => (end - c) / (end - start),
        FogMode::Exp { density } => ex2(-(density * c) * LOG2_E),
        FogMode::Exp2 { density } => ex2(-((density * c) * (density * c)) * LOG2_E),
    })
}

impl BlockShader for FixedFragment {
    type Worker = FixedWorker;

    fn worker(&self) -> FixedWorker {
        FixedWorker { coordinates: [Row::ZERO; 3], texels: [[0.0; LANES]; 4] }
    }

    fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        let mut used = [0; Attribute::SLOTS];
        used[Attribute::Col0.index()] = 0b1111;
        if let Some(texture) = &self.texture {
            let coordinates = texture.target().coordinates();
            let q = if is_projected(texture.target()) { 0b1000 } else { 0 };
            used[Attribute::Tex(0).index()] = coordinates | q;
        }
        if self.fog.is_some() {
            used[Attribute::Fogc.index()] = 0b0001;
        }
        used
    }

    fn writes_color(&self) -> bool {
        true
    }

    fn writes_depth(&self) -> bool {
        false
    }

    fn can_kill(&self) -> bool {
        false
    }

    fn run(&self, worker: &mut FixedWorker, inputs: &AttributeRows, _: u64, output: &mut BlockOutput) {
        let FixedWorker { coordinates, texels } = worker;
        let texture = self.texture.as_deref();
        if let Some(texture) = texture {
            vector::widest(Project { target: texture.target(), inputs, coordinates });
            let coords = coordinates.each_ref().map(|row| &row.0);
            texture.sample(&Lookup::new(coords, Gradients::Quad), texels, None);
        }
        let modulated = texture.map_or(0..0, modulated);
        vector::widest(Shade { modulated, texels, fog: self.fog, inputs, output });
        output.killed = 0;
    }
}

/// Makes texture coordinates of those that the texture's target has.
struct Project<'a> {
    target: TextureTarget,
    inputs: &'a AttributeRows,
    coordinates: &'a mut [Row; 3],
}

impl vector::Task for Project<'_> {
    #[inline(always)]
    fn run(self) {
        let row = |component| self.inputs.row(Attribute::Tex(0), component);
        let q = row(3);
        let count = self.target.coordinates().count_ones() as usize;
        for (component, coordinate) in self.coordinates.iter_mut().enumerate().take(count) {
            *coordinate = *row(component);
            if is_projected(self.target) {
                for (value, q) in coordinate.0.iter_mut().zip(&q.0) {
                    *value /= q;
                }
            }
        }
    }
}

/// Makes colours.
struct Shade<'a> {
    modulated: std::ops::Range<usize>,
    texels: &'a [[f32; LANES]; 4],
    fog: Option<Fog>,
    inputs: &'a AttributeRows,
    output: &'a mut BlockOutput,
}

impl vector::Task for Shade<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { modulated, texels, fog, inputs, output } = self;
        for (component, row) in output.color.iter_mut().enumerate() {
            for (value, &color) in row.0.iter_mut().zip(&inputs.row(Attribute::Col0, component).0) {
                *value = clamp(color);
            }
            if modulated.contains(&component) {
                for (value, &texel) in row.0.iter_mut().zip(&texels[component]) {
                    *value *= clamp(texel);
                }
            }
        }
        let Some(fog) = fog else { return };
        let coordinate = &inputs.row(Attribute::Fogc, 0).0;
        // One loop a mode, rather than a choice in every lane.
        let mut factors = [0.0; LANES];
        macro_rules! fill {
            ($mode:expr) => {
                for (f, &c) in factors.iter_mut().zip(coordinate) {
                    *f = factor($mode, c);
                }
            };
        }
        match fog.mode {
            FogMode::Linear { start, end } => fill!(FogMode::Linear { start, end }),
            FogMode::Exp { density } => fill!(FogMode::Exp { density }),
            FogMode::Exp2 { density } => fill!(FogMode::Exp2 { density }),
        }
        // Alpha is not changed.
        for (row, fogged) in output.color.iter_mut().zip(fog.color).take(3) {
            for (value, f) in row.0.iter_mut().zip(factors) {
                *value = f * *value + (1.0 - f) * fogged;
            }
        }
    }
}
