//! Statements of vertex programs and vertex state programs: the [`Grammar`] of these languages.

use super::check::{Base, Checker, Extra, ParsedInstruction, ParsedTarget};
use super::words::{Keyword, POSITION_INVARIANT, Word, classify};
use crate::diag::{Code, Diagnostic, codes};
use crate::front::dialect::{Dialect, Elsewhere, Grammar, ParsedOperand, Sign};
use crate::front::operand::LetterTokens;
use crate::front::parser::{self, Parse, Section};
use crate::front::word_roles::Role;
use crate::front::{Sink, nearest};
use crate::ir::Program;
use crate::isa::{self, Info, Language, OperandKind, Profile, Stage};
use crate::source::Span;
use crate::syntax::TokenKind;

pub(super) const GRAMMAR: &str = "NV_vertex_program2 2.14.1.8";

pub static DIALECT: Dialect = Dialect {
    codes: &codes::VP,
    has_colon: true,
    dollar_in_labels: false,
    colour_letters: false,
    mask_tokens: LetterTokens::Each,
    empty: None,
};

/// The program under construction, from the statements read so far.
pub(super) struct Vp<'t> {
    pub(super) language: Language,
    pub(super) check: Checker<'t>,
}

impl Vp<'_> {
    pub(super) fn new(language: Language) -> Self {
        Self { language, check: Checker::new(language) }
    }

    pub(super) const fn profile(&self) -> &'static Profile {
        self.language.profile()
    }

    pub(super) fn is_state_program(&self) -> bool {
        self.language.stage() == Stage::VertexState
    }

    /// The finding that `what` at `span` needs `later`, or a language that extends `later`.
    pub(super) fn later(&self, what: &str, later: Language, span: Span) -> Diagnostic {
        self.later_language(codes::VP_LATER_FEATURE, what, later, span)
    }

    fn later_language(&self, code: Code, what: &str, later: Language, span: Span) -> Diagnostic {
        let header = later.header();
        let own = self.language.header();
        let fault = Diagnostic::new(code, span, format!("{what} needs `{header}`; this program is `{own}`"));
        if self.is_state_program() {
            return fault.with_note("State programs have the features of `!!VP1.0` and were never extended.");
        }
        fault.with_fix(format!("change the header to {header}"), Span::new(0, own.len()), header)
    }
}

/// The parser of the vertex languages.
pub(super) type Parser<'t> = parser::Parser<'t, Vp<'t>>;

impl<'t> Grammar<'t> for Vp<'t> {
    type Base = Base;
    type Target = ParsedTarget;
    type Extra = Extra<'t>;
    type Keyword = Keyword;

    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn language(&self) -> Language {
        self.language
    }

    fn role(&self, word: &str) -> Role<Keyword> {
        classify(self.language, word).role()
    }

    fn statement_wanted(&self) -> &'static str {
        if self.profile().labels { "an instruction, a label or `END`" } else { "an instruction or `END`" }
    }

    fn keyword_statement(parser: &mut Parser<'t>, keyword: Keyword, at: Span) -> Parse<()> {
        match keyword {
            Keyword::Option => parser.option(at),
        }
    }

    fn base(parser: &mut Parser<'t>, kind: OperandKind, sign: Sign) -> Parse<ParsedOperand<Base>> {
        parser.vp_base(kind, sign)
    }

    fn target(parser: &mut Parser<'t>, info: &Info) -> Parse<ParsedTarget> {
        parser.vp_target(info)
    }

    fn special_operand(
        parser: &mut Parser<'t>,
        kind: OperandKind,
        parsed: &mut ParsedInstruction<'t>,
    ) -> Parse<()> {
        match kind {
            OperandKind::Address => {
                let operand = parser.address_operand()?;
                parsed.operands.push(operand);
            }
            OperandKind::Label => parsed.extra.label = Some(parser.branch_label()?),
            OperandKind::BranchCondition => {
                let example = format!("{} done (LT.x);", parsed.info.mnemonic);
                let example = if parsed.extra.label.is_some() { &example } else { "RET (LT.x);" };
                parsed.extra.test = parser.parenthesised_test("a branch", example)?;
            }
            // `operand` reads vectors and scalars, and no instruction of these languages takes the rest.
            OperandKind::Vector
            | OperandKind::OptionalVector
            | OperandKind::Scalar
            | OperandKind::VectorOrCondition
            | OperandKind::ExtendedSwizzle
            | OperandKind::Condition
            | OperandKind::SubroutineVariable
            | OperandKind::TextureImage
            | OperandKind::ImageUnit
            | OperandKind::ImageTarget => {}
        }
        Ok(())
    }

    fn take(&mut self, parsed: ParsedInstruction<'t>, sink: &mut Sink) {
        self.check.instruction(parsed, sink);
    }

    fn take_broken(&mut self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        self.check.note_broken(parsed, sink);
    }

    fn note_lost_statement(&mut self, _word: &str) {
        self.check.note_lost_statement();
    }

    fn finish_faults(&mut self, length: usize, end: Span, sink: &mut Sink) {
        self.check.finish_faults(length, end, sink);
    }

    fn into_program(self) -> Program {
        self.check.into_program()
    }

    fn later_instruction(&self, word: &str, span: Span) -> Option<Diagnostic> {
        let later = isa::later_language(self.language, word)?;
        Some(self.later_language(codes::VP_LATER_INSTRUCTION, word, later, span))
    }

    fn elsewhere(&self, word: &str) -> Option<Elsewhere> {
        let fragment = || isa::find(Language::Fp1, word).is_some();
        let found = elsewhere(word).map(Elsewhere::from);
        found.or_else(|| fragment().then(|| format!("{word} is available only in fragment programs.").into()))
    }

    fn take_label(&mut self, name: &'t str, span: Span, sink: &mut Sink) {
        self.check.label(name, span, sink);
    }

    fn note_broken_label(&mut self) {
        self.check.note_broken_label();
    }

    fn lacks_labels(&self, span: Span) -> Option<Diagnostic> {
        (!self.profile().labels).then(|| self.later("a label", Language::Vp2, span))
    }

    /// Every word can be a label. The grammar reserves no word, and only a label can occur in these places.
    fn can_be_label(&self, _word: &str) -> bool {
        true
    }

    fn look_at_sign(parser: &mut Parser<'t>) {
        let span = parser.token.span;
        let profile = parser.own.profile();
        match parser.token.kind {
            TokenKind::Plus if !profile.plus_signs => {
                let fault = parser.own.later("`+` before an operand", Language::Vp1_1, span);
                parser.sink.push(fault.with_fix("remove the plus sign", span, ""));
            }
            TokenKind::Bar if !profile.absolute_values => {
                let instead = if isa::find(parser.own.language, "ABS").is_none() {
                    "Use MAX with the operand and its negation: `MAX R0, R1, -R1;`"
                } else {
                    "Use ABS: `ABS R0, R1;`"
                };
                let fault = parser.own.later("the absolute value of an operand", Language::Vp2, span);
                parser.sink.push(fault.with_note(instead));
            }
            _ => {}
        }
    }

    fn look_at_test(parser: &mut Parser<'t>) {
        if parser.token.kind == TokenKind::LeftParen && parser.own.profile().condition_codes == 0 {
            let fault = parser.own.later("a condition code mask", Language::Vp2, parser.token.span);
            parser.sink.push(fault);
        }
    }
}

impl<'t> Parser<'t> {
    /// Classifies `word` in the program's language.
    pub(super) fn classify(&self, word: &str) -> Word {
        classify(self.own.language, word)
    }

    /// Reads `OPTION name ;`, after the keyword at `keyword`.
    fn option(&mut self, keyword: Span) -> Parse<()> {
        let has_options = self.own.profile().has_options();
        if !has_options {
            let fault = self.own.later("OPTION", Language::Vp1_1, keyword);
            self.sink.push(fault);
            self.own.check.note_lost_statement();
        } else if self.section != Section::Options {
            self.sink.push(
                Diagnostic::new(codes::VP_LATE_OPTION, keyword, "options must come before all instructions")
                    .with_note("An option applies to the whole program."),
            );
            self.own.check.note_lost_statement();
        }
        let legal = has_options && self.section == Section::Options;
        let name = self.word();
        let span = self.token.span;
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("an option name"));
        }
        self.advance();
        if name == POSITION_INVARIANT {
            if legal {
                self.own.check.make_position_invariant();
            }
        } else if has_options {
            let shown = self.excerpt(span);
            let mut fault =
                Diagnostic::new(codes::VP_UNKNOWN_OPTION, span, format!("there is no option `{shown}`"))
                    .with_note(format!("The only option is {POSITION_INVARIANT}."));
            if nearest(name, [POSITION_INVARIANT]).is_some() {
                let title = format!("replace with {POSITION_INVARIANT}");
                fault = fault.with_fix(title, span, POSITION_INVARIANT);
            }
            self.sink.push(fault);
            // The misspelt option may be NV_position_invariant, which makes writes of HPOS unnecessary.
            self.own.check.note_lost_statement();
        }
        self.semicolon()
    }
}

/// A hint for an instruction or statement that only other languages have.
fn elsewhere(word: &str) -> Option<&'static str> {
    Some(match word {
        "POW" => "Use LG2 (or LOG), MUL and EX2 (or EXP) instead.",
        "XPD" => "Use two instructions instead: `MUL R2, R0.zxyw, R1.yzxw; MAD R2, R0.yzxw, R1.zxyw, -R2;`.",
        "LRP" => "Use two instructions instead: `ADD R3, R1, -R2; MAD R0, R3, R4, R2;`.",
        "SWZ" => "SWZ is an ARB_vertex_program instruction. Swizzle the operand of a MOV instead.",
        "CMP" => "Use SLT or SGE to get factors for MUL and MAD instead.",
        "NRM" => "Use DP3, RSQ and MUL instead.",
        "DIV" => "Use RCP and MUL instead.",
        "IF" | "ELSE" | "ENDIF" | "LOOP" | "ENDLOOP" | "REP" | "ENDREP" | "BRK" => {
            "This is a statement of later languages. `!!VP2.0` branches with BRA, CAL and RET."
        }
        "TEMP" | "ATTRIB" | "PARAM" | "OUTPUT" | "ADDRESS" | "ALIAS" | "DEFINE" | "DECLARE" => {
            "This language has no declarations. Use the registers R0, A0, v[n], c[n] and o[NAME]."
        }
        _ => return None,
    })
}
