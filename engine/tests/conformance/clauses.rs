//! The tables of CLAUSES.md: the files that test each clause, or the reason why no file does. `BLESS=1`
//! writes the tables. A run without this variable only compares them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use shadestep_engine::front::LANGUAGES;
use shadestep_engine::isa::{Language, instructions};
use shadestep_language::diag::{Code, codes};

use super::format::{Case, TestFile};
use super::sections::{Document, files_of};

const BEGIN: &str = "<!-- clauses: begin -->\n";
const END: &str = "<!-- clauses: end -->\n";

/// Compares the tables of CLAUSES.md with the files, or rewrites them when `BLESS` is set.
pub fn check_clauses(
    folder: &Path,
    documents: &[Document],
    files: &[(String, TestFile)],
) -> Result<(), String> {
    let path = folder.join("CLAUSES.md");
    let page = fs::read_to_string(&path).map_err(|e| e.to_string())?;
    let (before, rest) = page.split_once(BEGIN).ok_or("CLAUSES.md has no begin mark")?;
    let (_, after) = rest.split_once(END).ok_or("CLAUSES.md has no end mark")?;
    let wanted = format!("{before}{BEGIN}{}{END}{after}", tables(documents, files));
    if page == wanted {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some() {
        return fs::write(&path, wanted).map_err(|e| e.to_string());
    }
    Err("CLAUSES.md is out of date; run with BLESS=1".into())
}

/// The text of CLAUSES.md: a table for each document, and the numbers of tested and excused sections.
fn tables(documents: &[Document], files: &[(String, TestFile)]) -> String {
    let by_clause = files_of(files);
    let mut tables = String::new();
    let (mut tested, mut reasoned, mut rules) = (0, 0, 0);
    for document in documents {
        let _ = write!(
            tables,
            "\n### {}\n\n| Section | Title | Files, or why there are none |\n|---|---|---|\n",
            document.name
        );
        for section in &document.sections {
            let names = by_clause.get(document.clause(section).as_str());
            let what = match (names, &section.reason) {
                (Some(names), _) => {
                    tested += 1;
                    names.iter().map(|name| format!("[{name}]({name})")).collect::<Vec<_>>().join(", ")
                }
                (None, reason) => {
                    reasoned += 1;
                    reason.as_ref().map_or_else(String::new, |reason| format!("*{reason}*"))
                }
            };
            rules += section.rules;
            let _ = writeln!(tables, "| {} | {} | {what} |", section.number, section.title);
        }
    }
    format!(
        "\n{tested} of {} sections have files here. The other {reasoned} have a reason, which mostly names another test. \
         Each of the {rules} numbered special-case rules has a run that names it.\n{tables}\n",
        tested + reasoned
    )
}

/// Checks that every instruction of every language has a file on its own section. The file must contain a
/// program in the language that uses the instruction.
pub fn every_instruction_has_a_file(files: &[(String, TestFile)]) -> Result<(), String> {
    let mut missing = Vec::new();
    let loads = |language: &Language| LANGUAGES.contains(&language.base());
    for language in Language::ALL.into_iter().filter(loads) {
        for info in instructions(language) {
            let Some(clause) = info.clause(language) else { continue };
            // A file counts for other languages in two cases. Options do not change the instructions of the
            // header. And programs that read primitives share the rows and the code of their instructions
            // with other stages.
            let shares = |other: &Language| {
                other.base() == language.base()
                    || language.stage().reads_primitives() && other.profile().typed
            };
            let mut before = Language::ALL.into_iter().filter(|l| *l < language && shares(l));
            if before.any(|language| info.clause(language) == Some(clause)) {
                continue;
            }
            let covered = files.iter().any(|(_, file)| {
                file.clauses.iter().any(|own| own == clause)
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

/// Returns true if a program alone cannot break the code's rule.
fn needs_more_than_a_program(code: Code) -> bool {
    code == codes::HEADER_OTHER_TARGET || code.name().starts_with("link-")
}

/// Checks that the files mark every code of the table, and no other codes.
pub fn every_code_has_a_case(files: &[(String, TestFile)]) -> Result<(), String> {
    let listed: BTreeSet<&str> =
        codes::all().filter(|code| !needs_more_than_a_program(*code)).map(Code::name).collect();
    let cases = files.iter().flat_map(|(_, file)| &file.cases);
    let texts = cases.filter_map(|case| match case {
        Case::Error { texts, .. } | Case::Load { texts, .. } => Some(texts),
        Case::Program { .. } => None,
    });
    let marks =
        texts.flatten().flat_map(|marked| marked.errors.iter().chain(&marked.also).chain(&marked.warnings));
    let marked: BTreeSet<&str> = marks.map(|(_, code)| code.as_str()).collect();
    let unmarked: Vec<_> = listed.difference(&marked).collect();
    let unknown: Vec<_> = marked.difference(&listed).collect();
    match unmarked.is_empty() && unknown.is_empty() {
        true => Ok(()),
        false => Err(format!("no file marks {unmarked:?}; the table lacks {unknown:?}")),
    }
}

/// Returns true if `text` has the header and the option of `language`.
fn is_in(text: &[u8], language: Language) -> bool {
    let option = language.option().map(|option| format!("OPTION {option};"));
    text.starts_with(language.header().as_bytes())
        && option.is_none_or(|option| String::from_utf8_lossy(text).contains(&option))
}

fn uses(text: &[u8], mnemonic: &str) -> bool {
    String::from_utf8_lossy(text).lines().any(|line| line.trim_start().starts_with(mnemonic))
}
