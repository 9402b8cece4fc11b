//! Varyings: for each interpolated attribute component, the coefficients of equation 3.6 over one clipped
//! primitive (its value at the first vertex and the differences to the others), or its constant.

use super::clipped::{Facing, PrimitiveSource};
use super::interface::{Datum, Spread, Varied};
use super::setup::Origin;
use super::shaded::ShadedDraw;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Varying {
    /// The same value everywhere. Fragments get the vertex's bits, including -0.0, denorms and NaNs (ruling
    /// 10 of the ARB languages).
    Constant(f32),
    /// The value at vertex 0, and the differences to vertices 1 and 2, for eq. 3.6.
    Linear([f64; 3]),
    /// The same coefficients for eq. 3.7, without perspective correction.
    NoPerspective([f64; 3]),
}

impl Varying {
    /// The varying with these values at the three vertices.
    #[inline(always)]
    fn of(values: [f32; 3]) -> Self {
        let [a, b, c] = values.map(f32::to_bits);
        if a == b && b == c {
            return Self::Constant(values[0]);
        }
        Self::linear(values.map(f64::from))
    }

    /// A linear varying from values that are not a vertex's own.
    #[inline(always)]
    fn linear([first, second, third]: [f64; 3]) -> Self {
        Self::Linear([first, second - first, third - first])
    }

    /// The same varying without perspective correction.
    fn without_perspective(self) -> Self {
        match self {
            Self::Linear(differences) => Self::NoPerspective(differences),
            other => other,
        }
    }
}

/// Converts the weights of a point from clip coordinates to window space. `w` holds the vertices' w.
/// Implements t' of NV_fragment_program4 2.14.8. If a vertex with nonzero weight is not in front of the eye,
/// the specification leaves the value open: the weights stay unchanged.
fn in_window_space(weights: [f64; 3], w: [f32; 3]) -> [f64; 3] {
    let takes_part = |vertex: &usize| weights[*vertex] != 0.0;
    if !(0..3).filter(takes_part).all(|vertex| w[vertex] > 0.0) {
        return weights;
    }
    let scaled: [f64; 3] = std::array::from_fn(|vertex| weights[vertex] * f64::from(w[vertex]));
    let sum = scaled[0] + scaled[1] + scaled[2];
    scaled.map(|weight| weight / sum)
}

/// The vertices of a clipped primitive, in terms of the original vertices.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mix<'a> {
    Triangle(&'a Origin),
    /// A line: the ends as weighted sums of the vertices.
    Line(&'a [[f64; 3]; 2]),
    Point(&'a [f64; 3]),
}

fn weighted([a, b, c]: [f64; 3], values: [f32; 3]) -> f64 {
    let values = values.map(f64::from);
    match [a, b, c] {
        // An infinite value at a vertex with weight 0 must not matter.
        [1.0, 0.0, 0.0] => values[0],
        [0.0, 1.0, 0.0] => values[1],
        [0.0, 0.0, 1.0] => values[2],
        _ => a * values[0] + b * values[1] + c * values[2],
    }
}

/// The common value of all vertices with nonzero weight in some point; `None` if the values differ.
fn common(points: &[[f64; 3]], values: [f32; 3]) -> Option<f32> {
    let takes_part = |vertex: &usize| points.iter().any(|weights| weights[*vertex] != 0.0);
    let mut taken = (0..3).filter(takes_part).map(|vertex| values[vertex]);
    let first = taken.next()?;
    taken.all(|value| value.to_bits() == first.to_bits()).then_some(first)
}

/// Appends the varyings of a clipped primitive.
pub(super) fn varyings(
    stage: &ShadedDraw<'_>,
    source: &PrimitiveSource,
    mix: Mix<'_>,
    out: &mut Vec<Varying>,
) {
    let data = source.slots.map(|slot| stage.vertices.data(slot));
    if let (Mix::Triangle(Origin::Whole(order)), Some(columns)) = (mix, &stage.interface.plain) {
        let data = order.of(data);
        out.extend(columns.iter().map(|&column| Varying::of(data.map(|data| data[usize::from(column)]))));
        return;
    }
    for varied in &stage.interface.varyings {
        out.push(one(stage, source, mix, varied, data));
    }
}

fn one(
    stage: &ShadedDraw<'_>,
    source: &PrimitiveSource,
    mix: Mix<'_>,
    varied: &Varied,
    data: [&[f32]; 3],
) -> Varying {
    if let (Spread::Sprite(component), Mix::Point(_), true) = (varied.spread, mix, stage.state.point.sprite) {
        // The sprite coordinates (s, t, 0, 1): see `PointSprite::triangle`.
        return match component {
            0 => Varying::Linear([0.0, 1.0, 0.0]),
            1 => Varying::Linear([0.0, 0.0, 1.0]),
            2 => Varying::Constant(0.0),
            _ => Varying::Constant(1.0),
        };
    }
    let values = match varied.datum {
        Datum::Constant(value) => [value; 3],
        Datum::Facing if source.facing == Facing::Back => [-1.0; 3],
        Datum::Facing => [1.0; 3],
        Datum::PrimitiveId => [f32::from_bits(stage.primitives.id(source.primitive)); 3],
        Datum::Column { front, back } => {
            let column = usize::from(if source.facing == Facing::Back { back } else { front });
            data.map(|data| data[column])
        }
    };
    if varied.spread == Spread::Flat {
        return Varying::Constant(values[usize::from(source.provoking)]);
    }
    let no_perspective = varied.spread == Spread::NoPerspective && !matches!(mix, Mix::Point(_));
    let finish = |varying: Varying| if no_perspective { varying.without_perspective() } else { varying };
    let points = match mix {
        Mix::Triangle(Origin::Whole(order)) => return finish(Varying::of(order.of(values))),
        Mix::Triangle(Origin::Cut(weights)) => &weights[..],
        Mix::Line(weights) => &weights[..],
        Mix::Point(weights) => std::slice::from_ref(weights),
    };
    if let Some(value) = common(points, values) {
        return Varying::Constant(value);
    }
    let w = source.slots.map(|slot| stage.vertices.positions[slot as usize][3]);
    let at = |point: usize| {
        let weights = points[point];
        weighted(if no_perspective { in_window_space(weights, w) } else { weights }, values)
    };
    finish(match points.len() {
        1 => Varying::Linear([at(0), 0.0, 0.0]),
        2 => Varying::linear([at(0), at(1), at(0)]),
        _ => Varying::linear([at(0), at(1), at(2)]),
    })
}
