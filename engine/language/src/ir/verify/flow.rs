//! The checks of flow: labels and entry, branch and call targets, properly nested blocks, and subroutines.

use super::super::{
    Access, CcRegister, CcTest, Control, Emit, Instruction, Kill, Kind, Program, Source, Subroutine,
    Subroutines, Type, limits,
};
use super::{Check, check_swizzle, ensure};
use crate::isa::{Group, LoopCounts, Opcode, OperandKind};

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
    /// ENDREP or ENDLOOP for loops.
    ends_with: Option<Opcode>,
}

fn check_blocks(program: &Program) -> Check {
    let mut open: Vec<Open> = Vec::new();
    for (pc, instruction) in program.instructions.iter().enumerate() {
        let labelled = program.labels.iter().any(|label| label.at == pc);
        ensure(open.is_empty() || !labelled, "a label inside a block")?;
        match (instruction.op, instruction.control()) {
            (Opcode::If, _) => open.push(Open { begin: pc, otherwise: None, ends_with: None }),
            (Opcode::Loop | Opcode::Rep, _) => {
                let ends_with = if instruction.op == Opcode::Loop { Opcode::Endloop } else { Opcode::Endrep };
                open.push(Open { begin: pc, otherwise: None, ends_with: Some(ends_with) });
            }
            (Opcode::Else, _) => {
                let block = open.last_mut().filter(|open| open.ends_with.is_none());
                let block = block.filter(|open| open.otherwise.is_none());
                block.ok_or("ELSE outside an IF block")?.otherwise = Some(pc);
            }
            (Opcode::Endif, _) => {
                let block = open.pop().filter(|open| open.ends_with.is_none());
                let block = block.ok_or("ENDIF without an IF")?;
                let behind = block.otherwise.unwrap_or(pc) + 1;
                let begin = program.instructions[block.begin].control();
                let to_else = matches!(begin, Some(Control::If { otherwise, .. }) if otherwise == behind);
                ensure(to_else, "an IF must jump to after its ELSE or ENDIF")?;
                let else_control = block.otherwise.and_then(|pc| program.instructions[pc].control());
                let to_end = matches!(else_control, Some(Control::Else { end }) if end == pc);
                ensure(block.otherwise.is_none() || to_end, "an ELSE must jump to its ENDIF")?;
            }
            (op @ (Opcode::Endloop | Opcode::Endrep), control) => {
                let block = open.pop().filter(|open| open.ends_with == Some(op));
                let block = block.ok_or("a loop end has no beginning")?;
                let begin = program.instructions[block.begin].control();
                let skips = matches!(begin, Some(Control::Loop { end, .. }) if end == pc + 1);
                ensure(skips, "a loop must be skipped to after its end")?;
                let back = matches!(control, Some(Control::EndLoop { start }) if start == block.begin + 1);
                ensure(back, "a loop must repeat from after its beginning")?;
                check_breaks(program, block.begin, pc)?;
            }
            (Opcode::Brk | Opcode::Cont, _) => {
                ensure(open.iter().any(|open| open.ends_with.is_some()), "BRK or CONT outside a loop")?;
            }
            _ => {}
        }
        let loops = open.iter().filter(|open| open.ends_with.is_some()).count();
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
    let looks_up = takes(OperandKind::TextureImage);
    let fits = match (instruction.op, &instruction.kind) {
        (Opcode::Kil, Kind::Kill(Kill::Negative)) => !takes(OperandKind::Condition),
        (Opcode::Kil, kind) => matches!(kind, Kind::Kill(Kill::Test(_))) && !takes(OperandKind::Vector),
        (Opcode::Bra, Kind::Flow(control)) => matches!(control, Control::Branch { .. }),
        (Opcode::Cal, Kind::Flow(control)) => matches!(control, Control::Call { .. }),
        (Opcode::Cali, Kind::Flow(control)) => matches!(control, Control::CallIndirect { .. }),
        (Opcode::Ret, Kind::Flow(control)) => {
            matches!(control, Control::Return { .. } | Control::ReturnIfCalled)
        }
        (Opcode::If, Kind::Flow(control)) => matches!(control, Control::If { .. }),
        (Opcode::Else, Kind::Flow(control)) => matches!(control, Control::Else { .. }),
        (Opcode::Endif, Kind::Flow(control)) => matches!(control, Control::EndIf),
        (Opcode::Loop, Kind::Flow(control)) => matches!(control, Control::Loop { index: Some(_), .. }),
        (Opcode::Rep, Kind::Flow(control)) => matches!(control, Control::Loop { index: None, .. }),
        (Opcode::Endloop | Opcode::Endrep, Kind::Flow(control)) => matches!(control, Control::EndLoop { .. }),
        (Opcode::Brk, Kind::Flow(control)) => matches!(control, Control::Break { .. }),
        (Opcode::Cont, Kind::Flow(control)) => matches!(control, Control::Continue { .. }),
        (Opcode::Pusha, Kind::Flow(control)) => matches!(control, Control::PushAddress),
        (Opcode::Popa, Kind::Flow(control)) => matches!(control, Control::PopAddress(_)),
        (op, Kind::Memory(memory)) => {
            let own = match (memory.access, memory.image.is_some()) {
                (Access::Load(_), false) => Opcode::Load,
                (Access::Load(_), true) => Opcode::Loadim,
                (Access::Store, false) => Opcode::Store,
                (Access::Store, true) => Opcode::Storeim,
                (Access::Atomic(..), false) => Opcode::Atom,
                (Access::Atomic(..), true) => Opcode::Atomim,
            };
            op == own
        }
        (Opcode::Emit, kind) => matches!(kind, Kind::Emit(Emit::Vertex)),
        (Opcode::Emits, kind) => matches!(kind, Kind::Emit(Emit::ToStream)),
        (Opcode::Endprim, kind) => matches!(kind, Kind::Emit(Emit::EndPrimitive)),
        (Opcode::Membar, kind) => matches!(kind, Kind::Barrier),
        (Opcode::Ldc, kind) => matches!(kind, Kind::Alu(_)),
        (op, _) if matches!(op.info().group, Group::Flow | Group::Memory | Group::Emit) => false,
        (_, Kind::Texture(..)) => looks_up,
        (op, Kind::Convert(_, conversion)) => op == Opcode::Cvt && instruction.ty == conversion.to.ty(),
        (op, Kind::Alu(_)) => !looks_up && op != Opcode::Cvt,
        (_, Kind::Kill(_) | Kind::Flow(_) | Kind::Emit(_) | Kind::Barrier) => false,
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
        _ => Ok(()),
    }
}

/// Checks that the language has the condition code of a test.
pub(super) fn check_test(program: &Program, test: CcTest) -> Check {
    let has_second = program.language.profile().condition_codes > 1;
    ensure(has_second || test.register == CcRegister::Cc0, "the language has one condition code")?;
    check_swizzle(test.swizzle)
}
