//! fp16, the 16-bit float with denorms (NV_fragment_program 3.11.4.1), held in `f32`s.
//!
//! An fp16 value is stored as an `f32` that fp16 represents exactly; [`round`] returns such values. Bit
//! patterns appear only in packing and unpacking (PK2H, UP2H) and CVT. Conversions round to nearest even, and
//! values from 65520 on become INF (ruling 7). This module has no arithmetic.

use super::fp32;
use super::number::{Number, Word};

/// The only fp16 NaN that conversions return.
pub const NAN_BITS: u16 = 0x7E00;

const MAGNITUDE: u32 = 0x7FFF_FFFF;
const EXPONENT: u32 = 0x7F80_0000;
/// 65520, halfway between the largest fp16 (65504) and 2^16. The tie goes to the even neighbour, INF.
const OVERFLOW: u32 = 0x477F_F000;
/// 2^-14, the smallest normal fp16.
const MIN_NORMAL: u32 = 0x3880_0000;
/// 0.5. In its binade the last digit of fp32 is 2^-24, the step of fp16 denorms.
const DENORM_MAGIC: u32 = 0x3F00_0000;

/// The magnitude of `round(x)` as `f32` bits. For a NaN the result is arbitrary.
#[inline(always)]
fn round_magnitude<N: Number>(magnitude: N::Bits) -> N::Bits {
    // Add 2^13 times the power of two at or below the value (at least 2^-14, where the step stops shrinking).
    // The last digit of the fp32 sum is then that of fp16, so the IEEE addition rounds.
    let word = N::Bits::of;
    let (exponent, least) = (magnitude & word(EXPONENT), word(MIN_NORMAL));
    let exponent = N::Bits::select(exponent.lt_unsigned(least), least, exponent);
    let magic = exponent.wrapping_add(word(13 << 23)).number();
    let rounded = (magnitude.number() + magic) - magic;
    N::Bits::select(magnitude.lt_unsigned(word(OVERFLOW)), rounded.bits(), word(EXPONENT))
}

/// Converts fp32 to the fp16 bits in the low half: to nearest even, with denorms. Any NaN gives [`NAN_BITS`].
#[inline(always)]
pub fn to_bits<N: Number>(x: N) -> N::Bits {
    let word = N::Bits::of;
    let (bits, magnitude) = (x.bits(), x.bits() & word(MAGNITUDE));
    let rounded = round_magnitude::<N>(magnitude);
    let normal = rounded.wrapping_sub(word(112 << 23)).shr::<13>();
    let denorm = (rounded.number() + word(DENORM_MAGIC).number()).bits().wrapping_sub(word(DENORM_MAGIC));
    let finite = N::Bits::select(rounded.lt_unsigned(word(MIN_NORMAL)), denorm, normal);
    let number = N::Bits::select(rounded.bits_eq(word(EXPONENT)), word(0x7C00), finite);
    let signed = number | bits.shr::<31>().shl::<15>();
    N::Bits::select(x.is_nan(), word(NAN_BITS.into()), signed)
}

/// The fp32 value of fp16 bits below 2^16, always exact. Any NaN gives [`fp32::NAN_BITS`].
#[inline(always)]
pub fn from_bits<W: Word>(bits: W) -> W::Number {
    let magnitude = bits & W::of(0x7FFF);
    let normal = magnitude.shl::<13>().wrapping_add(W::of(112 << 23));
    let denorm = ((magnitude | W::of(DENORM_MAGIC)).number() - W::of(DENORM_MAGIC).number()).bits();
    let finite = W::select(magnitude.lt_unsigned(W::of(0x0400)), denorm, normal);
    let number = W::select(magnitude.bits_eq(W::of(0x7C00)), W::of(EXPONENT), finite);
    let signed = number | bits.shr::<15>().shl::<31>();
    W::select(W::of(0x7C00).lt_unsigned(magnitude), W::of(fp32::NAN_BITS), signed).number()
}

/// Rounds to the nearest fp16 value, held in an `f32`: `from_bits(to_bits(x))` in fewer steps.
///
/// The sign of zero is kept. Values from 65520 on become INF, and any NaN becomes [`fp32::NAN_BITS`].
#[inline(always)]
pub fn round<N: Number>(x: N) -> N {
    let word = N::Bits::of;
    let bits = x.bits();
    let signed = round_magnitude::<N>(bits & word(MAGNITUDE)) | (bits & word(!MAGNITUDE));
    N::select(x.is_nan(), N::nan(), signed.number())
}

#[cfg(test)]
mod tests {
    use half::f16;

    use super::*;

    /// The conversion of the `half` crate, with NaN replaced by [`NAN_BITS`].
    fn expected_bits(x: f32) -> u16 {
        if x.is_nan() { 0x7E00 } else { f16::from_f32(x).to_bits() }
    }

    fn check(x: f32) {
        let bits = expected_bits(x);
        let value = if x.is_nan() { f32::from_bits(fp32::NAN_BITS) } else { f16::from_bits(bits).to_f32() };
        assert_eq!(to_bits(x), u32::from(bits), "to_bits of {:#010X}", x.to_bits());
        assert_eq!(round(x).to_bits(), value.to_bits(), "round of {:#010X}", x.to_bits());
    }

    #[test]
    fn every_pattern_both_ways() {
        for bits in 0..=u16::MAX {
            let value = f16::from_bits(bits);
            let ours = from_bits(u32::from(bits));
            if value.is_nan() {
                assert_eq!(ours.to_bits(), fp32::NAN_BITS, "{bits:#06X}");
                assert_eq!(to_bits(ours), u32::from(NAN_BITS));
            } else {
                assert_eq!(ours.to_bits(), value.to_f32().to_bits(), "{bits:#06X}");
                assert_eq!(to_bits(ours), u32::from(bits));
                assert_eq!(round(ours).to_bits(), ours.to_bits());
            }
        }
    }

    #[test]
    fn halfway_points_and_their_neighbours() {
        // Between each pair of neighbours, 65504 and the next step up to 65536 included.
        for bits in 0..0x7C00_u16 {
            let low = f16::from_bits(bits).to_f32();
            let high = if bits == 0x7BFF { 65536.0 } else { f16::from_bits(bits + 1).to_f32() };
            let middle = (low + high) / 2.0;
            for offset in [-1_i32, 0, 1] {
                let x = f32::from_bits(middle.to_bits().wrapping_add_signed(offset));
                check(x);
                check(-x);
            }
        }
    }

    #[test]
    fn worked_values() {
        // The decoding of 3.11.4.1, computed by hand.
        let cases = [
            (0.0, 0x0000),
            (-0.0, 0x8000),
            (1.0, 0x3C00),
            (-2.0, 0xC000),
            (65504.0, 0x7BFF),
            (65519.996, 0x7BFF),
            (65520.0, 0x7C00),
            (65536.0, 0x7C00),
            (-65520.0, 0xFC00),
            (f32::INFINITY, 0x7C00),
            (f32::NEG_INFINITY, 0xFC00),
            (f32::MAX, 0x7C00),
            // 2^-24, the smallest denorm; half of it ties to zero; three halves tie to 2^-23.
            (5.960_464_5e-8, 0x0001),
            (2.980_232_2e-8, 0x0000),
            (8.940_697e-8, 0x0002),
            (-2.980_232_6e-8, 0x8001),
            // 1 + 2^-11 ties to 1; 1 + 3 * 2^-11 ties to 1 + 2^-9.
            (1.000_488_3, 0x3C00),
            (1.001_464_8, 0x3C02),
        ];
        for (x, bits) in cases {
            assert_eq!(to_bits(x), bits, "{x:e}");
            assert_eq!(round(x).to_bits(), from_bits(bits).to_bits(), "{x:e}");
        }
    }

    #[test]
    fn nan_is_canonical() {
        for bits in [0x7F80_0001, 0xFF80_0001, 0x7FC0_0000, 0xFFFF_FFFF_u32] {
            check(f32::from_bits(bits));
        }
    }

    #[test]
    fn all_of_fp32_in_steps() {
        // The step is odd, so every residue of the dropped bits occurs.
        for bits in (0..=u32::MAX).step_by(2_311) {
            check(f32::from_bits(bits));
        }
    }

    #[test]
    fn a_binade_and_the_denorms_densely() {
        for bits in (0x3F7F_0000..0x3F82_0000_u32).chain(0x3878_0000..0x3888_0000) {
            check(f32::from_bits(bits));
        }
    }
}
