//! Loops that run as a whole: one function goes round by itself, some lanes after the others, as long as any of them does.
//!
//! Going from block to block costs as much as a hundred instructions, whatever few lanes it is for. Rounds without
//! effects and without inner branches but BRK are arithmetic under a mask: lanes that have left keep what they have. Where a
//! lane may come to the limit of instructions within the loop, it runs block by block.

use std::ops::Range;

use super::{BlockIndex, Counting, Exit, Graph, convert};
use shadestep_language::ir::{Control, Program};

/// The rounds of a loop that can run as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// Its blocks.
    pub blocks: Range<BlockIndex>,
    /// The most counted instructions that a round has.
    pub counted: u32,
    /// How many rounds are carried out at a time.
    pub times: u32,
}

/// Instructions at a time, at least: what is read and written at the ends counts less then.
const AT_A_TIME: usize = 48;
/// Rounds at a time, at most: lanes that leave wait for the last.
const MOST_ROUNDS: u32 = 4;

impl Graph {
    /// The rounds that the REP at the end of block `at` begins, if they can run as a whole.
    pub fn rounds(&self, program: &Program, at: BlockIndex) -> Option<Rounds> {
        let begin = self.blocks[at].steps.last()?.pc;
        // The index of a LOOP is an address register of each lane.
        let is_plain =
            matches!(program.instructions[begin].control(), Some(Control::Loop { index: None, .. }));
        let Exit::Loop { end } = self.blocks[at].exit else { return None };
        let blocks = at + 1..end;
        let leads_on = |index: BlockIndex| match self.blocks[index].exit {
            Exit::EndLoop { start } => start == at + 1 && index + 1 == end,
            Exit::Break { to, test } => to == end && test.is_some() && index + 1 < end,
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
            let times = (AT_A_TIME / length.max(1)).clamp(1, MOST_ROUNDS as usize) as u32;
            Rounds { blocks, counted, times }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(text: &str) -> Vec<Option<Range<BlockIndex>>> {
        let text = format!("!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP a;\n{text}END\n");
        let program = shadestep_language::front::load(text.as_bytes()).program.expect("a program");
        let graph = Graph::of(&program);
        let begins = |&at: &BlockIndex| matches!(graph.blocks[at].exit, Exit::Loop { .. });
        let blocks = |at| graph.rounds(&program, at).map(|rounds| rounds.blocks);
        (0..graph.blocks.len()).filter(begins).map(blocks).collect()
    }

    #[test]
    fn arithmetic_and_breaks_run_as_a_whole() {
        assert_eq!(rounds("REP 3;\nADD a, a, 1;\nENDREP;\n"), [Some(1..2)]);
        assert_eq!(rounds("REP 3;\nADD a, a, 1;\nBRK (GT.x);\nMUL a, a, 2;\nENDREP;\n"), [Some(1..3)]);
        assert_eq!(rounds("REP 3;\nIF LT.x;\nADD a, a, 1;\nENDIF;\nBRK (GT.x);\nENDREP;\n"), [Some(1..3)]);
        // The inner one of two.
        assert_eq!(rounds("REP 3;\nREP 2;\nADD a, a, 1;\nENDREP;\nENDREP;\n"), [None, Some(2..3)]);
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
            assert_eq!(rounds(&format!("REP 3;\n{body}\nENDREP;\n")), [None], "{body}");
        }
        assert_eq!(rounds("LOOP {3, 0, 1, 0};\nADD a, a, 1;\nENDLOOP;\n"), [None]);
    }
}
