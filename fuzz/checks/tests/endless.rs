//! Programs that never end: they come to the limit of instructions, and a frame of them can be cancelled meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use shadestep_checks::gl::small_texture;
use shadestep_engine::gl::{Context, DrawCall, enums};
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::pipeline::{ArrayData, Framebuffer, Primitive, Threads};

const ENDLESS_FRAGMENTS: &str = "!!ARBfp1.0 OPTION NV_fragment_program2;
TEMP a; MOV a, fragment.position;
REP 255; REP 255; REP 255; MAD a, a, 0.5, a.wzyx; TEX a, a, texture[0], 3D; ENDREP; ENDREP; ENDREP;
MOV result.color, a; END";

const ENDLESS_VERTICES: &str = "!!VP2.0 x: ADD R0, R0, v[0]; BRA x; MOV o[HPOS], R0; END";

/// A cancelled frame is over by then, also on a busy machine. Going on to its end would take much longer.
const SOON: Duration = Duration::from_secs(5);

fn fragments() -> DrawCall {
    let mut context = Context::new();
    context.bind_program_arb(enums::FRAGMENT_PROGRAM_ARB, 1).expect("bound");
    let text = ENDLESS_FRAGMENTS.as_bytes();
    context
        .program_string(enums::FRAGMENT_PROGRAM_ARB, enums::PROGRAM_FORMAT_ASCII_ARB, text)
        .expect("loads");
    context.enable(enums::FRAGMENT_PROGRAM_ARB).expect("enabled");
    let texture = small_texture(&[], TextureTarget::D3);
    context.bind_texture(0, Some(Arc::new(texture))).expect("a unit");
    context.prepare_viewport_quad().expect("a draw")
}

/// Of `count` points.
fn vertices(count: i32) -> DrawCall {
    let mut context = Context::new();
    context.load_program(enums::VERTEX_PROGRAM_NV, 1, ENDLESS_VERTICES.as_bytes()).expect("loads");
    context.bind_program(enums::VERTEX_PROGRAM_NV, 1).expect("bound");
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    let data: Arc<[f32]> = vec![0.5; count as usize].into();
    context.vertex_attrib_pointer(0, 1, 0, ArrayData::Float(data)).expect("an array");
    context.enable_client_state(enums::VERTEX_ATTRIB_ARRAY0_NV).expect("enabled");
    context.prepare_arrays(Primitive::Points, 0, count).expect("a draw")
}

/// Renders `call` at `side` pixels, and gives whether that came to an end, and how soon after it was cancelled if it was.
fn render(call: &DrawCall, side: u32, cancel_after: Option<Duration>) -> (bool, Duration) {
    let mut target = Framebuffer::new(side, side).expect("small");
    let cancel = AtomicBool::new(false);
    thread::scope(|scope| {
        let drawing = scope.spawn(|| call.render(&mut target, &Threads::new(Some(2)), &cancel).is_ok());
        let mut start = Instant::now();
        if let Some(time) = cancel_after {
            thread::sleep(time);
            start = Instant::now();
            cancel.store(true, Ordering::Relaxed);
        }
        (drawing.join().expect("no panic"), start.elapsed())
    })
}

#[test]
fn a_frame_of_endless_fragments_can_be_cancelled() {
    let (finished, took) = render(&fragments(), 1024, Some(Duration::from_millis(100)));
    assert!(!finished && took < SOON, "{finished} {took:?}");
}

#[test]
fn a_frame_of_endless_vertices_can_be_cancelled() {
    let (finished, took) = render(&vertices(1 << 22), 16, Some(Duration::from_millis(300)));
    assert!(!finished && took < SOON, "{finished} {took:?}");
}

#[test]
fn endless_programs_come_to_the_limit() {
    assert!(render(&fragments(), 16, None).0);
    assert!(render(&vertices(100), 16, None).0);
}
