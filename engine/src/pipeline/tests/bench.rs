//! Measurements, run by hand: `cargo test --release -- --ignored --nocapture pipeline::tests::bench`.
#![expect(clippy::print_stdout, reason = "measurements are for reading")]

use super::*;
use crate::exec::Row;
use std::time::Instant;

/// `MOV o[COLR], f[TEX0];`
struct Move;

impl BlockShader for Move {
    type Worker = ();

    fn worker(&self) {}

    fn attributes_used(&self) -> [u8; Attribute::COUNT] {
        let mut used = [0; Attribute::COUNT];
        used[Attribute::Tex(0).index()] = 0xF;
        used
    }

    fn writes_color(&self) -> bool {
        true
    }

    fn writes_depth(&self) -> bool {
        false
    }

    fn can_kill(&self) -> bool {
        false
    }

    fn run(&self, (): &mut (), inputs: &AttributeRows, _active: u64, output: &mut BlockOutput) {
        output.killed = 0;
        for component in 0..4 {
            let Row(values) = *inputs.row(Attribute::Tex(0), component);
            output.color[component] = Row(values);
        }
    }
}

fn fastest(mut f: impl FnMut()) -> f64 {
    f();
    let time = |f: &mut dyn FnMut()| {
        let start = Instant::now();
        f();
        start.elapsed().as_secs_f64()
    };
    (0..20).map(|_| time(&mut f)).fold(f64::MAX, f64::min)
}

#[test]
#[ignore = "a measurement"]
fn measure() {
    let mut framebuffer = Framebuffer::new(1024, 1024).unwrap();
    let cancel = AtomicBool::new(false);
    let megapixels = 1024.0 * 1024.0 / 1e6;
    let sphere = Mesh::sphere(447, 224);
    let triangles = sphere.triangles().len();
    let sphere = Draw::mesh(Arc::new(sphere));
    let knot = Draw::mesh(Arc::new(Mesh::builtin("knot").unwrap()));
    let mut small = Framebuffer::new(512, 512).unwrap();
    let stats = render(&knot, &Move, &mut small, &Threads::new(Some(1)), &cancel).unwrap();
    println!("knot at 512x512: {stats:?}");
    for count in [1, 2] {
        let threads = Threads::new(Some(count));
        let mut draw = |draw: &Draw| {
            fastest(|| {
                render(draw, &Move, &mut framebuffer, &threads, &cancel).unwrap();
            })
        };
        let seconds = draw(&Draw::viewport_quad());
        println!("{count} threads: viewport quad {:.0} Mpixel/s", megapixels / seconds);
        let seconds = draw(&sphere);
        println!("{count} threads: sphere of {triangles} triangles {:.1} ms", seconds * 1e3);
    }
    let seconds = fastest(|| {
        let at =
            fragments_at(&sphere, &Move.attributes_used(), DepthSource::Window, [1024, 1024], [512, 512]);
        assert_eq!(at.len(), 2);
    });
    println!("fragments_at on the sphere {:.1} ms", seconds * 1e3);
    let seconds = fastest(|| {
        assert!(!framebuffer.to_rgba8().is_empty());
    });
    println!("to_rgba8 {:.0} Mpixel/s", megapixels / seconds);
}
