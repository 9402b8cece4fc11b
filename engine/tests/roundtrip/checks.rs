//! Checks for any text, and for any program that loads. `arb_fp_load` uses them too.

use shadestep_engine::diag::first_error;
use shadestep_engine::front::load;
use shadestep_engine::ide;
use shadestep_engine::source::Span;
use shadestep_language::ir::{Program, disassemble, disassemble_instruction, verify};

/// Removes the data that the printed text does not preserve. Spans differ. In the ARB languages, declarations
/// without a use count towards the resource usage but are not printed.
fn without_spans(mut program: Program) -> Program {
    if program.language.profile().declares_variables() {
        program.usage.retain(|usage| !matches!(usage.what, "parameter bindings" | "attributes"));
    }
    for instruction in &mut program.instructions {
        instruction.span = Span::default();
        instruction.mnemonic_span = Span::default();
        for operand in &mut instruction.operands {
            operand.span = Span::default();
        }
        if let Some(dest) = instruction.dest_mut() {
            dest.span = Span::default();
        }
    }
    program.variables.clear();
    for label in &mut program.labels {
        label.span = Span::default();
    }
    program
}

/// Prints the program, loads the text and checks that the result is the same program.
#[track_caller]
pub fn assert_prints_and_reloads(program: Program) {
    assert_eq!(verify(&program), Ok(()));
    let printed = disassemble(&program);
    let again = load(printed.as_bytes());
    let reloaded = again.program.unwrap_or_else(|| panic!("{printed}\n{:#?}", again.diagnostics));
    for instruction in &reloaded.instructions {
        let alone = disassemble_instruction(&reloaded, instruction);
        assert_eq!(&printed[instruction.span.start..instruction.span.end], alone);
    }
    assert_eq!(without_spans(reloaded), without_spans(program), "{printed}");
}

/// Loads any text and checks that diagnostics, spans and editor queries are consistent.
pub fn assert_sane(text: &[u8], offset: usize) {
    let loaded = load(text);
    assert_eq!(loaded.program.is_none(), first_error(&loaded.diagnostics).is_some());
    assert!(loaded.diagnostics.is_sorted_by_key(|d| d.position));
    for diagnostic in &loaded.diagnostics {
        assert!(diagnostic.position <= text.len());
        let spans = diagnostic.labels.iter().map(|l| l.span).chain(diagnostic.fix.as_ref().map(|f| f.span));
        for span in spans {
            assert!(span.start <= span.end && span.end <= text.len());
        }
        let shown = shadestep_engine::diag::render_all(std::slice::from_ref(diagnostic), text, "fuzz.fp");
        assert!(shown.contains(diagnostic.code.name()) && shown.contains('^'));
    }
    ide::hover(text, offset, loaded.program.as_ref());
    ide::completions(text, offset);
    ide::outline(text);
    if let Some(program) = loaded.program {
        assert_prints_and_reloads(program);
    }
}
