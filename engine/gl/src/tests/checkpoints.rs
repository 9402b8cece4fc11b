//! The memory that fragments see must be the same with and without checkpoints. The picture checks it: every
//! fragment colours its pixel with the count that it found.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::super::{BufferTarget, Checkpoints, DrawCall, enums};
use super::memory::{tell_address, use_text, with_words};
use BufferTarget::Texture as Target;
use shadestep_core::debug::Subject;
use shadestep_core::memory::{BufferId, Memory, Mode};
use shadestep_core::pipeline::{Clear, ColorFormat, Framebuffer, Layers, PixelStatus, Primitive, Threads};
use shadestep_language::isa::Stage::{Fragment, Vertex};

const SIZE: [u32; 2] = [72, 40];

/// Colours are counts times this factor, because blending clamps values above 1.
const SCALE: f32 = 1.0 / 131_072.0;

/// Triangles. Several fragment blocks lie between two of their edges.
const LAYERS: [[[f32; 3]; 3]; 5] = [
    [[-1.0, -1.0, 0.5], [3.0, -1.0, 0.5], [-1.0, 3.0, 0.5]],
    [[-0.7, -0.9, 0.8], [0.9, -0.8, 0.8], [0.1, 0.9, 0.8]],
    [[-0.9, 0.9, 0.2], [-0.2, -0.9, 0.2], [0.8, 0.3, 0.2]],
    [[0.2, -1.0, -0.3], [1.0, -0.2, -0.3], [0.0, 1.0, 0.9]],
    [[-1.0, -1.0, 0.1], [1.0, -1.0, 0.1], [0.0, 0.2, -0.9]],
];

/// A variant of the counting draw: additional work of the fragment program, and the stages before it.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    options: &'static str,
    after: &'static str,
    vertex: Option<&'static str>,
    depth_test: bool,
    is_quad: bool,
    instances: u32,
    layers: u32,
}

const LATE: Drawn = Drawn {
    options: "",
    after: "",
    vertex: None,
    depth_test: false,
    is_quad: false,
    instances: 1,
    layers: 1,
};

/// Kills the fragments of every second pair of columns.
const KILLING: &str =
    "TEMP p; MUL p.x, fragment.position.x, 0.25; FRC p.x, p.x; SGE p.x, p.x, 0.5; KIL -p.x;";

/// Counts like the fragment program, and has no other effect.
const COUNTING_VERTEX: &str = "!!NVvp5.0\nLONG UINT TEMP a; UINT TEMP n;\nPK64.U a, program.local[0];\n\
    ATOM.ADD.U32 n.x, {1}, a.x;\nMOV result.position, vertex.position;\nEND";

/// Draws to layer 0 and layer 1 alternately.
const TO_LAYERS: &str = "!!NVgp4.0\nPRIMITIVE_IN TRIANGLES; PRIMITIVE_OUT TRIANGLE_STRIP; VERTICES_OUT 3;\nINT TEMP n;\n\
    AND.S n.x, primitive.id.x, 1;\n\
    MOV result.position, vertex[0].position; MOV.S result.layer.x, n.x; EMIT;\n\
    MOV result.position, vertex[1].position; MOV.S result.layer.x, n.x; EMIT;\n\
    MOV result.position, vertex[2].position; MOV.S result.layer.x, n.x; EMIT;\nEND";

const EVERY: [Drawn; 9] = [
    LATE,
    Drawn { is_quad: true, ..LATE },
    Drawn { options: "OPTION NV_early_fragment_tests;\n", depth_test: true, ..LATE },
    Drawn { options: "OPTION NV_early_fragment_tests;\n", depth_test: true, after: KILLING, ..LATE },
    Drawn { after: KILLING, ..LATE },
    Drawn { instances: 2, ..LATE },
    Drawn { layers: 2, ..LATE },
    Drawn { vertex: Some(COUNTING_VERTEX), ..LATE },
    Drawn { vertex: Some(COUNTING_VERTEX), instances: 2, ..LATE },
];

/// The draw and its picture. Each pixel is the sum of the counts that its fragments found.
fn drawn(how: Drawn, interval: Option<Duration>) -> (DrawCall, Framebuffer) {
    let mut context = with_words(&[0]);
    context.make_buffer_resident(Target, Mode::ReadWrite).expect("resident");
    let Drawn { options, after, .. } = how;
    let text = format!(
        "!!NVfp5.0\n{options}LONG UINT TEMP a; UINT TEMP n; TEMP c;\nPK64.U a, program.local[0];\n\
         ATOM.ADD.U32 n.x, {{1}}, a.x;\nI2F.U c, n.x;\nMUL c.x, c.x, {SCALE};\n{after}\nMOV result.color, c.x;\nEND"
    );
    use_text(&mut context, Fragment, &text);
    tell_address(&mut context, Fragment);
    if let Some(text) = how.vertex {
        use_text(&mut context, Vertex, text);
        tell_address(&mut context, Vertex);
    }
    if how.layers > 1 {
        let (target, format) = (enums::GEOMETRY_PROGRAM_NV, enums::PROGRAM_FORMAT_ASCII_ARB);
        context.program_string(target, format, TO_LAYERS.as_bytes()).expect("a program");
        context.enable(target).expect("enabled");
    }
    context.enable(enums::BLEND).expect("enabled");
    context.blend_func(enums::ONE, enums::ONE).expect("set");
    if how.depth_test {
        context.enable(enums::DEPTH_TEST).expect("enabled");
    }
    let call = if how.is_quad {
        context.prepare_viewport_quad().expect("drawable")
    } else {
        context.begin(Primitive::Triangles).expect("begun");
        LAYERS.as_flattened().iter().for_each(|corner| context.vertex(*corner).expect("a vertex"));
        context.end().expect("ended")
    };
    let mut call =
        call.with_instances(how.instances).after_clear(Clear { color: [0.0; 4], ..Clear::DEFAULT });
    if let Some(interval) = interval {
        call.keep_checkpoints(interval);
    }
    let target = Framebuffer::new(SIZE[0], SIZE[1]);
    let target = target.and_then(|target| target.with_layers(how.layers as usize));
    let mut target = target.expect("small");
    call.render(&mut target, &Threads::new(Some(2)), &AtomicBool::new(false)).expect("not cancelled");
    (call, target)
}

/// The counts that the fragments of a pixel find, for fragments that run.
fn found(call: &DrawCall, pixel: [u32; 2], checkpoints: &Checkpoints) -> Vec<u32> {
    let (to, never) = ((SIZE, ColorFormat::Rgba32F), AtomicBool::new(false));
    let before = call.memory_before(Subject::Pixel(pixel), checkpoints, to, &never);
    let before = before.expect("not cancelled");
    let count = |memory: &Memory| u32::from_le_bytes(memory.bytes(BufferId(0)).try_into().expect("a word"));
    before.all().iter().map(count).collect()
}

#[test]
fn what_fragments_find_is_what_they_show_with_checkpoints_and_without() {
    for how in EVERY {
        let (call, picture) = drawn(how, Some(Duration::ZERO));
        let checkpoints = call.checkpoints();
        // Vertices of the second instance run between fragments, so checkpoints are impossible.
        let is_kept = how.vertex.is_none() || how.instances == 1;
        assert_eq!(checkpoints.count() > 8, is_kept, "{how:?}: {}", checkpoints.count());
        let (mut fragments, mut several) = (0, 0);
        // The first fragment of each quad, so that no other fragment comes between the memory snapshot and
        // the count.
        let [columns, rows] = SIZE.map(|side| side / 2);
        let pixels = (0..columns * rows).step_by(7).map(|quad| [2 * (quad % columns), 2 * (quad / columns)]);
        for (seen, pixel) in (0..how.layers).flat_map(|seen| pixels.clone().map(move |pixel| (seen, pixel))) {
            let call = call.clone().seen_in((how.layers > 1).then_some(Layers { count: how.layers, seen }));
            let found_by = |checkpoints| found(&call, pixel, checkpoints);
            let (all, at) = (found_by(&checkpoints), (how, seen, pixel));
            assert_eq!(all, found_by(&Checkpoints::default()), "{at:?}");
            assert!(all.is_sorted_by(|a, b| a < b), "{at:?}: {all:?}");
            let picture = picture.layer(seen as usize).expect("a layer");
            let place = picture.index(pixel[0], pixel[1]).expect("inside");
            let killed = how.after == KILLING && pixel[0] % 4 >= 2;
            let sum: u32 = if killed { 0 } else { all.iter().sum() };
            assert_eq!(picture.color.at(place)[0], sum as f32 * SCALE, "{at:?}: {all:?}");
            assert_eq!(all.is_empty(), picture.status[place] == PixelStatus::Empty);
            fragments += all.len();
            several += usize::from(all.len() > 1);
        }
        assert!(fragments > 100 && (how.is_quad || several > 10), "{how:?}: {fragments}, {several}");
    }
}

#[test]
fn checkpoints_of_a_draw_are_kept_only_where_they_are_wanted_and_tell_something() {
    assert_eq!(drawn(LATE, None).0.checkpoints().count(), 0, "nobody wants them");
    let (call, _) = drawn(LATE, Some(Duration::from_secs(1000)));
    assert_eq!(call.checkpoints().count(), 1, "the beginning");
    call.in_any_order(true);
    let mut target = Framebuffer::new(SIZE[0], SIZE[1]).expect("small");
    call.render(&mut target, &Threads::new(Some(2)), &AtomicBool::new(false)).expect("not cancelled");
    assert_eq!(call.checkpoints().count(), 0, "nothing comes before anything");
    // Queries about a fragment still use the drawing order.
    let pixel = [SIZE[0] - 1, SIZE[1] - 1];
    assert_eq!(found(&call, pixel, &Arc::default()), found(&drawn(LATE, None).0, pixel, &Arc::default()));
}
