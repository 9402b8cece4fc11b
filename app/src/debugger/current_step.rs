//! The stages of the current step: each operand from register to conversion, the computation, and the stored
//! result (NV_fragment_program 3.11.4.3, 3.11.4.4). At the end of a run, its results.

use super::registers::register_of;
use super::sections;
use super::values::{self, Mark, NameKind, Row};
use super::{emitted, flow, lanes, lookup, patch};
use crate::command::{Action, Command};
use crate::format::{self, ValueFormat};
use crate::session::MemoryMap;
use crate::settings::{Folded, Section};
use crate::stepping::{DebugSession, flags_in_words};
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::{Align, Layout, Sense, Ui};
use shadestep_engine::debug::Subject;
use shadestep_engine::debug::{Ended, OperandStep, Register, Relative, Step};
use shadestep_engine::ir::{
    Components, Index, Indirect, Instruction, OutputId, OutputRole, Program, Saturation, Target, TempId, Type,
};
use shadestep_engine::isa::{ResultKind, TABLE};
use shadestep_engine::semantics::plan::{Plan, ResultTypes};

/// The current step with its outcome, or the end of the run.
pub fn lead(ui: &mut Ui, session: &DebugSession, format: ValueFormat, actions: &mut Vec<Action>) {
    let Some(program) = session.program() else { return };
    let Some(step) = session.current_step() else {
        end(ui, session, format);
        return;
    };
    let instruction = &program.instructions[step.pc];
    title(ui, session, instruction, actions);
    flow::verdict(ui, session, instruction, step);
    if let Some(dest) = instruction.dest() {
        values::columns(ui, &format!("→ {}", target_name(program, step, dest.target)));
        stored(ui, session, step, dest.target, format);
        if let Some(register) = instruction.update_cc() {
            let names = step.cc_after[register.index()]
                .map(|flags| flags_in_words(flags, program.language))
                .join("  ");
            let name = flow::condition_code(register, program.language);
            ui.label(theme::caption(ui, format!("{name} becomes {names}")));
        }
    }
    ui.add_space(4.0);
}

/// The operands, lookup, memory accesses and result of the current step. At the end of the run, the vertices
/// that a primitive's run emitted, or the division of the patch.
pub fn detail(
    ui: &mut Ui,
    session: &DebugSession,
    (format, folded): (ValueFormat, &Folded),
    actions: &mut Vec<Action>,
) {
    let Some(program) = session.program() else { return };
    let Some(step) = session.current_step() else {
        match session.subject() {
            Subject::Primitive { .. } => emitted::show(ui, session, format),
            _ => patch::division(ui, session, folded, actions),
        }
        return;
    };
    let instruction = &program.instructions[step.pc];
    lookup::show(ui, session, (format, folded), actions);
    lanes::side_by_side(ui, session, (format, folded), actions);
    memory_stage(ui, session, (step, folded), actions);
    if !step.operands.is_empty()
        && sections::header(ui, (Section::Operands, "Operands"), None, folded, actions)
    {
        for (index, operand) in step.operands.iter().enumerate() {
            operand_stages(ui, session, instruction, index, operand, format);
        }
    }
    if instruction.dest().is_some() {
        result_stages(ui, (program, folded), (instruction, step), format, actions);
    }
    if session.text_id().is_none() {
        listing(ui, session);
    }
    if let Subject::PatchVertex { .. } = session.subject() {
        patch::division(ui, session, folded, actions);
    }
}

/// The text of the built-in vertex program, which no tab shows, with a mark on the current line.
fn listing(ui: &mut Ui, session: &DebugSession) {
    let palette = theme::palette(ui);
    values::heading(ui, "The built-in vertex program");
    ui.label(theme::caption(ui, "This scene has no vertex program."));
    ui.add_space(4.0);
    for (number, line) in String::from_utf8_lossy(session.text()).lines().enumerate() {
        let current = session.current_line() == Some(number);
        let color = if current { palette.accent } else { palette.text_weak };
        let text = egui::RichText::new(format!("{:>3}  {line}", number + 1)).font(theme::table_font());
        let response = ui.add(egui::Label::new(text.color(color)).truncate());
        if current {
            ui.painter().rect_filled(response.rect.expand(1.0), 2.0, palette.accent_wash);
        }
    }
}

fn end(ui: &mut Ui, session: &DebugSession, format: ValueFormat) {
    let Some(recording) = session.recording() else { return };
    values::heading(ui, "End of the run");
    let words = match (session.subject(), recording.ended, recording.killed) {
        (
            _,
            Ended::CallOverflow | Ended::StackMismatch | Ended::BlockOverflow | Ended::InstructionLimit,
            _,
        ) => flow::ended(recording.ended),
        (Subject::Pixel(_), _, true) => "Every instruction has run. The fragment was discarded.",
        (Subject::Pixel(_), ..) => "Every instruction has run. The fragment's results:",
        _ => flow::ended(recording.ended),
    };
    ui.label(egui::RichText::new(words).color(theme::palette(ui).text_weak));
    ui.add_space(6.0);
    match session.subject() {
        Subject::Pixel(_) => {}
        Subject::Vertex(_) | Subject::PatchVertex { .. } => {
            unwritten(ui, session);
            if session.vertex().is_some() {
                values::columns(ui, "Final position");
                flow::position(ui, session, format);
            }
            return;
        }
        Subject::Patch { .. } | Subject::Primitive { .. } => return,
        Subject::StateProgram(_) => {
            ui.label(theme::caption(
                ui,
                "The parameters that this program wrote apply to every program of the frame.",
            ));
            return;
        }
    }
    values::columns(ui, "");
    if let (Some(program), Some(state)) = (session.program(), session.state()) {
        let values = recording.outputs.iter().zip(&state.outputs_types);
        for (output, (bits, types)) in program.outputs.iter().zip(values) {
            if matches!(output.role, OutputRole::Color(_)) {
                let (kind, marks) = (NameKind::Register, [Mark::default(); 4]);
                let row = Row { name: &output.name, kind, hint: "", bits: *bits, types: *types, marks };
                values::show(ui, &row, format);
            }
        }
    }
    if let Some(depth) = recording.depth {
        let mark = |dimmed| Mark { dimmed, ..Mark::default() };
        let marks = [mark(true), mark(true), mark(false), mark(true)];
        values::show(
            ui,
            &Row {
                name: "depth",
                kind: NameKind::Stage,
                hint: "",
                bits: [0, 0, depth.into(), 0],
                types: [Type::F32; 4],
                marks,
            },
            format,
        );
    }
}

/// Lists the results that the run left without a value.
fn unwritten(ui: &mut Ui, session: &DebugSession) {
    let (Some(state), Some(program)) = (session.state(), session.program()) else { return };
    let left: Vec<String> = program
        .outputs
        .iter()
        .zip(&state.outputs_defined)
        .filter(|(_, defined)| **defined != 0xF)
        .map(|(output, defined)| {
            let components: String = "xyzw"
                .chars()
                .enumerate()
                .filter(|(c, _)| defined >> c & 1 == 0)
                .map(|(_, name)| name)
                .collect();
            format!("{}.{components}", output.name)
        })
        .collect();
    if !left.is_empty() {
        ui.label(theme::caption(ui, format!("Unwritten: {}", left.join("  "))));
        ui.add_space(6.0);
    }
}

/// The instruction's text and formula. A click on the formula opens the reference page.
fn title(ui: &mut Ui, session: &DebugSession, instruction: &Instruction, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let source = String::from_utf8_lossy(instruction.span.slice(session.text())).into_owned();
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if session.text_id().is_some() {
                let (info, tooltip) =
                    (Command::RewriteCurrent.info(), Command::RewriteCurrent.tooltip(ui.ctx()));
                let button = ui.add(egui::Button::new("What if\u{2026}").small());
                button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, info.label));
                button.on_hover_text(tooltip).on_click(Command::RewriteCurrent, actions);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(egui::Label::new(theme::value(ui, source).font(theme::code_font())).truncate());
            });
        });
    });
    ui.add_space(3.0);
    let info = &TABLE[instruction.op as usize];
    let words = format!("{}: {}", info.mnemonic, info.formula.replace('\n', " "));
    let text = egui::RichText::new(words).font(theme::caption_font()).color(palette.text_weak);
    let response = ui.add(egui::Label::new(text).sense(Sense::click()).wrap());
    let hint = format!("{}. Click for the reference page.", info.prose);
    response
        .on_hover_ui(|ui| _ = widgets::prose_label(ui, &hint))
        .on_click(Action::ShowReference(instruction.op), actions);
    ui.add_space(6.0);
}

/// The label of a conversion to `ty`.
fn converted_name(ty: Type) -> String {
    match ty {
        Type::Address => "to an int".to_owned(),
        ty if ty.is_integer() => format!("as {}", format::type_name(ty)),
        ty => format!("to {}", format::type_name(ty)),
    }
}

fn operand_stages(
    ui: &mut Ui,
    session: &DebugSession,
    instruction: &Instruction,
    index: usize,
    values: &OperandStep,
    format: ValueFormat,
) {
    let operand = &instruction.operands[index];
    let source = String::from_utf8_lossy(operand.span.slice(session.text())).into_owned();
    values::columns(ui, &source);
    let read =
        (0..4).filter(|c| values.used >> c & 1 != 0).fold(0u8, |bits, c| bits | 1 << operand.swizzle.0[c]);
    if let (Some(led), Some(indirect), Some(program)) =
        (values.relative, operand.source.indirect(), session.program())
    {
        Reference::of(program, indirect, led).show(ui, program, "reads (0, 0, 0, 0)");
    }
    let loaded = Plan::of(instruction).operand_type(instruction.ty, index);
    let register =
        session.program().map_or(loaded, |program| loaded.in_register(program.source_type(operand.source)));
    let converted = converted_name(loaded);
    let rows = [
        ("register", "The whole register", values.register, register, read),
        ("swizzled", "After the swizzle", values.swizzled, register, values.used),
        ("sign, abs", "After negation and absolute value", values.modified, loaded, values.used),
        (&converted, "After conversion to the instruction's type", values.converted, loaded, values.used),
    ];
    stage_rows(ui, &rows, format);
    ui.add_space(5.0);
}

/// A relative reference: its sums of address component and offset, and the element that they select.
struct Reference {
    /// The index of the vertex, if the array is per vertex, and of the element, with the value of each.
    sums: Vec<(Index, i64)>,
    /// The name of the selected element; `None` if the reference is out of range.
    found: Option<String>,
}

impl Reference {
    fn of(program: &Program, indirect: Indirect, led: Relative) -> Self {
        let found = led.element.and_then(|element| program.element_name(element));
        let vertex = indirect.vertex.map(|vertex| vertex.index).zip(led.vertex);
        let sums = vertex.into_iter().chain([(indirect.index, led.index)]);
        Self { sums: sums.filter(|(index, _)| index.register.is_some()).collect(), found }
    }

    fn show(&self, ui: &mut Ui, program: &Program, outside: &str) {
        let palette = theme::palette(ui);
        let sum = |(index, value): &(Index, i64)| {
            let (TempId(register), component) = index.register?;
            let component = ["x", "y", "z", "w"][usize::from(component & 3)];
            let register = &program.temporaries[usize::from(register)].name;
            Some(format!("{register}.{component} {} {:+} is {value}", value - index.offset, index.offset))
        };
        let sum = self.sums.iter().filter_map(sum).collect::<Vec<_>>().join(", ");
        let (words, color) = match &self.found {
            Some(name) => (format!("{sum}: {name}"), palette.read),
            None => (format!("{sum}: out of range, {outside}"), palette.warning),
        };
        ui.label(theme::value(ui, words).font(theme::table_font()).color(color));
    }
}

/// Rows for successive stages. Unused components are dimmed, and components that a stage changed are marked.
fn stage_rows(ui: &mut Ui, rows: &[(&str, &str, Components, Type, u8)], format: ValueFormat) {
    for (index, (name, hint, bits, ty, used)) in rows.iter().enumerate() {
        let before = index.checked_sub(1).map(|i| rows[i].2);
        let marks = std::array::from_fn(|c| Mark {
            dimmed: used >> c & 1 == 0,
            changed: before.is_some_and(|before| before[c] != bits[c]),
            ..Mark::default()
        });
        let row = Row { name, kind: NameKind::Stage, hint, bits: *bits, types: [*ty; 4], marks };
        values::show(ui, &row, format);
    }
}

fn memory_stage(
    ui: &mut Ui,
    session: &DebugSession,
    (step, folded): (&Step, &Folded),
    actions: &mut Vec<Action>,
) {
    let mut transfers = step.transfers().peekable();
    if transfers.peek().is_none() || !sections::header(ui, (Section::Memory, "Memory"), None, folded, actions)
    {
        return;
    }
    let map = MemoryMap::of(&session.request.job.scene);
    for transfer in transfers {
        let words = theme::value(ui, map.describe(transfer));
        ui.label(if transfer.fault.is_some() { words.color(theme::palette(ui).warning) } else { words });
    }
    ui.add_space(5.0);
}

/// The name of the register that a step writes.
fn target_name(program: &Program, step: &Step, target: Target) -> String {
    match target {
        Target::Temp(id) => program.temporaries[usize::from(id.0)].name.clone(),
        Target::Output(id) => program.outputs[usize::from(id.0)].name.clone(),
        Target::Indirect(_) => {
            let found = step.relative_target.and_then(|relative| program.element_name(relative.element?));
            found.unwrap_or("no register".to_owned())
        }
        Target::Param(id) => {
            program.parameters[usize::from(id.0)].name_in(program.language).unwrap_or_default()
        }
        Target::ConditionOnly(_) => "condition code only".to_owned(),
    }
}

fn result_stages(
    ui: &mut Ui,
    (program, folded): (&Program, &Folded),
    (instruction, step): (&Instruction, &Step),
    format: ValueFormat,
    actions: &mut Vec<Action>,
) {
    let Some(dest) = instruction.dest() else { return };
    let title = (Section::Computed, "Computed");
    if !sections::header(ui, title, Some(values::VALUES_AT), folded, actions) {
        return;
    }
    if let (Target::Indirect(indirect), Some(led)) = (dest.target, step.relative_target) {
        Reference::of(program, indirect, led).show(ui, program, "writes nothing");
    }
    let result = match TABLE[instruction.op as usize].result {
        ResultKind::Replicated => "One scalar, copied to every component",
        ResultKind::None | ResultKind::Vector | ResultKind::Address => "The result of the operation",
    };
    let types = ResultTypes::of(program, instruction);
    let mut rows = vec![("result", result, step.result, types.result, step.computed)];
    if instruction.saturate() != Saturation::None {
        let about = "After _SAT (clamped to 0..1) or _SSAT (to -1..1)";
        rows.push(("saturated", about, step.saturated, types.result, step.computed));
    }
    let in_register = types.in_register();
    let converted = converted_name(if types.target == Type::F16 { Type::F16 } else { in_register });
    let about = "After conversion to the destination's type";
    rows.push((&converted, about, step.converted, in_register, step.computed));
    stage_rows(ui, &rows, format);
    ui.add_space(5.0);
}

/// The destination after the step. Components that mask and condition enable are marked as written; the
/// others keep their value and are dimmed.
fn stored(ui: &mut Ui, session: &DebugSession, step: &Step, target: Target, format: ValueFormat) {
    let Some(state) = session.state() else { return };
    let Some(place) = register_of(target, step) else { return };
    let (mut bits, mut types) = match place {
        Register::Temp(TempId(id)) => {
            (state.temporaries[usize::from(id)], state.temporaries_types[usize::from(id)])
        }
        Register::Output(OutputId(id)) => {
            (state.outputs[usize::from(id)], state.outputs_types[usize::from(id)])
        }
        Register::Param(id) => (
            state.parameters[usize::from(id.0)],
            [session.program().map_or(Type::F32, |program| program.parameters[usize::from(id.0)].ty); 4],
        ),
    };
    for change in step.changes.iter().filter(|change| change.place == place) {
        bits[usize::from(change.component)] = change.after;
        types[usize::from(change.component)] = change.type_after;
    }
    let marks = std::array::from_fn(|c| {
        let enabled = step.enabled >> c & 1 != 0;
        Mark { written: enabled, dimmed: !enabled, ..Mark::default() }
    });
    let hint = "After the write mask and the condition. Components without an outline keep their value.";
    values::show(ui, &Row { name: "after", kind: NameKind::Stage, hint, bits, types, marks }, format);
}
