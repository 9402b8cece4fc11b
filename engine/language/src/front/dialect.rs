//! The interface between the shared parser and a language family: [`Grammar`] reads the family's own parts of
//! a statement, [`Dialect`] has its codes.

use super::Sink;
use super::operand::LetterTokens;
use super::parser::{Parse, Parser};
use super::word_roles::Role;
use crate::diag::codes::Shared;
use crate::diag::{Code, Diagnostic};
use crate::ir::{CcTest, Destination, Negation, Operand, Program, Source, Swizzle, Target, WriteMask};
use crate::isa::{Info, Language, Modifier, OperandKind, Suffixes};
use crate::source::Span;

/// Facts about a family of languages that the shared parts need.
#[derive(Debug)]
pub struct Dialect {
    /// Codes of shared findings.
    pub codes: &'static Shared,
    /// Whether `:` is a token. It follows labels.
    pub has_colon: bool,
    /// Whether labels may have `$` in them.
    pub dollar_in_labels: bool,
    /// Whether r, g, b, a name components like x, y, z, w.
    pub colour_letters: bool,
    /// The tokens of a write mask's letters.
    pub mask_tokens: LetterTokens,
    /// The code of a program without statements, if the language refuses it.
    pub empty: Option<Code>,
}

/// A remark on a word that begins statements only in other languages.
#[derive(Debug)]
pub struct Elsewhere {
    pub note: String,
    /// The instruction that does the same here.
    pub instead: Option<&'static str>,
}

impl From<String> for Elsewhere {
    fn from(note: String) -> Self {
        Self { note, instead: None }
    }
}

impl From<&str> for Elsewhere {
    fn from(note: &str) -> Self {
        note.to_owned().into()
    }
}

/// A language's own part of reading a program. `Parser::own` holds it.
pub trait Grammar<'t>: Sized {
    /// The register or constant of an operand.
    type Base;
    /// The register of a destination.
    type Target;
    /// The parts of an instruction other than destination and operands.
    type Extra: Default;
    /// The first word of a statement that is not an instruction.
    type Keyword;

    /// Codes and tokens of the family.
    fn dialect(&self) -> &'static Dialect;

    /// The language of the program, with its options.
    fn language(&self) -> Language;

    /// The role of `word` in the language.
    fn role(&self, word: &str) -> Role<Self::Keyword>;

    /// The first tokens of statements, in words, for "expected ...".
    fn statement_wanted(&self) -> &'static str;

    /// Reads a statement after its keyword, which is at `at`, up to and with the `;`.
    fn keyword_statement(parser: &mut Parser<'t, Self>, keyword: Self::Keyword, at: Span) -> Parse<()>;

    /// Reads register or constant and suffix of an operand whose sign has been read.
    fn base(parser: &mut Parser<'t, Self>, kind: OperandKind, sign: Sign)
    -> Parse<ParsedOperand<Self::Base>>;

    /// Reads the register of `info`'s destination.
    fn target(parser: &mut Parser<'t, Self>, info: &Info) -> Parse<Self::Target>;

    /// Reads an operand that is neither vector nor scalar.
    fn special_operand(
        parser: &mut Parser<'t, Self>,
        kind: OperandKind,
        parsed: &mut ParsedOf<'t, Self>,
    ) -> Parse<()>;

    /// Checks an instruction and adds it to the program.
    fn take(&mut self, parsed: ParsedOf<'t, Self>, sink: &mut Sink);

    /// Checks the known part of an instruction that could not be read to its end. Its first offending token
    /// may come before the token at which reading stopped.
    fn take_broken(&mut self, parsed: &ParsedOf<'t, Self>, sink: &mut Sink);

    /// Notes that a statement was lost before its destination was known, so that the results of the program
    /// are unknown. `word` is the first word of the statement, or empty.
    fn note_lost_statement(&mut self, word: &str);

    /// Reports the faults that are known only at the program's end. `END` is at `end`; `length` is in bytes.
    fn finish_faults(&mut self, length: usize, end: Span, sink: &mut Sink);

    /// The declared names, each with the place of its declaration.
    fn declared(&self) -> Vec<(&'t str, Span)> {
        Vec::new()
    }

    /// Completes earlier findings with facts from the rest of the text.
    fn amend_findings(&self, _sink: &mut Sink) {}

    /// The program, if nothing was wrong with it.
    fn into_program(self) -> Program;

    /// The finding about `word` at `span` if it is an instruction of a later version.
    fn later_instruction(&self, _word: &str, _span: Span) -> Option<Diagnostic> {
        None
    }

    /// A remark on `word` if it begins statements in other languages.
    fn elsewhere(&self, word: &str) -> Option<Elsewhere>;

    /// Reads the tokens between the name of a label and its colon. Returns whether there are any.
    fn label_number(_parser: &mut Parser<'t, Self>, _name: &'t str, _span: Span) -> Parse<bool> {
        Ok(false)
    }

    /// Adds a label before the next instruction.
    fn take_label(&mut self, _name: &'t str, _span: Span, _sink: &mut Sink) {}

    /// Notes that a label could not be read, so that the set of labels is unknown.
    fn note_broken_label(&mut self) {}

    /// The finding about a label at `span` if the language has no labels.
    fn lacks_labels(&self, _span: Span) -> Option<Diagnostic> {
        None
    }

    /// Whether `word` can be a label.
    fn can_be_label(&self, word: &str) -> bool {
        !self.role(word).begins_statement()
    }

    /// The reserved words in a sentence, if the language lists them.
    fn reserved_words(&self) -> Option<String> {
        None
    }

    /// The finding about `word` at `span` if it is a condition rule of a later version.
    fn later_condition(&self, _word: &str, _span: Span) -> Option<Diagnostic> {
        None
    }

    /// Reports a sign or `|` as the next token if the language lacks it.
    fn look_at_sign(_parser: &mut Parser<'t, Self>) {}

    /// Reports `(` as the next token if the language lacks condition codes.
    fn look_at_test(_parser: &mut Parser<'t, Self>) {}
}

/// The parts of an instruction in `G`, as read.
pub type ParsedOf<'t, G> =
    ParsedInstruction<<G as Grammar<'t>>::Base, <G as Grammar<'t>>::Target, <G as Grammar<'t>>::Extra>;

/// A minus or plus before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    None,
    Plus,
    Minus,
}

/// An operand as written.
#[derive(Clone, Copy, Debug)]
pub struct ParsedOperand<B> {
    pub base: B,
    /// The register, name or constant, without sign and suffix.
    pub base_span: Span,
    pub swizzle: Swizzle,
    pub negate: Negation,
    pub absolute: bool,
    pub negate_absolute: bool,
    pub span: Span,
}

impl<B> ParsedOperand<B> {
    /// The operand `base` at `span`, after `sign` has been read.
    pub fn new(base: B, span: Span, sign: Sign) -> Self {
        Self {
            base,
            base_span: span,
            swizzle: Swizzle::IDENTITY,
            negate: if sign == Sign::Minus { Negation::ALL } else { Negation::NONE },
            absolute: false,
            negate_absolute: false,
            span,
        }
    }

    /// The operand in IR, reading components `swizzle` of `source`.
    pub fn reading(&self, source: Source, swizzle: Swizzle) -> Operand {
        Operand {
            source,
            swizzle,
            negate: self.negate,
            absolute: self.absolute,
            negate_absolute: self.negate_absolute,
            span: self.span,
        }
    }
}

/// A destination as written.
#[derive(Clone, Copy, Debug)]
pub struct ParsedDestination<T> {
    pub target: T,
    /// The register, without mask and test.
    pub register_span: Span,
    pub mask: WriteMask,
    /// The mask's letters, or the register where no mask is written.
    pub mask_span: Span,
    /// For each component of the mask, the token with its letter, or the register where no mask is written.
    pub mask_tokens: [Span; 4],
    pub test: Option<CcTest>,
    /// The test, including its parentheses.
    pub test_span: Span,
    pub span: Span,
}

impl<T> ParsedDestination<T> {
    /// The destination in IR.
    pub fn writing(&self, target: Target) -> Destination {
        Destination { target, mask: self.mask, test: self.test, span: self.span }
    }
}

/// An instruction as written.
#[derive(Clone, Debug)]
pub struct ParsedInstruction<B, T, X> {
    pub info: &'static Info,
    pub suffixes: Suffixes,
    pub mnemonic_span: Span,
    /// The modifiers that are separate words, in the order of the text.
    pub modifiers: Vec<(Modifier, Span)>,
    pub dest: Option<ParsedDestination<T>>,
    pub operands: Vec<ParsedOperand<B>>,
    pub extra: X,
    pub span: Span,
}

impl<B, T, X: Default> ParsedInstruction<B, T, X> {
    /// An instruction after its mnemonic has been read.
    pub fn new(info: &'static Info, suffixes: Suffixes, mnemonic_span: Span) -> Self {
        Self {
            info,
            suffixes,
            mnemonic_span,
            modifiers: Vec::new(),
            dest: None,
            operands: Vec::new(),
            extra: X::default(),
            span: mnemonic_span,
        }
    }

    /// The place of the last modifier that is `wanted`, or the mnemonic if the modifier is a letter of it.
    pub fn modifier_span(&self, wanted: impl Fn(Modifier) -> bool) -> Span {
        let last = self.modifiers.iter().rev().find(|(modifier, _)| wanted(*modifier));
        last.map_or(self.mnemonic_span, |(_, span)| *span)
    }
}
