//! The record of one invocation: what every step read, computed and wrote.
//!
//! A [`Recording`] keeps what the invocation reads and what came of it; steps and states are worked out again when
//! they are looked at. A [`Cursor`] goes to any of them, both ways, so memory does not grow with a run. Values are
//! bits of up to 64, which the type of a register or of an instruction says how to read; those of less stand in the
//! low ones, and a component of an fp16 register holds the fp32 pattern of its value.

pub mod ancestry;
mod cursor;
mod edit;
pub mod expression;
mod here;
mod recording;
#[cfg(test)]
mod trial;

pub use cursor::{Cursor, MAX_CHECKPOINT_BYTES};
pub use edit::Edit;
pub use here::Here;
pub use recording::{Recording, STEPS_TO_CANCEL, Steps};

pub use crate::exec::report::{
    Change, Difference, Ended, Looked, LookupStep, LoopEffect, LoopFrame, OperandStep, QuadStep, Refusal,
    Register, Relative, StackEffect, StackEntry, State, Step, TextureStep,
};
pub use crate::subject::Subject;
