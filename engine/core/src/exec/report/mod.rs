//! Reports of the reference interpreter: one step in full ([`Step`]), all registers between two steps
//! ([`State`]), and on demand a step's texture lookup and its reads of the quad.

mod lookup;
mod state;
mod step;

pub use lookup::{Difference, Looked, LookupStep, QuadStep, Refusal};
pub use state::State;
pub use step::{
    Change, Ended, LoopEffect, LoopFrame, OperandStep, Register, Relative, StackEffect, StackEntry, Step,
    TextureStep,
};
