//! How constants that are written in instructions are read (NV_gpu_program4 2.X.3.3): as the type that the operand has.

use super::{Format, Instruction, Kind, Program, TexelOffset, Type};
use crate::isa::{Info, Opcode, Typed};

/// The type of a constant that is an operand of `info`, which is `typed` so and computes in `operation`.
pub const fn literal_type(info: &Info, typed: Typed, operation: Type) -> Type {
    match (typed, info.opcode) {
        // Their modifier is of the 64 bits that two operands make.
        (Typed::Inherited, _) if info.rule.is_of_long() => operation.sized_as(Type::F32),
        (Typed::Inherited, _) => operation.sized_as(operation),
        (Typed::Float, _) => Type::F32,
        (Typed::Signed, _) => Type::S32,
        // An address.
        (Typed::Unsigned, Opcode::Load | Opcode::Store | Opcode::Atom) => Type::U64,
        (Typed::Unsigned, _) => Type::U32,
    }
}

/// The type of a constant that CVT converts from `format`. Of F16 a number is written, and not its bits.
pub const fn converted_type(format: Format) -> Type {
    if matches!(format, Format::F16) {
        return Type::F32;
    }
    let ty = format.ty();
    ty.sized_as(ty)
}

/// How the constant that is operand `index` of `instruction` is read.
pub fn constant_type(program: &Program, instruction: &Instruction, index: usize) -> Type {
    let info = instruction.op.info();
    let computed = instruction.texture().is_some_and(|access| access.offset == TexelOffset::Operand);
    if computed && index + 1 == instruction.operands.len() {
        return Type::S32;
    }
    if let Kind::Convert(_, conversion) = instruction.kind {
        return converted_type(conversion.from);
    }
    let typing = info.forms(program.language).and_then(|forms| forms.typing);
    let typed = typing.and_then(|typing| typing.operands.get(index).copied());
    literal_type(info, typed.unwrap_or(Typed::Float), instruction.ty)
}
