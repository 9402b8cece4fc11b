//! The operations of the wide executor: what a program is lowered to, and what rows each reads and writes.

use std::collections::BTreeSet;

use crate::exec::ops::{Kernel, MAX_INPUTS};
use crate::ir::{Condition, TextureRef, Type};

/// Rows one component computation reads and writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Row written.
    pub dst: u16,
    /// Rows read, as many as the kernel has inputs.
    pub src: [u16; MAX_INPUTS],
}

/// What is computed over rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKernel {
    /// A component function, in a type.
    Component(Kernel, Type),
    /// The difference between neighbours in the quad.
    Derivative {
        /// The type.
        ty: Type,
        /// Whether it is DDY, not DDX.
        vertical: bool,
    },
}

impl RowKernel {
    /// Rows that it reads for each that it writes.
    pub const fn inputs(self) -> usize {
        match self {
            Self::Component(kernel, _) => kernel.inputs(),
            Self::Derivative { .. } => 1,
        }
    }
}

/// A lowered operation.
#[derive(Clone, Debug)]
pub enum Micro {
    /// Component arithmetic.
    Rows {
        /// What is computed.
        kernel: RowKernel,
        /// Components.
        groups: Vec<Group>,
    },
    /// Discards the lanes in which any of the rows passes.
    Kill {
        /// The test.
        condition: Condition,
        /// Condition code rows.
        rows: Vec<u16>,
    },
    /// Discards the lanes in which any of the rows, which hold an operand, is below zero.
    KillNegative(Vec<u16>),
    /// What is no arithmetic.
    Effect(Effect),
}

/// What reads or writes more than rows of its own lane.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Texture lookup.
    Texture(Sample),
    /// Relative parameter read.
    Gather(Gather),
    /// Relative attribute read.
    GatherRows(GatherRows),
    /// Relative result write.
    Scatter(Scatter),
}

impl Micro {
    /// From the rows that matter after it to those that do before it.
    pub fn read_backwards(&self, live: &mut BTreeSet<u16>) {
        match self {
            Self::Rows { kernel, groups } => {
                for group in groups.iter().rev() {
                    live.remove(&group.dst);
                    live.extend(&group.src[..kernel.inputs()]);
                }
            }
            Self::Kill { rows, .. } | Self::KillNegative(rows) => live.extend(rows),
            Self::Effect(effect) => effect.read_backwards(live),
        }
    }
}

impl Effect {
    fn read_backwards(&self, live: &mut BTreeSet<u16>) {
        match self {
            Self::Texture(sample) => {
                sample.results.iter().flatten().for_each(|row| {
                    live.remove(row);
                });
                live.extend(sample.operands().into_iter().flatten());
            }
            Self::Gather(Gather { address, results, .. }) => {
                results.iter().for_each(|(_, row)| {
                    live.remove(row);
                });
                live.insert(*address);
            }
            Self::GatherRows(GatherRows { address, elements, results, .. }) => {
                results.iter().for_each(|(_, row)| {
                    live.remove(row);
                });
                live.insert(*address);
                live.extend(elements.iter().flat_map(|&base| base..base + 4));
            }
            Self::Scatter(Scatter { address, elements, values, test, mask, .. }) => {
                live.insert(*address);
                live.extend(elements.iter().flat_map(|&base| base..base + 4));
                live.extend(values.iter().map(|&(_, row)| row));
                live.extend(test.iter().flat_map(|(_, tested)| tested));
                live.extend(mask);
            }
        }
    }
}

/// A relative parameter read over rows. Values are the parameters' own; signs are the reader's affair.
#[derive(Clone, Debug)]
pub struct Gather {
    /// Row of the address component.
    pub address: u16,
    /// Added to it.
    pub offset: i64,
    /// First parameter of the array.
    pub first: u16,
    /// Number of parameters in the array.
    pub count: u16,
    /// Components read and their rows.
    pub results: Vec<(u8, u16)>,
}

/// A relative attribute read over rows.
#[derive(Clone, Debug)]
pub struct GatherRows {
    /// Row of the address component.
    pub address: u16,
    /// Added to it.
    pub offset: i64,
    /// First of the four rows of each element of the array.
    pub elements: Vec<u16>,
    /// Components read and their rows.
    pub results: Vec<(u8, u16)>,
}

/// A relative result write over rows.
#[derive(Clone, Debug)]
pub struct Scatter {
    /// Row of the address component.
    pub address: u16,
    /// Added to it.
    pub offset: i64,
    /// First of the four rows of each element of the array.
    pub elements: Vec<u16>,
    /// Components written and the rows of their values.
    pub values: Vec<(u8, u16)>,
    /// The condition under which each component is written and the first of the rows that it tests; swizzled.
    pub test: Option<(Condition, [u16; 4])>,
    /// The mask row, where only its lanes are written.
    pub mask: Option<u16>,
}

/// Where a lookup takes its level of detail from.
#[derive(Clone, Copy, Debug)]
pub enum Detail {
    /// Differences within the quad.
    Quad,
    /// Rows of the derivatives along x and y.
    Sides([[u16; 3]; 2]),
    /// A row with the level.
    Level(u16),
}

/// A texture lookup over rows.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Unit and target.
    pub texture: TextureRef,
    /// Rows of s, t, r.
    pub coordinates: [u16; 3],
    /// Level of detail.
    pub detail: Detail,
    /// Row of the bias, for TXB.
    pub bias: Option<u16>,
    /// What a texture that is not complete gives.
    pub incomplete: [f32; 4],
    /// Row that receives each texel component, if needed.
    pub results: [Option<u16>; 4],
    /// Whether one of them is read, too.
    pub overlaps: bool,
}

impl Sample {
    /// With `overlaps` found out.
    pub fn new(sample: Self) -> Self {
        let overlaps = sample.operands().iter().flatten().any(|row| sample.results.contains(&Some(*row)));
        Self { overlaps, ..sample }
    }

    /// Operands that a lookup can have.
    pub const OPERANDS: usize = 11;

    /// Their rows: s, t, r, d/dx and d/dy of each, level of detail, bias.
    pub fn operands(&self) -> [Option<u16>; Self::OPERANDS] {
        let [s, t, r] = self.coordinates.map(Some);
        let ([dx, dy], level) = match self.detail {
            Detail::Quad => ([[None; 3]; 2], None),
            Detail::Sides(sides) => (sides.map(|side| side.map(Some)), None),
            Detail::Level(row) => ([[None; 3]; 2], Some(row)),
        };
        [s, t, r, dx[0], dx[1], dx[2], dy[0], dy[1], dy[2], level, self.bias]
    }
}
