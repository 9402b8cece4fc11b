//! The sections of the debugger panel that the user can fold.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A section of the debugger panel that the user can fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Section {
    Temporaries,
    /// Address registers.
    Addresses,
    /// Outputs or results.
    Outputs,
    /// Position of a vertex.
    Position,
    Attributes,
    /// Parameters and constants.
    Parameters,
    /// The texture lookup of the current step.
    Lookup,
    /// Values of the other pixels of the quad, or of the other invocations of the patch.
    Lanes,
    /// Memory accesses of the current step.
    Memory,
    /// Values of the operands of the current step.
    Operands,
    /// Computation of its result.
    Computed,
    /// Subdivision of a patch.
    Division,
}

pub type Folded = BTreeSet<Section>;
