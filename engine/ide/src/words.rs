//! Classifies words, array names and numbers of a language, using the language's profile, the instruction
//! table and the register tables of [`shadestep_language::ir`]. Names that a program declares are in its
//! [`super::Lexicon`].

use shadestep_language::front::arb::words::{numbered_condition, prefixes};
use shadestep_language::front::fp1::words::{OutputName, Register};
use shadestep_language::front::vp::words::results;
use shadestep_language::front::word_roles::numbered_below;
use shadestep_language::ir::{
    Attribute, IMAGE_UNITS, InputPrimitive, OutputPrimitive, TessellationMode, TessellationOrder,
    TessellationSpacing, TextureTarget, Type,
};
use shadestep_language::isa::{self, Info, Language, Precision, Stage};

/// The class of a word in a language, without a program's declarations.
#[derive(Clone, Copy, Debug)]
pub enum Word {
    /// An instruction name with valid suffixes.
    Instruction(&'static Info),
    /// The first word of a statement that is not an instruction.
    Keyword(&'static str),
    /// A temporary register with components of this type.
    Temporary(Type),
    /// `A0` or `A1`.
    Address,
    /// `RC`, `HC` or `CC`.
    ConditionRegister(Type),
    /// The name of an array of registers.
    Array(Array),
    /// A name that is only valid within the brackets of an array.
    ElementName,
    /// `TEX0` and so on, outside `f[...]`.
    TextureUnit,
    /// `CUBE`, `RECT`.
    TextureTarget,
    /// A condition rule.
    Condition,
    /// The name of a program option.
    OptionName,
    /// The first word of a binding.
    Binding,
    /// Anything else.
    Name,
}

/// An array of registers, which are written with a number or name in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Array {
    /// `f`, or `v` in the vertex languages.
    Attributes,
    /// `o`
    Outputs,
    /// `p`, or `c` in the vertex languages.
    Parameters,
}

impl Array {
    /// Every array.
    pub const ALL: [Self; 3] = [Self::Attributes, Self::Outputs, Self::Parameters];

    /// The array's name in `language`; `None` if the language lacks it.
    pub const fn name(self, language: Language) -> Option<&'static str> {
        let Some(files) = &language.profile().files else { return None };
        match self {
            Self::Attributes => Some(files.attributes),
            Self::Outputs => files.outputs,
            Self::Parameters => Some(files.parameters),
        }
    }
}

/// The label where execution begins (NV_vertex_program2 2.14.2.3).
pub const MAIN: &str = "main";

/// The largest offsets that `c[A0.x-m]` and `c[A0.x+n]` subtract and add (`<relProgParamOffset>`).
pub fn offset_limits(language: Language) -> Option<(usize, usize)> {
    let addresses = &language.profile().addresses;
    let (least, greatest) = addresses.offsets;
    let size = |offset: i64| usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
    (!addresses.registers.is_empty()).then(|| (size(least), size(greatest)))
}

/// The attribute for the name or number `text` in brackets. State programs only read `v[0]`, by number
/// (NV_vertex_program2 2.14.5).
pub fn attribute(language: Language, text: &str) -> Option<Attribute> {
    let number: Option<usize> = text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
    let (by_name, by_number) = match language.stage() {
        Stage::Fragment | Stage::TessControl | Stage::TessEvaluation | Stage::Geometry => (true, false),
        Stage::Vertex => (true, true),
        Stage::VertexState => (false, true),
    };
    let is_meant = |attribute: &Attribute| {
        by_name && attribute.name() == text || by_number && number == Some(attribute.index())
    };
    Attribute::of_language(language).find(is_meant)
}

/// The valid contents of the brackets of attributes, in their preferred spelling.
pub fn attribute_names(language: Language) -> Vec<&'static str> {
    match language.stage() {
        Stage::VertexState => vec!["0"],
        _ => Attribute::of_language(language).map(Attribute::name).collect(),
    }
}

/// The names of the output or result registers.
pub fn output_names(language: Language) -> Vec<&'static str> {
    match language.stage() {
        Stage::Fragment => OutputName::ALL.iter().map(|output| output.name()).collect(),
        _ => results(language).map(|result| result.name()).collect(),
    }
}

/// The words that can follow `keyword`, which declares a property of primitives, and a description of these
/// words.
pub fn of_primitives(language: Language, keyword: &str) -> (Vec<&'static str>, &'static str) {
    match keyword {
        "PRIMITIVE_IN" => {
            let known = InputPrimitive::ALL.into_iter().filter(|primitive| primitive.is_in(language));
            (known.map(InputPrimitive::name).collect(), "input primitive")
        }
        "PRIMITIVE_OUT" => (OutputPrimitive::ALL.map(OutputPrimitive::name).into(), "output primitive"),
        "TESS_MODE" => (TessellationMode::ALL.map(TessellationMode::name).into(), "tessellation mode"),
        "TESS_SPACING" => (TessellationSpacing::ALL.map(TessellationSpacing::name).into(), "spacing"),
        "TESS_VERTEX_ORDER" => (TessellationOrder::ALL.map(TessellationOrder::name).into(), "vertex order"),
        _ => (Vec::new(), ""),
    }
}

/// The texture target that `word` names in any language.
pub fn target(word: &str) -> Option<TextureTarget> {
    TextureTarget::from_name(word)
}

/// Whether `word` is a texture image unit or the beginning of one.
pub fn is_texture_unit(language: Language, word: &str) -> bool {
    let profile = language.profile();
    let bound = profile.declares_variables() && profile.has_textures() && word == "texture";
    bound || matches!(classify(language, word), Word::TextureUnit)
}

/// Classifies `word` in `language`, without a program's declarations.
pub fn classify(language: Language, word: &str) -> Word {
    let profile = language.profile();
    if let Some(keyword) = profile.keywords.iter().find(|keyword| **keyword == word) {
        return Word::Keyword(keyword);
    }
    if profile.options.contains(&word) {
        return Word::OptionName;
    }
    if numbered_condition(language, word).is_some_and(|(condition, _)| {
        profile.condition_codes > 1 || profile.condition_codes == 1 && condition.name() == word
    }) {
        return Word::Condition;
    }
    if target(word).is_some_and(|target| profile.targets.contains(&target)) {
        return Word::TextureTarget;
    }
    let own = if profile.declares_variables() {
        prefixes(language).contains(&word).then_some(Word::Binding)
    } else {
        register(language, word)
    };
    let instruction = || isa::find(language, word).map(|(info, _)| Word::Instruction(info));
    own.or_else(instruction).unwrap_or(Word::Name)
}

/// Classifies `word` among the registers of a language with numbered registers.
fn register(language: Language, word: &str) -> Option<Word> {
    let profile = language.profile();
    let is_numbered = |prefix, limit| numbered_below(word, prefix, limit).is_some();
    let names_element = || {
        Attribute::of_language(language).any(|attribute| attribute.name() == word)
            || output_names(language).contains(&word)
    };
    if let Some(array) = Array::ALL.into_iter().find(|array| array.name(language) == Some(word)) {
        return Some(Word::Array(array));
    }
    if let Some((_, precision)) = profile.condition_registers.iter().find(|(name, _)| *name == word) {
        let half = *precision == Precision::H;
        return Some(Word::ConditionRegister(if half { Type::F16 } else { Type::F32 }));
    }
    Some(if is_numbered("R", profile.limits.temporaries) {
        Word::Temporary(Type::F32)
    } else if profile.half_variables && is_numbered("H", Register::NARROW.into()) {
        Word::Temporary(Type::F16)
    } else if profile.addresses.registers.contains(&word) {
        Word::Address
    } else if profile.has_textures() && is_numbered("TEX", IMAGE_UNITS) {
        Word::TextureUnit
    } else if profile.names && names_element() {
        // Apart from `Name`: outside brackets, an undeclared element name is an error rather than a possible
        // name.
        Word::ElementName
    } else {
        return None;
    })
}

/// The languages that know `word`, for a word that `language` lacks. Of languages with the same header, only
/// the first, because later ones have the word too.
pub fn elsewhere(language: Language, word: &str) -> Vec<Language> {
    let knows = |language: &Language| !matches!(classify(*language, word), Word::Name);
    if knows(&language) {
        return Vec::new();
    }
    Language::by_header(Language::ALL.into_iter().filter(knows))
}

/// A readable list of languages: `!!VP1.1 and !!VP2.0`.
pub fn listed(languages: &[Language]) -> String {
    joined(&languages.iter().map(|language| language.name()).collect::<Vec<_>>())
}

/// A readable list: `a, b and c`.
pub fn joined(things: &[&str]) -> String {
    match things.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => things.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The registers and limits that NV_vertex_program2 2.14.1 gives each execution environment, and the
    /// words of the ARB grammars with the additions of each option.
    #[test]
    fn each_language_has_its_own_registers() {
        use Language::{
            ArbFp1, ArbFp1Nv1, ArbFp1Nv2, ArbVp1, ArbVp1Nv2, ArbVp1Nv3, Fp1, NvFp4, NvFp5, NvGp4, NvGp5,
            NvTcp5, NvTep5, NvVp4, NvVp5, Vp1, Vp1_1, Vp2, Vsp1,
        };
        for (word, languages) in [
            ("R11", &[Fp1, Vp1, Vp1_1, Vp2, Vsp1][..]),
            ("R15", &[Fp1, Vp2]),
            ("R16", &[Fp1]),
            ("H0", &[Fp1]),
            ("A0", &[Vp1, Vp1_1, Vp2, Vsp1]),
            ("A1", &[Vp2]),
            ("CC", &[Vp2]),
            ("RC", &[Fp1]),
            (
                "EQ",
                &[
                    Fp1, Vp2, ArbFp1Nv1, ArbFp1Nv2, ArbVp1Nv2, ArbVp1Nv3, NvVp4, NvFp4, NvVp5, NvFp5, NvGp4,
                    NvGp5, NvTcp5, NvTep5,
                ],
            ),
            ("EQ1", &[ArbVp1Nv3, NvVp4, NvFp4, NvVp5, NvFp5, NvGp4, NvGp5, NvTcp5, NvTep5]),
            ("o", &[Fp1, Vp1, Vp1_1, Vp2]),
            ("v", &[Vp1, Vp1_1, Vp2, Vsp1]),
            ("f", &[Fp1]),
            (
                "OPTION",
                &[
                    Fp1, Vp1_1, Vp2, ArbFp1, ArbFp1Nv1, ArbFp1Nv2, ArbVp1, ArbVp1Nv2, ArbVp1Nv3, NvVp4,
                    NvFp4, NvVp5, NvFp5, NvGp4, NvGp5, NvTcp5, NvTep5,
                ],
            ),
            ("ADDRESS", &[ArbVp1, ArbVp1Nv2, ArbVp1Nv3]),
            ("SHORT", &[ArbFp1Nv1, ArbFp1Nv2, NvVp4, NvFp4, NvVp5, NvFp5, NvGp4, NvGp5, NvTcp5, NvTep5]),
            ("fragment", &[ArbFp1, ArbFp1Nv1, ArbFp1Nv2, NvFp4, NvFp5]),
            (
                "SHADOW2D",
                &[
                    ArbFp1, ArbFp1Nv1, ArbFp1Nv2, ArbVp1Nv3, NvVp4, NvFp4, NvVp5, NvFp5, NvGp4, NvGp5,
                    NvTcp5, NvTep5,
                ],
            ),
            ("ARB_fog_exp", &[ArbFp1, ArbFp1Nv1, ArbFp1Nv2, NvFp4, NvFp5]),
            ("ARB_fragment_coord_origin_upper_left", &[Fp1, ArbFp1, ArbFp1Nv1, ArbFp1Nv2, NvFp4, NvFp5]),
            ("NV_position_invariant", &[Vp1_1, Vp2]),
            ("DEFINE", &[Fp1]),
            (
                "ABS",
                &[
                    Vp1_1, Vp2, ArbFp1, ArbFp1Nv1, ArbFp1Nv2, ArbVp1, ArbVp1Nv2, ArbVp1Nv3, NvVp4, NvFp4,
                    NvVp5, NvFp5, NvGp4, NvGp5, NvTcp5, NvTep5,
                ],
            ),
            (
                "MOVC",
                &[
                    Fp1, Vp2, ArbFp1Nv1, ArbFp1Nv2, ArbVp1Nv2, ArbVp1Nv3, NvVp4, NvFp4, NvVp5, NvFp5, NvGp4,
                    NvGp5, NvTcp5, NvTep5,
                ],
            ),
            ("BRA", &[Vp2, ArbVp1Nv2, ArbVp1Nv3]),
            ("INT", &[NvVp4, NvFp4, NvVp5, NvFp5, NvGp4, NvGp5, NvTcp5, NvTep5]),
            ("FLAT", &[NvFp4, NvFp5]),
            ("TEXTURE", &[NvVp5, NvFp5, NvGp5, NvTcp5, NvTep5]),
            ("IMAGE", &[NvVp5, NvFp5, NvGp5, NvTcp5, NvTep5]),
            ("SAMPLE", &[NvFp5]),
            ("primitive", &[NvFp4, NvFp5, NvGp4, NvGp5, NvTcp5, NvTep5]),
            ("PRIMITIVE_IN", &[NvGp4, NvGp5]),
            ("INVOCATIONS", &[NvGp5]),
            ("VERTICES_OUT", &[NvGp4, NvGp5, NvTcp5]),
            ("TESS_MODE", &[NvTep5]),
            ("EMIT", &[NvGp4, NvGp5]),
            ("BRAC", &[]),
            ("R012", &[]),
        ] {
            let found: Vec<Language> =
                Language::ALL.into_iter().filter(|l| !matches!(classify(*l, word), Word::Name)).collect();
            assert_eq!(found, languages, "{word}");
        }
    }

    #[test]
    fn a_word_of_the_language_is_not_looked_for_elsewhere() {
        assert_eq!(elsewhere(Language::ArbFp1, "TEMP"), []);
        assert_eq!(elsewhere(Language::ArbFp1, "ADDRESS"), [Language::ArbVp1]);
        assert_eq!(elsewhere(Language::Vp1, "R12"), [Language::Fp1, Language::Vp2]);
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
