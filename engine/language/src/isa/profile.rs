//! What is told of a language: its profile. The rows stand in `profiles`.

use super::TextureTarget;

use super::{Family, Language, ModifierOrder, Modifiers, Precision, Semantics, Stage};

/// The register files of a language that has registers by number and declares no variables. Their names stand
/// before brackets.
#[derive(Debug, PartialEq, Eq)]
pub struct RegisterFiles {
    /// What is read of a fragment or vertex: `f`, `v`.
    pub attributes: &'static str,
    /// What is written for it; state programs write parameters alone.
    pub outputs: Option<&'static str>,
    /// `p`, `c`.
    pub parameters: &'static str,
}

/// The address registers of a language.
#[derive(Debug, PartialEq, Eq)]
pub struct Addresses {
    /// Those that are there without being declared.
    pub registers: &'static [&'static str],
    /// The components that each has.
    pub components: &'static str,
    /// The least and the greatest offset of a relative reference.
    pub offsets: (i64, i64),
    /// What one can choose an element of.
    pub chooses: Relative,
}

/// What address registers can choose an element of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relative {
    /// Parameters.
    pub parameters: bool,
    /// Attributes.
    pub attributes: bool,
    /// Results.
    pub results: bool,
}

/// How the components of condition codes are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionNames {
    /// As one of four codes: LT, EQ, GT, UN.
    Codes,
    /// By the flags that are set: sign, zero, carry, overflow.
    Flags,
}

/// What a program may have of everything that is counted, `usize::MAX` where nothing says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// `MAX_PROGRAM_INSTRUCTIONS_ARB`
    pub instructions: usize,
    /// `MAX_PROGRAM_ALU_INSTRUCTIONS_ARB`
    pub alu_instructions: usize,
    /// `MAX_PROGRAM_TEX_INSTRUCTIONS_ARB`
    pub tex_instructions: usize,
    /// `MAX_PROGRAM_TEX_INDIRECTIONS_ARB`: as many as texture instructions, which means no limit.
    pub tex_indirections: usize,
    /// `MAX_PROGRAM_TEMPORARIES_ARB`; registers `R0` on.
    pub temporaries: usize,
    /// `MAX_PROGRAM_PARAMETERS_ARB`; the size of the register file.
    pub parameters: usize,
    /// `MAX_PROGRAM_LOCAL_PARAMETERS_ARB`
    pub local_parameters: usize,
    /// `MAX_PROGRAM_ATTRIBS_ARB`
    pub attributes: usize,
    /// `MAX_PROGRAM_ADDRESS_REGISTERS_ARB`; registers `A0` on.
    pub addresses: usize,
}

/// How deep calls and blocks can be, and how long a program can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowLimits {
    /// `MAX_PROGRAM_CALL_DEPTH_NV`: return addresses on the stack. One more ends the program.
    pub calls: usize,
    /// `MAX_PROGRAM_IF_DEPTH_NV`: IF blocks that one can stand in, in the text.
    pub nested_ifs: usize,
    /// `MAX_PROGRAM_LOOP_DEPTH_NV`: loops that one can stand in, in the text.
    pub nested_loops: usize,
    /// IF blocks that are active at a time, callers' included. One more ends the program.
    pub active_ifs: usize,
    /// Loops that are active at a time, callers' included. One more ends the program.
    pub active_loops: usize,
    /// `MAX_PROGRAM_LOOP_COUNT_NV`: more rounds count as so many.
    pub loop_count: u32,
    /// What a loop counts.
    pub counts: LoopCounts,
    /// `MAX_PROGRAM_EXEC_INSTRUCTIONS_NV`: instructions that one invocation executes. The last of them ends it.
    pub executed: u32,
}

/// What a loop counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopCounts {
    /// A parameter.
    Parameters,
    /// Any operand, or nothing: without a count a loop goes on until it is left.
    Anything,
}

impl FlowLimits {
    /// Those of the languages before NV_gpu_program4 (NV_vertex_program2 2.14.3.7, NV_fragment_program2 3.11.4.X;
    /// rulings 1 and 3).
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

    /// Those of NV_gpu_program4 and NV_gpu_program5 (2.X.5, ruling 4): "there is no run-time limit on the maximum overall
    /// depth" of blocks.
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

/// A language.
#[derive(Debug, PartialEq, Eq)]
pub struct Profile {
    /// The language.
    pub language: Language,
    /// The bytes a program begins with.
    pub header: &'static str,
    /// The option that selects this language. Without it the header selects [`Self::base`].
    pub option: Option<&'static str>,
    /// The language of the header alone.
    pub base: Language,
    /// The languages of its grammar that have all that it has and more, the nearest first.
    pub later: &'static [Language],
    /// Header and option, for display.
    pub name: &'static str,
    /// The extension whose text is cited for the language. That of NV_vertex_program2 restates and
    /// replaces the older vertex languages' (its section 2.14); state programs are only in the first.
    pub extension: &'static str,
    /// The family of languages with the same grammar.
    pub family: Family,
    /// The name of the family, for headings of the reference.
    pub family_name: &'static str,
    /// The stage that its programs run in.
    pub stage: Stage,
    /// What its operations do where the texts differ.
    pub semantics: Semantics,
    /// What statements that are no instructions begin with, and `END`.
    pub keywords: &'static [&'static str],
    /// The names of program options.
    pub options: &'static [&'static str],
    /// What the option that makes it this language brings besides instructions, in words.
    pub brings: &'static str,
    /// Its register files; none where programs declare variables and write bindings.
    pub files: Option<RegisterFiles>,
    /// What its programs may have of everything that is counted.
    pub limits: Limits,
    /// How deep calls and blocks can be, and how long a program can go on.
    pub flow: FlowLimits,
    /// Modifiers of instructions.
    pub modifiers: Modifiers,
    /// How words with wrong modifiers are told.
    pub modifier_order: ModifierOrder,
    /// Address registers.
    pub addresses: Addresses,
    /// Condition code registers.
    pub condition_codes: u8,
    /// How their components are told.
    pub condition_names: ConditionNames,
    /// Destinations that store nothing but the condition code, with the precision they count as.
    pub condition_registers: &'static [(&'static str, Precision)],
    /// Whether operands have absolute values, `|R0|`.
    pub absolute_values: bool,
    /// Whether operations and variables have types, and variables of every kind can be arrays (NV_gpu_program4).
    pub typed: bool,
    /// Whether LONG variables have 64 bits, rather than 32.
    pub long_variables: bool,
    /// Whether texture image units can be variables.
    pub texture_variables: bool,
    /// Whether `+` may stand before an operand.
    pub plus_signs: bool,
    /// Whether there are labels, to branch to or to call.
    pub labels: bool,
    /// Whether no label can have the name of an instruction or keyword.
    pub reserves_words: bool,
    /// Whether programs name constants or parameters of their own.
    pub names: bool,
    /// Whether numbers can be operands.
    pub literals: bool,
    /// Whether the constants of an instruction are one parameter, scalars merged (ruling 12).
    pub merges_constants: bool,
    /// The texture targets, none where no textures are looked up. Some of them come with an option.
    pub targets: &'static [TextureTarget],
    /// Whether variables can have 16-bit components.
    pub half_variables: bool,
    /// Whether an instruction that reads fog or texture coordinates runs in fp32 whatever its suffix (ruling 8).
    pub wide_coordinates: bool,
    /// Whether an instruction reads one attribute and one parameter at most.
    pub reads_one: bool,
    /// Whether component letters may be r, g, b and a.
    pub colour_letters: bool,
    /// Whether temporaries are said to be zero at first.
    pub clears_temporaries: bool,
    /// Whether clip distances are written (NV_vertex_program2 2.11, NV_vertex_program2_option 2.11).
    pub clip_distances: bool,
    /// Whether position-invariant programs are clipped by the planes of the conventional transformation.
    pub clips_when_invariant: bool,
    /// Whether position-invariant programs have relative references.
    pub relative_when_invariant: bool,
    /// Whether the secondary colour is added whatever COLOR_SUM says (NV_vertex_program 3.9).
    pub always_sums_colors: bool,
}

impl Profile {
    /// Whether programs declare variables and bind them, rather than have registers by number.
    pub const fn declares_variables(&self) -> bool {
        self.files.is_none()
    }

    /// Whether there is anything to declare with `OPTION`.
    pub const fn has_options(&self) -> bool {
        !self.options.is_empty()
    }

    /// Whether textures can be looked up.
    pub const fn has_textures(&self) -> bool {
        !self.targets.is_empty()
    }

    /// How texture image unit `unit` is written.
    pub fn texture_unit(&self, unit: u8) -> String {
        if self.declares_variables() { format!("texture[{unit}]") } else { format!("TEX{unit}") }
    }
}
