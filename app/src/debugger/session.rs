//! Walking through a recording: positions, steps, runs to a line or a breakpoint, both ways.
//!
//! What is stepped through is a pixel's fragments, a vertex or a state program; one mechanism serves them
//! all. Position n is before step n; the last position is the end. "The current step" is the one about
//! to run at this position.

use crate::model::{DocumentId, Part, TextId};
use crate::scene::Slot;
use crate::session::{Agreement, BUILT_IN_VERTEX_PROGRAM, PixelRecording, PixelStatus, VertexRecording};
use crate::worker::{RecordRequest, Recorded, Subject};
use shadestep_engine::debug::{Recording, State, StateCursor, Step};
use shadestep_engine::ir::{Control, ParamId, ParameterSource, Program, Source, Target};
use shadestep_engine::source::LineIndex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Which way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the end.
    Forward,
    /// Towards the start.
    Back,
}

/// A fragment that stepping can go back to from one of its vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its pixel.
    pub pixel: [u32; 2],
    /// Number of the fragment at that pixel.
    pub fragment: usize,
    /// Steps taken in it.
    pub position: usize,
}

/// Where in a recording to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Steps taken.
    pub position: usize,
    /// Number of the fragment; `None` for the one that can be seen.
    pub fragment: Option<usize>,
    /// Where a person came from.
    pub origin: Option<Origin>,
}

/// How often a run took a branch, and how often it did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// Times that the test passed: the branch was taken, the block entered, the fragment discarded.
    pub taken: usize,
    /// Times that it failed.
    pub passed_by: usize,
}

/// The program that is stepped through.
struct Code {
    /// Whose tab has it; `None` for the built-in vertex program.
    slot: Option<Slot>,
    text: Arc<[u8]>,
    program: Arc<Program>,
    /// Line, from 0, of every instruction.
    lines: Vec<usize>,
}

impl Code {
    /// The program that was recorded; `None` where nothing ran that could be stepped through.
    fn of(request: &RecordRequest, recorded: &Recorded) -> Option<Self> {
        let slot = match request.subject {
            Subject::Pixel(_) => Slot::Fragment,
            Subject::Vertex(_) => Slot::Vertex,
            Subject::StateProgram(n) => Slot::State(n),
        };
        let compiled = request.programs.get(slot);
        let (slot, text, program) = match (recorded, compiled) {
            (_, Some(compiled)) => (Some(slot), Arc::clone(&compiled.text), compiled.program.clone()?),
            (Recorded::Vertex(vertex), None) => {
                (None, BUILT_IN_VERTEX_PROGRAM.as_bytes().into(), Arc::clone(&vertex.program))
            }
            _ => return None,
        };
        let index = LineIndex::new(&text);
        let lines = program.instructions.iter().map(|i| index.line_of(i.span.start)).collect();
        Some(Self { slot, text, program, lines })
    }
}

/// Something being stepped through.
pub struct DebugSession {
    /// What was recorded.
    pub request: RecordRequest,
    /// What came of it.
    pub recorded: Recorded,
    /// Where a person came from.
    pub origin: Option<Origin>,
    code: Option<Code>,
    selected: usize,
    cursor: Option<StateCursor>,
    parameters: Vec<ParamId>,
    branches: BTreeMap<usize, Branch>,
}

impl DebugSession {
    /// A session at `place`.
    pub fn new(request: RecordRequest, recorded: Recorded, place: Place) -> Self {
        let code = Code::of(&request, &recorded);
        let fragments = match &recorded {
            Recorded::Pixel { fragments, .. } => &fragments[..],
            _ => &[],
        };
        let written = fragments.iter().rposition(|r| r.outcome == PixelStatus::Written);
        let selected = place.fragment.filter(|&index| index < fragments.len());
        let selected = selected.or(written).unwrap_or(fragments.len().saturating_sub(1));
        let origin = place.origin;
        let mut session = Self {
            request,
            recorded,
            origin,
            code,
            selected,
            cursor: None,
            parameters: Vec::new(),
            branches: BTreeMap::new(),
        };
        session.restart();
        session.seek(place.position);
        session
    }

    fn restart(&mut self) {
        self.cursor = self.recording().map(StateCursor::new);
        self.parameters = self.parameters_touched();
        self.branches = self.branches_met();
    }

    /// What is stepped through.
    pub fn subject(&self) -> Subject {
        self.request.subject
    }

    /// Whose programs.
    pub fn document(&self) -> DocumentId {
        self.request.document
    }

    /// The text that is stepped through; `None` for a program that no tab has.
    pub fn text_id(&self) -> Option<TextId> {
        let slot = self.code.as_ref()?.slot?;
        Some(TextId { document: self.request.document, part: Part::Program(slot) })
    }

    /// The program as recorded; `None` where none ran.
    pub fn program(&self) -> Option<&Program> {
        self.code.as_ref().map(|code| &*code.program)
    }

    /// The program's text.
    pub fn text(&self) -> &[u8] {
        self.code.as_ref().map_or(&[], |code| &code.text)
    }

    /// Line, from 0, of instruction `pc`; `None` behind the last.
    pub fn line_of(&self, pc: usize) -> Option<usize> {
        self.code.as_ref()?.lines.get(pc).copied()
    }

    /// The pixel, if that is what is stepped through.
    pub fn pixel(&self) -> Option<[u32; 2]> {
        match self.request.subject {
            Subject::Pixel(pixel) => Some(pixel),
            _ => None,
        }
    }

    /// The vertex, if that is what is stepped through.
    pub fn vertex(&self) -> Option<&VertexRecording> {
        match &self.recorded {
            Recorded::Vertex(vertex) => Some(vertex),
            _ => None,
        }
    }

    /// How the stepped pixel compares with the picture.
    pub fn agreement(&self) -> Option<Agreement> {
        match self.recorded {
            Recorded::Pixel { agreement, .. } => Some(agreement),
            _ => None,
        }
    }

    /// The fragments of the pixel in drawing order.
    pub fn fragments(&self) -> &[PixelRecording] {
        match &self.recorded {
            Recorded::Pixel { fragments, .. } => fragments,
            _ => &[],
        }
    }

    /// Number of the fragment looked at.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// Looks at fragment `index`, at its start.
    pub fn select(&mut self, index: usize) {
        if index < self.fragments().len() {
            self.selected = index;
            self.restart();
        }
    }

    /// The fragment looked at; `None` where nothing covered the pixel, and for other subjects.
    pub fn fragment(&self) -> Option<&PixelRecording> {
        self.fragments().get(self.selected)
    }

    /// Where to be when the same is recorded again.
    pub fn place(&self) -> Place {
        let fragment = self.fragment().map(|_| self.selected);
        Place { position: self.position(), fragment, origin: self.origin }
    }

    /// This fragment and position, for coming back.
    pub fn as_origin(&self) -> Option<Origin> {
        let (pixel, fragment) = (self.pixel()?, self.selected);
        Some(Origin { pixel, fragment, position: self.position() })
    }

    /// The run looked at.
    pub fn recording(&self) -> Option<&Recording> {
        match &self.recorded {
            Recorded::Pixel { fragments, .. } => fragments.get(self.selected)?.recording.as_ref(),
            Recorded::Vertex(vertex) => Some(&vertex.recording),
            Recorded::StateProgram(recording) => Some(recording),
        }
    }

    /// The colour that the fragment looked at gives to the picture.
    pub fn fragment_color(&self) -> Option<[f32; 4]> {
        match &self.recorded {
            Recorded::Pixel { fragments, .. } => Some(fragments.get(self.selected)?.color),
            Recorded::Vertex(_) | Recorded::StateProgram(_) => None,
        }
    }

    /// The parameters that the program names, and those that this run's relative references led to. A
    /// program with relative references has its whole file, most of which plays no part.
    pub fn parameters(&self) -> &[ParamId] {
        &self.parameters
    }

    fn parameters_touched(&self) -> Vec<ParamId> {
        let (Some(program), Some(recording)) = (self.program(), self.recording()) else { return Vec::new() };
        let mut touched = BTreeSet::new();
        for instruction in &program.instructions {
            touched.extend(instruction.operands.iter().filter_map(|operand| match operand.source {
                Source::Param(id) => Some(id),
                _ => None,
            }));
            if let Some(Target::Param(id)) = instruction.dest.map(|dest| dest.target) {
                touched.insert(id);
            }
        }
        let operands = recording.steps.iter().flat_map(|step| &step.operands);
        touched.extend(operands.filter_map(|operand| operand.relative?.parameter));
        let mut touched: Vec<ParamId> = touched.into_iter().collect();
        // Numbered ones by their numbers, as a person looks for them; the rest as the program names them.
        touched.sort_by_key(|id| match program.parameters[usize::from(id.0)].source {
            ParameterSource::Local(n) | ParameterSource::Env(n) => (0, n),
            _ => (1, id.0),
        });
        touched
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
        self.line_of(self.current_step()?.pc)
    }

    /// Goes to `position`, clamped to the recording.
    pub fn seek(&mut self, position: usize) {
        let Some(mut cursor) = self.cursor.take() else { return };
        if let Some(recording) = self.recording() {
            cursor.seek(recording, position);
        }
        self.cursor = Some(cursor);
    }

    /// One step.
    pub fn step(&mut self, direction: Direction) {
        match direction {
            Direction::Forward => self.seek(self.position() + 1),
            Direction::Back => self.seek(self.position().saturating_sub(1)),
        }
    }

    /// One step at this depth of calls and blocks: subroutines and blocks run through.
    pub fn step_over(&mut self, direction: Direction) {
        let depth = self.nesting();
        loop {
            let before = self.position();
            self.step(direction);
            if self.position() == before || self.nesting() <= depth {
                return;
            }
        }
    }

    /// To where the block or subroutine that is under way ends or began; the end or the start outside of any.
    pub fn step_out(&mut self, direction: Direction) {
        let depth = self.nesting();
        if depth == 0 {
            return match direction {
                Direction::Forward => self.to_end(),
                Direction::Back => self.to_start(),
            };
        }
        while self.nesting() >= depth {
            let before = self.position();
            self.step(direction);
            if self.position() == before {
                return;
            }
        }
    }

    /// Subroutine calls under way.
    pub fn call_depth(&self) -> usize {
        self.state().map_or(0, State::call_depth)
    }

    /// Subroutine calls, loops and IF blocks under way.
    pub fn nesting(&self) -> usize {
        self.state().map_or(0, |state| state.call_depth() + state.loops.len() + usize::from(state.if_depth))
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
        let Some(code) = &self.code else { return };
        let Some(target) = code.lines.iter().copied().filter(|&l| l >= line).min() else { return };
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
        let hit = |position: &usize| self.line_of(steps[*position].pc).is_some_and(&wanted);
        match direction {
            Direction::Forward => (here + 1..steps.len()).find(hit),
            Direction::Back => (0..here.min(steps.len())).rev().find(hit),
        }
    }
}

impl DebugSession {
    /// What became of the branches that this run met, by their lines, from 0. Where several stand on a line
    /// they count together.
    pub fn branches(&self) -> &BTreeMap<usize, Branch> {
        &self.branches
    }

    fn branches_met(&self) -> BTreeMap<usize, Branch> {
        let mut branches = BTreeMap::<usize, Branch>::new();
        let (Some(program), Some(recording)) = (self.program(), self.recording()) else { return branches };
        for step in &recording.steps {
            let choice = program.instructions[step.pc].control.is_some_and(|control| {
                control.test().is_some()
                    || matches!(
                        control,
                        Control::KillNegative | Control::Loop { .. } | Control::EndLoop { .. }
                    )
            });
            let (true, Some(taken), Some(line)) = (choice, step.taken, self.line_of(step.pc)) else {
                continue;
            };
            let branch = branches.entry(line).or_default();
            *if taken { &mut branch.taken } else { &mut branch.passed_by } += 1;
        }
        branches
    }

    /// Line, from 0, of every step in order.
    pub fn step_lines(&self) -> impl Iterator<Item = usize> + '_ {
        let steps = self.recording().map_or(&[][..], |recording| &recording.steps);
        steps.iter().filter_map(|step| self.line_of(step.pc))
    }
}
