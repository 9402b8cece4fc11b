//! The interface of a program to the other stages of a draw: its results, the attributes that it reads, the
//! vertices that it emits, and the textures and images that it accesses. [`super::linked`] compares
//! interfaces.

use super::analysis::Analysis;
use super::emitted;
use super::flow::{Components, Facts, Graph, Registers, used_components};
use shadestep_language::ir::{
    Access, Attribute, Instruction, Interpolations, OutputRole, Program, ProgramOptions, Saturation, Source,
    Swizzle, Target, TessellationLayout, TextureTarget, Type, constant_type,
};
use shadestep_language::isa::Language;
use shadestep_language::semantics::plan::{Plan, ResultTypes, Texel};
use shadestep_language::source::Span;
use std::collections::{BTreeMap, HashSet};

/// The interface of a program to the other stages of a draw.
///
/// ```
/// use shadestep_ide::lint::{Interface, load};
///
/// let program = load(b"!!FP1.0 MOV o[COLR], f[TEX0]; END").program.unwrap();
/// let interface = Interface::of(&program);
/// ```
#[derive(Clone, Debug)]
pub struct Interface {
    pub(super) language: Language,
    pub(super) options: ProgramOptions,
    pub(super) tessellation: Option<TessellationLayout>,
    pub(super) interpolations: Interpolations,
    /// The results that some path writes.
    pub(super) given: BTreeMap<OutputRole, Given>,
    /// Reads of earlier stages, each once.
    pub(super) reads: Vec<Read>,
    /// EMIT and EMITS.
    pub(super) emitted: Vec<EmittedVertex>,
    pub(super) lookups: Vec<Lookup>,
    pub(super) stores: Vec<Store>,
}

/// The writes of a program to a result.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// The name of the result in the program.
    pub name: String,
    /// Components that some path writes, bit 0 = x.
    pub components: u8,
    /// The components that are written as integers.
    pub integers: u8,
    /// The components that are written as floats.
    pub floats: u8,
    /// The components that are copied from registers of an unknown type.
    pub copies: u8,
}

/// A read of an attribute, or of one of several.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Read {
    /// The attributes that may be read. An attribute of vertex 0 stands for the attribute of every vertex.
    pub attributes: Vec<Attribute>,
    /// Components that matter, bit 0 = x.
    pub components: u8,
    /// The type of the read.
    pub numbers: Numbers,
    /// The results to which an instruction copies these components unchanged, if the program uses the
    /// components for nothing else.
    pub passed_on: Vec<OutputRole>,
    pub span: Span,
}

/// How bits are read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Numbers {
    Integers,
    Floats,
    /// Copied without regard to their type.
    Any,
}

/// A vertex that a geometry program emits.
#[derive(Clone, Debug)]
pub(super) struct EmittedVertex {
    pub span: Span,
    /// The stream, if the text determines the stream.
    pub stream: Option<i64>,
    /// The components of each result that some path has written since the last vertex.
    pub written: BTreeMap<OutputRole, u8>,
}

/// A lookup of texels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookup {
    pub unit: u8,
    /// The target of the texture.
    pub target: TextureTarget,
    pub span: Span,
}

/// A store or an atomic operation on texels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Store {
    /// The image unit.
    pub unit: u8,
    pub span: Span,
}

impl Interface {
    /// The interface of `program`. If the program is too large for the analyses, only the results are known.
    pub fn of(program: &Program) -> Self {
        let facts = Facts::of(program);
        let graph = Graph::of(facts);
        let reached = graph.reached();
        let mut interface = Self {
            language: program.language,
            options: program.options,
            tessellation: program.tessellation,
            interpolations: program.interpolation(),
            given: BTreeMap::new(),
            reads: Vec::new(),
            emitted: Vec::new(),
            lookups: Vec::new(),
            stores: Vec::new(),
        };
        let Some(analysis) = Analysis::of(facts, &graph, &reached) else {
            program.instructions.iter().for_each(|instruction| interface.note_results(program, instruction));
            return interface;
        };
        let mut known = HashSet::new();
        analysis.each(|pc, wanted, written| {
            let instruction = &program.instructions[pc];
            interface.note_results(program, instruction);
            interface.note_textures(instruction);
            if facts.emits(pc) {
                interface.note_vertex((program, facts.registers), pc, written);
            }
            if let Some(wanted) = wanted {
                let reads = reads(program, instruction, wanted);
                let new = reads.filter(|read| known.insert(Read { span: Span::default(), ..read.clone() }));
                interface.reads.extend(new);
            }
        });
        interface
    }

    fn note_results(&mut self, program: &Program, instruction: &Instruction) {
        let Some(dest) = instruction.dest() else { return };
        let numbers = written_as(program, instruction);
        for output in program.outputs_of(dest.target) {
            let given = self.given.entry(output.role).or_insert_with(|| Given {
                name: output.name.clone(),
                components: 0,
                integers: 0,
                floats: 0,
                copies: 0,
            });
            given.components |= dest.mask.0;
            *match numbers {
                Numbers::Integers => &mut given.integers,
                Numbers::Floats => &mut given.floats,
                Numbers::Any => &mut given.copies,
            } |= dest.mask.0;
        }
    }

    fn note_textures(&mut self, instruction: &Instruction) {
        if let Some(access) = instruction.texture()
            && !matches!(Plan::of(instruction), Plan::Texel(Texel::Size))
            && let (Some(texture), None) = (access.units().next(), access.units().nth(1))
        {
            let target = texture.target.image();
            self.lookups.push(Lookup { unit: texture.unit, target, span: instruction.span });
        }
        let memory = instruction.memory().filter(|memory| !matches!(memory.access, Access::Load(_)));
        if let Some(image) = memory.and_then(|memory| memory.image)
            && image.index.register.is_none()
            && let Some(unit) = image.unit(image.index.offset)
        {
            self.stores.push(Store { unit, span: instruction.span });
        }
    }

    fn note_vertex(&mut self, (program, registers): (&Program, Registers), pc: usize, written: &Components) {
        let outputs = program.outputs.iter().enumerate();
        self.emitted.push(EmittedVertex {
            span: program.instructions[pc].span,
            stream: emitted::stream(program, pc),
            written: outputs
                .map(|(number, output)| (output.role, written.get(registers.output(number))))
                .collect(),
        });
    }
}

/// The reads of earlier stages by `instruction`, if the components `wanted` of its result matter.
fn reads(program: &Program, instruction: &Instruction, wanted: u8) -> impl Iterator<Item = Read> {
    let operands = instruction.operands.iter().enumerate();
    operands.filter_map(move |(number, operand)| {
        let mut attributes: Vec<Attribute> =
            operand.source.attributes().map(|attribute| attribute.at_vertex(0)).collect();
        attributes.sort_unstable();
        attributes.dedup();
        let components = used_components(instruction, number, wanted);
        let is_read = !attributes.is_empty() && components != 0;
        is_read.then(|| Read {
            attributes,
            components,
            numbers: read_as(program, instruction, number),
            passed_on: passed_on(program, instruction),
            span: operand.span,
        })
    })
}

/// Whether operand `number` of `instruction` is copied bit by bit.
fn is_copied(instruction: &Instruction, number: usize) -> bool {
    let operand = &instruction.operands[number];
    let is_plain = operand.negate.0 == 0 && !operand.absolute && !operand.negate_absolute;
    is_plain && instruction.saturate() == Saturation::None && Plan::of(instruction).keeps_bits(number)
}

/// The results to which `instruction` copies its only operand, component by component.
fn passed_on(program: &Program, instruction: &Instruction) -> Vec<OutputRole> {
    let ([operand], Some(dest), None) =
        (&instruction.operands[..], instruction.dest(), instruction.update_cc())
    else {
        return Vec::new();
    };
    if !is_copied(instruction, 0) || operand.swizzle != Swizzle::IDENTITY {
        return Vec::new();
    }
    program.outputs_of(dest.target).map(|output| output.role).collect()
}

/// The type as which `instruction` reads its operand `number`.
fn read_as(program: &Program, instruction: &Instruction, number: usize) -> Numbers {
    let ty = constant_type(program, instruction, number);
    let is_color = matches!(instruction.target(), Some(Target::Output(_)))
        && instruction.target().is_some_and(|target| {
            program.outputs_of(target).any(|output| matches!(output.role, OutputRole::Color(_)))
        });
    match ty {
        _ if Plan::of(instruction).reads_raw_bits() => Numbers::Any,
        ty if ty.is_integer() => Numbers::Integers,
        // A colour has the type of the instruction that writes it.
        _ if is_copied(instruction, number) && !is_color => Numbers::Any,
        _ => Numbers::Floats,
    }
}

/// The type as which `instruction` writes its result.
fn written_as(program: &Program, instruction: &Instruction) -> Numbers {
    let result = ResultTypes::of(program, instruction).in_register();
    if result.is_integer() {
        return Numbers::Integers;
    }
    let is_copy = |number: usize| {
        let source = instruction.operands[number].source;
        let is_constant = matches!(source, Source::Param(_)) && instruction.ty == Type::F32;
        is_copied(instruction, number) && !is_constant
    };
    // SEL and similar instructions copy one of several operands.
    let copies = (0..instruction.operands.len()).any(is_copy);
    if copies { Numbers::Any } else { Numbers::Floats }
}
