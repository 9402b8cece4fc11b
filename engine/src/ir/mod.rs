//! The typed program that every language becomes and every executor runs.
//!
//! Registers hold bits; the instruction says how to read them. Nothing here remembers which language
//! a program came from beyond [`Program::language`], which is for display only.

pub(crate) mod constants;
mod disasm;
mod verify;

pub use disasm::{disassemble, disassemble_instruction};
pub use verify::{VerifyError, verify};

use crate::isa::{Language, Opcode, Stage};
use crate::source::Span;

/// How the bits of a register component or an operation are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// IEEE single precision with denorms flushed to zero.
    F32,
    /// Half precision with denorms.
    F16,
    /// 12-bit fixed point, 10 fraction bits, [-2, 2047/1024]. An operation type only.
    Fx12,
    /// A whole number of an address register, kept as the fp32 value it is equal to. A register type
    /// only: operations that load address registers are of type F32.
    Address,
}

/// Index into [`Program::temporaries`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TempId(pub u16);

/// Index into [`Program::parameters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParamId(pub u16);

/// Index into [`Program::outputs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OutputId(pub u16);

/// An attribute register: what a program reads of its fragment (Table X.1 of NV_fragment_program) or
/// its vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Attribute {
    /// Window position: x, y of the fragment centre from the lower left, z from 0 to 1, 1/w.
    Wpos,
    /// Primary colour.
    Col0,
    /// Secondary colour.
    Col1,
    /// Fog coordinate in x; y, z, w are 0.
    Fogc,
    /// Texture coordinate set 0 to 7.
    Tex(u8),
    /// Vertex attribute register 0 to 15 (`v[n]`).
    Vertex(u8),
}

impl Attribute {
    /// Places in a table indexed by [`Self::index`], enough for every stage.
    pub const SLOTS: usize = 16;

    /// The fragment attributes, in the order of Table X.1.
    pub const FRAGMENT: [Self; 12] = [
        Self::Wpos,
        Self::Col0,
        Self::Col1,
        Self::Fogc,
        Self::Tex(0),
        Self::Tex(1),
        Self::Tex(2),
        Self::Tex(3),
        Self::Tex(4),
        Self::Tex(5),
        Self::Tex(6),
        Self::Tex(7),
    ];

    /// The vertex attributes.
    pub const VERTEX: [Self; 16] = {
        let mut all = [Self::Vertex(0); 16];
        let mut number = 0;
        while number < 16 {
            all[number] = Self::Vertex(number as u8);
            number += 1;
        }
        all
    };

    /// The attributes that programs of `stage` can read, in order of their index.
    pub const fn of(stage: Stage) -> &'static [Self] {
        match stage {
            Stage::Fragment => &Self::FRAGMENT,
            Stage::Vertex | Stage::VertexState => &Self::VERTEX,
        }
    }

    /// Position among the attributes of its stage.
    pub const fn index(self) -> usize {
        match self {
            Self::Wpos => 0,
            Self::Col0 => 1,
            Self::Col1 => 2,
            Self::Fogc => 3,
            Self::Tex(set) => 4 + set as usize,
            Self::Vertex(number) => number as usize,
        }
    }

    /// Name within `f[...]` or `v[...]`: for vertex attributes the mnemonic of Table X.3 of
    /// NV_vertex_program2, or the number of those that have none.
    pub const fn name(self) -> &'static str {
        const FRAGMENT: [&str; 12] =
            ["WPOS", "COL0", "COL1", "FOGC", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4", "TEX5", "TEX6", "TEX7"];
        const VERTEX: [&str; 16] = [
            "OPOS", "WGHT", "NRML", "COL0", "COL1", "FOGC", "6", "7", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4",
            "TEX5", "TEX6", "TEX7",
        ];
        match self {
            Self::Vertex(_) => VERTEX[self.index()],
            _ => FRAGMENT[self.index()],
        }
    }

    /// The register as written, e.g. `f[TEX0]` or `v[OPOS]`.
    pub fn register(self) -> String {
        let array = if matches!(self, Self::Vertex(_)) { 'v' } else { 'f' };
        format!("{array}[{}]", self.name())
    }
}

/// A vertex result register (Table X.1 of NV_vertex_program2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VertexResult {
    /// Homogeneous clip space position.
    Hpos,
    /// Primary colour, front-facing.
    Col0,
    /// Secondary colour, front-facing.
    Col1,
    /// Primary colour, back-facing.
    Bfc0,
    /// Secondary colour, back-facing.
    Bfc1,
    /// Fog coordinate in x.
    Fogc,
    /// Point size in x.
    Psiz,
    /// Texture coordinate set 0 to 7.
    Tex(u8),
    /// Clip distance 0 to 5 in x; `!!VP2.0` only.
    Clp(u8),
}

impl VertexResult {
    /// Number of result registers.
    pub const COUNT: usize = 21;

    /// All of them, in the order of Table X.1.
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self::Hpos; Self::COUNT];
        let named = [Self::Hpos, Self::Col0, Self::Col1, Self::Bfc0, Self::Bfc1, Self::Fogc, Self::Psiz];
        let mut i = 0;
        while i < Self::COUNT {
            all[i] = match i {
                0..7 => named[i],
                7..15 => Self::Tex(i as u8 - 7),
                _ => Self::Clp(i as u8 - 15),
            };
            i += 1;
        }
        all
    };

    /// Position in [`Self::ALL`].
    pub const fn index(self) -> usize {
        match self {
            Self::Hpos => 0,
            Self::Col0 => 1,
            Self::Col1 => 2,
            Self::Bfc0 => 3,
            Self::Bfc1 => 4,
            Self::Fogc => 5,
            Self::Psiz => 6,
            Self::Tex(set) => 7 + set as usize,
            Self::Clp(plane) => 15 + plane as usize,
        }
    }

    /// Name within `o[...]`.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; VertexResult::COUNT] = [
            "HPOS", "COL0", "COL1", "BFC0", "BFC1", "FOGC", "PSIZ", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4",
            "TEX5", "TEX6", "TEX7", "CLP0", "CLP1", "CLP2", "CLP3", "CLP4", "CLP5",
        ];
        NAMES[self.index()]
    }
}

/// A temporary register the program uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Temporary {
    /// Name in the program text, e.g. `R0`, `H12`.
    pub name: String,
    /// Component type: F32 or F16.
    pub ty: Type,
}

/// Where a parameter's value comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterSource {
    /// An embedded or merged constant, fixed at load.
    Constant([f32; 4]),
    /// A named local parameter (`DECLARE`), with its initial value.
    Named {
        /// Name in the program text.
        name: String,
        /// Value until set from outside.
        initial: [f32; 4],
    },
    /// A numbered local parameter, `p[n]`.
    Numbered(u16),
    /// A program parameter register of the vertex languages, `c[n]`, shared by all programs of a context.
    Register(u16),
}

impl ParameterSource {
    /// As the program writes it; constants have no name.
    pub fn name(&self) -> Option<String> {
        match self {
            Self::Constant(_) => None,
            Self::Named { name, .. } => Some(name.clone()),
            Self::Numbered(number) => Some(format!("p[{number}]")),
            Self::Register(number) => Some(format!("c[{number}]")),
        }
    }
}

/// One 4-component parameter the program reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Where its value comes from.
    pub source: ParameterSource,
}

/// What an output register is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OutputRole {
    /// RGBA of colour buffer 0.
    Color,
    /// z replaces the fragment's depth.
    Depth,
    /// A vertex result.
    Vertex(VertexResult),
}

impl OutputRole {
    /// What the register holds before it is written: (0,0,0,1) for vertex results (ruling 8 of the
    /// vertex languages), else (0,0,0,0) (ruling 10).
    pub const fn initial(self) -> [f32; 4] {
        match self {
            Self::Color | Self::Depth => [0.0; 4],
            Self::Vertex(_) => [0.0, 0.0, 0.0, 1.0],
        }
    }
}

/// An output register the program writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Name in the program text, e.g. `o[COLR]`.
    pub name: String,
    /// What it is for.
    pub role: OutputRole,
    /// Component type: F32 or F16.
    pub ty: Type,
}

/// Something an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A temporary.
    Temp(TempId),
    /// An attribute of the fragment or vertex.
    Attribute(Attribute),
    /// A parameter or constant.
    Param(ParamId),
    /// A parameter chosen at run time, `c[A0.x+n]`.
    Indexed(Indexed),
}

/// A relative parameter reference: element `address + offset` of an array of parameters; (0,0,0,0)
/// outside it (ruling 4 of the vertex languages).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Indexed {
    /// First parameter of the array; the others follow it in [`Program::parameters`].
    pub first: ParamId,
    /// Number of parameters in the array.
    pub count: u16,
    /// The address register: a temporary of type [`Type::Address`].
    pub address: TempId,
    /// Its component, 0 = x.
    pub component: u8,
    /// Added to it.
    pub offset: i16,
}

/// Component selection: which source component each of x, y, z, w reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle(pub [u8; 4]);

impl Swizzle {
    /// `.xyzw`.
    pub const IDENTITY: Self = Self([0, 1, 2, 3]);

    /// One component in all four places.
    pub const fn replicate(component: u8) -> Self {
        Self([component; 4])
    }
}

/// An operand as loaded: swizzle, inner negation, absolute value, outer negation, in that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    /// What is read.
    pub source: Source,
    /// Component selection.
    pub swizzle: Swizzle,
    /// `-` before the register (`-R0`, `|-R0|`).
    pub negate: bool,
    /// `|...|`.
    pub absolute: bool,
    /// `-` before the bars (`-|R0|`).
    pub negate_absolute: bool,
    /// Place of the whole operand in the text.
    pub span: Span,
}

/// Component write mask, bit 0 = x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WriteMask(pub u8);

impl WriteMask {
    /// All four components.
    pub const ALL: Self = Self(0xF);

    /// Whether `component` (0 = x) is enabled.
    pub const fn has(self, component: usize) -> bool {
        self.0 >> component & 1 != 0
    }
}

/// A condition code test (`<ccMaskRule>`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Equal.
    Eq,
    /// Greater or equal; false for UN.
    Ge,
    /// Greater.
    Gt,
    /// Less or equal; false for UN.
    Le,
    /// Less.
    Lt,
    /// Not equal; true for UN.
    Ne,
    /// Always.
    Tr,
    /// Never.
    Fl,
}

impl Condition {
    /// All rules, in the grammar's order.
    pub const ALL: [Self; 8] =
        [Self::Eq, Self::Ge, Self::Gt, Self::Le, Self::Lt, Self::Ne, Self::Tr, Self::Fl];

    /// The rule as written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Eq => "EQ",
            Self::Ge => "GE",
            Self::Gt => "GT",
            Self::Le => "LE",
            Self::Lt => "LT",
            Self::Ne => "NE",
            Self::Tr => "TR",
            Self::Fl => "FL",
        }
    }
}

/// A swizzled test of the condition code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CcTest {
    /// The rule.
    pub condition: Condition,
    /// Which condition code component each place tests.
    pub swizzle: Swizzle,
}

/// Where a result goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A temporary.
    Temp(TempId),
    /// An output.
    Output(OutputId),
    /// A parameter, in vertex state programs.
    Param(ParamId),
    /// `RC`, `CC` (F32) or `HC` (F16): nothing is stored, only the condition code can change.
    ConditionOnly(Type),
}

/// A destination with its masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Destination {
    /// Where.
    pub target: Target,
    /// Which components.
    pub mask: WriteMask,
    /// Run-time mask, if written.
    pub test: Option<CcTest>,
    /// Place of register, mask and test in the text.
    pub span: Span,
}

/// Texture targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextureTarget {
    /// `1D`
    D1,
    /// `2D`
    D2,
    /// `3D`
    D3,
    /// `CUBE`
    Cube,
    /// `RECT`
    Rect,
}

impl TextureTarget {
    /// All targets.
    pub const ALL: [Self; 5] = [Self::D1, Self::D2, Self::D3, Self::Cube, Self::Rect];

    /// The target as written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::D1 => "1D",
            Self::D2 => "2D",
            Self::D3 => "3D",
            Self::Cube => "CUBE",
            Self::Rect => "RECT",
        }
    }
}

/// Number of texture image units.
pub const IMAGE_UNITS: usize = 16;

/// A texture image unit and the target looked up on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextureRef {
    /// Image unit, 0 to 15.
    pub unit: u8,
    /// Target.
    pub target: TextureTarget,
}

/// Whose special cases an operation follows, where languages differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rules {
    /// NV_fragment_program's: set-on instructions give 0.0 or 1.0 for NaN.
    Fragment,
    /// NV_vertex_program2's for `!!VP1.0`, `!!VP1.1` and `!!VSP1.0`: set-on instructions give NaN for
    /// NaN; ARL does not clamp (ruling 6 of the vertex languages).
    Vertex1,
    /// NV_vertex_program2's for `!!VP2.0`: the same, but ARL clamps to [-512, 511].
    Vertex2,
}

/// What an instruction that computes nothing does instead. Tests are over all four components: any one
/// that passes is enough; no test means always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// KIL: discards the fragment.
    Kill(CcTest),
    /// BRA: goes on at instruction `to`, which is the number of instructions for a label at the end.
    Branch {
        /// Index of the instruction behind the label.
        to: usize,
        /// Condition, if written.
        test: Option<CcTest>,
    },
    /// CAL: the same with a return address, ending the program if four are on the stack.
    Call {
        /// Index of the instruction behind the label.
        to: usize,
        /// Condition, if written.
        test: Option<CcTest>,
    },
    /// RET: back to the latest return address, ending the program if there is none.
    Return {
        /// Condition, if written.
        test: Option<CcTest>,
    },
}

impl Control {
    /// The condition, if there is one.
    pub const fn test(&self) -> Option<CcTest> {
        match *self {
            Self::Kill(test) => Some(test),
            Self::Branch { test, .. } | Self::Call { test, .. } | Self::Return { test } => test,
        }
    }
}

/// A name for a place in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// As written.
    pub name: String,
    /// Index of the instruction behind it; the number of instructions at the end.
    pub at: usize,
    /// Place of the name where it is defined.
    pub span: Span,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What it does.
    pub op: Opcode,
    /// Whose special cases hold.
    pub rules: Rules,
    /// Type that operands are converted to and the computation is carried out in.
    pub ty: Type,
    /// Where the result goes; `None` where there is `control`.
    pub dest: Option<Destination>,
    /// Operands in order.
    pub operands: Vec<Operand>,
    /// `_SAT`.
    pub saturate: bool,
    /// `C`.
    pub update_cc: bool,
    /// What it does to the flow of the program, if that is what it does.
    pub control: Option<Control>,
    /// Texture referenced.
    pub texture: Option<TextureRef>,
    /// Place in the text: mnemonic to the last operand, without the semicolon.
    pub span: Span,
    /// Place of the mnemonic with its suffixes.
    pub mnemonic_span: Span,
}

/// Something counted against a limit, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// What, in the plural, e.g. `instructions`.
    pub what: &'static str,
    /// How they are counted.
    pub about: &'static str,
    /// How many the program uses.
    pub used: usize,
    /// How many there may be.
    pub limit: usize,
}

/// Limits of the languages.
pub mod limits {
    use crate::isa::VertexVersion;

    /// What a version of the vertex languages has of registers and instructions (NV_vertex_program2
    /// 2.14.1.2 to 2.14.1.4 and 2.14.1.8).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Vertex {
        /// Temporary registers, `R0` on.
        pub temporaries: u8,
        /// Address registers, `A0` on.
        pub addresses: u8,
        /// Components that an address register has.
        pub address_components: u8,
        /// Program parameter registers, `c[0]` on.
        pub parameters: u16,
        /// The least and the greatest offset of a relative reference.
        pub offsets: (i16, i16),
        /// Instructions of a program that is not position-invariant.
        pub instructions: usize,
    }

    /// By how many instructions `OPTION NV_position_invariant` lowers the limit (NV_vertex_program2
    /// 2.14.6.1).
    pub const INVARIANT_INSTRUCTIONS: usize = 4;

    /// The limits of a version.
    pub const fn vertex(version: VertexVersion) -> Vertex {
        match version {
            VertexVersion::Vp1 | VertexVersion::Vp1_1 => Vertex {
                temporaries: 12,
                addresses: 1,
                address_components: 1,
                parameters: VP1_PARAMETERS as u16,
                offsets: (-64, 63),
                instructions: 128,
            },
            VertexVersion::Vp2 => Vertex {
                temporaries: 16,
                addresses: 2,
                address_components: 4,
                parameters: VP2_PARAMETERS as u16,
                offsets: (-256, 255),
                instructions: 256,
            },
        }
    }

    /// Executable instructions of `!!FP1.0` (ruling 11).
    pub const INSTRUCTIONS: usize = 1024;
    /// Temporary and output register halves of `!!FP1.0`.
    pub const REGISTER_HALVES: usize = 64;
    /// Numbered local parameters of `!!FP1.0`.
    pub const NUMBERED_PARAMETERS: usize = 64;
    /// Program parameter registers of the vertex languages before `!!VP2.0`.
    pub const VP1_PARAMETERS: usize = 96;
    /// Program parameter registers of `!!VP2.0`, and of a context.
    pub const VP2_PARAMETERS: usize = 256;
    /// Return addresses on the call stack.
    pub const CALL_DEPTH: usize = 4;
    /// Instructions that one invocation executes at most.
    pub const EXECUTED: usize = 65536;
}

/// A checked program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Language it was written in, for display.
    pub language: Language,
    /// Instructions in order.
    pub instructions: Vec<Instruction>,
    /// Temporaries used, in order of first use.
    pub temporaries: Vec<Temporary>,
    /// Parameters and constants: every `DECLARE`d one (read or not) and what instructions read.
    pub parameters: Vec<Parameter>,
    /// Outputs written, in order of first write.
    pub outputs: Vec<Output>,
    /// Counted resources, instructions first.
    pub usage: Vec<Usage>,
    /// Labels, in order of definition.
    pub labels: Vec<Label>,
    /// Index of the instruction that execution begins with (behind `main`, else 0).
    pub entry: usize,
    /// Whether `OPTION NV_position_invariant` is on: HPOS is the conventional transformation's.
    pub position_invariant: bool,
}

impl Program {
    /// The target that each image unit is looked up with, if any.
    pub fn textures(&self) -> [Option<TextureTarget>; IMAGE_UNITS] {
        let mut units = [None; IMAGE_UNITS];
        for texture in self.instructions.iter().filter_map(|i| i.texture) {
            units[usize::from(texture.unit)] = Some(texture.target);
        }
        units
    }

    /// Index of the output with `role`, if the program writes it.
    pub fn output(&self, role: OutputRole) -> Option<OutputId> {
        let index = self.outputs.iter().position(|o| o.role == role)?;
        u16::try_from(index).ok().map(OutputId)
    }

    /// Whether any instruction may go on elsewhere than at the next one.
    pub fn has_flow(&self) -> bool {
        let flows = |control: &Control| !matches!(control, Control::Kill(_));
        self.instructions.iter().any(|i| i.control.as_ref().is_some_and(flows))
    }

    /// Whether the program may discard its fragment.
    pub fn can_kill(&self) -> bool {
        self.instructions.iter().any(|i| matches!(i.control, Some(Control::Kill(_))))
    }

    /// Whether the program replaces depth.
    pub fn writes_depth(&self) -> bool {
        self.output(OutputRole::Depth).is_some()
    }

    /// Component type of `target`.
    pub fn target_type(&self, target: Target) -> Type {
        match target {
            Target::Temp(id) => self.temporaries[usize::from(id.0)].ty,
            Target::Output(id) => self.outputs[usize::from(id.0)].ty,
            Target::ConditionOnly(ty) => ty,
            Target::Param(_) => Type::F32,
        }
    }

    /// Component type of `source`.
    pub fn source_type(&self, source: Source) -> Type {
        match source {
            Source::Temp(id) => self.temporaries[usize::from(id.0)].ty,
            Source::Attribute(_) | Source::Param(_) | Source::Indexed(_) => Type::F32,
        }
    }
}
