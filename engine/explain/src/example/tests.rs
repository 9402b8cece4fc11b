//! Every example loads and runs, and special cases agree with the specifications.

use super::writer::Writer;
use super::*;
use crate::explain::Computed;

#[test]
fn every_instruction_of_every_language_has_an_example_that_loads_and_runs() {
    let mut faults = Vec::new();
    for language in Language::ALL {
        for (info, example) in examples(language) {
            let name = format!("{} in {}", info.mnemonic, language.name());
            let text = Writer::new(info, language).unwrap().text();
            let loaded = front::load(text.as_bytes());
            if !loaded.diagnostics.is_empty() {
                let words: Vec<_> = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
                faults.push(format!("{name}: {words:?}\n{text}"));
                continue;
            }
            let Some(example) = example else {
                faults.push(format!("{name}: no instruction\n{text}"));
                continue;
            };
            let program = Arc::new(loaded.program.unwrap());
            let bindings = Arc::new(example.bindings(&program));
            let Some(step) = step(&program, &bindings, example.pc) else {
                faults.push(format!("{name}: not executed\n{text}"));
                continue;
            };
            let told = explain_instruction(text.as_bytes(), &program, example.pc, Some(&step));
            let is_blank = |words: &String| words.trim().is_empty();
            if told.sentences.is_empty() || told.sentences.iter().chain(&told.notes).any(is_blank) {
                faults.push(format!("{name}: {told:?}"));
            }
            // The accessed texture or memory exists.
            let finds_nothing = told.notes.iter().any(|note| note.starts_with("No complete texture"));
            if finds_nothing || step.transfers().any(|transfer| transfer.fault.is_some()) {
                faults.push(format!("{name}: {:?}", told.notes));
            }
            // An instruction that computes has a formula and a number for each result.
            let computes = program.instructions[example.pc].write().is_some();
            let has_numbers = |result: &Computed| result.numbers.is_some() && result.result.is_some();
            if computes && (told.results.is_empty() || !told.results.iter().all(has_numbers)) {
                faults.push(format!("{name}: {:?}", told.results));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n\n"));
}

fn cases(opcode: Opcode, language: Language) -> Vec<(String, String)> {
    let example = example(opcode.info(), language).unwrap();
    special_cases(&example).into_iter().map(|case| (case.operands.join(", "), case.result)).collect()
}

#[track_caller]
fn has(opcode: Opcode, language: Language, operands: &str, result: &str) {
    let cases = cases(opcode, language);
    let found = cases.iter().find(|(given, _)| given == operands).unwrap_or_else(|| panic!("{cases:?}"));
    assert_eq!(found.1, result, "{opcode:?} in {}", language.name());
}

/// NV_fragment_program 3.11.5.1, 17, 21, 24; NV_vertex_program2 2.14.3.30 with ruling 1; NV_gpu_program4
/// 2.X.8.
#[test]
fn special_cases_are_those_of_the_texts() {
    has(Opcode::Add, Language::Fp1, "inf, -inf", "NaN");
    has(Opcode::Add, Language::Fp1, "inf, inf", "inf");
    has(Opcode::Mul, Language::Fp1, "0, inf", "NaN");
    has(Opcode::Rcp, Language::Fp1, "0", "inf");
    has(Opcode::Rcp, Language::Fp1, "-0", "-inf");
    has(Opcode::Rcp, Language::Vp1, "inf", "0");
    has(Opcode::Sge, Language::Fp1, "NaN, 1", "0");
    has(Opcode::Sge, Language::Vp2, "NaN, 1", "NaN");
    has(Opcode::Lg2, Language::Fp1, "-1", "NaN");
    has(Opcode::Rsq, Language::ArbVp1, "-1", "1");
    has(Opcode::Mad, Language::ArbFp1, "0, inf, 1", "NaN");
}

#[test]
fn examples_tell_the_value_that_their_operands_give() {
    // 1.5 + 0.5, by hand from the numbers in the text.
    let told = example(Opcode::Add.info(), Language::Fp1).unwrap().explained().unwrap();
    assert_eq!(told.results[0].line(), "R0.x = R1.x + R2.x = 1.5 + 0.5 = 2");
}
