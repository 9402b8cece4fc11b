//! Questions with a GLSL reference. No free driver has the languages of NV_gpu_program4 and 5, so the driver
//! runs GLSL shaders that compute the same as the program. Each module has a table of instructions and GLSL
//! expressions:
//!
//! * `arithmetic`: instructions on registers; `operands` generates their operands.
//! * `lookups`: texture lookups, gathers and sizes.
//! * `places`: derivatives, levels of detail, interpolation at other places.
//! * `attributes`: vertex attributes that are integers or doubles.
//! * `blending`: second colours.
//! * `memory` and `images`: loads, stores and atomics.
//! * `samples`: pictures with four samples a pixel.
//! * `geometry` and `tessellation`: pictures from geometry programs and from patches.
//! * `feedback`: words that transform feedback records.
//!
//! Both sides get operands with the same bits: Shadestep in `program.local[n]`, the driver in a `uvec4`
//! uniform. Results are compared as bits: Shadestep's RGBA32F framebuffer holds any bits, and the driver's
//! attachment is RGBA32UI. Each row of a table states how near results must be.

mod arithmetic;
mod attributes;
mod blending;
mod feedback;
mod geometry;
mod images;
mod lookups;
mod memory;
mod operands;
mod places;
mod samples;
mod tessellation;

use crate::peer::compare::Nearness;
use crate::peer::question::{Inputs, Question, Slot};
use crate::support::random::Random;
use operands::Operand;
use shadestep_engine::isa;

/// The GLSL shaders for a driver that lacks the program's language.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The vertex and the fragment shader.
    pub shaders: [String; 2],
    /// The shaders of the stages in between.
    pub between: Vec<(isa::Stage, String)>,
    /// Extensions that the shaders use.
    pub needs: &'static [&'static str],
    pub reads: Reads,
}

impl Reference {
    pub fn texts(&self) -> impl Iterator<Item = &String> {
        self.shaders.iter().chain(self.between.iter().map(|(_, text)| text))
    }
}

/// How the bits of a result are read and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// As bits.
    Bits,
    /// fp32 numbers.
    Floats(Nearness),
    /// Two fp64 numbers.
    Doubles(Nearness),
}

/// The type of an operand or a result: how both languages interpret a vector of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Int,
    Uint,
    Float,
    Double,
    Long,
    Ulong,
}

impl Kind {
    /// The GLSL type.
    const fn name(self) -> &'static str {
        match self {
            Self::Int => "ivec4",
            Self::Uint => "uvec4",
            Self::Float => "vec4",
            Self::Double => "dvec2",
            Self::Long => "i64vec2",
            Self::Ulong => "u64vec2",
        }
    }

    /// The GLSL expression that converts the bits of `from`, a `uvec4`, to this type.
    fn of_bits(self, from: &str) -> String {
        match self {
            Self::Int => format!("ivec4({from})"),
            Self::Uint => from.to_owned(),
            Self::Float => format!("uintBitsToFloat({from})"),
            Self::Double => format!("dvec2(packDouble2x32({from}.xy), packDouble2x32({from}.zw))"),
            Self::Long => {
                format!("i64vec2(packInt2x32(ivec2({from}.xy)), packInt2x32(ivec2({from}.zw)))")
            }
            Self::Ulong => format!("u64vec2(packUint2x32({from}.xy), packUint2x32({from}.zw))"),
        }
    }

    /// The GLSL expression for the bits of `r`.
    const fn to_bits(self) -> &'static str {
        match self {
            Self::Int => "uvec4(r)",
            Self::Uint => "r",
            Self::Float => "floatBitsToUint(r)",
            Self::Double => "uvec4(unpackDouble2x32(r.x), unpackDouble2x32(r.y))",
            Self::Long => "uvec4(uvec2(unpackInt2x32(r.x)), uvec2(unpackInt2x32(r.y)))",
            Self::Ulong => "uvec4(unpackUint2x32(r.x), unpackUint2x32(r.y))",
        }
    }

    /// Whether components have 64 bits.
    const fn is_long(self) -> bool {
        matches!(self, Self::Double | Self::Long | Self::Ulong)
    }
}

/// One line of a table.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Instructions that compute `r` from `a`, `b`, `c` and `d`.
    ours: &'static str,
    operands: &'static [Operand],
    result: Kind,
    /// The GLSL expression for the same, or statements that set `r`.
    theirs: &'static str,
    nearness: Nearness,
}

/// A row whose results must have the same bits.
const fn row(ours: &'static str, operands: &'static [Operand], result: Kind, theirs: &'static str) -> Row {
    Row { ours, operands, result, theirs, nearness: Nearness::Exact }
}

impl Row {
    const fn near(self, nearness: Nearness) -> Self {
        Self { nearness, ..self }
    }

    fn reads(&self) -> Reads {
        match self.result {
            Kind::Int | Kind::Uint | Kind::Long | Kind::Ulong => Reads::Bits,
            Kind::Float => Reads::Floats(self.nearness),
            Kind::Double => Reads::Doubles(self.nearness),
        }
    }

    /// The program that loads the operands, runs the row's instructions and outputs `r`.
    fn program(&self, stage: Stage, declarations: &str) -> String {
        let mut text = format!("{}\n{declarations}", stage.header());
        for (name, (kind, _)) in NAMES.iter().zip(self.operands) {
            text.push_str(&declared(name, *kind));
        }
        text.push_str(&declared("r", self.result));
        for (n, (name, (kind, _))) in NAMES.iter().zip(self.operands).enumerate() {
            let load = if kind.is_long() { "PK64.U" } else { "MOV.U" };
            text.push_str(&format!("{load} {name}, program.local[{n}];\n"));
        }
        if stage == Stage::Vertex {
            text.push_str("MOV.F result.position, vertex.attrib[0];\n");
        }
        let store = if self.result.is_long() { "UP64.U" } else { "MOV.U" };
        text.push_str(&format!("{}\n{store} {}, r;\nEND\n", self.ours, stage.result()));
        text
    }

    /// The body of the GLSL shader, which sets `result`.
    fn body(&self, result: &str) -> String {
        let mut body = String::new();
        for (n, (name, (kind, _))) in NAMES.iter().zip(self.operands).enumerate() {
            body.push_str(&format!(
                "    {} {name} = {};\n",
                kind.name(),
                kind.of_bits(&format!("locals[{n}]"))
            ));
        }
        let statement = match self.theirs {
            statements if statements.contains(';') => statements.to_owned(),
            expression => format!("r = {expression};"),
        };
        // Without `precise`, GLSL may fuse a product and a sum. MAD of NV_gpu_program4 is not fused.
        body.push_str(&format!("    precise {} r;\n    {statement}\n", self.result.name()));
        body.push_str(&format!("    {result} = {};\n", self.result.to_bits()));
        body
    }

    /// The extensions that the shaders use.
    fn needs(&self) -> &'static [&'static str] {
        let kinds = self.operands.iter().map(|(kind, _)| *kind).chain([self.result]);
        if kinds.into_iter().any(|kind| matches!(kind, Kind::Long | Kind::Ulong)) {
            &["GL_ARB_gpu_shader5", "GL_ARB_gpu_shader_int64"]
        } else {
            &["GL_ARB_gpu_shader5"]
        }
    }

    /// Random operands of one run.
    fn operands(&self, random: &mut Random) -> Inputs {
        let mut parameters = Vec::new();
        for (n, (_, values)) in (0..).zip(self.operands) {
            parameters.push((Slot::Local(n), values(random).map(f32::from_bits)));
        }
        Inputs { parameters, ..Inputs::default() }
    }

    /// The question of this row in `stage`, on `runs`. The two strings are declarations for the program and
    /// the shader.
    fn question(&self, stage: Stage, [ours, theirs]: [&str; 2], runs: Vec<Inputs>) -> Question {
        let stage_name = stage.header().trim_start_matches("!!");
        let needs = self.needs();
        Question {
            shows: (stage == Stage::Vertex).then(|| "fragment.attrib[0]".to_owned()),
            runs,
            reference: Some(Reference {
                shaders: stage.shaders(needs, theirs, self),
                between: Vec::new(),
                needs,
                reads: self.reads(),
            }),
            ..Question::loading(
                format!("twins/{stage_name}/{}", self.ours),
                self.program(stage, ours).as_bytes(),
            )
        }
    }
}

fn declared(name: &str, kind: Kind) -> String {
    format!("{}TEMP {name};\n", if kind.is_long() { "LONG " } else { "" })
}

/// The names of operands, in the order of the local parameters that hold them.
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// The stage that runs the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Vertex,
    Fragment,
}

impl Stage {
    const fn header(self) -> &'static str {
        match self {
            Self::Vertex => "!!NVvp5.0",
            Self::Fragment => "!!NVfp5.0",
        }
    }

    const fn result(self) -> &'static str {
        match self {
            Self::Vertex => "result.attrib[0]",
            Self::Fragment => "result.color",
        }
    }

    /// The GLSL shaders of both stages. This stage computes; the other stage passes values on.
    fn shaders(self, needs: &[&str], declarations: &str, row: &Row) -> [String; 2] {
        let extensions: String = needs.iter().map(|name| format!("#extension {name} : require\n")).collect();
        let head = format!("#version 450 compatibility\n{extensions}");
        let computing = format!("{head}uniform uvec4 locals[{}];\n{declarations}\n", NAMES.len());
        let place = "layout(location = 0) in vec4 place;\n";
        match self {
            Self::Vertex => [
                format!(
                    "{computing}{place}flat out uvec4 shown;\nvoid main() {{\n    gl_Position = place;\n{}}}\n",
                    row.body("shown")
                ),
                format!("{head}flat in uvec4 shown;\nout uvec4 result;\nvoid main() {{ result = shown; }}\n"),
            ],
            Self::Fragment => [
                format!(
                    "{head}{place}layout(location = 8) in vec4 set0;\nout vec4 coordinates;\n\
                     void main() {{ gl_Position = place; coordinates = set0; }}\n"
                ),
                format!(
                    "{computing}in vec4 coordinates;\nout uvec4 result;\nvoid main() {{\n{}}}\n",
                    row.body("result")
                ),
            ],
        }
    }
}

/// A random generator whose seed depends only on `name`.
fn seeded(name: &str) -> Random {
    Random::new(name.bytes().fold(7, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(byte.into())))
}

pub fn all() -> Vec<Question> {
    let mut questions = arithmetic::all();
    questions.extend(lookups::all());
    questions.extend(places::all());
    questions.extend(attributes::all());
    questions.extend(blending::all());
    questions.extend(memory::all());
    questions.extend(images::all());
    questions.extend(samples::all());
    questions.extend(geometry::all());
    questions.extend(tessellation::all());
    questions.extend(feedback::all());
    questions
}
