//! Statements of a `!!FP1.0` program: the [`Grammar`] of this language.

use super::check::{Checker, ParsedInstruction, ParsedTarget};
use super::define::Names;
use super::words::{Keyword, classify};
use crate::diag::{Diagnostic, codes};
use crate::front::dialect::{Dialect, Elsewhere, Grammar, ParsedOperand, Sign};
use crate::front::operand::LetterTokens;
use crate::front::parser::{self, Parse, Section};
use crate::front::word_roles::Role;
use crate::front::{Sink, nearest};
use crate::ir::Program;
use crate::isa::{Info, Language, OperandKind};
use crate::source::Span;
use crate::syntax::TokenKind;

pub(super) const GRAMMAR: &str = "NV_fragment_program 3.11.3";

pub static DIALECT: Dialect = Dialect {
    codes: &codes::FP1,
    has_colon: false,
    dollar_in_labels: false,
    colour_letters: false,
    mask_tokens: LetterTokens::Each,
    empty: Some(codes::FP1_EMPTY),
};

/// The program under construction, from the statements read so far.
#[derive(Debug, Default)]
pub(super) struct Fp1<'t> {
    pub(super) names: Names<'t>,
    pub(super) check: Checker,
}

/// The parser of `!!FP1.0`.
pub(super) type Parser<'t> = parser::Parser<'t, Fp1<'t>>;

impl<'t> Grammar<'t> for Fp1<'t> {
    type Base = super::check::Base;
    type Target = ParsedTarget;
    type Extra = super::check::Extra;
    type Keyword = Keyword;

    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn language(&self) -> Language {
        Language::Fp1
    }

    fn role(&self, word: &str) -> Role<Keyword> {
        classify(word).role()
    }

    fn statement_wanted(&self) -> &'static str {
        "an instruction, `DEFINE`, `DECLARE` or `END`"
    }

    fn keyword_statement(parser: &mut Parser<'t>, keyword: Keyword, at: Span) -> Parse<()> {
        match keyword {
            Keyword::Option => return parser.option(at),
            Keyword::Define => {
                parser.begin_statement(at);
                parser.define()?;
            }
            Keyword::Declare => {
                parser.begin_statement(at);
                parser.declare()?;
            }
        }
        parser.semicolon()
    }

    fn base(parser: &mut Parser<'t>, kind: OperandKind, sign: Sign) -> Parse<ParsedOperand<Self::Base>> {
        parser.fp1_base(kind, sign)
    }

    fn target(parser: &mut Parser<'t>, _info: &Info) -> Parse<ParsedTarget> {
        parser.fp1_target()
    }

    fn special_operand(
        parser: &mut Parser<'t>,
        kind: OperandKind,
        parsed: &mut ParsedInstruction,
    ) -> Parse<()> {
        match kind {
            OperandKind::Condition => parsed.extra.kill = Some(parser.kill_test()?),
            OperandKind::TextureImage => parsed.extra.texture = Some(parser.texture_image()?),
            // `operand` reads vectors and scalars, and no instruction of this language takes the rest.
            OperandKind::Vector
            | OperandKind::OptionalVector
            | OperandKind::Scalar
            | OperandKind::VectorOrCondition
            | OperandKind::ExtendedSwizzle
            | OperandKind::ImageUnit
            | OperandKind::ImageTarget
            | OperandKind::Address
            | OperandKind::Label
            | OperandKind::SubroutineVariable
            | OperandKind::BranchCondition => {}
        }
        Ok(())
    }

    fn take(&mut self, parsed: ParsedInstruction, sink: &mut Sink) {
        self.check.instruction(parsed, sink);
    }

    fn take_broken(&mut self, parsed: &ParsedInstruction, sink: &mut Sink) {
        self.check.note_broken(parsed, sink);
    }

    fn note_lost_statement(&mut self, _word: &str) {
        self.check.note_lost_statement();
    }

    fn finish_faults(&mut self, length: usize, end: Span, sink: &mut Sink) {
        self.check.finish_faults(length, end, sink);
    }

    fn declared(&self) -> Vec<(&'t str, Span)> {
        self.names.all().collect()
    }

    fn amend_findings(&self, sink: &mut Sink) {
        self.names.mark_late_definitions(sink);
    }

    fn into_program(self) -> Program {
        self.check.into_program()
    }

    fn elsewhere(&self, word: &str) -> Option<Elsewhere> {
        elsewhere(word).map(Elsewhere::from)
    }
}

impl<'t> Parser<'t> {
    /// Reads `OPTION name ;`, after the keyword at `keyword`.
    fn option(&mut self, keyword: Span) -> Parse<()> {
        let late = self.section != Section::Options;
        if late {
            self.sink.push(
                Diagnostic::new(
                    codes::FP1_LATE_OPTION,
                    keyword,
                    "options must come before all other statements",
                )
                .with_note("An option applies to the whole program."),
            );
        }
        let name = self.word();
        let span = self.token.span;
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("an option name"));
        }
        self.advance();
        let known = Language::Fp1.profile().options;
        let options = &mut self.own.check.options;
        if name == "ARB_fragment_coord_origin_upper_left" {
            options.origin_upper_left |= !late;
        } else if name == "ARB_fragment_coord_pixel_center_integer" {
            options.pixel_center_integer |= !late;
        } else {
            let shown = self.excerpt(span);
            let message = format!("there is no option `{shown}`");
            let mut fault = Diagnostic::new(codes::FP1_UNKNOWN_OPTION, span, message)
                .with_note(format!("The options are {}.", known.join(" and ")));
            if let Some(meant) = nearest(name, known.iter().copied()) {
                fault = fault.with_fix(format!("replace with {meant}"), span, meant);
            }
            self.sink.push(fault);
        }
        self.semicolon()
    }
}

/// A hint for an instruction or statement that only other languages have.
fn elsewhere(word: &str) -> Option<&'static str> {
    Some(match word {
        "ABS" => "Take the absolute value of an operand instead: `MOV R0, |R1|`.",
        "CMP" => "Set the condition code (`MOVC RC, ...`) and mask a MOV instead: `MOV R0 (LT), ...`.",
        "SWZ" => "Swizzle the operand of a MOV instead.",
        "TXB" | "TXL" => {
            "Lookups with a bias or a level need NV_fragment_program2. Here, TXD takes derivatives."
        }
        "SCS" => "SCS is an ARB_fragment_program instruction. Use COS and SIN instead.",
        "XPD" => "Use two instructions instead: `MUL R2, R0.zxyw, R1.yzxw; MAD R2, R0.yzxw, R1.zxyw, -R2;`.",
        "DPH" => "Use DP3 instead, then ADD the w component.",
        "NRM" => "NRM needs NV_fragment_program2. Use DP3, RSQ and MUL instead.",
        "DIV" => "DIV needs NV_fragment_program2. Use RCP and MUL instead.",
        "TEMP" => "`!!FP1.0` does not declare temporaries. Use R0 to R31 and H0 to H63.",
        "PARAM" => "In `!!FP1.0`, define constants with DEFINE and declare parameters with DECLARE.",
        "ATTRIB" | "OUTPUT" | "ADDRESS" | "ALIAS" => {
            "This is a statement of the ARB languages. `!!FP1.0` has only DEFINE, DECLARE and OPTION."
        }
        "IF" | "ELSE" | "ENDIF" | "LOOP" | "ENDLOOP" | "REP" | "ENDREP" | "BRK" | "CAL" | "RET" | "BRA" => {
            "`!!FP1.0` programs have no branches or loops. NV_fragment_program2 adds them."
        }
        _ => return None,
    })
}
