//! The strip under the text that tells in plain words what a line does: the one at the caret, or while a run is stepped through
//! the one of the current step, whichever moved last.
//!
//! The strip has one height for all explanations. It is one line high where there is nothing to explain. While a person types
//! its height stays: it changes once keys and caret have rested for [`REST_SECS`]. It grows at once where the caret or a step
//! came to a line without typing.

use super::beside::Beside;
use crate::command::{Action, Command};
use crate::icons::Icon;
use crate::model::{Document, DocumentId, Part, PerDocument, TextId};
use crate::stepping::{DebugSession, TextAge};
use crate::theme;
use crate::widgets;
use egui::{Align, Layout, Rect, Stroke, Ui, vec2};
use shadestep_engine::ide::{self, Explanation};
use shadestep_engine::ir::Program;
use std::sync::Arc;

/// Height of the strip, in points.
const HEIGHT: f32 = 176.0;
/// The most of the room for the text that it takes.
const MOST: f32 = 0.45;
/// Its height where there is nothing to explain, in points.
const LOW: f32 = theme::ICON_BUTTON + 10.0;
/// How long keys and caret rest before its height changes, in seconds.
const REST_SECS: f64 = 0.7;

/// Width of a character of the value font, in points; measured on the safe side.
const CHARACTER: f32 = 7.0;

/// What the explanation depends on: the text and its state, the line, and which step gives numbers, of which run.
type Question = (TextId, u64, usize, Option<((u64, usize), usize)>);

/// What is followed, and what was told last.
#[derive(Default)]
pub struct Explained {
    told: Beside<Question, Option<Explanation>>,
    /// What the last one answers.
    asked: Option<Question>,
    /// The last one that was complete, with its line, for the time until the next is.
    last: Option<(usize, Explanation)>,
    /// The caret and the step, as they were in the frame before.
    before: (usize, Option<usize>),
    follows: Follows,
    height: Height,
    /// What is explained, since when, and when something was typed last; times in seconds.
    rest: Option<(Place, f64, f64)>,
}

/// A byte of a revision of a text.
type Place = (TextId, u64, usize);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Height {
    /// One for all explanations.
    #[default]
    Full,
    /// One line.
    Low,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Follows {
    #[default]
    Caret,
    Step,
}

impl PerDocument for Explained {
    fn forget(&mut self, closed: DocumentId) {
        if self.kept().contains(&closed) {
            *self = Self::default();
        }
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        [self.told.kept(), self.asked.kept()].concat()
    }
}

impl Explained {
    /// Room for the strip at the foot of `area`, and the rest above.
    pub fn split(&self, area: Rect) -> (Rect, Rect) {
        let height = if self.height == Height::Full { HEIGHT } else { LOW };
        area.split_top_bottom_at_y(area.bottom() - height.min(area.height() * MOST).round())
    }

    /// Takes the height that what is told at `place` needs, now or once there was a rest.
    fn settle(&mut self, ui: &Ui, place: Place, wanted: Height) {
        let now = ui.input(|input| input.time);
        let (since, typed) = match self.rest {
            Some((last, since, typed)) if last == place => (since, typed),
            Some(((text, revision, _), _, _)) if text == place.0 && revision != place.1 => (now, now),
            Some((.., typed)) => (now, typed),
            None => (now, f64::NEG_INFINITY),
        };
        self.rest = Some((place, since, typed));
        if wanted == self.height {
            return;
        }
        let rest_began = if wanted == Height::Full { typed } else { since };
        let left = REST_SECS - (now - rest_began);
        if left > 0.0 {
            ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(left));
        } else {
            self.height = wanted;
            ui.ctx().request_repaint();
        }
    }

    /// The byte whose line is told.
    fn place(&mut self, document: &Document, session: Option<&DebugSession>) -> usize {
        let caret = document.active().caret;
        let step = session.map(DebugSession::position);
        let (caret_before, step_before) = std::mem::replace(&mut self.before, (caret, step));
        if step != step_before {
            self.follows = if step.is_some() { Follows::Step } else { Follows::Caret };
        } else if caret != caret_before {
            self.follows = Follows::Caret;
        }
        let current = || {
            let session = session?;
            Some(session.place_of(session.current_step()?.pc)?.span.start)
        };
        match self.follows {
            Follows::Step => current().unwrap_or(caret),
            Follows::Caret => caret,
        }
    }
}

/// The strip, in `area`. `session` is that of the text shown.
pub fn show(
    ui: &mut Ui,
    area: Rect,
    document: &Document,
    session: Option<&DebugSession>,
    explained: &mut Explained,
    actions: &mut Vec<Action>,
) {
    let palette = theme::palette(ui);
    ui.painter().rect_filled(area, 0.0, palette.panel);
    ui.painter().hline(area.x_range(), area.top() + 0.5, Stroke::new(1.0, palette.line));
    let place = explained.place(document, session);
    let text = document.active().text();
    let line = document.active().lines().line_of(place.min(text.len()));
    let run = told(ui, document, session, place, explained);
    let is_scene = document.active_part() == Part::Scene;
    let here = (document.text_id(), document.revision, place);
    let is_known =
        is_scene || explained.asked.is_some_and(|(text, revision, at, _)| (text, revision, at) == here);
    let mut inner =
        ui.new_child(egui::UiBuilder::new().max_rect(area.shrink2(vec2(12.0, 5.0))).id_salt("explain"));
    inner.shrink_clip_rect(area);
    let ui = &mut inner;
    let shown = explained.last.as_ref().filter(|(of, _)| *of == line).map(|(_, told)| told);
    let wanted = if shown.is_some() { Height::Full } else { Height::Low };
    let nothing = match (is_scene, is_known) {
        (true, _) => "Only lines of programs can be explained.",
        (false, true) => "There is nothing to explain on this line.",
        (false, false) => "",
    };
    head(ui, line, shown.ok_or(nothing), run, actions);
    egui::ScrollArea::vertical().id_salt(("explanation", document.text_id(), line)).auto_shrink(false).show(
        ui,
        |ui| {
            ui.spacing_mut().item_spacing.y = 3.0;
            shown.into_iter().for_each(|explanation| body(ui, explanation));
        },
    );
    // Until it is known what there is to tell the height stays.
    let wanted = if is_known { wanted } else { explained.height };
    explained.settle(ui, here, wanted);
}

/// Which run of the line the numbers are of.
enum Run {
    /// Nothing is stepped through.
    None,
    /// Of this step, named by the steps before it as in the debugger, of so many.
    Step(usize, usize),
    /// The run did not come to the line.
    Never,
}

/// Works out what there is to say and keeps it.
fn told(
    ui: &Ui,
    document: &Document,
    session: Option<&DebugSession>,
    place: usize,
    explained: &mut Explained,
) -> Run {
    let active = document.active();
    let line = active.lines().line_of(place.min(active.text().len()));
    if document.active_part() == Part::Scene {
        (explained.last, explained.asked) = (None, None);
        return Run::None;
    }
    // Until the text has been loaded what was said stays.
    if !document.is_analysed() {
        return Run::None;
    }
    if let Some(recorded) = session.and_then(|session| recorded_line(document, session, line)) {
        return told_of(ui, document, (recorded, line), explained);
    }
    let session = session.filter(|session| session.text() == active.text().as_bytes());
    let is_good = active.diagnostics().iter().all(|d| d.severity != shadestep_engine::diag::Severity::Error);
    let program = active.program().filter(|_| is_good).cloned();
    let pc =
        program.as_ref().and_then(|program| ide::instruction_at(active.text().as_bytes(), program, place));
    let told = Told { text: active.text().as_bytes().into(), place, program, executed: session.zip(pc) };
    told_of(ui, document, (told, line), explained)
}

/// What an explanation is made of.
struct Told<'a> {
    text: Arc<[u8]>,
    /// A byte of the line in that text.
    place: usize,
    program: Option<Arc<Program>>,
    /// The run that gives numbers, and the instruction of the line.
    executed: Option<(&'a DebugSession, usize)>,
}

/// What was recorded of `line`, if the text was edited since and does not load: where the instruction on that
/// line is as it was, its numbers are as they were.
fn recorded_line<'a>(document: &Document, session: &'a DebugSession, line: usize) -> Option<Told<'a>> {
    let (places, code) = (session.places()?, session.code()?);
    if places.age != TextAge::Edited || !document.has_faulty_program() {
        return None;
    }
    let pc = places.on_line(line)?;
    let [_, ran] = session.as_written(document, pc)?;
    Some(Told {
        text: Arc::clone(&code.text),
        place: ran.start,
        program: Some(Arc::clone(&code.program)),
        executed: Some((session, pc)),
    })
}

/// Works an explanation out and keeps it as that of `line`.
fn told_of(ui: &Ui, document: &Document, (told, line): (Told<'_>, usize), explained: &mut Explained) -> Run {
    let Told { text, place, program, executed } = told;
    let executed = executed.map(|(session, pc)| (session, session.execution_of(pc)));
    let (run, step) = match executed {
        None => (Run::None, None),
        Some((_, None)) => (Run::Never, None),
        Some((session, Some(position))) => (Run::Step(position, session.len()), Some((session, position))),
    };
    let of_step = step.map(|(session, position)| (session.number(), position));
    let work_out = step.map(|(session, position)| session.working_out(position));
    let question: Question = (document.text_id(), document.revision, place, of_step);
    if explained.asked == Some(question) {
        return run;
    }
    let bytes = text.len();
    let find = move || {
        let step = work_out.and_then(|work_out| work_out());
        ide::explain(&text, place, program.as_deref(), step.as_ref())
    };
    if let Some(answer) = explained.told.get(ui.ctx(), question, bytes, find) {
        explained.last = answer.clone().map(|explanation| (line, explanation));
        explained.asked = Some(question);
    }
    run
}

/// Which line it is, what stands there or why nothing is told, and a button that puts the strip away.
fn head(ui: &mut Ui, line: usize, shown: Result<&Explanation, &str>, run: Run, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(theme::caption(ui, format!("Line {}", line + 1)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if widgets::icon_button(ui, Icon::Close, "Hide the explanation", true).clicked() {
                actions.push(Command::ToggleExplain.into());
            }
            let opcode = shown.ok().and_then(|shown| shown.opcode);
            if let Some(opcode) = opcode
                && widgets::icon_button(ui, Icon::Book, "Show the reference page", true).clicked()
            {
                actions.push(Action::ShowReference(opcode));
            }
            match run {
                Run::None => {}
                Run::Step(position, length) => {
                    ui.label(theme::caption(ui, format!("step {position} of {length}")));
                }
                Run::Never => _ = ui.label(theme::caption(ui, "not executed in this run")),
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let words = match shown {
                    Ok(shown) => theme::heading(ui, &shown.title),
                    Err(words) => theme::caption(ui, words),
                };
                ui.add(egui::Label::new(words).truncate());
            });
        });
    });
}

fn body(ui: &mut Ui, explanation: &Explanation) {
    let palette = theme::palette(ui);
    let mut sentences = explanation.sentences.iter();
    // What it does, then how, then all else.
    if let Some(first) = sentences.next() {
        widgets::prose_label(ui, first);
    }
    let across = (ui.available_width() / CHARACTER) as usize;
    for result in &explanation.results {
        let line = result.line();
        let numbers = result.numbers_line().filter(|_| line.len() > across);
        let names = if numbers.is_some() { result.names_line() } else { line };
        ui.add(egui::Label::new(theme::value(ui, names)).wrap());
        if let Some(numbers) = numbers {
            let text = theme::value(ui, format!("    {numbers}")).color(palette.text);
            ui.add(egui::Label::new(text).wrap());
        }
    }
    for note in &explanation.notes {
        let text = egui::RichText::new(note).color(palette.accent);
        ui.add(egui::Label::new(text).wrap());
    }
    if !explanation.results.is_empty() || !explanation.notes.is_empty() {
        ui.add_space(3.0);
    }
    for sentence in sentences {
        widgets::prose_label(ui, sentence);
    }
}
