//! The flags of integer operations, carry and overflow among them (NV_gpu_program4 2.X.4.3), once for both executors.

use super::ops::{Kernel, MAX_INPUTS, evaluate};
use crate::ir::{Instruction, Operand, Type};
use crate::num::Number;

/// The flags that an integer result sets. `kernel` computed it, from `inputs` as the operands were loaded.
///
/// Those that add or subtract note carry and overflow. A negated operand turns a sum into a difference and the other way
/// round: what counts is the operand before its sign was turned. Of the sum of two negated operands, of which the text
/// leaves both flags undefined, they are those of the sum of what was loaded.
#[inline(always)]
pub fn integer_flags<N: Number>(
    instruction: &Instruction,
    kernel: Kernel,
    inputs: &[N; MAX_INPUTS],
    result: N,
) -> N {
    let ty = instruction.ty;
    let of = |kernel: Kernel, values: &[N]| {
        let mut inputs = [N::of(0.0); MAX_INPUTS];
        inputs[..values.len()].copy_from_slice(values);
        evaluate(kernel, ty, &inputs)
    };
    let negated = |operand: usize| instruction.operands.get(operand).is_some_and(|o| is_negated(o, ty));
    let [a, b, c, ..] = *inputs;
    let (first, second, is_difference) = match kernel {
        Kernel::Add => ((a, negated(0)), (b, negated(1)), false),
        Kernel::Sub => ((a, negated(0)), (b, negated(1)), true),
        Kernel::Mad => ((of(Kernel::Mul, &[a, b]), negated(0) ^ negated(1)), (c, negated(2)), false),
        Kernel::SadSigned => ((of(kernel, &[a, b, N::of(0.0)]), false), (c, negated(2)), false),
        _ => return of(Kernel::IntFlags, &[result]),
    };
    let plain = |(value, is_negated): (N, bool)| {
        if is_negated { of(Kernel::IntNegate, &[value]) } else { value }
    };
    match (first.1, second.1 ^ is_difference) {
        (false, false) => of(Kernel::SumFlags, &[plain(first), plain(second)]),
        (false, true) => of(Kernel::DifferenceFlags, &[plain(first), plain(second)]),
        (true, false) => of(Kernel::DifferenceFlags, &[plain(second), plain(first)]),
        (true, true) => of(Kernel::SumFlags, &[first.0, second.0]),
    }
}

/// Whether the sign of what an operand loads is turned at last. Unsigned integers have no absolute value.
fn is_negated(operand: &Operand, ty: Type) -> bool {
    let is_turned_within = !operand.negate.is_none() && (!operand.absolute || ty.is_unsigned_integer());
    is_turned_within ^ operand.negate_absolute
}

/// Whether an operation of type `ty` gives integers.
pub const fn gives_integers(kernel: Kernel, ty: Type) -> bool {
    ty.is_integer() && !matches!(kernel, Kernel::FloatFromSigned)
}
