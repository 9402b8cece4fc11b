//! Finds words in the text of a program: instructions, suffixes and registers.

use super::Word;
use shadestep_engine::ir::Program;
use shadestep_engine::source::LineIndex;
use shadestep_engine::syntax::{Lexer, TokenKind, is_word_byte};

/// The line, from 1, of the first occurrence of `word` in `program`.
pub(super) fn line_of(word: &Word, program: &Program, text: &[u8]) -> Option<usize> {
    let line = |at: usize| LineIndex::new(text).line_column(at).line;
    let instructions = &program.instructions;
    match word {
        Word::Instruction(name) => {
            let found = instructions.iter().find(|instruction| instruction.op.info().mnemonic == name)?;
            Some(line(found.span.start))
        }
        Word::Suffix(suffix) => {
            let found = instructions.iter().find(|instruction| {
                let written = String::from_utf8_lossy(instruction.mnemonic_span.slice(text));
                has_suffix(&written, instruction.op.info().mnemonic, suffix)
            })?;
            Some(line(found.span.start))
        }
        Word::Register(name) => {
            let language = program.language;
            let there = program.temporaries.iter().any(|temporary| temporary.name == *name)
                || program.outputs.iter().any(|output| output.name == *name)
                || program.attributes().iter().any(|attribute| attribute.register_in(language) == *name);
            there.then(|| line(place_of(name, text).unwrap_or(0)))
        }
    }
}

/// The first occurrence of `name` in `text` as a separate word, outside comments.
fn place_of(name: &str, text: &[u8]) -> Option<usize> {
    let tokens = Lexer::new(text).filter(|token| token.kind != TokenKind::Comment);
    tokens.map(|token| token.span.start).find(|&at| {
        text[at..].starts_with(name.as_bytes())
            && !text.get(at + name.len()).is_some_and(|byte| is_word_byte(*byte))
    })
}

/// Whether `written`, an instruction's name with suffixes, has `suffix`. In NVIDIA's own languages the
/// letters for precision and the `C` follow the name without a separator.
fn has_suffix(written: &str, mnemonic: &str, suffix: &str) -> bool {
    let Some(rest) = written.strip_prefix(mnemonic) else { return false };
    let mut pieces = rest.split(['_', '.']);
    let letters = pieces.next().unwrap_or_default();
    pieces.any(|piece| piece == suffix)
        || letters.chars().any(|letter| *suffix == *letter.encode_utf8(&mut [0; 4]))
}

/// The number of instructions in `program`; with `named`, only instructions of that name.
pub(super) fn count_of(named: Option<&str>, program: &Program) -> usize {
    let is_named = |mnemonic: &str| named.is_none_or(|name| name == mnemonic);
    program.instructions.iter().filter(|instruction| is_named(instruction.op.info().mnemonic)).count()
}
