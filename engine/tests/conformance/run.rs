//! Runs the programs of a conformance file on both executors and compares the results with the file's
//! expectations. `fragments`, `vertices`, `patches` and `primitives` run one stage each. None of these
//! modules parses files or contains expected values.

use std::fmt::Write;
use std::sync::Arc;

use shadestep_engine::diag::{Diagnostic, Severity};
use shadestep_engine::exec::Bindings;
use shadestep_engine::front::{self, Loaded};
use shadestep_engine::isa::Stage;
use shadestep_engine::source::LineIndex;
use shadestep_language::ir::{self, Program};

use crate::common::compiled::Compiled;

use super::format::{Case, Extent, Run, TestFile};
use super::program_text::{Errors, Marked};
use super::texture_building::texture;
use super::{fragments, memory, names, patches, primitives, vertices};

/// Runs every case in `file`. The error lists the differences.
pub fn check(file: &TestFile) -> Result<(), String> {
    let mut faults = String::new();
    for case in &file.cases {
        match case {
            Case::Program { texts, line, runs } => {
                for text in texts {
                    check_program(text, *line, runs, &mut faults);
                }
            }
            Case::Error { title, texts, extent, line } => {
                for marked in texts {
                    if let Err(fault) = check_errors(marked, *extent) {
                        let _ = writeln!(faults, "line {line}: {title}, {}:\n{fault}", header(&marked.text));
                    }
                }
            }
            Case::Load { title, texts, line } => {
                for marked in texts {
                    if let Err(fault) = check_load(marked) {
                        let text = String::from_utf8_lossy(&marked.text);
                        let _ = writeln!(faults, "line {line}: {title}: {fault}\n{text}");
                    }
                }
            }
        }
    }
    match (&file.known_failure, faults.is_empty()) {
        (None, true) | (Some(_), false) => Ok(()),
        (None, false) => Err(faults),
        (Some(why), true) => Err(format!("passes now; remove `known_failure = \"{why}\"`")),
    }
}

/// The header of a program, for messages.
fn header(text: &[u8]) -> String {
    let line = text.split(|b| b.is_ascii_whitespace()).next().unwrap_or_default();
    String::from_utf8_lossy(line).into_owned()
}

fn check_program(text: &[u8], line: usize, runs: &[Run], faults: &mut String) {
    let compiled = match load_legal(text) {
        Ok((program, _)) => Compiled::new(program),
        Err(fault) => {
            let _ = writeln!(faults, "line {line}, {}: {fault}", header(text));
            return;
        }
    };
    for run in runs {
        if let Err(fault) = check_run(&compiled, run) {
            let _ = writeln!(faults, "line {}, {}: {}:\n{fault}", run.line, header(text), run.title);
        }
    }
}

/// Loads `text`, and checks that the row of each diagnostic's code has the clause that the diagnostic cites.
fn load(text: &[u8]) -> Result<Loaded, String> {
    let loaded = front::load(text);
    for Diagnostic { code, .. } in &loaded.diagnostics {
        if !code.row().clauses.contains(&code.clause()) {
            return Err(format!("the row of {} lacks the clause {}", code.name(), code.clause()));
        }
    }
    Ok(loaded)
}

/// Loads `text`, which must be a legal program. Returns the program and its warnings.
fn load_legal(text: &[u8]) -> Result<(Program, Vec<Diagnostic>), String> {
    let Loaded { program, diagnostics } = load(text)?;
    let program = program.ok_or_else(|| {
        format!("the program does not load: {}", describe(text, &found(&diagnostics, Severity::Error)))
    })?;
    ir::verify(&program).map_err(|e| format!("not a legal program: {e:?}"))?;
    Ok((program, diagnostics))
}

/// Position and code of every diagnostic of `severity`, sorted by position.
fn found(diagnostics: &[Diagnostic], severity: Severity) -> Errors {
    let errors = diagnostics.iter().filter(|d| d.severity == severity);
    let mut found: Vec<_> = errors.map(|d| (d.position, d.code.name().to_owned())).collect();
    found.sort();
    found
}

/// Compares the marked diagnostics of a section with the program's.
fn compare(text: &[u8], marked: &Errors, found: &Errors) -> Result<(), String> {
    if marked == found {
        return Ok(());
    }
    Err(format!("  expected {}\n  found    {}", describe(text, marked), describe(text, found)))
}

/// Checks that the errors are the marked ones, or that the first error is the marked one. Also checks the
/// further places that errors name.
fn check_errors(marked: &Marked, extent: Extent) -> Result<(), String> {
    let text = &marked.text;
    let diagnostics = load(text)?.diagnostics;
    let mut found = found(&diagnostics, Severity::Error);
    if extent == Extent::First {
        found.truncate(1);
    }
    compare(text, &marked.errors, &found)?;
    for (position, code) in &marked.also {
        let points =
            |d: &Diagnostic| d.code.name() == code && d.labels.iter().any(|l| l.span.start == *position);
        if !diagnostics.iter().any(points) {
            return Err(format!("  {} does not point there", describe(text, &[(*position, code.clone())])));
        }
    }
    Ok(())
}

/// Checks that the program loads, has the marked warnings and uses the expected resources.
fn check_load(marked: &Marked) -> Result<(), String> {
    let (program, diagnostics) = load_legal(&marked.text)?;
    if !marked.warnings.is_empty() {
        compare(&marked.text, &marked.warnings, &found(&diagnostics, Severity::Warning))?;
    }
    for (resource, count) in &marked.uses {
        let usage = program.usage.iter().find(|usage| usage.what == names::usage(resource));
        match usage {
            Some(usage) if usage.used == *count as usize => {}
            Some(usage) => return Err(format!("{} {resource} used, {count} expected", usage.used)),
            None => return Err(format!("{resource} is not counted: {:?}", program.usage)),
        }
    }
    Ok(())
}

fn describe(text: &[u8], errors: &[(usize, String)]) -> String {
    if errors.is_empty() {
        return "nothing".into();
    }
    let index = LineIndex::new(text);
    let one = |(position, code): &(usize, String)| {
        let place = index.line_column(*position);
        format!("{code} at {position} ({}:{})", place.line, place.column)
    };
    errors.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn check_run(compiled: &Compiled, run: &Run) -> Result<(), String> {
    let program = &compiled.program;
    let stage = program.stage();
    if let Some(stray) = run.given.iter().find(|a| !a.is_in(program.language)) {
        return Err(format!(
            "  {} is no attribute of {} programs\n",
            stray.register_in(program.language),
            stage.name()
        ));
    }
    let mut bindings = bindings(program, run)?;
    memory::begin(run, &mut bindings)?;
    let mut faults = String::new();
    match stage {
        Stage::Fragment => fragments::check(compiled, run, &bindings, &mut faults)?,
        Stage::Vertex => vertices::check(compiled, run, &bindings, &mut faults)?,
        Stage::TessControl => patches::check(compiled, run, &bindings, &mut faults)?,
        Stage::TessEvaluation => patches::check_evaluation(compiled, run, &bindings, &mut faults)?,
        Stage::Geometry => primitives::check(compiled, run, &bindings, &mut faults)?,
        Stage::VertexState => vertices::check_state_program(compiled, run, &bindings, &mut faults)?,
    }
    if faults.is_empty() { Ok(()) } else { Err(clipped(&faults)) }
}

/// The first lines of `faults`. One wrong bit would otherwise fill a line for every position of the block.
fn clipped(faults: &str) -> String {
    const SHOWN: usize = 8;
    let mut text: String = faults.lines().take(SHOWN).flat_map(|line| [line, "\n"]).collect();
    if let Some(more) = faults.lines().count().checked_sub(SHOWN + 1) {
        let _ = writeln!(text, "  ... and {} more", more + 1);
    }
    text
}

fn bindings(program: &Program, run: &Run) -> Result<Bindings, String> {
    let mut bindings = Bindings::initial(program);
    for (name, values) in &run.parameters {
        // A parameter has the name of its variable or its binding. All parameters with the same binding get
        // the same value.
        let is_named = |p: &ir::Parameter| {
            let language = program.language;
            p.name_in(language).as_ref() == Some(name) || p.source.name_in(language).as_ref() == Some(name)
        };
        let slots = program.parameters.iter().zip(&mut bindings.parameters);
        let named: Vec<_> = slots.filter(|(parameter, _)| is_named(parameter)).collect();
        if named.is_empty() {
            return Err(format!("  the program reads no parameter `{name}`\n"));
        }
        named.into_iter().for_each(|(_, slot)| *slot = ir::single_bits(*values));
    }
    for (unit, notation) in &run.textures {
        let slot = bindings.textures.get_mut(usize::from(*unit)).ok_or("  no such image unit\n")?;
        *slot = Some(Arc::new(texture(notation)?));
    }
    Ok(bindings)
}
