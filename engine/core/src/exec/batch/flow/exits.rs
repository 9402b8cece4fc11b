//! The exits of blocks: flow instructions with block numbers and lane registers.

use super::inline::{Step, Steps};
use super::{BlockIndex, Counting};
use crate::exec::batch::layout::{Layout, Modifier, Uniform};
use crate::exec::lir::exit::{CallIndirect, Counts, EndLoop, Exit, If, Loop, LoopIndex};
use shadestep_language::ir::{Control, Instruction, Program, Source, Target, TempId, Type};

/// The exit of a block that ends with `step`. `numbers` has the block number of each step.
pub fn exit(
    (program, layout): (&Program, &Layout),
    (steps, step): (&Steps, &Step),
    numbers: &[BlockIndex],
    counting: Counting,
) -> Exit {
    let Some(control) = step.control else { return Exit::Next };
    let instruction = &program.instructions[step.pc];
    let x_of = |id: TempId| layout.temporary(id);
    let address = |id: TempId| std::array::from_fn(|c| x_of(id) + c as u16);
    let count = instruction.operands.first().map(|_| layout.loop_count);
    match control {
        Control::Branch { to, .. } => Exit::Branch(numbers[to]),
        Control::Call { to, .. } => Exit::Call(numbers[to]),
        Control::CallIndirect { variable, offset, .. } => {
            Exit::CallIndirect(CallIndirect { variable, offset, index: count })
        }
        Control::ReturnIfCalled => Exit::ReturnIfCalled,
        Control::Return { .. } => Exit::Return,
        Control::If { otherwise, .. } => {
            let counts = match counting {
                Counting::Needless => Counts::NoLanes,
                Counting::Needed if steps.has_else(otherwise) => Counts::All,
                Counting::Needed => Counts::Passed,
            };
            Exit::If(If { otherwise: numbers[otherwise], counts })
        }
        Control::Else { end } => Exit::Branch(numbers[end]),
        Control::EndIf => match counting {
            Counting::Needless => Exit::Next,
            Counting::Needed => Exit::EndIf,
        },
        Control::Loop { end, index, .. } => {
            let index = index.and_then(|index| loop_index(instruction, layout, x_of(index)));
            Exit::Loop(Loop { end: numbers[end], count, index })
        }
        Control::EndLoop { start } => {
            Exit::EndLoop(EndLoop { start: numbers[start], index: loop_of(program, instruction).map(x_of) })
        }
        Control::Break { to, .. } => Exit::Break(numbers[to]),
        Control::Continue { to, .. } => Exit::Continue(numbers[to]),
        Control::PushAddress => match instruction.operands.first().map(|operand| operand.source) {
            Some(Source::Temp(id)) => Exit::PushAddress(address(id)),
            // A verified program has an address register.
            _ => Exit::Next,
        },
        Control::PopAddress(dest) => match dest.target {
            Target::Temp(id) => Exit::PopAddress(address(id)),
            _ => Exit::Next,
        },
    }
}

/// The index of a LOOP whose A0.x is in lane register `register`.
fn loop_index(instruction: &Instruction, layout: &Layout, register: u16) -> Option<LoopIndex> {
    // A verified program has a parameter there.
    let operand = instruction.operands.first()?;
    let Source::Param(id) = operand.source else { return None };
    let uniform = |c: usize| {
        let modifier = Modifier::of(operand, Type::F32, c);
        let component = operand.swizzle.0[c];
        layout.uniforms[&Uniform { parameter: id.0, component, modifier, ty: Type::F32, word: 0 }]
    };
    Some(LoopIndex { register, first: uniform(1), increment: uniform(2) })
}

/// The address register of the LOOP that an ENDLOOP ends.
fn loop_of(program: &Program, end: &Instruction) -> Option<TempId> {
    let Some(Control::EndLoop { start }) = end.control() else { return None };
    match program.instructions.get(start.checked_sub(1)?)?.control()? {
        Control::Loop { index, .. } => index,
        _ => None,
    }
}
