//! Trials of the executors against each other: a random program with random inputs, run by the wide executor and by
//! the scalar one, compared bit by bit. Each panics where the two differ.

use std::sync::Arc;

use shadestep_engine::exec::{
    AttributeLanes, Bindings, BlockOutput, BlockShader, Executable, Finished, Inspection, InstructionLimit,
    Interpolants, LANES, QUAD, QuadInputs, QuadRegisters, QuadValues, Registers, ResultLanes, Shader,
    VertexShader, run_quad, run_quad_within, run_vertex_within,
};
use shadestep_engine::ir::{
    Attribute, Condition, Control, Conversion, Element, Format, Indirect, Interpolation, Kill, Kind,
    Negation, Operand, OutputRole, Program, Rounding, Saturation, Semantics, Source, Subroutine,
    SubroutineType, SubroutineVariable, Subroutines, Swizzle, Target, TempId, Temporary, Type, disassemble,
    single_bits, verify,
};
use shadestep_engine::isa::{Language, Opcode, Stage};
use shadestep_engine::num::fp32;

use super::random::{self, Random};
use super::{arb, vertex};

/// One trial: of what the seed says, or, where `random` draws from bytes, of those.
pub type Trial = fn(u64, &mut Random);

/// A `!!FP1.0` program: every register after every instruction.
pub fn steps_of_fragments(seed: u64, random: &mut Random) {
    let length = 1 + random.below(24);
    let program = Arc::new(random::program(random, length));
    let bindings = random::bindings(random, &program);
    let attributes = random::attributes(random, Random::value);
    check_steps(seed, &program, &bindings, &attributes);
}

/// A vertex program without flow: every register after every instruction.
pub fn steps_of_vertices(seed: u64, random: &mut Random) {
    let language = *random.pick(&[Language::Vp1, Language::Vp1_1, Language::Vp2, Language::Vp2]);
    let length = 1 + random.below(24);
    let mut program = vertex::straight(random, language, length);
    if language == Language::Vp2 && random.chance(4) {
        // Behind `main`, as far as the end.
        program.entry = random.below(length + 1);
        vertex::label(&mut program);
    }
    let program = Arc::new(program);
    let bindings = vertex::bindings(random, &program, Random::value);
    let attributes = vertex::attributes(random, Random::value);
    check_steps(seed, &program, &bindings, &attributes);
}

/// A vertex program of which many operations are of other types than fp32: every register after every instruction.
pub fn steps_of_types(seed: u64, random: &mut Random) {
    let length = 1 + random.below(24);
    let mut program = vertex::straight(random, Language::Vp2, length);
    make_typed(random, &mut program);
    let program = Arc::new(program);
    let bindings = vertex::bindings(random, &program, Random::value);
    let attributes = vertex::attributes(random, Random::value);
    check_steps(seed, &program, &bindings, &attributes);
}

/// Whole blocks of such a program, one in two with branches: what is moved as a number or as an integer has the
/// same bits wherever it goes.
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

const NUMBERS: &[Type] = &[Type::F32, Type::F64];
const INTEGERS: &[Type] = &[Type::S32, Type::U32, Type::S64, Type::U64];
const WORDS: &[Type] = &[Type::S32, Type::U32];
const PACKED: &[Type] = &[Type::F32, Type::S32, Type::U32];
const LONG: &[Type] = &[Type::F64, Type::S64, Type::U64];
const ROUNDINGS: [Rounding; 4] = [Rounding::Round, Rounding::Ceil, Rounding::Floor, Rounding::Trunc];
const ALL: &[Type] = &[Type::F32, Type::F64, Type::S32, Type::U32, Type::S64, Type::U64];
const PRODUCTS: &[Type] = &[Type::F64, Type::S32, Type::U32, Type::S24, Type::U24, Type::S64, Type::U64];

/// Operations of NV_gpu_program4 and NV_gpu_program5 that are of other types than fp32, with the number of their
/// operands (Table X.13).
const TYPED: &[(Opcode, usize, &[Type])] = &[
    (Opcode::Abs, 1, ALL),
    (Opcode::Add, 2, ALL),
    (Opcode::And, 2, INTEGERS),
    (Opcode::Bfe, 2, WORDS),
    (Opcode::Bfi, 3, WORDS),
    (Opcode::Bfr, 1, WORDS),
    (Opcode::Btc, 1, WORDS),
    (Opcode::Btfl, 1, WORDS),
    (Opcode::Btfm, 1, WORDS),
    (Opcode::Ceil, 1, ALL),
    (Opcode::Cmp, 3, ALL),
    (Opcode::Cvt, 1, PACKED),
    // One in six of those with one operand.
    (Opcode::Cvt, 1, PACKED),
    (Opcode::Cvt, 1, PACKED),
    (Opcode::Cvt, 1, PACKED),
    (Opcode::Cvt, 1, PACKED),
    (Opcode::Div, 2, ALL),
    (Opcode::Flr, 1, ALL),
    (Opcode::Frc, 1, NUMBERS),
    (Opcode::I2f, 1, INTEGERS),
    (Opcode::Mad, 3, ALL),
    (Opcode::Max, 2, ALL),
    (Opcode::Min, 2, ALL),
    (Opcode::Mod, 2, INTEGERS),
    (Opcode::Mov, 1, ALL),
    (Opcode::Mul, 2, PRODUCTS),
    (Opcode::MulHi, 2, WORDS),
    (Opcode::Not, 1, INTEGERS),
    (Opcode::Or, 2, INTEGERS),
    (Opcode::Pk2h, 1, PACKED),
    (Opcode::Pk2us, 1, PACKED),
    (Opcode::Pk4b, 1, PACKED),
    (Opcode::Pk4ub, 1, PACKED),
    (Opcode::Pk64, 1, LONG),
    (Opcode::Rcp, 1, NUMBERS),
    (Opcode::Round, 1, ALL),
    (Opcode::Rsq, 1, NUMBERS),
    (Opcode::Sad, 3, INTEGERS),
    (Opcode::Seq, 2, ALL),
    (Opcode::Sfl, 2, ALL),
    (Opcode::Sge, 2, ALL),
    (Opcode::Sgt, 2, ALL),
    (Opcode::Shl, 2, INTEGERS),
    (Opcode::Shr, 2, INTEGERS),
    (Opcode::Sle, 2, ALL),
    (Opcode::Slt, 2, ALL),
    (Opcode::Sne, 2, ALL),
    (Opcode::Ssg, 1, NUMBERS),
    (Opcode::Str, 2, ALL),
    (Opcode::Sub, 2, ALL),
    (Opcode::Swz, 1, &[Type::F32]),
    (Opcode::Tgall, 1, PACKED),
    (Opcode::Tgany, 1, PACKED),
    (Opcode::Tgeq, 1, PACKED),
    (Opcode::Trunc, 1, ALL),
    (Opcode::Up2h, 1, PACKED),
    (Opcode::Up2us, 1, PACKED),
    (Opcode::Up4b, 1, PACKED),
    (Opcode::Up4ub, 1, PACKED),
    (Opcode::Up64, 1, LONG),
    (Opcode::Xor, 2, INTEGERS),
];

/// The same of a fragment program, whose quads are thread groups: with flow, the same registers after any number of
/// instructions.
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
    if random.chance(2) {
        // With its limits of calls and blocks.
        program.language = Language::NvFp4;
    }
    let program = Arc::new(program);
    let bindings = arb::bindings(random, &program, Random::value);
    let value = if random.chance(2) { Random::value } else { Random::tame_value };
    let mut attributes = arb::attributes(random, value);
    vary(random, &mut attributes);
    if is_straight {
        check_steps(seed, &program, &bindings, &attributes);
    } else {
        check_limits(seed, random, &program, (&bindings, &attributes), u64::MAX);
    }
}

/// Whole blocks of such a program.
pub fn blocks_of_groups(seed: u64, random: &mut Random) {
    let length = 2 + random.below(14);
    let mut program = arb::flowing(random, Language::ArbFp1Nv2, length);
    make_typed(random, &mut program);
    make_free(random, &mut program);
    make_evaluating(random, &mut program);
    if random.chance(2) {
        // With its limits of calls and blocks.
        program.language = Language::NvFp4;
    }
    let program = Arc::new(program);
    let bindings = arb::bindings(random, &program, Random::value);
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

/// Gives half of the operations others of as many operands, of any type, some of them registers of 64 bits, also by
/// relative references, and tests of flags that numbers do not set.
pub fn make_typed(random: &mut Random, program: &mut Program) {
    const WIDE: u16 = 3;
    let first = program.temporaries.len() as u16;
    let wide = (0..WIDE).map(|n| Temporary { name: format!("D{n}"), ty: Type::U64 });
    program.temporaries.extend(wide);
    for at in 0..program.instructions.len() {
        let instruction = &program.instructions[at];
        let is_number = instruction.ty == Type::F32
            && instruction.target().is_none_or(|target| program.target_type(target) == Type::F32)
            && instruction.operands.iter().all(|o| program.source_type(o.source) == Type::F32);
        let of_arity = |(_, arity, _): &&(_, usize, _)| *arity == instruction.operands.len();
        let all: Vec<_> = TYPED.iter().filter(of_arity).collect();
        if !is_number || !matches!(instruction.kind, Kind::Alu(_)) || all.is_empty() || !random.chance(2) {
            continue;
        }
        let (op, _, types) = **random.pick(&all);
        let instruction = &mut program.instructions[at];
        (instruction.op, instruction.ty) = (op, *random.pick(types));
        instruction.semantics = Semantics::NV_GPU4;
        if let Some(write) = instruction.write_mut() {
            let clamps = [Saturation::None, Saturation::None, Saturation::Unsigned, Saturation::Signed];
            write.saturate = *random.pick(&clamps);
        }
        if op == Opcode::Cvt
            && let Some(write) = instruction.write()
        {
            let conversion = Conversion {
                from: *random.pick(&Format::ALL),
                to: *random.pick(&Format::ALL),
                rounding: *random.pick(&ROUNDINGS),
            };
            instruction.kind = Kind::Convert(*write, conversion);
            instruction.ty = conversion.to.ty();
            for operand in &mut instruction.operands {
                (operand.negate, operand.absolute) = (Negation::NONE, false);
                operand.negate_absolute = false;
            }
        }
        let array = |random: &mut Random| Indirect {
            first: Element::Temp(TempId(first)),
            count: WIDE,
            address: TempId(random.below(usize::from(first)) as u16),
            component: random.below(4) as u8,
            offset: random.below(4) as i64 - 1,
        };
        let register = |random: &mut Random| TempId(first + random.below(usize::from(WIDE)) as u16);
        for operand in &mut instruction.operands {
            match random.below(6) {
                0 | 1 => operand.source = Source::Temp(register(random)),
                2 => operand.source = Source::Indirect(array(random)),
                _ => {}
            }
        }
        let Some(dest) = instruction.dest_mut() else { continue };
        if let Some(test) = &mut dest.test {
            test.condition = *random.pick(&Condition::ALL);
        }
        if matches!(dest.target, Target::Temp(_)) {
            match random.below(4) {
                0 | 1 => dest.target = Target::Temp(register(random)),
                2 => dest.target = Target::Indirect(array(random)),
                _ => {}
            }
        }
    }
}

/// Gives loops counts of any type that the program computes, or none; some BRK become CONT; KIL looks at any type.
pub fn make_free(random: &mut Random, program: &mut Program) {
    let temporaries = program.temporaries.len();
    for instruction in &mut program.instructions {
        match &mut instruction.kind {
            Kind::Flow(Control::Loop { index: None, .. }) => match random.below(4) {
                0 => {}
                1 => instruction.operands.clear(),
                _ => {
                    instruction.ty = *random.pick(ALL);
                    let operand = &mut instruction.operands[0];
                    operand.source = Source::Temp(TempId(random.below(temporaries) as u16));
                }
            },
            Kind::Flow(control) => {
                if let Control::Break { to, test } = *control
                    && random.chance(2)
                {
                    instruction.op = Opcode::Cont;
                    *control = Control::Continue { to: to - 1, test };
                }
            }
            Kind::Kill(Kill::Negative) => instruction.ty = *random.pick(ALL),
            _ => {}
        }
    }
}

/// Has some operations that begin with an attribute evaluate it within the pixel; some attributes become flat.
pub fn make_evaluating(random: &mut Random, program: &mut Program) {
    for instruction in &mut program.instructions {
        let evaluates = (instruction.operands.first()).is_some_and(|operand| operand.source.is_evaluable());
        let is_number = instruction.ty == Type::F32 && matches!(instruction.kind, Kind::Alu(_));
        if !evaluates || !is_number || random.chance(4) {
            continue;
        }
        let by_number_of_operands = [Opcode::Ipac, Opcode::Ipao];
        let Some(op) = by_number_of_operands.get(instruction.operands.len() - 1) else { continue };
        instruction.op = if random.chance(5) && *op == Opcode::Ipao { Opcode::Ipas } else { *op };
        instruction.semantics = Semantics::NV_GPU4;
        if let [_, offset] = &mut instruction.operands[..]
            && random.chance(2)
        {
            offset.source = Source::Attribute(OFFSETS);
        }
    }
    if random.chance(3) {
        let flat = program.attributes().into_iter().filter(|_| random.chance(2));
        program.interpolations = flat.map(|attribute| (attribute, Interpolation::Flat)).collect();
    }
}

/// Attributes that vary with the quad, the lane and the offset, as no primitive has them, and some not at all.
#[derive(Debug)]
struct Uneven(f32);

impl Interpolants for Uneven {
    fn at(&self, attribute: Attribute, quad: usize, [x, y]: [f64; 2], values: &mut QuadValues) {
        for (c, register) in values.iter_mut().enumerate().filter(|(c, _)| !(quad + c).is_multiple_of(5)) {
            for (lane, value) in register.iter_mut().enumerate() {
                let factor = (attribute.index() + 3 * c + 5 * lane + 7 * quad) as f64;
                let moved = f64::from(*value) + factor * x + f64::from(self.0) * y;
                *value = fp32::flush(fp32::canonical(moved as f32));
            }
        }
    }
}

/// The attribute that [`vary`] puts offsets into.
const OFFSETS: Attribute = Attribute::Tex(1);

/// Has attributes vary within pixels, half of the time, and puts offsets within the limits into one.
fn vary(random: &mut Random, attributes: &mut AttributeLanes) {
    let step = 1 + random.below(8);
    for c in 0..4 {
        for lane in (0..LANES).step_by(step) {
            let offset = random.below(1025) as f32 / 1024.0 - 0.5;
            attributes.register_mut(OFFSETS, c).0[lane..LANES.min(lane + step)].fill(offset);
        }
    }
    if random.chance(2) {
        attributes.set_interpolants(Arc::new(Uneven(random.tame_value())));
    }
}

/// The interpolants of one quad of a block.
#[derive(Debug)]
struct OfQuad(Arc<dyn Interpolants>, usize);

impl Interpolants for OfQuad {
    fn at(&self, attribute: Attribute, quad: usize, offset: [f64; 2], values: &mut QuadValues) {
        self.0.at(attribute, self.1 + quad, offset, values);
    }
}

/// An ARB program without flow: every register after every instruction.
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

/// Whole blocks of a `!!FP1.0` program, with what nothing depends on left out.
pub fn blocks_of_fragments(seed: u64, random: &mut Random) {
    let length = 1 + random.below(40);
    let program = Arc::new(random::program(random, length));
    let bindings = random::bindings(random, &program);
    let wild = random.chance(2);
    let attributes = random::attributes(random, if wild { Random::value } else { Random::tame_value });
    let active = if random.chance(2) { u64::MAX } else { random.next() << 16 ^ random.next() };
    check_block(seed, &program, &bindings, &attributes, active);
}

/// Whole blocks of a vertex program without flow, with what nothing depends on left out.
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

/// A branching `!!VP2.0` program: the same registers at the end after as many instructions. Gives how each lane
/// ended.
pub fn branching(seed: u64, random: &mut Random) -> Vec<Finished> {
    let length = 1 + random.below(30);
    let program = Arc::new(vertex::branching(random, length));
    let value = if random.chance(3) { Random::value } else { Random::tame_value };
    let bindings = vertex::bindings(random, &program, value);
    let attributes = vertex::attributes(random, value);
    let active = lane_mask(random);
    // Small enough to be met often, at any place of a block.
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

/// An ARB program with IF, LOOP, REP and CAL: the same registers after any number of instructions. Gives how each
/// lane ended.
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

/// The same with calls through subroutine variables, whose elements every lane chooses for itself.
pub fn indirect(seed: u64, random: &mut Random) -> Vec<Finished> {
    let language = *random.pick(&[Language::ArbFp1Nv2, Language::ArbVp1Nv2]);
    let length = 6 + random.below(14);
    let mut program = arb::flowing(random, language, length);
    make_indirect(random, &mut program);
    let value = if random.chance(3) { Random::value } else { Random::tame_value };
    let program = Arc::new(program);
    let mut bindings = arb::bindings(random, &program, value);
    // Some do not fit, and some are missing.
    let parameters = random.below(program.subroutines.parameters() + 1);
    bindings.subroutines = (0..parameters).map(|_| random.below(8) as u32).collect();
    let mut attributes = arb::attributes(random, value);
    let index = indices(language);
    for component in 0..4 {
        let lanes = &mut attributes.register_mut(index, component).0;
        // Together, or each its own; some outside the array.
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

/// The attribute that has each lane's indices.
const fn indices(language: Language) -> Attribute {
    if matches!(language.stage(), Stage::Fragment) { Attribute::Tex(7) } else { Attribute::Vertex(15) }
}

/// Makes calls of `program` go through variables of one type, which has all labels that were called, and some RETs hold
/// for those alone who were called.
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

/// Whole blocks of such a program, with what nothing depends on left out.
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

/// The program on every instruction set, and as machine code.
fn shaders(program: &Arc<Program>, bindings: &Bindings) -> impl Iterator<Item = Shader> {
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

fn compare(wide: &Registers, scalar: &Registers) -> Result<(), String> {
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

/// Compares the executors on a program without flow: every register of every lane after every instruction.
fn check_steps(seed: u64, program: &Arc<Program>, bindings: &Bindings, attributes: &AttributeLanes) {
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

fn check_block(
    seed: u64,
    program: &Arc<Program>,
    bindings: &Bindings,
    attributes: &AttributeLanes,
    active: u64,
) {
    for shader in shaders(program, bindings) {
        let mut worker = BlockShader::worker(&shader);
        let mut output = BlockOutput::default();
        // Twice, so that a second block meets the registers the first left behind.
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

/// What the scalar executor makes of every lane.
fn vertices(
    program: &Program,
    bindings: &Bindings,
    attributes: &AttributeLanes,
    limit: InstructionLimit,
) -> Vec<Finished> {
    (0..LANES).map(|lane| run_vertex_within(program, bindings, &attributes.vertex(lane), limit)).collect()
}

/// Compares the results of whole blocks, with what nothing depends on left out.
fn check_vertices(
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

fn lane_mask(random: &mut Random) -> u64 {
    match random.below(4) {
        0 | 1 => u64::MAX,
        2 => 1 << random.below(LANES),
        _ => random.next() << 16 ^ random.next(),
    }
}

/// A random ARB program holds to what the verifier knows; so the generator makes what a front end could.
#[track_caller]
fn assert_verified(seed: u64, program: &Program) {
    assert_eq!(verify(program), Ok(()), "seed {seed}\n{}\n{program:#?}", disassemble(program));
}

/// What the scalar executor makes of every lane of `lanes`.
fn finished(
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

/// Compares the executors' registers of a program with flow after some numbers of instructions, each lane's own; so
/// every place where lanes can be is looked at. Gives how the lanes ended with the greatest of the limits.
fn check_limits(
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

/// Those of `lanes`, with their numbers.
fn of_lanes(lanes: u64, all: &[Finished]) -> impl Iterator<Item = (usize, &Finished)> {
    all.iter().enumerate().filter(move |(lane, _)| lanes >> lane & 1 != 0)
}

/// Compares what a block gave with what the scalar executor made of its lanes.
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
                // Blocks do not have it.
                OutputRole::SampleMask => continue,
                OutputRole::Vertex(_) => panic!("a fragment's output"),
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
