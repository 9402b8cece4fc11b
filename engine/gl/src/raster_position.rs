//! The current raster position (glspec15 2.13, NV_vertex_program 2.14.2, ARB_vertex_program 2.12,
//! NV_depth_clamp 2.12). It is state for queries only: pixel rectangles and bitmaps are not supported.

use super::attributes::{AttributeValue, Attributes, alias};
use super::error::Result;
use super::immediate::Immediate;
use super::state::clamped;
use super::{Context, DrawCall};
use shadestep_core::exec::{AttributeLanes, ResultLanes, VertexShader};
use shadestep_core::pipeline::{DepthSource, EdgeFlag, Primitive, Rect};
use shadestep_language::ir::{Attribute, VertexResult, singles};

/// Number of texture coordinate sets.
const SETS: usize = super::enums::TEXTURE_COORDS as usize;

/// The current raster position with its associated data, such as `CURRENT_RASTER_POSITION`. All values are
/// zero while it is not valid; the specification leaves them undefined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RasterPosition {
    /// Window x, y and z, and clip w.
    pub position: [f32; 4],
    /// `CURRENT_RASTER_POSITION_VALID`
    pub is_valid: bool,
    /// `CURRENT_RASTER_DISTANCE`
    pub distance: f32,
    /// `CURRENT_RASTER_COLOR`
    pub color: [f32; 4],
    /// The secondary colour.
    pub secondary_color: [f32; 4],
    /// `CURRENT_RASTER_TEXTURE_COORDS` of each set.
    pub texture_coordinates: [[f32; 4]; SETS],
}

/// The raster position as the context stores it. Without a viewport, window coordinates depend on the
/// window's size, which only a query knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Current {
    place: Position,
    distance: f32,
    color: [f32; 4],
    secondary_color: [f32; 4],
    texture_coordinates: [[f32; 4]; SETS],
}

#[derive(Clone, Copy, Debug)]
enum Position {
    /// Outside the clip volume, so not valid.
    Culled,
    /// Clip coordinates, with the viewport and window z at the time of the command.
    Clip { position: [f32; 4], viewport: Option<Rect>, z: f32 },
    /// Window x, y and z, and clip w.
    Window([f32; 4]),
}

impl Current {
    pub const INITIAL: Self = Self {
        place: Position::Window([0.0, 0.0, 0.0, 1.0]),
        distance: 0.0,
        color: [1.0; 4],
        secondary_color: [0.0, 0.0, 0.0, 1.0],
        texture_coordinates: [[0.0, 0.0, 0.0, 1.0]; SETS],
    };

    const CULLED: Self = Self {
        place: Position::Culled,
        distance: 0.0,
        color: [0.0; 4],
        secondary_color: [0.0; 4],
        texture_coordinates: [[0.0; 4]; SETS],
    };

    /// The raster position in a window of `size` pixels.
    fn within(&self, size: [u32; 2]) -> RasterPosition {
        let position = match self.place {
            Position::Culled => [0.0; 4],
            Position::Window(position) => position,
            Position::Clip { position: [x, y, _, w], viewport, z } => {
                let [left, bottom, width, height] =
                    viewport.map_or([0.0, 0.0, size[0].into(), size[1].into()], |rect| rect.map(f64::from));
                // 2.11.1
                let [x, y, divisor] = [x, y, w].map(f64::from);
                let window = |ndc: f64, low: f64, side: f64| (ndc * side * 0.5 + (low + side * 0.5)) as f32;
                [window(x / divisor, left, width), window(y / divisor, bottom, height), z, w]
            }
        };
        RasterPosition {
            position,
            is_valid: !matches!(self.place, Position::Culled),
            distance: self.distance,
            color: self.color,
            secondary_color: self.secondary_color,
            texture_coordinates: self.texture_coordinates,
        }
    }
}

/// The results of a draw's vertex stage for a vertex with these attributes; (0,0,0,1) for unwritten results.
fn shaded(call: &DrawCall, attributes: &Attributes) -> impl Fn(VertexResult) -> [f32; 4] {
    let (mut inputs, mut results) = (AttributeLanes::default(), ResultLanes::default());
    let words = |component: u64| [component as u32, (component >> 32) as u32].map(f32::from_bits);
    for (attribute, values) in Attribute::VERTEX.into_iter().zip(attributes) {
        for (component, value) in values.iter().enumerate() {
            let [low, high] = words(*value);
            inputs.all_mut()[AttributeLanes::index(attribute, component)].0[0] = low;
            inputs.all_mut()[AttributeLanes::high_index(attribute, component)].0[0] = high;
        }
    }
    let mut written = 0;
    if let Some(stage) = call.vertex_stage() {
        stage.run(&mut stage.worker(), &inputs, 1, &mut results);
        written = stage.results_written();
    }
    move |result| {
        let is_written = written >> result.index() & 1 != 0;
        let row = |component| results.register(result, component).0[0];
        if is_written { [0, 1, 2, 3].map(row) } else { [0.0, 0.0, 0.0, 1.0] }
    }
}

/// Whether a point is inside the clip volume of a draw (2.12, NV_vertex_program2 2.11).
fn is_inside(call: &DrawCall, position: [f32; 4], distance: impl Fn(u8) -> f32) -> bool {
    let state = &call.draw().state;
    let [x, y, z, w] = position;
    let has_depth_planes = !state.depth.clamp && call.merging().depth == DepthSource::Window;
    let within = |v: f32| v.abs() <= w;
    let enabled = (0..6).filter(|n| state.clip_distances >> n & 1 != 0);
    position.iter().all(|v| v.is_finite())
        && w > 0.0
        && within(x)
        && within(y)
        && (within(z) || !has_depth_planes)
        && enabled.into_iter().all(|n| distance(n) >= 0.0)
}

impl Context {
    /// `RasterPos{2,3,4}`: the vertex stage processes a vertex at these coordinates. The raster position
    /// takes its position, colours, texture coordinates and fog coordinate. It is valid if a point there is
    /// not clipped.
    ///
    /// # Errors
    /// As [`Self::begin`], for errors about programs.
    pub fn raster_pos(&mut self, coordinates: impl AttributeValue) -> Result<()> {
        self.command("RasterPos", |context| {
            let mut attributes = context.attributes;
            attributes[alias::POSITION] = coordinates.to_attribute();
            let mut point = Immediate::new(Primitive::Points);
            point.push(attributes, EdgeFlag::Boundary)?;
            // Only the vertex program runs: the position is the vertex's own.
            let drawable = context.drawable()?.of_vertices();
            let call = context.draw_call_with(point.into_input(context.patches), drawable)?;
            let result = shaded(&call, &attributes);
            let position = result(VertexResult::Hpos);
            // An unwritten clip distance is 0, which clips nothing.
            let distance = |n| result(VertexResult::Clp(n))[0];
            if !is_inside(&call, position, distance) {
                context.raster_position = Current::CULLED;
                return Ok(());
            }
            let state = &call.draw().state;
            let [near, far] = state.depth.range.map(f64::from);
            let [_, _, z, w] = position.map(f64::from);
            let z = (z / w * ((far - near) * 0.5) + (far + near) * 0.5) as f32;
            let [low, high] = [near.min(far) as f32, near.max(far) as f32];
            let z = if state.depth.clamp { z.clamp(low, high) } else { z };
            let color = |color: VertexResult| result(color).map(clamped);
            context.raster_position = Current {
                place: Position::Clip { position, viewport: state.viewport, z },
                distance: result(VertexResult::Fogc)[0],
                color: color(VertexResult::Col0),
                secondary_color: color(VertexResult::Col1),
                texture_coordinates: std::array::from_fn(|set| result(VertexResult::Tex(set as u8))),
            };
            Ok(())
        })
    }

    /// `WindowPos{2,3}`: sets window x and y. z in 0 to 1 maps to the depth range; a missing z is 0. Colours
    /// and texture coordinates are the current ones.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn window_pos(&mut self, coordinates: impl AttributeValue) -> Result<()> {
        self.command("WindowPos", |context| {
            let [x, y, z, _] = singles(coordinates.to_attribute());
            let [near, far] = context.state.depth_range();
            let z = near + clamped(z) * (far - near);
            let current = context.attributes.map(singles);
            context.raster_position = Current {
                place: Position::Window([x, y, z, 1.0]),
                distance: 0.0,
                color: current[alias::COLOR].map(clamped),
                secondary_color: current[alias::SECONDARY_COLOR].map(clamped),
                texture_coordinates: std::array::from_fn(|set| current[alias::TEXTURE_COORD + set]),
            };
            Ok(())
        })
    }

    /// `GetFloatv` of `CURRENT_RASTER_POSITION` and related values, for a window of `size` pixels. The window
    /// is the viewport until one is set.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_raster_position(&self, size: [u32; 2]) -> Result<RasterPosition> {
        self.query("GetFloatv", || Ok(self.raster_position.within(size)))
    }
}
