//! Points (glspec15 3.3.1, with several samples per pixel glspec40 3.4.3) and point sprites
//! (ARB_point_sprite): coverage, and setup of attributes.

use super::setup::{Bounds, Edge, Limits, SUBPIXELS, Triangle};
use super::{PointState, Samples, raster};

/// The coverage of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outline {
    /// All pixels of the bounds.
    Square,
    /// Pixels with their centre within the radius, and the pixel that contains the point.
    Circle,
    /// Samples within the square around the point. The left and top borders belong to the square, as for
    /// polygons.
    SampledSquare,
    /// Samples within the radius or exactly on it.
    SampledCircle,
}

/// A point within the view volume, ready to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PointSprite {
    /// Window coordinates x and y, not rounded.
    centre: [f64; 2],
    /// Drawn width in pixels.
    size: f64,
    /// Window z.
    z: f64,
    /// Added to `z`, if the point is a corner of a polygon with an offset.
    offset: Option<f64>,
    reciprocal_w: f64,
    outline: Outline,
    pub bounds: Bounds,
    /// The point as a weighted sum of the primitive's vertices.
    pub weights: [f64; 3],
}

/// The position of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    /// Window coordinates.
    pub window: [f64; 3],
    /// Added to z, if the point is a corner of a polygon with an offset.
    pub offset: Option<f64>,
    pub reciprocal_w: f64,
    pub weights: [f64; 3],
}

impl PointSprite {
    /// A point of this size, with coverage at these samples; `None` if it covers no pixel.
    pub fn new(at: At, size: f32, state: &PointState, (samples, limits): (Samples, &Limits)) -> Option<Self> {
        let At { window: [x, y, z], offset, reciprocal_w, weights } = at;
        if !(x.is_finite() && y.is_finite() && reciprocal_w > 0.0) {
            return None;
        }
        // NaN and sizes less than 1 become 1, which every kind of point supports.
        let size = if size > 1.0 { f64::from(size.min(PointState::MAX_SIZE)) } else { 1.0 };
        let half = size * 0.5;
        let (size, outline, low, high) = if samples != Samples::One {
            let outline = if state.sprite { Outline::SampledSquare } else { Outline::SampledCircle };
            (size, outline, [x - half, y - half].map(f64::floor), [x + half, y + half].map(f64::floor))
        } else if state.sprite {
            // Centres on the left and top borders are covered, as for polygons.
            let low = [(x - half - 0.5).ceil(), (y - half - 0.5).floor() + 1.0];
            let high = [(x + half - 0.5).ceil() - 1.0, (y + half - 0.5).floor()];
            (size, Outline::Square, low, high)
        } else if state.smooth {
            let (low, high) = ([x - half, y - half], [x + half, y + half]);
            (size, Outline::Circle, low.map(f64::floor), high.map(f64::floor))
        } else {
            let width = (size + 0.5).floor();
            // Odd widths are centred at floor(x) + 1/2, even widths at floor(x + 1/2).
            let shift = if width % 2.0 == 1.0 { 0.0 } else { 0.5 };
            let low = [x, y].map(|x| (x + shift).floor() - (width * 0.5).floor());
            (width, Outline::Square, low, low.map(|x| x + width - 1.0))
        };
        // Conversions saturate, far outside of any framebuffer.
        let bounds = limits.bounds(low.map(|x| x as i32), high.map(|x| x as i32))?;
        Some(Self { centre: [x, y], size, z, offset, reciprocal_w, outline, bounds, weights })
    }

    /// Every quad of `area` that is covered at one of `N` samples, each once: its lower left pixel, and the
    /// covered lanes of each sample. The lower left pixel of `area` must be the lower left pixel of a quad.
    pub fn quads<const N: usize>(&self, area: Bounds) -> impl Iterator<Item = ([u32; 2], [u8; N])> {
        let low = [0, 1].map(|axis| self.bounds.low[axis].max(area.low[axis]));
        let high = [0, 1].map(|axis| self.bounds.high[axis].min(area.high[axis]));
        let bounds = Bounds { low, high };
        let columns = (low[0] & !1..=high[0]).step_by(2);
        let rows = (low[1] & !1..=high[1]).step_by(2);
        rows.flat_map(move |y| columns.clone().map(move |x| [x, y])).filter_map(move |[x, y]| {
            let mut covered = [raster::within(bounds, x, y); N];
            if self.outline != Outline::Square {
                for (sample, covered) in covered.iter_mut().enumerate() {
                    let within = *covered;
                    for lane in (0..4).filter(|lane| within >> lane & 1 != 0) {
                        let holds = self.holds::<N>([x + lane % 2, y + lane / 2], sample);
                        *covered &= !(u8::from(!holds) << lane);
                    }
                }
            }
            (covered != [0; N]).then_some(([x, y], covered))
        })
    }

    /// Whether the point covers one of `N` samples of a pixel within its bounds.
    fn holds<const N: usize>(&self, pixel: [u32; 2], sample: usize) -> bool {
        let offset = Samples::all_snapped::<N>()[sample].map(|offset| f64::from(offset) / SUBPIXELS);
        let [dx, dy] = [0, 1].map(|axis| f64::from(pixel[axis]) + 0.5 + offset[axis] - self.centre[axis]);
        let half = self.size * 0.5;
        match self.outline {
            Outline::Square => true,
            Outline::Circle => self.in_circle(pixel),
            Outline::SampledSquare => dx >= -half && dx < half && dy > -half && dy <= half,
            Outline::SampledCircle => dx * dx + dy * dy <= half * half,
        }
    }

    fn in_circle(&self, pixel: [u32; 2]) -> bool {
        let pixel = pixel.map(f64::from);
        let [dx, dy] = [0, 1].map(|axis| pixel[axis] + 0.5 - self.centre[axis]);
        let holds = (0..2).all(|axis| self.centre[axis].floor() == pixel[axis]);
        holds || dx * dx + dy * dy <= self.size * self.size * 0.25
    }

    /// The triangle whose weights b and c are the sprite's s and t: s = 1/2 + (x - x_w)/size, t = 1/2 - (y -
    /// y_w)/size. Values that are equal at its three vertices are constant.
    pub fn triangle(&self) -> Triangle {
        let side = self.size * SUBPIXELS;
        let [left, bottom] = self.centre.map(|x| x * SUBPIXELS - side * 0.5);
        let (right, top) = (left + side, bottom + side);
        let step = side * SUBPIXELS;
        let edge = |start: [f64; 2], step: [f64; 2]| Edge { start, step, least: 0.0 };
        Triangle {
            points: [[0; 2]; 3],
            edges: [
                edge([right, top], [-step, step]),
                edge([left, top], [step, 0.0]),
                edge([left, top], [0.0, -step]),
            ],
            reciprocal_w: [self.reciprocal_w; 3],
            z: [self.z + self.offset.unwrap_or(0.0), 0.0, 0.0],
            has_offset: self.offset.is_some(),
            is_point: true,
            area: side * side,
            bounds: self.bounds,
        }
    }
}
