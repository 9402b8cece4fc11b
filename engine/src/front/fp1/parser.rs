//! Statements of a `!!FP1.0` program.

use super::check::{Checker, ParsedInstruction, ParsedTarget};
use super::define::Names;
use super::words::{Keyword, classify};
use crate::diag::Diagnostic;
use crate::front::dialect::{Dialect, Elsewhere, Grammar, ParsedOperand, Sign, codes};
use crate::front::operand::LetterTokens;
use crate::front::parser::{self, Parse, Section};
use crate::front::words::Role;
use crate::front::{Sink, nearest};
use crate::ir::Program;
use crate::isa::{Info, Language, OperandKind};
use crate::source::Span;
use crate::syntax::TokenKind;

pub(super) const GRAMMAR: &str = "NV_fragment_program 3.11.3";

/// Where the options are.
const COORDINATES: &str = "ARB_fragment_coord_conventions 3.11.1.1";

pub(super) static DIALECT: Dialect = Dialect {
    codes: codes!("fp1"),
    grammar: GRAMMAR,
    suffixes: "NV_fragment_program 3.11.4",
    operands: "NV_fragment_program 3.11.4.3",
    swizzles: "NV_fragment_program 3.11.4.4",
    masks: "NV_fragment_program 3.11.4.4",
    temporaries: "NV_fragment_program 3.11.1.2",
    results: "NV_fragment_program 3.11.1.3",
    has_colon: false,
    dollar_in_labels: false,
    colour_letters: false,
    mask_tokens: LetterTokens::Each,
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
            // Vectors and scalars are read elsewhere, and no instruction of this language takes the rest.
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
    /// `OPTION name ;`, behind the keyword at `keyword`.
    fn option(&mut self, keyword: Span) -> Parse<()> {
        let late = self.section != Section::Options;
        if late {
            self.sink.push(
                Diagnostic::error(
                    "fp1-late-option",
                    COORDINATES,
                    keyword,
                    "options stand before all other statements",
                )
                .with_note("They change what the program reads."),
            );
        }
        let name = self.word();
        let span = self.token.span;
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("the name of an option"));
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
            let mut fault = Diagnostic::error("fp1-unknown-option", COORDINATES, span, message)
                .with_note(format!("The options are {}.", known.join(" and ")));
            if let Some(meant) = nearest(name, known.iter().copied()) {
                fault = fault.with_fix(format!("write `{meant}`"), span, meant);
            }
            self.sink.push(fault);
        }
        self.semicolon()
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
        "ATTRIB" | "OUTPUT" | "ADDRESS" | "ALIAS" => {
            "This statement belongs to the ARB languages; `!!FP1.0` has only DEFINE, DECLARE and OPTION."
        }
        "IF" | "ELSE" | "ENDIF" | "LOOP" | "ENDLOOP" | "REP" | "ENDREP" | "BRK" | "CAL" | "RET" | "BRA" => {
            "`!!FP1.0` programs run straight through; branches and loops come with NV_fragment_program2."
        }
        _ => return None,
    })
}
