//! Builds the dependence graph of a run by replaying the run once, with all its lanes.

use super::AncestryError;
use super::flow::{Flow, Frame, Region};
use super::graph::{Graph, Info, NONE, Node, Tag};
use super::layout::{Layout, Location};
use crate::debug::cursor::Replay;
use crate::debug::expression::Place;
use crate::debug::recording::{Recording, STEPS_TO_CANCEL};
use crate::debug::{LoopEffect, Register, StackEffect};
use crate::exec::{Evaluation, LaneEvaluation};
use crate::memory::BufferId;
use crate::simd::ones;
use shadestep_language::ir::{Attribute, CcTest, Condition, Control, Program, Target, TempId};
use shadestep_language::semantics::plan::Plan;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A decision of flow whose paths have not met again yet.
struct Open {
    node: Node,
    join: Option<usize>,
    /// Number of calls on the stack when the decision was made.
    depth: usize,
    /// The regions of all decisions that share this join.
    regions: Vec<Rc<Region>>,
}

/// The dependences of an active loop: of its count and of its index.
#[derive(Clone, Copy)]
pub(super) struct Counters {
    pub count: Node,
    pub index: Node,
    pub temp: Option<TempId>,
}

/// The state of the graph for one lane at one position.
pub(super) struct Lane {
    /// The last node of each location.
    pub nodes: Vec<Node>,
    open: Vec<Open>,
    /// The decisions that could have ended the program inside a call that has returned since.
    base: Node,
    pub addresses: Vec<[Node; 4]>,
    /// The first instruction of each active call.
    calls: Vec<usize>,
    pub loops: Vec<Counters>,
}

/// A write that takes effect once all operands of an instruction have been read.
pub(super) struct Definition {
    pub lane: usize,
    pub location: Location,
    pub info: Info,
    /// Whether the new node also depends on the location's previous node.
    pub keeps: bool,
    /// Index in the pool of the first source.
    pub from: usize,
}

/// Whether any value depends on the order in which lanes execute.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// No value does.
    Free,
    /// Some value does, so the decisions of every lane are dependences.
    Matters,
}

pub(super) struct Builder<'r> {
    pub recording: &'r Recording,
    pub program: &'r Program,
    pub layout: Layout,
    pub flow: Flow<'r>,
    pub graph: Graph,
    pub lanes: Vec<Lane>,
    pub attributes: Vec<Attribute>,
    /// Leaf nodes by attribute, lane and component.
    attribute_nodes: Vec<Node>,
    parameter_nodes: Vec<Node>,
    bytes: HashMap<(BufferId, u64), Node>,
    /// The bytes that memory held at the start, in the order of their first use.
    pub first_bytes: Vec<(BufferId, u64)>,
    /// All decisions of all lanes so far, if order matters.
    pub turns: Node,
    order: Order,
    /// The instruction of each step of the recorded lane.
    pub pcs: Vec<u32>,
    /// For each lane but the recorded one, the instruction of each of its steps.
    pub other_pcs: Vec<Vec<u32>>,
    pub pool: Vec<Node>,
    pub definitions: Vec<Definition>,
    edited: usize,
    /// Dependences of every final value when the run ends inside a call.
    end: [Node; 2],
}

impl<'r> Builder<'r> {
    pub fn new(recording: &'r Recording) -> Self {
        let program = &**recording.program();
        let layout = Layout::new(program);
        let flow = Flow::new(program, &layout);
        let count = recording.start().lanes.len();
        let lane = || Lane {
            nodes: vec![NONE; layout.len()],
            open: Vec::new(),
            base: NONE,
            addresses: Vec::new(),
            calls: Vec::new(),
            loops: Vec::new(),
        };
        let lanes = (0..count).map(|_| lane()).collect();
        let attributes = program.attributes();
        let order = if count > 1 && depends_on_order(program, &flow) { Order::Matters } else { Order::Free };
        Self {
            recording,
            program,
            flow,
            graph: Graph::default(),
            lanes,
            attribute_nodes: vec![NONE; attributes.len() * count * 4],
            attributes,
            parameter_nodes: vec![NONE; program.parameters.len() * 4],
            bytes: HashMap::new(),
            first_bytes: Vec::new(),
            turns: NONE,
            order,
            pcs: Vec::new(),
            other_pcs: vec![Vec::new(); count],
            pool: Vec::new(),
            definitions: Vec::new(),
            edited: 0,
            end: [NONE; 2],
            layout,
        }
    }

    /// Replays the run until the recorded lane is about to take step `position`, or to that lane's end. At
    /// the position of `mark`, inserts a separate node at that location of the recorded lane and returns it.
    ///
    /// # Errors
    /// If the run is too long or `cancel` became true.
    pub fn run(
        &mut self,
        position: usize,
        mark: Option<(usize, Location)>,
        cancel: &AtomicBool,
    ) -> Result<Node, AncestryError> {
        let recording = self.recording;
        let own = recording.lane();
        let mut replay = Replay::new(recording);
        let mut marked = NONE;
        self.edits(0)?;
        self.mark(0, mark, &mut marked)?;
        while replay.at.ended(own).is_none()
            && let Some((pc, lanes)) = replay.at.next()
        {
            let is_own = lanes >> own & 1 != 0;
            if replay.turns.is_multiple_of(STEPS_TO_CANCEL) && cancel.load(Ordering::Relaxed) {
                return Err(AncestryError::Cancelled);
            }
            for lane in ones(lanes.into()) {
                self.join(lane, Some(pc))?;
            }
            if is_own && replay.position(recording) >= position {
                return Ok(marked);
            }
            let steps: Vec<u32> = (0..self.lanes.len()).map(|lane| replay.at.executed(lane) as u32).collect();
            for lane in ones(lanes.into()) {
                let pcs = if lane == own { &mut self.pcs } else { &mut self.other_pcs[lane] };
                pcs.push(pc as u32);
            }
            let done = replay.evaluate(recording, (pc, lanes));
            let stands: Vec<usize> = (0..self.lanes.len()).map(|lane| replay.at.stands(lane).0).collect();
            self.turn((pc, lanes), &done, &steps, &stands)?;
            if is_own {
                self.edits(replay.position(recording))?;
                self.mark(replay.position(recording), mark, &mut marked)?;
            }
        }
        self.finish()?;
        Ok(marked)
    }

    /// Inserts the node of `mark` when its position is reached.
    fn mark(
        &mut self,
        here: usize,
        mark: Option<(usize, Location)>,
        marked: &mut Node,
    ) -> Result<(), AncestryError> {
        if let Some((position, location)) = mark
            && here == position
            && *marked == NONE
        {
            let lane = self.recording.lane() as u8;
            let info = Info { tag: Tag::Edited, lane, what: location, step: here as u32 };
            *marked = self.replace(location, info)?;
        }
        Ok(())
    }

    /// Gives a location of the recorded lane a new node. If lanes share the location, all of them get it.
    fn replace(&mut self, location: Location, info: Info) -> Result<Node, AncestryError> {
        let own = self.recording.lane();
        let from = [self.lanes[own].nodes[location as usize], self.control(own)[0], self.control(own)[1]];
        let node = self.graph.add(info, &from)?;
        for lane in self.sharing(own, location) {
            self.lanes[lane].nodes[location as usize] = node;
        }
        Ok(node)
    }

    /// The lanes that share `location` with `lane`.
    fn sharing(&self, lane: usize, location: Location) -> std::ops::Range<usize> {
        let shared = match self.layout.place(location) {
            Some((Place::Output(id), _)) => self.program.writes_patch(Target::Output(id)),
            _ => false,
        };
        if shared { 0..self.lanes.len() } else { lane..lane + 1 }
    }

    /// Number of steps that a lane has taken.
    fn taken(&self, lane: usize) -> usize {
        let pcs = if lane == self.recording.lane() { &self.pcs } else { &self.other_pcs[lane] };
        pcs.len()
    }

    /// Applies the edits of the recording that take effect at a position.
    fn edits(&mut self, position: usize) -> Result<(), AncestryError> {
        let recording = self.recording;
        while let Some(edit) = recording.edits().get(self.edited).filter(|edit| edit.position <= position) {
            self.edited += 1;
            if let Some(location) = self.layout.of_place(edit.place, usize::from(edit.component & 3)) {
                let lane = recording.lane() as u8;
                // The edit replaces the value, so the old node is not a source. The current decisions are, as
                // for a value that a step writes.
                self.lanes[recording.lane()].nodes[location as usize] = NONE;
                let info = Info { tag: Tag::Edited, lane, what: location, step: position as u32 };
                self.replace(location, info)?;
            }
        }
        Ok(())
    }

    /// The decisions that the current execution of a lane depends on.
    pub fn control(&self, lane: usize) -> [Node; 2] {
        let lane = &self.lanes[lane];
        [lane.open.last().map_or(NONE, |open| open.node), lane.base]
    }

    /// Extra dependences of a value that another lane reads from `lane`: the decisions that brought the lane
    /// to this point.
    pub fn turns_of(&self, lane: usize) -> [Node; 3] {
        let [open, base] = self.control(lane);
        [open, base, self.turns]
    }

    /// Closes the decisions whose paths meet at `pc`, which a lane is about to execute. `None` is the lane's
    /// end, where all decisions of the main program close.
    fn join(&mut self, lane: usize, pc: Option<usize>) -> Result<(), AncestryError> {
        let depth = self.lanes[lane].calls.len();
        while let Some(open) = self.lanes[lane]
            .open
            .pop_if(|open| open.depth > depth || open.depth == depth && (pc.is_none() || open.join == pc))
        {
            for region in &open.regions {
                for &location in &region.writes {
                    self.join_location(lane, location, open.node)?;
                }
            }
        }
        Ok(())
    }

    fn join_location(&mut self, lane: usize, location: Location, node: Node) -> Result<(), AncestryError> {
        if location == self.layout.stack {
            for at in 0..self.lanes[lane].addresses.len() {
                for c in 0..4 {
                    let from = [self.lanes[lane].addresses[at][c], node];
                    self.lanes[lane].addresses[at][c] = self.graph.add(Info::JOINED, &from)?;
                }
            }
            return Ok(());
        }
        // Another lane may have written a shared location.
        let sharing = if location == self.layout.memory { 0..1 } else { self.sharing(lane, location) };
        let is_own = location != self.layout.memory && sharing.len() == 1;
        for lane in sharing {
            let now = self.lanes[lane].nodes[location as usize];
            // A value written after the decision depends on the decision already.
            if is_own && now != NONE && now >= node {
                continue;
            }
            let info =
                Info { tag: Tag::Met, lane: lane as u8, what: location, step: self.taken(lane) as u32 };
            self.lanes[lane].nodes[location as usize] = self.graph.add(info, &[now, node])?;
        }
        Ok(())
    }

    /// Closes the open decisions at the recorded lane's end.
    fn finish(&mut self) -> Result<(), AncestryError> {
        let own = self.recording.lane();
        if self.lanes[own].calls.is_empty() {
            self.join(own, None)
        } else {
            // On other paths the call could have returned and written any location.
            self.end = self.control(own);
            Ok(())
        }
    }

    /// The nodes of a location of the recorded lane.
    pub fn value(&self, location: Location) -> Vec<Node> {
        let own = self.recording.lane();
        let mut nodes = Vec::new();
        self.read(own, location, &mut nodes);
        nodes.extend(self.end);
        nodes
    }

    /// Adds the nodes of a location of a lane to `into`.
    pub fn read(&self, lane: usize, location: Location, into: &mut Vec<Node>) {
        let nodes = &self.lanes[lane].nodes;
        into.push(nodes[location as usize]);
        into.extend(self.layout.arrays_of(location).iter().map(|&array| nodes[array as usize]));
        if self.sharing(lane, location).len() > 1 {
            into.push(self.turns);
        }
    }

    /// The leaf node of a component of an attribute in a lane.
    pub fn attribute(&mut self, lane: usize, attribute: Attribute, c: usize) -> Result<Node, AncestryError> {
        let Ok(number) = self.attributes.binary_search(&attribute) else { return Ok(NONE) };
        let at = (number * self.lanes.len() + lane) * 4 + c;
        if self.attribute_nodes[at] == NONE {
            let what = (number * 4 + c) as u32;
            let info = Info { tag: Tag::Attribute, lane: lane as u8, what, step: 0 };
            self.attribute_nodes[at] = self.graph.add(info, &[])?;
        }
        Ok(self.attribute_nodes[at])
    }

    /// The leaf node of a component of a parameter.
    pub fn parameter(&mut self, index: usize, c: usize) -> Result<Node, AncestryError> {
        let at = index * 4 + c;
        let Some(&node) = self.parameter_nodes.get(at) else { return Ok(NONE) };
        if node != NONE {
            return Ok(node);
        }
        let node = self.graph.add(Info { tag: Tag::Parameter, lane: 0, what: at as u32, step: 0 }, &[])?;
        self.parameter_nodes[at] = node;
        Ok(node)
    }

    /// The node of a byte of memory.
    pub fn byte(&mut self, at: (BufferId, u64)) -> Result<Node, AncestryError> {
        if let Some(&node) = self.bytes.get(&at) {
            return Ok(node);
        }
        let what = self.first_bytes.len() as u32;
        self.first_bytes.push(at);
        let node = self.graph.add(Info { tag: Tag::Byte, lane: 0, what, step: 0 }, &[])?;
        self.bytes.insert(at, node);
        Ok(node)
    }

    pub fn set_byte(&mut self, at: (BufferId, u64), node: Node) {
        self.bytes.insert(at, node);
    }

    /// The dependences of the addresses of all stores so far.
    pub fn stores(&self) -> [Node; 2] {
        [self.lanes[0].nodes[self.layout.memory as usize], self.turns]
    }

    /// Records a store whose address depends on `from`.
    pub fn set_stores(&mut self, info: Info, from: &mut Vec<Node>) -> Result<(), AncestryError> {
        from.push(self.lanes[0].nodes[self.layout.memory as usize]);
        self.lanes[0].nodes[self.layout.memory as usize] = self.graph.add(info, from)?;
        Ok(())
    }

    /// Reads the condition code components that `test` tests for the destination components in `mask`.
    pub fn read_test(&self, lane: usize, test: &CcTest, mask: u8, into: &mut Vec<Node>) {
        if matches!(test.condition, Condition::Tr | Condition::Fl) {
            return;
        }
        for c in (0..4).filter(|c| mask >> c & 1 != 0) {
            let location = self.layout.flags(test.register, usize::from(test.swizzle.0[c]));
            into.push(self.lanes[lane].nodes[location as usize]);
        }
    }

    /// Records a definition whose sources are in the pool.
    pub fn define(&mut self, definition: Definition) {
        self.definitions.push(definition);
    }

    /// Applies the recorded definitions.
    fn write(&mut self) -> Result<(), AncestryError> {
        let definitions = std::mem::take(&mut self.definitions);
        let ends = definitions.iter().skip(1).map(|definition| definition.from);
        let ends: Vec<usize> = ends.chain([self.pool.len()]).collect();
        let mut from = Vec::new();
        for (definition, end) in definitions.iter().zip(ends) {
            let place = (definition.lane, definition.location as usize);
            from.clear();
            from.extend_from_slice(&self.pool[definition.from..end]);
            if definition.keeps {
                from.push(self.lanes[place.0].nodes[place.1]);
            }
            self.lanes[place.0].nodes[place.1] = self.graph.add(definition.info, &from)?;
        }
        self.definitions = definitions;
        self.definitions.clear();
        self.pool.clear();
        Ok(())
    }

    /// Records the effects of the instruction at `pc` on `lanes`. `steps` are the steps that each lane had
    /// taken before; `stands` are the positions of the lanes after it.
    fn turn(
        &mut self,
        (pc, lanes): (usize, u32),
        done: &Evaluation,
        steps: &[u32],
        stands: &[usize],
    ) -> Result<(), AncestryError> {
        self.instruction((pc, lanes), done, steps)?;
        self.write()?;
        self.share(pc, done, steps)?;
        if self.program.instructions[pc].control().is_some() {
            let before = self.turns;
            let mut decisions = vec![before];
            for lane in ones(lanes.into()) {
                decisions.push(self.steer((pc, lane), &done.lanes[lane], steps[lane], stands[lane])?);
            }
            self.write()?;
            if self.order == Order::Matters && decisions.iter().any(|&node| node != NONE && node != before) {
                self.turns = self.graph.add(Info::JOINED, &decisions)?;
            }
        }
        Ok(())
    }

    /// Updates an output that all invocations of a patch share. When several invocations write it at once, it
    /// has the value of the last one. For the recorded lane that value counts as written by its own step.
    fn share(&mut self, pc: usize, done: &Evaluation, steps: &[u32]) -> Result<(), AncestryError> {
        let own = self.recording.lane();
        let target = self.program.instructions[pc].target();
        let shared = target.filter(|&target| self.program.writes_patch(target));
        let register = shared.and_then(|target| Register::of_target(target, done.lanes[own].relative_target));
        let Some(register) = register else { return Ok(()) };
        for c in (0..4).filter(|c| done.lanes[own].enabled >> c & 1 != 0) {
            let location = self.layout.register(register, c);
            let node = self.lanes[own].nodes[location as usize];
            let info = Info { tag: Tag::Written, lane: own as u8, what: location, step: steps[own] };
            let node = self.graph.add(info, &[node])?;
            self.lanes.iter_mut().for_each(|lane| lane.nodes[location as usize] = node);
        }
        Ok(())
    }

    /// Records the effects of a flow instruction on a lane. Returns the node of its decision, if it made one.
    fn steer(
        &mut self,
        (pc, lane): (usize, usize),
        done: &LaneEvaluation,
        step: u32,
        stands: usize,
    ) -> Result<Node, AncestryError> {
        let instruction = &self.program.instructions[pc];
        let Some(control) = instruction.control() else { return Ok(NONE) };
        let mut from = Vec::new();
        let entered = self.enter_loop((pc, lane), done)?;
        if let Some(test) = control.test() {
            self.read_test(lane, &test, 0xF, &mut from);
        }
        match control {
            Control::CallIndirect { .. } => self.operands(lane, pc, done, 0b0001, &mut from)?,
            Control::Loop { .. } => from.push(entered.count),
            Control::EndLoop { .. } => {
                from.extend(self.lanes[lane].loops.last().map(|counters| counters.count));
            }
            _ => {}
        }
        let mut decision = NONE;
        if self.flow.decides(pc) {
            from.extend(self.control(lane));
            let info = Info { tag: Tag::Decided, lane: lane as u8, what: 0, step };
            decision = self.graph.add(info, &from)?;
            self.decide(lane, pc, decision);
        }
        self.follow((pc, lane), done, (step, stands), entered)?;
        Ok(decision)
    }

    /// The dependences of the counters of the LOOP or REP at `pc`; empty for other instructions.
    fn enter_loop(
        &mut self,
        (pc, lane): (usize, usize),
        done: &LaneEvaluation,
    ) -> Result<Counters, AncestryError> {
        let mut entered = Counters { count: NONE, index: NONE, temp: None };
        if let Some(Control::Loop { index, .. }) = self.program.instructions[pc].control() {
            entered.temp = index;
            for (mask, indexes) in [(0b0001, false), (0b0110, true)] {
                let mut from = self.control(lane).to_vec();
                self.operands(lane, pc, done, mask, &mut from)?;
                let node = self.graph.add(Info::JOINED, &from)?;
                *(if indexes { &mut entered.index } else { &mut entered.count }) = node;
            }
        }
        Ok(entered)
    }

    /// Makes later execution of a lane depend on a decision, until its paths meet.
    fn decide(&mut self, lane: usize, pc: usize, node: Node) {
        let depth = self.lanes[lane].calls.len();
        let frame = if depth == 0 { Frame::Main } else { Frame::Called };
        let region = self.flow.region(frame, pc, &self.layout);
        let join = region.join;
        match self.lanes[lane].open.last_mut() {
            Some(open) if open.depth == depth && open.join == join => {
                open.node = node;
                if !open.regions.iter().any(|other| Rc::ptr_eq(other, &region)) {
                    open.regions.push(region);
                }
            }
            _ => self.lanes[lane].open.push(Open { node, join, depth, regions: vec![region] }),
        }
    }

    /// Updates the call stack, the loops and their indices.
    fn follow(
        &mut self,
        (pc, lane): (usize, usize),
        done: &LaneEvaluation,
        (step, stands): (u32, usize),
        entered: Counters,
    ) -> Result<(), AncestryError> {
        let number = lane as u8;
        match done.effects.stack {
            StackEffect::Push(_) => self.lanes[lane].calls.push(stands),
            StackEffect::Pop(_) => self.give_back(lane)?,
            StackEffect::PushAddress(_) => {
                let mut address = [NONE; 4];
                for (c, node) in address.iter_mut().enumerate() {
                    let mut from = self.control(lane).to_vec();
                    self.operands(lane, pc, done, 1 << c, &mut from)?;
                    *node = self.graph.add(Info::JOINED, &from)?;
                }
                self.lanes[lane].addresses.push(address);
            }
            StackEffect::PopAddress(_) => {
                let address = self.lanes[lane].addresses.pop().unwrap_or([NONE; 4]);
                if let Some(Target::Temp(id)) = self.program.instructions[pc].target() {
                    for (c, node) in address.into_iter().enumerate() {
                        let location = self.layout.register(Register::Temp(id), c);
                        let from = self.pool.len();
                        self.pool.push(node);
                        self.pool.extend(self.control(lane));
                        let info = Info { tag: Tag::Written, lane: number, what: location, step };
                        self.define(Definition { lane, location, info, keeps: false, from });
                    }
                }
            }
            StackEffect::None | StackEffect::Overflow | StackEffect::Underflow | StackEffect::Mismatch => {}
        }
        match &done.effects.loops {
            LoopEffect::Enter(_) => self.lanes[lane].loops.push(entered),
            LoopEffect::Leave(left) => {
                let remaining = self.lanes[lane].loops.len().saturating_sub(left.len());
                // A lane that leaves a loop at ENDLOOP has updated the index once more.
                let ended = self.lanes[lane].loops.get(remaining).copied();
                self.lanes[lane].loops.truncate(remaining);
                self.indices(lane, done, step, ended);
                return Ok(());
            }
            LoopEffect::None | LoopEffect::Round { .. } => {}
        }
        let last = self.lanes[lane].loops.last().copied();
        self.indices(lane, done, step, last);
        Ok(())
    }

    /// Records writes of loop indices. An index depends on the counters of its loop and of outer loops that
    /// use the same register.
    fn indices(&mut self, lane: usize, done: &LaneEvaluation, step: u32, ended: Option<Counters>) {
        for &(temp, _) in &done.effects.indices {
            let from = self.pool.len();
            let outer = self.lanes[lane].loops.iter().copied();
            let all = outer.chain(ended).filter(|counters| counters.temp == Some(temp));
            let nodes: Vec<Node> = all.map(|counters| counters.index).collect();
            self.pool.extend(nodes);
            self.pool.extend(self.control(lane));
            let location = self.layout.register(Register::Temp(temp), 0);
            let info = Info { tag: Tag::Written, lane: lane as u8, what: location, step };
            self.define(Definition { lane, location, info, keeps: false, from });
        }
    }

    /// Records the return of a call.
    fn give_back(&mut self, lane: usize) -> Result<(), AncestryError> {
        let Some(entry) = self.lanes[lane].calls.pop() else { return Ok(()) };
        if self.flow.ends(entry) {
            let depth = self.lanes[lane].calls.len();
            let [open, base] = self.control(lane);
            if self.lanes[lane].open.last().is_some_and(|open| open.depth > depth) {
                self.lanes[lane].base = self.graph.add(Info::JOINED, &[open, base])?;
            }
        }
        self.join(lane, Some(usize::MAX))
    }
}

/// Whether some value depends on the order in which lanes execute. Memory writes, outputs that a patch shares
/// and thread group operations do. So do reads of neighbouring lanes if control flow is not structured.
fn depends_on_order(program: &Program, flow: &Flow<'_>) -> bool {
    let stage = program.stage();
    program.writes_memory()
        || program.instructions.iter().any(|instruction| {
            let plan = Plan::of(instruction);
            let votes = matches!(plan, Plan::Group(_)) && stage.has_thread_groups();
            votes
                || plan.reads_neighbours(stage) && !flow.is_structured()
                || program.meets_others(instruction)
        })
}
