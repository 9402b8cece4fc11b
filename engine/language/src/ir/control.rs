//! Flow instructions: branches, calls, IF, LOOP and REP blocks, and the stack of address registers, with their
//! targets.

use super::{CcTest, Destination, TempId};

/// A flow instruction: it changes which instruction comes next, or the stack that CAL and PUSHA share. It computes
/// nothing. A test is passed if any of its components passes; without a test the instruction always acts.
///
/// Targets are indices of instructions; the number of instructions stands for the end of the program. Blocks nest
/// as in the text, and no label stands inside one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// BRA: goes on at instruction `to`, which is the number of instructions for a label at the end.
    Branch {
        /// Index of the instruction behind the label.
        to: usize,
        /// Condition, if written.
        test: Option<CcTest>,
    },
    /// CAL: the same with a return address, ending the program if four are on the stack.
    Call {
        /// Index of the instruction behind the label.
        to: usize,
        /// Condition, if written.
        test: Option<CcTest>,
    },
    /// CALI: calls what an element of a subroutine variable stands for, and nothing outside the array. Operand 0, if there
    /// is one, is added to the element's number.
    CallIndirect {
        /// Index into [`super::Subroutines::variables`].
        variable: usize,
        /// The element, without operand 0.
        offset: u16,
        /// Condition, if written.
        test: Option<CcTest>,
    },
    /// A label that execution comes to from above: RET where a call is under way, else on to the next instruction
    /// (NV_gpu_program4 2.X.5, 2.X.8.Z CAL). It stands only where the main program runs into a subroutine.
    ReturnIfCalled,
    /// RET: back to the latest return address, ending the program if there is none. Blocks entered since
    /// the call are left.
    Return {
        /// Condition, if written.
        test: Option<CcTest>,
    },
    /// IF: goes into the block if the test passes, else to `otherwise`.
    If {
        /// Condition.
        test: CcTest,
        /// Behind the ELSE, which is still inside the block; without one behind the ENDIF.
        otherwise: usize,
    },
    /// ELSE, come to from above: goes to the ENDIF.
    Else {
        /// The ENDIF.
        end: usize,
    },
    /// ENDIF: leaves the block.
    EndIf,
    /// LOOP or REP: operand 0 has the count in x; for LOOP, of which it is a parameter, the index in y and its increment in
    /// z. Goes into the block with a frame of its own if the count is positive, else to `end`. A REP without operand goes
    /// round until it is left.
    Loop {
        /// Behind the ENDLOOP or ENDREP.
        end: usize,
        /// LOOP's A0, of which it writes x: the index, at least 0. None for REP.
        index: Option<TempId>,
    },
    /// ENDLOOP or ENDREP: goes to `start` while the count is positive, else leaves the block. It writes
    /// the A0 of its LOOP.
    EndLoop {
        /// Behind the LOOP or REP.
        start: usize,
    },
    /// BRK: leaves the innermost loop and the IF blocks within it.
    Break {
        /// Behind the ENDLOOP or ENDREP.
        to: usize,
        /// Condition, if written.
        test: Option<CcTest>,
    },
    /// CONT: ends the round of the innermost loop and leaves the IF blocks within it.
    Continue {
        /// The ENDREP.
        to: usize,
        /// Condition, if written.
        test: Option<CcTest>,
    },
    /// PUSHA: puts operand 0, an address register, on the stack of return addresses, ending the program if
    /// that is full.
    PushAddress,
    /// POPA: takes the value of an address register off that stack, ending the program if there is none.
    PopAddress(Destination),
}

impl Control {
    /// The condition, if there is one.
    pub const fn test(&self) -> Option<CcTest> {
        match *self {
            Self::If { test, .. } => Some(test),
            Self::Branch { test, .. }
            | Self::Call { test, .. }
            | Self::CallIndirect { test, .. }
            | Self::Return { test }
            | Self::Break { test, .. }
            | Self::Continue { test, .. } => test,
            Self::Else { .. }
            | Self::ReturnIfCalled
            | Self::EndIf
            | Self::Loop { .. }
            | Self::EndLoop { .. }
            | Self::PushAddress
            | Self::PopAddress(_) => None,
        }
    }

    /// The same leading to `target`, if it leads anywhere.
    #[must_use]
    pub const fn leading_to(mut self, target: usize) -> Self {
        if let Some(place) = self.target_mut() {
            *place = target;
        }
        self
    }

    /// Where it may go on other than at the next instruction, if that is a place of the program.
    pub const fn target(&self) -> Option<usize> {
        let mut copy = *self;
        match copy.target_mut() {
            Some(target) => Some(*target),
            None => None,
        }
    }

    const fn target_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Branch { to, .. }
            | Self::Call { to, .. }
            | Self::If { otherwise: to, .. }
            | Self::Else { end: to }
            | Self::Loop { end: to, .. }
            | Self::EndLoop { start: to }
            | Self::Break { to, .. }
            | Self::Continue { to, .. } => Some(to),
            Self::CallIndirect { .. }
            | Self::Return { .. }
            | Self::ReturnIfCalled
            | Self::EndIf
            | Self::PushAddress
            | Self::PopAddress(_) => None,
        }
    }
}
