//! The operations of the wide executor: what a program is lowered to, and what rows each reads and writes.

use std::collections::BTreeSet;

use super::kernels::{Group, RowFn, RowKernel};
use super::native;
use crate::exec::block::Row;
use crate::ir::{Condition, TextureRef};

/// One dispatch of the wide executor.
#[derive(Clone, Debug)]
pub enum Micro {
    /// Component arithmetic: the function without flushes and the one in full.
    Rows {
        /// What they compute.
        kernel: RowKernel,
        /// By [`Mode`].
        functions: [RowFn; 2],
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
    /// Discards the lanes with a bit.
    KillBits(BitRow),
    /// Texture lookup.
    Texture(Sample),
    /// Relative parameter read.
    Gather(Gather),
    /// Relative attribute read.
    GatherRows(GatherRows),
    /// Relative result write.
    Scatter(Scatter),
    /// A run of component arithmetic, compiled.
    Native(native::Function),
}

impl Micro {
    /// For a discard, the condition and the rows that it is tested on.
    pub fn kills(&self) -> Option<(Condition, &[u16])> {
        match self {
            Self::Kill { condition, rows } => Some((*condition, rows)),
            Self::KillNegative(rows) => Some((Condition::Lt, rows)),
            _ => None,
        }
    }

    /// From the rows that matter after it to those that do before it.
    pub fn read_backwards(&self, live: &mut BTreeSet<u16>) {
        match self {
            Self::Rows { kernel, groups, .. } => {
                for group in groups.iter().rev() {
                    live.remove(&group.dst);
                    live.extend(&group.src[..kernel.inputs()]);
                }
            }
            Self::Kill { rows, .. } | Self::KillNegative(rows) => live.extend(rows),
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
            // What is compiled is not compiled again.
            Self::Native(_) | Self::KillBits(_) => {}
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

/// A row in which machine code leaves a bit for each lane: those of a vector's lanes at the beginning of its part.
#[derive(Clone, Copy, Debug)]
pub struct BitRow {
    /// The row.
    pub row: u16,
    /// Lanes of a vector.
    pub lanes: u8,
}

impl BitRow {
    /// The bits, that of lane 0 lowest.
    pub fn read(self, rows: &[Row]) -> u64 {
        let lanes = usize::from(self.lanes);
        let parts = rows[usize::from(self.row)].0.iter().step_by(lanes).rev();
        let mask = (1 << lanes) - 1;
        parts.fold(0, |all, part| all << lanes | u64::from(part.to_bits() & mask))
    }
}
