//! Debug sessions: positions, steps, and runs to a line or a breakpoint, forwards and backwards.
//!
//! A session steps through the fragments of a pixel, a vertex, a primitive or a state program, all in the
//! same way. Position n is before step n. The last position is the end of the run. The current step is the
//! next to run. Sessions are created on the recording thread, because their creation makes a pass over the
//! whole run.

use super::alignment::Ran;
use super::background_query::{Answer, ChangedRun, Question, Traced};
use super::code::{Code, Places};
use super::record::{RecordRequest, Recorded};
use super::run_target::RunTarget;
use super::stops::Stops;
use super::walk::{Anchor, Branch, Walk};
use crate::model::{Breakpoints, Document, DocumentId, OfDocument, Part, Placed, TextId};
use crate::session::{
    Agreement, Fragments, PixelRecording, PrimitiveRecording, RenderError, VertexRecording,
};
use shadestep_engine::debug::expression::Expression;
use shadestep_engine::debug::{Edit, Here, LookupStep, QuadStep, Recording, State, Step, Subject};
use shadestep_engine::exec::Registers;
use shadestep_engine::ir::{Control, Kind, ParamId, ParameterSource, Program, Source, Target};
use shadestep_engine::memory::Memory;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Largest number of a step that can be recomputed from the start of the run within a frame.
const AT_ONCE: usize = 8192;

/// A direction of stepping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the end.
    Forward,
    /// Towards the start.
    Back,
}

/// The fragment to return to after stepping through one of its vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WayBack {
    /// The fragment's pixel.
    pub pixel: [u32; 2],
    /// Number of the fragment at that pixel.
    pub fragment: usize,
    /// Position in the fragment's run.
    pub position: usize,
}

/// The fragment and position at which a session starts, and the fragment to return to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepPosition {
    /// Position in the run.
    pub position: usize,
    /// A step of another run. If present, the session starts at the corresponding step instead of `position`.
    pub like: Option<Anchor>,
    /// Number of the fragment; `None` for the visible one.
    pub fragment: Option<usize>,
    /// The fragment to return to, if there is one.
    pub origin: Option<WayBack>,
}

/// The debugger's state for one recording: the subject, its run and the position.
pub struct DebugSession {
    /// The request that made the recording.
    pub request: RecordRequest,
    pub recorded: Recorded,
    /// The fragment to return to, if there is one.
    pub origin: Option<WayBack>,
    code: Option<Arc<Code>>,
    /// The places of the program's instructions in the text that the editor shows.
    places: Option<Places>,
    /// The run and the text revision of `places`.
    placed: Option<(usize, u64)>,
    selected: usize,
    /// Number of runs stepped through so far.
    runs: usize,
    /// `None` if no program ran.
    walk: Option<Walk>,
    parameters: Vec<ParamId>,
    branches: BTreeMap<usize, Branch>,
    /// The trace of a value, if there is one.
    traced: Option<Box<Traced>>,
    /// Lines, from 0, of the trace's steps.
    lines_traced: BTreeSet<usize>,
    /// The changed run with its comparison, while the session steps through it.
    changed: Option<Box<ChangedRun>>,
    /// The component whose value the user is typing.
    edited: Option<Edit>,
    /// The instruction that the user is replacing.
    rewritten: Option<Rewritten>,
}

/// An instruction that the user is replacing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// Index of the instruction.
    pub pc: usize,
    /// Why the last typed text cannot run.
    pub fault: Option<String>,
}

impl DebugSession {
    /// Creates a session at the position of `request`.
    ///
    /// # Errors
    /// If `cancel` became true first.
    pub fn new(request: RecordRequest, recorded: Recorded, cancel: &AtomicBool) -> Result<Self, RenderError> {
        let code = Code::of(&request, &recorded).map(Arc::new);
        let StepPosition { position, like, fragment, origin } = request.place;
        let selected = match &recorded {
            Recorded::Pixel { fragments, .. } => fragments.chosen(fragment).unwrap_or(0),
            Recorded::Vertex(_) | Recorded::Primitive(_) | Recorded::StateProgram(_) => 0,
        };
        let mut session = Self {
            request,
            recorded,
            origin,
            code,
            places: None,
            placed: None,
            selected,
            runs: 0,
            walk: None,
            parameters: Vec::new(),
            branches: BTreeMap::new(),
            traced: None,
            lines_traced: BTreeSet::new(),
            changed: None,
            edited: None,
            rewritten: None,
        };
        session.restart(cancel)?;
        match (&mut session.walk, like) {
            (Some(walk), Some(anchor)) => walk.go_to(anchor),
            (Some(walk), None) => walk.seek(position),
            (None, _) => {}
        }
        Ok(session)
    }

    /// Goes to the start of the selected fragment's run, or of the subject's.
    fn restart(&mut self, cancel: &AtomicBool) -> Result<(), RenderError> {
        let recording = match &self.recorded {
            Recorded::Pixel { fragments, .. } => {
                fragments.get(self.selected).and_then(|f| f.recording.as_ref())
            }
            Recorded::Vertex(vertex) => Some(&vertex.recording),
            Recorded::Primitive(primitive) => Some(&primitive.recording),
            Recorded::StateProgram(recording) => Some(recording),
        };
        self.walk = recording.map(|recording| Walk::new(Arc::clone(recording), cancel)).transpose()?;
        if let Some(changed) = self.changed.take() {
            self.code = Some(changed.recorded_code);
        }
        (self.traced, self.edited, self.rewritten) = (None, None, None);
        self.run_changed();
        Ok(())
    }

    /// Updates the data that depends on the run. Call after replacing the run.
    fn run_changed(&mut self) {
        self.runs += 1;
        self.parameters = self.parameters_touched();
        self.set_places(self.code.as_deref().map(Code::own_places));
    }

    /// Updates all lines for the current texts of `document`, which may have been edited after the recording.
    pub fn follow(&mut self, document: &Document) {
        if document.id != self.document() || self.placed == Some((self.runs, document.revision)) {
            return;
        }
        self.placed = Some((self.runs, document.revision));
        let places = self.code.as_deref().map(|code| code.places_in(document));
        if places != self.places {
            self.set_places(places);
        }
    }

    fn set_places(&mut self, places: Option<Places>) {
        self.places = places;
        self.branches = self.branches_met();
        self.lines_traced = self.lines_of_trace();
    }

    /// The places of the program's instructions in the text that the editor shows.
    pub fn places(&self) -> Option<&Places> {
        self.places.as_ref()
    }

    /// The place of instruction `pc` in that text; `None` if it was deleted.
    pub fn place_of(&self, pc: usize) -> Option<Placed> {
        self.places.as_ref()?.get(pc)
    }

    fn lines_of_trace(&self) -> BTreeSet<usize> {
        let parts = self.traced.iter().flat_map(|traced| &traced.ancestry.parts);
        parts.filter_map(|part| self.line_of(part.pc)).collect()
    }

    /// The run stepped through and the recorded run. The two differ while the session steps through a changed
    /// run.
    pub fn runs(&self) -> Option<[Ran; 2]> {
        let ran = self.ran()?;
        let changed = self.changed.as_ref();
        let recorded = changed.and_then(|changed| {
            let run = Arc::clone(changed.recorded.as_ref()?.recording());
            Some(Ran { run, code: Arc::clone(&changed.recorded_code) })
        });
        let recorded = recorded.unwrap_or_else(|| ran.clone());
        Some([ran, recorded])
    }

    /// The trace of a value, if there is one.
    pub fn traced(&self) -> Option<&Traced> {
        self.traced.as_deref()
    }

    /// The changed run and its comparison, while the session steps through it.
    pub fn changed(&self) -> Option<&ChangedRun> {
        self.changed.as_deref()
    }

    /// The component whose value the user is typing.
    pub fn edited(&self) -> Option<Edit> {
        self.edited
    }

    /// Opens the field for another value of a component, or closes it.
    pub fn edit(&mut self, edited: Option<Edit>) {
        self.edited = edited;
    }

    /// The instruction that the user is replacing.
    pub fn rewritten(&self) -> Option<&Rewritten> {
        self.rewritten.as_ref()
    }

    /// Opens the field for another instruction in place of `pc`, or closes it.
    pub fn rewrite(&mut self, pc: Option<usize>) {
        self.rewritten = pc.map(|pc| Rewritten { pc, fault: None });
    }

    /// Shows why a question cannot be answered. Returns false if no open field belongs to the question.
    pub fn refuse(&mut self, question: &Question, words: &str) -> bool {
        let Question::Rewrite { pc, .. } = question else { return false };
        let typed = self.rewritten.as_mut().filter(|typed| typed.pc == *pc);
        typed.map(|typed| typed.fault = Some(words.to_owned())).is_some()
    }

    /// Accepts an answer about the run stepped through. A changed run continues at the edited step or, after
    /// a change of an instruction, at the first difference.
    pub fn take(&mut self, answer: Answer) {
        match answer {
            Answer::Traced(traced) => {
                self.traced = Some(traced);
                self.lines_traced = self.lines_of_trace();
            }
            Answer::Changed(mut changed) => {
                let position = match &changed.question {
                    Question::Try(edit) => edit.position,
                    _ => changed.first.unwrap_or(self.position()),
                };
                (self.walk, self.code) = (changed.walk.take(), Some(Arc::clone(&changed.code)));
                if let Question::Rewrite { .. } = changed.question {
                    self.rewritten = None;
                }
                (self.traced, self.changed) = (None, Some(changed));
                self.run_changed();
                self.seek(position);
            }
        }
    }

    pub fn close_trace(&mut self) {
        self.traced = None;
    }

    /// Returns to the recorded run.
    pub fn leave_changed(&mut self) {
        if let Some(changed) = self.changed.take() {
            (self.walk, self.code) = (changed.recorded, Some(changed.recorded_code));
            (self.traced, self.rewritten) = (None, None);
            self.run_changed();
        }
    }

    /// Lines, from 0, of the trace's steps; `None` if there is no trace.
    pub fn lines_traced(&self) -> Option<&BTreeSet<usize>> {
        self.traced.as_ref().map(|_| &self.lines_traced)
    }

    pub fn subject(&self) -> Subject {
        self.request.subject
    }

    /// Document of the programs.
    pub fn document(&self) -> DocumentId {
        self.request.document
    }

    /// The text of the program stepped through; `None` for a program without a tab.
    pub fn text_id(&self) -> Option<TextId> {
        let slot = self.code.as_ref()?.slot?;
        Some(TextId { document: self.request.document, part: Part::Program(slot) })
    }

    /// The program stepped through; `None` if no program ran.
    pub fn program(&self) -> Option<&Program> {
        self.code.as_ref().map(|code| &*code.program)
    }

    pub fn text(&self) -> &[u8] {
        self.code.as_ref().map_or(&[], |code| &code.text)
    }

    /// Line, from 0, of instruction `pc` in the text that the editor shows. `None` after the last
    /// instruction, and if the instruction was deleted.
    pub fn line_of(&self, pc: usize) -> Option<usize> {
        self.places.as_ref()?.line(pc)
    }

    /// The pixel, if the subject is one.
    pub fn pixel(&self) -> Option<[u32; 2]> {
        match self.request.subject {
            Subject::Pixel(pixel) => Some(pixel),
            _ => None,
        }
    }

    /// The vertex, if the subject is one.
    pub fn vertex(&self) -> Option<&VertexRecording> {
        match &self.recorded {
            Recorded::Vertex(vertex) => Some(vertex),
            Recorded::Pixel { .. } | Recorded::Primitive(_) | Recorded::StateProgram(_) => None,
        }
    }

    /// The invocation of a program that reads primitives or patches, if the subject is one.
    pub fn primitive(&self) -> Option<&PrimitiveRecording> {
        match &self.recorded {
            Recorded::Primitive(primitive) => Some(primitive),
            Recorded::Pixel { .. } | Recorded::Vertex(_) | Recorded::StateProgram(_) => None,
        }
    }

    /// Numbers of the elements that form the fragment's or the subject's primitive.
    pub fn elements(&self) -> &[u32] {
        match &self.recorded {
            Recorded::Pixel { .. } => self.fragment().map_or(&[], |fragment| &fragment.elements),
            Recorded::Primitive(primitive) => &primitive.elements,
            Recorded::Vertex(_) | Recorded::StateProgram(_) => &[],
        }
    }

    /// How the pixel compares with the picture.
    pub fn agreement(&self) -> Option<Agreement> {
        match self.recorded {
            Recorded::Pixel { agreement, .. } => Some(agreement),
            Recorded::Vertex(_) | Recorded::Primitive(_) | Recorded::StateProgram(_) => None,
        }
    }

    /// The fragments of the pixel, if the subject is one.
    pub fn fragments(&self) -> Option<&Fragments> {
        match &self.recorded {
            Recorded::Pixel { fragments, .. } => Some(fragments),
            Recorded::Vertex(_) | Recorded::Primitive(_) | Recorded::StateProgram(_) => None,
        }
    }

    /// Number of the selected fragment.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// Selects fragment `index`, at the step that corresponds to the current one.
    pub fn select(&mut self, index: usize) -> Selected {
        let kept = self.fragments().is_some_and(|fragments| fragments.get(index).is_some());
        if !kept {
            return Selected::NotKept;
        }
        let anchor = self.anchor();
        let before = std::mem::replace(&mut self.selected, index);
        if self.restart(&AtomicBool::new(false)).is_err() {
            // Cannot happen, because this flag is never set.
            self.selected = before;
        }
        if let (Some(walk), Some(anchor)) = (&mut self.walk, anchor) {
            walk.go_to(anchor);
        }
        Selected::Yes
    }

    /// The current step as an anchor, to find the corresponding step of another run.
    pub fn anchor(&mut self) -> Option<Anchor> {
        self.walk.as_mut().map(Walk::anchor)
    }

    /// The selected fragment; `None` if no primitive covers the pixel, and for other subjects.
    pub fn fragment(&self) -> Option<&PixelRecording> {
        self.fragments()?.get(self.selected)
    }

    /// The fragment and position at which a new recording of the same subject starts.
    pub fn place(&self) -> StepPosition {
        let fragment = self.fragment().map(|_| self.selected);
        StepPosition { position: self.position(), like: None, fragment, origin: self.origin }
    }

    /// The current fragment and position, to return to later.
    pub fn as_origin(&self) -> Option<WayBack> {
        let (pixel, fragment) = (self.pixel()?, self.selected);
        Some(WayBack { pixel, fragment, position: self.position() })
    }

    /// The run stepped through.
    pub fn recording(&self) -> Option<&Recording> {
        self.run().map(|recording| &**recording)
    }

    /// The same run, shared.
    pub fn run(&self) -> Option<&Arc<Recording>> {
        self.walk.as_ref().map(Walk::recording)
    }

    /// The same run with its program.
    pub fn ran(&self) -> Option<Ran> {
        Some(Ran { run: Arc::clone(self.run()?), code: Arc::clone(self.code()?) })
    }

    /// A request that records the run stepped through again.
    pub fn record_request(&self) -> RecordRequest {
        let changed = self.changed.as_ref().map(|changed| changed.programs.clone());
        let programs = changed.unwrap_or_else(|| self.request.programs.clone());
        RecordRequest { programs, place: self.place(), ..self.request.clone() }
    }

    /// The program stepped through, shared.
    pub fn code(&self) -> Option<&Arc<Code>> {
        self.code.as_ref()
    }

    /// The registers at the current position, for expressions.
    pub fn here(&self) -> Option<Here<'_>> {
        self.walk.as_ref().map(Walk::here)
    }

    /// The result of `look` at `position`. The current position does not change.
    pub fn look_at<T>(&mut self, position: usize, look: impl FnMut(&Here<'_>) -> T) -> Option<T> {
        self.walk.as_mut()?.look_at(position, look)
    }

    /// The steps of `range` in order. The current position does not change.
    pub fn steps(&mut self, range: Range<usize>) -> Vec<Step> {
        self.walk.as_mut().map_or_else(Vec::new, |walk| walk.steps(range))
    }

    /// The colour that the selected fragment writes to the picture.
    pub fn fragment_color(&self) -> Option<[f32; 4]> {
        self.fragment().map(|fragment| fragment.color)
    }

    /// The parameters that the program names, and the parameters that relative references selected in this
    /// run. Listing every parameter of a program with relative references would mostly show unused ones.
    pub fn parameters(&self) -> &[ParamId] {
        &self.parameters
    }

    fn parameters_touched(&self) -> Vec<ParamId> {
        let (Some(program), Some(walk)) = (self.program(), &self.walk) else { return Vec::new() };
        let mut touched: BTreeSet<ParamId> = walk.led_to().collect();
        for instruction in &program.instructions {
            touched.extend(instruction.operands.iter().filter_map(|operand| match operand.source {
                Source::Param(id) => Some(id),
                _ => None,
            }));
            if let Some(Target::Param(id)) = instruction.target() {
                touched.insert(id);
            }
        }
        let mut touched: Vec<ParamId> = touched.into_iter().collect();
        // Numbered parameters are sorted by number, the rest in the order of the program.
        touched.sort_by_key(|id| match program.parameters[usize::from(id.0)].source {
            ParameterSource::Local(n) | ParameterSource::Env(n) => (0, n),
            ParameterSource::Constant(_) | ParameterSource::Named { .. } | ParameterSource::State(_) => {
                (1, id.0)
            }
        });
        touched
    }

    /// Registers at the current position.
    pub fn state(&self) -> Option<&State> {
        self.walk.as_ref().map(Walk::state)
    }

    /// Memory before the first step.
    pub fn memory_at_start(&self) -> Option<&Memory> {
        self.walk.as_ref().map(Walk::memory_at_start)
    }

    pub fn position(&self) -> usize {
        self.walk.as_ref().map_or(0, Walk::position)
    }

    /// Number of steps in the run.
    pub fn len(&self) -> usize {
        self.recording().map_or(0, Recording::len)
    }

    /// Whether the run has no steps.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The current step; `None` at the end.
    pub fn current_step(&self) -> Option<&Step> {
        self.walk.as_ref()?.current()
    }

    /// The texture lookup of the current step, if there is one.
    pub fn lookup(&self) -> Option<&LookupStep> {
        self.walk.as_ref()?.lookup()
    }

    /// The values that the current step reads in other pixels of the quad, if there are any.
    pub fn quad(&self) -> Option<&QuadStep> {
        self.walk.as_ref()?.quad()
    }

    /// Registers of all lanes or invocations after the current step.
    pub fn lanes_after(&self) -> &[Registers] {
        self.walk.as_ref().map_or(&[], Walk::lanes_after)
    }

    /// A step that executes instruction `pc`: the current one if possible, else the first. `None` if the run
    /// never executes the instruction, or if the first execution is too late to recompute within a frame.
    pub fn execution_of(&self, pc: usize) -> Option<usize> {
        if self.current_step().is_some_and(|step| step.pc == pc) {
            return Some(self.position());
        }
        self.walk.as_ref()?.first(pc).filter(|&first| first <= AT_ONCE)
    }

    /// A function that recomputes step `position`, which [`Self::execution_of`] returned. It can run on
    /// another thread.
    pub fn working_out(&self, position: usize) -> impl FnOnce() -> Option<Step> + Send + 'static {
        let current = self.current_step().filter(|_| position == self.position()).cloned();
        let recording = self.walk.as_ref().map(|walk| Arc::clone(walk.recording()));
        move || current.or_else(|| recording?.steps(position..position + 1).next())
    }

    /// A key of the run stepped through. Recorded and changed runs have different keys.
    pub fn number(&self) -> (u64, usize) {
        (self.request.generation, self.runs)
    }

    /// The step before the current position; `None` at the start.
    pub fn previous_step(&self) -> Option<&Step> {
        self.walk.as_ref()?.previous()
    }

    /// Line, from 0, of the current step.
    pub fn current_line(&self) -> Option<usize> {
        self.line_of(self.current_step()?.pc)
    }

    /// Goes to `position`, clamped to the recording.
    pub fn seek(&mut self, position: usize) {
        let Some(walk) = &mut self.walk else { return };
        if position != walk.position() {
            self.edited = None;
        }
        walk.seek(position);
        let here = walk.position();
        if let Some(changed) = &mut self.changed {
            changed.follow(here);
        }
    }

    pub fn step(&mut self, direction: Direction) {
        match direction {
            Direction::Forward => self.seek(self.position() + 1),
            Direction::Back => self.seek(self.position().saturating_sub(1)),
        }
    }

    /// Steps at the current depth of calls and blocks, so inner subroutines and blocks run to their ends.
    pub fn step_over(&mut self, direction: Direction) {
        self.seek_nesting(direction, self.nesting());
    }

    /// Goes to the end or, backwards, to the start of the innermost block or subroutine. Outside of any, to
    /// the end or start of the run.
    pub fn step_out(&mut self, direction: Direction) {
        match (self.nesting().checked_sub(1), direction) {
            (Some(outer), _) => self.seek_nesting(direction, outer),
            (None, Direction::Forward) => self.to_end(),
            (None, Direction::Back) => self.to_start(),
        }
    }

    fn seek_nesting(&mut self, direction: Direction, depth: usize) {
        let found = self.walk.as_mut().map(|walk| walk.find_nesting(direction, depth));
        found.into_iter().for_each(|position| self.seek(position));
    }

    pub fn call_depth(&self) -> usize {
        self.state().map_or(0, State::call_depth)
    }

    pub fn nesting(&self) -> usize {
        self.state().map_or(0, State::nesting)
    }

    pub fn to_start(&mut self) {
        self.seek(0);
    }

    pub fn to_end(&mut self) {
        self.seek(self.len());
    }

    /// Goes to the next step on `line`, or on the first line with an instruction below it. Searches forwards
    /// first, then backwards. Without such a step, the position does not change.
    pub fn to_line(&mut self, line: usize) {
        let Some(places) = &self.places else { return };
        let Some(target) = places.lines().into_iter().flatten().filter(|&l| l >= line).min() else { return };
        let hit = self.find(Direction::Forward, |l| l == target);
        if let Some(position) = hit.or_else(|| self.find(Direction::Back, |l| l == target)) {
            self.seek(position);
        }
    }

    /// Prepares the breakpoints of the program's text for this run.
    pub fn stops(&self, breakpoints: &Breakpoints) -> Stops {
        let code = self.code.as_ref().zip(self.places.as_ref());
        code.map_or_else(Stops::default, |(code, places)| {
            Stops::new(breakpoints, &code.program, &places.lines())
        })
    }

    /// Goes to the nearest position in `direction` at which one of `breakpoints` stops, else to the end or
    /// the start.
    pub fn to_breakpoint(&mut self, direction: Direction, breakpoints: &Breakpoints) {
        let stops = self.stops(breakpoints);
        let position = self.walk.as_mut().and_then(|walk| walk.find_stop(direction, &stops));
        self.seek(position.unwrap_or(match direction {
            Direction::Forward => self.len(),
            Direction::Back => 0,
        }));
    }

    /// Goes to the nearest other step of kind `target` in `direction`. Returns false if there is none.
    pub fn run_to(&mut self, direction: Direction, target: RunTarget) -> bool {
        let found = self.walk.as_mut().and_then(|walk| walk.find(direction, |step| target.is(step)));
        found.into_iter().for_each(|position| self.seek(position));
        found.is_some()
    }

    /// Goes to the nearest other position in `direction` at which `condition` becomes true. Returns false if
    /// there is none.
    pub fn run_to_condition(&mut self, direction: Direction, condition: &Expression) -> bool {
        let found = self.walk.as_mut().and_then(|walk| walk.find_beginning(direction, condition));
        found.into_iter().for_each(|position| self.seek(position));
        found.is_some()
    }

    /// The nearest other position in `direction` whose step is on a line for which `wanted` is true.
    fn find(&mut self, direction: Direction, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let places = self.places.as_ref()?;
        self.walk.as_mut()?.find(direction, |step| places.line(step.pc).is_some_and(&wanted))
    }
}

impl DebugSession {
    /// The outcomes of the branches that this run reached, by line, from 0. Branches on the same line are
    /// added up.
    pub fn branches(&self) -> &BTreeMap<usize, Branch> {
        &self.branches
    }

    fn branches_met(&self) -> BTreeMap<usize, Branch> {
        let mut branches = BTreeMap::<usize, Branch>::new();
        let (Some(program), Some(walk)) = (self.program(), &self.walk) else { return branches };
        for (pc, instruction) in program.instructions.iter().enumerate() {
            let chooses = match instruction.control() {
                Some(Control::Loop { .. } | Control::EndLoop { .. }) => true,
                Some(control) => control.test().is_some(),
                None => matches!(instruction.kind, Kind::Kill(_)),
            };
            let met = walk.branch(pc);
            let (true, Some(line)) = (chooses && met != Branch::default(), self.line_of(pc)) else {
                continue;
            };
            let branch = branches.entry(line).or_default();
            branch.taken += met.taken;
            branch.passed_by += met.passed_by;
        }
        branches
    }
}

impl OfDocument for DebugSession {
    fn of_document(&self) -> DocumentId {
        self.request.document
    }
}

/// Whether a fragment can be selected now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selected {
    /// The fragment is selected.
    Yes,
    /// The fragment was not kept and must be recorded.
    NotKept,
}
