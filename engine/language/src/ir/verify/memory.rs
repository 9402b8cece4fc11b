//! The checks of memory instructions: NV_gpu_program5 2.X.4.5, Table X.Y and 2.X.3.6, and
//! EXT_shader_image_load_store 2.X.8.

use super::super::{
    Access, BufferRef, BufferUnit, BufferVariable, ImageAccess, Index, Instruction, Kind, Memory, Program,
    Storage, TempId, Type, limits,
};
use super::{Check, ensure};
use crate::isa::Action;

/// Checks that the operation has the storage modifier and its type. Only LDC reads `CBUFFER` variables, and
/// it reads nothing else.
pub(super) fn check_instruction(program: &Program, instruction: &Instruction) -> Check {
    if let Kind::Memory(Memory { access, image, storage, .. }) = &instruction.kind {
        if let Some(image) = image {
            check_image(program, image)?;
            ensure(storage.component_bytes() < 8, "images have no components of 64 bits")?;
            let whole = *storage == Storage::vector(instruction.ty);
            let stores = matches!(access, Access::Store);
            ensure(!image.formatted || stores && whole, "a formatted access that does not store a vector")?;
        }
        ensure(instruction.ty == storage.ty(), "the type differs from the type of the storage modifier")?;
        if let Access::Atomic(_, atomic) = access {
            ensure(atomic.storages().contains(storage), "the atomic operation has no such storage modifier")?;
        }
    }
    let variable = |buffer: &BufferRef| program.buffers.get(usize::from(buffer.variable));
    let in_bytes = |buffer: &BufferRef| variable(buffer).is_some_and(|v| v.unit == BufferUnit::Byte);
    let is_ldc = instruction.op.info().action == Action::LoadsConstants;
    ensure(
        instruction.buffers().all(|buffer| in_bytes(&buffer) == is_ldc),
        "a CBUFFER without LDC, or the reverse",
    )?;
    let of_type = |buffer: &BufferRef| buffer.storage.ty() == instruction.ty;
    let loads = !is_ldc || instruction.buffers().next().is_some_and(|buffer| of_type(&buffer));
    ensure(loads, "LDC of something else than a parameter buffer, or with another type")
}

/// Checks that the image units exist and that the index is in an integer register.
fn check_image(program: &Program, image: &ImageAccess) -> Check {
    let units = usize::from(image.first)..usize::from(image.first) + usize::from(image.count);
    ensure(!units.is_empty() && units.end <= limits::IMAGE_UNITS, "image unit out of range")?;
    ensure(ImageAccess::TARGETS.contains(&image.target), "images have no such target")?;
    match image.index.register {
        None => ensure(image.unit(image.index.offset).is_some(), "image unit out of range"),
        Some(register) => check_index(program, register),
    }
}

/// Checks that the register can hold integers.
fn check_index(program: &Program, (id, component): (TempId, u8)) -> Check {
    let register = program.temporaries.get(usize::from(id.0)).map(|temporary| temporary.ty);
    let holds_integers = |ty| matches!(ty, Type::S32 | Type::U32 | Type::F32);
    ensure(register.is_some_and(holds_integers), "no such index register")?;
    ensure(component < 4, "index component out of range")
}

/// Checks that the variable exists, and that its indices are legal and in integer registers.
pub(super) fn check_buffer(program: &Program, buffer: &BufferRef) -> Check {
    let &BufferRef { variable, point, element, storage } = buffer;
    let variable = program
        .buffers
        .get(usize::from(variable))
        .ok_or_else(|| "no such parameter buffer variable".to_owned())?;
    let of_unit = variable.unit == BufferUnit::Byte || storage == variable.unit.storage();
    ensure(of_unit, "another storage modifier than the variable's")?;
    let relative = |index: Index, may: bool| index.register.is_none() || may;
    ensure(
        relative(point, variable.spans) && relative(element, variable.is_array),
        "an index of a variable that has none",
    )?;
    let ends = |index: Index, count: u32| (0..i64::from(count)).contains(&index.offset);
    ensure(ends(point, variable.count.into()), "parameter buffer out of range")?;
    ensure(ends(element, variable.elements), "element out of range")?;
    for Index { register, .. } in [point, element] {
        register.map_or(Ok(()), |register| check_index(program, register))?;
    }
    Ok(())
}

/// Checks that all binding points exist, and that no buffer is bound both as words and as vectors
/// (NV_gpu_program4 2.X.3.6).
pub(super) fn check_variables(program: &Program) -> Check {
    for (place, variable) in program.buffers.iter().enumerate() {
        let points = |v: &BufferVariable| usize::from(v.first)..usize::from(v.first) + usize::from(v.count);
        let own = points(variable);
        ensure(!own.is_empty() && own.end <= limits::PARAMETER_BUFFERS, "parameter buffer out of range")?;
        ensure(variable.spans || variable.count == 1, "several parameter buffers and no index for them")?;
        ensure(variable.is_array || variable.elements == 1, "several elements and no index for them")?;
        ensure(variable.element.checked_add(variable.elements).is_some(), "element out of range")?;
        let conflicts = |other: &BufferVariable| {
            let theirs = points(other);
            let units = [variable.unit, other.unit];
            let both = units.contains(&BufferUnit::Word) && units.contains(&BufferUnit::Vector);
            both && own.start < theirs.end && theirs.start < own.end
        };
        ensure(!program.buffers[..place].iter().any(conflicts), "words and vectors of one parameter buffer")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{
        Atomic, Caching, Destination, Negation, Operand, Origin, Semantics, Source, Swizzle, Target, Write,
    };
    use crate::isa::Opcode;
    use crate::source::Span;

    fn instruction(op: Opcode, ty: Type, kind: Kind, operands: Vec<Operand>) -> Instruction {
        let (span, mnemonic_span) = (Span::default(), Span::default());
        Instruction {
            op,
            semantics: Semantics::ARB,
            ty,
            operands,
            kind,
            span,
            mnemonic_span,
            origin: Origin::Text,
        }
    }

    fn write() -> Write {
        Destination::whole(Target::ConditionOnly(Type::F32)).into()
    }

    fn atomic(atomic: Atomic, storage: Storage) -> Instruction {
        let (access, image) = (Access::Atomic(write(), atomic), None);
        let memory = Memory { access, image, storage, caching: Caching::default() };
        instruction(Opcode::Atom, storage.ty(), Kind::Memory(memory), Vec::new())
    }

    fn operand(source: Source) -> Operand {
        let (swizzle, negate) = (Swizzle::IDENTITY, Negation::NONE);
        Operand { source, swizzle, negate, absolute: false, negate_absolute: false, span: Span::default() }
    }

    /// A program with one variable of each kind, in buffers 1 to 3.
    fn program() -> Program {
        let text =
            b"!!NVvp5.0\nBUFFER w[] = { program.buffer[1..2][0..9] };\nBUFFER4 v = program.buffer[3][1];\n\
                     CBUFFER c[8] = { program.buffer[1] };\nTEMP a;\nLONG TEMP d;\nMOV a, 0;\nMOV d, 0;\n\
                     MOV result.position, a;\nEND\n";
        crate::front::load(text).program.unwrap()
    }

    fn buffer(variable: u16, storage: Storage) -> BufferRef {
        let zero = Index::constant(0);
        BufferRef { variable, point: zero, element: zero, storage }
    }

    #[test]
    fn atomics_have_the_modifiers_of_table_xy() {
        assert!(check_instruction(&program(), &atomic(Atomic::Add, Storage::U64)).is_ok());
        assert!(check_instruction(&program(), &atomic(Atomic::Min, Storage::U64)).is_err());
        assert!(check_instruction(&program(), &atomic(Atomic::IncrementWrap, Storage::S32)).is_err());
        assert!(check_instruction(&program(), &atomic(Atomic::Exchange, Storage::F32)).is_err());
        let other = Instruction { ty: Type::S32, ..atomic(Atomic::Add, Storage::U32) };
        assert!(check_instruction(&program(), &other).is_err());
    }

    #[test]
    fn bytes_of_buffers_are_for_ldc() {
        let of = |op, variable| {
            let operands = vec![operand(Source::Buffer(buffer(variable, Storage::F32)))];
            check_instruction(&program(), &instruction(op, Type::F32, Kind::Alu(write()), operands))
        };
        assert!(of(Opcode::Ldc, 2).is_ok() && of(Opcode::Mov, 0).is_ok() && of(Opcode::Mov, 1).is_ok());
        assert!(of(Opcode::Ldc, 0).is_err() && of(Opcode::Mov, 2).is_err());
        let of_register = vec![operand(Source::Temp(TempId(0)))];
        let ldc = instruction(Opcode::Ldc, Type::F32, Kind::Alu(write()), of_register);
        assert!(check_instruction(&program(), &ldc).is_err());
    }

    #[test]
    fn buffers_are_in_range() {
        let ok = |change: fn(&mut BufferRef)| {
            let mut changed = buffer(0, Storage::F32);
            change(&mut changed);
            check_buffer(&program(), &changed).is_ok()
        };
        assert!(ok(|_| {}));
        assert!(ok(|buffer| buffer.element.register = Some((TempId(0), 3))));
        assert!(!ok(|buffer| buffer.element.register = Some((TempId(1), 0))), "64 bits");
        assert!(!ok(|buffer| buffer.element.register = Some((TempId(2), 0))));
        assert!(!ok(|buffer| buffer.element.register = Some((TempId(0), 4))));
        assert!(!ok(|buffer| buffer.element.offset = -1));
        assert!(!ok(|buffer| buffer.element.offset = 10));
        assert!(ok(|buffer| buffer.point.offset = 1));
        assert!(!ok(|buffer| buffer.point.offset = 2));
        assert!(!ok(|buffer| buffer.variable = 3));
        assert!(!ok(|buffer| buffer.storage = Storage::U32), "LDC alone says what it reads");
        let vector = Storage::named("F32X4").unwrap();
        assert!(!ok(|buffer| buffer.variable = 1));
        let of_vectors = buffer(1, vector);
        assert!(check_buffer(&program(), &of_vectors).is_ok());
        let indexed = BufferRef { element: Index::computed(TempId(0), 0, 0), ..of_vectors };
        assert!(check_buffer(&program(), &indexed).is_err(), "no array");
        let bytes = buffer(2, Storage::U64);
        assert!(check_buffer(&program(), &bytes).is_ok());
    }

    #[test]
    fn variables_are_in_range_and_of_one_unit() {
        let ok = |change: fn(&mut Program)| {
            let mut program = program();
            change(&mut program);
            check_variables(&program).is_ok()
        };
        assert!(ok(|_| {}));
        assert!(!ok(|program| program.buffers[1].first = limits::PARAMETER_BUFFERS as u8));
        assert!(!ok(|program| program.buffers[0].count = 0));
        assert!(!ok(|program| program.buffers[0].spans = false));
        assert!(!ok(|program| program.buffers[0].is_array = false));
        assert!(!ok(|program| program.buffers[1].first = 2), "words and vectors");
        assert!(ok(|program| program.buffers[2].first = 3), "bytes and vectors");
    }
}
