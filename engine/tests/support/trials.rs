//! Random trials of the executors: the batch executor and the reference interpreter run a random program with
//! random inputs. Each trial compares the results bit by bit and panics at the first difference.

use std::sync::Arc;

use shadestep_core::exec::{BlockOutput, BlockShader, Finished, Inspection, InstructionLimit, LANES};
use shadestep_engine::isa::{Language, Opcode, Stage};
use shadestep_language::ir::{
    Attribute, Control, Negation, Operand, Program, Source, Subroutine, SubroutineType, SubroutineVariable,
    Subroutines, Swizzle, Type,
};

use super::against::{
    assert_verified, check_block, check_fragments, check_limits, check_steps, check_vertices, compare,
    finished, lane_mask, of_lanes, shaders, vertices,
};
use super::random::{self, Random};
use super::typed::{bind_integers, make_evaluating, make_free, make_textured, make_typed, vary};
use super::{arb, vertex};

/// One trial. If `random` draws from bytes, the bytes decide the trial, otherwise the seed.
pub type Trial = fn(u64, &mut Random);

/// Compares every register of a `!!FP1.0` program after every instruction.
pub fn steps_of_fragments(seed: u64, random: &mut Random) {
    let length = 1 + random.below(24);
    let program = Arc::new(random::program(random, length));
    let bindings = random::bindings(random, &program);
    let attributes = random::attributes(random, Random::value);
    check_steps(seed, &program, &bindings, &attributes);
}

/// Compares every register of a vertex program without control flow after every instruction.
pub fn steps_of_vertices(seed: u64, random: &mut Random) {
    let language = *random.pick(&[Language::Vp1, Language::Vp1_1, Language::Vp2, Language::Vp2]);
    let length = 1 + random.below(24);
    let mut program = vertex::straight(random, language, length);
    if language == Language::Vp2 && random.chance(4) {
        // `main` runs from here to the end of the program.
        program.entry = random.below(length + 1);
        vertex::label(&mut program);
    }
    let program = Arc::new(program);
    let bindings = vertex::bindings(random, &program, Random::value);
    let attributes = vertex::attributes(random, Random::value);
    check_steps(seed, &program, &bindings, &attributes);
}

/// Compares every register after every instruction of a vertex program. Many operations have types other than
/// fp32.
pub fn steps_of_types(seed: u64, random: &mut Random) {
    let length = 1 + random.below(24);
    let mut program = vertex::straight(random, Language::Vp2, length);
    make_typed(random, &mut program);
    let program = Arc::new(program);
    let bindings = vertex::bindings(random, &program, Random::value);
    let attributes = vertex::attributes(random, Random::value);
    check_steps(seed, &program, &bindings, &attributes);
}

/// Compares whole blocks of a vertex program with operations of all types. Half of the programs have
/// branches. A moved value keeps its bits, whether the move has a float or an integer type.
pub fn blocks_of_types(seed: u64, random: &mut Random) {
    let length = 1 + random.below(40);
    let mut program = if random.chance(2) {
        vertex::straight(random, Language::Vp2, length)
    } else {
        vertex::branching(random, length)
    };
    make_typed(random, &mut program);
    let program = Arc::new(program);
    let bindings = vertex::bindings(random, &program, Random::value);
    let attributes = vertex::attributes(random, Random::value);
    let active = lane_mask(random);
    let limit = InstructionLimit(400);
    let scalar = vertices(&program, &bindings, &attributes, limit);
    for shader in shaders(&program, &bindings) {
        check_vertices(seed, &shader.with_limit(limit), &program, &attributes, active, &scalar);
    }
}

/// Compares fragment programs with operations of all types, where quads are thread groups. With control flow,
/// the registers must agree after any number of instructions.
pub fn groups_of_types(seed: u64, random: &mut Random) {
    let language = Language::ArbFp1Nv2;
    let length = 2 + random.below(14);
    let is_straight = random.chance(3);
    let mut program = if is_straight {
        arb::straight(random, language, length)
    } else {
        arb::flowing(random, language, length)
    };
    make_typed(random, &mut program);
    make_free(random, &mut program);
    make_evaluating(random, &mut program);
    make_textured(random, &mut program);
    if random.chance(2) {
        // NV_gpu_program4 has its own limits of calls and blocks.
        program.language = Language::NvFp4;
    }
    let program = Arc::new(program);
    let mut bindings = arb::bindings(random, &program, Random::value);
    bind_integers(random, &program, &mut bindings);
    let value = if random.chance(2) { Random::value } else { Random::tame_value };
    let mut attributes = arb::attributes(random, value);
    vary(random, &mut attributes);
    if is_straight {
        check_steps(seed, &program, &bindings, &attributes);
    } else {
        check_limits(seed, random, &program, (&bindings, &attributes), u64::MAX);
    }
}

/// Compares whole blocks of a fragment program with operations of all types.
pub fn blocks_of_groups(seed: u64, random: &mut Random) {
    let length = 2 + random.below(14);
    let mut program = arb::flowing(random, Language::ArbFp1Nv2, length);
    make_typed(random, &mut program);
    make_free(random, &mut program);
    make_evaluating(random, &mut program);
    make_textured(random, &mut program);
    if random.chance(2) {
        // NV_gpu_program4 has its own limits of calls and blocks.
        program.language = Language::NvFp4;
    }
    let program = Arc::new(program);
    let mut bindings = arb::bindings(random, &program, Random::value);
    bind_integers(random, &program, &mut bindings);
    let mut attributes = arb::attributes(random, Random::value);
    vary(random, &mut attributes);
    let limit = InstructionLimit(400);
    let scalar = finished(&program, (&bindings, &attributes), limit);
    let active = lane_mask(random);
    for shader in shaders(&program, &bindings) {
        let shader = shader.with_limit(limit);
        let mut worker = BlockShader::worker(&shader);
        let mut output = BlockOutput::default();
        for _ in 0..2 {
            BlockShader::run(&shader, &mut worker, &attributes, active, &mut output);
            check_fragments(seed, &program, &output, of_lanes(active, &scalar));
        }
    }
}

/// Compares every register of an ARB program without control flow after every instruction.
pub fn steps_of_arb(seed: u64, random: &mut Random) {
    let language = *random.pick(&ARB_LANGUAGES);
    let length = 1 + random.below(24);
    let program = Arc::new(arb::straight(random, language, length));
    assert_verified(seed, &program);
    let bindings = arb::bindings(random, &program, Random::value);
    let attributes = arb::attributes(random, Random::value);
    check_steps(seed, &program, &bindings, &attributes);
}

const ARB_LANGUAGES: [Language; 6] = [
    Language::ArbFp1,
    Language::ArbFp1Nv1,
    Language::ArbFp1Nv2,
    Language::ArbVp1,
    Language::ArbVp1Nv2,
    Language::ArbVp1Nv3,
];

/// Compares whole blocks of a `!!FP1.0` program. The shader is free to remove dead code.
pub fn blocks_of_fragments(seed: u64, random: &mut Random) {
    let length = 1 + random.below(40);
    let program = Arc::new(random::program(random, length));
    let bindings = random::bindings(random, &program);
    let wild = random.chance(2);
    let attributes = random::attributes(random, if wild { Random::value } else { Random::tame_value });
    let active = if random.chance(2) { u64::MAX } else { random.next() << 16 ^ random.next() };
    check_block(seed, &program, &bindings, &attributes, active);
}

/// Compares whole blocks of a vertex program without control flow. The shader is free to remove dead code.
pub fn blocks_of_vertices(seed: u64, random: &mut Random) {
    let language = *random.pick(&[Language::Vp1, Language::Vp1_1, Language::Vp2]);
    let length = 1 + random.below(40);
    let program = Arc::new(vertex::straight(random, language, length));
    let value = if random.chance(2) { Random::value } else { Random::tame_value };
    let bindings = vertex::bindings(random, &program, value);
    let attributes = vertex::attributes(random, value);
    let active = lane_mask(random);
    let scalar = vertices(&program, &bindings, &attributes, InstructionLimit::of(&program));
    for shader in shaders(&program, &bindings) {
        check_vertices(seed, &shader, &program, &attributes, active, &scalar);
    }
}

/// Compares the final registers of a `!!VP2.0` program with branches, after the same number of instructions.
/// Returns the end of each lane.
pub fn branching(seed: u64, random: &mut Random) -> Vec<Finished> {
    let length = 1 + random.below(30);
    let program = Arc::new(vertex::branching(random, length));
    let value = if random.chance(3) { Random::value } else { Random::tame_value };
    let bindings = vertex::bindings(random, &program, value);
    let attributes = vertex::attributes(random, value);
    let active = lane_mask(random);
    // Low limits stop lanes often, at any position in a block.
    let limit = InstructionLimit(1 + random.below(200) as u32);
    let scalar = vertices(&program, &bindings, &attributes, limit);
    for (name, mut wide) in Inspection::all(&program, &bindings, &attributes) {
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
    for shader in shaders(&program, &bindings) {
        check_vertices(seed, &shader.with_limit(limit), &program, &attributes, active, &scalar);
    }
    scalar
}

/// Compares an ARB program with IF, LOOP, REP and CAL: the registers agree after any number of instructions.
/// Returns the end of each lane.
pub fn structured(seed: u64, random: &mut Random) -> Vec<Finished> {
    let languages = [Language::ArbFp1Nv2, Language::ArbFp1Nv2, Language::ArbVp1Nv2, Language::ArbVp1Nv3];
    let language = *random.pick(&languages);
    let length = 2 + random.below(14);
    let program = Arc::new(arb::flowing(random, language, length));
    assert_verified(seed, &program);
    let value = if random.chance(3) { Random::value } else { Random::tame_value };
    let bindings = arb::bindings(random, &program, value);
    let attributes = arb::attributes(random, value);
    let lanes = if language.stage() == Stage::Fragment { u64::MAX } else { lane_mask(random) };
    check_limits(seed, random, &program, (&bindings, &attributes), lanes)
}

/// Like [`structured`], with calls through subroutine variables. Each lane selects an element of its own.
pub fn indirect(seed: u64, random: &mut Random) -> Vec<Finished> {
    let language = *random.pick(&[Language::ArbFp1Nv2, Language::ArbVp1Nv2]);
    let length = 6 + random.below(14);
    let mut program = arb::flowing(random, language, length);
    make_indirect(random, &mut program);
    let value = if random.chance(3) { Random::value } else { Random::tame_value };
    let program = Arc::new(program);
    let mut bindings = arb::bindings(random, &program, value);
    // Some numbers are invalid, and some are missing.
    let parameters = random.below(program.subroutines.parameters() + 1);
    bindings.subroutines = (0..parameters).map(|_| random.below(8) as u32).collect();
    let mut attributes = arb::attributes(random, value);
    let index = indices(language);
    for component in 0..4 {
        let lanes = &mut attributes.register_mut(index, component).0;
        // All lanes share an index, or each has its own. Some indices are out of bounds.
        let same = random.chance(2);
        let first = random.below(6) as u32;
        let own = |_| (random.below(6) as u32).wrapping_sub(1);
        let all: Vec<u32> = (0..LANES).map(own).collect();
        for (lane, value) in lanes.iter_mut().zip(all) {
            *lane = f32::from_bits(if same { first } else { value });
        }
    }
    let lanes = if language.stage() == Stage::Fragment { u64::MAX } else { lane_mask(random) };
    check_limits(seed, random, &program, (&bindings, &attributes), lanes)
}

/// The attribute with each lane's index.
const fn indices(language: Language) -> Attribute {
    if matches!(language.stage(), Stage::Fragment) { Attribute::Tex(7) } else { Attribute::Vertex(15) }
}

/// Turns the calls of `program` into calls through an array of subroutine variables. The variables' type
/// contains every label that is the target of a call. Some RETs then return called lanes alone.
pub fn make_indirect(random: &mut Random, program: &mut Program) {
    let called = |to: usize, program: &Program| program.labels.iter().position(|label| label.at == to);
    let mut list: Vec<usize> = Vec::new();
    for at in 0..program.instructions.len() {
        if let Some(Control::Call { to, .. }) = program.instructions[at].control()
            && let Some(label) = called(to, program)
            && !list.contains(&label)
            && list.len() < 8
        {
            list.push(label);
        }
    }
    if list.is_empty() {
        return;
    }
    let ty = SubroutineType { name: "T".to_owned(), members: (0..list.len()).rev().collect() };
    let count = 1 + random.below(4);
    let variable = SubroutineVariable {
        name: "v".to_owned(),
        ty: 0,
        parameters: (0..count).map(|_| random.below(6) as u16).collect(),
        is_array: true,
    };
    let numbered = list.iter().enumerate();
    program.subroutines = Subroutines {
        list: numbered.map(|(n, &label)| Subroutine { label, number: n as u16 }).collect(),
        types: vec![ty],
        variables: vec![variable],
    };
    let index = indices(program.language);
    for instruction in &mut program.instructions {
        match instruction.control() {
            Some(Control::Call { test, .. }) if random.chance(2) => {
                let offset = random.below(count) as u16;
                instruction.kind = Control::CallIndirect { variable: 0, offset, test }.into();
                (instruction.op, instruction.ty) = (Opcode::Cali, Type::S32);
                if random.chance(2) {
                    instruction.operands = vec![Operand {
                        source: Source::Attribute(index),
                        swizzle: Swizzle::replicate(random.below(4) as u8),
                        negate: Negation::NONE,
                        absolute: false,
                        negate_absolute: false,
                        span: Default::default(),
                    }];
                }
            }
            Some(Control::Return { test: None }) if random.chance(2) => {
                instruction.kind = Control::ReturnIfCalled.into();
            }
            _ => {}
        }
    }
}

/// Compares whole blocks of an ARB program with structured control flow. The shader is free to remove dead
/// code.
pub fn blocks_of_structured(seed: u64, random: &mut Random) {
    let language = *random.pick(&[Language::ArbFp1Nv2, Language::ArbFp1Nv2, Language::ArbVp1Nv3]);
    let length = 2 + random.below(14);
    let program = Arc::new(arb::flowing(random, language, length));
    let value = if random.chance(2) { Random::value } else { Random::tame_value };
    let bindings = arb::bindings(random, &program, value);
    let attributes = arb::attributes(random, value);
    let limit = InstructionLimit(400);
    let scalar = finished(&program, (&bindings, &attributes), limit);
    let active = lane_mask(random);
    for shader in shaders(&program, &bindings) {
        let shader = shader.with_limit(limit);
        if language.stage() == Stage::Vertex {
            check_vertices(seed, &shader, &program, &attributes, active, &scalar);
            continue;
        }
        let mut worker = BlockShader::worker(&shader);
        let mut output = BlockOutput::default();
        for _ in 0..2 {
            BlockShader::run(&shader, &mut worker, &attributes, active, &mut output);
            check_fragments(seed, &program, &output, of_lanes(active, &scalar));
        }
    }
}
