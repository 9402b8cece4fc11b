//! The Learn panel: samples with their READMEs, lessons, and the instruction reference.

mod lessons;
mod reference;
mod samples;
mod thumbnails;

use crate::command::Action;
use crate::model::{Part, TextId};
use crate::scene::Folder;
use crate::state::State;
use crate::widgets;
use egui::{EventFilter, Key, Modifiers, Rect, Stroke, Ui};
use egui_commonmark::CommonMarkCache;
use shadestep_engine::front::language_with_options;
use shadestep_engine::isa::{Language, Opcode};

/// Width of the list on the left, in points. Wide panels give the list a third of their width, so that titles
/// fit.
fn list_width(panel: f32) -> f32 {
    236.0_f32.clamp(panel * 0.34, panel * 0.4)
}

/// Width of the panel below which the list is above the page, in points.
const NARROW: f32 = 460.0;
/// Height of the strip with the sections, in points.
const SECTIONS_HEIGHT: f32 = 44.0;
/// Height of a list item, in points.
const ROW_HEIGHT: f32 = 26.0;

/// The visible section of the panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Section {
    #[default]
    Samples,
    Lessons,
    Reference,
}

/// The visible file of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum File {
    #[default]
    Readme,
    Scene,
}

/// State of the panel. No other part of the app reads the choices, so they are not actions.
#[derive(Default)]
pub struct Learn {
    section: Section,
    sample: usize,
    lessons: lessons::Choice,
    file: File,
    opcode: Option<Opcode>,
    /// The reference page shown last.
    page: Option<reference::ShownPage>,
    query: String,
    /// Query in the samples' search field.
    sample_query: String,
    /// Searchable text of each sample.
    sample_words: Vec<String>,
    /// Language of the listed instructions; `None` for all languages.
    language: Option<Language>,
    /// The program whose language the list selected last.
    followed_program: Option<(TextId, Language)>,
    markdown: CommonMarkCache,
    readme: Option<samples::ShownReadme>,
    thumbnails: thumbnails::Thumbnails,
    /// Set if the list has to scroll to the chosen instruction.
    reveal: Option<()>,
    /// Set if the list has to scroll to the chosen sample.
    reveal_sample: Option<()>,
    /// The open sample that the list selected last.
    followed: Option<Folder>,
}

impl Learn {
    /// Shows the reference page of `opcode`.
    pub fn show_reference(&mut self, opcode: Opcode) {
        self.section = Section::Reference;
        self.opcode = Some(opcode);
        self.query.clear();
        // Makes the list select the document's language again, which has the instruction.
        self.followed_program = None;
        self.reveal = Some(());
    }

    pub fn show_lessons(&mut self) {
        self.section = Section::Lessons;
    }

    /// Lists the instructions of the language of `program`, the active one. The list changes only when
    /// another program or language becomes active, so a language that the user chose stays until then.
    fn follow(&mut self, program: Option<(TextId, Language)>) {
        if let Some((_, language)) = program
            && program != self.followed_program
        {
            self.language = Some(language);
            self.followed_program = program;
        }
    }
}

pub fn show(ui: &mut Ui, state: &State, choice: &mut Learn, actions: &mut Vec<Action>) {
    choice.follow(state.document().and_then(|document| {
        let language = language_with_options(document.programs().front().text().as_bytes())?;
        Some((TextId { document: document.id, part: Part::Program(document.active_slot()) }, language))
    }));
    if choice.lessons.follow(state) {
        choice.section = Section::Lessons;
    }
    let whole = ui.available_rect_before_wrap();
    let line = Stroke::new(1.0, crate::theme::palette(ui).line);
    let (strip, area) = whole.split_top_bottom_at_y(whole.top() + SECTIONS_HEIGHT);
    part(ui, strip, "learn sections", |ui| {
        egui::Frame::new().inner_margin(egui::Margin { left: 10, right: 10, top: 8, bottom: 6 }).show(
            ui,
            |ui| {
                let sections = [
                    (Section::Samples, "Samples", ""),
                    (Section::Lessons, "Lessons", ""),
                    (Section::Reference, "Instructions", ""),
                ];
                if let Some(section) = widgets::segmented(ui, choice.section, &sections) {
                    choice.section = section;
                }
            },
        );
    });
    ui.painter().hline(strip.x_range(), strip.bottom(), line);
    let (list, page) = if area.width() < NARROW {
        let share = if choice.section == Section::Lessons { 0.34 } else { 0.5 };
        let (list, page) = area.split_top_bottom_at_y(area.top() + area.height() * share);
        ui.painter().hline(page.x_range(), page.top(), line);
        (list, page)
    } else {
        let (list, page) = area.split_left_right_at_x(area.left() + list_width(area.width()));
        ui.painter().vline(page.left(), page.y_range(), line);
        (list, page)
    };
    part(ui, list, "learn list", |ui| {
        ui.add_space(6.0);
        match choice.section {
            Section::Samples => samples::list(ui, state, choice, actions),
            Section::Lessons => lessons::list(ui, state, &mut choice.lessons, actions),
            Section::Reference => reference::list(ui, choice),
        }
    });
    part(ui, page, "learn page", |ui| match choice.section {
        Section::Samples => samples::page(ui, choice, actions),
        Section::Lessons => lessons::page(ui, state, choice, actions),
        Section::Reference => reference::page(ui, choice, actions),
    });
    ui.advance_cursor_after_rect(whole);
}

fn part(ui: &mut Ui, rect: Rect, salt: &str, add: impl FnOnce(&mut Ui)) {
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt(salt));
    inner.shrink_clip_rect(rect);
    inner.spacing_mut().item_spacing.y = 0.0;
    add(&mut inner);
}

/// A card with selectable program text or formulas.
fn card(ui: &mut Ui, text: impl Into<egui::WidgetText>) {
    crate::theme::card_frame(ui).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.add(egui::Label::new(text).wrap().selectable(true));
    });
}

/// Keys that a search field passes to the list below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ListKeys {
    /// Number of items to move down; negative to move up.
    steps: isize,
    /// True if the user pressed Enter.
    entered: bool,
}

impl ListKeys {
    /// Returns the item reached from `chosen` among `count` items. Without a chosen item, the first.
    fn moved(self, chosen: Option<usize>, count: usize) -> Option<usize> {
        let last = count.checked_sub(1)?;
        Some(chosen.map_or(0, |chosen| chosen.saturating_add_signed(self.steps).min(last)))
    }
}

/// A search field above a list. Escape clears the field. The list gets the arrow keys and Enter.
fn search_field(ui: &mut Ui, query: &mut String, (salt, name): (&str, &str)) -> ListKeys {
    let id = ui.scope_id().with(salt);
    let mut keys = ListKeys::default();
    if ui.memory(|memory| memory.has_focus(id)) {
        ui.input_mut(|input| {
            let down = input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown);
            let up = input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp);
            keys.steps = down as isize - up as isize;
            keys.entered = input.consume_key(Modifiers::NONE, Key::Enter);
            if !query.is_empty() && input.consume_key(Modifiers::NONE, Key::Escape) {
                query.clear();
            }
        });
    }
    let field = egui::TextEdit::singleline(query).hint_text("Search").desired_width(f32::INFINITY).id(id);
    let response = widgets::named(ui.add(field), name);
    if response.has_focus() {
        // While there is text, the field keeps the focus on Escape, which clears the text.
        let filter = EventFilter {
            horizontal_arrows: true,
            vertical_arrows: true,
            escape: !query.is_empty(),
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    }
    keys
}

/// Shows that no list item matches the query.
fn no_hits(ui: &mut Ui, what: &str, query: &str) {
    ui.add_space(10.0);
    let words = format!("No {what} matches “{}”", query.trim());
    ui.vertical_centered(|ui| ui.label(crate::theme::caption(ui, words)));
}

/// A heading between list items.
fn list_heading(ui: &mut Ui, title: &str) {
    let size = egui::vec2(ui.available_width(), ROW_HEIGHT + 4.0);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, title));
    let place = rect.left_bottom() + egui::vec2(14.0, -5.0);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let color = crate::theme::palette(ui).text_weak;
    painter.text(place, egui::Align2::LEFT_BOTTOM, title, crate::theme::caption_font(), color);
}

/// Content of a list item besides its title.
#[derive(Default)]
struct Row<'a> {
    /// A short text at the right end.
    aside: &'a str,
    /// Text that follows the title for screen readers only.
    spoken: &'a str,
    /// Side of a square picture at the left, in points; 0 for none. The caller paints the picture into
    /// [`picture_in`].
    picture: f32,
}

/// The place of the picture in a list item at `rect`.
fn picture_in(rect: Rect, side: f32) -> Rect {
    Rect::from_center_size(
        egui::pos2(rect.left() + 12.0 + side / 2.0, rect.center().y),
        egui::Vec2::splat(side),
    )
}

/// Shows a list item.
fn list_row(ui: &mut Ui, selected: bool, title: &str, row: &Row<'_>) -> egui::Response {
    let palette = crate::theme::palette(ui);
    let Row { aside, spoken, picture } = *row;
    let size = egui::vec2(ui.available_width(), ROW_HEIGHT.max(picture + 6.0));
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click());
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::Button, true, selected, format!("{title}{spoken}"))
    });
    let inner = rect.shrink2(egui::vec2(6.0, 1.0));
    widgets::row_ground(ui, inner, 4.0, (selected, response.hovered()));
    let color = if selected { palette.text_strong } else { palette.text };
    let font = egui::TextStyle::Body.resolve(ui.style());
    let aside_width = if aside.is_empty() { 0.0 } else { 40.0 };
    let left = if picture > 0.0 { picture_in(rect, picture).right() + 10.0 } else { inner.left() + 8.0 };
    let mut job = egui::text::LayoutJob::simple_singleline(title.to_owned(), font, color);
    job.wrap =
        egui::text::TextWrapping::truncate_at_width((inner.right() - 8.0 - aside_width - left).max(16.0));
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let pos = egui::pos2(left, inner.center().y - galley.size().y / 2.0);
    ui.painter().galley(pos, galley, color);
    if !aside.is_empty() {
        ui.painter().text(
            egui::pos2(inner.right() - 8.0, inner.center().y),
            egui::Align2::RIGHT_CENTER,
            aside,
            crate::theme::caption_font(),
            palette.text_faint,
        );
    }
    response
}
