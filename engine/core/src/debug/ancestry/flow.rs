//! Control flow of a program: the instruction where the paths out of a decision meet again, and the locations
//! that some path can write before it.
//!
//! Each subroutine is analysed on its own: a call is a step to the next instruction and may write everything
//! that the subroutine can. Paths that never end are ignored, because no recorded run takes them.

use super::layout::{Layout, Location};
use crate::debug::Register;
use shadestep_language::ir::{Access, Control, Emit, Kind, OutputId, Program, Target, TempId};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The context of an instruction. A label that is also reached from above returns in a subroutine and
/// continues in the main program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Frame {
    /// The code that runs first, outside calls.
    Main,
    Called,
}

/// The paths out of a decision.
#[derive(Debug)]
pub(super) struct Region {
    /// The instruction where the paths meet; `None` for the end of the subroutine or program.
    pub join: Option<usize>,
    /// The locations that the paths can write before the join, sorted.
    pub writes: Vec<Location>,
}

/// Effects of a subroutine.
#[derive(Clone, Debug, Default)]
struct Function {
    writes: Vec<Location>,
    /// Whether the program can end inside the subroutine.
    ends: bool,
}

/// The successors of an instruction.
#[derive(Default)]
struct Next {
    /// Successors; the number of instructions stands for the end of the program.
    to: Vec<usize>,
    /// Whether the instruction can leave the frame.
    returns: bool,
}

/// The control-flow graph of a program.
pub(super) struct Flow<'p> {
    program: &'p Program,
    functions: BTreeMap<usize, Function>,
    /// For each instruction its immediate post-dominator; the number of instructions stands for the end.
    /// Computed on demand.
    joins: HashMap<Frame, Vec<usize>>,
    regions: HashMap<(Frame, usize), Rc<Region>>,
    /// The address registers of loops.
    indices: Vec<TempId>,
}

impl<'p> Flow<'p> {
    pub fn new(program: &'p Program, layout: &Layout) -> Self {
        let controls = || program.instructions.iter().filter_map(|instruction| instruction.control());
        let mut indices: Vec<TempId> = controls()
            .filter_map(|control| match control {
                Control::Loop { index, .. } => index,
                _ => None,
            })
            .collect();
        indices.sort_unstable();
        indices.dedup();
        let entries = controls().flat_map(|control| called(program, control));
        let functions = entries.map(|entry| (entry, Function::default())).collect();
        let mut flow = Self { program, functions, joins: HashMap::new(), regions: HashMap::new(), indices };
        // Each iteration propagates effects across one more level of calls.
        loop {
            let entries: Vec<usize> = flow.functions.keys().copied().collect();
            let mut changed = false;
            for entry in entries {
                let function = flow.function(entry, layout);
                let old = flow.functions.insert(entry, function.clone()).unwrap_or_default();
                changed |= old.ends != function.ends || old.writes != function.writes;
            }
            if !changed {
                return flow;
            }
        }
    }

    /// Whether the program can end in the subroutine at `entry`.
    pub fn ends(&self, entry: usize) -> bool {
        self.functions.get(&entry).is_some_and(|function| function.ends)
    }

    fn function(&self, entry: usize, layout: &Layout) -> Function {
        let end = self.program.instructions.len();
        let mut ends = false;
        let reached = self.reach(vec![entry], Frame::Called, None);
        for &pc in &reached {
            ends |= self.next(pc, Frame::Called).to.contains(&end);
        }
        Function { writes: self.writes(&reached, layout), ends: ends || entry >= end }
    }

    /// The instructions reachable from `starts` without passing `join`.
    fn reach(&self, starts: Vec<usize>, frame: Frame, join: Option<usize>) -> Vec<usize> {
        let (mut open, mut seen, mut reached) = (starts, std::collections::HashSet::new(), Vec::new());
        while let Some(pc) = open.pop() {
            if Some(pc) == join || pc >= self.program.instructions.len() || !seen.insert(pc) {
                continue;
            }
            reached.push(pc);
            open.extend(self.next(pc, frame).to);
        }
        reached
    }

    fn next(&self, pc: usize, frame: Frame) -> Next {
        let on = pc + 1;
        let some = |to: &[usize]| Next { to: to.to_vec(), returns: false };
        let Some(control) = self.program.instructions[pc].control() else { return some(&[on]) };
        let end = self.program.instructions.len();
        match control {
            Control::Branch { to, test } | Control::Break { to, test } | Control::Continue { to, test } => {
                if test.is_some() {
                    some(&[to, on])
                } else {
                    some(&[to])
                }
            }
            Control::Call { .. } | Control::CallIndirect { .. } => {
                if called(self.program, control).any(|entry| self.ends(entry)) {
                    some(&[on, end])
                } else {
                    some(&[on])
                }
            }
            Control::ReturnIfCalled if frame == Frame::Main => some(&[on]),
            Control::ReturnIfCalled => Next { to: Vec::new(), returns: true },
            // In the main program, RET ends the run.
            Control::Return { test } => {
                let to = if test.is_some() { vec![on] } else { Vec::new() };
                Next { to, returns: true }
            }
            Control::If { otherwise, .. } => some(&[on, otherwise]),
            Control::Else { end } => some(&[end]),
            Control::Loop { end, .. } if self.counts(pc) => some(&[on, end]),
            Control::EndLoop { start } if start.checked_sub(1).is_some_and(|at| self.counts(at)) => {
                some(&[start, on])
            }
            Control::EndLoop { start } => some(&[start]),
            Control::Loop { .. } | Control::EndIf | Control::PushAddress | Control::PopAddress(_) => {
                some(&[on])
            }
        }
    }

    /// Whether the LOOP or REP at `pc` has a count.
    pub fn counts(&self, pc: usize) -> bool {
        self.program.instructions.get(pc).is_some_and(|instruction| !instruction.operands.is_empty())
    }

    /// Whether control flow is structured. Then lanes that diverge reconverge after the block, and no lane is
    /// an iteration ahead of another.
    pub fn is_structured(&self) -> bool {
        self.program.instructions.iter().all(|instruction| match instruction.control() {
            Some(
                Control::Branch { .. }
                | Control::Call { .. }
                | Control::CallIndirect { .. }
                | Control::ReturnIfCalled,
            ) => false,
            Some(_) | None => true,
        })
    }

    /// Whether the instruction at `pc` decides where flow continues.
    pub fn decides(&self, pc: usize) -> bool {
        match self.program.instructions[pc].control() {
            Some(Control::CallIndirect { .. }) => true,
            Some(Control::Loop { .. }) => self.counts(pc),
            Some(Control::EndLoop { start }) => start.checked_sub(1).is_some_and(|at| self.counts(at)),
            Some(control) => control.test().is_some(),
            None => false,
        }
    }

    /// The paths out of the decision at `pc`.
    pub fn region(&mut self, frame: Frame, pc: usize, layout: &Layout) -> Rc<Region> {
        if let Some(region) = self.regions.get(&(frame, pc)) {
            return Rc::clone(region);
        }
        if !self.joins.contains_key(&frame) {
            let joins = self.find_joins(frame);
            self.joins.insert(frame, joins);
        }
        let end = self.program.instructions.len();
        let join = self.joins[&frame].get(pc).copied().filter(|&join| join < end);
        let mut reached = self.reach(self.next(pc, frame).to, frame, join);
        // The effects of the instruction itself, such as a call or a loop counter, belong to the region too.
        reached.push(pc);
        let region = Rc::new(Region { join, writes: self.writes(&reached, layout) });
        self.regions.insert((frame, pc), Rc::clone(&region));
        region
    }

    /// The immediate post-dominator of each instruction: the first one that all its paths to the end share.
    /// Computed with the algorithm of Cooper, Harvey and Kennedy on the reversed graph.
    fn find_joins(&self, frame: Frame) -> Vec<usize> {
        let end = self.program.instructions.len();
        let next: Vec<Vec<usize>> = (0..end)
            .map(|pc| {
                let Next { mut to, returns } = self.next(pc, frame);
                to.iter_mut().for_each(|to| *to = (*to).min(end));
                to.extend(returns.then_some(end));
                to
            })
            .collect();
        let mut before = vec![Vec::new(); end + 1];
        for (pc, next) in next.iter().enumerate() {
            next.iter().for_each(|&to| before[to].push(pc));
        }
        // Post-order of a walk of the reversed graph from the end.
        let (mut order, mut rank) = (Vec::new(), vec![usize::MAX; end + 1]);
        let mut seen = vec![false; end + 1];
        let mut open = vec![(end, 0)];
        seen[end] = true;
        while let Some((pc, at)) = open.last_mut() {
            match before[*pc].get(*at) {
                Some(&other) => {
                    *at += 1;
                    if !std::mem::replace(&mut seen[other], true) {
                        open.push((other, 0));
                    }
                }
                None => {
                    rank[*pc] = order.len();
                    order.push(*pc);
                    open.pop();
                }
            }
        }
        let mut joins = vec![usize::MAX; end + 1];
        joins[end] = end;
        let mut changed = true;
        while changed {
            changed = false;
            for &pc in order.iter().rev().filter(|&&pc| pc != end) {
                let mut meeting: Option<usize> = None;
                for &to in next[pc].iter().filter(|&&to| joins[to] != usize::MAX) {
                    meeting = Some(match meeting {
                        None => to,
                        Some(mut a) => {
                            let mut b = to;
                            while a != b {
                                if rank[a] < rank[b] { a = joins[a] } else { b = joins[b] }
                            }
                            a
                        }
                    });
                }
                let meeting = meeting.unwrap_or(end);
                changed |= joins[pc] != meeting;
                joins[pc] = meeting;
            }
        }
        // Paths that never reach the end have no join.
        joins.iter_mut().for_each(|join| *join = (*join).min(end));
        joins
    }

    /// The locations that the instructions at `reached` can write, sorted.
    fn writes(&self, reached: &[usize], layout: &Layout) -> Vec<Location> {
        let mut writes = Vec::new();
        reached.iter().for_each(|&pc| self.writes_of(pc, layout, &mut writes));
        writes.sort_unstable();
        writes.dedup();
        writes
    }

    fn writes_of(&self, pc: usize, layout: &Layout, writes: &mut Vec<Location>) {
        let instruction = &self.program.instructions[pc];
        let components = |mask: u8| (0..4).filter(move |c| mask >> c & 1 != 0);
        if let Some(dest) = instruction.dest() {
            let pops = matches!(instruction.kind, Kind::Flow(Control::PopAddress(_)));
            let mask = if pops { 0xF } else { dest.mask.0 };
            if let Some(register) = Register::of_target(dest.target, None) {
                writes.extend(components(mask).map(|c| layout.register(register, c)));
            }
            if let Target::Indirect(indirect) = dest.target {
                writes.extend(layout.array(&indirect));
            }
            if let Some(cc) = instruction.update_cc() {
                writes.extend(components(mask).map(|c| layout.flags(cc, c)));
            }
        }
        match instruction.kind {
            Kind::Kill(_) => writes.push(layout.killed),
            Kind::Emit(Emit::EndPrimitive) => writes.push(layout.emitted),
            Kind::Emit(Emit::Vertex | Emit::ToStream) => {
                writes.push(layout.emitted);
                for id in 0..self.program.outputs.len() as u16 {
                    let register = Register::Output(OutputId(id));
                    writes.extend((0..4).map(|c| layout.register(register, c)));
                }
            }
            Kind::Memory(memory) if !matches!(memory.access, Access::Load(_)) => writes.push(layout.memory),
            Kind::Flow(Control::PushAddress | Control::PopAddress(_)) => writes.push(layout.stack),
            Kind::Flow(control) => {
                for entry in called(self.program, control) {
                    if let Some(function) = self.functions.get(&entry) {
                        writes.extend(&function.writes);
                    }
                }
                let index = |id: TempId| layout.register(Register::Temp(id), 0);
                match control {
                    Control::Loop { index: own, .. } => writes.extend(own.map(index)),
                    // An outer loop's index may be restored, if a caller's loop uses the same register.
                    Control::EndLoop { .. } | Control::Break { .. } | Control::Return { .. }
                        if !self.functions.is_empty() =>
                    {
                        writes.extend(self.indices.iter().copied().map(index));
                    }
                    Control::EndLoop { start } => {
                        let start = start.checked_sub(1).and_then(|at| self.program.instructions.get(at));
                        if let Some(Control::Loop { index: own, .. }) = start.and_then(|i| i.control()) {
                            writes.extend(own.map(index));
                        }
                    }
                    _ => {}
                }
            }
            Kind::Memory(_) | Kind::Alu(_) | Kind::Convert(..) | Kind::Texture(..) | Kind::Barrier => {}
        }
    }
}

/// The possible targets of a call.
fn called(program: &Program, control: Control) -> impl Iterator<Item = usize> {
    let (one, variable) = match control {
        Control::Call { to, .. } => (Some(to), None),
        Control::CallIndirect { variable, .. } => (None, Some(variable)),
        _ => (None, None),
    };
    one.into_iter().chain(variable.into_iter().flat_map(|variable| program.called_through(variable)))
}
