//! The conformance suite. Every file of `conformance/` is one trial. `conformance/README.md` describes the
//! files. Expected values come from the specifications, never from this engine.
//!
//! The whole suite runs again with each instruction set below the processor's best (`processor::...`).
//! `BLESS=1` rewrites only the tables of CLAUSES.md.

#[path = "conformance/blocks.rs"]
mod blocks;
#[path = "conformance/clauses.rs"]
mod clauses;
#[path = "conformance/ends.rs"]
mod ends;
#[path = "support/files.rs"]
mod files;
#[path = "conformance/format.rs"]
mod format;
#[path = "conformance/fragments.rs"]
mod fragments;
#[path = "support/limits.rs"]
mod limits;
#[path = "conformance/memory.rs"]
mod memory;
#[path = "conformance/names.rs"]
mod names;
#[path = "conformance/patches.rs"]
mod patches;
#[path = "conformance/primitives.rs"]
mod primitives;
#[path = "support/processors.rs"]
mod processors;
#[path = "conformance/program_text.rs"]
mod program_text;
#[path = "conformance/run.rs"]
mod run;
#[path = "conformance/sections.rs"]
mod sections;
#[path = "conformance/texture_building.rs"]
mod texture_building;
#[path = "conformance/texture_notation.rs"]
mod texture_notation;
#[path = "conformance/values.rs"]
mod values;
#[path = "conformance/vertices.rs"]
mod vertices;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use format::TestFile;
use libtest_mimic::{Arguments, Failed, Trial};
use sections::Document;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut trials = own_tests();
    trials.extend(processors::trials());
    let mut parsed = Vec::new();
    for (name, path) in files::below(&folder, &["test"]) {
        let file = fs::read_to_string(&path).map_err(|e| e.to_string()).and_then(|text| format::parse(&text));
        match file {
            Ok(file) => parsed.push((name, file)),
            Err(error) => trials.push(Trial::test(name, move || Err(error.into()))),
        }
    }
    let parsed = Arc::new(parsed);
    for (index, (name, _)) in parsed.iter().enumerate() {
        let files = Arc::clone(&parsed);
        trials.push(trial(name, move || run::check(&files[index].1)));
    }
    trials.extend(trials_of_sections(&folder, &parsed));
    let files = Arc::clone(&parsed);
    trials.push(trial("suite::every_instruction_has_a_file", move || {
        clauses::every_instruction_has_a_file(&files)
    }));
    let files = Arc::clone(&parsed);
    trials.push(trial("suite::every_code_has_a_case", move || clauses::every_code_has_a_case(&files)));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Trials that compare `sections.txt`, the files and CLAUSES.md.
fn trials_of_sections(folder: &Path, parsed: &Arc<Vec<(String, TestFile)>>) -> Vec<Trial> {
    type Check = fn(&Path, &[Document], &[(String, TestFile)]) -> Result<(), String>;
    let checks: [(&str, Check); 4] = [
        ("suite::every_clause_is_listed", clauses::check_clauses),
        ("suite::every_section_has_files_or_a_reason", |_, documents, files| {
            sections::each_has_files_or_a_reason(documents, files)
        }),
        ("suite::every_rule_has_a_run", |_, documents, files| {
            sections::each_rule_has_a_run(documents, files)
        }),
        ("suite::reasons_point_at_what_is_there", |folder, documents, _| {
            sections::reasons_point_at_what_is_there(documents, &folder.join("../../.."))
        }),
    ];
    let trials = checks.into_iter().map(|(name, check)| {
        let (folder, files) = (folder.to_owned(), Arc::clone(parsed));
        trial(name, move || check(&folder, &sections::read(&folder.join("sections.txt"))?, &files))
    });
    trials.collect()
}

fn trial(name: &str, test: impl FnOnce() -> Result<(), String> + Send + 'static) -> Trial {
    Trial::test(name, move || test().map_err(Failed::from))
}

/// Trials for the suite's own parsers.
fn own_tests() -> Vec<Trial> {
    vec![
        trial("format::a_file_is_read", format::tests::a_file_is_read),
        trial("format::markers_give_byte_offsets", format::tests::markers_give_byte_offsets),
        trial(
            "format::a_shared_program_is_written_in_each_language",
            format::tests::a_shared_program_is_written_in_each_language,
        ),
        trial(
            "format::a_program_shared_by_stages_is_read",
            format::tests::a_program_shared_by_stages_is_read,
        ),
        trial("format::a_vertex_run_is_read", format::tests::a_vertex_run_is_read),
        trial("format::variants_and_limits_are_expanded", format::tests::variants_and_limits_are_expanded),
        trial("format::a_refused_program_is_read", format::tests::a_refused_program_is_read),
        trial("format::bindings_name_attributes", format::tests::bindings_name_attributes),
        trial("format::mistakes_are_refused", format::tests::mistakes_are_refused),
        trial("values::numbers_have_the_right_bits", values::tests::numbers_have_the_right_bits),
        trial("values::types_say_what_bits_numbers_have", values::tests::types_say_what_bits_numbers_have),
        trial(
            "values::comparison_is_bitwise_but_for_nan_and_tolerance",
            values::tests::comparison_is_bitwise_but_for_nan_and_tolerance,
        ),
        trial("sections::a_list_is_read", sections::tests::a_list_is_read),
        trial("sections::rules_are_found_in_titles", sections::tests::rules_are_found_in_titles),
        trial("sections::faults_of_a_list_are_told", sections::tests::faults_of_a_list_are_told),
        trial("texture_notation::a_texture_is_read", texture_notation::tests::a_texture_is_read),
        trial("texture_notation::mistakes_are_refused", texture_notation::tests::mistakes_are_refused),
    ]
}
