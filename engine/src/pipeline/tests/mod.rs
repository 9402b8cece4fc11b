//! Tests of the pipeline as a whole, with shaders written in Rust.

mod coverage;
mod interpolation;
mod merging;
mod meshes;

use super::*;
use crate::exec::{AttributeRows, BlockOutput, BlockShader, LANES};
use crate::ir::Attribute;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// All attribute components.
const ALL: [u8; Attribute::SLOTS] = [0xF; Attribute::SLOTS];

/// What a test's program does to one fragment.
#[derive(Clone, Copy, Default)]
struct Shaded {
    color: [f32; 4],
    depth: f32,
    killed: bool,
}

/// A fragment's attributes, as `fragments_at` has them.
type Inputs = [[f32; 4]; Attribute::SLOTS];

/// Runs a function on every lane.
struct LaneShader<F> {
    used: [u8; Attribute::SLOTS],
    depth: DepthSource,
    kills: bool,
    run: F,
}

fn shader<F: Fn(&Inputs) -> Shaded + Sync>(run: F) -> LaneShader<F> {
    LaneShader { used: ALL, depth: DepthSource::Window, kills: false, run }
}

fn lane_inputs(rows: &AttributeRows, lane: usize) -> Inputs {
    let mut inputs = Inputs::default();
    for attribute in Attribute::FRAGMENT {
        inputs[attribute.index()] = [0, 1, 2, 3].map(|c| rows.row(attribute, c).0[lane]);
    }
    inputs
}

impl<F: Fn(&Inputs) -> Shaded + Sync> BlockShader for LaneShader<F> {
    type Worker = ();

    fn worker(&self) {}

    fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        self.used
    }

    fn writes_color(&self) -> bool {
        true
    }

    fn writes_depth(&self) -> bool {
        self.depth == DepthSource::Program
    }

    fn can_kill(&self) -> bool {
        self.kills
    }

    fn run(&self, (): &mut (), inputs: &AttributeRows, active: u64, output: &mut BlockOutput) {
        for lane in 0..LANES {
            // Lanes nobody wants hold rubbish, to show that nobody reads them.
            let mut shaded = Shaded { color: [f32::NAN; 4], depth: 0.5, killed: true };
            if active >> lane & 1 != 0 {
                shaded = (self.run)(&lane_inputs(inputs, lane));
            }
            for c in 0..4 {
                output.color[c].0[lane] = shaded.color[c];
            }
            output.depth.0[lane] = shaded.depth;
            output.killed |= u64::from(shaded.killed && (self.kills || active >> lane & 1 == 0)) << lane;
        }
    }
}

/// Keeps the quads of all active lanes.
#[derive(Default)]
struct Recorder {
    seen: Mutex<Vec<([u32; 2], QuadAttributes)>>,
}

impl BlockShader for Recorder {
    type Worker = ();

    fn worker(&self) {}

    fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        ALL
    }

    fn writes_color(&self) -> bool {
        true
    }

    fn writes_depth(&self) -> bool {
        false
    }

    fn run(&self, (): &mut (), inputs: &AttributeRows, active: u64, output: &mut BlockOutput) {
        output.killed = 0;
        let mut seen = self.seen.lock().unwrap();
        for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
            let quad = [0, 1, 2, 3].map(|i| lane_inputs(inputs, lane / 4 * 4 + i));
            let transposed = std::array::from_fn(|a| [0, 1, 2, 3].map(|lane| quad[lane][a]));
            let [x, y, ..] = lane_inputs(inputs, lane)[0];
            seen.push(([x as u32, y as u32], transposed));
        }
    }
}

fn draw_with<S: BlockShader>(
    draw: &Draw,
    shader: &S,
    size: [u32; 2],
    threads: usize,
) -> (Framebuffer, Stats) {
    let mut framebuffer = Framebuffer::new(size[0], size[1]).unwrap();
    let threads = Threads::new(Some(threads));
    let stats = render(draw, shader, &mut framebuffer, &threads, &AtomicBool::new(false)).unwrap();
    (framebuffer, stats)
}

/// A camera that sees x and y from -1 to 1 at z = 0 in a square window, and depth 0.5 somewhere there.
fn camera() -> Camera {
    Camera { eye: [0.0, 0.0, 1.0], fov_y_degrees: 90.0, near: 0.5, far: 10.0, ..Camera::default() }
}

fn mesh_draw(positions: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Draw {
    let mesh = Mesh::from_parts(MeshParts { positions, triangles, ..MeshParts::default() }).unwrap();
    Draw { camera: camera(), ..Draw::mesh(Arc::new(mesh)) }
}

/// A draw that counts fragments: no depth test.
fn counting(draw: Draw) -> Draw {
    Draw { depth: DepthState::OFF, ..draw }
}

/// Deterministic numbers in [0,1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / 16_777_216.0
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.next()
    }
}
