//! Answers of a driver that lacks a program's language, from the GLSL reference of the question.

use shadestep_engine::gl::enums::Constant;
use shadestep_engine::isa::Stage;

use super::gl::{Gl, token};
use super::question::{Answer, Blend, Inputs, Question, Slot, Value};
use super::references::Reference;
use super::theirs::{Driver, NOTHING, Way, floats};

/// The bits of a pixel without a fragment: the integer framebuffer is cleared to them.
const LEFT: [u32; 4] =
    [NOTHING[0].to_bits(), NOTHING[1].to_bits(), NOTHING[2].to_bits(), NOTHING[3].to_bits()];

/// The commands for a GLSL program.
struct OfReference {
    program: u32,
    blend: Option<Blend>,
}

impl Way for OfReference {
    fn clear(&self, gl: &Gl) {
        match self.blend {
            Some(Blend { destination: [r, g, b, a], .. }) => {
                gl.clear_color(r, g, b, a);
                gl.clear(token::COLOR_BUFFER_BIT);
            }
            None => gl.clear_unsigned(LEFT),
        }
    }

    fn set(&self, gl: &Gl, inputs: &Inputs) {
        for (slot, value) in &inputs.parameters {
            if let Slot::Local(n) = slot {
                let [x, y, z, w] = value.map(f32::to_bits);
                let location = gl.get_uniform_location(self.program, &format!("locals[{n}]"));
                gl.uniform_4ui(location, x, y, z, w);
            }
        }
    }

    /// Nothing to reset: [`Driver::reference`] deletes the program, and its uniforms go with it.
    fn set_back(&self, _: &Gl, _: &Inputs) {}

    fn values(&self, gl: &Gl, size: [u32; 2]) -> Result<Vec<Value>, String> {
        if self.blend.is_some() {
            return floats(gl, size);
        }
        let value = |bits| if bits == LEFT { Value::Killed } else { Value::Color(bits) };
        Ok(gl.read_unsigned(size).into_iter().map(value).collect())
    }
}

impl Driver {
    /// Returns the driver's answer for a reference.
    ///
    /// # Errors
    /// The driver's messages about the shaders, and errors of the GL.
    pub fn reference(&self, question: &Question, reference: &Reference) -> Result<Option<Answer>, String> {
        let gl = &self.gl;
        let [vertex, fragment] = &reference.shaders;
        let mut shaders = vec![gl.shader(Stage::Vertex, vertex)?, gl.shader(Stage::Fragment, fragment)?];
        for (stage, text) in &reference.between {
            shaders.push(gl.shader(*stage, text)?);
        }
        if let Some(capture) = &question.capture {
            let values = self.captured(question, (&shaders, capture))?;
            return match gl.error() {
                Some(error) => Err(format!("GL error {error:#x}")),
                None => Ok(Some(Answer::Loaded(values))),
            };
        }
        let program = gl.glsl_program(&shaders)?;
        let [floats, bits] = self.framebuffers;
        if question.samples > 1 {
            let values = self.samples(question, program);
            gl.delete_glsl_program(program);
            return values.map(|values| Some(Answer::Loaded(values)));
        }
        // The GL does not blend integers.
        gl.bind_framebuffer(token::FRAMEBUFFER, if question.blend.is_some() { floats } else { bits });
        if let Some(Blend { factors, .. }) = question.blend {
            let [source, destination] = factors.map(Constant::constant);
            gl.blend_func(source, destination);
            gl.enable(token::BLEND);
        }
        gl.use_program(program);
        let values = self.drawn(question, &OfReference { program, blend: question.blend });
        gl.use_program(0);
        gl.disable(token::BLEND);
        gl.delete_glsl_program(program);
        gl.bind_framebuffer(token::FRAMEBUFFER, floats);
        let values = values?;
        match gl.error() {
            Some(error) => Err(format!("GL error {error:#x}")),
            None => Ok(values.map(Answer::Loaded)),
        }
    }
}
