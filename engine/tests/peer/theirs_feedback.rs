//! A driver's answers for transform feedback of GLSL references.

use shadestep_gl::FeedbackPrimitive;

use super::gl::token;
use super::question::{Capture, Question, UNRECORDED, Value};
use super::theirs::Driver;

impl Driver {
    /// Draws the picture with these shaders and returns the words that transform feedback records.
    ///
    /// # Errors
    /// The driver's messages about the shaders.
    pub fn captured(
        &self,
        question: &Question,
        (shaders, capture): (&[u32], &Capture),
    ) -> Result<Vec<Value>, String> {
        let gl = &self.gl;
        let program = gl.glsl_program_recording(shaders, &capture.varyings)?;
        gl.use_program(program);
        let buffers: Vec<u32> = capture.points.iter().map(|_| gl.gen_buffer()).collect();
        for (point, buffer) in (0..).zip(&buffers) {
            gl.bind_buffer_base(token::TRANSFORM_FEEDBACK_BUFFER, point, *buffer);
            gl.feedback_data(&vec![UNRECORDED.to_bits(); capture.words]);
        }
        gl.enable(token::RASTERIZER_DISCARD);
        gl.begin_transform_feedback(match capture.primitive {
            FeedbackPrimitive::Points => token::POINTS,
            FeedbackPrimitive::Lines => 1,
            FeedbackPrimitive::Triangles => token::TRIANGLES,
        });
        self.vertices(question, &question.runs);
        gl.end_transform_feedback();
        gl.disable(token::RASTERIZER_DISCARD);
        let mut words = Vec::new();
        for buffer in &buffers {
            gl.bind_buffer(token::TRANSFORM_FEEDBACK_BUFFER, *buffer);
            words.extend(gl.get_feedback_data(capture.words));
        }
        gl.use_program(0);
        gl.delete_glsl_program(program);
        buffers.into_iter().for_each(|buffer| gl.delete_buffer(buffer));
        Ok(capture.values(&words))
    }
}
