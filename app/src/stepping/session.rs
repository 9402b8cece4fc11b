//! Walking through a recording: positions, steps, runs to a line or a breakpoint, both ways.
//!
//! A session steps through a pixel's fragments, a vertex, a primitive or a state program, all in the same way. Position
//! n is before step n; the last position is the end. The current step is the step about to run. Sessions are made on the
//! recording thread, as that goes through whole runs.

use super::alignment::Ran;
use super::code::{Code, Places};
use super::inquiry::{Answer, ChangedRun, Question, Traced};
use super::record::{RecordRequest, Recorded};
use super::sought::Sought;
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

/// A step before this one is worked out in less than a frame, from the start of the run.
const AT_ONCE: usize = 8192;

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
pub struct WayBack {
    /// Its pixel.
    pub pixel: [u32; 2],
    /// Number of the fragment at that pixel.
    pub fragment: usize,
    /// Steps taken in it.
    pub position: usize,
}

/// Which step of which fragment to be at in a recording, and how a person came there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepPosition {
    /// Steps taken.
    pub position: usize,
    /// In place of that number, the step that is like one of another run.
    pub like: Option<Anchor>,
    /// Number of the fragment; `None` for the one that can be seen.
    pub fragment: Option<usize>,
    /// Where a person came from.
    pub origin: Option<WayBack>,
}

/// Something being stepped through.
pub struct DebugSession {
    /// The request of the recording.
    pub request: RecordRequest,
    /// The recording.
    pub recorded: Recorded,
    /// Where a person came from.
    pub origin: Option<WayBack>,
    code: Option<Arc<Code>>,
    /// Where its instructions are in the text that the editor shows.
    places: Option<Places>,
    /// The run and the revision of the texts that the places are of.
    placed: Option<(usize, u64)>,
    selected: usize,
    /// How many runs have been stepped through.
    runs: usize,
    /// `None` where nothing ran that could be stepped through.
    walk: Option<Walk>,
    parameters: Vec<ParamId>,
    branches: BTreeMap<usize, Branch>,
    /// Origin or uses of a value of the run.
    traced: Option<Box<Traced>>,
    /// Lines, from 0, of its steps.
    lines_traced: BTreeSet<usize>,
    /// The recorded run, while a changed one is stepped through.
    changed: Option<Box<ChangedRun>>,
    /// The component whose value is being typed.
    edited: Option<Edit>,
    /// The instruction that another is being typed for.
    rewritten: Option<Rewritten>,
}

/// An instruction that another is being typed for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// Its index.
    pub pc: usize,
    /// Why what was typed last cannot be tried.
    pub fault: Option<String>,
}

impl DebugSession {
    /// A session where `request` wants to be.
    ///
    /// # Errors
    /// If `cancel` became true before it was ready.
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

    /// Goes to the start of what is selected.
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

    /// To be called when another run is stepped through.
    fn run_changed(&mut self) {
        self.runs += 1;
        self.parameters = self.parameters_touched();
        self.set_places(self.code.as_deref().map(Code::own_places));
    }

    /// Brings all lines up to date with the texts of `document`, which can have been edited since they were
    /// recorded.
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

    /// Where its instructions are in the text that the editor shows.
    pub fn places(&self) -> Option<&Places> {
        self.places.as_ref()
    }

    /// Where instruction `pc` is there; `None` if it was deleted.
    pub fn place_of(&self, pc: usize) -> Option<Placed> {
        self.places.as_ref()?.get(pc)
    }

    fn lines_of_trace(&self) -> BTreeSet<usize> {
        let parts = self.traced.iter().flat_map(|traced| &traced.ancestry.parts);
        parts.filter_map(|part| self.line_of(part.pc)).collect()
    }

    /// The run stepped through, and the one that was recorded, which is another one while a changed one is stepped through.
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

    /// Origin or uses of a value, if the person traces one.
    pub fn traced(&self) -> Option<&Traced> {
        self.traced.as_deref()
    }

    /// How a changed run differs from the recorded one, while it is stepped through.
    pub fn changed(&self) -> Option<&ChangedRun> {
        self.changed.as_deref()
    }

    /// The component whose value is being typed.
    pub fn edited(&self) -> Option<Edit> {
        self.edited
    }

    /// Has a value be typed for a component, or no more.
    pub fn edit(&mut self, edited: Option<Edit>) {
        self.edited = edited;
    }

    /// The instruction that another is being typed for.
    pub fn rewritten(&self) -> Option<&Rewritten> {
        self.rewritten.as_ref()
    }

    /// Has another instruction be typed for the one with this index, or no more.
    pub fn rewrite(&mut self, pc: Option<usize>) {
        self.rewritten = pc.map(|pc| Rewritten { pc, fault: None });
    }

    /// Notes why a question cannot be answered, if it is shown beside what was typed.
    pub fn refuse(&mut self, question: &Question, words: &str) -> bool {
        let Question::Rewrite { pc, .. } = question else { return false };
        let typed = self.rewritten.as_mut().filter(|typed| typed.pc == *pc);
        typed.map(|typed| typed.fault = Some(words.to_owned())).is_some()
    }

    /// Looks at what came of a question about the run stepped through. A changed run is stepped through from where it was changed.
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

    /// Looks no more at what a value comes from or reaches.
    pub fn close_trace(&mut self) {
        self.traced = None;
    }

    /// Steps through the recorded run again.
    pub fn leave_changed(&mut self) {
        if let Some(changed) = self.changed.take() {
            (self.walk, self.code) = (changed.recorded, Some(changed.recorded_code));
            (self.traced, self.rewritten) = (None, None);
            self.run_changed();
        }
    }

    /// Lines, from 0, of the steps that a value comes from or reaches; `None` where none is looked at.
    pub fn lines_traced(&self) -> Option<&BTreeSet<usize>> {
        self.traced.as_ref().map(|_| &self.lines_traced)
    }

    /// The subject of the recording.
    pub fn subject(&self) -> Subject {
        self.request.subject
    }

    /// Document of the programs.
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

    /// Line, from 0, of instruction `pc` in the text that the editor shows; `None` after the last
    /// instruction, and for one that was deleted there.
    pub fn line_of(&self, pc: usize) -> Option<usize> {
        self.places.as_ref()?.line(pc)
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
            Recorded::Pixel { .. } | Recorded::Primitive(_) | Recorded::StateProgram(_) => None,
        }
    }

    /// The invocation of a program that reads primitives, if that is what is stepped through.
    pub fn primitive(&self) -> Option<&PrimitiveRecording> {
        match &self.recorded {
            Recorded::Primitive(primitive) => Some(primitive),
            Recorded::Pixel { .. } | Recorded::Vertex(_) | Recorded::StateProgram(_) => None,
        }
    }

    /// Numbers of the elements that the fragment lies between, or that the primitive is made of.
    pub fn elements(&self) -> &[u32] {
        match &self.recorded {
            Recorded::Pixel { .. } => self.fragment().map_or(&[], |fragment| &fragment.elements),
            Recorded::Primitive(primitive) => &primitive.elements,
            Recorded::Vertex(_) | Recorded::StateProgram(_) => &[],
        }
    }

    /// How the stepped pixel compares with the picture.
    pub fn agreement(&self) -> Option<Agreement> {
        match self.recorded {
            Recorded::Pixel { agreement, .. } => Some(agreement),
            Recorded::Vertex(_) | Recorded::Primitive(_) | Recorded::StateProgram(_) => None,
        }
    }

    /// The fragments of the pixel, if that is what is stepped through.
    pub fn fragments(&self) -> Option<&Fragments> {
        match &self.recorded {
            Recorded::Pixel { fragments, .. } => Some(fragments),
            Recorded::Vertex(_) | Recorded::Primitive(_) | Recorded::StateProgram(_) => None,
        }
    }

    /// Number of the fragment looked at.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// Looks at fragment `index`, at the step like this one.
    pub fn select(&mut self, index: usize) -> Selected {
        let kept = self.fragments().is_some_and(|fragments| fragments.get(index).is_some());
        if !kept {
            return Selected::NotKept;
        }
        let anchor = self.anchor();
        let before = std::mem::replace(&mut self.selected, index);
        if self.restart(&AtomicBool::new(false)).is_err() {
            // Nobody cancels it.
            self.selected = before;
        }
        if let (Some(walk), Some(anchor)) = (&mut self.walk, anchor) {
            walk.go_to(anchor);
        }
        Selected::Yes
    }

    /// The current step, to find the like of it in another run.
    pub fn anchor(&mut self) -> Option<Anchor> {
        self.walk.as_mut().map(Walk::anchor)
    }

    /// The fragment looked at; `None` where nothing covered the pixel, and for other subjects.
    pub fn fragment(&self) -> Option<&PixelRecording> {
        self.fragments()?.get(self.selected)
    }

    /// Where to be when the same is recorded again.
    pub fn place(&self) -> StepPosition {
        let fragment = self.fragment().map(|_| self.selected);
        StepPosition { position: self.position(), like: None, fragment, origin: self.origin }
    }

    /// This fragment and position, for coming back.
    pub fn as_origin(&self) -> Option<WayBack> {
        let (pixel, fragment) = (self.pixel()?, self.selected);
        Some(WayBack { pixel, fragment, position: self.position() })
    }

    /// The run looked at.
    pub fn recording(&self) -> Option<&Recording> {
        self.run().map(|recording| &**recording)
    }

    /// The same, to be kept.
    pub fn run(&self) -> Option<&Arc<Recording>> {
        self.walk.as_ref().map(Walk::recording)
    }

    /// The same with its program.
    pub fn ran(&self) -> Option<Ran> {
        Some(Ran { run: Arc::clone(self.run()?), code: Arc::clone(self.code()?) })
    }

    /// How the run stepped through can be recorded.
    pub fn record_request(&self) -> RecordRequest {
        let changed = self.changed.as_ref().map(|changed| changed.programs.clone());
        let programs = changed.unwrap_or_else(|| self.request.programs.clone());
        RecordRequest { programs, place: self.place(), ..self.request.clone() }
    }

    /// What ran, to be kept.
    pub fn code(&self) -> Option<&Arc<Code>> {
        self.code.as_ref()
    }

    /// The registers here, for expressions.
    pub fn here(&self) -> Option<Here<'_>> {
        self.walk.as_ref().map(Walk::here)
    }

    /// What `look` makes of the moment at `position`.
    pub fn look_at<T>(&mut self, position: usize, look: impl FnMut(&Here<'_>) -> T) -> Option<T> {
        self.walk.as_mut()?.look_at(position, look)
    }

    /// The steps of `range` in order.
    pub fn steps(&mut self, range: Range<usize>) -> Vec<Step> {
        self.walk.as_mut().map_or_else(Vec::new, |walk| walk.steps(range))
    }

    /// The colour that the fragment looked at gives to the picture.
    pub fn fragment_color(&self) -> Option<[f32; 4]> {
        self.fragment().map(|fragment| fragment.color)
    }

    /// The parameters that the program names, and those that this run's relative references led to. A
    /// program with relative references has its whole file, most of which plays no part.
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
        // Numbered ones by their numbers, as a person looks for them; the rest as the program names them.
        touched.sort_by_key(|id| match program.parameters[usize::from(id.0)].source {
            ParameterSource::Local(n) | ParameterSource::Env(n) => (0, n),
            ParameterSource::Constant(_) | ParameterSource::Named { .. } | ParameterSource::State(_) => {
                (1, id.0)
            }
        });
        touched
    }

    /// Registers here.
    pub fn state(&self) -> Option<&State> {
        self.walk.as_ref().map(Walk::state)
    }

    /// Memory before the first step.
    pub fn memory_at_start(&self) -> Option<&Memory> {
        self.walk.as_ref().map(Walk::memory_at_start)
    }

    /// Steps already taken.
    pub fn position(&self) -> usize {
        self.walk.as_ref().map_or(0, Walk::position)
    }

    /// Number of steps in all.
    pub fn len(&self) -> usize {
        self.recording().map_or(0, Recording::len)
    }

    /// Whether there is no step at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The step about to run; `None` at the end.
    pub fn current_step(&self) -> Option<&Step> {
        self.walk.as_ref()?.current()
    }

    /// What the current step looks up, opened up; `None` where it looks up nothing.
    pub fn lookup(&self) -> Option<&LookupStep> {
        self.walk.as_ref()?.lookup()
    }

    /// What the current step reads of the other pixels of the quad; `None` where it reads its own only.
    pub fn quad(&self) -> Option<&QuadStep> {
        self.walk.as_ref()?.quad()
    }

    /// Registers of all lanes or invocations after the current step.
    pub fn lanes_after(&self) -> &[Registers] {
        self.walk.as_ref().map_or(&[], Walk::lanes_after)
    }

    /// Number of a step that executes instruction `pc`: the current one if it does, else the first. `None` if the run never
    /// comes to it, or comes to it first so late that it cannot be worked out at once.
    pub fn execution_of(&self, pc: usize) -> Option<usize> {
        if self.current_step().is_some_and(|step| step.pc == pc) {
            return Some(self.position());
        }
        self.walk.as_ref()?.first(pc).filter(|&first| first <= AT_ONCE)
    }

    /// What works step `position` out, which [`Self::execution_of`] gave.
    pub fn working_out(&self, position: usize) -> impl FnOnce() -> Option<Step> + Send + 'static {
        let current = self.current_step().filter(|_| position == self.position()).cloned();
        let recording = self.walk.as_ref().map(|walk| Arc::clone(walk.recording()));
        move || current.or_else(|| recording?.steps(position..position + 1).next())
    }

    /// Tells runs apart, changed ones from those recorded too.
    pub fn number(&self) -> (u64, usize) {
        (self.request.generation, self.runs)
    }

    /// The step taken last; `None` at the start.
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

    /// One step.
    pub fn step(&mut self, direction: Direction) {
        match direction {
            Direction::Forward => self.seek(self.position() + 1),
            Direction::Back => self.seek(self.position().saturating_sub(1)),
        }
    }

    /// One step at this depth of calls and blocks: subroutines and blocks run through.
    pub fn step_over(&mut self, direction: Direction) {
        self.seek_nesting(direction, self.nesting());
    }

    /// To where the block or subroutine that is under way ends or began; the end or the start outside of any.
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

    /// Number of active subroutine calls.
    pub fn call_depth(&self) -> usize {
        self.state().map_or(0, State::call_depth)
    }

    /// Number of active subroutine calls, loops and IF blocks.
    pub fn nesting(&self) -> usize {
        self.state().map_or(0, State::nesting)
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
        let Some(places) = &self.places else { return };
        let Some(target) = places.lines().into_iter().flatten().filter(|&l| l >= line).min() else { return };
        let hit = self.find(Direction::Forward, |l| l == target);
        if let Some(position) = hit.or_else(|| self.find(Direction::Back, |l| l == target)) {
            self.seek(position);
        }
    }

    /// `breakpoints` of its text, made ready.
    pub fn stops(&self, breakpoints: &Breakpoints) -> Stops {
        let code = self.code.as_ref().zip(self.places.as_ref());
        code.map_or_else(Stops::default, |(code, places)| {
            Stops::new(breakpoints, &code.program, &places.lines())
        })
    }

    /// To the next position at which one of `breakpoints` stops; else to the end or the start.
    pub fn to_breakpoint(&mut self, direction: Direction, breakpoints: &Breakpoints) {
        let stops = self.stops(breakpoints);
        let position = self.walk.as_mut().and_then(|walk| walk.find_stop(direction, &stops));
        self.seek(position.unwrap_or(match direction {
            Direction::Forward => self.len(),
            Direction::Back => 0,
        }));
    }

    /// To the nearest other step, that way, that is what is sought; stays and says false if there is none.
    pub fn run_to(&mut self, direction: Direction, sought: Sought) -> bool {
        let found = self.walk.as_mut().and_then(|walk| walk.find(direction, |step| sought.is(step)));
        found.into_iter().for_each(|position| self.seek(position));
        found.is_some()
    }

    /// To the nearest other position, that way, at which `condition` begins to hold; stays and says false if there is none.
    pub fn run_to_condition(&mut self, direction: Direction, condition: &Expression) -> bool {
        let found = self.walk.as_mut().and_then(|walk| walk.find_beginning(direction, condition));
        found.into_iter().for_each(|position| self.seek(position));
        found.is_some()
    }

    /// The nearest other position, that way, whose step is on a line that `wanted` takes.
    fn find(&mut self, direction: Direction, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let places = self.places.as_ref()?;
        self.walk.as_mut()?.find(direction, |step| places.line(step.pc).is_some_and(&wanted))
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
        let (Some(program), Some(walk)) = (self.program(), &self.walk) else { return branches };
        for (pc, instruction) in program.instructions.iter().enumerate() {
            let chooses = match instruction.kind {
                Kind::Kill(_) | Kind::Flow(Control::Loop { .. } | Control::EndLoop { .. }) => true,
                Kind::Flow(control) => control.test().is_some(),
                Kind::Alu(_)
                | Kind::Convert(..)
                | Kind::Texture(..)
                | Kind::Memory(_)
                | Kind::Emit(_)
                | Kind::Barrier => false,
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

/// Whether a fragment can be looked at now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selected {
    /// The fragment is selected.
    Yes,
    /// The fragment was not kept and must be recorded.
    NotKept,
}
