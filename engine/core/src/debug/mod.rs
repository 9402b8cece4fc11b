//! The record of one invocation: the values that each step reads, computes and writes.
//!
//! A [`Recording`] stores the inputs of the invocation and its results. Steps and states are recomputed on
//! demand. A [`Cursor`] moves to any step, forwards and backwards. So memory use does not grow with the
//! length of a run.
//!
//! A value is up to 64 bits, in the format that the type of its register or instruction gives. Shorter values
//! are in the low bits. A component of an fp16 register holds the fp32 pattern of its value.

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
