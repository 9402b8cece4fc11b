//! The value range of a map's colour scale, and the numbers on its legend.

use super::{Map, Statistics};

/// The values at the two ends of the colour scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The value of the darkest colour.
    pub low: f64,
    /// The value of the brightest colour.
    pub high: f64,
}

impl Range {
    /// The given range, else the range of a field's `statistics`. Counts and differences start at 0,
    /// conditions range from 0 to 1, and a range is never empty.
    pub fn of((statistics, is_condition): (&Statistics, bool), map: Map, given: Option<[f64; 2]>) -> Self {
        if let Some([low, high]) = given {
            return Self { low, high };
        }
        let [low, high] = match (map, is_condition) {
            (Map::Fate, _) => [0.0, 7.0],
            (_, true) => [0.0, 1.0],
            _ => statistics.range.unwrap_or([0.0, 1.0]),
        };
        let low = if map.counts() || map == Map::Difference { 0.0 } else { low };
        if low < high { Self { low, high } } else { Self { low, high: low + 1.0 } }
    }

    /// The place of a value between the ends, from 0 to 1. NaN stays NaN.
    pub fn place(self, value: f64) -> f64 {
        match value {
            f64::INFINITY => 1.0,
            f64::NEG_INFINITY => 0.0,
            value => ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0),
        }
    }
}

/// Round numbers in `range` for its legend, at most `most + 2`.
pub fn legend_ticks(range: Range, most: usize) -> Vec<f64> {
    let width = range.high - range.low;
    if !width.is_finite() || width <= 0.0 || most == 0 {
        return Vec::new();
    }
    let rough = width / most as f64;
    let exponent = rough.log10().floor() as i32;
    let power = 10f64.powi(exponent);
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough).unwrap_or(10.0);
    let step = factor * power;
    // Dividing by a power of ten gives the nearest double to the decimal number.
    let tick = |number: f64| {
        if exponent < 0 { number * factor / 10f64.powi(-exponent) } else { number * factor * power }
    };
    let (first, last) = ((range.low / step).ceil() as i64, (range.high / step).floor() as i64);
    (first..=last).take(most + 2).map(|number| tick(number as f64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legends_have_round_numbers() {
        let ticks = |low, high| legend_ticks(Range { low, high }, 4);
        assert_eq!(ticks(0.0, 1.0), [0.0, 0.5, 1.0]);
        assert_eq!(ticks(0.13, 0.71), [0.2, 0.4, 0.6]);
        assert_eq!(ticks(-3.0, 250.0), [0.0, 100.0, 200.0]);
        assert_eq!(ticks(1.0, 1.0), [0.0; 0]);
        assert_eq!(ticks(0.0, f64::INFINITY), [0.0; 0]);
    }
}
