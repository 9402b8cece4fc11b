//! Packing and unpacking of register bits: PK2H, PK2US, PK4B, PK4UB and UP2H, UP2US, UP4B, UP4UB
//! (NV_fragment_program 3.11.5.20 to .23 and .41 to .44).
//!
//! Packed words are raw bits (`u32`), not numbers: registers must carry them without a flush and without NaN
//! canonicalisation. The executors take care of that.

use super::fp16;
use super::number::{Number, Word};

/// 1.5 * 2^23. Adding this constant rounds a small number to an integer, which is then in the low bits of the
/// sum.
const MAGIC: f32 = 12_582_912.0;

/// Clamps to [low, high]. A NaN stays a NaN.
#[inline(always)]
fn clamp<N: Number>(x: N, low: f32, high: f32) -> N {
    let (low, high) = (N::of(low), N::of(high));
    let x = N::select(x.lt(low), low, x);
    N::select(x.gt(high), high, x)
}

/// `round(x)` for x from 0 to 65535, apart from rounding errors of the caller. NaN gives 0.
#[inline(always)]
fn to_unsigned<N: Number>(x: N) -> N::Bits {
    let integer = (x + N::of(MAGIC)).bits() & N::Bits::of(0xFFFF);
    N::Bits::select(x.is_nan(), N::Bits::of(0), integer)
}

#[inline(always)]
fn to_us<N: Number>(x: N) -> N::Bits {
    to_unsigned(N::of(65535.0) * clamp(x, 0.0, 1.0))
}

#[inline(always)]
fn to_b<N: Number>(x: N) -> N::Bits {
    to_unsigned(N::of(127.0) * clamp(x, -128.0 / 127.0, 1.0) + N::of(128.0))
}

#[inline(always)]
fn to_ub<N: Number>(x: N) -> N::Bits {
    to_unsigned(N::of(255.0) * clamp(x, 0.0, 1.0))
}

/// PK2H: two fp16 bit patterns, `x` in the low half (3.11.5.20).
#[inline(always)]
pub fn pk2h<N: Number>(x: N, y: N) -> N::Bits {
    fp16::to_bits(x) | fp16::to_bits(y).shl::<16>()
}

/// PK2US: two scalars in [0, 1] as 16-bit integers, `x` in the low half (3.11.5.21).
#[inline(always)]
pub fn pk2us<N: Number>(x: N, y: N) -> N::Bits {
    to_us(x) | to_us(y).shl::<16>()
}

/// PK4B: four scalars in [-128/127, 1] as bytes with a bias of 128, `x` lowest (3.11.5.22).
#[inline(always)]
pub fn pk4b<N: Number>(x: N, y: N, z: N, w: N) -> N::Bits {
    to_b(x) | to_b(y).shl::<8>() | to_b(z).shl::<16>() | to_b(w).shl::<24>()
}

/// PK4UB: four scalars in [0, 1] as bytes, `x` lowest (3.11.5.23).
#[inline(always)]
pub fn pk4ub<N: Number>(x: N, y: N, z: N, w: N) -> N::Bits {
    to_ub(x) | to_ub(y).shl::<8>() | to_ub(z).shl::<16>() | to_ub(w).shl::<24>()
}

/// x and z of UP2H: the fp16 in the low half (3.11.5.41).
#[inline(always)]
pub fn up2h_lo<W: Word>(packed: W) -> W::Number {
    fp16::from_bits(packed & W::of(0xFFFF))
}

/// y and w of UP2H: the fp16 in the high half (3.11.5.41).
#[inline(always)]
pub fn up2h_hi<W: Word>(packed: W) -> W::Number {
    fp16::from_bits(packed.shr::<16>())
}

/// An integer divided by the integer that represents 1.
#[inline(always)]
fn quotient<W: Word>(integer: W, unit: f32) -> W::Number {
    integer.to_float() / W::Number::of(unit)
}

/// x and z of UP2US: the low half divided by 65535 (3.11.5.42).
#[inline(always)]
pub fn up2us_lo<W: Word>(packed: W) -> W::Number {
    quotient(packed & W::of(0xFFFF), 65535.0)
}

/// y and w of UP2US: the high half divided by 65535 (3.11.5.42).
#[inline(always)]
pub fn up2us_hi<W: Word>(packed: W) -> W::Number {
    quotient(packed.shr::<16>(), 65535.0)
}

/// The byte that starts at bit `SHIFT`.
#[inline(always)]
fn byte<W: Word, const SHIFT: u32>(packed: W) -> W {
    packed.shr::<SHIFT>() & W::of(0xFF)
}

/// A component of UP4B: (byte - 128) / 127. `SHIFT` is 0, 8, 16 or 24 for x to w (3.11.5.43).
#[inline(always)]
pub fn up4b<const SHIFT: u32, W: Word>(packed: W) -> W::Number {
    quotient(byte::<W, SHIFT>(packed).wrapping_sub(W::of(128)), 127.0)
}

/// A component of UP4UB: byte / 255. `SHIFT` is 0, 8, 16 or 24 for x to w (3.11.5.44).
#[inline(always)]
pub fn up4ub<const SHIFT: u32, W: Word>(packed: W) -> W::Number {
    quotient(byte::<W, SHIFT>(packed), 255.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const INF: f32 = f32::INFINITY;

    #[test]
    fn pk2h_worked() {
        assert_eq!(pk2h(1.0, -2.0), 0xC000_3C00);
        assert_eq!(pk2h(-0.0, 65504.0), 0x7BFF_8000);
        assert_eq!(pk2h(INF, -INF), 0xFC00_7C00);
        assert_eq!(pk2h(f32::NAN, 1.0), 0x3C00_7E00);
    }

    #[test]
    fn pk2us_worked() {
        assert_eq!(pk2us(0.0, 1.0), 0xFFFF_0000);
        // 32767.5 is a tie, and 32768 is even.
        assert_eq!(pk2us(0.5, 0.25), 0x4000_8000);
        assert_eq!(pk2us(-3.0, 7.0), 0xFFFF_0000);
        assert_eq!(pk2us(-INF, INF), 0xFFFF_0000);
        assert_eq!(pk2us(f32::NAN, -0.0), 0);
    }

    #[test]
    fn pk4b_worked() {
        assert_eq!(pk4b(-128.0 / 127.0, 1.0, 0.0, -1.0), 0x0180_FF00);
        // 191.5 and 64.5 are ties: 192 and 64.
        assert_eq!(pk4b(0.5, -0.5, INF, -INF), 0x00FF_40C0);
        assert_eq!(pk4b(f32::NAN, 2.0, -2.0, -0.0), 0x8000_FF00);
    }

    #[test]
    fn pk4ub_worked() {
        // 127.5 is a tie: 128. 0.2 * 255 is 51.
        assert_eq!(pk4ub(0.0, 1.0, 0.5, 0.2), 0x3380_FF00);
        assert_eq!(pk4ub(f32::NAN, INF, -INF, -0.0), 0x0000_FF00);
        assert_eq!(pk4ub(1.5, -1.5, 0.1, 0.9), 0xE61A_00FF);
    }

    #[test]
    fn up2h_worked() {
        assert_eq!(up2h_lo(0xC000_3C00), 1.0);
        assert_eq!(up2h_hi(0xC000_3C00), -2.0);
        assert_eq!(up2h_hi(0x0001_FC01), 2.0_f32.powi(-24));
        assert_eq!(up2h_lo(0x0001_FC01).to_bits(), crate::num::fp32::NAN_BITS);
    }

    #[test]
    fn unpacked_bytes_worked() {
        assert_eq!(up4b::<0, u32>(0x80FF_0100), -128.0 / 127.0);
        assert_eq!(up4b::<8, u32>(0x80FF_0100), -1.0);
        assert_eq!(up4b::<16, u32>(0x80FF_0100), 1.0);
        assert_eq!(up4b::<24, u32>(0x80FF_0100).to_bits(), 0);
        assert_eq!(up4ub::<0, u32>(0x80FF_3300).to_bits(), 0);
        assert_eq!(up4ub::<8, u32>(0x80FF_3300), 0.2);
        assert_eq!(up4ub::<16, u32>(0x80FF_3300), 1.0);
        assert_eq!(up4ub::<24, u32>(0x80FF_3300), 128.0 / 255.0);
        assert_eq!(up2us_lo(0x8000_FFFF), 1.0);
        assert_eq!(up2us_hi(0x8000_FFFF), 32768.0 / 65535.0);
        assert_eq!(up2us_hi(0x0000_FFFF).to_bits(), 0);
    }

    #[test]
    fn packing_undoes_unpacking_of_halves() {
        for code in 0..=0xFFFF_u32 {
            let word = code | (!code << 16);
            assert_eq!(pk2us(up2us_lo(word), up2us_hi(word)), word, "{code:#06X}");
            let is_nan = |code: u32| code & 0x7FFF > 0x7C00;
            let canonical = |code: u32| if is_nan(code) { 0x7E00 } else { code };
            let expected = canonical(code) | (canonical(!code & 0xFFFF) << 16);
            assert_eq!(pk2h(up2h_lo(word), up2h_hi(word)), expected, "{code:#06X}");
        }
    }

    #[test]
    fn packing_undoes_unpacking_of_bytes() {
        for code in 0..=0xFF_u32 {
            let word = code | ((255 - code) << 8) | ((code ^ 0x5A) << 16) | ((code ^ 0xC3) << 24);
            let signed = pk4b(
                up4b::<0, u32>(word),
                up4b::<8, u32>(word),
                up4b::<16, u32>(word),
                up4b::<24, u32>(word),
            );
            assert_eq!(signed, word);
            let unsigned = pk4ub(
                up4ub::<0, u32>(word),
                up4ub::<8, u32>(word),
                up4ub::<16, u32>(word),
                up4ub::<24, u32>(word),
            );
            assert_eq!(unsigned, word);
        }
    }

    /// `round(scale * x + bias)` of a clamped number. Each step is rounded to fp32, as in the instructions.
    fn step_by_step(x: f32, low: f32, scale: f32, bias: f32) -> u32 {
        if x.is_nan() {
            return 0;
        }
        (scale * x.clamp(low, 1.0) + bias).round_ties_even() as u32
    }

    proptest! {
        #[test]
        fn any_bits_pack_component_by_component(bits in any::<[u32; 4]>()) {
            let v = bits.map(f32::from_bits);
            let pack = |codes: [u32; 4]| codes[0] | (codes[1] << 8) | (codes[2] << 16) | (codes[3] << 24);
            prop_assert_eq!(
                pk4b(v[0], v[1], v[2], v[3]),
                pack(v.map(|x| step_by_step(x, -128.0 / 127.0, 127.0, 128.0)))
            );
            prop_assert_eq!(pk4ub(v[0], v[1], v[2], v[3]), pack(v.map(|x| step_by_step(x, 0.0, 255.0, 0.0))));
            let us = v.map(|x| step_by_step(x, 0.0, 65535.0, 0.0));
            prop_assert_eq!(pk2us(v[0], v[1]), us[0] | (us[1] << 16));
        }

        #[test]
        fn numbers_in_range_come_back_within_half_a_step(x in -1.0_f32..=1.0, y in 0.0_f32..=1.0) {
            let half_step = |steps: f64| 0.5 / steps + 1e-7;
            let error = |back: f32, x: f32| (f64::from(back) - f64::from(x)).abs();
            prop_assert!(error(up4b::<16, u32>(pk4b(0.0, 1.0, x, 0.0)), x) <= half_step(127.0));
            prop_assert!(error(up4ub::<24, u32>(pk4ub(0.0, 1.0, 0.0, y)), y) <= half_step(255.0));
            prop_assert!(error(up2us_hi(pk2us(1.0, y)), y) <= half_step(65535.0));
        }
    }
}
