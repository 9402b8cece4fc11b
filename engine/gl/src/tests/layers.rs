//! Layered framebuffers (NV_geometry_program4 4.4.7): the layer of a primitive, clears, and queries of one
//! layer.

use std::sync::atomic::AtomicBool;

use super::super::{BufferTarget, BufferUsage, Canvas, ClearTarget, Context, DrawCall, enums};
use shadestep_core::memory::Mode;
use shadestep_core::pipeline::{Framebuffer, Layers, Primitive, Stats, Threads};

/// Turns each point into a triangle that covers the window, in the layer given by x and in that layer's
/// colour. Only the last vertex, the provoking one, names this layer.
const TO_LAYERS: &str = "!!NVgp4.0
PRIMITIVE_IN POINTS; PRIMITIVE_OUT TRIANGLE_STRIP; VERTICES_OUT 3;
TEMP c; INT TEMP n;
TRUNC.S n.x, vertex[0].position.x;
MUL c, vertex[0].position.x, {0.25, 0.125, 0, 0}; MOV c.w, 1;
MOV result.position, {-1, -1, 0, 1}; MOV result.color, c; ADD.S result.layer.x, n.x, 1; EMIT;
MOV result.position, {3, -1, 0, 1}; MOV result.color, c; ADD.S result.layer.x, n.x, 1; EMIT;
MOV result.position, {-1, 3, 0, 1}; MOV result.color, c; MOV.S result.layer.x, n.x; EMIT;
END";

fn with(text: &str) -> Context {
    let mut context = Context::new();
    let target = enums::GEOMETRY_PROGRAM_NV;
    let loaded = context.program_string(target, enums::PROGRAM_FORMAT_ASCII_ARB, text.as_bytes());
    loaded.unwrap_or_else(|error| panic!("{error}: {:?}", context.program_diagnostics()));
    context.enable(target).expect("enabled");
    context
}

fn points(context: &mut Context, layers: &[f32]) -> DrawCall {
    context.begin(Primitive::Points).expect("begun");
    for layer in layers {
        context.vertex([*layer, 0.0]).expect("a vertex");
    }
    context.end().expect("ended")
}

fn render(call: &DrawCall, target: &mut Framebuffer) -> Stats {
    let (threads, cancel) = (Threads::new(Some(2)), AtomicBool::new(false));
    let mut canvas = Canvas { target, threads: &threads, cancel: &cancel };
    canvas.render(call).expect("allowed").expect("not cancelled")
}

fn color(layer: f32) -> [f32; 4] {
    [0.25 * layer, 0.125 * layer, 0.0, 1.0]
}

fn layered(side: u32, layers: usize) -> Framebuffer {
    Framebuffer::new(side, side).and_then(|target| target.with_layers(layers)).expect("small")
}

#[test]
fn the_provoking_vertex_says_which_layer() {
    let mut context = with(TO_LAYERS);
    // More than one tile, and a layer without primitives. Primitives for layers that do not exist are
    // dropped.
    let call = points(&mut context, &[3.0, 0.0, 2.0, 4.0, -1.0]);
    let mut target = layered(70, 4);
    let stats = render(&call, &mut target);
    assert_eq!((stats.primitives, stats.written), (5, 3 * 70 * 70));
    for (layer, expected) in [color(0.0), [0.0; 4], color(2.0), color(3.0)].into_iter().enumerate() {
        let layer = target.layer(layer).expect("a layer");
        assert!((0..70 * 70).all(|pixel| layer.color.at(pixel) == expected), "{expected:?}");
    }
    assert!(target.layer(4).is_none());
    // A framebuffer without layers receives all primitives.
    let mut single = layered(70, 1);
    assert_eq!(render(&call, &mut single).written, 5 * 70 * 70);
    assert_eq!(single.color.at(0), color(-1.0).map(|component: f32| component.max(0.0)));
}

#[test]
fn the_layer_is_0_without_a_program_that_says_one() {
    let silent =
        TO_LAYERS.replace("ADD.S result.layer.x, n.x, 1;", "").replace("MOV.S result.layer.x, n.x;", "");
    let mut context = with(&silent);
    let call = points(&mut context, &[2.0]);
    let mut target = layered(4, 3);
    assert_eq!(render(&call, &mut target).written, 16);
    assert_eq!(target.color.at(0), color(2.0));
    // Vertex programs have no layer output.
    let mut context = Context::new();
    context.begin(Primitive::Points).expect("begun");
    context.color([1.0, 0.0, 0.0, 1.0]).expect("a colour");
    context.vertex([0.0, 0.0]).expect("a vertex");
    let call = context.end().expect("ended");
    render(&call, &mut target);
    assert_eq!(target.color.at(10), [1.0, 0.0, 0.0, 1.0]);
    assert!(
        (1..3)
            .all(|layer| (0..16)
                .all(|pixel| target.layer(layer).expect("a layer").color.at(pixel) == [0.0; 4]))
    );
}

#[test]
fn depths_are_those_of_the_layer() {
    let mut context = with(TO_LAYERS);
    context.depth_func(enums::LESS).expect("set");
    context.enable(enums::DEPTH_TEST).expect("enabled");
    // The second triangle in layer 1 has the same depth as the first.
    let call = points(&mut context, &[1.0, 2.0, 1.0]);
    let mut target = layered(4, 3);
    let stats = render(&call, &mut target);
    assert_eq!((stats.written, stats.depth_failed), (32, 16));
    assert_eq!([0, 1, 2].map(|layer| target.layer(layer).expect("a layer").depth[5]), [1.0, 0.5, 0.5]);
}

#[test]
fn clearing_clears_all_layers_and_reading_reads_the_first() {
    let mut context = Context::new();
    let mut target = layered(2, 3);
    context.clear_buffer(ClearTarget::Color, 0, [0.5f32, 0.25, 0.0, 1.0], &mut target).expect("cleared");
    context.clear_buffer(ClearTarget::Depth, 0, [0.25f32, 0.0, 0.0, 0.0], &mut target).expect("cleared");
    for layer in 0..3 {
        let layer = target.layer(layer).expect("a layer");
        assert_eq!((layer.color.at(3), layer.depth[3]), ([0.5, 0.25, 0.0, 1.0], 0.25));
    }
    let mut context = with(TO_LAYERS);
    render(&points(&mut context, &[1.0]), &mut target);
    assert_eq!(target.to_rgba8()[..4], [128, 64, 0, 255]);
    target.swap_layer(1);
    assert_eq!(target.to_rgba8()[..4], [64, 32, 0, 255]);
    target.swap_layer(7);
    assert_eq!(target.to_rgba8()[..4], [64, 32, 0, 255]);
}

#[test]
fn there_are_no_layers_without_memory_for_them() {
    assert!(Framebuffer::new(2, 2).and_then(|target| target.with_layers(0)).is_err());
    assert!(Framebuffer::new(1 << 12, 1 << 12).and_then(|target| target.with_layers(5)).is_err());
    assert_eq!(layered(2, 7).layers(), 7);
}

#[test]
fn fragments_are_looked_at_in_one_layer() {
    let mut context = with(TO_LAYERS);
    let call = points(&mut context, &[1.0, 0.0, 1.0, 5.0]);
    for (seen, expected) in [(0, vec![1]), (1, vec![0, 2]), (2, vec![])] {
        let call = call.clone().seen_in(Some(Layers { count: 3, seen }));
        let found: Vec<u32> =
            call.fragments_at([4, 4], [2, 2]).iter().map(|fragment| fragment.primitive).collect();
        assert_eq!(found, expected, "layer {seen}");
        let mut made = 0;
        call.each_made_primitive(([4, 4], 0), |_, _| made += 1);
        assert_eq!(made, expected.len(), "layer {seen}");
    }
    assert_eq!(call.fragments_at([4, 4], [2, 2]).len(), 4);
}

/// Each fragment takes the next number.
const COUNTING: &str = "!!NVfp5.0
LONG UINT TEMP a; UINT TEMP n; TEMP t;
PK64.U a, program.local[0];
ATOM.ADD.U32 n.x, 1, a.x;
I2F.U t.x, n.x; MOV result.color, t.x;
END";

#[test]
fn programs_that_write_memory_draw_layers_in_the_order_of_primitives() {
    let mut context = with(TO_LAYERS);
    context
        .program_string(enums::FRAGMENT_PROGRAM_NV, enums::PROGRAM_FORMAT_ASCII_ARB, COUNTING.as_bytes())
        .unwrap_or_else(|error| panic!("{error}"));
    context.enable(enums::FRAGMENT_PROGRAM_NV).expect("enabled");
    context.bind_buffer(BufferTarget::Texture, 1).expect("bound");
    context.buffer_data(BufferTarget::Texture, &[0; 4], BufferUsage::DynamicCopy).expect("filled");
    context.make_buffer_resident(BufferTarget::Texture, Mode::ReadWrite).expect("resident");
    let address = context.get_buffer_gpu_address(BufferTarget::Texture).expect("an address");
    let words = [address as u32, (address >> 32) as u32, 0, 0].map(f32::from_bits);
    context.program_local_parameter4(enums::FRAGMENT_PROGRAM_NV, 0, words).expect("set");
    let call = points(&mut context, &[2.0, 0.0, 1.0]);
    let mut target = layered(2, 3);
    render(&call, &mut target);
    for (layer, first) in [(2, 0.0), (0, 4.0), (1, 8.0)] {
        let of = target.layer(layer).expect("a layer");
        let mut numbers: Vec<f32> = (0..4).map(|pixel| of.color.at(pixel)[0]).collect();
        numbers.sort_by(f32::total_cmp);
        assert_eq!(numbers, [first, first + 1.0, first + 2.0, first + 3.0], "layer {layer}");
    }
    let buffer = call.buffer_after(&context, 1).expect("written");
    assert_eq!(buffer.bytes(), [12, 0, 0, 0]);
}
