//! Stepping through recorded runs: sessions and their position, background queries, breakpoints, watches,
//! traces and the comparison of two runs. Nothing here uses egui. [`crate::worker`] runs recordings and
//! queries on threads, and the panels in [`crate::debugger`] show the results.

mod alignment;
pub(crate) mod background_query;
mod code;
mod comparison;
mod operands;
mod record;
mod run_target;
mod session;
mod stops;
mod value_history;
pub(crate) mod verdict;
mod walk;
mod watched;

pub use alignment::{CompareReply, CompareRequest, MOST_STEPS, RunDiffWorker, compare};
pub use background_query::{
    Answer, BackgroundQueryReply, BackgroundQueryRequest, ChangedRun, Question, answer, place_of,
};
pub use code::{Places, TextAge};
pub use comparison::{About, Comparison, Line, Listed, Same, first_difference};
pub use operands::{Held, NamedValue, RegisterName, flags_in_words, register_key, shown_name};
pub use record::{RecordReply, RecordRequest, Recorded, record};
pub use run_target::{RunTarget, place_name, that_way};
pub use session::{DebugSession, Direction, Rewritten, Selected, StepPosition, WayBack};
pub use stops::Stops;
pub use value_history::{
    Histories, History, HistoryReply, HistoryRequest, HistoryWorker, StopHistory, histories,
};
pub use walk::{Anchor, Branch};
pub use watched::{Definedness, Reading, Watch, Watched, read};
