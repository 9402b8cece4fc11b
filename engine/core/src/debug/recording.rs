//! [`Recording`]: the inputs of one invocation and its results. Steps are not stored: running the invocation
//! again reproduces them.

use super::cursor::Replay;
use super::{Edit, Ended, Here, LookupStep, State, Step, Subject};
use crate::exec::{
    AttributesRead, Bindings, Cancelled, ExecState, Machine, PrimitiveInputs, QuadInputs, Stream,
    VertexInputs, Written, state_program_inputs,
};
use crate::texture::Texture;
use shadestep_language::ir::{Attribute, Components, OutputRole, Program, TextureRef};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Instructions of a quad that a recording executes between two checks of its cancel flag.
pub const STEPS_TO_CANCEL: u64 = 1024;

/// The low words of a register.
fn low(value: Components) -> [u32; 4] {
    value.map(|bits| bits as u32)
}

/// The lane mask of an invocation that has one lane, so is not a fragment.
const LONE: u32 = 1;

/// The record of one invocation. Steps are not stored: runs are deterministic, so running to a step
/// reproduces it. [`super::Cursor`] moves to any step quickly; [`Self::steps`] iterates over steps in order.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The invocation that ran.
    pub subject: Subject,
    /// The reason why the run ended.
    pub ended: Ended,
    /// Bits of every output at the end, in the order of [`Program::outputs`].
    pub outputs: Vec<Components>,
    /// Bits of the colour output at the end; 0 if the program has none.
    pub color: Components,
    /// Bits of the depth output, if the program replaces the depth.
    pub depth: Option<u32>,
    /// Whether the fragment was discarded.
    pub killed: bool,
    /// The vertices that the invocation emitted.
    pub emitted: Stream,
    /// How the results of each emitted vertex were written.
    pub emitted_as: Vec<Box<[Written]>>,
    program: Arc<Program>,
    /// With memory as it was before the run.
    bindings: Arc<Bindings>,
    /// Lanes that are not helpers, bit n for lane n.
    covered: u32,
    /// Of the whole quad, because derivatives read neighbouring lanes.
    inputs: AttributesRead,
    lane: usize,
    length: usize,
    /// Edits during the run, sorted by position.
    edits: Vec<Edit>,
}

impl Recording {
    /// Runs a fragment program on a quad and records fragment `lane` (0 to 3).
    ///
    /// # Errors
    /// If `cancel` became true before the end. The run checks `cancel` every [`STEPS_TO_CANCEL`] instructions.
    pub fn of_fragment(
        program: &Arc<Program>,
        bindings: &Arc<Bindings>,
        inputs: QuadInputs,
        (lane, pixel): (usize, [u32; 2]),
        cancel: &AtomicBool,
    ) -> Result<Self, Cancelled> {
        let own = |attribute: Attribute| inputs.attributes[attribute.index()][lane].map(f32::to_bits);
        let read = AttributesRead::of_quad(program, &inputs).recorded(program, own);
        Self::new(program, bindings, (read, inputs.covered.into()), (Subject::Pixel(pixel), lane), cancel)
    }

    /// Runs a vertex program on the vertex `element`.
    ///
    /// # Errors
    /// As [`Self::of_fragment`].
    pub fn of_vertex(
        program: &Arc<Program>,
        bindings: &Arc<Bindings>,
        inputs: &VertexInputs,
        element: u32,
        cancel: &AtomicBool,
    ) -> Result<Self, Cancelled> {
        let own = |attribute: Attribute| low(inputs[attribute.index()]);
        let read = AttributesRead::of_vertex(program, inputs).recorded(program, own);
        Self::new(program, bindings, (read, LONE), (Subject::Vertex(element), 0), cancel)
    }

    /// Runs a geometry program: invocation `invocation` on the simple primitive `number`.
    ///
    /// # Errors
    /// As [`Self::of_fragment`].
    pub fn of_primitive(
        program: &Arc<Program>,
        bindings: &Arc<Bindings>,
        inputs: &PrimitiveInputs,
        (number, invocation): (u32, u8),
        cancel: &AtomicBool,
    ) -> Result<Self, Cancelled> {
        let own = |attribute: Attribute| low(inputs.get(attribute));
        let read = AttributesRead::of_primitive(program, inputs).recorded(program, own);
        let subject = Subject::Primitive { number, invocation };
        Self::new(program, bindings, (read, LONE), (subject, 0), cancel)
    }

    /// Runs a tessellation control program on the patch `number`, and records invocation `invocation`, which
    /// must exist. [`shadestep_language::ir::Attribute::Invocation`] is ignored in `inputs`.
    ///
    /// # Errors
    /// As [`Self::of_fragment`].
    pub fn of_patch(
        program: &Arc<Program>,
        bindings: &Arc<Bindings>,
        inputs: &PrimitiveInputs,
        (number, invocation): (u32, u8),
        cancel: &AtomicBool,
    ) -> Result<Self, Cancelled> {
        let own = |attribute: Attribute| match attribute {
            Attribute::Invocation => [invocation.into(), 0, 0, 0],
            other => low(inputs.get(other)),
        };
        let read = AttributesRead::of_patch(program, inputs).recorded(program, own);
        let subject = Subject::Patch { number, invocation };
        Self::new(program, bindings, (read, u32::MAX), (subject, invocation.into()), cancel)
    }

    /// Runs a tessellation evaluation program on vertex number `vertex` of the tessellated patch `patch`.
    ///
    /// # Errors
    /// As [`Self::of_fragment`].
    pub fn of_patch_vertex(
        program: &Arc<Program>,
        bindings: &Arc<Bindings>,
        inputs: &PrimitiveInputs,
        (patch, vertex): (u32, u32),
        cancel: &AtomicBool,
    ) -> Result<Self, Cancelled> {
        let own = |attribute: Attribute| low(inputs.get(attribute));
        let read = AttributesRead::of_primitive(program, inputs).recorded(program, own);
        Self::new(program, bindings, (read, LONE), (Subject::PatchVertex { patch, vertex }, 0), cancel)
    }

    /// Executes a vertex state program, execution `number`, with `v0` in attribute register 0
    /// (NV_vertex_program2 2.14.5).
    ///
    /// # Errors
    /// As [`Self::of_fragment`].
    pub fn of_state_program(
        program: &Arc<Program>,
        bindings: &Arc<Bindings>,
        (number, v0): (u8, [f32; 4]),
        cancel: &AtomicBool,
    ) -> Result<Self, Cancelled> {
        let read = AttributesRead::of_vertex(program, &state_program_inputs(v0));
        let read = read.recorded(program, |_| v0.map(f32::to_bits));
        Self::new(program, bindings, (read, LONE), (Subject::StateProgram(number), 0), cancel)
    }

    fn new(
        program: &Arc<Program>,
        bindings: &Arc<Bindings>,
        (inputs, covered): (AttributesRead, u32),
        (subject, lane): (Subject, usize),
        cancel: &AtomicBool,
    ) -> Result<Self, Cancelled> {
        let bindings = if program.accesses_memory() {
            // A snapshot, so that later writes to memory do not change the recording.
            let memory = bindings.memory.snapshot().into();
            Arc::new(Bindings { memory, ..Bindings::clone(bindings) })
        } else {
            Arc::clone(bindings)
        };
        let mut recording = Self {
            subject,
            ended: Ended::Normal,
            outputs: Vec::new(),
            color: [0; 4],
            depth: None,
            killed: false,
            emitted: Stream::default(),
            emitted_as: Vec::new(),
            program: Arc::clone(program),
            bindings,
            covered,
            inputs,
            lane,
            length: usize::MAX,
            edits: Vec::new(),
        };
        recording.run(cancel)?;
        Ok(recording)
    }

    /// The same invocation with `edits` added to the edits that it already has. If several edits change the
    /// same component at the same position, the last one wins. The new recording writes to its own copy of
    /// memory.
    ///
    /// # Errors
    /// If `cancel` became true before the end.
    pub fn with_edits(&self, edits: &[Edit], cancel: &AtomicBool) -> Result<Self, Cancelled> {
        let mut recording = Self { length: usize::MAX, ..self.clone() };
        let start = self.start();
        let (of_inputs, on_the_way): (Vec<Edit>, Vec<Edit>) =
            edits.iter().partition(|edit| edit.is_of_input(&start.lanes[self.lane]));
        if !of_inputs.is_empty() {
            let mut bindings = Bindings::clone(&self.bindings);
            bindings.parameters.resize(self.program.parameters.len(), [0; 4]);
            for edit in of_inputs {
                let parameters = &mut bindings.parameters;
                edit.put_into_inputs(&self.program, self.lane, &mut recording.inputs, parameters);
            }
            recording.bindings = Arc::new(bindings);
        }
        recording.edits.extend(on_the_way);
        recording.edits.sort_by_key(|edit| edit.position);
        recording.run(cancel)?;
        Ok(recording)
    }

    /// Runs to the end and stores the results.
    fn run(&mut self, cancel: &AtomicBool) -> Result<(), Cancelled> {
        let mut replay = Replay::new(self);
        let mut cancelled = Ok(());
        replay.run(self, usize::MAX, |replay| {
            let looks = replay.turns % STEPS_TO_CANCEL == 0;
            cancelled = if looks && cancel.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) };
            cancelled.is_ok()
        });
        cancelled?;
        let (registers, lane, program) = (&replay.at.lanes[self.lane], self.lane, Arc::clone(&self.program));
        let output = |role| program.output(role).map(|id| registers.outputs[usize::from(id.0)]);
        self.length = replay.at.executed(lane);
        self.ended = replay.at.ended(lane).unwrap_or(Ended::Normal);
        self.outputs = registers.outputs.clone();
        self.color = output(OutputRole::Color(0)).unwrap_or_default();
        self.depth = output(OutputRole::Depth).map(|value| value[2] as u32);
        self.killed = registers.killed;
        self.emitted = replay.at.emitted[lane].clone();
        self.emitted_as = replay.at.emitted_as[lane].clone();
        Ok(())
    }

    /// Edits during the run, sorted by position. Edits of attributes and read-only parameters are not listed:
    /// they are part of the inputs.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The texture bound to a unit.
    pub fn texture(&self, unit: TextureRef) -> Option<&Texture> {
        self.bindings.texture(unit)
    }

    /// Lanes of the quad that are not helpers, bit n for lane n. An invocation that is not a fragment has one
    /// lane, bit 0.
    pub fn covered(&self) -> u32 {
        self.covered
    }

    /// Number of steps. A killed fragment continues as a helper; all its steps count.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no step at all.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The steps of `range` in order, each computed on demand.
    pub fn steps(&self, range: Range<usize>) -> Steps<'_> {
        let mut replay = Replay::new(self);
        replay.run(self, range.start, |_| true);
        Steps { recording: self, replay, end: range.end.min(self.length) }
    }

    /// Every step in order.
    pub fn all_steps(&self) -> Steps<'_> {
        self.steps(0..self.length)
    }

    /// Every register before step `position`. Positions from [`Self::len`] on give the end.
    pub fn state_at(&self, position: usize) -> State {
        let mut replay = Replay::new(self);
        replay.run(self, position, |_| true);
        self.machine(&mut replay.at).state(self.lane)
    }

    /// Number of the recorded lane of the quad, or of the recorded invocation of the patch.
    pub fn lane(&self) -> usize {
        self.lane
    }

    /// The state before the first instruction.
    pub(super) fn start(&self) -> ExecState {
        ExecState::of_lanes(&self.program, &self.bindings, (self.inputs.lanes(), self.covered))
    }

    /// A machine that continues from `at`, a state of this run.
    pub(super) fn machine<'a>(&'a self, at: &'a mut ExecState) -> Machine<'a> {
        Machine::new(&self.program, &self.bindings, &self.inputs, at).of(self.subject)
    }

    /// The registers of the recorded lane in a state of this run.
    pub(super) fn here<'a>(&'a self, at: &'a ExecState) -> Here<'a> {
        Here::new(&self.program, &self.bindings, &self.inputs, (at, self.lane))
    }
}

/// Iterator over the steps of a part of a recording, in order.
#[derive(Debug)]
pub struct Steps<'a> {
    recording: &'a Recording,
    replay: Replay,
    end: usize,
}

impl Steps<'_> {
    /// The details of the next step's lookup; `None` if the step makes no lookup.
    pub fn lookup(&mut self) -> Option<LookupStep> {
        (self.replay.position(self.recording) < self.end).then(|| self.replay.lookup(self.recording))?
    }
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        (self.replay.position(self.recording) < self.end).then(|| self.replay.step(self.recording))?
    }
}
