//! [`Kernel`]: one row for each component function, with a column for each class of types, and
//! [`evaluate`], which selects the column. Plans and tests use kernels instead of function pointers, because
//! the functions are generic.

use super::undefined::Undefined;
use super::*;
use crate::ir::{Rounding, Type};
use crate::num::{Double, Number, Word, fp64, integer, long};

/// The maximum number of inputs of a component function.
pub const MAX_INPUTS: usize = 8;

/// A component as two words, the low one first. The high word of a 32-bit component is 0.
pub type Words<N> = [N; 2];

const SIGN: u32 = 0x8000_0000;

/// The inputs that a row names.
#[inline(always)]
fn first<T: Copy, const COUNT: usize>(inputs: &[T; MAX_INPUTS]) -> [T; COUNT] {
    std::array::from_fn(|at| inputs[at])
}

macro_rules! call {
    ($function:ident [$($input:ident),*] $inputs:ident) => {{
        let [$($input),*] = first($inputs);
        $function::<A, N>($($input),*)
    }};
}

/// Defines [`Kernel`]. The columns of a row, all optional except the last:
///
/// * `float`: a function for F32, F16, FX12 and address registers, generic over [`Arith`].
/// * `word`: the result for integers of at most 32 bits, generic over [`Word`]. Without it, `float` has the
///   result.
/// * `long`: the result for S64 and U64, as two words.
/// * `double`: the result for F64, generic over [`Double`]. NaNs become canonical.
/// * `pair`: instead of `double`, the result for F64 as two words, whose bits are kept.
/// * `undefined`: the operands for which the specifications leave the result undefined.
///
/// `S` is whether integers are signed. A type without a column gives 0. No verified program and no frame
/// query uses a function in such a type.
macro_rules! kernels {
    ($($(#[$doc:meta])* $kernel:ident $inputs:tt {
        $(float $float:ident;)?
        $(word $word:expr;)?
        $(long $long:expr;)?
        $(double $double:expr;)?
        $(pair $pair:expr;)?
        undefined $undefined:ident $(($rounding:ident))?;
    })*) => {
        /// A component function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kernel {
            $($(#[$doc])* $(#[doc = concat!("[`", stringify!($float), "`]")])? $kernel,)*
        }

        impl Kernel {
            pub const ALL: &[Self] = &[$(Self::$kernel),*];

            /// The operands for which the result is undefined.
            pub(super) const fn undefined(self) -> Undefined {
                match self {
                    $(Self::$kernel => Undefined::$undefined $((Rounding::$rounding))?,)*
                }
            }

            fn float<A: Arith, N: Number>(self, inputs: &[N; MAX_INPUTS]) -> N {
                match self {
                    $($(Self::$kernel => call!($float $inputs inputs),)?)*
                    _ => N::of(0.0),
                }
            }

            fn word<W: Word, const S: bool>(self, inputs: &[W; MAX_INPUTS]) -> W {
                match self {
                    $($(Self::$kernel => {
                        let $inputs = first(inputs);
                        $word
                    })?)*
                    _ => self.float::<Single, W::Number>(&inputs.map(Word::number)).bits(),
                }
            }

            fn long<W: Word, const S: bool>(self, inputs: &[[W; 2]; MAX_INPUTS]) -> [W; 2] {
                match self {
                    $($(Self::$kernel => {
                        let $inputs = first(inputs);
                        $long
                    })?)*
                    _ => [W::of(0); 2],
                }
            }

            fn double<D: Double>(self, inputs: &[[D::Word; 2]; MAX_INPUTS]) -> [D::Word; 2] {
                match self {
                    $($(Self::$kernel => {
                        let $inputs = first(inputs).map(D::Word::double);
                        D::canonical($double).words()
                    })?)*
                    $($(Self::$kernel => {
                        let $inputs = first(inputs);
                        $pair
                    })?)*
                    _ => [D::Word::of(0); 2],
                }
            }
        }
    };
}

kernels! {
    Zero[] { float zero; undefined Never; }
    One[] {
        float one; word W::of(u32::MAX); long [W::of(u32::MAX); 2]; double D::of(1.0);
        undefined Never;
    }
    // Frame queries move integers in languages without data types, too.
    Copy[a] { float copy; word a; long a; pair a; undefined Never; }
    Bits[a] { float bits; long a; pair a; undefined Never; }
    ToHalf[a] { float to_half; undefined Never; }
    ToFixed[a] { float to_fixed; undefined Never; }
    Undefined[] { float undefined; undefined Never; }

    Add[a, b] { float add; word a.wrapping_add(b); long long::add(a, b); double a + b; undefined Never; }
    Sub[a, b] { float sub; word a.wrapping_sub(b); long long::sub(a, b); double a - b; undefined Never; }
    Mul[a, b] { float mul; word a.wrapping_mul(b); long long::mul(a, b); double a * b; undefined Never; }
    /// MUL in S24 and U24.
    Mul24[a, b] { word integer::mul_24::<W, S>(a, b); undefined Low24; }
    /// MUL.HI
    MulHigh[a, b] { word integer::mul_high::<W, S>(a, b); undefined Never; }
    Mad[a, b, c] {
        float mad;
        word a.wrapping_mul(b).wrapping_add(c);
        long long::add(long::mul(a, b), c);
        double a * b + c;
        undefined Never;
    }
    NegMul[a, b] { float neg_mul; undefined Never; }
    MulSub[a, b, c] { float mul_sub; undefined Never; }
    NegMad[a, b, c] { float neg_mad; undefined Never; }
    NegMulSub[a, b, c] { float neg_mul_sub; undefined Never; }
    // Division of integers by zero gives all ones, and the dividend as the remainder.
    Div[a, b] {
        float div; word integer::divide::<W, S>(a, b)[0]; long long::divide::<W, S>(a, b)[0]; double a / b;
        undefined ZeroDivisor;
    }
    /// The remainder of a division of integers. It has the sign of the dividend.
    Mod[a, b] {
        word integer::divide::<W, S>(a, b)[1]; long long::divide::<W, S>(a, b)[1];
        undefined Modulus;
    }
    Lrp[a, b, c] { float lrp; undefined Never; }
    Max[a, b] {
        float max; word integer::max::<W, S>(a, b); long long::max::<W, S>(a, b); double fp64::max(a, b);
        undefined Never;
    }
    Min[a, b] {
        float min; word integer::min::<W, S>(a, b); long long::min::<W, S>(a, b); double fp64::min(a, b);
        undefined Never;
    }
    /// |a - b| + c of integers.
    Sad[a, b, c] {
        word integer::max::<W, S>(b, a).wrapping_sub(integer::min::<W, S>(a, b)).wrapping_add(c);
        long long::add(long::sub(long::max::<W, S>(a, b), long::min::<W, S>(a, b)), c);
        undefined Never;
    }
    Magnitude[a] {
        float abs; word integer::abs::<W, S>(a); long long::abs::<W, S>(a); double a.abs();
        undefined Never;
    }
    SetSign[a] { float set_sign; double fp64::sign(a); undefined Never; }

    // The modifiers of operands. "For unsigned integer operands, the absolute value operation has no effect"
    // (NV_gpu_program4 2.X.4.2).
    Negate[a] {
        float negate; word W::of(0).wrapping_sub(a); long long::negate(a);
        pair [a[0], a[1] ^ D::Word::of(SIGN)];
        undefined Never;
    }
    Absolute[a] {
        float absolute; word integer::abs::<W, S>(a); long long::abs::<W, S>(a);
        pair [a[0], a[1] & D::Word::of(!SIGN)];
        undefined Never;
    }
    NegateAbsolute[a] {
        float negate_absolute;
        word W::of(0).wrapping_sub(integer::abs::<W, S>(a));
        long long::negate(long::abs::<W, S>(a));
        pair [a[0], a[1] | D::Word::of(SIGN)];
        undefined Never;
    }
    Saturate[a] { float saturate; double fp64::clamp(a, 0.0); undefined Never; }
    SaturateSigned[a] { float saturate_signed; double fp64::clamp(a, -1.0); undefined Never; }

    // Rounding to an integer of the result's type, from a float of the same width.
    Floor[a] {
        float floor;
        word integer::of_number::<_, S>(Rounding::Floor, a.number());
        long fp64::to_long::<_, S>(Rounding::Floor, W::double(a));
        double fp64::whole(Rounding::Floor, a);
        undefined Rounded(Floor);
    }
    Ceil[a] {
        float ceil;
        word integer::of_number::<_, S>(Rounding::Ceil, a.number());
        long fp64::to_long::<_, S>(Rounding::Ceil, W::double(a));
        double fp64::whole(Rounding::Ceil, a);
        undefined Rounded(Ceil);
    }
    Round[a] {
        float round;
        word integer::of_number::<_, S>(Rounding::Round, a.number());
        long fp64::to_long::<_, S>(Rounding::Round, W::double(a));
        double fp64::whole(Rounding::Round, a);
        undefined Rounded(Round);
    }
    Trunc[a] {
        float trunc;
        word integer::of_number::<_, S>(Rounding::Trunc, a.number());
        long fp64::to_long::<_, S>(Rounding::Trunc, W::double(a));
        double fp64::whole(Rounding::Trunc, a);
        undefined Rounded(Trunc);
    }
    Fraction[a] { float fraction; double a - fp64::whole(Rounding::Floor, a); undefined Never; }
    /// I2F: the nearest float of the same width.
    FloatFrom[a] {
        word (if S { a.to_float() } else { a.to_float_unsigned() }).bits();
        long fp64::from_long::<W, S>(a).words();
        undefined Never;
    }

    // Comparisons of integers give all ones or 0.
    Seq[a, b] {
        float seq;
        word integer::mask(a.bits_eq(b));
        long long::mask(long::eq(a, b));
        double fp64::one_if(a.eq(b));
        undefined Never;
    }
    Sne[a, b] {
        float sne;
        word integer::mask(!a.bits_eq(b));
        long long::mask(!long::eq(a, b));
        double fp64::one_if(!a.eq(b));
        undefined Never;
    }
    Slt[a, b] {
        float slt;
        word integer::mask(integer::lt::<W, S>(a, b));
        long long::mask(long::lt::<W, S>(a, b));
        double fp64::one_if(a.lt(b));
        undefined Never;
    }
    Sle[a, b] {
        float sle;
        word integer::mask(!integer::lt::<W, S>(b, a));
        long long::mask(!long::lt::<W, S>(b, a));
        double fp64::one_if(a.le(b));
        undefined Never;
    }
    Sgt[a, b] {
        float sgt;
        word integer::mask(integer::lt::<W, S>(b, a));
        long long::mask(long::lt::<W, S>(b, a));
        double fp64::one_if(b.lt(a));
        undefined Never;
    }
    Sge[a, b] {
        float sge;
        word integer::mask(!integer::lt::<W, S>(a, b));
        long long::mask(!long::lt::<W, S>(a, b));
        double fp64::one_if(b.le(a));
        undefined Never;
    }
    SeqOrNan[a, b] { float seq_or_nan; undefined Never; }
    SneOrNan[a, b] { float sne_or_nan; undefined Never; }
    SltOrNan[a, b] { float slt_or_nan; undefined Never; }
    SleOrNan[a, b] { float sle_or_nan; undefined Never; }
    SgtOrNan[a, b] { float sgt_or_nan; undefined Never; }
    SgeOrNan[a, b] { float sge_or_nan; undefined Never; }
    Compare[a, b, c] { float compare; undefined Never; }
    // No unsigned integer is negative.
    Choose[a, b, c] {
        float choose;
        word if S { W::select(a.lt_signed(W::of(0)), b, c) } else { c };
        long if S { long::select(a[1].lt_signed(W::of(0)), b, c) } else { c };
        pair long::select(D::Word::double(a).lt(D::of(0.0)), b, c);
        undefined Never;
    }

    And[a, b] { word a & b; long [a[0] & b[0], a[1] & b[1]]; undefined Never; }
    Or[a, b] { word a | b; long [a[0] | b[0], a[1] | b[1]]; undefined Never; }
    Xor[a, b] { word a ^ b; long [a[0] ^ b[0], a[1] ^ b[1]]; undefined Never; }
    Not[a] { word !a; long [!a[0], !a[1]]; undefined Never; }
    /// a shifted left by b. Counts out of range give 0.
    ShiftLeft[a, b] { word a.shl_by(b); long long::shl(a, long::shift_count(b)); undefined ShiftCount; }
    /// a shifted right by b, arithmetically if signed. Counts out of range leave only signs.
    ShiftRight[a, b] {
        word if S { a.sar_by(b) } else { a.shr_by(b) };
        long if S { long::sar(a, long::shift_count(b)) } else { long::shr(a, long::shift_count(b)) };
        undefined ShiftCount;
    }
    /// a bits of c from bit b on. The highest is the sign of signed integers.
    Bfe[a, b, c] { word integer::extract::<W, S>(a, b, c); undefined Field; }
    /// d with a bits from bit b on replaced by the low bits of c.
    Bfi[a, b, c, d] { word integer::insert(a, b, c, d); undefined Field; }
    /// The bits in reverse order.
    Bfr[a] { word integer::reverse(a); undefined Never; }
    /// The number of set bits.
    Btc[a] { word integer::count_ones(a); undefined Never; }
    /// The index of the lowest set bit, or all ones if none is set.
    Btfl[a] { word integer::lowest_one(a); undefined Never; }
    /// The index of the highest bit that is not the sign, or all ones if there is none.
    Btfm[a] { word if S { integer::highest_digit(a) } else { integer::highest_one(a) }; undefined Never; }

    Pk2h[a, b] { float pk2h; undefined Never; }
    Pk2us[a, b] { float pk2us; undefined Never; }
    Pk4b[a, b, c, d] { float pk4b; undefined Never; }
    Pk4ub[a, b, c, d] { float pk4ub; undefined Never; }
    Up2hLow[a] { float up2h_low; undefined Never; }
    Up2hHigh[a] { float up2h_high; undefined Never; }
    Up2usLow[a] { float up2us_low; undefined Never; }
    Up2usHigh[a] { float up2us_high; undefined Never; }
    Up4b0[a] { float up4b0; undefined Never; }
    Up4b1[a] { float up4b1; undefined Never; }
    Up4b2[a] { float up4b2; undefined Never; }
    Up4b3[a] { float up4b3; undefined Never; }
    Up4ub0[a] { float up4ub0; undefined Never; }
    Up4ub1[a] { float up4ub1; undefined Never; }
    Up4ub2[a] { float up4ub2; undefined Never; }
    Up4ub3[a] { float up4ub3; undefined Never; }
    /// PK64: a in the low word and b in the high word.
    Pack64[a, b] { long [a[0], b[0]]; pair [a[0], b[0]]; undefined Never; }
    /// UP64: the low word.
    Unpack64Low[a] { long [a[0], W::of(0)]; pair [a[0], D::Word::of(0)]; undefined Never; }
    /// UP64: the high word.
    Unpack64High[a] { long [a[1], W::of(0)]; pair [a[1], D::Word::of(0)]; undefined Never; }

    Dp2[a, b, c, d] { float dp2; undefined Never; }
    Dp2a[a, b, c, d, e] { float dp2a; undefined Never; }
    Dp3[a, b, c, d, e, f] { float dp3; undefined Never; }
    Dp4[a, b, c, d, e, f, g, h] { float dp4; undefined Never; }
    Dph[a, b, c, d, e, f, g] { float dph; undefined Never; }
    Cross[a, b, c, d] { float cross; undefined Never; }
    Normalize[a, b, c, d] { float normalize; undefined Never; }
    Reflect[a, b, c, d, e, f, g, h] { float reflect; undefined Never; }
    Transform2d[a, b, c, d, e] { float transform_2d; undefined Never; }
    LitDiffuse[a] { float lit_diffuse; undefined Never; }
    LitSpecular[a, b, c] { float lit_specular; undefined Never; }
    LitSpecularClamped[a, b, c] { float lit_specular_clamped; undefined Never; }

    Rcp[a] { float rcp; double D::of(1.0) / a; undefined Never; }
    Rcc[a] { float rcc; undefined Never; }
    Rsq[a] { float rsq; double D::of(1.0) / a.sqrt(); undefined NotPositive; }
    RsqOfMagnitude[a] { float rsq_of_magnitude; undefined Never; }
    Ex2[a] { float ex2; undefined Never; }
    Lg2[a] { float lg2; undefined NotPositive; }
    Pow[a, b] { float pow; undefined Never; }
    Sin[a] { float sin; undefined Never; }
    Cos[a] { float cos; undefined Never; }
    ExpWhole[a] { float exp_whole; undefined Never; }
    LogExponent[a] { float log_exponent; undefined Never; }
    LogMantissa[a] { float log_mantissa; undefined Never; }
    LogOfMagnitude[a] { float log_of_magnitude; undefined Never; }

    AddressFloor[a] { float address_floor; undefined Never; }
    AddressFloorFree[a] { float address_floor_free; undefined Never; }
    AddressFloorSaturated[a] { float address_floor_saturated; undefined Never; }
    AddressRound[a] { float address_round; undefined Never; }
    AddressRoundSaturated[a] { float address_round_saturated; undefined Never; }
    AddressAdd[a, b] { float address_add; undefined Never; }
    AddressAddSaturated[a, b] { float address_add_saturated; undefined Never; }
}

impl Kernel {
    /// The function that computes `self` in type `ty`. MUL.S24 and MUL.U24 have one of their own.
    pub(super) const fn in_type(self, ty: Type) -> Self {
        match (self, ty) {
            (Self::Mul, Type::S24 | Type::U24) => Self::Mul24,
            _ => self,
        }
    }
}

/// Evaluates a component function in type `ty`.
#[inline(always)]
pub fn evaluate<N: Number>(kernel: Kernel, ty: Type, inputs: &[Words<N>; MAX_INPUTS]) -> Words<N> {
    let kernel = kernel.in_type(ty);
    let numbers = || inputs.map(|[low, _]| low);
    let words = || inputs.map(|[low, _]| low.bits());
    let pairs = || inputs.map(|words| words.map(Number::bits));
    let low = match ty {
        Type::F32 | Type::Address => kernel.float::<Single, N>(&numbers()),
        Type::F16 => kernel.float::<Half, N>(&numbers()),
        Type::Fx12 => kernel.float::<Fixed, N>(&numbers()),
        Type::S32 | Type::S24 => kernel.word::<N::Bits, true>(&words()).number(),
        Type::U32 | Type::U24 => kernel.word::<N::Bits, false>(&words()).number(),
        Type::F64 => return kernel.double::<<N::Bits as Word>::Double>(&pairs()).map(Word::number),
        Type::S64 => return kernel.long::<N::Bits, true>(&pairs()).map(Word::number),
        Type::U64 => return kernel.long::<N::Bits, false>(&pairs()).map(Word::number),
    };
    [low, N::of(0.0)]
}
