//! Two analyses of a program's flow: which components may have been written before an instruction, forwards, and which
//! may still be read behind it, backwards.

use super::flow::{Components, Facts, Graph, How, Read};
use crate::ir::{Control, Program};
use crate::isa::Stage;
use std::collections::VecDeque;

/// Most words that the sets of all blocks take together: programs that need more are told nothing but what is not reached.
const MOST_WORDS: usize = 1 << 16;
/// How often a block is looked at before an analysis is given up, on average over all blocks.
const MOST_ROUNDS: usize = 64;

/// Something about a program that deserves a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// These many instructions from one on are never run.
    Unreachable { first: usize, count: usize },
    /// Nothing reads what the instruction writes.
    DeadWrite { at: usize },
    /// Operand `operand`, or without one what chooses an element, reads components that nothing has written then.
    Unwritten { at: usize, operand: Option<usize>, temporary: usize, components: u8 },
    /// The instruction tests a condition code that nothing has set then.
    UnsetCondition { at: usize },
}

/// What there is to say about `program`, in the order of its instructions.
pub(super) fn findings(program: &Program) -> Vec<Finding> {
    let facts = Facts::of(program);
    let graph = Graph::of(facts);
    let reached = graph.reached();
    let mut found = unreachable(program, &graph, &reached);
    let words = graph.blocks.len().saturating_mul(Components::words(facts.registers));
    if words <= MOST_WORDS {
        let mut left_out = Components::none(facts.registers);
        facts.left_out().into_iter().for_each(|registers| left_out.insert(registers, 0xF));
        let analysis = Analysis { facts, graph: &graph, left_out };
        if let (Some(live), Some(written)) = (analysis.live(), analysis.written(&reached)) {
            analysis.judge(&reached, &live, &written, &mut found);
        }
    }
    found.sort_by_key(|finding| finding.at());
    found
}

impl Finding {
    /// The instruction that it is about.
    pub const fn at(self) -> usize {
        match self {
            Self::Unreachable { first: at, .. }
            | Self::DeadWrite { at }
            | Self::Unwritten { at, .. }
            | Self::UnsetCondition { at } => at,
        }
    }
}

fn unreachable(program: &Program, graph: &Graph, reached: &[bool]) -> Vec<Finding> {
    // What only closes a block, or nobody wrote, stands where the block has to end.
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

struct Analysis<'p> {
    facts: Facts<'p>,
    graph: &'p Graph,
    left_out: Components,
}

impl Analysis<'_> {
    fn none(&self) -> Components {
        Components::none(self.facts.registers)
    }

    /// What may be read behind each block.
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

    /// What is read at the end: the outputs, unless they go on with each vertex.
    fn end(&self, live: &mut Components) {
        if self.facts.program.stage() != Stage::Geometry {
            live.insert(self.facts.registers.all_outputs(), 0xF);
        }
    }

    /// Goes from what may be read behind the instruction at `pc` to what may be read before it.
    fn step_back(&self, pc: usize, live: &mut Components) {
        self.facts.writes(pc, |write| {
            if write.surely {
                live.remove(write.registers, write.components);
            }
        });
        self.facts.reads(pc, 0xF, |read| live.insert(read.registers, read.components));
    }

    /// What may have been written before each block.
    fn written(&self, reached: &[bool]) -> Option<Vec<Components>> {
        let blocks = &self.graph.blocks;
        let mut before = vec![self.none(); blocks.len()];
        let mut waiting: VecDeque<usize> = (0..blocks.len()).filter(|&number| reached[number]).collect();
        let mut is_waiting = reached.to_vec();
        let mut left = blocks.len() * MOST_ROUNDS;
        while let Some(number) = waiting.pop_front() {
            left = left.checked_sub(1)?;
            is_waiting[number] = false;
            let mut written = before[number].clone();
            for pc in blocks[number].range.clone() {
                self.facts.writes(pc, |write| written.insert(write.registers, write.components));
            }
            for &next in &blocks[number].next {
                if before[next].add(&written) && !std::mem::replace(&mut is_waiting[next], true) {
                    waiting.push_back(next);
                }
            }
        }
        Some(before)
    }

    /// Looks at every instruction that may be run.
    fn judge(&self, reached: &[bool], live: &[Components], written: &[Components], found: &mut Vec<Finding>) {
        let mut told = self.left_out.clone();
        let blocks = self.graph.blocks.iter().enumerate().filter(|(number, _)| reached[*number]);
        for (number, block) in blocks {
            // What may be read behind each instruction of the block, from the last one on.
            let mut behind = Vec::with_capacity(block.range.len());
            let mut still = live[number].clone();
            for pc in block.range.clone().rev() {
                behind.push(self.wanted(pc, &still));
                self.step_back(pc, &mut still);
            }
            let mut before = written[number].clone();
            for (pc, wanted) in block.range.clone().zip(behind.into_iter().rev()) {
                match wanted {
                    None => found.push(Finding::DeadWrite { at: pc }),
                    Some(wanted) => self.look_at_reads(pc, wanted, &before, &mut told, found),
                }
                self.facts.writes(pc, |write| before.insert(write.registers, write.components));
            }
        }
    }

    /// The components of the instruction's result that matter, where `live` may be read behind it; nothing if it
    /// does nothing but write what nobody reads.
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

    /// Looks for components among those that the instruction reads that nothing has written; each register once.
    fn look_at_reads(
        &self,
        pc: usize,
        wanted: u8,
        written: &Components,
        told: &mut Components,
        found: &mut Vec<Finding>,
    ) {
        self.facts.reads(pc, wanted, |Read { registers, components, how }| {
            // Of several, each may not be meant.
            let Some(register) = registers.only() else { return };
            let missing = components & !written.get(register);
            if missing == 0 || told.get(register) != 0 {
                return;
            }
            let operand = match how {
                How::Perhaps | How::OwnTest => return,
                How::Test => {
                    // A component that nothing sets is EQ, and others decide.
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
