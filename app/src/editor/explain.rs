//! The explanation strip under the text: it says in plain words what a line does. The line is the caret's or
//! the current step's, whichever moved last.
//!
//! All explanations have the same height. Without an explanation the strip is one line high. While you type,
//! the height stays; it changes after [`REST_SECS`] without a key press. If the caret or a step reaches a
//! line without typing, the strip grows at once.

use super::beside::Beside;
use crate::command::{Action, Command};
use crate::icons::Icon;
use crate::model::{Document, DocumentId, Part, PerDocument, TextId};
use crate::stepping::{DebugSession, TextAge};
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::{Align, Layout, Rect, Stroke, Ui, vec2};
use shadestep_engine::ide::{self, Explanation};
use shadestep_engine::ir::Program;
use std::sync::Arc;

/// Height of the strip with an explanation, in points.
const HEIGHT: f32 = 176.0;
/// Largest share of the text area that the strip takes.
const MOST: f32 = 0.45;
/// Height of the strip without an explanation, in points.
const LOW: f32 = theme::ICON_BUTTON + 10.0;
/// Time without typing or caret movement before the height changes, in seconds.
const REST_SECS: f64 = 0.7;

/// Width of a character of the value font, in points, rounded up.
const CHARACTER: f32 = 7.0;

/// The inputs of an explanation: the text, its revision, the line, and the run and step that supply numbers.
type Question = (TextId, u64, usize, Option<((u64, usize), usize)>);

/// State of the strip.
#[derive(Default)]
pub struct Explained {
    told: Beside<Question, Option<Explanation>>,
    /// The question that the explanation in `last` answers.
    asked: Option<Question>,
    /// The latest complete explanation and its line, shown until the next one is ready.
    last: Option<(usize, Explanation)>,
    /// The caret and the step in the previous frame.
    before: (usize, Option<usize>),
    follows: Follows,
    height: Height,
    /// The explained place, the time it became current, and the time of the last edit, in seconds.
    rest: Option<(Place, f64, f64)>,
}

/// A text, its revision and a byte.
type Place = (TextId, u64, usize);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Height {
    /// [`HEIGHT`], for all explanations.
    #[default]
    Full,
    /// [`LOW`], one line.
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
    /// Splits `area` into the text above and the strip at the bottom.
    pub fn split(&self, area: Rect) -> (Rect, Rect) {
        let height = if self.height == Height::Full { HEIGHT } else { LOW };
        area.split_top_bottom_at_y(area.bottom() - height.min(area.height() * MOST).round())
    }

    /// Sets the height to `wanted`, at once or after a rest.
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

    /// Returns the byte whose line is explained.
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

/// Shows the strip in `area`. `session` is the debugged run of the text shown.
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
    // The height stays until the explanation is known.
    let wanted = if is_known { wanted } else { explained.height };
    explained.settle(ui, here, wanted);
}

/// The execution that supplies the numbers of an explanation.
enum Run {
    /// No run is debugged.
    None,
    /// The step with this number, from 0 as in the debugger, and the number of steps in the run.
    Step(usize, usize),
    /// The run did not reach the line.
    Never,
}

/// Computes the explanation and stores it in `explained`.
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
    // The old explanation stays until the text is loaded.
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

/// Inputs of an explanation.
struct Told<'a> {
    text: Arc<[u8]>,
    /// A byte of the line in `text`.
    place: usize,
    program: Option<Arc<Program>>,
    /// The run that supplies numbers, and the instruction of the line.
    executed: Option<(&'a DebugSession, usize)>,
}

/// Returns the recorded instruction on `line` if the text was edited since and does not load. If the
/// instruction is unchanged on that line, its recorded numbers are still valid.
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

/// Computes an explanation and stores it as the explanation of `line`.
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

/// The first row: the line's number, the instruction or the reason for no explanation, and a button that
/// hides the strip.
fn head(ui: &mut Ui, line: usize, shown: Result<&Explanation, &str>, run: Run, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(theme::caption(ui, format!("Line {}", line + 1)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            widgets::icon_button(ui, Icon::Close, "Hide the explanation", true)
                .on_click(Command::ToggleExplain, actions);
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
    // The effect comes first, then the results, then the remaining sentences.
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
