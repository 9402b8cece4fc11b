//! The words of the `!!FP1.0` grammar, and so the words that cannot be names.
//!
//! The terminals of the grammar that are words are reserved (3.11.2: "keywords defined in the grammar
//! (including instruction names)"):
//!
//! * instruction names with every suffix that they take
//! * `END`, `DEFINE`, `DECLARE`, `OPTION` and the names of options
//! * registers, condition rules, and the names of attributes and outputs
//! * texture units and targets
//! * the array names `f`, `o` and `p`
//!
//! The letters `x`, `y`, `z` and `w` can be names. 3.11.4.3 calls them characters of a suffix. They occur
//! only after a point, so no clause forbids them as names.

pub use crate::front::word_roles::numbered;
use crate::front::word_roles::{Role, numbered_below};
use crate::ir::{Attribute, CcRegister, Condition, OutputRole, TextureTarget, Type};
use crate::isa::{self, Info, Language, Suffixes};

/// A temporary register, `R0`-`R31` or `H0`-`H63`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// F32 for R, F16 for H.
    pub ty: Type,
    /// Number within its kind.
    pub number: u8,
}

impl Register {
    /// Number of R registers.
    pub const WIDE: u8 = 32;
    /// Number of H registers.
    pub const NARROW: u8 = 64;
    /// Number of registers with a name of their own (3.11.1.2).
    pub const COUNT: usize = 96;

    /// The number of the register among all registers, less than [`Self::COUNT`].
    pub fn index(self) -> usize {
        usize::from(self.number) + if self.ty == Type::F16 { usize::from(Self::WIDE) } else { 0 }
    }

    /// The name in the text of a program.
    pub fn name(self) -> String {
        format!("{}{}", if self.ty == Type::F16 { 'H' } else { 'R' }, self.number)
    }
}

named_enum! {
    /// An output register, Table X.3. The name is within `o[...]`.
    pub enum OutputName(
        /// Component type.
        pub ty: Type,
        pub role: OutputRole,
    ) {
        Colr = "COLR" => (Type::F32, OutputRole::Color(0)),
        Colh = "COLH" => (Type::F16, OutputRole::Color(0)),
        Depr = "DEPR" => (Type::F32, OutputRole::Depth),
    }
}

/// The first word of a statement that is not an instruction.
#[derive(Clone, Copy, Debug)]
pub enum Keyword {
    /// `OPTION`
    Option,
    /// `DEFINE`
    Define,
    /// `DECLARE`
    Declare,
}

/// A word of the grammar.
#[derive(Clone, Copy, Debug)]
pub enum Word {
    /// An instruction name with the suffixes it takes.
    Instruction(&'static Info, Suffixes),
    /// `END`
    End,
    /// `OPTION`, `DEFINE` or `DECLARE`
    Keyword(Keyword),
    /// The name of a program option.
    OptionName,
    /// `R0`...
    Temporary(Register),
    /// `RC` or `HC`
    ConditionRegister(Type),
    /// `f`
    AttributeArray,
    /// `o`
    OutputArray,
    /// `p`
    ParameterArray,
    /// `WPOS`, `COL0`, `COL1`, `FOGC`; `TEXn` counts as a texture unit.
    AttributeName,
    /// `COLR`, `COLH`, `DEPR`
    OutputName,
    /// `TEX0`-`TEX15`
    TextureUnit(u8),
    /// `CUBE`, `RECT`
    Target,
    /// `EQ`...
    Condition(Condition),
    /// Any other word. It can be a name.
    Name,
}

impl Word {
    /// The role of the word for the shared parser.
    pub const fn role(self) -> Role<Keyword> {
        match self {
            Self::Instruction(info, suffixes) => Role::Instruction(info, suffixes),
            Self::End => Role::End,
            Self::Keyword(keyword) => Role::Keyword(keyword),
            Self::OptionName => Role::Other("an option name"),
            Self::Temporary(_) | Self::ConditionRegister(_) => Role::Other("a register"),
            Self::AttributeArray => Role::Other("the name of the attribute registers"),
            Self::OutputArray => Role::Other("the name of the output registers"),
            Self::ParameterArray => Role::Other("the name of the numbered parameters"),
            Self::AttributeName => Role::Other("the name of an attribute"),
            Self::OutputName => Role::Other("the name of an output"),
            Self::TextureUnit(_) => Role::Other("a texture image unit"),
            Self::Target => Role::Other("a texture target"),
            Self::Condition(condition) => Role::Condition(condition, CcRegister::Cc0),
            Self::Name => Role::Name,
        }
    }

    /// The description of the word for "... is ...".
    pub const fn describe(self) -> &'static str {
        self.role().describe()
    }
}

/// Classifies `word`.
pub fn classify(word: &str) -> Word {
    if let Some(number) = numbered_below(word, "R", Register::WIDE.into()) {
        return Word::Temporary(Register { ty: Type::F32, number });
    }
    if let Some(number) = numbered_below(word, "H", Register::NARROW.into()) {
        return Word::Temporary(Register { ty: Type::F16, number });
    }
    if let Some(unit) = numbered_below(word, "TEX", 16) {
        return Word::TextureUnit(unit);
    }
    match word {
        "END" => return Word::End,
        "OPTION" => return Word::Keyword(Keyword::Option),
        "DEFINE" => return Word::Keyword(Keyword::Define),
        "DECLARE" => return Word::Keyword(Keyword::Declare),
        "RC" => return Word::ConditionRegister(Type::F32),
        "HC" => return Word::ConditionRegister(Type::F16),
        "f" => return Word::AttributeArray,
        "o" => return Word::OutputArray,
        "p" => return Word::ParameterArray,
        _ => {}
    }
    if Language::Fp1.profile().options.contains(&word) {
        return Word::OptionName;
    }
    if let Some(&condition) = Condition::OF_NUMBERS.iter().find(|c| c.name() == word) {
        return Word::Condition(condition);
    }
    if TextureTarget::FP1.iter().any(|t| t.name() == word) {
        return Word::Target;
    }
    if Attribute::of_language(Language::Fp1).any(|a| a.name() == word) {
        return Word::AttributeName;
    }
    if OutputName::from_name(word).is_some() {
        return Word::OutputName;
    }
    isa::find(Language::Fp1, word).map_or(Word::Name, |(info, suffixes)| Word::Instruction(info, suffixes))
}
