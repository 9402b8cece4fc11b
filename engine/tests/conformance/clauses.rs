//! The table of clauses in the suite's README: which files test which clause. Kept by
//! `BLESS=1 cargo test`; an ordinary run only checks it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use shadestep_engine::isa::{Language, TABLE};

use crate::format::{Case, TestFile};

const BEGIN: &str = "<!-- clauses: begin -->\n";
const END: &str = "<!-- clauses: end -->\n";

/// Compares the README's table with the files, or rewrites it when `BLESS` is set.
pub fn check_readme(folder: &Path, files: &[(String, TestFile)]) -> Result<(), String> {
    let path = folder.join("README.md");
    let readme = fs::read_to_string(&path).map_err(|e| e.to_string())?;
    let (before, rest) = readme.split_once(BEGIN).ok_or("README.md has no begin mark for the clauses")?;
    let (_, after) = rest.split_once(END).ok_or("README.md has no end mark for the clauses")?;
    let wanted = format!("{before}{BEGIN}{}{END}{after}", table(files));
    if readme == wanted {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some() {
        return fs::write(&path, wanted).map_err(|e| e.to_string());
    }
    Err("the table of clauses is out of date; run with BLESS=1".into())
}

fn table(files: &[(String, TestFile)]) -> String {
    let mut by_clause: BTreeMap<(String, Vec<u32>, String), Vec<&str>> = BTreeMap::new();
    for (name, file) in files {
        for clause in &file.clauses {
            let (document, section) = clause.split_once(' ').unwrap_or((clause, ""));
            let order = section.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
            by_clause.entry((document.to_owned(), order, section.to_owned())).or_default().push(name);
        }
    }
    let mut text = String::from("\n| clause | files |\n|---|---|\n");
    for ((document, _, section), mut names) in by_clause {
        names.sort_unstable();
        let names: Vec<String> = names.iter().map(|n| format!("[{n}]({n})")).collect();
        text.push_str(&format!("| {document} {section} | {} |\n", names.join(", ")));
    }
    text.push('\n');
    text
}

/// Every instruction of the table has a file on its own section with a program that uses it.
pub fn every_instruction_has_a_file(files: &[(String, TestFile)]) -> Result<(), String> {
    let mut missing = Vec::new();
    for info in TABLE {
        let Some(forms) = info.forms(Language::Fp1) else { continue };
        let clause = format!("{} {}", Language::Fp1.extension(), forms.section);
        let covered = files.iter().any(|(_, file)| {
            file.clauses.contains(&clause)
                && file.cases.iter().any(|case| match case {
                    Case::Program { text, .. } => uses(text, info.mnemonic),
                    Case::Error { .. } => false,
                })
        });
        if !covered {
            missing.push(format!("{} ({clause})", info.mnemonic));
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("no file for {}", missing.join(", "))) }
}

fn uses(text: &[u8], mnemonic: &str) -> bool {
    String::from_utf8_lossy(text).lines().any(|line| line.trim_start().starts_with(mnemonic))
}
