//! The lanes that run together with the subject, side by side: the pixels of the quad, or the invocations of
//! a patch. For each lane, the register that the current step writes, and the operands that the step reads in
//! other pixels.

use super::registers::register_of;
use super::sections;
use super::values::{self, Extra, Mark, NameKind, Row, VALUES_AT};
use crate::command::Action;
use crate::format::ValueFormat;
use crate::settings::{Folded, Section};
use crate::stepping::DebugSession;
use crate::theme;
use egui::Ui;
use shadestep_engine::debug::{Register, Step, Subject};
use shadestep_engine::exec::Registers;
use shadestep_engine::ir::{Components, OutputId, TempId, Type};

/// A lane's state at the current step.
struct Lane {
    /// The invocation's number, or the pixel's window coordinates.
    name: String,
    /// A label for a helper, a discarded pixel or a lane at another instruction.
    tag: Option<&'static str>,
    /// The tooltip that explains the lane's state.
    hint: &'static str,
    /// Whether the lane runs the current step.
    along: bool,
}

const ALONG: &str = "Also runs this step";
const ELSEWHERE: &str = "At another instruction, or has ended";

/// The title, the lanes and the subject's index among them. `None` if the subject runs alone.
fn lanes(session: &DebugSession, step: &Step) -> Option<(&'static str, Vec<Lane>, usize)> {
    let all = session.lanes_after().iter().enumerate();
    let along = |number: usize| step.lanes >> number & 1 != 0;
    match session.subject() {
        Subject::Patch { invocation, .. } => {
            let lane = |(number, _): (usize, &Registers)| {
                let hint = if along(number) { ALONG } else { ELSEWHERE };
                Lane { name: number.to_string(), tag: None, hint, along: along(number) }
            };
            Some(("Invocations", all.map(lane).collect(), invocation.into()))
        }
        Subject::Pixel([x, y]) => {
            let recording = session.recording()?;
            let covered = recording.covered();
            let lane = |(number, registers): (usize, &Registers)| {
                let [x, y] = [(x & !1) + number as u32 % 2, (y & !1) + number as u32 / 2];
                let is_helper = covered >> number & 1 == 0;
                let (tag, hint) = match (is_helper, registers.killed, along(number)) {
                    (true, ..) => (
                        Some("helper"),
                        "Helper: the primitive does not cover this pixel. The program runs here only for derivatives and \
                         writes nothing.",
                    ),
                    (_, true, _) => {
                        (Some("KIL"), "Discarded: it continues as a helper, only for derivatives")
                    }
                    (.., true) => (None, ALONG),
                    (.., false) => (Some("idle"), ELSEWHERE),
                };
                Lane { name: format!("{x}, {y}"), tag, hint, along: along(number) }
            };
            Some(("Quad", all.map(lane).collect(), recording.lane()))
        }
        Subject::Vertex(_)
        | Subject::PatchVertex { .. }
        | Subject::Primitive { .. }
        | Subject::StateProgram(_) => None,
    }
}

/// Shows the register that the current step writes in each lane, after the step. Lanes that do not run the
/// step are dimmed, and outlines mark the written components of the subject's lane. Below are the values that
/// the step reads in other pixels of the quad.
pub(super) fn side_by_side(
    ui: &mut Ui,
    session: &DebugSession,
    (format, folded): (ValueFormat, &Folded),
    actions: &mut Vec<Action>,
) {
    let Some(step) = session.current_step() else { return };
    let Some((title, lanes, own)) = lanes(session, step) else { return };
    let target = session.program().and_then(|program| program.instructions[step.pc].target());
    // Parameters are shared by all lanes, so one row per lane would repeat them.
    let place = target.and_then(|target| register_of(target, step));
    let place = place.filter(|place| !matches!(place, Register::Param(_)));
    let is_empty = place.is_none() && session.quad().is_none();
    let columns_at = place.map(|_| VALUES_AT);
    if is_empty || !sections::header(ui, (Section::Lanes, title), columns_at, folded, actions) {
        return;
    }
    if let Some(place) = place {
        for (number, (lane, registers)) in lanes.iter().zip(session.lanes_after()).enumerate() {
            let Some((bits, types, defined)) = held(registers, place) else { return };
            let marks = std::array::from_fn(|c| Mark {
                written: number == own && step.enabled >> c & 1 != 0,
                undefined: defined >> c & 1 == 0,
                dimmed: !lane.along,
                ..Mark::default()
            });
            row(ui, lane, (bits, types, marks), format);
        }
        explain(ui, &lanes);
        ui.add_space(8.0);
    }
    neighbours(ui, session, &lanes, format);
}

/// A register of a lane: its bits, their types, and a mask of the defined components.
fn held(registers: &Registers, place: Register) -> Option<(Components, [Type; 4], u8)> {
    Some(match place {
        Register::Temp(TempId(id)) => {
            let id = usize::from(id);
            (registers.temporaries[id], registers.temporaries_types[id], registers.temporaries_defined[id])
        }
        Register::Output(OutputId(id)) => {
            let id = usize::from(id);
            (registers.outputs[id], registers.outputs_types[id], registers.outputs_defined[id])
        }
        Register::Param(_) => return None,
    })
}

fn row(
    ui: &mut Ui,
    lane: &Lane,
    (bits, types, marks): (Components, [Type; 4], [Mark; 4]),
    format: ValueFormat,
) {
    let row = Row { name: &lane.name, kind: NameKind::Stage, hint: lane.hint, bits, types, marks };
    match lane.tag {
        Some(tag) => {
            let extra = Extra { swatch: None, tag: Some(tag.to_owned()), at: VALUES_AT };
            values::show_with(ui, &row, format, extra);
        }
        None => _ = values::show(ui, &row, format),
    }
}

/// Explains helpers and discarded pixels, if there are any.
fn explain(ui: &mut Ui, lanes: &[Lane]) {
    let has = |tag: &str| lanes.iter().any(|lane| lane.tag == Some(tag));
    let words = match (has("helper"), has("KIL")) {
        (true, true) => {
            "Helpers are not covered by the primitive. They and discarded pixels run only for derivatives."
        }
        (true, false) => "Helpers are not covered by the primitive. They run only for derivatives.",
        (false, true) => "Discarded pixels continue only for derivatives.",
        (false, false) => return,
    };
    ui.add_space(3.0);
    ui.add(egui::Label::new(theme::caption(ui, words)).wrap());
}

/// The operand in each pixel of the quad, and the differences that the step uses.
fn neighbours(ui: &mut Ui, session: &DebugSession, lanes: &[Lane], format: ValueFormat) {
    let Some(quad) = session.quad() else { return };
    values::columns(ui, "Operand in each pixel");
    let types = [Type::F32; 4];
    let marks = std::array::from_fn(|c| Mark { dimmed: quad.used >> c & 1 == 0, ..Mark::default() });
    let taken = |number: usize| {
        quad.differences.iter().any(|difference| number == difference.to || number == difference.from)
    };
    for (number, (lane, bits)) in lanes.iter().zip(&quad.values).enumerate() {
        let marks = marks.map(|mark: Mark| Mark { read: taken(number) && !mark.dimmed, ..mark });
        row(ui, lane, (*bits, types, marks), format);
    }
    for difference in &quad.differences {
        let (name, what) =
            if difference.is_vertical { ("d/dy", "upper minus lower") } else { ("d/dx", "right minus left") };
        let [to, from] =
            [difference.to, difference.from].map(|lane| lanes.get(lane).map_or("", |lane| &lane.name));
        let hint = format!("Pixel ({to}) minus pixel ({from}): {what}");
        let row = Row { name, kind: NameKind::Stage, hint: &hint, bits: difference.value, types, marks };
        values::show(ui, &row, format);
    }
    ui.add_space(8.0);
}
