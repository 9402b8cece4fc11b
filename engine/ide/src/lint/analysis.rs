//! Two data-flow analyses of a program. The forward one finds the components that may have been written
//! before an instruction. The backward one finds the components that may still be read after it (liveness).
//! [`findings`] collects the warnings that follow from both.

use super::emitted;
use super::flow::{Components, Facts, Graph, How, Read};
use shadestep_language::ir::{
    Control, Instruction, Output, OutputId, OutputRole, PatchResult, Program, Target, VertexResult,
};
use shadestep_language::isa::Stage;
use std::collections::VecDeque;

/// The limit on the words in the sets of all blocks together. Above the limit, the analyses are skipped, and
/// only unreachable instructions are found.
const MOST_WORDS: usize = 1 << 16;
/// The limit on visits to a block, on average over all blocks. Above the limit, an analysis returns no
/// findings.
const MOST_ROUNDS: usize = 64;

/// A suspicious place in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// `count` instructions from `first` on are never run.
    Unreachable { first: usize, count: usize },
    /// Nothing reads the value that the instruction writes.
    DeadWrite { at: usize },
    /// Operand `operand` reads components that nothing has written before. Without an operand, the index of
    /// an element does.
    Unwritten { at: usize, operand: Option<usize>, temporary: usize, components: u8 },
    /// The instruction tests a condition code that nothing has set before.
    UnsetCondition { at: usize },
    /// The instruction writes only components of its output that have no effect.
    IdleComponents { at: usize, output: usize },
    /// EMIT emits a vertex whose position has components that no path has written since the last vertex.
    UnwrittenPosition { at: usize, output: usize, components: u8 },
    /// EMITS names a vertex stream that does not exist.
    NoStream { at: usize, stream: i64 },
    /// Every path emits more vertices than VERTICES_OUT allows: `least` to `most`. The excess begins with
    /// this instruction.
    TooManyVertices { at: usize, least: u64, most: Option<u64> },
    /// A control program writes no tessellation level. The header is marked, because no instruction is at
    /// fault.
    NoLevels,
}

/// The warnings about `program`, in the order of its instructions.
pub(super) fn findings(program: &Program) -> Vec<Finding> {
    let facts = Facts::of(program);
    let graph = Graph::of(facts);
    let reached = graph.reached();
    let mut found = unreachable(program, &graph, &reached);
    if let Some(analysis) = Analysis::of(facts, &graph, &reached) {
        analysis.judge(&mut found);
    }
    let mut is_run = vec![false; program.instructions.len()];
    let runs = graph.blocks.iter().zip(&reached).filter(|(_, reached)| **reached);
    runs.for_each(|(block, _)| is_run[block.range.clone()].fill(true));
    found.extend(levels(program, &is_run));
    found.extend(emitted::findings(program).into_iter().filter(|finding| is_run[finding.at()]));
    found.sort_by_key(|finding| finding.at());
    found
}

/// The warning that a control program writes no level.
fn levels(program: &Program, is_run: &[bool]) -> Option<Finding> {
    let writes_level = |(instruction, is_run): (&Instruction, &bool)| {
        let mut written = instruction.dest().into_iter().flat_map(|dest| program.outputs_of(dest.target));
        let is_level = |output: &Output| {
            matches!(output.role, OutputRole::Patch(PatchResult::Outer(_) | PatchResult::Inner(_)))
        };
        *is_run && written.any(is_level)
    };
    let is_control = program.stage() == Stage::TessControl;
    (is_control && !program.instructions.iter().zip(is_run).any(writes_level)).then_some(Finding::NoLevels)
}

impl Finding {
    /// The number of the instruction with the warning.
    pub const fn at(self) -> usize {
        match self {
            Self::Unreachable { first: at, .. }
            | Self::DeadWrite { at }
            | Self::Unwritten { at, .. }
            | Self::IdleComponents { at, .. }
            | Self::UnwrittenPosition { at, .. }
            | Self::NoStream { at, .. }
            | Self::TooManyVertices { at, .. }
            | Self::UnsetCondition { at } => at,
            Self::NoLevels => 0,
        }
    }
}

fn unreachable(program: &Program, graph: &Graph, reached: &[bool]) -> Vec<Finding> {
    // Instructions that only close a block, or that the front end added, have no fault: the block has to end
    // there.
    let closes = |pc: &usize| {
        let instruction = &program.instructions[*pc];
        let ends_block = matches!(
            instruction.control(),
            Some(Control::Else { .. } | Control::EndIf | Control::EndLoop { .. })
        );
        ends_block || instruction.span.is_empty()
    };
    let mut found: Vec<Finding> = Vec::new();
    let mut goes_on = false;
    for (block, &is_reached) in graph.blocks.iter().zip(reached) {
        if is_reached {
            goes_on = false;
            continue;
        }
        for pc in block.range.clone().filter(|pc| !closes(pc)) {
            match found.last_mut() {
                Some(Finding::Unreachable { count, .. }) if goes_on => *count += 1,
                _ => found.push(Finding::Unreachable { first: pc, count: 1 }),
            }
            goes_on = true;
        }
    }
    found
}

/// The results of both analyses of a program.
pub(super) struct Analysis<'p> {
    facts: Facts<'p>,
    graph: &'p Graph,
    reached: &'p [bool],
    left_out: Components,
    /// The components that may be read after each block.
    live: Vec<Components>,
    /// The components that may have been written before each block. For outputs, since the last vertex was
    /// emitted.
    written: Vec<Components>,
}

impl<'p> Analysis<'p> {
    /// Runs both analyses. `None` if the program is too large for them.
    pub fn of(facts: Facts<'p>, graph: &'p Graph, reached: &'p [bool]) -> Option<Self> {
        let words = graph.blocks.len().saturating_mul(Components::words(facts.registers));
        if words > MOST_WORDS {
            return None;
        }
        let mut left_out = Components::none(facts.registers);
        facts.left_out().into_iter().for_each(|registers| left_out.insert(registers, 0xF));
        let mut analysis = Self { facts, graph, reached, left_out, live: Vec::new(), written: Vec::new() };
        analysis.live = analysis.live()?;
        analysis.written = analysis.written()?;
        Some(analysis)
    }

    fn none(&self) -> Components {
        Components::none(self.facts.registers)
    }

    /// Computes the components that may be read after each block.
    fn live(&self) -> Option<Vec<Components>> {
        let blocks = &self.graph.blocks;
        let before = self.graph.before();
        let mut behind = vec![self.none(); blocks.len()];
        let last = blocks.iter().zip(&mut behind).filter(|(block, _)| block.ends);
        last.for_each(|(_, live)| self.end(live));
        let mut waiting: VecDeque<usize> = (0..blocks.len()).rev().collect();
        let mut is_waiting = vec![true; blocks.len()];
        let mut left = blocks.len() * MOST_ROUNDS;
        while let Some(number) = waiting.pop_front() {
            left = left.checked_sub(1)?;
            is_waiting[number] = false;
            let mut live = behind[number].clone();
            for pc in blocks[number].range.clone().rev() {
                self.step_back(pc, &mut live);
            }
            for &earlier in &before[number] {
                if behind[earlier].add(&live) && !std::mem::replace(&mut is_waiting[earlier], true) {
                    waiting.push_back(earlier);
                }
            }
        }
        Some(behind)
    }

    /// Adds the reads at the program's end: all outputs. In geometry programs, EMIT reads them instead.
    fn end(&self, live: &mut Components) {
        if self.facts.program.stage() != Stage::Geometry {
            live.insert(self.facts.registers.all_outputs(), 0xF);
        }
    }

    /// Updates `live`, the components that may be read, from after the instruction at `pc` to before the
    /// instruction.
    fn step_back(&self, pc: usize, live: &mut Components) {
        self.facts.writes(pc, |write| {
            if write.surely {
                live.remove(write.registers, write.components);
            }
        });
        self.facts.reads(pc, 0xF, |read| live.insert(read.registers, read.components));
    }

    /// Computes the components that may have been written before each block.
    fn written(&self) -> Option<Vec<Components>> {
        let (blocks, reached) = (&self.graph.blocks, self.reached);
        let mut before = vec![self.none(); blocks.len()];
        let mut waiting: VecDeque<usize> = (0..blocks.len()).filter(|&number| reached[number]).collect();
        let mut is_waiting = reached.to_vec();
        let mut left = blocks.len() * MOST_ROUNDS;
        while let Some(number) = waiting.pop_front() {
            left = left.checked_sub(1)?;
            is_waiting[number] = false;
            let mut written = before[number].clone();
            for pc in blocks[number].range.clone() {
                self.step(pc, &mut written);
            }
            for &next in &blocks[number].next {
                if before[next].add(&written) && !std::mem::replace(&mut is_waiting[next], true) {
                    waiting.push_back(next);
                }
            }
        }
        Some(before)
    }

    /// Updates `written`, the components that may have been written, from before the instruction at `pc` to
    /// after the instruction.
    fn step(&self, pc: usize, written: &mut Components) {
        self.facts.writes(pc, |write| written.insert(write.registers, write.components));
        if self.facts.emits(pc) {
            written.remove(self.facts.registers.all_outputs(), 0xF);
        }
    }

    /// Calls `take` for every instruction that may be run. The arguments are the number of the instruction,
    /// the components of its result that matter, and the components that may have been written before it. The
    /// second is `None` if the instruction only writes values that are never read.
    pub fn each(&self, mut take: impl FnMut(usize, Option<u8>, &Components)) {
        let blocks = self.graph.blocks.iter().enumerate().filter(|(number, _)| self.reached[*number]);
        for (number, block) in blocks {
            // From the last instruction to the first.
            let mut wanted = Vec::with_capacity(block.range.len());
            let mut still = self.live[number].clone();
            for pc in block.range.clone().rev() {
                wanted.push(self.wanted(pc, &still));
                self.step_back(pc, &mut still);
            }
            let mut before = self.written[number].clone();
            for (pc, wanted) in block.range.clone().zip(wanted.into_iter().rev()) {
                take(pc, wanted, &before);
                self.step(pc, &mut before);
            }
        }
    }

    /// Collects the warnings about every instruction that may be run.
    fn judge(&self, found: &mut Vec<Finding>) {
        let mut told = self.left_out.clone();
        self.each(|pc, wanted, before| {
            match wanted {
                None => found.push(Finding::DeadWrite { at: pc }),
                Some(wanted) => {
                    found.extend(self.idle_components(pc));
                    self.look_at_reads(pc, wanted, before, &mut told, found);
                }
            }
            found.extend(self.unwritten_position(pc, before));
        });
    }

    /// The warning that the instruction writes only components of its output that have no effect.
    fn idle_components(&self, pc: usize) -> Option<Finding> {
        let program = self.facts.program;
        let dest = program.instructions[pc].dest()?;
        let Target::Output(OutputId(output)) = dest.target else { return None };
        let output = usize::from(output);
        let idle = dest.mask.0 & program.outputs[output].role.components() == 0;
        (idle && dest.mask.0 != 0).then_some(Finding::IdleComponents { at: pc, output })
    }

    /// The warning that EMIT emits a vertex without components of the position that other vertices have.
    fn unwritten_position(&self, pc: usize, before: &Components) -> Option<Finding> {
        let program = self.facts.program;
        let to_first = emitted::stream(program, pc) == Some(0);
        let position = program.output(OutputRole::Vertex(VertexResult::Hpos)).filter(|_| to_first)?;
        let output = usize::from(position.0);
        let components = 0xF & !before.get(self.facts.registers.output(output));
        (components != 0).then_some(Finding::UnwrittenPosition { at: pc, output, components })
    }

    /// The components of the instruction's result that matter if `live` may be read after it. `None` if the
    /// instruction only writes registers, and nothing reads the values.
    fn wanted(&self, pc: usize, live: &Components) -> Option<u8> {
        let (mut wanted, mut writes) = (0, false);
        self.facts.writes(pc, |write| {
            writes = true;
            let read = live.get(write.registers) | self.left_out.get(write.registers);
            wanted |= read & write.components;
        });
        if !writes || !self.facts.only_writes(pc) {
            return Some(0xF);
        }
        (wanted != 0).then_some(wanted)
    }

    /// Warns about components that the instruction reads and nothing has written. Each register gets one
    /// warning.
    fn look_at_reads(
        &self,
        pc: usize,
        wanted: u8,
        written: &Components,
        told: &mut Components,
        found: &mut Vec<Finding>,
    ) {
        self.facts.reads(pc, wanted, |Read { registers, components, how }| {
            // Of several registers, the index may not choose the unwritten one.
            let Some(register) = registers.only() else { return };
            let missing = components & !written.get(register);
            if missing == 0 || told.get(register) != 0 {
                return;
            }
            let operand = match how {
                How::Perhaps | How::OwnTest => return,
                How::Test => {
                    // A component that nothing sets is EQ. If others were set, they decide the test.
                    if missing == components {
                        told.insert(register, 0xF);
                        found.push(Finding::UnsetCondition { at: pc });
                    }
                    return;
                }
                How::Operand(operand) => Some(operand),
                How::Index(operand) => operand,
            };
            told.insert(register, 0xF);
            if let Some(temporary) = self.facts.registers.number_of_temporary(register) {
                found.push(Finding::Unwritten { at: pc, operand, temporary, components: missing });
            }
        });
    }
}
