//! Programs of the NV_gpu_program4 and NV_gpu_program5 instruction sets, built as IR. Both executors must
//! give the results that the texts define. `properties` tests rules about values alone.

use std::sync::Arc;

use crate::common::quads;
use shadestep_core::exec::{Bindings, Finished, InstructionLimit, QUAD};
use shadestep_engine::debug::Ended;
use shadestep_engine::isa::{Language, Opcode};
use shadestep_engine::source::Span;
use shadestep_engine::texture::{
    Format as TextureFormat, Image, Level, MagFilter, MinFilter, Sampler, Texture,
};
use shadestep_language::ir::{
    CcRegister, CcTest, Condition, Control, Conversion, Destination, Format, Instruction, Kill, Kind,
    Negation, Operand, Origin, Output, OutputRole, Program, ProgramOptions, Rounding, Semantics, Source,
    Swizzle, Target, TempId, Temporary, TexelOffset, TextureAccess, TextureTarget, Type, Write,
};

const R0: TempId = TempId(0);
const R1: TempId = TempId(1);
const R2: TempId = TempId(2);
const D0: TempId = TempId(3);

/// The integers (n, n - 2, 10, 1) in lane n.
const LANE: Source = Source::Attribute(quads::LANE);

fn operand(source: Source, letters: &str) -> Operand {
    let selectors: Vec<u8> =
        letters.bytes().filter_map(|b| b"xyzw".iter().position(|l| *l == b)).map(|c| c as u8).collect();
    let swizzle = match selectors.as_slice() {
        [] => Swizzle::IDENTITY,
        [one] => Swizzle::replicate(*one),
        four => Swizzle(four.try_into().expect("four selectors")),
    };
    Operand {
        source,
        swizzle,
        negate: Negation::NONE,
        absolute: false,
        negate_absolute: false,
        span: Span::default(),
    }
}

fn t(id: TempId) -> Source {
    Source::Temp(id)
}

fn instruction(op: Opcode, ty: Type, kind: impl Into<Kind>, operands: &[Operand]) -> Instruction {
    Instruction {
        op,
        semantics: Semantics::NV_GPU4,
        ty,
        operands: operands.to_vec(),
        kind: kind.into(),
        span: Span::default(),
        mnemonic_span: Span::default(),
        origin: Origin::Text,
    }
}

fn write(target: TempId) -> Write {
    Destination::whole(Target::Temp(target)).into()
}

fn op(op: Opcode, ty: Type, target: TempId, operands: &[Operand]) -> Instruction {
    instruction(op, ty, Kind::Alu(write(target)), operands)
}

/// The instruction with an update of CC0.
fn updating(mut instruction: Instruction) -> Instruction {
    instruction.write_mut().expect("it computes").update_cc = Some(CcRegister::Cc0);
    instruction
}

fn control(op: Opcode, control: Control) -> Instruction {
    instruction(op, Type::F32, control, &[])
}

fn when(condition: Condition, component: u8) -> CcTest {
    CcTest { condition, swizzle: Swizzle::replicate(component), register: CcRegister::Cc0 }
}

/// A program with NV_gpu_program4's limits of calls and blocks.
fn deep_program(instructions: Vec<Instruction>) -> Program {
    Program { language: Language::NvFp4, ..program(instructions) }
}

fn program(instructions: Vec<Instruction>) -> Program {
    let temporary = |name: &str, ty| Temporary { name: name.to_owned(), ty };
    Program {
        language: Language::ArbFp1Nv2,
        instructions,
        temporaries: vec![
            temporary("R0", Type::F32),
            temporary("R1", Type::F32),
            temporary("R2", Type::F32),
            temporary("D0", Type::U64),
        ],
        parameters: Vec::new(),
        outputs: vec![Output { name: "result".to_owned(), role: OutputRole::Color(0), ty: Type::F32 }],
        interpolations: Vec::new(),
        geometry: None,
        patch_vertices: None,
        tessellation: None,
        usage: Vec::new(),
        variables: Vec::new(),
        labels: Vec::new(),
        subroutines: Default::default(),
        buffers: Vec::new(),
        entry: 0,
        options: ProgramOptions::default(),
    }
}

/// Runs a quad on both executors, asserts equal results and returns the end of each lane.
#[track_caller]
fn run(program: Program) -> [Finished; QUAD] {
    run_with(program, None)
}

/// Like [`run`], with a texture on unit 0.
#[track_caller]
fn run_with(program: Program, texture: Option<Arc<Texture>>) -> [Finished; QUAD] {
    let program = Arc::new(program);
    let mut bindings = Bindings::initial(&program);
    bindings.textures[0] = texture;
    quads::ends(&program, &bindings)
}

/// The value of a register in each lane.
#[track_caller]
fn register(ends: &[Finished; QUAD], id: TempId) -> [[u64; 4]; QUAD] {
    [0, 1, 2, 3].map(|lane| ends[lane].registers.temporaries[usize::from(id.0)])
}

/// R0 += 1, as an integer.
fn count() -> Instruction {
    op(Opcode::Add, Type::S32, R0, &[operand(t(R0), ""), operand(LANE, "w")])
}

#[test]
fn rep_goes_round_as_often_as_each_lane_says() {
    // Counts 0 to 3 (NV_gpu_program4 2.X.8, REP). Counts -2 to 1: no iteration, or one. A count of 10.
    for (component, expected) in [("x", [0, 1, 2, 3]), ("y", [0, 0, 0, 1]), ("z", [10; 4])] {
        let ends = run(program(vec![
            instruction(
                Opcode::Rep,
                Type::S32,
                Control::Loop { end: 3, index: None },
                &[operand(LANE, component)],
            ),
            count(),
            control(Opcode::Endrep, Control::EndLoop { start: 1 }),
        ]));
        assert_eq!(register(&ends, R0).map(|r| r[0]), expected, "{component}");
    }
}

#[test]
fn counts_are_read_by_their_type() {
    // The bits of 1.9 and -0.1 as floats are large integers.
    let rounds = |ty, value: f32| {
        let bits = operand(t(R1), "");
        let load = |bit: u32| {
            let power = op(Opcode::Shl, Type::U32, R2, &[operand(LANE, "w"), operand(t(R2), "x")]);
            let one = op(Opcode::Or, Type::U32, R1, &[operand(t(R1), ""), operand(t(R2), "")]);
            let clear = op(Opcode::Sub, Type::U32, R2, &[operand(t(R2), ""), operand(t(R2), "")]);
            let step = op(Opcode::Add, Type::U32, R2, &[operand(t(R2), ""), operand(LANE, "w")]);
            let mut all = vec![clear];
            all.extend(std::iter::repeat_n(step, bit as usize));
            all.extend([power, one]);
            all
        };
        let mut body: Vec<Instruction> =
            (0..32).filter(|bit| value.to_bits() >> bit & 1 != 0).flat_map(load).collect();
        let begin = body.len();
        body.extend([
            instruction(Opcode::Rep, ty, Control::Loop { end: begin + 3, index: None }, &[bits]),
            count(),
            control(Opcode::Endrep, Control::EndLoop { start: begin + 1 }),
        ]);
        register(&run(program(body)), R0)[0][0]
    };
    assert_eq!(rounds(Type::F32, 1.9), 1);
    assert_eq!(rounds(Type::F32, -0.1), 0);
    assert_eq!(rounds(Type::F32, 3.0), 3);
    // The language of this program allows at most 255 iterations.
    assert_eq!(rounds(Type::U32, 1.9), 255);
    assert_eq!(rounds(Type::S32, -0.1), 0);
}

#[test]
fn a_loop_without_a_count_goes_on_until_it_is_left() {
    let ends = run(program(vec![
        control(Opcode::Rep, Control::Loop { end: 5, index: None }),
        count(),
        updating(op(Opcode::Sgt, Type::S32, R1, &[operand(t(R0), ""), operand(LANE, "")])),
        control(Opcode::Brk, Control::Break { to: 5, test: Some(when(Condition::Ne, 0)) }),
        control(Opcode::Endrep, Control::EndLoop { start: 1 }),
    ]));
    // A lane leaves the loop once the count is above its number.
    assert_eq!(register(&ends, R0).map(|r| r[0]), [1, 2, 3, 4]);
    assert!(ends.iter().all(|end| end.ended == Ended::Normal));
    let endless = run(program(vec![
        control(Opcode::Rep, Control::Loop { end: 3, index: None }),
        count(),
        control(Opcode::Endrep, Control::EndLoop { start: 1 }),
    ]));
    assert!(endless.iter().all(|end| end.ended == Ended::InstructionLimit));
}

#[test]
fn cont_goes_to_the_end_of_the_round_out_of_blocks() {
    // Ten iterations. Lane n skips the iterations with a number below n. IF blocks that CONT leaves do not
    // stay active.
    let ends = run(program(vec![
        instruction(Opcode::Rep, Type::S32, Control::Loop { end: 8, index: None }, &[operand(LANE, "z")]),
        op(Opcode::Add, Type::S32, R1, &[operand(t(R1), ""), operand(LANE, "w")]),
        updating(op(Opcode::Sle, Type::S32, R2, &[operand(t(R1), ""), operand(LANE, "x")])),
        control(Opcode::If, Control::If { test: when(Condition::Ne, 0), otherwise: 6 }),
        control(Opcode::Cont, Control::Continue { to: 7, test: None }),
        control(Opcode::Endif, Control::EndIf),
        count(),
        control(Opcode::Endrep, Control::EndLoop { start: 1 }),
    ]));
    assert_eq!(register(&ends, R0).map(|r| r[0]), [10, 9, 8, 7]);
    assert_eq!(register(&ends, R1).map(|r| r[0]), [10; 4]);
}

/// Executes the vote `question` in the lanes whose n - 2 passes the test `least`.
fn asked(question: Opcode, ty: Type, component: &str, least: Condition) -> [[u64; 4]; QUAD] {
    let ends = run(program(vec![
        updating(op(Opcode::Mov, Type::S32, R1, &[operand(LANE, "y")])),
        control(Opcode::If, Control::If { test: when(least, 0), otherwise: 5 }),
        op(question, ty, R0, &[operand(LANE, component)]),
        // A derivative keeps the compiler from executing the block for all lanes.
        op(Opcode::Ddx, Type::F32, R2, &[operand(LANE, "")]),
        control(Opcode::Endif, Control::EndIf),
    ]));
    register(&ends, R0)
}

#[test]
fn thread_groups_are_the_lanes_of_a_quad_that_execute_together() {
    const YES: u64 = 0xFFFF_FFFF;
    let x = |registers: [[u64; 4]; QUAD]| registers.map(|r| r[0]);
    // Lane numbers: 0 in lane 0 (NV_gpu_program5 2.X.8).
    assert_eq!(x(asked(Opcode::Tgall, Type::S32, "x", Condition::Tr)), [0; 4]);
    assert_eq!(x(asked(Opcode::Tgany, Type::S32, "x", Condition::Tr)), [YES; 4]);
    assert_eq!(x(asked(Opcode::Tgeq, Type::S32, "x", Condition::Tr)), [0; 4]);
    assert_eq!(x(asked(Opcode::Tgeq, Type::U32, "z", Condition::Tr)), [YES; 4]);
    // Lanes 2 and 3 vote, because n - 2 is not below zero there. Their lane numbers are not zero.
    assert_eq!(x(asked(Opcode::Tgall, Type::S32, "x", Condition::Ge)), [0, 0, YES, YES]);
    assert_eq!(x(asked(Opcode::Tgeq, Type::S32, "x", Condition::Ge)), [0; 4]);
    // Only lane 2 votes, because n - 2 is zero there alone.
    assert_eq!(x(asked(Opcode::Tgany, Type::S32, "y", Condition::Eq)), [0; 4]);
    assert_eq!(x(asked(Opcode::Tgall, Type::S32, "y", Condition::Lt)), [YES, YES, 0, 0]);
    // These integers are denormals as floats. Denormals are zeros, which are equal.
    assert_eq!(x(asked(Opcode::Tgany, Type::F32, "x", Condition::Tr)), [0; 4]);
    assert_eq!(x(asked(Opcode::Tgeq, Type::F32, "x", Condition::Tr)), [0x3F80_0000; 4]);
}

#[test]
fn kil_looks_at_integers() {
    let killed = |ty| {
        let kill = instruction(Opcode::Kil, ty, Kind::Kill(Kill::Negative), &[operand(LANE, "")]);
        run(program(vec![kill])).map(|end| end.registers.killed)
    };
    // The operand is n - 2 (NV_fragment_program4 2.X.8, KIL).
    assert_eq!(killed(Type::S32), [true, true, false, false]);
    assert_eq!(killed(Type::U32), [false; 4]);
    // As floats these integers are NaNs and denormals.
    assert_eq!(killed(Type::F32), [false; 4]);
}

#[test]
fn words_of_64_bits_are_packed_and_unpacked() {
    let ends = run(program(vec![
        op(Opcode::Pk64, Type::U64, D0, &[operand(LANE, "")]),
        op(Opcode::Up64, Type::U64, R0, &[operand(t(D0), "")]),
    ]));
    // (n, n - 2, 10, 1) gives the pairs (x, y) and (z, w).
    let pair = |low: i64, high: i64| (high << 32 | low).cast_unsigned();
    assert_eq!(register(&ends, D0)[3], [pair(3, 1), pair(10, 1), pair(3, 1), pair(10, 1)]);
    assert_eq!(register(&ends, R0)[3], [3, 1, 10, 1]);
}

#[test]
fn moves_keep_integers_and_conversions_are_told_apart() {
    let convert = |from, to, target, source| {
        let conversion = Conversion { from, to, rounding: Rounding::Round };
        instruction(Opcode::Cvt, to.ty(), Kind::Convert(write(target), conversion), &[operand(source, "")])
    };
    let ends = run(program(vec![
        // A move without a type is a float move.
        op(Opcode::Mov, Type::F32, R0, &[operand(LANE, "")]),
        convert(Format::S32, Format::F32, R1, LANE),
        // CVT extends the sign to the LONG register (NV_gpu_program5 2.X.8, CVT).
        convert(Format::S8, Format::S16, D0, LANE),
        convert(Format::F32, Format::F16, R2, t(R1)),
    ]));
    assert_eq!(register(&ends, R0)[0], [0, 0xFFFF_FFFE, 10, 1]);
    assert_eq!(register(&ends, R1)[0], [0.0, -2.0, 10.0, 1.0].map(|x: f32| u64::from(x.to_bits())));
    assert_eq!(register(&ends, D0)[0], [0, u64::MAX - 1, 10, 1]);
    assert_eq!(register(&ends, R2)[0], [0, 0xC000, 0x4900, 0x3C00]);
}

#[test]
fn undefined_results_are_told() {
    let defined = |op_code, ty, a: &str, b: &str| {
        let ends = run(program(vec![op(op_code, ty, R0, &[operand(LANE, a), operand(LANE, b)])]));
        ends.map(|end| end.registers.temporaries_defined[0])
    };
    // The second operand is n, then n - 2.
    assert_eq!(defined(Opcode::Div, Type::S32, "", "x"), [0, 0xF, 0xF, 0xF]);
    assert_eq!(defined(Opcode::Shl, Type::S32, "", "y"), [0, 0, 0xF, 0xF]);
    // A negative dividend also gives an undefined result: component y of lanes 0 and 1.
    assert_eq!(defined(Opcode::Mod, Type::S32, "", "z"), [0b1101, 0b1101, 0xF, 0xF]);
    assert_eq!(defined(Opcode::Mod, Type::U32, "", "z"), [0xF; 4]);
    assert_eq!(defined(Opcode::Add, Type::S32, "", "y"), [0xF; 4]);
}

/// An RGBA8 texture of 4 x 4 texels with its three levels. The texel at (i, j) of level l is (i, j, l, 255).
fn numbered(min_filter: MinFilter, base_level: u32) -> Arc<Texture> {
    let level = |l: usize| {
        let side = 4 >> l;
        let texels = (0..side * side).flat_map(|at| [(at % side) as u8, (at / side) as u8, l as u8, 255]);
        Level::from(Image::from_rgba8([side, side, 1], texels.collect()).expect("a size of an image"))
    };
    let target = TextureTarget::D2;
    let sampler =
        Sampler { min_filter, base_level, mag_filter: MagFilter::Linear, ..Sampler::for_target(target) };
    let levels = (0..3).map(level).collect();
    Arc::new(Texture::new(target, TextureFormat::Rgba8, levels, sampler).expect("a texture"))
}

/// A program with a fetch or a query on unit 0.
fn asks(op: Opcode, ty: Type, letters: &str) -> Program {
    let texture = TextureAccess::new(0, TextureTarget::D2);
    program(vec![instruction(op, ty, Kind::Texture(write(R0), texture), &[operand(LANE, letters)])])
}

/// The value of R0 and its mask of defined components, in each lane.
#[track_caller]
fn asked_of(program: Program, texture: Arc<Texture>) -> [([u64; 4], u8); QUAD] {
    run_with(program, Some(texture))
        .map(|end| (end.registers.temporaries[0], end.registers.temporaries_defined[0]))
}

#[test]
fn txf_reads_single_texels() {
    let texel = |bytes: [u8; 4]| (bytes.map(|byte| u64::from((f32::from(byte) / 255.0).to_bits())), 0xF);
    let undefined = ([0; 4], 0);
    let mipmapped = || numbered(MinFilter::LinearMipmapLinear, 0);
    // Texel (n, 1) of level 1, which is 2 x 2, without a filter. The third component is not a coordinate.
    let found = asked_of(asks(Opcode::Txf, Type::F32, "xwzw"), mipmapped());
    assert_eq!(found, [texel([0, 1, 1, 255]), texel([1, 1, 1, 255]), undefined, undefined]);
    // Texel (n - 2, 1) of level 1: below 0, then inside.
    let found = asked_of(asks(Opcode::Txf, Type::F32, "ywzw"), mipmapped());
    assert_eq!(found, [undefined, undefined, texel([0, 1, 1, 255]), texel([1, 1, 1, 255])]);
    // Texel (n, n) of level n - 2.
    let found = asked_of(asks(Opcode::Txf, Type::F32, "xxzy"), mipmapped());
    assert_eq!(found, [undefined, undefined, texel([2, 2, 0, 255]), undefined]);
    // Levels count from the base level: texel (1, 1) of level 1 + n.
    let found = asked_of(asks(Opcode::Txf, Type::F32, "wwzx"), numbered(MinFilter::LinearMipmapLinear, 1));
    assert_eq!(found, [texel([1, 1, 1, 255]), undefined, undefined, undefined]);
    // Without mipmaps only the base level exists: texel (1, 1) of level n.
    let found = asked_of(asks(Opcode::Txf, Type::F32, "wwzx"), numbered(MinFilter::Linear, 0));
    assert_eq!(found, [texel([1, 1, 0, 255]), undefined, undefined, undefined]);
    // Texel (n - 2, n - 2) of level 1, moved by (1, 1). The third component, 10, is not a valid offset. This
    // does not matter, because a 2D image has no third axis (NV_gpu_program5 2.X.4.4).
    let mut moved = asks(Opcode::Txf, Type::F32, "yyzw");
    let offset = TexelOffset::Operand;
    let access = TextureAccess { offset, ..TextureAccess::new(0, TextureTarget::D2) };
    moved.instructions[0].kind = Kind::Texture(write(R0), access);
    moved.instructions[0].operands.push(operand(LANE, "wwzz"));
    let found = asked_of(moved, mipmapped());
    assert_eq!(found, [undefined, texel([0, 0, 1, 255]), texel([1, 1, 1, 255]), undefined]);
    // The format does not hold integers (2.X.4.4).
    let found = asked_of(asks(Opcode::Txf, Type::S32, "xwzw"), mipmapped());
    assert_eq!(found, [undefined; QUAD]);
}

#[test]
fn txq_tells_the_size_of_a_level() {
    let size = |side| ([side, side, 0, 0], 0b0011);
    let undefined = ([0; 4], 0);
    // Levels n, and 1 + n, of three.
    let found = asked_of(asks(Opcode::Txq, Type::S32, "x"), numbered(MinFilter::LinearMipmapLinear, 0));
    assert_eq!(found, [size(4), size(2), size(1), undefined]);
    let found = asked_of(asks(Opcode::Txq, Type::S32, "x"), numbered(MinFilter::Nearest, 1));
    assert_eq!(found, [size(2), size(1), undefined, undefined]);
    // Levels n - 2.
    let found = asked_of(asks(Opcode::Txq, Type::S32, "y"), numbered(MinFilter::LinearMipmapLinear, 0));
    assert_eq!(found, [undefined, undefined, size(4), size(2)]);
    // No texture.
    let ends = run(asks(Opcode::Txq, Type::S32, "x"));
    assert_eq!(register(&ends, R0), [[0; 4]; QUAD]);
    assert_eq!(ends.map(|end| end.registers.temporaries_defined[0]), [0; QUAD]);
}

#[test]
fn calls_nest_thirty_two_deep() {
    // A subroutine that calls itself from twenty IF blocks and three loops. The language has no limit for
    // active blocks.
    let (ifs, loops) = (20, 3);
    let call = 2 + 1 + ifs + loops;
    let mut body = vec![
        control(Opcode::Cal, Control::Call { to: 2, test: None }),
        control(Opcode::Ret, Control::Return { test: None }),
        count(),
    ];
    for level in 0..ifs {
        let otherwise = call + 1 + loops + ifs - level;
        body.push(control(Opcode::If, Control::If { test: when(Condition::Tr, 0), otherwise }));
    }
    for level in 0..loops {
        let end = call + 1 + loops - level;
        let begin = Control::Loop { end, index: None };
        body.push(instruction(Opcode::Rep, Type::S32, begin, &[operand(LANE, "z")]));
    }
    body.push(control(Opcode::Cal, Control::Call { to: 2, test: None }));
    let first_loop = call - loops;
    body.extend(
        (0..loops)
            .rev()
            .map(|level| control(Opcode::Endrep, Control::EndLoop { start: first_loop + level + 1 })),
    );
    body.extend((0..ifs).map(|_| control(Opcode::Endif, Control::EndIf)));
    body.push(control(Opcode::Ret, Control::Return { test: None }));
    let ends = run(deep_program(body));
    // Ruling 4: the 33rd call ends the program.
    assert_eq!(register(&ends, R0).map(|r| r[0]), [32; 4]);
    assert!(ends.iter().all(|end| end.ended == Ended::CallOverflow));
}

#[test]
fn sixty_four_loops_nest() {
    let depth = 64;
    let mut body = Vec::new();
    for level in 0..depth {
        let begin = Control::Loop { end: 2 * depth + 1 - level, index: None };
        let rounds = if level + 1 == depth { "z" } else { "w" };
        body.push(instruction(Opcode::Rep, Type::S32, begin, &[operand(LANE, rounds)]));
    }
    body.push(count());
    body.extend((0..depth).rev().map(|level| control(Opcode::Endrep, Control::EndLoop { start: level + 1 })));
    let ends = run(deep_program(body));
    assert_eq!(register(&ends, R0).map(|r| r[0]), [10; 4]);
    assert!(ends.iter().all(|end| end.ended == Ended::Normal));
}

#[test]
fn loops_have_more_than_255_rounds_and_programs_end_after_2_to_the_24() {
    let square = op(Opcode::Mul, Type::S32, R1, &[operand(LANE, "z"), operand(LANE, "z")]);
    let cube = op(Opcode::Mul, Type::S32, R1, &[operand(t(R1), ""), operand(LANE, "z")]);
    let body = deep_program(vec![
        square,
        cube,
        instruction(Opcode::Rep, Type::S32, Control::Loop { end: 5, index: None }, &[operand(t(R1), "")]),
        count(),
        control(Opcode::Endrep, Control::EndLoop { start: 3 }),
    ]);
    assert_eq!(InstructionLimit::of(&body), InstructionLimit(1 << 24));
    assert_eq!(register(&run(body), R0).map(|r| r[0]), [1000; 4]);
}
