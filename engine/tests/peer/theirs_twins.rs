//! Answers of a driver that has GLSL instead of a program's language.

use crate::gl::token;
use crate::question::{Answer, Inputs, PLACES, Question, SIDE, Slot, Value};
use crate::theirs::{Driver, NOTHING};
use crate::twins::Twin;

/// The bits of what is left where a fragment was discarded.
const LEFT: [u32; 4] =
    [NOTHING[0].to_bits(), NOTHING[1].to_bits(), NOTHING[2].to_bits(), NOTHING[3].to_bits()];

impl Driver {
    /// What the driver makes of a twin.
    ///
    /// # Errors
    /// What it says against the shaders, and errors of the GL.
    pub fn twin(&self, question: &Question, twin: &Twin) -> Result<Option<Answer>, String> {
        let gl = &self.gl;
        let [vertex, fragment] = &twin.shaders;
        let shaders =
            [gl.shader(token::VERTEX_SHADER, vertex)?, gl.shader(token::FRAGMENT_SHADER, fragment)?];
        let program = gl.glsl_program(&shaders)?;
        let [floats, bits] = self.framebuffers;
        gl.bind_framebuffer(token::FRAMEBUFFER, bits);
        gl.use_program(program);
        let mut values = Some(Vec::new());
        if let (false, [inputs]) = (question.triangles.is_empty(), &question.runs[..]) {
            values = self.twin_picture(question, program, inputs);
        }
        for row in question.runs.chunks(PLACES).filter(|_| question.triangles.is_empty()) {
            let more = self.twin_points(question, program, row);
            values = values.zip(more).map(|(values, more)| [values, more].concat());
        }
        gl.use_program(0);
        gl.delete_glsl_program(program);
        gl.bind_framebuffer(token::FRAMEBUFFER, floats);
        match gl.error() {
            Some(error) => Err(format!("GL error {error:#x}")),
            None => Ok(values.map(Answer::Loaded)),
        }
    }

    /// A point of each run.
    fn twin_points(&self, question: &Question, program: u32, runs: &[Inputs]) -> Option<Vec<Value>> {
        let gl = &self.gl;
        gl.clear_unsigned(LEFT);
        let mut askable = true;
        for (index, inputs) in runs.iter().enumerate() {
            let made = self.twin_inputs(program, inputs);
            askable &= made.iter().all(Option::is_some);
            gl.begin(token::POINTS);
            self.attributes(question, inputs);
            let [x, y, z, w] = Question::place(index);
            gl.vertex_attrib(0, x, y, z, w);
            gl.end();
            self.twin_clean(made);
        }
        let values = self.twin_values([PLACES as u32, 1]);
        askable.then(|| values[..runs.len()].to_vec())
    }

    /// The triangles of a picture.
    fn twin_picture(&self, question: &Question, program: u32, inputs: &Inputs) -> Option<Vec<Value>> {
        let gl = &self.gl;
        gl.clear_unsigned(LEFT);
        gl.viewport(0, 0, SIDE as i32, SIDE as i32);
        let made = self.twin_inputs(program, inputs);
        let askable = made.iter().all(Option::is_some);
        gl.begin(token::TRIANGLES);
        self.attributes(question, inputs);
        for ([x, y, z, w], [s, t, r, q]) in &question.triangles {
            gl.vertex_attrib(8, *s, *t, *r, *q);
            gl.vertex_attrib(0, *x, *y, *z, *w);
        }
        gl.end();
        self.twin_clean(made);
        gl.viewport(0, 0, PLACES as i32, 1);
        askable.then(|| self.twin_values([SIDE as u32; 2]))
    }

    /// Sets uniforms and binds textures: their names, `None` for what the GL has not.
    fn twin_inputs(&self, program: u32, inputs: &Inputs) -> Vec<Option<u32>> {
        for (slot, value) in &inputs.parameters {
            if let Slot::Local(n) = slot {
                let [x, y, z, w] = value.map(f32::to_bits);
                let location = self.gl.get_uniform_location(program, &format!("locals[{n}]"));
                self.gl.uniform_4ui(location, x, y, z, w);
            }
        }
        inputs.textures.iter().map(|(unit, texture)| self.texture(*unit, texture)).collect()
    }

    /// Deletes textures when nothing that uses them is going on any more.
    fn twin_clean(&self, made: Vec<Option<u32>>) {
        self.gl.finish();
        made.into_iter().flatten().for_each(|name| self.gl.delete_texture(name));
    }

    /// What the framebuffer holds.
    fn twin_values(&self, size: [u32; 2]) -> Vec<Value> {
        let value = |bits| if bits == LEFT { Value::Killed } else { Value::Color(bits) };
        self.gl.read_unsigned(size).into_iter().map(value).collect()
    }
}
