//! `shadestep isa`: reference pages from the instruction table.

use super::CliError;
use crate::suggest;
use shadestep_engine::ide;
use shadestep_engine::isa::{Info, Language, Lookup, TABLE, instructions, lookup};
use std::io::Write;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Instruction, with or without suffixes; all of them by default
    #[arg(value_name = "MNEMONIC")]
    mnemonic: Option<String>,
    /// Only this language's instructions, named by its header, such as VP2.0, or by an option of the ARB
    /// languages, such as NV_fragment_program2
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    language: Option<Language>,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let languages = arguments.language.map_or_else(|| Language::ALL.to_vec(), |language| vec![language]);
    let Some(word) = &arguments.mnemonic else { return list(&languages, out) };
    let info = find(&languages, word).ok_or_else(|| {
        let known = languages.iter().flat_map(|language| instructions(*language));
        let hint = suggest::did_you_mean(word, known.map(|info| info.mnemonic));
        let place = arguments.language.map_or_else(String::new, |l| format!(" in {}", l.name()));
        CliError::Failed(format!("there is no instruction \"{word}\"{place}{hint}"))
    })?;
    let page = ide::reference(info, arguments.language);
    writeln!(out, "{}", page.trim_end())?;
    Ok(())
}

/// The language with a header or an option, which may be written in any case and without exclamation marks.
fn language(name: &str) -> Result<Language, String> {
    let wanted = name.trim_start_matches('!');
    let found = Language::ALL.into_iter().find(|language| own_name(*language).eq_ignore_ascii_case(wanted));
    found.ok_or_else(|| format!("the languages are {}", Language::ALL.map(own_name).join(", ")))
}

/// The option, or the header without its exclamation marks.
fn own_name(language: Language) -> &'static str {
    language.option().unwrap_or_else(|| language.header().trim_start_matches('!'))
}

/// The row for `word` in any case, suffixes and all; one that some language takes as it stands first.
fn find(languages: &[Language], word: &str) -> Option<&'static Info> {
    let word = word.to_ascii_uppercase();
    let looked_up: Vec<Lookup> = languages.iter().map(|language| lookup(*language, &word)).collect();
    let exact = looked_up.iter().find_map(|lookup| match lookup {
        Lookup::Instruction(info, _) => Some(*info),
        Lookup::BadSuffix(_) | Lookup::Unknown => None,
    });
    exact.or_else(|| {
        looked_up.iter().find_map(|lookup| match lookup {
            Lookup::BadSuffix(info) => Some(*info),
            Lookup::Instruction(..) | Lookup::Unknown => None,
        })
    })
}

/// One line an instruction that `shown` have: name, what it is, in which of all languages. Of the ARB languages
/// the first is named, as what an option adds stays with the later ones.
fn list(shown: &[Language], out: &mut impl Write) -> Result<(), CliError> {
    for info in TABLE.iter().filter(|info| shown.iter().any(|l| info.forms(*l).is_some())) {
        let mut languages: Vec<Language> = Vec::new();
        for language in Language::ALL.into_iter().filter(|l| info.forms(*l).is_some()) {
            if !language.is_arb() || languages.iter().all(|l| l.family() != language.family()) {
                languages.push(language);
            }
        }
        let names: Vec<&str> = languages.into_iter().map(Language::name).collect();
        writeln!(out, "{:<6} {:<40} {}", info.mnemonic, info.title, names.join(", "))?;
    }
    Ok(())
}
