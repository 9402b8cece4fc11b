//! The checks of flow: labels and entry, branch and call targets, properly nested blocks, and subroutines.

#![deny(clippy::wildcard_enum_match_arm)]

use super::super::{
    CcRegister, CcTest, Control, Instruction, Kill, Kind, Program, Source, Subroutine, Subroutines, Type,
    limits,
};
use super::{Check, check_swizzle, ensure};
use crate::isa::{Block, BlockEdge, LoopCounts, OperandKind};

/// Checks that labels and the entry are at an instruction or at the end, outside all blocks, and that blocks
/// are closed.
pub(super) fn check_program(program: &Program) -> Check {
    let end = program.instructions.len();
    let allowed = program.labels.is_empty() || program.language.profile().labels;
    ensure(allowed, "the language has no labels")?;
    ensure(program.labels.iter().all(|label| label.at <= end), "label out of range")?;
    ensure(program.labels.is_sorted_by_key(|label| label.at), "labels out of order")?;
    let main = program.labels.iter().find(|label| label.name == "main");
    ensure(program.entry == main.map_or(0, |label| label.at), "the entry is not at `main` or the beginning")?;
    check_subroutines(program)?;
    check_blocks(program)
}

/// Checks that subroutines have unique labels and numbers, and that references from types and variables are
/// in range.
fn check_subroutines(program: &Program) -> Check {
    let all = &program.subroutines;
    let has_them = program.language.profile().keywords.contains(&"SUBROUTINE");
    ensure(has_them || *all == Subroutines::default(), "the language has no subroutine variables")?;
    for (at, subroutine) in all.list.iter().enumerate() {
        ensure(subroutine.label < program.labels.len(), "a subroutine without a label")?;
        ensure(
            usize::from(subroutine.number) < limits::SUBROUTINE_NUMBERS,
            "subroutine number out of range",
        )?;
        let twin = |other: &Subroutine| other.number == subroutine.number || other.label == subroutine.label;
        ensure(!all.list[..at].iter().any(twin), "a subroutine number or label twice")?;
    }
    for ty in &all.types {
        ensure(ty.members.iter().all(|&member| member < all.list.len()), "no such subroutine")?;
    }
    let mut types = vec![None; limits::SUBROUTINE_PARAMETERS];
    for variable in &all.variables {
        let ty = all.types.get(variable.ty).ok_or("no such subroutine type")?;
        ensure(!ty.members.is_empty(), "a subroutine variable that nothing fits")?;
        for &parameter in &variable.parameters {
            let place = types.get_mut(usize::from(parameter)).ok_or("subroutine parameter out of range")?;
            ensure(*place.get_or_insert(variable.ty) == variable.ty, "a subroutine parameter of two types")?;
        }
        let count = variable.parameters.len();
        ensure(if variable.is_array { count > 0 } else { count == 1 }, "not one parameter an element")?;
    }
    Ok(())
}

/// An open block.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Open {
    /// Index of the instruction that opens the block.
    begin: usize,
    /// Index of the ELSE.
    otherwise: Option<usize>,
    block: Block,
}

fn check_blocks(program: &Program) -> Check {
    let mut open: Vec<Open> = Vec::new();
    for (pc, instruction) in program.instructions.iter().enumerate() {
        let labelled = program.labels.iter().any(|label| label.at == pc);
        ensure(open.is_empty() || !labelled, "a label inside a block")?;
        let control = instruction.control();
        match instruction.op.info().action.edge() {
            Some(BlockEdge::Opens(block)) => open.push(Open { begin: pc, otherwise: None, block }),
            Some(BlockEdge::Splits) => {
                let block = open.last_mut().filter(|open| open.block == Block::If);
                let block = block.filter(|open| open.otherwise.is_none());
                block.ok_or("ELSE outside an IF block")?.otherwise = Some(pc);
            }
            Some(BlockEdge::Closes(Block::If)) => {
                let block = open.pop().filter(|open| open.block == Block::If);
                let block = block.ok_or("ENDIF without an IF")?;
                let behind = block.otherwise.unwrap_or(pc) + 1;
                let begin = program.instructions[block.begin].control();
                let to_else = matches!(begin, Some(Control::If { otherwise, .. }) if otherwise == behind);
                ensure(to_else, "an IF must jump to after its ELSE or ENDIF")?;
                let else_control = block.otherwise.and_then(|pc| program.instructions[pc].control());
                let to_end = matches!(else_control, Some(Control::Else { end }) if end == pc);
                ensure(block.otherwise.is_none() || to_end, "an ELSE must jump to its ENDIF")?;
            }
            Some(BlockEdge::Closes(closed @ (Block::Loop | Block::Rep))) => {
                let block = open.pop().filter(|open| open.block == closed);
                let block = block.ok_or("a loop end has no beginning")?;
                let begin = program.instructions[block.begin].control();
                let skips = matches!(begin, Some(Control::Loop { end, .. }) if end == pc + 1);
                ensure(skips, "a loop must be skipped to after its end")?;
                let back = matches!(control, Some(Control::EndLoop { start }) if start == block.begin + 1);
                ensure(back, "a loop must repeat from after its beginning")?;
                check_breaks(program, block.begin, pc)?;
            }
            None => {}
        }
        let loops = open.iter().filter(|open| open.block.is_loop()).count();
        let leaves = matches!(control, Some(Control::Break { .. } | Control::Continue { .. }));
        ensure(!leaves || loops > 0, "BRK or CONT outside a loop")?;
        let limits = program.flow_limits();
        ensure(loops <= limits.nested_loops, "loops nested too deep")?;
        ensure(open.len() - loops <= limits.nested_ifs, "IF blocks nested too deep")?;
    }
    ensure(open.is_empty(), "a block is not closed")
}

/// Checks the BRK and CONT instructions whose innermost loop is `begin` to `end`: BRK leaves the loop and
/// CONT goes to its end.
fn check_breaks(program: &Program, begin: usize, end: usize) -> Check {
    let mut depth = 0;
    for instruction in &program.instructions[begin + 1..end] {
        match instruction.control() {
            Some(Control::Loop { .. }) => depth += 1,
            Some(Control::EndLoop { .. }) => depth -= 1,
            Some(Control::Break { to, .. }) if depth == 0 => {
                ensure(to == end + 1, "a BRK must jump to after its loop")?;
            }
            Some(Control::Continue { to, .. }) if depth == 0 => {
                ensure(to == end, "a CONT must jump to the end of its loop")?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks that the kind of an instruction fits its opcode, and that branches and calls go to a label.
pub(super) fn check_kind(program: &Program, instruction: &Instruction) -> Check {
    let takes = |kind| instruction.op.info().operands_in(program.language).contains(&kind);
    let action = instruction.op.info().action;
    let fits = instruction.kind.performs(action)
        && match &instruction.kind {
            Kind::Kill(Kill::Negative) => !takes(OperandKind::Condition),
            Kind::Kill(Kill::Test(_)) => !takes(OperandKind::Vector),
            Kind::Convert(_, conversion) => instruction.ty == conversion.to.ty(),
            Kind::Alu(_)
            | Kind::Texture(..)
            | Kind::Flow(_)
            | Kind::Memory(_)
            | Kind::Emit(_)
            | Kind::Barrier => true,
        };
    ensure(fits, "the kind of another opcode")?;
    if let Some(test) = instruction.test() {
        check_test(program, test)?;
    }
    let Some(control) = instruction.control() else { return Ok(()) };
    let to = control.target().unwrap_or(0);
    ensure(to <= program.instructions.len(), "branch out of range")?;
    match control {
        Control::CallIndirect { variable, offset, .. } => {
            let variable =
                program.subroutines.variables.get(variable).ok_or("no such subroutine variable")?;
            ensure(
                usize::from(offset) < variable.parameters.len(),
                "no such element of a subroutine variable",
            )?;
            let is_index = |o: &super::super::Operand| matches!(o.source, Source::Temp(_));
            let indexed = instruction.operands.first();
            ensure(
                indexed.is_none_or(|o| is_index(o) && variable.is_array),
                "no index of a subroutine variable",
            )
        }
        Control::Branch { to, .. } | Control::Call { to, .. } => {
            ensure(program.labels.iter().any(|label| label.at == to), "branch to a place without a label")
        }
        Control::Loop { index, .. } => {
            // The executors rely on an index that is equal in all lanes (3.11.X.8).
            let is_parameter =
                matches!(instruction.operands.first(), Some(o) if matches!(o.source, Source::Param(_)));
            let may_be_anything = program.flow_limits().counts == LoopCounts::Anything && index.is_none();
            ensure(is_parameter || may_be_anything, "the count of a loop is not a parameter")?;
            let register = index.map(|id| program.temporaries.get(usize::from(id.0)));
            let is_address = |t: Option<&super::super::Temporary>| t.is_some_and(|t| t.ty == Type::Address);
            ensure(register.is_none_or(is_address), "no such address register")
        }
        Control::ReturnIfCalled
        | Control::Return { .. }
        | Control::If { .. }
        | Control::Else { .. }
        | Control::EndIf
        | Control::EndLoop { .. }
        | Control::Break { .. }
        | Control::Continue { .. }
        | Control::PushAddress
        | Control::PopAddress(_) => Ok(()),
    }
}

/// Checks that the language has the condition code of a test.
pub(super) fn check_test(program: &Program, test: CcTest) -> Check {
    let has_second = program.language.profile().condition_codes > 1;
    ensure(has_second || test.register == CcRegister::Cc0, "the language has one condition code")?;
    check_swizzle(test.swizzle)
}
