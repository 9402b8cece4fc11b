//! The debugger panel steps through the run of a fragment, a vertex, a primitive or a state program, and
//! shows every register and every stage of the current instruction. The tables of vertices and watches and
//! the comparison of two runs are panels of their own here. The runs themselves are in [`crate::stepping`].

mod compare;
mod current_step;
mod emitted;
mod flow;
mod history;
mod lanes;
mod lookup;
mod patch;
mod registers;
mod samples;
mod sections;
mod sparkline;
mod traced;
mod values;
mod vertices;
mod watches;
mod whatif;

pub use compare::show as show_comparison;
pub use vertices::{Filter, VertexTable, show as show_vertices};
pub use watches::{WatchTable, show as show_watches};

use crate::command::{Action, Command};
use crate::format::{self, ValueFormat};
use crate::icons::Icon;
use crate::scene::Slot;
use crate::session::{Agreement, Fragments, PixelStatus};
use crate::state::State;
use crate::stepping::{DebugSession, TextAge, verdict};
use crate::theme;
use crate::widgets::menu::command_button;
use crate::widgets::text_fields::text_edit_id;
use crate::widgets::{self, OnClick as _};
use egui::{Align, Layout, Rect, Sense, Stroke, vec2};
use shadestep_engine::debug::Ended;
use shadestep_engine::debug::Subject;
use shadestep_engine::ir::{Components, Type, single_bits};

/// Minimum width, in points, for registers and stages side by side when the panel is lower than `TALL`.
const SIDE_BY_SIDE: f32 = 520.0;
/// Minimum height, in points, for registers above the stages.
const TALL: f32 = 420.0;
/// Largest share of the height for the registers above the stages.
const REGISTERS_SHARE: f32 = 0.56;
/// Space to the left and right of a column, in points.
const COLUMN_MARGIN: i8 = 9;
/// Below this height, in points, everything but the buttons scrolls.
const LOW: f32 = 240.0;
/// Width of the menu that replaces the format switch in a narrow panel, in points.
const FORMAT_MENU: f32 = 84.0;
const STEPS: [Command; 9] = [
    Command::ToStart,
    Command::PreviousBreakpoint,
    Command::StepBack,
    Command::StepForward,
    Command::StepOver,
    Command::StepOut,
    Command::NextBreakpoint,
    Command::ToEnd,
    Command::ToCursor,
];

pub fn show(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let Some(session) = &state.stepping.session else {
        let (title, words) = match state.pending.record {
            Some((_, subject, _)) => ("Recording…", subject.to_string()),
            None => (
                "Nothing picked",
                "Click a pixel of the picture, or a vertex, to record its run. Then step through it, forwards and \
                 backwards."
                    .to_owned(),
            ),
        };
        widgets::empty_state(ui, Icon::Target, title, &words);
        return;
    };
    let all = ui.available_rect_before_wrap();
    frame(ui, 5, |ui| buttons(ui, state, session, actions));
    if all.height() < LOW {
        let area = ui.available_rect_before_wrap();
        column(ui, area, "low", |ui| {
            about(ui, state, session, actions);
            if session.recording().is_some() {
                let format = state.settings.format;
                let formats = registers::Formats::of(state, session, ui.available_width());
                current_step::lead(ui, session, format, actions);
                registers::condition_codes(ui, session, formats.at, actions);
                flow::under_way(ui, session);
                registers::show(ui, session, formats, actions);
                current_step::detail(ui, session, (format, &state.settings.folded), actions);
            } else {
                nothing_ran(ui, session);
            }
        });
        ui.advance_cursor_after_rect(area);
        return;
    }
    frame(ui, 0, |ui| about(ui, state, session, actions));
    widgets::hairline(ui);
    if session.recording().is_none() {
        return nothing_ran(ui, session);
    }
    let area = ui.available_rect_before_wrap();
    run(ui, area, state, session, actions);
    ui.advance_cursor_after_rect(area);
}

/// Shows registers and stages: side by side where both have room for numbers in full, else above each other,
/// else in one column.
fn run(ui: &mut egui::Ui, area: Rect, state: &State, session: &DebugSession, actions: &mut Vec<Action>) {
    let margin = 2.0 * f32::from(COLUMN_MARGIN);
    let folded = &state.settings.folded;
    let format = state.settings.format;
    let both_full = area.width() >= 2.0 * (values::FULL_WIDTH + margin);
    let is_tall = area.height() >= TALL;
    let of_registers = |ui: &mut egui::Ui, area: Rect, salt: &str, actions: &mut Vec<Action>| {
        let formats = registers::Formats::of(state, session, area.width() - margin);
        let under = pinned(ui, area, "codes", |ui| {
            registers::condition_codes(ui, session, formats.at, actions);
            flow::under_way(ui, session);
        });
        let height = column(ui, under, salt, |ui| registers::show(ui, session, formats, actions));
        under.top() - area.top() + height
    };
    let of_stages = |ui: &mut egui::Ui, area: Rect, actions: &mut Vec<Action>| {
        let under = pinned(ui, area, "result", |ui| current_step::lead(ui, session, format, actions));
        column(ui, under, "stages", |ui| current_step::detail(ui, session, (format, folded), actions));
    };
    let line = Stroke::new(1.0, theme::palette(ui).line);
    if both_full || (!is_tall && area.width() >= SIDE_BY_SIDE) {
        let (left, right) = area.split_left_right_at_fraction(0.5);
        of_registers(ui, left, "registers", actions);
        ui.painter().vline(right.left(), right.y_range(), line);
        of_stages(ui, right, actions);
    } else if is_tall {
        // The height of the registers in the previous frame, so that a few registers leave more room to the
        // stages.
        let id = ui.scope_id().with("height of the registers");
        let most = (area.height() * REGISTERS_SHARE).round();
        let height = ui.data(|data| data.get_temp(id)).unwrap_or(most).min(most);
        let (upper, lower) = area.split_top_bottom_at_y(area.top() + height);
        let height = of_registers(ui, upper, "registers", actions);
        let before = ui.data_mut(|data| data.get_temp_mut_or(id, height).to_owned());
        if before != height {
            ui.data_mut(|data| data.insert_temp(id, height));
            ui.ctx().request_repaint();
        }
        ui.painter().hline(lower.x_range(), lower.top() + 0.5, line);
        of_stages(ui, lower, actions);
    } else {
        let formats = registers::Formats::of(state, session, area.width() - margin);
        let under = pinned(ui, area, "result and codes", |ui| {
            current_step::lead(ui, session, format, actions);
            registers::condition_codes(ui, session, formats.at, actions);
            flow::under_way(ui, session);
        });
        column(ui, under, "both", |ui| {
            registers::show(ui, session, formats, actions);
            ui.add_space(10.0);
            current_step::detail(ui, session, (format, folded), actions);
        });
    }
}

/// Explains why there is no run to step through.
fn nothing_ran(ui: &mut egui::Ui, session: &DebugSession) {
    let job = &session.request.job;
    let ruled_out = session.pixel().and_then(|pixel| crate::history::ruled_out(&job.scene.raster, pixel));
    let (title, words) = match session.fragment() {
        None => (
            "Nothing was drawn here",
            ruled_out.as_deref().unwrap_or(
                "No primitive covers this pixel, so no program ran for it. It holds the clear colour.",
            ),
        ),
        Some(_) => (
            "No fragment program",
            "Fixed-function colouring drew this pixel: colour 0, multiplied by texture 0 if there is one. You can \
             still step through the vertices of its primitive.",
        ),
    };
    widgets::empty_state(ui, Icon::Target, title, words);
}

/// Adds a scrolling column. Returns the height of its content.
fn column(ui: &mut egui::Ui, rect: Rect, salt: &str, add: impl FnOnce(&mut egui::Ui)) -> f32 {
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt(salt));
    inner.shrink_clip_rect(rect);
    let scroll = widgets::jumping(egui::ScrollArea::vertical()).id_salt(salt).auto_shrink(false);
    let shown = scroll.show(&mut inner, |ui| {
        egui::Frame::new().inner_margin(egui::Margin::symmetric(COLUMN_MARGIN, 8)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            add(ui);
        });
    });
    // A line shows that scrolled content continues under the pinned rows.
    if shown.state.clamped_offset().y > 0.0 {
        let stroke = Stroke::new(1.0, theme::palette(ui).line);
        ui.painter().hline(rect.x_range(), rect.top() + 0.5, stroke);
    }
    shown.content_size.y
}

/// Adds rows that stay above the scrolling part of `rect`. Returns the rectangle of the scrolling part.
fn pinned(ui: &mut egui::Ui, rect: Rect, salt: &str, add: impl FnOnce(&mut egui::Ui)) -> Rect {
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt((salt, "pinned")));
    inner.shrink_clip_rect(rect);
    let margin = egui::Margin { left: COLUMN_MARGIN, right: COLUMN_MARGIN, top: 4, bottom: 0 };
    let scroll = egui::ScrollArea::vertical().id_salt(salt).auto_shrink([false, true]);
    scroll.max_height(rect.height() * 0.6).show(&mut inner, |ui| {
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            add(ui);
        });
    });
    let top = inner.min_rect().bottom().min(rect.bottom());
    Rect::from_min_max(egui::pos2(rect.left(), top), rect.max)
}

fn frame(ui: &mut egui::Ui, top: i8, add: impl FnOnce(&mut egui::Ui)) {
    let margin = egui::Margin { left: 8, right: 10, top, bottom: 0 };
    egui::Frame::new().inner_margin(margin).show(ui, add);
}

/// Step buttons, the position in the run and the format of values, on one line if there is room.
fn buttons(ui: &mut egui::Ui, state: &State, session: &DebugSession, actions: &mut Vec<Action>) {
    let choices = ValueFormat::OF_ALL.map(|format| (format, format.name(), format.hint()));
    let words = format!("step {} of {}", session.position(), session.len());
    // Reserve room for the longest position, so that nothing moves while stepping.
    let longest = format!("step {0} of {0}", session.len());
    let palette = theme::palette(ui);
    let caption = ui.painter().layout_no_wrap(longest, theme::caption_font(), palette.text).size().x;
    let steps = STEPS.len() as f32 * (theme::ICON_BUTTON + 1.0);
    let switch = widgets::segmented_width(ui, &choices);
    let end = caption + 8.0 + 6.0 + 2.0 * theme::ICON_BUTTON + 18.0;
    let room = ui.available_width();
    let rest = |ui: &mut egui::Ui, room: f32, actions: &mut Vec<Action>| {
        ui.add_space(8.0);
        ui.label(theme::caption(ui, words.as_str()));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            command_button(ui, Command::StopDebugging, state, actions);
            command_button(ui, Command::CompareRuns, state, actions);
            ui.add_space(6.0);
            let chosen = if room >= switch {
                widgets::segmented(ui, state.settings.format, &choices)
            } else {
                format_menu(ui, state.settings.format, &choices)
            };
            actions.extend(chosen.map(Action::SetFormat));
        });
    };
    if steps + end + FORMAT_MENU <= room {
        ui.horizontal(|ui| {
            step_buttons(ui, state, actions);
            rest(ui, room - steps - end, actions);
        });
    } else {
        ui.horizontal_wrapped(|ui| step_buttons(ui, state, actions));
        ui.horizontal(|ui| rest(ui, room - end, actions));
    }
}

fn step_buttons(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.x = 1.0;
    for command in STEPS {
        command_button(ui, command, state, actions);
    }
}

/// The format switch for a narrow panel.
fn format_menu(
    ui: &mut egui::Ui,
    current: ValueFormat,
    choices: &[(ValueFormat, &str, &str)],
) -> Option<ValueFormat> {
    let text = egui::RichText::new(current.name()).font(theme::caption_font());
    let menu = egui::ComboBox::from_id_salt("value format").selected_text(text).width(FORMAT_MENU - 22.0);
    let shown = menu.show_ui(ui, |ui| {
        let mut chosen = None;
        for &(format, name, hint) in choices {
            if ui.selectable_label(format == current, name).on_hover_text(hint).clicked() {
                chosen = Some(format);
            }
        }
        chosen
    });
    widgets::named(shown.response, "Value format").on_hover_text(current.hint());
    shown.inner.flatten()
}

/// Shows the position in the run and the outcome of the subject, above the registers.
fn about(ui: &mut egui::Ui, state: &State, session: &DebugSession, actions: &mut Vec<Action>) {
    version_stepped(ui, state, session);
    timeline(ui, state, session, actions);
    whatif::band(ui, session, state.document(), actions);
    whatif::instruction(ui, session, actions);
    verdict(ui, state, session, actions);
    history::show(ui, session, state.settings.format, actions);
    traced::show(ui, state, session, actions);
    if escaped(ui, state, session) {
        let open = [Command::CloseTrace, Command::LeaveChanged].into_iter().find(|c| c.enabled(state));
        actions.extend(open.map(Action::from));
    }
}

/// Shows a band if the debugger steps through another version of the text than the editor shows.
fn version_stepped(ui: &mut egui::Ui, state: &State, session: &DebugSession) {
    /// Delay of the band, in seconds. Most recordings of a new text take less.
    const AT_ONCE: f32 = 0.5;
    let age = session.places().map_or(TextAge::Current, |places| places.age);
    let faulty =
        state.document().is_some_and(|document| document.is_analysed() && document.has_faulty_program());
    let waits = age != TextAge::Current && !faulty;
    let time = if waits { AT_ONCE } else { 0.0 };
    let waited = ui.ctx().animate_bool_with_time(egui::Id::unique("steps an earlier version"), waits, time);
    let words = match age {
        TextAge::Current => return,
        TextAge::Edited | TextAge::Gone if !faulty && waited < 1.0 => return,
        TextAge::Edited if faulty => "Stepping through the last version that loaded. The text has changed.",
        TextAge::Edited => "Stepping through the previous version. The new one is not drawn yet.",
        TextAge::Gone => "Stepping through a program that is no longer in the scene.",
    };
    let is_deleted = session.current_step().is_some_and(|step| session.place_of(step.pc).is_none());
    let deleted = match age {
        TextAge::Edited if is_deleted => " This step's line was deleted.",
        _ => "",
    };
    widgets::band(ui, widgets::Tone::Warning, &format!("{words}{deleted}"), |_| {});
}

/// Whether Escape is pressed and no field, menu or form uses the key.
fn escaped(ui: &egui::Ui, state: &State, session: &DebugSession) -> bool {
    let is_in_text = |focused| {
        let text = state.document().map(text_edit_id);
        text == Some(focused) && state.find.mode == crate::state::FindMode::Closed
    };
    let is_free = ui.memory(|memory| memory.focused().is_none_or(is_in_text))
        && !egui::Popup::is_any_open(ui.ctx())
        && session.edited().is_none()
        && session.rewritten().is_none()
        && state.stepping.breakpoint_form.is_none()
        && !state.is_covered();
    // The key takes the keyboard focus from a field before the frame begins, so the previous frame must be
    // free as well.
    let id = egui::Id::unique("free for Escape");
    let was_free = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or(id, is_free), is_free));
    is_free && was_free && ui.input(|input| input.key_pressed(egui::Key::Escape))
}

/// The run as a timeline with marks where breakpoints stop. Click or drag to seek.
fn timeline(ui: &mut egui::Ui, state: &State, session: &DebugSession, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Timeline"));
    let track = rect.shrink2(vec2(7.0, 0.0));
    let count = session.len().max(1) as f32;
    let x_at = |fraction: f32| track.left() + track.width() * fraction;
    let x_of = |position: usize| x_at(position as f32 / count);
    let y = rect.center().y;
    ui.painter().line_segment(
        [egui::pos2(track.left(), y), egui::pos2(track.right(), y)],
        Stroke::new(3.0, palette.raised),
    );
    let here = x_of(session.position());
    ui.painter()
        .line_segment([egui::pos2(track.left(), y), egui::pos2(here, y)], Stroke::new(3.0, palette.accent));
    if let Some(traced) = session.traced() {
        let mut last = f32::NEG_INFINITY;
        for part in &traced.ancestry.parts {
            let x = x_of(part.position);
            // Steps less than one point apart share a mark.
            if x - last >= 1.0 {
                ui.painter().vline(x, y - 6.0..=y + 6.0, Stroke::new(1.5, palette.read));
                last = x;
            }
        }
    }
    for place in state.stepping.watched.stop_places() {
        ui.painter().circle_filled(egui::pos2(x_at(place), y), 2.5, palette.error);
    }
    let radius = if response.hovered() || response.dragged() { 6.5 } else { 5.5 };
    ui.painter().circle(egui::pos2(here, y), radius, palette.accent, Stroke::new(2.0, palette.panel));
    if let Some(pos) = response.interact_pointer_pos() {
        let fraction = ((pos.x - track.left()) / track.width().max(1.0)).clamp(0.0, 1.0);
        let position = (fraction * count).round() as usize;
        if position != session.position() {
            actions.push(Action::Seek(position));
        }
    }
}

/// Shows the subject, its outcome, and buttons that lead to related subjects.
fn verdict(ui: &mut egui::Ui, state: &State, session: &DebugSession, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    ui.horizontal(|ui| {
        ui.set_min_height(24.0);
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.add_space(4.0);
        match session.subject() {
            Subject::Pixel([x, y]) => {
                ui.label(theme::value(ui, format!("{x}, {y}")))
                    .on_hover_text("Pixel x, y, counted from the lower left");
                fragments(ui, session, actions);
                outcome(ui, session);
                command_button(ui, Command::TraceResult, state, actions);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| agreement(ui, session));
            }
            subject => {
                ui.label(theme::value(ui, subject.to_string()));
                let of_instance = !matches!(subject, Subject::StateProgram(_));
                if of_instance && session.request.job.scene.instances > 1 {
                    let words = format!("instance {}", session.request.job.instance);
                    ui.label(theme::caption(ui, words)).on_hover_text("The vertex.instance, counted from 0");
                }
                let ended = session.recording().map(|recording| recording.ended);
                let (words, color) = match ended {
                    Some(Ended::CallOverflow) => ("ended: call stack full", palette.warning),
                    Some(Ended::StackMismatch) => ("ended: stack mismatch", palette.warning),
                    Some(Ended::BlockOverflow) => ("ended: blocks nested too deeply", palette.warning),
                    Some(Ended::InstructionLimit) => ("ended: instruction limit", palette.warning),
                    Some(Ended::Normal) | None => ("ends normally", palette.text_weak),
                };
                ui.label(theme::caption(ui, words).color(color));
                command_button(ui, Command::TraceResult, state, actions);
                let clipped = session.vertex().is_some_and(|v| v.vertex.window.is_none());
                if clipped {
                    ui.label(theme::caption(ui, "outside the clip volume").color(palette.warning));
                }
                if session.origin.is_some() {
                    let back = Command::BackToFragment;
                    let response = ui.add(egui::Button::new(back.info().label).small());
                    response.on_hover_text(back.tooltip(ui.ctx())).on_click(back, actions);
                }
            }
        }
    });
    corners(ui, session, actions);
    patch::invocations(ui, session, actions);
    samples::show(ui, session, actions);
}

/// Buttons for the sources of the fragment or primitive: the invocation that generated it, and its vertices.
fn corners(ui: &mut egui::Ui, session: &DebugSession, actions: &mut Vec<Action>) {
    let (fragment, elements) = (session.fragment(), session.elements());
    if let Some(vertex) = session.vertex() {
        return readers(ui, &vertex.read_by, actions);
    }
    if elements.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 2.0);
        ui.add_space(4.0);
        let several = session.request.job.scene.instances > 1;
        let instance = fragment.filter(|_| several).map(|fragment| fragment.instance);
        let made_by = fragment.and_then(|fragment| fragment.made_by);
        let of = instance.map_or(String::new(), |instance| format!("Instance {instance}, "));
        let mut button = |ui: &mut egui::Ui, subject: Subject, hint: &str| {
            let response = ui.add(egui::Button::new(subject.to_string()).small());
            if response.on_hover_text(hint).clicked() {
                actions.extend(instance.map(Action::ShowInstance));
                actions.push(Action::Pick(subject));
            }
        };
        let way_back = match fragment {
            Some(_) => "Step through this vertex. “Return to fragment” brings you back.",
            None => "Step through this vertex",
        };
        let between = match (fragment, made_by) {
            (_, Some(made_by)) => {
                let how = match made_by {
                    Subject::PatchVertex { .. } => "provoking vertex",
                    _ => "emitted by",
                };
                ui.label(theme::caption(ui, format::capitalized(&(of + how))));
                button(ui, made_by, "Step through the program that made this fragment's primitive");
                "from".to_owned()
            }
            (Some(_), None) => format::capitalized(&(of + "interpolated from")),
            (None, None) => {
                if let Subject::PatchVertex { patch: number, .. } = session.subject()
                    && session.request.programs.get(Slot::TessControl).is_some()
                {
                    ui.label(theme::caption(ui, "Control program"));
                    let control = Subject::Patch { number, invocation: 0 };
                    button(ui, control, "Step through the control program of this patch");
                }
                "Input vertices".to_owned()
            }
        };
        ui.label(theme::caption(ui, between));
        for &element in elements {
            button(ui, Subject::Vertex(element), way_back);
        }
    });
    ui.add_space(2.0);
}

/// Buttons for the patches or primitives that use a vertex.
fn readers(ui: &mut egui::Ui, read_by: &[Subject], actions: &mut Vec<Action>) {
    if read_by.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 2.0);
        ui.add_space(4.0);
        ui.label(theme::caption(ui, "Read by"));
        for subject in read_by {
            let response = ui.add(egui::Button::new(subject.to_string()).small());
            let hint = "Step through the program that reads this vertex";
            response.on_hover_text(hint).on_click(Action::Pick(*subject), actions);
        }
    });
    ui.add_space(2.0);
}

fn outcome(ui: &mut egui::Ui, session: &DebugSession) {
    let palette = theme::palette(ui);
    let Some(fragment) = session.fragment() else { return };
    let written = fragment.outcome == PixelStatus::Written;
    let color = if written { palette.text_weak } else { palette.warning };
    let words = crate::history::outcome(fragment.outcome);
    let response = ui.label(theme::caption(ui, words).color(color));
    if let Some(why) = crate::history::why(fragment) {
        response.on_hover_text(why);
    }
}

fn fragments(ui: &mut egui::Ui, session: &DebugSession, actions: &mut Vec<Action>) {
    let count = session.fragments().map_or(0, Fragments::len);
    if count < 2 {
        return;
    }
    let index = session.selected();
    widgets::icon_button(ui, Icon::ChevronLeft, "Previous fragment", index > 0)
        .on_click(Action::SelectFragment(index.saturating_sub(1)), actions);
    ui.label(theme::caption(ui, format!("fragment {} of {count}", index + 1)))
        .on_hover_text("Several primitives cover this pixel. Fragments are numbered in drawing order.");
    widgets::icon_button(ui, Icon::ChevronRight, "Next fragment", index + 1 < count)
        .on_click(Action::SelectFragment(index + 1), actions);
}

/// Compares the stored pixel with the stepped result. Laid out from right to left.
fn agreement(ui: &mut egui::Ui, session: &DebugSession) {
    let palette = theme::palette(ui);
    let (Some(pixel), Some(agreement)) = (session.pixel(), session.agreement()) else { return };
    let Some(verdict) = verdict::of(session) else { return };
    let (icon, color) = match agreement {
        Agreement::Same => (Icon::Check, palette.success),
        Agreement::Different { .. } => (Icon::Error, palette.error),
    };
    let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
    icon.paint(ui.painter(), rect, 13.0, color);
    let label = ui.add(egui::Label::new(theme::caption(ui, verdict.short).color(color)).truncate());
    let stored = session.request.frame.pixel(pixel);
    let stepped = session.fragment_color();
    // A narrow panel shows only the verdict. The values are in its tooltip.
    let roomy = ui.available_width() > 180.0;
    let shown = |color: [f32; 4]| history::shown(session, color);
    if let Some(pixel) = stored.filter(|_| roomy) {
        widgets::swatch(ui, shown(pixel.color), vec2(22.0, 14.0)).on_hover_text("The pixel in the picture");
        ui.label(theme::caption(ui, "stored"));
    }
    if let Some(color) = stepped.filter(|_| roomy) {
        widgets::swatch(ui, shown(color), vec2(22.0, 14.0)).on_hover_text("The result of stepping");
        ui.label(theme::caption(ui, "stepped"));
    }
    label.on_hover_ui(|ui| {
        ui.label(&verdict.long);
        let frame = &session.request.frame;
        if let Some(color) = stepped {
            let words = format::decimals(single_bits(color), frame.color_types());
            ui.label(format!("Stepped: {words}"));
        }
        if let Some(pixel) = stored {
            let words = format::decimals(single_bits(pixel.color), frame.types());
            ui.label(format!("Stored: {words}"));
        }
        if let Agreement::Different { stepped, rendered } = agreement {
            let bits = |bits: Components| format::patterns(bits, [Type::F32; 4]);
            ui.label(format!("Stepped bits: {}", stepped.map_or_else(|| "none".to_owned(), bits)));
            ui.label(format!("Stored bits: {}", bits(rendered)));
            ui.label("This is a bug in Shadestep, not in your program.");
        }
    });
}
