//! The attribute stacks (glspec15 6.1.14): save and restore groups of state.
//!
//! The tables of 6.2 and of the extensions assign each variable to groups. Groups of features that a context
//! lacks (evaluators, hints, display lists, stipple, pixel transfer, the accumulation buffer, pixel storage)
//! are accepted and empty. Matrix stacks, programs, their parameters and program bindings are in no group.

use super::arrays::Arrays;
use super::attributes::Attributes;
use super::buffers::BufferId;
use super::draw_buffers::DrawBuffers;
use super::enums::{
    BufferTarget, CLIENT_VERTEX_ARRAY_BIT, COLOR_BUFFER_BIT, CURRENT_BIT, GLenum, LIGHTING_BIT, MatrixMode,
    TEXTURE_BIT, TRANSFORM_BIT,
};
use super::error::{Error, ErrorCode, Result};
use super::fixed_function::FixedFunction;
use super::image_units::ImageUnit;
use super::lighting::Lighting;
use super::state::State;
use super::{Context, raster_position};
use shadestep_core::pipeline::EdgeFlag;
use shadestep_language::ir::IMAGE_UNITS;

const CLAUSE: &str = "glspec15 6.1.14";

/// Entries of each attribute stack: `MAX_ATTRIB_STACK_DEPTH` and `MAX_CLIENT_ATTRIB_STACK_DEPTH`.
pub(super) const DEPTH: usize = 16;

/// An entry of the server's stack.
#[derive(Clone, Debug)]
pub(super) struct Saved {
    /// The groups that were saved.
    mask: GLenum,
    all: Box<Server>,
}

/// All state that belongs to a group.
#[derive(Clone, Debug)]
struct Server {
    state: State,
    draw_buffers: DrawBuffers,
    lighting: Lighting,
    fixed_function: FixedFunction,
    attributes: Attributes,
    edge_flag: EdgeFlag,
    raster_position: raster_position::Current,
    image_units: [ImageUnit; IMAGE_UNITS],
    bound_buffer: Option<BufferId>,
    matrix_mode: MatrixMode,
    active_texture: u8,
}

impl Saved {
    /// The saved bindings of image units.
    pub fn image_units(&self) -> &[ImageUnit] {
        &self.all.image_units
    }
}

/// An entry of the client's stack: the vertex arrays, if they were saved.
#[derive(Clone, Debug)]
pub(super) struct ClientSaved(Option<Box<Arrays>>);

fn overflow<T>(stack: &[T]) -> Result<()> {
    if stack.len() < DEPTH {
        return Ok(());
    }
    let reason = format!("the attribute stack is full: it holds at most {DEPTH} entries");
    Err(Error { code: ErrorCode::StackOverflow, reason, clause: CLAUSE })
}

fn underflow() -> Error {
    let reason = "the attribute stack is empty".to_owned();
    Error { code: ErrorCode::StackUnderflow, reason, clause: CLAUSE }
}

/// Attribute stacks.
impl Context {
    /// `PushAttrib`: saves the groups of state in `mask` (`CURRENT_BIT` and so on). Unknown bits are ignored.
    ///
    /// # Errors
    /// `STACK_OVERFLOW` if the stack holds 16 entries.
    pub fn push_attrib(&mut self, mask: GLenum) -> Result<()> {
        self.command("PushAttrib", |context| {
            overflow(&context.attrib_stack)?;
            let all = Box::new(Server {
                state: context.state.clone(),
                draw_buffers: context.draw_buffers,
                lighting: context.lighting.clone(),
                fixed_function: context.fixed_function.clone(),
                attributes: context.attributes,
                edge_flag: context.edge_flag,
                raster_position: context.raster_position,
                image_units: context.image_units.clone(),
                bound_buffer: context.buffers.bound(BufferTarget::Texture),
                matrix_mode: context.matrices.mode,
                active_texture: context.matrices.active_texture,
            });
            context.attrib_stack.push(Saved { mask, all });
            Ok(())
        })
    }

    /// `PopAttrib`: restores the groups that were saved last.
    ///
    /// # Errors
    /// `STACK_UNDERFLOW` if the stack is empty.
    pub fn pop_attrib(&mut self) -> Result<()> {
        self.command("PopAttrib", |context| {
            let Saved { mask, all } = context.attrib_stack.pop().ok_or_else(underflow)?;
            let has = |bit| mask & bit != 0;
            context.state.restore(mask, &all.state);
            context.fixed_function.restore(mask, &all.fixed_function);
            if has(CURRENT_BIT) {
                context.attributes = all.attributes;
                context.edge_flag = all.edge_flag;
                context.raster_position = all.raster_position;
            }
            if has(LIGHTING_BIT) {
                context.lighting = all.lighting;
            }
            if has(COLOR_BUFFER_BIT) {
                context.draw_buffers = all.draw_buffers;
            }
            if has(TEXTURE_BIT) {
                context.image_units = all.image_units;
                context.buffers.rebind(BufferTarget::Texture, all.bound_buffer);
                context.matrices.active_texture = all.active_texture;
            }
            if has(TRANSFORM_BIT) {
                context.matrices.mode = all.matrix_mode;
            }
            context.track_color();
            context.forget_buffers();
            Ok(())
        })
    }

    /// `PushClientAttrib`: saves the groups of client state in `mask`. Unknown bits are ignored.
    ///
    /// # Errors
    /// `STACK_OVERFLOW` if the stack holds 16 entries.
    pub fn push_client_attrib(&mut self, mask: GLenum) -> Result<()> {
        self.command("PushClientAttrib", |context| {
            overflow(&context.client_attrib_stack)?;
            let saved = (mask & CLIENT_VERTEX_ARRAY_BIT != 0).then(|| Box::new(context.arrays.clone()));
            context.client_attrib_stack.push(ClientSaved(saved));
            Ok(())
        })
    }

    /// `PopClientAttrib`: restores the groups that were saved last.
    ///
    /// # Errors
    /// `STACK_UNDERFLOW` if the stack is empty.
    pub fn pop_client_attrib(&mut self) -> Result<()> {
        self.command("PopClientAttrib", |context| {
            let ClientSaved(saved) = context.client_attrib_stack.pop().ok_or_else(underflow)?;
            if let Some(arrays) = saved {
                context.arrays = *arrays;
            }
            Ok(())
        })
    }

    /// `GetIntegerv` of `ATTRIB_STACK_DEPTH`: entries of the server's stack.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_attrib_stack_depth(&self) -> Result<usize> {
        self.query("GetIntegerv", || Ok(self.attrib_stack.len()))
    }

    /// `GetIntegerv` of `CLIENT_ATTRIB_STACK_DEPTH`: entries of the client's stack.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_client_attrib_stack_depth(&self) -> Result<usize> {
        self.query("GetIntegerv", || Ok(self.client_attrib_stack.len()))
    }
}
