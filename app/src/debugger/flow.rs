//! The flow of a run in words: the call stack, loops and IF blocks, the outcome of a branch, the end of the
//! run, and the final position of a vertex.

use super::values::{self, Mark, NameKind, Row};
use crate::format::{self, ValueFormat};
use crate::stepping::{DebugSession, flags_in_words};
use crate::theme;
use egui::{Color32, Ui};
use shadestep_engine::debug::{Ended, LoopFrame, StackEffect, State, Step};
use shadestep_engine::ir::{CcRegister, Condition, Control, Instruction, Kind, Program, Type, single_bits};
use shadestep_engine::isa::Language;

/// Width of the names of the lines, in points.
const NAME_WIDTH: f32 = 76.0;
/// Height of a line, in points.
const LINE: f32 = 17.0;

/// Active calls, loops and IF blocks, innermost first, and the fragments of the quad that execute the current
/// step. Each part appears only if the program has such instructions. A part without an active entry keeps a
/// line, so that the panel does not move when the first entry begins.
pub fn under_way(ui: &mut Ui, session: &DebugSession) {
    let (Some(state), Some(program)) = (session.state(), session.program()) else { return };
    call_stack(ui, session, program, state);
    blocks(ui, session, program, state);
    quad(ui, session);
}

/// Lines with a name before the first. Without lines, `none` in a weak colour.
fn lines(ui: &mut Ui, (name, hint): (&str, &str), mut lines: Vec<(String, Color32)>, none: &str) {
    if lines.is_empty() {
        lines.push((none.to_owned(), theme::palette(ui).text_weak));
    }
    // Otherwise each line would be as high as a button.
    ui.spacing_mut().interact_size.y = LINE;
    for (number, (words, color)) in lines.iter().enumerate() {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let size = egui::vec2(NAME_WIDTH, LINE);
            let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
            if number == 0 {
                values::paint_title(ui, rect, name);
            }
            let text = theme::value(ui, words.as_str()).font(theme::table_font()).color(*color);
            ui.add(egui::Label::new(text).truncate()).on_hover_text(hint);
        });
    }
}

/// The active subroutine calls with the lines that they return to.
fn call_stack(ui: &mut Ui, session: &DebugSession, program: &Program, state: &State) {
    let palette = theme::palette(ui);
    let calls = |control: Control| matches!(control, Control::Call { .. } | Control::CallIndirect { .. });
    if !program.instructions.iter().any(|i| i.control().is_some_and(calls)) {
        return;
    }
    let under_way = state.calls().enumerate().collect::<Vec<_>>().into_iter().rev().map(|(depth, pc)| {
        let name = called_from(program, pc).unwrap_or("subroutine");
        (format!("{}  {name}, returns to {}", depth + 1, place(session, program, pc)), palette.text)
    });
    let title = ("Call stack", "Active subroutine calls, innermost first");
    lines(ui, title, under_way.collect(), "main program");
}

/// The active loops with the iterations left, and the number of open IF blocks.
fn blocks(ui: &mut Ui, session: &DebugSession, program: &Program, state: &State) {
    let controls = || program.instructions.iter().filter_map(Instruction::control);
    let palette = theme::palette(ui);
    if controls().any(|control| matches!(control, Control::Loop { .. })) {
        let frames = state.loops.iter().enumerate().rev();
        let under_way =
            frames.map(|(depth, frame)| (loop_words(session, program, depth, frame), palette.text));
        let hint = "Iterations left, including this one. LOOP also shows its index, which A0.x reads, and its increment.";
        lines(ui, ("Loops", hint), under_way.collect(), "not in a loop");
    }
    if controls().any(|control| matches!(control, Control::If { .. })) {
        let nested = (state.if_depth > 0)
            .then(|| (format!("in {}", format::counted(state.if_depth.into(), "IF block")), palette.text));
        let title = ("IF blocks", "Open IF blocks, including those of callers");
        lines(ui, title, nested.into_iter().collect(), "not in an IF block");
    }
}

fn loop_words(session: &DebugSession, program: &Program, depth: usize, frame: &LoopFrame) -> String {
    let control = program.instructions.get(frame.at).and_then(Instruction::control);
    let counts = matches!(control, Some(Control::Loop { index: Some(_), .. }));
    let index = if counts {
        format!("  index {}  increment {}", frame.index, frame.increment)
    } else {
        String::new()
    };
    let name = if counts { "LOOP" } else { "REP" };
    let count = frame.count.map_or_else(|| "none".to_owned(), |count| count.to_string());
    format!("{}  {name}, {}  count {count}{index}", depth + 1, place(session, program, frame.at))
}

/// The fragments of the quad that execute the current step, placed as in the picture.
fn quad(ui: &mut Ui, session: &DebugSession) {
    /// Side of a fragment, in points.
    const SIDE: f32 = 9.0;
    /// Gap between two fragments, in points.
    const GAP: f32 = 2.0;
    let (Some([x, y]), Some(program)) = (session.pixel(), session.program()) else { return };
    if !program.has_flow() {
        return;
    }
    let palette = theme::palette(ui);
    let lanes = session.current_step().map_or(0, |step| step.lanes);
    let own = x % 2 + y % 2 * 2;
    let height = 2.0 * SIDE + GAP;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let (rect, _) = ui.allocate_exact_size(egui::vec2(NAME_WIDTH, height), egui::Sense::hover());
        values::paint_title(ui, rect, "Quad");
        let (rect, response) = ui.allocate_exact_size(egui::Vec2::splat(height), egui::Sense::hover());
        for lane in 0..4 {
            // Rows of the picture go upwards, while y of the screen goes down.
            let corner = egui::vec2((lane % 2) as f32, (1 - lane / 2) as f32) * (SIDE + GAP);
            let cell = egui::Rect::from_min_size(rect.min + corner, egui::Vec2::splat(SIDE));
            let runs = lanes >> lane & 1 != 0;
            let fill = if runs { palette.accent } else { palette.raised };
            ui.painter().rect_filled(cell, 2.0, fill);
            if lane == own {
                let stroke = egui::Stroke::new(1.5, palette.text_strong);
                ui.painter().rect_stroke(cell, 2.0, stroke, egui::StrokeKind::Inside);
            }
        }
        response.on_hover_text(
            "The 2 × 2 fragments that derivatives compare. The outline marks this pixel. Fragments that do not run \
             this step are at another instruction and contribute the current values of their registers.",
        );
        ui.add_space(8.0);
        let count = lanes.count_ones();
        ui.label(theme::caption(ui, format!("{count} of 4 run this step")));
    });
    ui.add_space(2.0);
}

/// The label of a condition code register in `language`.
pub fn condition_code(register: CcRegister, language: Language) -> &'static str {
    match register.name_in(language) {
        "CC" => "Condition code",
        name => name,
    }
}

/// Name of the subroutine whose call returns to instruction `pc`.
fn called_from(program: &Program, pc: usize) -> Option<&str> {
    match program.instructions.get(pc.checked_sub(1)?)?.control()? {
        Control::Call { to, .. } => label_at(program, to),
        _ => None,
    }
}

fn label_at(program: &Program, at: usize) -> Option<&str> {
    program.labels.iter().find(|label| label.at == at).map(|label| label.name.as_str())
}

fn place(session: &DebugSession, program: &Program, pc: usize) -> String {
    match session.line_of(pc) {
        Some(line) => format!("line {}", line + 1),
        None if pc >= program.instructions.len() => "the end".to_owned(),
        None => format!("instruction {pc}"),
    }
}

/// Shows whether a branch, call or return was taken and where it leads, and whether KIL discarded the
/// fragment.
pub fn verdict(ui: &mut Ui, session: &DebugSession, instruction: &Instruction, step: &Step) {
    let Some(program) = session.program() else { return };
    let palette = theme::palette(ui);
    let taken = step.taken.unwrap_or(false);
    let verdict = match (instruction.control(), &instruction.kind) {
        (Some(control), _) => steered(&control, session, program, step, palette),
        (None, Kind::Kill(_)) if taken => {
            Some(("The test passes: the fragment is discarded.".to_owned(), palette.warning))
        }
        (None, Kind::Kill(_)) => {
            Some(("The test fails: the fragment continues.".to_owned(), palette.text_weak))
        }
        (None, _) => None,
    };
    let Some((words, color)) = verdict else { return };
    ui.label(theme::value(ui, words).color(color));
    let can_be_unconditional = matches!(
        instruction.control(),
        Some(
            Control::Branch { .. }
                | Control::Call { .. }
                | Control::Return { .. }
                | Control::Break { .. }
                | Control::Continue { .. }
        )
    );
    let test = match instruction.test() {
        None if !can_be_unconditional => return,
        None => "No condition: always taken".to_owned(),
        Some(test) => {
            let tested = test.swizzle.0.map(|c| {
                flags_in_words(step.cc_before[test.register.index()][usize::from(c)], program.language)
            });
            let name = test.condition.name();
            match test.condition {
                Condition::Tr | Condition::Fl => format!("{name} ignores the condition code"),
                _ => needs(name, &tested),
            }
        }
    };
    ui.label(theme::caption(ui, test));
    ui.add_space(5.0);
}

/// A condition with the codes that it was tested against.
fn needs(name: &str, tested: &[String; 4]) -> String {
    match tested {
        [first, rest @ ..] if rest.iter().all(|other| other == first) => format!("Needs {name}; is {first}"),
        _ => format!("Needs {name} in any component; is {}", tested.join("  ")),
    }
}

/// The outcome of a flow instruction and its colour; `None` for instructions with only one outcome.
fn steered(
    control: &Control,
    session: &DebugSession,
    program: &Program,
    step: &Step,
    palette: &theme::Palette,
) -> Option<(String, Color32)> {
    let target = |to: usize| {
        let name = label_at(program, to).map_or_else(String::new, |name| format!("{name}, "));
        format!("{name}{}", place(session, program, to))
    };
    let taken = step.taken.unwrap_or(false);
    let verdict = match (*control, taken, step.stack) {
        (Control::PushAddress, _, StackEffect::Overflow) => {
            ("The stack is full, so the program ends.".to_owned(), palette.warning)
        }
        (Control::PopAddress(_), _, StackEffect::Underflow) => {
            ("The stack is empty, so the program ends.".to_owned(), palette.warning)
        }
        (_, _, StackEffect::Mismatch) => {
            ("CAL and PUSHA do not match, so the program ends.".to_owned(), palette.warning)
        }
        (Control::PushAddress | Control::PopAddress(_) | Control::EndIf, ..) => return None,
        (_, true, StackEffect::Overflow) => {
            ("Taken, but the call stack is full, so the program ends.".to_owned(), palette.warning)
        }
        (_, true, StackEffect::Underflow) => {
            ("Taken in the main program, so the program ends.".to_owned(), palette.success)
        }
        (_, true, StackEffect::Pop(to)) => {
            (format!("Taken: returns to {}", place(session, program, to)), palette.success)
        }
        (Control::Branch { to, .. } | Control::Call { to, .. }, true, _) => {
            (format!("Taken: goes to {}", target(to)), palette.success)
        }
        (Control::CallIndirect { .. }, true, _) => {
            ("Taken: calls the chosen subroutine.".to_owned(), palette.success)
        }
        (Control::CallIndirect { .. }, false, _) if step.stack == StackEffect::None => {
            ("Calls nothing and continues with the next instruction.".to_owned(), palette.warning)
        }
        (Control::ReturnIfCalled, false, _) => {
            ("The main program continues past the label.".to_owned(), palette.text_weak)
        }
        (Control::Return { .. } | Control::ReturnIfCalled, true, _) => ("Taken.".to_owned(), palette.success),
        (Control::If { .. }, true, _) => ("The test passes: enters the block.".to_owned(), palette.success),
        (Control::If { otherwise, .. }, false, _) => {
            (format!("The test fails: skips to {}", target(otherwise)), palette.warning)
        }
        (Control::Else { end }, ..) => (format!("Skips to the ENDIF, {}", target(end)), palette.success),
        (Control::Loop { .. }, true, _) => ("Enters the loop.".to_owned(), palette.success),
        (Control::Loop { end, .. }, false, _) => {
            (format!("The count is not positive: skips to {}", target(end)), palette.warning)
        }
        (Control::EndLoop { start }, true, _) => {
            (format!("Next iteration: back to {}", target(start)), palette.success)
        }
        (Control::EndLoop { .. }, false, _) => ("The last iteration is done.".to_owned(), palette.text_weak),
        (Control::Break { to, .. }, true, _) => {
            (format!("Taken: leaves the loop, continues at {}", target(to)), palette.success)
        }
        (Control::Continue { to, .. }, true, _) => {
            (format!("Taken: ends this iteration, skips to {}", target(to)), palette.success)
        }
        (_, false, _) => ("Not taken: continues with the next instruction.".to_owned(), palette.warning),
    };
    Some(verdict)
}

/// The end of a run, in words.
pub const fn ended(ended: Ended) -> &'static str {
    match ended {
        Ended::Normal => "The program ended normally.",
        Ended::CallOverflow => {
            "A CAL with a full call stack ended the program. Results written so far are kept."
        }
        Ended::StackMismatch => {
            "A RET or POPA without a matching CAL or PUSHA ended the program. Results written so far are kept."
        }
        Ended::BlockOverflow => {
            "Blocks nested too deeply ended the program. Results written so far are kept."
        }
        Ended::InstructionLimit => {
            "The instruction limit ended the program. Results written so far are kept."
        }
    }
}

/// The final position of a vertex: in clip coordinates, divided by w, and in the window.
pub fn position(ui: &mut Ui, session: &DebugSession, format: ValueFormat) {
    let Some(vertex) = session.vertex().map(|recorded| &recorded.vertex) else { return };
    let mark = |dimmed| Mark { dimmed, ..Mark::default() };
    let xyz = [mark(false), mark(false), mark(false), mark(true)];
    let [x, y, z, w] = vertex.clip;
    let mut row = |name, hint, value: [f32; 4], marks| {
        let row =
            Row { name, kind: NameKind::Stage, hint, bits: single_bits(value), types: [Type::F32; 4], marks };
        values::show(ui, &row, format);
    };
    row("clip", "The position that the program wrote, in clip coordinates", vertex.clip, [mark(false); 4]);
    row("NDC", "Divided by w: -1 to 1 is in view", [x / w, y / w, z / w, 0.0], xyz);
    if let Some([x, y, z]) = vertex.window {
        row("window", "Pixels from the lower left, and depth", [x, y, z, 0.0], xyz);
    } else {
        ui.label(theme::caption(ui, "Outside the clip volume, so it has no window position"));
    }
    ui.add_space(6.0);
}
