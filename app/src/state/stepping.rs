//! [`SteppingState`]: the run that is stepped, with watches, comparison and vertices.

use super::State;
use super::vertices::Vertices;
use crate::format::ValueFormat;
use crate::model::TextId;
use crate::stepping::{Comparison, DebugSession, Direction, RegisterName, Watched, register_key};
use shadestep_engine::debug::expression::Place;
use std::collections::BTreeMap;

/// The run that is stepped, with watches, comparison and vertices.
#[derive(Default)]
pub struct SteppingState {
    /// The session, if a run is stepped.
    pub session: Option<DebugSession>,
    /// Values of watches and hits of breakpoints in that run.
    pub watched: Watched,
    /// The breakpoint in the form: its text and its line, from 0.
    pub breakpoint_form: Option<(TextId, usize)>,
    /// The last condition that the user ran to.
    pub condition: String,
    /// A kept run, and its comparison with the run that is stepped.
    pub comparison: Option<Comparison>,
    /// Formats of single registers.
    pub register_formats: BTreeMap<RegisterName, ValueFormat>,
    /// The vertices of the picture shown.
    pub vertices: Vertices,
}

impl State {
    /// Returns the row of the nearest difference of the compared runs in this direction.
    pub fn difference(&self, direction: Direction) -> Option<usize> {
        let comparison = self.stepping.comparison.as_ref()?;
        let (alignment, row) = (comparison.alignment()?, comparison.row()?);
        match direction {
            Direction::Forward => alignment.next_difference(row),
            Direction::Back => alignment.previous_difference(row),
        }
    }

    /// Returns the format of the register `place` of the run that is stepped.
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
