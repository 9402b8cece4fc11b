//! The completion list at the caret. It opens while you type a word, or on request.

use super::beside::Beside;
use crate::command::Action;
use crate::model::{Document, Part, TextId};
use crate::scene::schema;
use crate::theme;
use crate::widgets;
use egui::text_edit::TextEditOutput;
use egui::{Event, Id, ImeEvent, Key, Modifiers, Order, vec2};
use shadestep_engine::ide;
use shadestep_engine::source::Span;
use std::sync::Arc;

/// Most items visible at once.
const SHOWN: usize = 8;

/// Least width of the labels, in points.
const LABEL_WIDTH: f32 = 76.0;
/// Width of the details, including free space, in points.
const DETAIL_WIDTH: f32 = 224.0;

/// Key presses of this frame that open, close or accept the list.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    accept: Option<()>,
    asked: Option<()>,
    /// The user typed a word character, or a character that a word can follow.
    typed: Option<()>,
    /// The user pressed Backspace.
    erased: Option<()>,
}

/// Completions of a text. The key is the text, its revision, the caret's byte, and whether the user asked for
/// the list.
pub type Completions = Beside<(TextId, Wanted), Arc<[ide::Completion]>>;

#[derive(Clone, Debug, Default)]
struct ListState {
    open: Option<Open>,
    wanted: Option<Wanted>,
}

/// A list that is to open, with the revision and caret that it is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Set if the command asked for the list, not typing.
    asked: Option<()>,
    revision: u64,
    caret: usize,
}

/// An open list, with the revision and caret that it was made for.
#[derive(Clone, Debug)]
struct Open {
    made_for: Wanted,
    selected: usize,
    items: Arc<[ide::Completion]>,
}

fn list_id(id: Id) -> Id {
    id.with("completion list")
}

fn state_id(id: Id) -> Id {
    id.with("completion")
}

/// Drops the list's state for the field `id`.
pub(super) fn forget(ctx: &egui::Context, id: Id) {
    ctx.data_mut(|data| data.remove::<ListState>(state_id(id)));
}

/// Takes the keys of an open list before the text field sees them. If the field has the keyboard focus, this
/// also takes the request in `asked`.
pub fn before_text_field(ui: &egui::Ui, id: Id, asked: &mut Option<()>) -> Keys {
    let mut keys = Keys::default();
    if !ui.memory(|memory| memory.has_focus(id)) {
        return keys;
    }
    keys.asked = asked.take();
    let mut state: ListState = ui.data(|data| data.get_temp(state_id(id))).unwrap_or_default();
    ui.input_mut(|input| {
        let none = Modifiers::NONE;
        if let Some(open) = &mut state.open {
            open.selected += input.count_and_consume_key(none, Key::ArrowDown);
            open.selected = open.selected.saturating_sub(input.count_and_consume_key(none, Key::ArrowUp));
            if input.consume_key(none, Key::Tab) || input.consume_key(none, Key::Enter) {
                keys.accept = Some(());
            }
            if input.consume_key(none, Key::Escape) {
                state.open = None;
                state.wanted = None;
            }
        }
        for event in &input.events {
            match event {
                Event::Text(text) | Event::Ime(ImeEvent::Commit(text)) => {
                    keys.typed = text.ends_with(is_in_word).then_some(());
                    keys.erased = None;
                }
                Event::Key { key: Key::Backspace, pressed: true, .. } => keys.erased = Some(()),
                Event::Paste(_) | Event::Cut => (keys.typed, keys.erased) = (None, None),
                _ => {}
            }
        }
    });
    ui.data_mut(|data| data.insert_temp(state_id(id), state));
    keys
}

fn is_in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '[' | '!' | '.')
}

/// The text field in this frame.
pub struct Field<'a> {
    /// The document whose text the field shows.
    pub document: &'a Document,
    /// The text, with this frame's typing.
    pub text: &'a str,
    pub output: &'a TextEditOutput,
    /// Byte offset of the caret.
    pub caret: usize,
}

/// Shows the list below the caret. It opens when the user types or asks for it, and stays open while the user
/// types the word.
pub fn show(
    ui: &egui::Ui,
    shown: &Field<'_>,
    keys: Keys,
    completions: &mut Completions,
    actions: &mut Vec<Action>,
) {
    let &Field { document, text, output, caret } = shown;
    let id = output.response.id;
    let mut state: ListState = ui.data(|data| data.get_temp(state_id(id))).unwrap_or_default();
    let before = state.open.take();
    let has_focus = output.response.has_focus();
    // A click on the list takes the focus from the text. The list stays open until the click is complete.
    let pointed = ui.ctx().pointer_interact_pos().and_then(|pos| ui.ctx().layer_id_at(pos));
    let pointed = pointed.is_some_and(|layer| layer.id == list_id(id));
    let range = output.cursor_range.or(output.state.cursor.char_range());
    let single = range.is_some_and(|range| range.is_empty());
    let changed = output.response.changed();
    let asked = before.as_ref().and_then(|open| open.made_for.asked);
    let stands =
        |made_for: &Wanted| !changed && made_for.revision == document.revision && made_for.caret == caret;
    let wanted = state.wanted.take().filter(|wanted| stands(wanted));
    if single && (has_focus || pointed) {
        state.wanted = if keys.asked.is_some() {
            Some(Wanted { asked: Some(()), revision: document.revision, caret })
        } else if changed && (keys.typed.is_some() || before.is_some() && keys.erased.is_some()) {
            // The document takes this change later and then has the next revision.
            Some(Wanted { asked, revision: document.revision + 1, caret })
        } else {
            wanted
        };
        state.open = before.filter(|open| state.wanted.is_none() && stands(&open.made_for));
    }
    if let Some(wanted) = state.wanted {
        let (bytes, text, part) = (text.len(), text.to_owned(), document.active_part());
        let find = move || useful(&text, part, wanted.caret, wanted.asked).into();
        if let Some(items) = completions.get(ui.ctx(), (document.text_id(), wanted), bytes, find) {
            state.wanted = None;
            let open = || Open { made_for: wanted, selected: 0, items: Arc::clone(items) };
            state.open = (!items.is_empty()).then(open);
        }
    }
    let mut accepted = None;
    if let Some(open) = &mut state.open {
        // Escape closes the list and must not also take the focus from the text.
        let filter =
            egui::EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        open.selected = open.selected.min(open.items.len().saturating_sub(1));
        accepted = keys.accept.map(|()| open.selected);
        if let Some(range) = range {
            let below = output.galley.pos_from_cursor(range.primary).left_bottom();
            let pos = output.galley_pos + below.to_vec2() + vec2(0.0, 4.0);
            accepted = accepted.or(list(ui, id, pos, &open.items, open.selected));
        }
        if let Some(item) = accepted.and_then(|index| open.items.get(index)) {
            actions.push(Action::ReplaceText(vec![(item.replace, item.label.clone())]));
            ui.memory_mut(|memory| memory.request_focus(id));
        }
    }
    if accepted.is_some() {
        state.open = None;
    }
    ui.data_mut(|data| data.insert_temp(state_id(id), state));
}

/// Returns the completions at `caret` that would change the text.
fn useful(text: &str, part: Part, caret: usize, asked: Option<()>) -> Vec<ide::Completion> {
    let mut items = match part {
        Part::Program(_) => ide::completions(text.as_bytes(), caret),
        Part::Scene => schema::completions(text, caret),
    };
    let word = |span: Span| text.get(span.start..span.end).unwrap_or_default();
    if items.iter().any(|item| word(item.replace) == item.label) && asked.is_none() {
        return Vec::new();
    }
    // After a point or a bracket few names are valid, so the list shows them all before anything is typed.
    let opens = asked.is_some() || text[..caret].ends_with(['.', '[']);
    items.retain(|item| {
        let begun = text.get(item.replace.start..caret).unwrap_or_default();
        item.label.starts_with(begun) && (opens || !begun.is_empty()) && item.label != word(item.replace)
    });
    items
}

fn list(ui: &egui::Ui, id: Id, pos: egui::Pos2, items: &[ide::Completion], selected: usize) -> Option<usize> {
    let mut clicked = None;
    // The first visible item: the selected one must be visible.
    let first = (selected + 1).saturating_sub(SHOWN);
    egui::Area::new(list_id(id)).order(Order::Foreground).fixed_pos(pos).constrain(true).show(
        ui.ctx(),
        |ui| {
            egui::Frame::popup(ui.style()).inner_margin(4).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 1.0;
                let palette = theme::palette(ui);
                let width_of = |label: &str| {
                    let galley = ui.painter().layout_no_wrap(
                        label.to_owned(),
                        theme::value_font(),
                        palette.text_strong,
                    );
                    galley.size().x
                };
                // The details start in one column, after the longest label.
                let shown = items.iter().skip(first).take(SHOWN);
                let labels = shown.map(|item| width_of(&item.label)).fold(LABEL_WIDTH, f32::max);
                let width = labels + DETAIL_WIDTH;
                ui.set_width(width);
                for (index, item) in items.iter().enumerate().skip(first).take(SHOWN) {
                    let (rect, response) = ui.allocate_exact_size(vec2(width, 22.0), egui::Sense::click());
                    response.widget_info(|| {
                        egui::WidgetInfo::selected(
                            egui::Role::Button,
                            true,
                            index == selected,
                            item.label.as_str(),
                        )
                    });
                    widgets::row_ground(ui, rect, 4.0, (index == selected, response.hovered()));
                    ui.painter().text(
                        rect.left_center() + vec2(8.0, 0.0),
                        egui::Align2::LEFT_CENTER,
                        &item.label,
                        theme::value_font(),
                        palette.text_strong,
                    );
                    ui.painter().with_clip_rect(rect).text(
                        rect.left_center() + vec2(labels + 20.0, 0.0),
                        egui::Align2::LEFT_CENTER,
                        &item.detail,
                        theme::caption_font(),
                        palette.text_weak,
                    );
                    if response.clicked() {
                        clicked = Some(index);
                    }
                }
                if items.len() > SHOWN {
                    ui.label(theme::caption(ui, format!("{} of {}", selected + 1, items.len())));
                }
            });
        },
    );
    clicked
}
