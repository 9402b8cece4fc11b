//! The type of a language's profile: all facts about a language except its instructions. The profiles
//! themselves are in `profiles`.

use super::TextureTarget;

use super::{Family, Language, ModifierOrder, Modifiers, Precision, Semantics, Stage};

/// The names of the register files, in languages with numbered registers and without declared variables. A
/// register is written as the name and a number in brackets.
#[derive(Debug, PartialEq, Eq)]
pub struct RegisterFiles {
    /// Inputs of a fragment or vertex: `f`, `v`.
    pub attributes: &'static str,
    /// Outputs: `o`. State programs have none; they write parameters.
    pub outputs: Option<&'static str>,
    /// Parameters: `p`, `c`.
    pub parameters: &'static str,
}

/// The address registers of a language.
#[derive(Debug, PartialEq, Eq)]
pub struct Addresses {
    /// Registers that need no declaration.
    pub registers: &'static [&'static str],
    /// The components of each register.
    pub components: &'static str,
    /// The least and the greatest constant offset of a relative reference.
    pub offsets: (i64, i64),
    /// The variables that a register can index.
    pub chooses: Relative,
}

/// The kinds of variables that an address register can index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relative {
    pub parameters: bool,
    pub attributes: bool,
    pub results: bool,
}

/// The representation of a condition code component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionNames {
    /// One of four codes: LT, EQ, GT, UN.
    Codes,
    /// Flags: sign, zero, carry, overflow.
    Flags,
}

/// Limits on the countable resources of a program; `usize::MAX` where the specification has no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// `MAX_PROGRAM_INSTRUCTIONS_ARB`
    pub instructions: usize,
    /// `MAX_PROGRAM_ALU_INSTRUCTIONS_ARB`
    pub alu_instructions: usize,
    /// `MAX_PROGRAM_TEX_INSTRUCTIONS_ARB`
    pub tex_instructions: usize,
    /// `MAX_PROGRAM_TEX_INDIRECTIONS_ARB`. Equal to the limit of texture instructions, so it never applies.
    pub tex_indirections: usize,
    /// `MAX_PROGRAM_TEMPORARIES_ARB`; the number of registers from `R0` on.
    pub temporaries: usize,
    /// `MAX_PROGRAM_PARAMETERS_ARB`; the size of the register file.
    pub parameters: usize,
    /// `MAX_PROGRAM_LOCAL_PARAMETERS_ARB`
    pub local_parameters: usize,
    /// `MAX_PROGRAM_ATTRIBS_ARB`
    pub attributes: usize,
    /// `MAX_PROGRAM_ADDRESS_REGISTERS_ARB`; the number of registers from `A0` on.
    pub addresses: usize,
}

/// Limits on the depth of calls and blocks, and on the length of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowLimits {
    /// `MAX_PROGRAM_CALL_DEPTH_NV`: return addresses on the stack. A call beyond this depth ends the program.
    pub calls: usize,
    /// `MAX_PROGRAM_IF_DEPTH_NV`: nested IF blocks in the text.
    pub nested_ifs: usize,
    /// `MAX_PROGRAM_LOOP_DEPTH_NV`: nested loops in the text.
    pub nested_loops: usize,
    /// IF blocks that are active at a time, callers' blocks included. One more ends the program.
    pub active_ifs: usize,
    /// Loops that are active at a time, callers' loops included. One more ends the program.
    pub active_loops: usize,
    /// `MAX_PROGRAM_LOOP_COUNT_NV`: larger iteration counts are clamped to this value.
    pub loop_count: u32,
    pub counts: LoopCounts,
    /// `MAX_PROGRAM_EXEC_INSTRUCTIONS_NV`: instructions that one invocation executes. The invocation ends
    /// after the last.
    pub executed: u32,
}

/// The operands that a loop takes its iteration count from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopCounts {
    /// Only parameters.
    Parameters,
    /// Any operand, or none: without a count a loop runs until BRK or RET.
    Anything,
}

impl FlowLimits {
    /// The limits of the languages before NV_gpu_program4 (NV_vertex_program2 2.14.3.7, NV_fragment_program2
    /// 3.11.4.X; rulings 1 and 3).
    pub const NV2: Self = Self {
        calls: 4,
        nested_ifs: 48,
        nested_loops: 4,
        active_ifs: 48,
        active_loops: 4,
        loop_count: 255,
        counts: LoopCounts::Parameters,
        executed: 65536,
    };

    /// The limits of NV_gpu_program4 and NV_gpu_program5 (2.X.5, ruling 4): "there is no run-time limit on
    /// the maximum overall depth" of blocks.
    pub const NV_GPU4: Self = Self {
        calls: 32,
        nested_ifs: 64,
        nested_loops: 64,
        active_ifs: usize::MAX,
        active_loops: usize::MAX,
        loop_count: u32::MAX,
        counts: LoopCounts::Anything,
        executed: 1 << 24,
    };
}

/// The facts about a language. Front end and tools read these fields instead of comparing languages.
#[derive(Debug, PartialEq, Eq)]
pub struct Profile {
    pub language: Language,
    /// The text at the start of a program.
    pub header: &'static str,
    /// The option that selects this language. Without it the header selects [`Self::base`].
    pub option: Option<&'static str>,
    /// The language that the header selects without an option.
    pub base: Language,
    /// Languages with the same grammar and a superset of the features, the nearest first.
    pub later: &'static [Language],
    /// Header and option, for display.
    pub name: &'static str,
    /// The extension whose text is cited for the language. NV_vertex_program2 restates and replaces the text
    /// of the older vertex languages (its section 2.14). Only NV_vertex_program defines state programs.
    pub extension: &'static str,
    /// The languages that share the grammar.
    pub family: Family,
    /// The name of the family, for headings of the reference.
    pub family_name: &'static str,
    pub stage: Stage,
    /// The behaviour of operations that the specifications define differently.
    pub semantics: Semantics,
    /// The first words of statements that are not instructions, and `END`.
    pub keywords: &'static [&'static str],
    /// The names that OPTION accepts.
    pub options: &'static [&'static str],
    /// The features that the language's option adds besides instructions, in words.
    pub brings: &'static str,
    /// The register files. `None` if programs declare variables and write bindings.
    pub files: Option<RegisterFiles>,
    pub limits: Limits,
    pub flow: FlowLimits,
    /// Modifiers that instructions can take.
    pub modifiers: Modifiers,
    /// How words with wrong modifiers are recognised.
    pub modifier_order: ModifierOrder,
    pub addresses: Addresses,
    /// The number of condition code registers.
    pub condition_codes: u8,
    pub condition_names: ConditionNames,
    /// Destinations that update only the condition code, each with its precision.
    pub condition_registers: &'static [(&'static str, Precision)],
    /// Whether operands can have absolute values, `|R0|`.
    pub absolute_values: bool,
    /// Whether operations and variables have types, and variables of every kind can be arrays
    /// (NV_gpu_program4).
    pub typed: bool,
    /// Whether LONG variables have 64 bits instead of 32.
    pub long_variables: bool,
    /// Whether TEXTURE variables can name texture image units.
    pub texture_variables: bool,
    /// Whether `+` can precede an operand.
    pub plus_signs: bool,
    /// Whether programs have labels, for branches or calls.
    pub labels: bool,
    /// Whether labels cannot have the name of an instruction or keyword.
    pub reserves_words: bool,
    /// Whether programs can name constants and parameters.
    pub names: bool,
    /// Whether numbers can be operands.
    pub literals: bool,
    /// Whether the constants of an instruction count as one parameter, with equal scalars merged (ruling 12).
    pub merges_constants: bool,
    /// The texture targets; empty if the language has no texture lookups. Some targets require an option.
    pub targets: &'static [TextureTarget],
    /// Whether variables can have 16-bit components.
    pub half_variables: bool,
    /// Whether an instruction that reads fog or texture coordinates computes in fp32 whatever its suffix
    /// (ruling 8).
    pub wide_coordinates: bool,
    /// Whether an instruction can read at most one attribute and one parameter.
    pub reads_one: bool,
    /// Whether r, g, b and a are component letters.
    pub colour_letters: bool,
    /// Whether the specification initialises temporaries to zero.
    pub clears_temporaries: bool,
    /// Whether programs can write clip distances (NV_vertex_program2 2.11, NV_vertex_program2_option 2.11).
    pub clip_distances: bool,
    /// Whether user clip planes clip the primitives of position-invariant programs, as in fixed-function
    /// transformation.
    pub clips_when_invariant: bool,
    /// Whether position-invariant programs can have relative references.
    pub relative_when_invariant: bool,
    /// Whether the secondary colour is added whatever COLOR_SUM is (NV_vertex_program 3.9).
    pub always_sums_colors: bool,
}

impl Profile {
    /// Whether programs declare and bind variables, instead of using numbered registers.
    pub const fn declares_variables(&self) -> bool {
        self.files.is_none()
    }

    pub const fn has_options(&self) -> bool {
        !self.options.is_empty()
    }

    pub const fn has_textures(&self) -> bool {
        !self.targets.is_empty()
    }

    /// The source text for texture image unit `unit`.
    pub fn texture_unit(&self, unit: u8) -> String {
        if self.declares_variables() { format!("texture[{unit}]") } else { format!("TEX{unit}") }
    }
}
