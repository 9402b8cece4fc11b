//! Program objects, parameters and queries through ARB commands, and their interaction with the NV commands.

use super::super::{Cap, Context, Normalization, Normalized, ProgramQuery, Resource, Whole, enums};
use super::{FP, VP, loaded};
use shadestep_core::pipeline::{ArrayData, Primitive};
use shadestep_language::front;
use shadestep_language::ir::{
    ConstantVector, Control, Element, Index, Indirect, Instruction, Kind, Operand, ParamId, ParameterSource,
    Program, Source, StateVector, TempId, Temporary, Type, singles,
};
use shadestep_language::isa::Stage::{Fragment, Vertex};
use shadestep_language::isa::{Language, Stage};

const ASCII: u32 = enums::PROGRAM_FORMAT_ASCII_ARB;
const STRING: u32 = enums::PROGRAM_STRING_ARB;

fn queried(context: &Context, target: Stage, query: u32) -> i64 {
    context.get_program_iv(target, query).expect("an answer")
}

#[test]
fn both_names_of_a_target_mean_the_same() {
    let mut context = Context::new();
    context.enable(enums::FRAGMENT_PROGRAM_ARB).expect("enabled");
    assert_eq!(context.is_enabled(enums::FRAGMENT_PROGRAM_NV), Ok(true));
    assert_eq!(context.is_enabled(Cap::FragmentProgram), Ok(true));
    context.disable(enums::FRAGMENT_PROGRAM_NV).expect("disabled");
    assert_eq!(context.is_enabled(enums::FRAGMENT_PROGRAM_ARB), Ok(false));
    context.bind_program_arb(enums::FRAGMENT_PROGRAM_ARB, 3).expect("created");
    assert_eq!(context.program_binding(Fragment), 3);
    context.matrix_mode(enums::MATRIX0_ARB + 5).expect("a mode");
    context.scale([2.0, 1.0, 1.0]).expect("program matrix 5");
    context.matrix_mode(enums::MATRIX0_NV + 5).expect("a mode");
    assert_eq!(context.current_matrix().expect("the same").rows[0], [2.0, 0.0, 0.0, 0.0]);
}

#[test]
fn binding_an_unused_name_creates_an_object() {
    let mut context = Context::new();
    let names = context.gen_programs(2).expect("two names");
    assert!(!context.is_program(names[0]), "given out and not bound");
    context.bind_program_arb(Vertex, names[0]).expect("created");
    assert!(context.is_program(names[0]));
    assert_eq!(context.gen_programs(1).expect("another"), [3]);
    let object = context.get_program(names[0]).expect("it exists");
    assert_eq!((object.target(), object.text(), object.program().is_none()), (Vertex, &b""[..], true));
    context.bind_program_arb(Vertex, 0).expect("the default object");
    assert!(context.is_program(names[0]), "it stays");
    assert!(!context.is_program(0));
    context.delete_programs(&names).expect("deleted");
    assert!(!context.is_program(names[0]));
}

#[test]
fn each_target_has_a_default_object_with_a_program_and_parameters_of_its_own() {
    let mut context = Context::new();
    context.program_local_parameter4(Vertex, 5, [1.0f32; 4]).expect("set");
    context.program_local_parameter4(Fragment, 5, [2.0f32; 4]).expect("set");
    context.program_string(Vertex, ASCII, VP).expect("loaded");
    context.program_string(Fragment, ASCII, FP).expect("loaded");
    context.enable(enums::VERTEX_PROGRAM_ARB).expect("enabled");
    context.enable(enums::FRAGMENT_PROGRAM_ARB).expect("enabled");
    context.begin(Primitive::Points).expect("both are valid");
    context.end().expect("ended");
    context.bind_program_arb(Vertex, 7).expect("created");
    assert_eq!(context.get_program_local_parameter(Vertex, 5), Ok([0.0; 4]));
    assert_eq!(context.get_program_string_arb(Vertex, STRING), Ok(&b""[..]));
    // Deleting the bound object binds the default object.
    context.delete_programs(&[7]).expect("deleted");
    assert_eq!(context.get_program_local_parameter(Vertex, 5), Ok([1.0; 4]));
    assert_eq!(context.get_program_string_arb(Vertex, STRING), Ok(VP));
    assert_eq!(context.get_program_local_parameter(Fragment, 5), Ok([2.0; 4]));
    assert_eq!(context.get_program_string_arb(Fragment, STRING), Ok(FP));
}

#[test]
fn a_new_program_string_keeps_the_local_parameters_of_its_object() {
    let mut context = Context::new();
    context.bind_program_arb(Vertex, 1).expect("created");
    context.program_local_parameter4(Vertex, 255, [3.0f64; 4]).expect("set before there is a program");
    context.program_string(Vertex, ASCII, VP).expect("loaded");
    context.program_string(Vertex, ASCII, (29, VP)).expect_err("the text is longer than that");
    assert_eq!(context.get_program_local_parameter(Vertex, 255), Ok([3.0; 4]));
    assert_eq!(context.get_program_string(1), Ok(VP));
}

#[test]
fn programs_loaded_either_way_are_the_same_objects() {
    let mut context = loaded();
    context.bind_program_arb(Vertex, 1).expect("bound");
    assert_eq!(queried(&context, Vertex, enums::PROGRAM_LENGTH_ARB), VP.len() as i64);
    assert_eq!(queried(&context, Vertex, enums::PROGRAM_FORMAT_ARB), i64::from(ASCII));
    assert_eq!(queried(&context, Vertex, enums::PROGRAM_BINDING_ARB), 1);
    let text = b"!!VP1.1\nMOV o[HPOS], v[OPOS];\nEND";
    context.program_string(Vertex, ASCII, text).expect("loaded");
    assert_eq!(context.get_program_string(1), Ok(&text[..]));
    // BindProgramNV does not create an object; ProgramStringARB does.
    context.bind_program(Fragment, 50).expect("nothing there yet");
    assert!(!context.is_program(50));
    context.program_string(Fragment, ASCII, FP).expect("loaded");
    assert!(context.is_program(50));
    context.program_named_parameter4(50, b"tint", [0.5f32; 4]).expect("it declares that");
}

#[test]
fn a_successful_load_has_no_error_position() {
    let mut context = Context::new();
    assert_eq!(context.program_error_position(), -1);
    context.program_string(Vertex, ASCII, b"!!VP1.0 oops").expect_err("no program");
    assert_eq!(context.program_error_position(), 8);
    context.program_string(Vertex, ASCII, VP).expect("loaded");
    assert_eq!((context.program_error_position(), context.program_error_string()), (-1, ""));
}

#[test]
fn environment_parameters_belong_to_a_target() {
    let mut context = Context::new();
    for index in [0, 128, 255] {
        assert_eq!(context.get_program_env_parameter(Vertex, index), Ok([0.0; 4]));
        assert_eq!(context.get_program_env_parameter(Fragment, index), Ok([0.0; 4]));
    }
    context.program_env_parameter4(Vertex, 128, [1.0f32, 2.0, 3.0, 4.0]).expect("set");
    context.program_env_parameter4(Fragment, 128, [5.0f64, 6.0, 7.0, 8.0]).expect("set");
    assert_eq!(context.get_program_env_parameter(Fragment, 128), Ok([5.0, 6.0, 7.0, 8.0]));
    // The vertex target's environment parameters are NV_vertex_program's registers.
    assert_eq!(context.get_program_parameter(Vertex, 128), Ok([1.0, 2.0, 3.0, 4.0]));
    context.program_parameter4(Vertex, 128, [9.0f32; 4]).expect("set");
    assert_eq!(context.get_program_env_parameter(Vertex, 128), Ok([9.0; 4]));
}

#[test]
fn what_an_object_without_a_program_is_said_to_use() {
    let context = Context::new();
    for target in [Vertex, Fragment] {
        for resource in Resource::ALL {
            assert_eq!(context.get_program_iv(target, ProgramQuery::Used(resource)), Ok(0));
            assert_eq!(context.get_program_iv(target, ProgramQuery::NativeUsed(resource)), Ok(0));
        }
        assert_eq!(queried(&context, target, enums::PROGRAM_UNDER_NATIVE_LIMITS_ARB), 0);
        assert_eq!(queried(&context, target, enums::PROGRAM_LENGTH_ARB), 0);
        assert_eq!(queried(&context, target, enums::PROGRAM_BINDING_ARB), 0);
    }
}

#[test]
fn limits_are_at_least_those_of_the_tables() {
    // Tables X.10 and X.11. Queries that only one text defines are accepted for the other target too.
    let rows = [
        (enums::MAX_PROGRAM_ENV_PARAMETERS_ARB, 96, 24),
        (enums::MAX_PROGRAM_LOCAL_PARAMETERS_ARB, 96, 24),
        (enums::MAX_PROGRAM_INSTRUCTIONS_ARB, 128, 72),
        (enums::MAX_PROGRAM_ALU_INSTRUCTIONS_ARB, 0, 48),
        (enums::MAX_PROGRAM_TEX_INSTRUCTIONS_ARB, 0, 24),
        (enums::MAX_PROGRAM_TEX_INDIRECTIONS_ARB, 0, 4),
        (enums::MAX_PROGRAM_TEMPORARIES_ARB, 12, 16),
        (enums::MAX_PROGRAM_PARAMETERS_ARB, 96, 24),
        (enums::MAX_PROGRAM_ATTRIBS_ARB, 16, 10),
        (enums::MAX_PROGRAM_ADDRESS_REGISTERS_ARB, 1, 0),
        (enums::MAX_PROGRAM_EXEC_INSTRUCTIONS_NV, 65536, 65536),
        (enums::MAX_PROGRAM_CALL_DEPTH_NV, 4, 4),
    ];
    let context = Context::new();
    for (query, vertex, fragment) in rows {
        assert!(queried(&context, Vertex, query) >= vertex, "{query:#x}");
        assert!(queried(&context, Fragment, query) >= fragment, "{query:#x}");
    }
    assert_eq!(queried(&context, Fragment, enums::MAX_PROGRAM_IF_DEPTH_NV), 48);
    assert_eq!(queried(&context, Fragment, enums::MAX_PROGRAM_LOOP_DEPTH_NV), 4);
    assert_eq!(queried(&context, Fragment, enums::MAX_PROGRAM_LOOP_COUNT_NV), 255);
    // NV_fragment_program: the limit of !!FP1.0.
    assert!(queried(&context, Fragment, enums::MAX_PROGRAM_INSTRUCTIONS_ARB) >= 1024);
    // Native limits are equal, because every program is native.
    for (count, native) in [
        (enums::MAX_PROGRAM_INSTRUCTIONS_ARB, enums::MAX_PROGRAM_NATIVE_INSTRUCTIONS_ARB),
        (enums::MAX_PROGRAM_ALU_INSTRUCTIONS_ARB, enums::MAX_PROGRAM_NATIVE_ALU_INSTRUCTIONS_ARB),
        (enums::MAX_PROGRAM_TEX_INSTRUCTIONS_ARB, enums::MAX_PROGRAM_NATIVE_TEX_INSTRUCTIONS_ARB),
        (enums::MAX_PROGRAM_TEX_INDIRECTIONS_ARB, enums::MAX_PROGRAM_NATIVE_TEX_INDIRECTIONS_ARB),
        (enums::MAX_PROGRAM_TEMPORARIES_ARB, enums::MAX_PROGRAM_NATIVE_TEMPORARIES_ARB),
        (enums::MAX_PROGRAM_PARAMETERS_ARB, enums::MAX_PROGRAM_NATIVE_PARAMETERS_ARB),
        (enums::MAX_PROGRAM_ATTRIBS_ARB, enums::MAX_PROGRAM_NATIVE_ATTRIBS_ARB),
        (enums::MAX_PROGRAM_ADDRESS_REGISTERS_ARB, enums::MAX_PROGRAM_NATIVE_ADDRESS_REGISTERS_ARB),
    ] {
        for target in [Vertex, Fragment] {
            assert_eq!(queried(&context, target, count), queried(&context, target, native), "{count:#x}");
        }
    }
    for (limit, least) in [
        (enums::MAX_VERTEX_ATTRIBS_ARB, 16),
        (enums::MAX_PROGRAM_MATRICES_ARB, 8),
        (enums::MAX_PROGRAM_MATRIX_STACK_DEPTH_ARB, 1),
        (enums::MAX_TEXTURE_COORDS_ARB, 2),
        (enums::MAX_TEXTURE_IMAGE_UNITS_ARB, 2),
        (enums::MAX_LIGHTS, 8),
        (enums::MAX_CLIP_PLANES, 8),
    ] {
        assert!(context.get_limit(limit).expect("a limit") >= least, "{limit:#x}");
    }
}

/// An IR program for tests: loaded from a text of an NV language, then relabelled as `language`.
fn written(text: &[u8], language: Language) -> Program {
    let program = front::load(text).program.expect("it loads");
    Program { language, usage: Vec::new(), ..program }
}

/// The program's resource use according to queries: instructions, ALU, texture, indirections, temporaries,
/// parameters, attributes, address registers.
fn used(target: Stage, program: Program) -> [i64; 8] {
    let mut context = Context::new();
    context.programs.insert(5, target, program);
    context.bind_program_arb(target, 5).expect("bound");
    assert_eq!(queried(&context, target, enums::PROGRAM_UNDER_NATIVE_LIMITS_ARB), 1);
    Resource::ALL.map(|resource| {
        let count = context.get_program_iv(target, ProgramQuery::Used(resource)).expect("a count");
        assert_eq!(context.get_program_iv(target, ProgramQuery::NativeUsed(resource)), Ok(count));
        count
    })
}

#[test]
fn what_fragment_programs_use() {
    // Lookups and KIL are not ALU instructions. f[TEX0] and f[COL0] are two attributes. The two constants
    // differ.
    let text = b"!!FP1.0\nTEX R0, f[TEX0], TEX0, 2D;\nMUL R1, R0, {2, 2, 2, 2};\nKIL NE.x;\n\
        ADD o[COLR], R1, f[COL0];\nMOV R1, {3, 4, 5, 6};\nEND";
    assert_eq!(used(Fragment, written(text, Language::ArbFp1)), [5, 3, 2, 1, 2, 2, 2, 0]);
}

#[test]
fn indirections_follow_3_11_6() {
    for (body, nodes) in [
        // Without a lookup, the count is one.
        (&b"MOV o[COLR], f[COL0];"[..], 1),
        // Two lookups with attribute coordinates.
        (b"TEX R0, f[TEX0], TEX0, 2D;\nTEX R1, f[TEX1], TEX1, 2D;\nADD o[COLR], R0, R1;", 1),
        // A coordinate that was looked up or computed.
        (b"TEX R0, f[TEX0], TEX0, 2D;\nTEX R1, R0, TEX1, 2D;\nMOV o[COLR], R1;", 2),
        (b"MUL R0, f[TEX0], f[TEX0];\nTEX R1, R0, TEX1, 2D;\nMOV o[COLR], R1;", 2),
        // Two lookups in the second node.
        (b"MUL R0, f[TEX0], f[TEX0];\nTEX R1, R0, TEX1, 2D;\nTEX R2, R0, TEX2, 2D;\nADD o[COLR], R1, R2;", 2),
        // A result that an ALU instruction has read or written before.
        (b"MOV R0, f[COL0];\nTEX R0, f[TEX0], TEX0, 2D;\nMOV o[COLR], R0;", 2),
        (b"MOV R1, R0;\nTEX R0, f[TEX0], TEX0, 2D;\nADD o[COLR], R0, R1;", 2),
        // A result that another lookup has written does not start a node.
        (b"TEX R0, f[TEX0], TEX0, 2D;\nTEX R0, f[TEX1], TEX1, 2D;\nMOV o[COLR], R0;", 1),
        (b"TEX R0, f[TEX0], TEX0, 2D;\nTEX R0, R0, TEX1, 2D;\nTEX R0, R0, TEX2, 2D;\nMOV o[COLR], R0;", 3),
    ] {
        let text = [&b"!!FP1.0\n"[..], body, b"\nEND"].concat();
        let program = written(&text, Language::ArbFp1);
        assert_eq!(used(Fragment, program)[3], nodes, "{}", String::from_utf8_lossy(body));
    }
}

#[test]
fn flow_counts_among_all_instructions_alone() {
    let mut program = written(b"!!FP1.0\nMOV R0, f[COL0];\nMOV o[COLR], R0;\nEND", Language::ArbFp1Nv2);
    let flow = Instruction { kind: Kind::Flow(Control::EndIf), ..program.instructions[0].clone() };
    program.instructions.insert(1, Instruction { operands: Vec::new(), ..flow });
    assert_eq!(used(Fragment, program)[..3], [3, 2, 0]);
}

#[test]
fn what_vertex_programs_use() {
    let text = b"!!VP1.0\nMOV R0, v[OPOS];\nDP4 R1.x, R0, c[1];\nMAD R1, v[NRML], R1, c[2];\n\
        MOV o[HPOS], R1;\nMOV o[COL0], c[3];\nMOV o[COL1], c[4];\nEND";
    let mut program = written(text, Language::ArbVp1);
    // A state vector that is bound twice counts once. So do equal constants.
    for (parameter, source) in program.parameters.iter_mut().zip([
        ParameterSource::State(StateVector::FogColor),
        ParameterSource::Constant(ConstantVector::floats([0.0, 1.0, 2.0, 3.0])),
        ParameterSource::State(StateVector::FogColor),
        ParameterSource::Constant(ConstantVector::floats([-0.0, 1.0, 2.0, 3.0])),
    ]) {
        parameter.source = source;
    }
    assert_eq!(used(Vertex, program), [6, 0, 0, 0, 2, 2, 2, 0]);
}

#[test]
fn constants_count_as_in_the_example_of_2_14_3_7() {
    // arr1, which is addressed relatively; arr2; x, y, z, r.
    let constants = [
        [1.0, 2.0, 3.0, 4.0],
        [1.0, 2.0, 3.0, 4.0],
        [4.0; 4],
        [5.0, 6.0, 7.0, 8.0],
        [1.0, 2.0, 3.0, 4.0],
        [5.0, 6.0, 7.0, 8.0],
        [0.0, 1.0, 2.0, 3.0],
        [4.0, 3.0, 2.0, 1.0],
        [1.0, 2.0, 3.0, 4.0],
        [4.0; 4],
        [4.0, 3.0, 2.0, 1.0],
    ];
    let mut program = written(b"!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND", Language::ArbVp1);
    program.parameters =
        constants.map(|value| ParameterSource::Constant(ConstantVector::floats(value)).into()).to_vec();
    program.temporaries.push(Temporary { name: "A0".into(), ty: Type::Address });
    let address = TempId(0);
    assert_eq!(used(Vertex, program.clone())[5], 5, "nothing is read relatively");
    let first = Element::Param(ParamId(0));
    let indirect = Indirect { first, count: 4, index: Index::computed(address, 0, 0), vertex: None };
    let operand = Operand { source: Source::Indirect(indirect), ..program.instructions[0].operands[0] };
    let read = Instruction { operands: vec![operand], ..program.instructions[0].clone() };
    program.instructions.push(read);
    assert_eq!(used(Vertex, program), [2, 0, 0, 0, 0, 6, 1, 1]);
}

#[test]
fn loaded_vertex_programs_use_what_they_declare() {
    // 2.14.3.7: the example's six constants. arr1 is addressed relatively. Unused declarations count.
    const TEXT: &[u8] = b"!!ARBvp1.0
        PARAM arr1[4] = { {1,2,3,4}, {1,2,3,4}, {4,4,4,4}, {5,6,7,8} };
        PARAM arr2[3] = { {1,2,3,4}, {5,6,7,8}, {0,1,2,3} };
        PARAM x = {4,3,2,1}; PARAM y = {1,2,3,4}; PARAM z = 4; PARAM r = {4,3,2,1};
        ADDRESS i; TEMP t, unused; ALIAS u = t; ATTRIB n = vertex.normal;
        ARL i.x, vertex.position.x;
        ADD u, arr1[i.x], arr2[2];
        MOV result.position, vertex.position;
        END";
    let mut context = Context::new();
    context.program_string(Vertex, ASCII, TEXT).expect("loaded");
    let counts = Resource::ALL
        .map(|resource| context.get_program_iv(Vertex, ProgramQuery::Used(resource)).expect("a count"));
    assert_eq!(counts, [3, 0, 0, 0, 2, 6, 2, 1]);
    assert_eq!(queried(&context, Vertex, enums::PROGRAM_UNDER_NATIVE_LIMITS_ARB), 1);
}

#[test]
fn counts_made_by_the_load_come_before_those_of_the_program() {
    let mut program = written(b"!!FP1.0\nMOV o[COLR], f[COL0];\nEND", Language::ArbFp1);
    // Three temporaries are declared and none is used.
    let usage = shadestep_language::ir::Usage { what: "temporaries", about: "", used: 3, limit: 32 };
    program.usage = vec![usage];
    assert_eq!(used(Fragment, program)[4], 3);
}

#[test]
fn generic_attributes_are_fractions_where_that_is_asked_for() {
    let mut context = Context::new();
    context.vertex_attrib(6, Whole([-128i8, 127, 0, 3])).expect("set");
    assert_eq!(context.get_vertex_attrib_arb(6), Ok([-128.0, 127.0, 0.0, 3.0]));
    // (2c + 1) / (2^b - 1) of table 2.9.
    context.vertex_attrib(6, Normalized([-128i8, 127, 0, 1])).expect("set");
    assert_eq!(context.get_vertex_attrib_arb(6), Ok([-1.0, 1.0, 1.0 / 255.0, 3.0 / 255.0]));
    context.vertex_attrib(6, Normalized([0u16, 65535, 13107, 1])).expect("set");
    assert_eq!(context.get_vertex_attrib_arb(6), Ok([0.0, 1.0, 0.2, 1.0 / 65535.0]));
    context.vertex_attrib(6, Normalized([i32::MIN, i32::MAX, 0, -1])).expect("set");
    let least = 2.328_306_4e-10;
    assert_eq!(context.get_vertex_attrib_arb(6), Ok([-1.0, 1.0, least, -least]));
    context.vertex_attrib(6, Whole([7u32, 8, 9, 10])).expect("set");
    assert_eq!(context.get_vertex_attrib_arb(6), Ok([7.0, 8.0, 9.0, 10.0]));
    // VertexAttrib4Nub is VertexAttrib4ubNV.
    context.vertex_attrib(6, Normalized([0u8, 255, 51, 102])).expect("set");
    let ours = context.get_vertex_attrib_arb(6);
    context.vertex_attrib(6, [0u8, 255, 51, 102]).expect("set");
    assert_eq!(ours, context.get_vertex_attrib_arb(6));
}

#[test]
fn generic_arrays_are_fractions_where_that_is_asked_for() {
    let mut context = loaded();
    context.bind_program_arb(Vertex, 1).expect("bound");
    context.enable(enums::VERTEX_PROGRAM_ARB).expect("enabled");
    let shorts = || ArrayData::Short(vec![0, 1, -32768, 32767, 5, 6].into());
    let bytes = || ArrayData::UnsignedByte(vec![0, 51, 255, 102].into());
    let signed_bytes = || ArrayData::Byte(vec![0, 0, -128, 1].into());
    let unsigned_shorts = || ArrayData::UnsignedShort(vec![0, 0, 65535, 13107].into());
    let ints = || ArrayData::Int(vec![0, 0, i32::MIN, 16_777_217].into());
    let unsigned_ints = || ArrayData::UnsignedInt(vec![0, 0, u32::MAX, 858_993_459].into());
    let (plain, fraction) = (Normalization::Plain, Normalization::Normalized);
    let cases = [
        // (2c + 1) / 255 of table 2.6.
        (signed_bytes(), plain, [-128.0, 1.0, 0.0, 1.0]),
        (signed_bytes(), fraction, [-1.0, 3.0 / 255.0, 0.0, 1.0]),
        (unsigned_shorts(), plain, [65535.0, 13107.0, 0.0, 1.0]),
        (unsigned_shorts(), fraction, [1.0, 0.2, 0.0, 1.0]),
        // 2^24 + 1 is halfway between two floats; the even one wins.
        (ints(), plain, [-2_147_483_648.0, 16_777_216.0, 0.0, 1.0]),
        // (2^25 + 3) / (2^32 - 1) is slightly more than 2^-7 + 3 * 2^-32; the nearest float is 2^-7 + 2^-30.
        (ints(), fraction, [-1.0, 2f32.powi(-7) + 2f32.powi(-30), 0.0, 1.0]),
        (unsigned_ints(), plain, [4_294_967_296.0, 858_993_459.0, 0.0, 1.0]),
        (unsigned_ints(), fraction, [1.0, 0.2, 0.0, 1.0]),
        (ArrayData::Float(vec![0.0, 0.0, 2.5, -3.0].into()), fraction, [2.5, -3.0, 0.0, 1.0]),
        (ArrayData::Double(vec![0.0, 0.0, 2.5, -3.0].into()), fraction, [2.5, -3.0, 0.0, 1.0]),
        (shorts(), Normalization::Plain, [-32768.0, 32767.0, 0.0, 1.0]),
        (shorts(), Normalization::Normalized, [-1.0, 1.0, 0.0, 1.0]),
        (bytes(), Normalization::Plain, [255.0, 102.0, 0.0, 1.0]),
        (bytes(), Normalization::Normalized, [1.0, 0.4, 0.0, 1.0]),
    ];
    context.enable_vertex_attrib_array(0).expect("enabled");
    for (data, normalized, second) in cases {
        context.vertex_attrib_pointer_arb(0, 2, normalized, 0, data).expect("described");
        let call = context.prepare_arrays(Primitive::Points, 0, 2).expect("prepared");
        assert_eq!(call.vertex_attributes(1, 0).expect("a vertex").map(singles)[0], second);
        assert_eq!(context.get_vertex_attrib_array(0).expect("an array").conversion, normalized.into());
    }
}

#[test]
fn fixed_function_arrays_take_the_types_of_table_2_4() {
    let mut context = loaded();
    context.bind_program_arb(Vertex, 1).expect("bound");
    context.enable(enums::VERTEX_PROGRAM_ARB).expect("enabled");
    context.vertex_pointer(2, 0, ArrayData::Int(vec![3, -4].into())).expect("described");
    context.normal_pointer(0, ArrayData::Byte(vec![127, -128, 0].into())).expect("described");
    context.color_pointer(3, 0, ArrayData::UnsignedByte(vec![255, 51, 0].into())).expect("described");
    context.secondary_color_pointer(0, ArrayData::Short(vec![32767, -32768, 0].into())).expect("described");
    context.tex_coord_pointer(1, 0, ArrayData::Short(vec![7].into())).expect("described");
    for array in [
        enums::VERTEX_ARRAY,
        enums::NORMAL_ARRAY,
        enums::COLOR_ARRAY,
        enums::SECONDARY_COLOR_ARRAY,
        enums::TEXTURE_COORD_ARRAY,
    ] {
        context.enable_client_state(array).expect("enabled");
    }
    let call = context.prepare_arrays(Primitive::Points, 0, 1).expect("prepared");
    let vertex = call.vertex_attributes(0, 0).expect("a vertex").map(singles);
    assert_eq!(vertex[0], [3.0, -4.0, 0.0, 1.0]);
    assert_eq!(vertex[2], [1.0, -1.0, 1.0 / 255.0, 1.0]);
    assert_eq!(vertex[3], [1.0, 0.2, 0.0, 1.0]);
    assert_eq!(vertex[4], [1.0, -1.0, 1.0 / 65535.0, 1.0]);
    assert_eq!(vertex[8], [7.0, 0.0, 0.0, 1.0]);
}

#[test]
fn each_generic_array_has_two_switches() {
    let mut context = loaded();
    context.bind_program_arb(Vertex, 1).expect("bound");
    let data = ArrayData::Float(vec![1.0, 2.0, 3.0, 4.0].into());
    context.vertex_attrib_pointer_arb(0, 2, Normalization::Plain, 0, data).expect("described");
    // Whether elements have positions, with and without a vertex program.
    let seen = |context: &mut Context| {
        [true, false].map(|program| {
            let mode = if program { Context::enable } else { Context::disable };
            mode(context, Cap::VertexProgram).expect("switched");
            let call = context.prepare_arrays(Primitive::Points, 0, 2).expect("prepared");
            call.shaded_vertices([4, 4], 0).len() == 2
        })
    };
    assert_eq!(seen(&mut context), [false, false]);
    context.enable_vertex_attrib_array(0).expect("enabled");
    assert_eq!(seen(&mut context), [true, true]);
    context.disable_client_state(enums::VERTEX_ATTRIB_ARRAY0_NV).expect("NV's switch alone");
    assert_eq!(seen(&mut context), [false, true]);
    context.disable_vertex_attrib_array(0).expect("both");
    context.enable_client_state(enums::VERTEX_ATTRIB_ARRAY0_NV).expect("NV's switch alone");
    assert_eq!(seen(&mut context), [true, false]);
}

#[test]
fn fixed_function_attributes_alias_as_in_table_x_1() {
    // Generic attribute n and the fixed-function attribute in its row are the same state.
    let mut context = Context::new();
    context.normal([0.25, 0.5, 0.75]).expect("set");
    context.color([0.1, 0.2, 0.3, 0.4]).expect("set");
    context.secondary_color([0.5, 0.6, 0.7]).expect("set");
    context.fog_coord(9.0).expect("set");
    context.multi_tex_coord(3, [1.0f32, 2.0]).expect("set");
    for (attribute, value) in [
        (2, [0.25, 0.5, 0.75, 1.0]),
        (3, [0.1, 0.2, 0.3, 0.4]),
        (4, [0.5, 0.6, 0.7, 1.0]),
        (5, [9.0, 0.0, 0.0, 1.0]),
        (11, [1.0, 2.0, 0.0, 1.0]),
    ] {
        assert_eq!(context.get_vertex_attrib_arb(attribute), Ok(value));
    }
    context.vertex_attrib(3, [1.0f32, 0.0]).expect("set");
    context.begin(Primitive::Points).expect("begun");
    context.vertex([0.0f32; 4]).expect("a vertex");
    let call = context.end().expect("ended");
    assert_eq!(call.vertex_attributes(0, 0).expect("a vertex").map(singles)[3], [1.0, 0.0, 0.0, 1.0]);
}
