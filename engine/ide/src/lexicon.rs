//! The data about a text that the highlighter needs besides the line: language, options and declared names.

use std::collections::{BTreeMap, BTreeSet};

use shadestep_language::front::arb::symbols::{Declared, Meaning, Setting, Symbols, symbols_of};
use shadestep_language::isa::Language;

/// The language of a text with its options, and the declared names. Two texts with equal lexicons colour
/// equal lines alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lexicon {
    pub(super) setting: Option<Setting>,
    /// Declared names with their kinds, in languages that declare variables.
    pub(super) names: BTreeMap<String, NameKind>,
    /// Names that are declared and never used, in any language.
    pub(super) unused: BTreeSet<String>,
}

/// The kind of a declared name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameKind {
    Temporary,
    Address,
    Attribute,
    Parameter,
    /// An array with this many parameters.
    Array(usize),
    Output,
    /// A subroutine variable.
    Subroutine,
    /// A name with an erroneous declaration.
    Unknown,
}

impl Lexicon {
    /// The lexicon of `text`, which may have errors. Takes as long as loading the text.
    pub fn of(text: &[u8]) -> Self {
        Language::of_header(text)
            .map_or_else(Self::default, |language| Self::of_symbols(&symbols_of(text, language)))
    }

    /// The lexicon of a text in `language` without declarations.
    pub fn of_language(language: Language) -> Self {
        Self { setting: Some(Setting::of(language)), ..Self::default() }
    }

    pub(super) fn of_symbols(symbols: &Symbols) -> Self {
        let kind = |(name, declared): (&String, &Declared)| (name.clone(), NameKind::of(&declared.meaning));
        Self {
            setting: Some(symbols.setting),
            names: symbols.names.iter().map(kind).collect(),
            unused: symbols.unused.clone(),
        }
    }

    /// The language of the text, options included.
    pub fn language(&self) -> Option<Language> {
        self.setting.map(|setting| setting.language)
    }

    /// Whether `word` is a declared variable that can address elements of arrays.
    pub(super) fn is_address(&self, word: &str) -> bool {
        match self.names.get(word) {
            Some(NameKind::Address) => true,
            Some(NameKind::Temporary) => self.language().is_some_and(|language| language.profile().typed),
            _ => false,
        }
    }
}

impl NameKind {
    const fn of(meaning: &Meaning) -> Self {
        match meaning {
            Meaning::Temporary(_) => Self::Temporary,
            Meaning::Address | Meaning::LoopIndex => Self::Address,
            Meaning::Attribute(_) | Meaning::IndexedAttribute(_) => Self::Attribute,
            Meaning::Parameter(_) | Meaning::Buffer(_) => Self::Parameter,
            Meaning::Parameters(elements) => Self::Array(elements.len()),
            Meaning::Result(..) | Meaning::IndexedResult => Self::Output,
            Meaning::Subroutine { .. } => Self::Subroutine,
            Meaning::TextureUnit(_)
            | Meaning::ImageUnit(_)
            | Meaning::BufferBinding(_)
            | Meaning::SubroutineType(_)
            | Meaning::SubroutineParameter(_)
            | Meaning::Unknown => Self::Unknown,
        }
    }
}
