//! Replays the per-fragment operations for one pixel. The replay takes the pixel's fragments in order and
//! reports the outcome of each, by the same rules as drawing.

use super::color_buffer::PixelColor;
use super::merge::{Fragment, FragmentTrace, Merge, OTHERS};
use super::tile::{SampleRows, StencilPlane, Tile};
use super::{
    Clear, ColorFormat, DepthSource, Facing, FragmentSamples, PixelFragment, PixelStatus, RasterState, Stats,
    resolve,
};
use crate::exec::{FragmentFacts, FragmentTests};
use crate::memory::Use;

/// The outputs and side effects of a draw's fragment program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merging {
    /// The source of depths.
    pub depth: DepthSource,
    /// A bit for each output colour that is written.
    pub colors_written: u8,
    /// Whether the program writes the second colour for blending.
    pub writes_secondary: bool,
    /// Whether fragments are tested before or after the program.
    pub tests: FragmentTests,
    /// Whether the program may discard fragments.
    pub can_kill: bool,
    /// The program's use of memory.
    pub memory_use: Use,
    /// Whether the program runs once per sample.
    pub shades_samples: bool,
    /// Whether the program outputs a sample mask.
    pub writes_sample_mask: bool,
}

impl Merging {
    /// The `Merging` of a program with these facts. Early tests use rasterised depths.
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
    /// Output colour 0. This and the other colours are numbers, or the bits of integers.
    pub color: [f32; 4],
    /// Output colours 1 and up. Used only if colour buffer 0 takes one of them.
    pub other_colors: [[f32; 4]; OTHERS],
    /// The second colour. Used only if blending takes it.
    pub second_color: [f32; 4],
    /// The depth, interpolated or replaced by the program.
    pub depth: f32,
    /// Whether the program discarded it.
    pub killed: bool,
    /// The visible side of the primitive.
    pub facing: Facing,
    /// The samples of the pixel that the fragment covers.
    pub samples: FragmentSamples,
    /// The program's sample mask. Used only if the program outputs one.
    pub sample_mask: u32,
}

impl HistoryFragment {
    /// The fragment as a shader outputs it that writes only `color`.
    pub fn of(fragment: &PixelFragment, color: [f32; 4]) -> Self {
        let (other_colors, second_color) = ([[0.0; 4]; OTHERS], [0.0; 4]);
        let (depth, facing, samples) = (fragment.window_z, fragment.facing, fragment.samples);
        let (killed, sample_mask) = (false, u32::MAX);
        Self { color, other_colors, second_color, depth, killed, facing, samples, sample_mask }
    }

    /// The fragment in the form that merging takes.
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

/// The values of a pixel. The colour is from colour buffer 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelState {
    /// Colour: numbers, or the bits of integers. With several samples, the resolved colour.
    pub color: [f32; 4],
    /// Depth. With several samples, sample 0's depth, which the window shows.
    pub depth: f32,
    /// Stencil. With several samples, sample 0's value.
    pub stencil: u8,
    /// [`PixelStatus::Written`] after any fragment was written; before that, the outcome of the last
    /// fragment.
    pub status: PixelStatus,
}

/// The values of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleState {
    /// Colour in colour buffer 0: numbers, or integers as their bits.
    pub color: [f32; 4],
    pub depth: f32,
    pub stencil: u8,
}

/// A pixel during a draw.
#[derive(Clone, Debug)]
pub struct PixelHistory {
    merge: Merge,
    /// The format of colour buffer 0.
    format: ColorFormat,
    samples: Vec<SampleState>,
    status: PixelStatus,
}

impl PixelHistory {
    /// A pixel at the start of a draw to a colour buffer 0 of `format`, cleared to `clear`. `state` gives the
    /// number of samples.
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

    /// The current values of the pixel.
    pub fn state(&self) -> PixelState {
        let colors: Vec<[f32; 4]> = self.samples.iter().map(|sample| sample.color).collect();
        let color = resolve::pixel(self.format, &colors);
        let (depth, stencil) = self.samples.first().map_or((0.0, 0), |first| (first.depth, first.stencil));
        PixelState { color, depth, stencil, status: self.status }
    }

    /// The current values of each sample.
    pub fn samples(&self) -> &[SampleState] {
        &self.samples
    }

    /// A fragment's depth as the depth test compares it.
    pub fn depth_seen(&self, depth: f32) -> f32 {
        match self.merge.source() {
            DepthSource::Window => self.merge.window_depths([depth; 4])[0],
            DepthSource::Program => self.merge.program_depth(depth),
        }
    }

    /// Traces the effect that [`Self::push`] would have for the next fragment.
    pub fn trace(&self, fragment: &HistoryFragment) -> FragmentTrace {
        self.merge.trace(&fragment.merged(), &self.samples)
    }

    /// Merges the next fragment and returns its outcome.
    pub fn push(&mut self, fragment: HistoryFragment) -> PixelStatus {
        let fragment = fragment.merged();
        let mut outcome = [PixelStatus::Empty];
        let stencil_plane = self.merge.stencil_plane();
        let mut pixels: Vec<PixelColor> =
            self.samples.iter().map(|sample| PixelColor::new(self.format, sample.color)).collect();
        let mut tile = Tile::new([0, 0], [1, 1]);
        tile.status.push(&mut outcome);
        for (sample, pixel) in self.samples.iter_mut().zip(&mut pixels) {
            let mut rows = SampleRows::default();
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
