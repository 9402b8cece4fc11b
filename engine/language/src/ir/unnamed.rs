//! Removes names and source positions from programs, for comparison. Renaming in the editor checks with
//! [`Program::unnamed`] that only names changed.

use super::{ParameterSource, Program};
use crate::source::Span;

impl Program {
    /// Removes the names that the program chose and all source spans. Two programs that differ only in names
    /// and layout are equal afterwards.
    pub fn unnamed(mut self) -> Self {
        self.temporaries.iter_mut().for_each(|temporary| temporary.name.clear());
        self.variables.clear();
        self.subroutines.types.iter_mut().for_each(|ty| ty.name.clear());
        self.subroutines.variables.iter_mut().for_each(|variable| variable.name.clear());
        self.buffers.iter_mut().for_each(|buffer| buffer.name.clear());
        for parameter in &mut self.parameters {
            parameter.name = None;
            if let ParameterSource::Named { name, .. } = &mut parameter.source {
                name.clear();
            }
        }
        for label in &mut self.labels {
            label.name.clear();
            label.span = Span::default();
        }
        for instruction in &mut self.instructions {
            (instruction.span, instruction.mnemonic_span) = (Span::default(), Span::default());
            instruction.operands.iter_mut().for_each(|operand| operand.span = Span::default());
            if let Some(dest) = instruction.dest_mut() {
                dest.span = Span::default();
            }
        }
        self
    }
}
