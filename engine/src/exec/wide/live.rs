//! Which result components anything depends on, found from the end of the program backwards.

use super::lower::source_components;
use crate::ir::{Condition, OutputRole, Program, Source, Target};

/// What is needed of one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needed {
    /// Components that must reach the destination register.
    pub result: u8,
    /// Components that must reach the condition code.
    pub cc: u8,
}

/// Liveness of a whole program, by component masks (bit 0 = x).
#[derive(Clone, Debug)]
pub struct Liveness {
    /// By instruction.
    pub needed: Vec<Needed>,
    /// Components of temporaries whose initial zero is read.
    pub temporaries_at_entry: Vec<u8>,
    /// Components of outputs whose initial zero can reach the end.
    pub outputs_at_entry: Vec<u8>,
    /// Components of the condition code whose initial EQ is read.
    pub cc_at_entry: u8,
}

impl Liveness {
    /// Everything is needed: for looking at registers after each instruction.
    pub fn everything(program: &Program) -> Self {
        let needed = program
            .instructions
            .iter()
            .map(|i| {
                let mask = i.dest.map_or(0, |d| d.mask.0);
                let stored = i.dest.is_some_and(|d| !matches!(d.target, Target::ConditionOnly(_)));
                Needed { result: if stored { mask } else { 0 }, cc: if i.update_cc { mask } else { 0 } }
            })
            .collect();
        Self {
            needed,
            temporaries_at_entry: vec![0xF; program.temporaries.len()],
            outputs_at_entry: vec![0xF; program.outputs.len()],
            cc_at_entry: 0xF,
        }
    }

    /// What the outputs and the fragment's survival depend on.
    pub fn of(program: &Program) -> Self {
        let mut temporaries = vec![0u8; program.temporaries.len()];
        let mut outputs: Vec<u8> = program
            .outputs
            .iter()
            .map(|output| match output.role {
                OutputRole::Color => 0b1111,
                OutputRole::Depth => 0b0100,
                OutputRole::Vertex(_) => 0b1111,
            })
            .collect();
        let mut cc = 0u8;
        let mut needed = vec![Needed::default(); program.instructions.len()];
        for (instruction, needed) in program.instructions.iter().zip(&mut needed).rev() {
            if let Some(test) = instruction.control.and_then(|control| control.test()) {
                cc |= test.swizzle.0.iter().fold(0, |mask, c| mask | 1 << c);
                continue;
            }
            let Some(dest) = &instruction.dest else { continue };
            if dest.test.is_some_and(|test| test.condition == Condition::Fl) {
                continue;
            }
            let certain = dest.test.is_none_or(|test| test.condition == Condition::Tr);
            let live = match dest.target {
                Target::Temp(id) => Some(&mut temporaries[usize::from(id.0)]),
                Target::Output(id) => Some(&mut outputs[usize::from(id.0)]),
                Target::ConditionOnly(_) | Target::Param(_) => None,
            };
            if let Some(live) = live {
                needed.result = dest.mask.0 & *live;
                if certain {
                    *live &= !needed.result;
                }
            }
            if instruction.update_cc {
                needed.cc = dest.mask.0 & cc;
                if certain {
                    cc &= !needed.cc;
                }
            }
            let computed = needed.result | needed.cc;
            if let Some(test) = dest.test.filter(|_| !certain) {
                for c in (0..4).filter(|c| computed >> c & 1 != 0) {
                    cc |= 1 << test.swizzle.0[c];
                }
            }
            for (index, operand) in instruction.operands.iter().enumerate() {
                if let Source::Temp(id) = operand.source {
                    temporaries[usize::from(id.0)] |= source_components(instruction, index, computed);
                }
            }
        }
        Self { needed, temporaries_at_entry: temporaries, outputs_at_entry: outputs, cc_at_entry: cc }
    }
}
