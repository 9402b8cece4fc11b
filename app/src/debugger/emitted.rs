//! The vertices that an invocation of a geometry program emitted, with their results and the ends of
//! primitives.

use super::values::{self, Mark, NameKind, Row};
use crate::format;
use crate::format::ValueFormat;
use crate::stepping::DebugSession;
use crate::theme;
use egui::Ui;
use shadestep_engine::exec::Mark as Emitted;

/// Largest number of vertices shown with all results.
const SHOWN: usize = 64;

/// Shows the whole stream of a finished run.
pub fn show(ui: &mut Ui, session: &DebugSession, format: ValueFormat) {
    let (Some(recording), Some(program)) = (session.recording(), session.program()) else { return };
    let stream = &recording.emitted;
    if stream.is_empty() {
        ui.label(theme::caption(ui, "The program emitted no vertices, so this primitive draws nothing."));
        return;
    }
    let mut vertices = 0..SHOWN;
    for mark in stream.marks() {
        let Emitted::Vertex { stream: number } = *mark else {
            ui.label(theme::caption(ui, "End of primitive"));
            ui.add_space(4.0);
            continue;
        };
        let Some(vertex) = vertices.next() else {
            let more = stream.len() - SHOWN;
            let vertices = format::plural(more as u64, "vertex");
            ui.label(theme::caption(ui, format!("{more} more {vertices} not shown")));
            return;
        };
        let to = if number == 0 { String::new() } else { format!(", stream {number}") };
        values::columns(ui, &format!("Emitted vertex {vertex}{to}"));
        let written = recording.emitted_as.get(vertex).map_or(&[][..], |written| written);
        for ((output, bits), written) in program.outputs.iter().zip(stream.results(vertex)).zip(written) {
            let kind = NameKind::Register;
            let marks =
                std::array::from_fn(|c| Mark { undefined: written.defined >> c & 1 == 0, ..Mark::default() });
            let types = written.types;
            values::show(ui, &Row { name: &output.name, kind, hint: "", bits: *bits, types, marks }, format);
        }
    }
}
