//! What becomes of the colours of fragments that pass: blending, logical operation, mask.

use super::blend::{OVER, blend, is_over};
use super::logic::logic;
use crate::pipeline::{Blend, LogicOp, RasterState};

/// How colours get into the buffer.
#[derive(Clone, Copy, Debug)]
pub(super) enum ColorWrite {
    /// As the program gives them.
    Store,
    /// Blended by [`OVER`].
    Over,
    /// Anything else.
    Combined(Combined),
}

/// An operation and a mask.
#[derive(Clone, Copy, Debug)]
pub(super) struct Combined {
    op: Op,
    /// The components that are written (4.2.2).
    mask: [bool; 4],
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Store,
    Blend(Blend),
    Logic(LogicOp),
}

impl ColorWrite {
    pub fn new(state: &RasterState) -> Self {
        let (op, mask) = match (state.logic_op, state.blend) {
            // "It is as if blending were disabled" (4.1.10).
            (Some(op), _) => (Op::Logic(op), state.color_mask),
            (None, Some(blend)) => (Op::Blend(blend), state.color_mask),
            (None, None) => (Op::Store, state.color_mask),
        };
        match op {
            Op::Store if mask == [true; 4] => Self::Store,
            Op::Blend(blend) if mask == [true; 4] && is_over(&blend) => Self::Over,
            _ => Self::Combined(Combined { op, mask }),
        }
    }

    /// The colour that a fragment leaves.
    pub fn fragment(&self, source: [f32; 4], stored: [f32; 4]) -> [f32; 4] {
        let (source, stored) = (source.map(|component| [component]), stored.map(|component| [component]));
        let new = match self {
            Self::Store => source,
            Self::Over => Over.combine(&source, &stored),
            Self::Combined(combined) => combined.combine(&source, &stored),
        };
        new.map(|[component]| component)
    }
}

/// Combines colours, given as rows of r, g, b and a, with the stored ones.
pub(super) trait Combine: Copy {
    /// Whether stored colours play a part.
    const READS: bool;

    fn combine<const N: usize>(&self, source: &[[f32; N]; 4], stored: &[[f32; N]; 4]) -> [[f32; N]; 4];
}

/// See [`ColorWrite::Store`].
#[derive(Clone, Copy)]
pub(super) struct Store;

impl Combine for Store {
    const READS: bool = false;

    #[inline(always)]
    fn combine<const N: usize>(&self, source: &[[f32; N]; 4], _: &[[f32; N]; 4]) -> [[f32; N]; 4] {
        *source
    }
}

/// See [`ColorWrite::Over`].
#[derive(Clone, Copy)]
pub(super) struct Over;

impl Combine for Over {
    const READS: bool = true;

    #[inline(always)]
    fn combine<const N: usize>(&self, source: &[[f32; N]; 4], stored: &[[f32; N]; 4]) -> [[f32; N]; 4] {
        blend(&OVER, source, stored)
    }
}

impl Combine for Combined {
    const READS: bool = true;

    #[inline(always)]
    fn combine<const N: usize>(&self, source: &[[f32; N]; 4], stored: &[[f32; N]; 4]) -> [[f32; N]; 4] {
        let new = match &self.op {
            Op::Store => *source,
            Op::Blend(state) => blend(state, source, stored),
            Op::Logic(op) => logic(*op, source, stored),
        };
        // What the mask spares keeps its bits, whatever it holds.
        std::array::from_fn(|component| if self.mask[component] { new[component] } else { stored[component] })
    }
}
