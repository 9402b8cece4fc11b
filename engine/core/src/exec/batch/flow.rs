//! Flow control of the batch executor: cuts a program into basic blocks and decides which lanes run which
//! block.
//!
//! A block begins at a label and after every flow instruction, so a lane is always at the start of a block.
//! The next block is the one whose lanes have the smallest [`Place`](crate::exec::invocation::Place), so
//! lanes that diverged reconverge where their paths join. `inline` copies small subroutines into the blocks
//! that call them. `convert` turns small IF blocks into selections, and `whole` finds loop kernels. `lanes`
//! keeps the stacks and loops of the lanes, `masks` has the loops over lanes.
//!
//! `lower` computes the contents of a block. [`crate::exec::invocation`] is the plain definition of the flow.

mod convert;
mod exits;
mod inline;
mod lanes;
mod loop_kernel;
mod masks;

pub use convert::Guard;
pub use lanes::Lanes;
pub use loop_kernel::LoopKernel;
pub use masks::{change, passing};

use inline::{Step, Steps};

use super::layout::Layout;
pub use crate::exec::lir::exit::{BlockIndex, Exit};
use shadestep_language::ir::{CcTest, Control, Program, SubroutineVariable};
use shadestep_language::isa::FlowLimits;

/// Instructions that are entered at the first and left after the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The instructions. A flow instruction can only be the last one.
    pub steps: Vec<BlockStep>,
    /// Number of instructions that count towards the limit.
    pub counted: u32,
    /// Number of counted instructions that all lanes execute.
    pub common: u32,
    /// The converted IF blocks, each after the block that contains it.
    pub converted: Vec<Converted>,
    pub exit: Exit,
    /// The test of the exit, if it has one.
    pub test: Option<CcTest>,
}

/// An instruction of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockStep {
    /// Index in the program.
    pub pc: usize,
    /// The instruction's role in a converted IF block.
    pub guard: Option<Guard>,
}

/// The lanes that execute an instruction: all lanes in the block, or the lanes that passed or failed the test
/// of a converted IF.
pub type Branch = Option<(usize, bool)>;

/// A converted IF block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Converted {
    /// The lanes that execute the IF.
    pub within: Branch,
    /// Counted instructions of lanes that pass the test, without inner blocks.
    pub passed: u32,
    /// Counted instructions of lanes that fail the test.
    pub failed: u32,
}

impl Block {
    fn of(program: &Program, steps: &[Step], exit: Exit) -> Self {
        let control = steps.last().and_then(|step| step.control);
        let cost = |step: &Step| program.instructions[step.pc].cost();
        let mut block = Self {
            steps: steps.iter().map(|&Step { pc, guard, .. }| BlockStep { pc, guard }).collect(),
            counted: steps.iter().map(cost).sum(),
            common: 0,
            converted: Vec::new(),
            exit,
            test: control.and_then(|control| control.test()),
        };
        let mut branch: Branch = None;
        for step in steps {
            match (step.guard, branch) {
                (Some(Guard::If(_)), _) => {
                    block.count(branch, cost(step));
                    block.converted.push(Converted { within: branch, passed: 0, failed: 0 });
                    branch = Some((block.converted.len() - 1, true));
                }
                // Lanes that passed execute the ELSE and continue at the ENDIF.
                (Some(Guard::Else), Some((converted, _))) => {
                    block.count(branch, cost(step));
                    branch = Some((converted, false));
                }
                // Without an ELSE, lanes that failed skip the ENDIF.
                (Some(Guard::EndIf), Some((converted, passed))) => {
                    let outer = block.converted[converted].within;
                    block.count(if passed { branch } else { outer }, cost(step));
                    branch = outer;
                }
                _ => block.count(branch, cost(step)),
            }
        }
        block
    }

    fn count(&mut self, branch: Branch, cost: u32) {
        match branch {
            None => self.common += cost,
            Some((converted, true)) => self.converted[converted].passed += cost,
            Some((converted, false)) => self.converted[converted].failed += cost,
        }
    }

    /// Indices of the instructions, in the order of execution.
    pub fn instructions(&self) -> impl DoubleEndedIterator<Item = usize> + use<'_> {
        self.steps.iter().map(|step| step.pc)
    }
}

/// A subroutine that CALI calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Callee {
    /// First block of the subroutine.
    pub block: BlockIndex,
    /// Rank among the subroutines that one CALI has called.
    pub rank: u32,
}

/// For each variable of CALI, the subroutine of each element.
#[derive(Clone, Debug, Default)]
pub struct Callees(pub Vec<Vec<Callee>>);

/// The rule that selects the next block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The lowest block with lanes. Sufficient if no lane is in a call.
    LowestBlock,
    /// The lowest block of the lanes with the deepest calls. Their callers wait.
    DeepestCalls,
}

/// The blocks of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// In the program's order.
    pub blocks: Vec<Block>,
    /// Where execution begins.
    pub entry: BlockIndex,
    /// For each variable of CALI, the possible targets.
    pub callees: Vec<Vec<BlockIndex>>,
    /// First block of each numbered subroutine.
    pub subroutines: Vec<BlockIndex>,
    /// Whether active IF blocks are counted.
    pub counting: Counting,
    /// Maximum depths of calls and blocks.
    pub limits: &'static FlowLimits,
    /// The rule that selects the next block.
    pub order: Order,
}

impl Graph {
    /// Cuts `program` into blocks.
    pub fn of(program: &Program, layout: &Layout) -> Self {
        let counting = counts_blocks(program);
        let mut steps = Steps::of(program);
        convert::convert(program, &mut steps, counting);
        let length = steps.all.len();
        let mut starts = vec![false; length + 1];
        starts[0] = true;
        starts[length] = true;
        starts[steps.entry] = true;
        steps.subroutines.iter().for_each(|&at| starts[at] = true);
        for (at, step) in steps.all.iter().enumerate() {
            let Some(control) = step.control else { continue };
            starts[at + 1] = true;
            if let Some(to) = control.target() {
                starts[to] = true;
            }
        }
        // Block number of each step that starts a block. The program's end has the last number.
        let mut number = vec![0; length + 1];
        let mut bounds = Vec::new();
        for at in (0..=length).filter(|&at| starts[at]) {
            number[at] = bounds.len();
            bounds.push(at);
        }
        let block = |pair: &[usize]| {
            let last = &steps.all[pair[1] - 1];
            let exit = exits::exit((program, layout), (&steps, last), &number, counting);
            Block::of(program, &steps.all[pair[0]..pair[1]], exit)
        };
        let blocks: Vec<Block> = bounds.windows(2).map(block).collect();
        let subroutines: Vec<BlockIndex> = steps.subroutines.iter().map(|&at| number[at]).collect();
        let callees = program.subroutines.variables.iter().map(|variable| {
            let members = program.subroutines.types.get(variable.ty).map_or(&[][..], |ty| &ty.members);
            members.iter().filter_map(|&member| subroutines.get(member).copied()).collect()
        });
        let callees = callees.collect();
        let (entry, limits) = (number[steps.entry], program.flow_limits());
        let calls = |block: &Block| matches!(block.exit, Exit::Call(_) | Exit::CallIndirect(_));
        // Lanes of a thread group see each other's registers. In other stages the order changes no bit.
        let grouped = program.stage().has_thread_groups();
        let order =
            if grouped && blocks.iter().any(calls) { Order::DeepestCalls } else { Order::LowestBlock };
        Self { blocks, entry, callees, subroutines, counting, limits, order }
    }

    /// The subroutine of each element of each variable, for the values `chosen` of the subroutine parameters.
    pub fn calls(&self, program: &Program, chosen: &[u32]) -> Callees {
        let subroutines = &program.subroutines;
        let elements = |(number, variable): (usize, &SubroutineVariable)| {
            let places = (0..variable.parameters.len()).filter_map(|index| {
                let called = subroutines.called(number, i64::try_from(index).ok()?, chosen)?;
                let block = self.subroutines.get(called).copied()?;
                Some(Callee { block, rank: subroutines.rank(called) })
            });
            places.collect()
        };
        Callees(subroutines.variables.iter().enumerate().map(elements).collect())
    }

    /// The blocks that lanes may go to from block `index`.
    pub fn successors(&self, index: BlockIndex) -> Vec<BlockIndex> {
        let next = index + 1;
        match &self.blocks[index].exit {
            Exit::Next | Exit::EndIf | Exit::PushAddress(_) | Exit::PopAddress(_) => vec![next],
            // A call returns to the next block, or is not taken.
            Exit::Branch(to) | Exit::Call(to) | Exit::Break(to) | Exit::Continue(to) => vec![next, *to],
            Exit::If(condition) => vec![next, condition.otherwise],
            Exit::Loop(begin) => vec![next, begin.end],
            Exit::EndLoop(end) => vec![next, end.start],
            Exit::CallIndirect(call) => {
                let callees = self.callees.get(call.variable).map_or(&[][..], |callees| callees);
                callees.iter().copied().chain([next]).collect()
            }
            Exit::Return | Exit::ReturnIfCalled => {
                let is_call = |exit: &Exit| matches!(exit, Exit::Call(_) | Exit::CallIndirect(_));
                let calls = |(at, block): (usize, &Block)| is_call(&block.exit).then_some(at + 1);
                let mut all: Vec<_> = self.blocks.iter().enumerate().filter_map(calls).collect();
                all.push(next);
                all
            }
        }
    }
}

/// Whether active IF blocks are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// The program cannot exceed the maximum.
    #[default]
    Needless,
    /// The program may exceed the maximum.
    Needed,
}

/// Counting is unnecessary if the deepest nesting of the text, in every subroutine of the deepest call stack,
/// stays within the maximum.
fn counts_blocks(program: &Program) -> Counting {
    let (mut depth, mut deepest) = (0usize, 0);
    for instruction in &program.instructions {
        match instruction.control() {
            Some(Control::If { .. }) => depth += 1,
            Some(Control::EndIf) => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    let limits = program.flow_limits();
    if deepest * (limits.calls + 1) <= limits.active_ifs { Counting::Needless } else { Counting::Needed }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(text: &str) -> Graph {
        let text = format!("!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP a;\n{text}END\n");
        let program = shadestep_language::front::load(text.as_bytes()).program.expect("a program");
        Graph::of(&program, &Layout::new(&program))
    }

    #[test]
    fn converted_blocks_count_those_who_come_to_each_instruction() {
        // Inner IF, ELSE and ENDIF: lanes that pass execute all three, lanes that fail only IF and ENDIF.
        let text = "MOV a, 0;\nIF GT.x;\nMOV a, 1;\nIF LT.y;\nMOV a, 2;\nMOV a, 3;\nELSE;\nMOV a, 4;\nENDIF;\n\
                    ENDIF;\nMOV result.color, a;\n";
        let graph = graph(text);
        let [block] = graph.blocks.as_slice() else { panic!("one block: {graph:?}") };
        assert_eq!((block.counted, &block.exit), (11, &Exit::Next));
        // MOV, IF and the last MOV.
        assert_eq!(block.common, 3);
        let outer = Converted { within: None, passed: 4, failed: 0 };
        let inner = Converted { within: Some((0, true)), passed: 3, failed: 1 };
        assert_eq!(block.converted, [outer, inner]);
    }

    #[test]
    fn programs_are_cut_where_lanes_may_part_or_meet() {
        let text =
            "MOV a, 0;\nREP 3;\nADD a, a, 1;\nBRK (GT.x);\nMUL a, a, 2;\nENDREP;\nMOV result.color, a;\n";
        let graph = graph(text);
        let lengths: Vec<u32> = graph.blocks.iter().map(|block| block.counted).collect();
        assert_eq!(lengths, [2, 2, 2, 1]);
        assert!(matches!(&graph.blocks[0].exit, Exit::Loop(begin) if begin.end == 3));
        assert!(graph.blocks[1].exit == Exit::Break(3) && graph.blocks[1].test.is_some());
        assert!(matches!(&graph.blocks[2].exit, Exit::EndLoop(end) if end.start == 1));
        assert_eq!([0, 1, 2].map(|at| graph.successors(at)), [vec![1, 3], vec![2, 3], vec![3, 1]]);
    }
}
