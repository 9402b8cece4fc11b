//! A text field for an expression. The field marks an error at its place, shows the message below, and offers
//! registers that complete the word at the caret.

use super::text_fields::{byte_of_char, select_chars};
use crate::theme;
use crate::widgets;
use egui::text::{LayoutJob, TextFormat};
use egui::text_edit::TextEditState;
use egui::{Id, Key, Modifiers, Response, Stroke, Ui, vec2};
use shadestep_engine::debug::expression::{Expression, ExpressionError, register_names};
use shadestep_engine::ir::Program;
use std::ops::Range;

/// Most registers offered at once.
const OFFERED: usize = 5;
/// Height of the line below the field, in points.
const LINE: f32 = 22.0;

/// Texts and program of a field.
pub struct Field<'a> {
    /// Its name, for screen readers and tests.
    pub name: &'a str,
    /// Placeholder while the field is empty.
    pub hint: &'a str,
    /// The program whose registers the expression can read. Without a program, the expression is not checked.
    pub program: Option<&'a Program>,
    /// Text below the field while the expression is valid.
    pub note: &'a str,
}

/// Result of a field in this frame.
pub struct Done {
    pub response: Response,
    pub changed: bool,
    /// True if the user pressed Enter.
    pub entered: bool,
    /// Error of a text that is not empty.
    pub fault: Option<ExpressionError>,
}

/// The word before the caret, and the registers that complete it.
struct Offer {
    word: Range<usize>,
    names: Vec<String>,
}

impl Offer {
    fn of(text: &str, caret: usize, program: &Program) -> Option<Self> {
        let is_in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '[' | ']');
        let before = text.get(..caret)?;
        let start_of = |is_in_word: &dyn Fn(char) -> bool| {
            let end = before.char_indices().rev().find(|(_, c)| !is_in_word(*c));
            end.map_or(0, |(at, c)| at + c.len_utf8())
        };
        let names = register_names(program);
        let goes_on = |start: usize| {
            let word = before.get(start..).unwrap_or_default().to_lowercase();
            let fits = |name: &&String| {
                let name = name.to_lowercase();
                !word.is_empty() && name.starts_with(&word) && name != word
            };
            names.iter().filter(fits).take(OFFERED).cloned().collect::<Vec<_>>()
        };
        // A dot belongs to names such as `result.color`.
        [start_of(&|c| is_in_name(c) || c == '.'), start_of(&is_in_name)].into_iter().find_map(|start| {
            let names = goes_on(start);
            (!names.is_empty()).then_some(Self { word: start..caret, names })
        })
    }
}

/// Replaces `word` with `name` and puts the caret after it.
fn take(ui: &Ui, id: Id, text: &mut String, word: Range<usize>, name: &str) {
    let end = word.start + name.len();
    text.replace_range(word, name);
    select_chars(ui.ctx(), id, [text[..end].chars().count(); 2]);
    ui.memory_mut(|memory| memory.request_focus(id));
}

/// Shows the field over the whole width, with a line below it. The line has the completions if there are any,
/// else the error, else the note.
pub fn show(ui: &mut Ui, id: Id, text: &mut String, field: &Field<'_>) -> Done {
    let palette = theme::palette(ui);
    let mut changed = false;
    let focused = ui.memory(|memory| memory.has_focus(id));
    let caret = |ui: &Ui, text: &str| {
        let range = TextEditState::load(ui.ctx(), id).and_then(|state| state.cursor.char_range());
        range.map_or(text.len(), |range| byte_of_char(text, range.primary.index.0))
    };
    let offer = field.program.filter(|_| focused).and_then(|p| Offer::of(text, caret(ui, text), p));
    if let Some(offer) = &offer
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab))
        && let Some(name) = offer.names.first()
    {
        take(ui, id, text, offer.word.clone(), name);
        changed = true;
    }
    let fault_of = |text: &str| {
        let program = field.program.filter(|_| !text.trim().is_empty())?;
        Expression::parse(text, program).err()
    };
    let font = theme::value_font();
    let mut layouter = |ui: &Ui, buffer: &dyn egui::TextBuffer, _wrap: f32| {
        let text = buffer.as_str();
        let plain = TextFormat::simple(font.clone(), palette.text_strong);
        let mut job = LayoutJob::default();
        let span = fault_of(text).map(|fault| fault.span.start..fault.span.end);
        let span = span.filter(|span| text.get(span.clone()).is_some()).unwrap_or(text.len()..text.len());
        job.append(&text[..span.start], 0.0, plain.clone());
        let wrong = TextFormat {
            underline: Stroke::new(1.5, palette.error),
            background: palette.error_wash,
            ..plain.clone()
        };
        job.append(&text[span.clone()], 0.0, wrong);
        job.append(&text[span.end..], 0.0, plain);
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let output = egui::TextEdit::singleline(text)
        .id(id)
        .hint_text(field.hint)
        .desired_width(f32::INFINITY)
        .margin(egui::Margin::symmetric(7, 4))
        .lock_focus(offer.is_some())
        .layouter(&mut layouter)
        .show(ui);
    let response = widgets::named(output.response.response, field.name);
    changed |= response.changed();
    let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let fault = fault_of(text);
    let words = fault.as_ref().map(|fault| format!("{}.", fault.message));
    let (words, color) = match &words {
        Some(words) => (words.as_str(), palette.error),
        None => (field.note, palette.text_weak),
    };
    // The completions follow the text typed in this frame.
    let offer =
        field.program.filter(|_| response.has_focus()).and_then(|p| Offer::of(text, caret(ui, text), p));
    line(ui, |ui| {
        let Some(offer) = offer else {
            ui.add(egui::Label::new(theme::caption(ui, words).color(color)).truncate());
            return;
        };
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(theme::caption(ui, "Tab:"));
        for name in &offer.names {
            let label = egui::RichText::new(name).font(theme::table_font());
            if ui.add(egui::Button::new(label).small()).clicked() {
                take(ui, id, text, offer.word.clone(), name);
                changed = true;
            }
        }
    });
    Done { response, changed, entered, fault }
}

fn line(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), LINE),
        egui::Layout::left_to_right(egui::Align::Center),
        |ui| {
            ui.set_min_height(LINE);
            add(ui);
        },
    );
}
