//! What highlighting needs besides a line itself: the language of the text, its options and its declared names.

use std::collections::{BTreeMap, BTreeSet};

use shadestep_language::front::arb::symbols::{Declared, Meaning, Setting, Symbols, symbols_of};
use shadestep_language::isa::Language;

/// What the lines of a text are coloured by, apart from the lines: its language with its options, and the
/// names that it declares. Two texts with equal lexicons colour equal lines alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lexicon {
    pub(super) setting: Option<Setting>,
    /// Names by kind, in languages that declare variables.
    pub(super) names: BTreeMap<String, NameKind>,
    /// Those names, in any language, that are declared and never used.
    pub(super) unused: BTreeSet<String>,
}

/// What kind of thing a declared name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameKind {
    Temporary,
    Address,
    Attribute,
    Parameter,
    /// An array of so many parameters.
    Array(usize),
    Output,
    /// A subroutine variable.
    Subroutine,
    /// What declares it is at fault.
    Unknown,
}

impl Lexicon {
    /// That of `text`, faulty or not. Takes as long as loading it.
    pub fn of(text: &[u8]) -> Self {
        Language::of_header(text)
            .map_or_else(Self::default, |language| Self::of_symbols(&symbols_of(text, language)))
    }

    /// That of a text in `language` which declares nothing.
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

    /// Whether `word` is a declared variable that can choose elements of arrays.
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
