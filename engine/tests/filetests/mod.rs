//! Tests of the low-level IR of the batch executor. Every `.lir` file of this folder is one test. `README.md`
//! describes the files.
//!
//! `UPDATE_SNAPSHOTS=true` writes the expected texts of passes. Expected values are written by hand.

mod blocks;
mod fold;
mod format;
mod passes;
mod programs;
mod properties;
mod random;
mod run;
mod texts;
mod values;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::files;
use crate::support::random::Random;
use format::{TestFile, TestFunction};
use passes::Pass;
use rstest::rstest;
use shadestep_core::exec::back_ends;
use shadestep_core::exec::lir::{Masks, verify, verify_block};

#[rstest]
fn file(#[files("tests/filetests/**/*.lir")] path: PathBuf) -> Result<(), String> {
    let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let file = format::read(&text)?;
    check(&file)?;
    let after = after_passes(&file)?;
    if std::env::var("UPDATE_SNAPSHOTS").is_ok_and(|value| value == "true") {
        let updated = format::with_after(&text, &file, &after);
        return fs::write(&path, updated).map_err(|error| error.to_string());
    }
    for (function, after) in file.functions.iter().zip(after) {
        if function.after != after {
            let name = &function.parsed.name;
            let found = format::after_text(&after).join("\n");
            return Err(format!(
                "%{name} is different after a pass; UPDATE_SNAPSHOTS=true writes the file\n{found}"
            ));
        }
    }
    Ok(())
}

/// Runs all commands except passes.
fn check(file: &TestFile) -> Result<(), String> {
    for command in &file.commands {
        let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
        for function in &file.functions {
            match (command.name.as_str(), words.as_slice()) {
                ("interpret" | "compile" | "compare", []) if function.block.is_some() => {
                    return Err(format!("test {} is for functions", command.name));
                }
                ("interpret", []) => {
                    check_correct(function)?;
                    run::check_runs(back_ends::fallback(), function)?;
                }
                ("compile", []) => {
                    check_correct(function)?;
                    run::others().try_for_each(|(name, other)| {
                        run::check_runs(other, function).map_err(|error| format!("{name}: {error}"))
                    })?;
                }
                ("compare", []) => {
                    check_correct(function)?;
                    let mut random = Random::new(1);
                    let (name, lir) = (&function.parsed.name, &function.parsed.code);
                    run::compare(lir, || random::value(&mut random))
                        .map_err(|error| format!("%{name}: {error}"))?;
                }
                ("verify", []) => check_faults(function)?,
                _ if Pass::of(command)?.is_some() => check_correct(function)?,
                _ => return Err(format!("there is no command {}", command.text())),
            }
        }
    }
    Ok(())
}

/// Checks that the verifier finds no fault.
fn check_correct(function: &TestFunction) -> Result<(), String> {
    match faults(function).first() {
        Some(fault) => Err(format!("%{}: {fault}", function.parsed.name)),
        None => Ok(()),
    }
}

/// Checks that the verifier finds the faults that the file lists.
fn check_faults(function: &TestFunction) -> Result<(), String> {
    let (name, faults) = (&function.parsed.name, faults(function));
    if faults == function.faults { Ok(()) } else { Err(format!("%{name}: found\n{}", faults.join("\n"))) }
}

/// The faults of a function or a block.
fn faults(function: &TestFunction) -> Vec<String> {
    match &function.block {
        Some(block) => verify_block(block, Masks::Own),
        None => verify(&function.parsed.code, Masks::Own),
    }
}

/// The text of a function after each pass: the command, and the lines.
type AfterPasses = Vec<(String, Vec<String>)>;

/// The text of each function after each pass of the file.
fn after_passes(file: &TestFile) -> Result<Vec<AfterPasses>, String> {
    let after = |function: &TestFunction| {
        let mut after = Vec::new();
        for command in &file.commands {
            if let Some(pass) = Pass::of(command)? {
                let lines = pass.apply(function);
                let name = &function.parsed.name;
                after.push((command.text(), lines.map_err(|fault| format!("%{name}: {fault}"))?));
            }
        }
        Ok(after)
    };
    file.functions.iter().map(after).collect()
}

/// The list of tests is made when the tests are compiled, and a new file compiles nothing.
#[test]
fn every_file_has_a_test() -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let list = Command::new(program).args(["--list", "filetests::file::"]).output();
    let list = String::from_utf8_lossy(&list.map_err(|error| error.to_string())?.stdout).into_owned();
    let tests = list.lines().filter(|line| line.ends_with(": test")).count();
    let there = files::below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests"), &["lir"]).len();
    match tests == there {
        true => Ok(()),
        false => Err(format!("{tests} tests for {there} files: change tests/filetests/mod.rs and compile")),
    }
}
