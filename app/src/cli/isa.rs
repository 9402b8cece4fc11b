//! `shadestep isa`: reference pages from the instruction table.

use super::CliError;
use crate::suggest;
use shadestep_engine::front::LANGUAGES;
use shadestep_engine::ide;
use shadestep_engine::isa::{Info, Language, Lookup, TABLE, instructions, lookup};
use std::io::Write;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Instruction, with or without suffixes; all of them by default
    #[arg(value_name = "MNEMONIC")]
    mnemonic: Option<String>,
    /// Only this language's instructions, named by its header, such as VP2.0
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    language: Option<Language>,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let languages = arguments.language.map_or_else(|| LANGUAGES.to_vec(), |language| vec![language]);
    let Some(word) = &arguments.mnemonic else { return list(&languages, out) };
    let info = find(&languages, word).ok_or_else(|| {
        let known = languages.iter().flat_map(|language| instructions(*language));
        let hint = suggest::did_you_mean(word, known.map(|info| info.mnemonic));
        let place = arguments.language.map_or_else(String::new, |l| format!(" in {}", l.header()));
        CliError::Failed(format!("there is no instruction \"{word}\"{place}{hint}"))
    })?;
    let page = ide::reference(info, arguments.language);
    writeln!(out, "{}", page.trim_end())?;
    Ok(())
}

/// The language with a header, which may be written in any case and without its exclamation marks.
fn language(name: &str) -> Result<Language, String> {
    let headers = || LANGUAGES.into_iter().map(|language| language.header().trim_start_matches('!'));
    let wanted = name.trim_start_matches('!');
    let found = headers().position(|header| header.eq_ignore_ascii_case(wanted));
    found
        .and_then(|index| LANGUAGES.get(index).copied())
        .ok_or_else(|| format!("the languages are {}", headers().collect::<Vec<_>>().join(", ")))
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

/// One line an instruction that `shown` have: name, what it is, in which of all languages.
fn list(shown: &[Language], out: &mut impl Write) -> Result<(), CliError> {
    for info in TABLE.iter().filter(|info| shown.iter().any(|l| info.forms(*l).is_some())) {
        let languages: Vec<&str> =
            LANGUAGES.into_iter().filter(|l| info.forms(*l).is_some()).map(Language::header).collect();
        writeln!(out, "{:<6} {:<40} {}", info.mnemonic, info.title, languages.join(" "))?;
    }
    Ok(())
}
