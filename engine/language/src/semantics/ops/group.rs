//! Votes of a thread group: TGALL, TGANY and TGEQ combine one component across all invocations of the group
//! (NV_gpu_program5 2.X.8).

use super::{Kernel, MAX_INPUTS, Words, evaluate};
use crate::ir::Type;
use crate::num::{Double, Number, Word};

crate::named_enum! {
    /// The question of a vote.
    pub enum Vote {
        /// Whether all values are nonzero.
        All = "all",
        /// Whether any value is nonzero.
        Any = "any",
        /// Whether all values are equal (ruling 9 of NV_gpu_program4).
        Equal = "equal",
    }
}

/// The result of a vote for one component. `own` is the value of the current invocation. `others` has the
/// values of the rest of the group, each with a flag that is set if the invocation executes the instruction
/// too. Values without the flag do not count.
///
/// All invocations get the same result: if a value equals all others, the others equal each other.
#[inline(always)]
pub fn vote<N: Number>(
    vote: Vote,
    ty: Type,
    own: Words<N>,
    others: impl Iterator<Item = (Words<N>, N::Truth)>,
) -> Words<N> {
    let holds = match vote {
        Vote::All => {
            others.fold(is_nonzero(ty, own), |all, (value, asks)| all & (!asks | is_nonzero(ty, value)))
        }
        Vote::Any => {
            others.fold(is_nonzero(ty, own), |any, (value, asks)| any | (asks & is_nonzero(ty, value)))
        }
        Vote::Equal => {
            let always = N::of(0.0).eq(N::of(0.0));
            others.fold(always, |all, (value, asks)| all & (!asks | are_equal(ty, own, value)))
        }
    };
    let yes = evaluate(Kernel::One, ty, &[own; MAX_INPUTS]);
    yes.map(|word| N::select(holds, word, N::of(0.0)))
}

#[inline(always)]
fn is_nonzero<N: Number>(ty: Type, [low, high]: Words<N>) -> N::Truth {
    match ty {
        Type::F64 => !N::Bits::double([low.bits(), high.bits()]).eq(<N::Bits as Word>::Double::of(0.0)),
        _ if ty.is_integer() => !(low.bits() | high.bits()).bits_eq(N::Bits::of(0)),
        _ => low.flush().ne(N::of(0.0)),
    }
}

#[inline(always)]
fn are_equal<N: Number>(ty: Type, a: Words<N>, b: Words<N>) -> N::Truth {
    match ty {
        Type::F64 => {
            let [a, b] = [a, b].map(|[low, high]| N::Bits::double([low.bits(), high.bits()]));
            a.eq(b)
        }
        _ if ty.is_integer() => a[0].bits().bits_eq(b[0].bits()) & a[1].bits().bits_eq(b[1].bits()),
        _ => a[0].flush().eq(b[0].flush()),
    }
}
