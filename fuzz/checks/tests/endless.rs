//! Tests programs that never end: they stop at the instruction limit, and a draw of them can be cancelled
//! before.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crate::measure::alone::is_alone;
use shadestep_checks::gl::small_texture;
use shadestep_engine::gl::{Context, DrawCall, enums};
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::pipeline::{ArrayData, Framebuffer, Primitive, Threads};

const ENDLESS_FRAGMENTS: &str = "!!ARBfp1.0 OPTION NV_fragment_program2;
TEMP a; MOV a, fragment.position;
REP 255; REP 255; REP 255; MAD a, a, 0.5, a.wzyx; TEX a, a, texture[0], 3D; ENDREP; ENDREP; ENDREP;
MOV result.color, a; END";

const ENDLESS_VERTICES: &str = "!!VP2.0 x: ADD R0, R0, v[0]; BRA x; MOV o[HPOS], R0; END";

/// Vertices of four tasks; a task has 1024.
const VERTICES_OF_TASKS: i32 = 4 * 1024;

/// Threads that draw.
const THREADS: usize = 2;

/// The processor time of this process, over all threads. Where the system does not report it, wall-clock
/// time.
fn work() -> Duration {
    // Fields 14 and 15, in hundredths of a second. The program's name in field 2 may contain spaces.
    let ticks = || {
        let text = std::fs::read_to_string("/proc/self/stat").ok()?;
        let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
        let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(Duration::from_millis(10 * (user + system)))
    };
    static START: OnceLock<Instant> = OnceLock::new();
    ticks().unwrap_or_else(|| START.get_or_init(Instant::now).elapsed())
}

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

/// A draw of `count` points with an endless vertex program.
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

/// Renders `call` at `side` pixels to its end.
fn render(call: &DrawCall, side: u32) {
    let mut target = Framebuffer::new(side, side).expect("small");
    let outcome = call.render(&mut target, &Threads::new(Some(THREADS)), &AtomicBool::new(false));
    assert!(outcome.is_ok());
}

/// Renders `call` at `side` pixels, cancels the draw while it runs, and returns the work after the
/// cancellation.
fn work_after_cancelling(call: &DrawCall, side: u32) -> Duration {
    let mut target = Framebuffer::new(side, side).expect("small");
    let cancel = AtomicBool::new(false);
    thread::scope(|scope| {
        let before = work();
        let drawing = scope.spawn(|| call.render(&mut target, &Threads::new(Some(THREADS)), &cancel).is_ok());
        while work() < before + Duration::from_millis(200) {
            assert!(!drawing.is_finished(), "endless as it is");
            thread::sleep(Duration::from_millis(1));
        }
        let before = work();
        cancel.store(true, Ordering::Relaxed);
        assert!(!drawing.join().expect("no panic"), "it was called off");
        work() - before
    })
}

/// Checks that little work follows a cancellation. Each thread finishes one block of 64 fragments, or one
/// task of vertices (docs/limits.md, Limits). `some` draws the work of a few of these.
///
/// On a shared machine another user can take a processor without the system knowing, and the system counts
/// the wait as work. So the test fails only after several measurements.
#[track_caller]
fn assert_ends_soon(call: &DrawCall, side: u32, some: impl Fn()) {
    const MEASUREMENTS: usize = 5;
    let mut measured = Vec::new();
    for _ in 0..MEASUREMENTS {
        let before = work();
        some();
        let a_few = work() - before;
        let after = work_after_cancelling(call, side);
        // The system's clock has a resolution of a hundredth of a second.
        if after <= 2 * a_few + Duration::from_millis(50) {
            return;
        }
        measured.push((after, a_few));
    }
    panic!("work after cancelling, and that of a few blocks: {measured:?}");
}

#[test]
fn a_frame_of_endless_fragments_can_be_cancelled() {
    if !is_alone("endless::a_frame_of_endless_fragments_can_be_cancelled") {
        return;
    }
    let call = fragments();
    // Four blocks.
    assert_ends_soon(&call, 1024, || render(&call, 16));
}

#[test]
fn a_frame_of_endless_vertices_can_be_cancelled() {
    if !is_alone("endless::a_frame_of_endless_vertices_can_be_cancelled") {
        return;
    }
    // One task for each thread.
    assert_ends_soon(&vertices(1 << 22), 16, || render(&vertices(VERTICES_OF_TASKS), 16));
}

#[test]
fn endless_programs_come_to_the_limit() {
    render(&fragments(), 16);
    render(&vertices(100), 16);
}
