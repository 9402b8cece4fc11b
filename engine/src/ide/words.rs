//! What each word, array and number is in each language, for everything an editor shows.
//!
//! Facts come from the instruction table, the register tables of [`crate::ir`] and the word list of the
//! `!!FP1.0` front end; what the grammars of the vertex languages add (NV_vertex_program2 2.14.1.8,
//! 2.14.5 and 2.14.6) is stated here.

use crate::front::LANGUAGES;
use crate::front::fp1::words::{self as fp1, numbered};
use crate::front::vp::words as vp;
use crate::ir::{Attribute, Condition, Type, limits};
use crate::isa::{self, Info, Language, Stage};

pub(super) use vp::{POSITION_INVARIANT, has_options};

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
}

impl Keyword {
    /// As written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::End => "END",
            Self::Define => "DEFINE",
            Self::Declare => "DECLARE",
            Self::Option => "OPTION",
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
        match (self, language.stage()) {
            (Self::Attributes, Stage::Fragment) => Some("f"),
            (Self::Attributes, Stage::Vertex | Stage::VertexState) => Some("v"),
            (Self::Outputs, Stage::Fragment | Stage::Vertex) => Some("o"),
            (Self::Outputs, Stage::VertexState) => None,
            (Self::Parameters, Stage::Fragment) => Some("p"),
            (Self::Parameters, Stage::Vertex | Stage::VertexState) => Some("c"),
        }
    }
}

/// The label that execution begins at (NV_vertex_program2 2.14.2.3).
pub(super) const MAIN: &str = "main";

/// Whether `language` has labels and what belongs to them: branches, `CC` and condition masks.
pub(super) const fn has_labels(language: Language) -> bool {
    matches!(language, Language::Vp2)
}

/// Whether programs in `language` name constants or parameters of their own.
pub(super) const fn has_names(language: Language) -> bool {
    matches!(language.stage(), Stage::Fragment)
}

/// Whether numbers can be operands in `language`.
pub(super) const fn has_literals(language: Language) -> bool {
    matches!(language.stage(), Stage::Fragment)
}

/// Whether `language` looks up textures.
pub(super) const fn has_textures(language: Language) -> bool {
    matches!(language.stage(), Stage::Fragment)
}

/// Whether `word` is `prefix` with a number behind it.
pub(super) fn is_numbered(word: &str, prefix: &str) -> bool {
    numbered(word, prefix).is_some()
}

/// How many temporaries `R0`... `language` has.
pub(super) fn temporary_count(language: Language) -> u32 {
    language
        .vertex_version()
        .map_or(fp1::Register::WIDE, |version| limits::vertex(version).temporaries)
        .into()
}

/// The address registers of `language` with the components that can be used (NV_vertex_program2 2.14.1.3).
pub(super) fn addresses(language: Language) -> (&'static [&'static str], &'static str) {
    let Some(version) = language.vertex_version() else { return (&[], "") };
    let limits = limits::vertex(version);
    let registers = ["A0", "A1"].get(..usize::from(limits.addresses)).unwrap_or_default();
    (registers, "xyzw".get(..usize::from(limits.address_components)).unwrap_or_default())
}

/// How many numbered parameters `language` has.
pub(super) fn parameter_count(language: Language) -> usize {
    let vertex = |version| usize::from(limits::vertex(version).parameters);
    language.vertex_version().map_or(limits::NUMBERED_PARAMETERS, vertex)
}

/// The largest offsets subtracted and added in `c[A0.x-m]` and `c[A0.x+n]` (`<relProgParamOffset>`).
pub(super) fn offset_limits(language: Language) -> Option<(usize, usize)> {
    let (least, greatest) = limits::vertex(language.vertex_version()?).offsets;
    Some((least.unsigned_abs().into(), greatest.unsigned_abs().into()))
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

/// The statements of `language` that are no instructions.
pub(super) fn keywords(language: Language) -> &'static [Keyword] {
    match language.stage() {
        Stage::Fragment => &[Keyword::Define, Keyword::Declare, Keyword::End],
        _ if has_options(language) => &[Keyword::Option, Keyword::End],
        _ => &[Keyword::End],
    }
}

/// The condition-code-only registers of `language`, with what they count as.
pub(super) const fn condition_registers(language: Language) -> &'static [(&'static str, &'static str)] {
    match language {
        Language::Fp1 => &[("RC", "condition code only, fp32"), ("HC", "condition code only, fp16")],
        Language::Vp2 => &[("CC", "condition code only")],
        _ => &[],
    }
}

/// Says what `word` is in `language`.
pub(super) fn classify(language: Language, word: &str) -> Word {
    if let Some(array) = Array::ALL.into_iter().find(|array| array.name(language) == Some(word)) {
        return Word::Array(array);
    }
    if let Some(&keyword) = keywords(language).iter().find(|keyword| keyword.name() == word) {
        return Word::Keyword(keyword);
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
        // Keywords and arrays are found before.
        _ => Word::Name,
    }
}

fn vertex(language: Language, word: &str) -> Word {
    if numbered(word, "R").is_some_and(|number| number < temporary_count(language)) {
        return Word::Temporary(Type::F32);
    }
    if addresses(language).0.contains(&word) {
        return Word::Address;
    }
    if has_options(language) && word == POSITION_INVARIANT {
        return Word::OptionName;
    }
    if condition_registers(language).iter().any(|(name, _)| *name == word) {
        return Word::ConditionRegister(Type::F32);
    }
    if has_labels(language) && Condition::ALL.iter().any(|condition| condition.name() == word) {
        return Word::Condition;
    }
    isa::find(language, word).map_or(Word::Name, |(info, _)| Word::Instruction(info))
}

/// The languages other than `language` in which `word` means something.
pub(super) fn elsewhere(language: Language, word: &str) -> Vec<Language> {
    let known = |other: &Language| *other != language && !matches!(classify(*other, word), Word::Name);
    LANGUAGES.into_iter().filter(known).collect()
}

/// Languages as a list for reading: `!!VP1.1 and !!VP2.0`.
pub(super) fn listed(languages: &[Language]) -> String {
    let headers: Vec<&str> = languages.iter().map(|language| language.header()).collect();
    match headers.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => headers.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The registers and limits that NV_vertex_program2 2.14.1 gives each execution environment.
    #[test]
    fn each_language_has_its_own_registers() {
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
            ("EQ", &[Fp1, Vp2]),
            ("o", &[Fp1, Vp1, Vp1_1, Vp2]),
            ("v", &[Vp1, Vp1_1, Vp2, Vsp1]),
            ("f", &[Fp1]),
            ("OPTION", &[Vp1_1, Vp2]),
            (POSITION_INVARIANT, &[Vp1_1, Vp2]),
            ("DEFINE", &[Fp1]),
            ("ABS", &[Vp1_1, Vp2]),
            ("MOVC", &[Fp1, Vp2]),
            ("BRA", &[Vp2]),
            ("BRAC", &[]),
            ("R012", &[]),
        ] {
            let found: Vec<Language> =
                LANGUAGES.into_iter().filter(|l| !matches!(classify(*l, word), Word::Name)).collect();
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
