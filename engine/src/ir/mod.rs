//! The typed program that every language becomes and every executor runs.
//!
//! Registers hold bits; the instruction says how to read them. Nothing here remembers which language
//! a program came from beyond [`Program::language`], which is for display only.

pub(crate) mod constants;
mod disasm;
mod verify;

pub use disasm::{disassemble, disassemble_instruction};
pub use verify::{VerifyError, verify};

use crate::isa::{Language, Opcode};
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

/// A fragment attribute register (Table X.1 of NV_fragment_program).
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
}

impl Attribute {
    /// Number of attribute registers.
    pub const COUNT: usize = 12;

    /// All of them, in the order of Table X.1.
    pub const ALL: [Self; Self::COUNT] = [
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

    /// Position in [`Self::ALL`].
    pub const fn index(self) -> usize {
        match self {
            Self::Wpos => 0,
            Self::Col0 => 1,
            Self::Col1 => 2,
            Self::Fogc => 3,
            Self::Tex(set) => 4 + set as usize,
        }
    }

    /// Name within `f[...]`.
    pub const fn name(self) -> &'static str {
        ["WPOS", "COL0", "COL1", "FOGC", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4", "TEX5", "TEX6", "TEX7"]
            [self.index()]
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
    /// A fragment attribute.
    Attribute(Attribute),
    /// A parameter or constant.
    Param(ParamId),
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
    /// `RC` (F32) or `HC` (F16): nothing is stored, only the condition code can change.
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

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What it does.
    pub op: Opcode,
    /// Type that operands are converted to and the computation is carried out in.
    pub ty: Type,
    /// Where the result goes; `None` for KIL.
    pub dest: Option<Destination>,
    /// Operands in order.
    pub operands: Vec<Operand>,
    /// `_SAT`.
    pub saturate: bool,
    /// `C`.
    pub update_cc: bool,
    /// KIL's test.
    pub kill: Option<CcTest>,
    /// Texture referenced.
    pub texture: Option<TextureRef>,
    /// Place in the text: mnemonic to the last operand, without the semicolon.
    pub span: Span,
    /// Place of the mnemonic with its suffixes.
    pub mnemonic_span: Span,
}

/// Registers and other counted resources, with the limits they count against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Executable instructions, of [`limits::INSTRUCTIONS`].
    pub instructions: usize,
    /// Register halves (R and wide outputs two, H and narrow outputs one), of
    /// [`limits::REGISTER_HALVES`].
    pub register_halves: usize,
}

/// Limits of `!!FP1.0` (ruling 11).
pub mod limits {
    /// Executable instructions.
    pub const INSTRUCTIONS: usize = 1024;
    /// Temporary and output register halves.
    pub const REGISTER_HALVES: usize = 64;
    /// Numbered local parameters.
    pub const NUMBERED_PARAMETERS: usize = 64;
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
    /// Counted resources.
    pub resources: Resources,
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
        }
    }

    /// Component type of `source`.
    pub fn source_type(&self, source: Source) -> Type {
        match source {
            Source::Temp(id) => self.temporaries[usize::from(id.0)].ty,
            Source::Attribute(_) | Source::Param(_) => Type::F32,
        }
    }
}
