//! Comparisons of the batch executor with the reference interpreter, bit by bit. Each comparison panics at
//! the first difference.

use std::sync::Arc;

use shadestep_core::exec::{
    AttributeLanes, Bindings, BlockOutput, BlockShader, Executable, Finished, Inspection, InstructionLimit,
    Interpolants, LANES, QUAD, QuadInputs, QuadRegisters, QuadValues, Registers, ResultLanes, Shader,
    VertexShader, run_quad, run_quad_within, run_vertex_within,
};
use shadestep_engine::isa::Stage;
use shadestep_language::ir::{Attribute, OutputRole, Program, disassemble, single_bits, verify};

use super::random::Random;

/// Interpolants of a block, seen from one of its quads. The second field is the quad's number.
#[derive(Debug)]
struct OfQuad(Arc<dyn Interpolants>, usize);

impl Interpolants for OfQuad {
    fn at(&self, attribute: Attribute, quad: usize, offset: [f64; 2], values: &mut QuadValues) {
        self.0.at(attribute, self.1 + quad, offset, values);
    }

    fn centroid(&self, quad: usize, lane: usize) -> [f64; 2] {
        self.0.centroid(self.1 + quad, lane)
    }

    fn sample(&self, number: u32) -> Option<[f64; 2]> {
        self.0.sample(number)
    }
}

/// Shaders of the program for every instruction set, interpreted and compiled to machine code.
pub fn shaders(program: &Arc<Program>, bindings: &Bindings) -> impl Iterator<Item = Shader> {
    let executables = Executable::all(program).into_iter();
    executables.map(|executable| Shader::new(Arc::new(executable), bindings.clone()))
}

fn quad_inputs(attributes: &AttributeLanes, quad: usize) -> QuadInputs {
    let mut inputs = QuadInputs::default();
    for attribute in Attribute::VERTEX {
        for lane in 0..QUAD {
            inputs.attributes[attribute.index()][lane] =
                std::array::from_fn(|c| attributes.register(attribute, c).0[quad * QUAD + lane]);
        }
    }
    if let Some(interpolants) = attributes.interpolants() {
        inputs.interpolants = Some(Arc::new(OfQuad(Arc::clone(interpolants), quad)));
    }
    inputs
}

pub fn compare(wide: &Registers, scalar: &Registers) -> Result<(), String> {
    for (index, (w, s)) in wide.temporaries.iter().zip(&scalar.temporaries).enumerate() {
        if w != s {
            return Err(format!("temporary {index}: wide {w:?}, scalar {s:?}"));
        }
    }
    for (index, (w, s)) in wide.outputs.iter().zip(&scalar.outputs).enumerate() {
        if w != s {
            return Err(format!("output {index}: wide {w:?}, scalar {s:?}"));
        }
    }
    if wide.cc != scalar.cc {
        return Err(format!("condition code: wide {:?}, scalar {:?}", wide.cc, scalar.cc));
    }
    if wide.killed != scalar.killed {
        return Err(format!("killed: wide {}, scalar {}", wide.killed, scalar.killed));
    }
    Ok(())
}

/// Compares every register of every lane after every instruction. The program must have no control flow.
pub fn check_steps(seed: u64, program: &Arc<Program>, bindings: &Bindings, attributes: &AttributeLanes) {
    let mut traces: Vec<Vec<QuadRegisters>> = Vec::new();
    for quad in 0..LANES / QUAD {
        let mut trace = Vec::new();
        let _ = run_quad(program, bindings, &quad_inputs(attributes, quad), |_, registers| {
            trace.push(registers.clone());
        });
        traces.push(trace);
    }
    for (name, mut wide) in Inspection::all(program, bindings, attributes) {
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

pub fn check_block(
    seed: u64,
    program: &Arc<Program>,
    bindings: &Bindings,
    attributes: &AttributeLanes,
    active: u64,
) {
    for shader in shaders(program, bindings) {
        let mut worker = BlockShader::worker(&shader);
        let mut output = BlockOutput::default();
        // Two runs, so that the second block finds the registers that the first block left.
        for _ in 0..2 {
            BlockShader::run(&shader, &mut worker, attributes, active, &mut output);
        }
        check_output(seed, program, bindings, attributes, active, &output);
    }
}

fn check_output(
    seed: u64,
    program: &Arc<Program>,
    bindings: &Bindings,
    attributes: &AttributeLanes,
    active: u64,
    output: &BlockOutput,
) {
    for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
        let scalar =
            &run_quad(program, bindings, &quad_inputs(attributes, lane / QUAD), |_, _| {})[lane % QUAD];
        assert_eq!(output.killed >> lane & 1 != 0, scalar.killed, "seed {seed} lane {lane} killed");
        if scalar.killed {
            continue;
        }
        if let Some(id) = program.output(OutputRole::Color(0)) {
            let wide = single_bits(std::array::from_fn(|c| output.color[c].0[lane]));
            let scalar = scalar.outputs[usize::from(id.0)];
            assert!(
                wide == scalar,
                "seed {seed} lane {lane}: wide {wide:?}, scalar {scalar:?}\n{program:#?}"
            );
        }
        if let Some(id) = program.output(OutputRole::Depth) {
            let scalar = scalar.outputs[usize::from(id.0)][2];
            assert_eq!(u64::from(output.depth.0[lane].to_bits()), scalar, "seed {seed} lane {lane} depth");
        }
    }
}

/// Runs every lane of a vertex program on the reference interpreter.
pub fn vertices(
    program: &Program,
    bindings: &Bindings,
    attributes: &AttributeLanes,
    limit: InstructionLimit,
) -> Vec<Finished> {
    (0..LANES).map(|lane| run_vertex_within(program, bindings, &attributes.vertex(lane), limit)).collect()
}

/// Compares the results of whole blocks. The shader is free to remove dead code.
pub fn check_vertices(
    seed: u64,
    shader: &Shader,
    program: &Program,
    attributes: &AttributeLanes,
    active: u64,
    scalar: &[Finished],
) {
    let mut worker = VertexShader::worker(shader);
    let mut output = ResultLanes::default();
    let written = shader.results_written();
    for block in 0..2 {
        VertexShader::run(shader, &mut worker, attributes, active, &mut output);
        for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
            for (declared, scalar) in program.outputs.iter().zip(&scalar[lane].registers.outputs) {
                let OutputRole::Vertex(result) = declared.role else { panic!("a vertex result") };
                assert!(written >> result.index() & 1 != 0);
                let wide: [f32; 4] = std::array::from_fn(|c| output.register(result, c).0[lane]);
                assert!(
                    single_bits(wide) == *scalar,
                    "seed {seed}, block {block}, lane {lane}, {}: wide {wide:?}, scalar {scalar:?}\n{}",
                    declared.name,
                    disassemble(program)
                );
            }
        }
    }
}

pub fn lane_mask(random: &mut Random) -> u64 {
    match random.below(4) {
        0 | 1 => u64::MAX,
        2 => 1 << random.below(LANES),
        _ => random.next() << 16 ^ random.next(),
    }
}

/// Asserts that a random ARB program passes the verifier. Otherwise the generator makes programs that no
/// front end can produce.
#[track_caller]
pub fn assert_verified(seed: u64, program: &Program) {
    assert_eq!(verify(program), Ok(()), "seed {seed}\n{}\n{program:#?}", disassemble(program));
}

/// Runs the lanes in `lanes` on the reference interpreter.
pub fn finished(
    program: &Program,
    (bindings, attributes): (&Bindings, &AttributeLanes),
    limit: InstructionLimit,
) -> Vec<Finished> {
    if program.stage() == Stage::Vertex {
        return vertices(program, bindings, attributes, limit);
    }
    let quad = |quad| run_quad_within(program, bindings, &quad_inputs(attributes, quad), limit);
    (0..LANES / QUAD).flat_map(quad).collect()
}

/// Compares the executors' registers for a program with control flow. The comparison stops both executors
/// after several instruction limits. Each lane counts its own instructions, so the comparisons cover every
/// position that a lane can reach.
///
/// Returns the end of each lane at the highest limit.
pub fn check_limits(
    seed: u64,
    random: &mut Random,
    program: &Arc<Program>,
    inputs: (&Bindings, &AttributeLanes),
    lanes: u64,
) -> Vec<Finished> {
    let (bindings, attributes) = inputs;
    let mut limits: Vec<u32> = (0..6).map(|_| 1 + random.below(60) as u32).collect();
    limits.push(600);
    let mut executors = Inspection::all(program, bindings, attributes);
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

/// Iterates over the lanes in `lanes`, with their numbers.
pub fn of_lanes(lanes: u64, all: &[Finished]) -> impl Iterator<Item = (usize, &Finished)> {
    all.iter().enumerate().filter(move |(lane, _)| lanes >> lane & 1 != 0)
}

/// Compares the output of a block with the results of the reference interpreter.
pub fn check_fragments<'f>(
    seed: u64,
    program: &Program,
    output: &BlockOutput,
    scalar: impl Iterator<Item = (usize, &'f Finished)>,
) {
    for (lane, end) in scalar {
        let end = &end.registers;
        let listing = || disassemble(program);
        assert_eq!(output.killed >> lane & 1 != 0, end.killed, "seed {seed} lane {lane}\n{}", listing());
        if end.killed {
            continue;
        }
        for (declared, scalar) in program.outputs.iter().zip(&end.outputs) {
            let wide: [f32; 4] = match declared.role {
                OutputRole::Color(n) => std::array::from_fn(|c| output.color_lanes(n)[c].0[lane]),
                OutputRole::Depth => {
                    let z = output.depth.0[lane];
                    assert_eq!(u64::from(z.to_bits()), scalar[2], "seed {seed} lane {lane} depth");
                    continue;
                }
                OutputRole::SecondaryColor(_) => std::array::from_fn(|c| output.secondary[c].0[lane]),
                // A block has no sample mask.
                OutputRole::SampleMask => continue,
                OutputRole::Vertex(_) | OutputRole::Patch(_) => panic!("a fragment's output"),
            };
            assert!(
                single_bits(wide) == *scalar,
                "seed {seed} lane {lane} {}: wide {wide:?}, scalar {scalar:?}\n{}",
                declared.name,
                listing()
            );
        }
    }
}
