//! Shadestep's answers to questions, through its object model. `theirs` gets the drivers' answers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shadestep_engine::diag::error_position;
use shadestep_engine::front;
use shadestep_engine::gl::{
    self, BufferTarget, BufferUsage, Cap, Context, FeedbackMode, Integers, Longs, PatchNumber,
};
use shadestep_engine::isa::Stage;
use shadestep_engine::memory::Mode;
use shadestep_engine::pipeline::{
    Clear, ColorFormat, CompareFunc, Framebuffer, PixelStatus, Primitive, Samples, Threads,
};

use super::question::{
    ADDRESS, Answer, Capture, FED, FEED, Given, GivenImage, Inputs, PLACES, Question, SAMPLES, SIDE, Slot,
    UNRECORDED, Value,
};
use super::theirs::NOTHING;

/// Returns Shadestep's answer to `question`.
///
/// # Errors
/// The reason and clause, if Shadestep refuses a command that the question needs.
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
const BETWEEN: u32 = 3;

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
    if let Some(between) = &question.between {
        gl.patch_parameter_i(PatchNumber::Vertices, between.patch_vertices)?;
        for ((stage, text), id) in between.programs.iter().zip(BETWEEN..) {
            gl.load_program(*stage, id, text.as_bytes())?;
            gl.bind_program(*stage, id)?;
            Cap::of_programs(*stage).map_or(Ok(()), |cap| gl.enable(cap))?;
        }
    }
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
        // Every run starts from the same state.
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
    if let Some(capture) = &question.capture {
        return captured(gl, question, capture);
    }
    gl.depth_func(CompareFunc::Less)?;
    gl.enable(Cap::DepthTest)?;
    if question.samples == SAMPLES {
        gl.choose_samples(Samples::Four)?;
    }
    begin_with(&mut gl, question)?;
    if question.samples == SAMPLES {
        return samples(gl);
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

/// Begins the primitive of a picture and sends its vertices.
fn begin_with(gl: &mut Context, question: &Question) -> gl::Result<()> {
    gl.begin(question.primitive())?;
    question.triangles.iter().try_for_each(|(position, coordinates)| {
        gl.vertex_attrib(8, *coordinates)?;
        gl.vertex(*position)
    })
}

/// Returns the words that transform feedback records of a picture.
fn captured(mut gl: Context, question: &Question, capture: &Capture) -> gl::Result<Vec<Value>> {
    let (mut attribs, mut streams) = (Vec::new(), Vec::new());
    let unrecorded: Vec<u8> =
        std::iter::repeat_n(UNRECORDED.to_le_bytes(), capture.words).flatten().collect();
    for (point, (stream, record)) in (0..).zip(&capture.points) {
        gl.bind_buffer_base(BufferTarget::TransformFeedback, point, RECORDED + point)?;
        gl.buffer_data(BufferTarget::TransformFeedback, &unrecorded, BufferUsage::DynamicCopy)?;
        if point > 0 {
            attribs.push([gl::NEXT_BUFFER_NV, 0, 0]);
        }
        attribs.extend(record.iter().filter_map(|part| gl::feedback_attrib(*part)));
        streams.push(i32::from(*stream));
    }
    gl.transform_feedback_stream_attribs(&attribs, &streams, FeedbackMode::Interleaved)?;
    gl.enable(Cap::RasterizerDiscard)?;
    gl.begin_transform_feedback(capture.primitive)?;
    begin_with(&mut gl, question)?;
    let call = gl.end()?;
    let Ok(mut framebuffer) = Framebuffer::new(1, 1) else { return Ok(Vec::new()) };
    let _stats = call.render(&mut framebuffer, &Threads::new(Some(1)), &AtomicBool::new(false));
    gl.keep(&call);
    gl.end_transform_feedback()?;
    let mut words = Vec::new();
    for point in 0..capture.points.len() as u32 {
        gl.bind_buffer(BufferTarget::Array, RECORDED + point)?;
        let bytes = gl.get_buffer_sub_data(BufferTarget::Array, 0, 4 * capture.words as i64)?;
        words.extend(bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)));
    }
    Ok(capture.values(&words))
}

/// Draws the picture and returns all samples; the samples of a pixel are side by side.
fn samples(mut gl: Context) -> gl::Result<Vec<Value>> {
    let call = gl.end()?.after_clear(Clear { color: NOTHING, depth: 1.0, stencil: 0 });
    let side = SIDE as u32;
    let made = Framebuffer::with_samples(side, side, Samples::Four, ColorFormat::Rgba32F, &[]);
    let Ok(mut framebuffer) = made else { return Ok(Vec::new()) };
    let _stats = call.render(&mut framebuffer, &Threads::new(Some(1)), &AtomicBool::new(false));
    let places = (0..SIDE * SIDE).flat_map(|pixel| (0..SAMPLES).map(move |sample| (pixel, sample)));
    let colors = places.filter_map(|(pixel, sample)| framebuffer.sample_color(0, sample, pixel));
    let value = |color: [f32; 4]| {
        if color == NOTHING { Value::Killed } else { Value::Color(color.map(f32::to_bits)) }
    };
    Ok(colors.map(value).collect())
}

/// Names of the buffer objects of memory and of an image, and of the image's texture.
const MEMORY: u32 = 1;
const TEXELS: u32 = 2;
const IMAGE: u32 = 3;
/// The name of the first buffer object that transform feedback records into.
const RECORDED: u32 = 8;

/// Writes words into a buffer object and returns its address.
fn set_memory(gl: &mut Context, words: &[u32]) -> gl::Result<u64> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    gl.bind_buffer(BufferTarget::Texture, MEMORY)?;
    gl.buffer_data(BufferTarget::Texture, &bytes, BufferUsage::DynamicCopy)?;
    gl.make_buffer_resident(BufferTarget::Texture, Mode::ReadWrite)?;
    gl.get_buffer_gpu_address(BufferTarget::Texture)
}

fn set_image(gl: &mut Context, image: &GivenImage) -> gl::Result<()> {
    let mut bytes: Vec<u8> = image.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.resize(image.shape.bytes() as usize, 0);
    gl.bind_buffer(BufferTarget::Texture, TEXELS)?;
    gl.buffer_data(BufferTarget::Texture, &bytes, BufferUsage::DynamicCopy)?;
    gl.tex_image_in_buffer(IMAGE, image.shape.clone(), TEXELS)?;
    for (unit, format) in [Some(image.shape.format()), image.view].into_iter().enumerate() {
        if let Some(format) = format {
            gl.bind_image_texture(unit as u32, IMAGE, (0, true, 0), Mode::ReadWrite, format)?;
        }
    }
    Ok(())
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
    if !inputs.memory.is_empty() {
        let address = set_memory(gl, &inputs.memory)?;
        let words = [address as u32, (address >> 32) as u32, 0, 0];
        gl.program_local_parameter4(target, ADDRESS.into(), words.map(f32::from_bits))?;
    }
    if let Some(image) = &inputs.image {
        set_image(gl, image)?;
    }
    for (unit, texture) in &inputs.textures {
        gl.bind_texture(u32::from(*unit), Some(Arc::clone(texture)))?;
    }
    Ok(())
}
