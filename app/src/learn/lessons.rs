//! Lessons: the list with the solved ones marked, and the page of a lesson with the results of its checks.

use super::{Learn, Row, card, list_heading, list_row, picture_in, samples};
use crate::command::{Action, Command};
use crate::icons::Icon;
use crate::lesson::{Fault, Lesson, Outcome, Page, PagePart, Report, Status};
use crate::markdown::Markdown;
use crate::model::Document;
use crate::state::State;
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Layout, Rect, Response, Sense, Ui, Vec2, vec2};
use egui_commonmark::CommonMarkCache;
use shadestep_engine::ide;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Side of the mark before a list item, in points.
const MARK: f32 = 16.0;
/// Height of the page below which the header is smaller, in points.
const SHORT: f32 = 420.0;
/// Largest width of text, in points.
const TEXT_WIDTH: f32 = 640.0;

/// Visibility of a lesson's solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Solution {
    #[default]
    Hidden,
    /// The user asked for the solution and has to confirm.
    AskedFor,
    Shown,
}

/// The user's choices, and cached texts.
#[derive(Default)]
pub struct Choice {
    lesson: usize,
    /// The lesson of the active document that the list selected last.
    followed: Option<Arc<Lesson>>,
    /// Set if the list has to scroll to the chosen lesson.
    reveal: Option<()>,
    /// Set if the page has to scroll to the checks.
    reveal_checks: Option<()>,
    /// The texts of the lesson shown last.
    shown: Option<ShownLesson>,
    /// The number of hints shown and the state of the solution, by [`Lesson::key`].
    told: BTreeMap<String, (usize, Solution)>,
}

impl Choice {
    /// Selects the lesson of the active document when another lesson becomes active. Returns true if the
    /// selection changed.
    pub fn follow(&mut self, state: &State) -> bool {
        let lesson = state.document().and_then(|document| state.classroom.lesson_of(document));
        let same = match (lesson, &self.followed) {
            (Some(lesson), Some(followed)) => lesson.is_in(&followed.folder),
            (None, None) => true,
            _ => false,
        };
        if same {
            return false;
        }
        self.followed = lesson.cloned();
        let course = state.classroom.course();
        let index = lesson.and_then(|lesson| course.position(&lesson.folder));
        if let Some(index) = index {
            (self.lesson, self.reveal) = (index, Some(()));
        }
        index.is_some()
    }
}

/// Finds the document that is open for `lesson`. The flag is true if the document is active.
fn open_document<'s>(state: &'s State, lesson: &Lesson) -> Option<(&'s Document, bool)> {
    let is_it = |document: &&Document| {
        state.classroom.lesson_of(document).is_some_and(|other| other.is_in(&lesson.folder))
    };
    let front = state.document().filter(|document| is_it(document));
    match front {
        Some(document) => Some((document, true)),
        None => state.documents.iter().find(is_it).map(|document| (document, false)),
    }
}

/// Shows the list by chapters, below the progress in the course. A double click starts a lesson.
pub fn list(ui: &mut Ui, state: &State, choice: &mut Choice, actions: &mut Vec<Action>) {
    let (course, progress) = (state.classroom.course(), &state.settings.lessons);
    let solved = progress.count(course.lessons.iter().map(Arc::as_ref));
    header(ui, state, (solved, course.lessons.len()), actions);
    let open: Vec<&Arc<Lesson>> =
        state.documents.iter().filter_map(|document| state.classroom.lesson_of(document)).collect();
    widgets::jumping(egui::ScrollArea::vertical()).id_salt("lessons").auto_shrink(false).show(ui, |ui| {
        for (index, lesson) in course.lessons.iter().enumerate() {
            if !lesson.chapter.is_empty() {
                list_heading(ui, &lesson.chapter);
            }
            let is_open = open.iter().any(|other| other.is_in(&lesson.folder));
            let is_solved = progress.is_solved(lesson);
            let row = Row {
                aside: if is_open { "open" } else { "" },
                spoken: if is_solved { ", solved" } else { "" },
                picture: MARK,
            };
            let response = list_row(ui, index == choice.lesson, &lesson.title, &row);
            let response = response.on_hover_text(format!("{}\n{}", lesson.title, lesson.about));
            mark(ui, picture_in(response.rect, MARK), index + 1, is_solved);
            if index == choice.lesson && choice.reveal.take().is_some() {
                response.scroll_to_me(None);
            }
            if response.clicked() {
                choice.lesson = index;
            }
            if response.double_clicked() {
                actions.push(Action::StartLesson(index));
            }
        }
        ui.add_space(6.0);
    });
}

/// Paints the lesson's number, or a tick if the lesson is solved.
fn mark(ui: &Ui, rect: Rect, number: usize, is_solved: bool) {
    let palette = theme::palette(ui);
    if is_solved {
        Icon::Check.paint(ui.painter(), rect, 14.0, palette.success);
    } else {
        let (place, align) = (rect.center(), egui::Align2::CENTER_CENTER);
        ui.painter().text(place, align, number, theme::caption_font(), palette.text_faint);
    }
}

/// Shows the progress in the course, and buttons for courses.
fn header(ui: &mut Ui, state: &State, (solved, count): (usize, usize), actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 0, bottom: 4 }).show(ui, |ui| {
        if Command::BundledCourse.enabled(state) {
            ui.add(egui::Label::new(theme::heading(ui, state.classroom.course().title.as_str())).truncate());
            ui.add_space(2.0);
        }
        ui.horizontal(|ui| {
            ui.label(theme::caption(ui, format!("{solved} of {count} solved")));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                for (command, icon) in
                    [(Command::OpenCourse, Icon::Folder), (Command::BundledCourse, Icon::Book)]
                {
                    if command.enabled(state)
                        && widgets::icon_button(ui, icon, &command.tooltip(ui.ctx()), true).clicked()
                    {
                        actions.push(command.into());
                    }
                }
            });
        });
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 4.0), Sense::hover());
        ui.painter().rect_filled(rect, 2.0, palette.line);
        let share = solved as f32 / count.max(1) as f32;
        let done = Rect::from_min_size(rect.min, vec2(rect.width() * share, rect.height()));
        ui.painter().rect_filled(done, 2.0, palette.success);
    });
}

/// Shows the page of the chosen lesson.
pub fn page(ui: &mut Ui, state: &State, choice: &mut Learn, actions: &mut Vec<Action>) {
    let course = state.classroom.course();
    let index = choice.lessons.lesson.min(course.lessons.len().saturating_sub(1));
    let Some(lesson) = course.lessons.get(index) else {
        widgets::empty_state(ui, Icon::Book, "No lessons", "This build contains no lessons.");
        return;
    };
    let open = open_document(state, lesson);
    let checked = open.and_then(|(document, _)| state.classroom.checked(document.id));
    let report = checked.and_then(|checked| checked.report.as_ref().ok());
    let kept = choice.lessons.shown.take().filter(|shown| Arc::ptr_eq(&shown.lesson, lesson));
    let shown = kept.unwrap_or_else(|| ShownLesson::of(lesson));
    let is_short = ui.available_height() < SHORT;
    let margin = egui::Margin { left: 16, right: 12, top: 10, bottom: 8 };
    egui::Frame::new().inner_margin(margin).show(ui, |ui| {
        let title = theme::heading(ui, lesson.title.as_str()).font(theme::strong_font(17.0));
        ui.add(egui::Label::new(title).wrap());
        if !is_short {
            ui.add_space(2.0);
            widgets::colored_prose(ui, &lesson.about, theme::palette(ui).text_weak);
        }
        ui.add_space(if is_short { 4.0 } else { 8.0 });
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
            if buttons(ui, state, (lesson, index), (open, report), actions) {
                choice.lessons.reveal_checks = Some(());
            }
        });
    });
    widgets::hairline(ui);
    widgets::jumping(egui::ScrollArea::vertical()).id_salt(("lesson", &lesson.name)).auto_shrink(false).show(
        ui,
        |ui| {
            let margin = egui::Margin { left: 16, right: 16, top: 8, bottom: 14 };
            egui::Frame::new().inner_margin(margin).show(ui, |ui| {
                ui.set_max_width(ui.available_width().min(TEXT_WIDTH));
                match &shown.page {
                    Ok(parts) => page_text(ui, &mut choice.markdown, parts),
                    Err(words) => unreadable(ui, words),
                }
                ui.spacing_mut().item_spacing.y = 4.0;
                ui.add_space(12.0);
                let heading = section(ui, "Checks");
                if choice.lessons.reveal_checks.take().is_some() {
                    heading.scroll_to_me(Some(Align::TOP));
                }
                match checked.map(|checked| &checked.report) {
                    Some(Err(words)) => drop(widgets::prose_label(ui, words)),
                    Some(Ok(report)) => results(ui, report, open.is_some_and(|(_, front)| front), actions),
                    None => tasks(ui, lesson),
                }
                let (hints, solution) = choice.lessons.told.entry(lesson.key().into_owned()).or_default();
                ui.add_space(12.0);
                section(ui, "Hints");
                show_hints(ui, lesson, hints);
                ui.add_space(12.0);
                show_solution(ui, &shown, solution);
            });
        },
    );
    choice.lessons.shown = Some(shown);
}

fn section(ui: &mut Ui, title: &str) -> Response {
    let heading = ui.label(theme::heading(ui, title).font(theme::strong_font(14.5)));
    ui.add_space(2.0);
    heading
}

/// Shows the buttons of the lesson and its status. Returns true if the page has to show the checks.
fn buttons(
    ui: &mut Ui,
    state: &State,
    (lesson, index): (&Lesson, usize),
    (open, report): (Option<(&Document, bool)>, Option<&Report>),
    actions: &mut Vec<Action>,
) -> bool {
    let has_next = index + 1 < state.classroom.course().lessons.len();
    let is_solved = report.is_some_and(Report::is_solved);
    let (label, target) = match open {
        Some(_) if is_solved && has_next => ("Next lesson", Some(index + 1)),
        Some((_, true)) => ("", None),
        Some((_, false)) => ("Continue", Some(index)),
        None if state.classroom.answer(lesson).is_some() => ("Continue", Some(index)),
        None if state.settings.lessons.is_solved(lesson) => ("Start over", Some(index)),
        None => ("Start", Some(index)),
    };
    if let Some(target) = target
        && widgets::primary_button(ui, label).clicked()
    {
        actions.push(Action::StartLesson(target));
    }
    if let Some((document, true)) = open
        && document.is_modified()
    {
        let hint = "Restore the lesson's starting text. Undo brings yours back.";
        widgets::button(ui, "Start over")
            .on_hover_text(hint)
            .on_click(Action::StartOver(document.id), actions);
    }
    let palette = theme::palette(ui);
    let (icon, color, words) = match (open, report) {
        (None, _) | (_, None) => return false,
        (Some(_), Some(_)) if is_solved => {
            let words = if has_next { "Solved" } else { "Solved. That was the last lesson." };
            (Icon::Check, palette.success, words.to_owned())
        }
        (Some(_), Some(report)) => {
            let words = format!("{} of {} checks pass", report.passed(), report.outcomes.len());
            (Icon::Target, palette.text_weak, words)
        }
    };
    let status = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let (rect, _) = ui.allocate_exact_size(Vec2::splat(MARK), Sense::hover());
        icon.paint(ui.painter(), rect, 14.0, color);
        let words = egui::Label::new(egui::RichText::new(words).color(color)).sense(Sense::click());
        ui.add(words).on_hover_cursor(egui::CursorIcon::PointingHand).on_hover_text("Show the checks")
    });
    status.inner.clicked()
}

/// Lists the tasks before the checks have run.
fn tasks(ui: &mut Ui, lesson: &Lesson) {
    let faint = theme::palette(ui).text_faint;
    for check in &lesson.checks {
        item(
            ui,
            |ui, rect| dot(ui, rect, faint),
            |ui| {
                widgets::prose_label(ui, &check.task.to_string());
            },
        );
    }
}

/// Shows the results of the checks. All faults are listed, the first in full. `steps` is true if the debugger
/// can step through the picture.
fn results(ui: &mut Ui, report: &Report, steps: bool, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let mut first = true;
    if let Some(fault) = &report.fault {
        let paint = |ui: &mut Ui, rect| Icon::Error.paint(ui.painter(), rect, 14.0, palette.error);
        item(ui, paint, |ui| details(ui, fault, steps, actions));
        first = false;
    }
    for Outcome { task, status } in &report.outcomes {
        let paint = |ui: &mut Ui, rect: Rect| match status {
            Status::Passed => Icon::Check.paint(ui.painter(), rect, 14.0, palette.success),
            Status::Failed(_) => Icon::Close.paint(ui.painter(), rect, 13.0, palette.error),
            Status::Waits => dot(ui, rect, palette.text_faint),
        };
        item(ui, paint, |ui| {
            let color = match status {
                Status::Passed => palette.text_weak,
                Status::Failed(_) => palette.text_strong,
                Status::Waits => palette.text_faint,
            };
            widgets::colored_prose(ui, task, color);
            if let Status::Failed(fault) = status {
                if std::mem::take(&mut first) {
                    details(ui, fault, steps, actions);
                } else {
                    widgets::colored_prose(ui, &fault.facts, palette.text_weak);
                }
            }
        });
    }
}

/// Paints the mark of a check without a result.
fn dot(ui: &Ui, rect: Rect, color: egui::Color32) {
    ui.painter().circle_filled(rect.center(), 2.0, color);
}

/// A line with a mark from `paint`, and beside it the content from `add`.
fn item(ui: &mut Ui, paint: impl FnOnce(&mut Ui, Rect), add: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let (rect, _) = ui.allocate_exact_size(vec2(MARK, 18.0), Sense::hover());
        paint(ui, rect);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 3.0;
            add(ui);
        });
    });
    ui.add_space(2.0);
}

/// Shows all details of a fault.
fn details(ui: &mut Ui, fault: &Fault, steps: bool, actions: &mut Vec<Action>) {
    if !fault.says.is_empty() {
        widgets::prose_label(ui, &fault.says);
    }
    widgets::prose_label(ui, &fault.facts);
    let subject = fault.subject.filter(|_| steps);
    if fault.colors.is_none() && subject.is_none() {
        return;
    }
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
        if let Some(colors) = fault.colors {
            swatches(ui, colors);
        }
        if let Some(step) = subject.and_then(Action::step_to)
            && widgets::button(ui, "Step through").clicked()
        {
            actions.extend(step);
        }
    });
}

/// Swatches of the actual and the expected colour. If their alphas differ, each swatch shows its alpha.
fn swatches(ui: &mut Ui, colors: [[f32; 4]; 2]) {
    let differ = colors[0][3].to_bits() != colors[1][3].to_bits();
    for (words, [red, green, blue, alpha]) in ["actual", "expected"].into_iter().zip(colors) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 5.0;
            let color = widgets::color_of([red, green, blue]);
            let words = if differ {
                widgets::alpha_swatch(ui, color, alpha, vec2(28.0, 16.0));
                format!("{words}, alpha {}", (f64::from(alpha) * 1000.0).round() / 1000.0)
            } else {
                widgets::swatch(ui, color, Vec2::splat(16.0));
                words.to_owned()
            };
            ui.label(theme::caption(ui, words));
        });
    }
}

/// Shows the hints so far, and a button for the next one.
fn show_hints(ui: &mut Ui, lesson: &Lesson, shown: &mut usize) {
    let palette = theme::palette(ui);
    for (number, hint) in (1..).zip(lesson.hints.iter().take(*shown)) {
        let paint = |ui: &mut Ui, rect: Rect| {
            let (place, align) = (rect.center(), egui::Align2::CENTER_CENTER);
            ui.painter().text(place, align, number, theme::caption_font(), palette.text_weak);
        };
        item(ui, paint, |ui| drop(widgets::prose_label(ui, hint)));
    }
    let count = lesson.hints.len();
    let label = match *shown {
        0 => "Show a hint".to_owned(),
        shown if shown + 1 == count => "Show the last hint".to_owned(),
        _ => "Show another hint".to_owned(),
    };
    if *shown < count && widgets::button(ui, &label).clicked() {
        *shown += 1;
    }
}

/// Shows the solution after the user has confirmed.
fn show_solution(ui: &mut Ui, shown: &ShownLesson, solution: &mut Solution) {
    match *solution {
        Solution::Hidden => {
            if widgets::button(ui, "Show the solution").clicked() {
                *solution = Solution::AskedFor;
            }
        }
        Solution::AskedFor => {
            ui.add(
                egui::Label::new("You learn more if you find it yourself. Show the solution anyway?").wrap(),
            );
            ui.horizontal(|ui| {
                if widgets::button(ui, "Show it").clicked() {
                    *solution = Solution::Shown;
                }
                if widgets::button(ui, "Not yet").clicked() {
                    *solution = Solution::Hidden;
                }
            });
        }
        Solution::Shown => {
            section(ui, "Solution");
            for ((name, _), text) in shown.lesson.solution.iter().zip(&shown.solution) {
                ui.label(theme::caption(ui, name.as_str()));
                code(ui, text);
                ui.add_space(4.0);
            }
            if widgets::button(ui, "Hide the solution").clicked() {
                *solution = Solution::Hidden;
            }
        }
    }
}

/// The texts of a lesson, parsed once.
struct ShownLesson {
    lesson: Arc<Lesson>,
    /// The page, or the reason why it cannot be shown.
    page: Result<Vec<Block>, String>,
    /// Files of the solution, in the lesson's order.
    solution: Vec<Code>,
}

impl ShownLesson {
    fn of(lesson: &Arc<Lesson>) -> Self {
        let block = |part: &PagePart| match part {
            PagePart::Words(text) => Block::Words(text.clone()),
            PagePart::Code(text) => Block::Code(Code::new(text.clone())),
        };
        let blocks = |page: &Page| page.parts.iter().map(block).collect();
        Self {
            lesson: Arc::clone(lesson),
            page: lesson.page.as_ref().map(blocks).map_err(ToString::to_string),
            solution: lesson.solution.iter().map(|(_, text)| Code::new(text.trim_end().to_owned())).collect(),
        }
    }
}

enum Block {
    Words(Markdown),
    Code(Code),
}

/// Program text with its tokens. Text that is not a program, such as a formula, has no tokens.
struct Code {
    text: String,
    tokens: Vec<ide::Token>,
}

impl Code {
    fn new(text: String) -> Self {
        let tokens = ide::highlight(text.as_bytes());
        let is_program = tokens.iter().all(|token| token.kind != ide::TokenKind::Error);
        Self { text, tokens: if is_program { tokens } else { Vec::new() } }
    }
}

/// Shows the reason why there is no page.
fn unreadable(ui: &mut Ui, words: &str) {
    let color = theme::palette(ui).error;
    let paint = |ui: &mut Ui, rect| Icon::Error.paint(ui.painter(), rect, 14.0, color);
    item(ui, paint, |ui| drop(widgets::prose_label(ui, &format!("The page cannot be shown. {words}"))));
}

/// Shows the page, with syntax colours in its blocks of program text.
fn page_text(ui: &mut Ui, cache: &mut CommonMarkCache, page: &[Block]) {
    for (number, block) in page.iter().enumerate() {
        ui.push_id(number, |ui| match block {
            Block::Words(text) => samples::readme(ui, cache, text),
            Block::Code(text) => {
                ui.add_space(4.0);
                code(ui, text);
                ui.add_space(4.0);
            }
        });
    }
}

/// A card with program text in syntax colours. Other text has a single colour.
fn code(ui: &mut Ui, code: &Code) {
    let palette = theme::palette(ui);
    let mut job = LayoutJob::default();
    let mut put = |piece: &str, color| {
        let format = TextFormat::simple(theme::value_font(), color);
        job.append(piece, 0.0, TextFormat { line_height: Some(18.0), ..format });
    };
    if code.tokens.is_empty() {
        put(&code.text, palette.text_strong);
    }
    for token in &code.tokens {
        let piece = String::from_utf8_lossy(token.span.slice(code.text.as_bytes()));
        put(&piece, palette.syntax.color(token.kind));
    }
    card(ui, job);
}
