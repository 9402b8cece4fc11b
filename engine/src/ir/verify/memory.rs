//! What instructions that access memory must hold to: NV_gpu_program5 2.X.4.5, Table X.Y, 2.X.3.6.

use super::super::{Access, BufferRef, Index, Instruction, Kind, Memory, Program, Type, limits};
use super::{Check, ensure};
use crate::isa::Opcode;

/// The storage modifier is one that the operation has and the type its type; only LDC reads a parameter buffer in bytes, and
/// nothing else.
pub(super) fn check_instruction(instruction: &Instruction) -> Check {
    if let Kind::Memory(Memory { access, storage, .. }) = &instruction.kind {
        ensure(instruction.ty == storage.ty(), "the type is not that of the storage modifier")?;
        if let Access::Atomic(_, atomic) = access {
            ensure(atomic.storages().contains(storage), "the atomic operation has no such storage modifier")?;
        }
    }
    let in_bytes = |buffer: &BufferRef| buffer.stride == 1;
    let is_ldc = instruction.op == Opcode::Ldc;
    ensure(
        instruction.buffers().all(|buffer| in_bytes(&buffer) == is_ldc),
        "a CBUFFER without LDC, or the reverse",
    )?;
    let of_type = |buffer: &BufferRef| buffer.storage.ty() == instruction.ty;
    let loads = !is_ldc || instruction.buffers().next().is_some_and(|buffer| of_type(&buffer));
    ensure(loads, "LDC of something else than a parameter buffer, or with another type")
}

/// The binding points are there, and indices are integers.
pub(super) fn check_buffer(program: &Program, buffer: &BufferRef) -> Check {
    let &BufferRef { first, count, point, element, stride, .. } = buffer;
    let end = usize::from(first) + usize::from(count);
    ensure(count > 0 && end <= limits::PARAMETER_BUFFERS, "parameter buffer out of range")?;
    let relative = point.register.is_some();
    ensure(relative || (0..i64::from(count)).contains(&point.offset), "parameter buffer out of range")?;
    ensure(matches!(stride, 1 | 4 | 16), "no such array of a parameter buffer")?;
    for Index { register, offset } in [point, element] {
        ensure(offset >= 0, "offset out of range")?;
        let Some((id, component)) = register else { continue };
        let register = program.temporaries.get(usize::from(id.0)).map(|temporary| temporary.ty);
        ensure(register.is_some_and(|ty| ty == Type::S32 || ty == Type::F32), "no such index register")?;
        ensure(component < 4, "index component out of range")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{
        Atomic, Caching, Destination, Negation, Operand, Semantics, Source, Storage, Swizzle, Target, TempId,
        Write,
    };
    use crate::source::Span;

    fn instruction(op: Opcode, ty: Type, kind: Kind, operands: Vec<Operand>) -> Instruction {
        let (span, mnemonic_span) = (Span::default(), Span::default());
        Instruction { op, semantics: Semantics::ARB, ty, operands, kind, span, mnemonic_span }
    }

    fn write() -> Write {
        Destination::whole(Target::ConditionOnly(Type::F32)).into()
    }

    fn atomic(atomic: Atomic, storage: Storage) -> Instruction {
        let memory = Memory { access: Access::Atomic(write(), atomic), storage, caching: Caching::default() };
        instruction(Opcode::Atom, storage.ty(), Kind::Memory(memory), Vec::new())
    }

    fn operand(source: Source) -> Operand {
        let (swizzle, negate) = (Swizzle::IDENTITY, Negation::NONE);
        Operand { source, swizzle, negate, absolute: false, negate_absolute: false, span: Span::default() }
    }

    fn buffer(stride: u8) -> BufferRef {
        let zero = Index::constant(0);
        BufferRef { first: 1, count: 2, point: zero, element: zero, stride, storage: Storage::F32 }
    }

    #[test]
    fn atomics_have_the_modifiers_of_table_xy() {
        assert!(check_instruction(&atomic(Atomic::Add, Storage::U64)).is_ok());
        assert!(check_instruction(&atomic(Atomic::Min, Storage::U64)).is_err());
        assert!(check_instruction(&atomic(Atomic::IncrementWrap, Storage::S32)).is_err());
        assert!(check_instruction(&atomic(Atomic::Exchange, Storage::F32)).is_err());
        let other = Instruction { ty: Type::S32, ..atomic(Atomic::Add, Storage::U32) };
        assert!(check_instruction(&other).is_err());
    }

    #[test]
    fn bytes_of_buffers_are_for_ldc() {
        let of = |op, stride| {
            let operands = vec![operand(Source::Buffer(buffer(stride)))];
            check_instruction(&instruction(op, Type::F32, Kind::Alu(write()), operands))
        };
        assert!(of(Opcode::Ldc, 1).is_ok() && of(Opcode::Mov, 4).is_ok() && of(Opcode::Mov, 16).is_ok());
        assert!(of(Opcode::Ldc, 4).is_err() && of(Opcode::Mov, 1).is_err());
        let of_register = vec![operand(Source::Temp(TempId(0)))];
        assert!(
            check_instruction(&instruction(Opcode::Ldc, Type::F32, Kind::Alu(write()), of_register)).is_err()
        );
    }

    #[test]
    fn buffers_are_in_range() {
        let text = b"!!ARBvp1.0\nTEMP a;\nMOV a, 0;\nMOV result.position, a;\nEND\n";
        let program = crate::front::load(text).program.unwrap();
        let ok = |change: fn(&mut BufferRef)| {
            let mut changed = buffer(4);
            change(&mut changed);
            check_buffer(&program, &changed).is_ok()
        };
        assert!(ok(|_| {}));
        assert!(ok(|buffer| buffer.element.register = Some((TempId(0), 3))));
        assert!(!ok(|buffer| buffer.element.register = Some((TempId(1), 0))));
        assert!(!ok(|buffer| buffer.element.register = Some((TempId(0), 4))));
        assert!(!ok(|buffer| buffer.element.offset = -1));
        assert!(!ok(|buffer| buffer.point.offset = 2));
        assert!(!ok(|buffer| buffer.first = limits::PARAMETER_BUFFERS as u8 - 1));
        assert!(!ok(|buffer| buffer.count = 0));
        assert!(!ok(|buffer| buffer.stride = 8));
    }
}
