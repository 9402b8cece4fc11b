//! A program as it is whatever its variables and labels are called and wherever it stands in its text.

use super::{ParameterSource, Program};
use crate::source::Span;

impl Program {
    /// The program without the names that its text chooses and without places in it: two programs that differ in nothing
    /// else are equal then.
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
