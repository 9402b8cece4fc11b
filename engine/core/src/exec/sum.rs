//! Carry and overflow of integer ADD and SUB, with the signs of operands (NV_gpu_program4 2.X.4.3). Both
//! executors use these functions. `condition` has the sign and zero flags.

use shadestep_language::ir::{Flags, Instruction, Operand, Type};
use shadestep_language::num::{Number, Word};
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
    let negated = |index: usize| {
        let loaded = kernel.operand_type(ty, index);
        instruction.operands.get(index).is_some_and(|operand| is_negated(operand, loaded))
    };
    let [a, b, c, ..] = *inputs;
    let (first, second, is_difference) = match kernel {
        Kernel::Add => ((a, negated(0)), (b, negated(1)), false),
        Kernel::Sub => ((a, negated(0)), (b, negated(1)), true),
        Kernel::Mad => ((of(Kernel::Mul, ty, &[a, b]), negated(0) ^ negated(1)), (c, negated(2)), false),
        Kernel::Sad => ((of(kernel, ty, &[a, b]), false), (c, negated(2)), false),
        _ => return None,
    };
    let plain = |(value, is_negated): (Words<N>, bool)| {
        if is_negated { of(Kernel::Negate, ty, &[value]) } else { value }
    };
    Some(match (first.1, second.1 ^ is_difference) {
        (false, false) => sum_flags(ty, plain(first), plain(second)),
        (false, true) => difference_flags(ty, plain(first), plain(second)),
        (true, false) => difference_flags(ty, plain(second), plain(first)),
        (true, true) => sum_flags(ty, first.0, second.0),
    })
}

/// Evaluates `kernel`. Inputs beyond those of `values` are 0.
#[inline(always)]
fn of<N: Number>(kernel: Kernel, ty: Type, values: &[Words<N>]) -> Words<N> {
    let mut inputs = [[N::of(0.0); 2]; MAX_INPUTS];
    inputs[..values.len()].copy_from_slice(values);
    evaluate(kernel, ty, &inputs)
}

/// Signed overflow and unsigned carry of a + b.
#[inline(always)]
fn sum_flags<N: Number>(ty: Type, a: Words<N>, b: Words<N>) -> N::Bits {
    let sum = of(Kernel::Add, ty, &[a, b]);
    let [sign_a, sign_b, sign] = [a, b, sum].map(|value| high_word(ty, value));
    overflow((sign_a ^ sign) & (sign_b ^ sign)) | carry(Kernel::Slt, ty, &[sum, a])
}

/// Signed overflow of a - b, and carry if the unsigned difference is not negative.
#[inline(always)]
fn difference_flags<N: Number>(ty: Type, a: Words<N>, b: Words<N>) -> N::Bits {
    let difference = of(Kernel::Sub, ty, &[a, b]);
    let [sign_a, sign_b, sign] = [a, b, difference].map(|value| high_word(ty, value));
    overflow((sign_a ^ sign_b) & (sign_a ^ sign)) | carry(Kernel::Sge, ty, &[a, b])
}

/// The carry flag if the unsigned integers compare as `comparison` says.
#[inline(always)]
fn carry<N: Number>(comparison: Kernel, ty: Type, values: &[Words<N>]) -> N::Bits {
    let [holds, _] = of(comparison, Type::U32.sized_as(ty), values);
    holds.bits() & N::Bits::of(Flags::CARRY.into())
}

/// The overflow flag if the sign bit is set.
#[inline(always)]
fn overflow<W: Word>(bits: W) -> W {
    const _: () = assert!(Flags::OVERFLOW == 1 << 2);
    bits.shr::<31>().shl::<2>()
}

/// The word with the sign of an integer.
#[inline(always)]
fn high_word<N: Number>(ty: Type, value: Words<N>) -> N::Bits {
    value[usize::from(ty.is_wide())].bits()
}

/// Whether an operand's value is negated in the end. Unsigned integers have no absolute value.
fn is_negated(operand: &Operand, ty: Type) -> bool {
    let is_turned_within = !operand.negate.is_none() && (!operand.absolute || ty.is_unsigned_integer());
    is_turned_within ^ operand.negate_absolute
}
