//! Statements of a `!!FP1.0` program.

use super::check::{Checker, Draft, DraftTarget};
use super::define::Names;
use super::words::{Word, classify, statement_words};
use crate::diag::Diagnostic;
use crate::front::Loaded;
use crate::front::check::{bad_suffix, with_meant_statement};
use crate::front::dialect::{Dialect, DraftOperand, Grammar, Sign, codes};
use crate::front::parser::{self, Ending, Parse};
use crate::ir::Condition;
use crate::isa::{self, Info, Language, Lookup, OperandKind};
use crate::source::Span;
use crate::syntax::TokenKind;

pub(super) const GRAMMAR: &str = "NV_fragment_program 3.11.3";

pub(super) static DIALECT: Dialect = Dialect {
    codes: codes!("fp1"),
    grammar: GRAMMAR,
    suffixes: "NV_fragment_program 3.11.4",
    operands: "NV_fragment_program 3.11.4.3",
    masks: "NV_fragment_program 3.11.4.4",
    temporaries: "NV_fragment_program 3.11.1.2",
    has_colon: false,
    needs_statement: true,
};

/// What is made of the statements read so far.
#[derive(Debug, Default)]
pub(super) struct Fp1<'t> {
    pub(super) names: Names<'t>,
    pub(super) check: Checker,
}

/// The parser of this language.
pub(super) type Parser<'t> = parser::Parser<'t, Fp1<'t>>;

impl<'t> Grammar<'t> for Fp1<'t> {
    type Base = super::check::Base;
    type Target = DraftTarget;
    type Extra = super::check::Extra;

    const DIALECT: &'static Dialect = &DIALECT;

    fn language(&self) -> Language {
        Language::Fp1
    }

    fn condition(word: &str) -> Option<Condition> {
        match classify(word) {
            Word::Condition(condition) => Some(condition),
            _ => None,
        }
    }

    fn begins_statement(parser: &Parser<'t>) -> bool {
        matches!(classify(parser.word()), Word::Instruction(..) | Word::Define | Word::Declare | Word::End)
    }

    fn statement(parser: &mut Parser<'t>) -> Parse<()> {
        parser.fp1_statement()
    }

    fn base(parser: &mut Parser<'t>, kind: OperandKind, sign: Sign) -> Parse<DraftOperand<Self::Base>> {
        parser.fp1_base(kind, sign)
    }

    fn target(parser: &mut Parser<'t>, _info: &Info) -> Parse<DraftTarget> {
        parser.fp1_target()
    }

    fn special_operand(parser: &mut Parser<'t>, kind: OperandKind, draft: &mut Draft) -> Parse<()> {
        match kind {
            OperandKind::Condition => draft.extra.kill = Some(parser.kill_test()?),
            OperandKind::TextureImage => draft.extra.texture = Some(parser.texture_image()?),
            // Vectors and scalars are read elsewhere, and no instruction of this language takes the rest.
            OperandKind::Vector
            | OperandKind::Scalar
            | OperandKind::VectorOrCondition
            | OperandKind::ExtendedSwizzle
            | OperandKind::Address
            | OperandKind::Label
            | OperandKind::BranchCondition => {}
        }
        Ok(())
    }

    fn take(parser: &mut Parser<'t>, draft: Draft) {
        parser.own.check.instruction(draft, &mut parser.sink);
    }

    fn take_broken(parser: &mut Parser<'t>, draft: &Draft) {
        parser.own.check.note_broken(draft, &mut parser.sink);
    }

    fn note_lost_destination(&mut self) {
        self.check.note_lost_statement();
    }
}

impl<'t> Parser<'t> {
    /// Reads the whole program.
    pub(super) fn run(mut self) -> Loaded {
        let ending = self.statements();
        let mut program = None;
        if matches!(ending, Ending::Complete) {
            self.own.check.finish_faults(self.text.len(), self.previous, &mut self.sink);
            if !self.sink.has_errors() {
                // What is broken might have been the use.
                self.own.names.report_unused(&mut self.sink);
                program = Some(self.own.check.into_program());
            }
        }
        self.own.names.mark_late_definitions(&mut self.sink);
        Loaded { program, diagnostics: self.sink.finish() }
    }

    fn fp1_statement(&mut self) -> Parse<()> {
        let head = self.token;
        if head.kind != TokenKind::Word {
            self.own.check.note_lost_statement();
            return Err(self.unexpected("an instruction, `DEFINE`, `DECLARE` or `END`"));
        }
        let word = self.word();
        match classify(word) {
            Word::Instruction(info, suffixes) => {
                self.advance();
                self.instruction(info, suffixes, head.span)
            }
            Word::Define => {
                self.advance();
                self.define()?;
                self.semicolon()
            }
            Word::Declare => {
                self.advance();
                self.declare()?;
                self.semicolon()
            }
            _ => {
                self.own.check.note_lost_statement();
                let fault = self.not_a_statement(word, head.span);
                self.fail(fault)
            }
        }
    }

    fn not_a_statement(&self, word: &str, span: Span) -> Diagnostic {
        if let Lookup::BadSuffix(info) = isa::lookup(Language::Fp1, word) {
            return bad_suffix(&DIALECT, Language::Fp1, info, word, span);
        }
        let shown = self.excerpt(span);
        let kind = classify(word);
        if !matches!(kind, Word::Name) {
            return Diagnostic::error(
                "fp1-unexpected",
                GRAMMAR,
                span,
                format!("expected an instruction, found `{shown}`, which is {}", kind.describe()),
            );
        }
        let fault = Diagnostic::error(
            "fp1-unknown-instruction",
            GRAMMAR,
            span,
            format!("`{shown}` is not an instruction of `!!FP1.0`"),
        );
        if let Some(note) = elsewhere(word) {
            return fault.with_note(note);
        }
        let begins = |word: &str| {
            matches!(classify(word), Word::Instruction(..) | Word::Define | Word::Declare | Word::End)
        };
        with_meant_statement(fault, word, span, begins, statement_words())
    }
}

/// A word about instructions that other languages have.
fn elsewhere(word: &str) -> Option<&'static str> {
    Some(match word {
        "ABS" => {
            "ABS belongs to other languages; here take the absolute value of an operand: `MOV R0, |R1|`."
        }
        "CMP" => {
            "CMP belongs to other languages; here set the condition code (`MOVC RC, ...`) and mask a MOV: `MOV R0 (LT), ...`."
        }
        "SWZ" => "SWZ belongs to other languages; here swizzle the operand of a MOV.",
        "TXB" | "TXL" => {
            "Lookups with a bias or a level come with NV_fragment_program2; here TXD takes derivatives."
        }
        "SCS" => "SCS belongs to ARB_fragment_program; here use COS and SIN.",
        "XPD" => {
            "XPD belongs to other languages; here: `MUL R2, R0.zxyw, R1.yzxw; MAD R2, R0.yzxw, R1.zxyw, -R2;`."
        }
        "DPH" => "DPH belongs to other languages; here: DP3, then ADD the w component.",
        "NRM" => "NRM comes with NV_fragment_program2; here: DP3, RSQ, MUL.",
        "DIV" => "DIV comes with NV_fragment_program2; here: RCP, then MUL.",
        "TEMP" => "Temporaries are not declared in `!!FP1.0`: use R0 to R31 and H0 to H63.",
        "PARAM" => "In `!!FP1.0` constants are made with DEFINE and parameters with DECLARE.",
        "ATTRIB" | "OUTPUT" | "ADDRESS" | "ALIAS" | "OPTION" => {
            "This statement belongs to the ARB languages; `!!FP1.0` has only DEFINE and DECLARE."
        }
        "IF" | "ELSE" | "ENDIF" | "LOOP" | "ENDLOOP" | "REP" | "ENDREP" | "BRK" | "CAL" | "RET" | "BRA" => {
            "`!!FP1.0` programs run straight through; branches and loops come with NV_fragment_program2."
        }
        _ => return None,
    })
}
