//! A vertex shader in Rust for tests of later stages: transforms a mesh by a camera.

use crate::exec::{AttributeLanes, LANES, ResultLanes, VertexShader};
use crate::pipeline::Camera;
use crate::pipeline::camera::View;
use glam::{DMat4, DVec3};
use shadestep_language::ir::{Attribute, VertexResult};

/// Draws the vertices of [`crate::pipeline::Mesh::vertex_input`] by a camera. Mesh space is world space.
/// `o[TEX0]` = (s,t,0,1), `o[TEX1]` = normal, `o[TEX2]` = position, `o[TEX3]` = tangent, `o[TEX4]` =
/// bitangent, `o[TEX5]` = eye minus position, all in world space; `o[TEX6]` = eye-space position, `o[TEX7]` =
/// object position. w is 1 for positions and 0 for directions.
/// `o[COL0]` = vertex colour, `o[FOGC]`.x = distance to the eye plane.
#[derive(Clone, Copy, Debug)]
pub(in crate::pipeline) struct StandIn {
    view: View,
    clip_from_world: DMat4,
}

impl StandIn {
    /// A shader for a window of `size` pixels.
    pub fn new(camera: &Camera, size: [u32; 2]) -> Self {
        let view = camera.view(size);
        Self { view, clip_from_world: view.clip_from_eye * view.eye_from_world }
    }
}

impl VertexShader for StandIn {
    type Worker = ();

    fn worker(&self) {}

    fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        let mut used = [0; Attribute::SLOTS];
        for (attribute, components) in
            [(0, 0b111), (2, 0b111), (3, 0b1111), (8, 0b11), (9, 0b111), (10, 0b111)]
        {
            used[attribute] = components;
        }
        used
    }

    fn results_written(&self) -> u64 {
        let written = [VertexResult::Hpos, VertexResult::Col0, VertexResult::Fogc];
        let all = written.into_iter().chain((0..8).map(VertexResult::Tex));
        all.fold(0, |mask, result| mask | 1 << result.index())
    }

    fn run(&self, (): &mut (), inputs: &AttributeLanes, active: u64, output: &mut ResultLanes) {
        for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
            let read =
                |attribute: u8, component| inputs.register(Attribute::Vertex(attribute), component).0[lane];
            let mut write = |result: VertexResult, value: [f32; 4]| {
                for (component, value) in value.into_iter().enumerate() {
                    output.register_mut(result, component).0[lane] = value;
                }
            };
            let vector = |attribute, w| [read(attribute, 0), read(attribute, 1), read(attribute, 2), w];
            let position = vector(0, 1.0);
            let world = DVec3::new(position[0].into(), position[1].into(), position[2].into());
            let eye_space = self.view.eye_from_world * world.extend(1.0);
            let to_eye = self.view.eye - world;
            let rounded = |v: [f64; 4]| v.map(|x| x as f32);
            write(VertexResult::Hpos, rounded((self.clip_from_world * world.extend(1.0)).to_array()));
            write(VertexResult::Col0, [0, 1, 2, 3].map(|component| read(3, component)));
            write(VertexResult::Fogc, [-eye_space.z as f32, 0.0, 0.0, 1.0]);
            write(VertexResult::Tex(0), [read(8, 0), read(8, 1), 0.0, 1.0]);
            write(VertexResult::Tex(1), vector(2, 0.0));
            write(VertexResult::Tex(2), position);
            write(VertexResult::Tex(3), vector(9, 0.0));
            write(VertexResult::Tex(4), vector(10, 0.0));
            write(VertexResult::Tex(5), rounded(to_eye.extend(0.0).to_array()));
            let [x, y, z, _] = rounded(eye_space.to_array());
            write(VertexResult::Tex(6), [x, y, z, 1.0]);
            write(VertexResult::Tex(7), position);
        }
    }
}
