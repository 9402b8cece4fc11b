//! Answers of Shadestep, through its object model.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shadestep_engine::diag::error_position;
use shadestep_engine::front;
use shadestep_engine::gl::{self, Cap, Context, Integers, Longs};
use shadestep_engine::isa::Stage;
use shadestep_engine::num::CompareFunc;
use shadestep_engine::pipeline::{Clear, Framebuffer, PixelStatus, Primitive, Threads};

use crate::question::{Answer, FED, FEED, Given, Inputs, PLACES, Question, SIDE, Slot, Value};

/// What Shadestep says to `question`.
///
/// # Errors
/// Where it refuses what the question takes for granted, in its words.
pub fn answer(question: &Question) -> Result<Answer, String> {
    let loaded = front::load(&question.text);
    if loaded.program.is_none() {
        return Ok(Answer::Refused(error_position(&loaded.diagnostics)));
    }
    if question.runs.is_empty() {
        return Ok(Answer::Loaded(Vec::new()));
    }
    run(question).map(Answer::Loaded).map_err(|error| format!("{} ({})", error.reason, error.clause))
}

const VERTEX: u32 = 1;
const FRAGMENT: u32 = 2;

fn run(question: &Question) -> gl::Result<Vec<Value>> {
    let mut gl = Context::new();
    let show = question.show();
    let (vertex, fragment) = match &show {
        Some(show) => (question.text.as_slice(), show.as_bytes()),
        None => (FEED.as_bytes(), question.text.as_slice()),
    };
    gl.load_program(Stage::Vertex, VERTEX, vertex)?;
    gl.load_program(Stage::Fragment, FRAGMENT, fragment)?;
    gl.bind_program(Stage::Vertex, VERTEX)?;
    gl.bind_program(Stage::Fragment, FRAGMENT)?;
    gl.enable(Cap::VertexProgram)?;
    gl.enable(Cap::FragmentProgram)?;
    gl.viewport([0, 0, PLACES as i32, 1])?;
    if !question.triangles.is_empty() {
        return picture(gl, question);
    }
    if let Some(blend) = &question.blend {
        let [source, destination] = blend.factors;
        gl.blend_func(source, destination)?;
        gl.enable(Cap::Blend)?;
    }
    let background = question.blend.map_or([0.0; 4], |blend| blend.destination);
    let threads = Threads::new(Some(1));
    let never = AtomicBool::new(false);
    let mut values = Vec::with_capacity(question.runs.len());
    for (index, inputs) in question.runs.iter().enumerate() {
        // Every run begins from the same state.
        let mut gl = gl.clone();
        set(&mut gl, question, inputs)?;
        gl.begin(Primitive::Points)?;
        gl.vertex(Question::place(index))?;
        let call = gl.end()?.after_clear(Clear { color: background, depth: 1.0, stencil: 0 });
        let Ok(mut framebuffer) = Framebuffer::new(PLACES as u32, 1) else { return Ok(values) };
        let _stats = call.render(&mut framebuffer, &threads, &never);
        let pixel = index % PLACES;
        values.push(match framebuffer.status[pixel] {
            PixelStatus::Written => Value::Color(framebuffer.color.at(pixel).map(f32::to_bits)),
            _ => Value::Killed,
        });
    }
    Ok(values)
}

/// The pixels of a picture.
fn picture(mut gl: Context, question: &Question) -> gl::Result<Vec<Value>> {
    question.runs.iter().try_for_each(|inputs| set(&mut gl, question, inputs))?;
    gl.viewport([0, 0, SIDE as i32, SIDE as i32])?;
    gl.depth_func(CompareFunc::Less)?;
    gl.enable(Cap::DepthTest)?;
    gl.begin(Primitive::Triangles)?;
    for (position, coordinates) in &question.triangles {
        gl.vertex_attrib(8, *coordinates)?;
        gl.vertex(*position)?;
    }
    let call = gl.end()?.after_clear(Clear { color: [0.0; 4], depth: 1.0, stencil: 0 });
    let Ok(mut framebuffer) = Framebuffer::new(SIDE as u32, SIDE as u32) else { return Ok(Vec::new()) };
    let _stats = call.render(&mut framebuffer, &Threads::new(Some(1)), &AtomicBool::new(false));
    let value = |(status, color): (&PixelStatus, &[f32; 4])| match status {
        PixelStatus::Written => Value::Color(color.map(f32::to_bits)),
        _ => Value::Killed,
    };
    Ok(framebuffer.status.iter().zip(framebuffer.color.floats().iter()).map(value).collect())
}

fn set(gl: &mut Context, question: &Question, inputs: &Inputs) -> gl::Result<()> {
    for number in if question.shows.is_some() { 1..=15 } else { 3..=15 } {
        if question.shows.is_some() || FED.contains(&number) {
            gl.vertex_attrib(number.into(), [0.0, 0.0, 0.0, 1.0])?;
        }
    }
    for (number, value) in &inputs.attributes {
        let number = u32::from(*number);
        match *value {
            Given::Floats(value) => gl.vertex_attrib(number, value)?,
            Given::Signed(value) => gl.vertex_attrib(number, Integers(value))?,
            Given::Unsigned(value) => gl.vertex_attrib(number, Integers(value))?,
            Given::Doubles(value) => gl.vertex_attrib(number, Longs(value))?,
        }
    }
    let (target, id) = match question.shows {
        Some(_) => (Stage::Vertex, VERTEX),
        None => (Stage::Fragment, FRAGMENT),
    };
    for (slot, value) in &inputs.parameters {
        match slot {
            Slot::Env(n) => gl.program_env_parameter4(target, u32::from(*n), *value)?,
            Slot::Local(n) => gl.program_local_parameter4(target, u32::from(*n), *value)?,
            Slot::Named(name) => gl.program_named_parameter4(id, name.as_bytes(), *value)?,
        }
    }
    for (unit, texture) in &inputs.textures {
        gl.bind_texture(u32::from(*unit), Some(Arc::clone(texture)))?;
    }
    Ok(())
}
