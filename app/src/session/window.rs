//! Lines in window coordinates, clipped to the view volume. The wireframe and outlines use them.

use shadestep_engine::pipeline::RasterState;

/// A line in pixels from the lower left.
pub type Line = [[f32; 2]; 2];

/// A line with the window z of its ends.
pub type DeepLine = [[f32; 3]; 2];

/// Converts clip coordinates to window coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    origin: [f64; 3],
    extent: [f64; 3],
    clamps_depth: bool,
}

impl Window {
    /// Returns the conversion for a draw to a window of `size` pixels.
    pub fn new(state: &RasterState, [width, height]: [u32; 2]) -> Self {
        let full = [0.0, 0.0, f64::from(width), f64::from(height)];
        let [x, y, w, h] = state.viewport.map_or(full, |rect| rect.map(f64::from));
        let [near, far] = state.depth.range.map(f64::from);
        Self { origin: [x, y, near], extent: [w, h, far - near], clamps_depth: state.depth.clamp }
    }

    /// Returns the part of the line from `a` to `b`, in clip coordinates, within the view volume (glspec15
    /// 2.11). `None` if the line is outside.
    pub fn line(&self, a: [f32; 4], b: [f32; 4]) -> Option<DeepLine> {
        let (a, b) = (a.map(f64::from), b.map(f64::from));
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        let axes = if self.clamps_depth { 2 } else { 3 };
        let planes = (0..axes).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]);
        for (axis, sign) in planes {
            let distance = |p: [f64; 4]| p[3] + sign * p[axis];
            let (da, db) = (distance(a), distance(b));
            let crossing = da / (da - db);
            match (da >= 0.0, db >= 0.0) {
                (true, true) => {}
                (false, true) => from = from.max(crossing),
                (true, false) => to = to.min(crossing),
                (false, false) => return None,
            }
        }
        let point = |t: f64| {
            let p: [f64; 4] = std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t);
            let place = |axis: usize| {
                let normalized = p[axis] / p[3];
                (self.origin[axis] + (normalized + 1.0) / 2.0 * self.extent[axis]) as f32
            };
            [0, 1, 2].map(place)
        };
        let line = [point(from), point(to)];
        (from <= to && line.as_flattened().iter().all(|x| x.is_finite())).then_some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shadestep_engine::pipeline::DepthState;

    const SIZE: [u32; 2] = [100, 50];

    #[test]
    fn lines_are_cut_at_the_view_volume() {
        let window = Window::new(&RasterState::DEFAULT, SIZE);
        let flat = |line: Option<DeepLine>| line.map(|ends| ends.map(|[x, y, _]| [x, y]));
        let line = |a, b| flat(window.line(a, b));
        // The middle of the window to its upper right corner.
        assert_eq!(line([0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0]), Some([[50.0, 25.0], [100.0, 50.0]]));
        // Twice as far: the same line.
        assert_eq!(line([0.0, 0.0, 0.0, 1.0], [2.0, 2.0, 0.0, 1.0]), Some([[50.0, 25.0], [100.0, 50.0]]));
        // Both ends are to the right of the volume.
        assert_eq!(line([2.0, 0.0, 0.0, 1.0], [4.0, 0.0, 0.0, 1.0]), None);
        let clamps = RasterState {
            depth: DepthState { clamp: true, ..RasterState::DEFAULT.depth },
            ..RasterState::DEFAULT
        };
        let (near, far) = ([0.0, 0.0, -3.0, 1.0], [0.5, 0.0, -3.0, 1.0]);
        assert_eq!(line(near, far), None, "before the near plane");
        assert_eq!(flat(Window::new(&clamps, SIZE).line(near, far)), Some([[50.0, 25.0], [75.0, 25.0]]));
        let part = RasterState { viewport: Some([10, 20, 40, 20]), ..RasterState::DEFAULT };
        let line = Window::new(&part, SIZE).line([-1.0, -1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0]);
        assert_eq!(flat(line), Some([[10.0, 20.0], [50.0, 40.0]]));
    }
}
