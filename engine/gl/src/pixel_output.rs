//! The output registers of a program at one pixel, before fog, tests and blending. The app's probe shows
//! them.

use std::sync::atomic::AtomicBool;

use super::{Checkpoints, DrawCall, FragmentProgram, FragmentStage};
use shadestep_core::debug::Subject;
use shadestep_core::exec::{BlockOutput, BlockShader};
use shadestep_core::pipeline::{
    Clear, ColorFormat, HistoryFragment, PixelFragment, PixelHistory, PixelStatus,
};
use shadestep_language::ir::{Components, limits, single_bits};

/// Number of output colours.
const COLORS: usize = limits::DRAW_BUFFERS as usize;

/// The outputs of the fragment stage for one fragment.
struct Output {
    /// The output colour registers at the end of the program; 0 if the program does not write a register.
    registers: [[f32; 4]; COLORS],
    /// The values that are merged.
    merged: HistoryFragment,
}

impl FragmentProgram {
    /// Runs the program on the quad of a fragment, as [`DrawCall::render`] does.
    fn output(&self, fragment: &PixelFragment) -> Output {
        let lane = fragment.lane;
        let active = (0..4).fold(0, |lanes, lane| lanes | u64::from(fragment.covered[lane]) << lane);
        let (program, mut output) = (self.unfogged(), BlockOutput::default());
        program.run(&mut program.worker(), &fragment.lanes(), active, &mut output);
        let facts = program.facts();
        let register = |number: usize| {
            let rows = output.color_lanes(number as u8).each_ref();
            if facts.colors_written >> number & 1 != 0 { rows.map(|row| row.0[lane]) } else { [0.0; 4] }
        };
        let registers: [[f32; 4]; COLORS] = std::array::from_fn(register);
        let [first, other_colors @ ..] = registers;
        let depth = if facts.writes_depth { output.depth.0[lane] } else { fragment.window_z };
        let killed = output.killed >> lane & 1 != 0;
        let color = self.final_color(fragment, first);
        let second_color = if facts.writes_secondary {
            output.secondary.each_ref().map(|row| row.0[lane])
        } else {
            [0.0; 4]
        };
        let sample_mask = output.sample_mask.0[lane].to_bits();
        let merged = HistoryFragment {
            other_colors,
            second_color,
            depth,
            killed,
            sample_mask,
            ..HistoryFragment::of(fragment, color)
        };
        Output { registers, merged }
    }
}

impl DrawCall {
    /// The output colour for colour buffer 0 of the last fragment written to `pixel` of a window of `size`
    /// pixels. The value is the bits of the program's register, whatever their type, before fog, blending,
    /// logical operation and colour mask. Without a fragment program, the colour is the fixed-function
    /// stage's.
    ///
    /// The pixel starts with the draw's clear; without a clear, it starts clear. Returns `None` if no
    /// fragment was written. `format` is the format of colour buffer 0.
    pub fn output_color_at(
        &self,
        (size, format): ([u32; 2], ColorFormat),
        pixel: [u32; 2],
    ) -> Option<Components> {
        let state = &self.draw().state;
        let clear = self.draw().clear.unwrap_or(Clear::DEFAULT);
        let mut history = PixelHistory::new(state, self.merging(), clear, format);
        let taken = usize::from(state.draw_buffers[0].unwrap_or(0));
        let mut last = None;
        let (none, never) = (Checkpoints::default(), AtomicBool::new(false));
        let mut before = self.memory_before(Subject::Pixel(pixel), &none, (size, format), &never).ok()?;
        for fragment in self.fragments_at(size, pixel) {
            if let Some(memory) = before.next() {
                self.memory().shared().replace(memory.clone());
            }
            let Output { registers, merged } = match self.fragment_stage() {
                FragmentStage::Program(program) => program.output(&fragment),
                FragmentStage::Fixed(fixed) => {
                    let mut registers = [[0.0; 4]; COLORS];
                    registers[0] = fixed.color(&fragment);
                    let [color, other_colors @ ..] = registers;
                    let merged = HistoryFragment { other_colors, ..HistoryFragment::of(&fragment, color) };
                    Output { registers, merged }
                }
            };
            let outcome = history.push(merged);
            before.went_on(outcome);
            if outcome == PixelStatus::Written {
                last = registers.get(taken).copied().map(single_bits);
            }
        }
        last
    }
}
