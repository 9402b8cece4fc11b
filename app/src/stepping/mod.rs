//! Stepping through recorded runs, without egui: sessions and their position, background queries, breakpoints, watches,
//! traces and the comparison of two runs. [`crate::worker`] records and answers on threads of its own. The panels in
//! [`crate::debugger`] show all of it.

pub(crate) mod alignment;
mod code;
pub(crate) mod comparison;
pub(crate) mod historian;
pub(crate) mod inquiry;
pub(crate) mod operands;
mod record;
mod session;
pub(crate) mod sought;
mod stops;
pub(crate) mod verdict;
mod walk;
pub(crate) mod watched;

pub use alignment::{CompareReply, CompareRequest, Comparer, compare};
pub use code::{Places, TextAge};
pub use comparison::{Comparison, Listed, Same};
pub use historian::{Historian, Histories, History, HistoryReply, HistoryRequest, StopHistory, histories};
pub use inquiry::{Answer, InquiryReply, InquiryRequest, Question, answer};
pub use operands::{Held, NamedValue, RegisterName};
pub use record::{RecordReply, RecordRequest, Recorded, record};
pub use session::{DebugSession, Direction, Rewritten, Selected, StepPosition, WayBack};
pub use sought::{Sought, that_way};
pub use stops::Stops;
pub use walk::{Anchor, Branch};
pub use watched::{Definedness, Reading, Watched, read};
