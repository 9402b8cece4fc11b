//! Replays the per-fragment operations for one pixel: takes its fragments one after the other and says what becomes
//! of each, by the rules that draw the picture.

use super::color_buffer::with_pixel;
use super::merge::{Fragment, Merge, OTHERS};
use super::tile::{StencilPlane, Tile};
use super::{Clear, ColorFormat, DepthSource, Facing, PixelStatus, RasterState, Stats};
use crate::exec::{BlockShader, FragmentTests};
use crate::memory::Use;

/// What a draw's program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merging {
    /// Where depths come from.
    pub depth: DepthSource,
    /// A bit for each output colour that is written.
    pub colors_written: u8,
    /// Whether it writes the second colour that blending may take.
    pub writes_secondary: bool,
    /// When fragments are tested.
    pub tests: FragmentTests,
    /// What it does with memory.
    pub memory_use: Use,
}

impl Merging {
    /// That of `shader`. Early tests are of rasterised depths.
    pub fn of(shader: &impl BlockShader) -> Self {
        let tests = shader.tests();
        let replaces = shader.writes_depth() && tests == FragmentTests::Late;
        Self {
            depth: if replaces { DepthSource::Program } else { DepthSource::Window },
            colors_written: shader.colors_written(),
            writes_secondary: shader.writes_secondary(),
            tests,
            memory_use: shader.memory_use(),
        }
    }
}

/// A fragment after its program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HistoryFragment {
    /// Its output colour 0; as the others, numbers, or integers as their bits.
    pub color: [f32; 4],
    /// Its output colours 1 on; looked at where colour buffer 0 takes one of them.
    pub other_colors: [[f32; 4]; OTHERS],
    /// Its second colour; looked at where blending takes it.
    pub second_color: [f32; 4],
    /// Interpolated, or replaced by the program.
    pub depth: f32,
    /// Whether the program discarded it.
    pub killed: bool,
    /// Which side of the primitive it is of.
    pub facing: Facing,
}

/// What a pixel holds; of colours that of colour buffer 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelState {
    /// Colour: numbers, or integers as their bits.
    pub color: [f32; 4],
    /// Depth.
    pub depth: f32,
    /// Stencil.
    pub stencil: u8,
    /// [`PixelStatus::Written`] once any fragment was written; before that, what became of the last.
    pub status: PixelStatus,
}

/// A pixel on its way through a draw.
#[derive(Clone, Debug)]
pub struct PixelHistory {
    merge: Merge,
    /// Of colour buffer 0.
    format: ColorFormat,
    state: PixelState,
}

impl PixelHistory {
    /// Of a draw to a colour buffer 0 of `format` that begins with `clear`.
    pub fn new(state: &RasterState, merging: Merging, clear: Clear, format: ColorFormat) -> Self {
        let depth = if clear.depth.is_nan() { 1.0 } else { clear.depth.clamp(0.0, 1.0) };
        let Clear { color, stencil, .. } = clear;
        Self {
            merge: Merge::new(state, merging, format),
            format,
            state: PixelState {
                color: color.map(|value| format.stored(value)),
                depth,
                stencil,
                status: PixelStatus::Empty,
            },
        }
    }

    /// What the pixel holds now.
    pub fn state(&self) -> PixelState {
        self.state
    }

    /// A fragment's depth as the depth test sees it.
    pub fn depth_seen(&self, depth: f32) -> f32 {
        match self.merge.source() {
            DepthSource::Window => self.merge.window_depths([depth; 4])[0],
            DepthSource::Program => self.merge.program_depth(depth),
        }
    }

    /// Merges the next fragment and says what became of it.
    pub fn push(&mut self, fragment: HistoryFragment) -> PixelStatus {
        let HistoryFragment { color, other_colors, second_color, depth, killed, facing } = fragment;
        let mut outcome = [PixelStatus::Empty];
        let PixelState { color: stored, depth: stored_depth, stencil, status } = &mut self.state;
        let fragment = Fragment { color, other_colors, second_color, depth, killed, facing };
        with_pixel(self.format, stored, |colors| {
            let mut tile = Tile::new([0, 0], [1, 1]);
            tile.colors.push(colors);
            tile.depth.push(std::slice::from_mut(stored_depth));
            tile.status.push(&mut outcome);
            if self.merge.stencil_plane() == StencilPlane::Used {
                tile.stencil.push(std::slice::from_mut(stencil));
            }
            self.merge.fragment(&mut tile, 0, 0, &fragment, &mut Stats::default());
        });
        let [outcome] = outcome;
        if *status != PixelStatus::Written {
            *status = outcome;
        }
        outcome
    }
}
