//! The words of the vertex languages' grammars.
//!
//! [`classify`] recognises all registers of `!!VP2.0` in every language. The parser then reports the
//! registers that the program's language lacks.

use crate::front::word_roles::{Role, numbered_below};
use crate::ir::{CcRegister, Condition, VertexResult};
use crate::isa::{self, Info, Language, Limits, Suffixes};

/// The only option.
pub const POSITION_INVARIANT: &str = "NV_position_invariant";

/// The limits of `!!VP2.0`, which has the most registers of these languages.
const MOST: Limits = Language::Vp2.profile().limits;

/// The first word of a statement that is not an instruction.
#[derive(Clone, Copy, Debug)]
pub enum Keyword {
    /// `OPTION`
    Option,
}

/// A word of the grammar.
#[derive(Clone, Copy, Debug)]
pub enum Word {
    /// An instruction name of the language with the suffixes it takes.
    Instruction(&'static Info, Suffixes),
    /// `END`
    End,
    /// `OPTION`
    Keyword(Keyword),
    /// `R0` to `R15`
    Temporary(u8),
    /// `A0` or `A1`
    Address(u8),
    /// `CC`
    ConditionRegister,
    /// `v`
    AttributeArray,
    /// `c`
    ParameterArray,
    /// `o`
    ResultArray,
    /// `EQ`...
    Condition(Condition),
    /// Any other word.
    Name,
}

impl Word {
    /// The role of the word for the shared parser.
    pub const fn role(self) -> Role<Keyword> {
        match self {
            Self::Instruction(info, suffixes) => Role::Instruction(info, suffixes),
            Self::End => Role::End,
            Self::Keyword(keyword) => Role::Keyword(keyword),
            Self::Temporary(_) | Self::ConditionRegister => Role::Other("a register"),
            Self::Address(_) => Role::Other("an address register"),
            Self::AttributeArray => Role::Other("the name of the attribute registers"),
            Self::ParameterArray => Role::Other("the name of the program parameters"),
            Self::ResultArray => Role::Other("the name of the result registers"),
            Self::Condition(condition) => Role::Condition(condition, CcRegister::Cc0),
            Self::Name => Role::Name,
        }
    }

    /// The description of the word for "... is ...".
    pub const fn describe(self) -> &'static str {
        self.role().describe()
    }
}

/// Classifies `word` in `language`.
pub fn classify(language: Language, word: &str) -> Word {
    if let Some(number) = numbered_below(word, "R", MOST.temporaries) {
        return Word::Temporary(number);
    }
    if let Some(number) = numbered_below(word, "A", MOST.addresses) {
        return Word::Address(number);
    }
    match word {
        "END" => return Word::End,
        "OPTION" => return Word::Keyword(Keyword::Option),
        "CC" => return Word::ConditionRegister,
        "v" => return Word::AttributeArray,
        "c" => return Word::ParameterArray,
        "o" => return Word::ResultArray,
        _ => {}
    }
    if let Some(&condition) = Condition::OF_NUMBERS.iter().find(|c| c.name() == word) {
        return Word::Condition(condition);
    }
    isa::find(language, word).map_or(Word::Name, |(info, suffixes)| Word::Instruction(info, suffixes))
}

/// The result registers of `language` (Table X.1). State programs have none.
pub fn results(language: Language) -> impl Iterator<Item = VertexResult> {
    VertexResult::ALL.into_iter().filter(move |result| result.is_in(language))
}
