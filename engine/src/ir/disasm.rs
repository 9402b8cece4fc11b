//! Programs back to text.

use super::{Instruction, Program};

/// The program as text of its language.
pub fn disassemble(_program: &Program) -> String {
    String::new()
}

/// One instruction as text.
pub fn disassemble_instruction(_program: &Program, _instruction: &Instruction) -> String {
    String::new()
}
