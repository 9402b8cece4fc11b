//! Vertex arrays through all their commands: strides, interleaved arrays, edge flags, single elements,
//! multiple draws, and queries.

use std::sync::atomic::{AtomicBool, Ordering};

use super::super::{
    ArrayPointer, ArrayType, Canvas, ClientState, Context, DrawCall, ErrorCode, Indices, InterleavedFormat,
    Normalization, enums,
};
use super::{refused_between, refuses};
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::pipeline::{ArrayData, EdgeFlag, EdgeFlags, Elements, Framebuffer, Primitive, Threads};
use shadestep_language::ir::singles;

fn floats(values: &[f32]) -> ArrayData {
    ArrayData::Float(values.into())
}

/// The attributes of an element of the enabled arrays.
fn element(context: &mut Context, element: u32) -> [[f32; 4]; 18] {
    let call = context.prepare_arrays(Primitive::Points, 0, 9).expect("prepared");
    call.vertex_attributes(element, 0).expect("a vertex").map(singles)
}

#[test]
fn strides_may_be_any_number_of_bytes() {
    let mut context = Context::new();
    // Elements of two shorts, five bytes apart: the bytes of 0x0101 and 0x0202, then one unused byte.
    let bytes = [1u8, 1, 2, 2, 9, 3, 3, 4, 4, 9, 5, 5, 6, 6];
    let pairs: Vec<i16> = bytes.as_chunks::<2>().0.iter().map(|pair| i16::from_ne_bytes(*pair)).collect();
    context.vertex_pointer(2, 5, ArrayData::Short(pairs.into())).expect("described");
    context.enable_client_state(enums::VERTEX_ARRAY).expect("enabled");
    let twice = |n: f32| n * 256.0 + n;
    for (number, [x, y]) in (0..).zip([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]) {
        assert_eq!(element(&mut context, number)[0], [twice(x), twice(y), 0.0, 1.0]);
    }
    let array = context.get_array(enums::VERTEX_ARRAY).expect("an array");
    assert_eq!((array.stride, array.size, array.ty), (5, 2, ArrayType::Short));
    // The third element is the last one that is complete.
    let input = context.prepare_arrays(Primitive::Points, 0, 4).expect("prepared");
    assert_eq!(input.vertex_attributes(3, 0).expect("a vertex").map(singles)[0], [0.0, 0.0, 0.0, 1.0]);
    // Strides of one byte and of more bytes than the data has, starting at a later value.
    let numbers = ArrayPointer::Client { data: floats(&[1.0, 2.0, 3.0, 4.0]), offset: 1 };
    for stride in [7, 1_000_003, i32::MAX] {
        context.vertex_pointer(2, stride, numbers.clone()).expect("described");
        assert_eq!(element(&mut context, 0)[0], [2.0, 3.0, 0.0, 1.0]);
    }
    context.vertex_attrib_pointer_arb(0, 2, Normalization::Plain, 1, numbers.clone()).expect("described");
    context.enable_vertex_attrib_array(0).expect("enabled");
    let call = context.prepare_arrays(Primitive::Points, 0, 5).expect("prepared");
    let values: Vec<u8> = [2.0f32, 3.0, 4.0].iter().flat_map(|x| x.to_ne_bytes()).collect();
    for number in 0..5usize {
        let at = |place: usize| f32::from_ne_bytes(std::array::from_fn(|i| values[place + i]));
        let vertex = call.vertex_attributes(number as u32, 0).expect("a vertex").map(singles);
        let expected = if number < 5 { [at(number), at(number + 4), 0.0, 1.0] } else { [0.0; 4] };
        assert_eq!(vertex[0].map(f32::to_bits), expected.map(f32::to_bits), "{number}");
    }
    // Integers are normalised with any stride: (2c + 1) / (2^16 - 1).
    context.normal_pointer(7, ArrayData::Short([1, 2, 3, 4, 5, 6, 7].as_slice().into())).expect("described");
    context.enable_client_state(enums::NORMAL_ARRAY).expect("enabled");
    assert_eq!(element(&mut context, 0)[2], [3.0 / 65_535.0, 5.0 / 65_535.0, 7.0 / 65_535.0, 1.0]);
    refuses(&mut context, InvalidValue, |c| c.vertex_pointer(2, -1, numbers.clone()));
    refuses(&mut context, InvalidValue, |c| c.vertex_attrib_pointer(6, 2, -6, floats(&[0.0; 4])));
}

#[test]
fn interleaved_arrays_follow_table_2_5() {
    use InterleavedFormat::{
        C3fV3f, C4fN3fV3f, C4ubV2f, C4ubV3f, N3fV3f, T2fC3fV3f, T2fC4fN3fV3f, T2fC4ubV3f, T2fN3fV3f, T2fV3f,
        T4fC4fN3fV4f, T4fV4f, V2f, V3f,
    };
    // Format, constant, numbers of values in texture coordinates, colour (-4: bytes), normal and vertex, and
    // size in floats.
    let table: [(InterleavedFormat, u32, [i32; 4], usize); 14] = [
        (V2f, enums::V2F, [0, 0, 0, 2], 2),
        (V3f, enums::V3F, [0, 0, 0, 3], 3),
        (C4ubV2f, enums::C4UB_V2F, [0, -4, 0, 2], 3),
        (C4ubV3f, enums::C4UB_V3F, [0, -4, 0, 3], 4),
        (C3fV3f, enums::C3F_V3F, [0, 3, 0, 3], 6),
        (N3fV3f, enums::N3F_V3F, [0, 0, 3, 3], 6),
        (C4fN3fV3f, enums::C4F_N3F_V3F, [0, 4, 3, 3], 10),
        (T2fV3f, enums::T2F_V3F, [2, 0, 0, 3], 5),
        (T4fV4f, enums::T4F_V4F, [4, 0, 0, 4], 8),
        (T2fC4ubV3f, enums::T2F_C4UB_V3F, [2, -4, 0, 3], 6),
        (T2fC3fV3f, enums::T2F_C3F_V3F, [2, 3, 0, 3], 8),
        (T2fN3fV3f, enums::T2F_N3F_V3F, [2, 0, 3, 3], 8),
        (T2fC4fN3fV3f, enums::T2F_C4F_N3F_V3F, [2, 4, 3, 3], 12),
        (T4fC4fN3fV4f, enums::T4F_C4F_N3F_V4F, [4, 4, 3, 4], 15),
    ];
    let places = [10, 3, 2, 0];
    for (format, constant, parts, s) in table {
        for stride in [0usize, 4 * s, 4 * s + 3] {
            let apart = if stride == 0 { 4 * s } else { stride };
            let mut bytes = vec![0xEE; apart + 4 * s];
            let mut expected = [[[0.0, 0.0, 0.0, 1.0]; 4]; 2];
            for (number, expected) in expected.iter_mut().enumerate() {
                let mut at = number * apart;
                for (place, values) in expected.iter_mut().zip(parts) {
                    for (component, place) in
                        place.iter_mut().enumerate().take(values.unsigned_abs() as usize)
                    {
                        let n = 10 * number + component + 1;
                        if values < 0 {
                            bytes[at] = n as u8;
                            at += 1;
                            *place = n as f32 / 255.0;
                        } else {
                            bytes[at..at + 4].copy_from_slice(&(n as f32).to_ne_bytes());
                            at += 4;
                            *place = n as f32;
                        }
                    }
                }
            }
            let mut context = Context::new();
            context.client_active_texture(2).expect("a set");
            for other in [enums::EDGE_FLAG_ARRAY, enums::SECONDARY_COLOR_ARRAY, enums::FOG_COORD_ARRAY] {
                context.enable_client_state(other).expect("enabled");
            }
            context.interleaved_arrays(constant, stride as i32, bytes.clone()).expect("described");
            let enabled = |c: &Context, array: u32| c.is_enabled(array).expect("an array");
            for other in [enums::EDGE_FLAG_ARRAY, enums::SECONDARY_COLOR_ARRAY, enums::FOG_COORD_ARRAY] {
                assert!(!enabled(&context, other));
            }
            let arrays =
                [enums::TEXTURE_COORD_ARRAY, enums::COLOR_ARRAY, enums::NORMAL_ARRAY, enums::VERTEX_ARRAY];
            for (array, values) in arrays.into_iter().zip(parts) {
                assert_eq!(enabled(&context, array), values != 0, "{format:?}");
                if values != 0 {
                    let state = context.get_array(array).expect("an array");
                    assert_eq!(usize::from(state.size), values.unsigned_abs() as usize);
                    assert_eq!(state.stride as usize, apart);
                    let ty = if values < 0 { ArrayType::UnsignedByte } else { ArrayType::Float };
                    assert_eq!(state.ty, ty);
                }
            }
            for (number, expected) in (0..).zip(expected) {
                let vertex = element(&mut context, number);
                for ((place, values), expected) in places.into_iter().zip(parts).zip(expected) {
                    if values != 0 {
                        assert_eq!(vertex[place], expected, "{format:?} {stride} {number} {place}");
                    }
                }
            }
        }
    }
    let mut context = Context::new();
    let bytes = vec![0u8; 64];
    refuses(&mut context, InvalidEnum, |c| {
        c.interleaved_arrays(enums::T4F_C4F_N3F_V4F + 1, 0, bytes.clone())
    });
    refuses(&mut context, InvalidValue, |c| c.interleaved_arrays(V3f, -4, bytes.clone()));
    refused_between(&mut context, |c| c.interleaved_arrays(V3f, 0, bytes.clone()));
}

#[test]
fn queries_know_every_array_and_primitive_restart() {
    let arrays = [
        (enums::VERTEX_ARRAY, 4),
        (enums::NORMAL_ARRAY, 4),
        (enums::COLOR_ARRAY, 4),
        (enums::SECONDARY_COLOR_ARRAY, 3),
        (enums::FOG_COORD_ARRAY, 4),
        (enums::TEXTURE_COORD_ARRAY, 4),
        (enums::VERTEX_ATTRIB_ARRAY0_NV, 4),
        (enums::VERTEX_ATTRIB_ARRAY0_NV + 15, 4),
        (enums::EDGE_FLAG_ARRAY, 1),
    ];
    let mut context = Context::new();
    for (array, size) in arrays {
        let state = context.get_array(array).expect("an array");
        assert_eq!((state.size, state.stride, &state.pointer), (size, 0, &None), "{array:#x}");
    }
    let switches: Vec<u32> =
        arrays.iter().map(|(array, _)| *array).chain([enums::PRIMITIVE_RESTART_NV]).collect();
    for &array in &switches {
        assert_eq!(context.is_enabled(array), Ok(false));
        context.enable_client_state(array).expect("enabled");
        for &other in &switches {
            assert_eq!(context.is_enabled(other), Ok(other == array), "{other:#x} after {array:#x}");
        }
        context.disable_client_state(array).expect("disabled");
    }
    // Each texture coordinate set has its own array.
    context.enable_client_state(ClientState::TextureCoordArray).expect("enabled");
    context.client_active_texture(3).expect("a set");
    assert_eq!(context.get_client_active_texture(), Ok(3));
    assert_eq!(context.is_enabled(ClientState::TextureCoordArray), Ok(false));
    let data = floats(&[0.5; 12]);
    context.tex_coord_pointer(3, 16, data.clone()).expect("described");
    let state = context.get_array(ClientState::TextureCoordArray).expect("an array");
    assert_eq!((state.size, state.stride, state.ty), (3, 16, ArrayType::Float));
    assert_eq!(state.pointer, Some(data.clone().into()));
    assert_eq!(context.get_primitive_restart_index(), Ok(0));
    context.primitive_restart_index(0xFFFF).expect("set");
    assert_eq!(context.get_primitive_restart_index(), Ok(0xFFFF));
    refuses(&mut context, InvalidEnum, |c| c.get_array(enums::PRIMITIVE_RESTART_NV).map(drop));
    refuses(&mut context, InvalidEnum, |c| c.get_array(enums::VERTEX_ATTRIB_ARRAY0_NV + 16).map(drop));
    refuses(&mut context, InvalidEnum, |c| c.is_enabled(ClientState::VertexAttribArray(16)));
}

#[test]
fn edge_flags_reach_the_draw_from_the_current_flag_vertices_and_arrays() {
    let mut context = Context::new();
    assert_eq!(context.get_edge_flag(), Ok(EdgeFlag::Boundary));
    let flags = |call: &DrawCall| call.vertex_input().expect("vertices").edge_flags.clone();
    context.vertex_pointer(2, 0, floats(&[0.0; 6])).expect("described");
    context.enable_client_state(enums::VERTEX_ARRAY).expect("enabled");
    let drawn =
        |context: &mut Context| flags(&context.prepare_arrays(Primitive::Triangles, 0, 3).expect("drawn"));
    assert_eq!(drawn(&mut context), EdgeFlags::Current(EdgeFlag::Boundary));
    context.edge_flag(EdgeFlag::NonBoundary).expect("set");
    assert_eq!(context.get_edge_flag(), Ok(EdgeFlag::NonBoundary));
    assert_eq!(drawn(&mut context), EdgeFlags::Current(EdgeFlag::NonBoundary));
    // Between begin and end, each vertex has the flag at its time.
    context.begin(Primitive::Triangles).expect("begun");
    for flag in [EdgeFlag::NonBoundary, EdgeFlag::Boundary, EdgeFlag::NonBoundary] {
        context.edge_flag(flag).expect("set");
        context.vertex([0.0f32, 0.0]).expect("a vertex");
    }
    let given = flags(&context.end().expect("ended"));
    assert_eq!(
        [0, 1, 2].map(|element| given.of(element)),
        [EdgeFlag::NonBoundary, EdgeFlag::Boundary, EdgeFlag::NonBoundary]
    );
    // Every second byte of the array.
    let bytes = ArrayData::UnsignedByte([9, 0, 9, 5, 9, 0].as_slice().into());
    context.edge_flag_pointer(2, ArrayPointer::Client { data: bytes, offset: 1 }).expect("described");
    assert_eq!(drawn(&mut context), EdgeFlags::Current(EdgeFlag::NonBoundary));
    context.enable_client_state(enums::EDGE_FLAG_ARRAY).expect("enabled");
    let given = drawn(&mut context);
    assert_eq!([0, 1, 2].map(|element| given.of(element) == EdgeFlag::Boundary), [false, true, false]);
    let state = context.get_array(enums::EDGE_FLAG_ARRAY).expect("an array");
    assert_eq!((state.stride, state.size), (2, 1));
    refuses(&mut context, InvalidValue, |c| {
        c.edge_flag_pointer(-1, ArrayData::UnsignedByte([1].as_slice().into()))
    });
    refuses(&mut context, InvalidEnum, |c| c.edge_flag_pointer(0, floats(&[1.0])));
    let mut context = Context::new();
    context.vertex_pointer(2, 0, floats(&[0.0; 6])).expect("described");
    context.enable_client_state(enums::VERTEX_ARRAY).expect("enabled");
    context.enable_client_state(enums::EDGE_FLAG_ARRAY).expect("enabled");
    refuses(&mut context, InvalidOperation, |c| c.prepare_arrays(Primitive::Triangles, 0, 3));
}

#[test]
fn array_element_sets_the_current_values_and_gives_a_vertex() {
    let mut context = Context::new();
    context.vertex_pointer(2, 0, floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])).expect("described");
    context.color_pointer(3, 0, floats(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])).expect("described");
    context.edge_flag_pointer(0, ArrayData::UnsignedByte([1, 0, 1].as_slice().into())).expect("described");
    for array in [enums::VERTEX_ARRAY, enums::COLOR_ARRAY, enums::EDGE_FLAG_ARRAY] {
        context.enable_client_state(array).expect("enabled");
    }
    context.vertex_attrib(9, [7.0f32]).expect("set");
    context.begin(Primitive::Triangles).expect("begun");
    for index in [2, 0, 1] {
        context.array_element(index).expect("an element");
    }
    let call = context.end().expect("ended");
    let input = call.vertex_input().expect("vertices");
    assert_eq!(input.elements, Elements::Range { first: 0, count: 3 });
    for (number, (position, color, flag)) in (0..).zip([
        ([5.0, 6.0, 0.0, 1.0], [0.7, 0.8, 0.9, 1.0], EdgeFlag::Boundary),
        ([1.0, 2.0, 0.0, 1.0], [0.1, 0.2, 0.3, 1.0], EdgeFlag::Boundary),
        ([3.0, 4.0, 0.0, 1.0], [0.4, 0.5, 0.6, 1.0], EdgeFlag::NonBoundary),
    ]) {
        let vertex = call.vertex_attributes(number, 0).expect("a vertex").map(singles);
        assert_eq!((vertex[0], vertex[3], vertex[9]), (position, color, [7.0, 0.0, 0.0, 1.0]));
        assert_eq!(input.edge_flags.of(number), flag);
    }
    assert_eq!(context.get_vertex_attrib(3), Ok([0.4, 0.5, 0.6, 1.0]), "the last element's");
    assert_eq!(context.get_edge_flag(), Ok(EdgeFlag::NonBoundary));
    // Outside begin and end, ArrayElement sets the current values and makes no vertex.
    context.array_element(0).expect("an element");
    assert_eq!(context.get_vertex_attrib(3), Ok([0.1, 0.2, 0.3, 1.0]));
    refuses(&mut context, InvalidValue, |c| c.array_element(-1));
    refuses(&mut context, InvalidValue, |c| c.array_element(3));
    // The restart index restarts the primitive. Outside begin and end, it is an error.
    context.enable_client_state(enums::PRIMITIVE_RESTART_NV).expect("enabled");
    context.primitive_restart_index(77).expect("set");
    refuses(&mut context, InvalidOperation, |c| c.array_element(77));
    context.begin(Primitive::LineStrip).expect("begun");
    for index in [0, 1, 77, 2, 0] {
        context.array_element(index).expect("an element");
    }
    let call = context.end().expect("ended");
    let Elements::Indices { indices, restart: Some(restart) } =
        &call.vertex_input().expect("vertices").elements
    else {
        panic!("it restarts")
    };
    assert_eq!(indices[..], [0, 1, *restart, 2, 3]);
    context.enable_client_state(enums::NORMAL_ARRAY).expect("enabled");
    refuses(&mut context, InvalidOperation, |c| c.array_element(0));
}

/// A context with an array of four positions.
fn with_positions() -> Context {
    let mut context = Context::new();
    context.vertex_pointer(2, 0, floats(&[0.0; 8])).expect("described");
    context.enable_client_state(enums::VERTEX_ARRAY).expect("enabled");
    context
}

fn elements(call: &DrawCall) -> Elements {
    call.vertex_input().expect("vertices").elements.clone()
}

#[test]
fn many_draws_are_those_of_their_parts_but_for_empty_ones() {
    let mut context = with_positions();
    let calls = context
        .prepare_multi_arrays(Primitive::Lines, &[[0, 2], [3, 0], [-1, -5], [1, 3]])
        .expect("prepared");
    let ranges = [Elements::Range { first: 0, count: 2 }, Elements::Range { first: 1, count: 3 }];
    assert_eq!(calls.iter().map(elements).collect::<Vec<_>>(), ranges);
    assert!(calls.iter().all(|call| call.vertex_input().expect("vertices").primitive == Primitive::Lines));
    let lists =
        [Indices::from(&[0u8, 1][..]), Indices::from(&[][..] as &[u16]), Indices::from(&[3u32, 2, 1][..])];
    let calls = context.prepare_multi_elements(Primitive::Points, &lists).expect("prepared");
    let expected = [vec![0u32, 1], vec![3, 2, 1]]
        .map(|indices| Elements::Indices { indices: indices.into(), restart: None });
    assert_eq!(calls.iter().map(elements).collect::<Vec<_>>(), expected);
    refuses(&mut context, InvalidEnum, |c| c.prepare_multi_arrays(15u32, &[[0, 1]]));
    refuses(&mut context, InvalidEnum, |c| c.prepare_multi_elements(15u32, &lists));
    refuses(&mut context, InvalidValue, |c| c.prepare_multi_arrays(Primitive::Points, &[[0, 1], [-1, 1]]));
    refuses(&mut context, InvalidValue, |c| c.prepare_multi_arrays(Primitive::Points, (-1, &[[0, 1]][..])));
    refuses(&mut context, InvalidValue, |c| c.prepare_multi_elements(Primitive::Points, (-1, &lists[..])));
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    refuses(&mut context, InvalidOperation, |c| c.prepare_multi_arrays(Primitive::Points, &[[0, 1]]));
    context.disable(enums::VERTEX_PROGRAM_NV).expect("disabled");
    refused_between(&mut context, |c| c.prepare_multi_arrays(Primitive::Points, &[[0, 1]]));
    refused_between(&mut context, |c| c.prepare_multi_elements(Primitive::Points, &lists));
}

#[test]
fn range_elements_are_those_within_the_range() {
    let mut context = with_positions();
    let call =
        context.prepare_range_elements(Primitive::Points, [1, 3], &[3u16, 1, 2][..]).expect("prepared");
    assert_eq!(elements(&call), Elements::Indices { indices: [3, 1, 2].as_slice().into(), restart: None });
    refuses(&mut context, InvalidValue, |c| {
        c.prepare_range_elements(Primitive::Points, [3, 2], &[][..] as &[u8])
    });
    refuses(&mut context, InvalidValue, |c| {
        c.prepare_range_elements(Primitive::Points, [1, 3], &[1u8, 0][..])
    });
    refuses(&mut context, InvalidEnum, |c| c.prepare_range_elements(15u32, [0, 3], &[1u8][..]));
    // The restart index may be outside the range (NV_primitive_restart's issues).
    context.primitive_restart_index(0xFFFF).expect("set");
    context.enable_client_state(enums::PRIMITIVE_RESTART_NV).expect("enabled");
    let call = context.prepare_range_elements(Primitive::Lines, [0, 3], &[0u16, 1, 0xFFFF, 2, 3][..]);
    let restarted =
        Elements::Indices { indices: [0, 1, 0xFFFF, 2, 3].as_slice().into(), restart: Some(0xFFFF) };
    assert_eq!(elements(&call.expect("prepared")), restarted);
    refused_between(&mut context, |c| c.prepare_range_elements(Primitive::Points, [0, 1], &[0u8][..]));
}

#[test]
fn a_rectangle_is_a_polygon_of_its_corners() {
    let mut context = Context::new();
    context.color([0.5, 0.25, 1.0, 1.0]).expect("set");
    let call = context.prepare_rect([1.0, 2.0], [5.0, 7.0]).expect("prepared");
    assert_eq!(call.vertex_input().expect("vertices").primitive, Primitive::Polygon);
    for (number, [x, y]) in (0..).zip([[1.0, 2.0], [5.0, 2.0], [5.0, 7.0], [1.0, 7.0]]) {
        let vertex = call.vertex_attributes(number, 0).expect("a vertex").map(singles);
        assert_eq!((vertex[0], vertex[3]), ([x, y, 0.0, 1.0], [0.5, 0.25, 1.0, 1.0]));
    }
    refused_between(&mut context, |c| c.prepare_rect([0.0; 2], [1.0; 2]));
}

/// The pixels of a row of four that a draw of points at their centres covers.
fn covered(draw: impl FnOnce(&mut Context, &mut Canvas<'_>)) -> [bool; 4] {
    let mut context = Context::new();
    let places = [-0.75, 0.0, -0.25, 0.0, 0.25, 0.0, 0.75, 0.0];
    context.vertex_pointer(2, 0, floats(&places)).expect("described");
    context.enable_client_state(enums::VERTEX_ARRAY).expect("enabled");
    let mut target = Framebuffer::new(4, 1).expect("small");
    let (threads, cancel) = (Threads::new(Some(1)), AtomicBool::new(false));
    draw(&mut context, &mut Canvas { target: &mut target, threads: &threads, cancel: &cancel });
    std::array::from_fn(|x| target.color.at(x)[0] == 1.0)
}

#[test]
fn draws_at_once_put_their_elements_on_the_canvas() {
    let points = Primitive::Points;
    let arrays = |c: &mut Context, canvas: &mut Canvas<'_>| {
        c.draw_multi_arrays(points, &[[0, 1], [2, 0], [2, 2]], canvas)
            .expect("drawn")
            .expect("not cancelled");
    };
    assert_eq!(covered(arrays), [true, false, true, true]);
    let elements = |c: &mut Context, canvas: &mut Canvas<'_>| {
        let lists = [Indices::from(&[3u8][..]), Indices::from(&[1u16, 0][..])];
        c.draw_multi_elements(points, &lists, canvas).expect("drawn").expect("not cancelled");
    };
    assert_eq!(covered(elements), [true, true, false, true]);
    let range = |c: &mut Context, canvas: &mut Canvas<'_>| {
        let drawn = c.draw_range_elements(points, [1, 2], &[2u32, 1][..], canvas);
        drawn.expect("drawn").expect("not cancelled");
    };
    assert_eq!(covered(range), [false, true, true, false]);
    // Errors are found before drawing, and the commands return the cancellation of rendering.
    let refused = |c: &mut Context, canvas: &mut Canvas<'_>| {
        refuses(c, InvalidValue, |c| c.draw_multi_arrays(points, &[[0, 4], [-1, 1]], canvas));
        refuses(c, InvalidValue, |c| c.draw_range_elements(points, [0, 1], &[0u8, 2][..], canvas));
        canvas.cancel.store(true, Ordering::Relaxed);
        assert!(c.draw_multi_arrays(points, &[[0, 4]], canvas).expect("a draw").is_err());
    };
    assert_eq!(covered(refused), [false; 4]);
}
