//! Depth texture comparison (glspec15 3.8.14 and table 3.27, ARB_shadow).

use crate::compare::CompareFunc;

/// A comparison function as a table of its results. Lanes select a result instead of branching.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Compare {
    /// Result (0 or 1) if r is less than the depth.
    less: f32,
    /// Result if r equals the depth.
    equal: f32,
    /// Result if r is greater than the depth.
    greater: f32,
}

impl Compare {
    pub(super) fn new(func: CompareFunc) -> Self {
        let result = |r, depth| if func.passes(r, depth) { 1.0 } else { 0.0 };
        Self { less: result(0.0, 1.0), equal: result(0.0, 0.0), greater: result(1.0, 0.0) }
    }

    /// The results for r less than, equal to and greater than the depth.
    pub(super) const fn results(self) -> [f32; 3] {
        [self.less, self.equal, self.greater]
    }
}
