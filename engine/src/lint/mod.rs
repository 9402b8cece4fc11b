//! Warnings about programs that load: what is never run, never read, read before it is written, or never used.
//!
//! `flow` has what each instruction reads and writes and where it leads, `analysis` what follows of that. Each
//! warning holds on every way that execution can take, as `flow` has them; where a limit ends the program in a round of a
//! loop, it may end between an output's write that is called dead and the next. [`unused_names`] goes by the text, so that
//! an editor can ask it also while there are errors.

mod analysis;
mod flow;

use crate::diag::Diagnostic;
use crate::front::Sink;
use crate::front::dialect::Dialect;
use crate::front::words::with_points;
use crate::ir::{Condition, Destination, Program, WriteMask, mask_text, target_text};
use crate::source::Span;
use crate::syntax::{Lexer, Token, TokenKind};
use analysis::{Finding, findings};
use std::collections::HashMap;

/// Warns about `program`, as far as its instructions tell.
pub(crate) fn warn(program: &Program, dialect: &'static Dialect, sink: &mut Sink) {
    for finding in findings(program) {
        sink.push(diagnostic(program, dialect, finding));
    }
}

/// Warns about the names of `declared` that `text` does not use.
pub(crate) fn warn_of_names(
    text: &[u8],
    declared: &[(&str, Span)],
    dialect: &'static Dialect,
    sink: &mut Sink,
) {
    for (name, span) in unused_names(text, declared) {
        let message = format!("`{name}` is never used");
        sink.push(Diagnostic::warning(dialect.codes.unused_name, dialect.grammar, span, message));
    }
}

/// The names of `declared`, with where each is declared, that stand nowhere else in `text`, in the order of the text.
pub(crate) fn unused_names<'t>(text: &[u8], declared: &[(&'t str, Span)]) -> Vec<(&'t str, Span)> {
    let mut left: HashMap<&str, Span> = declared.iter().copied().collect();
    let is_name = |(token, behind_point): &(Token, bool)| token.kind == TokenKind::Word && !behind_point;
    for (token, _) in with_points(Lexer::new(text)).filter(is_name) {
        let word = std::str::from_utf8(token.span.slice(text)).unwrap_or_default();
        if left.get(word).is_some_and(|place| *place != token.span) {
            left.remove(word);
        }
    }
    let mut unused: Vec<_> = declared.iter().copied().filter(|(name, _)| left.contains_key(name)).collect();
    unused.sort_unstable_by_key(|(_, span)| *span);
    unused
}

fn diagnostic(program: &Program, dialect: &'static Dialect, finding: Finding) -> Diagnostic {
    let instruction = &program.instructions[finding.at()];
    let warning = |code, clause, span, message: String| Diagnostic::warning(code, clause, span, message);
    match finding {
        Finding::Unreachable { count, .. } => {
            let message = "this is never run".to_owned();
            let found = warning(dialect.codes.unreachable, dialect.grammar, instruction.span, message);
            match count {
                1 => found.with_note("No way through the program leads to it."),
                2 => found
                    .with_note("No way through the program leads to it, nor to the instruction behind it."),
                _ => found.with_note(format!(
                    "No way through the program leads to it, nor to the {} instructions behind it.",
                    count - 1
                )),
            }
        }
        Finding::DeadWrite { .. } => {
            let span = instruction.dest().map_or(instruction.span, |dest| dest.span);
            let target =
                |dest: &Destination| format!("{}{}", target_text(program, dest.target), mask_text(dest.mask));
            let written = instruction.dest().map_or_else(|| "it".to_owned(), target);
            let message = format!("nothing reads what is written to {written}");
            let note = match instruction.update_cc() {
                Some(_) => {
                    "On every way the condition code, too, is set anew before it is tested, or never tested."
                }
                None => "On every way from here it is written anew before it is read, or never read.",
            };
            warning(dialect.codes.dead_write, dialect.masks, span, message).with_note(note)
        }
        Finding::Unwritten { operand, temporary, components, .. } => {
            let span = operand.map_or(instruction.span, |number| instruction.operands[number].span);
            let temporary = &program.temporaries[temporary];
            let name = format!("{}{}", temporary.name, mask_text(WriteMask(components)));
            let begins = match program.temporaries_defined() {
                0 => "What it holds then is undefined; here it is (0,0,0,0).",
                _ => "Registers begin as (0,0,0,0).",
            };
            let message = format!("{name} is read before anything is written to it");
            warning(dialect.codes.unwritten_temporary, dialect.temporaries, span, message).with_note(begins)
        }
        Finding::UnsetCondition { at } => {
            let result = instruction.dest().and_then(|dest| Some((dest.test?, dest.span)));
            let test = instruction.test().map(|test| (test, instruction.span)).or(result);
            let (name, span) = test.map_or(("the condition code", instruction.span), |(test, span)| {
                (test.register.name_in(program.language), span)
            });
            debug_assert!(test.is_some_and(|(test, _)| test.condition != Condition::Tr), "{at}");
            let message = format!("{name} is tested before anything sets it");
            warning(dialect.codes.unset_condition, dialect.operands, span, message)
                .with_note("It begins as that of zero in all components.")
        }
    }
}

#[cfg(test)]
mod tests;
