//! What the reference interpreter reports: one step in full ([`Step`]), all registers between two steps
//! ([`State`]), and for a step that is looked at, its texture lookup and what it read of its quad.

mod lookup;
mod state;
mod step;

pub use lookup::{Difference, Looked, LookupStep, QuadStep, Refusal};
pub use state::State;
pub use step::{
    Change, Ended, LoopEffect, LoopFrame, OperandStep, Register, Relative, StackEffect, StackEntry, Step,
    TextureStep,
};
