//! Random vertex programs with and without control flow, and inputs for them.

use shadestep_core::exec::{AttributeLanes, Bindings, LANES};
use shadestep_engine::source::Span;
use shadestep_language::ir::{
    Attribute, CcRegister, CcTest, Condition, Control, Destination, Element, Index, Indirect, Instruction,
    Kind, Label, Negation, Operand, OutputId, ParamId, Program, Semantics, Source, Swizzle, Target, TempId,
    Type, VertexResult, Write, WriteMask, limits, single_bits,
};
use shadestep_language::isa::{Group, Info, Language, Opcode, OperandKind, ResultKind, instructions};

use super::parts::{TEMPORARIES, instruction, vertex_program};
use super::random::Random;

const RESULTS: [VertexResult; 3] = [VertexResult::Hpos, VertexResult::Col0, VertexResult::Tex(3)];
const ATTRIBUTES: usize = 4;

/// Number of parameters that relative references can address.
fn file(language: Language) -> u16 {
    let count = if language == Language::Vp2 { limits::VP2_PARAMETERS } else { limits::VP1_PARAMETERS };
    count as u16
}

fn addresses(language: Language) -> &'static [&'static str] {
    if language == Language::Vp2 { &["A0", "A1"] } else { &["A0"] }
}

/// A straight-line program of `length` instructions.
pub fn straight(random: &mut Random, language: Language, length: usize) -> Program {
    let mut program = vertex_program(language, addresses(language), file(language), &RESULTS);
    let rows: Vec<&Info> = instructions(language).filter(|info| info.group != Group::Flow).collect();
    for _ in 0..length {
        let next = computation(random, &program, &rows);
        program.instructions.push(next);
    }
    program
}

/// A `!!VP2.0` program of `length` instructions with branches to anywhere, calls and returns.
pub fn branching(random: &mut Random, length: usize) -> Program {
    let mut program = straight(random, Language::Vp2, length);
    let certain = random.below(length);
    for at in 0..length {
        if at != certain && !random.chance(4) {
            continue;
        }
        // Mostly forward branches: a program that only loops tests little.
        let to = if random.chance(4) { random.below(length + 1) } else { at + random.below(length + 1 - at) };
        let test = (!random.chance(6)).then(|| test(random));
        let (op, control) = match random.below(5) {
            0 | 1 => (Opcode::Bra, Control::Branch { to, test }),
            2 | 3 => (Opcode::Cal, Control::Call { to, test }),
            _ => (Opcode::Ret, Control::Return { test }),
        };
        program.instructions[at] = instruction(op, Semantics::NV_VERTEX_2, control);
    }
    if random.chance(4) {
        program.entry = random.below(length);
    }
    label(&mut program);
    program
}

/// Gives every target of a branch or call a label. `main` is one of the labels.
pub fn label(program: &mut Program) {
    let to = |i: &Instruction| match i.control() {
        Some(Control::Branch { to, .. } | Control::Call { to, .. }) => Some(to),
        _ => None,
    };
    let mut places: Vec<usize> = program.instructions.iter().filter_map(to).collect();
    places.sort_unstable();
    places.dedup();
    let named = |at| Label { name: format!("place{at}"), at, span: Span::default() };
    program.labels = places.into_iter().map(named).collect();
    if program.entry > 0 {
        program.labels.push(Label { name: "main".into(), at: program.entry, span: Span::default() });
        program.labels.sort_by_key(|label| label.at);
    }
}

fn test(random: &mut Random) -> CcTest {
    let swizzle = if random.chance(2) {
        Swizzle::replicate(random.below(4) as u8)
    } else {
        Swizzle(std::array::from_fn(|_| random.below(4) as u8))
    };
    CcTest { condition: *random.pick(Condition::OF_NUMBERS), swizzle, register: CcRegister::Cc0 }
}

/// An instruction that computes a value. About every fifth loads an address register.
fn computation(random: &mut Random, program: &Program, rows: &[&'static Info]) -> Instruction {
    let language = program.language;
    let second = language == Language::Vp2;
    let loads: Vec<&&Info> = rows.iter().filter(|info| info.result == ResultKind::Address).collect();
    let info = if random.chance(5) { **random.pick(&loads) } else { *random.pick(rows) };
    let updates =
        second && info.forms(language).is_some_and(|forms| forms.cc().next().is_some()) && random.chance(2);
    let update_cc = updates.then_some(CcRegister::Cc0);
    let registers = addresses(language).len();
    let address = |random: &mut Random| TempId(TEMPORARIES + random.below(registers) as u16);
    let target = match info.result {
        ResultKind::Address => Target::Temp(address(random)),
        _ => match random.below(8) {
            0 | 1 => Target::Output(OutputId(random.below(RESULTS.len()) as u16)),
            2 if second => Target::ConditionOnly(Type::F32),
            _ => Target::Temp(TempId(random.below(usize::from(TEMPORARIES)) as u16)),
        },
    };
    let mask = if info.result == ResultKind::Address && !second { 1 } else { 1 + random.below(15) };
    let dest = Destination {
        target,
        mask: WriteMask(mask as u8),
        test: (second && random.chance(3)).then(|| test(random)),
        span: Span::default(),
    };
    let write = Kind::Alu(Write { update_cc, ..dest.into() });
    let mut result = instruction(info.opcode, language.profile().semantics, write);
    // An instruction reads at most one attribute and one parameter, relative or not.
    let attribute = Source::Attribute(Attribute::Vertex(random.below(ATTRIBUTES) as u8));
    let parameter = if random.chance(2) {
        Source::Param(ParamId(random.below(program.parameters.len()) as u16))
    } else {
        let register = address(random);
        let component = if second { random.below(4) as u8 } else { 0 };
        let index = Index::computed(register, component, random.below(128) as i64 - 64);
        Source::Indirect(Indirect::new(Element::Param(ParamId(0)), file(language), index))
    };
    for kind in info.operands_in(language) {
        let source = match (kind, random.below(6)) {
            (OperandKind::Address, _) => Source::Temp(address(random)),
            (_, 0) => attribute,
            (_, 1 | 2) => parameter,
            _ => Source::Temp(TempId(random.below(usize::from(TEMPORARIES)) as u16)),
        };
        result.operands.push(operand(random, *kind, source, second));
    }
    result
}

fn operand(random: &mut Random, kind: OperandKind, source: Source, second: bool) -> Operand {
    let plain = kind == OperandKind::Address;
    let swizzle = match kind {
        OperandKind::Scalar => Swizzle::replicate(random.below(4) as u8),
        _ if plain || random.chance(2) => Swizzle::IDENTITY,
        _ => Swizzle(std::array::from_fn(|_| random.below(4) as u8)),
    };
    let absolute = !plain && second && random.chance(5);
    Operand {
        source,
        swizzle,
        negate: if !plain && random.chance(3) { Negation::ALL } else { Negation::NONE },
        absolute,
        negate_absolute: absolute && random.chance(3),
        span: Span::default(),
    }
}

/// Draws the parameters of `program` from `value`.
pub fn bindings(
    random: &mut Random,
    program: &Program,
    mut value: impl FnMut(&mut Random) -> f32,
) -> Bindings {
    let mut bindings = Bindings::initial(program);
    for parameter in &mut bindings.parameters {
        // Some values make addresses anywhere in the parameter file, or out of bounds.
        let far = random.chance(3);
        let from = |random: &mut Random| random.below(400) as f32 - 60.0;
        let number = |_| if far { from(random) } else { value(random) };
        *parameter = single_bits(std::array::from_fn(number));
    }
    bindings
}

/// Draws the attributes of a block from `value`.
pub fn attributes(random: &mut Random, mut value: impl FnMut(&mut Random) -> f32) -> AttributeLanes {
    let mut attributes = AttributeLanes::default();
    for attribute in &Attribute::VERTEX[..ATTRIBUTES] {
        for component in 0..4 {
            for lane in 0..LANES {
                attributes.register_mut(*attribute, component).0[lane] = value(random);
            }
        }
    }
    attributes
}
