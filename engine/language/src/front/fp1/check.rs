//! Turns a parsed statement into IR, and applies the load rules of `!!FP1.0` that need more than one token.

use std::collections::HashMap;

use super::define::Meaning;
use super::words::{OutputName, Register};
use crate::diag::{Diagnostic, codes};
use crate::front::check::{first_conflict, too_many_instructions, two_attributes};
use crate::front::{Sink, dialect};
use crate::ir::constants::{Constant, merge};
use crate::ir::{
    Attribute, CcRegister, CcTest, ConstantVector, Destination, IMAGE_UNITS, Instruction, Kill, Kind,
    Operand, Origin, Output, OutputId, ParamId, Parameter, ParameterSource, Program, ProgramOptions, Source,
    Swizzle, Target, TempId, Temporary, TextureAccess, TextureTarget, Type, Usage, Write, limits,
};
use crate::isa::{Language, Precision, Rule};
use crate::source::Span;

/// Marks the id of a parameter without DECLARE, until the number of DECLAREd parameters is known. Unnamed
/// parameters get the ids after them.
const UNNAMED: u16 = 0x8000;

/// The register or constant that an operand reads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Base {
    Temp(Register),
    Attribute(Attribute),
    Local(ParamId),
    Numbered(u16),
    Constant(Constant),
    /// A register or name with a fault that has been reported.
    Broken,
}

/// The register that a destination names.
#[derive(Clone, Copy, Debug)]
pub(super) enum ParsedTarget {
    Temp(Register),
    Output(OutputName),
    ConditionOnly(Type),
    /// A register with a fault that has been reported.
    Broken,
}

impl ParsedTarget {
    const fn ty(self) -> Option<Type> {
        match self {
            Self::Temp(register) => Some(register.ty),
            Self::Output(output) => Some(output.ty()),
            Self::ConditionOnly(ty) => Some(ty),
            Self::Broken => None,
        }
    }
}

/// A texture reference as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParsedTexture {
    pub unit: u8,
    pub target: TextureTarget,
    pub span: Span,
    pub target_span: Span,
}

/// The parts of an instruction other than destination and operands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extra {
    pub texture: Option<ParsedTexture>,
    pub kill: Option<CcTest>,
}

pub(super) type ParsedOperand = dialect::ParsedOperand<Base>;
pub(super) type ParsedDestination = dialect::ParsedDestination<ParsedTarget>;
pub(super) type ParsedInstruction = dialect::ParsedInstruction<Base, ParsedTarget, Extra>;

/// Builds the program, and keeps the facts about earlier statements that the load rules need.
#[derive(Debug)]
pub(super) struct Checker {
    instructions: Vec<Instruction>,
    count: usize,
    temporaries: Vec<Temporary>,
    temps: [Option<TempId>; Register::COUNT],
    outputs: Vec<Output>,
    output_ids: [Option<OutputId>; 3],
    color: Option<(OutputName, Span)>,
    locals: Vec<Parameter>,
    unnamed: Vec<Parameter>,
    constants: HashMap<[u32; 4], ParamId>,
    numbered: [Option<ParamId>; limits::NUMBERED_PARAMETERS],
    units: [Option<(TextureTarget, Span)>; IMAGE_UNITS],
    halves: usize,
    /// The first use of a register that takes `halves` past the limit.
    halves_exceeded: Option<Span>,
    /// Whether a statement with an unknown destination could not be read.
    lost_statement: bool,
    output_written: bool,
    pub(super) options: ProgramOptions,
}

impl Default for Checker {
    fn default() -> Self {
        Self {
            instructions: Vec::new(),
            count: 0,
            temporaries: Vec::new(),
            temps: [None; Register::COUNT],
            outputs: Vec::new(),
            output_ids: [None; 3],
            color: None,
            locals: Vec::new(),
            unnamed: Vec::new(),
            constants: HashMap::new(),
            numbered: [None; limits::NUMBERED_PARAMETERS],
            units: [None; IMAGE_UNITS],
            halves: 0,
            halves_exceeded: None,
            lost_statement: false,
            output_written: false,
            options: ProgramOptions::default(),
        }
    }
}

impl Checker {
    /// Notes that a statement was lost before its destination was known. A finding that the program writes no
    /// output would then be uncertain.
    pub(super) const fn note_lost_statement(&mut self) {
        self.lost_statement = true;
    }

    /// Adds a local parameter.
    pub(super) fn declare(&mut self, name: &str, initial: [f32; 4], span: Span, sink: &mut Sink) -> Meaning {
        match u16::try_from(self.locals.len()) {
            Ok(id) if id < UNNAMED => {
                let source = ParameterSource::Named { name: name.to_owned(), initial };
                self.locals.push(Parameter::from(source));
                Meaning::Local(ParamId(id))
            }
            _ => {
                sink.push(
                    Diagnostic::new(codes::FP1_TOO_MANY_PARAMETERS, span, "too many local parameters")
                        .with_note(format!("This implementation allows at most {UNNAMED}.")),
                );
                Meaning::Broken
            }
        }
    }

    /// Counts an instruction, and reports the first one beyond the limit.
    fn count_instruction(&mut self, parsed: &ParsedInstruction, sink: &mut Sink) {
        self.count += 1;
        if self.count == limits::INSTRUCTIONS + 1 {
            let note = "DEFINE and DECLARE do not count.";
            sink.push(too_many_instructions(
                codes::FP1_TOO_MANY_INSTRUCTIONS,
                limits::INSTRUCTIONS,
                parsed.mnemonic_span,
                note,
            ));
        }
    }

    /// Checks the known part of an instruction that could not be read to its end. Its first offending token
    /// may come before the token at which reading stopped.
    pub(super) fn note_broken(&mut self, parsed: &ParsedInstruction, sink: &mut Sink) {
        self.count_instruction(parsed, sink);
        self.one_attribute(parsed, sink);
        self.table_rule(parsed, sink);
        if let Some(dest) = &parsed.dest {
            self.destination(dest, sink);
        }
        self.operands(parsed, sink);
        if let Some(texture) = &parsed.extra.texture {
            self.texture(texture, sink);
        }
    }

    /// Checks an instruction and adds it to the program.
    pub(super) fn instruction(&mut self, parsed: ParsedInstruction, sink: &mut Sink) {
        self.count_instruction(&parsed, sink);
        self.one_attribute(&parsed, sink);
        self.table_rule(&parsed, sink);
        let dest = parsed.dest.as_ref().map(|d| self.destination(d, sink));
        let operands = self.operands(&parsed, sink);
        let texture = parsed.extra.texture.as_ref().map(|t| self.texture(t, sink));
        if self.count > limits::INSTRUCTIONS {
            return;
        }
        // With a broken part, no program results. The rest is still worth checking.
        let (dest, operands) = match (dest, operands) {
            (Some(None), _) | (_, None) => return,
            (dest, Some(operands)) => (dest.flatten(), operands),
        };
        let write = dest.map(|dest| Write {
            dest,
            saturate: parsed.suffixes.saturate,
            update_cc: parsed.suffixes.cc.map(CcRegister::from),
        });
        let kind = match (write, texture, parsed.extra.kill) {
            (Some(write), Some(texture), _) => Kind::Texture(write, texture),
            (Some(write), None, _) => Kind::Alu(write),
            (None, _, Some(test)) => Kind::Kill(Kill::Test(test)),
            (None, _, None) => return,
        };
        self.instructions.push(Instruction {
            op: parsed.info.opcode,
            semantics: Language::Fp1.profile().semantics,
            ty: operation_type(&parsed),
            operands,
            kind,
            span: parsed.span,
            mnemonic_span: parsed.mnemonic_span,
            origin: Origin::Text,
        });
    }

    fn one_attribute(&self, parsed: &ParsedInstruction, sink: &mut Sink) {
        let reads = parsed.operands.iter().filter_map(|operand| match operand.base {
            Base::Attribute(attribute) => Some((attribute, operand.base_span)),
            _ => None,
        });
        if let Some((first, other)) = first_conflict(reads) {
            sink.push(two_attributes(codes::FP1_TWO_ATTRIBUTES, Language::Fp1, first, other));
        }
    }

    fn table_rule(&self, parsed: &ParsedInstruction, sink: &mut Sink) {
        let mnemonic = parsed.info.mnemonic;
        match (parsed.info.rule, &parsed.dest) {
            (Rule::WideDestination, Some(dest)) if dest.target.ty() == Some(Type::F16) => {
                sink.push(
                    Diagnostic::new(
                        codes::FP1_PACK_DESTINATION,
                        dest.register_span,
                        format!("{mnemonic} packs 32 bits: the destination must have 32-bit components"),
                    )
                    .with_note("Write to an R register, o[COLR] or o[DEPR]."),
                );
            }
            (Rule::WideSource, _) => {
                for operand in &parsed.operands {
                    if matches!(operand.base, Base::Temp(register) if register.ty == Type::F16) {
                        sink.push(
                            Diagnostic::new(
                                codes::FP1_UNPACK_SOURCE,
                                operand.base_span,
                                format!(
                                    "{mnemonic} unpacks 32 bits: the operand must have 32-bit components"
                                ),
                            )
                            .with_note("Read an R register, an attribute, a constant or a parameter."),
                        );
                    }
                }
            }
            (Rule::NoW, Some(dest)) if dest.mask.has(3) => {
                let fault = Diagnostic::new(
                    codes::FP1_RFL_W,
                    dest.mask_tokens[3],
                    format!("{mnemonic} has no w result: leave w out of the write mask"),
                );
                sink.push(if dest.mask_span == dest.register_span {
                    fault.with_note("Without a mask, an instruction writes all four components.").with_fix(
                        "add .xyz",
                        Span::at(dest.register_span.end),
                        ".xyz",
                    )
                } else {
                    fault
                });
            }
            _ => {}
        }
    }

    fn count_halves(&mut self, ty: Type, span: Span) {
        self.halves += if ty == Type::F16 { 1 } else { 2 };
        if self.halves > limits::REGISTER_HALVES && self.halves_exceeded.is_none() {
            self.halves_exceeded = Some(span);
        }
    }

    fn temporary(&mut self, register: Register, span: Span) -> TempId {
        if let Some(id) = self.temps[register.index()] {
            return id;
        }
        // There are 96 registers, so the index fits.
        let id = TempId(u16::try_from(self.temporaries.len()).unwrap_or(u16::MAX));
        self.temporaries.push(Temporary { name: register.name(), ty: register.ty });
        self.temps[register.index()] = Some(id);
        self.count_halves(register.ty, span);
        id
    }

    fn output(&mut self, output: OutputName, span: Span, sink: &mut Sink) -> OutputId {
        self.output_written = true;
        if output != OutputName::Depr {
            match self.color {
                None => self.color = Some((output, span)),
                Some((other, first)) if other != output => {
                    if self.output_ids[output as usize].is_none() {
                        sink.push(
                            Diagnostic::new(
                                codes::FP1_TWO_COLORS,
                                span,
                                format!("the program already writes o[{}]", other.name()),
                            )
                            .with_label(first, "the other colour output")
                            .with_note("A program can write o[COLR] or o[COLH], not both."),
                        );
                    }
                }
                Some(_) => {}
            }
        }
        if let Some(id) = self.output_ids[output as usize] {
            return id;
        }
        let id = OutputId(u16::try_from(self.outputs.len()).unwrap_or(u16::MAX));
        let name = format!("o[{}]", output.name());
        self.outputs.push(Output { name, role: output.role(), ty: output.ty() });
        self.output_ids[output as usize] = Some(id);
        self.count_halves(output.ty(), span);
        id
    }

    fn destination(&mut self, dest: &ParsedDestination, sink: &mut Sink) -> Option<Destination> {
        let target = match dest.target {
            ParsedTarget::Temp(register) => Target::Temp(self.temporary(register, dest.register_span)),
            ParsedTarget::Output(output) => Target::Output(self.output(output, dest.register_span, sink)),
            ParsedTarget::ConditionOnly(ty) => Target::ConditionOnly(ty),
            ParsedTarget::Broken => {
                self.lost_statement = true;
                return None;
            }
        };
        Some(dest.writing(target))
    }

    fn texture(&mut self, texture: &ParsedTexture, sink: &mut Sink) -> TextureAccess {
        let slot = &mut self.units[usize::from(texture.unit)];
        match *slot {
            Some((target, first)) if target != texture.target => sink.push(
                Diagnostic::new(
                    codes::FP1_TWO_TARGETS,
                    texture.target_span,
                    format!(
                        "TEX{} is used as {} here but as {} earlier",
                        texture.unit,
                        texture.target.name(),
                        target.name()
                    ),
                )
                .with_label(first, "first used here")
                .with_note("A program can use only one target for each texture image unit."),
            ),
            Some(_) => {}
            None => *slot = Some((texture.target, texture.span)),
        }
        TextureAccess::new(texture.unit, texture.target)
    }

    /// The operands, with their parameters resolved and their constants merged. `None` if an operand is
    /// broken.
    fn operands(&mut self, parsed: &ParsedInstruction, sink: &mut Sink) -> Option<Vec<Operand>> {
        let merged = self.one_parameter(parsed, sink)?;
        let mut maps = merged.iter().flat_map(|(_, maps)| maps.iter());
        let mut operands = Vec::with_capacity(parsed.operands.len());
        for operand in &parsed.operands {
            let mut swizzle = operand.swizzle;
            let source = match operand.base {
                Base::Temp(register) => Source::Temp(self.temporary(register, operand.base_span)),
                Base::Attribute(attribute) => Source::Attribute(attribute),
                Base::Local(id) => Source::Param(id),
                Base::Numbered(number) => Source::Param(self.numbered(number)),
                Base::Constant(_) => {
                    let ((id, _), map) = (merged.as_ref()?, maps.next()?);
                    swizzle = Swizzle(swizzle.0.map(|c| map[usize::from(c)]));
                    Source::Param(*id)
                }
                Base::Broken => return None,
            };
            operands.push(operand.reading(source, swizzle));
        }
        Some(operands)
    }

    /// Checks that an instruction reads only one program parameter. Returns the parameter into which its
    /// constants merge, with a swizzle for each constant, or `Some(None)` without constants. `None` if the
    /// instruction breaks the rule.
    fn one_parameter(
        &mut self,
        parsed: &ParsedInstruction,
        sink: &mut Sink,
    ) -> Option<Option<(ParamId, Vec<[u8; 4]>)>> {
        let mut constants: Vec<(Constant, Span)> = Vec::new();
        let mut first: Option<(Base, Span)> = None;
        for operand in &parsed.operands {
            let same = match (first, operand.base) {
                (_, Base::Temp(_) | Base::Attribute(_) | Base::Broken) => continue,
                (None, _) => true,
                (Some((Base::Local(a), _)), Base::Local(b)) => a == b,
                (Some((Base::Numbered(a), _)), Base::Numbered(b)) => a == b,
                (Some((Base::Constant(_), _)), Base::Constant(_)) => true,
                (Some(_), _) => false,
            };
            if let (false, Some((_, span))) = (same, first) {
                sink.push(
                    Diagnostic::new(codes::FP1_TWO_PARAMETERS,
                        operand.base_span,
                        "an instruction can read only one program parameter",
                    )
                    .with_label(span, "first parameter read here")
                    .with_note("Only constants can be merged, and only with each other. MOV one parameter to a temporary register first."),
                );
                return None;
            }
            first = first.or(Some((operand.base, operand.base_span)));
            if let Base::Constant(constant) = operand.base {
                constants.push((constant, operand.base_span));
            }
        }
        if constants.is_empty() {
            return Some(None);
        }
        let values: Vec<Constant> = constants.iter().map(|(c, _)| *c).collect();
        match merge(&values) {
            Ok(merged) => Some(Some((self.constant(merged.value), merged.maps))),
            Err(index) => {
                sink.push(too_many_scalars(&constants, index));
                None
            }
        }
    }

    fn add_unnamed(&mut self, source: ParameterSource) -> ParamId {
        // At most 1024 instructions add constants, so the index never reaches [`UNNAMED`].
        let index = u16::try_from(self.unnamed.len()).unwrap_or(UNNAMED - 1);
        self.unnamed.push(Parameter::from(source));
        ParamId(UNNAMED | index)
    }

    fn constant(&mut self, value: [f32; 4]) -> ParamId {
        let bits = value.map(f32::to_bits);
        if let Some(&id) = self.constants.get(&bits) {
            return id;
        }
        if self.count > limits::INSTRUCTIONS {
            return ParamId(UNNAMED);
        }
        let id = self.add_unnamed(ParameterSource::Constant(ConstantVector::floats(value)));
        self.constants.insert(bits, id);
        id
    }

    fn numbered(&mut self, number: u16) -> ParamId {
        if let Some(id) = self.numbered[usize::from(number)] {
            return id;
        }
        let id = self.add_unnamed(ParameterSource::Local(number));
        self.numbered[usize::from(number)] = Some(id);
        id
    }

    /// Reports the faults that are known only at the program's end, at its length (5.7, ruling 13).
    pub(super) fn finish_faults(&self, length: usize, end: Span, sink: &mut Sink) {
        if let Some(span) = self.halves_exceeded {
            sink.push(
                Diagnostic::new(
                    codes::FP1_TOO_MANY_REGISTERS,
                    span,
                    format!("the program's registers need {} register halves; the limit is 64", self.halves),
                )
                .with_primary_text("the limit is exceeded here")
                .with_note(
                    "R registers, o[COLR] and o[DEPR] take two halves each, H registers and o[COLH] one.",
                )
                .at_position(length),
            );
        }
        if !self.output_written && !self.lost_statement {
            sink.push(
                Diagnostic::new(codes::FP1_NO_OUTPUT, end, "the program writes no output register")
                    .with_note("Write o[COLR], o[COLH] or o[DEPR].")
                    .at_position(length),
            );
        }
    }

    /// The program, if there were no faults.
    pub(super) fn into_program(mut self) -> Program {
        let named = u16::try_from(self.locals.len()).unwrap_or(UNNAMED);
        for operand in self.instructions.iter_mut().flat_map(|i| i.operands.iter_mut()) {
            if let Source::Param(ParamId(id)) = &mut operand.source
                && *id & UNNAMED != 0
            {
                *id = (*id & !UNNAMED) + named;
            }
        }
        let mut parameters = self.locals;
        parameters.append(&mut self.unnamed);
        Program {
            language: Language::Fp1,
            usage: vec![
                Usage {
                    what: "instructions",
                    about: "Executable instructions in the program, out of the maximum",
                    used: self.instructions.len(),
                    limit: limits::INSTRUCTIONS,
                },
                Usage {
                    what: "register halves",
                    about: "An R register or a wide output takes two halves, an H register or a narrow output one",
                    used: self.halves,
                    limit: limits::REGISTER_HALVES,
                },
            ],
            instructions: self.instructions,
            temporaries: self.temporaries,
            parameters,
            outputs: self.outputs,
            interpolations: Vec::new(),
            geometry: None,
            patch_vertices: None,
            tessellation: None,
            variables: Vec::new(),
            labels: Vec::new(),
            subroutines: Default::default(),
            buffers: Vec::new(),
            entry: 0,
            options: self.options,
        }
    }
}

/// The precision of an instruction's arithmetic (3.11.4.2; rulings 8 and 9).
fn operation_type(parsed: &ParsedInstruction) -> Type {
    let full = parsed
        .operands
        .iter()
        .any(|o| matches!(o.base, Base::Attribute(Attribute::Fogc | Attribute::Tex(_))));
    let takes_none = parsed.info.forms(Language::Fp1).is_none_or(|forms| !forms.has_precisions());
    if full || takes_none {
        return Type::F32;
    }
    match parsed.suffixes.precision {
        Some(Precision::R) => Type::F32,
        Some(Precision::H) => Type::F16,
        Some(Precision::X) => Type::Fx12,
        None => parsed.dest.and_then(|d| d.target.ty()).unwrap_or(Type::F32),
    }
}

fn too_many_scalars(constants: &[(Constant, Span)], index: usize) -> Diagnostic {
    let fault = Diagnostic::new(codes::FP1_TOO_MANY_SCALARS,
        constants[index].1,
        "the constants of an instruction can have at most four different scalars",
    )
    .with_note("The constants are merged into one four-component vector. Every component counts, used or not; 4 and -4 differ, and so do +0 and -0.");
    constants[..index].iter().fold(fault, |fault, (_, span)| fault.with_label(*span, "merged with this"))
}
