//! Carry and overflow of integer ADD and SUB, with the signs of operands (NV_gpu_program4 2.X.4.3). Both
//! executors use these functions. `condition` has the sign and zero flags.

use super::condition;
use shadestep_language::ir::{Instruction, Operand, Type};
use shadestep_language::num::Number;
use shadestep_language::semantics::ops::{Kernel, MAX_INPUTS, Words, evaluate};

/// The carry and overflow flags that an integer operation sets. `kernel` computes the result from `inputs`,
/// the loaded operands. Only additions and subtractions set these flags.
///
/// Negation of an operand turns a sum into a difference and a difference into a sum. The flags use the
/// operand's value before negation. For a sum of two negated operands the text leaves both flags undefined.
/// Shadestep returns the flags of the sum of the loaded operands.
#[inline(always)]
pub fn carry_and_overflow<N: Number>(
    instruction: &Instruction,
    kernel: Kernel,
    inputs: &[Words<N>; MAX_INPUTS],
) -> Option<N::Bits> {
    let ty = instruction.ty;
    let zero = [N::of(0.0); 2];
    let of = |kernel: Kernel, values: &[Words<N>]| {
        let mut inputs = [zero; MAX_INPUTS];
        inputs[..values.len()].copy_from_slice(values);
        evaluate(kernel, ty, &inputs)
    };
    let negated = |index: usize| {
        let loaded = kernel.operand_type(ty, index);
        instruction.operands.get(index).is_some_and(|operand| is_negated(operand, loaded))
    };
    let [a, b, c, ..] = *inputs;
    let (first, second, is_difference) = match kernel {
        Kernel::Add => ((a, negated(0)), (b, negated(1)), false),
        Kernel::Sub => ((a, negated(0)), (b, negated(1)), true),
        Kernel::Mad => ((of(Kernel::Mul, &[a, b]), negated(0) ^ negated(1)), (c, negated(2)), false),
        Kernel::SadSigned => ((of(kernel, &[a, b, zero]), false), (c, negated(2)), false),
        _ => return None,
    };
    let plain = |(value, is_negated): (Words<N>, bool)| {
        if is_negated { of(Kernel::Negate, &[value]) } else { value }
    };
    Some(match (first.1, second.1 ^ is_difference) {
        (false, false) => sum_flags(ty, plain(first), plain(second)),
        (false, true) => difference_flags(ty, plain(first), plain(second)),
        (true, false) => difference_flags(ty, plain(second), plain(first)),
        (true, true) => sum_flags(ty, first.0, second.0),
    })
}

#[inline(always)]
fn sum_flags<N: Number>(ty: Type, a: Words<N>, b: Words<N>) -> N::Bits {
    let (a, b) = (a.map(Number::bits), b.map(Number::bits));
    if ty.is_wide() { condition::long_sum_flags(a, b) } else { condition::sum_flags(a[0], b[0]) }
}

#[inline(always)]
fn difference_flags<N: Number>(ty: Type, a: Words<N>, b: Words<N>) -> N::Bits {
    let (a, b) = (a.map(Number::bits), b.map(Number::bits));
    if ty.is_wide() {
        condition::long_difference_flags(a, b)
    } else {
        condition::difference_flags(a[0], b[0])
    }
}

/// Whether an operand's value is negated in the end. Unsigned integers have no absolute value.
fn is_negated(operand: &Operand, ty: Type) -> bool {
    let is_turned_within = !operand.negate.is_none() && (!operand.absolute || ty.is_unsigned_integer());
    is_turned_within ^ operand.negate_absolute
}
