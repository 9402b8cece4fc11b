//! Which result components anything depends on, found backwards from where programs end.

use super::flow::Graph;
use super::lower::{cc_bits, source_components};
use crate::exec::plan::{Plan, plan};
use crate::ir::{
    Condition, Control, Indexed, IndexedAttribute, Instruction, Operand, OutputRole, Program, Source, Target,
};

/// What is needed of one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needed {
    /// Components that must reach the destination register.
    pub result: u8,
    /// Components that must reach the condition code it updates.
    pub cc: u8,
}

/// Liveness of a whole program, by component masks (bit 0 = x).
#[derive(Clone, Debug)]
pub struct Liveness {
    /// By instruction.
    pub needed: Vec<Needed>,
    /// Components of temporaries whose initial zero is read.
    pub temporaries_at_entry: Vec<u8>,
    /// Components of outputs whose initial value can reach the end.
    pub outputs_at_entry: Vec<u8>,
    /// Components of the condition codes whose initial EQ is read: those of the second above the first's.
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
                Needed {
                    result: if stored { mask } else { 0 },
                    cc: if i.update_cc.is_some() { mask } else { 0 },
                }
            })
            .collect();
        Self {
            needed,
            temporaries_at_entry: vec![0xF; program.temporaries.len()],
            outputs_at_entry: vec![0xF; program.outputs.len()],
            cc_at_entry: 0xFF,
        }
    }

    /// What the outputs and the fragment's survival depend on.
    pub fn of(program: &Program) -> Self {
        let mut needed = vec![Needed::default(); program.instructions.len()];
        let live = if program.has_flow() {
            with_flow(program, &mut needed)
        } else {
            let mut live = Live::at_end(program);
            let executed = program.entry..program.instructions.len();
            for pc in executed.rev() {
                needed[pc] = live.step_back(&program.instructions[pc]);
            }
            live
        };
        Self {
            needed,
            temporaries_at_entry: live.temporaries,
            outputs_at_entry: live.outputs,
            cc_at_entry: live.cc,
        }
    }
}

/// The least solution over the graph of blocks. A loop may end at any instruction by the limit, so every
/// output is needed everywhere; and so is what derivatives look at in other lanes, wherever those stand.
/// Gives what is live at the entry.
fn with_flow(program: &Program, needed: &mut [Needed]) -> Live {
    let graph = Graph::of(program);
    let mut end = Live::at_end(program);
    end.temporaries = seen_by_neighbours(program);
    let mut at_start = vec![end.clone(); graph.blocks.len() + 1];
    loop {
        let mut changed = false;
        for (index, block) in graph.blocks.iter().enumerate().rev() {
            let mut live = end.clone();
            for successor in graph.successors(index) {
                live.join(&at_start[successor]);
            }
            for pc in block.instructions().rev() {
                // An instruction can be in several blocks.
                let here = live.step_back(&program.instructions[pc]);
                needed[pc].result |= here.result;
                needed[pc].cc |= here.cc;
                live.outputs.copy_from_slice(&end.outputs);
                for (mask, seen) in live.temporaries.iter_mut().zip(&end.temporaries) {
                    *mask |= seen;
                }
            }
            changed |= live != at_start[index];
            at_start[index] = live;
        }
        if !changed {
            return at_start.swap_remove(graph.entry);
        }
    }
}

/// Components of temporaries that instructions read in lanes which need not stand there.
fn seen_by_neighbours(program: &Program) -> Vec<u8> {
    let mut seen = Live { temporaries: vec![0; program.temporaries.len()], outputs: Vec::new(), cc: 0 };
    for instruction in &program.instructions {
        let plan = plan(instruction.op, instruction.rules);
        let needed = match plan {
            _ if !plan.reads_neighbours(program.language.stage()) => 0,
            Plan::Texture(_) => 0xF,
            _ => instruction.dest.map_or(0, |dest| dest.mask.0),
        };
        seen.read_operands(instruction, needed);
    }
    seen.temporaries
}

/// What is needed at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Live {
    temporaries: Vec<u8>,
    outputs: Vec<u8>,
    cc: u8,
}

impl Live {
    fn at_end(program: &Program) -> Self {
        let wanted = |role| match role {
            OutputRole::Color(_) | OutputRole::Vertex(_) => 0b1111,
            OutputRole::Depth => 0b0100,
        };
        Self {
            temporaries: vec![0; program.temporaries.len()],
            outputs: program.outputs.iter().map(|output| wanted(output.role)).collect(),
            cc: 0,
        }
    }

    fn join(&mut self, other: &Self) {
        for (mask, other) in self.temporaries.iter_mut().zip(&other.temporaries) {
            *mask |= other;
        }
        self.cc |= other.cc;
    }

    /// Adds the address register of a relative reference.
    fn read_address(&mut self, source: Source) {
        if let Source::Indexed(Indexed { address, component, .. })
        | Source::IndexedAttribute(IndexedAttribute { address, component, .. }) = source
        {
            self.temporaries[usize::from(address.0)] |= 1 << component;
        }
    }

    /// Adds what `instruction` reads to compute the components `needed`.
    fn read_operands(&mut self, instruction: &Instruction, needed: u8) {
        for (index, operand) in instruction.operands.iter().enumerate() {
            let read = source_components(instruction, index, needed);
            match operand.source {
                Source::Temp(id) => self.temporaries[usize::from(id.0)] |= read,
                source if read != 0 => self.read_address(source),
                _ => {}
            }
        }
    }

    /// From behind `instruction` to before it; gives what is needed of it.
    fn step_back(&mut self, instruction: &Instruction) -> Needed {
        let mut needed = Needed::default();
        if let Some(control) = &instruction.control {
            self.cc |= control.test().map_or(0, |test| cc_bits(&test, 0xF));
            // What LOOP, ENDLOOP and POPA write counts as live before them: harmless, and simple.
            if let (
                Control::KillNegative | Control::PushAddress,
                Some(Operand { source: Source::Temp(id), swizzle, .. }),
            ) = (control, instruction.operands.first())
            {
                let read = swizzle.0.iter().fold(0, |mask, c| mask | 1 << c);
                self.temporaries[usize::from(id.0)] |= read & 0xF;
            }
            if let (Control::KillNegative, Some(Operand { source, .. })) =
                (control, instruction.operands.first())
            {
                self.read_address(*source);
            }
            return needed;
        }
        let Some(dest) = &instruction.dest else { return needed };
        if dest.test.is_some_and(|test| test.condition == Condition::Fl) {
            return needed;
        }
        let certain = dest.test.is_none_or(|test| test.condition == Condition::Tr);
        if let Target::IndexedOutput(indexed) = dest.target {
            // Any of them may be written, none is certain to be.
            let outputs = self.outputs.iter().skip(usize::from(indexed.first.0));
            let live = outputs.take(usize::from(indexed.count)).fold(0, |live, output| live | output);
            needed.result = dest.mask.0 & live;
            if needed.result != 0 {
                self.temporaries[usize::from(indexed.address.0)] |= 1 << indexed.component;
            }
        }
        let live = match dest.target {
            Target::Temp(id) => Some(&mut self.temporaries[usize::from(id.0)]),
            Target::Output(id) => Some(&mut self.outputs[usize::from(id.0)]),
            Target::ConditionOnly(_) | Target::Param(_) | Target::IndexedOutput(_) => None,
        };
        if let Some(live) = live {
            needed.result = dest.mask.0 & *live;
            if certain {
                *live &= !needed.result;
            }
        }
        if let Some(register) = instruction.update_cc {
            let shift = 4 * register.index();
            needed.cc = dest.mask.0 & self.cc >> shift;
            if certain {
                self.cc &= !(needed.cc << shift);
            }
        }
        let computed = needed.result | needed.cc;
        if let Some(test) = dest.test.filter(|_| !certain) {
            self.cc |= cc_bits(&test, computed);
        }
        self.read_operands(instruction, computed);
        needed
    }
}
