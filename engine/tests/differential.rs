//! The wide executor against the scalar one: random programs, every register of every lane after
//! every instruction, on every instruction set of this processor; and whole blocks through the fast
//! road with its guard.
//!
//! `SHADESTEP_FUZZ_SECONDS=n` makes it go on for n seconds with fresh seeds.

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use shadestep_engine::exec::{
    AttributeRows, Bindings, BlockOutput, BlockShader, Executable, Inspection, LANES, QUAD, QuadInputs,
    QuadRegisters, Registers, Shader, run_quad,
};
use shadestep_engine::ir::{Attribute, OutputRole, Program, disassemble};
use support::random::{self, Random};

/// Seeds to try: a fixed number, or as many as fit into the time asked for.
fn seeds() -> Box<dyn Iterator<Item = u64>> {
    let seconds = std::env::var("SHADESTEP_FUZZ_SECONDS").ok().and_then(|s| s.parse::<u64>().ok());
    match seconds {
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
    for attribute in Attribute::FRAGMENT {
        for lane in 0..QUAD {
            inputs.attributes[attribute.index()][lane] =
                std::array::from_fn(|c| rows.row(attribute, c).0[quad * QUAD + lane]);
        }
    }
    inputs
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
    if !same(&wide.cc, &scalar.cc) {
        return Err(format!("condition code: wide {:?}, scalar {:?}", wide.cc, scalar.cc));
    }
    if wide.killed != scalar.killed {
        return Err(format!("killed: wide {}, scalar {}", wide.killed, scalar.killed));
    }
    Ok(())
}

#[test]
fn every_register_after_every_instruction() {
    for seed in seeds() {
        let mut random = Random::new(seed);
        let length = 1 + random.below(24);
        let program = Arc::new(random::program(&mut random, length));
        let bindings = random::bindings(&mut random, &program);
        let rows = random::attributes(&mut random, Random::value);
        let mut traces: Vec<Vec<QuadRegisters>> = Vec::new();
        for quad in 0..LANES / QUAD {
            let mut trace = Vec::new();
            let _ = run_quad(&program, &bindings, &quad_inputs(&rows, quad), |_, registers| {
                trace.push(registers.clone());
            });
            traces.push(trace);
        }
        for (name, mut wide) in Inspection::all(&program, &bindings, &rows) {
            for (pc, instruction) in program.instructions.iter().enumerate() {
                wide.step();
                for lane in 0..LANES {
                    let scalar = &traces[lane / QUAD][pc][lane % QUAD];
                    if let Err(difference) = compare(&wide.registers(lane), scalar) {
                        panic!(
                            "seed {seed}, {name}, instruction {pc}, lane {lane}: {difference}\n{:#?}\n{}",
                            instruction,
                            disassemble(&program)
                        );
                    }
                }
            }
        }
    }
}

fn check_block(seed: u64, program: &Arc<Program>, bindings: &Bindings, rows: &AttributeRows, active: u64) {
    let shader = Shader::new(Arc::new(Executable::new(program.clone())), bindings.clone());
    let mut worker = shader.worker();
    let mut output = BlockOutput::default();
    // Twice, so that a second block meets the registers the first left behind.
    for _ in 0..2 {
        shader.run(&mut worker, rows, active, &mut output);
    }
    for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
        let scalar = &run_quad(program, bindings, &quad_inputs(rows, lane / QUAD), |_, _| {})[lane % QUAD];
        assert_eq!(output.killed >> lane & 1 != 0, scalar.killed, "seed {seed} lane {lane} killed");
        if scalar.killed {
            continue;
        }
        if let Some(id) = program.output(OutputRole::Color) {
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
