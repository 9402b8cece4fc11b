//! Turns a parsed statement into IR, and applies the load rules of the vertex languages that need more than
//! one token.
//!
//! Until the program is complete, a [`ParamId`] is the register's number, and branches have no target.

use super::parser::DIALECT;
use crate::diag::{Diagnostic, codes};
use crate::front::check::{first_conflict, too_many_instructions, two_attributes};
use crate::front::label::Labels;
use crate::front::{Sink, dialect};
use crate::ir::{
    Attribute, CcRegister, CcTest, Control, Destination, Element, Index, Indirect, Instruction, Kind,
    Operand, Origin, Output, OutputId, OutputRole, ParamId, Parameter, ParameterSource, Program,
    ProgramOptions, Source, Target, TempId, Temporary, Type, Usage, VertexResult, Write, limits,
};
use crate::isa::{Action, Language, Limits, Stage};
use crate::source::Span;

/// A program parameter as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// `c[n]`
    Absolute(u16),
    /// `c[A0.x+n]`
    Relative { address: u8, component: u8, offset: i64 },
}

/// The register that an operand reads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Base {
    Temp(u8),
    Attribute(u8),
    Parameter(Reference),
    /// A whole address register (ARA).
    Address(u8),
    /// A register with a fault that has been reported.
    Broken,
}

/// The register that a destination names.
#[derive(Clone, Copy, Debug)]
pub(super) enum ParsedTarget {
    Temp(u8),
    Address(u8),
    Result(VertexResult),
    Parameter(u16),
    ConditionOnly,
    /// A register with a fault that has been reported.
    Broken,
}

/// The parts of an instruction other than destination and operands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extra<'t> {
    /// The target of BRA and CAL. An empty name has been reported.
    pub label: Option<(&'t str, Span)>,
    pub test: Option<CcTest>,
}

pub(super) type ParsedOperand = dialect::ParsedOperand<Base>;
pub(super) type ParsedDestination = dialect::ParsedDestination<ParsedTarget>;
pub(super) type ParsedInstruction<'t> = dialect::ParsedInstruction<Base, ParsedTarget, Extra<'t>>;

/// A temporary or an address register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Register {
    Temp(u8),
    Address(u8),
}

impl Register {
    /// The number of registers: 16 temporaries and 2 address registers.
    const COUNT: usize = 18;

    fn index(self) -> usize {
        match self {
            Self::Temp(number) => usize::from(number),
            Self::Address(number) => 16 + usize::from(number),
        }
    }

    fn temporary(self) -> Temporary {
        match self {
            Self::Temp(number) => Temporary { name: format!("R{number}"), ty: Type::F32 },
            Self::Address(number) => Temporary { name: format!("A{number}"), ty: Type::Address },
        }
    }
}

/// Builds the program, and keeps the facts about earlier statements that the load rules need.
pub(super) struct Checker<'t> {
    language: Language,
    limits: Limits,
    position_invariant: bool,
    instructions: Vec<Instruction>,
    count: usize,
    temporaries: Vec<Temporary>,
    registers: [Option<TempId>; Register::COUNT],
    outputs: Vec<Output>,
    output_ids: [Option<OutputId>; VertexResult::COUNT],
    /// Parameter registers in order of first use.
    parameters: Vec<u16>,
    /// The place of each register in `parameters`.
    parameter_ids: Vec<Option<ParamId>>,
    /// Whether any parameter reference is relative.
    relative: bool,
    labels: Labels<'t>,
    position_written: bool,
    parameter_written: bool,
    /// Whether a statement with an unknown destination could not be read.
    lost_statement: bool,
}

impl<'t> Checker<'t> {
    pub(super) fn new(language: Language) -> Self {
        let limits = language.profile().limits;
        Self {
            language,
            limits,
            position_invariant: false,
            instructions: Vec::new(),
            count: 0,
            temporaries: Vec::new(),
            registers: [None; Register::COUNT],
            outputs: Vec::new(),
            output_ids: [None; VertexResult::COUNT],
            parameters: Vec::new(),
            parameter_ids: vec![None; limits.parameters],
            relative: false,
            labels: Labels::new(&DIALECT),
            position_written: false,
            parameter_written: false,
            lost_statement: false,
        }
    }

    /// Notes that a statement was lost before its destination was known. A finding that the program does not
    /// write something would then be uncertain.
    pub(super) const fn note_lost_statement(&mut self) {
        self.lost_statement = true;
    }

    /// Notes that a label could not be read, so that the set of labels is unknown.
    pub(super) const fn note_broken_label(&mut self) {
        self.labels.note_broken();
    }

    /// Applies `OPTION NV_position_invariant`.
    pub(super) const fn make_position_invariant(&mut self) {
        self.position_invariant = true;
    }

    pub(super) const fn is_position_invariant(&self) -> bool {
        self.position_invariant
    }

    /// The limit on instructions (2.14.1.8, 2.14.6.1).
    const fn instruction_limit(&self) -> usize {
        self.limits.instructions - if self.position_invariant { limits::INVARIANT_INSTRUCTIONS } else { 0 }
    }

    /// Adds a label before the next instruction.
    pub(super) fn label(&mut self, name: &'t str, span: Span, sink: &mut Sink) {
        self.labels.make(name, self.instructions.len(), span, sink);
    }

    /// Counts an instruction, and reports the first one beyond the limit.
    fn count_instruction(&mut self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        self.count += 1;
        let limit = self.instruction_limit();
        if self.count == limit + 1 {
            let note = if self.position_invariant {
                "The limit is lower for position-invariant programs."
            } else {
                "Labels do not count."
            };
            sink.push(too_many_instructions(
                codes::VP_TOO_MANY_INSTRUCTIONS,
                limit,
                parsed.mnemonic_span,
                note,
            ));
        }
    }

    /// Checks the known part of an instruction that could not be read to its end. Its first offending token
    /// may come before the token at which reading stopped.
    pub(super) fn note_broken(&mut self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        self.count_instruction(parsed, sink);
        self.one_attribute(parsed, sink);
        self.one_parameter(parsed, sink);
        if let Some(dest) = &parsed.dest {
            self.destination(dest, sink);
        }
        self.use_label(parsed);
    }

    /// Checks an instruction and adds it to the program.
    pub(super) fn instruction(&mut self, parsed: ParsedInstruction<'t>, sink: &mut Sink) {
        self.count_instruction(&parsed, sink);
        self.one_attribute(&parsed, sink);
        self.one_parameter(&parsed, sink);
        let operands: Option<Vec<Operand>> =
            parsed.operands.iter().map(|operand| self.operand(operand)).collect();
        let dest = parsed.dest.as_ref().map(|dest| self.destination(dest, sink));
        self.use_label(&parsed);
        if self.count > self.instruction_limit() {
            return;
        }
        // With a broken part, no program results. The rest is still worth checking.
        let (dest, operands) = match (dest, operands) {
            (Some(None), _) | (_, None) => (None, Vec::new()),
            (dest, Some(operands)) => (dest.flatten(), operands),
        };
        if let Some((name, _)) = parsed.extra.label {
            self.labels.branch(self.instructions.len(), name);
        }
        // [`Labels::resolve`] fills in the targets at the end.
        let control = if let Action::Flow(flow) = parsed.info.action {
            Control::without_target(flow, parsed.extra.test)
        } else {
            None
        };
        let kind = control.map_or_else(
            || {
                let dest = dest.unwrap_or_else(|| Destination::whole(Target::ConditionOnly(Type::F32)));
                let update_cc = parsed.suffixes.cc.map(CcRegister::from);
                Kind::Alu(Write { update_cc, ..dest.into() })
            },
            Kind::Flow,
        );
        self.instructions.push(Instruction {
            op: parsed.info.opcode,
            semantics: self.language.profile().semantics,
            ty: Type::F32,
            operands,
            kind,
            span: parsed.span,
            mnemonic_span: parsed.mnemonic_span,
            origin: Origin::Text,
        });
    }

    fn use_label(&mut self, parsed: &ParsedInstruction<'t>) {
        if let Some((name, span)) = parsed.extra.label {
            self.labels.use_name(name, span);
        }
    }

    fn one_attribute(&self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        let reads = parsed.operands.iter().filter_map(|operand| match operand.base {
            Base::Attribute(number) => Some((Attribute::Vertex(number), operand.base_span)),
            _ => None,
        });
        if let Some((first, other)) = first_conflict(reads) {
            sink.push(two_attributes(codes::VP_TWO_ATTRIBUTES, self.language, first, other));
        }
    }

    fn one_parameter(&self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        let reads = parsed.operands.iter().filter_map(|operand| match operand.base {
            Base::Parameter(reference) => Some((reference, operand.base_span)),
            _ => None,
        });
        if let Some(((_, first), (_, other))) = first_conflict(reads) {
            sink.push(
                Diagnostic::new(codes::VP_TWO_PARAMETERS,
                    other,
                    "an instruction can read only one program parameter",
                )
                .with_label(first, "first parameter read here")
                .with_note("Two references are the same parameter only if they are written the same way: c[0] and c[A0.x] differ even when A0.x is 0. MOV one of them to a temporary register first."),
            );
        }
    }

    fn register(&mut self, register: Register) -> TempId {
        if let Some(id) = self.registers[register.index()] {
            return id;
        }
        // There are 18 registers, so the index fits.
        let id = TempId(u16::try_from(self.temporaries.len()).unwrap_or(u16::MAX));
        self.temporaries.push(register.temporary());
        self.registers[register.index()] = Some(id);
        id
    }

    fn parameter(&mut self, number: u16) -> ParamId {
        let place = &mut self.parameter_ids[usize::from(number)];
        if place.is_none() {
            // There are 256 registers, so the index fits.
            *place = u16::try_from(self.parameters.len()).ok().map(ParamId);
            self.parameters.push(number);
        }
        ParamId(number)
    }

    /// The operand in IR. `None` if it is broken.
    fn operand(&mut self, operand: &ParsedOperand) -> Option<Operand> {
        let source = match operand.base {
            Base::Temp(number) => Source::Temp(self.register(Register::Temp(number))),
            Base::Address(number) => Source::Temp(self.register(Register::Address(number))),
            Base::Attribute(number) => Source::Attribute(Attribute::Vertex(number)),
            Base::Parameter(Reference::Absolute(number)) => Source::Param(self.parameter(number)),
            Base::Parameter(Reference::Relative { address, component, offset }) => {
                self.relative = true;
                let address = self.register(Register::Address(address));
                let count = u16::try_from(self.limits.parameters).unwrap_or(u16::MAX);
                let first = Element::Param(ParamId(0));
                let index = Index::computed(address, component, offset);
                Source::Indirect(Indirect::new(first, count, index))
            }
            Base::Broken => return None,
        };
        Some(operand.reading(source, operand.swizzle))
    }

    fn output(&mut self, result: VertexResult) -> OutputId {
        if let Some(id) = self.output_ids[result.index()] {
            return id;
        }
        let id = OutputId(u16::try_from(self.outputs.len()).unwrap_or(u16::MAX));
        let name = format!("o[{}]", result.name());
        self.outputs.push(Output { name, role: OutputRole::Vertex(result), ty: Type::F32 });
        self.output_ids[result.index()] = Some(id);
        id
    }

    fn destination(&mut self, dest: &ParsedDestination, sink: &mut Sink) -> Option<Destination> {
        let target = match dest.target {
            ParsedTarget::Temp(number) => Target::Temp(self.register(Register::Temp(number))),
            ParsedTarget::Address(number) => {
                self.address_mask(dest, sink);
                Target::Temp(self.register(Register::Address(number)))
            }
            ParsedTarget::Result(result) => {
                self.position_written |= result == VertexResult::Hpos;
                Target::Output(self.output(result))
            }
            ParsedTarget::Parameter(number) => {
                self.parameter_written = true;
                Target::Param(self.parameter(number))
            }
            ParsedTarget::ConditionOnly => Target::ConditionOnly(Type::F32),
            ParsedTarget::Broken => {
                self.lost_statement = true;
                return None;
            }
        };
        Some(dest.writing(target))
    }

    /// Checks `<addrWriteMask>`, which before `!!VP2.0` is `.x`. A missing mask has been reported.
    fn address_mask(&self, dest: &ParsedDestination, sink: &mut Sink) {
        let other = (1..4).find(|component| dest.mask.has(*component));
        if let Some(other) = other
            && self.language.profile().addresses.components.len() == 1
            && dest.mask_span != dest.register_span
        {
            sink.push(
                Diagnostic::new(
                    codes::VP_ADDRESS_MASK,
                    dest.mask_tokens[other],
                    "A0 has only an x component here",
                )
                .with_note("`!!VP2.0` adds the other components and A1.")
                .with_fix("replace with x", dest.mask_span, "x"),
            );
        }
    }

    /// Reports the faults that are known only at the program's end, at its length (2.14.1.8, ruling 13).
    pub(super) fn finish_faults(&mut self, length: usize, end: Span, sink: &mut Sink) {
        self.labels.report_unknown(length, sink);
        if self.lost_statement {
            return;
        }
        if self.language.stage() == Stage::VertexState {
            if !self.parameter_written {
                sink.push(
                    Diagnostic::new(
                        codes::VP_NO_PARAMETER,
                        end,
                        "the state program writes no program parameter",
                    )
                    .with_note("Write at least one component of a register c[n].")
                    .at_position(length),
                );
            }
        } else if !self.position_written && !self.position_invariant {
            sink.push(
                Diagnostic::new(codes::VP_NO_POSITION, end, "the program does not write o[HPOS]")
                    .with_note("Every vertex needs a position: write at least one component of o[HPOS].")
                    .at_position(length),
            );
        }
    }

    /// The program, if there were no faults.
    pub(super) fn into_program(mut self) -> Program {
        let usage = self.usage();
        // A relative read may reach any register of the file. So the program has all of them, in order.
        let registers = if self.relative {
            (0..).take(self.limits.parameters).collect()
        } else {
            self.parameters.clone()
        };
        if !self.relative {
            let ids = &self.parameter_ids;
            let place = |id: &mut ParamId| {
                if let Some(place) = ids.get(usize::from(id.0)).copied().flatten() {
                    *id = place;
                }
            };
            for instruction in &mut self.instructions {
                for operand in &mut instruction.operands {
                    if let Source::Param(id) = &mut operand.source {
                        place(id);
                    }
                }
                if let Some(Destination { target: Target::Param(id), .. }) = instruction.dest_mut() {
                    place(id);
                }
            }
        }
        self.labels.resolve(&mut self.instructions);
        let entry = self.labels.place("main").unwrap_or(0);
        let parameter = |number| Parameter::from(ParameterSource::Env(number));
        Program {
            language: self.language,
            usage,
            instructions: self.instructions,
            temporaries: self.temporaries,
            parameters: registers.into_iter().map(parameter).collect(),
            outputs: self.outputs,
            interpolations: Vec::new(),
            geometry: None,
            patch_vertices: None,
            tessellation: None,
            variables: Vec::new(),
            labels: self.labels.into_list(),
            subroutines: Default::default(),
            buffers: Vec::new(),
            entry,
            options: ProgramOptions {
                position_invariant: self.position_invariant,
                ..ProgramOptions::default()
            },
        }
    }

    fn usage(&self) -> Vec<Usage> {
        let parameters = self.limits.parameters;
        vec![
            Usage {
                what: "instructions",
                about: "Instructions in the program, out of the maximum. Labels do not count",
                used: self.instructions.len(),
                limit: self.instruction_limit(),
            },
            Usage {
                what: "temporaries",
                about: "Temporary registers, not counting address registers",
                used: self.temporaries.iter().filter(|t| t.ty != Type::Address).count(),
                limit: self.limits.temporaries,
            },
            Usage {
                what: "parameters",
                about: "Program parameter registers that the program can access: all of them if it uses relative addressing",
                used: if self.relative { parameters } else { self.parameters.len() },
                limit: parameters,
            },
        ]
    }
}
