//! The current step in slow motion: how each operand came to be, what was computed, and what of it was
//! stored (NV_fragment_program 3.11.4.3, 3.11.4.4).

use super::DebugSession;
use super::values::{self, Mark, NameKind, Row};
use crate::command::Action;
use crate::format::{self, ValueFormat};
use crate::theme;
use egui::{Sense, Ui};
use shadestep_engine::debug::{OperandStep, Place, Step, TextureStep};
use shadestep_engine::ir::{Control, Instruction, Target, Type};
use shadestep_engine::isa::{ResultKind, TABLE};

/// The stages of the current step, or the end.
pub fn show(ui: &mut Ui, session: &DebugSession, format: ValueFormat, actions: &mut Vec<Action>) {
    let Some(step) = session.current_step() else {
        end(ui, session, format);
        return;
    };
    let instruction = &session.program().instructions[step.pc];
    title(ui, session, instruction, actions);
    for (index, operand) in step.operands.iter().enumerate() {
        operand_stages(ui, session, instruction, index, operand, format);
    }
    if let Some(texture) = &step.texture {
        texture_stage(ui, texture);
    }
    if step.kills {
        ui.label(
            egui::RichText::new("The test passes: the fragment is discarded.")
                .color(theme::palette(ui).warning),
        );
    } else if matches!(instruction.control, Some(Control::Kill(_))) {
        ui.label(theme::caption(ui, "The test fails: the fragment goes on."));
    }
    if instruction.dest.is_some() {
        result_stages(ui, session, instruction, step, format);
    }
}

fn end(ui: &mut Ui, session: &DebugSession, format: ValueFormat) {
    let Some(recording) = session.recording() else { return };
    values::heading(ui, "The end");
    let words = if recording.killed {
        "Every instruction has run. The fragment was discarded."
    } else {
        "Every instruction has run. This is what the fragment leaves:"
    };
    ui.label(egui::RichText::new(words).color(theme::palette(ui).text_weak));
    ui.add_space(6.0);
    values::columns(ui, "");
    let row = |name, bits| Row { name, kind: NameKind::Stage, hint: "", bits, marks: [Mark::default(); 4] };
    values::show(ui, &row("colour", recording.color), format);
    if let Some(depth) = recording.depth {
        let mark = |dimmed| Mark { dimmed, ..Mark::default() };
        let marks = [mark(true), mark(true), mark(false), mark(true)];
        values::show(
            ui,
            &Row { name: "depth", kind: NameKind::Stage, hint: "", bits: [0, 0, depth, 0], marks },
            format,
        );
    }
}

/// The instruction as written and what it does; a click opens its reference page.
fn title(ui: &mut Ui, session: &DebugSession, instruction: &Instruction, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let source = String::from_utf8_lossy(instruction.span.slice(&session.compiled().text)).into_owned();
    let label = egui::Label::new(theme::value(ui, source).font(theme::code_font())).truncate();
    ui.add(label);
    ui.add_space(3.0);
    let info = &TABLE[instruction.op as usize];
    let words = format!("{}: {}", info.mnemonic, info.formula.replace('\n', " "));
    let text = egui::RichText::new(words).font(theme::caption_font()).color(palette.text_weak);
    let response = ui.add(egui::Label::new(text).sense(Sense::click()).wrap());
    if response.on_hover_text(format!("{}. Click for the reference page.", info.prose)).clicked() {
        actions.push(Action::ShowReference(instruction.op));
    }
    ui.add_space(6.0);
}

fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::F32 => "to fp32",
        Type::F16 => "to fp16",
        Type::Fx12 => "to fx12",
        Type::Address => "to a whole number",
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
    let source = String::from_utf8_lossy(operand.span.slice(&session.compiled().text)).into_owned();
    values::columns(ui, &source);
    let read =
        (0..4).filter(|c| values.used >> c & 1 != 0).fold(0u8, |bits, c| bits | 1 << operand.swizzle.0[c]);
    let rows = [
        ("register", "The register as it stands", values.register, read),
        ("swizzled", "After the components are picked", values.swizzled, values.used),
        ("sign, abs", "After negation and absolute value", values.modified, values.used),
        (
            type_name(instruction.ty),
            "After conversion to the type that the instruction computes in",
            values.converted,
            values.used,
        ),
    ];
    stage_rows(ui, &rows, format);
    ui.add_space(5.0);
}

/// Rows of one after the other stage; components that are not used are dimmed, and components that a
/// stage changed stand out.
fn stage_rows(ui: &mut Ui, rows: &[(&str, &str, [u32; 4], u8)], format: ValueFormat) {
    for (index, (name, hint, bits, used)) in rows.iter().enumerate() {
        let before = index.checked_sub(1).map(|i| rows[i].2);
        let marks = std::array::from_fn(|c| Mark {
            dimmed: used >> c & 1 == 0,
            changed: before.is_some_and(|before| before[c] != bits[c]),
            ..Mark::default()
        });
        values::show(ui, &Row { name, kind: NameKind::Stage, hint, bits: *bits, marks }, format);
    }
}

fn texture_stage(ui: &mut Ui, texture: &TextureStep) {
    values::heading(ui, &format!("TEX{}, {}", texture.texture.unit, texture.texture.target.name()));
    if !texture.complete {
        let words = "The texture is not complete, so the lookup gives (0, 0, 0, 0).";
        ui.label(egui::RichText::new(words).color(theme::palette(ui).warning));
        ui.add_space(4.0);
        return;
    }
    let [s, t, r] = texture.coordinates.map(format::float);
    ui.label(theme::value(ui, format!("at {s}, {t}, {r}")));
    ui.label(theme::value(ui, format!("level of detail {}", format::float(texture.lambda))));
    ui.add_space(5.0);
}

fn result_stages(
    ui: &mut Ui,
    session: &DebugSession,
    instruction: &Instruction,
    step: &Step,
    format: ValueFormat,
) {
    let Some(dest) = instruction.dest else { return };
    let target = match dest.target {
        Target::Temp(id) => session.program().temporaries[usize::from(id.0)].name.clone(),
        Target::Output(id) => session.program().outputs[usize::from(id.0)].name.clone(),
        Target::Param(id) => {
            session.program().parameters[usize::from(id.0)].source.name().unwrap_or_default()
        }
        Target::ConditionOnly(_) => "condition only".to_owned(),
    };
    values::columns(ui, &format!("→ {target}"));
    let result = match TABLE[instruction.op as usize].result {
        ResultKind::Replicated => "One scalar, in every component",
        _ => "What the operation gives",
    };
    let rows = [
        ("result", result, step.result, step.computed),
        ("saturated", "After _SAT: clamped to 0..1", step.saturated, step.computed),
        (
            type_name(session.program().target_type(dest.target)),
            "After conversion to the destination's type",
            step.converted,
            step.computed,
        ),
    ];
    stage_rows(ui, &rows, format);
    stored(ui, session, step, dest.target, format);
    if instruction.update_cc {
        let names = step.cc_after.map(|cc| cc.name()).join(" ");
        ui.label(theme::caption(ui, format!("Condition code becomes {names}")));
    }
}

/// What stands in the destination afterwards: written where mask and condition allow it, kept elsewhere.
fn stored(ui: &mut Ui, session: &DebugSession, step: &Step, target: Target, format: ValueFormat) {
    let Some(state) = session.state() else { return };
    let (mut bits, place) = match target {
        Target::Temp(id) => (state.temporaries[usize::from(id.0)], Place::Temp(id)),
        Target::Output(id) => (state.outputs[usize::from(id.0)], Place::Output(id)),
        Target::Param(id) => (state.parameters[usize::from(id.0)], Place::Param(id)),
        Target::ConditionOnly(_) => return,
    };
    for change in step.changes.iter().filter(|change| change.place == place) {
        bits[usize::from(change.component)] = change.after;
    }
    let marks = std::array::from_fn(|c| {
        let enabled = step.enabled >> c & 1 != 0;
        Mark { written: enabled, dimmed: !enabled, ..Mark::default() }
    });
    let hint = "After the write mask and the condition: components without a frame keep what they held";
    values::show(ui, &Row { name: "masked", kind: NameKind::Stage, hint, bits, marks }, format);
    ui.add_space(5.0);
}
