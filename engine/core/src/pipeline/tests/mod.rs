//! Tests of the whole pipeline, with shaders written in Rust.

mod assembling;
mod coverage;
mod effects;
mod fetching;
mod formats;
mod geometry;
mod identities;
mod interpolation;
mod lines;
mod merging;
mod meshes;
mod multisample;
mod offsets;
mod points;
mod polygons;
mod stand_in;
mod typed_colors;

use super::*;
use crate::exec::{
    AttributeLanes, BlockOutput, BlockShader, FragmentFacts, LANES, LaneRegister, ResultLanes, VertexShader,
};
use crate::memory::Use;
use shadestep_language::ir::{Attribute, Interpolations, VertexResult, single_bits, singles};
pub(super) use stand_in::StandIn;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// All attribute components.
const ALL: [u8; Attribute::SLOTS] = [0xF; Attribute::SLOTS];

/// The output of a test's program for one fragment.
#[derive(Clone, Copy, Default)]
struct Shaded {
    color: [f32; 4],
    depth: f32,
    killed: bool,
}

/// A fragment's attributes, as `fragments_at` returns them.
type Inputs = [[f32; 4]; Attribute::SLOTS];

/// A shader that runs a function on every active lane.
struct LaneShader<F> {
    used: [u8; Attribute::SLOTS],
    interpolation: Interpolations,
    depth: DepthSource,
    kills: bool,
    memory_use: Use,
    run: F,
}

fn shader<F: Fn(&Inputs) -> Shaded + Sync>(run: F) -> LaneShader<F> {
    let FragmentReads { interpolation, depth, .. } = FragmentReads::NOTHING;
    LaneShader { used: ALL, interpolation, depth, kills: false, memory_use: Use::None, run }
}

fn lane_inputs(registers: &AttributeLanes, lane: usize) -> Inputs {
    let mut inputs: Inputs = [[0.0; 4]; Attribute::SLOTS];
    for attribute in Attribute::FRAGMENT {
        inputs[attribute.index()] = [0, 1, 2, 3].map(|c| registers.register(attribute, c).0[lane]);
    }
    inputs
}

impl<F: Fn(&Inputs) -> Shaded + Sync> BlockShader for LaneShader<F> {
    type Worker = ();

    fn worker(&self) {}

    fn facts(&self) -> FragmentFacts {
        FragmentFacts {
            attributes_used: self.used,
            interpolation: self.interpolation,
            writes_depth: self.depth == DepthSource::Program,
            can_kill: self.kills,
            memory_use: self.memory_use,
            ..FragmentFacts::default()
        }
    }

    fn run(&self, (): &mut (), inputs: &AttributeLanes, active: u64, output: &mut BlockOutput) {
        for lane in 0..LANES {
            // Inactive lanes get garbage, to show that nothing reads them.
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

/// A shader that records the quads of all active lanes.
#[derive(Default)]
struct Recorder {
    seen: Mutex<Vec<([u32; 2], QuadAttributes)>>,
}

impl BlockShader for Recorder {
    type Worker = ();

    fn worker(&self) {}

    fn facts(&self) -> FragmentFacts {
        FragmentFacts { attributes_used: ALL, ..FragmentFacts::default() }
    }

    fn run(&self, (): &mut (), inputs: &AttributeLanes, active: u64, output: &mut BlockOutput) {
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

/// A draw seen by a camera.
#[derive(Clone, Debug)]
struct Shot {
    geometry: Geometry,
    camera: Camera,
    depth: DepthState,
    clear_color: [f32; 4],
    clear_depth: f32,
}

impl Shot {
    fn viewport_quad() -> Self {
        let (camera, depth) = (Camera::default(), DepthState::OFF);
        Self { geometry: Geometry::ViewportQuad, camera, depth, clear_color: [0.0; 4], clear_depth: 1.0 }
    }

    fn mesh(mesh: Arc<Mesh>) -> Self {
        let geometry = Geometry::Vertices(mesh.vertex_input());
        Self { geometry, depth: DepthState::LESS, ..Self::viewport_quad() }
    }

    fn draw(&self) -> Draw {
        let state = RasterState { depth: self.depth, ..RasterState::DEFAULT };
        let clear = Clear { color: self.clear_color, depth: self.clear_depth, stencil: 0 };
        Draw { geometry: self.geometry.clone(), state, clear: Some(clear) }
    }
}

fn draw_with<S: BlockShader>(
    shot: &Shot,
    shader: &S,
    size: [u32; 2],
    threads: usize,
) -> (Framebuffer, Stats) {
    draw_vertices(&shot.draw(), &StandIn::new(&shot.camera, size), shader, size, threads)
}

fn draw_vertices<V: VertexShader, S: BlockShader>(
    draw: &Draw,
    vertex: &V,
    shader: &S,
    size: [u32; 2],
    threads: usize,
) -> (Framebuffer, Stats) {
    let mut framebuffer = Framebuffer::new(size[0], size[1]).unwrap();
    let threads = Threads::new(Some(threads));
    let stats = render(draw, vertex, shader, &mut framebuffer, &threads, &AtomicBool::new(false)).unwrap();
    (framebuffer, stats)
}

/// All fragments at a pixel.
fn fragments_at<V: VertexShader>(
    draw: &Draw,
    vertex: &V,
    used: &[u8; Attribute::SLOTS],
    depth: DepthSource,
    size: [u32; 2],
    pixel: [u32; 2],
) -> Vec<PixelFragment> {
    let mut found = Vec::new();
    let never = AtomicBool::new(false);
    let reads = FragmentReads { attributes: *used, depth, ..FragmentReads::NOTHING };
    let visit = |fragment| {
        found.push(fragment);
        Ok(())
    };
    each_fragment_at(draw, vertex, &reads, (size, pixel), &never, visit).unwrap();
    found
}

fn fragments_of(
    shot: &Shot,
    used: &[u8; Attribute::SLOTS],
    depth: DepthSource,
    size: [u32; 2],
    pixel: [u32; 2],
) -> Vec<PixelFragment> {
    fragments_at(&shot.draw(), &StandIn::new(&shot.camera, size), used, depth, size, pixel)
}

/// Copies attributes to results: HPOS is `v[0]`, BFC0 `v[1]`, BFC1 `v[2]`, COL0 `v[3]`, COL1 `v[4]`, FOGC
/// `v[5]`, PSIZ `v[6]`, TEXn v[8 + n], generic interpolant n v[8 + n % 8], CLPn component n of `v[7]` (0 for
/// the last two).
struct Pass(Vec<VertexResult>);

impl VertexShader for Pass {
    type Worker = ();

    fn worker(&self) {}

    fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        ALL
    }

    fn results_written(&self) -> u64 {
        self.0.iter().fold(1, |mask, result| mask | 1 << result.index())
    }

    fn run(&self, (): &mut (), inputs: &AttributeLanes, active: u64, output: &mut ResultLanes) {
        for result in self.0.iter().chain(&[VertexResult::Hpos]) {
            for c in 0..4 {
                let register = match *result {
                    VertexResult::Hpos => inputs.register(Attribute::Vertex(0), c),
                    VertexResult::Bfc0 => inputs.register(Attribute::Vertex(1), c),
                    VertexResult::Bfc1 => inputs.register(Attribute::Vertex(2), c),
                    VertexResult::Col0 => inputs.register(Attribute::Vertex(3), c),
                    VertexResult::Col1 => inputs.register(Attribute::Vertex(4), c),
                    VertexResult::Fogc => inputs.register(Attribute::Vertex(5), c),
                    VertexResult::Psiz => inputs.register(Attribute::Vertex(6), c),
                    VertexResult::Tex(set) => inputs.register(Attribute::Vertex(8 + set), c),
                    VertexResult::Generic(number) => inputs.register(Attribute::Vertex(8 + number % 8), c),
                    VertexResult::Clp(n) if n < 4 => inputs.register(Attribute::Vertex(7), usize::from(n)),
                    VertexResult::Clp(_)
                    | VertexResult::Id
                    | VertexResult::PrimitiveId
                    | VertexResult::Layer => &LaneRegister::ZERO,
                };
                let out = &mut output.register_mut(*result, c).0;
                for (lane, (out, value)) in out.iter_mut().zip(register.0).enumerate() {
                    // Inactive lanes get garbage, to show that nothing reads them.
                    *out = if active >> lane & 1 != 0 { value } else { f32::NAN };
                }
            }
        }
    }
}

/// An array with one element for each value.
fn array(values: &[[f32; 4]]) -> AttributeSource {
    let data = ArrayData::Float(values.as_flattened().into());
    AttributeSource::Array(AttributeArray::packed(data, 4))
}

/// The vertices of `primitive` with these clip coordinates. All other attributes are (0,0,0,1).
fn input(primitive: Primitive, positions: &[[f32; 4]]) -> VertexInput {
    let mut attributes = [const { AttributeSource::Current(single_bits([0.0, 0.0, 0.0, 1.0])) }; 16];
    attributes[0] = array(positions);
    VertexInput {
        attributes,
        edge_flags: EdgeFlags::Current(EdgeFlag::Boundary),
        primitive,
        patches: Patches::DEFAULT,
        elements: Elements::Range { first: 0, count: positions.len() as u32 },
        instances: 1,
    }
}

/// Clip coordinates of a window point (in pixels), at depth 0.
fn at([width, height]: [u32; 2], [x, y]: [f32; 2]) -> [f32; 4] {
    [2.0 * x / width as f32 - 1.0, 2.0 * y / height as f32 - 1.0, 0.0, 1.0]
}

/// A camera that sees x and y from -1 to 1 at z = 0 in a square window, at a window depth near 0.5.
fn camera() -> Camera {
    Camera { eye: [0.0, 0.0, 1.0], fov_y_degrees: 90.0, near: 0.5, far: 10.0, ..Camera::default() }
}

fn mesh_draw(positions: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Shot {
    let mesh = Mesh::from_parts(MeshParts { positions, triangles, ..MeshParts::default() }).unwrap();
    Shot { camera: camera(), ..Shot::mesh(Arc::new(mesh)) }
}

/// A draw that counts fragments, without a depth test.
fn counting(draw: Shot) -> Shot {
    Shot { depth: DepthState::OFF, ..draw }
}

/// Deterministic random numbers in [0,1).
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
