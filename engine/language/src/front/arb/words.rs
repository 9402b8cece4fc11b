//! The role of each word of the grammars, and the words that cannot be names.
//!
//! The reserved words are the keywords that the text of a language lists, the first words of bindings, and
//! instruction names: in fragment programs with every suffix (Table X.5), in vertex programs without
//! suffixes, as their lists have them. Condition rules, texture targets, SHORT and LONG are words of the
//! grammar but not keywords. NV_gpu_program4 reserves only the first words of bindings.

use super::primitives::PrimitiveStatement;
use super::units::UnitKind;
use crate::front::word_roles::Role;
use crate::ir::{BufferUnit, CcRegister, Condition};
use crate::isa::{self, Language, Stage};

named_enum! {
    /// The size of a variable's components (NV_fragment_program_option 3.11.3.3).
    pub enum Size {
        Short = "SHORT",
        Long = "LONG",
    }

    /// The type of a variable's components, as declared (NV_gpu_program4 2.X.3.1).
    pub enum Data(
        /// The values of this type, in the plural, for messages.
        pub values: &'static str,
    ) {
        Float = "FLOAT" => ("floats"),
        Int = "INT" => ("signed integers"),
        Uint = "UINT" => ("unsigned integers"),
    }

    /// An interpolation modifier of a fragment attribute (NV_fragment_program4 2.X.3.1).
    pub enum Interpolated {
        Flat = "FLAT",
        Centroid = "CENTROID",
        NoPerspective = "NOPERSPECTIVE",
        Sample = "SAMPLE",
    }
}

/// A modifier before the keyword of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarModifier {
    /// `SHORT`, `LONG`
    Size(Size),
    /// `INT`, `UINT`, `FLOAT`
    Data(Data),
    /// `FLAT`, `CENTROID`, `NOPERSPECTIVE`, `SAMPLE`
    Interpolated(Interpolated),
}

/// The first word of a statement that is not an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// `OPTION`
    Option,
    /// `PRIMITIVE_IN`, `VERTICES_OUT`, `TESS_MODE` and similar statements
    Primitive(PrimitiveStatement),
    /// `TEMP`
    Temp,
    /// `PARAM`
    Param,
    /// `ATTRIB`
    Attrib,
    /// `OUTPUT`
    Output,
    /// `ADDRESS`
    Address,
    /// `ALIAS`
    Alias,
    /// `TEXTURE`, `IMAGE`
    Units(UnitKind),
    /// `BUFFER`, `BUFFER4`, `CBUFFER`
    Buffer(BufferUnit),
    /// `SUBROUTINETYPE`
    SubroutineType,
    /// `SUBROUTINE`
    Subroutine,
    /// A modifier before one of these
    Modifier(VarModifier),
}

/// The words that begin bindings and texture units in `language`.
pub fn prefixes(language: Language) -> &'static [&'static str] {
    let profile = language.profile();
    match (profile.stage, profile.typed, profile.texture_variables) {
        (Stage::Vertex | Stage::VertexState, false, _) => &["vertex", "program", "result", "state"],
        (Stage::Vertex | Stage::VertexState, true, false) => {
            &["vertex", "program", "result", "state", "texture"]
        }
        (Stage::Vertex | Stage::VertexState, true, true) => {
            &["vertex", "program", "result", "state", "texture", "image"]
        }
        (Stage::Geometry, _, false) => &["vertex", "program", "result", "state", "texture", "primitive"],
        (Stage::TessControl | Stage::TessEvaluation, ..) | (Stage::Geometry, _, true) => {
            &["vertex", "program", "result", "state", "texture", "image", "primitive"]
        }
        (Stage::Fragment, false, _) => &["fragment", "program", "result", "state", "texture"],
        (Stage::Fragment, true, false) => &["fragment", "program", "result", "state", "texture", "primitive"],
        (Stage::Fragment, true, true) => {
            &["fragment", "program", "result", "state", "texture", "image", "primitive"]
        }
    }
}

/// Whether `word` begins bindings of attributes.
pub fn begins_attribute(language: Language, word: &str) -> bool {
    matches!(word, "vertex" | "fragment" | "primitive") && prefixes(language).contains(&word)
}

fn keyword(language: Language, word: &str) -> Option<Keyword> {
    let modifier = || {
        let size = Size::from_name(word).map(VarModifier::Size);
        let data = || Data::from_name(word).map(VarModifier::Data);
        size.or_else(data).or_else(|| Interpolated::from_name(word).map(VarModifier::Interpolated))
    };
    let keyword = match word {
        "OPTION" => Keyword::Option,
        "TEMP" => Keyword::Temp,
        "PARAM" => Keyword::Param,
        "ATTRIB" => Keyword::Attrib,
        "OUTPUT" => Keyword::Output,
        "ALIAS" => Keyword::Alias,
        "ADDRESS" => Keyword::Address,
        "SUBROUTINETYPE" => Keyword::SubroutineType,
        "SUBROUTINE" => Keyword::Subroutine,
        _ => (PrimitiveStatement::from_name(word).map(Keyword::Primitive))
            .or_else(|| UnitKind::ALL.into_iter().find(|kind| kind.keyword() == word).map(Keyword::Units))
            .or_else(|| BufferUnit::from_name(word).map(Keyword::Buffer))
            .or_else(|| modifier().map(Keyword::Modifier))?,
    };
    let profile = language.profile();
    // Keywords of options are known without the option. The error can then name the missing option.
    let extended =
        profile.later.iter().map(|later| later.profile()).filter(|later| later.base == profile.base);
    extended.chain([profile]).any(|profile| profile.keywords.contains(&word)).then_some(keyword)
}

/// The condition rule that `word` names in languages with two condition codes: `EQ`, `EQ0`, `EQ1`.
pub fn numbered_condition(language: Language, word: &str) -> Option<(Condition, CcRegister)> {
    let (name, register) = match (word.strip_suffix('0'), word.strip_suffix('1')) {
        (Some(name), _) => (name, CcRegister::Cc0),
        (_, Some(name)) => (name, CcRegister::Cc1),
        _ => (word, CcRegister::Cc0),
    };
    let rules = Condition::of_language(language);
    rules.iter().find(|condition| condition.name() == name).map(|&found| (found, register))
}

fn condition(language: Language, word: &str) -> Option<(Condition, CcRegister)> {
    let found = numbered_condition(language, word)?;
    let profile = language.profile();
    // Without an NV option the test itself is an error that has been reported, so numbered rules are
    // accepted.
    let could = || profile.later.iter().any(|later| later.profile().condition_codes > 1);
    let numbered = profile.condition_codes > 1 || profile.condition_codes == 0 && could();
    (numbered || word == found.0.name()).then_some(found)
}

/// The role of `word` in `language`, even if the program declares it as a name.
pub fn role(language: Language, word: &str) -> Role<Keyword> {
    if let Some(keyword) = keyword(language, word) {
        return Role::Keyword(keyword);
    }
    if word == "END" {
        return Role::End;
    }
    if let Some((condition, register)) = condition(language, word) {
        return Role::Condition(condition, register);
    }
    if prefixes(language).contains(&word) {
        return Role::Other("the start of a binding");
    }
    isa::find(language, word).map_or(Role::Name, |(info, suffixes)| Role::Instruction(info, suffixes))
}

/// Whether `word` cannot be the name of a variable or a label.
pub fn is_reserved(language: Language, word: &str) -> bool {
    if language.profile().typed {
        return prefixes(language).contains(&word);
    }
    match role(language, word) {
        Role::Keyword(Keyword::Modifier(_)) | Role::Condition(..) | Role::Name => false,
        Role::Keyword(_) | Role::End | Role::Other(_) => true,
        Role::Instruction(info, _) => language.stage() == Stage::Fragment || word == info.mnemonic,
    }
}
