//! Clears one buffer of a framebuffer (ClearBuffer, glspec30 4.2.3). [`Context::clear_state`] has the values
//! for clears before draws.

use super::draw_buffers::COUNT;
use super::enums::EnumArgument;
use super::error::{Error, Result, named};
use super::generic::Integers;
use super::{Context, enums};
use shadestep_core::pipeline::Framebuffer;

const CLAUSE: &str = "glspec30 4.2.3";

enums::gl_enums! {
    /// The kind of buffer that `ClearBuffer{f,i,ui}v` clears.
    pub enum ClearTarget {
        /// The colour buffer of an output colour.
        Color = COLOR,
        Depth = DEPTH,
        Stencil = STENCIL,
    }

    /// The buffers that `ClearBufferfi` clears.
    pub enum ClearBoth {
        DepthStencil = DEPTH_STENCIL,
    }
}

/// The value of ClearBuffer: four numbers (`fv`) or [`Integers`] (`iv`, `uiv`). Depth and stencil use the
/// first. A value whose type differs from the buffer's is undefined; here the buffer takes its bits.
pub trait ClearValue: Copy {
    /// The bits of the value.
    fn bits(self) -> [u32; 4];
}

impl ClearValue for [f32; 4] {
    fn bits(self) -> [u32; 4] {
        self.map(f32::to_bits)
    }
}

impl<T: super::Integer> ClearValue for Integers<T, 4> {
    fn bits(self) -> [u32; 4] {
        self.0.map(super::Integer::bits)
    }
}

/// Checks the draw buffer number of depth or stencil, which must be 0.
fn only(drawbuffer: i32) -> Result<()> {
    if drawbuffer == 0 {
        return Ok(());
    }
    Err(Error::invalid_value(CLAUSE, format!("there is only one such buffer, number 0, not {drawbuffer}")))
}

impl Context {
    /// `ClearBuffer{f,i,ui}v`: clears the colour buffer of output colour `drawbuffer`, or the depth or
    /// stencil buffer. The scissor test and the write masks apply.
    ///
    /// # Errors
    /// `INVALID_ENUM` for a target other than COLOR, DEPTH and STENCIL; `INVALID_VALUE` for an output colour
    /// that does not exist, and for a depth or stencil buffer other than 0.
    pub fn clear_buffer(
        &mut self,
        buffer: impl EnumArgument<ClearTarget>,
        drawbuffer: i32,
        value: impl ClearValue,
        target: &mut Framebuffer,
    ) -> Result<()> {
        self.command("ClearBuffer", |context| {
            let bits = value.bits();
            match named(buffer, CLAUSE, "buffer")? {
                ClearTarget::Color => context.clear_output(drawbuffer, bits, target),
                ClearTarget::Depth => {
                    only(drawbuffer)?;
                    context.clear_depths(f32::from_bits(bits[0]), target);
                    Ok(())
                }
                ClearTarget::Stencil => {
                    only(drawbuffer)?;
                    context.clear_stencils(bits[0], target);
                    Ok(())
                }
            }
        })
    }

    /// `ClearBufferfi`: clears the depth and stencil buffers.
    ///
    /// # Errors
    /// `INVALID_ENUM` for a target other than DEPTH_STENCIL, `INVALID_VALUE` for a draw buffer other than 0.
    pub fn clear_buffer_fi(
        &mut self,
        buffer: impl EnumArgument<ClearBoth>,
        drawbuffer: i32,
        (depth, stencil): (f32, i32),
        target: &mut Framebuffer,
    ) -> Result<()> {
        self.command("ClearBufferfi", |context| {
            let ClearBoth::DepthStencil = named(buffer, CLAUSE, "buffer")?;
            only(drawbuffer)?;
            context.clear_depths(depth, target);
            context.clear_stencils(stencil.cast_unsigned(), target);
            Ok(())
        })
    }

    fn clear_output(&self, drawbuffer: i32, bits: [u32; 4], target: &mut Framebuffer) -> Result<()> {
        let output = usize::try_from(drawbuffer).ok().filter(|output| *output < COUNT);
        let output = output
            .ok_or_else(|| Error::invalid_value(CLAUSE, format!("there is no output colour {drawbuffer}")))?;
        let state = self.state.raster();
        if let Some(buffer) = self.draw_buffers.buffer_of(output).filter(|_| !state.discard) {
            target.clear_color_buffer(buffer, bits.map(f32::from_bits), state.color_mask, state.scissor);
        }
        Ok(())
    }

    fn clear_depths(&self, depth: f32, target: &mut Framebuffer) {
        let state = self.state.raster();
        if state.depth.write && !state.discard {
            let depth = if depth.is_nan() { 1.0 } else { depth.clamp(0.0, 1.0) };
            target.clear_depth(depth, state.scissor);
        }
    }

    fn clear_stencils(&self, value: u32, target: &mut Framebuffer) {
        let (mask, state) = (self.state.stencil_write_mask(), self.state.raster());
        if !state.discard {
            target.clear_stencil_within(value as u8, mask, state.scissor);
        }
    }
}
