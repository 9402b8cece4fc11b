//! Writes the colours of fragments that pass: blending, logical operation, mask.

use super::blend::{OVER, Sources, blend, is_over};
use super::logic::{logic, logic_bits};
use super::{Color, Colors, colors};
use crate::pipeline::{Blend, ColorFormat, LogicOp, RasterState};

/// The way colours are written to a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) enum ColorWrite {
    /// The program's colours, unchanged.
    Store,
    /// Blended by [`OVER`].
    Over,
    /// Any other operation.
    Combined(Combined),
    /// For integer buffers: a logical operation and a mask.
    Integers(Integers),
}

/// An optional logical operation, and a mask. Integers are not blended (EXT_texture_integer 4.1.8).
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
            Op::Store | Op::Blend(_) | Op::Logic(_) => Self::Combined(Combined { op, mask }),
        }
    }

    /// The way colours are written to integer buffers.
    pub fn of_integers(state: &RasterState) -> Self {
        match (state.logic_op, state.color_mask) {
            (None, [true, true, true, true]) => Self::Store,
            (op, mask) => Self::Integers(Integers { op, mask }),
        }
    }

    /// The blend state, if colours are blended.
    pub const fn blend(&self) -> Option<&Blend> {
        match self {
            Self::Over => Some(&OVER),
            Self::Combined(Combined { op: Op::Blend(blend), .. }) => Some(blend),
            Self::Store | Self::Combined(_) | Self::Integers(_) => None,
        }
    }

    /// Whether second colours are used.
    pub fn takes_second(&self) -> bool {
        self.blend().is_some_and(Blend::is_dual_source)
    }

    /// The colour in a buffer of `format` after a fragment with these first and second colours.
    pub fn fragment(&self, [first, second]: [Color; 2], stored: Color, format: ColorFormat) -> Color {
        let one = |color: Color| color.map(|x| [x]);
        let (source, stored) = (Sources { first: one(first), second: one(second) }, one(stored));
        let new = match self {
            Self::Store => source.first,
            Self::Over => Over.combine(&source, &stored),
            Self::Combined(combined) => combined.combine(&source, &stored),
            Self::Integers(write) => InFormat(*write, format).combine(&source, &stored),
        };
        new.map(|[x]| x)
    }
}

/// Combines fragments' colours with the stored colours.
pub(super) trait Combine: Copy {
    /// Whether the source colours replace the stored colours unchanged.
    const REPLACES: bool = false;

    fn combine<const N: usize>(&self, source: &Sources<N>, stored: &Colors<N>) -> Colors<N>;
}

#[derive(Clone, Copy)]
pub(super) struct Store;

impl Combine for Store {
    const REPLACES: bool = true;

    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Sources<N>, _: &Colors<N>) -> Colors<N> {
        source.first
    }
}

#[derive(Clone, Copy)]
pub(super) struct Over;

impl Combine for Over {
    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Sources<N>, stored: &Colors<N>) -> Colors<N> {
        blend(&OVER, source, stored)
    }
}

/// `C`, with the result rounded to a buffer's format. The next fragment then reads the rounded colour.
///
/// One instance serves all formats, because the code of all blend equations and factors is large.
#[derive(Clone, Copy)]
pub(super) struct RoundedTo<C>(pub C, pub ColorFormat);

impl<C: Combine> Combine for RoundedTo<C> {
    #[inline(always)]
    fn combine<const N: usize>(&self, source: &Sources<N>, stored: &Colors<N>) -> Colors<N> {
        let new = self.0.combine(source, stored);
        match self.1 {
            ColorFormat::Rgba32F => new,
            // With a constant format, all lanes are rounded at once.
            ColorFormat::Rgba8 => colors(|c, lane| ColorFormat::Rgba8.stored(new[c][lane])),
            format => colors(|c, lane| format.stored(new[c][lane])),
        }
    }
}

/// [`Integers`] in a buffer of this format.
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
        // Masked components keep all their bits, including NaN payloads.
        colors(|c, lane| if self.mask[c] { new[c][lane] } else { stored[c][lane] })
    }
}
