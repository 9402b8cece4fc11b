//! Fog on colours (glspec15 3.10): in the fixed-function fragment stage, and after fragment programs with a
//! fog option (ARB_fragment_program 3.11.4.5.1).

use super::merge::clamp;
use super::{Fog, FogMode};
use crate::exec::{LANES, LaneRegister};
use crate::simd::{self, Simd};
use shadestep_language::num::approx::ex2;
use std::f32::consts::LOG2_E;

/// The source of a draw's fog coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FogCoordinate {
    /// From the fragment's attributes.
    Interpolated,
    /// The vertex program does not write the coordinate: the fog factor is 1, as if there were no fog
    /// (NV_vertex_program2, ruling 8 of the vertex languages).
    Unwritten,
}

/// Fog of a draw. A factor that is NaN counts as 0. NaN results from infinite coordinates, or from linear fog
/// with equal start and end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FogStage {
    fog: Fog,
    coordinate: FogCoordinate,
}

impl FogStage {
    /// `fog` with coordinates from `coordinate`. The fog colour is clamped to `[0,1]`, with NaN as 0.
    pub fn new(fog: Fog, coordinate: FogCoordinate) -> Self {
        Self { fog: Fog { color: fog.color.map(clamp), ..fog }, coordinate }
    }

    /// Applies fog to a block of fragments with these fog coordinates. Fog applies to the final clamped
    /// colour (ARB_fragment_program 3.11.4.5.1). So all components are first clamped to `[0,1]`, with NaN as
    /// 0. Fog does not change alpha otherwise.
    pub fn apply(&self, coordinate: &LaneRegister, color: &mut [LaneRegister; 4]) {
        simd::widest(Apply { stage: *self, coordinate, color });
    }
}

/// The fog factor (3.26 to 3.28), clamped to `[0,1]`.
#[inline(always)]
fn factor(mode: FogMode, c: f32) -> f32 {
    clamp(match mode {
        FogMode::Linear { start, end } => (end - c) / (end - start),
        FogMode::Exp { density } => ex2(-(density * c) * LOG2_E),
        FogMode::Exp2 { density } => ex2(-((density * c) * (density * c)) * LOG2_E),
    })
}

struct Apply<'a> {
    stage: FogStage,
    coordinate: &'a LaneRegister,
    color: &'a mut [LaneRegister; 4],
}

impl simd::Task for Apply<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { stage: FogStage { fog, coordinate: source }, coordinate, color } = self;
        let mut factors = [1.0; LANES];
        if source == FogCoordinate::Interpolated {
            // One loop per mode, to keep the choice out of the loop.
            macro_rules! fill {
                ($mode:expr) => {
                    for (f, &c) in factors.iter_mut().zip(&coordinate.0) {
                        *f = factor($mode, c);
                    }
                };
            }
            match fog.mode {
                FogMode::Linear { start, end } => fill!(FogMode::Linear { start, end }),
                FogMode::Exp { density } => fill!(FogMode::Exp { density }),
                FogMode::Exp2 { density } => fill!(FogMode::Exp2 { density }),
            }
        }
        let [rgb @ .., alpha] = color;
        for value in &mut alpha.0 {
            *value = clamp(*value);
        }
        for (register, fogged) in rgb.iter_mut().zip(fog.color) {
            for (value, f) in register.0.iter_mut().zip(factors) {
                *value = f * clamp(*value) + (1.0 - f) * fogged;
            }
        }
    }
}
