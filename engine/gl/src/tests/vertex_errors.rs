//! The Errors sections of NV_vertex_program2, which restate NV_vertex_program's, one test per sentence.
//! NV_vertex_program1_1's section says "None".

use super::super::{Context, ErrorCode, MatrixMode, TrackedMatrix, Transform, enums};
use super::{FP, VP, VSP, loaded, raises, refuses};
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::pipeline::{ArrayData, Primitive};
use shadestep_language::isa::Stage::{Fragment, Vertex, VertexState};

const ZERO: [f32; 4] = [0.0; 4];

fn floats(count: usize) -> ArrayData {
    ArrayData::Float(vec![0.0; count].into())
}

#[test]
fn vertex_attrib_index_greater_than_15() {
    let mut context = Context::new();
    context.vertex_attrib(15, [1.0f32]).expect("the last attribute");
    refuses(&mut context, InvalidValue, |c| c.vertex_attrib(16, [1.0f32]));
    refuses(&mut context, InvalidValue, |c| c.vertex_attrib(u32::MAX, [1u8, 2, 3, 4]));
    // Attributes that exist are not set either.
    refuses(&mut context, InvalidValue, |c| c.vertex_attribs(14, &[[1.0f32; 4]; 3]));
}

#[test]
fn program_parameter_index_greater_than_255() {
    let mut context = Context::new();
    context.program_parameter4(Vertex, 255, [1.0f32; 4]).expect("the last register");
    refuses(&mut context, InvalidValue, |c| c.program_parameter4(Vertex, 256, [1.0f32; 4]));
    refuses(&mut context, InvalidValue, |c| c.program_parameter4(Vertex, u32::MAX, [1.0f64; 4]));
    refuses(&mut context, InvalidValue, |c| c.program_parameters4(Vertex, 254, &[[1.0f32; 4]; 3]));
}

#[test]
fn vertex_attrib_pointer_index_greater_than_15() {
    let mut context = Context::new();
    context.vertex_attrib_pointer(15, 4, 0, floats(4)).expect("the last attribute");
    refuses(&mut context, InvalidValue, |c| c.vertex_attrib_pointer(16, 4, 0, floats(4)));
}

#[test]
fn vertex_attrib_pointer_size_not_1_2_3_or_4() {
    let mut context = Context::new();
    for size in 1..=4 {
        context.vertex_attrib_pointer(1, size, 0, floats(4)).expect("an accepted size");
    }
    for size in [-1, 0, 5, i32::MAX] {
        refuses(&mut context, InvalidValue, |c| c.vertex_attrib_pointer(1, size, 0, floats(4)));
    }
}

#[test]
fn vertex_attrib_pointer_stride_negative() {
    refuses(&mut Context::new(), InvalidValue, |c| c.vertex_attrib_pointer(1, 4, -4, floats(4)));
}

#[test]
fn vertex_attrib_pointer_unsigned_byte_and_size_not_4() {
    let mut context = Context::new();
    let bytes = || ArrayData::UnsignedByte(vec![0; 12].into());
    context.vertex_attrib_pointer(1, 4, 0, bytes()).expect("four bytes");
    for size in 1..=3 {
        refuses(&mut context, InvalidOperation, |c| c.vertex_attrib_pointer(1, size, 0, bytes()));
    }
}

#[test]
fn load_program_id_zero() {
    refuses(&mut Context::new(), InvalidValue, |c| c.load_program(Vertex, 0, VP));
}

#[test]
fn load_program_id_loaded_with_another_target() {
    let mut context = loaded();
    refuses(&mut context, InvalidOperation, |c| c.load_program(VertexState, 1, VSP));
    refuses(&mut context, InvalidOperation, |c| c.load_program(Vertex, 3, VP));
    refuses(&mut context, InvalidOperation, |c| c.load_program(Fragment, 1, FP));
    context.load_program(Vertex, 1, VP).expect("the same target");
}

#[test]
fn load_program_not_syntactically_correct_for_the_target() {
    let mut context = loaded();
    let text = b"!!VP1.0\nMOV o[HPOS], v[0];\nMOO R0, v[0];\nEND";
    raises(&mut context, InvalidOperation, |c| c.load_program(Vertex, 1, text));
    assert_eq!(context.program_error_position(), 27);
    // A valid program, but for another target.
    raises(&mut context, InvalidOperation, |c| c.load_program(VertexState, 4, VP));
    assert_eq!(context.program_error_position(), 0);
    raises(&mut context, InvalidOperation, |c| c.load_program(Vertex, 4, FP));
    assert_eq!(context.program_error_position(), 0);
    assert_eq!(context.get_program_string(1).expect("program 1 is still there"), VP);
    assert!(!context.is_program(4));
}

#[test]
fn load_program_vertex_program_does_not_write_hpos() {
    let mut context = Context::new();
    let text = b"!!VP1.0\nMOV o[COL0], v[3];\nEND";
    raises(&mut context, InvalidOperation, |c| c.load_program(Vertex, 1, text));
    assert_eq!(context.program_error_position(), text.len() as i64);
}

#[test]
fn load_program_state_program_writes_no_parameter() {
    let mut context = Context::new();
    let text = b"!!VSP1.0\nMOV R0, v[0];\nEND";
    raises(&mut context, InvalidOperation, |c| c.load_program(VertexState, 1, text));
    assert_eq!(context.program_error_position(), text.len() as i64);
}

#[test]
fn load_program_more_than_128_or_256_instructions() {
    let text = |header: &str, count: usize, target: &str| {
        let line = format!("MOV {target}, v[0];\n");
        format!("{header}\n{}END", line.repeat(count)).into_bytes()
    };
    let cases = [
        ("!!VP1.0", Vertex, "o[HPOS]", 128),
        ("!!VSP1.0", VertexState, "c[0]", 128),
        ("!!VP2.0", Vertex, "o[HPOS]", 256),
    ];
    for (header, target, register, limit) in cases {
        let mut context = Context::new();
        context.load_program(target, 1, &text(header, limit, register)).expect("the limit itself");
        assert_eq!(context.program_error_position(), -1);
        let long = text(header, limit + 1, register);
        raises(&mut context, InvalidOperation, |c| c.load_program(target, 1, &long));
        assert_ne!(context.program_error_position(), -1, "{header}");
    }
}

#[test]
fn bind_program_that_is_not_a_vertex_program() {
    let mut context = loaded();
    context.bind_program(Vertex, 1).expect("a vertex program");
    refuses(&mut context, InvalidOperation, |c| c.bind_program(Vertex, 3));
    refuses(&mut context, InvalidOperation, |c| c.bind_program(Vertex, 2));
    assert_eq!(context.program_binding(Vertex), 1);
}

#[test]
fn gen_programs_n_negative() {
    refuses(&mut Context::new(), InvalidValue, |c| c.gen_programs(-1));
}

#[test]
fn are_programs_resident_zero_or_nonexistent() {
    let mut context = loaded();
    assert_eq!(context.are_programs_resident(&[1, 2, 3]), Ok(true));
    refuses(&mut context, InvalidValue, |c| c.are_programs_resident(&[1, 0]));
    refuses(&mut context, InvalidValue, |c| c.are_programs_resident(&[1, 77]));
}

#[test]
fn execute_program_that_does_not_exist() {
    let mut context = loaded();
    let generated = context.gen_programs(1).expect("a name")[0];
    for id in [0, 77, generated] {
        refuses(&mut context, InvalidOperation, |c| c.execute_program(VertexState, id, ZERO));
    }
}

#[test]
fn execute_program_that_is_not_a_vertex_state_program() {
    let mut context = loaded();
    refuses(&mut context, InvalidOperation, |c| c.execute_program(VertexState, 1, ZERO));
    refuses(&mut context, InvalidOperation, |c| c.execute_program(VertexState, 2, ZERO));
    refuses(&mut context, InvalidOperation, |c| c.execute_program(Vertex, 1, ZERO));
    refuses(&mut context, InvalidOperation, |c| c.execute_program(Vertex, 3, ZERO));
}

#[test]
fn begin_with_a_vertex_program_that_writes_tracked_parameters() {
    // No vertex program text can write parameters, so the test inserts a program that does.
    let mut context = loaded();
    let program =
        context.get_program(3).expect("it exists").program().expect("the state program").as_ref().clone();
    context.programs.insert(4, Vertex, program);
    context.bind_program(Vertex, 4).expect("bound");
    context.track_matrix(Vertex, 8, TrackedMatrix::Modelview, Transform::Identity).expect("tracked");
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    refuses(&mut context, InvalidOperation, |c| c.begin(Primitive::Points));
    refuses(&mut context, InvalidOperation, |c| c.prepare_arrays(Primitive::Points, 0, 1));
    refuses(&mut context, InvalidOperation, |c| c.prepare_elements(Primitive::Points, &[0u32][..]));
    context.disable(enums::VERTEX_PROGRAM_NV).expect("disabled");
    context.begin(Primitive::Points).expect("the program is not used");
}

#[test]
fn execute_program_that_writes_tracked_parameters() {
    let mut context = loaded();
    for address in [4, 12] {
        context.track_matrix(Vertex, address, TrackedMatrix::Color, Transform::Identity).expect("tracked");
    }
    context.execute_program(VertexState, 3, ZERO).expect("c[8] is not among c[4..7] and c[12..15]");
    context.track_matrix(Vertex, 8, TrackedMatrix::Color, Transform::Identity).expect("tracked");
    refuses(&mut context, InvalidOperation, |c| c.execute_program(VertexState, 3, ZERO));
}

#[test]
fn program_parameter_of_a_register_that_tracks_a_matrix() {
    // From 2.14.7; the Errors section omits it.
    let mut context = Context::new();
    context.track_matrix(Vertex, 4, TrackedMatrix::Modelview, Transform::Identity).expect("tracked");
    for index in 4..8 {
        refuses(&mut context, InvalidOperation, |c| c.program_parameter4(Vertex, index, [5.0f32; 4]));
    }
    refuses(&mut context, InvalidOperation, |c| c.program_parameters4(Vertex, 2, &[[5.0f32; 4]; 3]));
    context.program_parameters4(Vertex, 2, &[[5.0f32; 4]; 2]).expect("c[2] and c[3] are free");
    context.program_parameter4(Vertex, 8, [5.0f32; 4]).expect("c[8] is free");
}

#[test]
fn track_matrix_address_not_a_multiple_of_four() {
    let mut context = Context::new();
    for address in [1, 2, 3, 253] {
        refuses(&mut context, InvalidValue, |c| {
            c.track_matrix(Vertex, address, TrackedMatrix::Modelview, Transform::Identity)
        });
    }
}

#[test]
fn track_matrix_address_beyond_the_registers() {
    let mut context = Context::new();
    context.track_matrix(Vertex, 252, TrackedMatrix::Modelview, Transform::Identity).expect("the last four");
    refuses(&mut context, InvalidValue, |c| {
        c.track_matrix(Vertex, 256, TrackedMatrix::Modelview, Transform::Identity)
    });
}

#[test]
fn get_program_parameter_index_greater_than_255() {
    let mut context = Context::new();
    assert_eq!(context.get_program_parameter(Vertex, 255), Ok(ZERO));
    refuses(&mut context, InvalidValue, |c| c.get_program_parameter(Vertex, 256));
}

#[test]
fn get_vertex_attrib_index_greater_than_15_or_current_of_zero() {
    let mut context = Context::new();
    refuses(&mut context, InvalidValue, |c| c.get_vertex_attrib(16));
    refuses(&mut context, InvalidValue, |c| c.get_vertex_attrib(0));
    refuses(&mut context, InvalidValue, |c| c.get_vertex_attrib_array(16).cloned());
    // The array state of attribute 0 can be queried.
    assert_eq!(context.get_vertex_attrib_array(0).map(|array| array.size), Ok(4));
    assert_eq!(context.get_vertex_attrib(15), Ok([0.0, 0.0, 0.0, 1.0]));
}

#[test]
fn get_vertex_attrib_pointer_index_greater_than_15() {
    let mut context = Context::new();
    assert_eq!(context.get_vertex_attrib_pointer(15), Ok(None));
    refuses(&mut context, InvalidValue, |c| c.get_vertex_attrib_pointer(16).map(|pointer| pointer.is_some()));
}

#[test]
fn get_program_that_does_not_exist() {
    let mut context = loaded();
    refuses(&mut context, InvalidOperation, |c| c.get_program(77).cloned());
    refuses(&mut context, InvalidOperation, |c| c.get_program(0).cloned());
}

#[test]
fn get_program_string_of_a_program_that_does_not_exist() {
    refuses(&mut loaded(), InvalidOperation, |c| c.get_program_string(77).map(<[u8]>::to_vec));
}

#[test]
fn get_track_matrix_address_not_divisible_by_four_or_256_and_more() {
    let mut context = Context::new();
    assert_eq!(context.get_track_matrix(Vertex, 252), Ok((TrackedMatrix::None, Transform::Identity)));
    for address in [1, 2, 3, 255, 256, 260, u32::MAX] {
        refuses(&mut context, InvalidValue, |c| c.get_track_matrix(Vertex, address));
    }
}

#[test]
fn residence_delete_gen_and_request_n_negative() {
    let mut context = loaded();
    refuses(&mut context, InvalidValue, |c| c.are_programs_resident((-1, &[1u32][..])));
    refuses(&mut context, InvalidValue, |c| c.delete_programs((-1, &[1u32][..])));
    refuses(&mut context, InvalidValue, |c| c.gen_programs(i32::MIN));
    refuses(&mut context, InvalidValue, |c| c.request_resident_programs((-1, &[1u32][..])));
}

#[test]
fn load_program_len_negative() {
    refuses(&mut Context::new(), InvalidValue, |c| c.load_program(Vertex, 1, (-1, VP)));
}

#[test]
fn program_parameters_count_negative() {
    let mut context = Context::new();
    refuses(&mut context, InvalidValue, |c| c.program_parameters4(Vertex, 0, (-1, &[[1.0f32; 4]][..])));
    refuses(&mut context, InvalidValue, |c| c.program_parameters4(Vertex, 0, (-1, &[[1.0f64; 4]][..])));
}

#[test]
fn vertex_attribs_count_negative() {
    let mut context = Context::new();
    refuses(&mut context, InvalidValue, |c| c.vertex_attribs(1, (-1, &[[1i16; 1]][..])));
    refuses(&mut context, InvalidValue, |c| c.vertex_attribs(1, (-1, &[[1.0f32; 2]][..])));
    refuses(&mut context, InvalidValue, |c| c.vertex_attribs(1, (-1, &[[1.0f64; 3]][..])));
    refuses(&mut context, InvalidValue, |c| c.vertex_attribs(1, (-1, &[[1u8; 4]][..])));
}

#[test]
fn target_not_vertex_program() {
    let mut context = loaded();
    let others = [enums::VERTEX_STATE_PROGRAM_NV, enums::FRAGMENT_PROGRAM_NV, enums::MODELVIEW, 0];
    for target in others {
        refuses(&mut context, InvalidEnum, |c| c.get_program_parameter(target, 0));
        refuses(&mut context, InvalidEnum, |c| c.get_track_matrix(target, 0));
        refuses(&mut context, InvalidEnum, |c| c.program_parameter4(target, 0, [0.0f32; 4]));
        refuses(&mut context, InvalidEnum, |c| c.program_parameter4(target, 0, [0.0f64; 4]));
        refuses(&mut context, InvalidEnum, |c| c.program_parameters4(target, 0, &[[0.0f32; 4]]));
        refuses(&mut context, InvalidEnum, |c| c.program_parameters4(target, 0, &[[0.0f64; 4]]));
        refuses(&mut context, InvalidEnum, |c| {
            c.track_matrix(target, 0, TrackedMatrix::Modelview, Transform::Identity)
        });
    }
    // Since NV_fragment_program, BindProgramNV accepts fragment programs too.
    for target in [enums::VERTEX_STATE_PROGRAM_NV, enums::MODELVIEW, 0] {
        refuses(&mut context, InvalidEnum, |c| c.bind_program(target, 3));
    }
    context.program_parameter4(enums::VERTEX_PROGRAM_NV, 0, [0.0f32; 4]).expect("the target itself");
}

#[test]
fn load_and_execute_with_another_target() {
    let mut context = loaded();
    for target in [enums::MODELVIEW, 0, u32::MAX] {
        refuses(&mut context, InvalidEnum, |c| c.load_program(target, 9, VP));
        refuses(&mut context, InvalidEnum, |c| c.execute_program(target, 3, ZERO));
    }
    refuses(&mut context, InvalidEnum, |c| c.execute_program(enums::FRAGMENT_PROGRAM_NV, 3, ZERO));
}

#[test]
fn unknown_matrices_transforms_and_modes() {
    let mut context = Context::new();
    for matrix in [enums::MATRIX0_NV + 8, enums::TEXTURE0 + 8, 1] {
        refuses(&mut context, InvalidEnum, |c| c.track_matrix(Vertex, 0, matrix, enums::IDENTITY_NV));
        refuses(&mut context, InvalidEnum, |c| c.matrix_mode(matrix));
    }
    refuses(&mut context, InvalidEnum, |c| {
        c.track_matrix(Vertex, 0, enums::MODELVIEW, enums::INVERSE_TRANSPOSE_NV + 1)
    });
    refuses(&mut context, InvalidEnum, |c| {
        c.track_matrix(Vertex, 0, TrackedMatrix::Matrix(8), Transform::Identity)
    });
    refuses(&mut context, InvalidEnum, |c| {
        c.track_matrix(Vertex, 0, TrackedMatrix::TextureUnit(200), Transform::Identity)
    });
    refuses(&mut context, InvalidEnum, |c| c.matrix_mode(MatrixMode::Matrix(8)));
    // MODELVIEW_PROJECTION_NV can be tracked, but is not a mode.
    refuses(&mut context, InvalidEnum, |c| c.matrix_mode(enums::MODELVIEW_PROJECTION_NV));
}

#[test]
fn begin_without_a_valid_vertex_program() {
    // From NV_vertex_program 2.14.1.8.
    let mut context = loaded();
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    refuses(&mut context, InvalidOperation, |c| c.begin(Primitive::Triangles));
    context.bind_program(Vertex, 77).expect("binding what does not exist is no error");
    refuses(&mut context, InvalidOperation, |c| c.begin(Primitive::Triangles));
    refuses(&mut context, InvalidOperation, |c| c.prepare_arrays(Primitive::Triangles, 0, 3));
    context.bind_program(Vertex, 1).expect("bound");
    context.begin(Primitive::Triangles).expect("the program exists");
}
