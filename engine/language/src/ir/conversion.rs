//! The formats and the rounding of a CVT instruction (NV_gpu_program5 2.X.8). [`crate::isa`] defines the
//! formats.

use crate::isa::{Format, Modifier, ModifierOrder};
use crate::num::Rounding;

/// The parameters of a CVT instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Conversion {
    /// The format of the operand.
    pub from: Format,
    /// The format of the result.
    pub to: Format,
    /// The rounding of values that the result format cannot represent.
    pub rounding: Rounding,
}

impl Conversion {
    /// The modifiers as written after the mnemonic.
    pub fn text(self) -> String {
        // ROUND is the default.
        let rounding = Some(self.rounding).filter(|rounding| *rounding != Rounding::Round);
        let rounding = rounding.map(|rounding| Modifier::Rounding(rounding).text(ModifierOrder::Dotted));
        format!(".{}.{}{}", self.to.name(), self.from.name(), rounding.unwrap_or_default())
    }
}
