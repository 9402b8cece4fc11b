//! What becomes of the colours of fragments that pass: blending, logical operation, mask.

use super::blend::{OVER, blend, is_over};
use super::logic::logic;
use super::{Color, Colors, colors};
use crate::pipeline::{Blend, ColorFormat, LogicOp, RasterState};

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
    pub fn fragment(&self, source: Color, stored: Color) -> Color {
        let (source, stored) = (source.map(|x| [x]), stored.map(|x| [x]));
        let new = match self {
            Self::Store => source,
            Self::Over => Over.combine(&source, &stored),
            Self::Combined(combined) => combined.combine(&source, &stored),
        };
        new.map(|[x]| x)
    }
}

/// Combines fragments' colours with the stored ones.
pub(super) trait Combine: Copy {
    /// Whether fragments' colours take the place of the stored ones, as they are.
    const REPLACES: bool = false;

    fn combine<const N: usize>(&self, source: &Colors<N>, stored: &Colors<N>) -> Colors<N>;
}

/// See [`ColorWrite::Store`].
#[derive(Clone, Copy)]
pub(super) struct Store;

impl Combine for Store {
    const REPLACES: bool = true;

    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Colors<N>, _: &Colors<N>) -> Colors<N> {
        *source
    }
}

/// See [`ColorWrite::Over`].
#[derive(Clone, Copy)]
pub(super) struct Over;

impl Combine for Over {
    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Colors<N>, stored: &Colors<N>) -> Colors<N> {
        blend(&OVER, source, stored)
    }
}

/// As `C`, for a buffer of fixed-point numbers: what is drawn next finds what the buffer has of it.
#[derive(Clone, Copy)]
pub(super) struct Rounded<C>(pub C);

impl<C: Combine> Combine for Rounded<C> {
    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Colors<N>, stored: &Colors<N>) -> Colors<N> {
        let new = self.0.combine(source, stored);
        colors(|c, lane| ColorFormat::Rgba8.stored(new[c][lane]))
    }
}

impl Combine for Combined {
    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Colors<N>, stored: &Colors<N>) -> Colors<N> {
        let new = match &self.op {
            Op::Store => *source,
            Op::Blend(state) => blend(state, source, stored),
            Op::Logic(op) => logic(*op, source, stored),
        };
        // What the mask spares keeps its bits, whatever it holds.
        colors(|c, lane| if self.mask[c] { new[c][lane] } else { stored[c][lane] })
    }
}
