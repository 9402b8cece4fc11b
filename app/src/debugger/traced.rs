//! The trace of a value: the list of steps, attributes, parameters and lookups that the value comes from or
//! reaches, and the entries of a register's menu that start a trace. The search is a background query in
//! [`crate::stepping`].

use super::values;
use crate::command::{Action, Command};
use crate::format::{self, ValueFormat, letters};
use crate::icons::Icon;
use crate::state::State;
use crate::stepping::background_query::{Listed, MOST_LISTED, Traced};
use crate::stepping::{DebugSession, Question, shown_name};
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::{Align, Layout, Ui, vec2};
use shadestep_engine::debug::Edit;
use shadestep_engine::debug::ancestry::{Goal, ValueAt, Way};
use shadestep_engine::debug::expression::Place;
use shadestep_engine::ir::{Attribute, Flags, ParamId, ParameterSource, Program};

/// Height of the list in points, and its largest share of the panel.
const LIST: f32 = 118.0;
const SHARE: f32 = 0.3;
/// Height of a line of the list, in points.
const LINE: f32 = 18.0;

/// Makes the action of a question about a component, 0 = x.
type Ask = Box<dyn Fn(u8) -> Action>;

/// Entries of a register's menu: one button for each component and question.
pub fn menu(ui: &mut Ui, (name, place): (&str, Place), position: usize, actions: &mut Vec<Action>) {
    egui::Grid::new("questions").spacing(vec2(2.0, 2.0)).show(ui, |ui| {
        let value = move |component| ValueAt { position, place, component };
        let edit = move |component, bits: u8| Edit { position, place, component, bits: bits.into() };
        let mut questions: Vec<(String, Ask)> = vec![
            (
                "Where does it come from?".to_owned(),
                Box::new(move |c| Action::Query(Question::Origin(Goal::Value(value(c))))),
            ),
            ("What does it affect?".to_owned(), Box::new(move |c| Action::Query(Question::Reach(value(c))))),
        ];
        if let Place::Flags(_) = place {
            for code in [Flags::LT, Flags::EQ, Flags::GT, Flags::UN] {
                let words = format!("What if it were {}?", code.code());
                questions.push((words, Box::new(move |c| Action::Query(Question::Try(edit(c, code.0))))));
            }
        } else {
            let words = "What if\u{2026}".to_owned();
            questions.push((words, Box::new(move |c| Action::EditValue(Some(edit(c, 0))))));
        }
        for (words, action) in questions {
            let said = format!("{words} {name}");
            values::buttons(ui, (&words, &said), action, actions);
        }
    });
}

/// Shows the trace, if there is one.
pub fn show(ui: &mut Ui, state: &State, session: &DebugSession, actions: &mut Vec<Action>) {
    let (Some(traced), Some(program)) = (session.traced(), session.program()) else { return };
    widgets::hairline(ui);
    super::frame(ui, 4, |ui| {
        ui.horizontal(|ui| {
            ui.add_space(4.0);
            let title = title(traced, session, program);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let hint = Command::CloseTrace.info().hint;
                widgets::icon_button(ui, Icon::Close, hint, true).on_click(Command::CloseTrace, actions);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let text = egui::RichText::new(title).font(theme::strong_font(12.5));
                    ui.add(egui::Label::new(text).truncate());
                });
            });
        });
        let format = state.settings.format;
        let (first, last) = (first_lines(traced, session, program, format), last_line(traced));
        let steps = first.len()..first.len() + traced.listed.len();
        let count = steps.end + usize::from(last.is_some());
        let most = (ui.available_height() * SHARE).clamp(2.0 * LINE, LIST);
        let height = (count as f32 * LINE).min(most);
        let scroll =
            egui::ScrollArea::vertical().id_salt("traced").max_height(height).auto_shrink([false, true]);
        ui.spacing_mut().item_spacing.y = 0.0;
        scroll.show_rows(ui, LINE, count, |ui, shown| {
            for number in shown {
                let step = number.checked_sub(steps.start).and_then(|step| traced.listed.get(step));
                let step = step.map(|listed| step_line(traced, listed, (session, program), format));
                if let Some(line) = step.as_ref().or(first.get(number)).or(last.as_ref()) {
                    line_of(ui, line, session, actions);
                }
            }
        });
    });
}

fn title(traced: &Traced, session: &DebugSession, program: &Program) -> String {
    let value = |value: ValueAt| {
        let name =
            format!("{}.{}", shown_name(program, session.text(), value.place), letters(1 << value.component));
        match value.place {
            Place::Attribute(_) | Place::Param(_) => name,
            Place::Temp(_) | Place::Output(_) | Place::Flags(_) => {
                format!("{name} before step {}", value.position)
            }
        }
    };
    match traced.question {
        Question::Origin(Goal::Result) => "Where the result comes from".to_owned(),
        Question::Origin(Goal::Value(at)) => format!("Where {} comes from", value(at)),
        Question::Reach(at) if traced.ancestry.reaches_result => {
            format!("Effects of {}, including the result", value(at))
        }
        Question::Reach(at) => format!("Effects of {}, not including the result", value(at)),
        Question::Try(_) | Question::Rewrite { .. } => String::new(),
    }
}

struct Line {
    /// The step that a click leads to.
    position: Option<usize>,
    /// The text before the values.
    head: String,
    words: String,
}

/// The lines above the steps: attributes and parameters or outputs, memory, and lines of neighbouring pixels.
fn first_lines(traced: &Traced, session: &DebugSession, program: &Program, values: ValueFormat) -> Vec<Line> {
    let ancestry = &traced.ancestry;
    let mut lines = Vec::new();
    let mut add = |head: &str, words: Vec<String>| {
        if !words.is_empty() {
            lines.push(Line { position: None, head: head.to_owned(), words: words.join(", ") });
        }
    };
    let place = |(place, mask): (Place, u8)| {
        format!("{}.{}", shown_name(program, session.text(), place), letters(mask))
    };
    let attribute = |&(attribute, mask): &(Attribute, u8)| place((Place::Attribute(attribute), mask));
    let parameter = |&(id, mask): &(ParamId, u8)| match &program.parameters[usize::from(id.0)].source {
        ParameterSource::Constant(constant) => {
            let components = (0..4).filter(|c| mask >> c & 1 != 0);
            let shown: Vec<String> = components.map(|c| values.show(constant.bits[c], constant.ty)).collect();
            format!("{{{}}}", shown.join(" "))
        }
        _ => place((Place::Param(id), mask)),
    };
    if ancestry.way == Way::Forward {
        add("Outputs", ancestry.outputs.iter().map(|&(id, mask)| place((Place::Output(id), mask))).collect());
    } else {
        add("Attributes", ancestry.attributes.iter().map(attribute).collect());
        add("Parameters", ancestry.parameters.iter().map(parameter).collect());
    }
    let bytes: u64 = ancestry.memory.iter().map(|(_, range)| range.end - range.start).sum();
    add(
        "Memory",
        (bytes > 0)
            .then(|| format!("{} written before this run", format::grouped(bytes as usize, "byte")))
            .into_iter()
            .collect(),
    );
    let others = ancestry.neighbour_pcs.iter().filter_map(|&pc| session.line_of(pc));
    let mut others: Vec<usize> = others.map(|line| line + 1).collect();
    others.dedup();
    let shown: Vec<String> = others.iter().take(12).map(ToString::to_string).collect();
    let more = if others.len() > 12 { ", \u{2026}" } else { "" };
    let unit = format::plural(others.len() as u64, "line");
    add(
        "Neighbours",
        (!shown.is_empty()).then(|| format!("{unit} {}{more}", shown.join(", "))).into_iter().collect(),
    );
    if lines.is_empty() && traced.listed.is_empty() {
        let words = match ancestry.way {
            Way::Backward => "No step wrote it: this is the register's initial value",
            Way::Forward => "No later step reads this value",
        };
        lines.push(Line { position: None, head: String::new(), words: words.to_owned() });
    }
    lines
}

/// The line of a step.
fn step_line(
    traced: &Traced,
    listed: &Listed,
    (session, program): (&DebugSession, &Program),
    values: ValueFormat,
) -> Line {
    let part = traced.ancestry.part(listed.position);
    let line = session.line_of(listed.pc).map_or("deleted".to_owned(), |line| format!("line {}", line + 1));
    let mut words = vec![values_of(listed, (session, program), values)];
    for (is, what) in [
        (part.is_some_and(|part| part.looks_up), "texture lookup"),
        (part.is_some_and(|part| part.stores), "stores"),
        (part.is_some_and(|part| part.decides), "chose the path"),
    ] {
        words.extend(is.then(|| what.to_owned()));
    }
    words.retain(|word| !word.is_empty());
    let head = format!("{}  {line}", listed.position);
    Line { position: Some(listed.position), head, words: words.join(", ") }
}

/// The line below the steps with the number of steps not listed, if any.
fn last_line(traced: &Traced) -> Option<Line> {
    let more = traced.ancestry.parts.len().checked_sub(MOST_LISTED).filter(|more| *more > 0)?;
    let words = format!("{} more steps", format::count(more as u64));
    Some(Line { position: None, head: String::new(), words })
}

/// Registers with the values that a step wrote, such as `R0.xy 0.5 1`.
fn values_of(listed: &Listed, (session, program): (&DebugSession, &Program), format: ValueFormat) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut last = None;
    for &(place, _, value) in &listed.values {
        if last != Some(place) {
            let mask = listed.values.iter().filter(|(other, ..)| *other == place);
            let mask = mask.fold(0, |mask, (_, component, _)| mask | 1 << component);
            words.push(format!("{}.{}", shown_name(program, session.text(), place), letters(mask)));
            last = Some(place);
        }
        words.extend(value.map(|(bits, ty)| format.show_within(bits, ty, 10)));
    }
    words.join(" ")
}

fn line_of(ui: &mut Ui, line: &Line, session: &DebugSession, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let sense = if line.position.is_some() { egui::Sense::click() } else { egui::Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), sense);
    response.widget_info(|| {
        let label = format!("{} {}", line.head, line.words);
        let role = if line.position.is_some() { egui::Role::Button } else { egui::Role::Label };
        egui::WidgetInfo::labeled(role, true, label.trim())
    });
    if line.position == Some(session.position()) {
        ui.painter().rect_filled(rect, 3.0, palette.accent_wash);
    } else if line.position.is_some() && response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised_hover);
    }
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let left = rect.left_center() + vec2(4.0, 0.0);
    painter.text(left, egui::Align2::LEFT_CENTER, &line.head, theme::caption_font(), palette.text_weak);
    let at = left + vec2(96.0, 0.0);
    painter.text(at, egui::Align2::LEFT_CENTER, &line.words, theme::table_font(), palette.text);
    if let Some(position) = line.position
        && response.on_hover_text("Go to this step").clicked()
    {
        actions.push(Action::Seek(position));
    }
}
