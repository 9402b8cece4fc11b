//! `--watch` and `--until`: expressions that are evaluated between the steps of a trace.

use super::super::CliError;
use super::super::json::Stream;
use super::Request;
use super::json::{number_or_text, value};
use super::listing::Listing;
use crate::format;
use crate::stepping::{Definedness, Reading, read};
use serde_json::{Value, json};
use shadestep_engine::debug::expression::{Expression, Number, Values as _};
use shadestep_engine::debug::{Cursor, Here, LookupStep, Recording, Step};
use shadestep_engine::ir::Program;
use shadestep_engine::source::Span;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// The options for expressions.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct Expressions {
    /// Print the value of an expression before the first step and after each step, such as R0.xyz or
    /// dot(R1, R1) > 1. Can be given several times
    #[arg(long = "watch", value_name = "EXPR")]
    watches: Vec<String>,
    /// Stop before the first step at which a condition is true, such as R0.x > 0.5 and CC.x is LT
    #[arg(long, value_name = "EXPR")]
    until: Option<String>,
    /// Print at most N steps per run
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// Parsed expressions over the registers of the traced program.
#[derive(Default)]
pub(super) struct Watched {
    watches: Vec<Expression>,
    until: Option<Expression>,
    /// Limit on the steps to print.
    limit: Option<usize>,
}

impl<'a> Request<'a> {
    /// Makes the listing of `program`, with the expressions parsed for it.
    pub(super) fn listing<'b>(
        &'b self,
        program: &'b Program,
        text: &'b [u8],
    ) -> Result<Listing<'b>, CliError> {
        let parsed = |expression: &String| {
            Expression::parse(expression, program).map_err(|fault| {
                let Span { start, end } = fault.span;
                let place = match expression.get(start..end) {
                    Some(part) if !part.is_empty() && part.len() < expression.len() => {
                        format!(", at \"{part}\"")
                    }
                    _ => String::new(),
                };
                CliError::Usage(format!("\"{expression}\"{place}: {}", format::lowered(&fault.to_string())))
            })
        };
        let watches = self.expressions.watches.iter().map(parsed).collect::<Result<_, _>>()?;
        let until = self.expressions.until.as_ref().map(parsed).transpose()?;
        let mut listing = Listing::new(program, text, &self.picture.job.scene);
        listing.watched = Watched { watches, until, limit: self.expressions.limit };
        Ok(listing)
    }
}

/// An event of a trace.
enum Event<'a> {
    /// The values of the expressions, before the first step or after a step.
    Values(&'a [(&'a Expression, Reading)]),
    /// A step, with its texture lookup if any.
    Step(&'a Step, Option<&'a LookupStep>),
}

impl Listing<'_> {
    /// Runs the steps of `recording` again, and calls `visit` with each event in order. Returns the step
    /// before which the condition of `--until` is true.
    fn go_through(
        &self,
        recording: &Recording,
        mut visit: impl FnMut(Event<'_>) -> io::Result<()>,
    ) -> io::Result<Option<usize>> {
        let mut steps = recording.all_steps();
        let Watched { watches, until, limit } = &self.watched;
        let limit = limit.unwrap_or(usize::MAX);
        if watches.is_empty() && until.is_none() {
            for _ in 0..limit {
                let lookup = steps.lookup();
                let Some(step) = steps.next() else { break };
                visit(Event::Step(&step, lookup.as_ref()))?;
            }
            return Ok(None);
        }
        let mut moment = |here: &Here<'_>| -> io::Result<ControlFlow<Option<usize>>> {
            let position = here.position();
            if position <= limit {
                let read: Vec<_> = watches.iter().map(|watch| (watch, read(watch, here))).collect();
                visit(Event::Values(&read))?;
            }
            if until.as_ref().is_some_and(|until| until.holds(here)) {
                return Ok(ControlFlow::Break(Some(position)));
            }
            if position < limit {
                let lookup = steps.lookup();
                steps.next().map_or(Ok(()), |step| visit(Event::Step(&step, lookup.as_ref())))?;
            } else if until.is_none() {
                return Ok(ControlFlow::Break(None));
            }
            Ok(ControlFlow::Continue(()))
        };
        let mut outcome = Ok(ControlFlow::Continue(()));
        Cursor::new(recording).each_moment(recording, (0, recording.len()), |here| {
            outcome = moment(here);
            matches!(outcome, Ok(ControlFlow::Continue(())))
        });
        Ok(outcome?.break_value().flatten())
    }

    /// The number of steps beyond the limit. The trace ends before step `until`, or with the run.
    fn omitted(&self, recording: &Recording, until: Option<usize>) -> usize {
        let limit = self.watched.limit.unwrap_or(usize::MAX);
        until.unwrap_or(recording.len()).saturating_sub(limit)
    }

    /// Writes every step as it is run again, followed by the values of the expressions.
    pub fn write_steps(&self, out: &mut impl Write, recording: &Recording) -> io::Result<()> {
        let ended = self.go_through(recording, |event| match event {
            Event::Step(step, lookup) => self.write_step(out, step, |out| match lookup {
                Some(lookup) => super::lookup::write_text(out, lookup, recording),
                None => Ok(()),
            }),
            Event::Values(values) => values.iter().try_for_each(|(watch, reading)| {
                writeln!(out, "        watch {} = {}", watch.text(), words(reading))
            }),
        })?;
        match self.omitted(recording, ended) {
            0 => {}
            1 => writeln!(out, "  1 more step")?,
            more => writeln!(out, "  {more} more steps")?,
        }
        match (&self.watched.until, ended) {
            (Some(until), Some(step)) => {
                writeln!(out, "  {} is true before step {step} of {}", until.text(), recording.len())
            }
            (Some(until), None) => writeln!(out, "  {} is never true", until.text()),
            (None, _) => Ok(()),
        }
    }

    /// Writes the fields `steps`, with the values of the expressions after each step, and `watched`, with the
    /// values before the first step. `--limit` adds `omitted`, `--until` adds `until`.
    pub fn write_steps_json(
        &self,
        out: &mut Stream<'_, impl Write>,
        recording: &Recording,
    ) -> io::Result<()> {
        let watches = &self.watched.watches;
        if !watches.is_empty() {
            let mut cursor = Cursor::new(recording);
            let mut before = Value::Null;
            cursor.each_moment(recording, (0, 0), |here| {
                before = watches.iter().map(|watch| reading_json(watch, &read(watch, here))).collect();
                false
            });
            out.name("watched")?.value(&before)?;
        }
        let opened =
            |lookup: Option<&LookupStep>| lookup.map(|lookup| super::lookup::json(lookup, recording));
        let ended = out.name("steps")?.array(|out| {
            // A step is written after the values that follow it are known.
            let mut last: Option<Value> = None;
            let ended = self.go_through(recording, |event| match event {
                Event::Step(step, lookup) if watches.is_empty() => {
                    out.value(&self.step(step, opened(lookup)))
                }
                Event::Step(step, lookup) => {
                    last = Some(self.step(step, opened(lookup)));
                    Ok(())
                }
                Event::Values(values) => {
                    let Some(mut step) = last.take() else { return Ok(()) };
                    let read = values.iter().map(|(watch, reading)| reading_json(watch, reading));
                    step["watched"] = read.collect();
                    out.value(&step)
                }
            })?;
            Ok::<_, io::Error>(ended)
        })?;
        if self.watched.limit.is_some() {
            out.name("omitted")?.value(&json!(self.omitted(recording, ended)))?;
        }
        match self.watched.until {
            Some(_) => out.name("until")?.value(&json!(ended)),
            None => Ok(()),
        }
    }
}

fn number(number: Number) -> String {
    match number {
        Number::Float(value) => format::float(value),
        Number::Integer(whole) => whole.to_string(),
    }
}

/// Formats a value as text.
fn words(reading: &Reading) -> String {
    let undefined = |defined: &Definedness| match defined {
        Definedness::Defined => "",
        Definedness::Undefined => " (undefined)",
    };
    match reading {
        Reading::Register(components) => {
            let component = components.iter().map(|component| match component.defined {
                true => format::decimal(component.bits, component.ty),
                false => "undefined".to_owned(),
            });
            component.collect::<Vec<_>>().join(" ")
        }
        Reading::Numbers(numbers, defined) => {
            let numbers: Vec<String> = numbers.iter().map(|n| number(*n)).collect();
            format!("{}{}", numbers.join(" "), undefined(defined))
        }
        Reading::Truth(truth, defined) => format!("{truth}{}", undefined(defined)),
    }
}

/// `{"expression", "value", "undefined"}`. The value of a register is an array of its components.
fn reading_json(watch: &Expression, reading: &Reading) -> Value {
    let (values, undefined) = match reading {
        Reading::Register(components) => (
            components.iter().map(|component| value(component.bits, component.ty)).collect(),
            components.iter().any(|component| !component.defined),
        ),
        Reading::Numbers(numbers, defined) => {
            let numbers = numbers.iter().map(|n| number_or_text(number(*n)));
            (numbers.collect(), *defined == Definedness::Undefined)
        }
        Reading::Truth(truth, defined) => (json!(truth), *defined == Definedness::Undefined),
    };
    json!({ "expression": watch.text(), "value": values, "undefined": undefined })
}
