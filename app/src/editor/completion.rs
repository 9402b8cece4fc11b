//! The list of what could stand at the caret, while a word is typed.

use super::text;
use crate::command::Action;
use crate::model::Document;
use crate::theme;
use egui::text_edit::TextEditOutput;
use egui::{Id, Key, Order, vec2};
use shadestep_engine::ide;
use shadestep_engine::source::Span;

/// Most lines shown.
const SHOWN: usize = 8;

/// Room for labels, at least.
const LABEL_WIDTH: f32 = 76.0;
/// Room for details, with what is left free beside them.
const DETAIL_WIDTH: f32 = 224.0;

/// What the list did with the keys of this frame.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    accept: Option<()>,
}

#[derive(Clone, Debug, Default)]
struct State {
    open: bool,
    selected: usize,
    revision: u64,
    dismissed: u64,
}

fn state_id(id: Id) -> Id {
    id.with("completion")
}

/// Takes the keys that belong to an open list before the text field sees them.
pub fn before_text_field(ui: &egui::Ui, document: &Document, id: Id) -> Keys {
    let mut keys = Keys::default();
    let mut state: State = ui.data(|data| data.get_temp(state_id(id))).unwrap_or_default();
    if !state.open || !ui.memory(|memory| memory.has_focus(id)) {
        return keys;
    }
    ui.input_mut(|input| {
        let none = egui::Modifiers::NONE;
        state.selected += input.count_and_consume_key(none, Key::ArrowDown);
        state.selected = state.selected.saturating_sub(input.count_and_consume_key(none, Key::ArrowUp));
        if input.consume_key(none, Key::Tab) || input.consume_key(none, Key::Enter) {
            keys.accept = Some(());
        }
        if input.consume_key(none, Key::Escape) {
            state.dismissed = document.revision;
            state.open = false;
        }
    });
    ui.data_mut(|data| data.insert_temp(state_id(id), state));
    keys
}

/// The list under the caret, if a word is being typed there.
pub fn show(
    ui: &egui::Ui,
    document: &Document,
    output: &TextEditOutput,
    caret: usize,
    keys: Keys,
    actions: &mut Vec<Action>,
) {
    let id = output.response.id;
    let mut state: State = ui.data(|data| data.get_temp(state_id(id))).unwrap_or_default();
    if output.response.changed() {
        state.revision = document.revision + 1;
        state.selected = 0;
    }
    let typing = state.revision >= document.revision && document.revision != state.dismissed;
    let single = output.cursor_range.is_some_and(|range| range.is_empty());
    let at_word_end = document.active().text.as_bytes()[..caret.min(document.active().text.len())]
        .last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'[' | b'!' | b'.'));
    let items = if typing && single && at_word_end && output.response.has_focus() {
        useful(document, caret)
    } else {
        Vec::new()
    };
    state.open = !items.is_empty();
    if state.open {
        // Escape closes the list; it is not to take the keyboard away from the text as well.
        let filter =
            egui::EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    }
    state.selected = state.selected.min(items.len().saturating_sub(1));
    let mut accepted = (keys.accept.is_some() && state.open).then_some(state.selected);
    if state.open
        && let Some(range) = output.cursor_range
    {
        let below = output.galley.pos_from_cursor(range.primary).left_bottom();
        let pos = output.galley_pos + below.to_vec2() + vec2(0.0, 4.0);
        accepted = accepted.or(list(ui, id, pos, &items, state.selected));
    }
    if let Some(item) = accepted.and_then(|index| items.get(index)) {
        actions.push(Action::ReplaceText(vec![(item.replace, item.label.clone())]));
        let end = item.replace.start + item.label.len();
        let mut after = document.active().text.clone();
        if after.get(item.replace.start..item.replace.end).is_some() {
            after.replace_range(item.replace.start..item.replace.end, &item.label);
        }
        place_caret(ui.ctx(), id, &after, end);
        state = State::default();
    }
    ui.data_mut(|data| data.insert_temp(state_id(id), state));
}

fn place_caret(ctx: &egui::Context, id: Id, text: &str, byte: usize) {
    use egui::text::{CCursor, CCursorRange, CharIndex};
    let mut state = egui::text_edit::TextEditState::load(ctx, id).unwrap_or_default();
    let cursor = CCursor::new(CharIndex(text::char_of_byte(text, byte)));
    state.cursor.set_char_range(Some(CCursorRange::one(cursor)));
    state.store(ctx, id);
}

/// The completions at `caret` that would change something.
fn useful(document: &Document, caret: usize) -> Vec<ide::Completion> {
    let mut items = ide::completions(document.active().text.as_bytes(), caret);
    let typed = |span: Span| document.active().text.get(span.start..span.end).unwrap_or_default().to_owned();
    if items.iter().any(|item| typed(item.replace) == item.label) {
        return Vec::new();
    }
    // Behind a point or bracket only so much fits that all of it can be shown before anything is typed.
    let behind = document.active().text.as_bytes().get(caret.wrapping_sub(1)).copied();
    let opens = matches!(behind, Some(b'.' | b'['));
    let begun = |span: Span| opens || span.start < span.end;
    items.retain(|item| item.label.starts_with(&typed(item.replace)) && begun(item.replace));
    items.truncate(SHOWN);
    items
}

fn list(ui: &egui::Ui, id: Id, pos: egui::Pos2, items: &[ide::Completion], selected: usize) -> Option<usize> {
    let mut clicked = None;
    egui::Area::new(id.with("completion list")).order(Order::Foreground).fixed_pos(pos).constrain(true).show(
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
                // Details line up behind the longest label.
                let labels = items.iter().map(|item| width_of(&item.label)).fold(LABEL_WIDTH, f32::max);
                let width = labels + DETAIL_WIDTH;
                ui.set_width(width);
                for (index, item) in items.iter().enumerate() {
                    let (rect, response) = ui.allocate_exact_size(vec2(width, 22.0), egui::Sense::click());
                    response.widget_info(|| {
                        egui::WidgetInfo::selected(
                            egui::Role::Button,
                            true,
                            index == selected,
                            item.label.as_str(),
                        )
                    });
                    if index == selected || response.hovered() {
                        ui.painter().rect_filled(rect, 4.0, palette.accent_wash);
                    }
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
            });
        },
    );
    clicked
}
