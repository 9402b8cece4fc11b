//! The comparison of a kept run with the run stepped through: the first differences, and the steps of both
//! runs around the current one. `refresh` runs before each frame. The worker thread in `alignment` aligns the
//! runs.

use super::DebugSession;
use super::alignment::{Alignment, CompareReply, CompareRequest, Ran, differ};
use super::code::Places;
use super::run_target::name_of;
use super::walk::steps_of;
use crate::format;
use crate::mailbox::Urgency;
use crate::model::{Document, DocumentId, OfDocument};
use crate::session::Fragments;
use crate::stepping::RunDiffWorker;
use shadestep_engine::debug::{Cursor, Step};
use shadestep_engine::ir::single_bits;
use std::ops::Range;
use std::sync::Arc;

/// Rows listed on each side of the current one.
const AROUND: usize = 40;
/// Largest number of characters shown of an instruction.
const MOST_CHARACTERS: usize = 120;

/// A description of a run for the user.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// Subject, fragment and time of the run.
    pub label: String,
    /// Number of steps in the run.
    pub steps: usize,
    /// The run's final colour: as displayed, and its components as text.
    pub color: Option<([u8; 3], String)>,
}

impl About {
    fn of(session: &DebugSession) -> Self {
        let mut label = session.subject().to_string();
        let count = session.fragments().map_or(0, Fragments::len);
        if count > 1 {
            label.push_str(&format!(", fragment {} of {count}", session.selected() + 1));
        }
        let time = session.request.job.time_secs;
        if time != 0.0 {
            label.push_str(&format!(", {time:.2} s"));
        }
        let frame = &session.request.frame;
        let color = session.fragment_color().map(|color| {
            let [r, g, b, _] = frame.color_format().shown(color);
            ([r, g, b], format::decimals(single_bits(color), frame.color_types()))
        });
        Self { label, steps: session.len(), color }
    }
}

/// A step in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Number of the step, from 0.
    pub step: usize,
    /// Line of the instruction in the text that the editor shows, from 0; `None` if it was deleted.
    pub line: Option<usize>,
    /// The instruction's text.
    pub text: String,
    /// The written components and their values. The first name includes the register's. [`Same::No`] marks a
    /// value that the other run does not write.
    pub values: Vec<(String, Same)>,
}

/// Whether both runs did the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// Both runs wrote the same.
    Yes,
    /// The runs wrote different values.
    No,
}

/// A row of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Number of the row.
    pub row: usize,
    /// The step of the kept run, and of the run stepped through.
    pub sides: [Option<Listed>; 2],
    /// Whether the runs differ in this row.
    pub same: Same,
}

/// A kept run and its comparison with the run stepped through.
pub struct Comparison {
    document: DocumentId,
    ran: Ran,
    about: About,
    cursor: Cursor,
    other: Option<Ran>,
    about_other: Option<About>,
    generation: u64,
    alignment: Option<Alignment>,
    /// The current row with the position of the run stepped through. Another position makes the row obsolete.
    at: Option<(usize, usize)>,
    lines: Vec<Line>,
    listed: Option<usize>,
    /// The places of both programs' instructions in the text that the editor shows, for the revision
    /// `placed`.
    places: [Option<Places>; 2],
    placed: Option<u64>,
}

impl OfDocument for Comparison {
    fn of_document(&self) -> DocumentId {
        self.document
    }
}

impl Comparison {
    /// Document of the programs that ran.
    pub fn document(&self) -> DocumentId {
        self.document
    }

    /// Keeps the run of `session`; `None` if no program ran.
    pub fn begin(session: &DebugSession) -> Option<Self> {
        let ran = session.ran()?;
        Some(Self {
            document: session.document(),
            cursor: Cursor::new(&ran.run),
            ran,
            about: About::of(session),
            other: None,
            about_other: None,
            generation: 0,
            alignment: None,
            at: None,
            lines: Vec::new(),
            listed: None,
            places: [None, None],
            placed: None,
        })
    }

    /// Descriptions of the kept run and of the other run, if there is one.
    pub fn about(&self) -> (&About, Option<&About>) {
        (&self.about, self.about_other.as_ref())
    }

    /// The alignment, once the worker has computed it.
    pub fn alignment(&self) -> Option<&Alignment> {
        self.alignment.as_ref()
    }

    pub fn row(&self) -> Option<usize> {
        self.at.map(|(row, _)| row)
    }

    /// The listed rows around the current one.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Updates everything for the run stepped through.
    pub fn refresh(
        &mut self,
        document: &Document,
        session: Option<&mut DebugSession>,
        run_diff_worker: &RunDiffWorker,
    ) {
        let Some(session) = session.filter(|session| session.document() == self.document) else { return };
        let (Some(run), Some(code)) = (session.run(), session.code()) else { return };
        if !self.other.as_ref().is_some_and(|other| Arc::ptr_eq(&other.run, run)) {
            let other = Ran { run: Arc::clone(run), code: Arc::clone(code) };
            self.begin_with(other, About::of(session), run_diff_worker);
        }
        if self.placed.replace(document.revision) != Some(document.revision) {
            let codes = [Some(&self.ran.code), self.other.as_ref().map(|other| &other.code)];
            let places = codes.map(|code| code.map(|code| code.places_in(document)));
            if places != self.places {
                self.places = places;
                self.listed = None;
            }
        }
        let Some(alignment) = &self.alignment else { return };
        let here = session.position();
        let row = match self.at {
            Some((row, position)) if position == here => row,
            _ => alignment.row_of_b(here),
        };
        self.at = Some((row, here));
        if self.listed.replace(row) != Some(row) {
            self.list(row, session);
        }
    }

    fn begin_with(&mut self, other: Ran, about: About, run_diff_worker: &RunDiffWorker) {
        self.generation += 1;
        self.alignment = None;
        self.at = None;
        self.listed = None;
        self.lines.clear();
        run_diff_worker.cancel();
        let is_other = !Arc::ptr_eq(&other.run, &self.ran.run);
        self.about_other = is_other.then_some(about);
        if is_other {
            let runs = [self.ran.clone(), other.clone()];
            run_diff_worker.request(CompareRequest { generation: self.generation, runs }, Urgency::Now);
        }
        self.other = Some(other);
        self.placed = None;
    }

    /// Accepts a reply of the worker if it belongs to the latest request.
    pub fn take(&mut self, reply: CompareReply) {
        if reply.generation == self.generation {
            self.alignment = reply.alignment;
        }
    }

    /// Moves to row `row`. Returns the position of the run stepped through in that row.
    pub fn go_to(&mut self, row: usize) -> Option<usize> {
        let alignment = self.alignment.as_ref()?;
        let length = self.other.as_ref()?.run.len();
        let position = alignment.b_at(row).unwrap_or(length);
        self.at = Some((row, position));
        Some(position)
    }

    /// Lists the rows around `row`.
    fn list(&mut self, row: usize, session: &mut DebugSession) {
        let (Some(alignment), Some(other)) = (&self.alignment, &self.other) else { return };
        let rows = row.saturating_sub(AROUND)..(row + AROUND + 1).min(alignment.len());
        let range = |of: &dyn Fn(usize) -> Option<usize>| -> Range<usize> {
            let first = rows.clone().find_map(of).unwrap_or(0);
            first..rows.clone().rev().find_map(of).map_or(first, |last| last + 1)
        };
        let range_a = range(&|row| alignment.row(row).a);
        let range_b = range(&|row| alignment.row(row).b);
        let (steps_a, steps_b) =
            (steps_of((&self.ran.run, &mut self.cursor), range_a.clone()), session.steps(range_b.clone()));
        let lines = rows.map(|row| {
            let steps = alignment.row(row);
            let a = steps.a.and_then(|step| Some((step, steps_a.get(step - range_a.start)?)));
            let b = steps.b.and_then(|step| Some((step, steps_b.get(step - range_b.start)?)));
            let sides = [
                a.map(|a| listed((&self.ran, self.places[0].as_ref()), a, b.map(|b| b.1))),
                b.map(|b| listed((other, self.places[1].as_ref()), b, a.map(|a| a.1))),
            ];
            let same = match (a, b) {
                (Some((_, a)), Some((_, b))) if !differ(a, b, &self.ran.code) => Same::Yes,
                _ => Same::No,
            };
            Line { row, sides, same }
        });
        self.lines = lines.collect();
    }
}

/// Step `step` as listed, with marks where the other run's step differs.
fn listed(
    (ran, places): (&Ran, Option<&Places>),
    (number, step): (usize, &Step),
    other: Option<&Step>,
) -> Listed {
    let code = &ran.code;
    let span = code.program.instructions[step.pc].span;
    let text = String::from_utf8_lossy(span.slice(&code.text)).into_owned();
    let without_comments = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let words: Vec<&str> = without_comments.flat_map(str::split_whitespace).collect();
    let text: String = words.join(" ").chars().take(MOST_CHARACTERS).collect();
    let line = places.and_then(|places| places.line(step.pc));
    Listed { step: number, line, text, values: values(ran, step, other) }
}

/// The values that a step wrote, by component, compared with the other run's step.
pub fn values(ran: &Ran, step: &Step, other: Option<&Step>) -> Vec<(String, Same)> {
    let mut values = Vec::new();
    let mut last = None;
    for change in &step.changes {
        let letter = ["x", "y", "z", "w"][usize::from(change.component)];
        let value = match change.is_undefined {
            true => "undefined".to_owned(),
            false => format::decimal(change.after, change.type_after),
        };
        let name = name_of(change.place, &ran.code.program).filter(|_| last != Some(change.place));
        last = Some(change.place);
        let dot = if name.is_some() { "." } else { "" };
        let theirs = |other: &Step| {
            let its = other.changes.iter().find(|its| its.component == change.component);
            its.is_some_and(|its| (its.after, its.is_undefined) == (change.after, change.is_undefined))
        };
        let same = if other.is_some_and(theirs) { Same::Yes } else { Same::No };
        values.push((format!("{}{dot}{letter} {value}", name.unwrap_or_default()), same));
    }
    if let Some(taken) = step.taken {
        let words = match (step.kills, taken) {
            (true, _) => "discards",
            (false, true) => "taken",
            (false, false) => "not taken",
        };
        let same = other.is_some_and(|other| (other.taken, other.kills) == (step.taken, step.kills));
        values.push((words.to_owned(), if same { Same::Yes } else { Same::No }));
    }
    values
}

/// The first component in which two steps of a row differ, as text for each run.
pub fn first_difference(comparison: &Comparison, steps: &[Box<Step>; 2]) -> Option<[String; 2]> {
    let [a, b] = steps;
    let other = comparison.other.as_ref()?;
    let first = |values: Vec<(String, Same)>| {
        values.into_iter().find(|(_, same)| *same == Same::No).map(|(words, _)| words)
    };
    let name = a.changes.first().and_then(|change| name_of(change.place, &comparison.ran.code.program));
    let named = |words: String| match &name {
        Some(name) if !words.contains('.') || !words.starts_with(name.as_str()) => format!("{name}.{words}"),
        _ => words,
    };
    Some([named(first(values(&comparison.ran, a, Some(b)))?), named(first(values(other, b, Some(a)))?)])
}
