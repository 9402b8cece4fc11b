//! Fog applied to colours (glspec15 3.10): by the fixed fragment stage, and behind fragment programs that ask for
//! it (ARB_fragment_program 3.11.4.5.1).

use super::merge::clamp;
use super::{Fog, FogMode, vector};
use crate::exec::{LANES, LaneRegister};
use crate::movemask::Masks;
use shadestep_language::num::approx::ex2;
use std::f32::consts::LOG2_E;

/// Where the fog coordinate of a draw comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FogCoordinate {
    /// From the fragment's attributes.
    Interpolated,
    /// The vertex program does not write it: the fog factor is 1 (NV_vertex_program2, ruling 8 of the vertex
    /// languages), as if there were no fog.
    Unwritten,
}

/// Fog of a draw. A factor that is not a number, which takes infinite coordinates or a linear fog whose start is
/// its end, is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FogStage {
    fog: Fog,
    coordinate: FogCoordinate,
}

impl FogStage {
    /// `fog` for coordinates from `coordinate`; its colour is clamped to `[0,1]`, NaN being 0.
    pub fn new(fog: Fog, coordinate: FogCoordinate) -> Self {
        Self { fog: Fog { color: fog.color.map(clamp), ..fog }, coordinate }
    }

    /// Fogs the colours of a block of fragments with these fog coordinates. It is the final clamped colour that is
    /// fogged (ARB_fragment_program 3.11.4.5.1): all components are clamped to `[0,1]` first, NaN being 0; alpha
    /// is not changed besides.
    pub fn apply(&self, coordinate: &LaneRegister, color: &mut [LaneRegister; 4]) {
        vector::widest(Apply { stage: *self, coordinate, color });
    }
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

struct Apply<'a> {
    stage: FogStage,
    coordinate: &'a LaneRegister,
    color: &'a mut [LaneRegister; 4],
}

impl vector::Task for Apply<'_> {
    #[inline(always)]
    fn run(self, _: impl Masks) {
        let Self { stage: FogStage { fog, coordinate: source }, coordinate, color } = self;
        let mut factors = [1.0; LANES];
        if source == FogCoordinate::Interpolated {
            // One loop a mode, rather than a choice in every lane.
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
