//! The table of clauses in the suite's README: which files test which clause. Kept by
//! `BLESS=1 cargo test`; an ordinary run only checks it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use shadestep_engine::front::LANGUAGES;
use shadestep_engine::isa::{Language, instructions};

use crate::format::{Case, TestFile};

const BEGIN: &str = "<!-- clauses: begin -->\n";
const END: &str = "<!-- clauses: end -->\n";

/// Sections on the vertex languages beside those of the instructions, 2.14.3.1 to 2.14.3.39.
const SECTIONS: &[&str] = &[
    "NV_vertex_program 2.14.1.8",
    "NV_vertex_program 2.14.1.9",
    "NV_vertex_program 2.14.1.11",
    "NV_vertex_program 2.14.2",
    "NV_vertex_program 2.14.3",
    "NV_vertex_program 2.14.4",
    "NV_vertex_program 2.14.5",
    "NV_vertex_program1_1 2.14.A",
    "NV_vertex_program1_1 2.14.B",
    "NV_vertex_program2 2.14.1.1",
    "NV_vertex_program2 2.14.1.2",
    "NV_vertex_program2 2.14.1.3",
    "NV_vertex_program2 2.14.1.4",
    "NV_vertex_program2 2.14.1.5",
    "NV_vertex_program2 2.14.1.6",
    "NV_vertex_program2 2.14.1.7",
    "NV_vertex_program2 2.14.1.8",
    "NV_vertex_program2 2.14.1.9",
    "NV_vertex_program2 2.14.2",
    "NV_vertex_program2 2.14.2.1",
    "NV_vertex_program2 2.14.2.2",
    "NV_vertex_program2 2.14.2.3",
    "NV_vertex_program2 2.14.3",
    "NV_vertex_program2 2.14.4",
    "NV_vertex_program2 2.14.5",
    "NV_vertex_program2 2.14.6.1",
    "NV_vertex_program2 2.14.7",
    "NV_vertex_program2 2.14.8",
];

/// Sections that no file here can test, and why.
const WITHOUT_FILE: &[(&str, &str)] = &[
    ("NV_vertex_program 2.14.1.8", "binding and naming of programs: the object model's tests"),
    ("NV_vertex_program 2.14.1.11", "replaced by NV_vertex_program2 2.14.3, which computes by IEEE 754"),
    ("NV_vertex_program 2.14.2", "raster positions are not drawn from"),
    ("NV_vertex_program 2.14.3", "vertex arrays: the object model's tests"),
    ("NV_vertex_program 2.14.5", "tracked matrices: the object model's tests"),
    ("NV_vertex_program2 2.14.1.9", "binding and naming of programs: the object model's tests"),
    ("NV_vertex_program2 2.14.4", "vertex arrays: the object model's tests"),
    ("NV_vertex_program2 2.14.7", "tracked matrices: the object model's tests"),
    ("NV_vertex_program2 2.14.8", "state and its initial values: the object model's tests"),
];

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
    text.push_str("\nOf the sections on the vertex languages these have no file here:\n\n");
    for (clause, reason) in WITHOUT_FILE {
        text.push_str(&format!("* {clause}: {reason}\n"));
    }
    text.push('\n');
    text
}

/// Every instruction of every language has a file on its own section with a program in that language
/// that uses it.
pub fn every_instruction_has_a_file(files: &[(String, TestFile)]) -> Result<(), String> {
    let mut missing = Vec::new();
    let loads = |language: &Language| LANGUAGES.contains(&language.base());
    for language in Language::ALL.into_iter().filter(loads) {
        for info in instructions(language) {
            let Some(clause) = info.clause(language) else { continue };
            // Options leave what the header alone brings as it is.
            let mut before =
                Language::ALL.into_iter().filter(|l| *l < language && l.base() == language.base());
            if before.any(|language| info.clause(language).as_ref() == Some(&clause)) {
                continue;
            }
            let covered = files.iter().any(|(_, file)| {
                file.clauses.contains(&clause)
                    && file.cases.iter().any(|case| match case {
                        Case::Program { texts, .. } => {
                            texts.iter().any(|text| is_in(text, language) && uses(text, info.mnemonic))
                        }
                        Case::Error { .. } | Case::Load { .. } => false,
                    })
            });
            if !covered {
                missing.push(format!("{} of {} ({clause})", info.mnemonic, language.name()));
            }
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("no file for {}", missing.join(", "))) }
}

/// The codes of `prefix` that the files name are those that the table of `path` lists, each of them.
pub fn codes_are_those_of_the_table(
    prefix: &str,
    path: &Path,
    files: &[(String, TestFile)],
) -> Result<(), String> {
    let table = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let cell = |line: &str| line.strip_prefix("| `")?.split_once('`').map(|(code, _)| code.to_owned());
    let listed: BTreeSet<String> = table.lines().filter_map(cell).collect();
    let cases = files.iter().flat_map(|(_, file)| &file.cases);
    let named: BTreeSet<String> = cases
        .filter_map(|case| match case {
            Case::Error { texts, .. } => Some(texts),
            Case::Program { .. } | Case::Load { .. } => None,
        })
        .flatten()
        .flat_map(|marked| marked.errors.iter().chain(&marked.also))
        .map(|(_, code)| code.clone())
        .filter(|code| code.starts_with(prefix))
        .collect();
    let faults: Vec<&String> = listed.symmetric_difference(&named).collect();
    if faults.is_empty() { Ok(()) } else { Err(format!("listed or named, not both: {faults:?}")) }
}

/// The sections on the vertex languages have files, or a reason why not, and not both.
pub fn every_section_has_a_file_or_a_reason(files: &[(String, TestFile)]) -> Result<(), String> {
    let mut sections: Vec<String> = (1..=39).map(|n| format!("NV_vertex_program2 2.14.3.{n}")).collect();
    sections.extend(SECTIONS.iter().map(|&section| section.to_owned()));
    let mut faults = Vec::new();
    for section in sections {
        let has_file = files.iter().any(|(_, file)| file.clauses.contains(&section));
        let has_reason = WITHOUT_FILE.iter().any(|(clause, _)| *clause == section);
        if has_file == has_reason {
            faults.push(section);
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(format!("a file or a reason is due: {}", faults.join(", "))) }
}

/// Whether `text` has the header and the option of `language`.
fn is_in(text: &[u8], language: Language) -> bool {
    let option = language.option().map(|option| format!("OPTION {option};"));
    text.starts_with(language.header().as_bytes())
        && option.is_none_or(|option| String::from_utf8_lossy(text).contains(&option))
}

fn uses(text: &[u8], mnemonic: &str) -> bool {
    String::from_utf8_lossy(text).lines().any(|line| line.trim_start().starts_with(mnemonic))
}
