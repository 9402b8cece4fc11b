//! Explains a line of a program in plain words: the values that an instruction reads, computes and writes. A
//! step of a recording adds numbers. Declarations, options, labels and comments are explained too. The result
//! is plain data.
//!
//! Facts about an instruction come from its row of the table. `formulas` fills in the row's formula,
//! `sentences` describes registers, modifiers, textures, flow and memory, and `notes` describes effects of a
//! step that the formula does not show.

mod formulas;
mod notes;
mod sentences;

use shadestep_core::debug::Step;
use shadestep_ide::words::joined;
use shadestep_ide::{Hoverable, Lexicon, TokenKind, highlight_line};
use shadestep_language::front::lossy;
use shadestep_language::ir::{ConstantVector, Instruction, Program};
use shadestep_language::isa::{Info, Language, Opcode};
use shadestep_language::semantics::plan::Plan;
use shadestep_language::source::{LineIndex, Span};

/// Most names of one declaration that are explained.
const MOST_NAMES: usize = 6;

/// The explanation of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The bytes that are explained.
    pub span: Span,
    /// The opcode, if the line has an instruction.
    pub opcode: Option<Opcode>,
    /// A title of a few words.
    pub title: String,
    /// The computation of each written component.
    pub results: Vec<Computed>,
    /// Effects of the step that the formulas do not show; empty without a step.
    pub notes: Vec<String>,
    /// The effect of the instruction, one sentence each.
    pub sentences: Vec<String>,
}

/// The computation of one or several components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The destination with its components: `R0.x`.
    pub name: String,
    /// The formula with names: `R1.x * c[3].y + 0.5`.
    pub names: String,
    /// The formula with the numbers of a step: `0.25 * 2 + 0.5`.
    pub numbers: Option<String>,
    /// The result of that step.
    pub result: Option<String>,
}

impl Computed {
    /// Destination and formula, with names.
    pub fn names_line(&self) -> String {
        if self.name == self.names { self.name.clone() } else { format!("{} = {}", self.name, self.names) }
    }

    /// The rest of the line in a run, if there is a run: numbers and result.
    pub fn numbers_line(&self) -> Option<String> {
        let rest = self.line().strip_prefix(&self.names_line())?.trim_start().to_owned();
        (!rest.is_empty()).then_some(rest)
    }

    /// The whole computation in one line: names, then the numbers of a step. Repeated parts appear once.
    pub fn line(&self) -> String {
        let mut parts = vec![self.name.as_str(), &self.names];
        parts.extend(self.numbers.as_deref());
        parts.extend(self.result.as_deref());
        parts.dedup();
        parts.join(" = ")
    }
}

/// An instruction with the data for its explanation.
#[derive(Clone, Copy)]
struct Explained<'e> {
    program: &'e Program,
    instruction: &'e Instruction,
    info: &'static Info,
    plan: Plan,
    step: Option<&'e Step>,
    /// Lines of the text, to refer to the targets of flow.
    index: &'e LineIndex,
    naming: Naming,
}

/// Naming of operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// As in the program: `-R1.x`.
    Registers,
    /// As in the row's formula, without components: `a`.
    Letters,
}

impl Explained<'_> {
    /// The line of instruction `pc`, counted from 1, or the end.
    fn place(&self, pc: usize) -> String {
        match self.program.instructions.get(pc) {
            Some(instruction) => format!("line {}", self.index.line_of(instruction.span.start) + 1),
            None => "the end of the program".to_owned(),
        }
    }
}

/// Explains instruction `pc` of `program`, whose text is `text`. `step` must be a step of this instruction;
/// it adds numbers.
///
/// # Panics
/// If the program has no such instruction.
pub fn explain_instruction(text: &[u8], program: &Program, pc: usize, step: Option<&Step>) -> Explanation {
    let instruction = &program.instructions[pc];
    let info = instruction.op.info();
    let step = step.filter(|step| step.pc == pc);
    let index = LineIndex::new(text);
    let plan = Plan::of(instruction);
    let explained =
        Explained { program, instruction, info, plan, step, index: &index, naming: Naming::Registers };
    Explanation {
        span: instruction.span,
        opcode: Some(instruction.op),
        title: format!("{}: {}", lossy(instruction.mnemonic_span.slice(text)), info.title),
        results: explained.results(),
        notes: explained.notes(),
        sentences: explained.sentences(),
    }
}

/// A step in which all components of each operand are equal.
pub(super) struct ByLetter {
    /// Each component of the result, before clamps and conversions.
    pub results: [String; 4],
    /// Effects that the formula does not show, with the letters of operands as names.
    pub notes: Vec<String>,
}

/// Explains `step` of `program`, whose text is `text`, with the letters of operands as names.
pub(super) fn by_letter(text: &[u8], program: &Program, step: &Step) -> ByLetter {
    let instruction = &program.instructions[step.pc];
    let (info, plan) = (instruction.op.info(), Plan::of(instruction));
    let index = LineIndex::new(text);
    let naming = Naming::Letters;
    let explained = Explained { program, instruction, info, plan, step: Some(step), index: &index, naming };
    let results = std::array::from_fn(|c| explained.result(step.result, c));
    ByLetter { results, notes: explained.notes() }
}

/// Index of the instruction for byte `offset`: the last one on its line that begins before the offset, or
/// else the first one on the line. The time does not depend on the length of the program.
pub fn instruction_at(text: &[u8], program: &Program, offset: usize) -> Option<usize> {
    let offset = offset.min(text.len());
    // Line breaks as in LineIndex.
    let breaks = |at: &usize| match text[*at] {
        b'\n' => true,
        b'\r' => text.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    let start = (0..offset).rev().find(breaks).map_or(0, |at| at + 1);
    let end = (offset..text.len()).find(breaks).unwrap_or(text.len());
    // Instructions are in text order, with implicit returns between them.
    let behind = |byte: usize| program.instructions.partition_point(|other| other.span.start <= byte);
    let is_written = |pc: &usize| !program.instructions[*pc].span.is_empty();
    let is_on_line = |pc: &usize| program.instructions[*pc].span.end >= start;
    let before = (0..behind(offset)).rev().find(is_written).filter(is_on_line);
    before.or_else(|| (behind(offset)..behind(end)).find(is_written))
}

/// Explains the line of byte `offset` of `text`, if the line has anything to explain. `program` is the loaded
/// text. Without it, only words with a fixed meaning are explained.
pub fn explain(
    text: &[u8],
    offset: usize,
    program: Option<&Program>,
    step: Option<&Step>,
) -> Option<Explanation> {
    let index = LineIndex::new(text);
    let line_number = index.line_of(offset.min(text.len()));
    let line = index.line_span(line_number);
    let found = program.and_then(|program| Some((program, instruction_at(text, program, offset)?)));
    if let Some((program, pc)) = found {
        return Some(explain_instruction(text, program, pc, step));
    }
    statement(text, line, line_number, program)
}

/// Explains a line that is not an instruction: a declaration, an option, a label, a comment or the header.
fn statement(text: &[u8], line: Span, number: usize, program: Option<&Program>) -> Option<Explanation> {
    let read = Language::of_header(text).map(|language| Hoverable::of(text, language));
    let empty = Lexicon::default();
    let lexicon = read.as_ref().map_or(&empty, Hoverable::lexicon);
    let tokens = highlight_line(line.slice(text), number, lexicon);
    let told = |at: usize| read.as_ref()?.hover(line.start + at, program);
    let significant = |kind: TokenKind| {
        !matches!(kind, TokenKind::Whitespace | TokenKind::Punctuation | TokenKind::Comment)
    };
    let Some(first) = tokens.iter().find(|token| significant(token.kind)) else {
        tokens.iter().find(|token| token.kind == TokenKind::Comment)?;
        let sentences = vec!["The program ignores comments.".to_owned()];
        return Some(Explanation {
            span: line,
            title: "Comment".to_owned(),
            sentences,
            ..Explanation::default()
        });
    };
    let head = told(first.span.start)?;
    let mut explanation =
        Explanation { span: line, title: head.title, sentences: vec![head.body], ..Explanation::default() };
    let mut told_of = vec![head.span];
    for token in tokens.iter().filter(|token| token.span.start > first.span.start && significant(token.kind))
    {
        let is_told = matches!(
            token.kind,
            TokenKind::Name
                | TokenKind::Option
                | TokenKind::Label
                | TokenKind::Register
                | TokenKind::Parameter
                | TokenKind::Attribute
                | TokenKind::Output
        );
        if !is_told || told_of.len() > MOST_NAMES {
            continue;
        }
        let Some(hover) = told(token.span.start).filter(|hover| !told_of.contains(&hover.span)) else {
            continue;
        };
        let word = lossy(hover.span.slice(text));
        let mut body = format!("{}. {}", hover.title, hover.body.replace("\n\n", " "));
        if let Some(value) = program.and_then(|program| value_of(program, &word)) {
            body = format!("{body} {value}");
        }
        explanation.sentences.push(body);
        told_of.push(hover.span);
    }
    Some(explanation)
}

/// The values of the constants called `name`.
fn value_of(program: &Program, name: &str) -> Option<String> {
    use shadestep_language::ir::ParameterSource::{Constant, Named};
    let is_it =
        |other: &str| other == name || other.strip_prefix(name).is_some_and(|rest| rest.starts_with('['));
    let values: Vec<String> = program
        .parameters
        .iter()
        .filter(|parameter| parameter.name.as_deref().is_some_and(is_it))
        .filter_map(|parameter| match &parameter.source {
            Constant(constant) => Some(format!("({})", constant.decimals())),
            Named { initial, .. } => Some(format!("({})", ConstantVector::floats(*initial).decimals())),
            _ => None,
        })
        .take(MOST_NAMES)
        .collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    match values.as_slice() {
        [] => None,
        [one] => Some(format!("Its value is {one}.")),
        several => Some(format!("Its values are {}.", joined(several))),
    }
}

#[cfg(test)]
mod tests;
