//! Statements of vertex and vertex state programs.

use super::check::{Base, Checker, Draft, DraftTarget, Extra};
use super::words::{POSITION_INVARIANT, Word, classify, has_options, statement_words};
use crate::diag::Diagnostic;
use crate::front::check::{bad_suffix, with_meant_statement};
use crate::front::dialect::{Dialect, DraftOperand, Grammar, Sign, codes};
use crate::front::parser::{self, Ending, Parse};
use crate::front::{Loaded, nearest};
use crate::ir::{Condition, limits};
use crate::isa::{self, Info, Language, Lookup, OperandKind, VertexVersion};
use crate::source::Span;
use crate::syntax::TokenKind;

pub(super) const GRAMMAR: &str = "NV_vertex_program2 2.14.1.8";
pub(super) const LABELS: &str = "NV_vertex_program2 2.14.2.3";
const OPTIONS: &str = "NV_vertex_program2 2.14.6";

pub(super) static DIALECT: Dialect = Dialect {
    codes: codes!("vp"),
    grammar: GRAMMAR,
    suffixes: "NV_vertex_program2 2.14.2",
    operands: "NV_vertex_program2 2.14.2.1",
    masks: "NV_vertex_program2 2.14.2.2",
    temporaries: "NV_vertex_program2 2.14.1.4",
    has_colon: true,
    needs_statement: false,
};

/// What is made of the statements read so far.
pub(super) struct Vp<'t> {
    pub(super) language: Language,
    pub(super) version: VertexVersion,
    pub(super) limits: limits::Vertex,
    pub(super) check: Checker<'t>,
    /// Whether an instruction or label has been read, so that no option may follow.
    body_begun: bool,
}

impl Vp<'_> {
    pub(super) fn new(language: Language, version: VertexVersion) -> Self {
        let limits = limits::vertex(version);
        Self { language, version, limits, check: Checker::new(language, limits), body_begun: false }
    }
}

/// The parser of these languages.
pub(super) type Parser<'t> = parser::Parser<'t, Vp<'t>>;

impl<'t> Grammar<'t> for Vp<'t> {
    type Base = Base;
    type Target = DraftTarget;
    type Extra = Extra<'t>;

    const DIALECT: &'static Dialect = &DIALECT;

    fn language(&self) -> Language {
        self.language
    }

    fn condition(word: &str) -> Option<Condition> {
        match classify(Language::Vp2, word) {
            Word::Condition(condition) => Some(condition),
            _ => None,
        }
    }

    fn begins_statement(parser: &Parser<'t>) -> bool {
        parser.token.kind == TokenKind::Word
            && (parser.classify(parser.word()).is_reserved() || parser.colon_follows())
    }

    fn statement(parser: &mut Parser<'t>) -> Parse<()> {
        parser.vp_statement()
    }

    fn base(parser: &mut Parser<'t>, kind: OperandKind, sign: Sign) -> Parse<DraftOperand<Base>> {
        parser.vp_base(kind, sign)
    }

    fn target(parser: &mut Parser<'t>, info: &Info) -> Parse<DraftTarget> {
        parser.vp_target(info)
    }

    fn special_operand(parser: &mut Parser<'t>, kind: OperandKind, draft: &mut Draft<'t>) -> Parse<()> {
        match kind {
            OperandKind::Address => {
                let operand = parser.address_operand()?;
                draft.operands.push(operand);
            }
            OperandKind::Label => draft.extra.label = Some(parser.branch_label()?),
            OperandKind::BranchCondition => {
                let example = format!("{} done (LT.x);", draft.info.mnemonic);
                let example = if draft.extra.label.is_some() { &example } else { "RET (LT.x);" };
                draft.extra.test = parser.parenthesised_test("a branch", example)?;
            }
            // Vectors and scalars are read elsewhere, and no instruction of these languages takes the rest.
            OperandKind::Vector
            | OperandKind::Scalar
            | OperandKind::VectorOrCondition
            | OperandKind::ExtendedSwizzle
            | OperandKind::Condition
            | OperandKind::TextureImage => {}
        }
        Ok(())
    }

    fn take(parser: &mut Parser<'t>, draft: Draft<'t>) {
        parser.own.check.instruction(draft, &mut parser.sink);
    }

    fn take_broken(parser: &mut Parser<'t>, draft: &Draft<'t>) {
        parser.own.check.note_broken(draft, &mut parser.sink);
    }

    fn note_lost_destination(&mut self) {
        self.check.note_lost_statement();
    }

    fn look_at_sign(parser: &mut Parser<'t>) {
        let span = parser.token.span;
        match parser.token.kind {
            TokenKind::Plus if parser.own.version < VertexVersion::Vp2 => {
                let fault = parser.later("`+` before an operand", VertexVersion::Vp2, span);
                parser.sink.push(fault.with_fix("remove the `+`", span, ""));
            }
            TokenKind::Bar if parser.own.version < VertexVersion::Vp2 => {
                let instead = if parser.own.version == VertexVersion::Vp1 {
                    "MAX of an operand and its negation gives the absolute value: `MAX R0, R1, -R1;`"
                } else {
                    "ABS gives the absolute value: `ABS R0, R1;`"
                };
                let fault = parser.later("the absolute value of an operand", VertexVersion::Vp2, span);
                parser.sink.push(fault.with_note(instead));
            }
            _ => {}
        }
    }

    fn look_at_test(parser: &mut Parser<'t>) {
        if parser.token.kind == TokenKind::LeftParen && parser.own.version < VertexVersion::Vp2 {
            let fault = parser.later("a condition code mask", VertexVersion::Vp2, parser.token.span);
            parser.sink.push(fault);
        }
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
                self.own.check.warn_unwritten(&mut self.sink);
                program = Some(self.own.check.into_program());
            }
        }
        Loaded { program, diagnostics: self.sink.finish() }
    }

    /// What `word` is in the language at hand.
    pub(super) fn classify(&self, word: &str) -> Word {
        classify(self.own.language, word)
    }

    /// `what` at `span` is something that only `version` and later ones have.
    pub(super) fn later(&self, what: &str, version: VertexVersion, span: Span) -> Diagnostic {
        let later = if version == VertexVersion::Vp2 { Language::Vp2 } else { Language::Vp1_1 };
        self.later_language("vp-later-feature", what, later, span)
    }

    fn later_language(&self, code: &'static str, what: &str, later: Language, span: Span) -> Diagnostic {
        let header = later.header();
        let own = self.own.language.header();
        let fault =
            Diagnostic::error(code, GRAMMAR, span, format!("{what} comes with `{header}`, this is `{own}`"));
        if self.own.language == Language::Vsp1 {
            return fault.with_note("State programs have what `!!VP1.0` has and were never extended.");
        }
        fault.with_fix(format!("make it a `{header}` program"), Span::new(0, own.len()), header)
    }

    fn vp_statement(&mut self) -> Parse<()> {
        let head = self.token;
        let numeral = matches!(head.kind, TokenKind::Number | TokenKind::BadNumber | TokenKind::Dimension);
        if numeral && self.colon_follows() {
            self.bad_label(head.span, "labels do not begin with a digit");
            self.advance();
            self.advance();
            return Ok(());
        }
        if head.kind != TokenKind::Word {
            self.own.check.note_lost_statement();
            let labels = if self.own.version == VertexVersion::Vp2 { ", a label" } else { "" };
            return Err(self.unexpected(&format!("an instruction{labels} or `END`")));
        }
        let word = self.word();
        let kind = self.classify(word);
        self.advance();
        if self.eat(TokenKind::Colon).is_some() {
            self.label(word, kind, head.span);
            return Ok(());
        }
        match kind {
            Word::Instruction(info, suffixes) => {
                self.body_begins();
                self.instruction(info, suffixes, head.span)
            }
            Word::Option => self.option(head.span),
            _ => {
                self.body_begins();
                self.own.check.note_lost_statement();
                let fault = self.not_a_statement(word, kind, head.span);
                self.fail(fault)
            }
        }
    }

    fn body_begins(&mut self) {
        self.own.body_begun = true;
    }

    /// `OPTION name ;`, behind the keyword at `keyword`.
    fn option(&mut self, keyword: Span) -> Parse<()> {
        let language = self.own.language;
        if !has_options(language) {
            let fault = self.later("OPTION", VertexVersion::Vp1_1, keyword);
            self.sink.push(fault);
            self.own.check.note_lost_statement();
        } else if self.own.body_begun {
            self.sink.push(
                Diagnostic::error(
                    "vp-late-option",
                    OPTIONS,
                    keyword,
                    "options stand before all instructions",
                )
                .with_note("They change how the instructions behind them are read."),
            );
            self.own.check.note_lost_statement();
        }
        let legal = has_options(language) && !self.own.body_begun;
        let name = self.word();
        let span = self.token.span;
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("the name of an option"));
        }
        self.advance();
        if name == POSITION_INVARIANT {
            if legal {
                self.own.check.make_position_invariant();
            }
        } else if has_options(language) {
            let shown = self.excerpt(span);
            let mut fault = Diagnostic::error(
                "vp-unknown-option",
                OPTIONS,
                span,
                format!("there is no option `{shown}`"),
            )
            .with_note(format!("The one option is {POSITION_INVARIANT}."));
            if nearest(name, [POSITION_INVARIANT].into_iter()).is_some() {
                let title = format!("write `{POSITION_INVARIANT}`");
                fault = fault.with_fix(title, span, POSITION_INVARIANT);
            }
            self.sink.push(fault);
            // It may have been meant to take HPOS over.
            self.own.check.note_lost_statement();
        }
        self.semicolon()
    }

    fn bad_label(&mut self, span: Span, why: &str) {
        let shown = self.excerpt(span);
        self.sink.push(
            Diagnostic::error("vp-bad-label", GRAMMAR, span, format!("`{shown}` cannot be a label: {why}"))
                .with_note("A label is letters, digits and underscores, and does not begin with a digit."),
        );
        self.own.check.note_broken_label();
    }

    /// Whether a label can be called `word`; says so if not.
    fn check_label(&mut self, word: &str, kind: Word, span: Span) -> bool {
        if kind.is_reserved() {
            let shown = self.excerpt(span);
            self.sink.push(
                Diagnostic::error(
                    "vp-reserved-label",
                    GRAMMAR,
                    span,
                    format!("`{shown}` cannot be a label: it is {}", kind.describe()),
                )
                .with_note("Instruction names, `OPTION` and `END` are taken."),
            );
            self.own.check.note_broken_label();
            return false;
        }
        if word.contains('$') {
            self.bad_label(span, "`$` is no letter here");
            return false;
        }
        true
    }

    /// `word :`, both read.
    fn label(&mut self, word: &'t str, kind: Word, span: Span) {
        self.body_begins();
        if self.own.version < VertexVersion::Vp2 {
            let fault = self.later("a label", VertexVersion::Vp2, span);
            self.sink.push(fault);
        } else if self.check_label(word, kind, span) {
            self.own.check.label(word, span, &mut self.sink);
        }
    }

    /// `<vp2-branchLabel>` of BRA and CAL; the name is empty where it is at fault.
    fn branch_label(&mut self) -> Parse<(&'t str, Span)> {
        let token = self.token;
        let word = self.word();
        if matches!(token.kind, TokenKind::Number | TokenKind::BadNumber | TokenKind::Dimension) {
            self.bad_label(token.span, "labels do not begin with a digit");
            self.advance();
            return Ok(("", token.span));
        }
        if token.kind != TokenKind::Word {
            return Err(self.unexpected("a label"));
        }
        let kind = self.classify(word);
        if kind.is_reserved() {
            // It is likelier that the label is missing and the next statement begins here.
            return Err(self.unexpected("a label"));
        }
        let legal = self.check_label(word, kind, token.span);
        self.advance();
        Ok((if legal { word } else { "" }, token.span))
    }

    fn not_a_statement(&self, word: &str, kind: Word, span: Span) -> Diagnostic {
        let language = self.own.language;
        if let Some(later) = isa::later_language(language, word) {
            return self.later_language("vp-later-instruction", word, later, span);
        }
        if let Lookup::BadSuffix(info) = isa::lookup(language, word) {
            return bad_suffix(&DIALECT, language, info, word, span);
        }
        let shown = self.excerpt(span);
        if !matches!(kind, Word::Name) {
            return Diagnostic::error(
                "vp-unexpected",
                GRAMMAR,
                span,
                format!("expected an instruction, found `{shown}`, which is {}", kind.describe()),
            );
        }
        let fault = Diagnostic::error(
            "vp-unknown-instruction",
            GRAMMAR,
            span,
            format!("`{shown}` is not an instruction of `{}`", language.header()),
        );
        if let Some(note) = elsewhere(word) {
            return fault.with_note(note);
        }
        if isa::find(Language::Fp1, word).is_some() {
            return fault.with_note(format!("{shown} belongs to fragment programs."));
        }
        let begins = |word: &str| classify(language, word).is_reserved();
        with_meant_statement(fault, word, span, begins, statement_words(language))
    }
}

/// A word about instructions that other languages have.
fn elsewhere(word: &str) -> Option<&'static str> {
    Some(match word {
        "POW" => "POW belongs to other languages; here: LG2 (or LOG), MUL, EX2 (or EXP).",
        "XPD" => {
            "XPD belongs to other languages; here: `MUL R2, R0.zxyw, R1.yzxw; MAD R2, R0.yzxw, R1.zxyw, -R2;`."
        }
        "LRP" => "LRP belongs to other languages; here: `ADD R3, R1, -R2; MAD R0, R3, R4, R2;`.",
        "SWZ" => "SWZ belongs to ARB_vertex_program; here swizzle the operand of a MOV.",
        "CMP" => "CMP belongs to other languages; here SLT or SGE give factors to MUL and MAD with.",
        "NRM" => "NRM belongs to other languages; here: DP3, RSQ, MUL.",
        "DIV" => "DIV belongs to other languages; here: RCP, then MUL.",
        "IF" | "ELSE" | "ENDIF" | "LOOP" | "ENDLOOP" | "REP" | "ENDREP" | "BRK" => {
            "This belongs to later languages; `!!VP2.0` branches with BRA, CAL and RET."
        }
        "TEMP" | "ATTRIB" | "PARAM" | "OUTPUT" | "ADDRESS" | "ALIAS" | "DEFINE" | "DECLARE" => {
            "Nothing is declared in vertex programs: registers are R0, A0, v[n], c[n] and o[NAME]."
        }
        _ => return None,
    })
}
