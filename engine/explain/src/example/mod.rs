//! Examples of instructions. For each instruction and language: a small program that loads and runs, with the
//! values that the instruction computes, and its results for operands at the edges of their type.
//!
//! By default, the operands of the instruction's row determine the example: each operand is a register that
//! was loaded before. Other rows have statements of their own ([`Info::example`]), with placeholders for text
//! that depends on the language:
//!
//! | placeholder | text |
//! |---|---|
//! | `{r}`, `{a}`, `{b}`, `{c}` | the result, and loaded registers |
//! | `{attribute}` | an attribute that varies |
//! | `{set a}` | a statement that sets the condition code from `{a}` |
//! | `{kill}` | a KIL of fragments whose result has a negative x |
//! | `{rep}` | the beginning of a REP block of three iterations |
//! | `{address}` | the declaration of the address register A0 |
//! | `{table}` | the element of an array that A0.x selects |
//! | `{pointer}` | statements that load the address of a buffer from local parameter 0, which the application sets |
//! | `{at}` | the register with that address, or a constant address where addresses have 32 bits |
//! | `{write}` | the statements that use the result; appended at the end if the row has no `{write}` |
//! | `{results}` | as `{write}`, without emitting a vertex |

mod special;
mod writer;

pub use special::{SpecialCase, special_cases};
use writer::Writer;

use super::explain::{Explanation, explain_instruction};
use shadestep_core::debug::{Recording, Step};
use shadestep_core::exec::{Bindings, PrimitiveInputs, QUAD, QuadInputs, VertexInputs};
use shadestep_core::memory::{Bound, BoundImage, Memory, Mode, Reason};
use shadestep_core::texture::{Format, Image, ImageFormat, Level, MinFilter, Sampler, Texture};
use shadestep_language::front;
use shadestep_language::ir::{Attribute, Instruction, ParameterSource, Program, TextureTarget, single_bits};
use shadestep_language::isa::{Info, Language, Opcode, Stage, instructions};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The initial values of the registers a, b and c.
const NUMBERS: [[f32; 4]; 3] = [[1.5, -0.5, 4.0, 2.0], [0.5, 3.0, -1.0, 2.0], [0.25, 1.0, 0.0, -2.0]];
/// The initial values as signed integers.
const INTEGERS: [[i32; 4]; 3] = [[1, 2, -255, 0], [5, 3, -16, 2], [1, -2, 3, 4]];
/// If a language has no constants, a, b and c are this program parameter and the next two.
pub const FIRST_PARAMETER: u16 = 10;
/// The parameter that vertex state programs write.
const STATE_RESULT: u16 = 20;
/// The value of attributes in the run that pages show.
const ATTRIBUTE: [f32; 4] = [0.75, 0.25, 0.0, 1.0];
/// The change of attributes from one pixel to the next.
const STEP: f32 = 1.0 / 512.0;

/// The address of memory in examples: the address of the first buffer of a scene.
pub const ADDRESS: u64 = 1 << 32;
/// The address for languages with 32-bit addresses.
const NEAR: u64 = 1 << 16;
/// The memory's contents.
pub const BUFFER: [f32; 4] = [0.25, 0.5, 0.75, 1.0];
/// Side of the image on unit 0, in texels.
pub const IMAGE_SIDE: u32 = 4;

/// A program that demonstrates an instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    pub language: Language,
    /// The program text. It loads without diagnostics.
    pub text: String,
    /// Index of the demonstrated instruction.
    pub pc: usize,
    /// Program parameters (`c[n]`) that the program needs, with their values.
    pub parameters: Vec<(u16, [f32; 4])>,
}

/// The example of `info` in `language`; `None` if the language lacks the instruction.
pub fn example(info: &'static Info, language: Language) -> Option<Example> {
    let writer = Writer::new(info, language)?;
    let text = writer.text();
    let program = front::load(text.as_bytes()).program?;
    let is_it = |(_, instruction): &(usize, &Instruction)| instruction.op == info.opcode;
    let mut found = program.instructions.iter().enumerate().filter(is_it);
    // Loading registers and using the result can involve the same opcode.
    let (pc, _) = match info.example {
        Some(_) => found.next_back(),
        None => found.find(|(pc, _)| *pc >= writer.loaded(&writer.statements()).len()),
    }?;
    let numbered = |(place, value): (usize, &[f32; 4])| (FIRST_PARAMETER + place as u16, *value);
    let parameters = match language.profile().literals {
        true => Vec::new(),
        false => NUMBERS.iter().enumerate().map(numbered).collect(),
    };
    Some(Example { language, text, pc, parameters })
}

impl Example {
    /// The explanation of the instruction in a run, with numbers.
    pub fn explained(&self) -> Option<Explanation> {
        let program = Arc::new(front::load(self.text.as_bytes()).program?);
        let bindings = self.bindings(&program);
        let step = step(&program, &Arc::new(bindings), self.pc);
        Some(explain_instruction(self.text.as_bytes(), &program, self.pc, step.as_ref()))
    }

    fn bindings(&self, program: &Program) -> Bindings {
        let mut bindings = Bindings::initial(program);
        for (parameter, value) in program.parameters.iter().zip(&mut bindings.parameters) {
            if parameter.source == ParameterSource::Local(0) {
                *value = [ADDRESS & 0xFFFF_FFFF, ADDRESS >> 32, 0, 0];
            }
            let ParameterSource::Env(number) = parameter.source else { continue };
            if let Some((_, given)) = self.parameters.iter().find(|(other, _)| *other == number) {
                *value = single_bits(*given);
            }
        }
        bindings.textures[0] = texture(program.textures()[0]).map(Arc::new);
        if program.accesses_memory() {
            let (memory, bound) = memory(program);
            bindings.memory = memory.into();
            bindings.buffers[0] = Some(bound);
        }
        bindings
    }
}

/// A texture of 4x4 texels: red increases to the right, green upwards. Multisample textures have four samples
/// per texel, with increasing blue.
fn texture(target: Option<TextureTarget>) -> Option<Texture> {
    let target = target.filter(|target| target.has_samples()).unwrap_or(TextureTarget::D2);
    let samples = if target.has_samples() { 4 } else { 1 };
    let texel = |n: u8| [85 * (n % 4), 85 * (n / 4 % 4), 64 + 32 * (n / 16), 255];
    let texels = (0..16 * samples).flat_map(texel).collect();
    let image = Image::from_rgba8([4, 4, usize::from(samples)], texels).ok()?;
    let level = Level { faces: vec![image] };
    let sampler = Sampler::for_target(target);
    let min_filter = if target.has_samples() { sampler.min_filter } else { MinFilter::Linear };
    Texture::new(target, Format::Rgba8, vec![level], Sampler { min_filter, ..sampler }).ok()
}

/// The memory at [`ADDRESS`], parameter buffer 0, and the image on unit 0. The buffers begin with [`BUFFER`].
/// The image has 32-bit texels: floats, or integers for atomics.
fn memory(program: &Program) -> (Memory, Bound) {
    let mut memory = Memory::default();
    let bytes: Vec<u8> = BUFFER.iter().flat_map(|value| value.to_le_bytes()).collect();
    let buffer = memory.add(&bytes);
    // The only buffer can have any address.
    let address = if program.language.profile().long_variables { ADDRESS } else { NEAR };
    let _placed = memory.make_resident(buffer, address, Mode::ReadWrite);
    let texels = memory.add(&[0; 64]);
    let (size, target) = ([IMAGE_SIDE, IMAGE_SIDE, 1], TextureTarget::D2);
    let format = ImageFormat::from_name(image_format(program));
    let unit = format.ok_or(Reason::NoImage).map(|format| BoundImage {
        buffer: texels,
        offset: 0,
        target,
        size,
        layers: 1,
        samples: 1,
        format,
        access: Mode::ReadWrite,
    });
    memory.bind_images(vec![unit]);
    (memory, Bound { buffer, offset: 0, size: bytes.len() as u64 })
}

/// The format of a program's image: integers if the program has image atomics.
pub fn image_format(program: &Program) -> &'static str {
    let combines = |instruction: &Instruction| instruction.op == Opcode::Atomim;
    if program.instructions.iter().any(combines) { "R32UI" } else { "R32F" }
}

/// The first step of instruction `pc` in a run of `program`.
fn step(program: &Arc<Program>, bindings: &Arc<Bindings>, pc: usize) -> Option<Step> {
    let go_on = AtomicBool::new(false);
    let of_primitive = || {
        let attributes = program.attributes().into_iter().filter(|attribute| !attribute.ty().is_integer());
        PrimitiveInputs(attributes.map(|attribute| (attribute, single_bits(ATTRIBUTE))).collect())
    };
    let recording = match program.stage() {
        Stage::Fragment => {
            let mut inputs = QuadInputs::default();
            let at = |lane: usize| {
                let [x, y, z, w] = ATTRIBUTE;
                [x + STEP * (lane % 2) as f32, y + STEP * (lane / 2) as f32, z, w]
            };
            inputs.attributes[Attribute::Tex(0).index()] = std::array::from_fn::<_, QUAD, _>(at);
            Recording::of_fragment(program, bindings, inputs, (0, [384, 128]), &go_on)
        }
        Stage::Vertex => {
            let mut inputs = VertexInputs::default();
            inputs[0] = single_bits(ATTRIBUTE);
            Recording::of_vertex(program, bindings, &inputs, 0, &go_on)
        }
        Stage::VertexState => Recording::of_state_program(program, bindings, (0, ATTRIBUTE), &go_on),
        Stage::Geometry => Recording::of_primitive(program, bindings, &of_primitive(), (0, 0), &go_on),
        Stage::TessControl => Recording::of_patch(program, bindings, &of_primitive(), (0, 0), &go_on),
        Stage::TessEvaluation => {
            Recording::of_patch_vertex(program, bindings, &of_primitive(), (0, 0), &go_on)
        }
    };
    recording.ok()?.all_steps().find(|step| step.pc == pc)
}

/// The examples of all instructions of `language`.
pub fn examples(language: Language) -> impl Iterator<Item = (&'static Info, Option<Example>)> {
    instructions(language).map(move |info| (info, example(info, language)))
}

#[cfg(test)]
mod tests;
