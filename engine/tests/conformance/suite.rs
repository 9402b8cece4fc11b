//! Tests of the suite as a whole: every file is run, and files, clauses and codes of errors match.

use std::process::Command;

use super::sections::{self, Document};
use super::{FILES, clauses, folder};
use crate::common::files;

fn documents() -> Result<Vec<Document>, String> {
    sections::read(&folder().join("sections.txt"))
}

/// The list of tests is made when the tests are compiled, and a new file compiles nothing.
#[test]
fn every_file_has_a_test() -> Result<(), String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let list = Command::new(program).args(["--list", "conformance::file::"]).output();
    let list = String::from_utf8_lossy(&list.map_err(|e| e.to_string())?.stdout).into_owned();
    let tests = list.lines().filter(|line| line.ends_with(": test")).count();
    let there = files::below(&folder(), &["test"]).len();
    match tests == there {
        true => Ok(()),
        false => Err(format!("{tests} tests for {there} files: change tests/conformance/mod.rs and compile")),
    }
}

#[test]
fn every_instruction_has_a_file() -> Result<(), String> {
    clauses::every_instruction_has_a_file(&FILES)
}

#[test]
fn every_code_has_a_case() -> Result<(), String> {
    clauses::every_code_has_a_case(&FILES)
}

#[test]
fn every_clause_is_listed() -> Result<(), String> {
    clauses::check_clauses(&folder(), &documents()?, &FILES)
}

#[test]
fn every_section_has_files_or_a_reason() -> Result<(), String> {
    sections::each_has_files_or_a_reason(&documents()?, &FILES)
}

#[test]
fn every_rule_has_a_run() -> Result<(), String> {
    sections::each_rule_has_a_run(&documents()?, &FILES)
}

#[test]
fn reasons_point_at_what_is_there() -> Result<(), String> {
    sections::reasons_point_at_what_is_there(&documents()?, &folder().join("../../.."))
}
