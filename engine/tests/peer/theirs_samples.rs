//! A driver's answers for multisample pictures. All samples are compared.

use shadestep_engine::isa::Stage;

use super::gl::token;
use super::question::{Question, SAMPLES, SIDE, Value};
use super::theirs::{Driver, NOTHING, floats};

/// A vertex and a fragment shader that show the samples of each pixel side by side.
const SHOW: [&str; 2] = [
    "#version 450 compatibility\nlayout(location = 0) in vec4 place;\nvoid main() { gl_Position = place; }\n",
    "#version 450 compatibility\nlayout(binding = 0) uniform sampler2DMS drawn;\nout vec4 result;\n\
     void main() {\n    ivec2 at = ivec2(gl_FragCoord.xy);\n    result = texelFetch(drawn, ivec2(at.x / 4, at.y), at.x % 4);\n}\n",
];

impl Driver {
    /// Draws the picture with a GLSL program and returns all samples.
    ///
    /// # Errors
    /// The driver's messages about the shaders, and errors of the GL.
    pub fn samples(&self, question: &Question, program: u32) -> Result<Vec<Value>, String> {
        let gl = &self.gl;
        let (side, samples) = (SIDE as i32, SAMPLES as i32);
        let texture = gl.gen_texture();
        gl.active_texture(token::TEXTURE0);
        gl.bind_texture(token::TEXTURE_2D_MULTISAMPLE, texture);
        gl.tex_image_2d_multisample(token::TEXTURE_2D_MULTISAMPLE, samples, token::RGBA32F, side, side, 1);
        let depths = gl.gen_renderbuffer();
        gl.bind_renderbuffer(token::RENDERBUFFER, depths);
        let format = token::DEPTH_COMPONENT32F;
        gl.renderbuffer_storage_multisample(token::RENDERBUFFER, samples, format, side, side);
        let framebuffer = gl.gen_framebuffer();
        gl.bind_framebuffer(token::FRAMEBUFFER, framebuffer);
        let (color, depth) = (token::COLOR_ATTACHMENT0, token::DEPTH_ATTACHMENT);
        gl.framebuffer_texture_2d(token::FRAMEBUFFER, color, token::TEXTURE_2D_MULTISAMPLE, texture, 0);
        gl.framebuffer_renderbuffer(token::FRAMEBUFFER, depth, token::RENDERBUFFER, depths);
        let complete = gl.check_framebuffer_status(token::FRAMEBUFFER) == token::FRAMEBUFFER_COMPLETE;
        let [r, g, b, a] = NOTHING;
        gl.clear_color(r, g, b, a);
        gl.clear(token::COLOR_BUFFER_BIT | token::DEPTH_BUFFER_BIT);
        gl.viewport(0, 0, side, side);
        gl.enable(token::DEPTH_TEST);
        gl.use_program(program);
        self.vertices(question, &question.runs);
        gl.disable(token::DEPTH_TEST);
        let values = self.shown();
        gl.use_program(0);
        gl.bind_texture(token::TEXTURE_2D_MULTISAMPLE, 0);
        gl.delete_texture(texture);
        gl.delete_renderbuffer(depths);
        gl.delete_framebuffer(framebuffer);
        if complete { values } else { Err("no framebuffer with four samples".to_owned()) }
    }

    /// Returns the samples of the bound multisample texture.
    fn shown(&self) -> Result<Vec<Value>, String> {
        let gl = &self.gl;
        let [vertex, fragment] = SHOW;
        let shaders = [gl.shader(Stage::Vertex, vertex)?, gl.shader(Stage::Fragment, fragment)?];
        let show = gl.glsl_program(&shaders)?;
        let [into, _] = self.framebuffers;
        gl.bind_framebuffer(token::FRAMEBUFFER, into);
        gl.viewport(0, 0, (SAMPLES * SIDE) as i32, SIDE as i32);
        gl.use_program(show);
        gl.begin(token::TRIANGLES);
        for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
            gl.vertex_attrib(0, x, y, 0.0, 1.0);
        }
        gl.end();
        let values = floats(gl, [(SAMPLES * SIDE) as u32, SIDE as u32]);
        gl.delete_glsl_program(show);
        gl.viewport(0, 0, super::question::PLACES as i32, 1);
        values
    }
}
