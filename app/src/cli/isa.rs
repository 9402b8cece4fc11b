//! `shadestep isa`: reference pages from the instruction table.

use super::CliError;
use crate::suggest;
use shadestep_engine::ide;
use shadestep_engine::isa::{self, Info, Language, Lookup, instructions, lookup};
use std::io::Write;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Instruction, with or without suffixes [default: list all]
    #[arg(value_name = "MNEMONIC")]
    mnemonic: Option<String>,
    /// Show only this language, given by its header, such as VP2.0, or by an option, such as NV_fragment_program2
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    language: Option<Language>,
    /// Print the whole reference as one Markdown document
    #[arg(long, conflicts_with_all = ["mnemonic", "language"])]
    markdown: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    if arguments.markdown {
        write!(out, "{}", ide::markdown())?;
        return Ok(());
    }
    let languages = arguments.language.map_or_else(|| Language::ALL.to_vec(), |language| vec![language]);
    let Some(word) = &arguments.mnemonic else { return list(&languages, out) };
    let info = find(&languages, word).ok_or_else(|| {
        let known = languages.iter().flat_map(|language| instructions(*language));
        let hint = suggest::did_you_mean(word, known.map(|info| info.mnemonic));
        let place = arguments.language.map_or_else(String::new, |l| format!(" in {}", l.name()));
        CliError::Failed(format!("there is no instruction \"{word}\"{place}{hint}"))
    })?;
    let page = ide::reference(info, &languages);
    writeln!(out, "{}", page.trim_end())?;
    Ok(())
}

/// Finds a language by its header, in any case and without exclamation marks, or by an option that selects
/// another instruction set.
fn language(name: &str) -> Result<Language, String> {
    let own = |language: Language| language.option().unwrap_or(language.header()).trim_start_matches('!');
    let wanted = name.trim_start_matches('!');
    let found = Language::ALL.into_iter().find(|language| own(*language).eq_ignore_ascii_case(wanted));
    found.ok_or_else(|| format!("the languages are {}", Language::ALL.map(own).join(", ")))
}

/// Finds the row for `word`, ignoring case. `word` may have suffixes. An exact match comes first.
fn find(languages: &[Language], word: &str) -> Option<&'static Info> {
    let word = word.to_ascii_uppercase();
    let looked_up: Vec<Lookup> = languages.iter().map(|language| lookup(*language, &word)).collect();
    let exact = looked_up.iter().find_map(|lookup| match lookup {
        Lookup::Instruction(info, _) => Some(*info),
        Lookup::BadSuffix(..) | Lookup::Unknown => None,
    });
    exact.or_else(|| {
        looked_up.iter().find_map(|lookup| match lookup {
            Lookup::BadSuffix(info, ..) => Some(*info),
            Lookup::Instruction(..) | Lookup::Unknown => None,
        })
    })
}

/// Writes one line for each instruction of the languages in `shown`: the name, a summary, and all languages
/// that have the instruction. Languages that an option selects are listed by the option.
fn list(shown: &[Language], out: &mut impl Write) -> Result<(), CliError> {
    for info in isa::all().filter(|info| shown.iter().any(|l| info.forms(*l).is_some())) {
        // Languages with the same header are listed once, by the first that has the instruction. The later
        // ones have the instruction too.
        let languages = Language::by_header(Language::ALL.into_iter().filter(|l| info.forms(*l).is_some()));
        let names: Vec<&str> = languages.into_iter().map(|l| l.option().unwrap_or(l.header())).collect();
        writeln!(out, "{:<7} {:<40} {}", info.mnemonic, info.title, names.join(" "))?;
    }
    Ok(())
}
