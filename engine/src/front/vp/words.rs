//! What each word of the vertex languages' grammars is.
//!
//! Registers are known here in the number that `!!VP2.0` has; the parser says which a language lacks.

use crate::front::words::numbered_below;
use crate::ir::{Condition, VertexResult, limits};
use crate::isa::{self, Info, Language, Suffixes, VertexVersion};

/// The one option there is.
pub(crate) const POSITION_INVARIANT: &str = "NV_position_invariant";

/// The most of everything: what `!!VP2.0` has.
const MOST: limits::Vertex = limits::vertex(VertexVersion::Vp2);

/// A word of the grammar.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word {
    /// An instruction name of the language with the suffixes it takes.
    Instruction(&'static Info, Suffixes),
    /// `END`
    End,
    /// `OPTION`
    Option,
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
    /// Anything else.
    Name,
}

impl Word {
    /// What the word is, in words, for "... is ...".
    pub fn describe(self) -> &'static str {
        match self {
            Self::Instruction(..) => "an instruction name",
            Self::End | Self::Option => "a keyword",
            Self::Temporary(_) | Self::ConditionRegister => "a register",
            Self::Address(_) => "an address register",
            Self::AttributeArray => "the name of the attribute registers",
            Self::ParameterArray => "the name of the program parameters",
            Self::ResultArray => "the name of the result registers",
            Self::Condition(_) => "a condition rule",
            Self::Name => "a name",
        }
    }

    /// Whether no label can have it: it begins another statement.
    pub const fn is_reserved(self) -> bool {
        matches!(self, Self::Instruction(..) | Self::End | Self::Option)
    }
}

/// Says what `word` is in `language`.
pub(crate) fn classify(language: Language, word: &str) -> Word {
    if let Some(number) = numbered_below(word, "R", MOST.temporaries) {
        return Word::Temporary(number);
    }
    if let Some(number) = numbered_below(word, "A", MOST.addresses) {
        return Word::Address(number);
    }
    match word {
        "END" => return Word::End,
        "OPTION" => return Word::Option,
        "CC" => return Word::ConditionRegister,
        "v" => return Word::AttributeArray,
        "c" => return Word::ParameterArray,
        "o" => return Word::ResultArray,
        _ => {}
    }
    if let Some(&condition) = Condition::ALL.iter().find(|c| c.name() == word) {
        return Word::Condition(condition);
    }
    isa::find(language, word).map_or(Word::Name, |(info, suffixes)| Word::Instruction(info, suffixes))
}

/// The words that may begin a statement of `language`, instructions without suffixes.
pub(crate) fn statement_words(language: Language) -> impl Iterator<Item = &'static str> {
    let option = has_options(language).then_some("OPTION");
    isa::instructions(language).map(|info| info.mnemonic).chain(option).chain(["END"])
}

/// Whether `language` has `OPTION` (NV_vertex_program2 2.14.6).
pub(crate) const fn has_options(language: Language) -> bool {
    matches!(language, Language::Vp1_1 | Language::Vp2)
}

/// The result registers of `language` (Table X.1); none in state programs.
pub(crate) fn results(language: Language) -> impl Iterator<Item = VertexResult> {
    VertexResult::ALL.into_iter().filter(move |result| match language {
        Language::Vp1 | Language::Vp1_1 => !matches!(result, VertexResult::Clp(_)),
        Language::Vp2 => true,
        _ => false,
    })
}
