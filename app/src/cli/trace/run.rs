//! The trace of one run of a program, as text and as JSON. `vertex` and `primitive` add the facts about their
//! subjects.

use super::super::CliError;
use super::super::json::Stream;
use super::json::{ended, result};
use super::listing::Listing;
use super::{Format, Request, text};
use serde_json::{Value, json};
use shadestep_engine::debug::Recording;
use shadestep_engine::ir::{Components, Type};
use std::io::{self, Write};
use std::sync::Arc;

/// A register after the run: name, bits, types as written, and written components.
pub(super) type Outcome = (String, Components, [Type; 4], u8);

/// A run and the facts about its subject.
pub(super) struct Run<'a> {
    pub listing: Listing<'a>,
    pub recording: Arc<Recording>,
    /// The first line of the text, after the target.
    pub title: String,
    /// The first fields of the JSON object.
    pub subject: Value,
    pub results: Results,
}

/// The results of a run, in the format of the request.
pub(super) enum Results {
    /// The last lines of the text.
    Text(Vec<String>),
    /// The last fields of the JSON object.
    Json(Value),
}

impl Run<'_> {
    /// Writes the run in the format of `request`.
    pub fn write(&self, request: &Request<'_>, out: &mut impl Write) -> Result<(), CliError> {
        match request.format {
            Format::Text => self.write_text(request, out)?,
            Format::Json => Stream::write_object(out, |out| {
                out.fields(&request.head(self.listing.program.language))?;
                self.write_fields(out)
            })?,
        }
        Ok(())
    }

    /// Writes the lines of the run: title, inputs, steps and results.
    pub fn write_text(&self, request: &Request<'_>, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}: {}", request.target, self.title)?;
        self.listing.write_initial(out, &self.recording)?;
        self.listing.write_steps(out, &self.recording)?;
        self.listing.write_ended(out, &self.recording)?;
        match &self.results {
            Results::Text(lines) => lines.iter().try_for_each(|line| writeln!(out, "{line}")),
            Results::Json(_) => Ok(()),
        }
    }

    /// Writes the fields of the run into a JSON object.
    pub fn write_fields(&self, out: &mut Stream<'_, impl Write>) -> io::Result<()> {
        out.fields(&self.subject)?;
        out.fields(&json!({ "initial": self.listing.initial(&self.recording) }))?;
        self.listing.write_steps_json(out, &self.recording)?;
        out.fields(&json!({ "ended": ended(self.recording.ended) }))?;
        match &self.results {
            Results::Text(_) => Ok(()),
            Results::Json(results) => out.fields(results),
        }
    }
}

/// The lines of registers after a run.
pub(super) fn lines(outcomes: &[Outcome]) -> impl Iterator<Item = String> {
    outcomes.iter().map(|(name, bits, types, written)| text::result(name, *bits, *types, *written))
}

/// Registers after a run as JSON.
pub(super) fn objects(outcomes: &[Outcome]) -> Value {
    outcomes.iter().map(|(name, bits, types, written)| result(name, *bits, *types, *written)).collect()
}

/// Formats `, instance 1 of 3,`. Empty if the count is 1.
pub(super) fn of_several(what: &str, number: u32, count: u32) -> String {
    if count > 1 { format!(", {what} {number} of {count},") } else { String::new() }
}

/// The outputs, and the parameters that the run wrote.
pub(super) fn outcomes(listing: &Listing<'_>, recording: &Recording) -> Vec<Outcome> {
    let state = recording.state_at(recording.len());
    let values = state.outputs.iter().zip(&state.outputs_types).zip(&state.outputs_defined);
    let outputs = listing.program.outputs.iter().zip(values);
    let outputs =
        outputs.map(|(output, ((bits, types), defined))| (output.name.clone(), *bits, *types, *defined));
    let written = listing.parameters_written(recording).into_iter();
    let parameters = written.map(|(index, _)| {
        (listing.parameter(index), state.parameters[index], [listing.program.parameters[index].ty; 4], 0xF)
    });
    outputs.chain(parameters).collect()
}
