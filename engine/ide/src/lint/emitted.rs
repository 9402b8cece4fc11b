//! The vertices that a geometry program emits: how many, and to which streams.
//!
//! [`findings`] counts the vertices of one invocation along the blocks of the text: the least and the most of
//! all paths. Every invocation emits the least, unless the limit of executed instructions ends it first.

use super::analysis::Finding;
use shadestep_language::ir::{
    Control, Emit, Instruction, Kind, Operand, ParameterSource, Program, Source, limits,
};
use shadestep_language::isa::Stage;
use shadestep_language::semantics::ops::loop_count;
use std::collections::HashMap;

/// The limit on visits to instructions while counting, for each instruction of the program. Subroutines may
/// overlap, so that counting visits some instructions several times.
const MOST_LOOKS: usize = 8;

/// Finds faults of the vertices that `program` emits.
pub(super) fn findings(program: &Program) -> Vec<Finding> {
    if program.stage() != Stage::Geometry {
        return Vec::new();
    }
    let mut found: Vec<Finding> = Vec::new();
    for at in 0..program.instructions.len() {
        if let Some(stream) = stream(program, at)
            && !(0..i64::from(limits::VERTEX_STREAMS)).contains(&stream)
        {
            found.push(Finding::NoStream { at, stream });
        }
    }
    found.extend(too_many(program));
    found
}

/// The stream that the instruction at `at` emits a vertex to, if it emits one and the text says to which.
pub(super) fn stream(program: &Program, at: usize) -> Option<i64> {
    let instruction = &program.instructions[at];
    match instruction.kind {
        Kind::Emit(Emit::Vertex) => Some(0),
        Kind::Emit(Emit::ToStream) => {
            let bits = constant(program, instruction.operands.first()?)?;
            let stream = i64::from((bits as u32).cast_signed());
            let is_negative = instruction.operands.first()?.negate.has(0);
            Some(if is_negative { -stream } else { stream })
        }
        _ => None,
    }
}

/// The bits of x of an operand that is a constant without `|...|`.
fn constant(program: &Program, operand: &Operand) -> Option<u64> {
    let Source::Param(id) = operand.source else { return None };
    let ParameterSource::Constant(value) = program.parameters.get(usize::from(id.0))?.source else {
        return None;
    };
    let component = *value.bits.get(usize::from(operand.swizzle.0[0]))?;
    (!operand.absolute).then_some(component)
}

/// The number of iterations of the loop that `instruction` begins, if the text determines the number.
fn iterations(program: &Program, instruction: &Instruction) -> Option<u64> {
    let operand = instruction.operands.first()?;
    let bits = constant(program, operand).filter(|_| !operand.negate.has(0) && !instruction.ty.is_wide())?;
    let count = loop_count(instruction.ty, [f32::from_bits(bits as u32), 0.0]);
    Some(count.min(program.flow_limits().loop_count).into())
}

/// The number of vertices that the paths to a place have emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    least: u64,
    /// `None` if the text does not determine the number.
    most: Option<u64>,
}

impl Count {
    const NONE: Self = Self { least: 0, most: Some(0) };
    const UNKNOWN: Self = Self { least: 0, most: None };

    /// The vertices of two sections that run one after the other.
    fn then(self, after: Self) -> Self {
        let most = self.most.zip(after.most).map(|(one, other)| one.saturating_add(other));
        Self { least: self.least.saturating_add(after.least), most }
    }

    /// The vertices of `count` iterations.
    fn times(self, count: u64) -> Self {
        let most = self.most.map(|most| most.saturating_mul(count));
        Self { least: self.least.saturating_mul(count), most }
    }

    /// The vertices of a choice between two sections.
    fn or(self, other: Self) -> Self {
        let most = self.most.zip(other.most).map(|(one, other)| one.max(other));
        Self { least: self.least.min(other.least), most }
    }
}

/// The vertices at a place with two predecessors. `None` marks a predecessor that no path reaches.
fn either(one: Option<Count>, other: Option<Count>) -> Option<Count> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.or(other)),
        (only, None) | (None, only) => only,
    }
}

/// The vertices of the paths from the beginning of a subroutine or of a loop's iteration to each exit. `None`
/// if no path leads there.
#[derive(Clone, Copy, Debug)]
struct Paths {
    next: Option<Count>,
    /// Out of the subroutine.
    returned: Option<Count>,
    /// Out of the program.
    ended: Option<Count>,
    /// Out of the innermost loop.
    left: Option<Count>,
    /// To the end of its iteration.
    continued: Option<Count>,
}

impl Paths {
    const START: Self =
        Self { next: Some(Count::NONE), returned: None, ended: None, left: None, continued: None };

    /// Adds `count` to the paths that continue at the next instruction.
    fn emit(&mut self, count: Count) {
        self.next = self.next.map(|next| next.then(count));
    }

    /// The paths after a loop that begins here. Each iteration runs as `inner` describes, `count` times if
    /// the count is known.
    fn after_loop(self, inner: Self, count: Option<u64>, is_endless: bool) -> Self {
        let Some(before) = self.next.filter(|_| count != Some(0)) else { return self };
        let whole = either(inner.next, inner.continued);
        let iterations = |whole: Count| match count {
            Some(count) => whole.times(count),
            None if whole == Count::NONE => Count::NONE,
            None => Count::UNKNOWN,
        };
        // A path may leave in any iteration. The least count is for an exit in the first one.
        let exit = |exit: Option<Count>| {
            let earlier = whole.map_or(Count::NONE, iterations);
            exit.map(|exit| {
                let most = earlier.most.zip(exit.most).map(|(one, other)| one.saturating_add(other));
                before.then(Count { least: exit.least, most })
            })
        };
        let full = match whole {
            _ if is_endless => None,
            Some(whole) => Some(iterations(whole)),
            // No iteration reaches its end, and the loop may have no iterations.
            None => count.is_none().then_some(Count::NONE),
        };
        let endless = (is_endless && whole.is_some()).then_some(Count::UNKNOWN);
        Self {
            next: either(full.map(|full| before.then(full)), exit(inner.left)),
            returned: either(self.returned, exit(inner.returned)),
            ended: either(either(self.ended, exit(inner.ended)), endless),
            ..self
        }
    }
}

/// A block that counting has entered.
enum Block {
    /// The paths to the IF, and the paths from its first branch to the ENDIF.
    If { start: Option<Count>, first: Option<Count>, end: usize },
    /// The paths to the loop, and its number of iterations.
    Loop { before: Paths, count: Option<u64>, is_endless: bool },
}

/// Counts the vertices of a program's subroutines.
struct Counter<'p> {
    program: &'p Program,
    /// The vertices of each subroutine, by its first instruction: first of paths that return, then of paths
    /// that end the program.
    subroutines: HashMap<usize, [Option<Count>; 2]>,
    looks_left: usize,
    limit: u64,
    /// The first instruction of the main program after which every path to it has emitted more vertices than
    /// the limit.
    excess: Option<usize>,
    /// The last instruction of the main program that may emit a vertex.
    last: usize,
}

/// The warning that every path emits more vertices than VERTICES_OUT declares.
fn too_many(program: &Program) -> Option<Finding> {
    let limit = u64::from(program.geometry?.vertices_out);
    let looks_left = MOST_LOOKS * program.instructions.len();
    let mut counter =
        Counter { program, subroutines: HashMap::new(), looks_left, limit, excess: None, last: 0 };
    let paths = counter.paths(program.entry, 0)?;
    let all = either(paths.next, either(paths.returned, paths.ended))?;
    let at = counter.excess.unwrap_or(counter.last);
    (all.least > limit).then_some(Finding::TooManyVertices { at, least: all.least, most: all.most })
}

impl Counter<'_> {
    /// The paths from the instruction at `start`, after `depth` calls. `None` if counting takes too long.
    fn paths(&mut self, start: usize, depth: usize) -> Option<Paths> {
        let (program, mut paths, mut blocks) = (self.program, Paths::START, Vec::new());
        for pc in start..program.instructions.len() {
            self.looks_left = self.looks_left.checked_sub(1)?;
            let kind = program.instructions[pc].kind;
            let is_main = depth == 0;
            if is_main && emits(kind) {
                self.last = pc;
            }
            match kind {
                Kind::Emit(Emit::Vertex | Emit::ToStream) => paths.emit(self.emitted(pc)),
                Kind::Flow(Control::Call { to, test }) => {
                    let [returned, ended] = self.subroutine(to, depth)?;
                    self.call(&mut paths, [returned, ended], test.is_some());
                }
                Kind::Flow(Control::CallIndirect { variable, .. }) => {
                    let mut all = [None; 2];
                    for to in program.called_through(variable) {
                        let found = self.subroutine(to, depth)?;
                        all = [either(all[0], found[0]), either(all[1], found[1])];
                    }
                    self.call(&mut paths, all, true);
                }
                Kind::Flow(control) => steer(program, (pc, control), &mut paths, &mut blocks, depth)?,
                _ => {}
            }
            if blocks.is_empty() {
                let exceeds = paths.next.is_some_and(|next| next.least > self.limit);
                if is_main && exceeds {
                    self.excess.get_or_insert(self.last);
                }
                if paths.next.is_none() {
                    break;
                }
            }
        }
        Some(paths)
    }

    /// Counts the vertices that the instruction at `pc` emits.
    fn emitted(&self, pc: usize) -> Count {
        match stream(self.program, pc) {
            Some(stream) if (0..i64::from(limits::VERTEX_STREAMS)).contains(&stream) => {
                Count { least: 1, most: Some(1) }
            }
            Some(_) => Count::NONE,
            None => Count { least: 0, most: Some(1) },
        }
    }

    /// Adds the vertices of a call to `paths`.
    fn call(&self, paths: &mut Paths, [returned, ended]: [Option<Count>; 2], may_be_skipped: bool) {
        let Some(before) = paths.next else { return };
        let skipped = may_be_skipped.then_some(Count::NONE);
        paths.next = either(returned, skipped).map(|count| before.then(count));
        paths.ended = either(paths.ended, ended.map(|count| before.then(count)));
    }

    /// The vertices of the subroutine at `start`, which is called after `depth` calls.
    fn subroutine(&mut self, start: usize, depth: usize) -> Option<[Option<Count>; 2]> {
        if let Some(known) = self.subroutines.get(&start) {
            return Some(*known);
        }
        // One call too many ends the program. For a recursive call, the vertices are unknown.
        let unknown = [Some(Count::UNKNOWN); 2];
        if depth >= self.program.flow_limits().calls {
            return Some(unknown);
        }
        self.subroutines.insert(start, unknown);
        let paths = self.paths(start, depth + 1)?;
        let found = [paths.returned, either(paths.ended, paths.next)];
        self.subroutines.insert(start, found);
        Some(found)
    }
}

/// Whether an instruction emits vertices, or calls a subroutine that may.
const fn emits(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Emit(Emit::Vertex | Emit::ToStream)
            | Kind::Flow(Control::Call { .. } | Control::CallIndirect { .. })
    )
}

/// Follows a flow instruction other than a call. `None` for branches and address stacks, which leave the
/// block structure.
fn steer(
    program: &Program,
    (pc, control): (usize, Control),
    paths: &mut Paths,
    blocks: &mut Vec<Block>,
    depth: usize,
) -> Option<()> {
    let next = paths.next;
    // With a test, paths also continue at the next instruction.
    let leave = |place: &mut Option<Count>, goes_on: bool| {
        *place = either(*place, next);
        if goes_on { next } else { None }
    };
    match control {
        Control::Return { test } => paths.next = leave(&mut paths.returned, test.is_some()),
        Control::ReturnIfCalled => {
            paths.next = if depth > 0 { leave(&mut paths.returned, false) } else { next }
        }
        Control::Break { test, .. } => paths.next = leave(&mut paths.left, test.is_some()),
        Control::Continue { test, .. } => paths.next = leave(&mut paths.continued, test.is_some()),
        Control::If { otherwise, .. } => blocks.push(Block::If { start: next, first: None, end: otherwise }),
        Control::Else { .. } => {
            let Some(Block::If { start, first, .. }) = blocks.last_mut() else { return None };
            *first = next;
            paths.next = *start;
        }
        Control::EndIf => {
            let Some(Block::If { start, first, end }) = blocks.pop() else { return None };
            let skipped = if program.has_else(end) { first } else { start };
            paths.next = either(next, skipped);
        }
        Control::Loop { .. } => {
            let instruction = &program.instructions[pc];
            let (count, is_endless) = (iterations(program, instruction), instruction.operands.is_empty());
            let before = std::mem::replace(paths, Paths::START);
            blocks.push(Block::Loop { before, count, is_endless });
        }
        Control::EndLoop { .. } => {
            let Some(Block::Loop { before, count, is_endless }) = blocks.pop() else { return None };
            *paths = before.after_loop(*paths, count, is_endless);
        }
        Control::Branch { .. }
        | Control::Call { .. }
        | Control::CallIndirect { .. }
        | Control::PushAddress
        | Control::PopAddress(_) => return None,
    }
    Some(())
}
