//! Resource use of programs, and the ARB targets' limits (ARB_vertex_program 2.14.3.7, ARB_fragment_program
//! 3.11.3.7 and 3.11.6).

use std::collections::HashSet;

use super::enums::{self, GLenum};
use shadestep_language::ir::{
    Attribute, Components, Element, Indirect, Instruction, Kind, ParameterSource, Program, Source, Target,
    TempId, Type,
};
use shadestep_language::isa::Stage;

shadestep_language::named_enum! {
    /// A resource that targets limit, by its name in [`Program::usage`].
    pub enum Resource(
        /// The constants of `GetProgramivARB` for use, limit, native use and native limit.
        pub(super) constants: [GLenum; 4],
    ) {
        /// All instructions.
        Instructions = "instructions" => ([
            enums::PROGRAM_INSTRUCTIONS_ARB, enums::MAX_PROGRAM_INSTRUCTIONS_ARB,
            enums::PROGRAM_NATIVE_INSTRUCTIONS_ARB, enums::MAX_PROGRAM_NATIVE_INSTRUCTIONS_ARB,
        ]),
        /// Of fragment programs: instructions other than texture and flow instructions.
        AluInstructions = "ALU instructions" => ([
            enums::PROGRAM_ALU_INSTRUCTIONS_ARB, enums::MAX_PROGRAM_ALU_INSTRUCTIONS_ARB,
            enums::PROGRAM_NATIVE_ALU_INSTRUCTIONS_ARB, enums::MAX_PROGRAM_NATIVE_ALU_INSTRUCTIONS_ARB,
        ]),
        /// Of fragment programs: lookups and KIL.
        TexInstructions = "texture instructions" => ([
            enums::PROGRAM_TEX_INSTRUCTIONS_ARB, enums::MAX_PROGRAM_TEX_INSTRUCTIONS_ARB,
            enums::PROGRAM_NATIVE_TEX_INSTRUCTIONS_ARB, enums::MAX_PROGRAM_NATIVE_TEX_INSTRUCTIONS_ARB,
        ]),
        /// Of fragment programs: length of the chain of dependent lookups.
        TexIndirections = "texture indirections" => ([
            enums::PROGRAM_TEX_INDIRECTIONS_ARB, enums::MAX_PROGRAM_TEX_INDIRECTIONS_ARB,
            enums::PROGRAM_NATIVE_TEX_INDIRECTIONS_ARB, enums::MAX_PROGRAM_NATIVE_TEX_INDIRECTIONS_ARB,
        ]),
        Temporaries = "temporaries" => ([
            enums::PROGRAM_TEMPORARIES_ARB, enums::MAX_PROGRAM_TEMPORARIES_ARB,
            enums::PROGRAM_NATIVE_TEMPORARIES_ARB, enums::MAX_PROGRAM_NATIVE_TEMPORARIES_ARB,
        ]),
        /// Bound state vectors and constants.
        Parameters = "parameter bindings" => ([
            enums::PROGRAM_PARAMETERS_ARB, enums::MAX_PROGRAM_PARAMETERS_ARB,
            enums::PROGRAM_NATIVE_PARAMETERS_ARB, enums::MAX_PROGRAM_NATIVE_PARAMETERS_ARB,
        ]),
        Attributes = "attributes" => ([
            enums::PROGRAM_ATTRIBS_ARB, enums::MAX_PROGRAM_ATTRIBS_ARB,
            enums::PROGRAM_NATIVE_ATTRIBS_ARB, enums::MAX_PROGRAM_NATIVE_ATTRIBS_ARB,
        ]),
        /// Of vertex programs.
        AddressRegisters = "address registers" => ([
            enums::PROGRAM_ADDRESS_REGISTERS_ARB, enums::MAX_PROGRAM_ADDRESS_REGISTERS_ARB,
            enums::PROGRAM_NATIVE_ADDRESS_REGISTERS_ARB, enums::MAX_PROGRAM_NATIVE_ADDRESS_REGISTERS_ARB,
        ]),
    }
}

impl Resource {
    /// The target's limit, as enforced at load time.
    pub fn limit(self, target: Stage) -> usize {
        let vertex = target != Stage::Fragment;
        let limits = target.usual_language().profile().limits;
        match self {
            Self::Instructions => limits.instructions,
            Self::AluInstructions | Self::TexInstructions | Self::TexIndirections if vertex => 0,
            Self::AluInstructions => limits.alu_instructions,
            Self::TexInstructions => limits.tex_instructions,
            Self::TexIndirections => limits.tex_indirections,
            Self::Temporaries => limits.temporaries,
            Self::Parameters => limits.parameters,
            Self::Attributes => limits.attributes,
            Self::AddressRegisters => limits.addresses,
        }
    }

    /// The program's use of the resource: the count from load time, or else a count over the program.
    pub fn used(self, program: &Program) -> usize {
        let vertex = program.stage() != Stage::Fragment;
        match self {
            Self::AluInstructions | Self::TexInstructions | Self::TexIndirections if vertex => return 0,
            Self::AddressRegisters if !vertex => return 0,
            _ => {}
        }
        let counted = program.usage.iter().find(|usage| usage.what == self.name());
        counted.map_or_else(|| self.shown(program), |usage| usage.used)
    }

    fn shown(self, program: &Program) -> usize {
        let instructions = || program.instructions.iter();
        let registers =
            |address: bool| program.temporaries.iter().filter(|t| (t.ty == Type::Address) == address).count();
        match self {
            Self::Instructions => instructions().count(),
            Self::AluInstructions => instructions().filter(|i| is_alu(i)).count(),
            Self::TexInstructions => instructions().filter(|i| is_tex(i)).count(),
            Self::TexIndirections => indirections(program),
            Self::Temporaries => registers(false),
            Self::AddressRegisters => registers(true),
            Self::Parameters => parameters(program),
            Self::Attributes => attributes(program),
        }
    }
}

/// Whether the instruction is a `<TexInstruction>`.
fn is_tex(instruction: &Instruction) -> bool {
    matches!(instruction.kind, Kind::Texture(..) | Kind::Kill(_))
}

/// Whether the instruction is an `<ALUInstruction>`. Flow instructions are not (NV_fragment_program2 3.11.2).
const fn is_alu(instruction: &Instruction) -> bool {
    matches!(instruction.kind, Kind::Alu(_) | Kind::Convert(..))
}

/// The temporary that the instruction writes.
fn result(instruction: &Instruction) -> Option<TempId> {
    match instruction.target()? {
        Target::Temp(id) => Some(id),
        _ => None,
    }
}

/// The temporaries that the instruction reads.
fn operands(instruction: &Instruction) -> impl Iterator<Item = TempId> {
    instruction.operands.iter().filter_map(|operand| match operand.source {
        Source::Temp(id) => Some(id),
        _ => None,
    })
}

/// Number of nodes in the chain of dependent lookups (3.11.6 and issue 24), in text order and ignoring masks.
/// KIL reads operands like a lookup.
fn indirections(program: &Program) -> usize {
    let (mut nodes, mut written, mut computed) = (1, HashSet::new(), HashSet::new());
    for instruction in &program.instructions {
        if is_tex(instruction) {
            let dependent = operands(instruction).any(|id| written.contains(&id));
            if dependent || result(instruction).is_some_and(|id| computed.contains(&id)) {
                nodes += 1;
                written.clear();
                computed.clear();
            }
        } else if is_alu(instruction) {
            computed.extend(operands(instruction));
            computed.extend(result(instruction));
        }
        written.extend(result(instruction));
    }
    nodes
}

/// Number of parameter bindings: each state vector counts once, each constant of a relatively addressed array
/// counts, and equal other constants count once (2.14.3.7).
fn parameters(program: &Program) -> usize {
    let mut relative = vec![false; program.parameters.len()];
    for operand in program.instructions.iter().flat_map(|instruction| &instruction.operands) {
        if let Source::Indirect(Indirect { first: Element::Param(first), count, .. }) = operand.source {
            let first = usize::from(first.0);
            relative.iter_mut().skip(first).take(usize::from(count)).for_each(|at| *at = true);
        }
    }
    let mut states: Vec<&ParameterSource> = Vec::new();
    let (mut constants, mut others): (Vec<Components>, Vec<Components>) = (Vec::new(), Vec::new());
    for (parameter, relative) in program.parameters.iter().zip(relative) {
        match &parameter.source {
            ParameterSource::Constant(constant) if relative => constants.push(constant.with_one_zero()),
            ParameterSource::Constant(constant) => others.push(constant.with_one_zero()),
            source if states.contains(&source) => {}
            source => states.push(source),
        }
    }
    for value in others {
        if !constants.contains(&value) {
            constants.push(value);
        }
    }
    states.len() + constants.len()
}

/// Number of distinct attributes that the program reads.
fn attributes(program: &Program) -> usize {
    program.attributes().into_iter().map(Attribute::register).collect::<HashSet<_>>().len()
}
