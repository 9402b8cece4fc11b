//! The type of a constant in an instruction: constants have the type of their operand (NV_gpu_program4
//! 2.X.3.3). The front end, warnings and explanations use this module.

use super::{Format, Instruction, Kind, Program, TexelOffset, Type};
use crate::isa::{AccessPlace, Info, Typed};

/// The type of a constant operand of `info`. `typed` is the operand's row entry, and `operation` is the type
/// of the operation.
pub const fn literal_type(info: &Info, typed: Typed, operation: Type) -> Type {
    match (typed, info.action.place()) {
        // The modifier of PK64 and UP64 names the type of the 32-bit halves.
        (Typed::Inherited, _) if info.rule.is_of_long() => operation.sized_as(Type::F32),
        (Typed::Inherited, _) => operation.sized_as(operation),
        (Typed::Float, _) => Type::F32,
        (Typed::Signed, _) => Type::S32,
        (Typed::Unsigned, Some(AccessPlace::Address)) => AccessPlace::Address.location_type(),
        (Typed::Unsigned, Some(AccessPlace::Image) | None) => Type::U32,
    }
}

/// The type of a constant operand of CVT from `format`. A constant of F16 is written as a number, not as its
/// bits.
pub const fn converted_type(format: Format) -> Type {
    if matches!(format, Format::F16) {
        return Type::F32;
    }
    let ty = format.ty();
    ty.sized_as(ty)
}

/// The type of the constant that is operand `index` of `instruction`.
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
