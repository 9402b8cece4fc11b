//! Floating-point numbers of texels that have fewer bits than fp32: fp16, the unsigned ones of EXT_packed_float, and those
//! of EXT_texture_shared_exponent. All are numbers of fp32.

use shadestep_language::num::fp32;

/// The exponent of the least normal number of those with 5 bits of exponent.
const LEAST_EXPONENT: i32 = -14;

/// The greatest number of a shared exponent, sharedexp_max: 511/512 * 2^16.
pub(super) const GREATEST_SHARED: f32 = 65_408.0;

/// 2^`exponent`, which is normal.
const fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The exponent of a positive double, of 0 and denorms something far below those of texels.
const fn exponent(value: f64) -> i32 {
    (value.to_bits() >> 52) as i32 - 1023
}

/// `value` to the nearest multiple of the last place that a fraction of `bits` bits and an exponent from -14 on give it, ties
/// to even. Positive, finite values only.
fn rounded(value: f64, bits: i32) -> f64 {
    let step = power(exponent(value).max(LEAST_EXPONENT) - bits);
    (value / step).round_ties_even() * step
}

/// The nearest fp16 number: from 65520 on infinity, NaN the canonical one.
pub(super) fn half(value: f64) -> f32 {
    if value.is_nan() {
        return f32::from_bits(fp32::NAN_BITS);
    }
    let magnitude = if value.is_finite() { rounded(value.abs(), 10) } else { f64::INFINITY };
    let magnitude = if magnitude > 65_504.0 { f32::INFINITY } else { magnitude as f32 };
    magnitude.copysign(value as f32)
}

/// The nearest number that is finite, without sign and has `fraction` bits of fraction and 5 of exponent. Infinity and NaN
/// stay (EXT_packed_float 2.1.A and 2.1.B).
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

/// The bits of [`unsigned`], the exponent above the fraction.
pub(crate) fn unsigned_bits(value: f64, fraction: i32) -> u32 {
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

/// The number of such bits.
pub(crate) fn from_unsigned_bits(bits: u32, fraction: i32) -> f32 {
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

/// Components with the exponent of the greatest, each of 9 bits: EXT_texture_shared_exponent 3.8.1.
pub(super) fn shared_exponent(rgb: [f64; 3]) -> [f32; 3] {
    let clamped = rgb.map(|value| if value > 0.0 { value.min(GREATEST_SHARED.into()) } else { 0.0 });
    let greatest = clamped.into_iter().fold(0.0, f64::max);
    // The exponent of the last place, exp_shared - B - N with B = 15 and N = 9.
    let place = exponent(greatest).max(-16) + 1 - 9;
    let levels = |value: f64, place: i32| (value / power(place) + 0.5).floor();
    let place = if levels(greatest, place) == 512.0 { place + 1 } else { place };
    clamped.map(|value| (levels(value, place) * power(place)) as f32)
}
