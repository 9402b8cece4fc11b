//! The parts of the debugger panel that fold away.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A part of the debugger panel that folds away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Section {
    /// Temporaries.
    Temporaries,
    /// Address registers.
    Addresses,
    /// Outputs or results.
    Outputs,
    /// Where a vertex goes.
    Position,
    /// Attributes.
    Attributes,
    /// Parameters and constants.
    Parameters,
    /// The texture lookup of the current step.
    Lookup,
    /// What the other pixels of the quad, or the other invocations of the patch, hold.
    Lanes,
    /// What the current step reads and writes of memory.
    Memory,
    /// How the operands of the current step came to be.
    Operands,
    /// How its result was computed.
    Computed,
    /// How a patch is divided.
    Division,
}

/// The sections that are folded away.
pub type Folded = BTreeSet<Section>;
