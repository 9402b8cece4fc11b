//! The numbers that interpolation starts from: for each varying, its value at the first vertex and the
//! differences to the others.

use super::layout::{Datum, Spread, Varied};
use super::pieces::{Facing, Source, Stage};
use super::setup::Origin;

/// Values of one varying: at vertex 0, and the differences to vertices 1 and 2.
pub(super) type Varying = [f64; 3];

/// A varying with these values at the three vertices.
#[inline(always)]
fn varying([first, second, third]: [f64; 3]) -> Varying {
    [first, second - first, third - first]
}

/// What the vertices of a piece are made from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mix<'a> {
    /// A triangle.
    Triangle(&'a Origin),
    /// A line: its ends as combinations of the vertices.
    Line(&'a [[f64; 3]; 2]),
    /// A point.
    Point(&'a [f64; 3]),
}

fn weighted([a, b, c]: [f64; 3], values: [f64; 3]) -> f64 {
    match [a, b, c] {
        // An infinite value elsewhere must not matter.
        [1.0, 0.0, 0.0] => values[0],
        [0.0, 1.0, 0.0] => values[1],
        [0.0, 0.0, 1.0] => values[2],
        _ => a * values[0] + b * values[1] + c * values[2],
    }
}

/// Appends the varyings of a piece.
pub(super) fn varyings(stage: &Stage<'_>, source: &Source, mix: Mix<'_>, out: &mut Vec<Varying>) {
    let data = source.slots.map(|slot| stage.vertices.data(slot));
    if let (Mix::Triangle(Origin::Whole(order)), true) = (mix, stage.layout.plain) {
        let [first, second, third] = order.of(data);
        for varied in &stage.layout.varyings {
            let Datum::Column { front, .. } = varied.datum else { continue };
            let column = usize::from(front);
            out.push(varying([first[column].into(), second[column].into(), third[column].into()]));
        }
        return;
    }
    for varied in &stage.layout.varyings {
        out.push(one(stage, source, mix, varied, data));
    }
}

fn one(stage: &Stage<'_>, source: &Source, mix: Mix<'_>, varied: &Varied, data: [&[f32]; 3]) -> Varying {
    if let (Spread::Sprite(component), Mix::Point(_), true) = (varied.spread, mix, stage.state.point.sprite) {
        // (s, t, 0, 1): see `Spot::triangle`.
        return [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3], [1.0, 0.0, 0.0]][usize::from(component)];
    }
    let values = match varied.datum {
        Datum::Constant(value) => [f64::from(value); 3],
        Datum::Facing if source.facing == Facing::Back => [-1.0; 3],
        Datum::Facing => [1.0; 3],
        Datum::Column { front, back } => {
            let column = usize::from(if source.facing == Facing::Back { back } else { front });
            data.map(|data| f64::from(data[column]))
        }
    };
    if varied.spread == Spread::Flat {
        return [values[usize::from(source.provoking)], 0.0, 0.0];
    }
    match mix {
        Mix::Triangle(Origin::Whole(order)) => varying(order.of(values)),
        Mix::Triangle(Origin::Cut(weights)) => varying(weights.map(|weights| weighted(weights, values))),
        Mix::Line(weights) => {
            let [first, second] = weights.map(|weights| weighted(weights, values));
            [first, second - first, 0.0]
        }
        Mix::Point(weights) => [weighted(*weights, values), 0.0, 0.0],
    }
}
