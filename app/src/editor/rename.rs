//! The rename field, which opens over the name in the text.

use super::rows::Rows;
use crate::command::Action;
use crate::format::sentence;
use crate::model::{Document, DocumentId, OfDocument, Part, TextId};
use crate::scene::ParameterKey;
use crate::theme;
use crate::widgets;
use crate::widgets::text_fields::{select_chars, text_edit_id};
use egui::{Key, Order, vec2};
use shadestep_engine::ide::{self, Refusal};
use shadestep_engine::source::{LineIndex, Span};

/// A rename in progress.
pub struct Renaming {
    /// The name's place, where the field opens.
    span: Span,
    /// The new name as typed.
    to: String,
    /// The reason why the new name is not allowed.
    refusal: Option<String>,
    /// True if the scene sets a parameter with the old name.
    is_in_scene: bool,
    /// The text and its revision.
    of: (TextId, u64),
    wants_focus: bool,
}

impl OfDocument for Renaming {
    fn of_document(&self) -> DocumentId {
        self.of.of_document()
    }
}

impl Renaming {
    /// Begins to rename `symbol` in the active text.
    pub fn new(symbol: &ide::Symbol, document: &Document) -> Self {
        let key = ParameterKey::Named(symbol.name.clone());
        let is_set = document.scene.parameters.iter().any(|setting| setting.key == key);
        Self {
            is_in_scene: is_set && matches!(document.active_part(), Part::Program(_)),
            span: symbol.span,
            to: symbol.name.clone(),
            refusal: None,
            of: (document.text_id(), document.revision),
            wants_focus: true,
        }
    }
}

/// Formats `refusal` as a sentence about `text`.
pub fn words(text: &str, refusal: &Refusal) -> String {
    let place = refusal.place.map(|place| {
        let line = LineIndex::new(text.as_bytes()).line_of(place.start) + 1;
        format!(" on line {line}")
    });
    sentence(&format!("{}{}", refusal.message, place.unwrap_or_default()))
}

/// Shows the field if a rename is in progress.
pub fn show(
    ui: &egui::Ui,
    renaming: &mut Option<Renaming>,
    document: &Document,
    rows: &Rows<'_>,
    actions: &mut Vec<Action>,
) {
    let Some(open) = renaming.as_mut().filter(|open| open.of == (document.text_id(), document.revision))
    else {
        *renaming = None;
        return;
    };
    let line = rows.line_of(open.span.start).min(rows.count() - 1);
    let pos = rows.caret_rect(line, open.span.start).left_bottom() + vec2(0.0, 4.0);
    let mut outcome = None;
    egui::Area::new(ui.scope_id().with("rename"))
        .order(Order::Foreground)
        .fixed_pos(pos)
        .constrain(true)
        .show(ui.ctx(), |ui| {
            egui::Frame::popup(ui.style()).inner_margin(6).show(ui, |ui| {
                ui.set_max_width(360.0);
                outcome = field(ui, open, document);
            });
        });
    match outcome {
        Some(Outcome::Renamed(edits)) => {
            actions.push(Action::ReplaceText(edits));
            *renaming = None;
        }
        Some(Outcome::Closed) => *renaming = None,
        None => return,
    }
    ui.memory_mut(|memory| memory.request_focus(text_edit_id(document)));
}

enum Outcome {
    Renamed(super::Edits),
    Closed,
}

fn field(ui: &mut egui::Ui, open: &mut Renaming, document: &Document) -> Option<Outcome> {
    let palette = theme::palette(ui);
    let text = document.active().text();
    let escaped = ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Escape));
    let field = egui::TextEdit::singleline(&mut open.to)
        .desired_width(220.0)
        .font(theme::value_font())
        .id_salt("new name");
    let response = widgets::named(ui.add(field), "New name");
    if std::mem::take(&mut open.wants_focus) {
        response.request_focus();
        select_chars(ui.ctx(), response.id, [0, open.to.chars().count()]);
    }
    let ask = |to: &str| ide::rename(text.as_bytes(), open.span.start, to);
    if response.changed() {
        open.refusal = ask(&open.to).err().map(|refusal| words(text, &refusal));
    }
    match &open.refusal {
        Some(refusal) => widgets::colored_prose(ui, refusal, palette.error),
        None if open.is_in_scene => {
            let words = "scene.toml uses this name. Rename it there too.";
            widgets::colored_prose(ui, words, palette.warning)
        }
        None => ui.label(theme::caption(ui, "Enter renames all uses, Esc cancels")),
    };
    if escaped {
        return Some(Outcome::Closed);
    }
    if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        return match ask(&open.to) {
            Ok(spans) if spans.is_empty() => Some(Outcome::Closed),
            Ok(spans) => {
                Some(Outcome::Renamed(spans.into_iter().map(|span| (span, open.to.clone())).collect()))
            }
            Err(refusal) => {
                open.refusal = Some(words(text, &refusal));
                response.request_focus();
                None
            }
        };
    }
    response.lost_focus().then_some(Outcome::Closed)
}
