//! Depth texture comparison (glspec15 3.8.14 and table 3.27, ARB_shadow).

use crate::compare::CompareFunc;

/// A comparison by its results, so that lanes select instead of branching.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Compare {
    /// Where r is less than the depth.
    less: f32,
    /// Where both are equal.
    equal: f32,
    /// Where r is greater.
    greater: f32,
}

impl Compare {
    pub(super) fn new(func: CompareFunc) -> Self {
        let result = |r, depth| if func.passes(r, depth) { 1.0 } else { 0.0 };
        Self { less: result(0.0, 1.0), equal: result(0.0, 0.0), greater: result(1.0, 0.0) }
    }

    /// What it gives where r is less than, equal to and greater than the depth.
    pub(super) const fn results(self) -> [f32; 3] {
        [self.less, self.equal, self.greater]
    }
}
