//! Checks that drawing the largest picture and converting it to bytes take less than the 1.5 GB in
//! docs/limits.md. Memory grows with the number of pixels, so the test extrapolates from two smaller
//! pictures.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::measure::allocator::{self, MOST, NOW};

use shadestep_engine::pipeline::{Clear, Framebuffer, Primitive, Threads};
use shadestep_gl::{Canvas, Context, enums};

/// Colour, depth, status and stencil.
const BYTES_PER_PIXEL: f64 = 22.0;

/// The peak of memory for a picture of this size, with every plane in use. The draw covers the window's
/// rectangle and a triangle.
fn taken(size: [u32; 2]) -> isize {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    let mut target = Framebuffer::new(size[0], size[1]).expect("a framebuffer");
    let (threads, cancel) = (Threads::new(Some(2)), AtomicBool::new(false));
    let mut canvas = Canvas { target: &mut target, threads: &threads, cancel: &cancel };
    let mut context = Context::new();
    context.enable(enums::DEPTH_TEST).expect("enabled");
    context.enable(enums::STENCIL_TEST).expect("enabled");
    context.stencil_op(enums::KEEP, enums::KEEP, enums::INCR).expect("set");
    let quad = context.prepare_viewport_quad().expect("prepared");
    canvas
        .render(&quad.after_clear(Clear { stencil: 3, ..Clear::DEFAULT }))
        .expect("allowed")
        .expect("drawn");
    context.begin(Primitive::Triangles).expect("begun");
    for corner in [[-1.0f32, -1.0, -0.5], [3.0, -1.0, -0.5], [-1.0, 3.0, -0.5]] {
        context.vertex(corner).expect("a vertex");
    }
    let triangle = context.end().expect("ended");
    canvas.render(&triangle).expect("allowed").expect("drawn");
    assert!(target.stencil().iter().all(|&value| value == 5), "both were drawn everywhere");
    let drawing = MOST.load(Relaxed) - before;
    let rgba = target.into_rgba8();
    assert!(rgba.iter().all(|&byte| byte == 255));
    assert_eq!(MOST.load(Relaxed) - before, drawing, "making bytes takes less than drawing");
    drawing
}

/// The tests run in sequence, with the draw last. Its threads free memory some time after the draw, which
/// would disturb another measurement.
#[test]
fn pictures_take_the_memory_that_is_stated() {
    if !allocator::is_alone_and_counts("picture_memory::pictures_take_the_memory_that_is_stated") {
        return;
    }
    a_stencil_that_no_draw_uses_takes_nothing();
    the_largest_picture_takes_less_than_a_gigabyte_and_a_half();
}

fn the_largest_picture_takes_less_than_a_gigabyte_and_a_half() {
    // The pictures are as wide as the largest, and high enough for the maximum number of tiles in flight.
    let [small, large] = [1024, 1536].map(|height| taken([8192, height]));
    let each = (large - small) as f64 / f64::from(8192 * 512);
    assert!((each - BYTES_PER_PIXEL).abs() < 0.1, "{each} bytes a pixel");
    // Threads log their work, and the size of the logs varies.
    let besides = [(small, 1024), (large, 1536)]
        .map(|(taken, height)| taken as f64 - BYTES_PER_PIXEL * f64::from(8192 * height));
    let besides = besides[0].max(besides[1]);
    let most = BYTES_PER_PIXEL * f64::from(Framebuffer::MAX_PIXELS) + besides;
    assert!(most < 1.5e9, "{most} bytes: {besides} besides the pixels");
}

fn a_stencil_that_no_draw_uses_takes_nothing() {
    let before = NOW.load(Relaxed);
    let target = Framebuffer::new(512, 512).expect("a framebuffer");
    let size = NOW.load(Relaxed) - before;
    assert!((21 * 512 * 512..22 * 512 * 512).contains(&size), "{size}");
    assert!(target.stencil().iter().all(|&value| value == 0));
}
