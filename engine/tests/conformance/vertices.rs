//! Runs vertex programs on four vertices, scalar and wide, and vertex state programs, scalar.

use std::fmt::Write;
use std::sync::Arc;

use shadestep_engine::debug::{Recording, StateCursor, Subject};
use shadestep_engine::exec::{
    AttributeRows, Bindings, Executable, Finished, Inspection, InstructionLimit, Shader, VertexInputs,
    VertexRows, VertexShader, record_state_program, record_vertex, run_state_program, run_vertex,
};
use shadestep_engine::ir::{OutputRole, Program};

use crate::ends::{End, Place, compare_end, compare_register, place_of};
use crate::format::{Fact, Run};
use crate::run::{QUADS, rows};

/// One vertex of `run`.
fn vertex(run: &Run, lane: usize) -> VertexInputs {
    std::array::from_fn(|attribute| run.attributes[attribute][lane])
}

/// The state that `recording` ends with.
fn recorded_end(recording: &Recording) -> End {
    let mut cursor = StateCursor::new(recording);
    cursor.seek(recording, recording.steps.len());
    let executed = u32::try_from(recording.steps.len()).ok();
    End { executed, ended: Some(recording.ended), ..End::from(cursor.state()) }
}

/// Four vertices: run and recorded one by one, and in blocks.
pub fn check_vertices(
    program: &Arc<Program>,
    run: &Run,
    bindings: &Bindings,
    faults: &mut String,
) -> Result<(), String> {
    for lane in 0..4 {
        let inputs = vertex(run, lane);
        let Finished { registers, ended, executed } = run_vertex(program, bindings, &inputs);
        let end = End { executed: Some(executed), ended: Some(ended), ..End::from(&registers) };
        compare_end(program, run, lane, &format!("scalar, vertex {lane}"), &end, faults)?;
        let recording = record_vertex(program, bindings, &inputs, Subject::Vertex { element: 0 });
        let end = recorded_end(&recording);
        compare_end(program, run, lane, &format!("recorded, vertex {lane}"), &end, faults)?;
    }
    for place in 0..QUADS {
        wide_results(program, run, bindings, place, faults)?;
    }
    for place in [0, 6, QUADS - 1] {
        wide_registers(program, run, bindings, place, faults)?;
    }
    Ok(())
}

/// A vertex state program with the first lane's `v[0]`.
pub fn check_state_program(
    program: &Program,
    run: &Run,
    bindings: &Bindings,
    faults: &mut String,
) -> Result<(), String> {
    if run.expectations.iter().any(|e| e.lane.is_some()) {
        return Err("  a state program runs once: no lanes\n".into());
    }
    let v0 = run.attributes[0][0];
    let recording = record_state_program(program, bindings, v0);
    compare_end(program, run, 0, "recorded", &recorded_end(&recording), faults)?;
    let parameters = run_state_program(program, bindings, v0);
    for expectation in &run.expectations {
        let Fact::Register { name, .. } = &expectation.fact else { continue };
        if let Place::Parameter(index) = place_of(program, name)? {
            compare_register(expectation, "run", parameters[index].map(f32::to_bits), faults);
        }
    }
    Ok(())
}

/// Results of the wide executor: the four vertices alone, among others, each by itself.
fn wide_results(
    program: &Arc<Program>,
    run: &Run,
    bindings: &Bindings,
    place: usize,
    faults: &mut String,
) -> Result<(), String> {
    let shader = Shader::new(Arc::new(Executable::new(Arc::clone(program))), bindings.clone());
    let mut worker = VertexShader::worker(&shader);
    let mut output = VertexRows::default();
    let inputs: AttributeRows = rows(run, program.language.stage(), place);
    let four = 0xF << (place * 4);
    let single = (0..4).map(|lane| 1 << (place * 4 + lane));
    for active in [four, u64::MAX].into_iter().chain(single) {
        VertexShader::run(&shader, &mut worker, &inputs, active, &mut output);
        for lane in (0..4).filter(|lane| active >> (place * 4 + lane) & 1 != 0) {
            let at = place * 4 + lane;
            let who = format!("wide, place {place}, active {active:x}, vertex {lane}");
            for expectation in run.expectations.iter().filter(|e| e.lanes().contains(&lane)) {
                let Fact::Register { name, .. } = &expectation.fact else { continue };
                let Place::Output(index) = place_of(program, name)? else { continue };
                let OutputRole::Vertex(result) = program.outputs[index].role else {
                    return Err(format!("  {name} is no vertex result\n"));
                };
                if shader.results_written() >> result.index() & 1 == 0 {
                    let _ = writeln!(faults, "  {who}: {name} is not among the results written");
                }
                let got = std::array::from_fn(|c| output.row(result, c).0[at].to_bits());
                compare_register(expectation, &who, got, faults);
            }
        }
    }
    Ok(())
}

/// Every register of the wide executor at the end, on every instruction set of this processor.
fn wide_registers(
    program: &Arc<Program>,
    run: &Run,
    bindings: &Bindings,
    place: usize,
    faults: &mut String,
) -> Result<(), String> {
    // In the middle the four vertices are alone, elsewhere among others.
    let lanes = if place == 0 || place == QUADS - 1 { u64::MAX } else { 0xF << (place * 4) };
    let inputs = rows(run, program.language.stage(), place);
    for (set, mut inspection) in Inspection::all(program, bindings, &inputs) {
        inspection.finish(lanes, InstructionLimit::default());
        for lane in 0..4 {
            let at = place * 4 + lane;
            let executed = program.has_flow().then(|| inspection.executed(at));
            let end = End { executed, ..End::from(&inspection.registers(at)) };
            compare_end(program, run, lane, &format!("{set}, place {place}, vertex {lane}"), &end, faults)?;
        }
    }
    Ok(())
}
