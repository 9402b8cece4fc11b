//! Loop kernels: one function runs the iterations of a loop itself. It processes a few lanes at a time and
//! repeats until all of them have left the loop.
//!
//! A transition between blocks costs as much as a hundred instructions, however few lanes take it. Iterations
//! without effects, and without inner branches except BRK, are arithmetic under a mask: lanes that have left
//! keep their values. If a lane may reach the instruction limit within the loop, the loop runs block by
//! block.

use std::ops::Range;

use super::{BlockIndex, Counting, Exit, Graph, convert};
use shadestep_language::ir::{Control, Program};

/// The iterations of a loop that can run as a loop kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopKernel {
    pub blocks: Range<BlockIndex>,
    /// The most counted instructions of one iteration.
    pub counted: u32,
    /// Number of unrolled iterations.
    pub times: u32,
}

/// Minimum number of instructions in the unrolled body. With more instructions, loads and stores at its ends
/// cost relatively less.
const AT_A_TIME: usize = 48;
/// Maximum number of unrolled iterations: lanes that leave wait until the end of the unrolled body.
const MOST_ITERATIONS: u32 = 4;

impl Graph {
    /// The iterations of the REP at the end of block `at`, if they can run as a loop kernel.
    pub fn loop_kernel(&self, program: &Program, at: BlockIndex) -> Option<LoopKernel> {
        let begin = self.blocks[at].steps.last()?.pc;
        // The index of a LOOP is an address register of each lane.
        let is_plain =
            matches!(program.instructions[begin].control(), Some(Control::Loop { index: None, .. }));
        let Exit::Loop(begin) = &self.blocks[at].exit else { return None };
        let end = begin.end;
        let blocks = at + 1..end;
        let leads_on = |index: BlockIndex| match &self.blocks[index].exit {
            Exit::EndLoop(back) => back.start == at + 1 && index + 1 == end,
            Exit::Break(to) => *to == end && self.blocks[index].test.is_some() && index + 1 < end,
            _ => false,
        };
        let is_arithmetic = |pc: usize| {
            let instruction = &program.instructions[pc];
            convert::cost_of(program, instruction).is_some()
        };
        let all = is_plain
            && self.counting == Counting::Needless
            && blocks.clone().all(leads_on)
            && self.blocks[blocks.clone()].iter().flat_map(|block| block.instructions()).all(is_arithmetic);
        all.then(|| {
            let counted = self.blocks[blocks.clone()].iter().map(|block| block.counted).sum();
            let length: usize = self.blocks[blocks.clone()].iter().map(|block| block.steps.len()).sum();
            let times = (AT_A_TIME / length.max(1)).clamp(1, MOST_ITERATIONS as usize) as u32;
            LoopKernel { blocks, counted, times }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::batch::layout::Layout;

    fn kernels(text: &str) -> Vec<Option<Range<BlockIndex>>> {
        let text = format!("!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP a;\n{text}END\n");
        let program = shadestep_language::front::load(text.as_bytes()).program.expect("a program");
        let graph = Graph::of(&program, &Layout::new(&program));
        let begins = |&at: &BlockIndex| matches!(graph.blocks[at].exit, Exit::Loop(_));
        let blocks = |at| graph.loop_kernel(&program, at).map(|kernel| kernel.blocks);
        (0..graph.blocks.len()).filter(begins).map(blocks).collect()
    }

    #[test]
    fn loops_of_arithmetic_and_breaks_become_kernels() {
        assert_eq!(kernels("REP 3;\nADD a, a, 1;\nENDREP;\n"), [Some(1..2)]);
        assert_eq!(kernels("REP 3;\nADD a, a, 1;\nBRK (GT.x);\nMUL a, a, 2;\nENDREP;\n"), [Some(1..3)]);
        assert_eq!(kernels("REP 3;\nIF LT.x;\nADD a, a, 1;\nENDIF;\nBRK (GT.x);\nENDREP;\n"), [Some(1..3)]);
        // The inner of two loops.
        assert_eq!(kernels("REP 3;\nREP 2;\nADD a, a, 1;\nENDREP;\nENDREP;\n"), [None, Some(2..3)]);
    }

    #[test]
    fn what_has_effects_or_steers_otherwise_does_not() {
        for body in [
            "KIL 1;",
            "TEX a, fragment.texcoord, texture[0], 2D;",
            "DDX a, a;",
            "BRK;",
            "RET (GT.x);",
            "IF GT.x;\nBRK;\nENDIF;",
        ] {
            assert_eq!(kernels(&format!("REP 3;\n{body}\nENDREP;\n")), [None], "{body}");
        }
        assert_eq!(kernels("LOOP {3, 0, 1, 0};\nADD a, a, 1;\nENDLOOP;\n"), [None]);
    }
}
