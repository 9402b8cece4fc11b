//! Examples of instructions: for each one, in each language that has it, a small program that loads and executes it, with
//! what it computes there; and the results that it has for operands at the edges of their type.
//!
//! The operands of a row say what its example is: each is a register that is loaded before. Where that is not enough the row
//! has statements of its own ([`Info::example`]), in which braces stand for what languages write in their own ways:
//!
//! | braces | what stands there |
//! |---|---|
//! | `{r}`, `{a}`, `{b}`, `{c}` | the result, and registers that hold something |
//! | `{attribute}` | an attribute that varies |
//! | `{set a}` | a statement that sets the condition code from `{a}` |
//! | `{kill}` | a KIL of fragments for which x of the result is below zero |
//! | `{rep}` | the beginning of a REP block of three rounds |
//! | `{address}` | the declaration of the address register A0 |
//! | `{table}` | an element of an array, the one that A0.x says |
//! | `{pointer}` | statements that make a register of the address of a buffer, which the application has put into local parameter 0 |
//! | `{at}` | that register, or where addresses have 32 bits, such an address |
//! | `{write}` | the statements that use the result; they are behind all others where the row does not say |
//! | `{results}` | the same without emitting a vertex |

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::explain::{Explanation, explain_instruction};
use crate::debug::{Recording, Step};
use crate::exec::plan::Plan;
use crate::exec::{Bindings, PrimitiveInputs, QUAD, QuadInputs, VertexInputs};
use crate::front;
use crate::ir::{
    Attribute, Instruction, ParamId, ParameterSource, Program, Source, Target, TargetOption, TextureTarget,
    Type, single_bits,
};
use crate::isa::{
    Cc, Group, Info, Language, Modifier, Opcode, OperandKind, Rule, Stage, Typed, instructions,
};
use crate::memory::{Bound, BoundImage, ImageFormat, Memory, Mode, Reason};
use crate::texture::{Format, Image, Level, MinFilter, Sampler, Texture};

/// What registers are loaded with: a, b, c.
const NUMBERS: [[f32; 4]; 3] = [[1.5, -0.5, 4.0, 2.0], [0.5, 3.0, -1.0, 2.0], [0.25, 1.0, 0.0, -2.0]];
/// The same of signed integers.
const INTEGERS: [[i32; 4]; 3] = [[1, 2, -255, 0], [5, 3, -16, 2], [1, -2, 3, 4]];
/// Where a language has no numbers in its text, a, b and c are these program parameters and those behind.
pub const FIRST_PARAMETER: u16 = 10;
/// The parameter that state programs write.
const STATE_RESULT: u16 = 20;
/// What attributes are in the run whose values pages show.
const ATTRIBUTE: [f32; 4] = [0.75, 0.25, 0.0, 1.0];
/// What attributes grow by from a pixel to the next.
const STEP: f32 = 1.0 / 512.0;

/// Where examples find memory: the address that the first buffer of a scene has.
pub const ADDRESS: u64 = 1 << 32;
/// The same where addresses have 32 bits.
const NEAR: u64 = 1 << 16;
/// What is there.
pub const BUFFER: [f32; 4] = [0.25, 0.5, 0.75, 1.0];
/// The side of the image on unit 0, in texels.
pub const IMAGE_SIDE: u32 = 4;

/// A program that shows an instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// Its language.
    pub language: Language,
    /// The text. It loads without diagnostics.
    pub text: String,
    /// Index of the instruction that it is about.
    pub pc: usize,
    /// Program parameters (`c[n]`) that it needs, with their values.
    pub parameters: Vec<(u16, [f32; 4])>,
}

/// A result for operands at the edge of their type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialCase {
    /// The value that all components of each operand have.
    pub operands: Vec<String>,
    /// The components of the result, one if they are equal.
    pub result: String,
    /// Why, if there is more to say.
    pub why: Option<String>,
}

/// The example of `info` in `language`; `None` where the language lacks it.
pub fn example(info: &'static Info, language: Language) -> Option<Example> {
    let writer = Writer::new(info, language)?;
    let text = writer.text();
    let program = front::load(text.as_bytes()).program?;
    let is_it = |(_, instruction): &(usize, &Instruction)| instruction.op == info.opcode;
    let mut found = program.instructions.iter().enumerate().filter(is_it);
    // What loads registers may be the same instruction, as may what the program does behind.
    let (pc, _) = match info.example {
        Some(_) => found.last(),
        None => found.find(|(pc, _)| *pc >= writer.loaded(&writer.statements()).len()),
    }?;
    let numbered = |(place, value): (usize, &[f32; 4])| (FIRST_PARAMETER + place as u16, *value);
    let parameters = match language.profile().literals {
        true => Vec::new(),
        false => NUMBERS.iter().enumerate().map(numbered).collect(),
    };
    Some(Example { language, text, pc, parameters })
}

/// Writes an example.
struct Writer {
    info: &'static Info,
    language: Language,
    /// Operands that are values, in order, with their types.
    types: Vec<Typed>,
    result: Typed,
}

/// `kind` of an instruction that computes in `default`.
fn typed(kind: Typed, default: Typed) -> Typed {
    if kind == Typed::Inherited { default } else { kind }
}

impl Writer {
    fn new(info: &'static Info, language: Language) -> Option<Self> {
        let forms = info.forms(language)?;
        let default = match forms.typing {
            Some(typing) if typing.default.is_none_or(|data| !data.is_float()) => Typed::Signed,
            _ => Typed::Float,
        };
        let values = info.operands_in(language).iter().filter(|kind| kind.takes_value()).count();
        let (types, result) = match (info.example, forms.typing) {
            // Such statements are written for numbers.
            (Some(_), _) | (None, None) => (vec![Typed::Float; 3], Typed::Float),
            (None, Some(typing)) => (
                typing.operands.iter().take(values).map(|kind| typed(*kind, default)).collect(),
                typed(typing.result, default),
            ),
        };
        Some(Self { info, language, types, result })
    }

    const fn declares(&self) -> bool {
        self.language.profile().declares_variables()
    }

    /// The register of the result (0), or of operand `number - 1`.
    fn register(&self, number: usize) -> String {
        if self.declares() { ["r", "a", "b", "c"][number].to_owned() } else { format!("R{number}") }
    }

    fn attribute(&self) -> &'static str {
        match (self.language.stage(), self.declares()) {
            (Stage::Fragment, true) => "fragment.texcoord[0]",
            (Stage::Fragment, false) => "f[TEX0]",
            (Stage::Vertex, true) => "vertex.position",
            (Stage::Vertex, false) => "v[OPOS]",
            (Stage::VertexState, _) => "v[0]",
            (Stage::TessControl | Stage::TessEvaluation | Stage::Geometry, _) => "vertex[0].position",
        }
    }

    /// MOV with a type.
    const fn mov(kind: Typed) -> &'static str {
        match kind {
            Typed::Signed => "MOV.S",
            Typed::Unsigned => "MOV.U",
            Typed::Float | Typed::Inherited => "MOV",
        }
    }

    /// What is between loading registers and using the result.
    fn statements(&self) -> Vec<String> {
        match self.info.example {
            Some(own) => self.filled(own),
            None => vec![self.instruction()],
        }
    }

    /// The operands that `statements` have in registers, from 1.
    fn loaded(&self, statements: &[String]) -> Vec<usize> {
        let uses = |name: &str| statements.iter().any(|statement| words(statement).any(|word| word == name));
        (1..=self.types.len()).filter(|&number| uses(&self.register(number))).collect()
    }

    /// The whole program.
    fn text(&self) -> String {
        let statements = self.statements();
        let mut lines = vec![self.language.header().to_owned()];
        lines.extend(self.options().into_iter().map(|option| format!("OPTION {option};")));
        lines.extend(self.stage_declarations());
        let loaded = self.loaded(&statements);
        lines.extend(self.declarations(&loaded));
        lines.extend(loaded.iter().map(|&number| self.load(number)));
        let writes_itself = self.info.example.is_some_and(|own| own.contains("{write}"));
        lines.extend(statements);
        if !writes_itself {
            lines.extend(self.written(true));
        }
        lines.push("END\n".to_owned());
        lines.join("\n")
    }

    /// Options that the language, the instruction and its target need.
    fn options(&self) -> Vec<&'static str> {
        let profile = self.language.profile();
        let extension = self.info.forms(self.language).map(|forms| forms.extension);
        let of_extension = extension.filter(|extension| profile.options.contains(extension));
        let of_target =
            self.target().and_then(|target| TargetOption::of(target, profile)).map(TargetOption::name);
        let mut all: Vec<&str> =
            self.language.option().into_iter().chain(of_extension).chain(of_target).collect();
        // The language's own option brings what the instruction needs.
        if self.language.option().is_some() {
            all.truncate(1);
        }
        all
    }

    /// The target of a lookup: 2D where it can be.
    fn target(&self) -> Option<TextureTarget> {
        let takes = |target: &TextureTarget| target.is_taken_by(self.info.rule);
        let targets = self.language.profile().targets;
        (self.info.group == Group::Texture).then_some(())?;
        Some(TextureTarget::D2).filter(takes).or_else(|| targets.iter().copied().find(takes))
    }

    fn stage_declarations(&self) -> Vec<String> {
        let lines: &[&str] = match self.language.stage() {
            Stage::Vertex | Stage::VertexState | Stage::Fragment => &[],
            Stage::Geometry => {
                &["PRIMITIVE_IN TRIANGLES;", "PRIMITIVE_OUT TRIANGLE_STRIP;", "VERTICES_OUT 4;"]
            }
            Stage::TessControl => &["VERTICES_OUT 3;", "ATTRIB corner = vertex.position;"],
            Stage::TessEvaluation => &["TESS_MODE TRIANGLES;"],
        };
        let points = self.info.group == Group::Emit && self.info.operands.len() == 1;
        let adapted =
            |line: &&str| if points { line.replace("TRIANGLE_STRIP", "POINTS") } else { (*line).to_owned() };
        lines.iter().map(adapted).collect()
    }

    fn declarations(&self, loaded: &[usize]) -> Vec<String> {
        if !self.declares() {
            return Vec::new();
        }
        let mut groups: [(&str, Vec<String>); 3] =
            [("TEMP", Vec::new()), ("INT TEMP", Vec::new()), ("UINT TEMP", Vec::new())];
        let mut declare = |kind: Typed, name: &str| {
            let group = match kind {
                Typed::Float | Typed::Inherited => 0,
                Typed::Signed => 1,
                Typed::Unsigned => 2,
            };
            groups[group].1.push(name.to_owned());
        };
        declare(self.result, "r");
        if self.result != Typed::Float {
            declare(Typed::Float, "shown");
        }
        for &number in loaded {
            declare(self.types[number - 1], &self.register(number));
        }
        if self.language.stage() == Stage::TessControl {
            declare(Typed::Signed, "me");
        }
        groups
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(keyword, names)| format!("{keyword} {};", names.join(", ")))
            .collect()
    }

    /// The statement that loads register `number`.
    fn load(&self, number: usize) -> String {
        let (name, kind) = (self.register(number), self.types[number - 1]);
        let mov = Self::mov(kind);
        if !self.language.profile().literals {
            return format!("{mov} {name}, c[{}];", usize::from(FIRST_PARAMETER) + number - 1);
        }
        let values = match kind {
            Typed::Float | Typed::Inherited => NUMBERS[number - 1].map(|value| value.to_string()),
            Typed::Signed => INTEGERS[number - 1].map(|value| value.to_string()),
            Typed::Unsigned => INTEGERS[number - 1].map(|value| value.unsigned_abs().to_string()),
        };
        format!("{mov} {name}, {{{}}};", values.join(", "))
    }

    /// The instruction with a register at each place.
    fn instruction(&self) -> String {
        let language = self.language;
        let has_no_type = |typing: crate::isa::Typing| typing.default.is_none();
        let typing = self.info.forms(language).and_then(|forms| forms.typing);
        let suffix = if typing.is_some_and(has_no_type) { ".S" } else { "" };
        let mask = if self.info.rule_in(language) == Rule::NoW { ".xyz" } else { "" };
        let mut parts = vec![format!("{}{mask}", self.register(0))];
        let mut number = 0;
        for kind in self.info.operands_in(language) {
            let mut next = || {
                number += 1;
                self.register(number)
            };
            parts.push(match kind {
                OperandKind::Vector if self.varies(parts.len()) => {
                    number += 1;
                    self.attribute().to_owned()
                }
                OperandKind::Vector | OperandKind::OptionalVector | OperandKind::VectorOrCondition => next(),
                OperandKind::Scalar => format!("{}.x", next()),
                OperandKind::TextureImage => {
                    let target = self.target().map_or("2D", TextureTarget::name);
                    format!("{}, {target}", language.profile().texture_unit(0))
                }
                // What has these has statements of its own.
                OperandKind::Condition
                | OperandKind::ExtendedSwizzle
                | OperandKind::ImageUnit
                | OperandKind::ImageTarget
                | OperandKind::Address
                | OperandKind::Label
                | OperandKind::SubroutineVariable
                | OperandKind::BranchCondition => continue,
            });
        }
        format!("{}{suffix} {};", self.info.mnemonic, parts.join(", "))
    }

    /// Whether the operand at `place` of the list, behind the result, is an attribute: the coordinates of lookups.
    fn varies(&self, place: usize) -> bool {
        let is_lookup = self.info.group == Group::Texture && self.language.stage() == Stage::Fragment;
        is_lookup && place == 1 && self.types.first() == Some(&Typed::Float)
    }

    /// `own` with what stands for its braces, a statement a line.
    fn filled(&self, own: &str) -> Vec<String> {
        let mut text = own.to_owned();
        for (number, name) in ["r", "a", "b", "c"].into_iter().enumerate() {
            text = text.replace(&format!("{{set {name}}}"), &self.sets_condition(number));
        }
        let kinds = self.info.operands_in(self.language);
        let kill = if kinds.contains(&OperandKind::Condition) {
            format!("{} KIL LT.x;", self.sets_condition(0))
        } else {
            format!("KIL {}.x;", self.register(0))
        };
        let typed = self.language.profile().typed;
        let rep = if typed { "REP.S 3;" } else { "PARAM count = { 3, 0, 0, 0 }; REP count;" };
        let declares = self.declares();
        let wide = self.language.profile().long_variables;
        let near = format!("{NEAR:#x}");
        let table = format!("c[A0.x + {FIRST_PARAMETER}]");
        let braces = [
            ("{kill}", kill.as_str()),
            ("{rep}", rep),
            ("{attribute}", self.attribute()),
            (
                "{address}",
                if declares {
                    "ADDRESS A0; PARAM table[3] = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 } };"
                } else {
                    ""
                },
            ),
            ("{pointer}", if wide { "LONG TEMP at; PK64.U at, program.local[0];" } else { "" }),
            ("{at}", if wide { "at.x" } else { &near }),
            ("{table}", if declares { "table[A0.x]" } else { &table }),
            ("{write}", &self.written(true).join(" ")),
            ("{results}", &self.written(false).join(" ")),
        ];
        for (name, content) in braces {
            text = text.replace(name, content);
        }
        for (number, name) in ["{r}", "{a}", "{b}", "{c}"].into_iter().enumerate() {
            text = text.replace(name, &self.register(number));
        }
        let mut lines: Vec<String> = Vec::new();
        let mut line = String::new();
        let mut depth = 0usize;
        for letter in text.chars() {
            line.push(letter);
            depth = match letter {
                '{' => depth + 1,
                '}' => depth.saturating_sub(1),
                _ => depth,
            };
            if depth == 0 && matches!(letter, ';' | ':') {
                lines.push(std::mem::take(&mut line).trim().to_owned());
            }
        }
        lines.retain(|line| !line.is_empty());
        lines
    }

    /// A statement that sets the condition code from register `number`.
    fn sets_condition(&self, number: usize) -> String {
        let profile = self.language.profile();
        let suffix = Modifier::Cc(Cc::C).text(profile.modifier_order);
        let name = self.register(number);
        // Where variables are declared no destination stores nothing.
        match profile.condition_registers.first().filter(|_| !self.declares()) {
            Some((register, _)) => format!("MOV{suffix} {register}, {name};"),
            None => format!("MOV{suffix} {name}, {name};"),
        }
    }

    /// The statements that make something to be seen of the result, and emit it if that is wanted.
    fn written(&self, emits: bool) -> Vec<String> {
        let mut lines = Vec::new();
        let shown = match self.result {
            Typed::Float | Typed::Inherited => self.register(0),
            Typed::Signed => {
                lines.push("I2F.S shown, r;".to_owned());
                "shown".to_owned()
            }
            Typed::Unsigned => {
                lines.push("I2F.U shown, r;".to_owned());
                "shown".to_owned()
            }
        };
        let declares = self.declares();
        match self.language.stage() {
            Stage::Fragment => {
                lines.push(format!("MOV {}, {shown};", if declares { "result.color" } else { "o[COLR]" }));
            }
            Stage::Vertex if declares => lines.extend([
                format!("MOV result.color, {shown};"),
                "MOV result.position, vertex.position;".to_owned(),
            ]),
            Stage::Vertex => {
                lines.extend([format!("MOV o[COL0], {shown};"), "MOV o[HPOS], v[OPOS];".to_owned()]);
            }
            Stage::VertexState => lines.push(format!("MOV c[{STATE_RESULT}], {shown};")),
            Stage::TessControl => {
                lines.extend([
                    format!("MOV result.color, {shown};"),
                    "MOV.S me.x, primitive.invocation;".to_owned(),
                    "MOV result.position, corner[me.x];".to_owned(),
                ]);
                let levels = ["tessouter[0]", "tessouter[1]", "tessouter[2]", "tessinner[0]"];
                lines.extend(levels.map(|level| format!("MOV result.patch.{level}.x, 2;")));
            }
            Stage::TessEvaluation => lines.extend([
                format!("MOV result.color, {shown};"),
                format!("MUL {shown}, vertex[0].position, vertex.tesscoord.x;"),
                format!("MAD {shown}, vertex[1].position, vertex.tesscoord.y, {shown};"),
                format!("MAD result.position, vertex[2].position, vertex.tesscoord.z, {shown};"),
            ]),
            Stage::Geometry => {
                for vertex in 0..if emits { 3 } else { 1 } {
                    lines.push(format!("MOV result.color, {shown};"));
                    lines.push(format!("MOV result.position, vertex[{vertex}].position;"));
                    lines.extend(emits.then(|| "EMIT;".to_owned()));
                }
            }
        }
        lines
    }
}

/// The words of a statement.
fn words(statement: &str) -> impl Iterator<Item = &str> {
    statement.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

impl Example {
    /// What its instruction does in a run, in words and numbers.
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
        bindings.textures[0] = texture().map(Arc::new);
        if program.accesses_memory() {
            let (memory, bound) = memory(program);
            bindings.memory = memory.into();
            bindings.buffers[0] = Some(bound);
        }
        bindings
    }
}

/// A picture of 4x4 texels, red to the right, green upwards.
fn texture() -> Option<Texture> {
    let texels = (0..16u8).flat_map(|n| [85 * (n % 4), 85 * (n / 4), 64, 255]).collect();
    let image = Image::from_rgba8([4, 4, 1], texels).ok()?;
    let level = Level { faces: vec![image] };
    let sampler = Sampler { min_filter: MinFilter::Linear, ..Sampler::for_target(TextureTarget::D2) };
    Texture::new(TextureTarget::D2, Format::Rgba8, vec![level], sampler).ok()
}

/// What programs find at [`ADDRESS`], in parameter buffer 0 and on image unit 0: the first of [`BUFFER`], and texels of
/// 32 bits, numbers or, for atomics, integers.
fn memory(program: &Program) -> (Memory, Bound) {
    let mut memory = Memory::default();
    let bytes: Vec<u8> = BUFFER.iter().flat_map(|value| value.to_le_bytes()).collect();
    let buffer = memory.add(&bytes);
    // One that is there alone can be anywhere.
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

/// The format that the image of a program needs: of integers where they are combined.
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

/// A value at an edge of `ty`.
fn edges(ty: Type) -> &'static [f64] {
    const NUMBERS: &[f64] =
        &[0.0, -0.0, 1.0, -1.0, 2.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-40, 3e38];
    const SIGNED: &[f64] = &[0.0, 1.0, -1.0, 2_147_483_647.0, -2_147_483_648.0];
    const UNSIGNED: &[f64] = &[0.0, 1.0, 4_294_967_295.0];
    if ty.is_unsigned_integer() {
        UNSIGNED
    } else if ty.is_integer() {
        SIGNED
    } else {
        NUMBERS
    }
}

/// Operands at the edges, of instructions that take `count` of type `ty`.
fn combinations(ty: Type, count: usize) -> Vec<Vec<f64>> {
    let (inf, nan, max) = (f64::INFINITY, f64::NAN, 3e38);
    let pairs: &[[f64; 2]] = if ty.is_integer() {
        &[[7.0, 0.0], [7.0, -2.0], [-7.0, 2.0], [1.0, 31.0], [1.0, 32.0], [2_147_483_647.0, 1.0]]
    } else {
        &[
            [0.0, 0.0],
            [0.0, -0.0],
            [1.0, 0.0],
            [-1.0, 0.0],
            [0.0, inf],
            [inf, inf],
            [inf, -inf],
            [1.0, inf],
            [nan, 1.0],
            [1.0, nan],
            [max, max],
            [-max, max],
        ]
    };
    let triples: &[[f64; 3]] = if ty.is_integer() {
        &[[0.0, 0.0, 0.0], [2_147_483_647.0, 2.0, 1.0], [-1.0, 3.0, 5.0], [4.0, 8.0, -1.0]]
    } else {
        &[
            [0.0, inf, 1.0],
            [1.0, inf, -inf],
            [1.0, 1.0, nan],
            [nan, 1.0, 1.0],
            [0.0, 1.0, 2.0],
            [-1.0, 1.0, 2.0],
            [max, 2.0, -max],
            [inf, 1.0, 1.0],
        ]
    };
    let fits = |value: &f64| !ty.is_unsigned_integer() || *value >= 0.0;
    let all: Vec<Vec<f64>> = match count {
        1 => edges(ty).iter().map(|value| vec![*value]).collect(),
        2 => pairs.iter().map(|pair| pair.to_vec()).collect(),
        3 => triples.iter().map(|triple| triple.to_vec()).collect(),
        _ => Vec::new(),
    };
    all.into_iter().filter(|values| values.iter().all(fits)).collect()
}

/// `value` as bits of `ty`.
fn bits(value: f64, ty: Type) -> u64 {
    match ty {
        _ if ty.is_unsigned_integer() => (value as u32).into(),
        _ if ty.is_integer() => ((value as i64) as u32).into(),
        _ => (value as f32).to_bits().into(),
    }
}

/// What the instruction of `example` gives for operands at the edges of their type, as the traced executor computes it;
/// nothing for instructions that do not compute their result from the values of their operands alone.
pub fn special_cases(example: &Example) -> Vec<SpecialCase> {
    let loaded = front::load(example.text.as_bytes()).program;
    let Some(program) = loaded.map(Arc::new) else { return Vec::new() };
    let instruction = &program.instructions[example.pc];
    let plan = Plan::of(instruction);
    let is_computed = matches!(plan, Plan::Vector(_) | Plan::Replicated(_) | Plan::Convert(_));
    let places: Vec<Option<ParamId>> =
        (0..instruction.operands.len()).map(|index| loaded_from(&program, example.pc, index)).collect();
    let places: Option<Vec<ParamId>> = places.into_iter().collect();
    let Some(places) = places.filter(|places| is_computed && !places.is_empty()) else { return Vec::new() };
    let types: Vec<Type> = (0..places.len()).map(|index| plan.operand_type(instruction.ty, index)).collect();
    let mut found: Vec<SpecialCase> = Vec::new();
    for values in combinations(types[0], places.len()) {
        let mut bindings = example.bindings(&program);
        for ((place, value), ty) in places.iter().zip(&values).zip(&types) {
            bindings.parameters[usize::from(place.0)] = [bits(*value, *ty); 4];
        }
        let Some(step) = step(&program, &Arc::new(bindings), example.pc) else { continue };
        let given = values.iter().zip(&types);
        let operands = given.map(|(value, ty)| crate::ir::decimal(bits(*value, *ty), *ty)).collect();
        found.extend(special_case(example, &program, &step, operands));
    }
    found
}

/// The parameter that the register which is operand `index` of instruction `pc` was loaded from.
fn loaded_from(program: &Program, pc: usize, index: usize) -> Option<ParamId> {
    let Source::Temp(read) = program.instructions[pc].operands.get(index)?.source else { return None };
    let before = program.instructions.get(..pc)?.iter().rev();
    let writer = before.clone().find(|instruction| instruction.target() == Some(Target::Temp(read)))?;
    match writer.operands.first()?.source {
        Source::Param(id) if writer.op == Opcode::Mov => Some(id),
        _ => None,
    }
}

fn special_case(
    example: &Example,
    program: &Program,
    step: &Step,
    operands: Vec<String>,
) -> Option<SpecialCase> {
    let instruction = &program.instructions[example.pc];
    let mask = instruction.dest()?.mask.0 & step.computed;
    let (plan, packs) = (Plan::of(instruction), instruction.op.info().rule.packs());
    let ty = plan.result_type(instruction.ty);
    let shown = |bits| if packs { crate::ir::pattern(bits, ty) } else { crate::ir::decimal(bits, ty) };
    let mut components: Vec<String> =
        (0..4).filter(|c| mask >> c & 1 != 0).map(|c| shown(step.result[c])).collect();
    if components.iter().all(|component| Some(component) == components.first()) {
        components.truncate(1);
    }
    let result =
        if components.len() == 1 { components.concat() } else { format!("({})", components.join(", ")) };
    let explanation = explain_instruction(example.text.as_bytes(), program, example.pc, Some(step));
    let flushed = step.operands.iter().zip(&operands).position(|(operand, given)| {
        let is_zero = operand.converted.iter().all(|bits| f32::from_bits(*bits as u32) == 0.0);
        is_zero && given.contains("e-")
    });
    let why = match flushed {
        Some(index) => Some(format!("{} is a denorm and counts as 0", NAMES[index.min(2)])),
        // That something comes of itself is no news.
        None => explanation.notes.iter().find(|note| !note.contains(", because ")).map(|note| {
            let note = match note.split_once(": ") {
                Some((components, rest)) if components.chars().all(|c| "xyzw".contains(c)) => rest,
                _ => note,
            };
            let note = note.split_once(": ").map_or(note, |(_, reason)| reason).trim_end_matches('.');
            in_letters(program, instruction, note)
        }),
    };
    Some(SpecialCase { operands, result, why })
}

/// What operands are called in formulas.
const NAMES: [&str; 3] = ["a", "b", "c"];

/// `words` with the letters of operands, all of whose components are equal, in place of their registers.
fn in_letters(program: &Program, instruction: &Instruction, words: &str) -> String {
    let mut words = words.to_owned();
    for (operand, letter) in instruction.operands.iter().zip(NAMES) {
        let name = crate::ir::source_text(program, operand.source);
        for component in ["x", "y", "z", "w"] {
            words = words.replace(&format!("{name}.{component}"), letter);
        }
    }
    words
}

/// The examples of all instructions of `language`.
pub fn examples(language: Language) -> impl Iterator<Item = (&'static Info, Option<Example>)> {
    instructions(language).map(move |info| (info, example(info, language)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_of_every_language_has_an_example_that_loads_and_runs() {
        let mut faults = Vec::new();
        for language in Language::ALL {
            for (info, example) in examples(language) {
                let name = format!("{} in {}", info.mnemonic, language.name());
                let text = Writer::new(info, language).unwrap().text();
                let loaded = front::load(text.as_bytes());
                if !loaded.diagnostics.is_empty() {
                    let words: Vec<_> = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
                    faults.push(format!("{name}: {words:?}\n{text}"));
                    continue;
                }
                let Some(example) = example else {
                    faults.push(format!("{name}: no instruction\n{text}"));
                    continue;
                };
                let program = Arc::new(loaded.program.unwrap());
                let bindings = Arc::new(example.bindings(&program));
                let Some(step) = step(&program, &bindings, example.pc) else {
                    faults.push(format!("{name}: not executed\n{text}"));
                    continue;
                };
                let told = explain_instruction(text.as_bytes(), &program, example.pc, Some(&step));
                let is_blank = |words: &String| words.trim().is_empty();
                if told.sentences.is_empty() || told.sentences.iter().chain(&told.notes).any(is_blank) {
                    faults.push(format!("{name}: {told:?}"));
                }
                // What is accessed is there.
                if step.transfers().any(|transfer| transfer.fault.is_some()) {
                    faults.push(format!("{name}: {:?}", told.notes));
                }
                // What computes has a formula and a number for each result.
                let computes = program.instructions[example.pc].write().is_some();
                if computes
                    && told.results.iter().any(|result| result.numbers.is_none() || result.result.is_none())
                    || computes && told.results.is_empty()
                {
                    faults.push(format!("{name}: {:?}", told.results));
                }
            }
        }
        assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n\n"));
    }

    fn cases(opcode: Opcode, language: Language) -> Vec<(String, String)> {
        let example = example(opcode.info(), language).unwrap();
        special_cases(&example).into_iter().map(|case| (case.operands.join(", "), case.result)).collect()
    }

    #[track_caller]
    fn has(opcode: Opcode, language: Language, operands: &str, result: &str) {
        let cases = cases(opcode, language);
        let found = cases.iter().find(|(given, _)| given == operands).unwrap_or_else(|| panic!("{cases:?}"));
        assert_eq!(found.1, result, "{opcode:?} in {}", language.name());
    }

    /// NV_fragment_program 3.11.5.1, 17, 21, 24; NV_vertex_program2 2.14.3.30 with ruling 1; NV_gpu_program4 2.X.8.
    #[test]
    fn special_cases_are_those_of_the_texts() {
        has(Opcode::Add, Language::Fp1, "inf, -inf", "NaN");
        has(Opcode::Add, Language::Fp1, "inf, inf", "inf");
        has(Opcode::Mul, Language::Fp1, "0, inf", "NaN");
        has(Opcode::Rcp, Language::Fp1, "0", "inf");
        has(Opcode::Rcp, Language::Fp1, "-0", "-inf");
        has(Opcode::Rcp, Language::Vp1, "inf", "0");
        has(Opcode::Sge, Language::Fp1, "NaN, 1", "0");
        has(Opcode::Sge, Language::Vp2, "NaN, 1", "NaN");
        has(Opcode::Lg2, Language::Fp1, "-1", "NaN");
        has(Opcode::Rsq, Language::ArbVp1, "-1", "1");
        has(Opcode::Mad, Language::ArbFp1, "0, inf, 1", "NaN");
    }

    #[test]
    fn examples_tell_the_value_that_their_operands_give() {
        // 1.5 + 0.5, by hand from the numbers in the text.
        let told = example(Opcode::Add.info(), Language::Fp1).unwrap().explained().unwrap();
        assert_eq!(told.results[0].line(), "R0.x = R1.x + R2.x = 1.5 + 0.5 = 2");
    }
}
