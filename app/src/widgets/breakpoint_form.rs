//! The form of a breakpoint: condition, hit count and whether the breakpoint is enabled.

use super::expression_field::{self, Field};
use crate::command::Action;
use crate::format;
use crate::model::{Breakpoint, TextId, Times};
use crate::stepping::StopHistory;
use crate::theme;
use crate::widgets;
use egui::{Align, Layout, Ui};
use shadestep_engine::ir::Program;

/// Width of the form, in points.
const WIDTH: f32 = 330.0;
/// Initial hit count.
const COUNT: u32 = 10;

/// A kind of [`Times`], without its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Every,
    Nth,
    EveryNth,
}

/// A breakpoint that the user is editing.
pub struct Form<'a> {
    /// The text with the breakpoint.
    pub text: TextId,
    /// Its line, from 0.
    pub line: usize,
    /// The current settings.
    pub breakpoint: &'a Breakpoint,
    /// The program whose registers the condition can read.
    pub program: Option<&'a Program>,
    /// Hits in the debugged run.
    pub hits: Option<&'a StopHistory>,
}

/// Shows the form. Each change is sent at once.
pub fn show(ui: &mut Ui, form: &Form<'_>, actions: &mut Vec<Action>) {
    ui.set_width(WIDTH);
    let Form { text, line, .. } = *form;
    let mut wanted = form.breakpoint.clone();
    ui.horizontal(|ui| {
        ui.label(theme::heading(ui, format!("Breakpoint on line {}", line + 1)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.checkbox(&mut wanted.enabled, "Enabled");
        });
    });
    ui.label(theme::caption(ui, "Stop when"));
    let hits = form.hits.map(hit_words);
    let note = match (&hits, form.program) {
        (Some(words), _) => words,
        (None, Some(_)) => "Leave empty to stop at every hit",
        (None, None) => "Checked when the program loads",
    };
    let field = Field {
        name: "Condition",
        hint: "for example R0.x > 0.5 or CC.x is LT",
        program: form.program,
        note,
    };
    let id = ui.scope_id().with(("condition", text, line));
    let pass = ui.ctx().cumulative_pass_nr();
    let last = ui.data(|data| data.get_temp::<u64>(id));
    ui.data_mut(|data| data.insert_temp(id, pass));
    let done = expression_field::show(ui, id, &mut wanted.condition, &field);
    // The form has just opened.
    if last.is_none_or(|last| last + 1 < pass) {
        done.response.request_focus();
    }
    ui.label(theme::caption(ui, "Which hits"));
    times(ui, &mut wanted.times);
    ui.add_space(4.0);
    let mut closes = done.entered;
    ui.horizontal(|ui| {
        if widgets::button(ui, "Remove").on_hover_text("Remove this breakpoint").clicked() {
            actions.push(Action::RemoveBreakpoint(text, line));
            closes = true;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            closes |= widgets::primary_button(ui, "Done").clicked();
        });
    });
    if wanted != *form.breakpoint {
        actions.insert(0, Action::SetBreakpoint(text, line, wanted));
    }
    if closes {
        actions.push(Action::EditBreakpoint(None));
    }
}

fn times(ui: &mut Ui, times: &mut Times) {
    let (kind, mut count) = match *times {
        Times::Every => (Kind::Every, COUNT),
        Times::Nth(n) => (Kind::Nth, n),
        Times::EveryNth(n) => (Kind::EveryNth, n),
    };
    ui.horizontal(|ui| {
        let choices = [
            (Kind::Every, "Every hit", "Stop at every hit"),
            (Kind::Nth, "Nth hit", "Stop only at the nth hit, counted from the start of the run"),
            (Kind::EveryNth, "Every nth hit", "Stop at every nth hit, counted from the start of the run"),
        ];
        let kind = widgets::segmented(ui, kind, &choices).unwrap_or(kind);
        let drag = egui::DragValue::new(&mut count).range(1..=u32::MAX).speed(0.2);
        let response = ui.add_enabled(kind != Kind::Every, drag);
        widgets::named(response, "Count");
        *times = match kind {
            Kind::Every => Times::Every,
            Kind::Nth => Times::Nth(count),
            Kind::EveryNth => Times::EveryNth(count),
        };
    });
}

/// Describes how often a run hits a breakpoint.
pub fn hit_words(hits: &StopHistory) -> String {
    let times = |count: usize| match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{} times", format::count(count as u64)),
    };
    match (hits.held, hits.stopped) {
        (0, _) => "Not hit in this run".to_owned(),
        (held, stopped) if held == stopped => format!("Hit {} in this run", times(held)),
        (held, 0) => format!("Hit {} in this run, never stops", times(held)),
        (held, stopped) => format!("Hit {} in this run, stops {}", times(held), times(stopped)),
    }
}
