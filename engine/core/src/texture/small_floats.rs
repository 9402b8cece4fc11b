//! Floating-point numbers of texels with fewer bits than fp32: fp16, the unsigned floats of EXT_packed_float,
//! and EXT_texture_shared_exponent. All of them are represented as fp32.

use shadestep_language::num::fp32;

/// The exponent of the smallest normal number with 5 bits of exponent.
const LEAST_EXPONENT: i32 = -14;

/// The greatest value with a shared exponent, sharedexp_max: 511/512 * 2^16.
pub(super) const GREATEST_SHARED: f32 = 65_408.0;

/// 2^`exponent`, for exponents of normal numbers.
const fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The exponent of a positive double. For 0 and denorms, a value far below the exponents of texels.
const fn exponent(value: f64) -> i32 {
    (value.to_bits() >> 52) as i32 - 1023
}

/// Rounds a positive, finite `value` to a fraction of `bits` bits with an exponent of at least -14. Ties go
/// to even.
fn rounded(value: f64, bits: i32) -> f64 {
    let step = power(exponent(value).max(LEAST_EXPONENT) - bits);
    (value / step).round_ties_even() * step
}

/// The nearest fp16 number. Values of 65520 and above become infinity, NaN becomes the canonical NaN.
pub(super) fn half(value: f64) -> f32 {
    if value.is_nan() {
        return f32::from_bits(fp32::NAN_BITS);
    }
    let magnitude = if value.is_finite() { rounded(value.abs(), 10) } else { f64::INFINITY };
    let magnitude = if magnitude > 65_504.0 { f32::INFINITY } else { magnitude as f32 };
    magnitude.copysign(value as f32)
}

/// The nearest finite, unsigned number with `fraction` bits of fraction and 5 bits of exponent. Infinity and
/// NaN are kept (EXT_packed_float 2.1.A and 2.1.B).
pub(super) fn unsigned(value: f64, fraction: i32) -> f32 {
    if value.is_nan() {
        f32::from_bits(fp32::NAN_BITS)
    } else if value == f64::INFINITY {
        f32::INFINITY
    } else if value > 0.0 {
        let greatest = 65_536.0 * (1.0 - power(-fraction - 1));
        rounded(value.min(greatest), fraction) as f32
    } else {
        0.0
    }
}

/// The bits of [`unsigned`]: the exponent above the fraction.
pub(super) fn unsigned_bits(value: f64, fraction: i32) -> u32 {
    let number = f64::from(unsigned(value, fraction));
    if number.is_nan() {
        return 0x1F << fraction | 1;
    }
    if number.is_infinite() {
        return 0x1F << fraction;
    }
    let least = exponent(number).max(LEAST_EXPONENT);
    let places = (number / power(least - fraction)) as u32;
    // The leading one of a normal number carries into the exponent.
    ((least - LEAST_EXPONENT) as u32) * (1 << fraction) + places
}

/// The number with these bits, the inverse of [`unsigned_bits`].
pub(super) fn from_unsigned_bits(bits: u32, fraction: i32) -> f32 {
    let (exponent, places) = ((bits >> fraction) as i32, bits & ((1 << fraction) - 1));
    match exponent {
        0x1F if places != 0 => f32::from_bits(fp32::NAN_BITS),
        0x1F => f32::INFINITY,
        0 => (f64::from(places) * power(LEAST_EXPONENT - fraction)) as f32,
        _ => {
            let significand = f64::from(places | 1 << fraction);
            (significand * power(exponent + LEAST_EXPONENT - 1 - fraction)) as f32
        }
    }
}

/// Components with a shared exponent, 9 bits each: EXT_texture_shared_exponent 3.8.1.
pub(super) fn shared_exponent(rgb: [f64; 3]) -> [f32; 3] {
    let clamped = rgb.map(|value| if value > 0.0 { value.min(GREATEST_SHARED.into()) } else { 0.0 });
    let greatest = clamped.into_iter().fold(0.0, f64::max);
    // The exponent of the last place, exp_shared - B - N with B = 15 and N = 9.
    let place = exponent(greatest).max(-16) + 1 - 9;
    let levels = |value: f64, place: i32| (value / power(place) + 0.5).floor();
    let place = if levels(greatest, place) == 512.0 { place + 1 } else { place };
    clamped.map(|value| (levels(value, place) * power(place)) as f32)
}
