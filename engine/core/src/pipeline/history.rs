//! Replays the per-fragment operations for one pixel: takes its fragments one after the other and says what becomes
//! of each, by the rules that draw the picture.

use super::color_buffer::PixelColor;
use super::merge::{Fragment, FragmentAccount, Merge, OTHERS};
use super::tile::{SampleRows, StencilPlane, Tile};
use super::{
    Clear, ColorFormat, DepthSource, Facing, FragmentSamples, PixelFragment, PixelStatus, RasterState, Stats,
    resolve,
};
use crate::exec::{FragmentFacts, FragmentTests};
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
    /// Whether it may discard fragments.
    pub can_kill: bool,
    /// What it does with memory.
    pub memory_use: Use,
    /// Whether it has an invocation for each sample.
    pub shades_samples: bool,
    /// Whether it says which samples it writes.
    pub writes_sample_mask: bool,
}

impl Merging {
    /// That of a program with these facts. Early tests are of rasterised depths.
    pub fn of(facts: &FragmentFacts) -> Self {
        let replaces = facts.writes_depth && facts.tests == FragmentTests::Late;
        Self {
            depth: if replaces { DepthSource::Program } else { DepthSource::Window },
            colors_written: facts.colors_written,
            writes_secondary: facts.writes_secondary,
            tests: facts.tests,
            can_kill: facts.can_kill,
            memory_use: facts.memory_use,
            shades_samples: facts.shades_samples,
            writes_sample_mask: facts.writes_sample_mask,
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
    /// What it is of the samples of its pixel.
    pub samples: FragmentSamples,
    /// The samples that the program says it writes; looked at where it says so.
    pub sample_mask: u32,
}

impl HistoryFragment {
    /// What a shader that writes `color` and nothing else makes of a fragment.
    pub fn of(fragment: &PixelFragment, color: [f32; 4]) -> Self {
        let (other_colors, second_color) = ([[0.0; 4]; OTHERS], [0.0; 4]);
        let (depth, facing, samples) = (fragment.window_z, fragment.facing, fragment.samples);
        let (killed, sample_mask) = (false, u32::MAX);
        Self { color, other_colors, second_color, depth, killed, facing, samples, sample_mask }
    }

    /// The same as it is merged.
    fn merged(&self) -> Fragment<'_> {
        let &Self { color, other_colors, second_color, depth, killed, facing, sample_mask, .. } = self;
        let FragmentSamples { coverage, depths, .. } = &self.samples;
        Fragment {
            color,
            other_colors,
            second_color,
            depth,
            depths: Some(depths),
            coverage: *coverage,
            sample_mask,
            killed,
            facing,
        }
    }
}

/// What a pixel holds; of colours that of colour buffer 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelState {
    /// Colour: numbers, or integers as their bits. Of several samples what the window shows.
    pub color: [f32; 4],
    /// Depth; of several samples that of sample 0, as all the window shows of it.
    pub depth: f32,
    /// Stencil, likewise.
    pub stencil: u8,
    /// [`PixelStatus::Written`] once any fragment was written; before that, what became of the last.
    pub status: PixelStatus,
}

/// What a sample holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleState {
    /// Colour in colour buffer 0: numbers, or integers as their bits.
    pub color: [f32; 4],
    /// Depth.
    pub depth: f32,
    /// Stencil.
    pub stencil: u8,
}

/// A pixel on its way through a draw.
#[derive(Clone, Debug)]
pub struct PixelHistory {
    merge: Merge,
    /// Of colour buffer 0.
    format: ColorFormat,
    samples: Vec<SampleState>,
    status: PixelStatus,
}

impl PixelHistory {
    /// Of a draw to a colour buffer 0 of `format` that begins with `clear`. It has as many samples as `state` says.
    pub fn new(state: &RasterState, merging: Merging, clear: Clear, format: ColorFormat) -> Self {
        let depth = if clear.depth.is_nan() { 1.0 } else { clear.depth.clamp(0.0, 1.0) };
        let Clear { color, stencil, .. } = clear;
        let sample = SampleState { color: color.map(|value| format.stored(value)), depth, stencil };
        Self {
            merge: Merge::new(state, merging, format),
            format,
            samples: vec![sample; state.multisample.samples.count()],
            status: PixelStatus::Empty,
        }
    }

    /// What the pixel holds now.
    pub fn state(&self) -> PixelState {
        let colors: Vec<[f32; 4]> = self.samples.iter().map(|sample| sample.color).collect();
        let color = resolve::pixel(self.format, &colors);
        let (depth, stencil) = self.samples.first().map_or((0.0, 0), |first| (first.depth, first.stencil));
        PixelState { color, depth, stencil, status: self.status }
    }

    /// What its samples hold now, as many as there are.
    pub fn samples(&self) -> &[SampleState] {
        &self.samples
    }

    /// A fragment's depth as the depth test sees it.
    pub fn depth_seen(&self, depth: f32) -> f32 {
        match self.merge.source() {
            DepthSource::Window => self.merge.window_depths([depth; 4])[0],
            DepthSource::Program => self.merge.program_depth(depth),
        }
    }

    /// Tells what [`Self::push`] is going to do to the next fragment.
    pub fn account(&self, fragment: &HistoryFragment) -> FragmentAccount {
        self.merge.account(&fragment.merged(), &self.samples)
    }

    /// Merges the next fragment and says what became of it.
    pub fn push(&mut self, fragment: HistoryFragment) -> PixelStatus {
        let fragment = fragment.merged();
        let mut outcome = [PixelStatus::Empty];
        let stencil_plane = self.merge.stencil_plane();
        let mut pixels: Vec<PixelColor> =
            self.samples.iter().map(|sample| PixelColor::new(self.format, sample.color)).collect();
        let mut tile = Tile::new([0, 0], [1, 1]);
        tile.status.push(&mut outcome);
        for (sample, pixel) in self.samples.iter_mut().zip(&mut pixels) {
            let mut rows = SampleRows::new(1);
            rows.colors.push(pixel.rows(self.format));
            rows.depth.push(std::slice::from_mut(&mut sample.depth));
            if stencil_plane == StencilPlane::Used {
                rows.stencil.push(std::slice::from_mut(&mut sample.stencil));
            }
            tile.samples.push(rows);
        }
        self.merge.fragment(&mut tile, 0, 0, &fragment, &mut Stats::default());
        drop(tile);
        for (sample, pixel) in self.samples.iter_mut().zip(&pixels) {
            sample.color = pixel.color();
        }
        let [outcome] = outcome;
        if self.status != PixelStatus::Written {
            self.status = outcome;
        }
        outcome
    }
}
