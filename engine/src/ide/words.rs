//! What each word, array and number is in each language, for everything an editor shows.
//!
//! Facts come from the instruction table, the register tables of [`crate::ir`] and the word list of the
//! `!!FP1.0` front end; what the grammars of the vertex languages add (NV_vertex_program2 2.14.1.8,
//! 2.14.5 and 2.14.6) is stated here. Of the ARB languages only the words that no program declares are here;
//! the rest is [`super::arb`].

use crate::front::arb;
use crate::front::fp1::words::{self as fp1, numbered};
use crate::front::vp::words as vp;
use crate::front::words::Role;
use crate::ir::{Attribute, Condition, TextureTarget, Type};
use crate::isa::{self, Info, Language, Stage};

/// A word in a language.
#[derive(Clone, Copy, Debug)]
pub(super) enum Word {
    /// An instruction name with suffixes it takes.
    Instruction(&'static Info),
    /// `END`, `DEFINE`, `DECLARE` or `OPTION`.
    Keyword(Keyword),
    /// A temporary register with components of a type.
    Temporary(Type),
    /// `A0` or `A1`.
    Address,
    /// `RC`, `HC` or `CC`.
    ConditionRegister(Type),
    /// The name of an array of registers.
    Array(Array),
    /// A name that stands only within the brackets of an array.
    ElementName,
    /// `TEX0` and so on, outside `f[...]`.
    TextureUnit,
    /// `CUBE`, `RECT`.
    TextureTarget,
    /// A condition rule.
    Condition,
    /// The name of a program option.
    OptionName,
    /// The first word of bindings in the ARB languages.
    Binding,
    /// Anything else.
    Name,
}

/// A statement that is no instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    /// `END`
    End,
    /// `DEFINE`
    Define,
    /// `DECLARE`
    Declare,
    /// `OPTION`
    Option,
    /// A declaration of the ARB languages.
    Arb(&'static str),
}

impl Keyword {
    fn of(name: &'static str) -> Self {
        match name {
            "END" => Self::End,
            "DEFINE" => Self::Define,
            "DECLARE" => Self::Declare,
            "OPTION" => Self::Option,
            _ => Self::Arb(name),
        }
    }
}

/// Registers that are written with a number or name in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Array {
    /// `f`, or `v` in the vertex languages.
    Attributes,
    /// `o`
    Outputs,
    /// `p`, or `c` in the vertex languages.
    Parameters,
}

impl Array {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Attributes, Self::Outputs, Self::Parameters];

    /// Its name in `language`, if that has it.
    pub const fn name(self, language: Language) -> Option<&'static str> {
        let Some(files) = &language.profile().files else { return None };
        match self {
            Self::Attributes => Some(files.attributes),
            Self::Outputs => files.outputs,
            Self::Parameters => Some(files.parameters),
        }
    }
}

/// The label that execution begins at (NV_vertex_program2 2.14.2.3).
pub(super) const MAIN: &str = "main";

/// Whether `word` is `prefix` with a number behind it.
pub(super) fn is_numbered(word: &str, prefix: &str) -> bool {
    numbered(word, prefix).is_some()
}

/// The largest offsets subtracted and added in `c[A0.x-m]` and `c[A0.x+n]` (`<relProgParamOffset>`).
pub(super) fn offset_limits(language: Language) -> Option<(usize, usize)> {
    let addresses = &language.profile().addresses;
    let (least, greatest) = addresses.offsets;
    let size = |offset: i64| usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
    (!addresses.registers.is_empty()).then(|| (size(least), size(greatest)))
}

/// The attribute that `text`, a name or a number, stands for within the brackets. State programs read
/// `v[0]` alone, and by its number (NV_vertex_program2 2.14.5).
pub(super) fn attribute(language: Language, text: &str) -> Option<Attribute> {
    let attributes = Attribute::of(language.stage());
    let numbered = || {
        let number: usize = text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()))?;
        attributes.get(number).copied()
    };
    match language.stage() {
        Stage::Fragment => Attribute::of_language(language).find(|a| a.name() == text),
        Stage::Vertex => attributes.iter().copied().find(|a| a.name() == text).or_else(numbered),
        Stage::VertexState => numbered().filter(|a| a.index() == 0),
    }
}

/// What can stand in the brackets of the attributes, the preferred form of each.
pub(super) fn attribute_names(language: Language) -> Vec<&'static str> {
    match language.stage() {
        Stage::Fragment | Stage::Vertex => Attribute::of_language(language).map(Attribute::name).collect(),
        Stage::VertexState => vec!["0"],
    }
}

/// The names of the output or result registers.
pub(super) fn output_names(language: Language) -> Vec<&'static str> {
    match language.stage() {
        Stage::Fragment => fp1::OutputName::ALL.iter().map(|output| output.name()).collect(),
        Stage::Vertex | Stage::VertexState => vp::results(language).map(|result| result.name()).collect(),
    }
}

/// Says what `word` is in `language`, whatever a program declares.
pub(super) fn classify(language: Language, word: &str) -> Word {
    if language.profile().declares_variables() {
        return arb_word(language, word);
    }
    if let Some(array) = Array::ALL.into_iter().find(|array| array.name(language) == Some(word)) {
        return Word::Array(array);
    }
    if let Some(keyword) = language.profile().keywords.iter().find(|keyword| **keyword == word) {
        return Word::Keyword(Keyword::of(keyword));
    }
    match language.stage() {
        Stage::Fragment => fragment(word),
        Stage::Vertex | Stage::VertexState => vertex(language, word),
    }
}

fn fragment(word: &str) -> Word {
    match fp1::classify(word) {
        fp1::Word::Instruction(info, _) => Word::Instruction(info),
        fp1::Word::Temporary(register) => Word::Temporary(register.ty),
        fp1::Word::ConditionRegister(ty) => Word::ConditionRegister(ty),
        fp1::Word::AttributeName | fp1::Word::OutputName => Word::ElementName,
        fp1::Word::TextureUnit(_) => Word::TextureUnit,
        fp1::Word::Target => Word::TextureTarget,
        fp1::Word::Condition(_) => Word::Condition,
        fp1::Word::OptionName => Word::OptionName,
        // Keywords and arrays are found before.
        _ => Word::Name,
    }
}

fn vertex(language: Language, word: &str) -> Word {
    let profile = language.profile();
    let number = numbered(word, "R").and_then(|number| usize::try_from(number).ok());
    if number.is_some_and(|number| number < profile.limits.temporaries) {
        return Word::Temporary(Type::F32);
    }
    if profile.addresses.registers.contains(&word) {
        return Word::Address;
    }
    if profile.options.contains(&word) {
        return Word::OptionName;
    }
    if profile.condition_registers.iter().any(|(name, _)| *name == word) {
        return Word::ConditionRegister(Type::F32);
    }
    if profile.condition_codes > 0 && Condition::ALL.iter().any(|condition| condition.name() == word) {
        return Word::Condition;
    }
    isa::find(language, word).map_or(Word::Name, |(info, _)| Word::Instruction(info))
}

fn arb_word(language: Language, word: &str) -> Word {
    match arb::words::role(language, word) {
        Role::Instruction(info, _) => Word::Instruction(info),
        Role::Keyword(arb::words::Keyword::Option) => Word::Keyword(Keyword::Option),
        Role::Keyword(arb::words::Keyword::Size(_)) if !language.profile().half_variables => Word::Name,
        Role::Keyword(keyword) => Word::Keyword(Keyword::Arb(keyword.name())),
        Role::End => Word::Keyword(Keyword::End),
        Role::Condition(..) if language.profile().condition_codes > 0 => Word::Condition,
        Role::Other(_) => Word::Binding,
        Role::Condition(..) | Role::Name => {
            let mut targets = TextureTarget::ALL.into_iter().chain(TextureTarget::SHADOW);
            if language.profile().options.contains(&word) {
                Word::OptionName
            } else if language.profile().textures && targets.any(|target| target.name() == word) {
                Word::TextureTarget
            } else {
                Word::Name
            }
        }
    }
}

/// The languages other than `language` in which `word` means something; of those with one header the first, as
/// those behind it have it too.
pub(super) fn elsewhere(language: Language, word: &str) -> Vec<Language> {
    let known = |other: &Language| *other != language && !matches!(classify(*other, word), Word::Name);
    Language::by_header(Language::ALL.into_iter().filter(known))
}

/// Languages as a list for reading: `!!VP1.1 and !!VP2.0`.
pub(super) fn listed(languages: &[Language]) -> String {
    joined(&languages.iter().map(|language| language.name()).collect::<Vec<_>>())
}

/// Things as a list for reading: `a, b and c`.
pub(super) fn joined(things: &[&str]) -> String {
    match things.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => things.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The registers and limits that NV_vertex_program2 2.14.1 gives each execution environment, and the words of
    /// the ARB grammars with what each option adds.
    #[test]
    fn each_language_has_its_own_registers() {
        use Language::{ArbFp1, ArbFp1Nv1, ArbFp1Nv2, ArbVp1, ArbVp1Nv2, ArbVp1Nv3};
        use Language::{Fp1, Vp1, Vp1_1, Vp2, Vsp1};
        for (word, languages) in [
            ("R11", &[Fp1, Vp1, Vp1_1, Vp2, Vsp1][..]),
            ("R15", &[Fp1, Vp2]),
            ("R16", &[Fp1]),
            ("H0", &[Fp1]),
            ("A0", &[Vp1, Vp1_1, Vp2, Vsp1]),
            ("A1", &[Vp2]),
            ("CC", &[Vp2]),
            ("RC", &[Fp1]),
            ("EQ", &[Fp1, Vp2, ArbFp1Nv1, ArbFp1Nv2, ArbVp1Nv2, ArbVp1Nv3]),
            ("EQ1", &[ArbVp1Nv3]),
            ("o", &[Fp1, Vp1, Vp1_1, Vp2]),
            ("v", &[Vp1, Vp1_1, Vp2, Vsp1]),
            ("f", &[Fp1]),
            ("OPTION", &[Fp1, Vp1_1, Vp2, ArbFp1, ArbFp1Nv1, ArbFp1Nv2, ArbVp1, ArbVp1Nv2, ArbVp1Nv3]),
            ("ADDRESS", &[ArbVp1, ArbVp1Nv2, ArbVp1Nv3]),
            ("SHORT", &[ArbFp1Nv1, ArbFp1Nv2]),
            ("fragment", &[ArbFp1, ArbFp1Nv1, ArbFp1Nv2]),
            ("SHADOW2D", &[ArbFp1, ArbFp1Nv1, ArbFp1Nv2, ArbVp1Nv3]),
            ("ARB_fog_exp", &[ArbFp1, ArbFp1Nv1, ArbFp1Nv2]),
            ("ARB_fragment_coord_origin_upper_left", &[Fp1, ArbFp1, ArbFp1Nv1, ArbFp1Nv2]),
            ("NV_position_invariant", &[Vp1_1, Vp2]),
            ("DEFINE", &[Fp1]),
            ("ABS", &[Vp1_1, Vp2, ArbFp1, ArbFp1Nv1, ArbFp1Nv2, ArbVp1, ArbVp1Nv2, ArbVp1Nv3]),
            ("MOVC", &[Fp1, Vp2, ArbFp1Nv1, ArbFp1Nv2, ArbVp1Nv2, ArbVp1Nv3]),
            ("BRA", &[Vp2, ArbVp1Nv2, ArbVp1Nv3]),
            ("BRAC", &[]),
            ("R012", &[]),
        ] {
            let found: Vec<Language> =
                Language::ALL.into_iter().filter(|l| !matches!(classify(*l, word), Word::Name)).collect();
            assert_eq!(found, languages, "{word}");
        }
    }

    #[test]
    fn attributes_go_by_name_or_number() {
        assert_eq!(attribute(Language::Vp1, "NRML"), Some(Attribute::Vertex(2)));
        assert_eq!(attribute(Language::Vp2, "15"), Some(Attribute::Vertex(15)));
        assert_eq!(attribute(Language::Vp2, "16"), None);
        assert_eq!(attribute(Language::Vp2, "+1"), None);
        assert_eq!(attribute(Language::Vsp1, "0"), Some(Attribute::Vertex(0)));
        assert_eq!(attribute(Language::Vsp1, "1"), None);
        assert_eq!(attribute(Language::Vsp1, "OPOS"), None);
        assert_eq!(attribute(Language::Fp1, "WPOS"), Some(Attribute::Wpos));
        assert_eq!(attribute(Language::Fp1, "0"), None);
        assert_eq!(output_names(Language::Vp1).len(), 15);
        assert_eq!(output_names(Language::Vp2).len(), 21);
    }
}
