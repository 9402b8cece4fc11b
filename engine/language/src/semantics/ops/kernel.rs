//! [`Kernel`]: one value per component function, with the number of its inputs. Plans and tests use these
//! values instead of function pointers, because the functions are generic.

use super::*;
use crate::num::Number;

/// Calls `$callback! { name(arguments), ... }` with every kernel of this module.
macro_rules! for_each_kernel {
    ($callback:ident) => {
        $callback! {
            Zero zero();
            One one();
            Copy copy(a);
            Add add(a, b);
            Sub sub(a, b);
            Mul mul(a, b);
            NegMul neg_mul(a, b);
            Mad mad(a, b, c);
            MulSub mul_sub(a, b, c);
            NegMad neg_mad(a, b, c);
            NegMulSub neg_mul_sub(a, b, c);
            Lrp lrp(a, b, c);
            Dp3 dp3(a, b, c, d, e, f);
            Dp4 dp4(a, b, c, d, e, f, g, h);
            Max max(a, b);
            Min min(a, b);
            Floor floor(a);
            Fraction fraction(a);
            Seq seq(a, b);
            Sge sge(a, b);
            Sgt sgt(a, b);
            Sle sle(a, b);
            Slt slt(a, b);
            Sne sne(a, b);
            SeqOrNan seq_or_nan(a, b);
            SgeOrNan sge_or_nan(a, b);
            SgtOrNan sgt_or_nan(a, b);
            SleOrNan sle_or_nan(a, b);
            SltOrNan slt_or_nan(a, b);
            SneOrNan sne_or_nan(a, b);
            SetSign set_sign(a);
            Magnitude abs(a);
            Dph dph(a, b, c, d, e, f, g);
            Dp2 dp2(a, b, c, d);
            Dp2a dp2a(a, b, c, d, e);
            Cross cross(a, b, c, d);
            Normalize normalize(a, b, c, d);
            Compare compare(a, b, c);
            RsqOfMagnitude rsq_of_magnitude(a);
            Undefined undefined();
            Rcc rcc(a);
            ExpWhole exp_whole(a);
            LogExponent log_exponent(a);
            LogMantissa log_mantissa(a);
            LogOfMagnitude log_of_magnitude(a);
            LitSpecularClamped lit_specular_clamped(a, b, c);
            AddressFloor address_floor(a);
            AddressFloorFree address_floor_free(a);
            AddressFloorSaturated address_floor_saturated(a);
            AddressRound address_round(a);
            AddressRoundSaturated address_round_saturated(a);
            AddressAdd address_add(a, b);
            AddressAddSaturated address_add_saturated(a, b);
            Rcp rcp(a);
            Rsq rsq(a);
            Ex2 ex2(a);
            Lg2 lg2(a);
            Sin sin(a);
            Cos cos(a);
            Pow pow(a, b);
            Div div(a, b);
            LitDiffuse lit_diffuse(a);
            LitSpecular lit_specular(a, b, c);
            Reflect reflect(a, b, c, d, e, f, g, h);
            Transform2d transform_2d(a, b, c, d, e);
            Pk2h pk2h(a, b);
            Pk2us pk2us(a, b);
            Pk4b pk4b(a, b, c, d);
            Pk4ub pk4ub(a, b, c, d);
            Up2hLow up2h_low(a);
            Up2hHigh up2h_high(a);
            Up2usLow up2us_low(a);
            Up2usHigh up2us_high(a);
            Up4b0 up4b0(a);
            Up4b1 up4b1(a);
            Up4b2 up4b2(a);
            Up4b3 up4b3(a);
            Up4ub0 up4ub0(a);
            Up4ub1 up4ub1(a);
            Up4ub2 up4ub2(a);
            Up4ub3 up4ub3(a);
            Negate negate(a);
            Absolute absolute(a);
            NegateAbsolute negate_absolute(a);
            Saturate saturate(a);
            SaturateSigned saturate_signed(a);
            Bits bits(a);
            ToHalf to_half(a);
            ToFixed to_fixed(a);
            IntAdd int_add(a, b);
            IntSub int_sub(a, b);
            IntNegate int_negate(a);
            IntMul int_mul(a, b);
            IntMad int_mad(a, b, c);
            MulHighSigned mul_high_signed(a, b);
            MulHighUnsigned mul_high_unsigned(a, b);
            Mul24Signed mul_24_signed(a, b);
            Mul24Unsigned mul_24_unsigned(a, b);
            IntMagnitude int_magnitude(a);
            IntNegateMagnitude int_negate_magnitude(a);
            MinSigned min_signed(a, b);
            MaxSigned max_signed(a, b);
            MinUnsigned min_unsigned(a, b);
            MaxUnsigned max_unsigned(a, b);
            DivSigned div_signed(a, b);
            DivUnsigned div_unsigned(a, b);
            ModSigned mod_signed(a, b);
            ModUnsigned mod_unsigned(a, b);
            And and(a, b);
            Or or(a, b);
            Xor xor(a, b);
            Not not(a);
            ShiftLeft shift_left(a, b);
            ShiftRightSigned shift_right_signed(a, b);
            ShiftRightUnsigned shift_right_unsigned(a, b);
            SadSigned sad_signed(a, b, c);
            SadUnsigned sad_unsigned(a, b, c);
            CmpSigned cmp_signed(a, b, c);
            CmpUnsigned cmp_unsigned(a, b, c);
            AllOnes all_ones();
            IntSeq int_seq(a, b);
            IntSne int_sne(a, b);
            SltSigned slt_signed(a, b);
            SleSigned sle_signed(a, b);
            SgtSigned sgt_signed(a, b);
            SgeSigned sge_signed(a, b);
            SltUnsigned slt_unsigned(a, b);
            SleUnsigned sle_unsigned(a, b);
            SgtUnsigned sgt_unsigned(a, b);
            SgeUnsigned sge_unsigned(a, b);
            BfeSigned bfe_signed(a, b, c);
            BfeUnsigned bfe_unsigned(a, b, c);
            Bfi bfi(a, b, c, d);
            Bfr bfr(a);
            Btc btc(a);
            Btfl btfl(a);
            BtfmSigned btfm_signed(a);
            BtfmUnsigned btfm_unsigned(a);
            SignExtend8 sign_extend_8(a);
            SignExtend16 sign_extend_16(a);
            ZeroExtend8 zero_extend_8(a);
            ZeroExtend16 zero_extend_16(a);
            FloatFromSigned float_from_signed(a);
            FloatFromUnsigned float_from_unsigned(a);
            LongAddLow long_add_low(a0, a1, b0, b1);
            LongAddHigh long_add_high(a0, a1, b0, b1);
            LongSubLow long_sub_low(a0, a1, b0, b1);
            LongSubHigh long_sub_high(a0, a1, b0, b1);
            LongNegateLow long_negate_low(a0, a1);
            LongNegateHigh long_negate_high(a0, a1);
            LongMulLow long_mul_low(a0, a1, b0, b1);
            LongMulHigh long_mul_high(a0, a1, b0, b1);
            LongMadLow long_mad_low(a0, a1, b0, b1, c0, c1);
            LongMadHigh long_mad_high(a0, a1, b0, b1, c0, c1);
            LongMagnitudeLow long_magnitude_low(a0, a1);
            LongMagnitudeHigh long_magnitude_high(a0, a1);
            LongMinSignedLow long_min_signed_low(a0, a1, b0, b1);
            LongMinSignedHigh long_min_signed_high(a0, a1, b0, b1);
            LongMaxSignedLow long_max_signed_low(a0, a1, b0, b1);
            LongMaxSignedHigh long_max_signed_high(a0, a1, b0, b1);
            LongMinUnsignedLow long_min_unsigned_low(a0, a1, b0, b1);
            LongMinUnsignedHigh long_min_unsigned_high(a0, a1, b0, b1);
            LongMaxUnsignedLow long_max_unsigned_low(a0, a1, b0, b1);
            LongMaxUnsignedHigh long_max_unsigned_high(a0, a1, b0, b1);
            LongDivSignedLow long_div_signed_low(a0, a1, b0, b1);
            LongDivSignedHigh long_div_signed_high(a0, a1, b0, b1);
            LongDivUnsignedLow long_div_unsigned_low(a0, a1, b0, b1);
            LongDivUnsignedHigh long_div_unsigned_high(a0, a1, b0, b1);
            LongModSignedLow long_mod_signed_low(a0, a1, b0, b1);
            LongModSignedHigh long_mod_signed_high(a0, a1, b0, b1);
            LongModUnsignedLow long_mod_unsigned_low(a0, a1, b0, b1);
            LongModUnsignedHigh long_mod_unsigned_high(a0, a1, b0, b1);
            LongShiftLeftLow long_shift_left_low(a0, a1, count);
            LongShiftLeftHigh long_shift_left_high(a0, a1, count);
            LongShiftRightSignedLow long_shift_right_signed_low(a0, a1, count);
            LongShiftRightSignedHigh long_shift_right_signed_high(a0, a1, count);
            LongShiftRightUnsignedLow long_shift_right_unsigned_low(a0, a1, count);
            LongShiftRightUnsignedHigh long_shift_right_unsigned_high(a0, a1, count);
            LongSadSignedLow long_sad_signed_low(a0, a1, b0, b1, c0, c1);
            LongSadSignedHigh long_sad_signed_high(a0, a1, b0, b1, c0, c1);
            LongSadUnsignedLow long_sad_unsigned_low(a0, a1, b0, b1, c0, c1);
            LongSadUnsignedHigh long_sad_unsigned_high(a0, a1, b0, b1, c0, c1);
            LongCmpSignedLow long_cmp_signed_low(a0, a1, b0, b1, c0, c1);
            LongCmpSignedHigh long_cmp_signed_high(a0, a1, b0, b1, c0, c1);
            LongSeqLow long_seq_low(a0, a1, b0, b1);
            LongSeqHigh long_seq_high(a0, a1, b0, b1);
            LongSneLow long_sne_low(a0, a1, b0, b1);
            LongSneHigh long_sne_high(a0, a1, b0, b1);
            LongSltSignedLow long_slt_signed_low(a0, a1, b0, b1);
            LongSltSignedHigh long_slt_signed_high(a0, a1, b0, b1);
            LongSltUnsignedLow long_slt_unsigned_low(a0, a1, b0, b1);
            LongSltUnsignedHigh long_slt_unsigned_high(a0, a1, b0, b1);
            LongSgtSignedLow long_sgt_signed_low(a0, a1, b0, b1);
            LongSgtSignedHigh long_sgt_signed_high(a0, a1, b0, b1);
            LongSgtUnsignedLow long_sgt_unsigned_low(a0, a1, b0, b1);
            LongSgtUnsignedHigh long_sgt_unsigned_high(a0, a1, b0, b1);
            LongSgeSignedLow long_sge_signed_low(a0, a1, b0, b1);
            LongSgeSignedHigh long_sge_signed_high(a0, a1, b0, b1);
            LongSgeUnsignedLow long_sge_unsigned_low(a0, a1, b0, b1);
            LongSgeUnsignedHigh long_sge_unsigned_high(a0, a1, b0, b1);
            LongSleSignedLow long_sle_signed_low(a0, a1, b0, b1);
            LongSleSignedHigh long_sle_signed_high(a0, a1, b0, b1);
            LongSleUnsignedLow long_sle_unsigned_low(a0, a1, b0, b1);
            LongSleUnsignedHigh long_sle_unsigned_high(a0, a1, b0, b1);
            DoubleAddLow double_add_low(a0, a1, b0, b1);
            DoubleAddHigh double_add_high(a0, a1, b0, b1);
            DoubleSubLow double_sub_low(a0, a1, b0, b1);
            DoubleSubHigh double_sub_high(a0, a1, b0, b1);
            DoubleMulLow double_mul_low(a0, a1, b0, b1);
            DoubleMulHigh double_mul_high(a0, a1, b0, b1);
            DoubleMadLow double_mad_low(a0, a1, b0, b1, c0, c1);
            DoubleMadHigh double_mad_high(a0, a1, b0, b1, c0, c1);
            DoubleDivLow double_div_low(a0, a1, b0, b1);
            DoubleDivHigh double_div_high(a0, a1, b0, b1);
            DoubleRcpLow double_rcp_low(a0, a1);
            DoubleRcpHigh double_rcp_high(a0, a1);
            DoubleRsqLow double_rsq_low(a0, a1);
            DoubleRsqHigh double_rsq_high(a0, a1);
            DoubleMinLow double_min_low(a0, a1, b0, b1);
            DoubleMinHigh double_min_high(a0, a1, b0, b1);
            DoubleMaxLow double_max_low(a0, a1, b0, b1);
            DoubleMaxHigh double_max_high(a0, a1, b0, b1);
            DoubleFloorLow double_floor_low(a0, a1);
            DoubleFloorHigh double_floor_high(a0, a1);
            DoubleCeilLow double_ceil_low(a0, a1);
            DoubleCeilHigh double_ceil_high(a0, a1);
            DoubleRoundLow double_round_low(a0, a1);
            DoubleRoundHigh double_round_high(a0, a1);
            DoubleTruncLow double_trunc_low(a0, a1);
            DoubleTruncHigh double_trunc_high(a0, a1);
            DoubleFractionLow double_fraction_low(a0, a1);
            DoubleFractionHigh double_fraction_high(a0, a1);
            DoubleMagnitudeLow double_magnitude_low(a0, a1);
            DoubleMagnitudeHigh double_magnitude_high(a0, a1);
            DoubleSetSignLow double_set_sign_low(a0, a1);
            DoubleSetSignHigh double_set_sign_high(a0, a1);
            DoubleSaturateLow double_saturate_low(a0, a1);
            DoubleSaturateHigh double_saturate_high(a0, a1);
            DoubleSaturateSignedLow double_saturate_signed_low(a0, a1);
            DoubleSaturateSignedHigh double_saturate_signed_high(a0, a1);
            DoubleSeqLow double_seq_low(a0, a1, b0, b1);
            DoubleSeqHigh double_seq_high(a0, a1, b0, b1);
            DoubleSneLow double_sne_low(a0, a1, b0, b1);
            DoubleSneHigh double_sne_high(a0, a1, b0, b1);
            DoubleSltLow double_slt_low(a0, a1, b0, b1);
            DoubleSltHigh double_slt_high(a0, a1, b0, b1);
            DoubleSleLow double_sle_low(a0, a1, b0, b1);
            DoubleSleHigh double_sle_high(a0, a1, b0, b1);
            DoubleSgtLow double_sgt_low(a0, a1, b0, b1);
            DoubleSgtHigh double_sgt_high(a0, a1, b0, b1);
            DoubleSgeLow double_sge_low(a0, a1, b0, b1);
            DoubleSgeHigh double_sge_high(a0, a1, b0, b1);
            DoubleCmpLow double_cmp_low(a0, a1, b0, b1, c0, c1);
            DoubleCmpHigh double_cmp_high(a0, a1, b0, b1, c0, c1);
            DoubleFloorToSignedLow double_floor_to_signed_low(a0, a1);
            DoubleFloorToSignedHigh double_floor_to_signed_high(a0, a1);
            DoubleFloorToUnsignedLow double_floor_to_unsigned_low(a0, a1);
            DoubleFloorToUnsignedHigh double_floor_to_unsigned_high(a0, a1);
            DoubleCeilToSignedLow double_ceil_to_signed_low(a0, a1);
            DoubleCeilToSignedHigh double_ceil_to_signed_high(a0, a1);
            DoubleCeilToUnsignedLow double_ceil_to_unsigned_low(a0, a1);
            DoubleCeilToUnsignedHigh double_ceil_to_unsigned_high(a0, a1);
            DoubleRoundToSignedLow double_round_to_signed_low(a0, a1);
            DoubleRoundToSignedHigh double_round_to_signed_high(a0, a1);
            DoubleRoundToUnsignedLow double_round_to_unsigned_low(a0, a1);
            DoubleRoundToUnsignedHigh double_round_to_unsigned_high(a0, a1);
            DoubleTruncToSignedLow double_trunc_to_signed_low(a0, a1);
            DoubleTruncToSignedHigh double_trunc_to_signed_high(a0, a1);
            DoubleTruncToUnsignedLow double_trunc_to_unsigned_low(a0, a1);
            DoubleTruncToUnsignedHigh double_trunc_to_unsigned_high(a0, a1);
            DoubleFromSignedLow double_from_signed_low(a0, a1);
            DoubleFromSignedHigh double_from_signed_high(a0, a1);
            DoubleFromUnsignedLow double_from_unsigned_low(a0, a1);
            DoubleFromUnsignedHigh double_from_unsigned_high(a0, a1);
            DoubleFromSingleLow double_from_single_low(a);
            DoubleFromSingleHigh double_from_single_high(a);
            SingleFromDouble single_from_double(a0, a1);
            Ceil ceil(a);
            Round round(a);
            Trunc trunc(a);
            FloorToSigned floor_to_signed(a);
            FloorToUnsigned floor_to_unsigned(a);
            CeilToSigned ceil_to_signed(a);
            CeilToUnsigned ceil_to_unsigned(a);
            RoundToSigned round_to_signed(a);
            RoundToUnsigned round_to_unsigned(a);
            TruncToSigned trunc_to_signed(a);
            TruncToUnsigned trunc_to_unsigned(a);
            Pack64 pack64(a, b);
            Unpack64Low unpack64_low(a);
            Unpack64High unpack64_high(a);
            Choose choose(a, b, c);
        }
    };
}
/// The maximum number of inputs of a component function.
pub const MAX_INPUTS: usize = 8;

macro_rules! kernel_enum {
    ($($kernel:ident $function:ident($($arg:ident),*);)*) => {
        /// A component function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kernel {
            $(#[doc = concat!("[`", stringify!($function), "`]")] $kernel,)*
        }

        impl Kernel {
            pub const ALL: &[Self] = &[$(Self::$kernel),*];

            /// Number of inputs.
            pub const fn inputs(self) -> usize {
                match self {
                    $(Self::$kernel => <[&str]>::len(&[$(stringify!($arg)),*]),)*
                }
            }

            /// Computes one component. Inputs beyond [`Self::inputs`] are ignored.
            pub fn eval<A: Arith, N: Number>(self, inputs: &[N; MAX_INPUTS]) -> N {
                match self {
                    $(Self::$kernel => {
                        let [$($arg,)* ..] = *inputs;
                        $function::<A, N>($($arg),*)
                    })*
                }
            }
        }
    };
}
for_each_kernel!(kernel_enum);
