//! Exits: how lanes leave a block.

use super::text::fields::{Field, choices, fields, records};
use super::text::{Line, ParseError, Reader};

/// Index of a block. The index after the last block is the end of the program.
pub type BlockIndex = usize;

choices! {
    /// How lanes leave a block. Lanes that fail the test of the exit go to the next block, unless the exit says
    /// otherwise. Without a test, all lanes pass.
    #[derive(Default)]
    pub enum Exit {
        /// To the next block.
        #[default]
        Next = "next",
        /// BRA, or ELSE, which is unconditional.
        Branch(to: BlockIndex) = "branch",
        /// CAL, which returns to the next block.
        Call(to: BlockIndex) = "call",
        /// CALI, which returns to the next block.
        CallIndirect(call: CallIndirect) = "call_indirect",
        /// RET for lanes in a call. Other lanes continue with the next block.
        ReturnIfCalled = "return_if_called",
        /// RET.
        Return = "return",
        /// IF: lanes that pass go to the next block.
        If(condition: If) = "if",
        /// ENDIF, if active blocks are counted.
        EndIf = "end_if",
        /// LOOP or REP: to the next block if the count is positive.
        Loop(begin: Loop) = "loop",
        /// ENDLOOP or ENDREP: to the next block after the last iteration.
        EndLoop(end: EndLoop) = "end_loop",
        /// BRK.
        Break(to: BlockIndex) = "break",
        /// CONT.
        Continue(to: BlockIndex) = "continue",
        /// PUSHA of the lane registers of an address register.
        PushAddress(address: [u16; 4]) = "push_address",
        /// POPA to the lane registers of an address register.
        PopAddress(address: [u16; 4]) = "pop_address",
    }

    /// The lanes that count an IF block as active.
    pub enum Counts {
        /// No lane: the program cannot reach the maximum number of active blocks.
        NoLanes = "no_lanes",
        /// Lanes that pass the test. Without an ELSE, the other lanes skip the block.
        Passed = "passed",
        /// All lanes.
        All = "all",
    }
}

records! {
    /// The targets of CALI.
    pub struct CallIndirect {
        /// Index of the subroutine variable.
        pub variable: usize,
        /// Constant part of the element's index.
        pub offset: u16,
        /// The lane register of the computed part, if there is one.
        pub index: Option<u16>,
    }

    /// An IF.
    pub struct If {
        /// The target of lanes that fail.
        pub otherwise: BlockIndex,
        /// The lanes that count the IF block as active.
        pub counts: Counts,
    }

    /// The beginning of a loop.
    pub struct Loop {
        /// The target of lanes without an iteration.
        pub end: BlockIndex,
        /// The lane register of the count, if there is one.
        pub count: Option<u16>,
        /// For LOOP, the index.
        pub index: Option<LoopIndex>,
    }

    /// The index of LOOP.
    pub struct LoopIndex {
        /// x of A0.
        pub register: u16,
        /// The lane registers of the first index and of the increment, equal in all lanes.
        pub first: u16,
        pub increment: u16,
    }

    /// The end of a loop.
    pub struct EndLoop {
        /// The target of lanes that continue.
        pub start: BlockIndex,
        /// x of A0, for LOOP.
        pub index: Option<u16>,
    }
}

impl Exit {
    /// The lane registers that the exit reads, and the lane registers that it writes in some lanes.
    pub fn registers(&self) -> Vec<u16> {
        match self {
            Self::CallIndirect(call) => call.index.into_iter().collect(),
            Self::Loop(begin) => {
                let index = begin.index.iter();
                let index = index.flat_map(|index| [index.register, index.first, index.increment]);
                begin.count.into_iter().chain(index).collect()
            }
            Self::EndLoop(end) => end.index.into_iter().collect(),
            Self::PushAddress(address) | Self::PopAddress(address) => address.to_vec(),
            Self::Next
            | Self::Branch(_)
            | Self::Call(_)
            | Self::ReturnIfCalled
            | Self::Return
            | Self::If(_)
            | Self::EndIf
            | Self::Break(_)
            | Self::Continue(_) => Vec::new(),
        }
    }
}
