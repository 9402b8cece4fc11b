//! The wide executor against the scalar one: random programs, every register of every lane after
//! every instruction, on every instruction set of this processor; and whole blocks through the fast
//! road with its guard.
//!
//! `SHADESTEP_FUZZ_SECONDS=n` makes it go on for n seconds with fresh seeds, `SHADESTEP_FUZZ_SEED=n` tries
//! that seed alone.

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use shadestep_engine::debug::Ended;
use shadestep_engine::exec::{
    AttributeRows, Bindings, BlockOutput, BlockShader, Executable, Finished, Inspection, InstructionLimit,
    LANES, QUAD, QuadInputs, QuadRegisters, Registers, Shader, VertexInputs, VertexRows, VertexShader,
    run_quad, run_quad_within, run_vertex_within,
};
use shadestep_engine::ir::{Attribute, OutputRole, Program, disassemble, verify};
use shadestep_engine::isa::{Language, Stage};
use support::arb;
use support::random::{self, Random};
use support::vertex;

/// Seeds to try: a fixed number, or as many as fit into the time asked for.
fn seeds() -> Box<dyn Iterator<Item = u64>> {
    let number = |name| std::env::var(name).ok().and_then(|s: String| s.parse::<u64>().ok());
    if let Some(seed) = number("SHADESTEP_FUZZ_SEED") {
        return Box::new(std::iter::once(seed));
    }
    match number("SHADESTEP_FUZZ_SECONDS") {
        None => Box::new(0..400),
        Some(seconds) => {
            let end = Instant::now() + Duration::from_secs(seconds);
            let start = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
            Box::new((start..).take_while(move |_| Instant::now() < end))
        }
    }
}

fn quad_inputs(rows: &AttributeRows, quad: usize) -> QuadInputs {
    let mut inputs = QuadInputs::default();
    for attribute in Attribute::VERTEX {
        for lane in 0..QUAD {
            inputs.attributes[attribute.index()][lane] =
                std::array::from_fn(|c| rows.row(attribute, c).0[quad * QUAD + lane]);
        }
    }
    inputs
}

fn vertex_inputs(rows: &AttributeRows, lane: usize) -> VertexInputs {
    Attribute::VERTEX.map(|attribute| std::array::from_fn(|c| rows.row(attribute, c).0[lane]))
}

fn same(a: &[f32; 4], b: &[f32; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

fn compare(wide: &Registers, scalar: &Registers) -> Result<(), String> {
    for (index, (w, s)) in wide.temporaries.iter().zip(&scalar.temporaries).enumerate() {
        if !same(w, s) {
            return Err(format!("temporary {index}: wide {w:?}, scalar {s:?}"));
        }
    }
    for (index, (w, s)) in wide.outputs.iter().zip(&scalar.outputs).enumerate() {
        if !same(w, s) {
            return Err(format!("output {index}: wide {w:?}, scalar {s:?}"));
        }
    }
    if !wide.cc.iter().zip(&scalar.cc).all(|(wide, scalar)| same(wide, scalar)) {
        return Err(format!("condition code: wide {:?}, scalar {:?}", wide.cc, scalar.cc));
    }
    if wide.killed != scalar.killed {
        return Err(format!("killed: wide {}, scalar {}", wide.killed, scalar.killed));
    }
    Ok(())
}

/// Compares the executors on a program without flow: every register of every lane after every instruction.
fn check_steps(seed: u64, program: &Arc<Program>, bindings: &Bindings, rows: &AttributeRows) {
    let mut traces: Vec<Vec<QuadRegisters>> = Vec::new();
    for quad in 0..LANES / QUAD {
        let mut trace = Vec::new();
        let _ = run_quad(program, bindings, &quad_inputs(rows, quad), |_, registers| {
            trace.push(registers.clone());
        });
        traces.push(trace);
    }
    for (name, mut wide) in Inspection::all(program, bindings, rows) {
        for (step, instruction) in program.instructions[program.entry..].iter().enumerate() {
            wide.step();
            for lane in 0..LANES {
                let scalar = &traces[lane / QUAD][step][lane % QUAD];
                if let Err(difference) = compare(&wide.registers(lane), scalar) {
                    panic!(
                        "seed {seed}, {name}, step {step}, lane {lane}: {difference}\n{instruction:#?}\n{}",
                        disassemble(program)
                    );
                }
            }
        }
    }
}

#[test]
fn every_register_after_every_instruction() {
    for seed in seeds() {
        let mut random = Random::new(seed);
        let length = 1 + random.below(24);
        let program = Arc::new(random::program(&mut random, length));
        let bindings = random::bindings(&mut random, &program);
        let rows = random::attributes(&mut random, Random::value);
        check_steps(seed, &program, &bindings, &rows);
    }
}

#[test]
fn every_register_after_every_instruction_of_vertex_programs() {
    for seed in seeds() {
        let mut random = Random::new(seed ^ 0x0E57);
        let language = *random.pick(&[Language::Vp1, Language::Vp1_1, Language::Vp2, Language::Vp2]);
        let length = 1 + random.below(24);
        let mut program = vertex::straight(&mut random, language, length);
        if language == Language::Vp2 && random.chance(4) {
            // Behind `main`, as far as the end.
            program.entry = random.below(length + 1);
            vertex::label(&mut program);
        }
        let program = Arc::new(program);
        let bindings = vertex::bindings(&mut random, &program, Random::value);
        let rows = vertex::attributes(&mut random, Random::value);
        check_steps(seed, &program, &bindings, &rows);
    }
}

fn check_block(seed: u64, program: &Arc<Program>, bindings: &Bindings, rows: &AttributeRows, active: u64) {
    let shader = Shader::new(Arc::new(Executable::new(program.clone())), bindings.clone());
    let mut worker = BlockShader::worker(&shader);
    let mut output = BlockOutput::default();
    // Twice, so that a second block meets the registers the first left behind.
    for _ in 0..2 {
        BlockShader::run(&shader, &mut worker, rows, active, &mut output);
    }
    for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
        let scalar = &run_quad(program, bindings, &quad_inputs(rows, lane / QUAD), |_, _| {})[lane % QUAD];
        assert_eq!(output.killed >> lane & 1 != 0, scalar.killed, "seed {seed} lane {lane} killed");
        if scalar.killed {
            continue;
        }
        if let Some(id) = program.output(OutputRole::Color(0)) {
            let wide = std::array::from_fn(|c| output.color[c].0[lane]);
            let scalar = &scalar.outputs[usize::from(id.0)];
            assert!(
                same(&wide, scalar),
                "seed {seed} lane {lane}: wide {wide:?}, scalar {scalar:?}\n{program:#?}"
            );
        }
        if let Some(id) = program.output(OutputRole::Depth) {
            let scalar = scalar.outputs[usize::from(id.0)][2];
            assert_eq!(output.depth.0[lane].to_bits(), scalar.to_bits(), "seed {seed} lane {lane} depth");
        }
    }
}

#[test]
fn whole_blocks_with_liveness_and_guard() {
    for seed in seeds() {
        let mut random = Random::new(seed ^ 0xB10C);
        let length = 1 + random.below(40);
        let program = Arc::new(random::program(&mut random, length));
        let bindings = random::bindings(&mut random, &program);
        let wild = random.chance(2);
        let rows = random::attributes(&mut random, if wild { Random::value } else { Random::tame_value });
        let active = if random.chance(2) { u64::MAX } else { random.next() << 16 ^ random.next() };
        check_block(seed, &program, &bindings, &rows, active);
    }
}

/// What the scalar executor makes of every lane.
fn vertices(
    program: &Program,
    bindings: &Bindings,
    rows: &AttributeRows,
    limit: InstructionLimit,
) -> Vec<Finished> {
    (0..LANES).map(|lane| run_vertex_within(program, bindings, &vertex_inputs(rows, lane), limit)).collect()
}

/// Compares the results of whole blocks, with liveness and guard.
fn check_vertices(
    seed: u64,
    shader: &Shader,
    program: &Program,
    rows: &AttributeRows,
    active: u64,
    scalar: &[Finished],
) {
    let mut worker = VertexShader::worker(shader);
    let mut output = VertexRows::default();
    let written = shader.results_written();
    for block in 0..2 {
        VertexShader::run(shader, &mut worker, rows, active, &mut output);
        for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
            for (declared, scalar) in program.outputs.iter().zip(&scalar[lane].registers.outputs) {
                let OutputRole::Vertex(result) = declared.role else { panic!("a vertex result") };
                assert!(written >> result.index() & 1 != 0);
                let wide = std::array::from_fn(|c| output.row(result, c).0[lane]);
                assert!(
                    same(&wide, scalar),
                    "seed {seed}, block {block}, lane {lane}, {}: wide {wide:?}, scalar {scalar:?}\n{}",
                    declared.name,
                    disassemble(program)
                );
            }
        }
    }
}

fn lane_mask(random: &mut Random) -> u64 {
    match random.below(4) {
        0 | 1 => u64::MAX,
        2 => 1 << random.below(LANES),
        _ => random.next() << 16 ^ random.next(),
    }
}

#[test]
fn whole_blocks_of_vertices() {
    for seed in seeds() {
        let mut random = Random::new(seed ^ 0x7E57);
        let language = *random.pick(&[Language::Vp1, Language::Vp1_1, Language::Vp2]);
        let length = 1 + random.below(40);
        let program = Arc::new(vertex::straight(&mut random, language, length));
        let value = if random.chance(2) { Random::value } else { Random::tame_value };
        let bindings = vertex::bindings(&mut random, &program, value);
        let rows = vertex::attributes(&mut random, value);
        let active = lane_mask(&mut random);
        let shader = Shader::new(Arc::new(Executable::new(program.clone())), bindings.clone());
        let scalar = vertices(&program, &bindings, &rows, InstructionLimit::default());
        check_vertices(seed, &shader, &program, &rows, active, &scalar);
    }
}

#[test]
fn branching_programs_end_with_the_same_registers_after_as_many_instructions() {
    let (mut normal, mut overflown, mut limited, mut diverged) = (0, 0, 0, 0);
    for seed in seeds() {
        let mut random = Random::new(seed ^ 0xF10E);
        let length = 1 + random.below(30);
        let program = Arc::new(vertex::branching(&mut random, length));
        let value = if random.chance(3) { Random::value } else { Random::tame_value };
        let bindings = vertex::bindings(&mut random, &program, value);
        let rows = vertex::attributes(&mut random, value);
        let active = lane_mask(&mut random);
        // Small enough to be met often, at any place of a block.
        let limit = InstructionLimit(1 + random.below(200) as u32);
        let scalar = vertices(&program, &bindings, &rows, limit);
        for end in &scalar {
            match end.ended {
                Ended::Normal => normal += 1,
                Ended::CallOverflow => overflown += 1,
                Ended::InstructionLimit => limited += 1,
                Ended::StackMismatch | Ended::BlockOverflow => panic!("the language has neither"),
            }
        }
        diverged += u32::from(scalar.iter().any(|end| end.executed != scalar[0].executed));
        for (name, mut wide) in Inspection::all(&program, &bindings, &rows) {
            wide.finish(active, limit);
            for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
                let end = &scalar[lane];
                let difference = compare(&wide.registers(lane), &end.registers).err().or_else(|| {
                    let executed = wide.executed(lane);
                    (executed != end.executed)
                        .then(|| format!("wide executed {executed}, scalar {}", end.executed))
                });
                if let Some(difference) = difference {
                    panic!("seed {seed}, {name}, lane {lane}, {limit:?}: {difference}\n{program:#?}");
                }
            }
        }
        let shader = Shader::new(Arc::new(Executable::new(program.clone())), bindings).with_limit(limit);
        check_vertices(seed, &shader, &program, &rows, active, &scalar);
    }
    // The comparison is worth something only if programs do all these things.
    let all = [("normal", normal), ("overflown", overflown), ("limited", limited), ("diverged", diverged)];
    for (what, count) in all {
        assert!(count > 0, "no program was {what}: {all:?}");
    }
}

const ARB_LANGUAGES: [Language; 6] = [
    Language::ArbFp1,
    Language::ArbFp1Nv1,
    Language::ArbFp1Nv2,
    Language::ArbVp1,
    Language::ArbVp1Nv2,
    Language::ArbVp1Nv3,
];

/// A random ARB program holds to what the verifier knows; so the generator makes what a front end could.
#[track_caller]
fn assert_verified(seed: u64, program: &Program) {
    assert_eq!(verify(program), Ok(()), "seed {seed}\n{}\n{program:#?}", disassemble(program));
}

#[test]
fn every_register_after_every_instruction_of_arb_programs() {
    for seed in seeds() {
        let mut random = Random::new(seed ^ 0xA2B);
        let language = *random.pick(&ARB_LANGUAGES);
        let length = 1 + random.below(24);
        let program = Arc::new(arb::straight(&mut random, language, length));
        assert_verified(seed, &program);
        let bindings = arb::bindings(&mut random, &program, Random::value);
        let rows = arb::attributes(&mut random, Random::value);
        check_steps(seed, &program, &bindings, &rows);
    }
}

/// What the scalar executor makes of every lane of `lanes`.
fn finished(
    program: &Program,
    (bindings, rows): (&Bindings, &AttributeRows),
    limit: InstructionLimit,
) -> Vec<Finished> {
    if program.language.stage() == Stage::Vertex {
        return vertices(program, bindings, rows, limit);
    }
    let quad = |quad| run_quad_within(program, bindings, &quad_inputs(rows, quad), limit);
    (0..LANES / QUAD).flat_map(quad).collect()
}

/// Compares the executors' registers of a program with flow after some numbers of instructions, each lane's own; so every place
/// where lanes can be is looked at. Gives how the lanes ended with the greatest of the limits.
fn check_limits(
    seed: u64,
    random: &mut Random,
    program: &Arc<Program>,
    inputs: (&Bindings, &AttributeRows),
    lanes: u64,
) -> Vec<Finished> {
    let (bindings, rows) = inputs;
    let mut limits: Vec<u32> = (0..6).map(|_| 1 + random.below(60) as u32).collect();
    limits.push(600);
    let mut executors = Inspection::all(program, bindings, rows);
    let mut last = Vec::new();
    for limit in limits.into_iter().map(InstructionLimit) {
        last = finished(program, inputs, limit);
        for (name, wide) in &mut executors {
            wide.finish(lanes, limit);
            for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
                let end = &last[lane];
                let difference = compare(&wide.registers(lane), &end.registers).err().or_else(|| {
                    let executed = wide.executed(lane);
                    (executed != end.executed)
                        .then(|| format!("wide executed {executed}, scalar {}", end.executed))
                });
                if let Some(difference) = difference {
                    panic!(
                        "seed {seed}, {name}, lane {lane}, {limit:?}: {difference}\n{}",
                        disassemble(program)
                    );
                }
            }
        }
    }
    last
}

#[test]
fn structured_flow_has_the_same_registers_after_as_many_instructions() {
    let (mut normal, mut calls, mut blocks, mut stacks, mut limited, mut diverged) = (0, 0, 0, 0, 0, 0);
    for seed in seeds() {
        let mut random = Random::new(seed ^ 0x57F10);
        let languages = [Language::ArbFp1Nv2, Language::ArbFp1Nv2, Language::ArbVp1Nv2, Language::ArbVp1Nv3];
        let language = *random.pick(&languages);
        let length = 2 + random.below(14);
        let program = Arc::new(arb::flowing(&mut random, language, length));
        assert_verified(seed, &program);
        let value = if random.chance(3) { Random::value } else { Random::tame_value };
        let bindings = arb::bindings(&mut random, &program, value);
        let rows = arb::attributes(&mut random, value);
        let lanes = if language.stage() == Stage::Fragment { u64::MAX } else { lane_mask(&mut random) };
        let ends = check_limits(seed, &mut random, &program, (&bindings, &rows), lanes);
        for end in &ends {
            match end.ended {
                Ended::Normal => normal += 1,
                Ended::CallOverflow => calls += 1,
                Ended::BlockOverflow => blocks += 1,
                Ended::StackMismatch => stacks += 1,
                Ended::InstructionLimit => limited += 1,
            }
        }
        diverged += u32::from(ends.iter().any(|end| end.executed != ends[0].executed));
    }
    // The comparison is worth something only if programs do all these things.
    let all = [
        ("ended normally", normal),
        ("ended by calls", calls),
        ("ended by blocks", blocks),
        ("ended by the stack", stacks),
        ("limited", limited),
        ("diverged", diverged),
    ];
    for (what, count) in all {
        assert!(count > 0, "no program {what}: {all:?}");
    }
}

#[test]
fn whole_blocks_of_structured_flow_with_liveness_and_guard() {
    for seed in seeds() {
        let mut random = Random::new(seed ^ 0xB10CF);
        let language = *random.pick(&[Language::ArbFp1Nv2, Language::ArbFp1Nv2, Language::ArbVp1Nv3]);
        let length = 2 + random.below(14);
        let program = Arc::new(arb::flowing(&mut random, language, length));
        let value = if random.chance(2) { Random::value } else { Random::tame_value };
        let bindings = arb::bindings(&mut random, &program, value);
        let rows = arb::attributes(&mut random, value);
        let limit = InstructionLimit(400);
        let scalar = finished(&program, (&bindings, &rows), limit);
        let executable = Arc::new(Executable::new(program.clone()));
        let shader = Shader::new(executable, bindings.clone()).with_limit(limit);
        let active = lane_mask(&mut random);
        if language.stage() == Stage::Vertex {
            check_vertices(seed, &shader, &program, &rows, active, &scalar);
            continue;
        }
        let mut worker = BlockShader::worker(&shader);
        let mut output = BlockOutput::default();
        for _ in 0..2 {
            BlockShader::run(&shader, &mut worker, &rows, active, &mut output);
            check_fragments(seed, &program, &output, active, &scalar);
        }
    }
}

/// Compares what a block gave with what the scalar executor made of its lanes.
fn check_fragments(seed: u64, program: &Program, output: &BlockOutput, active: u64, scalar: &[Finished]) {
    for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
        let end = &scalar[lane].registers;
        if active & !output.killed == 0 {
            // Nobody is left, so nothing else needs to agree.
            assert!(end.killed, "seed {seed} lane {lane}");
            continue;
        }
        assert_eq!(output.killed >> lane & 1 != 0, end.killed, "seed {seed} lane {lane} killed");
        if end.killed {
            continue;
        }
        for (declared, scalar) in program.outputs.iter().zip(&end.outputs) {
            let wide: [f32; 4] = match declared.role {
                OutputRole::Color(0) => std::array::from_fn(|c| output.color[c].0[lane]),
                OutputRole::Color(n) => {
                    std::array::from_fn(|c| output.other_colors[usize::from(n) - 1][c].0[lane])
                }
                OutputRole::Depth => {
                    let z = output.depth.0[lane];
                    assert_eq!(z.to_bits(), scalar[2].to_bits(), "seed {seed} lane {lane} depth");
                    continue;
                }
                OutputRole::Vertex(_) => panic!("a fragment's output"),
            };
            assert!(
                same(&wide, scalar),
                "seed {seed} lane {lane} {}: wide {wide:?}, scalar {scalar:?}\n{}",
                declared.name,
                disassemble(program)
            );
        }
    }
}
