//! The Watches panel shows each watched expression with its value at the current position, before the last
//! step and over the whole run. Below are the breakpoints of the scene's programs. Values come from
//! [`crate::stepping`].

use super::sparkline;
use super::values::single_of;
use crate::command::Action;
use crate::format::{self, ValueFormat};
use crate::icons::Icon;
use crate::model::{Breakpoint, Document, Part, TextFile, TextId};
use crate::state::State;
use crate::stepping::{DebugSession, Definedness, Reading, Watch};
use crate::theme::{self, Palette};
use crate::widgets::breakpoint_form::hit_words;
use crate::widgets::expression_field::{self, Field};
use crate::widgets::{self, OnClick as _};
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Color32, Id, Layout, Rect, Sense, Ui, vec2};
use shadestep_engine::debug::expression::{Component, Number};
use shadestep_engine::ir::Type;
use shadestep_engine::source::Span;

/// Height of a watch, in points.
const ROW: f32 = 40.0;
/// Height of a watch with its value on a separate line, in points.
const NARROW_ROW: f32 = 46.0;
/// Width, in points, below which values are on a separate line.
const NARROW: f32 = 480.0;
/// Height of a breakpoint's line, in points.
const LINE: f32 = 24.0;
/// Width of a swatch before a value, in points.
const SWATCH: f32 = 18.0;
/// Width of a character of a value, in points, rounded up.
const CHARACTER: f32 = 6.4;
/// Minimum number of characters for a shortened number.
const FEWEST_CHARACTERS: usize = 6;
/// Width of the button at the start of a row, in points.
const GRIP: f32 = 20.0;

/// The text typed into the panel.
#[derive(Debug, Default)]
pub struct WatchTable {
    /// The text of a new watch.
    added: String,
    /// The watch being edited, by index, with its text.
    edited: Option<(usize, String)>,
    /// Requests the keyboard focus for the field of a new watch.
    focus: Option<()>,
}

impl WatchTable {
    /// Moves the keyboard focus to the field for a new watch.
    pub fn add(&mut self) {
        self.focus = Some(());
    }
}

pub fn show(ui: &mut Ui, state: &State, own: &mut WatchTable, actions: &mut Vec<Action>) {
    let Some(document) = state.document() else { return };
    let scroll = egui::ScrollArea::vertical().id_salt("watches").auto_shrink(false);
    scroll.show(ui, |ui| {
        egui::Frame::new().inner_margin(egui::Margin::symmetric(9, 6)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            watches(ui, (state, document), own, actions);
            ui.add_space(8.0);
            breakpoints(ui, state, document, actions);
        });
    });
}

/// The watches and a field for a new one.
fn watches(
    ui: &mut Ui,
    (state, document): (&State, &Document),
    own: &mut WatchTable,
    actions: &mut Vec<Action>,
) {
    super::values::heading(ui, "Watches");
    let session = state.stepping.session.as_ref();
    let program = session.and_then(DebugSession::program);
    for (index, text) in document.watches.iter().enumerate() {
        if let Some((edited, typed)) = &mut own.edited
            && *edited == index
        {
            let field = Field { name: "Edit watch", hint: text, program, note: "Enter saves, Esc cancels" };
            let id = Id::unique("changed watch");
            let done = expression_field::show(ui, id, typed, &field);
            let given_up = ui.input(|input| input.key_pressed(egui::Key::Escape));
            if done.entered && !typed.trim().is_empty() {
                let mut all = document.watches.clone();
                typed.trim().clone_into(&mut all[index]);
                actions.push(Action::SetWatches(all));
            }
            if done.entered || given_up || done.response.lost_focus() {
                own.edited = None;
            }
            continue;
        }
        let watch = state.stepping.watched.watches().get(index).filter(|watch| watch.text == *text);
        row(ui, (state, document), (index, watch), own, actions);
    }
    let note = match program {
        Some(_) => "",
        None => "Values appear while you debug",
    };
    let field = Field { name: "Add watch", hint: "Add a watch, such as R0.xyz or R1.x > 0.5", program, note };
    let id = Id::unique("added watch");
    let done = expression_field::show(ui, id, &mut own.added, &field);
    if own.focus.take().is_some() {
        done.response.request_focus();
    }
    if done.entered && !own.added.trim().is_empty() {
        let mut all = document.watches.clone();
        all.push(own.added.trim().to_owned());
        own.added.clear();
        actions.push(Action::SetWatches(all));
        done.response.request_focus();
    }
}

/// A watch: its expression above its value, its graph, a menu and a button to remove it.
fn row(
    ui: &mut Ui,
    (state, document): (&State, &Document),
    (index, watch): (usize, Option<&Watch>),
    own: &mut WatchTable,
    actions: &mut Vec<Action>,
) {
    let palette = theme::palette(ui);
    let text = &document.watches[index];
    let places = Places::of(ui.available_width());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), places.height), Sense::click());
    let at = |place: Rect| place.translate(rect.min.to_vec2());
    let grip = ui.interact(at(places.grip), response.id.with("grip"), Sense::click());
    grip.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Menu for {text}")));
    let color = if grip.hovered() { palette.text_strong } else { palette.text_faint };
    Icon::Grip.paint(ui.painter(), grip.rect, 14.0, color);
    egui::Popup::menu(&grip).show(|ui: &mut Ui| menu(ui, document, index, own, actions));
    let value = at(places.value);
    let mut job = value_job(ui, state, watch, (value.width() - SWATCH) / CHARACTER);
    let spoken = |ui: &Ui| format!("Watch {text}: {}", value_job(ui, state, watch, f32::INFINITY).text);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, spoken(ui)));
    let mut name = LayoutJob::simple_singleline(text.clone(), theme::value_font(), palette.text_strong);
    name.wrap = egui::text::TextWrapping::truncate_at_width(places.name.width());
    let name = ui.painter().layout_job(name);
    let middle = at(places.name).left_center() - vec2(0.0, name.size().y / 2.0);
    ui.painter().galley(middle, name, palette.text);
    let mut left = value.left();
    if let Some(color) = watch.and_then(|watch| color_of(watch.now.as_ref()?)) {
        let center = egui::pos2(left + 6.5, value.center().y);
        let swatch = Rect::from_center_size(center, vec2(13.0, 13.0));
        widgets::paint_swatch(ui.painter(), swatch, color, palette);
        left += SWATCH;
    }
    job.wrap = egui::text::TextWrapping::truncate_at_width(value.right() - left);
    let job = ui.painter().layout_job(job);
    let middle = egui::pos2(left, value.center().y - job.size().y / 2.0);
    ui.painter().galley(middle, job, palette.text);
    let is_faulty = watch.is_some_and(|watch| watch.expression.is_err());
    let response = response.on_hover_ui(|ui| {
        let words = if is_faulty { spoken(ui) } else { "Double-click to edit".to_owned() };
        ui.label(words);
    });
    if response.double_clicked() {
        own.edited = Some((index, text.clone()));
    }
    let run = state.stepping.session.as_ref().map_or((0, 0), |session| (session.position(), session.len()));
    if watch.is_some() && !is_faulty {
        let id = response.id.with("graph");
        let to =
            sparkline::show(ui, (id, at(places.graph)), (text, state.stepping.watched.history(index)), run);
        actions.extend(to.map(Action::Seek));
    }
    let mut end = ui.new_child(egui::UiBuilder::new().max_rect(at(places.close)));
    if widgets::icon_button(&mut end, Icon::Close, &format!("Remove watch {text}"), true).clicked() {
        let mut all = document.watches.clone();
        all.remove(index);
        actions.push(Action::SetWatches(all));
    }
}

/// The layout of a watch, relative to its upper left corner.
struct Places {
    height: f32,
    grip: Rect,
    name: Rect,
    value: Rect,
    graph: Rect,
    close: Rect,
}

impl Places {
    /// In a wide row the graph is beside name and value. In a narrow row the value has a separate line.
    fn of(width: f32) -> Self {
        let is_narrow = width < NARROW;
        let height = if is_narrow { NARROW_ROW } else { ROW };
        let close = Rect::from_min_size(
            egui::pos2(width - theme::ICON_BUTTON, 0.0),
            vec2(theme::ICON_BUTTON, height),
        );
        let share = if is_narrow { 0.3 } else { 0.34 };
        let graph_width = (width * share).clamp(60.0, 240.0) + sparkline::LABELS;
        let graph_left = close.left() - 4.0 - graph_width;
        let upper = if is_narrow { 26.0 } else { 20.0 };
        let graph_bottom = if is_narrow { upper } else { height - 3.0 };
        let text = GRIP + 4.0;
        let value_right = if is_narrow { width } else { graph_left - 8.0 };
        let rect = |left: f32, top: f32, right: f32, bottom: f32| {
            Rect::from_min_max(egui::pos2(left, top), egui::pos2(right.max(left), bottom))
        };
        Self {
            height,
            grip: rect(0.0, 0.0, GRIP, height),
            name: rect(text, 1.0, graph_left - 8.0, upper),
            value: rect(text, upper, value_right, height - 1.0),
            graph: rect(graph_left, 3.0, graph_left + graph_width, graph_bottom),
            close: Rect::from_center_size(
                egui::pos2(close.center().x, if is_narrow { upper / 2.0 } else { height / 2.0 }),
                egui::Vec2::splat(theme::ICON_BUTTON),
            ),
        }
    }
}

fn menu(ui: &mut Ui, document: &Document, index: usize, own: &mut WatchTable, actions: &mut Vec<Action>) {
    let last = document.watches.len().saturating_sub(1);
    if ui.button("Edit").clicked() {
        own.edited = Some((index, document.watches[index].clone()));
    }
    for (label, enabled, other) in
        [("Move up", index > 0, index.wrapping_sub(1)), ("Move down", index < last, index + 1)]
    {
        if ui.add_enabled(enabled, egui::Button::new(label)).clicked() {
            let mut all = document.watches.clone();
            all.swap(index, other);
            actions.push(Action::SetWatches(all));
        }
    }
    if ui.button("Remove").clicked() {
        let mut all = document.watches.clone();
        all.remove(index);
        actions.push(Action::SetWatches(all));
    }
}

/// The text of each component of a value, with at most `width` characters where possible.
fn shown(reading: &Reading, format: ValueFormat, width: usize) -> Vec<(String, Look)> {
    match reading {
        Reading::Register(components) => registers(components, format, width),
        Reading::Numbers(numbers, defined) => {
            numbers.iter().map(|number| computed(*number, *defined, width)).collect()
        }
        Reading::Truth(truth, defined) => {
            let words = if *truth { "true" } else { "false" };
            vec![(words.to_owned(), Look::of(true, *defined))]
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Usual,
    NotFinite,
    Undefined,
}

impl Look {
    const fn of(is_finite: bool, defined: Definedness) -> Self {
        match (is_finite, defined) {
            (_, Definedness::Undefined) => Self::Undefined,
            (true, _) => Self::Usual,
            (false, _) => Self::NotFinite,
        }
    }
}

fn registers(components: &[Component], format: ValueFormat, width: usize) -> Vec<(String, Look)> {
    let show = |(bits, ty): (u64, Type)| (format.show_within(bits, ty, width), ty.value(bits).is_finite());
    let one = |component: &Component, value: Option<(u64, Type)>| {
        let (text, is_finite) = show(value?);
        Some(match component.defined {
            true => (text, Look::of(is_finite, Definedness::Defined)),
            false => ("undefined".to_owned(), Look::Undefined),
        })
    };
    if let [x, y, z, w] = components {
        let all = [x, y, z, w];
        let read = format.read(all.map(|c| c.bits), all.map(|c| c.ty));
        return all.into_iter().zip(read).filter_map(|(component, value)| one(component, value)).collect();
    }
    // Only a whole register can pair its components into doubles.
    let format = if format == ValueFormat::Doubles { ValueFormat::Typed } else { format };
    let read = |c: &Component| one(c, format.read([c.bits; 4], [c.ty; 4])[0]);
    components.iter().filter_map(read).collect()
}

fn computed(number: Number, defined: Definedness, width: usize) -> (String, Look) {
    let look = Look::of(number.as_float().is_finite(), defined);
    let text = match number {
        Number::Integer(whole) => whole.to_string(),
        Number::Float(value) => format::number_within(value, width),
    };
    (text, look)
}

/// The colour of a value with three or four components.
fn color_of(reading: &Reading) -> Option<Color32> {
    let value =
        |component: &Component| component.defined.then(|| single_of(component.ty.value(component.bits)));
    let values: Vec<f32> = match reading {
        Reading::Register(components) => components.iter().map(value).collect::<Option<_>>()?,
        Reading::Numbers(numbers, Definedness::Defined) => {
            numbers.iter().map(|number| number.as_float() as f32).collect()
        }
        Reading::Numbers(..) | Reading::Truth(..) => return None,
    };
    match values[..] {
        [r, g, b] | [r, g, b, _] => Some(widgets::color_of([r, g, b])),
        _ => None,
    }
}

/// The display format of the register in a watch.
fn format_of(state: &State, watch: &Watch) -> ValueFormat {
    let register = watch.expression.as_ref().ok().and_then(|expression| expression.register());
    state.format_of(register.map(|(place, _)| place))
}

/// The current value, and the value before the last step if it was different; or the reason why there is no
/// value. Numbers are shortened so that all components of the current value fit into `room` characters.
fn value_job(ui: &Ui, state: &State, watch: Option<&Watch>, room: f32) -> LayoutJob {
    let palette = theme::palette(ui);
    let mut job = LayoutJob::default();
    let Some(watch) = watch else { return job };
    let plain = |font, color| TextFormat::simple(font, color);
    if let Err(fault) = &watch.expression {
        job.append(&fault.message, 0.0, plain(theme::caption_font(), palette.error));
        return job;
    }
    let format = format_of(state, watch);
    let Some(now) = &watch.now else { return job };
    let count = match now {
        Reading::Register(components) => components.len(),
        Reading::Numbers(numbers, _) => numbers.len(),
        Reading::Truth(..) => 1,
    };
    let width = (room / count.max(1) as f32 - 2.0).max(FEWEST_CHARACTERS as f32) as usize;
    let now = shown(now, format, width);
    let before = watch.before.as_ref().map(|before| shown(before, format, width));
    for (index, (text, look)) in now.iter().enumerate() {
        let was = before.as_ref().and_then(|before| before.get(index));
        let changed = was.is_some_and(|was| was.0 != *text);
        let color = color_of_look(palette, *look, changed);
        let space = if index == 0 { "" } else { "  " };
        job.append(&format!("{space}{text}"), 0.0, plain(theme::table_font(), color));
    }
    if let Some(before) = before.filter(|before| *before != now) {
        let values: Vec<&str> = before.iter().map(|(text, _)| text.as_str()).collect();
        let words = format!("   was {}", values.join("  "));
        job.append(&words, 0.0, plain(theme::table_font(), palette.text_weak));
    }
    job
}

const fn color_of_look(palette: &Palette, look: Look, changed: bool) -> Color32 {
    match (look, changed) {
        (Look::Undefined, _) => palette.text_faint,
        (Look::NotFinite, _) => palette.non_finite,
        (Look::Usual, true) => palette.write,
        (Look::Usual, false) => palette.text_strong,
    }
}

/// The breakpoints of the scene's programs.
fn breakpoints(ui: &mut Ui, state: &State, document: &Document, actions: &mut Vec<Action>) {
    let with_some = || document.texts().filter(|(_, text)| !text.breakpoints.is_empty());
    let several = document.programs().count() > 1;
    ui.horizontal(|ui| {
        ui.label(theme::heading(ui, "Breakpoints").font(theme::strong_font(12.0)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let any = with_some().next().is_some();
            if ui.add_enabled(any, egui::Button::new("Remove all").small()).clicked() {
                for (part, text) in with_some() {
                    let id = TextId { document: document.id, part };
                    actions.extend(text.breakpoints.keys().map(|line| Action::RemoveBreakpoint(id, *line)));
                }
            }
        });
    });
    ui.add_space(2.0);
    if with_some().next().is_none() {
        ui.label(theme::caption(
            ui,
            "No breakpoints. Click left of a line to set one. Right-click it to add a condition.",
        ));
    }
    for (part, text) in with_some() {
        if several {
            ui.label(theme::caption(ui, part.to_string()));
        }
        let lines: Vec<&str> = text.text().split('\n').collect();
        for (line, breakpoint) in &text.breakpoints {
            let words = lines.get(*line).map_or("", |words| words.trim());
            breakpoint_row(ui, (state, document), (part, text), (*line, breakpoint, words), actions);
        }
    }
}

fn breakpoint_row(
    ui: &mut Ui,
    (state, document): (&State, &Document),
    (part, text): (Part, &TextFile),
    (line, breakpoint, words): (usize, &Breakpoint, &str),
    actions: &mut Vec<Action>,
) {
    let palette = theme::palette(ui);
    let id = TextId { document: document.id, part };
    let is_stepped = state.stepping.session.as_ref().and_then(DebugSession::text_id) == Some(id);
    let hits = state.stepping.watched.hits(line).filter(|_| is_stepped);
    ui.horizontal(|ui| {
        ui.set_height(LINE);
        ui.spacing_mut().item_spacing.x = 6.0;
        let mut enabled = breakpoint.enabled;
        let checkbox = ui.add(egui::Checkbox::without_text(&mut enabled));
        widgets::named(checkbox, &format!("Breakpoint on line {}", line + 1));
        if enabled != breakpoint.enabled {
            let changed = Breakpoint { enabled, ..breakpoint.clone() };
            actions.push(Action::SetBreakpoint(id, line, changed));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let remove = format!("Remove breakpoint on line {}", line + 1);
            widgets::icon_button(ui, Icon::Close, &remove, true)
                .on_click(Action::RemoveBreakpoint(id, line), actions);
            let edit = ui.add(egui::Button::new("Edit").small());
            if widgets::named(edit, &format!("Edit breakpoint on line {}", line + 1)).clicked() {
                actions.extend(there(text, part, line));
                actions.push(Action::EditBreakpoint(Some((id, line))));
            }
            if let Some(hits) = hits {
                let short = match (hits.held, hits.stopped) {
                    (held, stopped) if held == stopped => format!("{}×", format::short_count(held as u64)),
                    (held, stopped) => {
                        format!(
                            "stops {} of {}×",
                            format::short_count(stopped as u64),
                            format::short_count(held as u64)
                        )
                    }
                };
                ui.label(theme::caption(ui, short)).on_hover_text(hit_words(hits));
            }
            let (rect, response) =
                ui.allocate_exact_size(vec2(ui.available_width() - 4.0, LINE), Sense::click());
            let label = format!("Line {}: {words}", line + 1);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
            if response.hovered() {
                ui.painter().rect_filled(rect, 3.0, palette.raised);
            }
            let color = if breakpoint.enabled { palette.text_strong } else { palette.text_weak };
            let mut job = LayoutJob::default();
            let number = TextFormat::simple(theme::table_font(), palette.text_weak);
            job.append(&format!("{:>3}", line + 1), 0.0, number);
            job.append(words, 10.0, TextFormat::simple(theme::table_font(), color));
            job.wrap = egui::text::TextWrapping::truncate_at_width(rect.width());
            let galley = ui.painter().layout_job(job);
            let place = egui::pos2(rect.left() + 2.0, rect.center().y - galley.size().y / 2.0);
            ui.painter().galley(place, galley, color);
            if response.on_hover_text("Go to this line").clicked() {
                actions.extend(there(text, part, line));
            }
        });
    });
    let fault = state.stepping.watched.fault(part, line);
    let mut parts = Vec::new();
    if !breakpoint.condition.trim().is_empty() {
        parts.push(format!("when {}", breakpoint.condition.trim()));
    }
    let times = breakpoint.times.words();
    if !times.is_empty() {
        parts.push(times);
    }
    if parts.is_empty() {
        return;
    }
    ui.horizontal(|ui| {
        ui.add_space(48.0);
        let (words, color) = match fault {
            None => (parts.join(", "), palette.text_weak),
            Some(fault) => (format!("{}: never stops. {}", parts.join(", "), fault.message), palette.error),
        };
        ui.add(egui::Label::new(theme::caption(ui, words).color(color)).wrap());
    });
    ui.add_space(3.0);
}

/// Actions that show a line of a text.
fn there(text: &TextFile, part: Part, line: usize) -> [Action; 2] {
    let start: usize = text.text().split_inclusive('\n').take(line).map(str::len).sum();
    [Action::ShowText(part), Action::Jump(Span::at(start))]
}
