//! The run that is stepped through, with watches, comparison and vertices.

use super::State;
use super::vertices::Vertices;
use crate::format::ValueFormat;
use crate::model::TextId;
use crate::stepping::{Comparison, DebugSession, Direction, RegisterName, Watched, register_key};
use shadestep_engine::debug::expression::Place;
use std::collections::BTreeMap;

/// The run that is stepped through, with watches, comparison and vertices.
#[derive(Default)]
pub struct SteppingState {
    /// The session, if a run is stepped through.
    pub session: Option<DebugSession>,
    /// Values of watches and hits of breakpoints in that run.
    pub watched: Watched,
    /// The breakpoint in the form: its text and its line, from 0.
    pub breakpoint_form: Option<(TextId, usize)>,
    /// The last condition that the person ran to.
    pub condition: String,
    /// A kept run, and its comparison with the run that is stepped through.
    pub comparison: Option<Comparison>,
    /// Formats that single registers are shown in.
    pub register_formats: BTreeMap<RegisterName, ValueFormat>,
    /// The vertices of the picture shown.
    pub vertices: Vertices,
}

impl State {
    /// The row of the nearest difference, that way, of the two runs side by side.
    pub fn difference(&self, direction: Direction) -> Option<usize> {
        let comparison = self.stepping.comparison.as_ref()?;
        let (alignment, row) = (comparison.alignment()?, comparison.row()?);
        match direction {
            Direction::Forward => alignment.next_difference(row),
            Direction::Back => alignment.previous_difference(row),
        }
    }

    /// The format that the register `place` of the run stepped through is shown in.
    pub fn format_of(&self, place: Option<Place>) -> ValueFormat {
        let own = || {
            let session = self.stepping.session.as_ref()?;
            let name = register_key(session.program()?, place?);
            let part = session.text_id().map(|id| id.part);
            self.stepping.register_formats.get(&(session.document(), part, name)).copied()
        };
        own().unwrap_or(self.settings.format)
    }
}
