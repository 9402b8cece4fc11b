//! `shadestep isa`: reference pages from the instruction table.

use super::CliError;
use crate::suggest;
use shadestep_engine::ide;
use shadestep_engine::isa::{Info, Language, Lookup, TABLE, lookup};
use std::io::Write;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Instruction, with or without suffixes; all of them by default
    #[arg(value_name = "MNEMONIC")]
    mnemonic: Option<String>,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let Some(word) = &arguments.mnemonic else { return list(out) };
    let info = find(word).ok_or_else(|| {
        let hint = suggest::did_you_mean(word, TABLE.iter().map(|info| info.mnemonic));
        CliError::Failed(format!("there is no instruction \"{word}\"{hint}"))
    })?;
    let page = ide::reference(info);
    writeln!(out, "{}", page.trim_end())?;
    Ok(())
}

/// The row for `word` in any case, suffixes and all.
fn find(word: &str) -> Option<&'static Info> {
    let word = word.to_ascii_uppercase();
    // Suffixes that one language refuses another may take.
    let found = Language::ALL.map(|language| lookup(language, &word));
    let whole = found.iter().find_map(|found| match found {
        Lookup::Instruction(info, _) => Some(*info),
        Lookup::BadSuffix(_) | Lookup::Unknown => None,
    });
    whole.or_else(|| {
        found.iter().find_map(|found| match found {
            Lookup::BadSuffix(info) => Some(*info),
            Lookup::Instruction(..) | Lookup::Unknown => None,
        })
    })
}

/// One line an instruction: name, what it is, in which languages.
fn list(out: &mut impl Write) -> Result<(), CliError> {
    for info in TABLE {
        let languages: Vec<&str> =
            Language::ALL.into_iter().filter(|l| info.forms(*l).is_some()).map(Language::header).collect();
        writeln!(out, "{:<6} {:<40} {}", info.mnemonic, info.title, languages.join(" "))?;
    }
    Ok(())
}
