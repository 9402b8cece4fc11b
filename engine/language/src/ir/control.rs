//! Flow instructions: branches, calls, subroutines, IF, LOOP and REP blocks, and the stack of address
//! registers. Each instruction stores its targets as instruction indices, so the executors need no labels.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{CcTest, Destination, TempId};
use crate::isa::Flow;

/// A flow instruction: it changes the next instruction or the stack that CAL and PUSHA share, and computes
/// nothing. A test passes if any of its components passes. Without a test the instruction always acts.
///
/// Targets are indices of instructions. The number of instructions is the target at the end of the program.
/// Blocks nest as in the text, and no label is inside a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// BRA: continues at instruction `to`.
    Branch {
        /// Index of the first instruction after the label.
        to: usize,
        /// The condition, if written.
        test: Option<CcTest>,
    },
    /// CAL: as BRA, but pushes a return address. If the stack is full, the program ends.
    Call {
        /// Index of the first instruction after the label.
        to: usize,
        /// The condition, if written.
        test: Option<CcTest>,
    },
    /// CALI: calls the subroutine that an element of a subroutine variable selects. Operand 0, if present, is
    /// added to the element number. An element outside the array calls nothing.
    CallIndirect {
        /// Index into [`super::Subroutines::variables`].
        variable: usize,
        /// The element number without operand 0.
        offset: u16,
        /// The condition, if written.
        test: Option<CcTest>,
    },
    /// A label reached from the instruction above it: RET inside a call, else no effect (NV_gpu_program4
    /// 2.X.5, 2.X.8.Z CAL). This instruction exists only where the main program falls through into a
    /// subroutine.
    ReturnIfCalled,
    /// RET: continues at the latest return address and leaves all blocks entered since the call. Without a
    /// return address the program ends.
    Return {
        /// The condition, if written.
        test: Option<CcTest>,
    },
    /// IF: enters the block if the test passes, else continues at `otherwise`.
    If {
        test: CcTest,
        /// The instruction after the ELSE, which is still inside the block. Without an ELSE, the instruction
        /// after the ENDIF.
        otherwise: usize,
    },
    /// ELSE reached from the block above it: continues at the ENDIF.
    Else {
        /// Index of the ENDIF.
        end: usize,
    },
    /// ENDIF: leaves the block.
    EndIf,
    /// LOOP or REP. Operand 0 has the iteration count in x. The operand of LOOP is a parameter, with the
    /// index in y and its increment in z. If the count is positive, the block is entered with a frame of its
    /// own, else execution continues at `end`. A REP without operand repeats until BRK or RET.
    Loop {
        /// The instruction after the ENDLOOP or ENDREP.
        end: usize,
        /// The A0 of a LOOP, whose x receives the index (at least 0). `None` for REP.
        index: Option<TempId>,
    },
    /// ENDLOOP or ENDREP: continues at `start` while the count is positive, else leaves the block. ENDLOOP
    /// updates the A0 of its LOOP.
    EndLoop {
        /// The instruction after the LOOP or REP.
        start: usize,
    },
    /// BRK: leaves the innermost loop and the IF blocks within it.
    Break {
        /// The instruction after the ENDLOOP or ENDREP.
        to: usize,
        /// The condition, if written.
        test: Option<CcTest>,
    },
    /// CONT: ends the current iteration of the innermost loop and leaves the IF blocks within the loop.
    Continue {
        /// Index of the ENDREP.
        to: usize,
        /// The condition, if written.
        test: Option<CcTest>,
    },
    /// PUSHA: pushes operand 0, an address register, on the stack of return addresses. If the stack is full,
    /// the program ends.
    PushAddress,
    /// POPA: pops the value of an address register from that stack. If the stack is empty, the program ends.
    PopAddress(Destination),
}

impl Control {
    /// The control of an instruction that has at most a test, without its target. `None` for instructions that
    /// have more.
    pub const fn without_target(flow: Flow, test: Option<CcTest>) -> Option<Self> {
        Some(match flow {
            Flow::Branch => Self::Branch { to: 0, test },
            Flow::Call => Self::Call { to: 0, test },
            Flow::Return => Self::Return { test },
            Flow::Else => Self::Else { end: 0 },
            Flow::Rep => Self::Loop { end: 0, index: None },
            Flow::Break => Self::Break { to: 0, test },
            Flow::Continue => Self::Continue { to: 0, test },
            Flow::PushAddress => Self::PushAddress,
            Flow::CallIndirect
            | Flow::If
            | Flow::EndIf
            | Flow::Loop
            | Flow::EndLoop
            | Flow::EndRep
            | Flow::PopAddress => return None,
        })
    }

    /// Whether this is the control of an instruction with the effect `flow`.
    pub const fn performs(&self, flow: Flow) -> bool {
        match flow {
            Flow::Branch => matches!(self, Self::Branch { .. }),
            Flow::Call => matches!(self, Self::Call { .. }),
            Flow::CallIndirect => matches!(self, Self::CallIndirect { .. }),
            Flow::Return => matches!(self, Self::Return { .. } | Self::ReturnIfCalled),
            Flow::If => matches!(self, Self::If { .. }),
            Flow::Else => matches!(self, Self::Else { .. }),
            Flow::EndIf => matches!(self, Self::EndIf),
            Flow::Loop => matches!(self, Self::Loop { index: Some(_), .. }),
            Flow::Rep => matches!(self, Self::Loop { index: None, .. }),
            Flow::EndLoop | Flow::EndRep => matches!(self, Self::EndLoop { .. }),
            Flow::Break => matches!(self, Self::Break { .. }),
            Flow::Continue => matches!(self, Self::Continue { .. }),
            Flow::PushAddress => matches!(self, Self::PushAddress),
            Flow::PopAddress => matches!(self, Self::PopAddress(_)),
        }
    }

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

    /// The same instruction with `target` as its target, if it has one.
    #[must_use]
    pub const fn leading_to(mut self, target: usize) -> Self {
        if let Some(place) = self.target_mut() {
            *place = target;
        }
        self
    }

    /// The target, i.e. the instruction other than the next at which execution can continue. `None` for RET
    /// and indirect calls, whose targets depend on the run.
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
