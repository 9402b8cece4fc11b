//! Draws: their bindings, fixed-function vertex processing, and pictures through the whole pipeline.

use std::sync::atomic::AtomicBool;

use super::super::transform::FIXED_FUNCTION;
use super::super::{Context, DrawCall, FragmentStage, MatrixMode, enums};
use super::{VP, loaded};
use shadestep_core::exec::{AttributeLanes, ResultLanes, VertexShader};
use shadestep_core::pipeline::{ArrayData, Elements, Framebuffer, Primitive, Threads};
use shadestep_language::front;
use shadestep_language::ir::{Attribute, VertexResult, single_bits, singles};
use shadestep_language::isa::Stage::{Fragment, Vertex};

/// Three corners of a triangle that covers the window.
const COVERING: [[f32; 2]; 3] = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]];

/// Runs the draw's vertex stage on a vertex with these attributes, in every lane.
fn shaded(call: &DrawCall, attributes: &[(u8, [f32; 4])]) -> impl Fn(VertexResult) -> [f32; 4] {
    let stage = call.vertex_stage().expect("vertices are drawn");
    let (mut inputs, mut results) = (AttributeLanes::default(), ResultLanes::default());
    for &(number, value) in attributes {
        for (component, value) in value.into_iter().enumerate() {
            inputs.register_mut(Attribute::Vertex(number), component).0.fill(value);
        }
    }
    let mut worker = stage.worker();
    stage.run(&mut worker, &inputs, u64::MAX, &mut results);
    move |result| std::array::from_fn(|component| results.register(result, component).0[17])
}

/// Draws [`COVERING`] with the current state.
fn covering(context: &mut Context) -> DrawCall {
    context.begin(Primitive::Triangles).expect("begun");
    for corner in COVERING {
        context.vertex(corner).expect("a vertex");
    }
    context.end().expect("ended")
}

/// The colour of pixel (1, 1) of a 4 x 4 window.
fn pixel(call: &DrawCall) -> [f32; 4] {
    let mut target = Framebuffer::new(4, 4).expect("small");
    let threads = Threads::new(Some(1));
    call.render(&mut target, &threads, &AtomicBool::new(false)).expect("not cancelled");
    target.color.at(5)
}

#[test]
fn the_fixed_function_transformation_loads() {
    let loaded = front::load(FIXED_FUNCTION.as_bytes());
    assert_eq!(loaded.diagnostics, []);
    assert!(loaded.program.is_some());
}

#[test]
fn the_fixed_function_transformation_is_that_of_the_text() {
    let mut context = Context::new();
    context.translate([0.0, 0.0, -5.0]).expect("model-view");
    context.matrix_mode(MatrixMode::Projection).expect("a mode");
    context.frustum([-1.0, 1.0, -1.0, 1.0, 1.0, 3.0]).expect("projection");
    context.matrix_mode(MatrixMode::Texture).expect("a mode");
    context.active_texture(2).expect("a unit");
    context.scale([2.0, 3.0, 4.0]).expect("texture matrix 2");
    let call = covering(&mut context);
    let attributes = [
        (0, [1.0, 2.0, 1.0, 1.0]),
        (3, [0.1, 0.2, 0.3, 0.4]),
        (4, [0.5, 0.6, 0.7, 0.8]),
        (8, [1.0, 2.0, 3.0, 4.0]),
        (10, [1.0, 1.0, 1.0, 1.0]),
    ];
    let result = shaded(&call, &attributes);
    // In eye space (1, 2, -4, 1). The frustum's rows give z = 2*4 - 3 and w = 4.
    assert_eq!(result(VertexResult::Hpos), [1.0, 2.0, 5.0, 4.0]);
    assert_eq!(result(VertexResult::Col0), [0.1, 0.2, 0.3, 0.4]);
    assert_eq!(result(VertexResult::Col1), [0.5, 0.6, 0.7, 0.8]);
    assert_eq!(result(VertexResult::Fogc)[0], 4.0);
    assert_eq!(result(VertexResult::Tex(0)), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(result(VertexResult::Tex(2)), [2.0, 3.0, 4.0, 1.0]);
}

#[test]
fn position_invariant_programs_have_the_fixed_function_position_bit_for_bit() {
    let mut context = Context::new();
    context.rotate(33.0, [1.0, 2.0, 3.0]).expect("model-view");
    context.translate([0.1, -0.7, -3.3]).expect("model-view");
    context.matrix_mode(MatrixMode::Projection).expect("a mode");
    context.frustum([-0.057, 0.057, -0.043, 0.043, 0.1, 50.0]).expect("projection");
    let fixed_function = covering(&mut context);
    let text = b"!!VP1.1\nOPTION NV_position_invariant;\nMOV o[COL0], v[COL0];\nEND";
    context.load_program(Vertex, 1, text).expect("loaded");
    context.bind_program(Vertex, 1).expect("bound");
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    let invariant = covering(&mut context);
    for i in 0..100u8 {
        let x = f32::from(i);
        let position = [x * 0.37 - 9.1, 1.0 / (x + 0.3), x.sqrt() * -0.77, 1.0 + x * 1e-3];
        let [a, b] =
            [&fixed_function, &invariant].map(|call| shaded(call, &[(0, position)])(VertexResult::Hpos));
        assert_eq!(a.map(f32::to_bits), b.map(f32::to_bits), "{position:?}");
    }
}

#[test]
fn a_draw_binds_the_registers_and_local_parameters_of_its_time() {
    let mut context = loaded();
    let text = b"!!VP2.0\nMUL o[HPOS], v[0], c[200];\nEND";
    context.load_program(Vertex, 7, text).expect("loaded");
    context.bind_program(Vertex, 7).expect("bound");
    context.bind_program(Fragment, 2).expect("bound");
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    context.enable(enums::FRAGMENT_PROGRAM_NV).expect("enabled");
    context.program_parameter4(Vertex, 200, [2.0f32, 3.0, 4.0, 5.0]).expect("set");
    context.program_named_parameter4(2, b"tint", [0.5f32; 4]).expect("set");
    let call = covering(&mut context);
    context.program_parameter4(Vertex, 200, [0.0f32; 4]).expect("set");
    context.program_named_parameter4(2, b"tint", [0.0f32; 4]).expect("set");
    let hpos = shaded(&call, &[(0, [1.0, 1.0, 1.0, 1.0])])(VertexResult::Hpos);
    assert_eq!(hpos, [2.0, 3.0, 4.0, 5.0]);
    assert_eq!(call.fragment_bindings().map(|bindings| bindings.parameters[0]), Some(single_bits([0.5; 4])));
}

#[test]
fn a_picture_comes_from_the_programs_bound() {
    let mut context = loaded();
    context.bind_program(Vertex, 1).expect("bound");
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    let text = b"!!FP1.0\nMOV o[COLR], p[3];\nEND";
    context.load_program(Fragment, 8, text).expect("loaded");
    context.bind_program(Fragment, 8).expect("bound");
    context.enable(enums::FRAGMENT_PROGRAM_NV).expect("enabled");
    context.program_local_parameter4(Fragment, 3, [0.25f32, 0.5, 0.75, 1.0]).expect("set");
    let call = covering(&mut context);
    assert_eq!(pixel(&call), [0.25, 0.5, 0.75, 1.0]);
    let fragments = call.fragments_at([4, 4], [1, 1]);
    assert_eq!(fragments.len(), 1);
    assert_eq!(call.shaded_vertices([4, 4], 0).len(), 3);
}

#[test]
fn a_pixels_fragments_have_the_coordinate_sets_that_an_index_leads_to() {
    let mut context = Context::new();
    context.bind_program_arb(Fragment, 8).expect("bound");
    let text = b"!!ARBfp1.0\nOPTION NV_fragment_program2;\nPARAM n = { 1.0, 2.0, 1.0 };\nTEMP t;\n\
        LOOP n;\nMOV t, fragment.texcoord[A0.x];\nENDLOOP;\nMOV result.color, t;\nEND";
    context.program_string(Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, text).expect("loaded");
    context.enable(enums::FRAGMENT_PROGRAM_ARB).expect("enabled");
    let coordinates = [0.25, 0.5, 0.75, 1.0];
    context.multi_tex_coord(2, coordinates).expect("set");
    let call = covering(&mut context);
    assert_eq!(pixel(&call), coordinates);
    let fragments = call.fragments_at([4, 4], [1, 1]);
    let set = fragments[0].quad[Attribute::Tex(2).index()];
    assert_eq!(set[fragments[0].lane], coordinates);
}

#[test]
fn without_programs_the_primary_colour_shows() {
    let mut context = Context::new();
    context.color([0.25, 0.5, 0.75, 1.0]).expect("set");
    let call = covering(&mut context);
    assert!(matches!(call.fragment_stage(), FragmentStage::Fixed(_)));
    assert_eq!(pixel(&call), [0.25, 0.5, 0.75, 1.0]);
}

#[test]
fn fog_colours_fixed_function_draws_but_not_programs_without_a_fog_coordinate() {
    let mut context = loaded();
    context.enable(enums::FOG).expect("enabled");
    context.fog_mode(enums::LINEAR).expect("set");
    // Everything is beyond the end of the fog: the factor is 0.
    context.fog_range(-2.0, -1.0).expect("set");
    context.fog_color([1.0, 0.0, 0.5, 0.0]).expect("set");
    context.color([0.0, 1.0, 0.0, 1.0]).expect("set");
    assert_eq!(pixel(&covering(&mut context)), [1.0, 0.0, 0.5, 1.0]);
    context.load_program(Vertex, 1, b"!!VP1.0\nMOV o[HPOS], v[0];\nMOV o[COL0], v[3];\nEND").expect("loaded");
    context.bind_program(Vertex, 1).expect("bound");
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    assert_eq!(pixel(&covering(&mut context)), [0.0, 1.0, 0.0, 1.0]);
}

#[test]
fn clip_planes_count_where_the_language_has_clip_distances() {
    let mut context = loaded();
    context.enable(enums::CLIP_PLANE0 + 2).expect("enabled");
    context.enable(enums::VERTEX_PROGRAM_TWO_SIDE_NV).expect("enabled");
    assert_eq!(covering(&mut context).draw().state.clip_distances, 0, "fixed-function");
    assert!(!covering(&mut context).draw().state.two_side, "of programs only");
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    context.bind_program(Vertex, 1).expect("bound");
    assert_eq!(covering(&mut context).draw().state.clip_distances, 0, "VP1.0");
    assert!(covering(&mut context).draw().state.two_side);
    let text = b"!!VP2.0\nMOV o[HPOS], v[0];\nMOV o[CLP2].x, v[0].x;\nEND";
    context.load_program(Vertex, 9, text).expect("loaded");
    context.bind_program(Vertex, 9).expect("bound");
    assert_eq!(covering(&mut context).draw().state.clip_distances, 0b100, "VP2.0");
}

#[test]
fn vertices_between_begin_and_end_have_the_attributes_of_their_moment() {
    let mut context = Context::new();
    context.begin(Primitive::LineStrip).expect("begun");
    context.color([1.0, 0.0, 0.0, 1.0]).expect("set");
    context.vertex([1.0f32, 2.0]).expect("a vertex");
    context.color([0.0, 1.0, 0.0, 1.0]).expect("set");
    context.vertex([3i16, 4, 5]).expect("a vertex");
    context.primitive_restart().expect("restarted");
    context.vertex_attrib(0, [6.0f32, 7.0, 8.0, 9.0]).expect("a vertex");
    let call = context.end().expect("ended");
    let vertex = |element| call.vertex_attributes(element, 0).expect("vertices").map(singles);
    assert_eq!([vertex(0)[0], vertex(0)[3]], [[1.0, 2.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]]);
    assert_eq!([vertex(1)[0], vertex(1)[3]], [[3.0, 4.0, 5.0, 1.0], [0.0, 1.0, 0.0, 1.0]]);
    assert_eq!(vertex(2)[0], [6.0, 7.0, 8.0, 9.0]);
    assert_eq!(vertex(2)[2], [0.0, 0.0, 1.0, 1.0]);
    let input = call.vertex_input().expect("vertices");
    assert_eq!(input.primitive, Primitive::LineStrip);
    let restart = u32::MAX;
    let elements = Elements::Indices { indices: [0, 1, restart, 2].into(), restart: Some(restart) };
    assert_eq!(input.elements, elements);
}

#[test]
fn drawing_arrays_and_elements_gives_the_same_picture() {
    let mut context = loaded();
    context.load_program(Vertex, 1, VP).expect("loaded");
    context.bind_program(Vertex, 1).expect("bound");
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    let data = ArrayData::Float(COVERING.as_flattened().into());
    context.vertex_attrib_pointer(0, 2, 0, data).expect("described");
    context.enable_client_state(enums::VERTEX_ATTRIB_ARRAY0_NV).expect("enabled");
    // The unwritten colour is (0,0,0,1).
    let calls = [
        context.prepare_arrays(Primitive::Triangles, 0, 3),
        context.prepare_elements(Primitive::Triangles, &[0u8, 1, 2][..]),
        context.prepare_elements(Primitive::Triangles, &[2u32, 0, 1][..]),
    ];
    for call in calls {
        let call = call.expect("prepared").after_clear(context.clear_state());
        assert_eq!(pixel(&call), [0.0, 0.0, 0.0, 1.0]);
    }
}
