//! Transform feedback: recorded data, queries, draws of recorded data, and the errors of
//! NV_transform_feedback and ARB_transform_feedback3.

use std::sync::atomic::AtomicBool;

use super::super::{
    ArrayPointer, ArrayType, BufferTarget, BufferUsage, Canvas, Cap, ClearTarget, Context, ErrorCode,
    FeedbackMode, FeedbackPrimitive, FeedbackTarget, NEXT_BUFFER_NV, QueryTarget, SKIP_COMPONENTS1_NV,
    SKIP_COMPONENTS2_NV, SKIP_COMPONENTS3_NV, SKIP_COMPONENTS4_NV, enums,
};
use super::{raises, refuses};
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::pipeline::{Framebuffer, Primitive, Stats, Threads};

const TARGET: BufferTarget = BufferTarget::TransformFeedback;
const INTERLEAVED: FeedbackMode = FeedbackMode::Interleaved;
const SEPARATE: FeedbackMode = FeedbackMode::Separate;

/// Outputs position, colour and vertex number.
const VERTEX: &str = "!!NVvp4.0
MOV result.position, vertex.position;
MOV result.color, vertex.color;
MOV.U result.id.x, vertex.id.x;
ADD result.texcoord[2], vertex.position, {10, 20, 30, 40};
END";

const fn position(components: i32) -> [i32; 3] {
    [enums::POSITION as i32, components, 0]
}

const fn texcoord(components: i32, number: i32) -> [i32; 3] {
    [enums::TEXTURE_COORD_NV as i32, components, number]
}

const NEXT: [i32; 3] = [NEXT_BUFFER_NV, 0, 0];

fn with_program(target: u32, cap: u32, text: &str, context: &mut Context) {
    let loaded = context.program_string(target, enums::PROGRAM_FORMAT_ASCII_ARB, text.as_bytes());
    loaded.unwrap_or_else(|error| panic!("{error}: {:?}", context.program_diagnostics()));
    context.enable(cap).expect("enabled");
}

/// A context with [`VERTEX`], and buffer objects 1 to `sizes.len()` at the binding points. Each has the given
/// number of words, all 7.
fn recording(sizes: &[usize], attribs: &[[i32; 3]], mode: FeedbackMode) -> Context {
    let mut context = Context::new();
    with_program(enums::VERTEX_PROGRAM_ARB, enums::VERTEX_PROGRAM_ARB, VERTEX, &mut context);
    for (index, words) in (0..).zip(sizes) {
        context.bind_buffer_base(TARGET, index, index + 1).expect("bound");
        let bytes: Vec<u8> = std::iter::repeat_n(7u32.to_le_bytes(), *words).flatten().collect();
        context.buffer_data(TARGET, &bytes, BufferUsage::DynamicCopy).expect("filled");
    }
    context.transform_feedback_attribs(attribs, mode).expect("recorded");
    context
}

fn render(context: &mut Context, mode: Primitive, vertices: &[[f32; 4]]) -> Stats {
    let mut target = Framebuffer::new(4, 4).expect("small");
    let (threads, cancel) = (Threads::new(Some(2)), AtomicBool::new(false));
    context.begin(mode).expect("begun");
    for vertex in vertices {
        context.vertex(*vertex).expect("a vertex");
    }
    let call = context.end().expect("ended");
    let mut canvas = Canvas { target: &mut target, threads: &threads, cancel: &cancel };
    let stats = canvas.render(&call).expect("allowed").expect("not cancelled");
    context.keep(&call);
    stats
}

fn words(context: &mut Context, buffer: u32) -> Vec<u32> {
    context.bind_buffer(BufferTarget::Array, buffer).expect("bound");
    let (size, _) = context.get_buffer_parameters(BufferTarget::Array).expect("asked");
    let bytes = context.get_buffer_sub_data(BufferTarget::Array, 0, size as i64).expect("read");
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn floats(context: &mut Context, buffer: u32) -> Vec<f32> {
    words(context, buffer).into_iter().map(f32::from_bits).collect()
}

/// Vertex `n` at (n, n / 2, 0, 1).
fn vertices<const N: usize>() -> [[f32; 4]; N] {
    std::array::from_fn(|n| [n as f32, n as f32 / 2.0, 0.0, 1.0])
}

#[test]
fn primitives_are_recorded_one_by_one() {
    // The vertex numbers that each primitive mode records. Quads and polygons become triangles in any order.
    let modes: [(Primitive, FeedbackPrimitive, &[u32]); 7] = [
        (Primitive::Points, FeedbackPrimitive::Points, &[0, 1, 2, 3, 4]),
        (Primitive::Lines, FeedbackPrimitive::Lines, &[0, 1, 2, 3]),
        (Primitive::LineStrip, FeedbackPrimitive::Lines, &[0, 1, 1, 2, 2, 3, 3, 4]),
        (Primitive::LineLoop, FeedbackPrimitive::Lines, &[0, 1, 1, 2, 2, 3, 3, 4, 4, 0]),
        (Primitive::Triangles, FeedbackPrimitive::Triangles, &[0, 1, 2]),
        (Primitive::TriangleStrip, FeedbackPrimitive::Triangles, &[0, 1, 2, 2, 1, 3, 2, 3, 4]),
        (Primitive::TriangleFan, FeedbackPrimitive::Triangles, &[0, 1, 2, 0, 2, 3, 0, 3, 4]),
    ];
    for (mode, primitive, expected) in modes {
        let mut context = recording(&[32], &[[enums::VERTEX_ID_NV as i32, 1, 0]], INTERLEAVED);
        context.begin_transform_feedback(primitive).expect("begun");
        render(&mut context, mode, &vertices::<5>());
        context.end_transform_feedback().expect("ended");
        let recorded = words(&mut context, 1);
        assert_eq!(&recorded[..expected.len()], expected, "{mode:?}");
        assert!(recorded[expected.len()..].iter().all(|word| *word == 7), "{mode:?}: {recorded:?}");
    }
    for (mode, triangles) in [(Primitive::Quads, 2), (Primitive::QuadStrip, 2), (Primitive::Polygon, 3)] {
        let mut context = recording(&[32], &[[enums::VERTEX_ID_NV as i32, 1, 0]], INTERLEAVED);
        context.begin_transform_feedback(FeedbackPrimitive::Triangles).expect("begun");
        let stats = render(&mut context, mode, &vertices::<5>());
        assert_eq!((stats.generated[0], stats.recorded[0]), (triangles, triangles), "{mode:?}");
        let recorded = words(&mut context, 1);
        let mut seen = recorded[..3 * triangles as usize].to_vec();
        assert!(recorded[seen.len()..].iter().all(|word| *word == 7), "{mode:?}: {recorded:?}");
        seen.sort_unstable();
        seen.dedup();
        let all = if mode == Primitive::Polygon { 5 } else { 4 };
        assert_eq!(seen.len(), all, "{mode:?}: {recorded:?}");
    }
}

#[test]
fn attributes_are_interleaved_skipped_and_led_to_other_buffers() {
    let attribs = [
        position(2),
        [SKIP_COMPONENTS1_NV, 9, 9],
        texcoord(3, 2),
        NEXT,
        [SKIP_COMPONENTS4_NV, 0, 0],
        position(1),
        [SKIP_COMPONENTS3_NV, 0, 0],
        NEXT,
        [SKIP_COMPONENTS2_NV, 0, 0],
        NEXT,
        texcoord(4, 2),
    ];
    let mut context = recording(&[12, 16, 4, 8], &[position(4)], INTERLEAVED);
    context.transform_feedback_stream_attribs(&attribs, &[0; 4], INTERLEAVED).expect("recorded");
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    render(&mut context, Primitive::Points, &vertices::<2>());
    context.end_transform_feedback().expect("ended");
    let seven = f32::from_bits(7);
    assert_eq!(
        floats(&mut context, 1),
        [0.0, 0.0, seven, 10.0, 20.0, 30.0, 1.0, 0.5, seven, 11.0, 20.5, 30.0]
    );
    let skipped = [seven; 4];
    let second = [&skipped[..], &[0.0], &skipped, &skipped[..3], &[1.0], &skipped[..3]].concat();
    assert_eq!(floats(&mut context, 2), second);
    assert_eq!(floats(&mut context, 3), skipped);
    assert_eq!(floats(&mut context, 4), [10.0, 20.0, 30.0, 41.0, 11.0, 20.5, 30.0, 41.0]);
    assert_eq!(context.get_transform_feedback_attribs(), Ok((INTERLEAVED, 11)));
    assert_eq!(context.get_transform_feedback_record(1), Ok([SKIP_COMPONENTS1_NV, 9, 9]));
    assert_eq!(context.get_transform_feedback_record(3), Ok(NEXT));
    assert_eq!(context.get_transform_feedback_record(4), Ok([SKIP_COMPONENTS4_NV, 0, 0]));
    raises(&mut context, InvalidValue, |context| context.get_transform_feedback_record(11));
}

#[test]
fn separate_attributes_have_a_buffer_each() {
    let color = [enums::PRIMARY_COLOR as i32, 4, 0];
    let mut context = recording(&[4, 4, 2], &[position(2), color, texcoord(1, 2)], SEPARATE);
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    // Colours are clamped before they are recorded.
    context.color([2.0, 0.25, -1.0, 1.0]).expect("a colour");
    render(&mut context, Primitive::Points, &vertices::<1>());
    assert_eq!(floats(&mut context, 1)[..2], [0.0, 0.0]);
    assert_eq!(floats(&mut context, 2), [1.0, 0.25, 0.0, 1.0]);
    assert_eq!(floats(&mut context, 3)[0], 10.0);
}

#[test]
fn every_result_can_be_recorded() {
    let program = "!!NVvp4.0
MOV result.position, {1, 2, 3, 4}; MOV result.color, {0, 0.25, 0.5, 1}; MOV result.color.secondary, {0.5, 0.5, 0, 1};
MOV result.color.back, {0.125, 0, 0, 1}; MOV result.color.back.secondary, {0, 0.125, 0, 1};
MOV result.fogcoord.x, 5; MOV result.pointsize.x, 6; MOV result.texcoord[7], {7, 8, 9, 10};
MOV result.clip[5].x, 11; MOV.U result.id.x, 12; MOV.S result.attrib[31], {-13, 14, 15, 16}; END";
    let attribs = [
        (enums::POSITION, 4, 0),
        (enums::PRIMARY_COLOR, 4, 0),
        (enums::SECONDARY_COLOR_NV, 4, 0),
        (enums::BACK_PRIMARY_COLOR_NV, 1, 0),
        (enums::BACK_SECONDARY_COLOR_NV, 2, 0),
        (enums::FOG_COORDINATE, 1, 0),
        (enums::POINT_SIZE, 1, 0),
        (enums::TEXTURE_COORD_NV, 4, 7),
        (enums::CLIP_DISTANCE_NV, 1, 5),
        (enums::VERTEX_ID_NV, 1, 0),
        (enums::GENERIC_ATTRIB_NV, 4, 31),
        (enums::GENERIC_ATTRIB_NV, 4, 0),
    ];
    let attribs = attribs.map(|(attrib, components, number)| [attrib as i32, components, number]);
    let mut context = recording(&[32], &attribs, INTERLEAVED);
    with_program(enums::VERTEX_PROGRAM_ARB, enums::VERTEX_PROGRAM_ARB, program, &mut context);
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    render(&mut context, Primitive::Points, &vertices::<1>());
    let recorded = floats(&mut context, 1);
    let numbers = [
        1.0, 2.0, 3.0, 4.0, 0.0, 0.25, 0.5, 1.0, 0.5, 0.5, 0.0, 1.0, 0.125, 0.0, 0.125, 5.0, 6.0, 7.0, 8.0,
        9.0, 10.0, 11.0,
    ];
    assert_eq!(recorded[..22], numbers);
    let bits: Vec<u32> = recorded[22..27].iter().map(|value| value.to_bits()).collect();
    assert_eq!(bits, [12, (-13i32).cast_unsigned(), 14, 15, 16]);
}

#[test]
fn a_primitive_is_recorded_whole_or_not_at_all() {
    // The second buffer has room for five vertices: one triangle, but not two.
    let mut context =
        recording(&[24, 5], &[position(4), NEXT, [enums::VERTEX_ID_NV as i32, 1, 0]], INTERLEAVED);
    let queries = context.gen_queries(2).expect("named");
    context.begin_query(QueryTarget::PrimitivesGenerated, queries[0]).expect("begun");
    context.begin_query(QueryTarget::PrimitivesWritten, queries[1]).expect("begun");
    context.begin_transform_feedback(FeedbackPrimitive::Triangles).expect("begun");
    render(&mut context, Primitive::Triangles, &vertices::<8>());
    context.end_transform_feedback().expect("ended");
    // Transform feedback is no longer active.
    render(&mut context, Primitive::Triangles, &vertices::<3>());
    context.end_query(QueryTarget::PrimitivesGenerated).expect("ended");
    context.end_query(QueryTarget::PrimitivesWritten).expect("ended");
    assert_eq!(context.get_query_object(queries[0]), Ok(3));
    assert_eq!(context.get_query_object(queries[1]), Ok(1));
    assert_eq!(words(&mut context, 2), [0, 1, 2, 7, 7]);
    let positions = words(&mut context, 1);
    assert!(positions[12..].iter().all(|word| *word == 7), "{positions:?}");
    assert!(positions[..12].iter().all(|word| *word != 7), "{positions:?}");
}

#[test]
fn what_is_recorded_stays_within_the_range_and_goes_on_behind_what_was() {
    let mut context = recording(&[16], &[[enums::VERTEX_ID_NV as i32, 1, 0]], INTERLEAVED);
    context.bind_buffer_range(TARGET, 0, 1, 8, 20).expect("bound");
    assert_eq!(context.get_transform_feedback_buffer(0), Ok((1, 8, 20)));
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    assert_eq!(context.get_transform_feedback_active(), Ok([true, false]));
    render(&mut context, Primitive::Points, &vertices::<2>());
    context.pause_transform_feedback().expect("paused");
    assert_eq!(context.get_transform_feedback_active(), Ok([true, true]));
    // While paused, any primitives may be drawn and nothing is recorded.
    render(&mut context, Primitive::Triangles, &vertices::<3>());
    context.resume_transform_feedback().expect("resumed");
    render(&mut context, Primitive::Points, &vertices::<2>());
    render(&mut context, Primitive::Points, &vertices::<2>());
    assert_eq!(words(&mut context, 1), [7, 7, 0, 1, 0, 1, 0, 7, 7, 7, 7, 7, 7, 7, 7, 7]);
    context.end_transform_feedback().expect("ended");
    assert_eq!(context.get_transform_feedback_active(), Ok([false, false]));
    // Recording starts at the beginning again.
    context.bind_buffer_offset(TARGET, 0, 1, 32).expect("bound");
    assert_eq!(context.get_transform_feedback_buffer(0), Ok((1, 32, 0)));
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    render(&mut context, Primitive::Points, &vertices::<3>());
    assert_eq!(words(&mut context, 1), [7, 7, 0, 1, 0, 1, 0, 7, 0, 1, 2, 7, 7, 7, 7, 7]);
}

#[test]
fn captured_vertices_are_drawn_again() {
    let mut context = recording(&[64], &[position(4)], INTERLEAVED);
    let object = context.gen_transform_feedbacks(1).expect("named")[0];
    assert!(!context.is_transform_feedback(object));
    context.bind_transform_feedback(FeedbackTarget::TransformFeedback, object).expect("bound");
    assert_eq!(context.get_transform_feedback_binding(), Ok(object));
    assert!(context.is_transform_feedback(object));
    // The new object is empty.
    assert_eq!(context.get_transform_feedback_attribs(), Ok((INTERLEAVED, 0)));
    assert_eq!(context.get_transform_feedback_buffer(0), Ok((0, 0, 0)));
    context.transform_feedback_attribs(&[position(4)], INTERLEAVED).expect("recorded");
    context.bind_buffer_base(TARGET, 0, 1).expect("bound");
    context.enable(Cap::RasterizerDiscard).expect("enabled");
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    let at = [[-0.75, -0.75, 0.0, 1.0], [0.25, -0.25, 0.0, 1.0], [0.75, 0.75, 0.0, 1.0]];
    let stats = render(&mut context, Primitive::Points, &at);
    assert_eq!((stats.recorded[0], stats.primitives, stats.fragments), (3, 0, 0));
    context.end_transform_feedback().expect("ended");
    context.disable(Cap::RasterizerDiscard).expect("disabled");
    context.bind_transform_feedback(FeedbackTarget::TransformFeedback, 0).expect("bound");

    // The buffer becomes the array of attribute 0.
    let pointer = ArrayPointer::Buffer { ty: ArrayType::Float, offset: 0 };
    raises(&mut context, InvalidOperation, |context| context.vertex_attrib_pointer(0, 4, 0, pointer.clone()));
    context.bind_buffer(BufferTarget::Array, 1).expect("bound");
    context.vertex_attrib_pointer(0, 4, 0, pointer).expect("described");
    assert_eq!(context.get_vertex_attrib_buffer(0), Ok(1));
    context.enable_vertex_attrib_array(0).expect("enabled");
    let call = context.prepare_transform_feedback(Primitive::Points, object).expect("prepared");
    let mut target = Framebuffer::new(4, 4).expect("small");
    let (threads, cancel) = (Threads::new(Some(1)), AtomicBool::new(false));
    let mut canvas = Canvas { target: &mut target, threads: &threads, cancel: &cancel };
    let stats = canvas.render(&call).expect("allowed").expect("not cancelled");
    assert_eq!((stats.vertices, stats.written), (3, 3));
    let drawn: Vec<usize> = (0..16).filter(|pixel| target.color.at(*pixel) != [0.0; 4]).collect();
    assert_eq!(drawn, [0, 6, 15]);

    // Draws read the contents of the buffer object at the time of the draw.
    context.bind_buffer(TARGET, 1).expect("bound");
    context.buffer_sub_data(TARGET, 0, &0.25f32.to_le_bytes()).expect("written");
    let call = context.prepare_arrays(Primitive::Points, 0, 1).expect("prepared");
    assert_eq!(call.vertex_attributes(0, 0).expect("a vertex")[0][0], u64::from(0.25f32.to_bits()));

    raises(&mut context, InvalidValue, |context| context.prepare_transform_feedback(Primitive::Points, 99));
    raises(&mut context, InvalidValue, |context| {
        context.prepare_transform_feedback_stream(Primitive::Points, object, 4)
    });
    raises(&mut context, InvalidOperation, |context| {
        context.prepare_transform_feedback(Primitive::Points, 0)
    });
    raises(&mut context, InvalidEnum, |context| context.prepare_transform_feedback(0x77u32, object));
    // The other streams recorded nothing.
    let none = context.prepare_transform_feedback_stream(Primitive::Points, object, 1).expect("prepared");
    assert_eq!(none.shaded_vertices([4, 4], 0).len(), 0);
    context.delete_buffers(&[1][..]).expect("deleted");
    raises(&mut context, InvalidOperation, |context| context.prepare_arrays(Primitive::Points, 0, 1));
    context.delete_transform_feedbacks(&[object][..]).expect("deleted");
    assert!(!context.is_transform_feedback(object));
}

/// Emits point `n` to stream `n` modulo 4, and its number to all streams.
const STREAMS: &str = "!!NVgp5.0
PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 8;
INT TEMP n;
MOV.S n.x, vertex[0].id.x;
AND.S n.y, n.x, 3;
MOV result.position, vertex[0].position;
MOV result.texcoord[0], vertex[0].position.x; EMITS n.y;
MOV result.position, vertex[0].position;
MOV result.texcoord[0], vertex[0].position.y; EMITS 3;
END";

#[test]
fn streams_go_to_buffers_of_their_own() {
    let attribs = [texcoord(1, 0), NEXT, texcoord(1, 0), NEXT, texcoord(1, 0), position(1)];
    let mut context = recording(&[8, 4, 64], &[position(4)], INTERLEAVED);
    with_program(enums::GEOMETRY_PROGRAM_NV, enums::GEOMETRY_PROGRAM_NV, STREAMS, &mut context);
    context.transform_feedback_stream_attribs(&attribs, &[0, 1, 3], INTERLEAVED).expect("recorded");
    let names = context.gen_queries(8).expect("named");
    for stream in 0..4 {
        let place = stream as usize;
        context.begin_query_indexed(QueryTarget::PrimitivesGenerated, stream, names[place]).expect("begun");
        context.begin_query_indexed(QueryTarget::PrimitivesWritten, stream, names[4 + place]).expect("begun");
    }
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    let stats = render(&mut context, Primitive::Points, &vertices::<21>());
    context.end_transform_feedback().expect("ended");
    // 0, 4, 8, ... 20; 1, 5, 9, 13, where the buffer has room for four; 3, 7, ...; and all halves.
    assert_eq!(floats(&mut context, 1)[..6], [0.0, 4.0, 8.0, 12.0, 16.0, 20.0]);
    assert_eq!(floats(&mut context, 2), [1.0, 5.0, 9.0, 13.0]);
    let third = floats(&mut context, 3);
    assert_eq!(third[..12], [0.0, 0.0, 0.5, 1.0, 1.0, 2.0, 3.0, 3.0, 1.5, 3.0, 2.0, 4.0]);
    assert_eq!(stats.emitted, 6, "stream 0 alone is drawn");
    for stream in 0..4 {
        context.end_query_indexed(QueryTarget::PrimitivesGenerated, stream).expect("ended");
        context.end_query_indexed(QueryTarget::PrimitivesWritten, stream).expect("ended");
    }
    let results: Vec<u64> =
        names.iter().map(|name| context.get_query_object(*name).expect("there")).collect();
    assert_eq!(results, [6, 5, 5, 26, 6, 4, 0, 26]);
    // The number of vertices of each stream.
    let position = ArrayPointer::Buffer { ty: ArrayType::Float, offset: 0 };
    context.bind_buffer(BufferTarget::Array, 3).expect("bound");
    context.vertex_attrib_pointer(0, 2, 0, position).expect("described");
    context.enable_vertex_attrib_array(0).expect("enabled");
    for (stream, vertices) in [(0, 6), (1, 4), (2, 0), (3, 26)] {
        let call = context.prepare_transform_feedback_stream(Primitive::Points, 0, stream).expect("prepared");
        assert_eq!(call.shaded_vertices([4, 4], 0).len(), vertices, "stream {stream}");
    }
}

#[test]
fn a_stream_of_which_nothing_is_recorded_has_no_vertices() {
    let mut context = recording(&[4, 16], &[position(4)], INTERLEAVED);
    with_program(enums::GEOMETRY_PROGRAM_NV, enums::GEOMETRY_PROGRAM_NV, STREAMS, &mut context);
    context.transform_feedback_stream_attribs(&[NEXT], &[0, 3], INTERLEAVED).expect("recorded");
    refuses(&mut context, InvalidOperation, |context| {
        context.begin_transform_feedback(FeedbackPrimitive::Points)
    });
    let attribs = [NEXT, texcoord(1, 0)];
    context.transform_feedback_stream_attribs(&attribs, &[3, 0], INTERLEAVED).expect("recorded");
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    let stats = render(&mut context, Primitive::Points, &vertices::<4>());
    assert_eq!((stats.generated, stats.recorded), ([1, 1, 1, 5], [1, 0, 0, 0]));
    context.end_transform_feedback().expect("ended");
    context.enable_vertex_attrib_array(0).expect("enabled");
    context.bind_buffer(BufferTarget::Array, 2).expect("bound");
    let array = ArrayPointer::Buffer { ty: ArrayType::Float, offset: 0 };
    context.vertex_attrib_pointer(0, 1, 0, array).expect("described");
    let call = context.prepare_transform_feedback_stream(Primitive::Points, 0, 3).expect("prepared");
    assert_eq!(call.shaded_vertices([4, 4], 0).len(), 0);
}

#[test]
fn emitted_and_divided_primitives_are_recorded() {
    let strips = "!!NVgp4.0 PRIMITIVE_IN POINTS; PRIMITIVE_OUT TRIANGLE_STRIP; VERTICES_OUT 4;
MOV result.position, vertex[0].position; MOV result.texcoord[0], 1; EMIT; MOV result.texcoord[0], 2; EMIT;
MOV result.texcoord[0], 3; EMIT; MOV result.texcoord[0], 4; EMIT; END";
    let mut context = recording(&[12], &[texcoord(1, 0)], INTERLEAVED);
    with_program(enums::GEOMETRY_PROGRAM_NV, enums::GEOMETRY_PROGRAM_NV, strips, &mut context);
    context.begin_transform_feedback(FeedbackPrimitive::Triangles).expect("begun");
    render(&mut context, Primitive::Points, &vertices::<2>());
    let recorded = floats(&mut context, 1);
    assert_eq!(recorded, [1.0, 2.0, 3.0, 3.0, 2.0, 4.0, 1.0, 2.0, 3.0, 3.0, 2.0, 4.0]);

    // An isoline with two segments. Each vertex records its place.
    let divided = "!!NVtep5.0 TESS_MODE ISOLINES; TESS_SPACING EQUAL; MOV result.position, vertex.tesscoord;
MOV result.texcoord[0], vertex.tesscoord; END";
    let mut context = recording(&[4], &[texcoord(1, 0)], INTERLEAVED);
    let stage = enums::TESS_EVALUATION_PROGRAM_NV;
    with_program(stage, stage, divided, &mut context);
    context.patch_parameter_i(enums::PATCH_VERTICES, 1).expect("set");
    context.patch_parameter_fv(enums::PATCH_DEFAULT_OUTER_LEVEL, &[1.0, 2.0, 1.0, 1.0]).expect("set");
    context.begin_transform_feedback(FeedbackPrimitive::Lines).expect("begun");
    render(&mut context, Primitive::Patches, &vertices::<1>());
    assert_eq!(floats(&mut context, 1), [0.0, 0.5, 0.5, 1.0]);
    raises(&mut context, InvalidOperation, |context| {
        context.disable(enums::TESS_EVALUATION_PROGRAM_NV)?;
        context.begin(Primitive::Triangles)
    });
}

#[test]
fn begin_refuses_other_primitives_than_are_recorded() {
    use Primitive::{
        LineLoop, LineStrip, Lines, LinesAdjacency, Points, Polygon, QuadStrip, Quads, TriangleFan,
        TriangleStrip, Triangles, TrianglesAdjacency,
    };
    let kinds: [(FeedbackPrimitive, &[Primitive]); 3] = [
        (FeedbackPrimitive::Points, &[Points]),
        (FeedbackPrimitive::Lines, &[Lines, LineStrip, LineLoop]),
        (FeedbackPrimitive::Triangles, &[Triangles, TriangleStrip, TriangleFan, Quads, QuadStrip, Polygon]),
    ];
    let all = [
        Points,
        Lines,
        LineStrip,
        LineLoop,
        Triangles,
        TriangleStrip,
        TriangleFan,
        Quads,
        QuadStrip,
        Polygon,
        LinesAdjacency,
        TrianglesAdjacency,
    ];
    for (primitive, allowed) in kinds {
        let mut context = recording(&[4], &[position(4)], INTERLEAVED);
        context.begin_transform_feedback(primitive).expect("begun");
        for mode in all {
            if allowed.contains(&mode) {
                context.begin(mode).expect("begun");
                context.end().expect("ended");
            } else {
                refuses(&mut context, InvalidOperation, |context| context.begin(mode));
            }
        }
    }
    // With a geometry program, its output primitives are recorded.
    let mut context = recording(&[4], &[position(4)], INTERLEAVED);
    let points = "!!NVgp4.0 PRIMITIVE_IN TRIANGLES; PRIMITIVE_OUT POINTS; VERTICES_OUT 1; EMIT; END";
    with_program(enums::GEOMETRY_PROGRAM_NV, enums::GEOMETRY_PROGRAM_NV, points, &mut context);
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    context.begin(Triangles).expect("begun");
    context.end().expect("ended");
    context.end_transform_feedback().expect("ended");
    context.begin_transform_feedback(FeedbackPrimitive::Triangles).expect("begun");
    raises(&mut context, InvalidOperation, |context| context.begin(Triangles));
}

#[test]
fn attributes_that_cannot_be_recorded_are_refused() {
    let mut context = recording(&[4], &[position(4)], INTERLEAVED);
    let refused: &[(ErrorCode, &[[i32; 3]], FeedbackMode)] = &[
        (InvalidEnum, &[[0x1234, 1, 0]], INTERLEAVED),
        (InvalidEnum, &[[-1, 1, 0]], INTERLEAVED),
        (InvalidValue, &[position(0)], INTERLEAVED),
        (InvalidValue, &[position(5)], INTERLEAVED),
        (InvalidValue, &[[enums::FOG_COORDINATE as i32, 2, 0]], INTERLEAVED),
        (InvalidValue, &[[enums::CLIP_DISTANCE_NV as i32, 2, 0]], INTERLEAVED),
        (InvalidValue, &[texcoord(4, 8)], INTERLEAVED),
        (InvalidValue, &[texcoord(4, -1)], INTERLEAVED),
        (InvalidValue, &[[enums::CLIP_DISTANCE_NV as i32, 1, 8]], INTERLEAVED),
        (InvalidValue, &[[enums::GENERIC_ATTRIB_NV as i32, 1, 32]], INTERLEAVED),
        (InvalidOperation, &[texcoord(4, 1), texcoord(2, 1)], INTERLEAVED),
        (InvalidOperation, &[position(4), position(4)], SEPARATE),
        (InvalidOperation, &[position(4), NEXT], SEPARATE),
        (InvalidOperation, &[[SKIP_COMPONENTS1_NV, 0, 0]], SEPARATE),
        (InvalidOperation, &[[SKIP_COMPONENTS2_NV, 0, 0]], SEPARATE),
        (InvalidOperation, &[[SKIP_COMPONENTS3_NV, 0, 0]], SEPARATE),
        (InvalidOperation, &[[SKIP_COMPONENTS4_NV, 0, 0]], SEPARATE),
        (
            InvalidOperation,
            &[texcoord(1, 0), texcoord(1, 1), texcoord(1, 2), texcoord(1, 3), texcoord(1, 4)],
            SEPARATE,
        ),
        (InvalidOperation, &[NEXT, NEXT, NEXT, NEXT], INTERLEAVED),
        (InvalidOperation, &[[SKIP_COMPONENTS4_NV, 0, 0]; 33], INTERLEAVED),
    ];
    for (code, attribs, mode) in refused {
        refuses(&mut context, *code, |context| context.transform_feedback_attribs(*attribs, *mode));
    }
    // The index is ignored for an attribute that exists once.
    context.transform_feedback_attribs(&[[enums::POSITION as i32, 4, 99]], SEPARATE).expect("recorded");
    context.transform_feedback_attribs(&[[SKIP_COMPONENTS4_NV, 0, 0]; 32], INTERLEAVED).expect("recorded");
    raises(&mut context, InvalidEnum, |context| {
        context.transform_feedback_attribs(&[position(4)], 0x8C8Bu32)
    });
    // With streams, an attribute may be listed twice.
    let twice = [position(4), NEXT, position(4)];
    context.transform_feedback_stream_attribs(&twice, &[0, 1], INTERLEAVED).expect("recorded");
    for streams in [&[0, 4][..], &[-1, 0]] {
        refuses(&mut context, InvalidValue, |context| {
            context.transform_feedback_stream_attribs(&twice, streams, INTERLEAVED)
        });
    }
    for streams in [&[0][..], &[0, 1, 2], &[]] {
        refuses(&mut context, InvalidOperation, |context| {
            context.transform_feedback_stream_attribs(&twice, streams, INTERLEAVED)
        });
    }
}

#[test]
fn binding_points_are_refused_that_there_are_not_or_while_it_is_active() {
    let mut context = recording(&[4], &[position(4)], INTERLEAVED);
    refuses(&mut context, InvalidValue, |context| context.bind_buffer_base(TARGET, 4, 1));
    refuses(&mut context, InvalidValue, |context| context.bind_buffer_range(TARGET, 0, 1, 0, 0));
    refuses(&mut context, InvalidValue, |context| context.bind_buffer_range(TARGET, 0, 1, 0, -4));
    refuses(&mut context, InvalidValue, |context| context.bind_buffer_range(TARGET, 0, 1, 0, 6));
    refuses(&mut context, InvalidValue, |context| context.bind_buffer_range(TARGET, 0, 1, 2, 8));
    refuses(&mut context, InvalidValue, |context| context.bind_buffer_offset(TARGET, 0, 1, -4));
    raises(&mut context, InvalidValue, |context| context.get_transform_feedback_buffer(4));
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    refuses(&mut context, InvalidOperation, |context| context.bind_buffer_base(TARGET, 0, 1));
    refuses(&mut context, InvalidOperation, |context| context.bind_buffer_offset(TARGET, 1, 1, 0));
    refuses(&mut context, InvalidOperation, |context| context.bind_buffer_range(TARGET, 1, 1, 0, 4));
    refuses(&mut context, InvalidOperation, |context| {
        context.transform_feedback_attribs(&[position(4)], INTERLEAVED)
    });
    refuses(&mut context, InvalidOperation, |context| {
        context.transform_feedback_stream_attribs(&[position(4)], &[0], INTERLEAVED)
    });
    refuses(&mut context, InvalidOperation, |context| {
        context.begin_transform_feedback(FeedbackPrimitive::Points)
    });
    let name = context.gen_transform_feedbacks(1).expect("named")[0];
    refuses(&mut context, InvalidOperation, |context| {
        context.bind_transform_feedback(FeedbackTarget::TransformFeedback, name)
    });
    refuses(&mut context, InvalidOperation, Context::resume_transform_feedback);
    context.pause_transform_feedback().expect("paused");
    refuses(&mut context, InvalidOperation, Context::pause_transform_feedback);
    refuses(&mut context, InvalidOperation, |context| context.bind_buffer_base(TARGET, 0, 1));
    // Another object may be bound while paused.
    context.bind_transform_feedback(FeedbackTarget::TransformFeedback, name).expect("bound");
    refuses(&mut context, InvalidOperation, Context::end_transform_feedback);
    context.bind_transform_feedback(FeedbackTarget::TransformFeedback, 0).expect("bound");
    context.end_transform_feedback().expect("ended");
    for command in [
        Context::end_transform_feedback,
        Context::pause_transform_feedback,
        Context::resume_transform_feedback,
    ] {
        refuses(&mut context, InvalidOperation, command);
    }
    raises(&mut context, InvalidEnum, |context| context.bind_transform_feedback(enums::ARRAY_BUFFER, 0));
    refuses(&mut context, InvalidOperation, |context| {
        context.bind_transform_feedback(FeedbackTarget::TransformFeedback, 77)
    });
    raises(&mut context, InvalidValue, |context| context.gen_transform_feedbacks(-1));
}

#[test]
fn begin_transform_feedback_wants_attributes_and_buffers_for_all_of_them() {
    let mut context = Context::new();
    refuses(&mut context, InvalidOperation, |context| {
        context.begin_transform_feedback(FeedbackPrimitive::Points)
    });
    raises(&mut context, InvalidEnum, |context| context.begin_transform_feedback(enums::TRIANGLE_STRIP));
    let mut context = recording(&[4], &[position(4), texcoord(1, 0)], SEPARATE);
    refuses(&mut context, InvalidOperation, |context| {
        context.begin_transform_feedback(FeedbackPrimitive::Points)
    });
    context.bind_buffer_base(TARGET, 1, 1).expect("bound");
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    context.end_transform_feedback().expect("ended");
    context
        .transform_feedback_attribs(&[position(4), NEXT, NEXT, texcoord(1, 0)], INTERLEAVED)
        .expect("recorded");
    refuses(&mut context, InvalidOperation, |context| {
        context.begin_transform_feedback(FeedbackPrimitive::Points)
    });
}

#[test]
fn buffers_and_objects_that_are_deleted_live_until_it_ends() {
    let mut context = recording(&[4], &[position(4)], INTERLEAVED);
    let object = context.gen_transform_feedbacks(1).expect("named")[0];
    context.bind_transform_feedback(FeedbackTarget::TransformFeedback, object).expect("bound");
    context.transform_feedback_attribs(&[position(4)], INTERLEAVED).expect("recorded");
    context.bind_buffer_base(TARGET, 0, 1).expect("bound");
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    context.delete_buffers(&[1][..]).expect("deleted");
    context.delete_transform_feedbacks(&[object][..]).expect("deleted");
    assert!(!context.is_transform_feedback(object) && !context.is_buffer(1));
    assert_eq!(render(&mut context, Primitive::Points, &vertices::<1>()).recorded[0], 1);
    context.end_transform_feedback().expect("ended");
    assert_eq!(context.get_transform_feedback_binding(), Ok(0));
    // The default object still refers to the deleted buffer object.
    refuses(&mut context, InvalidOperation, |context| {
        context.begin_transform_feedback(FeedbackPrimitive::Points)
    });
}

#[test]
fn buffers_stay_with_objects_that_are_not_bound() {
    let mut context = recording(&[4], &[position(4)], INTERLEAVED);
    let bind = |context: &mut Context, object: u32| {
        context.bind_transform_feedback(FeedbackTarget::TransformFeedback, object).expect("bound");
    };
    let object = context.gen_transform_feedbacks(1).expect("named")[0];
    bind(&mut context, object);
    context.transform_feedback_attribs(&[[position(4)[0], 4, 9]], INTERLEAVED).expect("recorded");
    assert_eq!(context.get_transform_feedback_record(0), Ok(position(4)), "there is one position");
    context.bind_buffer_base(TARGET, 0, 1).expect("bound");
    bind(&mut context, 0);
    context.delete_buffers(&[1][..]).expect("deleted");
    bind(&mut context, object);
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    assert_eq!(render(&mut context, Primitive::Points, &vertices::<2>()).recorded[0], 1);
    context.end_transform_feedback().expect("ended");
}

#[test]
fn a_buffer_may_become_smaller_before_a_draw_is_kept() {
    let mut context = recording(&[8], &[position(4)], INTERLEAVED);
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    context.begin(Primitive::Points).expect("begun");
    for vertex in vertices::<2>() {
        context.vertex(vertex).expect("a vertex");
    }
    let call = context.end().expect("ended");
    context.bind_buffer(TARGET, 1).expect("bound");
    context.buffer_data(TARGET, &[7, 0, 0, 0].repeat(5)[..], BufferUsage::DynamicCopy).expect("filled");
    let mut target = Framebuffer::new(4, 4).expect("small");
    let (threads, cancel) = (Threads::new(Some(1)), AtomicBool::new(false));
    let mut canvas = Canvas { target: &mut target, threads: &threads, cancel: &cancel };
    canvas.render(&call).expect("allowed").expect("not cancelled");
    context.keep(&call);
    assert_eq!(floats(&mut context, 1), [0.0, 0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn draws_that_are_prepared_together_are_renewed_one_by_one() {
    let mut context = recording(&[8], &[position(1)], INTERLEAVED);
    context.begin_transform_feedback(FeedbackPrimitive::Points).expect("begun");
    let mut prepare = |x: f32| {
        context.begin(Primitive::Points).expect("begun");
        context.vertex([x, 0.0, 0.0, 1.0]).expect("a vertex");
        context.end().expect("ended")
    };
    let calls = [prepare(1.0), prepare(2.0)];
    let mut target = Framebuffer::new(4, 4).expect("small");
    let (threads, cancel) = (Threads::new(Some(1)), AtomicBool::new(false));
    let mut canvas = Canvas { target: &mut target, threads: &threads, cancel: &cancel };
    for mut call in calls {
        context.renew(&mut call);
        canvas.render(&call).expect("allowed").expect("not cancelled");
        context.keep(&call);
    }
    assert_eq!(floats(&mut context, 1)[..2], [1.0, 2.0]);
}

#[test]
fn queries_are_objects_of_one_target() {
    let mut context = Context::new();
    let (generated, written) = (QueryTarget::PrimitivesGenerated, QueryTarget::PrimitivesWritten);
    let id = context.gen_queries(1).expect("named")[0];
    assert!(!context.is_query(id) && !context.is_query(0));
    raises(&mut context, InvalidOperation, |context| context.get_query_object(id));
    refuses(&mut context, InvalidOperation, |context| context.begin_query(generated, 0));
    raises(&mut context, InvalidEnum, |context| context.begin_query(enums::SAMPLES, id));
    refuses(&mut context, InvalidValue, |context| context.begin_query_indexed(generated, 4, id));
    refuses(&mut context, InvalidValue, |context| context.end_query_indexed(generated, 4));
    raises(&mut context, InvalidValue, |context| context.get_query(generated, 4));
    refuses(&mut context, InvalidOperation, |context| context.end_query(generated));
    context.begin_query(generated, id).expect("begun");
    assert!(context.is_query(id));
    assert_eq!(context.get_query(generated, 0), Ok((id, 64)));
    assert_eq!(context.get_query(generated, 1), Ok((0, 64)));
    raises(&mut context, InvalidOperation, |context| context.get_query_object(id));
    refuses(&mut context, InvalidOperation, |context| context.begin_query(generated, 9));
    refuses(&mut context, InvalidOperation, |context| context.begin_query(written, id));
    refuses(&mut context, InvalidOperation, |context| context.begin_query_indexed(generated, 1, id));
    context.end_query(generated).expect("ended");
    assert_eq!(context.get_query_object(id), Ok(0));
    refuses(&mut context, InvalidOperation, |context| context.begin_query(written, id));
    // A name that was not generated, deleted while active.
    context.begin_query(written, 50).expect("begun");
    context.delete_queries(&[50, 51][..]).expect("deleted");
    assert!(!context.is_query(50));
    context.end_query(written).expect("ended");
    assert!(!context.is_query(50));
    raises(&mut context, InvalidValue, |context| context.gen_queries(-1));
}

#[test]
fn nothing_is_cleared_or_drawn_while_primitives_are_discarded() {
    let mut context = Context::new();
    let mut target = Framebuffer::new(2, 2).expect("small");
    let color = [1.0f32, 0.5, 0.25, 1.0];
    context.enable(enums::RASTERIZER_DISCARD).expect("enabled");
    context.clear_buffer(ClearTarget::Color, 0, color, &mut target).expect("cleared");
    assert_eq!(target.color.at(0), [0.0; 4]);
    let call = context.prepare_viewport_quad().expect("prepared");
    let (threads, cancel) = (Threads::new(Some(1)), AtomicBool::new(false));
    let stats = call.render(&mut target, &threads, &cancel).expect("drawn");
    assert_eq!((stats.fragments, target.color.at(0)), (0, [0.0; 4]));
    assert!(call.fragments_at([2, 2], [0, 0]).is_empty());
    context.disable(enums::RASTERIZER_DISCARD).expect("disabled");
    context.clear_buffer(ClearTarget::Color, 0, color, &mut target).expect("cleared");
    assert_eq!(target.color.at(0), [1.0, 0.5, 0.25, 1.0]);
}

#[test]
fn limits_are_asked_for() {
    let context = Context::new();
    for (limit, value) in [
        (enums::MAX_VERTEX_STREAMS, 4),
        (enums::MAX_TRANSFORM_FEEDBACK_BUFFERS, 4),
        (enums::MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, 128),
        (enums::MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, 4),
        (enums::MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS, 4),
    ] {
        assert_eq!(context.get_limit(limit), Ok(value));
    }
}
