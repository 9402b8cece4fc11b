//! What becomes of the colours of fragments that pass: blending, logical operation, mask.

use super::blend::{OVER, Sources, blend, is_over};
use super::logic::{logic, logic_bits};
use super::{Color, Colors, colors};
use crate::pipeline::{Blend, ColorFormat, LogicOp, RasterState};

/// How colours get into the buffer.
#[derive(Clone, Copy, Debug)]
pub(super) enum ColorWrite {
    /// As the program gives them.
    Store,
    /// Blended by [`OVER`].
    Over,
    /// Anything else that takes one colour of a fragment.
    Combined(Combined),
    /// Blended by factors that are made of the second colour.
    DualSource(DualSource),
    /// Into a buffer of integers, by an operation and a mask.
    Integers(Integers),
}

/// A logical operation, if there is one, and a mask. Integers are not blended (EXT_texture_integer 4.1.8).
#[derive(Clone, Copy, Debug)]
pub(super) struct Integers {
    op: Option<LogicOp>,
    mask: [bool; 4],
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
            Op::Blend(blend) if blend.is_dual_source() => Self::DualSource(DualSource(Combined { op, mask })),
            Op::Store | Op::Blend(_) | Op::Logic(_) => Self::Combined(Combined { op, mask }),
        }
    }

    /// How integers get into buffers.
    pub fn of_integers(state: &RasterState) -> Self {
        match (state.logic_op, state.color_mask) {
            (None, [true, true, true, true]) => Self::Store,
            (op, mask) => Self::Integers(Integers { op, mask }),
        }
    }

    /// How colours are blended, if they are.
    pub const fn blend(&self) -> Option<&Blend> {
        match self {
            Self::Over => Some(&OVER),
            Self::Combined(Combined { op: Op::Blend(blend), .. })
            | Self::DualSource(DualSource(Combined { op: Op::Blend(blend), .. })) => Some(blend),
            Self::Store | Self::Combined(_) | Self::DualSource(_) | Self::Integers(_) => None,
        }
    }

    /// Whether second colours are looked at.
    pub const fn takes_second(&self) -> bool {
        matches!(self, Self::DualSource(_))
    }

    /// The colour that a fragment with this colour and second colour leaves in a buffer of `format`.
    pub fn fragment(&self, [first, second]: [Color; 2], stored: Color, format: ColorFormat) -> Color {
        let one = |color: Color| color.map(|x| [x]);
        let (source, stored) = (Sources { first: one(first), second: one(second) }, one(stored));
        let new = match self {
            Self::Store => source.first,
            Self::Over => Over.combine(&source, &stored),
            Self::Combined(combined) => combined.combine(&source, &stored),
            Self::DualSource(dual) => dual.combine(&source, &stored),
            Self::Integers(write) => InFormat(*write, format).combine(&source, &stored),
        };
        new.map(|[x]| x)
    }
}

/// Combines fragments' colours with the stored ones.
pub(super) trait Combine: Copy {
    /// Whether fragments' colours take the place of the stored ones, as they are.
    const REPLACES: bool = false;
    /// Whether second colours are looked at.
    const TAKES_SECOND: bool = false;

    fn combine<const N: usize>(&self, source: &Sources<N>, stored: &Colors<N>) -> Colors<N>;
}

/// See [`ColorWrite::Store`].
#[derive(Clone, Copy)]
pub(super) struct Store;

impl Combine for Store {
    const REPLACES: bool = true;

    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Sources<N>, _: &Colors<N>) -> Colors<N> {
        source.first
    }
}

/// See [`ColorWrite::Over`].
#[derive(Clone, Copy)]
pub(super) struct Over;

impl Combine for Over {
    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Sources<N>, stored: &Colors<N>) -> Colors<N> {
        blend(&OVER, source, stored)
    }
}

/// As `C`, for a buffer of fixed-point numbers: what is drawn next finds what the buffer has of it.
#[derive(Clone, Copy)]
pub(super) struct Rounded<C>(pub C);

impl<C: Combine> Combine for Rounded<C> {
    const TAKES_SECOND: bool = C::TAKES_SECOND;

    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Sources<N>, stored: &Colors<N>) -> Colors<N> {
        let new = self.0.combine(source, stored);
        colors(|c, lane| ColorFormat::Rgba8.stored(new[c][lane]))
    }
}

/// The same for a buffer of another format.
#[derive(Clone, Copy)]
pub(super) struct RoundedTo<C>(pub C, pub ColorFormat);

impl<C: Combine> Combine for RoundedTo<C> {
    const TAKES_SECOND: bool = C::TAKES_SECOND;

    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Sources<N>, stored: &Colors<N>) -> Colors<N> {
        let new = self.0.combine(source, stored);
        colors(|c, lane| self.1.stored(new[c][lane]))
    }
}

/// See [`ColorWrite::Integers`], with the buffer's format.
#[derive(Clone, Copy)]
pub(super) struct InFormat(pub Integers, pub ColorFormat);

impl Combine for InFormat {
    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Sources<N>, stored: &Colors<N>) -> Colors<N> {
        let Self(Integers { op, mask }, format) = self;
        colors(|c, lane| {
            let (new, old) = (format.stored(source.first[c][lane]), stored[c][lane]);
            match op {
                _ if !mask[c] => old,
                None => new,
                Some(op) => format.wrapped(logic_bits(*op, new.to_bits(), old.to_bits())),
            }
        })
    }
}

impl Combine for Combined {
    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Sources<N>, stored: &Colors<N>) -> Colors<N> {
        let new = match &self.op {
            Op::Store => source.first,
            Op::Blend(state) => blend(state, source, stored),
            Op::Logic(op) => logic(*op, &source.first, stored),
        };
        // What the mask spares keeps its bits, whatever it holds.
        colors(|c, lane| if self.mask[c] { new[c][lane] } else { stored[c][lane] })
    }
}

/// See [`ColorWrite::DualSource`].
#[derive(Clone, Copy, Debug)]
pub(super) struct DualSource(Combined);

impl Combine for DualSource {
    const TAKES_SECOND: bool = true;

    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Sources<N>, stored: &Colors<N>) -> Colors<N> {
        self.0.combine(source, stored)
    }
}
