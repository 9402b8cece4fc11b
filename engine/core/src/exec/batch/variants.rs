//! The compiled variants of a program. A variant has one list of actions for the whole program, for each of
//! its blocks, or for each instruction. Each variant is compiled when it is first needed.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::compile::{Action, Lists, UncompiledLists};
use super::flow::{Block, BlockIndex, BlockStep, Graph, Guard, LoopKernel};
use super::layout::{Layout, Outcome, registers_of};
use super::lower::{Contents, Lowering, Stores};
use crate::exec::back_end::{BackEnd, MaskRegister};
use crate::exec::block::AttributeLanes;
use crate::exec::lir::{self, DemandedBits, Homes, Live, Module, Node, Segment, cut};
use shadestep_language::ir::{Attribute, ParameterSource, Program, Source, Target};
use shadestep_language::semantics::plan::Plan;

/// The specialisation key of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecializationKey {
    pub scope: CodeScope,
    pub literals: Literals,
}

/// The part of the program that has a list of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeScope {
    /// A whole program without flow control, or a block of a program with flow control. A block has three
    /// lists: with stores to all lanes, with masked stores (see [`Stores`]), and for iterations of the loop
    /// after the block (see [`Graph::loop_kernel`]).
    Block,
    /// One instruction. All values are in their lane registers after each instruction.
    Instruction,
}

/// Whether the program's constants are folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literals {
    /// Folded: the bound constants are the ones in the text.
    Known,
    /// Not folded: the bindings replace constants.
    Bound,
}

impl SpecializationKey {
    /// Number of variants.
    pub const COUNT: usize = 4;

    /// Index of this variant.
    pub const fn index(self) -> usize {
        self.scope as usize + 2 * self.literals as usize
    }
}

/// The compiled lists of one variant.
#[derive(Clone, Debug)]
pub struct CodeVariant {
    /// Lists of actions in the order of the [`CodeScope`]. The last list of a program with flow control moves
    /// results to the outputs.
    pub lists: Lists,
    /// Attribute lane registers that have to be loaded, with their lane registers of the inputs.
    pub loads: Vec<(u16, u16)>,
    /// Lane registers to fill before each run, each with one value.
    pub initial: Vec<(u16, f32)>,
}

impl CodeVariant {
    /// The only list of a program without flow control.
    pub fn all(&self) -> &[Action] {
        &self.lists.actions[0]
    }

    pub fn block(&self, index: BlockIndex, stores: Stores) -> &[Action] {
        &self.lists.actions[3 * index + stores as usize]
    }

    /// Iterations of the loop after a block, if the loop runs as a loop kernel. The function itself repeats.
    pub fn loop_kernel(&self, index: BlockIndex) -> Option<&[Action]> {
        Some(self.lists.actions[3 * index + 2].as_slice()).filter(|actions| !actions.is_empty())
    }

    pub fn instruction(&self, pc: usize) -> &[Action] {
        &self.lists.actions[pc]
    }

    /// The position of the mask that a function wrote to `register`.
    pub const fn bits(&self, register: u16) -> MaskRegister {
        MaskRegister { register, lanes: self.lists.mask_lanes }
    }

    /// The final list of a program with flow control.
    pub fn end(&self) -> &[Action] {
        self.lists.actions.last().map_or(&[], Vec::as_slice)
    }
}

/// The registers whose values callers need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The outputs, and whether a fragment survives.
    Results,
    /// All registers, as they are at the end.
    Everything,
}

/// A program with its lane registers, and the variants that have been compiled.
#[derive(Clone, Debug)]
pub struct Code {
    pub layout: Layout,
    /// For programs with flow control.
    pub flow: Option<FlowCode>,
    wanted: Wanted,
    outcomes: Vec<Outcome>,
    /// Bits of uniforms with a known value, by lane register.
    literals: BTreeMap<u16, u32>,
    /// Lane registers of inputs, by the lane registers that would hold a copy.
    inputs: BTreeMap<u16, u16>,
    back_end: &'static dyn BackEnd,
    made: [OnceLock<Option<CodeVariant>>; SpecializationKey::COUNT],
}

/// Additional data of a program with flow control.
#[derive(Clone, Debug)]
pub struct FlowCode {
    pub graph: Graph,
    /// For each block, the iterations of the loop after it, if they can run as a loop kernel.
    pub kernels: Vec<Option<LoopKernel>>,
    /// Lane registers that instructions read from other lanes, whose pc may differ.
    seen: Live,
}

impl Code {
    /// Prepares a program for a back end. Compiles nothing yet.
    pub fn new(program: &Program, wanted: Wanted, back_end: &'static dyn BackEnd) -> Self {
        let mut layout = Layout::new(program);
        let flow = program.has_flow().then(|| {
            let graph = Graph::of(program, &layout);
            layout.reserve_bits(graph.blocks.iter().map(|block| block.converted.len()).max().unwrap_or(0));
            let kernels = (0..graph.blocks.len()).map(|at| graph.loop_kernel(program, at)).collect();
            FlowCode { kernels, graph, seen: seen_by_neighbours(program, &layout) }
        });
        let literals = layout.uniforms.iter().filter_map(|(uniform, &register)| {
            let parameter = program.parameters.get(usize::from(uniform.parameter))?;
            let ParameterSource::Constant(constant) = parameter.source else { return None };
            Some((register, uniform.of(constant.bits, program).to_bits()))
        });
        // In programs of primitives, inputs are numbered in the order in which the program reads them.
        let numbered = program.stage().reads_primitives();
        let inputs = layout.attributes.iter().zip(0..).flat_map(|(&(attribute, base), number)| {
            let place = move |c| if numbered { 4 * number + c } else { AttributeLanes::index(attribute, c) };
            let low = (0..4).map(move |c| (base + c as u16, place(c) as u16));
            let high = move |c| (base + 4 + c as u16, AttributeLanes::high_index(attribute, c) as u16);
            low.chain((0..4).filter(move |_| attribute.is_long()).map(high))
        });
        Self {
            literals: literals.collect(),
            inputs: inputs.collect(),
            outcomes: layout.outcomes(program),
            layout,
            flow,
            wanted,
            back_end,
            made: Default::default(),
        }
    }

    /// The lane registers of the program's results.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// The variant with this key; `None` if the system has no memory for their code.
    pub fn variant(&self, program: &Program, key: SpecializationKey) -> Option<&CodeVariant> {
        self.made[key.index()].get_or_init(|| Making::new(self, program, key).lists()).as_ref()
    }

    /// The functions of the variant with this key, before any pass.
    pub fn module(&self, program: &Program, key: SpecializationKey) -> Module {
        let making = Making::new(self, program, key);
        making.uncompiled(&making.pruned().0).module
    }

    /// The blocks of the variant with this key, without dead code.
    pub fn blocks(&self, program: &Program, key: SpecializationKey) -> Vec<lir::Block> {
        Making::new(self, program, key).pruned().0
    }

    /// The components of inputs that results depend on, as in [`AttributeLanes`]: by [`Attribute::index`],
    /// followed by the high words of vertex attributes. For programs of primitives, in the order of
    /// [`Layout::attributes`].
    pub fn inputs_used(&self, program: &Program) -> Vec<u8> {
        let variant = SpecializationKey { scope: CodeScope::Block, literals: Literals::Bound };
        let mut used = vec![0; Attribute::SLOTS.max(self.layout.attributes.len())];
        for input in Making::new(self, program, variant).inputs_used() {
            let input = usize::from(input);
            used[input / 4] |= 1 << (input % 4);
        }
        used
    }
}

/// The lane registers of temporaries that instructions read from other lanes, whose pc may differ.
fn seen_by_neighbours(program: &Program, layout: &Layout) -> Live {
    let reads = |instruction: &&shadestep_language::ir::Instruction| {
        Plan::of(instruction).reads_neighbours(program.stage())
    };
    let operands = program.instructions.iter().filter(reads).flat_map(|instruction| &instruction.operands);
    let temporaries = operands.filter_map(|operand| match operand.source {
        Source::Temp(id) => Some(layout.temporary(id)),
        _ => None,
    });
    temporaries.flat_map(|base| base..base + 4).collect()
}

/// Builds the lists of one variant.
struct Making<'a> {
    code: &'a Code,
    program: &'a Program,
    variant: SpecializationKey,
    no_literals: BTreeMap<u16, u32>,
}

impl<'a> Making<'a> {
    const fn new(code: &'a Code, program: &'a Program, variant: SpecializationKey) -> Self {
        Self { code, program, variant, no_literals: BTreeMap::new() }
    }

    /// The block that `lower` emits.
    fn lowered(&self, stores: Stores, lower: impl FnOnce(&mut Lowering<'_>)) -> lir::Block {
        let literals = match self.variant.literals {
            Literals::Known => &self.code.literals,
            Literals::Bound => &self.no_literals,
        };
        let contents = Contents { layout: &self.code.layout, literals, inputs: &self.code.inputs };
        let mut lowering = Lowering::new(self.program, contents, stores);
        lower(&mut lowering);
        lowering.finish()
    }

    fn block(&self, block: &Block, stores: Stores) -> lir::Block {
        self.lowered(stores, |lowering| {
            block.steps.iter().for_each(|&step| lowering.step(step));
            lowering.exit(&block.exit, block.test.as_ref());
        })
    }

    /// All of a program without flow control.
    fn straight(&self) -> lir::Block {
        let (program, outcomes) = (self.program, &self.code.outcomes);
        self.lowered(Stores::Plain, |lowering| {
            (program.entry..program.instructions.len()).for_each(|pc| lowering.instruction(pc));
            lowering.outcomes(outcomes);
        })
    }

    fn end(&self) -> lir::Block {
        let outcomes = &self.code.outcomes;
        self.lowered(Stores::Plain, |lowering| lowering.outcomes(outcomes))
    }

    fn registers(&self) -> Live {
        self.code.layout.registers().collect()
    }

    /// The block of every list, without dead code, and the lane registers that are live before the program.
    fn pruned(&self) -> (Vec<lir::Block>, Live) {
        let code = self.code;
        match (&code.flow, self.variant.scope) {
            (_, CodeScope::Instruction) => {
                let stores = if code.flow.is_some() { Stores::Masked } else { Stores::Plain };
                let program = self.program;
                let mut lists = Vec::new();
                for pc in 0..program.instructions.len() {
                    let mut block = self.lowered(stores, |lowering| lowering.instruction(pc));
                    block.eliminate_dead_code(&mut self.registers());
                    lists.push(block);
                }
                (lists, self.registers())
            }
            (None, CodeScope::Block) => {
                // Results without an output stay in their lane registers.
                let stays = code.outcomes.iter().filter(|outcome| outcome.output.is_none());
                let (mut live, mut block): (Live, _) =
                    (stays.map(|outcome| outcome.register).collect(), self.straight());
                block.eliminate_dead_code(&mut live);
                (vec![block], live)
            }
            (Some(flow), CodeScope::Block) => self.pruned_blocks(flow),
        }
    }

    /// As [`Self::pruned`], for a program with flow control: the least fixed point over its graph. A lane may
    /// reach the limit at any instruction, so every output is live everywhere. So are the registers that
    /// other lanes read.
    fn pruned_blocks(&self, flow: &FlowCode) -> (Vec<lir::Block>, Live) {
        let blocks = &flow.graph.blocks;
        let end = match self.code.wanted {
            Wanted::Results => {
                let outcomes = self.code.outcomes.iter().map(|outcome| outcome.register);
                outcomes.chain(flow.seen.iter().copied()).collect()
            }
            Wanted::Everything => self.registers(),
        };
        let plain: Vec<lir::Block> = blocks.iter().map(|block| self.block(block, Stores::Plain)).collect();
        // If a block writes a register twice, a lane may end between the two writes, so both values are live.
        let seen: Vec<Vec<lir::Block>> = blocks
            .iter()
            .zip(&plain)
            .map(|(block, whole)| {
                let twice = self.writes_twice(block, &end);
                if !twice {
                    return vec![whole.clone()];
                }
                let mut depth = 0;
                let lone = |step: &BlockStep| {
                    match step.guard {
                        Some(Guard::If(_)) => depth += 1,
                        Some(Guard::EndIf) => depth -= 1,
                        Some(Guard::Else) | None => {}
                    }
                    // Lanes that do not execute the instruction keep old values.
                    let stores = if depth > 0 { Stores::Masked } else { Stores::Plain };
                    self.lowered(stores, |lowering| lowering.step(*step))
                };
                block.steps.iter().map(lone).collect()
            })
            .collect();
        let mut before = vec![end.clone(); blocks.len() + 1];
        let after = |index: usize, before: &[Live]| {
            let mut live = end.clone();
            for successor in flow.graph.successors(index) {
                live.extend(&before[successor]);
            }
            live.extend(blocks[index].exit.registers());
            live
        };
        loop {
            let mut changed = false;
            for (index, parts) in seen.iter().enumerate().rev() {
                let mut live = after(index, &before);
                // Single instructions do not include the exit's test.
                let test = blocks[index].test.filter(|_| parts.len() > 1);
                live.extend(test.iter().flat_map(|test| self.code.layout.cc_registers(test)));
                for part in parts.iter().rev() {
                    part.clone().eliminate_dead_code(&mut live);
                    live.extend(&end);
                }
                changed |= live != before[index];
                before[index] = live;
            }
            if !changed {
                break;
            }
        }
        let mut lists = Vec::new();
        for (index, plain) in plain.into_iter().enumerate() {
            let masked = self.block(&blocks[index], Stores::Masked);
            for mut block in [plain, masked] {
                block.eliminate_dead_code(&mut after(index, &before));
                lists.push(block);
            }
            lists.push(self.pruned_loop(flow, index, &before));
        }
        lists.push(self.end());
        (lists, before.swap_remove(flow.graph.entry))
    }

    /// Iterations of the loop after a block, if it runs as a loop kernel. `before` has the live registers
    /// before each block.
    fn pruned_loop(&self, flow: &FlowCode, index: BlockIndex, before: &[Live]) -> lir::Block {
        let Some(LoopKernel { blocks, times, .. }) = &flow.kernels[index] else {
            return lir::Block::default();
        };
        let (body, live_after) = (&flow.graph.blocks[blocks.clone()], &before[blocks.end]);
        let mut block = self.lowered(Stores::Plain, |lowering| lowering.iterations(body, *times, live_after));
        // With several functions, one of them would repeat without the others.
        if !block.is_function() {
            return lir::Block::default();
        }
        let layout = &self.code.layout;
        let mut live: Live = before[blocks.start].union(live_after).copied().collect();
        live.extend([layout.mask, layout.loop_count, layout.loop_length]);
        block.eliminate_dead_code(&mut live);
        block
    }

    /// Whether a block writes one of `registers` more than once.
    fn writes_twice(&self, block: &Block, registers: &Live) -> bool {
        let layout = &self.code.layout;
        let mut written = Live::new();
        let mut targets = block.instructions().filter_map(|pc| self.program.instructions[pc].dest());
        targets.any(|dest| {
            let ty = self.program.target_type(dest.target);
            let bases: Vec<u16> = match dest.target {
                Target::Indirect(indirect) => {
                    layout.elements(indirect, ty).into_iter().map(|element| element.start).collect()
                }
                target => layout.target(target).into_iter().collect(),
            };
            let components =
                (0..registers_of(ty)).filter(|register| dest.mask.has(usize::from(register % 4)));
            let registers_of = |base: u16| {
                components.clone().map(move |c| base + c).filter(|register| registers.contains(register))
            };
            bases
                .into_iter()
                .flat_map(registers_of)
                .fold(false, |twice, register| !written.insert(register) | twice)
        })
    }

    /// Lane registers of inputs that results depend on.
    fn inputs_used(self) -> Live {
        let (blocks, _) = self.pruned();
        let values = blocks.iter().flat_map(lir::Block::computed).filter_map(|node| match node {
            Node::Input(input) => Some(input),
            _ => None,
        });
        let read = blocks.iter().flat_map(lir::Block::effects).flat_map(lir::Effect::registers_read);
        values.chain(read.filter_map(|register| self.code.inputs.get(&register).copied())).collect()
    }

    fn lists(self) -> Option<CodeVariant> {
        let (blocks, live) = self.pruned();
        let lists = self.uncompiled(&blocks);
        let copied = lists.registers_of_effects();
        let loads = self.code.inputs.iter().filter(|(register, _)| copied.contains(register));
        let loads = loads.map(|(&register, &input)| (register, input)).collect();
        let initial = self.code.layout.initial(self.program);
        let initial = initial.into_iter().filter(|(register, _)| live.contains(register)).collect();
        let lists = lists.compiled(self.code.back_end, self.code.layout.kill_bits())?;
        Some(CodeVariant { lists, loads, initial })
    }

    fn uncompiled(&self, blocks: &[lir::Block]) -> UncompiledLists {
        let layout = &self.code.layout;
        let homes = Homes {
            zero: layout.zero,
            inputs: &self.code.inputs,
            kill: layout.kill_bits(),
            exit: layout.exit_bits(),
            first_free: layout.first_scratch(),
        };
        let mut first_own = layout.first_scratch();
        let list = |block| {
            let (segments, count) = cut(block, &homes);
            first_own = first_own.max(layout.first_scratch() + count);
            segments
        };
        let lists: Vec<Vec<Segment>> = blocks.iter().map(list).collect();
        UncompiledLists::new(lists, first_own, self.seen())
    }

    /// The demands of readers other than functions and effects.
    fn seen(&self) -> DemandedBits {
        let mut seen = DemandedBits::nothing(self.code.layout.low_words(self.program));
        match (self.variant.scope, self.code.wanted) {
            (CodeScope::Block, Wanted::Results) => {
                // Some outcomes stay in their lane registers. Flow control reads bits, not only numbers.
                seen.all(self.code.outcomes.iter().map(|outcome| outcome.register));
                seen.all([self.code.layout.loop_count, self.code.layout.loop_length]);
                if let Some(flow) = &self.code.flow {
                    for block in &flow.graph.blocks {
                        seen.all(block.test.iter().flat_map(|test| self.code.layout.cc_registers(test)));
                        seen.all(block.exit.registers());
                    }
                }
            }
            (CodeScope::Instruction, _) | (_, Wanted::Everything) => seen.all(self.registers()),
        }
        seen
    }
}
