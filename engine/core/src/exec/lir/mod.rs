//! The low-level IR. A node is one 32-bit component in all lanes, in SSA form. Flushes of denorms and
//! canonicalisations of NaNs are explicit operations. A [`Block`] has instructions in order: nodes, stores,
//! discards and effects, which are all operations on more than the lane registers of one lane. It ends with an
//! [`Exit`]. A [`Function`] is a block without effects and exit, as a back end compiles it.
//!
//! The passes, one a file:
//! * `symbol` folds constants while it records the component functions of
//!   [`shadestep_language::semantics::ops`].
//! * `value_numbering` merges equal nodes.
//! * `facts` omits flushes of values that cannot be denorms.
//! * [`Block::eliminate_dead_code`] removes instructions on which nothing depends.
//! * [`cut`] makes functions of a block, between effects.
//! * [`eliminate_flushes`] removes flushes that the processor does anyway, and canonicalisations that do not
//!   affect any user of the value.
//! * [`legalize`] rewrites nodes as operations that a back end has.
//! * [`schedule`] orders the nodes and drops dead ones.
//!
//! [`prepared`] runs the last three as a back end needs them, see [`super::back_end`].

mod block;
mod cut;
pub mod effect;
pub mod exit;
mod facts;
mod flush_elimination;
mod legalize;
mod module;
mod node;
mod passes;
mod schedule;
mod symbol;
mod target;
pub mod text;
mod value_numbering;
mod verify;

pub use block::{Block, Instruction, Live};
pub use cut::{Homes, Segment, Then, cut};
pub use effect::{Action, Effect};
pub use exit::Exit;
pub use flush_elimination::{DemandedBits, Denorms, eliminate_flushes};
pub use legalize::{Masks, OptionalOperation, legalize};
pub use module::{Function, Module};
pub use node::{Binary, Comparison, Half, Kind, Node, NodeId, Op64, QuadLanes, Rule, Shift, Wanted, names};
pub use passes::{Needs, Scheduled, prepared};
pub use schedule::{Step, schedule};
pub use symbol::{Lanes, Symbol};
pub use target::Target;
pub use value_numbering::Recorder;
use verify::{assert_correct, assert_correct_schedule};
pub use verify::{assert_correct_block, kinds, result_kind, verify, verify_block, verify_schedule};
