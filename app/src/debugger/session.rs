//! Walking through a recorded pixel: positions, steps, runs to a line or a breakpoint, both ways.
//!
//! Position n is before step n; the last position is the end. "The current step" is the one about to
//! run at this position.

use crate::editor::TextId;
use crate::scene::Slot;
use crate::session::{Agreement, Compiled, PixelRecording, PixelStatus};
use crate::worker::RecordRequest;
use shadestep_engine::debug::{Recording, State, StateCursor, Step};
use shadestep_engine::ir::Program;
use shadestep_engine::source::LineIndex;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Which way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the end.
    Forward,
    /// Towards the start.
    Back,
}

/// A pixel being stepped through.
pub struct DebugSession {
    /// What was recorded.
    pub request: RecordRequest,
    /// Its fragments in drawing order.
    pub recordings: Vec<PixelRecording>,
    /// How the stepped result compares with the picture.
    pub agreement: Agreement,
    compiled: Arc<Compiled>,
    program: Arc<Program>,
    /// Line, from 0, of every instruction.
    lines: Vec<usize>,
    selected: usize,
    cursor: Option<StateCursor>,
}

impl DebugSession {
    /// A session at the start of the fragment that can be seen, else of the last one; `None` where the program did not load.
    pub fn new(
        request: RecordRequest,
        recordings: Vec<PixelRecording>,
        agreement: Agreement,
    ) -> Option<Self> {
        let compiled = Arc::clone(request.programs.get(Slot::Fragment)?);
        let program = Arc::clone(compiled.program.as_ref()?);
        let index = LineIndex::new(&compiled.text);
        let lines = program.instructions.iter().map(|i| index.line_of(i.span.start)).collect();
        let written = recordings.iter().rposition(|r| r.outcome == PixelStatus::Written);
        let selected = written.unwrap_or(recordings.len().saturating_sub(1));
        let cursor = recordings.get(selected).and_then(|r| r.recording.as_ref()).map(StateCursor::new);
        Some(Self { request, recordings, agreement, compiled, program, lines, selected, cursor })
    }

    /// The text that is stepped through.
    pub fn text_id(&self) -> TextId {
        TextId { document: self.request.document, slot: Slot::Fragment }
    }

    /// The program as recorded.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program text with it.
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// Number of the fragment looked at.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// Looks at fragment `index`, at its start.
    pub fn select(&mut self, index: usize) {
        if let Some(recording) = self.recordings.get(index) {
            self.selected = index;
            self.cursor = recording.recording.as_ref().map(StateCursor::new);
        }
    }

    /// The fragment looked at; `None` where nothing covered the pixel.
    pub fn fragment(&self) -> Option<&PixelRecording> {
        self.recordings.get(self.selected)
    }

    /// Its run.
    pub fn recording(&self) -> Option<&Recording> {
        self.fragment()?.recording.as_ref()
    }

    /// Registers here.
    pub fn state(&self) -> Option<&State> {
        self.cursor.as_ref().map(StateCursor::state)
    }

    /// Steps already taken.
    pub fn position(&self) -> usize {
        self.cursor.as_ref().map_or(0, StateCursor::position)
    }

    /// Number of steps in all.
    pub fn len(&self) -> usize {
        self.recording().map_or(0, |recording| recording.steps.len())
    }

    /// Whether there is no step at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The step about to run; `None` at the end.
    pub fn current_step(&self) -> Option<&Step> {
        self.recording()?.steps.get(self.position())
    }

    /// The step taken last; `None` at the start.
    pub fn previous_step(&self) -> Option<&Step> {
        self.recording()?.steps.get(self.position().checked_sub(1)?)
    }

    /// Line, from 0, of the current step.
    pub fn current_line(&self) -> Option<usize> {
        self.lines.get(self.current_step()?.pc).copied()
    }

    /// Goes to `position`, clamped to the recording.
    pub fn seek(&mut self, position: usize) {
        let recording = self.recordings.get(self.selected).and_then(|fragment| fragment.recording.as_ref());
        if let (Some(cursor), Some(recording)) = (&mut self.cursor, recording) {
            cursor.seek(recording, position);
        }
    }

    /// One step.
    pub fn step(&mut self, direction: Direction) {
        match direction {
            Direction::Forward => self.seek(self.position() + 1),
            Direction::Back => self.seek(self.position().saturating_sub(1)),
        }
    }

    /// One step at this depth of calls: subroutines run through.
    pub fn step_over(&mut self, direction: Direction) {
        let depth = self.call_depth();
        loop {
            let before = self.position();
            self.step(direction);
            if self.position() == before || self.call_depth() <= depth {
                return;
            }
        }
    }

    fn call_depth(&self) -> usize {
        self.state().map_or(0, |state| state.call_stack.len())
    }

    /// Before the first step.
    pub fn to_start(&mut self) {
        self.seek(0);
    }

    /// After the last step.
    pub fn to_end(&mut self) {
        self.seek(self.len());
    }

    /// To the next time that an instruction at or below `line` is about to run, forwards first, else
    /// backwards. Stays where it is if there is none.
    pub fn to_line(&mut self, line: usize) {
        let Some(target) = self.lines.iter().copied().filter(|&l| l >= line).min() else { return };
        let hit = self.find(Direction::Forward, |l| l == target);
        if let Some(position) = hit.or_else(|| self.find(Direction::Back, |l| l == target)) {
            self.seek(position);
        }
    }

    /// To the next position at one of `lines`; else to the end or the start.
    pub fn to_breakpoint(&mut self, direction: Direction, lines: &BTreeSet<usize>) {
        let position = self.find(direction, |line| lines.contains(&line));
        self.seek(position.unwrap_or(match direction {
            Direction::Forward => self.len(),
            Direction::Back => 0,
        }));
    }

    /// The nearest other position, that way, whose step is on a line that `wanted` takes.
    fn find(&self, direction: Direction, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let steps = &self.recording()?.steps;
        let here = self.position();
        let hit = |position: &usize| self.lines.get(steps[*position].pc).is_some_and(|&line| wanted(line));
        match direction {
            Direction::Forward => (here + 1..steps.len()).find(hit),
            Direction::Back => (0..here.min(steps.len())).rev().find(hit),
        }
    }
}

impl DebugSession {
    /// Line, from 0, of every step in order.
    pub fn step_lines(&self) -> impl Iterator<Item = usize> + '_ {
        let steps = self.recording().map_or(&[][..], |recording| &recording.steps);
        steps.iter().filter_map(|step| self.lines.get(step.pc).copied())
    }
}
