//! Runs geometry programs on four primitives: as recordings, one at a time, and in blocks. The comparison
//! includes the emitted vertices.

use std::fmt::Write;

use shadestep_core::exec::{
    Bindings, Finished, GeometryShader, InstructionLimit, PrimitiveInputs, Stream, run_primitive,
};
use shadestep_engine::ir::{Attribute, Program};

use crate::common::compiled::Compiled;

use super::blocks;
use super::ends::{End, RegisterIndex, compare_end, compare_register, register_index};
use super::format::{Fact, Run};
use super::memory;

/// The values in lane `lane` of the attributes that `program` reads.
pub fn primitive(program: &Program, run: &Run, lane: usize) -> PrimitiveInputs {
    let read = program.attributes().into_iter();
    PrimitiveInputs(
        read.map(|attribute: Attribute| (attribute, run.attribute(attribute.index())[lane])).collect(),
    )
}

/// Compares four primitives.
pub fn check(compiled: &Compiled, run: &Run, bindings: &Bindings, faults: &mut String) -> Result<(), String> {
    let program = &compiled.program;
    for lane in 0..4 {
        let inputs = primitive(program, run, lane);
        let limit = InstructionLimit::of(program);
        let Finished { registers, ended, executed, emitted, .. } =
            run_primitive(program, bindings, &inputs, limit);
        let end = End { executed: Some(executed), ended: Some(ended), ..End::from(&registers) };
        let who = format!("scalar, primitive {lane}");
        compare_end(program, run, lane, &who, &end, faults)?;
        compare_emitted(program, run, lane, (&who, &emitted), faults)?;
    }
    memory::compare(run, bindings, "scalar", faults);
    for place in blocks::places(run) {
        check_block(compiled, run, bindings, place, faults)?;
    }
    blocks::check_registers_at_places(compiled, run, bindings, faults)
}

/// Compares the emitted vertices of the four lanes at `place` of a block: alone, among others, and one lane
/// at a time.
fn check_block(
    compiled: &Compiled,
    run: &Run,
    bindings: &Bindings,
    place: usize,
    faults: &mut String,
) -> Result<(), String> {
    let program = &compiled.program;
    let mut bindings = bindings.clone();
    memory::begin(run, &mut bindings)?;
    let shader = compiled.shader(bindings.clone());
    let inputs = blocks::attributes(run, program, place);
    let mut worker = GeometryShader::worker(&shader);
    let four = 0xF << (place * 4);
    let single = (0..4).map(|lane| 1 << (place * 4 + lane));
    for active in [four, u64::MAX].into_iter().chain(single) {
        worker.run(&inputs, active);
        let emissions = worker.take_emissions();
        if memory::is_used(run) && active == four {
            memory::compare(run, &bindings, &format!("wide, place {place}"), faults);
        }
        if program.writes_memory() && active != four {
            continue;
        }
        for lane in (0..4).filter(|lane| active >> (place * 4 + lane) & 1 != 0) {
            let who = format!("wide, place {place}, active {active:x}, lane {lane}");
            compare_emitted(program, run, lane, (&who, &emissions.stream(place * 4 + lane)), faults)?;
        }
    }
    Ok(())
}

/// Compares the emitted vertices of `lane` with the expectations of `run`.
fn compare_emitted(
    program: &Program,
    run: &Run,
    lane: usize,
    (who, emitted): (&str, &Stream),
    faults: &mut String,
) -> Result<(), String> {
    for expectation in run.expectations.iter().filter(|e| e.lanes().contains(&lane)) {
        let line = expectation.line;
        match &expectation.fact {
            Fact::Emitted(marks) if *marks != emitted.marks() => {
                let _ = writeln!(faults, "  line {line}: {who}: emitted {:?}", emitted.marks());
            }
            Fact::Vertex(vertex, held) => {
                let RegisterIndex::Output(index) = register_index(program, &held.name)? else {
                    return Err(format!("  `{}` is no result\n", held.name));
                };
                if *vertex >= emitted.len() {
                    let _ = writeln!(faults, "  line {line}: {who}: {} vertices emitted", emitted.len());
                    continue;
                }
                let got = emitted.results(*vertex)[index].map(Some);
                compare_register((line, held), &format!("{who}, vertex {vertex}"), got, faults);
            }
            _ => {}
        }
    }
    Ok(())
}
