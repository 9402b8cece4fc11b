//! What each word of the ARB languages' grammars is, and which words cannot be names.
//!
//! Reserved are the keywords that the text of a language lists, the first words of bindings, and instruction
//! names: in fragment programs with every suffix (Table X.5), in vertex programs bare, as their lists have
//! them. Condition rules, texture targets, SHORT and LONG are words of the grammar and no keywords.

use crate::front::words::Role;
use crate::ir::{CcRegister, Condition};
use crate::isa::{self, Language, Stage};

/// The size of a variable's components (NV_fragment_program_option 3.11.3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// `SHORT`
    Short,
    /// `LONG`
    Long,
}

/// What begins a statement that is no instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keyword {
    /// `OPTION`
    Option,
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
    /// `SHORT` or `LONG` before `TEMP` or `OUTPUT`
    Size(Size),
}

/// The keywords of fragment programs but for sizes, which are no reserved words.
const FRAGMENT: &[&str] = &["OPTION", "TEMP", "PARAM", "ATTRIB", "OUTPUT", "ALIAS"];
/// The keywords of vertex programs.
const VERTEX: &[&str] = &["OPTION", "TEMP", "PARAM", "ATTRIB", "OUTPUT", "ADDRESS", "ALIAS"];

/// The statements of `language` that are no instructions, by their first words.
pub(crate) fn keywords(language: Language) -> &'static [&'static str] {
    if language.stage() == Stage::Vertex { VERTEX } else { FRAGMENT }
}

/// The words that bindings and texture units of `language` begin with.
pub(crate) fn prefixes(language: Language) -> &'static [&'static str] {
    match language.stage() {
        Stage::Vertex | Stage::VertexState => &["vertex", "program", "result", "state"],
        Stage::Fragment => &["fragment", "program", "result", "state", "texture"],
    }
}

fn keyword(language: Language, word: &str) -> Option<Keyword> {
    let vertex = language.stage() == Stage::Vertex;
    Some(match word {
        "OPTION" => Keyword::Option,
        "TEMP" => Keyword::Temp,
        "PARAM" => Keyword::Param,
        "ATTRIB" => Keyword::Attrib,
        "OUTPUT" => Keyword::Output,
        "ALIAS" => Keyword::Alias,
        "ADDRESS" if vertex => Keyword::Address,
        "SHORT" if !vertex => Keyword::Size(Size::Short),
        "LONG" if !vertex => Keyword::Size(Size::Long),
        _ => return None,
    })
}

/// The condition rule that `word` is with `OPTION NV_vertex_program3`: `EQ`, `EQ0`, `EQ1`.
pub(crate) fn numbered_condition(word: &str) -> Option<(Condition, CcRegister)> {
    let (name, register) = match (word.strip_suffix('0'), word.strip_suffix('1')) {
        (Some(name), _) => (name, CcRegister::Cc0),
        (_, Some(name)) => (name, CcRegister::Cc1),
        _ => (word, CcRegister::Cc0),
    };
    Condition::OF_NUMBERS.iter().find(|condition| condition.name() == name).map(|&found| (found, register))
}

fn condition(language: Language, word: &str) -> Option<(Condition, CcRegister)> {
    let found = numbered_condition(word)?;
    let profile = language.profile();
    // Without NV option that there is a test at all has been reported.
    let could = || profile.later.iter().any(|later| later.profile().condition_codes > 1);
    let numbered = profile.condition_codes > 1 || profile.condition_codes == 0 && could();
    (numbered || word == found.0.name()).then_some(found)
}

/// Says what `word` is in `language`, whatever it may be the name of.
pub(crate) fn role(language: Language, word: &str) -> Role<Keyword> {
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
        return Role::Other("a word that bindings begin with");
    }
    isa::find(language, word).map_or(Role::Name, |(info, suffixes)| Role::Instruction(info, suffixes))
}

/// Whether neither a variable nor a label can be called `word`.
pub(crate) fn is_reserved(language: Language, word: &str) -> bool {
    match role(language, word) {
        Role::Keyword(Keyword::Size(_)) | Role::Condition(..) | Role::Name => false,
        Role::Keyword(_) | Role::End | Role::Other(_) => true,
        Role::Instruction(info, _) => language.stage() == Stage::Fragment || word == info.mnemonic,
    }
}
